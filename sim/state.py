"""The whole truth of an exercise at one moment, in whole numbers (§19).

The ground and the water are in the ``World``; the state holds all the rest. People are counted in
hundredths of a person, because losses are (§10.5).
"""

import hashlib
import json
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sim.acts import PlayCard
from sim.arrays import Numbers, Row
from sim.obstacles import Obstacles
from sim.orders import Order
from sim.routes import ByHex, Routes
from sim.unit import NEVER, NOWHERE, Unit

HUNDREDTHS = 100
"""Hundredths of a person, or of a turn, in one."""
OUT_OF_AREA = -2
"""In the place of a shelter: the buses that leave the area (§9.3)."""
KNOWN_EXACTLY, KNOWN_BY_REPORT = 0, 1
"""How a depth is known: seen, or told by residents (§6)."""


@dataclass(frozen=True, slots=True)
class Injunction:
    """A demand of the prefecture to evacuate a quarter (§13.2).

    Attributes
    ----------
    turn : int
        Turn in which it came.
    quarter : int
    obeyed : bool, optional
        None while its turn's orders are awaited.

    """

    turn: int
    quarter: int
    obeyed: bool | None = None


@dataclass(frozen=True)
class State:
    """Truth between two turns; tuples are by hex, edge, shelter or quarter in their order.

    Those by hex are at best ``Row`` and ``Routes``: equal to their tuples, made of arrays.

    Attributes
    ----------
    turn : int
        The turn whose orders are awaited; 0 is the forecast phase, turns + 1 the end (§18).
    units : tuple of Unit
        Where they stand and where they go.
    pending : tuple of Order
        Orders accepted for the turn being resolved.
    bulletin : tuple of int
        Levels of the storm that the last bulletin leaves open (§6.2).
    known_mm, known_turn, known_by : by hex
        Depth last seen or told, millimetres, of what turn it is, and by which kind of channel
        (§6); all was dry at turn 0. What residents tell is a class: its least depth stands here.
    obstacles, known_obstacles : Obstacles
        What stands on links, and what of it the team knows (§9.2, 13.1).
    outages : tuple of (int, int)
        Hexes in the middle of a power cut, each with its last turn (§13.1).
    rumour : tuple of (int, int)
        Hexes and classes that residents will tell of this turn without any water (§13.1).
    forecast : tuple of int
        Hexes painted before turn 1, ascending (§9.6).
    confidence : tuple of int
        Of each of them, per cent; 0 where the team gave none (§12.4).
    alerted : by hex
        Turn in which the alert got through, or ``NEVER``.
    first_step : by hex
        Turn in which the counter takes its first step, or ``NEVER``.
    progress, target : by hex
        Counter and where it is complete, hundredths of a turn (§10.1, 10.3).
    shelter : by hex
        Number of the shelter walked to, from 0; ``NOWHERE`` where no route is open,
        ``OUT_OF_AREA`` for buses.
    route : by hex
        Links to that shelter, in walking order.
    evacuated : by hex
        Turn in which the last of them arrived, or ``NEVER``.
    cut : by hex
        First turn in play without a foot route to a dry shelter, or ``NEVER`` so far (§12.2).
    waiting, followers : by hex
        Those to shelter, and the shelterable who follow an alert, not yet arrived; hundredths.
    upstairs : by hex
        The shelterable who follow no alert, safe one floor up; hundredths.
    in_time, late, follower_places : by hex
        Those to shelter who arrived before and after the cut, and followers; hundredths.
    out, out_followers : by hex
        Of these, those whom buses took out of the area, without a place (§9.3); hundredths.
    lost, followers_lost, upstairs_lost : by hex
        Victims among the three (§10.5, 11), hundredths.
    places_taken : by shelter
        Hundredths.
    closed : by shelter
        Whether the team closed it (§9.5).
    crush : by shelter
        Last turn in which a crush keeps it shut, or ``NEVER`` (§13.1).
    protection : by quarter
        Option of §9.3, by its place in ``Protection``.
    isolated_since, reserve : by quarter
        Turn in which its first hex was isolated, or ``NEVER``; points of supplies (§11).
    attempts, mouth_attempts : by quarter
        Alert rolls and word-of-mouth rolls made so far: they key the dice (§12.5).
    cards_drawn : tuple of int
        Cards gone since the last shuffle, by their place in ``Card``, as drawn (§13.1).
    draws : int
        Cards drawn or played so far: they key the draws.
    injunctions : tuple of Injunction
    capital : int
        Political capital (§12.3).
    cards_to_play : tuple of PlayCard
        Cards that the instructor has fall as the next turn opens (§13.2).
    ended : bool
        Whether the instructor ended the exercise before its last turn (§18).

    """

    turn: int
    units: tuple[Unit, ...]
    pending: tuple[Order, ...]
    bulletin: tuple[int, ...]
    known_mm: Numbers
    known_turn: Numbers
    known_by: Numbers
    obstacles: Obstacles
    known_obstacles: Obstacles
    outages: tuple[tuple[int, int], ...]
    rumour: tuple[tuple[int, int], ...]
    forecast: tuple[int, ...]
    confidence: tuple[int, ...]
    alerted: Numbers
    first_step: Numbers
    progress: Numbers
    target: Numbers
    shelter: Numbers
    route: ByHex
    evacuated: Numbers
    cut: Numbers
    waiting: Numbers
    followers: Numbers
    upstairs: Numbers
    in_time: Numbers
    late: Numbers
    follower_places: Numbers
    out: Numbers
    out_followers: Numbers
    lost: Numbers
    followers_lost: Numbers
    upstairs_lost: Numbers
    places_taken: tuple[int, ...]
    closed: tuple[bool, ...]
    crush: tuple[int, ...]
    protection: tuple[int, ...]
    isolated_since: tuple[int, ...]
    reserve: tuple[int, ...]
    attempts: tuple[int, ...]
    mouth_attempts: tuple[int, ...]
    cards_drawn: tuple[int, ...]
    draws: int
    injunctions: tuple[Injunction, ...]
    capital: int
    cards_to_play: tuple[PlayCard, ...] = ()
    ended: bool = False


