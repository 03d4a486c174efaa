"""Where nothing may be written: every command says so in a sentence, and leaves all as it is."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from exercises.cli import EXIT_USER_FAULT, cli
from tests.exercises.debrief import hand_exercise
from tests.exercises.forked import CAN_FORK
from tests.exercises.room.places import begun

pytestmark = pytest.mark.skipif(not CAN_FORK, reason="a process without root's powers: Linux")

WRITING = {
    "town": "town --out {shut}/town",
    "map": "map {pack} --out {shut}/map.html",
    "report": "report {pack} --out {shut}/report.html",
    "sheet": "sheet {pack} --out {shut}/sheet.pdf",
    "export": "export {pack} --out {shut}/open --h3",
    "play": "play {pack} --out {shut}/played --turns 3",
    "replay": "replay {exercise} --out {shut}/again",
    "debrief": "debrief {exercise} --out {shut}/debrief",
    "debrief there": "debrief {exercise} --out {shut}/folder",
    "scenario": "scenario --write {shut}/class.toml",
    "serve": "serve {pack} --teams Red --out {shut}/room --host 127.0.0.1 --port 0",
    "serve prepared": "serve {pack} --out {shut}/room --host 127.0.0.1 --port 0",
    "serve again": "serve {shut}/room --host 127.0.0.1 --port 0",
    "forms": "forms {pack} --out {shut}/forms.pdf",
    "water": "water {pack} --level 5 --out {shut}/water",
    "calibrate": "calibrate {shut}/pack",
    "build": "build --osm {shut}/a.osm.pbf --dem {shut}/a.tif --out {shut}/built",
}
READING = {
    "replay": "replay {shut}/exercise",
    "verify": "verify {shut}/exercise",
    "compare": "compare {shut}/pack --seeds 1 --turns 1",
}
"""Of an exercise and a district that are closed to writing: kept on a stick that is."""
WRITES_NOTHING = {"orders", "verify", "compare"}
TRIED_ELSEWHERE = {"demo", "timelapse", "export-journal", "import-journal"}


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    folder = tmp_path_factory.mktemp("closed")
    pack = hand_exercise.write_pack(folder / "pack")
    exercise = hand_exercise.play(pack, folder / "exercise")
    shut = folder / "shut"
    (shut / "folder").mkdir(parents=True)
    for made in (pack, exercise, begun(pack, folder / "room")):
        shutil.copytree(made, shut / made.name)
    inside = [path for path in (shut, *shut.rglob("*")) if not path.is_symlink()]
    for path in inside:
        path.chmod(path.stat().st_mode & ~0o222)
    yield {"pack": pack, "exercise": exercise, "shut": shut}
    for path in inside:
        path.chmod(path.stat().st_mode | 0o200)


WITHOUT_POWERS = """
import ctypes, sys

class Head(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("process", ctypes.c_int)]

# be somebody whom the rights of files hold for, were it root
nothing = (ctypes.c_uint32 * 6)()
assert ctypes.CDLL(None).capset(ctypes.byref(Head(0x20080522, 0)), nothing) == 0
from exercises.cli import main

main()
"""


def without_powers(line, folder):
    """Run a command in a process that has none; return how it ended and what it said.

    It is a new one: a fork of this, which has threads, may wait for ever for a lock of theirs.
    """
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_POWERS, *line.split()],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout


def contents(folder):
    return {path: path.stat().st_mtime_ns for path in Path(folder).rglob("*")}


@pytest.mark.parametrize("name", WRITING)
def test_what_cannot_be_written_is_told_in_a_sentence_and_nothing_is_left(places, name):
    before = contents(places["shut"])
    status, said = without_powers(WRITING[name].format(**places), places["shut"])
    assert status == EXIT_USER_FAULT, said
    assert "Traceback" not in said
    # bars go before it; Python tells of this process's end, which is cut short
    (sentence,) = (line for line in said.splitlines() if line.startswith("averse: "))
    assert str(places["shut"]) in sentence
    assert ".room-" not in sentence  # no name of what was to be made on the way
    assert contents(places["shut"]) == before


@pytest.mark.parametrize("name", READING)
def test_what_only_reads_works_where_nothing_can_be_written(places, name):
    before = contents(places["shut"])
    status, said = without_powers(READING[name].format(**places), places["shut"])
    assert status == 0, said
    assert contents(places["shut"]) == before


def test_every_command_that_writes_is_tried():
    tried = {line.split()[0] for line in WRITING.values()}
    assert set(cli.commands) <= tried | WRITES_NOTHING | TRIED_ELSEWHERE
