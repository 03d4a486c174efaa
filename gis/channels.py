"""Watercourses led through what dams them in a DEM; culverts opened under embankments (§7.3)."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median_low

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import shapely
from affine import Affine
from rasterio.features import rasterize

from gis.lattice import Float64Array, PixelGrid
from sim.district import BoolArray

# cross-section of the bed below its banks, m², spread over the width of a pixel (own estimate)
BED_M2 = {"river": 40.0, "canal": 15.0, "stream": 3.0}
DITCHES = ("drain", "ditch")
"""Too small to be cut into the ground, but opened where they pass under a road or rails."""
CULVERT_M = 150.0
"""A longer culvert is a watercourse under the ground: what is above it does not reach it."""
DEEPEST_CUT_M = 20.0
"""No channel is cut deeper than this into the DEM, whatever dam the DEM puts in its way."""

Shapes = npt.NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Channels:
    """Watercourses of a ground.

    Attributes
    ----------
    bed_m : (n_row, n_col) float64
        Elevation of the bed, metres; NaN where there is no channel.
    length_m : float
        Of the channels on the grid, ditches but where they are opened left out.
    culverts_opened, culverts_under : int
        Culverts mapped on the grid: those that water passes now, and those too long for it.
    """

    bed_m: Float64Array
    length_m: float
    culverts_opened: int
    culverts_under: int


def channels_of(
    elevation_m: Float64Array, waterways: gpd.GeoDataFrame, crossings: Shapes, grid: PixelGrid
) -> Channels:
    """Cut the watercourses into a ground.

    Along each the bed is the never-rising profile nearest to the ground's, so that what dams it
    there is cut through, less its section below the banks; never above the ground. A culvert of
    at most ``CULVERT_M`` belongs to its watercourse. A ditch is cut only where it passes an
    embankment: in its culverts, and ``CULVERT_M`` about every crossing.

    Parameters
    ----------
    elevation_m : (n_row, n_col) float64
        Metres.
    waterways : GeoDataFrame of LineString
        ``waterway``, ``tunnel``; in the grid's CRS.
    crossings : (n,) Point
        Where roads and railways cross ditches (``ditch_crossings``).
    grid : PixelGrid
    """
    bed_m = np.full(grid.shape, np.nan)
    length_m = 0.0
    opened = under = 0
    frame = shapely.box(
        grid.west,
        grid.north - grid.rows * grid.pixel_m,
        grid.west + grid.columns * grid.pixel_m,
        grid.north,
    )
    open_air = waterways["tunnel"].isin(("", "no")).to_numpy()
    kinds = waterways["waterway"].to_numpy()
    for kind in (*BED_M2, *DITCHES):
        culverts = _merged(waterways.geometry[~open_air & (kinds == kind)])
        culverts = culverts[shapely.intersects(culverts, frame)]
        short = culverts[shapely.length(culverts) <= CULVERT_M]
        opened += short.size
        under += culverts.size - short.size
        section_m2 = BED_M2.get(kind, 0.0)
        lines = waterways.geometry[open_air & (kinds == kind)].to_numpy()
        courses = _merged(np.concatenate((lines, short)))
        here: BoolArray | None = None
        if kind in DITCHES:
            about = shapely.buffer(crossings, CULVERT_M / 2)
            here = _near(np.concatenate((about, shapely.buffer(short, grid.pixel_m))), grid)
        else:
            length_m += float(shapely.length(shapely.intersection(courses, frame)).sum())
        for course in courses[shapely.intersects(courses, frame)]:
            for run in _runs_of_pixels(course, grid):
                if here is not None and not here[run[:, 0], run[:, 1]].any():
                    continue
                profile = _never_rising(elevation_m[run[:, 0], run[:, 1]])
                rows, columns, level = _side_by_side(run, profile, elevation_m)
                if here is not None:
                    cut = here[rows, columns] & (level < elevation_m[rows, columns])
                    rows, columns, level = rows[cut], columns[cut], level[cut]
                z = elevation_m[rows, columns]
                bed = np.minimum(level, z) - section_m2 / grid.pixel_m
                bed = np.maximum(bed, z - DEEPEST_CUT_M)
                np.fmin.at(bed_m, (rows, columns), bed)
    return Channels(bed_m, length_m, opened, under)


def ditch_crossings(waterways: gpd.GeoDataFrame, *ways: gpd.GeoDataFrame) -> gpd.GeoSeries:
    """Points at which roads and railways that are not in a tunnel cross open ditches.

    Parameters
    ----------
    waterways, ways : GeoDataFrame of LineString
        ``waterway``, ``tunnel``; ``tunnel``. All in one CRS, which is the answer's.
    """
    small = waterways["waterway"].isin(DITCHES) & waterways["tunnel"].isin(("", "no"))
    ditches = waterways.geometry[small].to_numpy()
    points: list[Shapes] = []
    for lines in ways:
        if lines.empty or not ditches.size:
            continue
        crossing = lines.geometry[lines["tunnel"].isin(("", "no"))].to_numpy()
        at, ditch = shapely.STRtree(ditches).query(crossing, predicate="intersects")
        met = shapely.intersection(crossing[at], ditches[ditch])
        points.append(shapely.points(shapely.get_coordinates(met)))
    return gpd.GeoSeries(np.concatenate(points) if points else [], crs=waterways.crs)


def _merged(lines: gpd.GeoSeries | Shapes) -> Shapes:
    """Lines joined end to end, downstream."""
    parts = shapely.get_parts(np.asarray(lines, dtype=object))
    joined: Shapes = shapely.get_parts(
        shapely.line_merge(shapely.multilinestrings(parts), directed=True)
    )
    return joined


def _near(shapes: Shapes, grid: PixelGrid) -> BoolArray:
    """Pixels that some of the areas touch."""
    if not shapes.size:
        return np.zeros(grid.shape, bool)
    found: BoolArray = rasterize(
        shapes.tolist(),
        out_shape=grid.shape,
        transform=Affine(*grid.transform),
        all_touched=True,
        dtype=np.uint8,
    ).astype(bool)
    return found


def _runs_of_pixels(course: shapely.LineString, grid: PixelGrid) -> Iterator[npt.NDArray[np.int64]]:
    """(n, 2) row and column of the pixels along a line, one run each time it is on the grid."""
    along = np.arange(0, course.length, grid.pixel_m / 4)
    x, y = shapely.get_coordinates(shapely.line_interpolate_point(course, along)).T
    at = np.column_stack(((grid.north - y) / grid.pixel_m, (x - grid.west) / grid.pixel_m))
    at = np.floor(at).astype(np.int64)
    at = at[np.append(True, (np.diff(at, axis=0) != 0).any(axis=1))]
    on = ((at >= 0) & (at < grid.shape)).all(axis=1)
    for run in np.split(np.arange(len(at)), np.flatnonzero(np.diff(on)) + 1):
        if on[run[0]]:
            yield at[run]


def _side_by_side(
    run: npt.NDArray[np.int64], profile: Float64Array, elevation_m: Float64Array
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Float64Array]:
    """Rows, columns and bed of a run made to meet by sides, for water crosses no corner.

    Between two pixels that meet at a corner comes the lower of the two beside both, its bed that of
    the upper one.
    """
    path = []
    before: tuple[int, int, float] | None = None
    for r, c, bed in zip(*run.T.tolist(), profile.tolist(), strict=True):
        if before is not None and before[0] != r and before[1] != c:
            beside = min((before[0], c), (r, before[1]), key=lambda at: elevation_m[at])
            path.append((*beside, max(before[2], bed)))
        before = (r, c, bed)
        path.append(before)
    rows, columns, level = zip(*path, strict=True)
    return np.array(rows), np.array(columns), np.array(level)


def _never_rising(profile: Float64Array) -> Float64Array:
    """Nearest profile, by least sum of differences, that never rises from its upper end on.

    The upper end is the first, unless the last quarter is higher than the first (a watercourse
    drawn upstream). Pixels that rise are pooled to their median, so a dam a few pixels thick goes
    and the bed on both its sides stays.

    Examples
    --------
    >>> _never_rising(np.array([5.0, 3.0, 9.0, 2.5, 1.0]))
    array([5. , 3. , 3. , 2.5, 1. ])
    """
    quarter = max(1, profile.size // 4)
    if profile[-quarter:].mean() > profile[:quarter].mean():
        return _never_rising(profile[::-1])[::-1]
    pools: list[list[float]] = []
    for level in profile.tolist():
        pool = [level]
        while pools and median_low(pools[-1]) < median_low(pool):
            pool = pools.pop() + pool
        pools.append(pool)
    return np.repeat([median_low(pool) for pool in pools], [len(pool) for pool in pools])
