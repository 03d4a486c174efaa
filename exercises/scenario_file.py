"""Reads a scenario file, TOML, and places its faults.

Every fault is told at once, with its line: ``scenario.toml, line 7, injects[2].card: …``.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from exercises.command_language import spoken
from exercises.order_words import refused
from exercises.scenario_check import Fault, check_scenario
from exercises.scenario_model import ScenarioFile
from exercises.toml_lines import NotTomlError, Place, lines_of, shown_key, toml_of
from exercises.voice import SOURCE, Voice, voice
from gis.provenance import require_file
from gis.store import read_district
from sim.errors import ExerciseError
from sim.refusal import Refusal, reason_of, refuse
from sim.severity_words import LANGUAGES

_LARGEST_BYTES = 1_000_000


class SaidError(ExerciseError):
    """A fault that is told in its reader's language already."""


class ScenarioFaultsError(SaidError):
    """All that is wrong with a scenario, a line each."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = tuple(lines)


def read_scenario(
    path: Path,
    pack: Path | None = None,
    *,
    over: Mapping[str, Any] | None = None,
    lang: str | None = None,
) -> ScenarioFile:
    """Read and check a scenario file.

    Parameters
    ----------
    path : Path
        TOML; the files that it names lie beside it.
    pack : Path, optional
        District pack on which it is to be played; without one, what needs it is let be.
    over : mapping, optional
        Values that take the place of the file's.
    lang : {"fr", "en"}, optional
        Of the faults; the file's own when left out.

    Returns
    -------
    ScenarioFile
        The files that it names with whole paths.

    Raises
    ------
    ScenarioFaultsError
        With every fault and its line.
    AverseError
        If the file or the pack cannot be read.
    """
    district = None if pack is None else read_district(pack)
    require_file("scenario", path, ExerciseError)
    try:
        if path.stat().st_size > _LARGEST_BYTES:
            raise ExerciseError(
                refuse("", "{file} is larger than a scenario: give the file meant", file=path.name)
            )
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        raise ExerciseError(
            refuse(
                "",
                "{path} cannot be read ({fault}): save it as UTF-8 text",
                path=str(path),
                fault=reason_of(fault),
            )
        ) from fault
    data = parsed(text, path.name, lang or spoken())
    told = lang or _lang_in(data)
    scenario, faults = check_scenario(
        {**data, **(over or {})}, told, district=district, pack=pack, folder=path.parent
    )
    if scenario is None:
        typed = [fault for fault in faults if fault.place[:1] and fault.place[0] in (over or {})]
        read = [fault for fault in faults if fault not in typed]
        raise ScenarioFaultsError(
            placed_faults(read, path.name, text, told) + faults_of_options(typed, told)
        )
    return scenario


def scenario_of_options(given: Mapping[str, Any], pack: Path) -> ScenarioFile:
    """Check what was given on the command line, by the keys of a scenario.

    Raises
    ------
    ScenarioFaultsError
        With every fault and its option.
    AverseError
        If the pack cannot be read.
    """
    district, lang = read_district(pack), _lang_in(given)
    scenario, faults = check_scenario(given, lang, district=district, pack=pack, folder=Path())
    if scenario is None:
        raise ScenarioFaultsError(faults_of_options(faults, lang))
    return scenario


def faults_of_options(faults: Sequence[Fault], lang: str) -> list[str]:
    """Return faults of what was given on the command line, each with its option and once."""
    return list(
        dict.fromkeys(
            voice(lang).phrase("{option}: {said}", option=_option(fault.place), said=fault.said)
            for fault in faults
        )
    )


def placed_faults(faults: Sequence[Fault], name: str, text: str, lang: str) -> list[str]:
    """Return faults of a file, each with its line.

    Parameters
    ----------
    faults : sequence of Fault
    name : str
        Of the file.
    text : str
        What it holds.
    lang : {"fr", "en"}
    """
    if not faults:
        return []
    lines = lines_of(text)
    found = [(_line_of(fault.place, lines), fault) for fault in faults]
    found.sort(key=lambda pair: pair[0])
    return [_placed(name, fault, line, lang) for line, fault in found]


def parsed(text: str, name: str, lang: str) -> dict[str, Any]:
    """Return what a TOML text holds.

    Raises
    ------
    ExerciseError
        If it is no TOML; where, is told.
    """
    say = voice(lang)
    try:
        return toml_of(text)
    except NotTomlError as fault:
        (told,) = fault.args
        why = refused(told, lang) if isinstance(told, Refusal) else _unread(told, say)
    raise SaidError(
        say.phrase(
            "{name} is not TOML ({why}): texts go in quotes, lists in brackets", name=name, why=why
        )
    )


def _unread(told: str, say: Voice) -> str:
    """Return why a text is no TOML; the parser's words are English, the place is told in French."""
    if say.lang == SOURCE:
        return told
    if place := re.search(r"at line (\d+), column (\d+)", told):
        line, column = place.groups()
        return say.phrase("line {line}, column {column}", line=line, column=column)
    return say.phrase("the text ends too early") if "end of document" in told else told


def _lang_in(data: Mapping[str, Any]) -> str:
    lang = data.get("lang")
    return lang if isinstance(lang, str) and lang in LANGUAGES else spoken()


def _line_of(place: Place, lines: Mapping[Place, int]) -> int:
    """Return the line of a place; for a value that is missing, that of its table; 0 for none."""
    while place and place not in lines:
        place = place[:-1]
    return lines[place] if place else 0


def _placed(name: str, fault: Fault, line: int, lang: str) -> str:
    """Return a fault with its place."""
    say, where = voice(lang), written_place(fault.place)
    if not line:
        return say.phrase("{file}, {where}: {said}", file=name, where=where, said=fault.said)
    return say.phrase(
        "{file}, line {line}, {where}: {said}", file=name, line=line, where=where, said=fault.said
    )


def _option(place: Place) -> str:
    """Return the option of the command line that stands for a key of the file."""
    name = "own_dice" if place[0] == "own_seeds" else str(place[0])
    return "--" + name.replace("_", "-")


def written_place(place: Place) -> str:
    """Return a place as a reader finds it.

    >>> written_place(("injects", 1, "card"))
    'injects[2].card'
    """
    return "".join(
        f"[{part + 1}]" if isinstance(part, int) else f".{shown_key(part)}" for part in place
    ).removeprefix(".")
