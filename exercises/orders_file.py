"""Files of orders, JSON Lines: one order a line, hexes by their printed number (§9.5).

::

    {"turn": 0, "order": "forecast", "cells": ["2314", "2315"]}
    {"turn": 2, "order": "move", "unit": "patrol-3", "to": "2011"}
    {"turn": 3, "order": "alert", "centre": "2314", "radius": 1, "reason": "water at the underpass"}
    {"turn": 4, "order": "door_to_door", "unit": "patrol-3", "cell": "2011"}
    {"turn": 4, "order": "withdraw", "number": 1}

Turns come in ascending order. ``number`` counts the lines of the same turn from 1. All that the
rules can refuse on paper is refused here, with the line; what depends on the known state of the
turn is refused in play, at no cost.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sim.district import District
from sim.errors import DistrictError, OrderError
from sim.events import order_by_label
from sim.hexes import Sheet
from sim.legality import refusal_on_paper
from sim.orders import Alert, DoorToDoor, Forecast, Move, Order, Withdraw, order_key

OrdersByTurn = dict[int, tuple[Order, ...]]
Entry = dict[str, object]


class _FaultyLineError(Exception):
    """What is wrong with one line."""


@dataclass(frozen=True)
class _Form:
    """How one kind of order is written: its fields beside turn, order and reason."""

    kind: type[Order]
    fields: Mapping[str, Callable[[Sheet, str, object], object]]


def read_orders(path: Path, district: District, turns: int) -> OrdersByTurn:
    """Read and check a file of orders.

    Parameters
    ----------
    path : Path
        JSON Lines in UTF-8; empty lines are skipped.
    district : District
        Whose hexes and units the orders name.
    turns : int
        Length of the exercise.

    Returns
    -------
    dict of int to tuple of Order
        Orders of every turn that has some, withdrawn ones and their withdrawals included.

    Raises
    ------
    OrderError
        If the file cannot be read, or a line is no order, names an unknown hex or unit, comes
        after a later turn's, repeats another, paints off the sheet or goes over budget.

    """
    orders: OrdersByTurn = {}
    kept: dict[int, Order] = {}
    last = None
    for line, text in enumerate(_lines(path), start=1):
        if not text.strip():
            continue
        try:
            order = _order(district, text)
            if last is not None and order.turn < last:
                raise _FaultyLineError(
                    f"turn {order.turn} is past: an order for turn {last} stands above it; "
                    "put the lines in order of turns (§9.5)"
                )
            if order.turn != last:
                kept, last = {}, order.turn
            if refused := refusal_on_paper(district, turns, order, kept):
                raise _FaultyLineError(f"{refused.sentence} (§{refused.rule})")
        except _FaultyLineError as fault:
            raise OrderError(f"{path}, line {line}: {fault}") from None
        given = (*orders.get(order.turn, ()), order)
        orders[order.turn] = given
        if isinstance(order, Withdraw):
            del kept[order.number]
        else:
            kept[len(given)] = order
    return orders


def write_orders(path: Path, district: District, orders: Mapping[int, Sequence[Order]]) -> None:
    """Write orders as ``read_orders`` reads them, in order of turns."""
    text = "".join(
        json.dumps(order_by_label(district, order), ensure_ascii=False) + "\n"
        for turn in sorted(orders)
        for order in orders[turn]
    )
    path.write_text(text, encoding="utf-8", newline="\n")


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise OrderError(f"{path} does not exist; give a file of orders (JSON Lines)") from None
    except UnicodeDecodeError as error:
        raise OrderError(
            f"{path} is not UTF-8 (byte {error.start}); save it as UTF-8 text"
        ) from None
    except OSError as error:
        raise OrderError(
            f"{path} cannot be read: {error.strerror}; give a file of orders (JSON Lines)"
        ) from None
    # not splitlines(): a reason may hold a separator that only Unicode takes for a line's end
    return text.split("\n")


def _order(district: District, text: str) -> Order:
    entry = _entry(text)
    key = entry.pop("order", None)
    if not isinstance(key, str) or key not in _FORMS:
        found = "no order" if key is None else f"order {json.dumps(key)}"
        raise _FaultyLineError(f'{found}; "order" is one of {", ".join(_FORMS)} (§9.5)')
    form = _FORMS[key]
    turn = _whole(district.sheet, "turn", _taken(entry, "turn", key))
    reason = entry.pop("reason", "")
    if not isinstance(reason, str) or not _is_unicode(reason):
        raise _FaultyLineError(f'"reason" is {json.dumps(reason)}; write it as text (§9.5)')
    values = {
        name: read(district.sheet, name, _taken(entry, name, key))
        for name, read in form.fields.items()
    }
    if entry:
        known = ", ".join(("turn", "order", *form.fields, "reason"))
        raise _FaultyLineError(
            f'unknown field "{next(iter(entry))}"; an order {key} has {known} (§9.5)'
        )
    return form.kind(turn=turn, reason=reason, **values)


def _is_unicode(text: str) -> bool:
    """Whether a text can be written: JSON may escape half of a pair of surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _entry(text: str) -> Entry:
    try:
        entry = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        told = error.msg if isinstance(error, json.JSONDecodeError) else "not readable"
        raise _FaultyLineError(
            f'not JSON ({told}); one order a line, like {{"turn": 3, "order": "alert", …}}'
        ) from None
    if not isinstance(entry, dict):
        raise _FaultyLineError(
            f'a {type(entry).__name__} where an order stands; write {{"turn": 3, "order": …}}'
        )
    return entry


