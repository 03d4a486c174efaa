"""§6.4 over the wire: two worlds that differ in what a team may not see send it the same bytes."""

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
from tests.exercises.room.places import Served, copy_of, post, pushed
from tests.strategies import seed_of

RED = "/t/1-red"
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
    write_said(two, {"room_version": 1, "own_seeds": False, "lang": "en", "truth_sha256": "0" * 64})
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
    """All that a team gets of an exercise: answers with headers and bytes, and what is pushed."""
    sent = []
    with Served(folder, pack) as served:
        browser = served.browser(RED)

        def note(answer):
            headers = [one for one in answer.headers.multi_items() if one[0] != "set-cookie"]
            sent.append((answer.status_code, headers, answer.content))

        with served.socket(RED, "technical") as socket:
            pushes = [pushed(socket)]
            note(browser.get(f"{RED}/"))
            for lang in ("fr", "en"):
                note(browser.get(f"{RED}/api/ground?lang={lang}"))
            for turn in range(LAST + 1):
                if turn:
                    for entry in entries(turn):
                        body = {"seat": "", "order": entry, "reason": "vu"}
                        note(post(browser, f"{RED}/api/preview?lang=fr", body))
                        note(post(browser, f"{RED}/api/orders?lang=fr", body))
                        pushes.append(pushed(socket))
                for seat in SEATS:
                    note(browser.get(f"{RED}/api/now?seat={seat}&lang=fr"))
                    note(browser.get(f"{RED}/api/targets?unit=patrol-2&seat={seat}"))
                note(browser.get(f"{RED}/api/now?lang=en&since=3"))
                if turn == 1:
                    served.room.play_card(None, "roadworks", "", "")  # announced to nobody
                if turn < LAST:
                    served.room.advance()
                    pushes.append(pushed(socket))
        proof = browser.get(f"{RED}/api/proof")
        public = served.browser("/p").get("/p/api/now")
        sent.append((public.status_code, list(public.headers.multi_items()), public.content))
    return sent, pushes, proof


def test_6_4_not_a_byte_a_header_a_size_or_a_push_tells_of_hidden_truth(two_rooms, pack):
    (one, pushes, proof), (two, pushes_2, proof_2) = (told(room, pack) for room in two_rooms)
    assert len(one) == len(two) > 80
    for number, (here, there) in enumerate(zip(one, two, strict=True)):
        assert here == there, f"answer {number}"
    assert pushes == pushes_2
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
