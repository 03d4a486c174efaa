"""The storms of a district, for its instructor: their water, their levels, who copes with them."""

from pathlib import Path

import click

from exercises.command_help import Misuse, said_argument, said_command, said_option
from exercises.commands.options import PATH, SHARES, exercise_options, language_option
from sim.refusal import refuse
from sim.rules import HOURS, LEVELS


@said_command(extras=("gis",))
@said_argument("district", type=PATH)
@said_option("--out", required=True, type=PATH, help="Folder of the pictures.")
@said_option(
    "--level", type=click.Choice([str(level) for level in LEVELS]), help="Level of the storm."
)
@said_option(
    "--exercise", type=PATH, help="Folder of an exercise played there, for its level and hour."
)
@language_option("Language [default: the machine's, as LANG says it, else en].")
def water(district: Path, out: Path, level: str | None, exercise: Path | None, lang: str) -> None:
    """Draw the water of a storm: a film for the classroom, depths by turn, the balance.

    The instructor's: the pictures give away all that an exercise hides. Show them when it is over.

    \b
    averse water my-town --level 5 --out my-town-water
    averse water my-town --exercise exercise --out exercise-water --lang fr

    \b
    water.html   the film: a slider over the turns, offline
    depths.tif   depth of every pixel, metres, a band a turn
    balance.svg  rain by turn; water on the ground and gone (figures: balance.csv)
    """
    from exercises.progress import console_progress
    from exercises.water_pictures import draw_water

    if (level is None) == (exercise is None):
        raise Misuse(refuse("", "give --level or --exercise, one of the two"))
    with console_progress() as tell:
        files = draw_water(
            district, out, None if level is None else int(level), exercise, lang, tell
        )
    for path in files.values():
        click.echo(path)


@said_command(extras=("gis",))
@said_argument("district", type=PATH)
@said_option(
    "--shares",
    type=SHARES,
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
@language_option("Language [default: the machine's, as LANG says it, else en].")
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
    averse calibrate my-town
    averse calibrate my-town --shares 2,6,12,25 --hour 8 --lang fr
    """
    from exercises.calibrate_pack import calibrate_pack
    from exercises.progress import console_progress
    from exercises.reporting import print_calibration

    with console_progress() as tell:
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


@said_command(extras=("gis",))
@said_argument("district", type=PATH)
@said_option(
    "--seeds", type=click.IntRange(1, 1000), default=20, show_default=True, help="Seeds a level."
)
@exercise_options
@language_option("Language [default: the machine's, as LANG says it, else en].")
def compare(district: Path, seeds: int, hour: str, turns: int, lang: str) -> None:
    """Compare the baseline players over many seeds and every level of the storm.

    On a weekday with everyone at work, and without cards: the table tells storms and players apart.

    \b
    averse compare my-town --seeds 20
    """
    from exercises.chain import compare_players
    from exercises.progress import console_progress
    from exercises.reporting import print_comparison

    with console_progress() as tell:
        table = compare_players(district, seeds, int(hour), turns, tell)
    print_comparison(table, lang)
