"""What a careful team can foresee from the public ground alone: which hexes will be cut, and when.

The printed sheet gives the relief (low points, mean ground), the fabric, and what each level of
the storm stands for; the rules give its rain and drains. Two regressions turn them into a chance
to be cut and a time left. They were fitted by ``benchmarks/fit_outlook.py`` on the storms of three
towns, each also foretold from the two others alone.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sim.district import District
from sim.rules import STORM_PEAK_TURN, TURN_MIN
from sim.storm import storm_of
from sim.water import effective_rain_mm, runoff_and_network

Floats = npt.NDArray[np.float64]

# chance to be cut at some moment, from the ground and the level's rain: logit
#                     1  filled low point  water from above  rain
_GROUND = np.array([-8.71, 1.51, 0.31, 2.56])
# the same once a hex is seen uncut at a turn
#                     1   ground  depth  rise  late  late·depth  late·ground
_SEEN = np.array([-1.90, 0.81, 0.22, 1.18, -1.47, 0.37, -0.15])
# turns left until the cut, if it comes: unseen (from turn 0), and seen at a turn
_TIME_UNSEEN = np.array([18.97, -0.66])
_TIME_SEEN = np.array([9.58, -0.44, -0.42, -1.90, -0.40])
TIME_SPREAD_TURNS = 4.0
"""Standard deviation of the time to the cut about its estimate."""


class Foresight(NamedTuple):
    """What is foreseen at a turn for every hex, (n_hex,) each.

    Attributes
    ----------
    chance : float
        Of being cut from every shelter at some later moment.
    turns_left : float
        Until then, should it come.

    """

    chance: Floats
    turns_left: Floats


@dataclass(frozen=True)
class Outlook:
    """Public estimate of one level's storm on a district.

    Attributes
    ----------
    ground : (n_hex, 4) float
        Features of the ground under the level's rain, in the order of the regression.

    """

    ground: Floats

    @property
    def logit(self) -> Floats:
        """(n_hex,) log odds to be cut, from the ground and the rain alone."""
        logit: Floats = self.ground @ _GROUND
        return logit

    def unseen(self, turn: int) -> Foresight:
        """Foresee hexes that nobody has looked at lately."""
        logit = self.logit
        left = np.column_stack((np.ones_like(logit), logit)) @ _TIME_UNSEEN - turn
        return Foresight(_chance(logit), left)

    def seen(self, turn: int, depth_mm: Floats, rise_mm: Floats) -> Foresight:
        """Foresee hexes that are seen, open still, at a depth and rising by so much a turn."""
        chance = _chance(seen_features(self.logit, turn, depth_mm, rise_mm) @ _SEEN)
        left = time_features(self.logit, turn, depth_mm, rise_mm) @ _TIME_SEEN
        return Foresight(chance, left)


def outlook(district: District, level: int, turns: int) -> Outlook:
    """Estimate a level's storm on a district, from what its printed sheet says (§7.1–7.2, 7.6)."""
    severity = district.severity(level)
    runoff, network = runoff_and_network(district, severity)
    kinds, kind = np.unique(np.column_stack((runoff, network)), axis=0, return_inverse=True)
    storm = storm_of(district.region, severity)
    fallen = effective_rain_mm(storm, kinds[:, 0], kinds[:, 1], turns * TURN_MIN * 60.0)
    rain_mm = fallen[-1][kind.reshape(-1)]
    above_mm = rain_from_above(district, rain_mm)
    sink_mm = district.sink_mm.astype(float)
    return Outlook(
        np.column_stack(
            (
                np.ones_like(rain_mm),
                np.log1p(np.minimum(sink_mm, 3 * above_mm) / 50),
                np.log1p(above_mm / 10),
                np.log1p(rain_mm / 10),
            )
        )
    )


def rain_from_above(district: District, rain_mm: Floats) -> Floats:
    """(n_hex,) effective rain that reaches a hex, its own and that of the hexes above it.

    Every hex sheds on its lowest neighbour where that lies lower: millimetres on one hex.
    """
    elevation = district.elevation_mm
    around = district.sheet.neighbours
    beyond = np.append(elevation, np.iinfo(np.int32).max)
    lowest = around[np.arange(len(elevation)), np.argmin(beyond[around], axis=1)]
    reached = rain_mm.astype(float)
    for cell in np.argsort(-elevation, kind="stable").tolist():
        below = lowest[cell]
        if below >= 0 and elevation[below] < elevation[cell]:
            reached[below] += reached[cell]
    return reached


def seen_features(logit: Floats, turn: int, depth_mm: Floats, rise_mm: Floats) -> Floats:
    """(n, 7) features of hexes seen at a turn, for the chance to be cut."""
    depth, rise = np.log1p(depth_mm / 20), np.log1p(np.maximum(rise_mm, 0) / 5)
    late = np.full_like(logit, (turn - STORM_PEAK_TURN) / 6)
    return np.column_stack(
        (np.ones_like(logit), logit, depth, rise, late, late * depth, late * logit)
    )


def time_features(logit: Floats, turn: int, depth_mm: Floats, rise_mm: Floats) -> Floats:
    """(n, 5) features of hexes seen at a turn, for the turns left until the cut."""
    depth, rise = np.log1p(depth_mm / 20), np.log1p(np.maximum(rise_mm, 0) / 5)
    late = np.full_like(logit, turn - STORM_PEAK_TURN)
    return np.column_stack((np.ones_like(logit), logit, depth, rise, late))


def _chance(logit: Floats) -> Floats:
    chance: Floats = 1 / (1 + np.exp(-logit))
    return chance


def mean_foresight(foreseen: list[Foresight]) -> Foresight:
    """Weigh the levels that are left open alike."""
    chances = np.array([one.chance for one in foreseen])
    left = np.array([one.turns_left for one in foreseen])
    total = np.maximum(chances.sum(axis=0), 1e-9)
    return Foresight(chances.mean(axis=0), (chances * left).sum(axis=0) / total)
