"""§18, 13.0: the steps of a turn one after another, and what cards never touch."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from exercises.journal import JOURNAL, Kind, read_journal
from exercises.live import LiveExercise, begin
from sim.cards import DECK, play_card
from sim.events import (
    AlertRolled,
    Arrived,
    BulletinIssued,
    CardDrawn,
    CardHidden,
    HexesCut,
    Isolated,
    LossRolled,
    Observed,
    Obstructed,
    OrderRefused,
    OrderTaken,
    PreparationRolled,
    ProtectionSet,
    Reported,
    RoutesTaken,
    UnitMoved,
)
from sim.orders import Alert, DoorToDoor, Move, Protect
from sim.rules import LEVELS, Protection
from sim.scenario import Scenario
from sim.turn import replay
from sim.view import staffing_at, view_bytes, view_for
from tests.exercises.family_cases import ALL, CASES
from tests.strategies import dry_world, flooded, line_district, seed_of, synthetic_district

OPTIONS = (Protection.SHELTER, Protection.UP)
STEPS = {
    "water": (2, (HexesCut, Obstructed)),
    "card": (3, (CardDrawn, CardHidden)),
    "channels": (4, (Observed, Reported, BulletinIssued)),
    "orders": (5, (OrderTaken, OrderRefused, ProtectionSet)),
    "units": (6, (UnitMoved,)),
    "alerts": (7, (AlertRolled, PreparationRolled)),
    "counters": (8, (RoutesTaken, Arrived)),
    "isolation": (9, (Isolated, LossRolled)),
}


@cache
def told_by_turn():
    """Events of some games in which every step has something to tell, turn by turn, as told."""
    turns = []
    for number in range(12):
        world = dry_world(
            line_district(30, quarter_length=5, residents=1_500, shelters=((0, 20_000),)),
            turns=18,
            seed=seed_of(number),
        )
        for turn in range(4, 10):
            world = flooded(world, dict.fromkeys(range(8, 24), 260 * (turn - 3)), from_turn=turn)
        world = replace(world, scenario=Scenario(cards=True))
        game = {
            turn: (
                Move(turn=turn, unit="patrol-1", to=2 + turn),
                Alert(turn=turn, centre=3 * turn % 28, radius=1),
                Protect(turn=turn, quarter=5, option=OPTIONS[turn % 2]),
            )
            for turn in range(1, 10)
        }
        _, events = replay(world, game)
        flat = [event for happened in events for event in happened]
        turns += [[e for e in flat if e.turn == turn] for turn in range(1, world.turns + 1)]
    return turns


@pytest.mark.parametrize(
    "step",
    ["water", "card", "channels", "orders", "units", "alerts", "counters", "isolation"],
)
def test_18_each_step_comes_after_those_before_it(step):
    rank, kinds = STEPS[step]
    seen = 0
    for told in told_by_turn():
        ranks = [n for event in told for n, others in STEPS.values() if isinstance(event, others)]
        mine = [place for place, event in enumerate(told) if isinstance(event, kinds)]
        seen += len(mine)
        assert ranks == sorted(ranks)
        if mine:
            assert rank in ranks
    assert seen > 0


def test_18_alerts_of_a_turn_find_the_units_where_the_turn_led_them():
    world = dry_world(line_district(12), turns=3)
    states, _ = replay(world, {1: (DoorToDoor(turn=1, unit="patrol-1", cell=6),)})
    assert states[2].alerted[6] == 1


def test_18_the_channels_speak_of_the_water_of_the_turn():
    district = line_district(10)
    world = dry_world(district, turns=5)
    depth = np.array(world.depth_mm)
    depth[:, 9] = [0, 11, 22, 33, 44, 55]
    states, _ = replay(replace(world, depth_mm=depth), {})
    assert [state.known_mm[9] for state in states[1:6]] == [11, 22, 33, 44, 55]


def test_18_journal_holds_orders_and_turns_as_they_come(tmp_path):
    case = CASES["flood"]
    path = tmp_path / JOURNAL
    begin(path, case.family, case.scenario, case.seed, {"player": "by hand"})
    with LiveExercise(path, ALL) as live:
        for count, step in enumerate(case.steps[:12], 1):
            is_time = isinstance(step, int)
            (live.advance if is_time else live.give)(step)
            entries = read_journal(path).entries
            assert len(entries) == count
            assert (entries[-1].kind is Kind.ORDER) == (not is_time)


# ------------------------------------------------------------------------------ 13.0
def test_13_0_cards_touch_neither_the_initial_situation_nor_the_staffing():
    world = dry_world(synthetic_district(8, 6), turns=9)
    state = replay(world, {})[0][4]
    for card in DECK:
        after, _ = play_card(world, state, card, None)
        for people in ("waiting", "followers", "upstairs", "places_taken"):
            assert getattr(after, people) == getattr(state, people)
        before, now = view_for(state, 14, 9), view_for(after, 14, 9)
        assert (now.orders, now.brush_radius) == (before.orders, before.brush_radius)
        assert now.orders == staffing_at(4).orders
        assert now.bulletin == before.bulletin


def test_13_0_the_storms_severity_is_the_only_secret_of_the_start():
    district = synthetic_district(8, 6)
    plain = dry_world(district, turns=9)
    rain = np.array(plain.depth_mm)
    rain[2:] = 700
    start_of = [
        view_bytes(view_for(replay(world, {})[0][turn], 14, 9))
        for turn in (0, 1)
        for level in LEVELS
        for world in (replace(plain, level=level), replace(plain, level=level, depth_mm=rain))
    ]
    assert len(set(start_of[:8])) == 1
    assert len(set(start_of[8:])) == 1
