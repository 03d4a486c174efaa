"""Why an order is refused: a rule's number and a sentence, kept as a text and what fills it.

The engine speaks English and knows no other language; whoever shows a refusal in another
translates the text and fills it from the same values.
"""

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


Value: TypeAlias = int | str | Labelled | OneOf
"""What fills a field. A field called ``unit`` holds the name of a unit, such as ``patrol-3``."""


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
    """Return a refusal; ``text`` is written out where it is called, for the catalogues."""
    return Refusal(rule, text, tuple(values.items()))


def within_sentence(label: str) -> str:
    """Return a label as it is written within a sentence; what begins like an acronym stays.

    >>> within_sentence("Pump truck"), within_sentence("CO complet")
    ('pump truck', 'CO complet')
    """
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]


def _in_english(value: Value) -> str:
    if isinstance(value, OneOf):
        return " or ".join(map(_in_english, value.values))
    return str(value) if isinstance(value, int | str) else within_sentence(value.label_en)
