"""A whole exercise played without a person: by a player that sees views alone, or by orders."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from sim.events import Event, OrderTaken, OrderWithdrawn
from sim.orders import Order
from sim.protection import settle_capital
from sim.score import Score, score
from sim.state import State
from sim.turn import is_over, play_turn, start
from sim.view import View, view_for
from sim.world import World

Player = Callable[[View], Sequence[Order]]
"""Gives a turn's orders from what the team knows; it learns the public ground beforehand (§6)."""
Knower = Callable[[State], Sequence[Order]]
"""Gives a turn's orders from the truth: no team, but a bound to set one against (§12.5)."""


@dataclass(frozen=True)
class PlayedExercise:
    """An exercise from the forecast to the end, the instructor's early end included (§18).

    Attributes
    ----------
    world : World
    states : tuple of State
        Before every turn's orders, from the forecast (0), and the end: turns + 2.
    events : tuple of tuple of Event
        What happened after the orders of each turn: turns + 1.

    """

    world: World
    states: tuple[State, ...]
    events: tuple[tuple[Event, ...], ...]

    @property
    def turns(self) -> int:
        """Turns that were played: fewer than the world's where it was ended early."""
        return len(self.states) - 2

    @property
    def moments(self) -> tuple[State, ...]:
        """States that a map or a curve shows, turns + 1.

        Entry t stands before turn t's orders; the last one is the end.
        """
        return (*self.states[: self.turns], self.states[-1])

    @cached_property
    def orders(self) -> dict[int, tuple[Order, ...]]:
        """Orders that stood, by turn: they replay the exercise to the same states."""
        return {turn: stood for turn, events in enumerate(self.events) if (stood := _stood(events))}

    @cached_property
    def score(self) -> Score:
        """Score at the end (§12)."""
        return score(self.world, self.states[-1])

    def view(self, turn: int) -> View:
        """What the team knew when it gave the orders of a turn; turns + 1 is the end."""
        return view_for(self.states[turn], self.world.hour, self.world.turns)


def _stood(events: Sequence[Event]) -> tuple[Order, ...]:
    orders: list[Order] = []
    for event in events:
        if isinstance(event, OrderTaken):
            orders.append(event.order)
        elif isinstance(event, OrderWithdrawn):
            orders.remove(event.order)
    return tuple(orders)


def play(
    world: World, orders: Player | Mapping[int, Sequence[Order]], turns: int | None = None
) -> PlayedExercise:
    """Play a whole exercise (§18).

    Parameters
    ----------
    world : World
    orders : Player or mapping of int to sequence of Order
        Asked for the orders of every turn with the team's view, or given by turn.
    turns : int, optional
        Turns after which the instructor ends it; all of the world's when left out.

    """

    def given(state: State) -> Sequence[Order]:
        if callable(orders):
            return orders(view_for(state, world.hour, world.turns))
        return orders.get(state.turn, ())

    return play_knowing(world, given, turns)


def play_knowing(world: World, orders: Knower, turns: int | None = None) -> PlayedExercise:
    """Play a whole exercise by one who sees the truth, as no team does (§12.5)."""
    states, events = [start(world)], []
    last = world.turns if turns is None else turns
    while states[-1].turn <= last:
        after, happened = play_turn(world, states[-1], orders(states[-1]))
        states.append(after)
        events.append(happened)
    return ended_here(PlayedExercise(world, tuple(states), tuple(events)))


def ended_here(played: PlayedExercise) -> PlayedExercise:
    """Return an exercise that ends where it stands: played out, or ended by the instructor (§18).

    The turn that stands open is the end: its orders were not resolved and do not count, and what
    a rightly refused injunction gives back is given then (§13.2).
    """
    world, last = played.world, played.states[-1]
    if is_over(world, last):
        return played
    # an injunction of the open turn was neither obeyed nor refused
    answered = tuple(one for one in last.injunctions if one.obeyed is not None)
    settled, told = settle_capital(world, replace(last, injunctions=answered), ())
    end = replace(last, capital=settled.capital, pending=())
    events = (*played.events[:-1], (*played.events[-1], *told)) if played.events else ()
    return PlayedExercise(world, (*played.states[:-1], end), events)
