"""Tables of what the team knows, at most 80 signs wide."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from rich import box
from rich.table import Table

from exercises.order_words import refused
from exercises.terminal.board import known_class, pawn
from exercises.terminal.seat import Seat
from exercises.terminal.vocabulary import COMMANDS, CONFIDENCE_WORDS, OPTION_WORDS
from exercises.terminal.words import labelled, say
from gis.quarter_names import quarters_said
from sim.alerts import has_sirens
from sim.district import District
from sim.events import link_label, order_by_label
from sim.orders import Answer, Order
from sim.rules import ACTIONS, PROTECTIONS, WATERS, Action, Protection, UnitKind, Water
from sim.state import NEVER, NOWHERE
from sim.unit import DELIVER, DOOR_TO_DOOR, Unit
from sim.view import View

OPTIONS = tuple(Protection)
_COMMAND_OF = {
    "door_to_door": "door",
    "footbridge": "bridge",
    "close_shelter": "close",
    "open_shelter": "open",
    "withdraw": "undo",
}
_WORDS_OF: Mapping[str, Mapping[Any, tuple[str, ...]]] = {
    "option": OPTION_WORDS,
    "confidence": CONFIDENCE_WORDS,
}
_SHOWN = 8
"""Hexes of an order that are written out."""


def table_of(headings: Iterable[tuple[str, bool]], lang: str) -> Table:
    """Return an empty table under headings of ``words``, each with whether it holds numbers."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for key, number in headings:
        table.add_column(say(key, lang) if key else "", justify="right" if number else "left")
    return table


def units_table(seat: Seat, lang: str) -> Table:
    """Return where the units are and what they do (§5, 9.2)."""
    view, district = seat.view, seat.district
    table = table_of((("", True), ("unit", False), ("hex", False), ("does", False)), lang)
    for unit in view.units:
        what = _doing(district, view, unit, lang)
        if unit.kind is UnitKind.BOAT:
            what += ", " + say("loaded" if unit.loaded else "empty", lang)
        table.add_row(pawn(unit), unit.name, district.sheet.label(unit.cell), what)
    return table


def _doing(district: District, view: View, unit: Unit, lang: str) -> str:
    task = _task(unit, lang)
    if unit.to != NOWHERE:
        key = "blocked" if unit.blocked else "on_way"
        way = say(key, lang, hex=district.sheet.label(unit.to))
        return f"{way} ({task})" if task else way
    if not task:
        return say("in_place", lang)
    if unit.ready != NEVER and not unit.at_work(view.turn):
        return say("set_up", lang, task=task, turn=unit.ready)
    links = ", ".join(link_label(district.sheet, link) for link in unit.links)
    return say("at_work", lang, task=task, links=links).rstrip()


def _task(unit: Unit, lang: str) -> str:
    if unit.task in (DOOR_TO_DOOR, DELIVER):
        key = "door" if unit.task == DOOR_TO_DOOR else "deliver"
        return COMMANDS[key].shown(lang)[1]
    return labelled(ACTIONS[Action(unit.task)], lang) if unit.task else ""


def shelters_table(seat: Seat, lang: str) -> Table:
    """Return the places of every shelter (§5.2, 6.0, 10.2)."""
    view, district = seat.view, seat.district
    classes = known_class(view)
    table = table_of(
        (("", True), ("shelter", False), ("hex", False), ("places", True), ("state", False)), lang
    )
    for number, shelter in enumerate(district.shelters):
        states = [
            say(key, lang)
            for key, so in (
                ("closed", view.closed[number]),
                ("crushed", view.crushed[number]),
                ("full", view.places_taken[number] >= shelter.places),
                ("wet", classes[shelter.cell] >= Water.BLOCKING),
            )
            if so
        ]
        table.add_row(
            str(number + 1),
            shelter.name,
            district.sheet.label(shelter.cell),
            f"{view.places_taken[number]}/{shelter.places}",
            ", ".join(states) or say("open", lang),
        )
    return table


