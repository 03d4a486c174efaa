from pathlib import Path

import numpy as np
import pytest
import shapely
from pyproj import Transformer

from gis.lattice import Lattice, PixelGrid
from gis.sources.osm import busiest_place, read_osm
from gis.streets import ROADS, road_surface_m2, streets_of
from gis.walk import Walk
from sim.hexes import Sheet
from sim.rules import HEX_SIDE_M, LinkClass, Structure
from tests.gis.osm_files import OsmFile, lattice

DATA = Path(__file__).parents[2] / "../shared/data"
ON = lattice()
# two neighbours in the middle of the sheet, and the middle and direction of their shared edge
A, B = ON.sheet.index_of("0302"), ON.sheet.index_of("0303")
EDGE = int(ON.sheet.edge_across[A, 3])
MIDDLE = (ON.centres[A] + ON.centres[B]) / 2
ALONG = np.array([1.0, 0.0])  # the shared edge runs west–east
ACROSS = np.array([0.0, -1.0])  # from A to B
BOTH_SIDES = ((0, -100), (0, 100))
SHORT = ((0, -60), (0, 60))  # of an underpass


def at(along, across):
    """A place by metres along the shared edge, and across it from A (negative) to B."""
    return tuple(MIDDLE + along * ALONG + across * ACROSS)


def line(*places):
    return [at(*place) for place in places]


class Town(OsmFile):
    """An extract by metres around the shared edge of two neighbours."""

    def __init__(self):
        super().__init__(on=ON)

    def road(self, tags, places=BOTH_SIDES):
        self.way(line(*places), {"highway": "residential"} | tags)
        return self

    def river(self, low=-20, high=20, **tags):
        corners = line((-600, low), (600, low), (600, high), (-600, high))
        self.outline(corners, {"natural": "water"} | tags)
        return self

    def rail(self, across=0, **tags):
        self.way(line((-600, across), (600, across)), {"railway": "rail"} | tags)
        return self

    def wall(self, kind="wall", across=0):
        self.way(line((-600, across), (600, across)), {"barrier": kind})
        return self

    def sign(self, tags, place=(0, 0)):
        self.node(at(*place), tags)
        return self


@pytest.fixture
def streets(tmp_path):
    def of(town):
        return streets_of(ON, read_osm(town.write(tmp_path / "town.osm")))

    return of


@pytest.fixture
def link(streets):
    """Class, structure, foot and barrier of the shared edge."""

    def of(town):
        found = streets(town)
        return (
            LinkClass(found.link_class[EDGE]),
            Structure(found.structure[EDGE]),
            bool(found.foot[EDGE]),
            bool(found.barrier[EDGE]),
        )

    return of


LOCAL = (LinkClass.LOCAL, Structure.ROAD, True, False)
NOTHING = (LinkClass.NONE, Structure.ROAD, False, False)
BARRED = (LinkClass.NONE, Structure.ROAD, False, True)
FOOT_LINK = (LinkClass.NONE, Structure.ROAD, True, False)


# --------------------------------------------------------------------------- 3.2 classes
@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (("motorway", "motorway_link", "trunk", "trunk_link"), LinkClass.EXPRESSWAY),
        (("primary", "primary_link"), LinkClass.PRIMARY),
        (("secondary", "secondary_link", "tertiary", "tertiary_link"), LinkClass.SECONDARY),
        (
            ("residential", "unclassified", "living_street", "pedestrian", "road", "service"),
            LinkClass.LOCAL,
        ),
        (("track",), LinkClass.LOCAL),
    ],
)
def test_3_2_class_of_each_osm_road(link, kinds, expected):
    for kind in kinds:
        assert link(Town().road({"highway": kind})) == (expected, Structure.ROAD, True, False)


@pytest.mark.parametrize("kind", ["footway", "path", "steps", "cycleway", "bridleway"])
def test_3_2_a_foot_only_way_gives_a_foot_link(link, kind):
    assert link(Town().road({"highway": kind})) == FOOT_LINK


