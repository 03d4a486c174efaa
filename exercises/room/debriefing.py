"""The debrief pack of a room, written by a process of its own while the room goes on.

``python -m exercises.room.debriefing ROOM PACK LANG`` writes ``ROOM/debrief`` and ``debrief.zip``,
and says on its output how far it is, a JSON object a line.
"""

import json
import signal
import subprocess
import sys
import threading
import zipfile
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exercises.debrief.crew import crew_of, processes_here
from exercises.debrief.material import read_material
from exercises.debrief.write import ARCHIVE_ROOT, MANIFEST, MODULES, write_pack
from exercises.fault_words import fault_said
from exercises.journal import JOURNAL, Kind, read_journal
from exercises.room.folder import DEBRIEF, DEBRIEF_ZIP, team_folders
from exercises.voice import voice
from sim.errors import AverseError, DebriefError
from sim.refusal import refuse
from sim.signs import json_of

if TYPE_CHECKING:
    from exercises.room.rooms import Room

NONE, RUNNING, READY, STALE, FAILED = "none", "running", "ready", "stale", "failed"
LEAST_STEPS = 2
"""Steps of time after which a turn was played: the forecast's end, and that of turn 1."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the pack is.

    Attributes
    ----------
    state : str
        ``NONE``, ``RUNNING``, ``READY``, ``STALE`` or ``FAILED``.
    stage : str
    share : float
        Of the stage, 0 to 1.
    said : str
        Why it failed; up to which turns a pack that is there goes.

    """

    state: str = NONE
    stage: str = ""
    share: float = 0.0
    said: str = ""


class Debriefing:
    """The pack of a room: one is written at a time, whoever asks for it."""

    def __init__(self, room: Path, pack: Path) -> None:
        self._room, self._pack = room, pack
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._closed = False
        self._progress = Progress(READY if self.archive.is_file() else NONE)

    @property
    def archive(self) -> Path:
        """Where the pack is, in one file."""
        return self._room / DEBRIEF_ZIP

    @property
    def progress(self) -> Progress:
        """How far it is."""
        with self._lock:
            return self._progress

    def begin(self, lang: str) -> None:
        """Begin to write it, unless it is being written.

        Raises
        ------
        DebriefError
            If no process can be started for it.
        """
        with self._lock:
            if self._progress.state == RUNNING or self._closed:
                return
            try:
                self._process = subprocess.Popen(
                    self._command(lang),
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                    errors="replace",
                )
            except OSError as fault:
                raise DebriefError(
                    refuse(
                        "",
                        "no process can be started for the debrief ({why}): close other programs, "
                        "then ask for it again",
                        why=str(fault.strerror),
                    )
                ) from fault
            self._progress = Progress(RUNNING)
            threading.Thread(target=self._follow, args=(self._process, lang), daemon=True).start()

    def _command(self, lang: str) -> tuple[str, ...]:
        return (sys.executable, "-m", __name__, str(self._room), str(self._pack), lang)

    def _follow(self, process: "subprocess.Popen[str]", lang: str) -> None:
        assert process.stdout is not None
        said = voice(lang).phrase("the debrief was stopped before it was written: ask for it again")
        for line in process.stdout:
            told = _told(line)
            said = str(told.get("said", said))
            if "stage" in told and "share" in told:
                with self._lock:
                    self._progress = Progress(RUNNING, str(told["stage"]), float(told["share"]))
        done = process.wait() == 0
        with self._lock:
            self._progress = Progress(READY) if done else Progress(FAILED, said=said)

    def close(self) -> None:
        """Stop it: a pack is whole or not there."""
        with self._lock:
            self._closed = True
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(_PATIENCE_S)
            except subprocess.TimeoutExpired:  # what it left is swept by the next
                self._process.kill()
                self._process.wait()


def progress_of(debriefing: Debriefing, room: "Room", lang: str) -> Progress:
    """Return how far the pack is, and whether it still tells all that was played.

    Parameters
    ----------
    debriefing : Debriefing
    room : Room
        Whose pack it is.
    lang : {"fr", "en"}
        Of what is said.
    """
    progress = debriefing.progress
    if progress.state != READY:
        return progress
    say, told = voice(lang), _journals_told(debriefing.archive)
    turns = ", ".join(
        say.plural("{team}, {n:,} turn played", "{team}, {n:,} turns played", turns, team=team)
        for team, turns in room.turns_played(told).items()
    )
    if not turns:
        said = say.phrase("Nothing says up to which turns the pack goes: write it again")
    elif told == set(room.standing(LEAST_STEPS).values()):
        return replace(progress, said=say.phrase("It tells of {turns}", turns=turns))
    else:
        said = say.phrase(
            "The pack tells of {turns}; play went on since: write it again", turns=turns
        )
    return replace(progress, state=STALE, said=said)


def _journals_told(archive: Path) -> set[str]:
    """Return the hashes of the journals that a pack tells of; none where it does not say."""
    try:
        with zipfile.ZipFile(archive) as zipped:
            teams = json_of(zipped.read(f"{ARCHIVE_ROOT}/{MANIFEST}"))["teams"]
        return {str(team["journal_sha256"]) for team in teams}
    except (OSError, KeyError, TypeError, ValueError, zipfile.BadZipFile):
        return set()


_PATIENCE_S = 10.0
"""Seconds that a process has to end by itself, and take away what it had begun."""


def _told(line: str) -> dict[str, Any]:
    """Return what a line says; nothing where it was cut short, or a library said it."""
    try:
        told = json.loads(line)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def write_debrief(room: Path, pack: Path, lang: str) -> None:
    """Write the pack of the teams that have played a turn at least.

    Raises
    ------
    AverseError
        If there is none, or the pack cannot be written.
    """
    folders = [folder for folder in team_folders(room) if _has_played(folder)]
    if not folders:
        raise DebriefError(
            refuse("18", "no team has played a turn yet: there is nothing to debrief")
        )
    last = ""

    def tell(stage: str, share: float) -> None:
        nonlocal last
        line = json.dumps({"stage": stage, "share": round(share, 2)})
        if line != last:
            last = line
            print(line, flush=True)

    with crew_of(processes_here()) as crew:
        crew.warm_up(MODULES)
        material = read_material(folders, pack, tell, crew)
        write_pack(material, room / DEBRIEF, lang, archive=True, tell=tell, crew=crew)


def _has_played(exercise: Path) -> bool:
    entries = read_journal(exercise / JOURNAL).entries
    return sum(entry.kind is Kind.ADVANCE for entry in entries) >= LEAST_STEPS


def main() -> int:
    """Write a pack; its arguments are the room, the district pack and the language."""
    room, pack, lang = sys.argv[1:]
    for name in _STOPS:
        signal.signal(name, _stop)
    try:
        write_debrief(Path(room), Path(pack), lang)
    except AverseError as fault:
        return _failed(fault_said(fault, lang))
    except OSError as fault:
        why = str(fault.strerror or fault)
        return _failed(
            voice(lang).phrase(
                "the pack cannot be written ({why}): make room on the disk, then ask for it again",
                why=why,
            )
        )
    except KeyboardInterrupt:
        return 130
    return 0


def _failed(said: str) -> int:
    with suppress(OSError):  # whoever asked is gone
        print(json.dumps({"said": said}), flush=True)
    return 2


_STOPS = (signal.SIGINT, signal.SIGTERM)


def _stop(*_: object) -> None:
    """End as Ctrl-C does, once: whoever serves the room asks for it, and Ctrl-C may have before."""
    for name in _STOPS:
        signal.signal(name, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
