from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from sim.district import Severity, literal_ladder
from sim.errors import DistrictError
from sim.flow import Flow
from sim.rain import effective_rain_mm, runoff_and_network
from sim.rules import LEVELS, Fabric
from sim.storm import storm_of
from sim.water import flood, flow_of, truth_key
from tests.grounds import district, ground

DROWNED = Severity(5, 5.0, 0.0, 1.0)
DRIZZLE = np.array([[0.0], [0.02]])  # 2 cm in the first rain step
# quarters of a metre: sums and differences of ground and water are exact
grounds = npst.arrays(
    np.int64, st.tuples(st.integers(2, 9), st.integers(2, 9)), elements=st.integers(0, 40)
).map(lambda quarters: quarters / 4)


def flow_on(z, depth_m=None, inside=None, sink=None, n=0.05, pixel_m=10.0, **kwargs):
    z = np.asarray(z, float)
    inside = np.ones(z.shape, bool) if inside is None else inside
    sink = np.zeros(z.shape, bool) if sink is None else sink
    return Flow(pixel_m, z, inside, sink, np.full(z.shape, n), depth_m=depth_m, **kwargs)


def walled(z, height=100.0):
    """The ground with a wall around it, on which no water stands."""
    return np.pad(np.asarray(z, float), 1, constant_values=height)


@settings(max_examples=30)
@given(z=grounds, level=st.integers(0, 50))
def test_a_lake_at_rest_over_a_bumpy_bed_stays_exactly_still(z, level):
    bed = walled(z)
    depth = np.maximum(level / 4 - bed, 0.0)
    flow = flow_on(bed, depth)
    flow.advance(600)
    assert np.array_equal(flow.depth_m, depth)
    assert flow.out_m3 == 0


@settings(max_examples=30)
@given(z=grounds, seed=st.integers(0, 99), n=st.sampled_from([0.01, 0.1, 0.45]))
def test_7_3_depth_is_never_negative_and_the_balance_closes(z, seed, n):
    rng = np.random.default_rng(seed)
    z = z * rng.choice([0.1, 1.0, 20.0])
    flow = flow_on(
        z, rng.random(z.shape) * 2, rng.random(z.shape) < 0.9, rng.random(z.shape) < 0.1, n,
        fallen_m=DRIZZLE,
    )  # fmt: skip
    volume = flow.stored_m3
    for until in (1, 5, 20, 100):
        flow.advance(until)
        assert flow.depth_m.min() >= 0
        assert np.isfinite(flow.depth_m).all()
        assert abs(flow.balance_m3) <= 1e-6 * (volume + flow.rain_m3 + 1e-9)


@settings(max_examples=20)
@given(z=grounds)
def test_dry_ground_stays_dry(z):
    flow = flow_on(z)
    flow.advance(3600)
    assert not flow.depth_m.any()


TURNED = {
    "west to east": lambda a: a[:, ::-1],
    "north to south": lambda a: a[::-1],
    "a quarter turn": np.rot90,
    "transposed": np.transpose,
}


@pytest.mark.parametrize("turned", TURNED.values(), ids=TURNED.keys())
@settings(max_examples=15)
@given(z=grounds, seed=st.integers(0, 99))
def test_turned_ground_gives_the_turned_water(turned, z, seed):
    rng = np.random.default_rng(seed)
    depth, sink = rng.random(z.shape), rng.random(z.shape) < 0.1
    here = flow_on(z, depth, sink=sink, fallen_m=DRIZZLE)
    there = flow_on(turned(z), turned(depth), sink=turned(sink), fallen_m=DRIZZLE)
    here.advance(120)
    there.advance(120)
    assert np.array_equal(turned(here.depth_m), there.depth_m)


@settings(max_examples=20)
@given(z=grounds)
def test_more_rain_never_lowers_the_water(z):
    deepest = []
    for more in (1, 2):
        flow, most = flow_on(z, fallen_m=DRIZZLE * more), np.zeros(z.shape)
        for until in range(10, 600, 10):
            flow.advance(until)
            most = np.maximum(most, flow.depth_m)
        deepest.append(most)
    assert (deepest[1] >= deepest[0] - 0.002).all()


