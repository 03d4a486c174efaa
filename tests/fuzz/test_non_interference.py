"""Two worlds that give the same observations show every player the same bytes (§6.4).

How the pairs are made, and why they are sound, is told in ``two_worlds``; who sees what, in
``channels``. ``make fuzz`` looks at 10,000 pairs; AVERSE_FUZZ_PAIRS sets another number.
"""

import os

import pytest

from gis.store import read_district
from tests.fuzz.two_worlds import Tally, pair

PAIRS = int(os.environ.get("AVERSE_FUZZ_PAIRS", "300"))
FIRST = int(os.environ.get("AVERSE_FUZZ_FIRST", "0"))
ON_THE_REFERENCE_TOWN = max(1, PAIRS // 150)
CHUNK = 50
"""Pairs of one test, so that workers share them."""


@pytest.mark.parametrize("first", range(FIRST, FIRST + PAIRS, CHUNK))
def test_6_4_worlds_that_look_the_same_are_the_same_to_every_player(first):
    tally = Tally()
    for number in range(first, min(first + CHUNK, FIRST + PAIRS)):
        leak, one = pair(number)
        assert leak is None, str(leak)
        tally.add(one)
    # a comparison of nothing, or of one world with itself, proves nothing
    assert tally.share("compared", "turns") > 0.7, tally.counts
    assert tally.share("perturbed", "hex-turns") > 0.15, tally.counts
    assert tally.counts["perturbed though others look"] > 0, tally.counts


@pytest.mark.xdist_group("reference")
def test_6_4_nor_are_they_told_apart_on_the_reference_town(reference_town):
    town = read_district(reference_town.pack)
    tally = Tally()
    for number in range(FIRST, FIRST + ON_THE_REFERENCE_TOWN):
        leak, one = pair(number, town)
        assert leak is None, str(leak)
        tally.add(one)
    assert tally.share("perturbed", "hex-turns") > 0.15, tally.counts
