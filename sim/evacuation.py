"""Counters walk to shelters that fill, or ride out of the area (§9.3, 10)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from sim.arrays import LongArray, numbers, whole
from sim.district import BoolArray, District
from sim.events import (
    Arrived,
    Event,
    HexesCut,
    LeftArea,
    Obstructed,
    RoutesLost,
    RoutesTaken,
    ShelterFull,
)
from sim.hexes import IntArray, Sheet
from sim.links import (
    CLOSED,
    Links,
    foot_capacity,
    foot_cost,
    is_open,
    link_depth_mm,
    vehicle_cost,
    water_class,
)
from sim.obstacles import reserved_links
from sim.orders import Order
from sim.paths import Paths, reachable, route_edges, shortest_paths
from sim.protection import hexes_of_option
from sim.rules import (
    COUNTER_BASE,
    COUNTER_STEP,
    NIGHT_STEP_PERCENT,
    OUT_COUNTER_BASE,
    OUT_HEXES_A_TURN,
    OUT_VEHICLES,
    PATROL_FACTOR,
    LinkClass,
    Mode,
    Protection,
    UnitKind,
    Water,
)
from sim.state import HUNDREDTHS, NEVER, NOWHERE, OUT_OF_AREA, State
from sim.units import find_obstacles, true_links
from sim.world import World

Step = tuple[State, tuple[Event, ...]]


# --------------------------------------------------------------------------- phase 2
def raise_water(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Let the water rise to the turn's: hexes that it cuts off, links it obstructs (§18 step 2).

    The cut is that of play, with the team's pumps and footbridges and the cards (§12.2).
    """
    district = world.district
    links, depth_mm = true_links(world, state)
    events: tuple[Event, ...] = ()
    deep = water_class(link_depth_mm(links, depth_mm)) >= Water.NAUTICAL
    deep &= district.foot | (district.link_class > LinkClass.NONE)
    deep[list(state.obstacles.obstructed)] = False
    if deep.any():
        left = tuple(np.flatnonzero(deep).tolist())
        state = replace(state, obstacles=state.obstacles.with_obstructed(left))
        events += (Obstructed(turn=state.turn, links=left),)
    cut = whole(state.cut).copy()
    dry = world.shelter_cells[world.shelter_dry[state.turn]]
    open_on_foot = is_open(links, depth_mm, Mode.FOOT).astype(np.int32)
    newly = (cut == NEVER) & district.active & ~reachable(district.sheet, open_on_foot, dry)
    if newly.any():
        cut[newly] = state.turn
        state = replace(state, cut=numbers(cut))
        events += (HexesCut(turn=state.turn, cells=tuple(np.flatnonzero(newly).tolist())),)
    return state, events


# --------------------------------------------------------------------------- phase 8
@dataclass(frozen=True, slots=True)
class _Ground:
    """Links of the turn as they are, for those who walk and those who ride."""

    links: Links
    depth_mm: IntArray
    on_foot: IntArray  # turns, or CLOSED
    by_bus: IntArray  # 1 a hex, or CLOSED

    @classmethod
    def of(cls, world: World, state: State) -> "_Ground":
        links, depth_mm = true_links(world, state)
        night = world.night(state.turn)
        rides = vehicle_cost(links, depth_mm) != CLOSED
        return cls(
            links,
            depth_mm,
            foot_cost(links, depth_mm, night=night),
            np.where(rides, 1, CLOSED).astype(np.int32),
        )


