"""Hand-made extracts in memory: layers by hex or by metres, in the lattice's own CRS."""

import geopandas as gpd
import numpy as np
import pandas as pd
import shapely

from gis.sources.osm import LAYERS, OsmExtract

FILL = {"int64": 0, "float64": float("nan"), "str": ""}


def layer(on, name, rows):
    """A layer of an extract from (geometry, {column: value}) rows."""
    data = {
        column: pd.Series(
            [values.get(column, FILL[kind]) for _, values in rows],
            dtype="object" if kind == "str" else kind,
        )
        for column, kind in LAYERS[name].items()
    }
    return gpd.GeoDataFrame(data, geometry=gpd.GeoSeries([s for s, _ in rows], crs=on.crs))


def town(on, **layers):
    """An extract whose layers are lists of (geometry, {column: value})."""
    tables = {name: layer(on, name, layers.get(name, [])) for name in LAYERS}
    counts = {name: len(table) for name, table in tables.items()}
    return OsmExtract("town", **tables, counts=counts, dropped=(), timestamp="", extent_lonlat=())


def hexagon(on, label, share=1.0):
    """A hex of the lattice shrunk about its centre to a share of its area."""
    cell = on.sheet.index_of(label)
    centre = on.centres[cell]
    return shapely.Polygon(centre + (on.corners[cell] - centre) * np.sqrt(share))


def square(on, label, side_m, east_m=0.0, north_m=0.0):
    """A square about a place given from the centre of a hex."""
    x, y = on.centres[on.sheet.index_of(label)]
    return shapely.box(
        x + east_m - side_m / 2,
        y + north_m - side_m / 2,
        x + east_m + side_m / 2,
        y + north_m + side_m / 2,
    )


def point(on, label, east_m=0.0, north_m=0.0):
    """A point given from the centre of a hex."""
    return shapely.Point(on.centres[on.sheet.index_of(label)] + (east_m, north_m))


def house(on, label, ratio, **values):
    """A building that covers a share of a hex."""
    return (hexagon(on, label, ratio), {"building": "yes"} | values)
