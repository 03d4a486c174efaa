"""Vector layers in millimetres of paper, y down, written as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import shapely

from gis.lattice import Float64Array
from gis.sheet_style import Hatch

Shapes = npt.NDArray[np.object_]
Window = tuple[float, float, float, float]
"""West, north, east, south in millimetres."""

_SPILL_MM = 3.0
"""Shapes are cut this far outside a window, where no stroke of the cut shows."""


@dataclass(frozen=True)
class Layer:
    """Shapes drawn alike."""

    shapes: Shapes
    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    dash: str = ""
    round: bool = False


def layer(
    shapes: Sequence[shapely.Geometry] | Shapes,
    *,
    fill: str = "",
    stroke: str = "",
    **style: object,
) -> Layer:
    """Make a layer of any sequence of shapes."""
    held = np.empty(len(shapes), dtype=object)
    held[:] = list(shapes)
    return Layer(held, fill=fill, stroke=stroke, **style)  # type: ignore[arg-type]


def svg_of(layers: Sequence[Layer], window: Window) -> str:
    """Draw what layers show of a window, in their order.

    Parameters
    ----------
    layers : sequence of Layer
        Millimetres; a layer without ink, or without a shape in the window, is left out.
    window : (west, north, east, south)
        Millimetres.
    """
    west, north, east, south = window
    width, height = east - west, south - north
    drawn = "".join(_element(part, window) for part in layers)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.2f}mm" height="{height:.2f}mm" '
        f'viewBox="{west:.2f} {north:.2f} {width:.2f} {height:.2f}">{drawn}</svg>'
    )


def _element(part: Layer, window: Window) -> str:
    if not (part.fill or part.stroke):
        return ""
    west, north, east, south = window
    w, n, e, s = shapely.bounds(part.shapes).reshape(-1, 4).T
    seen = part.shapes[(w < east) & (e > west) & (n < south) & (s > north)]
    spill = (west - _SPILL_MM, north - _SPILL_MM, east + _SPILL_MM, south + _SPILL_MM)
    path = path_of(shapely.clip_by_rect(seen, *spill))
    if not path:
        return ""
    ink = f'fill="{part.fill or "none"}"'
    if part.stroke:
        ends = "round" if part.round else "butt"
        ink += (
            f' stroke="{part.stroke}" stroke-width="{part.width:.3f}" stroke-linecap="{ends}" '
            'stroke-linejoin="round"'
        )
        if part.dash:
            ink += f' stroke-dasharray="{part.dash}"'
    return f'<path {ink} d="{path}"/>'


def path_of(shapes: Shapes) -> str:
    """Path of lines and of polygons' rings, hundredths of a millimetre.

    Outer rings turn one way and holes the other: shapes that overlap fill one another under the
    nonzero rule.
    """
    parts = shapely.get_parts(shapes)
    dimension = shapely.get_dimensions(parts)
    rings = shapely.get_rings(shapely.orient_polygons(parts[dimension == 2]))
    lines = np.concatenate((rings, parts[dimension == 1]))
    lines = lines[~shapely.is_empty(lines)]
    closed = shapely.get_type_id(lines) == shapely.GeometryType.LINEARRING
    steps = [f"{x:.2f} {y:.2f}" for x, y in shapely.get_coordinates(lines).tolist()]
    ends = np.cumsum(shapely.get_num_coordinates(lines)).tolist()
    written, start = [], 0
    for end, is_ring in zip(ends, closed.tolist(), strict=True):
        written.append("M" + "L".join(steps[start : end - is_ring]) + ("Z" if is_ring else ""))
        start = end
    return "".join(written)


def hatched(area: shapely.Geometry, hatch: Hatch, unit: float) -> Shapes:
    """Lines or dots of a hatch inside an area.

    Parameters
    ----------
    area : polygon or multipolygon
        Millimetres.
    hatch : Hatch
    unit : float
        Width of a hex on paper, millimetres.
    """
    if area.is_empty:
        return np.empty(0, dtype=object)
    step = hatch.spacing * unit
    if not hatch.angles:
        return _dots(area, step)
    lines = [_parallels(area, angle, step) for angle in hatch.angles]
    shown: Shapes = shapely.get_parts(shapely.intersection(np.concatenate(lines), area))
    return shown


def _parallels(area: shapely.Geometry, angle: int, step: float) -> Shapes:
    # counted from the map's own origin, so that separate areas are hatched in one run
    along = np.array([np.cos(np.radians(angle)), -np.sin(np.radians(angle))])
    across = np.array([-along[1], along[0]])
    west, north, east, south = area.bounds
    corners = np.array([(west, north), (east, north), (east, south), (west, south)])
    first, last = (corners @ across).min(), (corners @ across).max()
    start, stop = (corners @ along).min(), (corners @ along).max()
    offsets = np.arange(np.ceil(first / step), np.floor(last / step) + 1) * step
    ends = np.stack(
        [offsets[:, None] * across + start * along, offsets[:, None] * across + stop * along],
        axis=1,
    )
    lines: Shapes = shapely.linestrings(ends)
    return lines


def _dots(area: shapely.Geometry, step: float) -> Shapes:
    west, north, east, south = area.bounds
    rows = np.arange(np.floor(north / (step * 0.866)), np.ceil(south / (step * 0.866)) + 1)
    columns = np.arange(np.floor(west / step), np.ceil(east / step) + 1)
    x, y = np.meshgrid(columns * step, rows * step * 0.866)
    x = x + np.where(rows[:, None] % 2, step / 2, 0.0)
    shapely.prepare(area)
    inside = shapely.contains_xy(area, x, y)
    return dots_at(np.column_stack((x[inside], y[inside])))


def dots_at(points: Float64Array) -> Shapes:
    """(n,) strokes so short that round ends make them dots."""
    dots: Shapes = shapely.linestrings(np.stack((points, points + np.array((0.01, 0.0))), axis=1))
    return dots
