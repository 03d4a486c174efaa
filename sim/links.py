"""Water classes, and the one function that says whether a link is open (§3.3–3.4, 4, 6.3).

The rules call these with the true depths, legality and views with the depths that the team knows.
Every argument broadcasts: one link, all the links of a sheet, or all of them at every turn.
"""

from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from sim.arrays import Numbers, whole
from sim.district import BoolArray, District
from sim.hexes import IntArray, Sheet
from sim.remembered import remembered
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


# --------------------------------------------------------------------------- one link, in numbers
class _Link(NamedTuple):
    """One link and the class of the water that it sees."""

    road: LinkClass
    foot: bool
    shut: bool
    footbridge: bool
    obstructed: bool
    jammed: bool
    water: Water


def _lets_walk(link: _Link) -> bool:
    """Whether a link lets pedestrians through its water."""
    dry_enough = link.foot and WATERS[link.water].pedestrians
    return (dry_enough or link.footbridge) and not link.shut


def _lets_drive(link: _Link) -> bool:
    """Whether a link lets vehicles through its water."""
    shallow = WATERS[link.water].surcharge is not None
    return link.road > LinkClass.NONE and shallow and not link.shut


def _turns(link: _Link, *, night: bool) -> int:
    """Turns on foot over a link, or ``CLOSED``."""
    if not _lets_walk(link):
        return CLOSED
    return 1 + NIGHT_SLOWED_EXTRA * (night and link.water is Water.SLOWED)


def _points(link: _Link) -> int:
    """Points that a vehicle spends on a link, or ``CLOSED``."""
    if not _lets_drive(link):
        return CLOSED
    points = (LINKS[link.road].cost or 0) + (WATERS[link.water].surcharge or 0)
    points += OBSTRUCTED_SURCHARGE * link.obstructed
    return points * (JAM_FACTOR if link.jammed else 1)


def _capacity(link: _Link) -> int:
    """People that a link carries on foot in a turn; a footbridge's where it is the only way."""
    if not (link.foot and WATERS[link.water].pedestrians):
        return FOOTBRIDGE_CAPACITY
    # §3.2: a foot link counts as a local street for those on foot
    by_road = FOOT_CAPACITY[max(link.road, LinkClass.LOCAL)]
    return by_road // OBSTRUCTED_CAPACITY_DIVISOR if link.obstructed else by_road


