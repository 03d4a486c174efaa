"""A journal that is kept in a centre's database: what a file promises, promised there.

An entry is acknowledged once its COMMIT was. Where the connection is lost before the answer comes,
the entry is looked for by its hash, once what the old connection was asked has come to its end: it
is neither lost nor written twice.
"""

import json
import zlib
from dataclasses import astuple
from typing import Self

from sqlalchemy import Connection, insert, select

from exercises.journal import (
    AwayJournalError,
    Entry,
    FoundAgainError,
    Kind,
    Record,
    canonical,
    checked,
    next_entry,
)
from exercises.store.database import Database, in_each, take_database, the_database
from exercises.store.faults import AwayError, ConnectionLostError, FaultError, as_fault
from exercises.store.pointer import Kept
from exercises.store.tables import ENTRIES, JOURNALS
from sim.errors import JournalError
from sim.refusal import mark, reason_of, refuse

_COLUMNS = tuple(column for column in ENTRIES.c if column.name != "journal")


def write_kept(connection: Connection, kept: Kept, record: Record) -> None:
    """Write a whole journal into the database, in the transaction that is open."""
    connection.execute(
        insert(JOURNALS).values(
            id=kept.id,
            meta=canonical(dict(record.meta)),
            scenario=zlib.compress(canonical(record.scenario).encode(), 9),
        )
    )
    if record.entries:
        connection.execute(insert(ENTRIES), [_row(kept, entry) for entry in record.entries])


def read_kept(kept: Kept) -> Record:
    """Return what a journal in the database holds.

    Raises
    ------
    JournalError
        If it is not there, cannot be read, or was changed by hand.
    """
    with the_database(kept) as database:
        database.require_readable()
        return _read(database, kept)


def _row(kept: Kept, entry: Entry) -> dict[str, object]:
    values = zip(_COLUMNS, astuple(entry), strict=True)
    return {
        "journal": kept.id,
        **{column.name: str(v) if column.name == "kind" else v for column, v in values},
    }


def _read(database: Database, kept: Kept) -> Record:
    def work(connection: Connection) -> tuple[str, bytes, tuple[Entry, ...]]:
        head = connection.execute(
            select(JOURNALS.c.meta, JOURNALS.c.scenario).where(JOURNALS.c.id == kept.id)
        ).first()
        if head is None:
            raise FaultError(
                refuse(
                    "",
                    "does not hold the journal of {parent}, which was begun in {database}: "
                    "give the address of that one",
                    parent=str(kept.path.parent),
                    database=in_each(str(kept.database)),
                )
            )
        rows = connection.execute(
            select(*_COLUMNS).where(ENTRIES.c.journal == kept.id).order_by(ENTRIES.c.number)
        )
        entries = tuple(Entry(row[0], Kind(row[1]), *row[2:]) for row in rows)
        return head.meta, head.scenario, entries

    try:
        meta, scenario, entries = database.again(work, mark("nothing was changed"))
        return checked(kept.path, dict(json.loads(meta)), scenario, entries)
    except (zlib.error, ValueError, TypeError) as error:
        raise JournalError(
            refuse(
                "",
                "{path}: the journal in the database {name} is damaged ({error}): take it "
                "from a copy (nothing was changed)",
                path=str(kept.path),
                name=in_each(database.name),
                error=reason_of(error),
            )
        ) from error


