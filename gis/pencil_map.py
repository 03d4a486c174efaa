"""A town in grey, its hexes wide enough to hatch by pencil: the map of a printed forecast form.

Its low points stand on it, as on the map of a page: a forecast begins with them.

A sheet whose numbers would be too small to read on one page is cut into several.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from gis.lattice import Float64Array
from gis.sheet import fitting_scale
from gis.sheet_labels import DIGIT_EM, MM_PER_PT
from gis.sheet_map import SheetMap, SheetPack, kinds_of, size_mm
from gis.sheet_style import MONO
from gis.sheet_svg import Layer, Window, layer, svg_of
from gis.sheet_tables import SWATCH_MM, SWATCH_UNIT, legend
from sim.rules import HEX_WIDTH_M, WATERS, Structure

FRAME_MM = (281.0, 157.0)
"""Room of a map on its page."""
LEAST_PT, MOST_PT = 4.6, 7.5
"""Size of a hex's number, points: what is read at arm's length in lamplight, and enough of it."""
_NUMBER_SHARE, _NUMBER_UP = 0.64, 0.31
"""Width of a number, and how far above its hex's middle it stands: the middle is for the pencil."""
_SIGN_SPOTS = ((0.27, 0.2), (-0.27, 0.2), (0.0, 0.3), (0.38, -0.02), (-0.38, -0.02))
_LOW_POINT = (0.1, 0.04, 0.0, 0.09)
"""Half the width of a low point's triangle, of a hex's: at class 0, a class more; its place."""
_GREEN, _ROAD, _FAINT, _LOW = "#f3f3f3", "#c9c9c9", "#a9a9a9", "#d6d6d6"
_SIGNS = ("quarter_limit", "bridge", "underpass", "shelter", "station", "police", "technical")
_GREY = replace(
    MONO,
    photocopy=False,
    water="#e4e4e4",
    water_line="#bdbdbd",
    quarter="#8a8a8a",
    ink="#8a8a8a",
    barrier="#8a8a8a",
    shelter="#8a8a8a",
    station="#8a8a8a",
    police="#8a8a8a",
    technical="#8a8a8a",
)
_FROM_MM = np.array([row.from_mm for row in WATERS.values()])
_ROADS = (("road2", 0.03), ("road3", 0.055), ("road4", 0.08))


@dataclass(frozen=True, slots=True)
class Part:
    """A page of the map: which of how many, counted from 1, and what it shows, millimetres."""

    column: int
    row: int
    window: Window


