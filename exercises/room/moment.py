"""What a page is told of a moment of a team: its view, in plain values and in words.

Everything for a team is made from its side's view and from the events that this side saw.
"""

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

from exercises.event_words import told
from exercises.flood_family import FLOOD, UNVEILED_SCORES, FloodState
from exercises.moment_words import bulletin_text, clock
from exercises.order_forms import FaultyOrderError, order_from
from exercises.order_words import ordered, refused
from exercises.room.believed import frame_of
from exercises.room.desks import Moment, side_of
from exercises.room.rooms import Room
from exercises.room.timers import TimeLeft
from gis.quarter_names import quarters_said
from sim.district import District
from sim.events import AlertRolled, Event, link_label
from sim.orders import LINK_ORDERS, Order, order_key
from sim.preview import Preview
from sim.public_screen import FORECAST, OVER, PLAY
from sim.refusal import Refusal
from sim.rules import Seat
from sim.seat_view import SeatView, seat_view
from sim.seats import PUBLIC, seat_of_side
from sim.state import plain
from sim.view import View, view_for

Plain = dict[str, Any]
ON_LINKS = frozenset(order_key(kind) for kind in LINK_ORDERS) | {"reserve"}
"""Kinds of order whose targets are links."""


# --------------------------------------------------------------------------- what is known
def view_of(state: FloodState, side: str) -> View | SeatView:
    """Return what the team, or one of its seats, knows (§6, 9.7)."""
    world = state.world
    view = view_for(state.state, world.hour, world.turns, world.scenario.timer)
    seat = seat_of_side(side)
    if seat is None or seat is Seat.DIRECTOR:
        return view
    return seat_view(world.district, view, seat)


def now_of(
    moment: Moment,
    district: District,
    seat: str,
    events: Sequence[Event],
    since: int,
    lang: str,
) -> Plain:
    """Return all that a team's page shows of now, but for the timer, which runs by itself.

    Parameters
    ----------
    moment : Moment
    district : District
        As its players know it.
    seat : str
        '' for the whole team in one.
    events : sequence of Event
        What the seat saw happen since the start, but for the first ``since``.
    since : int
    lang : {"fr", "en"}
    """
    side = side_of(seat)
    view = view_of(moment.state, side)
    return {
        "seq": moment.seq[side],
        "team": {"key": moment.key, "name": moment.name},
        "seat": seat,
        "turn": view.turn,
        "turns": view.turns,
        "phase": FORECAST if view.turn < 1 else OVER if moment.is_over else PLAY,
        "clock": clock(view.hour, view.turn, lang),
        "view": plain(view),
        "frame": frame_of(district, view, lang),
        "pending": [
            {
                "number": one.number,
                "said": _capital(ordered(one.order, district, lang)),
                "seat": moment.seats[one.number - 1],
                "by_me": moment.seats[one.number - 1] == seat,
                "reason": one.order.reason,
            }
            for one in view.pending
        ],
        "orders_left": view.orders_left,
        "events": said_events(events, district, lang),
        "events_from": since,
        "events_total": since + len(events),
        "bulletin": bulletin_text(view.bulletin, district.is_literal, lang),
        "messages": [{"turn": one.turn, "text": one.text} for one in moment.messages],
        "over": moment.is_over,
        "score": unveiled_score(moment) if moment.all_over else None,
    }


def public_team(room: Room, moment: Moment, lang: str) -> Plain:
    """Return what the public screen shows of a team, but for the timer (§6.4).

    The storm is unveiled once nobody plays it any more.
    """
    view = FLOOD.view(moment.state, PUBLIC, moment.turn)
    if not moment.all_over:  # another team still plays the same storm
        view = {**view, "unveiled": None}
    district = room.desk(moment.key).district
    return {
        "key": moment.key,
        "name": moment.name,
        "view": view,
        "clock": clock(view["hour"], view["turn"], lang),
        "bulletin": bulletin_text(tuple(view["bulletin"]), district.is_literal, lang),
        "events": said_events(room.events(moment.key, PUBLIC), district, lang),
        "over": moment.is_over,
    }


