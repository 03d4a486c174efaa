"""What residents tell of the water, two turns late and wrong one time in three (§6, 6.1)."""

import numpy as np
import numpy.typing as npt

from sim.arrays import altered, whole
from sim.dice import draws
from sim.events import Event, Reported
from sim.hexes import IntArray
from sim.links import water_class
from sim.obstacles import around
from sim.orders import Order
from sim.rules import (
    NIGHT_REPORT_DIVISOR,
    REPORT_DELAY_TURNS,
    REPORT_FROM_CLASS,
    REPORT_SURE_RESIDENTS,
    REPORT_WRONG_ONE_IN,
    WATERS,
    Water,
)
from sim.state import KNOWN_BY_REPORT, State, changed
from sim.world import World

Step = tuple[State, tuple[Event, ...]]

_FROM_MM = np.array([WATERS[water].from_mm for water in Water], dtype=np.int32)


def hear_residents(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Add to the known state what residents saw two turns ago, rumours among it (§18 step 4).

    What they tell is a class; its least depth enters the known state where nothing as recent is
    known of the hex.
    """
    seen = state.turn - REPORT_DELAY_TURNS
    if seen < 1:
        # a rumour that an instructor starts before anybody reports waits, or it would show itself
        return state, ()
    told = _told(world, state, seen)
    if state.rumour:
        told = dict(sorted({**told, **dict(state.rumour)}.items()))
        state = changed(state, rumour=())
    if not told:
        return state, ()
    event = Reported(turn=state.turn, cells=tuple(told), water=tuple(told.values()))
    cells, water = np.array(list(told)), np.array(list(told.values()))
    new = whole(state.known_turn)[cells] < seen
    cells = cells[new]
    state = changed(
        state,
        known_mm=altered(state.known_mm, cells, _FROM_MM[water[new]]),
        known_turn=altered(state.known_turn, cells, seen),
        known_by=altered(state.known_by, cells, KNOWN_BY_REPORT),
    )
    return state, (event,)


def _told(world: World, state: State, seen: int) -> dict[int, int]:
    """Class told of every hex that reports: what stood there, or one class off (§6.1)."""
    district = world.district
    water = water_class(world.depth_mm[seen])
    speaks = district.active & (water >= int(REPORT_FROM_CLASS))
    speaks[list(around(district, state.outages, state.turn))] = False
    if not speaks.any():
        return {}
    speaks &= report_chance(district.residents, night=world.night(seen)) > draws(
        world.seed, len(water), 2 * REPORT_SURE_RESIDENTS, "report", seen
    )
    cells = np.flatnonzero(speaks)
    if not cells.size:
        return {}
    wrong = draws(world.seed, len(water), REPORT_WRONG_ONE_IN, "report wrong", seen) == 0
    side = 2 * draws(world.seed, len(water), 2, "report side", seen) - 1
    told = (water + wrong * side)[cells].clip(int(Water.FREE), int(Water.HOSTILE))
    return dict(zip(cells.tolist(), told.tolist(), strict=True))


def report_chance(residents: IntArray, *, night: bool) -> npt.NDArray[np.int64]:
    """Chance that a wet hex reports, in shares of 2,000: residents / 1,000, at most 1 (§6.1).

    Examples
    --------
    >>> report_chance(np.array([0, 400, 5_000]), night=False).tolist()
    [0, 800, 2000]
    >>> report_chance(np.array([0, 400, 5_000]), night=True).tolist()
    [0, 400, 1000]

    """
    sure = np.minimum(residents.astype(np.int64), REPORT_SURE_RESIDENTS)
    return 2 * sure // (NIGHT_REPORT_DIVISOR if night else 1)
