"""Reads TOML that anybody may have written, and tells on which line each of its values stands.

The standard library's reader has no bounds: a name of thousands of parts keeps it for minutes. Nor
does it keep positions; what is scanned for them is a text that it has read, and sound.
"""

import re
import tomllib
from typing import Any

from sim.refusal import Refusal, refuse
from sim.signs import unfit_sign

Place = tuple[str | int, ...]
"""Keys and, from 0, numbers in lists, that lead to a value."""

_STRING = re.compile(
    r"""
    \"{3} (?: \\. | [^\\] )*? \"{3,5}     # several lines
    | \'{3} .*? \'{3,5}                    # several lines, as they stand
    | \" (?: \\. | [^"\\\n] )* \"
    | \' [^'\n]* \'
    """,
    re.DOTALL | re.VERBOSE,
)
MOST_LINES, MOST_IN_A_LINE, MOST_DEEP = 10_000, 20_000, 16
"""Lines, characters of a line, and parts of a name or brackets within one another."""
MOST_BITS = 1_000
"""Of a whole number, so that a float holds it too; TOML 1.0 itself asks for 64."""
_TOKEN = re.compile(
    rf"(?P<text>{_STRING.pattern}) | \#[^\n]* | (?P<sign>[\[\]{{}}.]) | (?P<end>[=,\n])",
    re.DOTALL | re.VERBOSE,
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_BARE_VALUE = re.compile(r"[^,\]}#\n]*")
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")


class NotTomlError(Exception):
    """Why a text is no TOML that is read: a ``Refusal``, or what the standard library says."""


def toml_of(text: str) -> dict[str, Any]:
    """Return what a TOML text holds.

    Raises
    ------
    NotTomlError
        If it is none, or has lines or names without end.

    Examples
    --------
    >>> toml_of("a.b = 1")
    {'a': {'b': 1}}
    """
    _require_bounded(text)
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise NotTomlError(str(fault)) from fault
    except RecursionError:
        raise NotTomlError(_without_end()) from None
    except ValueError:  # Python reads no whole number of thousands of decimal digits
        raise NotTomlError(_past_reason()) from None
    if _largest_bits(read) > MOST_BITS:  # of any other base it reads them, and writes none
        raise NotTomlError(_past_reason())
    if sign := unfit_sign(read):
        raise NotTomlError(refuse("", "{sign}, which is no sign of any text", sign=sign))
    return read


def _require_bounded(text: str) -> None:
    lines = text.split("\n")
    if max(map(len, lines)) > MOST_IN_A_LINE:
        raise NotTomlError(refuse("", "a line of more than {most} characters", most=MOST_IN_A_LINE))
    if len(lines) > MOST_LINES:
        raise NotTomlError(refuse("", "more than {most} lines", most=MOST_LINES))
    brackets = dots = 0
    for token in _TOKEN.finditer(text):
        match token["sign"]:
            case "[" | "{":
                brackets, dots = brackets + 1, 0
            case "]" | "}":
                brackets, dots = max(0, brackets - 1), 0
            case ".":
                dots += 1
            case _ if token["end"]:
                dots = 0
        if max(brackets, dots) > MOST_DEEP:
            raise NotTomlError(_without_end())


def _largest_bits(value: Any) -> int:
    """Bits of the largest whole number in a value."""
    if isinstance(value, dict):
        return max(map(_largest_bits, value.values()), default=0)
    if isinstance(value, list):
        return max(map(_largest_bits, value), default=0)
    return value.bit_length() if isinstance(value, int) else 0


def _past_reason() -> Refusal:
    return refuse("", "a whole number of hundreds of digits")


def _without_end() -> Refusal:
    return refuse("", "lists or names within one another without end")


def shown_key(part: str) -> str:
    r"""Return a key as it stands in a sentence: on one line.

    >>> shown_key("hour"), shown_key("a\nb")
    ('hour', 'a\\nb')
    """
    return f"{part if part.isprintable() else repr(part)[1:-1]:.40}"


def lines_of(text: str) -> dict[Place, int]:
    r"""Return the line of every key and of every entry of a list, the first being 1.

    Parameters
    ----------
    text : str
        TOML that ``tomllib`` reads.

    Examples
    --------
    >>> lines_of('hour = 8\n[[injects]]\nturn = 2')
    {('hour',): 1, ('injects',): 2, ('injects', 0): 2, ('injects', 0, 'turn'): 3}
    """
    return _Scan(text).lines


class _Scan:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.lines: dict[Place, int] = {}
        self._counted: tuple[int, int] = (0, 1)  # a position, and its line
        self._tables: dict[Place, int] = {}  # tables of each array of tables, so far
        table: Place = ()
        self._blank()
        while self.at < len(text):
            if text[self.at] == "[":
                table = self._header()
            else:
                self._entry(table)
            self._blank()

    def _blank(self) -> None:
        self._take(_BLANK)

    def _take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found[0]

    def _mark(self, place: Place) -> None:
        at, line = self._counted
        self._counted = (self.at, line + self.text.count("\n", at, self.at))
        self.lines.setdefault(place, self._counted[1])

    def _key(self) -> list[str]:
        """Take a key and the dots in it."""
        parts = []
        while True:
            self._blank()
            quoted = self._take(_STRING)
            parts.append(next(iter(tomllib.loads(f"{quoted}=0"))) if quoted else self._bare())
            self._blank()
            if self.text[self.at : self.at + 1] != ".":
                return parts
            self.at += 1

    def _bare(self) -> str:
        key = self._take(_BARE_KEY)
        if not key:
            raise ValueError(f"no key at {self.at}: the text is no TOML")
        return key

    def _header(self) -> Place:
        """Take the header of a table, [a.b] or [[a.b]], and return where its entries go."""
        double = self.text.startswith("[[", self.at)
        self.at += 1 + double
        place: Place = ()
        start = self.at
        *parents, last = self._key()
        end, self.at = self.at, start
        for part in parents:
            place = self._in_table((*place, part))
        place = (*place, last)
        if double:
            self._tables[place] = self._tables.get(place, 0) + 1
        place = self._in_table(place)
        self.at = end + 1 + double
        return place

    def _in_table(self, place: Place) -> Place:
        """Return a place, within the last table where it is an array of them."""
        self._mark(place)
        if place not in self._tables:
            return place
        inside = (*place, self._tables[place] - 1)
        self._mark(inside)
        return inside

    def _entry(self, table: Place) -> None:
        """Take a key, its sign and its value."""
        self._blank()
        start = self.at
        parts = self._key()
        end, self.at = self.at, start
        place = table
        for part in parts:
            place = (*place, part)
            self._mark(place)
        self.at = end + 1  # the sign =
        self._value(place)

    def _value(self, place: Place) -> None:
        self._blank()
        sign = self.text[self.at : self.at + 1]
        if sign == "[":
            self._listed(place)
        elif sign == "{":
            self._inline(place)
        elif not self._take(_STRING):
            self._take(_BARE_VALUE)

    def _listed(self, place: Place) -> None:
        self.at += 1
        number = 0
        while True:
            self._blank()
            if self.text[self.at] == "]":
                break
            self._mark((*place, number))
            self._value((*place, number))
            number += 1
            self._blank()
            if self.text[self.at] == ",":
                self.at += 1
        self.at += 1

    def _inline(self, place: Place) -> None:
        self.at += 1
        while True:
            self._blank()
            if self.text[self.at] == "}":
                break
            self._entry(place)
            self._blank()
            if self.text[self.at] == ",":
                self.at += 1
        self.at += 1
