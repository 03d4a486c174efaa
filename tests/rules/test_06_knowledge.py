"""§6 What the player knows: channels, bulletin, known state, non-interference."""

from dataclasses import fields, replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.bulletin import levels_open, narrowed
from sim.district import Facility
from sim.events import TEAM, Arrived, Reported, UnitBlocked, UnitMoved, by_label, seen_by
from sim.knowledge import observed_cells
from sim.legality import refusal
from sim.orders import Alert, Move
from sim.rules import LEVELS, LinkClass
from sim.state import NEVER, State, Unit
from sim.turn import replay, start
from sim.view import View, view_bytes, view_for
from sim.world import World, secret_level
from tests.strategies import (
    dry_world,
    flooded,
    line_district,
    seed_of,
    synthetic_district,
)


def test_6_a_patrol_sees_its_hex_and_six_neighbours_by_day_its_own_by_night():
    district = replace(synthetic_district(8, 8), stations=())
    middle = district.sheet.index_of("0404")
    patrol = (Unit("patrol-1", middle),)
    by_day = observed_cells(district, patrol, night=False)
    assert len(by_day) == 7
    assert set(by_day) == set(district.sheet.disk(middle, 1))
    assert observed_cells(district, patrol, night=True) == (middle,)


def test_6_a_station_sees_its_own_hex_by_day_and_night():
    district = replace(synthetic_district(8, 8), stations=(Facility(11, "gauge"),))
    for night in (False, True):
        assert observed_cells(district, (), night=night) == (11,)


def test_6_observations_are_exact_and_at_once_and_age_where_nobody_looks():
    # the patrols look from hex 9, the pump trucks and boats from hex 0
    district = line_district(10, link_class=LinkClass.PRIMARY, technical=0)
    world = dry_world(district, turns=4)
    depth = np.array(world.depth_mm)
    depth[:, 9], depth[:, 4] = [0, 10, 20, 30, 40], 99
    states, _ = replay(
        replace(world, depth_mm=depth),
        {
            1: tuple(Move(turn=1, unit=f"patrol-{i}", to=0) for i in (1, 2, 3)),
            2: (Move(turn=2, unit="patrol-4", to=0),),
        },
    )
    assert (states[1].known_mm[9], states[1].known_turn[9]) == (10, 1)
    assert (states[2].known_mm[9], states[2].known_turn[9]) == (20, 2)
    assert (states[4].known_mm[9], states[4].known_turn[9]) == (20, 2)  # last known, two turns old
    assert (states[4].known_mm[0], states[4].known_turn[0]) == (0, 4)
    assert {state.known_mm[4] for state in states} == {0}  # never seen: dry since turn 0
    assert {state.known_turn[4] for state in states} == {0}


def test_6_0_units_observe_where_they_end_the_turn_not_along_the_way():
    district = line_district(30, link_class=LinkClass.PRIMARY)
    world = flooded(dry_world(district, turns=2), {15: 100})
    states, _ = replay(world, {1: (Move(turn=1, unit="patrol-1", to=0),)})
    assert states[2].units[0].cell == 0
    assert states[2].known_turn[15] == 0


def test_6_2_the_secret_level_is_drawn_among_1_2_3_and_5():
    drawn = [secret_level(seed_of(number)) for number in range(400)]
    assert set(drawn) == set(LEVELS)
    assert all(70 <= drawn.count(level) <= 130 for level in LEVELS)


def test_6_2_the_bulletin_leaves_4_3_2_and_1_levels_from_turns_1_4_6_and_8():
    assert [levels_open(turn) for turn in range(1, 10)] == [4, 4, 4, 3, 3, 2, 2, 1, 1]


@given(level=st.sampled_from(LEVELS), number=st.integers(0, 10_000))
@settings(max_examples=40)
def test_6_2_each_bulletin_holds_the_truth_and_lies_inside_the_one_before(level, number):
    world = replace(dry_world(line_district(), turns=9), level=level, seed=seed_of(number))
    states, _ = replay(world, {})
    bulletins = [state.bulletin for state in states[1:10]]
    assert bulletins[0] == LEVELS
    assert bulletins[-1] == (level,)
    for before, after in pairwise(bulletins):
        assert level in after
        assert set(after) <= set(before)
        first = LEVELS.index(after[0])
        assert after == LEVELS[first : first + len(after)]


def test_6_2_where_the_range_sits_is_drawn_from_the_seed():
    drawn = {narrowed(LEVELS, 3, 2, seed_of(number)) for number in range(40)}
    assert drawn == {(1, 2, 3), (2, 3, 5)}


def test_6_3_a_refusal_rests_on_the_known_state_and_the_truth_fails_in_play():
    district = line_district(40, link_class=LinkClass.PRIMARY)
    world = flooded(dry_world(district, turns=3), {20: 600})
    order = Move(turn=1, unit="patrol-1", to=0)
    states, events = replay(world, {1: (order,)})
    # the flood stands out of sight: the order is taken, and fails before it
    assert refusal(district, view_for(states[1], 14, 3), order, {}) is None
    assert any(isinstance(event, UnitBlocked) for event in events[1])
    assert states[2].units[0].cell == 21
    # once seen, it is refused, with the rule
    again = Move(turn=2, unit="patrol-1", to=0)
    refused = refusal(district, view_for(states[2], 14, 3), again, {})
    assert refused is not None
    assert refused.rule == "6.3"


