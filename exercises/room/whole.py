"""What an instructor sees of a room: every team as it believes and as it is, and what it did."""

from typing import Any

from exercises.flood_family import FLOOD
from exercises.map_frames import frames_at
from exercises.room.desks import Desk, Moment
from exercises.room.moment import now_of, said_events
from exercises.room.rooms import Room
from gis.webmap_turns import turns_data
from sim.events import Event
from sim.rules import TIMERS
from sim.severity_words import ladder_words

Plain = dict[str, Any]
LAST_EVENTS = 60
"""Events of a team that the console is sent each time: the whole log is in the debrief."""


def room_of(room: Room, lang: str) -> Plain:
    """Return what the instructor's page shows of the room as a whole."""
    world = room.world
    return {
        "seq": room.changes,
        "held": room.is_held,
        "truth": {
            "level": world.level,
            "stands_for": ladder_words(world.district, lang)[world.level],
            "sha256": room.truth_sha256,
            "opened": room.proof,
        },
        "timer_seconds": TIMERS[world.scenario.timer].seconds,
        "turns": world.turns,
    }


def team_of(moment: Moment, desk: Desk, events: tuple[Event, ...], lang: str) -> Plain:
    """Return a team as it is: what it believes, what is true, what it did.

    Parameters
    ----------
    moment : Moment
    desk : Desk
    events : tuple of Event
        All that happened, the hidden included.
    lang : {"fr", "en"}
    """
    world, state = moment.world, moment.state.state
    since = max(0, len(events) - LAST_EVENTS)
    now = now_of(moment, desk.district, "", (), 0, lang)
    at = min(moment.turn, world.turns)
    taken = ("turn", "phase", "clock", "pending", "orders_left", "bulletin", "messages", "over")
    return {
        **{name: now[name] for name in taken},
        "key": moment.key,
        "name": moment.name,
        "view": now["view"],
        "frame": turns_data(world.district, frames_at(world, (state,), (at,), lang)),
        "believed": now["frame"],
        "cards_to_play": [card.card.value for card in state.cards_to_play],
        "events": said_events(events[since:], world.district, lang),
        "events_from": since,
        "score": FLOOD.score(moment.state),
    }
