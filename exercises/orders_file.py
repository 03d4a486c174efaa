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
from collections.abc import Mapping, Sequence
from pathlib import Path

from exercises.order_forms import FaultyOrderError, faulty, order_from
from exercises.order_words import told_fault
from exercises.voice import SOURCE, voice
from gis.provenance import require_file
from sim.district import District
from sim.errors import OrderError
from sim.events import order_by_label
from sim.legality import refusal_on_paper
from sim.orders import Order, Withdraw
from sim.refusal import refuse

OrdersByTurn = dict[int, tuple[Order, ...]]
_MOST_DIGITS = 18
"""Digits of a number in an order; those of a turn, a radius or a place are three at most."""
_SHOWN = 40
"""Characters of a line that is no order which are shown."""


def holds_no_order(path: Path) -> bool:
    """Whether a file of orders that can be read has no line but empty ones."""
    return not any(text.strip() for text in _lines(path))


def read_orders(path: Path, district: District, turns: int, lang: str = SOURCE) -> OrdersByTurn:
    """Read and check a file of orders.

    Parameters
    ----------
    path : Path
        JSON Lines in UTF-8; empty lines are skipped.
    district : District
        Whose hexes and units the orders name.
    turns : int
        Length of the exercise.
    lang : {"fr", "en"}
        Language in which a faulty line is told.

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
            order = order_from(district, _entry(text))
            if last is not None and order.turn < last:
                raise faulty(
                    "9.5",
                    "turn {turn} is past: an order for turn {last} stands above it; put the "
                    "lines in order of turns",
                    turn=order.turn,
                    last=last,
                )
            if order.turn != last:
                kept, last = {}, order.turn
            if refused := refusal_on_paper(district, turns, order, kept):
                raise FaultyOrderError(refused)
        except FaultyOrderError as fault:
            where = voice(lang).phrase("{file}, line {line}", file=str(path), line=line)
            raise OrderError(told_fault(where, fault.refusal, lang)) from None
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
    require_file("file of orders", path, OrderError)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise OrderError(
            refuse(
                "",
                "{path} is not UTF-8 (byte {start}); save it as UTF-8 text",
                path=str(path),
                start=str(error.start),
            )
        ) from None
    except OSError as error:
        raise OrderError(
            refuse(
                "",
                "{path} cannot be read: {why}; give a file of orders (JSON Lines)",
                path=str(path),
                why=str(error.strerror),
            )
        ) from None
    # not splitlines(): a reason may hold a separator that only Unicode takes for a line's end
    return text.split("\n")


def _entry(text: str) -> dict[str, object]:
    try:
        entry = json.loads(text, object_pairs_hook=_once, parse_int=_whole)
    except (ValueError, RecursionError) as error:
        at = error.colno if isinstance(error, json.JSONDecodeError) else 1
        raise faulty(
            "9.5",
            'not JSON (character {at}); one order a line, like {{"turn": 3, "order": …}}',
            at=at,
        ) from None
    if not isinstance(entry, dict):
        raise faulty(
            "9.5",
            '{found} where an order stands; write {{"turn": 3, "order": …}}',
            found=json.dumps(text.strip()[:_SHOWN], ensure_ascii=False),
        )
    return entry


def _whole(digits: str) -> int:
    """Return a whole number; Python reads none of thousands of digits, and no order has one."""
    if len(digits) > _MOST_DIGITS:
        raise faulty(
            "9.5",
            "a number of {found} digits, which no order has: give one of {most} at most",
            found=len(digits.lstrip("-")),
            most=_MOST_DIGITS,
        )
    return int(digits)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    entry = dict(pairs)
    if len(entry) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise faulty("9.5", 'the field "{name}" is given twice; keep one', name=twice)
    return entry
