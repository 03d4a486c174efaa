"""The contract of all families of exercises, tried on each, and on one that is timed and sealed."""

import copy
import json
from dataclasses import replace

import pytest

from exercises.family import INSTRUCTOR, Envelope, draw
from sim.errors import ExerciseError, OrderError
from tests.exercises.family_cases import ALL, CASES, play
from tests.exercises.timed_family import WATCH, Told, Valve, bet, look
from tests.strategies import seed_of


@pytest.fixture(params=sorted(ALL))
def case(request):
    return CASES[request.param]


def hashes(case, **how):
    states, _ = play(case, **how)
    return [case.family.state_hash(state) for state in states]


def test_every_family_is_tried():
    assert set(CASES) == set(ALL)


def test_no_call_changes_the_state_or_the_scenario_that_it_is_given(case):
    before = json.dumps(case.family.scenario_to_plain(case.scenario))
    states, _ = play(case)
    kept = [(state, copy.deepcopy(state)) for state in states[:6]]
    at_first = [case.family.state_hash(state) for state in states]
    play(case)
    for state, step in zip(states, case.steps, strict=False):
        (case.family.apply if isinstance(step, Envelope) else case.family.advance)(state, step)
        case.family.view(state, INSTRUCTOR, case.family.now(state))
        case.family.score(state)
    assert [case.family.state_hash(state) for state in states] == at_first
    assert [case.family.state_hash(copied) for _, copied in kept] == at_first[:6]
    assert json.dumps(case.family.scenario_to_plain(case.scenario)) == before


def test_the_same_orders_give_the_same_hashes_and_another_seed_others(case):
    assert hashes(case) == hashes(case)
    assert play(case)[1] == play(case)[1]
    assert hashes(case)[-1] != hashes(case, seed=seed_of(99))[-1]


def test_what_is_due_happens_without_any_order(case):
    family, state, happened, moments = case.family, case.start(), [], []
    while (due := family.next_due(state)) is not None:
        assert not family.is_over(state)
        assert due > family.now(state)
        state, events = family.advance(state, due)
        moments.append(family.now(state))
        happened += events
    assert family.is_over(state)
    assert happened
    assert moments == sorted(set(moments))


def test_two_steps_of_time_are_one(case):
    family, start = case.family, case.start()
    first = family.next_due(start)
    middle, early = family.advance(start, first)
    second = family.next_due(middle)
    after, late = family.advance(middle, second)
    at_once, all_events = family.advance(start, second)
    assert family.state_hash(at_once) == family.state_hash(after)
    assert tuple(all_events) == (*early, *late)


def test_time_never_goes_back_nor_past_the_end(case):
    states, _ = play(case)
    family = case.family
    for state, to in ((states[-1], 0), (states[0], 10**6)):
        with pytest.raises(ExerciseError):
            family.advance(state, to)
    assert family.is_over(states[-1])


def test_an_accepted_order_is_in_the_state_at_once(case):
    family = case.family
    accepted = 0
    states, _ = play(case)
    for before, after, step in zip(states, states[1:], case.steps, strict=False):
        if isinstance(step, Envelope):
            accepted += family.state_hash(before) != family.state_hash(after)
    assert accepted >= 4


def test_views_are_json_and_the_instructor_alone_has_all_events(case):
    states, events = play(case)
    family = case.family
    for state in states:
        for side in family.sides(case.scenario):
            view = family.view(state, side, family.now(state))
            assert case.seed not in json.dumps(view)
    hidden = 0
    for happened in events:
        for event in happened:
            assert event.for_side(INSTRUCTOR) == event
            assert event.for_side("nobody") is None
            json.dumps(family.event_to_plain(states[-1], event))
            for side in family.sides(case.scenario):
                hidden += event.for_side(side) != event
    assert hidden


def test_a_view_of_another_moment_or_of_no_side_is_refused(case):
    family, (states, _) = case.family, play(case)
    state = states[3]
    now = family.now(state)
    with pytest.raises(ExerciseError, match="replay"):
        family.view(state, INSTRUCTOR, now - 1)
    with pytest.raises(ExerciseError, match="advance first"):
        family.view(state, INSTRUCTOR, family.next_due(state))
    with pytest.raises(ExerciseError, match="no side"):
        family.view(state, "nobody", now)


