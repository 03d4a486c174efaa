"""What one seat of the centre sees (§9.7): what all seats share, and its own service's channels.

Built up from the team's view, never by striking out of it.
"""

from dataclasses import dataclass

import numpy as np

from sim.arrays import Numbers
from sim.district import BoolArray, District
from sim.links import is_open, water_class
from sim.obstacles import Obstacles, around
from sim.rules import SEATS, Channel, LinkClass, Mode, Seat
from sim.sight import seen_on
from sim.state import Injunction, Unit
from sim.units import known_links
from sim.view import Pending, View


@dataclass(frozen=True, slots=True)
class Pawn:
    """A unit as the map shows it (§16): in place, on its way or blocked.

    Attributes
    ----------
    name : str
    cell, to : int
        Where it stands, and where it goes or ``NOWHERE``.
    blocked : bool

    """

    name: str
    cell: int
    to: int
    blocked: bool


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat's knowledge when the orders of a turn are given.

    Attributes
    ----------
    seat : str
    turn, turns, hour, night, over, timer_s, orders, brush_radius, orders_left, pending, bulletin
        As in ``View``: the whole centre's. The orders of all seats stand on one list.
    injunctions, protection, forecast, confidence, capital
        As in ``View``: decisions of the whole centre.
    water, known_turn, known_by : by hex
        On the map, class of the water last known (§4), of what turn, by which kind of channel.
    cut_on_foot, cut_to_vehicles : tuple of int
        Bars on the map (§16): links closed as far as the team knows, ascending.
    known_obstacles, outages, alerted, evacuated, closed, crushed
        As in ``View``: on the map.
    pawns : tuple of Pawn
        Units of every service, on the map.
    seen : tuple of (int, int)
        Hexes that the seat's own patrols, pump trucks, boats or stations see this turn, ascending,
        and their depths, millimetres.
    units : tuple of Unit
        The service's own, with what they do.
    places_taken : by shelter
        Persons, where the service hears of arrivals; else None.

    """

    seat: str
    turn: int
    turns: int
    hour: int
    night: bool
    over: bool
    timer_s: int
    orders: int
    brush_radius: int
    orders_left: int
    pending: tuple[Pending, ...]
    bulletin: tuple[int, ...]
    injunctions: tuple[Injunction, ...]
    protection: tuple[int, ...]
    forecast: tuple[int, ...]
    confidence: tuple[int, ...]
    capital: int
    water: tuple[int, ...]
    known_turn: Numbers
    known_by: Numbers
    cut_on_foot: tuple[int, ...]
    cut_to_vehicles: tuple[int, ...]
    known_obstacles: Obstacles
    outages: tuple[tuple[int, int], ...]
    alerted: tuple[int, ...]
    evacuated: tuple[int, ...]
    closed: tuple[bool, ...]
    crushed: tuple[bool, ...]
    pawns: tuple[Pawn, ...]
    seen: tuple[tuple[int, int], ...]
    units: tuple[Unit, ...]
    places_taken: tuple[int, ...] | None


def seat_view(district: District, view: View, seat: Seat) -> SeatView:
    """Build what a seat of a service sees from what the team knows (§9.7)."""
    row = SEATS[seat]
    links, depth_mm = known_links(district, view)
    by_road = district.link_class > LinkClass.NONE
    return SeatView(
        seat=seat.value,
        turn=view.turn,
        turns=view.turns,
        hour=view.hour,
        night=view.night,
        over=view.over,
        timer_s=view.timer_s,
        orders=view.orders,
        brush_radius=view.brush_radius,
        orders_left=view.orders_left,
        pending=view.pending,
        bulletin=view.bulletin,
        injunctions=view.injunctions,
        protection=view.protection,
        forecast=view.forecast,
        confidence=view.confidence,
        capital=view.capital,
        water=tuple(water_class(view.known_mm).tolist()),
        known_turn=view.known_turn,
        known_by=view.known_by,
        cut_on_foot=_cells(district.foot & ~is_open(links, depth_mm, Mode.FOOT)),
        cut_to_vehicles=_cells(by_road & ~is_open(links, depth_mm, Mode.VEHICLE)),
        known_obstacles=view.known_obstacles,
        outages=view.outages,
        alerted=view.alerted,
        evacuated=view.evacuated,
        closed=view.closed,
        crushed=view.crushed,
        pawns=tuple(Pawn(one.name, one.cell, one.to, one.blocked) for one in view.units),
        seen=_seen(district, view, row.channels),
        units=tuple(unit for unit in view.units if unit.kind in row.moves),
        places_taken=view.places_taken if Channel.ARRIVALS in row.channels else None,
    )


def _cells(marked: BoolArray) -> tuple[int, ...]:
    return tuple(np.flatnonzero(marked).tolist())


def _seen(
    district: District, view: View, channels: tuple[Channel, ...]
) -> tuple[tuple[int, int], ...]:
    """Depths that a service's own units and stations saw as this turn opened."""
    if not 1 <= view.turn <= view.turns:
        return ()  # nobody looks before turn 1, nor after the end
    dark = around(district, view.outages, view.turn)
    by = seen_on(district, view.units, dark, night=view.night)
    own = sorted({cell for channel, cells in by.items() if channel in channels for cell in cells})
    return tuple((cell, int(view.known_mm[cell])) for cell in own)
