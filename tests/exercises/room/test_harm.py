"""Names and texts that mean harm, through every door of a room, in one browser.

Whoever names a district, a street, a team, a file or writes an order, a note, a message or a reason
has no say in any page, print or table: it is shown as it was written.
"""

import csv
import io
import json
import os
import sqlite3
import zipfile
from contextlib import closing
from dataclasses import replace
from urllib.parse import urlsplit

import openpyxl
import pytest

pytest.importorskip("uvicorn", reason="the extra `room` is not installed")

from exercises.debrief.crew import ALONE
from exercises.debrief.material import read_material
from exercises.debrief.write import write_pack as write_debrief
from exercises.room.folder import team_folders
from exercises.room.preparing import Preparation
from gis.store import GPKG, GROUND, MANIFEST
from tests.exercises.debrief.hand_exercise import FLOOD, write_pack
from tests.exercises.room.test_preparing import served
from tests.gis import hand_pack
from tests.pages import Watched
from tests.strategies import seed_of

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not os.environ.get("AVERSE_HARM"),
        reason="long: `make fuzz` goes through every door; tests of each page try their own",
    ),
]

NOTED = "=cmd|' /C calc'!A0"


def harm(door):
    """A text that a page, a formula, a template or a typesetter would act on."""
    return (
        f'{NOTED} "\'></script><img src=x onerror="window.PWNED=\'{door}\'">{{{{7*7}}}}#eval("1")`'
    )


TEAMS = ("<img src=x onerror=PWNED=1>", "=1+1</script><b>'\"")
FILE = "<img src=x onerror=PWNED=2>"


@pytest.fixture(scope="module")
def sent(tmp_path_factory):
    """A district of which every name means harm, as an archive of such a name."""
    folder = tmp_path_factory.mktemp("harm")
    made = hand_pack.district()
    kinds = ("shelters", "stations", "police_stations", "technical_centres")
    named = {
        kind: tuple(
            replace(one, name=harm(f"{kind} {number}"))
            for number, one in enumerate(getattr(made, kind))
        )
        for kind in kinds
    }
    quarters = tuple(harm(f"quarter {number}") for number in range(4))
    pack = write_pack(folder / "pack", name=harm("district"), quarters=quarters, **named)
    with closing(sqlite3.connect(pack / GPKG, isolation_level=None)) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'"):
            db.execute(f'DROP TRIGGER "{name}"')
        db.execute("UPDATE basemap SET name = ? WHERE name IS NOT NULL", (harm("street"),))
    with zipfile.ZipFile(folder / f"{FILE}.zip", "w", zipfile.ZIP_DEFLATED) as book:
        for part in (MANIFEST, GPKG, GROUND):
            book.write(pack / part, part)
    (folder / f"bad {FILE}.zip").write_bytes(b"no archive")
    (folder / f"{FILE}.toml").write_text(
        f"teams = {json.dumps(TEAMS)}\nlevel = 5\nturns = 3\ncards = false\n"
        f"{json.dumps(FILE)} = 1\n"  # a key that none is
        f'injects = [{{ turn = 2, card = "power_cut", note = {json.dumps(harm("note"))} }}]\n',
        encoding="utf-8",
    )
    return folder


class Walk:
    """A browser that goes through every page, and what it complained of."""

    def __init__(self, browser, base):
        self.base, self.complaints, self.hosts = base, [], set()
        self.context = browser.new_context(viewport={"width": 1280, "height": 800})
        self.context.set_default_timeout(20_000)

    def page(self, address):
        page = self.context.new_page()
        page.on("console", lambda m: self.complaints.append(m.text))
        page.on("pageerror", lambda e: self.complaints.append(str(e)))
        page.on("dialog", lambda d: self.complaints.append(d.message))
        page.on("request", lambda r: self.hosts.add(urlsplit(r.url).netloc))
        page.goto(address)
        return page

    def post(self, path, body, **params):
        """Ask as the page does; its cookies are the browser's."""
        answer = self.context.request.post(
            f"{self.base}{path}",
            params=params,
            data=body if isinstance(body, bytes) else json.dumps(body),
        )
        return answer.status, answer.json()

    def is_unharmed(self, *pages):
        # a handler of an element would be stopped by the policy of the page, and complained of
        assert self.complaints == [], self.complaints
        assert self.hosts <= {urlsplit(self.base).netloc, ""}
        for page in pages:
            assert page.evaluate("window.PWNED") is None
            assert page.locator('img[src=x], body b:text-is("\'\\"")').count() == 0
            assert "49" not in page.locator("h1").first.inner_text()

    def tabs(self, page):
        """Show every part of a page; return all that they say."""
        page.bring_to_front()  # a page behind another draws once a second
        said = []
        for tab in page.locator("[id^=tab-]:visible").all():
            tab.click()
            said.append(page.inner_text("body"))
        return "\n".join(said)