_FIELDS = tuple(sorted(field.name for field in fields(State)))
_KNOWN = frozenset(_FIELDS)
_OF_ACTS = frozenset({"cards_to_play", "ended"})
"""Fields that are not in the hash of a state without acts: what was played before there were any
keeps its hashes."""

if TYPE_CHECKING:
    from dataclasses import replace as changed  # its arguments are checked by those of State
else:

    def changed(state: State, **fields: object) -> State:
        """Return a state with other values in some fields, as ``dataclasses.replace`` does.

        A turn makes some forty states of 44 fields each: here they are taken over all at once.
        """
        if unknown := fields.keys() - _KNOWN:
            raise TypeError(f"a state has no {', '.join(sorted(unknown))}")
        after = object.__new__(State)
        after.__dict__.update(state.__dict__, **fields)
        return after


_AS_THEY_ARE = frozenset({int, str, bool, type(None)})


def plain(value: object) -> object:
    """Return a value of the engine as lists, whole numbers and text, for canonical JSON.

    A dataclass becomes an object of its fields, under ``kind`` its class name where it is one of
    several (orders).
    """
    if type(value) in _AS_THEY_ARE:
        return value
    if isinstance(value, (Row, Routes)):
        return value.values
    if isinstance(value, tuple):
        # most tuples are whole numbers by hex: json writes them as they are
        return [plain(part) for part in value] if value and not _whole(value[0]) else value
    if isinstance(value, Enum):
        return value.value
    kind: Any = type(value)
    if names := _names_of(kind):
        named = {name: plain(getattr(value, name)) for name in names}
        return {"kind": kind.__name__, **named} if isinstance(value, Order) else named
    return value


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, Enum)


@lru_cache(maxsize=256)
def _names_of(kind: type) -> tuple[str, ...]:
    """Names of the fields of a dataclass; () where it is none."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def canonical_json(value: object) -> bytes:
    """Return the one JSON text of a value: sorted names, ASCII, no spaces (§19)."""
    return json.dumps(
        plain(value), sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False
    ).encode()


def state_hash(state: State) -> str:
    """SHA-256 of a state's canonical JSON, the same on any machine and Python version (§19).

    What the instructor's acts leave in it is part of it where there is any.
    """
    parts = ",".join(
        f'"{name}":{_text(getattr(state, name))}'
        for name in _FIELDS
        if name not in _OF_ACTS or getattr(state, name)
    )
    return hashlib.sha256(f"{{{parts}}}".encode()).hexdigest()


def _text(value: object) -> str:
    # a row's text is kept with it: an order changes few fields of a state
    return value.text if isinstance(value, (Row, Routes)) else canonical_json(value).decode()


__all__ = [
    "HUNDREDTHS",
    "KNOWN_BY_REPORT",
    "KNOWN_EXACTLY",
    "NEVER",
    "NOWHERE",
    "OUT_OF_AREA",
    "Injunction",
    "State",
    "Unit",
    "canonical_json",
    "changed",
    "plain",
    "state_hash",
]
