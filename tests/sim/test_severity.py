"""The scale of severity, and what a level stands for in words (§7.6)."""

from dataclasses import replace

import numpy as np
import pytest

from sim.district import LADDERS, Severity
from sim.errors import ExerciseError
from sim.rain import rain_by_kind
from sim.rules import LEVELS, Fabric
from sim.severity_scale import DRAINS_FAILED, GROUND_SOAKED, LAST, rain_years, severity_at
from sim.severity_words import CALIBRATED, LANGUAGES, ladder_name, ladder_words, stands_for
from sim.storm import IDF_LAWS, storm_of
from tests.grounds import district

LAW = IDF_LAWS["harbin"]


def test_7_6_drains_fail_first_then_the_ground_soaks_then_the_rain_grows_to_a_hundred_years():
    rungs = [severity_at(rung, 3) for rung in range(LAST + 1)]
    drains = [r.network_efficiency for r in rungs]
    assert drains[: DRAINS_FAILED + 1] == [(100 - i) / 100 for i in range(101)]
    assert set(drains[DRAINS_FAILED:]) == {0.0}
    soaked = [r.soaked for r in rungs]
    assert set(soaked[: DRAINS_FAILED + 1]) == {0.0}
    assert soaked[DRAINS_FAILED : GROUND_SOAKED + 1] == [i / 100 for i in range(101)]
    years = [r.rain_years for r in rungs]
    assert set(years[: GROUND_SOAKED + 1]) == {1.0}
    assert years[GROUND_SOAKED + 1 :] == list(rain_years())
    assert years[-1] == 100.0
    assert {r.level for r in rungs} == {3}


def test_7_6_every_rung_brings_at_least_the_water_of_the_one_before_at_every_moment():
    town = district(4, 2, fabric=list(Fabric))
    before = None
    for rung in range(0, LAST + 1, 3):
        severity = severity_at(rung, 1)
        kind, fallen = rain_by_kind(storm_of("harbin", severity), town, severity, 18_000)
        steps = np.diff(fallen[:, kind], axis=0)
        if before is not None:
            assert (steps - before).min() >= -1e-9, rung
        before = steps


def test_a_step_of_the_rain_is_a_few_percent():
    years = (1.0, *rain_years())
    rain = np.array([float(LAW.depth_mm(60, y)) for y in years])
    assert (np.diff(rain) > 0).all()
    assert (rain[1:] / rain[:-1]).max() < 1.05


@pytest.mark.parametrize("rung", [-1, LAST + 1])
def test_no_rung_beyond_the_scale(rung):
    with pytest.raises(ValueError, match="scale from 0"):
        severity_at(rung, 1)


@pytest.mark.parametrize(
    ("severity", "english", "french"),
    [
        (
            Severity(5, 50.0, 0.0, 1.0),
            "50-year rain on soaked ground, drains blocked",
            "pluie de période de retour 50 ans sur sol saturé, réseau obstrué",
        ),
        (Severity(1, 1.0, 1.0, 0.0), "1-year rain", "pluie de période de retour 1 an"),
        (
            Severity(1, 1.0, 0.6, 0.0),
            "1-year rain, drains at 60%",
            "pluie de période de retour 1 an, réseau à 60 %",
        ),
        (
            Severity(2, 1.4, 0.0, 0.3),
            "1.4-year rain on ground 30% soaked, drains blocked",
            "pluie de période de retour 1,4 an sur sol saturé à 30 %, réseau obstrué",
        ),
        (
            Severity(5, 250.0, 0.0, 1.0),
            "rain of > 100 years on soaked ground, drains blocked",
            "pluie de période de retour > 100 ans sur sol saturé, réseau obstrué",
        ),
    ],
)
def test_7_6_a_level_is_said_in_words(severity, english, french):
    assert stands_for(severity, LAW, "en") == english
    assert stands_for(severity, LAW, "fr") == french


def test_7_6_beyond_the_fitted_range_depends_on_the_law_alone():
    short = replace(LAW, fitted_years=(1.0, 20.0))
    assert stands_for(Severity(5, 20.0, 1.0, 0.0), short, "en") == "20-year rain"
    assert stands_for(Severity(5, 21.0, 1.0, 0.0), short, "en") == "rain of > 20 years"


def test_no_two_rungs_are_said_alike():
    for lang in LANGUAGES:
        said = [stands_for(severity_at(rung, 1), LAW, lang) for rung in range(LAST + 1)]
        assert len(set(said)) == LAST + 1


def test_a_language_without_words_is_refused():
    with pytest.raises(ExerciseError, match="no words in 'de'"):
        stands_for(severity_at(0, 1), LAW, "de")


def test_a_ladder_has_the_name_that_a_build_knows_or_is_calibrated():
    for name, made in LADDERS.items():
        assert ladder_name(made(LEVELS)) == name
    found = tuple(severity_at(30 * i, level) for i, level in enumerate(LEVELS))
    assert ladder_name(found) == CALIBRATED
    town = replace(district(), ladder=found)
    assert list(ladder_words(town, "en")) == list(LEVELS)
    assert ladder_words(town, "en")[2] == "1-year rain, drains at 70%"
