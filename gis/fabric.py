"""Reads the urban fabric of each hex from landuse and buildings, else from people and streets (§2).

The decision table is data, one file a region under ``tables/``: landuse groups, ordered rows of
conditions, storeys by type of building.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import shapely
from pyproj import Transformer

from gis.lattice import Float64Array, Lattice
from gis.overlay import visible_areas
from gis.sources.osm import OsmExtract
from gis.walk import Walk
from sim.district import BoolArray, ByteArray, FloatArray
from sim.errors import DistrictError
from sim.refusal import refuse
from sim.rules import HEX_AREA_HA, Fabric

HEX_AREA_M2 = HEX_AREA_HA * 10_000
HEX_AREA_KM2 = HEX_AREA_HA / 100
SMALL_BUILDING_M2 = 300.0
"""A building up to this ground floor counts whole in the hex of a point inside it."""
NEAR_M = 100.0
"""What lies farther than this from the sheet is not even projected."""
STREETS = frozenset(
    {
        *("primary", "primary_link", "secondary", "secondary_link", "tertiary", "tertiary_link"),
        *("residential", "unclassified", "living_street", "pedestrian", "road"),
    }
)
"""Roads that make the pattern of a town: no expressway, service road, track or footway."""
RULE_BOOK_REGION = "harbin"
"""Region of the rule book's own table, where no other suits."""
NONE = "none"
"""Dominant group of a hex where no group reaches the least share."""

Condition = tuple[str, object]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a decision table: a fabric, and the conditions that all must hold."""

    fabric: Fabric
    conditions: tuple[Condition, ...]


@dataclass(frozen=True)
class FabricTable:
    """A region's decision table, as read from its file.

    Attributes
    ----------
    region, source : str
    group_of : mapping
        Landuse "key=value" → group; a kind that is absent is seen through.
    mapped, unmapped : tuple of Row
        Rows for hexes with landuse or buildings, and for hexes without.
    bounds, confidence : mapping of str to float
    populated : tuple of str
        Groups where people live or work.
    storey_m : float
        Height of a storey, metres.
    storeys_of_type : mapping of str to float
    storeys_of_footprint : tuple of (float, float)
        Least ground floor (m²) and storeys, ascending.
    ignored : frozenset of str
        Values of ``building`` that shelter nobody.
    floor_m2_each : float or None
        Gross floor (ground floor × storeys) for each resident, m²: a hex holds no more (§2.1);
        None where the density of its fabric holds whatever is built.

    """

    region: str
    source: str
    group_of: Mapping[str, str]
    mapped: tuple[Row, ...]
    unmapped: tuple[Row, ...]
    bounds: Mapping[str, float]
    confidence: Mapping[str, float]
    populated: tuple[str, ...]
    storey_m: float
    storeys_of_type: Mapping[str, float]
    storeys_of_footprint: tuple[tuple[float, float], ...]
    ignored: frozenset[str]
    floor_m2_each: float | None

    @property
    def groups(self) -> tuple[str, ...]:
        """Groups of landuse, in the file's order."""
        return tuple(dict.fromkeys(self.group_of.values()))


def fabric_table(region: str) -> FabricTable:
    """Read the decision table of a region.

    Raises
    ------
    DistrictError
        If the region has no table, or a row of it ends no hex.

    """
    data = _table(region)
    bounds = dict(data["bounds"])
    storeys = data["storeys"]
    return FabricTable(
        region=data["region"],
        source=data["source"].strip(),
        group_of={kind: group for group, kinds in data["groups"].items() for kind in kinds},
        mapped=_rows(data["mapped"]),
        unmapped=_rows(data["unmapped"]),
        populated=tuple(bounds.pop("populated")),
        bounds=bounds,
        confidence=data["confidence"],
        storey_m=storeys["metres_each"],
        storeys_of_type=storeys["of_type"],
        storeys_of_footprint=tuple((s["from_m2"], s["storeys"]) for s in storeys["of_footprint"]),
        ignored=frozenset(storeys["ignored"]),
        floor_m2_each=data.get("population", {}).get("floor_m2_each"),
    )


