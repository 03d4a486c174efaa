"""The journal of an exercise: it is added to, and nothing else is ever done to it.

It is one SQLite file, or stands in the database of a training centre (``store/``): whoever opens or
reads one by its path need not know which.

An entry is an order, an act of the instructor or a step of time, with the hash of the state that
it led to and of the entry before it. It is on the disk before anyone is told that it was taken: a
crash loses nothing that was acknowledged, and an entry is there whole or not at all. The scenario
and the seed are in the file too: it rebuilds every state, and belongs to the instructor alone.
``docs/journal.md`` gives the format.
"""

import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import astuple, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol, Self

from exercises.store.pointer import pointer_of, with_centre
from sim.errors import JournalError
from sim.refusal import Refusal, mark, reason_of, refuse
from sim.signs import json_of

JOURNAL = "journal.sqlite"
COMPANIONS = ("-wal", "-shm", "-journal")
"""What SQLite may lay beside the file, by the end of its name."""
SAVED = "journal-saved-{number}.sqlite"
"""A whole journal whose own file was taken away while it was open."""
NO_BODY = "null"
"""Body of a step of time."""
APPLICATION_ID = 0x61766572  # "aver"
SCHEMA_VERSION = 1

_SHOWN = 12
"""Digits of a hash in a sentence."""

_APPEND_ONLY = "a journal is only added to"
_SCHEMA = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE scenario (
        number INTEGER PRIMARY KEY CHECK (number = 1),
        plain BLOB NOT NULL
    ) STRICT""",
    """CREATE TABLE entries (
        number INTEGER PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('order', 'advance', 'act')),
        side TEXT NOT NULL,
        seat TEXT NOT NULL,
        at INTEGER NOT NULL,
        body TEXT NOT NULL,
        reason TEXT NOT NULL,
        state_sha256 TEXT NOT NULL CHECK (length(state_sha256) = 64),
        previous_sha256 TEXT NOT NULL CHECK (length(previous_sha256) = 64),
        sha256 TEXT NOT NULL UNIQUE CHECK (length(sha256) = 64)
    ) STRICT""",
    f"""CREATE TRIGGER entries_in_turn BEFORE INSERT ON entries
    WHEN NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM entries)
    BEGIN SELECT raise(ABORT, '{_APPEND_ONLY}'); END""",
    *(
        f"""CREATE TRIGGER {table}_no_{what.lower()} BEFORE {what} ON {table}
    BEGIN SELECT raise(ABORT, '{_APPEND_ONLY}'); END"""
        for table in ("meta", "scenario", "entries")
        for what in ("UPDATE", "DELETE")
    ),
)
# laid once meta and scenario are filled
_SEALED = tuple(
    f"""CREATE TRIGGER {table}_no_insert BEFORE INSERT ON {table}
    BEGIN SELECT raise(ABORT, '{_APPEND_ONLY}'); END"""
    for table in ("meta", "scenario")
)


_INSERT = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


class Kind(StrEnum):
    """What an entry is."""

    ORDER = "order"
    ADVANCE = "advance"
    ACT = "act"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a journal.

    Attributes
    ----------
    number : int
        From 1, without a gap.
    kind : Kind
        An order of a side, a step of time, an act of the instructor.
    side, seat : str
        Who gave it; '' for a step of time.
    at : int
        Stamp of the order, or moment advanced to, in the family's time.
    body : str
        What was ordered, as canonical JSON; ``null`` for a step of time.
    reason : str
        As it was written.
    state_sha256 : str
        Hash of the state that the entry led to.
    previous_sha256 : str
        Hash of the entry before it, of the head of the journal for the first.
    sha256 : str
        Hash of all the above.
    """

    number: int
    kind: Kind
    side: str
    seat: str
    at: int
    body: str
    reason: str
    state_sha256: str
    previous_sha256: str
    sha256: str


NEEDED = frozenset({"family", "rules_version", "seed"})
"""Rows of ``meta`` without which nothing can be replayed."""


