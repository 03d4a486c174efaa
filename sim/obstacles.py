"""What stands on links beside the water: accidents, works, wrecks, jams, units (§9.2, 13)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.arrays import LongArray, Numbers, numbers, whole
from sim.district import BoolArray, District
from sim.hexes import IntArray, disks
from sim.links import Links
from sim.remembered import remembered
from sim.rules import CARD_RADIUS, Action
from sim.unit import Unit


@dataclass(frozen=True, slots=True)
class Obstacles:
    """Obstacles in truth, or those that the team knows (§6.3).

    Attributes
    ----------
    accidents : tuple of (int, int)
        Links cut, each with its last turn.
    roadworks : tuple of int
        Links that no longer exist, ascending.
    obstructed : tuple of int
        Links left uncleared by deep water or an accident, ascending (§9.2).
    jams : tuple of (int, int)
        Hexes in the middle of a jam, each with its last turn.

    """

    accidents: tuple[tuple[int, int], ...] = ()
    roadworks: tuple[int, ...] = ()
    obstructed: Numbers = ()
    jams: tuple[tuple[int, int], ...] = ()

    def cut(self, turn: int) -> tuple[int, ...]:
        """Links cut in a turn by an accident or by works."""
        return (*(edge for edge, last in self.accidents if turn <= last), *self.roadworks)

    def with_obstructed(self, edges: Sequence[int]) -> "Obstacles":
        """Return these obstacles and some more links left uncleared."""
        if not edges:
            return self
        together = np.concatenate((whole(self.obstructed), np.asarray(edges, dtype=np.int64)))
        together.sort()
        once = np.append(True, together[1:] != together[:-1])
        if np.count_nonzero(once) == len(self.obstructed):
            return self
        return replace(self, obstructed=numbers(together[once]))

    def without(self, edge: int) -> "Obstacles":
        """Return these obstacles less what clearing a link takes away (§9.2)."""
        return replace(
            self,
            obstructed=tuple(other for other in self.obstructed if other != edge),
            accidents=tuple(pair for pair in self.accidents if pair[0] != edge),
        )


@remembered(8)
def links_with(
    district: District, obstacles: Obstacles, units: tuple[Unit, ...], turn: int
) -> Links:
    """Links of a district in a turn, under obstacles and the units at work on them; read-only."""
    n_edges = district.sheet.n_edges
    at_work = [unit for unit in units if unit.at_work(turn)]
    jammed = around(district, obstacles.jams, turn)
    return Links(
        district.link_class,
        district.structure,
        district.foot,
        district.barrier,
        pumps=_counted(n_edges, _worked_on(at_work, Action.PUMP)),
        shut=_marked(n_edges, obstacles.cut(turn)),
        footbridge=_marked(n_edges, _worked_on(at_work, Action.FOOTBRIDGE)),
        obstructed=_marked(n_edges, whole(obstacles.obstructed)),
        jammed=_marked(n_edges, edges_of(district, jammed) if jammed else ()),
    )


def _worked_on(units: Iterable[Unit], action: Action) -> list[int]:
    return [unit.links[0] for unit in units if unit.task == action.value]


def _counted(n_edges: int, edges: Sequence[int]) -> IntArray:
    """(n_edge,) how often each edge comes."""
    if not edges:
        return _none(n_edges, np.dtype(np.int32))
    counted = np.bincount(edges, minlength=n_edges).astype(np.int32)
    counted.flags.writeable = False
    return counted


def _marked(n_edges: int, edges: Sequence[int] | LongArray) -> BoolArray:
    """(n_edge,) whether each edge is among some."""
    none: BoolArray = _none(n_edges, np.dtype(bool))
    if not len(edges):
        return none
    marked = none.copy()
    marked[np.asarray(edges, dtype=np.intp)] = True
    marked.flags.writeable = False
    return marked


@lru_cache(maxsize=16)
def _none(n_edges: int, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    # one for all links that have nothing: what is reckoned from it is then reckoned once
    none = np.zeros(n_edges, dtype=dtype)
    none.flags.writeable = False
    return none


def reserved_links(units: Iterable[Unit], turn: int) -> tuple[int, ...]:
    """Links of the axes that patrols keep free of crowds (§9.2, 10.3)."""
    return tuple(
        edge
        for unit in units
        if unit.task == Action.RESERVE.value and unit.at_work(turn)
        for edge in unit.links
    )


def around(district: District, centres: Iterable[tuple[int, int]], turn: int) -> tuple[int, ...]:
    """Hexes that a jam or a power cut covers in a turn: 7 about each centre (§13.1)."""
    struck = [centre for centre, last in centres if turn <= last]
    if not struck:
        return ()
    cells = set(disks(district.sheet, CARD_RADIUS)[struck].ravel().tolist())
    return tuple(sorted(cells - {district.sheet.n_hexes}))


def edges_of(district: District, cells: Iterable[int]) -> list[int]:
    """Edges of some hexes, ascending."""
    edges = np.unique(district.sheet.edge_across[list(cells)])
    found: list[int] = edges[edges >= 0].tolist()
    return found
