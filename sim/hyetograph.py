"""How the rain of a storm is spread over time: Chicago and double triangle (§7.1)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.errors import DistrictError
from sim.refusal import OneOf, refuse
from sim.rules import STORM_MIN, STORM_PEAK_TURN, TURN_MIN

Float64Array = npt.NDArray[np.float64]
DepthOf = Callable[[npt.ArrayLike], Float64Array]
"""Rain of the worst so many minutes, millimetres: a law at one return period."""

FORMS = ("chicago", "double_triangle")
STORM_PEAK_MIN = (STORM_PEAK_TURN - 0.5) * TURN_MIN
"""Minute of the peak: the middle of the peak turn (§7.1)."""
INTENSE_MIN = 30.0
"""Length of the intense part of a double triangle: "some tens of minutes" (Desbordes)."""
LONGEST_MIN = 24 * 60.0


@dataclass(frozen=True, slots=True)
class Hyetograph:
    """Form of a storm in time (§7.1).

    Attributes
    ----------
    form : {"chicago", "double_triangle"}
    length_min, peak_min : float
        Length of the rain and its peak, minutes from the start of turn 1.
    intense_min : float
        Length of the intense part of a double triangle; a Chicago storm does not read it.

    Raises
    ------
    DistrictError
        If the form is not known, or the times do not stand in order.
    """

    form: str = "chicago"
    length_min: float = float(STORM_MIN)
    peak_min: float = STORM_PEAK_MIN
    intense_min: float = INTENSE_MIN

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise DistrictError(
                refuse(
                    "",
                    "the hyetograph {form} is not known (§7.1): give {forms}",
                    form=repr(self.form),
                    forms=OneOf(tuple(FORMS)),
                )
            )
        for name in ("length_min", "peak_min", "intense_min"):
            # one text for one storm, whatever wrote it: 300 and 300.0 are the same rain
            object.__setattr__(self, name, float(getattr(self, name)))
        if not 0 < self.peak_min < self.length_min <= LONGEST_MIN:
            raise DistrictError(
                refuse(
                    "",
                    "a storm of {length_min} minutes that peaks at minute {peak_min} (§7.1): "
                    "give a length up to {longest_min} minutes and a peak within it",
                    length_min=f"{self.length_min:g}",
                    peak_min=f"{self.peak_min:g}",
                    longest_min=f"{LONGEST_MIN:g}",
                )
            )
        if self.form == "double_triangle" and not 0 < self.intense_min < self.length_min:
            raise DistrictError(
                refuse(
                    "",
                    "an intense part of {intense_min} minutes in a storm of {length_min} "
                    "(§7.1): give one that is shorter than the storm",
                    intense_min=f"{self.intense_min:g}",
                    length_min=f"{self.length_min:g}",
                )
            )

    def fallen_mm(self, depth_of: DepthOf, minutes: npt.ArrayLike) -> Float64Array:
        """Rain from the start to each moment, millimetres (closed form, never falling).

        Parameters
        ----------
        depth_of : callable
            Rain of the worst so many minutes, millimetres.
        minutes : array of float
            Since the start of turn 1.

        Raises
        ------
        DistrictError
            If the law gives the intense part of a double triangle less than the rest.
        """
        t = np.clip(np.asarray(minutes, dtype=float), 0.0, self.length_min)
        return _chicago(self, depth_of, t) if self.form == "chicago" else _double(self, depth_of, t)


def _chicago(shape: Hyetograph, depth_of: DepthOf, t: Float64Array) -> Float64Array:
    """Storm that at every duration is as heavy as its law around the peak (Keifer & Chu 1957).

    With H(d) the law's depth for duration d and r the peak's place in the storm, a moment s after
    the peak has seen (1 - r)·H(s / (1 - r)) since it, and a moment s before the peak has r·H(s / r)
    still to come until it: so the window of length d shared r to 1 - r around the peak holds H(d)
    exactly; where H bends downwards, as laws do, no other window of that length is wetter.
    """
    r = shape.peak_min / shape.length_min
    until = r * depth_of(np.maximum(shape.peak_min - t, 0.0) / r)
    since = (1 - r) * depth_of(np.maximum(t - shape.peak_min, 0.0) / (1 - r))
    return np.asarray(r * depth_of(shape.length_min) - until + since)


def _double(shape: Hyetograph, depth_of: DepthOf, t: Float64Array) -> Float64Array:
    """Storm of two triangles, the intense one inside the long one (Desbordes 1974).

    The intensity goes up to i₁ in straight line where the intense part begins, to i₂ at the peak,
    back to i₁ where it ends, and to nothing. The intense part of t₁ minutes holds H(t₁) and the
    whole storm of t₃ minutes H(t₃) (Wikhydro, « Pluie de projet double triangle »; there both
    depths are free): i₁ = 2(H(t₃) - H(t₁))/(t₃ - t₁), i₂ = 2·H(t₁)/t₁ - i₁. The intense part is
    shared around the peak as the storm is, so that it is the wettest window of its length.
    """
    whole, intense = float(depth_of(shape.length_min)), float(depth_of(shape.intense_min))
    low = 2 * (whole - intense) / (shape.length_min - shape.intense_min)
    high = 2 * intense / shape.intense_min - low
    if high < low:
        raise DistrictError(
            refuse(
                "",
                "{intense_min} intense minutes would be no wetter than the rest of a "
                "double triangle of {length_min} minutes (§7.1): give a shorter intense "
                "part",
                intense_min=f"{shape.intense_min:g}",
                length_min=f"{shape.length_min:g}",
            )
        )
    r = shape.peak_min / shape.length_min
    begins = r * (shape.length_min - shape.intense_min)
    knots = np.array([0.0, begins, shape.peak_min, begins + shape.intense_min, shape.length_min])
    heights = np.array([0.0, low, high, low, 0.0])
    fallen = np.append(0.0, np.cumsum(np.diff(knots) * (heights[1:] + heights[:-1]) / 2))
    piece = np.clip(np.searchsorted(knots, t, side="right") - 1, 0, knots.size - 2)
    since = t - knots[piece]
    slope = (np.diff(heights) / np.diff(knots))[piece]
    return np.asarray(fallen[piece] + since * (heights[piece] + slope * since / 2))


USUAL_HYETOGRAPH = Hyetograph()
"""The storm of §7.1: Chicago, five hours, its peak in turn 14."""
