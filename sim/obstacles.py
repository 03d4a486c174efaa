"""What stands on links beside the water: accidents, works, wrecks, jams, units (§9.2, 13)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sim.arrays import numbers, whole
from sim.district import District
from sim.links import Links
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
    obstructed: tuple[int, ...] = ()
    jams: tuple[tuple[int, int], ...] = ()

    def cut(self, turn: int) -> tuple[int, ...]:
        """Links cut in a turn by an accident or by works."""
        return (*(edge for edge, last in self.accidents if turn <= last), *self.roadworks)

    def with_obstructed(self, edges: Sequence[int]) -> "Obstacles":
        """Return these obstacles and some more links left uncleared."""
        if not edges:
            return self
        more = set(edges).difference(self.obstructed)
        if not more:
            return self
        return replace(self, obstructed=numbers(np.array(sorted(more.union(self.obstructed)))))

    def without(self, edge: int) -> "Obstacles":
        """Return these obstacles less what clearing a link takes away (§9.2)."""
        return replace(
            self,
            obstructed=tuple(other for other in self.obstructed if other != edge),
            accidents=tuple(pair for pair in self.accidents if pair[0] != edge),
        )


def links_with(district: District, obstacles: Obstacles, units: Iterable[Unit], turn: int) -> Links:
    """Links of a district in a turn, under obstacles and the units at work on them."""
    n_edges = district.sheet.n_edges
    shut, obstructed, jammed, footbridge = np.zeros((4, n_edges), dtype=bool)
    pumps = np.zeros(n_edges, dtype=np.int32)
    shut[list(obstacles.cut(turn))] = True
    obstructed[whole(obstacles.obstructed)] = True
    if obstacles.jams:
        jammed[edges_of(district, around(district, obstacles.jams, turn))] = True
    for unit in units:
        if unit.at_work(turn):
            if unit.task == Action.PUMP.value:
                pumps[unit.links[0]] += 1
            elif unit.task == Action.FOOTBRIDGE.value:
                footbridge[unit.links[0]] = True
    return Links(
        district.link_class,
        district.structure,
        district.foot,
        district.barrier,
        pumps=pumps,
        shut=shut,
        footbridge=footbridge,
        obstructed=obstructed,
        jammed=jammed,
    )


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
    cells: set[int] = set()
    for centre, last in centres:
        if turn <= last:
            cells.update(district.sheet.disk(centre, CARD_RADIUS))
    return tuple(sorted(cells))


def edges_of(district: District, cells: Iterable[int]) -> list[int]:
    """Edges of some hexes, ascending."""
    edges = np.unique(district.sheet.edge_across[list(cells)])
    found: list[int] = edges[edges >= 0].tolist()
    return found
