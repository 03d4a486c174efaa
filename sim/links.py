"""Water classes, and the one function that says whether a link is open (§3.3–3.4, 4, 6.3).

The rules call these with the true depths, legality and views with the depths that the team knows.
Every argument broadcasts: one link, all the links of a sheet, or all of them at every turn.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.district import BoolArray, District
from sim.hexes import IntArray, Sheet
from sim.rules import (
    DEPTH_FACTOR_TENTHS,
    FOOT_CAPACITY,
    FOOTBRIDGE_CAPACITY,
    JAM_FACTOR,
    LINKS,
    NIGHT_SLOWED_EXTRA,
    OBSTRUCTED_CAPACITY_DIVISOR,
    OBSTRUCTED_SURCHARGE,
    PUMPED_MM,
    WATERS,
    LinkClass,
    Mode,
    Structure,
    Water,
)

CLOSED = 0
"""Cost of a link that cannot be used: a whole number that no open link costs."""

# class of every depth up to the least of the deepest class, millimetres: looked up, not sought
_CLASS_OF_MM = np.array(
    [
        max(water for water in Water if WATERS[water].from_mm <= depth)
        for depth in range(WATERS[max(Water)].from_mm + 1)
    ],
    dtype=np.int32,
)
_FACTOR_TENTHS = np.array([DEPTH_FACTOR_TENTHS[s] for s in Structure], dtype=np.int32)
_ON_FOOT = np.array([WATERS[water].pedestrians for water in Water])
_BY_VEHICLE = np.array([WATERS[water].surcharge is not None for water in Water])
_SURCHARGE = np.array([WATERS[water].surcharge or 0 for water in Water], dtype=np.int32)
_ROAD_COST = np.array([LINKS[road].cost or 0 for road in LinkClass], dtype=np.int32)
# §3.2: a foot link counts as a local street for those on foot
_FOOT_CAPACITY = np.array(
    [FOOT_CAPACITY[max(road, LinkClass.LOCAL)] for road in LinkClass], dtype=np.int32
)


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """Links and what stands on them, in truth or as somebody knows it; the water comes apart.

    Every attribute is one value, or one per link in the order of ``Sheet.edges``.

    Attributes
    ----------
    link_class, structure : int
        ``LinkClass`` and ``Structure`` (§3.1, 3.3).
    foot : bool
        Open to pedestrians on dry ground (§3.2).
    barrier : bool
        A river, lake, rail land or wall: no boat crosses it (§3.1).
    pumps : int
        Pump trucks at work: each lowers the depth that the link sees by 18 cm (§3.4).
    shut : bool
        Cut to all but boats by an accident or by works (§13.1).
    footbridge : bool
        A crossing for pedestrians whatever the water (§9.2).
    obstructed : bool
        Left uncleared by deep water or an accident (§9.2).
    jammed : bool
        Vehicles pay three times (§13.1).

    """

    link_class: npt.ArrayLike
    structure: npt.ArrayLike
    foot: npt.ArrayLike
    barrier: npt.ArrayLike = False
    pumps: npt.ArrayLike = 0
    shut: npt.ArrayLike = False
    footbridge: npt.ArrayLike = False
    obstructed: npt.ArrayLike = False
    jammed: npt.ArrayLike = False


def bare_links(district: District) -> Links:
    """Links of a district with nothing on them."""
    return Links(district.link_class, district.structure, district.foot, district.barrier)


def water_class(depth_mm: npt.ArrayLike) -> IntArray:
    """Class of a depth of water (§4); a bound belongs to the deeper class (§4.1).

    Examples
    --------
    >>> water_class([0, 149, 150, 300, 500, 700, 701]).tolist()
    [0, 0, 1, 2, 3, 3, 4]

    """
    classes: IntArray = _CLASS_OF_MM.take(np.asarray(depth_mm), mode="clip")
    return classes


def deeper_mm(sheet: Sheet, depth_mm: IntArray) -> IntArray:
    """Depth of the deeper of the two hexes of every edge, millimetres (§3.4).

    Parameters
    ----------
    depth_mm : (..., n_hex) int
        Depth of water on every hex, millimetres.

    Returns
    -------
    (..., n_edge) int

    """
    a, b = sheet.edge_ends
    deeper: IntArray = np.maximum(depth_mm.take(a, axis=-1), depth_mm.take(b, axis=-1))
    return deeper


def link_depth_mm(link: Links, depth_mm: npt.ArrayLike) -> IntArray:
    """Depth that a link sees: its structure's factor × the deeper hex, less its pumps (§3.3–3.4).

    Parameters
    ----------
    link : Links
    depth_mm : int
        Depth of the deeper of its two hexes, millimetres (``deeper_mm``): true or known (§6.3).

    Returns
    -------
    int
        Millimetres, never below 0.

    Examples
    --------
    >>> underpass = Links(LinkClass.LOCAL, Structure.UNDERPASS, True)
    >>> int(link_depth_mm(underpass, 200))
    700

    """
    seen = _FACTOR_TENTHS.take(np.asarray(link.structure)) * np.asarray(depth_mm) // 10
    left: IntArray = np.maximum(seen - PUMPED_MM * np.asarray(link.pumps, dtype=np.int32), 0)
    return left.astype(np.int32)


def is_open(link: Links, depth_mm: npt.ArrayLike, mode: Mode) -> BoolArray:
    """Whether a link lets pedestrians, vehicles or boats pass (§3.1, 4, 5.1, 9.2, 13.1).

    Parameters
    ----------
    link : Links
    depth_mm : int
        Depth of the deeper of its two hexes, millimetres (``deeper_mm``): true or known (§6.3).
    mode : Mode
        A boat crosses any edge without a barrier where a hex stands in class-3 water (§5.1).

    Examples
    --------
    >>> street = Links(LinkClass.LOCAL, Structure.ROAD, True)
    >>> is_open(street, [299, 300], Mode.FOOT).tolist()
    [True, False]
    >>> is_open(street, [499, 500], Mode.VEHICLE).tolist()
    [True, False]
    >>> is_open(street, [499, 500], Mode.BOAT).tolist()
    [False, True]

    """
    if mode is Mode.BOAT:
        afloat: BoolArray = (water_class(depth_mm) >= Water.NAUTICAL) & ~np.asarray(link.barrier)
        return afloat
    return _passes(link, water_class(link_depth_mm(link, depth_mm)), mode)


def _passes(link: Links, water: IntArray, mode: Mode) -> BoolArray:
    """Whether a link lets pedestrians or vehicles through the class of water that it sees."""
    if mode is Mode.FOOT:
        passes = np.asarray(link.foot, dtype=bool) & _ON_FOOT.take(water)
        passes = passes | np.asarray(link.footbridge)
    else:
        passes = (np.asarray(link.link_class) > LinkClass.NONE) & _BY_VEHICLE.take(water)
    through: BoolArray = passes & ~np.asarray(link.shut, dtype=bool)
    return through


def vehicle_cost(link: Links, depth_mm: npt.ArrayLike) -> IntArray:
    """Points that a vehicle spends on a link, or ``CLOSED``: road, water, what stands on it (§4.2).

    Examples
    --------
    >>> axis = Links(LinkClass.PRIMARY, Structure.ROAD, True)
    >>> vehicle_cost(axis, [0, 150, 300, 500]).tolist()
    [1, 3, 7, 0]

    """
    water = water_class(link_depth_mm(link, depth_mm))
    points = _ROAD_COST.take(np.asarray(link.link_class)) + _SURCHARGE.take(water)
    points = points + OBSTRUCTED_SURCHARGE * np.asarray(link.obstructed, dtype=np.int32)
    points = points * (1 + (JAM_FACTOR - 1) * np.asarray(link.jammed, dtype=np.int32))
    return _closed_but(_passes(link, water, Mode.VEHICLE), points)


def foot_cost(link: Links, depth_mm: npt.ArrayLike, *, night: bool) -> IntArray:
    """Turns on foot over a link: 1, by night 2 in class-1 water (§10.4), or ``CLOSED``."""
    water = water_class(link_depth_mm(link, depth_mm))
    turns = 1 + NIGHT_SLOWED_EXTRA * ((water == Water.SLOWED) & night)
    return _closed_but(_passes(link, water, Mode.FOOT), turns)


def _closed_but(passes: BoolArray, cost: npt.NDArray[np.integer[Any]]) -> IntArray:
    """Cost of links that let through, ``CLOSED`` of the others."""
    kept: IntArray = (cost * passes + CLOSED * ~passes).astype(np.int32)
    return kept


def foot_capacity(link: Links, depth_mm: npt.ArrayLike) -> IntArray:
    """People that a link carries on foot in a turn, both directions (§9.2, 10.3).

    Halved where it is not cleared; a footbridge's where that is the only way across.
    """
    by_road = _FOOT_CAPACITY.take(np.asarray(link.link_class))
    by_road = by_road // np.where(link.obstructed, OBSTRUCTED_CAPACITY_DIVISOR, 1)
    water = water_class(link_depth_mm(link, depth_mm))
    waded = np.asarray(link.foot, dtype=bool) & _ON_FOOT.take(water)
    capacity: IntArray = np.where(waded, by_road, FOOTBRIDGE_CAPACITY)
    return capacity.astype(np.int32)


def open_links(district: District, depth_mm: IntArray, mode: Mode) -> BoolArray:
    """``is_open`` for every link of a district, bare, under a depth (..., n_hex), millimetres."""
    return is_open(bare_links(district), deeper_mm(district.sheet, depth_mm), mode)
