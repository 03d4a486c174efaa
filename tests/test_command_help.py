"""Help, and what is wrong with a command line, in French and in English."""

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions

import click
import pytest

from exercises import commands
from exercises.cli import EXIT_USER_FAULT, cli, main
from exercises.command_help import texts_of
from exercises.command_language import kept_language, language_of_line, speak
from exercises.progress import STAGES, stage_said
from tests.command_imports import ROOT, outside, tree_of

ENGLISH = r"\b(the|of|and|with|is|or|what(?!,)|its|an|default|required|Show|Options:|Commands:)\b"


@pytest.fixture
def averse(monkeypatch, capsys):
    def run(*arguments, lang="fr"):
        monkeypatch.setattr(sys, "argv", ["averse", *map(str, arguments)])
        monkeypatch.setenv("LC_ALL", f"{lang}.UTF-8")
        status = 0
        try:
            main()
        except SystemExit as end:
            status = end.code or 0
        return status, *capsys.readouterr()

    yield run
    speak("en")


@pytest.mark.parametrize("command", [None, *sorted(cli.commands)])
def test_the_help_of_every_command_is_in_the_language_of_the_machine(averse, command):
    status, said, _ = averse(*filter(None, [command]), "--help")
    assert status == 0
    prose = " ".join(
        line
        for line in said.splitlines()
        if not re.search(r"averse \w|[=\[\]{}]| off |^ {6}\{", line)  # commands, files, values
    )
    assert re.findall(ENGLISH, prose) == []
    assert "Usage :" in said.replace("\u00a0", " ")
    _, english, _ = averse(*filter(None, [command]), "--help", lang="en")
    assert english.startswith("Usage:")
    assert re.search(ENGLISH, english)


def test_the_command_alone_says_its_help(averse):
    status, _, said = averse()
    assert status == EXIT_USER_FAULT
    assert "Commandes" in said


def test_every_command_of_the_package_is_one_of_averse():
    there = {
        one
        for module in pkgutil.iter_modules(commands.__path__, "exercises.commands.")
        for one in vars(importlib.import_module(module.name)).values()
        if isinstance(one, click.Command)
    }
    assert there == set(cli.commands.values())


def test_an_option_says_the_language_before_the_machine(averse):
    assert "Usage:" in averse("play", "--lang", "en", "--help")[1]
    assert "obligatoire" in averse("play", "--lang=fr", "--help", lang="en")[1]


def test_every_text_of_the_commands_is_gathered():
    texts = set(texts_of(cli))
    assert "PDF file to write." in texts
    assert any(text.startswith("averse sheet my-town") for text in texts)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("play", "averse play : argument manquant 'DISTRICT' ; `averse play --help` dit"),
        ("play x --out y --level 9", "averse play : valeur impossible pour '--level' : '9' n'est"),
        ("play x", "averse play : option manquante '--out' ; `averse"),
        ("play x --out y --frobnicate", "averse play : pas d'option '--frobnicate' ; `averse"),
        ("play x --out y --turns many", "averse play : valeur impossible pour '--turns' : 'many'"),
        ("play x --out y --turns", "averse : l'option '--turns' veut 1 valeur ; `averse"),
        ("play x --out y z", "averse play : argument en trop (z) ; `averse"),
        ("plai", "averse : pas de commande 'plai' (est-ce"),
        (
            "build --out x --centre here",
            "averse build : valeur impossible pour '--centre' : 'here'",
        ),
        ("replay x --side instructor", "averse replay : --side dit la main courante de qui :"),
        ("scenario", "averse scenario : donnez --check ou --write, l'un des deux ;"),
        ("map nowhere --out x.html", "averse : nowhere"),
    ],
)
def test_a_wrong_command_line_is_told_in_one_french_sentence(averse, line, said):
    status, out, err = averse(*line.split())
    assert status == EXIT_USER_FAULT
    assert out == ""
    assert err.replace("\u00a0", " ").startswith(said)
    assert len(err.splitlines()) == 1
    assert re.findall(ENGLISH, err) == []


def test_a_folder_says_its_language_before_the_machine(tmp_path):
    room = tmp_path / "room"
    room.mkdir()
    (room / "room.json").write_text('{"lang": "fr"}')
    assert language_of_line(["serve", str(room)], {"LANG": "en_US"}) == "fr"
    for torn in ("[]", "{", '{"lang": null}'):
        (room / "room.json").write_text(torn)
        assert kept_language(room) in {"", "None"}
        assert language_of_line(["serve", str(room)], {"LANG": "fr_FR"}) == "fr"
    assert language_of_line(["serve", "--lang", "en", str(room)], {"LANG": "fr_FR"}) == "en"
    (tmp_path / "journal.sqlite").write_text("no database")
    assert kept_language(tmp_path) == ""


