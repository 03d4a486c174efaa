"""The people of every hex are the one source of every figure (§12)."""

import dataclasses

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exercises.debrief.people import persons, persons_by_hex
from exercises.session import play
from sim.state import HUNDREDTHS
from tests.strategies import orders_for, worlds


@st.composite
def games(draw):
    world = draw(worlds(turns=10))
    return world, draw(orders_for(world))


@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow])
@given(games())
def test_12_people_of_the_hexes_add_up_to_the_score(game):
    world, orders = game
    played = play(world, orders)
    people, score = persons_by_hex(world, played.states[-1]), played.score
    sums = people.sums
    assert (sums.people_threatened, sums.people_saved) == (score.threatened, score.saved)
    assert (sums.people_late, sums.people_left) == (score.late, score.left)
    assert (sums.people_misused, sums.places) == (score.misused, score.places_used)
    assert sums.victims == score.victims
    for name in ("to_shelter", "threatened", "saved", "late", "left", "misused", "lost"):
        assert (getattr(people, name) >= 0).all(), name
    assert (people.saved + people.late + people.left == people.threatened).all()
    assert ((people.storm_cut_turn > 0) == world.threatened).all()


@settings(max_examples=3, suppress_health_check=[HealthCheck.too_slow])
@given(games())
def test_sums_of_parts_are_those_of_the_whole(game):
    world, orders = game
    people = persons_by_hex(world, play(world, orders).states[-1])
    quarters = world.district.quarter
    parts = [people.sums_of(quarters == number) for number in np.unique(quarters)]
    for field in dataclasses.fields(people.sums):
        assert sum(getattr(part, field.name) for part in parts) == getattr(people.sums, field.name)
    assert people.sums_of([3]) == people.sums_of(np.arange(len(quarters)) == 3)


def test_a_figure_is_rounded_once():
    assert persons(3 * 150) == 4
    assert sum(map(persons, (150, 150, 150))) == 3
    assert HUNDREDTHS == 100
