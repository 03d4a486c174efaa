"""§12.5 Regret: what doing otherwise would have cost, with the same storm and the same dice."""

from dataclasses import replace

import pytest

from exercises.regret import (
    ALERT_EVERYONE,
    ALTERNATIVES,
    DO_NOTHING,
    ONE_TURN_EARLIER,
    alternatives,
    one_turn_earlier,
)
from exercises.session import play
from sim.events import AlertRolled, CardDrawn, PreparationRolled
from sim.orders import Alert, Answer, CloseShelter, Forecast, Move, Protect
from sim.rules import Card, Protection
from sim.scenario import Inject, Scenario
from sim.state import state_hash
from sim.view import staffing_at
from tests.strategies import synthetic_district, synthetic_world

TURNS = 16


@pytest.fixture(scope="module")
def world():
    district = synthetic_district(12, 10, 3)
    cards = Scenario(cards=True, injects=(Inject(5, Card.INJUNCTION, 2),))
    return replace(synthetic_world(district, level=5, number=8, turns=TURNS), scenario=cards)


@pytest.fixture(scope="module")
def team(world):
    """A team's exercise: a forecast, patrols, alerts that fail and are tried again."""
    alerts = {t: [Alert(turn=t, centre=30 + t, radius=1)] for t in range(3, 12)}
    return play(
        world,
        {
            0: (Forecast(turn=0, cells=(3, 4, 5)),),
            1: (Move(turn=1, unit="patrol-1", to=40), CloseShelter(turn=1, shelter=0)),
            **alerts,
            5: (Answer(turn=5, obey=True), *alerts[5], Protect(turn=5, quarter=1, option=OUT)),
        },
    )


OUT = Protection.OUT


@pytest.fixture(scope="module")
def others(world, team):
    return {one.key: one for one in alternatives(world, team.orders)}


def happened(played, kind):
    return [event for events in played.events for event in events if isinstance(event, kind)]


def test_12_5_every_alternative_is_played_on_the_same_storm_with_the_forecast_kept(
    others, world, team
):
    assert tuple(others) == ALTERNATIVES
    for one in others.values():
        assert one.played.world is world
        assert one.played.states[-1].turn == TURNS + 1
        assert one.played.states[-1].forecast == team.states[-1].forecast == (3, 4, 5)
        assert one.score.maximum == team.score.maximum


def test_12_5_cards_fall_alike_whatever_was_ordered(others, team):
    def cards(played):
        return [(e.turn, e.card) for e in happened(played, CardDrawn)]

    assert len(cards(team)) > 1
    assert (5, Card.INJUNCTION.value) in cards(team)
    for one in others.values():
        assert cards(one.played) == cards(team)


def test_12_5_dice_are_keyed_by_the_attempt_and_not_by_the_turn(others, team):
    earlier = others[ONE_TURN_EARLIER].played
    now, before = happened(team, AlertRolled), happened(earlier, AlertRolled)
    dice = {}
    for event in now + before:
        if event.dice is not None:
            dice.setdefault((event.quarter, event.means), []).append((event.turn, event.dice))
    mine = [(e.quarter, e.means, e.dice) for e in now if e.means != "word_of_mouth"]
    shifted = [(e.quarter, e.means, e.dice) for e in before if e.means != "word_of_mouth"]
    assert len(mine) > 5
    assert mine == shifted
    turns = [e.turn - 1 for e in now if e.means != "word_of_mouth"]
    assert turns == [e.turn for e in before if e.means != "word_of_mouth"]
    first, sooner = (
        next(event for event in happened(played, PreparationRolled)) for played in (team, earlier)
    )
    assert (first.quarter, first.dice) == (sooner.quarter, sooner.dice)


def test_12_5_doing_nothing_is_to_order_nothing(others, world, team):
    nothing = play(world, {0: team.orders[0]})
    assert state_hash(nothing.states[-1]) == state_hash(others[DO_NOTHING].played.states[-1])
    assert others[DO_NOTHING].score.places_used == 0


def test_12_5_everyone_is_alerted_from_turn_1_as_fast_as_the_budget_goes(others):
    orders = others[ALERT_EVERYONE].played.orders
    assert [len(orders[turn]) for turn in (1, 2, 3)] == [3, 3, 5]
    assert all(isinstance(order, Alert) for turn in (1, 2, 3) for order in orders[turn])


def test_12_5_a_teams_own_orders_are_shifted_one_turn(world, team):
    earlier, dropped = one_turn_earlier(world, team.orders)
    assert dropped == ()
    assert earlier[0] == team.orders[0]
    assert earlier[1] == team.orders[1]  # there is no sooner
    for turn in range(3, 12):
        alerts = [o for o in team.orders.get(turn, ()) if isinstance(o, Alert)]
        assert [o for o in earlier.get(turn - 1, ()) if isinstance(o, Alert)] == [
            replace(order, turn=turn - 1) for order in alerts
        ]
    # the prefecture asked in turn 5, and is answered then
    assert [o for o in earlier[5] if isinstance(o, Answer)] == [Answer(turn=5, obey=True)]
    assert not any(isinstance(o, Answer) for o in earlier[4])


def test_12_5_orders_beyond_the_earlier_turns_budget_are_dropped_and_listed(world):
    three, five = staffing_at(2).orders, staffing_at(3).orders
    first = tuple(Move(turn=1, unit=f"patrol-{i}", to=20 + i) for i in (1, 2))
    second = tuple(Alert(turn=2, centre=10 * i, radius=1) for i in range(1, 4))
    third = tuple(Alert(turn=3, centre=40 + 10 * i, radius=1) for i in range(five))
    earlier, dropped = one_turn_earlier(world, {1: first, 2: second, 3: third})
    assert earlier[1] == (*first, replace(second[0], turn=1))
    assert earlier[2] == tuple(replace(order, turn=2) for order in third[:three])
    assert dropped == (
        *(replace(order, turn=1) for order in second[1:]),
        *(replace(order, turn=2) for order in third[three:]),
    )


def test_12_5_orders_refused_a_turn_earlier_are_listed_with_why(world):
    wide = Alert(turn=3, centre=30, radius=2)  # the staffing of turn 2 paints with 1 at most
    small = [Alert(turn=3, centre=10 * i, radius=1) for i in range(3)]
    one = next(
        one for one in alternatives(world, {3: (wide, *small)}) if one.key == ONE_TURN_EARLIER
    )
    assert [(event.order, event.refusal.rule) for event in one.refused] == [
        (replace(wide, turn=2), "9.1")
    ]
    assert one.dropped == ()  # what is refused uses up no budget
    assert len(one.played.orders[2]) == 3


def test_12_5_an_exercise_ended_early_is_set_against_others_that_end_as_early(world):
    short = play(world, {0: (Forecast(turn=0, cells=(3,)),)}, turns=7)
    others = alternatives(world, short.orders, turns=7)
    for one in others:
        assert one.played.turns == 7
        assert len(one.played.events) == 8
        assert all(turn <= 7 for turn in one.played.orders)
    nothing = others[0]
    assert state_hash(nothing.played.states[-1]) == state_hash(short.states[-1])
    assert nothing.score == short.score
    assert short.score.threatened == play(world, {}).score.threatened