def advance_counters(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Take routes, walk or ride, and fill the shelters (§9.3, 10.1–10.4, 18 step 8)."""
    first_step = whole(state.first_step)
    running = (first_step != NEVER) & (first_step <= state.turn)
    running &= whole(state.evacuated) == NEVER
    state = _stay_upstairs(world.district, state)
    running &= ~hexes_of_option(world.district, state, Protection.UP)
    if not running.any():
        return state, ()
    ground = _Ground.of(world, state)
    rides = running & hexes_of_option(world.district, state, Protection.OUT)
    state, routed = _take_routes(world, state, ground, running & ~rides)
    state, embarked = _take_buses(world, state, ground, rides)
    going = running & (whole(state.shelter) != NOWHERE)
    going &= ~rides | _has_vehicles(world.district, state)
    step = counter_steps(world, state, ground.links, ground.depth_mm, going)
    progress = whole(state.progress) + step
    state = replace(state, progress=numbers(progress))
    complete = going & (progress >= whole(state.target))
    state, arrived = _admit(world, state, np.flatnonzero(complete & ~rides).tolist())
    state, left = _leave(state, np.flatnonzero(complete & rides).tolist())
    return state, routed + embarked + arrived + left


def _stay_upstairs(district: District, state: State) -> State:
    """Call back those who walk or ride in a quarter that now goes up (§9.3)."""
    back = hexes_of_option(district, state, Protection.UP) & (whole(state.shelter) != NOWHERE)
    back &= whole(state.evacuated) == NEVER
    return _without_route(state, np.flatnonzero(back).tolist())


def _without_route(state: State, cells: Iterable[int]) -> State:
    shelter, route = list(state.shelter), list(state.route)
    for cell in cells:
        shelter[cell], route[cell] = NOWHERE, ()
    return replace(state, shelter=tuple(shelter), route=tuple(route))


def _take_routes(world: World, state: State, ground: _Ground, running: BoolArray) -> Step:
    """Give a shelter and a route to every counter on foot that has none, or lost it (§10.2)."""
    places = np.array([shelter.places * HUNDREDTHS for shelter in world.district.shelters])
    # a place is a whole one: the odd hundredths left by losses admit nobody new
    usable = (places - whole(state.places_taken) >= HUNDREDTHS) & ~_shut(state)
    usable &= world.shelter_dry[state.turn]
    shelter = whole(state.shelter)
    flat, owner = _links_walked(state, running)
    closed = ground.on_foot[flat] == CLOSED
    state, found = find_obstacles(state, flat[closed].tolist())
    route_cut = np.zeros(len(shelter), dtype=bool)
    route_cut[owner[closed]] = True
    # two more for NOWHERE and OUT_OF_AREA, which lead to no shelter
    held = np.append(usable, (False, False))[shelter]
    lost = running & (~held | route_cut)
    cells = np.flatnonzero(lost)
    if not cells.size:
        return state, found
    numbers = np.flatnonzero(usable)
    paths = shortest_paths(world.district.sheet, ground.on_foot, world.shelter_cells[numbers])
    chosen = np.where(paths.place >= 0, np.append(numbers, NOWHERE)[paths.place], NOWHERE)
    fresh = COUNTER_STEP * (COUNTER_BASE + paths.distance)
    state, routed = _go(state, cells, paths, chosen, fresh)
    return state, found + routed


def _shut(state: State) -> BoolArray:
    """(n_shelter,) whether a shelter turns people away, by order or by a crush (§9.5, 13.1)."""
    crush = whole(state.crush)
    shut: BoolArray = np.array(state.closed) | ((crush != NEVER) & (state.turn <= crush))
    return shut


def _take_buses(world: World, state: State, ground: _Ground, rides: BoolArray) -> Step:
    """Give a way to the rim to every counter by bus that has none, or lost it (§9.3)."""
    shelter = whole(state.shelter)
    flat, owner = _links_walked(state, rides)
    route_cut = np.zeros(len(shelter), dtype=bool)
    route_cut[owner[ground.by_bus[flat] == CLOSED]] = True
    cells = np.flatnonzero(rides & ((shelter != OUT_OF_AREA) | route_cut))
    if not cells.size:
        return state, ()
    paths = shortest_paths(world.district.sheet, ground.by_bus, rim_hexes(world.district.sheet))
    chosen = np.where(paths.place >= 0, OUT_OF_AREA, NOWHERE)
    turns = OUT_COUNTER_BASE - (-paths.distance // OUT_HEXES_A_TURN)
    return _go(state, cells, paths, chosen, COUNTER_STEP * turns)


def rim_hexes(sheet: Sheet) -> IntArray:
    """(n_rim,) hexes on the rim of a sheet, ascending."""
    rim: IntArray = np.flatnonzero((sheet.neighbours < 0).any(axis=1)).astype(np.int32)
    return rim


def _go(
    state: State, cells: IntArray | LongArray, paths: Paths, chosen: LongArray, fresh: IntArray
) -> Step:
    """Send the people of some hexes on their way; those without any wait (§10.2).

    The target is the larger of the progress made and that of the new way.
    """
    found = chosen[cells] != NOWHERE
    going, stuck = cells[found], cells[~found]
    shelter, target = whole(state.shelter).copy(), whole(state.target).copy()
    route = list(state.route)
    stranded = stuck[shelter[stuck] != NOWHERE]
    shelter[cells] = chosen[cells]
    target[going] = np.maximum(whole(state.progress)[going], fresh[going])
    for cell, links in zip(going.tolist(), route_edges(paths, going), strict=True):
        route[cell] = links
    for cell in stuck.tolist():
        route[cell] = ()
    state = replace(
        state,
        shelter=numbers(shelter),
        target=numbers(target),
        route=tuple(route),
    )
    events: tuple[Event, ...] = ()
    if going.size:
        events += (
            RoutesTaken(
                turn=state.turn,
                cells=tuple(going.tolist()),
                shelters=tuple(shelter[going].tolist()),
                targets=tuple(target[going].tolist()),
            ),
        )
    if stranded.size:
        events += (RoutesLost(turn=state.turn, cells=tuple(stranded.tolist())),)
    return state, events


def _has_vehicles(district: District, state: State) -> BoolArray:
    """(n_hex,) whether three vehicles stand on the hex's quarter, for its buses (§9.3)."""
    cells = [unit.cell for unit in state.units if unit.kind is not UnitKind.BOAT]
    standing = np.bincount(
        district.quarter[cells][district.active[cells]], minlength=len(district.quarters)
    )
    enough: BoolArray = (standing >= OUT_VEHICLES)[district.quarter] & district.active
    return enough


def _links_walked(state: State, walking: BoolArray) -> tuple[LongArray, LongArray]:
    """Every link of every route taken, and the hex whose people take it."""
    cells = np.flatnonzero(walking)
    routes = [state.route[cell] for cell in cells.tolist()]
    lengths = [len(route) for route in routes]
    flat = np.fromiter(chain.from_iterable(routes), dtype=np.int64, count=sum(lengths))
    return flat, np.repeat(cells, lengths)


def counter_steps(
    world: World, state: State, links: Links, depth_mm: IntArray, going: BoolArray
) -> LongArray:
    """Hundredths that each counter advances in the turn: patrol × night × congestion (§10.3).

    Parameters
    ----------
    links, depth_mm : Links, (n_edge,) int
        Links of the turn as they are, and the depth of their deeper hexes, millimetres.
    going : (n_hex,) bool
        Counters that run and have an open way; the others stand still (§10.1).

    Returns
    -------
    (n_hex,) int
        Rounded down; by the worst link of the route. Buses and reserved axes know no crowd.

    """
    escorted = np.zeros(len(state.route), dtype=bool)
    escorted[[unit.cell for unit in state.units if unit.kind is UnitKind.PATROL]] = True
    pace = COUNTER_STEP * np.where(escorted, PATROL_FACTOR, 1)
    percent = NIGHT_STEP_PERCENT if world.night(state.turn) else 100
    step: LongArray = np.where(going, pace * percent // 100, 0).astype(np.int64)

    walking = going & (whole(state.shelter) != OUT_OF_AREA)
    people = whole(state.waiting) + whole(state.followers)
    flat, owner = _links_walked(state, walking)
    flow = np.zeros(world.district.sheet.n_edges, dtype=np.int64)
    np.add.at(flow, flat, people[owner])
    flow[list(reserved_links(state.units, state.turn))] = 0
    capacity = foot_capacity(links, depth_mm).astype(np.int64) * HUNDREDTHS
    crowded = flow[flat] > capacity[flat]
    flat, owner = flat[crowded], owner[crowded]
    scaled = pace[owner] * percent * capacity[flat] // (100 * flow[flat])
    np.minimum.at(step, owner, scaled)
    return step


def _admit(world: World, state: State, cells: list[int]) -> Step:
    """Admit the people of hexes whose counter is complete, in ascending number (§10.2).

    Where places run out, those to shelter and their followers enter in proportion; the rest keep
    their counter and take a new target next turn.
    """
    if not cells:
        return state, ()
    turn = state.turn
    taken, evacuated = list(state.places_taken), list(state.evacuated)
    waiting, followers = list(state.waiting), list(state.followers)
    in_time, late = list(state.in_time), list(state.late)
    follower_places = list(state.follower_places)
    events: list[Event] = []
    for cell in cells:
        number = state.shelter[cell]
        room = world.district.shelters[number].places * HUNDREDTHS - taken[number]
        people = waiting[cell] + followers[cell]
        admitted = min(room, people)
        if admitted < people and admitted == 0:
            continue
        entering = waiting[cell] if admitted == people else admitted * waiting[cell] // people
        following = admitted - entering
        waiting[cell] -= entering
        followers[cell] -= following
        follower_places[cell] += following
        taken[number] += admitted
        (in_time if state.cut[cell] == NEVER else late)[cell] += entering
        complete = admitted == people
        if complete:
            evacuated[cell] = turn
        events.append(
            Arrived(turn=turn, cell=cell, shelter=number, people=admitted, complete=complete)
        )
        if admitted and room - admitted < HUNDREDTHS:
            events.append(ShelterFull(turn=turn, shelter=number))
    state = replace(
        state,
        waiting=tuple(waiting),
        followers=tuple(followers),
        in_time=tuple(in_time),
        late=tuple(late),
        follower_places=tuple(follower_places),
        places_taken=tuple(taken),
        evacuated=tuple(evacuated),
    )
    return state, tuple(events)


def _leave(state: State, cells: list[int]) -> Step:
    """Let the buses of some hexes leave the area with everyone aboard: no place is taken (§9.3)."""
    if not cells:
        return state, ()
    waiting, followers = list(state.waiting), list(state.followers)
    out, out_followers = list(state.out), list(state.out_followers)
    in_time, late = list(state.in_time), list(state.late)
    follower_places, evacuated = list(state.follower_places), list(state.evacuated)
    events: list[Event] = []
    for cell in cells:
        (in_time if state.cut[cell] == NEVER else late)[cell] += waiting[cell]
        out[cell] += waiting[cell]
        follower_places[cell] += followers[cell]
        out_followers[cell] += followers[cell]
        people = waiting[cell] + followers[cell]
        waiting[cell] = followers[cell] = 0
        evacuated[cell] = state.turn
        events.append(LeftArea(turn=state.turn, cell=cell, people=people))
    state = replace(
        state,
        waiting=tuple(waiting),
        followers=tuple(followers),
        in_time=tuple(in_time),
        late=tuple(late),
        follower_places=tuple(follower_places),
        out=tuple(out),
        out_followers=tuple(out_followers),
        evacuated=tuple(evacuated),
    )
    return state, tuple(events)
