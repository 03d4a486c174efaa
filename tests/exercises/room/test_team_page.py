"""A team's page in a browser, before a room that truly runs on loopback."""

import re
from dataclasses import replace

import pytest

pytest.importorskip("uvicorn", reason="the extra `room` is not installed")

from exercises.room.boards import draw_boards
from exercises.room.page_files import STATIC
from exercises.room.team_words import CUT_RULE, team_words
from exercises.scenario_options import ScenarioOptions
from gis.board_scripts import board_script
from sim.events import AlertRolled
from sim.orders import Alert, Forecast
from sim.rules import Confidence, Timer
from sim.seats import TEAM
from sim.view import standing
from tests.exercises.debrief.hand_exercise import FLOOD, write_pack
from tests.exercises.room.places import TURNS, Served, begun, copy_of
from tests.exercises.room.screens import Screen, joined
from tests.gis import hand_pack

RED = "1-red"
SHEET = hand_pack.SHEET
HOSTILE = (
    "<script>window.PWNED = 1</script>",
    '"><img src=x onerror="window.PWNED = 2">',
    "</script><script>window.PWNED = 3</script>",
    "{{ 7 * 7 }}${window.PWNED = 4}`'\"\\",
)
TABS = ("orders", "situation", "quarters", "shelters", "units", "journal", "layers")
NO_NETWORK = re.compile("ERR_INTERNET_DISCONNECTED|Error in connection establishment")


@pytest.fixture
def served(whole_room, pack, tmp_path):
    with Served(copy_of(whole_room, tmp_path / "room"), pack) as over_http:
        yield over_http


@pytest.fixture(scope="module")
def flooded(tmp_path_factory):
    """A timed room whose names all mean harm, three turns into a flood; nobody changes it."""
    folder = tmp_path_factory.mktemp("harm")
    shelters = tuple(
        replace(shelter, name=name)
        for shelter, name in zip(hand_pack.district().shelters, HOSTILE[1:3], strict=True)
    )
    pack = write_pack(folder / "pack", name=HOSTILE[0], shelters=shelters, quarters=HOSTILE)
    (folder / "weather.toml").write_text(FLOOD.replace("20, 100", "0, 20"), encoding="utf-8")
    begun(
        pack,
        folder / "room",
        (HOSTILE[1],),
        scenario=ScenarioOptions(cards=False, timer=Timer.TENSE),
        weather=folder / "weather.toml",
    )
    draw_boards(folder / "room", pack)
    with Served(folder / "room", pack, clock=lambda: 1_000.0) as over_http:
        room = over_http.room
        (key,) = room.keys
        around = tuple(map(SHEET.index_of, ("0203", "0204", "0303")))
        room.give(key, "", Forecast(turn=0, cells=around, confidence=Confidence.SURE))
        for turn in range(4):
            room.advance()
            room.give(key, "", Alert(turn=turn + 1, centre=SHEET.index_of("0305"), radius=1))
        yield over_http, key


class Shown(Screen):
    """A team's page, past its guided turn."""

    def __init__(self, browser, served, key=RED, query="?lang=en", width=1280, height=720, **more):
        self.served, self.key = served, key
        context = browser.new_context(viewport={"width": width, "height": height}, **more)
        joined(context, served, f"/t/{key}")
        super().__init__(context, f"{served.base}/t/{key}/{query}")
        self.page.click("#skip-tutorial")

    def given(self):
        """Orders of the turn that stand in the room itself."""
        pending = standing(self.served.room.desk(self.key).state.state.pending)
        return [one.order for one in pending]


def cells(*labels):
    return tuple(sorted(map(SHEET.index_of, labels)))