def _once(pairs: list[tuple[str, object]]) -> Entry:
    entry = dict(pairs)
    if len(entry) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _FaultyLineError(f'the field "{twice}" is given twice; keep one')
    return entry


def _taken(entry: Entry, name: str, key: str) -> object:
    if name not in entry:
        raise _FaultyLineError(f'an order {key} without "{name}"; add it (§9.5)')
    return entry.pop(name)


def _whole(sheet: Sheet, name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _FaultyLineError(f'"{name}" is {json.dumps(value)}; write a whole number (§9.5)')
    return value


def _text(sheet: Sheet, name: str, value: object) -> str:
    if not isinstance(value, str):
        raise _FaultyLineError(
            f'"{name}" is {json.dumps(value)}; write it as text, like "patrol-3" (§5)'
        )
    return value


def _cell(sheet: Sheet, name: str, value: object) -> int:
    if not isinstance(value, str):
        raise _FaultyLineError(
            f'"{name}" is {json.dumps(value)}; write a hex as text, like "{sheet.label(0)}" (§1.3)'
        )
    try:
        return sheet.index_of(value)
    except DistrictError as error:
        raise _FaultyLineError(f'"{name}": {error}; choose a hex of the sheet') from None


def _centre(sheet: Sheet, name: str, value: object) -> int:
    try:
        return _cell(sheet, name, value)
    except _FaultyLineError as fault:
        if isinstance(value, str):
            raise _FaultyLineError(f"the brush is off the sheet, {fault}") from None
        raise


def _cells(sheet: Sheet, name: str, value: object) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise _FaultyLineError(f'"{name}" is {json.dumps(value)}; write a list of hexes (§9.6)')
    cells = tuple(_cell(sheet, name, part) for part in value)
    if len(set(cells)) < len(cells):
        twice = next(cell for i, cell in enumerate(cells) if cell in cells[:i])
        raise _FaultyLineError(f'"{name}" holds hex {sheet.label(twice)} twice; keep one (§9.6)')
    return cells


_FORMS: Mapping[str, _Form] = {
    order_key(form.kind): form
    for form in (
        _Form(Forecast, {"cells": _cells}),
        _Form(Alert, {"centre": _centre, "radius": _whole}),
        _Form(Move, {"unit": _text, "to": _cell}),
        _Form(DoorToDoor, {"unit": _text, "cell": _cell}),
        _Form(Withdraw, {"number": _whole}),
    )
}