@dataclass(frozen=True)
class Record:
    """What a journal holds, its chain checked.

    Attributes
    ----------
    path : Path
    meta : mapping of str to str
        Family, versions, seed, hashes of what is played on.
    scenario : plain values
        As the family wrote it.
    entries : tuple of Entry
    """

    path: Path
    meta: Mapping[str, str]
    scenario: Any
    entries: tuple[Entry, ...]

    @property
    def last_sha256(self) -> str:
        """Hash of the last entry, or of the head where there is none."""
        return self.entries[-1].sha256 if self.entries else head_hash(self.meta)


def canonical(value: object) -> str:
    """Return the one JSON text of plain values: sorted names, ASCII, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def head_hash(meta: Mapping[str, str]) -> str:
    """SHA-256 of the head of a journal: of its table ``meta`` as canonical JSON."""
    return _sha256(canonical(dict(meta)))


def entry_hash(*parts: int | str) -> str:
    """SHA-256 of an entry: of its other values, in their order, as a canonical JSON list."""
    return _sha256(canonical(list(parts)))


def next_entry(
    number: int,
    previous: str,
    *given: Any,
) -> Entry:
    """Return the entry that follows one.

    Parameters
    ----------
    number : int
        Its own.
    previous : str
        Hash of the one before it.
    given : kind, side, seat, at, body, reason, state
        As ``OpenJournal.append`` takes them.
    """
    kind, side, seat, at, body, reason, state = given
    parts = (number, kind, side, seat, at, canonical(body), reason, state, previous)
    return Entry(*parts, entry_hash(*parts))


class OpenJournal(Protocol):
    """A journal open for writing, by this process alone until it is closed.

    Attributes
    ----------
    path : Path
        What tells where it is kept.
    record : Record
        What it held when it was opened.
    left : JournalError or None
        What whoever played is to be told once it is closed: where what was taken is kept.
    """

    path: Path
    record: Record
    left: JournalError | None

    def require_there(self) -> None:
        """Raise ``JournalError`` where what is written would be lost to whoever looks for it."""
        ...

    def append(
        self, kind: Kind, side: str, seat: str, at: int, body: object, reason: str, state: str
    ) -> Entry:
        """Add an entry; it is on the disk when this returns.

        Parameters
        ----------
        kind, side, seat, at, body, reason
            As in ``Entry``; the body as plain values.
        state : str
            Hash of the state that the entry led to.

        Raises
        ------
        JournalError
            If it cannot be written: the journal then is as it was.
        FoundAgainError
            If the entry before, which was not acknowledged, turns out to have been taken.
        """
        ...

    def hurry(self) -> None:
        """Wait for nothing from now on: ``AwayJournalError`` at once where it cannot be reached."""
        ...

    def read(self) -> Record:
        """Return what it holds now."""
        ...

    @property
    def entries(self) -> int:
        """Number of entries."""
        ...

    @property
    def last_sha256(self) -> str:
        """Hash of the last entry."""
        ...

    def close(self) -> None:
        """Let others write to it."""
        ...


class AwayJournalError(JournalError):
    """What a journal is kept in cannot be reached: the entry was not taken, or it is not known yet.

    Attributes
    ----------
    comes_back : callable
        Waits for it; whether it is there again, so that the same may be asked once more.
    """

    def __init__(self, said: Refusal, comes_back: Callable[[], bool]) -> None:
        super().__init__(said)
        self.comes_back = comes_back


class FoundAgainError(JournalError):
    """An entry that could not be acknowledged is in the journal after all."""

    def __init__(self, entry: Entry, said: Refusal) -> None:
        super().__init__(said)
        self.entry = entry


def is_begun(path: Path) -> bool:
    """Whether the journal of an exercise is there, as a file or in a database."""
    return path.exists() or pointer_of(path) is not None


def open_journal(path: Path) -> OpenJournal:
    """Open a journal for writing, wherever it is kept.

    Parameters
    ----------
    path : Path
        Where its file is, or would be.

    Raises
    ------
    JournalError
        If it cannot be read or written, was changed by hand, or another process has it.
    """
    kept = pointer_of(path)
    if kept is None:
        return Journal(path)
    with with_centre():
        from exercises.store.database_journal import DatabaseJournal
    return DatabaseJournal(kept)


# --------------------------------------------------------------------------- writing a file
def create_journal(
    path: Path, meta: Mapping[str, str], scenario: object, entries: Iterable[Entry] = ()
) -> None:
    """Write a journal that has not been added to, whole or not at all.

    Parameters
    ----------
    path : Path
        Must not exist.
    meta : mapping of str to str
        The hash of the scenario is added to it.
    scenario : plain values
    entries : iterable of Entry
        Those of a journal that was kept elsewhere.

    Raises
    ------
    JournalError
        If the file exists or cannot be written.
    """
    if path.exists():
        raise JournalError(
            refuse(
                "",
                "{path} exists: a journal is never written over; give another folder",
                path=str(path),
            )
        )
    text = canonical(scenario)
    rows = {**meta, "scenario_sha256": _sha256(text)}
    with _told(path, mark("the exercise was not begun")):
        try:
            with closing(sqlite3.connect(path, isolation_level=None)) as db:
                db.execute("PRAGMA synchronous = FULL")
                db.execute("BEGIN IMMEDIATE")
                for statement in _SCHEMA:
                    db.execute(statement)
                db.executemany("INSERT INTO meta VALUES (?, ?)", sorted(rows.items()))
                db.execute("INSERT INTO scenario VALUES (1, ?)", (zlib.compress(text.encode(), 9),))
                for statement in _SEALED:
                    db.execute(statement)
                db.executemany(_INSERT, map(astuple, entries))
                db.execute("COMMIT")
        except BaseException:
            path.unlink(missing_ok=True)
            raise


_OPEN: dict[Path, "Journal"] = {}
"""Journals that this process writes: to open and close such a file would let go of its lock."""


class Journal:
    """The file of a journal open for writing, by this process alone; use it in a ``with``.

    Raises
    ------
    JournalError
        If it cannot be read or written, was changed by hand, or another process has it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with _told(path, _UNTOUCHED):
            if not path.is_file():
                raise JournalError(_nothing_begun(path))
            if path.resolve() in _OPEN:
                raise JournalError(
                    refuse("", "{path} is in use already; close the exercise first", path=str(path))
                )
            if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
                # SQLite would open it all the same, and tell at the first order only
                raise JournalError(
                    refuse(
                        "", "{path} {fault}", path=str(path), fault=_FAULTS[sqlite3.SQLITE_READONLY]
                    )
                )
            # a file that is no journal of averse is looked at before anything is written to it
            _read_copy(path)
            self._db = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode=rw",
                uri=True,
                timeout=0,
                isolation_level=None,
                check_same_thread=False,  # a room's threads keep one another out
            )
            try:
                # exclusive: the lock is the file's own, and a crash gives it back
                self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
                self._db.execute("PRAGMA synchronous = FULL")
                self._db.execute("BEGIN IMMEDIATE")
                self._db.execute("COMMIT")
                self.record = _read(self._db, path)
            except BaseException:
                self._db.close()
                raise
        self._key = path.resolve()
        self._file = _identity(path)
        _OPEN[self._key] = self
        self._logs = False
        self._log_path = path.with_name(path.name + "-wal")
        self._log_file: tuple[int, int] | None = None
        self.left: JournalError | None = None
        self._number = len(self.record.entries)
        self._last = self.record.last_sha256

    def append(
        self, kind: Kind, side: str, seat: str, at: int, body: object, reason: str, state: str
    ) -> Entry:
        """Add an entry; it is on the disk when this returns (see ``OpenJournal``)."""
        given = (kind, side, seat, at, body, reason, state)
        entry = next_entry(self._number + 1, self._last, *given)
        then = refuse(
            "", "entry {number} was not taken, all before it are kept", number=entry.number
        )
        self.require_there()
        with _told(self.path, then):
            try:
                if not self._logs:  # a journal that is only looked at stays byte for byte
                    self._db.execute("PRAGMA journal_mode = WAL")
                    self._logs = True
                self._db.execute("BEGIN IMMEDIATE")
                self._db.execute(_INSERT, astuple(entry))
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        self._log_file = self._log_file or _identity(self._log_path)
        self._number, self._last = entry.number, entry.sha256
        return entry

    @property
    def _is_there(self) -> bool:
        """Whether the file that was opened still has its name: SQLite writes on where it has not.

        A copy that took its place, by a sync client or from a backup, is not written to.
        """
        return self._file is not None and _identity(self.path) == self._file

    def require_there(self) -> None:
        """Raise ``JournalError`` where what is written would be lost to whoever looks for it."""
        if not self._is_there:
            raise JournalError(
                refuse(
                    "",
                    "{path} was moved, deleted or replaced while it was open, and nothing was "
                    "taken: put that very file back, or close the exercise, which keeps what was "
                    "taken before, and open it again",
                    path=str(self.path),
                )
            )

    def hurry(self) -> None:
        """Do nothing: a file is there, or is not."""

    def read(self) -> Record:
        """Return what it holds now, wherever its file is."""
        _require_journal(self._db, self.path)
        return _held_in(self._db, self.path)

    @property
    def entries(self) -> int:
        """Number of entries."""
        return self._number

    @property
    def last_sha256(self) -> str:
        """Hash of the last entry."""
        return self._last

    def close(self) -> None:
        """Let go of the file, one alone where nothing hinders.

        Where another has its name, what lies beside that one is not touched, and all that was taken
        is kept: as it is, where that one holds it too, else in a file of its own, which is told.
        """
        saved = False
        try:
            if not self._is_there:
                saved = self._save()
            elif self._logs:
                self._db.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error:
            pass  # what is beside the file is part of it, and read with it
        finally:
            self._db.close()  # SQLite itself leaves alone what is beside a file that has moved
            _OPEN.pop(self._key, None)
        if saved and self._log_file is not None and _identity(self._log_path) == self._log_file:
            with suppress(OSError):  # it would be read with a file that it is no part of
                self._log_path.unlink()

    def _save(self) -> bool:
        """Keep what was taken, where nothing of that name holds it any more; whether it was."""
        try:
            held = self.read()
            if not self.path.parent.is_dir() or _holds(self.path, held):
                return False  # its folder has it whole, wherever it was moved to
            saved = _free_name(self.path.parent)
            create_journal(saved, held.meta, held.scenario, held.entries)
        except JournalError as fault:
            self.left = fault
            return False
        self.left = JournalError(
            refuse(
                "",
                "{path} was moved, deleted or replaced while it was open: all {n} entries are in "
                "{saved}; give that file the name {name} to go on with them",
                path=str(self.path),
                n=len(held.entries),
                saved=str(saved),
                name=self.path.name,
            )
        )
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


