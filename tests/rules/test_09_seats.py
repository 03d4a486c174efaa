"""§9.7 Seats: what each service orders, what it sees, who comes first."""

import json
from dataclasses import fields, replace

import numpy as np
import pytest

from exercises.family import INSTRUCTOR, Envelope
from exercises.flood_family import FLOOD
from exercises.journal import Kind, read_journal
from exercises.live import LiveExercise, begin
from sim.errors import OrderError
from sim.events import (
    AlertRolled,
    Arrived,
    Observed,
    OrderRefused,
    OrderTaken,
    Reported,
    UnitMoved,
    WorkReady,
)
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
    Void,
    Withdraw,
    order_key,
    order_kinds,
)
from sim.rules import (
    EVERY_SEAT_ORDERS,
    SEATS,
    Channel,
    LinkClass,
    Protection,
    Seat,
    Structure,
    UnitKind,
)
from sim.seat_view import SeatView, seat_view
from sim.seats import SIDES, TEAM, owners
from sim.sight import seen_on
from sim.state import NEVER
from sim.turn import apply, replay, start
from sim.view import Pending, view_for
from tests.strategies import (
    dry_world,
    flooded,
    line_district,
    seed_of,
    synthetic_district,
    synthetic_world,
)

SERVICES = tuple(seat for seat in Seat if seat is not Seat.DIRECTOR)
PRINTED = {  # §9.7, line by line
    Seat.COMMUNICATION: {Alert(turn=1, centre=2, radius=1)},
    Seat.PUBLIC_ORDER: {
        Move(turn=1, unit="patrol-1", to=3),
        DoorToDoor(turn=1, unit="patrol-1", cell=3),
        Reserve(turn=1, unit="patrol-1", links=(3,)),
    },
    Seat.TECHNICAL: {
        Move(turn=1, unit="pump-1", to=3),
        Move(turn=1, unit="boat-1", to=3),
        Pump(turn=1, unit="pump-1", link=3),
        Footbridge(turn=1, unit="pump-1", link=3),
        Clear(turn=1, unit="pump-1", link=3),
        Clear(turn=1, unit="patrol-1", link=3),
        Deliver(turn=1, unit="boat-1", cell=3),
    },
    Seat.SANITATION: set(),  # its stations are in place: nothing to order (§5)
    Seat.SHELTERING: {
        Protect(turn=1, quarter=0, option=Protection.UP),
        CloseShelter(turn=1, shelter=0),
        OpenShelter(turn=1, shelter=0),
    },
}
DIRECTORS_ALONE = {Answer(turn=1, obey=True)}
ANYONES = {Forecast(turn=0, cells=(1,))}


def opened(world, turn=1):
    return replay(world, {})[0][turn]


def given(world, state, order, seat=""):
    after, events = apply(world, state, order, seat)
    return after, events[0]


@pytest.mark.parametrize("seat", SERVICES)
def test_9_7_each_order_belongs_to_the_service_printed(seat):
    for service, orders in PRINTED.items():
        for order in orders:
            assert (seat in owners(order)) == (service is seat)
    assert all(seat not in owners(order) for order in DIRECTORS_ALONE)
    assert all(seat in owners(order) for order in ANYONES)


def test_9_7_every_kind_of_order_has_an_owner_and_the_director_may_give_any():
    listed = {key for row in SEATS.values() for key in row.orders} | set(EVERY_SEAT_ORDERS)
    # other tests make kinds of their own
    kinds = [kind for kind in order_kinds() if kind.__module__ == "sim.orders"]
    assert {order_key(kind) for kind in kinds} - {"move"} == listed
    assert {kind for row in SEATS.values() for kind in row.moves} == set(UnitKind)
    for orders in (*PRINTED.values(), DIRECTORS_ALONE, ANYONES):
        for order in orders:
            assert Seat.DIRECTOR in owners(order)


def test_9_7_an_order_of_another_service_is_refused_at_no_cost_and_says_who_gives_it():
    world = dry_world(synthetic_district(8, 6))
    state = opened(world)
    order = Alert(turn=1, centre=9, radius=1)
    after, event = given(world, state, order, "technical")
    assert isinstance(event, OrderRefused)
    assert event.by_rule == "9.7"
    assert event.sentence == (
        "the seat 'technical service' does not give that order; it is given by: communication or "
        "director"
    )
    view = view_for(after, world.hour, world.turns)
    assert (view.orders_left, view.pending) == (3, ())
    assert after.pending == (Void(turn=1),)  # it has used up a number (§9.5)
    taken, event = given(world, after, order, "communication")
    assert isinstance(event, OrderTaken)
    assert view_for(taken, world.hour, world.turns).pending == (Pending(2, order),)


