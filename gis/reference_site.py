"""Site of the reference town: river, railway, lake, woods, and which hexes the town fills."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from shapely import LineString, Polygon, unary_union
from shapely.geometry.base import BaseGeometry

from gis.reference_board import Board, Float64Array
from gis.reference_chance import Chance, Swell
from sim.rules import SHEET_ACTIVE

RIVER_HALF_WIDTH_M = 42.0
RIVER_OFF_EDGE_M = 32.0  # how far its axis may leave the middle of the edges that it follows
MARGIN_M = 1_100.0  # drawn beyond the sheet, so that nothing ends at its rim
LAKE_HEXES = 20
YARD_HEXES = 7
CAMP_HEXES = 9
LEG_SLOPE = np.tan(np.radians(30))  # a railway along hex corners runs straight at 30°
BEND_RADIUS_M = 380.0


@dataclass(frozen=True)
class Site:
    """What nature and the railway left to build on. Metres about the middle of the sheet.

    Attributes
    ----------
    river_edges, rail_edges : tuple of int
        Shared edges that the river and the railway follow, from west to east.
    river_line, rail_line : LineString
        Their axes, drawn beyond the sheet.
    water : tuple of Polygon
        River first, then the lake.
    lake, yard, camp, woods : frozenset of int
        Inactive hexes by what covers them; the yard is railway land, the camp military ground.
    heart : (float, float)
        Middle of the old town.
    station : (float, float)
        Where the railway bends: the main station.
    lake_side : int
        1 if the lake lies in the east, -1 in the west; the expressway passes on the other side.
    """

    board: Board
    river_edges: tuple[int, ...]
    rail_edges: tuple[int, ...]
    river_line: LineString
    rail_line: LineString
    water: tuple[Polygon, ...]
    lake: frozenset[int]
    yard: frozenset[int]
    camp: frozenset[int]
    woods: frozenset[int]
    heart: tuple[float, float]
    station: tuple[float, float]
    lake_side: int
    guide: "RiverGuide"

    @cached_property
    def inactive(self) -> frozenset[int]:
        """Hexes that are not of the town."""
        return self.lake | self.yard | self.camp | self.woods

    @cached_property
    def active(self) -> frozenset[int]:
        """Hexes of the town."""
        return frozenset(range(self.board.sheet.n_hexes)) - self.inactive

    @cached_property
    def barrier_edges(self) -> frozenset[int]:
        """Edges that the river or the railway follows."""
        return frozenset(self.river_edges) | frozenset(self.rail_edges)

    @cached_property
    def water_area(self) -> BaseGeometry:
        """River and lake in one."""
        return unary_union(self.water)


class NoSuchTownError(Exception):
    """These draws give no town with the printed figures; the next ones may."""


class RiverGuide:
    """The course that the river seeks: northing by easting, metres."""

    def __init__(self, chance: Chance, middle_m: float) -> None:
        self._middle = 0.0
        self._long = (
            chance.between(380, 620),
            chance.between(8_000, 10_500),
            chance.between(0, 2 * np.pi),
        )
        self._short = (
            chance.between(170, 250),
            chance.between(3_000, 3_900),
            chance.between(0, 2 * np.pi),
        )

        self._middle = middle_m - float(self.at(0.0))

    def at(self, x: "float | Float64Array") -> Float64Array:
        """Northing of the river at some eastings, metres."""
        px = np.asarray(x, dtype=float)
        y = np.full(px.shape, self._middle)
        for reach, length, phase in (self._long, self._short):
            y = y + reach * np.sin(2 * np.pi * px / length + phase)
        return y


def lay_site(board: Board, chance: Chance) -> Site:
    """Lay river, railway, lake, woods and the active area."""
    apex_x, apex_y = chance.between(-700, 700), chance.between(-900, -650)
    guide = RiverGuide(chance, chance.between(650, 900))
    rail_edges, rail_line, station = _railway(board, apex_x, apex_y)
    river_edges, river_line = _river(board, guide)
    river = _river_area(river_line, chance)
    heart = (apex_x, float((station[1] + guide.at(apex_x)) / 2 + 60))
    wet = _hexes_of_edges(board, river_edges)
    railside = _hexes_of_edges(board, rail_edges)
    lake = _lake(board, chance, guide, wet | railside)
    east = 1 if board.centres[min(lake)][0] > 0 else -1
    yard = _yard(board, rail_edges, station, wet, east)
    taken = lake | yard
    camp = _camp(board, chance, heart, taken | wet | railside)
    woods = _woods(board, chance, taken | camp, wet | railside)
    return Site(
        board, river_edges, rail_edges, river_line, rail_line,
        (river, _lake_area(board, lake)), lake, yard, camp, woods, heart, station, east, guide,
    )  # fmt: skip


def _hexes_of_edges(board: Board, edges: tuple[int, ...]) -> frozenset[int]:
    return frozenset(board.sheet.edges[list(edges)].reshape(-1).tolist())


# ------------------------------------------------------------------------------------- river
def _river(board: Board, guide: RiverGuide) -> tuple[tuple[int, ...], LineString]:
    half_width, _ = board.half_size
    x = board.vertices[:, 0]
    west, east = x < x.min() + 80, x > x.max() - 80
    start_near = board.vertices - (-half_width, float(guide.at(-half_width)))
    start = int(np.where(west, np.hypot(*start_near.T), np.inf).argmin())
    end_near = board.vertices - (half_width, float(guide.at(half_width)))
    end = int(np.where(east, np.hypot(*end_near.T), np.inf).argmin())
    off = board.edge_middles[:, 1] - guide.at(board.edge_middles[:, 0])
    chain = board.corner_path(start, {end}, 1 + (off / 90) ** 2)
    middles = _eased(board.edge_middles[chain])
    far = half_width + MARGIN_M
    outer = np.array([-far, -far + 450, far - 450, far])
    wings = np.column_stack((outer, guide.at(outer)))
    points = np.vstack(
        (wings[:2], board.vertices[[start]], middles, board.vertices[[end]], wings[2:])
    )
    return tuple(chain), LineString(rounded_corners(points, 3))


def _eased(middles: Float64Array) -> Float64Array:
    """Soften the zigzag of the edges; no point leaves its edge's middle by far."""
    points = middles.copy()
    for _ in range(30):
        points[1:-1] += 0.5 * ((points[:-2] + points[2:]) / 2 - points[1:-1])
        off = points - middles
        reach = np.hypot(off[:, 0], off[:, 1])
        points = middles + off * np.minimum(1, RIVER_OFF_EDGE_M / np.maximum(reach, 1))[:, None]
    return points


