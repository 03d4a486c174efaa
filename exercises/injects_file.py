"""The instructor's list of injects, CSV, XLSX or TOML: cards to play at chosen turns (§13.2).

::

    turn,card,target,note
    4,accident,2314-2315,the lorry on the ring road
    6,power_cut,2314,
    9,Injonction politique,Vieille ville,

A CSV has commas or semicolons and is in UTF-8; of a workbook (.xlsx) the first sheet is read, and
that is what a debrief writes as ``msel.xlsx``. Headings and cards are in English or in French, and
other columns are let be. A TOML file has a table ``[[injects]]`` for each, with these names, as a
scenario has. The target is what the card strikes (a hex, a link by its two hexes, a
quarter or a shelter by its name); left empty, it is drawn.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from exercises.inject_rows import COLUMNS as COLUMNS
from exercises.inject_rows import rows_of
from exercises.order_forms import (
    LONGEST_REASON,
    FaultyOrderError,
    bare,
    faulty,
    meant_by,
    place_from,
)
from exercises.voice import SOURCE, voice
from gis.quarter_names import quarters_said
from gis.wording import HARD
from sim.cards import STRIKES
from sim.district import District
from sim.errors import ExerciseError
from sim.events import link_label
from sim.orders import HEX, LINK, QUARTER, SHELTER
from sim.refusal import OneOf, Refusal
from sim.rules import CARDS, Card, LinkClass
from sim.scenario import Inject

_TOLD_FAULTS = 5
"""Faults told in full; the others are counted."""


def read_injects(path: Path, district: District, turns: int) -> tuple[Inject, ...]:
    """Read and check a list of injects.

    Parameters
    ----------
    path : Path
    district : District
        Whose hexes, links, quarters and shelters the targets name.
    turns : int
        Length of the exercise.

    Returns
    -------
    tuple of Inject
        By turn, within a turn as the file has them.

    Raises
    ------
    ExerciseError
        If the file cannot be read, lacks a column, or a row is at fault; every fault is told with
        its row.
    """
    read = rows_of(path)
    injects, found = injects_from(read.rows, district, turns)
    if found:
        raise InjectsError(read.where, found)
    return injects


def read_rows(path: Path) -> tuple[tuple[int, Mapping[str, str]], ...]:
    """Return the rows of a list with their numbers, unchecked.

    Raises
    ------
    ExerciseError
        If the file cannot be read or lacks a column.
    """
    return rows_of(path).rows


class _Column(NamedTuple):
    """A column, as a list in either language has it."""

    label_fr: str
    label_en: str


_TARGET = _Column("cible", "target")


class InjectFault(NamedTuple):
    """What is wrong with a row of a list: its number, the column, and why."""

    row: int
    column: str
    refusal: Refusal


class InjectsError(ExerciseError):
    """Rows of a list that are at fault.

    Attributes
    ----------
    where : str
        The file, and the sheet of a workbook.
    faults : tuple of InjectFault
    """

    def __init__(self, where: str, faults: tuple[InjectFault, ...]) -> None:
        self.where, self.faults = where, faults
        super().__init__(self.said(SOURCE))

    def said(self, lang: str) -> str:
        """Return the first faults in full, with how many others there are."""
        say = voice(lang)
        told = [
            say.phrase(
                "row {row}: {why} (§{rule})",
                row=row,
                why=say.phrase(refusal.text, **dict(refusal.values)),
                rule=refusal.rule,
            )
            for row, _, refusal in self.faults[:_TOLD_FAULTS]
        ]
        if (more := len(self.faults) - _TOLD_FAULTS) > 0:
            told.append(say.plural("and {n:,} more", "and {n:,} more", more))
        before = HARD if lang == "fr" else ""
        return f"{self.where}{before}: {f'{before}; '.join(told)}"


Rows = Sequence[tuple[int, Mapping[str, str]]]
"""Rows of a list with their numbers, each a text by column."""


def injects_from(
    rows: Iterable[tuple[int, Mapping[str, str]]], district: District | None, turns: int
) -> tuple[tuple[Inject, ...], tuple[InjectFault, ...]]:
    """Check the rows of a list.

    Parameters
    ----------
    rows : iterable of (int, mapping of str to str)
        As the list numbers them: the text of each column, those left out empty.
    district : District, optional
        Without one, targets are let be.
    turns : int
        Length of the exercise.

    Returns
    -------
    tuple of Inject
        Those at no fault by themselves, by turn, within a turn in their order.
    tuple of InjectFault
        In the order of the rows.
    """
    injects: list[Inject] = []
    faults: list[InjectFault] = []
    seen: dict[tuple[object, ...], int] = {}
    for row, cells in rows:
        inject = _inject(row, cells, district, turns, faults)
        if inject is None:
            continue
        injects.append(inject)
        written = inject.target if district is not None else cells.get("target") or None
        if (before := seen.setdefault(_once(inject, written, row), row)) != row:
            again = faulty(
                "13.2",
                "row {row} plays again what row {before} plays; keep one of them",
                row=row,
                before=before,
            )
            faults.append(InjectFault(row, "card", again.refusal))
    return tuple(sorted(injects, key=lambda inject: inject.turn)), tuple(faults)


def _once(inject: Inject, target: int | str | None, row: int) -> tuple[object, ...]:
    """What two rows may not have in common."""
    if inject.card is Card.INJUNCTION:  # a turn has one answer for the prefecture
        return (inject.turn, inject.card)
    # where a target is drawn, another one is drawn for every row
    return (inject.turn, inject.card, row if target is None else (target,))


def _inject(
    row: int,
    cells: Mapping[str, str],
    district: District | None,
    turns: int,
    faults: list[InjectFault],
) -> Inject | None:
    """Return what a row plays; None where it is at fault, which is added to the faults."""
    before = len(faults)
    turn, target = cells.get("turn", ""), cells.get("target", "")
    if not (turn.isascii() and turn.isdigit() and len(turn) < 4 and 1 <= int(turn) <= turns):
        fault = faulty(
            "18",
            '"{turn}" is no turn of the exercise: give one from 1 to {turns}',
            turn=_quoted(turn),
            turns=turns,
        )
        faults.append(InjectFault(row, "turn", fault.refusal))
    card, place = None, None
    try:
        card = card_named(cells.get("card", ""))
    except FaultyOrderError as fault:
        faults.append(InjectFault(row, "card", fault.refusal))
    if card is not None and target and district is not None:
        try:
            place = target_from(district, card, target)
        except FaultyOrderError as fault:
            faults.append(InjectFault(row, "target", fault.refusal))
    if len(note := cells.get("note", "")) > LONGEST_REASON:
        long = faulty(
            "13.2",
            "a note of {found} characters: keep it within {most}",
            found=len(note),
            most=LONGEST_REASON,
        )
        faults.append(InjectFault(row, "note", long.refusal))
    if card is None or len(faults) > before:
        return None
    return Inject(turn=int(turn), card=card, target=place, note=note)


def _quoted(written: str) -> str:
    return repr(written[:40])[1:-1]


def _with_its_zeros(district: District, card: Card, written: str) -> str:
    """Give back to a hex's number the zeros before it, which a spreadsheet takes away."""
    if STRIKES[card] == HEX and written.isascii() and written.isdigit():
        return written.zfill(len(district.sheet.label(0)))
    return written


