"""Routes that people have taken, as a tuple by hex and as arrays for loops over their links."""

import json
from collections.abc import Iterable
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from sim.arrays import LongArray
from sim.district import BoolArray
from sim.hexes import IntArray

Route = tuple[int, ...]
"""Links in walking order; () where nobody goes."""


class Walked(NamedTuple):
    """Links of all routes, one route after the other.

    Attributes
    ----------
    links : (n_walked,) int32
    starts : (n_hex + 1,) int64
        Where the route of each hex starts among them, and the end of the last.

    """

    links: IntArray
    starts: LongArray


class Routes(tuple[Route, ...]):
    """Routes by hex, a tuple like any other, that carry their arrays and their text."""

    walked: Walked
    _text: str

    @property
    def text(self) -> str:
        """The routes as canonical JSON, written once."""
        try:
            return self._text
        except AttributeError:
            self._text = json.dumps(self, separators=(",", ":"))
            return self._text

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy as the routes alone."""
        return routes, (tuple(self),)


def routes(by_hex: Iterable[Route]) -> Routes:
    """Return routes as a state keeps them."""
    made = Routes(by_hex)
    starts = np.zeros(len(made) + 1, dtype=np.int64)
    np.cumsum([len(route) for route in made], out=starts[1:])
    flat = np.fromiter(chain.from_iterable(made), dtype=np.int32, count=int(starts[-1]))
    made.walked = Walked(flat, starts)
    return made


def walked(by_hex: tuple[Route, ...]) -> Walked:
    """Return the links of all routes of a state."""
    return (by_hex if isinstance(by_hex, Routes) else routes(by_hex)).walked


def rerouted(
    by_hex: tuple[Route, ...], cells: npt.NDArray[np.integer[Any]], links: IntArray, ends: LongArray
) -> tuple[Route, ...]:
    """Return routes with others from some hexes.

    Parameters
    ----------
    cells : (n_cell,) int
        Ascending.
    links, ends : (n_link,) int, (n_cell,) int
        Links of the new routes one after the other, and where each ends among them.

    Examples
    --------
    >>> rerouted(((4,), (), (2, 1)), np.array([0, 1]), np.array([7, 8]), np.array([0, 2]))
    ((), (7, 8), (2, 1))

    """
    if not cells.size:
        return by_hex
    listed, flat, start = list(by_hex), links.tolist(), 0
    for cell, end in zip(cells.tolist(), ends.tolist(), strict=True):
        listed[cell] = tuple(flat[start:end])
        start = end
    made = Routes(listed)
    made.walked = Walked(*_spliced(*walked(by_hex), cells, links, ends))
    return made


def without_routes(
    by_hex: tuple[Route, ...], cells: npt.NDArray[np.integer[Any]]
) -> tuple[Route, ...]:
    """Return routes with none from some hexes, ascending."""
    none = np.zeros(0, dtype=np.int32)
    return rerouted(by_hex, cells, none, np.zeros(len(cells), dtype=np.int64))


@njit(cache=True)
def _spliced(links, starts, cells, new_links, new_ends):  # type: ignore[no-untyped-def]
    n_hex = starts.shape[0] - 1
    lengths = starts[1:] - starts[:-1]
    before = 0
    for i in range(cells.shape[0]):
        lengths[cells[i]] = new_ends[i] - before
        before = new_ends[i]
    spliced_starts = np.zeros(n_hex + 1, dtype=np.int64)
    for cell in range(n_hex):
        spliced_starts[cell + 1] = spliced_starts[cell] + lengths[cell]
    spliced = np.empty(spliced_starts[n_hex], dtype=np.int32)
    changed, before = 0, 0
    for cell in range(n_hex):
        here = spliced_starts[cell]
        if changed < cells.shape[0] and cells[changed] == cell:
            for i in range(before, new_ends[changed]):
                spliced[here] = new_links[i]
                here += 1
            before = new_ends[changed]
            changed += 1
        else:
            for i in range(starts[cell], starts[cell + 1]):
                spliced[here] = links[i]
                here += 1
    return spliced, spliced_starts


def leading_over(by_hex: tuple[Route, ...], walking: BoolArray, links: BoolArray) -> BoolArray:
    """(n_hex,) of those walking, whose route leads over one of some (n_edge,) links."""
    over: BoolArray = _leading_over(*walked(by_hex), walking, links)
    return over


@njit(cache=True)
def _leading_over(flat, starts, walking, links):  # type: ignore[no-untyped-def]
    over = np.zeros(walking.shape[0], dtype=np.bool_)
    for cell in range(walking.shape[0]):
        if walking[cell]:
            for i in range(starts[cell], starts[cell + 1]):
                if links[flat[i]]:
                    over[cell] = True
                    break
    return over


def people_on_links(
    by_hex: tuple[Route, ...], walking: BoolArray, people: LongArray, n_edges: int
) -> LongArray:
    """(n_edge,) people whose route leads over each link, of those walking (§10.3)."""
    flow: LongArray = _people_on_links(*walked(by_hex), walking, people, n_edges)
    return flow


@njit(cache=True)
def _people_on_links(flat, starts, walking, people, n_edges):  # type: ignore[no-untyped-def]
    flow = np.zeros(n_edges, dtype=np.int64)
    for cell in range(walking.shape[0]):
        if walking[cell]:
            for i in range(starts[cell], starts[cell + 1]):
                flow[flat[i]] += people[cell]
    return flow


def slowest_share(
    by_hex: tuple[Route, ...],
    walking: BoolArray,
    pace: LongArray,
    flow: LongArray,
    capacity: LongArray,
) -> LongArray:
    """(n_hex,) pace of those walking × the worst capacity / flow of their route, rounded down.

    The pace where no link of it is crowded (§10.3); 0 for those who do not walk.

    Parameters
    ----------
    pace : (n_hex,) int
        As numerators over 100.
    flow, capacity : (n_edge,) int
        In one unit.

    """
    share: LongArray = _slowest_share(*walked(by_hex), walking, pace, flow, capacity)
    return share


@njit(cache=True)
def _slowest_share(flat, starts, walking, pace, flow, capacity):  # type: ignore[no-untyped-def]
    share = np.zeros(walking.shape[0], dtype=np.int64)
    for cell in range(walking.shape[0]):
        if walking[cell]:
            least = pace[cell] // 100
            for i in range(starts[cell], starts[cell + 1]):
                link = flat[i]
                if flow[link] > capacity[link]:
                    least = min(least, pace[cell] * capacity[link] // (100 * flow[link]))
            share[cell] = least
    return share
