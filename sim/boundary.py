"""What is done to the water from outside the raster: levels and inflows in time (§7.7)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sim.district import BoolArray
from sim.errors import DistrictError
from sim.refusal import refuse

Float64Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Hydrograph:
    """A value in time: straight between its points, held flat before the first and after the last.

    Attributes
    ----------
    time_s : (n,) float64
        Seconds since the start, strictly ascending, at least one.
    value : (n,) float64

    Raises
    ------
    DistrictError
        If there is no point, the two differ in length, a number is not finite or time goes back.

    Examples
    --------
    >>> rise = Hydrograph(np.array([0.0, 100.0]), np.array([1.0, 3.0]))
    >>> rise.at(50.0), rise.integral(0.0, 100.0), rise.integral(100.0, 110.0)
    (2.0, 200.0, 30.0)
    """

    time_s: Float64Array
    value: Float64Array

    def __post_init__(self) -> None:
        object.__setattr__(self, "time_s", np.array(self.time_s, float).reshape(-1))
        object.__setattr__(self, "value", np.array(self.value, float).reshape(-1))
        times, values = self.time_s, self.value
        if not times.size or times.size != values.size:
            raise DistrictError(
                refuse(
                    "",
                    "a hydrograph has {size} times and {size_2} values (§7.7); give as many of "
                    "each, one at least",
                    size=str(times.size),
                    size_2=str(values.size),
                )
            )
        if not (np.isfinite(times).all() and np.isfinite(values).all()):
            raise DistrictError(
                refuse("", "a hydrograph holds a number that is not finite (§7.7); correct it")
            )
        if (late := np.flatnonzero(np.diff(times) <= 0)).size:
            raise DistrictError(
                refuse(
                    "",
                    "a hydrograph goes from {times} s to {times_2} s (§7.7); put its times in "
                    "ascending order, each once",
                    times=f"{times[late[0]]:g}",
                    times_2=f"{times[late[0] + 1]:g}",
                )
            )

    @classmethod
    def constant(cls, value: float) -> "Hydrograph":
        """The same value for ever."""
        return cls(np.zeros(1), np.full(1, value))

    def at(self, s: float) -> float:
        """Value at a moment, seconds since the start."""
        return float(np.interp(s, self.time_s, self.value))

    def integral(self, a: float, b: float) -> float:
        """Value times seconds from moment ``a`` to moment ``b``."""
        return self._before(b) - self._before(a)

    @cached_property
    def summed(self) -> Float64Array:
        """(n,) float64 value times seconds from the first point to every point."""
        mean = (self.value[1:] + self.value[:-1]) / 2
        return np.concatenate(([0.0], np.cumsum(mean * np.diff(self.time_s))))

    def _before(self, s: float) -> float:
        i = int(np.clip(np.searchsorted(self.time_s, s, "right") - 1, 0, self.time_s.size - 1))
        return float(self.summed[i] + (s - self.time_s[i]) * (self.value[i] + self.at(s)) / 2)


@dataclass(frozen=True, eq=False)
class HeldLevel:
    """A water body whose surface is held at a level in time (§7.7).

    It spills over the ground beside it and takes water back; what crosses counts in the balance.

    Attributes
    ----------
    pixels : (n_row, n_col) bool
    level_m : Hydrograph
        Altitude of its surface, metres, on the ground's datum; dry where below the ground.
    """

    pixels: BoolArray
    level_m: Hydrograph


@dataclass(frozen=True, eq=False)
class Inflow:
    """Water brought onto the ground, spread evenly over some pixels (§7.7).

    Attributes
    ----------
    pixels : (n_row, n_col) bool
    flow_m3_s : Hydrograph
        Cubic metres a second, all pixels together; never negative.

    Raises
    ------
    DistrictError
        If it takes water away.
    """

    pixels: BoolArray
    flow_m3_s: Hydrograph

    def __post_init__(self) -> None:
        if self.flow_m3_s.value.min() < 0:
            raise DistrictError(
                refuse(
                    "",
                    "an inflow is {value} m³/s (§7.7); it only brings water: use a held level, "
                    "or the rim, to let some out",
                    value=f"{self.flow_m3_s.value.min():g}",
                )
            )


class Tables(NamedTuple):
    """Hydrographs laid end to end, as compiled code reads them.

    Attributes
    ----------
    start : (n + 1,) int64
        Where each hydrograph begins in the other arrays.
    time_s, value, summed : (n_point,) float64
    """

    start: npt.NDArray[np.int64]
    time_s: Float64Array
    value: Float64Array
    summed: Float64Array


def tables_of(hydrographs: Sequence[Hydrograph]) -> Tables:
    """Lay hydrographs end to end."""
    empty = [np.zeros(0)]
    return Tables(
        np.cumsum([0, *(h.time_s.size for h in hydrographs)]).astype(np.int64),
        np.concatenate(empty + [h.time_s for h in hydrographs]),
        np.concatenate(empty + [h.value for h in hydrographs]),
        np.concatenate(empty + [h.summed for h in hydrographs]),
    )


def checked(boundaries: Sequence[HeldLevel | Inflow], free: BoolArray, what: str) -> None:
    """Refuse boundaries that fit no ground.

    Parameters
    ----------
    boundaries : sequence of HeldLevel or Inflow
    free : (n_row, n_col) bool
        Pixels where they may lie.
    what : str
        Their name in a message.

    Raises
    ------
    DistrictError
        If one has another shape than the ground, no pixel, or a pixel off the ground.
    """
    for i, boundary in enumerate(boundaries):
        if boundary.pixels.shape != free.shape:
            raise DistrictError(
                refuse(
                    "",
                    "{what} {i} is drawn on {shape} pixels where the ground has {shape_2} "
                    "(§7.7); draw it on the same raster",
                    what=what,
                    i=str(i),
                    shape=str(boundary.pixels.shape),
                    shape_2=str(free.shape),
                )
            )
        if not boundary.pixels.any():
            raise DistrictError(
                refuse(
                    "",
                    "{what} {i} has no pixel (§7.7); draw it, or leave it out",
                    what=what,
                    i=str(i),
                )
            )
        if (off := np.argwhere(boundary.pixels & ~free)).size:
            raise DistrictError(
                refuse(
                    "",
                    "{what} {i} covers row {off}, column {off_2}, where no water is moved "
                    "(§7.7); keep it on the ground inside the sheet",
                    what=what,
                    i=str(i),
                    off=str(off[0, 0]),
                    off_2=str(off[0, 1]),
                )
            )