def rounded_corners(points: Float64Array, times: int) -> Float64Array:
    """Polyline with its corners cut (Chaikin); ends stay."""
    for _ in range(times):
        a, b = points[:-1], points[1:]
        inner = np.empty((2 * len(a), 2))
        inner[0::2] = 0.75 * a + 0.25 * b
        inner[1::2] = 0.25 * a + 0.75 * b
        points = np.vstack((points[:1], inner[1:-1], points[-1:]))
    return points


def _river_area(line: LineString, chance: Chance) -> Polygon:
    swell = Swell(chance, 500, 2_500, 6)
    points = np.array(line.segmentize(40).coords)
    step = np.gradient(points, axis=0)
    normal = np.column_stack((-step[:, 1], step[:, 0]))
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    spread = np.clip(swell.at(points[:, 0], points[:, 1]), -1.3, 1.3)
    half = (RIVER_HALF_WIDTH_M + 4 * spread)[:, None]
    bank = np.vstack((points + half * normal, (points - half * normal)[::-1]))
    area = Polygon(bank).buffer(0)
    # a bank that folds over itself in a bend leaves slivers: the river is the largest piece
    return max(getattr(area, "geoms", [area]), key=lambda piece: piece.area)


# ----------------------------------------------------------------------------------- railway
def _railway(
    board: Board, x: float, y: float
) -> tuple[tuple[int, ...], LineString, tuple[float, float]]:
    near = np.hypot(*(board.vertices - (x, y)).T)
    for apex in np.argsort(near, kind="stable").tolist():
        if _along(board, apex, 0.0) is not None:
            break
    east = _leg(board, apex, (0.0, -60.0))
    west = _leg(board, apex, (-120.0, 180.0))
    corner = board.vertices[apex]
    # midpoints of a leg's edges lie on one line: a straight track, bent once at the station
    east_dir = np.array([np.cos(np.radians(-30)), np.sin(np.radians(-30))])
    west_dir = east_dir * (-1, 1)
    bend = _meeting(board.edge_middles[east[1]], east_dir, board.edge_middles[west[1]], west_dir)
    far = (board.half_size[0] + MARGIN_M) / np.cos(np.radians(30)) * 1.35
    turn = np.radians(np.linspace(-30, 30, 13))
    arc_middle = bend - (0.0, BEND_RADIUS_M / np.cos(np.radians(30)))
    arc = arc_middle + BEND_RADIUS_M * np.column_stack((np.sin(turn), np.cos(turn)))
    points = np.vstack(([bend + far * west_dir], arc, [bend + far * east_dir]))
    edges = (*west[::-1], *east)
    return edges, LineString(points), (float(corner[0]), float(arc[6][1]))


def _meeting(
    a: Float64Array, along_a: Float64Array, b: Float64Array, along_b: Float64Array
) -> Float64Array:
    share = np.linalg.solve(np.column_stack((along_a, -along_b)), b - a)
    return np.asarray(a + share[0] * along_a)


def _along(board: Board, vertex: int, degrees: float) -> tuple[int, int] | None:
    """Edge and far corner that leave a corner in a direction, if any."""
    wanted = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    for edge, there in board.edges_at[vertex]:
        step = board.vertices[there] - board.vertices[vertex]
        if float(step @ wanted) > 0.9 * float(np.hypot(*step)):
            return edge, there
    return None


