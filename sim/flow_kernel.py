"""The compiled steps of the solver: fluxes, depths, rim and boundaries (§7.3, 7.7).

Every raster is padded by one ring of pixels outside the ground. A side between two columns has the
number of the column east of it, a side between two rows that of the row south of it.

No operation here may be reordered or contracted (no ``fastmath``), and all are of IEEE 754: the
same water, to the last bit, on every machine and vector width.
"""

from math import sqrt
from typing import NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from sim.boundary import Tables
from sim.district import FloatArray
from sim.hexes import IntArray
from sim.rain import RAIN_STEP_S

Float64Array = npt.NDArray[np.float64]
Int64Array = npt.NDArray[np.int64]

GRAVITY = 9.81
THINNEST_M = 1e-6
"""Below this depth water stands still."""

# Depths are kept in double precision, so that the balance closes; the fluxes, and the depths that
# they are made from, in single: a relative error of 1e-7, twice as fast.
_ZERO, _ONE, _TWO, _FOUR = np.float32(0), np.float32(1), np.float32(2), np.float32(4)
_QUARTER, _SIXTH, _HALLEY = np.float32(0.25), np.float32(1 / 6), np.float32(7 / 72)
_ROOT_G = np.float32(sqrt(GRAVITY))
_THINNEST = np.float32(THINNEST_M)
_STILL = np.float32(1e-12)  # m²/s: gives water at rest a direction
_ROOT_BITS = np.int32(7 / 6 * (127 - 0.05) * 2**23)
_SHARE = 0.249999  # of a pixel's water, at most, across each of its four sides in a step
_RUN = 0.22  # of a pixel, that water may run in a step: so that the share above seldom counts
_LOOK = 8  # steps from one look for the fastest water to the next


class Bed(NamedTuple):
    """What never changes.

    Attributes
    ----------
    rise_x, rise_y : (n_row, n_col - 1), (n_row - 1, n_col) float32
        Step of the ground up to the next column, to the next row, metres.
    friction_x, friction_y : the same shapes, float32
        Mean of n² of the two pixels.
    keeps : (n_row, n_col) float64
        1 where water moves; 0 in sinks, under held levels and outside.
    kind : (n_row, n_col) int32
        Column of the table of rain.
    """

    rise_x: FloatArray
    rise_y: FloatArray
    friction_x: FloatArray
    friction_y: FloatArray
    keeps: Float64Array
    kind: IntArray


class Water(NamedTuple):
    """What every step changes.

    Attributes
    ----------
    depth : (n_row, n_col) float64
        Metres; 0 where the bed keeps none.
    film : (n_row, n_col) float32
        The same in single precision; under held levels, their depth.
    flux_x, flux_y : (2, n_row, n_col + 1), (2, n_row + 1, n_col) float32
        Flow east and south across the sides, m²/s: of the last step and of the one before, by
        turns.
    gone : (n_col,) float64
        Water gone to what keeps none less what held levels gave, metres of a pixel, by column.
    deepest : (n_col,) float64
        Depth of the deepest pixel of every column, metres.
    fastest : (n_col + 1,) float32
        Speed of the fastest water when last looked for, by column of sides, m/s.
    crossed : (2,) float64
        Given by held levels, brought by inflows so far, metres of a pixel.
    most : (n_row, n_col) float32
        Largest depth of any step so far, metres; empty where nobody asks.
    """

    depth: Float64Array
    film: FloatArray
    flux_x: FloatArray
    flux_y: FloatArray
    gone: Float64Array
    deepest: Float64Array
    fastest: FloatArray
    crossed: Float64Array
    most: FloatArray


class Spans(NamedTuple):
    """Columns to look at, row by row: the first, and the one after the last; equal where none.

    Attributes
    ----------
    wet : (n_row, 2) int64
        Pixels that can give water.
    stale_x, stale_y : (2, n_row, 2), (2, n_row + 1, 2) int64
        Sides that may hold a flow, in both layers of the fluxes.
    rained : (n_row, 2) int64
        Pixels on which effective rain falls at some time.
    always : (n_row, 2) int64
        Pixels under held levels and inflows.
    """

    wet: Int64Array
    stale_x: Int64Array
    stale_y: Int64Array
    rained: Int64Array
    always: Int64Array


