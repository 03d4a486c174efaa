"""Opens an elevation raster: any format of GDAL, any CRS; voids found, told and filled."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import rasterio
from affine import Affine
from pyproj import CRS, Transformer
from pyproj.exceptions import CRSError, ProjError
from rasterio.enums import ColorInterp, Resampling
from rasterio.errors import NotGeoreferencedWarning, RasterioError
from rasterio.fill import fillnodata
from rasterio.warp import reproject
from rasterio.windows import Window

from gis.lattice import PixelGrid
from sim.district import FloatArray
from sim.errors import SourceError
from sim.refusal import Refusal, mark, refuse

Bounds = tuple[float, float, float, float]

FORMATS = mark("a GeoTIFF, .hgt, .hgt.zip, .asc or .asc.gz")
LOWEST_M, HIGHEST_M = -500.0, 9000.0
"""Elevations beyond these are voids that the file does not declare (-32768, -9999 …)."""
FILL_REACH_PIXELS = 20
"""A void is filled from data at most so many pixels away; a wider one stays uncovered."""
SMEAR_M = 300.0
"""A pixel beside a void this far below or above all the ground about it is void as well."""
UNITS_M = {"metres": 1.0, "feet": 0.3048}
"""Metres to a unit of elevation, under the names that ``--dem-unit`` takes."""
_FEET = ("ft", "foot", "feet", "us survey f", "us-ft", "us_survey_f")
MARGIN_PIXELS = 4 + FILL_REACH_PIXELS


@dataclass(frozen=True, eq=False)
class Relief:
    """Elevation read under a grid, in the raster's own pixels.

    Attributes
    ----------
    elevation_m : (n_row, n_col) float32
        Metres; voids filled where data are near, NaN elsewhere.
    transform : Affine
        From column, row to x, y of the DEM's CRS.
    void_share : float
        Share of the pixels read that were void.
    undeclared : int
        Of these, pixels whose value the file does not declare as void.
    """

    elevation_m: FloatArray
    transform: Affine
    void_share: float
    undeclared: int


@dataclass(frozen=True)
class Dem:
    """An elevation raster on disk, found readable; ``read_under`` reads a part of it.

    Attributes
    ----------
    path : Path
    opened : str
        The name under which GDAL opens it (inside an archive, say).
    crs : pyproj.CRS
    transform : Affine
        From column, row to x, y in ``crs``.
    shape : (int, int)
        Rows, columns.
    vertical_step_m : float
        Least step of the stored values where they are whole, else 0.
    unit_m : float
        Metres to one unit of the stored values.
    """

    path: Path
    opened: str
    crs: CRS
    transform: Affine
    shape: tuple[int, int]
    vertical_step_m: float
    unit_m: float

    @property
    def bounds_lonlat(self) -> Bounds:
        """West, south, east, north of the raster, degrees (EPSG:4326)."""
        rows, columns = self.shape
        edge = np.linspace(0, 1, 21)
        column = np.concatenate((edge, edge, 0 * edge, 0 * edge + 1)) * columns
        row = np.concatenate((0 * edge, 0 * edge + 1, edge, edge)) * rows
        x, y = _applied(self.transform, column, row)
        lon, lat = Transformer.from_crs(self.crs, "EPSG:4326", always_xy=True).transform(x, y)
        return (float(lon.min()), float(lat.min()), float(lon.max()), float(lat.max()))

    def pixel_m(self, x: float, y: float, crs: CRS) -> float:
        """Side of the raster's pixel at a place, metres: the root of its area.

        Parameters
        ----------
        x, y : float
            Metres in ``crs``.
        """
        there = Transformer.from_crs(crs, self.crs, always_xy=True)
        column, row = _applied(~self.transform, *map(np.asarray, there.transform(x, y)))
        corners = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
        px, py = _applied(self.transform, column + corners[0], row + corners[1])
        back = Transformer.from_crs(self.crs, crs, always_xy=True)
        mx, my = (np.asarray(v) for v in back.transform(px, py))
        right, down = (mx[1] - mx[0], my[1] - my[0]), (mx[2] - mx[0], my[2] - my[0])
        return float(np.sqrt(abs(right[0] * down[1] - right[1] * down[0])))

    def read_under(self, grid: PixelGrid, crs: CRS) -> Relief:
        """Read what lies under a grid of ``crs``, and a margin.

        Raises
        ------
        SourceError
            If nothing of the raster lies under the grid, or the file breaks off.
        """
        window = self.window_under(grid, crs)
        if window is None:
            raise SourceError(
                refuse(
                    "",
                    "{file} covers {share} of the sheet: it spans {bounds_lonlat}; move the sheet "
                    "(longitude first) or give the DEM of that place",
                    file=self.path.name,
                    share="0 %",
                    bounds_lonlat=degrees(self.bounds_lonlat),
                )
            )
        z, odd = self.read_window(window)
        return _relief(z, odd, self.transform, window)

    def read_window(self, window: Window) -> tuple[FloatArray, int]:
        """Elevation (n_row, n_col) in metres, voids NaN, and how many voids are undeclared.

        Raises
        ------
        SourceError
            If the file breaks off.
        """
        try:
            with rasterio.open(self.opened) as raster:
                raw = raster.read(1, window=window, masked=True)
                scale, offset = raster.scales[0], raster.offsets[0]
        except RasterioError as fault:
            raise SourceError(
                refuse(
                    "",
                    "{file} cannot be read ({fault}): fetch it again",
                    file=self.path.name,
                    fault=str(_one_line(fault)),
                )
            ) from fault
        declared = np.ma.getmaskarray(raw)
        z = np.ma.getdata(raw).astype(np.float32) * np.float32(scale) + np.float32(offset)
        z *= np.float32(self.unit_m)
        odd = ~declared & ~((z >= LOWEST_M) & (z <= HIGHEST_M))
        z[declared | odd] = np.nan
        odd |= _smeared(z)
        z[odd] = np.nan
        return z, int(odd.sum())

    def window_under(self, grid: PixelGrid, crs: CRS, cut: bool = True) -> Window | None:
        """Part of the raster under a grid of ``crs``, and a margin; None where there is none.

        Not ``cut`` to the raster, it is the window that the grid would have on a wider one.
        """
        x = grid.west + grid.pixel_m * np.linspace(0, grid.columns, 41)
        y = grid.north - grid.pixel_m * np.linspace(0, grid.rows, 41)
        there = Transformer.from_crs(crs, self.crs, always_xy=True)
        at = (np.asarray(v) for v in there.transform(*np.meshgrid(x, y)))
        column, row = _applied(~self.transform, *at)
        rows, columns = self.shape
        first = np.floor([row.min(), column.min()]).astype(int) - MARGIN_PIXELS
        last = np.ceil([row.max(), column.max()]).astype(int) + MARGIN_PIXELS
        if cut:
            first, last = np.maximum(first, 0), np.minimum(last, (rows, columns))
        if (last <= first).any():
            return None
        return Window(first[1], first[0], last[1] - first[1], last[0] - first[0])


@dataclass(frozen=True)
class DemTiles(Dem):
    """Several rasters read as one, on the pixels of the first; where two overlap, it speaks.

    Attributes
    ----------
    tiles : tuple of Dem
        The finest first; in any CRS and unit each.
    """

    tiles: tuple[Dem, ...]

    @property
    def bounds_lonlat(self) -> Bounds:
        """West, south, east, north of all tiles together, degrees (EPSG:4326)."""
        west, south, east, north = zip(*(tile.bounds_lonlat for tile in self.tiles), strict=True)
        return (min(west), min(south), max(east), max(north))

    def read_under(self, grid: PixelGrid, crs: CRS) -> Relief:
        """Read what lies under a grid of ``crs``, and a margin, without a seam.

        Raises
        ------
        SourceError
            If no tile lies under the grid, or a file breaks off.
        """
        here = {
            tile: window
            for tile in self.tiles
            if (window := tile.window_under(grid, crs)) is not None
        }
        whole = self.window_under(grid, crs, cut=False)
        if not here or whole is None:
            raise SourceError(
                refuse(
                    "",
                    "{file} cover {share} of the sheet: they span {bounds_lonlat}; move the sheet "
                    "(longitude first) or give the DEM of that place",
                    file=self.path.name,
                    share="0 %",
                    bounds_lonlat=degrees(self.bounds_lonlat),
                )
            )
        joined = np.full((int(whole.height), int(whole.width)), np.nan, np.float32)
        undeclared = 0
        for tile, window in here.items():
            z, odd = tile.read_window(window)
            undeclared += odd
            onto = np.full_like(joined, np.nan)
            reproject(
                z,
                onto,
                src_transform=_moved(tile.transform, window),
                src_crs=tile.crs.to_wkt(),
                src_nodata=np.nan,
                dst_transform=_moved(self.transform, whole),
                dst_crs=self.crs.to_wkt(),
                dst_nodata=np.nan,
                resampling=Resampling.bilinear,
            )
            joined = np.where(np.isfinite(joined), joined, onto)
        return _relief(joined, undeclared, self.transform, whole)


def open_dems(paths: Sequence[str | Path], crs: str | None = None, unit: str | None = None) -> Dem:
    """Open one elevation raster, or several tiles as one (``open_dem``).

    Where the tiles' pixels differ in size by more than a quarter, all are brought to the finest,
    which speak first; else the order given holds.

    Raises
    ------
    SourceError
        As ``open_dem``, for the first file at fault.
    """
    given = tuple(open_dem(path, crs, unit) for path in paths)
    if len(given) == 1:
        return given[0]
    sizes = {id(tile): _pixel_m(tile) for tile in given}
    fine = 1.25 * min(sizes.values())
    tiles = tuple(sorted(given, key=lambda tile: max(sizes[id(tile)], fine)))
    first = tiles[0]
    step = max(tile.vertical_step_m for tile in tiles)
    name = Path(f"{given[0].path.name} and {len(tiles) - 1} more")
    return DemTiles(name, first.opened, first.crs, first.transform, first.shape, step, 1.0, tiles)


def _pixel_m(dem: Dem) -> float:
    """Side of a raster's pixel at its middle, metres."""
    west, south, east, north = dem.bounds_lonlat
    here = CRS(f"+proj=aeqd +lat_0={(south + north) / 2} +lon_0={(west + east) / 2}")
    return dem.pixel_m(0.0, 0.0, here)


