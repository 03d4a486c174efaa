"""What ``averse replay``, ``verify`` and ``orders`` print."""

import json
import sys

from rich.console import Console
from rich.table import Table

from exercises.event_log import event_log
from exercises.exports import UNDEFINED
from exercises.flood_family import FLOOD
from exercises.order_forms import ORDER_KINDS, example_of, field_words, orders_schema, what_it_does
from exercises.verification import Replayed, Verified
from exercises.voice import SOURCE, Voice, voice
from sim.errors import ExerciseError
from sim.refusal import refuse

_WIDTH = 120


def _console() -> Console:
    return Console(soft_wrap=True, highlight=False, markup=False)


def print_replayed(again: Replayed, lang: str | None = None) -> None:
    """Print where a replay led to, in the language of the exercise unless told."""
    meta, score, say = again.record.meta, again.score, _voice_of(again, lang)
    turn = str(again.moment)
    if again.is_over:
        turn = say.phrase("{turn} (the end)", turn=turn)
    points = json.dumps(score)
    if "points" in score:
        points = say.plural("{n:,} point", "{n:,} points", score["points"])
    table = Table(show_header=False, box=None, padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")  # a hash is copied whole
    for name, value in (
        (say.phrase("district"), meta.get("district", UNDEFINED)),
        (say.phrase("rules"), meta["rules_version"]),
        (say.phrase("entries"), say.number(len(again.record.entries))),
        (say.phrase("turn"), turn),
        (say.phrase("score"), points),
        (say.phrase("state"), again.state_sha256),
    ):
        table.add_row(name, str(value))
    _console().print(table)


def print_log(again: Replayed, side: str, until: int | None, lang: str | None) -> None:
    """Print the event log of a side as CSV, up to the opening of a turn.

    Raises
    ------
    ExerciseError
        If the exercise is of a family that has none.
    """
    if again.record.meta["family"] != FLOOD.name:
        raise ExerciseError(
            refuse(
                "",
                "{path} is an exercise of the family {meta}: the flood's alone have an event log",
                path=str(again.record.path),
                meta=repr(again.record.meta["family"]),
            )
        )
    happened = [event for turn in again.turns for event in turn.events]
    kept = [event for event in happened if until is None or event.turn < until]
    # spreadsheets know UTF-8 by its mark, which a terminal would show
    mark = "" if sys.stdout.isatty() else "\ufeff"
    say = _voice_of(again, lang)
    print(mark + event_log(again.start.world, kept, say.lang, side), end="")


def _voice_of(again: Replayed, lang: str | None) -> Voice:
    return voice(lang or again.record.meta.get("lang", SOURCE))


def print_verified(verified: Verified, lang: str | None = None) -> None:
    """Print in one line what was verified, in the language of the exercise unless told."""
    again = verified.replayed
    say = _voice_of(again, lang)
    turns = len([step for step in again.steps if step.order is None])
    said = say.phrase(
        "verified: {entries}, {turns}, state {state}",
        entries=say.plural("{n:,} entry", "{n:,} entries", len(again.record.entries)),
        # the forecast is none
        turns=say.plural("{n} turn", "{n} turns", max(0, turns - 1)),
        state=again.state_sha256,
    )
    if verified.files:
        said = say.phrase("{said}, files {files}", said=said, files=", ".join(verified.files))
    if not again.is_over:
        said = say.phrase("{said}, not over: turn {turn} is open", said=said, turn=again.moment)
    print(said)


def print_orders(lang: str = SOURCE) -> None:
    """Print every kind of order: its fields, what it does, an example."""
    say = voice(lang)
    width = None if sys.stdout.isatty() else _WIDTH
    console = Console(highlight=False, markup=False, width=width)
    table = Table(
        title=say.phrase("Orders, one a line of a file (JSON Lines); each may have a reason"),
        title_justify="left",
        show_lines=True,
    )
    for column in (
        say.phrase("order"),
        say.phrase("what it does"),
        say.phrase("fields beside turn"),
    ):
        table.add_column(column, overflow="fold")
    for key, kind in ORDER_KINDS.items():
        words = field_words(kind, lang)
        fields = "\n".join(f"{name}: {held}" for name, held in words.items())
        sentence = what_it_does(kind)
        table.add_row(key, say.phrase(sentence), fields)
    console.print(table)
    # an example is copied: it stands on one line, whatever the width
    for kind in ORDER_KINDS.values():
        print(json.dumps(example_of(kind), ensure_ascii=False))


def print_orders_schema() -> None:
    """Print the JSON schema of one line of a file of orders."""
    print(json.dumps(orders_schema(), ensure_ascii=False, indent=1))
