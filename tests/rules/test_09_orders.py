"""§9 Orders: staffing, brush, alerts, preparation, refusals, forecast."""

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from sim.alerts import prepared, resolve_alerts, roll_modifier, succeeds
from sim.dice import two_dice
from sim.events import AlertRolled, OrderRefused, PreparationRolled
from sim.legality import brushed, refusal
from sim.orders import Alert, DoorToDoor, Forecast, Move, Withdraw
from sim.rules import AlertMeans, LinkClass
from sim.state import NEVER
from sim.turn import play_turn, replay, start
from sim.view import staffing_at, view_for
from tests.strategies import dry_world, flooded, line_district, seed_of, synthetic_district

OUTCOMES = [first + second for first, second in product(range(1, 7), repeat=2)]


def refused(events):
    return [(event.by_rule, event.sentence) for event in events if isinstance(event, OrderRefused)]


def at_turn(world, turn):
    """State at a turn's orders, nothing ordered before."""
    return replay(world, {})[0][turn]


# ------------------------------------------------------------------------------ 9.1
@pytest.mark.parametrize(
    ("turns", "orders", "brush_hexes"),
    [((1, 2), 3, 7), ((3, 4), 5, 19), ((5, 6), 8, 37), ((7, 8, 30), 12, 37)],
)
def test_9_1_staffing_orders_and_brush(turns, orders, brush_hexes):
    sheet = synthetic_district(10, 10).sheet
    for turn in turns:
        staffed = staffing_at(turn)
        assert staffed.orders == orders
        assert len(sheet.disk(sheet.index_of("0505"), staffed.brush_radius)) == brush_hexes


def test_9_1_an_order_over_budget_is_refused_and_costs_nothing():
    world = dry_world(line_district(30), turns=2)
    orders = tuple(Alert(turn=1, centre=cell, radius=1) for cell in (2, 6, 10, 14))
    state, events = play_turn(world, at_turn(world, 1), orders)
    (reason,) = refused(events)
    assert reason[0] == "9.1"
    assert "turn 1 has 3 orders" in reason[1]
    assert state == play_turn(world, at_turn(world, 1), orders[:3])[0]


def test_9_1_a_brush_wider_than_the_staffing_allows_is_refused():
    world = dry_world(line_district(30), turns=2)
    _, events = play_turn(world, at_turn(world, 1), (Alert(turn=1, centre=9, radius=2),))
    assert refused(events)[0][0] == "9.1"


# ------------------------------------------------------------------------------ 9.4
@pytest.mark.parametrize(
    ("means", "of_36"),
    [
        (AlertMeans.SIREN, 33),
        (AlertMeans.CELL_BROADCAST, 26),
        (AlertMeans.RADIO, 15),
        (AlertMeans.DOOR_TO_DOOR, 36),
        (AlertMeans.WORD_OF_MOUTH, 3),
    ],
)
def test_9_4_exact_probabilities(means, of_36):
    assert sum(succeeds(means, dice, 0) for dice in OUTCOMES) == of_36


@pytest.mark.parametrize(
    ("means", "of_36"),
    [(AlertMeans.SIREN, 26), (AlertMeans.CELL_BROADCAST, 15), (AlertMeans.RADIO, 6)],
)
def test_9_4_night_takes_2_from_the_roll(means, of_36):
    assert sum(succeeds(means, dice, roll_modifier(night=True)) for dice in OUTCOMES) == of_36
    assert roll_modifier(night=False) == 0


def test_9_4_preparation_succeeds_from_6_and_by_night_from_8():
    assert sum(prepared(dice, roll_modifier(night=False)) for dice in OUTCOMES) == 26
    assert sum(prepared(dice, roll_modifier(night=True)) for dice in OUTCOMES) == 15


