"""Whatever a user can mend is told in French too: no fault is raised in English alone."""

import ast
import errno
import inspect
import os
import sys

import pytest

import sim.errors
from exercises.command_faults import fault_of_command
from exercises.fault_words import fault_said
from exercises.store import faults as database_faults
from exercises.system_words import REASONS
from exercises.voice import voice
from sim.errors import AverseError, ExerciseError
from sim.refusal import Joined, OneOf, reason_of, refuse
from tests.command_imports import ROOT, tree_of

FAULTS = {
    *(name for name, one in inspect.getmembers(sim.errors, inspect.isclass)),
    *("FaultError", "AwayError", "_FaultError", "UsageError", "Misuse", "BadParameter"),
}
KEPT = {"refuse", "faulty", "reason_of", "Refusal", "refuse_moment"}
"""What a fault is raised with that can be said in any language."""
OF_A_PROGRAM = {
    "no act of the rules: {}": "an act is no user's",
    "no words in {}: choose {}": "a language is chosen from those there are",
    "no report in language {}: choose {}": "so",
    "no sheet in language {}: choose {}": "so",
    "no map in language {}: choose {}": "so",
    "no pictures in language {}: choose {}": "so",
    "map of district {}: {} has shape {} where the sheet and {} turns need {}; play the exercise "
    "again": "frames are made by the program",
    "map of district {}: unit {} stands on hex index {} at turn {}, and the sheet has {} hexes; "
    "play again": "so",
    "map {}: {} has shape {}, and the sheet has {} hexes": "so",
    "the ground names hex {} where the sheet has {}; build the district again": "a pack is checked",
    "water of shape {} where {} turns on district {} need {} (§7.5): compute the water again": "so",
    "water of type {}, lowest {}: depths are whole millimetres from 0 (§7.5): compute the water "
    "again": "so",
    "storm level {}: the rules know {} (§6.2)": "a level is chosen from those there are",
}
"""What only a fault of the program can bring about, each with its reason."""


def called(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def names_kept(tree: ast.Module) -> tuple[set[str], set[str]]:
    """Names that hold what can be said in any language, and functions that return it."""
    held, made = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.returns is not None:
            if ast.unparse(node.returns) in {"Refusal", "Refusal | None"}:
                made.add(node.name)
            held |= {
                one.arg
                for one in node.args.args
                if one.annotation is not None and ast.unparse(one.annotation) == "Refusal"
            }
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.NamedExpr) and called(node.value) in {*KEPT, *made}:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            held |= {one.id for one in targets if isinstance(one, ast.Name)}
    return held, made


def is_kept(given: ast.expr, held: set[str], made: set[str]) -> bool:
    if isinstance(given, ast.IfExp):
        return is_kept(given.body, held, made) and is_kept(given.orelse, held, made)
    return (
        called(given) in {*KEPT, *made, "phrase", "said"}
        or (isinstance(given, ast.Name) and given.id in held)
        or (isinstance(given, ast.Attribute) and given.attr == "refusal")
        or isinstance(given, ast.Starred)
        # said already, in the language asked for
        or "lang" in {getattr(one, "id", "") for one in ast.walk(given)}
    )


def text_of(given: ast.expr) -> str:
    """Text of a fault, its fields empty; of two texts one after the other, the first."""
    if isinstance(given, ast.BinOp):
        return text_of(given.left)
    if isinstance(given, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "{}" for part in given.values
        )
    return str(given.value) if isinstance(given, ast.Constant) else ast.unparse(given)


def english_alone(tree: ast.Module) -> list[str]:
    """Faults of a module that can be said in English alone: line and text."""
    held, made = names_kept(tree)
    return [
        f"{node.lineno}: {text}"
        for node in ast.walk(tree)
        if called(node) in FAULTS
        and node.args
        and not is_kept(node.args[0], held, made)
        and (text := text_of(node.args[0])) not in OF_A_PROGRAM
    ]


MODULES = [
    path for top in ("sim", "gis", "exercises") for path in sorted((ROOT / top).rglob("*.py"))
]


@pytest.mark.parametrize("top", ["sim", "gis", "exercises"])
def test_no_fault_is_raised_in_english_alone(top):
    found = {
        str(path.relative_to(ROOT)): faults
        for path in sorted((ROOT / top).rglob("*.py"))
        if (faults := english_alone(tree_of(path)))
    }
    assert found == {}


def test_a_fault_in_english_alone_is_found():
    source = (
        'raise ExerciseError(f"no {x}")\n'
        'raise SourceError("none")\n'
        'raise SourceError(f"none{x}" + "so")\n'
        'why = f"no {x}"\nraise DistrictError(why)\n'
        'raise FaultError("is away")\n'
        'raise UsageError("give one")\n'
    )
    assert len(english_alone(ast.parse(source))) == 6
    assert (
        english_alone(ast.parse('said = refuse("", "no {x}", x=x)\nraise ExerciseError(said)\n'))
        == []
    )


def test_what_is_exempt_is_raised():
    raised = {
        text_of(node.args[0])
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if called(node) in FAULTS and node.args
    }
    assert set(OF_A_PROGRAM) <= raised


def test_a_fault_within_a_fault_is_said_in_one_language():
    inner = ExerciseError(refuse("", "credibility {credibility}: give 0 to {credibility_most} "
                                 "(§15.1)", credibility="11", credibility_most="10"))  # fmt: skip
    outer = ExerciseError(refuse("", "{where}: {why}", where="row 2", why=reason_of(inner)))
    assert str(outer) == "row 2: credibility 11: give 0 to 10 (§15.1)"
    said = fault_of_command(outer, "fr").replace("\u00a0", " ")
    assert said == "row 2 : crédibilité 11 : donnez de 0 à 10 (§15.1)"
    both = Joined((refuse("", "is missing"), refuse("", "is not known")), "; ")
    many = refuse("", "{file}: {faults}", file="a.csv", faults=both)
    assert many.sentence == "a.csv: is missing; is not known"
    assert fault_said(AverseError(many), "fr").replace("\u00a0", " ") == (
        "a.csv : manque; n'est pas connu"
    )
    assert reason_of(ValueError("disk 2")) == "disk 2"
    assert OneOf(("a", "b")).values == ("a", "b")


@pytest.mark.parametrize("fault", [*database_faults._FAULTS.values()])
def test_what_a_database_says_is_wrong_is_said_in_french(fault):
    said = voice("fr").phrase("{path} {fault}", path="x", fault=fault)
    assert said != f"x {fault}"


@pytest.mark.skipif(sys.platform != "linux", reason="words of Linux")
def test_what_is_said_of_files_is_as_the_system_words_it():
    worded = {os.strerror(number) for number in errno.errorcode} | {"Name or service not known"}
    assert set(REASONS) <= worded


@pytest.mark.parametrize(
    "reason", ["Permission denied", "No such file or directory", "No space left on device"]
)
def test_what_the_system_says_is_wrong_is_said_in_french(reason):
    refusal = refuse("", "{path} cannot be read: {why}; check the path", path="x", why=reason)
    said = fault_of_command(AverseError(refusal), "fr")
    assert reason not in said
    assert reason in refusal.sentence
