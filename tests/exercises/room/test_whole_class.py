"""A class plays a whole exercise in its browsers, from the forecast to the pack it takes home.

An instructor and three teams. Two of these are open in one browser: Amber in English, by mouse and
by form, and Bleu in French, by keyboard alone. Three seats of the third, Cyan, are windows of a
phone. The public screen has a projector's size. Screenshots of every page at every stage are kept.
"""

import re
import time
import zipfile

import pytest

pytest.importorskip("uvicorn", reason="the extra `room` is not installed")

from exercises.journal import Kind
from exercises.order_forms import order_from
from exercises.room.boards import draw_boards
from exercises.room.folder import team_folders
from exercises.scenario_options import ScenarioOptions
from exercises.verification import verify_exercise
from sim.rules import TIMERS, Timer
from sim.view import standing
from tests.exercises.debrief.hand_exercise import FLOOD, write_pack
from tests.exercises.room.places import Served, begun
from tests.exercises.room.screens import Screen, gallery
from tests.gis.hand_pack import SHEET
from tests.pages import Watched

# one class from its forecast to its debrief: each test finds it where the one before left it
pytestmark = [pytest.mark.xdist_group("whole class"), pytest.mark.browser]

TURNS = 30
TEAMS = ("Amber", "Bleu", "Cyan")
AMBER, BLEU, CYAN = "1-amber", "2-bleu", "3-cyan"
SEATS = ("director", "communication", "technical")
PHONE = {"width": 360, "height": 740}
NO_NETWORK = re.compile("ERR_INTERNET_DISCONNECTED|Error in connection establishment")


class Clock:
    """The room's clock: it stands until it is let run."""

    def __init__(self):
        self.seconds, self.since = 1_000.0, None

    def __call__(self):
        return self.seconds + (0 if self.since is None else time.monotonic() - self.since)

    def run(self, running):
        self.seconds, self.since = self(), time.monotonic() if running else None


class Class:
    """The room and its pages."""

    def __init__(self, browser, served, shots):
        self.browser, self.served, self.shots = browser, served, shots
        self.desk = browser.new_context(viewport={"width": 1366, "height": 768})
        self.shared = browser.new_context(viewport={"width": 1280, "height": 720})
        self.phone = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
        self.wall = browser.new_context(viewport={"width": 1920, "height": 1080})
        self.console = Screen(self.desk, f"{self._join('/i')}&lang=en", "console")
        self.public = Screen(self.wall, self._join("/p"), "public")
        self.seats = {}

    def _join(self, prefix):
        return f"{self.served.base}{prefix}/join?token={self.served.classroom.token(prefix)}"

    def come_in(self, links):
        """Teams come in by the links that the console shows."""
        self.amber = Screen(self.shared, links[0], "amber")
        self.bleu = Screen(self.shared, links[1], "bleu")
        for seat in SEATS:
            self.seats[seat] = Screen(self.phone, links[2], f"cyan-{seat}")
        for name, screen in (("en", self.amber), ("fr", self.bleu)):
            screen.page.goto(f"{screen.page.url.split('?')[0]}?lang={name}")
            if screen is self.amber:  # the guided turn is told once in a browser
                screen.page.click("#skip-tutorial")
            screen.page.locator("#map canvas").first.wait_for()
        for seat, screen in self.seats.items():
            screen.page.goto(f"{screen.page.url.split('?')[0]}?lang=en&seat={seat}")
            if seat == SEATS[0]:
                screen.page.click("#skip-tutorial")
            screen.page.locator("#map canvas").first.wait_for()

    @property
    def screens(self):
        return [self.console, self.public, self.amber, self.bleu, *self.seats.values()]

    @property
    def room(self):
        return self.served.room

    def turns(self):
        return [self.room.moment(key).turn for key in self.room.keys]

    def advance(self):
        """The instructor lets all teams go on, and every page follows."""
        turn = max(self.turns()) + 1
        page = self.console.page
        page.click("#advance")
        page.click("dialog button[value=go]")
        self.follow(turn)

    def follow(self, turn):
        told = "over" if turn > TURNS else f"Turn {turn} of {TURNS}"
        self.console.page.locator(".side .when", has_text=told).nth(len(TEAMS) - 1).wait_for()
        for screen in (self.amber, self.bleu, *self.seats.values()):
            screen.until(f"app.now.turn >= {turn} || app.now.over")

    def keep(self, stage):
        """Keep a picture of every page."""
        for screen in self.screens:
            screen.page.screenshot(path=self.shots / f"{stage}-{screen.name}.png")
            assert screen.overflow() <= 0, screen.name

    def given(self, key):
        """Orders of the turn that stand in the room itself."""
        return [one.order for one in standing(self.room.desk(key).state.state.pending)]


