"""Alerts: two dice a quarter, radio, door to door, word of mouth, preparation (§9.4)."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from sim.arrays import whole
from sim.dice import below, two_dice
from sim.district import BoolArray, District
from sim.events import AlertRolled, Event, PreparationRolled
from sim.legality import brushed
from sim.obstacles import around
from sim.orders import Alert, Order
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
from sim.state import NEVER, NOWHERE, State
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


def has_sirens(district: District) -> BoolArray:
    """(n_quarter,) whether a quarter has sirens: the most populous, 6 of 422,100 people (§9.4).

    Among equals the lower quarter; always one at least.
    """
    people = np.bincount(
        district.quarter[district.active],
        weights=district.residents[district.active],
        minlength=len(district.quarters),
    )
    scaled = (2 * SIREN_QUARTERS * int(people.sum()) + REFERENCE_INHABITANTS) // (
        2 * REFERENCE_INHABITANTS
    )
    chosen = np.argsort(-people, kind="stable")[: max(1, scaled)]
    sirens = np.zeros(len(district.quarters), dtype=bool)
    sirens[chosen] = True
    return sirens


@dataclass
class _Desk:
    """What the turn's alerts change, gathered before it enters the state."""

    world: World
    turn: int
    modifier: int
    alerted: list[int]
    first_step: list[int]
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
        for cell in cells:
            self.alerted[cell] = self.turn
            self.first_step[cell] = first

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
        list(state.alerted),
        list(state.first_step),
    )
    units = []
    for unit in state.units:
        if unit.task == DOOR_TO_DOOR and unit.to == NOWHERE:
            if desk.alerted[unit.cell] == NEVER:
                desk.door_to_door(unit.cell)
            unit = replace(unit, task="")
        units.append(unit)

    attempts = list(state.attempts)
    _by_injunction(desk, state, attempts)
    dark = set(around(world.district, state.outages, state.turn))
    sirens = has_sirens(world.district)
    for quarter, cells in _under_the_brush(world.district, state, desk.alerted):
        attempts[quarter] += 1
        attempt = attempts[quarter]
        best = AlertMeans.SIREN if sirens[quarter] else AlertMeans.CELL_BROADCAST
        reached = desk.roll(best, quarter, attempt, cells)
        if not reached and (powered := tuple(cell for cell in cells if cell not in dark)):
            reached = desk.roll(AlertMeans.RADIO, quarter, attempt, powered)
        if reached:
            desk.reach(reached, ready=desk.prepare("preparation", quarter, attempt))

    mouth_attempts = list(state.mouth_attempts)
    for quarter, near in _within_earshot(world.district, state, desk.alerted):
        left = [cell for cell in near if desk.alerted[cell] == NEVER]
        if not left:
            continue
        mouth_attempts[quarter] += 1
        attempt = mouth_attempts[quarter]
        if chosen := desk.overhear(quarter, attempt, left):
            desk.reach(chosen, ready=desk.prepare("word_of_mouth preparation", quarter, attempt))

    state = replace(
        state,
        units=tuple(units),
        alerted=tuple(desk.alerted),
        first_step=tuple(desk.first_step),
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
        cells = [c for c in np.flatnonzero(mine).tolist() if desk.alerted[c] == NEVER]
        if cells:
            attempts[one.quarter] += 1
            ready = desk.prepare("preparation", one.quarter, attempts[one.quarter])
            desk.reach(cells, ready=ready)


def _under_the_brush(
    district: District, state: State, alerted: list[int]
) -> list[tuple[int, tuple[int, ...]]]:
    """Hexes to alert, by quarter: active, under some brush of the turn, not alerted yet."""
    cells: set[int] = set()
    for order in state.pending:
        if isinstance(order, Alert):
            cells.update(brushed(district, order.centre, order.radius))
    by_quarter: dict[int, list[int]] = {}
    for cell in sorted(cells):
        if alerted[cell] == NEVER:
            by_quarter.setdefault(int(district.quarter[cell]), []).append(cell)
    return [(quarter, tuple(by_quarter[quarter])) for quarter in sorted(by_quarter)]


def _within_earshot(
    district: District, state: State, alerted: list[int]
) -> list[tuple[int, tuple[int, ...]]]:
    """By quarter, its hexes not alerted beside one that was before this turn."""
    told = np.flatnonzero(whole(state.alerted) != NEVER)
    around = district.sheet.neighbours[told]
    untold = district.active & (np.array(alerted) == NEVER)
    alike = district.quarter[around] == district.quarter[told][:, None]
    row, side = np.nonzero((around >= 0) & untold[around] & alike)
    cells = np.unique(around[row, side])
    by_quarter: dict[int, list[int]] = {}
    for cell, quarter in zip(cells.tolist(), district.quarter[cells].tolist(), strict=True):
        by_quarter.setdefault(quarter, []).append(cell)
    by_quarter = dict(sorted(by_quarter.items()))
    return [(quarter, tuple(cells)) for quarter, cells in by_quarter.items()]
