from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from pyproj import Transformer

from gis.fabric import (
    HEX_AREA_M2,
    NONE,
    Row,
    fabric_of,
    fabric_table,
    first_row,
    ground_use,
    hex_polygons,
    known_regions,
    on_sheet,
    region_at,
    street_pattern,
)
from gis.lattice import Lattice
from gis.sources.osm import busiest_place, read_osm
from sim.errors import DistrictError
from sim.hexes import Sheet
from sim.rules import REGIONS, Fabric
from tests.gis.osm_files import lattice
from tests.gis.towns import hexagon, house, point, square, town

DATA = Path(__file__).parents[2] / "../shared/data"
ON = lattice(5, 4)
TABLE = fabric_table("harbin")
HERE = "0302"
CELL = ON.sheet.index_of(HERE)


def fabric_here(osm, **layers):
    return Fabric(int(fabric_of(ON, osm, TABLE, **layers).fabric[CELL]))


def land(kind, share=1.0, label=HERE):
    return (hexagon(ON, label, share), {"kind": kind})


# --------------------------------------------------------------------------- the table
def test_2_1_a_region_without_a_table_is_refused_by_name():
    with pytest.raises(DistrictError, match=r"atlantis.*harbin"):
        fabric_table("atlantis")


def test_2_1_every_region_of_the_rules_has_a_decision_table():
    assert set(known_regions()) == set(REGIONS)
    assert all(fabric_table(region).region == region for region in REGIONS)


@pytest.mark.parametrize(
    ("place", "region"),
    [
        ((-0.37, 49.18), "france"),  # Caen
        ((1.52, 42.51), "france"),  # Andorra
        ((9.52, 47.14), "france"),  # Vaduz
        ((126.63, 45.75), "harbin"),
        ((-51.2, -30.0), "harbin"),  # Porto Alegre: no table is nearer
    ],
)
def test_2_1_a_town_takes_the_table_of_where_it_lies(place, region):
    assert region_at(*place) == region


def test_2_1_a_table_is_like_another_but_for_what_it_says():
    france = fabric_table("france")
    assert france.group_of == TABLE.group_of
    assert france.mapped == TABLE.mapped
    assert france.unmapped != TABLE.unmapped
    assert france.storeys_of_type == TABLE.storeys_of_type
    assert france.storeys_of_footprint != TABLE.storeys_of_footprint
    assert (TABLE.floor_m2_each, france.floor_m2_each) == (None, 60.0)


@pytest.mark.parametrize("region", REGIONS)
def test_2_every_fabric_can_come_out_of_both_lists(region):
    every, table = set(Fabric), fabric_table(region)
    assert {row.fabric for row in table.mapped} == every
    assert {row.fabric for row in table.unmapped} == every


def test_2_1_each_french_density_gives_back_its_fabric():
    table, rows = fabric_table("france"), REGIONS["france"]
    for fabric in (Fabric.TOWER_COMPOUND, Fabric.SLAB_BLOCKS, Fabric.FARMLAND):
        values = {
            "density_per_ha": np.array([float(rows[fabric].residents_per_ha)]),
            "jobs_per_ha": np.array([np.nan]),
            "jobs_per_resident": np.array([np.nan]),
            "streets_km_km2": np.array([3.0]),
            "crossings_km2": np.array([20.0]),
            "dead_end_share": np.array([0.5]),
        }
        assert first_row(table.unmapped, values).tolist() == [fabric]


def test_2_the_floor_of_a_hex_is_ground_floor_times_storeys():
    osm = town(
        ON,
        buildings=[
            (square(ON, HERE, 20, -60), {"building": "yes", "levels": 9.0}),
            (square(ON, HERE, 10, 60), {"building": "yes", "levels": 4.0}),
        ],
    )
    use = ground_use(ON, osm, TABLE)
    assert use.floor_m2[CELL] == pytest.approx(400 * 9 + 100 * 4)
    assert use.floor_m2.sum() == pytest.approx(use.floor_m2[CELL])


def test_what_lies_off_the_sheet_is_left_out_in_any_crs():
    places = [(point(ON, "0101", east), {"kind": "amenity=school"}) for east in (0, -9_000, 900)]
    layer = town(ON, places_of_use=places).places_of_use
    for crs in (ON.crs, "EPSG:4326", "EPSG:2154"):
        assert on_sheet(ON, layer.to_crs(crs)).index.tolist() == [0, 2]


def test_2_every_condition_names_a_value_that_is_measured():
    known = {
        *("dominant", "station", "footprint_ratio", "storeys", "footprint_m2", "density_per_ha"),
        *("jobs_per_ha", "jobs_per_resident", "streets_km_km2", "crossings_km2"),
        "dead_end_share",
    }
    for row in (*TABLE.mapped, *TABLE.unmapped):
        for name, bound in row.conditions:
            assert name.removesuffix("_from").removesuffix("_below") in known
            if name == "dominant":
                assert bound in {*TABLE.groups, NONE}


