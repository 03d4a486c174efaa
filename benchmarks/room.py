"""How fast a room is: what a turn takes until every screen has it, and what that costs the server.

Run from the project's root (``docs/room-speed.md`` keeps a printout):

    averse demo --out demo
    python -m benchmarks.room --pack demo/district

A room of eight teams is served by `averse serve`, a process of its own. Teams of five seats each,
and observers before the public screen, keep a WebSocket open and fetch `now` whenever they are told
that something changed, as the pages do. Times run from the instructor's click; the processor's are
the server's own. Browsers would take time of the same two cores: here they only ask.
"""

import argparse
import gzip
import http.client
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

SEATS = ("director", "communication", "public_order", "technical", "sanitation")
PUSH_MS, RSS_MB, FIRST_S, FIRST_KB, OPEN_S = 300, 300, 1.0, 400, 2.0
JIFFIES = os.sysconf("SC_CLK_TCK")


@dataclass
class Screen:
    """A page: where it looks, its cookie, what it measured, ms by number of change."""

    prefix: str
    query: str
    cookie: str
    shown: Any  # how many answers all screens have had
    since: int = 0  # events that it has been told
    told: list[tuple[float, float]] = field(default_factory=list)

    def fetch(self, connection: http.client.HTTPConnection) -> bytes:
        headers = {"cookie": f"averse={self.cookie}", "accept-encoding": "gzip"}
        asked = f"{self.prefix}/api/now{self.query}&since={self.since}"
        try:
            connection.request("GET", asked, headers=headers)
            answer = connection.getresponse()
        except (OSError, http.client.HTTPException):  # closed when idle: it is opened again
            connection.close()
            connection.request("GET", asked, headers=headers)
            answer = connection.getresponse()
        text = answer.read()
        assert answer.status == 200, text
        if answer.headers.get("content-encoding") == "gzip":
            text = gzip.decompress(text)
        if had := re.search(rb'"events_total":(\d+)', text):
            self.since = int(had[1])
        return text

    def watch(self, port: int, ready: Any) -> None:
        """Keep a socket open; on every push fetch what is shown, until the server is gone."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        mine = {"cookie": f"averse={self.cookie}"}
        address = f"ws://127.0.0.1:{port}{self.prefix}/api/live{self.query}"
        with connect(address, additional_headers=mine, open_timeout=60) as socket:
            socket.recv()
            self.fetch(connection)
            ready.release()
            try:
                while True:
                    socket.recv()
                    asked = time.monotonic()
                    self.fetch(connection)
                    self.told.append((asked, time.monotonic()))
                    self.shown.release()
            except (ConnectionClosed, OSError, http.client.HTTPException):
                return


def watching(screens: list[Screen], port: int, ready: Any, found: Any) -> None:
    """Keep several screens, each in a thread; tell what they measured."""
    threads = [threading.Thread(target=one.watch, args=(port, ready)) for one in screens]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found.put([one.told for one in screens])


class Server:
    """`averse serve` in a process of its own."""

    def __init__(self, *arguments: str) -> None:
        began = time.monotonic()
        command = (sys.executable, "-m", "exercises.cli", "serve", *arguments)
        options = ("--host", "127.0.0.1", "--port", "0")
        self.process = subprocess.Popen(
            (*command, *options), stdout=subprocess.PIPE, text=True, env={**os.environ}
        )
        self.links: dict[str, str] = {}
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)(/\S+)/join\?token=(\S+)", line):
                self.port, self.links[found[2]] = int(found[1]), found[3]
            if line.startswith("Ctrl-C"):
                break
        assert self.links, "the room was not opened"
        self.cookies = {prefix: self._join(prefix, token) for prefix, token in self.links.items()}
        self.opened_s = time.monotonic() - began

    def _join(self, prefix: str, token: str) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", f"{prefix}/join?token={token}")
        answer = connection.getresponse()
        answer.read()
        return re.search(r"averse=([^;]+)", answer.headers["set-cookie"])[1]  # type: ignore[index]

    def post(self, prefix: str, path: str, body: Any) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        mine = {"cookie": f"averse={self.cookies[prefix]}"}
        connection.request("POST", f"{prefix}/api/{path}", json.dumps(body), mine)
        answer = connection.getresponse()
        told = json.loads(answer.read())
        assert answer.status == 200, told
        return told

    def get(self, prefix: str, path: str) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        mine = {"cookie": f"averse={self.cookies[prefix]}"}
        connection.request("GET", f"{prefix}/api/{path}", headers=mine)
        return json.loads(connection.getresponse().read())

    def spent_s(self) -> float:
        """Seconds of the processor since it began."""
        text = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(text[11]) + int(text[12])) / JIFFIES

    def rss_mb(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


def share(values: Iterable[float], percent: int) -> float:
    """Least value that so many percent do not pass."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def first_page(server: Server, prefix: str) -> tuple[float, int, int]:
    """Return seconds, bytes and questions of a page of which nothing is kept, one by one."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    sent = 0
    began = time.monotonic()

    def get(path: str) -> str:
        nonlocal sent
        headers = {"cookie": f"averse={server.cookies[prefix]}", "accept-encoding": "gzip"}
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200, path
        sent += len(body) + len(str(answer.headers))
        zipped = answer.headers.get("content-encoding") == "gzip"
        return (gzip.decompress(body) if zipped else body).decode()

    found, left = set(), [f"{prefix}/"]
    while left:
        path = left.pop()
        found.add(path)
        text = get(path)
        names = re.findall(r'(?:src|href)="(/static/[^"]+)"', text)
        if path.endswith(".js"):
            base = path.rpartition("/")[0]
            names += [f"{base}/{name}" for name in re.findall(r"from '\./([^']+)'", text)]
        left += sorted(set(names) - found - set(left))
    for path in ("ground?lang=fr", "now?lang=fr"):
        get(f"{prefix}/api/{path}")
    return time.monotonic() - began, sent, len(found) + 2


def orders(server: Server, teams: Iterable[str], turn: int, cells: list[str]) -> None:
    """Give each team's orders of a turn: an alert, a patrol, a reason."""
    for number, team in enumerate(teams):
        cell = cells[(37 * turn + 11 * number) % len(cells)]
        for order in (
            {"order": "alert", "centre": cell, "radius": 1},
            {"order": "move", "unit": f"patrol-{1 + turn % 3}", "to": cell},
        ):
            server.post(team, "orders", {"order": order, "reason": "l'eau monte"})


