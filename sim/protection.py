"""What the centre decides without a unit: options, shelters, injunctions (§9.3, 9.5, 13.2)."""

from dataclasses import replace

import numpy as np

from sim.district import BoolArray, District
from sim.events import Event, InjunctionAnswered, InjunctionSettled, ProtectionSet, ShelterClosed
from sim.legality import awaited_injunction, brushed
from sim.orders import Alert, Answer, CloseShelter, OpenShelter, Order, Protect
from sim.rules import CAPITAL_REFUSED, CAPITAL_REFUSED_RIGHTLY, Protection
from sim.state import Injunction, State, changed
from sim.world import World

Step = tuple[State, tuple[Event, ...]]
OPTIONS = tuple(Protection)


def hexes_of_option(district: District, state: State, option: Protection) -> BoolArray:
    """(n_hex,) active hexes whose quarter is protected in one way (§9.3)."""
    chosen = np.array(state.protection) == OPTIONS.index(option)
    hexes: BoolArray = chosen[district.quarter] & district.active
    return hexes


def decide(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Carry out what needs no unit: options, shelters, the prefecture's answer (§18 step 5)."""
    state, options = _set_options(world.district, state)
    state, shelters = _set_shelters(state)
    state, answered = _answer(state)
    return state, options + shelters + answered


def _set_options(district: District, state: State) -> Step:
    """Set the options that alerts and orders name, in the order given (§9.3)."""
    protection = list(state.protection)
    events: list[Event] = []
    for order in state.pending:
        match order:
            case Alert(option=Protection() as option):
                cells = brushed(district, order.centre, order.radius)
                touched = sorted({int(district.quarter[cell]) for cell in cells})
            case Protect(quarter=quarter, option=option):
                touched = [quarter]
            case _:
                continue
        for quarter in touched:
            if OPTIONS[protection[quarter]] is not option:
                protection[quarter] = OPTIONS.index(option)
                told = ProtectionSet(turn=state.turn, quarter=quarter, option=option.value)
                events.append(told)
    return changed(state, protection=tuple(protection)), tuple(events)


def _set_shelters(state: State) -> Step:
    """Close and open shelters as ordered (§9.5)."""
    closed = list(state.closed)
    events: list[Event] = []
    for order in state.pending:
        if isinstance(order, (CloseShelter, OpenShelter)):
            shut = isinstance(order, CloseShelter)
            if closed[order.shelter] != shut:
                closed[order.shelter] = shut
                told = ShelterClosed(turn=state.turn, shelter=order.shelter, closed=shut)
                events.append(told)
    return changed(state, closed=tuple(closed)), tuple(events)


def _answer(state: State) -> Step:
    """Take the answer to the prefecture, a refusal where none was given (§13.2).

    Where it asks twice in a turn, one answer goes for both.
    """
    if awaited_injunction(state.injunctions) is None:
        return state, ()
    given = [order.obey for order in state.pending if isinstance(order, Answer)]
    obeyed = bool(given) and given[-1]
    capital, injunctions = state.capital, []
    events: list[Event] = []
    for one in state.injunctions:
        if one.obeyed is None:
            one = replace(one, obeyed=obeyed)
            capital += 0 if obeyed else CAPITAL_REFUSED
            told = InjunctionAnswered(
                turn=state.turn, quarter=one.quarter, obeyed=obeyed, capital=capital
            )
            events.append(told)
        injunctions.append(one)
    return changed(state, injunctions=tuple(injunctions), capital=capital), tuple(events)


def settle_capital(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Give back, at the end, what refusing an injunction rightly is worth (§13.2)."""
    events: list[Event] = []
    capital = state.capital
    for one in state.injunctions:
        if not one.obeyed and not was_threatened(world, one):
            capital += CAPITAL_REFUSED_RIGHTLY
            settled = InjunctionSettled(turn=state.turn, quarter=one.quarter, capital=capital)
            events.append(settled)
    return changed(state, capital=capital), tuple(events)


def was_threatened(world: World, injunction: Injunction) -> bool:
    """Whether some hex of the quarter that the prefecture named was threatened (§12.2, 13.2)."""
    of_quarter = world.district.quarter == injunction.quarter
    return bool((world.threatened & of_quarter).any())
