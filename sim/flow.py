"""Water on one raster, moved by the local-inertial equations (§7.3).

The scheme is that of Bates, Horritt & Fewtrell (2010), one flux across each side of a pixel, with
friction taken wholly at the end of the step (a quadratic solved in closed form): where the
published half-implicit form swings about the uniform flow as soon as friction is stiff, this one
settles on it at any step.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from sim.boundary import HeldLevel, Hydrograph, Inflow, Tables, checked
from sim.district import BoolArray, FloatArray
from sim.flow_kernel import advance, hold
from sim.hexes import IntArray
from sim.rain import RAIN_STEP_S
from sim.storm import Float64Array

COURANT = 0.25
"""Share of a pixel that a wave may cross in a step.

The flow at critical speed then takes at most a quarter of a pixel's water across a side. Against
steps six times shorter, through a 50-year storm on drowned drains, pixels stay within
5 mm on Porto Alegre (60 m, water up to 4.3 m deep) and 19 mm on Andorra la Vella (75 m, up to
16 m): hex depths within 4 and 19 mm."""
LONGEST_STEP_S = 5.0
LEAST_RIM_SLOPE = 0.001
"""Slope of the outflow where the ground does not fall away beyond the rim."""

RealArray = npt.NDArray[np.floating]
Rim = Literal["open", "closed"] | tuple[bool, bool, bool, bool]

_BEYOND = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Step to the pixel beyond each side: north, east, south, west."""


