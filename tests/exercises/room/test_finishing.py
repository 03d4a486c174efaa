"""Exercises of a room that are over have the files that ``averse play`` writes."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from exercises.chain import ExerciseOptions, play_exercise
from exercises.exercise_folder import EXERCISE, EXERCISE_FOLDER, is_finished, summary_of
from exercises.exports import EVENTS, SCORES_CSV
from exercises.journal import COMPANIONS, JOURNAL
from exercises.room import finishing
from exercises.room.finishing import Finishing, finish
from exercises.room.folder import team_folders
from exercises.room.rooms import Room
from exercises.verification import verify_exercise
from gis.store import MAP
from sim.errors import JournalError
from sim.orders import Alert
from tests.exercises.room.places import TURNS, copy_of
from tests.strategies import seed_of

PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def over(whole_room, tmp_path_factory):
    """A room whose first team played to the end, and whose second was ended early."""
    folder = copy_of(whole_room, tmp_path_factory.mktemp("over") / "room")
    with Room(folder) as room:
        for turn in range(TURNS + 1):
            if turn == 1:
                room.give("1-red", "", Alert(turn=1, centre=20, radius=1, reason="early"))
            room.advance("1-red")
            if turn <= 2:
                room.advance("2-blue")
        room.end("2-blue", "the bell")
        assert room.moment("1-red").all_over
    return folder


def names(folder):
    return {path.name for path in folder.iterdir()} - {JOURNAL + end for end in COMPANIONS}


def test_each_is_finished_as_one_that_averse_play_played(over, pack, tmp_path):
    folder = copy_of(over, tmp_path / "room")
    played = tmp_path / "played"
    play_exercise(pack, played, ExerciseOptions(seed=seed_of(4), level=5, turns=3))
    for team in team_folders(folder):
        assert names(team) < names(played)
        assert not verify_exercise(team).finished
        assert finish(team, pack)
        assert names(team) == names(played) <= set(EXERCISE_FOLDER.names)
        verified = verify_exercise(team)
        assert verified.finished
        assert set(verified.files) >= {SCORES_CSV, EVENTS}
        assert set(summary_of(team)) == set(summary_of(played))
        kept = {path.name: path.read_bytes() for path in team.iterdir()}
        assert not finish(team, pack)  # there is nothing left to do
        assert {path.name: path.read_bytes() for path in team.iterdir()} == kept
    # the room still opens, and a finished journal that lost its end is told
    with Room(folder) as room:
        assert room.moment("2-blue").is_over
    summary = summary_of(team)
    summary["journal"]["entries"] += 1
    (team / EXERCISE).write_text(json.dumps(summary), encoding="utf-8")
    with pytest.raises(JournalError, match="entries are missing"):
        verify_exercise(team)


def test_one_that_is_still_played_is_let_be(whole_room, pack, tmp_path):
    folder = copy_of(whole_room, tmp_path / "room")
    before = names(team_folders(folder)[0])
    assert not finish(team_folders(folder)[0], pack)
    assert names(team_folders(folder)[0]) == before


@pytest.mark.parametrize("at", [0, 2, 5])
def test_what_was_cut_is_finished_again(over, pack, tmp_path, monkeypatch, at):
    team = team_folders(copy_of(over, tmp_path / "room"))[1]
    replace, done = Path.replace, []

    def cut(self, target):
        if len(done) == at:
            raise KeyboardInterrupt
        done.append(target)
        return replace(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", cut)
        with pytest.raises(KeyboardInterrupt):
            finish(team, pack)
    assert len(done) == at
    assert not is_finished(team)
    # what a process that was killed had begun to write
    left = team.parent / f".{team.name}-999999999-x"
    mine = team.parent / f".{team.name}-{os.getpid()}-y"
    left.mkdir()
    mine.mkdir()
    assert finish(team, pack)
    assert verify_exercise(team).finished
    assert (left.exists(), mine.exists()) == (False, True)


def wait_until(true):
    until = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_room_finishes_what_is_over_beside_its_play(whole_room, pack, tmp_path):
    folder = copy_of(whole_room, tmp_path / "room")
    red, blue = team_folders(folder)
    with Room(folder) as room, closing(Finishing(room, pack, delay_s=0.0)):
        for _ in range(3):
            room.advance()
        room.end("1-red")
        wait_until(lambda: is_finished(red))
        assert not is_finished(blue)
        room.advance("2-blue")  # its turns go on
        late = room.add_team("Late")  # what is over tells it nothing
        assert "injects" not in summary_of(folder / "teams" / late)["scenario"]
    assert "injects" in summary_of(red)["scenario"]
    assert (red / MAP).is_file()


def test_what_was_not_finished_is_when_the_room_is_opened_again(over, pack, tmp_path, monkeypatch):
    folder = copy_of(over, tmp_path / "room")
    ran = []
    monkeypatch.setattr(Finishing, "_run", lambda self, exercises: ran.append(exercises))
    with Room(folder) as room, closing(Finishing(room, pack, delay_s=PATIENCE_S)):
        time.sleep(0.1)
    assert ran == []  # closed before it was time: at once, and nothing was begun
    with Room(folder) as room, closing(Finishing(room, pack, delay_s=0.0)):
        wait_until(lambda: ran)
    assert ran == [list(map(Path.resolve, team_folders(folder)))]


def test_it_is_stopped_without_a_trace(over, pack, tmp_path):
    folder = copy_of(over, tmp_path / "room")
    team = team_folders(folder)[0]
    before = sorted(path.name for path in team.parent.iterdir()), names(team)
    command = (sys.executable, "-m", finishing.__name__, str(pack), str(team))
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            process.wait(0.8)
        except subprocess.TimeoutExpired:
            process.terminate()
        assert process.wait(PATIENCE_S) in {130, -signal.SIGTERM}
        assert "Traceback" not in process.stderr.read()
    assert (sorted(path.name for path in team.parent.iterdir()), names(team)) == before


def test_a_fault_is_one_line_and_the_others_are_finished(over, pack, tmp_path, capsys, monkeypatch):
    folder = copy_of(over, tmp_path / "room")
    red, blue = team_folders(folder)
    (red / JOURNAL).write_bytes(b"x")
    monkeypatch.setattr("sys.argv", ["finishing", str(pack), str(red), str(blue)])
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr("os.nice", lambda *_: 0)
    assert finishing.main() == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1
    assert str(red) in told[0]
    assert is_finished(blue)
