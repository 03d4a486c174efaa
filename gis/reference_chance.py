"""Seeded chance of the reference town: a stream that is the same on any machine (§19)."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from numpy.random import Philox

Float64Array = npt.NDArray[np.float64]
Item = TypeVar("Item")


class Chance:
    """A stream of draws under a key of named parts.

    Only the raw bits of Philox are used, never NumPy's distributions, whose streams may change
    from one release to the next.
    """

    def __init__(self, *key: str | int) -> None:
        digest = hashlib.blake2b(repr(key).encode(), digest_size=16).digest()
        self._bits = Philox(key=int.from_bytes(digest, "little"))
        self._ready: list[float] = []

    def uniforms(self, count: int) -> Float64Array:
        """(count,) numbers in [0, 1)."""
        raw = np.asarray(self._bits.random_raw(count), dtype=np.uint64)
        return (raw >> np.uint64(11)).astype(np.float64) / 2.0**53

    def one(self) -> float:
        """Return a number in [0, 1)."""
        if not self._ready:
            self._ready = self.uniforms(512).tolist()
        return self._ready.pop()

    def between(self, low: float, high: float) -> float:
        """Return a number in [low, high)."""
        return low + (high - low) * self.one()

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to ``limit`` - 1."""
        return int(self.one() * limit)

    def happens(self, probability: float) -> bool:
        """Whether an event of this probability happens."""
        return self.one() < probability

    def pick(self, items: Sequence[Item]) -> Item:
        """Return one of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Return the items in a random order."""
        order = np.argsort(self.uniforms(len(items)), kind="stable")
        return [items[i] for i in order.tolist()]


class Swell:
    """A smooth random field of zero mean and unit amplitude: a sum of plane waves.

    Parameters
    ----------
    chance : Chance
    shortest_m, longest_m : float
        Range of wavelengths, metres.
    """

    def __init__(self, chance: Chance, shortest_m: float, longest_m: float, waves: int = 9) -> None:
        angle = 2 * np.pi * chance.uniforms(waves)
        length = shortest_m * (longest_m / shortest_m) ** chance.uniforms(waves)
        weight = np.sqrt(length / longest_m)
        self._kx = 2 * np.pi * np.cos(angle) / length
        self._ky = 2 * np.pi * np.sin(angle) / length
        self._phase = 2 * np.pi * chance.uniforms(waves)
        self._weight = weight / np.sqrt((weight**2).sum() / 2)

    def at(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Float64Array:
        """Value at points given in metres, same shape."""
        px, py = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        value = np.zeros(np.broadcast(px, py).shape)
        for kx, ky, phase, weight in zip(
            self._kx, self._ky, self._phase, self._weight, strict=True
        ):
            value += weight * np.sin(kx * px + ky * py + phase)
        return value
