"""Why an order is refused: a rule's number and a sentence, kept as a text and what fills it.

The engine speaks English and knows no other language; whoever shows a refusal in another
translates the text and fills it from the same values.
"""

import re
from dataclasses import dataclass
from typing import Protocol, TypeAlias


class Labelled(Protocol):
    """A row of a table of the rules that has its name in both languages."""

    @property
    def label_fr(self) -> str:
        """Name in French."""

    @property
    def label_en(self) -> str:
        """Name in English."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """Values of which any will do: joined by "or"."""

    values: tuple[str | Labelled, ...]


@dataclass(frozen=True, slots=True)
class Joined:
    """Faults one after another."""

    values: "tuple[str | Refusal, ...]"
    by: str


@dataclass(frozen=True, slots=True)
class InEach:
    """What is written another way in each language: names, as its readers are shown them."""

    fr: "str | OneOf"
    en: "str | OneOf"


Value: TypeAlias = "int | str | Labelled | OneOf | Joined | InEach | Refusal"
"""What fills a field; a refusal within another says why.

A field called ``unit`` holds the name of a unit, such as ``patrol-3``.
"""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an order may not be given: the rule's number and a sentence that says what to do.

    Attributes
    ----------
    rule : str
    text : str
        English, with named fields in braces.
    values : tuple of (str, Value)
        What fills each field.
    """

    rule: str
    text: str
    values: tuple[tuple[str, Value], ...] = ()

    @property
    def sentence(self) -> str:
        """The sentence in English.

        >>> refuse("5", "no quarter {quarter}: give another", quarter=7).sentence
        'no quarter 7: give another'
        """
        return self.text.format(**{name: _in_english(value) for name, value in self.values})

    def __str__(self) -> str:
        """The sentence in English, so that a fault that is raised with a refusal says it."""
        return self.sentence


def refuse(rule: str, text: str, **values: Value) -> Refusal:
    r"""Return a refusal; ``text`` is written out where it is called, for the catalogues.

    >>> str(refuse("", "{path} is not there", path="a\nb"))
    'a\\nb is not there'
    """
    return Refusal(rule, text, tuple((name, _on_one_line(one)) for name, one in values.items()))


MOST_SHOWN = 600
"""Signs of what somebody wrote, in a sentence."""
_CONTROLS = re.compile("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def shown(text: str) -> str:
    r"""Return what somebody wrote as a sentence shows it: on one line, and none that never ends.

    What would move a terminal's cursor or turn the line around is shown by its number.

    >>> shown("a\n\x1b[31m"), len(shown("9" * 100_000))
    ('a\\n\\x1b[31m', 600)
    """
    short = text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"
    return _CONTROLS.sub(lambda sign: repr(sign[0])[1:-1], short)


def _on_one_line(value: Value) -> Value:
    return shown(value) if isinstance(value, str) and not _is_short(value) else value


def _is_short(text: str) -> bool:
    return text.isprintable() and len(text) <= MOST_SHOWN


def reason_of(fault: BaseException) -> "Refusal | str":
    """Return what a fault says, to stand within another: kept for any language where it is.

    >>> str(reason_of(ValueError(refuse("5", "no quarter {quarter}", quarter=7))))
    'no quarter 7'
    """
    of_order = getattr(fault, "refusal", None)
    if isinstance(of_order, Refusal):
        values = (("why", of_order), ("rule", of_order.rule))
        return Refusal("", mark("{why} (§{rule})"), values)
    kept = next((part for part in fault.args if isinstance(part, Refusal)), None)
    return str(fault) if kept is None else kept


def mark(text: str) -> str:
    """Return a text as it is: it is translated where it is said, and found here by Babel."""
    return text


def within_sentence(label: str) -> str:
    """Return a label as it is written within a sentence; what begins like an acronym stays.

    >>> within_sentence("Pump truck"), within_sentence("CO complet")
    ('pump truck', 'CO complet')
    """
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]


def _in_english(value: Value) -> str:
    if isinstance(value, OneOf):
        return " or ".join(map(_in_english, value.values))
    if isinstance(value, InEach):
        return _in_english(value.en)
    if isinstance(value, Joined):
        return value.by.join(map(_in_english, value.values))
    if isinstance(value, Refusal):
        return value.sentence
    return str(value) if isinstance(value, int | str) else within_sentence(value.label_en)
