"""What says that a journal or a room's book is kept in the database of a training centre.

It names what is kept and the database, never who connects to it nor a password: those come from the
environment, or from what PostgreSQL's own programs read (``~/.pgpass``).
"""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sim.errors import ExerciseError, JournalError
from sim.refusal import reason_of, refuse

ADDRESS = "AVERSE_DATABASE"
"""Name of the variable of the environment that holds the address of the centre's database."""
POINTER = "journal.json"
"""File that stands where a journal's own file would."""
_LIBRARIES = frozenset({"sqlalchemy", "alembic", "psycopg"})


@dataclass(frozen=True, slots=True)
class Kept:
    """Something that is kept in a database.

    Attributes
    ----------
    path : Path
        File that says so.
    id : str
        What it is there: 32 hexadecimal digits.
    database : str
        Name and host of the database when it was begun; for a sentence alone.
    """

    path: Path
    id: str
    database: str

    @property
    def said(self) -> dict[str, str]:
        """What the file says."""
        return {"id": self.id, "database": self.database}


def kept_from(path: Path, said: object) -> Kept:
    """Return what a file says to be kept in a database.

    Raises
    ------
    JournalError
        If it was changed by hand.
    """
    if isinstance(said, dict):
        name, database = said.get("id"), said.get("database")
        if (
            isinstance(database, str)
            and isinstance(name, str)
            and re.fullmatch("[0-9a-f]{32}", name)
        ):
            return Kept(path, name, database)
    raise JournalError(
        refuse(
            "",
            "{path} does not say what is kept in the database: it was changed by hand; "
            "take it from a copy",
            path=str(path),
        )
    )


def pointer_of(journal: Path) -> Kept | None:
    """Return where a journal is kept; None where it is a file of its own.

    Raises
    ------
    JournalError
        If what says so cannot be read.
    """
    path = journal.with_name(POINTER)
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise JournalError(
            refuse(
                "",
                "{path} cannot be read ({error}): take it from a copy",
                path=str(path),
                error=reason_of(error),
            )
        ) from error
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        said = None
    return kept_from(path, said)


def write_pointer(journal: Path, kept: Kept) -> None:
    """Say that a journal is kept in a database: whole, or not at all."""
    path = journal.with_name(POINTER)
    aside = path.with_name(f".{POINTER}-{os.getpid()}")
    with aside.open("w", encoding="utf-8") as file:
        file.write(json.dumps(kept.said, ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)


def centre_is_asked() -> bool:
    """Whether a new room is to be kept in a database."""
    return bool(os.environ.get(ADDRESS))


@contextmanager
def with_centre() -> Iterator[None]:
    """Import what needs the database's libraries.

    Raises
    ------
    ExerciseError
        If they are not installed.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in _LIBRARIES:
            raise
        raise ExerciseError(
            refuse(
                "",
                "a database needs {module}, which is not installed: type {install}",
                module=str(missing.name),
                install='pip install "averse[centre]"',
            )
        ) from None
