"""Results remembered by the objects they were made of: never another's, never too many."""

import gc
import weakref

import numpy as np

from sim.remembered import remembered


class Thing:
    """What can be watched as it goes."""


def test_a_result_is_made_once_for_the_same_objects_and_anew_for_equal_ones():
    made = []

    @remembered(4)
    def together(one, other):
        made.append((one, other))
        return [one, other]

    one, other = (1, 2), np.zeros(3)
    assert together(one, other) is together(one, other)
    assert together(tuple(iter(one)), other) is not together(one, other)
    assert together(one, other=other) is not together(one, other)
    assert len(made) == 3


def test_an_object_that_takes_anothers_place_in_memory_is_not_taken_for_it():
    @remembered(3)
    def first(values):
        return values[0]

    for number in range(200):
        assert first([number] * 9) == number


def test_the_oldest_are_let_go():
    @remembered(2)
    def whose(thing):
        return id(thing)

    things = [Thing() for _ in range(3)]
    watched = [weakref.ref(thing) for thing in things]
    for thing in things:
        whose(thing)
    del things, thing
    gc.collect()
    assert [one() is not None for one in watched] == [False, True, True]
