"""Shortest paths against an oracle that knows nothing of buckets."""

import heapq

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sim.hexes import Sheet
from sim.paths import UNREACHED, reachable, route_edges, shortest_paths


def oracle(sheet, cost, places):
    """(distance, place, next hex) by a heap of whole labels: nearest, lower place, lower hex."""
    edge = {(int(a), int(b)): int(c) for (a, b), c in zip(sheet.edges, cost, strict=True)}
    best = {}
    heap = [(0, number, UNREACHED, cell) for number, cell in enumerate(places)]
    while heap:
        distance, place, following, cell = heapq.heappop(heap)
        if cell in best:
            continue
        best[cell] = (distance, place, following)
        for other in sheet.neighbours[cell].tolist():
            step = edge.get((min(cell, other), max(cell, other)), 0) if other >= 0 else 0
            if step:
                heapq.heappush(heap, (distance + step, place, cell, other))
    return [best.get(cell, (UNREACHED,) * 3) for cell in range(sheet.n_hexes)]


@st.composite
def searches(draw):
    sheet = Sheet(draw(st.integers(1, 7)), draw(st.integers(1, 7)))
    cost = draw(st.lists(st.integers(0, 9), min_size=sheet.n_edges, max_size=sheet.n_edges))
    places = draw(st.lists(st.integers(0, sheet.n_hexes - 1), max_size=4))
    return sheet, np.array(cost, np.int32), places


@given(searches())
def test_distances_places_and_ties_are_those_of_the_oracle(search):
    sheet, cost, places = search
    paths = shortest_paths(sheet, cost, places)
    found = list(
        zip(paths.distance.tolist(), paths.place.tolist(), paths.next_hex.tolist(), strict=True)
    )
    assert found == oracle(sheet, cost, places)


@given(searches())
def test_a_route_leads_to_its_place_at_its_distance(search):
    sheet, cost, places = search
    paths = shortest_paths(sheet, cost, places)
    cells = np.flatnonzero(paths.distance >= 0)
    for cell, route in zip(cells.tolist(), route_edges(paths, cells), strict=True):
        here = cell
        for edge in route:
            a, b = sheet.edges[edge].tolist()
            assert here in (a, b)
            here = a + b - here
        assert here == places[paths.place[cell]]
        assert sum(cost[list(route)]) == paths.distance[cell]


@given(searches())
def test_the_way_of_one_hex_is_the_one_found_for_all(search):
    sheet, cost, places = search
    whole = shortest_paths(sheet, cost, places)
    for cell in range(sheet.n_hexes):
        alone = shortest_paths(sheet, cost, places, cell)
        assert alone.distance[cell] == whole.distance[cell]
        assert route_edges(alone, [cell]) == route_edges(whole, [cell])


def test_nothing_to_reach_is_a_result_not_a_hang():
    sheet = Sheet(3, 3)
    assert not reachable(sheet, np.ones(sheet.n_edges, np.int32), []).any()
    alone = reachable(sheet, np.zeros(sheet.n_edges, np.int32), [4])
    assert np.flatnonzero(alone).tolist() == [4]
