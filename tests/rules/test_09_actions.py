"""§9.2 Link actions: set-up, hold, what they do to a link, what they cost."""

from dataclasses import replace

import numpy as np
import pytest

from sim.events import OrderRefused, WorkDone, WorkReady
from sim.links import Links, foot_capacity, is_open, link_depth_mm, vehicle_cost
from sim.obstacles import Obstacles, links_with, reserved_links
from sim.orders import Alert, Clear, Footbridge, Move, Pump, Reserve
from sim.rules import ACTIONS, Action, LinkClass, Mode, Structure, UnitKind
from sim.state import NEVER
from sim.turn import play_turn, replay, start
from sim.unit import NOWHERE, Unit
from sim.units import chain_ends, true_links
from tests.strategies import dry_world, flooded, line_district


def axis(length=8, **kwargs):
    """A line of primary road, its units on the last hex."""
    return line_district(
        length, link_class=LinkClass.PRIMARY, residents=20, unshelterable=10, **kwargs
    )


@pytest.mark.parametrize(
    ("action", "set_up", "kinds"),
    [
        (Action.PUMP, 1, {UnitKind.PUMP}),
        (Action.FOOTBRIDGE, 2, {UnitKind.PUMP}),
        (Action.CLEAR, 2, {UnitKind.PUMP, UnitKind.PATROL}),
        (Action.RESERVE, 1, {UnitKind.PATROL}),
    ],
)
def test_9_2_set_up_and_units_are_the_printed_ones(action, set_up, kinds):
    assert ACTIONS[action].set_up_turns == set_up
    assert set(ACTIONS[action].units) == kinds


def test_3_4_9_2_a_pump_lowers_the_depth_seen_by_18_cm_never_below_0():
    def seen(structure, depth_mm, pumps):
        return int(link_depth_mm(Links(LinkClass.LOCAL, structure, True, pumps=pumps), depth_mm))

    assert seen(Structure.ROAD, 400, 1) == 220
    assert seen(Structure.ROAD, 400, 2) == 40
    assert seen(Structure.ROAD, 100, 1) == 0
    # off what the link sees, not off the hex: an underpass gains no more than 18 cm
    assert seen(Structure.UNDERPASS, 200, 1) == 700 - 180
    assert seen(Structure.BRIDGE, 1_000, 1) == 400 - 180


def test_9_2_a_pump_holds_one_turn_after_it_arrives_and_while_it_stays():
    world = flooded(dry_world(axis(), turns=8), {4: 400})
    link = 4  # between hexes 4 and 5
    game = {2: (Pump(turn=2, unit="pump-1", link=link),), 5: (Move(turn=5, unit="pump-1", to=7),)}
    states, events = replay(world, game)
    pumps = [int(true_links(world, state)[0].pumps[link]) for state in states[1:8]]
    #        turn  1  2  3  4  5  6  7
    assert pumps == [0, 0, 1, 1, 1, 0, 0]
    (ready,) = (e for e in events[3] if isinstance(e, WorkReady))
    assert (ready.unit, ready.action, ready.links) == ("pump-1", "pump", (link,))


def test_12_2_a_held_link_puts_the_cut_in_play_off_but_not_the_threat():
    world = flooded(dry_world(axis(shelters=((0, 1_000),)), turns=8), {2: 400}, from_turn=5)
    game = {
        1: tuple(
            Pump(turn=1, unit=f"pump-{number}", link=link) for number, link in ((1, 1), (2, 2))
        )
    }
    held, bare = replay(world, game)[0][-1], replay(world, {})[0][-1]
    assert [bare.cut[cell] for cell in (1, 2, 5)] == [NEVER, 5, 5]
    assert [held.cut[cell] for cell in (1, 2, 5)] == [NEVER, NEVER, NEVER]
    assert world.first_cut[5] == 5


def test_9_2_a_footbridge_restores_a_foot_crossing_of_200_people_after_2_turns():
    world = flooded(dry_world(axis(), turns=8), {4: 900})
    states, _ = replay(world, {1: (Footbridge(turn=1, unit="pump-1", link=4),)})
    open_on_foot = []
    for state in states[1:6]:
        links, depth_mm = true_links(world, state)
        open_on_foot.append(bool(is_open(links, depth_mm, Mode.FOOT)[4]))
        assert not is_open(links, depth_mm, Mode.VEHICLE)[4]
    assert open_on_foot == [False, False, True, True, True]
    assert int(foot_capacity(links, depth_mm)[4]) == 200
    # once dry, the road itself, half of it while it is not cleared
    assert int(foot_capacity(links, np.zeros_like(depth_mm))[4]) == 1_200


