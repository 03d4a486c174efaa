"""What a room keeps beside its journals: who may come in, and what its instructor has in store.

Nothing of play is here. Secrets are kept by their hash: a link cannot be read out of it. There are
two kinds. The token of a link opens the door of a prefix: whoever shows it is given a secret of its
own, a session, which opens the pages behind it, and a link that is sent on can be told from a
cookie that is. Beside its hash a token has its prefix, a session the prefix and the hash of the
token that it came by; it is good while that is.
"""

import hashlib
import secrets
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Protocol

from exercises.store.pointer import Kept, with_centre
from exercises.voice import mark
from sim.errors import ExerciseError
from sim.refusal import Refusal

BOOK = "room.sqlite"
TOKEN_BYTES = 32
_SCHEMA = (
    "CREATE TABLE tokens (sha256 TEXT PRIMARY KEY, prefix TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE kept (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
)


class OpenBook(Protocol):
    """The book of a room that is open, wherever it is kept; its callers keep one another out."""

    def new_token(self, prefix: str) -> str:
        """Return a new secret that opens a prefix; those there are stay good."""
        ...

    def opens(self, token: str, prefix: str) -> bool:
        """Whether the token of a link opens a prefix."""
        ...

    def new_session(self, token: str, prefix: str) -> str:
        """Return a new secret for whoever came by a link, to show at each page from then on."""
        ...

    def admits(self, session: str, prefix: str) -> bool:
        """Whether a session is one of a prefix, and the link that it came by still good."""
        ...

    def revoke(self, prefix: str) -> None:
        """End all links to a prefix that were given out, and the sessions that came by them."""
        ...

    def value(self, name: str) -> str:
        """Return what is kept under a name; '' for nothing."""
        ...

    def keep(self, name: str, value: str) -> None:
        """Keep a text under a name."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


def open_book(folder: Path, kept: Kept | None) -> OpenBook:
    """Open the book of a room.

    Parameters
    ----------
    folder : Path
    kept : Kept, optional
        Where it is, if in a centre's database.

    Raises
    ------
    AverseError
        If it cannot be read or written.
    """
    if kept is None:
        return Book(folder)
    with with_centre():
        from exercises.store.database_book import DatabaseBook
    return DatabaseBook(kept)


def create_book(folder: Path, kept: Mapping[str, str], tokens: Mapping[str, str] = {}) -> None:
    """Write the book of a room that begins.

    Parameters
    ----------
    folder : Path
    kept : mapping of str to str
        What it holds from the start.
    tokens : mapping of str to str
        Prefix by the hash of the secret that opens it, of a book that was kept elsewhere.
    """
    with _told(folder / BOOK):
        db = sqlite3.connect(folder / BOOK, isolation_level=None)
        try:
            for statement in _SCHEMA:
                db.execute(statement)
            db.executemany("INSERT INTO kept VALUES (?, ?)", sorted(kept.items()))
            db.executemany("INSERT INTO tokens VALUES (?, ?)", sorted(tokens.items()))
        finally:
            db.close()


def read_book_file(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Return all that the file of a book holds: values by name, prefixes by hash of token."""
    with _told(folder / BOOK), closing(sqlite3.connect(folder / BOOK)) as db:
        return (
            dict(db.execute("SELECT name, value FROM kept")),
            dict(db.execute("SELECT sha256, prefix FROM tokens")),
        )


