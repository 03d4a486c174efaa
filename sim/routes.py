"""Routes that people have taken: arrays for loops over their links, tuples for whoever asks."""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import Any, NamedTuple, TypeAlias, overload

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


class Routes(Sequence[Route]):
    """Routes by hex, equal to the tuple of them."""

    def __init__(self, walked: Walked) -> None:
        self.walked = walked

    @cached_property
    def values(self) -> tuple[Route, ...]:
        """The routes as tuples, made once."""
        links = tuple(self.walked.links.tolist())
        return tuple(links[start:end] for start, end in pairwise(self.walked.starts.tolist()))

    @cached_property
    def text(self) -> str:
        """The routes as canonical JSON, written once."""
        return json.dumps(self.values, separators=(",", ":"))

    def __len__(self) -> int:
        return len(self.walked.starts) - 1

    def __iter__(self) -> Iterator[Route]:
        return iter(self.values)

    @overload
    def __getitem__(self, cell: int) -> Route: ...
    @overload
    def __getitem__(self, cell: slice) -> tuple[Route, ...]: ...
    def __getitem__(self, cell: int | slice) -> Route | tuple[Route, ...]:
        return self.values[cell]

    def __eq__(self, other: object) -> bool:
        return self.values == (other.values if isinstance(other, Routes) else other)

    def __hash__(self) -> int:
        return hash(self.values)

    def __repr__(self) -> str:
        return repr(self.values)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy as the routes alone."""
        return routes, (self.values,)


ByHex: TypeAlias = tuple[Route, ...] | Routes
"""Routes by hex."""


def routes(by_hex: Iterable[Route]) -> Routes:
    """Return routes as a state keeps them."""
    listed = list(by_hex)
    starts = np.zeros(len(listed) + 1, dtype=np.int64)
    np.cumsum([len(route) for route in listed], out=starts[1:])
    flat = np.fromiter(chain.from_iterable(listed), dtype=np.int32, count=int(starts[-1]))
    return Routes(Walked(flat, starts))


def walked(by_hex: ByHex) -> Walked:
    """Return the links of all routes of a state."""
    return (by_hex if isinstance(by_hex, Routes) else routes(by_hex)).walked


def rerouted(
    by_hex: ByHex, cells: npt.NDArray[np.integer[Any]], links: IntArray, ends: LongArray
) -> ByHex:
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
    return Routes(Walked(*_spliced(*walked(by_hex), cells, links, ends)))


def without_routes(by_hex: ByHex, cells: npt.NDArray[np.integer[Any]]) -> ByHex:
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


def leading_over(by_hex: ByHex, walking: BoolArray, links: BoolArray) -> BoolArray:
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
    by_hex: ByHex, walking: BoolArray, people: LongArray, n_edges: int
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
    by_hex: ByHex,
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
