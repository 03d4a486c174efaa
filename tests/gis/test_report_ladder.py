"""The instructor's part of the report: what the levels stand for (§7.6)."""

import pytest

from gis.report import write_report
from gis.report_ladder import LANGUAGES, ladder_part
from sim.district import failed_drains_ladder
from sim.hyetograph import Hyetograph
from sim.rules import LEVELS
from tests.gis.hand_pack import district, write_hand_pack

BLOCKED = failed_drains_ladder(LEVELS)
FOUND = {
    "hour": 8,
    "levels": [
        {
            "level": level,
            "share": 0.035 * level,
            "first_sign": None if level == 1 else 9,
            "first_cut": 12,
            "saved": {"6": 0.8, "9": None},
        }
        for level in LEVELS
    ],
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_7_6_every_level_is_said_in_words(lang):
    part = ladder_part(district(ladder=BLOCKED), {}, lang)
    assert [row[0] for row in part.rows] == [str(level) for level in LEVELS]
    blocked = "réseau obstrué" if lang == "fr" else "drains blocked"
    assert all(blocked in row[1] for row in part.rows)
    assert "averse calibrate" in part.note
    assert all(len(row) == len(part.heads) == 2 for row in part.rows)


def test_what_calibration_found_stands_beside():
    town = district(ladder=BLOCKED, hyetograph=Hyetograph(length_min=240.0, peak_min=105.0))
    part = ladder_part(town, {"calibration": FOUND}, "fr")
    assert part.rows[1][2:] == ("7,0\u00a0%", "tour 9", "tour 12", "80\u00a0%", "–")
    assert part.rows[0][3] == "–"
    assert all(len(row) == len(part.heads) for row in part.rows)
    assert "240 minutes, pointe au tour 11" in part.lead
    assert "8\xa0h" in part.note


def test_a_literal_district_speaks_of_years():
    part = ladder_part(district(), {}, "en")
    assert "the bulletin speaks of years" in part.lead
    assert part.rows[3][1] == "5-year rain"


def test_the_report_prints_it(tmp_path):
    pack = write_hand_pack(tmp_path / "pack", district(ladder=BLOCKED), calibration=FOUND)
    page = write_report(pack, tmp_path / "report.html", lang="en").read_text(encoding="utf-8")
    assert "5-year rain on soaked ground, drains blocked" in page
    assert "17.5%" in page
