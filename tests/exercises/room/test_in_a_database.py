"""A room in a centre's database: begun, played, debriefed, and taken out of it as files."""

import json
import os
import shutil
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import gis.aside
from exercises.chain import ExerciseOptions
from exercises.cli import main
from exercises.debrief.material import read_material
from exercises.journal import JOURNAL, read_journal
from exercises.room.folder import (
    KEPT_IN,
    ROOM_JSON,
    RoomOptions,
    create_room,
    keep_in_centre,
    room_kept,
    said_of,
    team_folders,
)
from exercises.room.rooms import Room
from exercises.scenario_options import ScenarioOptions
from exercises.store import moving
from exercises.store.pointer import ADDRESS, POINTER, pointer_of
from exercises.verification import replay_exercise, verify_exercise
from sim.errors import AverseError, ExerciseError, JournalError
from sim.orders import Alert
from tests.exercises.centre import PASSWORD
from tests.exercises.forked import CAN_FORK, forked
from tests.strategies import seed_of

pytestmark = pytest.mark.xdist_group("postgres")
RED = "1-red"


def alert(turn, reason=""):
    return Alert(turn=turn, centre=20, radius=1, reason=reason)


def names(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


@pytest.fixture
def kept_room(centre, whole_room, tmp_path):
    """A room of two teams that nobody plays yet, in the database."""
    folder = shutil.copytree(whole_room, tmp_path / "room")
    centre.keeps(*team_folders(folder), room=folder)
    return folder


@pytest.fixture
def orphans(centre):
    """What the database holds since, and no folder of some rooms knows of."""

    def held():
        return {
            name
            for table in ("journals", "rooms")
            for (name,) in centre.server.sql(
                f"SELECT id FROM averse.{table}", database=centre.database
            )
        }

    before = (
        held()
        if centre.server.sql("SELECT to_regclass('averse.rooms')", database=centre.database)[0][0]
        else set()
    )

    def found(*rooms):
        known = [room_kept(room) for room in rooms]
        known += [pointer_of(team / JOURNAL) for room in rooms for team in team_folders(room)]
        return sorted(held() - before - {one.id for one in known if one})

    return found


def played(folder):
    with Room(folder) as room:
        room.advance()
        room.give(RED, "", alert(1, "eau « basse »"))
        room.play_card(RED, "power_cut", "", "")
        room.advance()
        room.message(None, "hello")
        room.give(RED, "technical", alert(2))
        return room.book.new_token("/t/1-red")


def test_a_new_room_is_kept_there_and_its_folder_holds_the_rest(centre, pack, tmp_path):
    asked = ExerciseOptions(
        seed=seed_of(4), level=5, turns=6, scenario=ScenarioOptions(cards=False)
    )
    create_room(pack, tmp_path / "room", RoomOptions(("Red", "Blue"), asked))
    assert names(tmp_path / "room") == [
        "room.json",
        "teams",
        *(
            f"teams/{key}{name}"
            for key in ("1-red", "2-blue")
            for name in ("", "/exercise.json", f"/{POINTER}", "/truth.npz")
        ),
    ]
    said = json.loads((tmp_path / "room" / ROOM_JSON).read_text())
    assert said[KEPT_IN]["database"] == f"{centre.database} on {centre.server.folder}"
    with Room(tmp_path / "room") as room:
        assert room.keys == ("1-red", "2-blue")
        assert room.add_team("Green") == "3-green"
    assert (tmp_path / "room" / "teams" / "3-green" / POINTER).is_file()
    assert not (tmp_path / "room" / "teams" / "3-green" / JOURNAL).exists()


def test_a_room_plays_alike_in_files_and_in_a_database(kept_room, whole_room, tmp_path):
    files = shutil.copytree(whole_room, tmp_path / "files")
    played(files)
    played(kept_room)
    for mine, theirs in zip(team_folders(kept_room), team_folders(files), strict=True):
        mine, theirs = read_journal(mine / JOURNAL), read_journal(theirs / JOURNAL)
        assert mine.entries == theirs.entries
        assert mine.meta == theirs.meta
        assert len(mine.entries) > 2
    assert [path for path in names(kept_room) if "sqlite" in path] == []


def test_what_is_kept_there_is_replayed_verified_and_read_for_a_debrief(kept_room, pack):
    played(kept_room)
    red = team_folders(kept_room)[0]
    assert replay_exercise(red).moment == 2
    assert not verify_exercise(red).finished
    material = read_material(team_folders(kept_room), pack)
    assert [team.name for team in material.teams] == ["Red", "Blue"]


def test_a_copy_is_an_ordinary_room_of_files(kept_room, tmp_path, monkeypatch):
    token = played(kept_room)
    copy = tmp_path / "copy"
    with Room(kept_room) as room:  # it may be in play
        moving.copy_out(kept_room, copy)
        assert room.keys == ("1-red", "2-blue")
    before = [read_journal(folder / JOURNAL) for folder in team_folders(kept_room)]
    monkeypatch.delenv(ADDRESS)
    assert KEPT_IN not in said_of(copy)
    after = [read_journal(folder / JOURNAL) for folder in team_folders(copy)]
    assert [(one.meta, one.entries) for one in after] == [(one.meta, one.entries) for one in before]
    with Room(copy) as room:
        assert room.book.opens(token, "/t/1-red")
        assert room.proof is None
        room.give(RED, "", alert(2))
    with pytest.raises(ExerciseError, match=r"is kept in the database .*: give the address"):
        Room(kept_room)


def test_an_exercise_is_copied_out_by_the_command(kept_room, tmp_path, capsys, monkeypatch):
    played(kept_room)
    red = team_folders(kept_room)[0]
    before = read_journal(red / JOURNAL)
    out = tmp_path / "red"
    monkeypatch.setattr(sys, "argv", ["averse", "export-journal", str(red), "--out", str(out)])
    main()
    assert capsys.readouterr().out.strip() == str(out)
    monkeypatch.delenv(ADDRESS)
    assert names(out) == ["exercise.json", JOURNAL, "truth.npz"]
    assert read_journal(out / JOURNAL).entries == before.entries
    assert not verify_exercise(out).finished


def test_a_copy_is_refused_where_it_cannot_be_made(kept_room, whole_room, tmp_path):
    with pytest.raises(ExerciseError, match="keeps nothing in a database"):
        moving.copy_out(whole_room, tmp_path / "copy")
    (tmp_path / "there").mkdir()
    for out in (tmp_path / "there", kept_room):
        with pytest.raises(ExerciseError, match="never written over"):
            moving.copy_out(kept_room, out)
    with pytest.raises(AverseError, match="which is read only"):
        moving.copy_out(kept_room, kept_room / "inside")
    for nothing in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(ExerciseError, match="holds no room and no exercise"):
            moving.copy_out(nothing, tmp_path.parent / "copy")
    assert not (tmp_path / "copy").exists()
    assert not (tmp_path.parent / "copy").exists()


def test_a_room_of_files_is_not_asked_of_a_database(whole_room, centre):
    with pytest.raises(ExerciseError, match="in its folder: leave --database out"):
        keep_in_centre(centre.server.address(centre.database), whole_room)
    before = names(whole_room)
    keep_in_centre(None, whole_room)  # the environment's address is for new rooms
    assert names(whole_room) == before


@pytest.mark.parametrize("ends", ["write_pointer", "write_said", "finish_moving"])
def test_cut_short_while_it_is_moved_it_can_be_opened(
    centre, orphans, whole_room, tmp_path, monkeypatch, ends
):
    folder = shutil.copytree(whole_room, tmp_path / "room")

    def cut(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(moving, ends, cut)
        with pytest.raises(KeyboardInterrupt):
            centre.keeps(*team_folders(folder), room=folder)
    with Room(folder) as room:
        room.advance()
        assert room.keys == ("1-red", "2-blue")
    assert orphans(folder) == []


@pytest.mark.skipif(not CAN_FORK, reason="needs os.fork")
@pytest.mark.parametrize(
    ("module", "name", "is_made"),
    [
        (moving, "announce", False),
        (gis.aside, "_take_place", False),
        (moving, "finish_moving", True),
        (moving, "write_book", True),
        (moving, "read_kept", True),
        (Path, "unlink", True),
    ],
    ids=lambda one: getattr(one, "__name__", str(one)),
)
def test_killed_at_any_point_as_a_room_is_moved_no_row_is_left_that_no_folder_knows_of(
    centre, orphans, pack, tmp_path, module, name, is_made
):
    asked = ExerciseOptions(
        seed=seed_of(4), level=5, turns=6, scenario=ScenarioOptions(cards=False)
    )
    room = tmp_path / "room"

    def make(tell):
        def dies(*_, **__):
            os.kill(os.getpid(), signal.SIGKILL)

        setattr(module, name, dies)
        create_room(pack, room, RoomOptions(("Red", "Blue"), asked))
        tell("made")

    assert forked(make) == []
    assert room.exists() == is_made
    if not is_made:
        create_room(pack, room, RoomOptions(("Red", "Blue"), asked))
    with Room(room) as opened:
        opened.advance()
    assert [path for path in names(room) if "sqlite" in path] == []
    assert orphans(room) == []
    assert [one.kind for one in read_journal(team_folders(room)[0] / JOURNAL).entries] == [
        "advance"
    ]


def test_a_team_of_which_it_is_not_known_whether_it_is_kept_is_there_once_it_is(
    kept_room, centre, orphans, monkeypatch
):
    from exercises.store import database
    from exercises.store.faults import UnsureError
    from tests.exercises.cable import Cable

    write_kept = moving.write_kept
    monkeypatch.setattr(database, "PATIENCE_S", 0.2)
    for reaches, name in ((True, "Green"), (False, "Grey")):
        with Cable(centre.server.folder) as cable:
            where = centre.server.address(centre.database, folder=cable.folder)
            monkeypatch.setenv(ADDRESS, where)
            with Room(kept_room) as room:
                before = room.keys

                def last(*given, reaches=reaches, cable=cable):
                    write_kept(*given)
                    cable.cut_at(b"COMMIT", reaches=reaches, hangs=False, for_good=True)

                with monkeypatch.context() as patch:
                    patch.setattr(moving, "write_kept", last)
                    with pytest.raises(UnsureError):
                        room.add_team(name)
                assert room.keys == before
                cable.open()
                other = room.add_team(f"Other {name}")
            with Room(kept_room) as room:
                assert {other, *before} < set(room.keys)
                assert len(room.keys) == len(before) + 2
                room.advance()
        assert orphans(kept_room) == []


def test_a_file_beside_what_is_kept_elsewhere_is_never_taken_for_it(kept_room, whole_room):
    red = team_folders(kept_room)[0]
    played(kept_room)
    shutil.copy(team_folders(whole_room)[0] / JOURNAL, red / JOURNAL)
    with pytest.raises(JournalError, match="is not the same: move that file away"):
        Room(kept_room)
    assert (red / JOURNAL).exists()
    (red / JOURNAL).unlink()
    with Room(kept_room) as room:
        assert room.moment(RED).turn == 2


def test_a_team_that_cannot_be_kept_is_not_there(kept_room, centre, monkeypatch):
    with Room(kept_room) as room:
        before = names(kept_room)

        def full(*_):
            raise JournalError("the database is full")

        monkeypatch.setattr(moving, "write_kept", full)
        with pytest.raises(JournalError, match="is full"):
            room.add_team("Green")
        assert room.keys == ("1-red", "2-blue")
        assert names(kept_room) == before
        room.advance()


def test_the_other_teams_play_on_while_one_is_told_what_was_taken(kept_room, centre, monkeypatch):
    """An order that got no answer is on the list of its team once the database is back."""
    from exercises.store import database
    from tests.exercises.cable import Cable

    monkeypatch.setattr(database, "PATIENCE_S", 0.2)
    with Cable(centre.server.folder) as cable:
        where = centre.server.address(centre.database, folder=cable.folder)
        monkeypatch.setenv(ADDRESS, where)
        with Room(kept_room) as room:
            room.advance()
            heard = []
            room.listen("team", lambda: heard.append(1), RED)
            cable.cut_at(b"COMMIT", reaches=True, hangs=False, for_good=True)
            with pytest.raises(JournalError, match="is not known yet"):
                room.give(RED, "", alert(1, "first"))
            assert room.moment(RED).seats == ()
            cable.open()
            assert room.give("2-blue", "", alert(1)).number == 1
            with pytest.raises(JournalError, match="was taken all the same"):
                room.give(RED, "technical", alert(1, "second"))
            assert heard
            assert room.moment(RED).seats == ("",)
            assert [order.reason for order in room.moment(RED).state.state.pending] == ["first"]
            assert room.give(RED, "technical", alert(1, "second")).number == 2
            room.advance()
        reasons = [one.reason for one in read_journal(team_folders(kept_room)[0] / JOURNAL).entries]
        assert reasons == ["", "first", "second", ""]


def test_while_an_order_waits_for_the_database_the_others_are_told_where_they_stand(
    kept_room, centre, monkeypatch
):
    from exercises.store import database
    from tests.exercises.cable import Cable

    with Cable(centre.server.folder) as cable:
        where = centre.server.address(centre.database, folder=cable.folder)
        monkeypatch.setenv(ADDRESS, where)
        with Room(kept_room) as room, ThreadPoolExecutor() as pool:
            room.advance()
            # it does not come back: only who waits for it is held up, and the next are not
            monkeypatch.setattr(database, "PATIENCE_S", 1.0)
            cable.close_all()
            began = time.monotonic()
            order = pool.submit(room.give, RED, "", alert(1, "first"))
            while not order.done():
                asked = time.monotonic()
                room.moment("2-blue")
                room.preview("2-blue", "", alert(1))
                assert time.monotonic() - asked < 0.5
                time.sleep(0.01)
            assert time.monotonic() - began >= 1.0
            with pytest.raises(JournalError, match="was not taken, all before it are kept"):
                order.result()
            began = time.monotonic()
            with pytest.raises(JournalError, match="was not taken"):
                room.give("2-blue", "", alert(1))
            assert time.monotonic() - began < 0.5
            # it does: orders that were waiting are taken, each once
            cable.open()
            room.give(RED, "", alert(1, "second"))
            monkeypatch.setattr(database, "PATIENCE_S", 60.0)
            cable.close_all()
            orders = [pool.submit(room.give, key, "", alert(1, "third")) for key in (RED, "2-blue")]
            while not room._desks[RED].live.journal._database.is_down:
                time.sleep(0.01)
            assert room.moment(RED).seats == ("",)
            cable.open()
            assert sorted(order.result().number for order in orders) == [1, 2]
        kept = (["second", "third"], ["third"])
        for folder, said in zip(team_folders(kept_room), kept, strict=True):
            entries = read_journal(folder / JOURNAL).entries
            assert [one.reason for one in entries if one.reason] == said


def test_a_database_that_stands_still_holds_up_nobody_for_ever(kept_room, centre, monkeypatch):
    """Its machine is there and says nothing: no network tells that."""
    from exercises.store import database

    monkeypatch.setattr(database, "LONGEST_S", 0.3)
    monkeypatch.setattr(database, "PATIENCE_S", 0.3)
    with Room(kept_room) as room, ThreadPoolExecutor() as pool:
        room.advance()
        ((process,),) = centre.server.sql(
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'averse' "
            f"AND datname = '{centre.database}'"
        )
        os.kill(process, signal.SIGSTOP)
        try:
            order = pool.submit(room.give, RED, "", alert(1, "first"))
            began = time.monotonic()
            while not order.done():
                assert time.monotonic() - began < 10
                time.sleep(0.01)
            with pytest.raises(JournalError, match=r"does not answer|has not ended"):
                order.result()
            assert room.moment("2-blue").turn == 1
        finally:
            os.kill(process, signal.SIGCONT)
        while True:
            try:
                given = room.give(RED, "", alert(1, "first"))
            except JournalError:
                time.sleep(0.05)
            else:
                break
        assert given.number == 1
        assert room.give("2-blue", "", alert(1, "second")).number == 1
    for folder, said in zip(team_folders(kept_room), ("first", "second"), strict=True):
        entries = read_journal(folder / JOURNAL).entries
        assert [one.reason for one in entries if one.reason] == [said]


def test_no_password_is_in_any_file(centre, kept_room, monkeypatch):
    centre.server.sql(
        f"DO $$ BEGIN CREATE ROLE secretive LOGIN SUPERUSER PASSWORD '{PASSWORD}'; "
        "EXCEPTION WHEN duplicate_object THEN NULL; END $$"
    )
    monkeypatch.setenv(ADDRESS, centre.server.address(centre.database, "secretive", PASSWORD))
    with Room(kept_room) as room:
        room.add_team("Green")
    for path in kept_room.rglob("*"):
        if path.is_file():
            assert PASSWORD.encode() not in path.read_bytes()
            assert b"secretive" not in path.read_bytes()


@pytest.mark.skipif(not CAN_FORK, reason="needs os.fork")
def test_killed_in_mid_turn_nothing_acknowledged_is_lost_and_the_room_opens_again(kept_room):
    def give(tell):
        with Room(kept_room) as room:
            room.advance()
            for number in range(1_000_000):
                room.give(RED, "", alert(1, f"order {number}"))
                tell(f"order {number}")
                if number == 2:  # and some moment later, wherever it is
                    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGKILL)).start()

    told = forked(give)
    with Room(kept_room) as room:  # the killed one's lock went with it
        held = [one.reason for one in read_journal(team_folders(kept_room)[0] / JOURNAL).entries]
        assert held[0] == ""
        assert held[1 : len(told) + 1] == told
        assert len(held) - 1 - len(told) <= 1  # on the disk, not yet told
        assert len(told) > 2
        room.advance()


