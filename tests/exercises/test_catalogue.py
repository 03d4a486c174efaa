"""The French of what a player reads: whole, sure, filled in alike, compiled."""

import ast
import io
import re
import string
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.frontend import CommandLineInterface
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from exercises.voice import DOMAIN, LOCALE

ROOT = Path(__file__).parent.parent.parent
PO = LOCALE / "fr" / "LC_MESSAGES" / f"{DOMAIN}.po"
TEXTS = {"phrase": (0,), "plural": (0, 1), "mark": (0,), "refuse": (1,), "faulty": (1,)}
"""Arguments that hold the texts of the calls that Babel looks for."""
AS_SET = "\n"
"""In a text whose lines stay as they are, such as a file's in a help: its braces are no fields."""
KEPT_ELSEWHERE = {
    "CLOSED_CONSOLE",
    "_CLOSED[who_at(prefix)]",
    "NO_SIGN",
    "_CARD_EFFECTS[card]",
    "_SIGNS[stands_for].words",
    "refusal.text",
    "self.loop",  # of a connection that is refused
    "value.text",
    "what",
    "sentence",
}
"""What a call may say that is no text in its place: it is marked where it stands."""


def catalogue(text: str) -> Catalog:
    return read_po(io.BytesIO(text.encode()), locale="fr")


@pytest.fixture(scope="module")
def french() -> Catalog:
    return catalogue(PO.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def wanted(tmp_path_factory) -> Catalog:
    """What `make messages` gathers from the sources."""
    found = tmp_path_factory.mktemp("texts") / "averse.pot"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        CommandLineInterface().run(["pybabel", "-q", "extract", "-o", str(found)])
    return read_po(io.BytesIO(found.read_bytes()))


def forms(message_part) -> tuple[str, ...]:
    return message_part if isinstance(message_part, tuple) else (message_part,)


def texts_of(found: Catalog) -> set[tuple[str, ...]]:
    return {forms(message.id) for message in found if message.id}


def fields_in(text: str) -> set[tuple[str, str]]:
    """Fields of a text, each with how it is written; French alone has names after *de*."""
    fields = ((name, spec or "") for _, name, spec, _ in string.Formatter().parse(text) if name)
    return {(name, "" if spec == "de" else spec) for name, spec in fields}


def faults(french: Catalog, wanted: Catalog) -> list[str]:
    """What is wrong with a catalogue, a line a text."""
    told = [f"missing: {text}" for text in texts_of(wanted) - texts_of(french)]
    told += [f"said nowhere: {text}" for text in texts_of(french) - texts_of(wanted)]
    for message in french:
        if not message.id:
            continue
        texts, said = forms(message.id), forms(message.string)
        if message.fuzzy:
            told.append(f"fuzzy: {texts}")
        if not all(said) or (len(texts) > 1 and len(said) != french.num_plurals):
            told.append(f"untranslated: {texts}")
        elif AS_SET not in texts[0] and any(
            fields_in(form) != fields_in(texts[-1]) for form in said
        ):
            told.append(f"other fields: {texts}")
    return told


def test_every_text_has_its_french(french, wanted):
    assert faults(french, wanted) == []
    assert len(texts_of(wanted)) > 100


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("", "missing"),
        ('msgid "gone"\nmsgstr "parti"\n', "said nowhere"),
        ('#, fuzzy\nmsgid "{shelter} is full"\nmsgstr "{shelter} : complet"\n', "fuzzy"),
        ('msgid "{shelter} is full"\nmsgstr ""\n', "untranslated"),
        ('msgid "{shelter} is full"\nmsgstr "{abri} complet"\n', "other fields"),
        (
            (
                'msgid "{n:,} hex"\nmsgid_plural "{n:,} hexes"\n'
                'msgstr[0] "{n:,} hexagone"\nmsgstr[1] ""\nmsgstr[2] "{n:,} hexagones"\n'
            ),
            "untranslated",
        ),
        (
            (
                'msgid "{n:,} hex"\nmsgid_plural "{n:,} hexes"\nmsgstr[0] "{n:,} hexagone"\n'
                'msgstr[1] "{n:,} d\'hexagones"\nmsgstr[2] "{n} hexagones"\n'
            ),
            "other fields",
        ),
    ],
)
def test_each_fault_of_a_catalogue_is_seen(entry, fault):
    wanted = catalogue('msgid "{shelter} is full"\nmsgstr ""\n')
    assert fault in " ".join(faults(catalogue(entry), wanted))


def calls() -> list[tuple[str, list[ast.expr]]]:
    """Every call in the sources that says a text: where, and the arguments that should hold it."""
    found = []
    for path in sorted([*(ROOT / "sim").rglob("*.py"), *(ROOT / "exercises").rglob("*.py")]):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name in TEXTS:
                    where = f"{path.relative_to(ROOT)}:{node.lineno}"
                    found.append((where, [node.args[at] for at in TEXTS[name]]))
    return found


def test_no_text_is_said_that_babel_cannot_see(wanted):
    gathered = texts_of(wanted)
    unseen = []
    for where, arguments in calls():
        if all(isinstance(part, ast.Constant) for part in arguments):
            if tuple(part.value for part in arguments) not in gathered:
                unseen.append(where)
        elif ast.unparse(arguments[0]) not in KEPT_ELSEWHERE:
            unseen.append(where)
    assert unseen == []


def test_the_compiled_catalogue_is_that_of_the_text(french):
    compiled = io.BytesIO()
    write_mo(compiled, french)
    assert PO.with_suffix(".mo").read_bytes() == compiled.getvalue(), "run make messages"


def test_french_is_set_as_french_is(french):
    """A space before what takes one, angle quotes: ``spaced`` makes the spaces hard."""
    said = [
        form
        for message in french
        if message.id and AS_SET not in forms(message.id)[0] and "  " not in forms(message.id)[0]
        for form in forms(message.string)
    ]
    badly = [
        text
        # without what is JSON, and the form of a name
        for text in (re.sub(r"\{\{.*?\}\}|:de(?=\})|![rs](?=[:}])", "", one) for one in said)
        if re.search(r"[^\s{n][;!?]|[^\s{n]:(?=\s|$)|«(?! )|(?<! )»|\"|  ", text)
    ]
    assert badly == []
