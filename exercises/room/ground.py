"""What a page is told once: the board of the district, the rules' tables, how an order is sent."""

from collections.abc import Iterable
from typing import Any

from exercises.order_forms import ORDER_KINDS, field_words, orders_schema, required_fields
from exercises.room.team_words import team_words
from exercises.voice import Voice, voice
from gis.webmap_codec import pack
from sim.alerts import has_sirens
from sim.cards import STRIKES
from sim.orders import FREE
from sim.rules import (
    ACTIONS,
    CARDS,
    CONFIDENCES,
    EVERY_SEAT_ORDERS,
    HOURS,
    PROTECTIONS,
    RULES_VERSION,
    SEATS,
    STAFFING,
    TIMERS,
    TURN_MIN,
    UNITS,
    WATERS,
    Protection,
    Seat,
)
from sim.world import World

Plain = dict[str, Any]


def ground_of(board: Plain, world: World, lang: str) -> Plain:
    """Return the board, the rules and the schema of orders; nothing that changes, nothing hidden.

    Parameters
    ----------
    board : dict
        As ``gis.webmap.board_data`` gives it; it is left as it was.
    world : World
        Of its scenario what is read before the first decision is told (§8): hour, day, gathering,
        staff, credibility, timer, and the people to shelter of every hex.
    lang : {"fr", "en"}
    """
    hexes = {**board["hexes"], "toShelter": pack(world.situation.to_shelter)}
    return {
        "board": {**board, "hexes": hexes},
        "rules": rules_of(world, lang),
        "schema": orders_schema(),
    }


def rules_of(world: World, lang: str) -> Plain:
    """Return the tables that a page prints, and the initial situation."""
    say, scenario, district = voice(lang), world.scenario, world.district
    gathering = scenario.gathering
    return {
        "version": RULES_VERSION,
        "district": district.name,
        "turns": world.turns,
        "turn_minutes": TURN_MIN,
        "situation": {
            "hour": world.hour,
            "hour_label": say.label(HOURS[world.hour]),
            "weekend": scenario.weekend,
            "half_staff": scenario.half_staff,
            "credibility": scenario.credibility,
            "gathering": None
            if gathering is None
            else {"hex": district.sheet.label(gathering.cell), "people": gathering.people},
            "to_shelter": int(world.situation.to_shelter.sum()),
            "places": sum(shelter.places for shelter in district.shelters),
            "timer_seconds": TIMERS[scenario.timer].seconds,
        },
        "staffing": [
            {
                "from_turn": row.from_turn,
                "orders": row.orders,
                "brush_radius": row.brush_radius,
                "label": say.label(row),
            }
            for row in STAFFING
        ],
        "waters": [
            {"class": int(water), "from_mm": row.from_mm, "label": say.label(row)}
            for water, row in WATERS.items()
        ],
        "units": _labelled(UNITS, say, mobility="mobility"),
        "actions": _labelled(ACTIONS, say, set_up_turns="set_up_turns"),
        "protections": _labelled({key: PROTECTIONS[key] for key in Protection}, say),
        "confidences": _labelled(CONFIDENCES, say, percent="percent"),
        "cards": [
            {**entry, "strikes": STRIKES[card]}
            for card, entry in zip(CARDS, _labelled(CARDS, say), strict=True)
        ],
        "seats": [_seat(seat, say) for seat in SEATS],
        "orders": [_kind(key, lang) for key in ORDER_KINDS],
        "sirens": has_sirens(district).tolist(),
        "words": team_words(lang),
    }


def _labelled(table: Any, say: Voice, **fields: str) -> list[Plain]:
    return [
        {
            "key": key.name.lower() if isinstance(key.value, int) else key.value,
            "label": say.label(row),
            **{name: getattr(row, field) for name, field in fields.items()},
        }
        for key, row in table.items()
    ]


def _seat(seat: Seat, say: Voice) -> Plain:
    row = SEATS[seat]
    orders: Iterable[str] = ORDER_KINDS if seat is Seat.DIRECTOR else row.orders
    return {
        "key": seat.value,
        "label": say.label(row),
        "orders": sorted({*orders, *EVERY_SEAT_ORDERS, *(("move",) if row.moves else ())}),
        "moves": [kind.value for kind in row.moves],
        "channels": [channel.value for channel in row.channels],
    }


def _kind(key: str, lang: str) -> Plain:
    kind = ORDER_KINDS[key]
    return {
        "key": key,
        "free": issubclass(kind, FREE),
        "fields": field_words(kind, lang),
        "required": list(required_fields(kind)),
    }
