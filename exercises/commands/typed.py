"""What was typed on a line, apart from what its options are when left out."""

from typing import Any

import click

from exercises.command_help import Misuse
from sim.refusal import refuse

SETTLED = (
    *("seed", "level", "hour", "turns", "lang", "team"),
    *("cards", "weekend", "half_staff", "gathering", "credibility", "injects", "timer"),
)
"""Options of a play that an exercise begun already has."""


def given_on(context: click.Context) -> dict[str, Any]:
    """Return the options that were typed, as a scenario file writes them."""
    typed = {
        name: value
        for name, value in context.params.items()
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    }
    given: dict[str, Any] = {
        "own_seeds" if name == "own_dice" else name: value
        for name, value in typed.items()
        if name in {*SETTLED, "own_dice"} - {"team", "hour", "level", "gathering", "injects"}
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


def was_typed(context: click.Context, name: str) -> bool:
    """Whether an option was typed on the line, be it what it is when left out."""
    return context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def refuse_settled(context: click.Context, names: tuple[str, ...]) -> None:
    """Raise where an option is given that an exercise begun already has."""
    for name in names:
        if was_typed(context, name):
            option = "--" + name.replace("_", "-")
            raise Misuse(
                refuse(
                    "",
                    "{option} was settled when the exercise began: leave it out",
                    option=option,
                )
            )
