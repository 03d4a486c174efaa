"""Alerts: two dice a quarter, radio, door to door, word of mouth, preparation (§9.4)."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from sim.dice import below, two_dice
from sim.district import District
from sim.events import AlertRolled, Event, PreparationRolled
from sim.legality import brushed
from sim.orders import Alert, Order
from sim.rules import (
    ALERTS,
    NIGHT_ROLL,
    PREPARATION_DELAY_TURNS,
    PREPARATION_SUCCESS,
    AlertMeans,
)
from sim.state import NEVER, NOWHERE, State
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


def roll_modifier(*, night: bool) -> int:
    """Sum added to alert and preparation rolls (§9.4, 10.4)."""
    return NIGHT_ROLL if night else 0


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
        roll_modifier(night=world.night(state.turn)),
        list(state.alerted),
        list(state.first_step),
    )
    units = []
    for unit in state.units:
        if unit.door_to_door and unit.to == NOWHERE:
            if desk.alerted[unit.cell] == NEVER:
                desk.door_to_door(unit.cell)
            unit = replace(unit, door_to_door=False)
        units.append(unit)

    attempts = list(state.attempts)
    for quarter, cells in _under_the_brush(world.district, state, desk.alerted):
        attempts[quarter] += 1
        attempt = attempts[quarter]
        reached = desk.roll(AlertMeans.CELL_BROADCAST, quarter, attempt, cells) or desk.roll(
            AlertMeans.RADIO, quarter, attempt, cells
        )
        if reached:
            desk.reach(reached, ready=desk.prepare("preparation", quarter, attempt))

    mouth_attempts = list(state.mouth_attempts)
    for quarter, around in _within_earshot(world.district, state, desk.alerted):
        left = [cell for cell in around if desk.alerted[cell] == NEVER]
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
    told = np.flatnonzero(np.array(state.alerted) != NEVER)
    around = district.sheet.neighbours[told]
    untold = district.active & (np.array(alerted) == NEVER)
    alike = district.quarter[around] == district.quarter[told][:, None]
    row, side = np.nonzero((around >= 0) & untold[around] & alike)
    pairs = np.column_stack((district.quarter[told[row]], around[row, side]))
    by_quarter: dict[int, list[int]] = {}
    for quarter, cell in np.unique(pairs, axis=0).tolist():
        by_quarter.setdefault(quarter, []).append(cell)
    return [(quarter, tuple(cells)) for quarter, cells in by_quarter.items()]