# --------------------------------------------------------------------------- before turn 1
@pytest.mark.browser
def test_a_forecast_is_painted_erased_and_undone_by_mouse_and_keyboard_9_6(browser, served):
    with Shown(browser, served) as shown:
        page = shown.page
        page.click("[data-value=sure]")
        page.click("[data-key='Brush: radius (number of hexes)/0']")
        page.mouse.move(*shown.spot("0203"))
        page.mouse.down()
        page.mouse.move(*shown.spot("0205"), steps=9)
        page.mouse.up()
        shown.until("app.now.pending.length === 1")
        (stroke,) = shown.given()
        assert stroke.cells == cells("0203", "0204", "0205")
        assert stroke.confidence is Confidence.SURE
        # by keyboard, at the cursor, which is where the stroke ended
        page.click("[data-value=possible]")
        page.focus("#map")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        shown.until("app.now.pending.length === 2")
        assert shown.given()[1].cells == cells("0206")
        # an erased hex leaves its order, which is given anew without it
        page.click("[data-value=erase]")
        page.mouse.click(*shown.spot("0204"))
        shown.until("app.painting.standing.flatMap((one) => one.order.cells).length === 3")
        assert {cell for order in shown.given() for cell in order.cells} == set(
            cells("0203", "0205", "0206")
        )
        page.click("#undo")
        shown.until("app.now.pending.length === 1")
        page.focus("#map")
        page.keyboard.press("Backspace")
        shown.says("#pending", "No order in this turn")
        assert shown.given() == []
        assert shown.is_quiet(), shown.complaints


# --------------------------------------------------------------------------- orders
@pytest.mark.browser
def test_an_order_by_map_tells_its_price_first_and_can_be_withdrawn_9_5(browser, served):
    served.room.advance(RED)
    with Shown(browser, served) as shown:
        page = shown.page
        page.click("[data-key='begin/brush']")
        page.mouse.click(*shown.spot("0304"))
        shown.says("#answer", "Costs 1 order. 2 of 3 would be left.")
        shown.says("#answer", "Touches 7 hexes, of which 7 not alerted yet")
        assert shown.given() == []
        page.fill("#reason", "low ground")
        page.click("#give")
        shown.says("#pending", "reason: low ground")
        (order,) = shown.given()
        assert (order.centre, order.radius) == (SHEET.index_of("0304"), 1)
        shown.says("#left", "2 of 3 orders")
        # the same again is refused, with its rule, before and instead of being given
        page.click("[data-key='begin/brush']")
        page.fill("#target", "0304")
        page.keyboard.press("Enter")
        shown.says("#answer", "Refused (rule 9.5): A duplicate of order 1")
        assert page.evaluate("() => document.activeElement.id") == "target"
        assert page.is_disabled("#give")
        page.click("[data-key=cancel]")
        page.click("[data-key='withdraw/1']")
        shown.says("#pending", "No order in this turn")
        assert shown.given() == []
        assert shown.is_quiet(), shown.complaints


@pytest.mark.browser
def test_a_refusal_that_the_preview_could_not_know_is_shown_with_its_rule_9_5(browser, served):
    served.room.advance(RED)
    with Shown(browser, served) as shown:
        page = shown.page
        page.click("[data-key='begin/brush']")
        page.mouse.click(*shown.spot("0304"))
        shown.says("#answer", "Costs 1 order")
        with page.expect_response(re.compile("/api/orders")) as answered:
            # somebody else of the team is first
            page.route(
                re.compile("/api/orders"),
                lambda route: (
                    served.room.give(
                        RED, "", Alert(turn=1, centre=SHEET.index_of("0304"), radius=1)
                    ),
                    route.continue_(),
                ),
            )
            page.click("#give")
        assert answered.value.json()["refusal"]["rule"] == "9.5"
        shown.says("#answer", "Refused (rule 9.5): A duplicate of order 1")
        assert len(shown.given()) == 1


