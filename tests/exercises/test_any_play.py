"""Any sequence of orders, withdrawals, turns, cards and crashes keeps what must never change.

A Hypothesis machine plays an exercise through its journal, a real SQLite file. AVERSE_PLAYS sets
how many exercises it plays; ``make fuzz`` plays many.
"""

import os
import shutil
import tempfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from exercises.family import Envelope
from exercises.flood_family import FLOOD
from exercises.journal import COMPANIONS, JOURNAL
from exercises.live import LiveExercise, begin
from sim import orders as kinds
from sim.errors import OrderError
from sim.events import OrderRefused, UnitMoved
from sim.rules import HOURS, LEVELS, Card, Confidence, Protection
from sim.scenario import Gathering, Inject, Scenario
from sim.score import score
from sim.world import World
from tests.fuzz.games import random_depth
from tests.strategies import seed_of, synthetic_district

PLAYS = int(os.environ.get("AVERSE_PLAYS", "20"))
STEPS = 40
TURNS = 12
PLACES = st.integers(0, 9_999)
"""Hexes, links, quarters and shelters: what there is of each, gone round."""
UNITS = st.sampled_from(
    [f"{kind}-{n}" for kind in ("patrol", "pump", "boat") for n in (1, 2, 3, 7)]
)
SEATS = ("", *(side.partition("/")[2] for side in FLOOD.sides(None) if "/" in side))
BUDGET = ((7, 12), (5, 8), (3, 5), (1, 3), (0, 0))
"""§9.1: from which turn, how many orders."""
FREE = (kinds.Forecast, kinds.Withdraw, kinds.Answer)
CAPITAL, REFUSED, RIGHTLY = 60, -25, 40
"""§12.3, 13.2."""


