"""Names that a build gives to quarters by where they lie, said in any language.

Such a name is part of a pack and of its hash, in the language of its build; it is translated where
it is shown. It is known by what it says: the very word for where the quarter lies, in one of the
languages. Any other name is the town's own, and stays as it is.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from sim.district import District
from sim.hexes import IntArray, Sheet

CENTRE_SHARE = 0.35
"""A quarter nearer to the middle than this share of the farthest one's distance is the centre."""
# clockwise from north, then the centre
DIRECTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "fr": (
            *("Nord", "Nord-Est", "Est", "Sud-Est", "Sud", "Sud-Ouest", "Ouest", "Nord-Ouest"),
            "Centre",
        ),
        "en": (
            *("North", "North-East", "East", "South-East", "South", "South-West", "West"),
            *("North-West", "Centre"),
        ),
    }
)
_CENTRE = 8


def directions_of(sheet: Sheet, quarter: IntArray, count: int = 0) -> list[int]:
    """Where each quarter lies, seen from the middle of all.

    Parameters
    ----------
    sheet : Sheet
    quarter : (n_hex,) int32
        Number of the quarter; -1 for none.
    count : int
        Quarters that there are, where the last of them may have no hex.

    Returns
    -------
    directions : list of int
        By quarter, its place in ``DIRECTIONS``.
    """
    on = quarter >= 0
    column, row = np.divmod(np.arange(sheet.n_hexes)[on], sheet.rows)
    east, north = column * np.sqrt(3) / 2, -(row + 0.5 * (column % 2))
    size = np.maximum(np.bincount(quarter[on], minlength=count), 1)
    x, y = (
        np.bincount(quarter[on], weights=along, minlength=count) / size
        - along.sum() / max(on.sum(), 1)
        for along in (east, north)
    )
    apart = np.hypot(x, y)
    eighth = np.rint(np.degrees(np.arctan2(x, y)) / 45).astype(int) % 8
    central = apart <= CENTRE_SHARE * apart.max(initial=0.0)
    return [_CENTRE if near else int(at) for near, at in zip(central, eighth, strict=True)]


def told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """Names, with a number from the second of the same on.

    >>> told_apart(["North", "South", "North"])
    ('North', 'South', 'North 2')
    """
    taken: dict[str, int] = {}
    found = []
    for name in names:
        taken[name] = taken.get(name, 0) + 1
        found.append(name if taken[name] == 1 else f"{name} {taken[name]}")
    return tuple(found)


def quarters_said(district: District, lang: str) -> tuple[str, ...]:
    """Names of a district's quarters in a language: of those named by their direction, that.

    Parameters
    ----------
    district : District
    lang : {"fr", "en"}

    Returns
    -------
    names : tuple of str
        By quarter, none twice.
    """
    numbers = np.ascontiguousarray(district.quarter, np.int32).tobytes()
    return _said(district.sheet, numbers, district.quarters, lang)


@lru_cache(maxsize=32)
def _said(sheet: Sheet, numbers: bytes, names: tuple[str, ...], lang: str) -> tuple[str, ...]:
    quarter = np.frombuffer(numbers, np.int32)
    kept = set(names)
    said = []
    for name, at in zip(names, directions_of(sheet, quarter, len(names)), strict=True):
        word, number = _parted(name)
        known = any(words[at] == word for words in DIRECTIONS.values())
        wanted = DIRECTIONS[lang][at] + number if known else name
        # a town may have such a name of its own elsewhere
        said.append(name if wanted in kept - {name} else wanted)
    return tuple(said)


def every_name(district: District) -> Iterator[tuple[str, ...]]:
    """Yield the names of a district's quarters as the pack has them, then in each language."""
    yield district.quarters
    for lang in DIRECTIONS:
        yield quarters_said(district, lang)


def direction_said(name: str, lang: str) -> str:
    """Return the name of a quarter in a language, where it is no more than a direction.

    >>> direction_said("North-West 2", "fr"), direction_said("Nord", "en")
    ('Nord-Ouest 2', 'North')
    >>> direction_said("Quartier Nord", "en")
    'Quartier Nord'
    """
    word, number = _parted(name)
    for words in DIRECTIONS.values():
        if word in words:
            return DIRECTIONS[lang][words.index(word)] + number
    return name


def _parted(name: str) -> tuple[str, str]:
    """A name without the number that tells it from others of the same, and that number."""
    word, space, number = name.rpartition(" ")
    return (word, space + number) if number.isdecimal() and space else (name, "")
