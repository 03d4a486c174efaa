"""§9.4, 9.5, 15.1: what every kind of order costs, its reason, what credibility does to dice."""

from dataclasses import replace
from itertools import product

import pytest

from sim.alerts import prepared, roll_modifier, succeeds
from sim.district import Facility
from sim.events import AlertRolled, OrderRefused, OrderTaken, PreparationRolled
from sim.orders import (
    Alert,
    Answer,
    Clear,
    CloseShelter,
    Deliver,
    DoorToDoor,
    Footbridge,
    Forecast,
    Move,
    OpenShelter,
    Protect,
    Pump,
    Reserve,
    Withdraw,
)
from sim.rules import AlertMeans, Card, Protection
from sim.scenario import Inject, Scenario
from sim.state import canonical_json
from sim.turn import play_turn, replay
from tests.strategies import dry_world, flooded, line_district

LENGTH = 40


def isolated_end():
    """A line whose first hex is seen to be isolated, so that a boat may deliver to it (§6.3)."""
    district = replace(line_district(LENGTH), stations=(Facility(0, "gauge"),))
    return flooded(dry_world(district, turns=6), {0: 600})


def given(*orders, world=None, turn=1):
    """Rules of the refusals of a turn's orders, in the order given; None where one is taken."""
    world = world or isolated_end()
    _, events = play_turn(world, replay(world, {})[0][turn], orders)
    return [
        event.by_rule if isinstance(event, OrderRefused) else None
        for event in events
        if isinstance(event, (OrderTaken, OrderRefused))
    ]


def alerts(turn, count):
    """As many alerts as asked, each of its own hexes."""
    return tuple(Alert(turn=turn, centre=2 + 3 * i, radius=1) for i in range(count))


ONE_EACH = {
    "alert": Alert(turn=1, centre=LENGTH - 3, radius=1),
    "protect": Protect(turn=1, quarter=0, option=Protection.UP),
    "move": Move(turn=1, unit="patrol-1", to=LENGTH - 4),
    "pump": Pump(turn=1, unit="pump-1", link=LENGTH - 3),
    "footbridge": Footbridge(turn=1, unit="pump-1", link=LENGTH - 3),
    "reserve": Reserve(turn=1, unit="patrol-1", links=(LENGTH - 3,)),
    "door_to_door": DoorToDoor(turn=1, unit="patrol-1", cell=LENGTH - 3),
    "deliver": Deliver(turn=1, unit="boat-1", cell=LENGTH - 3),
    "shelter": CloseShelter(turn=1, shelter=0),
}


@pytest.mark.parametrize(
    "order",
    [
        pytest.param(ONE_EACH["alert"], id="alert"),
        pytest.param(ONE_EACH["protect"], id="protect"),
        pytest.param(ONE_EACH["move"], id="move"),
        pytest.param(ONE_EACH["pump"], id="link_action pump"),
        pytest.param(ONE_EACH["footbridge"], id="link_action footbridge"),
        pytest.param(ONE_EACH["reserve"], id="link_action reserve"),
        pytest.param(ONE_EACH["door_to_door"], id="door_to_door"),
        pytest.param(ONE_EACH["deliver"], id="deliver"),
        pytest.param(ONE_EACH["shelter"], id="shelter"),
    ],
)
def test_9_5_each_kind_costs_one_order(order):
    # the duty officer has three: two alerts and this one; nothing is left for a fourth
    assert given(*alerts(1, 2), order) == [None, None, None]
    assert given(*alerts(1, 2), order, Alert(turn=1, centre=20, radius=1))[-1] == "9.1"
    assert given(*alerts(1, 3), order)[-1] == "9.1"


def test_9_5_clearing_and_opening_cost_one_order_too():
    world = dry_world(line_district(LENGTH), turns=6)
    closed = {1: (CloseShelter(turn=1, shelter=0),)}
    state = replay(world, closed)[0][2]
    _, events = play_turn(world, state, (*alerts(2, 3), OpenShelter(turn=2, shelter=0)))
    assert [e.by_rule for e in events if isinstance(e, OrderRefused)] == ["9.1"]
    accident = Scenario(injects=(Inject(1, Card.ACCIDENT, 10),))
    world = replace(world, scenario=accident)
    clear = Clear(turn=1, unit="patrol-1", link=10)
    assert given(*alerts(1, 2), clear, world=world) == [None] * 3
    assert given(*alerts(1, 3), clear, world=world)[-1] == "9.1"


