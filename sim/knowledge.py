"""The channels that speak exactly and at once: patrols, pump trucks, boats, stations (§6)."""

import numpy as np

from sim.arrays import altered, whole
from sim.district import District
from sim.events import Event, Observed
from sim.links import deeper_mm, water_seen
from sim.obstacles import Obstacles, around, links_with
from sim.orders import Order
from sim.rules import Water
from sim.sight import observed_cells, seen_on
from sim.state import KNOWN_EXACTLY, State, changed
from sim.world import World

Step = tuple[State, tuple[Event, ...]]


def let_channels_speak(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Add to the known state what units and stations see of the turn's water (§18 step 4)."""
    district = world.district
    dark = around(district, state.outages, state.turn)
    seen = seen_on(district, state.units, dark, night=world.night(state.turn))
    by: dict[int, tuple[str, ...]] = {}
    for channel, sighted in seen.items():
        by.update({cell: (*by.get(cell, ()), channel.value) for cell in sighted})
    cells = tuple(sorted(by))
    depths = world.depth_mm[state.turn, list(cells)].tolist()
    state = changed(
        state,
        known_mm=altered(state.known_mm, cells, depths),
        known_turn=altered(state.known_turn, cells, state.turn),
        known_by=altered(state.known_by, cells, KNOWN_EXACTLY),
    )
    known = _obstacles_seen(district, state, cells)
    state = changed(state, known_obstacles=known)
    observed = Observed(
        turn=state.turn,
        cells=cells,
        depth_mm=tuple(depths),
        by=tuple(by[cell] for cell in cells),
    )
    return state, (observed,)


def _obstacles_seen(district: District, state: State, cells: tuple[int, ...]) -> Obstacles:
    """Obstacles known, those between hexes just seen, those under water known to be deep (§9.2).

    A link is seen from both its ends: from one, it would tell of water that nobody looks at.
    """
    looked_at = np.zeros(district.sheet.n_hexes, dtype=bool)
    looked_at[list(cells)] = True
    known, left = state.known_obstacles, whole(state.obstacles.obstructed)
    depth_mm = deeper_mm(district.sheet, whole(state.known_mm).astype(np.int32))
    links = links_with(district, known, state.units, state.turn)
    new = (water_seen(links, depth_mm) >= int(Water.NAUTICAL)) & district.linked
    new[left[looked_at[district.sheet.edges[left]].all(axis=1)]] = True
    new[whole(known.obstructed)] = False
    return known.with_obstructed(np.flatnonzero(new).tolist())


__all__ = ["let_channels_speak", "observed_cells"]