def test_7_3_a_pit_fills_then_spills_over_its_lowest_lip():
    #            pit  lip  lower pit
    bed = walled([[2.0, 3.0, 0.0]], height=9.0)
    fallen = np.array([[0.0], [0.6]])
    kind = np.where(walled([[1, 0, 0]], height=0) == 1, 0, 1)
    below = flow_on(bed, kind=kind, fallen_m=np.column_stack((fallen, 0 * fallen)))
    below.advance(1800)
    assert below.depth_m[1, 1] == pytest.approx(0.6)
    assert below.depth_m[1, 3] == 0
    above = flow_on(bed, kind=kind, fallen_m=np.column_stack((3 * fallen, 0 * fallen)))
    above.advance(20_000)
    assert above.depth_m[1, 1] == pytest.approx(
        1.0, abs=0.01
    )  # brim-full, up to the lip and a film
    assert above.depth_m[1, 3] == pytest.approx(0.8, abs=0.01)
    assert above.out_m3 == 0


def test_uniform_flow_is_manning_s():
    slope, n, pixel, mm_h, length = 0.01, 0.05, 10.0, 36.0, 60
    down = -slope * pixel * np.arange(length)
    z = np.vstack((down + 50, down, down, down + 50))  # a gutter between two walls
    kind = np.zeros(z.shape, int)
    kind[1:3] = 1
    seconds = np.arange(721) * 10.0
    fallen = np.column_stack((0 * seconds, seconds * mm_h / 3.6e6))
    flow = flow_on(z, n=n, pixel_m=pixel, kind=kind, fallen_m=fallen)
    flow.advance(7200)
    per_width = mm_h / 3.6e6 * pixel * (np.arange(length) + 1)  # m²/s leaving each pixel
    manning = (per_width * n / np.sqrt(slope)) ** 0.6
    assert flow.flux_m2_s[0][1, 1:] == pytest.approx(per_width, rel=1e-3)
    assert flow.depth_m[1, 10:-1] == pytest.approx(manning[10:-1], rel=0.02)
    assert flow.depth_m[1, -1] == pytest.approx(manning[-1], rel=0.02)  # normal depth at the rim
    assert flow.depth_m[1] == pytest.approx(flow.depth_m[2])


def test_the_time_step_hardly_shows():
    rng = np.random.default_rng(4)
    z = np.add.outer(np.arange(30) * 1.5, np.arange(30) * 0.5) + rng.random((30, 30)) * 4
    storm = np.outer(np.linspace(0, 1, 61), [0.05])
    coarse = flow_on(z, fallen_m=storm, n=0.1)
    fine = flow_on(z, fallen_m=storm, n=0.1, courant=0.02, longest_s=0.5)
    for until in range(60, 1201, 60):
        coarse.advance(until)
        fine.advance(until)
        assert np.abs(coarse.depth_m - fine.depth_m).max() < 0.005


def test_7_3_sinks_hold_their_level_and_the_outside_gives_nothing_back():
    z = np.array([[5.0, 4.0, 3.0, 4.0, 5.0]])
    sink = z == 3.0
    flow = flow_on(walled(z), np.pad(np.ones(z.shape), 1), sink=walled(sink, height=0) == 1)
    flow.advance(7200)
    assert flow.depth_m[1, 3] == 0
    assert flow.out_m3 == pytest.approx(
        400, rel=0.02
    )  # all but the sink's own pixel and a last film
    bowl = np.array([[5.0, 1.0, 5.0]])
    flow = flow_on(bowl, inside=np.array([[True, False, True]]), depth_m=np.ones((1, 3)))
    flow.advance(7200)
    assert flow.depth_m[0, 1] == 0
    assert flow.out_m3 == pytest.approx(200, rel=0.02)


def test_a_step_that_ground_cannot_drain_in_takes_no_water_from_nowhere():
    cliff = np.array([[100.0, 100.0, 0.0, 0.0]])
    flow = flow_on(walled(cliff, height=200), np.pad(np.array([[0.5, 0.5, 0, 0]]), 1), n=0.02)
    flow.advance(3600)
    assert flow.depth_m.min() >= 0
    assert flow.depth_m[1, 3:5] == pytest.approx(0.5, abs=0.02)
    assert flow.balance_m3 == pytest.approx(0, abs=1e-9)


