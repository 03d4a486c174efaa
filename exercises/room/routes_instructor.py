"""The instructor's pages: everything is seen, turns are advanced (§13, 14, 18)."""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from exercises.family import INSTRUCTOR
from exercises.room.routes import (
    classroom_of,
    ground,
    join,
    lang_of,
    live,
    page,
    require,
    told,
)
from exercises.room.security import body_of, object_of
from exercises.room.whole import whole_of

PREFIX = "/i"


async def _join(request: Request) -> Response:
    return await join(request, PREFIX)


def _page(request: Request) -> Response:
    return page(request, "console.html")


def _ground(request: Request) -> Response:
    require(request, PREFIX)
    return ground(request)


def _now(request: Request) -> Response:
    require(request, PREFIX)
    return told(whole_of(classroom_of(request).room, lang_of(request)))


async def _sent(request: Request) -> dict[str, Any]:
    await run_in_threadpool(require, request, PREFIX)
    return object_of(await body_of(request))


def _team_of(sent: dict[str, Any]) -> str | None:
    team = sent.get("team")
    if team is not None and not isinstance(team, str):
        raise ValueError('"team" is the key of a team, or null for all')
    return team


async def _advance(request: Request) -> Response:
    sent = await _sent(request)
    room = classroom_of(request).room
    await run_in_threadpool(room.advance, _team_of(sent))
    return told({"changes": room.changes})


async def _hold(request: Request) -> Response:
    sent = await _sent(request)
    held = sent.get("held")
    if not isinstance(held, bool):
        raise ValueError('"held" is true or false')
    room = classroom_of(request).room
    await run_in_threadpool(room.hold, held)
    return told({"held": held})


async def _live(socket: WebSocket) -> None:
    room = classroom_of(socket).room
    try:
        await run_in_threadpool(require, socket, PREFIX)
    except HTTPException:
        await socket.close(1008)
        return
    await live(
        socket,
        lambda hears: room.listen(INSTRUCTOR, hears),
        lambda: {"seq": room.changes},
    )


INSTRUCTOR_ROUTES = [
    Route("/join", _join),
    Route("/", _page),
    Route("/api/ground", _ground),
    Route("/api/now", _now),
    Route("/api/advance", _advance, methods=["POST"]),
    Route("/api/hold", _hold, methods=["POST"]),
    WebSocketRoute("/api/live", _live),
]
