"""Lays polygons over each other and measures what shows of them in every hex, exactly (numba).

Each ring is clipped to the hexes it may meet (Sutherland & Hodgman 1974); each hex is then cut into
slabs between the heights at which an edge ends or two cross, where no two edges cross and every
piece between neighbours is a trapezoid.
"""

import numba
import numpy as np
import numpy.typing as npt
import shapely

from gis.lattice import COLUMN_STEP_M, Float64Array, Lattice
from sim.rules import HEX_SIDE_M, HEX_WIDTH_M

THIN_M = 1e-9
"""Slabs lower than this are nothing."""

# outward normals (east, north) of a hex's sides
_TURNS = np.radians(np.arange(30, 390, 60))
_NORMALS = np.column_stack((np.cos(_TURNS), np.sin(_TURNS)))


def visible_areas(
    lattice: Lattice,
    shapes: npt.NDArray[np.object_],
    layer: npt.NDArray[np.int_],
    n_layers: int,
) -> Float64Array:
    """(n_hex, n_layers) area of each layer that no shape above it hides, m².

    Parameters
    ----------
    shapes : (n_shape,) valid polygons and multipolygons
        From the top, in the lattice's CRS.
    layer : (n_shape,) int
        Layer of each shape.

    """
    polygons, of_shape = shapely.get_parts(shapes, return_index=True)
    kept = shapely.get_type_id(polygons) == shapely.GeometryType.POLYGON
    polygons, of_shape = polygons[kept], of_shape[kept]
    rings, of_polygon = shapely.get_rings(polygons, return_index=True)
    points, of_ring = shapely.get_coordinates(rings, return_index=True)
    first = np.searchsorted(of_ring, np.arange(len(rings) + 1))
    sheet = lattice.sheet
    edges = _clipped(
        points.reshape(-1, 2) - (lattice.x0, lattice.y0),
        first,
        of_shape[of_polygon].astype(np.int64),
        sheet.columns,
        sheet.rows,
    )
    cell = edges[0]
    order = np.argsort(cell, kind="stable")
    bounds = np.searchsorted(cell[order], np.arange(sheet.n_hexes + 1))
    found: Float64Array = _swept(
        bounds, edges[1][order], edges[2][order], layer.astype(np.int64), n_layers
    )
    return found


@numba.njit(cache=True)
def _clip(ring, n, out, cx, cy):  # type: ignore[no-untyped-def]
    """Clip a ring to the hex about a centre, in place; the vertices left, and their number."""
    for side in range(6):
        nx, ny = _NORMALS[side, 0], _NORMALS[side, 1]
        reach = HEX_WIDTH_M / 2 + cx * nx + cy * ny
        kept = 0
        ax, ay = ring[n - 1, 0], ring[n - 1, 1]
        a = ax * nx + ay * ny - reach
        for i in range(n):
            bx, by = ring[i, 0], ring[i, 1]
            b = bx * nx + by * ny - reach
            if (a < 0.0) != (b < 0.0):
                share = a / (a - b)
                out[kept, 0], out[kept, 1] = ax + share * (bx - ax), ay + share * (by - ay)
                kept += 1
            if b < 0.0:
                out[kept, 0], out[kept, 1] = bx, by
                kept += 1
            ax, ay, a = bx, by, b
        ring, out = out, ring
        n = kept
        if n < 3:
            return ring, 0
    return ring, n


