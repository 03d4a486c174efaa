"""Opens a population file: H3 cells in a CSV, polygons in a GeoPackage, or a raster of counts."""

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import geopandas as gpd
import h3
import numpy as np
import pyogrio
import rasterio
import rasterio.warp
import rasterio.windows
import shapely
from pyproj import CRS, Transformer
from pyproj.exceptions import ProjError
from rasterio.errors import RasterioError, RasterioIOError

from gis.lattice import Float64Array
from sim.errors import SourceError
from sim.refusal import OneOf, mark, refuse

Bounds = tuple[float, float, float, float]
Progress = Callable[[str, float], None]

FORMATS = mark(".csv of H3 cells, .gpkg/.geojson/.shp/.zip of polygons, .tif or .asc of counts")
TABLES = frozenset({".csv"})
VECTORS = frozenset({".gpkg", ".geojson", ".json", ".shp", ".zip", ".fgb"})
RASTERS = frozenset({".tif", ".tiff", ".asc", ".vrt"})
# names of columns, lower case, best first
H3_COLUMNS = (
    "h3",
    "h3_index",
    "h3index",
    "h3_id",
    "h3_cell",
    "id",
    "id_hex",
    "hex",
    "hex_id",
    "cell",
)
PEOPLE_COLUMNS = (
    *("population", "pop", "residents", "inhabitants", "persons", "people", "unit_pop"),
    *("asukkaita", "ind", "einwohner", "pop_tot", "tot_p", "pop_total", "total_pop"),
)
# counts that a source may tell beside people, each with the names of its column
EXTRAS = {
    "jobs": ("jobs", "employment", "workplaces", "emplois"),
    "schools": ("schools", "school", "ecoles"),
}
MOST_PERSONS = 1e10
"""More than live on Earth: a file that holds more does not count people."""
THOUSANDS = re.compile(r"^\d{1,3}(,\d{3})+(\.\d+)?$")
MOST_PIXELS = 4_000_000
"""Most pixels of a raster under one sheet; finer ones must be summed first."""


@dataclass(frozen=True)
class Population:
    """Who lives where, as the source tells it.

    Attributes
    ----------
    name : str
        Name of the file.
    kind : str
        ``"H3 cells"``, ``"polygons"`` or ``"raster"``.
    cells : GeoDataFrame
        Polygons in the source's CRS, with ``persons``, ``jobs`` and ``schools`` (float; the last
        two nan where the source tells none). A raster's are the pixels under the bounds asked,
        where people live.
    total : float
        Persons in the whole source.
    dropped : int
        Rows without a usable cell, polygon or number of people.

    """

    name: str
    kind: str
    cells: gpd.GeoDataFrame
    total: float
    dropped: int


def read_population(
    path: str | Path, bounds_lonlat: Bounds | None = None, progress: Progress | None = None
) -> Population:
    """Read a population file, told by its ending.

    Parameters
    ----------
    path : path of a CSV of H3 cells (any resolution), of polygons, or of a raster of counts
    bounds_lonlat : west, south, east, north, optional
        Degrees; a raster is cut to them, so that a country's fits in memory.

    Raises
    ------
    SourceError
        If the file is missing, of another kind, without a column or a CRS it needs, or empty.

    """
    path = Path(path)
    if not path.is_file():
        what = mark("a folder") if path.is_dir() else mark("nothing")
        raise SourceError(
            refuse(
                "",
                "{what} at {path} where a population file was asked for: give {formats}",
                what=what,
                path=str(path),
                formats=FORMATS,
            )
        )
    ending = path.suffix.lower()
    if path.stat().st_size == 0:
        raise SourceError(
            refuse("", "{file} is empty (0 bytes): fetch the population file again", file=path.name)
        )
    if progress:
        progress("reading population", 0.0)
    if ending in TABLES:
        population = _read_h3(path)
    elif ending in VECTORS:
        population = _read_polygons(path)
    elif ending in RASTERS:
        population = _read_raster(path, bounds_lonlat)
    else:
        raise SourceError(
            refuse(
                "",
                "{file} is not a population file known here: give {formats}",
                file=path.name,
                formats=FORMATS,
            )
        )
    if not population.total > 0:
        raise SourceError(
            refuse(
                "",
                "{file} holds nobody (total {total}): check its unit",
                file=path.name,
                total=f"{population.total:g}",
            )
        )
    if population.total > MOST_PERSONS:
        raise SourceError(
            refuse(
                "",
                "{file} holds {total} persons, not a number of people: check which column "
                "or band gives persons, and its unit",
                file=path.name,
                total=f"{population.total:,.0f}",
            )
        )
    _check_place(population)
    if progress:
        progress("reading population", 1.0)
    return population


