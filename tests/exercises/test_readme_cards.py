"""The table of cards in both README files is that of the rules, and what it says can be read."""

import re
from pathlib import Path

import pytest

from exercises.injects_file import read_injects
from sim.cards import STRIKES
from sim.orders import HEX, LINK, QUARTER, SHELTER
from sim.rules import CARDS
from tests.gis import hand_pack

ROOT = Path(__file__).parent.parent.parent
STRUCK = {
    "README.md": {LINK: "link", HEX: "hex", QUARTER: "quarter", SHELTER: "shelter", "": "nothing"},
    "README.fr.md": {
        LINK: "liaison",
        HEX: "hexagone",
        QUARTER: "quartier",
        SHELTER: "abri",
        "": "rien",
    },
}
HEADINGS = {
    "README.md": ("turn", "card", "target", "note"),
    "README.fr.md": ("tour", "carte", "cible", "remarque"),
}


def rows(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    found = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", text, re.MULTILINE)
    keys = {card.value for card in CARDS}
    return {key: tuple(map(str.strip, cells)) for key, *cells in found if key in keys}


@pytest.mark.parametrize("name", STRUCK)
def test_13_1_every_card_stands_with_its_names_and_what_it_strikes(name):
    told = rows(name)
    assert list(told) == [card.value for card in CARDS]
    for card, row in CARDS.items():
        first, second, struck = told[card.value]
        names = (row.label_en, row.label_fr)
        assert (first, second) == (names if name == "README.md" else names[::-1])
        assert STRUCK[name][STRIKES[card]] in struck


@pytest.mark.parametrize("name", STRUCK)
def test_13_2_the_columns_and_names_of_the_table_are_read(name, tmp_path):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert all(f"`{heading}`" in text for heading in HEADINGS[name])
    district = hand_pack.district()
    for column in (0, 1):
        lines = [",".join(HEADINGS[name])]
        told = rows(name).items()
        lines += [f"{turn},{cells[column]},," for turn, (_, cells) in enumerate(told, start=3)]
        (tmp_path / "list.csv").write_text("\n".join(lines), encoding="utf-8")
        read = read_injects(tmp_path / "list.csv", district, 30)
        assert [inject.card for inject in read] == list(CARDS)
