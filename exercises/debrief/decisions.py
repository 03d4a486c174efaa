"""Each order handed in: what was known then, what was true, and what came of it (§17)."""

from collections import deque
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from exercises.debrief.people import PeopleSums, PersonsByHex
from exercises.session import PlayedExercise
from exercises.verification import Replayed
from sim.acts import Act
from sim.district import District
from sim.events import (
    AlertRolled,
    Delivered,
    Event,
    InjunctionAnswered,
    InjunctionSettled,
    OrderRefused,
    OrderWithdrawn,
    PreparationRolled,
    ProtectionSet,
    ShelterClosed,
    UnitBlocked,
    WorkDone,
    WorkReady,
)
from sim.legality import brushed
from sim.links import link_depth_mm, water_class
from sim.orders import (
    UNIT_ORDERS,
    Alert,
    Answer,
    CloseShelter,
    Deliver,
    DoorToDoor,
    Forecast,
    Move,
    OpenShelter,
    Order,
    Protect,
    Reserve,
    Withdraw,
)
from sim.refusal import Refusal
from sim.rules import STAFFING, AlertMeans, Protection
from sim.state import NEVER, NOWHERE, State
from sim.units import known_links, true_links
from sim.world import World

ACCEPTED, REFUSED, WITHDRAWN, UNRESOLVED = "accepted", "refused", "withdrawn", "unresolved"
"""What became of an order: unresolved where the exercise ended before its turn was."""

WIDEST = max(row.brush_radius for row in STAFFING)
"""Radius of the widest brush (§9.1)."""


@dataclass(frozen=True, slots=True)
class WaterThen:
    """What was known of the water of a hex when an order was given, and what was true.

    Attributes
    ----------
    cell : int
    known_mm, known_class : int
        Depth last known, millimetres, and its class (§4).
    known_turn : int
        Turn of which that was so; 0 where nobody ever said, and all was dry then.
    known_by : int
        ``KNOWN_EXACTLY`` or ``KNOWN_BY_REPORT``.
    age : int
        Turns since.
    true_mm, true_class : int

    """

    cell: int
    known_mm: int
    known_class: int
    known_turn: int
    known_by: int
    age: int
    true_mm: int
    true_class: int


