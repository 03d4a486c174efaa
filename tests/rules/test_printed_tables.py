"""Every row of the printed tables, figure by figure: §2 to 5, 7.1, 8.2, 9, 10.3, 12.1, 14."""

from fractions import Fraction

import numpy as np
import pytest

from sim.district import Severity
from sim.rules import (
    DEPTH_FACTOR_TENTHS,
    FOOT_CAPACITY,
    HARBIN,
    HOURS,
    LINKS,
    POINTS_MISUSED,
    POINTS_SAVED,
    POINTS_VICTIM,
    POLICE_STATIONS,
    SEATS,
    SHELTER_PLACES,
    SHELTERS,
    STAFFING,
    STATIONS,
    STORM_MIN,
    STORM_PEAK_TURN,
    TECHNICAL_CENTRES,
    TIMERS,
    TURN_MIN,
    TURNS,
    UNITS,
    WATERS,
    Channel,
    Fabric,
    LinkClass,
    Seat,
    Structure,
    Timer,
    UnitKind,
    Water,
)
from sim.storm import storm_of


@pytest.mark.parametrize(
    ("fabric", "residents", "percent", "runoff", "retention", "network"),
    [
        (Fabric.OLD_TOWN, 180, 30, 0.88, 0.10, 15),
        (Fabric.SLAB_BLOCKS, 200, 10, 0.80, 0.13, 22),
        (Fabric.TOWER_COMPOUND, 250, 4, 0.72, 0.15, 30),
        (Fabric.COMMERCIAL, 90, 25, 0.92, 0.08, 25),
        (Fabric.INDUSTRIAL, 15, 15, 0.90, 0.12, 18),
        (Fabric.URBAN_VILLAGE, 220, 65, 0.70, 0.18, 6),
        (Fabric.PARK, 3, 0, 0.20, 0.45, 0),
        (Fabric.FARMLAND, 10, 45, 0.30, 0.30, 4),
    ],
)
def test_2_the_printed_row_of_a_fabric(fabric, residents, percent, runoff, retention, network):
    row = HARBIN[fabric]
    assert row.residents_per_ha == residents
    assert row.unshelterable == Fraction(percent, 100)
    assert (row.runoff, row.retention, row.network_mm_h) == (runoff, retention, network)


@pytest.mark.parametrize(
    ("link_class", "number", "cost", "count"),
    [
        (LinkClass.EXPRESSWAY, 4, 1, 39),
        (LinkClass.PRIMARY, 3, 1, 206),
        (LinkClass.SECONDARY, 2, 2, 311),
        (LinkClass.LOCAL, 1, 3, 2_127),
        (LinkClass.NONE, 0, None, 870),
    ],
)
def test_3_1_the_printed_row_of_a_road(link_class, number, cost, count):
    assert link_class == number
    assert (LINKS[link_class].cost, LINKS[link_class].reference_count) == (cost, count)


@pytest.mark.parametrize(
    ("structure", "tenths"),
    [(Structure.ROAD, 10), (Structure.BRIDGE, 4), (Structure.UNDERPASS, 35)],
)
def test_3_3_the_printed_factor_of_a_structure(structure, tenths):
    assert DEPTH_FACTOR_TENTHS[structure] == tenths


@pytest.mark.parametrize(
    ("water", "number", "from_mm", "surcharge", "on_foot", "label"),
    [
        (Water.FREE, 0, 0, 0, True, "libre"),
        (Water.SLOWED, 1, 150, 2, True, "ralenti"),
        (Water.BLOCKING, 2, 300, 6, False, "bloquant"),
        (Water.NAUTICAL, 3, 500, None, False, "nautique"),
        (Water.HOSTILE, 4, 701, None, False, "hostile"),
    ],
)
def test_4_the_printed_row_of_a_water_class(water, number, from_mm, surcharge, on_foot, label):
    row = WATERS[water]
    assert water == number
    assert (row.from_mm, row.surcharge, row.pedestrians) == (from_mm, surcharge, on_foot)
    assert row.label_fr == label


@pytest.mark.parametrize(
    ("kind", "mobility", "bases"),
    [(UnitKind.PATROL, 35, POLICE_STATIONS), (UnitKind.PUMP, 18, TECHNICAL_CENTRES)],
)
def test_5_mobility_and_bases_of_a_service(kind, mobility, bases):
    assert UNITS[kind].mobility == mobility
    assert bases == {UnitKind.PATROL: 3, UnitKind.PUMP: 2}[kind]