def test_2_a_row_before_another_wins_and_an_unknown_value_never_holds():
    rows = (
        Row(Fabric.TOWER_COMPOUND, (("density_per_ha_from", 200.0),)),
        Row(Fabric.PARK, (("density_per_ha_below", 20.0), ("streets_km_km2_below", 2.0))),
        Row(Fabric.FARMLAND, ()),
    )
    values = {
        "density_per_ha": np.array([200.0, 199.9, 5.0, 5.0, np.nan]),
        "streets_km_km2": np.array([0.0, 0.0, 1.0, 2.0, 0.0]),
    }
    assert first_row(rows, values).tolist() == [
        Fabric.TOWER_COMPOUND,
        Fabric.FARMLAND,
        Fabric.PARK,
        Fabric.FARMLAND,
        Fabric.FARMLAND,
    ]


# --------------------------------------------------------------------------- mapped towns
@pytest.mark.parametrize(
    ("kind", "ratio", "levels", "expected"),
    [
        ("landuse=residential", 0.30, 3, Fabric.OLD_TOWN),
        ("landuse=residential", 0.20, 3, Fabric.URBAN_VILLAGE),
        ("landuse=residential", 0.40, 2, Fabric.URBAN_VILLAGE),
        ("landuse=residential", 0.15, 4, Fabric.SLAB_BLOCKS),
        ("landuse=residential", 0.12, 8, Fabric.TOWER_COMPOUND),
        ("landuse=residential", 0.01, 2, Fabric.FARMLAND),
        ("landuse=retail", 0.40, 3, Fabric.COMMERCIAL),
        ("landuse=commercial", 0.00, 3, Fabric.COMMERCIAL),
        ("landuse=industrial", 0.40, 9, Fabric.INDUSTRIAL),
        ("landuse=railway", 0.00, 1, Fabric.INDUSTRIAL),
        ("landuse=farmland", 0.07, 9, Fabric.FARMLAND),
        ("landuse=meadow", 0.09, 2, Fabric.URBAN_VILLAGE),
        ("natural=wood", 0.00, 1, Fabric.PARK),
        ("leisure=park", 0.07, 9, Fabric.PARK),
        ("leisure=park", 0.09, 9, Fabric.TOWER_COMPOUND),
        ("amenity=bench", 0.30, 4, Fabric.SLAB_BLOCKS),  # seen through
    ],
)
def test_2_fabric_by_landuse_footprint_and_storeys(kind, ratio, levels, expected):
    houses = [house(ON, HERE, ratio, levels=float(levels))] if ratio else []
    assert fabric_here(town(ON, landuse=[land(kind)], buildings=houses)) == expected


def test_2_a_railway_station_makes_a_hex_commercial_and_a_bus_stop_does_not():
    houses = [house(ON, HERE, 0.2, levels=8.0)]
    station = [(point(ON, HERE), {"kind": "railway=station"})]
    bus = [(point(ON, HERE), {"kind": "public_transport=station"})]
    assert fabric_here(town(ON, buildings=houses, places_of_use=station)) == Fabric.COMMERCIAL
    assert fabric_here(town(ON, buildings=houses, places_of_use=bus)) == Fabric.TOWER_COMPOUND


def test_2_water_lies_on_top_and_shares_are_of_the_dry_ground():
    osm = town(ON, landuse=[land("leisure=park")], water=[land("natural=water", 0.6)])
    use = ground_use(ON, osm, TABLE)
    assert use.water_share[CELL] == pytest.approx(0.6)
    assert use.shares["park"][CELL] == pytest.approx(1.0)


def test_2_the_smaller_of_two_overlapping_areas_lies_on_top():
    under, over = land("landuse=forest"), land("landuse=retail", 0.3)
    for landuse in ([under, over], [over, under]):
        use = ground_use(ON, town(ON, landuse=landuse), TABLE)
        assert use.shares["commercial"][CELL] == pytest.approx(0.3)
        assert use.shares["park"][CELL] == pytest.approx(0.7)


KINDS = ("landuse=forest", "landuse=retail", "landuse=industrial", "landuse=meadow")
PATCHES = st.lists(
    st.tuples(
        st.sampled_from([*KINDS, "water"]),
        st.floats(50, 600),
        st.floats(-300, 300),
        st.floats(-300, 300),
    ),
    max_size=7,
)