@dataclass(frozen=True, slots=True)
class LinkThen:
    """What was known of a link when an order was given, and what was true.

    Attributes
    ----------
    link : int
        Index in ``Sheet.edges``.
    known_class, true_class : int
        Class of the water that the link sees, its structure and pumps reckoned in (§3.4).
    known_shut, true_shut : bool
        Whether an accident or works cut it (§13.1).

    """

    link: int
    known_class: int
    true_class: int
    known_shut: bool
    true_shut: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an order that stood.

    Attributes
    ----------
    events : tuple of Event
        What the order led to, in the order that it happened; ``exercises.event_words.told`` says
        each. Empty where nothing came of it.
    cells : tuple of int
        Hexes that an alert reached, ascending; each hex belongs to one order of its turn, the
        first whose brush covers it. Hexes of a forecast that were cut in truth.
    people : PeopleSums or None
        What became, by the end, of the people of the hexes that an alert reached.
    arrived_turn : int
        Turn in which the unit stood where it was sent; 0 if it never did.
    blocked_turns : tuple of int
        Turns in which its way was found closed.
    until_turn : int
        Turn of the order that sent it elsewhere; 0 where none did.

    """

    events: tuple[Event, ...] = ()
    cells: tuple[int, ...] = ()
    people: PeopleSums | None = None
    arrived_turn: int = 0
    blocked_turns: tuple[int, ...] = ()
    until_turn: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """An order handed in, refused ones too.

    Attributes
    ----------
    number : int
        From 1, over the whole exercise.
    turn : int
        0 for the forecast.
    place : int
        Number of the order in its turn, from 1: what ``Withdraw.number`` counts.
    side, seat : str
        Who handed it in; the seat may be ''.
    order : Order
        ``exercises.debrief.decision_words.ordered_words`` says it.
    reason : str
        As it was written, or ''; any text: escape it.
    verdict : {"accepted", "refused", "withdrawn", "unresolved"}
    refusal : Refusal or None
        The rule and the sentence (``exercises.order_words.refused``).
    cells, links : tuple of int
        Hexes and links that the order is about; () for a forecast's withdrawal and the like.
    water : tuple of WaterThen
        Of each of ``cells``, in their order.
    ways : tuple of LinkThen
        Of each of ``links``.
    bulletin : tuple of int
        Levels that the bulletin left open (§6.2); () before the first.
    outcome : Outcome

    """

    number: int
    turn: int
    place: int
    side: str
    seat: str
    order: Order
    reason: str
    verdict: str
    refusal: Refusal | None
    cells: tuple[int, ...]
    links: tuple[int, ...]
    water: tuple[WaterThen, ...]
    ways: tuple[LinkThen, ...]
    bulletin: tuple[int, ...]
    outcome: Outcome = field(default_factory=Outcome)

    @property
    def rule(self) -> str:
        """Number of the rule that the order comes under, or that refuses it."""
        return self.refusal.rule if self.refusal else rule_of(self.order)

    @property
    def is_order(self) -> bool:
        """Whether it is counted as an order: the forecast and a withdrawal are none (§9.1, 9.5)."""
        return not isinstance(self.order, (Forecast, Withdraw))

    @property
    def stood(self) -> bool:
        """Whether the order was carried out."""
        return self.verdict == ACCEPTED


@dataclass(frozen=True, slots=True)
class _Given:
    """An order of the journal and what it was answered with."""

    turn: int
    place: int
    side: str
    seat: str
    order: Order
    verdict: str
    refusal: Refusal | None


def decisions_of(
    replayed: Replayed, played: PlayedExercise, people: PersonsByHex
) -> tuple[Decision, ...]:
    """Return every order of an exercise in the order that it was handed in."""
    world = played.world
    given = _given(replayed, played.turns)
    outcomes = _outcomes(played, people, given)
    decisions = []
    for number, (one, outcome) in enumerate(zip(given, outcomes, strict=True), start=1):
        state = played.states[one.turn]
        cells, links = touched(world.district, one.order)
        decisions.append(
            Decision(
                number=number,
                turn=one.turn,
                place=one.place,
                side=one.side,
                seat=one.seat,
                order=one.order,
                reason=one.order.reason,
                verdict=one.verdict,
                refusal=one.refusal,
                cells=cells,
                links=links,
                water=_water_then(world, state, cells),
                ways=_links_then(world, state, links),
                bulletin=state.bulletin,
                outcome=outcome,
            )
        )
    return tuple(decisions)


def _given(replayed: Replayed, turns: int) -> list[_Given]:
    given: list[_Given] = []
    first, turn = 0, None
    for step in replayed.steps:
        if step.order is None or isinstance(step.order.body, Act):
            continue
        state = step.state.state
        if state.turn != turn:
            first, turn = len(given), state.turn
        verdict, refusal = ACCEPTED if state.turn <= turns else UNRESOLVED, None
        for event in step.parts[0][1]:
            if isinstance(event, OrderRefused):
                verdict, refusal = REFUSED, event.refusal
            elif isinstance(event, OrderWithdrawn):
                back = first + step.order.body.number - 1
                given[back] = _with_verdict(given[back], WITHDRAWN)
        order = step.order
        given.append(
            _Given(
                turn=state.turn,
                place=len(given) - first + 1,
                side=order.side,
                seat=order.seat,
                order=order.body,
                verdict=verdict,
                refusal=refusal,
            )
        )
    return given


def _with_verdict(one: _Given, verdict: str) -> _Given:
    return _Given(one.turn, one.place, one.side, one.seat, one.order, verdict, one.refusal)


def rule_of(order: Order) -> str:
    """Return the number of the rule that an order comes under (§9).

    >>> rule_of(Move(turn=1, unit="patrol-1", to=0)), rule_of(Alert(turn=1, centre=0, radius=1))
    ('6.3', '9.4')
    """
    match order:
        case Forecast():
            return "9.6"
        case Alert() | DoorToDoor():
            return "9.4"
        case Protect():
            return "9.3"
        case Move():
            return "6.3"
        case Deliver():
            return "11"
        case Answer():
            return "13.2"
        case CloseShelter() | OpenShelter() | Withdraw():
            return "9.5"
    return "9.2"


# --------------------------------------------------------------------------- known then
def touched(district: District, order: Order) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Hexes and links that an order is about; those of a quarter or shelter where it names one.

    Links give their two hexes too, each once, ascending.
    """
    links: tuple[int, ...] = ()
    match order:
        case Alert(centre=centre, radius=radius):
            # a refused order may have any radius
            cells = brushed(district, centre, radius) if 0 <= radius <= WIDEST else ()
            return cells or (centre,), ()
        case Forecast(cells=cells):
            return tuple(sorted(set(cells))), ()
        case Move(to=cell) | DoorToDoor(cell=cell) | Deliver(cell=cell):
            return (cell,), ()
        case CloseShelter(shelter=number) | OpenShelter(shelter=number):
            return (district.shelters[number].cell,), ()
        case Protect(quarter=quarter):
            mine = district.active & (district.quarter == quarter)
            return tuple(mine.nonzero()[0].tolist()), ()
        case Reserve(links=links):
            pass
        case _ if (link := getattr(order, "link", None)) is not None:
            links = (link,)
    ends = {cell for link in links for cell in district.sheet.edges[link].tolist()}
    return tuple(sorted(ends)), links


