"""What a team learns when a turn opens, one line a matter; the bulletin stands in the status."""

from collections.abc import Iterable

from exercises.event_words import told
from exercises.terminal.words import say
from sim.district import District
from sim.events import Arrived, BulletinIssued, Event, LeftArea, OrderRefused, OrderTaken
from sim.persons import persons


def news_lines(district: District, events: Iterable[Event], lang: str) -> list[str]:
    """Return what happened, in the order that it did; arrivals and buses are summed up."""
    lines = []
    arrived: dict[int, int] = {}
    left = 0
    for event in events:
        match event:
            case Arrived(shelter=shelter, people=int(people)):
                arrived[shelter] = arrived.get(shelter, 0) + people
            case LeftArea(people=int(people)):
                left += people
            case BulletinIssued() | OrderTaken() | OrderRefused():
                pass
            case _:
                lines.append(f"{told(event, district, lang)}.")
    for shelter, people in sorted(arrived.items()):
        name = district.shelters[shelter].name
        lines.append(say("news_arrived", lang, shelter=name, people=persons(people)))
    if left:
        lines.append(say("news_left", lang, people=persons(left)))
    return lines
