import dataclasses
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
import rasterio
import shapely
from affine import Affine
from hypothesis import given, settings
from hypothesis import strategies as st

from gis.catchments import _gathered, _priority_flood, catchments_of
from gis.lattice import Lattice
from gis.placement import Placement, place_sheet
from gis.report_warnings import warnings_of
from gis.report_words import Words
from gis.sources.dem import open_dem
from gis.sources.osm import read_osm
from gis.waters import entry_of, rain_on_the_sheet_only
from sim.errors import ExerciseError
from sim.hexes import Sheet
from tests.gis.hand_pack import district

DATA = Path(__file__).parents[3] / "shared" / "data"
SHEET = Sheet(10, 8)
LATTICE = Lattice.centred(SHEET, lon=2.35, lat=48.85)
PIXEL = 50.0


def drained(z, known=None):
    known = np.isfinite(z) if known is None else known
    to, order = _priority_flood(np.where(known, z, 0.0).ravel(), known.ravel(), *z.shape)
    return to, order


@settings(max_examples=40)
@given(seed=st.integers(0, 999), steps=st.sampled_from([2, 10, 1000]))
def test_every_pixel_of_known_ground_drains_to_its_end_and_none_twice(seed, steps):
    rng = np.random.default_rng(seed)
    z = rng.integers(0, steps, (13, 17)).astype(float)
    z[rng.random(z.shape) < 0.1] = np.nan
    to, order = drained(z)
    assert sorted(order.tolist()) == np.flatnonzero(np.isfinite(z)).tolist()
    place = np.empty(z.size, int)
    place[order] = np.arange(order.size)
    goes = order[to[order] >= 0]
    assert (place[to[goes]] < place[goes]).all()  # so no circle
    ends = order[to[order] < 0]
    assert ends.size
    rim = np.zeros(z.shape, bool)
    rim[[0, -1]] = rim[:, [0, -1]] = True
    void = np.pad(~np.isfinite(z), 1)
    beside = np.logical_or.reduce(
        [void[r : r + 13, c : c + 17] for r in range(3) for c in range(3)]
    )
    assert (rim | beside).ravel()[ends].all()
    _, _, every, _ = _gathered(to, order, np.zeros(z.size, bool), np.zeros(z.size, bool))
    assert every[ends].sum() == order.size


def brute_level(z):
    """Lowest level at which water of every pixel runs off the raster, by relaxation."""
    level = np.full((z.shape[0] + 2, z.shape[1] + 2), np.inf)
    level[[0, -1]] = -np.inf
    level[:, [0, -1]] = -np.inf
    while True:
        around = [level[r : r + z.shape[0], c : c + z.shape[1]] for r in range(3) for c in range(3)]
        new = np.maximum(z, np.minimum.reduce(around))
        if np.array_equal(new, level[1:-1, 1:-1]):
            return new
        level[1:-1, 1:-1] = new


@settings(max_examples=25)
@given(seed=st.integers(0, 999))
def test_water_takes_the_way_over_the_lowest_lip(seed):
    z = np.random.default_rng(seed).random((9, 11)) * 10
    to, order = drained(z)
    highest = np.full(z.size, -np.inf)
    for here in order.tolist():
        below = highest[to[here]] if to[here] >= 0 else -np.inf
        highest[here] = max(z.ravel()[here], below)
    assert highest.reshape(z.shape) == pytest.approx(brute_level(z))


def test_water_runs_down_a_plane_by_its_steepest_side():
    # 5 % to the west and 1 % to the south: a corner is lower still, but farther
    z = 5.0 * np.arange(9)[None, :] + np.arange(9)[::-1, None]
    to, _ = drained(z)
    inner = np.arange(81).reshape(9, 9)[1:-1, 1:-1]
    assert np.array_equal(to[inner], inner - 1)


def valley_dem(path, beyond_m):
    """A valley that falls southwards along the middle of the sheet, on the sheet's own CRS."""
    west, south, east, north = LATTICE.bounds
    columns = int((east - west + 2 * beyond_m) / PIXEL)
    rows = int((north - south + 2 * beyond_m) / PIXEL)
    x = west - beyond_m + PIXEL * (np.arange(columns) + 0.5)
    y = north + beyond_m - PIXEL * (np.arange(rows) + 0.5)
    middle = (west + east) / 2
    z = 100 + 0.05 * np.abs(x[None, :] - middle) + 0.01 * (y[:, None] - south)
    with rasterio.open(
        path, "w", driver="GTiff", width=columns, height=rows, count=1, dtype="float32",
        crs=LATTICE.crs, transform=Affine(PIXEL, 0, x[0] - PIXEL / 2, 0, -PIXEL, y[0] + PIXEL / 2),
    ) as target:  # fmt: skip
        target.write(z.astype(np.float32), 1)
    return open_dem(path)


def river(name="La Bièvre"):
    west, south, east, north = LATTICE.bounds
    middle = (west + east) / 2
    line = shapely.LineString([(middle, north + 3000), (middle, south - 3000)])
    frame = gpd.GeoDataFrame(
        {"waterway": ["river"], "tunnel": [""], "name": [name]}, geometry=[line], crs=LATTICE.crs
    )
    return frame.to_crs("EPSG:4326")


