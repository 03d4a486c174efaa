"""The two places where journals are kept, as tests put one there, look at it and spoil it."""

import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from exercises.journal import JOURNAL, read_journal
from exercises.store.pointer import pointer_of


class FileStore:
    """Files in the folder of an exercise, and of a room."""

    name = "file"
    Fault = sqlite3.IntegrityError
    entries, its = "entries", ""
    without_seed = ("DELETE FROM entries", "DELETE FROM meta WHERE name = 'seed'")

    def keeps(self, *exercises: Path, room: Path | None = None) -> None:
        """Have journals that are files, and a room's book, kept here."""

    def last_on_disk(self, folder: Path):
        """Number and state of the last entry that outlives a crash."""
        with tempfile.TemporaryDirectory() as name:
            copy = Path(name)
            for end in ("", "-wal"):
                found = folder / (JOURNAL + end)
                if found.exists():
                    shutil.copy(found, copy)
            last = read_journal(copy / JOURNAL).entries[-1]
        return last.number, last.state_sha256

    def change(self, folder: Path, *changes: str) -> None:
        """Change a journal as whoever holds it may."""
        with closing(sqlite3.connect(folder / JOURNAL)) as db:
            for change in changes:
                db.execute(change)
            db.commit()

    def force(self, folder: Path, *changes: str) -> None:
        """Change a journal by hand, past all that keeps it."""
        with closing(sqlite3.connect(folder / JOURNAL)) as db:
            db.create_function("repeat", 2, str.__mul__)
            rows = db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in list(rows):
                db.execute(f"DROP TRIGGER {name}")
            for change in changes:
                db.execute(change)
            db.commit()

    def spoil(self, folder: Path, change: str) -> None:
        """Change its entries by hand."""
        self.force(folder, change.replace("{entries}", "entries"))


class CentreStore:
    """A database: in what is changed, ``{id}`` stands for the journal's."""

    name = "database"
    entries, its = "averse.entries", "AND journal = '{id}'"
    without_seed = (
        "DELETE FROM averse.entries WHERE journal = '{id}'",
        "UPDATE averse.journals SET meta = (meta::jsonb - 'seed')::text WHERE id = '{id}'",
    )

    def __init__(self, server, database: str) -> None:
        import psycopg

        self.server, self.database = server, database
        self.Fault = psycopg.errors.RestrictViolation

    def keeps(self, *exercises: Path, room: Path | None = None) -> None:
        """Have journals that are files, and a room's book, kept here."""
        from exercises.store.moving import move_in

        move_in(exercises, room)

    def sql(self, folder: Path, *changes: str):
        """What the last of some statements returns."""
        kept = pointer_of(folder / JOURNAL)
        return self.server.sql(
            *(change.replace("{id}", kept.id) for change in changes), database=self.database
        )

    def last_on_disk(self, folder: Path):
        """Number and state of the last entry that others see: it was committed."""
        (last,) = self.sql(
            folder,
            "SELECT number, state_sha256 FROM averse.entries WHERE journal = '{id}' "
            "ORDER BY number DESC LIMIT 1",
        )
        return last

    def change(self, folder: Path, *changes: str) -> None:
        """Change a journal as whoever holds it may."""
        self.sql(folder, *changes)

    def force(self, folder: Path, *changes: str) -> None:
        """Change a journal by hand, past all that keeps it."""
        self.sql(folder, "SET session_replication_role = replica", *changes)

    def spoil(self, folder: Path, change: str) -> None:
        """Change its rows by hand."""
        table = "id" if "averse.journals" in change else "journal"
        self.force(folder, change.replace("{entries}", self.entries) + f" AND {table} = '{{id}}'")

    def cut(self) -> None:
        """End the connections that are open."""
        self.server.cut(self.database)
