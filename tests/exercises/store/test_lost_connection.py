"""A connection that is lost in mid-exercise: nothing is lost, nothing is written twice."""

import threading
import time

import pytest

from exercises.family import Envelope
from exercises.journal import JOURNAL, FoundAgainError, open_journal, read_journal
from exercises.live import LiveExercise, begin
from exercises.store import database
from exercises.store.database_journal import DatabaseJournal
from exercises.store.pointer import ADDRESS
from sim.errors import JournalError
from tests.exercises.cable import Cable
from tests.exercises.family_cases import ALL, CASES, play

pytestmark = pytest.mark.xdist_group("postgres")
CASE = CASES["watch"]


@pytest.fixture
def begun(centre, tmp_path):
    begin(tmp_path / JOURNAL, CASE.family, CASE.scenario, CASE.seed, {"player": "by hand"})
    centre.keeps(tmp_path)
    return tmp_path / JOURNAL


@pytest.fixture
def cable(centre, monkeypatch):
    with Cable(centre.server.folder) as cable:
        where = centre.server.address(centre.database, folder=cable.folder)
        monkeypatch.setenv(ADDRESS, where)
        yield cable


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(database, "PATIENCE_S", 0.3)


def give(live, step):
    return live.give(step) if isinstance(step, Envelope) else live.advance(step)


def assert_played(path, steps):
    """The journal holds these steps, each once, and leads where they do."""
    record = read_journal(path)
    states, _ = play(CASE, steps)
    hashes = [CASE.family.state_hash(state) for state in states[1:]]
    assert [entry.state_sha256 for entry in record.entries] == hashes


def test_a_connection_that_was_ended_is_made_again_and_the_order_taken(begun, centre):
    with LiveExercise(begun, ALL) as live:
        for number, step in enumerate(CASE.steps):
            if number % 3 == 1:
                centre.cut()
            give(live, step)
        centre.cut()
        assert live.journal.read().entries == read_journal(begun).entries
    assert_played(begun, CASE.steps)


def test_a_server_that_crashes_and_comes_back_has_all_that_was_acknowledged(
    begun, centre, monkeypatch
):
    monkeypatch.setattr(database, "PATIENCE_S", 120.0)  # on a busy machine
    with LiveExercise(begun, ALL) as live:
        for step in CASE.steps[:4]:
            give(live, step)
        centre.server.stop("immediate")
        back = threading.Timer(0.5, centre.server.start)
        back.start()
        try:
            give(live, CASE.steps[4])  # waited for
        finally:
            back.join()
        for step in CASE.steps[5:]:
            give(live, step)
    assert_played(begun, CASE.steps)


@pytest.mark.parametrize("reaches", [True, False])
@pytest.mark.parametrize("hangs", [True, False])
def test_an_order_whose_commit_got_no_answer_is_found_by_its_hash(begun, cable, reaches, hangs):
    """``hangs``: the server does not notice that the other end is gone, and keeps the lock."""
    with LiveExercise(begun, ALL) as live:
        give(live, CASE.steps[0])
        for step in CASE.steps[1:4]:
            cable.cut_at(b"COMMIT", reaches=reaches, hangs=hangs)
            give(live, step)
            assert cable.was_cut
        for step in CASE.steps[4:]:
            give(live, step)
    assert_played(begun, CASE.steps)


def test_while_it_is_away_nothing_is_acknowledged_and_afterwards_nothing_is_missing(
    begun, cable, impatient
):
    with LiveExercise(begun, ALL) as live:
        give(live, CASE.steps[0])
        cable.close_all()
        before = live.family.state_hash(live.state)
        started = time.monotonic()
        with pytest.raises(
            JournalError, match="entry 2 was not taken, all before it are kept"
        ) as told:
            give(live, CASE.steps[1])
        waited = time.monotonic() - started
        started = time.monotonic()
        with pytest.raises(JournalError):
            give(live, CASE.steps[1])
        assert time.monotonic() - started < waited  # the next ones do not wait again
        assert "\n" not in str(told.value)
        assert live.family.state_hash(live.state) == before
        cable.open()
        for step in CASE.steps[1:]:
            give(live, step)
    assert_played(begun, CASE.steps)


