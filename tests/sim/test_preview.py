"""Previews and hints of legal moves (§6.3): what they say is what the rules do, as far as known."""

from dataclasses import replace

import numpy as np
import pytest

from sim.district import Facility
from sim.events import (
    AlertRolled,
    Delivered,
    OrderRefused,
    RoutesTaken,
    UnitMoved,
    WorkDone,
    WorkReady,
)
from sim.legality import refusal
from sim.obstacles import Obstacles
from sim.orders import (
    Alert,
    Clear,
    Deliver,
    DoorToDoor,
    Footbridge,
    Forecast,
    Move,
    Protect,
    Pump,
    Reserve,
    Withdraw,
)
from sim.preview import KnownWorld, journey, on_their_way, preview, targets, walk
from sim.rules import LinkClass, Protection
from sim.scenario import Scenario
from sim.turn import apply, replay, start
from sim.units import KnownWays
from sim.view import view_for
from tests.strategies import dry_world, flooded, line_district, synthetic_district, synthetic_world


def known(world, state):
    return KnownWorld.of(world.district, view_for(state, world.hour, world.turns))


def rough(number, turns=12, *, watched=False):
    """A town under steady rough water, with units about; everywhere watched, or as it comes."""
    rng = np.random.default_rng(number)
    district = synthetic_district(8, 7, number)
    n = district.sheet.n_hexes
    if watched:
        gauges = tuple(Facility(cell, f"gauge {cell}") for cell in range(n))
        district = replace(district, stations=gauges)
    deep = np.where(rng.random(n) < 0.3, rng.integers(0, 900, n), 0)
    world = flooded(dry_world(district, turns=turns), dict(enumerate(deep.tolist())))
    return rng, world


ORDERS_OF = {
    "move": lambda unit, place: Move(turn=0, unit=unit, to=place),
    "door_to_door": lambda unit, place: DoorToDoor(turn=0, unit=unit, cell=place),
    "deliver": lambda unit, place: Deliver(turn=0, unit=unit, cell=place),
    "pump": lambda unit, place: Pump(turn=0, unit=unit, link=place),
    "footbridge": lambda unit, place: Footbridge(turn=0, unit=unit, link=place),
    "clear": lambda unit, place: Clear(turn=0, unit=unit, link=place),
    "reserve": lambda unit, place: Reserve(turn=0, unit=unit, links=(place,)),
}
ON_HEXES = {"move", "door_to_door", "deliver"}


@pytest.mark.parametrize("number", range(6))
def test_6_3_hints_are_all_that_the_rules_would_take_and_nothing_else(number):
    rng, world = rough(number, watched=number % 2 == 0)
    world = replace(world, scenario=Scenario(cards=True))
    n = world.district.sheet.n_hexes
    game = {
        turn: (
            Alert(turn=turn, centre=int(rng.integers(n)), radius=1),
            Move(turn=turn, unit="patrol-2", to=int(rng.integers(n))),
            Move(turn=turn, unit="boat-2", to=int(rng.integers(n))),
        )
        for turn in range(1, 9)
    }
    taken = dict.fromkeys(ORDERS_OF, 0)
    for state in replay(world, game)[0][2:10:3]:
        here = known(world, state)
        for unit in ("patrol-1", "patrol-2", "pump-1", "boat-1", "boat-2"):
            hinted = targets(here, unit)
            ways = KnownWays(world.district, here.view)
            for key, order in ORDERS_OF.items():
                size = n if key in ON_HEXES else world.district.sheet.n_edges
                asked = [replace(order(unit, place), turn=state.turn) for place in range(size)]
                accepted = tuple(
                    place
                    for place, one in enumerate(asked)
                    if refusal(world.district, here.view, one, here.kept, ways) is None
                )
                assert hinted.get(key, ()) == accepted, (key, unit, state.turn)
                taken[key] += len(accepted)
    assert taken["move"]
    assert taken["pump"]


def test_6_3_hints_know_of_clearing_and_of_isolated_quarters():
    _, world = rough(3, watched=True)
    stands = Obstacles(obstructed=(4, 9), accidents=((11, 5),), roadworks=(13,))
    state = replace(replay(world, {})[0][2], known_obstacles=stands, obstacles=stands)
    here = known(world, state)
    assert set(targets(here, "pump-1")["clear"]) <= {4, 9, 11}
    assert targets(here, "pump-1")["clear"]
    alone = watched_line({4: 600})
    assert targets(known(alone, replay(alone, {})[0][1]), "boat-1")["deliver"] == (3, 4, 5)


