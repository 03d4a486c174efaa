from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.errors import ExerciseError
from sim.idf import IDF_LAWS, MontanaLaw, MontanaRange, ShermanLaw, TableLaw
from sim.rules import REGIONS
from sim.storm import REGION_LAWS
from tests.rains import laws, montana_laws, table_laws

HARBIN = IDF_LAWS["harbin"]
FRENCH = IDF_LAWS["meteo_france_example"]


@pytest.mark.parametrize(("years", "mm_h", "mm"), [(1, 71.5, 32), (5, 119, 53)])
def test_7_1_figures_of_the_harbin_law(years, mm_h, mm):
    assert HARBIN.mean_mm_h(10, years) == pytest.approx(mm_h, abs=0.5 if years == 5 else 0.05)
    assert round(float(HARBIN.depth_mm(180, years))) == mm


def test_7_1_every_region_has_a_law_and_every_law_its_source_and_range():
    assert REGION_LAWS.keys() == REGIONS.keys()
    assert set(REGION_LAWS.values()) <= set(IDF_LAWS)
    for law in IDF_LAWS.values():
        assert len(law.source) > 20
        assert 0 < law.fitted_min[0] < law.fitted_min[1]
        assert 0 < law.fitted_years[0] <= law.fitted_years[1]


@pytest.mark.parametrize("years", [5, 10, 20, 30, 50, 100])
def test_7_1_montana_gives_back_its_printed_coefficients(years):
    i = FRENCH.years.index(years)
    (only,) = FRENCH.ranges
    assert float(FRENCH.depth_mm(60, years)) == pytest.approx(only.a[i] * 60 ** (1 - only.b[i]))
    assert FRENCH.mean_mm_h(60, years) == pytest.approx(60 * only.a[i] * 60 ** -only.b[i])


def test_7_1_ten_years_of_region_2_over_two_hours_are_about_60_mm():
    # the design storm of Agen quoted by ENSEEIHT (1995): 60 mm in two hours
    assert float(IDF_LAWS["it77_region_2"].depth_mm(120, 10)) == pytest.approx(60, abs=3)


@pytest.mark.parametrize("years", [5, 11, 100])
def test_a_law_known_for_one_period_says_so_rather_than_guess(years):
    with pytest.raises(ExerciseError, match="known for 10 years only"):
        IDF_LAWS["it77_region_1"].depth_mm(60, years)


def test_7_6_beyond_the_fitted_range_a_law_answers_and_says_so():
    assert not HARBIN.beyond_fitted(60, 100)
    assert HARBIN.beyond_fitted(60, 101)
    assert HARBIN.beyond_fitted(300, 5)
    assert HARBIN.more_than_years(100) is None
    assert HARBIN.more_than_years(250) == 100
    assert HARBIN.depth_mm(60, 250) > HARBIN.depth_mm(60, 100)
    assert FRENCH.beyond_fitted(60, 1)
    assert FRENCH.depth_mm(60, 1) < FRENCH.depth_mm(60, 5)
    assert FRENCH.depth_mm(60, 500) > FRENCH.depth_mm(60, 100)


@given(law=laws(), years=st.floats(1, 100), t=st.floats(1, 600), more=st.floats(1.001, 3))
def test_7_1_no_law_falls_with_the_duration_or_the_period_it_was_fitted_on(law, years, t, more):
    low, high = law.fitted_min
    t = float(np.clip(t, low, high))
    longer = float(np.clip(t * more, t, high))
    rarer = float(np.clip(years * more, years, 100))
    assert law.depth_mm(longer, years) >= law.depth_mm(t, years) * (1 - 1e-12)
    assert law.depth_mm(t, rarer) >= law.depth_mm(t, years) * (1 - 1e-12)
    assert law.depth_mm(0, years) == 0


@given(law=laws(), years=st.floats(1, 100), t=st.lists(st.floats(0, 900), max_size=6))
def test_a_law_takes_any_shape_and_no_place_in_it_matters(law, years, t):
    together = law.depth_mm(np.array(t).reshape(-1, 1), years)
    assert together.shape == (len(t), 1)
    alone = [float(law.depth_mm(one, years)) for one in t]
    assert together.ravel() == pytest.approx(alone, rel=1e-12)


