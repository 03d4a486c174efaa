"""Rain that runs off the ground of every hex: what drains and ground leave of it (§7.2)."""

import numpy as np

from sim.district import District, Severity
from sim.storm import Float64Array, Storm

RAIN_STEP_S = 10.0
"""Rain is even within this time; its total is exact at every end of it."""
SOAKED_RUNOFF = 0.95
"""Runoff of soaked ground (§7.6)."""


def effective_rain_mm(
    storm: Storm, runoff: Float64Array, network_mm_h: Float64Array, seconds: float
) -> Float64Array:
    """Effective rain fallen by every rain step's end: max(0, runoff · rain - network) (§7.2).

    Parameters
    ----------
    storm : Storm
    runoff, network_mm_h : (n_kind,) float
        Share that runs off, and what the drains take, millimetres an hour.
    seconds : float
        Length of the run.

    Returns
    -------
    (n_step + 1, n_kind) float
        Millimetres since the start.
    """
    steps = int(np.ceil(seconds / RAIN_STEP_S))
    fallen = storm.fallen_mm(np.arange(steps + 1) * (RAIN_STEP_S / 60))
    raw = np.diff(fallen)[:, None] * runoff - network_mm_h * (RAIN_STEP_S / 3600)
    # a billionth of a millimetre: the same table whatever the last digit of a power
    effective = np.round(np.maximum(raw, 0.0), 9)
    return np.vstack((np.zeros(runoff.size), np.cumsum(effective, axis=0)))


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
