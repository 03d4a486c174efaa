"""§13.2, 18: what an instructor does while a class plays: cards by hand, messages, an early end."""

import hashlib
import json
from dataclasses import replace

import pytest

from exercises.family import INSTRUCTOR, Envelope
from exercises.flood_family import FLOOD
from exercises.journal import JOURNAL, Kind, read_journal
from exercises.journaled_play import played_of, played_so_far, turns_of
from exercises.live import LiveExercise, begin
from exercises.regret import alternatives
from exercises.session import play
from exercises.verification import replay_exercise
from sim.acts import EndExercise, Message, PlayCard
from sim.errors import ExerciseError, OrderError
from sim.events import (
    CardDrawn,
    CardPlanned,
    ExerciseEnded,
    InjunctionSettled,
    MessageSent,
    OrderRefused,
    OrderTaken,
    seen_by,
)
from sim.orders import Alert, Answer, Forecast, Move
from sim.rules import Card
from sim.scenario import Inject, Scenario
from sim.seats import PUBLIC, SIDES, TEAM
from sim.state import canonical_json, plain, state_hash
from sim.view import view_for
from tests.strategies import dry_world, seed_of, synthetic_district, synthetic_world

TURNS = 6


def a_world(**scenario):
    world = synthetic_world(synthetic_district(8, 6), level=5, turns=TURNS)
    return replace(world, scenario=Scenario(**scenario), seed=seed_of(3))


def act(kind, turn, reason="", **fields):
    return Envelope(INSTRUCTOR, "", turn, kind(turn=turn, reason=reason, **fields), reason)


def order(kind, turn, **fields):
    return Envelope(TEAM, "", turn, kind(turn=turn, **fields))


class Table:
    """An exercise at a table: gives, advances, keeps what happened."""

    def __init__(self, world):
        self.state = FLOOD.start(world, world.seed)
        self.events = []

    def give(self, envelope):
        self.state, events = FLOOD.apply(self.state, envelope)
        self.events += events
        return events

    def until(self, turn):
        self.state, events = FLOOD.advance(self.state, turn)
        self.events += events
        return events


def first_link(world, least=2):
    district = world.district
    a, b = district.sheet.edges.T
    both = district.active[a] & district.active[b]
    return int((both & (district.link_class >= least)).nonzero()[0][0])


@pytest.mark.parametrize("card", list(Card))
def test_13_2_a_card_played_by_hand_does_what_the_inject_of_the_next_turn_does(card):
    world = a_world()
    by_list = Table(replace(world, scenario=Scenario(injects=(Inject(turn=3, card=card),))))
    by_hand = Table(world)
    by_hand.until(2)
    by_hand.give(act(PlayCard, 2, card=card))
    for table in (by_list, by_hand):
        table.until(5)
    assert state_hash(by_hand.state.state) == state_hash(by_list.state.state)
    assert [event for event in by_hand.events if not isinstance(event, CardPlanned)] == (
        by_list.events
    )


def test_13_2_a_card_by_hand_falls_once_after_those_drawn_and_those_of_the_list():
    world = a_world(cards=True, injects=(Inject(turn=3, card=Card.JAM),))
    table = Table(world)
    table.until(2)
    link = first_link(world)
    table.give(act(PlayCard, 2, card=Card.ACCIDENT, target=link))
    table.give(act(PlayCard, 2, card=Card.REINFORCEMENT))
    fallen = [event for event in table.until(3) if isinstance(event, CardDrawn)]
    assert [event.card for event in fallen][-3:] == ["jam", "accident", "reinforcement"]
    assert fallen[-2].links == (link,)
    assert table.state.state.cards_to_play == ()
    assert not [event for event in table.until(4) if isinstance(event, CardDrawn)][3:]


