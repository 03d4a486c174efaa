"""Every rule has a mutant, and its tests kill it: a part of them here, all by ``make mutants``."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.mutants.part import part_of
from tests.mutants.registry import MUTANTS
from tests.rule_numbers import ROWS, RULES

ROOT = Path(__file__).parent.parent
PARTS = 12
"""A part takes some 20 seconds; a change of the engine tries another."""

SCRIPT = """
import sys
from tests.mutants.changes import asset, entry, row, swap, text, value
from tests.mutants.part import part_of
from tests.mutants.registry import MUTANTS
from tests.mutants.run import load_libraries, try_all
from tests.rules_without_test import numbered_tests
load_libraries()
R = "sim.rules:"
made_for_this = (
    value("3.4", R + "PUMPED_MM", 200),
    value("15.1", R + "PUMPED_MM", 200),
    value("3.4", R + "PUMPED_CM", 18),
    value("3.4", R + "PUMPED_MM", 180),
    row("4", R + "WATERS", "Water.DRY", from_mm=1),
    entry("3.3", R + "DEPTH_FACTOR_TENTHS", "Structure.ROOF", 3),
    text("12.2", "sim.world", "water <= Water.BLOCKING", "False"),
    text("12.2", "sim.paths", "def reachable", "def reached"),
    asset("16", "no such text in any script", ""),
    swap("99", "sim.score:score", lambda plain: plain),
)
part = part_of([mutant for mutant in MUTANTS if not mutant.slow], int(sys.argv[1]))
for verdict in try_all((*made_for_this, *part), numbered_tests()):
    print(verdict)
"""
MADE_FOR_THIS = 10


@pytest.fixture(scope="module")
def verdicts():
    """Lines on mutants made for these tests, then on a part of the registry's."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(PARTS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [
        line for line in done.stdout.splitlines() if re.match("killed|SURVIVED|NOT TRIED", line)
    ]


def test_every_rule_and_every_row_has_a_mutant():
    mutants = Counter((mutant.rule, mutant.row) for mutant in MUTANTS)
    for number, key in ROWS:
        # a rule with rows is broken row by row
        assert mutants[number, key] or (not key and RULES[number]), (number, key)
    assert set(mutants) <= set(ROWS)


def test_the_parts_are_all_mutants():
    fast = [mutant for mutant in MUTANTS if not mutant.slow]
    part = part_of(fast, PARTS)
    assert len(part) in (len(fast) // PARTS, len(fast) // PARTS + 1)
    assert sum(len(fast[first::PARTS]) for first in range(PARTS)) == len(fast)


@pytest.mark.xdist_group("mutants")
def test_a_mutant_that_survives_or_no_longer_applies_is_told(verdicts):
    told = verdicts[:MADE_FOR_THIS]
    assert told[0].startswith("killed    3.4")
    assert told[1].startswith("SURVIVED  15.1")
    assert all("it no longer applies, mend it in the registry" in line for line in told[2:9])
    assert "no test of rule 99 could run" in told[9]


@pytest.mark.xdist_group("mutants")
def test_a_part_of_the_mutants_is_killed(verdicts):
    part = verdicts[MADE_FOR_THIS:]
    assert len(part) >= len([mutant for mutant in MUTANTS if not mutant.slow]) // PARTS
    assert [line for line in part if not line.startswith("killed")] == []
