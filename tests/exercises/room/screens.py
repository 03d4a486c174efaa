"""Pages of a room in a browser: what each asked for, complained of and was acknowledged."""

import json
import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest

TEAM_APP = """
const {app} = await import(document.querySelector('script[src$="/team.js"]').src);
"""
HEARS_ORDERS = """
const sends = window.fetch;
window.fetch = async (path, more) => {
  const answer = await sends(path, more);
  if (more?.method === 'POST' && /\\/api\\/orders/.test(path)) {
    await window.answered(more.body, await answer.clone().text());
  }
  return answer;
};
"""


def joined(context, served, prefix):
    """Let a browser in at a prefix by its link, with no page on the way."""
    token = served.classroom.token(prefix)
    answer = context.request.get(f"{served.base}{prefix}/join?token={token}", max_redirects=0)
    assert answer.status == 303, answer.text()


class Screen:
    """One page; ``acknowledged`` are the orders that the room told it were accepted."""

    def __init__(self, context, address, name=""):
        self.context, self.name = context, name
        self.page = context.new_page()
        self.page.set_default_timeout(20_000)
        self.complaints, self.hosts, self.acknowledged = [], set(), []
        self.page.on("console", lambda m: self.complaints.append(m.text))
        self.page.on("pageerror", lambda e: self.complaints.append(str(e)))
        self.page.on("dialog", lambda d: self.complaints.append(d.message))
        self.page.on("request", lambda r: self.hosts.add(urlsplit(r.url).netloc))
        self.page.expose_function("answered", self._answered)
        self.page.add_init_script(HEARS_ORDERS)
        self.page.goto(address)

    def _answered(self, sent, told):
        told = json.loads(told)
        if told.get("accepted"):
            self.acknowledged.append({**json.loads(sent), "number": told["number"]})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()

    def run(self, script):
        """What a script says that knows a team page's ``app``."""
        return self.page.evaluate(f"async () => {{ {TEAM_APP} {script} }}")

    def until(self, script):
        """Wait until an expression of a team's page is so."""
        for _ in range(400):
            if self.run(f"return {script};"):
                return
            self.page.wait_for_timeout(25)
        raise AssertionError(f"never so: {script}")

    def spot(self, hex_label):
        """Where a hex of a team's map lies in the window."""
        return self.run(f"return app.map.centreOf(app.cellOf('{hex_label}'));")

    def says(self, selector, text):
        self.page.locator(selector, has_text=text).first.wait_for()

    def is_quiet(self, but=None):
        """Whether it complained of nothing, but for what is given, and asked no other host."""
        own = {urlsplit(self.page.url).netloc}
        said = [one for one in self.complaints if but is None or not but.search(one)]
        return said == [] and self.hosts - {""} <= own

    def faults(self):
        """Serious faults of accessibility, by axe-core."""
        axe = pytest.importorskip("axe_playwright_python.base")
        if not self.page.evaluate("() => 'axe' in window"):
            self.page.evaluate(axe.AXE_FILE_PATH.read_text(encoding="utf-8"))
        found = self.page.evaluate(
            "() => axe.run({resultTypes: ['violations']}).then(told => told.violations)"
        )
        return [
            (fault["id"], [node["target"] for node in fault["nodes"][:3]])
            for fault in found
            if fault["impact"] in {"serious", "critical"}
        ]

    def overflow(self):
        """How many pixels the page is wider than its window."""
        return self.page.evaluate(
            "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )


def gallery(tmp_path_factory):
    """Folder that screenshots are kept in: $AVERSE_SCREENSHOTS, or one of the test run."""
    asked = os.environ.get("AVERSE_SCREENSHOTS")
    if not asked:
        return tmp_path_factory.mktemp("screenshots")
    Path(asked).mkdir(parents=True, exist_ok=True)
    return Path(asked)
