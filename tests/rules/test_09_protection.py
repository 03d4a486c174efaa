"""§9.3, 9.5 Options of quarters, and shelters that the team closes."""

from dataclasses import replace

import pytest

from sim.evacuation import advance_counters
from sim.events import LeftArea, OrderRefused, ProtectionSet
from sim.losses import lose_people
from sim.orders import Alert, CloseShelter, Move, OpenShelter, Protect
from sim.rules import HARBIN, Fabric, Protection
from sim.score import score
from sim.state import NEVER, NOWHERE, OUT_OF_AREA, Unit
from sim.turn import play_turn, replay, start
from tests.strategies import dry_world, flooded, line_district


def under_way(world, cells, option=Protection.SHELTER, *, turn=1, units=()):
    """A state whose counters run on some hexes from a turn on, under one option."""
    state = replace(start(world), turn=turn, units=units)
    first = tuple(turn if cell in cells else NEVER for cell in range(len(state.alerted)))
    chosen = (tuple(Protection).index(option),) * len(state.protection)
    return replace(state, alerted=first, first_step=first, protection=chosen)


def walk(world, state, turns):
    for _ in range(turns):
        state, _ = advance_counters(world, state, ())
        state = replace(state, turn=state.turn + 1)
    return state


def expected_points(fabric, threatened, residents=1_000):
    """Points of alerting a hex under each option, when all goes well (§12.1)."""
    row = HARBIN[fabric]
    to_shelter = residents * row.unshelterable
    followers = (residents - to_shelter) / 10
    shelter = (2 * to_shelter if threatened else -to_shelter) - followers
    return {Protection.UP: 0, Protection.SHELTER: shelter}


def test_9_3_the_sign_of_the_expected_points_makes_the_dilemma():
    def best(fabric, chance):
        yes, no = expected_points(fabric, True), expected_points(fabric, False)
        gain = {o: chance * yes[o] + (1 - chance) * no[o] for o in yes}
        return max(gain, key=lambda option: gain[option])

    # obviously going up in tower compounds, 4 % to shelter against 9.6 % of followers
    assert expected_points(Fabric.TOWER_COMPOUND, True)[Protection.SHELTER] < 0
    assert best(Fabric.TOWER_COMPOUND, 1.0) is Protection.UP
    # obviously not in an urban village
    assert best(Fabric.URBAN_VILLAGE, 0.4) is Protection.SHELTER
    # a real dilemma in the old town: it turns on how sure one is
    assert best(Fabric.OLD_TOWN, 0.4) is Protection.UP
    assert best(Fabric.OLD_TOWN, 0.5) is Protection.SHELTER


def test_9_3_local_shelter_is_the_default_and_an_alert_may_name_another_option():
    world = dry_world(line_district(12, quarter_length=6), turns=3)
    state = replay(world, {})[0][1]
    after, _ = play_turn(world, state, (Alert(turn=1, centre=2, radius=1),))
    assert after.protection == (0, 0)
    order = Alert(turn=1, centre=2, radius=1, option=Protection.UP)
    after, events = play_turn(world, state, (order,))
    assert after.protection == (tuple(Protection).index(Protection.UP), 0)
    (told,) = (e for e in events if isinstance(e, ProtectionSet))
    assert (told.quarter, told.option) == (0, "up")
    # a later alert that names none leaves it as it was
    later, _ = play_turn(world, after, (Alert(turn=2, centre=4, radius=1),))
    assert later.protection == after.protection


def test_9_3_changing_an_option_is_one_order_and_the_same_again_is_refused():
    world = dry_world(line_district(6), turns=3)
    state = replay(world, {})[0][1]
    change = Protect(turn=1, quarter=0, option=Protection.UP)
    after, events = play_turn(world, state, (change,))
    assert not any(isinstance(e, OrderRefused) for e in events)
    _, events = play_turn(world, after, (replace(change, turn=2),))
    (refused,) = (e for e in events if isinstance(e, OrderRefused))
    assert refused.by_rule == "9.3"


def test_9_3_going_up_uses_no_place_and_leaves_those_to_shelter_exposed():
    district = line_district(6, residents=1_000, unshelterable=100)
    world = flooded(dry_world(district, hour=3), {3: 900})
    state = under_way(world, {3}, Protection.UP, turn=2)
    after = walk(world, state, 8)
    assert after.places_taken == (0,)
    assert after.evacuated[3] == NEVER
    seeds = (replace(world, seed=f"{number:032x}") for number in range(200))
    lost = [lose_people(other, state, ())[0] for other in seeds]
    assert max(one.lost[3] for one in lost) > 0  # those to shelter
    assert {one.followers_lost[3] for one in lost} == {0}  # nobody followed: all upstairs


