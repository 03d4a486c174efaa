"""How an order is written, whatever its kind: read from its fields, described in a JSON schema.

The kinds and their fields are those of ``sim.orders``; a kind added there is read, described and
shown here with nothing to add.
"""

import difflib
import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from enum import Enum
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, NamedTuple, TypeAlias, Union, get_args, get_origin

from exercises.voice import MOST_LISTED, SOURCE, Voice, mark, voice
from gis.quarter_names import quarters_said
from sim.district import District
from sim.errors import DistrictError
from sim.orders import (
    FORECAST_TURN,
    HEX,
    LINK,
    QUARTER,
    SHELTER,
    UNIT,
    Deliver,
    Forecast,
    Order,
    fields_of,
    order_key,
    order_kinds,
)
from sim.refusal import InEach, Labelled, OneOf, Refusal, Value
from sim.rules import ACTIONS, Action, UnitKind
from sim.severity_words import LANGUAGES
from sim.signs import lone_surrogate

Entry = Mapping[str, object]

ORDER_KINDS: Mapping[str, type[Order]] = MappingProxyType(
    {order_key(kind): kind for kind in order_kinds()}
)
"""Kinds of order by the name that files give them."""

SCHEMA_DRAFT = "https://json-schema.org/draft/2020-12/schema"

NO_SIGN = mark("it holds {sign}, no sign of any text: type it anew")
LONGEST_REASON = 2_000
"""Characters of a reason: a page of text, which every spreadsheet holds."""
Name: TypeAlias = str | Labelled
"""What a field is called: a key of a file, or a row with its name in either language."""
_LONGEST_NAME = 80
_NEAR = 0.75
"""Likeness of a name that is suggested: the ratio of ``difflib``, 1 for the same."""


class FaultyOrderError(Exception):
    """What is wrong with one order: the refusal, to be said in any language."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.sentence} (§{refusal.rule})")
        self.refusal = refusal


def faulty(rule: str, text: str, **values: Value) -> FaultyOrderError:
    """Return a fault; ``text`` is written out where it is called, for the catalogues."""
    return FaultyOrderError(Refusal(rule, text, tuple(values.items())))


class _Sign(NamedTuple):
    """How what a value stands for is written: in words, as a pattern, and an example."""

    words: str
    pattern: str
    example: str


_HEX_DIGITS = "[0-9]{4}([0-9]{2})?"
_SIGNS: Mapping[str, _Sign] = MappingProxyType(
    {
        HEX: _Sign(mark("hex"), f"^{_HEX_DIGITS}$", "2314"),
        LINK: _Sign(mark("link, by its two hexes"), f"^{_HEX_DIGITS}-{_HEX_DIGITS}$", "2314-2315"),
        QUARTER: _Sign(mark("quarter, by its name"), "", "Quarter 3"),
        SHELTER: _Sign(mark("shelter, by its name"), "", "School 2"),
        UNIT: _Sign(mark("unit"), "^[a-z_]+-[0-9]+$", "patrol-3"),
    }
)


# --------------------------------------------------------------------------- reading
def order_from(district: District, entry: Entry) -> Order:
    """Return the order that an entry of a file describes.

    Parameters
    ----------
    district : District
        Whose hexes, links, quarters and shelters the entry names.
    entry : mapping
        ``turn``, ``order``, the fields of its kind, perhaps ``reason``.

    Raises
    ------
    FaultyOrderError
        If it is no order; what the rules forbid is not looked at.
    """
    left = dict(entry)
    if sign := lone_surrogate(left):
        raise faulty("9.5", NO_SIGN, sign=sign)
    key = left.pop("order", None)
    if not isinstance(key, str) or key not in ORDER_KINDS:
        known = ", ".join(ORDER_KINDS)
        if key is None:
            raise faulty("9.5", 'no order; "order" is one of {known}', known=known)
        raise faulty(
            "9.5",
            'order {found}; "order" is one of {known}',
            found=_shown(key),
            known=known,
        )
    kind = ORDER_KINDS[key]
    values = {"turn": _whole("turn", _taken(left, "turn", key))}
    reason = left.pop("reason", "")
    if not isinstance(reason, str):
        raise _no_text("reason", reason)
    if len(reason) > LONGEST_REASON:
        raise faulty(
            "9.5",
            "a reason of {found} characters: keep it within {most}",
            found=len(reason),
            most=LONGEST_REASON,
        )
    for name, (hint, stands_for) in fields_of(kind).items():
        if name in left or name in required_fields(kind):
            values[name] = _read(district, hint, stands_for, name, _taken(left, name, key))
    if left:
        known = ", ".join(("turn", "order", *fields_of(kind), "reason"))
        raise faulty(
            "9.5",
            'unknown field "{name}"; an order {order} has {known}',
            name=next(iter(left)),
            order=key,
            known=known,
        )
    return kind(reason=reason, **values)


def required_fields(kind: type[Order]) -> tuple[str, ...]:
    """Fields of a kind, beside turn and reason, that have no value of their own."""
    own = fields_of(kind)
    return tuple(
        field.name
        for field in fields(kind)
        if field.name in own and field.default is MISSING and field.default_factory is MISSING
    )


def _shown(value: object) -> str:
    """Return a value as JSON writes it, as it was typed where it can be printed."""
    return json.dumps(value, ensure_ascii=False)


def _taken(left: dict[str, object], name: str, key: str) -> object:
    if name not in left:
        raise faulty("9.5", 'an order {order} without "{name}"; add it', order=key, name=name)
    return left.pop(name)


def _read(district: District, hint: Any, stands_for: str, name: str, value: object) -> Any:
    """Return one field's value by its type and by what it stands for."""
    hint = _without_none(hint)
    if get_origin(hint) is tuple:
        return _several(district, get_args(hint)[0], stands_for, name, value)
    if stands_for in _READERS:
        return _READERS[stands_for](district, name, value)
    if choices := _choices(hint):
        if value not in choices:
            raise faulty(
                "9.5",
                '"{name}" is {found}; write one of {known}',
                name=name,
                found=_shown(value),
                known=", ".join(choices),
            )
        return hint[str(value).upper()] if _is_enum(hint) else value
    if hint is bool:
        if not isinstance(value, bool):
            raise faulty(
                "9.5",
                '"{name}" is {found}; write true or false',
                name=name,
                found=_shown(value),
            )
        return value
    return _whole(name, value) if hint is int else _text(name, value)


