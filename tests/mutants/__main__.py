"""``python -m tests.mutants [RULE or RULE ROW ...]``: tries all mutants, or those of some rules.

Ends with status 1 where one survives or could not be tried.
"""

import argparse
import sys
import time

from tests.mutants.part import part_of
from tests.mutants.registry import MUTANTS
from tests.mutants.run import load_libraries, try_all
from tests.rules_without_test import numbered_tests


def main() -> int:
    """Try mutants, print each verdict as it falls; the exit status."""
    parser = argparse.ArgumentParser(prog="tests.mutants", description=__doc__.split("\n")[0])
    parser.add_argument("rules", nargs="*", help="9.4, or '9.4 siren' [default: all]")
    parser.add_argument("--parts", type=int, default=1, help="try one of so many parts")
    asked = parser.parse_args()
    chosen = [
        mutant
        for mutant in MUTANTS
        if not asked.rules or {mutant.rule, f"{mutant.rule} {mutant.row}"} & set(asked.rules)
    ]
    if asked.parts > 1:
        chosen = part_of([mutant for mutant in chosen if not mutant.slow], asked.parts)
    load_libraries()
    begun, failed = time.perf_counter(), 0
    for verdict in try_all(chosen, numbered_tests()):
        print(verdict, flush=True)
        failed += not verdict.killer
    seconds = time.perf_counter() - begun
    print(f"{len(chosen)} mutants, {failed} not killed, {seconds:.0f} s")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
