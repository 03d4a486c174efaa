"""Alerts as the public would have had them: where, when, what to do (§9.4, 9.3, 13.2)."""

from collections.abc import Iterable
from dataclasses import dataclass

from exercises.session import PlayedExercise
from sim.events import Event, InjunctionAnswered
from sim.legality import brushed
from sim.orders import Alert
from sim.rules import Protection
from sim.state import State

_OPTIONS = tuple(Protection)


@dataclass(frozen=True, slots=True)
class Advice:
    """What the people of some quarters are told to do.

    Attributes
    ----------
    option : Protection
    quarters : tuple of int
        Ascending.
    cells : tuple of int
        Hexes that it is said for, ascending.

    """

    option: Protection
    quarters: tuple[int, ...]
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """An alert that went out.

    Attributes
    ----------
    number : int
        From 1, over the whole exercise.
    turn : int
        In which it was ordered.
    injunction : bool
        Whether the prefecture asked for it (§13.2), rather than the team.
    levels : tuple of int
        Levels that the bulletin left open then (§6.2); () before the first.
    advice : tuple of Advice
        One for each option of protection, in the order of ``Protection``; at least one.

    """

    number: int
    turn: int
    injunction: bool
    levels: tuple[int, ...]
    advice: tuple[Advice, ...]


def notices_of(played: PlayedExercise) -> tuple[Notice, ...]:
    """Return every alert that was ordered and stood, and those that an injunction obeyed gave."""
    notices: list[Notice] = []
    for turn, events in enumerate(played.events):
        state = played.states[turn]
        given = [order for order in played.orders.get(turn, ()) if isinstance(order, Alert)]
        for injunction, advice in (
            *((False, _of_alert(played, state, order)) for order in given),
            *((True, advice) for advice in _of_injunctions(played, state, events)),
        ):
            number = len(notices) + 1
            notices.append(Notice(number, turn, injunction, state.bulletin, advice))
    return tuple(notices)


def _of_alert(played: PlayedExercise, state: State, order: Alert) -> tuple[Advice, ...]:
    cells = brushed(played.world.district, order.centre, order.radius)
    return _advice(played, state, cells, order.option)


def _of_injunctions(
    played: PlayedExercise, state: State, events: Iterable[Event]
) -> list[tuple[Advice, ...]]:
    district = played.world.district
    obeyed = [e.quarter for e in events if isinstance(e, InjunctionAnswered) and e.obeyed]
    return [
        _advice(played, state, tuple(district.hexes_of_quarter(quarter)), None)
        for quarter in obeyed
    ]


def _advice(
    played: PlayedExercise, state: State, cells: tuple[int, ...], option: Protection | None
) -> tuple[Advice, ...]:
    """Part some hexes by what their quarters are told: one option for all, or each its own."""
    quarter_of = played.world.district.quarter
    told: dict[Protection, list[int]] = {}
    for cell in cells:
        said = option or _OPTIONS[state.protection[quarter_of[cell]]]
        told.setdefault(said, []).append(cell)
    return tuple(
        Advice(said, tuple(sorted({int(quarter_of[cell]) for cell in told[said]})), (*told[said],))
        for said in _OPTIONS
        if said in told
    )