def _water_then(world: World, state: State, cells: Sequence[int]) -> tuple[WaterThen, ...]:
    if not cells:
        return ()
    known = [state.known_mm[cell] for cell in cells]
    true = world.depth_mm[state.turn, list(cells)].tolist()
    classes = zip(water_class(known).tolist(), water_class(true).tolist(), strict=True)
    return tuple(
        WaterThen(
            cell=cell,
            known_mm=known_mm,
            known_class=known_class,
            known_turn=state.known_turn[cell],
            known_by=state.known_by[cell],
            age=state.turn - state.known_turn[cell],
            true_mm=true_mm,
            true_class=true_class,
        )
        for cell, known_mm, true_mm, (known_class, true_class) in zip(
            cells, known, true, classes, strict=True
        )
    )


def _links_then(world: World, state: State, links: Sequence[int]) -> tuple[LinkThen, ...]:
    if not links:
        return ()
    known, known_mm = known_links(world.district, state)
    true, true_mm = true_links(world, state)
    known_class = water_class(link_depth_mm(known, known_mm))
    true_class = water_class(link_depth_mm(true, true_mm))
    known_cut, true_cut = state.known_obstacles.cut(state.turn), state.obstacles.cut(state.turn)
    return tuple(
        LinkThen(
            link=link,
            known_class=int(known_class[link]),
            true_class=int(true_class[link]),
            known_shut=link in known_cut,
            true_shut=link in true_cut,
        )
        for link in links
    )


# --------------------------------------------------------------------------- what came of it
class _ToTell:
    """What happened and no order has told yet: each thing is told at the order that made it."""

    def __init__(self, played: PlayedExercise) -> None:
        self.by_turn: dict[int, list[Event]] = {}
        for happened in played.events:
            for event in happened:
                self.by_turn.setdefault(event.turn, []).append(event)
        self._set = {
            turn: deque(one for one in events if isinstance(one, ProtectionSet))
            for turn, events in self.by_turn.items()
        }
        self._shut = {
            turn: deque(one for one in events if isinstance(one, ShelterClosed))
            for turn, events in self.by_turn.items()
        }
        self.under_brush: dict[int, set[int]] = {}
        self.reached: set[int] = set()

    def options(self, turn: int, quarters: Iterable[int], option: Protection) -> list[Event]:
        """Take what an order changed of how quarters are protected (§9.3).

        Orders are carried out as they were given and an option already set is no event: the next
        event is this order's or it changed nothing there.
        """
        waiting = self._set.get(turn, deque())
        return [
            waiting.popleft()
            for quarter in sorted(quarters)
            if waiting and (waiting[0].quarter, waiting[0].option) == (quarter, option.value)
        ]

    def doors(self, turn: int, shelter: int, *, closed: bool) -> list[Event]:
        """Take what an order changed of a shelter, as ``options`` does (§9.5)."""
        waiting = self._shut.get(turn, deque())
        if waiting and (waiting[0].shelter, waiting[0].closed) == (shelter, closed):
            return [waiting.popleft()]
        return []

    def brush(self, turn: int, cells: Iterable[int]) -> set[int]:
        """Take those of an alert's hexes that no alert of its turn covers already (§9.4)."""
        covered = self.under_brush.setdefault(turn, set())
        fresh = set(cells) - covered
        covered |= fresh
        return fresh


def _outcomes(
    played: PlayedExercise, people: PersonsByHex, given: Sequence[_Given]
) -> list[Outcome]:
    to_tell = _ToTell(played)
    outcomes = []
    for here, one in enumerate(given):
        if one.verdict != ACCEPTED:
            outcomes.append(Outcome())
            continue
        match one.order:
            case Alert():
                outcomes.append(_of_alert(played, people, one.turn, one.order, to_tell))
            case Forecast(cells=cells):
                cut = played.world.cut_on_foot
                outcomes.append(Outcome(cells=tuple(c for c in sorted(set(cells)) if cut[c])))
            case order if isinstance(order, UNIT_ORDERS):
                until = _sent_elsewhere(given[here + 1 :], order.unit)
                outcomes.append(_of_unit(played, people, order, to_tell, until))
            case Answer():
                again = any(
                    later.verdict == ACCEPTED
                    and later.turn == one.turn
                    and isinstance(later.order, Answer)
                    for later in given[here + 1 :]
                )
                # the last answer of a turn is the one that counts
                outcomes.append(Outcome() if again else _of_answer(to_tell.by_turn, one.turn))
            case Protect(quarter=quarter, option=option):
                outcomes.append(Outcome(tuple(to_tell.options(one.turn, (quarter,), option))))
            case CloseShelter(shelter=shelter):
                outcomes.append(Outcome(tuple(to_tell.doors(one.turn, shelter, closed=True))))
            case OpenShelter(shelter=shelter):
                outcomes.append(Outcome(tuple(to_tell.doors(one.turn, shelter, closed=False))))
            case _:
                outcomes.append(Outcome())
    return outcomes


