"""The flood and evacuation exercise under the contract of all families: its time is the turn.

Orders of a turn wait in the state until the turn is resolved, which is when the next falls due.
"""

import hashlib
from dataclasses import dataclass, replace

from exercises.act_forms import act_from, act_to_plain
from exercises.exports import scores_at
from exercises.family import INSTRUCTOR, Envelope, Family, Plain, refuse_moment
from exercises.order_forms import FaultyOrderError, order_from
from exercises.plain_values import from_plain, to_plain
from sim import turn as engine
from sim.acts import Act
from sim.conduct import perform
from sim.dice import SEED_HEX_DIGITS
from sim.errors import ExerciseError, OrderError
from sim.events import Event, by_label, order_by_label
from sim.orders import Order
from sim.public_screen import public_view
from sim.refusal import OneOf, reason_of, refuse
from sim.rules import RULES_VERSION, Seat
from sim.seat_view import seat_view
from sim.seats import PUBLIC, SIDES, TEAM, seat_of_side
from sim.signs import mended
from sim.state import State, plain, state_hash
from sim.view import View, view_for
from sim.world import World

ORDERING_SIDES = (TEAM, INSTRUCTOR)
"""Sides that give orders: the instructor in the team's stead."""
UNVEILED_SCORES = (
    *("points", "maximum", "terms", "capital", "recall", "precision"),
    *("turns", "turns_counted", "not_yet_cut"),
)
"""Of the score, what the public screen shows at the end: no seed and no hash (§12)."""
NO_SEED = "0" * SEED_HEX_DIGITS
"""Seed of a scenario: the one that counts is given when the exercise starts."""


@dataclass(frozen=True, slots=True)
class FloodState:
    """The hidden world, which stays, and where the exercise stands in it."""

    world: World
    state: State


@dataclass(frozen=True, slots=True)
class TruthNow:
    """What the instructor sees of the world beside the state, in the turn that is played.

    Attributes
    ----------
    level : int
        Of the storm (§6.2).
    depth_mm : by hex
        True depth, millimetres.
    first_cut : by hex
        First turn without a foot route to a dry shelter, or ``NEVER`` (§12.2).

    """

    level: int
    depth_mm: tuple[int, ...]
    first_cut: tuple[int, ...]


