"""What a scenario changes of the weather: storm, levels of water bodies, inflows (§7.1, 7.7)."""

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sim.boundary import HeldLevel, Hydrograph, Inflow
from sim.district import BoolArray, Ground
from sim.hyetograph import Hyetograph
from sim.idf import IdfLaw
from sim.storm import MovingCell, Storm

FINEST_STEP_M, MOST_STEPS = 0.1, 64
"""A river that falls along the sheet rises in steps of its usual level: so fine, so many."""


@dataclass(frozen=True, eq=False)
class Weather:
    """A scenario's weather; what it leaves out is the level's own (§7.6).

    Attributes
    ----------
    law, years, hyetograph : optional
        In place of those of the district and of the level.
    cell : MovingCell, optional
        Rain that differs from hex to hex.
    levels : tuple of HeldLevel
        Water bodies given a level in time, on the pixels of the district's ground.
    inflows : tuple of Inflow
        What watercourses bring onto the sheet.
    """

    law: IdfLaw | None = None
    years: float | None = None
    hyetograph: Hyetograph | None = None
    cell: MovingCell | None = None
    levels: tuple[HeldLevel, ...] = ()
    inflows: tuple[Inflow, ...] = ()

    def over(self, storm: Storm) -> Storm:
        """The storm that falls where a level's own would be ``storm``."""
        return replace(
            storm,
            law=self.law or storm.law,
            years=storm.years if self.years is None else self.years,
            hyetograph=self.hyetograph or storm.hyetograph,
            cell=self.cell or storm.cell,
        )

    @cached_property
    def boundaries_digest(self) -> str:
        """SHA-256 of the levels and inflows, hexadecimal; '' without any.

        With the storm that ``over`` gives, all that water depends on of the weather (§7.5).
        """
        if not self.levels and not self.inflows:
            return ""
        digest = hashlib.sha256()
        for held in self.levels:
            _add(digest, b"level", held.pixels, held.level_m)
        for inflow in self.inflows:
            _add(digest, b"inflow", inflow.pixels, inflow.flow_m3_s)
        return digest.hexdigest()


def risen(ground: Ground, pixels: BoolArray, rise_m: Hydrograph) -> tuple[HeldLevel, ...]:
    """Water held so far above its usual level, which along a river is not the same everywhere.

    Parameters
    ----------
    ground : Ground
        Its elevation on the pixels of open water is the usual level (§7.3).
    pixels : (n_row, n_col) bool
    rise_m : Hydrograph

    Returns
    -------
    tuple of HeldLevel
        One for each step of the usual level, lowest first; each begins at the lowest of its step,
        so that a rise of 0 spills nothing.
    """
    usual_m = ground.elevation_m[pixels].astype(float)
    lowest_m, span_m = usual_m.min(), np.ptp(usual_m)
    step_m = max(FINEST_STEP_M, span_m / MOST_STEPS)
    steps = np.full(pixels.shape, -1)
    steps[pixels] = np.minimum((usual_m - lowest_m) / step_m, MOST_STEPS - 1).astype(int)
    held = []
    for step in np.unique(steps[pixels]).tolist():
        of_step = steps == step
        base_m = float(ground.elevation_m[of_step].min())
        held.append(HeldLevel(of_step, Hydrograph(rise_m.time_s, base_m + rise_m.value)))
    return tuple(held)


def _add(digest: "hashlib._Hash", kind: bytes, pixels: np.ndarray, course: Hydrograph) -> None:
    places = np.argwhere(pixels).astype(np.int64)
    digest.update(kind + repr((pixels.shape, len(places), course.time_s.size)).encode())
    for part in (places, course.time_s, course.value):
        digest.update(np.ascontiguousarray(part).tobytes())
