"""How much of every watercourse's catchment lies outside the sheet, where it does not rain (§7.7).

Water is led down the DEM about the sheet, as far as it reaches and ``REACH_M`` at most. A priority
flood (Barnes, Lehman & Mulla 2014) fills the pits; then every pixel drains to its steepest
neighbour, on a flat to the one from which the rising sea reached it.
"""

from dataclasses import dataclass
from math import ceil, sqrt

import geopandas as gpd
import numba
import numpy as np
import numpy.typing as npt
import shapely
from affine import Affine
from rasterio.features import rasterize

from gis.lattice import Float64Array, Lattice, PixelGrid
from gis.sources.dem import Dem, warped
from sim.district import BoolArray
from sim.hexes import IntArray

REACH_M = 15_000.0
"""Ground looked at around the sheet; a catchment that goes on beyond is said to be "at least"."""
MOST_PIXELS = 150_000
"""Pixels are made as coarse as this asks."""
BURNT_M = 10.0
"""Mapped watercourses lie so far below the DEM while water is led, so that it keeps to them."""
SNAP_M = 250.0
"""A mapped watercourse so near gives its name to what enters the sheet."""
LEAST_MAPPED_KM2, LEAST_UNMAPPED_KM2 = 0.5, 5.0
"""Less than that from outside is not worth saying: of a mapped watercourse, of a mere valley."""
MOST_SAID = 12
COURSES = ("river", "stream")

_NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Entry:
    """A watercourse that enters the sheet.

    Attributes
    ----------
    name : str
        '' where none is mapped.
    hex : str
        Label of the rim hex at which it enters.
    outside_km2 : float
        Its catchment there.
    share : float
        Of its catchment, where it leaves the sheet or joins a larger one, that lies outside.
    at_least : bool
        Whether the catchment reaches the end of the ground looked at: both figures are too low.
    """

    name: str
    hex: str
    outside_km2: float
    share: float
    at_least: bool


@dataclass(frozen=True, slots=True)
class Catchments:
    """What was found of the catchments, for the manifest.

    Attributes
    ----------
    seen_m : float
        How far beyond the sheet there is ground, at the side where it ends first, up to
        ``REACH_M``: next to nothing is known of the catchments where that is next to nothing.
    entries : tuple of Entry
        The widest first.
    """

    seen_m: float
    entries: tuple[Entry, ...]


def catchments_of(lattice: Lattice, dem: Dem, waterways: gpd.GeoDataFrame) -> Catchments:
    """Watercourses that enter a sheet and how much of their catchments lies outside (§7.7).

    Parameters
    ----------
    lattice : Lattice
    dem : Dem
        Ground beyond the sheet is read as far as it has it.
    waterways : GeoDataFrame
        Lines: ``waterway``, ``tunnel``, ``name``.
    """
    grid = _grid_about(lattice, dem)
    relief = dem.read_under(grid, lattice.crs)
    z = warped(relief.elevation_m, relief.transform, dem.crs, grid, lattice.crs).astype(np.float64)
    lines = waterways[waterways["waterway"].isin(COURSES) & waterways["tunnel"].isin(("", "no"))]
    lines = lines.to_crs(lattice.crs)
    if len(lines):
        bed = rasterize(
            lines.geometry, out_shape=grid.shape, transform=Affine(*grid.transform), dtype=np.uint8
        )
        z -= BURNT_M * bed
    cell = lattice.cells_at(*grid.centres())
    # what touches the end of the ground comes from farther than can be seen
    ends = _beside(~np.isfinite(z)) & np.isfinite(z)
    flow = _led_down(z.ravel(), np.isfinite(z).ravel(), (cell < 0).ravel(), ends.ravel(), *z.shape)
    found = _entries(flow, grid, lattice, cell.ravel(), lines)
    found.sort(key=lambda entry: (-entry.outside_km2, entry.hex, entry.name))
    return Catchments(_seen_m(z, grid), tuple(found[:MOST_SAID]))


def _grid_about(lattice: Lattice, dem: Dem) -> PixelGrid:
    west, south, east, north = lattice.bounds
    width, height = east - west + 2 * REACH_M, north - south + 2 * REACH_M
    native = dem.pixel_m((west + east) / 2, (south + north) / 2, lattice.crs)
    pixel_m = float(ceil(max(native, sqrt(width * height / MOST_PIXELS))))
    return PixelGrid(
        west - REACH_M, north + REACH_M, pixel_m, ceil(height / pixel_m), ceil(width / pixel_m)
    )


