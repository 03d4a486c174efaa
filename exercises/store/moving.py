"""Moves what is played into a centre's database, and copies it out again as ordinary files.

A room is begun in files like any other, then moved in: its folder says so first, then its journals
and its book are in the database, all of them or none, and they are taken from the folder last.
Whatever ends it in between leaves a room that can be opened, which finishes it.
"""

import secrets
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from sqlalchemy import Column, Connection, select

from exercises.exercise_folder import EXERCISE_FOLDER
from exercises.journal import (
    COMPANIONS,
    JOURNAL,
    create_journal,
    is_begun,
    open_journal,
    read_journal,
    read_journal_file,
)
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
from exercises.store.database import in_each, the_database
from exercises.store.database_book import read_book, write_book
from exercises.store.database_journal import read_kept, write_kept
from exercises.store.faults import FaultError, UnsureError
from exercises.store.pointer import POINTER, Kept, pointer_of, write_pointer
from exercises.store.tables import JOURNALS, ROOMS
from gis.aside import written_aside
from sim.errors import AverseError, ExerciseError, JournalError
from sim.refusal import Refusal, mark, refuse

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
    UnsureError
        If it is not known whether all of it is there: whoever opens the room finds out.
    AverseError
        If the database cannot be written: all is where it was, then.
    """
    announce(exercises, room)
    try:
        finish_moving(exercises, room)
    except UnsureError:
        raise
    except AverseError:
        _take_back(exercises, room)
        raise


def announce(exercises: Sequence[Path], room: Path | None = None) -> None:
    """Say of what is in files that it is kept in the database, before it is: nobody opens it yet.

    Were it the other way, whatever ends this in between would leave in the database what no folder
    knows of.

    Raises
    ------
    AverseError
        If the database cannot be opened.
    """
    with the_database() as database:
        if room is not None:
            write_said(room, {**said_of(room), KEPT_IN: _new(room, database.name).said})
        for path in (folder / JOURNAL for folder in exercises):
            if pointer_of(path) is None:
                write_pointer(path, _new(path.with_name(POINTER), database.name))


def finish_moving(exercises: Sequence[Path], room: Path | None = None) -> None:
    """Write into the database what is said to be kept there and still is in files; take these away.

    Raises
    ------
    UnsureError
        If it is not known whether all of it is there.
    AverseError
        If the database cannot be written, is another one, or holds something else under that name.
    """
    left = [(path, kept) for path in _journals(exercises) if (kept := pointer_of(path)) is not None]
    records = [read_journal_file(path) for path, _ in left]
    book = room_kept(room) if room is not None and (room / BOOK).exists() else None
    if not left and book is None:
        return
    with the_database() as database:
        database.make_writable(may_begin=True)

        def work(connection: Connection) -> None:
            for (_, kept), record in zip(left, records, strict=True):
                if not _is_there(connection, JOURNALS.c.id, kept, database.name):
                    write_kept(connection, kept, record)
            if room is None or book is None:
                return
            if not _is_there(connection, ROOMS.c.id, book, database.name):
                write_book(connection, book, *read_book_file(room))

        database.again(work, mark("nothing was moved into it"))
        for (path, kept), record in zip(left, records, strict=True):
            if read_kept(kept).entries != record.entries:
                raise JournalError(
                    refuse(
                        "",
                        "{file} lies beside what says that its journal is kept in a database, and "
                        "is not the same: move that file away",
                        file=str(path),
                    )
                )
    for path, _ in left:
        for name in _FILES:
            path.with_name(name).unlink(missing_ok=True)
    if room is not None and book is not None:
        for name in _BOOK_FILES:
            (room / name).unlink(missing_ok=True)


def _journals(exercises: Sequence[Path]) -> list[Path]:
    """Journals that are files, of some exercises."""
    return [folder / JOURNAL for folder in exercises if (folder / JOURNAL).exists()]


def _take_back(exercises: Sequence[Path], room: Path | None) -> None:
    """Say no more that what is in files is kept in a database."""
    for path in _journals(exercises):
        path.with_name(POINTER).unlink(missing_ok=True)
    if room is not None and (room / BOOK).exists():
        write_said(room, {name: one for name, one in said_of(room).items() if name != KEPT_IN})


def _is_there(connection: Connection, ids: Column[str], kept: Kept, database: str) -> bool:
    """Whether something is in the database; raises where it should be in another one."""
    if connection.execute(select(ids).where(ids == kept.id)).first() is not None:
        return True
    if kept.database != database:
        raise FaultError(
            refuse(
                "",
                "does not hold {place}, which is to be kept in {database}: give the address of "
                "that one",
                place=str(kept.path.parent),
                database=in_each(kept.database),
            )
        )
    return False


def _new(path: Path, database: str) -> Kept:
    return Kept(path, secrets.token_hex(16), database)


def bring_in(
    place: Path, files: Path, tell: Callable[[str, float], None] = lambda stage, share: None
) -> str:
    """Move a room or an exercise that is kept in files into the database; a copy stays in files.

    Where an earlier run was cut short this one goes on: what that copied is kept.

    Parameters
    ----------
    place : Path
        Its folder, which nobody plays in.
    files : Path
        Folder of the copy, made before anything is moved.
    tell : callable
        Told the stage and its share done.

    Returns
    -------
    database : str
        Name of the database.

    Raises
    ------
    AverseError
        If nothing of it is left in files, it is in play, the copy cannot be made, or the database
        cannot be written: all is where it was, then, but for the copy.
    """
    exercises, room = _held_in(place)
    book = None if room is None else room_kept(room)
    left = _journals(exercises)
    if not left and (room is None or not (room / BOOK).exists()):
        known = book or next(filter(None, (pointer_of(one / JOURNAL) for one in exercises)))
        raise ExerciseError(
            refuse(
                "",
                "{place} is kept in the database {database} already: there is nothing left to move",
                place=str(place),
                database=in_each(known.database),
            )
        )
    if book is None and not any(map(pointer_of, left)):
        require_database()
        for path in left:
            open_journal(path).close()  # nobody plays, or one sentence says who does
        _copy_files(place, files, tell)
    tell(_MOVING, 0.0)
    move_in(exercises, room if book is None else None)
    if room is not None:
        finish_moving(exercises, room)
    tell(_MOVING, 1.0)
    with the_database() as database:
        return database.name


_COPYING, _MOVING = "copying the files", "moving into the database"


def _copy_files(place: Path, files: Path, tell: Callable[[str, float], None]) -> None:
    """Copy a room or an exercise, all of it files; whole or not at all."""
    if files.exists():
        raise ExerciseError(_exists(files, "--files"))
    tell(_COPYING, 0.0)
    kind = ROOM_FOLDER if is_room(place) else EXERCISE_FOLDER
    with written_aside(files, kind, [place], "--files") as aside:
        shutil.copytree(place, aside, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*"))
    tell(_COPYING, 1.0)


def _exists(out: Path, option: str) -> Refusal:
    return refuse(
        "",
        "{out} exists: a copy is never written over; give another {option} folder",
        out=str(out),
        option=option,
    )


def _held_in(place: Path) -> tuple[Sequence[Path], Path | None]:
    """Exercises of a room, and the room; the exercise, where it is one."""
    if is_room(place):
        return team_folders(place), place
    if is_begun(place / JOURNAL):
        return (place,), None
    raise ExerciseError(
        refuse(
            "", "{place} holds no room and no exercise: give the folder of one", place=str(place)
        )
    )


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
    exercises, _ = _held_in(place)
    book = room_kept(place) if is_room(place) else None
    if book is None and not any(pointer_of(folder / JOURNAL) for folder in exercises):
        raise ExerciseError(
            refuse(
                "",
                "{place} keeps nothing in a database: it is all in its files; copy the folder",
                place=str(place),
            )
        )
    if out.exists():
        raise ExerciseError(_exists(out, "--out"))
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
