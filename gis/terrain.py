"""The raster on which water moves: elevation, open water, channels, road surface (§7.3, 7.4)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import geopandas as gpd
import numba
import numpy as np
from affine import Affine
from pyproj import CRS, Transformer
from rasterio.enums import Resampling
from rasterio.features import rasterize

from gis.channels import channels_of, ditch_crossings
from gis.decks import BridgeLayers, bridges_over_water, without_decks
from gis.lattice import COLUMN_STEP_M, Float64Array, Lattice, PixelGrid
from gis.sea import CoastLayers, coast_in_doubt
from gis.sources.dem import Dem, Relief, degrees, filled, warped
from gis.streets import road_surface_m2
from sim.district import BoolArray, FloatArray, Ground
from sim.errors import SourceError
from sim.hexes import IntArray
from sim.refusal import Refusal, refuse
from sim.rules import HEX_AREA_HA, HEX_WIDTH_M

PIXEL_M = 30.0
"""Side of a pixel unless the DEM's own is coarser (§7.3)."""
LEAST_COVER = 0.99
"""Share of the sheet that a DEM must cover."""
SURELY_COVERED = 0.95
"""A sheet is looked at more closely where this share of its bounds lies in the DEM's."""
FIT_MARGIN_M = 60.0
"""A sheet that is said to fit lies this far inside the DEM."""
LEAST_SIDE = 4
"""A sheet of fewer columns or rows is not worth saying."""
LEAST_FLAT_HA = 25.0
"""Least area of a flat that is taken for open water."""
MOST_ROAD_ON_WATER = 0.05
"""A flat with roads on more than this share of its pixels is land."""

BELOW_SEA_M = -0.5
"""Ground beside a coast in doubt is open water below this: town ground hardly goes lower."""
BESIDE_COAST_M = 300.0
"""Such ground comes this near to its coast: mud and reeds lie between the two."""

RoadSurface = Callable[[PixelGrid, CRS, gpd.GeoDataFrame], FloatArray]


class WaterLayers(BridgeLayers, CoastLayers, Protocol):
    """What the terrain takes of an OSM extract, in degrees (EPSG:4326).

    Beside what bridges and the sea need, ``waterways`` are drawn downstream and have their
    ``waterway``; ``roads`` are as ``road_surface_m2`` reads them.
    """


@dataclass(frozen=True, slots=True)
class FlatWater:
    """A flat of the DEM taken for open water."""

    level_m: float
    hectares: float


@dataclass(frozen=True, slots=True)
class TerrainReport:
    """What was made of the DEM, for the manifest (§7.8).

    Attributes
    ----------
    native_pixel_m, pixel_m : float
        Side of the DEM's pixel and of the ground's.
    pixels_per_hex : float
    vertical_step_m : float
        Whole step of the DEM's values; 0 where they are not whole.
    covered_share, void_share : float
        Of the sheet; of the DEM's pixels read (voids are filled from around them).
    undeclared_voids : int
        DEM pixels of absurd value that the file does not declare as void.
    open_water_share : float
        Of the sheet's pixels.
    flats : tuple of FlatWater
        Flats of the DEM taken for open water, largest first.
    below_sea_share : float
        Share of the sheet's pixels that are open water since they lie below the sea, beside a
        coast that parts no land from sea.
    channel_km, deepest_cut_m : float
        Watercourses cut into the ground, and the deepest cut below the DEM.
    culverts_opened, culverts_under : int
        Culverts that water passes, and those so long that they stay under the ground.
    deck_pixels : int
        Pixels of the sheet that stood higher under the deck of a bridge.
    moved_road_m2 : float
        Road surface of channel pixels counted on the bank instead.
    """

    native_pixel_m: float
    pixel_m: float
    pixels_per_hex: float
    vertical_step_m: float
    covered_share: float
    void_share: float
    undeclared_voids: int
    open_water_share: float
    flats: tuple[FlatWater, ...]
    below_sea_share: float
    channel_km: float
    deepest_cut_m: float
    culverts_opened: int
    culverts_under: int
    deck_pixels: int
    moved_road_m2: float


