"""Which room a user means: one that stands in its folder, or a new one on a district."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

# told before anything is written: a room without them cannot be served
import segno  # noqa: F401
import starlette  # noqa: F401
import uvicorn  # noqa: F401
import websockets  # noqa: F401

from exercises.room.boards import keep_board
from exercises.room.folder import RoomOptions, create_room, is_room
from exercises.voice import voice

if TYPE_CHECKING:
    from exercises.scenario_model import ScenarioFile

Tell = Callable[[str, float], None]


def open_room(
    place: Path, out: Path | None, file: Path | None, given: Mapping[str, Any], tell: Tell
) -> Path:
    """Return the folder of the room meant, written where it is new.

    Parameters
    ----------
    place : Path
        A room, or a district pack.
    out : Path, optional
        Of a new room; beside nothing else, ``DISTRICT-room`` where one stands.
    file : Path, optional
        Scenario, TOML.
    given : mapping
        What was given on the command line, by the keys of a scenario: it wins.
    tell : callable

    Raises
    ------
    AverseError
        If the pack, a name or a setting is at fault, or there is a room already.
    """
    if is_room(place):
        return place
    # a room that stands does without what reads a scenario
    from exercises.scenario_file import read_scenario, scenario_of_options

    if file is None:
        scenario = scenario_of_options(given, place)
    else:
        scenario = read_scenario(file, place, over=given, lang=given.get("lang"))
    folder = out or room_beside(place)
    create_room(place, folder, room_options(scenario), tell)
    keep_board(folder, place, scenario.lang, lambda share: tell("maps", share))
    return folder


def room_beside(pack: Path | None) -> Path:
    """Return where the room of a district goes when nobody says where."""
    # a loop of links has no place: it is told once the pack is read
    return Path("room" if pack is None else f"{Path(os.path.realpath(pack)).name}-room")


def room_options(scenario: "ScenarioFile") -> RoomOptions:
    """Return what a scenario asks of a room; it has one team where none is named."""
    from exercises.scenario_model import exercise_of

    names = tuple(scenario.teams) or (voice(scenario.lang).phrase("Team {n}", n=1),)
    return RoomOptions(names, exercise_of(scenario), scenario.own_seeds)
