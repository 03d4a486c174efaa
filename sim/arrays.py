"""Whole numbers of a state as tuples and as arrays, each made where it is asked for, once.

A state is compared, hashed and written as tuples; its phases count with arrays. A ``Row`` is an
array that is a tuple for whoever asks, so that none is made of the many in between.
"""

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from sim.remembered import remembered

LongArray = npt.NDArray[np.int64]


class Row(Sequence[int]):
    """Whole numbers that are equal to the tuple of them, and have its hash.

    Attributes
    ----------
    array : (n,) int64
        Read-only.

    """

    def __init__(self, array: LongArray) -> None:
        self.array = array

    @cached_property
    def values(self) -> tuple[int, ...]:
        """The numbers as a tuple, made once."""
        return tuple(self.array.tolist())

    @cached_property
    def text(self) -> str:
        """The numbers as canonical JSON, written once."""
        return json.dumps(self.array.tolist(), separators=(",", ":"))

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[int]:
        return iter(self.values)

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[int, ...]: ...
    def __getitem__(self, place: int | slice) -> int | tuple[int, ...]:
        return self.values[place]

    def __array__(
        self, dtype: npt.DTypeLike | None = None, copy: bool | None = None
    ) -> npt.NDArray[Any]:
        return np.array(self.array, dtype=dtype, copy=copy)

    def __eq__(self, other: object) -> bool:
        return self.values == (other.values if isinstance(other, Row) else other)

    def __hash__(self) -> int:
        return hash(self.values)

    def __repr__(self) -> str:
        return repr(self.values)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy as the numbers alone, so that a copy's array cannot be changed either."""
        return numbers, (self.array,)


Numbers: TypeAlias = tuple[int, ...] | Row
"""Whole numbers by hex, edge or place."""


def numbers(array: LongArray) -> Row:
    """Return an array as a state keeps it; the array can be changed no more.

    Examples
    --------
    >>> numbers(np.array([3, 1, 2]))
    (3, 1, 2)

    """
    array.flags.writeable = False
    return Row(array)


def altered(
    values: Numbers, cells: Sequence[int] | npt.NDArray[np.intp], new: npt.ArrayLike
) -> Numbers:
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
    before = whole(values)
    array = before.copy()
    array[np.asarray(cells, dtype=np.intp)] = new
    return values if (array == before).all() else numbers(array)


def whole(values: Numbers) -> LongArray:
    """Return whole numbers of a state as an array, read-only.

    Examples
    --------
    >>> whole((3, 1, 2)).tolist()
    [3, 1, 2]

    """
    return values.array if isinstance(values, Row) else _as_array(values)


KEPT = 32
"""Arrays of plain tuples that are remembered."""


@remembered(KEPT)
def _as_array(values: tuple[int, ...]) -> LongArray:
    array = np.fromiter(values, dtype=np.int64, count=len(values))
    array.flags.writeable = False
    return array