def ground_pixel_m(lattice: Lattice, dem: Dem) -> float:
    """Side of the ground's pixels: 30 m, or the DEM's own where coarser, whole metres (§7.3)."""
    west, south, east, north = lattice.bounds
    native = dem.pixel_m((west + east) / 2, (south + north) / 2, lattice.crs)
    if not native <= HEX_WIDTH_M:
        raise SourceError(
            refuse(
                "",
                "{file} has pixels of {native} m, wider than a hex of {hex_width_m} m "
                "(§7.3): give a finer DEM",
                file=dem.path.name,
                native=f"{native:.0f}",
                hex_width_m=f"{HEX_WIDTH_M:.0f}",
            )
        )
    return max(PIXEL_M, float(round(native)))


def ground_of(
    lattice: Lattice,
    dem: Dem,
    osm: WaterLayers,
    road_surface: RoadSurface = road_surface_m2,
) -> tuple[Ground, TerrainReport]:
    """Make the ground of a sheet (§7.3).

    The raster is ``PixelGrid.under(lattice, ground.pixel_m)``. Pits and bowls, those of underpasses
    too, stay as the DEM has them: only decks over water are taken away, and watercourses led
    through what dams them.

    Parameters
    ----------
    lattice : Lattice
    dem : Dem
    osm : OsmExtract
        Its ``water``, ``coastlines``, ``waterways``, ``roads`` and ``railways`` are read.
    road_surface : callable
        Gives the road surface of a grid, square metres a pixel.

    Raises
    ------
    SourceError
        If the DEM covers less than 99 % of the sheet's hexes, or is the same all over them.
    """
    pixel_m = ground_pixel_m(lattice, dem)
    grid = PixelGrid.under(lattice, pixel_m)
    cell = lattice.cells_at(*grid.centres())
    relief = dem.read_under(grid, lattice.crs)
    elevation_m, covered = _elevation(lattice, dem, relief, grid, cell >= 0)
    elevation_m, decks = without_decks(elevation_m, bridges_over_water(osm, lattice.crs), grid)
    road_m2 = road_surface(grid, lattice.crs, osm.roads)

    sink = _burnt(osm.water.to_crs(lattice.crs).geometry, grid)
    level_m, flats = _flat_waters(relief, dem, grid, lattice.crs, road_m2 > 0)
    lake = np.isfinite(level_m) & (road_m2 == 0)
    elevation_m = np.where(lake, level_m, elevation_m)
    sink |= lake
    coast = coast_in_doubt(osm).to_crs(lattice.crs)
    estuary = _below_the_sea(elevation_m, coast, road_m2 > 0, grid) & ~sink
    sink |= estuary
    crossings = ditch_crossings(osm.waterways, osm.roads, osm.railways).to_crs(lattice.crs)
    channels = channels_of(
        elevation_m, osm.waterways.to_crs(lattice.crs), crossings.to_numpy(), grid
    )
    channel = np.isfinite(channels.bed_m) & ~sink
    cut_m = np.where(channel, elevation_m - channels.bed_m, 0.0)
    elevation_m = np.where(channel, channels.bed_m, elevation_m)
    elevation_m = _no_higher_than_its_shore(elevation_m, sink)
    road_m2, moved = _on_the_bank(road_m2, channel | sink, elevation_m, cell)

    on = cell >= 0
    ground = Ground(pixel_m, elevation_m.astype(np.float32), cell, road_m2, sink)
    west, south, east, north = lattice.bounds
    return ground, TerrainReport(
        native_pixel_m=dem.pixel_m((west + east) / 2, (south + north) / 2, lattice.crs),
        pixel_m=pixel_m,
        pixels_per_hex=HEX_AREA_HA * 10_000 / pixel_m**2,
        vertical_step_m=dem.vertical_step_m,
        covered_share=covered,
        void_share=relief.void_share,
        undeclared_voids=relief.undeclared,
        open_water_share=float(sink[on].mean()),
        flats=flats,
        below_sea_share=float(estuary[on].mean()),
        channel_km=channels.length_m / 1000,
        deepest_cut_m=float(cut_m[on].max()),
        culverts_opened=channels.culverts_opened,
        culverts_under=channels.culverts_under,
        deck_pixels=int((decks & on).sum()),
        moved_road_m2=moved,
    )


