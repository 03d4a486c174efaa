"""Checks a scenario: every fault at once, each at its place, in its reader's language.

Lists are counted from 1 for readers, from 0 in a place.
"""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from exercises.debrief.names import likeness, shown_name, team_name
from exercises.fault_words import fault_said
from exercises.injects_file import injects_from, read_rows
from exercises.order_forms import FaultyOrderError
from exercises.order_words import refused
from exercises.scenario_model import (
    FILE,
    KEYS,
    ROWS,
    SECRET,
    GatheringTable,
    InjectTable,
    ScenarioFile,
    Table,
)
from exercises.scenario_options import gathering_cell, gathering_people
from exercises.toml_lines import Place
from exercises.voice import Voice, mark, voice
from gis.store import read_ground
from sim.dice import checked_seed
from sim.district import District
from sim.errors import AverseError, ExerciseError
from sim.refusal import Refusal
from sim.rules import LEVELS, TURNS

_NEAR = 0.7
"""Likeness of a key that is suggested: "colour" is no "hour"."""
_MOST_FAULTS = 200
"""Told; a file with more of them is no scenario."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong at a place; ``said`` is a sentence in the reader's language."""

    place: Place
    said: str


def check_scenario(
    data: Mapping[str, Any],
    lang: str,
    *,
    district: District | None = None,
    pack: Path | None = None,
    folder: Path | None = None,
) -> tuple[ScenarioFile | None, tuple[Fault, ...]]:
    """Check all of a scenario.

    Parameters
    ----------
    data : mapping
        As TOML or JSON gives it.
    lang : {"fr", "en"}
        Of the faults.
    district : District, optional
        Without one, what needs it is let be.
    pack : Path, optional
        Of that district: weather is laid on it.
    folder : Path, optional
        Where files that it names are; without one, it may name none.

    Returns
    -------
    ScenarioFile or None
        None where there are faults.
    tuple of Fault
        In the order of the form.
    """
    say = voice(lang)
    read, faults = _of_its_kind(data, say)
    faults += _names(read, say)
    faults += _seed(read, say)
    faults += _situation(data, district, say)
    read, more = _files(read, district, pack, folder, say)
    faults += more
    if not isinstance(read.get("injects"), str):
        faults += _injects(data, read, district, say)
    if faults:
        order = {key: number for number, key in enumerate(KEYS)}
        faults.sort(key=lambda fault: (order.get(str(fault.place[0]), 99), _row_of(fault.place)))
        return None, tuple(faults[:_MOST_FAULTS])
    return ScenarioFile.model_validate(read), ()


def _row_of(place: Place) -> int:
    return place[1] if len(place) > 1 and isinstance(place[1], int) else -1


def _of_its_kind(data: Mapping[str, Any], say: Voice) -> tuple[dict[str, Any], list[Fault]]:
    """Return what of the data is of its kind, and what is not."""
    try:
        ScenarioFile.model_validate(dict(data))
        return dict(data), []
    except ValidationError as told:
        errors = told.errors(include_url=False)
    faults, wrong = [], set()
    for error in errors:
        place: Place = tuple(part for part in error["loc"] if part not in {ROWS, FILE})
        faults.append(Fault(place, _said(error, place, say)))
        wrong.add(place[0])
    return {key: value for key, value in data.items() if key not in wrong}, faults


_KINDS: Mapping[str, str] = {
    "int_type": mark("{found} is no whole number"),
    "bool_type": mark("{found} is neither true nor false"),
    "string_type": mark("{found} is no text: write it in quotes"),
    "list_type": mark("{found} is no list: write it in brackets"),
    "model_type": mark("{found} is no table: write it in braces"),
    "model_attributes_type": mark("{found} is no table: write it in braces"),
}


def _said(error: Any, place: Place, say: Voice) -> str:
    """Return one fault of pydantic's as a sentence."""
    kind, about = error["type"], error.get("ctx", {})
    found = _shown(error.get("input"))
    if error.get("input") == "" and kind == "int_type":
        return say.phrase("it is missing")
    if kind in _KINDS:
        sentence = _KINDS[kind]
        return say.phrase(sentence, found=found)
    match kind:
        case "missing":
            return say.phrase("it is missing")
        case "extra_forbidden":
            return _unknown(place, say)
        case "one_of":
            choice = say.either(about["values"])
            return say.phrase("{found} is none of them: give {choice}", found=found, choice=choice)
        case "level":
            choice = say.either([*map(str, LEVELS), f'"{SECRET}"'])
            return say.phrase("{found} is none of them: give {choice}", found=found, choice=choice)
        case "greater_than_equal":
            return say.phrase("{found} is too few: give {n} at least", found=found, n=about["ge"])
        case "less_than_equal":
            return say.phrase("{found} is too many: give {n} at most", found=found, n=about["le"])
        case "too_long":
            return say.phrase(
                "{count} are too many: give {n} at most",
                count=about["actual_length"], n=about["max_length"],
            )  # fmt: skip
        case "string_too_long":
            return say.phrase("it is too long: give {n} signs at most", n=about["max_length"])
    return say.phrase("{found} cannot be used here", found=found)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else text[:39] + "…"