# --------------------------------------------------------------------------- H3 cells
def _read_h3(path: Path) -> Population:
    header, rows = _csv_rows(path)
    names = [name.strip().lower() for name in header]
    people = _people_column(path, names)
    extras = _extra_columns(names)
    cell = _h3_column(path, names, rows)
    kept: dict[str, tuple[float, ...]] = {}
    dropped = 0
    for row in rows:
        key = row[cell].strip().lower() if len(row) > cell else ""
        persons = _number(row, people)
        if not h3.is_valid_cell(key) or not 0 <= persons < np.inf or key in kept:
            dropped += 1
            continue
        kept[key] = (persons, *(_number(row, at) for at in extras.values()))
    if not kept:
        raise SourceError(
            refuse(
                "",
                "{file} has no row with an H3 cell and a number of people ({dropped} rows "
                "read): its columns are {header}",
                file=path.name,
                dropped=str(dropped),
                header=", ".join(header),
            )
        )
    values = np.array(list(kept.values()))
    # h3 gives latitude first
    shapes = [shapely.Polygon([(x, y) for y, x in h3.cell_to_boundary(key)]) for key in kept]
    columns = dict(zip(("persons", *extras), values.T, strict=True))
    table = gpd.GeoDataFrame(columns, geometry=shapes, crs="EPSG:4326")
    return Population(path.name, "H3 cells", table, float(values[:, 0].sum()), dropped)


def _csv_rows(path: Path) -> tuple[list[str], list[list[str]]]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
        delimiter = max(",;\t", key=lines[0].count)
        header, *rows = [row for row in csv.reader(lines, delimiter=delimiter) if row]
        if delimiter == ",":  # there a comma inside a number parts its thousands
            rows = [[THOUSANDS.sub(_joined, cell) for cell in row] for row in rows]
    except (csv.Error, IndexError, ValueError) as fault:
        raise SourceError(
            refuse(
                "",
                "{file} is not a CSV table in UTF-8 ({fault}): give a header line, then "
                "one H3 cell a line",
                file=path.name,
                fault=f"{fault!s:.80}",
            )
        ) from fault
    return header, rows


def _joined(number: re.Match[str]) -> str:
    return number.group().replace(",", "")


def _check_place(population: Population) -> None:
    """Refuse a CRS that is not one of places on Earth."""
    crs = population.cells.crs
    try:
        to_degrees = Transformer.from_crs(crs, "EPSG:4326", always_xy=True)
        bounds = to_degrees.transform_bounds(*population.cells.total_bounds)
    except (ProjError, ValueError) as fault:
        raise SourceError(
            refuse(
                "",
                "{file} is in a CRS without places on Earth ({fault}): give it in "
                "longitude and latitude, or projected",
                file=population.name,
                fault=str(_one_line(fault)),
            )
        ) from fault
    if not np.isfinite(bounds).all():
        raise SourceError(
            refuse(
                "",
                "{file} lies nowhere on Earth in the CRS that it states ({name}): check its CRS",
                file=population.name,
                name=crs.name,
            )
        )


