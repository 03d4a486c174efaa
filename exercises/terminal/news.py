"""What a team learns when a turn opens, one line a matter; the bulletin stands in the status."""

from collections.abc import Iterable, Sequence

from exercises.map_frames import bulletin_text
from exercises.terminal.words import labelled, say
from sim.district import District
from sim.events import (
    AlertRolled,
    Arrived,
    CardDrawn,
    Delivered,
    Event,
    Found,
    InjunctionAnswered,
    InjunctionSettled,
    LeftArea,
    Observed,
    ProtectionSet,
    Reported,
    ShelterClosed,
    ShelterFull,
    UnitBlocked,
    UnitMoved,
    WorkDone,
    WorkReady,
    link_label,
)
from sim.links import water_class
from sim.rules import ACTIONS, ALERTS, CARDS, PROTECTIONS, Action, AlertMeans, Card, Protection
from sim.state import HUNDREDTHS

LISTED = 12
"""Hexes that a line names; the others are counted."""


def news_lines(district: District, events: Iterable[Event], lang: str) -> list[str]:
    """Return what happened, in the order that it did; arrivals and buses are summed up."""
    lines = []
    arrived: dict[int, int] = {}
    left = 0
    for event in events:
        match event:
            case Arrived(shelter=shelter, people=people):
                arrived[shelter] = arrived.get(shelter, 0) + people
            case LeftArea(people=people):
                left += people
            case _:
                if line := _line(district, event, lang):
                    lines.append(line)
    for shelter, people in sorted(arrived.items()):
        name = district.shelters[shelter].name
        lines.append(say("news_arrived", lang, shelter=name, people=people // HUNDREDTHS))
    if left:
        lines.append(say("news_left", lang, people=left // HUNDREDTHS))
    return lines


def _line(district: District, event: Event, lang: str) -> str:
    label, quarters = district.sheet.label, district.quarters
    match event:
        case Observed(cells=cells, depth_mm=depths):
            return _observed(district, cells, depths, lang)
        case Reported(cells=cells, water=water):
            told = [f"{label(cell)} {cls}" for cell, cls in zip(cells, water, strict=True)]
            return say("news_told", lang, cells=listed(told, lang))
        case UnitMoved(unit=unit, from_cell=start, to_cell=end):
            return say("news_moved", lang, unit=unit, start=label(start), end=label(end))
        case UnitBlocked(unit=unit, at_cell=cell, towards_cell=end):
            return say("news_blocked", lang, unit=unit, hex=label(cell), end=label(end))
        case WorkReady(unit=unit, action=action, links=links):
            task = labelled(ACTIONS[Action(action)], lang)
            return say("news_ready", lang, unit=unit, task=task, links=_links(district, links))
        case WorkDone(unit=unit, links=links):
            return say("news_done", lang, unit=unit, links=_links(district, links))
        case Found(links=links):
            return say("news_found", lang, links=_links(district, links))
        case ProtectionSet(quarter=quarter, option=option):
            row = PROTECTIONS[Protection(option)]
            return say("news_option", lang, quarter=quarters[quarter], option=labelled(row, lang))
        case ShelterClosed(shelter=shelter, closed=closed):
            key = "news_closed" if closed else "news_open"
            return say(key, lang, shelter=district.shelters[shelter].name)
        case ShelterFull(shelter=shelter):
            return say("news_full", lang, shelter=district.shelters[shelter].name)
        case Delivered(unit=unit, quarter=quarter):
            return say("news_supplies", lang, unit=unit, quarter=quarters[quarter])
        case CardDrawn():
            card = labelled(CARDS[Card(event.card)], lang).upper()
            return say("news_card", lang, card=card, where=_struck(district, event, lang))
        case InjunctionAnswered(quarter=quarter, obeyed=obeyed, capital=capital):
            key = "news_obeyed" if obeyed else "news_declined"
            return say(key, lang, quarter=quarters[quarter], capital=capital)
        case InjunctionSettled(quarter=quarter, capital=capital):
            return say("news_settled", lang, quarter=quarters[quarter], capital=capital)
        case AlertRolled():
            return _alert(district, event, lang)
    return ""


def _observed(district: District, cells: Sequence[int], depths: Sequence[int], lang: str) -> str:
    wet = [
        f"{district.sheet.label(cell)} {int(water_class(depth))} ({depth // 10} cm)"
        for cell, depth in zip(cells, depths, strict=True)
        if water_class(depth)
    ]
    if not wet:
        return say("news_dry", lang, n=len(cells))
    return say("news_wet", lang, cells=listed(wet, lang))


def _alert(district: District, event: AlertRolled, lang: str) -> str:
    said = {
        "quarter": district.quarters[event.quarter],
        "means": labelled(ALERTS[AlertMeans(event.means)], lang),
        "dice": say("automatic", lang)
        if event.dice is None
        else f"{event.dice}{event.modifier:+d}"
        if event.modifier
        else f"{event.dice}",
    }
    if not event.success:
        return say("news_silence", lang, **said)
    cells = listed([district.sheet.label(cell) for cell in event.cells], lang)
    return say("news_alert", lang, cells=cells, **said)


def _struck(district: District, card: CardDrawn, lang: str) -> str:
    """What a card strikes, after a colon."""
    struck = [link_label(district.sheet, link) for link in card.links]
    struck += [district.sheet.label(cell) for cell in card.cells]
    if card.quarter is not None:
        struck.append(district.quarters[card.quarter])
    if card.shelter is not None:
        struck.append(district.shelters[card.shelter].name)
    colon = " : " if lang == "fr" else ": "
    return colon + ", ".join(struck) if struck else ""


def _links(district: District, links: Sequence[int]) -> str:
    return ", ".join(link_label(district.sheet, link) for link in links)


def listed(parts: Sequence[str], lang: str) -> str:
    """Return a list in words, its end counted where it is long."""
    left = len(parts) - LISTED
    said = ", ".join(parts[:LISTED])
    return f"{said} {say('more', lang, n=left)}" if left > 0 else said


def bulletin_words(district: District, levels: tuple[int, ...], lang: str) -> str:
    """What the bulletin says of the levels it leaves open (§6.2)."""
    return bulletin_text(levels, district.is_literal, lang)
