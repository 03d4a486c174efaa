"""Each mutant in a process of its own: do the tests that carry its rule's number kill it?

The process that runs them holds pytest and every library, but nothing of the project; each mutant
is a fork of it, which makes its change while it imports the project, then runs the rule's tests,
those of ``tests/rules`` first, until one fails. No file is touched.
"""

import contextlib
import gc
import importlib
import json
import os
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import hypothesis
import numba
import numba.core.caching
import pytest

from tests.mutants.changes import Mutant, NotThereError
from tests.rules_without_test import Numbered

ROOT = Path(__file__).parent.parent.parent
OWN = ("sim", "gis", "exercises", "benchmarks")
LIBRARIES = (
    *("numpy", "numba", "hypothesis.strategies", "hypothesis.extra.numpy", "pydantic", "click"),
    *("rich.table", "pyproj", "shapely", "pandas", "geopandas", "rasterio.features", "h3"),
    *("folium", "osmium", "jinja2", "playwright.sync_api"),
)
BYTE_CODE = tempfile.TemporaryDirectory(prefix="averse-mutants-")
LONGEST_S = 240
ARGUMENTS = (
    *("-q", "--noconftest", "--assert=plain", "--capture=fd", "-o", "addopts="),
    *("--import-mode=importlib", "--strict-markers", "-p", "no:cacheprovider", "-p", "no:xdist"),
    *("-p", "tests.pages", "-p", "no:unraisableexception", "--tb=no"),
)


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant.

    Attributes
    ----------
    mutant : Mutant
    killer : str
        The test that failed; '' where none did.
    ran : int
        Tests that ran to their end, the killer included.
    trouble : str
        Why the mutant could not be tried: its place is gone, no test ran; '' where it was.
    """

    mutant: Mutant
    killer: str
    ran: int
    trouble: str = ""

    def __str__(self) -> str:
        if self.trouble:
            return f"NOT TRIED {self.mutant.name}: {self.trouble}"
        if not self.killer:
            return f"SURVIVED  {self.mutant.name} ({self.ran} tests passed)"
        return f"killed    {self.mutant.name} <- {self.killer}"


def load_libraries() -> None:
    """Import what the tests need beside the project, and set hypothesis for short, equal runs."""
    # byte code of the project is kept for the next fork, whatever the machine does with its own
    sys.dont_write_bytecode, sys.pycache_prefix = False, BYTE_CODE.name
    for name in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    numba.njit(lambda x: x + 1)(1)  # so that its compiler is awake before the forks
    # what a mutant compiles must never be taken for the project's own
    numba.core.caching.Cache.save_overload = lambda *args: None
    hypothesis.settings.register_profile(
        "mutants",
        deadline=None,
        database=None,
        derandomize=True,
        phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
    )
    hypothesis.settings.load_profile("mutants")
    loaded = sorted(name for name in sys.modules if name.partition(".")[0] in OWN)
    assert not loaded, f"a mutant would come too late: {loaded}"
    gc.collect()
    gc.freeze()  # no fork looks through the libraries for garbage


class _Watch:
    """Stops at the first test that fails while it runs; what cannot be set up is passed over."""

    def __init__(self) -> None:
        self.killer, self.ran = "", 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and not report.skipped:
            self.ran += 1
            if report.failed and not self.killer:
                self.killer = report.nodeid

    def pytest_runtest_makereport(self, item: pytest.Item) -> None:
        if self.killer:
            item.session.shouldstop = "killed"


def verdict_of(mutant: Mutant, tests: Iterable[Numbered]) -> Verdict:
    """Try one mutant in a fork."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.alarm(LONGEST_S)
        try:
            told = _tried(mutant, tests)
        except BaseException as error:
            told = {"trouble": f"{type(error).__name__}: {error}"}
        os.write(writing, json.dumps(told).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    told = json.loads(text) if text else {"trouble": f"no end within {LONGEST_S} s, or a crash"}
    return Verdict(mutant, told.get("killer", ""), told.get("ran", 0), told.get("trouble", ""))


def _tried(mutant: Mutant, tests: Iterable[Numbered]) -> dict[str, object]:
    os.chdir(ROOT)
    with tempfile.TemporaryFile() as heap:
        for stream in (1, 2):
            os.dup2(heap.fileno(), stream)
        try:
            mutant.apply()
        except (NotThereError, ImportError) as error:
            return {"trouble": f"it no longer applies, mend it in the registry: {error}"}
        watch, broken = _Watch(), ""
        for file, names in _by_file(tests):
            nodes = [f"{file.relative_to(ROOT)}::{name}" for name in names]
            status = pytest.main([*ARGUMENTS, *nodes], plugins=[watch])
            if watch.killer:
                break
            if status in (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR):
                heap.seek(0)
                broken = heap.read().decode(errors="replace")[-1_500:]
        if not watch.killer and (broken or not watch.ran):
            return {"trouble": f"no test of rule {mutant.rule} could run: {broken}"}
        return {"killer": watch.killer, "ran": watch.ran}


def _by_file(tests: Iterable[Numbered]) -> Iterator[tuple[Path, list[str]]]:
    """Tests by file: the numbered rules' own first, then the engine's, then the others'."""
    files: dict[Path, list[str]] = defaultdict(list)
    for test in tests:
        files[test.file].append(test.name)
    first = ("rules", "sim", "exercises", "gis")
    folder = {file: file.relative_to(ROOT / "tests").parts[0] for file in files}
    rank = {file: [*first, name].index(name) for file, name in folder.items()}
    yield from sorted(files.items(), key=lambda pair: (rank[pair[0]], pair[0]))


def try_all(mutants: Iterable[Mutant], tests: Iterable[Numbered]) -> Iterator[Verdict]:
    """Try mutants one by one, each on the tests that carry its rule's number."""
    tests = tuple(tests)
    for mutant in mutants:
        yield verdict_of(mutant, [test for test in tests if mutant.rule in test.numbers])