def imported(capsys, monkeypatch, *arguments):
    """What the command that moves into the database says, and its status."""
    monkeypatch.setattr(sys, "argv", ["averse", "import-journal", *map(str, arguments)])
    status = 0
    try:
        main()
    except SystemExit as ended:
        status = ended.code
    told = capsys.readouterr()
    return status, told.out + told.err


def test_a_room_of_files_is_moved_in_by_the_command_and_its_files_are_kept(
    centre, orphans, whole_room, tmp_path, capsys, monkeypatch
):
    folder = shutil.copytree(whole_room, tmp_path / "monday")
    token = played(folder)
    before = [read_journal(one / JOURNAL).entries for one in team_folders(folder)]
    status, said = imported(capsys, monkeypatch, folder)
    assert status == 0, said
    assert f"Moved into the database {centre.database}" in said
    assert [path for path in names(folder) if "sqlite" in path] == []
    assert [read_journal(one / JOURNAL).entries for one in team_folders(folder)] == before
    assert orphans(folder) == []
    with Room(folder) as room:
        assert room.book.opens(token, "/t/1-red")
        room.advance()
    monkeypatch.delenv(ADDRESS)
    files = tmp_path / "monday-files"
    assert str(files) in said
    assert [read_journal(one / JOURNAL).entries for one in team_folders(files)] == before
    with Room(files) as room:
        assert room.book.opens(token, "/t/1-red")
        assert room.moment(RED).turn == 2


