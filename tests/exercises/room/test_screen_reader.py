"""A team's page for who hears it, walks it by keyboard, enlarges it or wants nothing to move."""

import pytest

pytest.importorskip("uvicorn", reason="the extra `room` is not installed")
pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import expect

from sim.orders import Alert
from tests.exercises.room.places import Served, copy_of
from tests.exercises.room.screens import Screen, joined
from tests.exercises.room.structure import landmarks, structure_faults
from tests.exercises.room.test_preparing import shown as shown_form
from tests.gis.hand_pack import SHEET

pytestmark = pytest.mark.browser

RED = "1-red"
TABS = ("orders", "situation", "quarters", "shelters", "units", "journal", "layers")
CONSOLE = ("past", "storm", "cards", "join", "debrief", "play")
MOST_STOPS = 120
LANDMARKS = """
- link "Skip to the map"
- banner:
  - heading "Red Essai" [level=1]
  - combobox "Your seat":
    - option "Whole team" [selected]
  - group "Language":
    - button "EN" [pressed]
- main:
  - application "Map of hexes"
  - paragraph: /Arrows. next hex/
  - region "Orders":
    - heading "Orders" [level=2]
    - button "Alert"
    - button "Unit"
    - region "Orders of this turn":
      - heading "Orders of this turn" [level=3]
    - region "Hex":
      - heading "Hex" [level=3]
- navigation "Parts of the page":
  - button "Orders" [expanded]
  - button "Event log"
- status
"""
AT_FOCUS = """() => {
  const at = document.activeElement, how = getComputedStyle(at);
  return { is: at === document.body ? '' : at.id || at.dataset.key || at.outerHTML.slice(0, 80),
    seen: how.outlineStyle !== 'none' && parseFloat(how.outlineWidth) >= 2,
    box: at.getBoundingClientRect().toJSON() };
}"""


@pytest.fixture(scope="module")
def served(whole_room, pack, tmp_path_factory):
    with Served(copy_of(whole_room, tmp_path_factory.mktemp("heard") / "room"), pack) as over_http:
        over_http.room.advance(RED)
        yield over_http


def opened(browser, served, width=1280, height=720, **more):
    context = browser.new_context(viewport={"width": width, "height": height}, **more)
    joined(context, served, f"/t/{RED}")
    screen = Screen(context, f"{served.base}/t/{RED}/?lang=en")
    screen.page.click("#skip-tutorial")
    return screen


def test_the_page_is_told_by_landmarks_headings_and_names(browser, served):
    with opened(browser, served) as screen:
        main = screen.page.locator("body")
        expect(main).to_match_aria_snapshot(LANDMARKS)
        for tab in TABS[1:]:
            screen.page.click(f"#tab-{tab}")
            name = screen.page.inner_text(f"#head-{tab}")
            told = f'- region "{name}":\n  - heading "{name}" [level=2]'
            expect(main).to_match_aria_snapshot(told)


def test_landmarks_and_headings_are_in_order_on_every_page(browser, served, pack, tmp_path):
    with opened(browser, served) as screen:
        assert landmarks(screen.page) == ["header", "main", "nav"]
        for tab in TABS:
            screen.page.click(f"#tab-{tab}")
            assert structure_faults(screen.page) == [], tab
        screen.page.click("#help")
        assert structure_faults(screen.page) == []
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    for prefix, shown in (("/i", ["header", "main", "nav"]), ("/p", ["header", "main"])):
        joined(context, served, prefix)
        page = Screen(context, f"{served.base}{prefix}/?lang=en").page
        page.wait_for_selector("[data-ready]")
        assert landmarks(page) == shown
        assert structure_faults(page) == []
        for part in CONSOLE if prefix == "/i" else ():
            page.click(f"#tab-{part}")
            page.wait_for_selector(f"#tab-{part}[aria-selected=true]")
            assert structure_faults(page) == [], part
    page = context.new_page()
    page.goto(f"{served.base}/t/{RED}/join?token=x")
    assert landmarks(page) == ["main"]
    assert structure_faults(page) == []
    context.close()
    with shown_form(browser, tmp_path / "room", pack) as (page, _):
        assert landmarks(page) == ["header", "main"]
        assert structure_faults(page) == []
        page.click("#look")
        page.locator(".storm-dialog .timeline").wait_for()
        assert structure_faults(page) == []