def play(server: Server, turns: int, observers: int) -> dict[str, list[float]]:
    """Play turns before all screens; return what was measured, ms."""
    teams = [prefix for prefix in server.cookies if prefix.startswith("/t/")]
    ready, found = multiprocessing.Semaphore(0), multiprocessing.Queue()
    shown = multiprocessing.Semaphore(0)
    screens = [
        Screen(team, f"?seat={seat}&lang=fr", server.cookies[team], shown)
        for team in teams
        for seat in SEATS
    ]
    screens += [Screen("/p", "?lang=fr", server.cookies["/p"], shown) for _ in range(observers)]
    workers = [
        multiprocessing.Process(target=watching, args=(screens[k::2], server.port, ready, found))
        for k in range(2)
    ]
    for worker in workers:
        worker.start()
    for _ in screens:
        ready.acquire(timeout=120)
    print(f"{len(screens)} screens before {len(teams)} teams")
    figures: dict[str, list[float]] = {name: [] for name in ("click", "cpu", "order", "rss")}
    clicks = []
    server.post("/i", "advance", {})
    settled(shown, len(screens))
    cells = server.get(teams[0], "targets?unit=patrol-1")["move"]
    for turn in range(1, turns + 1):
        before = server.spent_s()
        orders(server, teams, turn, cells)
        settled(shown, len(teams) * len(SEATS))
        figures["order"].append(1_000 * (server.spent_s() - before) / (2 * len(teams)))
        before, began = server.spent_s(), time.monotonic()
        server.post("/i", "advance", {})
        clicks.append(began)
        figures["click"].append(1_000 * (time.monotonic() - began))
        settled(shown, len(screens))
        figures["cpu"].append(1_000 * (server.spent_s() - before))
        figures["rss"].append(server.rss_mb())
    server.stop()
    told_by = [screen for _ in workers for screen in _taken(found)]
    for worker in workers:
        worker.join()
    figures["push"], figures["now"], figures["shown"] = [], [], []
    for began in clicks:  # a screen's first push after it; those of orders come later
        mine = [min(one for one in told if one[0] >= began) for told in told_by if told]
        figures["push"] += [1_000 * (asked - began) for asked, _ in mine]
        figures["now"] += [1_000 * (shown - asked) for asked, shown in mine]
        figures["shown"] += [1_000 * (shown - began) for _, shown in mine]
    return figures


