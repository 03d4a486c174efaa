"""Writes the reference town as files: an OSM extract (.osm.pbf) and a GeoTIFF DEM."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import osmium
import osmium.io
import osmium.osm
import osmium.osm.mutable
import rasterio
import shapely
from pyproj import Transformer
from rasterio.transform import from_origin
from shapely import LineString, Point, Polygon, STRtree

from gis.provenance import INVENTED_TOWN
from gis.reference_blocks import Building, GroundArea, ground_areas, place_buildings, with_amenity
from gis.reference_board import Board, Float64Array
from gis.reference_chance import Chance
from gis.reference_names import LAKE, QUARTERS, RIVER, TOWN, street_names
from gis.reference_network import Network
from gis.reference_places import Bowl, Places
from gis.reference_relief import Relief
from gis.reference_site import Site
from gis.reference_streets import StreetPlan, Way, rail_tracks
from sim.rules import Fabric, LinkClass

TIMESTAMP = "2026-01-01T00:00:00Z"
PIXEL_M = 12.5
DEM_MARGIN_M = 600.0
STEP_M = 0.01  # heights are given to the centimetre
MOST_NODES = 1_900  # of a way; OSM allows 2,000
PLACE_OF = {Fabric.FARMLAND: "locality", Fabric.PARK: "locality", Fabric.URBAN_VILLAGE: "village"}


@dataclass(frozen=True)
class TownPlan:
    """All that is drawn of a town."""

    seed: str
    site: Site
    fabric: Mapping[int, Fabric]
    network: Network
    streets: StreetPlan
    places: Places
    bowls: tuple[Bowl, ...]


# -------------------------------------------------------------------------------------- DEM
def write_dem(plan: TownPlan, path: Path) -> None:
    """Write the relief under the sheet and a margin, float32 metres, in the lattice's CRS."""
    board = plan.site.board
    west, south, east, north = board.lattice.bounds
    west, south, east, north = (
        np.floor((west - DEM_MARGIN_M) / 50) * 50, np.floor((south - DEM_MARGIN_M) / 50) * 50,
        np.ceil((east + DEM_MARGIN_M) / 50) * 50, np.ceil((north + DEM_MARGIN_M) / 50) * 50,
    )  # fmt: skip
    columns, rows = round((east - west) / PIXEL_M), round((north - south) / PIXEL_M)
    x = west + PIXEL_M * (np.arange(columns) + 0.5) - board.origin[0]
    y = north - PIXEL_M * (np.arange(rows) + 0.5) - board.origin[1]
    relief = Relief(plan.site, plan.network, plan.bowls, Chance("relief", plan.seed))
    height = relief.at(*np.meshgrid(x, y))
    height = (np.rint(height / STEP_M) * STEP_M).astype(np.float32)
    with rasterio.open(
        path, "w", driver="GTiff", width=columns, height=rows, count=1, dtype="float32",
        crs=board.lattice.crs.to_wkt(), transform=from_origin(west, north, PIXEL_M, PIXEL_M),
        compress="deflate", predictor=3, tiled=True, nodata=-9999.0,
    ) as dem:  # fmt: skip
        dem.write(height, 1)


# -------------------------------------------------------------------------------------- OSM
Tags = dict[str, str]


