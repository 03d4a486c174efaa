"""What a map shows turn by turn, as plain arrays: the exercise fills them, the map draws them."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sim.district import BoolArray, District, IntArray
from sim.errors import ExerciseError
from sim.links import Links

UNKNOWN_MM = -1
"""Known depth of a hex that nobody has observed (§6)."""
NEVER_SEEN = 255
"""Age of what was never observed, turns."""


class Shut(IntEnum):
    """Why a shelter takes nobody in."""

    OPEN = 0
    CLOSED = 1  # by the team (§9.5)
    CRUSH = 2  # §13.1
    WET = 3  # in water of class 2 or more (§12.2)


class UnitAt(NamedTuple):
    """A numbered unit on the map (§16).

    ``status`` is ``in_place`` (bright), ``moving`` (dull) or ``blocked`` (pink); ``to`` is the hex
    where it is sent, -1 when it has arrived.
    """

    label: str
    cell: int
    status: str = "in_place"
    to: int = -1


@dataclass(frozen=True)
class Frames:
    """What a map shows turn by turn; entry 0 is the start, the last entry the end.

    Attributes
    ----------
    true_depth_mm : (turns + 1, n_hex) int
        Hidden truth, millimetres (§7.5).
    known_depth_mm : (turns + 1, n_hex) int
        Last observation, millimetres; ``UNKNOWN_MM`` where there is none (§6).
    known_age : (turns + 1, n_hex) int
        Turns since that observation, from 0; ``NEVER_SEEN`` where there is none.
    alerted : (turns + 1, n_hex) bool
    evacuating : (turns + 1, n_hex) int
        How far the hex's counter has run, per cent; 0 where it has not started (§10.1).
    sheltered : (turns + 1, n_hex) int
        Share of those to shelter who are in a shelter, per cent; 100 is evacuated.
    to_shelter : (n_hex,) int
        People to shelter at the start (§8.3).
    forecast : (n_hex,) bool
        The map painted before turn 1 (§9.6).
    units : tuple of tuple of UnitAt
        Every patrol, per entry; (number, hex) is enough.
    shelter_filled : (turns + 1, n_shelter) int
        Places taken, persons.
    bulletins : tuple of str
        What the bulletin says, per entry; '' for silence.
    clock : tuple of str
        Exercise time, per entry, such as "14:10".
    night : (turns + 1,) bool
    true_links, known_links : tuple of Links, per entry
        Links with what stands on them beside the water, in truth and as the team knows it
        (§9.2, 13.1); empty where nothing ever does.
    shelter_shut : (turns + 1, n_shelter) int, optional
        ``Shut`` of every shelter [default: all are open].
    ordered : (turns + 1, n_hex) bool, optional
        Hexes under the brush of an alert that the turn orders, not alerted before: what a team's
        board calls an alert in transmission [default: none are shown].

    """

    true_depth_mm: IntArray
    known_depth_mm: IntArray
    known_age: npt.NDArray[np.integer[Any]]
    alerted: BoolArray
    evacuating: npt.NDArray[np.integer[Any]]
    sheltered: npt.NDArray[np.integer[Any]]
    to_shelter: IntArray
    forecast: BoolArray
    units: tuple[tuple[UnitAt | tuple[str, int], ...], ...]
    shelter_filled: IntArray
    bulletins: tuple[str, ...]
    clock: tuple[str, ...]
    night: BoolArray
    true_links: tuple[Links, ...] = ()
    known_links: tuple[Links, ...] = ()
    shelter_shut: IntArray | None = None
    ordered: BoolArray | None = None

    @property
    def turns(self) -> int:
        """Turns played."""
        return len(self.true_depth_mm) - 1

    def check(self, district: District) -> None:
        """Refuse arrays that are not those of a district.

        Raises
        ------
        ExerciseError
            Naming the first array of another shape, and the shape that it should have.

        """
        n, entries = district.sheet.n_hexes, self.turns + 1
        by_turn = dict.fromkeys(
            ("true_depth_mm", "known_depth_mm", "known_age", "alerted", "evacuating", "sheltered"),
            (entries, n),
        )
        expected = {
            **by_turn,
            "to_shelter": (n,),
            "forecast": (n,),
            "shelter_filled": (entries, len(district.shelters)),
            "night": (entries,),
        }
        found = {name: np.shape(getattr(self, name)) for name in expected}
        if self.shelter_shut is not None:
            expected["shelter_shut"] = expected["shelter_filled"]
            found["shelter_shut"] = np.shape(self.shelter_shut)
        if self.ordered is not None:
            expected["ordered"], found["ordered"] = (entries, n), np.shape(self.ordered)
        for name in ("units", "bulletins", "clock", "true_links", "known_links"):
            if name in {"units", "bulletins", "clock"} or getattr(self, name):
                expected[name], found[name] = (entries,), (len(getattr(self, name)),)
        for name, shape in expected.items():
            if found[name] != shape:
                raise ExerciseError(
                    f"map of district {district.name!r}: {name} has shape {found[name]} where the "
                    f"sheet and {self.turns} turns need {shape}; play the exercise again"
                )
        for entry, units in enumerate(self.units):
            for unit in units:
                if not 0 <= unit[1] < n:
                    raise ExerciseError(
                        f"map of district {district.name!r}: unit {unit[0]} stands on hex index "
                        f"{unit[1]} at turn {entry}, and the sheet has {n} hexes; play again"
                    )
