"""What an exercise that is over gives to look at: the debrief pack, the film."""

from pathlib import Path

import click

from exercises.command_help import said_argument, said_command, said_option
from exercises.command_language import SPOKEN
from exercises.commands.options import PATH, played_on
from sim.errors import DebriefError
from sim.refusal import refuse


@said_command(extras=("gis", "print", "debrief"))
@said_argument("exercises", type=PATH, nargs=-1, required=True, metavar="EXERCISE...")
@said_option("--out", required=True, type=PATH, help="Folder of the debrief pack.")
@said_option("--zip", "archive", is_flag=True, help="Also write the pack as one file, OUT.zip.")
@played_on
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
    averse debrief exercise --district /media/usb/my-town --out debrief

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
    from exercises.progress import console_progress

    with console_progress() as tell, crew_of(processes_here()) as crew:
        crew.warm_up(MODULES)
        material = read_material(exercises, district, tell, crew)
        said = lang or material.lang
        pack = write_pack(material, out, said, archive=archive, tell=tell, crew=crew)
    print_debrief(pack, said)


@said_command(extras=("gis", "print", "debrief"))
@said_argument("exercise", type=PATH)
@said_option("--out", required=True, type=PATH, help="File of the film: .mp4 or .gif.")
@said_option(
    "--seconds",
    type=click.FloatRange(0.25, 10),
    default=1.0,
    show_default=True,
    help="How long a turn is shown.",
)
@played_on
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
    from exercises.progress import console_progress

    if seconds != seconds:
        raise DebriefError(
            refuse("", "--seconds nan is no length: give from 0.25 to 10 seconds a turn")
        )
    with console_progress() as tell:
        material = read_material([exercise], district, tell)
        (team,) = material.teams
        said = lang or material.lang
        write_timelapse(material.pack, team, out, said, turn_ms=round(1000 * seconds), tell=tell)
    click.echo(str(out))
