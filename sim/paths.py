"""Shortest paths on the hex sheet, from many places at once: a bucket queue (Dial 1969) in numba.

Costs are small whole numbers, so that no comparison depends on rounding. Among equals the lower
place wins (the lower shelter number, §10.2), then the lower hex.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from sim.hexes import N_SIDES, IntArray, Sheet

BoolArray = npt.NDArray[np.bool_]

UNREACHED = -1


class Paths(NamedTuple):
    """Way from every hex to the nearest of several places; ``UNREACHED`` where there is none.

    Attributes
    ----------
    distance : (n_hex,) int
        Cost of the way; 0 on a place.
    place : (n_hex,) int
        Position, in the list given, of the place reached.
    next_hex, next_edge : (n_hex,) int
        First hex and first link of the way; ``UNREACHED`` on a place.

    """

    distance: IntArray
    place: IntArray
    next_hex: IntArray
    next_edge: IntArray


def shortest_paths(
    sheet: Sheet, edge_cost: IntArray, places: npt.ArrayLike, only: int = UNREACHED
) -> Paths:
    """Nearest place and shortest way to it, for every hex of a sheet.

    A search that reaches nothing is a result of its own: every hex ``UNREACHED``.

    Parameters
    ----------
    edge_cost : (n_edge,) int
        Cost of every link, the same both ways; 0 where it is closed.
    places : (n_place,) int
        Hexes to reach, in the order in which they win ties; may be empty.
    only : int, optional
        The one hex whose way is wanted: the search stops there, and other ways may be missing.

    Examples
    --------
    >>> paths = shortest_paths(Sheet(3, 1), np.array([1, 5]), [2])
    >>> paths.distance.tolist(), paths.next_hex.tolist()
    ([6, 5, 0], [1, 2, -1])

    """
    found: IntArray = _dial(
        sheet.neighbours,
        sheet.edge_across,
        np.ascontiguousarray(edge_cost, dtype=np.int32),
        np.asarray(places, dtype=np.int32).reshape(-1),
        only,
    )
    return Paths(*found)


def pieces(sheet: Sheet, edge_cost: IntArray) -> IntArray:
    """(n_hex,) number of the piece that each hex is in: ways join all hexes of a piece.

    Parameters
    ----------
    edge_cost : (n_edge,) int
        0 where a link is closed.

    Examples
    --------
    >>> pieces(Sheet(3, 1), np.array([4, 0])).tolist()
    [0, 0, 1]

    """
    piece: IntArray = _pieces(sheet.neighbours, sheet.edge_across, edge_cost)
    return piece


@njit(cache=True)
def _pieces(neighbours, edge_across, edge_cost):  # type: ignore[no-untyped-def]
    n_hex = neighbours.shape[0]
    piece = np.full(n_hex, UNREACHED, dtype=np.int32)
    waiting = np.empty(n_hex, dtype=np.int32)
    pieces = 0
    for first in range(n_hex):
        if piece[first] >= 0:
            continue
        piece[first] = pieces
        waiting[0] = first
        count = 1
        while count > 0:
            count -= 1
            cell = waiting[count]
            for side in range(N_SIDES):
                other = neighbours[cell, side]
                if other >= 0 and piece[other] < 0 and edge_cost[edge_across[cell, side]] > 0:
                    piece[other] = pieces
                    waiting[count] = other
                    count += 1
        pieces += 1
    return piece


def reachable(sheet: Sheet, is_open: BoolArray, places: npt.ArrayLike) -> BoolArray:
    """(n_hex,) whether some way over (n_edge,) open links leads from the hex to a place."""
    reached: BoolArray = _reached(
        sheet.neighbours,
        sheet.edge_across,
        np.asarray(is_open, dtype=bool),
        np.asarray(places, dtype=np.int32).reshape(-1),
    )
    return reached


@njit(cache=True)
def _reached(neighbours, edge_across, is_open, places):  # type: ignore[no-untyped-def]
    n_hex = neighbours.shape[0]
    reached = np.zeros(n_hex, dtype=np.bool_)
    waiting = np.empty(n_hex, dtype=np.int32)
    count = 0
    for cell in places:
        if not reached[cell]:
            reached[cell] = True
            waiting[count] = cell
            count += 1
    while count > 0:
        count -= 1
        cell = waiting[count]
        for side in range(N_SIDES):
            other = neighbours[cell, side]
            if other >= 0 and not reached[other] and is_open[edge_across[cell, side]]:
                reached[other] = True
                waiting[count] = other
                count += 1
    return reached


@njit(cache=True)
def _dial(neighbours, edge_across, edge_cost, places, only):  # type: ignore[no-untyped-def]
    n_hex = neighbours.shape[0]
    found = np.full((4, n_hex), UNREACHED, dtype=np.int32)
    distance, place, next_hex, next_edge = found[0], found[1], found[2], found[3]
    settled = np.zeros(n_hex, dtype=np.bool_)

    # Buckets are lists of entries, each naming the one before it; they are reused in a ring of
    # max cost + 1. Their order does not count: ties are settled among hexes already passed.
    ring = edge_cost.max() + 1 if edge_cost.shape[0] else 1
    last = np.full(ring, -1, dtype=np.int32)
    # a link leads to a hex not yet settled from one of its ends alone
    most = edge_cost.shape[0] + places.shape[0]
    entry_hex = np.empty(most, dtype=np.int32)
    entry_before = np.empty(most, dtype=np.int32)

    entries = 0
    for number in range(places.shape[0]):
        cell = places[number]
        if distance[cell] < 0:
            distance[cell] = 0
            place[cell] = number
            entry_hex[entries], entry_before[entries] = cell, last[0]
            last[0] = entries
            entries += 1
    waiting = entries

    here = 0
    while waiting > 0:
        slot = here % ring
        entry = last[slot]
        last[slot] = -1
        while entry >= 0:
            cell = entry_hex[entry]
            entry = entry_before[entry]
            waiting -= 1
            if settled[cell] or distance[cell] != here:
                continue
            settled[cell] = True
            for side in range(N_SIDES):
                other = neighbours[cell, side]
                if other < 0:
                    continue
                edge = edge_across[cell, side]
                cost = edge_cost[edge]
                if cost <= 0:
                    continue
                if settled[other]:
                    # every way back is settled by now: the lower place, then the lower hex
                    if distance[other] + cost == here and (
                        next_hex[cell] < 0
                        or place[other] < place[cell]
                        or (place[other] == place[cell] and other < next_hex[cell])
                    ):
                        place[cell] = place[other]
                        next_hex[cell] = other
                        next_edge[cell] = edge
                elif distance[other] < 0 or here + cost < distance[other]:
                    distance[other] = here + cost
                    ahead = (here + cost) % ring
                    entry_hex[entries], entry_before[entries] = other, last[ahead]
                    last[ahead] = entries
                    entries += 1
                    waiting += 1
            if cell == only:
                return found
        here += 1
    return found


def route_edges(paths: Paths, cells: npt.ArrayLike) -> tuple[tuple[int, ...], ...]:
    """Links from each of some hexes to the place it reaches, in walking order; () on a place."""
    flat, ends = walked_links(paths, cells)
    links, bounds = flat.tolist(), [0, *ends.tolist()]
    return tuple(tuple(links[a:b]) for a, b in pairwise(bounds))


def walked_links(paths: Paths, cells: npt.ArrayLike) -> tuple[IntArray, npt.NDArray[np.int64]]:
    """Links of the ways from some hexes, one way after the other, and where each way ends."""
    found: tuple[IntArray, npt.NDArray[np.int64]] = _walked(
        paths.next_hex, paths.next_edge, np.asarray(cells, dtype=np.int64)
    )
    return found


def ends_of(sheet: Sheet, links: BoolArray) -> BoolArray:
    """(n_hex,) hexes at an end of some (n_edge,) links."""
    ends: BoolArray = _ends_of(sheet.edges, links, sheet.n_hexes)
    return ends


@njit(cache=True)
def _ends_of(edges, links, n_hex):  # type: ignore[no-untyped-def]
    ends = np.zeros(n_hex, dtype=np.bool_)
    for link in range(links.shape[0]):
        if links[link]:
            ends[edges[link, 0]] = True
            ends[edges[link, 1]] = True
    return ends


@njit(cache=True)
def _walked(next_hex, next_edge, cells):  # type: ignore[no-untyped-def]
    """Links of every route one after the other, and where each route ends among them."""
    ends = np.empty(cells.shape[0], dtype=np.int64)
    count = 0
    for i in range(cells.shape[0]):
        here = cells[i]
        while next_edge[here] >= 0:
            count += 1
            here = next_hex[here]
        ends[i] = count
    flat = np.empty(count, dtype=np.int32)
    count = 0
    for i in range(cells.shape[0]):
        here = cells[i]
        while next_edge[here] >= 0:
            flat[count] = next_edge[here]
            count += 1
            here = next_hex[here]
    return flat, ends
