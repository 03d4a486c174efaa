"""§6.3, 6.4 Views of every side: what is in them, and what of the truth can never be."""

import json
from dataclasses import fields, replace

import numpy as np
import pytest

from exercises.family import Envelope
from exercises.flood_family import FLOOD
from sim.events import CardDrawn, UnitMoved, seen_by
from sim.legality import take_orders
from sim.orders import Alert, Answer, Deliver, Forecast, Move, Protect, Void, Withdraw
from sim.public_screen import public_view
from sim.rules import PUBLIC_CARDS, Card, LinkClass, Protection
from sim.scenario import Inject, Scenario
from sim.seats import SIDES, TEAM
from sim.state import State, plain
from sim.turn import apply, replay
from sim.view import Pending, View, view_for
from tests.strategies import (
    dry_world,
    flooded,
    line_district,
    seed_of,
    synthetic_district,
    synthetic_world,
)

PLAYERS = [side for side in SIDES if side.startswith(TEAM)]
TURNS = 9


def game(number=4, orders=True):
    """A wet world with cards, and orders of all services in it."""
    district = synthetic_district(9, 8, number)
    injects = tuple(Inject(2 + i, card) for i, card in enumerate(Card) if i < 6)
    world = replace(
        synthetic_world(district, level=5, number=number, turns=TURNS),
        scenario=Scenario(cards=True, injects=injects),
    )
    n = district.sheet.n_hexes
    given = {
        turn: (
            Alert(turn=turn, centre=turn * 13 % n, radius=1),
            Move(turn=turn, unit="patrol-1", to=turn * 5 % n),
            Protect(turn=turn, quarter=turn % 4, option=Protection.UP),
        )
        for turn in range(1, TURNS)
    }
    return world, replay(world, given if orders else {})


def views(world, states, side):
    shown = [FLOOD.view(family_state(world, state), side, state.turn) for state in states]
    return json.loads(json.dumps(shown))


def family_state(world, state):
    return replace(FLOOD.start(world, world.seed), state=state)


# --------------------------------------------------------------------------- the public screen
def test_6_4_the_public_screen_shows_the_clock_the_turn_and_the_bulletin():
    world, (states, _) = game()
    shown = views(world, states, "public")
    assert [view["phase"] for view in shown] == ["forecast", *["play"] * TURNS, "over"]
    assert [view["turn"] for view in shown] == list(range(TURNS + 2))
    assert [view["clock_min"] for view in shown[:3]] == [14 * 60, 14 * 60 + 10, 14 * 60 + 20]
    assert [view["bulletin"] for view in shown] == [list(state.bulletin) for state in states]
    assert [view["staffing"] for view in shown] == [0, 1, 1, 3, 3, 5, 5, 7, 7, 7, 0]
    assert set(shown[0]) == {
        *("phase", "turn", "turns", "hour", "clock_min", "night", "timer_s", "bulletin"),
        *("staffing", "unveiled"),
    }


def test_6_4_before_the_end_the_public_screen_is_the_same_whatever_a_team_does_or_the_water():
    world, (states, _) = game()
    dry = replace(world, depth_mm=np.zeros_like(world.depth_mm))
    idle = replay(dry, {})[0]
    for mine, theirs in zip(states[:-1], idle[:-1], strict=True):
        assert mine != theirs or mine.turn == 0
        one, other = public_view(world, mine), public_view(dry, theirs)
        assert one == other
        assert one.unveiled is None


def test_6_4_the_public_screen_hears_the_bulletin_and_what_strikes_the_town():
    _, (_, events) = game()
    for happened in events:
        for event in seen_by("public", happened):
            assert type(event).__name__ in {"BulletinIssued", "CardDrawn"}
            if isinstance(event, CardDrawn):
                assert Card(event.card) in PUBLIC_CARDS
    heard = [e for happened in events for e in seen_by("public", happened)]
    assert {e.card for e in heard if isinstance(e, CardDrawn)} == {
        card.value for card in (Card.ACCIDENT, Card.JAM, Card.POWER_CUT)
    }
    idle = game(orders=False)[1][1]
    assert [e for happened in idle for e in seen_by("public", happened)] == heard


