"""What is typed stays, though a page is loaded again, left, or turned to another language."""

import pytest

pytest.importorskip("uvicorn", reason="the extra `room` is not installed")
pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import expect

from sim.orders import Alert
from tests.exercises.room.places import Served, copy_of
from tests.exercises.room.screens import Screen, joined
from tests.gis.hand_pack import SHEET

pytestmark = pytest.mark.browser

RED = "1-red"


@pytest.fixture(scope="module")
def served(whole_room, pack, tmp_path_factory):
    with Served(copy_of(whole_room, tmp_path_factory.mktemp("typed") / "room"), pack) as over_http:
        yield over_http


def opened(browser, served, prefix, lang="en"):
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    joined(context, served, prefix)
    screen = Screen(context, f"{served.base}{prefix}/?lang={lang}")
    if prefix != "/i":
        screen.page.click("#skip-tutorial")
        return screen
    screen.page.wait_for_selector("[data-ready]")
    return screen


def test_a_message_that_was_begun_is_there_after_all_that_may_happen(browser, served):
    with opened(browser, served, "/i") as screen:
        page = screen.page
        page.click("#tab-cards")
        page.select_option("#card", "accident")
        page.fill("#target", "0304-0305")
        page.fill("#note", "the lorry")
        page.click("#message")
        page.fill("dialog textarea", "The bridge")
        page.go_back()  # the part under the dialog changes, and no more
        page.wait_for_selector("#tab-play[aria-selected=true]")
        expect(page.locator("dialog textarea")).to_have_value("The bridge")
        page.reload()
        page.wait_for_selector("[data-ready]")
        expect(page.locator("#message")).to_have_text("Message (begun)…")
        page.click("text=Français")
        page.wait_for_selector("html[lang=fr] [data-ready]")
        page.click("#tab-cards")
        expect(page.locator("#card")).to_have_value("accident")
        expect(page.locator("#target")).to_have_value("0304-0305")
        expect(page.locator("#note")).to_have_value("the lorry")
        page.click("#message")
        expect(page.locator("dialog textarea")).to_have_value("The bridge")
        page.context.set_offline(True)
        page.click("dialog button[value=go]")
        screen.says("#fault", "rien n'a été fait")
        page.context.set_offline(False)
        page.click("#message")
        expect(page.locator("dialog textarea")).to_have_value("The bridge")
        page.click("dialog button[value=go]")
        expect(page.locator("#message")).to_have_text("Message…")
        assert [one.text for one in served.room.moment(RED).messages] == ["The bridge"]
        page.click("#message")
        expect(page.locator("dialog textarea")).to_have_value("")
        page.keyboard.press("Escape")
        page.select_option("#card", "jam")
        expect(page.locator("#target")).to_have_value("")
        assert screen.is_quiet(None) or all("ERR_INTERNET" in one for one in screen.complaints)


def test_an_order_that_is_made_stays_in_another_language_and_on_a_page_loaded_again(
    browser, served
):
    room = served.room
    with opened(browser, served, f"/t/{RED}") as screen:
        page = screen.page
        # before turn 1: what was chosen of the brush
        page.click("#panel-orders [data-value=erase]")
        page.click("#language [data-value=fr]")
        page.wait_for_selector("html[lang=fr] #map")
        screen.until("app.now !== null && app.painting.tool === 'erase'")
        page.click("#language [data-value=en]")
        page.wait_for_selector("html[lang=en] #map")
        screen.until("app.now !== null")
        room.advance(RED)
        page.click("[data-key='begin/brush']")
        page.mouse.click(*screen.spot("0304"))
        screen.says("#answer", "Costs 1 order")
        page.fill("#reason", "the low bank")
        page.click("#language [data-value=fr]")
        screen.says("#answer", "Coûte 1 ordre")
        expect(page.locator("#reason")).to_have_value("the low bank")
        expect(page.locator("#target")).to_have_value("0304")
        page.reload()
        screen.says("#answer", "Coûte 1 ordre")
        expect(page.locator("#reason")).to_have_value("the low bank")
        page.fill("#target", "07")  # half a number
        page.reload()
        expect(page.locator("#target")).to_have_value("07")
        page.goto("about:blank")
        page.go_back()
        expect(page.locator("#reason")).to_have_value("the low bank")
        expect(page.locator("#target")).to_have_value("07")
        page.fill("#target", "0705")
        page.press("#target", "Enter")
        page.click("#give")
        screen.says("#pending", "0705")
        assert [one["order"]["centre"] for one in screen.acknowledged] == ["0705"]
        page.reload()
        page.wait_for_selector("[data-key='begin/brush']")
        expect(page.locator("#reason")).to_have_count(0)
        assert screen.is_quiet(), screen.complaints


def test_what_has_just_happened_is_told_in_the_language_that_is_read(browser, served):
    room, turn = served.room, served.room.moment(RED).turn
    with opened(browser, served, f"/t/{RED}") as screen:
        room.give(RED, "", Alert(turn=turn, centre=SHEET.index_of("0502"), radius=0))
        room.advance(RED)
        screen.says("#since h3", "What has just happened")
        lines = screen.page.locator("#since li")
        count, first = lines.count(), lines.first.inner_text()
        screen.page.click("#language [data-value=fr]")
        screen.says("#since h3", "Ce qui vient de se passer")
        assert lines.count() == count
        assert lines.first.inner_text() != first
        assert screen.is_quiet(), screen.complaints