class AnyPlay(RuleBasedStateMachine):
    """An exercise that anything may happen to."""

    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.live = None
        self.copies = 0

    def teardown(self):
        if self.live is not None:
            self.live.close()
        shutil.rmtree(self.folder)

    # ----------------------------------------------------------------------- an exercise
    @initialize(
        town=st.integers(0, 7),
        water=st.integers(0, 999),
        share=st.sampled_from([0.0, 0.2, 0.7]),
        level=st.sampled_from(LEVELS),
        hour=st.sampled_from(sorted(HOURS)),
        cards=st.booleans(),
        half_staff=st.booleans(),
        gathering=st.booleans(),
        injects=st.lists(st.tuples(st.integers(1, TURNS), st.sampled_from(Card)), max_size=8),
    )
    def start(self, town, water, share, level, hour, cards, half_staff, gathering, injects):
        district = synthetic_district(6, 5, town)
        n = district.sheet.n_hexes
        scenario = Scenario(
            cards=cards,
            half_staff=half_staff,
            gathering=Gathering(water % n, 700) if gathering else None,
            injects=tuple(Inject(turn, card) for turn, card in injects),
        )
        depth = random_depth(np.random.default_rng(water), TURNS, n, share)
        world = World(district, depth, level, seed_of(water), hour, TURNS, scenario)
        begin(self.folder / JOURNAL, FLOOD, world, world.seed, {"player": "terminal"})
        self.live = LiveExercise(self.folder / JOURNAL)
        self.at_first = self.state

    @property
    def world(self):
        return self.live.start.world

    @property
    def state(self):
        return self.live.state.state

    def is_played(self):
        return self.live is not None and not FLOOD.is_over(self.live.state)

    # ----------------------------------------------------------------------- what may happen
    def give(self, seat, order):
        before, entries = self.state, self.live.journal.entries
        try:
            events = self.live.give(Envelope("team", seat, order.turn, order, "why not"))
        except OrderError:
            # no order file could hold it, so no journal may: nothing has happened
            assert (self.state, self.live.journal.entries) == (before, entries)
            return ()
        assert len(events) == 1
        after = self.state
        assert replace(after, pending=before.pending) == before, "an order changed more than a list"
        assert len(after.pending) == len(before.pending) + 1, "an order without a number"
        if isinstance(events[0], OrderRefused):
            assert spent(after) == spent(before), "a refusal that costs"
        return events

    @precondition(is_played)
    @rule(seat=st.sampled_from(SEATS), a=PLACES, b=PLACES, unit=UNITS, which=st.integers(0, 15))
    def order(self, seat, a, b, unit, which):
        """One of all kinds of order, sensible or not."""
        district, turn = self.world.district, max(1, self.state.turn)
        cell, link = a % district.sheet.n_hexes, a % district.sheet.n_edges
        quarter, shelter = a % len(district.quarters), a % len(district.shelters)
        option, radius = tuple(Protection)[b % 3], b % 4
        order = (
            lambda: kinds.Alert(turn=turn, centre=cell, radius=radius),
            lambda: kinds.Alert(turn=turn, centre=cell, radius=radius, option=option),
            lambda: kinds.Move(turn=turn, unit=unit, to=cell),
            lambda: kinds.DoorToDoor(turn=turn, unit=unit, cell=cell),
            lambda: kinds.Pump(turn=turn, unit=unit, link=link),
            lambda: kinds.Footbridge(turn=turn, unit=unit, link=link),
            lambda: kinds.Clear(turn=turn, unit=unit, link=link),
            lambda: kinds.Reserve(turn=turn, unit=unit, links=(link, b % district.sheet.n_edges)),
            lambda: kinds.Reserve(turn=turn, unit=unit, links=(link,) * (1 + b % 2)),
            lambda: kinds.Protect(turn=turn, quarter=quarter, option=option),
            lambda: kinds.CloseShelter(turn=turn, shelter=shelter),
            lambda: kinds.OpenShelter(turn=turn, shelter=shelter),
            lambda: kinds.Deliver(turn=turn, unit=unit, cell=cell),
            lambda: kinds.Answer(turn=turn, obey=bool(b % 2)),
            lambda: kinds.Move(turn=turn + 1 + b % 3, unit=unit, to=cell),
            lambda: kinds.Forecast(
                turn=0, cells=(cell,) * (1 + a % 2), confidence=(None, *Confidence)[b % 4]
            ),
        )[which]()
        if self.state.turn == 0 and which != 15:
            return
        self.give(seat, order)

    @precondition(is_played)
    @rule(seat=st.sampled_from(SEATS), number=st.integers(1, 20))
    def withdraw(self, seat, number):
        self.give(seat, kinds.Withdraw(turn=self.state.turn, number=number))

    @precondition(is_played)
    @rule(radius=st.integers(1, 2), a=PLACES)
    def alert(self, radius, a):
        """An alert that mostly stands: people walk."""
        turn = self.state.turn
        if turn:
            centre = a % self.world.district.sheet.n_hexes
            self.give("", kinds.Alert(turn=turn, centre=centre, radius=min(radius, 1 + turn // 3)))

    @precondition(is_played)
    @rule()
    def send_out(self):
        """Buses for the quarter where the patrols stand: they have vehicles from the first turn."""
        turn = self.state.turn
        if turn:
            centre = self.world.district.police_stations[0].cell
            self.give("", kinds.Alert(turn=turn, centre=centre, radius=1, option=Protection.OUT))

    @precondition(is_played)
    @rule()
    def end_turn(self):
        before = self.state
        events = self.live.advance(before.turn + 1)
        where = {unit.name: unit.cell for unit in before.units}
        for event in events:
            if isinstance(event, UnitMoved):
                assert where[event.unit] == event.from_cell, "a unit in two places"
                where[event.unit] = event.to_cell
        after = {unit.name: unit.cell for unit in self.state.units}
        assert {name: after[name] for name in where} == where, "a unit that moved unseen"

    @precondition(is_played)
    @rule(turns=st.integers(2, 4))
    def end_turns(self, turns):
        """A centre that lets time pass."""
        self.live.advance(min(self.state.turn + turns, TURNS + 1))

    @precondition(lambda self: self.live is not None)
    @rule()
    def leave_and_come_back(self):
        before, entries = self.state, self.live.journal.entries
        path = self.live.journal.path
        self.live.close()
        self._open(path, before, entries)

    @precondition(lambda self: self.live is not None)
    @rule()
    def crash(self):
        """The machine stops: what is on the disk at this moment is all that there is."""
        before, entries = self.state, self.live.journal.entries
        path = self.live.journal.path
        self.copies += 1
        there = self.folder / str(self.copies)
        there.mkdir()
        for name in (path.name, *(path.name + companion for companion in COMPANIONS)):
            if (path.parent / name).exists():
                shutil.copy(path.parent / name, there / name)
        self.live.close()
        self._open(there / path.name, before, entries)

    def _open(self, path, before, entries):
        digest = FLOOD.state_hash(self.live.state)
        self.live = LiveExercise(path)
        assert self.live.journal.entries == entries
        assert FLOOD.state_hash(self.live.state) == digest
        assert self.state == before

    # ----------------------------------------------------------------------- what never changes
    @invariant()
    def people_are_conserved_to_the_hundredth(self):
        if self.live is None:
            return
        then, now = self.at_first, self.state
        for there, lost, came in (
            ("waiting", "lost", ("in_time", "late")),
            ("followers", "followers_lost", ("follower_places",)),
            ("upstairs", "upstairs_lost", ()),
        ):
            parts = np.array([getattr(now, name) for name in (there, lost, *came)])
            assert (parts >= 0).all(), f"fewer than none: {there}"
            np.testing.assert_array_equal(parts.sum(axis=0), getattr(then, there), err_msg=there)
        out, out_followers = np.array(now.out), np.array(now.out_followers)
        assert (out <= np.array(now.in_time) + now.late).all()
        assert (out_followers <= np.array(now.follower_places)).all()
        gone = np.array(now.evacuated) > 0
        assert not (np.array(now.waiting) + now.followers)[gone].any(), "evacuated, and still there"

    @invariant()
    def places_are_never_above_capacity(self):
        if self.live is None:
            return
        state = self.state
        for taken, shelter in zip(state.places_taken, self.world.district.shelters, strict=True):
            assert 0 <= taken <= 100 * shelter.places
        moved = sum(state.in_time) + sum(state.late) + sum(state.follower_places)
        assert sum(state.places_taken) == moved - sum(state.out) - sum(state.out_followers)

    @invariant()
    def every_unit_stands_in_one_place(self):
        if self.live is None:
            return
        units = self.state.units
        names = [unit.name for unit in units]
        assert len(names) == len(set(names))
        assert all(0 <= unit.cell < self.world.district.sheet.n_hexes for unit in units)
        assert {unit.name for unit in self.at_first.units} <= set(names), "a unit is lost"

    @invariant()
    def the_budget_is_never_exceeded(self):
        if self.live is None:
            return
        state = self.state
        assert spent(state) <= next(most for since, most in BUDGET if state.turn >= since)
        given = [order.unit for order in state.pending if hasattr(order, "unit")]
        assert len(given) == len(set(given)), "two orders for one unit"

    @invariant()
    def what_is_known_is_no_younger_than_the_turn(self):
        if self.live is None:
            return
        state = self.state
        assert all(0 <= turn <= state.turn for turn in state.known_turn)
        assert not state.bulletin or self.world.level in state.bulletin
        told = np.array(state.alerted) > 0
        assert ((np.array(state.first_step) > 0) == told).all()

    @invariant()
    def capital_is_accounted_for(self):
        if self.live is None:
            return
        state = self.state
        refused = [one for one in state.injunctions if one.obeyed is False]
        rightly = 0
        if FLOOD.is_over(self.live.state):
            threatened = set(self.world.district.quarter[self.world.threatened].tolist())
            rightly = sum(one.quarter not in threatened for one in refused)
        assert state.capital == CAPITAL + REFUSED * len(refused) + RIGHTLY * rightly
        quarters = [one.quarter for one in state.injunctions]
        assert len(quarters) == len(set(quarters)), "a quarter asked for twice"

    @invariant()
    def score_terms_reconcile_with_the_people_they_count(self):
        if self.live is None:
            return
        state, terms = self.state, score(self.world, self.state)
        cut = np.array(self.world.threatened)
        came, late = np.array(state.in_time), np.array(state.late)
        moved = came + late + np.array(state.follower_places)
        out = np.array(state.out) + np.array(state.out_followers)
        assert terms.threatened == sum(self.at_first.waiting[c] for c in np.flatnonzero(cut)) // 100
        assert terms.saved == came[cut].sum() // 100
        assert terms.saved + terms.late == (came + late)[cut].sum() // 100
        assert terms.saved + terms.late + terms.left == terms.threatened
        assert min(terms.saved, terms.late, terms.left, terms.misused, terms.victims) >= 0
        # a place is used well by those to shelter of a threatened hex, badly by anybody else
        assert (
            terms.misused == (moved[~cut].sum() + np.array(state.follower_places)[cut].sum()) // 100
        )
        assert terms.places_used == sum(state.places_taken) // 100
        assert (
            terms.victims
            == (sum(state.lost) + sum(state.followers_lost) + sum(state.upstairs_lost)) // 100
        )
        assert terms.points == (
            2 * terms.saved - terms.misused - 4 * terms.victims + 150 * (state.capital - CAPITAL)
        )
        wanted = sum(self.at_first.waiting[c] for c in np.flatnonzero(cut))
        assert terms.recall == (Fraction(int(came[cut].sum()), wanted) if wanted else None)
        places = int((moved - out).sum())
        well = int((came + late - np.array(state.out))[cut].sum())
        assert terms.precision == (Fraction(well, places) if places else None)


@pytest.mark.parametrize(
    "order",
    [
        kinds.Forecast(turn=0, cells=(3, 4, 3)),
        kinds.Reserve(turn=0, unit="patrol-1", links=(5, 5)),
    ],
    ids=["a forecast", "an axis"],
)
def test_an_order_that_could_not_be_read_back_is_never_written(tmp_path, order):
    """The engine would take it, or refuse it and keep it: the journal could not be opened."""
    district = synthetic_district(6, 5, 0)
    world = World(district, np.zeros((3, 30), np.int32), 1, seed_of(1), 14, 2)
    begin(tmp_path / JOURNAL, FLOOD, world, world.seed, {})
    with LiveExercise(tmp_path / JOURNAL) as live:
        with pytest.raises(OrderError, match="twice"):
            live.give(Envelope("team", "", 0, order))
        assert live.journal.entries == 0
        live.advance(1)
    with LiveExercise(tmp_path / JOURNAL) as live:
        assert FLOOD.now(live.state) == 1


def spent(state):
    """Orders of the turn that count."""
    return sum(not isinstance(o, (*FREE, kinds.Void)) for o in map(body, state.pending))


def body(pending):
    """An order that stands, whatever carries it."""
    return getattr(pending, "order", pending)


AnyPlay.TestCase.settings = settings(
    max_examples=PLAYS,
    stateful_step_count=STEPS,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestAnyPlay = AnyPlay.TestCase
