"""Whole numbers as short text inside a page: zigzag, varint, runs of zeros, base64.

Beside styled features, this is what keeps a map small: neighbouring values differ little, and
most hexes do not change from one turn to the next.
"""

import base64

import numpy as np
import numpy.typing as npt
import shapely
from numba import njit

Int64Array = npt.NDArray[np.int64]

GRID = 65_535
"""Steps across the wider side of a map: about 20 cm on a sheet of 12 km."""
_MOST_BYTES = 10
"""Bytes of a value, at most."""


def pack(values: npt.ArrayLike) -> str:
    """Whole numbers as base64 text; ``unpack`` in ``assets/webmap.js`` reads them back.

    A value is written as a varint of its zigzag (small for small magnitudes of either sign); a run
    of zeros as one zero byte and the varint of its length less one.

    Parameters
    ----------
    values : array of int
        Any shape, read in C order; within ± 2^31.

    Examples
    --------
    >>> pack([0, 0, 0, -1, 64])
    'AAIBgAE='
    """
    # a copy: numba compiles what reads an array anew for one that may not be written
    flat = np.array(values, dtype=np.int64).ravel()
    out = np.empty(_MOST_BYTES * len(flat), dtype=np.uint8)
    return base64.b64encode(out[: _written(flat, out)].tobytes()).decode("ascii")


@njit(cache=True)
def _written(values, out):  # type: ignore[no-untyped-def]
    """Write whole numbers into bytes; return how many bytes they are."""
    size = place = 0
    while place < values.shape[0]:
        value = values[place]
        place += 1
        left = (value << 1) ^ (value >> 63)
        if value == 0:
            out[size] = 0
            size += 1
            while place < values.shape[0] and values[place] == 0:
                place += 1
                left += 1
        while left >= 0x80:
            out[size] = left & 0x7F | 0x80
            left >>= 7
            size += 1
        out[size] = left
        size += 1
    return size


def pack_turns(values: npt.ArrayLike) -> str:
    """Pack a (turns + 1, n) array as differences from one turn to the next."""
    rows = np.asarray(values, dtype=np.int64)
    if len(rows) < 2:
        return pack(rows)
    return pack(np.diff(rows, axis=0, prepend=0))


def pack_lines(
    parts: list[npt.NDArray[np.float64]], origin: tuple[float, float], unit: float
) -> str:
    """Pack polylines or rings on the map's grid, in order: points less one, then steps.

    Parameters
    ----------
    parts : list of (n_point, 2) float
        Metres, y to the north.
    origin : (float, float)
        North-west corner of the grid.
    unit : float
        Step of the grid, metres.
    """
    stream: list[Int64Array] = []
    last = np.zeros((1, 2), dtype=np.int64)
    for points in parts:
        steps = to_grid(points, origin, unit)
        moved = np.any(np.diff(steps, axis=0) != 0, axis=1)
        steps = steps[np.concatenate(([True], moved))]
        if len(steps) < 2:
            continue
        stream.append(np.array([len(steps) - 2]))
        stream.append(np.diff(steps, axis=0, prepend=last).ravel())
        last = steps[-1:]
    return pack(np.concatenate(stream)) if stream else ""


def to_grid(
    points: npt.NDArray[np.float64], origin: tuple[float, float], unit: float
) -> npt.NDArray[np.int64]:
    """Return (n, 2) whole steps east and south of the grid's north-west corner."""
    west, north = origin
    steps = np.column_stack((points[:, 0] - west, north - points[:, 1])) / unit
    return np.rint(steps).astype(np.int64)


def rings_of(geometries: npt.NDArray[np.object_]) -> list[npt.NDArray[np.float64]]:
    """Rings of polygons, shells one way round and holes the other, so that overlaps stay filled."""
    parts = shapely.get_parts(geometries)
    polygons = parts[shapely.get_type_id(parts) == shapely.GeometryType.POLYGON]
    oriented = shapely.orient_polygons(polygons)
    return _points_of(shapely.get_rings(oriented))


def lines_of(geometries: npt.NDArray[np.object_]) -> list[npt.NDArray[np.float64]]:
    """Lines of geometries; a polygon gives its outline."""
    parts = shapely.get_parts(geometries)
    areas = shapely.get_type_id(parts) == shapely.GeometryType.POLYGON
    outlines = shapely.get_parts(shapely.boundary(parts[areas]))
    kinds = shapely.get_type_id(parts)
    straight = parts[
        (kinds == shapely.GeometryType.LINESTRING) | (kinds == shapely.GeometryType.LINEARRING)
    ]
    return _points_of(np.concatenate((straight, outlines)))


def _points_of(lines: npt.NDArray[np.object_]) -> list[npt.NDArray[np.float64]]:
    points, which = shapely.get_coordinates(lines, return_index=True)
    return np.split(points, np.flatnonzero(np.diff(which)) + 1) if len(points) else []