@pytest.mark.browser
def test_an_order_is_given_by_keyboard_alone_and_spoken(browser, served):
    served.room.advance(RED)
    with Shown(browser, served) as shown:
        press = shown.page.keyboard.press
        shown.page.evaluate("() => document.activeElement.blur()")
        press("Tab")
        press("Enter")  # the link that leads to the map
        assert shown.page.evaluate("() => document.activeElement.id") == "map"
        press("ArrowDown")  # the cursor appears in the middle of the map
        began = shown.run("return app.map.cursor")
        press("ArrowRight")
        press("ArrowDown")
        cell = shown.run("return app.map.cursor")
        assert cell == began + SHEET.rows + 1
        shown.says("#spoken", SHEET.label(cell))
        shown.says("#spoken", "Known water: class 0")
        press("a")
        shown.says("#answer", "Costs 1 order")
        press("Enter")
        assert shown.page.evaluate("() => document.activeElement.id") == "give"
        press("Enter")
        shown.says("#spoken", "Order 1 taken, 2 left.")
        (order,) = shown.given()
        assert order.centre == cell
        # a unit, from the list of units to the word
        press("Tab")
        assert shown.page.evaluate("() => document.activeElement.dataset.key") == "begin/unit"
        press("Enter")
        press("p")  # a select is typed into
        shown.until("app.draft.targets && Object.keys(app.draft.targets).length > 0")
        shown.page.focus("#map")
        press("ArrowUp")
        goal = shown.run("return app.map.cursor")
        press("Enter")
        shown.says("#answer", "there in turn 1")
        press("Enter")
        press("Enter")
        shown.says("#spoken", "Order 2 taken, 1 left.")
        assert shown.given()[1].to == goal
        assert shown.is_quiet(), shown.complaints


@pytest.mark.browser
def test_legal_links_are_asked_and_a_link_is_named_by_its_two_hexes_9_2(browser, served):
    served.room.advance(RED)
    with Shown(browser, served) as shown:
        page = shown.page
        page.click("[data-key='begin/unit']")
        page.select_option("#unit", "pump-1")
        page.click("[data-value=pump]")
        legal = shown.run("return [...app.draft.legal().links].map(app.linkName)")
        targets = served.room.targets(RED, "", "pump-1")["pump"]
        assert len(legal) == len(targets) > 10
        one, other = legal[0].split("-")
        page.focus("#map")
        for label in (one, other):
            shown.run(f"app.map.setCursor(app.cellOf('{label}'), true)")
            page.keyboard.press("Enter")
        shown.says("#answer", "Takes effect from turn 2")
        assert page.input_value("#target") == legal[0]
        page.fill("#target", "9999-1")
        page.keyboard.press("Enter")
        shown.says("#answer", "No link 9999-1")
        page.fill("#target", legal[1])
        page.keyboard.press("Enter")
        shown.says("#answer", "Costs 1 order")
        page.click("#give")
        shown.until("app.now.pending.length === 1")
        (order,) = shown.given()
        assert shown.run(f"return app.linkName({order.link})") == legal[1]
        assert shown.is_quiet(), shown.complaints


@pytest.mark.browser
def test_a_seat_orders_its_own_and_no_more_9_7(browser, served):
    served.room.advance(RED)
    served.room.give(RED, "", Alert(turn=1, centre=SHEET.index_of("0304"), radius=1))
    with Shown(browser, served, query="?lang=en&seat=technical") as shown:
        page = shown.page
        assert page.locator(".begin button").all_inner_texts() == ["Unit"]
        assert page.is_disabled("[data-key='withdraw/1']")
        page.click("[data-key='begin/unit']")
        names = page.locator("#unit option").evaluate_all("all => all.map(one => one.value)")
        assert names[0] == ""
        assert {name.split("-")[0] for name in names[1:]} == {"pump", "boat"}
        page.click("#tab-shelters")
        shown.says("#panel-shelters", "does not hear of arrivals")
        page.select_option("#seat", "communication")
        page.click("#tab-orders")
        page.locator("[data-key='begin/brush']").wait_for()
        page.click("[data-key='withdraw/1']")
        shown.says("#pending", "No order in this turn")
        assert page.url.endswith("?lang=en&seat=communication")
        assert shown.is_quiet(), shown.complaints


