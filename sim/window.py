"""What a storm leaves a team to do: whom it threatens, when it speaks, when an alert saves (§7.6).

The figures come from the engine's own phases: an alert of every threatened hex is played, not
estimated.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from sim.evacuation import advance_counters, raise_water
from sim.links import bare_links, deeper_mm, link_depth_mm, water_class
from sim.rules import LinkClass, Water
from sim.shares import Share
from sim.state import NEVER, State
from sim.turn import start
from sim.world import World

UNLIMITED_PLACES = 1_000_000
"""Places of every shelter where none shall be short."""
ONE_HUNDREDTH = 1
"""Of a person on each hex: so few walkers crowd no link."""


@dataclass(frozen=True, slots=True)
class Window:
    """What one storm threatens, shows and leaves time for, on a district at an hour (§7.6).

    Attributes
    ----------
    threatened : int
        Those to shelter of hexes that lose every foot route to a shelter (§12.2), persons.
    to_shelter : int
        All those to shelter (§8.3), persons.
    blocked_hexes : int
        Active hexes at class ≥ 2 at some turn.
    first_sign, first_cut : int
        First turn at which a link in play stands at class ≥ 1, and at which a hex is cut off;
        ``NEVER`` where that does not happen.
    saved : mapping of int to Fraction or None
        Share of the threatened that alerting every one of them at a turn saves, by turn.
    """

    threatened: int
    to_shelter: int
    blocked_hexes: int
    first_sign: int
    first_cut: int
    saved: dict[int, Share]

    @property
    def share(self) -> float:
        """Share of those to shelter who are threatened; 0 where nobody is to be sheltered."""
        return self.threatened / self.to_shelter if self.to_shelter else 0.0


def window_of(world: World, turns: tuple[int, ...]) -> Window:
    """Count what a storm threatens and shows, and play an alert of all threatened at some turns."""
    people = world.situation.to_shelter
    cuts = world.first_cut[world.threatened]
    deep = (water_class(world.depth_mm) >= Water.BLOCKING).any(axis=0)
    return Window(
        threatened=int(people[world.threatened].sum()),
        to_shelter=int(people.sum()),
        blocked_hexes=int((deep & world.district.active).sum()),
        first_sign=first_sign(world),
        first_cut=int(cuts.min()) if cuts.size else NEVER,
        saved={turn: saved_share(world, turn) for turn in turns},
    )


def threatened_share(world: World) -> float:
    """Share of those to shelter who are threatened (§12.2); 0 where nobody is to be sheltered."""
    people = world.situation.to_shelter
    everyone = int(people.sum())
    return int(people[world.threatened].sum()) / everyone if everyone else 0.0


def first_sign(world: World) -> int:
    """First turn at which a link beside an active hex stands at class ≥ 1, or ``NEVER`` (§7.6).

    An underpass speaks long before its street (§3.3). Edges that carry nothing say nothing.
    """
    district = world.district
    carries = district.foot | (district.link_class > LinkClass.NONE)
    carries &= district.active[district.sheet.edges].any(axis=1)
    seen = link_depth_mm(bare_links(district), deeper_mm(district.sheet, world.depth_mm))
    speaks = ((water_class(seen) >= Water.SLOWED) & carries).any(axis=1)
    turns = np.flatnonzero(speaks)
    return int(turns[0]) if turns.size else NEVER


def saved_share(world: World, turn: int) -> Share:
    """Share of the threatened who are saved when all of them are alerted in one turn (§7.6, 12.2).

    Every alert gets through and every quarter is ready, places are unlimited and no link is
    crowded: what is left is the water and the walk. None where nobody is threatened.

    Notes
    -----
    The phases of the rules are played as they stand. One hundredth of a person walks from each
    hex, which fills no link; whether it arrives in time decides for all of its hex.
    """
    threatened = world.threatened
    people = world.situation.to_shelter
    at_stake = int(people[threatened].sum())
    if not at_stake:
        return None
    state = _all_alerted(world, turn)
    roomy = _with_unlimited_places(world)
    for now in range(1, world.turns + 1):
        state = replace(state, turn=now)
        for phase in (raise_water, advance_counters):
            state, _ = phase(roomy, state, ())
    in_time = np.array(state.in_time) > 0
    return Fraction(int(people[threatened & in_time].sum()), at_stake)


def _all_alerted(world: World, turn: int) -> State:
    """The start, but every threatened hex is alerted in a turn: its counter steps in the next."""
    threatened = world.threatened
    nothing = (0,) * len(threatened)
    return replace(
        start(world),
        alerted=tuple(np.where(threatened, turn, NEVER).tolist()),
        first_step=tuple(np.where(threatened, turn + 1, NEVER).tolist()),
        waiting=tuple(np.where(threatened, ONE_HUNDREDTH, 0).tolist()),
        followers=nothing,
        units=(),
    )


def _with_unlimited_places(world: World) -> World:
    shelters = tuple(replace(s, places=UNLIMITED_PLACES) for s in world.district.shelters)
    return replace(world, district=replace(world.district, shelters=shelters))
