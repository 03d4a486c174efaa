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
    strays = [
        path.name
        for path in sorted((ROOT / package).glob("*.py"))
        if path.name != "__init__.py"
        and not any(re.fullmatch(pattern, path.name) for pattern in patterns)
    ]
    assert strays == []
    gone = [
        name
        for name in known
        if "*" not in name
        and not (ROOT / package / name).exists()
        and not (ROOT / package / "sources" / name).exists()
        and not (ROOT / package / "terminal" / name).exists()
    ]
    assert [name for name in gone if not (ROOT / package / "assets" / name).exists()] == []
