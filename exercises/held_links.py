"""What a pump or a footbridge on one link would be worth, for one who knows the water (§9.2, 12.2).

Held, a link puts off the moment at which hexes behind it lose their last way to a shelter. Every
link is tried alone; two that only help together are not found.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sim.district import BoolArray
from sim.hexes import IntArray
from sim.links import bare_links, deeper_mm, is_open
from sim.rules import Mode
from sim.world import World

Hexes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Hold:
    """A link that is worth holding.

    Attributes
    ----------
    link : int
    cells : (n,) int
        Hexes that would be cut later, ascending.
    cut : (n,) int
        Turn in which each would be cut then; turns + 1 for never.

    """

    link: int
    cells: Hexes
    cut: Hexes


class HeldLinks:
    """Links of a world that put off some hex's cut, by a pump or by a footbridge."""

    def __init__(self, world: World) -> None:
        self._world = world

    @cached_property
    def by_pump(self) -> tuple[Hold, ...]:
        """Links where one pump helps: by road alone, since a truck must come (§9.2)."""
        district = self._world.district
        pumped = replace(bare_links(district), pumps=1)
        depth_mm = deeper_mm(district.sheet, self._world.depth_mm)
        return self._holds(is_open(pumped, depth_mm, Mode.FOOT) & (district.link_class > 0))

    @cached_property
    def by_footbridge(self) -> tuple[Hold, ...]:
        """Links where a footbridge helps."""
        return self._holds(np.broadcast_to(self._world.district.foot, self._world.foot_open.shape))

    def _holds(self, held_open: BoolArray) -> tuple[Hold, ...]:
        """Try every link that would be open where it is not, at a hex that is threatened.

        Parameters
        ----------
        held_open : (turns + 1, n_edge) bool
            Whether each link would be open on foot if it were held.

        """
        world = self._world
        a, b = world.district.sheet.edges.T
        opens = held_open & ~world.foot_open
        wanted = opens.any(axis=0) & (world.threatened[a] | world.threatened[b])
        holds = [self._hold(edge, opens[:, edge]) for edge in np.flatnonzero(wanted).tolist()]
        return tuple(hold for hold in holds if hold.cells.size)

    def _hold(self, link: int, opens: BoolArray) -> Hold:
        """Hexes whose cut a link puts off: those of the part that it joins to the others."""
        world, reached = self._world, self._reached
        a, b = world.district.sheet.edges[link].tolist()
        joins = opens & (reached[:, a] != reached[:, b])
        beyond = np.where(reached[:, a], self._parts[:, b], self._parts[:, a])
        behind = np.unique(np.flatnonzero((self._parts == beyond[:, None])[joins].any(axis=0)))
        behind = behind[world.threatened[behind]]
        joined = joins[:, None] & (self._parts[:, behind] == beyond[:, None])
        lost = ~reached[:, behind] & ~joined
        # only a cut that comes after a way was there at the start counts (§12.2)
        cut = np.where(lost.any(axis=0), lost.argmax(axis=0), world.turns + 1)
        later = cut > world.first_cut[behind]
        return Hold(link, behind[later], cut[later])

    @cached_property
    def _reached(self) -> BoolArray:
        """(turns + 1, n_hex) whether some way leads to a dry shelter."""
        return np.stack([self._world.has_route(turn) for turn in range(self._world.turns + 1)])

    @cached_property
    def _parts(self) -> IntArray:
        """(turns + 1, n_hex) parts that hold together on foot: the lowest hex of each.

        Hexes with a way to a shelter are left out (-1): nothing is to be won there.
        """
        sheet = self._world.district.sheet
        n_hex, turns = sheet.n_hexes, self._world.turns
        off = sheet.neighbours < 0
        across = np.where(off, n_hex, sheet.neighbours)
        passes = self._world.foot_open[:, np.where(off, 0, sheet.edge_across)] & ~off
        cut_off = ~self._reached
        parts = np.full((turns + 1, n_hex + 1), n_hex, dtype=np.int32)
        parts[:, :-1] = np.where(cut_off, np.arange(n_hex), n_hex)
        while True:
            around = np.where(passes, parts[:, across], n_hex).min(axis=2)
            lower = np.where(cut_off, np.minimum(parts[:, :-1], around), n_hex)
            if np.array_equal(lower, parts[:, :-1]):
                break
            parts[:, :-1] = lower
        found: IntArray = np.where(cut_off, parts[:, :-1], -1)
        return found
