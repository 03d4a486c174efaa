from dataclasses import dataclass, field
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
from pyproj import CRS
from shapely import LineString, box

from gis.lattice import Lattice, PixelGrid
from gis.sea import ENDS_INSIDE
from gis.sources.dem import open_dem
from gis.sources.osm import Dropped, read_osm
from gis.terrain import ground_of, ground_pixel_m
from sim.errors import SourceError
from sim.flow import Flow
from sim.hexes import Sheet
from tests.gis.dem_files import write_dem

DATA = Path(__file__).parents[3] / "shared" / "data"
UTM = CRS.from_epsg(32631)
LATTICE = Lattice(Sheet(6, 5), UTM, 401_000.0, 4_699_000.0)
WEST, SOUTH, EAST, NORTH = LATTICE.bounds
# 100 × 100 pixels of 30 m around the sheet, falling east by 1 m a pixel
SLOPE = np.broadcast_to(300.0 - np.arange(100.0), (100, 100)).astype(np.float32)


def lines(*courses, **columns):
    table = gpd.GeoDataFrame(columns, geometry=[LineString(c) for c in courses], crs=UTM)
    return table.to_crs(4326)


@dataclass
class Layers:
    water: gpd.GeoDataFrame = field(default_factory=lambda: gpd.GeoDataFrame(geometry=[], crs=4326))
    waterways: gpd.GeoDataFrame = field(default_factory=lambda: lines(waterway=[], tunnel=[]))
    roads: gpd.GeoDataFrame = field(default_factory=lambda: lines(bridge=[], tunnel=[]))
    railways: gpd.GeoDataFrame = field(default_factory=lambda: lines(bridge=[], tunnel=[]))
    coastlines: gpd.GeoDataFrame = field(default_factory=lines)
    dropped: tuple[Dropped, ...] = ()


def no_road(grid, crs, roads):
    return np.zeros(grid.shape, np.float32)


def terrain(tmp_path, elevation, layers=None, road=no_road, **dem):
    path = write_dem(
        tmp_path / "dem.tif", elevation, **{"west": 400_500, "north": 4_699_500, **dem}
    )
    ground, report = ground_of(LATTICE, open_dem(path), layers or Layers(), road)
    return ground, report, PixelGrid.under(LATTICE, ground.pixel_m)