@pytest.mark.parametrize("seat", ["", "director"])
def test_9_7_the_whole_team_in_one_and_the_director_give_any_order(seat):
    world = dry_world(line_district(8, technical=0))
    state = opened(world)
    for orders in PRINTED.values():
        for order in orders:
            _, event = given(world, state, order, seat)
            assert not (isinstance(event, OrderRefused) and event.by_rule == "9.7"), order


def test_9_7_nobody_sits_at_a_seat_that_the_book_does_not_print():
    world = dry_world(line_district())
    _, event = given(world, opened(world), Alert(turn=1, centre=2, radius=0), "mayor")
    assert event.by_rule == "9.7"
    assert "mayor" in event.sentence
    assert all(seat.value in event.sentence for seat in Seat)


def test_9_7_a_seat_withdraws_its_own_service_s_orders_alone():
    world = dry_world(synthetic_district(8, 6))
    state, _ = given(world, opened(world), Alert(turn=1, centre=9, radius=1), "communication")
    refused, event = given(world, state, Withdraw(turn=1, number=1), "sheltering")
    assert event.by_rule == "9.7"
    assert view_for(refused, 14, 30).pending == (Pending(1, Alert(turn=1, centre=9, radius=1)),)
    for seat in ("communication", "director", ""):
        after, _ = given(world, state, Withdraw(turn=1, number=1), seat)
        assert view_for(after, 14, 30).pending == ()
        assert view_for(after, 14, 30).orders_left == 3


def test_9_7_the_first_in_the_journal_has_the_last_order():
    world = dry_world(synthetic_district(8, 6))
    state = opened(world)
    n = world.district.sheet.n_hexes
    asked = [
        (Alert(turn=1, centre=3, radius=0), "communication"),
        (Move(turn=1, unit="patrol-1", to=n - 1), "public_order"),
        (Protect(turn=1, quarter=0, option=Protection.UP), "sheltering"),
        (Move(turn=1, unit="pump-1", to=n - 1), "technical"),
    ]
    for order in (asked, [asked[0], asked[1], asked[3], asked[2]]):
        at = state
        told = []
        for body, seat in order:
            at, event = given(world, at, body, seat)
            told.append(event)
        assert [type(event) for event in told] == [OrderTaken] * 3 + [OrderRefused]
        assert told[-1].by_rule == "9.1"


def test_9_7_a_seat_gives_its_orders_through_the_envelope_and_no_other_side_does():
    world = dry_world(synthetic_district(8, 6), turns=4)
    state, _ = FLOOD.advance(FLOOD.start(world, seed_of(3)), 1)
    order = Alert(turn=1, centre=9, radius=1)
    _, (event,) = FLOOD.apply(state, Envelope(TEAM, "sanitation", 1, order))
    assert event.by_rule == "9.7"
    _, (event,) = FLOOD.apply(state, Envelope(TEAM, "communication", 1, order))
    assert isinstance(event, OrderTaken)
    for side in ("red", "public", "team/communication"):
        with pytest.raises(OrderError, match=r"9\.7"):
            FLOOD.apply(state, Envelope(side, "", 1, order))


def test_9_7_who_came_first_is_who_is_first_in_the_journal_and_it_plays_again(tmp_path):
    world = replace(dry_world(synthetic_district(8, 6), turns=4), seed=seed_of(5))
    last = world.district.sheet.n_hexes - 1
    asked = (
        ("communication", Alert(turn=1, centre=3, radius=0)),
        ("technical", Alert(turn=1, centre=4, radius=0)),  # not its own: at no cost
        ("public_order", Move(turn=1, unit="patrol-1", to=last)),
        ("technical", Move(turn=1, unit="pump-1", to=last)),
        ("sheltering", Protect(turn=1, quarter=0, option=Protection.UP)),  # a fourth of three
    )
    begin(tmp_path / "journal", FLOOD, world, world.seed, {})
    with LiveExercise(tmp_path / "journal") as live:
        live.advance(1)
        said = [live.give(Envelope(TEAM, seat, 1, order))[0] for seat, order in asked]
        live.advance(2)
        played = live.state
    rules = [getattr(event, "by_rule", None) for event in said]
    assert rules == [None, "9.7", None, None, "9.1"]
    entries = read_journal(tmp_path / "journal").entries
    assert [entry.seat for entry in entries if entry.kind == Kind.ORDER] == [
        seat for seat, _ in asked
    ]
    with LiveExercise(tmp_path / "journal") as again:
        assert FLOOD.state_hash(again.state) == FLOOD.state_hash(played)
        parts = [step.parts[0][1][0] for step in again.past if step.order is not None]
    assert parts == said


