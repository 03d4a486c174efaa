"""What an order would do, as far as the team knows: shown before it is given (§6.3).

Everything here takes a ``KnownWorld``, from which no truth can be reached, and asks the rules' own
functions: what it shows is what the order would be judged by. What turns out otherwise in the world
fails in play.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sim.district import BoolArray, District
from sim.hexes import IntArray
from sim.isolation import isolated_by
from sim.legality import brushed, goals_of, kinds_for, refusal
from sim.links import Links, foot_cost, water_class
from sim.orders import (
    FREE,
    UNIT_ORDERS,
    Alert,
    Clear,
    Deliver,
    DoorToDoor,
    Footbridge,
    Forecast,
    Move,
    Order,
    Protect,
    Pump,
    Reserve,
    UnitOrder,
    order_key,
)
from sim.paths import Paths, shortest_paths
from sim.public import public_district
from sim.refusal import Refusal
from sim.rules import ACTIONS, COUNTER_BASE, Action, LinkClass, UnitKind, Water
from sim.seats import WHOLE_TEAM, refusal_by_seat
from sim.state import NOWHERE, Unit
from sim.units import KnownWays, Way, known_links, nearer
from sim.view import View


@dataclass(frozen=True)
class KnownWorld:
    """All that a team may reckon with: its district as players know it, and its view.

    Attributes
    ----------
    district : District
        Without what only the instructor knows of its storms (§7.6).
    view : View

    """

    district: District
    view: View

    @classmethod
    def of(cls, district: District, view: View) -> "KnownWorld":
        """Return the known world of a team that plays on a district."""
        return cls(public_district(district), view)

    @cached_property
    def kept(self) -> Mapping[int, Order]:
        """Orders of the turn that stand, by number."""
        return {one.number: one.order for one in self.view.pending}

    @cached_property
    def ways(self) -> KnownWays:
        """Ways of the kinds of unit."""
        return KnownWays(self.district, self.view)

    @cached_property
    def links(self) -> tuple[Links, IntArray]:
        """Links, and the depth of their deeper hexes, mm."""
        return known_links(self.district, self.view)

    @cached_property
    def isolated(self) -> BoolArray:
        """(n_hex,) hexes known to be isolated (§11)."""
        return isolated_by(self.district, *self.links)

    def unit(self, name: str) -> Unit | None:
        """Return a unit on the board, or None."""
        return next((unit for unit in self.view.units if unit.name == name), None)


# --------------------------------------------------------------------------- where a unit goes
@dataclass(frozen=True, slots=True)
class Journey:
    """A unit's way, as long as the water and all else stay as they are known now.

    Attributes
    ----------
    cells : tuple of int
        Hexes from where it stands to its goal.
    links : tuple of int
        Links between them.
    stops : tuple of int
        Hex where it ends each turn, the one that is played first; the goal last, unless it never
        gets there.
    arrives : int, optional
        Turn in which it arrives; None where a link on its way costs more than a turn's mobility.

    """

    cells: tuple[int, ...]
    links: tuple[int, ...]
    stops: tuple[int, ...]
    arrives: int | None


def journey(known: KnownWorld, unit: Unit, goal: int) -> Journey | None:
    """Return the way of a unit to a hex, turn by turn, or None where no way is known (§4.2, 5)."""
    way = known.ways.of(unit.kind)
    paths = shortest_paths(known.district.sheet, way.cost, [goal], unit.cell)
    if paths.distance[unit.cell] < 0:
        return None
    cells, links = _walked(paths, unit.cell)
    return _by_turns(known.view.turn, cells, links, way)


def _walked(paths: Paths, start: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    cells, links = [start], []
    while (edge := int(paths.next_edge[cells[-1]])) >= 0:
        links.append(edge)
        cells.append(int(paths.next_hex[cells[-1]]))
    return tuple(cells), tuple(links)


def _by_turns(turn: int, cells: tuple[int, ...], links: tuple[int, ...], way: Way) -> Journey:
    stops: list[int] = []
    here = 0
    while not stops or here < len(links):
        began, spent = here, 0
        while here < len(links) and spent + int(way.cost[links[here]]) <= way.mobility:
            spent, here = spent + int(way.cost[links[here]]), here + 1
        stops.append(cells[here])
        if here == began and here < len(links):
            return Journey(cells, links, tuple(stops), None)
    return Journey(cells, links, tuple(stops), turn + len(stops) - 1)


def on_their_way(known: KnownWorld) -> dict[str, Journey | None]:
    """Way of every unit that was sent off before, by name; None: out of reach as known (§16)."""
    return {
        unit.name: journey(known, unit, unit.to) for unit in known.view.units if unit.to != NOWHERE
    }


# --------------------------------------------------------------------------- what an order does
@dataclass(frozen=True, slots=True)
class Preview:
    """What an order would do.

    Attributes
    ----------
    order : Order
    refusal : Refusal, optional
        Why it would be refused; then it costs nothing, and what follows is still shown where it
        can be told.
    cost : int
        Orders of the turn's budget (§9.5).
    orders_left : int
        What would be left of the budget.
    cells : tuple of int
        Active hexes that a brush or a forecast touches, ascending (§9.1).
    fresh : tuple of int
        Of these, those that are not alerted yet.
    quarters : tuple of int
        Quarters that it touches, ascending: a roll each, for an alert (§9.4).
    journey : Journey, optional
        Way of the unit.
    effect : int, optional
        Turn from which the order has its effect, as far as is known.

    """

    order: Order
    refusal: Refusal | None
    cost: int
    orders_left: int
    cells: tuple[int, ...] = ()
    fresh: tuple[int, ...] = ()
    quarters: tuple[int, ...] = ()
    journey: Journey | None = None
    effect: int | None = None


def preview(known: KnownWorld, order: Order, seat: str = WHOLE_TEAM) -> Preview:
    """Return what an order would do if a seat gave it now (§6.3, 9.5, 9.7)."""
    district, view = known.district, known.view
    refused = refusal_by_seat(seat, order, known.kept) or refusal(
        district, view, order, known.kept, known.ways
    )
    cost = 0 if refused or isinstance(order, FREE) else 1
    cells = _touched(district, order)
    fresh = tuple(sorted(set(cells) - set(view.alerted))) if isinstance(order, Alert) else ()
    way = _way_of(known, order) if isinstance(order, UNIT_ORDERS) else None
    return Preview(
        order=order,
        refusal=refused,
        cost=cost,
        orders_left=view.orders_left - cost,
        cells=cells,
        fresh=fresh,
        quarters=_quarters(district, order, fresh or cells),
        journey=way,
        effect=_effect(view.turn, order, way),
    )


def _touched(district: District, order: Order) -> tuple[int, ...]:
    on_sheet = range(district.sheet.n_hexes)
    match order:
        case Alert(centre=centre, radius=radius) if centre in on_sheet and radius >= 0:
            return brushed(district, centre, radius)
        case Forecast(cells=cells):
            return tuple(sorted(cell for cell in {*cells} & {*on_sheet} if district.active[cell]))
        case DoorToDoor(cell=cell) | Deliver(cell=cell) if cell in on_sheet:
            return (cell,) if district.active[cell] else ()
    return ()


def _quarters(district: District, order: Order, cells: Iterable[int]) -> tuple[int, ...]:
    if isinstance(order, Protect):
        return (order.quarter,) if 0 <= order.quarter < len(district.quarters) else ()
    return tuple(sorted({int(district.quarter[cell]) for cell in cells}))


def _way_of(known: KnownWorld, order: UnitOrder) -> Journey | None:
    """Way of an order's unit to where the order sends it; None where there is none (§9.2)."""
    unit = known.unit(order.unit)
    if unit is None or unit.kind not in kinds_for(order) or not _is_on_sheet(known, order):
        return None
    goals = goals_of(known.district, order)
    if not goals:
        return None
    goal = goals[0]
    if len(goals) > 1:
        goal = nearer(known.district.sheet, unit.cell, goals, known.ways.of(unit.kind))
    return journey(known, unit, goal)


