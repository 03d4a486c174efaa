"""The ``averse`` command: its group, its version, and how a fault of the user's ends it.

Its subcommands are in ``exercises.commands``: one parses its arguments, calls one function and
prints.
"""

import sys

try:
    import io
    import os
    import signal

    import click

    from exercises.command_help import SaidGroup, said_option
    from exercises.command_language import language_of_line, mark, said, speak
    from exercises.commands.build import build
    from exercises.commands.debriefs import debrief, timelapse
    from exercises.commands.districts import export, map_, report, sheet
    from exercises.commands.journals import export_journal, import_journal, replay, verify
    from exercises.commands.plays import orders, play, scenario_
    from exercises.commands.reference import demo, town
    from exercises.commands.rooms import forms, serve
    from exercises.commands.storms import calibrate, compare, water
    from sim.errors import AverseError
    from sim.refusal import refuse, shown
    from sim.rules import RULES_VERSION
except KeyboardInterrupt:  # before any language is known
    sys.stderr.write("averse: stopped\n")
    sys.exit(130)

EXIT_USER_FAULT = 2

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


for _command in (
    *(build, map_, sheet, report, export),
    *(town, demo),
    *(water, calibrate, compare),
    *(play, scenario_, orders),
    *(replay, verify, export_journal, import_journal),
    *(debrief, timelapse),
    *(serve, forms),
):
    cli.add_command(_command)


_NUMBERS = {"integer range": mark("whole number"), "float range": mark("number")}
"""What click calls the numbers of an option; it says so in its own language."""


def _usage_fault(error: click.ClickException) -> str:
    """Say in one sentence what is wrong with a command line, and where it is explained."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "averse"
    told = error.format_message()
    for name, number in _NUMBERS.items():
        told = told.replace(name, said(number))
    what = shown(" ".join(told.split())).removesuffix(".").replace(". (", " (")
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
    stopped_by: list[int] = []

    def stop(number: int, frame: object) -> None:
        # a closed terminal or a shutdown ends the work as Ctrl-C does: nothing half-written stays
        stopped_by.append(number)
        raise KeyboardInterrupt

    def end() -> None:
        click.echo(said(mark("averse: stopped")), err=True)
        sys.exit(128 + [signal.SIGINT, *stopped_by][-1])

    try:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # a terminal that has no é shows ?
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            # what runs in the background of a script is not to hear of Ctrl-C
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, stop)
        speak(language_of_line(sys.argv[1:], os.environ))
        _run()
    except (click.Abort, KeyboardInterrupt):
        end()
    except Exception:
        if not stopped_by:
            raise
        end()  # numba, stopped while it compiles, has lost why and complains of what it lacks


def _run() -> None:
    try:
        cli(prog_name="averse", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(EXIT_USER_FAULT)
    except click.ClickException as error:
        click.echo(_usage_fault(error), err=True)
        sys.exit(EXIT_USER_FAULT)
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
