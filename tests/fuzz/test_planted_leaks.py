"""Leaks planted in the engine and in its views: the fuzz finds each (§6.4).

Of 120 pairs, 97, 35 and 31 tell of the first three: found on average after 1.2, 3.4 and 3.9 pairs.
Of those alike to a seat or to the public alone, 29 and 12 tell of the others. The numbers beside
them allow for other games.
"""

import pytest

import sim.alerts
from exercises.family import INSTRUCTOR
from exercises.flood_family import FloodFamily
from sim.state import state_hash
from tests.fuzz.two_worlds import pair


def pairs_until_found(most):
    """How many pairs were looked at until one told two worlds apart, and the leak."""
    for number in range(most):
        leak, _ = pair(number)
        if leak is not None:
            return number + 1, leak
    return most, None


def change_view(monkeypatch, change):
    """Let every side but the instructor see something more, or in another order."""
    honest = FloodFamily.view

    def view(self, state, side, at):
        seen = honest(self, state, side, at)
        return seen if side == INSTRUCTOR else change(seen, state)

    monkeypatch.setattr(FloodFamily, "view", view)


def plant_etag(monkeypatch):
    """A hash of the whole state, so that a browser knows whether its page is stale."""
    change_view(monkeypatch, lambda seen, at: {**seen, "etag": state_hash(at.state)})


def plant_shared_die(monkeypatch):
    """The preparation die of a quarter under the key of its alert die, which is told."""
    honest = sim.alerts._Desk.prepare

    def prepare(desk, purpose, quarter, attempt):
        return honest(desk, "cell_broadcast", quarter, attempt)

    monkeypatch.setattr(sim.alerts._Desk, "prepare", prepare)


def plant_sorted_list(monkeypatch):
    """The hexes alerted, deepest first: the same hexes, in an order that tells."""

    def deepest_first(seen, at):
        depth = at.world.depth_mm[min(at.state.turn, at.world.turns)]
        alerted = sorted(seen.get("alerted", ()), key=lambda cell: (-int(depth[cell]), cell))
        return {**seen, "alerted": alerted}

    change_view(monkeypatch, deepest_first)


def plant_exact_map(monkeypatch):
    """The map on the wall of all seats in millimetres, where it shows classes."""
    honest = FloodFamily.view

    def view(self, state, side, at):
        seen = honest(self, state, side, at)
        return {**seen, "known_mm": list(state.state.known_mm)} if "/" in side else seen

    monkeypatch.setattr(FloodFamily, "view", view)


def plant_telling_screen(monkeypatch):
    """How many hexes are alerted, on the screen that teams of one storm share."""
    honest = FloodFamily.view

    def view(self, state, side, at):
        seen = honest(self, state, side, at)
        alerted = sum(turn > 0 for turn in state.state.alerted)
        return {**seen, "alerted": alerted} if side == "public" else seen

    monkeypatch.setattr(FloodFamily, "view", view)


PLANTED = {
    "etag": (plant_etag, 20),
    "shared die": (plant_shared_die, 30),
    "sorted list": (plant_sorted_list, 30),
    "exact map": (plant_exact_map, 60),
    "telling screen": (plant_telling_screen, 60),
}


@pytest.mark.parametrize("name", PLANTED)
def test_6_4_a_planted_leak_is_found(name, monkeypatch):
    plant, within = PLANTED[name]
    plant(monkeypatch)
    pairs, leak = pairs_until_found(within)
    assert leak is not None, f"{name}: not found in {pairs} pairs"
