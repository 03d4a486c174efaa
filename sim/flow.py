"""Water on one raster, moved by the local-inertial equations (§7.3).

The scheme is that of Bates, Horritt & Fewtrell (2010), one flux across each side of a pixel, with

- friction against the magnitude of the flow, its part along the side being the mean of the four
  sides that meet it (de Almeida & Bates 2013); friction by axis would be 19 % too strong on a
  diagonal;
- that friction taken wholly at the end of the step, in the direction that the flow had before (a
  quadratic solved in closed form): where the published half-implicit form swings about the uniform
  flow as soon as friction is stiff, this one settles on it at any step;
- fluxes drawn towards their neighbours' by the share of a pixel that the water runs in the step
  (Sridharan et al. 2021). A fixed share (the 0.8 of de Almeida et al. 2012) damps the more the
  shorter the steps: on Andorra la Vella it moved depths by 1.2 m between Courant 0.7 and 0.05, this
  one by 4 mm; without any, a dam break over smooth ground rings (total variation 12 × the drop).
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from sim.boundary import HeldLevel, Inflow, checked, tables_of
from sim.district import BoolArray, FloatArray
from sim.flow_kernel import Bed, Held, Poured, Rim, Spans, Water, advance, hold
from sim.hexes import IntArray
from sim.rain import RAIN_STEP_S
from sim.refusal import mark
from sim.storm import Float64Array

COURANT = 0.5
"""Share of a pixel that a wave may cross in a step.

