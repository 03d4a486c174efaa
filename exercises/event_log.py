"""The event log (*main courante*): what happened, a line an event, in French or English."""

import csv
import io
from collections.abc import Iterable

from exercises.event_words import told
from exercises.voice import Voice, voice
from sim.events import INSTRUCTOR, TEAM, Event, seen_by
from sim.seats import SIDES
from sim.world import World


def event_log(world: World, events: Iterable[Event], lang: str, side: str = TEAM) -> str:
    """Return the event log of a side as CSV: turn, time, rule, what happened.

    In French between semicolons.

    Parameters
    ----------
    world : World
    events : iterable of Event
        In the order that they happened.
    lang : {"fr", "en"}
    side : str
        One of ``sim.seats.SIDES``. The instructor's says of each line whether the team saw it.
    """
    say = voice(lang)
    table = io.StringIO()
    # a French spreadsheet opens semicolons in columns, any other commas
    writer = csv.writer(table, delimiter=";" if lang == "fr" else ",", lineterminator="\n")
    whole = side == INSTRUCTOR
    writer.writerow(_headings(say, whole=whole))
    for event in seen_by(side, events):
        when = say.clock(world.hour, event.turn)
        shown = [_yes_or_no(say, yes=TEAM in event.seen_by)] if whole else []
        writer.writerow((event.turn, when, event.rule, *shown, told(event, world.district, lang)))
    return table.getvalue()


def _headings(say: Voice, *, whole: bool) -> tuple[str, ...]:
    shown = (say.phrase("seen by the team"),) if whole else ()
    return (
        *(say.phrase("turn"), say.phrase("time"), say.phrase("rule")),
        *shown,
        say.phrase("what happened"),
    )


def _yes_or_no(say: Voice, *, yes: bool) -> str:
    return say.phrase("yes") if yes else say.phrase("no")


__all__ = ["SIDES", "event_log"]
