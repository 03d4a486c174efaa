"""What the roads make of every shared edge: class, structure, foot link, barrier (§3).

A road counts on an edge where its centre line meets the shared edge itself, not near it. Where its
piece inside the two hexes runs into water, rail or a wall with nothing to let it pass, it does not.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import shapely
from pyproj import CRS

from gis.lattice import Float64Array, Lattice, PixelGrid
from gis.sources.osm import Dropped, OsmExtract, near_rows
from gis.walk import Int64Array, Walk, spread_on_pixels
from sim.district import BoolArray, ByteArray, FloatArray
from sim.hexes import IntArray
from sim.rules import HEX_SIDE_M, LinkClass, Structure

Progress = Callable[[str, float], None]
Shapes = npt.NDArray[Any]

# fmt: off
# §3.2                                    class           carriageway of one OSM way, metres
ROADS: MappingProxyType[str, tuple[LinkClass, float]] = MappingProxyType({
    "motorway":       (LinkClass.EXPRESSWAY, 8.0),
    "motorway_link":  (LinkClass.EXPRESSWAY, 5.0),
    "trunk":          (LinkClass.EXPRESSWAY, 8.0),
    "trunk_link":     (LinkClass.EXPRESSWAY, 5.0),
    "primary":        (LinkClass.PRIMARY,    7.0),
    "primary_link":   (LinkClass.PRIMARY,    5.0),
    "secondary":      (LinkClass.SECONDARY,  7.0),
    "secondary_link": (LinkClass.SECONDARY,  5.0),
    "tertiary":       (LinkClass.SECONDARY,  6.0),
    "tertiary_link":  (LinkClass.SECONDARY,  5.0),
    "residential":    (LinkClass.LOCAL,      5.5),
    "unclassified":   (LinkClass.LOCAL,      5.5),
    "living_street":  (LinkClass.LOCAL,      5.0),
    "pedestrian":     (LinkClass.LOCAL,      5.0),
    "road":           (LinkClass.LOCAL,      5.0),
    "service":        (LinkClass.LOCAL,      3.5),
    "track":          (LinkClass.LOCAL,      3.0),
})
# fmt: on
NO_STREET = frozenset({"parking_aisle", "driveway"})
"""Values of ``service`` that make no link (§3.2)."""
SQUARES = frozenset({"pedestrian", "footway", "path"})
"""Kinds that, closed, draw the outline of a square."""
ON_FOOT = frozenset({"yes", "designated", "permissive", "official"})
RAIL = frozenset({"rail", "narrow_gauge", "light_rail", "subway", "preserved"})
"""Tracks that forbid a crossing: a tram shares its street, a monorail hangs over it."""

PASSED_WITHIN_M = 15.0
"""A gate, ford or level crossing this near a barrier lets the road through."""
WATER_TOUCH_M = 5.0
"""A shorter stretch inside a water area is a bank touched, not a crossing."""
END_M = 0.5
"""A road or a wall that ends this near the meeting point does not pass it."""
UNDER_BRIDGE_M = 60.0
"""A road that dips under a bridge this near the edge, along the road, crosses in an underpass."""
LONG_TUNNEL_M = 150.0
"""The road of a longer tunnel lies under the ground, not in a bowl of it: no underpass."""

# order of preference among the roads that cross one edge: class, a track last within its own
_TRACK_RANK = 1
_RANK_OF = MappingProxyType({link: int(link) + 1 for link in LinkClass})
# at the same rank the flag is of the crossing that stays open longest (§3.3)
_OPEN_LONGEST = (Structure.UNDERPASS, Structure.ROAD, Structure.BRIDGE)


@dataclass(frozen=True)
class Streets:
    """What the roads make of a sheet; edges as ``Sheet.edges``.

    Attributes
    ----------
    link_class, structure : (n_edge,) int8
        ``LinkClass`` and ``Structure`` of every edge (§3.1, 3.3).
    foot : (n_edge,) bool
        A road or a foot-only way crosses (§3.2).
    barrier : (n_edge,) bool
        No way crosses, and water, rail or a wall is what forbids it.
    road_m : (n_hex,) int32
        Length of roads of class ≥ 2 in every hex, whole metres (§8.3).
    counts : dict
        Road crossings by what became of them, links by class and structure.
    dropped : tuple of Dropped
        Roads that make no link and crossings that do not count, with the reason; ascending.

    """

    link_class: ByteArray
    structure: ByteArray
    foot: BoolArray
    barrier: BoolArray
    road_m: IntArray
    counts: dict[str, int]
    dropped: tuple[Dropped, ...]


def streets_of(lattice: Lattice, osm: OsmExtract, progress: Progress | None = None) -> Streets:
    """Snap the roads of an extract to the edges of a sheet (§3.1–3.3).

    Notes
    -----
    A private service road or track makes no link; a private street of a higher kind (in a gated
    estate) does, since people leave by it. ``access=no`` leaves at most a foot link.

    """
    tell = progress or (lambda _stage, _share: None)
    tell("snapping roads", 0.0)
    roads, left_out = _ways_that_count(osm.roads)
    roads, off = _on_sheet(roads, lattice)
    left_out["off the sheet"] += off
    walk = Walk.along(lattice, roads.geometry.to_numpy())
    tell("snapping roads", 0.3)
    barriers = Barriers.of(lattice, osm)
    spots = barriers.met_by(roads)
    stopped_by = spots.first_in(walk.line, *walk.pieces())
    passes = stopped_by < 0
    tell("snapping roads", 0.8)
    structure_of = _structure_of_crossings(roads, _on_sheet(osm.railways, lattice)[0], walk)
    rank = roads["rank"].to_numpy()[walk.line]
    link_class, structure = _best_links(
        lattice, walk.edge[passes], rank[passes], structure_of[passes]
    )
    foot = np.zeros(lattice.sheet.n_edges, dtype=bool)
    foot[walk.edge[passes]] = True
    barrier = barriers.between_centres(lattice)
    barrier[walk.edge[~passes]] = True
    barrier &= ~foot
    stopped = np.column_stack((walk.line, walk.edge, stopped_by))[~passes]
    for *_, spot in np.unique(stopped, axis=0).tolist():
        left_out[f"crossing: {spots.reason[spot]}"] += 1
    tell("snapping roads", 1.0)
    return Streets(
        link_class,
        structure,
        foot,
        barrier,
        walk.metres_by_hex((roads["rank"] >= _RANK_OF[LinkClass.SECONDARY]).to_numpy()),
        _counts(roads, walk, passes, link_class, structure),
        tuple(sorted(Dropped("roads", reason, n) for reason, n in left_out.items() if n)),
    )


def road_surface_m2(grid: PixelGrid, crs: CRS, roads: gpd.GeoDataFrame) -> FloatArray:
    """Road surface in every pixel, square metres (§7.4).

    Exact length of each road in the pixel × the carriageway of its kind (``ROADS``). Bridges and
    tunnels over ``LONG_TUNNEL_M`` are not on the ground and count for nothing; a short tunnel is
    an underpass, in its bowl. Foot-only ways, driveways and parking aisles are left out.

    Parameters
    ----------
    grid : PixelGrid
        In ``crs``.
    roads : GeoDataFrame
        As ``OsmExtract.roads``.

    Returns
    -------
    (rows, columns) float32

    """
    kept, _ = _ways_that_count(roads)
    kept = _projected(kept[kept["rank"] > 0], crs)
    below = (kept["tunnel"] != "") & (kept.geometry.length > LONG_TUNNEL_M)
    kept = kept[~below & (kept["bridge"] == "")]
    width_m = kept["highway"].map({kind: width for kind, (_, width) in ROADS.items()})
    surface = spread_on_pixels(grid, kept.geometry.to_numpy(), width_m.to_numpy(dtype=float))
    return surface.astype(np.float32)


# --------------------------------------------------------------------------- which ways count
def _ways_that_count(roads: gpd.GeoDataFrame) -> tuple[gpd.GeoDataFrame, Counter[str]]:
    """Return the roads that may make a link, with their ``rank`` (0 on foot); count the others."""
    link = roads["highway"].map({kind: int(link) for kind, (link, _) in ROADS.items()})
    on_foot = link.isna().to_numpy()
    link = link.fillna(0).astype(int).to_numpy()
    rank = np.where(on_foot, 0, link + 1)
    rank[(roads["highway"] == "track").to_numpy()] = _TRACK_RANK
    access, foot = roads["access"].to_numpy(), roads["foot"].to_numpy()
    walkable = np.isin(foot, list(ON_FOOT))
    minor = roads["highway"].isin(["service", "track"]).to_numpy()
    reasons = {
        "service={}": ~on_foot & roads["service"].isin(NO_STREET).to_numpy(),
        "access={}": np.isin(access, ["no"]) & ~walkable,
        "private {}": (access == "private") & (minor | on_foot) & ~walkable,
        "{} closed to pedestrians": on_foot & np.isin(foot, ["no", "private"]),
    }
    names = dict(zip(reasons, ("service", "access", "highway", "highway"), strict=True))
    left_out: Counter[str] = Counter()
    keep = np.ones(len(roads), dtype=bool)
    for reason, chosen in reasons.items():
        here = chosen & keep
        left_out.update(reason.format(value) for value in roads[names[reason]].to_numpy()[here])
        keep &= ~here
    rank[np.isin(access, ["no"]) | ((access == "private") & minor)] = 0  # walkable all the same
    return roads.assign(rank=rank)[keep].reset_index(drop=True), left_out


def _projected(table: gpd.GeoDataFrame, crs: CRS) -> gpd.GeoDataFrame:
    """Return a table in a CRS, less the shapes too far off for it to hold them."""
    table = table.to_crs(crs)
    held = np.isfinite(shapely.bounds(table.geometry.to_numpy()).reshape(-1, 4)).all(axis=1)
    return table[held]


def _on_sheet(table: gpd.GeoDataFrame, lattice: Lattice) -> tuple[gpd.GeoDataFrame, int]:
    """Return the shapes whose box touches the sheet, in its CRS, and how many others there are."""
    if table.empty:
        return table.to_crs(lattice.crs), 0
    # most of a country's shapes are far off: they need not be projected to be told so
    placed = _projected(table[near_rows(table, lattice.bounds_lonlat)], lattice.crs)
    west, south, east, north = lattice.bounds
    w, s, e, n = shapely.bounds(placed.geometry.to_numpy()).reshape(-1, 4).T
    on = placed[(e >= west) & (w <= east) & (n >= south) & (s <= north)].reset_index(drop=True)
    return on, len(table) - len(on)


# --------------------------------------------------------------------------- barriers
@dataclass(frozen=True)
class Spots:
    """Stretches where a road meets a barrier that stops it, by road then by measure, metres."""

    line: Int64Array
    from_m: Float64Array
    to_m: Float64Array
    reason: tuple[str, ...]

    def first_in(self, line: IntArray, low: Float64Array, high: Float64Array) -> Int64Array:
        """(n,) first spot met between two measures of a line; -1 where there is none."""
        found = np.full(len(line), -1, dtype=np.int64)
        begin = np.searchsorted(self.line, line, side="left")
        end = np.searchsorted(self.line, line, side="right")
        for at in np.flatnonzero(end > begin):
            here = slice(begin[at], end[at])
            met = (self.from_m[here] <= high[at]) & (self.to_m[here] >= low[at])
            if met.any():
                found[at] = begin[at] + int(met.argmax())
        return found


@dataclass(frozen=True)
class Barriers:
    """What forbids a crossing on a sheet (§3.2), in its CRS."""

    water: gpd.GeoDataFrame
    rivers: gpd.GeoDataFrame
    rails: gpd.GeoDataFrame
    walls: gpd.GeoDataFrame
    gates: gpd.GeoDataFrame

    @classmethod
    def of(cls, lattice: Lattice, osm: OsmExtract) -> "Barriers":
        """Gather the barriers of an extract on a sheet; rail on a bridge or in a tunnel is none."""
        rails, _ = _on_sheet(osm.railways, lattice)
        at_grade = rails["railway"].isin(RAIL) & (rails["bridge"] == "") & (rails["tunnel"] == "")
        rivers, _ = _on_sheet(osm.waterways, lattice)
        open_river = rivers["waterway"].isin(["river", "canal"]) & (rivers["tunnel"] == "")
        walls, _ = _on_sheet(osm.walls, lattice)
        return cls(
            _on_sheet(osm.water, lattice)[0],
            rivers[open_river],
            rails[at_grade],
            walls[_forbidding(walls)],
            _on_sheet(osm.gates, lattice)[0],
        )

    def met_by(self, roads: gpd.GeoDataFrame) -> Spots:
        """Find where roads meet a barrier with no bridge, tunnel, ford, gate or level crossing."""
        shapes = roads.geometry.to_numpy()
        # the outline of a square is no way: one walks around the pond or the planter that it meets
        square = shapely.is_closed(shapes) & roads["highway"].isin(SQUARES).to_numpy()
        level = ((roads["bridge"] == "") & (roads["tunnel"] == "")).to_numpy() & ~square
        wades = level & ((roads["ford"] == "") & (roads["embankment"] == "")).to_numpy()
        layer = roads["layer"].to_numpy()
        line, low, high, reason = [], [], [], []
        for name, sees, barrier, gates in (
            ("water with no bridge or ford", wades & (layer <= 0), self.water, "ford="),
            ("rail with no level crossing", level, self.rails, "railway="),
            (
                "wall with no gate",
                level & (roads["covered"] == "").to_numpy(),
                self.walls,
                "barrier=",
            ),
        ):
            passes = self.gates.geometry.to_numpy()[self.gates["kind"].str.startswith(gates)]
            which = np.flatnonzero(sees)
            other = barrier.geometry.to_numpy()
            road, against = shapely.STRtree(other).query(shapes[which], predicate="intersects")
            road = which[road]
            if "layer" in barrier:  # apart in height: one passes over the other
                same = layer[road] == barrier["layer"].to_numpy()[against]
                road, against = road[same], against[same]
            meeting, of = _meetings(shapes[road], other[against])
            stopped = _unpassed(meeting, passes)
            meeting, road = meeting[stopped], road[of][stopped]
            start, end = _measures(shapes[road], meeting)
            line.append(road)
            low.append(start)
            high.append(end)
            reason += [name] * len(road)
        lines, from_m, to_m = np.concatenate(line), np.concatenate(low), np.concatenate(high)
        order = np.lexsort((to_m, from_m, lines))
        names = tuple(reason[at] for at in order)
        return Spots(lines[order].astype(np.int64), from_m[order], to_m[order], names)

    def between_centres(self, lattice: Lattice) -> BoolArray:
        """(n_edge,) a barrier crosses from centre to centre, or water covers most of the edge."""
        across = shapely.linestrings(lattice.centres[lattice.sheet.edges])
        stands = np.zeros(len(across), dtype=bool)
        for table in (self.water, self.rivers, self.rails, self.walls):
            tree = shapely.STRtree(table.geometry.to_numpy())
            stands[tree.query(across, predicate="intersects")[0]] = True
        edges = shapely.linestrings(lattice.edge_ends)
        water = self.water.geometry.to_numpy()
        edge, area = shapely.STRtree(water).query(edges, predicate="intersects")
        wet = shapely.length(shapely.intersection(edges[edge], water[area]))
        return stands | (np.bincount(edge, wet, len(edges)) > HEX_SIDE_M / 2)


def _forbidding(walls: gpd.GeoDataFrame) -> Any:
    """Tell which walls forbid a crossing."""
    return walls["kind"].isin(["city_wall", "wall"]).to_numpy()


def _meetings(roads: Shapes, barriers: Shapes) -> tuple[Shapes, Int64Array]:
    """Return each place where a road passes a barrier (pairs, n), and which pair it is of.

    A point on a line barrier, a stretch inside an area. A road or a wall that ends there does not
    pass, nor does a road that runs along a wall or touches a bank.
    """
    part, of = shapely.get_parts(shapely.intersection(roads, barriers), return_index=True)
    area = shapely.get_dimensions(barriers)[of] == 2
    kind = shapely.get_type_id(part)
    stretch = area & (kind == shapely.GeometryType.LINESTRING)
    stretch &= shapely.length(part) > WATER_TOUCH_M
    point = ~area & (kind == shapely.GeometryType.POINT)
    for lines in (roads, barriers):
        ends = shapely.boundary(lines)
        point[point] = ~shapely.dwithin(part[point], ends[of[point]], END_M)
    keep = stretch | point
    return part[keep], of[keep]


def _unpassed(meeting: Shapes, gates: Shapes) -> BoolArray:
    """(n,) no gate, ford or crossing stands near the meeting."""
    near = shapely.STRtree(gates).query(meeting, predicate="dwithin", distance=PASSED_WITHIN_M)[0]
    alone = np.ones(len(meeting), dtype=bool)
    alone[near] = False
    return alone


def _measures(roads: Shapes, meeting: Shapes) -> tuple[Float64Array, Float64Array]:
    """From and to (n,) of each meeting along its road, metres."""
    points, of = shapely.get_coordinates(meeting, return_index=True)
    first = np.searchsorted(of, np.arange(len(meeting)), side="left")
    last = np.searchsorted(of, np.arange(len(meeting)), side="right") - 1
    a = shapely.line_locate_point(roads, shapely.points(points[first].reshape(-1, 2)))
    b = shapely.line_locate_point(roads, shapely.points(points[last].reshape(-1, 2)))
    return np.minimum(a, b), np.maximum(a, b)


# --------------------------------------------------------------------------- structures and links
def _structure_of_crossings(
    roads: gpd.GeoDataFrame, railways: gpd.GeoDataFrame, walk: Walk
) -> ByteArray:
    """(n_meeting,) ``Structure`` that carries each crossing (§3.3)."""
    bridge = (roads["bridge"] != "").to_numpy()
    below = (roads["tunnel"] != "") & (roads.geometry.length <= LONG_TUNNEL_M)
    sunk = below | ((roads["covered"] != "") & (roads["layer"] < 0) & (roads["tunnel"] == ""))
    found = np.full(len(walk.line), Structure.ROAD, dtype=np.int8)
    line, at_m = _under_bridges(roads, railways)
    begin = np.searchsorted(line, walk.line, side="left")
    end = np.searchsorted(line, walk.line, side="right")
    for crossing in np.flatnonzero(end > begin):
        away = np.abs(at_m[begin[crossing] : end[crossing]] - walk.at_m[crossing])
        if away.min() <= UNDER_BRIDGE_M:
            found[crossing] = Structure.UNDERPASS
    found[sunk.to_numpy()[walk.line]] = Structure.UNDERPASS
    found[bridge[walk.line]] = Structure.BRIDGE
    return found


def _under_bridges(
    roads: gpd.GeoDataFrame, railways: gpd.GeoDataFrame
) -> tuple[Int64Array, Float64Array]:
    """Road and measure of every place where a road dips under a bridge, ascending.

    Under a railway bridge any road on the ground does; under a road bridge one in a cutting or
    below the ground (``layer`` < 0): a street under a flyover does not dip.
    """
    shapes, layer = roads.geometry.to_numpy(), roads["layer"].to_numpy()
    on_ground = ((roads["bridge"] == "") & (roads["tunnel"] == "")).to_numpy()
    dips = on_ground & ((roads["cutting"] != "") & (roads["cutting"] != "no") | (layer < 0))
    rails = railways[(railways["bridge"] != "") & railways["railway"].isin(RAIL)]
    decks = roads[roads["bridge"] != ""]
    line, at_m = [], []
    for which, over in ((on_ground, rails), (dips, decks)):
        chosen = np.flatnonzero(which)
        above = over.geometry.to_numpy()
        road, deck = shapely.STRtree(above).query(shapes[chosen], predicate="intersects")
        road = chosen[road]
        under = layer[road] <= over["layer"].to_numpy()[deck]
        road, deck = road[under], deck[under]
        meeting, of = _meetings(shapes[road], above[deck])
        line.append(road[of])
        at_m.append(_measures(shapes[road[of]], meeting)[0])
    lines, at = np.concatenate(line), np.concatenate(at_m)
    order = np.lexsort((at, lines))
    return lines[order].astype(np.int64), at[order]


def _best_links(
    lattice: Lattice, edge: IntArray, rank: Int64Array, structure: ByteArray
) -> tuple[ByteArray, ByteArray]:
    """Class and structure (n_edge,) of the best road that crosses; at equal rank §3.3 decides."""
    order = np.empty(len(Structure), dtype=np.int64)
    order[list(_OPEN_LONGEST)] = np.arange(len(Structure))
    best = np.zeros(lattice.sheet.n_edges, dtype=np.int64)
    driven = rank > 0
    np.maximum.at(best, edge[driven], (rank * len(Structure) + order[structure])[driven])
    top, longest = np.divmod(best, len(Structure))
    link_class = np.where(top == _TRACK_RANK, LinkClass.LOCAL, np.maximum(top - 1, 0))
    flag = np.where(top > 0, np.array(_OPEN_LONGEST)[longest], Structure.ROAD)
    return link_class.astype(np.int8), flag.astype(np.int8)


def _counts(
    roads: gpd.GeoDataFrame,
    walk: Walk,
    passes: BoolArray,
    link_class: ByteArray,
    structure: ByteArray,
) -> dict[str, int]:
    """Road crossings by what became of them, and links by class and structure."""
    driven = (roads["rank"] > 0).to_numpy()[walk.line]
    long = ((roads["tunnel"] != "") & (roads.geometry.length > LONG_TUNNEL_M)).to_numpy()
    counts = {}
    for name, which in (
        ("road crossings", driven & passes),
        ("foot crossings", ~driven & passes),
        ("crossings stopped by a barrier", ~passes),
        (f"crossings in a tunnel over {LONG_TUNNEL_M:.0f} m", driven & long[walk.line]),
    ):  # a road that zigzags across an edge crosses it once
        once = np.unique(np.column_stack((walk.line, walk.edge))[which], axis=0)
        counts[name] = len(once)
    for link in LinkClass:
        counts[f"links of class {int(link)}"] = int((link_class == link).sum())
    for kind in (Structure.BRIDGE, Structure.UNDERPASS):
        counts[f"links on {kind.name.lower()}"] = int((structure == kind).sum())
    return counts
