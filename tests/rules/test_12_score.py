"""§12 Score: threatened, saved, the three comparisons, victims, forecast."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from exercises.score_rows import score_rows
from exercises.voice import voice
from sim.evacuation import advance_counters, raise_water
from sim.forecast_skill import ReliabilityBin, skill_of
from sim.orders import Forecast
from sim.rules import (
    CAPITAL_REFUSED,
    CAPITAL_REFUSED_RIGHTLY,
    POINTS_CAPITAL,
    Card,
    Confidence,
)
from sim.scenario import PLAIN, Inject, Scenario
from sim.score import score
from sim.state import NEVER
from sim.turn import replay, start
from tests.strategies import dry_world, flooded, line_district, worlds


def west_cut(turns=12, from_turn=6, shelters=((0, 9_000),), length=6):
    """A line whose hexes 3.. lose the shelter on hex 0 when hex 2 floods."""
    district = line_district(length, residents=200, unshelterable=100, shelters=shelters)
    return flooded(dry_world(district, turns=turns, hour=3), {2: 400}, from_turn=from_turn)


def test_12_2_threatened_is_who_at_some_moment_loses_every_foot_route():
    world = west_cut()
    assert world.first_cut.tolist() == [0, 0, 6, 6, 6, 6]  # hex 2's own links are shut too
    assert west_cut(shelters=((0, 9_000), (5, 1))).first_cut.tolist() == [0, 0, 6, 0, 0, 0]


def test_12_2_18_who_is_not_cut_off_yet_when_play_ends_early_is_told_apart_from_who_is_missed():
    world = west_cut()  # hexes 2 to 5 are cut in turn 6 of 12
    states = replay(world, {})[0]
    for resolved, later in ((4, 400), (5, 400), (6, 0), (12, 0)):
        state = states[resolved + 1]  # the turn after stands open, or is the end
        result = score(world, state)
        assert (result.turns, result.of_turns) == (resolved, 12)
        assert (result.is_early, result.not_yet_cut) == (resolved < 12, later)
        # the storm alone says who is threatened: computed once
        assert (result.threatened, result.left, result.maximum) == (400, 400, 800)
    shelters_first = replace(states[5], in_time=tuple(10_000 * (c == 2) for c in range(6)))
    result = score(world, shelters_first)
    assert (result.saved, result.misused, result.points) == (100, 0, 200)
    assert result.not_yet_cut == result.left == 300
    rows = dict(score_rows(result, voice("en")))
    assert rows["ended early"] == "after turn 4 of 12"
    assert rows["of these, not cut off yet"] == "300 people"
    assert "ended early" not in dict(score_rows(score(world, states[13]), voice("en")))


def test_12_2_a_cut_that_ends_still_threatens():
    world = west_cut()
    depth = np.array(world.depth_mm)
    depth[7:] = 0
    assert replace(world, depth_mm=depth).first_cut.tolist() == [0, 0, 6, 6, 6, 6]


def test_12_2_a_full_shelter_counts_and_one_in_class_2_does_not():
    district = line_district(4, residents=200, unshelterable=100, shelters=((0, 0),))
    assert not dry_world(district).threatened.any()
    wet = flooded(dry_world(district), {0: 300}, from_turn=4)
    assert wet.first_cut.tolist() == [4, 4, 4, 4]


def test_12_2_only_hexes_with_a_dry_route_at_the_start_are_threatened():
    district = line_district(6, residents=200, unshelterable=100)
    foot = district.foot.copy()
    foot[3] = False
    world = flooded(dry_world(replace(district, foot=foot)), {2: 400})
    assert world.threatened.tolist() == [False, False, True, True, False, False]


def test_12_2_counted_are_those_to_shelter():
    world = west_cut()
    assert score(world, replay(world, {})[0][-1]).threatened == 4 * 100


def walked_to_the_end(world, cells, first):
    """Play water and counters alone, with hexes alerted from the start."""
    state = start(world)
    steps = [first if cell in cells else NEVER for cell in range(len(state.alerted))]
    state = replace(state, units=(), alerted=tuple(steps), first_step=tuple(steps))
    for turn in range(1, world.turns + 1):
        state = replace(state, turn=turn)
        state, _ = raise_water(world, state, ())
        state, _ = advance_counters(world, state, ())
    return replace(state, turn=world.turns + 1)


def by_day(world):
    """The same world at 14 h, nobody on the road."""
    district = replace(world.district, residents=world.district.unshelterable.copy())
    return replace(world, district=district, hour=14)


def test_12_2_saved_is_complete_before_the_first_cut():
    # hex 3 is 3 + 3 turns away: started in turn 1 it completes in turn 6
    for cut_turn, saved in ((6, 0), (7, 100)):
        world = by_day(west_cut(from_turn=cut_turn))
        result = score(world, walked_to_the_end(world, {3}, first=1))
        assert (result.threatened, result.saved) == (400, saved)
        assert result.recall == Fraction(saved, 400)


def test_12_2_a_later_arrival_scores_0_and_its_place_is_well_used():
    world = by_day(west_cut(turns=14, from_turn=5))
    depth = np.array(world.depth_mm)
    depth[8:] = 0
    world = replace(world, depth_mm=depth)
    result = score(world, walked_to_the_end(world, {3}, first=1))
    assert (result.saved, result.late, result.left, result.misused) == (0, 100, 300, 0)
    assert result.precision == 1
    assert result.points == 0


def test_12_1_misused_places_cost_a_point_each():
    world = by_day(west_cut(from_turn=9))
    result = score(world, walked_to_the_end(world, {1, 3}, first=1))
    assert (result.saved, result.misused, result.places_used) == (100, 100, 200)
    assert result.precision == Fraction(1, 2)
    assert result.points == 2 * 100 - 100


def test_9_3_followers_take_places_and_count_as_badly_used():
    world = west_cut(from_turn=20, turns=24)
    result = score(world, walked_to_the_end(world, {3}, first=1))
    # 100 to shelter, and 10 of the 100 upstairs follow them
    assert (result.saved, result.misused, result.places_used) == (100, 10, 110)
    assert result.precision == Fraction(100, 110)


def test_12_1_victims_cost_four_points_each_and_are_whole_persons_at_the_end():
    world = dry_world(line_district(3))
    state = replace(start(world), lost=(250, 0, 0), followers_lost=(0, 149, 0))
    result = score(world, state)
    assert result.victims == 3  # 3.99
    assert result.points == -12


def test_12_2_an_empty_denominator_is_none_never_0_or_1():
    world = dry_world(line_district(3))
    result = score(world, start(world))
    assert result.recall is None
    assert result.precision is None
    assert result.forecast_recall is None
    assert result.forecast_precision is None


def test_12_3_capital_at_60_is_worth_nothing_and_each_point_150():
    world = dry_world(line_district(3))
    assert score(world, start(world)).points == 0
    assert score(world, replace(start(world), capital=59)).points == -150


def test_12_3_the_maximum_is_every_threatened_person_as_far_as_places_go():
    assert score(west_cut(), start(west_cut())).maximum == 800
    short = west_cut(shelters=((0, 250),))
    assert score(short, start(short)).maximum == 500


def test_12_4_the_forecasts_truth_is_hexes_with_a_link_cut_to_pedestrians():
    world = west_cut()
    assert np.flatnonzero(world.cut_on_foot).tolist() == [1, 2, 3]  # hex 2's links touch 1 and 3
    states, _ = replay(world, {0: (Forecast(turn=0, cells=(2, 3, 4, 5)),)})
    result = score(world, states[-1])
    assert (result.forecast_hits, result.forecast_misses, result.forecast_false_alarms) == (2, 1, 2)
    assert result.forecast_recall == Fraction(2, 3)
    assert result.forecast_precision == Fraction(1, 2)


@given(world=worlds(turns=12))
@settings(max_examples=25)
def test_12_2_the_first_cut_in_play_is_the_storms_own_without_cards_and_works(world):
    world = replace(world, scenario=PLAIN)
    state = replay(world, {})[0][-1]
    connected = world.has_route(0)
    cut = np.where(connected, np.array(state.cut), NEVER)
    assert np.array_equal(cut, world.first_cut)


def test_12_4_the_skill_of_a_forecast_by_ring_and_by_confidence():
    world = west_cut()  # cut on foot: 1, 2 and 3
    painted = (
        Forecast(turn=0, cells=(2, 3), confidence=Confidence.SURE),
        Forecast(turn=0, cells=(4,), confidence=Confidence.POSSIBLE),
        Forecast(turn=0, cells=(5,)),
    )
    skill = skill_of(world, replay(world, {0: painted})[0][-1])
    assert (skill.hits, skill.misses, skill.false_alarms) == (2, 1, 2)
    assert (skill.recall, skill.precision) == (Fraction(2, 3), Fraction(1, 2))
    assert skill.csi == Fraction(2, 5)
    rings = dict(skill.by_ring)
    assert rings[0] == 1 - Fraction(3, 7)  # 3 hexes differ, 4 painted and 3 cut
    assert list(rings) == [0, 1, 2, 3]
    assert rings[0] < rings[1] < rings[2]
    # a hex painted without a confidence is no probability: it is in neither
    assert skill.brier == (2 * Fraction(5, 100) ** 2 + Fraction(40, 100) ** 2) / 3
    assert skill.reliability == (ReliabilityBin(40, 1, 0), ReliabilityBin(95, 2, 2))


def test_12_4_no_forecast_has_no_precision_and_no_brier_score():
    world = west_cut()
    skill = skill_of(world, replay(world, {})[0][-1])
    assert (skill.recall, skill.precision, skill.csi) == (0, None, 0)
    assert (skill.brier, skill.reliability) == (None, ())
    assert [score for _, score in skill.by_ring] == [0, 0, 0, 0]
    dry = dry_world(line_district(3))
    nothing = skill_of(dry, start(dry))
    assert {nothing.recall, nothing.csi, *(score for _, score in nothing.by_ring)} == {None}


@given(world=worlds(turns=6), seed=st.integers(0, 99))
@settings(max_examples=20, deadline=None)
def test_12_4_the_skill_counts_as_the_score_does(world, seed):
    chosen = np.random.default_rng(seed).random(world.district.sheet.n_hexes) < 0.3
    cells = tuple(np.flatnonzero(chosen & world.district.active).tolist())
    state = replace(start(world), forecast=cells, confidence=(0,) * len(cells))
    skill, result = skill_of(world, state), score(world, state)
    assert (skill.hits, skill.misses, skill.false_alarms, skill.recall, skill.precision) == (
        result.forecast_hits,
        result.forecast_misses,
        result.forecast_false_alarms,
        result.forecast_recall,
        result.forecast_precision,
    )


def test_12_3_a_warning_where_capital_could_outweigh_15_percent_of_the_maximum():
    # one injunction moves the score by 6,000 points: too much below a maximum of 40,000
    district = line_district(6, residents=9_000, unshelterable=5_000, shelters=((0, 90_000),))
    world = flooded(dry_world(district, hour=3), {2: 400}, from_turn=6)
    assert score(world, start(world)).maximum == 2 * 4 * 5_000 == 40_000
    drawn = replace(world, scenario=Scenario(cards=True))
    just = score(drawn, start(drawn))
    assert (just.capital_span, just.capital_outweighs) == (6_000, False)
    small = flooded(
        dry_world(replace(district, unshelterable=district.unshelterable - 1), hour=3), {2: 400}
    )
    small = replace(small, scenario=Scenario(cards=True))
    assert score(small, start(small)).capital_outweighs
    # nobody will ask
    calm = replace(small, scenario=PLAIN)
    assert score(calm, start(calm)).capital_span == 0
    assert not score(calm, start(calm)).capital_outweighs
    twice = Scenario(injects=tuple(Inject(turn, Card.INJUNCTION) for turn in (3, 5)))
    world = replace(world, scenario=twice)
    assert score(world, start(world)).capital_span == 12_000
    assert score(world, start(world)).capital_outweighs


def test_12_3_one_injunction_moves_the_score_between_minus_3750_and_plus_2250():
    wrongly, rightly = CAPITAL_REFUSED, CAPITAL_REFUSED + CAPITAL_REFUSED_RIGHTLY
    assert [POINTS_CAPITAL * points for points in (wrongly, rightly)] == [-3_750, 2_250]
    assert POINTS_CAPITAL * (rightly - wrongly) == 6_000


def test_12_3_the_warning_is_said_with_the_score():
    world = replace(west_cut(), scenario=Scenario(cards=True))
    rows = dict(score_rows(score(world, start(world)), voice("en")))
    assert "6,000 points" in rows["weight of the capital"]
    assert "15%" in rows["weight of the capital"]
    assert "weight of the capital" not in dict(
        score_rows(score(west_cut(), start(west_cut())), voice("en"))
    )
