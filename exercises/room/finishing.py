"""Finishes the exercises of a room that are over, as ``averse play`` does: scores, events, map.

It is done beside the room by a process of its own, which gives way to the room's: turns of other
teams are not kept waiting. An exercise is finished whole or not at all, and one that was cut is
finished when the room is opened again.

``python -m exercises.room.finishing PACK EXERCISE …`` finishes them one after the other.
"""

import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from exercises.chain import ExerciseOptions, OpenExercise, finish_opened
from exercises.exercise_folder import is_finished
from exercises.family import INSTRUCTOR
from exercises.room.folder import TEAMS
from exercises.room.rooms import Room
from exercises.verification import replay_exercise
from gis.store import read_district
from sim.errors import AverseError

DELAY_S = 3.0
"""Seconds between the end of an exercise and its files: first all pages are told of it."""
_GIVES_WAY = 10
"""What is added to the niceness of the process."""

log = logging.getLogger(__name__)


def finish(exercise: Path, pack: Path) -> bool:
    """Write what an exercise that is over lacks; return whether there was anything to write.

    Raises
    ------
    AverseError
        If its journal cannot be believed, the pack is not the one that it was played on, or a file
        cannot be written.
    """
    if is_finished(exercise):
        return False
    _sweep(exercise)
    replayed = replay_exercise(exercise)
    if not replayed.is_over:
        return False
    lang = replayed.record.meta.get("lang", "en")
    opened = OpenExercise(pack, exercise, read_district(pack), ExerciseOptions(lang=lang))
    finish_opened(opened, replayed.played)
    return True


def _sweep(exercise: Path) -> None:
    """Take away what a process that was killed left beside an exercise."""
    for left in exercise.parent.glob(f".{exercise.name}-*-*"):
        if not _is_alive(left.name.removeprefix(f".{exercise.name}-").partition("-")[0]):
            shutil.rmtree(left, ignore_errors=True)


def _is_alive(process: str) -> bool:
    if not process.isdigit():
        return True  # not one of ours
    with suppress(PermissionError):
        try:
            os.kill(int(process), 0)
        except (ProcessLookupError, OverflowError):
            return False
    return True


class Finishing:
    """Has the exercises of a room finished as they end, one process after the other.

    Parameters
    ----------
    room : Room
        In play.
    pack : Path
        District pack that it is played on.
    delay_s : float
    """

    def __init__(self, room: Room, pack: Path, delay_s: float = DELAY_S) -> None:
        self._room, self._pack, self._delay_s = room, pack.resolve(), delay_s
        self._tried: set[str] = set()
        self._changed, self._closed = threading.Event(), threading.Event()
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._leave: Callable[[], None] = room.listen(INSTRUCTOR, self._changed.set)
        self._changed.set()  # what an earlier opening left is looked for
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while self._changed.wait() and not self._closed.is_set():
            self._changed.clear()
            if self._due() and not self._closed.wait(self._delay_s):
                due = self._due()
                self._tried.update(due)
                self._run([self._room.folder.resolve() / TEAMS / key for key in due])

    def _due(self) -> list[str]:
        """Keys of the teams whose exercises are over and have not been finished, nor tried."""
        folder = self._room.folder / TEAMS
        return [
            key
            for key in self._room.keys
            if key not in self._tried
            and self._room.desk(key).is_over
            and not is_finished(folder / key)
        ]

    def _run(self, exercises: list[Path]) -> None:
        places = map(str, (self._pack, *exercises))
        with self._lock:
            if self._closed.is_set():
                return
            process = self._process = subprocess.Popen(
                (sys.executable, "-m", __name__, *places),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,  # Ctrl-C is the room's, which stops it
            )
        assert process.stderr is not None
        for line in process.stderr:
            if not self._closed.is_set():
                log.error("an exercise that is over was not finished: %s", line.strip())
        process.wait()

    def close(self) -> None:
        """Stop it; what was not finished is, when the room is opened again."""
        self._leave()
        with self._lock:
            self._closed.set()
            if self._process is not None and self._process.poll() is None:
                self._process.terminate()
        self._changed.set()
        self._thread.join()


def main() -> int:
    """Finish exercises; its arguments are the district pack and their folders."""
    pack, *exercises = map(Path, sys.argv[1:])
    for name in _STOPS:
        signal.signal(name, _stop)
    with suppress(AttributeError, OSError):  # no such thing everywhere
        os.nice(_GIVES_WAY)
    try:
        failed = list(_faults(exercises, pack))
    except KeyboardInterrupt:
        return 130
    return 2 if failed else 0


def _faults(exercises: list[Path], pack: Path) -> Iterator[Path]:
    for exercise in exercises:
        try:
            finish(exercise, pack)
        except (AverseError, OSError) as fault:
            print(f"{exercise}: {fault}", file=sys.stderr, flush=True)
            yield exercise


_STOPS = (signal.SIGINT, signal.SIGTERM)


def _stop(*_: object) -> None:
    """End as Ctrl-C does, once."""
    for name in _STOPS:
        signal.signal(name, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