def test_9_3_those_called_back_upstairs_leave_their_route():
    world = dry_world(line_district(8, residents=20, unshelterable=10))
    state = walk(world, under_way(world, {5}), 2)
    assert state.shelter[5] == 0
    up = replace(state, protection=(tuple(Protection).index(Protection.UP),))
    after = walk(world, up, 1)
    assert (after.shelter[5], after.route[5], after.progress[5]) == (NOWHERE, (), 200)


def three(cell):
    return (Unit("patrol-1", cell), Unit("patrol-2", cell), Unit("pump-1", cell))


@pytest.mark.parametrize("cell", [0, 4, 6])
def test_9_3_buses_take_4_turns_and_a_third_of_the_distance_to_the_rim(cell):
    district = line_district(20, residents=20, unshelterable=10, shelters=((10, 50),))
    # the line is its own rim: put the way out at its ends by closing the sides
    world = dry_world(district)
    state = under_way(world, {cell}, Protection.OUT, units=three(19))
    state = walk(world, state, 1)
    assert state.shelter[cell] == OUT_OF_AREA
    assert state.target[cell] == 400  # every hex of a line lies on the rim
    assert state.places_taken == (0,)


def test_9_3_buses_wait_for_three_vehicles_on_the_quarter():
    world = dry_world(line_district(20, residents=20, unshelterable=10))
    alone = walk(world, under_way(world, {6}, Protection.OUT, units=three(19)[:2]), 3)
    assert alone.progress[6] == 0
    boats = (*three(19)[:2], Unit("boat-1", 19))
    assert walk(world, under_way(world, {6}, Protection.OUT, units=boats), 3).progress[6] == 0
    assert walk(world, under_way(world, {6}, Protection.OUT, units=three(19)), 3).progress[6] == 300


def test_9_3_out_of_the_area_takes_no_place_and_costs_a_point_for_each_never_threatened():
    district = line_district(20, residents=1_000, unshelterable=100, shelters=((0, 1_800),))
    world = dry_world(district, hour=3)
    state = under_way(world, {6}, Protection.OUT, units=three(19))
    told = []
    for _ in range(7):  # 400 hundredths at 60 a turn, by night
        state, events = advance_counters(world, state, ())
        told += [e for e in events if isinstance(e, LeftArea)]
        state = replace(state, turn=state.turn + 1)
    (left,) = told
    assert left.people == 100 * 100 + 90 * 100
    result = score(world, state)
    assert (result.places_used, result.misused, result.points) == (0, 190, -190)
    assert result.precision is None


def test_9_3_a_threatened_hex_taken_out_in_time_is_saved():
    district = line_district(20, residents=1_000, unshelterable=100, shelters=((0, 1_800),))
    world = flooded(dry_world(district, hour=3), {5: 400}, from_turn=9)
    state = walk(world, under_way(world, {8}, Protection.OUT, units=three(19)), 7)
    result = score(world, state)
    assert result.saved == 100
    assert result.points == 2 * 100 - 90


def test_9_5_a_closed_shelter_takes_nobody_until_it_is_opened():
    district = line_district(12, residents=20, unshelterable=10, shelters=((0, 100), (11, 100)))
    world = dry_world(district, turns=4)
    game = {1: (CloseShelter(turn=1, shelter=0),), 3: (OpenShelter(turn=3, shelter=0),)}
    states, _ = replay(world, game)
    assert [state.closed[0] for state in states[1:5]] == [False, True, True, False]
    state = replace(under_way(world, {2}), closed=(True, False))
    assert walk(world, state, 1).shelter[2] == 1


def test_9_5_a_shelter_is_not_closed_twice_nor_opened_when_open():
    world = dry_world(line_district(6), turns=3)
    state = replay(world, {})[0][1]
    _, events = play_turn(world, state, (OpenShelter(turn=1, shelter=0),))
    assert [e.by_rule for e in events if isinstance(e, OrderRefused)] == ["9.5"]
    closed, _ = play_turn(world, state, (CloseShelter(turn=1, shelter=0),))
    _, events = play_turn(world, closed, (CloseShelter(turn=2, shelter=0),))
    assert [e.by_rule for e in events if isinstance(e, OrderRefused)] == ["9.5"]
    move = Move(turn=2, unit="patrol-1", to=0)
    _, events = play_turn(world, closed, (move,))
    assert not any(isinstance(e, OrderRefused) for e in events)
