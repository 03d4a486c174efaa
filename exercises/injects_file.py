"""The instructor's list of injects, CSV or XLSX: cards to play at chosen turns (§13.2).

::

    turn,card,target,note
    4,accident,2314-2315,the lorry on the ring road
    6,power_cut,2314,
    9,Injonction politique,Vieille ville,

A CSV has commas or semicolons and is in UTF-8; of a workbook (.xlsx) the first sheet is read, and
that is what a debrief writes as ``msel.xlsx``. Headings and cards are in English or in French, and
other columns are let be. The target is what the card strikes (a hex, a link by its two hexes, a
quarter or a shelter by its name); left empty, it is drawn.
"""

import csv
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from exercises.order_forms import FaultyOrderError, bare, faulty, place_from
from gis.provenance import require_file
from sim.cards import STRIKES
from sim.district import District
from sim.errors import ExerciseError
from sim.events import link_label
from sim.orders import HEX, LINK, QUARTER, SHELTER
from sim.refusal import Refusal
from sim.rules import CARDS, Card, LinkClass
from sim.scenario import Inject

COLUMNS = ("turn", "card", "target", "note")
_HEADINGS: Mapping[str, str] = MappingProxyType(
    {
        **{name: name for name in COLUMNS},
        "tour": "turn",
        "carte": "card",
        "cible": "target",
        "remarque": "note",
    }
)
_TOLD_FAULTS = 5
"""Faults told in full; the others are counted."""

_MOST_LINES, _MOST_COLUMNS = 2_000, 64
"""Read of a sheet: what lies farther out was left there by accident."""


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
    injects, found = injects_from(_rows(path), district, turns)
    if found:
        faults = [f"row {row}: {FaultyOrderError(refusal)}" for row, _, refusal in found]
        more = len(faults) - _TOLD_FAULTS
        told = "; ".join(faults[:_TOLD_FAULTS]) + (f"; and {more} more" if more > 0 else "")
        raise ExerciseError(f"{path.name}: {told}")
    return injects


def read_rows(path: Path) -> tuple[tuple[int, Mapping[str, str]], ...]:
    """Return the rows of a list with their numbers, unchecked.

    Raises
    ------
    ExerciseError
        If the file cannot be read or lacks a column.
    """
    return tuple(_rows(path))


class InjectFault(NamedTuple):
    """What is wrong with a row of a list: its number, the column, and why."""

    row: int
    column: str
    refusal: Refusal


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
            "turn {turn}: give a turn of the exercise, from 1 to {turns}",
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
    if card is None or len(faults) > before:
        return None
    return Inject(turn=int(turn), card=card, target=place, note=cells.get("note", ""))


def _quoted(written: str) -> str:
    return repr(written[:40])


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
    known = ", ".join(card.value for card in CARDS)
    raise faulty("13.1", "no card {card}; the nine are {known}", card=_quoted(name), known=known)


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
            "target {target}: the card {card} strikes nothing; leave it out",
            target=_quoted(written),
            card=CARDS[card],
        )
    found = int(place_from(district, strikes, "target", written))
    if strikes == LINK and district.link_class[found] < LinkClass.LOCAL:
        raise faulty(
            "3.1",
            "target {target}: no road crosses that edge; choose another",
            target=_quoted(written),
        )
    if strikes == HEX and not district.active[found]:
        raise faulty(
            "1.2", "target {target} is not an active hex; choose another", target=_quoted(written)
        )
    return found


def target_label(district: District, inject: Inject) -> str:
    """Return the target of an inject as a file writes it; '' where it is drawn."""
    if inject.target is None:
        return ""
    match STRIKES[inject.card]:
        case str(mark) if mark == HEX:
            return district.sheet.label(inject.target)
        case str(mark) if mark == LINK:
            return link_label(district.sheet, inject.target)
        case str(mark) if mark == QUARTER:
            return district.quarters[inject.target]
        case str(mark) if mark == SHELTER:
            return district.shelters[inject.target].name
    return ""


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows with their line in the file, the header being line 1."""
    require_file("list of injects", path, ExerciseError)
    lines = _lines_of_workbook(path) if path.suffix.lower() == ".xlsx" else _lines_of_csv(path)
    _, headings = next(lines, (1, []))
    names = [_HEADINGS.get(bare(heading), "") for heading in headings]
    missing = [name for name in COLUMNS[:2] if name not in names]
    if missing:
        raise ExerciseError(
            f"{path.name} lacks the column {', '.join(missing)}: its first line must be "
            f"{','.join(COLUMNS)}"
        )
    for line, cells in lines:
        row = {name: cell for name, cell in zip(names, cells, strict=False) if name}
        if any(row.values()):
            yield line, row


def _lines_of_workbook(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Lines of the first sheet of a workbook, as text."""
    try:
        import openpyxl
    except ImportError:
        raise ExerciseError(
            f"{path.name}: workbooks need openpyxl: install averse with its extra, `pip install "
            "averse[debrief]`, or save the list as CSV UTF-8"
        ) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and extensions that are not read
            book = openpyxl.load_workbook(path, read_only=True, data_only=True)
            lines = [
                [_of_workbook(cell) for cell in cells]
                for cells in book.worksheets[0].iter_rows(
                    max_row=_MOST_LINES + 1, max_col=_MOST_COLUMNS, values_only=True
                )
            ]
            book.close()
    # a file that is no workbook fails in as many ways as there are parts in one
    except Exception as fault:
        raise ExerciseError(
            f"{path.name} is not a workbook that can be read ({fault!s:.80}): save it as CSV UTF-8"
        ) from fault
    if any(map(any, lines[_MOST_LINES:])):
        raise ExerciseError(
            f"{path.name} has more than {_MOST_LINES:,} lines: keep one exercise's injects in it"
        )
    yield from enumerate(lines, start=1)


def _of_workbook(cell: object) -> str:
    """Return a cell as it would be typed: a whole number without its point."""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    return "" if cell is None else str(cell).strip()


def _lines_of_csv(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Lines of a CSV that hold something, as text."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        delimiter = ";" if ";" in text.partition("\n")[0] else ","
        reader = csv.reader(text.splitlines(), delimiter=delimiter, strict=True)
        for cells in reader:
            if cells:
                yield reader.line_num, [cell.strip() for cell in cells]
    except (UnicodeDecodeError, csv.Error) as fault:
        raise ExerciseError(
            f"{path.name} is not a table in UTF-8 ({fault}): save it as CSV UTF-8"
        ) from fault
    except OSError as fault:
        raise ExerciseError(f"{path} cannot be read: {fault.strerror}; check the path") from fault
