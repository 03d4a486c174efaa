"""Areas from lines that a frame closes: the sea from its coast, an outline cut at the rim."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

Lines = npt.NDArray[Any]

BESIDE = 1e-4
"""A place beside a line lies off it by this share of the frame's diagonal, at most."""
SURE_SHARE = 2 / 3
"""Share of a face's coast that must agree on which side the sea is."""
GAP_SHARE = 0.1
"""A gap this small beside the outline's length is closed straight across."""


@dataclass(frozen=True, slots=True)
class Sea:
    """Sea inside a frame, and what of its coast could not be used.

    Attributes
    ----------
    shape : Polygon or MultiPolygon
        May be empty.
    ends_inside : int
        Pieces of coast that end inside the frame: they part no land from sea.
    undecided : int
        Faces left as land, since their coast has the sea on either side.
    """

    shape: Any
    ends_inside: int
    undecided: int


def sea_within(frame: shapely.Polygon, coast: Lines, rim: Any = None, reach: float = 0.0) -> Sea:
    """Sea inside a frame, from coastlines drawn with the land on their left.

    The coast cuts the frame into faces; each is sea where the coast along it has it on the right.
    The rim of the mapped area cuts too, and a face without a coast of its own is what most of it
    has across the rim: no shore runs there.

    Parameters
    ----------
    frame : Polygon
    coast : (n,) array of LineString
    rim : Polygon, optional
        The mapped area.
    reach : float
        A coast that ends this near to the rim is led straight to it.

    Examples
    --------
    >>> frame = shapely.box(0, 0, 4, 4)
    >>> shore = shapely.linestrings([[[2, -1], [2, 5]]])  # northwards: the sea is in the east
    >>> sea_within(frame, shore).shape.bounds
    (2.0, 0.0, 4.0, 4.0)
    """
    coast = _joined(coast)
    edges = [frame.exterior]
    if rim is not None:
        edges.append(rim.exterior)
        coast = np.array([_led_to(line, rim.exterior, reach, rim) for line in coast], dtype=object)
    inside = shapely.get_parts(shapely.intersection(coast, frame)) if len(coast) else coast
    inside = inside[shapely.get_dimensions(inside) == 1]
    faces, dangling = _faces(frame, edges, inside)
    start, end = _segments(inside)
    if not len(start):
        return Sea(shapely.MultiPolygon(), 0, 0)
    off = BESIDE * float(np.hypot(*np.subtract(frame.bounds[2:], frame.bounds[:2])))
    length = np.hypot(*(end - start).T)
    east, north = ((end - start) / length[:, np.newaxis]).T
    side = np.stack((north, -east), axis=1)  # to the right of the line
    side *= np.minimum(off, length / 4)[:, np.newaxis]
    tree = shapely.STRtree(faces)
    votes = np.zeros((2, len(faces)))
    for kind, beside in ((0, -side), (1, side)):
        point, face = tree.query(shapely.points((start + end) / 2 + beside), predicate="within")
        np.add.at(votes[kind], face, length[point])
    total = votes.sum(axis=0)
    told = total > 0
    share = np.divide(votes[1], total, out=np.zeros(len(faces)), where=told)
    sea = told & (share >= SURE_SHARE)
    unsure = told & ~sea & (share > 1 - SURE_SHARE)
    sea = _spread_across(faces, sea, ~told, inside)
    shape = shapely.union_all(faces[sea]) if sea.any() else shapely.MultiPolygon()
    return Sea(shape, dangling, int(unsure.sum()))


def closed_by(rim: shapely.Polygon, lines: Lines, reach: float) -> Any:
    """Area whose outline these lines are, closed along a rim; None where they do not close.

    An end near the rim is led to it; a small gap is closed straight across. Of the two areas that
    the lines part, the smaller is meant.

    Parameters
    ----------
    rim : Polygon
        The mapped area.
    lines : (n,) array of LineString
        In any order and direction.
    reach : float

    Examples
    --------
    >>> shore = shapely.linestrings([[[3, -1], [3, 2], [5, 2]]])
    >>> closed_by(shapely.box(0, 0, 4, 4), shore, 0.1).bounds
    (3.0, 0.0, 4.0, 2.0)
    """
    joined = _joined(lines, directed=False)
    joined = np.array([_straight_across(line) for line in joined], dtype=object)
    joined = np.array([_led_to(line, rim.exterior, reach, rim) for line in joined], dtype=object)
    inside = shapely.get_parts(shapely.intersection(joined, rim)) if len(joined) else joined
    inside = inside[shapely.get_dimensions(inside) == 1]
    faces, dangling = _faces(rim, [rim.exterior], inside)
    if dangling or len(faces) < 2:
        return None
    colour = _two_coloured(faces, inside)
    if colour is None:
        return None
    areas = shapely.area(faces)
    meant = colour if areas[colour].sum() <= areas[~colour].sum() else ~colour
    return shapely.union_all(faces[meant])


