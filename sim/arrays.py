"""Whole numbers of a state as tuples and as arrays, each made once.

A state is compared, hashed and written as tuples; its phases count with arrays. A ``Row`` is a
tuple that carries its array, so that neither is made again from the other.
"""

import json
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

LongArray = npt.NDArray[np.int64]


class Row(tuple[int, ...]):
    """Whole numbers, a tuple like any other, that carry their array and their text.

    Attributes
    ----------
    array : (n,) int64
        Read-only.

    """

    array: LongArray
    _text: str

    @property
    def text(self) -> str:
        """The numbers as canonical JSON, written once."""
        try:
            return self._text
        except AttributeError:
            self._text = json.dumps(self, separators=(",", ":"))
            return self._text

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy as the numbers alone, so that a copy's array cannot be changed either."""
        return numbers, (self.array,)


def numbers(array: LongArray) -> Row:
    """Return an array as a state keeps it; the array can be changed no more.

    Examples
    --------
    >>> numbers(np.array([3, 1, 2]))
    (3, 1, 2)

    """
    array.flags.writeable = False
    row = Row(array.tolist())
    row.array = array
    return row


def altered(
    values: tuple[int, ...], cells: Sequence[int] | npt.NDArray[np.intp], new: npt.ArrayLike
) -> tuple[int, ...]:
    """Return whole numbers of a state with others in some places.

    Parameters
    ----------
    values : (n,) tuple of int
    cells : (m,) int
        Places; of a place that comes twice the last value stands.
    new : (m,) int or int

    Examples
    --------
    >>> altered((3, 1, 2), [0, 2], 9)
    (9, 1, 9)

    """
    if not len(cells):
        return values
    array = whole(values).copy()
    array[np.asarray(cells, dtype=np.intp)] = new
    return numbers(array)


KEPT = 32
"""Arrays that are kept of plain tuples, which a phase asks for again and again."""
_kept: "OrderedDict[int, tuple[tuple[int, ...], LongArray]]" = OrderedDict()


def whole(values: tuple[int, ...]) -> LongArray:
    """Return whole numbers of a state as an array, read-only.

    Examples
    --------
    >>> whole((3, 1, 2)).tolist()
    [3, 1, 2]

    """
    if isinstance(values, Row):
        return values.array
    # by identity: the tuple is kept too, so that no other takes its place in memory
    found = _kept.get(id(values))
    if found is not None:
        return found[1]
    array = np.fromiter(values, dtype=np.int64, count=len(values))
    array.flags.writeable = False
    _kept[id(values)] = (values, array)
    if len(_kept) > KEPT:
        _kept.popitem(last=False)
    return array
