"""What two screens do at one time, and what a screen does whose network is away, in browsers."""

import json
import threading

import pytest

pytest.importorskip("uvicorn", reason="the extra `room` is not installed")

from exercises.journal import JOURNAL, Kind, read_journal
from exercises.room.folder import team_folders
from exercises.verification import verify_exercise
from sim.view import standing
from tests.exercises.room.places import Served, copy_of, post
from tests.exercises.room.screens import Screen, joined
from tests.gis.hand_pack import SHEET

RED, BLUE = "/t/1-red", "/t/2-blue"
FAR = "0308"
KEPT = json.dumps("averse.strokes/t/1-red")


@pytest.fixture
def served(whole_room, pack, tmp_path):
    with Served(copy_of(whole_room, tmp_path / "room"), pack) as over_http:
        yield over_http


def shown(browser, served, prefix, query="?lang=en"):
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    joined(context, served, prefix)
    return Screen(context, f"{served.base}{prefix}/{query}")


def painted(served):
    """Cells of the forecast that stand in the room, once for each order that has them."""
    pending = standing(served.room.desk("1-red").state.state.pending)
    return sorted(cell for one in pending for cell in one.order.cells)


def given(served):
    """What became of every forecast that reached the room."""
    return [type(event).__name__ for event, _ in served.room.given("1-red", 0)]


# --------------------------------------------------------------------------- a line that goes
@pytest.mark.browser
def test_strokes_that_wait_outlive_a_page_that_is_loaded_again_and_a_second_window_9_6(
    browser, served
):
    with shown(browser, served, RED) as screen:
        page = screen.page
        page.click("#skip-tutorial")
        page.click("[data-key='Brush: radius (number of hexes)/0']")
        page.mouse.click(*screen.spot("0304"))
        screen.until("app.now.pending.length === 1 && !app.painting.waiting.length")
        # the line goes while a stroke is drawn, and is away while the page is loaded again
        page.mouse.move(*screen.spot("0305"))
        page.mouse.down()
        screen.context.set_offline(True)
        page.mouse.move(*screen.spot("0306"), steps=4)
        page.mouse.up()
        screen.until("app.painting.waiting.length === 1")
        page.click("[data-value=erase]")
        page.mouse.click(*screen.spot("0304"))
        screen.until("app.painting.waiting.length === 2")
        strokes = screen.run("return app.painting.waiting.map((one) => [...one.cells]);")
        wanted = sorted(({SHEET.index_of("0304")} | set(strokes[0])) - set(strokes[1]))
        page.route("**/api/orders**", lambda route: route.abort())
        screen.context.set_offline(False)
        for _ in range(2):
            page.reload()
            screen.until("app.now && app.painting.waiting.length === 2 && !app.painting.sending")
        assert painted(served) == [SHEET.index_of("0304")]
        # a window that is opened as this one was has the same strokes: each is taken once
        kept = page.evaluate(f"sessionStorage.getItem({KEPT})")
        other = screen.context.new_page()
        other.add_init_script(f"sessionStorage.setItem({KEPT}, {json.dumps(kept)})")
        other.goto(f"{served.base}{RED}/?lang=en")
        other.locator("#map canvas").first.wait_for()
        while painted(served) != wanted:
            other.wait_for_timeout(50)
        page.unroute("**/api/orders**")
        page.reload()
        screen.until("app.now && !app.painting.waiting.length")
        page.wait_for_timeout(500)
        assert painted(served) == wanted != []
        assert "OrderRefused" not in given(served)
        assert page.evaluate(f"sessionStorage.getItem({KEPT})") == ""
        # what was kept for the forecast is not sent once the turns are played
        other.close()
        page.route("**/api/orders**", lambda route: route.abort())
        page.click("[data-value=paint]")
        page.mouse.click(*screen.spot(FAR))
        screen.until("app.painting.waiting.length === 1")
        page.goto("about:blank")
        served.room.advance()
        page.unroute("**/api/orders**")
        page.goto(f"{served.base}{RED}/?lang=en")
        screen.until("app.now.turn === 1")
        screen.until("!app.painting.waiting.length")
        assert not any(
            one.kind is Kind.ORDER and one.at == 1
            for one in read_journal(team_folders(served.folder)[0] / JOURNAL).entries
        )


# --------------------------------------------------------------------------- two consoles
@pytest.mark.browser
def test_two_consoles_that_advance_at_one_instant_advance_by_one_turn(browser, served):
    first, second = (shown(browser, served, "/i") for _ in range(2))
    with first, second:
        for screen in (first, second):
            screen.page.bring_to_front()
            screen.page.locator("[data-ready]").first.wait_for()
            screen.page.click("#advance")
            screen.page.locator("dialog button[value=go]").wait_for()
        for screen in (first, second):  # neither waits for the other
            screen.page.evaluate(
                "setTimeout(() => document.querySelector('dialog button[value=go]').click())"
            )
        for screen in (first, second):
            said = "Turn 1 of 6"
            screen.page.locator(".side .when", has_text=said).nth(1).wait_for()
        assert [served.room.moment(key).turn for key in served.room.keys] == [1] * 2
        for screen in (first, second):  # one was told that the teams had gone on
            screen.page.keyboard.press("Escape")
            screen.page.locator("dialog").wait_for(state="detached")
    for folder in team_folders(served.folder):
        kinds = [one.kind for one in read_journal(folder / JOURNAL).entries]
        assert kinds == [Kind.ADVANCE]


def test_two_consoles_and_a_team_that_act_at_one_instant_leave_one_story(served):
    """A card, an end, a turn and orders: each is taken where it was decided, or refused."""
    served.room.advance()
    console, other, red = (served.browser(*to) for to in (("/i",), ("/i",), (RED,)))
    alert = {"order": "alert", "centre": "0305", "radius": 0}
    told = []
    for turn in range(1, 4):
        seen = dict.fromkeys(served.room.keys, turn)
        asked = [
            (console, "/i/api/advance", {"team": None, "turns": seen}),
            (other, "/i/api/advance", {"team": None, "turns": seen}),
            (other, "/i/api/card", {"team": None, "card": "roadworks", "turns": seen}),
            (red, f"{RED}/api/orders", {"order": {**alert, "turn": turn}}),
        ]
        if turn == 3:
            asked.append((console, "/i/api/end", {"team": "1-red", "turns": seen}))
        go = threading.Barrier(len(asked))

        def ask(browser, path, body, go=go, turn=turn):
            go.wait()
            answer = post(browser, path, body)
            told.append((turn, path, answer.status_code))

        threads = [threading.Thread(target=ask, args=one) for one in asked]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if turn < 3:
            statuses = [status for at, path, status in told if at == turn and "advance" in path]
            assert sorted(statuses) == [200, 409]
            assert {served.room.moment(key).turn for key in served.room.keys} == {turn + 1}
    assert {status for _, _, status in told} <= {200, 400, 409}
    for folder in team_folders(served.folder):
        entries = read_journal(folder / JOURNAL).entries
        # no card lies in another turn than the one that it was decided in; an order that came after
        # its turn is on record as refused
        assert verify_exercise(folder).replayed
        turn = 0
        for one in entries:
            if one.kind is Kind.ADVANCE:
                assert one.at == turn + 1
                turn = one.at
            elif one.at != turn:
                assert one.kind is Kind.ORDER