class Rim(NamedTuple):
    """Sides that give on the outside, between columns or between rows.

    Attributes
    ----------
    start : (n_row + 2,) int64
        First of the sides of each row of sides.
    side : (n_side, 4) int32
        Its column; row and column of the pixel that gives; sign of a flow that leaves.
    rise : (n_side,) float32
        Step of the ground up across it, metres.
    root : (n_side,) float32
        √slope / n; 0 where closed.
    """

    start: Int64Array
    side: IntArray
    rise: FloatArray
    root: FloatArray


class Held(NamedTuple):
    """Held levels.

    Attributes
    ----------
    pixel : (n, 2) int32
        Row and column.
    level : (n,) int32
        Which level lies over it.
    bed : (n,) float64
        Its ground, metres.
    side : (n_side, 4) int32
        Sides to other pixels: 0 between columns or 1 between rows; row; column; sign of a flow
        that leaves the level.
    lip : (n_level,) float64
        Lowest altitude at which each level spills, metres.
    tables : Tables
        Their hydrographs, metres.
    """

    pixel: IntArray
    level: IntArray
    bed: Float64Array
    side: IntArray
    lip: Float64Array
    tables: Tables


class Poured(NamedTuple):
    """Inflows.

    Attributes
    ----------
    pixel : (n, 2) int32
        Row and column.
    inflow : (n,) int32
        Which inflow falls on it.
    share : (n,) float64
        Metres of the pixel for a cubic metre brought.
    tables : Tables
        Their hydrographs, m³/s.
    """

    pixel: IntArray
    inflow: IntArray
    share: Float64Array
    tables: Tables


@numba.njit(inline="always")
def _inverse_sixth_root(x):  # type: ignore[no-untyped-def]
    """x^(-1/6), within 1.1e-7, without a division: a guess from the bits, two steps of Halley's."""
    bits = np.float32(x).view(np.int32)
    y = np.int32(_ROOT_BITS - np.int32(np.float32(bits) * _SIXTH)).view(np.float32)
    for _ in range(2):
        y3 = y * y * y
        off = _ONE - x * (y3 * y3)
        y = y + y * (off * (_SIXTH + _HALLEY * off))
    return y


# The four are added pixel by pixel, so that turned ground gives the same last digit.
@numba.njit(cache=True, nogil=True, error_model="numpy")
def _across_x(north, south, across2):  # type: ignore[no-untyped-def]
    """Square of the flow along the sides between the columns of a row."""
    for c in range(across2.size):
        across = _QUARTER * ((north[c] + south[c]) + (north[c + 1] + south[c + 1]))
        across2[c] = across * across


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _across_y(above, below, across2):  # type: ignore[no-untyped-def]
    """Square of the flow along the sides between two rows."""
    for c in range(across2.size):
        across = _QUARTER * ((above[c] + above[c + 1]) + (below[c] + below[c + 1]))
        across2[c] = across * across


