"""A room without its pages: what is written, played, held back, told to whom, and found again."""

import hashlib
import json
import shutil
import sys
import threading
from pathlib import Path

import pytest

from exercises.debrief.material import read_material
from exercises.exercise_folder import summary_of
from exercises.flood_family import UNVEILED_SCORES
from exercises.journal import JOURNAL, Kind, read_journal
from exercises.room import boards
from exercises.room.boards import keep_board
from exercises.room.book import BOOK
from exercises.room.desks import side_of
from exercises.room.folder import (
    MOST_TEAMS,
    ROOM_JSON,
    TEAMS,
    board_file,
    key_of,
    said_of,
    team_folders,
)
from exercises.room.moment import now_of
from exercises.room.rooms import GoneOnError, Room
from exercises.scenario_options import ScenarioOptions
from exercises.verification import replay_exercise, verify_exercise
from sim.errors import AverseError, ExerciseError, JournalError, OrderError, SourceError
from sim.orders import Alert, Forecast, Move
from sim.rules import TIMERS, Seat, Timer
from sim.seats import PUBLIC, SIDES, TEAM
from tests.exercises.room.places import HOSTILE, TURNS, begun, copy_of
from tests.strategies import seed_of

RED, BLUE = "1-red", "2-blue"


@pytest.fixture
def room(whole_room, tmp_path):
    with Room(copy_of(whole_room, tmp_path / "room")) as opened:
        yield opened


class Hand:
    """A clock that is moved by hand."""

    def __init__(self):
        self.now = 1_000.0

    def __call__(self):
        return self.now


def alert(turn, centre=20, reason=""):
    return Alert(turn=turn, centre=centre, radius=1, reason=reason)


def whole(room):
    """All that is shown of a room to anybody, but for clocks."""
    told = {}
    for key in room.keys:
        moment, district = room.moment(key), room.desk(key).district
        told[key] = [
            now_of(moment, district, seat, room.events(key, side_of(seat)), 0, "fr")
            for seat in ("", *(one.value for one in Seat))
        ]
    return told


# --------------------------------------------------------------------------- on disk
def test_each_team_has_an_ordinary_exercise_on_the_same_storm(whole_room):
    one, other = team_folders(whole_room)
    assert [path.name for path in (one, other)] == [RED, BLUE]
    worlds = [replay_exercise(path).start.world for path in (one, other)]
    assert worlds[0].seed == worlds[1].seed
    assert worlds[0].depth_mm.tobytes() == worlds[1].depth_mm.tobytes()
    assert (worlds[0].level, worlds[0].turns) == (5, TURNS)
    for path in (one, other):
        assert not verify_exercise(path).finished
        assert read_journal(path / JOURNAL).meta["player"] == "room"


def test_a_room_may_give_each_team_dice_of_its_own(pack, tmp_path):
    room = begun(pack, tmp_path / "room", own_seeds=True)
    worlds = [replay_exercise(path).start.world for path in team_folders(room)]
    assert worlds[0].seed != worlds[1].seed
    assert worlds[0].depth_mm.tobytes() == worlds[1].depth_mm.tobytes()


def test_what_lies_in_the_open_tells_neither_level_nor_seed(whole_room):
    world = replay_exercise(team_folders(whole_room)[0]).start.world
    text = (whole_room / ROOM_JSON).read_text()
    assert world.seed not in text
    assert "level" not in text
    assert "level" not in json.dumps(summary_of(team_folders(whole_room)[0]))


def test_hostile_names_become_plain_folders_and_stay_what_they_are_in_words(pack, tmp_path):
    names = (HOSTILE, "אדום", "CON", "Red")
    room = begun(pack, tmp_path / "room", names)
    keys = [path.name for path in team_folders(room)]
    assert keys == ["1-img-src-x-onerror-pwned-1-x-e", "2", "3-con", "4-red"]
    assert sorted(path.name for path in (room / "teams").iterdir()) == sorted(keys)
    with Room(room) as opened:
        shown = [opened.desk(key).name for key in opened.keys]
    assert shown[0] == "<img src=x onerror=PWNED=1> ../../x & “é”"
    assert key_of(1, "../..") == "1"


