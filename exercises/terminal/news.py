"""What a team learns when a turn opens, one line a matter; the bulletin stands in the status."""

from collections.abc import Iterable

from exercises.event_words import told
from exercises.terminal.words import say
from exercises.voice import voice
from gis.quarter_names import quarters_said
from sim.district import District
from sim.events import (
    AlertRolled,
    Arrived,
    BulletinIssued,
    Event,
    LeftArea,
    OrderRefused,
    OrderTaken,
)
from sim.persons import persons
from sim.rules import AlertMeans


def news_lines(district: District, events: Iterable[Event], lang: str) -> list[str]:
    """Return what happened, in the order that it did; what comes by dozens is summed up.

    That are arrivals, buses, and the quarters in which word of mouth fails, turn after turn.
    """
    lines = []
    unheard: list[int] = []
    arrived: dict[int, int] = {}
    left = 0
    for event in events:
        match event:
            case Arrived(shelter=shelter, people=int(people)):
                arrived[shelter] = arrived.get(shelter, 0) + people
            case LeftArea(people=int(people)):
                left += people
            case AlertRolled(means=AlertMeans.WORD_OF_MOUTH.value, success=False, quarter=quarter):
                unheard.append(quarter)
            case BulletinIssued() | OrderTaken() | OrderRefused():
                pass
            case _:
                lines.append(f"{told(event, district, lang)}.")
    if unheard:
        names = quarters_said(district, lang)
        quarters = voice(lang).listed([names[quarter] for quarter in unheard])
        lines.append(say("news_unheard", lang, n=len(unheard), quarters=quarters))
    for shelter, people in sorted(arrived.items()):
        name = district.shelters[shelter].name
        lines.append(say("news_arrived", lang, shelter=name, people=persons(people)))
    if left:
        lines.append(say("news_left", lang, people=persons(left)))
    return lines
