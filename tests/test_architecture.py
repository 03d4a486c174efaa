"""The shape of the project: which way imports go, and what must not be written in it."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = ("sim", "gis", "exercises")
ALLOWED_IN_SIM = {"sim", "numpy", "numba", *sys.stdlib_module_names}
HEAVY = {"geopandas", "rasterio", "osmium", "osmnx", "folium", "pyogrio", "shapely", "pyproj", "h3"}


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("package", LAYERS)
def test_imports_go_one_way(package):
    above = set(LAYERS[LAYERS.index(package) + 1 :])
    back = {str(p.relative_to(ROOT)): imported(p) & above for p in modules(package)}
    assert {path: names for path, names in back.items() if names} == {}


def test_the_engine_needs_numpy_numba_and_the_standard_library_only():
    strays = {str(p.relative_to(ROOT)): imported(p) - ALLOWED_IN_SIM for p in modules("sim")}
    assert {path: names for path, names in strays.items() if names} == {}


def test_only_gis_knows_the_geodata_libraries():
    strays = {str(p.relative_to(ROOT)): imported(p) & HEAVY for p in modules("exercises")}
    assert {path: names for path, names in strays.items() if names} == {}


def test_help_is_instant_for_it_loads_nothing_heavy():
    code = (
        "import sys; from exercises.cli import cli\n"
        "print([m for m in sys.modules if m.split('.')[0] in "
        f"{sorted(HEAVY | {'numba', 'numpy'})!r}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_lock_pins_every_package_by_hash_and_names_no_host():
    for lock in (ROOT / "requirements").glob("*.txt"):
        text = lock.read_text(encoding="utf-8")
        assert not re.search(r"https?://|--(extra-)?index-url|--find-links|-f ", text)
        pinned = re.findall(r"^([a-z0-9][\w.-]*)==.*\\\n    --hash=sha256:", text, re.M)
        assert len(pinned) == len(re.findall(r"^[a-z0-9]", text, re.M)) > 0
