"""The journal: committed before acknowledged, chained, added to only; every fault a sentence.

What a file and a database both promise is tried on both (``store``).
"""

import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from dataclasses import astuple, replace
from pathlib import Path

import pytest

from exercises.family import Envelope
from exercises.flood_family import FLOOD, FloodFamily
from exercises.journal import (
    JOURNAL,
    SAVED,
    Journal,
    Kind,
    create_journal,
    entry_hash,
    head_hash,
    open_journal,
    read_journal,
)
from exercises.live import LiveExercise, begin, family_of, replayed, scenario_of
from sim.errors import JournalError, OrderError
from tests.exercises.family_cases import ALL, CASES, play
from tests.exercises.forked import CAN_FORK, forked
from tests.exercises.stores import FileStore
from tests.strategies import seed_of

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(params=sorted(CASES))
def case(request):
    return CASES[request.param]


FILES = FileStore()


def begun(folder, case, store=FILES):
    path = folder / JOURNAL
    begin(path, case.family, case.scenario, case.seed, {"player": "by hand"})
    store.keeps(folder)
    return path


def give(live, step):
    return live.give(step) if isinstance(step, Envelope) else live.advance(step)


_WHOLE: dict[str, bytes] = {}


def journaled(folder, case, store=FILES):
    """A journal of the whole case, played once in a file and copied ever after."""
    name = case.family.name
    if name not in _WHOLE:
        path = begun(folder, case)
        with LiveExercise(path, ALL) as live:
            for step in case.steps:
                give(live, step)
        _WHOLE[name] = path.read_bytes()
    (folder / JOURNAL).write_bytes(_WHOLE[name])
    store.keeps(folder)
    return folder / JOURNAL


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def assert_refused(path, *words, opens=read_journal):
    """One sentence with these words, and every file as it was."""
    before = contents(path.parent)
    with pytest.raises(JournalError) as told:
        opens(path)
    sentence = str(told.value)
    assert "\n" not in sentence
    for word in (str(path.parent), *words):
        assert word in sentence
    assert contents(path.parent) == before


# ------------------------------------------------------------------------------ what it holds
def test_it_rebuilds_every_state_and_event_by_itself(case, store, tmp_path):
    record = read_journal(journaled(tmp_path, case, store))
    states, events = play(case)
    family = family_of(record, ALL)
    steps = list(replayed(record, family, scenario_of(record, family)))
    assert [family.state_hash(step.state) for step in steps] == [
        family.state_hash(state) for state in states[1:]
    ]
    assert [sum((part[1] for part in step.parts), ()) for step in steps] == events
    assert [step.order for step in steps] == [
        step if isinstance(step, Envelope) else None for step in case.steps
    ]


def test_opened_again_it_goes_on_where_it_stood(case, store, tmp_path):
    path = begun(tmp_path, case, store)
    for steps in (case.steps[:3], case.steps[3:4], (), case.steps[4:]):
        with LiveExercise(path, ALL) as live:
            for step in steps:
                give(live, step)
    again = tmp_path / "again"
    again.mkdir()
    assert read_journal(path).entries == read_journal(journaled(again, case)).entries


def test_an_entry_is_on_the_disk_before_its_events_are_returned(case, store, tmp_path):
    with LiveExercise(begun(tmp_path, case, store), ALL) as live:
        for number, step in enumerate(case.steps[:9], start=1):
            give(live, step)
            last = store.last_on_disk(tmp_path)
            assert last == (number, live.family.state_hash(live.state))


def test_the_chain_can_be_computed_by_hand(case, tmp_path):
    path = journaled(tmp_path, case)
    with closing(sqlite3.connect(path)) as db:
        meta = dict(db.execute("SELECT * FROM meta"))
        previous = head_hash(meta)
        for row in db.execute("SELECT * FROM entries ORDER BY number"):
            *parts, before, own = row
            assert before == previous
            previous = entry_hash(*parts, before)
            assert own == previous
    assert previous == read_journal(path).last_sha256
    assert {"family", "rules_version", "averse", "seed", "scenario_sha256"} <= set(meta)