@pytest.fixture(scope="module")
def clock():
    return Clock()


@pytest.fixture(scope="module")
def whole(browser, clock, tmp_path_factory):
    folder = tmp_path_factory.mktemp("class")
    pack = write_pack(folder / "pack")
    (folder / "weather.toml").write_text(FLOOD, encoding="utf-8")
    begun(
        pack,
        folder / "room",
        TEAMS,
        scenario=ScenarioOptions(timer=Timer.COMFORTABLE),
        weather=folder / "weather.toml",
        turns=TURNS,
    )
    draw_boards(folder / "room", pack)
    with Served(folder / "room", pack, clock) as over_http:
        yield Class(browser, over_http, gallery(tmp_path_factory))


# --------------------------------------------------------------------------- before turn 1
def test_9_6_teams_come_in_by_their_links_and_paint(whole):
    console = whole.console.page
    console.wait_for_selector("[data-ready]")
    console.click("#tab-join")
    console.wait_for_selector(".links img")
    links = console.locator(".links input").evaluate_all("all => all.map(one => one.value)")
    whole.come_in(links)
    # two teams in one browser: each cookie opens its own team's page
    cookies = {cookie["path"] for cookie in whole.shared.cookies()}
    assert cookies == {f"/t/{AMBER}", f"/t/{BLEU}"}

    # by mouse
    amber = whole.amber.page
    amber.mouse.move(*whole.amber.spot("0302"))
    amber.mouse.down()
    amber.mouse.move(*whole.amber.spot("0306"), steps=6)
    amber.mouse.up()
    whole.amber.until("app.now.pending.length === 1")
    # by keyboard alone
    keys = whole.bleu.page.keyboard
    whole.bleu.page.evaluate("() => document.activeElement.blur()")
    keys.press("Tab")
    keys.press("Enter")
    for key in ("ArrowDown", "Enter", "ArrowDown", "ArrowDown", "ArrowDown", "Enter"):
        keys.press(key)
    whole.bleu.until("app.now.pending.length === 2 && !app.painting.waiting.length")
    # by finger, at one of the seats; the others see it
    director = whole.seats["director"]
    director.page.touchscreen.tap(*director.spot("0604"))
    for screen in whole.seats.values():
        screen.until("app.now.pending.length === 1")
    whole.console.page.click("#tab-play")
    for key in (AMBER, BLEU, CYAN):
        painted = {cell for one in whole.given(key) for cell in one.cells}
        whole.console.says(".side .rest", f"{len(painted)} hexes painted")
    whole.keep("1-forecast")
    for screen in (whole.amber, director, whole.console, whole.public):
        assert screen.faults() == [], screen.name


# --------------------------------------------------------------------------- the first turns
def test_9_5_orders_are_given_by_map_by_keyboard_and_by_seats(whole):
    whole.advance()
    amber = whole.amber
    amber.page.click("[data-key='begin/brush']")
    amber.page.mouse.click(*amber.spot("0304"))
    amber.says("#answer", "Costs 1 order")
    amber.page.fill("#reason", "the low bank")
    amber.page.click("#give")
    amber.says("#spoken", "Order 1 taken, 2 left.")
    # by form, with no touch of the map
    amber.page.click("[data-key='begin/unit']")
    amber.page.select_option("#unit", "patrol-1")
    amber.page.click("[data-value=move]")
    amber.page.fill("#target", "0305")
    amber.page.keyboard.press("Enter")
    amber.says("#answer", "there in turn")
    amber.page.click("#give")
    amber.says("#spoken", "Order 2 taken, 1 left.")

    press = whole.bleu.page.keyboard.press
    whole.bleu.page.focus("#map")
    for key in ("ArrowUp", "a"):
        press(key)
    whole.bleu.says("#answer", "Coûte 1 ordre")
    press("Enter")
    press("Enter")
    whole.bleu.says("#spoken", "Ordre 1 noté")

    # each seat orders its own; all see what the others gave
    told, technical = whole.seats["communication"], whole.seats["technical"]
    told.page.tap("[data-key='begin/brush']")
    told.page.touchscreen.tap(*told.spot("0705"))
    told.says("#answer", "Costs 1 order")
    told.page.tap("#give")
    told.says("#spoken", "Order 1 taken")
    technical.says("#pending", "Alert within 1 of hex 0705")
    technical.page.tap("[data-key='begin/unit']")
    technical.page.select_option("#unit", "pump-1")
    technical.page.tap("[data-value=move]")
    technical.page.fill("#target", "0604")
    technical.page.press("#target", "Enter")
    technical.says("#answer", "Costs 1 order")
    technical.page.tap("#give")
    technical.says("#spoken", "Order 2 taken")
    whole.seats["director"].says("#pending", "Technical")
    assert [type(one).__name__ for one in whole.given(CYAN)] == ["Alert", "Move"]
    whole.keep("2-orders")
    for screen in (whole.amber, technical, whole.console):
        assert screen.faults() == [], screen.name