def pixel_at(grid, x, y):
    return int((grid.north - y) // grid.pixel_m), int((x - grid.west) // grid.pixel_m)


def test_a_slope_stays_a_slope(tmp_path):
    ground, report, grid = terrain(tmp_path, SLOPE)
    x, y = grid.centres()
    assert ground.elevation_m == pytest.approx(300 - (x - 400_515) / 30, abs=1e-3)
    assert np.array_equal(ground.cell, LATTICE.cells_at(x, y))
    assert not ground.sink.any()
    assert report.pixel_m == 30
    assert report.covered_share == 1
    assert report.pixels_per_hex == pytest.approx(65, abs=0.1)
    assert report.flats == ()


def test_7_3_pixels_are_30_m_or_the_dem_s_own_when_coarser(tmp_path):
    fine = write_dem(
        tmp_path / "5.tif", np.ones((700, 700)), pixel=5, west=400_500, north=4_699_500
    )
    coarse = write_dem(
        tmp_path / "79.tif", np.ones((40, 40)), pixel=79.4, west=400_500, north=4_699_500
    )
    assert ground_pixel_m(LATTICE, open_dem(fine)) == 30
    assert ground_pixel_m(LATTICE, open_dem(coarse)) == 79


def test_a_sheet_that_the_dem_does_not_cover(tmp_path):
    with pytest.raises(SourceError, match=r"dem\.tif covers 3\d % of .*longitude 1\.79"):
        terrain(tmp_path, SLOPE[:, :30])


def test_a_sliver_that_the_dem_does_not_cover_is_filled(tmp_path):
    # the DEM ends under the northern tips of the sheet's upper hexes
    ground, report, _ = terrain(tmp_path, SLOPE[:87] / 1e4 + 50, north=NORTH - 20)
    assert report.covered_share < 1
    assert ground.elevation_m == pytest.approx(50.03, abs=0.02)


def test_bowls_are_kept(tmp_path):
    bowl = SLOPE.copy()
    bowl[30:34, 30:34] -= 5
    ground, _, grid = terrain(tmp_path, bowl)
    r, c = pixel_at(grid, 400_500 + 32 * 30, 4_699_500 - 32 * 30)
    assert ground.elevation_m[r, c] < ground.elevation_m[r, c + 3] - 1


def test_7_3_water_polygons_are_sinks_no_higher_than_their_shore(tmp_path):
    lake = box(401_300, 4_698_200, 401_600, 4_698_500)
    layers = Layers(water=gpd.GeoDataFrame(geometry=[lake], crs=UTM).to_crs(4326))
    ground, report, grid = terrain(tmp_path, SLOPE, layers)
    assert ground.sink.sum() * 900 == pytest.approx(300 * 300, rel=0.1)
    assert ground.sink[pixel_at(grid, 401_450, 4_698_350)]
    rows, columns = np.nonzero(ground.sink)
    for r, c in zip(rows, columns, strict=True):
        for k, m in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            assert ground.sink[k, m] or ground.elevation_m[r, c] <= ground.elevation_m[k, m]
    assert report.open_water_share > 0


LAKE = np.where(np.arange(100)[None, :] > 40, 40.0, 41 + SLOPE - SLOPE[0, 40]).astype(np.float32)
LAKE = np.broadcast_to(LAKE, (100, 100)).copy()


def test_7_3_a_wide_flat_below_its_shore_is_open_water(tmp_path):
    ground, report, grid = terrain(tmp_path, LAKE.astype(np.uint8))
    assert [flat.level_m for flat in report.flats] == [40]
    assert report.flats[0].hectares > 25
    assert ground.sink[pixel_at(grid, EAST - 100, SOUTH + 500)]
    assert not ground.sink[pixel_at(grid, WEST + 100, SOUTH + 500)]


def test_a_flat_with_streets_or_lower_ground_beside_or_too_small_is_land(tmp_path):
    def streets(grid, crs, roads):
        road_m2 = no_road(grid, crs, roads)
        road_m2[::4] = 200
        return road_m2

    assert not terrain(tmp_path, LAKE, road=streets)[0].sink.any()
    shelf = LAKE.copy()
    shelf[:, 65:] = 30 - np.arange(35)
    assert not terrain(tmp_path, shelf)[0].sink.any()
    pond = SLOPE.copy()
    pond[30:40, 30:40] = 100  # 9 ha
    assert not terrain(tmp_path, pond)[0].sink.any()


def test_a_quay_on_the_lake_s_own_level_stays_land(tmp_path):
    def quay(grid, crs, roads):
        road_m2 = no_road(grid, crs, roads)
        road_m2[10, -8:-5] = 100
        return road_m2

    ground, _, _ = terrain(tmp_path, LAKE, road=quay)
    assert ground.sink[9, -8:-5].all()
    assert not ground.sink[10, -8:-5].any()


def test_7_3_ground_below_the_sea_is_water_only_beside_a_coast_that_ends_inside(tmp_path):
    estuary = SLOPE.copy()
    estuary[20:36] = -4 - np.arange(100) / 100  # across the sheet, 480 m wide
    coast = lines([(WEST, 4_698_950), (EAST - 400, 4_698_950)])
    torn = (Dropped("water", ENDS_INSIDE, 1),)
    ground, report, grid = terrain(tmp_path, estuary, Layers(coastlines=coast, dropped=torn))
    assert ground.sink[pixel_at(grid, WEST + 600, 4_698_650)]
    assert not ground.sink[pixel_at(grid, WEST + 600, SOUTH + 300)]
    assert 0.2 < report.below_sea_share < 0.5

    def streets(grid, crs, roads):
        road_m2 = no_road(grid, crs, roads)
        road_m2[:, ::10] = 100
        return road_m2

    far = lines([(WEST, SOUTH - 3000), (EAST, SOUTH - 3000)])
    for layers, road in (
        (Layers(coastlines=coast), no_road),  # the coast parts land from sea: this is a polder
        (Layers(coastlines=coast, dropped=torn), streets),
        (Layers(coastlines=far, dropped=torn), no_road),
    ):
        ground, report, _ = terrain(tmp_path, estuary, layers, road)
        assert not ground.sink.any()
        assert report.below_sea_share == 0


BROOK = [(WEST, 4_698_400), (EAST, 4_698_400)]  # runs east, down the slope


def walled():
    """The slope with a dam 8 m high across the brook."""
    elevation = SLOPE.copy()
    elevation[:, 35:37] += 8
    return elevation


def dammed(bed):
    """Most that the bed rises above a lower bed upstream."""
    return (bed - np.minimum.accumulate(bed)).max()


def profile(ground, grid):
    return ground.elevation_m[pixel_at(grid, WEST, 4_698_400)[0]]


@pytest.mark.parametrize("course", [BROOK, BROOK[::-1]], ids=["drawn downstream", "drawn upstream"])
def test_a_watercourse_is_led_through_what_dams_it(tmp_path, course):
    dry, _, grid = terrain(tmp_path, walled())
    wet, report, _ = terrain(
        tmp_path, walled(), Layers(waterways=lines(course, waterway=["stream"], tunnel=[""]))
    )
    assert dammed(profile(dry, grid)) > 5
    assert dammed(profile(wet, grid)) < 1.5
    assert (profile(wet, grid) <= profile(dry, grid)).all()
    beside = pixel_at(grid, WEST, 4_698_460)[0]
    assert np.array_equal(wet.elevation_m[beside], dry.elevation_m[beside])
    assert report.channel_km == pytest.approx((EAST - WEST) / 1000, abs=0.05)
    assert 4 < report.deepest_cut_m < 9


def test_a_bed_is_modest_and_a_culvert_or_ditch_is_none(tmp_path):
    dry, _, grid = terrain(tmp_path, SLOPE)
    for kind, tunnel, cut in (
        ("stream", "", 3 / 30),
        ("river", "", 40 / 30),
        ("stream", "culvert", 0),
        ("ditch", "", 0),
    ):
        layers = Layers(waterways=lines(BROOK, waterway=[kind], tunnel=[tunnel]))
        wet, _, _ = terrain(tmp_path, SLOPE, layers)
        assert profile(dry, grid) - profile(wet, grid) == pytest.approx(cut, abs=1e-3)


# --------------------------------------------------------------------------- what dams water
BANK_X = 400_500 + 36 * 30  # of a bank across the brook, from south to north


def banked(columns=slice(35, 37), height=8):
    """A valley falling east along the brook, with a bank across it: of a road, or a deck."""
    up = np.abs(np.arange(100) - 36)[:, np.newaxis] * 0.5  # the brook runs in row 36
    elevation = (SLOPE / 4 + up).astype(np.float32)
    elevation[:, columns] += height
    return elevation


def held_back(ground, grid, minutes=90):
    """Share of the water poured above the bank that has not passed it."""
    x, y = grid.centres()
    pond = (np.abs(y - 4_698_400) < 100) & (x > BANK_X - 300) & (x < BANK_X - 120)
    flow = Flow(
        grid.pixel_m,
        ground.elevation_m,
        np.ones(grid.shape, bool),
        ground.sink,
        np.full(grid.shape, 0.04),
        depth_m=np.where(pond, 1.0, 0.0),
    )
    poured = flow.stored_m3
    flow.advance(minutes * 60)
    return flow.depth_m[x < BANK_X].sum() * grid.pixel_m**2 / poured


def test_a_bank_holds_water_back_and_so_it_does_where_nothing_passes_it(tmp_path):
    ground, _, grid = terrain(tmp_path, banked())
    assert held_back(ground, grid) > 0.8


def test_7_3_water_passes_under_the_deck_of_a_bridge(tmp_path):
    road = lines([(BANK_X, NORTH + 99), (BANK_X, SOUTH - 99)], bridge=["yes"], tunnel=[""])
    # a ditch, which is not cut into the ground: the deck alone is in question
    ditch = lines(BROOK, waterway=["ditch"], tunnel=[""])
    for layers in (Layers(waterways=ditch, roads=road), Layers(waterways=ditch, railways=road)):
        ground, report, grid = terrain(tmp_path, banked(), layers)
        assert held_back(ground, grid) < 0.1
        assert report.deck_pixels > 20
    dry, _, _ = terrain(tmp_path, banked())
    assert (ground.elevation_m <= dry.elevation_m + 1e-4).all()
    # under the deck the ground is that of the valley, and beside it nothing changed
    open_valley, _, _ = terrain(tmp_path, banked(height=0))
    at = pixel_at(grid, BANK_X - 5, 4_698_400 - 300)
    assert ground.elevation_m[at] == pytest.approx(open_valley.elevation_m[at], abs=0.6)
    clear = pixel_at(grid, BANK_X + 150, 4_698_400 - 300)
    assert ground.elevation_m[clear] == dry.elevation_m[clear]


def test_7_3_a_bridge_over_dry_land_or_a_road_on_a_bank_stays(tmp_path):
    course = [(BANK_X, NORTH + 99), (BANK_X, SOUTH - 99)]
    dry, _, _ = terrain(tmp_path, banked())
    for bridge in ("yes", ""):
        layers = Layers(roads=lines(course, bridge=[bridge], tunnel=[""]))
        ground, report, _ = terrain(tmp_path, banked(), layers)
        assert np.array_equal(ground.elevation_m, dry.elevation_m)
        assert report.deck_pixels == 0


def test_7_3_two_decks_side_by_side_are_both_taken_away(tmp_path):
    courses = [[(x, NORTH + 99), (x, SOUTH - 99)] for x in (BANK_X, BANK_X + 45)]
    layers = Layers(
        waterways=lines(BROOK, waterway=["ditch"], tunnel=[""]),
        roads=lines(*courses, bridge=["yes", "yes"], tunnel=["", ""]),
    )
    ground, _, grid = terrain(tmp_path, banked(slice(35, 39)), layers)
    assert held_back(ground, grid) < 0.1


def culverted(kind, culvert_m):
    """A brook whose stretch under the bank is a culvert."""
    west, east = BANK_X - culvert_m / 2, BANK_X + culvert_m / 2
    y = 4_698_400
    courses = [(WEST, y), (west, y)], [(west, y), (east, y)], [(east, y), (EAST, y)]
    return lines(*courses, waterway=[kind] * 3, tunnel=["", "culvert", ""])


@pytest.mark.parametrize("kind", ["stream", "ditch"])
def test_7_3_a_short_culvert_is_opened_and_a_long_one_stays_under_the_ground(tmp_path, kind):
    ground, report, grid = terrain(tmp_path, banked(), Layers(waterways=culverted(kind, 120)))
    assert held_back(ground, grid) < 0.1
    assert (report.culverts_opened, report.culverts_under) == (1, 0)
    ground, report, grid = terrain(tmp_path, banked(), Layers(waterways=culverted(kind, 180)))
    assert held_back(ground, grid) > 0.8
    assert (report.culverts_opened, report.culverts_under) == (0, 1)


def test_7_3_a_culvert_drawn_in_two_pieces_is_as_long_as_both(tmp_path):
    y = 4_698_400
    courses = [(BANK_X - 90, y), (BANK_X, y)], [(BANK_X, y), (BANK_X + 90, y)]
    layers = Layers(waterways=lines(*courses, waterway=["stream"] * 2, tunnel=["culvert"] * 2))
    _, report, _ = terrain(tmp_path, banked(), layers)
    assert (report.culverts_opened, report.culverts_under) == (0, 1)


def test_7_3_a_ditch_passes_under_the_road_that_crosses_it_and_is_not_cut_elsewhere(tmp_path):
    road = lines([(BANK_X, NORTH + 99), (BANK_X, SOUTH - 99)], bridge=[""], tunnel=[""])
    ditch = lines(BROOK, waterway=["ditch"], tunnel=[""])
    ground, _, grid = terrain(tmp_path, banked(), Layers(waterways=ditch, roads=road))
    dry, _, _ = terrain(tmp_path, banked())
    assert held_back(ground, grid) < 0.1
    lower = ground.elevation_m < dry.elevation_m - 1e-3
    x, y = grid.centres()
    assert lower.any()
    assert np.abs(x[lower] - BANK_X).max() < 120
    assert np.abs(y[lower] - 4_698_400).max() < 60


def test_7_3_the_bowl_of_an_underpass_keeps_its_water(tmp_path):
    bowl = banked(height=0)
    r, c = 30, 40
    bowl[r - 1 : r + 2, c - 1 : c + 2] -= 4
    x, y = 400_500 + (c + 0.5) * 30, 4_699_500 - (r + 0.5) * 30
    layers = Layers(
        roads=lines([(x - 60, y), (x + 60, y)], bridge=[""], tunnel=["yes"]),
        railways=lines([(x, y - 200), (x, y + 200)], bridge=["yes"], tunnel=[""]),
    )
    ground, _, grid = terrain(tmp_path, bowl, layers)
    flow = Flow(
        grid.pixel_m,
        ground.elevation_m,
        np.ones(grid.shape, bool),
        ground.sink,
        np.full(grid.shape, 0.04),
        depth_m=np.full(grid.shape, 0.1),
    )
    flow.advance(3 * 3600)
    assert flow.depth_m[pixel_at(grid, x, y)] > 1


def test_channels_meet_by_sides(tmp_path):
    slant = [(WEST + 100, NORTH - 300), (WEST + 900, NORTH - 1000)]
    layers = Layers(waterways=lines(slant, waterway=["river"], tunnel=[""]))
    dry, _, _ = terrain(tmp_path, SLOPE)
    wet, _, _ = terrain(tmp_path, SLOPE, layers)
    channel = wet.elevation_m < dry.elevation_m - 0.01
    reached = np.zeros_like(channel)
    reached[tuple(np.argwhere(channel)[0])] = True
    for _ in range(channel.sum()):
        grown = reached.copy()
        grown[1:] |= reached[:-1]
        grown[:-1] |= reached[1:]
        grown[:, 1:] |= reached[:, :-1]
        grown[:, :-1] |= reached[:, 1:]
        reached = grown & channel
    assert channel.sum() > 30
    assert np.array_equal(reached, channel)


def test_7_4_a_road_along_a_brook_is_not_in_its_bed(tmp_path):
    def along(grid, crs, roads):
        road_m2 = no_road(grid, crs, roads)
        road_m2[pixel_at(grid, WEST, 4_698_400)[0]] = 150
        return road_m2

    layers = Layers(waterways=lines(BROOK, waterway=["stream"], tunnel=[""]))
    ground, report, grid = terrain(tmp_path, SLOPE, layers, along)
    row = pixel_at(grid, WEST, 4_698_400)[0]
    assert not ground.road_m2[row].any()
    assert ground.road_m2.sum() == pytest.approx(150 * grid.columns)
    assert report.moved_road_m2 == pytest.approx(150 * grid.columns)


# --------------------------------------------------------------------------- real towns
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="no ../shared/data beside the repository")


