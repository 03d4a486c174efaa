"""A storm: a law of rain, a return period, a form in time, and where it rains (§7.1)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import cos, radians, sin
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from sim.district import Severity
from sim.errors import ExerciseError
from sim.hyetograph import STORM_PEAK_MIN, Hyetograph
from sim.idf import IDF_LAWS, MM_H_PER_L_S_HA, Float64Array, IdfLaw, ShermanLaw
from sim.refusal import OneOf, refuse

PROFILES = ("gaussian", "ellipse")
REGION_LAWS: Mapping[str, str] = MappingProxyType(
    {"harbin": "harbin", "france": "meteo_france_example"}
)
"""Name of the law by which it rains in every region of ``rules.REGIONS``."""


@dataclass(frozen=True, slots=True)
class MovingCell:
    """A cell of heavy rain that crosses the sheet: times how much it rains, hex by hex (§7.1).

    The storm's rain is multiplied by ``away`` far from the cell and by ``peak`` in its middle.

    Attributes
    ----------
    start_m : (float, float)
        Middle at the start of turn 1, metres east and north of the centre of hex 0101.
    towards_deg : float
        Where it goes, degrees clockwise from north; its long axis may lie otherwise.
    speed_m_s : float
    axes_m : (float, float)
        Half-axes along and across ``axis_deg``, metres: where a gaussian cell has lost 39 % of what
        its middle has above ``away``, and the rim of an even ellipse.
    axis_deg : float
        Direction of the first half-axis, degrees clockwise from north.
    peak, away : float
        Times the storm's rain in the middle, and far away; 0 or more.
    profile : {"gaussian", "ellipse"}

    Raises
    ------
    ExerciseError
        If a figure is not finite, a half-axis is not above 0, or a factor is below 0.
    """

    start_m: tuple[float, float]
    towards_deg: float = 0.0
    speed_m_s: float = 0.0
    axes_m: tuple[float, float] = (5000.0, 5000.0)
    axis_deg: float = 0.0
    peak: float = 1.0
    away: float = 0.0
    profile: str = "gaussian"

    def __post_init__(self) -> None:
        figures = (*self.start_m, *self.axes_m, self.towards_deg, self.axis_deg)
        sizes = (self.speed_m_s, self.peak, self.away)
        if not np.isfinite((*figures, *sizes)).all() or min(self.axes_m) <= 0 or min(sizes) < 0:
            raise ExerciseError(
                refuse(
                    "",
                    "a moving cell with half-axes {axes_m} m, speed {speed_m_s} m/s and "
                    "factors {peak} and {away} (§7.1): give half-axes above 0 and the others 0 "
                    "or more",
                    axes_m=str(self.axes_m),
                    speed_m_s=f"{self.speed_m_s:g}",
                    peak=f"{self.peak:g}",
                    away=f"{self.away:g}",
                )
            )
        if self.profile not in PROFILES:
            raise ExerciseError(
                refuse(
                    "",
                    "the profile {profile} of a moving cell is not known (§7.1): give {profiles}",
                    profile=repr(self.profile),
                    profiles=OneOf(tuple(PROFILES)),
                )
            )

    def factor(self, at_m: Float64Array, minutes: npt.ArrayLike) -> Float64Array:
        """Times the storm's rain at places and moments.

        Parameters
        ----------
        at_m : (n, 2) float
            Metres east and north of the centre of hex 0101.
        minutes : (m,) float
            Since the start of turn 1.

        Returns
        -------
        (m, n) float
        """
        gone_m = self.speed_m_s * 60 * np.atleast_1d(np.asarray(minutes, dtype=float))
        towards, axis = radians(self.towards_deg), radians(self.axis_deg)
        east = at_m[:, 0] - self.start_m[0] - (gone_m * sin(towards))[:, None]
        north = at_m[:, 1] - self.start_m[1] - (gone_m * cos(towards))[:, None]
        along = (east * sin(axis) + north * cos(axis)) / self.axes_m[0]
        across = (east * cos(axis) - north * sin(axis)) / self.axes_m[1]
        apart = along**2 + across**2
        share = np.exp(-apart / 2) if self.profile == "gaussian" else (apart <= 1).astype(float)
        return np.asarray(self.away + (self.peak - self.away) * share)


@dataclass(frozen=True, slots=True)
class Storm:
    """A design storm (§7.1).

    Attributes
    ----------
    law : IdfLaw
    years : float
        Return period, years.
    hyetograph : Hyetograph
    cell : MovingCell, optional
        Rain that differs from hex to hex; the same everywhere by default.
    """

    law: IdfLaw
    years: float
    hyetograph: Hyetograph = field(default_factory=Hyetograph)
    cell: MovingCell | None = None

    def fallen_mm(self, minutes: npt.ArrayLike) -> Float64Array:
        """Rain from the start to each moment, millimetres, before any cell (never falling)."""
        return self.hyetograph.fallen_mm(lambda d: self.law.depth_mm(d, self.years), minutes)

    def rain_mm(self, start_min: float, end_min: float) -> float:
        """Rain between two moments, millimetres, before any cell."""
        fallen = self.fallen_mm([start_min, end_min])
        return float(fallen[1] - fallen[0])


def storm_of(region: str, severity: Severity, hyetograph: Hyetograph | None = None) -> Storm:
    """Storm of a rung of the severity ladder, from its region's law (§7.1, 7.6).

    Parameters
    ----------
    hyetograph : Hyetograph, optional
        The district's; the rule book's Chicago storm by default.
    """
    law = IDF_LAWS[REGION_LAWS[region]]
    return Storm(law, severity.rain_years, hyetograph or Hyetograph())


__all__ = [
    "IDF_LAWS",
    "MM_H_PER_L_S_HA",
    "STORM_PEAK_MIN",
    "Float64Array",
    "Hyetograph",
    "IdfLaw",
    "MovingCell",
    "ShermanLaw",
    "Storm",
    "storm_of",
]
