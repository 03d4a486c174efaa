"""Rain that runs off the ground of every hex: what drains and ground leave of it (§7.2)."""

import numpy as np

from sim.district import District, Severity
from sim.hexes import IntArray
from sim.storm import Float64Array, Storm

RAIN_STEP_S = 10.0
"""Rain is even within this time; its total is exact at every end of it."""
SOAKED_RUNOFF = 0.95
"""Runoff of soaked ground (§7.6)."""


def effective_rain_mm(
    storm: Storm,
    runoff: Float64Array,
    network_mm_h: Float64Array,
    seconds: float,
    at_m: Float64Array | None = None,
) -> Float64Array:
    """Effective rain fallen by every rain step's end: max(0, runoff · rain - network) (§7.2).

    Parameters
    ----------
    storm : Storm
    runoff, network_mm_h : (n_kind,) float
        Share that runs off, and what the drains take, millimetres an hour.
    seconds : float
        Length of the run.
    at_m : (n_kind, 2) float, optional
        Where each kind lies, metres from the centre of hex 0101: wanted by a moving cell alone,
        whose rain in a step is that of its middle moment.

    Returns
    -------
    (n_step + 1, n_kind) float
        Millimetres since the start.
    """
    steps = int(np.ceil(seconds / RAIN_STEP_S))
    ends_min = np.arange(steps + 1) * (RAIN_STEP_S / 60)
    rain = np.diff(storm.fallen_mm(ends_min))[:, None]
    if storm.cell is not None and at_m is not None:
        rain = rain * storm.cell.factor(at_m, (ends_min[1:] + ends_min[:-1]) / 2)
    raw = rain * runoff - network_mm_h * (RAIN_STEP_S / 3600)
    # a billionth of a millimetre: the same table whatever the last digit of a power
    effective = np.round(np.maximum(raw, 0.0), 9)
    return np.vstack((np.zeros(runoff.size), np.cumsum(effective, axis=0)))


def rain_by_kind(
    storm: Storm, district: District, severity: Severity, seconds: float
) -> tuple[IntArray, Float64Array]:
    """Effective rain of every hex (§7.2), hexes on which it is the same taken together.

    Returns
    -------
    (n_hex,) int32, (n_step + 1, n_kind) float
        Kind of every hex; its effective rain by every rain step's end, millimetres since the start.
    """
    runoff, network = runoff_and_network(district, severity)
    if storm.cell is not None:
        every = np.arange(district.sheet.n_hexes, dtype=np.int32)
        at_m = district.sheet.centres_m
        return every, effective_rain_mm(storm, runoff, network, seconds, at_m)
    pairs, kind = np.unique(np.column_stack((runoff, network)), axis=0, return_inverse=True)
    fallen_mm = effective_rain_mm(storm, pairs[:, 0], pairs[:, 1], seconds)
    return kind.reshape(-1).astype(np.int32), fallen_mm


def runoff_and_network(district: District, severity: Severity) -> tuple[Float64Array, Float64Array]:
    """Runoff and drains of every hex under a rung of the ladder (§7.2, 7.6).

    Returns
    -------
    (n_hex,) float, (n_hex,) float
        Share that runs off; what the drains take, millimetres an hour.
    """
    rows = district.fabric_rows
    runoff = np.array([row.runoff for row in rows])
    runoff += severity.soaked * np.maximum(SOAKED_RUNOFF - runoff, 0.0)
    network = np.array([row.network_mm_h for row in rows]) * severity.network_efficiency
    return runoff[district.fabric], network[district.fabric]