def test_help_loads_nothing_heavy():
    code = "import sys, exercises.cli as cli; sys.argv = ['averse', '--help']\ntry: cli.main()\n"
    code += "except SystemExit: pass\nprint(sorted(m for m in sys.modules if '.' not in m))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"LC_ALL": "fr_FR.UTF-8", "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
    )
    assert "Usage\u00a0:" in done.stdout
    loaded = set(ast.literal_eval(done.stdout.splitlines()[-1]))
    assert loaded & {"numpy", "numba", "rich", "pydantic", "geopandas", "babel"} == set()


# --------------------------------------------------------------------------- extras
OWN_HINT = {"openpyxl", "sqlalchemy", "alembic", "psycopg", "pyarrow"}
"""Needed for one option of a command alone, which names their extra where it meets it."""
BY_PROCESS = {"serve": ("exercises.room.forms", "exercises.room.debriefing")}
"""Modules that a command runs as processes of their own."""


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[<>=\[!~ ]", name)[0]).lower()


def needed_by(command: click.Command) -> set[str]:
    """Distributions that a command can come to import."""
    known = packages_distributions()
    run = command.callback
    found = outside(run.__module__, run.__name__, BY_PROCESS.get(command.name, ()))
    return {normal(one) for name in found for one in known.get(name, ())} - OWN_HINT


@cache
def extras() -> dict[str, set[str]]:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    groups = tomllib.loads(text)["project"]["optional-dependencies"]
    return {
        name: {normal(one) for one in groups[name]} for name in ("gis", "print", "debrief", "room")
    }


@pytest.mark.parametrize("name", sorted(cli.commands))
def test_a_command_names_the_extras_that_its_imports_need(name):
    command = cli.commands[name]
    of_extras = needed_by(command) & set().union(*extras().values())
    named = set().union(*(extras().get(one, set()) for one in command.extras), set())
    assert of_extras <= named, f"{name} needs {sorted(of_extras - named)} besides"
    for one in extras().keys() & set(command.extras):
        others = set().union(
            *(extras().get(other, set()) for other in command.extras if other != one)
        )
        assert (of_extras & extras()[one]) - others, f"{name} needs nothing of {one}"


@pytest.mark.parametrize(
    ("line", "without", "extras"),
    [
        ("timelapse x --out x.mp4", "typst", "gis,print,debrief"),
        ("serve x", "starlette", "gis,print,debrief,room"),
    ],
)
def test_an_install_without_an_extra_is_told_what_to_type(line, without, extras):
    code = f"import sys; sys.modules[{without!r}] = None; import exercises.cli as cli\n"
    code += f"sys.argv = ['averse', *{line.split()!r}]; cli.main()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={"LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == EXIT_USER_FAULT, done.stderr
    command = line.partition(" ")[0]
    assert done.stderr == (
        f"averse: {without} is not installed, and averse {command} needs it: type "
        f'pip install "averse[{extras}]"\n'
    )


def test_what_is_told_to_install_is_there_to_install():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    known = set(tomllib.loads(text)["project"]["optional-dependencies"])
    told = 0
    for path in (
        *ROOT.glob("*.md"),
        *(ROOT / "docs").glob("*.md"),
        *(file for top in ("gis", "exercises") for file in (ROOT / top).rglob("*.py")),
    ):
        for named in re.findall(r"averse\[([a-z,]+)\]", path.read_text(encoding="utf-8")):
            told += 1
            assert set(named.split(",")) <= known, f"{path.name}: averse[{named}]"
    assert told > 3


def test_every_option_and_command_speaks():
    for command in cli.commands.values():
        for parameter in command.params:
            assert type(parameter).__name__ in {"SaidOption", "SaidArgument"}, parameter
            assert isinstance(parameter, click.Parameter)
            if isinstance(parameter, click.Option):
                assert parameter.help, f"{command.name} {parameter.opts}: no help"


def test_every_stage_of_long_work_is_said_in_french():
    told = set()
    for path in (*(ROOT / "gis").rglob("*.py"), *(ROOT / "exercises").rglob("*.py")):
        if "terminal" in path.parts:
            continue  # it tells lines of text, not stages
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call) and len(node.args) == 2:
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                stage = node.args[0]
                if name in {"tell", "_tell", "progress"} and isinstance(stage, ast.Constant):
                    told.add(stage.value)
    assert len(told) > 20
    assert told - {""} <= set(STAGES)
    speak("fr")
    assert stage_said("fetching the ground N48E002") == "téléchargement du relief N48E002"
    speak("en")
    assert stage_said("playing") == "playing"