def quarters_table(seat: Seat, lang: str) -> Table:
    """Return people, alerts and options by quarter (§9.3, 9.4)."""
    view, district = seat.view, seat.district
    sirens = has_sirens(district)
    marks = [
        np.bincount(district.quarter[list(cells)], minlength=len(district.quarters))
        if cells
        else np.zeros(len(district.quarters), dtype=int)
        for cells in (
            np.flatnonzero(district.active).tolist(),
            view.alerted,
            [cell for cell in view.evacuated if district.active[cell]],
        )
    ]
    risk = np.bincount(
        district.quarter[district.active],
        weights=seat.to_shelter[district.active],
        minlength=len(district.quarters),
    ).astype(int)
    table = table_of(
        (
            *(("", True), ("quarter", False), ("to_shelter", True)),
            *(("alerted", True), ("evacuated", True), ("option", False), ("sirens", False)),
        ),
        lang,
    )
    for number, name in enumerate(quarters_said(district, lang)):
        size, alerted, evacuated = (int(mark[number]) for mark in marks)
        option = PROTECTIONS[OPTIONS[view.protection[number]]]
        table.add_row(
            str(number + 1),
            name,
            str(risk[number]),
            f"{alerted}/{size}",
            f"{evacuated}/{size}",
            labelled(option, lang),
            "x" if sirens[number] else "",
        )
    return table


def reports_table(seat: Seat, lang: str, most: int) -> Table | None:
    """Return what residents told, the latest first, with its age; None where nothing (§6.1)."""
    view, district = seat.view, seat.district
    rows = [
        (event.turn, cell, water)
        for event in reversed(seat.reports)
        for cell, water in zip(event.cells, event.water, strict=True)
    ]
    if not rows:
        return None
    table = table_of((("hex", False), ("reported", False), ("age", True)), lang)
    for turn, cell, water in rows[:most]:
        # residents tell what stood there two turns before (§6)
        age = age_words(view.turn - turn + 2, lang)
        row = WATERS[Water(water)]
        table.add_row(district.sheet.label(cell), f"{water} {labelled(row, lang)}", age)
    if len(rows) > most:
        table.add_row(say("more", lang, n=len(rows) - most))
    return table


def age_words(turns: int, lang: str) -> str:
    """Return an age in turns, in words."""
    return say("turns_ago", lang, n=turns) if turns else say("now", lang)


def orders_lines(seat: Seat, lang: str) -> list[str]:
    """Return the orders that stand, those refused with their rule, what is left (§9.1, 9.5)."""
    slip, view = seat.slip, seat.view
    lines = [
        f"{one.number:>3}  {typed(seat.district, one.order, lang)}"
        + (f"  # {one.order.reason}" if one.order.reason else "")
        for one in view.pending
    ]
    lines += [
        "  -  "
        + typed(seat.district, event.order, lang)
        + "  "
        + say("refused", lang, rule=event.by_rule, why=refused(event.refusal, lang))
        for event in slip.refused
    ]
    if not lines:
        lines.append(say("no_orders", lang))
    if view.orders:
        lines.append(say("left", lang, n=view.orders_left, of=view.orders))
    return lines


def typed(district: District, order: Order, lang: str) -> str:
    """Return an order as it may be typed."""
    written = order_by_label(district, order)
    i = 1 if lang == "fr" else 0
    for name, words in _WORDS_OF.items():
        if (value := getattr(order, name, None)) is not None:
            written[name] = words[value][i]
    key = str(written.pop("order"))
    key = _COMMAND_OF.get(key, key)
    if isinstance(order, Answer):
        key, written = ("obey" if order.obey else "refuse"), {}
    parts = [COMMANDS[key].word(lang)]
    for name, value in written.items():
        if name in {"turn", "reason"}:
            continue
        if isinstance(value, list):
            parts += [str(part) for part in value[:_SHOWN]]
            parts += ["…"] if len(value) > _SHOWN else []
        else:
            parts.append(str(value))
    return " ".join(parts)