@settings(max_examples=40)
@given(patches=PATCHES)
def test_2_shares_equal_those_of_patches_laid_one_by_one(patches):
    shapes = [(square(ON, HERE, side, x, y), kind) for kind, side, x, y in patches]
    osm = town(
        ON,
        landuse=[(s, {"kind": k}) for s, k in shapes if k != "water"],
        water=[(s, {"kind": "natural=water"}) for s, k in shapes if k == "water"],
    )
    use = ground_use(ON, osm, TABLE)

    cell = hex_polygons(ON)[CELL]
    water = shapely.union_all([s for s, k in shapes if k == "water"])
    dry = shapely.difference(cell, water)
    seen = dict.fromkeys(TABLE.groups, 0.0)
    ground = sorted((s for s in shapes if s[1] != "water"), key=lambda s: s[0].area)
    covered = water
    for shape, kind in ground:
        seen[TABLE.group_of[kind]] += shapely.intersection(cell, shape - covered).area
        covered = covered | shape
    assert use.water_share[CELL] == pytest.approx(1 - dry.area / HEX_AREA_M2, abs=1e-6)
    if dry.area > 1:
        for group, area in seen.items():
            assert use.shares[group][CELL] == pytest.approx(area / dry.area, abs=1e-5)


def test_2_storeys_are_told_by_levels_then_height_then_type_then_footprint():
    def storeys(**values):
        osm = town(ON, buildings=[(square(ON, HERE, 10), {"building": "yes"} | values)])
        return ground_use(ON, osm, TABLE).storeys[CELL]

    assert storeys(levels=7.0, height_m=3.0, building="house") == 7
    assert storeys(height_m=12.0, building="house") == 4
    assert storeys(building="apartments") == TABLE.storeys_of_type["apartments"]
    assert storeys() == TABLE.storeys_of_footprint[0][1]


def test_2_mean_storeys_weigh_by_footprint_and_a_roof_counts_for_nothing():
    osm = town(
        ON,
        buildings=[
            (square(ON, HERE, 20, -60), {"building": "yes", "levels": 9.0}),
            (square(ON, HERE, 10, 60), {"building": "yes", "levels": 4.0}),
            (square(ON, HERE, 40, 0, 60), {"building": "roof", "levels": 1.0}),
        ],
    )
    use = ground_use(ON, osm, TABLE)
    assert use.storeys[CELL] == pytest.approx(8.0)
    assert use.footprint_ratio[CELL] == pytest.approx(500 / HEX_AREA_M2)
    assert use.footprint_m2[CELL] == pytest.approx(250)


def test_2_a_large_building_is_shared_by_the_hexes_under_it():
    osm = town(ON, buildings=[(square(ON, HERE, 100, 0, 130), {"building": "yes"})])
    use = ground_use(ON, osm, TABLE)
    floors = use.footprint_ratio * HEX_AREA_M2
    assert floors[CELL] == pytest.approx(5_000)
    assert floors.sum() == pytest.approx(10_000)


def test_1_2_a_wood_without_a_house_is_not_built():
    values = fabric_of(ON, town(ON, landuse=[land("natural=wood")]), TABLE)
    assert values.fabric[CELL] == Fabric.PARK
    assert not values.built.any()


@pytest.mark.parametrize(
    ("layers", "built"),
    [
        ({"landuse": [land("landuse=residential", 0.2)]}, True),
        ({"landuse": [land("landuse=residential", 0.05)]}, False),
        ({"landuse": [land("landuse=military")]}, False),
        ({"landuse": [land("natural=wood")], "buildings": [house(ON, HERE, 0.002)]}, True),
        ({"buildings": [house(ON, HERE, 0.0002)]}, False),
    ],
)
def test_1_2_built_means_houses_or_ground_where_people_live_or_work(layers, built):
    assert bool(fabric_of(ON, town(ON, **layers), TABLE).built[CELL]) is built


def test_2_the_counts_by_method_cover_every_hex_and_what_is_missing_lowers_confidence():
    told = town(
        ON, landuse=[land("landuse=residential")], buildings=[house(ON, HERE, 0.3, levels=3.0)]
    )
    untold = town(ON, landuse=[land("landuse=residential", 0.3)], buildings=[house(ON, HERE, 0.3)])
    sure, less_sure = (fabric_of(ON, osm, TABLE) for osm in (told, untold))
    assert sum(sure.how.values()) == ON.sheet.n_hexes
    assert sure.how["landuse and buildings"] == 1
    assert sure.confidence[CELL] == pytest.approx(0.9)
    assert 0 < less_sure.confidence[CELL] < sure.confidence[CELL]
    assert sure.confidence[0] == pytest.approx(0.2)


# --------------------------------------------------------------------------- roads only
def cross(label, arm_m=100):
    """Two streets that cross in the middle of a hex, sharing a node there."""
    x, y = ON.centres[ON.sheet.index_of(label)]
    streets = {"highway": "residential"}
    return [
        (shapely.LineString([(x - arm_m, y), (x, y), (x + arm_m, y)]), streets),
        (shapely.LineString([(x, y - arm_m), (x, y), (x, y + arm_m)]), streets),
    ]


