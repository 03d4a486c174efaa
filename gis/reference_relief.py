"""Relief of the reference town: a river valley with levees and terraces, hills, shallow bowls.

Quarters behind the natural levees and along the foot of the terrace lie in closed bowls of one to
two metres with gentle sides: storm water gathers there first, and cuts them off hex by hex.
"""

from collections.abc import Sequence

import numpy as np
import shapely

from gis.reference_board import Float64Array
from gis.reference_chance import Chance, Swell
from gis.reference_network import Network
from gis.reference_places import Bowl
from gis.reference_site import Site, outline

RIVER_LEVEL_M = 112.0
RIVER_FALL = 0.00035  # metres a metre
LEVELLED_M = 340.0  # reach about a hollow within which the ground is evened out
LEAST_HOLLOW_M = 0.7  # the ground about a shallower dip keeps its slope
COARSE_M = 50.0  # distances are measured on this grid and interpolated
# height above the river by distance from it, metres: bank, levee, backswamp, terrace
VALLEY_M = np.array(
    [(0, 0.0), (44, 0.0), (62, 2.4), (125, 3.5), (230, 3.3), (420, 2.7), (620, 2.9), (950, 4.2),
     (1_500, 5.6), (1_900, 8.6), (2_400, 10.4), (5_000, 21.0), (9_000, 36.0)]
)  # fmt: skip


class Relief:
    """Height of the ground at any point of the plan, metres above the sea."""

    def __init__(self, site: Site, network: Network, bowls: Sequence[Bowl], chance: Chance) -> None:
        self._site = site
        self._bowls = bowls
        self._wander = Swell(chance, 1_200, 4_000)
        self._broad = Swell(chance, 1_100, 2_600)
        self._micro = Swell(chance, 420, 1_000, 14)
        self._fine = Swell(chance, 120, 300, 14)
        self._hills = Swell(chance, 900, 3_000, 12)
        self._town = _softened_town(site)
        self._lake_level = self._level_of_lake()
        board = site.board
        self._cuts = [
            board.edge_middles[edge] + 48 * board.edge_normals[edge]
            for (_, edge), how in network.passages.items()
            if how == "underpass"
        ]  # fmt: skip

    def at(self, x: Float64Array, y: Float64Array) -> Float64Array:
        """Height at the pixels of a grid: x and y, each (rows, columns), metres.

        The grid is regular, north up.
        """
        z = self._land(x, y)
        for bowl in self._bowls:
            if bowl.depth_m > LEAST_HOLLOW_M:
                _level(x, y, z, bowl)
        for bowl in self._bowls:
            rows, columns = _window(x, y, bowl.x, bowl.y, 3.2 * bowl.reach_m)
            off = (x[rows, columns] - bowl.x) ** 2 + (y[rows, columns] - bowl.y) ** 2
            z[rows, columns] -= bowl.depth_m * np.exp(-off / (2 * bowl.reach_m**2))
        self._railway(x, y, z)
        self._water(x, y, z)
        return z

    def _land(self, x: Float64Array, y: Float64Array) -> Float64Array:
        river = _spread(x, y, self._from_river)
        wander = 1 + 0.16 * self._wander.at(x, y)
        away = np.maximum(river - 62, 0) * wander + np.minimum(river, 62)
        z = RIVER_LEVEL_M - RIVER_FALL * x + np.interp(away, *VALLEY_M.T)
        calm = np.clip((river - 62) / 150, 0, 1)
        z += calm * (0.5 * self._broad.at(x, y) + 0.34 * self._micro.at(x, y))
        z += calm * 0.03 * self._fine.at(x, y)
        into = _spread(x, y, self._from_town)
        hill = np.clip(into / 1_300, 0, 1) ** 1.3
        return np.asarray(z + hill * (34 + 20 * self._hills.at(x, y)))

    def _from_river(self, x: Float64Array, y: Float64Array) -> Float64Array:
        shapely.prepare(self._site.river_line)
        return np.asarray(shapely.distance(shapely.points(x, y), self._site.river_line))

    def _from_town(self, x: Float64Array, y: Float64Array) -> Float64Array:
        shapely.prepare(self._town)
        return np.asarray(shapely.distance(shapely.points(x, y), self._town))

    def _level_of_lake(self) -> float:
        ring = np.array(self._site.water[1].exterior.segmentize(60).coords)
        x, y = ring[:, 0], ring[:, 1]
        away = self._from_river(x, y)
        level = RIVER_LEVEL_M - RIVER_FALL * x + np.interp(away, *VALLEY_M.T)
        return float(np.quantile(level, 0.2)) - 1.4

    def _railway(self, x: Float64Array, y: Float64Array, z: Float64Array) -> None:
        """A low bank under the track, and a bowl where a street dips under it."""
        far = _spread(x, y, self._from_rail, 25.0)
        z += 0.9 * np.clip((30 - far) / 18, 0, 1)
        for cut in self._cuts:
            rows, columns = _window(x, y, float(cut[0]), float(cut[1]), 260)
            off = (x[rows, columns] - cut[0]) ** 2 + (y[rows, columns] - cut[1]) ** 2
            z[rows, columns] -= 3.4 * np.exp(-off / (2 * 68.0**2))

    def _from_rail(self, x: Float64Array, y: Float64Array) -> Float64Array:
        shapely.prepare(self._site.rail_line)
        return np.asarray(shapely.distance(shapely.points(x, y), self._site.rail_line))

    def _water(self, x: Float64Array, y: Float64Array, z: Float64Array) -> None:
        """Level water, and ground that comes down to it."""
        lake = self._site.water[1]
        near = lake.buffer(320)
        rows, columns = _box(x, y, near.bounds)
        px, py = x[rows, columns], y[rows, columns]
        off = np.asarray(shapely.distance(shapely.points(px, py), lake))
        shore = np.clip(off / 260, 0, 1)
        ground = z[rows, columns]
        bank = self._lake_level + 0.9 + 1.2 * np.clip(off / 120, 0, 1)
        mixed = shore * ground + (1 - shore) * bank
        z[rows, columns] = np.where(off > 0, mixed, self._lake_level)
        # no quarter lies under the river's level, or the town would be its bed
        level = RIVER_LEVEL_M - RIVER_FALL * x
        np.maximum(z, level + 0.5, out=z)
        river = self._site.water[0]
        rows, columns = _box(x, y, river.bounds)
        shapely.prepare(river)
        wet = shapely.contains_xy(river, x[rows, columns], y[rows, columns])
        z[rows, columns] = np.where(wet, level[rows, columns] - 0.4, z[rows, columns])


