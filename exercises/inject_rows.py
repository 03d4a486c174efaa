"""The rows of a list of injects, out of a CSV, a workbook or a TOML that anybody may have sent.

A workbook is a ZIP archive of XML: it is looked at before it is opened. One that would fill the
memory, that defines entities, or whose cells take values from other files is refused.
"""

import csv
import re
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from types import MappingProxyType
from typing import Any

from exercises.order_forms import bare
from exercises.toml_lines import NotTomlError, lines_of, toml_of
from gis.provenance import require_file
from sim.errors import ExerciseError
from sim.refusal import Refusal, reason_of, refuse
from sim.signs import unfit_sign

COLUMNS = ("turn", "card", "target", "note")
ENDINGS = (".csv", ".xlsx", ".toml")
_HEADINGS: Mapping[str, str] = MappingProxyType(
    {
        **{name: name for name in COLUMNS},
        "tour": "turn",
        "carte": "card",
        "cible": "target",
        "remarque": "note",
    }
)
_TABLE = "injects"
"""Name of the tables of a TOML file, a row each."""
MOST_BYTES = 1_000_000
"""Of a file: a list of an exercise is a hundredth of it."""
_MOST_UNPACKED_BYTES, _MOST_PARTS = 20_000_000, 200
_MOST_LINES, _MOST_COLUMNS = 2_000, 64
"""Read of a sheet: what lies farther out was left there by accident."""
_LINKS_OUT = "xl/externallinks/"
_ENTITIES = re.compile(rb"<!\s*(DOCTYPE|ENTITY)", re.IGNORECASE)
_ENCODING = re.compile(rb"""<\?xml[^>]{0,80}encoding\s*=\s*["']([^"']{0,40})["']""")
_PLAIN_ENCODINGS = frozenset({b"utf-8", b"us-ascii", b"ascii", b"utf-16"})


@dataclass(frozen=True, slots=True)
class InjectRows:
    """The rows of a list.

    Attributes
    ----------
    where : str
        The file, and the sheet of a workbook.
    rows : tuple of (int, mapping of str to str)
        Each with its number: its line in the file, or its row in the sheet; the header is 1.
    """

    where: str
    rows: tuple[tuple[int, Mapping[str, str]], ...]


def rows_of(path: Path) -> InjectRows:
    """Read the rows of a list, unchecked.

    Raises
    ------
    ExerciseError
        If the file cannot be read, is no list, or is not safe to open.
    """
    require_file("list of injects", path, ExerciseError)
    read = _read(path)
    for row, cells in read.rows:
        if sign := unfit_sign(cells):
            raise ExerciseError(
                refuse(
                    "13.2",
                    "{where}, row {row} holds {sign}, no sign of any text: type it anew",
                    where=read.where,
                    row=row,
                    sign=sign,
                )
            )
    return read


