"""The vector background of maps: what a reader needs to know the place, simplified."""

import geopandas as gpd
import numpy as np
import pandas as pd
import shapely

from gis.lattice import Lattice
from gis.sources.osm import OsmExtract
from gis.streets import ROADS
from sim.rules import LinkClass

SIMPLIFY_M = 4.0
SMALLEST_BUILDING_M2 = 120.0
"""Smaller footprints are left out of the background: at a sheet's scale they are dust."""

_GREEN = (
    "leisure=park",
    "leisure=garden",
    "leisure=pitch",
    "landuse=forest",
    "natural=wood",
    "landuse=grass",
    "landuse=meadow",
    "landuse=recreation_ground",
    "landuse=cemetery",
    "landuse=village_green",
    "leisure=golf_course",
)


def basemap_of(lattice: Lattice, osm: OsmExtract) -> gpd.GeoDataFrame:
    """Background layer of a sheet: columns ``kind``, ``name``, geometry in the lattice's CRS.

    ``kind`` is water, stream, green, building, rail, wall, road1 … road4 or path.
    """
    window = shapely.box(*lattice.bounds).buffer(200)
    layers = [
        _layer(osm.landuse[osm.landuse["kind"].isin(_GREEN)], "green"),
        _layer(osm.water, "water"),
        _layer(osm.waterways, "stream"),
        _layer(osm.buildings, "building"),
        _layer(osm.railways, "rail"),
        _layer(osm.walls, "wall"),
        *_roads(osm.roads),
    ]
    crs = lattice.crs
    parts = [layer.to_crs(crs) for layer in layers if len(layer)]
    if not parts:
        return gpd.GeoDataFrame({"kind": [], "name": []}, geometry=[], crs=crs)
    base = pd.concat(parts, ignore_index=True)
    base = gpd.GeoDataFrame(base, geometry="geometry", crs=crs)
    base = base[base.intersects(window)]
    big = (base["kind"] != "building") | (base.area >= SMALLEST_BUILDING_M2)
    base = base[big].copy()
    shapes = shapely.simplify(base.geometry.to_numpy(), SIMPLIFY_M)
    broken = ~shapely.is_valid(shapes)
    shapes[broken] = shapely.make_valid(shapes[broken])
    shapely.prepare(window)
    across = ~shapely.contains_properly(window, shapes)  # most need no cutting
    shapes[across] = shapely.intersection(shapes[across], window)
    base["geometry"] = shapes
    return base[~base.is_empty].reset_index(drop=True)


def _layer(frame: gpd.GeoDataFrame, kind: str) -> gpd.GeoDataFrame:
    names = frame["name"] if "name" in frame else [None] * len(frame)
    return gpd.GeoDataFrame(
        {"kind": [kind] * len(frame), "name": list(names)},
        geometry=frame.geometry.values,
        crs=frame.crs,
    )


def _roads(roads: gpd.GeoDataFrame) -> list[gpd.GeoDataFrame]:
    found = [ROADS[h][0] if h in ROADS else LinkClass.NONE for h in roads["highway"]]
    classes = np.array(found, dtype=np.int8)
    # small roads first: the large ones are drawn over them
    return [
        _layer(roads[classes == link_class], f"road{link_class:d}" if link_class else "path")
        for link_class in sorted(LinkClass)
    ]