def test_6_4_a_view_has_no_field_of_the_hidden_truth():
    shown = {field.name for field in fields(View)}
    hidden = {field.name for field in fields(State)} - shown
    assert {"progress", "target", "route", "shelter", "first_step", "cut", "lost"} <= hidden
    assert not shown & {"level", "seed", "depth_mm"}


def observations(world, states, events):
    """All that the channels of §6 give, gathered apart from the view's code."""
    told = []
    for state, happened in zip(states[1:], events, strict=True):
        if state.turn <= world.turns:
            sight = {station.cell for station in world.district.stations}
            for unit in state.units:
                radius = unit.name.startswith("patrol") and not world.night(state.turn)
                sight |= set(world.district.sheet.disk(unit.cell, int(radius)))
            told.append({cell: int(world.depth_mm[state.turn, cell]) for cell in sorted(sight)})
            left = state.obstacles.obstructed
            told.append([e for e in left if set(world.district.sheet.edges[e].tolist()) <= sight])
        told.append([(unit.name, unit.cell, unit.blocked) for unit in state.units])
        told.append([event for event in happened if type(event) in (Arrived, UnitMoved, Reported)])
        told.append([turn != NEVER for turn in state.alerted])
        told.append(state.bulletin)
    return told


def game(number):
    """A world and a game on it, from one whole number."""
    rng = np.random.default_rng(number)
    turns, district = 8, synthetic_district(8, 6, number)
    n = district.sheet.n_hexes
    # where nobody lives, nobody tells of the water
    lived = rng.random(n) < 0.6
    district = replace(
        district,
        residents=district.residents * lived,
        unshelterable=district.unshelterable * lived,
    )
    peak = np.where(rng.random(n) < 0.3, rng.integers(0, 1_500, n), 0)
    depth = (peak * np.arange(turns + 1)[:, None] // turns).astype(np.int32)
    hour = int(rng.choice([3, 8, 14]))
    world = World(district, depth, int(rng.choice(LEVELS)), seed_of(number), hour, turns)
    orders = {
        turn: (
            Alert(turn=turn, centre=int(rng.integers(n)), radius=1),
            Move(turn=turn, unit=f"patrol-{rng.integers(1, 5)}", to=int(rng.integers(n))),
        )
        for turn in range(1, turns, 2)
    }
    return world, orders


def unlike(world, states, number):
    """The same world with other water on some hexes that no channel tells of."""
    rng = np.random.default_rng(number)
    seen = np.zeros(world.depth_mm.shape, dtype=bool)
    for state in states[1:-1]:
        cells = observed_cells(world.district, state.units, night=world.night(state.turn))
        seen[state.turn, list(cells)] = True
    changed = ~seen & (rng.random(world.depth_mm.shape) < 0.06)
    changed &= world.district.residents == 0
    changed[0] = False
    return replace(world, depth_mm=np.where(changed, 1_499, world.depth_mm).astype(np.int32))


def test_6_4_worlds_that_give_the_same_observations_give_byte_identical_views(monkeypatch):
    compared = 0
    for number in range(60):
        world, orders = game(number)
        states, events = replay(world, orders)
        twin = unlike(world, states, number)
        with monkeypatch.context() as other_dice:
            # losses are seen by nobody: neither their dice nor who is lost may show
            other_dice.setattr("sim.losses.two_dice", lambda *key: 12)
            twin_states, twin_events = replay(twin, orders)
        if observations(world, states, events) != observations(twin, twin_states, twin_events):
            continue  # a way or a walk met the other water: the team saw something else
        assert not np.array_equal(world.depth_mm, twin.depth_mm)
        compared += 1
        for state, other in zip(states, twin_states, strict=True):
            assert view_bytes(view_for(state, world.hour, world.turns)) == view_bytes(
                view_for(other, twin.hour, twin.turns)
            )
        for told, twin_told in zip(events, twin_events, strict=True):
            assert [by_label(world.district, event) for event in seen_by(TEAM, told)] == [
                by_label(twin.district, event) for event in seen_by(TEAM, twin_told)
            ]
    assert compared >= 20


def test_6_4_a_view_is_silent_on_the_coming_rise_and_on_dice_not_thrown():
    world = dry_world(synthetic_district(8, 8), turns=5)
    rise = np.array(world.depth_mm)
    rise[3:] = 900
    twin = replace(world, depth_mm=rise, seed=seed_of(7))
    for turn in (0, 1, 2):
        state, other = replay(world, {})[0][turn], replay(twin, {})[0][turn]
        assert view_bytes(view_for(state, 14, 5)) == view_bytes(view_for(other, 14, 5))
    assert view_bytes(view_for(replay(twin, {})[0][3], 14, 5)) != view_bytes(
        view_for(replay(world, {})[0][3], 14, 5)
    )


@pytest.mark.parametrize("field", ["progress", "target", "cut", "waiting", "lost", "first_step"])
def test_6_4_a_counter_is_never_shown_nor_the_losses(field):
    state = start(dry_world(line_district()))
    other = replace(state, **{field: tuple(value + 7 for value in getattr(state, field))})
    assert view_bytes(view_for(state, 14, 30)) == view_bytes(view_for(other, 14, 30))
