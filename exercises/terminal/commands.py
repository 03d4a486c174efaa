"""What may be typed: commands in English and in French, whatever the language of the answers.

An unambiguous beginning is enough, accents and capitals do not matter. Orders come out in the words
of an order file, so that they are read and checked in one place.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from exercises.order_forms import Entry, bare, place_from
from exercises.terminal.vocabulary import (
    COMMANDS,
    CONFIDENCE_WORDS,
    OPTION_WORDS,
    UNIT_WORDS,
)
from gis.quarter_names import every_name
from sim.district import District
from sim.legality import brushed
from sim.orders import HEX
from sim.rules import FORECAST_BRUSH_RADIUS
from sim.view import View


class UnknownWordError(Exception):
    """A word that is no command, or may be several: the words that it may be."""

    def __init__(self, word: str, among: tuple[str, ...]) -> None:
        super().__init__(word)
        self.word, self.among = word, among


class UsageFaultError(Exception):
    """Words that do not follow a command."""


def command_of(word: str, lang: str) -> str:
    """Return the key of the command that a word stands for.

    Raises
    ------
    UnknownWordError

    Examples
    --------
    >>> command_of("Dégager", "fr"), command_of("al", "en"), command_of("q", "en")
    ('clear', 'alert', 'quit')
    """
    typed = bare(word)
    own = {key: tuple(map(bare, (*c.words, *c.short))) for key, c in COMMANDS.items()}
    exact = [key for key, words in own.items() if typed in words]
    if exact:
        return exact[0]
    begun = [key for key, c in COMMANDS.items() if any(bare(w).startswith(typed) for w in c.words)]
    if len(begun) == 1:
        return begun[0]
    among = tuple(COMMANDS[key].word(lang) for key in begun)
    raise UnknownWordError(word, among)


# --------------------------------------------------------------------------- orders
def _by_word(words: Mapping[Any, tuple[str, ...]]) -> Mapping[str, Any]:
    return {bare(word): what for what, several in words.items() for word in several}


_OPTIONS = _by_word(OPTION_WORDS)
_CONFIDENCES = _by_word(CONFIDENCE_WORDS)
_UNIT_KINDS = _by_word(UNIT_WORDS)


def order_entry(key: str, words: Sequence[str], district: District, view: View) -> Entry:
    """Return the order that was typed, in the words of an order file; it is checked as one.

    Parameters
    ----------
    key : str
        Of ``COMMANDS``.
    words : sequence of str
        What follows the command; the reason is cut off.

    Raises
    ------
    UsageFaultError
        If the words are not those of the command.
    """
    fields = _FORMS[key](list(words), district, view)
    return {"turn": view.turn, **fields}


def unit_name(word: str) -> str:
    """Return a unit's name from what is typed: 3, P1, boat-2, motopompe 4.

    >>> unit_name("3"), unit_name("P1"), unit_name("Bateau-2"), unit_name("patrol-12")
    ('patrol-3', 'pump-1', 'boat-2', 'patrol-12')
    """
    found = re.fullmatch(r"([a-z]*)[- ]?([0-9]{1,3})", bare(word), re.ASCII)
    if found is None or found[1] not in _UNIT_KINDS:
        raise UsageFaultError
    return f"{_UNIT_KINDS[found[1]].value}-{int(found[2])}"


def _forecast(words: list[str], district: District, view: View) -> Entry:
    sure = _CONFIDENCES.get(bare(words[-1])) if words else None
    if sure is not None:
        words = words[:-1]
    if not words:
        raise UsageFaultError
    cells: dict[str, None] = {}
    for word in words:
        label, _, radius = word.strip(",").partition("+")
        cells.update(dict.fromkeys(_painted(district, label, radius)))
    entry: Entry = {"order": "forecast", "cells": list(cells)}
    return entry if sure is None else {**entry, "confidence": sure.name.lower()}


def _painted(district: District, label: str, radius: str) -> list[str]:
    """Hexes of a brush; of radius 0 the hex itself, so that one out of play is refused."""
    if not radius:
        return [label]
    if not re.fullmatch("[0-9]", radius, re.ASCII) or int(radius) > FORECAST_BRUSH_RADIUS:
        raise UsageFaultError
    centre = int(place_from(district, HEX, "cells", label))
    return [district.sheet.label(cell) for cell in brushed(district, centre, int(radius))]


def _alert(words: list[str], district: District, view: View) -> Entry:
    option = _OPTIONS.get(bare(words[-1])) if words else None
    if option is not None:
        words = words[:-1]
    if len(words) == 1:
        words = words[0].split("+") if "+" in words[0] else [words[0], str(view.brush_radius)]
    if len(words) != 2 or not re.fullmatch("[0-9]{1,3}", words[1], re.ASCII):
        raise UsageFaultError
    entry: Entry = {"order": "alert", "centre": words[0], "radius": int(words[1])}
    return entry if option is None else {**entry, "option": option.name.lower()}


def _unit_to(order: str, field: str) -> "Form":
    def form(words: list[str], district: District, view: View) -> Entry:
        if len(words) != 2:
            raise UsageFaultError
        return {"order": order, "unit": unit_name(words[0]), field: words[1]}

    return form


def _reserve(words: list[str], district: District, view: View) -> Entry:
    if len(words) < 2:
        raise UsageFaultError
    hexes = [label for word in words[1:] for label in word.split("-")]
    if len(hexes) < 2:
        raise UsageFaultError
    links = [f"{a}-{b}" for a, b in pairwise(hexes)]
    return {"order": "reserve", "unit": unit_name(words[0]), "links": links}


def _protect(words: list[str], district: District, view: View) -> Entry:
    option = _OPTIONS.get(bare(words[-1])) if words else None
    if option is None or not words[:-1]:
        raise UsageFaultError
    typed = " ".join(words[:-1])
    found = ((named(typed, names), names) for names in every_name(district))
    quarter = next((name for name, names in found if name in names), typed)
    return {"order": "protect", "quarter": quarter, "option": option.name.lower()}


def _shelter(order: str) -> "Form":
    def form(words: list[str], district: District, view: View) -> Entry:
        if not words:
            raise UsageFaultError
        names = tuple(place.name for place in district.shelters)
        return {"order": order, "shelter": named(" ".join(words), names)}

    return form


def named(typed: str, names: Sequence[str]) -> str:
    """Return a name by its number in a table, from 1, or by its beginning; else as it was typed.

    It may stand between quotation marks.

    >>> named("2", ("North", "South")), named("so", ("North", "South")), named("9", ("North",))
    ('South', 'South', '9')
    >>> named('"south"', ("North", "South")), named("« north »", ("North", "South"))
    ('South', 'North')
    """
    typed = _unquoted(typed)
    if re.fullmatch("[0-9]{1,3}", typed, re.ASCII) and 1 <= int(typed) <= len(names):
        return names[int(typed) - 1]
    wanted = bare(typed)
    whole = [name for name in names if bare(name) == wanted]
    begun = whole or [name for name in names if bare(name).startswith(wanted)]
    return begun[0] if len(begun) == 1 else typed


def _unquoted(typed: str) -> str:
    """Return what stands between quotation marks, where a whole name does.

    >>> _unquoted("'L'Estran'"), _unquoted('say "x"')
    ("L'Estran", 'say "x"')
    """
    quoted = any(typed[:1] == q[0] and typed[-1:] == q[1] for q in _QUOTES) and len(typed) > 2
    return typed[1:-1].strip() if quoted else typed


_QUOTES = ('""', "''", "“”", "‘’", "«»", "„“")


def _answer(obey: bool) -> "Form":
    def form(words: list[str], district: District, view: View) -> Entry:
        if words:
            raise UsageFaultError
        return {"order": "answer", "obey": obey}

    return form


Form = Callable[[list[str], District, View], Entry]
_FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "forecast": _forecast,
        "alert": _alert,
        "move": _unit_to("move", "to"),
        "door": _unit_to("door_to_door", "cell"),
        "pump": _unit_to("pump", "link"),
        "bridge": _unit_to("footbridge", "link"),
        "clear": _unit_to("clear", "link"),
        "reserve": _reserve,
        "protect": _protect,
        "close": _shelter("close_shelter"),
        "open": _shelter("open_shelter"),
        "deliver": _unit_to("deliver", "cell"),
        "obey": _answer(True),
        "refuse": _answer(False),
    }
)
ORDER_COMMANDS = frozenset(_FORMS)
"""Commands that give an order."""
