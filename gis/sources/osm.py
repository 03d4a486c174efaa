"""Opens an OpenStreetMap extract: every layer of a town, nothing dropped in silence.

Ways keep what the file lets one locate; what cannot be used is counted with the reason.
"""

import tempfile
from binascii import unhexlify
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import geopandas as gpd
import numpy as np
import osmium
import osmium.filter
import osmium.geom
import osmium.io
import pandas as pd
import shapely
from geopandas.array import from_shapely
from pyproj import CRS

from gis.faces import closed_by
from gis.lattice import Float64Array
from sim.district import BoolArray
from sim.errors import SourceError
from sim.refusal import mark, refuse
from sim.rules import HEX_SIDE_M, HEX_WIDTH_M, SHEET_COLUMNS, SHEET_ROWS

Bounds = tuple[float, float, float, float]
Progress = Callable[[str, float], None]

DEGREES = CRS.from_epsg(4326)
FORMATS = mark(".osm, .osm.gz, .osm.bz2 or .osm.pbf")
MARGIN_DEG = 0.005
"""Features this far beyond the bounds asked are kept too (about 500 m)."""

NEAR_M = 1_000.0
"""Features this far from a sheet, and farther by their own size, bear nothing on it."""

REACH_DEG = 0.003
"""A broken outline that ends this near to the extract's rim is led to it (about 300 m)."""
NO_NODES = "no two neighbouring nodes of it are in the extract"
NEVER_UPLOADED = "its nodes have numbers below 0: drawn in JOSM and never uploaded"
CLOSED_ACROSS = "kept in part: its outline is closed where nodes are not in the extract"
CLOSED_AT_RIM = "kept in part: its outline is closed along the rim of the extract"

# fmt: off
# highway values, by what they are for (§3.2); any other is dropped and counted
CARRIAGEWAYS = frozenset({
    "motorway", "motorway_link", "trunk", "trunk_link", "primary", "primary_link", "secondary",
    "secondary_link", "tertiary", "tertiary_link", "residential", "unclassified", "living_street",
    "pedestrian", "road", "service", "track",
})
FOOTWAYS = frozenset({"footway", "path", "steps", "cycleway", "bridleway"})
TRACKS_OF_RAIL = frozenset({
    "rail", "narrow_gauge", "light_rail", "subway", "tram", "preserved", "funicular", "monorail",
})
WATERCOURSES = frozenset({"river", "stream", "canal", "drain", "ditch", "tidal_channel"})
WALLS = frozenset({
    "wall", "city_wall", "retaining_wall", "fence", "hedge", "guard_rail", "jersey_barrier",
})
GATES = frozenset({
    "gate", "lift_gate", "swing_gate", "sliding_gate", "sliding_beam", "wicket_gate",
    "kissing_gate", "entrance", "bollard", "cattle_grid", "chain", "border_control", "toll_booth",
    "sally_port", "cycle_barrier", "stile", "turnstile", "full-height_turnstile", "horse_stile",
    "motorcycle_barrier", "bump_gate", "hampshire_gate",
})
# fmt: on
RAIL_CROSSINGS = frozenset({"level_crossing", "crossing", "tram_level_crossing", "tram_crossing"})
WATER_AREAS = (
    ("natural", frozenset({"water"})),
    ("waterway", frozenset({"riverbank", "dock"})),
    ("landuse", frozenset({"reservoir", "basin"})),
)
# a polygon's first key of these names its ground
GROUND_KEYS = (
    *("landuse", "leisure", "natural", "aeroway", "amenity", "railway", "man_made"),
    *("power", "military", "tourism"),
)
NOT_GROUND = frozenset(
    {"natural=coastline", "natural=bay", "natural=strait", "natural=peninsula", "natural=valley"}
)
# a place's first tag of these names its use
USES = (
    ("amenity", None),
    ("leisure", frozenset({"sports_hall", "sports_centre", "stadium", "ice_rink"})),
    ("railway", frozenset({"station", "halt"})),
    ("public_transport", frozenset({"station"})),
    ("man_made", frozenset({"monitoring_station"})),
    ("landuse", frozenset({"depot"})),
    ("place", None),
    ("building", frozenset({"sports_hall", "school", "civic", "public", "gymnasium"})),
)
WATER_WATCHED = ("water_level", "discharge", "flow_rate", "tide_gauge", "flood")
OTHER_WATCHED = (
    *("air_quality", "noise", "radiation", "seismic_activity", "weather", "traffic"),
    *("bicycle", "pedestrian", "light", "gps", "volcano"),
)
"""What a station says that it watches: water makes it one of the sewers service's (§5)."""
_FILTER_KEYS = (
    *("highway", "building", "barrier", "waterway", "place", "public_transport", "ford", "route"),
    *GROUND_KEYS,
)
_AREA_KEYS = ("building", "waterway", "place", "public_transport", "highway", *GROUND_KEYS)