# --------------------------------------------------------------------------- the line
@pytest.mark.browser
def test_a_network_cut_in_mid_turn_loses_nothing_and_the_page_comes_back(browser, served):
    served.room.advance(RED)
    with Shown(browser, served, query="?lang=en&seat=director") as shown:
        page = shown.page
        page.click("[data-key='begin/brush']")
        page.mouse.click(*shown.spot("0304"))
        page.fill("#reason", "before the cut")
        shown.says("#answer", "Costs 1 order")
        shown.context.set_offline(True)
        shown.says("#lost", "Connection lost")
        page.click("#give")
        shown.says("#answer", "Not sent")
        # the turn goes on without them
        served.room.give(RED, "", Alert(turn=1, centre=SHEET.index_of("0705"), radius=1))
        served.room.advance(RED)
        shown.context.set_offline(False)
        shown.says("#clock", "Turn 2 of 6")
        page.locator("#lost").wait_for(state="hidden")
        shown.says("#answer", "Costs 1 order")
        page.click("#give")
        shown.says("#pending", "reason: before the cut")
        assert [(one.turn, one.reason) for one in shown.given()] == [(2, "before the cut")]
        page.click("#tab-journal")
        shown.says("#panel-journal", "Alert within 1 of hex 0705")
        assert [said for said in shown.complaints if not NO_NETWORK.search(said)] == []
        # and after a reload all is there again, at the same seat and in the same language
        page.reload()
        shown.says("#pending", "reason: before the cut")
        assert page.input_value("#seat") == "director"
        assert page.evaluate("() => document.documentElement.lang") == "en"


@pytest.mark.browser
def test_strokes_painted_without_a_network_are_sent_when_it_is_back_9_6(browser, served):
    with Shown(browser, served) as shown:
        page = shown.page
        shown.context.set_offline(True)
        shown.says("#lost", "Connection lost")
        page.mouse.click(*shown.spot("0304"))
        shown.says(".painting", "7 hexes painted")
        assert shown.given() == []
        shown.context.set_offline(False)
        shown.until("app.now.pending.length === 1 && !app.painting.waiting.length")
        assert len(shown.given()[0].cells) == 7


@pytest.mark.browser
def test_strokes_that_come_after_the_forecast_closed_are_told_of_not_dropped_in_silence_9_6(
    browser, served
):
    with Shown(browser, served) as shown:
        page = shown.page
        shown.context.set_offline(True)
        shown.says("#lost", "Connection lost")
        page.mouse.click(*shown.spot("0304"))
        page.mouse.click(*shown.spot("0308"))
        shown.until("app.painting.waiting.length === 2")
        served.room.advance(RED)
        shown.context.set_offline(False)
        shown.says("#notice", "2 strokes came too late and are not in the forecast")
        assert shown.run("return app.painting.waiting.length") == 0


@pytest.mark.browser
def test_a_stroke_under_way_as_the_forecast_closes_is_not_spoken_as_painted_9_6(browser, served):
    with Shown(browser, served, query="?lang=fr") as shown:
        page = shown.page
        page.mouse.move(*shown.spot("0203"))
        page.mouse.down()
        page.mouse.move(*shown.spot("0205"), steps=9)
        served.room.advance(RED)
        shown.says("#notice", "1 trait est arrivé trop tard et n'est pas dans le pronostic")
        page.mouse.move(*shown.spot("0207"), steps=9)
        page.mouse.up()
        page.wait_for_timeout(300)
        assert "Trait" not in page.inner_text("#spoken")
        assert shown.run("return !app.painting.stroke && !app.painting.waiting.length")
        assert shown.is_quiet(), shown.complaints


@pytest.mark.browser
def test_a_stroke_over_what_is_painted_so_is_no_order_and_one_refused_is_not_sent_again_9_5(
    browser, served
):
    with Shown(browser, served) as shown:
        page = shown.page
        page.mouse.click(*shown.spot("0304"))
        shown.until("app.now.pending.length === 1 && !app.painting.waiting.length")
        page.mouse.click(*shown.spot("0304"))
        page.wait_for_timeout(300)
        assert len(shown.given()) == 1
        # at another screen the same stroke was quicker
        shown.context.set_offline(True)
        shown.says("#lost", "Connection lost")
        page.mouse.click(*shown.spot("0308"))
        shown.until("app.painting.waiting.length === 1")
        around = tuple(sorted(shown.run("return [...app.painting.waiting[0].cells]")))
        served.room.give(RED, "", Forecast(turn=0, cells=around, confidence=Confidence.LIKELY))
        shown.context.set_offline(False)
        shown.until("app.now.pending.length === 2 && !app.painting.waiting.length")
        page.wait_for_timeout(500)
        refused = [
            one for one, _ in served.room.given(RED, 0) if type(one).__name__ == "OrderRefused"
        ]
        assert len(refused) == 1