@pytest.mark.parametrize("card", [card for card in Card if card not in PUBLIC_CARDS])
def test_6_4_a_card_that_a_team_s_own_play_may_aim_is_not_public(card):
    # a crush strikes a shelter in use, a counter-current a quarter under way, patrols are units
    assert CardDrawn(turn=3, card=card.value, shelter=0).for_side("public") is None


def test_6_4_the_storm_is_unveiled_once_the_exercise_is_over_and_not_before():
    world, (states, _) = game()
    last = views(world, states, "public")[-1]
    shown = last["unveiled"]
    assert shown["level"] == world.level
    assert np.array(shown["water"]).shape == world.depth_mm.shape
    assert shown["first_cut"] == world.first_cut.tolist()
    assert shown["cut_on_foot"] == world.cut_on_foot.tolist()
    score = FLOOD.score(family_state(world, states[-1]))
    assert set(shown["score"]) == {
        *("points", "maximum", "terms", "capital", "recall", "precision"),
        *("turns", "turns_counted", "not_yet_cut"),
    }
    assert shown["score"] == {name: score[name] for name in shown["score"]}
    assert world.seed not in json.dumps(last)
    before = views(world, states[:-1], "public")
    assert {view["unveiled"] for view in before} == {None}
    assert all("score" not in view for view in before)


# --------------------------------------------------------------------------- the instructor
def test_6_the_instructor_sees_the_state_and_the_truth_of_the_turn():
    world, (states, _) = game()
    for state, view in zip(states, views(world, states, "instructor"), strict=True):
        assert set(view["state"]) == {field.name for field in fields(State)}
        assert view["state"] == json.loads(json.dumps(plain(state)))
        turn = min(state.turn, TURNS)
        assert list(view["truth"]["depth_mm"]) == world.depth_mm[turn].tolist()
        assert view["truth"]["level"] == world.level


# --------------------------------------------------------------------------- pending orders
def test_9_5_the_view_holds_the_orders_that_stand_and_what_is_left_of_the_budget():
    world = dry_world(synthetic_district(8, 6))
    state = replay(world, {})[0][1]
    alert = Alert(turn=1, centre=9, radius=1, reason="the river")
    move = Move(turn=1, unit="patrol-1", to=3)
    steps = (
        (alert, (Pending(1, alert),), 2),
        (alert, (Pending(1, alert),), 2),  # a duplicate, refused: its number is gone
        (move, (Pending(1, alert), Pending(3, move)), 1),
        (Withdraw(turn=1, number=1), (Pending(3, move),), 2),
    )
    for order, pending, left in steps:
        state, _ = apply(world, state, order)
        view = view_for(state, world.hour, world.turns)
        assert (view.pending, view.orders_left, view.orders) == (pending, left, 3)
    after, _ = replay(world, {1: (alert,)})
    assert view_for(after[2], world.hour, world.turns).pending == ()


def test_9_6_what_is_painted_stands_in_the_view_before_turn_1_at_no_cost():
    world = dry_world(line_district())
    painted = Forecast(turn=0, cells=(1, 2))
    state, _ = apply(world, replay(world, {})[0][0], painted)
    view = view_for(state, 14, 30)
    assert (view.pending, view.orders, view.orders_left) == ((Pending(1, painted),), 0, 0)


def test_9_7_all_seats_see_the_orders_of_all():
    world = dry_world(synthetic_district(8, 6), turns=3)
    state, _ = FLOOD.advance(FLOOD.start(world, seed_of(2)), 1)
    order = Alert(turn=1, centre=9, radius=1)
    state, (taken,) = FLOOD.apply(state, Envelope(TEAM, "communication", 1, order))
    for side in PLAYERS:
        view = FLOOD.view(state, side, 1)
        assert [one["number"] for one in view["pending"]] == [1]
        assert view["orders_left"] == 2
        assert taken.for_side(side) == taken
    assert "pending" not in FLOOD.view(state, "public", 1)
    assert taken.for_side("public") is None


