"""An exercise played on one machine, and what it is played from: scenario and orders."""

import json
from pathlib import Path

import click

from exercises.command_help import Misuse, SaidCommand, said_argument, said_command, said_option
from exercises.command_language import SPOKEN, mark, said, spoken
from exercises.commands.options import (
    PATH,
    exercise_options,
    language_option,
    scenario_file,
    scenario_options,
)
from exercises.commands.typed import SETTLED, given_on, refuse_settled
from sim.refusal import refuse
from sim.rules import LEVELS, Timer


@said_command("scenario", extras=("gis",))
@said_argument("district", type=PATH, required=False)
@said_option("--check", type=PATH, metavar="FILE", help="Scenario to check, TOML.")
@said_option("--write", type=PATH, metavar="FILE", help="File to write a new scenario to.")
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
    averse scenario --check class.toml my-town
    averse serve my-town --scenario class.toml

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


class _ShowsOrders(SaidCommand):
    """Ends its help with every kind of order; what knows them is loaded then only."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from exercises.order_forms import ORDER_KINDS, example_of, what_it_does

        with formatter.section(said(mark("Orders, each with an example"))):
            for kind in ORDER_KINDS.values():
                formatter.write_text(said(what_it_does(kind)))
                formatter.write(f"{'':6}{json.dumps(example_of(kind))}\n")


@said_command(cls=_ShowsOrders)
@said_option("--schema", is_flag=True, help="Print the JSON schema of a line instead.")
@language_option("Language [default: the machine's, as LANG says it, else en].")
def orders(schema: bool, lang: str) -> None:
    """Show every kind of order, its fields and an example.

    \b
    averse orders --lang fr
    averse orders --schema > orders.schema.json
    """
    from exercises.journal_reporting import print_orders, print_orders_schema

    print_orders_schema() if schema else print_orders(lang)


@said_command(extras=("gis",))
@said_argument("district", type=PATH)
@said_option("--out", required=True, type=PATH, help="Folder of the played exercise.")
@said_option("--terminal", is_flag=True, help="Play at the keyboard: type help there.")
@said_option("--orders", type=PATH, help="Orders to play, JSON Lines [default: the player's own].")
@said_option(
    "--weather",
    type=PATH,
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
@exercise_options
@scenario_options
@scenario_file
@language_option("Language [default: the machine's, as LANG says it, else en].")
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
    averse play my-town --out exercise
    averse play my-town --terminal --lang fr --out mine
    averse play my-town --orders orders.jsonl --seed 00112233445566778899aabbccddeeff --out again
    averse play my-town --weekend --gathering 2314:5000 --injects injects.csv --out match
    averse play my-town --scenario class.toml --hour 8 --out morning
    averse play my-town --weather rise.toml --out rise
    averse play my-town --out exercise --resume

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
        refuse_settled(context, (*SETTLED, "scenario"))
    if terminal and (orders is not None or player is not None):
        raise Misuse(refuse("", "--terminal plays by hand: give it without --orders and --player"))
    from exercises.chain import (
        TERMINAL,
        ExerciseOptions,
        finish_opened,
        open_exercise,
        play_opened,
    )
    from exercises.progress import console_progress
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

        given = given_on(context)
        asked = exercise_of(read_scenario(scenario, district, over=given, lang=given.get("lang")))
        options = replace(asked, orders=orders, player=options.player, team=team)
    with console_progress() as tell:
        opened = open_exercise(district, out, options, tell)
        by_hand = opened.options.player == TERMINAL and orders is None
        result = None if by_hand else play_opened(opened, tell)
    if result is None:
        # no bar runs while somebody types
        from exercises.terminal import sit_down

        result = sit_down(opened)
        if result is None:
            return
        with console_progress() as tell:
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