def _is_on_sheet(known: KnownWorld, order: UnitOrder) -> bool:
    sheet = known.district.sheet
    match order:
        case Move(to=cell) | DoorToDoor(cell=cell) | Deliver(cell=cell):
            return 0 <= cell < sheet.n_hexes
        case Reserve(links=links):
            return bool(links) and all(0 <= link < sheet.n_edges for link in links)
    return 0 <= order.link < sheet.n_edges


def _effect(turn: int, order: Order, way: Journey | None) -> int | None:
    """Turn from which an order holds: at once, on arrival, or when the unit is set up (§9.2)."""
    if not isinstance(order, UNIT_ORDERS):
        return turn
    if way is None or way.arrives is None:
        return None
    key = order_key(type(order))
    set_up = ACTIONS[Action(key)].set_up_turns if key in {one.value for one in Action} else 0
    return way.arrives + set_up


# --------------------------------------------------------------------------- what may be ordered
def targets(known: KnownWorld, name: str, seat: str = WHOLE_TEAM) -> dict[str, tuple[int, ...]]:
    """Hints: what a unit may be ordered now, and on which hexes or links (§6.3, 9.5).

    Parameters
    ----------
    known : KnownWorld
    name : str
        Of the unit.
    seat : str
        Who asks (§9.7).

    Returns
    -------
    dict of str to tuple of int
        By kind of order as files name it, the hexes or the links that would be accepted, ascending;
        of ``reserve``, the single links with which a chain may begin. Kinds with none are left out.
    """
    unit = known.unit(name)
    if unit is None:
        return {}
    found: dict[str, tuple[int, ...]] = {}
    for kind, places in _open_targets(known, unit).items():
        first = next(iter(places), None)
        if first is None:
            continue
        # what does not depend on the place (budget, seat, another order to the unit) is asked once
        order = _order(kind, known.view.turn, name, first)
        if preview(known, order, seat).refusal is None:
            found[order_key(kind)] = places
    return found


