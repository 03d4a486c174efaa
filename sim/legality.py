"""Whether the team may give an order, from what it knows alone (§6.3, 9.5).

An order refused costs nothing; one that turns out false in the world fails in play instead.
``refusal_on_paper`` needs no view, so that a file of orders is checked before the exercise.
"""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from sim.district import District
from sim.events import Event, OrderRefused, OrderTaken, OrderWithdrawn, link_label
from sim.hexes import Sheet
from sim.isolation import isolated_by
from sim.orders import (
    FORECAST_TURN,
    FREE,
    LINK_ORDERS,
    UNIT_ORDERS,
    Alert,
    Answer,
    Clear,
    CloseShelter,
    Deliver,
    DoorToDoor,
    Footbridge,
    Forecast,
    Move,
    OpenShelter,
    Order,
    Protect,
    Pump,
    Reserve,
    UnitOrder,
    Void,
    Withdraw,
)
from sim.refusal import OneOf, Refusal, refuse
from sim.remembered import remembered
from sim.rules import (
    ACTIONS,
    PROTECTIONS,
    REINFORCEMENT_PATROLS,
    RESERVED_LINKS,
    UNITS,
    LinkClass,
    Protection,
    UnitKind,
)
from sim.seats import WHOLE_TEAM, refusal_by_seat
from sim.state import Injunction, State, changed
from sim.units import KnownWays, action_of, chain_ends, known_links, unit_count, unit_names
from sim.view import View, staffing_at, view_for
from sim.world import World

Step = tuple[State, tuple[Event, ...]]
Kept = Mapping[int, Order]
"""Orders of the turn accepted so far, by their number in the order given, from 1."""


def refusal(
    district: District, view: View, order: Order, kept: Kept, ways: KnownWays | None = None
) -> Refusal | None:
    """Why the team may not give this order now, or None (§9.5).

    Parameters
    ----------
    district, view, order, kept
    ways : KnownWays, optional
        Of the view, for whoever asks about several orders.
    """
    if order.turn != view.turn:
        turns = {"turn": order.turn, "now": view.turn}
        if order.turn < view.turn:
            return refuse(
                "9.5",
                "an order for the past turn {turn} while turn {now} is played: date it {now}",
                **turns,
            )
        return refuse(
            "9.5",
            "an order for the coming turn {turn} while turn {now} is played: date it {now}",
            **turns,
        )
    return refusal_on_paper(district, view.turns, order, kept) or _refusal_by_known(
        district, view, order, ways or KnownWays(district, view)
    )


def _refusal_once_ended(state: State) -> Refusal | None:
    if not state.ended:
        return None
    return refuse("18", "the instructor ended the exercise: no order counts any more")


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
        return refuse(
            "18",
            "turn {turn} is not in the exercise: give a turn from {first} (forecast) to {last}",
            turn=order.turn,
            first=FORECAST_TURN,
            last=turns,
        )
    if isinstance(order, Forecast) and order.turn != FORECAST_TURN:
        return refuse(
            "9.6",
            "the forecast is frozen since turn 1: paint it in turn {first}",
            first=FORECAST_TURN,
        )
    if order.turn == FORECAST_TURN and not isinstance(order, FREE):
        return refuse("9.6", "no order but the forecast before turn 1: give it from turn 1 on")
    return None


def _refusal_by_sheet(district: District, order: Order) -> Refusal | None:
    match order:
        case Alert():
            return _refusal_of_brush(district, order)
        case Forecast(cells=cells):
            return _refusal_of_cells(district, cells, active=True)
        case Move(to=cell):
            return _refusal_of_cells(district, (cell,), active=False)
        case DoorToDoor(cell=cell) | Deliver(cell=cell):
            return _refusal_of_cells(district, (cell,), active=True)
        case Pump(link=link) | Footbridge(link=link) | Clear(link=link):
            return _refusal_of_links(district, (link,), by_road=not isinstance(order, Footbridge))
        case Reserve(links=links):
            return _refusal_of_chain(district, links)
        case Protect(quarter=quarter):
            if not 0 <= quarter < len(district.quarters):
                return refuse(
                    "9.3",
                    "no quarter {quarter}: give a quarter of the district",
                    quarter=quarter,
                )
        case CloseShelter(shelter=shelter) | OpenShelter(shelter=shelter):
            if not 0 <= shelter < len(district.shelters):
                return refuse(
                    "5", "no shelter {shelter}: give a shelter of the district", shelter=shelter
                )
    return None


