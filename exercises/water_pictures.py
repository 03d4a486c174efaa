"""The pictures of a storm's water: depths by turn, a film for the classroom, the balance.

The solver runs again, for a pack keeps the depth of hexes and pictures want that of pixels.
"""

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from exercises.exercise_folder import is_finished, summary_of
from exercises.moment_words import DATA, clock
from gis.aside import FolderKind, written_aside
from gis.store import read_district, read_ground
from gis.water_page import Film, write_film
from gis.water_plot import Balance, balance_svg
from gis.water_rasters import DepthFile, picture_of
from gis.water_words import checked_language
from sim.errors import ExerciseError
from sim.refusal import refuse
from sim.rules import LEVELS, TURN_MIN, TURNS
from sim.severity_words import ladder_words
from sim.water import flow_of

Tell = Callable[[str, float], None]

MARKER = "water.json"
DEPTHS, FILM, PLOT, SERIES = "depths.tif", "water.html", "balance.svg", "balance.csv"
PICTURES = FolderKind(
    "pictures of the water", MARKER, "water_of", (MARKER, DEPTHS, FILM, PLOT, SERIES)
)


@dataclass(frozen=True, slots=True)
class Pictured:
    """Which storm is pictured, and when it begins."""

    level: int
    hour: int = 14
    turns: int = TURNS


def storm_played(exercise: Path, district_sha256: str) -> Pictured:
    """Return the storm of a finished exercise: while it is played, its water stays hidden.

    Raises
    ------
    ExerciseError
        If the folder is no exercise, is not finished, was played on another district, or under a
        weather of its own.
    """
    if not Path(exercise).is_dir():
        raise ExerciseError(
            refuse(
                "",
                "{exercise} is no folder: give that of a finished exercise",
                exercise=str(exercise),
            )
        )
    summary = summary_of(Path(exercise))
    if summary and not is_finished(Path(exercise)):
        raise ExerciseError(
            refuse(
                "",
                "{exercise} is not finished: its water stays hidden until the last turn "
                "(§6.4); finish it first",
                exercise=str(exercise),
            )
        )
    try:
        played_on = summary["district_sha256"]
        asked = Pictured(int(summary["level"]), int(summary["hour"]), int(summary["turns"]))
    except (KeyError, TypeError, ValueError) as error:
        raise ExerciseError(
            refuse(
                "",
                "{exercise} holds no exercise that says its storm ({error}); give the "
                "folder of a finished one, or --level",
                exercise=str(exercise),
                error=f"{error!r:.60}",
            )
        ) from error
    if "weather" in summary:
        raise ExerciseError(
            refuse(
                "",
                "{exercise} was played under a weather of its own; pictures are drawn of a "
                "district's own storms: give --level",
                exercise=str(exercise),
            )
        )
    if played_on != district_sha256:
        raise ExerciseError(
            refuse(
                "",
                "{exercise} was played on another district, or before this one was "
                "calibrated ({played_on}…, the pack is {district_sha256}…); give the pack "
                "that it was played on",
                exercise=str(exercise),
                played_on=str(played_on[:12]),
                district_sha256=str(district_sha256[:12]),
            )
        )
    return asked


def draw_water(
    pack: Path,
    out: Path,
    level: int | None = None,
    exercise: Path | None = None,
    lang: str = "en",
    tell: Tell | None = None,
) -> dict[str, Path]:
    """Draw the water of one level of a district, or of the storm of an exercise played on it.

    Parameters
    ----------
    pack : Path
    out : Path
        Folder of the pictures; one already there is replaced once the new one is whole.
    level : int, optional
        Level of the storm; that of the exercise where one is given.
    exercise : Path, optional
        Folder of a played exercise.
    lang : {"fr", "en"}
    tell : callable, optional
        Told the stage and its share done.

    Returns
    -------
    dict of str to Path
        The files, by what they are: ``depths``, ``film``, ``plot``, ``series``.

    Raises
    ------
    AverseError
        If the pack, the exercise or a setting is at fault; nothing is written then.
    """
    tell = tell or (lambda stage, share: None)
    checked_language(lang)
    district, ground = read_district(pack), read_ground(pack)
    if exercise is not None:
        asked = storm_played(exercise, district.digest)
    elif level in LEVELS:
        asked = Pictured(level)
    else:
        raise ExerciseError(
            refuse(
                "",
                "no level {level}: give --level with one of {levels}, or --exercise with "
                "the folder of one played (§6.2)",
                level=str(level),
                levels=", ".join(map(str, LEVELS)),
            )
        )
    severity = district.severity(asked.level)
    clocks, dated = (
        [clock(asked.hour, turn, one) for turn in range(asked.turns + 1)] for one in (lang, DATA)
    )
    inputs = [pack] if exercise is None else [pack, exercise]
    with written_aside(out, PICTURES, inputs) as folder:
        flow = flow_of(district, ground, severity, asked.turns)
        pictures, rows = [], []
        with DepthFile(folder / DEPTHS, pack, ground, asked.turns) as depths:
            for turn in range(asked.turns + 1):
                flow.advance(turn * TURN_MIN * 60.0)
                depths.write(turn, flow.depth_m, dated[turn])
                pictures.append(picture_of(flow.depth_m, ground))
                rows.append((flow.rain_m3 + flow.in_m3, flow.stored_m3, flow.out_m3))
                tell("water", turn / asked.turns)
        balance = Balance(*np.array(rows, dtype=float).T)
        words = ladder_words(district, lang)[asked.level]
        write_film(
            folder / FILM, pack, ground, Film(pictures, clocks, balance, asked.level, words), lang
        )
        (folder / PLOT).write_text(balance_svg(balance, clocks, lang) + "\n", encoding="utf-8")
        _write_series(folder / SERIES, balance, dated)
        _write_marker(folder / MARKER, district.name, district.digest, asked, words)
    names = {"film": FILM, "depths": DEPTHS, "plot": PLOT, "series": SERIES}
    return {what: Path(out) / name for what, name in names.items()}


def _write_series(path: Path, balance: Balance, clocks: list[str]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(("turn", "clock", "come_m3", "stored_m3", "out_m3"))
        figures = np.column_stack((balance.come, balance.stored, balance.out)).round(3)
        for turn, row in enumerate(figures.tolist()):
            table.writerow((turn, clocks[turn], *row))


def _write_marker(path: Path, name: str, digest: str, asked: Pictured, stands_for: str) -> None:
    entry: dict[str, Any] = {
        "water_of": name,
        "district_sha256": digest,
        "level": asked.level,
        "stands_for": stands_for,
        "hour": asked.hour,
        "turns": asked.turns,
    }
    path.write_text(json.dumps(entry, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