# --------------------------------------------------------------------------- what a seat sees
SHARED = {
    *("turn", "turns", "hour", "night", "over", "timer_s", "orders", "brush_radius", "orders_left"),
    *("pending", "bulletin", "injunctions", "protection", "forecast", "confidence", "capital"),
    *("water", "known_turn", "known_by", "cut_on_foot", "cut_to_vehicles", "known_obstacles"),
    *("outages", "alerted", "evacuated", "closed", "crushed", "pawns"),
}


def busy_game(number=5, turns=9):
    """A wet game with all services at work, and its states and events."""
    district = synthetic_district(9, 8, number)
    world = synthetic_world(district, level=5, number=number, turns=turns)
    n = district.sheet.n_hexes
    by_road = np.flatnonzero(district.link_class > LinkClass.NONE)
    orders = {
        turn: (
            Alert(turn=turn, centre=turn * 11 % n, radius=1),
            Move(turn=turn, unit="patrol-1", to=turn * 5 % n),
            Pump(turn=turn, unit="pump-1", link=int(by_road[turn * 7 % by_road.size])),
            Move(turn=turn, unit="patrol-2", to=turn * 17 % n),
        )
        for turn in range(1, turns)
    }
    return world, *replay(world, orders)


def seats_of(world, state):
    view = view_for(state, world.hour, world.turns)
    return view, {seat: seat_view(world.district, view, seat) for seat in SERVICES}


def test_9_7_all_seats_share_the_map_and_the_list_of_orders():
    world, states, _ = busy_game()
    assert {field.name for field in fields(SeatView)} == SHARED | {
        *("seat", "seen", "units", "places_taken")
    }
    for state in states:
        view, seats = seats_of(world, state)
        for name in SHARED:
            assert len({repr(getattr(seat, name)) for seat in seats.values()}) == 1
        for name in SHARED & {field.name for field in fields(view)}:
            assert getattr(seats[Seat.SANITATION], name) == getattr(view, name)


def test_9_7_a_seat_has_the_exact_depths_of_its_own_service_s_eyes_alone():
    world, states, _ = busy_game()
    told = 0
    for state in states[1:-1]:
        view, seats = seats_of(world, state)
        by = seen_on(world.district, state.units, night=view.night)
        for seat, channel in (
            (Seat.PUBLIC_ORDER, Channel.PATROL),
            (Seat.TECHNICAL, Channel.PUMP),
            (Seat.SANITATION, Channel.STATION),
        ):
            depths = {cell: int(world.depth_mm[state.turn, cell]) for cell in by[channel]}
            assert dict(seats[seat].seen) == depths
            told += sum(mm > 0 for mm in depths.values())
        assert seats[Seat.COMMUNICATION].seen == seats[Seat.SHELTERING].seen == ()
    assert told


def test_9_7_what_another_service_sees_within_a_class_does_not_show():
    district = replace(line_district(10, link_class=LinkClass.PRIMARY, technical=0), stations=())
    views = []
    for mm in (310, 480):  # the patrols stand on hex 9: both are class 2, open to no walker
        world = flooded(dry_world(district, turns=2), {9: mm})
        views.append(seats_of(world, opened(world)))
    (team, one), (other_team, other) = views
    assert team != other_team
    assert one[Seat.PUBLIC_ORDER].seen == ((8, 0), (9, 310))
    for seat in SERVICES:
        assert (one[seat] == other[seat]) == (seat is not Seat.PUBLIC_ORDER)


def test_9_7_a_service_alone_sees_what_its_units_do_and_all_see_where_they_are():
    world, states, _ = busy_game()
    for state in states:
        _, seats = seats_of(world, state)
        for seat, view in seats.items():
            assert {unit.kind for unit in view.units} == set(SEATS[seat].moves)
            assert [pawn.name for pawn in view.pawns] == [unit.name for unit in state.units]
    assert any(unit.task for state in states for unit in state.units)


def test_9_7_sheltering_alone_counts_the_places_taken():
    world, states, _ = busy_game()
    assert any(states[-2].places_taken)
    view, seats = seats_of(world, states[-2])
    for seat, seen in seats.items():
        assert seen.places_taken == (view.places_taken if seat is Seat.SHELTERING else None)


def test_9_7_the_bars_on_the_shared_map_are_those_of_the_team_s_known_depths():
    # an underpass sees 3.5 times a depth that is no class yet: the bar is there for all seats
    district = line_district(6, link_class=LinkClass.PRIMARY, structure=Structure.UNDERPASS)
    world = flooded(dry_world(district, turns=2), {5: 100})
    _, seats = seats_of(world, opened(world))
    assert seats[Seat.SANITATION].water[5] == 0
    assert seats[Seat.SANITATION].cut_on_foot == (4,)
    assert seats[Seat.SANITATION].cut_to_vehicles == ()


