"""§18 Turn sequence, §19 replays, and what always holds."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.errors import ExerciseError
from sim.events import CardDrawn, OrderTaken, OrderWithdrawn, by_label
from sim.orders import FREE, Alert
from sim.score import score
from sim.state import NEVER, canonical_json, state_hash
from sim.turn import PHASES, is_over, play_turn, replay, start
from sim.view import staffing_at
from sim.world import World
from tests.strategies import (
    dry_world,
    line_district,
    orders_for,
    seed_of,
    synthetic_district,
    synthetic_world,
    worlds,
)

ROOT = Path(__file__).parent.parent.parent


def test_18_the_phases_stand_in_the_printed_order():
    assert [phase.__name__ for phase in PHASES] == [
        "raise_water",  # 2
        "draw_card",  # 3
        "let_channels_speak",  # 4
        "hear_residents",  # 4
        "issue_bulletin",  # 4
        "take_orders",  # 5
        "decide",  # 5
        "move_units",  # 6
        "resolve_alerts",  # 7
        "advance_counters",  # 8
        "supply",  # 9
        "lose_people",  # 9
    ]


def test_18_an_exercise_lasts_its_turns_after_the_forecast():
    world = dry_world(line_district(), turns=4)
    states, events = replay(world, {})
    assert [state.turn for state in states] == [0, 1, 2, 3, 4, 5]
    assert len(events) == 5
    assert is_over(world, states[-1])
    with pytest.raises(ExerciseError, match="ended with turn 4"):
        play_turn(world, states[-1], ())


@st.composite
def games(draw):
    world = draw(worlds(turns=10))
    return world, draw(orders_for(world))


@given(games())
@settings(max_examples=40)
def test_what_always_holds(played):
    world, orders = played
    states, events = replay(world, orders)
    people = world.situation.to_shelter.sum() * 100, world.situation.upstairs.sum() * 10
    capacity = [shelter.places * 100 for shelter in world.district.shelters]
    for state in states:
        # 10.5: people are conserved to the hundredth, hex by hex
        needing = sum(map(np.array, (state.waiting, state.in_time, state.late, state.lost)))
        following = sum(
            map(np.array, (state.followers, state.follower_places, state.followers_lost))
        )
        assert (needing == world.situation.to_shelter * 100).all()
        assert (int(needing.sum()), int(following.sum())) == people
        assert min(min(state.waiting), min(state.followers)) >= 0
        staying = sum(state.upstairs) + sum(state.upstairs_lost)
        assert staying == int(world.situation.upstairs.sum()) * 90
        # 10.2: places are never above capacity, and are what arrived, buses apart
        assert all(a <= b for a, b in zip(state.places_taken, capacity, strict=True))
        arrived = sum(state.in_time) + sum(state.late) + sum(state.follower_places)
        assert sum(state.places_taken) == arrived - sum(state.out) - sum(state.out_followers)
        # a counter never starts before its alert, nor steps back
        for alerted, first in zip(state.alerted, state.first_step, strict=True):
            assert (alerted == NEVER) == (first == NEVER)
            assert first in (NEVER, alerted + 1, alerted + 3)
        assert state.pending == ()
        # no unit in two places, none lost
        names = [unit.name for unit in state.units]
        assert len(set(names)) == len(names)
        assert {unit.name for unit in states[0].units} <= set(names)
    for turn, (before, after) in enumerate(pairwise(states)):
        if not any(isinstance(event, CardDrawn) for event in events[turn]):
            assert (np.array(before.progress) <= np.array(after.progress)).all()
    # 9.1: the budget is never exceeded
    for turn, happened in enumerate(events):
        spent = sum(
            (1 if isinstance(event, OrderTaken) else -1)
            for event in happened
            if isinstance(event, (OrderTaken, OrderWithdrawn)) and not isinstance(event.order, FREE)
        )
        assert 0 <= spent <= (staffing_at(turn).orders if turn else 0)
    # 12: the terms reconcile with the people that they count
    result = score(world, states[-1])
    assert result.threatened == result.saved + result.late + result.left
    out = (sum(states[-1].out) + sum(states[-1].out_followers)) / 100
    assert abs(result.places_used + out - result.saved - result.late - result.misused) <= 3
    capital = 150 * (result.capital - 60)
    assert result.points == 2 * result.saved - result.misused - 4 * result.victims + capital


@given(games())
@settings(max_examples=10)
def test_19_the_same_seed_and_orders_give_the_same_hashes_and_events(played):
    world, orders = played
    states, events = replay(world, orders)
    again, events_again = replay(replace(world), orders)
    assert [state_hash(state) for state in states] == [state_hash(state) for state in again]
    assert events == events_again


def alerts_everywhere(world):
    n = world.district.sheet.n_hexes
    return {
        turn: (Alert(turn=turn, centre=turn * 7 % n, radius=1),)
        for turn in range(1, world.turns + 1)
    }


def test_19_another_seed_gives_other_dice_events():
    world = synthetic_world(synthetic_district(10, 10), level=3, turns=8)
    orders = alerts_everywhere(world)

    def dice(world):
        _, events = replay(world, orders)
        return [e.dice for happened in events for e in happened if hasattr(e, "dice")]

    first = dice(world)
    assert len(first) > 10
    assert first == dice(replace(world))
    assert first != dice(replace(world, seed=seed_of(99)))


def test_19_a_state_is_whole_numbers_and_text():
    world = synthetic_world(synthetic_district(), turns=6)
    state = replay(world, alerts_everywhere(world))[0][-1]

    def leaves(value):
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list):
            return {kind for part in value for kind in leaves(part)}
        return {type(value)}

    assert leaves(json.loads(canonical_json(state))) <= {int, str, bool}


SCRIPT = """
from sim.state import state_hash
from sim.turn import replay
from tests.rules.test_18_turn import alerts_everywhere
from tests.strategies import synthetic_district, synthetic_world
world = synthetic_world(synthetic_district(), turns=8)
print(state_hash(replay(world, alerts_everywhere(world))[0][-1]))
"""


def test_19_the_hash_does_not_depend_on_pythonhashseed():
    world = synthetic_world(synthetic_district(), turns=8)
    here = state_hash(replay(world, alerts_everywhere(world))[0][-1])
    for hash_seed in ("0", "12345"):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
        )
        assert done.stdout.strip() == here


def test_19_draws_are_few_and_an_alert_moves_no_other_quarters_dice():
    world = dry_world(line_district(12, quarter_length=6), turns=2)
    state = replay(world, {})[0][1]

    def dice_of_quarter_1(*orders):
        _, events = play_turn(world, state, orders)
        return [e.dice for e in events if getattr(e, "quarter", None) == 1]

    west, east = Alert(turn=1, centre=1, radius=1), Alert(turn=1, centre=9, radius=1)
    assert dice_of_quarter_1(east) == dice_of_quarter_1(west, east) != []


def test_7_5_a_world_refuses_water_of_another_shape():
    district = line_district(6)
    with pytest.raises(ExerciseError, match=r"water of shape \(5, 6\) where 5 turns"):
        World(district, np.zeros((5, 6), np.int32), 1, seed_of(1), 14, 5)
    with pytest.raises(ExerciseError, match="whole millimetres"):
        World(district, np.full((6, 6), -1, np.int32), 1, seed_of(1), 14, 5)
    with pytest.raises(ExerciseError, match="storm level 4"):
        World(district, np.zeros((6, 6), np.int32), 4, seed_of(1), 14, 5)


def test_18_every_event_is_written_by_label_with_its_rule():
    world = synthetic_world(synthetic_district(10, 10), level=5, turns=8)
    states, events = replay(world, alerts_everywhere(world))
    written = [by_label(world.district, event) for happened in events for event in happened]
    assert all(entry["rule"] and entry["seen_by"] for entry in written)
    assert {"Observed", "BulletinIssued", "OrderTaken", "AlertRolled", "RoutesTaken"} <= {
        entry["event"] for entry in written
    }
    json.dumps(written)
    assert start(world) == states[0]