@given(law=montana_laws(ranges=2), years=st.sampled_from([1.0, 7.0, 100.0]))
def test_7_1_two_montana_ranges_meet_where_they_touch(law, years):
    touch = law.ranges[0].to_min
    before, after = law.depth_mm([touch * (1 - 1e-9), touch * (1 + 1e-9)], years)
    assert before == pytest.approx(after, rel=1e-6)
    # the published pair alone holds from the middle of a range to its free end
    first, last = law.ranges
    for one, t in ((first, first.from_min), (last, last.to_min)):
        i = law.years.index(1.0)
        assert float(law.depth_mm(t, 1.0)) == pytest.approx(one.a[i] * t ** (1 - one.b[i]))


@given(law=table_laws())
def test_7_1_a_table_gives_back_its_own_figures_and_lies_between_them(law):
    for years, row in zip(law.years, law.table_mm, strict=True):
        assert law.depth_mm(law.minutes, years) == pytest.approx(row)
    middle = np.sqrt(law.years[0] * law.years[1])
    between = law.depth_mm(law.minutes, middle)
    assert between == pytest.approx(np.sqrt(np.multiply(*law.table_mm[:2])))


BAD_TABLES = [
    ((10.0, 60.0), (1.0, 10.0), ((20.0, 10.0), (30.0, 40.0)), "longer duration"),
    ((10.0, 60.0), (1.0, 10.0), ((10.0, 20.0), (9.0, 30.0)), "longer return period"),
    ((60.0, 10.0), (1.0,), ((10.0, 20.0),), "ascending"),
    ((10.0, 60.0), (1.0, 2.0), ((10.0, 20.0),), "one row"),
    ((10.0,), (1.0,), ((10.0,),), "two at least"),
    ((10.0, 60.0), (1.0,), ((0.0, 20.0),), "or none"),
]


@pytest.mark.parametrize(("minutes", "years", "table", "said"), BAD_TABLES)
def test_a_table_that_falls_or_does_not_fit_is_refused(minutes, years, table, said):
    with pytest.raises(ExerciseError, match=said):
        TableLaw(
            minutes=minutes, years=years, table_mm=table, source="by hand",
            fitted_min=(10, 60), fitted_years=(1, 10),
        )  # fmt: skip


BAD_RANGES = [
    ((MontanaRange(6, 60, (4.0,), (0.5,)), MontanaRange(70, 90, (4.0,), (0.5,))), "begin where"),
    ((MontanaRange(6, 60, (4.0, 5.0), (0.5,)),), "for each return period"),
    ((MontanaRange(6, 60, (4.0,), (1.2,)),), "longer duration"),
    (
        (MontanaRange(6, 60, (9.0,), (0.5,)), MontanaRange(60, 70, (2.0,), (0.5,))),
        "longer duration",
    ),
]


@pytest.mark.parametrize(("ranges", "said"), BAD_RANGES)
def test_montana_ranges_that_fall_or_leave_a_gap_are_refused(ranges, said):
    with pytest.raises(ExerciseError, match=said):
        MontanaLaw(
            years=(10.0,), ranges=ranges, source="by hand", fitted_min=(6, 90),
            fitted_years=(10, 10),
        )  # fmt: skip


def test_a_period_too_short_for_a_sherman_law_is_refused():
    with pytest.raises(ExerciseError, match="gives no rain"):
        HARBIN.depth_mm(60, 0.05)
    with pytest.raises(ExerciseError, match="gives no rain"):
        HARBIN.depth_mm(60, 0)
    assert isinstance(HARBIN, ShermanLaw)


def test_a_better_citation_does_not_move_the_key_of_the_water():
    assert repr(replace(HARBIN, source="found at last")) == repr(HARBIN)
    assert repr(replace(HARBIN, growth=0.9)) != repr(HARBIN)
