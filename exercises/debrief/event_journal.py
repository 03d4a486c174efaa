"""The event log of a whole exercise (*main courante*), as CSV and XLSX (§17, 18 step 10).

Orders stand where they were handed in, with their reason and the rule; then what they led to, line
by line, with who said it to whom.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from exercises.debrief.decisions import (
    ACCEPTED,
    REFUSED,
    UNRESOLVED,
    WITHDRAWN,
    Decision,
)
from exercises.debrief.figures import ClassFigures, TeamFigures
from exercises.debrief.material import Material
from exercises.debrief.tables import Cell, Table, write_csv, write_xlsx
from exercises.event_words import told
from exercises.moment_words import clock
from exercises.order_words import Scene, refused, said_order
from exercises.voice import mark, voice
from sim.events import (
    AlertRolled,
    Arrived,
    BulletinIssued,
    CardDrawn,
    Delivered,
    Event,
    Found,
    InjunctionAnswered,
    InjunctionSettled,
    LeftArea,
    MessageSent,
    Observed,
    OrderRefused,
    OrderTaken,
    OrderWithdrawn,
    ProtectionSet,
    QuarterAlerted,
    Reported,
    ShelterClosed,
    ShelterFull,
    UnitBlocked,
    UnitMoved,
    WorkDone,
    WorkReady,
)
from sim.orders import (
    UNIT_ORDERS,
    Alert,
    Answer,
    CloseShelter,
    OpenShelter,
    Order,
    Protect,
)
from sim.rules import SEATS, TURN_MIN, Card
from sim.seats import INSTRUCTOR, TEAM

CSV, XLSX = "journal.csv", "journal.xlsx"
MINUTES_AN_HOUR = 60

CENTRE = mark("operations centre")
CONTROL = mark("exercise control")
RESIDENTS = mark("residents")
POPULATION = mark("population")
PREFECTURE = mark("prefecture")
FORECASTERS = mark("forecast office")
FIELD = mark("patrols and stations")
WALKERS = mark("units and walkers")
_VERDICTS: Mapping[str, str] = MappingProxyType(
    {
        ACCEPTED: mark("order accepted"),
        REFUSED: mark("order refused: {why}"),
        WITHDRAWN: mark("order withdrawn before the turn was played"),
        UNRESOLVED: mark("order not played: the exercise ended before"),
    }
)
Line = tuple[Cell, ...]


def write_event_journal(
    material: Material, figures: ClassFigures, folder: Path, lang: str
) -> tuple[Path, ...]:
    """Write ``journal.csv`` and ``journal.xlsx`` of every team."""
    written: list[Path] = []
    for team in figures.teams:
        own = material.folder_of(team.team, folder)
        table = event_journal(team, lang)
        written += (write_csv(own / CSV, table, lang), write_xlsx(own / XLSX, (table,)))
    return tuple(written)


def event_journal(figures: TeamFigures, lang: str) -> Table:
    """Return the event log of a team as a table: a line an order or an event."""
    say = voice(lang)
    headings = (
        *(say.phrase("turn"), say.phrase("exercise time"), say.phrase("clock time")),
        *(say.phrase("from"), say.phrase("to"), say.phrase("message")),
        *(say.phrase("decision"), say.phrase("reason"), say.phrase("rule")),
        say.phrase("known to the team"),
    )
    return Table(say.phrase("event log"), headings, tuple(_lines(figures, lang)))


def exercise_time(turn: int, lang: str) -> str:
    """Return the time since the start of turn 1's storm, as exercises write it.

    >>> exercise_time(0, "en"), exercise_time(8, "en"), exercise_time(8, "fr")
    ('T+0:00', 'T+1:20', 'H+1:20')
    """
    hours, minutes = divmod(turn * TURN_MIN, MINUTES_AN_HOUR)
    return f"{'H' if lang == 'fr' else 'T'}+{hours}:{minutes:02}"


def _lines(figures: TeamFigures, lang: str) -> Iterator[Line]:
    played = figures.team.played
    scene = Scene(voice(lang), played.world.district)
    given: dict[int, list[Decision]] = {}
    for decision in figures.decisions:
        given.setdefault(decision.turn, []).append(decision)
    for turn, events in enumerate(played.events):
        for decision in given.pop(turn, ()):
            yield _of_decision(scene, played.world.hour, decision)
        for event in events:
            if not isinstance(event, (OrderTaken, OrderRefused, OrderWithdrawn)):
                yield _of_event(scene, played.world.hour, event)
    for turn in sorted(given):  # of the turn that was never played
        for decision in given[turn]:
            yield _of_decision(scene, played.world.hour, decision)


def _when(hour: int, turn: int, lang: str) -> Line:
    return (turn, exercise_time(turn, lang), clock(hour, turn, lang))


def _of_decision(scene: Scene, hour: int, decision: Decision) -> Line:
    say = scene.voice
    what = _VERDICTS[decision.verdict]
    why = refused(decision.refusal, say.lang) if decision.refusal else ""
    return (
        *_when(hour, decision.turn, say.lang),
        who_gave(scene, decision),
        _addressed(scene, decision.order),
        say.phrase(what, why=why),
        _capital(said_order(scene, decision.order)),
        decision.reason,
        decision.rule,
        say.phrase("yes"),
    )


def _of_event(scene: Scene, hour: int, event: Event) -> Line:
    say = scene.voice
    sender, receiver = _parties(scene, event)
    return (
        *_when(hour, event.turn, say.lang),
        sender,
        receiver,
        told(event, scene.district, say.lang),
        "",
        "",
        event.rule,
        say.phrase("yes") if TEAM in event.seen_by else say.phrase("no"),
    )


def _said(scene: Scene, what: str) -> str:
    return scene.voice.phrase(what)


def _capital(said: str) -> str:
    return said[:1].upper() + said[1:]


# --------------------------------------------------------------------------- from, to
def who_gave(scene: Scene, decision: Decision) -> str:
    """Return who gave an order: the seat, the centre in one, or the instructor in its stead."""
    say = scene.voice
    for seat, row in SEATS.items():
        if decision.seat == seat.value:
            return _capital(say.label(row))
    if decision.seat:
        return decision.seat
    return _said(scene, CONTROL if decision.side == INSTRUCTOR else CENTRE)


def _addressed(scene: Scene, order: Order) -> str:
    """To whom an order goes."""
    say = scene.voice
    match order:
        case _ if isinstance(order, UNIT_ORDERS):
            return say.unit(order.unit)
        case Alert():
            return _said(scene, POPULATION)
        case Protect(quarter=quarter):
            return scene.quarter(quarter)
        case CloseShelter(shelter=shelter) | OpenShelter(shelter=shelter):
            return scene.shelter(shelter)
        case Answer():
            return _said(scene, PREFECTURE)
    return _said(scene, CENTRE)


def _parties(scene: Scene, event: Event) -> tuple[str, str]:
    """Who says it, and to whom; what nobody says is exercise control's."""
    sender = _SENDERS.get(type(event))
    if sender is None:
        return _said(scene, CONTROL), _said(scene, CONTROL)
    said = sender(scene, event)
    match event:
        case ProtectionSet(quarter=quarter):
            return said, scene.quarter(quarter)
        case ShelterClosed(shelter=shelter):
            return said, scene.shelter(shelter)
        case InjunctionAnswered():
            return said, _said(scene, PREFECTURE)
    return said, _said(scene, CENTRE)


