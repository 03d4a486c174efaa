"""Before there is a room: its storm is looked at; two who prepare it lose nothing by each other."""

import contextlib
import json
import re
import time

import pytest

from exercises.room import boards
from exercises.room.boards import keep_board
from exercises.room.folder import board_file, is_room, team_folders, world_of
from exercises.room.preparing import Preparation
from exercises.scenario_model import ScenarioFile
from sim.errors import AverseError
from tests.exercises.room.test_preparing import SMALL, prepared, serious, shown

STORM = {key: value for key, value in {**SMALL, "teams": ["Red"]}.items() if key != "seed"}


def ready(at):
    """Wait for the storm; the stages that were told on the way."""
    stages = set()
    for _ in range(1200):
        found = at.get("storm").json()
        stages.add((found["stage"], round(found["share"], 2)))
        if found["state"] != "computing":
            assert found["state"] == "ready", found["said"]
            return stages
        time.sleep(0.05)
    raise AssertionError("never ready")


def kept(out, **values):
    """Wait until these choices are kept beside a room to come."""
    for _ in range(600):
        with contextlib.suppress(OSError, ValueError):
            found = json.loads((out.parent / f"{out.name}.draft.json").read_text("utf-8"))
            if all(found.get(key) == value for key, value in values.items()):
                return
        time.sleep(0.02)
    raise AssertionError(f"never kept: {values}")


# ------------------------------------------------------------------------- the storm
def test_the_storm_that_was_looked_at_is_the_rooms(pack, tmp_path):
    with prepared(tmp_path / "room", pack) as at:
        at.join()
        assert at.get("storm").json()["state"] == "none"
        for path in ("preview-storm", "board"):
            assert at.get(path, lang="en").json()["said"].startswith("the storm is not computed")
        told = at.post("storm", {**STORM, "hour": 15}, lang="en").json()
        assert [fault["at"] for fault in told["faults"]] == ["hour"]
        assert at.get("storm").json()["state"] == "none"
        seed = at.post("storm", {**STORM, "hour": 8}).json()["seed"]
        assert re.fullmatch("[0-9a-f]{32,}", seed)
        ready(at)
        seen = at.get("preview-storm", lang="en").json()
        assert (seen["level"], seen["clocks"]) == (5, ["08:00", "08:10", "08:20"])
        assert seen["is_mild"] == (seen["threatened"] == 0)  # a hex of it is more than the least
        assert at.get("board", lang="fr").json()["lang"] == "fr"
        assert not is_room(tmp_path / "room")  # nothing of a room is there
        # the same again, by the same seed, then a room with it
        assert at.post("storm", {**STORM, "hour": 8, "seed": seed}).json()["seed"] == seed
        ready(at)
        assert at.get("preview-storm", lang="en").json() == seen
        at.post("open", {**STORM, "hour": 8, "seed": seed})
        at.wait("open")
        assert at.get("preview-storm", lang="en").json() == seen
        assert (tmp_path / "room" / board_file("en")).is_file()
    (team,) = team_folders(tmp_path / "room")
    assert world_of(team).seed == seed


def test_a_secret_storm_is_that_of_its_seed_and_one_let_go_is_gone(pack, tmp_path):
    preparation = Preparation(tmp_path / "room", pack, {})
    ahead = preparation.ahead
    seed = preparation.look_ahead(ScenarioFile(turns=2, level="secret"))
    ahead.let_go()
    assert ahead.told("en")["state"] == "none"
    levels = set()
    for _ in range(2):
        assert preparation.look_ahead(ScenarioFile(turns=2, level="secret", seed=seed)) == seed
        while ahead.told("en")["state"] == "computing":
            time.sleep(0.01)
        levels.add(ahead.storm("en")["level"])
    assert len(levels) == 1
    preparation.stop()
    with pytest.raises(AverseError, match="not computed"):
        ahead.storm("en")


