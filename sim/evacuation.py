"""Counters walk to shelters that fill (§10), and deep water takes its toll (§10.5)."""

from dataclasses import replace
from itertools import chain

import numpy as np
import numpy.typing as npt

from sim.dice import two_dice
from sim.district import BoolArray, District
from sim.events import (
    Arrived,
    Event,
    HexesCut,
    LossRolled,
    RoutesLost,
    RoutesTaken,
    ShelterFull,
)
from sim.links import foot_capacity, foot_costs, water_class
from sim.orders import Order
from sim.paths import route_edges, shortest_paths
from sim.rules import (
    COUNTER_BASE,
    COUNTER_STEP,
    LOSS_PERCENT,
    LOSS_SUCCESS,
    NIGHT_LOSS_DENOMINATOR,
    NIGHT_LOSS_NUMERATOR,
    NIGHT_STEP_PERCENT,
    PATROL_FACTOR,
    Water,
)
from sim.state import HUNDREDTHS, NEVER, NOWHERE, State
from sim.world import World

Step = tuple[State, tuple[Event, ...]]
LongArray = npt.NDArray[np.int64]


def raise_water(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Let the water rise to the turn's, and note the hexes that it cuts off (§12.2, 18 step 2)."""
    cut = np.array(state.cut)
    newly = (cut == NEVER) & world.district.active & ~world.has_route(state.turn)
    if not newly.any():
        return state, ()
    cut[newly] = state.turn
    cells = tuple(np.flatnonzero(newly).tolist())
    return replace(state, cut=tuple(cut.tolist())), (HexesCut(turn=state.turn, cells=cells),)


def advance_counters(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Take routes, walk, and fill the shelters (§10.1–10.4, 18 step 8)."""
    first_step = np.array(state.first_step)
    running = (first_step != NEVER) & (first_step <= state.turn)
    running &= np.array(state.evacuated) == NEVER
    if not running.any():
        return state, ()
    state, routed = _take_routes(world, state, running)
    walking = running & (np.array(state.shelter) != NOWHERE)
    step = counter_steps(world.district, state, walking, night=world.night(state.turn))
    progress = np.array(state.progress) + step
    state = replace(state, progress=tuple(progress.tolist()))
    complete = walking & (progress >= np.array(state.target))
    state, arrived = _admit(world, state, np.flatnonzero(complete).tolist())
    return state, routed + arrived


def _take_routes(world: World, state: State, running: BoolArray) -> Step:
    """Give a shelter and a route to every running counter that has none, or lost it (§10.2)."""
    turn = state.turn
    places = np.array([shelter.places * HUNDREDTHS for shelter in world.district.shelters])
    # a place is a whole one: the odd hundredths left by losses admit nobody new
    usable = (places - np.array(state.places_taken) >= HUNDREDTHS) & world.shelter_dry[turn]
    shelter = np.array(state.shelter)
    flat, owner = _links_walked(state, running)
    route_cut = np.zeros(len(shelter), dtype=bool)
    route_cut[owner[~world.foot_open[turn, flat]]] = True
    lost = running & ((shelter == NOWHERE) | ~usable[shelter] | route_cut)
    cells = np.flatnonzero(lost)
    if not cells.size:
        return state, ()

    numbers = np.flatnonzero(usable)
    costs = foot_costs(world.district, world.depth_mm[turn], night=world.night(turn))
    paths = shortest_paths(world.district.sheet, costs, world.shelter_cells[numbers])
    found = paths.place[cells] >= 0
    target, route = np.array(state.target), list(state.route)
    going, stuck = cells[found], cells[~found]
    shelter[going] = numbers[paths.place[going]]
    # §10.2: the larger of the progress made and 3 + the new distance
    fresh = COUNTER_STEP * (COUNTER_BASE + paths.distance[going])
    target[going] = np.maximum(np.array(state.progress)[going], fresh)
    for cell, links in zip(going.tolist(), route_edges(paths, going), strict=True):
        route[cell] = links
    stranded = stuck[shelter[stuck] != NOWHERE]
    shelter[stuck] = NOWHERE
    for cell in stuck.tolist():
        route[cell] = ()
    state = replace(
        state,
        shelter=tuple(shelter.tolist()),
        target=tuple(target.tolist()),
        route=tuple(route),
    )
    events: tuple[Event, ...] = ()
    if going.size:
        events += (
            RoutesTaken(
                turn=turn,
                cells=tuple(going.tolist()),
                shelters=tuple(shelter[going].tolist()),
                targets=tuple(target[going].tolist()),
            ),
        )
    if stranded.size:
        events += (RoutesLost(turn=turn, cells=tuple(stranded.tolist())),)
    return state, events


def _links_walked(state: State, walking: BoolArray) -> tuple[LongArray, LongArray]:
    """Every link of every route walked, and the hex whose people walk it."""
    cells = np.flatnonzero(walking)
    routes = [state.route[cell] for cell in cells.tolist()]
    lengths = [len(route) for route in routes]
    flat = np.fromiter(chain.from_iterable(routes), dtype=np.int64, count=sum(lengths))
    return flat, np.repeat(cells, lengths)


def counter_steps(
    district: District, state: State, walking: BoolArray, *, night: bool
) -> LongArray:
    """Hundredths that each counter advances in the turn: patrol × night × congestion (§10.3).

    Parameters
    ----------
    walking : (n_hex,) bool
        Counters that run and have an open route; the others stand still (§10.1).

    Returns
    -------
    (n_hex,) int
        Rounded down; by the worst link of the route.

    """
    cell_count = len(state.route)
    escorted = np.zeros(cell_count, dtype=bool)
    escorted[[unit.cell for unit in state.units]] = True
    pace = COUNTER_STEP * np.where(escorted, PATROL_FACTOR, 1)
    percent = NIGHT_STEP_PERCENT if night else 100
    step: LongArray = np.where(walking, pace * percent // 100, 0).astype(np.int64)

    people = np.array(state.waiting, dtype=np.int64) + np.array(state.followers)
    flat, owner = _links_walked(state, walking)
    flow = np.zeros(district.sheet.n_edges, dtype=np.int64)
    np.add.at(flow, flat, people[owner])
    capacity = foot_capacity(district.link_class).astype(np.int64) * HUNDREDTHS
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


def loss_of(exposed: LongArray, *, night: bool) -> LongArray:
    """Hundredths of a person lost among the exposed on a loss: 5 %, by night × 1.5 (§10.4–10.5).

    Examples
    --------
    >>> loss_of(np.array([10_000, 199]), night=False).tolist()
    [500, 9]
    >>> loss_of(np.array([10_000, 199]), night=True).tolist()
    [750, 14]

    """
    if night:
        return exposed * LOSS_PERCENT * NIGHT_LOSS_NUMERATOR // (100 * NIGHT_LOSS_DENOMINATOR)
    return exposed * LOSS_PERCENT // 100


def lose_people(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Roll once for each quarter with unsheltered people in class-4 water (§10.5, 18 step 9).

    Exposed are those to shelter who have not arrived, and followers once their counter runs:
    neither is upstairs or in a shelter.
    """
    turn, night = state.turn, world.night(state.turn)
    first_step, waiting = np.array(state.first_step), _long(state.waiting)
    walks = (first_step != NEVER) & (first_step <= turn) & (np.array(state.evacuated) == NEVER)
    walkers = np.where(walks, _long(state.followers), 0)
    hostile = water_class(world.depth_mm[turn]) == Water.HOSTILE
    exposed = hostile & world.district.active & (waiting + walkers > 0)
    if not exposed.any():
        return state, ()
    gone, followers_gone = np.zeros_like(waiting), np.zeros_like(waiting)
    events: list[Event] = []
    for quarter in np.unique(world.district.quarter[exposed]).tolist():
        cells = np.flatnonzero(exposed & (world.district.quarter == quarter))
        dice = two_dice(world.seed, "loss", quarter, turn)
        success = dice >= LOSS_SUCCESS
        if success:
            gone[cells] = loss_of(waiting[cells], night=night)
            followers_gone[cells] = loss_of(walkers[cells], night=night)
        events.append(
            LossRolled(
                turn=turn,
                quarter=quarter,
                dice=dice,
                success=success,
                cells=tuple(cells.tolist()),
                people=int(gone[cells].sum() + followers_gone[cells].sum()),
            )
        )
    state = replace(
        state,
        waiting=tuple((waiting - gone).tolist()),
        followers=tuple((_long(state.followers) - followers_gone).tolist()),
        lost=tuple((_long(state.lost) + gone).tolist()),
        followers_lost=tuple((_long(state.followers_lost) + followers_gone).tolist()),
    )
    return state, tuple(events)


def _long(hundredths: tuple[int, ...]) -> LongArray:
    return np.array(hundredths, dtype=np.int64)
