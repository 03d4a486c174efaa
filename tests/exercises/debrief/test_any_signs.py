"""Signs that no file can hold, in a district and in a journal of before they were refused.

Whoever played by an earlier version has them in the journal: it is debriefed all the same, and each
file of the debrief opens in what reads it.
"""

import csv
import io
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import openpyxl
import pyogrio
import pytest

from exercises.chain import ExerciseOptions, open_exercise
from exercises.debrief.material import read_material
from exercises.debrief.write import write_pack
from exercises.family import Envelope
from exercises.live import LiveExercise
from gis.export import Formats, export_district
from sim.orders import Alert, Forecast, Move
from tests.exercises.debrief.hand_exercise import write_pack as write_district
from tests.gis import hand_pack
from tests.strategies import seed_of

ANY = "=a\ufffe\uffff\x0b\x07\ufdd0\U0001ffff\u202e\u2066\u2028<b>window.PWNED = 1</b>]]>"
NAMES = (ANY, "x" * 10_000, "\u202eeval\u2067", "@\x1f")
CENTRE = hand_pack.SHEET.index_of("0304")
TURNS = 3
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    made = hand_pack.district()
    return write_district(
        tmp_path_factory.mktemp("signs") / "pack",
        name=f"\0{ANY}",
        quarters=NAMES,
        shelters=tuple(
            replace(one, name=name) for one, name in zip(made.shelters, NAMES, strict=False)
        ),
    )


@pytest.fixture(scope="module")
def written(town, tmp_path_factory):
    folder = tmp_path_factory.mktemp("played")
    asked = ExerciseOptions(seed=seed_of(5), level=5, turns=TURNS)
    opened = open_exercise(town, folder / "exercise", asked)
    said = f"\0{ANY}"
    with LiveExercise(opened.journal) as live:  # no page and no file would take them today
        for turn in range(TURNS + 1):
            orders = [
                Alert(turn=turn, centre=CENTRE, radius=1, reason=said),
                Move(turn=turn, unit="\ud800\0\ufffe", to=CENTRE, reason=said),
            ]
            if not turn:
                orders = [Forecast(turn=0, cells=(20,), reason=said)]
            for order in orders:
                live.give(Envelope("team", "", turn, order, order.reason))
            live.advance(turn + 1)
    material = read_material([folder / "exercise"], town)
    return write_pack(material, folder / "debrief", "fr").folder


def files(folder, ending):
    found = sorted(folder.rglob(f"*.{ending}"))
    assert found
    return found


def test_messages_are_xml_and_a_map_of_the_district_too(written, town, tmp_path):
    (earth,) = export_district(town, tmp_path / "open", Formats(kml=True))
    for path in (*files(written, "xml"), earth):
        assert "window.PWNED" in "".join(ET.parse(path).getroot().itertext())


def test_workbooks_open_and_hold_no_formula(written):
    for path in files(written, "xlsx"):
        for sheet in openpyxl.load_workbook(path):
            for row in sheet.iter_rows():
                assert not any(cell.data_type == "f" for cell in row)


def test_tables_hold_no_formula_and_no_sign_of_none(written):
    reasons = 0
    for path in files(written, "csv"):
        text = path.read_text(encoding="utf-8-sig")
        assert not NOT_XML.search(text)
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=";"):
            reasons += "window.PWNED" in "".join(row)
            assert not any(
                cell.lstrip().startswith(tuple("=+@")) or re.match(r"\s*-(?![\d,])", cell)
                for cell in row
            )
    assert reasons


def test_layers_open(written):
    (path,) = files(written, "gpkg")
    layers = [pyogrio.read_dataframe(path, layer=name) for name, _ in pyogrio.list_layers(path)]
    told = [text for layer in layers for text in layer.to_numpy(dtype=object).flat]
    assert any("window.PWNED" in str(text) for text in told)


def test_pages_hold_the_names_as_text(written):
    for path in files(written, "html"):
        text = path.read_text(encoding="utf-8")
        assert "<b>window.PWNED" not in text
        assert not NOT_XML.search(text)
    (report,) = files(written, "pdf")
    assert report.read_bytes().startswith(b"%PDF")
