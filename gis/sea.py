"""The sea of a sheet, drawn from the coastline of its extract and added to the open water."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import geopandas as gpd
import pandas as pd
import shapely

from gis.faces import sea_within
from gis.lattice import Lattice
from gis.sources.osm import Dropped, OsmExtract

MARGIN_M = 300.0
"""The sea is drawn this far beyond the sheet, as far as the background of maps reaches."""
REACH_M = 300.0
"""A coast that ends this near to the rim of the mapped area is led to it."""
COASTLINE = "natural=coastline"
ENDS_INSIDE = "coastline: ends inside the sheet, parts no land from sea"
ON_BOTH_SIDES = "coastline: the sea is on both sides of it, taken for land"


class CoastLayers(Protocol):
    """What is read of an OSM extract, in degrees (EPSG:4326)."""

    @property
    def coastlines(self) -> gpd.GeoDataFrame:
        """Lines."""

    @property
    def dropped(self) -> Sequence[Dropped]:
        """What could not be used, and why."""


def coast_in_doubt(osm: CoastLayers) -> gpd.GeoSeries:
    """Coast of an extract (``with_sea``) of which some parts no land from sea; else empty."""
    doubt = any(entry.reason in {ENDS_INSIDE, ON_BOTH_SIDES} for entry in osm.dropped)
    shapes: gpd.GeoSeries = osm.coastlines.geometry
    return shapes if doubt else shapes[:0]


def with_sea(osm: OsmExtract, lattice: Lattice) -> OsmExtract:
    """Extract whose ``water`` holds the sea within the sheet; the same where it has no coast.

    Coast that parts no land from sea, since it ends inside the sheet, and ground with the sea on
    either side of its coast are counted in ``dropped``.
    """
    if osm.coastlines.empty:
        return osm
    frame = shapely.box(*lattice.bounds).buffer(MARGIN_M, join_style="mitre")
    coast = osm.coastlines.to_crs(lattice.crs).geometry.to_numpy()
    mapped = gpd.GeoSeries([shapely.segmentize(shapely.box(*osm.extent_lonlat), 0.01)], crs=4326)
    sea = sea_within(frame, coast, mapped.to_crs(lattice.crs)[0], REACH_M)
    found = [part for part in shapely.get_parts(sea.shape) if part.geom_type == "Polygon"]
    rows = gpd.GeoDataFrame(
        {"osm_id": [0] * len(found), "kind": [COASTLINE] * len(found), "name": [""] * len(found)},
        geometry=gpd.GeoSeries(found, crs=lattice.crs).to_crs(osm.water.crs),
    )
    counted = {
        ENDS_INSIDE: sea.ends_inside,
        ON_BOTH_SIDES: sea.undecided,
    }
    more = [Dropped("water", reason, count) for reason, count in counted.items() if count]
    water = osm.water
    if found:
        water = gpd.GeoDataFrame(pd.concat([osm.water, rows], ignore_index=True), crs=osm.water.crs)
    return replace(
        osm,
        water=water,
        counts={**osm.counts, "water": len(water)},
        dropped=tuple(sorted((*osm.dropped, *more))),
    )
