"""What holds of any water on any ground: each property fails with an ``AssertionError``.

They take ground on which the tests of ``test_flow_properties`` run the solver as it is, and the
same solver broken on purpose.
"""

import numpy as np

from sim.flow import Flow
from sim.rain import RAIN_STEP_S

TOLERANCE_M = 0.002
"""By how much depths may differ where they should not."""
PIXEL_M = 10.0


def flow_on(z, depth_m=None, n=0.05, pixel_m=PIXEL_M, **kwargs):
    z = np.asarray(z, float)
    inside, sink = np.ones(z.shape, bool), np.zeros(z.shape, bool)
    return Flow(pixel_m, z, inside, sink, np.full(z.shape, n), depth_m=depth_m, **kwargs)


def cloudburst(mm, dry_s=0.0, seconds=60.0):
    """Rain table of so many millimetres, even, after a time without."""
    steps = np.arange(int((dry_s + seconds) / RAIN_STEP_S) + 1) * RAIN_STEP_S
    return np.interp(steps, [dry_s, dry_s + seconds], [0.0, mm / 1000])[:, None]


def walled(z, height=100.0):
    """The ground with a wall around it, on which no water stands."""
    return np.pad(np.asarray(z, float), 1, constant_values=height)


def more_rain_never_lowers_the_water(z):
    most = []
    for mm in (40, 80):
        flow = flow_on(z, fallen_m=cloudburst(mm), track_deepest=True)
        flow.advance(180)
        most.append(flow.deepest_m)
    assert (most[1] >= most[0] - TOLERANCE_M).all()


def nothing_moves_before_the_first_rain(z):
    flow = flow_on(z, fallen_m=cloudburst(40, dry_s=60))
    flow.advance(60)
    assert not flow.depth_m.any()
    assert not any(flux.any() for flux in flow.flux_m2_s)
    flow.advance(120)
    assert flow.depth_m.any()


def a_dry_run_stays_dry(z):
    flow = flow_on(z)
    flow.advance(600)
    assert not flow.depth_m.any()
    assert not any(flux.any() for flux in flow.flux_m2_s)
    assert flow.out_m3 == flow.rain_m3 == 0


TURNED = {
    "west to east": lambda a: a[:, ::-1],
    "north to south": lambda a: a[::-1],
    "a quarter turn": np.rot90,
    "transposed": np.transpose,
}


def turned_ground_gives_the_turned_water(z):
    here = flow_on(z, fallen_m=cloudburst(60))
    here.advance(120)
    for turn in TURNED.values():
        there = flow_on(turn(z), fallen_m=cloudburst(60))
        there.advance(120)
        assert np.abs(turn(here.depth_m) - there.depth_m).max() <= TOLERANCE_M


def a_lake_at_rest_stays_exactly_still(z):
    bed = walled(z)
    depth = np.maximum(np.ceil(z.mean()) - bed, 0.0)
    flow = flow_on(bed, depth)
    flow.advance(120)
    assert np.array_equal(flow.depth_m, depth)
    assert flow.out_m3 == 0


def water_is_neither_made_nor_lost(z):
    flow = flow_on(z, fallen_m=cloudburst(60))
    for until in (20, 60, 180):
        flow.advance(until)
        assert flow.depth_m.min() >= 0
        assert abs(flow.balance_m3) <= 1e-6 * flow.rain_m3


def a_closed_rim_keeps_the_water_in(z):
    flow = flow_on(z, np.full(z.shape, 0.5), rim="closed")
    volume = flow.stored_m3
    flow.advance(180)
    assert flow.out_m3 == 0
    assert abs(flow.stored_m3 - volume) <= 1e-6 * volume


def a_pit_fills_then_spills_over_its_lowest_lip(_z):
    #              higher lip  pit  lip  lower pit
    bed = walled([[0.0, 3.5, 2.0, 3.0, 0.0]], height=9.0)
    kind = (bed != 2.0).astype(int)
    for metres, beyond in ((0.9, 0.0), (1.6, 0.6)):
        poured = cloudburst(1000 * metres, seconds=600.0)
        flow = flow_on(bed, kind=kind, fallen_m=np.column_stack((poured, 0 * poured)))
        flow.advance(1800)
        below, pit, above = flow.depth_m[1, 5], flow.depth_m[1, 3], flow.depth_m[1, 1]
        film = flow.depth_m[1, 4]  # on the lip, still on its way
        assert above == flow.depth_m[1, 2] == 0
        assert abs(pit + below + film - metres) <= TOLERANCE_M
        if beyond:  # what lies above the lip creeps ever slower
            assert 0 <= pit - 1.0 <= 0.05
            assert beyond - 0.1 <= below <= beyond
        else:
            assert below == film == 0


def a_finer_pixel_converges(_z):
    # a gutter of 160 m whose bed is a smooth wave on a slope, under one storm
    depths = []
    for pixels in (8, 16, 32):
        pixel = 160.0 / pixels
        x = (np.arange(pixels) + 0.5) * pixel
        bed = 4.0 - 0.02 * x + 0.2 * np.cos(x / 25.0)
        gutter = np.vstack((bed + 9, bed, bed + 9))
        kind = np.array([1, 0, 1])[:, None] * np.ones(gutter.shape, int)
        fallen = np.column_stack((cloudburst(60, seconds=300.0), cloudburst(0, seconds=300.0)))
        flow = flow_on(gutter, pixel_m=pixel, n=0.1, kind=kind, fallen_m=fallen)
        flow.advance(300)
        depths.append(flow.depth_m[1].reshape(8, -1).mean(axis=1))
    coarse, middle, fine = depths
    # away from the rim, which lies half a pixel from the last centre
    off = [np.abs(a - b)[:-1].mean() for a, b in ((coarse, middle), (middle, fine))]
    assert off[1] <= max(0.6 * off[0], TOLERANCE_M)
    assert off[1] <= 2 * TOLERANCE_M


PROPERTIES = (
    more_rain_never_lowers_the_water,
    nothing_moves_before_the_first_rain,
    a_dry_run_stays_dry,
    turned_ground_gives_the_turned_water,
    a_lake_at_rest_stays_exactly_still,
    water_is_neither_made_nor_lost,
    a_closed_rim_keeps_the_water_in,
    a_pit_fills_then_spills_over_its_lowest_lip,
    a_finer_pixel_converges,
)
