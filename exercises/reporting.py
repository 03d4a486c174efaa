"""What the commands print: tables a person wants to read."""

import json
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from exercises.calibration_words import ladder_table, missed_lines, say, storm_line
from exercises.comparison import Comparison, comparison_table
from exercises.demo import DemoResult
from exercises.exercise_folder import EXERCISE
from exercises.exports import UNDEFINED
from exercises.scenario_options import scenario_rows
from exercises.session import PlayedExercise
from exercises.voice import SOURCE, Voice, voice
from exercises.weather_entry import weather_rows
from gis.store import MAP, REPORT
from gis.wording import filled
from sim.rules import LINKS, LinkClass
from sim.score import Score
from sim.severity_words import ladder_words
from sim.state import HUNDREDTHS, state_hash

# where nobody reads a screen, nothing is cut to its width
UNSEEN_WIDTH = 120


def _console() -> Console:
    """A console that takes every name as text, never as markup."""
    width = None if sys.stdout.isatty() else UNSEEN_WIDTH
    return Console(soft_wrap=True, highlight=False, markup=False, width=width)


def _pairs(title: str, rows: list[tuple[str, str]]) -> Table:
    table = Table(title=title, title_justify="left", show_header=False, box=None, padding=(0, 2))
    table.add_column(justify="left", no_wrap=True)
    table.add_column(justify="left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def print_build(out: Path, manifest: dict[str, Any]) -> None:
    """Print what a build found, what it dropped and why, and what to open."""
    console = _console()
    totals = manifest["totals"]
    links = ", ".join(
        f"{totals['links'][str(int(c))]:,} {LINKS[c].label_en.lower()}"
        for c in sorted(LinkClass, reverse=True)
    )
    rows = [
        ("hexes", f"{totals['hexes']:,}, {totals['active']:,} active"),
        ("residents", f"{totals['residents']:,}, {totals['unshelterable']:,} unshelterable"),
        ("links", links),
        (
            "structures",
            filled(
                "{bridges:,} {bridges:bridge|bridges}, "
                "{underpasses:,} {underpasses:underpass|underpasses}",
                "en",
                **totals,
            ),
        ),
        ("quarters", str(totals["quarters"])),
        ("shelters", f"{totals['shelters']} ({totals['shelter_places']:,} places)"),
        ("stations", f"{totals['stations']} measuring, {totals['police_stations']} police"),
        ("fabric", _fabric(manifest["report"]["fabric"])),
        ("ground", manifest["ground_statement"]),
    ]
    console.print(_pairs(f"District {manifest['name']}", rows))
    console.print(_dropped(manifest["report"]["dropped"], manifest["report"]["population"]))
    console.print(f"Pack    {out}\nMap     {out / MAP}\nReport  {out / REPORT}")


def _fabric(report: dict[str, Any]) -> str:
    found = ", ".join(
        f"{count} {name.replace('_', ' ')}"
        for name, count in report["active_hexes"].items()
        if count
    )
    return f"{found} (mean confidence {report['mean_confidence']:.0%})"


def _dropped(dropped: list[dict[str, Any]], population: dict[str, Any]) -> Table:
    table = Table(title="Left out, and why", title_justify="left")
    table.add_column("layer")
    table.add_column("count", justify="right")
    table.add_column("reason")
    for entry in dropped:
        table.add_row(entry["layer"], f"{entry['count']:,}", entry["reason"])
    if people := population.get("rows_dropped", 0):
        table.add_row("population", f"{people:,}", "no usable cell, outline or number of people")
    if not table.row_count:
        table.add_row("–", "0", "nothing was left out")
    return table


def print_exercise(out: Path, played: PlayedExercise, lang: str = SOURCE) -> None:
    """Print the score of an exercise and what to open, in the language of the exercise."""
    console, say = _console(), voice(lang)
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
        (say.phrase("seed"), world.seed),
        *_score_rows(played.score, say),
        (say.phrase("state"), state_hash(played.states[-1])),
    ]
    console.print(_pairs(say.phrase("Exercise on {name}", name=world.district.name), rows))
    for what, path in ((say.phrase("Exercise"), out), (say.phrase("Map"), out / MAP)):
        console.print(f"{what:<10}{path}")


def _score_rows(score: Score, say: Voice) -> list[tuple[str, str]]:
    """The three comparisons, the victims, recall and precision (§12)."""
    return [
        (
            say.phrase("score"),
            say.plural(
                "{n:,} point of {maximum:,} possible",
                "{n:,} points of {maximum:,} possible",
                score.points,
                maximum=score.maximum,
            ),
        ),
        (say.phrase("needed, and done"), say.people(HUNDREDTHS * score.saved)),
        (
            say.phrase("needed, not done"),
            say.people(HUNDREDTHS * (score.threatened - score.saved)),
        ),
        (
            say.phrase("not needed"),
            say.plural("{n:,} place", "{n:,} places", score.misused),
        ),
        (say.phrase("victims"), say.number(score.victims)),
        (say.phrase("recall"), _share(score.recall, say)),
        (say.phrase("precision"), _share(score.precision, say)),
        (
            say.phrase("forecast"),
            say.phrase(
                "recall {recall}, precision {precision}",
                recall=_share(score.forecast_recall, say),
                precision=_share(score.forecast_precision, say),
            ),
        ),
    ]


def _share(share: Any, say: Voice) -> str:
    return UNDEFINED if share is None else say.percent(float(share))


def print_comparison(comparison: Comparison, lang: str = SOURCE) -> None:
    """Print the table of players."""
    _console().print(comparison_table(comparison, lang))


def print_calibration(
    pack: Path, entry: dict[str, Any], *, written: bool, as_json: bool, lang: str
) -> None:
    """Print the ladder found and what the ground does not give, as a table or as JSON."""
    if as_json:
        print(json.dumps(entry, ensure_ascii=False, indent=1))
        return
    console = _console()
    console.print(ladder_table(entry, lang))
    console.print(storm_line(entry, lang))
    console.print(say("legend", lang), soft_wrap=False)
    for line in missed_lines(entry, lang):
        console.print(line)
    console.print(say("written" if written else "dry", lang, pack=pack))


def print_demo(result: DemoResult, lang: str = SOURCE) -> None:
    """Print what the demo built and played, and the paths to open."""
    print_build(result.district, result.manifest)
    print_exercise(result.exercise, result.played, lang)
    console = _console()
    console.print("\nOpen in a browser:", style="bold")
    for what, path in result.paths:
        console.print(f"  {path.absolute()}   ({what})")
