"""Tuples of a state as arrays to count with, each made once for as long as it is asked for."""

from collections import OrderedDict

import numpy as np
import numpy.typing as npt

LongArray = npt.NDArray[np.int64]

KEPT = 32
"""Arrays that are kept: those of one state, which its phases ask for again and again."""
_kept: "OrderedDict[int, tuple[tuple[int, ...], LongArray]]" = OrderedDict()


def whole(values: tuple[int, ...]) -> LongArray:
    """Return whole numbers of a state as an array, read-only.

    Examples
    --------
    >>> whole((3, 1, 2)).tolist()
    [3, 1, 2]

    """
    # by identity: the tuple is kept too, so that no other takes its place in memory
    found = _kept.get(id(values))
    if found is not None:
        return found[1]
    return _keep(values, np.fromiter(values, dtype=np.int64, count=len(values)))


def numbers(array: LongArray) -> tuple[int, ...]:
    """Return an array as a state keeps it; the array can be changed no more.

    Examples
    --------
    >>> numbers(np.array([3, 1, 2]))
    (3, 1, 2)

    """
    values: tuple[int, ...] = tuple(array.tolist())
    _keep(values, array)
    return values


def _keep(values: tuple[int, ...], array: LongArray) -> LongArray:
    array.flags.writeable = False
    _kept[id(values)] = (values, array)
    if len(_kept) > KEPT:
        _kept.popitem(last=False)
    return array
