"""Plays the golden games on every Python that averse runs on: ``make pythons`` (§19).

Each gets an environment of its own, with what the engine needs in the versions of the lock.
"""

import json
import os
import secrets
import shutil
import subprocess
import sys
from pathlib import Path

from tests.golden.hash_games import GOLDEN, Hashes, differences, hashes

ROOT = Path(__file__).parents[2]
PLACE = ROOT / "build" / "pythons"
VERSIONS = ("3.11", "3.12", "3.13")
NEEDED = ("click", "numba", "numpy", "pydantic", "rich")
"""What an exercise needs; the versions are those of the lock."""
PLAY = """
import json, sys
absent = ("folium", "geopandas", "pandas", "pyproj", "rasterio", "shapely")
sys.modules.update(dict.fromkeys(absent))
from tests.golden.hash_games import hashes
print(json.dumps(hashes()))
"""
"""Plays where no map can be made: the rules need no geodata library."""


def python_in(environment: Path) -> Path:
    """Return the interpreter of an environment."""
    return environment / "bin" / "python"


def find(version: str) -> Path | None:
    """Return an interpreter of a version: on the path, or one that pyenv keeps; None where none."""
    kept = Path.home() / ".pyenv" / "versions"
    places = [
        shutil.which(f"python{version}"),
        *sorted(kept.glob(f"{version}.*/bin/python")),
    ]
    for place in places:
        if place is not None and _version(Path(place)) == version:
            return Path(place)
    return None


def _version(python: Path) -> str:
    asked = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def uv() -> str | None:
    """Return the uv beside this Python, or the one on the path."""
    beside = Path(sys.executable).parent / "uv"
    return str(beside) if beside.exists() else shutil.which("uv")


def environment(version: str, tool: str) -> Path | str:
    """Make the environment of a version unless it is there; return its Python, or why not."""
    place = PLACE / version
    if (place / ".ready").exists():
        return python_in(place)
    # without an interpreter here uv fetches one, where it may
    wanted = find(version) or version
    install = ["pip", "install", "-q", "--python", python_in(place)]
    lock = ROOT / "requirements" / "lock.txt"
    for step in (
        ["venv", "-q", "--clear", "--python", wanted, place],
        [*install, "--constraint", lock, *NEEDED],
    ):
        done = subprocess.run([tool, *step], capture_output=True, text=True, check=False)
        if done.returncode:
            return done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "uv failed"
    (place / ".ready").touch()
    return python_in(place)


def played_by(python: Path | str) -> tuple[Hashes, int]:
    """Return what a Python makes of the golden games under a random hash seed, and that seed.

    Raises
    ------
    RuntimeError
        If it does not play them.
    """
    seed = secrets.randbelow(2**32)
    done = subprocess.run(
        [str(python), "-W", "ignore", "-c", PLAY],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["it says nothing"])[-1])
    found: Hashes = json.loads(done.stdout)
    return found, seed


def main() -> int:
    """Play the games on every version, each under two random hash seeds; 1 where some differ."""
    tool = uv()
    if tool is None:
        print("averse: no uv here to make environments with; install it: pip install uv")
        return 2
    wanted = hashes()
    failed = bool(said(wanted, json.loads(GOLDEN.read_text()), "on record"))
    for version in VERSIONS:
        python = environment(version, tool)
        if isinstance(python, str):
            print(f"Python {version} cannot be had here ({python}): install it, or put it on PATH")
            failed = True
            continue
        for _ in range(2):
            try:
                found, seed = played_by(python)
            except RuntimeError as error:
                print(f"Python {version} does not play the games: {error}")
                failed = True
                break
            failed |= bool(said(found, wanted, f"Python {version}, PYTHONHASHSEED={seed}"))
    return int(failed)


def said(found: Hashes, wanted: Hashes, who: str) -> list[str]:
    """Say whether some hashes are those wanted; return how they differ."""
    parted = differences(found, wanted)
    print(f"{who}: {'; '.join(parted) or 'the same hashes'}", flush=True)
    return parted


if __name__ == "__main__":
    sys.exit(main())
