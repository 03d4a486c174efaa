"""Counters walk to shelters that fill, or ride out of the area (§9.3, 10)."""

from functools import cached_property

import numpy as np

from sim.arrays import LongArray, Numbers, altered, numbers, whole
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
    vehicle_cost,
    water_seen,
)
from sim.obstacles import reserved_links
from sim.orders import Order
from sim.paths import Paths, reachable, shortest_paths, walked_links
from sim.protection import hexes_of_option
from sim.routes import (
    leading_over,
    people_on_links,
    rerouted,
    slowest_share,
    without_routes,
)
from sim.rules import (
    COUNTER_BASE,
    COUNTER_STEP,
    NIGHT_STEP_PERCENT,
    OUT_COUNTER_BASE,
    OUT_HEXES_A_TURN,
    OUT_VEHICLES,
    PATROL_FACTOR,
    Mode,
    Protection,
    UnitKind,
    Water,
)
from sim.state import HUNDREDTHS, NEVER, NOWHERE, OUT_OF_AREA, State, changed
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
    deep = (water_seen(links, depth_mm) >= int(Water.NAUTICAL)) & district.linked
    deep[whole(state.obstacles.obstructed)] = False
    if deep.any():
        left = tuple(np.flatnonzero(deep).tolist())
        state = changed(state, obstacles=state.obstacles.with_obstructed(left))
        events += (Obstructed(turn=state.turn, links=left),)
    dry = world.shelter_cells[world.shelter_dry[state.turn]]
    open_on_foot = is_open(links, depth_mm, Mode.FOOT)
    newly = (whole(state.cut) == NEVER) & district.active
    newly &= ~reachable(district.sheet, open_on_foot, dry)
    if newly.any():
        cells = np.flatnonzero(newly)
        state = changed(state, cut=altered(state.cut, cells, state.turn))
        events += (HexesCut(turn=state.turn, cells=tuple(cells.tolist())),)
    return state, events


# --------------------------------------------------------------------------- phase 8
class _Ground:
    """Links of the turn as they are, for those who walk and those who ride."""

    def __init__(self, world: World, state: State) -> None:
        self.links, self.depth_mm = true_links(world, state)
        self._night = world.night(state.turn)

    @cached_property
    def on_foot(self) -> IntArray:
        """(n_edge,) turns, or ``CLOSED``."""
        return foot_cost(self.links, self.depth_mm, night=self._night)

    @cached_property
    def by_bus(self) -> IntArray:
        """(n_edge,) 1 a hex, or ``CLOSED``."""
        rides = vehicle_cost(self.links, self.depth_mm) != CLOSED
        return np.where(rides, 1, CLOSED).astype(np.int32)


