"""§10.3, 10.4, 12.1, 5: footbridges under a crowd, what night changes, who is left, no unit."""

from dataclasses import replace

import numpy as np

from sim.evacuation import advance_counters
from sim.events import AlertRolled
from sim.knowledge import let_channels_speak
from sim.losses import lose_people
from sim.orders import Alert
from sim.rules import LinkClass, UnitKind
from sim.score import score
from sim.state import NEVER
from sim.turn import play_turn, replay, start
from sim.unit import Unit
from tests.strategies import dry_world, flooded, line_district, seed_of, synthetic_district


def running(world, cells, *units):
    """A state of turn 1 whose counters run on some hexes, with units of one's own."""
    state = start(world)
    first = tuple(1 if cell in cells else NEVER for cell in range(len(state.alerted)))
    return replace(state, turn=1, units=units, alerted=first, first_step=first)


def test_10_3_a_footbridge_carries_200_people_a_turn():
    # hex 2 under 90 cm; 300 people of hex 4 walk west over two footbridges
    district = line_district(6, residents=300, unshelterable=300, link_class=LinkClass.PRIMARY)
    world = flooded(dry_world(district), {2: 900})
    bridges = tuple(
        Unit(f"pump-{number}", 5, task="footbridge", links=(link,), ready=1)
        for number, link in ((1, 1), (2, 2))
    )
    after, _ = advance_counters(world, running(world, {4}, *bridges), ())
    assert (after.shelter[4], after.progress[4]) == (0, 100 * 200 // 300)
    alone, _ = advance_counters(world, running(world, {4}, bridges[0]), ())
    assert alone.progress[4] == 0


def test_10_4_sight_of_a_patrol_is_its_own_hex_by_night():
    district = replace(synthetic_district(8, 8), stations=())
    middle = district.sheet.index_of("0404")
    for hour, seen in ((14, 7), (3, 1)):
        world = dry_world(district, hour=hour)
        state = replace(start(world), turn=1, units=(Unit("patrol-1", middle),))
        after, _ = let_channels_speak(world, state, ())
        assert sum(turn == 1 for turn in after.known_turn) == seen


def test_10_4_losses_are_half_as_many_again_by_night():
    district = line_district(1, residents=1_000, unshelterable=1_000)
    for hour, lost in ((14, 5_000), (3, 7_500)):
        world = flooded(dry_world(district, hour=hour), {0: 900})
        seeds = (replace(world, seed=seed_of(number)) for number in range(40))
        amounts = {lose_people(one, replace(start(one), turn=1), ())[0].lost[0] for one in seeds}
        assert amounts == {0, lost}


def test_12_1_who_is_left_or_cut_off_counts_for_nothing():
    district = line_district(6, residents=200, unshelterable=200, shelters=((0, 9_000),))
    world = flooded(dry_world(district, hour=3), {2: 400}, from_turn=6)
    result = score(world, replay(world, {})[0][-1])
    assert (result.threatened, result.saved, result.late, result.left) == (800, 0, 0, 800)
    assert result.points == 0
    assert result.recall == 0


def test_5_communication_has_no_unit_and_needs_none():
    assert [kind.value for kind in UnitKind] == ["patrol", "pump", "boat"]
    world = dry_world(line_district(6), turns=2)
    state = replace(replay(world, {})[0][1], units=())
    _, events = play_turn(world, state, (Alert(turn=1, centre=2, radius=1),))
    assert any(isinstance(event, AlertRolled) for event in events)
    assert np.array_equal(state.units, ())