def test_boards_tell_how_many_of_them_are_drawn(whole_room, pack, tmp_path, monkeypatch):
    shares = []
    keep_board(tmp_path, pack, "fr", shares.append)
    assert shares == pytest.approx([1 / 3, 2 / 3, 1])
    keep_board(tmp_path, pack, "en", shares.append)  # it is there
    assert len(shares) == 3
    (tmp_path / "aside").mkdir()
    shares.clear()
    boards._draw_elsewhere(tmp_path / "aside", pack, shares.append)
    assert shares == pytest.approx([1 / 3, 2 / 3, 1])

    def enough(share):
        raise AverseError("enough")

    (tmp_path / "stopped").mkdir()
    with pytest.raises(AverseError, match="enough"):
        boards._draw_elsewhere(tmp_path / "stopped", pack, enough)
    assert not (tmp_path / "stopped" / board_file("en")).exists()


# ------------------------------------------------------------------------- two who prepare it
def test_who_changes_what_somebody_else_changed_is_told_and_takes_nothing_away(pack, tmp_path):
    with prepared(tmp_path / "room", pack) as at:
        at.join()
        first = at.get("prepare").json()
        seen = {"seen": first["version"]}
        mine = at.post("draft", {**first["draft"], "hour": 8}, by="a", **seen).json()
        assert mine["version"] != first["version"]
        theirs = {**first["draft"], "hour": 18}
        for path in ("draft", "open", "storm"):
            refused = at.post(path, theirs, by="b", lang="en", **seen)
            assert refused.status_code == 409
            assert refused.json()["said"].startswith("somebody else has changed")
            assert refused.json()["draft"]["hour"] == 8
            assert refused.json()["version"] == mine["version"]
        french = at.post("draft", theirs, by="b", lang="fr", **seen).json()["said"]
        assert french.startswith("quelqu'un d'autre a changé")
        sent = at.post("scenario", b"hour = 3", name="x.toml", by="b", **seen)
        assert sent.status_code == 409
        assert at.get("prepare").json()["draft"]["hour"] == 8
        # what one wrote oneself, and what says the same, is no conflict
        assert at.post("draft", {**first["draft"], "hour": 3}, by="a", **seen).status_code == 200
        assert at.post("draft", {**first["draft"], "hour": 3}, by="b", **seen).status_code == 200
        now = at.get("prepare").json()["version"]
        assert at.post("draft", theirs, by="c", seen=now).json()["state"] == "form"
        assert at.get("prepare").json()["draft"]["hour"] == 18
    # a server that is started again knows the version that a page saw before
    with prepared(tmp_path / "room", pack) as at:
        now = at.join().get("prepare").json()
        changed = at.post("draft", {**now["draft"], "hour": 3}, seen=now["version"], by="b")
        assert changed.status_code == 200


@pytest.mark.browser
def test_two_pages_of_one_preparation_ask_whose_choices_stand(browser, pack, tmp_path):
    out = tmp_path / "room"
    with shown(browser, out, pack) as (page, complaints):
        other = page.context.new_page()
        other.goto(page.url)
        other.wait_for_selector("[data-ready]")
        other.get_by_text("Choices kept").wait_for()
        page.get_by_label("Hour").select_option("8")
        page.get_by_label("Team 1", exact=True).fill("Red")
        kept(out, hour=8, teams=["Red"])
        other.get_by_label("Team 1", exact=True).fill("Blue")
        other.get_by_text("Somebody else has changed").wait_for()
        assert "“Hour”" in other.locator("dialog").inner_text()
        assert "“Teams”" in other.locator("dialog").inner_text()
        assert serious(other) == []
        other.get_by_role("button", name="Take theirs").click()
        other.locator("#other").wait_for()
        assert other.get_by_label("Team 1", exact=True).input_value() == "Red"
        assert other.get_by_label("Hour").input_value() == "8"
        other.locator("#other").click()  # and what was typed here is not lost
        kept(out, hour=14, teams=["Blue"])
        page.get_by_label("Hour").select_option("3")
        page.get_by_role("button", name="Keep mine").click()
        kept(out, hour=3, teams=["Red"])
        page.reload()
        page.wait_for_selector("[data-ready]")
        assert page.get_by_label("Hour").input_value() == "3"
        # who opens it takes the other page along
        page.locator("#open").click()
        page.wait_for_selector("#console[data-ready]")
        other.get_by_label("Team 1", exact=True).fill("Green")
        other.wait_for_selector("#console[data-ready]")
        assert [one for one in complaints if "409" not in one] == []


