"""What the routes of teams, instructor and public screen share: joining, answering, pushing."""

import asyncio
import contextlib
import gzip
import inspect
import json
import re
from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from exercises.plain_values import json_bytes
from exercises.room.classroom import Classroom
from exercises.room.security import session_of, set_cookie
from exercises.voice import mark, voice
from sim.refusal import refuse
from sim.severity_words import LANGUAGES

NO_STORE = {"cache-control": "no-store"}
CLOSED = mark(
    "this page opens by a link, and this device's is no longer good: ask the instructor for another"
)
CLOSED_SCREEN = mark(
    "this screen opens by a link, and this device's is no longer good: press Open beside the "
    "public screen in the instructor's console, under Join"
)
CLOSED_CONSOLE = mark(
    "this page opens by the instructor's link, and this device's is no longer good: take the one "
    "in the terminal where `averse serve` runs, or start that again, which prints a new one"
)
_PACKED_FROM, _QUICKLY = 1_000, 1
"""Bytes from which on an answer is packed, and how hard: 15 kB become 1.5 in no time."""
_MOST_DIGITS = 9
"""Digits of a whole number in an address."""
_RANGE = re.compile(r"bytes=([0-9]{0,15})-([0-9]{0,15})")
Pulse = dict[str, Any]
_POLICY = 1008
"""A WebSocket is closed so where whoever is at its end may not listen."""
Endpoint = Callable[[Request], Any]


class _FewDigits(IntegerConvertor):
    """A whole number in a path: of more digits than Python reads, nothing is at that address."""

    regex = f"[0-9]{{1,{_MOST_DIGITS}}}"


register_url_convertor("int", _FewDigits())


def one_an_address(*routes: BaseRoute) -> list[BaseRoute]:
    """Return routes of which none shares its address: a wrong method is told all the right ones."""
    found: list[BaseRoute] = []
    calls: dict[str, dict[str, Endpoint]] = {}
    for route in routes:
        if not isinstance(route, Route):
            found.append(route)
            continue
        mine = calls.setdefault(route.path, {})
        if not mine:
            found.append(route)
        mine.update(dict.fromkeys(route.methods or (), route.endpoint))
    return [
        Route(one.path, _by_method(calls[one.path]), methods=list(calls[one.path]))
        if isinstance(one, Route) and len(set(calls[one.path].values())) > 1
        else one
        for one in found
    ]


def _by_method(calls: dict[str, Endpoint]) -> Endpoint:
    async def call(request: Request) -> Response:
        endpoint = calls[request.method]
        if inspect.iscoroutinefunction(endpoint):
            awaited: Response = await endpoint(request)
            return awaited
        return await run_in_threadpool(endpoint, request)

    return call


def classroom_of(connection: HTTPConnection) -> Classroom:
    """Return the classroom that a connection is to."""
    classroom: Classroom = connection.app.state.classroom
    return classroom


def lang_of(connection: HTTPConnection) -> str:
    """Return the language that is asked for, else the room's."""
    asked = connection.query_params.get("lang", "")
    if asked in LANGUAGES:
        return asked
    state = connection.app.state  # of a room that is being prepared, there is no classroom yet
    lang: str = (state.classroom.room if hasattr(state, "classroom") else state.preparation).lang
    return lang


def number_of(connection: HTTPConnection, name: str, default: int = 0) -> int:
    """Return a whole number of the query, the default where there is none.

    Raises
    ------
    ValueError
        If it is something else.
    """
    asked = connection.query_params.get(name, str(default))
    if not (asked.isascii() and asked.isdigit() and len(asked) <= _MOST_DIGITS):
        raise ValueError(refuse("", "{name} is no whole number", name=name))
    return int(asked)


def require(connection: HTTPConnection, prefix: str) -> None:
    """Let only those through who joined at a prefix.

    Raises
    ------
    HTTPException
        403.
    """
    if not classroom_of(connection).doors.admits(session_of(connection), prefix):
        raise HTTPException(403, voice(lang_of(connection)).phrase(_CLOSED[who_at(prefix)]))


def who_at(prefix: str) -> str:
    """Return who sits at a prefix: "instructor", "screen" or "team".

    >>> who_at("/i"), who_at("/t/1-red")
    ('instructor', 'team')
    """
    return {"/i": "instructor", "/p": "screen"}.get(prefix, "team")


_CLOSED = {"team": CLOSED, "screen": CLOSED_SCREEN, "instructor": CLOSED_CONSOLE}


async def join(request: Request, prefix: str) -> Response:
    """Take the secret of a link, give another for it as a cookie, and lead to the page."""
    classroom = classroom_of(request)
    address = request.client.host if request.client else ""
    if not classroom.joins.allows(address):
        return page(request, "refused.html", status=429, why="often")
    token = request.query_params.get("token", "")
    session = await run_in_threadpool(classroom.doors.session, token, prefix)
    if not session:
        return page(request, "refused.html", status=403, why="wrong", who=who_at(prefix))
    response = RedirectResponse(f"{prefix}/", 303, NO_STORE)
    set_cookie(response, prefix, session)
    return response


def page(request: Request, name: str, status: int = 200, **values: Any) -> Response:
    """Return a page; no state of the exercise is in it."""
    lang = lang_of(request)
    template = request.app.state.pages.get_template(name)
    said = {"needs_script": voice(lang).phrase("this page needs JavaScript")}
    text = template.render(lang=lang, said=said, **values)
    return HTMLResponse(text, status, NO_STORE)


