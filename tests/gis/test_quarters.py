from time import perf_counter

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from gis.activity import active_hexes, pieces_of, ways_between
from gis.quarters import (
    DIRECTIONS,
    LEAST_HEXES,
    MOST_HEXES,
    PlaceName,
    StreetName,
    crossings,
    place_names_of,
    quarters_of,
    street_names_of,
    unlikeness,
)
from sim.errors import DistrictError
from sim.hexes import Sheet
from sim.rules import Fabric
from tests.gis.osm_files import lattice
from tests.gis.towns import point, town

SHEET = Sheet(16, 12)
N, EDGES = SHEET.n_hexes, SHEET.n_edges
PEOPLE = np.full(N, 100, np.int32)
NO_BARRIER = np.zeros(EDGES, bool)
ALL = np.ones(N, bool)


def patchwork(rng, sheet=SHEET, patches=14):
    """Fabric by the nearest of some seeds, with a tenth of the hexes changed at random."""
    seeds = rng.choice(sheet.n_hexes, patches, replace=False)
    nearest = np.argmin([sheet.distances_from(int(s)) for s in seeds], axis=0)
    fabric = rng.integers(0, len(Fabric), patches)[nearest]
    strays = rng.random(sheet.n_hexes) < 0.1
    return np.where(strays, rng.integers(0, len(Fabric), sheet.n_hexes), fabric).astype(np.int8)


def river(sheet, row, bridges):
    """Edges below a row of hexes: links, and barriers, with bridges at some columns."""
    low, high = sheet.edges.T
    north, south = low % sheet.rows, high % sheet.rows
    column_low, column_high = low // sheet.rows, high // sheet.rows
    # a wavy line between hexes whose height, in half hexes, lies above or below the row's foot
    height_low = 2 * north + column_low % 2
    height_high = 2 * south + column_high % 2
    over = (height_low <= 2 * row) != (height_high <= 2 * row)
    links = np.ones(sheet.n_edges, np.int8)
    bridged = over & np.isin(column_low, bridges) & (column_low == column_high)
    links[over & ~bridged] = 0
    return links, over & ~bridged


@settings(max_examples=25)
@given(number=st.integers(0, 10**6), links_missing=st.floats(0, 0.45), holes=st.floats(0, 0.3))
def test_9_3_quarters_are_in_one_piece_of_twelve_to_thirty_hexes(number, links_missing, holes):
    rng = np.random.default_rng(number)
    links = (rng.random(EDGES) >= links_missing).astype(np.int8)
    built = rng.random(N) >= holes
    try:
        active, _ = active_hexes(SHEET, built, PEOPLE, np.zeros(N), links)
    except DistrictError:
        return
    quarter, names = quarters_of(SHEET, active, patchwork(rng), links, NO_BARRIER, PEOPLE)

    assert ((quarter >= 0) == active).all()
    assert np.unique(quarter[active]).tolist() == list(range(len(names)))
    ways = ways_between(SHEET, active, links > 0)
    for number_of, size in enumerate(np.bincount(quarter[active])):
        member = quarter == number_of
        part = pieces_of(SHEET, member, links > 0)
        joined = {
            frozenset((int(part[w.a]), int(part[w.b]))) for w in ways if member[w.a] and member[w.b]
        }
        assert reach_all(int(part.max()) + 1, joined)
        assert size >= min(LEAST_HEXES, int(active.sum()))
        # beyond thirty only where a lone road through the piece leaves no cut
        assert size <= MOST_HEXES + LEAST_HEXES


def reach_all(count, joined):
    reached = {0}
    while more := {b for pair in joined for b in pair if pair & reached} - reached:
        reached |= more
    return len(reached) == count


@pytest.mark.parametrize("number", range(6))
def test_9_3_on_a_town_of_streets_every_quarter_holds_twelve_to_thirty(number):
    rng = np.random.default_rng(number)
    links = (rng.random(EDGES) < 0.85).astype(np.int8)
    active, _ = active_hexes(SHEET, rng.random(N) < 0.9, PEOPLE, np.zeros(N), links)
    quarter, _ = quarters_of(SHEET, active, patchwork(rng), links, NO_BARRIER, PEOPLE)
    sizes = np.bincount(quarter[active])
    assert sizes.min() >= LEAST_HEXES
    assert sizes.max() <= MOST_HEXES


