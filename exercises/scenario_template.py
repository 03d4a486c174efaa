"""A scenario as a TOML file: each key with what it means, to be read back as it was."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from exercises.command_language import spoken
from exercises.scenario_file import read_scenario
from exercises.scenario_model import KEYS, SECRET, InjectTable, ScenarioFile
from exercises.voice import Voice, mark, voice
from gis.aside import require_name
from sim.errors import ExerciseError
from sim.refusal import refuse
from sim.rules import CREDIBILITY_MOST, HOURS, LEVELS, TIMERS, TURN_MIN
from sim.severity_words import LANGUAGES

_MEANT = {
    "teams": mark("names of the teams, one to eight; one team where none is named"),
    "lang": mark("language of the pages, {languages}; each page has its own switch"),
    "hour": mark("hour of the initial situation (§8): {hours}"),
    "turns": mark("length of the exercise, turns of {minutes} minutes"),
    "weekend": mark("whether it is a Saturday or Sunday (§8.5)"),
    "gathering": mark("a feast, match or market that masses people on a hex (§8.4)"),
    "half_staff": mark("whether half of the units are away (§8.4)"),
    "credibility": mark("how far the centre is believed (§15), 0 to {most}"),
    "timer": mark("how long a turn may take (§14): {timers}"),
    "cards": mark("whether cards are drawn (§13); injects fall all the same"),
    "level": mark("level of the storm: {levels}; {secret} has it drawn from the seed"),
    "seed": mark("of the dice, 32 hexadecimal digits or more; drawn where it is left out"),
    "own_seeds": mark("whether each team has dice of its own under the same storm"),
    "weather": mark("the scenario's weather, a TOML file beside this one"),
    "injects": mark(
        "cards that fall by themselves (§13.2); or a CSV, XLSX or TOML beside this file"
    ),
}
_EXAMPLES: dict[str, str] = {
    "gathering": '{ hex = "2314", people = 5000 }',
    "seed": '"00112233445566778899aabbccddeeff"',
    "weather": '"weather.toml"',
    "injects": '[{ turn = 4, card = "accident", target = "2314-2315", note = "" }]',
}
"""Shown where a key has no value by itself."""


def scenario_text(scenario: ScenarioFile, lang: str) -> str:
    """Return a scenario as TOML, each key with its meaning; what is left out is a comment.

    Parameters
    ----------
    scenario : ScenarioFile
    lang : {"fr", "en"}
        Of the comments.
    """
    say = voice(lang)
    lines = [
        "# " + say.phrase("A scenario of averse: averse serve DISTRICT --scenario FILE"),
        "# " + say.phrase("A line that begins with # is left out; remove the # to give it."),
    ]
    for key in KEYS:
        value = getattr(scenario, key)
        lines += ["", f"# {_meant(key, say)}"]
        if value is None or (key == "injects" and not value):
            lines.append(f"# {key} = {_EXAMPLES[key]}")
        else:
            lines.append(f"{key} = {_written(value)}")
    return "\n".join(lines) + "\n"


def _meant(key: str, say: Voice) -> str:
    sentence = _MEANT[key]
    hours = ", ".join(f"{hour} ({say.label(row)})" for hour, row in HOURS.items())
    timers = ", ".join(
        f'"{timer.value}" ({row.seconds} s)' if row.seconds else f'"{timer.value}"'
        for timer, row in TIMERS.items()
    )
    values: dict[str, Any] = {
        "hours": hours, "timers": timers, "minutes": TURN_MIN, "most": CREDIBILITY_MOST,
        "levels": ", ".join(map(str, LEVELS)),
        "secret": f'"{SECRET}"',
        "languages": ", ".join(f'"{one}"' for one in LANGUAGES),
    }  # fmt: skip
    return say.phrase(sentence, **values)


def _written(value: Any) -> str:
    """Return a value as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        # JSON escapes as TOML does, but for the last control character
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(value, list):
        if value and isinstance(value[0], InjectTable):
            return "[\n" + "".join(f"  {_written(row)},\n" for row in value) + "]"
        return "[" + ", ".join(map(_written, value)) + "]"
    entries = value.model_dump(exclude_defaults=isinstance(value, InjectTable))
    return "{ " + ", ".join(f"{key} = {_written(part)}" for key, part in entries.items()) + " }"


def write_template(path: Path, lang: str) -> Path:
    """Write a new scenario, with every key; return where it is.

    Raises
    ------
    ExerciseError
        If there is something already.
    """
    require_name(path, ".toml")
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(scenario_text(ScenarioFile(lang=lang), lang))
    except FileExistsError:
        raise ExerciseError(
            refuse("", "{path} is there already: give another name", path=str(path))
        ) from None
    return path


def print_checked(
    path: Path, pack: Path | None, lang: str | None, say: Callable[[str], None]
) -> None:
    """Check a scenario and say that nothing is wrong with it, and what it amounts to.

    Raises
    ------
    AverseError
        With every fault.
    """
    scenario = read_scenario(path, pack, lang=lang)
    told = voice(lang or (scenario.lang if "lang" in scenario.model_fields_set else spoken()))
    if pack is None:
        said = told.phrase("{file}: no fault; give DISTRICT to check hexes and targets too",
                           file=path.name)  # fmt: skip
    else:
        said = told.phrase("{file}: no fault", file=path.name)
    say(said)
