"""Every rule has a mutant, and its tests kill it: a part of them here, all by ``make mutants``."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

from tests.mutants.part import part_of
from tests.mutants.registry import MUTANTS
from tests.rule_numbers import ROWS, RULES

ROOT = Path(__file__).parent.parent
PARTS = 12
"""A part takes some 20 seconds; a change of the engine tries another."""

TRIED = """
from tests.mutants.changes import asset, entry, row, swap, text, value
from tests.mutants.run import load_libraries, try_all
from tests.rules_without_test import numbered_tests
load_libraries()
R = "sim.rules:"
for verdict in try_all((
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
), numbered_tests()):
    print(str(verdict).split()[0], verdict.ran > 0, verdict.trouble[:60])
"""


def python(*arguments):
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


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


def test_a_mutant_that_survives_or_no_longer_applies_is_told():
    done = python("-c", TRIED)
    gone = "NOT False it no longer applies, mend it in the registry: "
    told = done.stdout.splitlines()
    assert told[:2] == ["killed True ", "SURVIVED True "], done.stderr
    assert [line[: len(gone)] for line in told[2:9]] == [gone] * 7
    assert told[9].startswith("NOT False no test of rule 99 could run")


def test_a_part_of_the_mutants_is_killed():
    done = python("-m", "tests.mutants", "--parts", str(PARTS))
    assert done.returncode == 0, done.stdout + done.stderr