class DatabaseJournal:
    """A journal in the database open for writing, by this process alone; see ``OpenJournal``.

    Raises
    ------
    JournalError
        If it cannot be read or written, was changed by hand, or another process has it.
    """

    def __init__(self, kept: Kept) -> None:
        self.path = kept.path
        self._kept = kept
        self._lock = f"journal {kept.id}"
        self._database = database = take_database(kept)
        try:
            database.make_writable()
            try:
                database.hold(self._lock)
            except FaultError as fault:
                raise JournalError(
                    refuse("", "{path} {fault}", path=str(self.path), fault=reason_of(fault))
                ) from fault
        except BaseException:
            database.release()
            raise
        try:
            self.record = _read(database, kept)
        except BaseException:
            self.close()
            raise
        self._number = len(self.record.entries)
        self._last = self.record.last_sha256
        self._session = database.session
        self.left: JournalError | None = None
        self._unsure: Entry | None = None
        """Sent to be written, and no answer came."""

    def require_there(self) -> None:
        """Do nothing: a database that is away is told at the entry."""

    def append(
        self, kind: Kind, side: str, seat: str, at: int, body: object, reason: str, state: str
    ) -> Entry:
        """Add an entry; it is on the database's disk when this returns (see ``OpenJournal``)."""
        given = (kind, side, seat, at, body, reason, state)
        entry = next_entry(self._number + 1, self._last, *given)
        database = self._database
        if database.is_hurried and database.is_down:  # who waits for it has its lock meanwhile
            raise self._away(entry, as_fault(ConnectionLostError()))
        with database.lock:
            try:
                if not database.is_connected:
                    self._connect_again()
                try:
                    self._write(entry)
                except ConnectionLostError:
                    self._connect_again()
                    self._write(entry)
            except (FaultError, ConnectionLostError) as error:
                raise self._away(entry, as_fault(error)) from error
            self._is(entry)
        return entry

    def _connect_again(self) -> None:
        """Wait for the database, unless others would be kept waiting too."""
        if self._database.is_hurried:
            self._database.note_down(ConnectionLostError())
            raise ConnectionLostError
        self._database.reconnect()

    def hurry(self) -> None:
        """Wait for nothing from now on, for all that is kept in this database."""
        self._database.is_hurried = True

    def _away(self, entry: Entry, fault: FaultError) -> JournalError:
        """Return the sentence of an entry that is not acknowledged."""
        name = self._database.name
        if self._unsure is not None:
            said = refuse(
                "",
                "the database {database} does not answer (whether entry {number} was taken is not "
                "known yet: it is looked for before another is written, and never written twice; "
                "all before it are kept)",
                database=in_each(name),
                number=self._unsure.number,
            )
        elif isinstance(fault, AwayError):
            said = refuse(
                "",
                "the database {database} does not answer (entry {number} was not taken, all before "
                "it are kept; give it again once it does)",
                database=in_each(name),
                number=entry.number,
            )
        else:
            said = refuse(
                "",
                "the database {database} {fault} (entry {number} was not taken, all before it are "
                "kept)",
                database=in_each(name),
                fault=reason_of(fault),
                number=entry.number,
            )
            return JournalError(said)
        return AwayJournalError(said, self._database.comes_back)

    def _write(self, entry: Entry) -> None:
        """Write an entry, unless it is there."""
        if not self._database.is_held(self._lock):
            raise self._lost(entry)
        is_sure = self._unsure is None and self._session == self._database.session
        if not is_sure and self._found(entry):
            return
        row = _row(self._kept, entry)
        try:
            self._database.once(lambda connection: connection.execute(insert(ENTRIES), row))
        except ConnectionLostError as lost:
            self._unsure = entry if lost.may_be_done else None
            raise

    def _found(self, entry: Entry) -> bool:
        """Whether an entry is there already: after a connection was lost."""
        session = self._database.session
        head = self._database.once(self._head)
        unsure, self._unsure, self._session = self._unsure, None, session
        if head == (self._number, self._last):
            return False
        if unsure is None or head != (unsure.number, unsure.sha256):
            raise self._lost(entry)
        if unsure.sha256 == entry.sha256:
            return True
        self._is(unsure)
        raise FoundAgainError(
            unsure,
            refuse(
                "",
                "entry {number}, which could not be acknowledged when it was given, was taken all "
                "the same, and what was asked now was not: look where the exercise stands, then "
                "ask again",
                number=unsure.number,
            ),
        )

    def _lost(self, entry: Entry) -> JournalError:
        return JournalError(
            refuse(
                "",
                "{file} was taken by another process while the database was away: close the "
                "exercise and open it again (entry {number} was not taken)",
                file=str(self.path),
                number=entry.number,
            )
        )

    def _head(self, connection: Connection) -> tuple[int, str]:
        row = connection.execute(
            select(ENTRIES.c.number, ENTRIES.c.sha256)
            .where(ENTRIES.c.journal == self._kept.id)
            .order_by(ENTRIES.c.number.desc())
            .limit(1)
        ).first()
        if row is None:
            return 0, self._last if self._number == 0 else ""
        return row.number, row.sha256

    def _is(self, last: Entry) -> None:
        self._number, self._last, self._unsure = last.number, last.sha256, None

    def read(self) -> Record:
        """Return what it holds now."""
        return _read(self._database, self._kept)

    @property
    def entries(self) -> int:
        """Number of entries."""
        return self._number

    @property
    def last_sha256(self) -> str:
        """Hash of the last entry."""
        return self._last

    def close(self) -> None:
        """Let others write to it."""
        self._database.let_go(self._lock)
        self._database.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
