"""The instructor's list of cards to play by hand: read from a file, kept, written as a workbook."""

import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from exercises.debrief.cards import struck_by
from exercises.debrief.tables import Table, write_xlsx
from exercises.family import INSTRUCTOR
from exercises.inject_rows import ENDINGS
from exercises.inject_rows import MOST_BYTES as MOST_BYTES
from exercises.injects_file import read_injects, target_label
from exercises.room.rooms import Room
from exercises.voice import voice
from gis.quarter_names import quarters_said
from sim.errors import ExerciseError
from sim.events import CardDrawn, CardPlanned, Event
from sim.refusal import refuse
from sim.rules import CARDS, Card
from sim.scenario import Inject
from sim.world import World

Plain = dict[str, Any]
Row = tuple[Any, ...]
Met = TypeVar("Met", CardDrawn, CardPlanned)
HAND, LIST, DECK = "hand", "list", "deck"
"""Where a card came from: the instructor as play went on, the list of the scenario, or by lot."""
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


def played(room: Room, lang: str) -> list[Plain]:
    """Return the cards that fell, and those of the hand that fall as the next turn opens.

    Each has its ``origin``; ``fell``, whether it did; and the names of its ``teams``. A card that
    struck several alike is told once.
    """
    told: dict[tuple[Row, int], list[str]] = {}
    for key in room.keys:
        moment, times = room.moment(key), Counter[Row]()
        for row in _met(moment.world, room.events(key, INSTRUCTOR), moment.is_over, lang):
            times[row] += 1
            told.setdefault((row, times[row]), []).append(moment.name)
    names = ("turn", "card", "label", "target", "note", "origin", "fell")
    return [
        {**dict(zip(names, row, strict=True)), "teams": teams}
        for (row, _), teams in sorted(told.items(), key=lambda one: one[0][0][0])
    ]


def _met(world: World, events: Sequence[Event], is_over: bool, lang: str) -> Iterator[Row]:
    """Yield a row of each card of a team, in the order that they fall (§18 step 3)."""
    fell, planned = _by_turn(events, CardDrawn, 0), _by_turn(events, CardPlanned, 1)
    for turn in sorted({*fell, *planned}):
        cards, hand = fell.get(turn, []), planned.get(turn, [])
        injects = [one for one in world.scenario.injects if one.turn == turn]
        if not cards:  # the turn has not opened, and where play is over it will not
            injects = []
        listed_at = len(cards) - len(injects) - len(hand)
        for here, card in enumerate(cards):
            origin, note = DECK, ""
            if here >= listed_at + len(injects):
                origin, note = HAND, hand[here - listed_at - len(injects)].note
            elif here >= listed_at:
                origin, note = LIST, injects[here - listed_at].note
            yield _row(world, card, turn, note, origin, True, lang)
        for one in () if cards or is_over else hand:
            yield _row(world, one, turn, one.note, HAND, False, lang)


def _by_turn(events: Sequence[Event], kind: type[Met], later: int) -> dict[int, list[Met]]:
    """Return the events of a kind by the turn of their card, so many after their own."""
    found: dict[int, list[Met]] = {}
    for event in events:
        if isinstance(event, kind):
            found.setdefault(event.turn + later, []).append(event)
    return found


def _row(
    world: World, event: CardDrawn | CardPlanned, turn: int, note: str, origin: str, fell: bool,
    lang: str,
) -> Row:  # fmt: skip
    inject = Inject(turn, Card(event.card), struck_by(world.district, event), note)
    target = target_label(world.district, inject, lang)
    return (turn, event.card, voice(lang).label(CARDS[inject.card]), target, note, origin, fell)


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
