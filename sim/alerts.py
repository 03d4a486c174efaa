"""Alerts: two dice a quarter, radio, door to door, word of mouth, preparation (§9.4)."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
from numba import njit

from sim.arrays import Numbers, altered, whole
from sim.dice import below, two_dice
from sim.district import BoolArray, District
from sim.events import AlertRolled, Event, PreparationRolled, QuarterAlerted
from sim.legality import brushed
from sim.obstacles import around
from sim.orders import Alert, Order
from sim.remembered import remembered
from sim.rules import (
    ALERTS,
    CREDIBILITY,
    CREDIBILITY_START,
    NIGHT_ROLL,
    PREPARATION_DELAY_TURNS,
    PREPARATION_SUCCESS,
    REFERENCE_INHABITANTS,
    SIREN_QUARTERS,
    AlertMeans,
)
from sim.state import NEVER, NOWHERE, State, changed
from sim.unit import DOOR_TO_DOOR
from sim.world import World

Step = tuple[State, tuple[Event, ...]]


def succeeds(means: AlertMeans, dice: int, modifier: int) -> bool:
    """Whether an alert gets through on a sum of two dice (§9.4).

    Examples
    --------
    >>> succeeds(AlertMeans.CELL_BROADCAST, 6, 0), succeeds(AlertMeans.CELL_BROADCAST, 7, -2)
    (True, False)

    """
    least = ALERTS[means].success
    return least is None or dice + modifier >= least


def prepared(dice: int, modifier: int) -> bool:
    """Whether a quarter is ready, so that its hexes start at once (§9.4)."""
    return dice + modifier >= PREPARATION_SUCCESS


def roll_modifier(*, night: bool, credibility: int = CREDIBILITY_START) -> int:
    """Sum added to alert and preparation rolls (§9.4, 10.4, 15.1).

    Examples
    --------
    >>> roll_modifier(night=False, credibility=10), roll_modifier(night=True, credibility=1)
    (1, -5)

    """
    row = next(row for row in reversed(CREDIBILITY) if credibility >= row.from_credibility)
    return row.modifier + (NIGHT_ROLL if night else 0)


@remembered(8)
def has_sirens(district: District) -> BoolArray:
    """(n_quarter,) whether a quarter has sirens: the most populous, 6 of 422,100 people (§9.4).

    Among equals the lower quarter; always one at least.
    """
    people = district.residents_by_quarter
    scaled = (2 * SIREN_QUARTERS * int(people.sum()) + REFERENCE_INHABITANTS) // (
        2 * REFERENCE_INHABITANTS
    )
    chosen = np.argsort(-people, kind="stable")[: max(1, scaled)]
    sirens = np.zeros(len(district.quarters), dtype=bool)
    sirens[chosen] = True
    sirens.flags.writeable = False
    return sirens


@dataclass
class _Desk:
    """What the turn's alerts change, gathered before it enters the state.

    ``before`` are the turns of the alerts before; ``first_step`` those of the hexes reached now.
    """

    world: World
    turn: int
    modifier: int
    before: Numbers
    first_step: dict[int, int] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    def roll(
        self, means: AlertMeans, quarter: int, attempt: int, cells: Iterable[int]
    ) -> tuple[int, ...]:
        """Roll one means for hexes of a quarter; the hexes that it reached."""
        dice = two_dice(self.world.seed, means.value, quarter, attempt)
        success = succeeds(means, dice, self.modifier)
        reached = tuple(cells) if success else ()
        self._tell(means, quarter, dice, self.modifier, success, reached)
        return reached

    def overhear(self, quarter: int, attempt: int, around: list[int]) -> tuple[int, ...]:
        """Roll word of mouth; the one neighbouring hex that it reached, drawn, or none."""
        means = AlertMeans.WORD_OF_MOUTH
        dice = two_dice(self.world.seed, means.value, quarter, attempt)
        success = succeeds(means, dice, self.modifier)
        reached: tuple[int, ...] = ()
        if success:
            one = below(len(around), self.world.seed, "word_of_mouth hex", quarter, attempt)
            reached = (around[one],)
        self._tell(means, quarter, dice, self.modifier, success, reached)
        return reached

    def reach(self, cells: Iterable[int], *, ready: bool) -> None:
        """Alert hexes: their counters step from the next turn, or two turns later (§9.4)."""
        first = self.turn + 1 + (0 if ready else PREPARATION_DELAY_TURNS)
        self.first_step.update(dict.fromkeys(cells, first))

    def left_of(self, cells: Iterable[int]) -> list[int]:
        """Those of some hexes that no alert has reached yet."""
        before, now = self.before, self.first_step
        return [cell for cell in cells if before[cell] == NEVER and cell not in now]

    def prepare(self, purpose: str, quarter: int, attempt: int) -> bool:
        """Roll the preparation of a quarter just reached."""
        dice = two_dice(self.world.seed, purpose, quarter, attempt)
        success = prepared(dice, self.modifier)
        self.events.append(
            PreparationRolled(
                turn=self.turn,
                quarter=quarter,
                dice=dice,
                modifier=self.modifier,
                success=success,
            )
        )
        return success

    def door_to_door(self, cell: int) -> None:
        """Alert one hex without dice nor preparation (§9.4)."""
        self.reach((cell,), ready=True)
        quarter = int(self.world.district.quarter[cell])
        self._tell(AlertMeans.DOOR_TO_DOOR, quarter, None, 0, True, (cell,))

    def _tell(
        self,
        means: AlertMeans,
        quarter: int,
        dice: int | None,
        modifier: int,
        success: bool,
        cells: tuple[int, ...],
    ) -> None:
        self.events.append(
            AlertRolled(
                turn=self.turn,
                quarter=quarter,
                means=means.value,
                dice=dice,
                modifier=modifier,
                success=success,
                cells=cells,
            )
        )


def resolve_alerts(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Roll the turn's alerts, quarter by quarter (§18 step 7).

    A quarter rolls once a turn, for all its hexes under the turn's brushes. Patrols go from door
    to door first; word of mouth comes last, from the hexes alerted in turns before.
    """
    desk = _Desk(
        world,
        state.turn,
        roll_modifier(night=world.night(state.turn), credibility=world.scenario.credibility),
        state.alerted,
    )
    units = []
    for unit in state.units:
        if unit.task == DOOR_TO_DOOR and unit.to == NOWHERE:
            if desk.left_of((unit.cell,)):
                desk.door_to_door(unit.cell)
            unit = replace(unit, task="")
        units.append(unit)

    attempts = list(state.attempts)
    _by_injunction(desk, state, attempts)
    dark = set(around(world.district, state.outages, state.turn))
    sirens = has_sirens(world.district)
    for quarter, cells in _under_the_brush(desk, state):
        attempts[quarter] += 1
        attempt = attempts[quarter]
        best = AlertMeans.SIREN if sirens[quarter] else AlertMeans.CELL_BROADCAST
        reached = desk.roll(best, quarter, attempt, cells)
        if not reached and (powered := tuple(cell for cell in cells if cell not in dark)):
            reached = desk.roll(AlertMeans.RADIO, quarter, attempt, powered)
        if reached:
            desk.reach(reached, ready=desk.prepare("preparation", quarter, attempt))

    mouth_attempts = list(state.mouth_attempts)
    for quarter, left in _within_earshot(desk):
        mouth_attempts[quarter] += 1
        attempt = mouth_attempts[quarter]
        if chosen := desk.overhear(quarter, attempt, left):
            desk.reach(chosen, ready=desk.prepare("word_of_mouth preparation", quarter, attempt))

    reached_now = list(desk.first_step)
    state = changed(
        state,
        units=tuple(units),
        alerted=altered(state.alerted, reached_now, state.turn),
        first_step=altered(state.first_step, reached_now, list(desk.first_step.values())),
        attempts=tuple(attempts),
        mouth_attempts=tuple(mouth_attempts),
    )
    return state, tuple(desk.events)