def known_regions() -> tuple[str, ...]:
    """Regions that have a decision table, in alphabetical order."""
    folder = files("gis").joinpath("tables")
    return tuple(sorted(f.name[:-5] for f in folder.iterdir() if f.name.endswith(".toml")))


def region_at(lon: float, lat: float) -> str:
    """Region whose table suits a place, degrees: the one that says so, else the rule book's.

    Examples
    --------
    >>> region_at(-0.37, 49.18), region_at(127.42, 45.31)
    ('france', 'harbin')

    """
    for region in known_regions():
        west, south, east, north = _table(region).get("where", (1, 1, 0, 0))
        if west <= lon <= east and south <= lat <= north:
            return region
    return RULE_BOOK_REGION


def _table(region: str) -> dict[str, Any]:
    """Sections of a region's file, completed by those of the table that it is ``like``."""
    if region not in known_regions():
        raise DistrictError(
            refuse(
                "",
                "no fabric table for the region {region}; known tables: {known_regions} (§2.1)",
                region=repr(region),
                known_regions=", ".join(known_regions()),
            )
        )
    file = files("gis").joinpath("tables", f"{region}.toml")
    data: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    if "like" not in data:
        return data
    base = _table(data["like"])
    base.pop("where", None)
    return base | data | {"storeys": base["storeys"] | data.get("storeys", {})}


def _rows(rows: list[dict[str, object]]) -> tuple[Row, ...]:
    read = tuple(
        Row(Fabric[str(row["fabric"]).upper()], tuple(dict(row["when"]).items()))  # type: ignore[call-overload]
        for row in rows
    )
    if read[-1].conditions:
        raise DistrictError(
            refuse("", "the last row of a fabric table must hold for every hex (§2.1)")
        )
    return read


# --------------------------------------------------------------------------- what is mapped
@dataclass(frozen=True)
class GroundUse:
    """What is mapped on each hex.

    Attributes
    ----------
    water_share : (n_hex,) float
        Share of the hex under water polygons.
    shares : mapping of str to (n_hex,) float
        Share of the dry ground under each landuse group.
    footprint_ratio : (n_hex,) float
        Ground floors of buildings / dry ground, at most 1.
    storeys : (n_hex,) float
        Mean weighted by ground floor; nan where there is no building.
    storeys_told : (n_hex,) float
        Share of the ground floors whose storeys or height OSM tells.
    footprint_m2 : (n_hex,) float
        Mean ground floor of a building; nan where there is none.
    floor_m2 : (n_hex,) float
        Gross floor of the buildings, all storeys, m²; 0 where none is mapped.
    station : (n_hex,) bool
        A railway station stands in the hex.
    streets_km_km2, crossings_km2 : (n_hex,) float
        Length of streets, and number of their crossings, per km².
    dead_end_share : (n_hex,) float
        Dead ends / (dead ends + crossings) of the streets; nan where there is neither.

    """

    water_share: Float64Array
    shares: Mapping[str, Float64Array]
    footprint_ratio: Float64Array
    storeys: Float64Array
    storeys_told: Float64Array
    footprint_m2: Float64Array
    floor_m2: Float64Array
    station: BoolArray
    streets_km_km2: Float64Array
    crossings_km2: Float64Array
    dead_end_share: Float64Array


@dataclass(frozen=True)
class FabricValues:
    """Fabric of each hex, and how it was found.

    Attributes
    ----------
    fabric : (n_hex,) int8
        ``Fabric``.
    water_share : (n_hex,) float
        Share of the hex under water, 0 to 1.
    built : (n_hex,) bool
        Buildings, populated landuse or, where buildings are not mapped, streets (§1.2).
    confidence : (n_hex,) float32
        How sure the fabric is, 0 to 1.
    method : (n_hex,) int8
        Index into ``methods``.
    methods : tuple of str
    how : dict
        Hexes by method, in the order of ``methods``.
    use : GroundUse
    roads_only : bool
        Buildings are not mapped on most of the hexes with streets.

    """

    fabric: ByteArray
    water_share: Float64Array
    built: BoolArray
    confidence: FloatArray
    method: ByteArray
    methods: tuple[str, ...]
    how: dict[str, int]
    use: GroundUse
    roads_only: bool


