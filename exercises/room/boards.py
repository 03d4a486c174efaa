"""The boards of a room, one a language: drawn from the district pack once, then kept beside it.

To draw one loads the geodata libraries, which are slow and large; a room that is opened again, and
one in play, do without them.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import gis
from exercises.room.folder import board_file
from gis.store import MANIFEST
from sim.errors import AverseError, ExerciseError
from sim.refusal import refuse
from sim.severity_words import LANGUAGES
from sim.signs import json_of

Plain = dict[str, Any]
_KEY = "drawn_from"
_SOURCES, _DRAWING = "webmap*.py", "gis.webmap"
Told = Callable[[float], None]
_PARTS = 1 + len(LANGUAGES)
"""Of a drawing, as long as each other: the town is read, then there is a board a language."""


def _untold(_share: float) -> None:
    """Hear of no progress."""


def keep_board(room: Path, pack: Path, lang: str, told: Told = _untold) -> Plain:
    """Return the board of a room in a language, drawn and kept where it is not there yet.

    Parameters
    ----------
    room : Path
        Folder of the room.
    pack : Path
        District pack that it is played on.
    lang : {"fr", "en"}
    told : callable
        Told the share done where it must be drawn, 0 to 1; whatever it raises ends the drawing.

    Returns
    -------
    dict
        As ``gis.webmap.board_data`` gives it.

    Raises
    ------
    AverseError
        If the pack is missing or damaged and no board was drawn from it, or the room cannot be
        written.
    """
    try:
        key = _key(pack)
    except OSError:  # a room in play goes on with what it has
        return _without_pack(room, pack, lang)
    board = _kept(room, lang, key)
    if board is None:
        if _DRAWING in sys.modules:
            with suppress(OSError):  # told below
                draw_boards(room, pack, told)
        else:  # its libraries would stay in the memory of a room for as long as it is open
            _draw_elsewhere(room, pack, told)
        board = _kept(room, lang, key)
    if board is None:
        raise ExerciseError(
            refuse(
                "",
                "{room} cannot keep its boards: look at the disk and at its rights",
                room=str(room),
            )
        )
    return board


def _without_pack(room: Path, pack: Path, lang: str) -> Plain:
    """Return the board that was drawn while the pack was there, if need be another language's."""
    for one in (lang, *LANGUAGES):
        if (board := _kept(room, one)) is not None:
            return board
    raise ExerciseError(
        refuse(
            "",
            "the district pack is no longer at {pack}, and the board was not drawn from it yet: "
            "put it back there, or open the room with --district",
            pack=str(pack),
        )
    )


def _kept(room: Path, lang: str, key: str | None = None) -> Plain | None:
    """Return a board that is kept; None where it is not, or was drawn from something else."""
    try:
        kept = json_of((room / board_file(lang)).read_text(encoding="utf-8"))
        drawn_from = kept.pop(_KEY)
        return dict(kept) if key in {None, drawn_from} else None
    except (OSError, ValueError, KeyError, AttributeError):
        return None  # not there, or cut short: it is drawn


def draw_boards(room: Path, pack: Path, told: Told = _untold) -> None:
    """Draw the boards of a room in every language, each whole or not at all.

    Raises
    ------
    DistrictError
        If the pack is missing or damaged.
    OSError
        If the room cannot be written.
    """
    from gis.webmap import board_data, read_scene

    scene, key = read_scene(pack), _key(pack)
    told(1 / _PARTS)
    for number, lang in enumerate(LANGUAGES, start=2):
        path = room / board_file(lang)
        aside = path.with_name(f".{path.name}-{os.getpid()}")
        text = json.dumps({**board_data(scene, None, lang), _KEY: key})
        try:
            aside.write_text(text, encoding="utf-8")
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
        told(number / _PARTS)


def take_boards(drawn: Path, room: Path) -> None:
    """Give a room the boards that stand in another folder, where there are any.

    Whatever they were drawn from: one that is of something else is drawn anew when it is asked for.
    """
    for lang in LANGUAGES:
        with suppress(OSError):
            shutil.copyfile(drawn / board_file(lang), room / board_file(lang))


def _draw_elsewhere(room: Path, pack: Path, told: Told = _untold) -> None:
    command = (sys.executable, "-m", __name__, str(room.resolve()), str(pack.resolve()))
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as faults,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=faults, text=True) as drawing,
    ):
        assert drawing.stdout is not None
        try:
            for share in drawing.stdout:
                told(float(share))
        except BaseException:
            drawing.kill()
            raise
        drawing.wait()
        faults.seek(0)
        found = faults.read()
    if drawing.returncode:
        said = found.strip().splitlines() or ["it was stopped"]
        raise ExerciseError(
            refuse("", "the boards of {room} were not drawn: {why}", room=str(room), why=said[-1])
        )


def _key(pack: Path) -> str:
    """Hash of what a board is drawn from: the pack, and the program that draws it."""
    parts = [(pack / MANIFEST).read_bytes()]
    parts += [one.read_bytes() for one in sorted(Path(gis.__file__).parent.glob(_SOURCES))]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def main() -> int:
    """Draw the boards of a room, telling the share done; arguments: the room, the district pack."""
    room, pack = map(Path, sys.argv[1:])
    try:
        draw_boards(room, pack, lambda share: print(share, flush=True))
    except (AverseError, OSError) as fault:
        print(fault, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
