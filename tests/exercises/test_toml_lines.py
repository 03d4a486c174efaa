"""Where the values of a TOML text stand: every one of them, on the line it is written on."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.toml_lines import NotTomlError, lines_of, toml_of


def places_of(value, place=()):
    """Places of all that is in a value that ``tomllib`` read."""
    found = {place} if place else set()
    pairs = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, part in pairs:
        found |= places_of(part, (*place, key))
    return found


SAMPLE = '''# a comment with [brackets] and "quotes"
hour = 8            # peak
"odd key" = "a # no comment"
teams = [
  "Red",            # first
  'Blue, or "not"',
]
text = """
turn = 1
[not.a.table]
""""
raw = \'\'\'
x = { y = 1 }\'\'\'
when = 1979-05-27 07:32:00
gathering = { hex = "2314", people = 5_000 }
deep.er.key = [[1, 2], [{ a = 1 }, { a = [] }]]
empty = ""
[storm.cell]
x_m = 1.5e3
[[injects]]
turn = 2
card = "jam"
[[injects]]

turn = 3
[injects.more]
why = true
[[injects.parts]]
n = 1
[[injects.parts]]
n = 2
'''


def test_every_place_has_its_line():
    found = lines_of(SAMPLE)
    assert set(found) == places_of(tomllib.loads(SAMPLE))
    line = {text.split()[0]: n for n, text in enumerate(SAMPLE.splitlines(), 1) if text.strip()}
    assert found[("hour",)] == 2
    assert found[("odd key",)] == 3
    assert found[("teams", 0)] == 5
    assert found[("teams", 1)] == 6
    assert found[("when",)] == line["when"]
    assert found[("gathering", "people")] == found[("gathering",)] == line["gathering"]
    assert found[("deep", "er", "key", 1, 1, "a")] == line["deep.er.key"]
    assert found[("injects", 0, "card")] == line["card"]
    assert found[("injects", 1, "turn")] == found[("injects", 1)] + 2
    assert found[("injects", 1, "parts", 1, "n")] == SAMPLE.count("\n")


KEYS = st.text(st.characters(codec="ascii", exclude_categories=["C"]), max_size=4)
LEAVES = st.integers(-9, 9) | st.booleans() | KEYS | st.text("\"'\\#[]{}=,.\n é", max_size=6)
VALUES = st.recursive(
    LEAVES, lambda v: st.lists(v, max_size=3) | st.dictionaries(KEYS, v, max_size=3), max_leaves=8
)


def quoted(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def written(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        if "'" not in value and "\\" in value:
            return f"'''\n{value}'''"
        return quoted(value)
    if isinstance(value, list):
        return "[\n" + ",\n".join(map(written, value)) + " # end ]\n]"
    return "{" + ", ".join(f"{quoted(k)} = {written(v)}" for k, v in value.items()) + "}"


@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_any_text_is_followed_as_tomllib_reads_it(made):
    text = "".join(f"{quoted(key)} = {written(value)}\n" for key, value in made.items())
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return  # a newline within an inline table
    found = lines_of(text)
    assert set(found) == places_of(read)
    for (key, *more), line in found.items():
        if not more:
            assert text.splitlines()[line - 1].startswith(quoted(key))


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment", "a = 1\r\nb = 2\r\n"])
def test_lines_end_as_they_may(text):
    assert set(lines_of(text)) == places_of(tomllib.loads(text))


@pytest.mark.parametrize(
    "number", ["9" * 5_000, "0x" + "f" * 5_000, "0o" + "7" * 9_000, "0b" + "1" * 9_000]
)
@pytest.mark.parametrize("text", ["a = {}", "a = [{{ b = [{}] }}]", "[[a]]\nb.c = {}"])
def test_a_whole_number_that_no_sentence_could_show_is_refused_in_one(text, number):
    with pytest.raises(NotTomlError, match="a whole number of hundreds of digits"):
        toml_of(text.format(number))
