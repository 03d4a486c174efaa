"""The reference town: drawn for a build, or taken through the whole chain."""

from pathlib import Path

import click

from exercises.command_help import said_command, said_option
from exercises.command_language import mark, said
from exercises.commands.options import PATH, language_option


@said_command(extras=("gis",))
@said_option("--out", required=True, type=PATH, help="Folder for the extract and the DEM.")
@said_option("--seed", help="Any text: another seed draws another town with the same figures.")
def town(out: Path, seed: str | None) -> None:
    """Draw the reference town: an invented town with the rule book's exact figures.

    \b
    averse town --out town        writes the OSM extract and the DEM, for `averse build`
    """
    from exercises.demo import draw_reference
    from exercises.progress import console_progress

    with console_progress() as tell:
        files = draw_reference(out, seed, tell)
    click.echo(said(mark("OSM extract: {path}")).format(path=files.osm))
    click.echo(said(mark("Elevation: {path}")).format(path=files.dem))
    command = f"averse build {files.build_arguments} --out district"
    click.echo(said(mark("Build it: {command}")).format(command=command))


@said_command(extras=("gis", "print", "debrief"))
@said_option(
    "--out",
    type=PATH,
    default=Path("demo"),
    show_default=True,
    help="Folder for all that the demo makes.",
)
@language_option("Language [default: the machine's, as LANG says it, else en].")
def demo(out: Path, lang: str) -> None:
    """Run the whole chain: draw the reference town, build it, play, debrief.

    \b
    averse demo --out demo
    """
    from exercises.build_reporting import print_demo
    from exercises.debrief.crew import crew_of, processes_here
    from exercises.demo import run_demo
    from exercises.progress import console_progress

    with console_progress() as tell, crew_of(processes_here()) as crew:
        result = run_demo(out, lang, tell, crew)
    print_demo(result, lang)