def rolls_of_every_quarter(*, hour=14, hexes=900):
    """Events of one alert over as many quarters as hexes, each of one hex."""
    world = dry_world(line_district(hexes, quarter_length=1), turns=2, hour=hour)
    state = at_turn(world, 1)
    state = replace(state, pending=(Alert(turn=1, centre=hexes // 2, radius=hexes),))
    return resolve_alerts(world, state, ())


def test_9_4_drawn_frequencies_are_the_printed_ones():
    state, events = rolls_of_every_quarter()
    rolls = Counter((e.means, e.success) for e in events if isinstance(e, AlertRolled))
    siren, broadcast = rolls["siren", True], rolls["cell_broadcast", True]
    loud = siren + rolls["siren", False]
    assert loud == 13  # 6 quarters for 422,100 people, here 900,000
    quarters = 900 - loud
    assert broadcast + rolls["cell_broadcast", False] == quarters
    assert abs(broadcast - quarters * 26 / 36) < 4 * (quarters * 26 * 10) ** 0.5 / 36
    tried = rolls["radio", True] + rolls["radio", False]
    # radio follows by itself where the best means failed
    assert tried == rolls["cell_broadcast", False] + rolls["siren", False]
    assert abs(rolls["radio", True] - tried * 15 / 36) < 4 * (tried * 15 * 21) ** 0.5 / 36
    got_through = siren + broadcast + rolls["radio", True]
    assert sum(turn != NEVER for turn in state.alerted) == got_through


def test_9_4_on_a_failed_preparation_counters_start_two_turns_later():
    state, events = rolls_of_every_quarter()
    ready = {e.quarter: e.success for e in events if isinstance(e, PreparationRolled)}
    assert set(ready.values()) == {True, False}
    for cell, turn in enumerate(state.alerted):
        expected = NEVER if turn == NEVER else 2 if ready[cell] else 4
        assert state.first_step[cell] == expected


def test_9_4_one_roll_a_quarter_and_turn_whatever_the_brushes():
    world = dry_world(line_district(12, quarter_length=6), turns=3)
    orders = (Alert(turn=1, centre=1, radius=1), Alert(turn=1, centre=4, radius=1))
    _, events = play_turn(world, at_turn(world, 1), orders)
    rolls = [e for e in events if isinstance(e, AlertRolled) and e.means == "siren"]
    assert [roll.quarter for roll in rolls] == [0]
    assert set(rolls[0].cells) in (set(), {0, 1, 2, 3, 4, 5})


def test_9_4_dice_are_keyed_by_attempt_not_by_turn():
    world = dry_world(line_district(6), turns=6)

    def dice(turn):
        order = Alert(turn=turn, centre=2, radius=1)
        _, events = play_turn(world, at_turn(world, turn), (order,))
        return [e.dice for e in events if isinstance(e, (AlertRolled, PreparationRolled))]

    assert dice(2) == dice(5)
    assert dice(2)[0] == two_dice(world.seed, "siren", 0, 1)


def test_9_4_a_failed_quarter_may_be_tried_again_and_throws_other_dice():
    district = line_district(6)
    number = next(
        k
        for k in range(500)
        if two_dice(seed_of(k), "siren", 0, 1) < 4
        and two_dice(seed_of(k), "radio", 0, 1) < 8
        and two_dice(seed_of(k), "siren", 0, 2) >= 4
    )
    world = dry_world(district, turns=3, seed=seed_of(number))
    states, _ = replay(world, {t: (Alert(turn=t, centre=2, radius=1),) for t in (1, 2)})
    assert [cell for cell in range(6) if states[2].alerted[cell]] == []
    assert [cell for cell in range(6) if states[3].alerted[cell] == 2] == [1, 2, 3]


def test_9_4_door_to_door_alerts_one_hex_without_dice_where_a_patrol_ends_its_turn():
    district = line_district(80, link_class=LinkClass.PRIMARY)
    world = dry_world(district, turns=5)
    states, events = replay(world, {1: (DoorToDoor(turn=1, unit="patrol-1", cell=4),)})
    # 75 hexes at 35 a turn: it arrives in turn 3, and the counter steps from turn 4
    rolled = [e for happened in events for e in happened if isinstance(e, AlertRolled)]
    first = rolled[0]
    assert (first.turn, first.means, first.dice, first.cells) == (3, "door_to_door", None, (4,))
    assert states[4].alerted[4] == 3
    assert states[4].first_step[4] == 4
    assert not any(isinstance(e, PreparationRolled) for e in events[3])


def test_9_4_a_patrol_sent_elsewhere_alerts_nobody_on_its_way():
    world = dry_world(line_district(80, link_class=LinkClass.PRIMARY), turns=4)
    states, _ = replay(
        world,
        {
            1: (DoorToDoor(turn=1, unit="patrol-1", cell=4),),
            2: (Move(turn=2, unit="patrol-1", to=4),),
        },
    )
    assert states[-1].units[0].cell == 4
    assert not any(states[-1].alerted)


def mouth_rolls(world, state):
    _, events = resolve_alerts(world, state, ())
    return [e for e in events if isinstance(e, AlertRolled) and e.means == "word_of_mouth"]


def test_9_4_word_of_mouth_rolls_once_a_quarter_and_turn_where_some_hex_was_alerted():
    world = dry_world(line_district(12, quarter_length=6), turns=5)
    state = at_turn(world, 3)
    assert mouth_rolls(world, state) == []
    alerted = list(state.alerted)
    alerted[2] = alerted[3] = 1
    rolls = mouth_rolls(world, replace(state, alerted=tuple(alerted)))
    assert [roll.quarter for roll in rolls] == [0]


def test_9_4_word_of_mouth_alerts_one_neighbouring_hex_on_11_or_more():
    district = line_district(12, quarter_length=6)
    reached = set()
    for number in range(300):
        world = dry_world(district, turns=5, seed=seed_of(number))
        state = replace(start(world), turn=3)
        alerted = list(state.alerted)
        alerted[5] = alerted[3] = 1
        (roll,) = mouth_rolls(world, replace(state, alerted=tuple(alerted)))
        assert roll.success == (roll.dice >= 11)
        assert len(roll.cells) == roll.success
        reached.update(roll.cells)
    assert reached == {2, 4}  # hex 6 neighbours hex 5 too, in another quarter


def test_9_4_the_alert_is_shown_at_the_next_turn_where_the_counter_takes_its_first_step():
    world = dry_world(line_district(6, quarter_length=1), turns=4)
    order = Alert(turn=1, centre=3, radius=1)
    states, events = replay(world, {1: (order,)})
    ready = {e.quarter for e in events[1] if isinstance(e, PreparationRolled) and e.success}
    assert view_for(states[1], 14, 4).alerted == ()
    assert set(view_for(states[2], 14, 4).alerted) >= ready
    assert ready
    for cell in ready:
        assert states[2].progress[cell] == 0
        assert states[3].progress[cell] > 0


# ------------------------------------------------------------------------------ 9.5
def one_refusal(order, *earlier, district=None, turn=1):
    world = dry_world(district or line_district(30), turns=5)
    _, events = play_turn(world, at_turn(world, turn), (*earlier, order))
    (reason,) = refused(events)
    return reason


@pytest.mark.parametrize(
    ("order", "rule", "says"),
    [
        (Alert(turn=2, centre=4, radius=1), "9.5", "past turn 2 while turn 3"),
        (Alert(turn=4, centre=4, radius=1), "9.5", "coming turn 4 while turn 3"),
        (Alert(turn=3, centre=99, radius=1), "9.5", "off the sheet"),
        (Alert(turn=3, centre=-1, radius=1), "9.5", "off the sheet"),
        (Alert(turn=3, centre=4, radius=3), "9.1", "radius 3"),
        (Move(turn=3, unit="patrol-1", to=99), "1.3", "not on the sheet"),
        (Move(turn=3, unit="patrol-9", to=4), "5", "is not on the board"),
        (Move(turn=3, unit="patrol-99", to=4), "5", "no unit 'patrol-99'"),
        (DoorToDoor(turn=3, unit="pump-1", cell=4), "5", "it takes a patrol"),
        (Move(turn=3, unit="patrol-1", to=29), "9.5", "stands on hex 0130 already"),
        (Withdraw(turn=3, number=1), "9.5", "none"),
        (Forecast(turn=3, cells=(1,)), "9.6", "frozen"),
    ],
)
def test_9_5_an_order_that_cannot_stand_is_refused_with_its_rule(order, rule, says):
    given, sentence = one_refusal(order, turn=3)
    assert given == rule
    assert says in sentence


def test_9_5_a_duplicate_is_refused_whatever_its_reason():
    order = Alert(turn=1, centre=4, radius=1, reason="low ground")
    rule, sentence = one_refusal(replace(order, reason="again"), order)
    assert (rule, "duplicate of order 1" in sentence) == ("9.5", True)


def test_9_5_a_unit_has_one_order_a_turn():
    rule, sentence = one_refusal(
        DoorToDoor(turn=1, unit="patrol-1", cell=3), Move(turn=1, unit="patrol-1", to=4)
    )
    assert (rule, "withdraw that one first" in sentence) == ("9.5", True)


def test_9_5_an_alert_of_hexes_all_alerted_is_a_duplicate():
    world = dry_world(line_district(6), turns=4)
    state = replace(at_turn(world, 2), alerted=(1,) * 6)
    view = view_for(state, world.hour, world.turns)
    for order in (
        Alert(turn=2, centre=2, radius=1),
        DoorToDoor(turn=2, unit="patrol-1", cell=2),
    ):
        reason = refusal(world.district, view, order, {})
        assert reason is not None
        assert "alerted already" in reason.sentence


def test_1_2_an_inactive_hex_is_neither_alerted_nor_painted():
    district = line_district(8)
    active = district.active.copy()
    active[:4] = True
    active[4:7] = False
    district = replace(district, active=active)
    assert brushed(district, 4, 2) == (2, 3)
    assert one_refusal(Alert(turn=1, centre=5, radius=1), district=district)[0] == "1.2"
    world = dry_world(district, turns=2)
    _, events = play_turn(world, start(world), (Forecast(turn=0, cells=(3, 5)),))
    assert refused(events)[0][0] == "1.2"


def test_9_5_withdrawing_gives_the_order_back():
    world = dry_world(line_district(30), turns=2)
    alerts = tuple(Alert(turn=1, centre=cell, radius=1) for cell in (2, 6, 10, 14))
    state = at_turn(world, 1)
    with_withdrawal = (*alerts[:3], Withdraw(turn=1, number=2), alerts[3])
    after, events = play_turn(world, state, with_withdrawal)
    assert refused(events) == []
    assert after == play_turn(world, state, (alerts[0], alerts[2], alerts[3]))[0]


def test_9_5_an_order_withdrawn_cannot_be_withdrawn_again():
    order = Alert(turn=1, centre=4, radius=1)
    rule, sentence = one_refusal(Withdraw(turn=1, number=1), order, Withdraw(turn=1, number=1))
    assert (rule, "none" in sentence) == ("9.5", True)


def test_6_3_a_known_flood_forbids_a_move_beyond_it():
    world = flooded(dry_world(line_district(10), turns=2), {8: 500})
    _, events = play_turn(world, at_turn(world, 1), (Move(turn=1, unit="patrol-1", to=0),))
    assert refused(events)[0][0] == "6.3"


# ------------------------------------------------------------------------------ 9.6
def test_9_6_the_forecast_costs_no_order_and_is_frozen():
    world = dry_world(line_district(6), turns=3)
    paint = (Forecast(turn=0, cells=(4, 2)), Forecast(turn=0, cells=(2, 3)))
    states, events = replay(world, {0: paint, 2: (Forecast(turn=2, cells=(1,)),)})
    assert {state.forecast for state in states[1:]} == {(2, 3, 4)}
    assert refused(events[2])[0][0] == "9.6"
    assert view_for(states[1], 14, 3).orders == 3
    assert not any(states[1].alerted)


def test_9_6_no_order_is_given_before_turn_1():
    world = dry_world(line_district(6), turns=3)
    state, events = play_turn(world, start(world), (Alert(turn=0, centre=2, radius=1),))
    assert refused(events)[0][0] == "9.6"
    assert state == replay(world, {})[0][1]
