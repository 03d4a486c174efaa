"""A DEM that does not hold the sheet: the error says what would fit, or where the voids are."""

import re
import time
from dataclasses import replace

import numpy as np
import pytest
import rasterio

from gis.build import build_district
from gis.placement import Placement
from sim.errors import SourceError
from tests.gis.dem_files import write_dem
from tests.gis.small_town import ON, options, small_town, write_town_dem

pytestmark = pytest.mark.xdist_group("small town")
WEST, NORTH = ON.bounds[0], ON.bounds[3]


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    folder = tmp_path_factory.mktemp("town")
    return small_town().write(folder / "town.osm"), write_town_dem(folder)


@pytest.mark.parametrize("east_m", [-1000, 500, 700])
def test_the_window_that_is_said_to_fit_does(town, tmp_path, east_m):
    slope = np.add.outer(np.arange(90) * -0.2, np.arange(85) * -0.1).astype(np.float32) + 200
    place = {"crs": ON.crs.to_string(), "west": WEST + east_m, "north": NORTH + 300}
    asked = options(town[0], write_dem(tmp_path / "part.tif", slope, **place))
    with pytest.raises(SourceError) as refused:
        build_district(asked, tmp_path / "pack")
    fit = re.search(r"--centre=([-\d.]+),([-\d.]+) --size (\d+)x(\d+)", str(refused.value))
    lon, lat, columns, rows = (float(value) for value in fit.groups())
    placement = Placement(centre=(lon, lat), columns=int(columns), rows=int(rows))
    build_district(replace(asked, placement=placement), tmp_path / "pack")


def test_a_wide_void_is_said_where(town, tmp_path):
    with rasterio.open(town[1]) as whole:
        z = whole.read(1)
    z[30:95, 40:105] = -9999
    place = {"crs": ON.crs.to_string(), "west": WEST - 600, "north": NORTH + 600}
    holed = write_dem(tmp_path / "holed.tif", z, nodata=-9999, **place)
    with pytest.raises(SourceError, match=r"voids are too wide to fill within .* \(hexes 0\d"):
        build_district(options(town[0], holed), tmp_path / "pack")


def test_tiles_build_as_the_whole_does(town, tmp_path):
    with rasterio.open(town[1]) as whole:
        z = whole.read(1)
    place = {"crs": ON.crs.to_string(), "north": NORTH + 600}
    tiles = [
        write_dem(tmp_path / "a.tif", z[:, :60], west=WEST - 600, **place),
        write_dem(tmp_path / "b.tif", z[:, 60:], west=WEST - 600 + 60 * 30, **place),
    ]
    one = build_district(options(*town), tmp_path / "one")
    two = build_district(options(town[0], tiles[0], more_dems=(tiles[1],)), tmp_path / "two")
    assert [s["kind"] for s in two["sources"]] == ["osm", "dem", "dem"]
    assert two["district_sha256"] == one["district_sha256"]


def test_a_sheet_of_999_is_checked_against_the_dem_before_it_is_laid_out(town, tmp_path):
    lon, lat = ON.bounds_lonlat[0], ON.bounds_lonlat[1]
    asked = options(*town)
    huge = replace(asked, placement=Placement(centre=(lon, lat), columns=999, rows=999))
    start = time.perf_counter()
    with pytest.raises(SourceError, match=r"covers 0 % of the sheet where 99 %.*--size \d+x\d+"):
        build_district(huge, tmp_path / "pack")
    assert time.perf_counter() - start < 5


def test_a_dem_of_one_elevation_is_refused(town, tmp_path):
    place = {"crs": ON.crs.to_string(), "west": WEST - 600, "north": NORTH + 600}
    flat = write_dem(tmp_path / "flat.tif", np.full((200, 200), 12.0, np.float32), **place)
    with pytest.raises(SourceError, match=r"flat\.tif has one elevation, 12 m, under the whole"):
        build_district(options(town[0], flat), tmp_path / "pack")
