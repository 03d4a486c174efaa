"""Deep water takes its toll of those who are neither upstairs nor sheltered (§10.5)."""

from dataclasses import replace

import numpy as np

from sim.arrays import LongArray, numbers, whole
from sim.dice import two_dice
from sim.events import Event, LossRolled
from sim.links import water_class
from sim.orders import Order
from sim.protection import hexes_of_option
from sim.rules import (
    LOSS_PERCENT,
    LOSS_SUCCESS,
    NIGHT_LOSS_DENOMINATOR,
    NIGHT_LOSS_NUMERATOR,
    Protection,
    Water,
)
from sim.state import NEVER, State
from sim.world import World

Step = tuple[State, tuple[Event, ...]]


def loss_of(exposed: LongArray, *, night: bool) -> LongArray:
    """Hundredths of a person lost among the exposed on a loss: 5 %, by night × 1.5 (§10.4–10.5).

    Examples
    --------
    >>> loss_of(np.array([10_000, 199]), night=False).tolist()
    [500, 9]
    >>> loss_of(np.array([10_000, 199]), night=True).tolist()
    [750, 14]

    """
    if night:
        return exposed * LOSS_PERCENT * NIGHT_LOSS_NUMERATOR // (100 * NIGHT_LOSS_DENOMINATOR)
    return exposed * LOSS_PERCENT // 100


def lose_people(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Roll once for each quarter with unsheltered people in class-4 water (§10.5, 18 step 9).

    Exposed are those to shelter who have not arrived, and followers once their counter runs,
    unless their quarter goes up: neither is upstairs or in a shelter.
    """
    turn, night = state.turn, world.night(state.turn)
    first_step, waiting = whole(state.first_step), whole(state.waiting)
    walks = (first_step != NEVER) & (first_step <= turn) & (whole(state.evacuated) == NEVER)
    walks &= ~hexes_of_option(world.district, state, Protection.UP)
    walkers = np.where(walks, whole(state.followers), 0)
    hostile = water_class(world.depth_mm[turn]) == Water.HOSTILE
    exposed = hostile & world.district.active & (waiting + walkers > 0)
    if not exposed.any():
        return state, ()
    gone, followers_gone = np.zeros_like(waiting), np.zeros_like(waiting)
    events: list[Event] = []
    for quarter in np.unique(world.district.quarter[exposed]).tolist():
        cells = np.flatnonzero(exposed & (world.district.quarter == quarter))
        dice = two_dice(world.seed, "loss", quarter, turn)
        success = dice >= LOSS_SUCCESS
        if success:
            gone[cells] = loss_of(waiting[cells], night=night)
            followers_gone[cells] = loss_of(walkers[cells], night=night)
        events.append(
            LossRolled(
                turn=turn,
                quarter=quarter,
                dice=dice,
                success=success,
                cells=tuple(cells.tolist()),
                people=int(gone[cells].sum() + followers_gone[cells].sum()),
            )
        )
    state = replace(
        state,
        waiting=numbers(waiting - gone),
        followers=numbers(whole(state.followers) - followers_gone),
        lost=numbers(whole(state.lost) + gone),
        followers_lost=numbers(whole(state.followers_lost) + followers_gone),
    )
    return state, tuple(events)
