"""What the team knows (§6): built up from what it may see, never by striking out the rest."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sim.arrays import Numbers, whole
from sim.obstacles import Obstacles
from sim.orders import FREE, Order, Void
from sim.rules import STAFFING, TIMERS, StaffingRow, Timer
from sim.situation import is_night
from sim.state import HUNDREDTHS, NEVER, Injunction, State, Unit, canonical_json


@dataclass(frozen=True, slots=True)
class Pending:
    """An order of the turn that stands, with its number in the order given, from 1 (§9.5)."""

    number: int
    order: Order


@dataclass(frozen=True, slots=True)
class View:
    """A team's knowledge when it gives the orders of a turn.

    Attributes
    ----------
    turn, turns, hour : int
        The turn whose orders are awaited, the last one, the hour of the start.
    night : bool
        Whether this turn is played by night.
    over : bool
        Whether nothing more is played: after the last turn, or ended before it (§18).
    timer_s : int
        Seconds that the turn may take, 0 without a timer and in the forecast phase (§14).
    orders, brush_radius : int
        What the centre's staffing allows this turn (§9.1); 0 in the forecast phase.
    orders_left : int
        What is left of them (§9.5).
    pending : tuple of Pending
        Orders given this turn that stand (§9.5).
    bulletin : tuple of int
        Levels of the storm left open (§6.2).
    known_mm, known_turn, known_by : by hex
        Depth last known, millimetres, the turn it was so, and by which kind of channel (§6): its
        age is ``turn`` less it.
    known_obstacles : Obstacles
        What is known to stand on links (§9.2, 13.1).
    outages : tuple of (int, int)
        Hexes in the middle of a power cut, each with its last turn (§13.1).
    units : tuple of Unit
    alerted, evacuated : tuple of int
        Hexes alerted, and those whose people have all arrived, ascending; no counter (§6.0).
    places_taken : by shelter
        Persons, exact (§6.0).
    closed, crushed : by shelter
        Whether the team closed it, and whether a crush keeps it shut now (§9.5, 13.1).
    protection : by quarter
        Option of §9.3, by its place in ``Protection``.
    forecast, confidence : tuple of int
        Hexes painted, and how sure of each, per cent (§9.6, 12.4).
    injunctions : tuple of Injunction
        The prefecture's demands, the one that awaits an answer last (§13.2).
    capital : int

    """

    turn: int
    turns: int
    hour: int
    night: bool
    over: bool
    timer_s: int
    orders: int
    brush_radius: int
    orders_left: int
    pending: tuple[Pending, ...]
    bulletin: tuple[int, ...]
    known_mm: Numbers
    known_turn: Numbers
    known_by: Numbers
    known_obstacles: Obstacles
    outages: tuple[tuple[int, int], ...]
    units: tuple[Unit, ...]
    alerted: tuple[int, ...]
    evacuated: tuple[int, ...]
    places_taken: tuple[int, ...]
    closed: tuple[bool, ...]
    crushed: tuple[bool, ...]
    protection: tuple[int, ...]
    forecast: tuple[int, ...]
    confidence: tuple[int, ...]
    injunctions: tuple[Injunction, ...]
    capital: int


@lru_cache(maxsize=64)
def staffing_at(turn: int) -> StaffingRow:
    """Return the centre's staffing in a turn, from 1 (§9.1)."""
    return next(row for row in reversed(STAFFING) if turn >= row.from_turn)


def view_for(state: State, hour: int, turns: int, timer: Timer = Timer.OFF) -> View:
    """Build what the team knows from its channels alone (§6.4): no depth or seed comes in."""
    playing = 1 <= state.turn <= turns and not state.ended
    staffed = staffing_at(state.turn) if playing else None
    pending = standing(state.pending)
    spent = sum(not isinstance(one.order, FREE) for one in pending)
    return View(
        turn=state.turn,
        turns=turns,
        hour=hour,
        night=is_night(hour, state.turn),
        over=state.ended or state.turn > turns,
        timer_s=TIMERS[timer].seconds if staffed else 0,
        orders=staffed.orders if staffed else 0,
        brush_radius=staffed.brush_radius if staffed else 0,
        orders_left=staffed.orders - spent if staffed else 0,
        pending=pending,
        bulletin=state.bulletin,
        known_mm=state.known_mm,
        known_turn=state.known_turn,
        known_by=state.known_by,
        known_obstacles=state.known_obstacles,
        outages=state.outages,
        units=state.units,
        alerted=_cells_with_turn(state.alerted),
        evacuated=_cells_with_turn(state.evacuated),
        places_taken=tuple(taken // HUNDREDTHS for taken in state.places_taken),
        closed=state.closed,
        crushed=tuple(last != NEVER and state.turn <= last for last in state.crush),
        protection=state.protection,
        forecast=state.forecast,
        confidence=state.confidence,
        injunctions=state.injunctions,
        capital=state.capital,
    )


def standing(given: tuple[Order, ...]) -> tuple[Pending, ...]:
    """Orders of a turn that stand, in the order given (§9.5)."""
    return tuple(
        Pending(number, order)
        for number, order in enumerate(given, 1)
        if not isinstance(order, Void)
    )


def _cells_with_turn(turns: Numbers) -> tuple[int, ...]:
    return tuple(np.flatnonzero(whole(turns) != NEVER).tolist())


def view_bytes(view: View) -> bytes:
    """Canonical JSON of a view: what may leave the machine, byte for byte (§6.4)."""
    return canonical_json(view)