def test_hexes_orders_refusals_and_turns_are_spoken(browser, served):
    room, turn = served.room, served.room.moment(RED).turn
    with opened(browser, served) as screen:
        press = screen.page.keyboard.press
        expect(screen.page.locator("#spoken")).to_have_attribute("aria-live", "polite")
        screen.page.focus("#map")
        press("ArrowDown")
        press("ArrowLeft")
        hex_label = SHEET.label(screen.run("return app.map.cursor"))
        for said in (hex_label, "Quarter:", "Inhabitants:", "Known water: class 0"):
            screen.says("#spoken", said)
        press("a")
        screen.says("#answer[role=status]", "Costs 1 order")
        press("Enter")
        press("Enter")
        screen.says("#spoken", "Order 1 taken, 2 left.")
        # what nobody could foresee is refused, and said
        press("Tab")
        screen.page.focus("#map")
        press("a")
        screen.says("#answer[role=status]", "Refused (rule 9.5)")
        press("Escape")
        screen.says("#spoken", "Order dropped.")
        # an order of another seat, and the next turn
        room.give(RED, "", Alert(turn=turn, centre=SHEET.index_of("0705"), radius=0))
        room.advance(RED)
        screen.says("#spoken", f"Turn {turn + 1} of 6")
        screen.says("#spoken", "orders")
        # what became of the orders, in one place, and a message that comes in the middle of a turn
        screen.says("#spoken", "alert")
        screen.says("#since", "What has just happened")
        screen.says("#since .AlertRolled", "alert")
        room.message(RED, "The bridge is shut")
        screen.says("#mail[role=alert]", "The bridge is shut")
        screen.says("#since .MessageSent", "The bridge is shut")
        screen.says("#bubble-situation", "1")
        screen.page.click("#tab-situation")
        expect(screen.page.locator("#bubble-situation")).to_be_empty()
        screen.page.click("#tab-orders")
        screen.page.click("#since-close")
        expect(screen.page.locator("#since")).to_be_hidden()
        assert screen.is_quiet(), screen.complaints


def test_the_keyboard_reaches_everything_sees_where_it_is_and_is_never_caught(browser, served):
    with opened(browser, served) as screen:
        page = screen.page
        page.evaluate("() => document.activeElement.blur()")
        stops = []
        for _ in range(MOST_STOPS):
            page.keyboard.press("Tab")
            at = page.evaluate(AT_FOCUS)
            if not at["is"]:  # out of the page, and in again at its top
                continue
            if stops and at["is"] == stops[0]:
                break
            assert at["seen"], at
            assert at["box"]["width"] > 0, at
            stops.append(at["is"])
        else:
            raise AssertionError(f"caught: {stops[-5:]}")
        assert len(stops) == len(set(stops))
        reachable = page.locator(
            "button:visible:enabled, select:visible, a[href]:visible, [tabindex='0']:visible"
        ).count()
        assert len(stops) == reachable
        assert {"map", "seat", "tab-journal", "begin/brush"} <= set(stops)
        # backwards out of the map, which takes the arrows for itself
        page.focus("#map")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Shift+Tab")
        assert page.evaluate("() => document.activeElement.id") != "map"


@pytest.mark.parametrize(
    ("width", "height", "scale"), [(640, 360, 2), (320, 568, 2)], ids=["200 %", "320 px"]
)
def test_it_is_whole_enlarged_and_narrow(browser, served, width, height, scale):
    with opened(browser, served, width, height, device_scale_factor=scale) as screen:
        for tab in TABS[1:] + TABS[:1]:
            screen.page.click(f"#tab-{tab}")
            assert screen.overflow() <= 0, tab
            box = screen.page.locator(f"#panel-{tab}").bounding_box()
            assert box["width"] > 150, tab
            assert box["height"] > 80, tab
        assert screen.page.locator("#map").bounding_box()["height"] > 80


def test_nothing_moves_for_who_wants_it_still(browser, served):
    moving = "() => { document.getElementById('timer').hidden = false;"
    moving += "document.getElementById('timer').classList.add('hurry');"
    moving += "return document.getAnimations().length; }"
    counts = {}
    for wish in ("reduce", "no-preference"):
        with opened(browser, served, reduced_motion=wish) as screen:
            counts[wish] = screen.page.evaluate(moving)
    assert counts == {"reduce": 0, "no-preference": 1}