# columns of every layer beside its geometry; text is '' where the tag is absent
LAYERS: dict[str, dict[str, str]] = {
    "roads": {
        "osm_id": "int64",
        "highway": "str",
        "name": "str",
        "bridge": "str",
        "tunnel": "str",
        "layer": "int64",
        "covered": "str",
        "ford": "str",
        "access": "str",
        "service": "str",
        "foot": "str",
        "cutting": "str",
        "embankment": "str",
    },
    "railways": {
        "osm_id": "int64",
        "railway": "str",
        "service": "str",
        "bridge": "str",
        "tunnel": "str",
        "layer": "int64",
    },
    "waterways": {
        "osm_id": "int64",
        "waterway": "str",
        "tunnel": "str",
        "layer": "int64",
        "name": "str",
    },
    "water": {"osm_id": "int64", "kind": "str", "name": "str"},
    "coastlines": {"osm_id": "int64"},
    "walls": {"osm_id": "int64", "kind": "str"},
    "gates": {"osm_id": "int64", "kind": "str"},
    "landuse": {"osm_id": "int64", "kind": "str", "name": "str"},
    "buildings": {
        "osm_id": "int64",
        "building": "str",
        "levels": "float64",
        "height_m": "float64",
        "amenity": "str",
        "name": "str",
    },
    "places_of_use": {"osm_id": "int64", "osm_type": "str", "kind": "str", "name": "str"},
}


@dataclass(frozen=True, order=True, slots=True)
class Dropped:
    """So many features of a layer that were left out, or kept in part, and why."""

    layer: str
    reason: str
    count: int


@dataclass(frozen=True)
class OsmExtract:
    """What a town's extract holds, one table a layer, degrees (EPSG:4326).

    Text columns hold '' where the tag is absent; ``LAYERS`` lists the columns.

    Attributes
    ----------
    name : str
        Name of the file.
    roads, railways, waterways, coastlines, walls : GeoDataFrame of LineString
        A coastline has the land on its left; ``gis.sea`` makes the sea of it. A way with missing
        nodes gives one row per run of known nodes, under the same ``osm_id``.
    water, landuse, buildings : GeoDataFrame of Polygon and MultiPolygon
        ``kind`` is one "key=value" (``"natural=water"``, ``"landuse=residential"``).
    gates : GeoDataFrame of Point
        Openings and crossings: ``"barrier=gate"``, ``"railway=level_crossing"``, ``"ford=yes"``…
    places_of_use : GeoDataFrame of Point
        Schools, stations, town halls…; a polygon is reduced to a point inside it.
    counts : dict
        Rows kept, by layer.
    dropped : tuple of Dropped
        In ascending order.
    timestamp : str
        Date of the newest data, ISO 8601 UTC; '' where the file tells none.
    extent_lonlat : tuple
        West, south, east, north of the mapped area, degrees: the header's box where the roads
        confirm it, else the box of the roads.
    generator : str
        Program that wrote the file, by its header; '' where it tells none.

    """

    name: str
    roads: gpd.GeoDataFrame
    railways: gpd.GeoDataFrame
    waterways: gpd.GeoDataFrame
    water: gpd.GeoDataFrame
    coastlines: gpd.GeoDataFrame
    walls: gpd.GeoDataFrame
    gates: gpd.GeoDataFrame
    landuse: gpd.GeoDataFrame
    buildings: gpd.GeoDataFrame
    places_of_use: gpd.GeoDataFrame
    counts: dict[str, int]
    dropped: tuple[Dropped, ...]
    timestamp: str
    extent_lonlat: Bounds
    generator: str = ""

    def near(self, bounds_lonlat: Bounds) -> "OsmExtract":
        """Return the extract less what lies far from some bounds; what was counted stays so.

        Watercourses and coastlines are kept all: they are joined end to end.

        Parameters
        ----------
        bounds_lonlat : west, south, east, north
            Degrees.

        """
        cut = set(LAYERS) - {"waterways", "coastlines"}
        tables = {layer: getattr(self, layer) for layer in sorted(cut)}
        kept = {
            layer: table[near_rows(table, bounds_lonlat)].reset_index(drop=True)
            for layer, table in tables.items()
        }
        return replace(self, **kept)


def near_rows(table: gpd.GeoDataFrame, bounds_lonlat: Bounds) -> BoolArray:
    """(n,) rows of a layer that may touch the box that some bounds have in another CRS.

    That box is turned by a few degrees at most: what lies farther from the bounds than ``NEAR_M``
    and its own width and height does not touch it.

    Parameters
    ----------
    table : GeoDataFrame
        In degrees.
    bounds_lonlat : west, south, east, north
        Degrees.

    """
    west, south, east, north = bounds_lonlat
    squeeze = max(np.cos(np.radians(max(abs(south), abs(north)))), 0.01)
    w, s, e, n = shapely.bounds(table.geometry.to_numpy()).reshape(-1, 4).T
    above = NEAR_M / _DEGREE_M + (e - w) * squeeze + (n - s)
    beside = above / squeeze
    touches: BoolArray = (e + beside >= west) & (w - beside <= east)
    touches &= (n + above >= south) & (s - above <= north)
    return touches