def test_13_2_a_card_and_a_message_reach_the_teams(whole):
    console = whole.console.page
    console.click("#message")
    console.fill("dialog textarea", "The mayor is on the phone.")
    console.click("dialog button[value=go]")
    console.click("#tab-cards")
    console.select_option("#card", "power_cut")
    console.fill("#target", "0304")
    console.click(".card-form button")
    console.click("dialog button[value=go]")
    whole.console.says("#notice", "Power cut")
    console.click("#tab-play")
    whole.advance()
    for screen in (whole.amber, whole.seats["director"]):
        screen.page.click("#tab-situation")
        screen.says("#panel-situation", "The mayor is on the phone.")
        assert screen.run("return app.now.view.outages.length") == 1
        screen.page.click("#tab-orders")


def test_14_at_zero_the_turn_is_resolved_with_the_orders_given(whole, clock):
    console, amber = whole.console.page, whole.amber
    clock.seconds += TIMERS[Timer.COMFORTABLE].seconds - 3
    console.click("#hold")
    amber.says("#timer", "0:03")
    whole.public.says(".timer", "0:03 – timer on hold")
    amber.page.click("[data-key='begin/brush']")
    amber.page.mouse.click(*amber.spot("0205"))
    amber.says("#answer", "Costs 1 order")
    amber.page.click("#give")
    amber.says("#spoken", "taken")
    amber.page.evaluate(
        "() => { const at = document.getElementById('timer'); window.told = new Set();"
        "new MutationObserver(() => window.told.add(at.textContent))"
        ".observe(at, {childList: true, subtree: true}); }"
    )
    assert whole.turns() == [2, 2, 2]
    clock.run(True)
    console.click("#hold")
    whole.follow(3)
    clock.run(False)
    assert whole.turns() == [3, 3, 3]
    assert set(amber.page.evaluate("() => [...window.told]")) & {"0:02", "0:01", "0:00"}
    assert [one.order.centre for one, _ in whole.room.given(AMBER, 2)] == [SHEET.index_of("0205")]


# --------------------------------------------------------------------------- things go wrong
def test_a_page_that_is_cut_off_and_one_that_is_reloaded_lose_nothing(whole):
    amber, bleu = whole.amber, whole.bleu
    amber.page.click("[data-key='begin/brush']")
    amber.page.mouse.click(*amber.spot("0804"))
    amber.says("#answer", "Costs 1 order")
    # the whole browser loses the room: both teams in it
    whole.shared.set_offline(True)
    amber.says("#lost", "Connection lost")
    bleu.says("#lost", "Connexion perdue")
    amber.page.click("#give")
    amber.says("#answer", "Not sent")
    assert whole.given(AMBER) == []
    amber.page.screenshot(path=whole.shots / "3-cut-amber.png")
    whole.console.page.click("#advance")
    whole.console.page.click("dialog button[value=go]")
    whole.console.says(".side .when", f"Turn 4 of {TURNS}")
    whole.shared.set_offline(False)
    whole.follow(4)
    # it says what happened in the meantime
    amber.says("#since h3", "Since you left, in turn 3")
    amber.says("#since", "1 turn resolved, 0 orders taken")
    bleu.says("#since h3", "Depuis votre départ, au tour 3")
    amber.says("#answer", "Costs 1 order")
    amber.page.click("#give")
    amber.says("#pending", "Alert within 1 of hex 0804")
    amber.page.click("#since-close")
    # in mid-turn, a phone is reloaded and its seat taken up by another screen
    seat = whole.seats["technical"]
    seat.page.reload()
    seat.says("#clock", f"Turn 4 of {TURNS}")
    assert seat.page.input_value("#seat") == "technical"
    assert seat.page.is_hidden("#since")
    spare = whole.seats["director"]
    spare.page.select_option("#seat", "communication")
    spare.page.locator(".begin button").nth(0).wait_for()
    spare.page.locator(".begin button").nth(1).wait_for(state="detached")
    spare.page.tap("[data-key='begin/brush']")
    spare.page.touchscreen.tap(*spare.spot("0203"))
    spare.says("#answer", "Costs 1 order")
    spare.page.tap("#give")
    spare.says("#pending", "Alert within 1 of hex 0203")


