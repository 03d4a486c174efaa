"""Lists of injects as anybody may send them: read, or refused fast and in a sentence."""

import time
import zipfile

import openpyxl
import pytest

from exercises.fault_words import fault_said
from exercises.inject_rows import COLUMNS, MOST_BYTES, rows_of
from exercises.injects_file import InjectsError, read_injects
from exercises.order_forms import LONGEST_REASON
from sim.errors import ExerciseError
from sim.rules import Card
from tests.gis.hand_pack import district

DISTRICT, TURNS = district(), 12
QUICK_S = 2.0
"""Of a processor, within which anything is refused."""


def refused(path, *words):
    """What is said of a list, in both languages."""
    began = time.process_time()
    with pytest.raises(ExerciseError) as told:
        read_injects(path, DISTRICT, TURNS)
    assert time.process_time() - began < QUICK_S
    said = {lang: fault_said(told.value, lang) for lang in ("en", "fr")}
    assert said["en"] == str(told.value)
    assert said["fr"] != said["en"]
    for text in said.values():
        assert "\n" not in text
        assert text.count("openpyxl") == 0
    for word in (path.name, *words):
        assert word in said["en"], said["en"]
    return said


def book(path, *rows, sheet="MSEL", change=lambda book: None):
    made = openpyxl.Workbook()
    made.active.title = sheet
    for row in rows:
        made.active.append(row)
    change(made)
    made.save(path)
    return path


def repacked(path, **parts):
    """A workbook with parts put in or changed, by their names with dots for slashes."""
    with zipfile.ZipFile(path) as old:
        kept = {part.filename: old.read(part) for part in old.infolist()}
    for name, change in parts.items():
        at = name.replace("__", "/").replace("_xml", ".xml")
        kept[at] = change(kept.get(at, b""))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in kept.items():
            new.writestr(name, content)
    return path


ROWS = (COLUMNS, (4, "power_cut", "0304", "the lorry"), (6, "rumour", None, None))


# --------------------------------------------------------------------------- TOML
def test_13_2_a_toml_list_is_what_a_table_of_it_is(tmp_path):
    csv, toml = tmp_path / "list.csv", tmp_path / "list.toml"
    csv.write_text(
        "turn,card,target,note\n4,power_cut,0304,« pas »\n2,Rumeur,,\n", encoding="utf-8"
    )
    toml.write_text(
        '# two\n[[injects]]\nturn = 4\ncard = "power_cut"\ntarget = "0304"\nnote = "« pas »"\n'
        '[[injects]]\nturn = 2\ncard = "Rumeur"\n',
        encoding="utf-8",
    )
    read = read_injects(toml, DISTRICT, TURNS)
    assert read == read_injects(csv, DISTRICT, TURNS)
    assert [one.card for one in read] == [Card.RUMOUR, Card.POWER_CUT]
    assert [row for row, _ in rows_of(toml).rows] == [2, 7]
    # as Windows' editor saves it
    toml.write_text("\ufeff" + toml.read_text(encoding="utf-8"), encoding="utf-8")
    assert read_injects(toml, DISTRICT, TURNS) == read


def test_13_2_a_note_may_hold_the_line_ends_of_unicode(tmp_path):
    path = tmp_path / "list.csv"
    path.write_text('turn,card,note\n2,rumour,"a\fb\u2028c"\n4,rumour,\n', encoding="utf-8")
    assert [row for row, _ in rows_of(path).rows] == [2, 3]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("turn = ", ("no TOML",)),
        ("hour = 8\n", ("[[injects]]",)),
        ("injects = 3\n", ("[[injects]]",)),
        ("injects = [3]\n", ("[[injects]]",)),
        ("seed = 1\n[[injects]]\nturn = 1\n", ("nothing beside",)),
        ('[[injects]]\nturn = 1\ncards = "x"\n', ("line 1", "'cards'", "turn, card")),
        ('\n[[injects]]\nturn = 1.5\ncard = "rumour"\n', ("line 2", "turn is neither")),
        ("[[injects]]\nturn = true\n", ("neither a text",)),
        ('\n\n[[injects]]\nturn = 99\ncard = "rumour"\n', ("row 3", "99", "from 1 to 12", "§18")),
        ("a = " + "[" * 5_000, ("no TOML",)),
        ("[[injects]]\nturn = " + "9" * 5_000, ("no TOML", "hundreds of digits")),
        ("[[injects]]\n" + ".".join("a" * 2_000) + " = 1", ("no TOML", "without end")),
        ("# " + "a" * 30_000, ("no TOML", "20000 characters")),
        ("#\n" * 20_000, ("no TOML", "10000 lines")),
        ("[[injects]]\n" * 2_001, ("more than 2000 lines",)),
    ],
)
def test_a_toml_list_at_fault_is_refused_where_it_is(tmp_path, text, words):
    path = tmp_path / "list.toml"
    path.write_text(text, encoding="utf-8")
    refused(path, *words)