def _open_targets(known: KnownWorld, unit: Unit) -> dict[type[Order], tuple[int, ...]]:
    """Places that a unit can reach and that its orders suit, whatever else forbids them."""
    district, view, kind = known.district, known.view, unit.kind
    sheet = district.sheet
    reached = shortest_paths(sheet, known.ways.of(kind).cost, [unit.cell]).distance >= 0
    beside = reached[sheet.edges].any(axis=1)
    by_road = beside & (district.link_class > LinkClass.NONE)
    idle = unit.to == NOWHERE and not unit.task
    cells: dict[type[Order], BoolArray] = {
        Move: reached & ~_marked(sheet.n_hexes, [unit.cell] if idle else [])
    }
    links: dict[type[Order], BoolArray] = {}
    if kind is UnitKind.PATROL:
        alerted = _marked(sheet.n_hexes, view.alerted)
        cells[DoorToDoor] = reached & district.active & ~alerted
        links[Reserve] = by_road
    elif kind is UnitKind.PUMP:
        links[Pump] = by_road
        links[Footbridge] = beside & district.foot
    elif unit.loaded:
        short = np.unique(district.quarter[known.isolated & district.active])
        cells[Deliver] = reached & district.active & np.isin(district.quarter, short)
    if kind in ACTIONS[Action.CLEAR].units:
        stands = view.known_obstacles
        left = _marked(sheet.n_edges, (*stands.obstructed, *stands.cut(view.turn)))
        links[Clear] = by_road & left & ~_marked(sheet.n_edges, stands.roadworks)
    return {what: tuple(np.flatnonzero(at).tolist()) for what, at in (cells | links).items()}


def _marked(size: int, places: Iterable[int]) -> BoolArray:
    marked: BoolArray = np.zeros(size, dtype=bool)
    marked[list(places)] = True
    return marked


def _order(kind: type[Order], turn: int, unit: str, place: int) -> Order:
    if kind is Move:
        return Move(turn=turn, unit=unit, to=place)
    if kind is DoorToDoor:
        return DoorToDoor(turn=turn, unit=unit, cell=place)
    if kind is Deliver:
        return Deliver(turn=turn, unit=unit, cell=place)
    if kind is Reserve:
        return Reserve(turn=turn, unit=unit, links=(place,))
    named: dict[type[Order], type[Pump] | type[Footbridge] | type[Clear]] = {
        Pump: Pump,
        Footbridge: Footbridge,
        Clear: Clear,
    }
    return named[kind](turn=turn, unit=unit, link=place)


# --------------------------------------------------------------------------- where people would go
@dataclass(frozen=True, slots=True)
class Walk:
    """Where the people of a hex would walk if they were alerted now.

    Attributes
    ----------
    shelter : int
        Number from 0.
    cells, links : tuple of int
        From the hex to the shelter.
    turns : int
        What their counter would have to reach, without crowds, patrols and night's slower step
        (§10.1): 3 + the distance.

    """

    shelter: int
    cells: tuple[int, ...]
    links: tuple[int, ...]
    turns: int


def walk(known: KnownWorld, cell: int) -> Walk | None:
    """Return the shortest known way on foot from a hex to a shelter believed open, or None (§10.2).

    Open as far as is known: not closed nor crushed, with places left, in water of class < 2.
    """
    district, view = known.district, known.view
    wet = water_class(view.known_mm) >= Water.BLOCKING
    numbers = [
        number
        for number, shelter in enumerate(district.shelters)
        if not (view.closed[number] or view.crushed[number] or wet[shelter.cell])
        and view.places_taken[number] < shelter.places
    ]
    places = [district.shelters[number].cell for number in numbers]
    cost = foot_cost(*known.links, night=view.night)
    paths = shortest_paths(district.sheet, cost, places, cell)
    if paths.distance[cell] < 0:
        return None
    cells, links = _walked(paths, cell)
    turns = COUNTER_BASE + int(paths.distance[cell])
    return Walk(numbers[int(paths.place[cell])], cells, links, turns)


__all__ = [
    "Journey",
    "KnownWorld",
    "Preview",
    "Walk",
    "journey",
    "on_their_way",
    "preview",
    "targets",
    "walk",
]