def test_13_2_nobody_but_the_instructor_knows_of_a_card_before_it_falls():
    world = a_world()
    plain_table, told_table = Table(world), Table(world)
    for table in (plain_table, told_table):
        table.until(2)
    told = told_table.give(act(PlayCard, 2, reason="le camion", card=Card.POWER_CUT, target=9))
    assert told == (CardPlanned(turn=2, card="power_cut", cells=(9,), note="le camion"),)
    for side in SIDES:
        same = FLOOD.view(plain_table.state, side, 2) == FLOOD.view(told_table.state, side, 2)
        assert same == (side != INSTRUCTOR)
        assert bool(seen_by(side, told)) == (side == INSTRUCTOR)


@pytest.mark.parametrize(
    ("turn", "fields", "why"),
    [
        (TURNS, {"card": Card.JAM}, "last turn"),
        (2, {"card": Card.REINFORCEMENT, "target": 1}, "strikes nothing"),
        (2, {"card": Card.JAM, "target": 10_000}, "no hex"),
        (2, {"card": Card.STAMPEDE, "target": -1}, "no shelter"),
        (2, {"card": Card.COUNTER_CURRENT, "target": 99}, "no quarter"),
        (2, {"card": Card.ACCIDENT, "target": "none"}, "no road"),
    ],
)
def test_13_2_a_card_that_cannot_fall_is_refused_and_nothing_changes(turn, fields, why):
    world = a_world()
    if fields.get("target") == "none":
        link_class = world.district.link_class.copy()
        link_class[0] = 0
        world = replace(world, district=replace(world.district, link_class=link_class))
        fields = {**fields, "target": 0}
    table = Table(world)
    table.until(turn)
    before = state_hash(table.state.state)
    with pytest.raises(OrderError, match=why):
        table.give(act(PlayCard, turn, **fields))
    assert state_hash(table.state.state) == before


def test_13_2_a_turn_has_one_answer_for_the_prefecture_and_one_card_a_target():
    table = Table(a_world())
    table.until(2)
    table.give(act(PlayCard, 2, card=Card.INJUNCTION))
    with pytest.raises(OrderError, match="one answer"):
        table.give(act(PlayCard, 2, card=Card.INJUNCTION))
    table.give(act(PlayCard, 2, card=Card.JAM, target=9))
    with pytest.raises(OrderError, match="once will do"):
        table.give(act(PlayCard, 2, card=Card.JAM, target=9))
    table.give(act(PlayCard, 2, card=Card.JAM))


def test_18_a_message_reaches_every_seat_of_the_team_and_changes_nothing():
    table = Table(a_world())
    table.until(2)
    before = table.state
    told = table.give(act(Message, 2, text="  Point presse à 15 h <b>"))
    assert table.state == before
    (message,) = told
    assert message == MessageSent(turn=2, text="Point presse à 15 h <b>")
    assert {side for side in SIDES if seen_by(side, told)} == set(SIDES) - {PUBLIC}


@pytest.mark.parametrize("text", ["", "   ", "x" * 501])
def test_18_a_message_says_something_and_fits_a_page(text):
    table = Table(a_world())
    with pytest.raises(OrderError, match="message"):
        table.give(act(Message, 0, text=text))


def test_18_the_instructor_ends_it_at_any_turn_once_a_turn_was_played():
    for turn in (0, 1):
        table = Table(a_world())
        table.until(turn)
        with pytest.raises(OrderError, match="no turn was played"):
            table.give(act(EndExercise, turn))
    for turn in range(2, TURNS + 1):
        table = Table(a_world())
        table.until(turn)
        assert table.give(act(EndExercise, turn)) == (ExerciseEnded(turn=turn),)
        assert FLOOD.is_over(table.state)
        assert FLOOD.next_due(table.state) is None
        assert FLOOD.view(table.state, PUBLIC, turn)["phase"] == "over"
        assert FLOOD.view(table.state, PUBLIC, turn)["unveiled"]["score"]["points"] is not None
        view = view_for(table.state.state, 14, TURNS)
        assert (view.orders, view.orders_left, view.timer_s) == (0, 0, 0)