def _h3_column(path: Path, names: list[str], rows: list[list[str]]) -> int:
    """Column of the H3 index: by its name, and by what stands in it."""
    for name in H3_COLUMNS:
        if name not in names:
            continue
        at = names.index(name)
        if any(len(row) > at and h3.is_valid_cell(row[at].strip().lower()) for row in rows[:50]):
            return at
    raise SourceError(
        refuse(
            "",
            "{file} has no column of H3 cells (columns: {names}): name it {h3_columns}",
            file=path.name,
            names=", ".join(names),
            h3_columns=OneOf(tuple(H3_COLUMNS[:3])),
        )
    )


def _people_column(path: Path, names: list[str]) -> int:
    """Column of the number of people: a known name, else the one name that holds "pop"."""
    for name in PEOPLE_COLUMNS:
        if name in names:
            return names.index(name)
    likely = [at for at, name in enumerate(names) if "pop" in name]
    if len(likely) == 1:
        return likely[0]
    raise SourceError(
        refuse(
            "",
            "{file} has no population column (columns: {names}): name it {people_columns}",
            file=path.name,
            names=", ".join(names),
            people_columns=OneOf(tuple(PEOPLE_COLUMNS[:2])),
        )
    )


def _extra_columns(names: list[str]) -> dict[str, int | None]:
    """Column of each of the ``EXTRAS``; None where the source tells none."""
    return {
        extra: next((names.index(name) for name in known if name in names), None)
        for extra, known in EXTRAS.items()
    }


def _number(row: list[str], at: int | None) -> float:
    if at is None or at >= len(row):
        return float("nan")
    try:
        return float(row[at].strip().replace(",", "."))
    except ValueError:
        return float("nan")


# --------------------------------------------------------------------------- polygons
def _read_polygons(path: Path) -> Population:
    try:
        read = pyogrio.read_dataframe(path, layer=_layer_of_people(path))
    except (pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError, ValueError) as fault:
        raise SourceError(
            refuse(
                "",
                "{file} cannot be read as polygons ({fault})",
                file=path.name,
                fault=str(_one_line(fault)),
            )
        ) from fault
    if not isinstance(read, gpd.GeoDataFrame) or read.crs is None:
        raise SourceError(
            refuse(
                "",
                "{file} has no {what}: give polygons with their CRS",
                file=path.name,
                what="CRS" if isinstance(read, gpd.GeoDataFrame) else mark("polygons"),
            )
        )
    names = [str(name).lower() for name in read.columns]
    people = _people_column(path, names)
    extras = _extra_columns(names)
    persons = _floats(read, people)
    shapes = np.array(read.geometry, dtype=object)
    broken = ~shapely.is_missing(shapes) & ~shapely.is_valid(shapes)
    shapes[broken] = shapely.make_valid(shapes[broken])
    usable = (persons >= 0) & (persons < np.inf) & (shapely.area(shapes) > 0)
    table = gpd.GeoDataFrame(
        {
            "persons": persons[usable],
            **{extra: _floats(read, at)[usable] for extra, at in extras.items()},
        },
        geometry=shapes[usable],
        crs=read.crs,
    )
    total = float(persons[usable].sum())
    return Population(path.name, "polygons", table, total, int((~usable).sum()))


def _layer_of_people(path: Path) -> str:
    """Name of the one layer that has a population column; of the only layer, whatever it has.

    Raises
    ------
    SourceError
        If several layers would do, or none of several does.
    """
    layers = [str(name) for name in pyogrio.list_layers(path)[:, 0]]
    if len(layers) < 2:
        return layers[0] if layers else ""
    fitting = []
    for layer in layers:
        info = pyogrio.read_info(path, layer=layer)
        try:
            _people_column(path, [str(name).lower() for name in info["fields"]])
        except SourceError:
            continue
        if info["geometry_type"]:
            fitting.append(layer)
    if len(fitting) != 1:
        what = mark("none") if not fitting else f"{len(fitting)} ({', '.join(fitting)})"
        raise SourceError(
            refuse(
                "",
                "{file} has {count} layers ({layers}), of which {what} could be the "
                "population: keep the one that is in the file",
                file=path.name,
                count=str(len(layers)),
                layers=", ".join(layers),
                what=what,
            )
        )
    return fitting[0]


