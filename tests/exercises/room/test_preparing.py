"""A room that its instructor prepares in a browser: who may, what is kept, what is opened."""

import contextlib
import io
import json
import threading
import time
import zipfile
from urllib.parse import urlsplit

import httpx
import pytest

from exercises.exercise_folder import summary_of
from exercises.room.address import listen
from exercises.room.folder import is_room, team_folders, world_of
from exercises.room.preparing import Preparation, StoppedError
from exercises.room.routes_prepare import Hall
from exercises.room.security import JOINS_AT_ONCE
from exercises.room.serve import server_for
from exercises.scenario_file import read_scenario
from exercises.scenario_model import ScenarioFile
from gis.store import GPKG, GROUND, MANIFEST, read_district
from sim.errors import ExerciseError
from tests.strategies import seed_of

SMALL = {"turns": 2, "level": 5, "seed": seed_of(4), "cards": False}
FAULTY = 'teams = ["Red", ""]\nhour = 15\nhoru = 8\ngathering = { hex = "9999", people = 5 }\n'


def zip_of(pack):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        for part in (MANIFEST, GPKG, GROUND):
            book.write(pack / part, f"town/{part}")
    return out.getvalue()


class Prepared:
    """A preparation, and its instructor's browser, which came by the link."""

    def __init__(self, client, preparation):
        self.client, self.preparation = client, preparation

    def join(self):
        found = self.client.get(
            "/i/join", params={"token": self.preparation.token}, follow_redirects=False
        )
        assert found.status_code == 303
        return self

    def get(self, path, **params):
        return self.client.get(f"/i/api/{path}", params=params)

    def post(self, path, body, **params):
        sent = {"content": body} if isinstance(body, bytes) else {"json": body}
        return self.client.post(f"/i/api/{path}", params=params, **sent)

    def wait(self, state):
        """Wait until the room is that far."""
        for _ in range(600):
            found = self.get("prepare").json()
            if found["state"] != "opening":
                break
            time.sleep(0.05)
        assert found["state"] == state, found["said"]


@contextlib.contextmanager
def served(preparation):
    """A preparation on loopback, and the room after it; its address."""
    with contextlib.closing(listen("127.0.0.1", 0)) as listening:
        server = server_for(Hall(preparation))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@contextlib.contextmanager
def prepared(out, pack=None, **given):
    preparation = Preparation(out, pack, given)
    with served(preparation) as base, httpx.Client(base_url=base, timeout=30) as client:
        client.follow_redirects = True
        yield Prepared(client, preparation)


# ------------------------------------------------------------------------- who may
def test_nobody_sees_anything_before_the_room_is_open(pack, tmp_path):
    with prepared(tmp_path / "room", pack) as at:
        for path in ("/t/1-team-1/", "/t/1-team-1/api/now", "/p/", "/p/api/now", "/i/api/now"):
            assert at.client.get(path).status_code == 404
        asked = [("GET", "/api/prepare"), ("GET", "/files/scenario.toml")]
        asked += [("POST", f"/api/{name}") for name in ("draft", "open", "scenario", "pack")]
        asked += [("GET", "/files/injects.csv"), ("POST", "/api/injects")]
        for method, path in asked:
            assert at.client.request(method, f"/i{path}", content=b"{}").status_code == 403
        page = at.client.get("/i/?lang=fr")
        assert "Préparer" in page.text
        assert "Essai" not in page.text  # the shell says nothing of what is prepared
        shown = {"cookie": f"averse={at.preparation.token}"}  # a link is no cookie
        assert at.client.get("/i/api/prepare", headers=shown).status_code == 403
        wrong = at.client.get("/i/join?token=x", follow_redirects=False)
        assert (wrong.status_code, dict(wrong.cookies)) == (403, {})
        at.client.cookies.clear()
        at.join()
        assert at.get("prepare").status_code == 200
        assert at.client.get("/i/").headers["content-security-policy"].startswith("default-src")
        for header in ({"origin": "http://evil.org"}, {"sec-fetch-site": "cross-site"}):
            refused = at.client.post("/i/api/draft", json={}, headers=header)
            assert refused.status_code == 403
        assert at.client.get("/i/", headers={"host": "evil.org"}).status_code == 421
        tries = (at.client.get("/i/join?token=x").status_code for _ in range(5 * JOINS_AT_ONCE))
        assert 429 in tries  # sooner or later: a slow machine gives some back
        assert not is_room(tmp_path / "room")