def test_orders_of_the_instructor_are_acts(store, tmp_path):
    case = CASES["watch"]
    with LiveExercise(begun(tmp_path, case, store), ALL) as live:
        live.give(Envelope("instructor", "", 1, {"do": "look"}, "why not"))
        assert [entry.kind for entry in live.journal.read().entries] == [Kind.ACT]


@pytest.mark.parametrize(
    "fault", [{"at": 10**30}, {"at": -(10**30)}, {"reason": "\ud800"}, {"seat": "\udfff"}]
)
def test_an_order_that_no_journal_can_hold_is_refused_and_not_played(case, store, tmp_path, fault):
    with LiveExercise(begun(tmp_path, case, store), ALL) as live:
        before = live.family.state_hash(live.state)
        with pytest.raises(OrderError):
            live.give(replace(case.steps[0], **fault))
        assert live.journal.entries == 0
        assert live.family.state_hash(live.state) == before
        give(live, case.steps[0])


CHANGES = {
    "file": (
        "UPDATE entries SET reason = 'x'",
        "DELETE FROM entries WHERE number = 3",
        "INSERT OR REPLACE INTO entries SELECT * FROM entries WHERE number = 3",
        "INSERT INTO entries VALUES (99, 'order', '', '', 0, '', '', '', '', '')",
        "UPDATE meta SET value = 'x'",
        "DELETE FROM meta",
        "INSERT INTO meta VALUES ('more', 'x')",
        "UPDATE scenario SET plain = x'00'",
        "INSERT INTO scenario VALUES (1, x'00')",
    ),
    "database": (
        "UPDATE averse.entries SET reason = 'x' WHERE journal = '{id}'",
        "DELETE FROM averse.entries WHERE journal = '{id}' AND number = 3",
        (
            "INSERT INTO averse.entries SELECT * FROM averse.entries "
            "WHERE journal = '{id}' AND number = 3 "
            "ON CONFLICT (journal, number) DO UPDATE SET reason = 'x'"
        ),
        "INSERT INTO averse.entries VALUES ('{id}', 99, 'order', '', '', 0, '', '', '', '', '')",
        "TRUNCATE averse.entries CASCADE",
        "TRUNCATE averse.journals CASCADE",
        "UPDATE averse.journals SET meta = '{}' WHERE id = '{id}'",
        "UPDATE averse.journals SET scenario = '' WHERE id = '{id}'",
        "DELETE FROM averse.journals WHERE id = '{id}'",
    ),
}


def test_nothing_but_the_next_entry_can_be_written_into_it(store, tmp_path):
    path = journaled(tmp_path, CASES["watch"], store)
    before = read_journal(path)
    for change in CHANGES[store.name]:
        with pytest.raises(store.Fault, match="only added to"):
            store.change(tmp_path, change)
        assert read_journal(path) == before


def test_nothing_stays_beside_it_once_it_is_closed(case, tmp_path):
    with LiveExercise(begun(tmp_path, case), ALL) as live:
        give(live, case.steps[0])
    assert os.listdir(tmp_path) == [JOURNAL]


# ------------------------------------------------------------------------------ faults
def test_it_has_one_writer_and_any_reader(case, store, tmp_path):
    path = begun(tmp_path, case, store)
    code = (
        "import sys; from pathlib import Path; from exercises.journal import open_journal\n"
        "from sim.errors import JournalError\n"
        "try:\n    open_journal(Path(sys.argv[1]))\n"
        "except JournalError as error:\n    print(error)\n"
    )
    with LiveExercise(path, ALL) as live:
        for step in case.steps[:2]:
            give(live, step)
        assert len(read_journal(path).entries) == 2
        done = subprocess.run(
            [sys.executable, "-c", code, str(path)],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        )
        assert "is in use by another process; close the exercise there first" in done.stdout
        assert len(done.stdout.splitlines()) == 1
        with pytest.raises(JournalError, match="in use already"):
            open_journal(path)
        for step in case.steps[2:]:
            give(live, step)
    assert len(read_journal(path).entries) == len(case.steps)


def give_until_refused(live, steps):
    """Number of steps taken, and why the next was not."""
    for number, step in enumerate(steps):
        try:
            give(live, step)
        except JournalError as error:
            return number, str(error)
    raise AssertionError("the disk never filled")