@pytest.mark.browser
def test_a_network_cut_while_erasing_loses_no_other_hex_9_6(browser, served):
    with Shown(browser, served) as shown:
        page = shown.page
        page.mouse.click(*shown.spot("0304"))
        shown.until("app.now.pending.length === 1 && !app.painting.waiting.length")
        sent = []

        def cut_once(route):
            sent.append(route.request.post_data)
            if len(sent) == 2:  # the withdrawal came through, what is left of the stroke did not
                route.abort()
            else:
                route.continue_()

        page.route("**/api/orders**", cut_once)
        page.click("[data-key='Brush: radius (number of hexes)/0']")
        page.click("[data-value=erase]")
        page.mouse.click(*shown.spot("0304"))
        shown.until(
            "app.now.pending.length === 1 && !app.painting.waiting.length"
            " && app.painting.cells.size === 6"
        )
        assert len(sent) >= 3
        assert len(shown.given()[0].cells) == 6


# --------------------------------------------------------------------------- what is shown
@pytest.mark.browser
def test_names_are_text_and_no_part_of_the_page_is_out_of_reach(browser, flooded):
    served, key = flooded
    with Shown(browser, served, key, query="") as shown:
        page = shown.page
        for lang in ("fr", "en"):
            page.click(f"[data-value={lang}]")
            page.wait_for_selector(f"html[lang={lang}]")
            for tab in TABS:
                page.click(f"#tab-{tab}")
            page.click("#tab-quarters")
            assert page.locator("#panel-quarters tbody th button").count() == len(HOSTILE)
            for name in HOSTILE:
                shown.says("#panel-quarters", name)
        assert page.inner_text("#team-name") == HOSTILE[1]
        # the page counts on by itself
        assert re.fullmatch(r"1:(30|2\d)", page.inner_text("#timer"))
        page.click("#tab-shelters")
        shown.says("#panel-shelters", HOSTILE[2])
        for cell in ("0203", "0305"):
            shown.run(f"app.map.setCursor(app.cellOf('{cell}'))")
        for tab in TABS:
            page.click(f"#tab-{tab}")
            assert shown.faults() == [], tab
        page.click("#night")
        page.click("#tab-quarters")
        assert shown.faults() == [], "by night"
        assert page.evaluate("() => window.PWNED") is None
        assert page.locator("img, main script").count() == 0
        assert shown.is_quiet(), shown.complaints


@pytest.mark.browser
def test_each_of_the_six_layers_has_a_slider_that_shows_16(browser, flooded):
    served, key = flooded
    with Shown(browser, served, key) as shown:
        page = shown.page
        page.click("#tab-layers")
        picture = "app.map.paintNow(); app.map.markNow(); return app.map.canvas.toDataURL()"
        for layer in ("fabric", "density", "water", "roads", "relief", "forecast"):
            slider = page.locator(f"[data-layer={layer}]")
            slider.fill("100")
            strong = shown.run(picture)
            slider.fill("30")
            assert shown.run(picture) != strong, layer
            slider.fill("0")
            assert shown.run(f"return app.layers.{layer}.opacity") == 0


@pytest.mark.browser
def test_outlines_tell_the_state_of_a_hex_16(browser, flooded):
    served, key = flooded
    with Shown(browser, served, key) as shown:
        transmitting, alerted = shown.run(
            "return [app.now.frame.transmitting, app.now.view.alerted]"
        )
        assert alerted
        for cell in alerted[:1]:
            shown.run(f"app.map.setCursor({cell})")
            shown.says("#spoken", "State: Alerted")
        for cell in transmitting[:1]:
            shown.run(f"app.map.setCursor({cell})")
            shown.says("#spoken", "State: alert in transmission")
        shown.run(f"app.map.setCursor({SHEET.index_of('0203')})")
        shown.says("#spoken", "Forecast: sure")


