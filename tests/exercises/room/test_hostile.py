"""Whoever means harm: floods of joins and sockets, half a question, frames, clocks, addresses."""

import ast
import http.client
import json
import logging
import socket
import sys
import time
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from starlette.datastructures import Headers
from websockets.exceptions import ConnectionClosed, WebSocketException

import exercises.room
from exercises.journal import JOURNAL, read_journal
from exercises.plain_values import json_bytes
from exercises.room import serve
from exercises.room.connections import Connections, protocol_with
from exercises.room.rooms import Room
from exercises.room.security import JOINS_AT_ONCE, MOST_BODY_BYTES, Guard, JoinLimit
from sim.orders import Forecast, Move
from tests.exercises.room.places import Served, copy_of, post, pushed

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="several addresses of loopback: Linux"
)
RED, BLUE = "/t/1-red", "/t/2-blue"
PATIENCE_S = 0.15
_TCP_CLOSE = 7  # of Linux, in tcp_states.h


@pytest.fixture(scope="module")
def standing(whole_room, pack, tmp_path_factory):
    """A room in its first turn, that holds few connections and waits for nobody."""
    folder = copy_of(whole_room, tmp_path_factory.mktemp("hostile") / "room")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serve, "Connections", lambda **_: Connections(40, 60))
        patch.setattr(serve, "protocol_with", lambda kept: protocol_with(kept, PATIENCE_S))
        with Served(folder, pack) as opened:
            opened.room.advance()
            yield opened


def raw(served, address="127.0.0.1"):
    """A connection of an address of this machine; on Linux 127.0.0.0/8 is all loopback."""
    return socket.create_connection(("127.0.0.1", served.port), 10, (address, 0))


def asked(served, path, *, address="127.0.0.1", method="GET", body=None, **headers):
    """Ask as it stands: no client tidies the path up."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", served.port, timeout=10, source_address=(address, 0)
    )
    with closing(connection):
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()


# --------------------------------------------------------------------------- many
def test_a_hundred_joins_a_second_keep_no_team_of_another_address_out(standing):
    now = [0.0]
    standing.classroom.joins = limit = JoinLimit(lambda: now[0])
    statuses = []
    for _ in range(100):
        now[0] += 0.01
        statuses.append(asked(standing, f"{RED}/join?token=wrong")[0])
    assert statuses.count(403) == JOINS_AT_ONCE
    assert statuses.count(429) == 100 - JOINS_AT_ONCE
    good = f"{RED}/join?token={standing.classroom.token(RED)}"
    assert asked(standing, good)[0] == 429  # the right word too, from there
    assert asked(standing, good, address="127.0.0.2")[0] == 303
    for number in range(5_000):
        limit.allows(f"10.0.{number // 250}.{number % 250}")
    assert len(limit.left) <= 1_000


def test_one_address_holds_so_many_connections_and_no_more(standing):
    with ExitStack() as stack:
        held = [stack.enter_context(closing(raw(standing))) for _ in range(100)]
        assert soon(lambda: sum(map(is_open, held)) <= 40)
        assert asked(standing, "/robots.txt", address="127.0.0.2")[0] == 200
        more = [stack.enter_context(closing(raw(standing, f"127.0.0.{k}"))) for k in range(3, 99)]
        assert soon(lambda: sum(map(is_open, (*held, *more))) <= 60)
    assert soon(lambda: is_served(standing))  # those that are gone are counted no more


def test_one_address_opens_so_many_sockets_and_no_more(standing):
    with ExitStack() as stack:
        opened = refused = 0
        while refused < 10:  # one or two may be let go of, where the machine is busy
            try:
                stack.enter_context(standing.socket(RED))
                opened += 1
            except (OSError, EOFError, WebSocketException):
                refused += 1
        assert 30 <= opened <= 40
        cookie = f"averse={standing.classroom.session(BLUE)}"
        told = asked(standing, f"{BLUE}/api/now", address="127.0.0.2", cookie=cookie)
        assert told[0] == 200
    late = time.monotonic() + 5
    while standing.room.desk("1-red").present and time.monotonic() < late:
        time.sleep(0.01)
    assert standing.room.desk("1-red").present == {}


def is_open(connection):
    connection.settimeout(0.0)
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


@pytest.mark.parametrize(
    "half",
    [b"", b"GET / HT", b"GET /robots.txt HTTP/1.1\r\nHost: a\r\nX: ", b"\x16\x03\x01\x02"],
)
def test_half_a_question_is_not_waited_for(standing, half):
    with closing(raw(standing)) as slow:
        slow.sendall(half)
        assert ends(slow)


def test_a_body_that_never_comes_is_not_waited_for(standing):
    cookie = f"averse={standing.classroom.session(RED)}"
    head = (
        f"POST {RED}/api/orders HTTP/1.1\r\nHost: 127.0.0.1:{standing.port}\r\n"
        f"Cookie: {cookie}\r\nContent-Length: 500\r\n\r\n"
    )
    with closing(raw(standing)) as slow:
        slow.sendall(head.encode() + b"{")
        assert ends(slow)


def test_who_leaves_in_the_middle_of_a_question_is_no_fault_to_tell(standing, caplog):
    """The instructor's terminal shows the links: a phone out of reach scrolls none away."""
    with caplog.at_level("ERROR", "uvicorn.error"):
        # it tells nothing to others' handlers
        logging.getLogger("uvicorn.error").propagate = True
        for prefix, path in (
            (RED, "orders"),
            (RED, "preview"),
            ("/i", "message"),
            ("/i", "injects"),
        ):
            cookie = f"averse={standing.classroom.session(prefix)}"
            with closing(raw(standing)) as leaving:
                leaving.sendall(
                    f"POST {prefix}/api/{path} HTTP/1.1\r\nHost: 127.0.0.1:{standing.port}\r\n"
                    f"Cookie: {cookie}\r\nContent-Length: 500\r\n\r\n{{".encode()
                )
                time.sleep(0.03)
                leaving.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        assert soon(lambda: is_served(standing))
        time.sleep(0.1)
    assert [record.getMessage() for record in caplog.records] == []


