"""Places the 260 m hexes on the ground, in a metric CRS (§1.1, 1.5)."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import h3
import numpy as np
import numpy.typing as npt
from pyproj import CRS, Transformer
from pyproj.aoi import AreaOfInterest
from pyproj.database import query_utm_crs_info

from sim.errors import DistrictError
from sim.hexes import IntArray, Sheet
from sim.refusal import refuse
from sim.rules import HEX_SIDE_M, HEX_WIDTH_M

Float64Array = npt.NDArray[np.float64]

H3_RESOLUTION = 10  # §1.5
COLUMN_STEP_M = 1.5 * HEX_SIDE_M
# corners of a flat-top hex from its centre, anticlockwise from east
_ANGLES = np.radians(np.arange(0, 360, 60))
CORNERS_M = HEX_SIDE_M * np.column_stack((np.cos(_ANGLES), np.sin(_ANGLES)))
# corner indices (of CORNERS_M) at the two ends of each side, clockwise from north
SIDE_CORNERS = ((2, 1), (1, 0), (0, 5), (5, 4), (4, 3), (3, 2))


@lru_cache(maxsize=64)  # a look-up in PROJ's database takes 50 ms
def utm_crs(lon: float, lat: float) -> CRS:
    """UTM zone (WGS 84) of a place given in degrees.

    Raises
    ------
    DistrictError
        If the place is beyond the UTM zones (latitude over 84° N or 80° S).

    """
    found = query_utm_crs_info(
        datum_name="WGS 84", area_of_interest=AreaOfInterest(lon, lat, lon, lat)
    )
    if not found:
        raise DistrictError(
            refuse(
                "",
                "no UTM zone at longitude {lon}, latitude {lat}: give a place between 80° "
                "S and 84° N, longitude first",
                lon=str(lon),
                lat=str(lat),
            )
        )
    return CRS.from_epsg(int(found[0].code))


@dataclass(frozen=True)
class Lattice:
    """A sheet of hexes laid on the ground.

    Attributes
    ----------
    sheet : Sheet
    crs : pyproj.CRS
        Projected, metric.
    x0, y0 : float
        Centre of hex 0101, metres in ``crs``.

    """

    sheet: Sheet
    crs: CRS
    x0: float
    y0: float

    @classmethod
    def centred(cls, sheet: Sheet, lon: float, lat: float, crs: CRS | None = None) -> "Lattice":
        """Lay a sheet centred on a place given in degrees, in its UTM zone unless one is given."""
        crs = crs or utm_crs(lon, lat)
        x, y = Transformer.from_crs("EPSG:4326", crs, always_xy=True).transform(lon, lat)
        placed = cls(sheet, crs, 0.0, 0.0)
        west, south, east, north = placed.bounds
        # whole metres: the same lattice whatever the last digit of the projection
        return cls(
            sheet, crs, float(round(x - (west + east) / 2)), float(round(y - (south + north) / 2))
        )

    @cached_property
    def centres(self) -> Float64Array:
        """(n_hex, 2) centre of every hex, metres in ``crs``."""
        column, row = np.divmod(np.arange(self.sheet.n_hexes), self.sheet.rows)
        x = self.x0 + COLUMN_STEP_M * column
        y = self.y0 - HEX_WIDTH_M * (row + 0.5 * (column % 2))
        return np.column_stack((x, y))

    @cached_property
    def corners(self) -> Float64Array:
        """(n_hex, 6, 2) corners of every hex, metres, anticlockwise from east."""
        return self.centres[:, None, :] + CORNERS_M[None, :, :]

    @cached_property
    def edge_ends(self) -> Float64Array:
        """(n_edge, 2, 2) the two ends of every shared edge, metres, ordered as ``Sheet.edges``."""
        ends = np.empty((self.sheet.n_edges, 2, 2))
        low = self.sheet.edges[:, 0]
        across = self.sheet.edge_across[low]
        for side, (a, b) in enumerate(SIDE_CORNERS):
            rows = np.flatnonzero(across[:, side] == np.arange(self.sheet.n_edges))
            ends[rows, 0] = self.corners[low[rows], a]
            ends[rows, 1] = self.corners[low[rows], b]
        return ends

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """West, south, east, north of all hexes, metres in ``crs``."""
        c, r = self.sheet.columns, self.sheet.rows
        drop = 0.5 if c > 1 else 0.0
        return (
            self.x0 - HEX_SIDE_M,
            self.y0 - HEX_WIDTH_M * (r - 1 + drop + 0.5),
            self.x0 + COLUMN_STEP_M * (c - 1) + HEX_SIDE_M,
            self.y0 + HEX_WIDTH_M / 2,
        )

    @cached_property
    def bounds_lonlat(self) -> tuple[float, float, float, float]:
        """West, south, east, north of all hexes, degrees (EPSG:4326)."""
        to_degrees = Transformer.from_crs(self.crs, "EPSG:4326", always_xy=True)
        west, south, east, north = to_degrees.transform_bounds(*self.bounds, densify_pts=21)
        return (west, south, east, north)

    @cached_property
    def centres_lonlat(self) -> Float64Array:
        """(n_hex, 2) longitude and latitude of every centre, degrees (EPSG:4326)."""
        to_degrees = Transformer.from_crs(self.crs, "EPSG:4326", always_xy=True)
        return np.column_stack(to_degrees.transform(self.centres[:, 0], self.centres[:, 1]))

    @cached_property
    def h3_cells(self) -> tuple[str, ...]:
        """H3 index (resolution 10) of every centre (§1.5)."""
        return tuple(h3.latlng_to_cell(lat, lon, H3_RESOLUTION) for lon, lat in self.centres_lonlat)

    def cells_at(self, x: npt.ArrayLike, y: npt.ArrayLike) -> IntArray:
        """Index of the hex under each point; -1 off the sheet.

        Parameters
        ----------
        x, y : array of float
            Metres in ``crs``, same shape.

        Notes
        -----
        Cube rounding of fractional axial coordinates: exact but on an edge itself, where either
        hex may come out.

        """
        px = np.asarray(x, dtype=float) - self.x0
        py = self.y0 - np.asarray(y, dtype=float)
        q = px / COLUMN_STEP_M
        r = py / HEX_WIDTH_M - q / 2
        s = -q - r
        rq, rr, rs = np.rint(q), np.rint(r), np.rint(s)
        eq, er, es = np.abs(rq - q), np.abs(rr - r), np.abs(rs - s)
        fix_q = (eq > er) & (eq > es)
        fix_r = ~fix_q & (er > es)
        rq = np.where(fix_q, -rr - rs, rq)
        rr = np.where(fix_r, -rq - rs, rr)
        column = rq.astype(np.int64)
        row = rr.astype(np.int64) + np.floor_divide(column, 2)
        on = (column >= 0) & (column < self.sheet.columns) & (row >= 0) & (row < self.sheet.rows)
        return np.where(on, column * self.sheet.rows + row, -1).astype(np.int32)


@dataclass(frozen=True)
class PixelGrid:
    """Square pixels under a lattice, north up; row 0, column 0 is the north-west one.

    Attributes
    ----------
    west, north : float
        Outer corner of the first pixel, metres in the lattice's CRS.
    pixel_m : float
        Side of a pixel, metres.
    rows, columns : int

    """

    west: float
    north: float
    pixel_m: float
    rows: int
    columns: int

    @classmethod
    def under(cls, lattice: Lattice, pixel_m: float) -> "PixelGrid":
        """Return the smallest grid that covers all hexes of a lattice."""
        west, south, east, north = lattice.bounds
        return cls(
            west,
            north,
            pixel_m,
            int(np.ceil((north - south) / pixel_m)),
            int(np.ceil((east - west) / pixel_m)),
        )

    @property
    def shape(self) -> tuple[int, int]:
        """Rows, columns."""
        return (self.rows, self.columns)

    @property
    def transform(self) -> tuple[float, float, float, float, float, float]:
        """Affine coefficients (a, b, c, d, e, f) from column, row to x, y."""
        return (self.pixel_m, 0.0, self.west, 0.0, -self.pixel_m, self.north)

    def centres(self) -> tuple[Float64Array, Float64Array]:
        """Return x and y of every pixel's centre, each (rows, columns), metres."""
        x = self.west + self.pixel_m * (np.arange(self.columns) + 0.5)
        y = self.north - self.pixel_m * (np.arange(self.rows) + 0.5)
        return np.meshgrid(x, y)