# --------------------------------------------------------------------------- reading
def read_journal(path: Path) -> Record:
    """Return what a journal holds; it, and any that writes to it, are left alone.

    Parameters
    ----------
    path : Path
        Where its file is, or would be: it may be kept in a database.

    Raises
    ------
    JournalError
        If it is missing, damaged, of another version, or was changed by hand.
    """
    if kept := pointer_of(path):
        with with_centre():
            from exercises.store.database_journal import read_kept
        return read_kept(kept)
    return read_journal_file(path)


def read_journal_file(path: Path) -> Record:
    """Return what the file of a journal holds, whatever is said to be kept elsewhere.

    Raises
    ------
    JournalError
        As for ``read_journal``.
    """
    with _told(path, _UNTOUCHED):
        if not path.is_file():
            raise JournalError(_nothing_begun(path))
        if journal := _OPEN.get(path.resolve()):
            return journal.read()
        return _read_copy(path)


def _read_copy(path: Path) -> Record:
    """Read a copy: what SQLite mends after a crash is mended there, on read-only ground too."""
    with tempfile.TemporaryDirectory(prefix="averse-") as folder:
        copy = Path(folder) / path.name
        for end in ("", *COMPANIONS):
            beside = path.with_name(path.name + end)
            if beside.is_file() and end != "-shm":
                shutil.copyfile(beside, copy.with_name(copy.name + end))
        with closing(sqlite3.connect(copy, isolation_level=None)) as db:
            return _read(db, path)


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from any other of its name; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _holds(path: Path, record: Record) -> bool:
    """Whether the file of a name reads as a journal, entry for entry."""
    try:
        return path.is_file() and _read_copy(path).last_sha256 == record.last_sha256
    except (JournalError, OSError, sqlite3.Error, zlib.error, ValueError, TypeError, IndexError):
        return False


