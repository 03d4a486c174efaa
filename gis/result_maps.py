"""What came of an exercise drawn over the town, as vector maps for a page (§17).

Every tint has a hatch beside its colour, so that a photocopy and a colour-blind reader see it too.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import shapely

from gis.sheet_map import SheetMap, SheetPack
from gis.sheet_style import COLOUR, Hatch
from gis.sheet_svg import Layer, layer, svg_of
from sim.district import BoolArray

_PAPER, _MESH, _GREEN, _WATER, _ROAD = "#fbfaf6", "#d9d6cc", "#eef2e6", "#dde1e2", "#b9b2a2"
_SHORE, _INK, _QUARTER, _SHELTER = "#8aa3b0", "#1d2b33", "#7a2a4d", "#0e5a68"
_BAR_SHARE = 0.8
"""Share of an edge that the bar of a cut link takes."""
_KEY_MM = (7.0, 3.6)


@dataclass(frozen=True, slots=True)
class Tint:
    """How some hexes are drawn.

    Attributes
    ----------
    fill : str
        Colour, or '' for none.
    hatch : Hatch or None
        Over it, in shares of a hex's width.
    hatch_ink : str
    """

    fill: str
    hatch: Hatch | None = None
    hatch_ink: str = _INK


@dataclass(frozen=True, slots=True)
class Bar:
    """How cut links are drawn: a bar across the edge, ``width`` in shares of a hex's width."""

    ink: str
    width: float
    dash: str = ""


@dataclass(frozen=True)
class ResultMaps:
    """Maps of one district at one scale.

    Attributes
    ----------
    pack : SheetPack
    scale : int
        Denominator: metres on the ground to a metre of paper.
    """

    pack: SheetPack
    scale: int

    @cached_property
    def _drawn(self) -> SheetMap:
        return SheetMap(self.pack, self.scale, COLOUR)

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of a map, millimetres."""
        return self._drawn.size

    @property
    def unit_mm(self) -> float:
        """Width of a hex on paper, millimetres."""
        return self._drawn.unit

    @cached_property
    def _ground(self) -> tuple[Layer, ...]:
        drawn, unit = self._drawn, self._drawn.unit
        return (
            layer([drawn.outline], fill=_PAPER),
            layer(drawn.background("green"), fill=_GREEN),
            layer(drawn.background("water"), fill=_WATER, stroke=_SHORE, width=0.03 * unit),
            layer(drawn.background("stream"), stroke=_SHORE, width=0.04 * unit, round=True),
        )

    @cached_property
    def _over(self) -> tuple[Layer, ...]:
        """Wide roads and limits of quarters: what a reader knows a place by."""
        drawn, unit, district = self._drawn, self._drawn.unit, self.pack.district
        roads = (
            layer(drawn.background(kind), stroke=_ROAD, width=width * unit, round=True)
            for kind, width in (("road3", 0.06), ("road4", 0.10))
        )
        low, high = district.sheet.edges.T
        limits = drawn.edge_ends[district.quarter[low] != district.quarter[high]]
        return (
            *roads,
            layer(
                shapely.linestrings(limits),
                stroke=_QUARTER,
                width=0.035 * unit,
                dash=f"{0.14 * unit:.2f} {0.08 * unit:.2f}",
            ),
        )

    @cached_property
    def _shelters(self) -> tuple[Layer, ...]:
        drawn, unit = self._drawn, self._drawn.unit
        centres = drawn.centres[[s.cell for s in self.pack.district.shelters]].reshape(-1, 2)
        half = 0.2 * unit
        squares = [shapely.box(x - half, y - half, x + half, y + half) for x, y in centres]
        return (layer(squares, fill=_SHELTER, stroke="#ffffff", width=0.05 * unit),)

    def svg(
        self,
        tints: Sequence[tuple[npt.ArrayLike, Tint]],
        bars: Sequence[tuple[npt.ArrayLike, Bar]] = (),
    ) -> str:
        """Return a map as SVG.

        Parameters
        ----------
        tints : sequence of ((n_hex,) bool, Tint)
            Hexes drawn alike, one after the other.
        bars : sequence of ((n_edge,) bool, Bar)
            Links that are cut.
        """
        mesh = layer(
            shapely.get_exterior_ring(self._drawn.hexes[self.pack.district.active]),
            stroke=_MESH,
            width=0.02 * self._drawn.unit,
        )
        layers = (
            *self._ground,
            *(part for cells, tint in tints for part in self._tinted(np.asarray(cells), tint)),
            mesh,
            *self._over,
            *(self._barred(np.asarray(links), bar) for links, bar in bars),
            *self._shelters,
        )
        drawn = svg_of(layers, self._drawn.window)
        return _with_patterns(drawn, (tint for _, tint in tints), self._drawn.unit)

    def _tinted(self, cells: BoolArray, tint: Tint) -> Iterator[Layer]:
        if cells.any():
            area = shapely.union_all(self._drawn.hexes[cells], grid_size=0.001)
            yield from _tint_layers(area, tint)

    def _barred(self, links: BoolArray, bar: Bar) -> Layer:
        ends = self._drawn.edge_ends[links]
        middle = ends.mean(axis=1, keepdims=True)
        unit = self._drawn.unit
        return layer(
            shapely.linestrings(middle + _BAR_SHARE * (ends - middle)),
            stroke=bar.ink,
            width=bar.width * unit,
            dash=" ".join(f"{float(d) * unit:.2f}" for d in bar.dash.split()),
        )


def _tint_layers(area: shapely.Geometry, tint: Tint) -> Iterator[Layer]:
    yield layer([area], fill=tint.fill)
    if tint.hatch:
        yield layer([area], fill=f"url(#{_name(tint)})")


def _name(tint: Tint) -> str:
    """Name of a tint's pattern, told by what it looks like: equal tints share it."""
    hatch = tint.hatch or Hatch((), 0.0, 0.0)
    parts = (*hatch.angles, f"{hatch.spacing:g}", f"{hatch.width:g}", tint.hatch_ink[1:])
    return "h" + "-".join(map(str, parts)).replace(".", "_")