def test_what_cannot_be_moved_in_is_refused_in_one_sentence(
    centre, kept_room, whole_room, tmp_path, capsys, monkeypatch
):
    folder = shutil.copytree(whole_room, tmp_path / "files")
    before = names(folder)
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    (tmp_path / "there").mkdir()
    for given, says in (
        ((kept_room,), "already: there is nothing left to move"),
        ((tmp_path / "there",), "ne contient ni salle ni exercice"),
        ((folder, "--files", tmp_path / "there"), "a copy is never written over"),
    ):
        status, said = imported(capsys, monkeypatch, *given)
        assert status == 2
        assert len(said.splitlines()) == 1
        assert says in said
    assert names(folder) == before
    monkeypatch.delenv(ADDRESS)
    status, said = imported(capsys, monkeypatch, folder)
    assert status == 2
    assert "give the address of the database in AVERSE_DATABASE" in said
    assert names(folder) == before


@pytest.mark.skipif(not CAN_FORK, reason="needs os.fork")
def test_a_room_in_play_is_not_moved(centre, whole_room, tmp_path):
    folder = shutil.copytree(whole_room, tmp_path / "files")

    def move(tell):
        try:
            moving.bring_in(folder, tmp_path / "kept")
        except AverseError as fault:
            tell(str(fault))

    with Room(folder):
        before = names(folder)
        (said,) = forked(move)
        assert "is in use" in said
        assert names(folder) == before
    assert not (tmp_path / "kept").exists()


@pytest.mark.parametrize("ends", ["written_aside", "announce", "finish_moving", "write_kept"])
def test_a_move_that_was_cut_short_goes_on(
    centre, orphans, whole_room, tmp_path, capsys, monkeypatch, ends
):
    folder = shutil.copytree(whole_room, tmp_path / "monday")

    def cut(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(moving, ends, cut)
        assert imported(capsys, monkeypatch, folder)[0] == 130
    if (tmp_path / "monday-files").exists() and room_kept(folder) is None:
        shutil.rmtree(tmp_path / "monday-files")
    status, said = imported(capsys, monkeypatch, folder)
    assert status == 0, said
    assert [path for path in names(folder) if "sqlite" in path] == []
    assert len([path for path in names(tmp_path / "monday-files") if path.endswith(JOURNAL)]) == 2
    assert orphans(folder) == []