class _Sheet:
    """Nodes, ways and relations gathered before they are written, in a fixed order."""

    def __init__(self, board: Board) -> None:
        self._origin = board.origin
        self._to_degrees = Transformer.from_crs(board.lattice.crs, "EPSG:4326", always_xy=True)
        self.nodes: dict[tuple[int, int], int] = {}
        self.node_tags: dict[int, Tags] = defaultdict(dict)
        self.ways: list[tuple[list[int], Tags]] = []
        self.relations: list[tuple[list[tuple[int, str]], Tags]] = []

    def refs(self, points: Float64Array) -> list[int]:
        """Numbers of the nodes at some points; a point given twice is one node."""
        x, y = (np.asarray(points, dtype=float) + self._origin).T
        lon, lat = self._to_degrees.transform(x, y)
        keys = np.rint(np.column_stack((lon, lat)) * 1e7).astype(np.int64).tolist()
        return [self.nodes.setdefault((a, b), len(self.nodes) + 1) for a, b in keys]

    def point(self, x: float, y: float, tags: Tags) -> None:
        """Add a tagged node."""
        self.node_tags[self.refs(np.array([[x, y]]))[0]].update(tags)

    def way(self, points: Float64Array, tags: Tags) -> int:
        """Add a way; gives its number."""
        refs = self.refs(points)
        refs = [r for k, r in enumerate(refs) if k == 0 or r != refs[k - 1]]
        self.ways.append((refs, tags))
        return len(self.ways)

    def area(self, area: Polygon, tags: Tags) -> None:
        """Add an area: a closed way, or a multipolygon where it has holes or too many nodes."""
        rings = [area.exterior, *area.interiors]
        if len(rings) == 1 and len(rings[0].coords) <= MOST_NODES:
            self.way(np.array(rings[0].coords), tags)
            return
        members: list[tuple[int, str]] = []
        for place, ring in enumerate(rings):
            points = np.array(ring.coords)
            for first in range(0, len(points) - 1, MOST_NODES):
                part = points[first : first + MOST_NODES + 1]
                members.append((self.way(part, {}), "outer" if place == 0 else "inner"))
        self.relations.append((members, {"type": "multipolygon", **tags}))

    def write(self, path: Path, bounds: tuple[float, float, float, float]) -> None:
        """Write all as a .osm.pbf."""
        header = osmium.io.Header()
        west, south, east, north = bounds
        header.add_box(
            osmium.osm.Box(osmium.osm.Location(west, south), osmium.osm.Location(east, north))
        )
        header.set("generator", INVENTED_TOWN)
        common: dict[str, Any] = {"version": 1, "timestamp": TIMESTAMP, "visible": True}
        with osmium.SimpleWriter(str(path), header=header, overwrite=True) as out:
            for (lon, lat), number in self.nodes.items():
                out.add_node(
                    osmium.osm.mutable.Node(
                        id=number, location=(lon / 1e7, lat / 1e7),
                        tags=self.node_tags.get(number, {}), **common,
                    )
                )  # fmt: skip
            for number, (refs, tags) in enumerate(self.ways, start=1):
                out.add_way(osmium.osm.mutable.Way(id=number, nodes=refs, tags=tags, **common))
            for number, (members, tags) in enumerate(self.relations, start=1):
                out.add_relation(
                    osmium.osm.mutable.Relation(
                        id=number, members=[("w", ref, role) for ref, role in members],
                        tags=tags, **common,
                    )
                )  # fmt: skip


def write_osm(plan: TownPlan, path: Path) -> None:
    """Write streets, rail, water, landuse, buildings, walls and places as an OSM extract."""
    site, chance = plan.site, Chance("draw", plan.seed)
    sheet = _Sheet(site.board)
    fabric = dict(plan.fabric)
    buildings = place_buildings(
        site, fabric, plan.network, plan.streets, Chance("buildings", plan.seed)
    )
    _write_streets(sheet, plan, chance)
    _write_railway(sheet, plan)
    _write_water(sheet, site)
    areas = ground_areas(site, fabric, plan.network)
    for area in areas:
        sheet.area(area.area, {area.key: area.value})
    _write_places(sheet, plan, buildings, areas)
    sheet.write(path, site.board.lattice.bounds_lonlat)


# ---------------------------------------------------------------------------------- streets
def _write_streets(sheet: _Sheet, plan: TownPlan, chance: Chance) -> None:
    courses = _noded([w.points for w in plan.streets.ways], plan)
    n_lines = sum(plan.network.grid.shape)
    main = sorted(
        {w.line for w in plan.streets.ways if w.link_class >= LinkClass.SECONDARY and w.line >= 0},
        key=lambda line: (-_length_of(plan.streets.ways, line), line),
    )
    local = [line for line in chance.shuffled(list(range(n_lines))) if line not in main]
    names = street_names(chance, main, local)
    for way, points in zip(plan.streets.ways, courses, strict=True):
        sheet.way(points, _street_tags(plan, way, names))
    for wall in plan.streets.walls:
        ring = [tuple(p) for p in np.array(wall.exterior.coords)]
        gates = [g for g in plan.streets.gates if wall.exterior.distance(Point(g)) < 0.05]
        sheet.way(_with_points(np.array(ring), gates), {"barrier": "wall"})
    for x, y in plan.streets.gates:
        sheet.point(x, y, {"barrier": "gate"})
    for x, y in plan.streets.level_crossings:
        sheet.point(x, y, {"railway": "level_crossing"})


def _length_of(ways: Iterable[Way], line: int) -> float:
    return round(
        sum(
            float(np.hypot(*np.diff(w.points, axis=0).T).sum())
            for w in ways
            if w.line == line and w.link_class >= LinkClass.SECONDARY
        ),
        3,
    )


