"""The tables of texts in two columns: both said, with the same fields, French set as French is."""

import importlib
import re
import string
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FRENCH, ENGLISH = 0, 1


def tables() -> list[str]:
    """Modules that hold a table of texts, each a pair: French, English."""
    sign = "\n_WORDS: Mapping[str, tuple[str, str]] ="
    paths = [
        path for package in ("sim", "gis", "exercises") for path in (ROOT / package).rglob("*.py")
    ]
    return [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in sorted(paths)
        if sign in path.read_text(encoding="utf-8")
    ]


@pytest.fixture(params=tables())
def words(request):
    return importlib.import_module(request.param)._WORDS


def fields_in(text: str) -> set[str]:
    """Fields that show a value; a plural's choice of form may stand in one language alone."""
    parts = string.Formatter().parse(text)
    return {name for _, name, spec, _ in parts if name and "|" not in (spec or "")}


def test_both_languages_say_every_text_with_the_same_fields(words):
    faults = {
        key: pair
        for key, pair in words.items()
        if not all(pair) or fields_in(pair[FRENCH]) != fields_in(pair[ENGLISH])
    }
    assert faults == {}


def test_french_has_a_space_before_what_takes_one(words):
    badly = {
        key: said
        for key, (said, _) in words.items()
        if re.search(
            r"[^\s(.…][;!?](\s|$)|[^\s]:\s|«(?!\s)|(?<!\s)»", re.sub(r"\{.*?\}", "n", said)
        )
    }
    assert badly == {}


def test_there_are_tables():
    assert len(tables()) >= 5