def _free_name(folder: Path) -> Path:
    numbers = range(1, 1 + len(list(folder.iterdir())) + 1)
    names = (folder / SAVED.format(number=number) for number in numbers)
    return next(path for path in names if not path.exists())


def _read(db: sqlite3.Connection, path: Path) -> Record:
    _require_journal(db, path)
    (page,) = db.execute("PRAGMA page_size").fetchone()
    if path.stat().st_size % page:  # SQLite reads zeros past the end
        raise _corrupt(path)
    return _held_in(db, path)


def _held_in(db: sqlite3.Connection, path: Path) -> Record:
    meta = dict(db.execute("SELECT name, value FROM meta"))
    rows = db.execute("SELECT plain FROM scenario").fetchall()
    entries = tuple(
        Entry(row[0], Kind(row[1]), *row[2:])
        for row in db.execute("SELECT * FROM entries ORDER BY number")
    )
    return checked(path, meta, rows[0][0] if rows else zlib.compress(b""), entries)


def checked(
    path: Path, meta: Mapping[str, str], plain: bytes, entries: tuple[Entry, ...]
) -> Record:
    """Return what was read of a journal, its hashes checked.

    Parameters
    ----------
    path : Path
    meta : mapping of str to str
    plain : bytes
        The scenario as canonical JSON, compressed by zlib.
    entries : tuple of Entry

    Raises
    ------
    JournalError
        If it was changed by hand.
    ValueError, zlib.error
        If it is damaged.
    """
    text = zlib.decompress(plain).decode()
    if _sha256(text) != meta.get("scenario_sha256"):
        raise JournalError(
            refuse(
                "",
                "{path}: the scenario was changed by hand: its hash is {sha256}…, the "
                "journal says {meta}…; take a copy of the file",
                path=str(path),
                sha256=str(_sha256(text)[:_SHOWN]),
                meta=str(meta.get("scenario_sha256", "none")[:_SHOWN]),
            )
        )
    if missing := NEEDED - set(meta):
        raise JournalError(
            refuse(
                "",
                "{path} lacks {missing}: it was changed by hand; take a copy of it",
                path=str(path),
                missing=", ".join(sorted(missing)),
            )
        )
    record = Record(path, meta, json_of(text), entries)
    _check_chain(record)
    return record


