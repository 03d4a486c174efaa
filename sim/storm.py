"""Rain of a storm: intensity–duration–frequency laws and the Chicago hyetograph (§7.1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log10
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from sim.district import Severity
from sim.rules import STORM_MIN, STORM_PEAK_TURN, TURN_MIN

Float64Array = npt.NDArray[np.float64]

MM_H_PER_L_S_HA = 0.36
"""One litre a second on a hectare, as millimetres an hour."""
STORM_PEAK_MIN = (STORM_PEAK_TURN - 0.5) * TURN_MIN
"""Minute of the peak: the middle of the peak turn (§7.1)."""


@dataclass(frozen=True, slots=True)
class ShermanLaw:
    """Mean intensity q = q₁·(1 + C·lg P)/(t + b)ⁿ over the worst t minutes in P years (§7.1).

    Attributes
    ----------
    one_year_l_s_ha : float
        q₁ (167·A in the Chinese form), litres a second on a hectare.
    growth, offset_min, exponent : float
        C, b and n.
    source : str
        Where the law was taken from.
    fitted_min, fitted_years : (float, float)
        Durations, minutes, and return periods, years, on which the law was fitted.
    """

    one_year_l_s_ha: float
    growth: float
    offset_min: float
    exponent: float
    source: str
    fitted_min: tuple[float, float]
    fitted_years: tuple[float, float]

    def depth_mm(self, minutes: npt.ArrayLike, years: float) -> Float64Array:
        """Rain of the worst ``minutes`` in ``years``, millimetres, same shape as ``minutes``.

        Examples
        --------
        >>> round(float(IDF_LAWS["harbin"].depth_mm(180, 5)))
        53
        """
        t = np.asarray(minutes, dtype=float)
        mm_h = MM_H_PER_L_S_HA * self.one_year_l_s_ha * (1 + self.growth * log10(years))
        return np.asarray(mm_h / 60 * t / (t + self.offset_min) ** self.exponent)

    def mean_mm_h(self, minutes: float, years: float) -> float:
        """Mean intensity over the worst ``minutes`` in ``years``, millimetres an hour."""
        return float(self.depth_mm(minutes, years)) * 60 / minutes


IDF_LAWS: Mapping[str, ShermanLaw] = MappingProxyType(
    {
        "harbin": ShermanLaw(
            one_year_l_s_ha=2989.3,
            growth=0.95,
            offset_min=11.77,
            exponent=0.88,
            source="rule book §7.1: the law published for Harbin's drainage design "
            "(not checked against the publication)",
            # durations and periods on which Chinese drainage laws are usually fitted
            fitted_min=(5.0, 180.0),
            fitted_years=(1.0, 100.0),
        ),
    }
)
"""Laws by region, under the keys of ``rules.REGIONS`` (§7.1)."""


@dataclass(frozen=True, slots=True)
class Storm:
    """A Chicago storm: at every duration as heavy as its law around the peak (Keifer & Chu 1957).

    Attributes
    ----------
    law : ShermanLaw
    years : float
        Return period, years.
    length_min, peak_min : float
        Length of the rain and its peak, minutes from the start of turn 1.
    """

    law: ShermanLaw
    years: float
    length_min: float = float(STORM_MIN)
    peak_min: float = STORM_PEAK_MIN

    def fallen_mm(self, minutes: npt.ArrayLike) -> Float64Array:
        """Rain from the start to each moment, millimetres (closed form, never falling).

        Notes
        -----
        With H(d) the law's depth for duration d and r the peak's place in the storm, a moment
        s after the peak has seen (1 - r)·H(s / (1 - r)) since it, and a moment s before the peak
        has r·H(s / r) still to come until it: so the window of length d shared r to 1 - r around
        the peak holds H(d) exactly.
        """
        t = np.clip(np.asarray(minutes, dtype=float), 0.0, self.length_min)
        r = self.peak_min / self.length_min
        until = r * self.law.depth_mm(np.maximum(self.peak_min - t, 0.0) / r, self.years)
        since = (1 - r) * self.law.depth_mm(
            np.maximum(t - self.peak_min, 0.0) / (1 - r), self.years
        )
        return np.asarray(r * self.law.depth_mm(self.length_min, self.years) - until + since)

    def rain_mm(self, start_min: float, end_min: float) -> float:
        """Rain between two moments, millimetres."""
        fallen = self.fallen_mm([start_min, end_min])
        return float(fallen[1] - fallen[0])


def storm_of(region: str, severity: Severity) -> Storm:
    """Storm of a rung of the severity ladder, from its region's law (§7.1, 7.6)."""
    return Storm(IDF_LAWS[region], severity.rain_years)