@pytest.mark.parametrize(
    "names",
    [
        *[(), ("",), ("\x07",), ("\u200b",), ("\u3164 \u2800",), ("x" * 300,)],
        *[("Red", "red\u200b"), tuple(map(str, range(MOST_TEAMS + 1)))],
    ],
)
def test_no_room_is_begun_for_no_team_too_many_or_one_without_a_name(pack, tmp_path, names):
    with pytest.raises(AverseError) as told:
        begun(pack, tmp_path / "room", names)
    assert "\n" not in str(told.value)
    assert list(tmp_path.iterdir()) == []


def test_a_room_is_never_written_over_and_a_fault_leaves_nothing(whole_room, pack, tmp_path):
    with pytest.raises(ExerciseError, match="holds a room already"):
        begun(pack, whole_room)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.docx").write_text("four years")
    with pytest.raises(SourceError, match="something else"):
        begun(pack, tmp_path / "mine")
    with pytest.raises(AverseError, match="9999"):
        begun(pack, tmp_path / "room", scenario=ScenarioOptions(gathering="9999:5"))
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_room_of_another_version_or_damaged_is_told_in_a_sentence(whole_room, tmp_path):
    said = said_of(whole_room)
    faulty = [json.dumps({**said, name: 1}) for name in ("own_seeds", "lang", "truth_sha256")]
    deep = "[" * 100_000
    for text in ("", "[]", deep, '{"room_version": 99}', '{"room_version": 1}', *faulty):
        room = copy_of(whole_room, tmp_path / "room")
        (room / ROOM_JSON).write_text(text)
        with pytest.raises(ExerciseError) as told:
            Room(room)
        assert "\n" not in str(told.value)
        shutil.rmtree(room)


def test_what_a_file_manager_leaves_among_the_teams_is_no_team(whole_room, tmp_path, caplog):
    folder = copy_of(whole_room, tmp_path / "room")
    strays = ["1-red (copy)", "Copy of 1-red", "copy-of-1", "2-crimson"]
    for name in strays:
        shutil.copytree(folder / TEAMS / "1-red", folder / TEAMS / name)
    (folder / TEAMS / "Thumbs.db").write_text("a picture")
    with Room(folder) as room:
        assert room.keys == ("1-red", "2-blue")
    (line,) = caplog.messages
    assert line.endswith(", ".join(sorted(strays)))
    for teams in (folder / TEAMS).iterdir():
        if teams.is_dir():
            shutil.rmtree(teams)
    with pytest.raises(ExerciseError, match="no team's exercise"):
        Room(folder)
    shutil.rmtree(folder / TEAMS)
    with pytest.raises(ExerciseError, match="cannot be read"):
        Room(folder)


def test_a_room_whose_folder_is_away_changes_nothing_and_goes_on_once_it_is_back(
    whole_room, tmp_path, monkeypatch
):
    folder = copy_of(whole_room, tmp_path / "room")
    monkeypatch.chdir(tmp_path)
    with Room(Path("room")) as room:
        monkeypatch.chdir("/")
        room.advance()
        folder.rename(tmp_path / "moved")
        acts = (
            room.advance,
            lambda: room.give("1-red", "", alert(1)),
            lambda: room.message(None, "hello"),
            lambda: room.add_team("Late"),
        )
        for act in acts:
            with pytest.raises(JournalError, match="moved, renamed"):
                act()
        (tmp_path / "moved").rename(folder)
        assert [room.desk(key).turn for key in room.keys] == [1, 1]
        room.advance()
        room.give("1-red", "", alert(2))
        assert [room.desk(key).turn for key in room.keys] == [2, 2]


def taken_by_a_copy(path):
    shutil.copyfile(path, path.with_name("copy"))
    path.with_name("copy").replace(path)


@pytest.mark.parametrize("taken", [Path.unlink, taken_by_a_copy])
def test_a_journal_taken_away_in_play_acknowledges_nothing_and_loses_nothing(
    taken, whole_room, tmp_path, caplog
):
    folder = copy_of(whole_room, tmp_path / "room")
    journal = folder / TEAMS / RED / JOURNAL
    with Room(folder) as room:
        room.advance()
        room.give(RED, "", alert(1))
        taken(journal)
        acts = (
            lambda: room.give(RED, "", alert(1, 21)),
            room.advance,
            lambda: room.message(None, "hello"),
        )
        for act in acts:
            with pytest.raises(JournalError, match=r"journal\.sqlite was moved, deleted or repl"):
                act()
        assert len(room.given(RED, 1)) == 1
        assert room.desk(BLUE).turn == 1
        room.give(BLUE, "", alert(1))  # no other team is kept from playing
    if taken is Path.unlink:
        (line,) = caplog.messages
        assert "all 2 entries are in" in line
        with pytest.raises(
            ExerciseError, match=r"1-red has no journal\.sqlite.*: rename journal-s"
        ):
            Room(folder)
        (folder / TEAMS / RED / "journal-saved-1.sqlite").rename(journal)
    with Room(folder) as room:
        assert [len(room.given(key, 1)) for key in room.keys] == [1, 1]


