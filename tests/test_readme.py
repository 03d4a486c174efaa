"""The two READMEs: the same chapters, the same commands, all of which exist."""

import json
import re
import shlex
from pathlib import Path

import click
import pytest

from exercises.cli import cli
from exercises.order_forms import ORDER_KINDS, fields_of

ROOT = Path(__file__).parent.parent
ENGLISH, FRENCH = (
    (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.fr.md")
)
BOTH = pytest.mark.parametrize("text", [ENGLISH, FRENCH], ids=["en", "fr"])


def commands(text: str) -> list[list[str]]:
    """Words of every averse command in the blocks of a text, without comments and redirections."""
    blocks = re.findall(r"```sh\n(.*?)```", text, re.S)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("averse")]
    return [shlex.split(re.sub(r"> \S+", "", line), comments=True)[1:] for line in lines]


def shape(words: list[str]) -> tuple[str, ...]:
    """A command's name and its options but the language, whatever their values."""
    options = sorted(word.split("=")[0] for word in words if word.startswith("--"))
    return (words[0], *(option for option in options if option != "--lang"))


def test_both_have_the_same_commands_and_chapters():
    assert list(map(shape, commands(ENGLISH))) == list(map(shape, commands(FRENCH)))
    assert len(commands(ENGLISH)) > 12
    levels = [re.findall(r"^(#+) ", text, re.M) for text in (ENGLISH, FRENCH)]
    assert levels[0] == levels[1]
    blocks = [re.findall(r"^```\w+", text, re.M) for text in (ENGLISH, FRENCH)]
    assert blocks[0] == blocks[1]


@BOTH
def test_every_command_and_option_exists(text):
    for words in commands(text):
        command = cli.commands[words[0]]
        known = {opt for p in command.params if isinstance(p, click.Option) for opt in p.opts}
        assert {word.split("=")[0] for word in words if word.startswith("--")} <= known, words
    named = set(re.findall(r"`(--[a-z0-9-]+)", text)) - {"--help"}
    options = {
        opt
        for command in cli.commands.values()
        for p in command.params
        if isinstance(p, click.Option)
        for opt in (*p.opts, *p.secondary_opts)
    }
    assert named <= options


@BOTH
def test_every_kind_of_order_is_told(text):
    table = {
        key: fields
        for keys, fields in re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| (`.*?) \|", text, re.M)
        for key in re.findall(r"\w+", keys)
    }
    assert set(table) == set(ORDER_KINDS)
    for key, fields in table.items():
        assert set(re.findall(r"`(\w+)`", fields)) & set(fields_of(ORDER_KINDS[key]))
    (lines,) = re.findall(r"```json\n(.*?)```", text, re.S)
    for line in lines.splitlines():
        entry = json.loads(line)
        assert set(entry) - {"turn", "order", "reason"} <= set(
            fields_of(ORDER_KINDS[entry["order"]])
        )
