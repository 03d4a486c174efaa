"""The channels that speak each turn: patrols and stations, exact and at once (§6)."""

from dataclasses import replace

import numpy as np

from sim.district import District
from sim.events import Event, Observed
from sim.orders import Order
from sim.rules import NIGHT_PATROL_SIGHT, PATROL_SIGHT
from sim.state import State, Unit
from sim.world import World

Step = tuple[State, tuple[Event, ...]]


def observed_cells(district: District, units: tuple[Unit, ...], *, night: bool) -> tuple[int, ...]:
    """Hexes that patrols and stations see from where they stand, ascending (§6, 6.0).

    A patrol sees its own hex and the six around it, by night its own only; a station its own.
    """
    sight = NIGHT_PATROL_SIGHT if night else PATROL_SIGHT
    seen = {station.cell for station in district.stations}
    for unit in units:
        seen.add(unit.cell)
        if sight:
            seen.update(district.sheet.neighbours[unit.cell].tolist())
    seen.discard(-1)
    return tuple(sorted(seen))


def let_channels_speak(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Add to the known state what units and stations see of the turn's water (§18 step 4)."""
    cells = observed_cells(world.district, state.units, night=world.night(state.turn))
    depths = world.depth_mm[state.turn, list(cells)].tolist()
    known_mm = np.array(state.known_mm)
    known_turn = np.array(state.known_turn)
    known_mm[list(cells)] = depths
    known_turn[list(cells)] = state.turn
    state = replace(state, known_mm=tuple(known_mm.tolist()), known_turn=tuple(known_turn.tolist()))
    return state, (Observed(turn=state.turn, cells=cells, depth_mm=tuple(depths)),)