def test_a_team_that_lost_its_journal_is_told_and_not_passed_over(whole_room, tmp_path):
    folder = copy_of(whole_room, tmp_path / "room")
    (folder / TEAMS / BLUE / JOURNAL).unlink()
    with pytest.raises(
        ExerciseError, match=r"2-blue has no journal\.sqlite any more: take it from"
    ):
        Room(folder)
    shutil.rmtree(folder / TEAMS / BLUE)
    with Room(folder) as room:
        assert room.keys == (RED,)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"level": 3}, "storm"),
        ({"seed": seed_of(9)}, "seed of the dice"),
        ({"hour": 3}, "hour"),
    ],
)
def test_the_journal_of_another_room_is_told_with_the_team_whose_place_it_took(
    options, what, pack, whole_room, tmp_path
):
    folder = copy_of(whole_room, tmp_path / "room")
    other = begun(pack, tmp_path / "other", **options)
    shutil.copyfile(other / TEAMS / BLUE / JOURNAL, folder / TEAMS / BLUE / JOURNAL)
    with pytest.raises(ExerciseError, match=f"the {what} differs: take the journal of Blue"):
        Room(folder)


def test_a_book_of_another_room_is_told(pack, whole_room, tmp_path):
    folder = copy_of(whole_room, tmp_path / "room")
    shutil.copyfile(begun(pack, tmp_path / "other") / BOOK, folder / BOOK)
    with pytest.raises(ExerciseError, match="are not of one room"):
        Room(folder)


def test_what_fails_at_one_team_says_for_which_it_was_done(room, monkeypatch):
    room.advance()

    def full(*_):
        raise JournalError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(room.desk("2-blue").live.journal, "append", full)
        with pytest.raises(JournalError, match=r"done for Red, not for Blue \(the disk is full\)"):
            room.advance()
        with pytest.raises(JournalError, match=r"^the disk is full$"):
            room.advance("2-blue")
    assert [room.desk(key).turn for key in room.keys] == [2, 1]
    room.advance("2-blue")


def test_boards_are_drawn_alike_by_a_process_of_their_own_and_again_when_damaged(
    whole_room, pack, tmp_path, monkeypatch
):
    folder = copy_of(whole_room, tmp_path / "room")
    here = {lang: (folder / board_file(lang)).read_bytes() for lang in ("fr", "en")}
    for lang in here:
        (folder / board_file(lang)).write_bytes(here[lang][:500])
    monkeypatch.delitem(sys.modules, "gis.webmap")
    assert keep_board(folder, pack, "fr")["lang"] == "fr"
    assert {lang: (folder / board_file(lang)).read_bytes() for lang in here} == here
    with pytest.raises(AverseError, match="not drawn"):
        boards._draw_elsewhere(folder, tmp_path)
    # the pack is away: the board of the other language serves, then none
    (folder / board_file("fr")).unlink()
    assert keep_board(folder, tmp_path, "en")["lang"] == "en"
    assert keep_board(folder, tmp_path, "fr")["lang"] == "en"
    (folder / board_file("en")).unlink()
    with pytest.raises(AverseError, match="put it back there"):
        keep_board(folder, tmp_path, "fr")


