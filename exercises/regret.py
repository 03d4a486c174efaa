"""What doing otherwise would have cost: the same storm and the same dice (§12.5).

Dice are keyed by what they are rolled for and by the attempt, and cards by their draw, so that
nothing that a team does moves a die of another: what differs between two alternatives is what was
ordered. Every alternative keeps the team's forecast, which takes no order and no place (§9.6).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from exercises.perfect_knowledge import perfect_knowledge
from exercises.players import PLAYERS
from exercises.session import PlayedExercise, play, play_knowing
from sim.events import OrderRefused
from sim.legality import refusal_on_paper
from sim.orders import FORECAST_TURN, FREE, Answer, Order
from sim.score import Score
from sim.state import State
from sim.view import View, staffing_at
from sim.world import World

DO_NOTHING = "do_nothing"
ALERT_EVERYONE = "alert_everyone"
BASELINE = "baseline"
ONE_TURN_EARLIER = "one_turn_earlier"
PERFECT_KNOWLEDGE = "perfect_knowledge"
ALTERNATIVES = (DO_NOTHING, ALERT_EVERYONE, BASELINE, ONE_TURN_EARLIER, PERFECT_KNOWLEDGE)
"""Keys of what is played, in the order in which it is shown."""
FIRST_TURN = 1

Orders = Mapping[int, Sequence[Order]]
Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class Alternative:
    """An exercise as it might have been played.

    Attributes
    ----------
    key : str
        One of ``ALTERNATIVES``.
    played : PlayedExercise
    dropped : tuple of Order
        Orders of the team that the earlier turn's budget did not hold, dated that turn.

    """

    key: str
    played: PlayedExercise
    dropped: tuple[Order, ...] = ()

    @property
    def score(self) -> Score:
        """Score at the end (§12)."""
        return self.played.score

    @property
    def refused(self) -> tuple[OrderRefused, ...]:
        """Orders that could not be given, each with why: the team knew less a turn earlier."""
        return tuple(
            event
            for events in self.played.events
            for event in events
            if isinstance(event, OrderRefused)
        )


def alternatives(
    world: World, orders: Orders, progress: Progress | None = None, *, turns: int | None = None
) -> tuple[Alternative, ...]:
    """Play what a team might have done instead (§12.5).

    Parameters
    ----------
    world : World
        In which the team played.
    orders : mapping of int to sequence of Order
        The team's orders that stood, by turn (``PlayedExercise.orders``).
    progress : callable, optional
        Told the key of what is played and the share done.
    turns : int, optional
        Turns after which the exercise was ended, where that was early: the alternatives end there.

    Returns
    -------
    tuple of Alternative
        In the order of ``ALTERNATIVES``.

    """
    return tuple(_played_one_by_one(world, orders, progress, turns))


def _played_one_by_one(
    world: World, orders: Orders, progress: Progress | None, turns: int | None
) -> Iterator[Alternative]:
    forecast = tuple(orders.get(FORECAST_TURN, ()))
    for number, key in enumerate(ALTERNATIVES):
        if progress:
            progress(key, number / len(ALTERNATIVES))
        if key == ONE_TURN_EARLIER:
            earlier, dropped = one_turn_earlier(world, orders)
            yield Alternative(key, play(world, earlier, turns), dropped)
        elif key == PERFECT_KNOWLEDGE:
            knower = _with_forecast(perfect_knowledge(world), forecast)
            yield Alternative(key, play_knowing(world, knower, turns))
        else:
            player = PLAYERS[key.replace("_", "-")](world.district)
            yield Alternative(key, play(world, _with_forecast(player, forecast), turns))
    if progress:
        progress("", 1.0)


Sight = TypeVar("Sight", View, State)


def _with_forecast(
    player: Callable[[Sight], Sequence[Order]], forecast: Sequence[Order]
) -> Callable[[Sight], Sequence[Order]]:
    """Let a player play on with a forecast that is not its own."""

    def orders(sight: Sight) -> Sequence[Order]:
        return forecast if sight.turn == FORECAST_TURN else player(sight)

    return orders


def one_turn_earlier(
    world: World, orders: Orders
) -> tuple[dict[int, tuple[Order, ...]], tuple[Order, ...]]:
    """Shift a team's orders one turn forward, as far as the earlier turns' budgets go (§12.5).

    Orders of turn 1 cannot come sooner, and stay before those of turn 2. An answer to the
    prefecture stays in the turn in which it was asked for. Which of a turn's orders are beyond the
    budget goes by the order in which they were given; an order that the earlier turn does not
    allow anyhow (a brush too wide for its staffing, §9.1) is left in, to be refused, and uses up
    no budget, as in play.

    Returns
    -------
    earlier : dict of int to tuple of Order
    dropped : tuple of Order
        Dated the earlier turn, in turn order.

    """
    wanted: dict[int, list[Order]] = {}
    for turn in sorted(orders):
        for order in orders[turn]:
            stays = turn == FORECAST_TURN or isinstance(order, Answer)
            to = turn if stays else max(FIRST_TURN, turn - 1)
            wanted.setdefault(to, []).append(replace(order, turn=to))
    earlier: dict[int, tuple[Order, ...]] = {}
    dropped: list[Order] = []
    for turn, given in sorted(wanted.items()):
        earlier[turn], beyond = _within_budget(world, given)
        dropped += beyond
    return earlier, tuple(dropped)


def _within_budget(
    world: World, given: Sequence[Order]
) -> tuple[tuple[Order, ...], tuple[Order, ...]]:
    """Part a turn's orders into those that its budget holds and those beyond it."""
    held: list[Order] = []
    beyond: list[Order] = []
    kept: dict[int, Order] = {}
    spent = 0
    for order in given:
        free = isinstance(order, FREE)
        if not free and spent >= staffing_at(order.turn).orders:
            beyond.append(order)
            continue
        held.append(order)
        if refusal_on_paper(world.district, world.turns, order, kept) is None:
            kept[len(held)] = order
            spent += not free
    return tuple(held), tuple(beyond)
