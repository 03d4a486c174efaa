"""The same games give the same hashes, whatever Python and PYTHONHASHSEED (§19)."""

import json
import sys

import pytest

from tests.golden.hash_games import GOLDEN, differences, hashes
from tests.golden.pythons import PLACE, VERSIONS, played_by, python_in

HOW = (
    "the same orders lead elsewhere: where the rules or what a state holds were changed on "
    "purpose, raise RULES_VERSION if journals no longer replay, and write the hashes anew: "
    "python -m tests.golden.record"
)


@pytest.fixture(scope="module")
def here():
    return hashes()


def test_19_three_games_give_the_hashes_on_record(here):
    assert differences(here, json.loads(GOLDEN.read_text())) == [], HOW


def test_19_no_hash_seed_reaches_a_state_a_view_an_event_or_a_score(here):
    for _ in range(2):
        there, seed = played_by(sys.executable)
        assert differences(there, here) == [], f"PYTHONHASHSEED={seed}"


@pytest.mark.parametrize("version", VERSIONS)
def test_19_every_python_gives_the_same_hashes(here, version):
    python = python_in(PLACE / version)
    if not python.exists():
        pytest.skip(f"no environment of Python {version} here: make pythons makes it")
    there, seed = played_by(python)
    assert differences(there, here) == [], f"Python {version}, PYTHONHASHSEED={seed}"


def test_19_a_hash_that_differs_is_told_with_its_game_and_turn(here):
    other = json.loads(json.dumps(here))
    other["games"]["night"]["states"][7] = "0" * 64
    assert differences(here, other) == ["night: other states, from the state of turn 7"]