@pytest.mark.parametrize("kind", ["parking_aisle", "driveway"])
def test_3_2_parking_aisles_and_driveways_make_no_link(streets, kind):
    town = Town().road({}, ((300, -100), (300, 100)))
    found = streets(town.road({"highway": "service", "service": kind}))
    assert found.link_class[EDGE] == 0
    assert [(d.reason, d.count) for d in found.dropped] == [(f"service={kind}", 1)]


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ({"access": "private"}, LOCAL),  # a gated street: its people leave by it
        ({"highway": "service", "access": "private"}, NOTHING),
        ({"highway": "track", "access": "private"}, NOTHING),
        ({"access": "no"}, NOTHING),
        ({"access": "no", "foot": "yes"}, FOOT_LINK),
        ({"highway": "service", "access": "private", "foot": "designated"}, FOOT_LINK),
        ({"highway": "footway", "access": "private"}, NOTHING),
        ({"highway": "cycleway", "foot": "no"}, NOTHING),
        ({"access": "destination"}, LOCAL),
        ({"highway": "service", "service": "alley"}, LOCAL),
    ],
)
def test_3_2_who_may_use_it(link, tags, expected):
    elsewhere = {"highway": "primary"}, ((300, -100), (300, 100))
    assert link(Town().road(*elsewhere).road(tags)) == expected


def test_3_2_the_best_class_that_crosses_wins(link):
    town = Town()
    for kind, x in (("service", -60), ("secondary", -30), ("primary", 0), ("residential", 30)):
        town.road({"highway": kind}, ((x, -100), (x, 100)))
    assert link(town) == (LinkClass.PRIMARY, Structure.ROAD, True, False)


def test_3_2_a_dual_carriageway_is_one_link(streets):
    town = Town()
    for x in (-8, 8):
        town.road({"highway": "trunk"}, ((x, -100), (x, 100)))
    found = streets(town)
    assert np.flatnonzero(found.link_class).tolist() == [EDGE]
    assert found.link_class[EDGE] == LinkClass.EXPRESSWAY


def test_3_2_a_track_yields_to_anything_better(link):
    town = Town().road({"highway": "track", "bridge": "yes"})
    assert link(town) == (LinkClass.LOCAL, Structure.BRIDGE, True, False)
    assert link(town.road({}, ((20, -100), (20, 100)))) == LOCAL


# --------------------------------------------------------------------------- 3.2 exactly
def test_3_2_a_road_that_only_comes_near_does_not_count(streets):
    found = streets(Town().road({}, ((-60, -3), (60, -3))))
    assert not found.link_class.any()


