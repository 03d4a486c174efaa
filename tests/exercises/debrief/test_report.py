"""``report.pdf``: its pages, its figures, names that are text, and the same bytes twice."""

import re

import pypdf
import pytest

from exercises.debrief.figures import class_figures
from exercises.debrief.material import read_material
from exercises.debrief.report import REPORT, write_report
from exercises.debrief.report_words import report_say, report_texts, unfilled_report
from gis.wording import written
from tests.exercises.debrief import hand_exercise

HOSTILE = ("<script>alert(1)</script>", '#panic("x") $x$ *b*', "\u202eطريق", "x" * 300)
TEAMS = 2
MOST_PAGES = 8


@pytest.fixture(scope="module")
def material(tmp_path_factory):
    """Two teams, whose quarters bear names that a template or a page would take for markup."""
    folder = tmp_path_factory.mktemp("report")
    pack = hand_exercise.write_pack(folder / "pack", quarters=HOSTILE)
    orders = [
        {**order, **({"quarter": HOSTILE[1]} if "quarter" in order else {}), "reason": HOSTILE[0]}
        for order in hand_exercise.ORDERS
    ]
    first = hand_exercise.play(pack, folder / "1", orders)
    other = hand_exercise.play(pack, folder / f"2 {'y' * 200}", orders[:-1])
    return read_material([first, other], pack)


@pytest.fixture(scope="module")
def figures(material):
    return class_figures(material)


@pytest.fixture(scope="module")
def written_reports(material, figures, tmp_path_factory):
    return write_report(material, figures, tmp_path_factory.mktemp("out"), "fr")


def text_of(path):
    pages = pypdf.PdfReader(path).pages
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in pages))


def test_every_team_has_a_report_of_eight_a4_pages_at_most(written_reports):
    assert len(written_reports) == TEAMS
    for path in written_reports:
        assert path.name == REPORT
        pages = pypdf.PdfReader(path).pages
        assert 5 <= len(pages) <= MOST_PAGES
        sizes = {
            (round(float(page.mediabox.width)), round(float(page.mediabox.height)))
            for page in pages
        }
        assert sizes == {(595, 842)}


def test_maps_are_vectors_and_fonts_are_embedded(written_reports):
    reader = pypdf.PdfReader(written_reports[0])
    assert not any(page.images for page in reader.pages)
    fonts = [
        font.get_object()
        for page in reader.pages
        for font in page["/Resources"].get("/Font", {}).values()
    ]
    assert fonts
    assert all("/DescendantFonts" in font or "/FontDescriptor" in font for font in fonts)
    assert reader.trailer["/Root"]["/MarkInfo"]["/Marked"]


def test_12_figures_are_those_of_the_debrief(written_reports, figures):
    text, [team, *_] = text_of(written_reports[0]), figures.teams
    hard = "\u202f"
    for figure in (
        team.points,
        team.score.maximum,
        team.sums.people_threatened,
        team.sums.people_saved,
        team.skill.hits,
        team.skill.misses,
    ):
        shown = written(figure, "fr").replace("-", "\u2212")
        assert shown in text or shown.replace(hard, " ") in text, figure
    for term in team.terms:
        assert written(term.people, "fr").replace(hard, " ") in text.replace(hard, " ")


def test_names_are_text_and_the_last_chapters_are_blank(written_reports):
    text = text_of(written_reports[0])
    assert HOSTILE[0] in text
    for key in ("chapter_1", "chapter_2", "chapter_3", "chapter_4", "chapter_5", "keep_1"):
        assert re.sub(r"\s+", " ", report_say(key, "fr")) in text.replace("’", "'")


def test_both_languages_say_everything():
    for key in report_texts():
        fields = [set(re.findall(r"{(\w+)", unfilled_report(key, lang))) for lang in ("fr", "en")]
        assert fields[0] == fields[1], key


def test_two_runs_write_the_same_bytes(material, figures, written_reports, tmp_path):
    again = write_report(material, figures, tmp_path, "fr")
    assert again[0].read_bytes() == written_reports[0].read_bytes()