class Flow:
    """Water on one raster, moved on from moment to moment.

    Parameters
    ----------
    pixel_m : float
        Side of a pixel, metres.
    elevation_m : (n_row, n_col) float
        Ground, metres; a void outside takes the slope of the ground inside.
    inside : (n_row, n_col) bool
        False where water leaves for good; so it does across the raster's own rim.
    sink : (n_row, n_col) bool
        Water held at its level: it takes what reaches it and gives nothing back.
    roughness : (n_row, n_col) float
        Manning's n, s·m^(-1/3).
    kind : (n_row, n_col) int, optional
        Column of ``fallen_m`` for each pixel.
    fallen_m : (n_step + 1, n_kind) float, optional
        Effective rain by the end of every rain step, metres; no rain by default.
    depth_m : (n_row, n_col) float, optional
        Water at the start, metres; none by default.
    levels : sequence of HeldLevel
        Water bodies held at a level in time; they may lie over sinks, and no rain on them counts.
    inflows : sequence of Inflow
        Water brought onto the ground.
    rim : "open", "closed", or (north, east, south, west) bool
        Whether water leaves across sides that look outside that way, at normal depth; a closed
        side is a wall.
    courant, longest_s : float
        What bounds a time step; ``courant`` at most 1/4.
    track_deepest : bool
        Keep ``deepest_m``.

    Attributes
    ----------
    now_s : float
        Seconds since the start.
    steps : int
        Time steps so far.

    Raises
    ------
    DistrictError
        If a level or an inflow fits no ground.
    """

    def __init__(
        self,
        pixel_m: float,
        elevation_m: RealArray,
        inside: BoolArray,
        sink: BoolArray,
        roughness: RealArray,
        kind: npt.NDArray[np.integer] | None = None,
        fallen_m: Float64Array | None = None,
        depth_m: RealArray | None = None,
        *,
        levels: Sequence[HeldLevel] = (),
        inflows: Sequence[Inflow] = (),
        rim: Rim = "open",
        courant: float = COURANT,
        longest_s: float = LONGEST_STEP_S,
        track_deepest: bool = False,
    ) -> None:
        checked(levels, inside, "held level")
        level = np.full(inside.shape, -1)
        for i, held in enumerate(levels):
            level[held.pixels] = i
        free = inside & ~sink & (level < 0)
        checked(inflows, free, "inflow")
        # one ring of outside all around, which takes what crosses the raster's rim
        keeps = np.pad(free, 1)
        z = np.pad(np.where(np.isfinite(elevation_m), elevation_m, 0.0).astype(float), 1)
        n2 = np.pad(np.square(roughness.astype(float)), 1)
        rows, columns = keeps.shape
        self.pixel_m, self.courant, self.longest_s = pixel_m, courant, longest_s
        self.now_s, self.steps = 0.0, 0
        self._keeps = keeps.astype(float)
        self._depth = np.zeros(keeps.shape)
        if depth_m is not None:
            self._depth[1:-1, 1:-1] = depth_m
            self._depth *= self._keeps
        self._film = self._depth.astype(np.float32)
        self._flux = _single(np.zeros((rows, columns + 1)), np.zeros((rows + 1, columns)))
        self._rise = _single(np.diff(z, axis=1), np.diff(z, axis=0))
        self._friction = _single((n2[:, 1:] + n2[:, :-1]) / 2, (n2[1:] + n2[:-1]) / 2)
        opened = _opened(rim)
        self._rim = _rim(pixel_m, elevation_m, inside, free, level >= 0, roughness, opened)
        self._held = _held(z, np.pad(inside, 1), np.pad(level, 1, constant_values=-1), len(levels))
        self._levels = _tables([held.level_m for held in levels])
        hold(self._film, *self._held[:3], self._levels, 0.0)
        self._poured = _poured(inflows, pixel_m)
        self._inflows = _tables([inflow.flow_m3_s for inflow in inflows])
        table = np.zeros((2, 1)) if fallen_m is None else fallen_m
        # one more kind, on which no rain is counted: sinks and the outside
        self._fallen_m = np.column_stack((table, np.zeros(len(table))))
        given = np.zeros(inside.shape, np.int64) if kind is None else kind
        self._kind = np.where(keeps, np.pad(given, 1), table.shape[1]).astype(np.int32)
        self._gone, self._crossed = np.zeros(columns), np.zeros(2)
        self._deepest = self._depth.max(axis=0)
        self._track = self._film.copy() if track_deepest else self._film[:0]
        self._start_m3 = self.stored_m3

    def advance(self, until_s: float) -> None:
        """Move the water on to a moment, seconds since the start."""
        self.steps += advance(  # type: ignore[call-arg]
            self._depth, self._film, *self._flux, *self._rise, *self._friction, self._keeps,
            self._kind, self._gone, self._deepest, *self._rim, *self._held, self._levels,
            *self._poured, self._inflows, self._crossed, self._track, self.pixel_m,
            self._fallen_m, self.now_s, until_s, self.courant, self.longest_s,
        )  # fmt: skip
        self.now_s = until_s

    @property
    def depth_m(self) -> Float64Array:
        """(n_row, n_col) depth of water now, metres; 0 in sinks and outside."""
        if not self._levels[0][-1]:
            return self._depth[1:-1, 1:-1]
        return np.where(self._keeps > 0, self._depth, self._film)[1:-1, 1:-1]

    @property
    def deepest_m(self) -> FloatArray:
        """(n_row, n_col) largest depth of any step so far, metres; only with ``track_deepest``."""
        return self._track[1:-1, 1:-1]

    @property
    def flux_m2_s(self) -> tuple[FloatArray, FloatArray]:
        """Flow east across (n_row, n_col + 1) sides and south across (n_row + 1, n_col), m²/s."""
        east, south = self._flux
        return east[1:-1, 1:-1], south[1:-1, 1:-1]

    @property
    def stored_m3(self) -> float:
        """Water on the ground now, cubic metres; what a held level holds does not count."""
        return float(self._depth.sum()) * self.pixel_m**2

    @property
    def in_m3(self) -> float:
        """Water brought by inflows and given by held levels, cubic metres."""
        return float(self._crossed.sum()) * self.pixel_m**2

    @property
    def out_m3(self) -> float:
        """Water gone to sinks and held levels and over the rim, cubic metres."""
        return float(self._gone.sum() + self._crossed[0]) * self.pixel_m**2

    @property
    def rain_m3(self) -> float:
        """Effective rain so far, cubic metres."""
        count = np.bincount(self._kind.ravel(), minlength=self._fallen_m.shape[1])
        place = np.arange(len(self._fallen_m)) * RAIN_STEP_S
        fallen = [np.interp(self.now_s, place, column) for column in self._fallen_m.T]
        return float(count @ np.array(fallen)) * self.pixel_m**2

    @property
    def balance_m3(self) -> float:
        """Start + rain + in - stored - out: what the scheme lost, cubic metres."""
        return self._start_m3 + self.rain_m3 + self.in_m3 - self.stored_m3 - self.out_m3


def _single(*layers: Float64Array) -> tuple[FloatArray, ...]:
    return tuple(layer.astype(np.float32) for layer in layers)


