"""Whatever a page is refused with is in the page's language."""

import ast
import re
from pathlib import Path

import pytest

import exercises
import sim
from exercises.fault_words import fault_said
from exercises.room import rooms
from sim.errors import ExerciseError, JournalError
from sim.refusal import refuse
from tests.exercises.room.places import Served, copy_of, post

ROOM, SIM = Path(rooms.__file__).parent, Path(sim.__file__).parent
EXERCISES = Path(exercises.__file__).parent
MODULES = (
    *sorted(ROOM.glob("routes*.py")),
    *(
        ROOM / f"{name}.py"
        for name in (
            *("rooms", "observer", "printing", "boards", "security", "debriefing", "inject_list"),
        )
    ),
    EXERCISES / "act_forms.py",
    EXERCISES / "injects_file.py",
    EXERCISES / "inject_rows.py",
    EXERCISES / "debrief" / "names.py",
    SIM / "conduct.py",
)
"""What answers a page, and what it asks."""
NEVER_SENT = {
    "TooLargeError",  # its handler has the words
    "KeyboardInterrupt",
    "SaidError",  # said already, in the language asked for
}
"""Raised there, and told by nobody, or by others."""
NO_ACT = "no act of the rules"
"""What a program would be at fault for, not a user."""


def faults(path):
    """Lines of a module that raise what can be said in English alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    refusals = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.NamedExpr)
        and called(node.value) in {"refuse", "faulty"}
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Raise) or not isinstance(node.exc, ast.Call):
            continue
        kind, given = called(node.exc), node.exc.args
        if kind in {"faulty", "_no_text", *NEVER_SENT}:
            continue
        if kind == "HTTPException":
            said = len(given) < 2 or called(given[1]) == "phrase"
        elif not given:
            said = kind.startswith("_")
        else:
            said = (
                called(given[0]) == "refuse"
                or (isinstance(given[0], ast.Name) and given[0].id in refusals)
                or (isinstance(given[0], ast.Attribute) and given[0].attr == "refusal")
                or isinstance(given[0], ast.Starred)
                or kind == "InjectsError"
                or "lang" in {getattr(one, "id", "") for one in ast.walk(given[0])}
            )
        if not said and NO_ACT not in ast.unparse(node):
            yield f"{path.name}:{node.lineno}: {ast.unparse(node)[:80]}"


def called(node):
    """Name of what is called, '' where nothing is."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_every_refusal_of_a_module_that_answers_pages_can_be_said_in_french(path):
    assert list(faults(path)) == []


def test_what_can_be_said_in_english_alone_is_found(tmp_path):
    path = tmp_path / "routes_x.py"
    path.write_text(
        'raise ExerciseError(f"no {x}")\nraise HTTPException(404, "none")\nraise ValueError("y")\n'
    )
    assert len(list(faults(path))) == 3


FORECAST = {"order": "forecast", "turn": 0, "cells": []}
ASKED = [
    # prefix, path, what is sent; None: it is a GET
    ("/i", "advance", {"team": "9-none"}),
    ("/i", "advance", {"team": 5}),
    ("/i", "advance", {"turns": {"1-red": 4}}),
    ("/i", "advance", {"turns": 5}),
    ("/i", "advance", {"more": 5}),
    ("/i", "advance", b"no JSON"),
    ("/i", "advance", b"[]"),
    ("/i", "advance", b'{"team": null, "team": null}'),
    ("/i", "advance", b"[" * 40 + b"]" * 40),
    ("/i", "advance", b'{"team": ' + b"[" * 40 + b"]" * 40 + b"}"),
    ("/i", "advance", b" " * 70_000),
    ("/i", "hold", {"held": 1}),
    ("/i", "teams", {"name": " "}),
    ("/i", "teams", {"name": "Red"}),
    ("/i", "teams", {"name": "x" * 200}),
    ("/i", "teams", {"name": 7}),
    ("/i", "card", {"card": "none"}),
    ("/i", "card", {"card": "accident", "target": "9999"}),
    ("/i", "card", {"card": "rumour", "target": "0101"}),
    ("/i", "message", {"text": ""}),
    ("/i", "message", {"text": "x" * 501}),
    ("/i", "end", {}),
    ("/i", "debrief", {"lang": "xx"}),
    ("/i", "links", {}),
    ("/i", "links", {"team": "9-none"}),
    ("/i", "injects?name=x.exe", b"x"),
    ("/i", "injects?name=x.csv", b"a,b"),
    ("/i", "injects?name=x.csv", b"turn,card\n99,accident\n2,none\n"),
    ("/i", "injects?name=x.xlsx", b"x"),
    ("/i", "turn/1-red/5", None),
    ("/i", "turn/9-none/0", None),
    ("/i", "nothing", None),
    ("/t/1-red", "orders", {}),
    ("/t/1-red", "orders", {"order": FORECAST, "seat": "cook"}),
    ("/t/1-red", "orders", {"order": {**FORECAST, "reason": "x"}}),
    ("/t/1-red", "orders", {"order": {**FORECAST, "turn": 2**60}}),
    ("/t/1-red", "orders", {"order": {**FORECAST, "cells": ["9999"]}}),
    ("/t/1-red", "orders", {"order": {"order": "dance"}}),
    ("/t/1-red", "orders", None),
    ("/t/1-red", "preview", {"order": {"order": "move"}}),
    ("/t/1-red", "now?seat=cook", None),
    ("/t/1-red", "now?since=x", None),
    ("/t/9-none", "now", None),
    ("/p", "unveiled", None),
]


@pytest.fixture(scope="module")
def open_room(whole_room, pack, tmp_path_factory):
    with Served(copy_of(whole_room, tmp_path_factory.mktemp("said") / "room"), pack) as served:
        served.joined = served.browser("/i", "/t/1-red", "/p")
        yield served


@pytest.mark.parametrize(
    ("prefix", "path", "sent"), ASKED, ids=[f"{path}-{at}" for at, (_, path, _) in enumerate(ASKED)]
)
def test_a_page_is_refused_in_its_own_language(open_room, prefix, path, sent):
    browser = open_room.joined
    said = {}
    for lang in ("fr", "en"):
        address = f"{prefix}/api/{path}{'&' if '?' in path else '?'}lang={lang}"
        if sent is None:
            answer = browser.get(address)
        elif isinstance(sent, bytes):
            answer = browser.post(address, content=sent)
        else:
            answer = post(browser, address, sent)
        assert 400 <= answer.status_code < 500
        said[lang] = answer.json()["said"]
        assert "\n" not in said[lang]
    assert said["fr"] != said["en"]
    english = r"\b(the|is|what|give|already|of|row|choose|there)\b"
    assert not re.findall(english, re.sub(r"«.*?»|\{.*\}|\(.*?\)", "", said["fr"])), said["fr"]


def test_what_only_an_operator_mends_is_named_in_the_pages_language():
    fault = JournalError("journal.sqlite cannot be written (disk full)")
    assert fault_said(fault, "en") == str(fault)
    assert fault_said(fault, "fr").startswith("la salle ne peut pas le faire")
    told = ExerciseError(refuse("18", "the exercise is over: nothing can change it"))
    assert str(told) == "the exercise is over: nothing can change it"