def read_osm(
    path: str | Path, bounds_lonlat: Bounds | None = None, progress: Progress | None = None
) -> OsmExtract:
    """Read every layer of an OSM extract.

    Parameters
    ----------
    path : path of a .osm, .osm.gz, .osm.bz2 or .osm.pbf file
        Its content, not its name, tells the format.
    bounds_lonlat : west, south, east, north, optional
        Degrees. Only features whose box touches these bounds, or the ``MARGIN_DEG`` around
        them, are kept, each one whole.
    progress : callable, optional
        Told the stage and its share done, 0 to 1.

    Raises
    ------
    SourceError
        If the file is missing, is not a whole OSM extract, or holds no road that can be placed.

    """
    path = Path(path)
    tell = progress or (lambda _stage, _share: None)
    kind = _format_of(path)
    try:
        with osmium.io.Reader(osmium.io.File(str(path), kind), osmium.osm.NOTHING) as opened:
            header = opened.header()
            box, stamp = header.box(), header.get("osmosis_replication_timestamp", "")
            generator = header.get("generator", "")
        reader = _read_in_order(path, kind, _Reader(box, dated=bool(stamp)), tell)
    except (RuntimeError, ValueError, OSError, osmium.InvalidLocationError) as fault:
        raise SourceError(
            refuse(
                "",
                "{file} is not a whole OSM extract ({fault}): fetch it again, as {formats}",
                file=path.name,
                fault=str(_one_line(fault)),
                formats=FORMATS,
            )
        ) from fault
    tell("sorting the layers", 0.0)
    tables = reader.tables()
    if tables["roads"].empty:
        hint = mark(", whose numbers are above 0: JOSM gives others to what was never uploaded")
        raise SourceError(
            refuse(
                "",
                "{file} holds no road that can be placed ({seen} features read, {lost} roads "
                "without known nodes): give an extract with highways and their nodes{hint}",
                file=path.name,
                seen=f"{reader.seen:,}",
                lost=f"{reader.roads_lost:,}",
                hint=hint if reader.never_uploaded else "",
            )
        )
    extent = _extent(box, tables["roads"].geometry.to_numpy())
    for layer, table in tables.items():
        if bounds_lonlat is not None:
            tables[layer] = _within(table, bounds_lonlat)
            reader.drop(layer, "outside the area asked", len(table) - len(tables[layer]))
    if tables["roads"].empty:
        asked = ", ".join(f"{edge:.4f}" for edge in bounds_lonlat or ())
        mapped = ", ".join(f"{edge:.4f}" for edge in extent)
        raise SourceError(
            refuse(
                "",
                "{file} has no road within {asked} (its roads lie within {mapped}): move "
                "the sheet, longitude first",
                file=path.name,
                asked=str(asked),
                mapped=str(mapped),
            )
        )
    tell("sorting the layers", 1.0)
    return OsmExtract(
        name=path.name,
        **tables,
        counts={layer: len(table) for layer, table in tables.items()},
        dropped=reader.dropped(),
        timestamp=stamp or reader.newest(),
        extent_lonlat=extent,
        generator=generator,
    )


# --------------------------------------------------------------------------- the file
_OUT_OF_ORDER = ("out of order", "twice in input", "after a way", "after a relation")


def _format_of(path: Path) -> str:
    """Format of a file for osmium, told from its first bytes."""
    if not path.is_file():
        what = mark("a folder") if path.is_dir() else mark("nothing")
        raise SourceError(
            refuse(
                "",
                "{what} at {path} where an OSM extract was asked for: give {formats}",
                what=what,
                path=str(path),
                formats=FORMATS,
            )
        )
    with path.open("rb") as opened:
        start = opened.read(512)
    if not start:
        raise SourceError(
            refuse("", "{file} is empty (0 bytes): fetch the OSM extract again", file=path.name)
        )
    if b"OSMHeader" in start[:64]:
        return "pbf"
    if start.startswith(b"\x1f\x8b"):
        return "osm.gz"
    if start.startswith(b"BZh"):
        return "osm.bz2"
    if start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        return "osm"
    raise SourceError(
        refuse(
            "",
            "{file} is not an OSM extract (neither PBF nor XML): give {formats}",
            file=path.name,
            formats=FORMATS,
        )
    )


def _read_in_order(path: Path, kind: str, reader: "_Reader", tell: Progress) -> "_Reader":
    """Read a file, sorted first where its features are out of order or given twice."""
    try:
        reader.read(osmium.io.File(str(path), kind), tell)
    except RuntimeError as fault:
        if not any(told in str(fault) for told in _OUT_OF_ORDER):
            raise
        with tempfile.TemporaryDirectory() as aside:
            in_order = Path(aside) / "in_order.osm.pbf"
            merged = osmium.MergeInputReader()
            merged.add_buffer(path.read_bytes(), kind)
            with osmium.SimpleWriter(str(in_order)) as writer:
                merged.apply(writer)  # the newest version of each feature
            reader = reader.afresh()
            reader.read(osmium.io.File(str(in_order), "pbf"), tell)
    return reader


