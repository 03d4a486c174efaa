"""The printed forms of teams: what is on them, on how many pages, and what is not."""

import io
import shutil
from dataclasses import replace

import numpy as np
import pypdf
import pypdfium2
import pytest

from exercises.cli import main
from exercises.room.folder import team_folders, world_of
from exercises.room.forms import FormsOptions, forms_data, write_forms, write_forms_of_room
from exercises.room.forms_card import card_of, disk_size, order_rows
from exercises.room.team_words import CUT_RULE
from gis.pencil_map import PencilMap
from gis.sheet_map import read_sheet_pack
from sim.rules import ALERTS, CARDS, STAFFING, UNITS, Card
from sim.scenario import Inject
from tests.exercises.room.places import HOSTILE, Served

OPTIONS = FormsOptions(("Red", HOSTILE), 18, 30, order_turns=30)


@pytest.fixture(scope="module")
def printed(pack, tmp_path_factory):
    folder = tmp_path_factory.mktemp("forms")
    return {lang: write_forms(pack, folder / f"{lang}.pdf", OPTIONS, lang) for lang in ("fr", "en")}


def texts(path):
    with pypdfium2.PdfDocument(path) as book:
        return [page.get_textpage().get_text_range() for page in book]


def test_each_team_has_its_named_pages(printed):
    sizes = {
        tuple(sorted(round(float(side) * 25.4 / 72) for side in page.mediabox[2:]))
        for page in pypdf.PdfReader(printed["en"]).pages
    }
    assert sizes == {(210, 297)}
    pages = texts(printed["en"])
    half = len(pages) // 2
    assert all("Red" in page.splitlines()[0] for page in pages[:half])
    assert all("<img src=x onerror=PWNED=1>" in page for page in pages[half:])
    for kind in ("Forecast", "Orders", "Event log", "Rule card", "The district"):
        assert any(kind in page.splitlines()[0] or kind in page[:200] for page in pages[:half])


def test_9_1_a_line_for_every_order_that_the_staffing_gives(pack):
    data = forms_data(pack, OPTIONS, "en")
    tables = [one for page in data["order_pages"] for one in page]
    assert [one["turn"] for one in tables] == [f"Turn {n}" for n in range(1, 31)]
    for turn, one in enumerate(tables, 1):
        row = max((row for row in STAFFING if row.from_turn <= turn), key=lambda r: r.from_turn)
        assert one["lines"] == row.orders
        assert f"{disk_size(row.brush_radius)} hexes" in one["staffing"]
    few = forms_data(pack, replace(OPTIONS, order_turns=6), "en")["order_pages"]
    assert [one["turn"] for page in few[:-1] for one in page] == [f"Turn {n}" for n in range(1, 7)]
    # the last page is blank, to be copied: it holds as many orders as there may be
    assert {(one["turn"], one["lines"]) for one in few[-1]} == {("", STAFFING[-1].orders)}
    assert [one["night"] for one in tables] == [turn >= 7 for turn in range(1, 31)]


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_kind_of_order_and_every_table_of_the_rules_is_printed(printed, pack, lang):
    pages = texts(printed[lang])
    orders = pages[1]
    assert all(name in orders and beside in orders for name, _, beside in order_rows(lang))
    whole = " ".join("\n".join(pages[: len(pages) // 2]).split())
    for table in (ALERTS, CARDS, UNITS):
        for row in table.values():
            assert getattr(row, f"label_{lang}") in whole
    assert all(
        " ".join(row.split()) in whole
        for row in card_of(read_sheet_pack(pack).district, lang)["phases"]
    )


@pytest.mark.parametrize(("lang", "column"), [("fr", 0), ("en", 1)])
def test_9_6_the_forecast_says_what_it_is_counted_by_and_shows_low_points(
    printed, pack, lang, column
):
    page = " ".join(texts(printed[lang])[0].split())
    assert CUT_RULE[column] in page.replace("\xa0", " ")
    for name in (("Point bas", "Limite de quartier"), ("Low point", "Limit of a quarter"))[column]:
        assert name in page
    shown = PencilMap(read_sheet_pack(pack))
    district = shown.pack.district
    flat = replace(district, sink_mm=np.zeros_like(district.sink_mm))
    deep = replace(district, sink_mm=np.where(district.active, 600, 0).astype(np.int32))
    drawn = [
        PencilMap(replace(shown.pack, district=one)).plain()[0]["svg"].count('fill="#d6d6d6"')
        for one in (flat, deep)
    ]
    assert drawn[0] < drawn[1]


def test_1_3_every_hex_can_be_found_by_its_number(printed, pack):
    sheet = read_sheet_pack(pack).district.sheet
    shown = set(texts(printed["en"])[0].split())
    assert {sheet.label(cell) for cell in range(sheet.n_hexes)} <= shown


def test_numbers_are_large_enough_to_read_or_the_map_is_cut(pack, monkeypatch):
    own = read_sheet_pack(pack)
    assert len(PencilMap(own).parts) == 1
    monkeypatch.setattr("gis.pencil_map.FRAME_MM", (40.0, 30.0))
    cut = PencilMap(own)
    assert len(cut.parts) == 4
    assert cut.number_pt >= 4.59
    shown = {label[-1] for part in cut.plain() for label in part["labels"]}
    assert len(shown) == own.district.sheet.n_hexes
    assert all(part["width"] <= 40.01 and part["height"] <= 30.01 for part in cut.plain())


def test_equal_towns_and_teams_give_equal_bytes(printed, pack, tmp_path):
    again = write_forms(pack, tmp_path / "again.pdf", OPTIONS, "fr")
    assert again.read_bytes() == printed["fr"].read_bytes()


def test_nothing_hidden_is_on_a_rooms_forms(whole_room, pack, tmp_path):
    """They are what the town, the hour, the length and the first situation give."""
    world = world_of(team_folders(whole_room)[0])
    injects = (Inject(2, Card.POWER_CUT, note="hidden"),)
    other = replace(world.scenario, injects=injects, credibility=2, cards=True)
    asked = FormsOptions(("Red", "Blue"), world.hour, world.turns, other)
    write_forms(pack, tmp_path / "a.pdf", asked, "en")
    write_forms_of_room(whole_room, tmp_path / "b.pdf", "en", pack)
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()


def test_the_console_prints_them(whole_room, pack, tmp_path):
    room = shutil.copytree(whole_room, tmp_path / "room")
    with Served(room, pack) as served:
        assert served.browser("/t/1-red").get("/i/api/forms.pdf").status_code == 403
        answer = served.browser("/i").get("/i/api/forms.pdf?lang=fr&order_turns=2")
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["cache-control"] == "no-store"
    pages = pypdf.PdfReader(io.BytesIO(answer.content)).pages
    assert "Pronostic" in pages[0].extract_text()
    assert sum("page à photocopier" in page.extract_text() for page in pages) == 2


def test_the_command_tells_faults_in_a_sentence(pack, tmp_path, monkeypatch, capsys):
    def run(*words):
        monkeypatch.setattr("sys.argv", ["averse", "forms", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code, capsys.readouterr()

    out = tmp_path / "forms.pdf"
    for words in (
        (tmp_path / "nothing", "--out", out),
        (pack, "--out", tmp_path / "forms.txt"),
        (pack, "--teams", "A,A,", "--out", out),
        (pack, "--teams", "1,2,3,4,5,6,7,8,9", "--out", out),
    ):
        code, told = run(*words)
        assert (code, told.out) == (2, ""), words
        assert told.err.count("\n") <= 2
        assert "Traceback" not in told.err
    assert not out.exists()
