"""The room over HTTP: its pages, its interface, what it pushes; one application, one room."""

import asyncio
import contextlib
import errno
import logging
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from exercises.fault_words import fault_said
from exercises.journal import FoundAgainError
from exercises.order_forms import FaultyOrderError
from exercises.room.classroom import Classroom
from exercises.room.openapi import described
from exercises.room.page_files import page_files, templates
from exercises.room.rooms import GoneOnError
from exercises.room.routes import (
    classroom_of,
    lang_of,
    one_an_address,
    page,
    require,
    told,
)
from exercises.room.routes_console import CONSOLE_ROUTES
from exercises.room.routes_instructor import INSTRUCTOR_ROUTES
from exercises.room.routes_instructor import PREFIX as INSTRUCTOR
from exercises.room.routes_public import PUBLIC_ROUTES
from exercises.room.routes_team import TEAM_ROUTES
from exercises.room.security import Guard, TooLargeError
from exercises.voice import SOURCE, mark, voice
from sim.errors import AverseError, JournalError

TICK_SECONDS = 0.2
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""Of a disk on which there is no room left: 507, Insufficient Storage (RFC 4918, 11.5)."""

log = logging.getLogger(__name__)


def app_of(classroom: Classroom, hosts: Iterable[str] = ()) -> Starlette:
    """Return the application that serves a room.

    Parameters
    ----------
    classroom : Classroom
    hosts : iterable of str
        Names under which the room is reached, beside its addresses.
    """

    @contextlib.asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        ticking = asyncio.create_task(_tick(classroom))
        # the door is open meanwhile: somebody reads the link, and types it
        warming = asyncio.create_task(asyncio.to_thread(classroom.warm_up))
        try:
            yield
        finally:
            ticking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await ticking
            await warming

    app = Starlette(
        routes=[
            Mount("/t/{key}", routes=TEAM_ROUTES),
            Mount(
                INSTRUCTOR,
                routes=one_an_address(
                    *INSTRUCTOR_ROUTES, *CONSOLE_ROUTES, Route("/api/openapi.json", _description)
                ),
            ),
            Mount("/p", routes=PUBLIC_ROUTES),
            *files_of_pages(),
        ],
        exception_handlers=FAULTS,
        lifespan=running,
    )
    app.state.classroom = classroom
    app.state.pages = templates(page_files())
    app.add_middleware(Guard, hosts=tuple(hosts))
    return app


def files_of_pages() -> list[BaseRoute]:
    """Return the routes of what pages are made of, the same for everybody."""
    return [
        *page_files().routes(),
        Route("/robots.txt", _robots),
    ]


async def _tick(classroom: Classroom) -> None:
    """Resolve turns whose time is up (§14)."""
    while True:
        await asyncio.sleep(TICK_SECONDS)
        try:
            await asyncio.to_thread(classroom.room.tick)
        except AverseError as fault:
            log.error("a turn whose time is up was not resolved: %s", fault)


def _description(request: Request) -> Response:
    require(request, INSTRUCTOR)
    room = classroom_of(request).room
    return told(described(request.app.routes, room.desk(room.keys[0]).district, room.keys))


async def _robots(request: Request) -> Response:
    return PlainTextResponse("User-agent: *\nDisallow: /\n")


def _said(status: int, said: str, headers: Mapping[str, str] | None = None) -> Response:
    response = told({"said": said})
    response.status_code = status
    response.headers.update(headers or {})
    return response


async def _refused(request: Request, fault: Exception) -> Response:
    return await _fault(request, 400, fault)


async def _gone_on(request: Request, fault: Exception) -> Response:
    return await _fault(request, 409, fault)


async def _failed(request: Request, fault: Exception) -> Response:
    log.error("%s", fault)
    return await _fault(request, 500, fault)


async def _unwritten(request: Request, fault: Exception) -> Response:
    """Tell that the system did not let it be read or written: a disk is full, a folder is gone."""
    assert isinstance(fault, OSError)
    if fault.filename is None:
        state = request.app.state
        is_open = hasattr(state, "classroom")
        fault.filename = str(state.classroom.room.folder if is_open else state.preparation.out)
    log.error("%s", fault_said(fault, SOURCE))
    return await _fault(request, 507 if fault.errno in _FULL else 500, fault)


async def _fault(request: Request, status: int, fault: Exception) -> Response:
    """Tell the instructor all of a fault; others nothing of where the room keeps what."""
    if request.url.path.endswith("/join") and hasattr(request.app.state, "pages"):
        log.error("%s", fault)
        return page(request, "refused.html", status=500, why="fault")
    lang = lang_of(request)
    said = fault_said(fault, lang)
    if not request.url.path.startswith(f"{INSTRUCTOR}/"):
        if isinstance(fault, FoundAgainError):
            said = voice(lang).phrase(
                "what was asked before was taken after all, and what was asked now was not: look "
                "at the page, then ask again"
            )
        elif isinstance(fault, JournalError):
            said = voice(lang).phrase(
                "the room's computer cannot write down what is done: tell the instructor, then try "
                "again"
            )
        elif _names_a_place(request, said):
            log.error("%s", fault)
            said = voice(lang).phrase("the room's computer cannot do it: tell the instructor")
    return _said(status, said)


def _names_a_place(request: Request, said: str) -> bool:
    classroom = classroom_of(request)
    return any(str(place) in said for place in (classroom.room.folder, classroom.pack))


async def _too_large(request: Request, fault: Exception) -> Response:
    return _said(413, voice(lang_of(request)).phrase("what was sent is too large"))


async def _left(request: Request, fault: Exception) -> Response:
    """Nobody is there to be answered: who left in the middle of a question is no fault to tell."""
    return Response(status_code=400)


async def _no_such(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, HTTPException)
    said = fault.detail
    if (sentence := _OF_THE_SERVER.get(said, "")) != "":  # who finds addresses speaks English
        said = voice(lang_of(request)).phrase(sentence)
    return _said(fault.status_code, said, fault.headers)


_OF_THE_SERVER: Mapping[str, str] = {
    "Not Found": mark("nothing is at that address"),
    "Method Not Allowed": mark("that address is not asked so"),
}


FAULTS: Mapping[Any, Any] = {
    JournalError: _failed,
    GoneOnError: _gone_on,
    AverseError: _refused,
    FaultyOrderError: _refused,
    ValueError: _refused,
    OSError: _unwritten,
    TooLargeError: _too_large,
    ClientDisconnect: _left,
    HTTPException: _no_such,
}
