"""What a command can come to import: walked over the sources, from name to name.

A module that is imported runs its top; a name that is used brings what its body imports and uses.
Methods that are called on a value are not followed, but a class that is named is taken whole.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
TOP, WHOLE = "<top>", "<whole>"
"""Of a module: what runs when it is imported; all that it holds."""
BY_NAME = "import_module"
"""What loads modules whose names stand as texts, of the package of whoever calls it."""


@cache
def modules() -> dict[str, Path]:
    files = [file for top in ("sim", "gis", "exercises") for file in (ROOT / top).rglob("*.py")]
    return {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
        for file in files
    }


@cache
def tree_of(path: Path) -> ast.Module:
    """A source, read once for all tests that walk it."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def parts(module: str) -> dict[str, list[ast.stmt]]:
    """Statements of a module by the name that they define; those that define none by ``TOP``."""
    found: dict[str, list[ast.stmt]] = {TOP: []}
    for node in tree_of(modules()[module]).body:
        names = [getattr(node, "name", None)]
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [one.id for one in targets if isinstance(one, ast.Name)]
        for name in names or [None]:
            found.setdefault(name or TOP, []).append(node)
    return found


def imported(nodes: list[ast.stmt]) -> Iterator[tuple[str, str, str]]:
    """Yield what statements import: the name that it has there, the module, the name in it."""
    for node in (one for stmt in nodes for one in ast.walk(stmt)):
        if isinstance(node, ast.Import):
            for one in node.names:
                yield one.asname or one.name.partition(".")[0], one.name, WHOLE
        elif isinstance(node, ast.ImportFrom) and node.module:
            for one in node.names:
                inside = f"{node.module}.{one.name}"
                if inside in modules():
                    yield one.asname or one.name, inside, WHOLE
                else:
                    yield one.asname or one.name, node.module, one.name


@cache
def steps(module: str, name: str) -> frozenset[tuple[str, str]]:
    """What a name of a module runs or uses, as modules and their names."""
    return frozenset(_steps(module, name))


@cache
def at_top(module: str) -> dict[str, tuple[str, str]]:
    """What a module imports as it is loaded: by the name that it has there, module and name."""
    return {local: (other, one) for local, other, one in imported(parts(module)[TOP])}


def _steps(module: str, name: str) -> Iterator[tuple[str, str]]:
    held = parts(module)
    yield module, TOP
    if name == WHOLE:
        yield from ((module, one) for one in held)
        return
    here = held.get(name, [])
    loaded = at_top(module)
    for _, other, one in imported(here):
        yield other, TOP
        if name != TOP:
            yield other, one
    if name == TOP:
        return
    package = module.rpartition(".")[0]
    if name in loaded:
        yield loaded[name]
    for node in (one for stmt in here for one in ast.walk(stmt)):
        if isinstance(node, ast.Name) and node.id in held:
            yield module, node.id
        elif isinstance(node, ast.Name) and node.id in loaded:
            yield loaded[node.id]
        elif isinstance(node, ast.Constant) and BY_NAME in loaded:
            yield f"{package}.{node.value}", WHOLE


def outside(module: str, function: str, by_process: tuple[str, ...] = ()) -> set[str]:
    """Top packages, not ours, that a function of the command can come to import.

    ``by_process`` names modules that are run as processes of their own.
    """
    todo = [("exercises.cli", TOP), (module, function), *((name, WHOLE) for name in by_process)]
    seen = set()
    found = set()
    while todo:
        step = todo.pop()
        if step in seen:
            continue
        seen.add(step)
        if step[0] in modules():
            todo += steps(*step)
        else:
            found.add(step[0].partition(".")[0])
    return found