Against steps ten times shorter (Courant 0.05, 0.5 s at most), through the 30 turns of a 50-year
storm on drowned drains, no hex on any turn is off by more than 3 mm (in the mean of the wet ones
0.03 mm), nor any pixel by more than 5 mm, on Porto Alegre (30 m pixels, water up to 6.8 m deep) and
on Andorra la Vella (80 m, up to 11 m). With 0.7: 3 mm too, but near the scheme's limit; with 0.25:
1 and 3 mm."""
LONGEST_STEP_S = 5.0
"""With 10 s: 6 mm on Andorra la Vella, for a quarter fewer steps."""
LEAST_RIM_SLOPE = 0.001
"""Slope of the outflow where the ground does not fall away beyond the rim."""

RealArray = npt.NDArray[np.floating]
Open = Literal["open", "closed"] | tuple[bool, bool, bool, bool]

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
        What bounds a time step; waves grow above a ``courant`` of 0.7.
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
        rim: Open = "open",
        courant: float = COURANT,
        longest_s: float = LONGEST_STEP_S,
        track_deepest: bool = False,
    ) -> None:
        checked(levels, inside, mark("held level"))
        level = np.full(inside.shape, -1)
        for i, held in enumerate(levels):
            level[held.pixels] = i
        free = inside & ~sink & (level < 0)
        checked(inflows, free, mark("inflow"))
        # one ring of outside all around, which takes what crosses the raster's rim
        keeps = np.pad(free, 1)
        z = np.pad(np.where(np.isfinite(elevation_m), elevation_m, 0.0).astype(float), 1)
        self.pixel_m, self.courant, self.longest_s = float(pixel_m), courant, longest_s
        self.now_s, self.steps = 0.0, 0
        table = np.zeros((2, 1)) if fallen_m is None else fallen_m
        # one more kind, on which no rain is counted: sinks and the outside
        self._fallen_m = np.column_stack((table, np.zeros(len(table))))
        given = np.zeros(inside.shape, np.int64) if kind is None else kind
        kinds = np.where(keeps, np.pad(given, 1), table.shape[1]).astype(np.int32, order="C")
        self._bed = _bed(z, np.pad(roughness, 1), keeps, kinds)
        self._rim = _rims(self.pixel_m, elevation_m, inside, free, level >= 0, roughness, rim)
        self._held = _held(z, np.pad(inside, 1), np.pad(level, 1, constant_values=-1), levels)
        self._poured = _poured(inflows, self.pixel_m)
        depth = np.zeros(keeps.shape)
        if depth_m is not None:
            depth[1:-1, 1:-1] = depth_m
            depth *= keeps
        self._water = _water(depth, track_deepest)
        hold(self._water.film, self._held, 0.0)
        self._spans = _spans(
            self._water.film, self._held, self._poured, keeps & (self._fallen_m[-1] > 0)[kinds]
        )
        self._start_m3 = self.stored_m3

    def advance(self, until_s: float) -> None:
        """Move the water on to a moment, seconds since the start."""
        self.steps += advance(
            self._water, self._bed, self._spans, *self._rim, self._held, self._poured,
            self._fallen_m, self.steps, self.pixel_m, self.now_s, float(until_s), self.courant,
            self.longest_s,
        )  # fmt: skip
        self.now_s = float(until_s)

    @property
    def depth_m(self) -> Float64Array:
        """(n_row, n_col) depth of water now, metres; 0 in sinks and outside."""
        depth, film = self._water.depth[1:-1, 1:-1], self._water.film[1:-1, 1:-1]
        if not self._held.level.size:
            return depth
        return np.where(self._bed.keeps[1:-1, 1:-1] > 0, depth, film)

    @property
    def deepest_m(self) -> FloatArray:
        """(n_row, n_col) largest depth of any step so far, metres; only with ``track_deepest``."""
        return self._water.most[1:-1, 1:-1]

    @property
    def flux_m2_s(self) -> tuple[FloatArray, FloatArray]:
        """Flow east across (n_row, n_col + 1) sides and south across (n_row + 1, n_col), m²/s."""
        last = self.steps % 2
        return self._water.flux_x[last, 1:-1, 1:-1], self._water.flux_y[last, 1:-1, 1:-1]

    @property
    def stored_m3(self) -> float:
        """Water on the ground now, cubic metres; what a held level holds does not count."""
        return float(self._water.depth.sum()) * self.pixel_m**2

    @property
    def in_m3(self) -> float:
        """Water brought by inflows and given by held levels, cubic metres."""
        return float(self._water.crossed.sum()) * self.pixel_m**2

    @property
    def out_m3(self) -> float:
        """Water gone to sinks and held levels and over the rim, cubic metres."""
        return float(self._water.gone.sum() + self._water.crossed[0]) * self.pixel_m**2

    @property
    def rain_m3(self) -> float:
        """Effective rain so far, cubic metres."""
        count = np.bincount(self._bed.kind.ravel(), minlength=self._fallen_m.shape[1])
        place = np.arange(len(self._fallen_m)) * RAIN_STEP_S
        fallen = [np.interp(self.now_s, place, column) for column in self._fallen_m.T]
        return float(count @ np.array(fallen)) * self.pixel_m**2

    @property
    def balance_m3(self) -> float:
        """Start + rain + in - stored - out: what the scheme lost, cubic metres."""
        return self._start_m3 + self.rain_m3 + self.in_m3 - self.stored_m3 - self.out_m3


def _single(layer: Float64Array) -> FloatArray:
    return layer.astype(np.float32, order="C")


def _bed(z: Float64Array, n: RealArray, keeps: BoolArray, kind: IntArray) -> Bed:
    """What never changes, from the padded ground, Manning's n, and the kind of rain."""
    n2 = np.square(n.astype(float))
    return Bed(
        _single(np.diff(z, axis=1)),
        _single(np.diff(z, axis=0)),
        _single((n2[:, 1:] + n2[:, :-1]) / 2),
        _single((n2[1:] + n2[:-1]) / 2),
        keeps.astype(float, order="C"),
        kind,
    )


def _water(depth: Float64Array, track: bool) -> Water:
    """Water at rest, in the padded raster."""
    rows, columns = depth.shape
    film = _single(depth)
    return Water(
        depth,
        film,
        np.zeros((2, rows, columns + 1), np.float32),
        np.zeros((2, rows + 1, columns), np.float32),
        np.zeros(columns),
        depth.max(axis=0),
        np.zeros(columns + 1, np.float32),
        np.zeros(2),
        film.copy() if track else np.zeros((0, columns), np.float32),
    )


def _spans(film: FloatArray, held: Held, poured: Poured, rained: BoolArray) -> Spans:
    """Columns to look at, by row: where water is, comes from, or may fall."""
    rows = len(film)
    watched = np.zeros(film.shape, bool)
    for pixel in (held.pixel, poured.pixel):
        watched[pixel[:, 0], pixel[:, 1]] = True
    return Spans(
        _span(watched | (film > 0)),
        np.zeros((2, rows, 2), np.int64),
        np.zeros((2, rows + 1, 2), np.int64),
        _span(rained),
        _span(watched),
    )


