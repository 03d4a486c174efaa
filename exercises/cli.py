"""The ``averse`` command: a subcommand parses its arguments, calls one function and prints.

Heavy libraries load inside the subcommand that needs them, so that ``averse --help`` is instant.
"""

import io
import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from exercises.command_help import (
    Misuse,
    SaidCommand,
    SaidGroup,
    said_argument,
    said_option,
)
from exercises.command_language import SPOKEN, language_of_line, mark, said, speak, spoken
from exercises.room.printing import ORDER_TURNS
from sim.errors import AverseError, DebriefError
from sim.refusal import refuse
from sim.rules import (
    CREDIBILITY_MOST,
    CREDIBILITY_START,
    HOURS,
    LADDER_NAMES,
    LEVELS,
    REGIONS,
    RULES_VERSION,
    SHEET_COLUMNS,
    SHEET_ROWS,
    TURNS,
    Timer,
)
from sim.seats import SIDES, TEAM

EXIT_USER_FAULT = 2

_PATH = click.Path(path_type=Path)


class _Numbers(click.ParamType[tuple[Any, ...]]):
    """So many numbers separated by commas (or by another sign)."""

    def __init__(self, name: str, count: int, kind: type, separator: str = ",") -> None:
        self.name = name
        self.count, self.kind, self.separator = count, kind, separator

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[Any, ...]:
        if isinstance(value, tuple):
            return value
        parts = value.replace("×", "x").lower().split(self.separator)
        try:
            numbers = tuple(self.kind(part) for part in parts)
        except ValueError:
            numbers = ()
        if len(numbers) != self.count or any(n != n for n in numbers):
            form = said(mark("{value!r} is not {form}"))
            self.fail(form.format(value=value, form=said(self.name)), param, ctx)
        return numbers


_BBOX = _Numbers(mark("W,S,E,N in degrees"), 4, float)
_CENTRE = _Numbers(mark("LON,LAT in degrees"), 2, float)
_SIZE = _Numbers(mark("COLSxROWS, such as 44x28"), 2, int, "x")
_SHARES = _Numbers(mark("percents, one for each level: 3,10,20,35"), len(LEVELS), float)


def _language(what: str) -> Callable[..., Any]:
    """Return the option of a language that is the machine's unless another is asked for."""
    return said_option("--lang", type=click.Choice(SPOKEN), default=spoken, help=what)


# a negative longitude would look like an option
_CONTEXT = {"help_option_names": ["-h", "--help"], "ignore_unknown_options": False}


def _show_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from importlib.metadata import version

    told = said(mark("averse {version}, rules {rules}"))
    click.echo(told.format(version=version("averse"), rules=RULES_VERSION))
    ctx.exit()


@click.group(cls=SaidGroup, context_settings=_CONTEXT)
@said_option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """From a real town to a flood exercise, its map and its score.

    \b
    averse demo                                     the whole chain on the reference town
    averse build --osm town.osm.pbf --dem town.tif --out town
    averse sheet town --out sheet.pdf
    averse play town --out exercise
    averse debrief exercise --out debrief
    averse timelapse exercise --out exercise.mp4
    """


def _progress() -> Any:
    from exercises.progress import console_progress

    return console_progress()


def _host_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for name, what in (
        ("dem", "Copernicus GLO-30 tiles, {tile} standing for their name"),
        ("overpass", "an Overpass interpreter"),
        ("nominatim", "a Nominatim search"),
    ):
        command = said_option(
            f"--{name}-url",
            metavar="URL",
            envvar=f"AVERSE_{name.upper()}_URL",
            help=f"Another address of {what}.",
        )(command)
    return command


