"""Signs of the printed sheet as polygons in a square of side 1 about the origin, y down.

The shapes are those of the map on screen; each reads without its colour.
"""

import numpy as np
import shapely

from gis.lattice import Float64Array


def _curve(*points: tuple[float, float], steps: int = 12) -> list[tuple[float, float]]:
    """Points of a Bézier curve after its first."""
    t = np.linspace(0, 1, steps + 1)[1:, None]
    shown: Float64Array = np.array(points, dtype=float)[:, None, :]
    while len(shown) > 1:
        shown = shown[:-1] * (1 - t) + shown[1:] * t
    return [(float(x), float(y)) for x, y in shown[0]]


def _round(cx: float, cy: float, radius: float) -> shapely.Polygon:
    return shapely.Point(cx, cy).buffer(radius)


def shelter() -> shapely.Polygon:
    """A house; its number stands in it."""
    half = [(0.0, -0.54), (0.55, -0.1), (0.44, -0.1), (0.44, 0.5)]
    return shapely.Polygon(half + [(-x, y) for x, y in reversed(half[1:])])


def station() -> shapely.Polygon:
    """A drop with two gauge lines."""
    top, low = (0.0, -0.54), (0.0, 0.5)
    right = _curve(top, (0.575, 0.05), (0.35, 0.5), low)
    left = _curve(low, (-0.35, 0.5), (-0.575, 0.05), top)
    drop = shapely.Polygon([top, *right, *left])
    lines = [shapely.box(-0.17, y - 0.035, 0.17, y + 0.035) for y in (0.06, 0.25)]
    return drop.difference(shapely.union_all(lines))


def police() -> shapely.Polygon:
    """A shield with a star."""
    right = [(0.0, -0.5), (0.45, -0.325), (0.425, 0.075)]
    right += _curve((0.425, 0.075), (0.35, 0.35), (0.0, 0.5))
    shield = shapely.Polygon(right + [(-x, y) for x, y in reversed(right[1:-1])])
    angle = np.pi * (np.arange(10) / 5 - 0.5)
    radius = np.where(np.arange(10) % 2, 0.11, 0.27)
    star = shapely.Polygon(np.column_stack((radius * np.cos(angle), radius * np.sin(angle) - 0.03)))
    return shield.difference(star)


def technical() -> shapely.Polygon:
    """A cogwheel."""
    angle = np.pi * np.arange(32) / 16
    radius = np.where(np.arange(32) % 4 < 2, 0.5, 0.37)
    wheel = shapely.Polygon(np.column_stack((radius * np.cos(angle), radius * np.sin(angle))))
    return wheel.difference(_round(0, 0, 0.17))


def bridge() -> shapely.MultiLineString:
    """Two parapets with flared ends, along x."""
    return shapely.MultiLineString(
        [
            [(-0.62, 0.55 * s), (-0.42, 0.36 * s), (0.42, 0.36 * s), (0.62, 0.55 * s)]
            for s in (-1, 1)
        ]
    )


def underpass() -> tuple[shapely.Polygon, shapely.LineString]:
    """A disc, and the dip of the road in it."""
    dip = [
        (-0.27, -0.24),
        (-0.27, 0.02),
        *_curve((-0.27, 0.02), (-0.27, 0.36), (0.27, 0.36), (0.27, 0.02)),
    ]
    return _round(0, 0, 0.5), shapely.LineString([*dip, (0.27, -0.24)])
