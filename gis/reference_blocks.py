"""Blocks of the reference town: landuse that follows the streets, and the buildings on it.

A building stands wholly in one hex and is of that hex's fabric, so that storeys and ground floors
speak clearly; landuse is given block by block, as a surveyor would draw it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import shapely
from shapely import Polygon, STRtree
from shapely.geometry.base import BaseGeometry

from gis.reference_board import Float64Array
from gis.reference_chance import Chance
from gis.reference_network import Network
from gis.reference_site import Site, outline, rounded_ring
from gis.reference_streets import StreetPlan
from sim.district import BoolArray
from sim.rules import Fabric, LinkClass

# landuse of each fabric, as tagged
GROUND = {
    Fabric.OLD_TOWN: ("landuse", "residential"),
    Fabric.SLAB_BLOCKS: ("landuse", "residential"),
    Fabric.TOWER_COMPOUND: ("landuse", "residential"),
    Fabric.COMMERCIAL: ("landuse", "commercial"),
    Fabric.INDUSTRIAL: ("landuse", "industrial"),
    Fabric.URBAN_VILLAGE: ("landuse", "residential"),
    Fabric.PARK: ("leisure", "park"),
    Fabric.FARMLAND: ("landuse", "farmland"),
}
SMALL_M2 = 290.0
BATCH = 120  # spots tried at once on the free ground of a hex
PEOPLED = frozenset({"residential", "commercial", "industrial"})


@dataclass(frozen=True)
class Building:
    """A building: its outline in metres, type, storeys, and the hex that it stands in."""

    outline: Float64Array
    kind: str
    levels: int
    cell: int
    amenity: str = ""
    name: str = ""

    @property
    def area_m2(self) -> float:
        """Ground floor."""
        return float(Polygon(self.outline).area)


@dataclass(frozen=True)
class GroundArea:
    """A piece of ground of one use."""

    key: str
    value: str
    area: Polygon


# --------------------------------------------------------------------------------- landuse
def ground_areas(site: Site, fabric: dict[int, Fabric], network: Network) -> list[GroundArea]:
    """Landuse of the whole sheet and a little beyond, in pieces without overlap."""
    quads, home = _quads(site, network)
    by_use: dict[tuple[str, str], list[Polygon]] = defaultdict(list)
    for quad, cell in zip(quads, home, strict=True):
        by_use[_use(site, fabric, cell)].append(quad)
    sheet = outline(site.board, range(site.board.sheet.n_hexes))
    town = _softened(outline(site.board, site.active)).union(sheet.envelope.buffer(900) - sheet)
    dry = site.water_area
    wild = {use for use in by_use if use[0] == "natural"}
    woods = [_rounded(shapely.union_all(by_use[use], grid_size=0.05)) for use in sorted(wild)]
    found: list[GroundArea] = []
    over = shapely.union_all(woods)
    for key, value in sorted(by_use):
        area = shapely.union_all(by_use[key, value], grid_size=0.05)
        area = _rounded(area) if key == "natural" else area.difference(over)
        if value in PEOPLED:
            area = area.intersection(town)
        area = area.difference(dry)
        for part in sorted(_polygons(area), key=lambda p: (p.centroid.x, p.centroid.y)):
            # a little inside its streets, so that no two rings of it touch
            clean = part.simplify(0.5).buffer(-0.6, join_style="mitre")
            found += [GroundArea(key, value, p) for p in _polygons(clean) if p.area > 900]
    return found


def _polygons(area: BaseGeometry) -> list[Polygon]:
    return [p for p in getattr(area, "geoms", [area]) if isinstance(p, Polygon) and not p.is_empty]


def _softened(area: BaseGeometry) -> BaseGeometry:
    """An area with the teeth of its hexes worn off, within a few per cent of each."""
    return area.buffer(40).buffer(-80).buffer(40).simplify(2)


def _rounded(area: BaseGeometry) -> BaseGeometry:
    """Ground that no street bounds, without the corners of the blocks that it was made of."""
    soft = [
        Polygon(rounded_ring(np.array(p.exterior.coords)[:-1], 3)).buffer(0)
        for p in _polygons(area.buffer(25).buffer(-25).simplify(90))
    ]
    return shapely.union_all(soft)


def _quads(site: Site, network: Network) -> tuple[list[Polygon], list[int]]:
    """Blocks between neighbouring lines of the grid, and the hex that each mostly lies in."""
    nodes = network.grid.nodes
    quads = shapely.polygons(
        np.stack((nodes[:-1, :-1], nodes[1:, :-1], nodes[1:, 1:], nodes[:-1, 1:]), axis=2)
        .reshape(-1, 4, 2)
    )  # fmt: skip
    share = np.array([0.15, 0.5, 0.85])
    s, t = (g.reshape(-1) for g in np.meshgrid(share, share))
    a, b = nodes[:-1, :-1, None], nodes[1:, :-1, None]
    c, d = nodes[1:, 1:, None], nodes[:-1, 1:, None]
    w = [((1 - s) * (1 - t)), s * (1 - t), s * t, (1 - s) * t]
    points = sum(
        corner * weight[None, None, :, None] for corner, weight in zip((a, b, c, d), w, strict=True)
    )
    points = np.asarray(points).reshape(-1, 9, 2) + site.board.origin
    cells = site.board.lattice.cells_at(points[..., 0], points[..., 1])
    home = [int(np.bincount(row + 1).argmax()) - 1 for row in cells]
    half_w, half_h = site.board.half_size
    kept_quads, kept_home = [], []
    for quad, cell, near in zip(quads, home, points[:, 4] - site.board.origin, strict=True):
        if abs(near[0]) < half_w + 420 and abs(near[1]) < half_h + 420 and quad.is_valid:
            if cell < 0:
                cell = int(np.hypot(*(site.board.centres - near).T).argmin())
            kept_quads.append(quad)
            kept_home.append(cell)
    return kept_quads, kept_home


def _use(site: Site, fabric: dict[int, Fabric], cell: int) -> tuple[str, str]:
    if cell in site.yard:
        return ("natural", "scrub")
    if cell in site.camp:
        return ("natural", "heath")
    if cell in site.lake:
        return ("landuse", "grass")
    if cell in site.woods:
        return ("natural", "wood")
    return GROUND[fabric[cell]]


# ------------------------------------------------------------------------------- buildings
@dataclass(frozen=True)
class _Block:
    """A block between four streets, less half their width: p(s, t) with s, t from 0 to 1."""

    corners: Float64Array

    @cached_property
    def size(self) -> tuple[float, float]:
        """Mean width and height, metres."""
        a, b, c, d = self.corners
        return (
            float(np.hypot(*(b - a)) + np.hypot(*(c - d))) / 2,
            float(np.hypot(*(d - a)) + np.hypot(*(c - b))) / 2,
        )

    def plot(self, s: float, t: float, width: float, depth: float) -> Float64Array:
        """(4, 2) rectangle by its lower corner and its size, metres along the block's sides."""
        w, h = self.size
        s0, s1, t0, t1 = s / w, (s + width) / w, t / h, (t + depth) / h
        weights = [
            ((1 - p) * (1 - q), p * (1 - q), p * q, (1 - p) * q)
            for p, q in ((s0, t0), (s1, t0), (s1, t1), (s0, t1))
        ]
        return np.asarray(np.array(weights) @ self.corners)


