"""Whoever looks at a room waits neither for a turn nor for what the others want to see."""

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

from tests.exercises.room.places import Served, copy_of, post, pushed
from tests.exercises.room.screens import joined

RED, BLUE = "/t/1-red", "/t/2-blue"
FORECAST = {"order": {"order": "forecast", "cells": ["0305"]}}


@pytest.fixture(scope="module")
def served(whole_room, pack, tmp_path_factory):
    with Served(copy_of(whole_room, tmp_path_factory.mktemp("looking") / "room"), pack) as one:
        yield one


def test_pages_are_answered_while_a_turn_is_being_resolved(served):
    browser = served.browser(RED, "/p")
    with served.room._lock:  # as long as another team's turn is
        for path in (f"{RED}/", f"{RED}/api/now?seat=technical", f"{RED}/api/ground", "/p/api/now"):
            assert browser.get(path, timeout=10).status_code == 200
        order = {"order": "forecast", "cells": ["0305"]}
        said = post(browser, f"{RED}/api/preview", {"seat": "", "order": order}, timeout=10)
        assert said.status_code == 200


def test_what_is_shown_is_what_was_told_and_acknowledged(served):
    browser = served.browser(RED, "/i", "/p")
    with served.socket(RED) as socket, served.socket("/p") as screen:
        first, public = pushed(socket)["seq"], pushed(screen)["seq"]
        assert browser.get(f"{RED}/api/now").json()["seq"] == first
        given = post(browser, f"{RED}/api/orders", FORECAST).json()
        assert given["accepted"]
        now = browser.get(f"{RED}/api/now").json()
        assert now["seq"] == given["seq"] == pushed(socket)["seq"] == first + 1
        assert [one["number"] for one in now["pending"]] == [given["number"]]
        assert post(browser, "/i/api/advance", {}).status_code == 200
        now = browser.get(f"{RED}/api/now").json()
        assert (now["turn"], now["seq"]) == (1, first + 2)
        assert pushed(socket)["seq"] == first + 2
        shown = browser.get("/p/api/now").json()
        assert shown["seq"] == pushed(screen)["seq"] > public
        assert [team["view"]["turn"] for team in shown["teams"]] == [1, 1]


def test_moments_are_made_one_after_the_other_and_each_once(served):
    classroom, inside, most, made = served.classroom, [], [0], []

    def making(number):
        def make():
            inside.append(number)
            most[0] = max(most[0], len(inside))
            time.sleep(0.01)
            inside.remove(number)
            made.append(number)
            return b"{}"

        return make

    start = threading.Barrier(8)

    def ask(number):
        start.wait()
        return classroom._kept_of_now(("tried", number % 4), making(number % 4))

    with ThreadPoolExecutor(8) as crew:
        assert list(crew.map(ask, range(8))) == [b"{}"] * 8
    assert most == [1]
    assert sorted(made) == [0, 1, 2, 3]


def test_a_moment_that_cannot_be_made_keeps_nobody_waiting(served):
    def fails():
        raise ValueError("not so")

    for _ in range(2):
        with pytest.raises(ValueError, match="not so"):
            served.classroom._kept_of_now(("failing",), fails)
    assert served.browser(BLUE).get(f"{BLUE}/api/now").status_code == 200


ASKED = """
() => performance.getEntriesByType('resource').map((one) => [one.name, one.transferSize])
"""
HAS_NOW = """
() => performance.getEntriesByType('resource').some((one) => one.name.includes('/api/now'))
"""
LONGER_THAN_BETWEEN_TWO_QUESTIONS_MS = 600


@pytest.mark.parametrize("prefix", [RED, "/i", "/p"])
def test_a_page_asks_for_each_thing_once_and_for_its_files_never_again(served, browser, prefix):
    context = browser.new_context()
    joined(context, served, prefix)
    page, complaints = context.new_page(), []
    page.on("console", lambda said: complaints.append(said.text))
    page.on("pageerror", lambda fault: complaints.append(str(fault)))
    sent = []
    for _ in range(2):
        page.goto(f"{served.base}{prefix}/?lang=en")
        page.wait_for_function(HAS_NOW)
        page.wait_for_timeout(LONGER_THAN_BETWEEN_TWO_QUESTIONS_MS)
        asked = [(urlsplit(name).path, size) for name, size in page.evaluate(ASKED)]
        often = Counter(path for path, _ in asked)
        assert often[f"{prefix}/api/ground"] == often[f"{prefix}/api/now"] == 1
        assert max(often.values()) == 1
        sent.append({path: size for path, size in asked if path.startswith("/static/")})
    context.close()
    first, again = sent
    assert first.keys() == again.keys()
    assert min(first.values()) > 0
    assert set(again.values()) == {0}
    assert complaints == []
