"""Options that several subcommands take, and the kinds of values that are typed for them."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from exercises.command_help import said_option
from exercises.command_language import SPOKEN, mark, said, spoken
from sim.rules import CREDIBILITY_MOST, CREDIBILITY_START, HOURS, LEVELS, TURNS, Timer


class _Place(click.Path):
    """A path that leads where it says though a folder that it only passes is not there yet.

    To the system, ``q/../room`` is nothing before ``q`` is made; a shell's user means ``room``.
    """

    def convert(self, value: Any, param: Any, ctx: Any) -> Path:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        with suppress(OSError, RuntimeError, ValueError):  # whoever opens it says what is wrong
            if ".." in path.parts and not path.parent.exists():
                return path.resolve()
        return path


PATH = _Place(path_type=Path)


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


BBOX = _Numbers(mark("W,S,E,N in degrees"), 4, float)
CENTRE = _Numbers(mark("LON,LAT in degrees"), 2, float)
SIZE = _Numbers(mark("COLSxROWS, such as 44x28"), 2, int, "x")
SHARES = _Numbers(mark("percents, one for each level: 3,10,20,35"), len(LEVELS), float)


def language_option(what: str) -> Callable[..., Any]:
    """Return the option of a language that is the machine's unless another is asked for."""
    return said_option("--lang", type=click.Choice(SPOKEN), default=spoken, help=what)


def own_language(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option of a language that is the exercise's unless another is asked for."""
    return said_option(
        "--lang",
        type=click.Choice(SPOKEN),
        help="Language of what is printed [default: the exercise's].",
    )(command)


def exercise_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of an exercise of any kind: its length and its hour."""
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


def scenario_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of an initial situation (§8, §13-15): what its instructor chooses."""
    for option in (
        said_option(
            "--injects",
            type=PATH,
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
            help="How long a turn may take (§14): 120, 90 or 45 s.",
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


scenario_file = said_option(
    "--scenario",
    type=PATH,
    metavar="FILE",
    help="What is played, TOML: see averse scenario --help. Options given beside it win.",
)


played_on = said_option(
    "--district",
    type=PATH,
    help="District pack that was played on [default: where it was when the exercise began].",
)