# --------------------------------------------------------------------------- lines
def _joined(lines: Lines, directed: bool = True) -> Lines:
    """Lines joined end to end where only two meet; each taken once."""
    if not len(lines):
        return np.empty(0, dtype=object)
    apart = shapely.get_parts(shapely.line_merge(shapely.multilinestrings(_once(lines)), directed))
    return np.asarray(apart, dtype=object)


def _once(lines: Lines) -> Lines:
    _, first = np.unique(shapely.to_wkb(lines), return_index=True)
    return lines[np.sort(first)]


def _led_to(line: Any, rim: Any, reach: float, area: Any) -> Any:
    """Line with each free end inside an area led straight to a rim within reach."""
    if line.is_closed:
        return line
    points = shapely.get_coordinates(line)
    ends = shapely.points(points[[0, -1]])
    near = shapely.covers(area, ends) & (shapely.distance(ends, rim) <= reach)
    for at, end in zip((0, len(points)), ends, strict=True):
        if near[0 if at == 0 else 1]:
            there = rim.interpolate(rim.project(end))
            # a hair beyond, so that the two surely meet
            step = np.array(there.coords[0]) - end.coords[0]
            points = np.insert(points, at, np.array(there.coords[0]) + 1e-6 * step, axis=0)
    return shapely.LineString(points)


def _straight_across(line: Any) -> Any:
    """Line closed where the gap between its ends is small beside its length."""
    points = shapely.get_coordinates(line)
    gap = float(np.hypot(*(points[0] - points[-1])))
    if len(points) < 3 or line.is_closed or gap > GAP_SHARE * line.length:
        return line
    return shapely.LineString(np.vstack((points, points[:1])))


def _segments(lines: Lines) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Start and end (n, 2) of every segment that has a length."""
    points, of = shapely.get_coordinates(lines, return_index=True)
    points = points.reshape(-1, 2)
    same = (of[1:] == of[:-1]) & (points[1:] != points[:-1]).any(axis=1)
    return points[:-1][same], points[1:][same]


# --------------------------------------------------------------------------- faces
def _faces(frame: Any, edges: list[Any], lines: Lines) -> tuple[Lines, int]:
    """Faces (n,) into which lines cut a frame, and how many lines end inside one."""
    noded = shapely.unary_union([*edges, *lines])
    faces, _, dangles, _ = shapely.polygonize_full([noded])
    found = shapely.get_parts(faces)
    inside = shapely.covers(frame, shapely.point_on_surface(found))
    hair = BESIDE * frame.length  # as long as what leads a line a hair beyond the rim, and more
    loose = shapely.length(shapely.intersection(lines, dangles)) > hair
    return found[inside], int(loose.sum())


def _shared(faces: Lines, lines: Lines) -> list[tuple[int, int, bool, float]]:
    """Pairs of faces that share a border, whether it is one of the lines, and its length."""
    tree = shapely.STRtree(faces)
    drawn = shapely.union_all(lines)
    rounding = 1e-11 * float(np.abs(shapely.total_bounds(faces)).max())
    pairs = []
    for a, b in tree.query(faces, predicate="intersects").T.tolist():
        if a >= b:
            continue
        border = shapely.intersection(faces[a].boundary, faces[b].boundary)
        if border.length > 0:
            middle = shapely.line_interpolate_point(_longest(border), 0.5, normalized=True)
            pairs.append((a, b, bool(middle.distance(drawn) <= rounding), float(border.length)))
    return pairs


def _longest(border: Any) -> Any:
    parts = shapely.get_parts(border)
    return parts[int(shapely.length(parts).argmax())]


def _spread_across(
    faces: Lines, sea: npt.NDArray[np.bool_], open_: npt.NDArray[np.bool_], coast: Lines
) -> npt.NDArray[np.bool_]:
    """Sea, with the faces without a coast that have more of it than of land across the rim."""
    if not (open_.any() and sea.any()):
        return sea
    sea, open_ = sea.copy(), open_.copy()
    pairs = [(a, b, metres) for a, b, drawn, metres in _shared(faces, coast) if not drawn]
    grown = True
    while grown:
        wet, dry = np.zeros(len(faces)), np.zeros(len(faces))
        for a, b, metres in (*pairs, *((b, a, metres) for a, b, metres in pairs)):
            if open_[b] and not open_[a]:
                (wet if sea[a] else dry)[b] += metres
        more = open_ & (wet > dry)
        grown = bool(more.any())
        sea |= more
        open_ &= ~more
    return sea


def _two_coloured(faces: Lines, lines: Lines) -> npt.NDArray[np.bool_] | None:
    """Colour of every face, another across each line; None where that cannot be."""
    colour = np.zeros(len(faces), dtype=np.int8)
    beside: dict[int, list[tuple[int, int]]] = {}
    for a, b, drawn, _ in _shared(faces, lines):
        sign = -1 if drawn else 1
        beside.setdefault(a, []).append((b, sign))
        beside.setdefault(b, []).append((a, sign))
    colour[0] = 1
    stack = [0]
    while stack:
        here = stack.pop()
        for there, sign in beside.get(here, ()):
            if not colour[there]:
                colour[there] = sign * colour[here]
                stack.append(there)
            elif colour[there] != sign * colour[here]:
                return None
    return colour > 0 if colour.all() else None
