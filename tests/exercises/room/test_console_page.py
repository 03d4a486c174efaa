"""The instructor's console and the public screen in a browser, before a room that truly runs."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the extra `room` is not installed")

from exercises.debrief.figures import REGRETTING
from exercises.debrief.material import READING
from exercises.debrief.write import ARCHIVING, WRITING
from exercises.room.boards import draw_boards
from exercises.room.console_words import console_page, public_page
from exercises.scenario_options import ScenarioOptions
from sim.rules import Timer
from tests.exercises.debrief.hand_exercise import FLOOD, write_pack
from tests.exercises.room.places import TURNS, Served, begun
from tests.exercises.room.screens import Screen, joined
from tests.gis import hand_pack

# one class from its first turn to its debrief: each test finds it where the one before left it
pytestmark = pytest.mark.xdist_group("console")

HOSTILE = (
    "<script>window.PWNED = 1</script>",
    '"><img src=x onerror="window.PWNED = 2">',
    "</script><script>window.PWNED = 3</script>",
    "{{ 7 * 7 }}${window.PWNED = 4}`'\"\\",
)
STATIC = Path(__file__).parents[3] / "exercises" / "room" / "static"
CONTRAST = """mark => {
  const part = (at) => (at / 255 <= .04045 ? at / 3294.6 : ((at / 255 + .055) / 1.055) ** 2.4);
  const light = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map(Number).map(part)
    .reduce((sum, one, k) => sum + one * [.2126, .7152, .0722][k], .05);
  const [a, z] = [getComputedStyle(mark), getComputedStyle(document.body)]
    .map((one) => light(one.backgroundColor)).sort((a, z) => z - a);
  return a / z;
}"""
TEAMS = ("Blue <b>one</b>", '"><img src=x onerror="window.PWNED = 5">')


@pytest.fixture(scope="module")
def one_room(tmp_path_factory):
    """A class of two teams whose names, quarters and shelters mean harm."""
    folder = tmp_path_factory.mktemp("room")
    made = hand_pack.district()
    shelters = tuple(
        replace(shelter, name=name)
        for shelter, name in zip(made.shelters, HOSTILE[1:3], strict=True)
    )
    pack = write_pack(folder / "pack", name=HOSTILE[0], shelters=shelters, quarters=HOSTILE)
    (folder / "weather.toml").write_text(FLOOD.replace("20, 100", "0, 20"), encoding="utf-8")
    begun(
        pack,
        folder / "room",
        TEAMS,
        scenario=ScenarioOptions(cards=False, timer=Timer.TENSE),
        weather=folder / "weather.toml",
    )
    draw_boards(folder / "room", pack)
    with Served(folder / "room", pack) as over_http:
        yield over_http


class Shown(Screen):
    """The console, or the public screen."""

    def __init__(self, browser, served, prefix, width=1280, height=720):
        context = browser.new_context(
            viewport={"width": width, "height": height}, accept_downloads=True
        )
        joined(context, served, prefix)
        super().__init__(context, f"{served.base}{prefix}/?lang=en")
        self.page.wait_for_selector("[data-ready]")

    def act(self, opens, does=None):
        """Press what asks, and then what does it."""
        self.page.click(opens)
        if does:
            does(self.page)
        self.page.click("dialog button[value=go]")
        self.page.wait_for_selector("dialog", state="detached")

    def part(self, name):
        self.page.click(f"#tab-{name}")
        self.page.wait_for_selector(f"#tab-{name}[aria-selected=true]")

    def says(self, text, within="body"):
        super().says(within, text)

    def painted(self, selector):
        """How many colours a canvas shows: more than a handful when a board is on it."""
        return self.page.eval_on_selector(
            selector,
            """async c => { await new Promise(requestAnimationFrame);
              const seen = new Set(), drawn = c.getContext('2d');
              const d = drawn.getImageData(0, 0, c.width, c.height).data;
              for (let i = 0; i < d.length; i += 40) seen.add([d[i], d[i + 1], d[i + 2]].join());
              return seen.size; }""",
        )

    def is_clean(self):
        assert self.is_quiet(), (self.complaints, self.hosts)
        assert self.page.evaluate("window.PWNED") is None
        assert not re.search(r"undefined|NaN|\[object", self.page.inner_text("body"))


@pytest.fixture(scope="module")
def console(browser, one_room):
    shown = Shown(browser, one_room, "/i")
    yield shown
    shown.context.close()


@pytest.fixture(scope="module")
def screen(browser, one_room):
    shown = Shown(browser, one_room, "/p", 1920, 1080)
    yield shown
    shown.context.close()


def turns(one_room):
    return [one_room.room.moment(key).turn for key in one_room.room.keys]


def give(one_room, key, order, reason):
    """An order of a team, by its own way in."""
    sent = {"seat": "director", "order": order, "reason": reason}
    answer = one_room.browser(f"/t/{key}").post(f"/t/{key}/api/orders", json=sent)
    assert answer.json()["accepted"], answer.text


# --------------------------------------------------------------------------- words
def test_every_text_is_said_in_both_languages_with_the_same_fields():
    for made in (console_page, public_page):
        french, english = (json_of(made(lang)) for lang in ("fr", "en"))
        assert list(french) == list(english)
        for key, text in french.items():
            assert fields(text) == fields(english[key]), key


def json_of(page):
    return json.loads(page["words"])


def fields(text):
    return {name.partition(":")[0] for name in re.findall(r"\{([^}]+)\}", text)}


def test_the_scripts_say_no_text_that_is_not_there():
    said = set()
    for script in STATIC.glob("*.js"):
        if script.name.startswith(("console", "public", "board_words", "timeline", "said", "net")):
            text = script.read_text(encoding="utf-8")
            said |= set(re.findall(r"\bsay\('(\w+)'", text))
    known = set(json_of(console_page("en"))) | set(json_of(public_page("en")))
    assert said - known == set()


def test_every_stage_of_a_debrief_has_its_words():
    script = (STATIC / "console_debrief.js").read_text(encoding="utf-8")
    stages = re.search(r"STAGES = \{(.*?)\}", script, re.DOTALL).group(1)
    for stage in (READING, REGRETTING, WRITING, ARCHIVING):
        assert stage in stages


# --------------------------------------------------------------------------- before class
@pytest.mark.browser
def test_the_storm_is_looked_at_turn_by_turn_before_class(console):
    console.part("storm")
    console.says("People threatened", "dt")
    slider = console.page.locator(".timeline .turns")
    slider.focus()
    assert slider.get_attribute("aria-valuetext").startswith(f"Turn {TURNS} of {TURNS}")
    console.page.keyboard.press("Home")
    console.page.wait_for_timeout(60)
    dry = console.page.locator(".storm .map canvas.board").evaluate("c => c.toDataURL()")
    console.page.keyboard.press("End")
    assert slider.get_attribute("aria-valuetext").startswith(f"Turn {TURNS} of {TURNS}")
    console.page.wait_for_timeout(60)
    assert console.page.locator(".storm .map canvas.board").evaluate("c => c.toDataURL()") != dry
    assert console.page.locator(".chart .bar").count() == TURNS + 1


@pytest.mark.browser
def test_each_team_comes_in_by_its_link_and_is_seen(console, one_room, browser):
    console.part("join")
    console.page.wait_for_selector(".links img")
    links = console.page.locator(".links input").evaluate_all("all => all.map(i => i.value)")
    assert len(links) == len(TEAMS) + 1
    context = browser.new_context()
    team = context.new_page()
    assert team.goto(links[0]).ok
    console.says("whole team", ".side .seats")
    context.close()
    console.says("left just now", ".side .seats")
    console.page.click(".links .qr >> nth=0")
    assert console.page.locator("dialog img").bounding_box()["width"] > 300
    console.page.click("dialog button")


# --------------------------------------------------------------------------- in play
@pytest.mark.browser
def test_13_14_18_an_instructor_advances_writes_plays_a_card_and_holds(console, screen, one_room):
    first, second = one_room.room.keys
    give(one_room, first, {"order": "forecast", "cells": ["0403", "0404"]}, "the low bank")
    console.part("play")
    console.act("#advance")
    console.says(f"Turn 1 of {TURNS}", ".side .when")
    assert turns(one_room) == [1, 1]
    screen.says(f"Turn 1 of {TURNS}", ".when")
    assert not screen.page.locator(".timer").is_hidden()

    # nothing is done where one thinks again
    console.page.click("#advance")
    console.page.keyboard.press("Escape")
    console.page.wait_for_selector("dialog", state="detached")
    assert turns(one_room) == [1, 1]

    give(one_room, first, {"order": "alert", "centre": "0304", "radius": 1}, "<i>because</i>")
    console.page.click(f".side .team >> nth={1}")
    console.says("<i>because</i>", ".orders .reason")
    assert console.painted(".play-part figure:nth-child(1) canvas") > 12

    # a team is looked at, and all are written to unless one says to whom; the button says it
    console.page.click("#message")
    assert console.page.input_value("dialog select") == ""
    assert console.page.inner_text("dialog button[value=go]") == "Send to all teams"
    console.page.keyboard.press("Escape")
    console.page.wait_for_selector("dialog", state="detached")

    def writes(page):
        page.select_option("dialog select", first)
        assert page.inner_text("dialog button[value=go]") == f"Send to {TEAMS[0]} alone"
        page.fill("dialog textarea", "<b>read this</b>")

    console.act("#message", writes)
    console.says("<b>read this</b>", ".events")
    assert [one.text for one in one_room.room.moment(first).messages] == ["<b>read this</b>"]
    assert one_room.room.moment(second).messages == ()

    console.page.click("#hold")
    console.page.wait_for_selector("#hold[aria-pressed=true]")
    screen.says("timer on hold", ".timer")
    console.page.click("#hold")
    console.page.wait_for_selector("#hold[aria-pressed=false]")

    console.part("cards")
    console.page.select_option("#card", "stampede")
    console.page.fill("#target", HOSTILE[1])
    assert console.page.input_value(".card-form select >> nth=0") == ""  # for all, again
    console.page.select_option(".card-form select >> nth=0", first)
    console.act(".card-form button")
    console.page.select_option("#card", "jam")
    console.page.locator(".cards .map").click()
    assert console.page.input_value("#target").isdigit()
    waiting = one_room.room.moment(first).state.state.cards_to_play
    assert [(one.card.value, one.target) for one in waiting] == [("stampede", 0)]
    assert one_room.room.moment(second).state.state.cards_to_play == ()
    console.says("played by hand: falls in turn 2", ".injects td")

    # one team alone
    console.part("play")
    console.act(".side li:nth-child(1) .one")
    console.says(f"Turn 2 of {TURNS}", ".side .when")
    assert turns(one_room) == [2, 1]
    screen.says(TEAMS[0], ".moment h2")
    console.act("#advance")
    console.says(f"Turn 3 of {TURNS}", ".side .when")
    assert turns(one_room) == [3, 2]
    console.part("cards")
    console.says("played by hand, fell in turn 2", ".injects td")
    console.part("play")


@pytest.mark.browser
def test_the_level_is_shown_when_asked_for_and_a_page_loaded_again_has_forgotten(console, one_room):
    console.part("play")
    console.page.click(".side .team.all")
    lead, level = console.page.locator(".play-part .lead"), f"Level {one_room.room.world.level}"
    for _ in range(2):
        assert level not in lead.inner_text()
        console.page.click("#level")
        console.says(level, ".play-part .lead .bulletin")
        console.page.reload()
        console.page.wait_for_selector("[data-ready]")
    console.page.click("#level")
    console.page.click("#level")
    assert level not in lead.inner_text()
    console.page.click(".side .team >> nth=1")


@pytest.mark.browser
def test_a_refusal_is_told_and_nothing_is_done(console, one_room):
    console.part("cards")
    console.page.select_option("#card", "power_cut")
    console.page.fill("#target", "9999")
    console.act(".card-form button")
    console.says("9999", "#fault")
    console.page.click("#fault button")
    console.complaints[:] = [one for one in console.complaints if "400" not in one]
    assert len(one_room.room.moment(one_room.room.keys[0]).state.state.cards_to_play) == 0


@pytest.mark.browser
def test_an_observer_sees_a_past_turn_as_it_was_seen_and_as_it_was(console):
    console.part("past")
    slider = console.page.locator(".timeline .turns")
    slider.wait_for()
    slider.focus()
    console.page.keyboard.press("Home")
    console.page.keyboard.press("ArrowRight")
    console.says("<i>because</i>", ".orders .reason")
    assert console.page.locator(".boards.three canvas.board").count() == 3
    assert console.painted(".boards.three figure:nth-child(3) canvas") > 8
    assert console.page.locator(".counts .key").count() == 3


@pytest.mark.browser
@pytest.mark.parametrize("part", ["play", "past", "storm", "cards", "join", "debrief"])
def test_axe_finds_no_serious_fault_and_nothing_sticks_out(console, part):
    console.part(part)
    console.page.wait_for_timeout(50)
    assert console.faults() == []
    for size in ((1280, 720), (820, 1180)):
        console.page.set_viewport_size({"width": size[0], "height": size[1]})
        assert console.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    console.page.set_viewport_size({"width": 1280, "height": 720})


@pytest.mark.browser
def test_the_keyboard_alone_moves_and_the_night_stays(console):
    console.part("play")
    console.page.focus("#tab-play")
    console.page.keyboard.press("ArrowRight")
    console.page.wait_for_selector("#tab-past[aria-selected=true]:focus")
    # one team's turns are shown, and it is lit
    console.page.wait_for_selector(".side .teams .team[aria-pressed=true]")
    console.page.keyboard.press("Home")
    console.page.wait_for_selector("#tab-play[aria-selected=true]")
    console.page.focus(".play-part .map >> nth=0")
    for key in ("ArrowDown", "ArrowRight", "+", "0"):
        console.page.keyboard.press(key)
    assert console.page.inner_text(".play-part .read").startswith("Hex ")
    console.page.click("text=Night mode")
    console.page.click("text=Français")
    console.page.wait_for_selector("html[lang=fr][data-theme=night] [data-ready]")
    assert console.faults() == []
    console.page.click("text=Mode nuit")
    console.page.click("text=English")
    console.page.wait_for_selector("html[lang=en][data-theme=day] [data-ready]")


# --------------------------------------------------------------------------- the end
@pytest.mark.browser
def test_18_an_early_end_unveils_the_storm_once_all_are_through(console, screen, one_room):
    first, second = one_room.room.keys
    console.part("play")
    console.page.click(".side .team >> nth=1")
    console.part("debrief")
    # whichever team is looked at, it is for all unless one says for whom; the button says it
    console.page.click("#end")
    assert console.page.input_value("dialog select") == ""
    assert console.page.inner_text("dialog button[value=go]") == "End for all teams"
    console.page.select_option("dialog select", first)
    assert console.page.inner_text("dialog button[value=go]") == f"End for {TEAMS[0]} alone"
    console.page.keyboard.press("Escape")
    console.page.wait_for_selector("dialog", state="detached")
    console.act("#end", lambda page: page.select_option("dialog select", first))
    console.says("ended early after turn", ".side .when")
    assert not one_room.room.moment(first).all_over
    assert screen.page.locator(".unveiled").count() == 0
    console.act("#end", lambda page: page.select_option("dialog select", ""))
    screen.page.wait_for_selector(".unveiled")
    assert one_room.room.moment(second).all_over
    for number, name in reversed(list(enumerate(TEAMS))):
        screen.page.click(f".unveiled .teams button >> nth={number}")
        screen.says(name, "figcaption")
    # it opens on the last turn; where something happened is marked for all eyes
    slider = screen.page.locator(".timeline .turns")
    assert slider.get_attribute("aria-valuetext").startswith(f"Turn {TURNS} of {TURNS}")
    marks = screen.page.locator(".ticks i")
    said = " ".join(marks.evaluate_all("all => all.map(one => one.title)"))
    assert all(what in said for what in ("the water comes", "most hexes", "play ended"))
    for width, height in ((1024, 768), (800, 600)):
        screen.page.set_viewport_size({"width": width, "height": height})
        assert slider.bounding_box()["width"] >= 250
        buttons = screen.page.locator(".timeline button")
        assert len({box["y"] for box in (one.bounding_box() for one in buttons.all())}) == 1
        assert screen.page.evaluate("document.documentElement.scrollWidth") <= width
    screen.page.set_viewport_size({"width": 1920, "height": 1080})
    for theme in ("day", "night"):
        screen.page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        assert marks.first.evaluate(CONTRAST) > 3
    screen.page.evaluate("document.documentElement.dataset.theme = 'day'")
    marks.first.click()
    assert "the water comes" in slider.get_attribute("aria-valuetext")
    slider.focus()
    screen.page.keyboard.press("Home")
    screen.page.wait_for_timeout(60)
    dry = screen.page.eval_on_selector(".unveiled canvas", "c => c.toDataURL()")
    screen.page.keyboard.press("End")
    screen.page.wait_for_timeout(60)
    assert screen.page.eval_on_selector(".unveiled canvas", "c => c.toDataURL()") != dry
    # the storm is shown to its last turn, which nobody played
    assert "the storm alone" in screen.page.inner_text(".timeline .when")
    assert screen.faults() == []
    screen.is_clean()
    console.is_clean()
