r"""Help of the commands, and faults of a command line, in the language that is spoken.

Click's commands and options say their help in that language at the moment of showing it. A help is
translated a paragraph at a time; one that begins with ``\b`` is kept as it is set. Commands to type
are translated too: the names in them are words.
"""

import copy
import functools
import importlib
import inspect
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from exercises.command_language import mark, said, spoken
from sim.errors import ExerciseError
from sim.refusal import Refusal, refuse

AS_SET = "\b"
"""Click's mark of a paragraph whose lines stay as they are."""
WORDS = (
    *("[OPTIONS]", "COMMAND [ARGS]...", "PATH", "TEXT", "FILE", "NAME", "SIDE", "EXERCISE"),
    *("W,S,E,N", "INTEGER RANGE", "FLOAT RANGE", "EXERCISE...", "[DISTRICT|ROOM]"),
    *("DISTRICT|ROOM", "ROOM|EXERCISE", "COLSxROWS", "HEX:PEOPLE", "ROOM"),
    "required",
)
"""Words of a help that click does not show Babel as its own."""
_OF_CLICK = ("core", "decorators", "exceptions", "formatting", "parser", "types")
"""Modules of click whose texts a user of a command meets."""
_OURS = frozenset({"sim", "gis", "exercises"})
_SENTENCE = 200
"""Signs of a first sentence that are shown: all of it, on two lines where it is long."""
_Shown = TypeVar("_Shown", click.Command, click.Option)


class Misuse(click.UsageError):
    """Options that do not go together, said in the language that is spoken."""

    def __init__(self, refusal: Refusal) -> None:
        from exercises.order_words import refused

        super().__init__(refused(refusal, spoken()))


class SaidOption(click.Option):
    """An option that tells of itself in the language that is spoken."""

    def make_metavar(self, ctx: click.Context) -> str:
        """Return what stands for its value."""
        return said(super().make_metavar(ctx))

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return its signs and its help."""
        return click.Option.get_help_record(_told(self), ctx)


class SaidArgument(click.Argument):
    """An argument that is named in the language that is spoken."""

    def make_metavar(self, ctx: click.Context) -> str:
        """Return its name."""
        return said(super().make_metavar(ctx))


class SaidCommand(click.Command):
    """A command whose help is in the language that is spoken.

    Parameters
    ----------
    *given, **options
        As of any command of click.
    extras : sequence of str
        Extras of averse without which it cannot run.
    """

    def __init__(self, *given: Any, extras: Sequence[str] = (), **options: Any) -> None:
        super().__init__(*given, **options)
        self.extras = tuple(extras)

    def invoke(self, ctx: click.Context) -> Any:
        """Run it.

        Raises
        ------
        ExerciseError
            If a library is not installed: it names the extras that the command needs.
        """
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as missing:
            if not self.extras or (missing.name or "").partition(".")[0] in _OURS:
                raise
            raise ExerciseError(
                refuse(
                    "",
                    "{module} is not installed, and {command} needs it: type {install}",
                    module=str(missing.name),
                    command=ctx.command_path,
                    install=install_of(self.extras),
                )
            ) from None

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return its option ``--help``."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = said(mark("Show this message and exit."))  # click made it once for all
        return option

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return what its usage line says after its name."""
        return [said(piece) for piece in super().collect_usage_pieces(ctx)]

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return its first sentence, whole, for the list of commands."""
        return click.Command.get_short_help_str(_told(self), max(limit, _SENTENCE))

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what it does."""
        click.Command.format_help_text(_told(self), ctx, formatter)


class SaidGroup(SaidCommand, click.Group):
    """Commands whose help is in the language that is spoken."""


said_command = functools.partial(click.command, cls=SaidCommand)
said_option = functools.partial(click.option, cls=SaidOption)
said_argument = functools.partial(click.argument, cls=SaidArgument)


def install_of(extras: Sequence[str]) -> str:
    """Return what to type to have some extras.

    >>> install_of(["gis", "print"])
    'pip install "averse[gis,print]"'
    """
    return f'pip install "averse[{",".join(extras)}]"'


def _told(shown: _Shown) -> _Shown:
    """Return what is shown with its help translated; it is left as it is."""
    again = copy.copy(shown)
    again.help = None if shown.help is None else said_help(shown.help)
    return again


def said_help(text: str) -> str:
    """Return a help in the language that is spoken, a paragraph at a time."""
    return "\n\n".join(
        f"{AS_SET}\n{said_as_set(part)}" if as_set else said(part)
        for as_set, part in paragraphs(text)
    )


def said_as_set(text: str) -> str:
    """Return lines of which each stays as it is."""
    return "\n".join(said(text).replace("\u00a0", " ").splitlines())


def paragraphs(text: str) -> Iterator[tuple[bool, str]]:
    r"""Yield the paragraphs of a help, and of each whether its lines stay as they are.

    >>> list(paragraphs("Draw\na map.\n\n\b\naverse map poa\naverse map caen"))
    [(False, 'Draw a map.'), (True, 'averse map poa\naverse map caen')]
    """
    for part in inspect.cleandoc(text).split("\n\n"):
        if part.startswith(AS_SET):
            yield True, part.removeprefix(AS_SET).strip("\n")
        else:
            yield False, " ".join(part.split())


def texts_of(command: click.Command) -> Iterator[str]:
    """Yield what the help of a command, and of those under it, says."""
    yield from _own_texts_of(command)
    for one in getattr(command, "commands", {}).values():
        yield from texts_of(one)


def _own_texts_of(command: click.Command) -> Iterator[str]:
    helps = [command.help, *(p.help for p in command.params if isinstance(p, click.Option))]
    for text in filter(None, helps):
        yield from (part for _, part in paragraphs(text))


def extract(fileobj: Any, keywords: Any, comment_tags: Any, options: Any) -> Iterator[Any]:
    """Yield what a file's commands say as Babel wants it: line, function, texts, comments.

    With the group, that is in the file of ``averse`` itself, comes what click says.
    """
    from babel.messages.extract import extract_python

    from exercises.cli import cli

    yield from extract_python(fileobj, keywords, comment_tags, options)
    said_there = [
        command
        for command in (cli, *cli.commands.values())
        if _file_of(command) == Path(fileobj.name).resolve()
    ]
    for command in said_there:
        for text in _own_texts_of(command):
            yield 1, "mark", text, []
    if cli in said_there:
        yield from _said_by_click()


def _file_of(command: click.Command) -> Path:
    assert command.callback is not None
    return Path(inspect.getfile(inspect.unwrap(command.callback))).resolve()


def _said_by_click() -> Iterator[Any]:
    from babel.messages.extract import extract_python

    for text in WORDS:
        yield 1, "mark", text, []
    own = {"_": None, "ngettext": None}
    for name in _OF_CLICK:
        source = inspect.getsource(importlib.import_module(f"click.{name}"))
        for _, function, texts, *_ in extract_python(io.BytesIO(source.encode()), own, [], {}):
            if isinstance(texts, str):
                yield 1, "mark", texts, []
            elif function == "ngettext":
                yield 1, "plural", texts, []
