"""The instructor's list of cards to play by hand: read from a file, kept, written as a workbook."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from exercises.debrief.tables import Table, write_xlsx
from exercises.inject_rows import ENDINGS
from exercises.inject_rows import MOST_BYTES as MOST_BYTES
from exercises.injects_file import read_injects, target_label
from exercises.room.rooms import Room
from exercises.voice import voice
from gis.quarter_names import quarters_said
from sim.errors import ExerciseError
from sim.refusal import refuse
from sim.rules import CARDS, Card

Plain = dict[str, Any]
KEPT = "injects"
"""Name under which the book keeps the list."""


def load_list(room: Room, name: str, content: bytes) -> None:
    """Read a list of injects that was sent, and keep it in place of the one before.

    Raises
    ------
    ExerciseError
        If it is none, or a row is at fault; every fault is told with its row.
    """
    world = room.world
    with list_sent(name, content) as path:
        read = read_injects(path, world.district, world.turns)
    rows = [[one.turn, one.card.value, target_label(world.district, one), one.note] for one in read]
    room.book.keep(KEPT, json.dumps(rows))


@contextmanager
def list_sent(name: str, content: bytes) -> Iterator[Path]:
    """Yield a list of injects that was sent, as a file to be read.

    Raises
    ------
    ExerciseError
        If its name is no list's.
    """
    ending = Path(name).suffix.lower()
    if ending not in ENDINGS:
        raise ExerciseError(
            refuse("13.2", "a list of injects is a CSV in UTF-8, a workbook (.xlsx) or a TOML file")
        )
    with tempfile.TemporaryDirectory(prefix="averse-") as folder:
        path = Path(folder) / f"injects{ending}"
        path.write_bytes(content)
        yield path


def listed(room: Room, lang: str) -> list[Plain]:
    """Return the list, each card with its name."""
    say, district = voice(lang), room.world.district
    said = dict(zip(district.quarters, quarters_said(district, lang), strict=True))
    return [
        {
            "turn": turn,
            "card": card,
            "label": say.label(CARDS[Card(card)]),
            "target": said.get(target, target),
            "note": note,
        }
        for turn, card, target, note in json.loads(room.book.value(KEPT) or "[]")
    ]


def scheduled(room: Room, lang: str) -> list[Plain]:
    """Return the injects of the scenario, which fall by themselves."""
    say, district = voice(lang), room.world.district
    return [
        {
            "turn": one.turn,
            "card": one.card.value,
            "label": say.label(CARDS[one.card]),
            "target": target_label(district, one, lang),
            "note": one.note,
        }
        for one in room.world.scenario.injects
    ]


def workbook(room: Room, lang: str) -> bytes:
    """Return the list as a workbook that ``--injects`` reads; the scenario's where it is empty."""
    say = voice(lang)
    headings = (say.phrase("turn"), say.phrase("card"), say.phrase("target"), say.phrase("note"))
    rows = tuple(
        (one["turn"], one["label"], one["target"], one["note"])
        for one in listed(room, lang) or scheduled(room, lang)
    )
    with tempfile.TemporaryDirectory(prefix="averse-") as folder:
        table = Table("MSEL", headings, rows)
        return write_xlsx(Path(folder) / "injects.xlsx", (table,)).read_bytes()
