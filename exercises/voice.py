"""What a player reads, in the player's language: gettext catalogues, numbers, lists, hours.

The texts stand in English in the code, where ``phrase``, ``plural``, ``mark``, ``faulty`` and the
engine's ``refuse`` show them to Babel; their French is ``locale/fr/LC_MESSAGES/averse.po``.
``make messages`` gathers, merges and compiles.
"""

import gettext
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from exercises.command_language import DOMAIN, LOCALE, SOURCE
from exercises.system_words import REASONS
from gis.quarter_names import direction_said
from gis.wording import HARD, filled, spaced, time_of_day, written
from sim.errors import ExerciseError
from sim.persons import persons
from sim.refusal import InEach, Joined, OneOf, Refusal, mark, within_sentence
from sim.rules import TURN_MIN, UNITS, UnitKind
from sim.severity_words import LANGUAGES
from sim.state import HUNDREDTHS

__all__ = ["DOMAIN", "LOCALE", "SOURCE", "Voice", "mark", "voice"]

_KEPT = frozenset({"file_kind", "folder_kind", "fault", "then", "what", "formats", "hint"})
"""Fields whose texts are in the catalogue: what a file is, what is wrong with it, what to do."""
MOST_LISTED = 12
"""Hexes or links that a sentence lists before it counts the others."""


@lru_cache
def voice(lang: str) -> "Voice":
    """Return what speaks a language.

    Raises
    ------
    ExerciseError
        If there is no such language.
    """
    if lang not in LANGUAGES:
        raise ExerciseError(f"no words in {lang!r}: choose {' or '.join(LANGUAGES)}")
    return Voice(lang)


class Voice:
    """Says texts in one language.

    Values that fill a text are numbers, texts, or rows of the rules' tables, whose label is taken;
    a field called ``unit`` holds a unit's name, ``file_kind`` and ``folder_kind`` what a file or a
    folder is.
    """

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._catalogue = (
            gettext.NullTranslations()
            if lang == SOURCE
            else gettext.translation(DOMAIN, LOCALE, [lang])
        )

    def phrase(self, text: str, **values: Any) -> str:
        r"""Return a text in the language, filled in.

        >>> voice("fr").phrase("{shelter} is full", shelter="École 2")
        'École 2\xa0: abri complet'
        """
        return self._filled(self._catalogue.gettext(text), values)

    def plural(self, one: str, many: str, n: float, **values: Any) -> str:
        """Return the form of a text that goes with a number, filled in; ``{n:,}`` writes it.

        >>> voice("fr").plural("{shown} and {n:,} more", "{shown} and {n:,} more", 1, shown="2314")
        '2314 et 1 autre'
        """
        text = self._catalogue.ngettext(one, many, self._counted(n))
        return self._filled(text, {"n": n, **values})

    def _counted(self, n: float) -> int:
        """Whole number whose form a number takes: 1.5 is singular in French, not in English."""
        return int(n) if self.lang == "fr" or n == int(n) else int(n) + 2

    def _filled(self, text: str, values: dict[str, Any]) -> str:
        told = {name: self._value(name, value) for name, value in values.items()}
        return filled(spaced(text, self.lang), self.lang, **told)

    def _value(self, name: str, value: Any) -> Any:
        if name == "unit":
            return self.unit(value)
        if name == "quarter" and isinstance(value, str):
            return direction_said(value, self.lang)
        if name in _KEPT and isinstance(value, str) and value:
            return self._catalogue.gettext(value)
        if isinstance(value, str) and value in REASONS:
            return self._catalogue.gettext(value)  # what the system says of a file
        if isinstance(value, Refusal):
            return self.phrase(value.text, **dict(value.values))
        if isinstance(value, InEach):
            return self._value("", value.fr if self.lang == "fr" else value.en)
        if isinstance(value, Joined):
            return value.by.join(str(self._value("", part)) for part in value.values)
        if isinstance(value, OneOf):
            return self.either([str(self._value("", part)) for part in value.values])
        return self.label(value) if hasattr(value, f"label_{self.lang}") else value

    def label(self, row: Any) -> str:
        """Return the name of a row of a rules' table, as it is written within a sentence."""
        return within_sentence(getattr(row, f"label_{self.lang}"))

    def unit(self, name: str) -> str:
        r"""Return a unit's name.

        >>> voice("fr").unit("pump-2"), voice("en").unit("pump-2")
        ('motopompe\xa02', 'pump-2')
        """
        kind, _, number = name.rpartition("-")
        if self.lang == SOURCE or kind not in {kind.value for kind in UnitKind}:
            return name  # as files and maps write it
        return f"{self.label(UNITS[UnitKind(kind)])}{HARD}{number}"

    def listed(self, items: Sequence[str]) -> str:
        """Return a list of signs, the first dozen in full and the others counted.

        >>> voice("en").listed([str(n) for n in range(15)])
        '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 3 more'
        """
        shown = ", ".join(items[:MOST_LISTED])
        if not items[MOST_LISTED:]:
            return shown
        return self.plural(
            "{shown} and {n:,} more",
            "{shown} and {n:,} more",
            len(items) - MOST_LISTED,
            shown=shown,
        )

    def either(self, items: Iterable[str]) -> str:
        """Return a choice of signs.

        >>> voice("fr").either(["1", "2", "3"]), voice("en").either(["1"])
        ('1, 2 ou 3', '1')
        """
        *some, last = items
        return self.phrase("{some} or {last}", some=", ".join(some), last=last) if some else last

    def number(self, value: float, digits: int = 0) -> str:
        """Return a number as the language writes it."""
        return written(value, self.lang, digits)

    def percent(self, share: float, digits: int = 1) -> str:
        r"""Return a share of 1 in percent.

        >>> voice("en").percent(0.125), voice("fr").percent(0.5, 0)
        ('12.5%', '50\xa0%')
        """
        return f"{self.number(100 * share, digits)}{HARD if self.lang == 'fr' else ''}%"

    def people(self, hundredths: int) -> str:
        """Return so many people, whole persons, as places are counted (§10.5).

        >>> voice("en").people(123_456), voice("en").people(40), voice("fr").people(0)
        ('1,234 people', 'less than one person', '0 personne')
        """
        if 0 < hundredths < HUNDREDTHS:
            return self.phrase("less than one person")
        count = persons(hundredths)
        return self.plural("{figure} person", "{figure} people", count, figure=self.number(count))

    def clock(self, hour: int, turn: int) -> str:
        r"""Return the time of day at a turn, from the hour of the initial situation (§8.2).

        >>> voice("en").clock(14, 3), voice("fr").clock(14, 3), voice("en").clock(8, 0)
        ('14:30', '14\xa0h\xa030', '08:00')
        """
        return time_of_day(60 * hour + TURN_MIN * turn, self.lang)
