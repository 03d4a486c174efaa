"""The room over HTTP and WebSocket on loopback: joining, playing, being told, being refused."""

import gzip
import io
import json
import zipfile

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from exercises.journal import JOURNAL, read_journal
from exercises.room.security import JOINS_A_SECOND, JOINS_AT_ONCE, JoinLimit
from sim.errors import ExerciseError, JournalError
from sim.rules import Seat
from tests.exercises.room.places import HOSTILE, TURNS, Served, begun, copy_of, post, pushed, silent

RED, BLUE = "/t/1-red", "/t/2-blue"
FORECAST = {"seat": "", "order": {"order": "forecast", "cells": ["0305"]}, "reason": "au bord"}


@pytest.fixture
def served(whole_room, pack, tmp_path):
    with Served(copy_of(whole_room, tmp_path / "room"), pack) as opened:
        yield opened


@pytest.fixture(scope="module")
def standing(whole_room, pack, tmp_path_factory):
    """A room in its first turn, for what changes nothing."""
    folder = copy_of(whole_room, tmp_path_factory.mktemp("standing") / "room")
    with Served(folder, pack) as opened:
        opened.room.advance()
        yield opened


@pytest.fixture
def untouched(standing):
    before = entries(standing)
    standing.classroom.joins.left.clear()
    yield standing
    assert entries(standing) == before


def entries(served, key="1-red"):
    return read_journal(served.folder / "teams" / key / JOURNAL).entries


# --------------------------------------------------------------------------- joining
def test_a_link_gives_a_cookie_for_its_prefix_alone_and_leads_to_the_page(served):
    with httpx.Client(base_url=served.base) as browser:
        token = served.classroom.token(RED)
        answer = browser.get(f"{RED}/join", params={"token": token})
        assert (answer.status_code, answer.headers["location"]) == (303, f"{RED}/")
        cookie = answer.headers["set-cookie"].lower()
        for part in ("httponly", "samesite=strict", f"path={RED}"):
            assert part in cookie
        assert browser.get(f"{RED}/api/now").status_code == 200
        for other in (BLUE, "/i", "/p"):
            assert browser.get(f"{other}/api/now").status_code == 403
        # a secret opens its own prefix, however it is shown; that of a link is no cookie
        (session,) = (one.value for one in browser.cookies.jar)
        assert session != token
        for secret, other in ((session, BLUE), (session, "/i"), (session, "/p"), (token, RED)):
            mine = {"cookie": f"averse={secret}"}
            assert httpx.get(f"{served.base}{other}/api/now", headers=mine).status_code == 403


def test_secrets_are_kept_by_their_hash_and_links_of_before_stay_good(whole_room, pack, tmp_path):
    folder = copy_of(whole_room, tmp_path / "room")
    with Served(folder, pack) as served:
        token, session = served.classroom.token(RED), served.classroom.session(RED)
        kept = b"".join(path.read_bytes() for path in folder.glob("room.sqlite*"))
        assert token.encode() not in kept
        assert session.encode() not in kept
    mine = {"cookie": f"averse={session}"}
    with Served(folder, pack) as again:
        assert again.classroom.token(RED) != token
        assert httpx.get(f"{again.base}{RED}/join", params={"token": token}).status_code == 303
        assert httpx.get(f"{again.base}{RED}/api/now", headers=mine).status_code == 200
        assert httpx.get(f"{again.base}{BLUE}/api/now", headers=mine).status_code == 403


@pytest.mark.parametrize("token", ["", "x", "é" * 50, "\x00", "x" * 5_000, "' OR 1=1 --"])
def test_a_wrong_link_is_refused_in_both_languages(untouched, token):
    answer = httpx.get(f"{untouched.base}{RED}/join", params={"token": token})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    assert "demandez-le" in answer.text
    assert "ask the instructor" in answer.text