def _refusal_of_brush(district: District, order: Alert) -> Refusal | None:
    sheet, centre, radius = district.sheet, order.centre, order.radius
    if not 0 <= centre < sheet.n_hexes:
        return refuse(
            "9.5",
            "the brush is centred off the sheet: give a hex from {first} to {last}",
            **_first_and_last(sheet),
        )
    widest = staffing_at(order.turn)
    if not 0 <= radius <= widest.brush_radius:
        return refuse(
            "9.1",
            "a brush of radius {radius} in turn {turn}: the centre's staffing ({staffing}) "
            "paints with 0 to {widest}",
            radius=radius,
            turn=order.turn,
            staffing=widest,
            widest=widest.brush_radius,
        )
    if not brushed(district, centre, radius):
        return refuse(
            "1.2",
            "no active hex within {radius} of {hex}: nobody lives there to be alerted",
            radius=radius,
            hex=sheet.label(centre),
        )
    return None


def _refusal_of_cells(
    district: District, cells: tuple[int, ...], *, active: bool
) -> Refusal | None:
    sheet = district.sheet
    for cell in cells:
        if not 0 <= cell < sheet.n_hexes:
            return refuse(
                "1.3",
                "a hex that is not on the sheet: give one from {first} to {last}",
                **_first_and_last(sheet),
            )
        if active and not district.active[cell]:
            return refuse(
                "1.2",
                "hex {hex} is not active (built, populated and connected): leave it out",
                hex=sheet.label(cell),
            )
    return None


def _first_and_last(sheet: Sheet) -> dict[str, str]:
    """Return the numbers between which those of all hexes lie."""
    return {"first": sheet.label(0), "last": sheet.label(sheet.n_hexes - 1)}


def _refusal_of_links(
    district: District, links: tuple[int, ...], *, by_road: bool
) -> Refusal | None:
    for link in links:
        if not 0 <= link < district.sheet.n_edges:
            return refuse("3", "a link that is not on the sheet: give two neighbouring hexes")
        label = link_label(district.sheet, link)
        if by_road and district.link_class[link] == LinkClass.NONE:
            return refuse("3.1", "no road crosses the edge {link}: choose another", link=label)
        if not by_road and not district.foot[link]:
            return refuse(
                "3.1",
                "no way on foot, even on dry ground, crosses the edge {link}: choose another",
                link=label,
            )
    return None


def _refusal_of_chain(district: District, links: tuple[int, ...]) -> Refusal | None:
    if not 1 <= len(links) <= RESERVED_LINKS:
        return refuse(
            "9.2",
            "an axis of {count} links: reserve 1 to {most}",
            count=len(links),
            most=RESERVED_LINKS,
        )
    if refused := _refusal_of_links(district, links, by_road=True):
        return refused
    if not chain_ends(district.sheet, links):
        return refuse("9.2", "links that do not follow each other: give them as walked, each once")
    return None


@remembered(8)
def _roster(district: District) -> tuple[str, ...]:
    """Units that may ever be on the board, reinforcements among them (§5, 13.1)."""
    names, patrols = unit_names(district), unit_count(district, UnitKind.PATROL)
    extra = range(patrols + 1, patrols + _EXTRA_PATROLS + 1)
    return (*names, *(f"{UnitKind.PATROL.value}-{number}" for number in extra))


_EXTRA_PATROLS = 3 * REINFORCEMENT_PATROLS
"""The deck is gone through three times at most in an exercise of thirty turns or so."""


def _refusal_by_unit(district: District, order: Order, kept: Kept) -> Refusal | None:
    if not isinstance(order, UNIT_ORDERS):
        return None
    names = _roster(district)
    if order.unit not in names:
        return refuse(
            "5",
            "no unit '{name}': the district has {names}",
            name=order.unit,
            names=", ".join(names),
        )
    kind = UnitKind(order.unit.rsplit("-", 1)[0])
    wanted = kinds_for(order)
    if kind not in wanted:
        return refuse(
            "5" if not isinstance(order, (*LINK_ORDERS, Reserve)) else "9.2",
            "{unit} cannot do that: it takes a {kinds}",
            unit=order.unit,
            kinds=OneOf(tuple(UNITS[kind] for kind in wanted)),
        )
    for number, other in kept.items():
        if isinstance(other, UNIT_ORDERS) and other.unit == order.unit:
            if _is_same(other, order):
                break
            return refuse(
                "9.5",
                "{unit} has order {number} this turn already: withdraw that one first",
                unit=order.unit,
                number=number,
            )
    return None


