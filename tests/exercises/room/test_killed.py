"""A server killed at any point, or stopped: nothing acknowledged is lost, the class goes on."""

import http.client
import json
import os
import random
import signal
import sqlite3
import threading
import time
from collections import Counter
from contextlib import closing, suppress

import httpx
import pytest

import gis.aside
from exercises.journal import JOURNAL, Journal, Kind, read_journal
from exercises.room.address import listen
from exercises.room.book import Book
from exercises.room.classroom import Classroom
from exercises.room.folder import add_team, team_folders
from exercises.room.inject_list import KEPT
from exercises.room.rooms import Room
from exercises.room.serve import serve_room
from exercises.verification import verify_exercise
from sim.errors import ExerciseError
from sim.orders import Alert
from tests.exercises.forked import CAN_FORK, forked
from tests.exercises.room.places import TURNS, begun, copy_of

pytestmark = pytest.mark.skipif(not CAN_FORK, reason="a process is copied and killed: Linux")

KILLS = int(os.environ.get("AVERSE_KILLS", "50"))
"""`make fuzz` asks for 100 and more."""
A_ROOM = 5
"""Kills after which another room is taken: one that is opened plays its journals again."""
TEAMS = ("/t/1-red", "/t/2-blue")
GONE = (OSError, http.client.HTTPException)
PATIENCE_S, A_MOMENT_S = 5.0, 0.003


@pytest.fixture(scope="module", autouse=True)
def _warm(whole_room, pack, tmp_path_factory):
    """Compile what is compiled once, before processes are copied."""
    folder = copy_of(whole_room, tmp_path_factory.mktemp("warm") / "room")
    with Room(folder) as room, closing(Classroom(room, pack)):
        room.advance()
        room.give("1-red", "", Alert(turn=1, centre=20, radius=0))
        room.advance()


# --------------------------------------------------------------------------- where it dies
def die():
    os.kill(os.getpid(), signal.SIGKILL)


def after_append(number, kind=None):
    """Die once the so manieth entry is on the disk, before anybody is told."""
    append, seen = Journal.append, Counter()

    def deadly(self, *given):
        entry = append(self, *given)
        if kind in (None, entry.kind):
            seen["entries"] += 1
            if seen["entries"] == number:
                die()
        return entry

    Journal.append = deadly


def before_commit(number):
    """Die with an entry written and not committed."""
    connect, seen = sqlite3.connect, Counter()

    def tracing(path, **options):
        db = connect(path, **options)
        if JOURNAL in str(path):
            db.set_trace_callback(trace)
        return db

    def trace(statement):
        if statement.startswith("INSERT INTO entries"):  # told again by its triggers
            seen["inserted"] = 1
        elif statement == "COMMIT":
            seen["entries"] += seen.pop("inserted", 0)
            if seen["entries"] == number:
                die()

    sqlite3.connect = tracing


def in_the_book(number):
    """Die as the list of injects is kept, before or after it is."""
    keep, seen = Book.keep, Counter()

    def deadly(self, name, value):
        seen["kept"] += 1
        if seen["kept"] == number and number % 2:
            die()
        keep(self, name, value)
        if seen["kept"] == number:
            die()

    Book.keep = deadly


def at_any_time(number):
    """It is killed from outside."""


def half_advanced(number):
    """Die when the turn of one team is resolved and the other's is not."""
    after_append(1 + 2 * (number % 2), Kind.ADVANCE)


WAYS = (at_any_time, after_append, at_any_time, before_commit, half_advanced, in_the_book)


