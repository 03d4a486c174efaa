"""What a command says of a fault of its user's, and in which language."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from exercises.fault_words import kept_words
from exercises.journal import JOURNAL, is_begun, read_journal
from exercises.voice import SOURCE
from sim.errors import AverseError
from sim.severity_words import LANGUAGES


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

    That of ``--lang``, else of a room or exercise that is named, else of the environment where it
    is one of ours, else English.

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
    typed = [
        one.partition("=")[2] if "=" in one else after
        for one, after in zip(arguments, [*arguments[1:], ""], strict=False)
        if one.partition("=")[0] == "--lang"
    ]
    kept = [_language_in(Path(one)) for one in arguments if not one.startswith("-")]
    names = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return next((lang for lang in (*typed, *kept, names[:2]) if lang in LANGUAGES), SOURCE)


def _language_in(folder: Path) -> str:
    """Return the language of a room or an exercise; '' where none can be read there."""
    # a command that is at fault may lack what a room needs
    with suppress(AverseError, OSError, ValueError, ImportError):
        from exercises.room.folder import is_room, said_of

        if is_room(folder):
            return str(said_of(folder).get("lang", ""))
        if is_begun(folder / JOURNAL):
            return read_journal(folder / JOURNAL).meta.get("lang", "")
    return ""
