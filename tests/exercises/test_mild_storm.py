"""A game in which there is next to nothing to save says so, and what to do (§7.6, 12.2)."""

import pytest

from exercises.build_reporting import print_before_a_class
from exercises.mild_storm import mild_storm, short_play
from exercises.voice import voice
from gis.store_ladder import CALIBRATION
from tests.strategies import dry_world, flooded, line_district

EN, FR = voice("en"), voice("fr")


def line(turns: int, cut_turn: int):
    """A street whose far end is cut off from its shelter at a turn."""
    world = dry_world(line_district(5, residents=1_000, unshelterable=100), turns=turns)
    return flooded(world, {2: 900}, from_turn=cut_turn) if cut_turn <= turns else world


def test_12_2_a_storm_that_cuts_people_off_is_let_be():
    world = line(turns=30, cut_turn=12)
    assert world.threatened.any()
    assert mild_storm(world, EN) == short_play(world, EN) == ""


def test_7_6_a_storm_that_threatens_nobody_is_told_with_what_to_do():
    said = mild_storm(line(turns=30, cut_turn=31), EN)
    assert "--level 5" in said
    assert "averse calibrate" in said
    assert "averse calibrate" in mild_storm(line(turns=30, cut_turn=31), FR)


@pytest.mark.parametrize("say", [EN, FR], ids=["en", "fr"])
def test_12_2_play_that_ends_before_the_first_cut_is_told(say):
    short = line(turns=4, cut_turn=12)
    assert "--turns 30" in short_play(short, say)
    assert mild_storm(short, say) == short_play(short, say)
    assert short_play(line(turns=12, cut_turn=10), say) == ""


def test_7_6_a_district_that_was_not_calibrated_says_so_when_it_is_built(tmp_path, capsys):
    town = tmp_path / "my town"
    print_before_a_class(town, {}, "fr")
    said = capsys.readouterr().out
    assert f"calibrate '{town}'" in said.replace("\n", "")
    print_before_a_class(town, {CALIBRATION: {}}, "fr")
    assert capsys.readouterr().out == ""