def _street_tags(plan: TownPlan, way: Way, names: Mapping[int, str]) -> Tags:
    tags: Tags = {"highway": _highway(plan, way)}
    if way.link_class == LinkClass.EXPRESSWAY:
        tags |= {
            "name": "Rocade Ouest" if plan.site.lake_side > 0 else "Rocade Est",
            "lanes": "4", "maxspeed": "80",
        }  # fmt: skip
    elif way.line >= 0 and tags["highway"] not in {"track", "service", "path", "footway"}:
        tags["name"] = names[way.line]
    if way.kind == "bridge":
        tags |= {"bridge": "yes", "layer": "1"}
    if way.kind == "underpass":
        tags |= {"tunnel": "yes", "layer": "-1"}
    return tags


def _highway(plan: TownPlan, way: Way) -> str:
    if way.link_class == LinkClass.EXPRESSWAY:
        return "trunk"
    if way.link_class == LinkClass.PRIMARY:
        return "primary"
    if way.link_class == LinkClass.SECONDARY:
        return "secondary" if way.line % 3 else "tertiary"
    middle = way.points[len(way.points) // 2] + plan.site.board.origin
    fabric = plan.fabric.get(int(plan.site.board.lattice.cells_at(*middle)))
    if way.link_class == 0:
        return "footway" if way.kind == "bridge" else "path"
    return {
        Fabric.OLD_TOWN: "residential",
        Fabric.SLAB_BLOCKS: "residential",
        Fabric.TOWER_COMPOUND: "residential",
        Fabric.COMMERCIAL: "pedestrian" if way.line % 5 == 0 else "residential",
        Fabric.INDUSTRIAL: "unclassified",
        Fabric.URBAN_VILLAGE: "living_street",
        Fabric.PARK: "service",
        Fabric.FARMLAND: "unclassified" if way.line % 3 == 0 else "track",
        None: "track",
    }[fabric]


def _noded(courses: list[Float64Array], plan: TownPlan) -> list[Float64Array]:
    """Courses with a shared point wherever two of them meet on the same level."""
    lines = [LineString(c) for c in courses]
    added: dict[int, list[tuple[float, float]]] = defaultdict(list)
    flat = [k for k, w in enumerate(plan.streets.ways) if not w.kind]
    tree = STRtree([lines[k] for k in flat])
    a, b = tree.query([lines[k].buffer(0.02) for k in flat], predicate="intersects")
    for i, j in zip(a.tolist(), b.tolist(), strict=True):
        if i >= j:
            continue
        one, other = flat[i], flat[j]
        meeting = shapely.intersection(lines[one], lines[other])
        found = [
            (p.x, p.y) for p in getattr(meeting, "geoms", [meeting])
            if isinstance(p, Point) and not p.is_empty
        ]  # fmt: skip
        if not found:  # an end that touches, but for the last decimals
            found = [
                tuple(c) for k, m in ((one, other), (other, one))
                for c in (courses[k][0], courses[k][-1])
                if lines[m].distance(Point(c)) < 0.02
            ]  # fmt: skip
        added[one] += found
        added[other] += found
    marks = [*plan.streets.gates, *plan.streets.level_crossings]
    near = STRtree([Point(p) for p in marks]) if marks else None
    if near is not None:
        k, m = near.query(lines, predicate="dwithin", distance=0.05)
        for line, mark in zip(k.tolist(), m.tolist(), strict=True):
            if not plan.streets.ways[line].kind:
                added[line].append(marks[mark])
    return [_with_points(c, added.get(k, [])) for k, c in enumerate(courses)]


def _with_points(course: Float64Array, points: list[tuple[float, float]]) -> Float64Array:
    """Course that also runs through some points on it."""
    if not points:
        return course
    line = LineString(course)
    at = [(line.project(Point(p)), tuple(p)) for p in points]
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(course, axis=0).T))))
    known = [(float(s), tuple(p)) for s, p in zip(along, course, strict=True)]
    fresh = [(s, p) for s, p in at if min(np.hypot(*(course - p).T)) > 0.02]
    merged = sorted(known + fresh, key=lambda item: item[0])
    kept = [merged[0]]
    for item in merged[1:]:
        if np.hypot(item[1][0] - kept[-1][1][0], item[1][1] - kept[-1][1][1]) > 0.015:
            kept.append(item)
    result = np.array([p for _, p in kept])
    result[-1] = course[-1]
    return result


# --------------------------------------------------------------------------- rail and water
def _write_railway(sheet: _Sheet, plan: TownPlan) -> None:
    site = plan.site
    for track in rail_tracks(site):
        points = np.array(track.coords)
        marks = [p for p in plan.streets.level_crossings if track.distance(Point(p)) < 0.05]
        over = _rail_bridges(site, track)
        sheet_points = _with_points(points, marks)
        for piece, bridge in _split(sheet_points, over):
            tags = {"railway": "rail", "usage": "main", "name": "Ligne de l'Est"}
            sheet.way(piece, tags | ({"bridge": "yes", "layer": "1"} if bridge else {}))
    for siding in yard_sidings(site):
        sheet.way(np.array(siding.coords), {"railway": "rail", "service": "yard"})
    sheet.point(*_station_point(site), {"railway": "station", "name": f"Gare d'{TOWN}"})