def test_9_5_withdraw_and_the_prefectures_answer_are_free():
    world = replace(
        dry_world(line_district(LENGTH), turns=6),
        scenario=Scenario(injects=(Inject(1, Card.INJUNCTION, 0),)),
    )
    assert given(*alerts(1, 3), Answer(turn=1, obey=True), world=world) == [None] * 4
    taken = given(*alerts(1, 3), Withdraw(turn=1, number=1), ONE_EACH["move"])
    assert taken == [None] * 4  # a withdrawal is told by an event of its own


def test_9_5_a_refused_order_costs_nothing():
    wrong = Move(turn=1, unit="patrol-1", to=LENGTH - 1)  # it stands there
    assert given(wrong, *alerts(1, 3)) == ["9.5", None, None, None]


def test_9_5_a_reason_is_optional_kept_and_changes_nothing():
    world = dry_world(line_district(LENGTH), turns=6)
    state = replay(world, {})[0][1]
    plain = Alert(turn=1, centre=4, radius=1)
    meant = replace(plain, reason="the gauge rose")
    after, events = play_turn(world, state, (meant,))
    (taken,) = (event for event in events if isinstance(event, OrderTaken))
    assert taken.order.reason == "the gauge rose"
    assert canonical_json(after) == canonical_json(play_turn(world, state, (plain,))[0])


def test_9_6_the_forecast_takes_nothing_of_the_first_turns_budget():
    world = dry_world(line_district(LENGTH), turns=2)
    paint = (Forecast(turn=0, cells=tuple(range(20))), Forecast(turn=0, cells=(30,)))
    state = replay(world, {0: paint})[0][1]
    _, events = play_turn(world, state, alerts(1, 3))
    assert not any(isinstance(event, OrderRefused) for event in events)


# ------------------------------------------------------------------------------ 9.4, 15.1
OUTCOMES = [first + second for first, second in product(range(1, 7), repeat=2)]


@pytest.mark.parametrize(
    ("credibility", "modifier"),
    [
        pytest.param((9, 10), 1, id="plus_1"),
        pytest.param((6, 7, 8), 0, id="zero"),
        pytest.param((4, 5), -1, id="minus_1"),
        pytest.param((2, 3), -2, id="minus_2"),
        pytest.param((0, 1), -3, id="minus_3"),
    ],
)
def test_15_1_credibility_moves_alert_and_preparation_rolls(credibility, modifier):
    for value in credibility:
        assert roll_modifier(night=False, credibility=value) == modifier
        assert roll_modifier(night=True, credibility=value) == modifier - 2


def test_15_1_an_exercise_starts_at_7_of_10():
    assert Scenario().credibility == 7
    assert roll_modifier(night=False) == 0


def test_9_4_credibility_reaches_the_dice_of_the_exercise():
    for credibility, modifier in ((10, 1), (0, -3)):
        scenario = Scenario(credibility=credibility)
        world = replace(dry_world(line_district(30, quarter_length=1), turns=2), scenario=scenario)
        state = replay(world, {})[0][1]
        orders = tuple(Alert(turn=1, centre=c, radius=1) for c in (3, 12, 21))
        _, events = play_turn(world, state, orders)
        rolls = [e for e in events if isinstance(e, (AlertRolled, PreparationRolled))]
        assert {type(e) for e in rolls} == {AlertRolled, PreparationRolled}
        assert {e.modifier for e in rolls} == {modifier}
        for roll in rolls:
            if isinstance(roll, AlertRolled):
                assert roll.success == succeeds(AlertMeans(roll.means), roll.dice, modifier)
            else:
                assert roll.success == prepared(roll.dice, modifier)


def test_10_4_rolls_of_alert_and_preparation_are_2_lower_by_night():
    for hour, modifier in ((14, 0), (3, -2)):
        world = dry_world(line_district(30, quarter_length=1), turns=2, hour=hour)
        state = replay(world, {})[0][1]
        orders = tuple(Alert(turn=1, centre=c, radius=1) for c in (3, 12, 21))
        _, events = play_turn(world, state, orders)
        rolls = [e for e in events if isinstance(e, (AlertRolled, PreparationRolled))]
        assert {type(e) for e in rolls} == {AlertRolled, PreparationRolled}
        assert {e.modifier for e in rolls} == {modifier}
    assert sum(prepared(dice, -2) for dice in OUTCOMES) == 15