def prepared(walk, sent, preparation):
    page = walk.page(f"{walk.base}/i/join?token={preparation.token}")
    page.wait_for_selector("[data-ready]")
    page.set_input_files("input[accept^='.zip']", sent / f"bad {FILE}.zip")
    page.get_by_text(f"bad {FILE}.zip is no .zip that can be read").first.wait_for()
    walk.complaints.clear()  # the browser tells of every 400
    page.set_input_files("input[accept^='.zip']", sent / f"{FILE}.zip")
    page.get_by_text(harm("district")).first.wait_for()
    page.set_input_files("input[accept='.toml'] >> nth=0", sent / f"{FILE}.toml")
    page.get_by_text(f"{FILE}.toml, line 5").first.wait_for()
    assert page.get_by_label("Team 1", exact=True).input_value() == TEAMS[0]
    walk.is_unharmed(page)
    asked = {"teams": TEAMS, "level": 5, "turns": 3, "cards": False, "seed": seed_of(4)}
    asked["injects"] = [{"turn": 2, "card": "power_cut", "note": harm("note")}]
    weather = FLOOD.replace("20, 100", "0, 20").replace('"La Bièvre"', json.dumps(harm("street")))
    assert walk.post("/i/api/weather", weather.encode())[0] == 200
    assert walk.post("/i/api/open", asked)[1]["faults"] == []
    while walk.context.request.get(f"{walk.base}/i/api/now").status != 200:
        page.wait_for_timeout(100)
    page.goto(f"{walk.base}/i/?lang=en")
    page.wait_for_selector("#console[data-ready]")
    return page


def played(walk, console):
    """A class that writes what means harm wherever it may; its pages."""
    links = walk.context.request.get(f"{walk.base}/i/api/links").json()["links"]
    teams = []
    for link in links:
        page = walk.page(f"{link['address']}&lang=en")
        if link["team"]:
            if not teams:  # it is told once in a browser
                page.click("#skip-tutorial")
            page.locator("#map canvas").first.wait_for()
            teams.append((link["team"], page))
        else:
            public = page
    (first, _), _ = teams
    given = {"order": "forecast", "cells": ["0305"]}
    for key, _ in teams:
        body = {"order": given, "reason": harm(f"reason {key}")}
        assert walk.post(f"/t/{key}/api/orders", body)[1]["accepted"]
    rows = f"turn,card,target,note\n2,accident,,{NOTED}\n".encode()
    assert walk.post("/i/api/injects", rows, name=f"{FILE}.csv")[0] == 200
    wrong = f"turn,card\n2,{FILE}\n".encode()
    status, told = walk.post("/i/api/injects", wrong, name=f"{FILE}.csv")
    assert status == 400
    assert FILE in told["said"]
    assert walk.post("/i/api/teams", {"name": TEAMS[0]})[0] == 400  # there is one called so
    for turn in range(3):
        for path, body in (
            ("/i/api/message", {"team": None, "text": harm(f"message {turn}")}),
            ("/i/api/card", {"team": None, "card": "roadworks", "note": harm("card")}),
            ("/i/api/advance", {}),
            (
                f"/t/{first}/api/orders",
                {"order": {"order": "move", "unit": FILE, "to": "0305"}, "reason": harm("refused")},
            ),
            (
                f"/t/{first}/api/orders",
                {
                    "order": {"order": "alert", "centre": "0305", "radius": 1},
                    "reason": harm("alert"),
                },
            ),
        ):
            status, told = walk.post(path, body)
            assert status == 200, told
    walk.tabs(console)
    shown = [walk.tabs(page) for _, page in teams]
    assert all(harm(f"message {turn}") in text for turn in range(3) for text in shown)
    assert harm("alert") in shown[0]
    assert harm("alert") not in shown[1]
    walk.is_unharmed(console, public, *(page for _, page in teams))
    walk.post("/i/api/end", {"team": None, "reason": harm("end")})
    public.bring_to_front()
    public.wait_for_selector(".unveiled")
    walk.tabs(teams[0][1])
    walk.is_unharmed(console, public, *(page for _, page in teams))


def cells_of(folder):
    """Every cell of every table that a spreadsheet opens."""
    for path in folder.rglob("*.csv"):
        text = path.read_text(encoding="utf-8-sig")
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=";"):
            yield from row
    for path in folder.rglob("*.xlsx"):
        for sheet in openpyxl.load_workbook(path):
            for row in sheet.iter_rows():
                for cell in row:
                    assert cell.data_type != "f", (path.name, cell.value)
                    yield f"'{cell.value}" if cell.data_type == "s" else str(cell.value)


def test_no_name_and_no_text_has_a_say_in_any_page(browser, sent, tmp_path):
    preparation = Preparation(tmp_path / "room", None, {"lang": "en"})
    with served(preparation) as base:
        walk = Walk(browser, base)
        console = prepared(walk, sent, preparation)
        played(walk, console)
        printed = walk.context.request.get(f"{base}/i/api/forms.pdf")
        assert printed.status == 200, printed.text()
        assert printed.body().startswith(b"%PDF")
        rows = walk.context.request.get(f"{base}/i/files/injects.xlsx")
        (tmp_path / "tables").mkdir()
        (tmp_path / "tables" / "injects.xlsx").write_bytes(rows.body())
        walk.context.close()
    material = read_material(team_folders(tmp_path / "room"), crew=ALONE)
    folder = write_debrief(material, tmp_path / "debrief", "fr", crew=ALONE).folder
    for path in (folder / "index.html", next(folder.rglob("maps/*.html"))):
        opened = Watched(browser, path)
        assert opened.quiet(), opened.complaints
        assert opened.run("() => window.PWNED === undefined")
        assert opened.page.locator("img[src=x]").count() == 0
        opened.close()
    told = [*cells_of(folder), *cells_of(tmp_path / "tables")]
    assert not [cell for cell in told if cell.lstrip().startswith(tuple("=+@"))]
    for door in ("reason", "refused", "card", "message"):
        assert any(f"window.PWNED='{door}" in cell for cell in told), door
