"""Whether the team may give an order, from what it knows alone (§6.3, 9.5).

An order refused costs nothing; one that turns out false in the world fails in play instead.
``refusal_on_paper`` needs no view, so that a file of orders is checked before the exercise.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from sim.district import District
from sim.events import Event, OrderRefused, OrderTaken, OrderWithdrawn
from sim.hexes import Sheet
from sim.links import vehicle_costs
from sim.orders import (
    FORECAST_TURN,
    FREE,
    Alert,
    DoorToDoor,
    Forecast,
    Move,
    Order,
    Void,
    Withdraw,
)
from sim.paths import shortest_paths
from sim.state import State
from sim.units import unit_names
from sim.view import View, staffing_at, view_for
from sim.world import World

Step = tuple[State, tuple[Event, ...]]
Kept = Mapping[int, Order]
"""Orders of the turn accepted so far, by their number in the order given, from 1."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an order may not be given: the rule's number and a sentence that says what to do."""

    rule: str
    sentence: str


def refusal(district: District, view: View, order: Order, kept: Kept) -> Refusal | None:
    """Why the team may not give this order now, or None (§9.5)."""
    if order.turn != view.turn:
        when = "past" if order.turn < view.turn else "coming"
        return Refusal(
            "9.5",
            f"an order for the {when} turn {order.turn} while turn {view.turn} is played: "
            f"date it {view.turn}",
        )
    return refusal_on_paper(district, view.turns, order, kept) or _refusal_by_known(
        district, view, order
    )


def refusal_on_paper(district: District, turns: int, order: Order, kept: Kept) -> Refusal | None:
    """Why an order can never be given, whatever the team knows, or None (§1.2, 9.1, 9.5, 9.6)."""
    return (
        _refusal_by_turn(turns, order)
        or _refusal_by_sheet(district, order)
        or _refusal_by_unit(district, order, kept)
        or _refusal_by_others(order, kept)
    )


def _refusal_by_turn(turns: int, order: Order) -> Refusal | None:
    if not FORECAST_TURN <= order.turn <= turns:
        return Refusal(
            "18",
            f"turn {order.turn} is not in the exercise: give a turn from {FORECAST_TURN} "
            f"(forecast) to {turns}",
        )
    if isinstance(order, Forecast) and order.turn != FORECAST_TURN:
        return Refusal(
            "9.6", f"the forecast is frozen since turn 1: paint it in turn {FORECAST_TURN}"
        )
    if order.turn == FORECAST_TURN and not isinstance(order, FREE):
        return Refusal("9.6", "no order but the forecast before turn 1: give it from turn 1 on")
    return None


def _refusal_by_sheet(district: District, order: Order) -> Refusal | None:
    sheet = district.sheet
    last = sheet.label(sheet.n_hexes - 1)
    match order:
        case Alert(centre=centre, radius=radius):
            if not 0 <= centre < sheet.n_hexes:
                return Refusal(
                    "9.5",
                    f"the brush is centred off the sheet: give a hex from {sheet.label(0)} "
                    f"to {last}",
                )
            widest = staffing_at(order.turn)
            if not 0 <= radius <= widest.brush_radius:
                return Refusal(
                    "9.1",
                    f"a brush of radius {radius} in turn {order.turn}: the centre's staffing "
                    f"({widest.label_en}) paints with 0 to {widest.brush_radius}",
                )
            if not brushed(district, centre, radius):
                return Refusal(
                    "1.2",
                    f"no active hex within {radius} of {sheet.label(centre)}: nobody lives there "
                    "to be alerted",
                )
            return None
        case Forecast(cells=cells):
            named: tuple[int, ...] = cells
        case Move(to=cell) | DoorToDoor(cell=cell):
            named = (cell,)
        case _:
            return None
    for cell in named:
        if not 0 <= cell < sheet.n_hexes:
            return Refusal(
                "1.3", f"a hex that is not on the sheet: give one from {sheet.label(0)} to {last}"
            )
        if not isinstance(order, Move) and not district.active[cell]:
            return Refusal(
                "1.2",
                f"hex {sheet.label(cell)} is not active (built, populated and connected): "
                "leave it out",
            )
    return None


