"""Which mutants a short run tries: others whenever the project changes."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.changes import Mutant

ENGINE = Path(__file__).parent.parent.parent / "sim"


def part_of(mutants: Sequence[Mutant], parts: int) -> list[Mutant]:
    """Every ``parts``-th mutant, from a place that a digest of the engine's source gives.

    So a state of the project always tries the same ones, and its next state others.
    """
    digest = hashlib.sha256()
    for path in sorted(ENGINE.glob("*.py")):
        digest.update(path.read_bytes())
    return list(mutants[digest.digest()[0] % parts :: parts])
