"""A class in one room: in its browsers, or on paper."""

from contextlib import closing
from pathlib import Path
from typing import Any

import click

from exercises.command_help import Misuse, said_argument, said_command, said_option
from exercises.command_language import SPOKEN, spoken
from exercises.commands.options import PATH, exercise_options, scenario_file, scenario_options
from exercises.commands.typed import SETTLED, given_on, refuse_settled
from exercises.room.printing import ORDER_TURNS
from sim.refusal import refuse
from sim.rules import LEVELS

_OF_A_NEW_ROOM = (
    *(name for name in SETTLED if name not in {"team", "lang"}),
    *("teams", "out", "weather", "own_dice", "scenario"),
)
"""Options of a room that one already open has."""


@said_command(extras=("gis", "print", "debrief", "room"))
@said_argument("place", type=PATH, metavar="[DISTRICT|ROOM]", required=False)
@said_option("--teams", metavar="A,B,…", help="Names of the teams, one to eight.")
@said_option("--out", type=PATH, help="Folder of the new room  [default: DISTRICT-room].")
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
@said_option("--district", type=PATH, help="District pack of a room, where it was moved.")
@said_option("--weather", type=PATH, help="The scenario's weather, TOML, as for averse play.")
@said_option("--seed", help="Seed, 32 hexadecimal digits or more [default: drawn].")
@said_option("--own-dice", is_flag=True, help="Dice of its own for each team, under one storm.")
@said_option(
    "--level",
    type=click.Choice([str(level) for level in LEVELS]),
    help="Level of the storm [default: drawn in secret from the seed].",
)
@exercise_options
@scenario_options
@scenario_file
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
    averse serve my-town
    averse serve my-town --teams Red,Blue,Green
    averse serve my-town --scenario class.toml --out monday
    averse serve my-town --teams Red,Blue --timer tense --lang fr --out room
    averse serve room
    """
    from exercises.progress import console_progress
    from exercises.room.address import listen
    from exercises.room.folder import is_room, keep_in_centre
    from exercises.room.opening import open_room

    given = given_on(context)
    if place is not None and is_room(place):
        refuse_settled(context, _OF_A_NEW_ROOM)
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
        with console_progress() as tell:
            folder = open_room(place, out, scenario, given, tell)
            from exercises.room.serve import serve_room
        serve_room(folder, listening, host, pack=district, lang=lang, say=click.echo)


@said_command(extras=("gis", "print"))
@said_argument("place", type=PATH, metavar="DISTRICT|ROOM")
@said_option("--out", required=True, type=PATH, help="PDF file to write.")
@said_option("--teams", metavar="A,B,…", help="Names of the teams, one to eight  [default: one].")
@said_option(
    "--order-turns",
    type=click.IntRange(0, 60),
    default=ORDER_TURNS,
    show_default=True,
    help="Turns with a form of orders of their own; a blank one to copy is for the others.",
)
@exercise_options
@said_option("--district", type=PATH, help="District pack of a room, where it was moved.")
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
    averse forms my-town --teams Red,Blue --out forms.pdf
    averse forms room --lang fr --out forms-fr.pdf
    """
    from exercises.room.folder import is_room
    from exercises.room.forms import forms_for, write_forms, write_forms_of_room

    if is_room(place):
        refuse_settled(context, ("teams", "hour", "turns"))
        click.echo(write_forms_of_room(place, out, lang, district, order_turns))
        return
    if district is not None:
        raise Misuse(refuse("", "--district is for a room whose pack was moved: leave it out"))
    asked = forms_for(teams, int(hour), turns, lang or spoken(), order_turns)
    click.echo(write_forms(place, out, asked, lang or spoken()))
