"""``averse serve``: a room on the class's own network, its links and QR codes in the console."""

import contextlib
import logging
import socket
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import segno
import uvicorn

from exercises.room.classroom import Classroom
from exercises.room.folder import pack_of
from exercises.room.rooms import Room
from exercises.room.routes_instructor import PREFIX as INSTRUCTOR
from exercises.room.routes_public import PREFIX as PUBLIC
from exercises.room.server import app_of
from exercises.voice import voice
from sim.errors import ExerciseError

ANYWHERE = "0.0.0.0"
DEFAULT_PORT = 8000
PING_SECONDS = 20
_BACKLOG = 128
_LARGEST_MESSAGE_BYTES = 4_096


@dataclass(frozen=True, slots=True)
class Link:
    """A way into a room."""

    who: str
    address: str


def serve_room(
    folder: Path,
    *,
    host: str = ANYWHERE,
    port: int = DEFAULT_PORT,
    pack: Path | None = None,
    lang: str | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Open a room and serve it until it is stopped.

    Parameters
    ----------
    folder : Path
        Of the room.
    host : str
        Address to listen on; ``0.0.0.0`` is every network of this machine.
    port : int
        0 takes any that is free.
    pack : Path, optional
        District pack, where it is no longer where it was.
    lang : {"fr", "en"}, optional
        Language of the console and of pages that ask for none; the room's when left out.
    say : callable
        Prints a line.

    Raises
    ------
    AverseError
        If the room is in use by another process or cannot be believed, or the port is taken.
    """
    listening = _listen(host, port)
    with closing(listening):
        found = pack_of(folder, pack)
        with Room(folder) as room:
            room.lang = lang or room.lang
            classroom = Classroom(room, found)
            port = int(listening.getsockname()[1])
            _print_links(room, shown_address(host), port, say)
            config = uvicorn.Config(
                app_of(classroom, own_names()),
                log_level="warning",
                access_log=False,
                server_header=False,
                date_header=False,
                ws="websockets-sansio",
                ws_ping_interval=PING_SECONDS,
                ws_ping_timeout=PING_SECONDS,
                ws_max_size=_LARGEST_MESSAGE_BYTES,
                timeout_graceful_shutdown=2,
                lifespan="on",
            )
            logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
            # uvicorn raises again the signal that it was stopped by
            with contextlib.suppress(KeyboardInterrupt):
                uvicorn.Server(config).run(sockets=[listening])
            classroom.close()
            say("")
            say(voice(room.lang).phrase("The room is closed; all of it is in its journals."))


def _listen(host: str, port: int) -> socket.socket:
    """Take the port first: a busy one is told before anything is computed."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(_BACKLOG)
    except (OSError, OverflowError, UnicodeError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or error
        raise ExerciseError(
            f"cannot listen on {host}, port {port}: {reason}; give another --port or --host"
        ) from error
    return listening


def shown_address(host: str) -> str:
    """Return the address under which others of the network reach this machine."""
    if host not in {ANYWHERE, "::"}:
        return f"[{host}]" if ":" in host else host
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            # nothing is sent: it only asks which of the machine's addresses would be used
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def own_names() -> tuple[str, ...]:
    """Return names under which a browser may reach this machine."""
    name = socket.gethostname().lower()
    return tuple(dict.fromkeys((name, f"{name}.local")))


def links_of(room: Room, address: str, port: int) -> tuple[Link, ...]:
    """Return new links into a room: instructor, public screen, every team; older ones stay good."""
    base, words = f"http://{address}:{port}", voice(room.lang)
    ways = [(words.phrase("Instructor"), INSTRUCTOR), (words.phrase("Public screen"), PUBLIC)]
    ways += [(room.desk(key).name, f"/t/{key}") for key in room.keys]
    return tuple(
        Link(who, f"{base}{prefix}/join?token={room.book.new_token(prefix)}")
        for who, prefix in ways
    )


def _print_links(room: Room, address: str, port: int, say: Callable[[str], None]) -> None:
    words, base = voice(room.lang), f"http://{address}:{port}"
    say(words.phrase("The room is open at {address}", address=base))
    for number, link in enumerate(links_of(room, address, port)):
        say("")
        say(f"{link.who}: {link.address}")
        if number > 1:  # a team's
            say(qr_code(link.address))
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