def _level(x: Float64Array, y: Float64Array, z: Float64Array, bowl: Bowl) -> None:
    """Take the slope out of the ground about a hollow, so that it holds water."""
    rows, columns = _window(x, y, bowl.x, bowl.y, LEVELLED_M)
    dx, dy, here = x[rows, columns] - bowl.x, y[rows, columns] - bowl.y, z[rows, columns]
    near = np.clip(1 - (dx**2 + dy**2) / LEVELLED_M**2, 0, None) ** 2
    east = (near * dx * here).sum() / (near * dx * dx).sum()
    north = (near * dy * here).sum() / (near * dy * dy).sum()
    z[rows, columns] = here - near * (east * dx + north * dy)


def _softened_town(site: Site) -> shapely.Geometry:
    return outline(site.board, site.active | site.yard | site.lake).buffer(60).simplify(5)


def _box(
    x: Float64Array, y: Float64Array, bounds: tuple[float, float, float, float]
) -> tuple[slice, slice]:
    columns = np.searchsorted(x[0], (bounds[0], bounds[2]))
    rows = np.searchsorted(-y[:, 0], (-bounds[3], -bounds[1]))
    return slice(int(rows[0]), int(rows[1])), slice(int(columns[0]), int(columns[1]))


def _window(
    x: Float64Array, y: Float64Array, cx: float, cy: float, reach: float
) -> tuple[slice, slice]:
    return _box(x, y, (cx - reach, cy - reach, cx + reach, cy + reach))


def _spread(  # type: ignore[no-untyped-def]
    x: Float64Array, y: Float64Array, measure, step: float = COARSE_M
) -> Float64Array:
    """A slowly varying measure at the pixels of a grid, interpolated from a coarser one."""
    gx = np.arange(x.min(), x.max() + step, step)
    gy = np.arange(y.min(), y.max() + step, step)
    coarse = np.asarray(measure(*np.meshgrid(gx, gy)))
    fx, fy = (x[0] - gx[0]) / step, (y[:, 0] - gy[0]) / step
    i = np.clip(fx.astype(int), 0, len(gx) - 2)
    j = np.clip(fy.astype(int), 0, len(gy) - 2)
    u, v = (fx - i)[None, :], (fy - j)[:, None]
    j, i = j[:, None], i[None, :]
    return np.asarray(
        (1 - v) * ((1 - u) * coarse[j, i] + u * coarse[j, i + 1])
        + v * ((1 - u) * coarse[j + 1, i] + u * coarse[j + 1, i + 1])
    )