# Its arrays are eight and one: LLVM vectorises a loop that needs at most eight checks of overlap.
@numba.njit(cache=True, nogil=True, error_model="numpy")
def _move_row(  # type: ignore[no-untyped-def]
    here, there, rise, friction, before, flux, after, across2, moved, step_s, pixel_m
):  # fmt: skip
    """Move the fluxes across one row of sides by a step, m²/s, positive from here to there.

    ``before`` and ``after`` are the fluxes across the sides next to each in the flow's direction,
    ``across2`` the square of the flow along it. The flux is drawn towards its neighbours by the
    share of a pixel that the water runs in the step, which damps waves from pixel to pixel
    (Sridharan et al. 2021). Friction acts against the magnitude of the flow (de Almeida &
    Bates 2013), at the end of the step, in the direction that the flow had. No flux is above
    critical, nor takes over a quarter of what the giving pixel holds above the side.
    """
    pull = np.float32(GRAVITY * step_s / pixel_m)
    weight = np.float32(GRAVITY * step_s)
    share = np.float32(_SHARE * pixel_m / step_s)
    blend = np.float32(0.5 * step_s / pixel_m)
    for c in range(moved.size):
        a, b, step = here[c], there[c], rise[c]
        low = a - step if step > _ZERO else a
        high = b + step if step < _ZERO else b
        deep = low if low > high else high  # depth of flow over the higher of the two grounds
        wet = deep > _THINNEST
        d = deep if wet else _THINNEST
        y = _inverse_sixth_root(d)
        y2 = y * y
        y3 = y2 * y
        y6 = y3 * y3  # 1/d
        critical = _ROOT_G * d * d * y3
        q = flux[c]
        size = q if q > _ZERO else -q
        run = blend * (size if size < critical else critical) * y6
        driven = q + run * ((before[c] + after[c]) - (q + q)) - pull * d * ((b - a) + step)
        push = driven if driven > _ZERO else -driven
        drag = weight * friction[c] * (y6 * y6 * y2)
        # q = driven / (1 + drag·|flow|), where |flow| is (|q|·|q before| + across²) / |flow before|
        flow = np.sqrt(q * q + across2[c]) + _STILL
        lag = flow + drag * across2[c]
        root = np.sqrt(lag * lag + _FOUR * drag * (size + _STILL) * flow * push)
        new = _TWO * driven * flow / (lag + root)
        most = low * share if low > _ZERO else _ZERO
        most = most if most < critical else critical
        least = high * share if high > _ZERO else _ZERO
        least = least if least < critical else critical
        new = new if new < most else most
        new = new if new > -least else -least
        moved[c] = new if wet else _ZERO


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _look_row(here, there, rise, flux, fastest):  # type: ignore[no-untyped-def]
    """Note the fastest water across one row of sides, by column."""
    for c in range(flux.size):
        low = here[c] - (rise[c] if rise[c] > _ZERO else _ZERO)
        high = there[c] + (rise[c] if rise[c] < _ZERO else _ZERO)
        deep = low if low > high else high
        deep = deep if deep > _THINNEST else _THINNEST
        speed = (flux[c] if flux[c] > _ZERO else -flux[c]) / deep
        fastest[c] = speed if speed > fastest[c] else fastest[c]


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _fill_row(depth, along, north, south, ratio):  # type: ignore[no-untyped-def]
    """Add to one row of pixels what flows in across its four sides."""
    for c in range(depth.size):
        x = np.float64(along[c]) - np.float64(along[c + 1])
        y = np.float64(north[c]) - np.float64(south[c])
        depth[c] += ratio * (x + y)


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _rain_row(depth, kind, gain):  # type: ignore[no-untyped-def]
    """Add to one row of pixels the effective rain of their kind."""
    for c in range(depth.size):
        depth[c] += gain[kind[c]]


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _drain_row(depth, film, keeps, gone, deepest):  # type: ignore[no-untyped-def]
    """Take what reached pixels that keep none; note the deepest by column, and all in single."""
    for c in range(depth.size):
        kept = depth[c] * keeps[c]
        kept = kept if kept > 0.0 else 0.0
        gone[c] += depth[c] - kept
        deepest[c] = kept if kept > deepest[c] else deepest[c]
        depth[c] = kept
        film[c] = kept


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _fallen(fallen_m, k, seconds):  # type: ignore[no-untyped-def]
    """Rain on pixels of kind k by a moment; even between two entries of the table."""
    last = fallen_m.shape[0] - 1
    place = min(seconds / RAIN_STEP_S, float(last))
    i = min(int(place), last - 1)
    return fallen_m[i, k] + (place - i) * (fallen_m[i + 1, k] - fallen_m[i, k])


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _spill(film, flux, rim, row, share):  # type: ignore[no-untyped-def]
    """Let water leave across the rim in one row of sides: normal depth, critical at most."""
    for i in range(rim.start[row], rim.start[row + 1]):
        d = film[rim.side[i, 1], rim.side[i, 2]] - rim.rise[i]
        out = _ZERO
        if d > _THINNEST:
            y = _inverse_sixth_root(d)
            out = min(d * d * (y * y) * rim.root[i], _ROOT_G * d * d * (y * y * y))
            out = min(out, d * share)
        flux[rim.side[i, 0]] = out if rim.side[i, 3] > 0 else -out