@numba.njit(cache=True)
def _clipped(points, first, shape_of, columns, rows):  # type: ignore[no-untyped-def]
    """Hex, ends (lower first) and shape of every edge of every ring clipped to every hex."""
    room = max(1024, 2 * len(points))
    cell = np.empty(room, np.int64)
    ends = np.empty((room, 4))
    shape = np.empty(room, np.int64)
    count = 0
    for k in range(len(first) - 1):
        n = first[k + 1] - first[k] - 1  # the last vertex is the first again
        if n < 3:
            continue
        ring = points[first[k] : first[k] + n]
        west, east = ring[:, 0].min(), ring[:, 0].max()
        south, north = ring[:, 1].min(), ring[:, 1].max()
        # each of six cuts leaves at most half as many again
        one, two = np.empty((12 * n + 64, 2)), np.empty((12 * n + 64, 2))
        c0 = max(0, int(np.ceil((west - HEX_SIDE_M) / COLUMN_STEP_M)))
        c1 = min(columns - 1, int(np.floor((east + HEX_SIDE_M) / COLUMN_STEP_M)))
        for column in range(c0, c1 + 1):
            cx = COLUMN_STEP_M * column
            half = 0.5 * (column % 2)
            r0 = max(0, int(np.ceil(-north / HEX_WIDTH_M - half - 0.5)))
            r1 = min(rows - 1, int(np.floor(-south / HEX_WIDTH_M - half + 0.5)))
            for row in range(r0, r1 + 1):
                cy = -HEX_WIDTH_M * (row + half)
                one[:n] = ring
                left, m = _clip(one, n, two, cx, cy)
                while count + m > len(cell):
                    cell = np.concatenate((cell, np.empty_like(cell)))
                    ends = np.concatenate((ends, np.empty_like(ends)))
                    shape = np.concatenate((shape, np.empty_like(shape)))
                for i in range(m):
                    a, b = i - 1 if i else m - 1, i
                    if left[a, 1] == left[b, 1]:
                        continue  # level: it bounds no slab
                    if left[a, 1] > left[b, 1]:
                        a, b = b, a
                    cell[count], shape[count] = column * rows + row, shape_of[k]
                    ends[count, 0], ends[count, 1] = left[a, 0] - cx, left[a, 1] - cy
                    ends[count, 2], ends[count, 3] = left[b, 0] - cx, left[b, 1] - cy
                    count += 1
    return cell[:count].copy(), ends[:count].copy(), shape[:count].copy()


@numba.njit(cache=True)
def _swept(bounds, ends, shape, layer, n_layers):  # type: ignore[no-untyped-def]
    """Area by hex and layer of the topmost shape, from the edges of each hex in turn."""
    n_hexes = len(bounds) - 1
    areas = np.zeros((n_hexes, n_layers))
    inside = np.zeros(len(layer), np.bool_)
    for cell in range(n_hexes):
        low, high = bounds[cell], bounds[cell + 1]
        if low == high:
            continue
        order = np.argsort(ends[low:high, 1])
        edge, whose = ends[low:high][order], shape[low:high][order]
        levels = _levels(edge)
        active = np.empty(len(edge), np.int64)
        at = np.empty(len(edge))
        held, coming = 0, 0
        for k in range(len(levels) - 1):
            bottom, top = levels[k], levels[k + 1]
            if top - bottom < THIN_M:
                continue
            middle = (bottom + top) / 2
            while coming < len(edge) and edge[coming, 1] <= middle:
                active[held] = coming
                held += 1
                coming += 1
            kept = 0
            for i in range(held):
                e = active[i]
                if edge[e, 3] <= middle:
                    continue
                share = (middle - edge[e, 1]) / (edge[e, 3] - edge[e, 1])
                x = edge[e, 0] + share * (edge[e, 2] - edge[e, 0])
                j = kept
                while j > 0 and at[j - 1] > x:
                    at[j], active[j] = at[j - 1], active[j - 1]
                    j -= 1
                at[j], active[j] = x, e
                kept += 1
            held = kept
            best = len(layer)
            for i in range(held):
                if best < len(layer):
                    areas[cell, layer[best]] += (at[i] - at[i - 1]) * (top - bottom)
                s = whose[active[i]]
                inside[s] = not inside[s]
                if inside[s]:
                    best = min(best, s)
                elif s == best:
                    best = len(layer)
                    for j in range(i):
                        other = whose[active[j]]
                        if inside[other]:
                            best = min(best, other)
            for i in range(held):
                inside[whose[active[i]]] = False
    return areas


@numba.njit(cache=True)
def _levels(edge):  # type: ignore[no-untyped-def]
    """Heights, ascending, at which an edge ends or two edges cross; edges by their lower end."""
    n = len(edge)
    levels = np.empty(4 * n + 16)
    levels[:n], levels[n : 2 * n] = edge[:, 1], edge[:, 3]
    count = 2 * n
    for i in range(n):
        ax, ay, bx, by = edge[i]
        for j in range(i + 1, n):
            cx, cy, dx, dy = edge[j]
            if cy >= by:
                break
            if max(cx, dx) < min(ax, bx) or min(cx, dx) > max(ax, bx):
                continue
            turn = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
            if turn == 0.0:
                continue
            t = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / turn
            u = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / turn
            if 0.0 < t < 1.0 and 0.0 < u < 1.0:
                if count == len(levels):
                    levels = np.concatenate((levels, np.empty_like(levels)))
                levels[count] = ay + t * (by - ay)
                count += 1
    return np.sort(levels[:count])
