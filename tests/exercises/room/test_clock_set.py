"""The clock of the room's computer is set back and on while a class plays, end to end.

libfaketime lies to the server about the time, as an instructor or a time server would who sets the
clock; what counts seconds since the start is nobody's to set, and is left alone.
"""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from exercises.journal import JOURNAL, Kind, read_journal
from exercises.room.boards import draw_boards
from exercises.room.book import Book
from exercises.room.folder import team_folders
from exercises.scenario_options import ScenarioOptions
from exercises.verification import verify_exercise
from sim.rules import TIMERS, Timer
from tests.exercises.room.places import begun, pushed

LIES = next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))), None)
RED, BLUE = "/t/1-red", "/t/2-blue"
CLOCKS = ("+0", "-3000d", "+9000d", "@1975-03-01 12:00:00")
"""As it is; set back; set on; as one is whose battery is empty: no .zip knows of such a date."""
CENTRES = ("0305", "0705", "0203", "0806")

pytestmark = [
    pytest.mark.skipif(LIES is None, reason="libfaketime is not installed (Debian: faketime)"),
    pytest.mark.skipif(not os.environ.get("AVERSE_CLOCKS"), reason="long: `make fuzz` sets clocks"),
]


_ADDRESS = ("--host", "127.0.0.1", "--port", "0", "--district")


def lied_to(clock):
    """What a process is started with that believes a file about the time."""
    return {
        **os.environ,
        "LD_PRELOAD": str(LIES),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_DONT_RESET": "1",
    }


class Serving:
    """`averse serve` in a process of its own, which believes what it is told of the time."""

    def __init__(self, folder, pack, clock):
        self.clock = clock
        self.set("+0")
        with closing(Book(folder)) as book:
            self.cookies = {
                prefix: book.new_session(book.new_token(prefix), prefix)
                for prefix in (RED, BLUE, "/i")
            }
        self.process = subprocess.Popen(
            (*(sys.executable, "-m", "exercises.cli", "serve", folder), *_ADDRESS, pack),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=lied_to(clock),
        )
        self.links = {}
        for line in self.process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)(/\S+)/join\?token=(\S+)", line):
                self.port, self.links[found[2]] = int(found[1]), found[3]
            if line.startswith("Ctrl-C"):
                break

    def set(self, clock):
        self.clock.write_text(f"{clock}\n")

    def ask(self, method, prefix, path, body=None):
        answer = httpx.request(
            method,
            f"http://127.0.0.1:{self.port}{prefix}/api/{path}",
            headers={"cookie": f"averse={self.cookies[prefix]}"},
            json=body,
            timeout=60,
        )
        assert answer.status_code == 200, answer.text
        return answer

    def joins(self, prefix):
        """Whether a link still lets somebody in."""
        way = f"http://127.0.0.1:{self.port}{prefix}/join?token={self.links[prefix]}"
        return httpx.get(way).status_code == 303

    def live(self, prefix):
        return connect(
            f"ws://127.0.0.1:{self.port}{prefix}/api/live?seat=",
            additional_headers={"cookie": f"averse={self.cookies[prefix]}"},
        )


@pytest.fixture
def serving(pack, tmp_path):
    timed = ScenarioOptions(cards=False, timer=Timer.TENSE)
    folder = begun(pack, tmp_path / "room", scenario=timed)
    draw_boards(folder, pack)
    one = Serving(folder, pack, tmp_path / "clock")
    yield folder, one
    one.process.kill()
    one.process.wait()


def test_a_clock_that_is_set_changes_no_timer_no_session_and_no_journal(serving):
    folder, room = serving
    room.set(CLOCKS[-1])
    year = ("-c", "import time; print(time.gmtime().tm_year)")
    asked = subprocess.check_output([sys.executable, *year], env=lied_to(room.clock))
    assert asked.split() == [b"1975"]
    room.set("+0")
    seconds = TIMERS[Timer.TENSE].seconds
    with room.live(RED) as page:
        pushed(page)
        for turn, clock in enumerate(CLOCKS):
            room.ask("POST", "/i", "advance", {})
            began = time.monotonic()
            assert 0 < pushed(page)["timer"]["left"] <= seconds
            room.set(clock)
            order = {"order": "alert", "centre": CENTRES[turn], "radius": 0}
            assert room.ask("POST", RED, "orders", {"order": order}).json()["accepted"]
            assert room.joins(BLUE)
            for prefix in (RED, BLUE):
                now = room.ask("GET", prefix, "now").json()
                assert now["turn"] == turn + 1
                left = seconds - (time.monotonic() - began)
                assert left - 1 <= now["timer"]["left"] <= left + 1
            room.ask("POST", "/i", "hold", {"held": True})
            held = room.ask("GET", RED, "now").json()["timer"]["left"]
            room.set(CLOCKS[turn - 1])
            assert room.ask("GET", RED, "now").json()["timer"]["left"] == held
            room.set(clock)
            room.ask("POST", "/i", "hold", {"held": False})
        page.ping().wait(5)
    # the whole of it is written while the clock stands in a year that no .zip knows
    room.ask("POST", "/i", "end", {"team": None})
    room.ask("POST", "/i", "debrief", {"lang": "fr"})
    late = time.monotonic() + 120
    while (found := room.ask("GET", "/i", "debrief").json())["state"] == "running":
        assert time.monotonic() < late
        time.sleep(0.2)
    assert found["state"] == "ready", found
    room.process.send_signal(signal.SIGINT)
    said = room.process.stdout.read()
    assert room.process.wait(30) == 0
    assert "Traceback" not in said
    assert "closed" in said
    for path in team_folders(folder):
        assert verify_exercise(path).replayed
        kinds = [one.kind for one in read_journal(path / JOURNAL).entries]
        assert kinds.count(Kind.ADVANCE) == len(CLOCKS)
    with closing(Book(folder)) as book:
        assert all(book.admits(cookie, prefix) for prefix, cookie in room.cookies.items())
