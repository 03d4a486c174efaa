import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.boundary import HeldLevel, Hydrograph, Inflow
from sim.errors import DistrictError
from sim.flow_kernel import GRAVITY
from tests.sim.flow_properties import cloudburst, flow_on, walled

constant = Hydrograph.constant


def where(z, *places):
    pixels = np.zeros(np.shape(z), bool)
    for place in places:
        pixels[place] = True
    return pixels


# --------------------------------------------------------------------------- the equations
def test_a_broken_dam_is_the_exact_solution_of_the_local_inertial_equations():
    # h_t + q_x = 0, q_t + (g·h²/2)_x = 0: a fan of speed -√(g·h), a shock of speed √(g·(h+h₀)/2)
    high, low, seconds, pixel = 2.0, 1.0, 60.0, 2.0
    below, above = low, high
    for _ in range(60):
        middle = (below + above) / 2
        fan = 2 / 3 * np.sqrt(GRAVITY) * (high**1.5 - middle**1.5)
        shock = np.sqrt(GRAVITY * (middle + low) / 2)
        below, above = (below, middle) if shock * (middle - low) > fan else (middle, above)
    x = (np.arange(-400, 400) + 0.5) * pixel
    fan_depth = np.clip((-x / seconds), 0, None) ** 2 / GRAVITY
    exact = np.where(x > shock * seconds, low, np.clip(fan_depth, middle, high))
    flow = flow_on(
        np.zeros((3, 800)), np.tile(np.where(x < 0, high, low), (3, 1)), 1e-4, pixel, rim="closed"
    )
    flow.advance(seconds)
    ours = flow.depth_m[1]
    assert np.abs(ours - exact).mean() < 0.004
    assert np.median(ours[np.abs(x) < 150]) == pytest.approx(middle, abs=0.002)
    assert np.abs(np.diff(ours)).sum() < 1.05 * (high - low)  # no ringing


def test_friction_is_the_same_down_every_direction():
    slope, n, depth = 0.002, 0.05, 0.4
    manning = depth ** (5 / 3) * np.sqrt(slope) / n
    steps = np.arange(120) * 10.0
    for east, south in ((1.0, 0.0), (0.6, 0.8), (0.7071, 0.7071)):
        z = -slope * np.add.outer(south * steps, east * steps)
        flow = flow_on(z, np.full(z.shape, depth), n)
        flow.advance(180)
        speed = np.hypot(*(flux[60, 60] for flux in flow.flux_m2_s))
        assert speed == pytest.approx(manning, rel=0.003)


def test_a_fast_even_flow_is_not_throttled_by_the_share_of_a_pixel():
    slope, n, q = 0.01, 0.03, 0.2  # Froude 0.8
    z = np.tile(-slope * 10.0 * np.arange(40), (3, 1))
    feed = Inflow(where(z, np.s_[:, 0]), constant(q * 30))
    flow = flow_on(z, n=n, inflows=[feed], rim=(False, True, False, False))
    flow.advance(1800)
    assert flow.depth_m[1, 5:35] == pytest.approx((q * n / np.sqrt(slope)) ** 0.6, rel=1e-3)


@settings(max_examples=15)
@given(seed=st.integers(0, 999))
def test_dry_parts_left_out_change_nothing(seed):
    rng = np.random.default_rng(seed)
    z = rng.integers(0, 20, (12, 15)) / 4
    kind = (rng.random(z.shape) < 0.9).astype(int)
    fallen = np.column_stack((cloudburst(80), cloudburst(0)))
    water = []
    for skip in (True, False):
        flow = flow_on(z, kind=kind, fallen_m=fallen)
        if not skip:
            flow._spans.always[:, 0], flow._spans.always[:, 1] = 1, z.shape[1] + 1
            flow._spans.always[[0, -1]] = 0
            flow._spans.wet[:] = flow._spans.always
        for until in (60, 90, 900):
            flow.advance(until)
        water.append((flow.depth_m.copy(), flow.out_m3, flow.steps))
    assert np.array_equal(water[0][0], water[1][0])
    assert water[0][1:] == water[1][1:]


# --------------------------------------------------------------------------- §7.7 boundaries
BANK = walled([[-2.0, -2.0, 0.5, 0.0, 0.0, 0.0]], height=9.0)
RIVER = where(BANK, np.s_[1, 1:3])


