"""docs/architecture.md has a place for every module."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def named(text: str) -> set[str]:
    return set(re.findall(r"`([a-z_*]+(?:\.py|/))`", text))


@pytest.mark.parametrize("package", ["sim", "gis", "exercises"])
def test_every_module_has_its_place(package):
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = text.split(f"## `{package}/`")[1].split("\n## ")[0]
    known = named(section)
    patterns = [re.escape(name).replace(r"\*", "[a-z_]+") for name in known]
    inside = [path for path in (ROOT / package).rglob("*") if "__pycache__" not in path.parts]
    modules = sorted(path.name for path in inside if path.suffix == ".py")
    strays = [
        name
        for name in modules
        if name not in {"__init__.py", "__main__.py"}
        and not any(re.fullmatch(pattern, name) for pattern in patterns)
    ]
    assert strays == []
    there = {path.name for path in inside}
    gone = [name for name in known if "*" not in name and name.rstrip("/") not in there]
    assert gone == []