def _station_point(site: Site) -> tuple[float, float]:
    """A point just north of the track, by the bend."""
    return (site.station[0], site.station[1] + 40.0)


def _rail_bridges(site: Site, track: LineString) -> list[tuple[float, float]]:
    """Stretches of a track over the river, from and to along it."""
    inside = track.intersection(site.water[0])
    spans = []
    for part in getattr(inside, "geoms", [inside]):
        if isinstance(part, LineString) and not part.is_empty:
            ends = sorted(track.project(Point(c)) for c in (part.coords[0], part.coords[-1]))
            spans.append((ends[0] - 15, ends[1] + 15))
    return spans


def _split(
    points: Float64Array, spans: list[tuple[float, float]]
) -> list[tuple[Float64Array, bool]]:
    """Course cut at the ends of some stretches: pieces, and whether each is such a stretch."""
    line = LineString(points)
    at, pieces = 0.0, []
    for low, high in sorted(spans):
        pieces.append((np.array(shapely.ops.substring(line, at, low).coords), False))
        pieces.append((np.array(shapely.ops.substring(line, low, high).coords), True))
        at = high
    pieces.append((np.array(shapely.ops.substring(line, at, line.length).coords), False))
    return pieces


def yard_sidings(site: Site) -> list[LineString]:
    """Sidings of the yard, beside the main tracks."""
    middles = np.array([site.board.centres[c] for c in sorted(site.yard)])
    along = sorted(site.rail_line.project(Point(p)) for p in middles)
    main = shapely.ops.substring(site.rail_line, along[0] - 60, along[-1] + 60)
    south = [
        side for side in (1, -1)
        if main.offset_curve(side * 40).centroid.y < main.centroid.y
    ]  # fmt: skip
    return [
        shapely.ops.substring(
            main.offset_curve(south[0] * (9 + 6.0 * k)), 25.0 * k, main.length - 25.0 * k
        )
        for k in range(6)
    ]


def _write_water(sheet: _Sheet, site: Site) -> None:
    river, lake = site.water
    sheet.area(river, {"natural": "water", "water": "river", "name": RIVER})
    sheet.area(lake, {"natural": "water", "water": "lake", "name": LAKE})
    sheet.way(np.array(site.river_line.simplify(1.0).coords), {"waterway": "river", "name": RIVER})


# ----------------------------------------------------------------------------------- places
def _write_places(
    sheet: _Sheet, plan: TownPlan, buildings: list[Building], areas: list[GroundArea]
) -> None:
    site, places = plan.site, plan.places
    for place in places.shelters:
        kind = "school" if place.kind == "school" else "public"
        if place.kind == "sports_hall":
            kind = "sports_hall"
        buildings = with_amenity(site, buildings, place.cell, kind, place.kind, place.name)
    for place in (*places.police, *places.technical):
        buildings = with_amenity(site, buildings, place.cell, "public", place.kind, place.name)
    for building in buildings:
        ring = np.vstack((building.outline, building.outline[:1]))
        tags = {"building": building.kind, "building:levels": str(building.levels)}
        if building.amenity == "sports_hall":
            tags |= {"leisure": "sports_hall", "name": building.name}
        elif building.amenity:
            tags |= {"amenity": building.amenity, "name": building.name}
        sheet.way(ring, tags)
    for place in places.stations:
        x, y = site.board.centres[place.cell] + (17.0, -23.0)
        sheet.point(
            x, y,
            {"man_made": "monitoring_station", "monitoring:water_level": "yes", "name": place.name},
        )  # fmt: skip
    sheet.point(
        site.station[0],
        site.station[1] + 330,
        {"place": "town", "name": TOWN, "population": "422100"},
    )
    _write_quarter_names(sheet, plan)


def _write_quarter_names(sheet: _Sheet, plan: TownPlan) -> None:
    """A name in the middle of each of the larger pieces of one fabric."""
    board = plan.site.board
    for fabric in Fabric:
        cells = {c for c, f in plan.fabric.items() if f is fabric}
        pieces = board.pieces(cells, set())
        for piece, name in zip(pieces, QUARTERS[fabric.name], strict=False):
            middle = board.centres[piece].mean(axis=0)
            off = np.hypot(*(board.centres[piece] - middle).T)
            at = board.centres[piece[int(off.argmin())]]
            kind = PLACE_OF.get(fabric, "suburb")
            sheet.point(at[0], at[1], {"place": kind, "name": name})
