"""How a mutant changes the project as it is imported: a figure, a row, a function, a text.

A change is made right after its module's first import, before any other module has taken anything
from it: imports go one way. One that finds nothing to change raises ``NotThereError``.
"""

import gc
import importlib
import importlib.util
import pathlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.abc import MetaPathFinder
from importlib.machinery import SourceFileLoader
from types import MappingProxyType
from typing import Any

_ABSENT = object()


class NotThereError(Exception):
    """A mutant's place is gone: the project changed, and the registry has to follow."""


@dataclass(frozen=True)
class Mutant:
    """One small fault.

    Attributes
    ----------
    rule, row : str
        Number of the rule that it breaks, and the key of the row or ''.
    what : str
        The fault in a few words.
    apply : callable
        Makes it, in a process that has imported nothing of the project yet.
    slow : bool
        Needs a browser, or more than a few seconds.
    """

    rule: str
    row: str
    what: str
    apply: Callable[[], None]
    slow: bool = False

    @property
    def name(self) -> str:
        """Rule, row and fault."""
        return f"{self.rule} {self.row}".strip() + f": {self.what}"


def _mutant(rule: str, what: str, apply: Callable[[], None], *, slow: bool = False) -> Mutant:
    number, _, row = rule.partition(" ")
    return Mutant(number, row, what, apply, slow)


def _holder(module: str, path: str) -> tuple[Any, str]:
    """Where an attribute hangs: ``Sheet.label`` on the class ``Sheet`` of the module."""
    holder = importlib.import_module(module)
    *owners, name = path.split(".")
    for owner in owners:
        holder = getattr(holder, owner, _ABSENT)
    if getattr(holder, name, _ABSENT) is _ABSENT:
        raise NotThereError(f"{module} has no {path}")
    return holder, name


def value(rule: str, place: str, new: Any) -> Mutant:
    """Give a name another value; ``new`` may be a function of the old one.

    >>> value("3.4", "sim.rules:PUMPED_MM", 170).name
    '3.4: sim.rules:PUMPED_MM is 170'
    """
    module, path = place.split(":")

    def apply() -> None:
        holder, name = _holder(module, path)
        old = getattr(holder, name)
        made = new(old) if callable(new) else new
        if made == old:
            raise NotThereError(f"{place} is {made!r} already")
        setattr(holder, name, made)

    said = f"is {new!r}" if not callable(new) else new.__qualname__.split(".")[0]
    return _mutant(rule, f"{place} {said}", apply)


def row(rule: str, table: str, key: str | int, /, **fields: Any) -> Mutant:
    """Change fields of one row of a table; its key is a whole number or ``Fabric.PARK``."""
    module, name = table.split(":")

    def apply() -> None:
        rows, at = _place(module, name, key)
        changed = replace(rows[at], **fields)
        if changed == rows[at]:
            raise NotThereError(f"{table}[{at}] is so already")
        rows[at] = changed

    said = ", ".join(f"{field} = {new!r}" for field, new in fields.items())
    return _mutant(rule, f"{table}, {key}: {said}", apply)


def entry(rule: str, table: str, key: str | int, new: Any) -> Mutant:
    """Change one entry of a table; ``new`` may be a function of the old one."""
    module, name = table.split(":")

    def apply() -> None:
        rows, at = _place(module, name, key)
        rows[at] = new(rows[at]) if callable(new) else new

    said = new.__name__ if callable(new) else new
    return _mutant(rule, f"{table}, {key}: {said}", apply)


def _place(module: str, name: str, key: str | int) -> tuple[Any, Any]:
    """Return a table that can be changed, as whoever holds a view of it sees it, and the key."""
    holder = importlib.import_module(module)
    rows = getattr(holder, name, _ABSENT)
    if isinstance(rows, MappingProxyType):
        (rows,) = gc.get_referents(rows)
    elif isinstance(rows, tuple):
        rows = _Row(holder, name)
    if rows is _ABSENT:
        raise NotThereError(f"{module} has no table {name}")
    at = key
    if isinstance(key, str) and "." in key:
        kind, member = key.split(".")
        at = getattr(getattr(holder, kind, None), member, _ABSENT)
    if at not in rows:
        raise NotThereError(f"{module}:{name} has no {key}")
    return rows, at


class _Row:
    """Rows of a tuple, by their place: a changed one takes the tuple's place in its module."""

    def __init__(self, holder: Any, name: str) -> None:
        self.holder, self.name = holder, name

    def __contains__(self, at: object) -> bool:
        return at in range(len(getattr(self.holder, self.name)))

    def __getitem__(self, at: int) -> Any:
        return getattr(self.holder, self.name)[at]

    def __setitem__(self, at: int, new: Any) -> None:
        rows = getattr(self.holder, self.name)
        setattr(self.holder, self.name, (*rows[:at], new, *rows[at + 1 :]))


def swap(rule: str, place: str, make: Callable[[Any], Any]) -> Mutant:
    """Put another function in a function's place; ``make`` gives it from the plain one."""
    module, path = place.split(":")

    def apply() -> None:
        holder, name = _holder(module, path)
        setattr(holder, name, make(getattr(holder, name)))

    return _mutant(rule, f"{place}: {make.__qualname__.split('.')[0]}", apply)


def text(rule: str, module: str, old: str, new: str) -> Mutant:
    """Replace a text of a module's source, which stands in it once."""

    class Loader(SourceFileLoader):
        def get_code(self, fullname: str) -> Any:
            source = self.get_data(self.path).decode()
            return compile(_replaced(source, old, new, module), self.path, "exec")

    class Finder(MetaPathFinder):
        def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
            if fullname != module:
                return None
            sys.meta_path.remove(self)
            origin = importlib.util.find_spec(module).origin
            return importlib.util.spec_from_loader(module, Loader(module, origin), origin=origin)

    def apply() -> None:
        sys.meta_path.insert(0, Finder())
        made = importlib.import_module(module)
        if "njit" in vars(made) or "numba" in vars(made):
            raise NotThereError(f"{module} is compiled and kept: change what it is called with")

    return _mutant(rule, f"{module}: {old.strip()!r} is {new.strip()!r}", apply)


def asset(rule: str, old: str, new: str) -> Mutant:
    """Replace a text of a page's scripts as they are read, wherever it stands once."""

    def apply() -> None:
        plain = pathlib.Path.read_text
        scripts = sorted(pathlib.Path("gis/assets").glob("*.js"))
        found = [script.name for script in scripts if old in plain(script, encoding="utf-8")]
        if len(found) != 1:
            raise NotThereError(f"{old!r} stands in {found or 'no script'}")

        def read_text(path: pathlib.Path, *args: Any, **kwargs: Any) -> str:
            read = plain(path, *args, **kwargs)
            return _replaced(read, old, new, found[0]) if path.name == found[0] else read

        pathlib.Path.read_text = read_text

    return _mutant(rule, f"a script: {old!r} is {new!r}", apply, slow=True)


def _replaced(source: str, old: str, new: str, where: str) -> str:
    if source.count(old) != 1:
        raise NotThereError(f"{where} holds {old!r} {source.count(old)} times")
    return source.replace(old, new)