def open_dem(path: str | Path, crs: str | None = None, unit: str | None = None) -> Dem:
    """Open an elevation raster.

    Parameters
    ----------
    path : path of any single-band raster that GDAL reads
        Alone, gzipped, or alone in a .zip.
    crs : str, optional
        CRS of a raster that states none (``--dem-crs``), such as "EPSG:2154".
    unit : str, optional
        Unit of a raster that states none (``--dem-unit``), of ``UNITS_M``; metres by default.

    Raises
    ------
    SourceError
        If the file is missing, is no elevation raster, has no place on Earth, states no CRS where
        none is given, or another CRS or unit than is given.
    """
    path = Path(path)
    if not path.is_file():
        what = mark("a folder") if path.is_dir() else mark("nothing")
        raise SourceError(
            refuse(
                "",
                "{what} at {path} where a DEM was asked for: give {formats}",
                what=what,
                path=str(path),
                formats=FORMATS,
            )
        )
    opened = _opened_as(path)
    given = _given_crs(crs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotGeoreferencedWarning)
        try:
            with rasterio.open(opened) as raster:
                stated = CRS.from_wkt(raster.crs.to_wkt()) if raster.crs else None
                transform, shape, bands = raster.transform, raster.shape, raster.count
                kind, declared = np.dtype(raster.dtypes[0]), raster.units[0] or ""
                masks = sum(c is ColorInterp.alpha for c in raster.colorinterp[1:])
                step = abs(raster.scales[0]) if np.issubdtype(kind, np.integer) else 0.0
        except (RasterioError, CRSError) as fault:
            hint = mark(" (a .hgt must be named after its tile, as N42E001.hgt)") * (
                ".hgt" in path.name
            )
            raise SourceError(
                refuse(
                    "",
                    "{file} is not a raster that can be read ({fault}){hint}: give {formats}",
                    file=path.name,
                    fault=str(_one_line(fault)),
                    hint=hint,
                    formats=FORMATS,
                )
            ) from fault
    if bands - masks > 1:
        raise SourceError(
            refuse(
                "",
                "{file} has {bands} bands, as a picture has, and does not say which is the "
                "ground: give a DEM, one band of metres",
                file=path.name,
                bands=str(bands),
            )
        )
    if np.issubdtype(kind, np.complexfloating):
        raise SourceError(
            refuse(
                "",
                "{file} holds complex numbers, as a radar image does: give a DEM, one band "
                "of metres",
                file=path.name,
            )
        )
    if transform == Affine.identity():
        raise SourceError(
            refuse(
                "",
                "{file} does not say where on Earth it lies (no geotransform): give a "
                "georeferenced DEM",
                file=path.name,
            )
        )
    placed = stated or given
    if placed is None:
        raise SourceError(
            refuse(
                "",
                "{file} states no CRS: say it with --dem-crs, such as --dem-crs EPSG:2154",
                file=path.name,
            )
        )
    if stated is not None and given is not None and not stated.equals(given, True):
        raise SourceError(
            refuse(
                "",
                "{file} states the CRS {name} where --dem-crs says {name_2}: leave the option out",
                file=path.name,
                name=repr(stated.name),
                name_2=repr(given.name),
            )
        )
    unit_m = _unit_m(path, declared, unit)
    dem = Dem(path, opened, placed, transform, shape, step * unit_m, unit_m)
    try:
        placed_well = bool(np.isfinite(dem.bounds_lonlat).all())
    except ProjError:
        placed_well = False
    if not placed_well:
        raise SourceError(
            refuse(
                "",
                "{file} lies nowhere on Earth in the CRS that it states ({name}): give a "
                "DEM in longitude and latitude, or projected",
                file=path.name,
                name=f"{placed.name!r:.60}",
            )
        )
    return dem