def test_5_station_and_shelter_counts_are_the_printed_ones():
    assert STATIONS == 12
    assert (SHELTERS, SHELTER_PLACES) == (18, 1_800)


@pytest.mark.parametrize(
    ("hour", "to_shelter", "mobile_percent", "night_from"),
    [(3, 48_100, 0, 1), (14, 78_200, 8, None), (8, 122_900, 20, None), (18, 104_200, 15, 7)],
    ids=["3_h", "14_h", "8_h", "18_h"],
)
def test_8_2_the_printed_row_of_an_hour(hour, to_shelter, mobile_percent, night_from):
    row = HOURS[hour]
    assert row.reference_to_shelter == to_shelter
    assert (row.mobile_percent, row.night_from_turn) == (mobile_percent, night_from)


@pytest.mark.parametrize(
    ("place", "label", "from_turn", "orders", "brush_radius"),
    [
        (0, "Cadre d'astreinte", 1, 3, 1),
        (1, "Cellule de veille", 3, 5, 2),
        (2, "CO partiel", 5, 8, 3),
        (3, "CO complet", 7, 12, 3),
    ],
    ids=["duty_officer", "watch_cell", "partly_staffed", "full_centre"],
)
def test_9_1_the_printed_row_of_the_staffing(place, label, from_turn, orders, brush_radius):
    row = STAFFING[place]
    assert row.label_fr == label
    assert (row.from_turn, row.orders, row.brush_radius) == (from_turn, orders, brush_radius)


@pytest.mark.parametrize(
    ("link_class", "people"),
    [
        (LinkClass.EXPRESSWAY, 2_400),
        (LinkClass.PRIMARY, 2_400),
        (LinkClass.SECONDARY, 1_200),
        (LinkClass.LOCAL, 600),
    ],
)
def test_10_3_the_printed_capacity_of_a_link(link_class, people):
    assert FOOT_CAPACITY[link_class] == people


@pytest.mark.parametrize(
    ("points", "printed"),
    [(POINTS_SAVED, 2), (POINTS_MISUSED, -1), (POINTS_VICTIM, -4)],
    ids=["saved", "misused", "victims"],
)
def test_12_1_the_printed_points_of_a_term(points, printed):
    assert points == printed


def test_7_1_five_hours_of_rain_that_peak_in_turn_14():
    assert (STORM_MIN, STORM_PEAK_TURN) == (300, 14)
    # the storm of a district that says nothing else
    fallen = storm_of("harbin", Severity(1, 1.0, 1.0, 0.0)).fallen_mm(np.arange(31) * 10.0)
    turn = 1 + int(np.argmax(np.diff(fallen)))
    assert turn == 14
    assert np.diff(fallen)[29] > 0


@pytest.mark.parametrize(
    ("seat", "orders", "units", "hears"),
    [
        (Seat.COMMUNICATION, {"alert"}, set(), {Channel.REPORTS, Channel.ALERTS}),
        (
            Seat.PUBLIC_ORDER,
            {"door_to_door", "reserve"},
            {UnitKind.PATROL},
            {Channel.PATROL},
        ),
        (
            Seat.TECHNICAL,
            {"pump", "footbridge", "clear", "deliver"},
            {UnitKind.PUMP, UnitKind.BOAT},
            {Channel.PUMP},
        ),
        (Seat.SANITATION, set(), set(), {Channel.STATION}),
        (
            Seat.SHELTERING,
            {"close_shelter", "open_shelter", "protect"},
            set(),
            {Channel.ARRIVALS},
        ),
    ],
)
def test_9_7_the_printed_row_of_a_seat(seat, orders, units, hears):
    row = SEATS[seat]
    assert (set(row.orders), set(row.moves), set(row.channels)) == (orders, units, hears)


@pytest.mark.parametrize(
    ("timer", "seconds"),
    [(Timer.OFF, 0), (Timer.COMFORTABLE, 120), (Timer.TENSE, 90), (Timer.REFLEX, 45)],
)
def test_14_the_printed_row_of_a_timer(timer, seconds):
    assert TIMERS[timer].seconds == seconds


def test_18_thirty_turns_of_ten_minutes():
    assert (TURNS, TURN_MIN) == (30, 10)