def test_joins_are_rate_limited_by_address_and_the_limit_passes():
    now = [0.0]
    limit = JoinLimit(lambda: now[0])
    assert [limit.allows("a") for _ in range(JOINS_AT_ONCE + 1)][-2:] == [True, False]
    assert limit.allows("b")
    now[0] = 1 / JOINS_A_SECOND
    assert limit.allows("a")
    assert not limit.allows("a")


def test_two_teams_in_one_browser_stay_apart(served):
    browser = served.browser(RED, BLUE, "/i", "/p")
    assert post(browser, f"{RED}/api/orders", FORECAST).json()["accepted"]
    pending = [browser.get(f"{team}/api/now").json()["pending"] for team in (RED, BLUE)]
    assert [len(one) for one in pending] == [1, 0]
    assert (len(entries(served)), len(entries(served, "2-blue"))) == (1, 0)


# --------------------------------------------------------------------------- playing
def test_a_team_is_told_ground_once_and_now_as_its_side_sees_it(served):
    browser = served.browser(RED)
    ground = browser.get(f"{RED}/api/ground", params={"lang": "fr"})
    assert set(ground.json()) == {"board", "rules", "schema", *ground.json()}
    assert ground.json()["rules"]["situation"]["hour"] == 14
    again = browser.get(
        f"{RED}/api/ground",
        params={"lang": "fr"},
        headers={"if-none-match": ground.headers["etag"]},
    )
    assert (again.status_code, again.content) == (304, b"")
    assert browser.get(f"{RED}/api/ground?lang=en").headers["etag"] != ground.headers["etag"]
    raw = httpx.get(
        f"{served.base}{RED}/api/ground?lang=fr",
        headers={
            "accept-encoding": "gzip;q=0",
            "cookie": f"averse={served.classroom.session(RED)}",
        },
    )
    assert "content-encoding" not in raw.headers
    assert len(gzip.compress(raw.content)) < len(raw.content)
    assert raw.json() == ground.json()
    now = browser.get(f"{RED}/api/now").json()
    assert (now["seq"], now["turn"], now["phase"], now["over"]) == (0, 0, "forecast", False)
    assert now["team"] == {"key": "1-red", "name": "Red"}
    text = json.dumps(now)
    world = served.room.world
    assert world.seed not in text
    assert "level" not in now["view"]


@pytest.mark.parametrize("seat", ["", *(one.value for one in Seat)])
def test_every_seat_has_a_view_and_a_frame_of_the_shared_map(untouched, seat):
    browser = untouched.browser(RED)
    now = browser.get(f"{RED}/api/now", params={"seat": seat}).json()
    assert now["seat"] == seat
    assert now["frame"]["turns"] == 0
    assert ("known_mm" in now["view"]) == (seat in {"", "director"})
    whole = browser.get(f"{RED}/api/now").json()
    for name in ("alerted", "sheltered", "forecast", "units", "cutKnown", "clock", "shut"):
        assert now["frame"][name] == whole["frame"][name], name
    assert now["frame"]["trueMm"] == now["frame"]["knownMm"]
    assert now["frame"]["cutTrue"] == now["frame"]["cutKnown"]


