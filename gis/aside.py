"""Writes a folder whole or not at all, and never over what is not its own."""

import glob
import os
import shutil
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sim.errors import SourceError
from sim.refusal import OneOf, Refusal, reason_of, refuse
from sim.signs import json_of


@dataclass(frozen=True)
class FolderKind:
    """A kind of folder that averse writes, and how one already there is known.

    Attributes
    ----------
    what : str
        In words, for a refusal.
    marker : str
        A JSON file that every folder of the kind holds.
    key : str
        An entry of the marker that no other program's file of that name would have.
    names : collection of str
        All that such a folder may hold: with anything else in it, it is not replaced.
    """

    what: str
    marker: str
    key: str
    names: Collection[str]

    def strangers(self, folder: Path) -> list[str]:
        """Names in a folder that averse did not write there, ascending."""
        names = sorted(path.name for path in folder.iterdir())
        if names and not self.marked(folder):
            return names
        return [name for name in names if name not in self.names]

    def marked(self, folder: Path) -> bool:
        """Whether a folder is of this kind, by its marker."""
        try:
            entries = json_of((folder / self.marker).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False
        return isinstance(entries, dict) and self.key in entries


@contextmanager
def written_aside(
    folder: Path, kind: FolderKind, inputs: Iterable[Path] = (), option: str = "--out"
) -> Iterator[Path]:
    """Yield a fresh folder beside ``folder`` that takes its name once all is written.

    Whatever goes wrong, ``folder`` is left as it was. What a killed run left behind is swept away
    by the next one into the same folder.

    Parameters
    ----------
    folder : Path
    kind : FolderKind
        Only a folder of this kind, with nothing else in it, is replaced.
    inputs : iterable of Path
        Files and folders that are read: none may lie in the folder to be replaced, and none is
        added to.
    option : str
        Of the command line, by which the folder is named.

    Raises
    ------
    SourceError
        If ``folder`` cannot be written, holds something else, holds an input, or lies in one.
    """
    folder = _target(folder, kind, inputs, option)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _sweep(folder)
        prefix = f".{folder.name}-{os.getpid()}-"
        aside = Path(tempfile.mkdtemp(prefix=prefix, dir=folder.parent))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SourceError(
            refuse(
                "",
                "cannot write beside {out}: {reason}; choose another {option} folder",
                out=str(folder),
                option=option,
                reason=str(reason),
            )
        ) from error
    try:
        yield aside
        aside.chmod(0o777 & ~_umask())
        _take_place(aside, folder)
    finally:
        _remove(aside)


def _take_place(aside: Path, folder: Path) -> None:
    """Give a folder its name; what bore it goes only once the new one stands."""
    if not folder.exists():
        aside.rename(folder)
        return
    old = folder.with_name(f".{folder.name}-{os.getpid()}-{_OLD}")
    folder.rename(old)
    try:
        aside.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    _remove(old)


_OLD = "old"
"""Last part of the name of a folder that is being replaced."""


def _remove(folder: Path) -> None:
    """Remove a folder, were it or a folder in it closed to writing."""
    if folder.is_dir() and not folder.is_symlink():
        for inside, _, _ in os.walk(folder):
            os.chmod(inside, 0o700)
    shutil.rmtree(folder, ignore_errors=True)


def _target(folder: Path, kind: FolderKind, inputs: Iterable[Path], option: str) -> Path:
    asked, inputs = folder, list(inputs)
    try:
        # a file beside a link lies where the link does
        named = folder.parent.resolve() / folder.name if folder.is_symlink() else None
        folder = folder.resolve()
        if not folder.name.isprintable() or not folder.name:
            raise SourceError(
                refuse(
                    "",
                    "{option} {asked} names no folder; give another {option} folder",
                    option=option,
                    asked=repr(str(asked)),
                )
            )
        found = folder.exists()
    except (OSError, RuntimeError, ValueError) as error:
        raise SourceError(
            refuse(
                "",
                "{option} {asked} leads nowhere ({error}); give another folder",
                option=option,
                asked=str(asked),
                error=reason_of(error),
            )
        ) from error
    hint = refuse("", "give another {option} folder", option=option)
    _require_outside(asked, (folder, named or folder), inputs, hint)
    if not found:
        return folder
    if not folder.is_dir():
        raise SourceError(
            refuse(
                "",
                "{out} is not a folder; give another {option} folder",
                out=str(asked),
                option=option,
            )
        )
    if strangers := kind.strangers(folder):
        some = ", ".join(strangers[:3]) + (", …" if len(strangers) > 3 else "")
        raise SourceError(
            refuse(
                "",
                "{out} exists and holds something else than {folder_kind} ({some}); give another "
                "{option} folder",
                out=str(asked),
                option=option,
                folder_kind=kind.what,
                some=some,
            )
        )
    for path in inputs:
        if path.resolve().is_relative_to(folder):
            raise SourceError(
                refuse(
                    "",
                    "{path} lies in {asked}, which would be replaced; give another {option} folder",
                    option=option,
                    path=str(path),
                    asked=str(asked),
                )
            )
    return folder


def _require_outside(
    asked: Path, places: Iterable[Path], inputs: Iterable[Path], hint: Refusal
) -> None:
    above = {parent for place in places for parent in place.parents}
    for path in inputs:
        if path.resolve() in above:
            raise SourceError(
                refuse(
                    "",
                    "{asked} lies in {path}, which is read only and goes with what is in it to "
                    "whoever it is given; {hint}",
                    asked=str(asked),
                    path=str(path),
                    hint=hint,
                )
            )


def require_outside(path: Path, inputs: Iterable[Path]) -> Path:
    """Return a file's path that lies in none of the folders that it is made from.

    Raises
    ------
    SourceError
        If it lies in one, or leads nowhere.
    """
    try:
        places = (path.resolve(), path.parent.resolve() / path.name)
    except (OSError, RuntimeError, ValueError) as error:
        raise SourceError(
            refuse(
                "",
                "{path} leads nowhere ({error}); give another name",
                path=str(path),
                error=reason_of(error),
            )
        ) from error
    _require_outside(path, places, inputs, refuse("", "give a place outside it"))
    return path


def _sweep(folder: Path) -> None:
    """Remove what runs that were killed left beside a folder; put back what one had moved away."""
    for left in sorted(folder.parent.glob(f".{glob.escape(folder.name)}-*-*")):
        owner, _, what = left.name.removeprefix(f".{folder.name}-").partition("-")
        if not owner.isdigit() or _alive(int(owner)):
            continue
        if what == _OLD and not folder.exists():
            left.rename(folder)
        else:
            _remove(left)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def share_as_usual(path: Path) -> None:
    """Give a file made by ``tempfile`` the access that any new file has."""
    path.chmod(0o666 & ~_umask())


def require_name(path: Path, *endings: str) -> Path:
    """Return a file's path whose name ends as its content wants, so that no other file is replaced.

    Raises
    ------
    SourceError
        If it ends otherwise, or something else than a file has the name.
    """
    if path.suffix.lower() not in endings:
        raise SourceError(
            refuse(
                "",
                "{path} is not a name for this file: give one that ends in {endings}",
                path=str(path),
                endings=OneOf(endings),
            )
        )
    if path.exists() and not path.is_file():
        raise SourceError(
            refuse(
                "",
                "{path} is a folder, or no file at all: give another name in {endings}",
                path=str(path),
                endings=OneOf(endings),
            )
        )
    return path
