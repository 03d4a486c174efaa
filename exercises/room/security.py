"""Who may speak to a room: hosts and origins, cookies, joins, the size of what is sent, headers."""

import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sim.refusal import refuse
from sim.signs import unfit_sign

COOKIE = "averse"
MOST_BODY_BYTES = 64 * 1024
"""Bytes of an order, at most; a forecast of a whole sheet is a sixth of it."""
JOINS_AT_ONCE, JOINS_A_SECOND = 30, 0.5
"""Joins of one address: a burst of so many, then so many a second."""
_MOST_AT_ONCE = 64 * 1024
"""Bytes of an answer that are handed on at once: whoever does not read holds no more of it."""
_MOST_ADDRESSES = 1_000
_MOST_NESTED = 16
"""Levels of what is sent: an order has three."""

HEADERS: Mapping[str, str] = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; style-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class TooLargeError(Exception):
    """More was sent than is read."""


class Guard:
    """Refuses foreign hosts, origins and sites before anything is looked at; adds the headers.

    Parameters
    ----------
    app : ASGI application
    hosts : collection of str
        Names under which the room is reached beside the address that a client truly spoke to.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        self.app = app
        self.hosts = frozenset(name.lower() for name in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if refusal := self._refusal(scope, headers):
            status, why = refusal
            if scope["type"] == "websocket":
                await _close(receive, send)
            else:
                await PlainTextResponse(why, status, HEADERS)(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    sent.setdefault(name, value)
            for part in _in_parts(message):
                await send(part)  # waits where nothing is read

        await self.app(scope, receive, with_headers)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if not self._is_ours(scope, host):
            return 421, "This address is not the room's: use the link that was handed out.\n"
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"http://{host.lower()}":
            return 403, "This was asked by another site: open the room's own page.\n"
        site = headers.get("sec-fetch-site", "same-origin")
        if site not in {"same-origin", "none"} and not _is_link(scope, headers):
            return 403, "This was asked by another site: open the room's own page.\n"
        if scope["type"] == "websocket" and origin is None and "sec-fetch-site" in headers:
            return 403, "A page says which site it is of.\n"
        return None

    def _is_ours(self, scope: Scope, host: str) -> bool:
        if host.startswith("["):  # an address of IPv6
            name, _, after = host[1:].partition("]")
            port = after.removeprefix(":")
            if ":" not in name or after[:1] not in {"", ":"}:
                return False
        else:
            name, _, port = host.partition(":")
        here, here_port = scope.get("server") or ("", None)
        here = here.removeprefix("::ffff:")  # one of IPv4, on a socket of both
        if port and port != str(here_port):
            return False
        if not port and here_port != 80:
            return False
        name = name.lower()
        local = here in {"127.0.0.1", "::1"}
        return name == here or name in self.hosts or (local and name == "localhost")


def _in_parts(message: Message) -> Iterator[Message]:
    """Yield a message of an answer, one with a long body in parts."""
    body = message.get("body", b"")
    if message["type"] != "http.response.body" or len(body) <= _MOST_AT_ONCE:
        yield message
        return
    for start in range(0, len(body), _MOST_AT_ONCE):
        end = start + _MOST_AT_ONCE
        more = end < len(body) or message.get("more_body", False)
        yield {**message, "body": body[start:end], "more_body": more}


def _is_link(scope: Scope, headers: Headers) -> bool:
    """Whether somebody followed a link to a page: from a mail read in a browser, say."""
    return (
        scope["type"] == "http"
        and scope["method"] == "GET"
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
        and "/api/" not in scope["path"]
        and "/files/" not in scope["path"]
    )


async def _close(receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.close", "code": 1008})


@dataclass
class JoinLimit:
    """How often one address may try to join: a bucket that fills again with time."""

    clock: Callable[[], float] = time.monotonic
    left: dict[str, tuple[float, float]] = field(default_factory=dict)

    def allows(self, address: str) -> bool:
        """Count a try of an address; False where it has used up all it may."""
        now = self.clock()
        tokens, then = self.left.pop(address, (float(JOINS_AT_ONCE), now))
        tokens = min(float(JOINS_AT_ONCE), tokens + (now - then) * JOINS_A_SECOND)
        allowed = tokens >= 1
        if len(self.left) >= _MOST_ADDRESSES:
            self.left.pop(next(iter(self.left)))
        self.left[address] = (tokens - allowed, now)
        return allowed


def set_cookie(response: Response, prefix: str, session: str) -> None:
    """Give a browser its session, for a prefix alone."""
    response.set_cookie(COOKIE, session, path=prefix, httponly=True, samesite="strict")


def session_of(connection: HTTPConnection) -> str:
    """Return the session that a browser shows; '' for none."""
    return connection.cookies.get(COOKIE, "")


async def body_of(request: Request, most: int = MOST_BODY_BYTES) -> bytes:
    """Return what was sent.

    Raises
    ------
    TooLargeError
        If it is larger than ``most`` bytes.
    """
    sent = request.headers.get("content-length", "")
    if sent.isdigit() and int(sent) > most:
        raise TooLargeError
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise TooLargeError
    return body


def object_of(body: bytes) -> dict[str, Any]:
    """Return the JSON object that was sent.

    No name is in it twice, no number that is none, no sign that cannot be kept, nothing nested past
    reason.

    Raises
    ------
    ValueError
        If it is none.
    """
    try:
        value = json.loads(
            body.decode(),
            object_pairs_hook=_each_once,
            parse_constant=_no_number,
            parse_float=_finite,
        )
    except _TwiceError as fault:
        raise ValueError(*fault.args) from None
    except (ValueError, RecursionError):
        raise ValueError(refuse("", "what was sent is no JSON")) from None
    if not isinstance(value, dict):
        raise ValueError(refuse("", "what was sent is no JSON object"))
    if _depth(value) > _MOST_NESTED:
        raise ValueError(
            refuse("", "what was sent is nested more than {most} deep", most=_MOST_NESTED)
        )
    if sign := unfit_sign(value):
        raise ValueError(
            refuse("", "what was sent holds {sign}, no sign of any text: type it anew", sign=sign)
        )
    return value


class _TwiceError(ValueError):
    """A name stands twice in an object."""


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise _TwiceError(
            refuse("", "{name} stands twice in what was sent: keep one", name=f"{twice!a:.40}")
        )
    return found


def _no_number(name: str) -> Any:
    raise ValueError  # whoever reads says that it is no JSON


def _finite(digits: str) -> float:
    if not math.isfinite(number := float(digits)):
        raise ValueError  # it would be written as Infinity, which no page reads
    return number


def _depth(value: Any) -> int:
    """How deep lists and objects are nested: whatever reads them on calls itself as often."""
    depth, level = 0, [value]
    while level := [one for one in level if isinstance(one, dict | list)]:
        depth += 1
        level = [part for one in level for part in (one.values() if isinstance(one, dict) else one)]
    return depth
