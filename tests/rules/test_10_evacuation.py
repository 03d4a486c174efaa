"""§10 Evacuation: one counter a hex, routes, congestion, shelters that fill, losses."""

from dataclasses import replace

import numpy as np
import pytest

from sim.evacuation import advance_counters, counter_steps
from sim.events import Arrived, LossRolled
from sim.links import Links, foot_capacity
from sim.losses import lose_people, loss_of
from sim.rules import LinkClass, Structure
from sim.state import NEVER, NOWHERE, Unit
from sim.turn import play_turn, start
from sim.units import true_links
from tests.strategies import dry_world, flooded, line_district, seed_of


def running(world, cells, *, turn=1):
    """A state whose counters run on some hexes from a turn on, no patrol on the board."""
    state = replace(start(world), turn=turn, units=())
    first = [turn if cell in cells else NEVER for cell in range(len(state.alerted))]
    return replace(state, alerted=tuple(first), first_step=tuple(first))


def walk(world, state, turns=1):
    """Play phase 8 alone, some turns; the state after."""
    for _ in range(turns):
        state, _ = advance_counters(world, state, ())
        state = replace(state, turn=state.turn + 1)
    return state


def few(length=6, **kwargs):
    """A line of hexes with so few people that nothing is congested."""
    return line_district(length, residents=20, unshelterable=10, **kwargs)


@pytest.mark.parametrize("cell", [0, 1, 4])
def test_10_1_complete_after_3_plus_distance_turns(cell):
    world = dry_world(few())
    state = running(world, {cell})
    before = walk(world, state, turns=2 + cell)
    assert before.evacuated[cell] == NEVER
    assert walk(world, before).evacuated[cell] == 3 + cell


def test_10_1_plus_2_with_a_patrol_on_the_hex():
    world = dry_world(few())
    state = replace(running(world, {3, 4}), units=(Unit("patrol-1", 3),))
    after = walk(world, state)
    assert (after.progress[3], after.progress[4]) == (200, 100)


def test_10_1_zero_if_the_route_is_blocked_and_on_again_when_it_opens():
    world = flooded(dry_world(few(), turns=9), {1: 400}, from_turn=3)
    depth = np.array(world.depth_mm)
    depth[6:] = 0
    world = replace(world, depth_mm=depth)
    state = running(world, {4})
    progress = []
    for _ in range(8):
        state = walk(world, state)
        progress.append(state.progress[4])
    assert progress == [100, 200, 200, 200, 200, 300, 400, 500]
    assert state.target[4] == 700


def test_10_2_the_nearest_shelter_and_among_equals_the_lower_number():
    district = few(7, shelters=((6, 100), (0, 100), (1, 100)))
    world = dry_world(district)
    state = walk(world, running(world, {2, 3, 5}))
    assert [state.shelter[cell] for cell in (2, 5)] == [2, 0]
    tie = replace(district, shelters=(district.shelters[0], district.shelters[1]))
    state = walk(dry_world(tie), running(dry_world(tie), {3}))
    assert state.shelter[3] == 0


def test_10_2_distance_is_taken_when_the_counter_starts_and_kept_while_the_route_holds():
    # shelter 1 at hex 0 is nearer only once hex 1's flood has gone: nobody turns back for it
    district = few(8, shelters=((0, 100), (7, 100)))
    world = flooded(dry_world(district, turns=9), {1: 400})
    depth = np.array(world.depth_mm)
    depth[3:] = 0
    world = replace(world, depth_mm=depth)
    state = walk(world, running(world, {2}), turns=4)
    assert (state.shelter[2], state.target[2]) == (1, 300 + 500)


def test_10_2_a_cut_route_takes_the_larger_of_progress_and_3_plus_the_new_distance():
    district = few(12, shelters=((0, 100), (11, 100)))
    # the route west is cut at turn 4: 3 hundred made, 3 + 6 to go the other way
    world = flooded(dry_world(district, turns=9), {2: 400}, from_turn=4)
    state = walk(world, running(world, {5}), turns=4)
    assert (state.shelter[5], state.target[5], state.progress[5]) == (1, 900, 400)
    # much progress made: the target is what was made, so that the next step completes it
    state = running(world, {5})
    state = replace(state, turn=4, progress=tuple(950 if c == 5 else 0 for c in range(12)))
    after = walk(world, state)
    assert after.target[5] == 950
    assert after.evacuated[5] == 4