@cli.command(extras=("gis",))
@said_option(
    "--osm",
    type=_PATH,
    help="OpenStreetMap extract: .osm, .osm.gz, .osm.bz2 or .osm.pbf [default: fetched].",
)
@said_option(
    "--dem",
    multiple=True,
    type=_PATH,
    help="Elevation raster in any CRS: GeoTIFF, .hgt, .asc …; once for each tile "
    "[default: Copernicus GLO-30, fetched].",
)
@said_option("--place", metavar="NAME", help='Town to build, by name: "Caen, France".')
@said_option(
    "--population",
    type=_PATH,
    help="Population: CSV of H3 cells, GeoPackage of areas, or raster of counts.",
)
@said_option(
    "--corrections",
    type=_PATH,
    help="An instructor's corrections: CSV or GeoPackage with columns what, where, set, to, why.",
)
@said_option("--bbox", type=_BBOX, metavar="W,S,E,N", help="Area to fill with hexes, degrees.")
@said_option(
    "--centre",
    type=_CENTRE,
    metavar="LON,LAT",
    help="Centre of the sheet, degrees [default: the busiest place of the extract].",
)
@said_option(
    "--size",
    type=_SIZE,
    metavar="COLSxROWS",
    help=f"Size of the sheet, but with --bbox  [default: {SHEET_COLUMNS}x{SHEET_ROWS}].",
)
@said_option("--dem-crs", metavar="EPSG:CODE", help="CRS of a DEM that states none.")
@said_option(
    "--region",
    type=click.Choice(tuple(REGIONS)),
    help="Table of fabrics and law of rain [default: france in Europe, harbin elsewhere].",
)
@said_option(
    "--dem-unit",
    type=click.Choice(["metres", "feet"]),
    help="Unit of a DEM that states none [default: metres].",
)
@said_option(
    "--ladder",
    type=click.Choice(LADDER_NAMES),
    default=LADDER_NAMES[0],
    show_default=True,
    help="What the storm's levels stand for: rain of that return period, alone or on soaked ground "
    "with the drains blocked.",
)
@said_option("--name", help="Name of the district [default: the place's, or the out folder's].")
@_language(
    "Language of the map, of the report, and of quarters named by their direction "
    "[default: the machine's, as LANG says it, else en]."
)
@said_option("--refresh", is_flag=True, help="Fetch again what an earlier build fetched.")
@said_option(
    "--cache",
    type=_PATH,
    envvar="AVERSE_CACHE",
    help="Folder in which what is fetched is kept [default: the user's cache].",
)
@_host_options
@said_option("--out", required=True, type=_PATH, help="Folder of the district pack.")
def build(
    osm: Path | None,
    dem: tuple[Path, ...],
    place: str | None,
    population: Path | None,
    corrections: Path | None,
    bbox: tuple[float, float, float, float] | None,
    centre: tuple[float, float] | None,
    size: tuple[int, int] | None,
    dem_crs: str | None,
    dem_unit: str | None,
    region: str | None,
    ladder: str,
    name: str | None,
    lang: str,
    refresh: bool,
    cache: Path | None,
    nominatim_url: str | None,
    overpass_url: str | None,
    dem_url: str | None,
    out: Path,
) -> None:
    """Build a district pack from a town's OSM extract and DEM, given or fetched by its name.

    \b
    averse build --place "Caen, France" --out caen
    averse build --osm town.osm.pbf --dem dem.tif --centre 1.53,42.52 --out andorra
    averse build --osm town.osm.pbf --dem dem.tif --bbox=-51.25,-30.10,-51.15,-30.00 --out poa
    averse build --osm town.osm.pbf --dem dem.tif --corrections corrections.csv --out poa

    \b
    Corrections, a row each, under the columns what,where,set,to,why:
      hex      2314         fabric, residents, active, quarter
      link     2314-2315    class, structure, foot, barrier
      shelter  2314         add, remove, name, places
    """
    from exercises.build_reporting import print_build
    from gis.build import BuildOptions, build_district
    from gis.placement import Placement
    from gis.sources.download import Hosts, Wanted, town_files

    if bbox is not None and size is not None:
        raise Misuse(
            refuse(
                "",
                "both --bbox and --size were given: --bbox alone says how large the sheet is; "
                "give --centre with --size",
            )
        )
    columns, rows = size or (SHEET_COLUMNS, SHEET_ROWS)
    wanted = Wanted(
        placement=Placement(bbox=bbox, centre=centre, columns=columns, rows=rows),
        osm=osm,
        dems=dem,
        place=place,
        cache=cache,
        refresh=refresh,
        hosts=Hosts.at(nominatim_url, overpass_url, dem_url),
    )
    with _progress() as tell:
        files = town_files(wanted, tell)
        options = BuildOptions(
            osm=files.osm,
            dem=files.dems[0],
            more_dems=files.dems[1:],
            population=population,
            corrections=corrections,
            placement=files.placement,
            dem_crs=dem_crs,
            dem_unit=dem_unit,
            region=region,
            ladder=ladder,
            name=name or (place or "").split(",")[0].strip() or out.absolute().name,
            lang=lang,
        )
        manifest = build_district(options, out, tell)
    if files.found:
        click.echo(said(mark("Found {place}")).format(place=files.found), err=True)
    print_build(out, manifest, lang)


@cli.command(extras=("gis",))
@said_option("--out", required=True, type=_PATH, help="Folder for the extract and the DEM.")
@said_option("--seed", help="Any text: another seed draws another town with the same figures.")
def town(out: Path, seed: str | None) -> None:
    """Draw the reference town: an invented town with the rule book's exact figures.

    \b
    averse town --out town        writes the OSM extract and the DEM, for `averse build`
    """
    from exercises.demo import draw_reference

    with _progress() as tell:
        files = draw_reference(out, seed, tell)
    click.echo(said(mark("OSM extract: {path}")).format(path=files.osm))
    click.echo(said(mark("Elevation: {path}")).format(path=files.dem))
    command = f"averse build {files.build_arguments} --out district"
    click.echo(said(mark("Build it: {command}")).format(command=command))


@cli.command("map", extras=("gis",))
@said_argument("district", type=_PATH)
@said_option("--out", required=True, type=_PATH, help="HTML file to write.")
@_language("Language [default: the machine's, as LANG says it, else en].")
def map_(district: Path, out: Path, lang: str) -> None:
    """Draw the map of a district: one HTML file that opens offline.

    \b
    averse map poa --out poa.html --lang fr
    """
    from gis.store import read_manifest
    from gis.webmap import write_map

    manifest = read_manifest(district)
    write_map(district, out, title=manifest["name"], lang=lang)
    click.echo(out)


@cli.command(extras=("gis", "print"))
@said_argument("district", type=_PATH)
@said_option("--out", required=True, type=_PATH, help="PDF file to write.")
@_language("Language [default: the machine's, as LANG says it, else en].")
@said_option("--mono", is_flag=True, help="Black on white, hatched, for a photocopier.")
@said_option("--tiles", is_flag=True, help="A4 pages to tape together rather than one A3 page.")
def sheet(district: Path, out: Path, lang: str, mono: bool, tiles: bool) -> None:
    """Print the reference sheet of a district: numbered hexes, links, tables, on paper.

    \b
    averse sheet poa --out sheet.pdf --lang fr
    averse sheet poa --out tiles.pdf --tiles --mono
    """
    from gis.sheet import write_sheet

    written = write_sheet(district, out, lang=lang, mono=mono, tiles=tiles)
    click.echo(written.path)
    if written.left_out:
        left_out = ", ".join(written.left_out)
        told = said(mark("no room for the names of quarters {names}"))
        click.echo(told.format(names=left_out), err=True)