def _tables(
    hydrographs: Sequence[Hydrograph],
) -> tuple[npt.NDArray[np.int64], Float64Array, Float64Array, Float64Array]:
    tables = Tables.of(hydrographs)
    return tables.start, tables.time_s, tables.value, tables.summed


def _opened(rim: Rim) -> tuple[bool, ...]:
    if rim == "open":
        return (True,) * 4
    return (False,) * 4 if rim == "closed" else tuple(rim)


def _rim(
    pixel_m: float,
    elevation_m: RealArray,
    inside: BoolArray,
    free: BoolArray,
    held: BoolArray,
    roughness: RealArray,
    opened: Sequence[bool],
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Sides of the ground that give on the outside, in the padded raster.

    Returns
    -------
    (n_side, 3) int32, (n_side,) float32, (n_side,) float32
        Row, column and side of the inside pixel; rise of the ground across it, metres; √slope / n,
        0 where the side is closed, as those of held levels are.
    """
    z = np.pad(elevation_m.astype(float), 1, constant_values=np.nan)
    within, free, held = np.pad(inside, 1), np.pad(free, 1), np.pad(held, 1)
    n = np.pad(roughness.astype(float), 1)
    sides, rises, roots = [], [], []
    for side, (dr, dc) in enumerate(_BEYOND):
        r, c = np.nonzero((free | held) & ~np.roll(within, (-dr, -dc), axis=(0, 1)))
        rise = z[r + dr, c + dc] - z[r, c]
        # a void beyond goes on as the ground behind
        rise = np.where(np.isfinite(rise), rise, z[r, c] - z[r - dr, c - dc])
        rise = np.where(np.isfinite(rise), rise, 0.0)
        slope = np.maximum(-rise / pixel_m, LEAST_RIM_SLOPE)
        sides.append(np.column_stack((r, c, np.full(r.size, side))))
        rises.append(np.maximum(rise, 0.0))
        roots.append((opened[side] & free[r, c]) * np.sqrt(slope) / n[r, c])
    rise_m, root = _single(np.concatenate(rises), np.concatenate(roots))
    return np.concatenate(sides).astype(np.int32), rise_m, root


def _held(
    z: Float64Array, within: BoolArray, level: npt.NDArray[np.int64], n_levels: int
) -> tuple[IntArray, IntArray, Float64Array, IntArray, Float64Array]:
    """Held levels in the padded raster.

    Parameters
    ----------
    z : (n_row, n_col) float64
        Ground, metres.
    within : (n_row, n_col) bool
        The inside.
    level : (n_row, n_col) int64
        Held level over each pixel, -1 where none.
    n_levels : int

    Returns
    -------
    (n, 2) int32, (n,) int32, (n,) float64, (n_side, 3) int32, (n_levels,) float64
        Row and column of held pixels; level over each; its ground; row, column and side of held
        pixels beside the ground; the lowest altitude at which each level spills, metres.
    """
    r, c = np.nonzero(level >= 0)
    lip = np.full(n_levels, np.inf)
    sides = [np.zeros((0, 3), np.int64)]
    for side, (dr, dc) in enumerate(_BEYOND):
        shore = within[r + dr, c + dc] & (level[r + dr, c + dc] < 0)
        a, b = r[shore], c[shore]
        sides.append(np.column_stack((a, b, np.full(a.size, side))))
        np.minimum.at(lip, level[a, b], np.maximum(z[a, b], z[a + dr, b + dc]))
    return (
        np.column_stack((r, c)).astype(np.int32),
        level[r, c].astype(np.int32),
        z[r, c],
        np.concatenate(sides).astype(np.int32),
        lip,
    )


def _poured(inflows: Sequence[Inflow], pixel_m: float) -> tuple[IntArray, IntArray, Float64Array]:
    """Pixels of inflows, in the padded raster.

    Returns
    -------
    (n, 2) int32, (n,) int32, (n,) float64
        Row and column; inflow; metres of the pixel for a cubic metre brought.
    """
    places = [np.argwhere(inflow.pixels) + 1 for inflow in inflows]
    which = [np.full(len(place), i) for i, place in enumerate(places)]
    share = [np.full(len(place), 1 / (len(place) * pixel_m**2)) for place in places]
    return (
        np.concatenate([np.zeros((0, 2), np.int64), *places]).astype(np.int32),
        np.concatenate([np.zeros(0, np.int64), *which]).astype(np.int32),
        np.concatenate([np.zeros(0), *share]),
    )
