"""Units on the board: how many, where they start, how they move (§4.2, 5, 6.3)."""

from dataclasses import replace

import numpy as np

from sim.district import District
from sim.events import Event, UnitBlocked, UnitMoved
from sim.hexes import IntArray
from sim.links import CLOSED, vehicle_costs
from sim.orders import DoorToDoor, Move, Order
from sim.paths import shortest_paths
from sim.rules import LEAST_MEANS, PATROL_MOBILITY, PATROLS, REFERENCE_INHABITANTS
from sim.state import NOWHERE, State, Unit
from sim.world import World

Step = tuple[State, tuple[Event, ...]]


def patrol_count(district: District) -> int:
    """Patrols of a district: 10 for 422,100 active inhabitants, to the nearest, from 4 (§5.2)."""
    active = int(district.residents[district.active].sum())
    scaled = (2 * PATROLS * active + REFERENCE_INHABITANTS) // (2 * REFERENCE_INHABITANTS)
    return max(LEAST_MEANS.patrols, scaled)


def unit_names(district: District) -> tuple[str, ...]:
    """Names of a district's units, by number (§5)."""
    return tuple(f"patrol-{number}" for number in range(1, patrol_count(district) + 1))


def units_at_start(district: District) -> tuple[Unit, ...]:
    """Put the patrols at the police stations, dealt out in turn (§5)."""
    bases = district.police_stations
    return tuple(
        Unit(name=name, cell=bases[i % len(bases)].cell)
        for i, name in enumerate(unit_names(district))
    )


def move_units(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Send units off as ordered, and move all that are on their way, by number (§18 step 6).

    A unit plans on the known water and pays the true one: where the next link is closed in truth
    it stops before it, blocked (§6.3).
    """
    sent = {order.unit: order for order in state.pending if isinstance(order, (Move, DoorToDoor))}
    known = vehicle_costs(world.district, np.array(state.known_mm, dtype=np.int32))
    true = vehicle_costs(world.district, world.depth_mm[state.turn])
    events: tuple[Event, ...] = ()
    units = []
    for waiting in state.units:
        unit = _sent(waiting, sent.get(waiting.name))
        if unit.to != NOWHERE:
            unit, happened = _moved(world.district, state.turn, unit, known, true)
            events += happened
        units.append(unit)
    return replace(state, units=tuple(units)), events


def _sent(unit: Unit, order: Order | None) -> Unit:
    match order:
        case Move(to=cell):
            return Unit(unit.name, unit.cell, to=cell)
        case DoorToDoor(cell=cell):
            return Unit(unit.name, unit.cell, to=cell, door_to_door=True)
    return unit


def _moved(
    district: District, turn: int, unit: Unit, known: IntArray, true: IntArray
) -> tuple[Unit, tuple[Event, ...]]:
    """Move one unit a turn's mobility along its shortest known way."""
    paths = shortest_paths(district.sheet, known, [unit.to])
    here, spent, blocked = unit.cell, 0, False
    while here != unit.to:
        ahead, edge = int(paths.next_hex[here]), int(paths.next_edge[here])
        if edge < 0 or true[edge] == CLOSED:
            blocked = True
            break
        if spent + int(true[edge]) > PATROL_MOBILITY:
            break
        here, spent = ahead, spent + int(true[edge])
    events: tuple[Event, ...] = ()
    if here != unit.cell:
        moved = UnitMoved(
            turn=turn, unit=unit.name, from_cell=unit.cell, to_cell=here, points=spent
        )
        events += (moved,)
    if blocked:
        events += (UnitBlocked(turn=turn, unit=unit.name, at_cell=here, towards_cell=unit.to),)
    arrived = here == unit.to
    return replace(unit, cell=here, to=NOWHERE if arrived else unit.to, blocked=blocked), events
