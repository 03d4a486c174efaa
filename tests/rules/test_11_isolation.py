"""§11 Isolation: supplies of a quarter, what their want costs, boats that bring some."""

from dataclasses import replace

import numpy as np
import pytest

from sim.district import Facility
from sim.events import Delivered, Isolated, OrderRefused
from sim.isolation import isolated_hexes, loss_unmet, points_needed, supply
from sim.orders import Deliver, Move
from sim.turn import play_turn, replay
from tests.strategies import dry_world, flooded, line_district


def town(length=9, residents=3_000):
    """Quarters of 3 hexes, and the units on the last hex."""
    return line_district(length, residents=residents, unshelterable=300, quarter_length=3)


def test_11_a_hex_is_isolated_when_all_its_links_stand_in_class_3():
    world = flooded(dry_world(town(), turns=2), {3: 500, 4: 499})
    state = replay(world, {})[0][1]
    # links 2-3 and 3-4 see 500 mm, 4-5 only 499
    assert np.flatnonzero(isolated_hexes(world, state)).tolist() == [3]


@pytest.mark.parametrize(("people", "points"), [(1, 1), (1_000, 1), (1_001, 2), (9_000, 9)])
def test_11_one_point_for_every_1_000_people_begun(people, points):
    assert points_needed(people * 100) == points


@pytest.mark.parametrize(("people", "lost"), [(5_000, 5_000), (150, 150), (20, 100), (0.4, 40)])
def test_11_unmet_one_percent_is_lost_and_one_person_at_least(people, lost):
    assert loss_unmet(int(people * 100)) == lost


def toll(world, quarter=1, game=None):
    """Needs and losses of a quarter, by turn."""
    _, events = replay(world, game or {})
    return {
        e.turn: (e.need, e.people)
        for told in events
        for e in told
        if isinstance(e, Isolated) and e.quarter == quarter
    }


def test_11_the_reserve_is_2_points_then_every_6_turns_one_percent_goes():
    # 1,500 isolated people need 2 points: the reserve meets the first need only
    world = flooded(dry_world(town(residents=1_500), turns=20, hour=3), {4: 600}, from_turn=3)
    assert toll(world) == {3: (2, 0), 9: (2, 1_500), 15: (2, 1_485)}
    states, _ = replay(world, {})
    lost = [sum(s.lost) + sum(s.followers_lost) + sum(s.upstairs_lost) for s in states]
    assert (lost[9], lost[10], lost[16]) == (0, 1_500, 2_985)


def watched(district, *cells):
    """The same town with a measuring station on some hexes: their water is known at once."""
    return replace(district, stations=tuple(Facility(cell, f"gauge {cell}") for cell in cells))


def test_11_the_reserve_meets_a_need_of_2_points_and_not_one_of_3():
    for residents, lost in ((2_000, 0), (2_001, 20 * 100 + 1)):
        quarter = town(residents=residents)
        world = flooded(dry_world(quarter, turns=5, hour=3), {4: 600}, from_turn=3)
        assert toll(world)[3] == (2 if lost == 0 else 3, lost)


def test_11_the_log_tells_apart_those_who_had_stayed_upstairs_of_an_evacuated_hex():
    world = flooded(dry_world(town(residents=1_500), turns=20, hour=3), {4: 600}, from_turn=3)
    state = replay(world, {})[0][9]
    nobody = (0,) * len(state.waiting)
    gone = replace(
        state,
        waiting=nobody,
        followers=nobody,
        evacuated=tuple(5 if cell == 4 else 0 for cell in range(len(nobody))),
    )
    for at, all_upstairs in ((state, False), (gone, True)):
        after, (told,) = supply(world, at, ())
        assert told.upstairs == sum(after.upstairs_lost) > 0
        assert (told.people == told.upstairs) == all_upstairs


def test_11_a_delivery_brings_one_point():
    world = flooded(
        dry_world(watched(town(residents=1_500), 4), turns=12, hour=3), {4: 600}, from_turn=3
    )
    game = {5: (Deliver(turn=5, unit="boat-1", cell=4), Deliver(turn=5, unit="boat-2", cell=4))}
    _, events = replay(world, game)
    brought = [e for told in events for e in told if isinstance(e, Delivered)]
    assert [(e.unit, e.quarter) for e in brought] == [("boat-1", 1), ("boat-2", 1)]
    assert toll(world, game=game) == {3: (2, 0), 9: (2, 0)}


def test_11_an_empty_boat_loads_at_its_base_first():
    world = flooded(
        dry_world(watched(town(residents=1_500), 4), turns=12, hour=3), {4: 600}, from_turn=1
    )
    game = {
        1: (Deliver(turn=1, unit="boat-1", cell=4),),
        4: (Deliver(turn=4, unit="boat-1", cell=4), Move(turn=4, unit="boat-1", to=8)),
        6: (Deliver(turn=6, unit="boat-1", cell=4),),
    }
    _, events = replay(world, game)
    refused = [(e.turn, e.by_rule) for told in events for e in told if isinstance(e, OrderRefused)]
    assert refused == [(4, "11")]
    assert sum(isinstance(e, Delivered) for told in events for e in told) == 2


def test_6_3_11_a_boat_delivers_where_somebody_is_known_to_be_isolated():
    order = Deliver(turn=1, unit="boat-1", cell=5)  # of the quarter of hexes 3 to 5
    for depth_mm, seen, taken in ((600, True, True), (499, True, False), (600, False, False)):
        district = watched(town(), 4) if seen else town()
        world = flooded(dry_world(district, turns=2), {4: depth_mm})
        state = replay(world, {})[0][1]
        assert isolated_hexes(world, state).any() == (depth_mm == 600)
        _, events = play_turn(world, state, (order,))
        refused = [e for e in events if isinstance(e, OrderRefused)]
        assert bool(refused) != taken
        if refused:  # the same whether it is dry there, or nobody has looked
            assert refused[0].by_rule == "11"
            assert refused[0].sentence.startswith("no hex of quarter 1 is known to be isolated")


def test_11_a_deliverer_is_a_boat():
    world = dry_world(town(), turns=2)
    state = replay(world, {})[0][1]
    _, events = play_turn(world, state, (Deliver(turn=1, unit="pump-1", cell=4),))
    (refused,) = (e for e in events if isinstance(e, OrderRefused))
    assert "it takes a boat" in refused.sentence


def test_11_the_lost_come_from_all_who_are_left_on_the_hex():
    world = flooded(dry_world(town(residents=40_000), turns=3, hour=3), {4: 600})
    states, _ = replay(world, {})
    end = states[-1]
    assert min(end.lost[4], end.followers_lost[4], end.upstairs_lost[4]) > 0
    assert end.lost[4] + end.followers_lost[4] + end.upstairs_lost[4] == 40_000
    untouched = replace(world, depth_mm=np.zeros_like(world.depth_mm))
    assert sum(replay(untouched, {})[0][-1].upstairs_lost) == 0