def kinds_for(order: Order) -> tuple[UnitKind, ...]:
    """Kinds of unit that can do what an order asks (§9.2, 9.4, 11)."""
    match order:
        case DoorToDoor():
            return (UnitKind.PATROL,)
        case Deliver():
            return (UnitKind.BOAT,)
        case Move():
            return tuple(UnitKind)
    return ACTIONS[action_of(order)].units


def _refusal_by_others(order: Order, kept: Kept) -> Refusal | None:
    if isinstance(order, Withdraw):
        if not kept:
            return refuse(
                "9.5",
                "order {number} of turn {turn} cannot be withdrawn: none stands",
                number=order.number,
                turn=order.turn,
            )
        if order.number not in kept:
            return refuse(
                "9.5",
                "order {number} of turn {turn} cannot be withdrawn: those that stand are {given}",
                number=order.number,
                turn=order.turn,
                given=", ".join(map(str, kept)),
            )
        return None
    for number, other in kept.items():
        if _is_same(other, order):
            return refuse(
                "9.5",
                "a duplicate of order {number} of the same turn: leave it out",
                number=number,
            )
    if isinstance(order, FREE):
        return None
    staffed = staffing_at(order.turn)
    if len(kept) >= staffed.orders <= sum(not isinstance(one, FREE) for one in kept.values()):
        return refuse(
            "9.1",
            "over budget: turn {turn} has {count} orders ({staffing}); withdraw one or wait for "
            "the next turn",
            turn=order.turn,
            count=staffed.orders,
            staffing=staffed,
        )
    return None


def _is_same(one: Order, other: Order) -> bool:
    """Whether two orders ask the same; the reason is a note: it makes no other order."""
    if type(one) is not type(other):
        return False
    return (one if one.reason == other.reason else replace(one, reason=other.reason)) == other


def _refusal_by_known(
    district: District, view: View, order: Order, ways: KnownWays
) -> Refusal | None:
    label = district.sheet.label
    match order:
        case Alert(centre=centre, radius=radius):
            if all(_is_among(cell, view.alerted) for cell in brushed(district, centre, radius)):
                return refuse(
                    "9.5",
                    "every active hex within {radius} of {hex} is alerted already: choose others",
                    radius=radius,
                    hex=label(centre),
                )
        case DoorToDoor(cell=cell) if _is_among(cell, view.alerted):
            return refuse("9.5", "hex {hex} is alerted already: choose another", hex=label(cell))
        case Protect(quarter=quarter, option=option):
            if view.protection[quarter] == tuple(Protection).index(option):
                return refuse(
                    "9.3",
                    "{quarter} has the option '{option}' already",
                    quarter=district.quarters[quarter],
                    option=PROTECTIONS[option],
                )
        case CloseShelter(shelter=shelter) if view.closed[shelter]:
            return refuse(
                "9.5", "{shelter} is closed already", shelter=district.shelters[shelter].name
            )
        case OpenShelter(shelter=shelter) if not view.closed[shelter]:
            return refuse(
                "9.5",
                "{shelter} is not closed by an order",
                shelter=district.shelters[shelter].name,
            )
        case Deliver(cell=cell):
            isolated = isolated_by(district, *known_links(district, view))
            quarter = int(district.quarter[cell])
            if not isolated[district.quarter == quarter].any():
                return refuse(
                    "11",
                    "no hex of {quarter} is known to be isolated: have a look first, or send the "
                    "boat there to wait",
                    quarter=district.quarters[quarter],
                )
        case Answer() if awaited_injunction(view.injunctions) is None:
            return refuse("13.2", "the prefecture asks nothing this turn: no answer is awaited")
        case Clear(link=link):
            known = view.known_obstacles
            if link not in known.obstructed and link not in known.cut(view.turn):
                return refuse(
                    "9.2",
                    "nothing is known to stand on the link {link}: choose another",
                    link=link_label(district.sheet, link),
                )
            if link in known.roadworks:
                return refuse(
                    "13.1",
                    "the link {link} is gone for good, under works: it cannot be cleared",
                    link=link_label(district.sheet, link),
                )
    return _refusal_of_way(district, view, order, ways) if isinstance(order, UNIT_ORDERS) else None


