"""Thousands of sockets on one server: it stays small, tells whom it refuses, and pushes to teams.

`AVERSE_SOCKETS` asks for more of them: `make fuzz` has 10,000.
"""

import asyncio
import base64
import contextlib
import os
import re
import resource
import secrets
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect

from exercises.room.book import Book
from exercises.room.connections import MOST, OTHER_FILES, most_here
from tests.exercises.forked import forked
from tests.exercises.room.places import copy_of

SOCKETS = int(os.environ.get("AVERSE_SOCKETS", "950"))
AT_ONCE = 500
"""Handshakes on their way at one time."""
MOST_FILES = 1_024
"""What systems let a process have."""
MOST_MB, PUSH_S = 300, 6.0
"""A push comes while sockets are opened as fast as this machine can, on the same cores."""
ADVANCES = 1 if SOCKETS < 1_000 else 3
RED, BLUE = "/t/1-red", "/t/2-blue"

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="several addresses of loopback: Linux"
)


class Serving:
    """`averse serve` in a process of its own, which may open so many files."""

    def __init__(self, folder, pack):
        with closing(Book(folder)) as book:
            self.cookies = {
                prefix: book.new_session(book.new_token(prefix), prefix)
                for prefix in (RED, BLUE, "/i")
            }
        command = ("-m", "exercises.cli", "serve", folder, "--district", pack)
        self.process = subprocess.Popen(
            [sys.executable, *map(str, command), "--host", "127.0.0.1", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (MOST_FILES,) * 2),
        )
        self.port = 0
        for line in self.process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
            if line.startswith("Ctrl-C"):
                break

    def cookie(self, prefix):
        return {"cookie": f"averse={self.cookies[prefix]}"}

    @property
    def files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    @property
    def most_mb(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024

    def ended(self):
        """What it said on its way."""
        self.process.terminate()
        self.process.stdout.close()
        return self.process.stderr.read()


@pytest.fixture
def serving(whole_room, pack, tmp_path):
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < MOST + AT_ONCE:
        pytest.skip(f"this process may not have {MOST + AT_ONCE} sockets")
    one = Serving(copy_of(whole_room, tmp_path / "room"), pack)
    yield one
    one.process.kill()
    one.process.wait()


class Crowd:
    """Whoever opens sockets by a good cookie, from a few addresses, and keeps them."""

    def __init__(self, serving):
        self.serving = serving
        self.answers, self.held = Counter(), []
        self.limit = asyncio.Semaphore(AT_ONCE)

    async def one(self, number):
        async with self.limit:
            answer = await self._answer(f"127.0.1.{1 + number % 7}")
        self.answers[answer] += 1

    async def _answer(self, address):
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        question = (
            f"GET {BLUE}/api/live?seat= HTTP/1.1\r\nHost: 127.0.0.1:{self.serving.port}\r\n"
            f"Cookie: averse={self.serving.cookies[BLUE]}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        try:
            reader, writer = await asyncio.wait_for(
                asyncio.open_connection("127.0.0.1", self.serving.port, local_addr=(address, 0)), 60
            )
            writer.write(question.encode())
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
        except (OSError, asyncio.IncompleteReadError):
            return "reset"
        status = int(head.split()[1])
        if status == 101:
            self.held.append((reader, writer))
        else:
            said = await reader.read()
            writer.close()
            return status, said.decode()
        return status


@contextlib.asynccontextmanager
async def team(serving, prefix):
    """The page of a team: the moments at which it is told of something."""
    address = f"ws://127.0.0.1:{serving.port}{prefix}/api/live?seat="
    async with connect(address, additional_headers=serving.cookie(prefix), proxy=None) as page:
        await page.recv()
        heard = []

        async def hear():
            while True:
                await page.recv()
                heard.append(time.monotonic())

        hearing = asyncio.create_task(hear())
        yield heard
        assert not hearing.done(), "the page of a team was let go"
        hearing.cancel()


async def advanced(serving, browser, *pages):
    """Resolve a turn; return after how long the last page was told of it."""
    before = [len(heard) for heard in pages]
    began = time.monotonic()
    answer = await browser.post("/i/api/advance", json={}, headers=serving.cookie("/i"))
    assert answer.status_code == 200, answer.text
    while any(len(heard) == n for heard, n in zip(pages, before, strict=True)):
        assert time.monotonic() - began < 30, "a page was not told"
        await asyncio.sleep(0.005)
    return max(heard[n] for heard, n in zip(pages, before, strict=True)) - began


async def flood(serving):
    base = f"http://127.0.0.1:{serving.port}"
    took, files = [], []
    async with (
        httpx.AsyncClient(base_url=base, timeout=60) as browser,
        team(serving, RED) as red,
        team(serving, BLUE) as blue,
    ):
        crowd = Crowd(serving)
        waves = [range(start, SOCKETS, ADVANCES) for start in range(ADVANCES)]
        for wave in waves:
            coming = asyncio.gather(*map(crowd.one, wave))
            took.append(await advanced(serving, browser, red, blue))  # while they come
            files.append(serving.files)
            await coming
            files.append(serving.files)
        took.append(await advanced(serving, browser, red, blue))  # and while they are there
        async with team(serving, RED) as late:  # from an address that has few
            took.append(await advanced(serving, browser, red, blue, late))
        orders = {"seat": "", "order": {"order": "alert", "centre": "0305", "radius": 0}}
        answer = await browser.post(f"{RED}/api/orders", json=orders, headers=serving.cookie(RED))
        assert answer.json()["accepted"]
        for _, writer in crowd.held:
            writer.close()
    return crowd, took, files


def test_thousands_of_sockets_leave_a_server_small_and_its_teams_told(serving):
    with ThreadPoolExecutor(1) as own:  # this thread may have a browser's event loop
        crowd, took, files = own.submit(asyncio.run, flood(serving)).result()
    print(f"{SOCKETS} sockets: {crowd.answers.most_common(4)}")
    print(
        f"pushed after {[round(s, 3) for s in took]} s; {max(files)} files;"
        f" {serving.most_mb:.0f} MB"
    )
    assert sum(crowd.answers.values()) == SOCKETS
    assert MOST - 10 <= crowd.answers.pop(101) <= MOST
    told = {answer for answer in crowd.answers if answer != "reset"}
    assert [status for status, _ in told] == [503]
    assert "no place left" in told.pop()[1]
    assert max(files) < MOST_FILES - 30
    assert max(took) < PUSH_S
    assert serving.most_mb < MOST_MB
    assert serving.ended() == ""


@pytest.mark.parametrize(
    ("files", "held"),
    [((256, 4_096), MOST), ((256, 256), 256 - OTHER_FILES), ((64, 64), 1), ((4_096, 4_096), MOST)],
)
def test_a_room_holds_what_its_system_lets_it_have(files, held):
    def look(tell):
        resource.setrlimit(resource.RLIMIT_NOFILE, files)
        tell(f"{most_here()} {resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= held}")

    assert forked(look) == [f"{held} True"]
