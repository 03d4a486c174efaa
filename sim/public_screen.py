"""What a projector shows to a whole class while it plays, and what it unveils at the end (§6, 18).

Several teams may play the same storm in one room: before the end there is nothing of what a team
knows, orders or moves on it, and nothing that only the truth could tell.
"""

from dataclasses import dataclass

from sim.links import water_class
from sim.rules import TIMERS, TURN_MIN
from sim.state import State
from sim.view import staffing_at
from sim.world import World

FORECAST, PLAY, OVER = "forecast", "play", "over"
"""Phases of an exercise (§18)."""


@dataclass(frozen=True, slots=True)
class Unveiled:
    """The storm, once nobody can act on it any more.

    Attributes
    ----------
    level : int
        Secret level (§6.2).
    water : by turn, by hex
        Class of the true water at the end of every turn (§4), turn 0 the start.
    first_cut : by hex
        First turn without a foot route to a dry shelter, on the storm's own water, or ``NEVER``.
    cut_on_foot : by hex
        Truth of the forecast (§12.4).

    """

    level: int
    water: tuple[tuple[int, ...], ...]
    first_cut: tuple[int, ...]
    cut_on_foot: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class PublicView:
    """The public screen.

    Attributes
    ----------
    phase : str
        ``FORECAST``, ``PLAY`` or ``OVER``.
    turn, turns, hour : int
        The turn whose orders are awaited, the last one, the hour of the start.
    clock_min : int
        Time of day when the turn opens, minutes after midnight.
    night : bool
    timer_s : int
        Seconds that the turn may take, 0 without a timer (§14).
    bulletin : tuple of int
        As announced (§6.2).
    staffing : int
        Turn from which the centre has its present staffing (§9.1); 0 outside of play.
    unveiled : Unveiled, optional
        None before the end.

    """

    phase: str
    turn: int
    turns: int
    hour: int
    clock_min: int
    night: bool
    timer_s: int
    bulletin: tuple[int, ...]
    staffing: int
    unveiled: Unveiled | None


def public_view(world: World, state: State) -> PublicView:
    """Build what the public screen shows (§6.4)."""
    turn, turns = state.turn, world.turns
    phase = FORECAST if turn < 1 else OVER if state.ended or turn > turns else PLAY
    playing = phase == PLAY
    return PublicView(
        phase=phase,
        turn=turn,
        turns=turns,
        hour=world.hour,
        clock_min=(60 * world.hour + TURN_MIN * turn) % (24 * 60),
        night=world.night(turn),
        timer_s=TIMERS[world.scenario.timer].seconds if playing else 0,
        bulletin=state.bulletin,
        staffing=staffing_at(turn).from_turn if playing else 0,
        unveiled=unveiled(world) if phase == OVER else None,
    )


def unveiled(world: World) -> Unveiled:
    """Return the storm of a world; for the end alone."""
    return Unveiled(
        level=world.level,
        water=tuple(map(tuple, water_class(world.depth_mm).tolist())),
        first_cut=tuple(world.first_cut.tolist()),
        cut_on_foot=tuple(world.cut_on_foot.tolist()),
    )
