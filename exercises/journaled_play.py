"""A flood exercise played into its journal, from its start or from where it was cut short."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from exercises.act_forms import inject_of
from exercises.family import Envelope
from exercises.flood_family import FloodState
from exercises.live import LiveExercise, Step
from exercises.session import PlayedExercise, Player, ended_here
from sim.acts import EndExercise, PlayCard
from sim.errors import ExerciseError
from sim.events import TEAM, Event, MessageSent
from sim.orders import Order, order_key
from sim.refusal import mark, refuse
from sim.state import State
from sim.turn import is_over
from sim.view import view_for
from sim.world import World


@dataclass
class Turn:
    """A turn as it was opened, what was handed in, and all that happened until the next.

    ``cards`` are those that the instructor has fall as the next one opens (§13.2).
    """

    state: State
    given: list[Order] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    cards: list[PlayCard] = field(default_factory=list)


def turns_of(start: FloodState, steps: Iterable[Step]) -> list[Turn]:
    """Sort the steps of a journal by turn; the last turn is the one that stands open, or the end.

    Where the instructor ended the exercise, the turn that stood open is the end, and what ended it
    happened in the turn before: the orders of the open one were not resolved (§18).
    """
    turns = [Turn(start.state)]
    for step in steps:
        body = None if step.order is None else step.order.body
        if isinstance(body, PlayCard):
            turns[-1].cards.append(body)
        elif isinstance(body, EndExercise):
            ((after, events),) = step.parts
            told = (event for event in turns[-1].events if isinstance(event, MessageSent))
            turns[-2].events += (*told, *events)
            turns[-1] = Turn(after.state)
            continue
        elif isinstance(body, Order):
            turns[-1].given.append(body)
        for after, events in step.parts:
            turns[-1].events += events
            if after.state.turn != turns[-1].state.turn:
                turns.append(Turn(after.state))
    return turns


def played_of(world: World, turns: Sequence[Turn]) -> PlayedExercise:
    """Return a whole exercise from its turns, the end included.

    Cards that the instructor played by hand stand among the injects of its world: whatever is
    played there again, by other orders, meets them too.
    """
    states = tuple(turn.state for turn in turns)
    by_hand = tuple(inject_of(card) for turn in turns[:-1] for card in turn.cards)
    if by_hand:
        injects = (*world.scenario.injects, *by_hand)
        world = replace(world, scenario=replace(world.scenario, injects=injects))
    return PlayedExercise(world, states, tuple(tuple(turn.events) for turn in turns[:-1]))


def played_so_far(world: World, turns: Sequence[Turn]) -> PlayedExercise:
    """Return an exercise that ends where it stands, played out or not (§18)."""
    return ended_here(played_of(world, turns))


def play_on(live: LiveExercise, orders: Player | Mapping[int, Sequence[Order]]) -> PlayedExercise:
    """Play an exercise to its end: every order and turn is in the journal before the next.

    A player is shown the turns that the journal holds already, so that it goes on as if nothing
    had happened.

    Raises
    ------
    ExerciseError
        If it gives other orders than those that the journal holds.
    JournalError
        If the journal cannot be written: what it holds is kept.
    """
    world = live.start.world
    turns = turns_of(live.start, live.past)
    number = 0
    while not is_over(world, turns[number].state):
        turn = turns[number]
        wanted = tuple(
            orders(view_for(turn.state, world.hour, world.turns))
            if callable(orders)
            else orders.get(turn.state.turn, ())
        )
        is_open = number + 1 == len(turns)
        _require_same(live, turn, wanted, is_open)
        if is_open:
            turns.append(_play_turn(live, turn, wanted[len(turn.given) :]))
        number += 1
    return played_of(world, turns)


def _play_turn(live: LiveExercise, turn: Turn, orders: Sequence[Order]) -> Turn:
    now = turn.state.turn
    for order in orders:
        turn.events += live.give(Envelope(TEAM, "", now, order, order.reason))
        turn.given.append(order)
    turn.events += live.advance(now + 1)
    return Turn(live.state.state)


def _require_same(live: LiveExercise, turn: Turn, wanted: Sequence[Order], is_open: bool) -> None:
    held = turn.given
    same = next((i for i, (a, b) in enumerate(zip(held, wanted, strict=False)) if a != b), None)
    if same is None and (len(held) == len(wanted) or (is_open and len(held) < len(wanted))):
        return
    at = min(len(held), len(wanted)) if same is None else same
    what = (
        refuse("", "an order {kind}", kind=order_key(type(held[at])))
        if at < len(held)
        else mark("no order")
    )
    raise ExerciseError(
        refuse(
            "",
            "order {at} of turn {turn} is not the one that the exercise was played "
            "with: {path} holds {what} there; give the orders or the player of then",
            at=str(at + 1),
            turn=str(turn.state.turn),
            path=str(live.journal.path),
            what=what,
        )
    )
