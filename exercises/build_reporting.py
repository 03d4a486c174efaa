"""What ``averse build`` and ``averse demo`` print: what was found, left out, what to open."""

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

from rich.table import Table

from exercises.demo import DemoResult
from exercises.reporting import console_of, pairs, print_exercise
from exercises.voice import SOURCE, Voice, voice
from gis.report_words import Words
from gis.sheet_tables import ground_words
from gis.store import MAP, REPORT
from gis.store_ladder import CALIBRATION
from sim.rules import REGIONS, Fabric, LinkClass


def print_build(out: Path, manifest: dict[str, Any], lang: str = SOURCE) -> None:
    """Print what a build found, what it dropped and why, and what to open."""
    console, say = console_of(), voice(lang)
    report = manifest["report"]
    rows = [
        *_people_rows(manifest["totals"], say),
        *_place_rows(manifest["totals"], say),
        (say.phrase("fabric"), _fabrics(manifest, say)),
        (say.phrase("ground"), ground_words(manifest, lang)),
    ]
    console.print(pairs(say.phrase("District {name}", name=manifest["name"]), rows))
    console.print(_dropped(report["dropped"], report["population"], say))
    for what, path in (
        (say.phrase("Pack"), out),
        (say.phrase("Map"), out / MAP),
        (say.phrase("Report"), out / REPORT),
    ):
        console.print(f"{what:<10}{path}")


def _people_rows(totals: dict[str, Any], say: Voice) -> list[tuple[str, str]]:
    hexes = say.plural(
        "{n:,} hex, {active:,} active",
        "{n:,} hexes, {active:,} active",
        totals["hexes"],
        active=totals["active"],
    )
    residents = say.phrase(
        "{people:,}, of whom {unshelterable:,} cannot be safe upstairs",
        people=totals["residents"],
        unshelterable=totals["unshelterable"],
    )
    return [(say.phrase("sheet"), hexes), (say.phrase("residents"), residents)]


def _place_rows(totals: dict[str, Any], say: Voice) -> list[tuple[str, str]]:
    structures = ", ".join(
        (
            say.plural("{n:,} bridge", "{n:,} bridges", totals["bridges"]),
            say.plural("{n:,} underpass", "{n:,} underpasses", totals["underpasses"]),
        )
    )
    shelters = say.plural(
        "{n:,} shelter, {places:,} places",
        "{n:,} shelters, {places:,} places",
        totals["shelters"],
        places=totals["shelter_places"],
    )
    stations = say.phrase(
        "{measuring} measuring, {police} police",
        measuring=totals["stations"],
        police=totals["police_stations"],
    )
    return [
        (say.phrase("links"), _links(totals["links"], say)),
        (say.phrase("structures"), structures),
        (say.phrase("quarters"), say.number(totals["quarters"])),
        (say.phrase("shelters"), shelters),
        (say.phrase("stations"), stations),
    ]


def _links(counts: dict[str, int], say: Voice) -> str:
    expressways, primary, secondary, local, none = (
        counts[str(int(c))] for c in sorted(LinkClass, reverse=True)
    )
    return ", ".join(
        (
            say.plural("{n:,} expressway", "{n:,} expressways", expressways),
            say.plural("{n:,} primary road", "{n:,} primary roads", primary),
            say.plural("{n:,} secondary road", "{n:,} secondary roads", secondary),
            say.plural("{n:,} local street", "{n:,} local streets", local),
            say.plural("{n:,} edge without a way", "{n:,} edges without a way", none),
        )
    )


def _fabrics(manifest: dict[str, Any], say: Voice) -> str:
    report, rows = manifest["report"]["fabric"], REGIONS[manifest["region"]]
    found = ", ".join(
        f"{say.number(count)} {say.label(rows[Fabric[name.upper()]])}"
        for name, count in report["active_hexes"].items()
        if count
    )
    return say.phrase(
        "{fabrics} (mean certainty {share})",
        fabrics=found,
        share=say.percent(report["mean_confidence"], 0),
    )


def _dropped(dropped: list[dict[str, Any]], population: dict[str, Any], say: Voice) -> Table:
    words = Words(say.lang)
    table = Table(title=say.phrase("Left out, and why"), title_justify="left")
    table.add_column(say.phrase("layer"))
    table.add_column(say.phrase("count"), justify="right")
    table.add_column(say.phrase("why"))
    for entry in dropped:
        reason = words.reason(entry["reason"])
        why = f"{reason.text} {reason.tag}".rstrip()
        table.add_row(words.known(entry["layer"]), say.number(entry["count"]), why)
    if people := population.get("rows_dropped", 0):
        why = say.phrase("no usable cell, outline or number of people")
        table.add_row(say.phrase("population"), say.number(people), why)
    if not table.row_count:
        table.add_row("–", "0", say.phrase("nothing was left out"))
    return table


def print_before_a_class(out: Path, manifest: dict[str, Any], lang: str = SOURCE) -> None:
    """Say what a new district wants before it is played: its storm may threaten nobody (§7.6)."""
    if CALIBRATION not in manifest:
        line = voice(lang).phrase(
            "Before it is played: {averse} calibrate {district} (some minutes): as the levels "
            "stand, the storm may threaten almost nobody here",
            averse=averse_typed(),
            district=_quoted(out),
        )
        console_of().print("\n" + line)


def averse_typed() -> str:
    """What to type for ``averse``: its name, or where it is when that is not on the path."""
    if shutil.which("averse"):
        return "averse"
    beside = Path(sys.executable).with_name("averse")
    here = Path.cwd()
    return _quoted(beside.relative_to(here) if beside.is_relative_to(here) else beside)


def _quoted(path: Path) -> str:
    return shlex.quote(os.fspath(path))


def print_demo(result: DemoResult, lang: str = SOURCE) -> None:
    """Print what the demo built and played, the paths to open, and how a class plays there."""
    print_build(result.district, result.manifest, lang)
    print_exercise(result.exercise, result.played, lang)
    console, say = console_of(), voice(lang)
    console.print("\n" + say.phrase("Open in a browser:"), style="bold")
    for what, path in result.paths:
        console.print(f"  {path.absolute()}   ({say.phrase(what)})")
    console.print("\n" + say.phrase("Play it with a class:"), style="bold")
    command = say.phrase(
        "{averse} serve {district} --teams Red,Blue,Green",
        averse=averse_typed(),
        district=_quoted(result.district),
    )
    console.print(f"  {command}")