def test_3_2_a_road_that_zigzags_across_an_edge_crosses_it_once(streets):
    zigzag = [(x, (-1) ** (x // 10) * 2.0) for x in range(-60, 70, 10)]
    found = streets(Town().road({}, zigzag))
    assert np.flatnonzero(found.link_class).tolist() == [EDGE]
    assert found.counts["road crossings"] == 1


def test_3_2_a_road_just_beyond_the_end_of_the_edge_crosses_its_neighbours(streets):
    for past, crossed in ((-0.5, [EDGE]), (0.5, None)):
        x = HEX_SIDE_M / 2 + past
        found = streets(Town().road({}, ((x, -30), (x, 30))))
        edges = np.flatnonzero(found.link_class).tolist()
        if crossed:
            assert edges == crossed
        else:  # round the corner, by the hex that lies between
            between = set(ON.sheet.neighbours[A]) & set(ON.sheet.neighbours[B])
            assert len(edges) == 2
            pairs = ON.sheet.edges[edges].tolist()
            assert all({A, B} & set(pair) and between & set(pair) for pair in pairs)


def test_3_2_a_road_along_an_edge_meets_it_and_so_do_both_ends_of_a_road_cut_on_it():
    a, b = ON.edge_ends[EDGE]
    along = shapely.linestrings([a + 0.2 * (b - a), a + 0.8 * (b - a)])
    halves = [shapely.LineString([ON.centres[A], (a + b) / 2])]
    halves.append(shapely.LineString([(a + b) / 2, ON.centres[B]]))
    walk = Walk.along(ON, np.array([along, *halves]))
    assert (walk.line.tolist(), walk.edge.tolist()) == ([0, 1, 2], [EDGE] * 3)
    beyond = shapely.linestrings([b + 0.2 * (b - a), b + 0.8 * (b - a)])  # on its line, not on it
    assert EDGE not in Walk.along(ON, np.array([beyond])).edge


# --------------------------------------------------------------------------- 3.2 barriers
@pytest.mark.parametrize(
    "barred",
    [
        lambda: Town().river(),
        lambda: Town().rail(),
        lambda: Town().rail(railway="light_rail"),
        lambda: Town().rail(across=60, service="yard"),
        lambda: Town().wall(),
        lambda: Town().wall("city_wall"),
    ],
)
def test_3_2_a_barrier_stops_a_road(link, streets, barred):
    assert link(barred().road({})) == BARRED
    assert link(barred().road({"highway": "footway"})) == BARRED
    reasons = [d.reason for d in streets(barred().road({})).dropped]
    assert len(reasons) == 1
    assert reasons[0].startswith("crossing: ")


@pytest.mark.parametrize(
    ("barred", "tags", "expected"),
    [
        (Town.river, {"bridge": "yes", "layer": "1"}, Structure.BRIDGE),
        (Town.river, {"tunnel": "yes", "layer": "-1"}, Structure.UNDERPASS),
        (Town.river, {"ford": "yes"}, Structure.ROAD),
        (Town.river, {"embankment": "yes"}, Structure.ROAD),
        (Town.rail, {"bridge": "yes", "layer": "1"}, Structure.BRIDGE),
        (Town.rail, {"tunnel": "yes", "layer": "-1"}, Structure.UNDERPASS),
        (Town.wall, {"covered": "yes"}, Structure.ROAD),
    ],
)
def test_3_2_a_structure_of_the_road_passes_a_barrier(link, barred, tags, expected):
    assert link(barred(Town()).road(tags, SHORT)) == (LinkClass.LOCAL, expected, True, False)


@pytest.mark.parametrize(
    ("barred", "sign"),
    [
        (Town.wall, {"barrier": "gate"}),
        (Town.wall, {"barrier": "lift_gate"}),
        (Town.rail, {"railway": "level_crossing"}),
        (Town.rail, {"railway": "crossing"}),
    ],
)
def test_3_2_a_gate_or_level_crossing_passes_its_own_barrier(link, barred, sign):
    assert link(barred(Town()).road({}).sign(sign, (0, 5))) == LOCAL
    assert link(barred(Town()).road({}).sign(sign, (0, 40))) == BARRED  # too far to be its own
    other = {"barrier": "gate"} if "railway" in sign else {"railway": "level_crossing"}
    assert link(barred(Town()).road({}).sign(other, (0, 5))) == BARRED  # of another kind


def test_3_2_a_ford_passes_water(link):
    assert link(Town().river(-6, 6).road({}).sign({"ford": "yes"})) == LOCAL


@pytest.mark.parametrize(
    "harmless",
    [
        lambda: Town().rail(railway="tram"),
        lambda: Town().rail(railway="abandoned"),
        lambda: Town().rail(tunnel="yes", layer="-1"),
        lambda: Town().rail(layer="-1"),  # apart in height, though no tunnel is drawn
        lambda: Town().rail(layer="1"),
        lambda: Town().wall("fence"),
        lambda: Town().wall("retaining_wall"),
        lambda: Town().river(99, 140),  # 1 m in: the bank is touched
        lambda: Town().wall(across=-100),  # the road ends at the wall
        lambda: Town().river(tunnel="culvert"),
    ],
)
def test_3_2_what_does_not_stop_a_road(link, harmless):
    assert link(harmless().road({})) == LOCAL


def test_3_2_a_wall_that_ends_at_the_road_does_not_stop_it(link):
    town = Town().road({}, ((0, -100), (0, 10), (0, 100)))
    town.way(line((0, 10), (90, 10)), {"barrier": "wall"})
    assert link(town) == LOCAL


def test_3_2_the_outline_of_a_square_is_not_stopped_by_its_fountain(link):
    town = Town()
    town.outline(
        line((-50, -50), (50, -50), (50, 50), (-50, 50)), {"highway": "pedestrian", "area": "yes"}
    )
    town.outline(line((-60, -20), (-30, -20), (-30, 20), (-60, 20)), {"natural": "water"})
    assert link(town) == LOCAL


def test_3_2_a_barrier_beyond_the_two_hexes_does_not_matter(link):
    town = Town().road({}, ((0, -100), (0, 600)))
    assert link(town.rail(across=300)) == LOCAL
    assert link(Town().road({}, ((0, -100), (0, 600))).rail(across=120)) == BARRED
    assert link(Town().road({}, ((0, -600), (0, 100))).rail(across=-300)) == LOCAL


def test_3_2_a_zigzag_does_not_slip_past_a_barrier(link):
    zigzag = ((0, -100), (0, 20), (20, 20), (20, -20), (40, -20), (40, 100))
    assert link(Town().road({}, zigzag).rail(across=-60)) == BARRED


def test_3_2_the_bridge_between_its_approaches_links_the_banks(link):
    town = Town().river(-20, 20)
    town.road({}, ((0, -120), (0, -18)))  # 2 m into the water, as drawn in a hurry
    town.road({"bridge": "yes", "layer": "1"}, ((0, -18), (0, 22)))
    town.road({}, ((0, 22), (0, 120)))
    assert link(town) == (LinkClass.LOCAL, Structure.BRIDGE, True, False)


@pytest.mark.parametrize(
    ("standing", "barrier"),
    [
        (lambda: Town().river(), True),
        (lambda: Town().rail(across=50), True),
        (lambda: Town().wall("city_wall", across=-50), True),
        (lambda: Town().wall("fence"), False),
        (lambda: Town().rail(bridge="yes", layer="1"), False),
        (lambda: Town(), False),
    ],
)
def test_3_2_a_barrier_between_two_hexes_is_told_from_a_mere_lack_of_road(link, standing, barrier):
    town = standing().road({}, ((400, -300), (400, -290)))  # a road elsewhere
    assert link(town) == (BARRED if barrier else NOTHING)


def test_3_2_a_river_drawn_as_a_line_is_a_barrier_where_no_road_crosses(link):
    town = Town().road({}, ((400, -300), (400, -290)))
    town.way(line((-600, 0), (600, 0)), {"waterway": "river"})
    assert link(town) == BARRED
    assert link(town.road({})) == LOCAL


def test_3_2_water_over_most_of_the_edge_is_a_barrier(link):
    town = Town().road({}, ((400, -300), (400, -290)))
    town.outline(line((5, -5), (74, -5), (74, 5), (5, 5)), {"natural": "water"})
    assert link(town) == NOTHING  # 69 of 150 m, and the way from centre to centre is dry
    town.outline(line((-74, -5), (-5, -5), (-5, 5), (-74, 5)), {"natural": "water"})
    assert link(town) == BARRED


# --------------------------------------------------------------------------- 3.3 structures
@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ({"bridge": "viaduct"}, Structure.BRIDGE),
        ({"bridge": "no"}, Structure.ROAD),
        ({"tunnel": "yes"}, Structure.UNDERPASS),
        ({"tunnel": "building_passage"}, Structure.UNDERPASS),
        ({"tunnel": "no"}, Structure.ROAD),
        ({"covered": "yes", "layer": "-1"}, Structure.UNDERPASS),
        ({"covered": "yes"}, Structure.ROAD),
        ({"layer": "-1"}, Structure.ROAD),
    ],
)
def test_3_3_structure_by_the_tags_of_the_road(link, tags, expected):
    assert link(Town().road(tags, SHORT)) == (LinkClass.LOCAL, expected, True, False)


@pytest.mark.parametrize(("half_m", "expected"), [(74, Structure.UNDERPASS), (76, Structure.ROAD)])
def test_3_3_a_tunnel_over_150_m_lies_under_the_ground_not_in_a_bowl(link, half_m, expected):
    town = Town().road({"tunnel": "yes", "layer": "-1"}, ((0, -half_m), (0, half_m)))
    assert link(town) == (LinkClass.LOCAL, expected, True, False)


@pytest.mark.parametrize(("away", "expected"), [(0, True), (-59, True), (61, False)])
def test_3_3_under_a_railway_bridge_near_the_edge_is_an_underpass(link, away, expected):
    flag = Structure.UNDERPASS if expected else Structure.ROAD
    town = Town().road({}, ((0, -130), (0, 130))).rail(away, bridge="yes", layer="1")
    assert link(town) == (LinkClass.LOCAL, flag, True, False)


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ({}, Structure.ROAD),  # a street under a flyover does not dip
        ({"layer": "-1"}, Structure.UNDERPASS),
        ({"cutting": "yes"}, Structure.UNDERPASS),
    ],
)
def test_3_3_under_a_road_bridge_in_a_cutting_is_an_underpass(link, tags, expected):
    town = Town().road(tags)
    town.road({"highway": "primary", "bridge": "yes", "layer": "1"}, ((-70, 20), (70, 20)))
    assert link(town) == (LinkClass.LOCAL, expected, True, False)


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ([{"tunnel": "yes"}, {}], Structure.ROAD),
        ([{"tunnel": "yes"}, {"bridge": "yes"}, {}], Structure.BRIDGE),
        ([{"highway": "primary", "tunnel": "yes"}, {"bridge": "yes"}], Structure.UNDERPASS),
    ],
)
def test_3_3_the_flag_is_of_the_crossing_open_longest_at_the_best_class(link, others, expected):
    town = Town()
    for number, tags in enumerate(others):
        town.road(tags, ((10 * number, -50), (10 * number, 50)))
    assert link(town)[1] == expected


