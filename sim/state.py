"""The whole truth of an exercise at one moment, in whole numbers (§19).

The ground and the water are in the ``World``; the state holds all the rest. People are counted in
hundredths of a person, because losses are (§10.5).
"""

import hashlib
import json
from dataclasses import dataclass, fields, is_dataclass

from sim.orders import Order

NEVER = 0
"""Turn of what has not happened; turns are counted from 1."""
HUNDREDTHS = 100
"""Hundredths of a person, or of a turn, in one."""
NOWHERE = -1
"""No shelter, no hex."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A numbered unit on the board (§5).

    Attributes
    ----------
    name : str
        Service and number: ``patrol-3``.
    cell : int
        Hex where it ended the last turn.
    to : int
        Hex where it is sent, ``NOWHERE`` when it has arrived.
    door_to_door : bool
        It alerts the hex door to door when it ends a turn there (§9.4).
    blocked : bool
        Its way was closed when it last tried.

    """

    name: str
    cell: int
    to: int = NOWHERE
    door_to_door: bool = False
    blocked: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """Truth between two turns; tuples are by hex, edge, shelter or quarter in their order.

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
    known_mm, known_turn : by hex
        Depth last seen by a patrol or station, millimetres, and when (§6); all was dry at turn 0.
    forecast : tuple of int
        Hexes painted before turn 1, ascending (§9.6).
    alerted : by hex
        Turn in which the alert got through, or ``NEVER``.
    first_step : by hex
        Turn in which the counter takes its first step, or ``NEVER``.
    progress, target : by hex
        Counter and where it is complete, hundredths of a turn (§10.1, 10.3).
    shelter : by hex
        Number of the shelter walked to, from 0; ``NOWHERE`` where no route is open.
    route : by hex
        Links to that shelter, in walking order.
    evacuated : by hex
        Turn in which the last of them arrived, or ``NEVER``.
    cut : by hex
        First turn in play without a foot route to a dry shelter, or ``NEVER`` so far (§12.2).
    waiting, followers : by hex
        Those to shelter, and the shelterable who follow an alert, not yet arrived; hundredths.
    in_time, late, follower_places : by hex
        Those to shelter who arrived before and after the cut, and followers; hundredths.
    lost, followers_lost : by hex
        Victims among the two (§10.5), hundredths.
    places_taken : by shelter
        Hundredths.
    attempts, mouth_attempts : by quarter
        Alert rolls and word-of-mouth rolls made so far: they key the dice (§12.5).
    capital : int
        Political capital (§12.3).

    """

    turn: int
    units: tuple[Unit, ...]
    pending: tuple[Order, ...]
    bulletin: tuple[int, ...]
    known_mm: tuple[int, ...]
    known_turn: tuple[int, ...]
    forecast: tuple[int, ...]
    alerted: tuple[int, ...]
    first_step: tuple[int, ...]
    progress: tuple[int, ...]
    target: tuple[int, ...]
    shelter: tuple[int, ...]
    route: tuple[tuple[int, ...], ...]
    evacuated: tuple[int, ...]
    cut: tuple[int, ...]
    waiting: tuple[int, ...]
    followers: tuple[int, ...]
    in_time: tuple[int, ...]
    late: tuple[int, ...]
    follower_places: tuple[int, ...]
    lost: tuple[int, ...]
    followers_lost: tuple[int, ...]
    places_taken: tuple[int, ...]
    attempts: tuple[int, ...]
    mouth_attempts: tuple[int, ...]
    capital: int


def plain(value: object) -> object:
    """Return a value of the engine as lists, whole numbers and text, for canonical JSON.

    A dataclass becomes an object of its fields, under ``kind`` its class name where it is one of
    several (orders).
    """
    if is_dataclass(value) and not isinstance(value, type):
        named = {field.name: plain(getattr(value, field.name)) for field in fields(value)}
        return {"kind": type(value).__name__, **named} if isinstance(value, Order) else named
    if isinstance(value, tuple):
        # most tuples are whole numbers by hex: json writes them as they are
        return [plain(part) for part in value] if value and not _whole(value[0]) else value
    return value


def _whole(value: object) -> bool:
    return isinstance(value, int)


def canonical_json(value: object) -> bytes:
    """Return the one JSON text of a value: sorted names, ASCII, no spaces (§19)."""
    return json.dumps(
        plain(value), sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False
    ).encode()


def state_hash(state: State) -> str:
    """SHA-256 of a state, the same on any machine and Python version (§19)."""
    return hashlib.sha256(canonical_json(state)).hexdigest()
