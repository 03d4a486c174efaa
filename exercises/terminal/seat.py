"""A team's place in an exercise that is played and journaled: its view, its events, its orders.

The one module of the terminal that holds the exercise itself; what it lets out is what a team sees.
"""

from dataclasses import dataclass, field

from exercises.family import Envelope
from exercises.journaled_play import Turn, played_of, turns_of
from exercises.live import LiveExercise
from exercises.session import PlayedExercise
from sim.acts import Act
from sim.events import TEAM, Event, OrderRefused, Reported, seen_by
from sim.hexes import IntArray
from sim.orders import Order
from sim.preview import KnownWorld
from sim.public import public_district
from sim.scenario import Gathering
from sim.turn import is_over
from sim.view import View, view_for


@dataclass
class Slip:
    """What the team handed in this turn; the orders that stand are in its view.

    Attributes
    ----------
    refused : list of OrderRefused
    given : int
        How many were handed in.

    """

    refused: list[OrderRefused] = field(default_factory=list)
    given: int = 0

    def note(self, events: tuple[Event, ...]) -> None:
        """Write down what became of an order."""
        self.given += 1
        self.refused += [event for event in events if isinstance(event, OrderRefused)]


class Seat:
    """Where a team sits.

    Attributes
    ----------
    district : District
        As its players know it (§7.6).
    gathering : Gathering, optional
    weekend, half_staff : bool
    credibility : int
        The initial situation, read before the first decision (§8.2, 8.4).
    to_shelter : (n_hex,) int
        People to shelter at the start, persons (§8.3).
    timer : Timer
        How long a turn may take (§14).
    slip : Slip
    news : tuple of Event
        What the team learnt when the turn opened.
    reports : list of Reported
        What residents have told so far.

    """

    def __init__(self, live: LiveExercise) -> None:
        self._live = live
        self._world = live.start.world
        self._turns: list[Turn] = turns_of(live.start, live.past)
        self.district = public_district(self._world.district)
        scenario = self._world.scenario
        self.gathering: Gathering | None = scenario.gathering
        self.weekend, self.half_staff = scenario.weekend, scenario.half_staff
        self.credibility = scenario.credibility
        self.timer = scenario.timer
        self.to_shelter: IntArray = self._world.situation.to_shelter
        self.slip = Slip()
        self.news: tuple[Event, ...] = ()
        self.reports: list[Reported] = []
        for step in live.past:
            if step.order is not None and isinstance(step.order.body, Act):
                continue
            if step.order is not None:
                (part,) = step.parts
                self.slip.note(seen_by(TEAM, part[1]))
            else:
                for _, events in step.parts:
                    self._open(seen_by(TEAM, events))

    @property
    def view(self) -> View:
        """What the team knows now (§6)."""
        world = self._world
        return view_for(self._live.state.state, world.hour, world.turns, self.timer)

    @property
    def known(self) -> KnownWorld:
        """What the team may reckon with: nothing else is within reach of a preview (§6.3)."""
        return KnownWorld(self.district, self.view)

    @property
    def is_over(self) -> bool:
        """Whether the last turn has been resolved."""
        return is_over(self._world, self._live.state.state)

    def give(self, order: Order) -> tuple[Event, ...]:
        """Hand in an order; once this returns it is in the journal."""
        happened = self._live.give(Envelope(TEAM, "", order.turn, order, order.reason))
        self._turns[-1].given.append(order)
        self._turns[-1].events += happened
        seen = seen_by(TEAM, happened)
        self.slip.note(seen)
        return seen

    def end_turn(self) -> None:
        """Let the turn be resolved and the next open; both are in the journal then."""
        happened = self._live.advance(self._live.state.state.turn + 1)
        self._turns[-1].events += happened
        self._turns.append(Turn(self._live.state.state))
        self._open(seen_by(TEAM, happened))

    def _open(self, seen: tuple[Event, ...]) -> None:
        self.slip = Slip()
        self.news = seen
        self.reports += [event for event in seen if isinstance(event, Reported)]

    def played(self) -> PlayedExercise:
        """Return the whole exercise, once it is over: the instructor's, for the exports."""
        assert self.is_over
        return played_of(self._world, self._turns)
