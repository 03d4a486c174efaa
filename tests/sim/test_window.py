"""What a storm threatens, when it speaks, and what an alert of all the threatened saves (§7.6)."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from sim.rules import LinkClass, Structure
from sim.state import NEVER
from sim.window import first_sign, saved_share, threatened_share, window_of
from tests.strategies import dry_world, flooded, line_district, worlds


def line(cut_turn=9, length=6, **more):
    """A line with its shelter on hex 0; hex 2 floods, and hexes 2.. are cut off."""
    district = line_district(length, residents=1_000, unshelterable=100, **more)
    return flooded(dry_world(district, turns=16, hour=3), {2: 400}, from_turn=cut_turn)


def test_7_6_an_alert_saves_whose_counter_completes_before_the_cut():
    # by night a turn counts 0.6: take the day, where nobody is on the road of a line
    world = replace(line(), hour=14)
    # hexes 2 to 5 are threatened, 2 to 5 links away; their counters want 5 to 8 turns
    assert world.first_cut.tolist() == [0, 0, 9, 9, 9, 9]
    # alerted in turn t they step from t + 1 and complete in t + 3 + distance, before turn 9
    people = world.situation.to_shelter
    for turn in range(1, 9):
        arrive = [cell for cell in (2, 3, 4, 5) if turn + 3 + cell < 9]
        expected = Fraction(int(people[arrive].sum()), int(people[2:].sum()))
        assert saved_share(world, turn) == expected


def test_7_6_places_and_crowds_do_not_count():
    world = replace(line(), hour=14)
    few = replace(world, district=replace(world.district, shelters=world.district.shelters[:1]))
    none = replace(few.district.shelters[0], places=0)
    full = replace(few, district=replace(few.district, shelters=(none,)))
    many = replace(
        world.district,
        residents=world.district.residents * 50,
        unshelterable=world.district.unshelterable * 50,
    )
    crowded = replace(world, district=many)
    for turn in (1, 2, 3):
        assert saved_share(full, turn) == saved_share(world, turn) > 0
        assert saved_share(crowded, turn) == saved_share(world, turn)


def test_7_6_where_nobody_is_threatened_there_is_no_share():
    world = dry_world(line_district(4), turns=8)
    window = window_of(world, (4, 6))
    assert window.saved == {4: None, 6: None}
    assert (window.share, window.threatened, window.blocked_hexes) == (0.0, 0, 0)
    assert (window.first_sign, window.first_cut) == (NEVER, NEVER)


@given(world=worlds())
@settings(max_examples=15)
def test_a_later_alert_never_saves_more_in_water_that_only_rises(world):
    rising = replace(world, depth_mm=np.maximum.accumulate(world.depth_mm, axis=0))
    shares = [saved_share(rising, turn) for turn in (1, 3, 6, 10)]
    if shares[0] is not None:
        assert shares == sorted(shares, reverse=True)
        assert all(0 <= share <= 1 for share in shares)


@given(world=worlds())
@settings(max_examples=15)
def test_more_water_never_threatens_less_nor_speaks_later(world):
    more = replace(world, depth_mm=np.where(world.depth_mm > 0, world.depth_mm + 80, 0))
    assert threatened_share(more) >= threatened_share(world)
    if first_sign(world) != NEVER:
        assert NEVER < first_sign(more) <= first_sign(world)


def test_7_6_an_underpass_speaks_before_the_street():
    road = line_district(4, structure=Structure.ROAD)
    under = line_district(4, structure=Structure.UNDERPASS)
    for district, turn in ((road, 8), (under, 3)):
        world = flooded(dry_world(district, turns=9), {2: 50}, from_turn=3)
        world = flooded(world, {2: 150}, from_turn=8)
        assert first_sign(world) == turn


def test_7_6_an_edge_that_carries_nothing_says_nothing():
    district = line_district(4, link_class=LinkClass.NONE)
    bare = replace(district, foot=np.zeros(3, bool))
    world = flooded(dry_world(bare, turns=5), {1: 900})
    assert first_sign(world) == NEVER
    idle = replace(line_district(4), active=np.array([True, False, False, True]))
    assert first_sign(flooded(dry_world(idle, turns=5), {1: 900}, from_turn=2)) == 2


def test_window_counts_hexes_and_turns():
    window = window_of(replace(line(cut_turn=7), hour=14), (1, 12))
    assert window.blocked_hexes == 1
    assert (window.first_sign, window.first_cut) == (7, 7)
    assert window.saved[12] == 0
    assert window.share == pytest.approx(window.threatened / window.to_shelter)