# --------------------------------------------------------------------------- on to the end
def test_18_the_instructor_leads_the_class_through_thirty_turns(whole):
    for turn in range(5, TURNS + 1):
        whole.advance()
        if turn == 12:
            whole.amber.page.click("#tab-journal")
            whole.bleu.page.click("#tab-quarters")
            whole.console.page.click(".side .team >> nth=1")
            whole.keep("4-flood")
            for screen in (whole.bleu, whole.seats["director"], whole.console, whole.public):
                assert screen.faults() == [], screen.name
    assert whole.turns() == [TURNS] * 3
    whole.advance()
    assert all(whole.room.moment(key).all_over for key in whole.room.keys)


def test_12_17_the_score_the_unveiling_and_the_pack(whole, browser, tmp_path):
    console = whole.console.page
    # each page turns to it by itself
    whole.amber.says("#panel-situation", "Recall")
    whole.bleu.says("#panel-situation", "Rappel")
    whole.public.page.wait_for_selector(".unveiled")
    for number, name in enumerate(TEAMS):
        whole.public.page.click(f".unveiled .teams button >> nth={number}")
        whole.public.says("figcaption", name)
    whole.public.page.focus(".timeline .turns")
    for _ in range(12):
        whole.public.page.keyboard.press("ArrowLeft")
    console.click("#tab-debrief")
    console.click("#write")
    whole.keep("5-end")
    for screen in (whole.amber, whole.seats["director"], whole.console, whole.public):
        assert screen.faults() == [], screen.name
    console.wait_for_selector("#pack:not([hidden])", timeout=180_000)
    with console.expect_download() as taken:
        console.click("#pack")
    taken.value.save_as(tmp_path / "debrief.zip")
    with zipfile.ZipFile(tmp_path / "debrief.zip") as archive:
        archive.extractall(tmp_path)
    opened = Watched(browser, tmp_path / "debrief" / "index.html")
    assert opened.quiet(), opened.complaints
    for name in TEAMS:
        opened.page.get_by_text(name).first.wait_for()
    opened.page.screenshot(path=whole.shots / "5-end-debrief.png")
    opened.page.close()


def test_every_order_that_a_page_was_acknowledged_is_in_its_journal(whole):
    by_team = {AMBER: [whole.amber], BLEU: [whole.bleu], CYAN: list(whole.seats.values())}
    for folder in team_folders(whole.served.folder):
        found = verify_exercise(folder).replayed
        district = whole.room.desk(folder.name).district
        kept = {}
        for step in found.steps:
            if step.entry.kind is Kind.ORDER:
                turn = kept.setdefault(step.entry.at, [])
                turn.append((step.entry.seat, step.order.body))
        acknowledged = [one for page in by_team[folder.name] for one in page.acknowledged]
        assert len(acknowledged) > 2
        for one in acknowledged:
            order = order_from(district, {**one["order"], "reason": one["reason"]})
            assert (one["seat"], order) in kept[order.turn], one
        assert sum(map(len, kept.values())) >= len(acknowledged)


def test_no_page_complained_or_asked_another_host(whole):
    for screen in whole.screens:
        assert screen.is_quiet(NO_NETWORK), (screen.name, screen.complaints, screen.hosts)
