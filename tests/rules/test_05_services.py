"""§5 Services: how many units, where they start, how far they go, what stops them."""

from dataclasses import replace

import numpy as np
import pytest

from sim.events import UnitBlocked, UnitMoved
from sim.orders import Move
from sim.rules import UNITS, LinkClass, UnitKind
from sim.scenario import Scenario
from sim.turn import replay, start
from sim.unit import NOWHERE
from sim.units import unit_count, unit_names, units_at_start
from tests.strategies import dry_world, flooded, line_district


@pytest.mark.parametrize(
    ("kind", "count", "least", "mobility"),
    [(UnitKind.PATROL, 10, 4, 35), (UnitKind.PUMP, 6, 2, 18), (UnitKind.BOAT, 4, 2, 18)],
)
def test_5_counts_and_mobility_are_the_printed_ones(kind, count, least, mobility):
    row = UNITS[kind]
    assert (row.reference_count, row.least, row.mobility) == (count, least, mobility)


@pytest.mark.parametrize(
    ("people", "patrols", "pumps", "boats"),
    [(422_100, 10, 6, 4), (844_200, 20, 12, 8), (10_000, 4, 2, 2), (211_050, 5, 3, 2)],
)
def test_5_2_means_grow_with_the_people_and_never_below_the_least(people, patrols, pumps, boats):
    district = line_district(2, residents=people // 2, unshelterable=0)
    counts = [unit_count(district, kind) for kind in UnitKind]
    assert counts == [patrols, pumps, boats]


def test_5_patrols_start_at_police_stations_and_the_others_at_technical_centres():
    district = line_district(9, technical=4)
    for unit in units_at_start(district):
        assert unit.cell == (8 if unit.kind is UnitKind.PATROL else 4)


def test_8_4_half_of_the_means_may_be_away():
    district = line_district(2, residents=211_050, unshelterable=0)
    here = unit_names(district, half_staff=True)
    assert [sum(name.startswith(kind.value) for name in here) for kind in UnitKind] == [5, 3, 2]
    world = replace(dry_world(district), scenario=Scenario(half_staff=True))
    assert tuple(unit.name for unit in start(world).units) == here


def hexes_gone(unit, world, to):
    """Hexes that a unit goes in its first turn under way, east to west."""
    _, events = replay(world, {1: (Move(turn=1, unit=unit, to=to),)})
    return [e.from_cell - e.to_cell for e in events[1] if isinstance(e, UnitMoved)]


def test_5_a_pump_truck_spends_18_points_a_turn():
    world = dry_world(line_district(60, link_class=LinkClass.PRIMARY), turns=1)
    assert hexes_gone("pump-1", world, 0) == [18]


def test_5_1_a_boat_is_towed_18_points_a_turn():
    world = dry_world(line_district(60, link_class=LinkClass.PRIMARY), turns=1)
    assert hexes_gone("boat-1", world, 0) == [18]


def test_5_1_a_boat_goes_12_hexes_a_turn_over_water_of_class_3():
    district = line_district(60, link_class=LinkClass.PRIMARY)
    world = flooded(dry_world(district, turns=1), dict.fromkeys(range(60), 500))
    assert hexes_gone("boat-1", world, 0) == [12]
    # what is left of the towing is sailed: 9 hexes are half a turn, 6 more the other half
    world = flooded(dry_world(district, turns=1), dict.fromkeys(range(50), 500))
    assert hexes_gone("boat-1", world, 0) == [9 + 6]


def test_5_1_deep_water_stops_a_truck_and_carries_a_boat():
    district = line_district(30, link_class=LinkClass.PRIMARY)
    world = flooded(dry_world(district, turns=4), {20: 900})
    game = {1: (Move(turn=1, unit="pump-1", to=0), Move(turn=1, unit="boat-1", to=0))}
    states, events = replay(world, game)
    units = {unit.name: unit for unit in states[-1].units}
    assert (units["pump-1"].cell, units["pump-1"].blocked) == (21, True)
    assert units["boat-1"].cell < 20
    assert any(isinstance(e, UnitBlocked) and e.unit == "pump-1" for e in events[1])


def test_5_1_no_boat_crosses_a_barrier():
    district = line_district(8, link_class=LinkClass.NONE)
    barrier = np.zeros(district.sheet.n_edges, bool)
    barrier[3] = True
    district = replace(district, barrier=barrier)
    world = flooded(dry_world(district, turns=3), dict.fromkeys(range(8), 900))
    # the flood is known: a boat that stands in it sees only its own hex, so look at the truth
    states, _ = replay(world, {2: (Move(turn=2, unit="boat-1", to=6),)})
    assert states[-1].units[-1].to in (NOWHERE, 6)