def _elevation(
    lattice: Lattice, dem: Dem, relief: Relief, grid: PixelGrid, on: BoolArray
) -> tuple[Float64Array, float]:
    """Elevation on the grid without a void, and the share of the sheet that the DEM covers."""
    z = warped(relief.elevation_m, relief.transform, dem.crs, grid, lattice.crs)
    covered = float(np.isfinite(z[on]).mean())
    if covered < LEAST_COVER:
        cure = _window_that_fits(lattice, dem) or _where_void(lattice, np.isnan(z) & on, grid)
        raise _uncovered(lattice, dem, covered, cure)
    if np.nanmin(z) == np.nanmax(z):
        raise SourceError(
            refuse(
                "",
                "{file} has one elevation, {nanmin} m, under the whole sheet, and water "
                "needs a slope to run on: give a DEM of that place",
                file=dem.path.name,
                nanmin=f"{np.nanmin(z):g}",
            )
        )
    z = filled(z.astype(np.float32), max(grid.shape))
    return np.where(np.isfinite(z), z, np.nanmean(z)).astype(float), covered


def require_bounds(lattice: Lattice, dem: Dem) -> None:
    """Refuse a sheet that reaches well beyond a DEM's bounds, before anything is read under it.

    Raises
    ------
    SourceError
        If the bounds of the DEM hold less than 95 % of those of the sheet.
    """
    west, south, east, north = lattice.bounds
    dem_west, dem_south, dem_east, dem_north = _bounds_m(lattice, dem)
    wide = min(east, dem_east) - max(west, dem_west)
    tall = min(north, dem_north) - max(south, dem_south)
    share = max(wide, 0.0) * max(tall, 0.0) / ((east - west) * (north - south))
    if not share > 0:
        cure = refuse("", "move the sheet (longitude first) or give the DEM of that place")
        raise _uncovered(lattice, dem, 0.0, cure)
    if share < SURELY_COVERED:
        raise _uncovered(lattice, dem, share, _window_that_fits(lattice, dem))


def _uncovered(lattice: Lattice, dem: Dem, share: float, cure: Refusal | str) -> SourceError:
    return SourceError(
        refuse(
            "",
            "{file} covers {share} of the sheet where {least_cover} is needed: it "
            "spans {bounds_lonlat}, the sheet spans {bounds_lonlat_2}; {cure}",
            file=dem.path.name,
            share=f"{100 * share:.0f} %",
            least_cover=f"{100 * LEAST_COVER:.0f} %",
            bounds_lonlat=degrees(dem.bounds_lonlat),
            bounds_lonlat_2=degrees(lattice.bounds_lonlat),
            cure=cure,
        )
    )


def _bounds_m(lattice: Lattice, dem: Dem) -> tuple[float, float, float, float]:
    """West, south, east, north that surely lie within a DEM's bounds, metres of the lattice."""
    to_metres = Transformer.from_crs("EPSG:4326", lattice.crs, always_xy=True)
    west, south, east, north = dem.bounds_lonlat
    lon = np.linspace(west, east, 21)
    x_west = to_metres.transform([west, west], [south, north])[0]
    x_east = to_metres.transform([east, east], [south, north])[0]
    y_south = to_metres.transform(lon, np.full(21, south))[1]
    y_north = to_metres.transform(lon, np.full(21, north))[1]
    return (max(x_west), max(y_south), min(x_east), min(y_north))


