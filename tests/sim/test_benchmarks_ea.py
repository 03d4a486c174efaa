"""Tests 1, 2 and 4 of the Environment Agency's benchmark, coarse or cut short.

The full ones are ``make validate``; their figures stand in ``docs/water.md``.
"""

import numpy as np
import pytest

from benchmarks.validation import ea


def test_ea_1_a_body_of_water_cut_off_keeps_what_lies_under_its_sill():
    flow, places, bed = ea.case_1()
    x = (np.arange(70) + 0.5) * 10
    ground = ea.profile_1_m(x)
    # as published: 64 m³ wet at the start, 10,150 m³ under the sill
    assert np.maximum(ea.T1_LOW_M - ground, 0).sum() * 1000 == pytest.approx(64, abs=8)
    assert np.maximum(ea.T1_SILL_M - ground[9:], 0).sum() * 1000 == pytest.approx(10_150, rel=0.02)
    rows, columns = np.array(places).T
    highest = np.zeros(2)
    for hour in range(1, 21):
        flow.advance(hour * ea.HOUR_S)
        highest = np.maximum(highest, bed + flow.depth_m[rows, columns])
    assert highest == pytest.approx(ea.T1_PEAK_M, abs=0.01)
    assert bed + flow.depth_m[rows, columns] == pytest.approx(ea.T1_SILL_M, abs=0.015)
    assert flow.depth_m[:, 1].max() < 0.15  # the sea's side has gone down with the sea
    assert abs(flow.balance_m3) < 1e-9 * flow.in_m3


def test_ea_2_depressions_fill_to_their_sills_and_the_far_ones_stay_dry():
    flow, places, z = ea.case_2(pixel_m=40.0)
    flow.advance(14 * ea.HOUR_S)
    assert flow.in_m3 == pytest.approx(ea.T2_VOLUME_M3, rel=1e-12)
    assert flow.stored_m3 == pytest.approx(ea.T2_VOLUME_M3, rel=1e-9)
    spills = [ea.spill_level_m(z, place) for place in places]
    above = [z[p] + flow.depth_m[p] - level for p, (level, _) in zip(places, spills, strict=True)]
    assert max(above) < 0.04  # a pond stands above where it spills by what still runs over alone
    depth = np.array([flow.depth_m[p] for p in places]).reshape(4, 4)  # columns from the west
    assert (depth[0, 1:] > 0.25).all()  # beside the inflow and down the slope from it
    assert (depth[3] < 0.01).all()  # points 13 to 16 stay dry
    ponded = sum(flow.depth_m[pond].sum() for _, pond in spills) * 40.0**2
    assert ponded > 0.9 * ea.T2_VOLUME_M3


@pytest.fixture(scope="module")
def plain():
    flow, places = ea.case_4(pixel_m=10.0)
    return flow, ea.follow(flow, places, 5400.0, 30.0, "EA 4")


@pytest.mark.parametrize("figures", ea.T4_REFERENCES.values(), ids=ea.T4_REFERENCES.keys())
def test_ea_4_the_flood_goes_as_fast_as_lisflood_s_along_an_axis_and_down_the_diagonal(
    plain, figures
):
    _, series = plain
    late = series.arrival_s(ea.T4_OVER_M) - figures["arrival"]
    assert np.abs(late).max() < ea.T4_SPREAD_S / 2
    assert series.at(3600)[:4] == pytest.approx(figures[3600][:4], abs=0.012)


def test_ea_4_the_plain_holds_what_came_in_and_north_is_as_south(plain):
    flow, _ = plain
    assert flow.stored_m3 == pytest.approx(ea.T4_INFLOW.integral(0, 5400), rel=1e-9)
    middle = len(flow.depth_m) // 2
    assert np.array_equal(flow.depth_m[:middle], flow.depth_m[middle:][::-1])