def _one_line(fault: Exception) -> str:
    return " ".join(str(fault).split()).rstrip(".")


class _Tags(Protocol):
    """Tags of a feature, asked one by one: making a dict of them all costs five times as much."""

    def get(self, key: str, default: Any = None, /) -> Any: ...
    def __getitem__(self, key: str, /) -> str: ...
    def __contains__(self, key: str, /) -> bool: ...


class _Area(NamedTuple):
    """What an outline gives once it is an area.

    Attributes
    ----------
    layer : str or None
        Layer of the area itself.
    row : tuple or None
        Its values there; None where it lies under cover.
    use, name : str
        As a place of use; '' for none.

    """

    layer: str | None
    row: tuple[Any, ...] | None
    use: str
    name: str


@dataclass(frozen=True, slots=True)
class _Outline:
    """A relation that should become an area, and its member ways."""

    area: _Area
    ways: tuple[int, ...]


class _Reader:
    """Gathers the rows of every layer, and what could not be used.

    Parameters
    ----------
    box : osmium Box
        The header's.
    dated : bool
        The header tells the date of the data: the features are not asked for theirs.

    """

    def __init__(self, box: Any, dated: bool) -> None:
        self._box, self._dated = box, dated
        self.seen = 0
        self.roads_lost = 0
        self.never_uploaded = 0
        self._rows: dict[str, list[tuple[Any, ...]]] = {layer: [] for layer in LAYERS}
        self._shapes: dict[str, list[Any]] = {layer: [] for layer in LAYERS}
        self._dropped: Counter[tuple[str, str]] = Counter()
        # outlines that should become areas, and have not yet
        self._rings: dict[int, _Area] = {}  # closed ways
        self._outlines: dict[int, _Outline] = {}  # relations
        self._assembled: set[int] = set()  # relations
        self._newest: Any = None
        self._nodes: set[int] = set()
        self._wkb = osmium.geom.WKBFactory()

    def afresh(self) -> "_Reader":
        """Return a reader of the same file that has read nothing."""
        return _Reader(self._box, self._dated)

    # ------------------------------------------------------------------- reading
    def read(self, file: osmium.io.File, tell: Progress) -> None:
        """Read a file from end to end."""
        stages = {"n": 0.2, "w": 0.4, "r": 0.9}
        tell("reading OSM", 0.0)
        features = (
            osmium.FileProcessor(file)
            .with_locations()
            .with_areas(osmium.filter.KeyFilter(*_AREA_KEYS))
            .with_filter(osmium.filter.KeyFilter(*_FILTER_KEYS))
        )
        take = {"n": self._node, "w": self._way, "r": self._relation}
        feature: Any
        for feature in features:
            kind = feature.type_str()
            if kind in stages:
                tell("reading OSM", stages.pop(kind))
            if kind == "a":
                self._area(feature)
                continue
            self.seen += 1
            if not self._dated and (self._newest is None or feature.timestamp > self._newest):
                self._newest = feature.timestamp
            take[kind](feature, feature.tags)
        self._mend(file, features.node_location_storage)
        tell("reading OSM", 1.0)

    def _node(self, node: Any, tags: _Tags) -> None:
        gate, place = _gate(tags), _use(tags)
        if not (gate or place):
            return
        if not node.location.valid():
            self.drop("gates" if gate else "places_of_use", "position missing or off the globe")
            return
        if node.id in self._nodes:  # nodes alone may come twice unnoticed by osmium
            self.drop("gates" if gate else "places_of_use", "twice in the extract")
            return
        self._nodes.add(node.id)
        point = unhexlify(self._wkb.create_point(node))
        if gate:
            self._add("gates", point, node.id, gate)
        if place:
            self._add("places_of_use", point, node.id, "node", place, tags.get("name", ""))

    def _way(self, way: Any, tags: _Tags) -> None:
        layer, closed = None, way.is_closed()
        if closed or _is_building(tags) or not _is_line(tags):  # few open ways are asked for more
            layer = _area_layer(tags)
            if (layer or closed) and tags.get("area") != "no":
                if closed:
                    self._ring(way, layer, tags)
                else:
                    self.drop(str(layer), "an open line, not an outline")
        if value := tags.get("highway"):
            if value in CARRIAGEWAYS or value in FOOTWAYS:
                self._lines("roads", way, _road_row(way.id, tags))
            else:
                self.drop("roads", f"highway={value}")
        if value := tags.get("railway"):
            if value in TRACKS_OF_RAIL:
                service = tags.get("service", "")
                self._lines("railways", way, (way.id, value, service, *_levels(tags)))
            elif layer is None or not closed:
                self.drop("railways", f"railway={value}")
        if value := tags.get("waterway"):
            if value in WATERCOURSES:
                below, layer_no = _yes(tags.get("tunnel")), _whole(tags.get("layer"))
                row = (way.id, value, below, layer_no, tags.get("name", ""))
                self._lines("waterways", way, row)
            elif (layer or _area_layer(tags)) is None:
                self.drop("waterways", f"waterway={value}")
        if value := tags.get("barrier"):
            if value in WALLS:
                self._lines("walls", way, (way.id, value))
            elif value in GATES:
                self._lines("gates", way, (way.id, f"barrier={value}"))
            else:
                self.drop("walls", f"barrier={value}")
        if tags.get("natural") == "coastline":
            self._lines("coastlines", way, (way.id,))
        if tags.get("route") == "ferry":
            self.drop("roads", "route=ferry")

    def _ring(self, way: Any, layer: str | None, tags: _Tags) -> None:
        """Await the area of a closed way, which osmium gives after it."""
        becomes = _area_of(way.id, layer, tags)
        if not (layer or becomes.use):
            return
        self._rings[way.id] = becomes
        if layer and self._whole_line(way) is None:
            self._close_across(way, becomes)

    def _relation(self, relation: Any, tags: _Tags) -> None:
        layer = _area_layer(tags)
        if not layer or tags.get("type") not in {"multipolygon", "boundary"}:
            return
        if relation.id not in self._assembled:
            ways = tuple(member.ref for member in relation.members if member.type == "w")
            self._outlines[relation.id] = _Outline(_area_of(relation.id, layer, tags), ways)

    def _area(self, area: Any) -> None:
        number = area.orig_id()
        if area.from_way():
            # its way told what it becomes; nothing of ours, or mended already, where it did not
            if (becomes := self._rings.get(number)) and (shape := self._polygons(area)):
                del self._rings[number]
                self._add_area(shape, "way", number, becomes)
            return
        tags = area.tags
        layer = _area_layer(tags)
        if tags.get("type") == "boundary" and not layer:
            return
        if (shape := self._polygons(area)) is None:
            return
        self._assembled.add(number)
        self._outlines.pop(number, None)
        self._add_area(shape, "relation", number, _area_of(number, layer, tags))
        if tags.get("highway") in CARRIAGEWAYS | FOOTWAYS:
            for part in shapely.get_parts(
                shapely.from_wkb(shape)
            ):  # a square with holes: one walks along its rim
                self._add("roads", shapely.LineString(part.exterior), *_road_row(number, tags))

    def _polygons(self, area: Any) -> bytes | None:
        """WKB of an area; None where its rings are broken: it stays awaited, so is counted."""
        try:
            return unhexlify(self._wkb.create_multipolygon(area))
        except RuntimeError:
            return None

    def _add_area(self, shape: Any, kind: str, number: int, area: _Area) -> None:
        """Keep an area in the layer of its tags, and as a place of use."""
        if area.layer and area.row is None:
            self.drop(area.layer, "under cover (tunnel, culvert or covered)")
        elif area.layer and area.row is not None:
            self._add(area.layer, shape, *area.row)
        if area.use:
            self._add("places_of_use", shape, number, kind, area.use, area.name)

    # ------------------------------------------------------------------- mending
    def _close_across(self, way: Any, area: _Area) -> None:
        """Keep the known part of a closed outline that lost nodes, closed straight across."""
        known = [(node.lon, node.lat) for node in way.nodes if node.location.valid()]
        if len(known) == len(way.nodes) or len(set(known)) < 3:
            return
        shape = _polygons_of(shapely.make_valid(shapely.MultiPolygon([shapely.Polygon(known)])))
        if not shape.is_empty:
            self.drop(str(area.layer), CLOSED_ACROSS)
            del self._rings[way.id]
            self._add_area(shape, "way", way.id, area)

    def _whole_line(self, way: Any) -> bytes | None:
        """WKB of a way, most of them; None where a node is missing, or it is no line."""
        nodes = way.nodes
        # the factory skips a first node without a place, and says nothing
        if not len(nodes) or not nodes[0].location.valid():
            return None
        try:
            return unhexlify(self._wkb.create_linestring(way))
        except (RuntimeError, osmium.InvalidLocationError):
            return None

    def _mend(self, file: osmium.io.File, places: Any) -> None:
        """Close the relations whose members are not all here along the rim of the extract."""
        wanted = {way for outline in self._outlines.values() for way in outline.ways}
        if not wanted or not self._rows["roads"]:
            return
        roads = _shapes(self._shapes["roads"], points=False)
        self._shapes["roads"] = list(roads)  # parsed once
        rim = shapely.box(*_extent(self._box, roads))
        lines: dict[int, list[Any]] = {}
        placed = osmium.NodeLocationsForWays(places)
        placed.ignore_errors()
        way: Any
        for way in (
            osmium.FileProcessor(file, osmium.osm.WAY)
            .with_filter(osmium.filter.IdFilter(wanted))
            .with_filter(placed)
        ):
            lines[way.id] = [shapely.LineString(run) for run in _runs(way.nodes)]
        for number, outline in list(self._outlines.items()):
            parts = [line for way in outline.ways for line in lines.get(way, ())]
            shape = closed_by(rim, np.array(parts, dtype=object), REACH_DEG) if parts else None
            if shape is not None:
                del self._outlines[number]
                self.drop(str(outline.area.layer), CLOSED_AT_RIM)
                self._add_area(shape, "relation", number, outline.area)

    def _lines(self, layer: str, way: Any, row: tuple[Any, ...]) -> None:
        """Keep a way as a line, or the runs of it that can be placed."""
        if (whole := self._whole_line(way)) is not None:
            self._add(layer, whole, *row)
            return
        runs = [shapely.LineString(run) for run in _runs(way.nodes)]
        if runs:
            self.drop(layer, "kept in part: some of its nodes are not in the extract")
        else:
            never = any(node.ref < 0 for node in way.nodes)
            self.drop(layer, NEVER_UPLOADED if never else NO_NODES)
            self.roads_lost += layer == "roads"
            self.never_uploaded += never
        for run in runs:
            self._add(layer, run, *row)

    def _add(self, layer: str, shape: Any, *row: Any) -> None:
        """Keep a row; its shape is a geometry or its WKB, all parsed together in the end."""
        self._rows[layer].append(row)
        self._shapes[layer].append(shape)

    def drop(self, layer: str, reason: str, count: int = 1) -> None:
        """Count features left out."""
        if count:
            self._dropped[layer, reason] += count

    # ------------------------------------------------------------------- the result
    def tables(self) -> dict[str, gpd.GeoDataFrame]:
        """Return one table a layer, rows in the file's order."""
        for area in (*self._rings.values(), *(o.area for o in self._outlines.values())):
            if area.layer:
                self.drop(area.layer, "outline broken or incomplete in the extract")
        self._rings.clear()
        self._outlines.clear()
        tables = {}
        for layer, columns in LAYERS.items():
            shapes = _shapes(self._shapes[layer], points=layer in {"gates", "places_of_use"})
            table = _table(columns, self._rows[layer], shapes)
            void = table.geometry.is_empty.to_numpy()
            self.drop(layer, "outline broken or incomplete in the extract", int(void.sum()))
            tables[layer] = table[~void].reset_index(drop=True) if void.any() else table
        return tables

    def dropped(self) -> tuple[Dropped, ...]:
        """Return what was left out, in ascending order."""
        return tuple(sorted(Dropped(*key, count) for key, count in self._dropped.items()))

    def newest(self) -> str:
        """Return the date of the newest feature read, ISO 8601; '' where the file tells none."""
        if self._newest is None or self._newest.year <= 1970:
            return ""
        return str(self._newest.strftime("%Y-%m-%dT%H:%M:%SZ"))


