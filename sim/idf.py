"""Intensity–duration–frequency laws: the rain of the worst minutes in so many years (§7.1).

Every law says where it comes from and on which durations and return periods it was fitted. Beyond
these it still answers, and ``beyond_fitted`` says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import log10
from types import MappingProxyType
from typing import Protocol

import numpy as np
import numpy.typing as npt

from sim.errors import ExerciseError
from sim.refusal import mark, refuse

Float64Array = npt.NDArray[np.float64]
Range = tuple[float, float]

MM_H_PER_L_S_HA = 0.36
"""One litre a second on a hectare, as millimetres an hour."""


class IdfLaw(Protocol):
    """What a storm asks of a law.

    Attributes
    ----------
    source : str
        Where the law was taken from.
    fitted_min, fitted_years : (float, float)
        Durations, minutes, and return periods, years, on which the law was fitted.
    """

    @property
    def source(self) -> str:
        """Where the law was taken from."""

    @property
    def fitted_min(self) -> Range:
        """Durations on which the law was fitted, minutes."""

    @property
    def fitted_years(self) -> Range:
        """Return periods on which the law was fitted, years."""

    def depth_mm(self, minutes: npt.ArrayLike, years: float) -> Float64Array:
        """Rain of the worst ``minutes`` in ``years``, millimetres, same shape as ``minutes``."""

    def mean_mm_h(self, minutes: float, years: float) -> float:
        """Mean intensity over the worst ``minutes`` in ``years``, millimetres an hour."""

    def beyond_fitted(self, minutes: float, years: float) -> bool:
        """Whether a duration or a return period lies beyond what the law was fitted on."""

    def more_than_years(self, years: float) -> float | None:
        """N, where a return period must be printed as "> N years" (§7.6); None within the fit."""


@dataclass(frozen=True)
class _Fitted:
    """What all laws share: their source, the range of the fit, and what follows from both."""

    # not in the repr, which keys the water kept in a pack: a better citation moves no water
    source: str = field(repr=False)
    fitted_min: Range
    fitted_years: Range

    def depth_mm(self, minutes: npt.ArrayLike, years: float) -> Float64Array:
        """Rain of the worst ``minutes`` in ``years``, millimetres, same shape as ``minutes``."""
        raise NotImplementedError

    def mean_mm_h(self, minutes: float, years: float) -> float:
        """Mean intensity over the worst ``minutes`` in ``years``, millimetres an hour."""
        return float(self.depth_mm(minutes, years)) * 60 / minutes

    def beyond_fitted(self, minutes: float, years: float) -> bool:
        """Whether a duration or a return period lies beyond what the law was fitted on (§7.1)."""
        within_min = self.fitted_min[0] <= minutes <= self.fitted_min[1]
        return not (within_min and self.fitted_years[0] <= years <= self.fitted_years[1])

    def more_than_years(self, years: float) -> float | None:
        """N, where a return period must be printed as "> N years" (§7.6); None within the fit."""
        return self.fitted_years[1] if years > self.fitted_years[1] else None


@dataclass(frozen=True, kw_only=True)
class ShermanLaw(_Fitted):
    """Mean intensity q = q₁·(1 + C·lg P)/(t + b)ⁿ over the worst t minutes in P years (§7.1).

    Attributes
    ----------
    one_year_l_s_ha : float
        q₁ (167·A in the Chinese form), litres a second on a hectare.
    growth, offset_min, exponent : float
        C, b and n.

    Raises
    ------
    ExerciseError
        From ``depth_mm``, for a return period so short that the law gives no rain.
    """

    one_year_l_s_ha: float
    growth: float
    offset_min: float
    exponent: float

    def depth_mm(self, minutes: npt.ArrayLike, years: float) -> Float64Array:
        """Rain of the worst ``minutes`` in ``years``, millimetres, same shape as ``minutes``.

        Examples
        --------
        >>> round(float(IDF_LAWS["harbin"].depth_mm(180, 5)))
        53
        """
        times = 1 + self.growth * log10(years) if years > 0 else 0.0
        if times <= 0:
            raise ExerciseError(
                refuse(
                    "",
                    "a return period of {years} years gives no rain in this law (§7.1): give "
                    "from {fitted_years} years on",
                    years=f"{years:g}",
                    fitted_years=f"{self.fitted_years[0]:g}",
                )
            )
        t = np.asarray(minutes, dtype=float)
        mm_h = MM_H_PER_L_S_HA * self.one_year_l_s_ha * times
        return np.asarray(mm_h / 60 * t / (t + self.offset_min) ** self.exponent)


@dataclass(frozen=True)
class MontanaRange:
    """Depth h = a·t^(1 - b) over durations ``from_min`` to ``to_min``; a, b by return period.

    Attributes
    ----------
    from_min, to_min : float
        Durations t of the fit, minutes.
    a, b : tuple of float
        In the order of the law's ``years``: a gives millimetres with t in minutes, b is positive.
        (As an intensity the same law is i = a·t⁻ᵇ mm/min, or 60·a·t⁻ᵇ mm/h.)
    """

    from_min: float
    to_min: float
    a: tuple[float, ...]
    b: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class MontanaLaw(_Fitted):
    """Montana law, one pair (a, b) a return period and a range of durations (§7.1).

    Attributes
    ----------
    years : tuple of float
        Return periods, ascending.
    ranges : tuple of MontanaRange
        Ascending, each from where the one before ends.

    Notes
    -----
    Two ranges fitted apart do not meet where they touch. There the law takes the geometric mean of
    the two depths; the correction fades with the logarithm of the duration and is gone at the
    middle of each range. Between two return periods the logarithm of the depth goes evenly with
    that of the period, and so on beyond the first and the last.

    Raises
    ------
    ExerciseError
        If the ranges do not follow one another, if the depth falls with duration or with the
        return period, or from ``depth_mm``, for another return period than the only one known.
    """

    years: tuple[float, ...]
    ranges: tuple[MontanaRange, ...]

    def __post_init__(self) -> None:
        _ascending(mark("return periods"), self.years)
        ends = [end for r in self.ranges for end in (r.from_min, r.to_min)]
        counts = {len(self.years), *(len(v) for r in self.ranges for v in (r.a, r.b))}
        if len(counts) != 1 or sorted(ends) != ends or ends[2::2] != ends[1:-1:2] or ends[0] <= 0:
            raise ExerciseError(
                refuse(
                    "",
                    "Montana ranges {ends} of {counts} coefficients: give one a and one b for "
                    "each return period, and ranges that each begin where the one before ends "
                    "(§7.1)",
                    ends=str(ends),
                    counts=str(sorted(counts)),
                )
            )
        durations = np.geomspace(ends[0], ends[-1], 200)
        _never_falling(
            mark("Montana law"), [self._at(durations, i) for i in range(len(self.years))]
        )

    def depth_mm(self, minutes: npt.ArrayLike, years: float) -> Float64Array:
        """Rain of the worst ``minutes`` in ``years``, millimetres, same shape as ``minutes``."""
        t = np.asarray(minutes, dtype=float)
        return _between_years(self.years, years, lambda i: self._at(t, i))

    def _at(self, minutes: Float64Array, i: int) -> Float64Array:
        """Depth for the i-th return period, millimetres."""
        breaks = np.array([r.from_min for r in self.ranges[1:]])
        which = np.searchsorted(breaks, minutes, side="right")
        a = np.array([r.a[i] for r in self.ranges])
        rises = 1 - np.array([r.b[i] for r in self.ranges])
        depth = a[which] * minutes ** rises[which]
        if not breaks.size:
            return np.asarray(depth)
        # half of the logarithm of what is missing at every break
        step = np.log(a[1:] / a[:-1]) + np.diff(rises) * np.log(breaks)
        log_t = np.log(np.maximum(minutes, 1e-12))
        ends = np.log([self.ranges[0].from_min, *breaks, self.ranges[-1].to_min])
        middles = (ends[1:] + ends[:-1]) / 2
        lift = np.zeros(np.shape(minutes))
        for k, at in enumerate(ends[1:-1]):
            before = np.clip((log_t - middles[k]) / (at - middles[k]), 0, 1) * (which == k)
            after = np.clip((middles[k + 1] - log_t) / (middles[k + 1] - at), 0, 1)
            lift += step[k] / 2 * (before - after * (which == k + 1))
        return np.asarray(depth * np.exp(lift))


@dataclass(frozen=True, kw_only=True)
class TableLaw(_Fitted):
    """Depths by duration and return period, straight between them on logarithmic axes (§7.1).

    Beyond the first and the last duration or period it goes on as between the two nearest.

    Attributes
    ----------
    minutes, years : tuple of float
        Ascending; two durations at least.
    table_mm : tuple of tuple of float
        One row a return period, one depth a duration, millimetres.

    Raises
    ------
    ExerciseError
        If a depth falls with the duration or with the return period, or from ``depth_mm``, for
        another return period than the only one known.
    """

    minutes: tuple[float, ...]
    years: tuple[float, ...]
    table_mm: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        _ascending(mark("durations"), self.minutes)
        _ascending(mark("return periods"), self.years)
        shape = [len(row) for row in self.table_mm]
        if len(self.minutes) < 2 or shape != [len(self.minutes)] * len(self.years):
            raise ExerciseError(
                refuse(
                    "",
                    "a table of rain with rows of {shape} depths: give one row for each of the "
                    "{count} return periods, each of as many depths as there are durations "
                    "({count_2}, two at least; §7.1)",
                    shape=str(shape),
                    count=str(len(self.years)),
                    count_2=str(len(self.minutes)),
                )
            )
        _never_falling(mark("table of rain"), [np.array(row) for row in self.table_mm])

    def depth_mm(self, minutes: npt.ArrayLike, years: float) -> Float64Array:
        """Rain of the worst ``minutes`` in ``years``, millimetres, same shape as ``minutes``."""
        t = np.asarray(minutes, dtype=float)
        log_t = np.log(np.maximum(t, 1e-12))
        knots = np.log(self.minutes)

        def of_period(i: int) -> Float64Array:
            return np.exp(_on_a_line(log_t, knots, np.log(self.table_mm[i]))) * (t > 0)

        return _between_years(self.years, years, of_period)


def _between_years(
    known: tuple[float, ...], years: float, depth_of: "DepthOfPeriod"
) -> Float64Array:
    """Depth for a return period from those of the two known ones beside it."""
    if years in known:
        return depth_of(known.index(years))
    if len(known) == 1 or not years > 0:
        raise ExerciseError(
            refuse(
                "",
                "this law is known for {value} years only, not for {years} (§7.1): ask for "
                "that period, or give another law",
                value=", ".join(f"{y:g}" for y in known),
                years=f"{years:g}",
            )
        )
    high = int(np.clip(np.searchsorted(known, years), 1, len(known) - 1))
    low = high - 1
    share = np.log(years / known[low]) / np.log(known[high] / known[low])
    below, above = depth_of(low), depth_of(high)
    dry = below <= 0
    growth = np.divide(above, below, out=np.ones_like(below), where=~dry)
    return np.asarray(np.where(dry, 0.0, below * growth**share))


class DepthOfPeriod(Protocol):
    """Gives the depths of the i-th known return period, millimetres."""

    def __call__(self, i: int, /) -> Float64Array:
        """Depths, millimetres."""


def _on_a_line(at: Float64Array, knots: Float64Array, values: Float64Array) -> Float64Array:
    """Values between knots, and beyond them as between the two nearest."""
    piece = np.clip(np.searchsorted(knots, at) - 1, 0, knots.size - 2)
    slope = np.diff(values) / np.diff(knots)
    return np.asarray(values[piece] + slope[piece] * (at - knots[piece]))


def _ascending(what: str, values: tuple[float, ...]) -> None:
    if not values or values[0] <= 0 or any(b <= a for a, b in pairwise(values)):
        raise ExerciseError(
            refuse(
                "",
                "{what} {values} of a law of rain: give them above 0 and ascending (§7.1)",
                what=what,
                values=str(list(values)),
            )
        )


def _never_falling(what: str, by_period: list[Float64Array]) -> None:
    """Refuse depths that fall with the duration (along a row) or with the return period."""
    depth = np.array(by_period)
    if not (depth > 0).all() or (np.diff(depth, axis=1) < 0).any():
        raise ExerciseError(
            refuse(
                "",
                "a {what} gives less rain for a longer duration, or none (§7.1): check its figures",
                what=what,
            )
        )
    if (np.diff(depth, axis=0) < 0).any():
        raise ExerciseError(
            refuse(
                "",
                "a {what} gives less rain for a longer return period (§7.1): check its figures",
                what=what,
            )
        )


# --------------------------------------------------------------------------- laws by name
_IT77 = (
    "Instruction technique INT 77-284 (1977), homogeneous rain region {region} of mainland France: "
    "10-year Montana pair as quoted in drainage practice (i in mm/min, t in min); fitted on 6 min "
    "to 2 h and superseded by Météo-France's own fits (Wikhydro, « Région pluviométrique "
    "homogène », 2023). The pairs for 1, 2 and 5 years were not at hand in a source"
)


def _it77(region: str, a: float, b: float) -> MontanaLaw:
    return MontanaLaw(
        years=(10.0,),
        ranges=(MontanaRange(6.0, 120.0, (a,), (b,)),),
        source=_IT77.format(region=region),
        fitted_min=(6.0, 120.0),
        fitted_years=(10.0, 10.0),
    )


IDF_LAWS: Mapping[str, IdfLaw] = MappingProxyType(
    {
        "harbin": ShermanLaw(
            one_year_l_s_ha=2989.3,
            growth=0.95,
            offset_min=11.77,
            exponent=0.88,
            source="rule book §7.1, which calls it the law published for Harbin's drainage design; "
            "searched for in public pages, documentation and repositories and not found there, nor "
            "the older q = 2889(1 + 0.9 lg P)/(t + 10)^0.88: not checked against a publication",
            # the ranges on which Chinese drainage laws are usually fitted (own assumption)
            fitted_min=(5.0, 180.0),
            fitted_years=(1.0, 100.0),
        ),
        "it77_region_1": _it77("I", 5.9, 0.59),
        "it77_region_2": _it77("II", 6.7, 0.55),
        "it77_region_3": _it77("III", 6.1, 0.44),
        "meteo_france_example": MontanaLaw(
            years=(5.0, 10.0, 20.0, 30.0, 50.0, 100.0),
            ranges=(
                MontanaRange(
                    30.0,
                    360.0,
                    (10.874, 15.096, 20.219, 23.79, 28.93, 37.379),
                    (0.779, 0.803, 0.825, 0.838, 0.852, 0.872),
                ),
            ),
            source="Météo-France coefficients of one French station, printed as the example of an "
            "order in ASTEE, « Mémento technique 2017 », table 31 (the station is not named): "
            "h = a·t^(1 - b), 30 min to 6 h",
            fitted_min=(30.0, 360.0),
            fitted_years=(5.0, 100.0),
        ),
    }
)
"""Laws by name; a region of ``rules.REGIONS`` has one under its own name (§7.1)."""