def test_orders_are_accepted_refused_with_their_rule_or_no_orders_at_all(served):
    browser = served.browser(RED)
    assert post(browser, f"{RED}/api/orders", FORECAST).json() == {
        "accepted": True,
        "refusal": None,
        "number": 1,
        "seq": 1,
    }
    served.room.advance()
    alert = {"order": "alert", "centre": "0305", "radius": 1}
    refused = post(browser, f"{RED}/api/orders?lang=fr", {"seat": "technical", "order": alert})
    assert refused.json()["refusal"]["rule"] == "9.7"
    assert refused.json()["refusal"]["said"].startswith("Le siège")
    late = post(browser, f"{RED}/api/orders", {"seat": "", "order": {**alert, "turn": 0}})
    assert late.json()["refusal"]["rule"] == "9.5"
    before = entries(served)
    for body in (
        {"seat": "", "order": {"order": "dance"}},
        {"seat": "", "order": {**alert, "centre": "9999"}},
        {"seat": "", "order": {**alert, "colour": "red"}},
        {"seat": "", "order": {**alert, "radius": True}},
        {"seat": "", "order": alert, "reason": 3},
        {"seat": "", "order": alert, "reason": "\ud800"},
        {"seat": "", "order": alert, "team": "2-blue"},
        {"seat": 3, "order": alert},
        {"seat": "mayor", "order": alert},
        {"seat": "", "order": [alert]},
        {"seat": "", "order": {**alert, "turn": 10**400}},
        {"seat": ""},
        [],
        "x",
    ):
        content = json.dumps(body)
        answer = browser.post(f"{RED}/api/orders", content=content)
        assert answer.status_code == 400, body
        assert "\n" not in answer.json()["said"]
    for content in (b"", b"{", b"\xff\xfe", b"[" * 20_000, b'{"seat": NaN'):
        assert browser.post(f"{RED}/api/orders", content=content).status_code == 400
    assert browser.post(f"{RED}/api/orders", content=b"x" * 70_000).status_code == 413
    chunks = (b"x" * 10_000 for _ in range(10))
    assert browser.post(f"{RED}/api/orders", content=chunks).status_code == 413
    assert entries(served) == before


def test_a_preview_and_hints_tell_and_journal_nothing(untouched):
    browser = untouched.browser(RED)
    move = {"seat": "", "order": {"order": "move", "unit": "patrol-1", "to": "0305"}}
    seen = post(browser, f"{RED}/api/preview", move).json()
    assert (seen["price"], seen["refusal"]) == (1, None)
    assert seen["way"]["cells"][-1] == seen["way"]["stops"][-1] == "0305"
    alert = {"seat": "", "order": {"order": "alert", "centre": "0305", "radius": 1}}
    seen = post(browser, f"{RED}/api/preview", alert).json()
    assert seen["cells"] == seen["fresh"]
    assert len(seen["cells"]) > 1
    assert seen["quarters"]
    wide = {"seat": "", "order": {"order": "alert", "centre": "0305", "radius": 3}}
    assert post(browser, f"{RED}/api/preview", wide).json()["refusal"]["rule"] == "9.1"
    found = browser.get(f"{RED}/api/targets", params={"unit": "patrol-1", "seat": ""}).json()
    assert "0305" in found["move"]
    assert all("-" in label for label in found.get("reserve", ()))
    assert browser.get(f"{RED}/api/targets", params={"unit": "zeppelin-1"}).json() == {}
    assert browser.get(f"{RED}/api/targets", params={"seat": "mayor"}).status_code == 400
    assert browser.get(f"{RED}/api/now").json()["seq"] == 1


def test_only_what_happened_since_is_sent_again(served):
    browser = served.browser(RED)
    served.room.advance()
    served.room.advance()
    now = browser.get(f"{RED}/api/now").json()
    total = now["events_total"]
    assert total == len(now["events"]) > 2
    later = browser.get(f"{RED}/api/now", params={"since": total - 1}).json()
    assert later["events"] == now["events"][-1:]
    assert (later["events_from"], later["events_total"]) == (total - 1, total)
    assert browser.get(f"{RED}/api/now?since=-1").status_code == 400
    assert browser.get(f"{RED}/api/now?since=99999999999").status_code == 400


# --------------------------------------------------------------------------- being told
def test_a_team_is_pushed_what_changed_for_it_and_nothing_else(served):
    with (
        served.socket(RED, "technical") as red,
        served.socket(BLUE) as blue,
        served.socket("/i") as instructor,
        served.socket("/p") as public,
    ):
        assert pushed(red) == {"seq": 0, "timer": None}
        assert pushed(blue) == {"seq": 0, "timer": None}
        assert pushed(public) == {"seq": 0, "timer": None}
        pushed(instructor)
        browser = served.browser(RED)
        post(browser, f"{RED}/api/orders", FORECAST)
        assert pushed(red)["seq"] == 1
        assert silent(blue)
        assert silent(public, 0.1)
        served.room.advance()
        assert pushed(red)["seq"] == 2
        assert pushed(blue)["seq"] == 1
        assert pushed(public)["seq"] in {1, 2}
        served.room.play_card(None, "roadworks", "", "")
        assert silent(red)
        assert pushed(instructor)["seq"] > 0
        present = served.browser("/i").get("/i/api/now").json()["teams"]
        assert [one["present"] for one in present] == [{"technical": 1}, {"": 1}]
    assert served.browser("/i").get("/i/api/now").json()["teams"][1]["present"] == {}