# --------------------------------------------------------------------------- what a seat hears
def for_sides(event):
    return {side: event.for_side(side) for side in SIDES}


def hearing(event):
    return {side for side, seen in for_sides(event).items() if seen is not None}


TEAM_SIDES = {side for side in SIDES if side.startswith(TEAM)}


def test_9_7_the_director_hears_all_that_the_team_hears_and_no_seat_more():
    *_, events = busy_game()
    for happened in events:
        for event in happened:
            seen = for_sides(event)
            assert seen[INSTRUCTOR] == event
            assert seen["team/director"] == seen["team"]
            assert event.for_side("team/mayor") is None
            if seen["team"] is None:
                assert hearing(event) == {INSTRUCTOR}


def test_9_7_an_observation_is_cut_to_the_hexes_that_a_service_saw():
    event = Observed(
        turn=2,
        cells=(3, 4, 9),
        depth_mm=(30, 40, 90),
        by=(("patrol",), ("patrol", "station"), ("station",)),
    )
    seen = for_sides(event)
    assert seen["team/public_order"] == replace(
        event, cells=(3, 4), depth_mm=(30, 40), by=(("patrol",), ("patrol",))
    )
    assert seen["team/sanitation"] == replace(
        event, cells=(4, 9), depth_mm=(40, 90), by=(("station",), ("station",))
    )
    assert hearing(event) == {
        *("team", "team/director", "team/public_order", "team/sanitation", INSTRUCTOR)
    }


def test_9_7_the_engine_says_which_channel_saw_each_hex():
    world, states, events = busy_game()
    for state, happened in zip(states[1:-1], events, strict=False):
        (event,) = [event for event in happened if isinstance(event, Observed)]
        by = seen_on(world.district, state.units, night=world.night(state.turn))
        for cell, channels in zip(event.cells, event.by, strict=True):
            assert set(channels) == {on.value for on, cells in by.items() if cell in cells}


def test_9_7_reports_and_dice_are_communication_s_arrivals_sheltering_s():
    reported = Reported(turn=3, cells=(4,), water=(2,))
    assert hearing(reported) == {"team", "team/director", "team/communication", INSTRUCTOR}
    rolled = AlertRolled(
        turn=3, quarter=0, means="siren", dice=7, modifier=-2, success=True, cells=(1, 2)
    )
    assert hearing(rolled) == {*TEAM_SIDES, INSTRUCTOR}
    assert rolled.for_side("team/communication") == rolled
    assert rolled.for_side("team/technical") == replace(rolled, dice=None, modifier=0)
    came = Arrived(turn=3, cell=4, shelter=0, people=1_250, complete=False)
    assert hearing(came) == {"team", "team/director", "team/sheltering", INSTRUCTOR}
    whole = replace(came, complete=True)
    assert whole.for_side("team/sheltering") == whole
    assert whole.for_side("team/technical") == replace(whole, people=None)


def test_9_7_a_unit_tells_its_own_service_what_it_does():
    ready = WorkReady(turn=3, unit="pump-1", action="pump", links=(4,))
    assert hearing(ready) == {"team", "team/director", "team/technical", INSTRUCTOR}
    assert hearing(replace(ready, unit="patrol-1", action="reserve")) == {
        *("team", "team/director", "team/public_order", INSTRUCTOR)
    }
    moved = UnitMoved(turn=3, unit="pump-1", from_cell=1, to_cell=2, points=9)
    assert hearing(moved) == {*TEAM_SIDES, INSTRUCTOR}


def test_9_7_every_side_has_a_view_and_the_contract_lists_them_all():
    world = synthetic_world(synthetic_district(8, 6), level=5, turns=3)
    state = FLOOD.start(world, seed_of(4))
    assert FLOOD.sides(world) == (
        *("team", "team/director", "team/communication", "team/public_order", "team/technical"),
        *("team/sanitation", "team/sheltering", "instructor", "public"),
    )
    while True:
        views = {side: FLOOD.view(state, side, FLOOD.now(state)) for side in FLOOD.sides(world)}
        assert views["team/director"] == views["team"]
        assert len({json.dumps(view) for view in views.values()}) == len(views) - 1
        if FLOOD.is_over(state):
            break
        state, _ = FLOOD.advance(state, FLOOD.next_due(state))


def test_9_7_nothing_of_a_counter_or_of_the_truth_shows_to_a_seat():
    world = dry_world(line_district())
    state = start(world)
    for name in ("progress", "target", "cut", "waiting", "lost", "first_step"):
        other = replace(state, **{name: tuple(value + 7 for value in getattr(state, name))})
        assert seats_of(world, other) == seats_of(world, state)
    assert NEVER == 0
