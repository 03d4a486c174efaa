from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sim.district import Severity
from sim.errors import DistrictError, ExerciseError
from sim.hexes import Sheet
from sim.hyetograph import FORMS, Hyetograph
from sim.rain import RAIN_STEP_S, effective_rain_mm, rain_by_kind
from sim.rules import HEX_WIDTH_M, STORM_MIN, STORM_PEAK_TURN, TURN_MIN, Fabric
from sim.storm import IDF_LAWS, MovingCell, Storm, storm_of
from tests.grounds import district
from tests.rains import bending_laws, laws

HARBIN = IDF_LAWS["harbin"]
WET = Severity(5, 5.0, 0.0, 1.0)
CELL = MovingCell((0.0, 0.0), 90.0, 5.0, (1500.0, 800.0), 30.0, 2.0, 0.25)


@st.composite
def chicagos(draw, of=laws):
    length = draw(st.floats(60, 120))
    peak = length * draw(st.floats(0.05, 0.95))
    shape = Hyetograph("chicago", length, peak)
    return Storm(draw(of()), draw(st.floats(1, 100)), shape)


@st.composite
def double_triangles(draw):
    length = draw(st.floats(120, 360))
    shape = Hyetograph(
        "double_triangle", length, length * draw(st.floats(0.1, 0.9)), draw(st.floats(10, 60))
    )
    storm = Storm(draw(bending_laws()), draw(st.floats(1, 100)), shape)
    try:
        storm.rain_mm(0, 1)
    except DistrictError:  # a law so even that nothing in it is intense
        assume(False)
    return storm


# --------------------------------------------------------------------------- Chicago
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


def test_7_6_a_district_s_own_form_moves_peak_and_length():
    early = storm_of("harbin", WET, Hyetograph(length_min=120, peak_min=45))
    turns = [early.rain_mm(t * TURN_MIN, (t + 1) * TURN_MIN) for t in range(30)]
    assert np.argmax(turns) + 1 == 5
    assert not any(turns[12:])
    assert sum(turns) == pytest.approx(float(HARBIN.depth_mm(120, 5)))


@given(storm=st.one_of(chicagos(), double_triangles()))
def test_total_is_the_law_s_depth_for_the_whole_length(storm):
    length = storm.hyetograph.length_min
    total = float(storm.law.depth_mm(length, storm.years))
    assert storm.rain_mm(0, length) == pytest.approx(total, rel=1e-9)
    assert storm.rain_mm(-10, 0) == 0
    assert storm.rain_mm(length, 10 * length) == 0


@given(storm=chicagos(), share=st.floats(0.02, 1))
def test_7_1_around_the_peak_a_chicago_storm_is_as_heavy_as_its_law_at_every_duration(storm, share):
    shape = storm.hyetograph
    start = shape.peak_min * (1 - share)  # shared around the peak as the storm is
    fallen = storm.rain_mm(start, start + share * shape.length_min)
    law = float(storm.law.depth_mm(share * shape.length_min, storm.years))
    assert fallen == pytest.approx(law, rel=1e-9)


@given(storm=chicagos(bending_laws), share=st.floats(0.02, 1))
def test_7_1_no_window_of_a_chicago_storm_is_wetter_than_its_law(storm, share):
    length = storm.hyetograph.length_min
    starts = np.linspace(0, length * (1 - share), 120)
    windows = storm.fallen_mm(starts + share * length) - storm.fallen_mm(starts)
    law = float(storm.law.depth_mm(share * length, storm.years))
    assert windows.max() <= law * (1 + 1e-9)


# --------------------------------------------------------------------------- double triangle
@given(storm=double_triangles())
def test_7_1_the_intense_part_of_a_double_triangle_is_the_law_s_and_the_wettest(storm):
    shape = storm.hyetograph
    law = float(storm.law.depth_mm(shape.intense_min, storm.years))
    begins = shape.peak_min / shape.length_min * (shape.length_min - shape.intense_min)
    assert storm.rain_mm(begins, begins + shape.intense_min) == pytest.approx(law, rel=1e-9)
    starts = np.linspace(0, shape.length_min - shape.intense_min, 120)
    windows = storm.fallen_mm(starts + shape.intense_min) - storm.fallen_mm(starts)
    assert windows.max() <= law * (1 + 1e-9)


@given(storm=double_triangles())
def test_7_1_a_double_triangle_goes_straight_up_to_its_peak_and_down(storm):
    shape = storm.hyetograph
    t = np.linspace(0, shape.length_min, 2000)
    rate = np.diff(storm.fallen_mm(t))
    top = int(np.argmax(rate))
    assert abs((t[top] + t[top + 1]) / 2 - shape.peak_min) <= 1.5 * (t[1] - t[0])
    rising = np.diff(rate)
    assert (rising[: max(top - 1, 0)] >= -1e-9).all()
    assert (rising[top + 1 :] <= 1e-9).all()


