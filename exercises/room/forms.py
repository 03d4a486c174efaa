"""Printed forms on which teams go on through a power cut: forecast, orders, event log, rule card.

A4, the same bytes for the same town and teams. Nothing is on them that a team may not know: they
are made from the district, the hour and the number of turns alone.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exercises.debrief.names import TEAM, shown_name
from exercises.journal import JOURNAL, read_journal
from exercises.moment_words import clock
from exercises.room.folder import checked_names, pack_of, said_of, team_folders, world_of
from exercises.room.forms_card import card_of, channel_name, disk_size, order_rows, town_of
from exercises.room.forms_words import forms_say, forms_texts
from exercises.room.printing import ORDER_TURNS
from exercises.voice import voice
from gis.aside import require_name
from gis.pencil_map import PencilMap
from gis.provenance import shown_credit
from gis.sheet_labels import clean
from gis.sheet_map import read_sheet_pack
from gis.typesetting import set_pages, write_whole
from sim.errors import AverseError, ExerciseError
from sim.rules import CONFIDENCES, STAFFING, Channel
from sim.scenario import PLAIN, Scenario
from sim.situation import is_night, situation_at
from sim.view import staffing_at

ORDERS_PAGE_MM = 240.0
"""Room for the tables of orders on a page."""
HEAD_MM, ROW_MM, GAP_MM = 12.0, 7.2, 4.0
"""Of a turn's table: its title and headings, a line to write on, what is left below."""
SPARE_LINES = 2
"""Lines of a turn beyond its budget: orders that are free, refused or withdrawn."""
JOURNAL_LINES, JOURNAL_PAGES = 35, 2
_LONGEST = 60
"""Characters of a team's name."""


@dataclass(frozen=True, slots=True)
class FormsOptions:
    """What forms are printed for.

    Attributes
    ----------
    teams : tuple of str
        Their names.
    hour, turns : int
    scenario : Scenario
        Of it what is read before the first decision (§8).
    order_turns : int
        Turns that have a form of orders of their own, the exercise's at most; a blank one to copy
        is for all others.
    """

    teams: tuple[str, ...]
    hour: int
    turns: int
    scenario: Scenario = PLAIN
    order_turns: int = ORDER_TURNS


def forms_for(
    teams: str | None, hour: int, turns: int, lang: str, order_turns: int = ORDER_TURNS
) -> FormsOptions:
    """Return what forms are for, from names separated by commas; one team without.

    Raises
    ------
    ExerciseError
        If a name shows nothing, two look alike, or the teams are too many.
    """
    names = teams.split(",") if teams else [voice(lang).phrase("Team {n}", n=1)]
    return FormsOptions(tuple(checked_names(names)), hour, turns, order_turns=order_turns)


def write_forms(pack: Path, out: Path, options: FormsOptions, lang: str) -> Path:
    """Write the forms of some teams as a PDF.

    Parameters
    ----------
    pack : Path
        District pack.
    out : Path
        File to write; replaced whole, or left as it was when something goes wrong.
    options : FormsOptions
    lang : {"fr", "en"}

    Raises
    ------
    AverseError
        If the pack is missing or damaged, or the file cannot be written.
    """
    require_name(out, ".pdf")
    data = forms_data(pack, options, lang)
    names = "".join((data["district"], data["credit"], *data["teams"]))
    names += "".join(row[0] for row in data["town"]["quarters"])
    names += "".join(row[2] for row in data["town"]["shelters"])
    write_whole(out, set_pages("exercises.room", "forms/forms.typ", data, names), ExerciseError)
    return out


def write_forms_of_room(
    room: Path,
    out: Path,
    lang: str | None,
    pack: Path | None = None,
    order_turns: int = ORDER_TURNS,
) -> Path:
    """Write the forms of the teams of a room, as they are now; in its language by None."""
    said = said_of(room)
    folders = team_folders(room)
    world = world_of(folders[0])
    names = tuple(map(_name_of, folders))
    options = FormsOptions(names, world.hour, world.turns, world.scenario, order_turns)
    return write_forms(pack_of(room, pack), out, options, lang or str(said["lang"]))


def _name_of(exercise: Path) -> str:
    name = read_journal(exercise / JOURNAL).meta.get(TEAM) or exercise.name
    return shown_name(name) or exercise.name