# ------------------------------------------------------------------------- what is chosen
def test_what_is_chosen_is_kept_checked_and_given_as_a_file(pack, tmp_path):
    with prepared(tmp_path / "room", pack, hour=8, lang="fr") as at:
        at.join()
        now = at.get("prepare", lang="fr").json()
        assert (now["state"], now["draft"]["hour"], now["draft"]["lang"]) == ("form", 8, "fr")
        assert now["draft"]["teams"] == ["Équipe 1"]
        assert now["district"]["name"] == "Essai"
        (there,) = [one for one in now["district"]["hexes"] if one["label"] == "0304"]
        assert now["district"]["quarters"][there["quarter"]] == "Nord-Ouest"
        assert "0101" not in str(now["district"]["hexes"])  # nobody may stand there
        assert len(now["choices"]["cards"]) == 9
        draft = {**now["draft"], "hour": 15, "gathering": {"hex": "0304"}, "teams": ["<b>", " "]}
        faults = at.post("draft", draft, lang="en").json()["faults"]
        assert [fault["at"] for fault in faults] == ["teams.1", "hour", "gathering.people"]
        assert faults[1]["said"] == "15 is none of them: give 3, 8, 14 or 18"
        french = at.post("open", draft, lang="fr").json()["faults"]
        assert [fault["at"] for fault in french] == [fault["at"] for fault in faults]
        assert french[1]["said"] != faults[1]["said"]
        assert at.get("prepare").json()["state"] == "form"
        refused = at.client.get("/i/files/scenario.toml")
        assert refused.status_code == 400
        assert "none of them" in refused.json()["said"] or "possible" in refused.json()["said"]
        assert refused.json()["said"].startswith("teams[2]: ")
    assert {path.name for path in tmp_path.iterdir()} == {"room.draft.json"}
    # a server that is started again finds it; what is then typed wins
    with prepared(tmp_path / "room", pack, hour=18) as at:
        kept = at.join().get("prepare").json()["draft"]
        assert (kept["hour"], kept["teams"]) == (18, ["<b>", " "])
        at.post("draft", {**SMALL, "teams": ["<b>"], "injects": [{"turn": 1, "card": "jam"}]})
        (tmp_path / "again.toml").write_text(at.client.get("/i/files/scenario.toml").text)
    again = read_scenario(tmp_path / "again.toml", pack)
    assert (again.teams, again.turns, again.injects[0].card) == (["<b>"], 2, "jam")


def test_files_fill_the_form_and_their_faults_are_told(pack, tmp_path):
    with prepared(tmp_path / "room", pack) as at:
        at.join()
        sent = at.post("scenario", FAULTY.encode(), name="class.toml", lang="en").json()
        assert [line.split(": ")[0] for line in sent["lines"]] == [
            "class.toml, line 1, teams[2]",
            "class.toml, line 2, hour",
            "class.toml, line 3, horu",
            "class.toml, line 4, gathering.hex",
        ]
        assert sent["draft"]["teams"] == ["Red", ""]
        assert sent["draft"]["turns"] == 30
        assert [fault["at"] for fault in sent["faults"]] == ["teams.1", "hour", "gathering.hex"]
        for content, words in ((b"hour = ", "TOML"), (b"\xff", "UTF-8")):
            refused = at.post("scenario", content, name="class.toml")
            assert refused.status_code == 400
            assert words in refused.json()["said"]
        named = at.post("scenario", b'weather = "/etc/passwd"', name="x.toml", lang="en").json()
        assert "another machine" in named["lines"][0]
        french = at.client.get("/i/files/injects.csv?lang=fr").text
        assert french.splitlines()[2] == "6,coupure électrique,,"
        assert "le camion" in at.post("injects", french.encode(), name="injects.csv").text
        sample = at.client.get("/i/files/injects.csv").content
        rows = at.post("injects", sample, name="injects.csv").json()["injects"]
        assert [(row["turn"], row["card"]) for row in rows] == [
            (4, "accident"),
            (6, "power_cut"),
            (9, "injunction"),
        ]
        assert at.post("draft", {"injects": rows}).json()["faults"] == []
        for name, content in (("x.exe", b"x"), ("x.csv", b"a,b\n1,2\n"), ("x.xlsx", b"x")):
            assert at.post("injects", content, name=name).status_code == 400
        dated = at.post("scenario", b"turns = inf\nhour = 2026-05-01", name="x.toml").json()[
            "draft"
        ]
        assert (dated["turns"], dated["hour"]) == ("Infinity", "2026-05-01")
        assert json.loads((tmp_path / "room.draft.json").read_text(encoding="utf-8")) == dated
        for body in (b"[]", b"x", b'{"hour": 1, "hour": 2}', b'{"teams": ["\\ud800"]}'):
            assert at.post("draft", body).status_code == 400
        assert at.post("draft", {"teams": ["x" * 500_000]}).status_code == 413
        odd = {"teams": {}, "injects": [[]], "gathering": [], "hour": None, "seed": {}, "zz": 1}
        at_fault = {fault["at"].split(".")[0] for fault in at.post("draft", odd).json()["faults"]}
        assert at_fault == set(odd)
        assert (
            at.post("draft", {"teams": ["Red", "RED\u200b"]}).json()["faults"][0]["at"] == "teams.1"
        )


