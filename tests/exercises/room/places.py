"""A room in a folder, and the same served on loopback; browsers that have joined it."""

import contextlib
import json
import shutil
import threading
import time

import httpx
from websockets.sync.client import connect

from exercises.chain import ExerciseOptions
from exercises.room.address import listen
from exercises.room.classroom import Classroom
from exercises.room.folder import RoomOptions, create_room
from exercises.room.rooms import Room
from exercises.room.serve import server_of
from exercises.scenario_options import ScenarioOptions
from tests.strategies import seed_of

TURNS = 6
HOSTILE = "<img src=x onerror=PWNED=1> ‮ ../../x & “é”"


def begun(pack, out, names=("Red", "Blue"), *, own_seeds=False, scenario=None, **options):
    """A room that has not begun; its folder."""
    asked = {"seed": seed_of(4), "level": 5, "turns": TURNS, **options}
    exercise = ExerciseOptions(scenario=scenario or ScenarioOptions(cards=False), **asked)
    create_room(pack, out, RoomOptions(tuple(names), exercise, own_seeds))
    return out


def copy_of(room, folder):
    return shutil.copytree(room, folder)


class Served:
    """A room served by a thread of this process."""

    def __init__(self, folder, pack, clock=time.monotonic):
        self.folder, self.pack, self.clock = folder, pack, clock

    def __enter__(self):
        self.listening = listen("127.0.0.1", 0)
        self.port = self.listening.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        self.room = Room(self.folder, self.clock)
        self.classroom = Classroom(self.room, self.pack)
        self.classroom.address = "127.0.0.1"
        self.server = server_of(self.classroom)
        self.thread = threading.Thread(target=self.server.run, args=([self.listening],))
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)
        self.browsers = contextlib.ExitStack()
        return self

    def __exit__(self, *_):
        self.browsers.close()
        self.server.should_exit = True
        self.thread.join()
        self.classroom.close()
        self.room.close()
        self.listening.close()

    def browser(self, *prefixes):
        """A browser that joined at some prefixes; its cookies are kept as a browser keeps them."""
        client = self.browsers.enter_context(httpx.Client(base_url=self.base, timeout=30))
        for prefix in prefixes:
            answer = client.get(f"{prefix}/join", params={"token": self.classroom.token(prefix)})
            assert answer.status_code == 303, answer.text
        return client

    def socket(self, prefix, seat="", token=None, **headers):
        """What is pushed at a prefix."""
        token = self.classroom.session(prefix) if token is None else token
        return connect(
            f"ws://127.0.0.1:{self.port}{prefix}/api/live?seat={seat}",
            additional_headers={"cookie": f"averse={token}", **headers},
        )


def pushed(socket, wait_s=5.0):
    return json.loads(socket.recv(timeout=wait_s))


def silent(socket, wait_s=0.15):
    """Whether nothing is pushed for a while."""
    try:
        socket.recv(timeout=wait_s)
    except TimeoutError:
        return True
    return False


def post(browser, path, body, **more):
    return browser.post(path, json=body, **more)