def test_a_socket_without_a_cookie_or_seat_is_closed(untouched):
    for prefix, seat, token in ((RED, "", "wrong"), (RED, "mayor", None), ("/i", "", "x")):
        with (
            pytest.raises((ConnectionClosed, InvalidStatus)),
            untouched.socket(prefix, seat, token) as socket,
        ):
            socket.recv(timeout=5)


def test_a_team_is_not_told_where_the_room_keeps_what(untouched, monkeypatch):
    place = untouched.room.folder / "teams" / "1-red" / JOURNAL
    team, instructor = untouched.browser(RED), untouched.browser("/i")

    def full(*_):
        raise JournalError(f"{place} cannot grow: the disk is full (entry 7 was not taken)")

    def gone(*_):
        raise ExerciseError(f"{untouched.classroom.pack} is damaged")

    with monkeypatch.context() as patch:
        patch.setattr(untouched.room.desk("1-red").live.journal, "append", full)
        patch.setattr(untouched.classroom, "ground", gone)
        patch.setattr(untouched.classroom.doors, "session", gone)
        order = {**FORECAST, "order": {"order": "alert", "centre": "0305", "radius": 1}}
        told = post(team, f"{RED}/api/orders", order)
        assert told.status_code == 500
        assert told.json()["said"].startswith("the room's computer cannot write down")
        said = team.get(f"{RED}/api/ground").json()["said"]
        assert said == "the room's computer cannot do it: tell the instructor"
        page = team.get(f"{RED}/join", params={"token": "x"})
        assert (page.status_code, page.text[:15]) == (500, "<!doctype html>")
        assert str(untouched.classroom.pack) not in page.text
        told = post(instructor, "/i/api/advance", {"team": "1-red"})
        assert str(place) in told.json()["said"]


# --------------------------------------------------------------------------- the instructor
def test_the_instructor_sees_plays_and_ends_by_the_page(served):
    browser, red = served.browser("/i"), served.browser(RED)
    assert post(browser, "/i/api/advance", {"team": None}).status_code == 200
    for path, body in (
        ("message", {"team": None, "text": "Bonjour <b>"}),
        ("card", {"team": "1-red", "card": "accident", "target": None, "note": "le camion"}),
        ("advance", {}),
    ):
        assert post(browser, f"/i/api/{path}", body).status_code == 200, path
    now = red.get(f"{RED}/api/now").json()
    assert now["messages"] == [{"turn": 1, "text": "Bonjour <b>"}]
    assert [one["rule"] for one in now["events"] if one["kind"] == "CardDrawn"] == ["13.1"]
    whole = browser.get("/i/api/now").json()
    assert whole["truth"]["level"] == 5
    assert [team["turn"] for team in whole["teams"]] == [2, 2]
    assert whole["teams"][0]["frame"]["trueMm"]
    assert post(browser, "/i/api/end", {"team": "1-red"}).status_code == 200
    assert red.get(f"{RED}/api/now").json()["phase"] == "over"
    assert red.get(f"{RED}/api/proof").json()["opened"] is None
    assert post(browser, "/i/api/end", {}).status_code == 200
    proof = red.get(f"{RED}/api/proof").json()
    assert json.loads(proof["opened"])["level"] == 5
    assert red.get(f"{RED}/api/now").json()["score"]["points"] is not None


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("advance", {"team": "9"}),
        ("advance", {"team": 3}),
        ("hold", {}),
        ("card", {"card": "earthquake"}),
        ("card", {"card": "jam", "target": "9999"}),
        ("card", {"card": 3}),
        ("message", {"text": ""}),
        ("message", {"text": "x" * 501}),
        ("end", {}),
        ("teams", {"name": ""}),
        ("teams", {"name": "Red"}),
        ("debrief", {"lang": "de"}),
        ("injects?name=x.exe", {}),
        ("injects?name=x.xlsx", {}),
    ],
)
def test_what_the_instructor_may_not_do_is_said_in_a_sentence(untouched, path, body):
    browser = untouched.browser("/i")
    answer = post(browser, f"/i/api/{path}", body)
    assert answer.status_code == 400
    assert "\n" not in answer.json()["said"]


