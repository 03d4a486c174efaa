"""Pages in Debian's chromium with the network cut: what they ask for, and complain of."""

from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

CHROMIUM = Path("/usr/bin/chromium")
_open = ExitStack()


@cache
def the_browser():
    """Return the one browser of this process, started when first asked for; skip without one.

    Every page of ``new_page`` is a profile of its own: tests share nothing but the start. While
    it runs this thread has an event loop: what calls ``asyncio.run`` does so in another thread.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"no {CHROMIUM}: install the package chromium to test pages in a browser")
    started = _open.enter_context(playwright.sync_playwright())
    shown = started.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
    _open.callback(shown.close)
    return shown


def close_browser():
    """Close it, at the end of all tests."""
    _open.close()
    the_browser.cache_clear()


def started_browser():
    """Yield the browser, for a fixture's ``yield from``; the fixture ``browser`` does as well."""
    yield the_browser()


class Watched:
    """A page, with all that it asked for and complained of."""

    def __init__(self, browser, path, width=1280, height=800):
        self.page = browser.new_page(viewport={"width": width, "height": height})
        self.page.context.set_offline(True)
        self.requests, self.complaints = [], []
        self.page.on("request", lambda r: self.requests.append(r.url))
        self.page.on("console", lambda m: self.complaints.append(m.text))
        self.page.on("pageerror", lambda e: self.complaints.append(str(e)))
        self.page.on("dialog", lambda d: self.complaints.append(d.message))
        self.own = path.absolute().as_uri()
        self.page.goto(self.own)
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
