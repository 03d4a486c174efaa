"""Players see views alone, keep to the rules, and do what they say."""

from dataclasses import replace

import numpy as np
import pytest

from exercises.baseline import expected_points
from exercises.brush import Brush
from exercises.comparison import compare, comparison_table, numbered_seed
from exercises.outlook import Look, effective_rain, outlook, rain_from_above
from exercises.players import PLAYERS, alert_everyone, baseline
from exercises.session import play
from sim.district import Severity, literal_ladder
from sim.events import InjunctionAnswered, OrderRefused
from sim.hexes import disks
from sim.hyetograph import Hyetograph
from sim.orders import Alert, Answer, Forecast, Move, Protect
from sim.public import public_district
from sim.rules import LEVELS, TURNS, Card, Fabric
from sim.scenario import Inject, Scenario
from sim.severity_scale import severity_at
from sim.state import state_hash
from sim.turn import replay
from sim.view import view_for
from tests.strategies import synthetic_district, synthetic_water, synthetic_world

# drains blocked on soaked ground: rain enough for every level to matter
BLOCKED = tuple(Severity(level, 2.0 * level**2, 0.0, 1.0) for level in LEVELS)


@pytest.fixture(scope="module")
def town():
    """Low ground that lies in hollows, as a real town's does: there the baseline expects water."""
    open_town = synthetic_district(20, 14, 5)
    low = np.median(open_town.elevation_mm) - open_town.elevation_mm
    sink_mm = np.clip(low, 0, 1_500).astype(np.int32)
    return replace(open_town, ladder=BLOCKED, sink_mm=sink_mm)


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("hour", [14, 3])
def test_a_player_gives_only_orders_that_stand_and_replay(name, hour, town):
    world = synthetic_world(town, level=5, number=3, hour=hour)
    played = play(world, PLAYERS[name](town))
    refused = [e for events in played.events for e in events if isinstance(e, OrderRefused)]
    assert [(event.order, event.sentence) for event in refused] == []
    states, _ = replay(world, played.orders)
    assert [state_hash(state) for state in states] == [state_hash(s) for s in played.states]


def test_a_player_is_given_views_that_hide_the_level_and_the_water_to_come(town):
    # two worlds alike for a team until turn 4: the baseline orders the same until then
    world = synthetic_world(town, level=3, number=4)
    rise = np.array(world.depth_mm)
    rise[5:] += 700
    twin = replace(world, depth_mm=rise)
    first, second = play(world, baseline(town)), play(twin, baseline(town))
    assert {t: o for t, o in first.orders.items() if t <= 4} == {
        t: o for t, o in second.orders.items() if t <= 4
    }


def test_alert_everyone_spends_every_order_until_every_active_hex_was_tried(town):
    world = synthetic_world(town, level=1)
    played = play(world, alert_everyone(town))
    assert [len(played.orders[turn]) for turn in (1, 2, 3)] == [3, 3, 5]
    assert all(isinstance(order, Alert) for orders in played.orders.values() for order in orders)
    last = view_for(played.states[-1], world.hour, world.turns)
    assert len(last.alerted) == int(town.active.sum())
    brush = played.orders[1][0]
    assert isinstance(brush, Alert)
    assert brush.radius == 1


def test_the_baseline_paints_a_forecast_watches_and_stays_calm_in_a_weak_storm(town):
    calm = replace(town, ladder=literal_ladder(LEVELS))  # years alone, as the bulletin says
    played = play(synthetic_world(calm, level=1), baseline(calm))
    given = [order for orders in played.orders.values() for order in orders]
    assert not any(isinstance(order, Alert) for order in given)
    assert any(isinstance(order, Move) for order in given)
    serious = play(synthetic_world(town, level=5), baseline(town))
    assert any(isinstance(order, Forecast) for order in serious.orders[0])
    assert any(isinstance(o, Alert) for orders in serious.orders.values() for o in orders)


def test_the_comparison_plays_the_same_storms_and_dice_and_counts_them(town):
    water = {level: synthetic_water(town, level, 12) for level in (1, 5)}
    table = compare(town, water, 2, 14)
    again = compare(town, water, 2, 14)
    assert table == again
    assert [(row.player, row.level, row.games) for row in table.rows[:3]] == [
        ("do-nothing", 1, 2),
        ("do-nothing", 5, 2),
        ("do-nothing", None, 4),
    ]
    alone, serious, every = table.rows[:3]
    assert every.points == (alone.points + serious.points) / 2
    assert alone.precision is None
    assert comparison_table(table).row_count == 9
    assert numbered_seed(255) == "0" * 30 + "ff"


def test_expected_points_are_two_for_the_saved_less_one_for_each_place_misused():
    points = expected_points(
        np.array([1.0, 0.0, 0.5]), np.array([1.0, 0.0, 0.5]), np.array([100] * 3), np.full(3, 10.0)
    )
    assert points.tolist() == [200 - 10, -100 - 10, 100 - 50 - 10]


