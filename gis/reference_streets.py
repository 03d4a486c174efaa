"""Streets of the reference town as they are drawn: ways, bridges, gates, walls, missing links.

The network says which class every shared edge carries; here each road gets its course, cut where
nothing may cross, and every local link that the grid misses gets a street of its own.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import shapely
from shapely import LineString, MultiPoint, Point, Polygon, STRtree, unary_union
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points, substring

from gis.reference_board import Float64Array
from gis.reference_chance import Chance, Swell
from gis.reference_network import CURVE, Network
from gis.reference_site import NoSuchTownError, Site, outline
from sim.rules import Fabric, LinkClass

CUT_M = 7.0  # no street comes this near an edge that it may not cross
BANK_M = 10.0
WALL_IN_M = 7.0  # a wall stands this far inside its hexes
SHORT_M = 34.0  # shorter ends of street are not drawn
PATH = 0  # class of a foot-only way


@dataclass
class Way:
    """A road as drawn.

    Attributes
    ----------
    points : (n, 2) float
        Metres about the middle of the sheet.
    link_class : int
        ``LinkClass``; 0 for a foot-only way.
    kind : str
        "", "bridge" or "underpass".
    line : int
        Line of the grid, which gives it its name; -1 for a lane.
    """

    points: Float64Array
    link_class: int
    kind: str = ""
    line: int = -1


@dataclass
class StreetPlan:
    """All roads, walls and the points where a road passes a wall or the railway."""

    ways: list[Way]
    walls: list[Polygon]
    gates: list[tuple[float, float]] = field(default_factory=list)
    level_crossings: list[tuple[float, float]] = field(default_factory=list)


def draw_streets(
    site: Site, fabric: dict[int, Fabric], network: Network, chance: Chance
) -> StreetPlan:
    """Draw every road of a network."""
    return _Drawer(site, fabric, network, chance).plan()


class _Drawer:
    def __init__(
        self, site: Site, fabric: dict[int, Fabric], network: Network, chance: Chance
    ) -> None:
        self.site, self.fabric, self.network, self.chance = site, fabric, network, chance
        self.board = site.board
        self.grid = network.grid
        self.number = {(s.line, s.order): k for k, s in enumerate(network.segments)}
        self.rail = shapely.union_all(rail_tracks(site))
        self.walls = [self._wall(c) for c in network.compounds]

    def plan(self) -> StreetPlan:
        plan = StreetPlan([], self.walls)
        self._main_roads(plan)
        self._small_passages(plan)
        self._grid_streets(plan)
        self._lanes(plan)
        self._paths(plan)
        for way in plan.ways:
            if way.kind:
                continue
            meeting = LineString(way.points).intersection(self.rail)
            for point in getattr(meeting, "geoms", [meeting]):
                if isinstance(point, Point) and not point.is_empty:
                    plan.level_crossings.append((point.x, point.y))
        return plan

    # ----------------------------------------------------------------------------- walls
    def _wall(self, estate: tuple[int, ...]) -> Polygon:
        """Wall of an estate: straight sides, never out of its hexes."""
        hull = MultiPoint([tuple(self.board.centres[c]) for c in estate]).convex_hull
        ground = outline(self.board, estate).buffer(-WALL_IN_M, join_style="mitre")
        wall = hull.buffer(104, join_style="mitre", mitre_limit=1.4).intersection(ground)
        wall = wall.simplify(1.0)
        return max(getattr(wall, "geoms", [wall]), key=lambda part: part.area)

    # ------------------------------------------------------------------------- main roads
    def _main_roads(self, plan: StreetPlan) -> None:
        for line in range(sum(self.grid.shape)):
            nodes = self.grid.points(line)
            classes = [
                int(self.network.classes[self.number[line, k]]) for k in range(len(nodes) - 1)
            ]
            first = 0
            while first < len(classes):
                last = first
                while last + 1 < len(classes) and classes[last + 1] == classes[first]:
                    last += 1
                if classes[first] >= LinkClass.SECONDARY:
                    passages = [
                        (k, edge) for (k, edge) in self.network.passages
                        if k != CURVE and self.network.segments[k].line == line
                        and first <= self.network.segments[k].order <= last
                    ]  # fmt: skip
                    self._with_structures(
                        plan, nodes[first : last + 2], classes[first], line, passages
                    )
                first = last + 1
        passages = [p for p in self.network.passages if p[0] == CURVE]
        self._with_structures(
            plan, self.network.curve.points, int(LinkClass.EXPRESSWAY), -2, passages
        )

    def _with_structures(
        self,
        plan: StreetPlan,
        points: Float64Array,
        link_class: int,
        line: int,
        passages: list[tuple[int, int]],
    ) -> None:
        """Add a road, its bridges and underpasses as ways of their own."""
        course = LineString(points)
        spans: list[tuple[float, float, str]] = []
        for k, edge in passages:
            how = self.network.passages[k, edge]
            if how == "level":
                continue
            where = course.intersection(LineString(self.board.edge_ends[edge]))
            at = course.project(where.centroid)
            if edge in self.site.river_edges:
                low, high = self._over_water(course, at)
            else:
                axis = course.intersection(self.site.rail_line)
                meeting = min(
                    getattr(axis, "geoms", [axis]), key=lambda p: p.distance(Point(where.centroid))
                )
                middle = course.project(meeting)
                half = 36.0 if how == "underpass" else 52.0
                low = min(at - 8, middle - half)
                high = max(at + 8, middle + half)
            spans.append((max(low, 0.0), min(high, course.length), how))
        at = 0.0
        for low, high, how in sorted(spans):
            if low < at or high - low < 5:
                raise NoSuchTownError("two structures of one road overlap")
            if low > at + 0.5:
                self._add(plan, substring(course, at, low), link_class, "", line)
            self._add(plan, substring(course, low, high), link_class, how, line)
            at = high
        if course.length > at + 0.5:
            self._add(plan, substring(course, at, course.length), link_class, "", line)

    def _over_water(self, course: LineString, at: float) -> tuple[float, float]:
        low = high = at
        water = self.site.water[0]
        while water.distance(course.interpolate(low)) < BANK_M and low > 0:
            low -= 4
        while water.distance(course.interpolate(high)) < BANK_M and high < course.length:
            high += 4
        return low, high

    def _add(
        self, plan: StreetPlan, course: LineString, link_class: int, kind: str, line: int
    ) -> None:
        plan.ways.append(Way(np.array(course.coords), link_class, kind, line))

    # ---------------------------------------------------------------------- local streets
    def _small_passages(self, plan: StreetPlan) -> None:
        """Local bridges and level crossings, each with the street on both sides of it."""
        self.passing: set[int] = set()
        for k, edge in self.network.passages:
            if k == CURVE or self.network.classes[k] != 1:
                continue
            segment = self.network.segments[k]
            reach = 2 if edge in self.site.river_edges else 1
            orders = range(segment.order - reach, segment.order + reach + 1)
            self.passing |= {self.number[segment.line, o] for o in orders}
            nodes = self.grid.points(segment.line)[orders[0] : orders[-1] + 2]
            course = LineString(nodes)
            keep = self.site.water_area.buffer(BANK_M)
            if edge in self.site.river_edges:
                where = course.project(Point(self.board.edge_middles[edge]))
                low, high = self._over_water(course, where)
                course = substring(course, max(0, low - 45), min(course.length, high + 45))
            else:
                course = max(
                    getattr(course.difference(keep), "geoms", [course]), key=lambda g: g.length
                )
            self._with_structures(plan, np.array(course.coords), 1, segment.line, [(k, edge)])

    def _obstacles(self) -> BaseGeometry:
        """Ground that no local street of the grid enters."""
        closed = [
            e for e in range(self.board.sheet.n_edges)
            if self.network.link_class[e] == 0 or e in self.site.barrier_edges
            or e in self.network.gates
        ]  # fmt: skip
        edges = shapely.buffer(shapely.linestrings(self.board.edge_ends[closed]), CUT_M)
        slivers = [
            outline(self.board, estate).difference(wall)
            for estate, wall in zip(self.network.compounds, self.walls, strict=True)
        ]
        walls = [wall.exterior.buffer(CUT_M) for wall in self.walls]
        return unary_union(
            [
                *edges,
                *slivers,
                *walls,
                self.site.water_area.buffer(BANK_M),
                self.site.rail_line.buffer(13),
                outline(self.board, self.site.lake | self.site.yard | self.site.camp),
            ]
        )

    def _grid_streets(self, plan: StreetPlan) -> None:
        obstacles = self._obstacles()
        woods = unary_union([obstacles, outline(self.board, self.site.woods)])
        rim = outline(self.board, range(self.board.sheet.n_hexes)).union(
            outline(self.board, self.site.active).buffer(60)
        )
        shapely.prepare(woods)
        for line, run, track in self._local_runs():
            course = LineString(run).intersection(rim).difference(obstacles if track else woods)
            for piece in getattr(course, "geoms", [course]):
                if piece.length >= SHORT_M:
                    self._add(plan, piece, 1, "", line)

    def _local_runs(self) -> Iterator[tuple[int, Float64Array, bool]]:
        """Longest stretches of local street: line, course, whether it is a track in the woods."""
        drawn = self._thinned()
        for line in range(sum(self.grid.shape)):
            nodes = self.grid.points(line)
            first = 0
            while first < len(nodes) - 1:
                k = self.number[line, first]
                if k not in drawn:
                    first += 1
                    continue
                track = k in self.network.tracks
                last = first
                while last + 1 < len(nodes) - 1:
                    n = self.number[line, last + 1]
                    if n not in drawn or (n in self.network.tracks) is not track:
                        break
                    last += 1
                yield line, nodes[first : last + 2], track
                first = last + 1

    def _thinned(self) -> set[int]:
        """Local stretches to draw: fields, parks and works keep only the streets they need."""
        network = self.network
        local = {
            k for k in range(len(network.segments))
            if network.classes[k] == 1 and k not in self.passing
        }  # fmt: skip
        starts = np.array([self.grid.nodes[s.ends[0]] for s in network.segments])
        ends = np.array([self.grid.nodes[s.ends[1]] for s in network.segments])
        middle = (starts + ends) / 2
        cell = self.board.lattice.cells_at(*(middle + self.board.origin).T)
        uses: dict[int, int] = defaultdict(int)
        for k in range(len(network.segments)):
            for c in network.crossings[k]:
                uses[c.edge] += 1
        degree: dict[tuple[int, int], int] = defaultdict(int)
        for segment in network.segments:
            for end in segment.ends:
                degree[end] += 1
        lean = Swell(self.chance, 900, 2_500).at(middle[:, 0], middle[:, 1])
        eastward = np.array([s.line >= self.grid.shape[0] for s in network.segments])
        loose = {Fabric.FARMLAND: 1.0, Fabric.PARK: 0.6, Fabric.INDUSTRIAL: 0.75}
        inner = {Fabric.TOWER_COMPOUND: 0.2, Fabric.SLAB_BLOCKS: 0.14, Fabric.COMMERCIAL: 0.1}
        for k in self.chance.shuffled(sorted(local)):
            at = self.fabric.get(int(cell[k]))
            share = (loose | inner).get(at, 0.0) if at is not None else 0.0
            if k in network.tracks or not self.chance.happens(share):
                continue
            # fields are long strips, works long blocks, one way or the other
            if at in (Fabric.FARMLAND, Fabric.INDUSTRIAL) and eastward[k] != (lean[k] > 0):
                continue
            segment = network.segments[k]
            needed = any(uses[c.edge] < 2 for c in network.crossings[k])
            if needed or any(degree[end] < 3 for end in segment.ends):
                continue
            local.discard(k)
            for c in network.crossings[k]:
                uses[c.edge] -= 1
            for end in segment.ends:
                degree[end] -= 1
        return local

    # ----------------------------------------------------------------------------- lanes
    def _lanes(self, plan: StreetPlan) -> None:
        """Join hexes whose shared edge should carry a local street but has none; open the gates."""
        courses = [LineString(w.points) for w in plan.ways]
        tree = STRtree(courses)
        # a street that slips by a corner of the hexes is no sure crossing
        inner = self.board.edge_middles[:, None] + 0.84 * (
            self.board.edge_ends - self.board.edge_middles[:, None]
        )
        edges = shapely.linestrings(inner)
        crossed = set(tree.query(edges, predicate="intersects")[0].tolist())
        wanted = [
            e for e in range(self.board.sheet.n_edges)
            if self.network.link_class[e] == 1 and e not in crossed
        ]  # fmt: skip
        for edge in wanted:
            self._lane(plan, edge, tree, courses, 1)

    def _paths(self, plan: StreetPlan) -> None:
        courses = [LineString(w.points) for w in plan.ways]
        tree = STRtree(courses)
        for edge in self.network.foot_paths:
            self._lane(plan, edge, tree, courses, PATH)

    def _lane(
        self, plan: StreetPlan, edge: int, tree: STRtree, courses: list[LineString], cls: int
    ) -> None:
        gate = edge in self.network.gates
        rail = edge in self.site.rail_edges
        ends = self.board.edge_ends[edge]
        pair = self.board.sheet.edges[edge].tolist()
        normal = self.board.edge_normals[edge]
        shut = [self.site.water_area.buffer(6)]
        if not gate:
            shut += [wall.exterior for wall in self.walls if wall.distance(Point(ends[0])) < 300]
        if not rail:
            shut.append(self.site.rail_line.buffer(9))
        best: tuple[float, list[Float64Array]] | None = None
        for across in (0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73):
            gap = ends[0] + across * (ends[1] - ends[0])
            sides: list[Float64Array] = []
            price = 60 * abs(across - 0.5)
            for cell, sign in zip(pair, (-1, 1), strict=True):
                reach, length = self._reach(cell, gap, sign * normal, tree, courses, shut, gate)
                sides.append(reach)
                price += length
            # straight over the edge, so that the gate and the crossing are where they seem
            points = [sides[0], gap - 16 * normal, gap + 16 * normal, sides[1]]
            if best is None or price < best[0]:
                best = (price, points)
        assert best is not None
        course = np.array(best[1])
        kind = "bridge" if rail else ""
        plan.ways.append(Way(course, cls, kind))
        if gate:
            for wall in self.walls:
                met = wall.exterior.intersection(LineString(course))
                for point in getattr(met, "geoms", [met]):
                    if not point.is_empty:
                        plan.gates.append((point.x, point.y))

    def _reach(
        self,
        cell: int,
        gap: Float64Array,
        inward: Float64Array,
        tree: STRtree,
        courses: list[LineString],
        shut: list[BaseGeometry],
        gate: bool,
    ) -> tuple[Float64Array, float]:
        """Where a lane from an edge joins the streets of a hex, and how far that is."""
        start = gap + 16 * inward
        ground = Polygon(self.board.corners[cell]).buffer(-9)
        near = tree.query(ground, predicate="intersects")
        streets = [courses[i].intersection(ground) for i in sorted(near.tolist())]
        streets = [s for s in streets if not s.is_empty]
        best: tuple[float, Float64Array] | None = None
        for street in streets:
            join = nearest_points(street, Point(start))[0]
            lane = LineString((tuple(start), (join.x, join.y)))
            if lane.length < 1 or any(lane.intersects(s) for s in shut):
                continue
            if best is None or lane.length < best[0]:
                best = (lane.length, np.array((join.x, join.y)))
        if best is not None:
            return best[1], best[0]
        return gap + 62 * inward, 260.0


def rail_tracks(site: Site) -> list[LineString]:
    """Both tracks of the line, from west to east."""
    return [site.rail_line.offset_curve(off) for off in (2.4, -2.4)]
