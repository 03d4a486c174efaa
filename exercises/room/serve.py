"""``averse serve``: a room, or its preparation, on the class's network; links and QR codes."""

import contextlib
import logging
import socket
from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import segno
import uvicorn
from starlette.types import ASGIApp

from exercises.mild_storm import short_play
from exercises.room.address import BACKLOG, own_names, shown_address
from exercises.room.classroom import Classroom, team_prefix
from exercises.room.connections import Connections, most_here, protocol_with
from exercises.room.folder import pack_of
from exercises.room.opening import room_beside
from exercises.room.rooms import Room
from exercises.room.routes_instructor import PREFIX as INSTRUCTOR
from exercises.room.routes_public import PREFIX as PUBLIC
from exercises.room.server import app_of
from exercises.voice import voice

PING_SECONDS = 20
_LARGEST_MESSAGE_BYTES = 4_096
_CLOSING_SECONDS = 2
_TAKEN_AT_ONCE = 16
"""Connections taken between two looks at how many there are; others wait in the system's queue."""


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


def serve_preparation(
    pack: Path | None,
    out: Path | None,
    given: Mapping[str, Any],
    listening: socket.socket,
    host: str,
    *,
    say: Callable[[str], None] = print,
) -> None:
    """Have a room prepared by its instructor in a browser, then serve it, until it is stopped.

    Parameters
    ----------
    pack : Path, optional
        District pack; without one, it is sent there.
    out : Path, optional
        Where the room goes.
    given : mapping
        What was given on the command line, by the keys of a scenario: it stands in the form.
    listening : socket
    host : str
    say : callable

    Raises
    ------
    AverseError
        If the pack, or what was given, is at fault, or there is a room already.
    """
    # a room in play does without what prepares one
    from exercises.room.preparing import Preparation
    from exercises.room.routes_prepare import Hall

    preparation = Preparation(out or room_beside(pack), pack, given)
    port = int(listening.getsockname()[1])
    words = voice(preparation.lang)
    link = f"http://{shown_address(host)}:{port}{INSTRUCTOR}/join?token={preparation.token}"
    say(words.phrase("Prepare the exercise, and open its room, in your browser:"))
    say("")
    say(words.phrase("{who}: {link}", who=words.phrase("Instructor"), link=link))
    say("")
    say(words.phrase("Ctrl-C ends it; what was chosen is kept for the next time"))

    def opened(classroom: Classroom) -> None:
        classroom.address = shown_address(host)
        say("")
        _print_links(classroom, port, say)

    hall = Hall(preparation, own_names(host), opened)
    with contextlib.suppress(KeyboardInterrupt):
        # uvicorn raises again the signal that it was stopped by
        server_for(hall).run(sockets=[listening])
    if hall.classroom is not None:
        say("")
        say(words.phrase("The room is closed; all of it is in its journals."))


def server_of(classroom: Classroom, names: tuple[str, ...] = ()) -> uvicorn.Server:
    """Return what serves a room."""
    return server_for(app_of(classroom, names))


def server_for(app: ASGIApp) -> uvicorn.Server:
    """Return what serves an application: no header tells of the program or of its clock."""
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        http=protocol_with(Connections(most=most_here())),
        backlog=_TAKEN_AT_ONCE,
        ws="websockets-sansio",
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_max_size=_LARGEST_MESSAGE_BYTES,
        timeout_graceful_shutdown=_CLOSING_SECONDS,
        lifespan="on",
    )
    return _Server(config)


class _Server(uvicorn.Server):
    """Takes few connections at a time, of a queue that is long."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(BACKLOG)  # it was made as short as what is taken at a time


def _print_links(classroom: Classroom, port: int, say: Callable[[str], None]) -> None:
    """Print a link to each prefix, and for a team its QR code; links of before stay good."""
    room, words = classroom.room, voice(classroom.room.lang)
    base = f"http://{classroom.address}:{port}"
    say(words.phrase("The room is open at {address}", address=base))
    ways = [(words.phrase("Instructor"), INSTRUCTOR), (words.phrase("Public screen"), PUBLIC)]
    ways += [(room.desk(key).name, team_prefix(key)) for key in room.keys]
    for who, prefix in ways:
        link = f"{base}{prefix}/join?token={classroom.token(prefix)}"
        line = words.phrase("{who}: {link}", who=who, link=link)
        if prefix == INSTRUCTOR:
            instructor = line
        say("")
        say(line)
        if prefix not in {INSTRUCTOR, PUBLIC}:
            say(qr_code(link))
    # the codes have pushed it off the screen
    say("")
    say(instructor)
    say("")
    say(
        words.phrase(
            "Ctrl-C closes it; `averse serve {room}` opens it again", room=str(room.folder)
        )
    )
    if warning := short_play(room.desk(room.keys[0]).live.start.world, words):
        say("")
        say(warning)


def qr_code(text: str) -> str:
    """Return a QR code for a terminal, two rows of it a line."""
    out = StringIO()
    segno.make(text, error="m", micro=False).terminal(out, compact=True, border=2)
    return out.getvalue().rstrip("\n")
