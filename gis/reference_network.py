"""Road network of the reference town: a warped street grid, and exactly the printed link counts.

The grid bends with the river and turns in the old town; some of its lines are promoted to
expressway, primary and secondary roads until each class crosses just as many shared edges as §3.1
prints. What is left of the edges carries local streets, but for rivers, railways, walls and woods.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely
from shapely import LineString, Point

from gis.reference_board import Board, Float64Array
from gis.reference_chance import Chance, Swell
from gis.reference_site import MARGIN_M, NoSuchTownError, Site
from sim.rules import LINKS, Fabric, LinkClass, Structure

CLEARANCE_M = 17.0  # streets keep off the corners where three hexes meet
RIVER, RAIL = "river", "rail"
SURE = (0.05, 0.95)  # share of an edge within which a main road decides its class
AMID = (0.16, 0.84)  # share of an edge within which a main road may pass river or railway


@dataclass(frozen=True)
class Crossing:
    """Where a street crosses a shared edge."""

    edge: int
    along: float  # share of the segment
    across: float  # share of the edge, from its first end


@dataclass(frozen=True)
class Segment:
    """A stretch of street between two neighbouring nodes of the grid."""

    line: int
    order: int
    ends: tuple[tuple[int, int], tuple[int, int]]


class Grid:
    """Streets as two families of lines: ``nodes[i, j]`` is where line i (north) meets j (east).

    Lines 0 to n_u - 1 run from south to north, lines n_u on from west to east.
    """

    def __init__(self, site: Site, chance: Chance) -> None:
        self.site = site
        half_width, half_height = site.board.half_size
        middle = float(site.guide.at(0.0))
        self.u = _spaced(chance, half_width + MARGIN_M, 0.0)
        self.v = _spaced(chance, half_height + MARGIN_M + abs(middle), -middle)
        u, v = np.meshgrid(self.u, self.v, indexing="ij")
        bend = site.guide.at(u) - middle
        x, y = u, v + middle + bend * np.exp(-((v / 2_600) ** 2))
        x = x + 60 * Swell(chance, 2_400, 5_000).at(u, v)
        y = y + 50 * Swell(chance, 2_400, 5_000).at(u, v)
        for cx, cy, turn, reach in _swirls(site, chance):
            dx, dy = x - cx, y - cy
            angle = turn * np.exp(-(dx**2 + dy**2) / reach**2)
            x = cx + dx * np.cos(angle) - dy * np.sin(angle)
            y = cy + dx * np.sin(angle) + dy * np.cos(angle)
        shake = chance.uniforms(2 * x.size).reshape(2, *x.shape) - 0.5
        self.nodes = np.stack((x + 16 * shake[0], y + 16 * shake[1]), axis=-1)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of lines of each family."""
        return self.nodes.shape[0], self.nodes.shape[1]

    def line_nodes(self, line: int) -> list[tuple[int, int]]:
        """Nodes of a line in order."""
        n_u, n_v = self.shape
        if line < n_u:
            return [(line, j) for j in range(n_v)]
        return [(i, line - n_u) for i in range(n_u)]

    def points(self, line: int) -> Float64Array:
        """(n, 2) course of a line, metres."""
        n_u, _ = self.shape
        return self.nodes[line] if line < n_u else self.nodes[:, line - n_u]

    def nearest_u(self, x: float) -> int:
        """Line of the northward family that starts from an easting in the unbent grid."""
        return int(np.abs(self.u - x).argmin())

    def nearest_v(self, off_river_m: float) -> int:
        """Line of the eastward family at a distance north of the river."""
        return self.shape[0] + int(np.abs(self.v - off_river_m).argmin())

    def segments(self) -> list[Segment]:
        """Every stretch between neighbouring nodes, line by line."""
        found = []
        for line in range(sum(self.shape)):
            nodes = self.line_nodes(line)
            found += [Segment(line, k, (a, b)) for k, (a, b) in enumerate(pairwise(nodes))]
        return found

    def keep_off_corners(self, clearance: float, times: int) -> None:
        """Push streets away from the corners of hexes, where they would cross two edges at once."""
        corners = self.site.board.vertices
        tree = shapely.STRtree(shapely.points(corners))
        limit = np.array(self.site.board.half_size) + 100
        for _ in range(times):
            push = np.zeros_like(self.nodes)
            weight = np.zeros(self.shape)
            for a, b in (
                (self.nodes[:, :-1], self.nodes[:, 1:]),
                (self.nodes[:-1], self.nodes[1:]),
            ):
                lines_middle = (a + b).reshape(-1, 2) / 2
                lines = shapely.linestrings(np.stack((a.reshape(-1, 2), b.reshape(-1, 2)), axis=1))
                near = np.flatnonzero((np.abs(lines_middle) < limit).all(axis=1))
                rows, hits = tree.query(lines[near], predicate="dwithin", distance=clearance)
                rows = near[rows]
                start, end = a.reshape(-1, 2)[rows], b.reshape(-1, 2)[rows]
                step = end - start
                share = np.clip(((corners[hits] - start) * step).sum(1) / (step**2).sum(1), 0, 1)
                off = start + share[:, None] * step - corners[hits]
                far = np.maximum(np.hypot(off[:, 0], off[:, 1]), 0.5)
                move = off / far[:, None] * (clearance + 1 - far)[:, None]
                index = np.arange(a.shape[0] * a.shape[1]).reshape(a.shape[:2])
                i, j = np.divmod(index.reshape(-1)[rows], a.shape[1])
                di, dj = self.shape[0] - a.shape[0], self.shape[1] - a.shape[1]
                np.add.at(push, (i, j), move * (1.2 - share)[:, None])
                np.add.at(push, (i + di, j + dj), move * (0.2 + share)[:, None])
                np.add.at(weight, (i, j), 1.0)
                np.add.at(weight, (i + di, j + dj), 1.0)
            if not weight.any():
                return
            self.nodes = self.nodes + push / np.maximum(weight, 1)[..., None]

    def straighten(self, line: int, share: float) -> None:
        """Move the nodes of a line towards the middle of their neighbours on it."""
        n_u, _ = self.shape
        points = self.nodes[line] if line < n_u else self.nodes[:, line - n_u]
        points[1:-1] += share * ((points[:-2] + points[2:]) / 2 - points[1:-1])

    def nudge(self, at: Float64Array, by: Float64Array, reach: float = 300.0) -> None:
        """Move the ground about a point, less and less with distance."""
        off = self.nodes - at
        share = np.exp(-((off**2).sum(axis=-1)) / reach**2)
        self.nodes = self.nodes + share[..., None] * by