def _shapes(kept: list[Any], points: bool) -> Any:
    """Geometries (n,), mended where their rings cross; reduced to a point inside where asked."""
    shapes = np.empty(len(kept), dtype=object)
    shapes[:] = kept
    coded = np.array([isinstance(shape, bytes) for shape in kept], dtype=bool)
    shapes[coded] = shapely.from_wkb(shapes[coded])
    flat = shapely.get_type_id(shapes) == shapely.GeometryType.MULTIPOLYGON
    single = flat & (shapely.get_num_geometries(shapes) == 1)
    shapes[single] = shapely.get_geometry(shapes[single], 0)
    for at in np.flatnonzero(flat & ~shapely.is_valid(shapes)):
        shapes[at] = _polygons_of(shapely.make_valid(shapes[at]))
    if points:
        apart = shapely.get_type_id(shapes) != shapely.GeometryType.POINT
        shapes[apart] = shapely.point_on_surface(shapes[apart])
    return shapes


def _table(columns: dict[str, str], rows: list[tuple[Any, ...]], shapes: Any) -> gpd.GeoDataFrame:
    """Return a layer with its stable columns, even where it is empty."""
    values = list(zip(*rows, strict=True)) if rows else [()] * len(columns)
    data = {
        name: pd.Series(list(value), dtype="object" if kind == "str" else kind)
        for (name, kind), value in zip(columns.items(), values, strict=True)
    }
    return gpd.GeoDataFrame(data, geometry=from_shapely(shapes, crs=DEGREES))