@pytest.mark.browser
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_phone_shows_it_all_without_scrolling_sideways(browser, flooded, lang):
    served, key = flooded
    query = f"?lang={lang}"
    with Shown(browser, served, key, query, width=360, height=740, has_touch=True) as shown:
        page = shown.page
        for tab in TABS[1:] + TABS[:1]:
            page.click(f"#tab-{tab}")
            assert page.evaluate("() => document.documentElement.scrollWidth") <= 360, tab
            small = page.locator("button:visible:not(.link)").evaluate_all(
                "all => all.filter(one => Math.min(one.offsetWidth, one.offsetHeight) < 36)"
                ".map(one => one.outerHTML)"
            )
            assert small == [], tab
        page.click("[data-key='begin/brush']")
        page.touchscreen.tap(*shown.spot("0705"))
        shown.says("#answer", "1 ordre" if lang == "fr" else "1 order")
        assert shown.faults() == []
        assert shown.is_quiet(), shown.complaints


@pytest.mark.browser
def test_the_guided_turn_is_told_once_and_again_when_asked(browser, served):
    with Shown(browser, served) as shown:
        page = shown.page
        page.reload()
        page.locator("#map canvas").first.wait_for()
        assert page.locator("#tutorial").is_hidden()
        page.click("#help")
        # what is dragged before painting was told of moves the map
        assert shown.run("return app.painting.tool") == "move"
        page.click("#tutorial .main")
        # what it says of layers is shown: low points from the first, density by its button
        layers = "return [app.layers.relief.on, app.map.state.relief, app.layers.density.on]"
        assert shown.run(layers) == [True, "low", False]
        page.click("#tutorial [data-key=step_density]")
        assert shown.run(layers) == [True, "low", True]
        assert page.locator("#tutorial [data-key=step_density][aria-pressed=true]").count() == 1
        page.click("#tutorial [data-key=step_density]")
        page.click("#tutorial [data-key=step_relief]")
        assert shown.run(layers) == [False, "low", False]
        for _ in range(4):
            page.click("#tutorial .main")
        shown.says("#tutorial", "6 of 6")
        assert shown.run("return app.painting.tool") == "paint"
        assert shown.faults() == []
        # what a forecast is counted by is told where one is asked for
        page.click("#tutorial [data-key=Back]")
        for _ in range(2):
            page.click("#tutorial [data-key=Back]")
        shown.says("#tutorial", CUT_RULE[1])
        shown.says("#panel-orders", CUT_RULE[1])
        # from wherever the keyboard is
        page.focus("#map")
        page.keyboard.press("Escape")
        assert page.locator("#tutorial").is_hidden()
        assert shown.run("return app.painting.tool") == "paint"
        # its button and the list of seats are named in sight
        for name in ("Guided first turn", "Your seat"):
            assert page.get_by_text(name, exact=True).first.bounding_box()["width"] > 20
        assert shown.is_quiet(), shown.complaints


@pytest.mark.browser
def test_an_alert_that_fails_comes_first_in_the_strip_and_is_marked_9_4(browser, served):
    room = served.room
    room.advance(RED)
    with Shown(browser, served) as shown:
        for _ in range(TURNS - 1):
            turn = room.moment(RED).turn
            for label in ("0304", "0705", "0502"):
                room.give(RED, "", Alert(turn=turn, centre=SHEET.index_of(label), radius=1))
            room.advance(RED)
            rolled = [one for one in room.events(RED, TEAM) if isinstance(one, AlertRolled)]
            mine = {one.success for one in rolled if one.turn == turn}
            shown.until(f"app.now.turn === {turn + 1}")
            if mine == {True, False}:
                break
        else:
            raise AssertionError("no turn in which one alert failed and another did not")
        lines = shown.page.locator("#since li")
        bad = lines.evaluate_all("all => all.map(one => one.classList.contains('bad'))")
        # what failed first, and what came through beside it
        assert bad[:2] == [True, False]
        assert "the alert fails" in lines.first.inner_text()
        assert "alerted" in lines.nth(1).inner_text()
        assert re.search(r" \(dice \d", lines.first.inner_text())
        look = "one => [getComputedStyle(one).color, getComputedStyle(one, '::before').content]"
        failed, done = lines.first.evaluate(look), lines.nth(1).evaluate(look)
        assert failed[0] != done[0]
        assert ("✕" in failed[1], "✕" in done[1]) == (True, False)
        assert shown.faults() == []