def test_10_2_a_shelter_that_stands_in_class_2_takes_nobody():
    district = few(12, shelters=((0, 100), (11, 100)))
    for depth_mm, shelter in ((299, 0), (300, 1)):
        world = flooded(dry_world(district), {0: depth_mm})
        # hex 0's water shuts its links too: stand on the shelter's own hex
        state = walk(world, running(world, {1, 0}))
        assert state.shelter[1] == shelter
        assert state.shelter[0] == (0 if shelter == 0 else NOWHERE)


def test_10_2_arrivals_are_admitted_in_ascending_hex_number_up_to_capacity():
    # 10 to shelter and 1 follower a hex: 15 places let hex 1 in whole and 4 of hex 2
    district = few(9, shelters=((0, 15), (8, 900)))
    world = dry_world(district, hour=3)
    state = running(world, {1, 2})
    state = replace(state, progress=tuple(480 if c in (1, 2) else 0 for c in range(9)))
    after, events = advance_counters(world, state, ())
    arrived = [(e.cell, e.people, e.complete) for e in events if isinstance(e, Arrived)]
    assert arrived == [(1, 1_100, True), (2, 400, False)]
    assert after.places_taken == (1_500, 0)
    # those to shelter and their followers enter in proportion
    assert (after.waiting[2], after.followers[2]) == (1_000 - 363, 100 - 37)
    # the rest take the next shelter: 3 + 6 hexes
    later = walk(world, replace(after, turn=2))
    assert (later.shelter[2], later.target[2]) == (1, 900)


@pytest.mark.parametrize(
    ("link_class", "capacity"),
    [
        (LinkClass.EXPRESSWAY, 2_400),
        (LinkClass.PRIMARY, 2_400),
        (LinkClass.SECONDARY, 1_200),
        (LinkClass.LOCAL, 600),
        (LinkClass.NONE, 600),  # a foot link is class 1 for pedestrians
    ],
)
def test_10_3_capacity_of_a_link(link_class, capacity):
    assert foot_capacity(Links(link_class, Structure.ROAD, True), 0) == capacity


def test_10_3_the_worst_link_of_the_route_scales_the_step_rounded_down():
    # 1,000 on each of hexes 1..3 walk to hex 0: the last link carries 3,000, the next 2,000
    district = line_district(4, residents=1_000, unshelterable=1_000, shelters=((0, 9_000),))
    world = dry_world(district, hour=8)
    state = running(world, {1, 2, 3})
    after = walk(world, state)
    assert after.progress == (0, 20, 20, 20)  # 600 / 3,000
    two = walk(world, running(world, {2, 3}))
    assert two.progress == (0, 0, 30, 30)  # 600 / 2,000
    one = walk(world, running(world, {3}))
    assert one.progress == (0, 0, 0, 60)


def test_10_3_both_directions_count_and_only_the_hexes_that_use_the_link():
    district = line_district(
        7, residents=1_000, unshelterable=1_000, shelters=((3, 9_000), (6, 9_000))
    )
    world = dry_world(district, hour=8)
    state = walk(world, running(world, {0, 2, 4}))
    # hex 4 is alone on its link; 0 and 2 share the one between 2 and 3
    assert (state.progress[0], state.progress[2], state.progress[4]) == (30, 30, 60)


def test_10_3_hundredths_are_patrol_by_night_by_congestion_rounded_down_once():
    district = line_district(2, residents=700, unshelterable=700)
    world = dry_world(district, hour=3)
    state = walk(world, replace(running(world, {1}), units=(Unit("patrol-1", 1),)))
    assert state.progress[1] == 200 * 60 * 600 // (100 * 700)  # 102, not 2 × 51