def test_on_a_full_disk_the_order_is_not_taken_and_nothing_is_lost(case, tmp_path):
    path = begun(tmp_path, case)
    with LiveExercise(path, ALL) as live:
        (pages,) = live.journal._db.execute("PRAGMA page_count").fetchone()
        live.journal._db.execute(f"PRAGMA max_page_count = {pages + 1}")
        long = "x" * 2_000
        steps = [
            replace(step, reason=long) if isinstance(step, Envelope) else step
            for step in case.steps
        ]
        taken, fault = give_until_refused(live, steps)
        assert re.search("the disk is full; .*was not taken", fault)
        before = live.family.state_hash(play(case, steps[:taken])[0][-1])
        assert "\n" not in fault
        assert live.family.state_hash(live.state) == before
        assert len(live.journal.read().entries) == taken < len(steps)
        # room is made: the very same order is taken now
        live.journal._db.execute("PRAGMA max_page_count = 100000")
        for step in case.steps[taken:]:
            give(live, step)
    assert len(read_journal(path).entries) == len(case.steps)


NOBODY = 65534


@pytest.mark.skipif(not CAN_FORK, reason="rights of files are those of Linux")
def test_in_a_read_only_folder_it_is_read_and_not_written(case):
    with tempfile.TemporaryDirectory(prefix="journal-") as name:
        folder = Path(name)
        path = journaled(folder, case)
        before = contents(folder)
        path.chmod(0o444)
        folder.chmod(0o555)

        def work(tell):
            tell(len(read_journal(path).entries))
            for write in (Journal, lambda path: create_journal(path.with_name("new"), {}, 1)):
                try:
                    write(path)
                except JournalError as error:
                    tell(error)

        entries, opened, created = forked(work, user=NOBODY if os.geteuid() == 0 else None)
        folder.chmod(0o755)
        assert entries == str(len(case.steps))
        assert "cannot be written: the file or its folder is read-only" in opened
        assert "cannot be opened for writing; look at the rights of its folder" in created
        assert "the exercise was not begun" in created
        assert contents(folder) == before


def test_a_journal_is_never_written_over(case, tmp_path):
    path = journaled(tmp_path, case)
    assert_refused(path, "never written over", opens=lambda path: create_journal(path, {}, None))


OPENERS = (read_journal, open_journal)


@pytest.mark.parametrize("opens", OPENERS)
def test_what_is_no_journal_is_told(tmp_path, opens):
    path = tmp_path / JOURNAL
    with pytest.raises(JournalError, match="no exercise was begun there"):
        opens(path)
    path.write_text("dear Sir, " * 500)
    assert_refused(path, "no journal of averse", opens=opens)
    path.write_bytes(b"")
    assert_refused(path, "no journal of averse, or was cut short", opens=opens)
    path.unlink()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE entries (number)")
        db.commit()
    assert_refused(path, "no journal of averse", opens=opens)


@pytest.mark.parametrize("opens", OPENERS)
def test_a_journal_of_a_later_format_is_told(tmp_path, opens):
    path = journaled(tmp_path, CASES["watch"])
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 7")
    assert_refused(path, "version 7", "reads version 1", opens=opens)


@pytest.mark.parametrize("opens", OPENERS)
@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.9, 0.999])
def test_a_file_cut_short_is_told_and_left_as_it_is(case, tmp_path, opens, share):
    path = journaled(tmp_path, case)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    assert_refused(path, "damaged", opens=opens)


HAND = {
    "reason": ("UPDATE {entries} SET reason = '\"x\"' WHERE number = 4", "entry 4 was changed by"),
    "at": ("UPDATE {entries} SET at = at + 1 WHERE number = 2", "entry 2 was changed by hand"),
    "state": (
        "UPDATE {entries} SET state_sha256 = previous_sha256 WHERE number = 5",
        "entry 5 was changed by hand",
    ),
    "gone": ("DELETE FROM {entries} WHERE number = 3", "entry 3 is missing, the next is 4"),
    "hash": (
        "UPDATE {entries} SET sha256 = repeat('0', 64) WHERE number = 4",
        "entry 4 was changed by hand",
    ),
}
HEADS = {
    "file": {
        "seed": ("UPDATE meta SET value = '0' WHERE name = 'seed'", "the head, which was changed"),
        "scenario": ("UPDATE scenario SET plain = x'789c33040000320032'", "scenario was changed"),
    },
    "database": {
        "seed": (
            (
                'UPDATE averse.journals SET meta = regexp_replace(meta, \'"seed":"[0-9a-f]*\', '
                '\'"seed":"0\') WHERE true'
            ),
            "the head, which was changed",
        ),
        "scenario": (
            r"UPDATE averse.journals SET scenario = '\x789c33040000320032' WHERE true",
            "scenario was changed",
        ),
    },
}