def _spaced(chance: Chance, reach: float, middle: float) -> Float64Array:
    """Positions of the lines of a family: close in the middle of the town, wider outside."""
    sides = []
    for sign in (1, -1):
        at, row = 45.0 * sign, []
        while abs(at) < reach:
            row.append(at)
            step = 98 + 40 * min(1.0, (abs(at - middle) / 4_300) ** 1.3)
            at += sign * step * chance.between(0.86, 1.16)
        sides.append(row)
    return np.array(sides[1][::-1] + sides[0])


def _swirls(site: Site, chance: Chance) -> list[tuple[float, float, float, float]]:
    x, y = site.heart
    sign = 1 if chance.happens(0.5) else -1
    return [
        (x, y - 60, 0.34 * sign, 620.0),
        (x + 1_900, y + 1_750, -0.26 * sign, 800.0),
        (x - 1_900, y - 1_000, -0.24 * sign, 800.0),
        (x + 2_300, y - 900, 0.22 * sign, 850.0),
        (x - 2_000, y + 1_700, 0.22 * sign, 800.0),
        (x + 150, y - 2_300, -0.2 * sign, 800.0),
    ]


@dataclass
class Extra:
    """A stretch of road off the grid: the curve of the expressway."""

    points: Float64Array
    crossings: list[Crossing]


@dataclass
class Network:
    """Which class every stretch of the grid has, and what every shared edge carries.

    Attributes
    ----------
    classes : (n_segment,) int
        Road class of every stretch; 0 where none is drawn.
    link_class, structure : (n_edge,) int
    foot_paths : tuple of int
        Edges that only a footbridge or path crosses.
    tracks : frozenset of int
        Stretches through the woods.
    passages : dict
        (stretch, edge) of every street that crosses the river or the railway, and how:
        ``bridge``, ``underpass`` or ``level``.
    compounds : tuple of tuple of int
        Hexes of every walled estate; ``gates`` are the edges through their walls.
    """

    grid: Grid
    segments: list[Segment]
    crossings: list[list[Crossing]]
    classes: np.ndarray
    curve: Extra
    link_class: np.ndarray
    structure: np.ndarray
    tracks: frozenset[int]
    passages: dict[tuple[int, int], str]
    compounds: tuple[tuple[int, ...], ...]
    gates: frozenset[int]
    foot_paths: tuple[int, ...]