@needs_data
def test_porto_alegre_has_its_lake_though_no_polygon_shows_it():
    lattice = Lattice.centred(Sheet(44, 28), -51.1975, -30.0536)
    osm = read_osm(DATA / "porto_alegre/poa.osm.pbf", lattice.bounds_lonlat)
    ground, report = ground_of(lattice, open_dem(DATA / "porto_alegre/poa_elevation.tif"), osm)
    assert report.pixel_m == 30
    assert [flat.level_m for flat in report.flats] == [0]
    assert 0.05 < report.open_water_share < 0.15
    assert np.quantile(ground.elevation_m[ground.sink], 0.99) == 0
    assert ground.road_m2[ground.sink].sum() == 0
    assert np.isfinite(ground.elevation_m).all()


@needs_data
def test_andorra_s_voids_are_filled_and_its_valleys_open():
    lattice = Lattice.centred(Sheet(44, 28), 1.5324, 42.525)
    osm = read_osm(DATA / "andorra_la_vella/andorra_la_vella.osm.pbf", lattice.bounds_lonlat)
    dem = open_dem(DATA / "andorra_la_vella/andorra_la_vella_srtm3.tif")
    ground, report = ground_of(lattice, dem, osm)
    assert report.pixel_m == 80
    assert report.void_share > 0
    assert ground.elevation_m.min() > 900
    assert report.channel_km > 50
    assert report.flats == ()
