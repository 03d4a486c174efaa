"""A whole exercise as a text to be read beside the rule book, line by line.

Each line gives a rule's number and what happened; a dot marks what the team was not told, before
a line or within brackets. Turn by turn: what the team learns (§18 steps 2 to 4), what it
orders and what is refused (5), what comes of it (6 to 9); at the end the score.
"""

import textwrap
from collections.abc import Iterable, Iterator

from exercises.event_words import told
from exercises.exports import scores_csv
from exercises.map_frames import bulletin_text
from exercises.session import PlayedExercise
from exercises.voice import voice
from sim.events import (
    TEAM,
    BulletinIssued,
    CardDrawn,
    CardHidden,
    Event,
    HexesCut,
    Observed,
    Obstructed,
    OrderRefused,
    OrderTaken,
    OrderWithdrawn,
    Reported,
)
from sim.rules import HOURS
from sim.view import staffing_at
from sim.world import World

LEARNT = (HexesCut, Obstructed, CardDrawn, CardHidden, Observed, Reported, BulletinIssued)
GIVEN = (OrderTaken, OrderRefused, OrderWithdrawn)
WIDTH = 116
HIDDEN = "·"


def transcript(title: str, played: PlayedExercise, lang: str) -> str:
    """Return the transcript of an exercise, in one language."""
    world = played.world
    lines = [title, "=" * len(title), "", *_situation(world, lang)]
    told_all = [event for events in played.events for event in events]
    for turn in range(world.turns + 2):
        events = [event for event in told_all if event.turn == turn]
        if not events and turn > world.turns:
            continue
        lines += ["", _heading(played, turn, lang)]
        rest = [event for event in events if not isinstance(event, (*LEARNT, *GIVEN))]
        for name, part in (
            ("learns", [event for event in events if isinstance(event, LEARNT)]),
            ("orders", [event for event in events if isinstance(event, GIVEN)]),
            ("then", rest),
        ):
            said = [line for event in part for line in _said(world, event, lang)]
            lines += [f"  {name}", *said] if said else []
    lines += ["", "score", *(f"  {row}" for row in scores_csv(played).splitlines())]
    return "\n".join(lines) + "\n"


def _situation(world: World, lang: str) -> Iterator[str]:
    district, people = world.district, world.situation
    threatened = world.threatened
    yield f"district    {district.name}, {int(district.active.sum())} active hexes"
    yield f"situation   {voice(lang).label(HOURS[world.hour])}; {_choices(world)}"
    to_shelter, upstairs = int(people.to_shelter.sum()), int(people.upstairs.sum())
    yield f"people      {to_shelter} to shelter, {upstairs} upstairs"
    places = (f"{shelter.name} {shelter.places}" for shelter in district.shelters)
    yield f"shelters    {', '.join(places)}"
    yield f"{HIDDEN} storm     {bulletin_text((world.level,), district.is_literal, lang)}"
    count, saved = int(threatened.sum()), int(people.to_shelter[threatened].sum())
    yield f"{HIDDEN} threat    {saved} people to shelter on {count} of the hexes"


def _choices(world: World) -> str:
    chosen = world.scenario
    said = ["weekend" if chosen.weekend else "weekday"]
    if chosen.half_staff:
        said.append("half of the units away")
    if chosen.gathering:
        where = world.district.sheet.label(chosen.gathering.cell)
        said.append(f"{chosen.gathering.people} people gathered on {where}")
    said.append(f"credibility {chosen.credibility}")
    said.append("cards drawn" if chosen.cards else "no card drawn")
    return ", ".join(said)


def _heading(played: PlayedExercise, turn: int, lang: str) -> str:
    world, say = played.world, voice(lang)
    if turn == 0:
        return "turn 0, forecast"
    if turn > world.turns:
        return "end"
    staffed = staffing_at(turn)
    light = "night" if world.night(turn) else "day"
    return (
        f"turn {turn}, {say.clock(world.hour, turn)}, {light}: {say.label(staffed)}, "
        f"{staffed.orders} orders, brush {staffed.brush_radius}, capital "
        f"{played.states[turn].capital}"
    )


def _said(world: World, event: Event, lang: str) -> Iterable[str]:
    """Lines of an event: what the team is told, and the whole where that is more."""
    whole = told(event, world.district, lang)
    seen = event.for_side(TEAM)
    known = "" if seen is None else told(seen, world.district, lang)
    if known and whole.startswith(known):
        more = whole.removeprefix(known)
        yield from _line(" ", event.rule, known + (f" [{HIDDEN}{more}]" if more else ""))
        return
    if known:
        yield from _line(" ", event.rule, known)
    yield from _line(HIDDEN, event.rule, whole)


def _line(mark: str, rule: str, text: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=f"  {mark} {rule:<5} ",
        subsequent_indent=" " * 10,
        break_long_words=False,
        break_on_hyphens=False,
    )
