"""The compiled steps of the solver: fluxes, depths, rim and boundaries (§7.3, 7.7).

Every array is padded by one ring of pixels outside the ground; see ``sim.flow`` for their meaning.
"""

from math import sqrt

import numba
import numpy as np

from sim.rain import RAIN_STEP_S

GRAVITY = 9.81
THINNEST_M = 1e-6
"""Below this depth water stands still."""

NORTH, EAST, SOUTH, WEST = range(4)

# Depths are kept in double precision, so that the balance closes; the fluxes, and the depths that
# they are made from, in single: a relative error of 1e-7, twice as fast.
_ZERO, _ONE, _TWO, _SEVEN = np.float32(0), np.float32(1), np.float32(2), np.float32(7)
_SIXTH = np.float32(1 / 6)
_ROOT_G = np.float32(sqrt(GRAVITY))
_THINNEST = np.float32(THINNEST_M)
_ROOT_BITS = np.int32(7 / 6 * (127 - 0.045) * 2**23)


@numba.njit(inline="always")
def _inverse_sixth_root(x):  # type: ignore[no-untyped-def]
    """x^(-1/6) in single precision, without a division: a guess from the bits, then Newton."""
    bits = np.float32(x).view(np.int32)
    y = np.int32(_ROOT_BITS - np.int32(np.float32(bits) * _SIXTH)).view(np.float32)
    for _ in range(3):
        y3 = y * y * y
        y = y * (_SEVEN - x * (y3 * y3)) * _SIXTH
    return y


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _move_row(here, there, rise, friction, flux, step_s, pixel_m):  # type: ignore[no-untyped-def]
    """Advance the fluxes across one row of sides, m²/s, positive from here to there.

    ``rise`` is the ground's step up from here to there, ``friction`` the mean n² of the two. No
    flux is above critical, nor takes over a quarter of what the giving pixel holds above the side.
    """
    pull = np.float32(GRAVITY * step_s / pixel_m)
    weight = np.float32(4.0 * GRAVITY * step_s)
    quarter = np.float32(0.249999 * pixel_m / step_s)
    for c in range(flux.size):
        a = here[c]
        b = there[c]
        step = rise[c]
        low = a - step if step > _ZERO else a
        high = b + step if step < _ZERO else b
        deep = low if low > high else high  # depth of flow over the higher of the two grounds
        wet = deep > _THINNEST
        d = deep if wet else _THINNEST
        y = _inverse_sixth_root(d)
        y2 = y * y
        y4 = y2 * y2
        driven = flux[c] - pull * d * ((b - a) + step)
        drag = weight * friction[c] * (y4 * y4 * y4 * y2)
        size = driven if driven > _ZERO else -driven
        moved = _TWO * driven / (_ONE + np.sqrt(_ONE + drag * size))
        critical = _ROOT_G * d * d * (y2 * y)
        most = low * quarter if low > _ZERO else _ZERO
        most = most if most < critical else critical
        least = high * quarter if high > _ZERO else _ZERO
        least = least if least < critical else critical
        moved = moved if moved < most else most
        moved = moved if moved > -least else -least
        flux[c] = moved if wet else _ZERO


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _fill_row(depth, west, east, north, south, ratio):  # type: ignore[no-untyped-def]
    """Add to one row of pixels what flows in across its four sides."""
    for c in range(depth.size):
        across = np.float64(west[c]) - np.float64(east[c])
        along = np.float64(north[c]) - np.float64(south[c])
        depth[c] += ratio * (across + along)


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _rain_row(depth, kind, gain):  # type: ignore[no-untyped-def]
    """Add to one row of pixels the effective rain of their kind."""
    for c in range(depth.size):
        depth[c] += gain[kind[c]]


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _drain_row(depth, film, keeps, gone, deepest):  # type: ignore[no-untyped-def]
    """Take what reached a sink or the outside; note the deepest by column, and all in single."""
    for c in range(depth.size):
        kept = depth[c] * keeps[c]
        kept = kept if kept > 0.0 else 0.0
        gone[c] += depth[c] - kept
        deepest[c] = kept if kept > deepest[c] else deepest[c]
        depth[c] = kept
        film[c] = kept


@numba.njit(inline="always")
def _fallen(fallen_m, k, seconds):  # type: ignore[no-untyped-def]
    """Rain on pixels of kind k by a moment; even between two entries of the table."""
    last = fallen_m.shape[0] - 1
    place = min(seconds / RAIN_STEP_S, float(last))
    i = min(int(place), last - 1)
    return fallen_m[i, k] + (place - i) * (fallen_m[i + 1, k] - fallen_m[i, k])


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _spill(film, flux_x, flux_y, side, rise, root):  # type: ignore[no-untyped-def]
    """Let water leave across the rim at normal depth, critical at most."""
    for i in range(rise.size):
        r, c = side[i, 0], side[i, 1]
        d = film[r, c] - rise[i]
        out = _ZERO
        if d > _THINNEST:
            y = _inverse_sixth_root(d)
            out = min(d * d * (y * y) * root[i], _ROOT_G * d * d * (y * y * y))
        if side[i, 2] == NORTH:
            flux_y[r, c] = -out
        elif side[i, 2] == EAST:
            flux_x[r, c + 1] = out
        elif side[i, 2] == SOUTH:
            flux_y[r + 1, c] = out
        else:
            flux_x[r, c] = -out


