"""A centre's database as this process uses it: one connection, for all that it keeps there.

What is held against other processes is held by locks of that connection: they end with it. Where it
is lost, the next that needs it connects again, ends what is left of the old one, and takes the same
locks again: only then is it certain what became of what the old one had been asked.
"""

import hashlib
import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from sqlalchemy import Connection, create_engine, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from exercises.store.faults import (
    ConnectionLostError,
    FaultError,
    UnsureError,
    as_fault,
    fault_of,
    no_right,
    read_only,
    unreachable,
)
from exercises.store.pointer import ADDRESS, Kept
from exercises.store.schema import bring_up_to_date
from exercises.store.tables import KEPT, METADATA, TOKENS
from sim.errors import ExerciseError, JournalError
from sim.refusal import InEach, mark, reason_of, refuse
from sim.refusal import shown as shown_text

log = logging.getLogger(__name__)
T = TypeVar("T")
DRIVERS = frozenset({"postgresql", "postgresql+psycopg", "postgres"})
PATIENCE_S = 5.0
"""How long a call waits for a lost database; while it stays away, the next ones only look once."""
LONGEST_S = 5.0
"""How long the room may wait for one answer: an entry, a link."""
_AGAIN_S = 0.1
_MOST_WAITING = 8
"""Threads that wait for a lost database at one time; a server has some more."""
# seconds and milliseconds: a cable that was pulled is noticed at either end
_CONNECTING = {
    "connect_timeout": 2,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 5_000,
    "application_name": "averse",
}
_SESSION = (
    "SET tcp_keepalives_idle = 30",
    "SET tcp_keepalives_interval = 10",
    "SET tcp_keepalives_count = 3",
)
_DURABLE = frozenset({"on", "remote_apply"})
_RIGHTS = (
    *(
        (table.fullname, right)
        for table in METADATA.sorted_tables
        for right in ("SELECT", "INSERT")
    ),
    (KEPT.fullname, "UPDATE"),
    (TOKENS.fullname, "DELETE"),
)
_UNTOUCHED = mark("nothing was changed")


def address(kept: Kept | None = None) -> URL:
    """Return the address of the centre's database, as the environment gives it.

    Parameters
    ----------
    kept : Kept, optional
        What is wanted from it.

    Raises
    ------
    ExerciseError
        If there is none, or it is no PostgreSQL's. The address is not in the sentence: a password
        may be.
    """
    given = os.environ.get(ADDRESS, "")
    form = "postgresql://user@host/database"
    if not given:
        told = {"address": ADDRESS, "form": form}
        raise ExerciseError(
            refuse("", "give the address of the database in {address}, as {form}", **told)
            if kept is None
            else refuse(
                "",
                "{place} is kept in the database {database}: give the address of the database in "
                "{address}, as {form}",
                place=str(kept.path.parent),
                database=in_each(kept.database),
                **told,
            )
        )
    try:
        url = make_url(given)
    except (ArgumentError, ValueError):
        raise ExerciseError(
            refuse(
                "",
                "the address of the database cannot be read: write {form}, with %40 for an "
                "@ in a password",
                form=str(form),
            )
        ) from None
    if url.drivername not in DRIVERS:
        raise ExerciseError(
            refuse("", "the database is to be PostgreSQL: give an address {form}", form=str(form))
        )
    return url.set(drivername="postgresql+psycopg")


def shown(url: URL) -> str:
    """Return the name and the host of a database, without who connects to it."""
    host = url.host or url.query.get("host") or "this machine"
    host = host if isinstance(host, str) else ", ".join(host)
    return f"{url.database or url.username or 'its default'} on {host}"


def in_each(name: str) -> InEach:
    """Return the name and the host of a database as a sentence says them; files keep the English.

    >>> in_each("av on this machine").fr
    'av sur cette machine'
    """
    base, _, host = name.rpartition(" on ")
    base = "sa base par défaut" if base == "its default" else base
    host = "cette machine" if host == "this machine" else host
    return InEach(shown_text(f"{base} sur {host}"), shown_text(name))


