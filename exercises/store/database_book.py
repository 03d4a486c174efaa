"""The book of a room that is kept in a centre's database (see ``room/book.py``)."""

import secrets
from collections.abc import Mapping

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.dialects.postgresql import insert as upsert

from exercises.room.book import TOKEN_BYTES, link_of, session_mark, sha256_of
from exercises.store.database import take_database, the_database
from exercises.store.faults import FaultError
from exercises.store.pointer import Kept
from exercises.store.tables import KEPT, ROOMS, TOKENS
from sim.refusal import mark, refuse

_NOT_KEPT = mark("nothing was kept")


def write_book(
    connection: Connection, kept: Kept, values: Mapping[str, str], tokens: Mapping[str, str]
) -> None:
    """Write a whole book into the database, in the transaction that is open."""
    connection.execute(insert(ROOMS).values(id=kept.id))
    if tokens:
        rows = [{"room": kept.id, "sha256": sha, "prefix": to} for sha, to in tokens.items()]
        connection.execute(insert(TOKENS), rows)
    if values:
        rows = [{"room": kept.id, "name": name, "value": text} for name, text in values.items()]
        connection.execute(insert(KEPT), rows)


def read_book(kept: Kept) -> tuple[dict[str, str], dict[str, str]]:
    """Return all that a book in the database holds.

    Returns
    -------
    tuple
        Values by name, prefixes by hash of token.

    Raises
    ------
    JournalError
        If it is not there, or cannot be read.
    """

    def work(connection: Connection) -> tuple[dict[str, str], dict[str, str]]:
        _require(connection, kept)
        values = select(KEPT.c.name, KEPT.c.value).where(KEPT.c.room == kept.id)
        tokens = select(TOKENS.c.sha256, TOKENS.c.prefix).where(TOKENS.c.room == kept.id)
        return (
            {row[0]: row[1] for row in connection.execute(values)},
            {row[0]: row[1] for row in connection.execute(tokens)},
        )

    with the_database(kept) as database:
        database.require_readable()
        return database.again(work, mark("nothing was changed"))


def _require(connection: Connection, kept: Kept) -> None:
    if connection.execute(select(ROOMS.c.id).where(ROOMS.c.id == kept.id)).first() is None:
        raise FaultError(
            refuse(
                "",
                "does not hold the room {parent}, which was begun in {database}: give the "
                "address of that one",
                parent=str(kept.path.parent),
                database=str(kept.database),
            )
        )


class DatabaseBook:
    """The book of a room in the database; all that it does may be done twice.

    Raises
    ------
    JournalError
        If it cannot be read or written.
    """

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._database = take_database(kept)
        try:
            self._database.make_writable()
            self._database.again(
                lambda connection: _require(connection, kept), mark("nothing was changed")
            )
        except BaseException:
            self._database.release()
            raise

    def new_token(self, prefix: str) -> str:
        """Return a new secret that opens a prefix; those there are stay good."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        row = {"room": self._kept.id, "sha256": sha256_of(token), "prefix": prefix}
        statement = upsert(TOKENS).values(row).on_conflict_do_nothing()
        self._database.again(lambda connection: connection.execute(statement), _NOT_KEPT)
        return token

    def opens(self, token: str, prefix: str) -> bool:
        """Whether the token of a link opens a prefix."""
        return self._opened_by(sha256_of(token)) == prefix

    def new_session(self, token: str, prefix: str) -> str:
        """Return a new secret for whoever came by a link, to show at each page from then on."""
        session = secrets.token_urlsafe(TOKEN_BYTES)
        mark = session_mark(prefix, sha256_of(token))
        row = {"room": self._kept.id, "sha256": sha256_of(session), "prefix": mark}
        statement = upsert(TOKENS).values(row).on_conflict_do_nothing()
        self._database.again(lambda connection: connection.execute(statement), _NOT_KEPT)
        return session

    def admits(self, session: str, prefix: str) -> bool:
        """Whether a session is one of a prefix, and the link that it came by still good."""
        link = link_of(self._opened_by(sha256_of(session)), prefix)
        return link is not None and self._opened_by(link) == prefix

    def revoke(self, prefix: str) -> None:
        """End all links to a prefix that were given out, and the sessions that came by them."""
        here = TOKENS.c.room == self._kept.id

        def work(connection: Connection) -> None:
            given = connection.execute(select(TOKENS.c.sha256, TOKENS.c.prefix).where(here)).all()
            ended = [sha for sha, to in given if to == prefix or link_of(to, prefix)]
            connection.execute(delete(TOKENS).where(here, TOKENS.c.sha256.in_(ended)))

        self._database.again(work, mark("no link was ended"))

    def _opened_by(self, sha256: str) -> str:
        statement = select(TOKENS.c.prefix).where(
            TOKENS.c.room == self._kept.id, TOKENS.c.sha256 == sha256
        )
        found = self._database.again(
            lambda connection: connection.execute(statement).scalar(), mark("nobody was let in")
        )
        return found or ""

    def value(self, name: str) -> str:
        """Return what is kept under a name; '' for nothing."""
        statement = select(KEPT.c.value).where(KEPT.c.room == self._kept.id, KEPT.c.name == name)
        found = self._database.again(
            lambda connection: connection.execute(statement).scalar(), mark("nothing was read")
        )
        return found or ""

    def keep(self, name: str, value: str) -> None:
        """Keep a text under a name."""
        row = {"room": self._kept.id, "name": name, "value": value}
        statement = (
            upsert(KEPT).values(row).on_conflict_do_update(KEPT.primary_key, set_={"value": value})
        )
        self._database.again(lambda connection: connection.execute(statement), _NOT_KEPT)

    def close(self) -> None:
        """Let go of the database."""
        self._database.release()
