"""The map of the printed sheet: a district pack laid on paper, in layers of vector shapes."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import rasterio
import shapely
from pyproj import Proj
from pyproj.exceptions import CRSError

from gis import sheet_signs
from gis.lattice import CORNERS_M, Float64Array, Lattice
from gis.pack_lattice import read_lattice
from gis.pack_layers import read_layer
from gis.sheet_style import (
    BARRIER_SHARE,
    BARRIER_WIDTH,
    EXPRESSWAY_CORE,
    FABRIC_HATCHES,
    LINK_WIDTH,
    MARK,
    QUARTER_WIDTH,
    SIGN,
    STUB,
    WATER_HATCH,
    Palette,
)
from gis.sheet_svg import Layer, Shapes, Window, hatched, layer
from gis.shown import drawn_through, shown_barriers
from gis.store import GROUND, MANIFEST, read_district, read_ground, read_manifest
from gis.webmap import unmapped_water
from sim.district import District, Facility
from sim.errors import DistrictError
from sim.refusal import reason_of, refuse
from sim.rules import HEX_WIDTH_M, Fabric, LinkClass, Structure

PAD_MM = 1.2
"""Paper left around the hexes, for the strokes of the outermost."""
SLOTS_DEG = (0, 60, 300, 120, 240)
"""Sectors between links that take a hex's signs, in order; the one due west takes its number."""
SLOT_SHARE = 0.365
"""Distance of a sign from its hex's centre, share of a hex's width."""
SMALLEST_MM2 = 0.012
"""A footprint smaller than this on paper is dust."""
PLAN_UNIT_MM = 16.0
"""Hex width for which water is rippled on the assembly plan: else the lines would run together."""
STREETS = (("road1", 0.26), ("road2", 0.36), ("road3", 0.44), ("road4", 0.5))
_ROAD_UNIT = 0.1


@dataclass(frozen=True)
class SheetPack:
    """What a sheet reads of a district pack; the background is in the lattice's CRS."""

    district: District
    manifest: Mapping[str, Any]
    manifest_sha256: str
    lattice: Lattice
    basemap: gpd.GeoDataFrame


def read_sheet_pack(pack: Path) -> SheetPack:
    """Read what a sheet needs of a district pack.

    Raises
    ------
    DistrictError
        If the pack is missing, damaged, or has no place on the ground.

    """
    district, manifest = read_district(pack), read_manifest(pack)
    lattice = read_lattice(pack)
    basemap = read_layer(pack, "basemap")
    try:
        with rasterio.open(pack / GROUND) as source:
            transform = source.transform
    except (OSError, ValueError, RuntimeError) as error:
        raise DistrictError(
            refuse(
                "",
                "{pack} cannot be read ({error}); build the district again",
                pack=str(pack / GROUND),
                error=reason_of(error),
            )
        ) from error
    basemap = basemap.to_crs(lattice.crs)
    lakes = unmapped_water(read_ground(pack), transform, basemap).to_crs(lattice.crs)
    return SheetPack(
        district,
        manifest,
        hashlib.sha256((pack / MANIFEST).read_bytes()).hexdigest(),
        lattice,
        gpd.GeoDataFrame(pd.concat((basemap, lakes), ignore_index=True), crs=lattice.crs),
    )


@dataclass(frozen=True)
class Placed:
    """A sign on paper: kind, place in millimetres, and what is written in it."""

    kind: str
    x: float
    y: float
    text: str = ""


