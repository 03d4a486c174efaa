"""Pages in Debian's chromium with the network cut: what they ask for, and complain of.

The fixture ``browser`` is in every test's reach, through ``tests/conftest.py``.
"""

from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

CHROMIUM = Path("/usr/bin/chromium")
_open = ExitStack()
_idle = []
"""Pages that no test has in hand, each emptied: to start one costs more than to load it."""


@pytest.fixture(scope="session")
def browser():
    """The one chromium of this worker, started when first asked for; skip without one.

    Every page of ``new_page`` is a profile of its own: tests share nothing but the start. While
    it runs this thread has an event loop: what calls ``asyncio.run`` does so in another thread.
    """
    return _started()


@cache
def _started():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"no {CHROMIUM}: install the package chromium to test pages in a browser")
    started = _open.enter_context(playwright.sync_playwright())
    shown = started.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
    _open.callback(shown.close)
    return shown


@pytest.hookimpl(trylast=True)  # once the fixtures are ended, whatever stopped the tests
def pytest_sessionfinish() -> None:
    """Close it, at the end of all tests."""
    _idle.clear()
    _open.close()
    _started.cache_clear()


class Watched:
    """A page, with all that it asked for and complained of; ``close`` it when done.

    The page may have shown another file before: nothing of that one is left but the process.
    """

    def __init__(self, browser, path, width=1280, height=800, part=""):
        self.page = _idle.pop() if _idle else browser.new_page(offline=True)
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.context.set_offline(True)
        self.requests, self.complaints = [], []
        self._listeners = {
            "request": lambda r: self.requests.append(r.url),
            "console": lambda m: self.complaints.append(m.text),
            "pageerror": lambda e: self.complaints.append(str(e)),
            "dialog": lambda d: self.complaints.append(d.message),
        }
        for event, heard in self._listeners.items():
            self.page.on(event, heard)
        self.own = path.absolute().as_uri()
        self.part = part
        self.page.goto(f"{self.own}#{part}" if part else self.own)
        self.settle()

    def settle(self):
        self.page.evaluate("() => new Promise(r => requestAnimationFrame(() => setTimeout(r, 30)))")

    def run(self, script, *values):
        return self.page.evaluate(script, *values)

    def quiet(self):
        return self.requests == [self.own] and self.complaints == []

    def faults(self):
        """Serious faults of accessibility, by axe-core."""
        axe = pytest.importorskip("axe_playwright_python.sync_playwright")
        found = axe.Axe().run(self.page).response["violations"]
        return [
            (fault["id"], [node["target"] for node in fault["nodes"][:3]])
            for fault in found
            if fault["impact"] in {"serious", "critical"}
        ]

    def close(self):
        """Empty the page, and leave it to the next that opens one."""
        self.run("() => { localStorage.clear(); sessionStorage.clear(); }")
        for event, heard in self._listeners.items():
            self.page.remove_listener(event, heard)
        self.page.mouse.move(0, 0)
        self.page.goto("about:blank")
        _idle.append(self.page)