def _window_that_fits(lattice: Lattice, dem: Dem) -> Refusal | str:
    """What to ask so that the sheet lies inside the DEM's bounds; '' where it does already."""
    west, south, east, north = _bounds_m(lattice, dem)
    low = np.array([west, south]) + FIT_MARGIN_M
    high = np.array([east, north]) - FIT_MARGIN_M
    sheet_west, sheet_south, sheet_east, sheet_north = lattice.bounds
    inside = sheet_west >= low[0] - FIT_MARGIN_M and sheet_east <= high[0] + FIT_MARGIN_M
    inside &= sheet_south >= low[1] - FIT_MARGIN_M and sheet_north <= high[1] + FIT_MARGIN_M
    if inside:
        return ""
    size = np.array([sheet_east - sheet_west, sheet_north - sheet_south])
    step = np.array([COLUMN_STEP_M, HEX_WIDTH_M])
    short = np.maximum(np.ceil((size - (high - low)) / step), 0).astype(int)
    columns, rows = lattice.sheet.columns - short[0], lattice.sheet.rows - short[1]
    if min(columns, rows) < LEAST_SIDE:
        return refuse("", "move the sheet onto it, or give a wider DEM")
    half = (size - short * step) / 2
    middle = np.array([sheet_west + sheet_east, sheet_south + sheet_north]) / 2
    x, y = np.clip(middle, low + half, high - half)
    to_degrees = Transformer.from_crs(lattice.crs, "EPSG:4326", always_xy=True)
    lon_to, lat_to = to_degrees.transform(x, y)
    return refuse(
        "",
        "--centre={lon},{lat} --size {columns}x{rows} would fit, or give a wider DEM, or the tiles "
        "beside it too",
        lon=f"{lon_to:.5f}",
        lat=f"{lat_to:.5f}",
        columns=int(columns),
        rows=int(rows),
    )


def _where_void(lattice: Lattice, void: BoolArray, grid: PixelGrid) -> Refusal:
    """Where the voids of a DEM lie that reaches over the whole sheet."""
    x, y = (axis[void] for axis in grid.centres())
    labels = sorted({lattice.sheet.label(int(c)) for c in lattice.cells_at(x, y) if c >= 0})
    named: Refusal | str = ", ".join(labels[:3])
    if labels[3:]:
        more = len(labels) - 3
        named = refuse("", "{hexes} and {more} hexes more", hexes=named, more=more)
    to_degrees = Transformer.from_crs(lattice.crs, "EPSG:4326", always_xy=True)
    lon, lat = to_degrees.transform(x, y)
    at = degrees((float(min(lon)), float(min(lat)), float(max(lon)), float(max(lat))))
    return refuse(
        "",
        "its voids are too wide to fill within {at} (hexes {hexes}): give a DEM without them",
        at=at,
        hexes=named,
    )


# --------------------------------------------------------------------------- open water
def _burnt(shapes: gpd.GeoSeries, grid: PixelGrid) -> BoolArray:
    """Pixels whose centre lies in one of the polygons."""
    shapes = shapes[~(shapes.is_empty | shapes.isna())]
    if shapes.empty:
        return np.zeros(grid.shape, bool)
    mask = rasterize(
        shapes.to_list(), out_shape=grid.shape, transform=Affine(*grid.transform), dtype=np.uint8
    )
    return np.asarray(mask, bool)


def _flat_waters(
    relief: Relief, dem: Dem, grid: PixelGrid, crs: CRS, road: BoolArray
) -> tuple[Float64Array, tuple[FlatWater, ...]]:
    """Level of the open water that only the DEM shows, NaN elsewhere, and its patches.

    A connected flat of exactly one value, of 25 ha or more, no ground beside which is lower, and
    on at most a twentieth of which there are roads: no town has such a floor, every lake has.
    """
    pixel_m = grid.pixel_m
    x, y = grid.west + pixel_m * grid.columns / 2, grid.north - pixel_m * grid.rows / 2
    native = dem.pixel_m(x, y, crs)
    z = relief.elevation_m
    label, n_labels = _flats(z)
    size = np.bincount(label.ravel(), minlength=n_labels)
    lowest_beside = np.full(n_labels, np.inf)
    for here, there, za, zb in (
        (label[:, 1:], label[:, :-1], z[:, 1:], z[:, :-1]),
        (label[1:], label[:-1], z[1:], z[:-1]),
    ):
        apart = here != there
        np.fmin.at(lowest_beside, here[apart], zb[apart])
        np.fmin.at(lowest_beside, there[apart], za[apart])
    level = np.full(n_labels, np.nan)
    level[label.ravel()] = z.ravel()
    wide = size * native**2 >= LEAST_FLAT_HA * 10_000
    candidates = np.flatnonzero(wide & (level < lowest_beside))
    number = np.zeros(n_labels, np.int32)
    number[candidates] = np.arange(1, candidates.size + 1)
    patch = warped(number[label], relief.transform, dem.crs, grid, crs, Resampling.nearest)
    pixels = np.bincount(patch.ravel(), minlength=candidates.size + 1)
    roads = np.bincount(patch[road].ravel(), minlength=candidates.size + 1)
    water = (pixels > 0) & (roads <= MOST_ROAD_ON_WATER * pixels)
    water[0] = False
    level_m = np.append(np.nan, np.where(water[1:], level[candidates], np.nan))
    found = [
        FlatWater(float(level_m[i]), float(pixels[i] * pixel_m**2 / 10_000))
        for i in np.flatnonzero(water)
    ]
    found.sort(key=lambda flat: (-flat.hectares, flat.level_m))
    return level_m[patch], tuple(found)


