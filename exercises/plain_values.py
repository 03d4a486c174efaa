"""Data classes, arrays and tuples as plain JSON values and back, guided by their type hints.

What is written is what the class declares: a field added to it is written with no word here, and
one with a default may be missing from what an older version wrote.
"""

import json
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import numpy as np

from sim.signs import utf8

Plain = Any
UNFIT = (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError)
"""What values raise that are not those of what they are read as."""


def json_bytes(value: Plain) -> bytes:
    """Return plain values as JSON in UTF-8 without spaces, as pages and files are given them."""
    return utf8(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def to_plain(value: object, leave_out: frozenset[str] = frozenset()) -> Plain:
    """Return a value as numbers, text, lists and objects.

    Parameters
    ----------
    value : object
        A data class, array, tuple, mapping by text, enumeration, number, text or None.
    leave_out : frozenset of str
        Fields of the outermost data class that are not written.

    Raises
    ------
    TypeError
        If a value is of another kind.
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: to_plain(getattr(value, field.name))
            for field in fields(value)
            if field.name not in leave_out
        }
    match value:
        case np.ndarray():
            return value.tolist()
        case Enum():
            return value.name
        case None | bool() | int() | float() | str():
            return value
        case tuple() | list():
            return [to_plain(part) for part in value]
        case Mapping():
            return {str(name): to_plain(part) for name, part in value.items()}
    raise TypeError(f"a {type(value).__name__} cannot be written as plain values")


def from_plain(hint: Any, plain: Plain, **given: object) -> Any:
    """Return the value of a type that ``to_plain`` wrote.

    Parameters
    ----------
    hint : type or type hint
    plain : plain values
    given : object
        Fields of the outermost data class that are not in ``plain``.

    Raises
    ------
    TypeError, ValueError, KeyError
        If the values are not those of the type.
    """
    if isinstance(hint, type) and is_dataclass(hint):
        if not isinstance(plain, Mapping):
            raise TypeError(f"{plain!r:.40} where a {hint.__name__} is expected")
        hints = get_type_hints(hint)
        read = {name: from_plain(hints[name], part) for name, part in plain.items()}
        return hint(**read, **given)
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return from_plain(parts[0], plain)
    if scalar := _scalar_of_array(hint):
        return _array(plain, scalar)
    if origin is tuple:
        of = [parts[0]] * len(plain) if parts[1:] == (...,) else parts
        return tuple(from_plain(one, part) for one, part in zip(of, plain, strict=True))
    if origin in (Union, types.UnionType):
        if plain is None:
            return None
        (inner,) = (part for part in parts if part is not types.NoneType)
        return from_plain(inner, plain)
    if origin in (dict, Mapping):
        return {name: from_plain(parts[1], part) for name, part in plain.items()}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint[plain]
    if hint is float:
        return float(plain)
    if hint in (int, str, bool) and type(plain) is not hint:
        raise TypeError(f"{plain!r:.40} where a {hint.__name__} is expected")
    return plain


def _array(plain: Plain, scalar: type[np.generic]) -> np.ndarray[Any, Any]:
    try:
        return np.array(plain, dtype=scalar)
    except OverflowError as error:
        raise ValueError(str(error)) from error


def _scalar_of_array(hint: Any) -> type[np.generic] | None:
    """Return the kind of number in an array's type hint; None where it is no array.

    ``NDArray`` is an alias that is spelt out before Python 3.12, and one that stands for itself
    from then on.
    """
    origin = get_origin(hint)
    spelt_out = getattr(origin, "__value__", hint)
    if get_origin(spelt_out) is not np.ndarray:
        return None
    last = get_args(hint)[-1]
    scalar: type[np.generic] = last if spelt_out is not hint else get_args(last)[0]
    return scalar
