"""§14 Timer: off unless asked for; at zero the turn is resolved with the orders given."""

import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import replace

import pytest

from exercises.flood_family import FLOOD
from exercises.journal import JOURNAL, Kind, read_journal
from exercises.live import LiveExercise
from exercises.terminal import sit_down
from exercises.terminal.bell import Bell, TimeUpError
from exercises.verification import verify_exercise
from sim.rules import TIMERS, Timer
from sim.scenario import Scenario
from sim.seats import SIDES
from sim.state import state_hash
from sim.turn import replay
from tests.exercises.test_terminal import opened, world
from tests.strategies import dry_world, line_district, seed_of

PRINTED = {  # §14, seconds
    Timer.OFF: 0,
    Timer.COMFORTABLE: 120,
    Timer.TENSE: 90,
    Timer.REFLEX: 45,
}


def test_14_the_printed_times():
    assert {timer: row.seconds for timer, row in TIMERS.items()} == PRINTED


def test_14_off_by_default():
    assert Scenario().timer is Timer.OFF
    assert (
        FLOOD.view(FLOOD.start(dry_world(line_district()), seed_of(1)), "team", 0)["timer_s"] == 0
    )


@pytest.mark.parametrize("timer", Timer)
def test_14_every_player_s_view_says_how_long_a_turn_may_take(timer):
    played = replace(dry_world(line_district(), turns=2), scenario=Scenario(timer=timer))
    state = FLOOD.start(played, seed_of(1))
    for turn in range(4):
        # there is no time before turn 1, nor after the end
        expected = PRINTED[timer] if turn in (1, 2) else 0
        for side in set(SIDES) - {"instructor"}:
            assert FLOOD.view(state, side, turn)["timer_s"] == expected
        if turn < 3:
            state, _ = FLOOD.advance(state, turn + 1)


def test_14_the_engine_has_no_clock_the_timer_changes_no_state():
    plain = dry_world(line_district(), turns=3)
    timed = replace(plain, scenario=Scenario(timer=Timer.REFLEX))
    hashes = [[state_hash(state) for state in replay(one, {})[0]] for one in (plain, timed)]
    assert hashes[0] == hashes[1]
    written = FLOOD.scenario_to_plain(timed)
    assert FLOOD.scenario_from_plain(written).scenario.timer is Timer.REFLEX
    del written["scenario"]["timer"]  # as it was written before there was one
    assert FLOOD.scenario_from_plain(written).scenario.timer is Timer.OFF


# --------------------------------------------------------------------------- at the keyboard
class Typist:
    """Somebody who types lines, each after so many seconds, on a clock of their own."""

    def __init__(self, *lines):
        self.lines, self.now = list(lines), 1_000.0

    def clock(self):
        return self.now

    def readline(self):
        if not self.lines:
            return ""
        seconds, line = self.lines.pop(0)
        self.now += seconds
        return f"{line}\n"


def timed(folder, timer=Timer.REFLEX):
    return opened(folder, world(scenario=Scenario(timer=timer)))


def entries(folder):
    return [(e.kind, e.at) for e in read_journal(folder / JOURNAL).entries]


def test_14_at_zero_the_turn_is_resolved_with_the_orders_given(capsys, tmp_path):
    typist = Typist(
        (500, "end"),  # the forecast has no time
        (30, "alert 0304 1"),
        (14.9, "move 1 0405"),  # just in time
        (0.2, "move 2 0405"),  # too late: not given
        (44, "orders"),
        (0.5, "end"),  # ended by hand: the next turn has its whole time
        (44, "status"),
    )
    sit_down(timed(tmp_path), typist, typist.clock)
    assert entries(tmp_path) == [
        (Kind.ADVANCE, 1),
        (Kind.ORDER, 1),
        (Kind.ORDER, 1),
        (Kind.ADVANCE, 2),
        (Kind.ADVANCE, 3),
    ]
    said = capsys.readouterr().out
    assert said.count("Time is up: turn 1 is resolved with the orders given.") == 1
    assert "Timer: Reflex, 45 seconds a turn" in said
    assert "turn 1, 0:45>" in said
    assert "turn 1, 0:15>" in said
    # the journal alone leads to the same state, with no clock
    with LiveExercise(tmp_path / JOURNAL) as again:
        assert again.state.state.turn == 3


