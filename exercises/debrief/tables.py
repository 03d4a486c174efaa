"""Tables as CSV and XLSX that a spreadsheet opens in columns, and in which no text is a formula.

Any text may come from a player or from a map: in CSV one that a spreadsheet would take for a
formula is led by an apostrophe, in XLSX every text is written as such.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import TypeAlias

from sim.errors import DebriefError
from sim.refusal import refuse
from sim.signs import for_xml
from sim.state import HUNDREDTHS

Cell: TypeAlias = int | Decimal | str | None
"""Whole number, exact number, text, or nothing."""

BOM = "\ufeff"
MOST_IN_A_CELL = 32_767
"""Characters that a cell of a spreadsheet holds (ECMA-376)."""
WIDEST, NARROWEST = 60, 6
"""Widths of a column, characters."""
# signs that begin a formula, alone or after blanks that a spreadsheet skips
_FORMULA = re.compile(r"^\s*[=+\-@\t\r]")
_CREATED = datetime(2000, 1, 1)
"""A date for the file's properties: never the clock's, so that two runs give the same bytes."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table to be written.

    Attributes
    ----------
    title : str
        Name of the sheet.
    headings : tuple of str
    rows : tuple of tuple of Cell
        Each as long as the headings.

    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def of_hundredths(hundredths: int) -> int | Decimal:
    """Return hundredths as an exact number of wholes.

    >>> of_hundredths(1_200), of_hundredths(1_250)
    (12, Decimal('12.50'))
    """
    wholes, rest = divmod(int(hundredths), HUNDREDTHS)
    return wholes if not rest else Decimal(int(hundredths)).scaleb(-2)


# --------------------------------------------------------------------------- CSV
def csv_text(table: Table, lang: str) -> str:
    """Return a table as CSV with a byte order mark; in French ``;`` and a decimal comma."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";" if lang == "fr" else ",", lineterminator="\r\n")
    writer.writerow([_as_text(heading) for heading in table.headings])
    writer.writerows([_in_csv(cell, lang) for cell in row] for row in table.rows)
    return BOM + text.getvalue()


def write_csv(path: Path, table: Table, lang: str) -> Path:
    """Write a table as CSV."""
    path.write_text(csv_text(table, lang), encoding="utf-8", newline="")
    return path


def _in_csv(cell: Cell, lang: str) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return _as_text(cell)
    return str(cell).replace(".", "," if lang == "fr" else ".")


def _as_text(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula.

    >>> _as_text("=1+1"), _as_text("-2"), _as_text("a=1")
    ("'=1+1", "'-2", 'a=1')
    """
    clean = for_xml(text)
    return f"'{clean}" if _FORMULA.match(clean) else clean


# --------------------------------------------------------------------------- XLSX
def write_xlsx(path: Path, tables: Iterable[Table]) -> Path:
    """Write tables as the sheets of a workbook, byte for byte the same in any two runs.

    The headings stay in sight and have filters; a column is as wide as what stands in it.

    Raises
    ------
    DebriefError
        If the library that writes spreadsheets is not installed.
    """
    try:
        import xlsxwriter
    except ImportError:
        raise DebriefError(
            refuse(
                "",
                "spreadsheets need XlsxWriter: install averse with its extra, `pip install "
                "averse[debrief]`",
            )
        ) from None
    with xlsxwriter.Workbook(path, _AS_WRITTEN) as book:
        book.set_properties({"created": _CREATED})
        heading = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        plain = book.add_format({"valign": "top", "text_wrap": True})
        text = book.add_format({"valign": "top", "text_wrap": True, "num_format": "@"})
        number = book.add_format({"valign": "top", "num_format": "#,##0"})
        exact = book.add_format({"valign": "top", "num_format": "#,##0.00"})
        for table in tables:
            sheet = book.add_worksheet(sheet_title(table.title))
            sheet.freeze_panes(1, 0)
            for column, width in enumerate(_widths(table)):
                sheet.set_column(column, column, width, plain)
            for column, said in enumerate(table.headings):
                sheet.write_string(0, column, _in_xlsx(said), heading)
            for row, cells in enumerate(table.rows, start=1):
                for column, cell in enumerate(cells):
                    if isinstance(cell, str):
                        sheet.write_string(row, column, _in_xlsx(cell), text)
                    elif cell is not None:
                        whole = isinstance(cell, int)
                        sheet.write_number(row, column, cell, number if whole else exact)
            sheet.autofilter(0, 0, len(table.rows), len(table.headings) - 1)
            sheet.set_landscape()
            sheet.set_paper(_A4)
            sheet.fit_to_pages(1, 0)
            sheet.repeat_rows(0)
    return path


_AS_WRITTEN = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
_A4 = 9
"""Paper of the printed page (ECMA-376, 18.3.1.63)."""


def _in_xlsx(text: str) -> str:
    clean = for_xml(text)
    return clean if len(clean) <= MOST_IN_A_CELL else clean[: MOST_IN_A_CELL - 1] + "…"


def sheet_title(title: str) -> str:
    """Return a name that a sheet of a workbook may have.

    >>> sheet_title("Main/courante [1]"), sheet_title("'"), sheet_title("x" * 40) == "x" * 31
    ('Main courante  1', 'Sheet', True)
    """
    clean = re.sub(r"[\[\]:*?/\\]", " ", for_xml(title))[:31].strip().strip("'")
    return clean or "Sheet"


def _widths(table: Table) -> list[int]:
    columns: list[Sequence[Cell]] = [*zip(table.headings, *table.rows, strict=True)]
    return [
        min(WIDEST, max(NARROWEST, 2 + max(_shown_width(cell) for cell in column)))
        for column in columns
    ]


def _shown_width(cell: Cell) -> int:
    """Characters that a cell takes, those of East Asia two."""
    if cell is None:
        return 0
    return sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in str(cell))
