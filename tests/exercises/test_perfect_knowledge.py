"""One who knows the water keeps to the rules, wins by what it knows, and knows no dice."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from exercises.held_links import HeldLinks
from exercises.perfect_knowledge import perfect_knowledge
from exercises.players import PLAYERS
from exercises.session import play, play_knowing
from sim.events import OrderRefused
from sim.links import bare_links, deeper_mm, is_open, water_class
from sim.orders import Alert, Footbridge, Forecast, Pump
from sim.paths import reachable
from sim.rules import Mode, Structure, Water
from sim.scenario import Scenario
from sim.state import state_hash
from sim.turn import replay, start
from tests.strategies import (
    dry_world,
    flooded,
    line_district,
    seed_of,
    synthetic_district,
    synthetic_world,
    worlds,
)


@pytest.fixture(scope="module")
def town():
    return synthetic_district(20, 14, 5)


def cut_by_trying(world, link, held_open):
    """First cut of every hex with one link held, turn by turn from the map itself."""
    cut = np.zeros(world.district.sheet.n_hexes, dtype=int)
    for turn in range(1, world.turns + 1):
        passes = np.array(world.foot_open[turn])
        passes[link] |= held_open[turn, link]
        dry = water_class(world.depth_mm[turn, world.shelter_cells]) < Water.BLOCKING
        way = reachable(world.district.sheet, passes.astype(np.int32), world.shelter_cells[dry])
        cut[world.threatened & (cut == 0) & ~way] = turn
    return np.where(world.threatened & (cut == 0), world.turns + 1, cut)


@given(world=worlds(turns=8))
@settings(max_examples=8, deadline=None)
def test_12_2_what_a_held_link_puts_off_is_what_trying_it_shows(world):
    district = world.district
    depth_mm = deeper_mm(district.sheet, world.depth_mm)
    pumped = is_open(replace(bare_links(district), pumps=1), depth_mm, Mode.FOOT)
    bridged = np.broadcast_to(district.foot, pumped.shape)
    for holds, held_open in (
        (HeldLinks(world).by_pump, pumped & (district.link_class > 0)),
        (HeldLinks(world).by_footbridge, bridged),
    ):
        found = {
            hold.link: dict(zip(hold.cells.tolist(), hold.cut.tolist(), strict=True))
            for hold in holds
        }
        for link in range(district.sheet.n_edges):
            cut = cut_by_trying(world, link, held_open)
            later = np.flatnonzero(cut > world.first_cut)
            expected = {int(cell): int(cut[cell]) for cell in later}
            assert found.get(link, {}) == expected


@pytest.mark.parametrize("hour", [14, 3])
def test_12_5_it_gives_only_orders_that_stand_and_replay(town, hour):
    world = replace(
        synthetic_world(town, level=5, number=3, hour=hour), scenario=Scenario(cards=True)
    )
    played = play_knowing(world, perfect_knowledge(world))
    refused = [e for events in played.events for e in events if isinstance(e, OrderRefused)]
    assert [(event.order, event.sentence) for event in refused] == []
    states, _ = replay(world, played.orders)
    assert state_hash(states[-1]) == state_hash(played.states[-1])


def test_12_5_its_forecast_is_the_truth(town):
    played = play_knowing(world := synthetic_world(town, level=5), perfect_knowledge(world))
    assert played.score.forecast_recall == played.score.forecast_precision == 1
    assert isinstance(played.orders[0][0], Forecast)


@pytest.mark.parametrize("level", [2, 5])
@pytest.mark.parametrize("hour", [14, 3])
def test_12_5_it_beats_every_player_that_does_not_know(town, level, hour):
    others = dict.fromkeys(PLAYERS, 0)
    mine = 0
    for number in range(2):
        world = synthetic_world(town, level, number, hour)
        mine += play_knowing(world, perfect_knowledge(world)).score.points
        for name in PLAYERS:
            others[name] += play(world, PLAYERS[name](town)).score.points
    assert mine > max(others.values())


def test_12_5_it_orders_nothing_where_nobody_is_threatened(town):
    world = dry_world(town)
    assert play_knowing(world, perfect_knowledge(world)).orders == {}


def test_12_5_it_knows_no_dice(town):
    # nothing rolled yet: the first turn's orders are alike whatever the seed
    world = synthetic_world(town, level=5)
    first = {
        perfect_knowledge(other)(replace(start(other), turn=1))
        for other in (replace(world, seed=seed_of(number)) for number in range(4))
    }
    assert len(first) == 1
    (orders,) = first
    assert any(isinstance(order, Alert) for order in orders)


def test_9_2_it_holds_a_link_that_gains_the_time_to_walk():
    # the way out of the far half of a line leads under a railway, shut from turn 9 unless pumped
    line = line_district(9, residents=400, unshelterable=80, shelters=((0, 9_000),), technical=3)
    structure = line.structure.copy()
    structure[4] = Structure.UNDERPASS
    district = replace(line, structure=structure)
    world = flooded(dry_world(district), {5: 100}, from_turn=9)
    played = play_knowing(world, perfect_knowledge(world))

    def without_works(orders):
        return tuple(one for one in orders if not isinstance(one, Pump | Footbridge))

    idle = play(world, {turn: without_works(orders) for turn, orders in played.orders.items()})
    assert played.score.saved > idle.score.saved