def test_9_3_no_quarter_reaches_over_a_river_without_a_bridge():
    links, barrier = river(SHEET, row=5, bridges=[])
    # two banks: each is cut by itself
    quarter, _ = quarters_of(SHEET, ALL, np.zeros(N, np.int8), links, barrier, PEOPLE)
    bank = pieces_of(SHEET, ALL, links > 0)
    assert bank.max() == 1
    for number in range(int(quarter.max()) + 1):
        assert len(np.unique(bank[quarter == number])) == 1


def test_9_3_a_bridge_tempts_no_quarter_over_a_river_where_both_banks_have_room():
    links, barrier = river(SHEET, row=5, bridges=[4, 11])
    banks = pieces_of(SHEET, ALL, np.where(barrier | crossings(SHEET, barrier), 0, links) > 0)
    quarter, _ = quarters_of(SHEET, ALL, np.zeros(N, np.int8), links, barrier, PEOPLE)
    both = sum(
        len(np.unique(banks[quarter == number])) > 1 for number in range(int(quarter.max()) + 1)
    )
    assert both == 0


def test_a_bridge_is_an_edge_that_a_line_of_barriers_runs_into():
    _, whole = river(SHEET, row=5, bridges=[])
    _, barrier = river(SHEET, row=5, bridges=[4, 11])
    bridges = whole & ~barrier
    assert bridges.sum() == 2
    assert (crossings(SHEET, barrier) == bridges).all()


