"""The printed forms of a room, set by a process of its own: what draws them is slow and large."""

import subprocess
import sys
import tempfile
from pathlib import Path
from threading import Lock

from sim.errors import ExerciseError
from sim.refusal import refuse

_FORMS = "exercises.room.forms"
ORDER_TURNS = 6
"""Turns that have a form of orders of their own unless asked otherwise: what a power cut lasts."""
_LONGEST_S = 300
"""Seconds after which a print is given up: the slowest town takes a tenth of it."""
_printing = Lock()


def forms_of(room: Path, pack: Path, lang: str, order_turns: int) -> bytes:
    """Return the forms of a room's teams as a PDF; one is printed at a time.

    Parameters
    ----------
    room, pack : Path
        Of the room, and the district pack that it is played on.
    lang : {"fr", "en"}
    order_turns : int
        Turns that have a form of orders of their own.

    Raises
    ------
    ExerciseError
        If they are being printed already, or cannot be.
    """
    if not _printing.acquire(blocking=False):
        raise ExerciseError(refuse("", "the forms are being printed already: wait for them"))
    try:
        with tempfile.TemporaryDirectory(prefix="averse-") as folder:
            out = Path(folder) / "forms.pdf"
            asked = (room.resolve(), pack.resolve(), lang, order_turns, out)
            command = (sys.executable, "-m", _FORMS, *map(str, asked))
            done = subprocess.run(
                command, capture_output=True, text=True, check=False, timeout=_LONGEST_S
            )
            if done.returncode:
                said = done.stderr.strip().splitlines() or ["it was stopped"]
                raise ExerciseError(refuse("", "the forms were not printed: {why}", why=said[-1]))
            return out.read_bytes()
    except subprocess.TimeoutExpired:
        raise ExerciseError(refuse("", "the forms were not printed: it took too long")) from None
    finally:
        _printing.release()
