"""How many connections a room holds, and for how long one may keep it waiting.

A class is sixty pages. Whoever opens thousands, sends a question a letter at a time, or asks and
does not read the answer is let go before the room has no place left for the others: after
``PATIENCE_S``, or as soon as another one wants the place; one too many is told so.
"""

import asyncio
import socket
import struct
import sys
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from typing import Protocol

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_OF_ONE, MOST = 500, 900
"""Connections of one address, and of all: some systems let a process have 1,024 files. Behind one
address there may be a class of sixty, of which a browser opens seven at most."""
OTHER_FILES = 120
"""Files that a room has open beside them: journals, what is sent, connections that are refused."""
_MOST_TOLD, _TOLD_S = 16, 1.0
"""Connections that are told at one time why they are refused, and how long each may read."""
_NO_PLACE = (
    b"La salle n'a plus de place : fermez des pages qui lui sont ouvertes, puis rechargez.\n"
    b"The room has no place left: close pages that are open to it, then reload.\n"
)
_REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"cache-control: no-store\r\nretry-after: 5\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%b" % (len(_NO_PLACE), _NO_PLACE)
)
PATIENCE_S = 10.0
"""Neither a question that is not there as a whole, nor an answer of which nothing is read, is
waited for so long and a quarter more."""
LEAST_BYTES = 10_000
"""What a file that is sent must bring in that time."""
_LOOKS = 4
"""How often it is looked, in that time, whether a connection goes on."""
_ON_ITS_WAY_BYTES = 64 * 1024
"""Held by the system of what is sent: more would hide for how long nobody reads."""

# on, and no second: `struct linger`, of which Windows has shorter numbers
_AT_ONCE = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)


class Held(Protocol):
    """A connection that is counted.

    Attributes
    ----------
    transport : asyncio.Transport
    in_vain : int
        Looks in a row at which it neither asked anything nor read on, where one was its turn.
    """

    transport: asyncio.Transport
    in_vain: int


def most_here() -> int:
    """Return how many connections this process can hold; it takes the files that it is let have."""
    try:
        import resource
    except ImportError:  # Windows, where a process may have as many as it likes
        return MOST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST if soft == resource.RLIM_INFINITY else max(1, min(MOST, soft - OTHER_FILES))


class Connections:
    """The connections that are open, by the address that they come from.

    Parameters
    ----------
    most_of_one, most : int
    """

    def __init__(self, most_of_one: int = MOST_OF_ONE, most: int = MOST) -> None:
        self.most_of_one, self.most = most_of_one, most
        self._open: dict[str, list[Held]] = defaultdict(list)
        self._told = 0

    def admits(self, one: Held) -> bool:
        """Count a connection, unless there are too many and each of them goes on."""
        peer = one.transport.get_extra_info("peername")
        address = str(peer[0]) if peer else ""
        if self._is_full(address):
            self._forget_closed()
        if len(self._open[address]) >= self.most_of_one:
            _let_go(self._open[address])
        elif self.number >= self.most and not _let_go(
            [held for kept in self._open.values() for held in kept]
        ):
            self._share(address)
        if self._is_full(address):
            self._forget_closed()
        if self._is_full(address):
            return False
        self._open[address].append(one)
        return True

    def refuse(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        """Tell a connection that is not admitted why, unless so many are being told; close it."""
        if self._told >= _MOST_TOLD:
            transport.abort()
            return
        self._told += 1
        transport.write(_REFUSAL)
        if transport.can_write_eof():
            transport.write_eof()

        def close() -> None:
            self._told -= 1
            reset(transport)

        # closed at once, with its question unread, it would be reset before it reads the answer
        loop.call_later(_TOLD_S, close)

    def _share(self, address: str) -> None:
        """Close one of the address that has most, for one that has far fewer."""
        most = max(self._open.values(), key=len)
        if len(most) > 2 * len(self._open[address]) + 1:
            reset(max(most, key=lambda one: one.transport.get_write_buffer_size()).transport)

    @property
    def number(self) -> int:
        """How many are counted; some of them may be closed."""
        return sum(map(len, self._open.values()))

    def _is_full(self, address: str) -> bool:
        return len(self._open[address]) >= self.most_of_one or self.number >= self.most

    def _forget_closed(self) -> None:
        still = {
            address: [one for one in kept if not is_gone(one.transport)]
            for address, kept in self._open.items()
        }
        self._open.clear()
        self._open.update({address: kept for address, kept in still.items() if kept})


def is_gone(transport: asyncio.Transport) -> bool:
    """Whether a connection is closed: one that is closing stays open until all of it is read."""
    return transport.is_closing() and not transport.get_write_buffer_size()


def reset(transport: asyncio.Transport) -> None:
    """Close a connection at once: the system keeps nothing for who does not read."""
    end = transport.get_extra_info("socket")
    if end is not None and not transport.is_closing():
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
    transport.abort()


def _let_go(kept: Iterable[Held]) -> bool:
    """Close the connection that has kept the room waiting for longest; False where none does."""
    slowest = max(kept, key=lambda one: one.in_vain)
    if slowest.in_vain:
        reset(slowest.transport)
    return slowest.in_vain > 0


def protocol_with(connections: Connections, patience_s: float = PATIENCE_S) -> type[H11Protocol]:
    """Return uvicorn's protocol of HTTP, for connections that are counted and not waited for."""

    class Counted(H11Protocol):
        """Lets go of one connection too many, and of one that keeps the room waiting."""

        in_vain = 0
        _is_counted = False
        _heard = _heard_then = _resumed = _resumed_then = _unread = 0
        _asked_then: object = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            self.transport = transport
            self._is_counted = connections.admits(self)
            if not self._is_counted:
                connections.refuse(transport, self.loop)
                return
            if (end := transport.get_extra_info("socket")) is not None:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _ON_ITS_WAY_BYTES)
            super().connection_made(transport)
            self._look_later()

        def connection_lost(self, exc: Exception | None) -> None:
            if self._is_counted:
                super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            if not self._is_counted:
                return
            self._heard += len(data)
            super().data_received(data)

        def pause_writing(self) -> None:
            if self._is_counted:
                super().pause_writing()

        def resume_writing(self) -> None:
            if not self._is_counted:
                return
            self._resumed += 1
            super().resume_writing()

        def _look_later(self) -> None:
            self.loop.call_later(patience_s / _LOOKS, self._look)

        def _look(self) -> None:
            """Close it where it did not go on for so many looks in a row."""
            if is_gone(self.transport):
                return
            waits = [self._does_not_read(), self._does_not_ask()]  # each notes what it saw
            self.in_vain = self.in_vain + 1 if any(waits) else 0
            if self.in_vain > _LOOKS:
                reset(self.transport)
                return
            self._look_later()

        def _does_not_read(self) -> bool:
            unread, resumed = self.transport.get_write_buffer_size(), self._resumed
            reads = unread < self._unread or resumed > self._resumed_then
            self._unread, self._resumed_then = unread, resumed
            return unread > 0 and not reads

        def _does_not_ask(self) -> bool:
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return False  # it is a WebSocket by now
            brought, asked = self._heard - self._heard_then, self._asked_then
            self._heard_then, self._asked_then = self._heard, self.cycle
            sends = self.conn.their_state is h11.SEND_BODY
            waits = self.conn.their_state is h11.IDLE or (sends and brought < LEAST_BYTES // _LOOKS)
            return waits and self.cycle is asked

    return Counted