def watched_line(depth_mm, **how):
    how = {"link_class": LinkClass.PRIMARY, "quarter_length": 3, **how}
    district = line_district(9, **how)
    gauges = tuple(Facility(cell, f"gauge {cell}") for cell in range(9))
    return flooded(dry_world(replace(district, stations=gauges), turns=12), depth_mm)


def test_9_5_9_6_no_hint_where_no_order_can_be_given():
    world = watched_line({})
    states, _ = replay(world, {})
    assert targets(known(world, states[0]), "patrol-1") == {}  # the forecast
    assert targets(known(world, states[-1]), "patrol-1") == {}  # the end
    state = states[1]
    assert targets(known(world, state), "patrol-99") == {}
    busy, _ = apply(world, state, Move(turn=1, unit="patrol-1", to=2))
    assert targets(known(world, busy), "patrol-1") == {}  # one order a unit
    assert targets(known(world, busy), "patrol-2")
    for cell in (3, 6):
        busy, _ = apply(world, busy, Alert(turn=1, centre=cell, radius=0))
    assert targets(known(world, busy), "patrol-2") == {}  # the budget is spent


def test_9_7_hints_and_previews_are_those_of_a_seat():
    world = watched_line({})
    here = known(world, replay(world, {})[0][1])
    assert set(targets(here, "patrol-1")) == {"move", "door_to_door", "reserve"}
    assert set(targets(here, "patrol-1", "public_order")) == {"move", "door_to_door", "reserve"}
    assert targets(here, "patrol-1", "technical") == {}
    order = Alert(turn=1, centre=3, radius=1)
    assert preview(here, order, "communication").refusal is None
    seen = preview(here, order, "sanitation")
    assert (seen.refusal.rule, seen.cost, seen.orders_left) == ("9.7", 0, 3)


# --------------------------------------------------------------------------- where a unit goes
@pytest.mark.parametrize("number", range(8))
def test_6_3_a_way_is_the_way_that_is_gone_where_the_water_is_as_known(number):
    rng, world = rough(number, watched=True)
    states, _ = replay(world, {})
    state, here = states[1], known(world, states[1])
    tried = 0
    for unit in ("patrol-1", "pump-1", "boat-1"):
        cell = int(rng.choice(targets(here, unit)["move"]))
        order = Move(turn=1, unit=unit, to=cell)
        way = preview(here, order).journey
        after, events = replay(world, {1: (order,)})
        stood = [next(u.cell for u in s.units if u.name == unit) for s in after[2:]]
        assert tuple(stood[: len(way.stops)]) == way.stops[: len(stood)]
        told = [e for happened in events for e in happened if isinstance(e, UnitMoved)]
        assert way.cells[0] == next(u.cell for u in state.units if u.name == unit)
        assert way.cells[-1] == cell
        if way.arrives is not None and way.arrives <= world.turns:
            assert {e.to_cell for e in told if e.unit == unit and e.turn == way.arrives} == {cell}
            assert cell not in stood[: way.arrives - 1]
            tried += 1
    assert tried


def test_4_2_a_link_that_costs_more_than_a_turn_is_never_crossed():
    # a jam over a street that is slowed and blocked: (3 + 6) × 3 = 27 points, a pump truck has 18
    world = watched_line({3: 320}, link_class=LinkClass.LOCAL, technical=8)
    state = replace(
        replay(world, {})[0][1],
        obstacles=Obstacles(jams=((3, 99),)),
        known_obstacles=Obstacles(jams=((3, 99),)),
    )
    seen = preview(known(world, state), Move(turn=1, unit="pump-1", to=0))
    assert seen.refusal is None  # a way is known; it only never ends
    assert seen.journey.arrives is None
    assert seen.effect is None
    assert seen.journey.stops[-1] == 4


def test_6_3_no_way_known_is_a_state_of_its_own():
    world = watched_line({4: 600})
    here = known(world, replay(world, {})[0][1])
    seen = preview(here, Move(turn=1, unit="patrol-1", to=0))
    assert (seen.refusal.rule, seen.cost, seen.journey, seen.effect) == ("6.3", 0, None, None)