def fabric_of(
    lattice: Lattice,
    osm: OsmExtract,
    table: FabricTable,
    density_per_ha: Float64Array | None = None,
    jobs_per_ha: Float64Array | None = None,
) -> FabricValues:
    """Fabric of every hex (§2), by the region's decision table.

    Parameters
    ----------
    density_per_ha, jobs_per_ha : (n_hex,) float, optional
        Residents and jobs per hectare of hex, from a population file. They speak only where
        neither landuse nor buildings are mapped.

    """
    use = ground_use(lattice, osm, table)
    dominant, dominant_share = _dominant(use, table)
    n = lattice.sheet.n_hexes
    unknown = np.full(n, np.nan)
    density = unknown if density_per_ha is None else np.asarray(density_per_ha, dtype=float)
    jobs = unknown if jobs_per_ha is None else np.asarray(jobs_per_ha, dtype=float)
    values: dict[str, npt.NDArray[np.generic]] = {
        "dominant": dominant,
        "station": use.station,
        "footprint_ratio": use.footprint_ratio,
        "storeys": use.storeys,
        "footprint_m2": use.footprint_m2,
        "density_per_ha": density,
        "jobs_per_ha": jobs,
        "jobs_per_resident": jobs / np.maximum(density, 1e-9),
        "streets_km_km2": use.streets_km_km2,
        "crossings_km2": use.crossings_km2,
        "dead_end_share": use.dead_end_share,
    }
    buildings = use.footprint_ratio > 0
    roads_only = _roads_only(use, table)
    # a residential area without a single building, in a town whose buildings are not mapped
    # elsewhere either, says that people live there and not how: the streets say more
    told = (dominant != NONE) & ~((dominant == "residential") & ~buildings & roads_only)
    mapped = told | buildings | (use.station & (not roads_only))
    fabric = np.where(
        mapped, first_row(table.mapped, values), first_row(table.unmapped, values)
    ).astype(np.int8)

    methods = tuple(table.confidence)
    method = np.select(
        [told & buildings, told, mapped, np.isfinite(density), use.streets_km_km2 > 0],
        [0, 1, 2, 3, 4],
        default=5,
    ).astype(np.int8)
    return FabricValues(
        fabric=fabric,
        water_share=use.water_share,
        built=_built(use, table, roads_only, mapped),
        confidence=_confidence(use, table, method, dominant_share),
        method=method,
        methods=methods,
        how={name: int((method == i).sum()) for i, name in enumerate(methods)},
        use=use,
        roads_only=roads_only,
    )


def first_row(rows: tuple[Row, ...], values: Mapping[str, npt.NDArray[np.generic]]) -> ByteArray:
    """Fabric of the first row whose every condition holds, for every hex.

    A comparison with an unknown value (nan) does not hold.

    Examples
    --------
    >>> rows = (Row(Fabric.PARK, (("storeys_below", 1.0),)), Row(Fabric.OLD_TOWN, ()))
    >>> first_row(rows, {"storeys": np.array([0.0, 3.0, np.nan])})
    array([6, 0, 0], dtype=int8)

    """
    n = len(next(iter(values.values())))
    fabric = np.full(n, -1, dtype=np.int8)
    for row in rows:
        holds = fabric < 0
        for name, bound in row.conditions:
            holds &= _holds(name, bound, values)
        fabric[holds] = row.fabric
    return fabric


def _holds(
    name: str, bound: object, values: Mapping[str, npt.NDArray[np.generic]]
) -> npt.NDArray[np.bool_]:
    if name.endswith("_from"):
        return np.asarray(values[name.removesuffix("_from")] >= bound)  # type: ignore[operator]
    if name.endswith("_below"):
        return np.asarray(values[name.removesuffix("_below")] < bound)  # type: ignore[operator]
    return np.asarray(values[name] == bound)