# --------------------------------------------------------------------------- in play
def test_orders_acts_and_turns_are_in_the_journal_once_they_are_acknowledged(room):
    assert room.give(RED, "", Forecast(turn=0, cells=(20, 21))).refusal is None
    room.advance()
    given = room.give(RED, "communication", alert(1, reason="l'eau monte"))
    assert (given.refusal, given.number) == (None, 1)
    refused = room.give(RED, "technical", alert(1, 30))
    assert (refused.refusal.rule, refused.number) == ("9.7", 2)
    room.message(None, "Bon courage")
    room.play_card(RED, "power_cut", "", "la panne")
    room.advance(RED)
    room.end(RED)
    entries = {
        key: read_journal(room.folder / "teams" / key / JOURNAL).entries for key in room.keys
    }
    assert [one.kind for one in entries[RED]] == [
        *(Kind.ORDER, Kind.ADVANCE, Kind.ORDER, Kind.ORDER, Kind.ACT, Kind.ACT),
        *(Kind.ADVANCE, Kind.ACT),
    ]
    assert [one.kind for one in entries[BLUE]] == [Kind.ADVANCE, Kind.ACT]
    assert [one.seat for one in entries[RED]][2:4] == ["communication", "technical"]
    assert entries[RED][2].reason == "l'eau monte"


def test_a_sequence_number_counts_what_changed_for_that_side_alone(room):
    def counted(key=RED):
        seq = room.moment(key).seq
        return seq[TEAM], seq["team/technical"], seq[PUBLIC]

    assert counted() == (0, 0, 0)
    room.advance()
    assert counted() == (1, 1, 1)
    room.give(RED, "", alert(1))
    assert counted() == (2, 2, 1)
    assert counted(BLUE) == (1, 1, 1)
    room.give(RED, "technical", alert(1))  # refused, on the list that all share
    assert counted() == (3, 3, 1)
    room.play_card(None, "roadworks", "", "")
    assert counted() == (3, 3, 1)
    room.message(BLUE, "À vous")
    assert (counted(), counted(BLUE)) == ((3, 3, 1), (2, 2, 1))
    room.sit(RED, "technical")
    room.preview(RED, "", Move(turn=1, unit="patrol-1", to=20))
    assert counted() == (3, 3, 1)
    before = room.moment(RED).seq["instructor"]
    room.play_card(RED, "jam", "", "")
    assert room.moment(RED).seq["instructor"] == before + 1


def test_who_gave_an_order_is_on_the_list_that_all_seats_share(room):
    room.advance()
    room.give(RED, "communication", alert(1))
    room.give(RED, "sanitation", alert(1, 30))
    room.give(RED, "director", Move(turn=1, unit="patrol-1", to=20))
    now = whole(room)[RED][2]
    assert now["seat"] == "communication"
    assert [(one["number"], one["seat"], one["by_me"]) for one in now["pending"]] == [
        (1, "communication", True),
        (3, "director", False),
    ]
    room.advance(RED)
    room.give(RED, "", alert(2, 33))
    assert room.moment(RED).seats == ("",)
    assert [seat for _, seat in room.given(RED, 1)] == ["communication", "sanitation", "director"]


def test_a_late_order_is_refused_and_not_taken_for_the_next_turn(room):
    room.advance()
    room.advance()
    given = room.give(RED, "", alert(1))
    assert given.refusal.rule == "9.5"
    assert room.moment(RED).state.state.pending[0] is not None
    assert whole(room)[RED][0]["pending"] == []


@pytest.mark.parametrize("key", ["", "3-green", "../1-red", "1"])
def test_no_other_team_answers(room, key):
    for call in (
        lambda: room.moment(key),
        lambda: room.give(key, "", alert(1)),
        lambda: room.advance(key) if key else room.advance("x"),
        lambda: room.message(key, "x") if key else room.message("x", "x"),
    ):
        with pytest.raises(ExerciseError, match="no team"):
            call()
    with pytest.raises(ExerciseError, match="nobody sits"):
        room.give(RED, "mayor", alert(1))


def test_an_act_for_all_is_carried_out_everywhere_or_nowhere(room):
    room.advance()
    for _ in range(TURNS - 1):
        room.advance(RED)
    assert (room.moment(RED).turn, room.moment(BLUE).turn) == (TURNS, 1)
    for act in (
        lambda: room.play_card(None, "jam", "", ""),  # no turn opens for red any more
        lambda: room.end(None),  # blue has played nothing yet
        lambda: room.play_card(None, "reinforcement", "0305", ""),
        lambda: room.play_card(None, "earthquake", "", ""),
        lambda: room.message(None, " "),
    ):
        before = [read_journal(room.folder / "teams" / key / JOURNAL).entries for key in room.keys]
        with pytest.raises(OrderError):
            act()
        after = [read_journal(room.folder / "teams" / key / JOURNAL).entries for key in room.keys]
        assert before == after


