"""The public screen: what a projector may show while a class plays, and the unveiling (§6.4)."""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from exercises.room.console_words import public_page
from exercises.room.moment import timer_of
from exercises.room.observer import unveiled_of
from exercises.room.routes import (
    answer,
    classroom_of,
    ground,
    join,
    lang_of,
    live,
    page_behind,
    require,
    told,
)
from sim.seats import PUBLIC

PREFIX = "/p"
Plain = dict[str, Any]


async def _join(request: Request) -> Response:
    return await join(request, PREFIX)


def _page(request: Request) -> Response:
    return page_behind(request, PREFIX, "public.html", **public_page(lang_of(request)))


def _ground(request: Request) -> Response:
    require(request, PREFIX)
    return ground(request)


def _now(request: Request) -> Response:
    require(request, PREFIX)
    return answer(request, classroom_of(request).public(lang_of(request)))


def _proof(request: Request) -> Response:
    require(request, PREFIX)
    room = classroom_of(request).room
    return told({"sha256": room.truth_sha256, "opened": room.proof})


def _unveiled(request: Request) -> Response:
    require(request, PREFIX)
    classroom, lang = classroom_of(request), lang_of(request)
    return told(classroom.kept(("unveiled", lang), lambda: unveiled_of(classroom.room, lang)))


async def _live(socket: WebSocket) -> None:
    room = classroom_of(socket).room
    try:
        await run_in_threadpool(require, socket, PREFIX)
    except HTTPException:
        await socket.close(1008)
        return

    def pulse() -> Plain:
        seq, timer = room.public_pulse()
        return {"seq": seq, "timer": timer_of(timer)}

    await live(socket, PREFIX, lambda hears: room.listen(PUBLIC, hears), pulse)


PUBLIC_ROUTES = [
    Route("/join", _join),
    Route("/", _page),
    Route("/api/ground", _ground),
    Route("/api/now", _now),
    Route("/api/proof", _proof),
    Route("/api/unveiled", _unveiled),
    WebSocketRoute("/api/live", _live),
]
