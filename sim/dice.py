"""Counter-based draws: a seed and named key parts give 64 bits (§19).

One draw more somewhere moves none elsewhere. The generator is Philox4x64-10 (Salmon et al. 2011,
"Parallel random numbers: as easy as 1, 2, 3"), keyed by the seed and counted by a digest of
the key parts, so that the same parts give the same bits on any machine and Python version.
"""

import hashlib
import re
import secrets
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

from sim.errors import ExerciseError
from sim.refusal import refuse

KeyPart: TypeAlias = "str | int | tuple[KeyPart, ...] | None"
SEED_HEX_DIGITS = 32  # 128 bits (§19)
_DIE_LIMIT = 2**64 - 2**64 % 36


def new_seed() -> str:
    """Return a fresh secret seed: 128 bits as 32 hexadecimal digits."""
    return secrets.token_hex(SEED_HEX_DIGITS // 2)


def checked_seed(seed: str) -> str:
    """Return the seed in lower case.

    Raises
    ------
    ExerciseError
        If it is not at least 32 hexadecimal digits: a short seed could be found from the dice seen.

    """
    if not re.fullmatch(rf"[0-9a-fA-F]{{{SEED_HEX_DIGITS},128}}", seed):
        raise ExerciseError(
            refuse(
                "",
                "seed {seed} is not 32 to 128 hexadecimal digits (128 bits at least, §19); "
                "leave it out to have one drawn",
                seed=repr(seed),
            )
        )
    return seed.lower()


Words = npt.NDArray[np.uint64]
"""Words of 64 bits, the lowest first."""
_WORD = np.dtype("<u8")


@lru_cache(maxsize=64)
def _key_of(seed: str) -> Words:
    return _digest(seed, 2)


def _digest(text: str, words: int) -> Words:
    digest = hashlib.blake2b(text.encode(), digest_size=8 * words).digest()
    return np.frombuffer(digest, dtype=_WORD)


def draw(seed: str, *key: KeyPart) -> int:
    """64 random bits under a seed and a key of named parts.

    Parameters
    ----------
    seed : str
        Hexadecimal digits (see ``checked_seed``).
    key : str, int, None or tuple of them
        Purpose, entity, attempt or turn. A part's type counts: 1 and "1" are different parts.

    Examples
    --------
    >>> draw("00" * 16, "alert", 3, 1) == draw("00" * 16, "alert", 3, 1)
    True

    """
    return _bits(seed, key, 0)


def _bits(seed: str, key: tuple[KeyPart, ...], attempt: int) -> int:
    # repr of a tuple of such parts is one text for one key: no two keys run together
    return int(_output(_key_of(seed), _digest(repr((key, attempt)), 4)))


# Philox4x64-10: multipliers and Weyl constants of its ten rounds (Salmon et al. 2011)
_ROUNDS = 10
_M0, _M1 = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
_W0, _W1 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)
_HALF, _LOW_HALF = np.uint64(32), np.uint64(2**32 - 1)
_ONE, _NONE = np.uint64(1), np.uint64(0)


def first_output(key: int, counter: int) -> int:
    """First 64 bits of numpy's ``Philox(key, counter)``, which takes longer to make than to ask.

    Parameters
    ----------
    key : int
        128 bits.
    counter : int
        256 bits; numpy counts on before its first output.

    Examples
    --------
    >>> from numpy.random import Philox
    >>> first_output(7, 2**256 - 1) == int(Philox(key=7, counter=2**256 - 1).random_raw())
    True

    """
    return int(_output(_words(key, 2), _words(counter, 4)))


def _words(number: int, count: int) -> Words:
    return np.frombuffer(number.to_bytes(8 * count, "little"), dtype=_WORD)


@njit(cache=True)
def _output(key, counter):  # type: ignore[no-untyped-def]
    """First output of numpy's Philox, which steps its counter before it."""
    stepped = counter.copy()
    _step(stepped)
    return _block(key, stepped)[0]


@njit(cache=True)
def _outputs(key, counter, count):  # type: ignore[no-untyped-def]
    """First outputs of numpy's Philox, which steps its counter before every four of them."""
    drawn = np.empty(count, dtype=np.uint64)
    stepped = counter.copy()
    for start in range(0, count, 4):
        _step(stepped)
        block = _block(key, stepped)
        for word in range(min(4, count - start)):
            drawn[start + word] = block[word]
    return drawn


@njit(cache=True)
def _step(counter):  # type: ignore[no-untyped-def]
    for word in range(4):  # a sum of 256 bits
        counter[word] += _ONE
        if counter[word] != _NONE:
            break


@njit(cache=True)
def _block(key, counter):  # type: ignore[no-untyped-def]
    """Four words of 64 bits under a key and a counter."""
    c0, c1, c2, c3 = counter[0], counter[1], counter[2], counter[3]
    k0, k1 = key[0], key[1]
    for _ in range(_ROUNDS):
        high0, high1 = _high_word(_M0, c0), _high_word(_M1, c2)
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, _M1 * c2, high0 ^ c3 ^ k1, _M0 * c0
        k0 += _W0
        k1 += _W1
    return c0, c1, c2, c3


@njit(cache=True)
def _high_word(a, b):  # type: ignore[no-untyped-def]
    """Upper 64 bits of the product of two words, from products of their halves."""
    a0, a1 = a & _LOW_HALF, a >> _HALF
    b0, b1 = b & _LOW_HALF, b >> _HALF
    middle = a1 * b0 + (a0 * b0 >> _HALF)
    other = a0 * b1 + (middle & _LOW_HALF)
    return a1 * b1 + (middle >> _HALF) + (other >> _HALF)


def draws(seed: str, count: int, limit: int, *key: KeyPart) -> npt.NDArray[np.int64]:
    """Return whole numbers from 0 to ``limit`` - 1 for entities 0 to ``count`` - 1, in one go.

    The i-th number is the i-th output of the generator under the key, so that it is the same
    however many are asked. Fair to 1 in 2⁶⁴ / ``limit``.

    Parameters
    ----------
    limit : int
        At most 2³².

    Examples
    --------
    >>> few, many = draws("00" * 16, 3, 6, "report", 1), draws("00" * 16, 9, 6, "report", 1)
    >>> bool((few == many[:3]).all())
    True

    """
    bits = _outputs(_key_of(seed), _digest(repr((key, "all")), 4), count)
    return np.asarray(bits % np.uint64(limit), dtype=np.int64)


def two_dice(seed: str, *key: KeyPart) -> int:
    """Sum of two six-sided dice, exactly fair (draws past the last multiple of 36 are redrawn)."""
    attempt = 0
    while (bits := _bits(seed, key, attempt)) >= _DIE_LIMIT:
        attempt += 1
    first, second = divmod(bits % 36, 6)
    return first + second + 2


def below(limit: int, seed: str, *key: KeyPart) -> int:
    """Return a whole number from 0 to ``limit`` - 1, exactly fair."""
    attempt = 0
    while (bits := _bits(seed, key, attempt)) >= 2**64 - 2**64 % limit:
        attempt += 1
    return bits % limit
