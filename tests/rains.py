"""Hypothesis strategies of laws of rain, of every kind."""

from hypothesis import assume
from hypothesis import strategies as st

from sim.errors import ExerciseError
from sim.idf import MontanaLaw, MontanaRange, ShermanLaw, TableLaw

YEARS = (1.0, 7.0, 100.0)
FITTED = {"source": "by hand", "fitted_years": (1.0, 100.0)}


def sherman_laws():
    return st.builds(
        ShermanLaw,
        one_year_l_s_ha=st.floats(500, 5000),
        growth=st.floats(0.3, 1.2),
        offset_min=st.floats(1, 30),
        exponent=st.floats(0.4, 0.95),
        fitted_min=st.just((5.0, 180.0)),
        **{name: st.just(value) for name, value in FITTED.items()},
    )


@st.composite
def montana_laws(draw, ranges=None):
    """One or two ranges, three periods, the two fits a third apart at most where they touch."""
    ranges = ranges or draw(st.integers(1, 2))
    b = draw(st.floats(0.3, 0.8))
    first = [draw(st.floats(2, 8)) * (1 + k) for k in range(3)]
    made = [MontanaRange(6.0, 60.0, tuple(first), (b,) * 3)]
    if ranges == 2:
        other = draw(st.floats(0.3, 0.85))
        apart = draw(st.floats(0.75, 1.33))
        a = tuple(value * 60 ** (other - b) * apart for value in first)
        made.append(MontanaRange(60.0, 600.0, a, (other,) * 3))
    try:
        return MontanaLaw(
            years=YEARS, ranges=tuple(made), fitted_min=(6.0, made[-1].to_min), **FITTED
        )
    except ExerciseError:
        assume(False)


@st.composite
def table_laws(draw):
    """Four durations, three periods, growing by any step along both."""
    step = st.floats(0.0, 0.6)
    rows = [[draw(st.floats(3, 20))]]
    for _ in range(3):
        rows[0].append(rows[0][-1] * (1 + draw(step)))
    for _ in range(2):
        times = 1 + draw(step)
        rows.append([value * times for value in rows[-1]])
    table = tuple(tuple(row) for row in rows)
    return TableLaw(
        minutes=(10.0, 30.0, 120.0, 360.0), years=YEARS, table_mm=table,
        fitted_min=(10.0, 360.0), **FITTED,
    )  # fmt: skip


def laws():
    return st.one_of(sherman_laws(), montana_laws(), table_laws())


def bending_laws():
    """Laws that bend downwards everywhere, so that no window of a storm is wetter than they say."""
    return st.one_of(sherman_laws(), montana_laws(ranges=1))
