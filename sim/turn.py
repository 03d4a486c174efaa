"""A turn, its phases in the printed order, and the replay of a whole exercise (§18)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sim.alerts import resolve_alerts
from sim.bulletin import issue_bulletin
from sim.errors import ExerciseError
from sim.evacuation import advance_counters, lose_people, raise_water
from sim.events import Event
from sim.knowledge import let_channels_speak
from sim.legality import take_orders
from sim.orders import FORECAST_TURN, Forecast, Order, Void
from sim.rules import CAPITAL_START, FOLLOWERS_PERCENT
from sim.state import HUNDREDTHS, NEVER, NOWHERE, State
from sim.units import move_units, units_at_start
from sim.world import World

Step = tuple[State, tuple[Event, ...]]

# §18, in printed order: steps 2 and 4, then the team orders (5), then 6 to 9
OPENING = (raise_water, let_channels_speak, issue_bulletin)
RESOLVING = (move_units, resolve_alerts, advance_counters, lose_people)
PHASES = (*OPENING, take_orders, *RESOLVING)


def start(world: World) -> State:
    """Return the state before any order: the forecast phase, everyone where the hour puts them."""
    n_hex = world.district.sheet.n_hexes
    nothing = (0,) * n_hex
    quarters = (0,) * len(world.district.quarters)
    people = world.situation
    return State(
        turn=FORECAST_TURN,
        units=units_at_start(world.district),
        pending=(),
        bulletin=(),
        known_mm=nothing,
        known_turn=nothing,
        forecast=(),
        alerted=(NEVER,) * n_hex,
        first_step=(NEVER,) * n_hex,
        progress=nothing,
        target=nothing,
        shelter=(NOWHERE,) * n_hex,
        route=((),) * n_hex,
        evacuated=(NEVER,) * n_hex,
        cut=(NEVER,) * n_hex,
        waiting=tuple((people.to_shelter * HUNDREDTHS).tolist()),
        followers=tuple((people.upstairs * FOLLOWERS_PERCENT * HUNDREDTHS // 100).tolist()),
        in_time=nothing,
        late=nothing,
        follower_places=nothing,
        lost=nothing,
        followers_lost=nothing,
        places_taken=(0,) * len(world.district.shelters),
        attempts=quarters,
        mouth_attempts=quarters,
        capital=CAPITAL_START,
    )


def is_over(world: World, state: State) -> bool:
    """Whether the last turn has been resolved (§18)."""
    return state.turn > world.turns


def apply(world: World, state: State, order: Order) -> Step:
    """Take one order, or refuse it at no cost: it waits in ``state.pending`` (§9.5)."""
    return take_orders(world, state, (order,))


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
    if not state.turn <= to <= world.turns + 1:
        if is_over(world, state):
            raise ExerciseError(f"the exercise ended with turn {world.turns} (§18): start another")
        raise ExerciseError(
            f"turn {to} cannot be opened while turn {state.turn} is played (§18): "
            f"give one from {state.turn + 1} to {world.turns + 1}, the end"
        )
    events: tuple[Event, ...] = ()
    while state.turn < to:
        state, happened = _resolve(world, state)
        events += happened
    return state, events


def _resolve(world: World, state: State) -> Step:
    """Resolve the turn with the orders that wait, then open the next up to its orders."""
    given = tuple(order for order in state.pending if not isinstance(order, Void))
    state = replace(state, pending=given)
    events: tuple[Event, ...] = ()
    for phase in (paint_forecast,) if state.turn == FORECAST_TURN else RESOLVING:
        state, happened = phase(world, state, given)
        events += happened
    state = replace(state, turn=state.turn + 1, pending=())
    for phase in () if is_over(world, state) else OPENING:
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
    """Freeze the forecast: the union of what is painted before turn 1 (§9.6, 18 step 1)."""
    painted: set[int] = set()
    for order in state.pending:
        if isinstance(order, Forecast):
            painted.update(order.cells)
    return replace(state, forecast=tuple(sorted(painted))), ()


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