def _seen_m(z: Float64Array, grid: PixelGrid) -> float:
    """How far beyond the sheet there is ground, at the side where it ends first, metres."""
    rows, columns = np.nonzero(np.isfinite(z))
    margins = (
        rows.min(),
        grid.rows - 1 - rows.max(),
        columns.min(),
        grid.columns - 1 - columns.max(),
    )
    return max(REACH_M - grid.pixel_m * float(max(margins)), 0.0)


def _beside(pixels: BoolArray) -> BoolArray:
    """Pixels within two of any of these, or of the raster's rim."""
    wide = np.pad(pixels, 2, constant_values=True)
    rows, columns = pixels.shape
    parts = [wide[r : r + rows, c : c + columns] for r in range(5) for c in range(5)]
    return np.asarray(np.logical_or.reduce(parts), bool)


# --------------------------------------------------------------------------- leading water down
@dataclass(frozen=True, slots=True)
class _Flow:
    """Water led down a raster, pixel by pixel in one row."""

    to: IntArray  # pixel into which each drains, -1 off the ground
    fresh: IntArray  # pixels upstream from which water has not been on the sheet yet
    outside: IntArray  # pixels upstream, itself too, outside the sheet
    every: IntArray  # pixels upstream, itself too
    open_ended: BoolArray  # whether some pixel upstream lies at the end of the ground


def _led_down(
    z: Float64Array, known: BoolArray, off: BoolArray, ends: BoolArray, rows: int, columns: int
) -> _Flow:
    to, order = _priority_flood(z, known, rows, columns)
    return _Flow(to, *_gathered(to, order, off, ends))