def test_18_nothing_is_done_in_an_exercise_that_was_ended():
    table = Table(a_world())
    table.until(3)
    table.give(order(Alert, 3, centre=9, radius=1))
    table.give(act(PlayCard, 3, card=Card.JAM))
    table.give(act(EndExercise, 3))
    state = table.state.state
    assert (state.pending, state.cards_to_play) == ((), ())
    assert all(FLOOD.view(table.state, side, 3)["over"] for side in SIDES[:7])
    with pytest.raises(ExerciseError, match="ended by its instructor"):
        table.until(4)
    for kind, fields in ((EndExercise, {}), (Message, {"text": "x"})):
        with pytest.raises(OrderError, match="over"):
            table.give(act(kind, 3, **fields))
    (refused,) = table.give(order(Alert, 3, centre=9, radius=1))
    assert isinstance(refused, OrderRefused)
    assert refused.by_rule == "18"


def test_18_an_early_end_scores_as_if_the_exercise_stopped_where_it_stood():
    """The act and ``ended_here``, which debriefs what was only cut short, agree."""
    world = a_world(injects=(Inject(2, Card.INJUNCTION), Inject(4, Card.INJUNCTION)))
    cut_short, ended = Table(world), Table(world)
    for table in (cut_short, ended):
        table.until(2)
        table.give(order(Answer, 2, obey=False))
        table.until(4)
        table.give(order(Alert, 4, centre=9, radius=2))
    told = ended.give(act(EndExercise, 4))
    settled = [event for event in told if isinstance(event, InjunctionSettled)]
    assert isinstance(told[-1], ExerciseEnded)
    # that of turn 4 awaits its answer: it gives and takes nothing
    assert len(settled) <= 1
    assert ended.state.state.capital in (75, 115)
    start = FLOOD.start(world, world.seed)
    assert start.world.seed == world.seed
    by_hand = replace(cut_short.state.state, pending=(), capital=ended.state.state.capital)
    assert (
        FLOOD.score(replace(ended.state, state=by_hand))["points"]
        == (FLOOD.score(ended.state)["points"])
    )


# --------------------------------------------------------------------------- in a journal
def journaled(folder, world, play_it):
    begin(folder / JOURNAL, FLOOD, world, world.seed, {"player": "room", "lang": "en"})
    with LiveExercise(folder / JOURNAL) as live:
        play_it(live)
    return read_journal(folder / JOURNAL)


def a_game(live):
    live.give(order(Forecast, 0, cells=(1, 2)))
    live.advance(1)
    live.give(order(Alert, 1, centre=9, radius=1))
    live.give(act(Message, 1, text="Bon courage"))
    live.advance(2)
    live.give(act(PlayCard, 2, reason="la panne", card=Card.POWER_CUT, target=9))
    live.give(order(Move, 2, unit="patrol-1", to=5))
    live.advance(3)
    live.give(order(Alert, 3, centre=20, radius=1))
    live.give(act(Message, 3, text="On arrête"))
    live.give(act(EndExercise, 3, reason="l'heure"))


def test_13_2_acts_are_journaled_and_replay_to_the_same_states(tmp_path):
    record = journaled(tmp_path, a_world(cards=True), a_game)
    acts = [entry for entry in record.entries if entry.kind is Kind.ACT]
    assert [json.loads(entry.body)["act"] for entry in acts] == [
        "message",
        "play_card",
        "message",
        "end_exercise",
    ]
    assert {entry.side for entry in acts} == {INSTRUCTOR}
    assert json.loads(acts[1].body) == {"act": "play_card", "card": "power_cut", "target": "0204"}
    assert acts[1].reason == "la panne"
    again = replay_exercise(tmp_path)
    assert again.is_over
    assert again.state_sha256 == record.entries[-1].state_sha256


