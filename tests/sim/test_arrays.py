"""A state's tuples as arrays: made once, never another's."""

import numpy as np
import pytest

from sim.arrays import KEPT, whole


def test_an_array_holds_its_tuple_and_cannot_be_changed():
    values = tuple(range(-5, 2_000))
    array = whole(values)
    assert array.tolist() == list(values)
    assert array.dtype == np.int64
    assert whole(values) is array
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 7
    assert whole(()).tolist() == []


def test_a_tuple_that_takes_anothers_place_in_memory_is_not_taken_for_it():
    for number in range(20 * KEPT):
        assert whole(tuple([number] * 9)).tolist() == [number] * 9