# --------------------------------------------------------------------------- 8.3, 7.4 lengths
def test_8_3_metres_of_roads_of_class_2_and_more(streets):
    town = Town().road({"highway": "tertiary"}, ((0, -40), (0, 25)))
    town.road({}, ((20, -40), (20, 25)))
    found = streets(town)
    assert found.road_m[[A, B]].tolist() == [40, 25]
    assert found.road_m.sum() == 65


def surface(tmp_path, town, pixel_m=20.0):
    grid = PixelGrid.under(ON, pixel_m)
    roads = read_osm(town.write(tmp_path / "town.osm")).roads
    return grid, road_surface_m2(grid, ON.crs, roads)


def test_7_4_road_surface_is_length_times_carriageway(tmp_path):
    town = Town().road({"highway": "primary"}, ((-300, -7), (200, 33)))
    grid, found = surface(tmp_path, town)
    assert found.dtype == np.float32
    assert found.shape == grid.shape
    assert found.sum() == pytest.approx(np.hypot(500, 40) * ROADS["primary"][1], rel=1e-4)
    assert found.max() <= 20 * np.sqrt(2) * ROADS["primary"][1]


@pytest.mark.parametrize(
    ("tags", "places", "counted"),
    [
        ({"bridge": "yes"}, ((0, -40), (0, 40)), False),
        ({"tunnel": "yes"}, ((0, -100), (0, 100)), False),
        ({"tunnel": "yes"}, ((0, -20), (0, 20)), True),
        ({"highway": "footway"}, ((0, -20), (0, 20)), False),
        ({"highway": "service", "service": "driveway"}, ((0, -20), (0, 20)), False),
    ],
)
def test_7_4_what_lies_on_the_ground(tmp_path, tags, places, counted):
    _, found = surface(tmp_path, Town().road(tags, places))
    assert bool(found.sum()) == counted