def _always(what: str) -> Callable[[Scene, Any], str]:
    return lambda scene, event: _said(scene, what)


def _its_unit(scene: Scene, event: Any) -> str:
    return scene.voice.unit(event.unit)


def _its_quarter(scene: Scene, event: Any) -> str:
    return scene.quarter(event.quarter)


def _its_shelter(scene: Scene, event: Any) -> str:
    return scene.shelter(event.shelter)


def _of_card(scene: Scene, event: CardDrawn) -> str:
    from_prefecture = event.card == Card.INJUNCTION.value
    return _said(scene, PREFECTURE if from_prefecture else CONTROL)


_SENDERS: Mapping[type[Event], Callable[[Scene, Any], str]] = MappingProxyType(
    {
        Observed: _always(FIELD),
        Reported: _always(RESIDENTS),
        BulletinIssued: _always(FORECASTERS),
        Found: _always(WALKERS),
        UnitMoved: _its_unit,
        UnitBlocked: _its_unit,
        WorkReady: _its_unit,
        WorkDone: _its_unit,
        Delivered: _its_unit,
        CardDrawn: _of_card,
        MessageSent: _always(CONTROL),
        AlertRolled: _its_quarter,
        QuarterAlerted: _its_quarter,
        Arrived: _its_shelter,
        ShelterFull: _its_shelter,
        LeftArea: _always(FIELD),
        ProtectionSet: _always(CENTRE),
        ShelterClosed: _always(CENTRE),
        InjunctionAnswered: _always(CENTRE),
        InjunctionSettled: _always(PREFECTURE),
    }
)
"""Who tells the centre; the rest is the truth, which exercise control alone has."""
