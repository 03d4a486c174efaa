"""A room as its pages see it: the room in play, the ground it is drawn on, what was said already.

What is told twice is made once: a page asks again whenever something changes, and so do all others
of its side.
"""

import gzip
import hashlib
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from exercises.family import INSTRUCTOR, Envelope
from exercises.flood_family import FLOOD
from exercises.plain_values import json_bytes
from exercises.room.boards import keep_board
from exercises.room.debriefing import Debriefing
from exercises.room.desks import Moment, side_of
from exercises.room.doors import Doors
from exercises.room.finishing import Finishing
from exercises.room.ground import ground_of
from exercises.room.moment import now_of, public_team, timer_of
from exercises.room.rooms import Room
from exercises.room.security import JoinLimit
from exercises.room.whole import room_of, team_of
from sim.orders import Alert, Move
from sim.seats import PUBLIC, TEAM

_MOST_KEPT = 256
"""Answers kept; those of a moment that is past go first."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What never changes, as bytes, with its tag."""

    text: bytes
    zipped: bytes
    etag: str


def team_prefix(key: str) -> str:
    """Return the prefix of a team's addresses.

    >>> team_prefix("1-red")
    '/t/1-red'
    """
    return f"/t/{key}"


class Classroom:
    """A room and what its pages ask of it.

    Attributes
    ----------
    room : Room
    pack : Path
        District pack.
    joins : JoinLimit
    debriefing : Debriefing
    finishing : Finishing
    address : str
        Name or number under which others of the network reach the room; '' where nobody said.
    doors : Doors

    """

    def __init__(self, room: Room, pack: Path) -> None:
        self.room = room
        self.pack = pack.resolve()
        self.joins = JoinLimit()
        self.address = ""
        self.doors = Doors(room.book)
        self._grounds: dict[str, Ground] = {}
        self.debriefing = Debriefing(room.folder, self.pack)
        self.finishing = Finishing(room, self.pack)
        self._kept: dict[tuple[Any, ...], Future[Any]] = {}
        self._lock, self._drawing, self._turn = Lock(), Lock(), Lock()
        # before the door opens: it tells where a board cannot be drawn
        keep_board(room.folder, self.pack, room.lang)

    def warm_up(self) -> None:
        """Call what is compiled or loaded at its first call, before a class waits for it.

        Two turns are tried from where the first team stands; nothing of them is kept.
        """
        self.ground(self.room.lang)
        for key in self.room.keys:
            self.now(key, "", 0, self.room.lang)
        self.whole(self.room.lang)
        self.public(self.room.lang)
        state = self.room.moment(self.room.keys[0]).state
        cell = int(np.flatnonzero(state.world.district.active)[0])
        for _ in range(2):
            turn = state.state.turn
            if FLOOD.is_over(state):
                return
            for order in (
                Alert(turn=turn, centre=cell, radius=0),
                Move(turn=turn, unit="patrol-1", to=cell),
            ):
                state, _events = FLOOD.apply(state, Envelope(TEAM, "", turn, order, ""))
            state, _events = FLOOD.advance(state, turn + 1)

    def ground(self, lang: str) -> Ground:
        """Return what a page is told once."""
        with self._drawing:
            if lang not in self._grounds:
                board = keep_board(self.room.folder, self.pack, lang)
                self._grounds[lang] = _packed(ground_of(board, self.room.world, lang))
            return self._grounds[lang]

    def now(self, key: str, seat: str, since: int, lang: str) -> bytes:
        """Return what a team's page is told of now."""
        side = side_of(seat)
        since = min(since, len(self.room.events(key, side)))  # of what is kept, no more than that
        moment = self.room.moment(key)

        def made() -> bytes:
            district = self.room.desk(key).district
            events = self.room.events(key, side, since)
            return json_bytes(now_of(moment, district, seat, events, since, lang))

        name = ("now", key, seat, since, lang, moment.seq[side])
        return _with(self._kept_of_now(name, made), timer=timer_of(moment.timer))

    def public(self, lang: str) -> bytes:
        """Return what the public screen is told of now."""
        moments = [self.room.moment(key) for key in self.room.keys]
        teams = [self._shown(moment, lang) for moment in moments]
        seq = sum(moment.seq[PUBLIC] for moment in moments)
        return _with(json_bytes({"seq": seq}), teams)

    def _shown(self, moment: Moment, lang: str) -> bytes:
        name = ("public", moment.key, lang, moment.seq[PUBLIC], moment.all_over)
        text = self._kept_of_now(name, lambda: json_bytes(public_team(self.room, moment, lang)))
        return _with(text, timer=timer_of(moment.timer))

    def whole(self, lang: str) -> bytes:
        """Return what the instructor's page is told of now."""
        told = json_bytes(room_of(self.room, lang))
        return _with(told, [self._team(key, lang) for key in self.room.keys])

    def _team(self, key: str, lang: str) -> bytes:
        moment, desk = self.room.moment(key), self.room.desk(key)
        name = ("team", key, lang, moment.seq[INSTRUCTOR])
        team = self._kept_of_now(
            name, lambda: json_bytes(team_of(moment, desk, self.room.events(key, INSTRUCTOR), lang))
        )
        here = {"present": dict(desk.present), "absent": self.room.absent(key)}
        return _with(team, **here, timer=timer_of(moment.timer))

    def _kept_of_now(self, name: tuple[Any, ...], made: Callable[[], bytes]) -> bytes:
        """Return the same of a moment of a team: many are wanted at once, and made in turn.

        Forty threads at once would leave the one that answers little of the processor, and each
        would be through when the last is.
        """

        def made_in_turn() -> bytes:
            with self._turn:
                return made()

        text: bytes = self.kept(name, made_in_turn)
        return text

    def kept(self, name: tuple[Any, ...], made: Callable[[], Any]) -> Any:
        """Return what was made before under the same name, or make it: once, whoever asks."""
        with self._lock:
            found = self._kept.get(name)
            if mine := found is None:
                found = self._kept[name] = Future()
            while len(self._kept) > _MOST_KEPT:
                self._kept.pop(next(iter(self._kept)))
        if mine:
            try:
                found.set_result(made())
            except BaseException as fault:
                with self._lock:
                    self._kept.pop(name, None)
                found.set_exception(fault)
        return found.result()

    def token(self, prefix: str) -> str:
        """Return the secret of a link to a prefix: one is made whenever the room is opened."""
        return self.doors.token(prefix)

    def session(self, prefix: str) -> str:
        """Return a session of somebody who came by the link to a prefix."""
        return self.doors.session(self.token(prefix), prefix)

    def close(self) -> None:
        """Stop what goes on beside the room."""
        self.finishing.close()
        self.debriefing.close()


def _with(text: bytes, teams: Iterable[bytes] | None = None, /, **fields: Any) -> bytes:
    """Return a JSON object with fields added: what is kept has nothing that runs by itself.

    >>> _with(b'{"seq":1}', [b"{}", b"{}"], timer=None)
    b'{"seq":1,"teams":[{},{}],"timer":null}'
    """
    parts = [text[:-1]]
    if teams is not None:
        parts.append(b'"teams":[' + b",".join(teams) + b"]")
    parts += (json_bytes(name) + b":" + json_bytes(value) for name, value in fields.items())
    return b",".join(parts) + b"}"


def _packed(value: Any) -> Ground:
    text = json_bytes(value)
    tag = hashlib.sha256(text).hexdigest()[:24]
    return Ground(text, gzip.compress(text, mtime=0), f'"{tag}"')