@cli.command(extras=("gis",))
@said_argument("district", type=_PATH)
@said_option("--out", required=True, type=_PATH, help="HTML file to write.")
@_language("Language [default: the machine's, as LANG says it, else en].")
def report(district: Path, out: Path, lang: str) -> None:
    """Write the build report of a district again: one HTML page that opens offline.

    \b
    averse report poa --out rapport.html --lang fr
    """
    from gis.report import write_report

    click.echo(write_report(district, out, lang=lang))


@cli.command(extras=("gis",))
@said_argument("district", type=_PATH)
@said_option("--out", required=True, type=_PATH, help="Folder of the files.")
@said_option("--h3", is_flag=True, help="CSV of every hex under its H3 index, resolution 10.")
@said_option("--geoparquet", is_flag=True, help="GeoParquet, a file a layer.")
@said_option("--kml", is_flag=True, help="KML for Google Earth.")
def export(district: Path, out: Path, h3: bool, geoparquet: bool, kml: bool) -> None:
    """Write a district in open formats, beside the GeoPackage that it already is.

    \b
    averse export poa --h3 --kml --out poa-open
    """
    from gis.export import Formats, export_district

    for path in export_district(district, out, Formats(h3, geoparquet, kml)):
        click.echo(path)


def _exercise_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        said_option(
            "--turns",
            type=click.IntRange(1, 60),
            default=TURNS,
            show_default=True,
            help="Length of the exercise, turns of ten minutes.",
        ),
        said_option(
            "--hour",
            type=click.Choice([str(h) for h in HOURS]),
            default="14",
            show_default=True,
            help="Hour of the initial situation (§8).",
        ),
    ):
        command = option(command)
    return command


def _own_language(command: Callable[..., Any]) -> Callable[..., Any]:
    return said_option(
        "--lang",
        type=click.Choice(SPOKEN),
        help="Language of what is printed [default: the exercise's].",
    )(command)


def _scenario_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        said_option(
            "--injects",
            type=_PATH,
            metavar="FILE",
            help="Cards that the instructor plays, CSV, XLSX or TOML: turn,card,target,note.",
        ),
        said_option(
            "--credibility",
            type=click.IntRange(0, CREDIBILITY_MOST),
            default=CREDIBILITY_START,
            show_default=True,
            help="How far the centre is believed (§15): +1 to -3 on alert rolls.",
        ),
        said_option(
            "--gathering",
            metavar="HEX:PEOPLE",
            help="A feast, match or market that masses people on a hex: 2314:5000 (§8.4).",
        ),
        said_option(
            "--timer",
            type=click.Choice([timer.value for timer in Timer]),
            default=Timer.OFF.value,
            show_default=True,
            help="How long a turn may take at the keyboard (§14): 120, 90 or 45 s.",
        ),
        said_option("--half-staff", is_flag=True, help="Half of the units are away (§8.4)."),
        said_option("--weekend", is_flag=True, help="Saturday or Sunday (§8.5)."),
        said_option(
            "--cards/--no-cards",
            default=True,
            show_default=True,
            help="Draw cards (§13); injects are played all the same.",
        ),
    ):
        command = option(command)
    return command


_scenario_file = said_option(
    "--scenario",
    type=_PATH,
    metavar="FILE",
    help="What is played, TOML: see averse scenario --help. Options given beside it win.",
)


def _given(context: click.Context) -> dict[str, Any]:
    """Return the options that were typed, as a scenario file writes them."""
    typed = {
        name: value
        for name, value in context.params.items()
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    }
    given: dict[str, Any] = {
        "own_seeds" if name == "own_dice" else name: value
        for name, value in typed.items()
        if name in {*_SETTLED, "own_dice"} - {"team", "hour", "level", "gathering", "injects"}
    }
    given |= {name: int(typed[name]) for name in ("hour", "level") if name in typed}
    given |= {name: str(typed[name].absolute()) for name in ("weather", "injects") if name in typed}
    if "teams" in typed:
        given["teams"] = typed["teams"].split(",")
    if "gathering" in typed:
        label, _, people = typed["gathering"].partition(":")
        number = people.strip()
        given["gathering"] = {
            "hex": label.strip(),
            "people": int(number) if number.isascii() and number.isdigit() else number,
        }
    return given


_SETTLED = (
    *("seed", "level", "hour", "turns", "lang", "team"),
    *("cards", "weekend", "half_staff", "gathering", "credibility", "injects", "timer"),
)
"""Options of a play that an exercise begun already has."""


