"""Faults that take more than a figure: each gives the faulty function from the plain one.

Nothing of the project is imported here: a change has to come first. What a fault needs of the
project it imports when it is made.
"""

from dataclasses import replace

import numpy as np


# --------------------------------------------------------------------------- orders, phases
def orders_and(kind):
    """Orders that are free, and one kind more."""

    def made(free):
        import sim.orders

        return (*free, getattr(sim.orders, kind))

    return made


def orders_but(kind):
    """Orders that are free, less one kind."""
    return lambda free: tuple(one for one in free if one.__name__ != kind)


def swapped(first, second):
    """Two phases in each other's place."""

    def made(phases):
        order, names = list(phases), [phase.__name__ for phase in phases]
        a, b = names.index(first), names.index(second)
        order[a], order[b] = order[b], order[a]
        return tuple(order)

    return made


def idle(plain):
    """A phase in which nothing happens."""
    return lambda world, state, *rest: (state, ())


def nothing(plain):
    """A function that does nothing."""
    return lambda *args, **named: None


def nothing_said(plain):
    return lambda *args: ""


def needs_a_unit(plain):
    return lambda world, state, orders: plain(world, state, orders) if state.units else (state, ())


def keeps_no_reason(plain):
    return lambda world, state, orders: plain(
        world, state, tuple(replace(order, reason="") for order in orders)
    )


def time_leaves_no_entry(plain):
    def changed(journal, kind, *rest, **named):
        return plain(journal, kind, *rest, **named) if kind.name == "ORDER" else None

    return changed


def one_seed(plain):
    return lambda seed: plain("0" * 32)


# --------------------------------------------------------------------------- ground, water
def row_before_column(plain):
    def changed(sheet, cell):
        label = plain(sheet, cell)
        half = len(label) // 2
        return label[half:] + label[:half]

    return changed


def one_class_less(row):
    return (type(row[0])(row[0] - 1), *row[1:])


def of_nobody(plain):
    return lambda residents, *rest: plain(residents, *rest) * 0


def of_one_fabric(plain):
    """Water that runs over every hex as over the first fabric's ground."""
    return lambda district, *rest, **named: plain(
        replace(district, fabric=district.fabric * 0), *rest, **named
    )


def without_drains(plain):
    return lambda storm, runoff, network, *rest: plain(storm, runoff, 0 * network, *rest)


def counted_twice(plain):
    return property(lambda flow: 2 * plain.fget(flow))


def one_key(plain):
    return lambda *args, **named: "key"


# --------------------------------------------------------------------------- knowledge
def by_a_die(plain):
    def changed(world, state, orders):
        from sim.dice import below

        if below(2, world.seed, "look", state.turn):
            return plain(world, state, orders)
        return state, ()

    return changed


def forgets(plain):
    def changed(world, state, orders):
        state, told = plain(world, state, orders)
        known = zip(state.known_mm, state.known_turn, strict=True)
        return replace(
            state, known_mm=tuple(mm if turn == state.turn else 0 for mm, turn in known)
        ), told

    return changed


def looks_on_its_way(plain):
    def changed(world, state, orders):
        state, told = plain(world, state, orders)
        known = list(state.known_turn)
        for event in told:
            if type(event).__name__ == "UnitMoved":
                for cell in range(*sorted((event.from_cell, event.to_cell))):
                    known[cell] = state.turn
        return replace(state, known_turn=tuple(known)), told

    return changed


def pumps_look_around(plain):
    def changed(district, units, *rest, **named):
        cells = set(plain(district, units, *rest, **named))
        for unit in units:
            if unit.name.startswith("pump"):
                cells.update(district.sheet.disk(unit.cell, 1))
        return tuple(sorted(cells))

    return changed


def without_stations(plain):
    return lambda district, *rest, **named: plain(replace(district, stations=()), *rest, **named)


def known_dry(plain):
    def changed(*args):
        links, depth_mm = plain(*args)
        return links, depth_mm * 0

    return changed


def shows_the_counters(plain):
    return lambda state, *rest, **named: replace(
        plain(state, *rest, **named), known_by=state.progress
    )


# --------------------------------------------------------------------------- people
def deaf_to(**choice):
    """A situation that does not hear one choice of the instructor."""

    def make(plain):
        def changed(district, hour, scenario=None):
            return plain(district, hour, *([replace(scenario, **choice)] if scenario else []))

        return changed

    return make


def all_here(plain):
    return lambda district, *, half_staff=False: plain(district)


def drowns_those_upstairs(plain):
    def changed(*args):
        state, told = plain(*args)
        return replace(state, upstairs=tuple(max(0, p - 500) for p in state.upstairs)), told

    return changed


def nobody_goes_up(plain):
    return lambda district, state, option: plain(district, state, option) & (option.value != "up")


def hears_no_credibility(plain):
    return lambda *, night, credibility=7: plain(night=night)


def all_step(plain):
    return lambda world, state, links, depth_mm, going: plain(
        world, state, links, depth_mm, np.ones_like(going)
    )


def last_first(plain):
    return lambda world, state, cells: plain(world, state, cells[::-1])


def none_reserved(plain):
    return lambda units, turn: ()


def the_left_cost(plain):
    def changed(world, state):
        result = plain(world, state)
        return replace(result, points=result.points - result.left)

    return changed


def of_the_contrary(plain):
    return lambda confidence_percent, truth: plain(confidence_percent, ~truth)


def nothing_earlier(plain):
    return lambda world, orders: (dict(orders), ())


# --------------------------------------------------------------------------- cards
def announced(plain):
    def changed(world, state, target):
        from sim.events import CardDrawn

        state, event = plain(world, state, target)
        return state, CardDrawn(turn=event.turn, card=event.card, links=event.links)

    return changed


def spent(plain):
    """A card that does nothing but be told."""
    return lambda world, state, target: (state, plain(world, state, target)[1])


def tells_the_level(plain):
    def changed(world, state, card, target):
        state, event = plain(world, state, card, target)
        return replace(state, bulletin=(world.level,)), event

    return changed