def test_14_nobody_there_every_turn_is_resolved_in_its_time(capsys, tmp_path):
    typist = Typist((1, "end"), *((46, "") for _ in range(4)))
    played = sit_down(timed(tmp_path), typist, typist.clock)
    assert played is not None
    assert capsys.readouterr().out.count("Time is up") == 4
    assert verify_exercise(tmp_path).replayed.is_over


def test_14_without_a_timer_nobody_is_hurried(capsys, tmp_path):
    typist = Typist(*((10_000, "end") for _ in range(5)))
    assert sit_down(timed(tmp_path, Timer.OFF), typist, typist.clock) is not None
    assert "Time is up" not in capsys.readouterr().out


def test_14_a_turn_taken_up_again_has_its_whole_time(capsys, tmp_path):
    first = Typist((1, "end"), (40, "quit"))
    sit_down(timed(tmp_path), first, first.clock)
    second = Typist((40, "alert 0304 1"), (4, "quit"))
    sit_down(timed(tmp_path), second, second.clock)
    assert entries(tmp_path) == [(Kind.ADVANCE, 1), (Kind.ORDER, 1)]


def test_14_in_french(capsys, tmp_path):
    there = opened(tmp_path, world(scenario=Scenario(timer=Timer.TENSE)), lang="fr")
    typist = Typist((1, "fin"), (91, "carte"))
    sit_down(there, typist, typist.clock)
    said = capsys.readouterr().out
    assert "Temps écoulé : le tour 1 est résolu avec les ordres donnés." in said.replace(
        "\xa0", " "
    )
    assert "tour 1, 1:30>" in said


def test_14_the_bell_rings_while_a_line_is_awaited():
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals reach the main thread alone")
    before = signal.getsignal(signal.SIGALRM)
    ours, theirs = os.pipe()
    unstick = threading.Timer(20, os.close, (theirs,))  # a bell that fails must not hang the tests
    unstick.start()
    bell = Bell()
    bell.wind(1)
    with os.fdopen(ours) as source:
        began = time.monotonic()
        with pytest.raises(TimeUpError):
            bell.ask(source.readline)
        assert 0.9 < time.monotonic() - began < 15
        with pytest.raises(TimeUpError):
            bell.ask(lambda: "too late")
        bell.wind(0)
        assert bell.left_s is None
        assert bell.ask(io.StringIO("now\n").readline) == "now\n"
    unstick.cancel()
    os.close(theirs)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_14_the_bell_rings_at_a_real_terminal_while_somebody_types(tmp_path):
    """A pseudo-terminal, real seconds: half a line is on the screen when the time is up."""
    timed(tmp_path)
    script = tmp_path / "sit.py"
    script.write_text(
        textwrap.dedent(f"""
            import sys
            from pathlib import Path
            from dataclasses import replace
            from types import MappingProxyType
            import sim.view
            from sim.rules import Timer
            sim.view.TIMERS = MappingProxyType({{
                timer: replace(row, seconds=2 * (timer is Timer.REFLEX))
                for timer, row in sim.view.TIMERS.items()
            }})
            from tests.exercises.test_terminal import opened
            from exercises.terminal import sit_down
            sit_down(opened(Path({str(tmp_path)!r})))
        """)
    )
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "PYTHONPATH": os.getcwd(), "TERM": "xterm"},
    ) as player:
        os.close(theirs)
        try:
            screen = Screen(ours)
            screen.wait("forecast>")
            os.write(ours, b"end\n")
            screen.wait("turn 1, 0:02>")
            os.write(ours, b"alert 0304 1\n")
            screen.wait("Order 1 taken")
            os.write(ours, b"alert 04")  # no Enter
            screen.wait("Time is up: turn 1")
            screen.wait("turn 2, 0:0[12]>")
            os.write(ours, b"quit\n")
            screen.wait("Saved at turn 2")
            assert player.wait(30) == 0
        finally:
            player.kill()
            os.close(ours)
    assert entries(tmp_path) == [(Kind.ADVANCE, 1), (Kind.ORDER, 1), (Kind.ADVANCE, 2)]
    assert "Traceback" not in screen.text


class Screen:
    """What a pseudo-terminal shows."""

    def __init__(self, handle):
        self.handle, self.text, self.read = handle, "", 0

    def wait(self, pattern, seconds=60):
        ends = time.monotonic() + seconds
        while (found := re.search(pattern, self.text[self.read :])) is None:
            ready, _, _ = select.select([self.handle], [], [], max(0.0, ends - time.monotonic()))
            assert ready, f"no {pattern!r} on the screen:\n{self.text}"
            self.text += os.read(self.handle, 65_536).decode()
        self.read += found.end()
