"""Bridge decks taken out of a ground: in a DEM of surfaces they dam the water (§7.3)."""

from typing import Protocol

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import shapely
from affine import Affine
from pyproj import CRS
from rasterio.features import rasterize

from gis.lattice import Float64Array, PixelGrid
from sim.district import BoolArray

DECK_HALF_M = 10.0
"""Half the width of a deck; a pixel more is taken beside it, for a DEM smears what it shows."""
BESIDE_M = 150.0
"""What lies beside a deck is looked for this far from it: past a second one that runs along it."""

Shapes = npt.NDArray[np.object_]


class BridgeLayers(Protocol):
    """What is read of an OSM extract, in degrees (EPSG:4326)."""

    @property
    def water(self) -> gpd.GeoDataFrame:
        """Polygons of open water."""

    @property
    def waterways(self) -> gpd.GeoDataFrame:
        """Lines: ``tunnel``."""

    @property
    def roads(self) -> gpd.GeoDataFrame:
        """Lines: ``bridge``."""

    @property
    def railways(self) -> gpd.GeoDataFrame:
        """Lines: ``bridge``."""


def bridges_over_water(osm: BridgeLayers, crs: CRS) -> Shapes:
    """Lines of the road and rail bridges over open water or an open watercourse, metres."""
    decks = [
        ways.geometry[~ways["bridge"].isin(("", "no"))]
        for ways in (osm.roads, osm.railways)
        if len(ways)
    ]
    open_air = osm.waterways.geometry[osm.waterways["tunnel"].isin(("", "no"))]
    beneath = np.concatenate((osm.water.geometry.to_numpy(), open_air.to_numpy()))
    found = []
    for lines in decks:
        over, _ = shapely.STRtree(beneath).query(lines.to_numpy(), predicate="intersects")
        found.append(lines.iloc[np.unique(over)].to_crs(crs).to_numpy())
    return np.concatenate(found) if found else np.empty(0, object)


def without_decks(
    elevation_m: Float64Array, bridges: Shapes, grid: PixelGrid
) -> tuple[Float64Array, BoolArray]:
    """Ground under bridges brought down to what lies on either side of them.

    Across every bridge the ground goes straight from one side to the other, where that is lower
    than what the DEM shows: the banks stay banks, the bed runs on beneath.

    Parameters
    ----------
    elevation_m : (n_row, n_col) float64
        Metres.
    bridges : (n,) LineString
        In the grid's CRS.
    grid : PixelGrid

    Returns
    -------
    (n_row, n_col) float64
        Never above ``elevation_m``.
    (n_row, n_col) bool
        Pixels that are lower now.
    """
    lowered = np.zeros(grid.shape, bool)
    frame = shapely.box(
        grid.west,
        grid.north - grid.rows * grid.pixel_m,
        grid.west + grid.columns * grid.pixel_m,
        grid.north,
    )
    bridges = bridges[shapely.intersects(bridges, frame)]
    if not bridges.size:
        return elevation_m, lowered
    decks = shapely.buffer(bridges, DECK_HALF_M + grid.pixel_m, cap_style="flat")
    under = rasterize(
        decks.tolist(), out_shape=grid.shape, transform=Affine(*grid.transform), dtype=np.uint8
    ).astype(bool)
    rows, columns = np.nonzero(under)
    x, y = (axis[rows, columns] for axis in grid.centres())
    east, south = _across(bridges, x, y)
    level = np.full((2, rows.size), np.nan)
    away = np.full((2, rows.size), np.inf)
    # whole pixels and halves of them out from the deck, on its one side and on its other
    for side, sign in enumerate((1.0, -1.0)):
        for step in range(1, int(2 * (BESIDE_M + DECK_HALF_M) / grid.pixel_m) + 2):
            far = sign * step / 2
            r = np.floor(rows + 0.5 + far * south).astype(int)
            c = np.floor(columns + 0.5 + far * east).astype(int)
            on = (r >= 0) & (r < grid.rows) & (c >= 0) & (c < grid.columns)
            on &= ~np.isfinite(away[side])
            on[on] &= ~under[r[on], c[on]]
            level[side, on], away[side, on] = elevation_m[r[on], c[on]], step
    # a side beyond reach says nothing; where both are, the deck stays
    weight = 1 / away
    total = weight.sum(axis=0)
    known = total > 0
    straight = np.nansum(weight * level, axis=0)[known] / total[known]
    at = rows[known], columns[known]
    lowered[at] = straight < elevation_m[at] - 1e-3
    onto = elevation_m.copy()
    onto[at] = np.minimum(elevation_m[at], straight)
    return onto, lowered


def _across(bridges: Shapes, x: Float64Array, y: Float64Array) -> tuple[Float64Array, Float64Array]:
    """Unit steps square to the nearest bridge, east and south, at every place."""
    places = shapely.points(x, y)
    nearest = bridges[shapely.STRtree(bridges).nearest(places)]
    along = shapely.line_locate_point(nearest, places)
    length = shapely.length(nearest)
    reach = np.minimum(5.0, length / 2)
    middle = np.clip(along, reach, length - reach)
    ahead = shapely.get_coordinates(shapely.line_interpolate_point(nearest, middle + reach))
    behind = shapely.get_coordinates(shapely.line_interpolate_point(nearest, middle - reach))
    east, north = (ahead - behind).T
    size = np.maximum(np.hypot(east, north), 1e-9)
    return north / size, east / size