def test_7_7_the_catchment_outside_is_that_of_the_valley_above(tmp_path):
    west, _, east, _ = LATTICE.bounds
    found = catchments_of(LATTICE, valley_dem(tmp_path / "z.tif", 4000), river())
    entry = found.entries[0]
    assert entry.name == "La Bièvre"
    column, row = divmod(SHEET.index_of(entry.hex), SHEET.rows)
    assert row == 0
    assert column in (4, 5)
    # slopes of 5 % to the middle and 1 % down the valley: all the ground north of the sheet
    half = (east - west) / 2 + 4000
    assert entry.outside_km2 == pytest.approx(2 * half * 4000 / 1e6, rel=0.05)
    assert 0.3 < entry.share < 0.95
    assert entry.at_least  # the valley goes on beyond the ground
    assert found.seen_m == pytest.approx(4000, abs=150)


def test_7_7_a_catchment_closed_within_the_ground_is_known_wholly(tmp_path):
    def with_ridge(path):
        dem = valley_dem(path, 6000)
        with rasterio.open(path, "r+") as raster:
            z = raster.read(1)
            rows = int((6000 - 2000) / PIXEL)  # a ridge 2 km north of the sheet
            z[:rows] += (np.arange(rows)[::-1, None] * -2.0 + 400).astype(np.float32)
            raster.write(z, 1)
        return dem

    found = catchments_of(LATTICE, with_ridge(tmp_path / "z.tif"), river())
    (entry,) = [e for e in found.entries if e.name]
    west, _, east, _ = LATTICE.bounds
    assert entry.outside_km2 < 1.3 * ((east - west) + 12_000) * 2000 / 1e6


def test_7_7_a_dem_that_ends_with_the_sheet_shows_nothing_and_says_so(tmp_path):
    found = catchments_of(LATTICE, valley_dem(tmp_path / "z.tif", 100), river())
    assert found.entries == ()
    assert found.seen_m <= 200


def test_7_7_what_is_not_mapped_counts_from_a_valley_s_size_on(tmp_path):
    found = catchments_of(LATTICE, valley_dem(tmp_path / "z.tif", 8000), river().iloc[:0])
    assert found.entries[0].name == ""
    assert found.entries[0].outside_km2 >= 5
    assert all(e.outside_km2 >= 5 for e in found.entries)


def manifest(*entries, seen_m=15_000.0):
    rows = [
        {"name": n, "hex": h, "outside_km2": 12.3, "share": s, "at_least": least}
        for n, h, s, least in entries
    ]
    return {"report": {"catchments": {"seen_m": seen_m, "entries": rows}}}


def test_7_7_rain_on_the_sheet_only_above_a_fifth_without_an_inflow():
    made = manifest(("Bièvre", "0501", 0.21, False), ("Ru", "0101", 0.2, False))
    assert [e["name"] for e in rain_on_the_sheet_only(made)] == ["Bièvre"]
    assert rain_on_the_sheet_only(made, ["0501"]) == []
    assert rain_on_the_sheet_only({}) == []


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "at least 12.3 km² outside"), ("fr", "au moins 12,3 km² dehors")]
)
def test_7_7_the_report_warns_of_it(lang, said):
    made = manifest(("Bièvre", "0501", 0.5, True), ("", "0101", 0.9, False), seen_m=800.0)
    remarks = warnings_of(made, district(), Words(lang), {})
    titles = [r.title for r in remarks]
    assert {"en": "Rain on the sheet only", "fr": "Pluie sur la planche seulement"}[lang] in titles
    assert said in " ".join(r.text for r in remarks).replace("\u202f", " ").replace("\xa0", " ")
    assert any("0.8 km" in t.replace("\xa0", " ").replace(",", ".") for t in titles)
    quiet = manifest(("Bièvre", "0501", 0.1, False))
    assert not [r for r in warnings_of(quiet, district(), Words(lang), {}) if "Bièvre" in r.text]


def test_a_watercourse_is_found_by_name():
    made = manifest(("Bièvre", "0501", 0.5, False), ("Ru", "0101", 0.1, 0), ("Ru", "0102", 0.1, 0))
    assert entry_of(made, "Bièvre") == "0501"
    with pytest.raises(ExerciseError, match="hexes 0101, 0102"):
        entry_of(made, "Ru")
    with pytest.raises(ExerciseError, match="Bièvre, Ru"):
        entry_of(made, "Seine")


@pytest.mark.skipif(not DATA.exists(), reason="../shared/data is not there")
def test_7_7_andorra_s_valleys_lie_mostly_off_the_sheet():
    lattice = place_sheet(Placement(centre=(1.5324, 42.525)))
    osm = read_osm(DATA / "andorra_la_vella/andorra_la_vella.osm.pbf", lattice.bounds_lonlat)
    whole = catchments_of(lattice, open_dem(DATA / "andorra_full/N42E001.hgt.zip"), osm.waterways)
    by_name = {e.name: e for e in whole.entries}
    east, north = by_name["Valira d'Orient"], by_name["Valira del Nord"]
    # the two head valleys of Andorra (468 km² with what lies below): its Orient is the larger
    assert 100 < east.outside_km2 < 160
    assert 55 < north.outside_km2 < 95
    assert min(east.share, north.share) > 0.6
    assert not east.at_least
    cut = open_dem(DATA / "andorra_la_vella/andorra_la_vella_srtm3.tif")
    seen = {e.name: e for e in catchments_of(lattice, cut, osm.waterways).entries}
    assert seen["Valira d'Orient"].at_least
    assert seen["Valira d'Orient"].outside_km2 < east.outside_km2
    assert dataclasses.asdict(whole)["seen_m"] > 10_000