def _unknown(place: Place, say: Voice) -> str:
    """Return what to write in place of a key that nobody knows."""
    inside = str(place[0]) if len(place) > 1 else ""
    tables: dict[str, type[Table]] = {"gathering": GatheringTable, "injects": InjectTable}
    table = tables.get(inside, ScenarioFile)
    known = list(table.model_fields)
    near = difflib.get_close_matches(str(place[-1]).lower().replace("-", "_"), known, 1, _NEAR)
    if near:
        return say.phrase("no such key: did you mean {key}?", key=near[0])
    return say.phrase("no such key; there are {keys}", keys=", ".join(known))


def _names(read: Mapping[str, Any], say: Voice) -> list[Fault]:
    faults, before = [], set[str]()
    for number, name in enumerate(read.get("teams", ())):
        try:
            team_name(name)
        except ExerciseError:
            why = (
                say.phrase("the name is too long")
                if shown_name(name)
                else say.phrase("the name is empty: give letters or figures")
            )
            faults.append(Fault(("teams", number), why))
            continue
        shown = shown_name(name)
        if likeness(shown) in before:
            why = say.phrase("two teams are named {name}: give each its own name", name=shown)
            faults.append(Fault(("teams", number), why))
        before.add(likeness(shown))
    return faults


def _seed(read: Mapping[str, Any], say: Voice) -> list[Fault]:
    if read.get("seed") is None:
        return []
    try:
        checked_seed(read["seed"])
    except ExerciseError:
        why = say.phrase(
            "a seed is 32 to 128 hexadecimal digits (0-9, a-f); leave it out to have one drawn"
        )
        return [Fault(("seed",), why)]
    return []


def _situation(data: Mapping[str, Any], district: District | None, say: Voice) -> list[Fault]:
    asked = data.get("gathering")
    if not isinstance(asked, Mapping) or district is None:
        return []
    checks: tuple[tuple[str, type, Callable[..., Any]], ...] = (
        ("hex", str, gathering_cell),
        ("people", int, gathering_people),
    )
    faults = []
    for key, kind, check in checks:
        if type(asked.get(key)) is not kind:
            continue  # that is told already
        try:
            check(district, asked[key])
        except FaultyOrderError as fault:
            faults.append(Fault(("gathering", key), _told(fault.refusal, say)))
    return faults


def _told(refusal: Refusal, say: Voice) -> str:
    return f"{refused(refusal, say.lang)} (§{refusal.rule})"


def _files(
    read: dict[str, Any],
    district: District | None,
    pack: Path | None,
    folder: Path | None,
    say: Voice,
) -> tuple[dict[str, Any], list[Fault]]:
    """Return the data with whole paths of the files that it names, and what is wrong with them."""
    faults, read = [], dict(read)
    for key in ("weather", "injects"):
        name = read.get(key)
        if not isinstance(name, str):
            continue
        if folder is None:
            why = say.phrase(
                "{file} lies on another machine, maybe: it cannot be read from here", file=name
            )
            faults.append(Fault((key,), why))
            continue
        path = folder / name
        try:
            if not path.is_file():
                raise ExerciseError(say.phrase("there is no file {file}", file=path))
            if key == "weather" and pack is not None and district is not None:
                lay_weather(path, pack, district)
            if key == "injects":
                turns = read.get("turns", TURNS)
                _, found = injects_from(read_rows(path), district, turns)
                faults += [
                    Fault(
                        (key,),
                        say.phrase("{file}, row {row}: {said}",
                                   file=path.name, row=row, said=_told(refusal, say)),
                    )
                    for row, _, refusal in found
                ]  # fmt: skip
        except (AverseError, ValueError) as fault:
            faults.append(Fault((key,), _of_file(fault, say)))
            continue
        read[key] = str(path.resolve())
    return read, faults


def _of_file(fault: Exception, say: Voice) -> str:
    if any(isinstance(part, Refusal) for part in fault.args):
        return fault_said(fault, say.lang)
    return str(fault)


def lay_weather(path: Path, pack: Path, district: District) -> None:
    """Lay a weather file on its ground, which tells what is wrong with it.

    Raises
    ------
    AverseError
        If anything is.
    """
    # who gives no weather need not load what checks it
    from exercises.weather_file import read_weather

    read_weather(path, pack, district, read_ground(pack))


def _injects(
    data: Mapping[str, Any], read: Mapping[str, Any], district: District | None, say: Voice
) -> list[Fault]:
    """Return what is wrong with rows of injects, as the rules have it."""
    asked, turns = data.get("injects", ()), read.get("turns", TURNS)
    if not isinstance(asked, list):
        return []
    whole, found = [], []
    for number, row in enumerate(asked, start=1):
        if not isinstance(row, Mapping):
            continue  # that is told already
        cells = {key: str(row.get(key, "")) for key in InjectTable.model_fields}
        try:
            InjectTable.model_validate(row)
            whole.append((number, cells))
        except ValidationError as told:
            wrong = {str(error["loc"][0]) for error in told.errors(include_url=False)}
            _, more = injects_from([(number, cells)], district, turns)
            found += [fault for fault in more if fault.column not in wrong]
    found += injects_from(whole, district, turns)[1]
    return [
        Fault(("injects", row - 1, column), _told(refusal, say))
        for row, column, refusal in sorted(found, key=lambda fault: fault.row)
    ]