def warped(
    values: npt.NDArray[np.generic],
    transform: Affine,
    source_crs: CRS,
    grid: PixelGrid,
    crs: CRS,
    how: Resampling = Resampling.bilinear,
) -> npt.NDArray[np.generic]:
    """Raster brought onto a grid of ``crs``; NaN (or 0 for whole numbers) where it has no value."""
    void = np.nan if np.issubdtype(values.dtype, np.floating) else 0
    onto = np.full(grid.shape, void, values.dtype)
    reproject(
        values,
        onto,
        src_transform=transform,
        src_crs=source_crs.to_wkt(),
        src_nodata=void,
        dst_transform=Affine(*grid.transform),
        dst_crs=crs.to_wkt(),
        dst_nodata=void,
        resampling=how,
    )
    return onto


def filled(elevation_m: FloatArray, reach_pixels: int) -> FloatArray:
    """Voids (NaN) filled from the data around them, by inverse distance, within a reach."""
    known = np.isfinite(elevation_m)
    values = np.where(known, elevation_m, np.float32(-1e6)).astype(np.float32)
    full = fillnodata(values, mask=known.astype(np.uint8), max_search_distance=reach_pixels)
    return np.where(full < LOWEST_M - 1, np.float32(np.nan), full).astype(np.float32)