def _dominant(use: GroundUse, table: FabricTable) -> tuple[npt.NDArray[np.str_], Float64Array]:
    """Group with the largest share of the dry ground, and that share; a tie: the file's order."""
    groups = table.groups
    shares = np.column_stack([use.shares[group] for group in groups])
    best = shares.argmax(axis=1)
    share = shares[np.arange(len(best)), best]
    named = np.where(share >= table.bounds["dominant_share"], np.array(groups)[best], NONE)
    return named, share


def _populated_share(use: GroundUse, table: FabricTable) -> Float64Array:
    share: Float64Array = np.sum([use.shares[group] for group in table.populated], axis=0)
    return share


def _mapped_built(use: GroundUse, table: FabricTable) -> BoolArray:
    """Hexes with buildings or populated landuse."""
    dry_m2 = (1 - use.water_share) * HEX_AREA_M2
    built: BoolArray = use.footprint_ratio * dry_m2 >= table.bounds["built_footprint_m2"]
    return built | (_populated_share(use, table) >= table.bounds["built_landuse"])


def _roads_only(use: GroundUse, table: FabricTable) -> bool:
    """Tell whether buildings and landuse are missing on most of the hexes with streets."""
    streets = use.streets_km_km2 >= table.bounds["built_streets_km_km2"]
    if not streets.any():
        return False
    return bool(_mapped_built(use, table)[streets].mean() < table.bounds["mapped_streets"])


def _built(use: GroundUse, table: FabricTable, roads_only: bool, mapped: BoolArray) -> BoolArray:
    """Buildings or populated landuse, else streets: few of them where buildings are not mapped."""
    least = "built_streets_km_km2" if roads_only else "town_streets_km_km2"
    streets = use.streets_km_km2 >= table.bounds[least]
    return _mapped_built(use, table) | (streets & ~mapped)


def _confidence(
    use: GroundUse, table: FabricTable, method: ByteArray, dominant_share: Float64Array
) -> FloatArray:
    """How sure each fabric is: the method's figure, less what the hex itself leaves open.

    With landuse, half of it goes with the share of the ground that the dominant group leaves;
    with buildings, a third goes with the share of the ground floors whose storeys are not told.
    """
    base = np.array([table.confidence[name] for name in table.confidence])[method]
    landuse = np.isin(method, (0, 1))
    buildings = np.isin(method, (0, 2))
    base = base * np.where(landuse, 0.5 + 0.5 * np.minimum(dominant_share, 1), 1)
    base = base * np.where(buildings, 2 / 3 + use.storeys_told / 3, 1)
    return base.astype(np.float32)


# --------------------------------------------------------------------------- measuring
def ground_use(lattice: Lattice, osm: OsmExtract, table: FabricTable) -> GroundUse:
    """Measure on every hex what an extract maps there."""
    water_share, shares = _ground_shares(lattice, osm, table)
    dry_m2 = np.maximum((1 - water_share) * HEX_AREA_M2, 1e-9)
    floor_m2, storeys, told, mean_m2 = _buildings(lattice, osm.buildings, table)
    length_km, crossings, dead_ends = street_pattern(lattice, osm.roads)
    nodes = crossings + dead_ends
    return GroundUse(
        water_share=water_share,
        shares=shares,
        footprint_ratio=np.where(water_share < 1, np.minimum(floor_m2 / dry_m2, 1.0), 0.0),
        storeys=storeys,
        storeys_told=told,
        footprint_m2=mean_m2,
        floor_m2=floor_m2 * np.nan_to_num(storeys),
        station=_stations(lattice, osm.places_of_use),
        streets_km_km2=length_km / HEX_AREA_KM2,
        crossings_km2=crossings / HEX_AREA_KM2,
        dead_end_share=np.where(nodes > 0, dead_ends / np.maximum(nodes, 1), np.nan),
    )


def hex_polygons(lattice: Lattice) -> npt.NDArray[np.object_]:
    """(n_hex,) polygon of every hex, metres in the lattice's CRS."""
    return np.asarray(shapely.polygons(lattice.corners))