# --------------------------------------------------------------------------- §7.2 effective rain
def test_7_2_drains_take_their_part_before_water_ponds():
    storm = storm_of("harbin", DROWNED)
    fallen = effective_rain_mm(storm, np.array([0.9, 0.9, 0.2]), np.array([0, 25, 500.0]), 18_000)
    assert fallen[-1, 0] == pytest.approx(0.9 * storm.rain_mm(0, 300), abs=1e-5)
    assert 0 < fallen[-1, 1] < fallen[-1, 0]
    assert fallen[-1, 2] == 0
    # while it rains less than the drains take, nothing ponds; none comes back later
    wet = np.diff(fallen[:, 1]) > 0
    assert wet[800]
    assert not wet[0]
    assert not wet[-1]


def test_7_6_literal_changes_nothing_and_the_ladder_lowers_drains_and_soaks_the_ground():
    town = district(2, 2, fabric=[Fabric.OLD_TOWN, Fabric.PARK, Fabric.FARMLAND, Fabric.COMMERCIAL])
    runoff, network = runoff_and_network(town, literal_ladder(LEVELS)[0])
    assert runoff.tolist() == [0.88, 0.20, 0.30, 0.92]
    assert network.tolist() == [15, 0, 4, 25]
    runoff, network = runoff_and_network(town, Severity(5, 5.0, 0.5, 0.5))
    assert runoff == pytest.approx([0.915, 0.575, 0.625, 0.935])
    assert network.tolist() == [7.5, 0, 2, 12.5]


VALLEY = np.abs(np.arange(24) - 12)[None, :] * 0.8 + np.arange(20)[:, None] * 0.05


def test_7_5_a_truth_starts_dry_and_adds_up():
    told = []
    truth = flood(
        district(), ground(VALLEY), DROWNED, 12, lambda stage, share: told.append((stage, share))
    )
    assert truth.depth_mm.shape == (13, 4)
    assert truth.depth_mm.dtype == np.int32
    assert not truth.depth_mm.flags.writeable
    assert not truth.depth_mm[0].any()
    assert truth.depth_mm[12].any()
    assert abs(truth.balance_error) <= 1e-6
    assert truth.rain_m3 == pytest.approx(truth.stored_m3 + truth.out_m3)
    assert told[-1] == ("water", 1.0)
    assert len(told) == 12


def test_7_2_the_fabric_under_each_pixel_decides():
    town = district(2, 1, fabric=[Fabric.COMMERCIAL, Fabric.PARK])
    flow = flow_of(town, ground(np.zeros((4, 8)), rows=1), Severity(1, 5.0, 0.0, 0.0), 1)
    flow.advance(60)
    paved, park = flow.depth_m[1, 1], flow.depth_m[1, -2]
    assert paved / park == pytest.approx(0.92 / 0.20, rel=1e-3)


def test_7_2_rain_on_water_bodies_is_not_counted():
    sink = np.zeros(VALLEY.shape, bool)
    sink[:, 12] = True
    whole = flood(district(), ground(VALLEY), DROWNED, 6)
    cut = flood(district(), ground(VALLEY, sink=sink), DROWNED, 6)
    assert cut.rain_m3 == pytest.approx(whole.rain_m3 * 23 / 24)
    assert abs(cut.balance_error) <= 1e-6


def test_7_5_the_key_changes_with_what_the_water_reads_and_nothing_else():
    town, board = district(), ground(VALLEY)
    key = truth_key(town, board, DROWNED, 30)
    assert key == truth_key(replace(town, name="another"), ground(VALLEY), DROWNED, 30)
    assert key == truth_key(town, board, replace(DROWNED, level=3), 30)
    assert len(key) == 64
    others = {
        truth_key(town, board, DROWNED, 29),
        truth_key(town, board, replace(DROWNED, rain_years=6.0), 30),
        truth_key(town, board, replace(DROWNED, network_efficiency=0.1), 30),
        truth_key(town, board, replace(DROWNED, soaked=0.9), 30),
        truth_key(town, ground(VALLEY + 1), DROWNED, 30),
        truth_key(district(fabric=Fabric.PARK), board, DROWNED, 30),
    }
    assert len(others - {key}) == 6


def test_a_ground_of_another_sheet_is_refused():
    with pytest.raises(DistrictError, match="build the district again"):
        flood(district(1, 1), ground(VALLEY), DROWNED, 1)
