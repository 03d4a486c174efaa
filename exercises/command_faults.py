"""What a command says of a fault of its user's, and in which language."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from exercises.command_language import language_of_line
from exercises.fault_words import kept_words
from exercises.journal import JOURNAL, is_begun, read_journal
from exercises.store.pointer import pointer_of
from sim.errors import AverseError


def fault_of_command(fault: AverseError, lang: str) -> str:
    r"""Return what a fault says; in English where it is kept in no other language.

    Examples
    --------
    >>> from sim.errors import ExerciseError
    >>> from sim.refusal import refuse
    >>> there = "{path} is there already: give another name"
    >>> fault_of_command(ExerciseError(refuse("", there, path="a.toml")), "fr")
    'a.toml existe déjà\xa0: donnez un autre nom'
    >>> fault_of_command(ExerciseError("room.json cannot be read"), "fr")
    'room.json cannot be read'
    """
    return kept_words(fault, lang) or str(fault)


def language_of_command(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return the language in which a command's fault is told.

    That of its line (``language_of_line``), but that an exercise kept in a database is asked there.

    Parameters
    ----------
    arguments : sequence of str
        Of the command line.
    environment : mapping of str to str

    Examples
    --------
    >>> language_of_command(["play", "--lang=fr"], {}), language_of_command([], {"LANG": "fr_FR"})
    ('fr', 'fr')
    """
    kept = next(
        filter(None, (_kept_in_centre(Path(one)) for one in arguments if one[:1] != "-")), ""
    )
    return language_of_line(arguments, {"LANG": kept} if kept else environment)


def _kept_in_centre(folder: Path) -> str:
    """Return the language of an exercise in a database; '' where none can be read there."""
    # a command that is at fault may lack what a database needs
    with suppress(AverseError, OSError, ValueError, ImportError):
        if is_begun(folder / JOURNAL) and pointer_of(folder / JOURNAL) is not None:
            return read_journal(folder / JOURNAL).meta.get("lang", "")
    return ""