def test_an_answer_that_nobody_reads_is_not_waited_for_and_holds_no_place(standing):
    """Each asks for more than the system holds on its way, and reads none of it."""
    question = f"GET /static/team.js HTTP/1.1\r\nHost: 127.0.0.1:{standing.port}\r\n\r\n"
    with ExitStack() as stack:
        deaf = []
        while len(deaf) < 40:  # all that one address holds
            one = stack.enter_context(closing(socket.socket()))
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
            one.bind(("127.0.0.1", 0))
            one.connect(("127.0.0.1", standing.port))
            one.sendall(question.encode() * 60)
            deaf.append(one)
        assert soon(lambda: is_served(standing))
        assert soon(lambda: all(map(is_let_go, deaf)))
    assert is_served(standing)


def is_served(standing):
    try:
        return asked(standing, "/robots.txt")[0] == 200
    except OSError:
        return False  # there was no place


def is_let_go(connection):
    """Whether it was reset; what came before that is not read."""
    state = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
    return state == _TCP_CLOSE


def ends(connection):
    """Whether the other side closes it soon, a letter a moment or not."""
    return soon(lambda: not is_open(connection))


def soon(is_so):
    """Whether something becomes so before a busy machine is to blame."""
    late = time.monotonic() + 5
    while not is_so():
        if time.monotonic() > late:
            return False
        time.sleep(PATIENCE_S / 10)
    return True


