"""Writes the two geodata files of a district pack; ``gis.store`` reads them back."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import geopandas as gpd
import numpy as np
import rasterio
import shapely
from rasterio.transform import Affine

from gis.geopackage import write_geopackage
from gis.lattice import Lattice, PixelGrid
from gis.qgis_styles import styles
from gis.store import GPKG, GROUND
from sim.district import District, Ground
from sim.rules import Fabric, Structure


def write_district_layers(
    folder: Path,
    district: District,
    lattice: Lattice,
    basemap: gpd.GeoDataFrame,
    more_of_hexes: Mapping[str, Sequence[object]] | None = None,
) -> None:
    """Write ``district.gpkg``: layers hexes, links, quarters, facilities, basemap, and styles.

    Parameters
    ----------
    more_of_hexes : mapping, optional
        Further columns of the layer hexes, by name: what a reader wants and the engine does not.

    Raises
    ------
    SourceError
        If the file cannot be written.
    """
    layers = {
        "hexes": hexes_layer(district, lattice).assign(**(more_of_hexes or {})),
        "links": links_layer(district, lattice),
        "quarters": quarters_layer(district, lattice),
        "facilities": facilities_layer(district, lattice),
        "basemap": basemap,
    }
    write_geopackage(folder / GPKG, layers, styles(district.region), mixed=("basemap",))


def hexes_layer(district: District, lattice: Lattice) -> gpd.GeoDataFrame:
    """One polygon a hex, in label order, with all that the engine reads of it."""
    sheet = district.sheet
    column, row = np.divmod(np.arange(sheet.n_hexes), sheet.rows)
    return gpd.GeoDataFrame(
        {
            "label": [sheet.label(i) for i in range(sheet.n_hexes)],
            "col": column + 1,
            "row": row + 1,
            "h3": list(lattice.h3_cells),
            "active": district.active,
            "fabric": [Fabric(f).name.lower() for f in district.fabric],
            "residents": district.residents,
            "unshelterable": district.unshelterable,
            "road_m": district.road_m,
            "quarter": district.quarter,
            "elevation_mm": district.elevation_mm,
            "sink_mm": district.sink_mm,
        },
        geometry=shapely.polygons(lattice.corners),
        crs=lattice.crs,
    )


def links_layer(district: District, lattice: Lattice) -> gpd.GeoDataFrame:
    """One line a shared edge, with the link that it carries (§3)."""
    sheet = district.sheet
    return gpd.GeoDataFrame(
        {
            "a": [sheet.label(a) for a in sheet.edges[:, 0]],
            "b": [sheet.label(b) for b in sheet.edges[:, 1]],
            "class": district.link_class,
            "structure": [Structure(s).name.lower() for s in district.structure],
            "foot": district.foot,
            "barrier": district.barrier,
        },
        geometry=shapely.linestrings(lattice.edge_ends),
        crs=lattice.crs,
    )


def quarters_layer(district: District, lattice: Lattice) -> gpd.GeoDataFrame:
    """One multipolygon a quarter."""
    polygons = shapely.polygons(lattice.corners)
    rows = []
    for quarter, name in enumerate(district.quarters):
        cells = list(district.hexes_of_quarter(quarter))
        # corners of neighbours differ in the last bits: a micrometre grid joins them
        shape = shapely.union_all(polygons[cells], grid_size=1e-3)
        rows.append(
            {
                "id": quarter,
                "name": name,
                "hexes": len(cells),
                "residents": int(district.residents[cells].sum()),
                "geometry": shape
                if shape.geom_type == "MultiPolygon"
                else shapely.multipolygons([shape]),
            }
        )
    return gpd.GeoDataFrame(rows, geometry="geometry", crs=lattice.crs)


def facilities_layer(district: District, lattice: Lattice) -> gpd.GeoDataFrame:
    """One point a facility, at its hex's centre, in the district's order."""
    kinds = {
        "shelter": district.shelters,
        "station": district.stations,
        "police": district.police_stations,
        "technical": district.technical_centres,
    }
    rows = [(kind, f) for kind, group in kinds.items() for f in group]
    return gpd.GeoDataFrame(
        {
            "number": np.arange(len(rows)),
            "kind": [kind for kind, _ in rows],
            "label": [district.sheet.label(f.cell) for _, f in rows],
            "name": [f.name for _, f in rows],
            "places": np.array([f.places for _, f in rows], dtype=np.int32),
        },
        geometry=shapely.points(lattice.centres[[f.cell for _, f in rows]]),
        crs=lattice.crs,
    )


def write_ground(folder: Path, ground: Ground, grid: PixelGrid, crs: object) -> None:
    """Write ``ground.tif``: bands elevation (m), hex index, road surface (m²), open water."""
    bands = {
        "elevation_m": ground.elevation_m,
        "hex_index": ground.cell,
        "road_m2": ground.road_m2,
        "open_water": ground.sink,
    }
    with rasterio.open(
        folder / GROUND,
        "w",
        driver="GTiff",
        width=grid.columns,
        height=grid.rows,
        count=len(bands),
        dtype="float32",  # hex indices up to 999 × 999 are whole in it
        crs=crs,
        transform=Affine(*grid.transform),
        compress="deflate",
        predictor=3,
        tiled=True,
    ) as target:
        for i, (name, band) in enumerate(bands.items(), start=1):
            target.write(band.astype(np.float32), i)
            target.set_band_description(i, name)