def test_7_7_a_river_that_rises_spills_over_its_bank_and_takes_back_what_it_can():
    rise = Hydrograph(np.array([0, 1800, 5400, 7200.0]), np.array([0, 1.0, 1.0, -3.0]))
    flow = flow_on(BANK, levels=[HeldLevel(RIVER, rise)])
    flow.advance(600)
    assert flow.in_m3 == 0  # still below the bank
    assert flow.depth_m[1, 1] == pytest.approx(2.0 + 1 / 3)
    flow.advance(5400)
    assert flow.depth_m[1, 3:7] == pytest.approx([0.5, 1, 1, 1], abs=0.01)
    assert flow.stored_m3 == pytest.approx(350, rel=0.01)  # what stands in the river is not ours
    flow.advance(40_000)
    assert flow.depth_m[1, 1:3].tolist() == [0, 0]
    assert flow.depth_m[1, 3:7] == pytest.approx([0, 0.5, 0.5, 0.5], abs=0.02)
    assert flow.out_m3 > 100
    assert abs(flow.balance_m3) <= 1e-9 * flow.in_m3


def test_7_7_a_held_level_below_its_ground_is_a_sink():
    flow = flow_on(BANK, np.where(BANK < 9, 1.0, 0), levels=[HeldLevel(RIVER, constant(-5))])
    flow.advance(20_000)
    assert flow.in_m3 == 0
    assert flow.depth_m[1, 4:7] == pytest.approx(0.5, abs=0.02)


def test_7_7_a_level_as_high_as_the_water_beside_it_moves_nothing():
    z = np.random.default_rng(3).integers(-8, 9, (12, 15)) / 4
    sea = where(z, np.s_[:, 0])
    depth = np.maximum(1.25 - z, 0.0)
    flow = flow_on(z, depth, levels=[HeldLevel(sea, constant(1.25))], rim="closed")
    flow.advance(3600)
    assert np.array_equal(flow.depth_m, depth)
    assert flow.in_m3 == flow.out_m3 == 0


def test_7_7_inflows_bring_their_volume_to_the_last_litre():
    hydrograph = Hydrograph(np.array([0, 100, 400.0]), np.array([0, 3.0, 0]))
    bowl = walled(np.zeros((3, 6)), 9.0)
    flow = flow_on(bowl, inflows=[Inflow(where(bowl, np.s_[2, 2:4]), hydrograph)])
    for until in (33, 100, 251, 1000):
        flow.advance(until)
        assert flow.in_m3 == pytest.approx(hydrograph.integral(0, until), rel=1e-12)
        assert flow.stored_m3 == pytest.approx(flow.in_m3, rel=1e-9)
    assert flow.in_m3 == pytest.approx(600)


@pytest.mark.parametrize(("turns", "low"), [(0, 0), (1, 3), (2, 2), (3, 1)])
def test_water_leaves_across_open_sides_only(turns, low):
    falls_north = np.arange(6)[:, None] * np.ones((6, 6))
    z = np.rot90(falls_north, turns)  # and to the west, the south, the east
    gone = []
    for opened in (low, (low + 2) % 4, None):
        rim = tuple(side == opened for side in range(4))
        flow = flow_on(z, np.full(z.shape, 0.2), rim=rim)
        flow.advance(3600)
        gone.append(flow.out_m3 / 720)
    assert gone[0] > 0.95
    assert gone[1:] == [0, 0]  # the high side, and none


def test_deepest_keeps_the_largest_depth_of_any_step():
    z = np.random.default_rng(5).random((8, 8)) * 2
    flow = flow_on(z, fallen_m=cloudburst(80), track_deepest=True)
    seen = np.zeros(z.shape)
    for until in range(10, 400, 10):
        flow.advance(until)
        seen = np.maximum(seen, flow.depth_m)
        assert (flow.deepest_m >= seen - 1e-6).all()
    assert flow.deepest_m.max() < seen.max() + 0.05


# --------------------------------------------------------------------------- what a user can mend
def test_7_7_a_hydrograph_that_cannot_be_is_refused_in_a_sentence():
    for times, values, why in (
        ([], [], "0 times and 0 values"),
        ([0, 1], [1], "2 times and 1 values"),
        ([0, np.nan], [1, 1], "not finite"),
        ([0, 60, 60], [1, 1, 1], "from 60 s to 60 s"),
    ):
        with pytest.raises(DistrictError, match=why):
            Hydrograph(np.array(times, float), np.array(values, float))
    with pytest.raises(DistrictError, match="-1 m³/s"):
        Inflow(np.ones((2, 2), bool), constant(-1))


def test_7_7_a_boundary_that_fits_no_ground_is_refused_in_a_sentence():
    z = np.zeros((3, 4))
    with pytest.raises(DistrictError, match="same raster"):
        flow_on(z, levels=[HeldLevel(np.ones((3, 3), bool), constant(1))])
    with pytest.raises(DistrictError, match="no pixel"):
        flow_on(z, inflows=[Inflow(np.zeros((3, 4), bool), constant(1))])
    sea = where(z, np.s_[:, 0])
    with pytest.raises(DistrictError, match="row 0, column 0"):
        flow_on(z, levels=[HeldLevel(sea, constant(1))], inflows=[Inflow(sea, constant(1))])