def _by_injunction(desk: _Desk, state: State, attempts: list[int]) -> None:
    """Alert the whole quarter that the team, this turn, agreed to evacuate (§13.2)."""
    district = desk.world.district
    for one in state.injunctions:
        if one.turn != state.turn or not one.obeyed:
            continue
        mine = district.active & (district.quarter == one.quarter)
        cells = desk.left_of(np.flatnonzero(mine).tolist())
        if cells:
            desk.events.append(
                QuarterAlerted(turn=state.turn, quarter=one.quarter, cells=tuple(cells))
            )
            attempts[one.quarter] += 1
            ready = desk.prepare("preparation", one.quarter, attempts[one.quarter])
            desk.reach(cells, ready=ready)


def _under_the_brush(desk: _Desk, state: State) -> list[tuple[int, tuple[int, ...]]]:
    """Hexes to alert, by quarter: active, under some brush of the turn, not alerted yet."""
    district = desk.world.district
    cells: set[int] = set()
    for order in state.pending:
        if isinstance(order, Alert):
            cells.update(brushed(district, order.centre, order.radius))
    chosen = np.zeros(district.sheet.n_hexes, dtype=bool)
    chosen[desk.left_of(cells)] = True
    found = district.by_quarter(chosen)
    parts = (tuple(cells.tolist()) for cells in found.parts)
    return list(zip(found.quarters, parts, strict=True))


def _within_earshot(desk: _Desk) -> list[tuple[int, list[int]]]:
    """By quarter, its hexes not alerted beside one that was before this turn."""
    district = desk.world.district
    told = whole(desk.before) != NEVER
    near = district.active & ~told
    near &= _beside_alike(district.sheet.neighbours, district.quarter, told)
    near[list(desk.first_step)] = False
    found = district.by_quarter(near)
    return list(zip(found.quarters, [cells.tolist() for cells in found.parts], strict=True))


@njit(cache=True)
def _beside_alike(neighbours, quarter, told):  # type: ignore[no-untyped-def]
    """Whether a hex has a neighbour of its quarter among those told."""
    beside = np.zeros(told.shape[0], dtype=np.bool_)
    for cell in range(told.shape[0]):
        for other in neighbours[cell]:
            if other >= 0 and told[other] and quarter[other] == quarter[cell]:
                beside[cell] = True
                break
    return beside