def _ground_shares(
    lattice: Lattice, osm: OsmExtract, table: FabricTable
) -> tuple[Float64Array, dict[str, Float64Array]]:
    """Share of the hex under water, and of its dry ground under each group.

    Exact areas. Where polygons overlap, water lies on top, then the smaller polygon.
    """
    landuse = on_sheet(lattice, osm.landuse)
    kept = landuse[landuse["kind"].isin(list(table.group_of)).to_numpy()]
    water = _shapes_in(lattice, on_sheet(lattice, osm.water))
    ground = _shapes_in(lattice, kept)
    groups = table.groups
    group_at = {group: i + 1 for i, group in enumerate(groups)}
    layer = np.concatenate(
        (
            np.zeros(len(water), dtype=int),
            np.array([group_at[table.group_of[k]] for k in kept["kind"]], dtype=int),
        )
    )
    shapes = np.concatenate((water, ground))
    # from the top: water first, then by area; the file's order settles equal areas
    order = np.lexsort((np.arange(len(shapes)), shapely.area(shapes), layer > 0))
    shapes, layer = shapes[order], layer[order]

    areas = visible_areas(lattice, shapes, layer, len(groups) + 1)
    share = areas / HEX_AREA_M2
    water_share = np.clip(share[:, 0], 0.0, 1.0)
    dry = np.maximum(1 - water_share, 1e-9)
    by_group = {group: np.clip(share[:, at] / dry, 0, 1) for group, at in group_at.items()}
    return water_share, by_group


def on_sheet(lattice: Lattice, layer: gpd.GeoDataFrame) -> gpd.GeoDataFrame:
    """Features of a layer, in any CRS, whose box comes near the sheet; in the layer's order."""
    west, south, east, north = lattice.bounds
    wide = (west - NEAR_M, south - NEAR_M, east + NEAR_M, north + NEAR_M)
    to_layer = Transformer.from_crs(lattice.crs, layer.crs, always_xy=True)
    west, south, east, north = to_layer.transform_bounds(*wide, densify_pts=21)
    x0, y0, x1, y1 = shapely.bounds(np.asarray(layer.geometry)).T
    near = (x1 >= west) & (x0 <= east) & (y1 >= south) & (y0 <= north)
    return layer if near.all() else layer[near]


def _shapes_in(lattice: Lattice, table: gpd.GeoDataFrame) -> npt.NDArray[np.object_]:
    """Valid geometries of a layer, in the lattice's CRS."""
    shapes = np.array(table.geometry.to_crs(lattice.crs), dtype=object)
    broken = ~shapely.is_valid(shapes)
    shapes[broken] = shapely.make_valid(shapes[broken], method="structure", keep_collapsed=False)
    return shapes


def _buildings(
    lattice: Lattice, buildings: gpd.GeoDataFrame, table: FabricTable
) -> tuple[Float64Array, Float64Array, Float64Array, Float64Array]:
    """Ground floors (m²), mean storeys, share of floors with storeys told, mean floor, by hex."""
    n = lattice.sheet.n_hexes
    near = on_sheet(lattice, buildings)
    kept = near[~near["building"].isin(list(table.ignored)).to_numpy()]
    shapes = _shapes_in(lattice, kept)
    floor_m2 = shapely.area(shapes)
    storeys, told = _storeys(kept, floor_m2, table)
    cell, which, area = _floors(lattice, shapes, floor_m2)

    def summed(weight: Float64Array) -> Float64Array:
        return np.bincount(cell, weights=weight, minlength=n).astype(float)

    floors = summed(area)
    count = summed(area / np.maximum(floor_m2[which], 1e-9))
    some = floors > 0
    divide = np.maximum(floors, 1e-9)
    return (
        floors,
        np.where(some, summed(area * storeys[which]) / divide, np.nan),
        np.where(some, summed(area * told[which]) / divide, 0.0),
        np.where(some, floors / np.maximum(count, 1e-9), np.nan),
    )


