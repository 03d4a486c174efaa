"""Where a district pack's sheet lies on the ground, and the outlines of its hexes in degrees."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import shapely
from pyproj import CRS, Transformer
from pyproj.exceptions import CRSError

from gis.lattice import Lattice
from gis.store import MANIFEST, read_manifest
from sim.errors import DistrictError
from sim.hexes import Sheet
from sim.refusal import refuse

_GRID_M = 1e-3
"""Corners of neighbouring hexes differ in the last bits: a millimetre grid joins them."""

Ring = list[tuple[float, float]]


def read_lattice(pack: Path) -> Lattice:
    """Return the hexes of a district pack as they lie on the ground.

    Raises
    ------
    DistrictError
        If the pack cannot be read, or does not say where it lies.
    """
    manifest = read_manifest(pack)
    try:
        sheet = Sheet(int(manifest["sheet"]["columns"]), int(manifest["sheet"]["rows"]))
        x0, y0 = (float(v) for v in manifest["first_hex_m"])
        return Lattice(sheet, CRS.from_user_input(manifest["crs"]), x0, y0)
    except (KeyError, TypeError, ValueError, CRSError) as error:
        raise DistrictError(
            refuse(
                "",
                "{Path} does not say where the sheet lies (crs, first_hex_m); build the "
                "district again",
                Path=str(Path(pack) / MANIFEST),
            )
        ) from error


def outlines_lonlat(lattice: Lattice, cells: Iterable[int]) -> list[Ring]:
    """Return the outer rings about some hexes, each closed and anticlockwise.

    Hexes that do not touch give several rings; a hole within them is filled.

    Returns
    -------
    list of list of (float, float)
        Longitude and latitude, degrees (EPSG:4326), of every corner; none where there is no hex.
    """
    polygons = shapely.polygons(lattice.corners[sorted(set(cells))])
    area = shapely.normalize(shapely.union_all(polygons, grid_size=_GRID_M))
    to_degrees = Transformer.from_crs(lattice.crs, "EPSG:4326", always_xy=True)
    rings = []
    for part in shapely.get_parts(area):
        ring = shapely.get_coordinates(shapely.get_exterior_ring(shapely.orient_polygons(part)))
        lon, lat = to_degrees.transform(ring[:, 0], ring[:, 1])
        lon[-1], lat[-1] = lon[0], lat[0]
        rings.append([*zip(np.asarray(lon).tolist(), np.asarray(lat).tolist(), strict=True)])
    return rings
