"""The process is killed at any point of a game: nothing acknowledged is lost, no turn is half."""

import json
import os
import random
import shutil
import time

import pytest

from exercises.chain import ExerciseOptions, play_exercise
from exercises.exercise_folder import EXERCISE
from exercises.family import Envelope
from exercises.flood_family import FLOOD
from exercises.journal import COMPANIONS, JOURNAL, read_journal
from exercises.journaled_play import play_on
from exercises.live import LiveExercise, begin
from exercises.verification import verify_exercise
from sim.orders import Alert, DoorToDoor, Forecast, Move, Withdraw
from sim.state import state_hash
from sim.turn import replay
from tests.exercises.forked import CAN_FORK, forked
from tests.gis.hand_pack import write_hand_pack
from tests.strategies import seed_of, synthetic_district, synthetic_world

pytestmark = pytest.mark.skipif(not CAN_FORK, reason="a process is copied and killed: Linux")

GAMES = int(os.environ.get("AVERSE_CRASH_GAMES", "15"))
"""`make fuzz` asks for 200."""
TURNS = 6


def game(number):
    """A short game on a small town, with orders of every kind, refused ones among them."""
    rng = random.Random(number)
    world = synthetic_world(synthetic_district(6, 5, number), 5, number, turns=TURNS)
    n = world.district.sheet.n_hexes
    orders = {0: (Forecast(turn=0, cells=(1, 2)),)}
    for turn in range(1, TURNS + 1):
        orders[turn] = tuple(
            rng.choice(
                (
                    Alert(turn=turn, centre=rng.randrange(n), radius=1, reason="« eau »"),
                    Move(turn=turn, unit=f"patrol-{rng.randint(1, 5)}", to=rng.randrange(n)),
                    DoorToDoor(turn=turn, unit="patrol-1", cell=rng.randrange(n)),
                    Withdraw(turn=turn, number=rng.randint(1, 3)),
                )
            )
            for _ in range(rng.randint(0, 6))
        )
    return world, orders


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    """Compile what is compiled once, before processes are copied."""
    replay(*game(0))


class _Telling(LiveExercise):
    """Tells what is acknowledged, once it is."""

    tell = None

    def give(self, order: Envelope):
        events = super().give(order)
        self.tell(f"{self.journal.entries} {self.journal.last_sha256}")
        return events

    def advance(self, to):
        events = super().advance(to)
        self.tell(f"{self.journal.entries} {self.journal.last_sha256}")
        return events


def play_telling(path, orders, tell):
    with _Telling(path) as live:
        live.tell = tell
        play_on(live, orders)


def begun(folder, world):
    folder.mkdir()
    begin(folder / JOURNAL, FLOOD, world, world.seed, {})
    return folder / JOURNAL


def acknowledged(lines):
    """Number and hash of what was told whole: a killed process may stop within a line."""
    whole = (line.split() for line in lines)
    return {int(parts[0]): parts[1] for parts in whole if len(parts) == 2 and len(parts[1]) == 64}


def assert_goes_on_as_if_nothing_had_happened(path, world, orders, whole):
    """What is held is a part of the whole game, and playing on makes it whole."""
    held = read_journal(path).entries
    assert held == whole[: len(held)]
    with LiveExercise(path) as live:
        played = play_on(live, orders)
    assert read_journal(path).entries == whole
    assert [state_hash(s) for s in played.states] == [
        state_hash(s) for s in replay(world, orders)[0]
    ]
    return len(held)


@pytest.mark.parametrize("part", range(5))
def test_killed_at_random_points_nothing_acknowledged_is_lost(tmp_path, part):
    rng = random.Random(part)
    cut = 0
    for number in range(part, GAMES, 5):
        world, orders = game(number)
        path = begun(tmp_path / f"whole {number}", world)
        at = time.perf_counter()
        assert len(forked(lambda tell, p=path, o=orders: play_telling(p, o, tell))) > TURNS
        lasts_s = time.perf_counter() - at
        whole = read_journal(path).entries
        path = begun(tmp_path / f"killed {number}", world)
        kills = 0
        while kills < 3:  # killed, resumed, killed again
            lines = forked(
                lambda tell, p=path, o=orders: play_telling(p, o, tell),
                kill_after_s=rng.uniform(0, lasts_s),
            )
            kills += 1
            told = acknowledged(lines)
            held = {entry.number: entry.sha256 for entry in read_journal(path).entries}
            assert told.items() <= held.items()
            assert len(held) - max(told, default=len(held)) <= 1  # on the disk, not yet told
        held = assert_goes_on_as_if_nothing_had_happened(path, world, orders, whole)
        cut += held < len(whole)
    if GAMES >= 100:
        assert cut > 0


def test_what_was_being_written_when_the_power_went_is_there_whole_or_not_at_all(tmp_path):
    world, orders = game(3)
    rng = random.Random(3)
    whole_path = begun(tmp_path / "whole", world)
    with LiveExercise(whole_path) as live:
        play_on(live, orders)
        crashed = tmp_path / "crashed"
        crashed.mkdir()
        for end in ("", *COMPANIONS):  # as a crash leaves it: nothing is closed
            beside = whole_path.with_name(JOURNAL + end)
            if beside.exists():
                shutil.copy(beside, crashed)
    whole = read_journal(whole_path).entries
    log = (crashed / (JOURNAL + "-wal")).read_bytes()
    seen = set()
    for number in range(max(12, GAMES // 4)):
        copy = shutil.copytree(crashed, tmp_path / f"torn {number}")
        torn = log[: rng.randrange(len(log))]
        (copy / (JOURNAL + "-wal")).write_bytes(torn + rng.randbytes(rng.choice((0, 512))))
        seen.add(assert_goes_on_as_if_nothing_had_happened(copy / JOURNAL, world, orders, whole))
    assert len(seen) > 3
    assert max(seen) < len(whole)


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    return write_hand_pack(tmp_path_factory.mktemp("pack") / "pack")


def test_a_whole_chain_killed_again_and_again_ends_as_if_it_had_not_been(pack, tmp_path):
    options = ExerciseOptions(seed=seed_of(5), level=5, turns=8, player="alert-everyone")
    at = time.perf_counter()
    play_exercise(pack, tmp_path / "whole", options)
    lasts_s = time.perf_counter() - at
    rng = random.Random(1)
    out = tmp_path / "killed"
    again = ExerciseOptions(resume=True)

    def finished():
        return (out / EXERCISE).exists() and json.loads((out / EXERCISE).read_text())["finished"]

    def work(tell):
        play_exercise(pack, out, again if (out / JOURNAL).exists() else options)

    for _ in range(3):
        if not finished():
            forked(work, kill_after_s=rng.uniform(0.2, 0.9) * lasts_s)
    if not finished():  # the last run may have been through before it was killed
        work(None)
    verified = verify_exercise(out)
    assert verified.finished
    assert verified.replayed.record.entries == read_journal(tmp_path / "whole" / JOURNAL).entries
    for name in (EXERCISE, "scores.json", "events.jsonl", "orders.jsonl", "map.html"):
        assert (out / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert sorted(os.listdir(out)) == sorted(os.listdir(tmp_path / "whole"))