def _within(table: gpd.GeoDataFrame, bounds: Bounds) -> gpd.GeoDataFrame:
    """Return the rows whose box touches the bounds or the margin around them."""
    west, south, east, north = bounds
    w, s, e, n = shapely.bounds(table.geometry.to_numpy()).reshape(-1, 4).T
    touches = (e >= west - MARGIN_DEG) & (w <= east + MARGIN_DEG)
    touches &= (n >= south - MARGIN_DEG) & (s <= north + MARGIN_DEG)
    return table[touches].reset_index(drop=True)


def _extent(box: Any, roads: Any) -> Bounds:
    """Return the header's box cut to the roads' where it holds half of their nodes, else theirs."""
    x, y = shapely.get_coordinates(roads).T
    west, south, east, north = x.min(), y.min(), x.max(), y.max()
    if box.valid():
        low, high = box.bottom_left, box.top_right
        inside = (x >= low.lon) & (x <= high.lon) & (y >= low.lat) & (y <= high.lat)
        if inside.mean() >= 0.5:
            west, south = max(west, low.lon), max(south, low.lat)
            east, north = min(east, high.lon), min(north, high.lat)
    return (float(west), float(south), float(east), float(north))


# --------------------------------------------------------------------------- the tags
def _area_of(osm_id: int, layer: str | None, tags: _Tags) -> _Area:
    """Return what an outline with these tags gives as an area."""
    name = tags.get("name", "")
    row: tuple[Any, ...] | None = None
    if layer == "buildings":
        height = (_levels_above(tags), _metres(tags.get("height")))
        row = (osm_id, tags["building"], *height, tags.get("amenity", ""), name)
    elif layer == "water" and not _under_cover(tags):
        row = (osm_id, _water_kind(tags), name)
    elif layer == "landuse":
        row = (osm_id, _ground_kind(tags), name)
    return _Area(layer, row, _use(tags), name)