@dataclass(frozen=True)
class PencilMap:
    """A district to hatch by pencil.

    Attributes
    ----------
    pack : SheetPack
    """

    pack: SheetPack

    @cached_property
    def _drawn(self) -> SheetMap:
        return SheetMap(self.pack, self._scale, _GREY)

    @cached_property
    def _scale(self) -> int:
        """Denominator: the whole on a page where its numbers can be read, else what they want."""
        return min(fitting_scale(self.pack, FRAME_MM), int(HEX_WIDTH_M * 1000 / self._least_unit))

    @property
    def _digits(self) -> int:
        return 2 * self.pack.district.sheet.digits

    @property
    def _least_unit(self) -> float:
        """Width of a hex whose number can just be read, millimetres."""
        return LEAST_PT * MM_PER_PT * self._digits * DIGIT_EM / _NUMBER_SHARE

    @property
    def number_pt(self) -> float:
        """Size of the numbers, points."""
        wide = _NUMBER_SHARE * self._drawn.unit / (self._digits * DIGIT_EM)
        return round(min(wide / MM_PER_PT, MOST_PT), 2)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Pages of the map, row by row; neighbours share a band of a hex."""
        size = size_mm(self.pack.lattice, self._scale)
        band = self._drawn.unit
        counts, steps = [], []
        for side, room in zip(size, FRAME_MM, strict=True):
            count = 1 if side <= room else ceil((side - band) / (room - band))
            counts.append(count)
            steps.append((side - band) / count)
        return tuple(
            Part(
                column + 1,
                row + 1,
                (
                    column * steps[0],
                    row * steps[1],
                    column * steps[0] + steps[0] + band,
                    row * steps[1] + steps[1] + band,
                ),
            )
            for row in range(counts[1])
            for column in range(counts[0])
        )

    def plain(self) -> list[dict[str, Any]]:
        """Return the pages as the template takes them: a drawing, and the numbers over it."""
        return [self._shown(part) for part in self.parts]

    def _shown(self, part: Part) -> dict[str, Any]:
        west, north, east, south = part.window
        sheet, unit = self.pack.district.sheet, self._drawn.unit
        labels = [
            [
                round(float(x) - west, 2),
                round(float(y) - _NUMBER_UP * unit - north, 2),
                active,
                text,
            ]
            for (x, y), active, text in zip(
                self._drawn.centres,
                self.pack.district.active.tolist(),
                map(sheet.label, range(sheet.n_hexes)),
                strict=True,
            )
            if west < x < east and north < y < south
        ]
        return {
            "column": part.column,
            "row": part.row,
            "width": round(east - west, 2),
            "height": round(south - north, 2),
            "svg": svg_of(self._layers, part.window),
            "labels": labels,
        }

    def legend(self, lang: str) -> list[dict[str, str]]:
        """Return its signs as the template takes them, each a drawing; that of low points first."""
        middle = np.array([[SWATCH_MM[0] / 2, SWATCH_MM[1] / 2]])
        shape = list(_low_points(middle, np.array([2]), SWATCH_UNIT))
        low = {"key": "low_point", "svg": svg_of(shape, (0.0, 0.0, *SWATCH_MM)), "label": ""}
        return [low, *(one for one in legend(self._drawn, lang) if one["key"] in _SIGNS)]

    # --------------------------------------------------------------------------- layers
    @cached_property
    def _layers(self) -> tuple[Layer, ...]:
        return (*self._ground(), *self._mesh(), *self._low_points(), *self._signs())

    def _ground(self) -> Iterator[Layer]:
        drawn, unit = self._drawn, self._drawn.unit
        yield layer([drawn.outline], fill="#ffffff")
        yield layer(drawn.background("green"), fill=_GREEN)
        yield from drawn.water_layers(shapely.union_all(drawn.background("water"), grid_size=0.001))
        yield layer(
            drawn.background("stream"), stroke=_GREY.water_line, width=0.03 * unit, round=True
        )
        for kind, width in _ROADS:
            yield layer(drawn.background(kind), stroke=_ROAD, width=width * unit, round=True)
        yield from drawn.rail_layers(drawn.background("rail"))

    def _mesh(self) -> Iterator[Layer]:
        drawn, district = self._drawn, self.pack.district
        rings = shapely.get_exterior_ring(drawn.hexes)
        width = max(0.01 * drawn.unit, 0.08)
        yield layer(rings[~district.active], stroke=_ROAD, width=width / 2)
        yield layer(rings[district.active], stroke=_FAINT, width=width)
        low, high = district.sheet.edges.T
        limits = drawn.edge_ends[district.quarter[low] != district.quarter[high]]
        yield from drawn.quarter_layers(shapely.linestrings(limits) if len(limits) else [])
        ends = drawn.centres[district.sheet.edges]
        for structure in (Structure.BRIDGE, Structure.UNDERPASS):
            yield from drawn.structure_layers(structure, ends[district.structure == structure])

    def _low_points(self) -> Iterator[Layer]:
        district = self.pack.district
        classes = np.searchsorted(_FROM_MM, district.sink_mm, side="right") - 1
        on = district.active & (classes > 0)
        yield from _low_points(self._drawn.centres[on], classes[on], self._drawn.unit)

    def _signs(self) -> Iterator[Layer]:
        """Signs below the middle of their hex, clear of its number."""
        taken: dict[int, int] = {}
        for kind, facilities in kinds_of(self.pack.district):
            spots = []
            for facility in facilities:
                at = taken.get(facility.cell, 0)
                taken[facility.cell] = at + 1
                spots.append(self._spot(facility.cell, at))
            yield from self._drawn.sign_layers(kind, np.array(spots).reshape(-1, 2))

    def _spot(self, cell: int, at: int) -> Float64Array:
        spot: Float64Array = self._drawn.centres[cell] + self._drawn.unit * np.array(
            _SIGN_SPOTS[at % len(_SIGN_SPOTS)]
        )
        return spot


def _low_points(at: Float64Array, classes: npt.NDArray[np.integer], unit: float) -> Iterator[Layer]:
    """Triangles on their tip, the larger the deeper the water that stays there (§4.1, 16)."""
    least, step, x, y = _LOW_POINT
    half = (least + step * classes)[:, None] * unit
    middle = at + np.array([x, y]) * unit
    corners = np.array([(-1.0, -0.7), (1.0, -0.7), (0.0, 0.9)])
    rings = middle[:, None, :] + half[:, :, None] * corners
    yield layer(shapely.polygons(rings), fill=_LOW, stroke="#8a8a8a", width=0.012 * unit)