def unveiled_score(moment: Moment) -> Plain:
    """Return of the score what is shown once all is over: no seed, no hash (§12)."""
    score = FLOOD.score(moment.state)
    return {name: score[name] for name in UNVEILED_SCORES}


def said_events(events: Sequence[Event], district: District, lang: str) -> list[Plain]:
    """Return events as sentences, each with its rule, its kind and whether a roll failed."""
    return [_SAID.of(event, district, lang) for event in events]


class _Said:
    """Events in words: a page is told all since the start, again and again."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, Lock()
        # the event itself is kept beside its words: nothing else takes its place in memory
        self._kept: dict[tuple[int, int, str], tuple[Event, District, Plain]] = {}

    def of(self, event: Event, district: District, lang: str) -> Plain:
        name = (id(event), id(district), lang)
        with self._lock:
            if found := self._kept.get(name):
                return found[2]
        said = {
            "turn": event.turn,
            "said": told(event, district, lang),
            "rule": event.rule,
            "kind": type(event).__name__,
            "failed": getattr(event, "success", True) is False,
            "quarter": event.quarter if isinstance(event, AlertRolled) else None,
        }
        with self._lock:
            while len(self._kept) >= self._most:
                self._kept.pop(next(iter(self._kept)))
            self._kept[name] = (event, district, said)
        return said


_SAID = _Said(20_000)
"""Some megabytes: what a class of eight meets in thirty turns is less."""


def timer_of(left: TimeLeft | None) -> Plain | None:
    """Return the timer of a turn, seconds; None where there is none."""
    if left is None:
        return None
    return {"seconds": left.seconds, "left": round(left.left, 1), "held": left.held}


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# --------------------------------------------------------------------------- orders
def order_of(district: District, entry: Mapping[str, Any], turn: int, reason: str) -> Order:
    """Return the order that a page sends: as a line of an order file, the turn taken from now.

    Raises
    ------
    FaultyOrderError
        If it is none.
    """
    return order_from(district, {"turn": turn, **entry, "reason": reason})


def said_refusal(refusal: Refusal | None, lang: str) -> Plain | None:
    """Return why an order is refused, with the rule's number; None where it is not."""
    if refusal is None:
        return None
    return {"rule": refusal.rule, "said": _capital(refused(refusal, lang))}


def said_preview(district: District, seen: Preview, lang: str) -> Plain:
    """Return what an order would do, hexes by their numbers and quarters by their names."""
    sheet, way = district.sheet, seen.journey
    return {
        "price": seen.cost,
        "orders_left": seen.orders_left,
        "refusal": said_refusal(seen.refusal, lang),
        "cells": [sheet.label(cell) for cell in seen.cells],
        "fresh": [sheet.label(cell) for cell in seen.fresh],
        "quarters": [quarters_said(district, lang)[number] for number in seen.quarters],
        "way": None
        if way is None
        else {
            "cells": [sheet.label(cell) for cell in way.cells],
            "stops": [sheet.label(cell) for cell in way.stops],
        },
        "arrives": None if way is None else way.arrives,
        "effect": seen.effect,
    }


def said_targets(district: District, found: Mapping[str, Sequence[int]]) -> dict[str, list[str]]:
    """Return hexes and links by their signs, by kind of order."""
    sheet = district.sheet
    return {
        kind: [
            link_label(sheet, place) if kind in ON_LINKS else sheet.label(place) for place in places
        ]
        for kind, places in found.items()
    }


__all__ = [
    "FaultyOrderError",
    "now_of",
    "order_of",
    "said_events",
    "said_preview",
    "said_refusal",
    "said_targets",
    "timer_of",
    "unveiled_score",
    "view_of",
]