def test_weather_that_is_sent_is_laid_on_the_district(pack, tmp_path):
    with prepared(tmp_path / "none") as at:
        refused = at.join().post("weather", b"[storm]\nyears = 20\n", lang="en")
        assert refused.json()["said"] == "send a district pack first"
    with prepared(tmp_path / "room", pack) as at:
        at.join()
        named = b'[[inflow]]\nhex = "0501"\ncsv = "/etc/passwd"\n'
        for content, words in (
            (b"[storm]\nyears = -1\n", "years"),
            (named, "names no other file"),
            (b"\xff", "UTF-8"),
            (b"[storm", "not TOML"),
        ):
            refused = at.post("weather", content, lang="en")
            assert refused.status_code == 400
            assert words in refused.json()["said"]
        assert at.get("prepare").json()["weather"] is None
        sent = at.post("weather", b"[storm]\nyears = 20\n").json()["weather"]
        assert sent == "room.weather.toml"
        assert f'weather = "{sent}"' in at.client.get("/i/files/scenario.toml").text
        at.preparation.begin()
        at.preparation.create(ScenarioFile(turns=1, level=2, seed=seed_of(4)), "/i")
    (team,) = team_folders(tmp_path / "room")
    assert summary_of(team)["weather"]["rain_years"] == 20
    with prepared(tmp_path / "none", pack, weather=str(tmp_path / "room.weather.toml")) as at:
        assert at.join().get("prepare").json()["weather"] == "room.weather.toml"
        assert at.post("weather", b"").json()["weather"] is None


def test_what_is_typed_at_fault_opens_nothing(pack, tmp_path):
    for given, words in (({"hour": 7}, "--hour: 7"), ({"injects": "no.csv"}, "--injects")):
        with pytest.raises(ExerciseError, match=words):
            Preparation(tmp_path / "room", pack, given)
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------- the room
def test_a_room_is_opened_on_a_district_that_was_sent(pack, tmp_path):
    out = tmp_path / "room"
    with prepared(out) as at:
        at.join()
        assert at.get("prepare").json()["district"] is None
        (fault,) = at.post("open", SMALL, lang="en").json()["faults"]
        assert (fault["at"], fault["said"]) == ("district", "send a district pack first")
        refused = at.post("pack", zip_of(pack)[:-40], name="town.zip", lang="fr")
        assert refused.status_code == 400
        assert refused.json()["said"].startswith("town.zip n'est pas un .zip lisible")
        assert at.post("pack", zip_of(pack), name="town.zip").json()["district"]["name"] == "Essai"
        assert at.post("draft", SMALL).json()["faults"] == []
    with prepared(out) as at:  # started again, it has the district that was sent
        assert at.join().get("prepare").json()["district"]["name"] == "Essai"
        asked = {**SMALL, "teams": ["Red", "Blue <b>"], "own_seeds": True, "hour": 8}
        assert at.post("open", asked).json()["faults"] == []
        at.post("open", asked)  # a second click opens no second room
        at.wait("open")
        # the same address, cookie and link are the console's now
        now = at.get("now").json()
        assert [team["name"] for team in now["teams"]] == ["Red", "Blue <b>"]
        assert "console.js" in at.client.get("/i/").text
        links = at.get("links").json()["links"]
        assert [link["team"] for link in links] == ["1-red", "2-blue-b", None]
        way = urlsplit(links[0]["address"])
        assert at.client.get(f"{way.path}?{way.query}").status_code == 200
        at.client.cookies.clear()
        at.join()
        assert at.get("now").status_code == 200
        assert at.post("draft", {}).status_code == 404
    first, second = map(world_of, team_folders(out))
    assert (first.hour, first.turns, first.level, first.seed) == (8, 2, 5, seed_of(4))
    assert second.seed != first.seed
    assert read_district(tmp_path / "room-district").digest == first.district.digest
    assert {path.name for path in tmp_path.iterdir()} == {"room", "room-district"}
    with pytest.raises(ExerciseError, match="holds a room already"):
        Preparation(out, pack, {})