def test_10_3_followers_walk_and_crowd_like_the_others():
    # 500 to shelter and 50 followers on each of two hexes share the last link
    district = line_district(3, residents=1_000, unshelterable=500, shelters=((0, 9_000),))
    world = dry_world(district, hour=3)
    assert walk(world, running(world, {1, 2})).progress == (0, 32, 32)  # 60 × 600 / 1,100


def test_10_3_people_who_stand_still_congest_nobody():
    district = line_district(8, residents=1_000, unshelterable=1_000, shelters=((0, 9_000),))
    world = flooded(dry_world(district, hour=8), {5: 400})
    state = walk(world, running(world, {2, 7}))
    walking = np.array(state.shelter) != NOWHERE
    step = counter_steps(world, state, *true_links(world, state), walking)
    assert (state.progress[7], state.progress[2], step[2]) == (0, 60, 60)


def test_10_4_by_night_counters_advance_at_60_percent():
    world = dry_world(few(), hour=3)
    assert walk(world, running(world, {4})).progress[4] == 60


@pytest.mark.parametrize(("hour", "target"), [(14, 700), (3, 900)])
def test_10_4_each_class_1_link_on_the_route_adds_1_by_night(hour, target):
    # hex 2 under 20 cm wets the two links beside it
    world = flooded(dry_world(few(), hour=hour), {2: 200})
    assert walk(world, running(world, {4})).target[4] == target


def test_10_4_an_underpass_is_wet_before_its_road():
    district = few(structure=Structure.UNDERPASS)
    world = flooded(dry_world(district, hour=3), {2: 50})
    assert walk(world, running(world, {4})).target[4] == 900


def test_10_5_losses_are_5_percent_and_by_night_half_as_much_again():
    assert loss_of(np.array([12_345]), night=False).tolist() == [617]
    assert loss_of(np.array([12_345]), night=True).tolist() == [925]


def drowned(number, *, hour=14, depth_mm=701):
    district = line_district(6, residents=1_000, unshelterable=1_000, shelters=((5, 9_000),))
    world = flooded(
        dry_world(district, hour=hour, seed=seed_of(number)), {1: depth_mm, 2: depth_mm}
    )
    state = replace(start(world), turn=1)
    return state, *lose_people(world, state, ())


def test_10_5_on_9_or_more_the_hexes_in_class_4_lose_people_once_a_turn():
    seen = set()
    for number in range(40):
        before, after, events = drowned(number)
        (roll,) = events
        assert isinstance(roll, LossRolled)
        assert roll.cells == (1, 2)
        assert roll.success == (roll.dice >= 9)
        lost = 100_000 * 5 // 100 if roll.success else 0
        assert after.lost == (0, lost, lost, 0, 0, 0)
        assert [b - a for b, a in zip(before.waiting, after.waiting, strict=True)] == list(
            after.lost
        )
        assert roll.people == sum(after.lost)
        assert roll.on_their_way == 0  # nobody was alerted
        seen.add(roll.success)
    assert seen == {True, False}


def test_10_5_class_3_loses_nobody():
    assert drowned(1, depth_mm=700)[2] == ()


def test_10_5_followers_are_exposed_once_their_counter_runs_those_upstairs_are_not():
    district = line_district(3, residents=1_000, unshelterable=0, shelters=((2, 900),))
    number = next(k for k in range(99) if drowned(k)[2][0].success)
    world = flooded(dry_world(district, hour=3, seed=seed_of(number)), {0: 900})
    upstairs = replace(start(world), turn=1)
    assert lose_people(world, upstairs, ()) == (upstairs, ())
    walking = running(world, {0})
    after, (roll,) = lose_people(world, walking, ())
    assert after.followers_lost == (10_000 * 75 // 1_000, 0, 0)
    assert (roll.people, roll.on_their_way) == (750, 750)
    assert after.lost == (0, 0, 0)


def test_10_2_an_evacuated_hex_stops_counting():
    world = dry_world(few(), turns=12)
    state = walk(world, running(world, {1}), turns=8)
    assert state.progress[1] == 400
    assert play_turn(world, state, ())[0].progress[1] == 400