def advance_counters(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Take routes, walk or ride, and fill the shelters (§9.3, 10.1–10.4, 18 step 8)."""
    first_step = whole(state.first_step)
    running = (first_step != NEVER) & (first_step <= state.turn)
    running &= whole(state.evacuated) == NEVER
    state = _stay_upstairs(world.district, state)
    running &= ~hexes_of_option(world.district, state, Protection.UP)
    if not running.any():
        return state, ()
    ground = _Ground(world, state)
    rides = running & hexes_of_option(world.district, state, Protection.OUT)
    state, routed = _take_routes(world, state, ground, running & ~rides)
    state, embarked = _take_buses(world, state, ground, rides)
    going = running & (whole(state.shelter) != NOWHERE)
    if rides.any():
        going &= ~rides | _has_vehicles(world.district, state)
    step = counter_steps(world, state, ground.links, ground.depth_mm, going)
    progress = whole(state.progress) + step
    state = changed(state, progress=numbers(progress))
    complete = going & (progress >= whole(state.target))
    state, arrived = _admit(world, state, np.flatnonzero(complete & ~rides).tolist())
    state, left = _leave(state, np.flatnonzero(complete & rides))
    return state, routed + embarked + arrived + left


def _stay_upstairs(district: District, state: State) -> State:
    """Call back those who walk or ride in a quarter that now goes up (§9.3)."""
    back = hexes_of_option(district, state, Protection.UP) & (whole(state.shelter) != NOWHERE)
    back &= whole(state.evacuated) == NEVER
    cells = np.flatnonzero(back)
    if not cells.size:
        return state
    return changed(
        state,
        shelter=altered(state.shelter, cells, NOWHERE),
        route=without_routes(state.route, cells),
    )


def _take_routes(world: World, state: State, ground: _Ground, running: BoolArray) -> Step:
    """Give a shelter and a route to every counter on foot that has none, or lost it (§10.2)."""
    places = np.array([shelter.places * HUNDREDTHS for shelter in world.district.shelters])
    # a place is a whole one: the odd hundredths left by losses admit nobody new
    usable = (places - whole(state.places_taken) >= HUNDREDTHS) & ~_shut(state)
    usable &= world.shelter_dry[state.turn]
    closed = ground.on_foot == CLOSED
    route_cut = leading_over(state.route, running, closed)
    state, found = _find_roadworks(world, state, running)
    # two more for NOWHERE and OUT_OF_AREA, which lead to no shelter
    held = np.append(usable, (False, False)).take(whole(state.shelter), mode="wrap")
    cells = np.flatnonzero(running & (~held | route_cut))
    if not cells.size:
        return state, found
    numbers = np.flatnonzero(usable)
    paths = shortest_paths(world.district.sheet, ground.on_foot, world.shelter_cells[numbers])
    chosen = np.where(paths.place >= 0, np.append(numbers, NOWHERE)[paths.place], NOWHERE)
    fresh = COUNTER_STEP * (COUNTER_BASE + paths.distance)
    state, routed = _go(state, cells, paths, chosen, fresh)
    return state, found + routed


def _find_roadworks(world: World, state: State, walking: BoolArray) -> Step:
    """Make known the roadworks on the routes of those walking: they are closed to all (§13.1)."""
    hidden = set(state.obstacles.roadworks) - set(state.known_obstacles.roadworks)
    if not hidden:
        return state, ()
    over = people_on_links(
        state.route, walking, walking.astype(np.int64), world.district.sheet.n_edges
    )
    return find_obstacles(state, [link for link in hidden if over[link]])


def _shut(state: State) -> BoolArray:
    """(n_shelter,) whether a shelter turns people away, by order or by a crush (§9.5, 13.1)."""
    crush = whole(state.crush)
    shut: BoolArray = np.array(state.closed) | ((crush != NEVER) & (state.turn <= crush))
    return shut


def _take_buses(world: World, state: State, ground: _Ground, rides: BoolArray) -> Step:
    """Give a way to the rim to every counter by bus that has none, or lost it (§9.3)."""
    if not rides.any():
        return state, ()
    route_cut = leading_over(state.route, rides, ground.by_bus == CLOSED)
    cells = np.flatnonzero(rides & ((whole(state.shelter) != OUT_OF_AREA) | route_cut))
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


def _go(state: State, cells: LongArray, paths: Paths, chosen: LongArray, fresh: IntArray) -> Step:
    """Send the people of some hexes on their way; those without any wait (§10.2).

    The target is the larger of the progress made and that of the new way.
    """
    found, before = chosen[cells] != NOWHERE, whole(state.shelter)[cells] != NOWHERE
    going, stranded, cells = cells[found], cells[~found & before], cells[found | before]
    # the stranded reach no place: no link leads on from them
    links, ends = walked_links(paths, cells)
    targets = np.maximum(whole(state.progress)[going], fresh[going])
    state = changed(
        state,
        shelter=altered(state.shelter, cells, chosen[cells]),
        target=altered(state.target, going, targets),
        route=rerouted(state.route, cells, links, ends),
    )
    events: tuple[Event, ...] = ()
    if going.size:
        events += (
            RoutesTaken(
                turn=state.turn,
                cells=tuple(going.tolist()),
                shelters=tuple(chosen[going].tolist()),
                targets=tuple(targets.tolist()),
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
    flow = people_on_links(state.route, walking, people, world.district.sheet.n_edges)
    flow[list(reserved_links(state.units, state.turn))] = 0
    capacity = foot_capacity(links, depth_mm).astype(np.int64) * HUNDREDTHS
    crowded = slowest_share(state.route, walking, pace * percent, flow, capacity)
    return np.where(walking, crowded, step)


def _admit(world: World, state: State, cells: list[int]) -> Step:
    """Admit the people of hexes whose counter is complete, in ascending number (§10.2).

    Where places run out, those to shelter and their followers enter in proportion; the rest keep
    their counter and take a new target next turn.
    """
    if not cells:
        return state, ()
    turn = state.turn
    taken, at = list(state.places_taken), np.array(cells)
    to, waiting_at, followers_at = (
        whole(row)[at].tolist() for row in (state.shelter, state.waiting, state.followers)
    )
    entered, followed, arrived = [0] * len(cells), [0] * len(cells), [False] * len(cells)
    events: list[Event] = []
    for i, cell in enumerate(cells):
        number, waiting = to[i], waiting_at[i]
        room = world.district.shelters[number].places * HUNDREDTHS - taken[number]
        people = waiting + followers_at[i]
        admitted = min(room, people)
        if admitted < people and admitted == 0:
            continue
        arrived[i] = complete = admitted == people
        entered[i] = waiting if complete else admitted * waiting // people
        followed[i] = admitted - entered[i]
        taken[number] += admitted
        events.append(
            Arrived(turn=turn, cell=cell, shelter=number, people=admitted, complete=complete)
        )
        if admitted and room - admitted < HUNDREDTHS:
            events.append(ShelterFull(turn=turn, shelter=number))
    state = _arrived(state, at, np.array(entered), np.array(followed))
    state = changed(
        state,
        places_taken=tuple(taken),
        evacuated=altered(state.evacuated, at[arrived], turn),
    )
    return state, tuple(events)


def _arrived(state: State, cells: LongArray, entered: LongArray, followed: LongArray) -> State:
    """Count those of some hexes who arrive: the hexes differ, people are in hundredths (§12.2)."""
    in_time = whole(state.cut)[cells] == NEVER

    def more(values: Numbers, people: LongArray) -> Numbers:
        some = people != 0
        return altered(values, cells[some], whole(values)[cells[some]] + people[some])

    return changed(
        state,
        waiting=more(state.waiting, -entered),
        followers=more(state.followers, -followed),
        in_time=more(state.in_time, np.where(in_time, entered, 0)),
        late=more(state.late, np.where(in_time, 0, entered)),
        follower_places=more(state.follower_places, followed),
    )


def _leave(state: State, cells: LongArray) -> Step:
    """Let the buses of some hexes leave the area with everyone aboard: no place is taken (§9.3)."""
    if not cells.size:
        return state, ()
    waiting, followers = whole(state.waiting)[cells], whole(state.followers)[cells]
    people = zip(cells.tolist(), (waiting + followers).tolist(), strict=True)
    state = _arrived(state, cells, waiting, followers)
    state = changed(
        state,
        out=altered(state.out, cells, whole(state.out)[cells] + waiting),
        out_followers=altered(
            state.out_followers, cells, whole(state.out_followers)[cells] + followers
        ),
        evacuated=altered(state.evacuated, cells, state.turn),
    )
    return state, tuple(
        LeftArea(turn=state.turn, cell=cell, people=aboard) for cell, aboard in people
    )