def cut_off_while_writing(live, cable, step):
    """Give an order that reaches the disk while its answer reaches nobody."""
    cable.cut_at(b"COMMIT", reaches=True, hangs=False, for_good=True)
    with pytest.raises(JournalError, match=r"whether entry \d was taken is not known yet"):
        give(live, step)
    cable.open()


def test_the_same_order_again_is_the_one_that_was_taken(begun, cable, impatient):
    with LiveExercise(begun, ALL) as live:
        give(live, CASE.steps[0])
        cut_off_while_writing(live, cable, CASE.steps[1])
        for step in CASE.steps[1:]:
            give(live, step)
    assert_played(begun, CASE.steps)


def test_another_order_is_not_taken_before_the_one_that_was_is_told(begun, cable, impatient):
    first, lost, other = CASE.steps[0], CASE.steps[1], CASE.steps[2]
    with LiveExercise(begun, ALL) as live:
        give(live, first)
        cut_off_while_writing(live, cable, lost)
        with pytest.raises(FoundAgainError, match=r"entry 2, .* was taken all the same") as told:
            give(live, other)
        assert told.value.entry.number == 2
        (late,) = live.late
        assert late.order == (lost if isinstance(lost, Envelope) else None)
        assert live.family.state_hash(live.state) == told.value.entry.state_sha256
        for step in CASE.steps[2:]:
            give(live, step)
    assert_played(begun, CASE.steps)


def test_who_comes_while_it_is_away_has_the_exercise(begun, centre, cable, impatient, monkeypatch):
    with LiveExercise(begun, ALL) as live:
        give(live, CASE.steps[0])
        cable.close_all()
        with pytest.raises(JournalError):
            give(live, CASE.steps[1])
        # another process is another connection: the address is not written alike
        monkeypatch.setenv(ADDRESS, centre.server.address(centre.database))
        with LiveExercise(begun, ALL) as other:
            cable.open()
            for _ in range(2):  # before the other one has written anything, and after
                with pytest.raises(JournalError, match="taken by another process while the"):
                    give(live, CASE.steps[1])
                give(other, CASE.steps[other.journal.entries])
    assert_played(begun, CASE.steps[:3])


def test_what_another_wrote_meanwhile_is_never_written_over(
    begun, centre, cable, impatient, monkeypatch
):
    with LiveExercise(begun, ALL) as live:
        give(live, CASE.steps[0])
        cable.close_all()
        with pytest.raises(JournalError):
            give(live, CASE.steps[1])
        monkeypatch.setenv(ADDRESS, centre.server.address(centre.database))
        with LiveExercise(begun, ALL) as other:
            give(other, CASE.steps[1])
            give(other, CASE.steps[2])
        cable.open()
        with pytest.raises(JournalError, match="taken by another process while the database"):
            give(live, CASE.steps[1])
    assert_played(begun, CASE.steps[:3])


def test_the_lock_ends_with_the_process_that_held_it(begun, centre):
    journal = open_journal(begun)
    assert isinstance(journal, DatabaseJournal)
    with pytest.raises(JournalError, match="in use already"):
        open_journal(begun)
    journal.close()
    open_journal(begun).close()


def test_commits_wait_for_the_disk_whatever_the_server_says(begun, centre):
    name = centre.database
    centre.server.sql(f"ALTER DATABASE {name} SET synchronous_commit = off")
    try:
        with LiveExercise(begun, ALL) as live:
            found = live.journal._database.once(
                lambda c: c.exec_driver_sql("SHOW synchronous_commit").scalar()
            )
        assert found == "on"
    finally:
        centre.server.sql(f"ALTER DATABASE {name} RESET synchronous_commit")