def test_7_4_lengths_by_pixel_match_shapely(tmp_path):
    rng = np.random.default_rng(4)
    town = Town()
    for _ in range(12):
        town.road({"highway": "service"}, rng.uniform(-700, 700, (4, 2)))
    grid, found = surface(tmp_path, town, pixel_m=50.0)
    roads = read_osm(tmp_path / "town.osm").roads.to_crs(ON.crs).geometry.to_numpy()
    x, y = grid.centres()
    boxes = shapely.box(x - 25, y - 25, x + 25, y + 25)
    length = sum(shapely.length(shapely.intersection(boxes, road)) for road in roads)
    np.testing.assert_allclose(found, length * ROADS["service"][1], atol=0.01)


# --------------------------------------------------------------------------- the exact walk
def meetings(walk):
    return {(int(a), int(b)) for a, b in zip(walk.line, walk.edge, strict=True)}


def oracle(on, lines):
    edges = shapely.linestrings(on.edge_ends)
    line, edge = shapely.STRtree(edges).query(lines, predicate="intersects")
    return {(int(a), int(b)) for a, b in zip(line, edge, strict=True)}


@pytest.mark.parametrize("seed", range(5))
def test_no_crossing_is_missed_nor_made_up_on_random_roads(seed):
    rng = np.random.default_rng(seed)
    on = Lattice.centred(Sheet(9, 8), -51.2, -30.0)
    west, south, east, north = on.bounds
    # far legs and short steps, some beyond the sheet
    starts = rng.uniform((west - 500, south - 500), (east + 500, north + 500), (400, 1, 2))
    steps = rng.normal(0, 1, (400, 12, 2)) * rng.choice([2, 20, 200, 2_000], (400, 1, 1))
    lines = shapely.linestrings(np.concatenate((starts, steps), axis=1).cumsum(axis=1))
    walk = Walk.along(on, lines)
    assert meetings(walk) == oracle(on, lines)
    hexes = shapely.polygons(on.corners)
    inside = sum(shapely.length(shapely.intersection(hexes, line)) for line in lines)
    np.testing.assert_allclose(walk.metres_by_hex(np.ones(400, bool)), inside, atol=0.51)


