"""The public relief layer (§16): mean altitude and local low points of each hex."""

import heapq

import numba
import numpy as np
import numpy.typing as npt

from sim.depths import HexDepths
from sim.district import Ground, IntArray

Float64Array = npt.NDArray[np.float64]


def relief_of(ground: Ground, n_hexes: int) -> tuple[IntArray, IntArray]:
    """Altitude and local low points of every hex, whole millimetres (§16).

    Parameters
    ----------
    ground : Ground
    n_hexes : int
        Hexes of the sheet.

    Returns
    -------
    elevation_mm : (n_hex,) int32
        Mean ground of the hex; 0 where the hex has no pixel.
    sink_mm : (n_hex,) int32
        Water that stands on the hex's roads, by the measure of §7.4, when every bowl of the
        ground is full to its lip: what a reader of the relief map can see coming.
    """
    on = ground.cell >= 0
    cells = ground.cell[on]
    pixels = np.bincount(cells, minlength=n_hexes)
    total = np.bincount(cells, weights=ground.elevation_m[on].astype(float), minlength=n_hexes)
    mean_m = np.divide(total, pixels, out=np.zeros(n_hexes), where=pixels > 0)
    full = filled_m(ground.elevation_m.astype(np.float64), on & ~ground.sink)
    surface = HexDepths.of(ground, n_hexes)
    depth_m = np.where(on, full - ground.elevation_m, 0.0)
    return np.rint(mean_m * 1000).astype(np.int32), surface.depth_mm(depth_m)


@numba.njit(cache=True, nogil=True)
def filled_m(elevation_m: Float64Array, inside: npt.NDArray[np.bool_]) -> Float64Array:
    """Ground with every bowl filled to its lip (priority flood: Barnes, Lehman & Mulla 2014).

    Parameters
    ----------
    elevation_m : (n_row, n_col) float64
    inside : (n_row, n_col) bool
        Land of the sheet. Elsewhere (off the sheet, open water) and past the rim, water leaves.

    Returns
    -------
    (n_row, n_col) float64
        Never below ``elevation_m``.
    """
    rows, columns = elevation_m.shape
    level = elevation_m.copy()
    done = ~inside
    heap = [(0.0, 0, 0) for _ in range(0)]
    for i in range(rows):
        for j in range(columns):
            if not inside[i, j]:
                continue
            at_rim = i == 0 or j == 0 or i == rows - 1 or j == columns - 1
            if not at_rim:
                at_rim = not (
                    inside[i - 1, j] and inside[i + 1, j] and inside[i, j - 1] and inside[i, j + 1]
                )
            if at_rim:
                done[i, j] = True
                heapq.heappush(heap, (level[i, j], i, j))
    while len(heap) > 0:
        here, i, j = heapq.heappop(heap)
        for di, dj in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            k, m = i + di, j + dj
            if 0 <= k < rows and 0 <= m < columns and not done[k, m]:
                done[k, m] = True
                level[k, m] = max(level[k, m], here)
                heapq.heappush(heap, (level[k, m], k, m))
    return level
