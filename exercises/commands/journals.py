"""The journal of an exercise: replayed, proved, copied out of a database and moved into one."""

from pathlib import Path

import click

from exercises.command_help import Misuse, said_argument, said_command, said_option
from exercises.command_language import mark, said, spoken
from exercises.commands.options import PATH, own_language
from exercises.commands.typed import was_typed
from sim.refusal import refuse
from sim.seats import SIDES, TEAM


@said_command()
@said_argument("exercise", type=PATH)
@said_option("--turn", type=click.IntRange(0), help="Turn to stop at [default: the last].")
@said_option("--out", type=PATH, help="Folder for the scores, events and orders of the whole.")
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
@own_language
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
    if not log and was_typed(context, "side"):
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


@said_command()
@said_argument("exercise", type=PATH)
@own_language
def verify(exercise: Path, lang: str | None) -> None:
    """Compute every hash, state and score of an exercise again, and compare.

    \b
    averse verify exercise
    """
    from exercises.journal_reporting import print_verified
    from exercises.verification import verify_exercise

    print_verified(verify_exercise(exercise), lang)


@said_command("export-journal", extras=("gis", "centre"))
@said_argument("place", type=PATH, metavar="ROOM|EXERCISE")
@said_option("--out", required=True, type=PATH, help="Folder of the copy, a new one.")
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


@said_command("import-journal", extras=("gis", "centre"))
@said_argument("place", type=PATH, metavar="ROOM|EXERCISE")
@said_option(
    "--files",
    type=PATH,
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
    from exercises.progress import console_progress
    from exercises.store.pointer import with_centre

    with with_centre():
        from exercises.store.database import in_each
        from exercises.store.moving import bring_in
    from exercises.voice import voice

    kept = place.with_name(f"{place.absolute().name}-files") if files is None else files
    with console_progress() as tell:
        database = bring_in(place, kept, tell)
    told = voice(spoken()).phrase("Moved into the database {database}", database=in_each(database))
    click.echo(told)
    click.echo(said(mark("Files kept in {folder}")).format(folder=kept))
