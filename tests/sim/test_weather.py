from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.boundary import HeldLevel, Hydrograph, Inflow
from sim.district import Severity
from sim.errors import DistrictError
from sim.hyetograph import Hyetograph
from sim.idf import IDF_LAWS
from sim.rules import Fabric
from sim.storm import MovingCell, storm_of
from sim.water import flood, flow_of, storm_under, truth_key
from sim.weather import Weather, risen
from tests.grounds import district, ground

DRY = Severity(1, 1.0, 1.0, 0.0)
# a river falls southwards along column 12, its banks rise from it
BANKS = np.abs(np.arange(24) - 12)[None, :] * 0.5 + np.arange(20)[::-1, None] * 0.05
RIVER = np.zeros(BANKS.shape, bool)
RIVER[:, 12] = True
BOARD = ground(BANKS, sink=RIVER)
TOWN = district(fabric=Fabric.PARK)  # sheds little, so that what is seen came from the river
FLAT = Hydrograph.constant


def rise(*points):
    return Hydrograph(*np.array(points, float).T)


def test_7_7_a_rising_river_spills_over_the_ground_beside_it_and_falls_back():
    course = rise((0, 0.0), (3600, 2.0), (7200, 2.0), (10_800, 0.0))
    weather = Weather(years=1.0, levels=risen(BOARD, RIVER, course))
    flow = flow_of(TOWN, BOARD, DRY, 40, weather)
    flow.advance(7200)
    for column, depth in ((11, 1.5), (10, 1.0), (9, 0.5)):
        assert flow.depth_m[4:16, column] == pytest.approx(depth, abs=0.1)
    assert flow.depth_m[4:16, 7].max() < 0.05
    flow.advance(24_000)
    assert flow.depth_m[2:18, 8:12].max() < 0.05
    assert abs(flow.balance_m3) <= 1e-6 * flow.in_m3


def test_7_7_a_rise_of_nothing_changes_nothing():
    still = Weather(levels=risen(BOARD, RIVER, FLAT(0.0)))
    plain, held = (
        flood(TOWN, BOARD, Severity(5, 50.0, 0, 1), 12, weather=w) for w in (None, still)
    )
    assert np.abs(plain.depth_mm - held.depth_mm).max() <= 2
    assert held.in_m3 == pytest.approx(0.0, abs=1e-3)


@settings(max_examples=20)
@given(fall=st.floats(0, 60), up=st.floats(0, 5))
def test_7_7_steps_of_a_river_cover_it_once_and_never_stand_above_its_rise(fall, up):
    board = ground(BANKS + np.arange(20)[::-1, None] * fall / 20, sink=RIVER)
    held = risen(board, RIVER, FLAT(up))
    assert np.array_equal(sum(h.pixels.astype(int) for h in held), RIVER)
    assert len(held) <= 64
    step = max(0.1, (fall + 1) / 64)
    for one in held:
        over = one.level_m.at(0) - board.elevation_m[one.pixels]
        assert over.max() == pytest.approx(up, abs=1e-4)
        assert over.min() >= up - step - 1e-3


def test_7_7_an_inflow_brings_its_water_and_closes_the_balance():
    pixels = np.zeros(BANKS.shape, bool)
    pixels[1, 5:8] = True
    course = rise((0, 0.0), (1800, 4.0), (3600, 0.0))
    truth = flood(
        TOWN, BOARD, DRY, 12, weather=Weather(years=1.0, inflows=(Inflow(pixels, course),))
    )
    assert truth.in_m3 == pytest.approx(4.0 * 3600 / 2, rel=1e-9)
    assert abs(truth.balance_error) <= 1e-6
    dry = flood(TOWN, BOARD, DRY, 12)
    assert truth.depth_mm.max() > dry.depth_mm.max()
    assert dry.in_m3 == 0


def test_7_1_the_weather_takes_the_place_of_the_level_s_storm_piece_by_piece():
    own = storm_of("harbin", DRY)
    assert Weather().over(own) == own
    cell = MovingCell((0.0, 0.0), peak=2.0)
    late = Hyetograph(peak_min=200)
    law = IDF_LAWS["it77_region_2"]
    assert Weather(years=50.0).over(own) == replace(own, years=50.0)
    assert Weather(law, 10.0, late, cell).over(own) == replace(
        own, law=law, years=10.0, hyetograph=late, cell=cell
    )
    assert storm_under(TOWN, DRY, Weather(years=50.0)).years == 50


def test_7_1_rain_of_a_cell_falls_where_it_is():
    town = district(4, 1, fabric=Fabric.COMMERCIAL)
    board = ground(np.zeros((6, 24)), columns=4, rows=1)
    cell = MovingCell((0.0, 0.0), axes_m=(150.0, 150.0), peak=1.0, profile="ellipse")
    flow = flow_of(town, board, Severity(5, 5.0, 0.0, 1.0), 1, Weather(cell=cell))
    flow.advance(60)
    assert flow.depth_m[:, :5].min() > 0
    assert flow.depth_m[:, 8:].max() == 0


def test_7_5_the_key_covers_the_weather():
    pixels = np.zeros(BANKS.shape, bool)
    pixels[1, 1] = True
    level, flow = HeldLevel(RIVER, FLAT(3.0)), Inflow(pixels, FLAT(3.0))
    weathers = [
        None,
        Weather(years=7.0),
        Weather(law=IDF_LAWS["meteo_france_example"]),
        Weather(hyetograph=Hyetograph("double_triangle")),
        Weather(cell=MovingCell((0.0, 0.0))),
        Weather(levels=(level,)),
        Weather(levels=(replace(level, level_m=FLAT(3.1)),)),
        Weather(levels=(replace(level, pixels=pixels),)),
        Weather(inflows=(flow,)),
        Weather(inflows=(replace(flow, flow_m3_s=rise((0, 3), (60, 3))),)),
        Weather(inflows=(flow, flow)),
    ]
    keys = [truth_key(TOWN, BOARD, DRY, 30, w) for w in weathers]
    assert len(set(keys)) == len(weathers)
    assert truth_key(TOWN, BOARD, DRY, 30, Weather()) == keys[0]
    assert truth_key(TOWN, BOARD, DRY, 30, Weather(years=1.0)) == keys[0]  # the level's own


def test_a_level_drawn_for_another_ground_is_refused():
    weather = Weather(levels=(HeldLevel(RIVER[:5], FLAT(1.0)),))
    with pytest.raises(DistrictError, match="same raster"):
        flood(TOWN, BOARD, DRY, 1, weather=weather)
