"""Tables that a spreadsheet opens in columns: no text is a formula, two runs are the same."""

import csv
import io
import zipfile
from decimal import Decimal

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.debrief.event_journal import _parties
from exercises.debrief.tables import (
    BOM,
    MOST_IN_A_CELL,
    Table,
    csv_text,
    of_hundredths,
    sheet_title,
    write_xlsx,
)
from exercises.order_words import Scene
from exercises.voice import voice
from sim.events import MessageSent
from tests.strategies import line_district

HOSTILE = (
    "=1+1",
    "+33",
    "-x",
    "@sum",
    " =cmd|' /C calc'!A0",
    "\t=1",
    "<script>alert(1)</script>",
    '"; DROP',
    "a;b,c\nd",
    "\u202eknalb",
    "x" * 300,
    "y" * (MOST_IN_A_CELL + 5),
    "bell\x07 and half\ud800",
    "http://example.invalid/",
)


def table(*texts):
    rows = tuple((text, 1_234, Decimal("12.50"), None) for text in texts)
    return Table("Main/courante", ("=name", "whole", "exact", "nothing"), rows)


def read(text, lang):
    assert text.startswith(BOM)
    delimiter = ";" if lang == "fr" else ","
    return list(csv.reader(io.StringIO(text[1:], newline=""), delimiter=delimiter))


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_csv_reads_back_with_no_formula_in_it(lang):
    headings, *rows = read(csv_text(table(*HOSTILE), lang), lang)
    assert headings[0] == "'=name"
    exact = "12,50" if lang == "fr" else "12.50"
    for row, text in zip(rows, HOSTILE, strict=True):
        clean = text.replace("\x07", "").replace("\ud800", "")
        assert row[1:] == ["1234", exact, ""]
        assert row[0] in (clean, f"'{clean}")
        assert row[0].lstrip()[:1] not in tuple("=+-@")


@given(st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=40))
def test_any_text_survives_a_csv(text):
    ((_, *_), (cell, *_)) = read(csv_text(table(text), "fr"), "fr")
    assert cell in (text, f"'{text}")
    assert cell.lstrip()[:1] not in tuple("=+-@")


def test_a_workbook_opens_in_another_reader_and_holds_texts_as_texts(tmp_path):
    path = write_xlsx(tmp_path / "a.xlsx", (table(*HOSTILE), Table("two", ("n",), ((1,),))))
    book = openpyxl.load_workbook(path)
    assert book.sheetnames == ["Main courante", "two"]
    sheet = book["Main courante"]
    for row, text in zip(sheet.iter_rows(min_row=2), HOSTILE, strict=True):
        assert row[0].data_type == "s", text
        assert row[0].hyperlink is None
        assert (row[1].value, row[2].value, row[3].value) == (1_234, 12.5, None)
    assert sheet["A2"].value == "=1+1"
    assert sheet["A1"].data_type == "s"
    assert len(sheet["A13"].value) == MOST_IN_A_CELL
    assert sheet["A14"].value == "bell and half"


def test_two_runs_give_the_same_workbook(tmp_path):
    one = write_xlsx(tmp_path / "one.xlsx", (table("a"),)).read_bytes()
    two = write_xlsx(tmp_path / "two.xlsx", (table("a"),)).read_bytes()
    assert one == two
    with zipfile.ZipFile(tmp_path / "one.xlsx") as parts:
        core = parts.read("docProps/core.xml").decode()
        assert {part.date_time[:3] for part in parts.infolist()} == {(1980, 1, 1)}
    assert core.count("2000-01-01T00:00:00Z") == 2


@given(st.text(max_size=60))
def test_a_sheet_has_a_title_that_workbooks_allow(title):
    found = sheet_title(title)
    assert 1 <= len(found) <= 31
    assert not set(found) & set("[]:*?/\\")
    assert found.strip("'") == found


@given(st.integers(0, 10**9))
def test_hundredths_are_exact(hundredths):
    assert of_hundredths(hundredths) * 100 == hundredths


def test_18_a_message_of_the_instructor_goes_to_the_centre():
    scene = Scene(voice("en"), line_district())
    sent = _parties(scene, MessageSent(turn=3, text="The bridge is shut"))
    assert sent == ("exercise control", "operations centre")