def test_scenario_and_orders_survive_as_json_and_play_the_same(case):
    family = case.family
    text = json.dumps(family.scenario_to_plain(case.scenario))
    assert case.seed not in text
    scenario = family.scenario_from_plain(json.loads(text))
    steps = []
    for step in case.steps:
        if isinstance(step, Envelope):
            body = json.loads(json.dumps(family.body_to_plain(case.scenario, step.body)))
            read = family.body_from_plain(scenario, body, step.at, step.reason)
            assert read == step.body
            steps.append(replace(step, body=read))
        else:
            steps.append(step)
    assert family.about(scenario) == family.about(case.scenario)
    assert hashes(replace(case, scenario=scenario, steps=tuple(steps))) == hashes(case)


@pytest.mark.parametrize("body", [None, [], "x", {}, {"order": "dance"}, {"do": "dance"}])
def test_what_is_no_order_is_refused_in_a_sentence(case, body):
    with pytest.raises(OrderError) as told:
        case.family.body_from_plain(case.scenario, body, 1, "")
    assert "\n" not in str(told.value)


# --------------------------------------------------------------- what only the timed family has
def watch(*steps):
    return play(replace(CASES["watch"], steps=steps))


def seen(events, side):
    return [event.for_side(side) for happened in events for event in happened]


def test_what_is_due_before_an_orders_stamp_happens_before_the_order():
    states, events = watch(look("red", 19))
    burst = states[0].bursts_at
    assert [(event.at, event.what) for event in events[0]] == [
        (burst, "burst"),
        (19, "red looked"),
    ]
    by_hand, _ = watch(burst, look("red", 19))
    assert by_hand[-1] == states[-1]


@pytest.mark.parametrize("side", ["blue", "red"])
def test_a_sealed_order_shows_nothing_to_the_other_side_until_all_are_opened(side):
    other = "red" if side == "blue" else "blue"
    games = [watch(bet(other, 3, minute), 15) for minute in (1, 33)]
    (states, events), (states_2, events_2) = games
    for one, two in zip(states, states_2, strict=True):
        assert json.dumps(WATCH.view(one, side, one.now)) == json.dumps(
            WATCH.view(two, side, two.now)
        )
    assert seen(events, side) == seen(events_2, side)
    assert seen(events, other) != seen(events_2, other)
    opened = [WATCH.advance(states_of[-1], 20) for states_of, _ in games]
    assert [event.value for _, happened in opened for event in happened] == [1, 33]
    assert (
        WATCH.view(opened[0][0], side, 20)["opened"] != WATCH.view(opened[1][0], side, 20)["opened"]
    )


def test_sealed_orders_are_opened_in_one_order_whoever_came_first():
    early = watch(bet("red", 3, 9), bet("blue", 4, 8), 20)[1][-1]
    late = watch(bet("blue", 3, 8), bet("red", 4, 9), 20)[1][-1]
    assert early == late


def test_an_event_is_redacted_side_by_side():
    event = Told(3, "red looked", 5, "red")
    assert event.for_side("red") == event
    assert event.for_side("blue") == Told(3, "red looked", None, "red")


def test_draws_take_keys_of_any_parts_and_one_more_moves_no_other():
    keys = [("die", 1, 2, 3), ("die", 12, 3), ("lot", 4, "band-7"), ("a", ("b", 1), None), ()]
    drawn = [draw(seed_of(1), *key) for key in keys]
    assert len(set(drawn)) == len(keys)
    assert all(0 <= bits < 2**64 for bits in drawn)
    alone = watch(look("blue", 11))[1][0]
    after_red = watch(look("red", 2), look("blue", 11))[1][1]
    assert alone[-1] == after_red[-1]


def test_the_clock_of_a_scenario_may_go_off_before_any_order():
    family = WATCH
    state = family.start(Valve(earliest=1), seed_of(3))
    state, events = family.advance(state, 20)
    assert "burst" in [event.what for event in events]
    assert state.burst == family.start(Valve(earliest=1), seed_of(3)).bursts_at