def degrees(bounds: Bounds) -> Refusal:
    """Bounds as a user reads them, to stand in a fault."""
    west, south, east, north = bounds
    return refuse(
        "",
        "longitude {west} to {east}, latitude {south} to {north}",
        west=f"{west:.4f}",
        east=f"{east:.4f}",
        south=f"{south:.4f}",
        north=f"{north:.4f}",
    )


def _relief(z: FloatArray, undeclared: int, transform: Affine, window: Window) -> Relief:
    """Relief of a window, its voids filled within reach."""
    void = np.isnan(z)
    if void.any() and not void.all():
        z = filled(z, FILL_REACH_PIXELS)
    return Relief(z, _moved(transform, window), float(void.mean()), undeclared)


def _moved(transform: Affine, window: Window) -> Affine:
    """Transform of a window of a raster."""
    a, b, _, d, e, _ = transform[:6]
    x, y = _applied(transform, window.col_off, window.row_off)
    return Affine(a, b, x, d, e, y)


def _smeared(z: FloatArray) -> npt.NDArray[np.bool_]:
    """(n_row, n_col) pixels beside a void that lie far below, or above, all ground about them.

    Resampling mixes the value that stands for a void into its neighbours.
    """
    void = np.isnan(z)
    smeared = np.zeros(z.shape, dtype=bool)
    if not void.any():
        return smeared
    ring = np.pad(void, 2)
    rows, columns = z.shape
    beside = np.zeros(z.shape, dtype=bool)
    for r in range(5):
        for c in range(5):
            beside |= ring[r : r + rows, c : c + columns]
    for r, c in np.argwhere(beside & ~void).tolist():
        about = z[max(r - 4, 0) : r + 5, max(c - 4, 0) : c + 5]
        clear = about[~np.isnan(about) & ~beside[max(r - 4, 0) : r + 5, max(c - 4, 0) : c + 5]]
        if clear.size:
            low, high = clear.min() - SMEAR_M, clear.max() + SMEAR_M
            smeared[r, c] = not low <= z[r, c] <= high
    return smeared


