"""Water classes, and the one function that says whether a link is open (§3.3–3.4, 4, 6.3).

The rules call these with the true depths, legality and views with the depths that the team knows.
Every argument broadcasts: one link, all the links of a sheet, or all of them at every turn.
"""

import numpy as np
import numpy.typing as npt

from sim.district import BoolArray, District
from sim.hexes import IntArray, Sheet
from sim.rules import (
    DEPTH_FACTOR_TENTHS,
    FOOT_CAPACITY,
    LINKS,
    NIGHT_SLOWED_EXTRA,
    WATERS,
    LinkClass,
    Mode,
    Structure,
    Water,
)

CLOSED = 0
"""Cost of a link that cannot be used: a whole number that no open link costs."""

_FROM_MM = np.array([WATERS[water].from_mm for water in Water], dtype=np.int32)
_FACTOR_TENTHS = np.array([DEPTH_FACTOR_TENTHS[s] for s in Structure], dtype=np.int32)
_ON_FOOT = np.array([WATERS[water].pedestrians for water in Water])
_BY_VEHICLE = np.array([WATERS[water].surcharge is not None for water in Water])
_SURCHARGE = np.array([WATERS[water].surcharge or 0 for water in Water], dtype=np.int32)
_ROAD_COST = np.array([LINKS[road].cost or 0 for road in LinkClass], dtype=np.int32)
# §3.2: a foot link counts as a local street for those on foot
_FOOT_CAPACITY = np.array(
    [FOOT_CAPACITY[max(road, LinkClass.LOCAL)] for road in LinkClass], dtype=np.int32
)


def water_class(depth_mm: npt.ArrayLike) -> IntArray:
    """Class of a depth of water (§4); a bound belongs to the deeper class (§4.1).

    Examples
    --------
    >>> water_class([0, 149, 150, 300, 500, 700, 701]).tolist()
    [0, 0, 1, 2, 3, 3, 4]

    """
    deeper = np.searchsorted(_FROM_MM, np.asarray(depth_mm), side="right")
    classes: IntArray = np.asarray(deeper - 1, dtype=np.int32)
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
    a, b = sheet.edges[:, 0], sheet.edges[:, 1]
    deeper: IntArray = np.maximum(depth_mm[..., a], depth_mm[..., b])
    return deeper


def link_depth_mm(structure: npt.ArrayLike, depth_mm: npt.ArrayLike) -> IntArray:
    """Depth that a link sees, millimetres: its structure's factor × the deeper hex (§3.3–3.4).

    Examples
    --------
    >>> link_depth_mm([Structure.ROAD, Structure.BRIDGE, Structure.UNDERPASS], 200).tolist()
    [200, 80, 700]

    """
    seen: IntArray = _FACTOR_TENTHS[np.asarray(structure)] * np.asarray(depth_mm) // 10
    return seen.astype(np.int32)


def is_open(
    link_class: npt.ArrayLike,
    structure: npt.ArrayLike,
    foot: npt.ArrayLike,
    depth_mm: npt.ArrayLike,
    mode: Mode,
) -> BoolArray:
    """Whether a link lets pedestrians or vehicles pass (§3.1, 4).

    Parameters
    ----------
    link_class, structure : int
        ``LinkClass`` and ``Structure`` of the link.
    foot : bool
        Open to pedestrians on dry ground (§3.2).
    depth_mm : int
        Depth of the deeper of its two hexes, millimetres (``deeper_mm``): true or known (§6.3).
    mode : Mode
        On foot or by vehicle.

    Examples
    --------
    >>> is_open(LinkClass.LOCAL, Structure.ROAD, True, [299, 300], Mode.FOOT).tolist()
    [True, False]
    >>> is_open(LinkClass.LOCAL, Structure.ROAD, True, [499, 500], Mode.VEHICLE).tolist()
    [True, False]

    """
    water = water_class(link_depth_mm(structure, depth_mm))
    if mode is Mode.FOOT:
        passes: BoolArray = np.asarray(foot, dtype=bool) & _ON_FOOT[water]
    else:
        passes = (np.asarray(link_class) > LinkClass.NONE) & _BY_VEHICLE[water]
    return passes


def open_links(district: District, depth_mm: IntArray, mode: Mode) -> BoolArray:
    """``is_open`` for every link of a district under a depth (..., n_hex), millimetres."""
    deeper = deeper_mm(district.sheet, depth_mm)
    return is_open(district.link_class, district.structure, district.foot, deeper, mode)


def vehicle_cost(
    link_class: npt.ArrayLike, structure: npt.ArrayLike, depth_mm: npt.ArrayLike
) -> IntArray:
    """Points that a vehicle spends on a link: road and surcharge (§4.2), or ``CLOSED``.

    Examples
    --------
    >>> vehicle_cost(LinkClass.PRIMARY, Structure.ROAD, [0, 150, 300, 500]).tolist()
    [1, 3, 7, 0]

    """
    water = water_class(link_depth_mm(structure, depth_mm))
    passes = is_open(link_class, structure, False, depth_mm, Mode.VEHICLE)
    cost: IntArray = np.where(
        passes, _ROAD_COST[np.asarray(link_class)] + _SURCHARGE[water], CLOSED
    )
    return cost.astype(np.int32)


def vehicle_costs(district: District, depth_mm: IntArray) -> IntArray:
    """``vehicle_cost`` for every link of a district under a depth (n_hex,), millimetres."""
    deeper = deeper_mm(district.sheet, depth_mm)
    return vehicle_cost(district.link_class, district.structure, deeper)


def foot_costs(district: District, depth_mm: IntArray, *, night: bool) -> IntArray:
    """Turns on foot over every link: 1, by night 2 in class-1 water (§10.4), or ``CLOSED``.

    Parameters
    ----------
    depth_mm : (n_hex,) int
        Depth of water on every hex, millimetres.

    """
    deeper = deeper_mm(district.sheet, depth_mm)
    slowed = water_class(link_depth_mm(district.structure, deeper)) == Water.SLOWED
    turns = 1 + NIGHT_SLOWED_EXTRA * (slowed & night)
    passes = is_open(district.link_class, district.structure, district.foot, deeper, Mode.FOOT)
    cost: IntArray = np.where(passes, turns, CLOSED)
    return cost.astype(np.int32)


def foot_capacity(link_class: npt.ArrayLike) -> IntArray:
    """People that a link carries on foot in a turn, both directions (§10.3)."""
    capacity: IntArray = _FOOT_CAPACITY[np.asarray(link_class)]
    return capacity