def test_a_room_that_is_stopped_half_made_leaves_nothing(pack, tmp_path):
    preparation = Preparation(tmp_path / "room", pack, {})
    assert preparation.begin()
    assert not preparation.begin()
    preparation.keep({"hour": 3})  # what is being opened is what was checked
    assert preparation.draft["hour"] == 14
    preparation.stop()
    with pytest.raises(StoppedError):
        preparation.create(ScenarioFile(turns=3, level=2), "/i")
    assert {path.name for path in tmp_path.iterdir()} == {"room.draft.json"}


def test_a_room_that_cannot_be_written_leads_back_to_the_form(pack, tmp_path):
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "mine.txt").write_text("x")
    with prepared(tmp_path / "room", pack) as at:
        at.join().post("open", SMALL)
        at.wait("failed")
        assert "holds something else" in at.get("prepare").json()["said"]
        assert at.post("draft", {**SMALL, "hour": 3}).json()["faults"] == []


@contextlib.contextmanager
def no_file_longer_than(size):
    """A system that lets this process write no more than that into a file."""
    resource = pytest.importorskip("resource", reason="only on Unix")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_choices_that_cannot_be_written_are_told_in_a_sentence(pack, tmp_path):
    with prepared(tmp_path / "room", pack) as at:
        at.join()
        with no_file_longer_than(10):
            full = at.post("draft", {**SMALL, "hour": 3}, lang="fr")
            sent = at.post("weather", b"[storm]\nyears = 20\n", lang="en")
        assert (full.status_code, sent.status_code) == (507, 507)
        assert "(fichier trop gros)" in full.json()["said"]
        assert "rien n'a été gardé" in full.json()["said"]
        assert "(File too large), and nothing was kept" in sent.json()["said"]
        assert at.post("draft", {**SMALL, "hour": 8}).json()["faults"] == []
        assert at.get("prepare").json()["draft"]["hour"] == 8


@pytest.mark.parametrize("damage", ["[" * 100_000, '{"teams": "\\ud800"}', "{", "\0", "[1]"])
def test_a_damaged_file_of_choices_is_set_aside(pack, tmp_path, caplog, damage):
    (tmp_path / "room.draft.json").write_text(damage, encoding="utf-8")
    assert Preparation(tmp_path / "room", pack, {}).draft["hour"] == 14
    assert "room.draft.json is damaged: it is kept as room.draft.damaged" in caplog.text
    assert (tmp_path / "room.draft.damaged").read_text(encoding="utf-8") == damage


def test_no_district_or_weather_is_taken_while_the_room_opens(pack, tmp_path):
    with prepared(tmp_path / "room") as at:
        at.join().post("pack", zip_of(pack))
        assert at.preparation.begin()
        before = (tmp_path / "room-district").stat().st_ino
        for path in ("pack", "weather"):
            refused = at.post(path, zip_of(pack) if path == "pack" else b"", lang="en")
            assert refused.status_code == 409
            assert "the room is being opened" in refused.json()["said"]
        assert (tmp_path / "room-district").stat().st_ino == before


# ------------------------------------------------------------------------- in a browser
@contextlib.contextmanager
def shown(browser, out, pack, lang="en", width=1280, height=800):
    """The form of a room in a browser, and all that it complained of."""
    preparation = Preparation(out, pack, {"turns": 2, "seed": seed_of(4)})
    with served(preparation) as base:
        context = browser.new_context(viewport={"width": width, "height": height})
        page = context.new_page()
        page.set_default_timeout(20_000)
        complaints, hosts = [], set()
        page.on("console", lambda m: complaints.append(m.text))
        page.on("pageerror", lambda e: complaints.append(str(e)))
        page.on("request", lambda r: hosts.add(urlsplit(r.url).netloc))
        try:
            page.goto(f"{base}/i/join?token={preparation.token}")
            page.goto(f"{base}/i/?lang={lang}")
            page.wait_for_selector("[data-ready]")
            yield page, complaints
            assert hosts == {urlsplit(base).netloc}
        finally:
            context.close()