def settled(shown: Any, screens: int) -> None:
    """Wait until so many answers have come, and no more come for a while."""
    for _ in range(screens):
        assert shown.acquire(timeout=60), "a screen was not told"
    while shown.acquire(timeout=1.0):
        pass


def _taken(found: Any) -> list[list[tuple[float, float]]]:
    try:
        screens: list[list[tuple[float, float]]] = found.get(timeout=60)
    except Empty:
        return []
    return screens


def verdict(good: bool) -> str:
    return "reached" if good else "MISSED"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--pack", type=Path, required=True, help="district pack")
    asked.add_argument("--turns", type=int, default=12)
    asked.add_argument("--observers", type=int, default=20)
    asked.add_argument("--timer", default="none", help="a timer of the turn: none, calm, tense…")
    given = asked.parse_args()
    load = os.getloadavg()[0]
    print(f"load of the machine before: {load:.1f} on {os.cpu_count()} cores\n")
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "room")
        names = ",".join(f"Team {k}" for k in range(1, 9))
        timer = () if given.timer == "none" else ("--timer", given.timer)
        server = Server(str(given.pack.resolve()), "--teams", names, "--out", out, *timer)
        print(f"a new room of eight teams, its water and boards drawn: {server.opened_s:.1f} s")
        server.stop()
        server = Server(out)
        good = verdict(server.opened_s < OPEN_S)
        spent = server.spent_s()
        print(
            f"the same opened again: {server.opened_s:.2f} s, {spent:.2f} s of the processor"
            f" (under {OPEN_S:.0f} s: {good})"
        )
        team = next(prefix for prefix in server.cookies if prefix.startswith("/t/"))
        for prefix in (team, "/i", "/p"):
            took, size, questions = first_page(server, prefix)
            good = verdict(took < FIRST_S and size <= FIRST_KB * 1_000)
            print(
                f"first page {prefix:14} {took:.2f} s, {size / 1_000:.0f} kB, {questions} questions"
                f" ({FIRST_S:.0f} s, {FIRST_KB} kB: {good})"
            )
        figures = play(server, given.turns, given.observers)
    print(f"\n{'ms':34}{'half':>8}{'p95':>8}{'most':>8}")
    for name, what in (
        ("push", "click to push"),
        ("now", "`now`, asked to answered"),
        ("shown", "click to shown"),
        ("click", "the click itself"),
        ("cpu", "server's processor, a turn"),
        ("order", "server's processor, an order"),
    ):
        values = figures[name]
        row = (share(values, 50), share(values, 95), max(values))
        print(f"{what:34}" + "".join(f"{value:8.0f}" for value in row))
    print(f"\npush under {PUSH_MS} ms (p95): {verdict(share(figures['push'], 95) < PUSH_MS)}")
    most = max(figures["rss"])
    print(f"server {most:.0f} MB (under {RSS_MB}: {verdict(most < RSS_MB)})")


if __name__ == "__main__":
    main()
