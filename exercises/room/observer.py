"""What an observer looks at: a past turn of a team, the storm before class, the unveiling after."""

from typing import Any

import numpy as np

from exercises.event_words import told
from exercises.family import INSTRUCTOR
from exercises.flood_family import FloodState
from exercises.map_frames import frames_at
from exercises.mild_storm import WORTH_PLAYING
from exercises.moment_words import bulletin_text, clock
from exercises.order_words import ordered
from exercises.room.believed import frame_of
from exercises.room.desks import ORDER_EVENTS, Desk
from exercises.room.moment import said_events, said_refusal, unveiled_score
from exercises.room.rooms import Room
from gis.webmap_turns import turns_data
from sim.district import District
from sim.errors import ExerciseError
from sim.events import Event, OrderRefused, OrderWithdrawn
from sim.refusal import refuse
from sim.rules import TURNS
from sim.score import score, turns_counted
from sim.severity_words import ladder_words
from sim.state import State
from sim.view import view_for
from sim.window import threatened_share
from sim.world import World

Plain = dict[str, Any]


def turn_of(room: Room, key: str, turn: int, lang: str) -> Plain:
    """Return a turn of a team: as it saw it when it gave its orders, and as it was.

    Parameters
    ----------
    room : Room
    key : str
    turn : int
        From 0, the forecast, to the turn whose orders are awaited, or the end.
    lang : {"fr", "en"}

    Returns
    -------
    dict
        ``frame`` has what was true, ``believed`` what the team saw, both as ``turns_data`` gives
        them for one moment; ``orders`` and ``events`` are the turn's, refused orders too.

    Raises
    ------
    ExerciseError
        If there is no such team, or it has not come to that turn.
    """
    desk, moment = room.desk(key), room.moment(key)
    if not 0 <= turn <= moment.turn:
        raise ExerciseError(
            refuse(
                "18",
                "turn {turn}: {team} has played up to turn {now}",
                turn=turn,
                team=desk.name,
                now=moment.turn,
            )
        )
    shown = moment.state if turn == moment.turn else desk.opened[turn]
    world, state = shown.world, shown.state
    view = view_for(state, world.hour, world.turns, world.scenario.timer)
    events = [
        event
        for event in room.events(key, INSTRUCTOR)
        if event.turn == turn and not isinstance(event, ORDER_EVENTS)
    ]
    return {
        "turn": turn,
        "clock": clock(world.hour, turn, lang),
        "night": view.night,
        "bulletin": bulletin_text(view.bulletin, world.district.is_literal, lang),
        "frame": _moment_frame(shown, lang),
        "believed": frame_of(desk.district, view, lang),
        "orders": [
            _order(event, seat, world.district, lang) for event, seat in room.given(key, turn)
        ],
        "events": said_events(events, world.district, lang),
    }


def _moment_frame(shown: FloodState, lang: str) -> Plain:
    world = shown.world
    at = min(shown.state.turn, world.turns)
    return turns_data(world.district, frames_at(world, (shown.state,), (at,), lang))


def _order(event: Event, seat: str, district: District, lang: str) -> Plain:
    """What became of an order: ``why`` it was refused, '' where it was not."""
    assert isinstance(event, ORDER_EVENTS)
    withdrawn = isinstance(event, OrderWithdrawn)
    said = told(event, district, lang) if withdrawn else ordered(event.order, district, lang)
    refusal = said_refusal(event.refusal if isinstance(event, OrderRefused) else None, lang)
    return {
        "said": said[:1].upper() + said[1:],
        "seat": seat,
        "reason": event.order.reason,
        "why": refusal["said"] if refusal else "",
    }


def storm_of(room: Room, lang: str) -> Plain:
    """Return the storm of a room, for its instructor before class, as ``storm_told`` has it."""
    return storm_told(room.world, room.desk(room.keys[0]).opened[0].state, lang)


def storm_told(world: World, start: State, lang: str) -> Plain:
    """Return the storm as it will be, with nothing done about it.

    ``first_cut`` and ``half_cut`` are the turns at which the first and half of those to shelter who
    are threatened have lost their last way (§12.2); null where nobody is threatened. Where
    ``is_mild``, almost nobody is.

    Parameters
    ----------
    world : World
    start : State
        Before the first order.
    lang : {"fr", "en"}
    """
    turns = range(world.turns + 1)
    people = world.situation.to_shelter[world.threatened]
    cut = world.first_cut[world.threatened]
    return {
        "level": world.level,
        "is_mild": threatened_share(world) < WORTH_PLAYING,
        "usual_turns": TURNS,
        "stands_for": ladder_words(world.district, lang)[world.level],
        "clocks": [clock(world.hour, turn, lang) for turn in turns],
        "frame": turns_data(world.district, frames_at(world, (start,) * len(turns), turns, lang)),
        "threatened": int(people.sum()),
        "threatened_hexes": int((people > 0).sum()),
        "first_cut": _turn_of_share(cut, people, 0.0),
        "half_cut": _turn_of_share(cut, people, 0.5),
        "maximum": score(world, start).maximum,
    }


def _turn_of_share(cut: np.ndarray, people: np.ndarray, share: float) -> int | None:
    """First turn by which more than nobody, and at least a share of the people, are cut off."""
    for turn in np.unique(cut[people > 0]).tolist():
        if people[cut <= turn].sum() >= max(1, share * people.sum()):
            return int(turn)
    return None


def unveiled_of(room: Room, lang: str) -> Plain:
    """Return the storm, and what each team knew, forecast and reached; once all teams are over.

    Raises
    ------
    ExerciseError
        While a team still plays.
    """
    moments = {key: room.moment(key) for key in room.keys}
    if not all(moment.all_over for moment in moments.values()):
        raise ExerciseError(
            refuse("6.4", "a team still plays: the storm is unveiled once all are through (§6.4)")
        )
    world = room.world
    return {
        "level": world.level,
        "stands_for": ladder_words(world.district, lang)[world.level],
        "cut_on_foot": np.flatnonzero(world.cut_on_foot).tolist(),
        "teams": [
            {
                "key": key,
                "name": moment.name,
                "frame": _storm_frames(room.desk(key), lang),
                "turns_played": turns_counted(moment.state.state),
                "forecast": list(moment.state.state.forecast),
                "score": unveiled_score(moment),
            }
            for key, moment in moments.items()
        ],
    }


def _storm_frames(desk: Desk, lang: str) -> Plain:
    """Every turn of the storm, as a map of the exercise shows them.

    Those after an early end are of the storm alone: what the team knew and did stays as it was.
    """
    world = desk.state.world
    # the turn that opened last and was not played, or does not exist, shows as the end
    before = desk.opened[: max(1, len(desk.opened) - 2)]
    end = desk.state.state
    states = (*(one.state for one in before), *[end] * (world.turns + 1 - len(before)))
    return turns_data(world.district, frames_at(world, states, range(world.turns + 1), lang))
