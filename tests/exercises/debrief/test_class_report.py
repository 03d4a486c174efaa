"""``class.pdf``: a page or two of A4, the figures of the page, names that are text."""

import re
from dataclasses import replace

import pypdf
import pytest

from exercises.debrief.class_report import CLASS_REPORT, class_data, write_class_report
from exercises.debrief.figures import class_figures
from exercises.debrief.material import read_material
from exercises.debrief.page_class import forecast_lines, team_lines
from exercises.debrief.page_tongue import Tongue
from sim.severity_words import LANGUAGES
from tests.exercises.debrief import hand_exercise

MARKUP = "#panic(1) $x$ *b* </text><script>"
MOST_PAGES = 2


@pytest.fixture(scope="module")
def material(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class")
    pack = hand_exercise.write_pack(folder / "pack")
    first = hand_exercise.play(pack, folder / "Blue")
    return read_material([first, hand_exercise.play(pack, folder / "Red", [])], pack)


@pytest.fixture(scope="module")
def figures(material):
    found = class_figures(material)
    one, two = found.teams
    return replace(found, teams=(replace(one, team=replace(one.team, name=MARKUP)), two))


def text_of(path):
    pages = pypdf.PdfReader(path).pages
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in pages))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_17_the_class_on_paper_has_the_figures_of_the_page(material, figures, tmp_path, lang):
    (path,) = write_class_report(material, figures, tmp_path, lang)
    reader = pypdf.PdfReader(path)
    assert path.name == CLASS_REPORT
    assert len(reader.pages) <= MOST_PAGES
    assert {round(float(page.mediabox.width)) for page in reader.pages} == {842}
    text = text_of(path).replace("\u202f", " ").replace("\xa0", " ")
    world = material.teams[0].world
    tongue = Tongue(lang, world.district, world.hour)
    for line in (*team_lines(figures, tongue), *forecast_lines(figures, tongue)):
        cells = " ".join(line.cells).replace("\u202f", " ").replace("\xa0", " ")
        assert cells in text
    assert MARKUP in text
    assert write_class_report(material, figures, tmp_path, lang)[0].read_bytes() == (
        path.read_bytes()
    )


def test_17_one_team_alone_has_no_class(material, figures, tmp_path):
    alone = replace(figures, teams=figures.teams[:1])
    assert write_class_report(material, alone, tmp_path, "en") == ()
    assert list(tmp_path.iterdir()) == []


def test_a_name_too_long_for_its_column_is_cut_short(figures):
    first = figures.teams[0]
    named = replace(first, team=replace(first.team, name="x" * 300))
    data = class_data(replace(figures, teams=(named, *figures.teams[1:])), "", "en")
    assert data["teams"]["rows"][0][0] == "x" * 33 + "…"