@numba.njit(inline="always")
def _place(tables, k, seconds):  # type: ignore[no-untyped-def]
    """Last point of hydrograph k not after a moment; its first point before them all."""
    i = tables.start[k]
    while i + 1 < tables.start[k + 1] and tables.time_s[i + 1] <= seconds:
        i += 1
    return i


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _at(tables, k, seconds):  # type: ignore[no-untyped-def]
    """Value of hydrograph k at a moment."""
    time_s, value = tables.time_s, tables.value
    i = _place(tables, k, seconds)
    if seconds <= time_s[i] or i + 1 == tables.start[k + 1]:
        return value[i]
    share = (seconds - time_s[i]) / (time_s[i + 1] - time_s[i])
    return value[i] + share * (value[i + 1] - value[i])


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _summed(tables, k, seconds):  # type: ignore[no-untyped-def]
    """Value times seconds of hydrograph k from its first point to a moment."""
    i = _place(tables, k, seconds)
    mean = (tables.value[i] + _at(tables, k, seconds)) / 2.0
    return tables.summed[i] + (seconds - tables.time_s[i]) * mean


@numba.njit(cache=True, nogil=True, error_model="numpy")
def hold(film, held, seconds):  # type: ignore[no-untyped-def]
    """Set held pixels to their level at a moment."""
    known, surface = -1, 0.0
    for i in range(held.level.size):
        if held.level[i] != known:
            known = held.level[i]
            surface = _at(held.tables, known, seconds)
        film[held.pixel[i, 0], held.pixel[i, 1]] = max(surface - held.bed[i], 0.0)


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _given(flux_x, flux_y, side, ratio):  # type: ignore[no-untyped-def]
    """Water that held levels gave across their sides in a step, metres of a pixel."""
    given = 0.0
    for i in range(side.shape[0]):
        flux = flux_x if side[i, 0] == 0 else flux_y
        given += max(side[i, 3] * np.float64(flux[side[i, 1], side[i, 2]]), 0.0)
    return given * ratio


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _pour(depth, poured, now, then):  # type: ignore[no-untyped-def]
    """Add what inflows bring between two moments; return it, metres of a pixel."""
    total, known, brought = 0.0, -1, 0.0
    for i in range(poured.inflow.size):
        if poured.inflow[i] != known:
            known = poured.inflow[i]
            brought = _summed(poured.tables, known, then) - _summed(poured.tables, known, now)
        depth[poured.pixel[i, 0], poured.pixel[i, 1]] += brought * poured.share[i]
        total += brought * poured.share[i]
    return total


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _note(most, film):  # type: ignore[no-untyped-def]
    """Note the largest depth so far of every pixel."""
    for r in range(film.shape[0]):
        for c in range(film.shape[1]):
            most[r, c] = max(most[r, c], film[r, c])


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _hull(a, b, c, d):  # type: ignore[no-untyped-def]
    """Smallest span that holds [a, b) and [c, d)."""
    if a >= b:
        return c, d
    if c >= d:
        return a, b
    return min(a, c), max(b, d)


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _wet(film, lo, hi):  # type: ignore[no-untyped-def]
    """Span of the pixels of [lo, hi) that can give water."""
    while lo < hi and film[lo] <= _THINNEST:
        lo += 1
    while lo < hi and film[hi - 1] <= _THINNEST:
        hi -= 1
    return lo, hi


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _step_s(water, held, now, pixel_m, courant, longest_s):  # type: ignore[no-untyped-def]
    """Longest step in which neither a wave nor the water crosses too much of a pixel."""
    peak = water.deepest.max()
    for k in range(held.lip.size):
        peak = max(peak, _at(held.tables, k, now) - held.lip[k])
    step = longest_s
    if peak > 0.0:
        step = min(step, courant * pixel_m / sqrt(GRAVITY * peak))
    fastest = np.float64(water.fastest.max())
    return min(step, _RUN * pixel_m / fastest) if fastest > 0.0 else step