def test_6_3_a_preview_cannot_tell_the_water_that_nobody_has_seen():
    dry = dry_world(line_district(40, link_class=LinkClass.PRIMARY), turns=4)
    wet = flooded(dry, {20: 600, 21: 900})
    order = Move(turn=1, unit="patrol-1", to=0)
    seen = [preview(known(world, replay(world, {})[0][1]), order) for world in (dry, wet)]
    assert seen[0] == seen[1]
    assert seen[0].journey.arrives == 2  # 39 hexes at 35 a turn
    moved = [replay(world, {1: (order,)})[0][3].units[0].cell for world in (dry, wet)]
    assert moved == [0, 22]  # and there it stands, blocked


def test_7_6_a_known_world_has_no_truth_within_reach():
    world = synthetic_world(synthetic_district(), level=5)
    found = replace(
        world.district,
        ladder=tuple(replace(one, rain_years=one.rain_years * 7) for one in world.district.ladder),
    )
    here, other = (known(replace(world, district=one), start(world)) for one in (found, found))
    assert set(vars(here)) == {"district", "view"}
    assert here.district.ladder == other.district.ladder != found.ladder


def test_16_units_sent_off_before_show_their_way_or_that_there_is_none():
    world = watched_line({}, link_class=LinkClass.LOCAL)
    game = {1: (Move(turn=1, unit="patrol-1", to=0),)}
    states, _ = replay(world, game)
    assert on_their_way(known(world, states[1])) == {}
    # 8 streets of 3 points from hex 8, 35 a turn: there in one turn
    assert states[2].units[0].cell == 0
    slow = watched_line({}, link_class=LinkClass.LOCAL, technical=8)
    far = {1: (Move(turn=1, unit="pump-1", to=0),)}
    depth = np.array(slow.depth_mm)
    way = on_their_way(known(slow, replay(slow, far)[0][2]))["pump-1"]
    assert (way.cells[0], way.arrives) == (2, 2)
    depth[2, 1] = 600
    cut = replace(slow, depth_mm=depth)
    assert on_their_way(known(cut, replay(cut, far)[0][2])) == {"pump-1": None}


# --------------------------------------------------------------------------- what an order does
def outcome(world, order, kind):
    _, events = replay(world, {order.turn: (order,)})
    assert not any(isinstance(e, OrderRefused) for told in events for e in told)
    return next(e.turn for told in events for e in told if isinstance(e, kind))


def test_9_2_9_4_11_the_effect_is_announced_for_the_turn_in_which_it_comes():
    world = watched_line({4: 320}, link_class=LinkClass.LOCAL, technical=8)
    state = replay(world, {})[0][1]
    here = known(world, state)
    for order, kind in (
        (Pump(turn=1, unit="pump-1", link=0), WorkReady),
        (Footbridge(turn=1, unit="pump-1", link=2), WorkReady),
        (Reserve(turn=1, unit="patrol-1", links=(1, 2)), WorkReady),
        (DoorToDoor(turn=1, unit="patrol-1", cell=2), AlertRolled),
        (Alert(turn=1, centre=2, radius=1), AlertRolled),
    ):
        assert preview(here, order).effect == outcome(world, order, kind), order
    lone = watched_line({4: 600}, technical=8)
    order = Deliver(turn=1, unit="boat-1", cell=4)
    seen = preview(known(lone, replay(lone, {})[0][1]), order)
    assert seen.effect == outcome(lone, order, Delivered)


def test_9_2_clearing_is_announced_for_the_turn_in_which_it_is_done():
    world = watched_line({4: 600}, technical=8)
    depth = np.array(world.depth_mm)
    depth[2:] = 0  # the water leaves what it obstructed
    world = replace(world, depth_mm=depth)
    order = Clear(turn=2, unit="pump-1", link=4)
    seen = preview(known(world, replay(world, {})[0][2]), order)
    assert seen.refusal is None
    assert seen.effect == outcome(world, order, WorkDone)


