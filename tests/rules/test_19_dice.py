"""§19 Draws: counter-based, under a seed and a key of named parts."""

from collections import Counter
from hashlib import blake2b

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.random import Philox

from sim.dice import below, checked_seed, draw, first_output, new_seed, two_dice
from sim.errors import ExerciseError

SEED = "00112233445566778899aabbccddeeff"
parts = st.one_of(st.integers(-(2**40), 2**40), st.text(max_size=12))


MASK = 2**64 - 1


def philox4x64_10(counter: list[int], key: list[int]) -> list[int]:
    """Philox4x64-10 as printed by Salmon et al. (2011), written from the paper."""
    for _ in range(10):
        high0, low0 = divmod(0xD2E7470EE14C6C93 * counter[0], 2**64)
        high1, low1 = divmod(0xCA5A826395121157 * counter[2], 2**64)
        counter = [high1 ^ counter[1] ^ key[0], low1, high0 ^ counter[3] ^ key[1], low0]
        key = [(key[0] + 0x9E3779B97F4A7C15) & MASK, (key[1] + 0xBB67AE8584CAA73B) & MASK]
    return counter


def words(number: int, count: int) -> list[int]:
    return [(number >> (64 * i)) & MASK for i in range(count)]


@given(key=st.lists(parts, max_size=4))
def test_19_a_draw_is_philox_under_the_digests_of_seed_and_key(key):
    def digest(text: str, size: int) -> int:
        return int.from_bytes(blake2b(text.encode(), digest_size=size).digest(), "little")

    # numpy steps the counter once before its first output
    counter = (digest(repr((tuple(key), 0)), 32) + 1) % 2**256
    expected = philox4x64_10(words(counter, 4), words(digest(SEED, 16), 2))[0]
    assert draw(SEED, *key) == expected


@given(a=st.lists(parts, max_size=4), b=st.lists(parts, max_size=4))
def test_19_different_keys_draw_apart(a, b):
    same = [(type(x), x) for x in a] == [(type(x), x) for x in b]
    assert (draw(SEED, *a) == draw(SEED, *b)) == same


def test_19_another_seed_draws_apart():
    assert draw(SEED, "alert", 3) != draw(SEED[::-1], "alert", 3)


def test_19_two_dice_are_fair():
    rolls = Counter(two_dice(SEED, "fairness", i) for i in range(36_000))
    for total in range(2, 13):
        expected = 1000 * (6 - abs(total - 7))
        # five standard deviations of a binomial count
        assert abs(rolls[total] - expected) < 5 * (expected * (1 - expected / 36_000)) ** 0.5


@given(limit=st.integers(1, 1000), key=st.integers())
def test_19_below_stays_below(limit, key):
    assert 0 <= below(limit, SEED, key) < limit


@pytest.mark.parametrize("seed", ["", "42", "g" * 32, "0" * 31, SEED + "\n"])
def test_19_a_short_seed_is_refused(seed):
    with pytest.raises(ExerciseError, match="128 bits"):
        checked_seed(seed)


def test_19_a_new_seed_is_accepted():
    assert checked_seed(new_seed())


@given(key=st.integers(0, 2**128 - 1), counter=st.integers(0, 2**256 - 1))
@example(key=5, counter=2**64 - 1)
@example(key=5, counter=2**256 - 1)
def test_19_the_first_output_is_that_of_numpys_philox(key, counter):
    assert first_output(key, counter) == int(Philox(key=key, counter=counter).random_raw())