def test_a_list_of_injects_goes_in_and_out_and_no_bomb_is_opened(served):
    browser = served.browser("/i")
    text = "turn,card,target,note\n4,accident,,camion\n5,Coupure électrique,0305,=1+1\n"
    answer = browser.post("/i/api/injects?name=x.csv&lang=fr", content=text.encode())
    assert [one["target"] for one in answer.json()["injects"]] == ["", "0305"]
    book = browser.get("/i/files/injects.xlsx").content
    again = browser.post("/i/api/injects?name=y.xlsx&lang=fr", content=book)
    assert again.json() == answer.json() == browser.get("/i/api/injects?lang=fr").json()
    faults = browser.post("/i/api/injects?name=x.csv", content=b"turn,card\n99,jam\n3,zz\n")
    assert "row 2" in faults.json()["said"]
    assert "row 3" in faults.json()["said"]
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("xl/worksheets/sheet1.xml", b"0" * 60_000_000)
    refused = browser.post("/i/api/injects?name=x.xlsx", content=bomb.getvalue())
    assert refused.status_code == 400
    assert "60 MB" in refused.json()["said"]
    big = browser.post("/i/api/injects?name=x.csv", content=b"x" * 1_100_000)
    assert big.status_code == 413
    assert browser.get("/i/api/injects?lang=fr").json() == answer.json()


def test_the_public_screen_has_no_team_secret_and_unveils_when_all_are_over(served):
    public, red = served.browser("/p"), served.browser(RED)
    served.room.advance()
    before = public.get("/p/api/now").content
    alert = {"order": "alert", "centre": "0305", "radius": 1}
    assert post(red, f"{RED}/api/orders", {"seat": "", "order": alert}).json()["accepted"]
    served.room.message("1-red", "secret")
    assert public.get("/p/api/now").content == before
    served.room.advance()
    served.room.end("1-red")
    told = public.get("/p/api/now").json()
    assert [team["over"] for team in told["teams"]] == [True, False]
    assert [team["view"]["unveiled"] for team in told["teams"]] == [None, None]
    assert public.get("/p/api/proof").json()["opened"] is None
    served.room.end("2-blue")
    told = public.get("/p/api/now").json()
    assert {team["view"]["unveiled"]["level"] for team in told["teams"]} == {5}
    for team in told["teams"]:
        assert "seed" not in json.dumps(team)


