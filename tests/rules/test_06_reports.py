"""§6, 6.1, 4.3: what residents tell, what is known where nobody looks, and what no die decides."""

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sim.events import Observed, Reported
from sim.knowledge import observed_cells
from sim.orders import Move
from sim.reports import hear_residents
from sim.state import KNOWN_BY_REPORT, KNOWN_EXACTLY
from sim.turn import replay, start
from sim.unit import Unit
from tests.strategies import (
    dry_world,
    flooded,
    line_district,
    seed_of,
    synthetic_district,
    synthetic_world,
)

CROWD = 999
"""Hexes whose residents speak, so that a share can be told from another."""
DEPTHS = {0: 0, 1: 200, 2: 400, 3: 600, 4: 900}


def told(water, *, residents=1_000, hour=14, seen=1, turn=3):
    """Classes that a crowd of hexes under one class of water tells in a turn, by hex."""
    district = line_district(CROWD, residents=residents, unshelterable=0)
    world = dry_world(district, turns=6, hour=hour)
    depth = np.array(world.depth_mm)
    depth[seen] = DEPTHS[water]
    world = replace(world, depth_mm=depth)
    state, events = hear_residents(world, replace(start(world), turn=turn), ())
    heard = SimpleNamespace(world=world, state=state, classes={})
    for event in events:
        assert isinstance(event, Reported)
        heard.classes.update(zip(event.cells, event.water, strict=True))
    return heard


def close(count, share, of=CROWD):
    """Whether a count is a share of so many, within four standard deviations."""
    return abs(count - of * share) <= 4 * (of * share * (1 - share)) ** 0.5


@pytest.mark.parametrize("night", [False, True])
def test_6_a_pump_truck_sees_its_own_hex_by_day_and_night(night):
    district = replace(synthetic_district(8, 8), stations=())
    middle = district.sheet.index_of("0404")
    assert observed_cells(district, (Unit("pump-1", middle),), night=night) == (middle,)


def test_6_what_is_unseen_keeps_its_last_known_value_and_ages():
    world = flooded(dry_world(line_district(10), turns=6), {0: 120})
    game = {2: (Move(turn=2, unit="patrol-1", to=0),)}
    states, _ = replay(world, game)
    assert states[1].known_mm[0] == 0
    at = next(state.turn for state in states if state.known_mm[0] == 120)
    gone = {at: (Move(turn=at, unit="patrol-1", to=9),)}
    later = replay(world, {**game, **gone})[0][6]
    assert later.known_mm[0] == 120
    assert 0 < later.known_turn[0] < 6


def test_6_reports_tell_of_the_water_of_two_turns_before():
    for turn in (1, 2, 4, 5):
        assert told(2, seen=1, turn=turn).classes == {}
    heard = told(2, seen=1, turn=3)
    assert len(heard.classes) == CROWD
    assert set(heard.state.known_turn) == {1}
    assert set(heard.state.known_by) == {KNOWN_BY_REPORT}


@pytest.mark.parametrize(
    ("water", "low", "high"), [(1, 0, 2), (2, 1, 3), (3, 2, 4)], ids=["slowed", "blocking", "deep"]
)
def test_6_reports_are_one_class_off_one_time_in_three_either_way(water, low, high):
    classes = Counter(told(water).classes.values())
    assert set(classes) == {low, water, high}
    assert close(classes[water], 2 / 3)
    assert close(classes[low], 1 / 6)
    assert close(classes[high], 1 / 6)


def test_6_1_what_is_told_is_never_above_class_4_and_a_dry_hex_tells_nothing():
    classes = Counter(told(4).classes.values())
    assert set(classes) == {3, 4}
    assert close(classes[3], 1 / 6)
    assert told(0).classes == {}


@pytest.mark.parametrize(("residents", "chance"), [(0, 0), (250, 0.25), (600, 0.6), (4_000, 1)])
def test_6_1_a_wet_hex_reports_with_a_chance_of_its_residents_in_a_thousand(residents, chance):
    assert close(len(told(1, residents=residents).classes), chance)


def test_6_1_night_halves_the_chance():
    assert close(len(told(1, residents=800, hour=3).classes), 0.4)
    assert close(len(told(1, residents=4_000, hour=3).classes), 0.5)


def test_6_1_what_is_told_does_not_replace_what_was_seen_since():
    heard = told(2)
    seen_now = replace(
        heard.state,
        known_mm=(7,) * CROWD,
        known_turn=(2,) * CROWD,
        known_by=(KNOWN_EXACTLY,) * CROWD,
    )
    after, _ = hear_residents(heard.world, seen_now, ())
    assert set(after.known_mm) == {7}
    assert set(after.known_by) == {KNOWN_EXACTLY}


def test_10_4_reports_are_halved_by_night():
    by_day, by_night = told(1, residents=600), told(1, residents=600, hour=3)
    assert close(len(by_day.classes), 0.6)
    assert close(len(by_night.classes), 0.3)


def test_4_3_no_die_decides_whether_units_learn_nor_what_the_water_is():
    world = synthetic_world(synthetic_district(8, 8), level=5, turns=8)

    def observed(seed):
        _, events = replay(replace(world, seed=seed), {})
        seen = [e for happened in events for e in happened if isinstance(e, Observed)]
        for event in seen:
            cells = list(event.cells)
            assert event.depth_mm == tuple(world.depth_mm[event.turn, cells].tolist())
        return seen

    first = observed(seed_of(1))
    assert len(first) == world.turns
    assert all(event.cells for event in first)
    for number in range(2, 6):
        assert observed(seed_of(number)) == first
