"""Hundredths of a person as whole persons: the one rounding of every count that is printed."""

from typing import overload

import numpy as np
import numpy.typing as npt

from sim.state import HUNDREDTHS


@overload
def persons(hundredths: int) -> int: ...
@overload
def persons(hundredths: npt.ArrayLike) -> npt.NDArray[np.int64]: ...
def persons(hundredths: npt.ArrayLike) -> int | npt.NDArray[np.int64]:
    """Return whole persons, rounded down; places likewise (§10.5).

    A sum is taken in hundredths and rounded once: of figures that are rounded already it would be
    short by up to a person for each.

    >>> persons(1_250), persons([150, 150]), persons(sum([150, 150]))
    (12, array([1, 1]), 3)
    """
    if isinstance(hundredths, (int, np.integer)):
        return int(hundredths) // HUNDREDTHS
    whole: npt.NDArray[np.int64] = np.asarray(hundredths, dtype=np.int64) // HUNDREDTHS
    return whole
