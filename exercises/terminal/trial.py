"""What an order would do, and what a unit may be ordered: tried before it is given (§6.3)."""

from exercises.order_words import refused
from exercises.terminal.seat import Seat
from exercises.terminal.vocabulary import COMMANDS
from exercises.terminal.words import say
from gis.quarter_names import quarters_said
from sim.orders import UNIT_ORDERS, Alert, Forecast, Order
from sim.preview import Journey, Preview, preview, targets

COMMAND_OF = {"door_to_door": "door", "footbridge": "bridge"}
"""Commands of the kinds of order that are called otherwise in files."""
ON_LINKS = frozenset({"pump", "footbridge", "clear", "reserve"})
_SHOWN = 12
"""Hexes or links that a line lists."""


def preview_lines(seat: Seat, order: Order, lang: str) -> list[str]:
    """Return what an order would do, as far as the team knows."""
    seen = preview(seat.known, order)
    if seen.refusal is not None:
        why = refused(seen.refusal, lang)
        lines = [say("would_refuse", lang, rule=seen.refusal.rule, why=why)]
    else:
        lines = [say("would_take", lang, n=seen.orders_left, of=seat.view.orders)]
    if isinstance(order, Alert):
        lines += _brush_lines(seat, seen, lang)
    elif isinstance(order, Forecast):
        lines.append(say("painted", lang, n=len(seen.cells)))
    elif isinstance(order, UNIT_ORDERS) and seen.journey is not None:
        lines.append(_way_line(seat, seen.journey, lang))
    if seen.refusal is None and seen.effect is not None and isinstance(order, UNIT_ORDERS):
        lines.append(say("effect", lang, turn=seen.effect))
    return lines


def _brush_lines(seat: Seat, seen: Preview, lang: str) -> list[str]:
    if not seen.cells:
        return []
    lines = [say("touched", lang, n=len(seen.cells), fresh=len(seen.fresh))]
    if seen.fresh:
        said = quarters_said(seat.district, lang)
        names = ", ".join(said[quarter] for quarter in seen.quarters)
        lines.append(say("rolls", lang, n=len(seen.quarters), names=names))
    return lines


def _way_line(seat: Seat, way: Journey, lang: str) -> str:
    stops = ", ".join(seat.district.sheet.label(cell) for cell in way.stops[:_SHOWN])
    if way.arrives is None:
        return say("never", lang, stops=stops)
    return say("arrives", lang, n=len(way.links), turn=way.arrives, stops=stops)


def hints_lines(seat: Seat, unit: str, lang: str) -> list[str]:
    """Return what a unit may be ordered now, and where."""
    found = targets(seat.known, unit)
    if not found:
        return [say("no_hint", lang)]
    return [_hint(seat, key, places, lang) for key, places in found.items()]


def _hint(seat: Seat, key: str, places: tuple[int, ...], lang: str) -> str:
    sheet = seat.district.sheet
    shown = [
        "-".join(map(sheet.label, sheet.edges[place].tolist()))
        if key in ON_LINKS
        else sheet.label(place)
        for place in places[:_SHOWN]
    ]
    if len(places) > _SHOWN:
        shown.append(say("more", lang, n=len(places) - _SHOWN))
    word = COMMANDS[COMMAND_OF.get(key, key)].word(lang)
    return say("hint", lang, order=word, places=", ".join(shown))