def _refusal_by_unit(district: District, order: Order, kept: Kept) -> Refusal | None:
    if not isinstance(order, (Move, DoorToDoor)):
        return None
    names = unit_names(district)
    if order.unit not in names:
        return Refusal("5", f"no unit {order.unit!r}: the district has {names[0]} to {names[-1]}")
    for number, other in kept.items():
        if isinstance(other, (Move, DoorToDoor)) and other.unit == order.unit:
            if replace(other, reason="") == replace(order, reason=""):
                break
            return Refusal(
                "9.5",
                f"{order.unit} has order {number} this turn already: withdraw that one first",
            )
    return None


def _refusal_by_others(order: Order, kept: Kept) -> Refusal | None:
    if isinstance(order, Withdraw):
        if order.number not in kept:
            given = ", ".join(str(number) for number in kept) or "none"
            return Refusal(
                "9.5",
                f"order {order.number} of turn {order.turn} cannot be withdrawn: those that stand "
                f"are {given}",
            )
        return None
    for number, other in kept.items():
        # the reason is a note: it makes no other order
        if type(other) is type(order) and replace(other, reason="") == replace(order, reason=""):
            return Refusal("9.5", f"a duplicate of order {number} of the same turn: leave it out")
    spent = sum(not isinstance(other, FREE) for other in kept.values())
    if not isinstance(order, FREE) and spent >= staffing_at(order.turn).orders:
        staffed = staffing_at(order.turn)
        return Refusal(
            "9.1",
            f"over budget: turn {order.turn} has {staffed.orders} orders ({staffed.label_en}); "
            "withdraw one or wait for the next turn",
        )
    return None


def _refusal_by_known(district: District, view: View, order: Order) -> Refusal | None:
    label = district.sheet.label
    match order:
        case Alert(centre=centre, radius=radius):
            if set(brushed(district, centre, radius)) <= set(view.alerted):
                return Refusal(
                    "9.5",
                    f"every active hex within {radius} of {label(centre)} is alerted already: "
                    "choose others",
                )
            return None
        case DoorToDoor(cell=cell):
            if cell in view.alerted:
                return Refusal("9.5", f"hex {label(cell)} is alerted already: choose another")
        case Move(to=cell):
            pass
        case _:
            return None
    unit = next(unit for unit in view.units if unit.name == order.unit)
    if isinstance(order, Move) and unit.cell == cell and unit.to < 0:
        return Refusal("9.5", f"{unit.name} stands on hex {label(cell)} already: choose another")
    known = vehicle_costs(district, np.array(view.known_mm, dtype=np.int32))
    if shortest_paths(district.sheet, known, [cell]).distance[unit.cell] < 0:
        return Refusal(
            "6.3",
            f"no known way open to vehicles leads {unit.name} from hex {label(unit.cell)} to "
            f"{label(cell)}: choose another hex or look for a way first",
        )
    return None


def brushed(district: District, centre: int, radius: int) -> tuple[int, ...]:
    """Active hexes of the brush, ascending (§9.1); beyond the sheet's rim it paints nothing."""
    return tuple(cell for cell in _disk(district.sheet, centre, radius) if district.active[cell])


@lru_cache(maxsize=4_096)
def _disk(sheet: Sheet, centre: int, radius: int) -> tuple[int, ...]:
    return sheet.disk(centre, radius)


def take_orders(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Accept orders one by one, each in view of those before it in the turn (§18 step 5).

    Every order uses up a number of the turn, one that is refused too: a file counts its lines.
    """
    view = view_for(state, world.hour, world.turns)
    pending = list(state.pending)
    void = Void(turn=state.turn)
    events: list[Event] = []
    for order in orders:
        kept = {n: other for n, other in enumerate(pending, 1) if not isinstance(other, Void)}
        if reason := refusal(world.district, view, order, kept):
            refused = OrderRefused(
                turn=state.turn, order=order, by_rule=reason.rule, sentence=reason.sentence
            )
            events.append(refused)
            pending.append(void)
        elif isinstance(order, Withdraw):
            events.append(OrderWithdrawn(turn=state.turn, order=kept[order.number]))
            pending[order.number - 1] = void
            pending.append(void)
        else:
            events.append(OrderTaken(turn=state.turn, order=order))
            pending.append(order)
    return replace(state, pending=tuple(pending)), tuple(events)
