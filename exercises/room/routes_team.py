"""The pages of a team: what its side sees, what it orders (§6, 9)."""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from exercises.live import LATEST
from exercises.order_forms import FaultyOrderError
from exercises.order_words import refused
from exercises.room.classroom import team_prefix
from exercises.room.desks import side_of
from exercises.room.moment import (
    order_of,
    said_preview,
    said_refusal,
    said_targets,
    timer_of,
)
from exercises.room.routes import (
    answer,
    classroom_of,
    ground,
    join,
    lang_of,
    live,
    number_of,
    page_behind,
    require,
    told,
)
from exercises.room.security import body_of, object_of
from exercises.voice import voice
from sim.errors import ExerciseError
from sim.orders import Order
from sim.refusal import refuse

_ORDER_FIELDS = frozenset({"seat", "order", "reason"})
_SHAPE = '{"seat": "…", "order": {…}, "reason": "…"}'


def _prefix(connection: HTTPConnection) -> str:
    """Return the prefix of the team that an address names.

    Raises
    ------
    HTTPException
        404 where there is no such team.
    """
    key = str(connection.path_params["key"])
    if key not in classroom_of(connection).room.keys:
        raise HTTPException(404, voice(lang_of(connection)).phrase("no such team"))
    return team_prefix(key)


def _key(connection: HTTPConnection) -> str:
    """Return the key of the team that a connection may speak for."""
    require(connection, _prefix(connection))
    return str(connection.path_params["key"])


async def _join(request: Request) -> Response:
    return await join(request, _prefix(request))


def _page(request: Request) -> Response:
    return page_behind(request, _prefix(request), "team.html")


def _ground(request: Request) -> Response:
    _key(request)
    return ground(request)


def _now(request: Request) -> Response:
    key, seat = _key(request), request.query_params.get("seat", "")
    since = number_of(request, "since")
    return answer(request, classroom_of(request).now(key, seat, since, lang_of(request)))


def _proof(request: Request) -> Response:
    _key(request)
    room = classroom_of(request).room
    return told({"sha256": room.truth_sha256, "opened": room.proof})


def _targets(request: Request) -> Response:
    key, asked = _key(request), request.query_params
    room = classroom_of(request).room
    found = room.targets(key, asked.get("seat", ""), asked.get("unit", ""))
    return told(said_targets(room.desk(key).district, found))


async def _orders(request: Request) -> Response:
    key = await run_in_threadpool(_key, request)
    body = await body_of(request)
    return await run_in_threadpool(_give, request, key, body)


def _give(request: Request, key: str, body: bytes) -> Response:
    room = classroom_of(request).room
    read = _order(request, key, body)
    if isinstance(read, Response):
        return read
    seat, order = read
    given = room.give(key, seat, order)
    return told(
        {
            "accepted": given.refusal is None,
            "refusal": said_refusal(given.refusal, lang_of(request)),
            "number": given.number,
            "seq": given.seq,
        }
    )


async def _preview(request: Request) -> Response:
    key = await run_in_threadpool(_key, request)
    body = await body_of(request)
    return await run_in_threadpool(_would, request, key, body)


def _would(request: Request, key: str, body: bytes) -> Response:
    room = classroom_of(request).room
    read = _order(request, key, body)
    if isinstance(read, Response):
        return read
    seat, order = read
    seen = room.preview(key, seat, order)
    return told(said_preview(room.desk(key).district, seen, lang_of(request)))


def _order(request: Request, key: str, body: bytes) -> tuple[str, Order] | Response:
    """Return the seat and the order that were sent, or the answer that says why it is none."""
    sent = object_of(body)
    seat, entry, reason = sent.get("seat", ""), sent.get("order"), sent.get("reason", "")
    if set(sent) - _ORDER_FIELDS or not isinstance(seat, str) or not isinstance(entry, dict):
        raise ValueError(refuse("9.5", "an order is sent as {shape}", shape=_SHAPE))
    turn = entry.get("turn", 0)
    if isinstance(turn, int) and abs(turn) > LATEST:
        raise ValueError(refuse("18", '"turn" is no turn of an exercise'))
    if "reason" in entry:  # it would be lost
        raise ValueError(refuse("9.5", '"reason" stands beside the order, not in it'))
    side_of(seat)
    classroom = classroom_of(request)
    room = classroom.room
    try:
        order = order_of(room.desk(key).district, entry, room.moment(key).turn, reason)
    except FaultyOrderError as fault:
        lang = lang_of(request)
        response = told({"said": refused(fault.refusal, lang), "rule": fault.refusal.rule})
        response.status_code = 400
        return response
    return seat, order


async def _live(socket: WebSocket) -> None:
    room = classroom_of(socket).room
    seat = socket.query_params.get("seat", "")
    try:
        key = await run_in_threadpool(_key, socket)
        side = side_of(seat)
    except (HTTPException, ExerciseError):
        await socket.close(1008)
        return

    def pulse() -> dict[str, Any]:
        seq, timer = room.pulse(key, side)
        return {"seq": seq, "timer": timer_of(timer)}

    leave = await run_in_threadpool(room.sit, key, seat)
    try:
        await live(socket, team_prefix(key), lambda hears: room.listen(side, hears, key), pulse)
    finally:
        await run_in_threadpool(leave)


TEAM_ROUTES = [
    Route("/join", _join),
    Route("/", _page),
    Route("/api/ground", _ground),
    Route("/api/now", _now),
    Route("/api/proof", _proof),
    Route("/api/targets", _targets),
    Route("/api/orders", _orders, methods=["POST"]),
    Route("/api/preview", _preview, methods=["POST"]),
    WebSocketRoute("/api/live", _live),
]