_FLAG = (False, True)
_EVERY_LINK = tuple(
    _Link(*one) for one in product(LinkClass, _FLAG, _FLAG, _FLAG, _FLAG, _FLAG, Water)
)
"""All links that there can be; their places are counted by ``_number``."""
_WATERS = len(Water)
_LETS_WALK, _LETS_DRIVE = (
    np.array([rule(link) for link in _EVERY_LINK]) for rule in (_lets_walk, _lets_drive)
)
_TURNS_BY_DAY, _TURNS_BY_NIGHT, _POINTS, _CAPACITY = (
    np.array([rule(link) for link in _EVERY_LINK], dtype=np.int32)
    for rule in (partial(_turns, night=False), partial(_turns, night=True), _points, _capacity)
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


@remembered(8)
def deeper_of(sheet: Sheet, depths_mm: Numbers) -> IntArray:
    """``deeper_mm`` of depths as a state keeps them; read-only."""
    deeper = deeper_mm(sheet, whole(depths_mm).astype(np.int32))
    deeper.flags.writeable = False
    return deeper


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
    if depth_mm.ndim == 1:
        deeper: IntArray = _deeper(sheet.edges, depth_mm)
        return deeper
    a, b = sheet.edges.T
    return np.maximum(depth_mm[..., a], depth_mm[..., b])


@njit(cache=True)
def _deeper(edges, depth_mm):  # type: ignore[no-untyped-def]
    deeper = np.empty(edges.shape[0], dtype=depth_mm.dtype)
    for link in range(edges.shape[0]):
        deeper[link] = max(depth_mm[edges[link, 0]], depth_mm[edges[link, 1]])
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
    return _depth_on(link.structure, link.pumps, depth_mm)


def _depth_on(*asked: npt.ArrayLike) -> IntArray:
    on_links = [np.asarray(one, dtype=np.int32) for one in asked]
    if len({one.shape for one in on_links}) > 1:
        on_links = list(np.broadcast_arrays(*on_links))
    structure, pumps, deeper = (one.ravel() for one in on_links)
    seen: IntArray = _depth_seen(structure, pumps, deeper, _FACTOR_TENTHS, PUMPED_MM)
    return seen.reshape(on_links[0].shape)


@njit(cache=True)
def _depth_seen(structure, pumps, depth_mm, factor_tenths, pumped_mm):  # type: ignore[no-untyped-def]
    seen = np.empty(structure.shape[0], dtype=np.int32)
    for link in range(structure.shape[0]):
        deeper = factor_tenths[structure[link]] * depth_mm[link] // 10
        seen[link] = max(deeper - pumped_mm * pumps[link], 0)
    return seen


def water_seen(link: Links, depth_mm: npt.ArrayLike) -> IntArray:
    """Class of the depth that a link sees (§3.4, 4.1)."""
    asked = link.structure, link.pumps, depth_mm
    return _water_on(*asked) if _never_change(*asked) else water_class(_depth_on(*asked))


@remembered(8)
def _water_on(*asked: npt.ArrayLike) -> IntArray:
    seen = water_class(_depth_on(*asked))
    seen.flags.writeable = False
    return seen


def _of_rule(table: npt.NDArray[Any], link: Links, depth_mm: npt.ArrayLike) -> npt.NDArray[Any]:
    """What a rule gives for links, from its values for ``_EVERY_LINK``; they broadcast."""
    water = water_seen(link, depth_mm)
    asked = link.link_class, link.foot, link.shut, link.footbridge, link.obstructed, link.jammed
    number = _number if _never_change(*asked, water) else _number_now
    values: npt.NDArray[Any] = table.take(number(*asked, water), mode="clip")
    return values


def _never_change(*asked: npt.ArrayLike) -> bool:
    """Whether all are read-only arrays: what is made of them is made once for all who ask."""
    return all(isinstance(one, np.ndarray) and not one.flags.writeable for one in asked)


@remembered(8)
def _number(*asked: npt.ArrayLike) -> npt.NDArray[np.integer[Any]]:
    number: npt.NDArray[np.intp] = _numbers(*asked)
    return number


def _number_now(*asked: npt.ArrayLike) -> npt.NDArray[np.integer[Any]]:
    """Place of links in ``_EVERY_LINK``."""
    road, *flags, water = (np.asarray(one, dtype=np.int16) for one in asked)
    number = road
    for flag in flags:
        number = 2 * number + flag
    return _WATERS * number + water


@njit(cache=True)
def _numbers(road, foot, shut, footbridge, obstructed, jammed, water):  # type: ignore[no-untyped-def]
    number = np.empty(road.shape[0], dtype=np.intp)
    for link in range(road.shape[0]):
        walked = 4 * road[link] + 2 * foot[link] + shut[link]
        stands = 4 * footbridge[link] + 2 * obstructed[link] + jammed[link]
        number[link] = _WATERS * (8 * walked + stands) + water[link]
    return number


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
        deep: BoolArray = water_class(depth_mm) >= int(Water.NAUTICAL)
        afloat: BoolArray = deep & ~np.asarray(link.barrier)
        return afloat
    table = _LETS_WALK if mode is Mode.FOOT else _LETS_DRIVE
    allowed: BoolArray = _of_rule(table, link, depth_mm)
    return allowed


def vehicle_cost(link: Links, depth_mm: npt.ArrayLike) -> IntArray:
    """Points that a vehicle spends on a link, or ``CLOSED``: road, water, what stands on it (§4.2).

    Examples
    --------
    >>> axis = Links(LinkClass.PRIMARY, Structure.ROAD, True)
    >>> vehicle_cost(axis, [0, 150, 300, 500]).tolist()
    [1, 3, 7, 0]

    """
    return _of_rule(_POINTS, link, depth_mm)


def foot_cost(link: Links, depth_mm: npt.ArrayLike, *, night: bool) -> IntArray:
    """Turns on foot over a link: 1, by night 2 in class-1 water (§10.4), or ``CLOSED``."""
    return _of_rule(_TURNS_BY_NIGHT if night else _TURNS_BY_DAY, link, depth_mm)


def foot_capacity(link: Links, depth_mm: npt.ArrayLike) -> IntArray:
    """People that a link carries on foot in a turn, both directions (§9.2, 10.3).

    Halved where it is not cleared; a footbridge's where that is the only way across.
    """
    return _of_rule(_CAPACITY, link, depth_mm)


def open_links(district: District, depth_mm: IntArray, mode: Mode) -> BoolArray:
    """``is_open`` for every link of a district, bare, under a depth (..., n_hex), millimetres."""
    return is_open(bare_links(district), deeper_mm(district.sheet, depth_mm), mode)