Shapes = npt.NDArray[np.object_]
Plot = tuple[Float64Array, str, int]


def _old_town(block: _Block, chance: Chance) -> Iterator[Plot]:
    w, h = block.size
    deep = 12.5
    for length, along in ((w, 0), (h, 1)):
        for far in (0.0, 1.0):
            at = 0.0 if along == 0 else deep
            stop = length if along == 0 else length - deep
            while stop - at > 7:
                front = min(chance.between(12, 22.5), stop - at)
                if stop - at - front < 6:
                    front = min(23.0, stop - at)
                levels = 3 if chance.happens(0.58) else (4 if chance.happens(0.5) else 2)
                if not chance.happens(0.03):
                    off = (h - deep) * far if along == 0 else (w - deep) * far
                    spot = (at, off, front, deep) if along == 0 else (off, at, deep, front)
                    yield block.plot(*spot), "apartments", levels
                at += front
    # houses in the yards
    yard_w, yard_h = w - 2 * deep - 16, h - 2 * deep - 16
    for i in range(max(0, int(yard_w // 22))):
        for j in range(max(0, int(yard_h // 22))):
            if chance.happens(0.85):
                s = deep + 8 + i * yard_w / (yard_w // 22) + chance.between(0, 3)
                t = deep + 8 + j * yard_h / (yard_h // 22) + chance.between(0, 3)
                width, depth = chance.between(13, 17), chance.between(12, 16)
                yield block.plot(s, t, width, depth), "yes", 2 + chance.below(2)


def _slabs(block: _Block, chance: Chance) -> Iterator[Plot]:
    w, h = block.size
    deep, gap = 12.0, chance.between(17, 21)
    at = 3.0
    levels = 6 if chance.happens(0.6) else 5 + chance.below(3)
    while at + deep <= h - 2:
        parts = 1 if w < 78 else 2
        room = (w - 6 - 9 * (parts - 1)) / parts
        for part in range(parts):
            length = room * chance.between(0.86, 1.0)
            yield block.plot(3 + part * (room + 9), at, length, deep), "apartments", levels
        at += deep + gap


def _towers(block: _Block, chance: Chance) -> Iterator[Plot]:
    w, h = block.size
    across, down = max(1, round(w / 46)), max(1, round(h / 46))
    levels = (11, 16, 18, 24, 28)[chance.below(5)]
    for i in range(across):
        for j in range(down):
            if chance.happens(0.1):
                continue
            width, depth = chance.between(20, 26), chance.between(17, 22)
            s = (i + 0.5) * w / across - width / 2 + chance.between(-4, 4)
            t = (j + 0.5) * h / down - depth / 2 + chance.between(-4, 4)
            yield (
                block.plot(np.clip(s, 0, w - width), np.clip(t, 0, h - depth), width, depth),
                "apartments",
                levels + chance.below(3),
            )


def _commercial(block: _Block, chance: Chance) -> Iterator[Plot]:
    w, h = block.size
    across, down = max(1, round(w / 48)), max(1, round(h / 40))
    for i in range(across):
        for j in range(down):
            if chance.happens(0.14):
                continue
            width, depth = w / across - chance.between(7, 14), h / down - chance.between(7, 13)
            kind = ("retail", "commercial", "office", "hotel")[chance.below(4)]
            yield (
                block.plot(i * w / across + 3, j * h / down + 3, width, depth),
                kind,
                2 + chance.below(4) if kind == "retail" else 4 + chance.below(9),
            )


def _industrial(block: _Block, chance: Chance) -> Iterator[Plot]:
    w, h = block.size
    if chance.happens(0.16):
        return
    across = 1 if chance.happens(0.5) else 2
    down = 1 if chance.happens(0.3) else 2
    for i in range(across):
        for j in range(down):
            if chance.happens(0.22):
                continue
            width = (w / across - 12) * chance.between(0.5, 0.95)
            depth = (h / down - 12) * chance.between(0.5, 0.95)
            kind = "industrial" if chance.happens(0.6) else "warehouse"
            yield (
                block.plot(i * w / across + 6, j * h / down + 6, width, depth),
                kind,
                1 + (chance.below(4) == 0),
            )


def _village(block: _Block, chance: Chance) -> Iterator[Plot]:
    w, h = block.size
    t = 0.0
    while t + 10 < h:
        s = chance.between(0, 4)
        deep = chance.between(9, 12)
        while s + 9 < w:
            width = chance.between(8.5, 13)
            if s + width > w:
                break
            if not chance.happens(0.08):
                yield (
                    block.plot(s, t + chance.between(0, 1.5), width, deep - 1.5),
                    "house",
                    1 + (chance.below(5) < 3),
                )
            s += width + chance.between(1.2, 3.2)
        t += deep + (1.5 if chance.happens(0.4) else chance.between(4, 6.5))


def _farms(block: _Block, chance: Chance) -> Iterator[Plot]:
    w, _ = block.size
    if not chance.happens(0.3):
        return
    s, t = chance.between(4, max(5, w - 45)), chance.between(2, 8)
    yield block.plot(s, t, 11, 9), "farm", 1 + chance.below(2)
    if chance.happens(0.7):
        yield block.plot(s + 15, t + 1, chance.between(14, 22), 9), "barn", 1
    if chance.happens(0.25):
        yield block.plot(s, t + 14, 36, 8), "greenhouse", 1


def _pavilions(block: _Block, chance: Chance) -> Iterator[Plot]:
    w, h = block.size
    if chance.happens(0.22):
        yield (
            block.plot(chance.between(5, w - 25), chance.between(5, h - 25), 14, 9),
            "kiosk" if chance.happens(0.5) else "pavilion",
            1,
        )


PATTERNS: dict[Fabric, Callable[[_Block, Chance], Iterator[Plot]]] = {
    Fabric.OLD_TOWN: _old_town,
    Fabric.SLAB_BLOCKS: _slabs,
    Fabric.TOWER_COMPOUND: _towers,
    Fabric.COMMERCIAL: _commercial,
    Fabric.INDUSTRIAL: _industrial,
    Fabric.URBAN_VILLAGE: _village,
    Fabric.PARK: _pavilions,
    Fabric.FARMLAND: _farms,
}


@dataclass(frozen=True, slots=True)
class Fill:
    """What stands on the free ground of a hex until its ground floors reach a least share."""

    least_ratio: float  # ground floors / dry ground
    kind: str
    width_m: float
    depth_m: float
    levels: int


# fmt: off
FILL = {
    Fabric.OLD_TOWN:       Fill(0.285, "yes",        15.0, 14.0,  3),  # known from 0.25
    Fabric.SLAB_BLOCKS:    Fill(0.060, "apartments", 42.0, 12.0,  6),
    Fabric.TOWER_COMPOUND: Fill(0.050, "apartments", 24.0, 20.0, 18),
    Fabric.COMMERCIAL:     Fill(0.060, "retail",     34.0, 24.0,  3),
    Fabric.INDUSTRIAL:     Fill(0.020, "warehouse",  40.0, 24.0,  1),
    Fabric.URBAN_VILLAGE:  Fill(0.160, "house",      12.0,  9.0,  2),
    Fabric.PARK:           Fill(0.001, "pavilion",   14.0,  9.0,  1),
    Fabric.FARMLAND:       Fill(0.001, "farm",       12.0,  9.0,  1),
}
# fmt: on


class _Obstacles:
    """What no building touches: streets, rails, water, walls, each with its own distance."""

    def __init__(self, site: Site, streets: StreetPlan) -> None:
        main, local = (
            [w.points for w in streets.ways if (w.link_class >= LinkClass.SECONDARY) is big]
            for big in (True, False)
        )
        walls = [np.array(wall.exterior.coords) for wall in streets.walls]
        # in small pieces, so that the tree finds the near ones at once
        self._trees = [
            (STRtree(pieces), distance)
            for pieces, distance in (
                (_stretches(main), 8.8),
                (_stretches(local), 4.5),
                (_stretches([np.array(site.rail_line.segmentize(300).coords)]), 16.0),
                (_tiles(site.water_area, 300.0), 9.0),
                (_stretches(walls), 2.5),
            )
        ]

    def clear_of(self, shapes: Shapes) -> BoolArray:
        """(n,) the shapes that keep their distance."""
        clear = np.ones(len(shapes), dtype=bool)
        for tree, distance in self._trees:
            clear[tree.query(shapes, predicate="dwithin", distance=distance)[0]] = False
        return clear


def _stretches(courses: list[Float64Array]) -> Shapes:
    """Every straight stretch of some courses."""
    ends = [np.stack((c[:-1], c[1:]), axis=1) for c in courses]
    return np.asarray(shapely.linestrings(np.concatenate(ends))) if ends else np.empty(0, object)


def _tiles(area: BaseGeometry, side_m: float) -> Shapes:
    """An area cut into squares."""
    west, south, east, north = area.bounds
    x, y = np.meshgrid(np.arange(west, east, side_m), np.arange(south, north, side_m))
    squares = shapely.box(x, y, x + side_m, y + side_m).reshape(-1)
    shapely.prepare(area)
    squares = squares[shapely.intersects(area, squares)]
    return np.asarray(shapely.intersection(area, squares))


def place_buildings(
    site: Site, fabric: dict[int, Fabric], network: Network, streets: StreetPlan, chance: Chance
) -> list[Building]:
    """Buildings of every active hex, off its streets, water, rails and walls."""
    plots: list[tuple[Plot, Fabric]] = []
    obstacles = _Obstacles(site, streets)
    nodes = network.grid.nodes
    quads = np.stack(
        (nodes[:-1, :-1], nodes[1:, :-1], nodes[1:, 1:], nodes[:-1, 1:]), axis=2
    ).reshape(-1, 4, 2)
    spots = np.concatenate((quads, (quads + quads.mean(axis=1, keepdims=True)) / 2), axis=1)
    spots = spots + site.board.origin
    cells = site.board.lattice.cells_at(spots[..., 0], spots[..., 1])
    for corners, near in zip(quads, cells.tolist(), strict=True):
        kinds = sorted({fabric[c] for c in near if c in fabric})
        inset = _inset(corners) if kinds else None
        if inset is not None:
            block = _Block(inset)
            plots += [(plot, kind) for kind in kinds for plot in PATTERNS[kind](block, chance)]
    kept = _clear(site, fabric, obstacles, plots)
    return kept + _infill(site, fabric, obstacles, kept, chance)


def _inset(corners: Float64Array, by: float = 9.2) -> Float64Array | None:
    """Block less half the width of its streets; None where the grid is pinched."""
    ahead = np.roll(corners, -1, axis=0) - corners
    length = np.hypot(ahead[:, 0], ahead[:, 1])
    if length.min() < 35:
        return None
    along = ahead / length[:, None]
    moved = corners + by * np.column_stack((-along[:, 1], along[:, 0]))
    inner = np.empty((4, 2))
    for k in range(4):
        back = along[k - 1]
        square = float(back[0] * along[k, 1] - back[1] * along[k, 0])
        if square < 0.4:
            return None
        gap = moved[k] - moved[k - 1]
        inner[k] = moved[k - 1] + (gap[0] * along[k, 1] - gap[1] * along[k, 0]) / square * back
    shape = Polygon(inner)
    return inner if shape.is_valid and shape.exterior.is_ccw and shape.area > 900 else None


def _clear(
    site: Site,
    fabric: dict[int, Fabric],
    obstacles: _Obstacles,
    plots: list[tuple[Plot, Fabric]],
) -> list[Building]:
    """Plots that stand in one hex of their fabric, clear of everything."""
    outlines = np.array([plot[0] for plot, _ in plots])
    middle = outlines.mean(axis=1, keepdims=True)
    shapes = shapely.polygons(outlines)
    # a small building counts whole where its middle is; a large one must lie in one hex
    reach = np.where(shapely.area(shapes) < SMALL_M2, 0.3, 1.06)[:, None, None]
    at = middle + reach * (outlines - middle) + site.board.origin
    cells = site.board.lattice.cells_at(at[..., 0], at[..., 1])
    same = (cells == cells[:, :1]).all(axis=1)
    right = np.array(
        [fabric.get(int(c)) is kind for c, (_, kind) in zip(cells[:, 0], plots, strict=True)]
    )
    keep = same & right
    keep &= shapely.is_valid(shapes)
    keep &= obstacles.clear_of(shapes)
    chosen = np.flatnonzero(keep)
    tree = STRtree(shapes[chosen])
    a, b = tree.query(shapes[chosen], predicate="overlaps")
    gone = {int(max(x, y)) for x, y in zip(a, b, strict=True) if x != y}
    return [
        Building(plots[k][0][0], plots[k][0][1], plots[k][0][2], int(cells[k, 0]))
        for n, k in enumerate(chosen.tolist()) if n not in gone
    ]  # fmt: skip


def _infill(
    site: Site,
    fabric: dict[int, Fabric],
    obstacles: _Obstacles,
    kept: list[Building],
    chance: Chance,
) -> list[Building]:
    """Buildings on free ground of every hex whose blocks left too few for its fabric (§2).

    Raises
    ------
    ValueError
        If a hex has no room for even one.

    """
    by_cell: dict[int, list[Building]] = defaultdict(list)
    for building in kept:
        by_cell[building.cell].append(building)
    found: list[Building] = []
    steps = np.arange(-132.0, 133.0, 6.0)
    grid = np.array([(a, b) for a in steps for b in steps])
    grid = grid[np.argsort(np.hypot(grid[:, 0], grid[:, 1]), kind="stable")]
    for cell in sorted(fabric):
        fill = FILL[fabric[cell]]
        here = by_cell[cell]
        ground = Polygon(site.board.corners[cell]).difference(site.water_area)
        floors = sum(b.area_m2 for b in here)
        if floors >= fill.least_ratio * ground.area:
            continue
        turn = np.eye(2)
        if here:
            along = here[0].outline[1] - here[0].outline[0]
            along = along / np.hypot(*along)
            turn = np.array([along, (-along[1], along[0])])
        size = np.array([fill.width_m, fill.depth_m])
        others = [Polygon(b.outline) for b in here]
        free = ground.buffer(-5)
        for first in range(0, len(grid), BATCH):
            if floors >= fill.least_ratio * ground.area:
                break
            spots = grid[first : first + BATCH, None]
            vary = 1 - 0.2 * chance.uniforms(2 * len(spots)).reshape(-1, 1, 2)
            box = (np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) - 0.5) * size * vary
            outlines = (box + spots) @ turn + site.board.centres[cell]
            shapes = shapely.polygons(outlines)
            clear = shapely.contains(free, shapes) & obstacles.clear_of(shapes)
            for k in np.flatnonzero(clear).tolist():
                if floors >= fill.least_ratio * ground.area:
                    break
                if all(shapes[k].distance(other) > 2.0 for other in others):
                    others.append(shapes[k])
                    floors += shapes[k].area
                    found.append(Building(outlines[k], fill.kind, fill.levels, cell))
        if not others:
            raise ValueError(f"no room for a building in hex {site.board.sheet.label(cell)}")
    return found


def with_amenity(
    site: Site, buildings: list[Building], cell: int, kind: str, amenity: str, name: str
) -> list[Building]:
    """Buildings with the largest one near the middle of a hex put to a public use."""
    here = [k for k, b in enumerate(buildings) if b.cell == cell and not b.amenity]

    def price(k: int) -> float:
        building = buildings[k]
        off = building.outline.mean(axis=0) - site.board.centres[cell]
        return float(np.hypot(*off)) - min(building.area_m2, 1_500) / 12

    best = min(here, key=price)
    chosen = replace(
        buildings[best], kind=kind, levels=min(buildings[best].levels, 5),
        amenity=amenity, name=name,
    )  # fmt: skip
    return [*buildings[:best], chosen, *buildings[best + 1 :]]