def _several(district: District, hint: Any, stands_for: str, name: str, value: object) -> Any:
    if not isinstance(value, list):
        raise faulty("9.5", '"{name}" is {found}; write a list', name=name, found=_shown(value))
    read = tuple(_read(district, hint, stands_for, name, part) for part in value)
    if stands_for and len(set(read)) < len(read):
        twice = next(part for i, part in enumerate(value) if read[i] in read[:i])
        raise faulty("9.5", '"{name}" holds {value} twice; keep one', name=name, value=str(twice))
    return read


def _without_none(hint: Any) -> Any:
    """Return the type of a field that may be left out."""
    if get_origin(hint) in (Union, UnionType):
        (hint,) = (part for part in get_args(hint) if part is not NoneType)
    return hint


def _is_enum(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Enum)


def _choices(hint: Any) -> tuple[str, ...]:
    """Words that a field may hold; none where it is free."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    return tuple(member.name.lower() for member in hint) if _is_enum(hint) else ()


def _whole(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise faulty(
            "9.5",
            '"{name}" is {found}; write a whole number',
            name=name,
            found=_shown(value),
        )
    return value


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise _no_text(name, value)
    return value


def _no_text(name: str, value: object) -> FaultyOrderError:
    return faulty("9.5", '"{name}" is {found}; write it as text', name=name, found=_shown(value))


def _unit(district: District, name: Name, value: object) -> str:
    if not isinstance(value, str):
        raise faulty(
            "5",
            '"{name}" is {found}; write it as text, like "{example}"',
            name=name,
            found=_shown(value),
            example=_SIGNS[UNIT].example,
        )
    return value


def _cell(district: District, name: Name, value: object) -> int:
    sheet = district.sheet
    if not isinstance(value, str):
        raise faulty(
            "1.3",
            '"{name}" is {found}; write a hex as text, like "{example}"',
            name=name,
            found=_shown(value),
            example=sheet.label(0),
        )
    try:
        return sheet.index_of(value)
    except DistrictError:
        ends = {"first": sheet.label(0), "last": sheet.label(sheet.n_hexes - 1)}
        if name == "centre":
            raise faulty(
                "9.5",
                "the brush is off the sheet: hex {found} is not on it ({first} to {last}, "
                "column then row); choose another",
                found=_shown(value),
                **ends,
            ) from None
        raise faulty(
            "1.3",
            '"{name}": hex {found} is not on the sheet ({first} to {last}, column then row); '
            "choose another",
            name=name,
            found=_shown(value),
            **ends,
        ) from None


def _link(district: District, name: Name, value: object) -> int:
    ends = value.split("-") if isinstance(value, str) else ()
    if len(ends) != 2:
        raise faulty(
            "3",
            '"{name}" is {found}; write a link as its two hexes, like "{example}"',
            name=name,
            found=_shown(value),
            example=_SIGNS[LINK].example,
        )
    a, b = sorted(_cell(district, name, end) for end in ends)
    edges = district.sheet.edges
    found = ((edges[:, 0] == a) & (edges[:, 1] == b)).nonzero()[0]
    if not found.size:
        raise faulty(
            "3",
            '"{name}": {found} are no neighbours; give two that touch',
            name=name,
            found=str(value),
        )
    return int(found[0])


def _quarter(district: District, name: Name, value: object) -> int:
    said = {lang: quarters_said(district, lang) for lang in LANGUAGES}
    every = (district.quarters, *said.values())
    if (number := _found(value, every)) is not None:
        return number
    known = dict.fromkeys(name for names in every for name in names)
    near = dict.fromkeys(_found(one, every) for one in meant_by(value, known))
    meant = [one for one in near if one is not None]
    if meant:
        raise faulty(
            "9.5",
            '"{name}" is {found}, no quarter of the district: did you mean {near}?',
            name=name,
            found=_shown(value),
            near=InEach(
                **{lang: OneOf(tuple(names[at] for at in meant)) for lang, names in said.items()}
            ),
        )
    raise faulty(
        "9.5",
        '"{name}" is {found}, no quarter of the district; it has {names}',
        name=name,
        found=_shown(value),
        names=InEach(**{lang: _some_of(names) for lang, names in said.items()}),
    )


def _shelter(district: District, name: Name, value: object) -> int:
    names = tuple(place.name for place in district.shelters)
    if (number := _place_of(value, names)) is not None:
        return number
    if near := meant_by(value, names):
        raise faulty(
            "9.5",
            '"{name}" is {found}, no shelter of the district: did you mean {near}?',
            name=name,
            found=_shown(value),
            near=OneOf(near),
        )
    raise faulty(
        "9.5",
        '"{name}" is {found}, no shelter of the district; it has {names}',
        name=name,
        found=_shown(value),
        names=_some_of(names),
    )


def _found(value: object, every: Iterable[tuple[str, ...]]) -> int | None:
    """Return which of some places a name means, by the names that they have in any language."""
    found = (_place_of(value, names) for names in every)
    return next((one for one in found if one is not None), None)


def _some_of(names: Sequence[str]) -> str:
    """Return names on a line, the first dozen of many."""
    return ", ".join(names[:MOST_LISTED]) + (", …" if len(names) > MOST_LISTED else "")


def meant_by(value: object, names: Iterable[str]) -> tuple[str, ...]:
    """Return names that somebody may have meant who wrote another, the nearest first.

    >>> meant_by("Vielle ville", ["Gare", "Vieille ville"]), meant_by("x", ["Gare"])
    (('Vieille ville',), ())
    """
    if not isinstance(value, str):
        return ()
    known = {bare(name): name for name in names}
    near = difflib.get_close_matches(bare(value[:_LONGEST_NAME]), known, 3, _NEAR)
    return tuple(known[name] for name in near)


def bare(text: str) -> str:
    """Return a text without accents, capitals, underscores and outer spaces.

    >>> bare(" Bousculade à un Abri"), bare("power_cut")
    ('bousculade a un abri', 'power cut')
    """
    letters = unicodedata.normalize("NFKD", text.strip().casefold().replace("_", " "))
    return "".join(c for c in letters if not unicodedata.combining(c))


def _place_of(value: object, names: tuple[str, ...]) -> int | None:
    """Place of a name among several; accents and capitals matter only where two names need them.

    >>> _place_of("ecole 2", ("École 1", "École 2")), _place_of("NORD", ("Nord", "nord"))
    (1, None)
    """
    if not isinstance(value, str):
        return None
    if value in names:
        return names.index(value)
    alike = [place for place, name in enumerate(names) if bare(name) == bare(value)]
    return alike[0] if len(alike) == 1 else None


_READERS: Mapping[str, Callable[[District, Name, object], int | str]] = MappingProxyType(
    {HEX: _cell, LINK: _link, QUARTER: _quarter, SHELTER: _shelter, UNIT: _unit}
)


def place_from(district: District, stands_for: str, name: Name, value: object) -> int | str:
    """Return what a written value names: a hex, link, quarter, shelter or unit.

    Parameters
    ----------
    district : District
    stands_for : str
        A mark of ``sim.orders``: ``HEX``, ``LINK``, ``QUARTER``, ``SHELTER``, ``UNIT``.
    name : str, or a row with its names
        What the value is called, for the sentence of a fault.
    value : object

    Raises
    ------
    FaultyOrderError
        If the district has no such thing.
    """
    return _READERS[stands_for](district, name, value)


# --------------------------------------------------------------------------- describing
def what_it_does(kind: type[Order]) -> str:
    """First sentence of a kind's description, with its rule."""
    return " ".join((kind.__doc__ or "").split("\n\n")[0].replace("``", "").split())


