"""Numbers and plurals of texts in French and in English.

Texts are format strings with three kinds of field beside the plain one: ``{n:,}`` writes a number
as the language does; ``{n:one|many}`` writes the form that goes with the number: in French 0 and 1
are singular (as in CLDR's rule ``i = 0,1``), in English 1 alone is; ``{name:de}`` writes a name
after its French *de*.
"""

import re
import string
import unicodedata
from typing import Any

NARROW, HARD = "\u202f", "\u00a0"
"""Spaces that do not break: within a number, and before a French colon."""
MINUS = "\u2212"
"""Sign of a number below zero, as wide as its digits: a hyphen is none."""


def filled(text: str, lang: str, **values: Any) -> str:
    """A text with its fields filled in; values are text, never templates.

    Examples
    --------
    >>> filled("{n:,} {n:abri|abris}", "fr", n=1), filled("{n:,} {n:hex|hexes}", "en", n=1204)
    ('1 abri', '1,204 hexes')
    """
    return str(_Form(lang).vformat(text, (), values))


def written(value: float, lang: str, digits: int = 0) -> str:
    """A number as the language writes it.

    Examples
    --------
    >>> written(48100, "en"), written(0.88, "fr", 2), written(-56, "en")
    ('48,100', '0,88', '−56')
    """
    text = f"{value:,.{digits}f}".replace("-", MINUS)
    return text.replace(",", NARROW).replace(".", ",") if lang == "fr" else text


def brief(value: float, lang: str) -> str:
    """A number as the language writes it, with no more digits than it has.

    Examples
    --------
    >>> brief(1.0, "fr"), brief(0.5, "fr"), brief(0.25, "en")
    ('1', '0,5', '0.25')
    """
    text = f"{value:g}"
    return text.replace(".", ",") if lang == "fr" else text


def time_of_day(minutes: int, lang: str) -> str:
    r"""A time of day, so many minutes after midnight, as the language writes it.

    Examples
    --------
    >>> time_of_day(14 * 60, "en"), time_of_day(14 * 60, "fr"), time_of_day(24 * 60 + 190, "fr")
    ('14:00', '14\xa0h', '3\xa0h\xa010')
    """
    hour, past = minutes // 60 % 24, minutes % 60
    if lang != "fr":
        return f"{hour:02}:{past:02}"
    return f"{hour}{HARD}h" + (f"{HARD}{past:02}" if past else "")


def spaced(text: str, lang: str) -> str:
    """A text whose French punctuation stays on its line."""
    return re.sub(r" (?=[:;?!%»])|(?<=«) ", HARD, text) if lang == "fr" else text


def is_one(value: float, lang: str) -> bool:
    """Whether a number goes with the singular."""
    return abs(value) < 2 if lang == "fr" else value == 1


def of_name(name: str) -> str:
    """A name after the French *de*: elided before a vowel or mute h, joined with *Le* and *Les*.

    Examples
    --------
    >>> [of_name(name) for name in ("Est", "Nord", "Le Port", "Les Halles", "Hôpital", "Hauts")]
    ["d'Est", 'de Nord', 'du Port', 'des Halles', "d'Hôpital", 'de Hauts']
    """
    for article, joined in (("le ", "du "), ("les ", "des ")):
        if name.lower().startswith(article):
            return joined + name[len(article) :]
    first = unicodedata.normalize("NFKD", name[:3]).encode("ascii", "ignore").decode().lower()
    elided = first[:1] in tuple("aeiouy") or first in _MUTE_H
    return f"d'{name}" if elided else f"de {name}"


_MUTE_H = frozenset(("hab", "har", "hel", "her", "hip", "hop", "hor", "hos", "hot", "hum"))
"""How names with a mute h begin: Habitat, Hélène, Hérault, Hippodrome, Hôpital, Hôtel, Humbert."""


class _Form(string.Formatter):
    def __init__(self, lang: str) -> None:
        self.lang = lang

    def format_field(self, value: Any, spec: str) -> Any:
        if "|" in spec:
            one, many = spec.split("|")
            return one if is_one(value, self.lang) else many
        if spec == "de":
            return of_name(str(value))
        if spec == ",":
            return written(value, self.lang)
        return super().format_field(value, spec)
