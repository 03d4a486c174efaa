"""Deep water takes its toll of those who are neither upstairs nor sheltered (§10.5)."""

import numpy as np

from sim.arrays import LongArray, altered, whole
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
from sim.state import NEVER, State, changed
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
    hostile = water_class(world.depth_mm[turn]) == int(Water.HOSTILE)
    exposed = hostile & world.district.active & (waiting + walkers > 0)
    if not exposed.any():
        return state, ()
    gone = np.where(exposed, loss_of(waiting, night=night), 0)
    followers_gone = np.where(exposed, loss_of(walkers, night=night), 0)
    events: list[Event] = []
    found = world.district.by_quarter(exposed)
    on_their_way = found.sums(np.where(walks, gone + followers_gone, 0))
    for quarter, cells, people, walking in zip(
        found.quarters, found.parts, found.sums(gone + followers_gone), on_their_way, strict=True
    ):
        dice = two_dice(world.seed, "loss", quarter, turn)
        success = dice >= LOSS_SUCCESS
        if not success:
            gone[cells] = followers_gone[cells] = 0
        events.append(
            LossRolled(
                turn=turn,
                quarter=quarter,
                dice=dice,
                success=success,
                cells=tuple(cells.tolist()),
                people=people if success else 0,
                on_their_way=walking if success else 0,
            )
        )
    return _bury(state, gone, followers_gone), tuple(events)


def _bury(state: State, gone: LongArray, followers_gone: LongArray) -> State:
    cells = np.flatnonzero(gone + followers_gone)
    lost, followers_lost = gone[cells], followers_gone[cells]
    return changed(
        state,
        waiting=altered(state.waiting, cells, whole(state.waiting)[cells] - lost),
        followers=altered(state.followers, cells, whole(state.followers)[cells] - followers_lost),
        lost=altered(state.lost, cells, whole(state.lost)[cells] + lost),
        followers_lost=altered(
            state.followers_lost, cells, whole(state.followers_lost)[cells] + followers_lost
        ),
    )
