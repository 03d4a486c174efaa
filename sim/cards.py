"""The nine cards: an event never adds a decision, it makes one already taken harder (§13)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from sim.arrays import altered, whole
from sim.dice import below
from sim.district import BoolArray
from sim.events import CardDrawn, CardHidden, Event
from sim.links import water_class
from sim.obstacles import around
from sim.orders import HEX, LINK, QUARTER, SHELTER, Order
from sim.rules import (
    CARD_FROM_TURN,
    CARD_ONE_TURN_IN,
    CARDS,
    COUNTER_CURRENT_HOURS,
    COUNTER_CURRENT_TURNS,
    REINFORCEMENT_PATROLS,
    RUMOUR_HEXES,
    VISIBLE_FABRICS,
    Card,
    LinkClass,
    UnitKind,
    Water,
)
from sim.state import HUNDREDTHS, NEVER, Injunction, State, changed
from sim.unit import Unit
from sim.units import bases
from sim.world import World

Step = tuple[State, tuple[Event, ...]]
DECK = tuple(Card)
CardEvent = tuple[State, CardDrawn]

STRIKES: Mapping[Card, str] = MappingProxyType(
    {
        Card.ACCIDENT: LINK,
        Card.ROADWORKS: LINK,
        Card.JAM: HEX,
        Card.COUNTER_CURRENT: QUARTER,
        Card.STAMPEDE: SHELTER,
        Card.POWER_CUT: HEX,
        Card.RUMOUR: QUARTER,
        Card.REINFORCEMENT: "",
        Card.INJUNCTION: QUARTER,
    }
)
"""What a card strikes, by the mark of an order's fields; '' for nothing (§13.1)."""