def test_the_best_brushes_gather_most_one_after_another(town):
    worth = np.zeros(town.sheet.n_hexes, np.int64)
    worth[[100, 101, 200]] = (5, 7, 9)
    centres = Brush(town).best_centres(worth, 1, 5)
    assert len(centres) == 2
    gathered = [sorted(set(town.sheet.disk(c, 1)) & {100, 101, 200}) for c in centres]
    assert gathered == [[100, 101], [200]]


@pytest.mark.parametrize("radius", range(4))
def test_disks_are_those_of_the_sheet(radius, town):
    sheet = town.sheet
    for cell, row in enumerate(disks(sheet, radius).tolist()):
        assert sorted(c for c in row if c < sheet.n_hexes) == list(sheet.disk(cell, radius))


def test_rain_from_above_loses_no_drop_on_its_way_down(town):
    rain = np.full(town.sheet.n_hexes, 10.0)
    reached = rain_from_above(town, rain)
    lower = town.elevation_mm[town.sheet.neighbours] < town.elevation_mm[:, None]
    bottom = ~(lower & (town.sheet.neighbours >= 0)).any(axis=1)
    assert reached[bottom].sum() == pytest.approx(rain.sum())
    assert (reached >= rain).all()


def test_the_outlook_grows_with_the_level_the_depth_and_the_rise_and_sinks_with_the_turns(town):
    chances = [outlook(town, level, TURNS).chance().mean() for level in LEVELS]
    assert chances == sorted(chances)
    ahead = outlook(town, 3, TURNS)
    n = town.sheet.n_hexes
    still = Look(12, np.full(n, 50.0), np.zeros(n))
    rising = Look(12, np.full(n, 50.0), np.full(n, 40.0))
    assert (ahead.chance_seen(rising) > ahead.chance_seen(still)).all()
    near, far = np.full(n, 4.0), np.full(n, 12.0)
    assert (ahead.in_time(6, near) > ahead.in_time(6, far)).all()
    assert (ahead.in_time_seen(still, near) > ahead.in_time_seen(rising, near)).all()


def test_effective_rain_only_grows_and_a_park_without_drains_loses_nothing_to_them(town):
    rain = effective_rain(town, 3, TURNS)
    assert rain.shape == (TURNS + 1, town.sheet.n_hexes)
    assert (np.diff(rain, axis=0) >= 0).all()
    assert (rain[0] == 0).all()


def test_7_6_a_player_cannot_tell_what_the_levels_of_a_calibrated_district_stand_for(town):
    # the same water, under two ladders and two storms that the players are not told of
    ladder = tuple(severity_at(60 * i, level) for i, level in enumerate(LEVELS))
    other = replace(town, ladder=ladder, hyetograph=Hyetograph(length_min=200.0, peak_min=80.0))
    assert not other.is_literal
    first, second = (
        play(synthetic_world(district, level=3, number=2), baseline(district))
        for district in (town, other)
    )
    assert first.orders == second.orders
    assert first.score == second.score
    literal = replace(town, ladder=literal_ladder(LEVELS))
    assert public_district(literal).is_literal  # the bulletin speaks of years
    assert public_district(town) is not town
    assert public_district(town).digest == public_district(other).digest


def test_13_2_the_baseline_answers_the_prefecture():
    district = replace(synthetic_district(10, 8), fabric=np.full(80, Fabric.OLD_TOWN, np.int8))
    answered = set()
    for level in (1, 5):
        for quarter in range(len(district.quarters)):
            world = synthetic_world(district, level=level)
            scenario = Scenario(injects=(Inject(3, Card.INJUNCTION, quarter),))
            played = play(replace(world, scenario=scenario), baseline(district))
            (told,) = (e for es in played.events for e in es if isinstance(e, InjunctionAnswered))
            given = [o for o in played.orders.get(3, ()) if isinstance(o, Answer)]
            assert [order.obey for order in given] == [told.obeyed]
            answered.add(told.obeyed)
    assert False in answered


def test_9_3_the_baseline_lets_a_quarter_go_up_once_nobody_there_is_waited_for(town):
    world = synthetic_world(town, level=5, number=1)
    played = play(world, baseline(town))
    up = [
        (turn, order.quarter)
        for turn, orders in played.orders.items()
        for order in orders
        if isinstance(order, Protect)
    ]
    assert up
    quarters = public_district(town).quarter
    for turn, quarter in up:
        told = {int(quarters[cell]) for cell in played.view(turn).alerted}
        assert quarter in told  # where nobody was told anything nobody walks


def test_9_3_a_baseline_that_calms_no_quarter_moves_more_people_for_nothing(town):
    misused = {True: 0, False: 0}
    for number in range(3):
        world = synthetic_world(town, level=3, number=number)
        player = baseline(town)

        def restless(view, player=player):
            return [one for one in player(view) if not isinstance(one, Protect)]

        misused[True] += play(world, baseline(town)).score.misused
        misused[False] += play(world, restless).score.misused
    assert misused[True] < misused[False]
