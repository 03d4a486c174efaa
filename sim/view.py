"""What the team knows (§6): built up from what it may see, never by striking out the rest."""

from dataclasses import dataclass

import numpy as np

from sim.rules import STAFFING, StaffingRow
from sim.situation import is_night
from sim.state import HUNDREDTHS, NEVER, State, Unit, canonical_json


@dataclass(frozen=True, slots=True)
class View:
    """A team's knowledge when it gives the orders of a turn.

    Attributes
    ----------
    turn, turns, hour : int
        The turn whose orders are awaited, the last one, the hour of the start.
    night : bool
        Whether this turn is played by night.
    orders, brush_radius : int
        What the centre's staffing allows this turn (§9.1); 0 in the forecast phase.
    bulletin : tuple of int
        Levels of the storm left open (§6.2).
    known_mm, known_turn : by hex
        Depth last seen, millimetres, and the turn it was seen (§6): its age is ``turn`` less it.
    units : tuple of Unit
    alerted, evacuated : tuple of int
        Hexes alerted, and those whose people have all arrived, ascending; no counter (§6.0).
    places_taken : by shelter
        Persons, exact (§6.0).
    forecast : tuple of int
        Hexes painted (§9.6).
    capital : int

    """

    turn: int
    turns: int
    hour: int
    night: bool
    orders: int
    brush_radius: int
    bulletin: tuple[int, ...]
    known_mm: tuple[int, ...]
    known_turn: tuple[int, ...]
    units: tuple[Unit, ...]
    alerted: tuple[int, ...]
    evacuated: tuple[int, ...]
    places_taken: tuple[int, ...]
    forecast: tuple[int, ...]
    capital: int


def staffing_at(turn: int) -> StaffingRow:
    """Return the centre's staffing in a turn, from 1 (§9.1)."""
    return next(row for row in reversed(STAFFING) if turn >= row.from_turn)


def view_for(state: State, hour: int, turns: int) -> View:
    """Build what the team knows from its channels alone (§6.4): no depth or seed comes in."""
    staffed = staffing_at(state.turn) if 1 <= state.turn <= turns else None
    return View(
        turn=state.turn,
        turns=turns,
        hour=hour,
        night=is_night(hour, state.turn),
        orders=staffed.orders if staffed else 0,
        brush_radius=staffed.brush_radius if staffed else 0,
        bulletin=state.bulletin,
        known_mm=state.known_mm,
        known_turn=state.known_turn,
        units=state.units,
        alerted=_cells_with_turn(state.alerted),
        evacuated=_cells_with_turn(state.evacuated),
        places_taken=tuple(taken // HUNDREDTHS for taken in state.places_taken),
        forecast=state.forecast,
        capital=state.capital,
    )


def _cells_with_turn(turns: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(np.flatnonzero(np.array(turns) != NEVER).tolist())


def view_bytes(view: View) -> bytes:
    """Canonical JSON of a view: what may leave the machine, byte for byte (§6.4)."""
    return canonical_json(view)
