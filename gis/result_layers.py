"""What came of an exercise as the layers of a GeoPackage, each with a style for QGIS (§17).

Whoever played fills plain columns; this module lays them on the ground.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import rasterio
import shapely
from rasterio.transform import Affine

from gis.geopackage import write_geopackage
from gis.lattice import Lattice, PixelGrid
from gis.qml import Category, categorised, fill, labels, line, marker, qml, ruled, single
from gis.report_maps import BARRIER, INK, QUARTER, SHELTER
from gis.store_writer import hexes_layer, links_layer, quarters_layer
from sim.district import District
from sim.hexes import IntArray
from sim.rules import HEX_WIDTH_M

Columns = Mapping[str, Sequence[Any] | np.ndarray]

PIXELS_ACROSS = 10
"""Pixels of the depth raster across the flats of a hex."""
NO_DEPTH = -1
"""Value of a pixel that lies in no hex."""

# fmt: off
# value of the column: what the legend says, colour; safe for colour-blind readers (Wong 2011)
_OUTCOMES = {
    "saved":      ("Threatened: saved in time",       "#009e73"),
    "late":       ("Threatened: sheltered too late",  "#56b4e9"),
    "left":       ("Threatened: not sheltered",       "#e69f00"),
    "victims":    ("Victims",                         "#8b1a4a"),
    "not_needed": ("Never threatened: moved",         "#cfc2e6"),
    "none":       ("Never threatened",                "#f4f1ea"),
}
_FORECASTS = {
    "hit":         ("Painted, and cut",      "#009e73"),
    "miss":        ("Cut, not painted",      "#d55e00"),
    "false_alarm": ("Painted, not cut",      "#f0e442"),
    "quiet":       ("Neither",               "#f4f1ea"),
}
_ADVICE = {"shelter": "#cc79a7", "up": "#0072b2", "out": "#5b4a8a"}
# fmt: on
_MODES = (("vehicles_cut_turn", "#c0392b", 1.2), ("foot_cut_turn", "#e67e22", 0.7))


@dataclass(frozen=True)
class Results:
    """Columns of the layers; a layer's columns are all as long as it.

    Attributes
    ----------
    hexes, links : mapping of str to column
        By hex and by edge of the sheet, in their order; ``outcome``, ``forecast`` and ``active``
        are among the hexes', ``foot_cut_turn`` and ``vehicles_cut_turn`` among the links'.
    shelters, decisions : mapping of str to column
        Points; ``cell`` says where each lies, and is not written.
    alerts : mapping of str to column
        Areas; ``cells`` says of which hexes, and is not written. ``option`` is among the others.
    units : mapping of str to column
        Ways; ``cells`` says along which hexes, and is not written.
    turns, figures : mapping of str to column
        Tables without a place: every hex at every turn, and every figure by its name.

    """

    hexes: Columns
    links: Columns
    shelters: Columns
    decisions: Columns
    alerts: Columns
    units: Columns
    turns: Columns
    figures: Columns


def write_results(path: Path, district: District, lattice: Lattice, results: Results) -> None:
    """Write the layers into a GeoPackage that does not exist yet.

    Raises
    ------
    SourceError
        If the file cannot be written.
    """
    ground = hexes_layer(district, lattice)[["label", "h3", "active", "fabric", "geometry"]]
    links = links_layer(district, lattice)[["a", "b", "class", "structure", "barrier", "geometry"]]
    layers: dict[str, gpd.GeoDataFrame | pd.DataFrame] = {
        "outcome": ground.assign(**results.hexes),
        "forecast": ground[["label", "active", "geometry"]].assign(
            **{name: results.hexes[name] for name in ("forecast", "confidence_percent")}
        ),
        "links": links.assign(**results.links),
        "alerts": _areas(results.alerts, lattice),
        "quarters": quarters_layer(district, lattice),
        "shelters": _points(results.shelters, lattice),
        "units": _ways(results.units, lattice),
        "decisions": _points(results.decisions, lattice),
        "hexes_by_turn": pd.DataFrame(dict(results.turns)),
        "figures": pd.DataFrame(dict(results.figures)),
    }
    write_geopackage(path, layers, styles())


def _points(columns: Columns, lattice: Lattice) -> gpd.GeoDataFrame:
    cells = np.asarray(columns["cell"], dtype=np.int64)
    kept = {name: column for name, column in columns.items() if name != "cell"}
    return gpd.GeoDataFrame(
        kept, geometry=shapely.points(lattice.centres[cells].reshape(-1, 2)), crs=lattice.crs
    )


def _areas(columns: Columns, lattice: Lattice) -> gpd.GeoDataFrame:
    polygons = shapely.polygons(lattice.corners)
    shapes = [
        shapely.multipolygons(
            shapely.get_parts(shapely.union_all(polygons[list(cells)], grid_size=1e-3))
        )
        for cells in columns["cells"]
    ]
    kept = {name: column for name, column in columns.items() if name != "cells"}
    return gpd.GeoDataFrame(kept, geometry=gpd.GeoSeries(shapes, crs=lattice.crs))


def _ways(columns: Columns, lattice: Lattice) -> gpd.GeoDataFrame:
    shapes = [shapely.linestrings(lattice.centres[list(cells)]) for cells in columns["cells"]]
    kept = {name: column for name, column in columns.items() if name != "cells"}
    return gpd.GeoDataFrame(kept, geometry=gpd.GeoSeries(shapes, crs=lattice.crs))


def styles() -> dict[str, str]:
    """QML of every layer that has a place, by layer."""
    hexes: list[Category] = [
        (value, words, fill(colour, 0.85)) for value, (words, colour) in _OUTCOMES.items()
    ]
    forecast: list[Category] = [
        (value, words, fill(colour, 0.85)) for value, (words, colour) in _FORECASTS.items()
    ]
    links: list[Category] = [
        (f'"{column}" > 0', words, line(colour, width))
        for (column, colour, width), words in zip(
            _MODES, ("Cut to vehicles at some turn", "Cut to pedestrians at some turn"), strict=True
        )
    ]
    links.append(('"barrier"', "Permanent barrier", line(BARRIER, 0.8)))
    alerts: list[Category] = [
        (option, f"Alerted: {option}", fill(colour, 0.0, rim=colour, rim_mm=0.8))
        for option, colour in _ADVICE.items()
    ]
    units: list[Category] = [
        ("patrol", "Patrol", line("#16343f", 0.6)),
        ("pump", "Pump truck", line("#8b5a00", 0.6, dash="3;1")),
        ("boat", "Boat", line("#0072b2", 0.6, dash="1;1")),
    ]
    verdicts: list[Category] = [
        ("accepted", "Order that stood", marker("circle", 2.6, "#0e5a68")),
        ("refused", "Order refused", marker("cross_fill", 3.0, "#8b1a4a")),
        ("withdrawn", "Order withdrawn", marker("diamond", 2.6, "#8b9a9c")),
        ("unresolved", "Order not played", marker("triangle", 2.6, "#8b9a9c")),
    ]
    numbers = labels("label", 6.5, INK, nearer_than=30_000, everywhere=True)
    return {
        "outcome": qml(categorised("outcome", hexes), numbers),
        "forecast": qml(categorised("forecast", forecast)),
        "links": qml(ruled(links)),
        "alerts": qml(categorised("option", alerts)),
        "quarters": qml(
            single(fill("#ffffff", alpha=0.0, rim=QUARTER, rim_mm=0.5)),
            labels("name", 9.0, QUARTER, nearer_than=150_000),
        ),
        "shelters": qml(
            single(marker("square", 3.6, SHELTER)),
            labels("name", 7.5, INK, nearer_than=40_000, beside=True),
        ),
        "units": qml(categorised("kind", units)),
        "decisions": qml(categorised("verdict", verdicts)),
    }


# ------------------------------------------------------------------------------- depth
def write_depth(
    path: Path, lattice: Lattice, depth_mm: IntArray, said: Sequence[str], about: str
) -> None:
    """Write the depth of every hex at every turn as a GeoTIFF, one band a turn.

    Parameters
    ----------
    path : Path
    lattice : Lattice
    depth_mm : (n, n_hex) int
        Millimetres: the truth of a hex, on every pixel of it; ``NO_DEPTH`` in none.
    said : sequence of str
        What each band is called.
    about : str
        Description of the file.
    """
    grid = PixelGrid.under(lattice, HEX_WIDTH_M / PIXELS_ACROSS)
    cell = lattice.cells_at(*grid.centres())
    with rasterio.open(
        path,
        "w",
        driver="GTiff",
        width=grid.columns,
        height=grid.rows,
        count=len(depth_mm),
        dtype="int32",
        nodata=NO_DEPTH,
        crs=lattice.crs,
        transform=Affine(*grid.transform),
        compress="deflate",
        predictor=2,
    ) as target:
        target.update_tags(TIFFTAG_IMAGEDESCRIPTION=about, units="mm")
        for band, (depths, words) in enumerate(zip(depth_mm, said, strict=True), start=1):
            target.write(np.where(cell >= 0, depths[cell], NO_DEPTH).astype(np.int32), band)
            target.set_band_description(band, words)


__all__ = ["NO_DEPTH", "Results", "styles", "write_depth", "write_results"]
