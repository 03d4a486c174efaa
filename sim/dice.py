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
from numpy.random import Philox

from sim.errors import ExerciseError

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
            f"seed {seed!r} is not 32 to 128 hexadecimal digits (128 bits at least, §19); "
            "leave it out to have one drawn"
        )
    return seed.lower()


@lru_cache(maxsize=64)
def _key_of(seed: str) -> int:
    return _digest(seed, 16)


def _digest(text: str, size: int) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=size).digest(), "little")


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
    return first_output(_key_of(seed), _digest(repr((key, attempt)), 32))


# Philox4x64-10: multipliers and Weyl constants of its ten rounds (Salmon et al. 2011)
_ROUNDS = 10
_M0, _M1 = 0xD2E7470EE14C6C93, 0xCA5A826395121157
_W0, _W1 = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
_WORD = 2**64 - 1


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
    >>> first_output(7, 2**256 - 1) == int(Philox(key=7, counter=2**256 - 1).random_raw())
    True

    """
    counter = (counter + 1) & (2**256 - 1)
    c0, c1, c2, c3 = (counter >> shift & _WORD for shift in (0, 64, 128, 192))
    k0, k1 = key & _WORD, key >> 64
    for _ in range(_ROUNDS):
        p0, p1 = _M0 * c0, _M1 * c2
        c0, c1, c2, c3 = p1 >> 64 ^ c1 ^ k0, p1 & _WORD, p0 >> 64 ^ c3 ^ k1, p0 & _WORD
        k0, k1 = k0 + _W0 & _WORD, k1 + _W1 & _WORD
    return c0


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
    counter = _digest(repr((key, "all")), 32)
    bits = Philox(key=_key_of(seed), counter=counter).random_raw(count)
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