# --------------------------------------------------------------------------- what no refusal tells
def poisoned(state):
    """The same state but for all that is in no view: turned round, raised, or forgotten."""
    known = {field.name for field in fields(View)}
    known |= {"pending", "alerted", "evacuated", "crush", "ended"}
    hidden = {field.name for field in fields(State)} - known
    assert {"obstacles", "rumour", "progress", "reserve", "cut", "attempts", "draws"} <= hidden
    changed = {}
    for name in sorted(hidden):
        value = getattr(state, name)
        if name == "obstacles":
            changed[name] = replace(value, roadworks=(1, 2), obstructed=(3,))
        elif name == "route":
            changed[name] = value[::-1]
        elif isinstance(value, int):
            changed[name] = value + 5
        else:
            changed[name] = tuple(
                tuple(reversed(part)) if isinstance(part, tuple) else part + 3
                for part in reversed(value)
            )
    return replace(state, **changed)


def test_6_3_whether_an_order_is_taken_rests_on_nothing_hidden():
    world, (states, _) = game()
    rng = np.random.default_rng(1)
    n, edges = world.district.sheet.n_hexes, world.district.sheet.n_edges
    other = replace(
        world,
        depth_mm=rng.integers(0, 2_000, world.depth_mm.shape).astype(np.int32),
        seed=seed_of(99),
        level=1,
    )
    from tests.sim.test_preview import ORDERS_OF

    refused = 0
    for state in states[1:-1]:
        orders = [
            replace(order(unit, int(rng.integers(edges if key in LINKED else n))), turn=state.turn)
            for key, order in ORDERS_OF.items()
            for unit in ("patrol-1", "patrol-3", "pump-1", "boat-1")
        ]
        orders += [
            Alert(turn=state.turn, centre=int(rng.integers(n)), radius=0),
            Protect(turn=state.turn, quarter=1, option=Protection.OUT),
            Answer(turn=state.turn, obey=True),
            Deliver(turn=state.turn, unit="boat-2", cell=int(rng.integers(n))),
        ]
        for order in orders:
            after, (event,) = take_orders(world, state, (order,))
            twin_after, (twin,) = take_orders(other, poisoned(state), (order,))
            assert event == twin
            assert after.pending == twin_after.pending
            refused += after.pending == (Void(turn=state.turn),)
    assert refused > 20


LINKED = {"pump", "footbridge", "clear", "reserve"}


@pytest.mark.parametrize("side", PLAYERS)
def test_6_4_no_player_s_view_rests_on_anything_hidden(side):
    world, (states, _) = game()
    other = replace(world, depth_mm=np.zeros_like(world.depth_mm), seed=seed_of(99), level=1)
    for state in states:
        views = [
            json.dumps(FLOOD.view(replace(FLOOD.start(w, w.seed), state=s), side, state.turn))
            for w, s in ((world, state), (other, poisoned(state)))
        ]
        assert views[0] == views[1]


# --------------------------------------------------------------------------- what a way costs
def test_6_0_what_a_way_cost_tells_of_water_that_no_unit_observes_and_is_not_the_team_s():
    district = line_district(30, link_class=LinkClass.PRIMARY)
    dry = dry_world(district, turns=3)
    wet = flooded(dry, {15: 200})  # class 1 on two links: 4 points more, the patrol still arrives
    order = {1: (Move(turn=1, unit="patrol-1", to=0),)}
    ways = [
        next(e for e in replay(world, order)[1][1] if isinstance(e, UnitMoved))
        for world in (dry, wet)
    ]
    assert [way.points for way in ways] == [29, 33]
    assert [way.for_side("instructor").points for way in ways] == [29, 33]
    for side in PLAYERS:
        seen = [way.for_side(side) for way in ways]
        assert seen[0] == seen[1]
        assert seen[0].points is None
