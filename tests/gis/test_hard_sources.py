"""Sources that are well-formed and absurd: refused by name, never a traceback."""

import geopandas as gpd
import h3
import numpy as np
import pytest
import shapely

from gis.population import transfer
from gis.sources.dem import open_dem
from gis.sources.osm import read_osm
from gis.sources.population import read_population
from gis.terrain import ground_pixel_m
from sim.errors import SourceError
from tests.gis.dem_files import write_dem
from tests.gis.osm_files import lattice

ON = lattice()
CELL = h3.latlng_to_cell(51.5, 9.9, 9)
MOON = "+proj=longlat +R=1737400 +no_defs"
FLAT = np.zeros((4, 4), np.float32)


def csv(tmp_path, *values: str, delimiter: str = ","):
    cells = [CELL, *sorted(h3.grid_ring(CELL, 1))]
    rows = [f"{cell}{delimiter}{value}" for cell, value in zip(cells, values, strict=False)]
    path = tmp_path / "people.csv"
    path.write_text("\n".join([f"h3{delimiter}population", *rows]) + "\n")
    return path


@pytest.mark.parametrize("value", ["inf", "1e400", "nan", "-5", "many"])
def test_a_cell_without_a_number_of_people_is_dropped_and_counted(tmp_path, value):
    population = read_population(csv(tmp_path, "120", value))
    assert population.total == 120
    assert population.dropped == 1


@pytest.mark.parametrize("value", ["1e12", "1e308"])
def test_more_people_than_live_on_earth_are_refused(tmp_path, value):
    with pytest.raises(SourceError, match=r"people\.csv holds .* not a number of people"):
        read_population(csv(tmp_path, value))


def test_more_people_than_any_town_has_are_refused(tmp_path):
    with pytest.raises(SourceError, match="more than any town"):
        transfer(ON, read_population(csv(tmp_path, "3e9")))


def test_a_comma_parts_thousands_where_it_does_not_part_columns(tmp_path):
    assert read_population(csv(tmp_path, '"1,234"', '"2,000.5"')).total == 3234.5
    assert read_population(csv(tmp_path, "1,5", delimiter=";")).total == 1.5


def test_polygons_of_infinitely_many_people_are_dropped(tmp_path):
    square = shapely.box(9.89, 51.49, 9.91, 51.51)
    table = gpd.GeoDataFrame(
        {"population": [np.inf, 70.0]}, geometry=[square, square], crs="EPSG:4326"
    )
    table.to_file(tmp_path / "people.gpkg")
    population = read_population(tmp_path / "people.gpkg")
    assert (population.total, population.dropped) == (70.0, 1)


@pytest.mark.parametrize(
    "crs", [MOON, 'LOCAL_CS["a hall",UNIT["metre",1]]', "EPSG:5773"], ids=["moon", "hall", "height"]
)
def test_a_dem_of_nowhere_on_earth_is_refused(tmp_path, crs):
    with pytest.raises(SourceError, match=r"dem\.tif"):
        open_dem(write_dem(tmp_path / "dem.tif", FLAT, crs=crs))


def test_a_dem_without_a_place_is_refused(tmp_path):
    with pytest.raises(SourceError, match="nowhere on Earth"):
        open_dem(write_dem(tmp_path / "dem.tif", FLAT, west=float("nan")))


def test_a_dem_coarser_than_a_hex_is_refused(tmp_path):
    dem = open_dem(write_dem(tmp_path / "dem.tif", FLAT, crs=ON.crs, west=5e5, pixel=5_000))
    with pytest.raises(SourceError, match="wider than a hex"):
        ground_pixel_m(ON, dem)


def test_an_extract_with_a_coordinate_that_is_no_number_is_refused(tmp_path):
    path = tmp_path / "town.osm"
    path.write_text(
        '<osm version="0.6"><node id="1" version="1" lat="abc" lon="9.9"/>'
        '<way id="1" version="1"><nd ref="1"/><tag k="highway" v="road"/></way></osm>'
    )
    with pytest.raises(SourceError, match=r"town\.osm"):
        read_osm(path)