def _floats(table: gpd.GeoDataFrame, column: int | None) -> Float64Array:
    if column is None:
        return np.full(len(table), np.nan)
    values: Float64Array = np.array(
        [float(v) if _is_number(v) else np.nan for v in table.iloc[:, column]], dtype=float
    )
    return values


def _is_number(value: object) -> bool:
    try:
        float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return True


# --------------------------------------------------------------------------- rasters
def _read_raster(path: Path, bounds_lonlat: Bounds | None) -> Population:
    try:
        with rasterio.open(path) as opened:
            if opened.crs is None:
                raise SourceError(
                    refuse(
                        "",
                        "{file} has no CRS: add it (gdal_edit.py -a_srs, or a .prj beside it)",
                        file=path.name,
                    )
                )
            if opened.count != 1 or np.issubdtype(opened.dtypes[0], np.complexfloating):
                raise SourceError(
                    refuse(
                        "",
                        "{file} has {count} bands of {dtypes}: give a raster of counts, one band "
                        "of whole or decimal numbers (WorldPop, GHS-POP)",
                        file=path.name,
                        count=str(opened.count),
                        dtypes=str(opened.dtypes[0]),
                    )
                )
            window = _window(opened, bounds_lonlat)
            if window.width * window.height > MOST_PIXELS:
                raise SourceError(
                    refuse(
                        "",
                        "{file} has {width} pixels under the sheet, over {most_pixels}: sum it to "
                        "coarser pixels first",
                        file=path.name,
                        width=f"{int(window.width * window.height):,}",
                        most_pixels=f"{MOST_PIXELS:,}",
                    )
                )
            total = sum(float(_counts(opened, block).sum()) for _, block in opened.block_windows(1))
            counts = _counts(opened, window)
            transform, crs = opened.window_transform(window), CRS.from_wkt(opened.crs.to_wkt())
    except (RasterioError, RasterioIOError) as fault:
        raise SourceError(
            refuse(
                "",
                "{file} cannot be read as a raster ({fault})",
                file=path.name,
                fault=str(_one_line(fault)),
            )
        ) from fault
    row, column = np.nonzero(counts)
    at = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + np.column_stack((column, row))[:, None, :]
    axes = np.array([[transform.a, transform.b], [transform.d, transform.e]])
    rings = at @ axes.T + (transform.c, transform.f)
    persons = counts[row, column]
    table = gpd.GeoDataFrame(
        {"persons": persons, **{extra: np.full(len(persons), np.nan) for extra in EXTRAS}},
        geometry=shapely.polygons(rings) if len(rings) else [],
        crs=crs,
    )
    return Population(path.name, "raster", table, total, 0)


def _window(opened: rasterio.DatasetReader, bounds: Bounds | None) -> rasterio.windows.Window:
    """Whole pixels under the bounds, one more on each side."""
    whole = rasterio.windows.Window(0, 0, opened.width, opened.height)
    if bounds is None:
        return whole
    box = rasterio.warp.transform_bounds("EPSG:4326", opened.crs, *bounds, densify_pts=21)
    at = rasterio.windows.from_bounds(*box, transform=opened.transform)
    left, top = int(np.floor(at.col_off)) - 1, int(np.floor(at.row_off)) - 1
    right = int(np.ceil(at.col_off + at.width)) + 1
    bottom = int(np.ceil(at.row_off + at.height)) + 1
    left, right = np.clip((left, right), 0, opened.width)
    top, bottom = np.clip((top, bottom), 0, opened.height)
    return rasterio.windows.Window(left, top, right - left, bottom - top)


def _counts(opened: rasterio.DatasetReader, window: rasterio.windows.Window) -> Float64Array:
    """Persons by pixel; nothing, less than nothing and not a number count 0."""
    if window.width == 0 or window.height == 0:
        return np.zeros((0, 0))
    read = opened.read(1, window=window, masked=True).astype(float).filled(0.0)
    return np.where(np.isfinite(read) & (read > 0), read, 0.0)


def _one_line(fault: Exception) -> str:
    return " ".join(str(fault).split()).rstrip(".")
