"""A server killed in mid-turn, or stopped: nothing acknowledged is lost, the class goes on."""

import os
import random
import signal
import threading
import time
from contextlib import closing, suppress

import httpx
import pytest

from exercises.journal import JOURNAL, read_journal
from exercises.room.address import listen
from exercises.room.folder import team_folders
from exercises.room.serve import serve_room
from tests.exercises.forked import CAN_FORK
from tests.exercises.room.places import Served, copy_of

pytestmark = pytest.mark.skipif(not CAN_FORK, reason="needs os.fork")
TEAMS = ("/t/1-red", "/t/2-blue")
KILLS = 3


class Child:
    """A room served by a process of its own, as ``averse serve`` serves it."""

    def __init__(self, folder, pack):
        self.listening = listen("127.0.0.1", 0)
        self.base = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        reading, writing = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            for stops in (signal.SIGINT, signal.SIGTERM):  # as the command has it
                signal.signal(stops, signal.default_int_handler)
            with suppress(BaseException):
                serve_room(
                    folder,
                    self.listening,
                    "127.0.0.1",
                    pack=pack,
                    say=lambda line: os.write(writing, f"{line}\n".encode()),
                )
                os._exit(0)
            os._exit(1)
        os.close(writing)
        self.listening.close()
        self.lines = os.fdopen(reading)
        self.links = {}
        for line in self.lines:
            if "join?token=" in line:
                who, _, link = line.strip().partition(": ")
                self.links[who] = link
            if line.startswith("Ctrl-C"):
                break

    def browser(self):
        client = httpx.Client(base_url=self.base, timeout=30)
        for link in self.links.values():
            assert client.get(link).status_code == 303
        return client

    def ended(self, how):
        os.kill(self.process, how)
        _, status = os.waitpid(self.process, 0)
        said = self.lines.read()
        self.lines.close()
        return status, said


def test_killed_in_mid_turn_nothing_acknowledged_is_lost_and_the_class_goes_on(
    whole_room, pack, tmp_path
):
    folder, rng = copy_of(whole_room, tmp_path / "room"), random.Random(5)
    acknowledged = {team: [] for team in TEAMS}
    cookies = None
    for _ in range(KILLS):
        child = Child(folder, pack)
        with closing(child.browser()) as browser:
            if cookies is not None:  # a page that was open before needs no new link
                for name, value in cookies.items():
                    mine = {"cookie": f"averse={value}"}
                    assert httpx.get(f"{child.base}{name}/api/now", headers=mine).status_code == 200
            cookies = {one.path: one.value for one in browser.cookies.jar if one.path in TEAMS}
            threads = [
                threading.Thread(target=orders, args=(browser, team, acknowledged[team]))
                for team in TEAMS
            ]
            for thread in threads:
                thread.start()
            time.sleep(rng.uniform(0.15, 0.6))
            with suppress(httpx.HTTPError):
                browser.post("/i/api/advance", json={})
            time.sleep(rng.uniform(0.0, 0.2))
            child.ended(signal.SIGKILL)
            for thread in threads:
                thread.join()
        for team, path in zip(TEAMS, team_folders(folder), strict=True):
            entries = read_journal(path / JOURNAL).entries
            held = [entry.reason for entry in entries if entry.reason]
            told = acknowledged[team]
            assert held[: len(told)] == told  # in the order that they were acknowledged
            assert len(held) - len(told) <= 1  # on the disk, not yet told
            del told[:]
            told += held
    assert min(len(told) for told in acknowledged.values()) > KILLS
    with Served(folder, pack) as again:
        for key in again.room.keys:
            pending = again.room.moment(key).state.state.pending
            assert again.room.moment(key).seats == ("",) * len(pending)


def orders(browser, team, acknowledged):
    """Give orders one after the other until the server is gone; what is acknowledged is noted."""
    number = len(acknowledged)
    while True:
        reason = f"{team} {number}"
        order = {"order": "withdraw", "number": 1}
        try:
            answer = browser.post(
                f"{team}/api/orders", json={"seat": "", "order": order, "reason": reason}
            )
        except httpx.HTTPError:
            return
        assert answer.status_code == 200, answer.text
        acknowledged.append(reason)
        number += 1


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopped_it_closes_cleanly_and_says_so(whole_room, pack, tmp_path, how):
    folder = copy_of(whole_room, tmp_path / "room")
    child = Child(folder, pack)
    with closing(child.browser()) as browser:
        assert browser.post("/i/api/advance", json={}).status_code == 200
        status, said = child.ended(how)
    assert status == 0
    assert "closed" in said
    for path in team_folders(folder):
        assert sorted(one.name for one in path.glob("journal.sqlite*")) == [JOURNAL]
    assert sorted(one.name for one in folder.glob("room.sqlite*")) == ["room.sqlite"]
