"""Quarters that a build named by where they lie: said in either language, and only they."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from exercises.order_forms import FaultyOrderError, order_from, place_from
from exercises.order_words import Scene, refused
from exercises.terminal.commands import order_entry
from exercises.voice import voice
from gis.quarter_names import DIRECTIONS, directions_of, quarters_said, told_apart
from sim.orders import QUARTER
from tests.gis import hand_pack


def named(lang, *own):
    """The hand district, cut into nine, its quarters named by a build in a language."""
    district = hand_pack.district()
    sheet = district.sheet
    column, row = np.divmod(np.arange(sheet.n_hexes), sheet.rows)
    third = (3 * column // sheet.columns) * 3 + 3 * row // sheet.rows
    kept = np.unique(third[district.active], return_inverse=True)[1]
    quarter = np.full(sheet.n_hexes, -1, np.int32)
    quarter[district.active] = kept
    words = [DIRECTIONS[lang][at] for at in directions_of(sheet, quarter)]
    words[: len(own)] = own
    return replace(district, quarter=quarter, quarters=told_apart(words))


def test_a_name_by_direction_is_said_in_either_language():
    english, french = named("en"), named("fr")
    assert len(english.quarters) > 2
    assert set(english.quarters) != set(french.quarters)
    for district in (english, french):
        assert quarters_said(district, "en") == english.quarters
        assert quarters_said(district, "fr") == french.quarters


def test_a_towns_own_name_stays_as_it_is():
    own = ("East Ham", "North")  # the first two lie in the west
    assert "North" not in named("en").quarters[1]
    district = named("en", *own)
    assert quarters_said(district, "fr")[:2] == own
    assert quarters_said(district, "en") == district.quarters


def test_no_two_quarters_come_to_have_one_name():
    english = named("en")
    at = next(i for i, name in enumerate(english.quarters) if name != named("fr").quarters[i])
    twin = named("fr").quarters[at]
    other = next(i for i in range(len(english.quarters)) if i != at)
    names = list(english.quarters)
    names[other] = twin
    district = replace(english, quarters=tuple(names))
    said = quarters_said(district, "fr")
    assert len(set(said)) == len(said)
    assert said[other] == twin
    assert said[at] == english.quarters[at]


def test_the_hash_of_a_district_is_that_of_its_build_whatever_is_shown():
    district = named("en")
    before = district.digest
    quarters_said(district, "fr")
    assert district.digest == before == named("en").digest


@pytest.mark.parametrize("built", ["en", "fr"])
def test_9_3_an_order_names_a_quarter_in_either_language(built):
    district = named(built)
    for lang in ("en", "fr"):
        for number, name in enumerate(quarters_said(district, lang)):
            assert place_from(district, QUARTER, "quarter", name) == number
            order = {"turn": 1, "order": "protect", "quarter": name, "option": "up"}
            assert order_from(district, order).quarter == number
            entry = order_entry("protect", [name, "up"], district, SimpleNamespace(turn=1))
            assert order_from(district, entry).quarter == number
            assert Scene(voice(lang), district).quarter(number) == name
    with pytest.raises(FaultyOrderError, match="no quarter of the district"):
        place_from(district, QUARTER, "quarter", "Nulle part")


def test_9_3_a_name_that_no_quarter_has_is_answered_in_the_readers_language():
    district = named("en")
    for asked in ("Nord Ouest", "North West", "Nulle part"):
        with pytest.raises(FaultyOrderError) as told:
            place_from(district, QUARTER, "quarter", asked)
        french, english = (refused(told.value.refusal, lang) for lang in ("fr", "en"))
        assert "Nord-Ouest" in french
        assert "North-West" in english
        assert "North-West" not in french


def test_9_3_a_refusal_names_the_quarter_in_the_readers_language():
    said = voice("fr").phrase("{quarter}: option '{option}'", quarter="North-East 2", option="x")
    assert said.startswith("Nord-Est 2")
    assert voice("en").phrase("{quarter}: option '{option}'", quarter="Les Tilleuls", option="x")