def example_of(kind: type[Order]) -> dict[str, object]:
    """Return an order of a kind as a file writes it."""
    written: dict[str, object] = {
        "turn": FORECAST_TURN if kind is Forecast else 3,
        "order": order_key(kind),
    }
    for name, (hint, stands_for) in fields_of(kind).items():
        written[name] = (
            f"{_doer(order_key(kind)).value}-3"
            if stands_for == UNIT
            else _example(_without_none(hint), stands_for)
        )
    return written


def _doer(key: str) -> UnitKind:
    """Kind of unit that a kind of order is for (§5, 9.2, 11)."""
    if key in {action.value for action in Action}:
        return ACTIONS[Action(key)].units[0]
    return UnitKind.BOAT if key == order_key(Deliver) else UnitKind.PATROL


def _example(hint: Any, stands_for: str) -> object:
    if get_origin(hint) is tuple:
        return [_example(get_args(hint)[0], stands_for)]
    if stands_for:
        return _SIGNS[stands_for].example
    if choices := _choices(hint):
        return choices[0]
    return {bool: True, int: 1}.get(hint, "text")


def field_words(kind: type[Order], lang: str = SOURCE) -> dict[str, str]:
    """Fields of a kind, and in words what each holds."""
    say, needed = voice(lang), required_fields(kind)
    words = {
        name: _words(_without_none(hint), stands_for, say)
        for name, (hint, stands_for) in fields_of(kind).items()
    }
    return {
        name: held if name in needed else say.phrase("{held}, or left out", held=held)
        for name, held in words.items()
    }


