"""§13 Cards: when they come, what each does, and the prefecture's injunction."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from sim.cards import DECK, _from_the_deck, play_card
from sim.events import (
    TEAM,
    AlertRolled,
    CardDrawn,
    Found,
    InjunctionSettled,
    OrderRefused,
    QuarterAlerted,
    Reported,
    UnitBlocked,
    seen_by,
)
from sim.knowledge import observed_cells
from sim.links import is_open, vehicle_cost
from sim.orders import Alert, Answer, Clear, Move
from sim.rules import CARDS, Card, Fabric, LinkClass, Mode
from sim.scenario import Inject, Scenario
from sim.score import score
from sim.seats import SIDES
from sim.state import NEVER
from sim.turn import play_turn, replay, start
from sim.units import true_links
from sim.view import view_for
from tests.strategies import dry_world, flooded, line_district, seed_of, synthetic_district


def with_cards(world, *injects, cards=False):
    return replace(world, scenario=Scenario(cards=cards, injects=injects))


def axis(length=12, **kwargs):
    return line_district(length, link_class=LinkClass.PRIMARY, **kwargs)


def drawn(world, game=None):
    _, events = replay(world, game or {})
    return [e for told in events for e in told if isinstance(e, CardDrawn)]


@pytest.mark.parametrize(
    ("card", "turns"),
    [
        (Card.ACCIDENT, 4),
        (Card.ROADWORKS, None),
        (Card.JAM, 6),
        (Card.COUNTER_CURRENT, None),
        (Card.STAMPEDE, 4),
        (Card.POWER_CUT, 8),
        (Card.RUMOUR, None),
        (Card.REINFORCEMENT, None),
        (Card.INJUNCTION, None),
    ],
)
def test_13_1_nine_cards_and_how_long_they_last(card, turns):
    assert len(CARDS) == 9
    assert CARDS[card].lasts_turns == turns


def test_13_1_a_card_in_about_one_turn_out_of_five_from_turn_3():
    turns = []
    for number in range(60):
        world = with_cards(dry_world(axis(), turns=30, seed=seed_of(number)), cards=True)
        turns += [event.turn for event in drawn(world)]
    assert min(turns) >= 3
    # 28 turns of 60 games, one in five: 336 expected
    assert abs(len(turns) - 336) < 4 * (60 * 28 * 0.2 * 0.8) ** 0.5


def test_13_1_each_card_once_then_reshuffled():
    world = with_cards(dry_world(axis(), turns=400), cards=True)
    names = [event.card for event in drawn(world)]
    assert len(names) > 27
    for first in range(0, len(names) - 9, 9):
        assert len(set(names[first : first + 9])) == 9


def test_8_5_the_counter_current_is_twice_as_likely_at_8_and_14_h():
    def first_cards(hour):
        cards = Counter()
        for number in range(400):
            world = dry_world(axis(), turns=30, hour=hour, seed=seed_of(number))
            state = replace(start(world), turn=3)
            cards[_from_the_deck(world, state)[1]] += 1
        return cards[Card.COUNTER_CURRENT]

    by_day, by_night = first_cards(14), first_cards(3)
    assert abs(by_day - 400 * 2 / 10) < 4 * (400 * 0.2 * 0.8) ** 0.5
    assert abs(by_night - 400 / 9) < 4 * (400 / 9 * 8 / 9) ** 0.5
    assert by_day > by_night


def test_13_1_an_accident_cuts_a_link_of_class_2_or_more_for_4_turns_and_is_announced():
    world = with_cards(dry_world(axis(), turns=9), Inject(3, Card.ACCIDENT, 5))
    states, _ = replay(world, {})
    shut = []
    for state in states[1:9]:
        links, depth_mm = true_links(world, state)
        shut.append(not is_open(links, depth_mm, Mode.VEHICLE)[5])
        assert shut[-1] != is_open(links, depth_mm, Mode.FOOT)[5]
    #       turn  1      2      3     4     5     6     7      8
    assert shut == [False, False, True, True, True, True, False, False]
    # announced: the team knows it as it comes; and it leaves the link uncleared (§9.2)
    assert states[3].known_obstacles.accidents == ((5, 6),)
    assert states[8].obstacles.obstructed == (5,)
    (event,) = drawn(world)
    assert seen_by("team", (event,)) == (event,)
    for number in range(20):
        mixed = synthetic_district(8, 6, number)
        (event,) = drawn(with_cards(dry_world(mixed, turns=4), Inject(3, Card.ACCIDENT)))
        assert mixed.link_class[event.links[0]] >= LinkClass.SECONDARY


def test_9_2_clearing_ends_an_accident_too():
    world = with_cards(dry_world(axis(), turns=9), Inject(3, Card.ACCIDENT, 10))
    game = {3: (Clear(turn=3, unit="patrol-1", link=10),)}
    states, _ = replay(world, game)
    assert states[5].obstacles.cut(5) == (10,)
    assert states[6].obstacles.cut(6) == ()


def test_13_1_roadworks_are_on_no_map_until_somebody_tries_them():
    world = with_cards(dry_world(axis(40), turns=9), Inject(3, Card.ROADWORKS, 20))
    game = {4: (Move(turn=4, unit="patrol-1", to=0),)}
    states, events = replay(world, game)
    (event,) = drawn(world)
    assert seen_by("team", (event,)) == ()
    assert view_for(states[4], 14, 9).known_obstacles.roadworks == ()
    assert any(isinstance(e, UnitBlocked) for e in events[4])
    (found,) = (e for told in events for e in told if isinstance(e, Found))
    assert (found.turn, found.links) == (4, (20,))
    assert view_for(states[5], 14, 9).known_obstacles.roadworks == (20,)
    assert states[-1].obstacles.roadworks == (20,)  # for good


def test_13_1_roadworks_are_found_by_walkers_too():
    world = with_cards(
        dry_world(axis(12, residents=20, unshelterable=10), turns=9), Inject(6, Card.ROADWORKS, 3)
    )
    game = {turn: (Alert(turn=turn, centre=8, radius=1),) for turn in (1, 2, 3, 4)}
    _, events = replay(world, game)
    assert any(isinstance(e, Found) and e.links == (3,) for told in events for e in told)


def test_13_1_a_jam_trebles_the_cost_of_7_hexes_for_6_turns():
    world = with_cards(dry_world(axis(), turns=12), Inject(3, Card.JAM, 5))
    states, _ = replay(world, {})
    costs = [int(vehicle_cost(*true_links(world, state))[5]) for state in states[1:12]]
    assert costs == [1, 1, 3, 3, 3, 3, 3, 3, 1, 1, 1]
    far = vehicle_cost(*true_links(world, states[3]))
    assert np.flatnonzero(far == 3).tolist() == [3, 4, 5, 6]  # the links of hexes 4, 5 and 6


def test_13_1_a_counter_current_sends_an_alerted_quarter_back_two_turns():
    world = dry_world(axis(residents=20, unshelterable=10, quarter_length=6), turns=9)
    state = replace(start(world), turn=5)
    first = tuple(2 if cell in (2, 3, 8) else NEVER for cell in range(12))
    progress = tuple({2: 350, 3: 150, 8: 300}.get(cell, 0) for cell in range(12))
    state = replace(state, alerted=first, first_step=first, progress=progress)
    after, event = play_card(world, state, Card.COUNTER_CURRENT, 0)
    assert [after.progress[cell] for cell in (2, 3, 8)] == [150, 0, 300]
    assert event.quarter == 0


def test_13_1_a_crush_shuts_a_shelter_for_4_turns():
    world = with_cards(dry_world(axis(), turns=9), Inject(3, Card.STAMPEDE, 0))
    states, _ = replay(world, {})
    shut = [view_for(state, 14, 9).crushed[0] for state in states[1:9]]
    assert shut == [False, False, True, True, True, True, False, False]


def test_13_1_a_power_cut_silences_stations_residents_and_radio_for_8_turns():
    district = replace(axis(), stations=(replace(axis().shelters[0], cell=5, name="s", places=0),))
    world = with_cards(dry_world(district, turns=14), Inject(3, Card.POWER_CUT, 5))
    states, _ = replay(world, {})
    known = [state.known_turn[5] for state in states[1:14]]
    assert known == [1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 11, 12, 13]
    wet = flooded(world, dict.fromkeys(range(12), 200))
    heard = [
        cell
        for told in replay(wet, {})[1]
        for e in told
        if isinstance(e, Reported) and 3 <= e.turn <= 10
        for cell in e.cells
    ]
    assert heard
    assert not set(heard) & {4, 5, 6}
    radio = []
    for number in range(150):
        other = replace(world, seed=seed_of(number))
        state = replay(other, {})[0][4]
        _, events = play_turn(other, state, (Alert(turn=4, centre=5, radius=1),))
        radio += [e for e in events if isinstance(e, AlertRolled) and e.means == "radio"]
    assert radio == []


def test_6_a_station_without_power_sees_nothing():
    district = replace(axis(), stations=(replace(axis().shelters[0], cell=5, name="s", places=0),))
    assert observed_cells(district, (), night=False) == (5,)
    assert observed_cells(district, (), (5,), night=False) == ()


def test_13_1_a_rumour_reports_where_nothing_happens_and_looks_like_any_report():
    world = with_cards(dry_world(axis(quarter_length=6), turns=9), Inject(4, Card.RUMOUR, 0))
    states, events = replay(world, {})
    (card,) = drawn(world)
    assert seen_by("team", (card,)) == ()
    (report,) = (e for told in events for e in told if isinstance(e, Reported))
    assert report.turn == 4
    assert set(report.cells) <= set(range(6))
    assert set(report.water) <= {2, 3}
    assert states[5].known_mm[report.cells[0]] >= 300
    assert states[5].rumour == ()


def test_13_1_a_rumour_begun_before_anybody_reports_waits_for_turn_3():
    """Told in turn 1 it would be older than the exercise, and show itself."""
    world = with_cards(dry_world(axis(quarter_length=6), turns=9), Inject(1, Card.RUMOUR, 0))
    (report,) = (e for told in replay(world, {})[1] for e in told if isinstance(e, Reported))
    assert report.turn == 3


def test_13_1_a_reinforcement_brings_2_patrols_for_good():
    world = with_cards(dry_world(axis(), turns=9), Inject(4, Card.REINFORCEMENT))
    states, events = replay(world, {5: (Move(turn=5, unit="patrol-6", to=0),)})
    patrols = [sum(unit.name.startswith("patrol") for unit in state.units) for state in states]
    assert patrols == [4, 4, 4, 4, 6, 6, 6, 6, 6, 6, 6]
    assert not any(isinstance(e, OrderRefused) for told in events for e in told)
    early = {3: (Move(turn=3, unit="patrol-6", to=0),)}
    (refused,) = (e for t in replay(world, early)[1] for e in t if isinstance(e, OrderRefused))
    assert "not on the board" in refused.sentence


# ------------------------------------------------------------------------------ 13.2
def prefecture(water=None, turns=9):
    """Two quarters of old town; the prefecture asks for the first in turn 4."""
    district = replace(axis(quarter_length=6), fabric=np.full(12, Fabric.OLD_TOWN, np.int8))
    world = flooded(dry_world(district, turns=turns), water or {}, from_turn=6)
    return with_cards(world, Inject(4, Card.INJUNCTION, 0))


def test_13_2_refusing_costs_25_at_once_and_no_answer_is_a_refusal():
    for game in ({4: (Answer(turn=4, obey=False),)}, {}):
        states, _ = replay(prefecture({3: 400}), game)
        assert [state.capital for state in states[4:7]] == [60, 35, 35]


def test_13_2_a_refusal_that_was_right_brings_40_at_the_end():
    states, events = replay(prefecture(), {})
    assert [state.capital for state in states[-2:]] == [35, 75]
    assert sum(isinstance(e, InjunctionSettled) for told in events for e in told) == 1
    assert score(prefecture(), states[-1]).points == 150 * 15
    # wrong: hexes 3 to 11 lose their route to the shelter on hex 0
    states, _ = replay(prefecture({2: 400}), {})
    assert states[-1].capital == 35


def test_13_2_obeying_alerts_the_quarter_without_an_order():
    world = prefecture()
    states, events = replay(world, {4: (Answer(turn=4, obey=True),)})
    assert [states[5].alerted[cell] for cell in range(12)] == [4] * 6 + [NEVER] * 6
    assert not any(isinstance(e, AlertRolled) and e.quarter == 0 for e in events[4])
    assert states[-1].capital == 60


def test_13_2_the_log_tells_which_hexes_obeying_alerts():
    given = (Answer(turn=4, obey=True), Alert(turn=4, centre=8, radius=0))
    _, events = replay(prefecture(), {4: given})
    told = [e for e in seen_by(TEAM, events[4]) if isinstance(e, QuarterAlerted)]
    assert [(e.quarter, e.cells) for e in told] == [(0, (0, 1, 2, 3, 4, 5))]
    # as on the map, which every seat looks at
    for side in SIDES[1:-2]:
        assert [e for e in seen_by(side, events[4]) if isinstance(e, QuarterAlerted)] == told
    _, refused = replay(prefecture(), {4: (Answer(turn=4, obey=False),)})
    assert not any(isinstance(e, QuarterAlerted) for told in refused for e in told)


def test_13_2_one_answer_goes_for_two_demands_of_the_same_turn():
    world = with_cards(prefecture(), Inject(4, Card.INJUNCTION, 0), Inject(4, Card.INJUNCTION, 1))
    states, _ = replay(world, {4: (Answer(turn=4, obey=True),)})
    assert states[5].alerted == (4,) * 12
    assert states[-1].capital == 60
    states, _ = replay(world, {})
    assert [state.capital for state in states[4:7]] == [60, 10, 10]
    assert states[-1].capital == 10 + 2 * 40


def test_13_2_it_names_a_visible_quarter_and_asks_none_twice():
    fabric = np.array([Fabric.PARK] * 6 + [Fabric.URBAN_VILLAGE] * 6, np.int8)
    district = replace(axis(quarter_length=6), fabric=fabric)
    world = with_cards(
        dry_world(district, turns=9), Inject(3, Card.INJUNCTION), Inject(5, Card.INJUNCTION)
    )
    assert [event.quarter for event in drawn(world)] == [1, None]


def test_13_2_an_answer_nobody_awaits_is_refused():
    world = prefecture()
    _, events = replay(world, {3: (Answer(turn=3, obey=True),)})
    (refused,) = (e for told in events for e in told if isinstance(e, OrderRefused))
    assert refused.by_rule == "13.2"


def test_13_1_an_injunction_leaves_a_demand_that_awaits_an_answer():
    fabric = np.full(12, Fabric.OLD_TOWN, np.int8)
    world = dry_world(replace(axis(quarter_length=6), fabric=fabric), turns=9)
    after, event = play_card(world, replay(world, {})[0][3], Card.INJUNCTION, 1)
    assert event.quarter == 1
    (demand,) = view_for(after, 14, 9).injunctions
    assert (demand.turn, demand.quarter, demand.obeyed) == (3, 1, None)


def test_13_1_every_card_can_be_played_on_any_district_at_any_turn():
    for number in range(6):
        world = dry_world(synthetic_district(6, 5, number), turns=9, seed=seed_of(number))
        state = replay(world, {})[0][3]
        for card in DECK:
            after, event = play_card(world, state, card, None)
            assert event.card == card.value
            assert after.draws == state.draws + 1