CURVE = -1  # the expressway's curve, where a stretch's number is asked


def crossings_of(board: Board, starts: Float64Array, ends: Float64Array) -> list[list[Crossing]]:
    """Shared edges that each straight stretch crosses, in order along it."""
    tree = shapely.STRtree(shapely.linestrings(board.edge_ends))
    rows, edges = tree.query(
        shapely.linestrings(np.stack((starts, ends), axis=1)), predicate="intersects"
    )
    p, r = starts[rows], ends[rows] - starts[rows]
    q = board.edge_ends[edges, 0]
    s = board.edge_ends[edges, 1] - q
    cross = r[:, 0] * s[:, 1] - r[:, 1] * s[:, 0]
    d = q - p
    along = (d[:, 0] * s[:, 1] - d[:, 1] * s[:, 0]) / cross
    across = (d[:, 0] * r[:, 1] - d[:, 1] * r[:, 0]) / cross
    found: list[list[Crossing]] = [[] for _ in starts]
    for k in np.lexsort((edges, along, rows)).tolist():
        found[rows[k]].append(Crossing(int(edges[k]), float(along[k]), float(across[k])))
    return found


def plan_network(site: Site, fabric: dict[int, Fabric], chance: Chance) -> Network:
    """Plan roads whose links are exactly those of the reference sheet (§3.1).

    Raises
    ------
    NoSuchTownError
        If these draws cannot reach the printed counts.
    """
    return _Planner(site, fabric, chance).network()