@pytest.mark.parametrize("opens", OPENERS)
@pytest.mark.parametrize("what", [*HAND, "seed", "scenario"])
def test_a_journal_edited_by_hand_is_told_with_the_entry_and_the_hashes(
    case, store, tmp_path, what, opens
):
    path = journaled(tmp_path, case, store)
    change, says = {**HAND, **HEADS[store.name]}[what]
    store.spoil(tmp_path, change)
    assert_refused(path, says, "…", opens=opens)


def test_a_journal_that_lost_its_seed_is_told(case, store, tmp_path):
    path = journaled(tmp_path, case, store)
    store.force(tmp_path, *store.without_seed)
    assert_refused(path, "lacks seed", "by hand")


def test_a_chain_forged_anew_is_found_by_playing_it_again(case, store, tmp_path):
    path = journaled(tmp_path, case, store)
    record = read_journal(path)
    changes, previous = [], head_hash(record.meta)
    for entry in record.entries:
        state = "0" * 64 if entry.number == 3 else entry.state_sha256
        parts = (*astuple(entry)[:7], state, previous)
        previous = entry_hash(*parts)
        changes.append(
            f"UPDATE {store.entries} SET state_sha256 = '{state}', previous_sha256 = "
            f"'{parts[-1]}', sha256 = '{previous}' WHERE number = {entry.number} {store.its}"
        )
    store.force(tmp_path, *changes)
    forged = read_journal(path)
    family = family_of(forged, ALL)
    with pytest.raises(JournalError, match=r"entry 3 .* the journal says 000000000000…"):
        list(replayed(forged, family, scenario_of(forged, family)))
    with pytest.raises(JournalError, match="entry 3 "):
        LiveExercise(path, ALL)
    open_journal(path).close()  # the failure let go of it


def test_a_journal_of_other_rules_says_why_it_is_not_replayed(tmp_path):
    path = journaled(tmp_path, CASES["flood"])
    record = read_journal(path)

    class Later(FloodFamily):
        rules_version = "9.0"
        replays = frozenset({"9.0"})

    with pytest.raises(JournalError, match=r"by rules .*, this averse plays rules 9.0") as told:
        family_of(record, {"flood": Later()})
    assert record.meta["averse"] in str(told.value)
    Later.replays = frozenset({"9.0", FLOOD.rules_version})
    later = family_of(record, {"flood": Later()})
    assert len(list(replayed(record, later, scenario_of(record, later)))) == len(record.entries)
    with pytest.raises(JournalError, match="the family 'flood', this averse plays watch"):
        family_of(record, {"watch": ALL["watch"]})


def test_the_bodies_are_in_the_words_of_an_order_file(tmp_path):
    record = read_journal(journaled(tmp_path, CASES["flood"]))
    first = json.loads(record.entries[0].body)
    assert first == {"order": "forecast", "cells": ["0102", "0103", "0204"]}
    assert record.entries[2].reason == "eau « basse »"
    assert record.entries[1].body == "null"


def test_the_recipe_of_the_documentation_finds_the_last_hash(tmp_path, capsys, monkeypatch):
    (tmp_path / "exercise").mkdir()
    path = journaled(tmp_path / "exercise", CASES["flood"])
    text = (ROOT / "docs" / "journal.md").read_text(encoding="utf-8")
    (recipe,) = re.findall(r"```python\n(.*?)```", text, re.S)
    monkeypatch.chdir(tmp_path)
    exec(compile(recipe, "journal.md", "exec"), {})
    assert capsys.readouterr().out.strip() == read_journal(path).last_sha256
    FILES.force(path.parent, "UPDATE entries SET at = 5 WHERE number = 3")
    with pytest.raises(AssertionError, match="entry 3"):
        exec(compile(recipe, "journal.md", "exec"), {})


