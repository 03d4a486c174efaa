"""Where to put the brush: the disks that gather most of something, one after another."""

import numpy as np
import numpy.typing as npt

from sim.district import District
from sim.hexes import disks

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