def _require_journal(db: sqlite3.Connection, path: Path) -> None:
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise JournalError(
            refuse(
                "",
                "{path} is no journal of averse, or was cut short; take a copy of it",
                path=str(path),
            )
        )
    if version != SCHEMA_VERSION:
        raise JournalError(
            refuse(
                "",
                "{path} is a journal of version {version}, this averse reads version "
                "{schema_version}: open it with the averse that wrote it",
                path=str(path),
                version=str(version),
                schema_version=str(SCHEMA_VERSION),
            )
        )
    (fault,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    if fault != "ok":
        raise _corrupt(path)


def _corrupt(path: Path) -> JournalError:
    return JournalError(
        refuse("", "{path} {fault}", path=str(path), fault=_FAULTS[sqlite3.SQLITE_CORRUPT])
    )


def _check_chain(record: Record) -> None:
    """Raise at the first entry that does not follow from the one before it."""
    previous = head_hash(record.meta)
    for number, entry in enumerate(record.entries, start=1):
        where = refuse("", "{path}: entry {number}", path=str(record.path), number=number)
        if entry.number != number:
            raise JournalError(
                refuse(
                    "",
                    "{where} is missing, the next is {number}: entries were taken out by hand "
                    "after the one of hash {previous}…",
                    where=where,
                    number=str(entry.number),
                    previous=str(previous[:_SHOWN]),
                )
            )
        if entry.previous_sha256 != previous:
            what = (
                refuse("", "entry {number}", number=number - 1) if number > 1 else mark("the head")
            )
            raise JournalError(
                refuse(
                    "",
                    "{where} does not follow {what}, which was changed by hand: its hash is "
                    "{previous}…, entry {number} expects {previous_sha256}…",
                    where=where,
                    what=what,
                    previous=str(previous[:_SHOWN]),
                    number=str(number),
                    previous_sha256=str(entry.previous_sha256[:_SHOWN]),
                )
            )
        expected = entry_hash(*astuple(entry)[:-1])
        if entry.sha256 != expected:
            raise JournalError(
                refuse(
                    "",
                    "{where} was changed by hand: its hash is {expected}…, the journal says "
                    "{sha256}…",
                    where=where,
                    expected=str(expected[:_SHOWN]),
                    sha256=str(entry.sha256[:_SHOWN]),
                )
            )
        previous = entry.sha256


# --------------------------------------------------------------------------- faults
_UNTOUCHED = mark("nothing was changed")
_HELD = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_FAULTS = {
    **dict.fromkeys(_HELD, mark("is in use by another process; close the exercise there first")),
    sqlite3.SQLITE_READONLY: mark(
        "cannot be written: the file or its folder is read-only; copy it where you may write"
    ),
    sqlite3.SQLITE_CANTOPEN: mark("cannot be opened for writing; look at the rights of its folder"),
    sqlite3.SQLITE_PERM: mark("cannot be opened for writing; look at the rights of its folder"),
    sqlite3.SQLITE_CORRUPT: mark("is damaged or cut short; take a copy of it"),
    sqlite3.SQLITE_NOTADB: mark("is no journal of averse, or is damaged; take a copy of it"),
    sqlite3.SQLITE_IOERR: mark("cannot be read or written: the disk fails; take a copy of it"),
}
_PRIMARY = 0xFF  # the low byte of an extended code


def _nothing_begun(path: Path) -> Refusal:
    return refuse("", "{path} does not exist: no exercise was begun there", path=str(path))


@contextmanager
def _told(path: Path, then: str | Refusal) -> Iterator[None]:
    """Turn a fault of the file into one sentence that also says what became of the exercise."""
    try:
        yield
    except sqlite3.Error as error:
        code = (getattr(error, "sqlite_errorcode", None) or sqlite3.SQLITE_CORRUPT) & _PRIMARY
        if code in _HELD and then == _UNTOUCHED:
            raise JournalError(
                refuse(
                    "",
                    "{path} is in use by another process; close the exercise there first "
                    "(nothing was changed)",
                    path=str(path),
                )
            ) from error
        if code == sqlite3.SQLITE_FULL:
            raise JournalError(
                refuse(
                    "",
                    "{path} cannot grow: the disk is full; make room, then go on (what was asked "
                    "was not taken, all before it is kept)",
                    path=str(path),
                )
            ) from error
        fault = _FAULTS.get(code) or refuse(
            "", "cannot be used ({error}); take a copy of it", error=str(error)
        )
        raise JournalError(
            refuse("", "{path} {fault} ({then})", path=str(path), fault=fault, then=then)
        ) from error
    except (zlib.error, ValueError, TypeError, IndexError) as error:
        raise JournalError(
            refuse(
                "",
                "{path} is damaged ({error}); take a copy of it ({then})",
                path=str(path),
                error=reason_of(error),
                then=then,
            )
        ) from error
    except OSError as error:
        raise JournalError(
            refuse(
                "",
                "{path} cannot be read or written: {why} ({then})",
                path=str(path),
                why=str(error.strerror),
                then=then,
            )
        ) from error
