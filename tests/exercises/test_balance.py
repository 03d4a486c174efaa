"""The play balance switches off one rule and nothing else, and goes on where it was stopped."""

from dataclasses import replace

import pytest

from benchmarks import balance
from benchmarks.balance import Kept, cards_met, game, run, spent, without_cards, without_orders
from benchmarks.thorough import thorough
from exercises.players import baseline
from exercises.session import play, play_knowing
from sim.errors import ExerciseError
from sim.events import CardDrawn, OrderRefused
from sim.orders import Alert, DoorToDoor
from sim.rules import Protection
from sim.scenario import Scenario
from tests.strategies import synthetic_district, synthetic_water, synthetic_world

TURNS = 14


def happened(played, kind):
    return [event for events in played.events for event in events if isinstance(event, kind)]


@pytest.fixture(scope="module")
def town():
    return synthetic_district(12, 10, 5)


@pytest.fixture(scope="module")
def played(town):
    world = synthetic_world(town, level=5, number=6, turns=TURNS)
    world = replace(world, scenario=Scenario(cards=True))
    return play_knowing(world, thorough(world))


@pytest.mark.parametrize("number", range(4))
def test_13_cards_played_by_hand_are_the_cards_that_were_drawn(town, number):
    world = synthetic_world(town, level=5, number=number)
    played = play(replace(world, scenario=Scenario(cards=True)), baseline(town))
    injects = tuple(cards_met(played))
    assert len(injects) >= 3
    again = play(replace(world, scenario=Scenario(injects=injects)), played.orders)
    assert again.score == replace(played.score, capital_span=again.score.capital_span)
    assert [replace(state, cards_drawn=()) for state in again.states] == [
        replace(state, cards_drawn=()) for state in played.states
    ]


def test_13_a_card_left_out_leaves_the_others(played):
    met = tuple(cards_met(played))
    found = dict(without_cards("thorough", played))
    assert set(found) == {inject.card.value for inject in met}
    for card in {inject.card for inject in met}:
        rest = tuple(spent(one.turn) if one.card is card else one for one in met)
        other = play(replace(played.world, scenario=Scenario(injects=rest)), played.orders)
        assert found[card.value] == {"same": played.score.points - other.score.points}
        assert other.states[-1].draws == played.states[-1].draws
        struck = [e for e in happened(other, CardDrawn) if e.quarter != -1]
        assert [(e.turn, e.card) for e in struck] == [
            (one.turn, one.card.value) for one in met if one.card is not card
        ]


def test_9_orders_of_one_kind_left_out_leave_the_others(played):
    found = dict(without_orders(played, ("option shelter", "order door_to_door")))
    without = {
        turn: tuple(order for order in orders if not isinstance(order, DoorToDoor))
        for turn, orders in played.orders.items()
    }
    points = play(played.world, without).score.points
    assert found["order door_to_door"] == {"same": played.score.points - points}
    upstairs = {
        turn: tuple(
            replace(order, option=Protection.UP) if isinstance(order, Alert) else order
            for order in orders
        )
        for turn, orders in without.items()
    }
    nobody = play(played.world, upstairs)
    assert nobody.score.saved == 0
    assert found["option shelter"]["same"] > 0


def test_the_thorough_player_gives_orders_that_stand(played):
    refused = [e for events in played.events for e in events if isinstance(e, OrderRefused)]
    assert [(event.order, event.sentence) for event in refused] == []


def test_a_run_goes_on_where_it_was_stopped_and_knows_its_own_games(town, tmp_path, monkeypatch):
    monkeypatch.setattr(balance, "HOURS", (14,))
    monkeypatch.setattr(balance, "LEVELS", (5,))
    water = {5: synthetic_water(town, 5, TURNS)}
    balance.use_ground(town, water)
    whole = run(town, water, 2, 0, None, lambda stage, share: None)
    kept = Kept(tmp_path, town, 0)
    kept.add(game((14, 5, 0), 0))
    shares = []
    again = run(town, water, 2, 0, tmp_path, lambda stage, share: shares.append(share))
    assert again == whole
    assert shares == [1.0]  # one game was there
    with pytest.raises(ExerciseError, match="give another folder"):
        Kept(tmp_path, town, 1)


def test_the_baseline_is_the_comparisons(town):
    water = {5: synthetic_water(town, 5, TURNS)}
    balance.use_ground(town, water)
    found = game((14, 5, 0), 0)["players"]["baseline"]
    seed = 3  # the fourth level, by day
    world = synthetic_world(town, level=5, number=seed, turns=TURNS)
    same = play(replace(world, scenario=Scenario(cards=True)), baseline(town))
    assert (found["points"], found["victims"]) == (same.score.points, same.score.victims)