def test_7_1_an_intense_part_no_wetter_than_the_rest_is_refused():
    drizzle = replace(HARBIN, exponent=0.0, offset_min=1.0)  # falls evenly: nothing is intense
    storm = Storm(drizzle, 5.0, Hyetograph("double_triangle", 300, 135, 100))
    with pytest.raises(DistrictError, match="shorter intense part"):
        storm.rain_mm(0, 300)


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        ({"form": "square"}, "not known"),
        ({"length_min": 100}, "peak within it"),
        ({"peak_min": 0}, "peak within it"),
        ({"length_min": float("nan")}, "peak within it"),
        ({"length_min": 5000}, "1440 minutes"),
        ({"form": "double_triangle", "intense_min": 300}, "shorter than the storm"),
    ],
)
def test_a_form_that_cannot_be_is_refused(given_, said):
    with pytest.raises(DistrictError, match=said):
        Hyetograph(**given_)


@given(storm=st.one_of(chicagos(), double_triangles()))
def test_rain_never_falls_upwards(storm):
    fallen = storm.fallen_mm(np.linspace(-5, storm.hyetograph.length_min + 5, 500))
    assert fallen[0] == pytest.approx(0, abs=1e-12)
    assert (np.diff(fallen) >= -1e-9).all()


# --------------------------------------------------------------------------- moving cell
def test_1_1_centres_stand_260_m_apart():
    sheet = Sheet(7, 5)
    a, b = sheet.edges.T
    apart = np.hypot(*(sheet.centres_m[a] - sheet.centres_m[b]).T)
    assert apart == pytest.approx(HEX_WIDTH_M)
    assert sheet.centres_m[0].tolist() == [0, 0]


@settings(max_examples=20)
@given(
    factor=st.floats(0, 3),
    speed=st.floats(0, 20),
    profile=st.sampled_from(["gaussian", "ellipse"]),
    form=st.sampled_from(FORMS),
)
def test_7_1_a_cell_that_changes_nothing_gives_exactly_the_uniform_rain(
    factor, speed, profile, form
):
    town = district(5, 4, fabric=np.arange(20) % len(Fabric))
    even = Storm(HARBIN, 5.0, Hyetograph(form))
    cell = replace(CELL, speed_m_s=speed, peak=1.0, away=1.0, profile=profile)
    kind, fallen = rain_by_kind(even, town, WET, 9_000)
    each, by_hex = rain_by_kind(replace(even, cell=cell), town, WET, 9_000)
    assert each.tolist() == list(range(20))
    assert np.array_equal(by_hex, fallen[:, kind])
    # and a cell of one factor everywhere is that storm times the factor
    runoff = np.ones(3)
    flat = replace(even, cell=replace(cell, peak=factor, away=factor))
    plain = effective_rain_mm(even, factor * runoff, np.zeros(3), 9_000)
    times = effective_rain_mm(flat, runoff, np.zeros(3), 9_000, np.zeros((3, 2)))
    assert times == pytest.approx(plain, abs=1e-5)


def test_7_1_a_cell_travels_and_rains_where_it_is():
    at = np.array([[0.0, 0.0], [6000.0, 0.0], [0.0, 6000.0]])
    factor = CELL.factor(at, [0.0, 20.0])  # in 20 minutes at 5 m/s: 6 km to the east
    assert factor[0, 0] == pytest.approx(2.0)
    assert factor[1, 1] == pytest.approx(2.0)
    assert factor[0, 1] == pytest.approx(0.25, abs=0.01)
    assert factor[:, 2] == pytest.approx(0.25, abs=0.01)
    # half-axis 1,500 m along 30° clockwise from north, 800 m across
    along = 1500 * np.array([[np.sin(np.pi / 6), np.cos(np.pi / 6)]])
    across = 800 * np.array([[np.cos(np.pi / 6), -np.sin(np.pi / 6)]])
    for rim in (along, across):
        assert CELL.factor(rim, 0.0)[0, 0] == pytest.approx(0.25 + 1.75 * np.exp(-0.5))
        even = replace(CELL, profile="ellipse")
        assert even.factor(rim * 0.999, 0.0)[0, 0] == 2.0
        assert even.factor(rim * 1.001, 0.0)[0, 0] == 0.25


@given(seed=st.integers(0, 99))
@settings(max_examples=10)
def test_7_2_effective_rain_of_a_cell_is_the_sum_of_its_steps(seed):
    rng = np.random.default_rng(seed)
    at, runoff, network = rng.normal(0, 2000, (6, 2)), rng.random(6), rng.integers(0, 30, 6)
    storm = Storm(HARBIN, 20.0, cell=CELL)
    fallen = effective_rain_mm(storm, runoff, network, 9_000, at)
    ends = np.arange(len(fallen)) * RAIN_STEP_S / 60
    steps = np.diff(storm.fallen_mm(ends))
    for k in range(6):
        times = [CELL.factor(at[k : k + 1], m)[0, 0] for m in (ends[1:] + ends[:-1]) / 2]
        raw = steps * np.array(times) * runoff[k] - network[k] * RAIN_STEP_S / 3600
        assert fallen[-1, k] == pytest.approx(np.maximum(raw, 0).sum(), abs=1e-5)


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        ({"axes_m": (0.0, 5.0)}, "half-axes above 0"),
        ({"peak": -1.0}, "0 or more"),
        ({"speed_m_s": float("inf")}, "0 or more"),
        ({"profile": "square"}, "not known"),
    ],
)
def test_a_cell_that_cannot_be_is_refused(given_, said):
    with pytest.raises(ExerciseError, match=said):
        replace(CELL, **given_)
