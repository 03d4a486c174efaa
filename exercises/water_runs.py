"""The water of many storms on one district: kept in its pack, two of them computed at a time."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from gis.store import TRUTHS, read_truth, write_truth
from sim.district import District, Ground, Severity
from sim.water import Progress, Truth, flood, truth_key
from sim.weather import Weather

AT_A_TIME = 2
"""Storms computed side by side: the solver leaves Python's lock, one core each."""

Told = Callable[[float], None]


def kept_truth(
    pack: Path,
    district: District,
    ground: Ground,
    severity: Severity,
    turns: int,
    progress: Progress | None = None,
    weather: Weather | None = None,
) -> Truth:
    """Return the water of a storm: kept in the pack, or computed and kept (§7.5)."""
    key = truth_key(district, ground, severity, turns, weather)
    truth = read_truth(pack / TRUTHS, key)
    if truth is None:
        truth = flood(district, ground, severity, turns, progress, weather)
        write_truth(pack / TRUTHS, key, truth)
    return truth


def kept_truths(
    pack: Path,
    district: District,
    ground: Ground,
    severities: Sequence[Severity],
    turns: int,
    told: Told | None = None,
) -> tuple[Truth, ...]:
    """Return the water of several storms, in their order; a run that is stopped goes on from them.

    Parameters
    ----------
    told : callable, optional
        Told the share done of them all, 0 to 1.
    """
    shares = [0.0] * len(severities)

    def run(number: int) -> Truth:
        def progress(_stage: str, share: float) -> None:
            shares[number] = share
            if told is not None:
                told(sum(shares) / len(shares))

        truth = kept_truth(pack, district, ground, severities[number], turns, progress)
        progress("water", 1.0)
        return truth

    pool = ThreadPoolExecutor(AT_A_TIME)
    try:
        return tuple(pool.map(run, range(len(severities))))
    finally:
        # a run that is stopped waits for no storm that has not begun
        pool.shutdown(wait=True, cancel_futures=True)
