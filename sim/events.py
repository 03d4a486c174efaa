"""What happened in a turn: by which rule, and who sees it (§18 step 10).

Hexes, quarters and shelters are indices; ``by_label`` writes them as they are printed.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from enum import Enum
from typing import Any, ClassVar, Self

from sim import orders
from sim.district import District
from sim.hexes import Sheet
from sim.orders import Order, fields_of, order_key
from sim.refusal import Refusal
from sim.rules import PUBLIC_CARDS, SEATS, Channel, Seat
from sim.seats import INSTRUCTOR as INSTRUCTOR
from sim.seats import PUBLIC, seat_of_side, service_of_unit
from sim.seats import TEAM as TEAM
from sim.state import plain
from sim.unit import kind_of

EVERYONE = frozenset({TEAM, INSTRUCTOR})
HIDDEN = frozenset({INSTRUCTOR})


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened in a turn.

    What the team sees, its director sees. Another seat sees what is on the map and the list of
    orders that all share, what comes by a channel that its service hears (``heard_on``), and
    what the service's units tell it (``of_unit``).
    """

    rule: ClassVar[str] = ""
    seen_by: ClassVar[frozenset[str]] = EVERYONE
    heard_on: ClassVar[Channel | None] = None
    of_unit: ClassVar[bool] = False
    turn: int

    def for_side(self, side: str) -> Self | None:
        """Return what a side sees of the event, itself or with less in it, or None (§6, 9.7)."""
        if side == INSTRUCTOR:
            return self
        if side == PUBLIC:
            return self if self.is_public() else None
        seat = seat_of_side(side)
        if TEAM not in self.seen_by or (side != TEAM and seat is None):
            return None
        return self.for_team() if seat in (None, Seat.DIRECTOR) else self.for_seat(seat)

    def for_team(self) -> Self:
        """Return what the team sees of an event that it sees."""
        return self

    def for_seat(self, seat: Seat) -> Self | None:
        """Return what a seat of a service sees of an event that its team sees (§9.7)."""
        heard = self.heard_on is None or self.heard_on in SEATS[seat].channels
        if self.of_unit:
            heard = service_of_unit(kind_of(getattr(self, "unit", ""))) is seat
        return self.for_team() if heard else None

    def is_public(self) -> bool:
        """Whether a whole town hears of it, whatever its centre does."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class HexesCut(Event):
    """Hexes that lost their last foot route to a dry shelter, for the first time."""

    rule: ClassVar[str] = "12.2"
    seen_by: ClassVar[frozenset[str]] = HIDDEN
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed(Event):
    """What units and stations saw, exactly; ``by`` holds the channels that saw each hex."""

    rule: ClassVar[str] = "6"
    cells: tuple[int, ...]
    depth_mm: tuple[int, ...]
    by: tuple[tuple[str, ...], ...] = ()

    def for_seat(self, seat: Seat) -> Self | None:
        """Return the hexes that the seat's service saw; the map has the others' class."""
        own = {channel.value for channel in SEATS[seat].channels}
        places = [place for place, by in enumerate(self.by) if own.intersection(by)]
        if not places:
            return None
        return replace(
            self,
            cells=tuple(self.cells[place] for place in places),
            depth_mm=tuple(self.depth_mm[place] for place in places),
            by=tuple(tuple(on for on in self.by[place] if on in own) for place in places),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BulletinIssued(Event):
    """Levels of the storm that the bulletin leaves open."""

    rule: ClassVar[str] = "6.2"
    levels: tuple[int, ...]

    def is_public(self) -> bool:
        """Whether a whole town hears of it: the weather service speaks to all."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderTaken(Event):
    """An order accepted, one of the turn's budget unless it is free."""

    rule: ClassVar[str] = "9.5"
    order: Order


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderWithdrawn(Event):
    """An order given back to the budget."""

    rule: ClassVar[str] = "9.5"
    order: Order


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRefused(Event):
    """An order that the rules or the known state forbid; it costs nothing."""

    rule: ClassVar[str] = "9.5"
    order: Order
    refusal: Refusal

    @property
    def by_rule(self) -> str:
        """Number of the rule that forbids it."""
        return self.refusal.rule

    @property
    def sentence(self) -> str:
        """Why, and what to do, in English."""
        return self.refusal.sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitMoved(Event):
    """A unit went from one hex to another.

    ``points`` tell of the water on the way, which no unit observes (§6.0): they are not the team's.
    """

    rule: ClassVar[str] = "4.2"
    unit: str
    from_cell: int
    to_cell: int
    points: int | None

    def for_team(self) -> Self:
        """Return the way without what it cost."""
        return replace(self, points=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitBlocked(Event):
    """A unit found its next link closed, or knows no way to where it is sent."""

    rule: ClassVar[str] = "6.3"
    unit: str
    at_cell: int
    towards_cell: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkReady(Event):
    """A unit's work on a link begins to hold."""

    rule: ClassVar[str] = "9.2"
    of_unit: ClassVar[bool] = True
    unit: str
    action: str
    links: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkDone(Event):
    """A link is cleared, and its unit free."""

    rule: ClassVar[str] = "9.2"
    of_unit: ClassVar[bool] = True
    unit: str
    links: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Event):
    """Links that units or walkers tried and found gone."""

    rule: ClassVar[str] = "13.1"
    links: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstructed(Event):
    """Links that deep water or an accident leaves uncleared."""

    rule: ClassVar[str] = "9.2"
    seen_by: ClassVar[frozenset[str]] = HIDDEN
    links: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported(Event):
    """What residents tell of the water two turns ago: a class, right two times in three."""

    rule: ClassVar[str] = "6.1"
    heard_on: ClassVar[Channel | None] = Channel.REPORTS
    cells: tuple[int, ...]
    water: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectionSet(Event):
    """How a quarter's people are protected from now on."""

    rule: ClassVar[str] = "9.3"
    quarter: int
    option: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelterClosed(Event):
    """The team closed a shelter, or opened it again."""

    rule: ClassVar[str] = "9.5"
    shelter: int
    closed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered(Event):
    """A boat brought a point of supplies to a quarter."""

    rule: ClassVar[str] = "11"
    of_unit: ClassVar[bool] = True
    unit: str
    quarter: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolated(Event):
    """A quarter's isolated hexes consumed supplies, or lost people for want of them.

    ``upstairs`` are those of ``people`` who had stayed upstairs, in evacuated hexes too; both are
    hundredths.
    """

    rule: ClassVar[str] = "11"
    seen_by: ClassVar[frozenset[str]] = HIDDEN
    quarter: int
    cells: tuple[int, ...]
    need: int
    people: int
    upstairs: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDrawn(Event):
    """A card, and what it strikes: links, hexes, a quarter or a shelter; announced."""

    rule: ClassVar[str] = "13.1"
    card: str
    links: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()
    quarter: int | None = None
    shelter: int | None = None

    def is_public(self) -> bool:
        """Whether it strikes the town and not the team (§13.1)."""
        return self.card in {card.value for card in PUBLIC_CARDS} and TEAM in self.seen_by