@pytest.mark.browser
def test_a_message_stands_over_the_map_in_every_part_until_it_is_closed(browser, served):
    room = served.room
    room.advance(RED)
    with Shown(browser, served, width=360, height=740) as shown:
        page, mail = shown.page, shown.page.locator("#mail[role=alert]")
        assert mail.is_hidden()
        room.message(RED, HOSTILE[0])
        mail.get_by_text(HOSTILE[0]).wait_for()
        for tab in TABS:
            page.click(f"#tab-{tab}")
            assert mail.is_visible(), tab
        assert shown.faults() == []
        # who comes late finds it too; what was closed stays closed, and the next one is shown alone
        page.reload()
        mail.get_by_text(HOSTILE[0]).wait_for()
        page.click("#mail-close")
        assert mail.is_hidden()
        page.reload()
        page.locator("#map canvas").first.wait_for()
        assert mail.is_hidden()
        room.message(RED, "Second")
        mail.get_by_text("Second").wait_for()
        assert HOSTILE[0] not in mail.inner_text()
        assert shown.run("return window.PWNED ?? null") is None
        assert shown.is_quiet(), shown.complaints


@pytest.mark.browser
@pytest.mark.parametrize("width", [1024, 1280, 1366, 1440, 360])
def test_no_table_is_wider_than_its_panel(browser, served, width):
    served.room.advance(RED)
    wide = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.ariaLabel)"
    with Shown(browser, served, query="?lang=fr", width=width, height=768) as shown:
        for tab in ("shelters", "quarters", "units"):
            shown.run(f"app.openTab('{tab}');")
            assert shown.page.locator(f"#panel-{tab} .scroll").evaluate_all(wide) == [], tab


@pytest.mark.browser
def test_news_that_are_folded_say_how_many_they_are(browser, served):
    room = served.room
    room.advance(RED)
    with Shown(browser, served) as shown:
        room.give(RED, "", Alert(turn=1, centre=SHEET.index_of("0304"), radius=1))
        room.advance(RED)
        count = shown.page.locator("#since li")
        count.first.wait_for()
        lines = count.count()
        assert shown.page.locator("#since .when-folded").is_hidden()
        shown.page.click("[data-key='begin/brush']")
        assert count.first.is_hidden()
        shown.says("#since", f"{lines} item")


# --------------------------------------------------------------------------- its words
def test_every_word_that_the_scripts_say_is_there_and_no_other():
    scripts = "\n".join(path.read_text() for path in STATIC.glob("team*.js"))
    literal = set(re.findall(r"""(?:say|say\.aloud|told|fault)\(\s*'(\w+)'""", scripts))
    literal |= set(re.findall(r"""[?:(]\s*'(\w+)'(?=\s*[:,)])""", scripts))
    families = {*re.findall(r"say\(`(\w+)_\$\{", scripts)}
    words = team_words("en")
    used = {key for key in words if key in literal or key.split("_")[0] in families}
    listed = {key for key in words if re.search(rf"['`]{key}['`]", scripts)}
    assert set(words) - used - listed == set()
    asked = set(re.findall(r"""say(?:\.aloud)?\('(\w+)'""", scripts))
    assert asked - set(words) == set()


def test_the_two_languages_fill_in_the_same_fields():
    french, english = team_words("fr"), team_words("en")
    for key in french:
        fields = [set(re.findall(r"\{(\w+)", text)) for text in (french[key], english[key])]
        assert fields[0] == fields[1], key
        assert french[key]
        assert english[key]


def test_the_page_and_its_scripts_leave_room_for_a_district():
    own = sum(path.stat().st_size for path in STATIC.glob("team*"))
    assert own + len(board_script()) < 200_000
