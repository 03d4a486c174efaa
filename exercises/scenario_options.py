"""What an instructor asks of the initial situation and of the cards, and what is said of it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exercises.injects_file import Rows, injects_from, read_injects, target_label
from exercises.order_forms import FaultyOrderError, faulty
from exercises.voice import SOURCE, voice
from sim.district import District
from sim.errors import DistrictError, ExerciseError
from sim.refusal import reason_of, refuse
from sim.rules import CREDIBILITY_START, HOURS, TIMERS, Timer
from sim.scenario import Gathering, Inject, Scenario

Entry = dict[str, Any]
MOST_TEAMS = 8
"""Of a room."""
MOST_TURNS = 60
"""Of an exercise."""


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
    injects : Path, or rows of a list, optional
        A list of injects, CSV or XLSX, or one that was read already.
    timer : Timer
        How long a turn may take (§14).

    """

    weekend: bool = False
    half_staff: bool = False
    cards: bool = True
    gathering: str | None = None
    credibility: int = CREDIBILITY_START
    injects: Path | Rows | None = None
    timer: Timer = Timer.OFF

    @property
    def injects_file(self) -> Path | None:
        """The file that the injects are read from, where one is."""
        return self.injects if isinstance(self.injects, Path) else None


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
        injects=_injects(district, turns, options.injects),
        credibility=options.credibility,
        timer=options.timer,
    )


def _injects(district: District, turns: int, asked: Path | Rows | None) -> tuple[Inject, ...]:
    if asked is None:
        return ()
    if isinstance(asked, Path):
        return read_injects(asked, district, turns)
    injects, faults = injects_from(asked, district, turns)
    if faults:
        row, _, refusal = faults[0]
        raise ExerciseError(
            refuse(
                "",
                "the injects, row {row}: {why}",
                row=str(row),
                why=reason_of(FaultyOrderError(refusal)),
            )
        )
    return injects


def _gathering(district: District, written: str) -> Gathering:
    found = re.fullmatch(r"\s*([0-9]+)\s*:\s*([0-9]{1,9})\s*", written, re.ASCII)
    if found is None:
        raise ExerciseError(
            refuse(
                "",
                "the gathering {written} is no hex and number of people: write it like "
                "{label}:5000 (§8.4)",
                written=repr(written),
                label=str(district.sheet.label(0)),
            )
        )
    try:
        cell = gathering_cell(district, found[1])
        return Gathering(cell, gathering_people(district, int(found[2])))
    except FaultyOrderError as fault:
        raise ExerciseError(
            refuse(
                "",
                "the gathering {written}: {fault}",
                written=repr(written),
                fault=reason_of(fault),
            )
        ) from None


def gathering_cell(district: District, label: str) -> int:
    """Return the hex where people may gather, by its label (§8.4).

    Raises
    ------
    FaultyOrderError
        If the sheet has none of that label, or nobody may stand there.
    """
    try:
        cell = district.sheet.index_of(label)
    except DistrictError:
        raise faulty(
            "8.4",
            "hex {hex} is not on the sheet; choose one from {first} to {last}",
            hex=label[:12],
            first=district.sheet.label(0),
            last=district.sheet.label(district.sheet.n_hexes - 1),
        ) from None
    if not district.active[cell]:
        raise faulty(
            "8.4", "hex {hex} is not active; give one that is built and populated", hex=label
        )
    return cell


def gathering_people(district: District, people: int) -> int:
    """Return how many may gather: no more than live in the district (§8.4).

    Raises
    ------
    FaultyOrderError
        If they are too many, or none.
    """
    there = int(district.residents[district.active].sum())
    if people < 1:
        raise faulty("8.4", "{n} people: 1 or more gather, or leave it out", n=people)
    if people > there:
        raise faulty("8.4", "the district has {n} inhabitants; give fewer", n=there)
    return people


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