def _span(pixels: BoolArray) -> npt.NDArray[np.int64]:
    """(n_row, 2) int64 column of the first of some pixels in a row, and one after the last."""
    first = pixels.argmax(axis=1)
    after = pixels.shape[1] - pixels[:, ::-1].argmax(axis=1)
    spans = np.column_stack((first, after)).astype(np.int64)
    spans[~pixels.any(axis=1)] = 0
    return spans


def _rims(
    pixel_m: float,
    elevation_m: RealArray,
    inside: BoolArray,
    free: BoolArray,
    held: BoolArray,
    roughness: RealArray,
    rim: Open,
) -> tuple[Rim, Rim]:
    """Sides that give on the outside: those between columns, and those between rows.

    Nothing leaves across the sides of held levels: what they lose there is not ours.
    """
    opened = (rim == "open",) * 4 if isinstance(rim, str) else rim
    z = np.pad(elevation_m.astype(float), 1, constant_values=np.nan)
    within, free, held = np.pad(inside, 1), np.pad(free, 1), np.pad(held, 1)
    n = np.pad(roughness.astype(float), 1)
    found: tuple[list[Float64Array], list[Float64Array]] = ([], [])
    for (dr, dc), is_open in zip(_BEYOND, opened, strict=True):
        r, c = np.nonzero((free | held) & ~np.roll(within, (-dr, -dc), axis=(0, 1)))
        rise = z[r + dr, c + dc] - z[r, c]
        # a void beyond goes on as the ground behind
        rise = np.where(np.isfinite(rise), rise, z[r, c] - z[r - dr, c - dc])
        rise = np.where(np.isfinite(rise), rise, 0.0)
        slope = np.maximum(-rise / pixel_m, LEAST_RIM_SLOPE)
        root = (is_open & free[r, c]) * np.sqrt(slope) / n[r, c]
        row, column, sign = r + (dr > 0), c + (dc > 0), np.full(r.size, dr + dc)
        columns = (row, column, r, c, sign, np.maximum(rise, 0.0), root)
        found[abs(dr)].append(np.column_stack(columns))
    return _rim(found[0], inside.shape[0] + 2), _rim(found[1], inside.shape[0] + 3)


def _rim(found: list[Float64Array], rows: int) -> Rim:
    """Sort sides by row, from row and column of the side, then what ``Rim`` says of each."""
    sides = np.concatenate(found)
    sides = sides[np.lexsort((sides[:, 1], sides[:, 0]))]
    return Rim(
        np.searchsorted(sides[:, 0], np.arange(rows + 1)).astype(np.int64),
        sides[:, 1:5].astype(np.int32, order="C"),
        _single(sides[:, 5]),
        _single(sides[:, 6]),
    )


def _held(
    z: Float64Array,
    within: BoolArray,
    level: npt.NDArray[np.int64],
    levels: Sequence[HeldLevel],
) -> Held:
    """Held levels in the padded raster; ``level`` is which lies over each pixel, -1 where none."""
    r, c = np.nonzero(level >= 0)
    lip = np.full(len(levels), np.inf)
    sides = [np.zeros((0, 4), np.int64)]
    for dr, dc in _BEYOND:
        shore = within[r + dr, c + dc] & (level[r + dr, c + dc] < 0)
        a, b = r[shore], c[shore]
        axis, sign = np.full(a.size, abs(dr)), np.full(a.size, dr + dc)
        sides.append(np.column_stack((axis, a + (dr > 0), b + (dc > 0), sign)))
        np.minimum.at(lip, level[a, b], np.maximum(z[a, b], z[a + dr, b + dc]))
    return Held(
        np.column_stack((r, c)).astype(np.int32),
        level[r, c].astype(np.int32),
        z[r, c],
        np.concatenate(sides).astype(np.int32),
        lip,
        tables_of([held.level_m for held in levels]),
    )


def _poured(inflows: Sequence[Inflow], pixel_m: float) -> Poured:
    """Pixels of inflows, in the padded raster."""
    places = [np.argwhere(inflow.pixels) + 1 for inflow in inflows]
    which = [np.full(len(place), i) for i, place in enumerate(places)]
    share = [np.full(len(place), 1 / (len(place) * pixel_m**2)) for place in places]
    return Poured(
        np.concatenate([np.zeros((0, 2), np.int64), *places]).astype(np.int32),
        np.concatenate([np.zeros(0, np.int64), *which]).astype(np.int32),
        np.concatenate([np.zeros(0), *share]),
        tables_of([inflow.flow_m3_s for inflow in inflows]),
    )
