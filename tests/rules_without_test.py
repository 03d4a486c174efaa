"""The rules, row by row, beside the tests that carry their number.

``python -m tests.rules_without_test`` prints them, what has no test last, and ends with status 1
where a rule has none.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.rule_numbers import ROWS, numbers_in

TESTS = Path(__file__).parent


@dataclass(frozen=True)
class Numbered:
    """A test that carries the numbers of rules.

    Attributes
    ----------
    file : Path
    name : str
    numbers : tuple of str
        The rules' numbers, from its name.
    words : str
        Its name and what its parameters name, as ``_word_word_``, in lower case.
    """

    file: Path
    name: str
    numbers: tuple[str, ...]
    words: str

    def is_of(self, number: str, row: str) -> bool:
        """Whether it tests a rule, or a row of it."""
        return number in self.numbers and (not row or f"_{row}_" in self.words)


def numbered_tests(root: Path = TESTS) -> tuple[Numbered, ...]:
    """Every test below a folder that carries a rule's number, file by file."""
    return tuple(
        Numbered(path, node.name, numbers, _words_of(node))
        for path in sorted(root.rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and (numbers := numbers_in(node.name))
    )


def _words_of(test: ast.FunctionDef) -> str:
    named = [test.name, *(word for mark in test.decorator_list for word in _named_in(mark))]
    return "_" + "_".join(re.sub(r"\W+", "_", word.lower()) for word in named) + "_"


def _named_in(mark: ast.expr) -> Iterator[str]:
    if not ast.unparse(mark).startswith("pytest.mark.parametrize"):
        return
    for node in ast.walk(mark):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.Attribute):
            yield node.attr


def tests_by_row(tests: tuple[Numbered, ...]) -> dict[tuple[str, str], list[Numbered]]:
    """Return the tests of every rule built, and of every row of its tables."""
    return {row: [test for test in tests if test.is_of(*row)] for row in ROWS}


def without_test(tests: tuple[Numbered, ...]) -> list[str]:
    """Rules and rows that no test carries, as ``9.4 siren``."""
    return [f"{n} {row}".strip() for (n, row), found in tests_by_row(tests).items() if not found]


def main() -> int:
    """Print the table; the exit status."""
    tests = numbered_tests()
    for (number, row), found in tests_by_row(tests).items():
        heading = f"{number:5}{row}"
        for test in found or (None,):
            print(f"{heading:24}{test.name if test else '-'}")
            heading = ""
    missing = without_test(tests)
    print(f"\n{len(ROWS)} rules and rows, {len(tests)} tests; without a test: {len(missing)}")
    print(*missing, sep="\n")
    return int(bool(missing))


if __name__ == "__main__":
    sys.exit(main())
