"""What a map tells beside the town: classes of hexes, figures, and where it opens.

A story is plain words and whole numbers, made by whoever tells it; the map only shows them. Every
look has a colour, a hatch and a sign of its own, so that it reads on a photocopy too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from gis.webmap_codec import pack, pack_turns
from sim.errors import ExerciseError

Ints = npt.NDArray[np.integer[Any]]


class Look(StrEnum):
    """How a class of hexes is drawn; ``assets/board_looks.js`` holds colours, hatches and signs."""

    HIT = "hit"
    MISS = "miss"
    FALSE_ALARM = "falseAlarm"
    ALERTED = "alerted"
    WALKING = "walking"
    SHELTERED = "sheltered"
    LATE = "late"
    CUT_OFF = "cutOff"
    LOST = "lost"
    FIRST = "first"
    SECOND = "second"
    BOTH = "both"
    NEITHER = "neither"
    WASTED = "wasted"


@dataclass(frozen=True)
class Fact:
    """What the card of a hex says beside the town's own facts.

    Attributes
    ----------
    label : str
    values : (n_hex,) or (turns + 1, n_hex) int
    text : str
        ``{n}`` is the value.
    least : int
        A smaller value is not said.

    """

    label: str
    values: Ints
    text: str = "{n}"
    least: int = 1


@dataclass(frozen=True)
class Choice:
    """One way to tell the story; a map with several lets its reader choose.

    Attributes
    ----------
    name : str
        What it is chosen by.
    classes : (n_hex,) or (turns + 1, n_hex) int
        Class of every hex, from 1, as in the legend; 0 is none.
    figures : tuple of (str, tuple of str)
        Rows of a table: what, and its value at every turn, or one for all turns; one in every
        column where there are columns.
    columns : tuple of str
        Heads of the table's columns where it has several.
    facts : tuple of Fact
    legend : tuple of str
        Words of the classes where they differ from the story's own.

    """

    name: str
    classes: Ints
    figures: tuple[tuple[str, tuple[str, ...]], ...] = ()
    columns: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    legend: tuple[str, ...] = ()


@dataclass(frozen=True)
class Story:
    """What a map tells beside the town.

    Attributes
    ----------
    heading : str
        Of the page.
    lead : str
        What is to be seen, in a sentence or two.
    title : str
        Of the classes, in the legend.
    legend : tuple of (Look, str)
        The classes, from 1, and their words.
    choices : tuple of Choice
        One or more.
    chosen_by : str
        What the choice is, where there are several.
    layers : mapping of str to bool
        Layers that are on, or off, when the page opens; the others as on any map.
    water : str
        ``known`` or ``true``: the water shown when the page opens.
    pair : (str, str), optional
        Two maps side by side under one time bar, the left one with known water, the right one with
        true water, and what stands over them.
    start : int
        Turn at which it opens.
    fillings : bool
        Whether the panel lists how full every shelter is.

    """

    heading: str
    lead: str
    choices: tuple[Choice, ...]
    title: str = ""
    legend: tuple[tuple[Look, str], ...] = ()
    chosen_by: str = ""
    layers: Mapping[str, bool] = field(default_factory=dict)
    water: str = "known"
    pair: tuple[str, str] | None = None
    start: int = 0
    fillings: bool = False

    def check(self, n_hexes: int, turns: int | None) -> None:
        """Refuse classes and facts that are not those of the sheet and of its turns.

        Parameters
        ----------
        n_hexes : int
        turns : int, optional
            None for a map without turns.

        Raises
        ------
        ExerciseError
            Naming the first array of another shape.

        """
        shapes = {(n_hexes,)} | ({(turns + 1, n_hexes)} if turns is not None else set())
        for choice in self.choices:
            told = [("classes", choice.classes), *((f.label, f.values) for f in choice.facts)]
            for name, values in told:
                if np.shape(values) not in shapes:
                    raise ExerciseError(
                        f"map {self.heading!r}: {name} has shape {np.shape(values)}, and the sheet "
                        f"has {n_hexes} hexes"
                        + (f" over {turns + 1} moments" if turns is not None else "")
                        + "; play the exercise again"
                    )

    def packed(self) -> dict[str, Any]:
        """Return what the page reads of it."""
        return {
            "lead": self.lead,
            "title": self.title,
            "legend": [[look.value, label] for look, label in self.legend],
            "chosenBy": self.chosen_by,
            "layers": dict(self.layers),
            "water": self.water,
            "pair": list(self.pair or ()),
            "start": self.start,
            "fillings": self.fillings,
            "choices": [_choice(choice) for choice in self.choices],
        }


def _choice(choice: Choice) -> dict[str, Any]:
    return {
        "name": choice.name,
        "classes": _rows(choice.classes),
        "figures": [[label, list(values)] for label, values in choice.figures],
        "columns": list(choice.columns),
        "facts": [[f.label, _rows(f.values), f.text, f.least] for f in choice.facts],
        "legend": list(choice.legend),
    }


def _rows(values: Ints) -> dict[str, Any]:
    by_turn = np.ndim(values) == 2
    return {"byTurn": by_turn, "packed": pack_turns(values) if by_turn else pack(values)}
