"""From the water on pixels to the depth of a hex (§7.4)."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.district import Ground
from sim.hexes import IntArray
from sim.rules import ROAD_SHARE_UNDER

Float64Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class HexDepths:
    """Which pixels speak for which hex, and how much each weighs; made once per ground.

    Attributes
    ----------
    n_hexes : int
    pixel : (n_pixel,) int64
        Flat index of the pixels that count, grouped by hex, ascending.
    cell : (n_pixel,) int32
        Hex of each.
    weight : (n_pixel,) float64
        Its road surface, square metres; 1 each in a hex without road.
    """

    n_hexes: int
    pixel: npt.NDArray[np.int64]
    cell: IntArray
    weight: Float64Array

    @classmethod
    def of(cls, ground: Ground, n_hexes: int) -> "HexDepths":
        """Weigh the ground of every hex: its road, or all of it; never its water bodies (§7.4)."""
        land = np.flatnonzero((ground.cell >= 0) & ~ground.sink)
        cell = ground.cell.reshape(-1)[land]
        road = ground.road_m2.reshape(-1)[land].astype(float)
        has_road = np.bincount(cell, weights=road, minlength=n_hexes) > 0
        weight = np.where(has_road[cell], road, 1.0)
        counts = weight > 0
        land, cell, weight = land[counts], cell[counts], weight[counts]
        order = np.argsort(cell, kind="stable")
        return cls(n_hexes, land[order], cell[order], weight[order])

    def depth_mm(self, depth_m: npt.NDArray[np.floating]) -> IntArray:
        """Depth of every hex: the one exceeded on a tenth of its road surface (§7.4).

        Parameters
        ----------
        depth_m : (n_row, n_col) float
            Depth of water on the ground, metres.

        Returns
        -------
        (n_hex,) int32
            Millimetres; 0 for a hex that is all water body.
        """
        depth = depth_m.reshape(-1)[self.pixel].astype(float)
        order = np.lexsort((-depth, self.cell))  # the deepest of each hex first
        cell, depth, weight = self.cell, depth[order], self.weight[order]
        total = np.bincount(cell, weights=weight, minlength=self.n_hexes)
        run = np.cumsum(weight) - (np.cumsum(total) - total)[cell]
        # within a billionth: a pixel that completes the tenth exactly belongs to it
        enough = run >= (ROAD_SHARE_UNDER - 1e-9) * total[cell]
        reached = np.flatnonzero(enough)
        hexes, at = np.unique(cell[reached], return_index=True)
        result = np.zeros(self.n_hexes, np.int32)
        result[hexes] = np.rint(depth[reached[at]] * 1000).astype(np.int32)
        return result
