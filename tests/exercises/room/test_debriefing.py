"""The pack of a room: asked for twice, stopped, killed, on a disk that is full."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile

import pytest

from exercises.debrief.write import ARCHIVE_ROOT, MANIFEST
from exercises.room import debriefing
from exercises.room.debriefing import (
    FAILED,
    LEAST_STEPS,
    NONE,
    READY,
    RUNNING,
    STALE,
    Debriefing,
    progress_of,
)
from exercises.room.folder import DEBRIEF, DEBRIEF_ZIP
from exercises.room.rooms import Room
from sim.errors import DebriefError
from tests.exercises.room.places import copy_of

PATIENCE_S = 60.0
STAGE = json.dumps({"stage": "reading the journals", "share": 0.5})
FULL = json.dumps({"said": "le disque est plein"})


class Told(Debriefing):
    """One whose process is a script: what it does to us is real, and quick."""

    def __init__(self, room, script):
        super().__init__(room, room)
        self.script, self.asked = script, []

    def _command(self, lang):
        self.asked.append(lang)
        return (sys.executable, "-c", self.script)


def wait_for(debrief, *states):
    until = time.monotonic() + PATIENCE_S
    while debrief.progress.state not in states:
        assert time.monotonic() < until
        time.sleep(0.01)
    return debrief.progress


def test_two_who_ask_at_once_have_one_pack_written(tmp_path):
    debrief = Told(tmp_path, "input()")
    go = threading.Barrier(6)

    def ask(lang):
        go.wait()
        debrief.begin(lang)

    asking = [threading.Thread(target=ask, args=(lang,)) for lang in ("fr", "en") * 3]
    for one in asking:
        one.start()
    for one in asking:
        one.join()
    assert len(debrief.asked) == 1
    wait_for(debrief, FAILED)  # nobody answers it
    debrief.begin("fr")
    assert len(debrief.asked) == 2
    wait_for(debrief, FAILED)


@pytest.mark.parametrize(
    ("script", "lang", "state", "words"),
    [
        ("pass", "en", READY, ""),
        (f"print({STAGE!r}); print('a library warns'); print('[1]'); print('{{')", "en", READY, ""),
        (f"print({FULL!r}); raise SystemExit(2)", "fr", FAILED, "le disque est plein"),
        (f"print({STAGE!r}[:20], end=''); raise SystemExit(1)", "en", FAILED, "ask for it again"),
        ("import os; os.kill(os.getpid(), 9)", "en", FAILED, "was stopped before"),
        ("import os; os.kill(os.getpid(), 9)", "fr", FAILED, "demandez-le de nouveau"),
        ("import sys; sys.stdout.buffer.write(b'\\xff\\xfe\\n'); 1 / 0", "en", FAILED, "again"),
    ],
)
def test_whatever_becomes_of_its_process_is_told(tmp_path, script, lang, state, words):
    debrief = Told(tmp_path, script)
    assert debrief.progress.state == NONE
    debrief.begin(lang)
    ended = wait_for(debrief, READY, FAILED)
    assert ended.state == state
    assert words in ended.said
    debrief.begin(lang)  # it can be asked for again
    assert wait_for(debrief, READY, FAILED) == ended


def test_a_process_that_cannot_be_started_is_told_and_asked_for_again(tmp_path, monkeypatch):
    debrief = Told(tmp_path, "pass")
    with monkeypatch.context() as patch:
        patch.setattr("sys.executable", str(tmp_path / "gone"))
        with pytest.raises(DebriefError, match="no process can be started"):
            debrief.begin("en")
    assert debrief.progress.state == NONE
    debrief.begin("en")
    wait_for(debrief, READY)


def test_one_that_does_not_stop_is_killed_and_none_begins_after(tmp_path, monkeypatch):
    monkeypatch.setattr(debriefing, "_PATIENCE_S", 0.2)
    deaf = "import signal, time; signal.signal(15, signal.SIG_IGN); print('{}', flush=True); "
    debrief = Told(tmp_path, deaf + f"print({STAGE!r}, flush=True); time.sleep(60)")
    debrief.begin("en")
    until = time.monotonic() + PATIENCE_S
    while not debrief.progress.stage:
        assert time.monotonic() < until
    debrief.close()
    wait_for(debrief, FAILED)
    debrief.begin("en")
    assert debrief.progress.state == FAILED
    assert len(debrief.asked) == 1


def test_a_pack_says_up_to_which_turns_it_goes_and_that_play_went_on_since(whole_room, tmp_path):
    folder = copy_of(whole_room, tmp_path / "room")

    def write(text):
        with zipfile.ZipFile(folder / DEBRIEF_ZIP, "w") as zipped:
            zipped.writestr(f"{ARCHIVE_ROOT}/{MANIFEST}", text)

    with Room(folder) as room:
        assert progress_of(Debriefing(folder, folder), room, "en").state == NONE
        for _ in range(LEAST_STEPS):
            room.advance()
        hashes = room.standing(LEAST_STEPS).values()
        write(json.dumps({"teams": [{"journal_sha256": one} for one in hashes]}))
        debrief = Debriefing(folder, folder)  # as after a restart
        told = progress_of(debrief, room, "en")
        assert (told.state, told.said) == (
            READY,
            "It tells of Red, 1 turn played, Blue, 1 turn played",
        )
        room.advance("2-blue")
        told = progress_of(debrief, room, "fr")
        assert told.state == STALE
        assert "Red, 1 tour joué, Blue, 1 tour joué" in told.said
        for text in ("[]", "{", '{"teams": [{}]}'):
            write(text)
            told = progress_of(debrief, room, "en")
            assert (told.state, told.said[:12]) == (STALE, "Nothing says")


def test_a_full_disk_is_told_and_leaves_nothing(whole_room, pack, tmp_path):
    room = copy_of(whole_room, tmp_path / "room")
    with Room(room) as opened:
        for _ in range(2):
            opened.advance()
    before = sorted(path.name for path in room.iterdir())
    # a file may not grow past so many blocks of a kilobyte: what a full disk does, without one
    limited = 'ulimit -f 24; exec "$@"'
    command = ("sh", "-c", limited, "sh", sys.executable, "-m", debriefing.__name__)
    alone = {os.sched_getaffinity(0).pop()} if hasattr(os, "sched_setaffinity") else None

    def alone_here():
        if alone:  # of one processor: no process helps
            os.sched_setaffinity(0, alone)
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    done = subprocess.run(
        (*command, str(room), str(pack), "fr"),
        capture_output=True,
        text=True,
        preexec_fn=alone_here,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])["said"]
    assert "ne peut être ni lu ni écrit" in said
    assert "\n" not in said
    assert not (room / DEBRIEF).exists()
    assert not (room / DEBRIEF_ZIP).exists()
    assert sorted(path.name for path in room.iterdir()) == before
    assert RUNNING == "running"
