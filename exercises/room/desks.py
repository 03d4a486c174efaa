"""A team in a room: its live exercise, what each of its sides saw, who sits there."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from exercises.family import INSTRUCTOR
from exercises.flood_family import FloodState
from exercises.journal import Kind
from exercises.live import LiveExercise
from exercises.room.timers import TimeLeft, Timer
from sim.district import District
from sim.errors import ExerciseError
from sim.events import Event, MessageSent, OrderRefused, OrderTaken, OrderWithdrawn, seen_by
from sim.refusal import refuse
from sim.rules import Seat
from sim.seats import SIDES, TEAM, WHOLE_TEAM
from sim.world import World

ORDER_EVENTS = (OrderTaken, OrderRefused, OrderWithdrawn)
"""One of them tells what became of every order."""
Hears = Callable[[], None]
"""Called when what a listener is shown has changed; under the room's lock, so it must be quick."""


def side_of(seat: str) -> str:
    """Return the side that a seat of a team is; '' is the whole team in one.

    Raises
    ------
    ExerciseError
        If there is no such seat (§9.7).

    Examples
    --------
    >>> side_of(""), side_of("technical")
    ('team', 'team/technical')
    """
    if seat == WHOLE_TEAM:
        return TEAM
    if (side := f"{TEAM}/{seat}") in SIDES:
        return side
    names = ", ".join(one.value for one in Seat)
    raise ExerciseError(
        refuse(
            "9.7",
            "nobody sits at {seat}: the seats are {names} (§9.7)",
            seat=f"{seat!r:.40}",
            names=names,
        )
    )


@dataclass(frozen=True, slots=True)
class Moment:
    """A team's exercise at one moment, which nothing changes any more.

    Attributes
    ----------
    key, name : str
    state : FloodState
    seq : dict of str to int
        By side: how often what it sees changed since the start.
    seats : tuple of str
        Who gave each order of the turn, by its number less one.
    messages : tuple of MessageSent
        What the instructor told the team.
    timer : TimeLeft, optional
    is_over, all_over : bool
        Whether the team's exercise is over, and those of all teams of the room.

    """

    key: str
    name: str
    state: FloodState
    seq: dict[str, int]
    seats: tuple[str, ...]
    messages: tuple[MessageSent, ...]
    timer: TimeLeft | None
    is_over: bool
    all_over: bool

    @property
    def world(self) -> World:
        """The hidden world."""
        return self.state.world

    @property
    def turn(self) -> int:
        """The turn whose orders are awaited."""
        return self.state.state.turn


@dataclass
class Desk:
    """A team in a room.

    Attributes
    ----------
    key, name : str
    live : LiveExercise
    district : District
        As its players know it (§7.6).
    opened : list of FloodState
        As each turn opened, by its number; the last is the end where all turns were played.
    events : dict of str to list of Event
        By side, all that it saw since the start.
    seats : dict of int to list of str
        By turn, the seat that gave each of its orders.
    messages : list of MessageSent
    present : dict of str to int
        Screens that are open, by seat.
    left : dict of str to float
        When the last screen of a seat that nobody sits at was closed, by the room's clock.
    shown : Moment
        What those who listen were told of last, but for the timer: whoever looks holds no lock.

    """

    key: str
    name: str
    live: LiveExercise
    district: District
    opened: list[FloodState] = field(default_factory=list)
    events: dict[str, list[Event]] = field(default_factory=lambda: {side: [] for side in SIDES})
    seq: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    seats: dict[int, list[str]] = field(default_factory=dict)
    messages: list[MessageSent] = field(default_factory=list)
    present: dict[str, int] = field(default_factory=dict)
    left: dict[str, float] = field(default_factory=dict)
    timer: Timer = field(default_factory=Timer)
    hears: dict[str, list[Hears]] = field(default_factory=dict)
    shown: Moment = field(init=False)

    def note(self, kind: Kind, seat: str, parts: Iterable[tuple[FloodState, Any]]) -> None:
        """Write down what an entry of the journal did."""
        shown: set[str] = set(SIDES) if kind is Kind.ADVANCE else set()
        for state, happened in parts:
            for side in SIDES:
                seen = seen_by(side, happened)
                self.events[side] += seen
                if seen or side == INSTRUCTOR:
                    shown.add(side)
            self.messages += (one for one in happened if isinstance(one, MessageSent))
            if kind is Kind.ADVANCE:
                self.opened.append(state)
            elif any(isinstance(event, ORDER_EVENTS) for event in happened):
                self.seats.setdefault(state.state.turn, []).append(seat)
        for side in shown:
            self.seq[side] += 1

    @property
    def state(self) -> FloodState:
        """Where the exercise stands."""
        state: FloodState = self.live.state
        return state

    @property
    def turn(self) -> int:
        """The turn whose orders are awaited."""
        return self.state.state.turn

    @property
    def is_over(self) -> bool:
        """Whether the exercise is over."""
        return bool(self.live.family.is_over(self.live.state))