def _of_alert(
    played: PlayedExercise, people: PersonsByHex, turn: int, order: Alert, to_tell: _ToTell
) -> Outcome:
    district, alerted = played.world.district, played.states[turn].alerted
    cells = brushed(district, order.centre, order.radius)
    mine: list[Event] = []
    if order.option is not None:
        touched = {int(district.quarter[cell]) for cell in cells}
        mine += to_tell.options(turn, touched, order.option)
    left = {cell for cell in to_tell.brush(turn, cells) if alerted[cell] == NEVER}
    quarters = {int(district.quarter[cell]) for cell in left}
    reached: set[int] = set()
    rolled = None
    for event in to_tell.by_turn.get(turn, ()):
        match event:
            case AlertRolled(quarter=quarter, means=means, cells=heard):
                rolled = quarter if means in _BY_BRUSH and quarter in quarters else None
                if rolled is not None:
                    mine.append(event)
                    reached |= left & set(heard)
            case PreparationRolled(quarter=quarter) if quarter == rolled:
                mine.append(event)
    told = tuple(sorted(reached))
    return Outcome(tuple(mine), told, people.sums_of(told))


_BY_BRUSH = frozenset(
    means.value for means in (AlertMeans.SIREN, AlertMeans.CELL_BROADCAST, AlertMeans.RADIO)
)


def _sent_elsewhere(later: Iterable[_Given], unit: str) -> int:
    return next(
        (
            one.turn
            for one in later
            if one.verdict == ACCEPTED
            and isinstance(one.order, UNIT_ORDERS)
            and one.order.unit == unit
        ),
        0,
    )


def _of_unit(
    played: PlayedExercise,
    people: PersonsByHex,
    order: Order,
    to_tell: _ToTell,
    until: int,
) -> Outcome:
    name = order.unit  # type: ignore[attr-defined]
    last = until - 1 if until else played.turns
    arrived = 0
    blocked: list[int] = []
    mine: list[Event] = []
    reached: tuple[int, ...] = ()
    for turn in range(order.turn, last + 1):
        for event in to_tell.by_turn.get(turn, ()):
            match event:
                case UnitBlocked(unit=unit) if unit == name:
                    blocked.append(turn)
                    if len(blocked) == 1:
                        mine.append(event)
                case WorkReady(unit=unit) | WorkDone(unit=unit) | Delivered(unit=unit):
                    if unit == name:
                        mine.append(event)
                case AlertRolled(means=AlertMeans.DOOR_TO_DOOR.value, cells=cells):
                    went = isinstance(order, DoorToDoor) and cells == (order.cell,)
                    there = _stands(played.states[turn + 1], name, cells)
                    if went and there and to_tell.reached.isdisjoint(cells):
                        to_tell.reached.update(cells)
                        mine.append(event)
                        reached = cells
        if not arrived and _stands(played.states[turn + 1], name):
            arrived = turn
    told = people.sums_of(reached) if reached else None
    return Outcome(tuple(mine), reached, told, arrived, tuple(blocked), until)


def _stands(state: State, name: str, cells: Container[int] | None = None) -> bool:
    """Whether a unit stands where it was sent, and in one of some hexes where they are given."""
    return any(
        unit.name == name and unit.to == NOWHERE and (cells is None or unit.cell in cells)
        for unit in state.units
    )


def _of_answer(by_turn: Mapping[int, Sequence[Event]], turn: int) -> Outcome:
    """Tell what was answered and, of a refusal, how it was settled at the end (§13.2)."""
    every = [event for of_turn in sorted(by_turn) for event in by_turn[of_turn]]
    answers = [event for event in every if isinstance(event, InjunctionAnswered)]
    mine: list[Event] = [event for event in answers if event.turn == turn]
    for settled in every:
        if isinstance(settled, InjunctionSettled):
            # refusals of a quarter are settled in the order that they were given
            asked = next(e for e in answers if e.quarter == settled.quarter and not e.obeyed)
            answers.remove(asked)
            if asked.turn == turn:
                mine.append(settled)
    return Outcome(tuple(mine))