@dataclass(frozen=True)
class SheetMap:
    """A district on paper at a scale; origin at the map's north-west corner, millimetres, y down.

    Attributes
    ----------
    pack : SheetPack
    scale : int
        Denominator: metres on the ground to a metre of paper.
    palette : Palette

    """

    pack: SheetPack
    scale: int
    palette: Palette

    @property
    def unit(self) -> float:
        """Width of a hex across flats on paper, millimetres."""
        return HEX_WIDTH_M * 1000 / self.scale

    @cached_property
    def size(self) -> tuple[float, float]:
        """Width and height of the map, millimetres."""
        return size_mm(self.pack.lattice, self.scale)

    @property
    def window(self) -> Window:
        """The whole map."""
        return (0.0, 0.0, *self.size)

    def on_paper(self, metres: Float64Array) -> Float64Array:
        """(..., 2) metres in the lattice's CRS → millimetres."""
        west, _, _, north = self.pack.lattice.bounds
        return (metres - (west, north)) * (1000 / self.scale, -1000 / self.scale) + PAD_MM

    @cached_property
    def centres(self) -> Float64Array:
        """(n_hex, 2) centres, millimetres."""
        return self.on_paper(self.pack.lattice.centres)

    @cached_property
    def hexes(self) -> Shapes:
        """(n_hex,) hexagons, millimetres."""
        corners = CORNERS_M * (1000 / self.scale, -1000 / self.scale)
        hexes: Shapes = shapely.polygons(self.centres[:, None, :] + corners[None])
        return hexes

    @cached_property
    def outline(self) -> shapely.Geometry:
        """All hexes as one area."""
        return shapely.union_all(self.hexes, grid_size=0.001)

    @cached_property
    def edge_ends(self) -> Float64Array:
        """(n_edge, 2, 2) ends of the shared edges, millimetres."""
        return self.on_paper(self.pack.lattice.edge_ends)

    @cached_property
    def signs(self) -> tuple[Placed, ...]:
        """Facilities, each in a free sector of its hex (§16)."""
        district = self.pack.district
        taken: dict[int, int] = {}
        placed = []
        for kind, facilities in kinds_of(district):
            for number, facility in enumerate(facilities, 1):
                slot = taken.get(facility.cell, 0)
                taken[facility.cell] = slot + 1
                angle = np.radians(SLOTS_DEG[slot % len(SLOTS_DEG)])
                x, y = self.centres[facility.cell] + SLOT_SHARE * self.unit * np.array(
                    (np.cos(angle), -np.sin(angle))
                )
                placed.append(
                    Placed(kind, float(x), float(y), str(number) if kind == "shelter" else "")
                )
        return tuple(placed)

    @cached_property
    def structures(self) -> tuple[Placed, ...]:
        """Bridges and underpasses, at the middle of their edges (§3.3)."""
        middles = self.edge_ends.mean(axis=1)
        structure = self.pack.district.structure
        return tuple(
            Placed(Structure(structure[edge]).name.lower(), float(x), float(y))
            for edge, (x, y) in enumerate(middles)
            if structure[edge] != Structure.ROAD
        )

    @cached_property
    def north_deg(self) -> float:
        """Angle from the sheet's up to true north at its middle, degrees clockwise."""
        west, south, east, north = self.pack.lattice.bounds_lonlat
        try:
            factors = Proj(self.pack.lattice.crs).get_factors(
                (west + east) / 2, (south + north) / 2
            )
        except CRSError:
            return 0.0
        return round(-float(factors.meridian_convergence), 2)

    # --------------------------------------------------------------------------- layers
    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """Everything but the texts, from the ground up."""
        return (
            *self._ground(),
            *self._background(),
            *self._mesh(),
            *self._quarters(),
            *self._links(),
            *self._barriers(),
            *self._structures(),
            *self._signs(),
        )

    @cached_property
    def plan_layers(self) -> tuple[Layer, ...]:
        """What an assembly plan shows of a map, small: water, hexes, wide links, quarters."""
        palette, district = self.palette, self.pack.district
        link = district.link_class
        ends = self.centres[district.sheet.edges]
        active = shapely.union_all(self.hexes[district.active], grid_size=0.001)
        water = shapely.union_all(self.background("water"), grid_size=0.001)
        return (
            layer([self.outline], fill=palette.paper),
            layer([active], fill=palette.plan),
            layer([water], fill=palette.plan_water),
            layer(
                hatched(water, WATER_HATCH, PLAN_UNIT_MM) if palette.photocopy else [],
                stroke=palette.water_line,
                width=0.12,
            ),
            layer([water], stroke=palette.water_line, width=0.1),
            layer(shapely.get_exterior_ring(self.hexes), stroke=palette.mesh, width=0.04),
            *self._quarters(),
            *(
                layer(
                    shapely.linestrings(ends[(link == wide) & drawn_through(district)]),
                    stroke=palette.links[wide],
                    width=0.5 if wide == LinkClass.EXPRESSWAY else 0.3,
                    round=True,
                )
                for wide in (LinkClass.PRIMARY, LinkClass.EXPRESSWAY)
            ),
        )

    def _ground(self) -> Iterator[Layer]:
        palette, district = self.palette, self.pack.district
        yield layer([self.outline], fill=palette.paper)
        if palette.green:
            yield layer(self.background("green"), fill=palette.green)
        for fabric in Fabric:
            cells = np.flatnonzero(district.active & (district.fabric == fabric))
            area = shapely.union_all(self.hexes[cells], grid_size=0.001)
            yield from self.fabric_layers(fabric, area)

    def fabric_layers(self, fabric: Fabric, area: shapely.Geometry) -> Iterator[Layer]:
        """Tint and hatch of a fabric over an area."""
        palette, hatch, unit = self.palette, FABRIC_HATCHES[fabric], self.unit
        yield layer([area], fill=palette.fabrics[fabric])
        yield layer(
            hatched(area, hatch, unit),
            stroke=palette.hatches[fabric],
            width=max(hatch.width * unit, min(0.07, 0.01 * unit)),
            dash=" ".join(f"{float(d) * unit:.2f}" for d in hatch.dash.split()),
            round=not hatch.angles,
        )

    def background(self, *kinds: str) -> Shapes:
        """Return the background of some kinds on paper, cut at the outline of the hexes."""
        base = self.pack.basemap
        shapes = base.geometry[base["kind"].isin(kinds)].to_numpy()
        shapes = shapes[~(shapely.is_empty(shapes) | shapely.is_missing(shapes))]
        shapes = shapely.transform(shapes, self.on_paper)
        over = ~shapely.covered_by(shapes, self.outline)
        shapes[over] = shapely.intersection(shapely.make_valid(shapes[over]), self.outline)
        kept: Shapes = shapes[~shapely.is_empty(shapes)]
        return kept

    def _background(self) -> Iterator[Layer]:
        palette, unit = self.palette, self.unit
        if palette.building:
            buildings = self.background("building")
            yield layer(buildings[shapely.area(buildings) >= SMALLEST_MM2], fill=palette.building)
        yield from self.water_layers(shapely.union_all(self.background("water"), grid_size=0.001))
        yield layer(
            self.background("stream"), stroke=palette.water_line, width=0.03 * unit, round=True
        )
        for kind, width in STREETS:
            yield layer(
                self.background(kind),
                stroke=palette.street,
                width=width * _ROAD_UNIT * unit,
                round=True,
            )
        yield from self.rail_layers(self.background("rail"))
        yield layer(self.background("wall"), stroke=palette.wall, width=0.012 * unit)

    def water_layers(self, area: shapely.Geometry) -> Iterator[Layer]:
        """Open water over an area: dense ripples on a photocopy."""
        palette, unit = self.palette, self.unit
        yield layer([area], fill=palette.water)
        if palette.photocopy:
            yield layer(
                hatched(area, WATER_HATCH, unit),
                stroke=palette.water_line,
                width=max(WATER_HATCH.width * unit, min(0.09, 0.012 * unit)),
            )
        yield layer([area], stroke=palette.water_line, width=0.012 * unit)

    def rail_layers(self, lines: Shapes) -> Iterator[Layer]:
        """Railways: a line, dashed white within."""
        unit = self.unit
        yield layer(lines, stroke=self.palette.rail, width=0.032 * unit)
        yield layer(lines, stroke="#ffffff", width=0.018 * unit, dash=_dash(unit, 0.1, 0.1))

    def _mesh(self) -> Iterator[Layer]:
        yield layer(
            shapely.get_exterior_ring(self.hexes),
            stroke=self.palette.mesh,
            width=self.palette.mesh_width * self.unit,
        )

    def _quarters(self) -> Iterator[Layer]:
        district = self.pack.district
        low, high = district.sheet.edges.T
        limits = self.edge_ends[district.quarter[low] != district.quarter[high]]
        yield from self.quarter_layers(shapely.linestrings(limits) if len(limits) else [])

    def quarter_layers(self, lines: Any) -> Iterator[Layer]:
        """Limits of quarters."""
        unit = self.unit
        merged = shapely.get_parts(shapely.line_merge(shapely.union_all(lines, grid_size=0.001)))
        yield layer(merged, stroke="#ffffff", width=1.9 * QUARTER_WIDTH * unit, round=True)
        yield layer(
            merged,
            stroke=self.palette.quarter,
            width=QUARTER_WIDTH * unit,
            dash=_dash(unit, 0.2, 0.09, 0.05, 0.09),
        )

    def _links(self) -> Iterator[Layer]:
        district = self.pack.district
        ends = self.centres[district.sheet.edges]
        on_foot = district.foot & (district.link_class == LinkClass.NONE)
        yield from self.foot_layers(ends[on_foot])
        through = drawn_through(district)
        for link in (c for c in LinkClass if c != LinkClass.NONE):
            here = district.link_class == link
            if link != LinkClass.LOCAL:
                yield from self.link_layers(link, _stubs(ends[here & ~through]))
                here &= through
            yield from self.link_layers(link, ends[here])

    def foot_layers(self, ends: Float64Array) -> Iterator[Layer]:
        """Links for pedestrians alone."""
        unit = self.unit
        yield layer(
            shapely.linestrings(_stubs(ends)) if len(ends) else [],
            stroke=self.palette.foot,
            width=0.03 * unit,
            dash=_dash(unit, 0.05, 0.035),
        )

    def link_layers(self, link: LinkClass, ends: Float64Array) -> Iterator[Layer]:
        """Links of a class: local streets as stubs, the others from centre to centre.

        Parameters
        ----------
        link : LinkClass
        ends : (n, 2, 2) float
            Centres of the two hexes, millimetres.

        """
        unit, ink = self.unit, self.palette.links[link]
        if not len(ends):
            return
        if link == LinkClass.LOCAL:
            yield layer(
                shapely.linestrings(_stubs(ends)), stroke=ink, width=LINK_WIDTH[link] * unit
            )
            return
        lines = shapely.linestrings(ends)
        wide = LINK_WIDTH[link] * unit
        yield layer(lines, stroke="#ffffff", width=wide + 0.03 * unit, round=True)
        yield layer(lines, stroke=ink, width=wide, round=True)
        if link == LinkClass.EXPRESSWAY:
            core = self.palette.expressway_core
            yield layer(lines, stroke=core, width=EXPRESSWAY_CORE * unit, round=True)

    def _barriers(self) -> Iterator[Layer]:
        yield from self.barrier_layers(self.edge_ends[shown_barriers(self.pack.district)])

    def barrier_layers(self, ends: Float64Array) -> Iterator[Layer]:
        """Bars along edges that a river, rails or a wall forbid (§16)."""
        unit = self.unit
        middle = ends.mean(axis=1, keepdims=True)
        bars = shapely.linestrings(middle + (ends - middle) * BARRIER_SHARE) if len(ends) else []
        yield layer(bars, stroke="#ffffff", width=(BARRIER_WIDTH + 0.025) * unit)
        yield layer(bars, stroke=self.palette.barrier, width=BARRIER_WIDTH * unit)
        yield layer(bars, stroke=self.palette.barrier_core, width=0.2 * BARRIER_WIDTH * unit)

    def _structures(self) -> Iterator[Layer]:
        district = self.pack.district
        ends = self.centres[district.sheet.edges]
        for structure in (Structure.BRIDGE, Structure.UNDERPASS):
            yield from self.structure_layers(structure, ends[district.structure == structure])

    def structure_layers(self, structure: Structure, ends: Float64Array) -> Iterator[Layer]:
        """Marks of bridges (along their links) or of underpasses, at the middle of links."""
        unit, ink = self.unit, self.palette.ink
        size = MARK * unit
        middles, across = ends.mean(axis=1), ends[:, 1] - ends[:, 0]
        if structure == Structure.BRIDGE:
            angle = np.arctan2(across[:, 1], across[:, 0])
            marks = [
                _moved(sheet_signs.bridge(), at, size, turn)
                for at, turn in zip(middles, angle, strict=True)
            ]
            yield layer(marks, stroke="#ffffff", width=0.055 * unit, round=True)
            yield layer(marks, stroke=ink, width=0.026 * unit, round=True)
            return
        disc, dip = sheet_signs.underpass()
        discs = [_moved(disc, at, size) for at in middles]
        yield layer(discs, fill="#ffffff", stroke=ink, width=0.018 * unit)
        dips = [_moved(dip, at, size) for at in middles]
        yield layer(dips, stroke=ink, width=0.034 * unit, round=True)

    def _signs(self) -> Iterator[Layer]:
        for kind in ("shelter", "station", "police", "technical"):
            at = np.array([(s.x, s.y) for s in self.signs if s.kind == kind]).reshape(-1, 2)
            yield from self.sign_layers(kind, at)

    def sign_layers(self, kind: str, at: Float64Array) -> Iterator[Layer]:
        """Signs of facilities of a kind, on a white rim."""
        sign = getattr(sheet_signs, kind)()
        size = SIGN * self.unit * (1.0 if kind == "shelter" else 0.86)
        shapes = [_moved(sign, point, size) for point in at]
        rims = [shapely.Polygon(shape.exterior) for shape in shapes]
        yield layer(rims, fill="#ffffff", stroke="#ffffff", width=0.05 * self.unit)
        yield layer(shapes, fill=getattr(self.palette, kind))