def _with_patterns(svg: str, tints: Iterable[Tint], unit: float) -> str:
    """Put the patterns of some tints into a drawing: far quicker than a line for each hatch."""
    patterns = {_name(tint): _pattern(tint, unit) for tint in tints if tint.hatch}
    start = svg.index(">") + 1
    return f"{svg[:start]}<defs>{''.join(patterns.values())}</defs>{svg[start:]}"


def _pattern(tint: Tint, unit: float) -> str:
    hatch = tint.hatch
    assert hatch is not None
    step, width, ink = hatch.spacing * unit, hatch.width * unit, tint.hatch_ink
    turn = -hatch.angles[0] if hatch.angles else 0
    if hatch.angles:
        path = f"M0 {step / 2:.3f}H{step:.3f}"
        if len(hatch.angles) > 1:
            path += f"M{step / 2:.3f} 0V{step:.3f}"
        drawn = f'<path d="{path}" stroke="{ink}" stroke-width="{width:.3f}"/>'
    else:
        drawn = "".join(
            f'<circle cx="{step * at:.3f}" cy="{step * at:.3f}" r="{width:.3f}" fill="{ink}"/>'
            for at in (0.25, 0.75)
        )
    return (
        f'<pattern id="{_name(tint)}" width="{step:.3f}" height="{step:.3f}" '
        f'patternUnits="userSpaceOnUse" patternTransform="rotate({turn})">{drawn}</pattern>'
    )


def key_of(sign: Tint | Bar, unit: float) -> str:
    """Return the swatch of a legend as SVG.

    Parameters
    ----------
    sign : Tint or Bar
    unit : float
        Width of a hex on the map, millimetres: the swatch is hatched as the map is.
    """
    width, height = _KEY_MM
    if isinstance(sign, Bar):
        line = shapely.LineString([(0.8, height / 2), (width - 0.8, height / 2)])
        dash = " ".join(f"{float(d) * unit:.2f}" for d in sign.dash.split())
        drawn = (layer([line], stroke=sign.ink, width=sign.width * unit, dash=dash),)
        return svg_of(drawn, (0.0, 0.0, width, height))
    area = shapely.box(0.1, 0.1, width - 0.1, height - 0.1)
    frame = layer([area], stroke="#9a958a", width=0.15)
    drawn_area = svg_of((*_tint_layers(area, sign), frame), (0.0, 0.0, width, height))
    return _with_patterns(drawn_area, (sign,), unit)


def shelter_key() -> str:
    """Return the swatch of a shelter as SVG."""
    width, height = _KEY_MM
    square = shapely.box(width / 2 - 1.3, height / 2 - 1.3, width / 2 + 1.3, height / 2 + 1.3)
    return svg_of((layer([square], fill=_SHELTER),), (0.0, 0.0, width, height))
