"""The design of the reference town and its files, before any builder reads them."""

import hashlib

import numpy as np
import osmium
import pytest
import rasterio
import shapely

from gis.lattice import Lattice
from gis.reference import REFERENCE_SEED, TOWN_LAT, TOWN_LON, design_town, draw_town
from gis.reference_chance import Chance
from gis.reference_fabric import fabric_counts
from gis.store import read_district, read_ground
from sim.district import Severity
from sim.hexes import Sheet
from sim.rules import HARBIN, HEX_AREA_HA, LINKS, TURNS, Fabric, LinkClass, Structure
from sim.water import flood
from sim.world import World

pytestmark = pytest.mark.xdist_group("reference")

OPEN_FABRICS = (Fabric.INDUSTRIAL, Fabric.PARK, Fabric.FARMLAND)


@pytest.fixture(scope="module")
def design(reference_town):
    return reference_town.design


@pytest.fixture(scope="module")
def other():
    return design_town("another town")


@pytest.fixture(params=["design", "other"])
def any_town(request):
    return request.getfixturevalue(request.param)


def test_1_2_the_sheet_is_laid_as_the_builder_lays_it(design):
    laid = Lattice.centred(Sheet(44, 28), TOWN_LON, TOWN_LAT)
    assert (design.lattice.x0, design.lattice.y0) == (laid.x0, laid.y0)
    assert design.lattice.crs == laid.crs


def test_1_2_just_968_hexes_are_active_and_in_one_piece(any_town):
    assert int(any_town.active.sum()) == 968
    board = any_town.plan.site.board
    cut = set(np.flatnonzero(any_town.link_class == LinkClass.NONE).tolist())
    pieces = board.pieces(set(np.flatnonzero(any_town.active).tolist()), cut)
    assert [len(piece) for piece in pieces] == [968]


@pytest.mark.parametrize("link", LinkClass)
def test_3_1_links_of_each_class_are_as_many_as_printed(any_town, link):
    assert int((any_town.link_class == link).sum()) == LINKS[link].reference_count


def test_2_all_fabrics_and_over_half_of_the_town_open_ground(any_town):
    counts = np.bincount(any_town.fabric[any_town.active], minlength=8)
    assert (counts > 0).all()
    assert counts[list(OPEN_FABRICS)].sum() > 968 / 2


def test_2_totals_are_the_printed_ones_within_one_per_cent(any_town):
    assert int(any_town.residents.sum()) == pytest.approx(422_100, rel=0.01)
    assert int(any_town.unshelterable.sum()) == pytest.approx(48_100, rel=0.01)
    assert not any_town.residents[~any_town.active].any()
    assert (any_town.unshelterable <= any_town.residents).all()


def test_2_no_hex_holds_more_than_its_fabric_gives(any_town):
    density = np.array([HARBIN[f].residents_per_ha for f in Fabric])[any_town.fabric]
    assert (any_town.residents <= np.ceil(density * HEX_AREA_HA)).all()
    assert (any_town.residents[any_town.active] >= 1).all()


@pytest.mark.parametrize("dry", [1.0, 0.97, 0.94])
def test_2_the_mix_of_fabrics_gives_the_totals(dry):
    counts = fabric_counts(dry)
    area = HEX_AREA_HA * dry
    people = {f: n * area * HARBIN[f].residents_per_ha for f, n in counts.items()}
    assert sum(counts.values()) == 968
    assert sum(people.values()) == pytest.approx(422_100, rel=0.001)
    kept = sum(n * float(HARBIN[f].unshelterable) for f, n in people.items())
    assert kept == pytest.approx(48_100, rel=0.001)


def test_5_the_printed_means_stand_each_on_its_own_active_hex(any_town):
    kinds = (
        any_town.shelters, any_town.stations, any_town.police_stations,
        any_town.technical_centres,
    )  # fmt: skip
    assert [len(kind) for kind in kinds] == [18, 12, 3, 2]
    cells = [cell for kind in kinds for cell in kind]
    assert len(set(cells)) == len(cells)
    assert any_town.active[cells].all()


def test_3_3_river_and_railway_have_bridges_and_underpasses(any_town):
    site, structure = any_town.plan.site, any_town.structure
    river, rail = list(site.river_edges), list(site.rail_edges)
    assert 8 <= int((structure[river] == Structure.BRIDGE).sum()) <= 16
    assert int((structure[rail] == Structure.UNDERPASS).sum()) >= 4
    assert (any_town.link_class[structure != Structure.ROAD] > 0).all()


def test_3_1_river_railway_lake_and_walls_are_barriers(any_town):
    site = any_town.plan.site
    followed = sorted(site.barrier_edges)
    shut = any_town.link_class[followed] == 0
    assert any_town.barrier[followed][shut & ~any_town.foot[followed]].all()
    sheet = site.board.sheet
    shore = [
        e for e, (a, b) in enumerate(sheet.edges.tolist())
        if (a in site.lake) is not (b in site.lake)
    ]  # fmt: skip
    assert any_town.barrier[shore].all()
    estates = any_town.plan.network.compounds
    assert len(estates) >= 5
    for estate in estates:
        border = {e for c in estate for e, n in site.board.edges_of[c] if n not in estate}
        gates = border & any_town.plan.network.gates
        assert gates
        assert any_town.barrier[sorted(border - gates)].all()
        assert (any_town.link_class[sorted(gates)] == LinkClass.LOCAL).all()


