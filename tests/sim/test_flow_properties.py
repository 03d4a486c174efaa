"""Properties of the water on generated grounds, and that each of them catches a broken solver."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from tests.sim import flow_properties as true_of
from tests.sim.broken_flow import interpreted, solver

# quarters of a metre: sums and differences of ground and water are exact
grounds = npst.arrays(
    np.int64, st.tuples(st.integers(2, 8), st.integers(2, 8)), elements=st.integers(0, 20)
).map(lambda quarters: quarters / 4)


@pytest.mark.parametrize("holds", true_of.PROPERTIES, ids=lambda holds: holds.__name__)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(z=grounds)
def test_7_3_on_any_ground(holds, z):
    holds(z)


BROKEN = {
    "uphill": (
        "pull * d * ((b - a) + step)",
        "pull * d * ((b - a) - step)",
        (
            true_of.a_lake_at_rest_stays_exactly_still,
            true_of.a_pit_fills_then_spills_over_its_lowest_lip,
        ),
    ),
    "levels without their ground": (
        "pull * d * ((b - a) + step)",
        "pull * d * (b - a)",
        (true_of.a_pit_fills_then_spills_over_its_lowest_lip,),
    ),
    "friction by compass": (
        "bed.friction_x[r, f - 1 : t - 1]",
        "4 * bed.friction_x[r, f - 1 : t - 1]",
        (true_of.turned_ground_gives_the_turned_water,),
    ),
    "mass lost on its way": (
        "x = np.float64(along[c]) - np.float64(along[c + 1])",
        "x = 0.999 * np.float64(along[c]) - np.float64(along[c + 1])",
        (true_of.water_is_neither_made_nor_lost,),
    ),
    "skips the pixel beside the wet ones": (
        "f, t = _hull(f, t, lo - 1, hi + 1)",
        "f, t = lo, hi",
        (true_of.a_pit_fills_then_spills_over_its_lowest_lip,),
    ),
    "a rim that leaks": (
        "d * d * (y * y) * rim.root[i]",
        "d * d * (y * y) * max(rim.root[i], _ONE)",
        (true_of.a_closed_rim_keeps_the_water_in,),
    ),
    "gives more than there is": (
        "share = np.float32(_SHARE * pixel_m / step_s)",
        "share = np.float32(1e9 * pixel_m / step_s)",
        (true_of.a_closed_rim_keeps_the_water_in,),
    ),
    "rain ten seconds early": (
        "place = min(seconds / RAIN_STEP_S, float(last))",
        "place = min(seconds / RAIN_STEP_S + 1, float(last))",
        (true_of.nothing_moves_before_the_first_rain,),
    ),
    "deep water drains away": (
        "kept = depth[c] * keeps[c]",
        "kept = depth[c] * keeps[c] * (depth[c] < 0.05)",
        (true_of.more_rain_never_lowers_the_water,),
    ),
    "a dry rim that flows": (
        "out = _ZERO",
        "out = np.float32(1e-3)",
        (true_of.a_dry_run_stays_dry,),
    ),
    "one slope for every pixel": (
        "pull = np.float32(GRAVITY * step_s / pixel_m)",
        "pull = np.float32(GRAVITY * step_s / 10.0)",
        (true_of.a_finer_pixel_converges,),
    ),
}
BOWL = np.array(
    [
        [5.0, 4.0, 4.5, 5.0, 5.0],
        [4.0, 1.0, 2.0, 3.0, 4.75],
        [4.5, 2.0, 0.25, 1.0, 4.0],
        [5.0, 3.5, 1.5, 2.5, 4.5],
    ]
)


def _in_a_bowl_and_on_a_mound(holds):
    holds(BOWL)
    holds(5.0 - BOWL)


@pytest.mark.parametrize("fault", BROKEN)
def test_each_property_catches_a_broken_solver(fault):
    was, by, caught_by = BROKEN[fault]
    with solver(interpreted(was, by)):
        for holds in caught_by:
            with pytest.raises(AssertionError):
                _in_a_bowl_and_on_a_mound(holds)


def test_every_property_is_shown_to_catch_something():
    caught = {holds for _, _, caught_by in BROKEN.values() for holds in caught_by}
    assert caught == set(true_of.PROPERTIES)


def test_compiled_and_interpreted_water_agree_to_the_last_bit():
    # operations of IEEE 754 one by one: nothing contracted or reordered, on any machine
    depths = []
    for compiled in (True, False):
        flow = None
        if compiled:
            flow = true_of.flow_on(BOWL, fallen_m=true_of.cloudburst(80), n=0.07)
            flow.advance(120)
        else:
            with solver(interpreted()):
                flow = true_of.flow_on(BOWL, fallen_m=true_of.cloudburst(80), n=0.07)
                flow.advance(120)
        depths.append((flow.depth_m.copy(), *(flux.copy() for flux in flow.flux_m2_s), flow.steps))
    for compiled, plain in zip(*depths, strict=True):
        assert np.array_equal(compiled, plain)