def test_9_3_borders_follow_the_fabric():
    fabric = np.where(np.arange(N) // SHEET.rows < 7, Fabric.OLD_TOWN, Fabric.FARMLAND)
    fabric = fabric.astype(np.int8)
    links = np.ones(EDGES, np.int8)
    quarter, _ = quarters_of(SHEET, ALL, fabric, links, NO_BARRIER, PEOPLE)
    for number in range(int(quarter.max()) + 1):
        assert len(np.unique(fabric[quarter == number])) == 1


def test_9_3_strays_join_the_quarter_around_them():
    fabric = np.full(N, Fabric.SLAB_BLOCKS, np.int8)
    fabric[SHEET.index_of("0806")] = Fabric.PARK
    quarter, _ = quarters_of(SHEET, ALL, fabric, np.ones(EDGES, np.int8), NO_BARRIER, PEOPLE)
    assert np.bincount(quarter).min() >= LEAST_HEXES


def test_9_3_quarters_are_compact():
    quarter, _ = quarters_of(
        SHEET, ALL, np.zeros(N, np.int8), np.ones(EDGES, np.int8), NO_BARRIER, PEOPLE
    )
    for number in range(int(quarter.max()) + 1):
        cells = np.flatnonzero(quarter == number)
        across = max(int(SHEET.distances_from(int(c))[cells].max()) for c in cells)
        assert across <= 9  # a disk of 19 is 4 across, a ribbon of 19 is 18


def test_9_3_an_islet_is_a_quarter_however_small():
    active = np.zeros(N, bool)
    active[:5] = True
    fabric = np.zeros(N, np.int8)
    quarter, names = quarters_of(SHEET, active, fabric, np.ones(EDGES, np.int8), NO_BARRIER, PEOPLE)
    assert quarter[:5].tolist() == [0] * 5
    assert names == ("Centre",)


def test_19_quarters_depend_on_nothing_but_the_ground():
    rng = np.random.default_rng(3)
    fabric, links = patchwork(rng), (rng.random(EDGES) < 0.8).astype(np.int8)
    active, _ = active_hexes(SHEET, ALL, PEOPLE, np.zeros(N), links)
    first = quarters_of(SHEET, active, fabric, links, NO_BARRIER, PEOPLE)
    again = quarters_of(SHEET, active, fabric, links, NO_BARRIER, PEOPLE)
    assert (first[0] == again[0]).all()
    assert first[1] == again[1]
    lowest = [int(np.flatnonzero(first[0] == q)[0]) for q in range(len(first[1]))]
    assert lowest == sorted(lowest)


def test_a_whole_sheet_is_cut_at_once():
    sheet = Sheet(44, 28)
    rng = np.random.default_rng(5)
    fabric = patchwork(rng, sheet, 60)
    links = (rng.random(sheet.n_edges) < 0.8).astype(np.int8)
    people = np.full(sheet.n_hexes, 100, np.int32)
    active, _ = active_hexes(
        sheet, np.ones(sheet.n_hexes, bool), people, np.zeros(sheet.n_hexes), links
    )
    start = perf_counter()
    quarters_of(sheet, active, fabric, links, np.zeros(sheet.n_edges, bool), people)
    assert perf_counter() - start < 5  # 0.3 s on an idle machine


# --------------------------------------------------------------------------- names
def test_a_quarter_is_named_by_its_best_place_then_by_people():
    people = PEOPLE.copy()
    people[1] = 900
    places = [
        PlaceName(0, "town", "Grande Ville"),
        PlaceName(0, "suburb", "Peu Peuplé"),
        PlaceName(1, "suburb", "Très Peuplé"),
        PlaceName(N - 1, "suburb", "Très Peuplé"),
        PlaceName(5, "island", "Île"),
    ]
    fabric = np.full(N, Fabric.PARK, np.int8)
    quarter, names = quarters_of(
        SHEET, ALL, fabric, np.ones(EDGES, np.int8), NO_BARRIER, people, places
    )
    assert names[quarter[1]] == "Très Peuplé"
    assert names[quarter[N - 1]] == "Très Peuplé 2"
    assert len(set(names)) == len(names)


def named_by(streets, lang="fr", places=()):
    """Names of the four quarters of an even town, and where each lies."""
    fabric, links = np.full(N, Fabric.OLD_TOWN, np.int8), np.ones(EDGES, np.int8)
    return quarters_of(SHEET, ALL, fabric, links, NO_BARRIER, PEOPLE, places, streets, lang)


def test_a_quarter_without_a_place_bears_the_name_of_its_main_street():
    quarter, _ = named_by(())
    first, last = int(quarter[0]), int(quarter[N - 1])
    inside = np.flatnonzero(quarter == first)
    streets = [
        *(StreetName(int(c), "Avenida Ipiranga", 120.0) for c in inside),
        StreetName(N - 1, "Avenida Ipiranga", 500.0),  # it names the quarter that holds most of it
        StreetName(N - 1, "Rua da Praia", 400.0),
        StreetName(N - 2, "Beco", 200.0),  # too short
    ]
    _, names = named_by(streets)
    assert names[first] == "Av. Ipiranga"
    assert names[last] == "Rua da Praia"
    place = PlaceName(0, "suburb", "Centro")
    assert named_by(streets, places=[place])[1][first] == "Centro"


@pytest.mark.parametrize("lang", DIRECTIONS)
def test_a_quarter_without_place_or_street_is_named_by_where_it_lies(lang):
    quarter, names = named_by((), lang)
    words = DIRECTIONS[lang]
    north_west, south_east = (words[0], words[7], words[6]), words[2:5]
    assert names[quarter[0]].startswith(north_west)
    assert names[quarter[N - 1]].startswith(south_east)
    assert len(set(names)) == len(names)


def test_streets_are_read_from_an_extract_by_hex_longer_for_an_avenue():
    on = lattice()
    x, y = on.centres[on.sheet.index_of("0203")]

    def road(highway, name, metres):
        line = shapely.LineString([(x, y), (x + metres, y)])
        return (line, {"highway": highway, "name": name})

    roads = [
        road("residential", "Gasse", 40),
        road("residential", "Gasse", 20),
        road("primary", "Allee", 50),
        road("service", "Hof", 60),
        road("residential", "", 60),
    ]
    cell = on.sheet.index_of("0203")
    found = street_names_of(on, town(on, roads=roads))
    assert [(s.cell, s.name, round(s.weight, 3)) for s in found] == [
        (cell, "Allee", 150.0),
        (cell, "Gasse", 60.0),
    ]
    assert street_names_of(on, town(on)) == ()


def test_places_are_read_from_an_extract():
    on = lattice()
    places = [
        (point(on, "0203"), {"kind": "place=suburb", "name": "Weende"}),
        (point(on, "0203"), {"kind": "place=square", "name": "Markt"}),
        (point(on, "0204"), {"kind": "amenity=school", "name": "Schule"}),
        (point(on, "0302"), {"kind": "place=hamlet", "name": ""}),
        (point(on, "0101", -5_000), {"kind": "place=suburb", "name": "Geismar"}),
    ]
    found = place_names_of(on, town(on, places_of_use=places))
    assert found == (PlaceName(on.sheet.index_of("0203"), "suburb", "Weende"),)


def test_unlikeness_is_a_measure():
    for a in Fabric:
        assert unlikeness(a, a) == 0
        assert all(unlikeness(a, b) == unlikeness(b, a) > 0 for b in Fabric if b != a)
    assert unlikeness(Fabric.PARK, Fabric.FARMLAND) == 1
    assert unlikeness(Fabric.OLD_TOWN, Fabric.PARK) == 2