_SHARED: dict[tuple[int, str], "Database"] = {}
_SHARING = threading.Lock()


def take_database(kept: Kept | None = None) -> "Database":
    """Return the centre's database, open, for what is kept in it; whoever takes it releases it.

    Raises
    ------
    AverseError
        If it cannot be opened, or is not averse's.
    """
    url = address(kept)
    key = (os.getpid(), url.render_as_string(hide_password=False))
    with _SHARING:
        if key not in _SHARED:
            _SHARED[key] = Database(url, lambda: _SHARED.pop(key))
        _SHARED[key].uses += 1
        return _SHARED[key]


@contextmanager
def the_database(kept: Kept | None = None) -> Iterator["Database"]:
    """Take the centre's database for a while."""
    database = take_database(kept)
    try:
        yield database
    finally:
        database.release()


class Database:
    """A database and the one connection to it; threads keep one another out by its lock.

    Attributes
    ----------
    name : str
        Its name and host.
    lock : RLock
    session : int
        Grows whenever it had to be connected to again.
    uses : int
        How many have taken it and not released it.
    is_down, is_hurried : bool
        Whether it was lost and not found since; whether nobody waits for it who holds others up.
    """

    def __init__(self, url: URL, forget: Callable[[], object]) -> None:
        self.name = shown(url)
        self.lock = threading.RLock()
        self.session = 0
        self.uses = 0
        self._forget = forget
        given = {name: value for name, value in _CONNECTING.items() if name not in url.query}
        self._engine = create_engine(url, poolclass=NullPool, connect_args=given)
        self._connection: Connection | None = None
        self._backend: tuple[int, Any] | None = None
        self._left: list[tuple[int, Any]] = []
        """Ends of lost connections on the server that may still be at work."""
        self._held: set[str] = set()
        self._taken: set[str] = set()
        self.is_down = False
        self.is_hurried = False
        self._down_since = 0.0
        self._waiting = threading.BoundedSemaphore(_MOST_WAITING)
        self._is_known = self._is_writable = False
        with self._told(_UNTOUCHED):
            self._connect()

    # ------------------------------------------------------------------------- asking
    def once(self, work: Callable[[Connection], T]) -> T:
        """Do something in a transaction, committed when this returns.

        Raises
        ------
        ConnectionLostError
            If the connection ended: it may have been done, or not.
        FaultError
            If it cannot be done; it was not.
        """
        with self.lock, self._running() as connection:
            return work(connection)

    def again(self, work: Callable[[Connection], T], then: str) -> T:
        """Do what may be done twice: once more, where the connection was lost.

        Parameters
        ----------
        work : callable
        then : str
            What became of the exercise where it fails.

        Raises
        ------
        UnsureError
            If it cannot be done again, and may be done.
        JournalError
            If it cannot be done, in one sentence; it was not, or may be done again.
        """
        with self.lock, self._told(then):
            may_be_done = False
            if self.is_connected:
                try:
                    return self.once(work)
                except ConnectionLostError as lost:
                    may_be_done = lost.may_be_done
            try:
                self.reconnect()
                return self.once(work)
            except (FaultError, ConnectionLostError) as error:
                error.may_be_done |= may_be_done
                raise

    @property
    def is_connected(self) -> bool:
        """Whether nothing is known to be wrong with the connection."""
        return self._connection is not None

    # ------------------------------------------------------------------------- whose it is
    def require_readable(self) -> None:
        """See that there is what this averse reads.

        Raises
        ------
        JournalError
            If it is of another version, another program's, or empty.
        """
        if not self._is_known:

            def work(connection: Connection) -> None:
                bring_up_to_date(connection, may_change=False, may_begin=False)

            self.again(work, _UNTOUCHED)
            self._is_known = True

    def make_writable(self, *, may_begin: bool = False) -> None:
        """Bring it up to date, and see that entries can be written and stay written.

        Parameters
        ----------
        may_begin : bool
            Whether it may be one in which there is nothing of averse yet.

        Raises
        ------
        JournalError
            If it cannot be written by this role, or does not keep what it acknowledges.
        """

        def work(connection: Connection) -> None:
            (state, fsync) = connection.execute(
                text("SELECT current_setting('transaction_read_only'), current_setting('fsync')")
            ).one()
            if state != "off":
                raise read_only()
            if fsync != "on":
                raise FaultError(
                    refuse(
                        "",
                        "is run with fsync off: what it acknowledges may be lost; have it set "
                        "to on",
                    )
                )
            bring_up_to_date(connection, may_change=True, may_begin=may_begin)
            for table, right in _RIGHTS:
                asked = {"table": table, "right": right}
                found = text("SELECT has_table_privilege(:table, :right)")
                if not connection.execute(found, asked).scalar():
                    raise no_right()

        if not self._is_writable:
            self.again(work, _UNTOUCHED)
            self._is_known = self._is_writable = True

    def hold(self, what: str) -> None:
        """Keep other processes from something until it is let go of.

        Raises
        ------
        FaultError
            If it is held here or elsewhere.
        """
        with self.lock:
            if what in self._held:
                raise FaultError(refuse("", "is in use already; close the exercise first"))
            if not self.again(lambda connection: _locked(connection, what), _UNTOUCHED):
                raise FaultError(
                    refuse("", "is in use by another process; close the exercise there first")
                )
            self._held.add(what)

    def let_go(self, what: str) -> None:
        """Let others have something; a lost connection has done so already."""
        with self.lock:
            self._held.discard(what)
            self._taken.discard(what)
            if self._connection is not None:
                with suppress(ConnectionLostError, FaultError):
                    self.once(lambda connection: _unlocked(connection, what))

    def is_held(self, what: str) -> bool:
        """Whether it is still this process's: another may have come while it was away."""
        return what in self._held and what not in self._taken

    # ------------------------------------------------------------------------- connecting
    def reconnect(self) -> None:
        """Connect again, and hold again what was held.

        Raises
        ------
        FaultError
            If it stays away, or what the lost connection was asked has not come to its end there.
        """
        with self.lock:
            now = time.monotonic()
            until = now if self.is_down or self.is_hurried else now + PATIENCE_S
            while True:
                try:
                    self._connect()
                    self._hold_again(until)
                except (FaultError, ConnectionLostError) as error:
                    self._drop()
                    if time.monotonic() >= until:
                        self.note_down(error)
                        raise as_fault(error) from error
                else:
                    if self.is_down:
                        log.error("the database %s is back", self.name)
                    self.is_down = False
                    self.session += 1
                    return
                time.sleep(_AGAIN_S)

    def note_down(self, error: FaultError | ConnectionLostError) -> None:
        """Note that it is away: told once, since those who play are told without the reason."""
        if not self.is_down:
            log.error("the database %s %s", self.name, as_fault(error))
            self._down_since = time.monotonic()
        self.is_down = True

    def comes_back(self) -> bool:
        """Wait for it as long as one is patient, from when it was lost; hold nothing meanwhile.

        Returns
        -------
        bool
            Whether it is there again; False at once where enough are waiting.
        """
        if not self._waiting.acquire(blocking=False):
            return False
        try:
            while True:
                with self.lock:
                    if self.is_connected:
                        return True
                    try:
                        self.reconnect()
                    except (FaultError, ConnectionLostError):
                        pass
                    else:
                        return True
                if time.monotonic() >= self._down_since + PATIENCE_S:
                    return False
                time.sleep(_AGAIN_S)
        finally:
            self._waiting.release()

    def _connect(self) -> None:
        self._drop()
        try:
            connection = self._engine.connect()
        except (SQLAlchemyError, OSError, ValueError, TypeError) as error:
            raise unreachable(error) from error
        self._connection = connection
        with self._running() as connection:
            (durable,) = connection.execute(
                text("SELECT current_setting('synchronous_commit')")
            ).one()
            if durable not in _DURABLE:
                connection.execute(text("SET synchronous_commit = on"))
            for statement in _SESSION:
                connection.execute(text(statement))
            pid, begun = connection.execute(
                text("SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()")
            ).one()
            self._backend = (pid, begun)

    def _hold_again(self, until: float) -> None:
        while not self._left_have_ended():
            if time.monotonic() >= until:
                raise FaultError(
                    refuse("", "has not ended the connection that was lost; try again")
                )
            time.sleep(_AGAIN_S)
        self._left.clear()
        with self._running() as connection:
            for what in sorted(self._held):
                if _locked(connection, what):
                    self._taken.discard(what)
                else:
                    self._taken.add(what)

    def _left_have_ended(self) -> bool:
        with self._running() as connection:
            return not [
                pid
                for pid, begun in self._left
                if connection.execute(
                    text(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                        "WHERE pid = :pid AND backend_start = :begun"
                    ),
                    {"pid": pid, "begun": begun},
                ).first()
            ]

    @contextmanager
    def _running(self) -> Iterator[Connection]:
        """Run a transaction; raises ``FaultError`` and ``ConnectionLostError``."""
        connection = self._connection
        if connection is None:
            raise ConnectionLostError
        may_be_done = False
        try:
            with self._not_waiting_for_ever(connection), connection.begin():
                yield connection
                may_be_done = True
        except DBAPIError as error:
            if error.connection_invalidated or connection.closed or connection.invalidated:
                self._drop()
                raise ConnectionLostError(may_be_done=may_be_done) from error
            raise fault_of(error) from error

    @contextmanager
    def _not_waiting_for_ever(self, connection: Connection) -> Iterator[None]:
        """Cut a connection off on which no answer comes, where others would wait too.

        A machine that stands still, its network alive, is told from a slow one by nothing else.
        """
        if not self.is_hurried:
            yield
            return
        driver: Any = connection.connection.dbapi_connection
        watch = threading.Timer(LONGEST_S, _cut_off, (driver.pgconn.socket,))
        watch.daemon = True
        watch.start()
        try:
            yield
        finally:
            watch.cancel()

    @contextmanager
    def _told(self, then: str) -> Iterator[None]:
        try:
            yield
        except (FaultError, ConnectionLostError) as error:
            kind = UnsureError if error.may_be_done else JournalError
            raise kind(
                refuse(
                    "",
                    "the database {name} {fault} ({then})",
                    name=in_each(self.name),
                    fault=reason_of(as_fault(error)),
                    then=then,
                )
            ) from error

    def _drop(self) -> None:
        if self._backend is not None:
            self._left.append(self._backend)
            self._backend = None
        if self._connection is not None:
            with suppress(SQLAlchemyError):
                self._connection.invalidate()
            with suppress(SQLAlchemyError):
                self._connection.close()
            self._connection = None

    # ------------------------------------------------------------------------- closing
    def release(self) -> None:
        """Close it, once nobody has it any more."""
        with _SHARING, self.lock:
            self.uses -= 1
            if self.uses:
                return
            self._forget()
            if self._connection is not None:
                with suppress(SQLAlchemyError):
                    self._connection.close()
            self._engine.dispose()


def _key(what: str) -> int:
    """Return the number of an advisory lock, of 64 bits."""
    digest = hashlib.sha256(f"averse {what}".encode()).digest()
    return int.from_bytes(digest[:8], signed=True)


def _cut_off(number: int) -> None:
    """End a connection under whoever waits for it: the driver takes it for lost."""
    with suppress(OSError), socket.socket(fileno=os.dup(number)) as end:
        end.shutdown(socket.SHUT_RDWR)


def _locked(connection: Connection, what: str) -> bool:
    return bool(
        connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": _key(what)}).scalar()
    )


def _unlocked(connection: Connection, what: str) -> None:
    connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _key(what)})
