"""§3.3–4 Water on links: classes, structures, costs, and the one function that opens a link."""

import numpy as np
import pytest

from sim.events import UnitMoved
from sim.links import CLOSED, Links, deeper_mm, is_open, link_depth_mm, vehicle_cost, water_class
from sim.orders import Move
from sim.rules import LinkClass, Mode, Structure, Water
from sim.turn import replay
from tests.strategies import dry_world, flooded, line_district, synthetic_district


@pytest.mark.parametrize(
    ("depth_mm", "water"),
    [
        (0, Water.FREE),
        (149, Water.FREE),
        (150, Water.SLOWED),
        (299, Water.SLOWED),
        (300, Water.BLOCKING),
        (499, Water.BLOCKING),
        (500, Water.NAUTICAL),
        (700, Water.NAUTICAL),  # 70.0 cm is class 3, anything above is 4
        (701, Water.HOSTILE),
        (9_999, Water.HOSTILE),
    ],
)
def test_4_1_a_bound_belongs_to_the_deeper_class(depth_mm, water):
    assert water_class(depth_mm) == water


def test_3_3_an_underpass_sees_3_5_times_and_a_bridge_0_4_times_the_depth():
    def seen(structure):
        return link_depth_mm(Links(LinkClass.LOCAL, structure, True), 100)

    assert seen(Structure.UNDERPASS) == 350
    assert seen(Structure.BRIDGE) == 40
    assert seen(Structure.ROAD) == 100


def test_3_4_a_link_sees_the_deeper_of_its_two_hexes():
    district = synthetic_district()
    depth = np.arange(district.sheet.n_hexes, dtype=np.int32) * 10
    a, b = district.sheet.edges.T
    assert np.array_equal(deeper_mm(district.sheet, depth), 10 * np.maximum(a, b))


# class of water a road sees: open on foot, open by vehicle
OPEN = {0: (True, True), 1: (True, True), 2: (False, True), 3: (False, False), 4: (False, False)}


@pytest.mark.parametrize("depth_mm", [0, 150, 300, 500, 701])
def test_4_pedestrians_stop_at_class_2_and_vehicles_at_class_3(depth_mm):
    on_foot, by_vehicle = OPEN[int(water_class(depth_mm))]
    link = Links(LinkClass.LOCAL, Structure.ROAD, True)
    assert is_open(link, depth_mm, Mode.FOOT) == on_foot
    assert is_open(link, depth_mm, Mode.VEHICLE) == by_vehicle


@pytest.mark.parametrize("mode", [Mode.FOOT, Mode.VEHICLE])
def test_3_1_class_0_is_forbidden_but_3_2_a_foot_link_lets_pedestrians_pass(mode):
    assert not is_open(Links(LinkClass.NONE, Structure.ROAD, False), 0, mode)
    assert is_open(Links(LinkClass.NONE, Structure.ROAD, True), 0, mode) == (mode is Mode.FOOT)


def test_3_3_the_same_water_shuts_an_underpass_and_spares_a_bridge():
    def passes(structure, depth_mm):
        return is_open(Links(LinkClass.PRIMARY, structure, True), depth_mm, Mode.FOOT)

    assert (passes(Structure.UNDERPASS, 85), passes(Structure.UNDERPASS, 86)) == (True, False)
    assert (passes(Structure.BRIDGE, 749), passes(Structure.BRIDGE, 750)) == (True, False)


@pytest.mark.parametrize(
    ("link_class", "dry"),
    [
        (LinkClass.EXPRESSWAY, 1),
        (LinkClass.PRIMARY, 1),
        (LinkClass.SECONDARY, 2),
        (LinkClass.LOCAL, 3),
    ],
)
def test_4_2_cost_is_the_link_plus_0_2_or_6_points(link_class, dry):
    cost = vehicle_cost(Links(link_class, Structure.ROAD, True), [0, 150, 300, 500])
    assert cost.tolist() == [dry, dry + 2, dry + 6, CLOSED]


@pytest.mark.parametrize(("depth_mm", "hexes"), [(0, 35), (150, 11), (300, 5)])
def test_4_2_thirty_five_points_is_35_dry_11_class_1_5_class_2(depth_mm, hexes):
    district = line_district(60, link_class=LinkClass.PRIMARY)
    world = flooded(dry_world(district, turns=1), dict.fromkeys(range(60), depth_mm))
    _, events = replay(world, {1: (Move(turn=1, unit="patrol-1", to=0),)})
    (moved,) = (event for event in events[1] if isinstance(event, UnitMoved))
    assert moved.from_cell - moved.to_cell == hexes


def test_4_water_of_class_3_stops_a_vehicle_before_it():
    district = line_district(20, link_class=LinkClass.PRIMARY)
    world = flooded(dry_world(district, turns=3), {5: 500})
    states, _ = replay(world, {1: (Move(turn=1, unit="patrol-1", to=0),)})
    (unit, *_) = states[-1].units
    assert (unit.cell, unit.blocked) == (6, True)