@dataclass(frozen=True, slots=True, kw_only=True)
class CardHidden(CardDrawn):
    """A card that nobody announces to the team."""

    seen_by: ClassVar[frozenset[str]] = HIDDEN


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlanned(Event):
    """The instructor has a card fall as the next turn opens, on a target or one to be drawn."""

    rule: ClassVar[str] = "13.2"
    seen_by: ClassVar[frozenset[str]] = HIDDEN
    card: str
    links: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()
    quarter: int | None = None
    shelter: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageSent(Event):
    """The instructor tells the team something."""

    rule: ClassVar[str] = "18"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseEnded(Event):
    """The instructor ended the exercise before its last turn."""

    rule: ClassVar[str] = "18"

    def is_public(self) -> bool:
        """Whether a whole town hears of it: there is nothing more to hear."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class InjunctionAnswered(Event):
    """The team obeyed or refused the prefecture; political capital follows at once."""

    rule: ClassVar[str] = "13.2"
    quarter: int
    obeyed: bool
    capital: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InjunctionSettled(Event):
    """At the end, an injunction refused turns out to have been needless."""

    rule: ClassVar[str] = "13.2"
    quarter: int
    capital: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertRolled(Event):
    """An alert in a quarter: two dice and the modifier, or no dice door to door."""

    rule: ClassVar[str] = "9.4"
    heard_on: ClassVar[Channel | None] = Channel.ALERTS
    quarter: int
    means: str
    dice: int | None
    modifier: int
    success: bool
    cells: tuple[int, ...]

    def for_seat(self, seat: Seat) -> Self | None:
        """Return it without its dice to seats that see the outline on the map alone."""
        heard = super(AlertRolled, self).for_seat(seat)
        return heard or replace(self, dice=None, modifier=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuarterAlerted(Event):
    """Hexes alerted without order nor roll: the team agreed to evacuate their quarter (§13.2).

    On the map that all seats share, like any alert.
    """

    rule: ClassVar[str] = "13.2"
    quarter: int
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparationRolled(Event):
    """Whether the hexes just alerted start at once or two turns later; counters are not shown."""

    rule: ClassVar[str] = "9.4"
    seen_by: ClassVar[frozenset[str]] = HIDDEN
    quarter: int
    dice: int
    modifier: int
    success: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutesTaken(Event):
    """Hexes that took a shelter and a route, their first or a new one."""

    rule: ClassVar[str] = "10.2"
    seen_by: ClassVar[frozenset[str]] = HIDDEN
    cells: tuple[int, ...]
    shelters: tuple[int, ...]
    targets: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutesLost(Event):
    """Hexes whose people wait, alerted, without any open route."""

    rule: ClassVar[str] = "10.1"
    seen_by: ClassVar[frozenset[str]] = HIDDEN
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived(Event):
    """People of a hex admitted to a shelter, hundredths; ``complete`` where they are the last."""

    rule: ClassVar[str] = "10.2"
    heard_on: ClassVar[Channel | None] = Channel.ARRIVALS
    cell: int
    shelter: int
    people: int | None
    complete: bool

    def for_seat(self, seat: Seat) -> Self | None:
        """Return to seats that hear no arrivals that the hex is evacuated, once it is."""
        heard = super(Arrived, self).for_seat(seat)
        return heard or (replace(self, people=None) if self.complete else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftArea(Event):
    """Buses took the people of a hex out of the area, hundredths."""

    rule: ClassVar[str] = "9.3"
    heard_on: ClassVar[Channel | None] = Channel.ARRIVALS
    cell: int
    people: int | None

    def for_seat(self, seat: Seat) -> Self | None:
        """Return to seats that hear no arrivals that the hex is evacuated."""
        heard = super(LeftArea, self).for_seat(seat)
        return heard or replace(self, people=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelterFull(Event):
    """A shelter has no place left."""

    rule: ClassVar[str] = "10.2"
    heard_on: ClassVar[Channel | None] = Channel.ARRIVALS
    shelter: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LossRolled(Event):
    """Loss roll of a quarter with people in class-4 water; hundredths of a person.

    ``on_their_way`` are those of ``people`` whose counter ran; the others were at home on the
    ground floor or in the streets.
    """

    rule: ClassVar[str] = "10.5"
    seen_by: ClassVar[frozenset[str]] = HIDDEN
    quarter: int
    dice: int
    success: bool
    cells: tuple[int, ...]
    people: int
    on_their_way: int = 0


def seen_by(side: str, events: Iterable[Event]) -> tuple[Event, ...]:
    """Events that a side sees, in their order."""
    return tuple(seen for event in events if (seen := event.for_side(side)) is not None)


_CELLS = frozenset({"cell", "cells", "from_cell", "to_cell", "at_cell", "towards_cell"})


def by_label(district: District, event: Event) -> dict[str, object]:
    """Return an event as plain values, hexes by their printed number, facilities by name."""
    sheet = district.sheet
    written: dict[str, object] = {
        "turn": event.turn,
        "event": type(event).__name__,
        "rule": event.rule,
        "seen_by": sorted(event.seen_by),
    }
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name in _CELLS:
            labels = (
                [sheet.label(cell) for cell in value]
                if isinstance(value, tuple)
                else sheet.label(value)
            )
            written[field.name] = labels
        elif value is None:
            written[field.name] = None
        elif field.name == "links":
            written["links"] = [link_label(sheet, edge) for edge in value]
        elif field.name == "quarter":
            written["quarter"] = district.quarters[value]
        elif field.name == "shelter":
            written["shelter"] = district.shelters[value].name
        elif field.name == "shelters":
            # the buses out of the area have no shelter (§9.3)
            written["shelters"] = [
                district.shelters[number].name if number >= 0 else None for number in value
            ]
        elif field.name == "order":
            written["order"] = order_by_label(district, value)
        elif field.name == "refusal":
            written |= {"by_rule": value.rule, "sentence": value.sentence}
        else:
            written[field.name] = plain(value)
    return written


def link_label(sheet: Sheet, edge: int) -> str:
    """Return a link as it is printed: the numbers of its two hexes, ``2314-2315``."""
    return "-".join(map(sheet.label, sheet.edges[edge].tolist()))


def order_by_label(district: District, order: Order) -> dict[str, object]:
    """Return an order as plain values in the words of an order file.

    What an order leaves open is left out.
    """
    written: dict[str, object] = {"turn": order.turn, "order": order_key(type(order))}
    for name, (_, stands_for) in fields_of(type(order)).items():
        value = getattr(order, name)
        if value is None:
            continue  # left out
        written[name] = (
            [_label(district, stands_for, part) for part in value]
            if isinstance(value, tuple)
            else _label(district, stands_for, value)
        )
    if order.reason:
        written["reason"] = order.reason
    return written


def _label(district: District, stands_for: str, value: Any) -> object:
    """Return one value of an order as it is printed."""
    match stands_for:
        case orders.HEX:
            return district.sheet.label(value)
        case orders.LINK:
            return link_label(district.sheet, value)
        case orders.QUARTER:
            return district.quarters[value]
        case orders.SHELTER:
            return district.shelters[value].name
    return value.name.lower() if isinstance(value, Enum) else value
