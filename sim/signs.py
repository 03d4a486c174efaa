"""Which signs a text may hold that is kept: those that any file, page and database can hold too.

JSON may escape half of a pair of surrogates, which no UTF-8 holds; Unicode keeps 66 numbers that
are no characters (Unicode 23.7), two of which no XML holds; no database takes a NUL in a text.
"""

import json
import re
from typing import Any

_LONE = re.compile("[\ud800-\udfff]")
_NO_CHARACTERS = "\ufdd0-\ufdef" + "".join(
    f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)
)
_UNFIT = re.compile(f"[\0\ud800-\udfff{_NO_CHARACTERS}]")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
REPLACED = "\ufffd"
"""Stands where a sign cannot be written."""


def unfit_sign(value: Any) -> str:
    r"""Return the first sign that cannot be kept, by its number; '' where there is none.

    Parameters
    ----------
    value : plain values
        Every text in it is looked at, and every name.

    Examples
    --------
    >>> unfit_sign({"a": ["é", {"\ud800": 1}]}), unfit_sign("\ufffe"), unfit_sign(["🌊", 3])
    ('U+D800', 'U+FFFE', '')

    """
    return _first(value, _UNFIT)


def lone_surrogate(value: Any) -> str:
    r"""Return the first half of a pair of surrogates, by its number; '' where there is none.

    >>> lone_surrogate({"a": "\ufffe\udfff"}), lone_surrogate({"a": "\ufffe"})
    ('U+DFFF', '')
    """
    return _first(value, _LONE)


def _first(value: Any, signs: re.Pattern[str]) -> str:
    left = [value]
    while left:  # not by calls: whatever was sent may be nested as deep as its sender likes
        one = left.pop()
        if isinstance(one, str):
            if not one.isascii() or "\0" in one:
                found = signs.search(one)
                if found:
                    return f"U+{ord(found[0]):04X}"
        elif isinstance(one, dict):
            left += [*reversed(one.values()), *reversed(one)]
        elif isinstance(one, list | tuple):
            left += reversed(one)
    return ""


def json_of(text: str | bytes) -> Any:
    r"""Return what a JSON text says, whoever wrote it.

    Parameters
    ----------
    text : str or bytes

    Raises
    ------
    ValueError
        If it is none, or is nested deeper than can be read.

    Examples
    --------
    >>> json_of('{"turn": 3}')
    {'turn': 3}
    >>> json_of("[" * 100_000)
    Traceback (most recent call last):
    ValueError: nested too deep
    """
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def without_unfit(text: str) -> str:
    r"""Return a text without the signs that cannot be kept.

    >>> without_unfit("a\ufffe\ud800b")
    'ab'
    """
    return _UNFIT.sub("", text)


def for_xml(text: str, instead: str = "") -> str:
    r"""Return a text without what no XML holds, escaped or not.

    >>> for_xml("a\x07\ufffeb<"), for_xml("a\ud800b", " ")
    ('ab<', 'a b')
    """
    return _NOT_XML.sub(instead, text)


def mended(value: Any) -> Any:
    r"""Return plain values that can be written: U+FFFD for half a pair of surrogates.

    >>> mended({"text": "a\ud800", "turn": 3})
    {'text': 'a�', 'turn': 3}
    """
    if isinstance(value, str):
        return value if value.isascii() else _LONE.sub(REPLACED, value)
    if isinstance(value, dict):
        return {mended(name): mended(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [mended(part) for part in value]
    return value


def utf8(text: str) -> bytes:
    r"""Return a text as UTF-8, U+FFFD for half a pair of surrogates.

    >>> utf8("é\udfff").decode()
    'é�'
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _LONE.sub(REPLACED, text).encode()
