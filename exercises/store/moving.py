"""Moves what is played into a centre's database, and copies it out again as ordinary files.

A room is begun in files like any other, then moved in: its journals and its book are in the
database, all of them or none, before a file says so, and are taken from the folder last. Whatever
ends it in between leaves a room that can be opened.
"""

import secrets
import shutil
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection, select

from exercises.exercise_folder import EXERCISE_FOLDER
from exercises.journal import COMPANIONS, JOURNAL, create_journal, is_begun, read_journal
from exercises.room.book import BOOK, create_book, read_book_file
from exercises.room.folder import (
    KEPT_IN,
    ROOM_FOLDER,
    is_room,
    room_kept,
    said_of,
    team_folders,
    write_said,
)
from exercises.store.database import the_database
from exercises.store.database_book import read_book, write_book
from exercises.store.database_journal import write_kept
from exercises.store.pointer import POINTER, Kept, pointer_of, write_pointer
from exercises.store.tables import JOURNALS
from gis.aside import written_aside
from sim.errors import ExerciseError

_FILES = tuple(JOURNAL + end for end in ("", *COMPANIONS))
_BOOK_FILES = tuple(BOOK + end for end in ("", *COMPANIONS))


def require_database() -> None:
    """See that the database can be written, before anything is made that is to be kept in it.

    Raises
    ------
    AverseError
        If it cannot be opened or written, or is another program's.
    """
    with the_database() as database:
        database.make_writable(may_begin=True)


def move_in(exercises: Sequence[Path], room: Path | None = None) -> None:
    """Move the journals of exercises into the database, and the book of a room.

    Parameters
    ----------
    exercises : sequence of Path
        Folders that nobody plays in; those moved already are left alone.
    room : Path, optional
        Folder of a room whose book is a file.

    Raises
    ------
    AverseError
        If the database cannot be written: all is where it was, then.
    """
    everyone = [folder / JOURNAL for folder in exercises]
    paths = [path for path in everyone if pointer_of(path) is None]
    records = [read_journal(path) for path in paths]
    with the_database() as database:
        database.make_writable(may_begin=True)
        kept = [_new(path.with_name(POINTER), database.name) for path in paths]
        book = None if room is None else _new(room, database.name)

        def work(connection: Connection) -> None:
            if _are_there(connection, kept):
                return  # the answer was lost, the work was done
            for one, record in zip(kept, records, strict=True):
                write_kept(connection, one, record)
            if room is not None and book is not None:
                write_book(connection, book, *read_book_file(room))

        database.again(work, "nothing was moved into it")
    for path, one in zip(paths, kept, strict=True):
        write_pointer(path, one)
        for name in _FILES:
            path.with_name(name).unlink(missing_ok=True)
    if room is not None and book is not None:
        write_said(room, {**said_of(room), KEPT_IN: book.said})
        for name in _BOOK_FILES:
            (room / name).unlink(missing_ok=True)


def _are_there(connection: Connection, kept: Sequence[Kept]) -> bool:
    names = [one.id for one in kept]
    return bool(
        connection.execute(select(JOURNALS.c.id).where(JOURNALS.c.id.in_(names)).limit(1)).first()
    )


def _new(path: Path, database: str) -> Kept:
    return Kept(path, secrets.token_hex(16), database)


def copy_out(place: Path, out: Path) -> None:
    """Copy a room or an exercise that is kept in the database: all of the copy is files.

    Parameters
    ----------
    place : Path
        Its folder; it may be in play, and is left alone.
    out : Path
        Folder of the copy.

    Raises
    ------
    AverseError
        If nothing of it is in a database, or the copy cannot be written: none is, then.
    """
    if not is_room(place) and not is_begun(place / JOURNAL):
        raise ExerciseError(f"{place} holds no room and no exercise: give the folder of one")
    exercises = team_folders(place) if is_room(place) else (place,)
    book = room_kept(place) if is_room(place) else None
    if book is None and not any(pointer_of(folder / JOURNAL) for folder in exercises):
        raise ExerciseError(
            f"{place} keeps nothing in a database: it is all in its files; copy the folder"
        )
    if out.exists():
        raise ExerciseError(
            f"{out} exists: a copy is never written over; give another --out folder"
        )
    kind = ROOM_FOLDER if is_room(place) else EXERCISE_FOLDER
    with written_aside(out, kind, [place]) as aside:
        shutil.copytree(
            *(place, aside),
            dirs_exist_ok=True,
            ignore=shutil.ignore_patterns(".*", POINTER, *_FILES, *_BOOK_FILES),
        )
        for folder in exercises:
            record = read_journal(folder / JOURNAL)
            copy = aside / folder.relative_to(place) / JOURNAL
            create_journal(copy, record.meta, record.scenario, record.entries)
        if book is not None:
            create_book(aside, *read_book(book))
            said = {name: value for name, value in said_of(place).items() if name != KEPT_IN}
            write_said(aside, said)