@numba.njit(cache=True, nogil=True, error_model="numpy")
def advance(  # type: ignore[no-untyped-def]
    water, bed, spans, rim_x, rim_y, held, poured, fallen_m, turn,
    pixel_m, start_s, end_s, courant, longest_s,
):  # fmt: skip
    """Move the water from ``start_s`` to ``end_s``; return the number of steps.

    Row by row, so that a row is still at hand when it is filled: the sides below it, those between
    its columns, then its depths. ``turn`` is the number of steps so far.
    """
    depth, film, wet = water.depth, water.film, spans.wet
    rows, columns = depth.shape
    gain = np.zeros(fallen_m.shape[1])
    across2 = np.zeros(columns + 1, np.float32)
    now = start_s
    steps = 0
    while now < end_s:
        step = _step_s(water, held, now, pixel_m, courant, longest_s)
        then = now + step
        if then >= end_s:
            step, then = end_s - now, end_s
        ratio = step / pixel_m
        share = np.float32(_SHARE / ratio)
        raining = False
        for k in range(gain.size):
            gain[k] = _fallen(fallen_m, k, then) - _fallen(fallen_m, k, now)
            raining = raining or gain[k] > 0.0
        water.crossed[1] += _pour(depth, poured, now, then)
        water.deepest[:] = 0.0
        new = (turn + steps + 1) % 2
        look = (turn + steps) % _LOOK == 0
        if look:
            water.fastest[:] = _ZERO
        was_x, was_y = water.flux_x[1 - new], water.flux_y[1 - new]
        now_x, now_y = water.flux_x[new], water.flux_y[new]
        stale_x, stale_y = spans.stale_x[new], spans.stale_y[new]
        above = 0, 0
        for r in range(rows):
            lo, hi = wet[r, 0], wet[r, 1]
            below = 0, 0
            if r + 1 < rows:
                below = _hull(lo, hi, wet[r + 1, 0], wet[r + 1, 1])
                # and sides that held a flow when this layer was last written: they dry out
                f, t = _hull(below[0], below[1], stale_y[r + 1, 0], stale_y[r + 1, 1])
                stale_y[r + 1, 0], stale_y[r + 1, 1] = below
                if f < t:
                    _across_y(was_x[r, f : t + 1], was_x[r + 1, f : t + 1], across2[f:t])
                    _move_row(
                        film[r, f:t], film[r + 1, f:t], bed.rise_y[r, f:t], bed.friction_y[r, f:t],
                        was_y[r, f:t], was_y[r + 1, f:t], was_y[r + 2, f:t], across2[f:t],
                        now_y[r + 1, f:t], step, pixel_m,
                    )  # fmt: skip
                    if look:
                        _look_row(
                            film[r, f:t], film[r + 1, f:t], bed.rise_y[r, f:t],
                            now_y[r + 1, f:t], water.fastest[f:t],
                        )  # fmt: skip
                _spill(film, now_y[r + 1], rim_y, r + 1, share)
            sides = (lo, hi + 1) if lo < hi else (0, 0)
            f, t = _hull(sides[0], sides[1], stale_x[r, 0], stale_x[r, 1])
            stale_x[r, 0], stale_x[r, 1] = sides
            if f < t:
                _across_x(was_y[r, f - 1 : t], was_y[r + 1, f - 1 : t], across2[f:t])
                _move_row(
                    film[r, f - 1 : t - 1], film[r, f:t], bed.rise_x[r, f - 1 : t - 1],
                    bed.friction_x[r, f - 1 : t - 1], was_x[r, f - 1 : t - 1], was_x[r, f:t],
                    was_x[r, f + 1 : t + 1], across2[f:t], now_x[r, f:t], step, pixel_m,
                )  # fmt: skip
                if look:
                    _look_row(
                        film[r, f - 1 : t - 1], film[r, f:t], bed.rise_x[r, f - 1 : t - 1],
                        now_x[r, f:t], water.fastest[f:t],
                    )  # fmt: skip
            _spill(film, now_x[r], rim_x, r, share)
            f, t = _hull(above[0], above[1], below[0], below[1])
            if lo < hi:
                f, t = _hull(f, t, lo - 1, hi + 1)
            if raining:
                f, t = _hull(f, t, spans.rained[r, 0], spans.rained[r, 1])
            above = below
            if f < t:
                _fill_row(
                    depth[r, f:t], now_x[r, f : t + 1], now_y[r, f:t], now_y[r + 1, f:t], ratio
                )
                if raining:
                    _rain_row(depth[r, f:t], bed.kind[r, f:t], gain)
                _drain_row(
                    depth[r, f:t], film[r, f:t], bed.keeps[r, f:t], water.gone[f:t],
                    water.deepest[f:t],
                )  # fmt: skip
                f, t = _wet(film[r], f, t)
                wet[r, 0], wet[r, 1] = _hull(f, t, spans.always[r, 0], spans.always[r, 1])
        water.crossed[0] += _given(now_x, now_y, held.side, ratio)
        hold(film, held, then)
        if water.most.size:
            _note(water.most, film)
        now = then
        steps += 1
    return steps