def test_2_a_crossing_is_counted_once_and_its_four_ends_are_dead():
    roads = town(ON, roads=cross(HERE)).roads
    length_km, crossings, dead_ends = street_pattern(ON, roads)
    assert length_km[CELL] == pytest.approx(0.4, abs=1e-6)
    assert length_km.sum() == pytest.approx(0.4, abs=1e-6)
    assert (crossings[CELL], dead_ends[CELL]) == (1, 4)


def test_2_footways_and_tracks_make_no_street_pattern():
    roads = [(line, {"highway": kind}) for kind in ("footway", "track") for line, _ in cross(HERE)]
    assert not np.any(street_pattern(ON, town(ON, roads=roads).roads))


@pytest.mark.parametrize(
    ("density", "jobs", "expected"),
    [
        (250, 0, Fabric.TOWER_COMPOUND),
        (150, 10, Fabric.SLAB_BLOCKS),
        (100, 10, Fabric.URBAN_VILLAGE),
        (30, 5, Fabric.URBAN_VILLAGE),
        (30, 90, Fabric.COMMERCIAL),
        (5, 25, Fabric.INDUSTRIAL),
        (5, 0, Fabric.FARMLAND),
        (0, 0, Fabric.FARMLAND),
    ],
)
def test_2_fabric_by_people_and_jobs_where_only_roads_are_mapped(density, jobs, expected):
    n = ON.sheet.n_hexes
    found = fabric_here(
        town(ON, roads=cross(HERE)),
        density_per_ha=np.full(n, float(density)),
        jobs_per_ha=np.full(n, float(jobs)),
    )
    assert found == expected


def test_1_2_streets_count_as_built_only_where_buildings_are_not_mapped():
    streets = [road for label in ("0302", "0303", "0402") for road in cross(label)]
    bare = fabric_of(ON, town(ON, roads=streets), TABLE)
    assert bare.roads_only
    assert bare.built.sum() == 3
    houses = [house(ON, label, 0.2) for label in ("0303", "0402")]
    mapped = fabric_of(ON, town(ON, roads=streets, buildings=houses), TABLE)
    assert not mapped.roads_only
    assert mapped.built.sum() == 2


def test_2_an_empty_extract_is_parkland_that_nobody_is_sure_of():
    values = fabric_of(ON, town(ON), TABLE)
    assert (values.fabric == Fabric.PARK).all()
    assert values.how["nothing mapped"] == ON.sheet.n_hexes
    assert values.confidence.max() == pytest.approx(0.2)


# --------------------------------------------------------------------------- real data
def real_town(path, columns, rows):
    if not (DATA / path).exists():
        pytest.skip(f"{DATA / path} is absent")
    osm = read_osm(DATA / path)
    on = Lattice.centred(Sheet(columns, rows), *busiest_place(osm, columns, rows))
    return on, fabric_of(on, osm, TABLE)


def cell_at(on, lon, lat):
    x, y = Transformer.from_crs("EPSG:4326", on.crs, always_xy=True).transform(lon, lat)
    return int(on.cells_at(x, y))


def test_2_andorra_la_vella_is_dense_on_the_valley_floor_and_empty_on_the_slopes():
    on, values = real_town("andorra_la_vella/andorra_la_vella.osm.pbf", 44, 28)
    assert not values.roads_only
    dense = {Fabric.OLD_TOWN, Fabric.SLAB_BLOCKS, Fabric.TOWER_COMPOUND, Fabric.COMMERCIAL}
    for lon, lat in ((1.5218, 42.5063), (1.5340, 42.5090)):  # Barri Antic, Escaldes
        assert values.fabric[cell_at(on, lon, lat)] in dense
    wooded = values.fabric == Fabric.PARK
    assert 0.8 < wooded.mean() < 0.95
    assert values.built[wooded].mean() < 0.25
    assert 0.2 < values.built.mean() < 0.35


def test_2_dreieich_is_houses_among_meadows():
    _, values = real_town("small_osm/dreieich.osm.pbf", 8, 8)
    counts = np.bincount(values.fabric, minlength=len(Fabric))
    assert counts[Fabric.URBAN_VILLAGE] > 20
    assert counts[Fabric.FARMLAND] > 15
    assert counts[Fabric.TOWER_COMPOUND] == 0


def test_2_porto_alegre_is_read_from_its_roads():
    _, values = real_town("porto_alegre/poa.osm.pbf", 44, 28)
    assert values.roads_only
    assert values.how["streets"] > 1_000
    assert 950 < values.built.sum() < 1_100