def test_9_2_deep_water_leaves_a_link_uncleared_until_it_is_cleared():
    world = flooded(dry_world(axis(), turns=12), {4: 600})
    depth = np.array(world.depth_mm)
    depth[3:] = 0  # the water leaves in turn 3
    world = replace(world, depth_mm=depth)
    # a patrol goes and looks from hex 5, then clears the link between 4 and 5
    game = {1: (Move(turn=1, unit="patrol-1", to=5),), 4: (Clear(turn=4, unit="patrol-1", link=4),)}
    states, events = replay(world, game)
    assert states[3].obstacles.obstructed == (3, 4)
    assert 4 in states[3].known_obstacles.obstructed
    links, depth_mm = true_links(world, states[3])
    assert int(vehicle_cost(links, depth_mm)[4]) == 1 + 2
    assert int(foot_capacity(links, depth_mm)[4]) == 1_200
    done = {turn for turn, told in enumerate(events) if any(isinstance(e, WorkDone) for e in told)}
    assert done == {6}  # there already in turn 4, and two turns of set-up
    assert states[7].obstacles.obstructed == (3,)
    (patrol,) = (unit for unit in states[7].units if unit.name == "patrol-1")
    assert (patrol.task, patrol.links, patrol.ready) == ("", (), NEVER)


def test_9_2_clearing_takes_a_known_obstacle():
    world = dry_world(axis(), turns=2)
    state = replay(world, {})[0][1]
    _, events = play_turn(world, state, (Clear(turn=1, unit="patrol-1", link=4),))
    (refused,) = (e for e in events if isinstance(e, OrderRefused))
    assert refused.by_rule == "9.2"
    assert "nothing is known to stand" in refused.sentence


def test_9_2_10_3_a_reserved_axis_is_never_congested():
    district = line_district(5, residents=3_000, unshelterable=1_500, shelters=((0, 9_000),))
    world = dry_world(district, turns=12, hour=3)
    alert = tuple(Alert(turn=turn, centre=2, radius=1) for turn in (1, 2, 3))
    game = {turn: (alert[turn - 1],) for turn in (1, 2, 3)}
    crowded = replay(world, game)[0][-1]
    reserved = Reserve(turn=1, unit="patrol-1", links=(0, 1, 2))
    free = replay(world, {**game, 1: (alert[0], reserved)})[0]
    assert reserved_links(free[-1].units, 9) == (0, 1, 2)
    assert sum(free[-1].progress) > sum(crowded.progress)


def test_9_2_a_chain_is_8_links_at_most_one_after_another():
    sheet = axis(14).sheet
    assert chain_ends(sheet, (2, 3, 4)) == (2, 5)
    assert chain_ends(sheet, (4, 3, 2)) == (5, 2)
    assert chain_ends(sheet, (2, 4)) == ()
    assert chain_ends(sheet, (2, 2)) == ()
    world = dry_world(axis(14), turns=2)
    state = replay(world, {})[0][1]
    for links, says in ((tuple(range(9)), "1 to 8"), ((1, 3), "follow each other"), ((), "1 to 8")):
        _, events = play_turn(world, state, (Reserve(turn=1, unit="patrol-1", links=links),))
        (refused,) = (e for e in events if isinstance(e, OrderRefused))
        assert (refused.by_rule, says in refused.sentence) == ("9.2", True)


@pytest.mark.parametrize(
    ("order", "says"),
    [
        (Pump(turn=1, unit="patrol-1", link=1), "pump truck"),
        (Footbridge(turn=1, unit="boat-1", link=1), "pump truck"),
        (Reserve(turn=1, unit="pump-1", links=(1,)), "patrol"),
    ],
)
def test_9_2_each_action_takes_its_kind_of_unit(order, says):
    world = dry_world(axis(), turns=2)
    _, events = play_turn(world, replay(world, {})[0][1], (order,))
    (refused,) = (e for e in events if isinstance(e, OrderRefused))
    assert (refused.by_rule, says in refused.sentence) == ("9.2", True)


def test_9_2_a_unit_at_work_is_tied_up_until_it_is_sent_elsewhere():
    world = dry_world(axis(), turns=6)
    states, _ = replay(world, {1: (Pump(turn=1, unit="pump-1", link=2),)})
    (pump,) = (unit for unit in states[-1].units if unit.name == "pump-1")
    assert (pump.task, pump.cell, pump.to, pump.ready) == ("pump", 3, NOWHERE, 2)


def test_9_2_only_a_unit_that_has_set_up_works():
    at_work = Unit("pump-1", 3, task="pump", links=(3,), ready=4)
    district = axis()
    for turn, expected in ((3, 0), (4, 1), (5, 1)):
        links = links_with(district, Obstacles(), (at_work,), turn)
        assert int(links.pumps[3]) == expected
    assert start(dry_world(district)).obstacles == Obstacles()
