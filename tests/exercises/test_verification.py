"""averse replay and averse verify: an exercise computed again from its journal, and compared."""

import csv
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from exercises.chain import ExerciseOptions, play_exercise
from exercises.cli import EXIT_USER_FAULT, main
from exercises.exercise_folder import EXERCISE, summary_of
from exercises.family import Envelope
from exercises.journal import JOURNAL, read_journal
from exercises.live import LiveExercise
from exercises.verification import replay_exercise, verify_exercise
from gis.wording import MINUS
from sim.orders import Alert
from tests.exercises.family_cases import ALL, CASES, play
from tests.gis import hand_pack
from tests.strategies import seed_of

ROOT = Path(__file__).parent.parent.parent
SEED = seed_of(5)
TURNS = 6
SETTINGS = ("--seed", SEED, "--level", "5", "--turns", str(TURNS), "--player", "alert-everyone")


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    return hand_pack.write_hand_pack(tmp_path_factory.mktemp("pack") / "pack")


@pytest.fixture(scope="module")
def whole(pack, tmp_path_factory):
    out = tmp_path_factory.mktemp("whole") / "exercise"
    play_exercise(
        pack, out, ExerciseOptions(seed=SEED, level=5, turns=TURNS, player="alert-everyone")
    )
    return out


@pytest.fixture
def exercise(whole, tmp_path):
    return Path(shutil.copytree(whole, tmp_path / "exercise"))