def kinds_of(district: District) -> tuple[tuple[str, tuple[Facility, ...]], ...]:
    """Facilities of a district by kind, in the order in which they take a hex's free sectors."""
    return (
        ("shelter", district.shelters),
        ("station", district.stations),
        ("police", district.police_stations),
        ("technical", district.technical_centres),
    )


def size_mm(lattice: Lattice, scale: int) -> tuple[float, float]:
    """Width and height of a map at a scale, millimetres."""
    west, south, east, north = lattice.bounds
    return (
        (east - west) * 1000 / scale + 2 * PAD_MM,
        (north - south) * 1000 / scale + 2 * PAD_MM,
    )


def _stubs(ends: Float64Array) -> Float64Array:
    middle = ends.mean(axis=1, keepdims=True)
    stubs: Float64Array = middle + (ends - middle) * 2 * STUB
    return stubs


def _dash(unit: float, *shares: float) -> str:
    return " ".join(f"{share * unit:.3f}" for share in shares)


def _moved(shape: Any, at: Float64Array, size: float, turn: float = 0.0) -> Any:
    cos, sin = np.cos(turn) * size, np.sin(turn) * size
    return shapely.transform(
        shape, lambda p: np.column_stack((p @ (cos, -sin), p @ (sin, cos))) + at
    )
