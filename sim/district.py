"""What the engine knows of the ground: read-only arrays, checked once."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sim.errors import DistrictError
from sim.hexes import IntArray, Sheet
from sim.hyetograph import USUAL_HYETOGRAPH, Hyetograph
from sim.refusal import refuse
from sim.rules import LADDER_NAMES, REGIONS, Fabric, FabricRow, LinkClass, Structure

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float32]
ByteArray = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Facility:
    """A named place of a service on one hex; ``places`` only for a shelter."""

    cell: int
    name: str
    places: int = 0


@dataclass(frozen=True, slots=True)
class Severity:
    """What one secret level stands for (§7.6)."""

    level: int
    rain_years: float  # return period of the rain, years
    network_efficiency: float  # 1: drains as built; 0: blocked or drowned
    soaked: float  # share of the way from the fabric's runoff to 0.95

    @property
    def is_literal(self) -> bool:
        """Whether the level is a return period of rain and nothing else."""
        return self == Severity(self.level, float(self.level), 1.0, 0.0)


def literal_ladder(levels: tuple[int, ...]) -> tuple[Severity, ...]:
    """Severity ladder that changes nothing: each level is its own return period (§7.6)."""
    return tuple(Severity(level, float(level), 1.0, 0.0) for level in levels)


def failed_drains_ladder(levels: tuple[int, ...]) -> tuple[Severity, ...]:
    """Severity ladder of a compound event: drains blocked, ground soaked, at every level (§7.6)."""
    return tuple(Severity(level, float(level), 0.0, 1.0) for level in levels)


LADDERS: Mapping[str, Callable[[tuple[int, ...]], tuple[Severity, ...]]] = MappingProxyType(
    dict(zip(LADDER_NAMES, (literal_ladder, failed_drains_ladder), strict=True))
)
"""Ladders by the name that a build knows; the levels themselves are those of §6.2."""


@dataclass(frozen=True)
class District:
    """A playable district (§1–3, 5.2). Hexes in ascending label order, edges as ``Sheet.edges``.

    Attributes
    ----------
    active : (n_hex,) bool
        Built, populated and connected: in play (§1.2).
    fabric : (n_hex,) int8
        ``Fabric`` of every hex, inactive ones too (their ground sheds rain).
    residents, unshelterable : (n_hex,) int32
        Persons; 0 off the active area. ``unshelterable`` counts within ``residents`` (§2.2).
    road_m : (n_hex,) int32
        Length of roads of class ≥ 2, metres: where the people on the road stand (§8.3).
    quarter : (n_hex,) int32
        Index into ``quarters``; -1 off the active area.
    link_class, structure : (n_edge,) int8
        Best road that crosses the edge and what carries it (§3.1, 3.3).
    foot : (n_edge,) bool
        Open to pedestrians on dry ground: a road of class ≥ 1, or a foot link (§3.2).
    barrier : (n_edge,) bool
        A river, lake, rail land or wall forbids the edge, rather than a mere lack of road.
    elevation_mm, sink_mm : (n_hex,) int32
        Relief layer of §16, public: mean ground of the hex (millimetres above the DEM's datum) and
        how far its roads' low ground lies below the lowest way out for water (0 on open slopes).
    hyetograph : Hyetograph
        Form in time of the storm, the same at every level (§7.1, 7.6).

    """

    name: str
    sheet: Sheet
    region: str
    ladder: tuple[Severity, ...]
    active: BoolArray
    fabric: ByteArray
    residents: IntArray
    unshelterable: IntArray
    road_m: IntArray
    quarter: IntArray
    quarters: tuple[str, ...]
    link_class: ByteArray
    structure: ByteArray
    foot: BoolArray
    barrier: BoolArray
    elevation_mm: IntArray
    sink_mm: IntArray
    shelters: tuple[Facility, ...]
    stations: tuple[Facility, ...]
    police_stations: tuple[Facility, ...]
    technical_centres: tuple[Facility, ...]
    hyetograph: Hyetograph = USUAL_HYETOGRAPH

    def __post_init__(self) -> None:
        for name, value in self._arrays():
            expected = (
                self.sheet.n_edges
                if name in {"link_class", "structure", "foot", "barrier"}
                else self.sheet.n_hexes
            )
            if value.shape != (expected,):
                raise DistrictError(
                    refuse(
                        "",
                        "district {name}: {name_2} has {shape} values where the sheet has "
                        "{expected}; build the district again",
                        name=repr(self.name),
                        name_2=str(name),
                        shape=str(value.shape),
                        expected=str(expected),
                    )
                )
            value.flags.writeable = False
        if self.region not in REGIONS:
            raise DistrictError(
                refuse(
                    "",
                    "district {name} names the fabric table {region}; known tables: {regions} "
                    "(§2.1)",
                    name=repr(self.name),
                    region=repr(self.region),
                    regions=", ".join(REGIONS),
                )
            )
        if not self.active.any():
            raise DistrictError(
                refuse(
                    "",
                    "district {name} has no active hex (built, populated and connected, §1.2): "
                    "move the sheet over the town",
                    name=repr(self.name),
                )
            )
        if not self.shelters:
            raise DistrictError(
                refuse(
                    "",
                    "district {name} has no shelter: nobody could be sheltered (§5.2)",
                    name=repr(self.name),
                )
            )
        if not self.police_stations:
            raise DistrictError(
                refuse(
                    "",
                    "district {name} has no police station: patrols have no base (§5)",
                    name=repr(self.name),
                )
            )
        for facility in (*self.shelters, *self.stations, *self.police_stations):
            if not self.active[facility.cell]:
                raise DistrictError(
                    refuse(
                        "",
                        "district {name}: {name_2} stands on hex {label}, which is not active "
                        "(§1.2)",
                        name=repr(self.name),
                        name_2=repr(facility.name),
                        label=str(self.sheet.label(facility.cell)),
                    )
                )

    def _arrays(self) -> Iterator[tuple[str, npt.NDArray[np.generic]]]:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                yield field.name, value

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all that the engine reads of the district, hexadecimal."""
        parts: dict[str, object] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                parts[field.name] = value.tolist()
            elif field.name == "sheet":
                parts[field.name] = [value.columns, value.rows]
            elif field.name in {"name", "region"}:
                parts[field.name] = value
            elif value == Hyetograph():
                continue  # packs from before it keep their hash
            else:
                parts[field.name] = repr(value)
        text = json.dumps(parts, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def is_literal(self) -> bool:
        """Whether every level is a return period of rain and nothing else (§7.6)."""
        return all(rung.is_literal for rung in self.ladder)

    @cached_property
    def active_residents(self) -> int:
        """Inhabitants of the active hexes (§5.2)."""
        return int(self.residents[self.active].sum())

    @cached_property
    def residents_by_quarter(self) -> npt.NDArray[np.int64]:
        """(n_quarter,) inhabitants of the active hexes of every quarter."""
        people = np.zeros(len(self.quarters), dtype=np.int64)
        np.add.at(people, self.quarter[self.active], self.residents[self.active])
        people.flags.writeable = False
        return people

    @cached_property
    def linked(self) -> BoolArray:
        """(n_edge,) whether a road or a foot link crosses the edge (§3.1)."""
        linked: BoolArray = self.foot | (self.link_class > LinkClass.NONE)
        linked.flags.writeable = False
        return linked

    @cached_property
    def fabric_rows(self) -> tuple[FabricRow, ...]:
        """Rows of §2 in ``Fabric`` order, from the table that the district names."""
        return tuple(REGIONS[self.region][fabric] for fabric in Fabric)

    def by_quarter(self, chosen: BoolArray) -> "ByQuarter":
        """Some hexes, all active, quarter by quarter.

        Parameters
        ----------
        chosen : (n_hex,) bool

        """
        cells, quarters = self._quarter_by_quarter
        (found,) = chosen[cells].nonzero()
        cells, quarters = cells[found], quarters[found]
        changes = (quarters[1:] != quarters[:-1]).nonzero()[0] + 1
        bounds = [0, *changes.tolist(), len(cells)] if cells.size else [0]
        return ByQuarter(quarters[bounds[:-1]].tolist(), cells, bounds)

    @cached_property
    def _quarter_by_quarter(self) -> tuple[npt.NDArray[np.intp], IntArray]:
        """(n_hex,) all hexes, those of the first quarter first, and the quarter of each."""
        cells = np.argsort(self.quarter, kind="stable")
        return cells, self.quarter[cells]

    def hexes_of_quarter(self, quarter: int) -> tuple[int, ...]:
        """Hexes of a quarter, ascending."""
        return tuple(np.flatnonzero(self.quarter == quarter).tolist())

    def severity(self, level: int) -> Severity:
        """Return the rung of the ladder for a secret level (§7.6)."""
        for severity in self.ladder:
            if severity.level == level:
                return severity
        known = ", ".join(str(s.level) for s in self.ladder)
        raise DistrictError(
            refuse(
                "",
                "storm level {level} is not on the ladder (levels {known}, §7.6)",
                level=str(level),
                known=str(known),
            )
        )


class ByQuarter(NamedTuple):
    """Hexes quarter by quarter.

    Attributes
    ----------
    quarters : list of int
        Quarters that have some of them, ascending.
    cells : (n_cell,) int
        Those of the first quarter, ascending, then those of the next.
    bounds : list of int
        Where those of each quarter start, and the end of the last.

    """

    quarters: list[int]
    cells: npt.NDArray[np.intp]
    bounds: list[int]

    @property
    def parts(self) -> list[npt.NDArray[np.intp]]:
        """Hexes of each of the quarters, ascending."""
        return [self.cells[start:end] for start, end in pairwise(self.bounds)]

    def sums(self, people: npt.NDArray[np.int64]) -> list[int]:
        """Sum by quarter of (n_hex,) numbers over its hexes."""
        if not self.quarters:
            return []
        summed: list[int] = np.add.reduceat(people[self.cells], self.bounds[:-1]).tolist()
        return summed


@dataclass(frozen=True)
class Ground:
    """The raster under a sheet, on which water moves (§7.3). Row 0 is the northernmost.

    Attributes
    ----------
    pixel_m : float
        Side of a square pixel, metres.
    elevation_m : (n_row, n_col) float32
        Conditioned ground, metres. No void inside the sheet.
    cell : (n_row, n_col) int32
        Index of the hex under the pixel's centre; -1 off the sheet, where water leaves.
    road_m2 : (n_row, n_col) float32
        Road surface inside the pixel, square metres (§7.4).
    sink : (n_row, n_col) bool
        River, lake or sea, held at its level (§7.3).

    """

    pixel_m: float
    elevation_m: FloatArray
    cell: IntArray
    road_m2: FloatArray
    sink: BoolArray

    def __post_init__(self) -> None:
        shapes = {a.shape for a in (self.elevation_m, self.cell, self.road_m2, self.sink)}
        if len(shapes) != 1:
            raise DistrictError(
                refuse(
                    "",
                    "ground layers differ in shape: {shapes}; build it again",
                    shapes=str(sorted(shapes)),
                )
            )
        if not np.isfinite(self.elevation_m[self.cell >= 0]).all():
            raise DistrictError(refuse("", "the ground has voids inside the sheet; build it again"))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the ground, hexadecimal."""
        h = hashlib.sha256(repr((self.pixel_m, self.cell.shape)).encode())
        for layer in (self.elevation_m, self.cell, self.road_m2, self.sink):
            h.update(np.ascontiguousarray(layer).tobytes())
        return h.hexdigest()


__all__ = [
    "BoolArray",
    "ByQuarter",
    "ByteArray",
    "District",
    "Facility",
    "FloatArray",
    "Ground",
    "IntArray",
    "LinkClass",
    "Severity",
    "Structure",
    "literal_ladder",
]
