"""The hidden world of an exercise: its ground, its water at every turn, its seed (§7.5, 19)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sim.dice import below, checked_seed
from sim.district import BoolArray, District
from sim.errors import ExerciseError
from sim.hexes import IntArray
from sim.links import open_links, water_class
from sim.paths import reachable
from sim.rules import LEVELS, Mode, Water
from sim.scenario import PLAIN, Scenario
from sim.situation import Situation, is_night, situation_at
from sim.state import NEVER


def secret_level(seed: str) -> int:
    """Return period drawn in secret, evenly among 1, 2, 3 and 5 years (§6.2, 15.1)."""
    return LEVELS[below(len(LEVELS), seed, "level")]


@dataclass(frozen=True)
class World:
    """All that an exercise decides before the first order; a player sees none of it directly.

    Attributes
    ----------
    district : District
    depth_mm : (turns + 1, n_hex) int32
        Depth of water at the end of every turn, millimetres; entry 0 is the start.
    level : int
        Secret level of the storm (§6.2).
    seed : str
        128 bits or more, hexadecimal (§19).
    hour : int
        Hour of the initial situation (§8.2).
    turns : int
        Length of the exercise (§18).
    scenario : Scenario
        What else the instructor chose (§8.4, 13).

    Raises
    ------
    ExerciseError
        If the depths are not those of the district and turns, or a setting is not in the rules.

    """

    district: District
    depth_mm: IntArray
    level: int
    seed: str
    hour: int
    turns: int
    scenario: Scenario = PLAIN

    def __post_init__(self) -> None:
        expected = (self.turns + 1, self.district.sheet.n_hexes)
        if self.turns < 1 or self.depth_mm.shape != expected:
            raise ExerciseError(
                f"water of shape {self.depth_mm.shape} where {self.turns} turns on district "
                f"{self.district.name!r} need {expected} (§7.5): compute the water again"
            )
        if not np.issubdtype(self.depth_mm.dtype, np.integer) or self.depth_mm.min() < 0:
            raise ExerciseError(
                f"water of type {self.depth_mm.dtype}, lowest {self.depth_mm.min()}: depths are "
                "whole millimetres from 0 (§7.5): compute the water again"
            )
        if self.level not in LEVELS:
            raise ExerciseError(f"storm level {self.level}: the rules know {LEVELS} (§6.2)")
        object.__setattr__(self, "seed", checked_seed(self.seed))
        is_night(self.hour, 1)
        water = np.array(self.depth_mm, dtype=np.int32)
        water.flags.writeable = False
        object.__setattr__(self, "depth_mm", water)

    @cached_property
    def situation(self) -> Situation:
        """People at the start (§8.3)."""
        return situation_at(self.district, self.hour, self.scenario)

    @cached_property
    def shelter_cells(self) -> IntArray:
        """(n_shelter,) hex of every shelter, by shelter number."""
        return np.array([s.cell for s in self.district.shelters], dtype=np.int32)

    @cached_property
    def shelter_dry(self) -> BoolArray:
        """(turns + 1, n_shelter) whether the shelter stands in less than class-2 water (§10.2)."""
        water = water_class(self.depth_mm[:, self.shelter_cells])
        dry: BoolArray = water < Water.BLOCKING
        return dry

    @cached_property
    def foot_open(self) -> BoolArray:
        """(turns + 1, n_edge) whether the link is open on foot, on the storm's own water (§4)."""
        return open_links(self.district, self.depth_mm, Mode.FOOT)

    @cached_property
    def first_cut(self) -> IntArray:
        """(n_hex,) first turn without a foot route to a dry shelter (§12.2), or ``NEVER``.

        Only hexes that have a route at the start can lose it; off the active area nobody does.
        """
        cut = np.zeros(self.district.sheet.n_hexes, dtype=np.int32)
        connected = self.has_route(0) & self.district.active
        for turn in range(1, self.turns + 1):
            cut[connected & (cut == NEVER) & ~self.has_route(turn)] = turn
        return cut

    def has_route(self, turn: int) -> npt.NDArray[np.bool_]:
        """(n_hex,) whether a foot route leads to some dry shelter at the end of a turn (§12.2)."""
        shelters = self.shelter_cells[self.shelter_dry[turn]]
        return reachable(self.district.sheet, self.foot_open[turn], shelters)

    @cached_property
    def threatened(self) -> BoolArray:
        """(n_hex,) whether the hex at some moment loses every foot route to a shelter (§12.2)."""
        lost: BoolArray = self.first_cut != NEVER
        return lost

    @cached_property
    def cut_on_foot(self) -> BoolArray:
        """(n_hex,) active hexes with a link cut to pedestrians at some turn (§12.4)."""
        edges = self.district.sheet.edges
        closed = (~self.foot_open & self.district.foot).any(axis=0)
        cut = np.zeros(self.district.sheet.n_hexes, dtype=bool)
        cut[edges[closed].ravel()] = True
        active: BoolArray = cut & self.district.active
        return active

    def night(self, turn: int) -> bool:
        """Whether a turn is played by night."""
        return is_night(self.hour, turn)