def test_18_what_is_made_of_an_ended_exercise_counts_the_turns_that_were_played(tmp_path):
    journaled(tmp_path, a_world(cards=True), a_game)
    played = replay_exercise(tmp_path).played
    assert played.turns == 2
    assert len(played.states) == len(played.events) + 1 == 4
    assert played.states[-1].ended
    # the order of the open turn was not resolved: it is no order that stood
    assert {turn: len(orders) for turn, orders in played.orders.items()} == {0: 1, 1: 1, 2: 1}
    told = [event.text for events in played.events for event in events if hasattr(event, "text")]
    assert told == ["Bon courage", "On arrête"]
    assert isinstance(played.events[-1][-1], ExerciseEnded)
    # the card played by hand stands among the injects: other orders meet it too
    assert played.world.scenario.injects == (Inject(3, Card.POWER_CUT, 9, "la panne"),)
    again = play(played.world, played.orders, played.turns)
    assert [plain(state) for state in again.states[:3]] == [
        plain(state) for state in played.states[:3]
    ]
    assert again.score == played.score
    nothing = next(one for one in alternatives(played.world, {}) if one.key == "do_nothing")
    assert nothing.played.world.scenario.injects == played.world.scenario.injects


def test_18_an_exercise_cut_short_and_one_ended_are_told_alike(tmp_path):
    world = a_world()
    (tmp_path / "cut").mkdir()
    (tmp_path / "ended").mkdir()
    shorn = journaled(tmp_path / "cut", world, lambda live: _until(live, 4, end=False))
    ended = journaled(tmp_path / "ended", world, lambda live: _until(live, 4, end=True))
    assert len(ended.entries) == len(shorn.entries) + 1
    one, other = (replay_exercise(tmp_path / name) for name in ("cut", "ended"))
    cut = played_so_far(one.start.world, one.turns)
    assert cut.turns == other.played.turns == 3
    assert cut.score == other.played.score
    assert cut.orders == other.played.orders
    assert played_of(other.start.world, turns_of(other.start, other.steps)) == other.played


def _until(live, turn, end):
    live.advance(1)
    for now in range(1, turn):
        live.give(order(Alert, now, centre=now * 7, radius=1))
        live.advance(now + 1)
    live.give(order(Alert, turn, centre=3, radius=1))
    if end:
        live.give(act(EndExercise, turn))


@pytest.mark.parametrize(
    "body",
    [
        {"act": "dance"},
        {"act": 3},
        {"act": "message", "text": 3},
        {"act": "message", "words": "x"},
        {"act": "play_card"},
        {"act": "play_card", "card": "earthquake"},
        {"act": "play_card", "card": "jam", "target": "9999"},
        {"act": "play_card", "card": "reinforcement", "target": "0101"},
        {"act": "end_exercise", "text": "x"},
    ],
)
def test_13_2_what_is_no_act_is_refused_in_a_sentence(body):
    with pytest.raises(OrderError) as told:
        FLOOD.body_from_plain(a_world(), body, 1, "")
    assert "\n" not in str(told.value)


def test_13_2_a_team_performs_no_act_and_an_act_is_dated_now():
    table = Table(a_world())
    table.until(2)
    with pytest.raises(OrderError, match="by a team"):
        table.give(Envelope(TEAM, "", 2, EndExercise(turn=2)))
    for turn in (1, 3):
        with pytest.raises(OrderError, match="turn"):
            table.give(act(EndExercise, turn))


def test_19_states_without_acts_hash_as_they_did_before_there_were_any():
    state = FLOOD.start(dry_world(synthetic_district(4, 4)), seed_of(1)).state
    written = json.loads(canonical_json(state))
    assert (written.pop("cards_to_play"), written.pop("ended")) == ([], False)
    text = json.dumps(written, sort_keys=True, separators=(",", ":"))
    assert state_hash(state) == hashlib.sha256(text.encode()).hexdigest()
    assert state_hash(replace(state, ended=True)) != state_hash(state)
    card = PlayCard(turn=0, card=Card.JAM)
    assert state_hash(replace(state, cards_to_play=(card,))) != state_hash(state)


def test_9_5_orders_taken_before_an_act_keep_their_numbers():
    table = Table(a_world())
    table.until(3)
    table.give(order(Alert, 3, centre=9, radius=1))
    table.give(act(Message, 3, text="x"))
    table.give(order(Alert, 3, centre=30, radius=1))
    view = view_for(table.state.state, 14, TURNS)
    assert [one.number for one in view.pending] == [1, 2]
    assert sum(isinstance(event, OrderTaken) for event in table.events) == 2
