"""Walks lines through the hexes of a lattice and the pixels of a grid, exactly and once (numba)."""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
import shapely

from gis.lattice import COLUMN_STEP_M, Float64Array, Lattice, PixelGrid
from sim.district import BoolArray
from sim.hexes import SIDE_STEPS, IntArray
from sim.rules import HEX_WIDTH_M

Int64Array = npt.NDArray[np.int64]

# outward normals (east, south) of the sides, clockwise from north
_NORMALS = np.array(
    [(np.sin(turn), -np.cos(turn)) for turn in np.radians(np.arange(0, 360, 60))], dtype=np.float64
)
_STEPS = np.array(SIDE_STEPS, dtype=np.int64)


@dataclass(frozen=True)
class Walk:
    """Lines walked through a lattice: where each meets the shared edges, and its runs by hex.

    A meeting is any common point of line and edge: a line that runs along an edge, or touches it
    with its end, meets it; one through a corner meets the edges of it. Measures are metres from
    the line's start.

    Attributes
    ----------
    line, edge, at_m : (n_meeting,) arrays
        Line, edge (of ``Sheet.edges``) and measure of every meeting, in the lines' order.
    run_line, run_cell, run_from_m, run_to_m : (n_run,) arrays
        Stretches of the lines inside one hex, in the lines' order; cell -1 off the sheet.

    """

    lattice: Lattice
    line: IntArray
    edge: IntArray
    at_m: Float64Array
    run_line: IntArray
    run_cell: IntArray
    run_from_m: Float64Array
    run_to_m: Float64Array

    @classmethod
    def along(cls, lattice: Lattice, lines: npt.NDArray[Any]) -> "Walk":
        """Walk lines (n,), LineStrings in the lattice's CRS."""
        points, first = _vertices(lines)
        origin = np.array([lattice.x0, lattice.y0])
        found = _walk_hexes(
            points - origin,
            first,
            lattice.sheet.columns,
            lattice.sheet.rows,
            lattice.sheet.edge_across,
            lattice.edge_ends - origin,
        )
        return cls(lattice, *found)

    def pieces(self) -> tuple[Float64Array, Float64Array]:
        """From and to (n_meeting,) of each meeting's piece: its run inside the edge's two hexes."""
        first_run = np.searchsorted(self.run_line, np.arange(self.run_line.max(initial=-1) + 2))
        cells = self.lattice.sheet.edges[self.edge]
        runs = (self.run_cell, self.run_from_m, self.run_to_m)
        low, high = _pieces(self.line, cells, self.at_m, first_run, *runs)
        return low, high

    def metres_by_hex(self, counted: BoolArray) -> IntArray:
        """(n_hex,) length of the lines counted (n_line,) in every hex, whole metres."""
        on = self.run_cell >= 0
        on[on] = counted[self.run_line[on]]
        length = (self.run_to_m - self.run_from_m)[on]
        total = np.bincount(self.run_cell[on], length, self.lattice.sheet.n_hexes)
        return np.rint(total).astype(np.int32)


def spread_on_pixels(
    grid: PixelGrid, lines: npt.NDArray[Any], weights: Float64Array
) -> Float64Array:
    """(rows, columns) sum over the lines of length inside the pixel, metres, times weight (n,)."""
    points, first = _vertices(lines)
    corner = np.array([grid.west, grid.north])
    at = (points - corner) * (1.0, -1.0) / grid.pixel_m
    spread = np.zeros(grid.shape)
    _walk_pixels(at, first, weights * grid.pixel_m, spread)
    return spread


def _vertices(lines: npt.NDArray[Any]) -> tuple[Float64Array, Int64Array]:
    """Vertices (n, 2) of all lines, and where each line starts, (n_line + 1,)."""
    points, line = shapely.get_coordinates(lines, return_index=True)
    return points.reshape(-1, 2), np.searchsorted(line, np.arange(len(lines) + 1)).astype(np.int64)


@numba.njit(cache=True)
def _cell_at(x: float, y: float) -> tuple[int, int]:
    """Axial hex under a point, metres east and south of hex 0101 (cube rounding)."""
    q = x / COLUMN_STEP_M
    r = y / HEX_WIDTH_M - q / 2
    s = -q - r
    rq, rr, rs = np.rint(q), np.rint(r), np.rint(s)
    eq, er, es = abs(rq - q), abs(rr - r), abs(rs - s)
    if eq > er and eq > es:
        rq = -rr - rs
    elif er > es:
        rr = -rq - rs
    return int(rq), int(rr)


@numba.njit(cache=True)
def _meets(ax, ay, bx, by, ends):  # type: ignore[no-untyped-def]
    """Share of the segment a–b at which it meets an edge (2, 2), or -1; touching counts."""
    ex, ey, fx, fy = ends[0, 0], ends[0, 1], ends[1, 0], ends[1, 1]
    dx, dy = bx - ax, by - ay
    side_e = dx * (ey - ay) - dy * (ex - ax)
    side_f = dx * (fy - ay) - dy * (fx - ax)
    if side_e == 0.0 and side_f == 0.0:  # along the edge's own line
        square = dx * dx + dy * dy
        te = ((ex - ax) * dx + (ey - ay) * dy) / square
        tf = ((fx - ax) * dx + (fy - ay) * dy) / square
        low, high = max(0.0, min(te, tf)), min(1.0, max(te, tf))
        return (low + high) / 2 if low <= high else -1.0
    if (side_e > 0.0 and side_f > 0.0) or (side_e < 0.0 and side_f < 0.0):
        return -1.0
    side_a = (fx - ex) * (ay - ey) - (fy - ey) * (ax - ex)
    side_b = (fx - ex) * (by - ey) - (fy - ey) * (bx - ex)
    if (side_a > 0.0 and side_b > 0.0) or (side_a < 0.0 and side_b < 0.0):
        return -1.0
    return side_a / (side_a - side_b) if side_a != side_b else 0.0