def test_a_barrier_forbids_what_no_way_crosses(any_town):
    assert not (any_town.barrier & any_town.foot).any()
    assert any_town.foot[any_town.link_class > 0].all()
    assert (any_town.foot & (any_town.link_class == 0)).any()  # footbridges and paths


def test_3_2_every_link_has_a_street_over_its_edge_and_no_other_has(any_town):
    ways = any_town.plan.streets.ways
    edges = shapely.linestrings(any_town.plan.site.board.edge_ends)
    tree = shapely.STRtree([shapely.linestrings(way.points) for way in ways])
    edge, way = tree.query(edges, predicate="intersects")
    found = np.zeros(len(edges), dtype=int)
    np.maximum.at(found, edge, np.array([w.link_class for w in ways])[way])
    assert np.array_equal(found, any_town.link_class)


def test_3_2_a_class_is_decided_well_inside_the_edge(any_town):
    ways = any_town.plan.streets.ways
    ends = any_town.plan.site.board.edge_ends
    for link in LinkClass:
        if link is LinkClass.NONE:
            continue
        of_class = [shapely.linestrings(w.points) for w in ways if w.link_class == link]
        inner = ends[:, :1] + np.array([0.05, 0.95])[None, :, None] * (ends[:, 1:] - ends[:, :1])
        tree = shapely.STRtree(of_class)
        met = set(tree.query(shapely.linestrings(inner), predicate="intersects")[0].tolist())
        missed = set(np.flatnonzero(any_town.link_class == link).tolist()) - met
        assert missed == set()


def test_another_seed_gives_another_town(design, other):
    assert (design.link_class != other.link_class).sum() > 500
    assert (design.fabric != other.fabric).sum() > 200
    assert set(design.shelters) != set(other.shelters)


def test_19_the_same_seed_gives_the_same_bytes(reference_town, tmp_path):
    again = draw_town(design_town(REFERENCE_SEED), tmp_path)
    digests = [hashlib.sha256(p.read_bytes()).hexdigest() for p in again]
    first = (reference_town.osm, reference_town.dem)
    assert digests == [hashlib.sha256(p.read_bytes()).hexdigest() for p in first]


def test_the_extract_is_whole_and_of_a_size_to_carry(reference_town):
    path = reference_town.osm
    assert path.stat().st_size < 3_000_000
    seen = {"n": set(), "w": set(), "r": set()}
    for item in osmium.FileProcessor(str(path)):
        kind = item.type_str()
        assert item.id not in seen[kind]
        assert item.version == 1
        seen[kind].add(item.id)
        if kind == "w":
            assert 2 <= len(item.nodes) <= 2_000
            assert {n.ref for n in item.nodes} <= seen["n"]
    with osmium.io.Reader(str(path), osmium.osm.NOTHING) as reader:
        assert reader.header().box().valid()


def test_streets_share_nodes_where_they_meet(reference_town):
    used: dict[int, int] = {}
    for way in osmium.FileProcessor(str(reference_town.osm), osmium.osm.WAY):
        if "highway" in way.tags:
            for ref in {n.ref for n in way.nodes}:
                used[ref] = used.get(ref, 0) + 1
    assert sum(count > 1 for count in used.values()) > 3_000


def test_7_8_the_dem_covers_the_sheet_with_a_margin_and_has_no_void(reference_town, design):
    west, south, east, north = design.lattice.bounds
    with rasterio.open(reference_town.dem) as dem:
        assert dem.crs.to_epsg() == design.lattice.crs.to_epsg()
        assert dem.dtypes == ("float32",)
        assert 10 <= dem.res[0] <= 15
        low, bottom, high, top = dem.bounds
        assert low < west - 500
        assert bottom < south - 500
        assert high > east + 500
        assert top > north + 500
        height = dem.read(1)
    assert np.isfinite(height).all()
    assert 100 < height.min() < height.max() < 300


@pytest.mark.parametrize(
    ("severity", "least", "most"),
    [
        (Severity(1, 1.0, 1.0, 0.0), 0.0, 0.03),  # literal
        (Severity(5, 100.0, 0.0, 1.0), 0.36, 0.46),  # all that the ground allows
    ],
    ids=["one year, drains at work", "hundred years on soaked ground, drains failed"],
)
def test_7_6_the_ground_allows_two_fifths_to_be_threatened(reference_town, severity, least, most):
    district, ground = read_district(reference_town.pack), read_ground(reference_town.pack)
    water = flood(district, ground, severity).depth_mm
    world = World(district, water, severity.level, "00" * 16, hour=3, turns=TURNS)
    share = district.unshelterable[world.threatened].sum() / district.unshelterable.sum()
    assert least <= share <= most


def test_draws_do_not_depend_on_how_they_are_taken():
    one, other = Chance("test", 1), Chance("test", 1)
    assert [one.one() for _ in range(700)] == [other.between(0, 1) for _ in range(700)]
    assert sorted(Chance("test", 2).shuffled(list(range(50)))) == list(range(50))
    assert Chance("test", 1).one() != Chance("test", "1").one()
