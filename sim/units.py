"""Units on the board: how many, where they start, how they move and set to work (§5, 6.3, 9.2)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from sim.district import District, Facility
from sim.events import Event, Found, UnitBlocked, UnitMoved, WorkDone, WorkReady
from sim.hexes import IntArray, Sheet
from sim.links import CLOSED, Links, deeper_mm, deeper_of, is_open, vehicle_cost
from sim.obstacles import links_with
from sim.orders import (
    UNIT_ORDERS,
    Clear,
    Deliver,
    DoorToDoor,
    Footbridge,
    Move,
    Order,
    Pump,
    Reserve,
)
from sim.paths import pieces, shortest_paths
from sim.remembered import remembered
from sim.rules import (
    ACTIONS,
    BOAT_MOBILITY,
    REFERENCE_INHABITANTS,
    UNITS,
    Action,
    Mode,
    UnitKind,
)
from sim.state import NEVER, NOWHERE, State, changed
from sim.unit import DELIVER, DOOR_TO_DOOR, Unit
from sim.view import View
from sim.world import World

Step = tuple[State, tuple[Event, ...]]
TOWED, AFLOAT = 2, 3
"""Of 36 shares, what a boat spends on a point of towing, of 18, and on a hex afloat, of 12."""


def unit_count(district: District, kind: UnitKind) -> int:
    """Units of a kind: those of 422,100 active inhabitants in proportion, to the nearest (§5.2)."""
    row = UNITS[kind]
    people = district.active_residents
    scaled = (2 * row.reference_count * people + REFERENCE_INHABITANTS) // (
        2 * REFERENCE_INHABITANTS
    )
    return max(row.least, scaled)


def unit_names(district: District, *, half_staff: bool = False) -> tuple[str, ...]:
    """Names of a district's units, by kind and number; half of each kind may be away (§5, 8.4)."""
    counts = tuple(unit_count(district, kind) for kind in UnitKind)
    return _names(tuple((count + 1) // 2 for count in counts) if half_staff else counts)


@lru_cache(maxsize=64)
def _names(counts: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(
        f"{kind.value}-{number}"
        for kind, count in zip(UnitKind, counts, strict=True)
        for number in range(1, count + 1)
    )


def bases(district: District, kind: UnitKind) -> tuple[Facility, ...]:
    """Where the units of a kind start: police stations, or technical centres (§5)."""
    if kind is UnitKind.PATROL:
        return district.police_stations
    return district.technical_centres or district.police_stations


def units_at_start(district: District, *, half_staff: bool = False) -> tuple[Unit, ...]:
    """Put the units at their bases, dealt out in turn (§5)."""
    units = []
    for name in unit_names(district, half_staff=half_staff):
        kind, number = name.rsplit("-", 1)
        homes = bases(district, UnitKind(kind))
        units.append(Unit(name=name, cell=homes[(int(number) - 1) % len(homes)].cell))
    return tuple(units)


# --------------------------------------------------------------------------- ways
@dataclass(frozen=True, slots=True)
class Way:
    """What every link costs to a kind of unit, and what the unit has to spend in a turn."""

    cost: IntArray
    mobility: int

    def leads(self, sheet: Sheet, cell: int, goals: Iterable[int]) -> bool:
        """Whether some way leads from a hex to one of several, however long."""
        piece = _pieces(sheet, self.cost)
        return any(piece[goal] == piece[cell] for goal in goals)


_pieces = remembered(8)(pieces)


class Ways:
    """Ways of the kinds of unit over links under a water, each found once (§4.2, 5, 5.1, 6.3)."""

    def __init__(self, links_and_depth_mm: Callable[[], tuple[Links, IntArray]]) -> None:
        self._ask = links_and_depth_mm

    @cached_property
    def _links(self) -> tuple[Links, IntArray]:
        return self._ask()

    def of(self, kind: UnitKind) -> Way:
        """Return the way of a kind of unit."""
        if kind is UnitKind.BOAT:
            return Way(_cost_by_boat(*self._links), AFLOAT * BOAT_MOBILITY)
        return Way(_cost_by_road(*self._links), UNITS[kind].mobility)


@remembered(8)
def _cost_by_road(links: Links, depth_mm: IntArray) -> IntArray:
    cost = vehicle_cost(links, depth_mm)
    cost.flags.writeable = False
    return cost


@remembered(8)
def _cost_by_boat(links: Links, depth_mm: IntArray) -> IntArray:
    """Cost towed where vehicles pass, afloat where they cannot.

    In shares of 36 of a turn, so that both kinds of going add up in whole numbers.
    """
    afloat, road = is_open(links, depth_mm, Mode.BOAT), _cost_by_road(links, depth_mm)
    cost = np.where(road != CLOSED, TOWED * road, np.where(afloat, AFLOAT, CLOSED))
    cost = cost.astype(np.int32)
    cost.flags.writeable = False
    return cost


def known_links(district: District, known: State | View) -> tuple[Links, IntArray]:
    """Links of a district as the team knows them, and the depth of their deeper hexes, mm."""
    links = links_with(district, known.known_obstacles, known.units, known.turn)
    return links, deeper_of(district.sheet, known.known_mm)


class KnownWays(Ways):
    """Ways of the kinds of unit as far as the team knows (§6.3)."""

    def __init__(self, district: District, known: State | View) -> None:
        super().__init__(lambda: known_links(district, known))


def true_links(world: World, state: State) -> tuple[Links, IntArray]:
    """Links as they are in the world, and the depth of their deeper hexes, mm."""
    links = links_with(world.district, state.obstacles, state.units, state.turn)
    return links, _deeper_at(world, state.turn)


@remembered(8)
def _deeper_at(world: World, turn: int) -> IntArray:
    deeper = deeper_mm(world.district.sheet, world.depth_mm[turn])
    deeper.flags.writeable = False
    return deeper


# --------------------------------------------------------------------------- phase 6
def move_units(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Send units off as ordered, move those on their way, set the arrived to work (§18 step 6).

    A unit plans on the known water and pays the true one: where the next link is closed in truth
    it stops before it, blocked (§6.3), and what stopped it is known from then on.
    """
    sent = {order.unit: order for order in state.pending if isinstance(order, UNIT_ORDERS)}
    known_ways = KnownWays(world.district, state)
    true_ways = Ways(lambda: true_links(world, state))
    events: list[Event] = []
    units, met = [], set()
    for unit in state.units:
        if order := sent.get(unit.name):
            unit = _sent(world.district, unit, order, known_ways.of(unit.kind))
        if unit.to != NOWHERE:
            known, true = known_ways.of(unit.kind), true_ways.of(unit.kind)
            unit, happened, edge = _moved(world.district.sheet, state.turn, unit, known, true)
            events += happened
            if edge is not None:
                met.add(edge)
        units.append(_set_to_work(state.turn, unit))
    moved = changed(state, units=tuple(units))
    moved, found = find_obstacles(moved, met)
    moved, worked = _work(world.district, moved)
    return moved, (*events, *found, *worked)


def _sent(district: District, unit: Unit, order: Order, known: Way) -> Unit:
    off = replace(unit, task="", links=(), ready=NEVER, blocked=False)
    match order:
        case Move(to=cell):
            return replace(off, to=cell)
        case DoorToDoor(cell=cell):
            return replace(off, to=cell, task=DOOR_TO_DOOR)
        case Deliver(cell=cell):
            return replace(off, to=cell, task=DELIVER)
        case Reserve(links=links):
            ends = chain_ends(district.sheet, links)
            to = nearer(district.sheet, unit.cell, ends, known)
            return replace(off, to=to, task=Action.RESERVE.value, links=links)
        case Pump(link=link) | Footbridge(link=link) | Clear(link=link):
            ends = chain_ends(district.sheet, (link,))
            to = nearer(district.sheet, unit.cell, ends, known)
            return replace(off, to=to, task=action_of(order).value, links=(link,))
    raise TypeError(f"{type(order).__name__} sends no unit")


def action_of(order: Order) -> Action:
    """Return the link action that an order asks for (§9.2)."""
    return Action(type(order).__name__.lower())


def chain_ends(sheet: Sheet, links: tuple[int, ...]) -> tuple[int, ...]:
    """Return the two end hexes of links that follow each other, or () where they do not.

    Examples
    --------
    >>> sheet = Sheet(1, 4)
    >>> chain_ends(sheet, (1,)), chain_ends(sheet, (0, 1, 2)), chain_ends(sheet, (0, 2))
    ((1, 2), (0, 3), ())

    """
    first, last = sheet.edges[links[0]].tolist()
    for here, link in enumerate(links[1:]):
        pair = set(sheet.edges[link].tolist())
        if here == 0 and last not in pair:
            first, last = last, first
        if last not in pair or link in links[: here + 1]:
            return ()
        (last,) = pair - {last}
    return (first, last)


def nearer(sheet: Sheet, cell: int, ends: tuple[int, ...], known: Way) -> int:
    """Return the end of a chain that a unit reaches first as far as is known; ties to the lower."""
    ends = tuple(sorted(ends))
    paths = shortest_paths(sheet, known.cost, [cell])
    away = [int(paths.distance[end]) for end in ends]
    reached = [i for i in (0, 1) if away[i] >= 0]
    return ends[min(reached, key=lambda i: away[i])] if reached else ends[0]


def _moved(
    sheet: Sheet, turn: int, unit: Unit, known: Way, true: Way
) -> tuple[Unit, tuple[Event, ...], int | None]:
    """Move one unit a turn's mobility along its shortest known way; tell what link stopped it."""
    paths = shortest_paths(sheet, known.cost, [unit.to], unit.cell)
    here, spent, blocked, met = unit.cell, 0, False, None
    while here != unit.to:
        ahead, edge = int(paths.next_hex[here]), int(paths.next_edge[here])
        if edge < 0 or (cost := int(true.cost[edge])) == CLOSED:
            blocked, met = True, edge if edge >= 0 else None
            break
        if spent + cost > known.mobility:
            break
        here, spent = ahead, spent + cost
    events: tuple[Event, ...] = ()
    if here != unit.cell:
        moved = UnitMoved(
            turn=turn, unit=unit.name, from_cell=unit.cell, to_cell=here, points=spent
        )
        events += (moved,)
    if blocked:
        events += (UnitBlocked(turn=turn, unit=unit.name, at_cell=here, towards_cell=unit.to),)
    arrived = here == unit.to
    to = NOWHERE if arrived else unit.to
    return replace(unit, cell=here, to=to, blocked=blocked), events, met


def _set_to_work(turn: int, unit: Unit) -> Unit:
    """Begin the set-up of a unit that has arrived at its link (§9.2)."""
    if unit.task not in _LINK_TASKS or unit.to != NOWHERE or unit.ready != NEVER:
        return unit
    return replace(unit, ready=turn + ACTIONS[Action(unit.task)].set_up_turns)


_LINK_TASKS = frozenset(action.value for action in Action)


def _work(district: District, state: State) -> Step:
    """Tell of works that begin to hold, and finish the clearing of roads (§9.2)."""
    turn = state.turn
    events: list[Event] = []
    units = []
    obstacles, known = state.obstacles, state.known_obstacles
    for unit in state.units:
        if unit.at_work(turn) and unit.ready == turn:
            edge = unit.links[0]
            if unit.task == Action.CLEAR.value:
                obstacles, known = obstacles.without(edge), known.without(edge)
                events.append(WorkDone(turn=turn, unit=unit.name, links=unit.links))
                unit = replace(unit, task="", links=(), ready=NEVER)
            else:
                events.append(
                    WorkReady(turn=turn, unit=unit.name, action=unit.task, links=unit.links)
                )
        units.append(unit)
    state = changed(state, units=tuple(units), obstacles=obstacles, known_obstacles=known)
    return state, tuple(events)


def find_obstacles(state: State, met: Iterable[int]) -> Step:
    """Make known the roadworks on links that units or walkers have just tried (§6.3, 13.1)."""
    known = state.known_obstacles
    new = sorted((set(state.obstacles.roadworks) - set(known.roadworks)).intersection(met))
    if not new:
        return state, ()
    known = replace(known, roadworks=tuple(sorted({*known.roadworks, *new})))
    found = Found(turn=state.turn, links=tuple(new))
    return changed(state, known_obstacles=known), (found,)
