"""A turn, its phases in the printed order, and the replay of a whole exercise (§18)."""

from collections.abc import Mapping, Sequence

import numpy as np

from sim.alerts import resolve_alerts
from sim.arrays import numbers
from sim.bulletin import issue_bulletin
from sim.cards import draw_card
from sim.errors import ExerciseError
from sim.evacuation import advance_counters, raise_water
from sim.events import Event
from sim.isolation import supply
from sim.knowledge import let_channels_speak
from sim.legality import take_orders
from sim.losses import lose_people
from sim.obstacles import Obstacles
from sim.orders import FORECAST_TURN, Forecast, Order, Void
from sim.protection import decide, settle_capital
from sim.refusal import refuse
from sim.reports import hear_residents
from sim.routes import routes
from sim.rules import CAPITAL_START, CONFIDENCES, FOLLOWERS_PERCENT, ISOLATION_RESERVE_POINTS
from sim.seats import WHOLE_TEAM
from sim.state import HUNDREDTHS, KNOWN_EXACTLY, NEVER, NOWHERE, State, changed
from sim.units import move_units, units_at_start
from sim.world import World

Step = tuple[State, tuple[Event, ...]]

# §18, in printed order: steps 2 to 4, then the team orders (5), then 6 to 9
OPENING = (raise_water, draw_card, let_channels_speak, hear_residents, issue_bulletin)
RESOLVING = (decide, move_units, resolve_alerts, advance_counters, supply, lose_people)
PHASES = (*OPENING, take_orders, *RESOLVING)


def start(world: World) -> State:
    """Return the state before any order: the forecast phase, everyone where the hour puts them."""
    n_hex = world.district.sheet.n_hexes
    nothing, never = (numbers(np.full(n_hex, value)) for value in (0, NEVER))
    quarters = (0,) * len(world.district.quarters)
    people = world.situation
    follow = people.upstairs.astype(np.int64) * FOLLOWERS_PERCENT * HUNDREDTHS // 100
    stay = people.upstairs.astype(np.int64) * HUNDREDTHS - follow
    shelters = len(world.district.shelters)
    return State(
        turn=FORECAST_TURN,
        units=units_at_start(world.district, half_staff=world.scenario.half_staff),
        pending=(),
        bulletin=(),
        known_mm=nothing,
        known_turn=nothing,
        known_by=numbers(np.full(n_hex, KNOWN_EXACTLY)),
        obstacles=Obstacles(),
        known_obstacles=Obstacles(),
        outages=(),
        rumour=(),
        forecast=(),
        confidence=(),
        alerted=never,
        first_step=never,
        progress=nothing,
        target=nothing,
        shelter=numbers(np.full(n_hex, NOWHERE)),
        route=routes([()] * n_hex),
        evacuated=never,
        cut=never,
        waiting=numbers(people.to_shelter.astype(np.int64) * HUNDREDTHS),
        followers=numbers(follow),
        upstairs=numbers(stay),
        in_time=nothing,
        late=nothing,
        follower_places=nothing,
        out=nothing,
        out_followers=nothing,
        lost=nothing,
        followers_lost=nothing,
        upstairs_lost=nothing,
        places_taken=(0,) * shelters,
        closed=(False,) * shelters,
        crush=(NEVER,) * shelters,
        protection=quarters,
        isolated_since=(NEVER,) * len(quarters),
        reserve=(ISOLATION_RESERVE_POINTS,) * len(quarters),
        attempts=quarters,
        mouth_attempts=quarters,
        cards_drawn=(),
        draws=0,
        injunctions=(),
        capital=CAPITAL_START,
    )


def is_over(world: World, state: State) -> bool:
    """Whether the last turn has been resolved, or the instructor ended it before (§18)."""
    return state.ended or state.turn > world.turns


def apply(world: World, state: State, order: Order, seat: str = WHOLE_TEAM) -> Step:
    """Take one order, or refuse it at no cost: it waits in ``state.pending`` (§9.5, 9.7)."""
    return take_orders(world, state, (order,), seat)


def next_due(world: World, state: State) -> int | None:
    """Turn that opens next, with or without an order; None once the exercise is over (§18)."""
    return None if is_over(world, state) else state.turn + 1


def advance(world: World, state: State, to: int) -> Step:
    """Resolve turn after turn with the orders that wait, until turn ``to`` is open (§18).

    So a state between two calls always stands at step 5: the team looks, and orders.

    Raises
    ------
    ExerciseError
        If ``to`` is a past turn, or lies beyond the end of the exercise.

    """
    if state.ended:
        raise ExerciseError(
            refuse(
                "",
                "the exercise was ended by its instructor in turn {turn} (§18): start another",
                turn=str(state.turn),
            )
        )
    if not state.turn <= to <= world.turns + 1:
        if is_over(world, state):
            raise ExerciseError(
                refuse(
                    "",
                    "the exercise ended with turn {turns} (§18): start another",
                    turns=str(world.turns),
                )
            )
        raise ExerciseError(
            refuse(
                "",
                "turn {to} cannot be opened while turn {turn} is played (§18): give one "
                "from {turn_2} to {turns}, the end",
                to=str(to),
                turn=str(state.turn),
                turn_2=str(state.turn + 1),
                turns=str(world.turns + 1),
            )
        )
    events: tuple[Event, ...] = ()
    while state.turn < to:
        state, happened = _resolve(world, state)
        events += happened
    return state, events


def _resolve(world: World, state: State) -> Step:
    """Resolve the turn with the orders that wait, then open the next up to its orders."""
    given = tuple(order for order in state.pending if not isinstance(order, Void))
    state = changed(state, pending=given)
    events: tuple[Event, ...] = ()
    for phase in (paint_forecast,) if state.turn == FORECAST_TURN else RESOLVING:
        state, happened = phase(world, state, given)
        events += happened
    state = changed(state, turn=state.turn + 1, pending=())
    for phase in (settle_capital,) if is_over(world, state) else OPENING:
        state, happened = phase(world, state, given)
        events += happened
    return state, events


def play_turn(world: World, state: State, orders: Sequence[Order]) -> Step:
    """Take the orders of the turn, resolve it and open the next (§18).

    Raises
    ------
    ExerciseError
        If the exercise is over.

    """
    taken, told = take_orders(world, state, tuple(orders))
    after, happened = advance(world, taken, state.turn + 1)
    return after, told + happened


def paint_forecast(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Freeze the forecast: all that is painted before turn 1 (§9.6, 18 step 1).

    A hex painted twice has the confidence given last.
    """
    painted: dict[int, int] = {}
    for order in state.pending:
        if isinstance(order, Forecast):
            sure = CONFIDENCES[order.confidence].percent if order.confidence else 0
            painted.update(dict.fromkeys(order.cells, sure))
    cells = tuple(sorted(painted))
    confidence = tuple(painted[cell] for cell in cells)
    return changed(state, forecast=cells, confidence=confidence), ()


def replay(
    world: World, orders: Mapping[int, Sequence[Order]]
) -> tuple[tuple[State, ...], tuple[tuple[Event, ...], ...]]:
    """Play a whole exercise from its orders by turn (§19).

    Returns
    -------
    states : tuple of State
        Before every turn's orders from the forecast (0), and the end: turns + 2.
    events : tuple of tuple of Event
        What happened after the orders of each turn: turns + 1.

    """
    states, events = [start(world)], []
    while not is_over(world, states[-1]):
        state, happened = play_turn(world, states[-1], orders.get(states[-1].turn, ()))
        states.append(state)
        events.append(happened)
    return tuple(states), tuple(events)
