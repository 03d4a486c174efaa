"""What every family of exercises is made of: one contract, whatever its time and its secrets.

Time is a whole number that only grows: a turn, a day, a millisecond. Orders stamped with it wait or
act; what falls due by itself does so in ``advance``. All that is waiting, sealed or hidden lives in
the state, which nothing changes: every call returns another. No clock, no file and no generator is
read; chance comes from ``draw`` alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

from sim.dice import draw

Plain: TypeAlias = Any
"""None, truth values, whole numbers, text, and lists and objects of them: what JSON can hold."""

INSTRUCTOR = "instructor"
"""The side that sees everything, in every family."""

Body = TypeVar("Body")
Scenario = TypeVar("Scenario")
State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Envelope(Generic[Body]):
    """An order as it is handed in.

    Attributes
    ----------
    side : str
        Who plays: a team, a camp, ``INSTRUCTOR``.
    seat : str
        Who of that side, or ''.
    at : int
        When, in the family's time.
    body : Body
        What is ordered, in the family's own words.
    reason : str
        Kept for the debrief as it was written.
    """

    side: str
    seat: str
    at: int
    body: Body
    reason: str = ""


class Event(Protocol):
    """Something that happened."""

    def for_side(self, side: str) -> Self | None:
        """Return what a side may see of it, itself or with less in it; None where nothing."""


class Family(Protocol[Scenario, State, Body]):
    """A family of exercises.

    ``start``, ``apply`` and ``advance`` are functions of their arguments alone, and change none.
    """

    name: str
    rules_version: str
    replays: frozenset[str]
    """Versions of the rules whose journals give the same states here, this one included."""

    def sides(self, scenario: Scenario) -> tuple[str, ...]:
        """Sides that have a view, ``INSTRUCTOR`` among them."""

    def start(self, scenario: Scenario, seed: str) -> State:
        """Return the state before the first order."""

    def apply(self, state: State, order: Envelope[Body]) -> tuple[State, Sequence[Event]]:
        """Take an order. What is due by its stamp happens first, or the order is refused.

        A refusal is an event and costs nothing. An order that is to be resolved later, or revealed
        with others, waits in the state.
        """

    def now(self, state: State) -> int:
        """Moment at which the state stands."""

    def next_due(self, state: State) -> int | None:
        """Moment at which something happens with no order; None where nothing is due."""

    def advance(self, state: State, to: int) -> tuple[State, Sequence[Event]]:
        """Let happen, in order, all that is due until a moment, that moment included.

        Raises
        ------
        ExerciseError
            If the moment is past, or beyond the end.
        """

    def is_over(self, state: State) -> bool:
        """Whether no order and no moment can change the state any more."""

    def view(self, state: State, side: str, at: int) -> Plain:
        """Return what a side may see at a moment, from now until the next that is due.

        Raises
        ------
        ExerciseError
            If there is no such side, or the state does not stand for that moment.
        """

    def score(self, state: State) -> Plain:
        """Return the score so far, with all that it rests on; the instructor's until the end."""

    def state_hash(self, state: State) -> str:
        """SHA-256 of the state, hexadecimal, the same on any machine."""

    def about(self, scenario: Scenario) -> dict[str, str]:
        """What a reader of a journal wants to know of the scenario: names and hashes."""

    def scenario_to_plain(self, scenario: Scenario) -> Plain:
        """Return a scenario as plain values; no seed is in it."""

    def scenario_from_plain(self, plain: Plain) -> Scenario:
        """Return the scenario that was written."""

    def body_to_plain(self, scenario: Scenario, body: Body) -> Plain:
        """Return the body of an order as plain values, in the words of an order file."""

    def body_from_plain(self, scenario: Scenario, plain: Plain, at: int, reason: str) -> Body:
        """Return the body of an order that was written.

        Raises
        ------
        OrderError
            If it is no order of the family.
        """

    def event_to_plain(self, state: State, event: Any) -> Plain:
        """Return an event as plain values."""


def refuse_moment(now: int, at: int, due: int | None) -> str | None:
    """Why a view cannot be given for a moment, or None.

    >>> refuse_moment(3, 4, 6)
    >>> refuse_moment(3, 6, 6)
    'moment 6 is asked for, but something is due at 6: advance first'
    """
    if at < now:
        return f"moment {at} is asked for, but the state stands at {now}: replay to see it again"
    if due is not None and at >= due:
        return f"moment {at} is asked for, but something is due at {due}: advance first"
    return None


__all__ = ["INSTRUCTOR", "Body", "Envelope", "Event", "Family", "Plain", "draw", "refuse_moment"]