# --------------------------------------------------------------------------- what is sent
def test_frames_that_nobody_asked_for_do_no_harm(standing):
    with standing.socket(RED) as page:
        pushed(page)
        page.send(b"\x00\xff" * 100)
        page.send("hello")
        page.send('{"seq": 9}')
        page.ping().wait(5)
    with standing.socket(RED) as page:
        pushed(page)
        page.send("x" * 10_000)
        with pytest.raises(ConnectionClosed) as closed:
            page.recv(timeout=5)
        assert closed.value.rcvd.code == 1009
    assert asked(standing, "/robots.txt")[0] == 200


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 900 + b"]" * 900,
        b'{"order": ' * 990 + b"1" + b"}" * 990,
        b'{"order": ' + b"[" * 400 + b"]" * 400 + b"}",
        b'{"order": {"order": "alert", "centre": "0305", "radius": ' + b"9" * 5_000 + b"}}",
        b'{"order": {"order": "alert", "centre": "0305", "radius": NaN}}',
        b'{"order": {"order": "alert", "centre": "0305", "radius": 1e999}}',
        b'{"order": {"order": "alert", "order": "forecast", "cells": []}}',
        b'{"seat": "", "seat": "technical", "order": {"order": "withdraw", "number": 1}}',
        b'{"order": {"order": "withdraw", "number": 1}, "reason": "\\ud800"}',
        b'{"order": {"order": "withdraw", "number": 1, "\\udfff": 1}}',
        b'{"\\ud800": 1}',
        b'{"order": {"order": "move", "unit": "\\ud800", "to": "0305"}}',
        b'{"order": {"order": "move", "unit": "a\\u0000", "to": "0305"}}',
        b'{"text": "half \\ud83d"}',
        b'{"text": "\\ufffe"}',
        b'{"order": {"order": "withdraw", "number": 1, "reason": "lost"}}',
        b'{"order": {"order": "withdraw", "number": 1}, "reason": "' + b"x" * 2_001 + b'"}',
        "{}".encode("utf-16"),
        b"\xff\xfe\xfd",
    ],
)
def test_json_that_means_harm_is_refused_in_a_sentence(standing, body):
    before = read_journal(standing.folder / "teams" / "1-red" / JOURNAL).entries
    for prefix, path in ((RED, "orders"), (RED, "preview"), ("/i", "advance"), ("/i", "message")):
        cookie = f"averse={standing.classroom.session(prefix)}"
        status, _, told = asked(
            standing, f"{prefix}/api/{path}", method="POST", body=body, cookie=cookie
        )
        assert status == 400, told
        said = json.loads(told)["said"]
        assert "\n" not in said
        assert len(said) < 600
    assert read_journal(standing.folder / "teams" / "1-red" / JOURNAL).entries == before


def test_a_room_that_took_half_a_sign_before_it_was_refused_is_read_and_shown(whole_room, tmp_path):
    folder = copy_of(whole_room, tmp_path / "room")
    with Room(folder) as room:
        assert room.give("1-red", "", Move(turn=0, unit="\ud83d", to=20)).refusal
    with Room(folder) as room:
        (given,) = room.given("1-red", 0)
    assert given[0].order.unit == "\ufffd"
    assert json.loads(json_bytes({"said": "\udfff"})) == {"said": "\ufffd"}


def test_a_body_is_read_up_to_its_bound_and_no_byte_further(standing):
    cookie = f"averse={standing.classroom.session(RED)}"
    for size, wanted in ((MOST_BODY_BYTES, 400), (MOST_BODY_BYTES + 1, 413)):
        path = f"{RED}/api/orders"
        answer = asked(standing, path, method="POST", body=b" " * size, cookie=cookie)
        assert answer[0] == wanted


# --------------------------------------------------------------------------- from where
SCOPE = {"type": "http", "method": "GET", "path": "/", "server": ("192.168.1.5", 8000)}
SIX = {**SCOPE, "server": ("fe80::1", 8000)}
HERE = {**SCOPE, "server": ("127.0.0.1", 8000)}


@pytest.mark.parametrize(
    ("scope", "host", "is_ours"),
    [
        (SCOPE, "192.168.1.5:8000", True),
        (SCOPE, "192.168.1.5:8000.evil", False),
        (SCOPE, "192.168.1.5.:8000", False),
        (SCOPE, "192.168.1.5:80", False),
        (SCOPE, "192.168.1.5", False),
        (SCOPE, "192.168.1.5:", False),
        (SCOPE, "0xc0a80105:8000", False),
        (SCOPE, "evil@192.168.1.5:8000", False),
        (SCOPE, "localhost:8000", False),
        (SCOPE, "SALLE.LAN:8000", True),
        (SCOPE, "salle.lan.:8000", False),
        (SCOPE, "salle.lan.evil:8000", False),
        (SIX, "[fe80::1]:8000", True),
        (SIX, "[FE80::1]:8000", True),
        (SIX, "[fe80::1]:8001", False),
        (SIX, "[fe80::1]", False),
        (SIX, "[fe80::2]:8000", False),
        (SIX, "[[fe80::1]]:8000", False),
        (SIX, "fe80::1:8000", False),
        (HERE, "LOCALHOST:8000", True),
        (HERE, "localhost.:8000", False),
        (HERE, "127.1:8000", False),
        ({**SCOPE, "server": ("::ffff:192.168.1.5", 8000)}, "192.168.1.5:8000", True),
        ({**SCOPE, "server": ("192.168.1.5", 80)}, "192.168.1.5", True),
        (SCOPE, "", False),
        (SCOPE, ":8000", False),
        (SCOPE, "é:8000", False),
    ],
)
def test_a_host_is_the_rooms_own_and_written_as_a_browser_writes_it(scope, host, is_ours):
    guard = Guard(None, ("salle.lan",))
    refused = guard._refusal(scope, Headers({"host": host}))
    assert (refused is None) == is_ours
    if is_ours:
        for origin, same in (
            (f"http://{host}", True),
            (f"HTTP://{host.upper()}", True),
            (f"https://{host}", False),
            (f"http://{host}.evil", False),
            (f"http://{host}/", False),
            ("null", False),
            ("", False),
        ):
            told = guard._refusal(scope, Headers({"host": host, "origin": origin}))
            assert (told is None) == same, origin


