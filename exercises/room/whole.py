"""What an instructor sees of a room: every team as it believes and as it is, presence, orders."""

from typing import Any

from exercises.family import INSTRUCTOR
from exercises.flood_family import FLOOD
from exercises.map_frames import frames_at
from exercises.room.moment import now_of, said_events, timer_of
from exercises.room.rooms import Room
from gis.webmap import turns_data
from sim.rules import TIMERS
from sim.severity_words import ladder_words

Plain = dict[str, Any]
LAST_EVENTS = 60
"""Events of a team that the console is sent each time: the whole log is in the debrief."""


def whole_of(room: Room, lang: str) -> Plain:
    """Return all that the instructor's page shows of now."""
    world = room.world
    changes = room.changes
    return {
        "seq": changes,
        "held": room.is_held,
        "truth": {
            "level": world.level,
            "stands_for": ladder_words(world.district, lang)[world.level],
            "sha256": room.truth_sha256,
            "opened": room.proof,
        },
        "timer_seconds": TIMERS[world.scenario.timer].seconds,
        "turns": world.turns,
        "teams": [team_of(room, key, lang) for key in room.keys],
    }


def team_of(room: Room, key: str, lang: str) -> Plain:
    """Return a team as it is: what it believes, what is true, who sits there, what it did."""
    moment, desk = room.moment(key), room.desk(key)
    world, state = moment.world, moment.state.state
    total = len(room.events(key, INSTRUCTOR))
    since = max(0, total - LAST_EVENTS)
    events = room.events(key, INSTRUCTOR, since)
    # as the team sees it, with what it saw left out: the instructor's events hold all of it
    now = now_of(moment, desk.district, "", (), 0, lang)
    at = min(moment.turn, world.turns)
    return {
        **{
            name: now[name]
            for name in ("turn", "phase", "clock", "pending", "orders_left", "bulletin", "over")
        },
        "key": key,
        "name": moment.name,
        "present": dict(desk.present),
        "timer": timer_of(moment.timer),
        "view": now["view"],
        "frame": turns_data(world.district, frames_at(world, (state,), (at,), lang)),
        "believed": now["frame"],
        "events": said_events(events, world.district, lang),
        "events_from": since,
        "score": FLOOD.score(moment.state),
    }
