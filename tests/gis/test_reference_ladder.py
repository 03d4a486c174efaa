"""The reference town's ladder is data: this holds it to the town that is drawn today (§7.6)."""

import pytest

from gis.reference_ladder import reference_calibration, under_reference_ladder
from gis.store import read_district, read_ground
from sim.district import District
from sim.rules import LEVELS, TURNS
from sim.severity_words import LANGUAGES, ladder_words
from sim.water import flood
from sim.window import window_of
from sim.world import World

AGAIN = "seek it again: averse calibrate on the town built, --json, into gis/assets/reference"


@pytest.fixture(scope="module")
def district(reference_town) -> District:
    return under_reference_ladder(read_district(reference_town.pack))


@pytest.mark.xdist_group("reference")
@pytest.mark.parametrize("level", [LEVELS[0], LEVELS[-1]])
def test_7_6_the_ladder_kept_threatens_what_it_says(reference_town, district, level):
    said = next(e for e in reference_calibration()["levels"] if e["level"] == level)
    truth = flood(district, read_ground(reference_town.pack), district.severity(level))
    world = World(district, truth.depth_mm, level, "0" * 32, 14, TURNS)
    window = window_of(world, (6, 9))
    assert window.share == pytest.approx(said["share"], abs=0.005), AGAIN
    assert abs(window.first_cut - said["first_cut"]) <= 1, AGAIN
    for turn in (6, 9):
        assert float(window.saved[turn]) == pytest.approx(said["saved"][str(turn)], abs=0.08), AGAIN


@pytest.mark.xdist_group("reference")
def test_the_ladder_kept_says_what_it_stands_for(district):
    said = {e["level"]: e["stands_for"] for e in reference_calibration()["levels"]}
    for lang in LANGUAGES:
        assert {level: words[lang] for level, words in said.items()} == ladder_words(district, lang)


def test_the_ladder_kept_is_near_what_was_wanted():
    entry = reference_calibration()
    assert entry["wanted"] == [0.03, 0.10, 0.20, 0.35]
    assert [e["level"] for e in entry["levels"]] == list(LEVELS)
    for level in entry["levels"]:
        assert level["share"] == pytest.approx(level["wanted"], abs=0.02)
    assert entry["fall"] == 0