class _Planner:
    def __init__(self, site: Site, fabric: dict[int, Fabric], chance: Chance) -> None:
        self.site, self.fabric, self.chance = site, fabric, chance
        self.board = site.board
        self.grid = Grid(site, chance)
        self.primaries, self.secondaries = self._wishes()
        self._fit_to_barriers()
        self.segments = self.grid.segments()
        self.number = {(s.line, s.order): k for k, s in enumerate(self.segments)}
        starts = np.array([self.grid.nodes[s.ends[0]] for s in self.segments])
        ends = np.array([self.grid.nodes[s.ends[1]] for s in self.segments])
        self.starts, self.ends = starts, ends
        self.crossings = crossings_of(self.board, starts, ends)
        middles = (starts + ends) / 2
        origin = self.board.origin
        at = self.board.lattice.cells_at(middles[:, 0] + origin[0], middles[:, 1] + origin[1])
        self.cell = at
        self.classes = np.ones(len(self.segments), dtype=int)
        self.barrier = self.site.barrier_edges
        self.link: dict[int, LinkClass] = {}
        self.passages: dict[tuple[int, int], str] = {}

    # ------------------------------------------------------------------- where the roads should go
    def _wishes(self) -> tuple[list[int], list[int]]:
        x, side = self.site.heart[0], self.site.lake_side
        u, v = self.grid.nearest_u, self.grid.nearest_v
        self.ring_u = u(x - side * 2_750)
        north = [u(x + 330), u(x - 1_450), u(x + 1_480), u(x - 560), u(x + 930)]
        north += [u(x + side * 2_150), u(x - side * 2_100)]
        north += [u(x - side * 3_600), u(x + side * 3_450)]
        self.passed = [p for line in (self.ring_u, *north) for p in self._rail_meetings(line)]
        self.ring_v = self._apart(v(-2_750))
        east = [v(-480), v(700), self._apart(v(-1_900)), v(1_750)]
        east += [self._apart(v(-1_150)), v(-215), v(250), v(1_250), v(2_300)]
        east += [self._apart(v(-2_400))]
        primaries = [north[0], east[0], east[1], north[1], north[2], east[2], east[3]]
        secondaries = [
            north[3], east[4], north[4], *east[5:8], *north[5:7], *north[7:9], *east[8:10],
        ]  # fmt: skip
        return primaries, secondaries

    def _rail_meetings(self, line: int) -> list[Point]:
        meeting = LineString(self.grid.points(line)).intersection(self.site.rail_line)
        return [p for p in getattr(meeting, "geoms", [meeting]) if not p.is_empty]

    def _apart(self, line: int) -> int:
        """Line near this one that meets the railway well apart from the other main roads."""
        n_u, n_v = self.grid.shape

        def room(candidate: int) -> float:
            meetings = self._rail_meetings(candidate)
            apart = [p.distance(q) for p in meetings for q in self.passed]
            return float(min([420.0, *apart])) - 12 * abs(candidate - line)

        best = max((line + k for k in (0, 1, -1, 2, -2, 3, -3) if n_u <= line + k < n_u + n_v),
                   key=room)  # fmt: skip
        self.passed += self._rail_meetings(best)
        return best

    def _fit_to_barriers(self) -> None:
        """Bend the grid so that main roads cross river and railway amid an edge."""
        n_u = self.grid.shape[0]
        mains = sorted({*self.primaries, *self.secondaries, self.ring_u, self.ring_v})
        self.grid.keep_off_corners(CLEARANCE_M, 4)
        self.aims: dict[tuple[int, str, int], int] = {}
        for _ in range(14):
            for line in mains:
                self.grid.straighten(line, 0.35)
                for kind in (RIVER, RAIL):
                    if kind == RAIL or line < n_u:
                        self._aim(line, kind)
            self.grid.keep_off_corners(CLEARANCE_M, 2)

    def _aim(self, line: int, kind: str) -> None:
        """Move the ground so that a line passes a barrier by the middle of an edge."""
        axis = self.site.river_line if kind == RIVER else self.site.rail_line
        edges = list(self.site.river_edges if kind == RIVER else self.site.rail_edges)
        course = LineString(self.grid.points(line))
        meeting = course.intersection(axis)
        points = [p for p in getattr(meeting, "geoms", [meeting]) if isinstance(p, Point)]
        for place, point in enumerate(sorted(points, key=lambda p: (p.x, p.y))):
            if point.is_empty:
                continue
            at = np.array(point.coords[0])
            off = self.board.edge_middles[edges] - at
            if (line, kind, place) not in self.aims:
                along = course.project(point)
                ahead = np.array(course.interpolate(along + 40).coords[0])
                behind = np.array(course.interpolate(along - 40).coords[0])
                step = (ahead - behind) / max(1.0, float(np.hypot(*(ahead - behind))))
                slant = 1 - np.abs(self.board.edge_normals[edges] @ step)
                price = np.hypot(off[:, 0], off[:, 1]) + 170 * slant
                price[[e in self.aims.values() for e in edges]] = np.inf
                self.aims[line, kind, place] = edges[int(price.argmin())]
            move = off[edges.index(self.aims[line, kind, place])]
            if float(np.hypot(*move)) < 260:
                self.grid.nudge(at, 0.6 * move)

    # ----------------------------------------------------------------------------- exact counts
    def network(self) -> Network:
        """Promote lines class by class, wall estates, then open just enough local links."""
        self._expressway()
        self._promote(LinkClass.PRIMARY, self.primaries)
        self._promote(LinkClass.SECONDARY, self.secondaries)
        self._check_passages()
        compounds, gates = self._compounds()
        tracks = self._locals(gates, compounds)
        link_class = np.zeros(self.board.sheet.n_edges, dtype=int)
        for edge, cls in self.link.items():
            link_class[edge] = cls
        for cls, row in LINKS.items():
            if int((link_class == cls).sum()) != row.reference_count:
                raise NoSuchTownError(f"{int((link_class == cls).sum())} links of class {cls}")
        structure = np.zeros(self.board.sheet.n_edges, dtype=int)
        for (_, edge), how in self.passages.items():
            structure[edge] = {
                "bridge": Structure.BRIDGE, "underpass": Structure.UNDERPASS,
                "level": Structure.ROAD,
            }[how]  # fmt: skip
        return Network(
            self.grid, self.segments, self.crossings, self.classes, self.curve, link_class,
            structure, tracks, self.passages, compounds, gates, self._foot_paths(),
        )  # fmt: skip

    def _run(self, line: int, whole: bool) -> list[int]:
        """Longest stretch of a line on ground fit for a main road."""
        row = [self.number[line, k] for k in range(len(self.grid.line_nodes(line)) - 1)]
        closed = self.site.lake | self.site.yard | self.site.camp
        if not whole:
            closed = closed | self.site.woods
        eastward = line >= self.grid.shape[0]
        runs: list[list[int]] = [[]]
        for k in row:
            wet = eastward and any(c.edge in self.site.river_edges for c in self.crossings[k])
            wet = wet or (eastward and self._in_water(k))
            shut = int(self.cell[k]) in closed or (int(self.cell[k]) < 0 and not whole)
            shut = shut or any(
                int(h) in closed for c in self.crossings[k] for h in self.board.sheet.edges[c.edge]
            )
            # a road that would pass a barrier near a corner ends before it
            shut = shut or any(
                c.edge in self.barrier and not AMID[0] < c.across < AMID[1]
                for c in self.crossings[k]
            )
            if wet or shut:
                runs.append([])
            else:
                runs[-1].append(k)
        return max(runs, key=len)

    def _in_water(self, k: int) -> bool:
        line = LineString((self.starts[k], self.ends[k]))
        return bool(self.site.water[0].distance(line) < 8)

    def _outward(self, run: list[int]) -> list[int]:
        """Stretches of a run from the one nearest to the heart of the town outward."""
        if not run:
            return run
        middles = (self.starts[run] + self.ends[run]) / 2
        near = int(np.hypot(*(middles - self.site.heart).T).argmin())
        fore, back = run[near:], run[:near][::-1]
        mixed: list[int] = []
        for k in range(max(len(fore), len(back))):
            mixed += fore[k : k + 1] + back[k : k + 1]
        return mixed

    def _expressway(self) -> None:
        """A quarter of a ring: down the far side of town, round, and in along the south."""
        reaches = (620.0, 720.0, 540.0, 820.0, 460.0, 920.0)
        for reach in reaches:
            try:
                self._expressway_with(reach)
            except NoSuchTownError:
                if reach == reaches[-1]:
                    raise
            else:
                return

    def _expressway_with(self, reach: float) -> None:
        n_u = self.grid.shape[0]
        down = self._run(self.ring_u, whole=True)[::-1]
        corner = self.grid.nodes[self.ring_u, self.ring_v - n_u]
        along = [
            self.number[self.ring_v, k] for k in range(len(self.grid.line_nodes(self.ring_v)) - 1)
        ]
        if self.site.lake_side < 0:
            along = along[::-1]
        kept = [k for k in down if self._ahead(k, corner, 1) > reach]
        heading = self.site.lake_side
        turned = [
            k for k in along
            if heading * (min(self.starts[k][0], self.ends[k][0], key=lambda x: heading * x)
                          - corner[0]) > reach
        ]  # fmt: skip
        start = min((self.starts[kept[-1]], self.ends[kept[-1]]), key=lambda p: float(p[1]))
        before = max((self.starts[kept[-1]], self.ends[kept[-1]]), key=lambda p: float(p[1]))
        first = sorted(
            (self.starts[turned[0]], self.ends[turned[0]]), key=lambda p: heading * float(p[0])
        )
        self.curve = self._bend(before, start, first[0], first[1])
        chain = [*kept, CURVE, *turned]
        window = self._window(chain, LINKS[LinkClass.EXPRESSWAY].reference_count)
        used = chain[window[0] : window[1]]
        for k in used:
            for c in self.curve.crossings if k == CURVE else self.crossings[k]:
                if c.edge in self.barrier and not AMID[0] < c.across < AMID[1]:
                    raise NoSuchTownError(f"the expressway passes a barrier near a corner: {c}")
        for k in used:
            here = self.curve.crossings if k == CURVE else self.crossings[k]
            if k != CURVE:
                self.classes[k] = LinkClass.EXPRESSWAY
            self._pass(k, here, LinkClass.EXPRESSWAY)
            self.link |= dict.fromkeys((c.edge for c in here), LinkClass.EXPRESSWAY)
        rest = [k for k in turned if self.classes[k] == 1]
        goal = self.grid.u[self.primaries[0]]
        self.spur = [*kept[: window[0]]] + [
            k for k in rest if heading * (self.starts[k][0] - goal) < 60
        ]

    def _window(self, chain: list[int], target: int) -> tuple[int, int]:
        """First run of a chain with just so many links; it holds the curve."""
        for first in range(12):
            found: set[int] = set()
            for last in range(first, len(chain)):
                k = chain[last]
                here = self.curve.crossings if k == CURVE else self.crossings[k]
                found |= {c.edge for c in here}
                if len(found) == target and CURVE in chain[first:last]:
                    return first, last + 1
        raise NoSuchTownError("no expressway of just so many links")

    def _ahead(self, k: int, corner: Float64Array, axis: int) -> float:
        return float(min(self.starts[k][axis], self.ends[k][axis]) - corner[axis])

    def _bend(
        self, before: Float64Array, start: Float64Array, end: Float64Array, after: Float64Array
    ) -> Extra:
        out = (start - before) / np.hypot(*(start - before))
        into = (after - end) / np.hypot(*(after - end))
        far = float(np.hypot(*(end - start))) * 0.42
        t = np.linspace(0, 1, 17)[:, None]
        a, b = start + far * out, end - far * into
        points = (
            (1 - t) ** 3 * start + 3 * t * (1 - t) ** 2 * a + 3 * t**2 * (1 - t) * b + t**3 * end
        )
        corners = self.board.vertices
        for _ in range(30):
            for p in range(1, len(points) - 1):
                off = points[p] - corners
                reach = np.hypot(off[:, 0], off[:, 1])
                near = int(reach.argmin())
                if reach[near] < 26:
                    points[p] += off[near] / reach[near] * (27 - reach[near])
        rows = crossings_of(self.board, points[:-1], points[1:])
        return Extra(points, [c for row in rows for c in row])

    def _pass(self, k: int, crossings: Iterable[Crossing], cls: LinkClass) -> None:
        """Say how a road of this class passes the barriers that a stretch crosses."""
        for crossing in crossings:
            if crossing.edge not in self.barrier:
                continue
            if not AMID[0] < crossing.across < AMID[1]:
                raise NoSuchTownError(f"a main road passes a barrier near a corner: {crossing}")
            if crossing.edge in self.site.river_edges or cls == LinkClass.EXPRESSWAY:
                how = "bridge"
            elif cls == LinkClass.PRIMARY:
                how = "underpass"
            else:
                how = "underpass" if len(self.passages) % 3 else "level"
            self.passages[k, crossing.edge] = how

    def _promote(self, cls: LinkClass, lines: Sequence[int]) -> None:
        target = LINKS[cls].reference_count
        count = 0
        wishes = [self.spur] if cls == LinkClass.PRIMARY else []
        for place, line in enumerate(lines):
            whole = cls == LinkClass.PRIMARY and place < 3
            wishes.append(self._outward(self._run(line, whole)))
        for run in wishes:
            stopped: set[int] = set()
            for k in run:
                if self.classes[k] >= cls:
                    continue
                line, order = self.segments[k].line, self.segments[k].order
                heart = run[0]
                side = 1 if order >= self.segments[heart].order else -1
                if side in stopped:
                    continue
                new = {c.edge for c in self.crossings[k]} - set(self.link)
                if count + len(new) > target:
                    stopped.add(side)
                    continue
                count += len(new)
                self.classes[k] = cls
                for edge in new:
                    self.link[edge] = cls
                self._pass(k, self.crossings[k], cls)
                if count == target:
                    return
        raise NoSuchTownError(f"only {count} links of class {cls}")

    def _check_passages(self) -> None:
        edges = [edge for _, edge in self.passages]
        if len(edges) != len(set(edges)):
            raise NoSuchTownError("two main roads pass a barrier by one edge")
        sure = {
            c.edge for k, crossings in enumerate(self.crossings) if self.classes[k] > 1
            for c in crossings if SURE[0] < c.across < SURE[1]
        } | {c.edge for c in self.curve.crossings if SURE[0] < c.across < SURE[1]}  # fmt: skip
        if not set(self.link) <= sure:
            raise NoSuchTownError("a main road slips by a corner of the hexes")
        rails = {how for (_, edge), how in self.passages.items() if edge in self.site.rail_edges}
        if "underpass" not in rails:
            raise NoSuchTownError("no underpass")

    # ------------------------------------------------------------------------ walled estates
    def _compounds(self) -> tuple[tuple[tuple[int, ...], ...], frozenset[int]]:
        """Estates of towers that no main road enters, and the edges of their gates."""
        board = self.board
        taken: set[int] = set()
        estates: list[tuple[int, ...]] = []
        gates: set[int] = set()
        free = {
            c for c, f in self.fabric.items()
            if f is Fabric.TOWER_COMPOUND
            and not any(e in self.link or e in self.barrier for e, _ in board.edges_of[c])
        }  # fmt: skip
        for cell in self.chance.shuffled(sorted(free)):
            if len(estates) == 13 or cell not in free or cell in taken:
                continue
            estate = board.grown([cell], free - taken, 3 + self.chance.below(3))
            border = [e for c in estate for e, n in board.edges_of[c] if n not in estate]
            out = [
                e for e in border
                if all(int(h) in self.site.active for h in board.sheet.edges[e])
            ]  # fmt: skip
            if len(estate) < 2 or len(out) < 7:
                continue
            estates.append(tuple(sorted(estate)))
            angle = {
                e: float(np.arctan2(*(board.edge_middles[e] - board.centres[estate].mean(0))))
                for e in out
            }
            turn = sorted(out, key=lambda e: angle[e])
            wanted = 2 if len(estate) < 4 else 3
            shift = self.chance.below(len(turn))
            gates |= {turn[(shift + g * len(turn) // wanted) % len(turn)] for g in range(wanted)}
            # one hex apart, so that a street may pass between two walls
            taken |= {n for c in estate for _, n in board.edges_of[c]} | set(estate)
        self.walls = {
            e for estate in estates for c in estate
            for e, n in board.edges_of[c] if n not in estate
        } - gates  # fmt: skip
        return tuple(estates), frozenset(gates)

    # --------------------------------------------------------------------------- local links
    def _locals(
        self, gates: frozenset[int], compounds: tuple[tuple[int, ...], ...]
    ) -> frozenset[int]:
        active, sheet = self.site.active, self.board.sheet
        both = [e for e, (a, b) in enumerate(sheet.edges.tolist()) if a in active and b in active]
        for edge in both:
            if edge not in self.link and edge not in self.barrier and edge not in self.walls:
                self.link[edge] = LinkClass.LOCAL
        self._small_crossings()
        self._join_pieces()
        return self._tracks()

    def _candidates(self, slack: float = 0.0) -> list[tuple[int, Crossing]]:
        """Local stretches that could pass the river or railway amid an edge."""
        found = []
        for k, crossings in enumerate(self.crossings):
            if self.classes[k] != 1:
                continue
            for c in crossings:
                if c.edge not in self.barrier or c.edge in self.link:
                    continue
                pair = self.board.sheet.edges[c.edge].tolist()
                if (
                    not all(h in self.site.active for h in pair)
                    or not 0.3 - slack < c.across < 0.7 + slack
                ):
                    continue
                step = self.ends[k] - self.starts[k]
                square = abs(float(step @ self.board.edge_normals[c.edge]) / np.hypot(*step))
                if square < 0.8 - 2 * slack or self._fouled(k, c.edge):
                    continue
                found.append((k, c))
        return found

    def _fouled(self, k: int, edge: int) -> bool:
        """Whether the stretches about this one meet another barrier."""
        segment = self.segments[k]
        for order in range(segment.order - 2, segment.order + 3):
            near = self.number.get((segment.line, order))
            if near is None or self.classes[near] != 1:
                return True
            for c in self.crossings[near]:
                if c.edge == edge:
                    continue
                if c.edge in self.barrier or c.edge in self.walls or c.edge not in self.link:
                    return True
        return False

    def _open(self, k: int, edge: int) -> None:
        self.link[edge] = LinkClass.LOCAL
        self.passages[k, edge] = "bridge" if edge in self.site.river_edges else "level"

    def _small_crossings(self) -> None:
        """A few local bridges and level crossings, far from the main ones and from each other."""
        left = {RIVER: 3, RAIL: 6}
        for k, c in self.chance.shuffled(self._candidates()):
            kind = RIVER if c.edge in self.site.river_edges else RAIL
            here = self.board.edge_middles[c.edge]
            apart = min(
                (float(np.hypot(*(self.board.edge_middles[e] - here))) for _, e in self.passages),
                default=9e9,
            )
            if left[kind] and apart > 420:
                left[kind] -= 1
                self._open(k, c.edge)

    def _join_pieces(self) -> None:
        """Open crossings until the town is one piece (§1.2)."""
        every = set(range(self.board.sheet.n_edges))
        for _ in range(12):
            pieces = self.board.pieces(set(self.site.active), every - set(self.link))
            if len(pieces) == 1:
                return
            lost = set(pieces[-1])
            ways = [
                (k, c) for k, c in self._candidates(0.1)
                if len(lost & set(self.board.sheet.edges[c.edge].tolist())) == 1
            ]  # fmt: skip
            if not ways:
                raise NoSuchTownError(f"a piece of {len(lost)} hexes that no street reaches")
            k, c = min(ways, key=lambda way: abs(way[1].across - 0.5))
            self._open(k, c.edge)
        raise NoSuchTownError("the town stays in pieces")

    def _tracks(self) -> frozenset[int]:
        """Tracks into the woods, until the count of local links is the printed one."""
        wanted = LINKS[LinkClass.LOCAL].reference_count
        count = sum(cls == LinkClass.LOCAL for cls in self.link.values())
        if count > wanted:
            raise NoSuchTownError(f"{count} local links before any track")
        closed = self.site.lake | self.site.yard | self.site.camp
        tracks: set[int] = set()
        lines = list(range(sum(self.grid.shape)))
        order = [n for r in (0, 2, 1) for n in self.chance.shuffled(lines[r::3])]
        for line in order:
            for run in self._wood_runs(line, closed):
                for k in run:
                    new = {c.edge for c in self.crossings[k]} - set(self.link)
                    if count + len(new) > wanted:
                        break
                    count += len(new)
                    tracks.add(k)
                    self.link |= dict.fromkeys(sorted(new), LinkClass.LOCAL)
            if count == wanted:
                return frozenset(tracks)
        raise NoSuchTownError(f"{count} local links with every track")

    def _wood_runs(self, line: int, closed: frozenset[int]) -> list[list[int]]:
        """Stretches of a line through woods, from where it leaves the town inward."""
        woods, active = self.site.woods, self.site.active
        runs: list[list[int]] = [[]]
        for k in range(len(self.grid.line_nodes(line)) - 1):
            n = self.number[line, k]
            hexes = {int(h) for c in self.crossings[n] for h in self.board.sheet.edges[c.edge]} | {
                int(self.cell[n])
            }
            shut = any(c.edge in self.barrier or c.edge in self.walls for c in self.crossings[n])
            if (
                shut or self.classes[n] != 1 or hexes & closed or not hexes & woods
                or -1 in hexes
            ):  # fmt: skip
                runs.append([])
            else:
                runs[-1].append(n)
        kept = []
        for run in runs:
            if len(run) < 2:
                continue
            ends = [
                {int(h) for c in self.crossings[n] for h in self.board.sheet.edges[c.edge]}
                | {int(self.cell[n])}
                for n in (run[0], run[-1])
            ]
            if ends[0] & active:
                kept.append(run)
            elif ends[1] & active:
                kept.append(run[::-1])
        return kept

    def _foot_paths(self) -> tuple[int, ...]:
        """Edges crossed by no road but a footbridge over the railway or a path into the woods."""
        sheet, active = self.board.sheet, self.site.active
        rails = [
            e for e in self.site.rail_edges
            if e not in self.link and all(int(h) in active for h in sheet.edges[e])
            and e not in self.site.river_edges
            and float(np.hypot(*(self.board.edge_middles[e] - self.site.station))) < 2_200
        ]  # fmt: skip
        woods = [
            e for e, (a, b) in enumerate(sheet.edges.tolist())
            if e not in self.link and e not in self.barrier
            and len({a, b} & self.site.woods) == 1 and len({a, b} & active) == 1
        ]  # fmt: skip
        passed = [self.board.edge_middles[e] for _, e in self.passages]
        lone = [
            e
            for e in rails
            if min(float(np.hypot(*(self.board.edge_middles[e] - p))) for p in passed) > 250
        ]
        bridges = self.chance.shuffled(lone)[:2]
        return tuple(sorted(bridges + self.chance.shuffled(woods)[:6]))