# --------------------------------------------------------------------------- workbooks
def test_a_workbook_is_read_and_its_faults_have_sheet_and_row(tmp_path):
    assert len(read_injects(book(tmp_path / "list.xlsx", *ROWS), DISTRICT, TURNS)) == 2
    wrong = book(tmp_path / "bad.xlsx", *ROWS, (99, "power_cut"), sheet="Été")
    said = refused(wrong, "bad.xlsx, Été", "row 4", "99")
    assert "ligne 4" in said["fr"]


def test_a_formula_without_its_result_is_named_by_sheet_and_row(tmp_path):
    rows = (COLUMNS, (4, "power_cut", "0304", None), ("=A2+1", "rumour", None, None))
    refused(book(tmp_path / "list.xlsx", *rows), "MSEL", "row 3", "turn", "formula", "save it")
    # beside the list it is no matter
    other = book(tmp_path / "other.xlsx", (*COLUMNS, "mine"), (4, "rumour", None, None, "=A2+1"))
    assert len(read_injects(other, DISTRICT, TURNS)) == 1


def test_13_2_a_column_that_is_there_twice_is_refused(tmp_path):
    path = tmp_path / "list.csv"
    path.write_text("turn,carte,note,Card\n1,rumour,,jam\n", encoding="utf-8")
    refused(path, "has the column card more than once", "leave one")
    refused(book(tmp_path / "l.xlsx", ("tour", "card", "turn"), (1, "rumour", 2)), "column turn")


def test_a_workbook_that_begins_with_a_chart_is_read_or_refused_in_a_sentence(tmp_path):
    def charted(made):
        made.create_chartsheet("Chart", 0).add_chart(openpyxl.chart.BarChart())

    path = book(tmp_path / "list.xlsx", *ROWS, change=charted)
    assert len(read_injects(path, DISTRICT, TURNS)) == 2

    def alone(made):
        charted(made)
        del made["MSEL"]

    refused(book(tmp_path / "chart.xlsx", change=alone), "no sheet of cells")


def test_an_empty_workbook_says_so(tmp_path):
    refused(book(tmp_path / "empty.xlsx"), "MSEL", "empty", "turn,card,target,note")
    second = book(
        tmp_path / "second.xlsx", change=lambda made: made.create_sheet("List").append(COLUMNS)
    )
    refused(second, "MSEL", "the first sheet is empty")


def test_a_note_that_is_too_long_is_refused_with_its_row(tmp_path):
    path = tmp_path / "list.csv"
    for more in (0, 1):
        path.write_text(f"turn,card,note\n4,rumour,{'x' * (LONGEST_REASON + more)}\n")
        if more:
            refused(path, "row 2", f"{LONGEST_REASON + 1} characters", f"{LONGEST_REASON}")
        else:
            assert len(read_injects(path, DISTRICT, TURNS)) == 1


# --------------------------------------------------------------------------- hostile files
def test_files_that_are_too_large_are_not_read(tmp_path):
    for ending in ("csv", "xlsx", "toml"):
        large = tmp_path / f"large.{ending}"
        large.write_bytes((b"turn,card\n" + b"4,rumour\n" * (2 * MOST_BYTES))[: 10 * MOST_BYTES])
        refused(large, "has 10 MB", "more than 1:")
    many = tmp_path / "many.csv"
    many.write_text("turn,card\n" + "4,rumour\n" * 100_000)
    refused(many, "more than 2000 lines")