@pytest.mark.browser
def test_what_is_typed_as_the_page_goes_or_the_server_is_away_is_there_again(
    browser, pack, tmp_path
):
    with shown(browser, tmp_path / "room", pack) as (page, complaints):
        page.get_by_label("Team 1", exact=True).fill("Red")
        page.click("text=Français")  # at once, before it was kept
        page.wait_for_selector("html[lang=fr] [data-ready]")
        assert page.get_by_label("Équipe 1", exact=True).input_value() == "Red"
        page.context.set_offline(True)
        page.get_by_label("Équipe 1", exact=True).fill("Vert")
        page.get_by_text("Choix non gardés").wait_for()
        page.context.set_offline(False)
        page.reload()
        page.wait_for_selector("[data-ready]")
        assert page.get_by_label("Équipe 1", exact=True).input_value() == "Vert"
        page.get_by_text("Choix gardés").wait_for()
        page.go_back()
        page.wait_for_selector("html[lang=en] [data-ready]")
        assert page.get_by_label("Team 1", exact=True).input_value() == "Vert"
        assert [one for one in complaints if "ERR_INTERNET" not in one] == []


@pytest.mark.browser
@pytest.mark.parametrize("width", [1366, 360])
def test_the_storm_is_looked_at_before_the_room_is_opened(browser, pack, tmp_path, width):
    with shown(browser, tmp_path / "room", pack, "fr", width, 740) as (page, complaints):
        page.get_by_label("Graine des dés").fill("")
        page.locator("#look").press("Enter")
        page.locator(".storm-dialog .timeline").wait_for()
        page.get_by_text("Personnes menacées").wait_for()
        page.locator(".turns:focus").wait_for()
        assert page.locator(".turns").get_attribute("aria-valuetext").startswith("Tour 2 sur 2")
        assert page.evaluate("document.documentElement.scrollWidth") == width
        box = page.locator(".storm .map").bounding_box()
        assert 0 < box["y"] < box["y"] + box["height"] < 740
        assert serious(page) == []
        page.keyboard.press("Escape")
        page.locator("#look:focus").wait_for()
        seed = page.get_by_label("Graine des dés").input_value()
        assert re.fullmatch("[0-9a-f]{32,}", seed)
        page.locator("#look").click()
        page.locator(".storm-dialog .timeline").wait_for()
        assert page.get_by_label("Graine des dés").input_value() == seed
        # whom it threatens is a sentence, and whether the turns chosen come so far
        page.locator(".signs canvas").first.wait_for()
        told = page.evaluate("fetch('api/preview-storm?lang=fr').then((one) => one.json())")
        says = page.locator(".says").inner_text()
        assert ("ne coupe personne" in says) == (told["threatened"] == 0)
        assert page.locator(".says.mild").count() == told["is_mild"]
        page.keyboard.press("Escape")
        page.locator("#look:focus").wait_for()
        line, turns = page.locator("#turns-line"), page.get_by_label("Tours de dix minutes")
        first = told["first_cut"]
        turns.fill("1")
        assert ("rien à sauver" in line.inner_text()) == (first != 1)
        turns.fill("30")
        assert line.is_hidden()
        page.get_by_label("Graine des dés").fill("")  # another storm, of which nothing is known
        turns.fill("4")
        assert line.inner_text().startswith("En moins de 20 tours")
        assert complaints == []