def serious(page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    found = axe.Axe().run(page).response["violations"]
    return [
        (fault["id"], [node["target"] for node in fault["nodes"][:3]])
        for fault in found
        if fault["impact"] in {"serious", "critical"}
    ]


@pytest.mark.browser
def test_a_form_is_filled_by_keyboard_and_its_room_opened(browser, pack, tmp_path):
    with shown(browser, tmp_path / "room", pack) as (page, complaints):
        page.get_by_label("Team 1", exact=True).fill("Red <img src=x onerror=PWNED=1>")
        page.locator("#team-add").press("Enter")
        page.keyboard.type("Blue")  # the new row has the focus, and its name is marked
        page.get_by_label("Hour").select_option("8")
        page.get_by_label("Saturday or Sunday").press("Space")
        page.get_by_label("Hex").fill("9999")
        page.get_by_label("People").fill("40")
        page.locator(".at-fault", has_text="not on the sheet").wait_for()
        page.locator("#inject-add").press("Enter")
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type("1")
        page.get_by_label("Target").fill("Nowhere")
        page.get_by_text("2 faults to mend").wait_for()
        page.locator("#open").press("Enter")  # leads to the first of them
        page.locator("[list=hexes]:focus").wait_for()
        page.get_by_role("button", name="Choose on the map…").press("Enter")
        page.locator(".map-dialog .hex").nth(1).hover()
        page.get_by_text("0103 – North-West").wait_for()
        assert serious(page) == []
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.locator("[list=hexes]:focus").wait_for()
        page.get_by_label("Target").fill("")
        page.get_by_text("Nothing to mend").wait_for()
        assert serious(page) == []
        page.reload()
        page.wait_for_selector("[data-ready]")
        assert page.get_by_label("Team 2", exact=True).input_value() == "Blue"
        assert page.get_by_label("Hour").input_value() == "8"
        page.locator("#open").press("Enter")
        page.wait_for_selector("#console[data-ready]")
        page.click("#tab-join")
        page.locator(".links li").nth(2).wait_for()
        assert page.evaluate("window.PWNED") is None
        assert complaints == []
    world = world_of(team_folders(tmp_path / "room")[1])
    assert (world.hour, world.scenario.weekend, world.scenario.gathering.people) == (8, True, 40)
    assert world.district.sheet.label(world.scenario.gathering.cell)[:2] == "02"
    assert [inject.turn for inject in world.scenario.injects] == [1]


@pytest.mark.browser
def test_a_scenario_with_faults_is_shown_field_by_field(browser, pack, tmp_path):
    (tmp_path / "classe.toml").write_text(FAULTY, encoding="utf-8")
    with shown(browser, tmp_path / "room", pack, "fr", 360, 740) as (page, complaints):
        page.set_input_files(".lead-in + p input[accept='.toml']", tmp_path / "classe.toml")
        page.locator(".lines li").nth(3).wait_for()
        assert page.locator(".lines li").nth(1).inner_text().startswith("classe.toml, ligne 2")
        page.get_by_text("3 fautes à corriger").wait_for()
        assert page.locator(".at-fault:visible").count() == 3
        assert page.get_by_label("Équipe 2", exact=True).get_attribute("aria-invalid") == "true"
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        assert serious(page) == []
        page.get_by_role("button", name="Mode nuit").click()
        assert serious(page) == []
        page.get_by_label("Retirer l'équipe 2").click()
        page.get_by_label("Heure").select_option("3")
        page.get_by_label("Hexagone").fill("")
        page.get_by_label("Personnes").fill("")
        page.get_by_text("Rien à corriger").wait_for()
        with page.expect_download() as got:
            page.click("#to-file")
        text = got.value.path().read_text(encoding="utf-8")
        assert 'teams = ["Red"]\n' in text
        assert "noms des équipes" in text
        assert complaints == []
    kept = json.loads((tmp_path / "room.draft.json").read_text(encoding="utf-8"))
    assert (kept["teams"], kept["hour"]) == (["Red"], 3)
    assert not is_room(tmp_path / "room")
