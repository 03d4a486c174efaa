"""Which language a command speaks, told before anything heavy is loaded.

What click says of itself it asks of ``gettext``, whose domain and language are set here; what is
ours is asked there too, so that a command has one language.
"""

import gettext
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from gis.wording import spaced
from sim.refusal import mark

__all__ = ["DOMAIN", "LOCALE", "SOURCE", "SPOKEN", "language_of_line", "mark", "said", "speak"]

DOMAIN = "averse"
LOCALE = Path(__file__).parent / "locale"
SOURCE = "en"
"""Language of the texts in the code, which needs no catalogue."""
SPOKEN = (SOURCE, "fr")
_ASKED = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Variables that say a user's language, the first that is set."""


def speak(lang: str) -> None:
    """Set the language of this command: of all that ``gettext`` is asked for, by click too."""
    gettext.bindtextdomain(DOMAIN, str(LOCALE))
    gettext.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = lang


def spoken() -> str:
    """Return the language that is spoken, English before one was set."""
    lang = os.environ.get("LANGUAGE", SOURCE)
    return lang if lang in SPOKEN else SOURCE


def said(text: str) -> str:
    """Return a text in the language that is spoken.

    >>> speak("fr")
    >>> said("PDF file to write.")
    'Fichier PDF à écrire.'
    >>> speak("en")
    """
    return spaced(gettext.gettext(text), spoken()) if text else ""


def language_of_line(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return the language of a command line.

    That of ``--lang``, else of a room or exercise that is named, else of the environment where it
    is one of ours, else English.

    Parameters
    ----------
    arguments : sequence of str
    environment : mapping of str to str

    Examples
    --------
    >>> language_of_line(["play", "--lang=fr"], {}), language_of_line([], {"LANG": "fr_FR.UTF-8"})
    ('fr', 'fr')
    """
    return next((lang for lang in _told(arguments, environment) if lang in SPOKEN), SOURCE)


def _told(arguments: Sequence[str], environment: Mapping[str, str]) -> Iterator[str]:
    for one, after in zip(arguments, [*arguments[1:], ""], strict=False):
        option, sign, value = one.partition("=")
        if option == "--lang":
            yield value if sign else after
    for one in arguments:
        if not one.startswith("-"):
            yield kept_language(Path(one))
    yield next(filter(None, map(environment.get, _ASKED)), "")[:2]


def kept_language(folder: Path) -> str:
    """Return the language of a room or an exercise kept in files; '' where none can be read."""
    try:
        if (room := folder / "room.json").is_file():
            return str(json.loads(room.read_text(encoding="utf-8")).get("lang", ""))
        if (journal := folder / "journal.sqlite").is_file():
            with closing(sqlite3.connect(f"{journal.absolute().as_uri()}?mode=ro", uri=True)) as db:
                found = db.execute("SELECT value FROM meta WHERE name = 'lang'").fetchone()
                return str(found[0]) if found else ""
    except (OSError, ValueError, AttributeError, RecursionError, sqlite3.Error):
        return ""  # whatever reads it next tells what is wrong with it
    return ""
