"""§6.4 over the wire: two worlds that differ in what a team may not see send it the same bytes."""

import hashlib
from collections import Counter
from contextlib import ExitStack
from dataclasses import replace

import numpy as np
import pytest

from exercises.chain import ROOM
from exercises.debrief.names import TEAM
from exercises.exercise_folder import TRUTH, begin_exercise
from exercises.room.book import create_book
from exercises.room.folder import PROOF, proof_of, team_folders, world_of, write_said
from exercises.room.moment import order_of
from exercises.room.rooms import Room
from gis.store import read_truth
from sim.rules import Seat
from sim.sight import seen_on
from tests.exercises.room.places import Served, copy_of, silent
from tests.strategies import seed_of

RED, PUBLIC = "/t/1-red", "/p"
SEATS = ("", *(one.value for one in Seat))
LAST = 3
"""The turn in which the two are compared; until then the bulletin leaves all levels open."""


@pytest.fixture(scope="module")
def two_rooms(whole_room, pack, tmp_path_factory):
    """The same exercise twice: in the second other water wherever, and whenever, nobody looks."""
    folder = tmp_path_factory.mktemp("wire")
    one = copy_of(whole_room, folder / "one")
    world = world_of(team_folders(one)[0])
    other = replace(world, level=1, depth_mm=elsewhere(one, folder, world))
    assert not np.array_equal(world.depth_mm[LAST], other.depth_mm[LAST])
    two = folder / "two"
    (two / "teams").mkdir(parents=True)
    truth = replace(read_truth(team_folders(one)[0], TRUTH), depth_mm=other.depth_mm)
    for path in team_folders(one):
        about = {"player": ROOM, "lang": "en", TEAM: path.name[2:].title()}
        begin_exercise(two / "teams" / path.name, other, truth, about, {}, ())
    proof = proof_of(other, seed_of(9))
    create_book(two, {PROOF: proof})
    sha256 = hashlib.sha256(proof.encode()).hexdigest()
    write_said(two, {"room_version": 1, "own_seeds": False, "lang": "en", "truth_sha256": sha256})
    return one, two


def elsewhere(room, folder, world):
    """Water of every turn, another one on the hexes that nobody sees until ``LAST``.

    Units move through the water of the turn before, and residents tell of that of two turns before:
    it is the water of ``LAST`` itself that differs, and all that is to come.
    """
    depth_mm = world.depth_mm.copy()
    seen = set()
    with Room(copy_of(room, folder / "tried")) as tried:
        key = tried.keys[0]
        for turn in range(LAST + 1):
            if turn:
                state = tried.moment(key).state.state
                for cells in seen_on(world.district, state.units, (), night=False).values():
                    seen.update(cells)
                give(tried, key, turn)
            if turn < LAST:
                tried.advance()
    unseen = np.array(sorted(set(range(world.district.sheet.n_hexes)) - seen))
    depth_mm[LAST, unseen] = (depth_mm[LAST, unseen] + 700 + 13 * unseen) % 1_900
    depth_mm[LAST + 1 :] = 1_500
    return depth_mm


def give(room, key, turn):
    for entry in entries(turn):
        room.give(key, "", order_of(room.desk(key).district, entry, turn, ""))


def entries(turn):
    return (
        {"order": "move", "unit": "patrol-1", "to": ("0305", "0306", "0703")[turn % 3]},
        {"order": "alert", "centre": "0806", "radius": 1},
        {"order": "alert", "centre": "0204", "radius": 3},  # refused: too wide
    )


def told(folder, pack):
    """All that a team and the public screen get of an exercise.

    Answers with their headers and bytes, packed as they travel and unpacked; what is pushed to
    every seat and to the public screen, in its order; the proof.
    """
    sent, pushes = [], []
    with Served(folder, pack) as served, ExitStack() as stack:
        browser = served.browser(RED, PUBLIC)

        def note(path, body=None):
            for encoding in ("gzip",) if body else ("gzip", "identity"):
                method, headers = ("POST" if body else "GET"), {"accept-encoding": encoding}
                with browser.stream(method, path, json=body, headers=headers) as answer:
                    raw = b"".join(answer.iter_raw())
                    assert int(answer.headers["content-length"]) == len(raw)  # in one piece
                    sent.append((path, answer.status_code, answer.headers.multi_items(), raw))

        sockets = {seat: stack.enter_context(served.socket(RED, seat)) for seat in SEATS}
        sockets[PUBLIC] = stack.enter_context(served.socket(PUBLIC))

        def hear(who):
            pushes.extend((name, sockets[name].recv(timeout=5)) for name in who)

        hear(sockets)
        note(f"{RED}/")
        for prefix in (RED, PUBLIC):
            for lang in ("fr", "en"):
                note(f"{prefix}/api/ground?lang={lang}")
        for turn in range(LAST + 1):
            for entry in entries(turn) if turn else ():
                body = {"seat": "", "order": entry, "reason": "vu"}
                note(f"{RED}/api/preview?lang=fr", body)
                note(f"{RED}/api/orders?lang=fr", body)
                hear(SEATS)
            for seat in SEATS:
                note(f"{RED}/api/now?seat={seat}&lang=fr")
                note(f"{RED}/api/targets?unit=patrol-2&seat={seat}")
            note(f"{RED}/api/now?lang=en&since=3")
            for lang in ("fr", "en"):
                note(f"{PUBLIC}/api/now?lang={lang}")
            if turn == 1:
                served.room.play_card(None, "roadworks", "", "")  # announced to nobody
            if turn < LAST:
                served.room.advance()
                hear(sockets)
        assert all(silent(socket, 0.02) for socket in sockets.values())
        proof = browser.get(f"{RED}/api/proof")
    return sent, pushes, proof


def test_6_4_not_a_byte_a_header_a_size_or_a_push_tells_of_hidden_truth(two_rooms, pack):
    (one, pushes, proof), (two, pushes_2, proof_2) = (told(room, pack) for room in two_rooms)
    assert len(one) == len(two) > 150
    for number, (here, there) in enumerate(zip(one, two, strict=True)):
        assert here == there, f"answer {number}"
    assert pushes == pushes_2
    assert Counter(name for name, _ in pushes) == {
        **dict.fromkeys(SEATS, 1 + LAST + LAST * len(entries(1))),
        PUBLIC: 1 + LAST,
    }
    # the one thing that must differ is a hash, salted, of which nobody can tell anything
    assert proof.content != proof_2.content
    assert len(proof.content) == len(proof_2.content)


def test_6_4_the_instructor_sees_the_two_apart(two_rooms, pack):
    seen = []
    for room in two_rooms:
        with Served(room, pack) as served:
            seen.append(served.browser("/i").get("/i/api/now").json()["teams"][0])
    assert seen[0]["frame"]["trueMm"] != seen[1]["frame"]["trueMm"]
    assert seen[0]["believed"] == seen[1]["believed"]
