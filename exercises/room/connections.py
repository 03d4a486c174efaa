"""How many connections a room holds, and for how long one may keep it waiting.

A class is sixty pages. Whoever opens thousands, or sends a question a letter at a time, is let go
before the room has no place left for the others.
"""

import asyncio
from collections import defaultdict

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_OF_ONE, MOST = 400, 900
"""Connections of one address, and of all: some systems let a process have 1,024 files."""
PATIENCE_S = 10.0
"""A question that is not there as a whole after so long, twice at most, is not waited for."""
LEAST_BYTES = 10_000
"""What a file that is sent must bring in that time."""


class Connections:
    """The connections that are open, by the address that they come from.

    Parameters
    ----------
    most_of_one, most : int
    """

    def __init__(self, most_of_one: int = MOST_OF_ONE, most: int = MOST) -> None:
        self.most_of_one, self.most = most_of_one, most
        self._open: dict[str, list[asyncio.BaseTransport]] = defaultdict(list)

    def admits(self, transport: asyncio.BaseTransport) -> bool:
        """Count a connection, unless there are too many."""
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if peer else ""
        if len(self._open[address]) >= self.most_of_one or self.number >= self.most:
            self._forget_closed()
        if len(self._open[address]) >= self.most_of_one or self.number >= self.most:
            return False
        self._open[address].append(transport)
        return True

    @property
    def number(self) -> int:
        """How many are counted; some of them may be closed."""
        return sum(map(len, self._open.values()))

    def _forget_closed(self) -> None:
        still = {
            address: [one for one in kept if not one.is_closing()]
            for address, kept in self._open.items()
        }
        self._open.clear()
        self._open.update({address: kept for address, kept in still.items() if kept})


def protocol_with(connections: Connections, patience_s: float = PATIENCE_S) -> type[H11Protocol]:
    """Return uvicorn's protocol of HTTP, for connections that are counted and not waited for."""

    class Counted(H11Protocol):
        """Lets go of one connection too many, and of one that keeps the room waiting."""

        _is_counted, _heard = False, 0

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            self._is_counted = connections.admits(transport)
            if not self._is_counted:
                transport.abort()
                return
            super().connection_made(transport)
            self._look_later(None, 0)

        def connection_lost(self, exc: Exception | None) -> None:
            if self._is_counted:
                super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            self._heard += len(data)
            super().data_received(data)

        def _look_later(self, asked: object, heard: int) -> None:
            self.loop.call_later(patience_s, self._look, asked, heard)

        def _look(self, asked: object, heard: int) -> None:
            """Close it where nothing was asked as a whole since the last look."""
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return  # it is a WebSocket by now
            sends = self.conn.their_state is h11.SEND_BODY
            waits = self.conn.their_state is h11.IDLE or (
                sends and self._heard - heard < LEAST_BYTES
            )
            if waits and self.cycle is asked:
                self.transport.abort()
                return
            self._look_later(self.cycle, self._heard)

    return Counted
