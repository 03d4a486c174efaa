"""What the commands print: tables a person wants to read."""

import json
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from exercises.calibration_words import ladder_table, missed_lines, say, storm_line
from exercises.comparison import Comparison, comparison_table
from exercises.exercise_folder import EXERCISE
from exercises.mild_storm import mild_storm
from exercises.scenario_options import scenario_rows
from exercises.score_rows import score_rows
from exercises.session import PlayedExercise
from exercises.voice import SOURCE, voice
from exercises.weather_entry import weather_rows
from gis.store import MAP
from sim.severity_words import ladder_words
from sim.state import state_hash

# where nobody reads a screen, nothing is cut to its width
UNSEEN_WIDTH = 120


def console_of() -> Console:
    """A console that takes every name as text, never as markup."""
    width = None if sys.stdout.isatty() else UNSEEN_WIDTH
    return Console(soft_wrap=True, highlight=False, markup=False, width=width)


def pairs(title: str, rows: list[tuple[str, str]]) -> Table:
    """Return a table of names and what each is, without lines."""
    table = Table(title=title, title_justify="left", show_header=False, box=None, padding=(0, 2))
    table.add_column(justify="left", no_wrap=True)
    table.add_column(justify="left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def print_exercise(
    out: Path, played: PlayedExercise, lang: str = SOURCE, *, to_team: bool = False
) -> None:
    """Print the score of an exercise and what to open, in the language of the exercise.

    Parameters
    ----------
    to_team : bool
        Whether it is the team that reads: its seed is the instructor's to hand out, for who has it
        may play the same storm and dice (§18).
    """
    console, say = console_of(), voice(lang)
    world = played.world
    summary = json.loads((out / EXERCISE).read_text(encoding="utf-8"))
    # what the level stands for is only said once the exercise is over (§7.6)
    storm = say.phrase(
        "level {level}: {storm}",
        level=world.level,
        storm=ladder_words(world.district, lang)[world.level],
    )
    rows = [
        (say.phrase("storm"), storm),
        *weather_rows(summary, lang),
        *scenario_rows(summary, lang),
        *([] if to_team else [(say.phrase("seed"), world.seed)]),
        *score_rows(played.score, say),
        (say.phrase("state"), state_hash(played.states[-1])),
    ]
    console.print(pairs(say.phrase("Exercise on {name}", name=world.district.name), rows))
    for what, path in ((say.phrase("Exercise"), out), (say.phrase("Map"), out / MAP)):
        console.print(f"{what:<10}{path}")
    if warning := mild_storm(world, say):
        console.print("\n" + warning)


def print_comparison(comparison: Comparison, lang: str = SOURCE) -> None:
    """Print the table of players."""
    console_of().print(comparison_table(comparison, lang))


def print_calibration(
    pack: Path, entry: dict[str, Any], *, written: bool, as_json: bool, lang: str
) -> None:
    """Print the ladder found and what the ground does not give, as a table or as JSON."""
    if as_json:
        print(json.dumps(entry, ensure_ascii=False, indent=1))
        return
    console = console_of()
    console.print(ladder_table(entry, lang))
    console.print(storm_line(entry, lang))
    console.print(say("legend", lang), soft_wrap=False)
    for line in missed_lines(entry, lang):
        console.print(line)
    console.print(say("written" if written else "dry", lang, pack=pack))