def forms_data(pack_folder: Path, options: FormsOptions, lang: str) -> dict[str, Any]:
    """Return all that the template prints, as plain values."""
    pack = read_sheet_pack(pack_folder)
    district, drawn = pack.district, PencilMap(pack)
    say, scenario = voice(lang), options.scenario
    people = situation_at(district, options.hour, scenario).to_shelter
    return {
        "lang": lang,
        "texts": {
            **{key: forms_say(key, lang) for key in forms_texts() if _is_plain(key)},
            "page": forms_say("page", lang, n="{n}"),
        },
        "teams": [clean(name)[:_LONGEST] for name in options.teams],
        "district": clean(district.name),
        "credit": clean(shown_credit(pack.manifest, lang)),
        "map": {
            "number_pt": drawn.number_pt,
            "parts": _named_parts(drawn, lang),
            "legend": [_sign(one, lang) for one in drawn.legend(lang)],
        },
        "confidences": [
            f"{say.label(row)} ({say.percent(row.percent / 100, 0)})"
            for row in CONFIDENCES.values()
        ],
        "turns": [
            {
                "turn": turn,
                "clock": clock(options.hour, turn, lang),
                "night": is_night(options.hour, turn),
            }
            for turn in range(options.turns + 1)
        ],
        "order_pages": [
            *(
                [_turn(turn, options.hour, lang) for turn in page]
                for page in _pages(min(options.turns, options.order_turns))
            ),
            *([_to_copy(lang)] if options.order_turns < options.turns else []),
        ],
        "row_mm": ROW_MM,
        "kinds": order_rows(lang),
        "journal": {"lines": JOURNAL_LINES, "pages": JOURNAL_PAGES},
        "sources": [channel_name(channel, lang) for channel in Channel],
        "card": card_of(district, lang),
        "town": town_of(district, people, lang, half_staff=scenario.half_staff),
    }


def _is_plain(key: str) -> bool:
    """Whether a text is printed as it stands: it has no field."""
    try:
        forms_say(key, "en")
    except KeyError:
        return False
    return True


def _named_parts(drawn: PencilMap, lang: str) -> list[dict[str, Any]]:
    parts = drawn.plain()
    for part in parts:
        many = len(parts) > 1
        part["name"] = (
            forms_say("part", lang, column=part["column"], row=part["row"]) if many else ""
        )
    return parts


def _sign(one: dict[str, str], lang: str) -> dict[str, str]:
    """A sign of the map: what a form says of it, which has no names on its map, else the sheet."""
    key = f"sign_{one['key']}"
    return {**one, "label": forms_say(key, lang) if key in forms_texts() else one["label"]}


def _pages(turns: int) -> Iterator[list[int]]:
    """Turns of each page of orders: as many as their tables leave room for."""
    page: list[int] = []
    room = ORDERS_PAGE_MM
    for turn in range(1, turns + 1):
        tall = HEAD_MM + (staffing_at(turn).orders + SPARE_LINES) * ROW_MM + GAP_MM
        if page and tall > room:
            yield page
            page, room = [], ORDERS_PAGE_MM
        page.append(turn)
        room -= tall
    if page:
        yield page


def _turn(turn: int, hour: int, lang: str) -> dict[str, Any]:
    row, say = staffing_at(turn), voice(lang)
    return {
        "turn": forms_say("turn_n", lang, n=turn),
        "clock": clock(hour, turn, lang),
        "night": is_night(hour, turn),
        "staffing": " · ".join(
            (
                say.label(row),
                forms_say("n_orders", lang, n=row.orders),
                forms_say(
                    "brush_n", lang, radius=row.brush_radius, hexes=disk_size(row.brush_radius)
                ),
            )
        ),
        "lines": row.orders,
        "spare": SPARE_LINES,
    }


def _to_copy(lang: str) -> list[dict[str, Any]]:
    """Tables of a page for turns that have none of their own: lines for the largest staffing."""
    lines = max(row.orders for row in STAFFING)
    blank = {
        "turn": "",
        "clock": "",
        "night": False,
        "staffing": forms_say("copy_this", lang),
        "lines": lines,
        "spare": SPARE_LINES,
    }
    tall = HEAD_MM + (lines + SPARE_LINES) * ROW_MM + GAP_MM
    return [blank] * int(ORDERS_PAGE_MM // tall)


def main() -> int:
    """Print the forms of a room.

    Its arguments are the room, the pack, the language, turns with a form of orders, the file.
    """
    room, pack, lang, order_turns, out = sys.argv[1:]
    try:
        write_forms_of_room(Path(room), Path(out), lang, Path(pack), int(order_turns))
    except AverseError as fault:
        print(fault, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