def test_9_1_a_brush_shows_the_hexes_and_quarters_that_it_would_touch():
    world = dry_world(synthetic_district(8, 6), turns=4)
    centre = world.district.sheet.index_of("0403")
    order = Alert(turn=1, centre=centre, radius=1)
    states, events = replay(world, {1: (order,)})
    seen = preview(known(world, states[1]), order)
    rolled = [e for e in events[1] if isinstance(e, AlertRolled) and e.means != "word_of_mouth"]
    assert seen.cells == tuple(sorted(world.district.sheet.disk(centre, 1))) == seen.fresh
    assert set(seen.quarters) == {e.quarter for e in rolled}
    again = preview(known(world, states[2]), replace(order, turn=2))
    alerted = set(known(world, states[2]).view.alerted)
    assert set(again.fresh) == set(again.cells) - alerted
    at_the_rim = preview(known(world, states[1]), Alert(turn=1, centre=0, radius=1))
    assert len(at_the_rim.cells) < 7
    off = preview(known(world, states[1]), Alert(turn=1, centre=-1, radius=1))
    assert (off.cells, off.refusal.rule) == ((), "9.5")


def test_9_5_a_preview_counts_the_budget_and_costs_nothing_itself():
    world = watched_line({})
    state = replay(world, {})[0][1]
    orders = [Alert(turn=1, centre=cell, radius=0) for cell in (1, 3, 5, 7)]
    left = []
    for order in orders:
        seen = preview(known(world, state), order)
        left.append((seen.cost, seen.orders_left, seen.refusal and seen.refusal.rule))
        state, _ = apply(world, state, order)
    assert left == [(1, 2, None), (1, 1, None), (1, 0, None), (0, 0, "9.1")]
    back = preview(known(world, state), Withdraw(turn=1, number=1))
    assert (back.cost, back.refusal) == (0, None)
    painted = preview(known(world, start(world)), Forecast(turn=0, cells=(5, 2)))
    assert (painted.cells, painted.quarters, painted.cost) == ((2, 5), (0, 1), 0)
    changed = preview(
        known(world, replay(world, {})[0][1]), Protect(turn=1, quarter=2, option=Protection.UP)
    )
    assert (changed.quarters, changed.cost, changed.effect) == ((2,), 1, 1)


@pytest.mark.parametrize(
    "order",
    [
        Move(turn=1, unit="patrol-1", to=999),
        Move(turn=1, unit="tank-1", to=3),
        Move(turn=1, unit="patrol-17", to=3),
        Pump(turn=1, unit="patrol-1", link=2),
        Pump(turn=1, unit="pump-1", link=-4),
        Reserve(turn=1, unit="patrol-1", links=()),
        Reserve(turn=1, unit="patrol-1", links=(0, 5)),
        Protect(turn=1, quarter=77, option=Protection.UP),
        DoorToDoor(turn=1, unit="patrol-1", cell=-1),
        Forecast(turn=1, cells=(-3, 999)),
        Alert(turn=7, centre=3, radius=0),
    ],
)
def test_9_5_what_can_never_be_ordered_is_shown_with_its_refusal(order):
    world = watched_line({})
    seen = preview(known(world, replay(world, {})[0][1]), order)
    assert seen.refusal is not None
    assert (seen.cost, seen.orders_left) == (0, 3)


# --------------------------------------------------------------------------- where people would go
def test_10_2_a_walk_is_the_route_that_is_taken_where_the_water_is_as_known():
    compared = 0
    for number in range(8):
        _, world = rough(number, turns=6, watched=True)
        here = known(world, replay(world, {})[0][1])
        station = world.district.police_stations[0].cell
        order = DoorToDoor(turn=1, unit="patrol-1", cell=station)
        told = [e for happened in replay(world, {1: (order,)})[1] for e in happened]
        taken = [e for e in told if isinstance(e, RoutesTaken) and station in e.cells]
        way = walk(here, station)
        assert (way is None) == (not taken)
        if way is not None:
            place = taken[0].cells.index(station)
            assert way.shelter == taken[0].shelters[place]
            assert 100 * way.turns == taken[0].targets[place]
            compared += 1
    assert compared >= 4


def test_10_2_no_walk_leads_to_a_shelter_known_shut_full_or_wet():
    world = watched_line({}, shelters=((0, 100), (8, 100)))
    state = replay(world, {})[0][1]
    assert walk(known(world, state), 2).cells == (2, 1, 0)
    for change in (
        {"closed": (True, False)},
        {"crush": (9, 0)},
        {"places_taken": (10_000, 0)},
        {"known_mm": (300, *(0,) * 8)},
    ):
        way = walk(known(world, replace(state, **change)), 2)
        assert (way.shelter, way.turns) == (1, 9)
    shut = replace(state, closed=(True, True))
    assert walk(known(world, shut), 2) is None
    assert journey(known(world, shut), state.units[0], 8).arrives == 1
