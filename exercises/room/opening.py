"""Which room a user means: one that stands in its folder, or a new one on a district."""

from collections.abc import Callable
from pathlib import Path

# told before anything is written: a room without them cannot be served
import segno  # noqa: F401
import starlette  # noqa: F401
import uvicorn  # noqa: F401
import websockets  # noqa: F401

from exercises.chain import ExerciseOptions
from exercises.room.folder import RoomOptions, create_room, is_room
from exercises.voice import voice

Tell = Callable[[str, float], None]


def open_room(
    place: Path,
    out: Path | None,
    teams: tuple[str, ...] | None,
    options: ExerciseOptions,
    own_seeds: bool,
    tell: Tell,
) -> Path:
    """Return the folder of the room meant, written where it is new.

    Parameters
    ----------
    place : Path
        A room, or a district pack.
    out : Path, optional
        Of a new room; beside nothing else, ``DISTRICT-room`` where one stands.
    teams : tuple of str, optional
        Names; one team without.
    options : ExerciseOptions
    own_seeds : bool
    tell : callable

    Raises
    ------
    AverseError
        If the pack, a name or a setting is at fault, or there is a room already.
    """
    if is_room(place):
        return place
    folder = out or Path(f"{place.resolve().name}-room")
    names = teams or (voice(options.lang).phrase("Team {n}", n=1),)
    create_room(place, folder, RoomOptions(names, options, own_seeds), tell)
    return folder