def _below_the_sea(
    elevation_m: Float64Array, coast: gpd.GeoSeries, road: BoolArray, grid: PixelGrid
) -> BoolArray:
    """Patches of 25 ha or more below the sea, near a coast, with hardly a road on them."""
    if coast.empty:
        return np.zeros(grid.shape, bool)
    below = elevation_m < BELOW_SEA_M
    label, n_labels = _flats(below.astype(np.float32))
    pixels = np.bincount(label.ravel(), minlength=n_labels)
    roads = np.bincount(label[road], minlength=n_labels)
    near = np.bincount(label[_burnt(coast.buffer(BESIDE_COAST_M), grid)], minlength=n_labels)
    water = (pixels * grid.pixel_m**2 >= LEAST_FLAT_HA * 10_000) & (near > 0)
    water &= roads <= MOST_ROAD_ON_WATER * pixels
    return below & water[label] & ~road


@numba.njit(cache=True, nogil=True)
def _flats(z: FloatArray) -> tuple[IntArray, int]:
    """Label of the connected flat of one value on which each pixel lies, and how many there are."""
    rows, columns = z.shape
    flat = z.reshape(-1)
    label = np.full(flat.size, -1, np.int32)
    stack = np.empty(flat.size, np.int64)
    count = 0
    for first in range(flat.size):
        if label[first] >= 0:
            continue
        label[first] = count
        stack[0] = first
        top = 1
        while top > 0:
            top -= 1
            here = stack[top]
            column = here % columns
            for side in range(4):
                if side == 0:
                    there = here - columns
                elif side == 1:
                    there = here + columns
                elif side == 2:
                    there = here - 1 if column > 0 else -1
                else:
                    there = here + 1 if column < columns - 1 else -1
                if 0 <= there < flat.size and label[there] < 0 and flat[there] == flat[here]:
                    label[there] = count
                    stack[top] = there
                    top += 1
        count += 1
    return label.reshape(rows, columns), count


def _no_higher_than_its_shore(elevation_m: Float64Array, sink: BoolArray) -> Float64Array:
    """Level of open water brought down to the lowest dry ground beside it: else it would be dry."""
    land = np.pad(np.where(sink, np.inf, elevation_m), 1, constant_values=np.inf)
    beside = np.minimum.reduce((land[:-2, 1:-1], land[2:, 1:-1], land[1:-1, :-2], land[1:-1, 2:]))
    return np.where(sink, np.minimum(elevation_m, beside), elevation_m)


# --------------------------------------------------------------------------- roads
def _on_the_bank(
    road_m2: FloatArray, channel: BoolArray, elevation_m: Float64Array, cell: IntArray
) -> tuple[FloatArray, float]:
    """Road surface of channel pixels counted on the lowest ground beside, in the same hex.

    A road shares a pixel with a brook without lying in its bed. Where no such ground is, it stays.
    """
    moved_m2 = 0.0
    onto = road_m2.copy()
    rows, columns = cell.shape
    for r, c in np.argwhere(channel & (road_m2 > 0)).tolist():
        beside = [
            (k, m)
            for k in range(max(r - 1, 0), min(r + 2, rows))
            for m in range(max(c - 1, 0), min(c + 2, columns))
            if not channel[k, m] and cell[k, m] == cell[r, c]
        ]
        if beside:
            onto[min(beside, key=lambda at: (elevation_m[at], at))] += road_m2[r, c]
            onto[r, c] = 0
            moved_m2 += float(road_m2[r, c])
    return onto, moved_m2