def test_what_was_decided_at_another_turn_is_refused_so_that_no_turn_is_skipped(room):
    room.advance()
    seen = {key: room.moment(key).turn for key in room.keys}
    room.advance(None, seen)
    for act in (
        lambda: room.advance(None, seen),  # a second click
        lambda: room.advance(RED, seen),
        lambda: room.play_card(None, "jam", "", "", seen),
        lambda: room.end(RED, "", seen),
        lambda: room.advance(None, {**seen, RED: 2}),  # one of them is enough
    ):
        before = [read_journal(room.folder / "teams" / key / JOURNAL).entries for key in room.keys]
        with pytest.raises(GoneOnError, match="no longer at turn 1"):
            act()
        after = [read_journal(room.folder / "teams" / key / JOURNAL).entries for key in room.keys]
        assert before == after
    room.advance(RED, {RED: 2, BLUE: 1})  # where another team stands is nothing to this one
    room.end(BLUE, "", {BLUE: 2})
    assert [room.moment(key).turn for key in room.keys] == [3, 2]


def test_two_instructors_who_advance_at_once_advance_by_one_turn(room):
    for turn in range(3):
        seen, start, told = dict.fromkeys(room.keys, turn), threading.Barrier(2), []

        def advance(seen=seen, start=start, told=told):
            start.wait()
            try:
                room.advance(None, seen)
                told.append("advanced")
            except GoneOnError:
                told.append("refused")

        threads = [threading.Thread(target=advance) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(told) == ["advanced", "refused"]
        assert {room.moment(key).turn for key in room.keys} == {turn + 1}


# --------------------------------------------------------------------------- found again
def test_a_room_is_found_again_as_it_was_left(whole_room, tmp_path):
    folder = copy_of(whole_room, tmp_path / "room")
    with Room(folder) as room:
        room.give(RED, "", Forecast(turn=0, cells=(20, 21)))
        room.advance()
        room.give(RED, "communication", alert(1, reason="déjà"))
        room.give(RED, "technical", alert(1, 30))
        room.play_card(BLUE, "power_cut", "", "")
        room.message(None, "Bon courage")
        room.advance(BLUE)
        room.end(BLUE)
        left, states = whole(room), {key: room.moment(key).state for key in room.keys}
    with Room(folder) as room:
        assert whole(room) == left
        for key, state in states.items():
            assert room.moment(key).state.state == state.state
        assert room.moment(RED).world is room.moment(BLUE).world  # one, however many play in it
        assert room.give(RED, "", alert(1, 40)).number == 3


def test_a_room_that_is_open_is_opened_by_nobody_else(room):
    with pytest.raises(JournalError, match="in use"):
        Room(room.folder)
    assert room.give(RED, "", Forecast(turn=0, cells=(20,))).refusal is None


def test_a_team_that_comes_late_begins_at_the_forecast_of_the_same_storm(room):
    room.advance()
    key = room.add_team("Verts & <b>")
    assert key == "3-verts-b"
    assert room.moment(key).turn == 0
    assert room.moment(key).world is room.moment(RED).world
    with pytest.raises(ExerciseError, match="already"):
        room.add_team("Verts & <b>")
    for number in range(4, MOST_TEAMS + 1):
        room.add_team(f"Team {number}")
    with pytest.raises(ExerciseError, match="open another"):
        room.add_team("One more")
    assert len(team_folders(room.folder)) == MOST_TEAMS
    room.close()
    with Room(room.folder) as again:
        assert len(again.keys) == MOST_TEAMS


# --------------------------------------------------------------------------- the end
def test_score_and_proof_come_when_the_last_team_is_over(room):
    proof_sha256 = said_of(room.folder)["truth_sha256"]
    room.advance()
    room.advance()
    room.end(RED, "l'heure")
    assert room.moment(RED).is_over
    assert room.proof is None
    assert whole(room)[RED][0]["score"] is None
    with pytest.raises(ExerciseError, match="over"):
        room.advance(RED)
    before = room.moment(RED).seq[TEAM]
    for _ in range(2, TURNS + 1):
        room.advance()
    assert room.moment(BLUE).is_over
    assert hashlib.sha256(room.proof.encode()).hexdigest() == proof_sha256 == room.truth_sha256
    opened = json.loads(room.proof)
    record = read_journal(room.folder / "teams" / RED / JOURNAL)
    assert opened["depth_sha256"] == record.meta["depth_sha256"]
    assert opened["seed_sha256"] == hashlib.sha256(record.meta["seed"].encode()).hexdigest()
    assert opened["level"] == 5
    assert room.moment(RED).seq[TEAM] == before + 1
    for key in room.keys:
        score = whole(room)[key][0]["score"]
        assert set(score) == set(UNVEILED_SCORES)
    with pytest.raises(ExerciseError, match="over"):
        room.advance()
    with pytest.raises(ExerciseError, match="unveiled"):
        room.add_team("Green")


def test_what_the_teams_of_a_room_played_is_debriefed_as_one_class(room, pack):
    room.advance()
    room.give(RED, "communication", alert(1, reason="tôt"))
    room.play_card(RED, "power_cut", "", "la panne")
    room.advance()
    room.advance()
    room.end(RED)
    material = read_material(team_folders(room.folder), pack)
    assert [team.name for team in material.teams] == ["Red", "Blue"]
    assert [team.played.turns for team in material.teams] == [2, 2]
    assert [team.ended_early for team in material.teams] == [True, True]
    assert material.differences == ("injects",)


# --------------------------------------------------------------------------- the timer
@pytest.fixture(scope="module")
def timed(pack, tmp_path_factory):
    options = ScenarioOptions(cards=False, timer=Timer.REFLEX)
    return begun(pack, tmp_path_factory.mktemp("timed") / "room", scenario=options)


def test_14_at_zero_the_turn_is_resolved_with_the_orders_given(timed, tmp_path):
    clock, seconds = Hand(), TIMERS[Timer.REFLEX].seconds
    with Room(copy_of(timed, tmp_path / "room"), clock) as room:
        assert room.moment(RED).timer is None
        clock.now += 10_000
        room.tick()
        assert room.moment(RED).turn == 0  # the forecast takes the time it takes
        room.advance()
        room.give(RED, "", alert(1))
        clock.now += seconds - 1
        room.tick()
        assert (room.moment(RED).turn, room.moment(RED).timer.left) == (1, 1)
        room.advance(BLUE)
        clock.now += 1
        room.tick()
        assert (room.moment(RED).turn, room.moment(BLUE).turn) == (2, 2)
        assert room.moment(RED).timer.left == seconds
        assert room.moment(BLUE).timer.left == seconds - 1
        assert any(type(one).__name__ == "AlertRolled" for one in room.events(RED, TEAM))


def test_14_a_timer_that_is_held_stands_still_and_waits_after_a_break(timed, tmp_path):
    clock, seconds = Hand(), TIMERS[Timer.REFLEX].seconds
    folder = copy_of(timed, tmp_path / "room")
    with Room(folder, clock) as room:
        room.advance()
        clock.now += 5
        room.hold(True)
        clock.now += 10_000
        room.tick()
        assert room.moment(RED).timer.left == seconds - 5
        assert room.moment(RED).timer.held
        room.advance(RED)  # a turn that opens is held too
        assert (room.moment(RED).timer.left, room.moment(RED).timer.held) == (seconds, True)
        room.hold(False)
        clock.now += seconds - 5
        room.tick()
        assert (room.moment(RED).turn, room.moment(BLUE).turn) == (2, 2)
    with Room(folder, clock) as room:
        clock.now += 10_000
        room.tick()
        left = room.moment(RED).timer
        assert (left.left, left.held, room.is_held) == (seconds, True, True)
        room.hold(False)
        clock.now += seconds
        room.tick()
        assert room.moment(RED).turn == 3


def test_listeners_are_told_of_their_own_team_only(room):
    heard = []
    ends = [
        room.listen(side, lambda key=key, side=side: heard.append((key, side)), key)
        for key, side in ((RED, TEAM), (BLUE, TEAM))
    ]
    room.give(RED, "", Forecast(turn=0, cells=(20,)))
    assert {key for key, _ in heard} == {RED}
    ends[0]()
    heard.clear()
    room.give(RED, "", Forecast(turn=0, cells=(21,)))
    room.message(BLUE, "À vous")
    assert {key for key, _ in heard} == {BLUE}
    assert all(side in SIDES for _, side in heard)
