from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gis import facilities as module
from gis.facilities import (
    WET_M,
    Facilities,
    _hops,
    _p_median,
    blocks_of,
    facilities_of,
    scaled,
    shared_out,
)
from sim.errors import DistrictError
from sim.hexes import Sheet
from sim.rules import LEAST_MEANS, REFERENCE_INHABITANTS, SHELTER_PLACES
from tests.gis.osm_files import lattice
from tests.gis.towns import point, town

ON = lattice(9, 8)
SHEET = ON.sheet
N, EDGES = SHEET.n_hexes, SHEET.n_edges
ALL, FLAT = np.ones(N, bool), np.zeros(N)
LOCAL, FOOT = np.ones(EDGES, np.int8), np.ones(EDGES, bool)


def people(count=100):
    return np.full(N, count, np.int32)


def placed(places=(), active=ALL, residents=None, low_m=FLAT, links=LOCAL, foot=FOOT, **more):
    residents = people() if residents is None else residents
    osm = town(ON, places_of_use=list(places))
    return facilities_of(ON, osm, active, residents, residents // 10, links, foot, low_m, **more)


def place(label, kind="amenity=school", name=""):
    return (point(ON, label), {"kind": kind, "name": name})


def labels(facilities):
    return [SHEET.label(f.cell) for f in facilities]


# --------------------------------------------------------------------------- 5.2 how many
@pytest.mark.parametrize(
    ("residents", "counts"),
    [
        (REFERENCE_INHABITANTS, (18, 12, 3, 2)),
        (2 * REFERENCE_INHABITANTS, (36, 24, 6, 4)),
        (544_247, (23, 15, 4, 3)),
        (10_000, (6, 6, 1, 1)),
    ],
)
def test_5_2_counts_scale_with_the_active_population_down_to_the_least(residents, counts):
    each = np.zeros(N, np.int32)
    each[:] = residents // N
    each[0] += residents - each.sum()
    found = placed(residents=each)
    kinds = (found.shelters, found.stations, found.police_stations, found.technical_centres)
    assert tuple(map(len, kinds)) == counts


def test_5_2_people_out_of_play_count_for_nothing():
    active = ALL.copy()
    active[N // 2 :] = False
    residents = people(30_000)
    residents[active] = 10
    assert len(placed(active=active, residents=residents).shelters) == LEAST_MEANS.shelters


@given(residents=st.integers(0, 10**7))
def test_5_2_scaling_rounds_to_the_nearest(residents):
    exact = 18 * residents / REFERENCE_INHABITANTS
    assert abs(scaled(18, 0, residents) - exact) <= 0.5


def test_5_a_shelter_holds_1800_and_has_a_hex_of_its_own():
    found = placed()
    assert {s.places for s in found.shelters} == {SHELTER_PLACES}
    assert len({s.cell for s in found.shelters}) == len(found.shelters)


# --------------------------------------------------------------------------- 5.2 shelters
SIX = ("0101", "0203", "0505", "0606", "0802", "0908")


def test_5_2_as_many_candidates_as_wanted_are_all_taken_low_ground_or_not():
    wet = FLAT.copy()
    wet[[SHEET.index_of(label) for label in SIX[:3]]] = 5.0
    found = placed([place(label, name=f"École {label}") for label in SIX], low_m=wet)
    assert labels(found.shelters) == list(SIX)
    assert [s.name for s in found.shelters] == [f"École {label}" for label in SIX]
    assert (found.report.shelters.mapped, found.report.shelters.completed) == (6, 0)


def test_5_2_with_more_candidates_the_low_ones_go_first():
    wet = FLAT.copy()
    wet[SHEET.index_of("0505")] = WET_M
    found = placed([place(label) for label in (*SIX, "0506")], low_m=wet)
    assert labels(found.shelters) == ["0101", "0203", "0506", "0606", "0802", "0908"]
    assert (found.report.shelters.low, found.report.shelters.left) == (1, 0)


def test_5_2_then_those_that_shorten_the_mean_walk_least():
    crowd = ("0101", "0102", "0201", "0202")  # four schools side by side
    found = placed([place(label) for label in (*crowd, "0108", "0505", "0901", "0908", "0506")])
    assert len(set(labels(found.shelters)) & set(crowd)) == 1
    assert found.report.shelters.left == 3


def test_5_2_missing_shelters_are_completed_on_dry_populated_hexes():
    wet = np.full(N, 1.0)
    dry = [SHEET.index_of(label) for label in ("0301", "0304", "0307", "0701", "0704", "0707")]
    wet[dry] = 0.0
    found = placed([place("0101", name="Collège")], low_m=wet)
    assert found.shelters[0].name == "Collège"
    assert {s.cell for s in found.shelters[1:]} <= set(dry)
    assert [s.name for s in found.shelters[1:]] == [
        f"Abri {label}" for label in labels(found.shelters[1:])
    ]
    assert found.report.shelters.completed == 5


def test_5_2_a_school_that_the_population_file_tells_comes_before_any_other_hex():
    school = np.zeros(N, bool)
    school[[SHEET.index_of(label) for label in (*SIX, "0507")]] = True
    found = placed(school=school)
    assert set(labels(found.shelters)) <= {*SIX, "0507"}


@pytest.mark.parametrize(
    "kind",
    [
        *("amenity=school", "amenity=college", "amenity=university", "amenity=townhall"),
        *("amenity=community_centre", "leisure=sports_hall", "building=sports_hall"),
        *("leisure=sports_centre", "amenity=theatre"),
    ],
)
def test_5_2_schools_halls_and_the_like_shelter(kind):
    found = placed([place("0403", kind, "Halle")])
    assert "Halle" in {s.name for s in found.shelters}


@pytest.mark.parametrize("kind", ["amenity=shelter", "amenity=kindergarten", "amenity=bar"])
def test_5_2_a_bus_shelter_is_none(kind):
    found = placed([place("0403", kind, "Halle")])
    assert "Halle" not in {s.name for s in found.shelters}
    assert found.report.shelters.mapped == 0


def test_5_2_a_sports_ground_serves_only_where_schools_are_too_few():
    schools = [place(label) for label in SIX]
    ground = place("0504", "leisure=sports_centre", "Stade")
    assert "Stade" not in {s.name for s in placed([*schools, ground]).shelters}
    assert "Stade" in {s.name for s in placed([*schools[1:], ground]).shelters}


def test_5_2_one_shelter_a_hex_the_best_kind_names_it_and_places_out_of_play_are_counted():
    active = ALL.copy()
    active[SHEET.index_of("0908")] = False
    places = [
        place("0403", "amenity=townhall", "Mairie"),
        place("0403", "amenity=school", "École"),
        place("0403", "amenity=school"),
        place("0908", "amenity=school", "Loin"),
        (point(ON, "0101", -9_000), {"kind": "amenity=school", "name": "Hors plan"}),
    ]
    found = placed(places, active=active)
    names = {s.name for s in found.shelters}
    assert "École" in names
    assert not {"Mairie", "Loin", "Hors plan"} & names
    report = found.report.shelters
    assert (report.mapped, report.inactive, report.shared) == (4, 1, 2)


# --------------------------------------------------------------------------- stations, bases
def test_5_2_mapped_stations_first_then_the_lowest_ground_spread_apart():
    low = FLAT.copy()
    for depth, label in enumerate(("0302", "0303", "0707", "0802"), start=1):
        low[SHEET.index_of(label)] = depth
    mapped = place("0108", "man_made=monitoring_station", "Pont")
    found = placed([mapped], low_m=low)
    assert "Pont" in {s.name for s in found.stations}
    assert {"0802", "0707", "0303"} <= set(labels(found.stations))
    assert "0302" not in labels(found.stations)  # beside a lower one
    apart = [SHEET.distance(a.cell, b.cell) for a, b in combinations(found.stations, 2)]
    assert min(apart) >= 3


def test_5_2_as_many_mapped_stations_as_wanted_are_all_taken():
    kind = "man_made=monitoring_station"
    low = np.arange(N, dtype=float)
    found = placed([place(label, kind, f"S{label}") for label in SIX], low_m=low)
    assert labels(found.stations) == list(SIX)


def test_5_2_bases_are_mapped_ones_and_else_stand_on_larger_roads():
    links = LOCAL.copy()
    avenue = SHEET.edges[: SHEET.rows - 1]
    links[: SHEET.rows - 1] = 2
    found = placed(links=links)
    assert found.police_stations[0].cell in set(avenue.ravel().tolist())
    assert found.technical_centres[0].cell in set(avenue.ravel().tolist())
    mapped = [
        place("0707", "amenity=police", "Commissariat"),
        place("0606", "landuse=depot", "Dépôt"),
        place("0808", "amenity=fire_station", "Pompiers"),
    ]
    found = placed(mapped, links=links)
    assert [f.name for f in found.police_stations] == ["Commissariat"]
    assert [f.name for f in found.technical_centres] == ["Pompiers"]
    found = placed(mapped[:2], links=links)
    assert [f.name for f in found.technical_centres] == ["Dépôt"]


def test_5_2_too_few_populated_hexes_are_refused():
    active = np.zeros(N, bool)
    active[:5] = True
    with pytest.raises(DistrictError, match=r"only 5 hexes are populated.*6 shelters"):
        placed(active=active)


@settings(max_examples=25)
@given(number=st.integers(0, 10**6))
def test_5_2_whatever_is_mapped_the_counts_are_met_on_hexes_in_play(number):
    rng = np.random.default_rng(number)
    active = rng.random(N) < 0.8
    residents = np.where(active, rng.integers(1, 12_000, N), 0).astype(np.int32)
    kinds = (
        *("amenity=school", "amenity=townhall", "amenity=police", "amenity=fire_station"),
        *("man_made=monitoring_station", "landuse=depot"),
    )
    cells = rng.integers(0, N, rng.integers(0, 40))
    places = [place(SHEET.label(int(c)), kinds[int(rng.integers(len(kinds)))]) for c in cells]
    links = rng.integers(0, 4, EDGES).astype(np.int8)
    low = rng.random(N)
    one, two = (placed(p, active, residents, low, links, links > 0) for p in (places, places[::-1]))
    assert one == two  # the order of the file does not matter
    check_counts(one, active, int(residents.sum()))


def check_counts(found: Facilities, active, residents):
    for facilities, report in (
        (found.shelters, found.report.shelters),
        (found.stations, found.report.stations),
        (found.police_stations, found.report.police_stations),
        (found.technical_centres, found.report.technical_centres),
    ):
        cells = [f.cell for f in facilities]
        assert len(set(cells)) == len(cells) == report.wanted
        assert active[cells].all()
        assert cells == sorted(cells)
        taken = report.mapped - report.inactive - report.shared - report.low - report.left
        assert taken + report.completed == report.wanted
    assert len(found.shelters) == scaled(18, 6, residents)


# --------------------------------------------------------------------------- the search
def test_hops_follow_open_ways_only():
    ways = SHEET.neighbours.astype(np.int32)
    start = SHEET.index_of("0504")
    assert (_hops(ways, np.array([start]))[0] == SHEET.distances_from(start)).all()
    shut = ways.copy()
    shut[start] = -1
    shut[shut == start] = -1
    hops = _hops(shut, np.array([start]))[0]
    assert hops[start] == 0
    assert (np.delete(hops, start) == N).all()


@settings(max_examples=30)
@given(number=st.integers(0, 10**6), fixed=st.integers(0, 2))
def test_exchanges_come_close_to_the_best_of_all_choices(number, fixed):
    rng = np.random.default_rng(number)
    places = rng.random((30, 2)) * 100
    candidates = rng.random((9, 2)) * 100
    apart = np.abs(candidates[:, None] - places).sum(axis=2).astype(np.int32)
    weight = rng.integers(1, 50, 30).astype(float)

    def walk(rows):
        return float(apart[list(rows)].min(axis=0) @ weight)

    chosen = _p_median(apart, weight, 4, fixed)
    assert set(range(fixed)) <= set(chosen.tolist())
    every = [c for c in combinations(range(9), 4) if set(range(fixed)) <= set(c)]
    best = min(map(walk, every))
    # no single exchange helps, and that is near the optimum
    for out in set(chosen.tolist()) - set(range(fixed)):
        for new in set(range(9)) - set(chosen.tolist()):
            assert walk(set(chosen.tolist()) - {out} | {new}) >= walk(chosen) - 1e-6
    assert walk(chosen) <= 1.25 * best


# --------------------------------------------------------------------------- large sheets
@pytest.mark.parametrize(("columns", "rows"), [(44, 28), (40, 32), (83, 72), (155, 155), (2, 999)])
def test_a_large_sheet_is_cut_into_blocks_of_about_the_usual_size(columns, rows):
    block = blocks_of(Sheet(columns, rows))
    sizes = np.bincount(block)
    assert sizes.max() <= module.BLOCK_HEXES
    assert sizes.min() > 0.4 * min(module.BLOCK_HEXES, columns * rows)
    assert (len(sizes) == 1) == (columns * rows <= module.BLOCK_HEXES)


@given(number=st.integers(0, 10**6))
def test_places_are_shared_by_people_within_what_each_block_holds_and_has_room_for(number):
    rng = np.random.default_rng(number)
    room = rng.integers(0, 12, 6)
    held = rng.integers(0, room + 1)
    wanted = int(rng.integers(held.sum(), room.sum() + 1))
    people = rng.integers(0, 1_000, 6).astype(float)
    quota = shared_out(people, held, room, wanted)
    assert quota.sum() == wanted
    assert (held <= quota).all()
    assert (quota <= room).all()


def test_5_2_blocks_change_nothing_but_a_little_of_the_mean_walk(monkeypatch):
    on = lattice(20, 16)
    n, rng = on.sheet.n_hexes, np.random.default_rng(7)
    active = rng.random(n) < 0.9
    residents = np.where(active, rng.integers(500, 6_000, n), 0).astype(np.int32)
    links = rng.integers(0, 4, on.sheet.n_edges).astype(np.int8)
    schools = [(point(on, on.sheet.label(int(c))), {"kind": "amenity=school"}) for c in (3, 150)]

    def found(mapped):
        osm = town(on, places_of_use=mapped)
        low = np.zeros(n)
        return facilities_of(on, osm, active, residents, residents // 10, links, links > 0, low)

    def mean_walk(found):
        ways = np.where(
            (on.sheet.edge_across >= 0) & (links > 0)[on.sheet.edge_across],
            on.sheet.neighbours,
            -1,
        ).astype(np.int32)
        walks = _hops(ways, np.array([s.cell for s in found.shelters])).min(axis=0)
        return float(np.minimum(walks, 40) @ residents / residents.sum())

    whole = found(schools)
    monkeypatch.setattr(module, "BLOCK_HEXES", 90)
    assert blocks_of(on.sheet).max() == 3
    cut = found(schools)
    assert len(cut.shelters) == len(whole.shelters)
    assert {c for c in (3, 150) if active[c]} <= {s.cell for s in cut.shelters}
    assert mean_walk(cut) <= 1.05 * mean_walk(whole)
