"""What ``averse replay``, ``verify`` and ``orders`` print."""

import json
import sys

from rich.console import Console
from rich.table import Table

from exercises.order_forms import ORDER_KINDS, example_of, field_words, orders_schema, what_it_does
from exercises.verification import Replayed, Verified

_WIDTH = 120


def _console() -> Console:
    return Console(soft_wrap=True, highlight=False, markup=False)


def print_replayed(again: Replayed) -> None:
    """Print where a replay led to."""
    meta, score = again.record.meta, again.score
    table = Table(show_header=False, box=None, padding=(0, 2))
    for name, value in (
        ("district", meta.get("district", "–")),
        ("rules", meta["rules_version"]),
        ("entries", f"{len(again.record.entries):,}"),
        ("turn", f"{again.moment}{' (the end)' if again.is_over else ''}"),
        ("score", f"{score['points']:,} points" if "points" in score else json.dumps(score)),
        ("state", again.state_sha256),
    ):
        table.add_row(name, str(value))
    _console().print(table)


def print_verified(verified: Verified) -> None:
    """Print in one line what was verified."""
    again = verified.replayed
    turns = len([step for step in again.steps if step.order is None])
    played = max(0, turns - 1)  # the forecast is none
    end = "" if again.is_over else f", not over: turn {again.moment} is open"
    files = f", files {', '.join(verified.files)}" if verified.files else ""
    print(
        f"verified: {len(again.record.entries):,} entries, {played} turns, "
        f"state {again.state_sha256}{files}{end}"
    )


def print_orders() -> None:
    """Print every kind of order: its fields, what it does, an example."""
    width = None if sys.stdout.isatty() else _WIDTH
    console = Console(highlight=False, markup=False, width=width)
    table = Table(
        title="Orders, one a line of a file (JSON Lines); each may have a reason",
        title_justify="left",
        show_lines=True,
    )
    for column in ("order", "what it does", "fields beside turn"):
        table.add_column(column, overflow="fold")
    for key, kind in ORDER_KINDS.items():
        fields = "\n".join(f"{name}: {words}" for name, words in field_words(kind).items())
        table.add_row(key, what_it_does(kind), fields)
    console.print(table)
    # an example is copied: it stands on one line, whatever the width
    for kind in ORDER_KINDS.values():
        print(json.dumps(example_of(kind), ensure_ascii=False))


def print_orders_schema() -> None:
    """Print the JSON schema of one line of a file of orders."""
    print(json.dumps(orders_schema(), ensure_ascii=False, indent=1))