@numba.njit(cache=True)
def _longer(array):  # type: ignore[no-untyped-def]
    """Return a copy twice as long."""
    longer = np.empty(2 * len(array), dtype=array.dtype)
    longer[: len(array)] = array
    return longer


@numba.njit(cache=True)
def _walk_hexes(points, first, columns, rows, edge_across, ends):  # type: ignore[no-untyped-def]
    """Meetings and runs of lines; ``points`` and ``ends`` from hex 0101, metres, y north."""
    n_lines = len(first) - 1
    room = max(16, len(points))
    line, edge, at = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room)
    run_line, run_cell = np.empty(room, np.int32), np.empty(room, np.int32)
    run_from, run_to = np.empty(room), np.empty(room)
    met, run = 0, 0
    for way in range(n_lines):
        walked = 0.0
        first_run = run
        for i in range(first[way], first[way + 1] - 1):
            ax, ay = points[i, 0], points[i, 1]
            bx, by = points[i + 1, 0], points[i + 1, 1]
            dx, dy = bx - ax, by - ay
            length = np.hypot(dx, dy)
            if length == 0.0:
                continue
            first_met = met
            q, r = _cell_at(ax, -ay)
            t = 0.0
            while True:
                px, py = ax - COLUMN_STEP_M * q, -ay - HEX_WIDTH_M * (r + q / 2)
                out, side = 1.0, -1
                for k in range(6):
                    along = dx * _NORMALS[k, 0] - dy * _NORMALS[k, 1]
                    if along > 0.0:
                        reach = HEX_WIDTH_M / 2 - px * _NORMALS[k, 0] - py * _NORMALS[k, 1]
                        if reach < out * along:
                            out, side = reach / along, k
                out = max(out, t)
                row = r + q // 2
                on = 0 <= q < columns and 0 <= row < rows
                cell = q * rows + row if on else -1
                if run > first_run and run_cell[run - 1] == cell:
                    run_to[run - 1] = walked + out * length
                else:
                    if run == len(run_line):
                        run_line, run_cell = _longer(run_line), _longer(run_cell)
                        run_from, run_to = _longer(run_from), _longer(run_to)
                    run_line[run], run_cell[run] = way, cell
                    run_from[run], run_to[run] = walked + t * length, walked + out * length
                    run += 1
                if on:
                    for k in range(6):
                        e = edge_across[cell, k]
                        if e < 0:
                            continue
                        known = False
                        for m in range(first_met, met):
                            known = known or edge[m] == e
                        if known:
                            continue
                        share = _meets(ax, ay, bx, by, ends[e])
                        if share < 0.0:
                            continue
                        if met == len(line):
                            line, edge, at = _longer(line), _longer(edge), _longer(at)
                        line[met], edge[met], at[met] = way, e, walked + share * length
                        met += 1
                if side < 0:
                    break
                q, r, t = q + _STEPS[side, 0], r + _STEPS[side, 1], out
            walked += length
    return (
        line[:met].copy(),
        edge[:met].copy(),
        at[:met].copy(),
        run_line[:run].copy(),
        run_cell[:run].copy(),
        run_from[:run].copy(),
        run_to[:run].copy(),
    )


@numba.njit(cache=True)
def _pieces(line, cells, at, first_run, run_cell, run_from, run_to):  # type: ignore[no-untyped-def]
    """From and to of the unbroken runs around each meeting that stay in its two hexes."""
    low, high = at.copy(), at.copy()
    slack = 1e-6  # metres: a meeting at a run's very end belongs to it
    for m in range(len(line)):
        a, b = cells[m, 0], cells[m, 1]
        begin, end = first_run[line[m]], first_run[line[m] + 1]
        for j in range(begin, end):
            if run_cell[j] != a and run_cell[j] != b:
                continue
            if not (run_from[j] - slack <= at[m] <= run_to[j] + slack):
                continue
            i = j
            while i > begin and (run_cell[i - 1] == a or run_cell[i - 1] == b):
                i -= 1
            while j + 1 < end and (run_cell[j + 1] == a or run_cell[j + 1] == b):
                j += 1
            low[m], high[m] = run_from[i], run_to[j]
            break
    return low, high


@numba.njit(cache=True)
def _walk_pixels(points, first, weights, spread):  # type: ignore[no-untyped-def]
    """Add length × weight of lines to the pixels they cross; points in pixels, y south."""
    rows, columns = spread.shape
    for way in range(len(first) - 1):
        for i in range(first[way], first[way + 1] - 1):
            ax, ay = points[i, 0], points[i, 1]
            dx, dy = points[i + 1, 0] - ax, points[i + 1, 1] - ay
            length = np.hypot(dx, dy)
            if length == 0.0:
                continue
            column, row = int(np.floor(ax)), int(np.floor(ay))
            t = 0.0
            while True:
                # where the segment leaves this column, and this row
                tx = ty = 2.0
                if dx > 0.0:
                    tx = (column + 1 - ax) / dx
                elif dx < 0.0:
                    tx = (column - ax) / dx
                if dy > 0.0:
                    ty = (row + 1 - ay) / dy
                elif dy < 0.0:
                    ty = (row - ay) / dy
                out = max(t, min(1.0, tx, ty))
                if 0 <= row < rows and 0 <= column < columns:
                    spread[row, column] += (out - t) * length * weights[way]
                if out >= 1.0:
                    break
                t = out
                if tx <= ty:
                    column += 1 if dx > 0.0 else -1
                else:
                    row += 1 if dy > 0.0 else -1
