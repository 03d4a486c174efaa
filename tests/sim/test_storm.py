import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.district import Severity
from sim.rules import REGIONS, STORM_MIN, STORM_PEAK_TURN, TURN_MIN
from sim.storm import IDF_LAWS, ShermanLaw, Storm, storm_of

HARBIN = IDF_LAWS["harbin"]

laws = st.builds(
    ShermanLaw,
    one_year_l_s_ha=st.floats(500, 5000),
    growth=st.floats(0.3, 1.2),
    offset_min=st.floats(1, 30),
    exponent=st.floats(0.4, 0.95),
    source=st.just("by hand"),
    fitted_min=st.just((5.0, 180.0)),
    fitted_years=st.just((1.0, 100.0)),
)
storms = st.builds(
    Storm,
    law=laws,
    years=st.floats(1, 100),
    length_min=st.floats(60, 400),
    peak_min=st.floats(10, 50),
)


@pytest.mark.parametrize(("years", "mm_h", "mm"), [(1, 71.5, 32), (5, 119, 53)])
def test_7_1_figures_of_the_harbin_law(years, mm_h, mm):
    assert HARBIN.mean_mm_h(10, years) == pytest.approx(mm_h, abs=0.5 if years == 5 else 0.05)
    assert round(float(HARBIN.depth_mm(180, years))) == mm


def test_7_1_every_region_has_a_law_with_its_source_and_range():
    assert IDF_LAWS.keys() == REGIONS.keys()
    for law in IDF_LAWS.values():
        assert law.source
        assert law.fitted_min[0] < law.fitted_min[1]
        assert law.fitted_years[0] < law.fitted_years[1]


def test_7_1_the_heaviest_turn_is_the_peak_turn():
    storm = storm_of("harbin", Severity(5, 5.0, 1.0, 0.0))
    turns = [storm.rain_mm(t * TURN_MIN, (t + 1) * TURN_MIN) for t in range(STORM_MIN // TURN_MIN)]
    assert np.argmax(turns) + 1 == STORM_PEAK_TURN
    assert turns[0] > 0
    assert turns[-1] > 0
    assert turns[STORM_PEAK_TURN - 1] == pytest.approx(float(HARBIN.depth_mm(10, 5)), rel=0.01)


def test_7_1_the_rain_follows_the_level_s_return_period():
    wet, dry = (storm_of("harbin", Severity(1, years, 1.0, 0.0)) for years in (50.0, 1.0))
    assert wet.rain_mm(0, 300) > 2 * dry.rain_mm(0, 300)


@given(storm=storms)
def test_total_is_the_law_s_depth_for_the_whole_length(storm):
    total = float(storm.law.depth_mm(storm.length_min, storm.years))
    assert storm.rain_mm(0, storm.length_min) == pytest.approx(total, rel=1e-12)
    assert storm.rain_mm(-10, 0) == 0
    assert storm.rain_mm(storm.length_min, 10 * storm.length_min) == 0


@given(storm=storms, share=st.floats(0.02, 1))
def test_no_window_is_wetter_than_the_law_and_the_one_around_the_peak_is_as_wet(storm, share):
    duration = share * storm.length_min
    law = float(storm.law.depth_mm(duration, storm.years))
    starts = np.append(
        np.linspace(0, storm.length_min - duration, 400),
        storm.peak_min * (1 - share),  # shared around the peak as the storm is
    )
    windows = storm.fallen_mm(starts + duration) - storm.fallen_mm(starts)
    assert windows.max() == pytest.approx(law, rel=1e-9)
    assert windows[-1] == pytest.approx(law, rel=1e-9)


@given(storm=storms)
def test_rain_never_falls_upwards(storm):
    fallen = storm.fallen_mm(np.linspace(-5, storm.length_min + 5, 500))
    assert fallen[0] == pytest.approx(0, abs=1e-12)
    assert (np.diff(fallen) >= -1e-12).all()