@pytest.fixture
def averse(capsys, monkeypatch):
    """The command in this process: its status, what it printed, what it complained of."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["averse", *map(str, arguments)])
        try:
            main()
            status = 0
        except SystemExit as ended:
            status = ended.code or 0
        out, err = capsys.readouterr()
        return status, out, err

    return run


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def assert_refused(done, *words):
    status, _, err = done
    assert status == EXIT_USER_FAULT
    assert "Traceback" not in err
    sentence = err.strip().splitlines()[-1]
    for word in words:
        assert word in sentence


def cut_after(exercise, entries):
    """The exercise as a crash left it: so many entries, nothing finished."""
    record = read_journal(exercise / JOURNAL)
    with closing(sqlite3.connect(exercise / JOURNAL)) as db:
        db.execute("DROP TRIGGER entries_no_delete")
        db.execute("DELETE FROM entries WHERE number > ?", (entries,))
        db.execute(
            "CREATE TRIGGER entries_no_delete BEFORE DELETE ON entries "
            "BEGIN SELECT raise(ABORT, 'a journal is only added to'); END"
        )
        db.commit()
    for name in ("scores.json", "scores.csv", "events.jsonl", "orders.jsonl", "map.html"):
        (exercise / name).unlink()
    summary = json.loads((exercise / EXERCISE).read_text())
    (exercise / EXERCISE).write_text(json.dumps({**summary, "finished": False}))
    return record.entries


# ------------------------------------------------------------------------------ what is right
def test_verify_says_what_it_computed_again(averse, exercise):
    before = contents(exercise)
    status, out, err = averse("verify", exercise)
    summary = json.loads((exercise / EXERCISE).read_text())
    entries = len(read_journal(exercise / JOURNAL).entries)
    assert (status, err) == (0, "")
    assert out.startswith(
        f"verified: {entries} entries, {TURNS} turns, state {summary['state_sha256'][-1]}"
    )
    for name in ("scores.json", "scores.csv", "events.jsonl", "orders.jsonl"):
        assert name in out
    assert contents(exercise) == before


def test_replay_writes_the_same_files_and_shows_any_turn(averse, exercise, tmp_path):
    summary = json.loads((exercise / EXERCISE).read_text())
    again = tmp_path / "again"
    status, out, _ = averse("replay", exercise, "--out", again)
    assert status == 0
    assert summary["state_sha256"][-1] in out
    assert sorted(contents(again)) == ["events.jsonl", "orders.jsonl", "scores.csv", "scores.json"]
    for name, kept in contents(again).items():
        assert kept == (exercise / name).read_bytes()
    for turn in (0, 3, TURNS + 1):
        status, out, _ = averse("replay", exercise, "--turn", turn)
        assert summary["state_sha256"][turn] in out
    points = json.loads((exercise / "scores.json").read_text())["points"]
    assert f"{points:,} points".replace("-", MINUS) in out
    assert_refused(averse("replay", exercise, "--turn", 99), "never stood at turn 99", "0 to 7")


def test_the_journal_alone_is_enough(averse, exercise, tmp_path):
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(exercise / JOURNAL, alone)
    summary = json.loads((exercise / EXERCISE).read_text())
    assert replay_exercise(alone).state_sha256 == summary["state_sha256"][-1]
    assert not verify_exercise(alone).finished


def test_an_exercise_of_another_family_is_replayed_and_verified(tmp_path):
    from exercises.live import begin

    case = CASES["watch"]
    begin(tmp_path / JOURNAL, case.family, case.scenario, case.seed, {})
    with LiveExercise(tmp_path / JOURNAL, ALL) as live:
        for step in case.steps:
            live.give(step) if isinstance(step, Envelope) else live.advance(step)
    states, _ = play(case)
    verified = verify_exercise(tmp_path, ALL)
    assert verified.replayed.state == states[-1]
    assert replay_exercise(tmp_path, 20, ALL).state.opened == (("blue", 14), ("red", 9))


# ------------------------------------------------------------------------------ going on
@pytest.mark.parametrize("entries", [0, 1, 4, 5, 9])
def test_an_exercise_cut_short_goes_on_to_the_same_end(averse, pack, exercise, whole, entries):
    every = cut_after(exercise, entries)
    assert len(every) > 10
    status, out, _ = averse("verify", exercise)
    assert status == 0
    assert ("1 entry," if entries == 1 else f"{entries} entries,") in out
    assert "not over" in out
    assert_refused(averse("play", pack, "--out", exercise), "not finished", "--resume")
    status, _, err = averse("play", pack, "--out", exercise, "--resume")
    assert status == 0, err
    assert contents(exercise).keys() == contents(whole).keys()
    for name, kept in contents(whole).items():
        if name != JOURNAL:
            assert (exercise / name).read_bytes() == kept
    assert read_journal(exercise / JOURNAL).entries == every


def test_a_finished_exercise_is_neither_replaced_nor_gone_on_with(averse, pack, exercise):
    before = contents(exercise)
    assert_refused(averse("play", pack, "--out", exercise, *SETTINGS), "finished exercise", "--out")
    assert_refused(averse("play", pack, "--out", exercise, "--resume"), "finished exercise")
    assert contents(exercise) == before


def test_what_cannot_be_resumed_is_told(averse, pack, exercise, tmp_path):
    assert_refused(averse("play", pack, "--out", tmp_path / "none", "--resume"), "no exercise was")
    cut_after(exercise, 5)
    before = contents(exercise)
    for option, value in (("--seed", SEED), ("--hour", "14"), ("--turns", "6"), ("--level", "5")):
        assert_refused(
            averse("play", pack, "--out", exercise, "--resume", option, value),
            f"{option} was settled when the exercise began",
        )
    assert_refused(
        averse("play", pack, "--out", exercise, "--resume", "--player", "do-nothing"),
        "order 1 of turn 1 is not the one that the exercise was played with",
    )
    other = hand_pack.write_hand_pack(tmp_path / "other", hand_pack.district(name="Ailleurs"))
    assert_refused(
        averse("play", other, "--out", exercise, "--resume"),
        "was begun on district 'Essai'",
        "the pack given is 'Ailleurs'",
    )
    assert contents(exercise) == before


def test_a_second_process_is_told_that_the_exercise_is_played(pack, exercise):
    cut_after(exercise, 5)
    with LiveExercise(exercise / JOURNAL) as live:
        done = subprocess.run(
            [sys.executable, "-m", "exercises.cli", "play", pack, "--out", exercise, "--resume"],
            capture_output=True,
            text=True,
            cwd=ROOT,
        )
        assert done.returncode == EXIT_USER_FAULT
        assert "in use by another process; close the exercise there first" in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1
        assert verify_exercise(exercise).replayed.state_sha256 == live.family.state_hash(live.state)
        live.give(Envelope("team", "", 1, Alert(turn=1, centre=12, radius=1)))
    assert len(read_journal(exercise / JOURNAL).entries) == 6


# ------------------------------------------------------------------------------ what is wrong
def test_verify_tells_the_first_file_and_line_that_differ(averse, exercise):
    events = exercise / "events.jsonl"
    lines = events.read_text(encoding="utf-8").splitlines(keepends=True)
    lines[4] = lines[4].replace('"turn"', '"Turn"')
    events.write_text("".join(lines), encoding="utf-8")
    assert_refused(averse("verify", exercise), str(events), "line 5", "changed since")
    events.unlink()
    assert_refused(averse("verify", exercise), str(events), "cannot be read")


def test_verify_tells_a_score_that_was_bettered(averse, exercise):
    scores = json.loads((exercise / "scores.json").read_text(encoding="utf-8"))
    text = json.dumps({**scores, "points": scores["points"] + 1}, ensure_ascii=False, indent=2)
    (exercise / "scores.json").write_text(text + "\n", encoding="utf-8")
    assert_refused(averse("verify", exercise), "scores.json, line", "not what the journal leads to")


def test_verify_and_replay_tell_entries_that_were_cut_off_the_end(averse, exercise):
    summary = (exercise / EXERCISE).read_text()
    entries = len(read_journal(exercise / JOURNAL).entries)
    cut_after(exercise, entries - 2)
    (exercise / EXERCISE).write_text(summary)
    for command in (
        ("verify", exercise),
        ("replay", exercise),
        ("replay", exercise, "--turn", 2),
        ("replay", exercise, "--log"),
    ):
        assert_refused(
            averse(*command),
            f"ends at entry {entries - 2}",
            f"finished at entry {entries}",
            "entries are missing",
        )


def test_verify_tells_a_state_that_exercise_json_does_not_have(averse, exercise):
    summary = json.loads((exercise / EXERCISE).read_text())
    summary["state_sha256"][3] = "0" * 64
    (exercise / EXERCISE).write_text(json.dumps(summary))
    assert_refused(averse("verify", exercise), "the state of turn 3", "000000000000…")
    del summary["state_sha256"][3:]
    (exercise / EXERCISE).write_text(json.dumps(summary))
    assert_refused(averse("verify", exercise), "states are missing")


@pytest.mark.parametrize("kept", [None, 0, 1.5, "x", {}, [None], [[]]])
def test_verify_tells_states_that_are_none(averse, exercise, kept):
    summary = json.loads((exercise / EXERCISE).read_text())
    (exercise / EXERCISE).write_text(json.dumps({**summary, "state_sha256": kept}))
    assert_refused(averse("verify", exercise), "exercise.json was changed by hand")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a": ' * 900, "null", "\x00", '{"\\ud800": 0}'])
def test_an_exercise_json_that_cannot_be_read_says_nothing(averse, exercise, text):
    (exercise / EXERCISE).write_text(text)
    assert summary_of(exercise).keys() <= {"\ufffd"}
    assert averse("verify", exercise)[0] == 0


def test_replay_and_verify_of_nothing_are_told(averse, tmp_path):
    for command in ("replay", "verify"):
        assert_refused(averse(command, tmp_path / "none"), "no exercise was begun there")
        assert_refused(averse(command, tmp_path), "no exercise was begun there")


def test_the_files_of_an_exercise_that_is_not_over_are_not_written(averse, exercise, tmp_path):
    cut_after(exercise, 5)
    assert_refused(averse("replay", exercise, "--out", tmp_path / "again"), "not played to its end")
    assert not (tmp_path / "again").exists()


def test_the_same_journal_verifies_whatever_the_hash_seed(exercise):
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "exercises.cli", "verify", exercise],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        )
        for hash_seed in ("0", "random")
    ]
    said = {process.communicate()[0] for process in running}
    assert [process.returncode for process in running] == [0, 0]
    assert len(said) == 1


@pytest.fixture(scope="module")
def french(pack, tmp_path_factory):
    out = tmp_path_factory.mktemp("french") / "exercice"
    play_exercise(pack, out, ExerciseOptions(seed=SEED, level=5, turns=TURNS, lang="fr"))
    return out


def test_what_is_printed_is_in_the_language_of_the_exercise_unless_told(french, averse):
    _, shown, _ = averse("replay", french)
    assert re.search(r"tour +7 \(la fin\)", shown)
    assert replay_exercise(french).state_sha256 in shown.replace("\n", "").replace(" ", "")
    assert averse("verify", french)[1].startswith("vérifié\xa0: ")
    assert averse("verify", french, "--lang", "en")[1].startswith("verified: ")


def test_the_event_log_is_what_a_side_saw_in_a_language(whole, french, averse):
    def log(*arguments):
        status, shown, _ = averse("replay", *arguments, "--log")
        assert status == 0
        between = ";" if shown.partition("\n")[0].count(";") else ","
        return list(csv.reader(io.StringIO(shown.removeprefix("\ufeff")), delimiter=between))

    assert log(french)[0] == ["tour", "heure", "règle", "événement"]
    team, everything = log(whole), log(whole, "--side", "instructor")
    assert team[0] == ["turn", "time", "rule", "what happened"]
    assert any(line[3].startswith("Order: alert within") for line in team)
    assert len(everything) > len(team) > 1
    assert [line[:3] + line[4:] for line in everything if line[3] == "yes"] == team[1:]
    assert {line[0] for line in log(whole, "--turn", "3")[1:]} == {"1", "2"}
    french_log = log(whole, "--lang", "fr")
    assert len(french_log) == len(team)
    assert any(line[3].startswith("Ordre\xa0: alerter au pinceau") for line in french_log)


def test_the_players_and_the_orders_are_compared_and_shown_in_french(pack, averse, tmp_path):
    status, shown, _ = averse("compare", pack, "--seeds", 1, "--turns", 3, "--lang", "fr")
    assert status == 0
    assert "joueur" in shown
    assert max(map(len, shown.splitlines())) <= 80
    shown = averse("orders", "--lang", "fr")[1]
    assert "Fermer un abri" in shown
    assert "liaison, par ses deux hexagones" in shown
    status, shown, _ = averse(
        "play", pack, "--out", tmp_path / "joué", "--lang", "fr", *SETTINGS, "--turns", 3
    )
    assert status == 0
    assert "Exercice sur Essai" in shown
    assert "nécessaire et fait" in shown


def test_a_faulty_file_of_orders_is_told_in_the_language_of_the_exercise(pack, averse, tmp_path):
    orders = tmp_path / "ordres.jsonl"
    orders.write_text('{"turn": 1, "order": "close_shelter", "shelter": "Nulle part"}\n')
    status, _, told = averse(
        "play", pack, "--out", tmp_path / "joué", "--orders", orders, "--lang", "fr"
    )
    assert status == EXIT_USER_FAULT
    assert 'ligne 1\xa0: «\xa0shelter\xa0» vaut "Nulle part", qui n\'est pas un abri' in told
    assert not (tmp_path / "joué").exists()