@numba.njit(cache=True, nogil=True)
def _priority_flood(
    z: Float64Array, known: BoolArray, rows: int, columns: int
) -> tuple[IntArray, IntArray]:
    """Pixel into which each drains, and the pixels in the order in which the sea reaches them."""
    size = z.size
    to = np.full(size, -1, np.int32)
    reached = ~known
    level = np.empty(size)
    # a binary heap of pixels by level, then by the order in which they came
    heap, came = np.empty(size, np.int32), np.empty(size, np.int32)
    order = np.empty(size, np.int32)
    count, n, done = 0, 0, 0

    for start in range(size):
        if reached[start] or not known[start]:
            continue
        r, c = start // columns, start % columns
        rim = r == 0 or c == 0 or r == rows - 1 or c == columns - 1
        if not rim:
            for k in range(9):
                rim = rim or not known[(r + k // 3 - 1) * columns + c + k % 3 - 1]
        if rim:
            level[start] = z[start]
            came[start] = count
            count += 1
            reached[start] = True
            n = _push(heap, n, start, level, came)
    while n > 0:
        here = heap[0]
        n = _pop(heap, n, level, came)
        order[done] = here
        done += 1
        r, c = here // columns, here % columns
        for k in range(9):
            rr, cc = r + k // 3 - 1, c + k % 3 - 1
            if rr < 0 or cc < 0 or rr >= rows or cc >= columns:
                continue
            there = rr * columns + cc
            if reached[there]:
                continue
            reached[there] = True
            to[there] = here
            level[there] = max(z[there], level[here])
            came[there] = count
            count += 1
            n = _push(heap, n, there, level, came)
    _steepest(to, level, known, rows, columns)
    return to, order[:done]


@numba.njit(cache=True, nogil=True)
def _steepest(to: IntArray, level: Float64Array, known: BoolArray, rows: int, columns: int) -> None:
    """Turn every pixel to its steepest way down where it has one; a flat keeps the sea's way."""
    for here in range(to.size):
        if not known[here]:
            continue
        r, c = here // columns, here % columns
        best = 0.0
        for k in range(9):
            rr, cc = r + k // 3 - 1, c + k % 3 - 1
            if rr < 0 or cc < 0 or rr >= rows or cc >= columns:
                continue
            there = rr * columns + cc
            if not known[there]:
                continue
            fall = level[here] - level[there]
            if k % 2 == 0:  # across a corner
                fall *= sqrt(0.5)
            if fall > best:
                best = fall
                to[here] = there


@numba.njit(inline="always")
def _before(a, b, level, came):  # type: ignore[no-untyped-def]
    return level[a] < level[b] or (level[a] == level[b] and came[a] < came[b])


@numba.njit(cache=True, nogil=True)
def _push(heap, n, pixel, level, came):  # type: ignore[no-untyped-def]
    """Put a pixel on the heap; return how many are on it."""
    at = n
    while at > 0:
        above = (at - 1) // 2
        if not _before(pixel, heap[above], level, came):
            break
        heap[at] = heap[above]
        at = above
    heap[at] = pixel
    return n + 1


@numba.njit(cache=True, nogil=True)
def _pop(heap, n, level, came):  # type: ignore[no-untyped-def]
    """Take the first pixel off the heap; return how many are left."""
    n -= 1
    last = heap[n]
    at = 0
    while 2 * at + 1 < n:
        below = 2 * at + 1
        if below + 1 < n and _before(heap[below + 1], heap[below], level, came):
            below += 1
        if not _before(heap[below], last, level, came):
            break
        heap[at] = heap[below]
        at = below
    heap[at] = last
    return n


@numba.njit(cache=True, nogil=True)
def _gathered(
    to: IntArray, order: IntArray, off: BoolArray, ends: BoolArray
) -> tuple[IntArray, IntArray, IntArray, BoolArray]:
    """What lies upstream of every pixel: the farthest from the sea are looked at first."""
    fresh = off.astype(np.int32)
    outside = off.astype(np.int32)
    every = np.ones(to.size, np.int32)
    open_ended = ends.copy()
    for i in range(order.size - 1, -1, -1):
        here = order[i]
        there = to[here]
        if there < 0:
            continue
        outside[there] += outside[here]
        every[there] += every[here]
        open_ended[there] = open_ended[there] or open_ended[here]
        if off[here] and off[there]:
            fresh[there] += fresh[here]
    return fresh, outside, every, open_ended


# --------------------------------------------------------------------------- what enters
def _entries(
    flow: _Flow, grid: PixelGrid, lattice: Lattice, cell: IntArray, lines: gpd.GeoDataFrame
) -> list[Entry]:
    pixel_km2 = grid.pixel_m**2 / 1e6
    onto = np.maximum(flow.to, 0)
    enters = (cell < 0) & (flow.to >= 0) & (cell[onto] >= 0)
    enters &= flow.fresh * pixel_km2 >= LEAST_MAPPED_KM2
    where = np.flatnonzero(enters)
    names = _names_near(where, grid, lines)
    found: dict[tuple[str, str], Entry] = {}
    for here, name in zip(where.tolist(), names, strict=True):
        outside_km2 = float(flow.fresh[here]) * pixel_km2
        if name is None and outside_km2 < LEAST_UNMAPPED_KM2:
            continue
        label = lattice.sheet.label(int(cell[flow.to[here]]))
        entry = Entry(
            name=name or "",
            hex=label,
            outside_km2=round(outside_km2, 1),
            share=round(_share_outside(flow, cell, int(flow.to[here])), 3),
            at_least=bool(flow.open_ended[here]),
        )
        before = found.get((entry.name, label))
        if before is None or before.outside_km2 < entry.outside_km2:
            found[entry.name, label] = entry
    return list(found.values())


def _share_outside(flow: _Flow, cell: IntArray, here: int) -> float:
    """Share outside of the catchment where a watercourse leaves the sheet or joins a larger one."""
    while True:
        there = int(flow.to[here])
        joins = there >= 0 and flow.every[there] - flow.every[here] > flow.every[here]
        if there < 0 or cell[there] < 0 or joins:
            return float(flow.outside[here] / flow.every[here])
        here = there


def _names_near(
    pixels: npt.NDArray[np.int64], grid: PixelGrid, lines: gpd.GeoDataFrame
) -> list[str | None]:
    """Name of the mapped watercourse near each pixel, '' where it bears none, None where none is.

    Rivers go before streams, the named before the nameless, then the nearest.
    """
    if not len(lines):
        return [None] * pixels.size
    row, column = np.divmod(pixels, grid.columns)
    points = shapely.points(
        grid.west + grid.pixel_m * (column + 0.5), grid.north - grid.pixel_m * (row + 0.5)
    )
    shapes = lines.geometry.to_numpy()
    kinds = lines["waterway"].to_numpy()
    called = [name if isinstance(name, str) else "" for name in lines["name"]]
    reach = max(SNAP_M, 2 * grid.pixel_m)
    near, which = shapely.STRtree(shapes).query(points, predicate="dwithin", distance=reach)
    best: dict[int, tuple[int, bool, float, str]] = {}
    for i, k in zip(near.tolist(), which.tolist(), strict=True):
        apart = float(shapely.distance(points[i], shapes[k]))
        rank = (COURSES.index(kinds[k]), not called[k], apart, called[k])
        best[i] = min(best.get(i, rank), rank)
    return [best[i][3] if i in best else None for i in range(pixels.size)]
