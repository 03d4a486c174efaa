"""Whole numbers as short text inside a page: zigzag, varint, runs of zeros, base64.

Beside styled features, this is what keeps a map small: neighbouring values differ little, and
most hexes do not change from one turn to the next.
"""

import base64

import numpy as np
import numpy.typing as npt
import shapely

Int64Array = npt.NDArray[np.int64]

GRID = 65_535
"""Steps across the wider side of a map: about 20 cm on a sheet of 12 km."""


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
    flat = np.asarray(values, dtype=np.int64).ravel()
    zigzag = (flat << 1) ^ (flat >> 63)
    starts, lengths = _zero_runs(zigzag)
    tokens = np.ones(len(zigzag), dtype=bool)
    for_run = np.zeros(len(zigzag), dtype=bool)
    if len(starts):
        inside = np.zeros(len(zigzag) + 1, dtype=np.int64)
        inside[starts + 1] += 1
        ends = starts + lengths
        inside[ends[ends <= len(zigzag)]] -= 1
        tokens = np.cumsum(inside[:-1]) == 0  # a run's first zero stands for all of it
        for_run[starts] = True
        zigzag = zigzag.copy()
        zigzag[starts] = lengths - 1
    return base64.b64encode(_varints(zigzag[tokens], for_run[tokens])).decode("ascii")


def _zero_runs(values: Int64Array) -> tuple[Int64Array, Int64Array]:
    edge = np.diff(np.concatenate(([0], (values == 0).astype(np.int64), [0])))
    starts = np.flatnonzero(edge == 1)
    return starts, np.flatnonzero(edge == -1) - starts


def _varints(values: Int64Array, after_zero_byte: npt.NDArray[np.bool_]) -> bytes:
    sizes = np.ones(len(values), dtype=np.int64)
    for bits in (7, 14, 21, 28, 35):
        sizes += values >= (1 << bits)
    sizes_out = sizes + after_zero_byte
    first = np.cumsum(sizes_out) - sizes_out + after_zero_byte
    out = np.zeros(int(sizes_out.sum()), dtype=np.uint8)
    for k in range(int(sizes.max(initial=0))):
        here = sizes > k
        septet = (values[here] >> (7 * k)) & 0x7F
        more = np.where(sizes[here] > k + 1, 0x80, 0)
        out[first[here] + k] = septet | more
    return out.tobytes()


def pack_turns(values: npt.ArrayLike) -> str:
    """Pack a (turns + 1, n) array as differences from one turn to the next."""
    rows = np.asarray(values, dtype=np.int64)
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