@pytest.mark.parametrize("seed", range(3))
def test_roads_through_corners_and_along_edges_end_and_miss_nothing(seed):
    rng = np.random.default_rng(seed)
    corners = ON.corners.reshape(-1, 2)
    lines = shapely.linestrings(corners[rng.integers(0, len(corners), (200, 5))])
    lines = lines[shapely.length(lines) > 0]
    walk = Walk.along(ON, lines)
    ends = shapely.linestrings(ON.edge_ends)
    line_, edge = shapely.STRtree(ends).query(lines, predicate="crosses")
    assert {(int(a), int(b)) for a, b in zip(line_, edge, strict=True)} <= meetings(walk)
    low, high = walk.pieces()
    assert (low <= walk.at_m + 1e-6).all()
    assert (high >= walk.at_m - 1e-6).all()


def test_no_road_gives_no_meeting():
    walk = Walk.along(ON, np.array([], dtype=object))
    assert walk.line.size == 0
    assert all(part.size == 0 for part in walk.pieces())


# --------------------------------------------------------------------------- dirty extracts
def test_a_road_that_no_projection_can_hold_is_left_out(tmp_path):
    town = OsmFile()
    x, y = Transformer.from_crs(ON.crs, "EPSG:4326", always_xy=True).transform(*MIDDLE)
    town.way([(x, y - 0.001), (x, y + 0.001)], {"highway": "residential"})
    town.way([(x, y), (-80.1, -89.9)], {"highway": "residential"})
    town.way([(100.0, 10.0), (100.0, 10.1)], {"highway": "residential"})
    found = streets_of(ON, read_osm(town.write(tmp_path / "town.osm")))
    assert found.link_class[EDGE] == LinkClass.LOCAL


def test_a_sheet_beside_the_roads_has_no_link(tmp_path):
    osm = read_osm(Town().road({}).write(tmp_path / "town.osm"))
    found = streets_of(Lattice.centred(Sheet(4, 4), 2.0, 48.0), osm)
    assert not found.link_class.any()
    assert [(d.reason, d.count) for d in found.dropped] == [("off the sheet", 1)]


# --------------------------------------------------------------------------- real towns
def real_sheet(name, within=None):
    path = DATA / name
    if not path.is_file():
        pytest.skip(f"no real data at ../shared/data/{name}")
    osm = read_osm(path)
    return osm, Lattice.centred(Sheet(44, 28), *busiest_place(osm, within=within))


def test_andorra_la_vella_links_follow_its_roads():
    osm, on = real_sheet("andorra_la_vella/andorra_la_vella.osm.pbf")
    lines = osm.roads.to_crs(on.crs).geometry.to_numpy()
    assert meetings(Walk.along(on, lines)) == oracle(on, lines)
    found = streets_of(on, osm)
    stopped = sum(d.count for d in found.dropped if d.reason.startswith("crossing"))
    assert stopped < 0.01 * found.counts["road crossings"]  # real streets survive the barriers
    assert found.counts["links on underpass"] > 0
    assert found.counts["links on bridge"] > 0
    assert (found.link_class > 0).sum() > 700
    assert not (found.barrier & found.foot).any()


def test_porto_alegre_has_a_dense_net_of_links():
    dem = (-51.25486, -30.10958, -51.14014, -29.99764)
    osm, on = real_sheet("porto_alegre/poa.osm.pbf", within=dem)
    found = streets_of(on, osm)
    share = np.bincount(found.link_class, minlength=5) / len(found.link_class)
    assert share[0] < 0.35
    assert share[3] > 0.04
    assert found.road_m.sum() > 400_000