class Book:
    """The book of a room that is open; its callers keep one another out.

    Raises
    ------
    ExerciseError
        If it cannot be read or written.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / BOOK
        with _told(self.path):
            self._db = sqlite3.connect(
                f"{self.path.absolute().as_uri()}?mode=rw",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
            )
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")

    def new_token(self, prefix: str) -> str:
        """Return a new secret that opens a prefix; those there are stay good."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        with _told(self.path):
            self._db.execute("INSERT INTO tokens VALUES (?, ?)", (sha256_of(token), prefix))
        return token

    def opens(self, token: str, prefix: str) -> bool:
        """Whether the token of a link opens a prefix."""
        return self._opened_by(sha256_of(token)) == prefix

    def new_session(self, token: str, prefix: str) -> str:
        """Return a new secret for whoever came by a link, to show at each page from then on."""
        session = secrets.token_urlsafe(TOKEN_BYTES)
        row = (sha256_of(session), session_mark(prefix, sha256_of(token)))
        with _told(self.path):
            self._db.execute("INSERT INTO tokens VALUES (?, ?)", row)
        return session

    def admits(self, session: str, prefix: str) -> bool:
        """Whether a session is one of a prefix, and the link that it came by still good."""
        link = link_of(self._opened_by(sha256_of(session)), prefix)
        return link is not None and self._opened_by(link) == prefix

    def revoke(self, prefix: str) -> None:
        """End all links to a prefix that were given out, and the sessions that came by them."""
        with _told(self.path):
            self._db.execute(
                "DELETE FROM tokens WHERE prefix = ?1 OR substr(prefix, 1, length(?1) + 1) = ?2",
                (prefix, prefix + _CAME_BY),
            )

    def _opened_by(self, sha256: str) -> str:
        with _told(self.path):
            row = self._db.execute(
                "SELECT prefix FROM tokens WHERE sha256 = ?", (sha256,)
            ).fetchone()
        return "" if row is None else str(row[0])

    def value(self, name: str) -> str:
        """Return what is kept under a name; '' for nothing."""
        with _told(self.path):
            row = self._db.execute("SELECT value FROM kept WHERE name = ?", (name,)).fetchone()
        return "" if row is None else str(row[0])

    def keep(self, name: str, value: str) -> None:
        """Keep a text under a name."""
        with _told(self.path):
            self._db.execute(
                "INSERT INTO kept VALUES (?, ?) "
                "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                (name, value),
            )

    def close(self) -> None:
        """Let go of the file, one alone where nothing hinders."""
        try:
            self._db.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error:
            pass  # what is beside the file is part of it
        finally:
            self._db.close()


_CAME_BY = " "
"""Stands between a session's prefix and the hash of its link: no prefix has one in it."""


def session_mark(prefix: str, link_sha256: str) -> str:
    """Return what a session's hash stands beside.

    >>> session_mark("/t/1-red", "9f86d0")
    '/t/1-red 9f86d0'
    """
    return f"{prefix}{_CAME_BY}{link_sha256}"


def link_of(mark: str, prefix: str) -> str | None:
    """Return the hash of the link that a session of a prefix came by; None where it is none.

    >>> link_of("/t/1-red 9f86d0", "/t/1-red"), link_of("/t/1-red", "/t/1-red")
    ('9f86d0', None)
    """
    own, came_by, link = mark.partition(_CAME_BY)
    return link if came_by and own == prefix else None


def sha256_of(text: str) -> str:
    """Return the hash by which a secret is kept."""
    # a token may come from anywhere: half of a pair of surrogates has a hash too
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        code = (getattr(error, "sqlite_errorcode", None) or sqlite3.SQLITE_CORRUPT) & _PRIMARY
        said = _FAULTS.get(code, _DAMAGED)
        values = (("file", str(path)), ("why", str(error)))
        raise ExerciseError(Refusal("", said, values)) from error


_PRIMARY = 0xFF  # the low byte of an extended code
_DAMAGED = mark("{file} cannot be used ({why}): take it from a copy, or begin another room")
_IN_USE = mark("{file} is in use by another program: close that, then try again")
_NOT_OPENED = mark("{file} cannot be opened or written: look at where it is, and at its rights")
_FAULTS = {
    sqlite3.SQLITE_FULL: mark(
        "{file} cannot grow, the disk is full: make room on it, then try again (nothing was lost)"
    ),
    sqlite3.SQLITE_BUSY: _IN_USE,
    sqlite3.SQLITE_LOCKED: _IN_USE,
    sqlite3.SQLITE_READONLY: _NOT_OPENED,
    sqlite3.SQLITE_CANTOPEN: _NOT_OPENED,
    sqlite3.SQLITE_PERM: _NOT_OPENED,
    sqlite3.SQLITE_IOERR: mark(
        "{file} cannot be read or written, the disk fails or is full: look at it, then try again"
    ),
}
