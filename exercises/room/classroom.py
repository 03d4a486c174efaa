"""A room as its pages see it: the room in play, the ground it is drawn on, what was said already.

What is told twice is made once: a page asks again whenever something changes, and so do all others
of its side.
"""

import gzip
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from exercises.family import INSTRUCTOR
from exercises.room.boards import keep_board
from exercises.room.debriefing import Debriefing
from exercises.room.doors import Doors
from exercises.room.ground import ground_of
from exercises.room.moment import now_of, timer_of
from exercises.room.rooms import Room, side_of
from exercises.room.security import JoinLimit
from exercises.room.whole import room_of, team_of

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
    address : str
        Name or number under which others of the network reach the room; '' where nobody said.
    doors : Doors

    """

    def __init__(self, room: Room, pack: Path) -> None:
        self.room = room
        self.pack = pack
        self.joins = JoinLimit()
        self.address = ""
        self.doors = Doors(room.book)
        self._grounds: dict[str, Ground] = {}
        self.debriefing = Debriefing(room.folder.resolve(), pack.resolve())
        self._kept: dict[tuple[Any, ...], Any] = {}
        self._lock, self._drawing = Lock(), Lock()
        self.ground(room.lang)
        for key in room.keys:  # what is compiled at its first call is called before anybody waits
            self.now(key, "", 0, room.lang)

    def ground(self, lang: str) -> Ground:
        """Return what a page is told once."""
        with self._drawing:
            if lang not in self._grounds:
                board = keep_board(self.room.folder, self.pack, lang)
                self._grounds[lang] = _packed(ground_of(board, self.room.world, lang))
            return self._grounds[lang]

    def now(self, key: str, seat: str, since: int, lang: str) -> bytes:
        """Return what a team's page is told of now."""
        moment = self.room.moment(key)
        side = side_of(seat)

        def made() -> Any:
            district = self.room.desk(key).district
            events = self.room.events(key, side, since)
            return now_of(moment, district, seat, events, since, lang)

        if moment.timer is not None:  # it runs: no two answers are alike
            return _json(made())
        name = ("now", key, seat, since, lang, moment.seq[side])
        text: bytes = self.kept(name, lambda: _json(made()))
        return text

    def whole(self, lang: str) -> dict[str, Any]:
        """Return what the instructor's page is told of now."""
        told = room_of(self.room, lang)
        return {**told, "teams": [self._team(key, lang) for key in self.room.keys]}

    def _team(self, key: str, lang: str) -> dict[str, Any]:
        moment, desk = self.room.moment(key), self.room.desk(key)
        name = ("team", key, lang, moment.seq[INSTRUCTOR])
        team = self.kept(
            name, lambda: team_of(moment, desk, self.room.events(key, INSTRUCTOR), lang)
        )
        here = {"present": dict(desk.present), "absent": self.room.absent(key)}
        return {**team, **here, "timer": timer_of(moment.timer)}

    def kept(self, name: tuple[Any, ...], made: Callable[[], Any]) -> Any:
        """Return what was made before under the same name, or make it."""
        with self._lock:
            if name in self._kept:
                return self._kept[name]
        value = made()
        with self._lock:
            while len(self._kept) >= _MOST_KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[name] = value
        return value

    def token(self, prefix: str) -> str:
        """Return the secret of a link to a prefix: one is made whenever the room is opened."""
        return self.doors.token(prefix)

    def session(self, prefix: str) -> str:
        """Return a session of somebody who came by the link to a prefix."""
        return self.doors.session(self.token(prefix), prefix)

    def close(self) -> None:
        """Stop what goes on beside the room."""
        self.debriefing.close()


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _packed(value: Any) -> Ground:
    text = _json(value)
    tag = hashlib.sha256(text).hexdigest()[:24]
    return Ground(text, gzip.compress(text, mtime=0), f'"{tag}"')