def _words(hint: Any, stands_for: str, say: Voice) -> str:
    if get_origin(hint) is tuple:
        part = _words(get_args(hint)[0], stands_for, say)
        return say.phrase("list of: {part}", part=part)
    if stands_for:
        return say.phrase(_SIGNS[stands_for].words)
    if choices := _choices(hint):
        return say.either(choices)
    if hint is bool:
        return say.phrase("true or false")
    return say.phrase("whole number") if hint is int else say.phrase("text")


def orders_schema() -> dict[str, object]:
    """JSON schema (draft 2020-12) of one line of a file of orders."""
    return {
        "$schema": SCHEMA_DRAFT,
        "title": "An order of averse: one line of a file of orders",
        "oneOf": [_kind_schema(key, kind) for key, kind in ORDER_KINDS.items()],
    }


def _kind_schema(key: str, kind: type[Order]) -> dict[str, object]:
    properties: dict[str, object] = {
        "turn": {"type": "integer", "minimum": FORECAST_TURN},
        "order": {"const": key},
    }
    for name, (hint, stands_for) in fields_of(kind).items():
        properties[name] = _value_schema(_without_none(hint), stands_for)
    properties["reason"] = {"type": "string", "maxLength": LONGEST_REASON}
    return {
        "title": key,
        "description": what_it_does(kind),
        "type": "object",
        "properties": properties,
        "required": ["turn", "order", *required_fields(kind)],
        "additionalProperties": False,
        "examples": [example_of(kind)],
    }


def _value_schema(hint: Any, stands_for: str) -> dict[str, object]:
    if get_origin(hint) is tuple:
        items = _value_schema(get_args(hint)[0], stands_for)
        return {"type": "array", "items": items, **({"uniqueItems": True} if stands_for else {})}
    if stands_for:
        sign = _SIGNS[stands_for]
        described = {"type": "string", "description": sign.words}
        return {**described, "pattern": sign.pattern} if sign.pattern else {**described}
    if choices := _choices(hint):
        return {"enum": list(choices)}
    return {"type": {bool: "boolean", int: "integer"}.get(hint, "string")}