@numba.njit(inline="always")
def _place(start, time_s, k, seconds):  # type: ignore[no-untyped-def]
    """Last point of hydrograph k not after a moment; its first point before them all."""
    i = start[k]
    while i + 1 < start[k + 1] and time_s[i + 1] <= seconds:
        i += 1
    return i


@numba.njit(inline="always")
def _at(tables, k, seconds):  # type: ignore[no-untyped-def]
    """Value of hydrograph k at a moment."""
    start, time_s, value, _ = tables
    i = _place(start, time_s, k, seconds)
    if seconds <= time_s[i] or i + 1 == start[k + 1]:
        return value[i]
    share = (seconds - time_s[i]) / (time_s[i + 1] - time_s[i])
    return value[i] + share * (value[i + 1] - value[i])


@numba.njit(inline="always")
def _summed(tables, k, seconds):  # type: ignore[no-untyped-def]
    """Value times seconds of hydrograph k from its first point to a moment."""
    start, time_s, value, summed = tables
    i = _place(start, time_s, k, seconds)
    return summed[i] + (seconds - time_s[i]) * (value[i] + _at(tables, k, seconds)) / 2.0


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _given(flux_x, flux_y, side, ratio):  # type: ignore[no-untyped-def]
    """Water that held levels gave across their sides in a step, metres of a pixel."""
    given = 0.0
    for i in range(side.shape[0]):
        r, c = side[i, 0], side[i, 1]
        if side[i, 2] == NORTH:
            out = -flux_y[r, c]
        elif side[i, 2] == EAST:
            out = flux_x[r, c + 1]
        elif side[i, 2] == SOUTH:
            out = flux_y[r + 1, c]
        else:
            out = -flux_x[r, c]
        given += ratio * max(np.float64(out), 0.0)
    return given


@numba.njit(cache=True, nogil=True, error_model="numpy")
def hold(film, pixel, level, bed, tables, seconds):  # type: ignore[no-untyped-def]
    """Set held pixels to their level at a moment."""
    for i in range(bed.size):
        d = _at(tables, level[i], seconds) - bed[i]
        film[pixel[i, 0], pixel[i, 1]] = max(d, 0.0)


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _pour(depth, pixel, inflow, share, tables, now, then):  # type: ignore[no-untyped-def]
    """Add what inflows bring between two moments; return it, metres of a pixel."""
    poured = 0.0
    for i in range(share.size):
        k = inflow[i]
        brought = (_summed(tables, k, then) - _summed(tables, k, now)) * share[i]
        depth[pixel[i, 0], pixel[i, 1]] += brought
        poured += brought
    return poured


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _note(deepest, depth):  # type: ignore[no-untyped-def]
    """Note the largest depth so far of every pixel."""
    for r in range(depth.shape[0]):
        for c in range(depth.shape[1]):
            deepest[r, c] = max(deepest[r, c], depth[r, c])


@numba.njit(cache=True, nogil=True, error_model="numpy")
def advance(  # type: ignore[no-untyped-def]
    depth, film, flux_x, flux_y, rise_x, rise_y, friction_x, friction_y, keeps, kind, gone,
    deepest, rim_side, rim_rise, rim_root, held_pixel, held_level, held_bed, held_side, lip, levels,
    poured_pixel, poured_inflow, poured_share, inflows, crossed, track, pixel_m, fallen_m,
    start_s, end_s, courant, longest_s,
):  # fmt: skip
    """Move the water from ``start_s`` to ``end_s``; return the number of steps.

    ``crossed`` adds up what held levels gave and what inflows brought, metres of a pixel.
    """
    rows = depth.shape[0]
    kinds = fallen_m.shape[1]
    gain = np.zeros(kinds)
    now = start_s
    steps = 0
    while now < end_s:
        step = longest_s
        peak = deepest.max()
        for k in range(lip.size):
            peak = max(peak, _at(levels, k, now) - lip[k])
        if peak > 0.0:
            step = min(step, courant * pixel_m / sqrt(GRAVITY * peak))
        then = now + step
        if then >= end_s:
            step, then = end_s - now, end_s
        ratio = step / pixel_m
        for r in range(rows):
            _move_row(
                film[r, :-1], film[r, 1:], rise_x[r], friction_x[r], flux_x[r, 1:-1],
                step, pixel_m,
            )  # fmt: skip
        for r in range(1, rows):
            _move_row(
                film[r - 1], film[r], rise_y[r - 1], friction_y[r - 1], flux_y[r], step, pixel_m
            )
        _spill(film, flux_x, flux_y, rim_side, rim_rise, rim_root)
        raining = False
        for k in range(kinds):
            gain[k] = _fallen(fallen_m, k, then) - _fallen(fallen_m, k, now)
            raining = raining or gain[k] > 0.0
        deepest[:] = 0.0
        crossed[1] += _pour(depth, poured_pixel, poured_inflow, poured_share, inflows, now, then)
        for r in range(rows):
            _fill_row(depth[r], flux_x[r, :-1], flux_x[r, 1:], flux_y[r], flux_y[r + 1], ratio)
            if raining:
                _rain_row(depth[r], kind[r], gain)
            _drain_row(depth[r], film[r], keeps[r], gone, deepest)
        crossed[0] += _given(flux_x, flux_y, held_side, ratio)
        hold(film, held_pixel, held_level, held_bed, levels, then)
        if track.size:
            _note(track, film)
        now = then
        steps += 1
    return steps