def _road_row(osm_id: int, tags: _Tags) -> tuple[Any, ...]:
    """Values of a road in the order of its columns."""
    texts = (tags.get(key, "") for key in ("covered", "ford", "access", "service", "foot"))
    cuts = (tags.get(key, "") for key in ("cutting", "embankment"))
    return (osm_id, tags["highway"], tags.get("name", ""), *_levels(tags), *texts, *cuts)


def _levels(tags: _Tags) -> tuple[str, str, int]:
    return (_yes(tags.get("bridge")), _yes(tags.get("tunnel")), _whole(tags.get("layer")))


def _yes(value: str | None) -> str:
    """Return the value of a structure's tag, '' for none and for "no"."""
    return "" if value in {None, "no", "none", "false", "0"} else str(value)


def _whole(value: str | None) -> int:
    """Return the first whole number of a tag such as "-1" or "0;1"; 0 where there is none."""
    try:
        return int(float((value or "0").split(";")[0].replace(",", ".")))
    except (ValueError, OverflowError):
        return 0


def _number(value: str | None) -> float:
    """Return the first number of a tag such as "12.5 m"; nan where there is none."""
    digits = (value or "").strip().replace(",", ".")
    end = 0
    while end < len(digits) and (digits[end].isdigit() or digits[end] == "."):
        end += 1
    try:
        return float(digits[:end])
    except ValueError:
        return float("nan")


def _levels_above(tags: _Tags) -> float:
    """Return the storeys above ground; nan where untold or beyond 200."""
    levels = _number(tags.get("building:levels"))
    return levels if 0 <= levels <= 200 else float("nan")


def _metres(value: str | None) -> float:
    """Return a height in metres, from metres or feet; nan where untold or beyond 1,000."""
    height = _number(value)
    if value and ("'" in value or "ft" in value):
        height *= 0.3048
    return height if 0 < height <= 1_000 else float("nan")


def _area_layer(tags: _Tags) -> str | None:
    """Layer of a closed outline with these tags; None where it is no area of ours."""
    if _is_building(tags):
        return "buildings"
    if _water_kind(tags):
        return "water"
    return "landuse" if _ground_kind(tags) else None


def _is_building(tags: _Tags) -> bool:
    return bool(tags.get("building", "no") != "no")


def _is_line(tags: _Tags) -> bool:
    """Tell whether an open way with these tags may be meant as a line."""
    return any(key in tags for key in ("highway", "railway", "waterway", "barrier", "natural"))


def _water_kind(tags: _Tags) -> str:
    for key, values in WATER_AREAS:
        if tags.get(key) in values:
            return f"{key}={tags[key]}"
    return ""


def _under_cover(tags: _Tags) -> bool:
    return bool(_yes(tags.get("tunnel")) or _yes(tags.get("covered"))) or (
        tags.get("location") == "underground"
    )


def _ground_kind(tags: _Tags) -> str:
    for key in GROUND_KEYS:
        if value := tags.get(key):
            kind = f"{key}={value}"
            if kind in NOT_GROUND or (key == "railway" and value in TRACKS_OF_RAIL):
                continue
            return kind
    return ""


def _gate(tags: _Tags) -> str:
    """Return the kind of opening or crossing that a node marks; '' for none."""
    if tags.get("barrier") in GATES:
        return f"barrier={tags['barrier']}"
    if tags.get("railway") in RAIL_CROSSINGS:
        return f"railway={tags['railway']}"
    if _yes(tags.get("ford")) or tags.get("highway") == "ford":
        return "ford=yes"
    return ""


