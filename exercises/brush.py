"""Where to put the brush: the disks that gather most of something, one after another."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from sim.district import District
from sim.hexes import N_SIDES, SIDE_STEPS, IntArray, Sheet

Worth = npt.NDArray[np.int64]


class Brush:
    """The brush over one district (§9.1): active hexes of every disk, ready to be summed."""

    def __init__(self, district: District) -> None:
        self._district = district
        self._touched: dict[int, npt.NDArray[np.bool_]] = {}

    def sums(self, worth: Worth, radius: int) -> Worth:
        """(n_hex,) sum of a worth over the active hexes within a radius of every hex."""
        counted = np.append(np.where(self._district.active, worth, 0), 0)
        total: Worth = counted[disks(self._district.sheet, radius)].sum(axis=1)
        return total

    def quarters(self, radius: int) -> npt.NDArray[np.bool_]:
        """(n_hex, n_quarter) whether the disk around a hex touches a quarter."""
        if radius not in self._touched:
            district = self._district
            quarter = np.append(np.where(district.active, district.quarter, -1), -1)
            under = quarter[disks(district.sheet, radius)]
            touched = np.zeros((district.sheet.n_hexes, len(district.quarters) + 1), dtype=bool)
            touched[np.arange(len(under))[:, None], under] = True
            self._touched[radius] = touched[:, :-1]
        return self._touched[radius]

    def best_centres(self, worth: Worth, radius: int, count: int) -> tuple[int, ...]:
        """Centres of up to ``count`` disks, each the best once those before are gathered.

        Only disks of a positive sum are taken; among equals the lower hex.
        """
        left, centres = worth.copy(), []
        table = disks(self._district.sheet, radius)
        for _ in range(count):
            total = self.sums(left, radius)
            centre = int(total.argmax())
            if total[centre] <= 0:
                break
            centres.append(centre)
            reached = table[centre]
            left[reached[reached < len(left)]] = 0
        return tuple(centres)


@lru_cache(maxsize=32)
def disks(sheet: Sheet, radius: int) -> IntArray:
    """Hexes within a radius of every hex.

    Returns
    -------
    (n_hex, 1 + 3·radius·(radius + 1)) int32
        Off the sheet, the number of hexes: one past the last.

    Examples
    --------
    >>> disks(Sheet(2, 1), 1).tolist()
    [[0, 2, 2, 2, 2, 1, 2], [1, 2, 0, 2, 2, 2, 2]]

    """
    q, r = sheet.axial[:, 0], sheet.axial[:, 1]
    offsets = [(0, 0)]
    for ring in range(1, radius + 1):
        here = (ring * SIDE_STEPS[4][0], ring * SIDE_STEPS[4][1])
        for side in range(N_SIDES):
            for _ in range(ring):
                offsets.append(here)
                here = (here[0] + SIDE_STEPS[side][0], here[1] + SIDE_STEPS[side][1])
    table = np.full((sheet.n_hexes, len(offsets)), sheet.n_hexes, dtype=np.int32)
    for i, (dq, dr) in enumerate(offsets):
        column = q + dq
        row = r + dr + column // 2
        on = (column >= 0) & (column < sheet.columns) & (row >= 0) & (row < sheet.rows)
        table[on, i] = (column * sheet.rows + row)[on]
    table.flags.writeable = False
    return table