def _read(path: Path) -> InjectRows:
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise ExerciseError(
                refuse(
                    "13.2",
                    "{file} has {found} MB, more than {most}: keep one exercise's injects in it",
                    file=path.name,
                    found=-(-size // 1_000_000),
                    most=MOST_BYTES // 1_000_000,
                )
            )
        match path.suffix.lower():
            case ".xlsx":
                return _of_workbook(path)
            case ".toml":
                return InjectRows(path.name, tuple(_of_toml(path)))
        return InjectRows(path.name, tuple(_named(path.name, _lines_of_csv(path))))
    except OSError as fault:
        raise ExerciseError(
            refuse(
                "",
                "{file} cannot be read: {why}; check the path",
                file=str(path),
                why=str(fault.strerror),
            )
        ) from fault


def _named(
    where: str, lines: Iterator[tuple[int, list[str]]]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows by the headings of the first line."""
    _, headings = next(lines, (1, []))
    names = [_HEADINGS.get(bare(heading), "") for heading in headings]
    missing = [name for name in COLUMNS[:2] if name not in names]
    if missing:
        raise ExerciseError(
            refuse(
                "13.2",
                "{where} lacks the column {missing}: its first line must be {columns}",
                where=where,
                missing=", ".join(missing),
                columns=",".join(COLUMNS),
            )
        )
    if twice := [name for name in COLUMNS if names.count(name) > 1]:
        raise ExerciseError(
            refuse(
                "13.2",
                "{where} has the column {twice} more than once: leave one, the others without a "
                "heading",
                where=where,
                twice=", ".join(twice),
            )
        )
    for line, cells in lines:
        row = {name: cell for name, cell in zip(names, cells, strict=False) if name}
        if any(row.values()):
            yield line, row


# --------------------------------------------------------------------------- CSV
def _lines_of_csv(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Lines of a CSV that hold something, as text."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        delimiter = ";" if ";" in text.partition("\n")[0] else ","
        # not the line ends of Unicode: a note may hold one
        lines = StringIO(text, newline="").readlines()
        _require_few(path.name, len(lines))
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        for cells in reader:
            if cells:
                yield reader.line_num, [cell.strip() for cell in cells]
    except (UnicodeDecodeError, csv.Error) as fault:
        raise ExerciseError(
            refuse(
                "",
                "{file} is not a table in UTF-8 ({why}): save it as CSV UTF-8",
                file=path.name,
                why=str(fault),
            )
        ) from fault


def _require_few(where: str, lines: int) -> None:
    if lines > _MOST_LINES:
        raise ExerciseError(
            refuse(
                "13.2",
                "{where} has more than {most} lines: keep one exercise's injects in it",
                where=where,
                most=_MOST_LINES,
            )
        )


# --------------------------------------------------------------------------- TOML
def _of_toml(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows of the tables ``[[injects]]`` of a TOML file, each with its line."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        read = toml_of(text)
    except (UnicodeDecodeError, NotTomlError) as fault:
        raise ExerciseError(
            refuse("", "{file} is no TOML: {why}", file=path.name, why=reason_of(fault))
        ) from fault
    tables = read.pop(_TABLE, None)
    if read or not isinstance(tables, list) or not all(isinstance(one, dict) for one in tables):
        raise ExerciseError(
            refuse(
                "13.2",
                "{file} is no list of injects: write a table [[injects]] for each, and nothing "
                "beside them",
                file=path.name,
            )
        )
    _require_few(path.name, len(tables))
    lines = lines_of(text)
    for number, table in enumerate(tables):
        line = lines.get((_TABLE, number), number + 1)
        yield line, {name: _of_table(path.name, line, name, table[name]) for name in table}


def _of_table(where: str, line: int, name: str, value: Any) -> str:
    if name not in COLUMNS:
        raise ExerciseError(
            refuse(
                "13.2",
                "{where}, line {line}: an inject has no {name}; it has {known}",
                where=where,
                line=line,
                name=repr(name[:40]),
                known=", ".join(COLUMNS),
            )
        )
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ExerciseError(
            refuse(
                "13.2",
                "{where}, line {line}: {name} is neither a text nor a whole number",
                where=where,
                line=line,
                name=name,
            )
        )
    return str(value).strip()


# --------------------------------------------------------------------------- workbooks
def _of_workbook(path: Path) -> InjectRows:
    """Rows of the first sheet of a workbook, as text."""
    try:
        import openpyxl
    except ImportError:
        raise ExerciseError(
            refuse(
                "",
                "{file}: workbooks need openpyxl: install averse with its extra, {command}, or "
                "save the list as CSV UTF-8",
                file=path.name,
                command="`pip install averse[debrief]`",
            )
        ) from None
    _require_safe(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and extensions that are not read
            name, shown = _cells(openpyxl, path, results=True)
            _, written = _cells(openpyxl, path, results=False)
    # a file that is no workbook fails in as many ways as there are parts in one
    except Exception as fault:
        reason = reason_of(fault)
        raise ExerciseError(
            refuse(
                "",
                "{file} is not a workbook that can be read ({why}): save it as CSV UTF-8",
                file=path.name,
                why=reason if isinstance(reason, Refusal) else f"{reason:.80}",
            )
        ) from fault
    where = f"{path.name}, {name}"
    if not any(map(any, written)):
        raise ExerciseError(
            refuse(
                "13.2",
                "{where}: the first sheet is empty; its first line must be {columns}",
                where=where,
                columns=",".join(COLUMNS),
            )
        )
    if any(map(any, shown[_MOST_LINES:])):
        _require_few(where, _MOST_LINES + 1)
    rows = tuple(_named(where, enumerate(shown, start=1)))
    _require_results(where, shown, written)
    return InjectRows(where, rows)


def _cells(openpyxl: Any, path: Path, *, results: bool) -> tuple[str, list[list[str]]]:
    """Name of the first sheet; its cells as text, of formulas their results or what is written."""
    book = openpyxl.load_workbook(path, read_only=True, data_only=results, keep_links=False)
    try:
        if not book.worksheets:
            raise ValueError(refuse("", "it has no sheet of cells"))
        sheet = book.worksheets[0]
        cells = sheet.iter_rows(max_row=_MOST_LINES + 1, max_col=_MOST_COLUMNS, values_only=True)
        return str(sheet.title), [[_as_typed(cell) for cell in row] for row in cells]
    finally:
        book.close()


def _as_typed(cell: object) -> str:
    """Return a cell as it would be typed: a whole number without its point."""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    return "" if cell is None else str(cell).strip()


def _require_results(
    where: str, shown: Sequence[Sequence[str]], written: Sequence[Sequence[str]]
) -> None:
    """Raise where a formula has no result beside it: the program that wrote it reckoned nothing."""
    names = [_HEADINGS.get(bare(heading), "") for heading in shown[0]]
    for number, (results, formulas) in enumerate(zip(shown, written, strict=True), start=1):
        for name, result, formula in zip(names, results, formulas, strict=False):
            if name and not result and formula.startswith("="):
                raise ExerciseError(
                    refuse(
                        "13.2",
                        "{where}, row {row}: the {column} is a formula without its result: open "
                        "the workbook in the spreadsheet and save it, or save the list as CSV "
                        "UTF-8",
                        where=where,
                        row=number,
                        column=name,
                    )
                )


def _require_safe(path: Path) -> None:
    """Raise where a workbook is not what a spreadsheet writes of a list.

    The sizes that an archive states are those to which its parts are read, whatever is in them.
    """
    try:
        with zipfile.ZipFile(path) as book:
            parts = book.infolist()
            unpacked = sum(part.file_size for part in parts)
            if len(parts) > _MOST_PARTS or unpacked > _MOST_UNPACKED_BYTES:
                raise ExerciseError(
                    refuse(
                        "13.2",
                        "{file} holds {parts} parts of {size} MB: save the list alone, as CSV "
                        "UTF-8",
                        file=path.name,
                        parts=len(parts),
                        size=unpacked // 1_000_000,
                    )
                )
            if any(part.filename.lower().lstrip("/").startswith(_LINKS_OUT) for part in parts):
                raise ExerciseError(
                    refuse(
                        "13.2",
                        "{file} takes values from other files, which are not looked at: save the "
                        "list as CSV UTF-8",
                        file=path.name,
                    )
                )
            unsafe = next((part.filename for part in parts if _is_unsafe(book.read(part))), None)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, RuntimeError, EOFError):
        return  # who reads it says what is wrong with it
    if unsafe is not None:
        raise ExerciseError(
            refuse(
                "13.2",
                "{file} is not opened: its part {part} defines entities, as no spreadsheet does; "
                "save the list as CSV UTF-8",
                file=path.name,
                part=unsafe[:60],
            )
        )


def _is_unsafe(content: bytes) -> bool:
    """Whether XML defines anything, or may do so in signs that are not seen here."""
    plain = content.replace(b"\0", b"")  # UTF-16 is UTF-8 with zeros in between, for this
    said = _ENCODING.search(plain[:300])
    return bool(_ENTITIES.search(plain)) or (
        said is not None and said[1].lower() not in _PLAIN_ENCODINGS
    )