def _use(tags: _Tags) -> str:
    for key, values in USES:
        value = tags.get(key)
        if value and (values is None or value in values):
            return "" if value == "monitoring_station" and _watches_else(tags) else f"{key}={value}"
    return ""


def _watches_else(tags: _Tags) -> bool:
    """Whether a station says what it watches, and that is not water: the air, the noise."""
    water, other = (
        any(tags.get(f"monitoring:{what}", "no") != "no" for what in kinds)
        for kinds in (WATER_WATCHED, OTHER_WATCHED)
    )
    return other and not water


def _runs(nodes: Any) -> Iterator[list[tuple[float, float]]]:
    """Yield the runs of two or more known, distinct neighbouring nodes."""
    run: list[tuple[float, float]] = []
    for node in nodes:
        if not node.location.valid():
            if len(run) > 1:
                yield run
            run = []
        elif not run or run[-1] != (node.lon, node.lat):
            run.append((node.lon, node.lat))
    if len(run) > 1:
        yield run


def _polygons_of(shape: Any) -> Any:
    """Return the polygons of a mended shape as one MultiPolygon."""
    parts = shapely.get_parts(shapely.get_parts(shape))
    return shapely.MultiPolygon([part for part in parts if part.geom_type == "Polygon"])


# --------------------------------------------------------------------------- where the town is
_DENSITY_PIXEL_M = 100.0
_DEGREE_M = 111_320.0
_STREETS = CARRIAGEWAYS - {"track", "motorway", "motorway_link", "trunk", "trunk_link"}


def busiest_place(
    osm: OsmExtract,
    columns: int = SHEET_COLUMNS,
    rows: int = SHEET_ROWS,
    within: Bounds | None = None,
) -> tuple[float, float]:
    """Longitude and latitude of the centre of the sheet that holds most of the town.

    A window of the sheet's size slides over the extract; the fullest one wins, by its share of
    the extract's buildings plus its share of the extract's street length. Ties (an extract
    smaller than the window) go to the middle of the tied windows.

    Parameters
    ----------
    columns, rows : int
        Hexes of the sheet.
    within : west, south, east, north, optional
        Degrees; the window stays inside where it is smaller, else it is centred there. The
        extract's own extent by default; a DEM's bounds make sense too.

    """
    west, south, east, north = within or osm.extent_lonlat
    lat0 = (south + north) / 2
    scale = np.array([_DEGREE_M * np.cos(np.radians(lat0)), _DEGREE_M])
    span = np.array([east - west, north - south]) * scale
    window = np.array(
        [(columns - 1) * 1.5 * HEX_SIDE_M + 2 * HEX_SIDE_M, (rows + 0.5) * HEX_WIDTH_M]
    )
    size = np.maximum(1, np.ceil(span / _DENSITY_PIXEL_M)).astype(int)
    density = np.zeros((size[0], size[1]))
    for points, weights in (_street_middles(osm), _building_middles(osm)):
        at = (points - (west, south)) * scale / _DENSITY_PIXEL_M
        inside = ((at >= 0) & (at < size)).all(axis=1)
        if weights[inside].sum() > 0:
            cell = at[inside].astype(int)
            share = weights[inside] / weights[inside].sum()
            np.add.at(density, (cell[:, 0], cell[:, 1]), share)
    wide, high = np.clip(np.round(window / _DENSITY_PIXEL_M).astype(int), 1, size)
    total = np.pad(density, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)
    held = total[wide:, high:] - total[:-wide, high:] - total[wide:, :-high] + total[:-wide, :-high]
    corner = np.argwhere(held >= held.max() - 1e-9).mean(axis=0)
    middle = (corner + np.array([wide, high]) / 2) * _DENSITY_PIXEL_M / scale
    return (float(west + middle[0]), float(south + middle[1]))


def _street_middles(osm: OsmExtract) -> tuple[Float64Array, Float64Array]:
    """Middle (n, 2) and length (n,) of every segment of street, degrees."""
    streets = osm.roads.geometry.to_numpy()[osm.roads["highway"].isin(_STREETS).to_numpy()]
    points, way = shapely.get_coordinates(streets, return_index=True)
    same = way[1:] == way[:-1]
    start, end = points[:-1][same], points[1:][same]
    squeeze = np.array([np.cos(np.radians(points[:, 1].mean())) if len(points) else 1.0, 1.0])
    return (start + end) / 2, np.hypot(*((end - start) * squeeze).T)


def _building_middles(osm: OsmExtract) -> tuple[Float64Array, Float64Array]:
    """Middle (n, 2) and weight 1 (n,) of every building, degrees."""
    middles = shapely.get_coordinates(shapely.centroid(osm.buildings.geometry.to_numpy()))
    return middles.reshape(-1, 2), np.ones(len(middles))
