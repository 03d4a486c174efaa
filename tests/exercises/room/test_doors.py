"""Links that are ended: what came by them opens nothing any more, and is told so at once."""

import threading

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from exercises.room.book import open_book
from exercises.room.doors import Doors
from exercises.room.folder import room_kept, team_folders
from tests.exercises.room.places import Served, copy_of, post, pushed, silent

RED, BLUE = "/t/1-red", "/t/2-blue"


@pytest.fixture
def book(store, whole_room, tmp_path):
    """A room's book, in a file and in a database."""
    room = copy_of(whole_room, tmp_path / "room")
    store.keeps(*team_folders(room), room=room)
    book = open_book(room, room_kept(room))
    yield book
    book.close()


def test_a_session_opens_its_prefix_while_its_link_is_good(book):
    red, blue = book.new_token(RED), book.new_token(BLUE)
    mine, other, theirs = (
        book.new_session(red, RED),
        book.new_session(red, RED),
        book.new_session(blue, BLUE),
    )
    assert len({mine, other, theirs, red, blue}) == 5
    assert all((book.admits(mine, RED), book.admits(other, RED), book.admits(theirs, BLUE)))
    assert not any(book.admits(mine, prefix) for prefix in (BLUE, "/i", "/p", "", "/t/1"))
    # the two kinds of secret are not taken for one another
    assert not book.admits(red, RED)
    assert not book.opens(mine, RED)
    # none is good by a link that is none, or another's
    assert not book.admits(book.new_session("nothing", RED), RED)
    assert not book.admits(book.new_session(blue, RED), RED)
    book.revoke(RED)
    assert not any((book.opens(red, RED), book.admits(mine, RED), book.admits(other, RED)))
    assert all((book.opens(blue, BLUE), book.admits(theirs, BLUE)))


def test_a_prefix_that_begins_like_another_is_another(book):
    short, long = book.new_token("/t/1"), book.new_token("/t/1-red")
    session = book.new_session(long, "/t/1-red")
    book.revoke("/t/1")
    assert not book.opens(short, "/t/1")
    assert all((book.opens(long, "/t/1-red"), book.admits(session, "/t/1-red")))


def test_who_joins_while_the_link_is_ended_stays_out(book):
    doors = Doors(book)
    came, token = [], doors.token(RED)
    go = threading.Barrier(5)

    def join():
        go.wait()
        came.append(doors.session(token, RED))

    joining = [threading.Thread(target=join) for _ in range(4)]
    for one in joining:
        one.start()
    go.wait()
    new = doors.renew(RED)
    for one in joining:
        one.join()
    assert not any(session and doors.admits(session, RED) for session in came)
    assert doors.admits(doors.session(new, RED), RED)


def test_a_new_link_ends_the_old_one_and_all_that_came_by_it(whole_room, pack, tmp_path):
    folder = copy_of(whole_room, tmp_path / "room")
    with Served(folder, pack) as served:
        console, red, blue = served.browser("/i"), served.browser(RED), served.browser(BLUE)
        old = served.classroom.token(RED)
        cookies = {one.path: one.value for one in red.cookies.jar}
        with served.socket(RED) as gone, served.socket(BLUE) as stays:
            pushed(gone), pushed(stays)
            for prefix, wrong in ((RED, 403), (BLUE, 403)):
                browser = red if prefix == RED else blue
                answer = post(browser, "/i/api/links", {"team": "1-red"})
                assert answer.status_code == wrong
            links = post(console, "/i/api/links", {"team": "1-red"}).json()["links"]
            with pytest.raises(ConnectionClosed) as closed:
                gone.recv(timeout=2)
            assert closed.value.rcvd.code == 1008
            assert silent(stays)
        assert console.get("/i/api/links").json()["links"] == links
        page = red.get(f"{RED}/")
        assert page.status_code == 403
        assert all(word in page.text for word in ("lien", "link"))
        assert red.get(f"{RED}/api/now").status_code == 403
        assert post(red, f"{RED}/api/orders", {"order": {}}).status_code == 403
        assert httpx.get(f"{served.base}{RED}/join", params={"token": old}).status_code == 403
        with pytest.raises(InvalidStatus):
            pushed(served.socket(RED, token=cookies[RED]))
        assert blue.get(f"{BLUE}/").status_code == blue.get(f"{BLUE}/api/now").status_code == 200
        (new,) = (one["address"].partition("token=")[2] for one in links if one["team"] == "1-red")
        assert red.get(f"{RED}/join", params={"token": new}).status_code == 303
        assert red.get(f"{RED}/api/now").status_code == red.get(f"{RED}/").status_code == 200
        mine = {one.path: one.value for one in red.cookies.jar}
        for wrong in ({"team": "9-none"}, {"team": 1}, {}, {"team": None, "x": 1}):
            assert post(console, "/i/api/links", wrong).status_code == 400
        screen = served.browser("/p")
        assert post(console, "/i/api/links", {"team": None}).status_code == 200
        assert screen.get("/p/api/now").status_code == 403
    with Served(folder, pack) as again:
        for cookie, status in ((cookies[RED], 403), (mine[RED], 200)):
            headers = {"cookie": f"averse={cookie}"}
            answer = httpx.get(f"{again.base}{RED}/api/now", headers=headers)
            assert answer.status_code == status


def test_a_link_that_opens_nothing_says_what_to_do_to_whoever_sits_there(
    whole_room, pack, tmp_path
):
    wanted = {
        RED: ("demandez-le de nouveau", "ask the instructor"),
        "/i": ("du terminal", "averse serve"),
        "/p": ("onglet « Entrer »", "under “Join”"),
    }
    with Served(copy_of(whole_room, tmp_path / "room"), pack) as served:
        for prefix, words in wanted.items():
            page = httpx.get(f"{served.base}{prefix}/join", params={"token": "x"})
            stale = httpx.get(f"{served.base}{prefix}/", headers={"cookie": "averse=x"})
            assert page.status_code == stale.status_code == 403
            assert all(word in page.text for word in words)
            for one in (page, stale):
                told = "to the instructor" in one.text or "ask the instructor" in one.text
                assert told == (prefix == RED)
            for lang in ("fr", "en"):
                path = f"{served.base}{prefix}/api/now"
                said = httpx.get(path, params={"lang": lang}).json()["said"]
                assert ("averse serve" in said) == (prefix == "/i")
                assert str(tmp_path) not in said