def _refusal_of_way(
    district: District, view: View, order: UnitOrder, ways: KnownWays
) -> Refusal | None:
    """Why a unit cannot go where an order sends it, as far as is known (§6.3)."""
    label = district.sheet.label
    unit = next((unit for unit in view.units if unit.name == order.unit), None)
    if unit is None:
        return refuse("5", "{unit} is not on the board: choose another unit", unit=order.unit)
    if isinstance(order, Move) and unit.cell == order.to and unit.to < 0 and not unit.task:
        return refuse(
            "9.5",
            "{unit} stands on hex {hex} already: choose another",
            unit=unit.name,
            hex=label(order.to),
        )
    if isinstance(order, Deliver) and not unit.loaded:
        return refuse(
            "11",
            "{unit} is empty: send it back to a technical centre to load it first",
            unit=unit.name,
        )
    goals = goals_of(district, order)
    if not ways.of(unit.kind).leads(district.sheet, unit.cell, goals):
        return refuse(
            "6.3",
            "no known way leads {unit} from hex {hex} to {goals}: choose another hex or look for "
            "a way first",
            unit=unit.name,
            hex=label(unit.cell),
            goals=OneOf(tuple(label(goal) for goal in goals)),
        )
    return None


def goals_of(district: District, order: UnitOrder) -> tuple[int, ...]:
    """Hexes of which one must be reached to carry out an order."""
    match order:
        case Move(to=cell) | DoorToDoor(cell=cell) | Deliver(cell=cell):
            return (cell,)
        case Reserve(links=links):
            return chain_ends(district.sheet, links)
    return chain_ends(district.sheet, (order.link,))


def awaited_injunction(injunctions: tuple[Injunction, ...]) -> Injunction | None:
    """Return the prefecture's demand that still awaits an answer, if any (§13.2)."""
    return next((one for one in injunctions if one.obeyed is None), None)


def brushed(district: District, centre: int, radius: int) -> tuple[int, ...]:
    """Active hexes of the brush, ascending (§9.1); beyond the sheet's rim it paints nothing."""
    disk = _disk(district.sheet, centre, radius)
    return tuple(disk[district.active[disk]].tolist())


@lru_cache(maxsize=4_096)
def _disk(sheet: Sheet, centre: int, radius: int) -> npt.NDArray[np.intp]:
    return np.array(sheet.disk(centre, radius), dtype=np.intp)


def _is_among(cell: int, ascending: tuple[int, ...]) -> bool:
    place = bisect_left(ascending, cell)
    return place < len(ascending) and ascending[place] == cell


def take_orders(
    world: World, state: State, orders: tuple[Order, ...], seat: str = WHOLE_TEAM
) -> Step:
    """Accept orders one by one, each in view of those before it in the turn (§18 step 5).

    Every order uses up a number of the turn, one that is refused too: a file counts its lines.
    All come from one seat (§9.7).
    """
    view = view_for(state, world.hour, world.turns)
    ways = KnownWays(world.district, view)
    pending = list(state.pending)
    void = Void(turn=state.turn)
    events: list[Event] = []
    for order in orders:
        kept = {n: other for n, other in enumerate(pending, 1) if not isinstance(other, Void)}
        if reason := (
            _refusal_once_ended(state)
            or refusal_by_seat(seat, order, kept)
            or refusal(world.district, view, order, kept, ways)
        ):
            events.append(OrderRefused(turn=state.turn, order=order, refusal=reason))
            pending.append(void)
        elif isinstance(order, Withdraw):
            events.append(OrderWithdrawn(turn=state.turn, order=kept[order.number]))
            pending[order.number - 1] = void
            pending.append(void)
        else:
            events.append(OrderTaken(turn=state.turn, order=order))
            pending.append(order)
    return changed(state, pending=tuple(pending)), tuple(events)
