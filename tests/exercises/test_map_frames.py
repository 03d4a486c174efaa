"""What the exercise map shows of what stands on links: the truth, and what the team knows of it."""

from dataclasses import replace

import numpy as np

from exercises.map_frames import frames_of
from exercises.session import play
from gis.webmap import cuts, turns_data
from sim.legality import brushed
from sim.orders import Alert, Footbridge
from sim.rules import CARDS, Card
from sim.scenario import Inject, Scenario
from tests.gis import hand_pack
from tests.strategies import dry_world, flooded

DISTRICT = hand_pack.district()
SHEET = DISTRICT.sheet
IN_PLAY = DISTRICT.active[SHEET.edges].all(axis=1)
ROADS = np.flatnonzero(IN_PLAY & (DISTRICT.link_class >= 2)).tolist()
TURNS = 8


def shown(scenario, orders=None, wet=None):
    """Cuts of every entry and link, true and known."""
    world = replace(dry_world(DISTRICT, turns=TURNS), scenario=scenario)
    frames = frames_of(play(flooded(world, wet or {}), orders or {}), "en")
    frames.check(DISTRICT)
    return (
        cuts(DISTRICT, frames.true_depth_mm, frames.true_links),
        cuts(DISTRICT, frames.known_depth_mm, frames.known_links),
    )


def test_13_1_an_accident_is_shown_on_both_sides_and_ends():
    link = ROADS[0]
    true, known = shown(Scenario(injects=(Inject(2, Card.ACCIDENT, link),)))
    lasts = CARDS[Card.ACCIDENT].lasts_turns
    for cut in (true, known):
        assert cut[:, link].tolist() == [0, 0, *[2] * lasts, *[0] * (TURNS - 1 - lasts)]
        assert not np.delete(cut, link, axis=1).any()


def test_13_1_works_that_nobody_has_tried_are_shown_in_truth_alone():
    link = ROADS[-1]
    true, known = shown(Scenario(injects=(Inject(3, Card.ROADWORKS, link),)))
    assert true[:, link].tolist() == [0, 0, 0, *[2] * (TURNS - 2)]
    assert not known.any()


def test_9_4_an_alert_shows_where_it_is_ordered_in_its_turn_alone():
    centre = SHEET.index_of("0304")
    orders = {2: (Alert(turn=2, centre=centre, radius=1),)}
    played = play(dry_world(DISTRICT, turns=TURNS), orders)
    frames = frames_of(played, "en")
    frames.check(DISTRICT)
    under = set(brushed(DISTRICT, centre, 1))
    ordered = [set(np.flatnonzero(row).tolist()) for row in frames.ordered]
    assert ordered == [set(), set(), under, *[set()] * (TURNS - 2)]
    assert not frames.alerted[2, list(under)].any()
    # what a board reads has it, and a team's board in play has none of its own
    assert turns_data(DISTRICT, frames)["ordered"]
    assert "ordered" not in turns_data(DISTRICT, replace(frames, ordered=None))


def test_9_4_a_hex_alerted_before_is_not_ordered_again():
    centre = SHEET.index_of("0304")
    orders = {turn: (Alert(turn=turn, centre=centre, radius=turn // 2),) for turn in (2, 4) if turn}
    played = play(dry_world(DISTRICT, turns=TURNS), orders)
    frames = frames_of(played, "en")
    known = np.array(played.moments[4].alerted) > 0
    assert not (frames.ordered[4] & known).any()


def test_9_2_a_footbridge_at_work_is_no_cut():
    link = ROADS[0]
    here, there = SHEET.edges[link].tolist()
    wet = {here: 400}
    order = {1: (Footbridge(turn=1, unit="pump-1", link=link),)}
    before, _ = shown(Scenario(), wet=wet)
    after, _ = shown(Scenario(), order, wet)
    assert before[-1, link] == 1
    assert after[-1, link] == 0
    assert there != here