def _floors(
    lattice: Lattice, shapes: npt.NDArray[np.object_], floor_m2: Float64Array
) -> tuple[npt.NDArray[np.int_], npt.NDArray[np.int_], Float64Array]:
    """Hex, building and area (m²) of every piece of ground floor on the sheet."""
    inside = shapely.get_coordinates(shapely.point_on_surface(shapes))
    has_point = ~shapely.is_empty(shapes)
    at = np.full(len(shapes), -1)
    at[has_point] = lattice.cells_at(inside[:, 0], inside[:, 1])
    small = np.flatnonzero((floor_m2 <= SMALL_BUILDING_M2) & (at >= 0))
    large = np.flatnonzero(floor_m2 > SMALL_BUILDING_M2)
    cells = hex_polygons(lattice)
    which, hex_of = shapely.STRtree(cells).query(shapes[large], predicate="intersects")
    area = shapely.area(shapely.intersection(cells[hex_of], shapes[large[which]]))
    return (
        np.concatenate((at[small], hex_of)),
        np.concatenate((small, large[which])),
        np.concatenate((floor_m2[small], area)),
    )


def _storeys(
    buildings: gpd.GeoDataFrame, floor_m2: Float64Array, table: FabricTable
) -> tuple[Float64Array, BoolArray]:
    """Storeys of every building, and whether OSM tells them."""
    levels = buildings["levels"].to_numpy(dtype=float)
    by_height = np.maximum(buildings["height_m"].to_numpy(dtype=float) / table.storey_m, 1.0)
    by_type = buildings["building"].map(dict(table.storeys_of_type)).to_numpy(dtype=float)
    least_m2, storeys = np.array(table.storeys_of_footprint, dtype=float).T
    by_floor = storeys[np.searchsorted(least_m2, floor_m2, side="right") - 1]
    found = levels
    for next_best in (by_height, by_type, by_floor):
        found = np.where(np.isfinite(found), found, next_best)
    return found, np.isfinite(levels) | np.isfinite(by_height)


def _stations(lattice: Lattice, places: gpd.GeoDataFrame) -> BoolArray:
    station = np.zeros(lattice.sheet.n_hexes, dtype=bool)
    at = cells_of_points(lattice, places[(places["kind"] == "railway=station").to_numpy()])
    station[at[at >= 0]] = True
    return station


def cells_of_points(lattice: Lattice, points: gpd.GeoDataFrame) -> npt.NDArray[np.int32]:
    """Hex under each point of a layer; -1 off the sheet."""
    if points.empty:
        return np.empty(0, dtype=np.int32)
    xy = shapely.get_coordinates(np.asarray(points.geometry.to_crs(lattice.crs)))
    return lattice.cells_at(xy[:, 0], xy[:, 1])


def street_pattern(
    lattice: Lattice, roads: gpd.GeoDataFrame
) -> tuple[Float64Array, Float64Array, Float64Array]:
    """Length of streets (km), number of their crossings and of their dead ends, by hex.

    A crossing is a place where three or more ends of street meet: a way through it counts two.
    """
    n = lattice.sheet.n_hexes
    near = on_sheet(lattice, roads)
    streets = near[near["highway"].isin(list(STREETS)).to_numpy()]
    if streets.empty:
        return np.zeros(n), np.zeros(n), np.zeros(n)
    lines = np.asarray(streets.geometry.to_crs(lattice.crs))
    walk = Walk.along(lattice, lines)
    on = walk.run_cell >= 0
    run_m = (walk.run_to_m - walk.run_from_m)[on]
    length_km = np.bincount(walk.run_cell[on], weights=run_m, minlength=n) / 1000

    ends = np.rint(_street_ends(lines) * 10).astype(np.int64)  # decimetres: one node, one place
    node, meeting = np.unique(ends, axis=0, return_counts=True)
    at = lattice.cells_at(node[:, 0] / 10, node[:, 1] / 10)

    def counted(kept: BoolArray) -> Float64Array:
        return np.bincount(at[kept & (at >= 0)], minlength=n).astype(float)

    return length_km, counted(meeting >= 3), counted(meeting == 1)


def _street_ends(lines: npt.NDArray[np.object_]) -> Float64Array:
    """Ends of street: each vertex of a way once for each side of it that goes on."""
    points, way = shapely.get_coordinates(lines, return_index=True)
    same = way[1:] == way[:-1]
    return np.concatenate((points[:-1][same], points[1:][same]))