# --------------------------------------------------------------------------- being refused
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1"}, 421),
        ({"host": "127.0.0.1:1"}, 421),
        ({"host": "127.0.0.1.evil.example:{port}"}, 421),
        ({"host": "0.0.0.0:{port}"}, 421),
        ({"host": ""}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1:1"}, 403),
        ({"origin": "https://127.0.0.1:{port}"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        (
            {
                "sec-fetch-site": "cross-site",
                "sec-fetch-mode": "navigate",
                "sec-fetch-dest": "document",
            },
            403,
        ),
    ],
)
def test_foreign_hosts_origins_and_sites_are_refused(untouched, headers, status):
    mine = {name: value.format(port=untouched.port) for name, value in headers.items()}
    browser = untouched.browser(RED)
    for call in (
        lambda: browser.get(f"{RED}/api/now", headers=mine),
        lambda: browser.post(f"{RED}/api/orders", json=FORECAST, headers=mine),
    ):
        answer = call()
        assert answer.status_code == status
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    with pytest.raises(InvalidStatus), untouched.socket(RED, **mine):
        pass


def test_a_link_in_a_mail_opens_the_room_and_its_own_page_speaks_to_it(served):
    link = {
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
    }
    with httpx.Client(base_url=served.base, headers=link) as browser:
        token = served.classroom.token(RED)
        assert browser.get(f"{RED}/join", params={"token": token}).status_code == 303
        assert browser.get(f"{RED}/").status_code == 200
    own = {"origin": served.base, "sec-fetch-site": "same-origin"}
    browser = served.browser(RED)
    assert post(browser, f"{RED}/api/orders", FORECAST, headers=own).json()["accepted"]
    with served.socket(RED, **own) as socket:
        assert pushed(socket)["seq"] == 1
    local = {
        "host": f"localhost:{served.port}",
        "cookie": f"averse={served.classroom.session(RED)}",
    }
    assert httpx.get(f"{served.base}{RED}/api/now", headers=local).status_code == 200


def test_every_answer_has_the_headers_and_no_state_is_kept_by_a_cache(untouched):
    browser = untouched.browser(RED, "/i")
    for path in (
        f"{RED}/",
        f"{RED}/api/now",
        f"{RED}/api/ground",
        "/i/",
        "/static/shell.css",
        "/x",
    ):
        headers = browser.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'self'; img-src 'self' data:; style-src 'self'")
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers
        if "/api/now" in path or path.endswith("/"):
            assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    [
        "/t/9-none/",
        "/t/9-none/api/now",
        "/t/..%2f..%2froom.json",
        "/static/../rooms.py",
        "/static/..%2frooms.py",
        "/static/board/webmap.py",
        "/static/board/..%2fwebmap.py",
        "/t/1-red/api/nothing",
        "/",
    ],
)
def test_what_is_not_there_is_not_there(untouched, path):
    assert untouched.browser(RED).get(path).status_code == 404


def test_hostile_names_and_texts_are_data_and_never_markup(pack, tmp_path):
    room = begun(pack, tmp_path / "room", (HOSTILE, "B"), turns=3)
    with Served(room, pack) as served:
        key = served.room.keys[0]
        browser = served.browser(f"/t/{key}", "/i", "/p")
        served.room.message(None, HOSTILE)
        body = {**FORECAST, "reason": HOSTILE}
        assert post(browser, f"/t/{key}/api/orders", body).json()["accepted"]
        for page in (f"/t/{key}/", "/i/", "/p/", f"/t/{key}/join?token=<img>"):
            answer = browser.get(page)
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            assert "PWNED" not in answer.text
            assert "<img src=x" not in answer.text
        for path in (f"/t/{key}/api/now", "/i/api/now", "/p/api/now"):
            answer = browser.get(path)
            assert answer.headers["content-type"] == "application/json"
            assert answer.json()
        now = browser.get(f"/t/{key}/api/now").json()
        assert now["pending"][0]["reason"] == HOSTILE
        assert now["messages"][0]["text"] == HOSTILE


def test_a_whole_exercise_over_the_wire_ends_as_the_journal_says(served):
    red, instructor = served.browser(RED), served.browser("/i")
    post(red, f"{RED}/api/orders", FORECAST)
    for turn in range(TURNS + 1):
        assert red.get(f"{RED}/api/now").json()["turn"] == turn
        if turn:
            alert = {"order": "alert", "centre": "0305", "radius": 0, "turn": turn}
            post(red, f"{RED}/api/orders", {"seat": "", "order": alert})
        assert post(instructor, "/i/api/advance", {}).status_code == 200
    now = red.get(f"{RED}/api/now").json()
    assert (now["over"], now["turn"]) == (True, TURNS + 1)
    assert post(instructor, "/i/api/advance", {}).status_code == 400
    assert len(entries(served)) == 1 + 2 * TURNS + 1