def test_a_hundred_thousand_rows_of_a_workbook_are_not_read(tmp_path):
    path = tmp_path / "rows.xlsx"
    made = openpyxl.Workbook(write_only=True)
    sheet = made.create_sheet("MSEL")
    sheet.append(COLUMNS)
    for _ in range(30_000):
        sheet.append((4, "rumour"))
    made.save(path)
    assert path.stat().st_size < MOST_BYTES
    refused(path, "more than 2000 lines")


def test_a_bomb_is_not_opened(tmp_path):
    path = book(tmp_path / "bomb.xlsx", *ROWS)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("xl/worksheets/more.xml", b"0" * 30_000_000)
    assert path.stat().st_size < MOST_BYTES
    refused(path, "parts of 30 MB")
    parts = book(tmp_path / "parts.xlsx", *ROWS)
    with zipfile.ZipFile(parts, "a") as bomb:
        for number in range(250):
            bomb.writestr(f"xl/media/{number}.xml", b"")
    refused(parts, "2", "parts of 0 MB")


SECRET = "the secret of another file"
DOCTYPE = b'<!DOCTYPE x [<!ENTITY secret SYSTEM "file://%s">]>'
LAUGHS = b"<!DOCTYPE x [<!ENTITY a 'ha'>%s]>" % b"".join(
    b"<!ENTITY a%d '%s'>" % (n, b"&a%d;" % (n - 1) * 10 if n else b"&a;" * 10) for n in range(9)
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp037"])
@pytest.mark.parametrize("define", [DOCTYPE, LAUGHS], ids=["file", "laughs"])
def test_a_workbook_that_defines_entities_is_not_opened(tmp_path, define, encoding):
    secret = tmp_path / "secret"
    secret.write_text(SECRET)
    head = b'<?xml version="1.0" encoding="%s"?>' % encoding.encode()
    defined = define % bytes(secret) if b"%s" in define else define

    def change(part):
        body = part.partition(b"?>")[2] or part
        text = (head + defined + body.replace(b"the lorry", b"&secret;")).decode()
        # signs of a page of codes that hides what they are stand after a head that does not
        return text.encode(encoding) if encoding != "cp037" else head + text.encode(encoding)

    path = repacked(
        book(tmp_path / "xxe.xlsx", *ROWS),
        xl__worksheets__sheet1_xml=change,
        xl__sharedStrings_xml=change,
    )
    said = refused(path, "entities")
    assert SECRET not in "".join(said.values())


def test_values_of_other_files_are_not_taken_and_no_address_is_asked(tmp_path, monkeypatch):
    def never(*_, **__):
        raise AssertionError("an address was asked")

    monkeypatch.setattr("socket.socket.connect", never)
    monkeypatch.setattr("socket.getaddrinfo", never)
    path = repacked(
        book(tmp_path / "links.xlsx", *ROWS),
        xl__externalLinks__externalLink1_xml=lambda _: b"<externalLink/>",
    )
    refused(path, "values from other files")

    def linked(made):
        made.active["D2"].hyperlink = "http://example.invalid/"

    linked_to = book(tmp_path / "linked.xlsx", *ROWS, change=linked)
    assert len(read_injects(linked_to, DISTRICT, TURNS)) == 2


def test_what_is_no_workbook_at_all_says_so(tmp_path):
    for content in (b"", b"PK\x03\x04", b"turn,card\n", b"\xd0\xcf\x11\xe0" * 100):
        path = tmp_path / "odd.xlsx"
        path.write_bytes(content)
        refused(path, "not a workbook that can be read")


def test_faults_beyond_the_fifth_are_counted_in_both_languages(tmp_path):
    path = tmp_path / "list.csv"
    path.write_text("turn,card\n" + "99,rumour\n" * 8)
    with pytest.raises(InjectsError) as told:
        read_injects(path, DISTRICT, TURNS)
    assert len(told.value.faults) == 8
    assert str(told.value).endswith("and 3 more")
    assert told.value.said("fr").endswith("et 3 autres")
