import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sim.depths import HexDepths
from tests.grounds import ground

TEN = np.zeros((1, 10))
MM = np.arange(10) * 100  # 0, 100, … 900


def depth_of(mm, **kwargs):
    mm = np.atleast_2d(mm)
    columns = kwargs.pop("columns", 1)
    board = ground(np.zeros(mm.shape), columns=columns, rows=1, **kwargs)
    return HexDepths.of(board, columns).depth_mm(mm / 1000)


def test_7_4_exceeded_on_a_tenth_of_the_ground_where_there_is_no_road():
    assert depth_of(MM).tolist() == [900]  # one pixel of ten is a tenth
    assert depth_of(np.arange(20)).tolist() == [18]
    assert depth_of(np.arange(11)).tolist() == [9]  # one of eleven is less than a tenth


def test_7_4_only_the_road_counts_where_there_is_one():
    road = np.zeros((1, 10))
    road[0, 3] = 5
    assert depth_of(MM, road_m2=road).tolist() == [300]


def test_7_4_road_is_weighed_by_its_surface():
    road = np.full((1, 10), 10.0)
    road[0, 9] = 8
    assert depth_of(MM, road_m2=road).tolist() == [800]
    road[0, 9] = 11
    assert depth_of(MM, road_m2=road).tolist() == [900]


def test_7_4_water_bodies_do_not_count():
    sink = MM[None, :] >= 800
    assert depth_of(MM, sink=sink).tolist() == [700]
    assert depth_of(MM, sink=sink, road_m2=np.where(sink, 50.0, 0.0)).tolist() == [700]
    assert depth_of(MM, sink=np.ones((1, 10), bool)).tolist() == [0]


def test_each_hex_reads_its_own_pixels():
    assert depth_of(np.repeat([70, 0, 250], 4), columns=3).tolist() == [70, 0, 250]


@given(st.data())
def test_matches_the_definition_by_brute_force(data):
    n = data.draw(st.integers(1, 30))
    mm = np.array(data.draw(st.lists(st.integers(0, 3000), min_size=n, max_size=n)))
    road = np.array(data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n)))
    weight = road if road.sum() else np.ones(n, int)
    expected = max(d for d in mm if 10 * weight[mm >= d].sum() >= weight.sum())
    assert depth_of(mm, road_m2=road[None, :]).tolist() == [expected]