@pytest.mark.parametrize(
    "path",
    [
        "/t/1-redx/api/now",
        "/t/1-red/../2-blue/api/now",
        "/t/1-red%2f..%2f2-blue/api/now",
        "/t/1-red/%2e%2e/2-blue/api/now",
        "/t//2-blue/api/now",
        "//t/2-blue/api/now",
        "/t/2-blue;/api/now",
        "/t/2-BLUE/api/now",
        "/t/2-blue%00/api/now",
        "/t/2-blue/api/now",
        "/T/2-blue/api/now",
        "/i/api/now",
        "/t/1-red/../../i/api/now",
        "/p/api/now",
        "/static/../serve.py",
        "/static/%2e%2e/serve.py",
        "/static/..%5cserve.py",
        "/static//etc/passwd",
        "/static/%2fetc/passwd",
        "/static/team.js%00.css",
        "/static/board/%2e%2e/webmap.py",
        "/static/",
        "/i/api/turn/1-red/" + "9" * 5_000,
    ],
)
def test_no_way_of_writing_an_address_leads_past_a_cookie_or_out_of_the_static_files(
    standing, path
):
    cookie = f"averse={standing.classroom.session(RED)}"
    status, _, told = asked(standing, path, cookie=cookie)
    assert status in {403, 404}, told
    assert b"import " not in told


# --------------------------------------------------------------------------- the clock
def test_a_clock_set_back_or_on_in_mid_exercise_changes_nothing(
    whole_room, pack, tmp_path, monkeypatch
):
    entries = []
    for number, leap_s in enumerate((0.0, -1e8, 1e8)):
        folder = copy_of(whole_room, tmp_path / f"room {number}")
        with Served(folder, pack) as served:
            browser = served.browser(RED, "/i")
            real = time.time
            with monkeypatch.context() as set_to:
                set_to.setattr(time, "time", lambda leap_s=leap_s, real=real: real() + leap_s)
                order = {"order": "forecast", "cells": ["0305"]}
                assert post(browser, f"{RED}/api/orders", {"order": order}).json()["accepted"]
                assert post(browser, "/i/api/advance", {}).status_code == 200
                later = served.browser(BLUE)  # who joins meanwhile, too
                assert later.get(f"{BLUE}/api/now").json()["turn"] == 1
            assert browser.get(f"{RED}/api/now").json()["turn"] == 1
            token = served.classroom.token(RED)
            cookie = asked(served, f"{RED}/join?token={token}")[1]["set-cookie"].lower()
            assert "expires" not in cookie
            assert "max-age" not in cookie
        entries.append(read_journal(folder / "teams" / "1-red" / JOURNAL).entries)
    assert entries[0] == entries[1] == entries[2]


def test_no_wall_clock_is_read_anywhere_in_the_room():
    for path in Path(exercises.room.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                read = (node.value.id, node.attr)
                assert read not in {("time", "time"), ("datetime", "now"), ("date", "today")}, path


def test_the_clock_of_a_timer_is_nobodys_to_set(whole_room, tmp_path):
    with Room(copy_of(whole_room, tmp_path / "room")) as room:
        assert room._clock is time.monotonic
        room.give("1-red", "", Forecast(turn=0, cells=(20,)))
