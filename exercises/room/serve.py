"""``averse serve``: a room on the class's own network, its links and QR codes in the console."""

import contextlib
import logging
import socket
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import segno
import uvicorn

from exercises.room.address import own_names, shown_address
from exercises.room.classroom import Classroom, team_prefix
from exercises.room.folder import pack_of
from exercises.room.rooms import Room
from exercises.room.routes_instructor import PREFIX as INSTRUCTOR
from exercises.room.routes_public import PREFIX as PUBLIC
from exercises.room.server import app_of
from exercises.voice import voice

PING_SECONDS = 20
_LARGEST_MESSAGE_BYTES = 4_096
_CLOSING_SECONDS = 2


def serve_room(
    folder: Path,
    listening: socket.socket,
    host: str,
    *,
    pack: Path | None = None,
    lang: str | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Open a room and serve it until it is stopped.

    Parameters
    ----------
    folder : Path
        Of the room.
    listening : socket
        As ``address.listen`` gives it; it is left open.
    host : str
        What it listens on.
    pack : Path, optional
        District pack, where it is no longer where it was.
    lang : {"fr", "en"}, optional
        Language of the console and of pages that ask for none; the room's when left out.
    say : callable
        Prints a line.

    Raises
    ------
    AverseError
        If the room is in use by another process or cannot be believed.
    """
    with Room(folder) as room:
        room.lang = lang or room.lang
        classroom = Classroom(room, pack_of(folder, pack))
        classroom.address = shown_address(host)
        _print_links(classroom, int(listening.getsockname()[1]), say)
        with contextlib.closing(classroom), contextlib.suppress(KeyboardInterrupt):
            # uvicorn raises again the signal that it was stopped by
            server_of(classroom, own_names(host)).run(sockets=[listening])
        say("")
        say(voice(room.lang).phrase("The room is closed; all of it is in its journals."))


def server_of(classroom: Classroom, names: tuple[str, ...] = ()) -> uvicorn.Server:
    """Return what serves a room: no header tells of the program or of its clock."""
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    config = uvicorn.Config(
        app_of(classroom, names),
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        ws="websockets-sansio",
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_max_size=_LARGEST_MESSAGE_BYTES,
        timeout_graceful_shutdown=_CLOSING_SECONDS,
        lifespan="on",
    )
    return uvicorn.Server(config)


def _print_links(classroom: Classroom, port: int, say: Callable[[str], None]) -> None:
    """Print a link to each prefix, and for a team its QR code; links of before stay good."""
    room, words = classroom.room, voice(classroom.room.lang)
    base = f"http://{classroom.address}:{port}"
    say(words.phrase("The room is open at {address}", address=base))
    ways = [(words.phrase("Instructor"), INSTRUCTOR), (words.phrase("Public screen"), PUBLIC)]
    ways += [(room.desk(key).name, team_prefix(key)) for key in room.keys]
    for who, prefix in ways:
        link = f"{base}{prefix}/join?token={classroom.token(prefix)}"
        say("")
        say(f"{who}: {link}")
        if prefix not in {INSTRUCTOR, PUBLIC}:
            say(qr_code(link))
    say("")
    say(
        words.phrase(
            "Ctrl-C closes it; `averse serve {room}` opens it again", room=str(room.folder)
        )
    )


def qr_code(text: str) -> str:
    """Return a QR code for a terminal, two rows of it a line."""
    out = StringIO()
    segno.make(text, error="m", micro=False).terminal(out, compact=True, border=2)
    return out.getvalue().rstrip("\n")