def _opened_as(path: Path) -> str:
    name = path.name.lower()
    if name.endswith(".gz"):
        return f"/vsigzip/{path.resolve()}"
    if name.endswith(".zip") and not name.endswith(".hgt.zip"):
        return f"/vsizip/{path.resolve()}"
    return str(path)


def _unit_m(path: Path, declared: str, given: str | None) -> float:
    """Metres to a raster's unit: the one that it declares, else the one given, else metres."""
    if given is not None and given not in UNITS_M:
        raise SourceError(
            refuse(
                "",
                "--dem-unit {given} is no unit known here: give metres or feet",
                given=repr(given),
            )
        )
    word = declared.strip().lower()
    stated = None
    if word.startswith(_FEET):
        stated = "feet"
    elif word == "m" or word.startswith(("met", "mèt")):
        stated = "metres"
    if stated and given and stated != given:
        raise SourceError(
            refuse(
                "",
                "{file} states its elevations in {stated} where --dem-unit says {given}: "
                "leave the option out",
                file=path.name,
                stated=str(stated),
                given=str(given),
            )
        )
    return UNITS_M[stated or given or "metres"]


def _given_crs(crs: str | None) -> CRS | None:
    if crs is None:
        return None
    try:
        return CRS.from_user_input(crs)
    except CRSError as fault:
        raise SourceError(
            refuse("", "--dem-crs {crs} is not a CRS: give one as EPSG:2154", crs=repr(crs))
        ) from fault


def _applied(transform: Affine, column: Any, row: Any) -> tuple[Any, Any]:
    """Return x and y of columns and rows (numbers or arrays)."""
    a, b, c, d, e, f = transform[:6]
    return a * column + b * row + c, d * column + e * row + f


def _one_line(fault: Exception) -> str:
    return " ".join(str(fault).split())[:160]
