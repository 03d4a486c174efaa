"""Draws told by who asks for them, so that those nobody has seen can fall otherwise (§19)."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from sim import dice
from tests.fuzz.channels import HIDDEN, IN_PART, SEEN

Key = tuple[Any, ...]
ASKED = ("draw", "draws", "two_dice", "below")
SEED_PLACE = {"draw": 0, "draws": 0, "two_dice": 0, "below": 1}
_THROUGH = frozenset({"_chosen"})
"""Functions that draw for whoever calls them."""


@dataclass
class Dice:
    """The dice of one world: what was asked, what must fall as elsewhere, what is loaded.

    Attributes
    ----------
    uses : dict of key to set of str
        Which functions of the engine asked under each key.
    seen_seed : str
        Seed of the draws under ``seen``; '' leaves every draw to its own seed.
    seen : set of keys
        Draws that a side has seen, in the other world.
    loaded : dict of key to value or function of the fair value
    """

    uses: dict[Key, set[str]] = field(default_factory=dict)
    values: dict[Key, Any] = field(default_factory=dict)
    seen_seed: str = ""
    seen: frozenset[Key] = frozenset()
    loaded: dict[Key, Any] = field(default_factory=dict)

    def fall(
        self, name: str, fair: Callable[..., Any], arguments: tuple[Any, ...], use: str
    ) -> Any:
        """Return what a draw gives in this world, and note who asked."""
        place = SEED_PLACE[name]
        key = arguments[place + 1 :] if name != "draws" else arguments[3:]
        if use not in SEEN | HIDDEN | IN_PART:
            raise AssertionError(
                f"{use} draws under {key}, and tests/fuzz/channels.py does not say who sees that"
            )
        self.uses.setdefault(key, set()).add(use)
        if self.seen_seed and key in self.seen:
            arguments = (*arguments[:place], self.seen_seed, *arguments[place + 1 :])
        value = fair(*arguments)
        if key in self.loaded:
            how = self.loaded[key]
            value = how(value) if callable(how) else how
        self.values[key] = value
        return value

    def seen_keys(self) -> frozenset[Key]:
        """Keys under which nothing hidden was ever drawn."""
        return frozenset(key for key, uses in self.uses.items() if uses <= SEEN)


_table: list[Dice] = []


@contextmanager
def thrown(on: Dice) -> Iterator[Dice]:
    """Let all draws of the engine be those of some dice."""
    _table.append(on)
    try:
        yield on
    finally:
        _table.pop()


@contextmanager
def watched() -> Iterator[None]:
    """Stand in for the functions that draw, in every module that has taken them."""
    fair = {name: getattr(dice, name) for name in ASKED}
    places = _places(tuple(fair.items()), sum(map(_is_ours, sys.modules)))
    for module, attribute, name in places:
        setattr(module, attribute, _watching(name, fair[name]))
    try:
        yield
    finally:
        for module, attribute, name in places:
            setattr(module, attribute, fair[name])


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in {"sim", "exercises"}


@lru_cache(maxsize=1)
def _places(fair: tuple[tuple[str, Any], ...], modules: int) -> list[tuple[Any, str, str]]:
    """Return the attributes that hold a function that draws; sought anew once modules are more."""
    drawing = {id(function): name for name, function in fair}
    return [
        (module, attribute, drawing[id(value)])
        for name, module in sorted(sys.modules.items())
        if _is_ours(name)
        for attribute, value in vars(module).items()
        if id(value) in drawing
    ]


def _watching(name: str, fair: Callable[..., Any]) -> Callable[..., Any]:
    def stand_in(*arguments: Any) -> Any:
        frame = sys._getframe(1)
        module = frame.f_globals["__name__"]
        if not _table or module == dice.__name__:
            return fair(*arguments)
        use = f"{module.rsplit('.', 1)[-1]}.{frame.f_code.co_name}"
        if frame.f_code.co_name in _THROUGH:
            use += f" for {frame.f_back.f_code.co_name}"
        return _table[-1].fall(name, fair, arguments, use)

    return stand_in