def card_named(name: str) -> Card:
    """Return a card by its key, or by its name in English or in French, whatever the accents.

    Raises
    ------
    FaultyOrderError
        If there is none, with those there are.

    Examples
    --------
    >>> card_named("power_cut"), card_named("Coupure electrique")
    (<Card.POWER_CUT: 'power_cut'>, <Card.POWER_CUT: 'power_cut'>)
    """
    wanted = bare(name)
    for card, row in CARDS.items():
        if wanted in map(bare, (card.value, row.label_en, row.label_fr)):
            return card
    meant = {
        label: row
        for card, row in CARDS.items()
        for label in (card.value, row.label_en, row.label_fr)
    }
    if near := meant_by(name, meant):
        raise faulty(
            "13.1",
            'no card "{card}": did you mean {near}?',
            card=_quoted(name),
            near=meant[near[0]],
        )
    known = OneOf(tuple(CARDS.values()))
    raise faulty("13.1", 'no card "{card}": it is one of {known}', card=_quoted(name), known=known)


def target_from(district: District, card: Card, written: str) -> int:
    """Return what a card strikes, as a hex, a link, a quarter or a shelter is written.

    Raises
    ------
    FaultyOrderError
        If the district has no such thing, or the card strikes nothing of the kind.
    """
    strikes, written = STRIKES[card], _with_its_zeros(district, card, written)
    if not strikes:
        raise faulty(
            "13.1",
            'target "{target}": the card {card} strikes nothing; leave it out',
            target=_quoted(written),
            card=CARDS[card],
        )
    found = int(place_from(district, strikes, _TARGET, written))
    if strikes == LINK and district.link_class[found] < LinkClass.LOCAL:
        raise faulty(
            "3.1",
            'target "{target}": no road crosses that edge; choose another',
            target=_quoted(written),
        )
    if strikes == HEX and not district.active[found]:
        raise faulty(
            "1.2",
            'target "{target}" is not an active hex; choose another',
            target=_quoted(written),
        )
    return found


def target_label(district: District, inject: Inject, lang: str | None = None) -> str:
    """Return the target of an inject as a file writes it; '' where it is drawn.

    In a language, a quarter's name is that of the language; a file may have either.
    """
    if inject.target is None:
        return ""
    match STRIKES[inject.card]:
        case str(mark) if mark == HEX:
            return district.sheet.label(inject.target)
        case str(mark) if mark == LINK:
            return link_label(district.sheet, inject.target)
        case str(mark) if mark == QUARTER:
            names = district.quarters if lang is None else quarters_said(district, lang)
            return names[inject.target]
        case str(mark) if mark == SHELTER:
            return district.shelters[inject.target].name
    return ""