# ------------------------------------------------------------------------------ a file taken away
def swapped(path):
    """A sync client's or a backup's own copy takes the place of the file."""
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    copy.replace(path)


@pytest.mark.parametrize("taken", [Path.unlink, swapped])
def test_nothing_is_acknowledged_once_the_file_is_not_the_one_that_was_opened(
    case, taken, tmp_path
):
    path = begun(tmp_path, case)
    with LiveExercise(path, ALL) as live:
        for step in case.steps[:3]:
            give(live, step)
        stood = live.state
        taken(path)
        with pytest.raises(JournalError, match="moved, deleted or replaced while it was open"):
            give(live, case.steps[3])
        assert live.state == stood
        last = live.journal.last_sha256
    saved = tmp_path / SAVED.format(number=1)
    if taken is swapped:  # what lies beside it is read with it: nothing was lost
        assert not saved.exists()
    else:
        assert live.journal.left is not None
        assert sorted(path.name for path in tmp_path.iterdir()) == [saved.name]
        saved.rename(path)
    assert (len(read_journal(path).entries), read_journal(path).last_sha256) == (3, last)
    with LiveExercise(path, ALL) as live:
        give(live, case.steps[3])


def test_what_took_the_place_of_a_journal_is_left_alone_and_the_journal_kept_beside_it(tmp_path):
    case = CASES["flood"]
    path, other = begun(tmp_path, case), tmp_path / "other.sqlite"
    begin(other, case.family, case.scenario, seed_of(9), {})
    before = other.read_bytes()
    with LiveExercise(path, ALL) as live:
        for step in case.steps[:3]:
            give(live, step)
        other.replace(path)
        last = live.journal.last_sha256
    assert path.read_bytes() == before
    assert read_journal(path).entries == ()
    assert read_journal(tmp_path / SAVED.format(number=1)).last_sha256 == last


def test_a_folder_that_is_away_for_a_while_loses_nothing(tmp_path):
    case, folder = CASES["flood"], tmp_path / "exercise"
    folder.mkdir()
    path = begun(folder, case)
    with LiveExercise(path, ALL) as live:
        give(live, case.steps[0])
        folder.rename(tmp_path / "away")
        with pytest.raises(JournalError, match="moved, deleted or replaced"):
            give(live, case.steps[1])
        (tmp_path / "away").rename(folder)
        give(live, case.steps[1])
    assert contents(folder).keys() == {JOURNAL}
    assert len(read_journal(path).entries) == 2


# ------------------------------------------------------------------------------ a good chain
def rewritten(path, number, **changed):
    """Entries changed by one who computes the chain anew."""
    record = read_journal(path)
    with closing(sqlite3.connect(path)) as db:
        for (name,) in db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute("DELETE FROM entries")
        previous = head_hash(record.meta)
        for entry in record.entries:
            if entry.number == number:
                entry = replace(entry, **changed)
            entry = replace(entry, previous_sha256=previous)
            previous = entry_hash(*astuple(entry)[:-1])
            entry = replace(entry, sha256=previous)
            db.execute("INSERT INTO entries VALUES (?,?,?,?,?,?,?,?,?,?)", astuple(entry))
        db.commit()


@pytest.mark.parametrize(
    ("number", "changed", "word"),
    [
        *[(1, {"body": body}, "its order cannot be read") for body in ("{", "[" * 100_000)],
        (1, {"body": '{"order": "alert", "radius": ' + "9" * 5000 + "}"}, "cannot be read"),
        (2, {"body": "{}"}, "a step of time has no side"),
        (2, {"body": "["}, "a step of time has no side"),
        (2, {"side": "team"}, "a step of time has no side"),
        (2, {"seat": "director"}, "a step of time has no side"),
        (2, {"reason": "tide"}, "a step of time has no side"),
    ],
)
def test_an_entry_rewritten_with_its_chain_is_told_in_one_sentence(number, changed, word, tmp_path):
    path = journaled(tmp_path, CASES["flood"])
    rewritten(path, number, **changed)
    record = read_journal(path)
    family = family_of(record, ALL)
    with pytest.raises(JournalError, match=rf"entry {number} .*{word}") as told:
        list(replayed(record, family, scenario_of(record, family)))
    assert len(str(told.value)) < 500
