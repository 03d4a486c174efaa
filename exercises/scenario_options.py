"""What an instructor asks of the initial situation and of the cards, and what is said of it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exercises.injects_file import read_injects, target_label
from exercises.voice import SOURCE, voice
from sim.district import District
from sim.errors import DistrictError, ExerciseError
from sim.rules import CREDIBILITY_START, HOURS, TIMERS, Timer
from sim.scenario import Gathering, Scenario

Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ScenarioOptions:
    """Choices of §8.4, 13 and 15.1 as a user writes them.

    Attributes
    ----------
    weekend, half_staff, cards : bool
    gathering : str, optional
        Hex and people: ``2314:5000``.
    credibility : int
        0 to 10.
    injects : Path, optional
        A list of injects, CSV.
    timer : Timer
        How long a turn may take (§14).

    """

    weekend: bool = False
    half_staff: bool = False
    cards: bool = True
    gathering: str | None = None
    credibility: int = CREDIBILITY_START
    injects: Path | None = None
    timer: Timer = Timer.OFF


def scenario_for(district: District, turns: int, options: ScenarioOptions) -> Scenario:
    """Return the scenario that a user asks for on a district.

    Raises
    ------
    ExerciseError
        If a choice is not in the rules, or names what the district has not.
    """
    return Scenario(
        weekend=options.weekend,
        gathering=None if options.gathering is None else _gathering(district, options.gathering),
        half_staff=options.half_staff,
        cards=options.cards,
        injects=() if options.injects is None else read_injects(options.injects, district, turns),
        credibility=options.credibility,
        timer=options.timer,
    )


def _gathering(district: District, written: str) -> Gathering:
    found = re.fullmatch(r"\s*([0-9]+)\s*:\s*([0-9]{1,9})\s*", written, re.ASCII)
    if found is None:
        raise ExerciseError(
            f"the gathering {written!r} is no hex and number of people: write it like "
            f"{district.sheet.label(0)}:5000 (§8.4)"
        )
    label, people = found.groups()
    try:
        cell = district.sheet.index_of(label)
    except DistrictError as error:
        raise ExerciseError(f"the gathering {written!r}: {error}; choose another hex") from None
    if not district.active[cell]:
        raise ExerciseError(
            f"the gathering {written!r}: hex {label} is not active; give one that is built and "
            "populated (§8.4)"
        )
    here, there = int(people), int(district.residents[district.active].sum())
    if here > there:
        raise ExerciseError(
            f"the gathering {written!r}: the district has {there} inhabitants; give fewer (§8.4)"
        )
    return Gathering(cell, here)


def scenario_entry(district: District, scenario: Scenario, *, over: bool) -> Entry:
    """What ``exercise.json`` says of the scenario; the injects only once the exercise is over."""
    gathering = scenario.gathering
    entry: Entry = {
        "weekend": scenario.weekend,
        "gathering": None
        if gathering is None
        else {"hex": district.sheet.label(gathering.cell), "people": gathering.people},
        "half_staff": scenario.half_staff,
        "credibility": scenario.credibility,
        "cards": scenario.cards,
        "timer": scenario.timer.value,
    }
    if over:
        entry["injects"] = [
            {
                "turn": inject.turn,
                "card": inject.card.value,
                "target": target_label(district, inject),
                "note": inject.note,
            }
            for inject in scenario.injects
        ]
    return entry


def scenario_rows(summary: Mapping[str, Any], lang: str = SOURCE) -> list[tuple[str, str]]:
    """Rows of the console about the scenario of a played exercise, from its ``exercise.json``."""
    entry = summary.get("scenario")
    if not entry:
        return []
    say = voice(lang)
    said = [
        say.label(HOURS[summary["hour"]]),
        say.phrase("weekend") if entry["weekend"] else say.phrase("weekday"),
    ]
    if gathering := entry["gathering"]:
        said.append(
            say.plural(
                "{n:,} person gathered at {hex}",
                "{n:,} people gathered at {hex}",
                gathering["people"],
                hex=gathering["hex"],
            )
        )
    if entry["half_staff"]:
        said.append(say.phrase("half of the units away"))
    if entry["credibility"] != CREDIBILITY_START:
        said.append(say.phrase("credibility {figure}", figure=entry["credibility"]))
    if seconds := TIMERS[Timer(entry.get("timer", Timer.OFF.value))].seconds:
        said.append(say.phrase("{n} s a turn", n=seconds))
    said.append(say.phrase("cards drawn") if entry["cards"] else say.phrase("no cards drawn"))
    if injects := entry.get("injects"):
        said.append(
            say.plural(
                "{n} card played by the instructor",
                "{n} cards played by the instructor",
                len(injects),
            )
        )
    return [(say.phrase("situation"), ", ".join(said))]
