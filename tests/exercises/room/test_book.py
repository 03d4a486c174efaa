"""The book of a room, in a file and in a database: who may come in, what is kept."""

import pytest

from exercises.room.book import create_book, open_book, sha256_of
from exercises.room.folder import KEPT_IN, room_kept, write_said
from sim.errors import AverseError

SAID = {"room_version": 1, "own_seeds": False, "lang": "en", "truth_sha256": "0" * 64}
TEAM, OTHER = "/t/1-red", "/t/2-blue"


@pytest.fixture
def folder(store, tmp_path):
    """A room of which there is its book alone."""
    write_said(tmp_path, SAID)
    create_book(tmp_path, {"proof": "a text"}, {sha256_of("of before"): TEAM})
    store.keeps(room=tmp_path)
    return tmp_path


@pytest.fixture
def book(folder):
    opened = open_book(folder, room_kept(folder))
    yield opened
    opened.close()


def test_a_link_opens_its_own_prefix_for_good(book, folder):
    token = book.new_token(TEAM)
    assert book.opens(token, TEAM)
    assert book.opens("of before", TEAM)
    for wrong in (token[:-1], token + "x", "", "\0", "\ud800", sha256_of(token), "é" * 9_000):
        assert not book.opens(wrong, TEAM)
    assert not book.opens(token, OTHER)
    assert book.new_token(TEAM) != token
    again = open_book(folder, room_kept(folder))
    assert again.opens(token, TEAM)
    again.close()


def test_a_session_is_good_while_the_link_is_that_it_came_by(book):
    token, other = book.new_token(TEAM), book.new_token(OTHER)
    session, theirs = book.new_session(token, TEAM), book.new_session(other, OTHER)
    assert book.admits(session, TEAM)
    assert not book.admits(session, OTHER)
    assert not book.admits(token, TEAM)  # a link is no cookie
    assert not book.opens(session, TEAM)
    book.revoke(TEAM)
    assert not book.admits(session, TEAM)
    assert not book.opens(token, TEAM)
    assert book.opens(other, OTHER)
    assert book.admits(theirs, OTHER)
    assert book.opens(book.new_token(TEAM), TEAM)


@pytest.mark.parametrize("text", ["", "a", "eau « basse »\0\n", "𝄞" * 5_000, "' OR 1=1; --"])
def test_what_is_kept_is_found_again_to_the_letter(book, folder, text):
    assert book.value("proof") == "a text"
    assert book.value("nothing") == ""
    for _ in range(2):
        book.keep("list", text)
        assert book.value("list") == text
    book.keep("list", "other")
    again = open_book(folder, room_kept(folder))
    assert again.value("list") == "other"
    again.close()


def test_no_secret_can_be_read_out_of_it(store, book, folder):
    token = book.new_token(TEAM)
    session = book.new_session(token, TEAM)
    if store.name == "file":
        held = b"".join(path.read_bytes() for path in folder.iterdir())
    else:
        held = str(
            store.server.sql("SELECT * FROM averse.tokens", database=store.database)
        ).encode()
    assert sha256_of(token).encode() in held
    assert token.encode() not in held
    assert session.encode() not in held


@pytest.mark.xdist_group("postgres")
@pytest.mark.parametrize("said", [None, [], {}, {"id": "x", "database": "y"}, "no"])
def test_a_room_that_does_not_say_where_its_book_is_is_told(tmp_path, said):
    write_said(tmp_path, {**SAID, KEPT_IN: said})
    with pytest.raises(AverseError, match="does not say what is kept in the database"):
        room_kept(tmp_path)


@pytest.mark.xdist_group("postgres")
def test_a_connection_that_was_ended_keeps_nobody_out(centre, tmp_path):
    write_said(tmp_path, SAID)
    create_book(tmp_path, {})
    centre.keeps(room=tmp_path)
    book = open_book(tmp_path, room_kept(tmp_path))
    token = book.new_token(TEAM)
    centre.cut()
    assert book.opens(token, TEAM)
    centre.cut()
    book.keep("list", "x")
    centre.cut()
    assert book.value("list") == "x"
    book.close()
