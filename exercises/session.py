"""A whole exercise played without a person: by a player that sees views alone, or by orders."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sim.events import Event, OrderTaken, OrderWithdrawn
from sim.orders import Order
from sim.score import Score, score
from sim.state import State
from sim.turn import is_over, play_turn, start
from sim.view import View, view_for
from sim.world import World

Player = Callable[[View], Sequence[Order]]
"""Gives a turn's orders from what the team knows; it learns the public ground beforehand (§6)."""


@dataclass(frozen=True)
class PlayedExercise:
    """An exercise from the forecast to the end.

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


def play(world: World, orders: Player | Mapping[int, Sequence[Order]]) -> PlayedExercise:
    """Play a whole exercise (§18).

    Parameters
    ----------
    world : World
    orders : Player or mapping of int to sequence of Order
        Asked for the orders of every turn with the team's view, or given by turn.

    """
    states, events = [start(world)], []
    while not is_over(world, states[-1]):
        state = states[-1]
        given = (
            orders(view_for(state, world.hour, world.turns))
            if callable(orders)
            else orders.get(state.turn, ())
        )
        after, happened = play_turn(world, state, given)
        states.append(after)
        events.append(happened)
    return PlayedExercise(world, tuple(states), tuple(events))