def _was_typed(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _refuse_settled(context: click.Context, names: tuple[str, ...]) -> None:
    """Raise where an option is given that an exercise begun already has."""
    for name in names:
        if _was_typed(context, name):
            option = "--" + name.replace("_", "-")
            raise Misuse(
                refuse(
                    "",
                    "{option} was settled when the exercise began: leave it out",
                    option=option,
                )
            )


@cli.command(extras=("gis",))
@said_argument("district", type=_PATH)
@said_option("--out", required=True, type=_PATH, help="Folder of the played exercise.")
@said_option("--terminal", is_flag=True, help="Play at the keyboard: type help there.")
@said_option("--orders", type=_PATH, help="Orders to play, JSON Lines [default: the player's own].")
@said_option(
    "--weather",
    type=_PATH,
    help="The scenario's weather, TOML: another storm, a moving cell, levels in time, inflows.",
)
@said_option(
    "--player",
    type=click.Choice(["baseline", "do-nothing", "alert-everyone"]),
    help="Who gives the orders when no file does  [default: baseline].",
)
@said_option("--seed", help="Seed, 32 hexadecimal digits or more [default: drawn].")
@said_option(
    "--level",
    type=click.Choice([str(level) for level in LEVELS]),
    help="Level of the storm [default: drawn in secret from the seed].",
)
@_exercise_options
@_scenario_options
@_scenario_file
@_language("Language [default: the machine's, as LANG says it, else en].")
@said_option("--team", metavar="NAME", help="Who plays, for the debrief [default: OUT's name].")
@said_option("--resume", is_flag=True, help="Go on with an exercise that was cut short.")
@click.pass_context
def play(
    context: click.Context,
    district: Path,
    out: Path,
    terminal: bool,
    orders: Path | None,
    weather: Path | None,
    player: str | None,
    seed: str | None,
    level: str | None,
    hour: str,
    turns: int,
    cards: bool,
    weekend: bool,
    half_staff: bool,
    gathering: str | None,
    credibility: int,
    injects: Path | None,
    timer: str,
    scenario: Path | None,
    lang: str,
    team: str | None,
    resume: bool,
) -> None:
    """Play an exercise: at the keyboard, from a file of orders, or with a baseline player.

    Every order and turn is in the exercise's journal before the next: a crash loses nothing.

    \b
    averse play poa --out exercise
    averse play poa --terminal --lang fr --out mine
    averse play poa --orders orders.jsonl --seed 00112233445566778899aabbccddeeff --out again
    averse play poa --weekend --gathering 2314:5000 --injects injects.csv --out match
    averse play poa --scenario class.toml --hour 8 --out morning
    averse play poa --weather rise.toml --out rise
    averse play poa --out exercise --resume

    \b
    injects.csv, for one (a target left empty is drawn):
      turn,card,target,note
      4,accident,2314-2315,the lorry on the ring road
      6,power_cut,2314,
      9,injunction,,

    \b
    rise.toml, for one (minutes from the start of turn 1; docs/weather.md tells all):
      [storm]                          # years, law, [storm.hyetograph], [storm.cell]
      years = 20
      [[level]]                        # a water body, by name or by a hex that it touches
      hex = "0514"
      minutes = [0, 90, 240]
      rise_m = [0.0, 1.8, 2.2]         # or level_m, metres of altitude
      [[inflow]]                       # a watercourse that enters at a hex of the rim
      hex = "4401"
      minutes = [0, 120, 300]
      flow_m3_s = [4, 60, 10]          # or csv = "flow.csv"
    """
    if resume:
        _refuse_settled(context, (*_SETTLED, "scenario"))
    if terminal and (orders is not None or player is not None):
        raise Misuse(refuse("", "--terminal plays by hand: give it without --orders and --player"))
    from exercises.chain import (
        TERMINAL,
        ExerciseOptions,
        finish_opened,
        open_exercise,
        play_opened,
    )
    from exercises.reporting import print_exercise
    from exercises.scenario_options import ScenarioOptions

    options = ExerciseOptions(
        orders=orders,
        weather=weather,
        scenario=ScenarioOptions(
            weekend=weekend,
            half_staff=half_staff,
            cards=cards,
            gathering=gathering,
            credibility=credibility,
            injects=injects,
            timer=Timer(timer),
        ),
        player=TERMINAL if terminal else player,
        seed=seed,
        level=None if level is None else int(level),
        hour=int(hour),
        turns=turns,
        lang=lang,
        team=team,
        resume=resume,
    )
    if scenario is not None:
        from dataclasses import replace

        from exercises.scenario_file import read_scenario
        from exercises.scenario_model import exercise_of

        given = _given(context)
        asked = exercise_of(read_scenario(scenario, district, over=given, lang=given.get("lang")))
        options = replace(asked, orders=orders, player=options.player, team=team)
    with _progress() as tell:
        opened = open_exercise(district, out, options, tell)
        by_hand = opened.options.player == TERMINAL and orders is None
        result = None if by_hand else play_opened(opened, tell)
    if result is None:
        # no bar runs while somebody types
        from exercises.terminal import sit_down

        result = sit_down(opened)
        if result is None:
            return
        with _progress() as tell:
            finish_opened(opened, result, tell)
    print_exercise(out, result, opened.options.lang, to_team=by_hand)
    if orders is not None:
        _tell_no_order(orders, opened.options.lang)


def _tell_no_order(orders: Path, lang: str) -> None:
    """Tell that a file had no order in it, so that nobody takes the score for that of some."""
    from exercises.orders_file import holds_no_order
    from exercises.voice import voice

    if holds_no_order(orders):
        said = voice(lang).phrase("{file} has no order in it: the team did nothing", file=orders)
        click.echo(f"averse: {said}", err=True)


@cli.command()
@said_argument("exercise", type=_PATH)
@said_option("--turn", type=click.IntRange(0), help="Turn to stop at [default: the last].")
@said_option("--out", type=_PATH, help="Folder for the scores, events and orders of the whole.")
@said_option("--log", is_flag=True, help="Print the event log as CSV instead.")
@said_option(
    "--side",
    type=click.Choice(SIDES),
    metavar="SIDE",
    default=TEAM,
    show_default=True,
    help="Whose event log: what the team saw, a seat (team/technical), the public screen "
    "(public), or all of it (instructor).",
)
@_own_language
@click.pass_context
def replay(
    context: click.Context,
    exercise: Path,
    turn: int | None,
    out: Path | None,
    log: bool,
    side: str,
    lang: str | None,
) -> None:
    """Rebuild an exercise from its journal alone; the instructor's: the journal holds the truth.

    \b
    averse replay exercise
    averse replay exercise --turn 12
    averse replay exercise --out again
    averse replay exercise --log --lang fr > main-courante.csv
    """
    if not log and _was_typed(context, "side"):
        raise Misuse(refuse("", "--side says whose event log: give it with --log"))
    from exercises.exercise_folder import write_replayed
    from exercises.journal_reporting import print_log, print_replayed
    from exercises.verification import replay_exercise

    again = replay_exercise(exercise, turn)
    if out is not None:
        write_replayed(out, again.played, exercise)
    if log:
        print_log(again, side, turn, lang)
    else:
        print_replayed(again, lang)


@cli.command()
@said_argument("exercise", type=_PATH)
@_own_language
def verify(exercise: Path, lang: str | None) -> None:
    """Compute every hash, state and score of an exercise again, and compare.

    \b
    averse verify exercise
    """
    from exercises.journal_reporting import print_verified
    from exercises.verification import verify_exercise

    print_verified(verify_exercise(exercise), lang)


class _ShowsOrders(SaidCommand):
    """Ends its help with every kind of order; what knows them is loaded then only."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from exercises.order_forms import ORDER_KINDS, example_of, what_it_does

        with formatter.section(said(mark("Orders, each with an example"))):
            for kind in ORDER_KINDS.values():
                formatter.write_text(said(what_it_does(kind)))
                formatter.write(f"{'':6}{json.dumps(example_of(kind))}\n")


_played_on = said_option(
    "--district",
    type=_PATH,
    help="District pack that was played on [default: where it was when the exercise began].",
)


@cli.command(extras=("gis", "print", "debrief"))
@said_argument("exercises", type=_PATH, nargs=-1, required=True, metavar="EXERCISE...")
@said_option("--out", required=True, type=_PATH, help="Folder of the debrief pack.")
@said_option("--zip", "archive", is_flag=True, help="Also write the pack as one file, OUT.zip.")
@_played_on
@said_option(
    "--lang",
    type=click.Choice(SPOKEN),
    help="Language of the pack [default: the first exercise's].",
)
def debrief(
    exercises: tuple[Path, ...], out: Path, archive: bool, district: Path | None, lang: str | None
) -> None:
    """Write the debrief pack of an exercise, or of several teams on the same storm.

    The instructor's, for when it is over: it tells all that the exercise hid. It is made from the
    journals and the district pack alone, and is the same byte for byte however often it is made.
    An exercise that was not played to its last turn is debriefed as far as it was played.

    \b
    averse debrief exercise --out debrief
    averse debrief exercise --out debrief --zip --lang fr
    averse debrief blue red green --out class
    averse debrief exercise --district /media/usb/poa --out debrief

    \b
    index.html      to open first: what was known, done, true, and what it would have cost to
                    do otherwise
    report.pdf      the same on paper;  maps/  to project;  class.pdf  several teams side by side
    figures.json    every figure;  scores.csv  a line a team
    people.csv      a line a hex: threatened, saved, lost, when alerted, cut, arrived
    journal.xlsx    the event log, and journal.csv
    msel.xlsx       the cards as a list of injects: averse play --injects msel.xlsx
    debrief.gpkg    layers for QGIS;  depth.tif  the true water;  alerts/  CAP 1.2, exercise
    """
    from exercises.debrief.crew import crew_of, processes_here
    from exercises.debrief.material import read_material
    from exercises.debrief.reporting import print_debrief
    from exercises.debrief.write import MODULES, write_pack

    with _progress() as tell, crew_of(processes_here()) as crew:
        crew.warm_up(MODULES)
        material = read_material(exercises, district, tell, crew)
        said = lang or material.lang
        pack = write_pack(material, out, said, archive=archive, tell=tell, crew=crew)
    print_debrief(pack, said)


@cli.command(extras=("gis", "print", "debrief"))
@said_argument("exercise", type=_PATH)
@said_option("--out", required=True, type=_PATH, help="File of the film: .mp4 or .gif.")
@said_option(
    "--seconds",
    type=click.FloatRange(0.25, 10),
    default=1.0,
    show_default=True,
    help="How long a turn is shown.",
)
@_played_on
@said_option(
    "--lang",
    type=click.Choice(SPOKEN),
    help="Language of the film [default: the exercise's].",
)
def timelapse(
    exercise: Path, out: Path, seconds: float, district: Path | None, lang: str | None
) -> None:
    """Write an exercise as a film: what the team believed and what was true, side by side.

    Legend, scale and clock are in every picture. The same exercise gives the same file, byte for
    byte.

    \b
    averse timelapse exercise --out exercise.mp4
    averse timelapse exercise --out exercise.gif --lang fr --seconds 0.5
    """
    from exercises.debrief.material import read_material
    from exercises.debrief.timelapse import write_timelapse

    if seconds != seconds:
        raise DebriefError(
            refuse("", "--seconds nan is no length: give from 0.25 to 10 seconds a turn")
        )
    with _progress() as tell:
        material = read_material([exercise], district, tell)
        (team,) = material.teams
        said = lang or material.lang
        write_timelapse(material.pack, team, out, said, turn_ms=round(1000 * seconds), tell=tell)
    click.echo(str(out))


@cli.command("scenario", extras=("gis",))
@said_argument("district", type=_PATH, required=False)
@said_option("--check", type=_PATH, metavar="FILE", help="Scenario to check, TOML.")
@said_option("--write", type=_PATH, metavar="FILE", help="File to write a new scenario to.")
@said_option(
    "--lang",
    type=click.Choice(SPOKEN),
    help="Language [default: the file's, else the machine's, as LANG says it].",
)
def scenario_(
    district: Path | None, check: Path | None, write: Path | None, lang: str | None
) -> None:
    """Write or check a scenario: the TOML file that an exercise is prepared from.

    A new one has every key with its meaning and what it is when left out. Every fault is told with
    its line; those of hexes, people and targets where DISTRICT is given.

    \b
    averse scenario --write class.toml
    averse scenario --check class.toml
    averse scenario --check class.toml poa
    averse serve poa --scenario class.toml

    \b
    class.toml, for one:
      teams = ["Red", "Blue"]
      hour = 8
      gathering = { hex = "2314", people = 5000 }
      timer = "tense"
      level = "secret"                 # or 1, 2, 3, 5
      injects = [
        { turn = 4, card = "accident", target = "2314-2315", note = "the lorry" },
        { turn = 6, card = "power_cut" },
      ]                                # or "injects.csv", beside this file
    """
    if (check is None) == (write is None):
        raise Misuse(refuse("", "give --check or --write, one of the two"))
    from exercises.scenario_template import print_checked, write_template

    if write is not None:
        click.echo(write_template(write, lang or spoken()))
    if check is not None:
        print_checked(check, district, lang, click.echo)


_OF_A_NEW_ROOM = (
    *(name for name in _SETTLED if name not in {"team", "lang"}),
    *("teams", "out", "weather", "own_dice", "scenario"),
)
"""Options of a room that one already open has."""


@cli.command(extras=("gis", "print", "debrief", "room"))
@said_argument("place", type=_PATH, metavar="[DISTRICT|ROOM]", required=False)
@said_option("--teams", metavar="A,B,…", help="Names of the teams, one to eight.")
@said_option("--out", type=_PATH, help="Folder of the new room  [default: DISTRICT-room].")
@said_option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8000,
    show_default=True,
    help="0 takes any that is free.",
)
@said_option(
    "--host",
    default="0.0.0.0",
    show_default=True,
    help="Address to listen on: all networks of this machine, or 127.0.0.1 for it alone.",
)
@said_option("--district", type=_PATH, help="District pack of a room, where it was moved.")
@said_option("--weather", type=_PATH, help="The scenario's weather, TOML, as for averse play.")
@said_option("--seed", help="Seed, 32 hexadecimal digits or more [default: drawn].")
@said_option("--own-dice", is_flag=True, help="Dice of its own for each team, under one storm.")
@said_option(
    "--level",
    type=click.Choice([str(level) for level in LEVELS]),
    help="Level of the storm [default: drawn in secret from the seed].",
)
@_exercise_options
@_scenario_options
@_scenario_file
@said_option(
    "--lang",
    type=click.Choice(SPOKEN),
    help="Language [default: the room's, else the machine's, as LANG says it].",
)
@said_option(
    "--database",
    metavar="URL",
    help="Keep journals and book in a centre's PostgreSQL, postgresql://user@host/name "
    "[default: AVERSE_DATABASE, where a password belongs; else files in the room's folder].",
)
@click.pass_context
def serve(
    context: click.Context,
    /,
    place: Path | None,
    teams: str | None,
    out: Path | None,
    port: int,
    host: str,
    database: str | None,
    district: Path | None,
    scenario: Path | None,
    lang: str | None,
    **_read_by_given: Any,
) -> None:
    """Open a room: an instructor and one to eight teams in their browsers, no internet needed.

    A new room on a district, or one that was closed or cut short: every order and turn is in the
    journals before it is acknowledged: nothing is lost. It prints the instructor's link, and for
    each team its link and a QR code; the links of before stay good. Ctrl-C closes it.

    With neither --teams nor --scenario the exercise is prepared first, on a page of the
    instructor's; other options then stand in its form. Without DISTRICT, a district pack is sent
    there too.

    \b
    averse serve poa
    averse serve poa --teams Red,Blue,Green
    averse serve poa --scenario class.toml --out monday
    averse serve poa --teams Rouge,Bleu --timer tense --lang fr --out salle
    averse serve salle
    """
    from exercises.room.address import listen
    from exercises.room.folder import is_room, keep_in_centre
    from exercises.room.opening import open_room

    given = _given(context)
    if place is not None and is_room(place):
        _refuse_settled(context, _OF_A_NEW_ROOM)
    elif district is not None:
        raise Misuse(refuse("", "--district is for a room whose pack was moved: leave it out"))
    elif place is None and (teams is not None or scenario is not None):
        raise Misuse(refuse("", "give the DISTRICT that is played on"))
    if scenario is None and (place is None or not is_room(place)):
        given.setdefault("lang", spoken())
    keep_in_centre(database, place)
    # the port first: that it is taken is told before the water is computed
    with closing(listen(host, port)) as listening:
        if place is None or (teams is None and scenario is None and not is_room(place)):
            from exercises.room.serve import serve_preparation

            serve_preparation(place, out, given, listening, host, say=click.echo)
            return
        with _progress() as tell:
            folder = open_room(place, out, scenario, given, tell)
            from exercises.room.serve import serve_room
        serve_room(folder, listening, host, pack=district, lang=lang, say=click.echo)


@cli.command(extras=("gis", "print"))
@said_argument("place", type=_PATH, metavar="DISTRICT|ROOM")
@said_option("--out", required=True, type=_PATH, help="PDF file to write.")
@said_option("--teams", metavar="A,B,…", help="Names of the teams, one to eight  [default: one].")
@said_option(
    "--order-turns",
    type=click.IntRange(0, 60),
    default=ORDER_TURNS,
    show_default=True,
    help="Turns with a form of orders of their own; a blank one to copy is for the others.",
)
@_exercise_options
@said_option("--district", type=_PATH, help="District pack of a room, where it was moved.")
@said_option(
    "--lang",
    type=click.Choice(SPOKEN),
    help="Language [default: the room's, else the machine's, as LANG says it].",
)
@click.pass_context
def forms(
    context: click.Context,
    place: Path,
    out: Path,
    teams: str | None,
    order_turns: int,
    hour: str,
    turns: int,
    district: Path | None,
    lang: str | None,
) -> None:
    """Print forms for each team, to play on paper: before class, against a power cut.

    A4, in grey: the forecast's map to hatch by pencil, a table of orders for each of the first
    turns and one to copy, an event log, a card of the rules, and what there is in the town. What
    is written on them is entered turn by turn once the room is open again. A room's own teams,
    hour and length are taken.

    \b
    averse forms poa --teams Red,Blue --out forms.pdf
    averse forms poa-room --lang fr --out formulaires.pdf
    """
    from exercises.room.folder import is_room
    from exercises.room.forms import forms_for, write_forms, write_forms_of_room

    if is_room(place):
        _refuse_settled(context, ("teams", "hour", "turns"))
        click.echo(write_forms_of_room(place, out, lang, district, order_turns))
        return
    if district is not None:
        raise Misuse(refuse("", "--district is for a room whose pack was moved: leave it out"))
    asked = forms_for(teams, int(hour), turns, lang or spoken(), order_turns)
    click.echo(write_forms(place, out, asked, lang or spoken()))


@cli.command("export-journal", extras=("gis", "centre"))
@said_argument("place", type=_PATH, metavar="ROOM|EXERCISE")
@said_option("--out", required=True, type=_PATH, help="Folder of the copy, a new one.")
def export_journal(place: Path, out: Path) -> None:
    """Copy a room or an exercise out of a centre's database: all of the copy is files.

    AVERSE_DATABASE gives the address of the database. What is there stays, and may be in play.

    \b
    averse export-journal salle --out copy
    averse export-journal salle/teams/1-red --out red
    """
    from exercises.store.pointer import with_centre

    with with_centre():
        from exercises.store.moving import copy_out
    copy_out(place, out)
    click.echo(str(out))


@cli.command("import-journal", extras=("gis", "centre"))
@said_argument("place", type=_PATH, metavar="ROOM|EXERCISE")
@said_option(
    "--files",
    type=_PATH,
    help="Folder of the copy that stays in files [default: beside it, its name and -files].",
)
def import_journal(place: Path, files: Path | None) -> None:
    """Move a room or an exercise kept in files into a centre's database; a copy stays in files.

    AVERSE_DATABASE gives the address of the database. The folder stays, and is opened and played
    as before; its journals and its book are in the database. Nobody may be playing. A run that was
    cut short goes on where it stood.

    \b
    averse import-journal salle
    averse import-journal salle/teams/1-red --files red-files
    """
    from exercises.store.pointer import with_centre

    with with_centre():
        from exercises.store.moving import bring_in
    kept = place.with_name(f"{place.absolute().name}-files") if files is None else files
    with _progress() as tell:
        database = bring_in(place, kept, tell)
    click.echo(said(mark("Moved into the database {database}")).format(database=database))
    click.echo(said(mark("Files kept in {folder}")).format(folder=kept))


@cli.command(cls=_ShowsOrders)
@said_option("--schema", is_flag=True, help="Print the JSON schema of a line instead.")
@_language("Language [default: the machine's, as LANG says it, else en].")
def orders(schema: bool, lang: str) -> None:
    """Show every kind of order, its fields and an example.

    \b
    averse orders --lang fr
    averse orders --schema > orders.schema.json
    """
    from exercises.journal_reporting import print_orders, print_orders_schema

    print_orders_schema() if schema else print_orders(lang)


@cli.command(extras=("gis",))
@said_argument("district", type=_PATH)
@said_option("--out", required=True, type=_PATH, help="Folder of the pictures.")
@said_option(
    "--level", type=click.Choice([str(level) for level in LEVELS]), help="Level of the storm."
)
@said_option(
    "--exercise", type=_PATH, help="Folder of an exercise played there, for its level and hour."
)
@_language("Language [default: the machine's, as LANG says it, else en].")
def water(district: Path, out: Path, level: str | None, exercise: Path | None, lang: str) -> None:
    """Draw the water of a storm: a film for the classroom, depths by turn, the balance.

    The instructor's: the pictures give away all that an exercise hides. Show them when it is over.

    \b
    averse water poa --level 5 --out poa-water
    averse water poa --exercise exercise --out exercise-water --lang fr

    \b
    water.html   the film: a slider over the turns, offline
    depths.tif   depth of every pixel, metres, a band a turn
    balance.svg  rain by turn; water on the ground and gone (figures: balance.csv)
    """
    from exercises.water_pictures import draw_water

    if (level is None) == (exercise is None):
        raise Misuse(refuse("", "give --level or --exercise, one of the two"))
    with _progress() as tell:
        files = draw_water(
            district, out, None if level is None else int(level), exercise, lang, tell
        )
    for path in files.values():
        click.echo(path)


@cli.command(extras=("gis",))
@said_argument("district", type=_PATH)
@said_option(
    "--shares",
    type=_SHARES,
    default="3,10,20,35",
    show_default=True,
    metavar="A,B,C,D",
    help="Percent of those to shelter to be threatened at levels 1, 2, 3 and 5.",
)
@said_option(
    "--hour",
    type=click.Choice([str(h) for h in HOURS]),
    default="14",
    show_default=True,
    help="Hour for which those to shelter are counted (§8).",
)
@said_option("--keep-storm", is_flag=True, help="Leave the storm's peak and length alone.")
@said_option("--dry-run", is_flag=True, help="Seek and print; write no ladder into the pack.")
@said_option("--json", "as_json", is_flag=True, help="Print JSON rather than a table.")
@_language("Language [default: the machine's, as LANG says it, else en].")
def calibrate(
    district: Path,
    shares: tuple[float, ...],
    hour: str,
    keep_storm: bool,
    dry_run: bool,
    as_json: bool,
    lang: str,
) -> None:
    """Find what the levels must stand for so that they threaten wanted shares of a town (§7.6).

    The instructor's: it prints what no player may know. Drains fail first, then the ground is
    soaked, then the rain grows up to a hundred years'. The ladder is written into the district,
    for all that is played on it afterwards. A run that is stopped goes on where it stood.

    \b
    averse calibrate poa
    averse calibrate poa --shares 2,6,12,25 --hour 8 --lang fr
    """
    from exercises.calibrate_pack import calibrate_pack
    from exercises.reporting import print_calibration

    with _progress() as tell:
        entry = calibrate_pack(
            district,
            tuple(share / 100 for share in shares),
            int(hour),
            keep_storm=keep_storm,
            write=not dry_run,
            lang=lang,
            tell=tell,
        )
    print_calibration(district, entry, written=not dry_run, as_json=as_json, lang=lang)


@cli.command(extras=("gis",))
@said_argument("district", type=_PATH)
@said_option(
    "--seeds", type=click.IntRange(1, 1000), default=20, show_default=True, help="Seeds a level."
)
@_exercise_options
@_language("Language [default: the machine's, as LANG says it, else en].")
def compare(district: Path, seeds: int, hour: str, turns: int, lang: str) -> None:
    """Compare the baseline players over many seeds and every level of the storm.

    On a weekday with everyone at work, and without cards: the table tells storms and players apart.

    \b
    averse compare poa --seeds 20
    """
    from exercises.chain import compare_players
    from exercises.reporting import print_comparison

    with _progress() as tell:
        table = compare_players(district, seeds, int(hour), turns, tell)
    print_comparison(table, lang)


@cli.command(extras=("gis", "print", "debrief"))
@said_option(
    "--out",
    type=_PATH,
    default=Path("demo"),
    show_default=True,
    help="Folder for all that the demo makes.",
)
@_language("Language [default: the machine's, as LANG says it, else en].")
def demo(out: Path, lang: str) -> None:
    """Run the whole chain: draw the reference town, build it, play, debrief.

    \b
    averse demo --out demo
    """
    from exercises.build_reporting import print_demo
    from exercises.debrief.crew import crew_of, processes_here
    from exercises.demo import run_demo

    with _progress() as tell, crew_of(processes_here()) as crew:
        result = run_demo(out, lang, tell, crew)
    print_demo(result, lang)


def _usage_fault(error: click.ClickException) -> str:
    """Say in one sentence what is wrong with a command line, and where it is explained."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "averse"
    what = " ".join(error.format_message().split()).removesuffix(".").replace(". (", " (")
    form = said(mark("{command}: {what}; `{command} --help` tells what it takes"))
    return form.format(command=command, what=what[:1].lower() + what[1:])


def _in_its_language(fault: AverseError) -> str:
    """Return what a fault says, in the language of the command that met it."""
    from exercises.command_faults import fault_of_command, language_of_command

    lang = language_of_command(sys.argv[1:], os.environ)
    speak(lang)
    return said(mark("averse: {fault}")).format(fault=fault_of_command(fault, lang))


def main() -> None:
    """Run the command; a fault of the user's ends it with one sentence and status 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that has no é shows ?
    stopped_by = [int(signal.SIGINT)]

    def stop(number: int, frame: object) -> None:
        # a closed terminal or a shutdown ends the work as Ctrl-C does: nothing half-written stays
        stopped_by.append(number)
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), stop)
    speak(language_of_line(sys.argv[1:], os.environ))
    try:
        cli(prog_name="averse", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(EXIT_USER_FAULT)
    except click.ClickException as error:
        click.echo(_usage_fault(error), err=True)
        sys.exit(EXIT_USER_FAULT)
    except click.Abort:
        click.echo(said(mark("averse: stopped")), err=True)
        sys.exit(128 + stopped_by[-1])
    except AverseError as error:
        click.echo(_in_its_language(error), err=True)
        sys.exit(EXIT_USER_FAULT)
    except OSError as error:
        fault = refuse(
            "",
            "{where}: cannot read or write ({why}): give another place, or mend what is there",
            where=str(error.filename or "averse"),
            why=str(error.strerror or error),
        )
        click.echo(_in_its_language(AverseError(fault)), err=True)
        sys.exit(EXIT_USER_FAULT)


if __name__ == "__main__":
    main()