def page_behind(request: Request, prefix: str, name: str, **values: Any) -> Response:
    """Return a page; where a session is shown that is no longer good, that a link is wanted.

    Whoever shows none is given the page, on which there is nothing: a browser shows its session to
    the page's own questions alone, where the link to it stood in a mail.
    """
    session = session_of(request)
    if session and not classroom_of(request).doors.admits(session, prefix):
        return page(request, "refused.html", status=403, why="link", who=who_at(prefix))
    return page(request, name, **values)


def answer(request: Request, text: bytes) -> Response:
    """Return JSON that is not to be kept, packed where that is asked for: a tenth of it."""
    headers = {**NO_STORE, "vary": "accept-encoding"}
    if len(text) > _PACKED_FROM and _takes_gzip(request):
        headers["content-encoding"] = "gzip"
        text = gzip.compress(text, _QUICKLY, mtime=0)
    return Response(text, media_type="application/json", headers=headers)


def told(value: Any) -> Response:
    """Return a value as JSON that is not to be kept."""
    return Response(json_bytes(value), media_type="application/json", headers=NO_STORE)


def _takes_gzip(request: Request) -> bool:
    return takes_gzip(request.headers.get("accept-encoding", ""))


def takes_gzip(accepted: str) -> bool:
    """Whether a browser that accepts such encodings is sent what is packed.

    >>> takes_gzip("br, gzip"), takes_gzip("gzip;q=0, br"), takes_gzip("")
    (True, False, False)
    """
    for part in accepted.lower().split(","):
        name, _, weight = part.replace(" ", "").partition(";q=")
        if name == "gzip":
            return weight.strip("0.") != "" or not weight
    return False


class AsAsked:
    """Sends files whole and as they are where parts or packing are asked for in an odd way.

    Starlette would tell a faulty range in a text of its own, join a hundred of them, and pack for
    whoever refuses it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, without what is odd in it."""
        if scope["type"] == "http":
            headers = MutableHeaders(raw=list(scope["headers"]))
            if not _is_one_range(headers.get("range", "")):
                del headers["range"]
            if not takes_gzip(headers.get("accept-encoding", "")):
                del headers["accept-encoding"]
            scope = {**scope, "headers": headers.raw}
        await self.app(scope, receive, send)


def _is_one_range(asked: str) -> bool:
    found = _RANGE.fullmatch(asked)
    if found is None or found[0] == "bytes=-":
        return False
    first, last = found.groups()
    return not (first and last) or int(first) <= int(last)


def ground(request: Request) -> Response:
    """Return what never changes, or that the browser has it."""
    found = classroom_of(request).ground(lang_of(request))
    headers = {
        "etag": found.etag,
        "cache-control": "private, max-age=31536000, immutable"
        if request.query_params.get("v")
        else "private, no-cache",
        "vary": "accept-encoding, cookie",
    }
    if request.headers.get("if-none-match") == found.etag:
        return Response(status_code=304, headers=headers)
    if _takes_gzip(request):
        headers["content-encoding"] = "gzip"
        return Response(found.zipped, media_type="application/json", headers=headers)
    return Response(found.text, media_type="application/json", headers=headers)


async def live(
    socket: WebSocket,
    prefix: str,
    listen: Callable[[Callable[[], None]], Callable[[], None]],
    pulse: Callable[[], Pulse],
) -> None:
    """Push the number of changes of a side whenever it grows, and its timer when that changes.

    Parameters
    ----------
    socket : WebSocket
        Not accepted yet.
    prefix : str
        That it is at: it is closed once its session opens that no more.
    listen : callable
        Has a function called at every change, from any thread; returns what ends it.
    pulse : callable
        Returns what to push now, without waiting for anything.
    """
    await socket.accept()
    loop, changed = asyncio.get_running_loop(), asyncio.Event()

    def hears() -> None:
        with contextlib.suppress(RuntimeError):  # the server is closing
            loop.call_soon_threadsafe(changed.set)

    doors = classroom_of(socket).doors
    end = await run_in_threadpool(listen, hears)
    leave = doors.attend(prefix, hears)
    reading = asyncio.create_task(_until_left(socket))
    try:
        last: Any = None
        changed.set()
        while not reading.done():
            waiting = asyncio.create_task(changed.wait())
            await asyncio.wait({waiting, reading}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if reading.done():
                break
            changed.clear()
            shown = session_of(socket), prefix
            if not doors.remembers(*shown) and not await run_in_threadpool(doors.admits, *shown):
                await socket.close(_POLICY)
                break
            now = pulse()
            if (sign := _sign(now)) != last:
                last = sign
                await socket.send_text(json.dumps(now, separators=(",", ":")))
    except (WebSocketDisconnect, RuntimeError):
        pass  # it left while it was being told
    finally:
        reading.cancel()
        leave()
        await run_in_threadpool(end)


async def _until_left(socket: WebSocket) -> None:
    """Read, and forget, until the other end leaves: pages say nothing here."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass


def _sign(pulse: Pulse) -> Any:
    """What of a push is new: not the seconds that run by themselves."""
    timer = pulse.get("timer")
    held = None if timer is None else (timer["held"], timer["left"] if timer["held"] else None)
    return {**pulse, "timer": held}