# --------------------------------------------------------------------------- who is served
class Child:
    """A room served by a copy of this process, as ``averse serve`` serves it."""

    def __init__(self, folder, pack, deadly=None, said=None):
        listening = listen("127.0.0.1", 0)
        self.port = listening.getsockname()[1]
        self.process = os.fork()
        if self.process == 0:
            for stops in (signal.SIGINT, signal.SIGTERM):  # as the command has it
                signal.signal(stops, signal.default_int_handler)
            with suppress(BaseException):
                if deadly:
                    deadly()
                say = (lambda line: os.write(said, f"{line}\n".encode())) if said else str
                serve_room(folder, listening, "127.0.0.1", pack=pack, say=say)
                os._exit(0)
            os._exit(1)
        listening.close()

    def ended(self, how=None):
        """Kill it, or wait until it has died by itself; return how it ended."""
        if how is None:
            late = time.monotonic() + PATIENCE_S
            while time.monotonic() < late:
                gone, status = os.waitpid(self.process, os.WNOHANG)
                if gone:
                    return status
                time.sleep(0.002)
        os.kill(self.process, how or signal.SIGKILL)
        status = os.waitpid(self.process, 0)[1]
        assert how is not None, "it did not die where it should"
        return status


class Page:
    """What speaks to a room: one connection, the cookie of one prefix."""

    def __init__(self, child, cookie):
        self.connection = http.client.HTTPConnection("127.0.0.1", child.port, timeout=30)
        self.cookie = cookie

    def post(self, path, body):
        """Send something; return the answer once all of it is here."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.connection.request("POST", path, content, {"cookie": f"averse={self.cookie}"})
        answer = self.connection.getresponse()
        told = answer.read()
        assert answer.status in {200, 400}, told  # 400: all is over
        return answer.status == 200


class Told:
    """What was acknowledged of a room since it began."""

    def __init__(self, whole_room, folder):
        self.folder = copy_of(whole_room, folder)
        with closing(Book(self.folder)) as book:
            self.cookies = {
                prefix: book.new_session(book.new_token(prefix), prefix)
                for prefix in (*TEAMS, "/i")
            }
        self.reasons = {team: [] for team in TEAMS}
        self.turns = dict.fromkeys(TEAMS, 0)
        self.lists = ["0"]

    def orders(self, child, team):
        """Give orders one after the other until the server is gone."""
        number = 0
        page = Page(child, self.cookies[team])
        while True:
            reason = f"{team} {len(self.reasons[team])} {number}"
            order = {"order": "alert", "centre": "0305", "radius": 0}
            if number % 2:
                order = {"order": "withdraw", "number": 1}
            try:
                page.post(f"{team}/api/orders", {"order": order, "reason": reason})
            except GONE:
                return
            self.reasons[team].append(reason)
            number += 1
            time.sleep(A_MOMENT_S)

    def instructs(self, child, advances):
        """Load lists, advance so often meanwhile."""
        page = Page(child, self.cookies["/i"])
        with suppress(*GONE):
            while True:
                note = f"{1 + int(self.lists[-1])}"
                rows = f"turn,card,target,note\n4,accident,,{note}\n".encode()
                self.lists.append(note)  # asked for; kept once it is acknowledged
                page.post("/i/api/injects?name=x.csv", rows)
                del self.lists[:-1]
                time.sleep(A_MOMENT_S)
                advances -= 1
                if advances >= 0 and page.post("/i/api/advance", {}):
                    for team, turn in self.turns.items():
                        self.turns[team] = min(TURNS + 1, turn + 1)  # some may be over

    def is_kept(self):
        """Compare what is on the disk with what was acknowledged, and go on from there."""
        for team, path in zip(TEAMS, team_folders(self.folder), strict=True):
            entries = read_journal(path / JOURNAL).entries
            held = [entry.reason for entry in entries if entry.reason]
            told = self.reasons[team]
            assert held[: len(told)] == told  # in the order that they were acknowledged
            assert len(held) - len(told) <= 1  # on the disk, not yet told
            told[:] = held
            turns = sum(entry.kind is Kind.ADVANCE for entry in entries)
            assert turns - self.turns[team] in {0, 1}
            self.turns[team] = turns
        with closing(Book(self.folder)) as book:
            kept = json.loads(book.value(KEPT) or "[]")
            self.lists = [note for note in self.lists if note == (kept[0][-1] if kept else "0")]
            assert self.lists
            for prefix, cookie in self.cookies.items():  # a page that was open needs no new link
                assert book.admits(cookie, prefix)


def test_killed_at_any_point_nothing_acknowledged_is_lost_and_the_class_goes_on(
    whole_room, pack, tmp_path
):
    rng, ends, given = random.Random(5), Counter(), 0
    for number in range(KILLS):
        if number % A_ROOM == 0:
            told = Told(whole_room, tmp_path / f"room {number}")
        way = WAYS[number % len(WAYS)]
        count = rng.randint(1, 3)
        child = Child(told.folder, pack, lambda way=way, count=count: way(count))
        threads = [threading.Thread(target=told.orders, args=(child, team)) for team in TEAMS]
        threads.append(
            threading.Thread(target=told.instructs, args=(child, 1 + (way is half_advanced)))
        )
        for thread in threads:
            thread.start()
        before = sum(map(len, told.reasons.values()))
        if way is at_any_time:
            late = time.monotonic() + PATIENCE_S
            while time.monotonic() < late and sum(map(len, told.reasons.values())) == before:
                time.sleep(0.002)
            time.sleep(rng.uniform(0.0, 0.06))
        ends[child.ended(signal.SIGKILL if way is at_any_time else None)] += 1
        for thread in threads:
            thread.join()
        given += sum(map(len, told.reasons.values())) - before
        told.is_kept()
        if number % A_ROOM == A_ROOM - 1 or number == KILLS - 1:
            with Room(told.folder) as room:
                for key in room.keys:
                    pending = room.moment(key).state.state.pending
                    assert len(room.moment(key).seats) == len(pending)
            for path in team_folders(told.folder):
                verify_exercise(path)
    assert ends == {signal.SIGKILL: KILLS}
    assert given > KILLS


def test_a_room_killed_while_it_is_written_is_whole_or_not_there(pack, tmp_path):
    started = time.monotonic()
    begun(pack, tmp_path / "whole")
    took, rng, there = time.monotonic() - started, random.Random(6), 0
    for number in range(max(4, KILLS // 8)):
        out = tmp_path / f"room {number}"
        forked(lambda tell, out=out: begun(pack, out), kill_after_s=rng.uniform(0.0, took))
        if out.exists():
            there += 1
            with pytest.raises(ExerciseError, match="holds a room already"):
                begun(pack, out)
        else:
            begun(pack, out)
        assert len(team_folders(out)) == 2
        assert [one.name for one in tmp_path.glob(f".{out.name}-*")] == []
        with Room(out) as room:
            assert room.keys == ("1-red", "2-blue")
    assert there < max(4, KILLS // 8)


def test_a_team_killed_while_it_is_let_in_is_whole_or_not_there(whole_room, tmp_path):
    folder = copy_of(whole_room, tmp_path / "room")
    started = time.monotonic()
    add_team(folder, "Green", 3)
    took, rng, keys = time.monotonic() - started, random.Random(7), {"1-red", "2-blue", "3-green"}
    for number in range(max(4, KILLS // 8)):

        def lets_in(tell, name=f"Team {number}", number=number):
            if not number:  # all is written, and has not its name yet
                gis.aside._take_place = lambda *_: die()
            add_team(folder, name, 4 + number)
            tell("there")

        when = rng.uniform(0.0, took) if number else None
        acknowledged = forked(lets_in, kill_after_s=when)
        with Room(folder) as room:
            more = set(room.keys) - keys
        assert more <= {f"{4 + number}-team-{number}"}
        assert more or not acknowledged
        keys |= more


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopped_it_closes_cleanly_and_says_so(whole_room, pack, tmp_path, how):
    folder = copy_of(whole_room, tmp_path / "room")
    reading, writing = os.pipe()
    child = Child(folder, pack, said=writing)
    os.close(writing)
    with os.fdopen(reading) as lines:
        link = next(line for line in lines if "/i/join?token=" in line).strip().partition(": ")[2]
        with closing(httpx.Client(timeout=30)) as browser:
            assert browser.get(link).status_code == 303
            advance = link.partition("/join")[0] + "/api/advance"
            assert browser.post(advance, json={}).status_code == 200
        assert child.ended(how) == 0
        assert "closed" in lines.read()
    for path in team_folders(folder):
        assert sorted(one.name for one in path.glob("journal.sqlite*")) == [JOURNAL]
    assert sorted(one.name for one in folder.glob("room.sqlite*")) == ["room.sqlite"]