def draw_card(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Draw a card in about one turn out of five, and play the instructor's (§13.1, 18 step 3)."""
    events: tuple[Event, ...] = ()
    drawn = world.scenario.cards and state.turn >= CARD_FROM_TURN
    if drawn and below(CARD_ONE_TURN_IN, world.seed, "card", state.turn) == 0:
        state, card = _from_the_deck(world, state)
        state, event = play_card(world, state, card, None)
        events += (event,)
    for inject in world.scenario.injects:
        if inject.turn == state.turn:
            state, event = play_card(world, state, inject.card, inject.target)
            events += (event,)
    for act in state.cards_to_play:
        state, event = play_card(world, state, act.card, act.target)
        events += (event,)
    return (changed(state, cards_to_play=()) if state.cards_to_play else state), events


def _from_the_deck(world: World, state: State) -> tuple[State, Card]:
    """Take a card that is not gone yet; nine, each once, then reshuffled (§13.1, 8.5)."""
    gone = state.cards_drawn if len(state.cards_drawn) < len(DECK) else ()
    left = [i for i in range(len(DECK)) if i not in gone]
    likely = world.hour in COUNTER_CURRENT_HOURS
    lots = [i for i in left for _ in range(2 if likely and DECK[i] is Card.COUNTER_CURRENT else 1)]
    drawn = lots[below(len(lots), world.seed, "which card", state.draws)]
    return changed(state, cards_drawn=(*gone, drawn)), DECK[drawn]


def play_card(world: World, state: State, card: Card, target: int | None) -> CardEvent:
    """Play a card on its target, drawn where none is given; on nothing where none exists."""
    state, event = _PLAYED[card](world, state, target)
    return changed(state, draws=state.draws + 1), event


def _chosen(world: World, state: State, among: Sequence[int], target: int | None) -> int | None:
    """Return the target given, or one drawn among those possible."""
    if target is not None:
        return target
    if not len(among):
        return None
    return int(among[below(len(among), world.seed, "target", state.draws)])


def _last(state: State, card: Card) -> int:
    """Last turn of a card played now."""
    lasts = CARDS[card].lasts_turns
    assert lasts is not None
    return state.turn + lasts - 1


def _accident(world: World, state: State, target: int | None) -> CardEvent:
    district = world.district
    axes = np.flatnonzero(_in_play(world) & (district.link_class >= LinkClass.SECONDARY))
    link = _chosen(world, state, axes.tolist(), target)
    if link is None:
        return state, CardDrawn(turn=state.turn, card=Card.ACCIDENT.value)
    struck = (link, _last(state, Card.ACCIDENT))
    state = changed(
        state,
        obstacles=replace(
            state.obstacles, accidents=(*state.obstacles.accidents, struck)
        ).with_obstructed((link,)),
        known_obstacles=replace(
            state.known_obstacles, accidents=(*state.known_obstacles.accidents, struck)
        ).with_obstructed((link,)),
    )
    return state, CardDrawn(turn=state.turn, card=Card.ACCIDENT.value, links=(link,))


def _roadworks(world: World, state: State, target: int | None) -> CardEvent:
    left = _in_play(world) & (world.district.link_class >= LinkClass.LOCAL)
    left[list(state.obstacles.roadworks)] = False
    link = _chosen(world, state, np.flatnonzero(left).tolist(), target)
    if link is None:
        return state, CardHidden(turn=state.turn, card=Card.ROADWORKS.value)
    gone = tuple(sorted({*state.obstacles.roadworks, link}))
    state = changed(state, obstacles=replace(state.obstacles, roadworks=gone))
    return state, CardHidden(turn=state.turn, card=Card.ROADWORKS.value, links=(link,))


def _jam(world: World, state: State, target: int | None) -> CardEvent:
    on_roads = np.flatnonzero(world.district.active & (world.district.road_m > 0))
    cell = _chosen(world, state, on_roads.tolist(), target)
    if cell is None:
        return state, CardDrawn(turn=state.turn, card=Card.JAM.value)
    struck = (cell, _last(state, Card.JAM))
    state = changed(
        state,
        obstacles=replace(state.obstacles, jams=(*state.obstacles.jams, struck)),
        known_obstacles=replace(state.known_obstacles, jams=(*state.known_obstacles.jams, struck)),
    )
    cells = around(world.district, (struck,), state.turn)
    return state, CardDrawn(turn=state.turn, card=Card.JAM.value, cells=cells)


def _counter_current(world: World, state: State, target: int | None) -> CardEvent:
    under_way = (whole(state.first_step) != NEVER) & (whole(state.evacuated) == NEVER)
    quarters = np.unique(world.district.quarter[under_way & world.district.active])
    quarter = _chosen(world, state, quarters.tolist(), target)
    if quarter is not None:
        back = under_way & (world.district.quarter == quarter)
        lost = COUNTER_CURRENT_TURNS * HUNDREDTHS
        left = np.maximum(whole(state.progress) - lost, 0)
        state = changed(state, progress=altered(state.progress, np.flatnonzero(back), left[back]))
    return state, CardDrawn(turn=state.turn, card=Card.COUNTER_CURRENT.value, quarter=quarter)


def _stampede(world: World, state: State, target: int | None) -> CardEvent:
    used = [number for number, taken in enumerate(state.places_taken) if taken]
    shelter = _chosen(world, state, used or range(len(state.places_taken)), target)
    if shelter is not None:
        crush = list(state.crush)
        crush[shelter] = _last(state, Card.STAMPEDE)
        state = changed(state, crush=tuple(crush))
    return state, CardDrawn(turn=state.turn, card=Card.STAMPEDE.value, shelter=shelter)


def _power_cut(world: World, state: State, target: int | None) -> CardEvent:
    cell = _chosen(world, state, np.flatnonzero(world.district.active).tolist(), target)
    if cell is None:
        return state, CardDrawn(turn=state.turn, card=Card.POWER_CUT.value)
    struck = (cell, _last(state, Card.POWER_CUT))
    cells = around(world.district, (struck,), state.turn)
    state = changed(state, outages=(*state.outages, struck))
    return state, CardDrawn(turn=state.turn, card=Card.POWER_CUT.value, cells=cells)


def _rumour(world: World, state: State, target: int | None) -> CardEvent:
    """Residents of a dry quarter will tell of deep water this turn; nobody says it is a rumour."""
    district = world.district
    wet = water_class(world.depth_mm[state.turn]) > Water.FREE
    peopled = district.active & (district.residents > 0)
    flooded = np.unique(district.quarter[wet & district.active])
    dry = np.setdiff1d(np.unique(district.quarter[peopled]), flooded)
    quarter = _chosen(world, state, dry.tolist(), target)
    if quarter is None:
        return state, CardHidden(turn=state.turn, card=Card.RUMOUR.value)
    left = np.flatnonzero(peopled & ~wet & (district.quarter == quarter)).tolist()
    told: list[tuple[int, int]] = []
    for number in range(min(RUMOUR_HEXES, len(left))):
        key = (world.seed, "rumour", state.draws, number)
        cell = left.pop(below(len(left), *key))
        water = int(Water.BLOCKING) + below(2, *key, "class")
        told.append((cell, water))
    cells = tuple(sorted(cell for cell, _ in told))
    state = changed(state, rumour=(*state.rumour, *sorted(told)))
    return state, CardHidden(turn=state.turn, card=Card.RUMOUR.value, quarter=quarter, cells=cells)


def _reinforcement(world: World, state: State, target: int | None) -> CardEvent:
    patrols = [unit for unit in state.units if unit.kind is UnitKind.PATROL]
    numbers = [int(unit.name.rsplit("-", 1)[1]) for unit in patrols]
    homes = bases(world.district, UnitKind.PATROL)
    first = max(numbers, default=0) + 1
    new = tuple(
        Unit(f"{UnitKind.PATROL.value}-{number}", homes[(number - 1) % len(homes)].cell)
        for number in range(first, first + REINFORCEMENT_PATROLS)
    )
    others = tuple(unit for unit in state.units if unit.kind is not UnitKind.PATROL)
    state = changed(state, units=(*patrols, *new, *others))
    return state, CardDrawn(
        turn=state.turn,
        card=Card.REINFORCEMENT.value,
        cells=tuple(unit.cell for unit in new),
    )


def _injunction(world: World, state: State, target: int | None) -> CardEvent:
    """Demand the evacuation of a visible quarter: most of its hexes are of a visible fabric."""
    district = world.district
    visible = np.isin(district.fabric, VISIBLE_FABRICS) & district.active
    size = np.bincount(district.quarter[district.active], minlength=len(district.quarters))
    seen = np.bincount(district.quarter[visible], minlength=len(district.quarters))
    asked = {one.quarter for one in state.injunctions}
    among = [
        quarter
        for quarter in np.flatnonzero((2 * seen >= size) & (size > 0)).tolist()
        if quarter not in asked
    ]
    quarter = _chosen(world, state, among, target)
    if quarter is not None:
        demand = Injunction(state.turn, quarter)
        state = changed(state, injunctions=(*state.injunctions, demand))
    return state, CardDrawn(turn=state.turn, card=Card.INJUNCTION.value, quarter=quarter)


def _in_play(world: World) -> BoolArray:
    """(n_edge,) edges between two active hexes."""
    a, b = world.district.sheet.edges.T
    both: BoolArray = world.district.active[a] & world.district.active[b]
    return both


_PLAYED: Mapping[Card, Callable[[World, State, int | None], CardEvent]] = MappingProxyType(
    {
        Card.ACCIDENT: _accident,
        Card.ROADWORKS: _roadworks,
        Card.JAM: _jam,
        Card.COUNTER_CURRENT: _counter_current,
        Card.STAMPEDE: _stampede,
        Card.POWER_CUT: _power_cut,
        Card.RUMOUR: _rumour,
        Card.REINFORCEMENT: _reinforcement,
        Card.INJUNCTION: _injunction,
    }
)

__all__ = ["DECK", "STRIKES", "draw_card", "play_card"]