class FloodFamily:
    """The flood exercise; a scenario is a ``World`` whose seed does not count."""

    name = "flood"
    rules_version = RULES_VERSION
    replays = frozenset({RULES_VERSION})

    def sides(self, scenario: World) -> tuple[str, ...]:
        """Sides that have a view (§6): the team, its seats, the instructor, the public screen."""
        return SIDES

    def start(self, scenario: World, seed: str) -> FloodState:
        """Return the forecast phase (§9.6)."""
        world = replace(scenario, seed=seed)
        return FloodState(world, engine.start(world))

    def apply(
        self, state: FloodState, order: Envelope[Order | Act]
    ) -> tuple[FloodState, tuple[Event, ...]]:
        """Take an order of the turn, or refuse it by what the team knows (§6.3, 9.5, 9.7).

        The instructor's acts come the same way (§13.2, 18).
        """
        if order.side not in ORDERING_SIDES:
            raise OrderError(
                refuse(
                    "",
                    "an order of side {side}: give it as {ordering_sides}, the seat apart (§9.7)",
                    side=f"{order.side!r:.40}",
                    ordering_sides=OneOf(tuple(ORDERING_SIDES)),
                )
            )
        if isinstance(order.body, Act):
            if order.side != INSTRUCTOR:
                raise OrderError(refuse("", "an act of the instructor, given by a team (§13.2)"))
            act = replace(order.body, turn=order.at, reason=order.reason)
            after, events = perform(state.world, state.state, act)
            return FloodState(state.world, after), events
        dated = replace(order.body, turn=order.at, reason=order.reason)
        after, events = engine.apply(state.world, state.state, dated, order.seat)
        return FloodState(state.world, after), events

    def now(self, state: FloodState) -> int:
        """Turn whose orders are awaited."""
        return state.state.turn

    def next_due(self, state: FloodState) -> int | None:
        """Return the turn that opens once this one is resolved."""
        return engine.next_due(state.world, state.state)

    def advance(self, state: FloodState, to: int) -> tuple[FloodState, tuple[Event, ...]]:
        """Resolve turn after turn until ``to`` is open (§18)."""
        after, events = engine.advance(state.world, state.state, to)
        return FloodState(state.world, after), events

    def is_over(self, state: FloodState) -> bool:
        """Whether the last turn has been resolved."""
        return engine.is_over(state.world, state.state)

    def view(self, state: FloodState, side: str, at: int) -> Plain:
        """Return what a side may see in the turn that is played (§6)."""
        if why := refuse_moment(self.now(state), at, self.next_due(state)):
            raise ExerciseError(why)
        if side == INSTRUCTOR:
            return {"state": plain(state.state), "truth": plain(_truth_now(state))}
        if side == PUBLIC:
            shown: Plain = plain(public_view(state.world, state.state))
            if not self.is_over(state):
                return shown
            score = self.score(state)
            told = {name: score[name] for name in UNVEILED_SCORES}
            return {**shown, "unveiled": {**shown["unveiled"], "score": told}}
        if side not in SIDES:
            raise ExerciseError(
                refuse(
                    "",
                    "no side {side}: the sides are {sides} (§6)",
                    side=repr(side),
                    sides=", ".join(SIDES),
                )
            )
        view = _known(state)
        seat = seat_of_side(side)
        if seat is None or seat is Seat.DIRECTOR:
            return plain(view)
        return plain(seat_view(state.world.district, view, seat))

    def score(self, state: FloodState) -> Plain:
        """Return the score of §12 as it is exported."""
        return scores_at(state.world, state.state)

    def state_hash(self, state: FloodState) -> str:
        """SHA-256 of the state (§19); the world is in the journal by its own."""
        return state_hash(state.state)

    def about(self, scenario: World) -> dict[str, str]:
        """Name the district and the hash of all that is played on."""
        return {
            "district": scenario.district.name,
            "district_sha256": scenario.district.digest,
            "depth_sha256": hashlib.sha256(scenario.depth_mm.astype("<i4").tobytes()).hexdigest(),
        }

    def scenario_to_plain(self, scenario: World) -> Plain:
        """Return the district, its water and its settings."""
        return to_plain(scenario, leave_out=frozenset({"seed"}))

    def scenario_from_plain(self, plain: Plain) -> World:
        """Return the world that was written, without its seed."""
        world: World = from_plain(World, plain, seed=NO_SEED)
        return world

    def body_to_plain(self, scenario: World, body: Order | Act) -> Plain:
        """Return an order in the words of an order file; turn and reason are the envelope's."""
        if isinstance(body, Act):
            return act_to_plain(scenario.district, body)
        written = order_by_label(scenario.district, body)
        return {name: value for name, value in written.items() if name not in {"turn", "reason"}}

    def body_from_plain(self, scenario: World, plain: Plain, at: int, reason: str) -> Order | Act:
        """Return an order or an act that was written."""
        if not isinstance(plain, dict):
            raise OrderError(
                refuse(
                    "",
                    "{plain} where an order stands; write it as an object (§9.5)",
                    plain=f"{plain!r:.40}",
                )
            )
        # what was taken before such signs were refused is read all the same
        plain = mended(plain)
        if "act" in plain:
            return act_from(scenario.district, plain, at, reason)
        try:
            return order_from(scenario.district, {**plain, "turn": at, "reason": reason})
        except FaultyOrderError as fault:
            raise OrderError(reason_of(fault)) from None

    def event_to_plain(self, state: FloodState, event: Event) -> Plain:
        """Return an event as it is exported."""
        return by_label(state.world.district, event)


def _known(state: FloodState) -> View:
    world = state.world
    return view_for(state.state, world.hour, world.turns, world.scenario.timer)


def _truth_now(state: FloodState) -> TruthNow:
    world = state.world
    turn = min(state.state.turn, world.turns)
    return TruthNow(
        world.level, tuple(world.depth_mm[turn].tolist()), tuple(world.first_cut.tolist())
    )


FLOOD: Family[World, FloodState, Order | Act] = FloodFamily()
