"""A scene as the data of SVG paths: its hexes, open water and main roads on a flat drawing."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import shapely

from gis.webmap import Scene
from sim.district import BoolArray

WIDTH = 10_000
"""Units across a drawing, whole numbers: some 2 m on a sheet of 12 km."""
MARGIN = 80
SMALLEST_WATER_UNITS2 = 4_000.0
COARSEST_UNITS = 15.0
"""Detail of water and roads that is not drawn."""
MAIN_ROADS = ("road3", "road4")
_AREA, _LINE = 3, 1
"""Types of shapely's geometries."""


@dataclass(frozen=True)
class HexPaths:
    """The active hexes of a scene on a drawing ``WIDTH`` units wide, y to the south."""

    scene: Scene

    @cached_property
    def _bounds(self) -> tuple[float, float, float, float]:
        corners = self.scene.corners[self.scene.district.active].reshape(-1, 2)
        return (*corners.min(axis=0).tolist(), *corners.max(axis=0).tolist())

    @property
    def _units_a_metre(self) -> float:
        west, _, east, _ = self._bounds
        return (WIDTH - 2 * MARGIN) / (east - west)

    @property
    def height(self) -> int:
        """Units from the top of the drawing to its foot."""
        _, south, _, north = self._bounds
        return math.ceil((north - south) * self._units_a_metre) + 2 * MARGIN

    def _placed(self, points_m: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        """Metres (..., 2) of the scene's plane as units of the drawing."""
        west, _, _, north = self._bounds
        east_south = np.stack((points_m[..., 0] - west, north - points_m[..., 1]), axis=-1)
        return np.rint(east_south * self._units_a_metre + MARGIN).astype(np.int64)

    @cached_property
    def _rings(self) -> npt.NDArray[np.int64]:
        return self._placed(self.scene.corners)

    def hexes(self, on: BoolArray) -> str:
        """Return the path of some hexes.

        Parameters
        ----------
        on : (n_hex,) bool
        """
        return "".join(_path(ring, closed=True) for ring in self._rings[on])

    @cached_property
    def active(self) -> str:
        """The path of all active hexes."""
        return self.hexes(self.scene.district.active)

    @cached_property
    def water(self) -> str:
        """The path of open water, but for what is too small to be seen."""
        shapes = self._of_kinds(("water",))
        large = shapely.area(shapes) * self._units_a_metre**2 >= SMALLEST_WATER_UNITS2
        return self._drawn(shapes[large], closed=True)

    @cached_property
    def roads(self) -> str:
        """The path of the main roads."""
        return self._drawn(self._of_kinds(MAIN_ROADS), closed=False)

    def _of_kinds(self, kinds: tuple[str, ...]) -> npt.NDArray[np.object_]:
        base = self.scene.basemap
        shapes: npt.NDArray[np.object_] = base.geometry[base["kind"].isin(kinds)].to_numpy()
        return shapes

    def _drawn(self, shapes: npt.NDArray[np.object_], *, closed: bool) -> str:
        west, south, east, north = self._bounds
        around = MARGIN / self._units_a_metre
        frame = shapely.box(west - around, south - around, east + around, north + around)
        coarse = shapely.simplify(shapes, COARSEST_UNITS / self._units_a_metre)
        # a part of a multipart may be one again: taken apart twice
        parts = shapely.get_parts(shapely.get_parts(shapely.intersection(coarse, frame)))
        of_kind = shapely.get_type_id(parts) == (_AREA if closed else _LINE)
        parts = parts[of_kind & ~shapely.is_empty(parts)]  # off the drawing nothing is left
        lines = shapely.get_rings(parts) if closed else parts
        return "".join(
            _path(self._placed(shapely.get_coordinates(part)), closed=closed) for part in lines
        )


def _path(points: npt.NDArray[np.int64], *, closed: bool) -> str:
    """Return a polyline as a start and steps.

    >>> _path(np.array([[10, 20], [15, 18], [9, 18]]), closed=True)
    'M10 20l5-2-6 0z'
    """
    (x, y), steps = points[0].tolist(), np.diff(points, axis=0).ravel().tolist()
    if closed and len(points) > 3 and not (points[0] - points[-1]).any():
        steps = steps[:-2]  # z closes it
    told = "".join(f" {step}" if step >= 0 else f"{step}" for step in steps).lstrip()
    return f"M{x} {y}l{told}" + ("z" if closed else "")