def _leg(board: Board, vertex: int, directions: tuple[float, float]) -> list[int]:
    chain: list[int] = []
    while (found := _along(board, vertex, directions[len(chain) % 2])) is not None:
        edge, vertex = found
        chain.append(edge)
    return chain


# ---------------------------------------------------------------------------- inactive hexes
def _lake(board: Board, chance: Chance, guide: RiverGuide, avoid: frozenset[int]) -> frozenset[int]:
    side = 1 if chance.happens(0.5) else -1
    x = side * chance.between(2_300, 3_000)
    y = float(guide.at(x)) + chance.between(1_150, 1_450)
    seed = int(np.hypot(*(board.centres - (x, y)).T).argmin())
    shore = avoid | {n for c in avoid for _, n in board.edges_of[c]}
    # longer than wide, and ragged
    swell = Swell(chance, 500, 1_500, 6)
    allowed = {
        c for c in range(board.sheet.n_hexes)
        if c not in shore
        and abs(board.centres[c][1] - y) < 560 + 120 * float(swell.at(*board.centres[c]))
    }  # fmt: skip
    return frozenset(board.grown([seed], allowed, LAKE_HEXES))


def _lake_area(board: Board, lake: frozenset[int]) -> Polygon:
    ring = outline(board, lake).buffer(80).buffer(-150).buffer(42).simplify(30).exterior
    points = np.array(ring.coords)[:-1]
    return Polygon(rounded_ring(points, 3)).simplify(1)


def rounded_ring(points: Float64Array, times: int) -> Float64Array:
    """Closed ring with its corners cut (Chaikin)."""
    for _ in range(times):
        after = np.roll(points, -1, axis=0)
        inner = np.empty((2 * len(points), 2))
        inner[0::2] = 0.75 * points + 0.25 * after
        inner[1::2] = 0.25 * points + 0.75 * after
        points = inner
    return points


def outline(board: Board, cells: Iterable[int]) -> BaseGeometry:
    """Ground of some hexes in one; corners on the centimetre, so that neighbours fit."""
    hexes = [Polygon(np.round(board.corners[c], 2)) for c in sorted(cells)]
    return unary_union(hexes, grid_size=0.05)


def _yard(
    board: Board,
    rail_edges: tuple[int, ...],
    station: tuple[float, float],
    wet: frozenset[int],
    east: int,
) -> frozenset[int]:
    """Hexes in a row south of the track, to the lake's side of the station."""
    south: list[int] = []
    for edge in rail_edges[::east]:
        if (board.edge_middles[edge][0] - station[0]) * east < 1_750:
            continue
        pair = board.sheet.edges[edge].tolist()
        lower = min(pair, key=lambda c: (board.centres[c][1], c))
        if lower not in south and lower not in wet:
            south.append(lower)
    return frozenset(south[:YARD_HEXES])


def _camp(
    board: Board, chance: Chance, heart: tuple[float, float], avoid: frozenset[int]
) -> frozenset[int]:
    side = 1 if chance.happens(0.5) else -1
    x, y = heart[0] + side * chance.between(2_300, 2_900), heart[1] - chance.between(2_600, 3_000)
    allowed = set(range(board.sheet.n_hexes)) - avoid
    seed = min(allowed, key=lambda c: (np.hypot(*(board.centres[c] - (x, y))), c))
    return frozenset(board.grown([seed], allowed, CAMP_HEXES))


def _woods(
    board: Board, chance: Chance, taken: frozenset[int], kept: frozenset[int]
) -> frozenset[int]:
    """Wooded hills at the corners of the sheet, until just the active hexes are left."""
    wanted = board.sheet.n_hexes - SHEET_ACTIVE - len(taken)
    half_width, half_height = board.half_size
    x, y = board.centres.T
    out = (np.abs(x) / half_width) ** 2.4 + (np.abs(y) / half_height) ** 2.4
    lean = chance.between(0, 2 * np.pi)
    tilt = 0.16 * (np.cos(lean) * x / half_width + np.sin(lean) * y / half_height)
    hill = out + tilt + 0.22 * Swell(chance, 1_500, 5_000).at(x, y)
    hill[sorted(kept)] -= 0.35
    order = [c for c in np.argsort(-hill, kind="stable").tolist() if c not in taken]
    woods = set(order[:wanted])
    every = set(range(board.sheet.n_hexes))
    for _ in range(40):
        towns = board.pieces(every - woods - taken, set())
        islets = {c for piece in towns[1:] for c in piece}
        lone = {c for c in woods if not any(n in woods | taken for _, n in board.edges_of[c])}
        if not islets and not lone and len(woods) == wanted:
            return frozenset(woods)
        woods = (woods | islets) - lone
        spare = [c for c in order[::-1] if c in woods and c not in islets]
        more = [c for c in order if c not in woods and c not in lone]
        while len(woods) > wanted:
            woods.discard(spare.pop(0))
        while len(woods) < wanted:
            woods.add(more.pop(0))
    raise NoSuchTownError("the woods leave the town in pieces")
