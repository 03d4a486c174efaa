"""The one scale of severity on which a ladder is sought: drains, then soaked ground, then rain.

A rung of the scale stands for a little more water than the one before (§7.6): first the drains
fail, then the ground is soaked, then the rain grows from one year's to a hundred years'. Rungs are
round figures, so that what a level stands for is printed exactly as it was computed.
"""

from functools import cache

from sim.district import Severity

MOST_YEARS = 100.0
"""The heaviest rain of a ladder, return period in years (§7.6)."""
# up to a return period, years, the step to the next: each a few per cent more rain at most
_STEPS_YEARS = ((3.0, 0.1), (10.0, 0.5), (30.0, 1.0), (60.0, 2.0), (MOST_YEARS, 5.0))
_PERCENT = 100


@cache
def rain_years() -> tuple[float, ...]:
    """Return periods of the scale, years, from just above one to a hundred, ascending."""
    years, tenths = [], 10
    for until, step in _STEPS_YEARS:
        while tenths < round(until * 10):
            tenths += round(step * 10)
            years.append(tenths / 10)
    return tuple(years)


DRAINS_FAILED = _PERCENT
"""Rung at which the drains take nothing any more; the ground is as built."""
GROUND_SOAKED = 2 * _PERCENT
"""Rung at which the ground is soaked too, under one year's rain."""
LAST = GROUND_SOAKED + len(rain_years())
"""The severest rung: a hundred years' rain on soaked ground, drains blocked."""


def severity_at(rung: int, level: int) -> Severity:
    """What a rung of the scale, 0 to ``LAST``, makes a level stand for.

    Examples
    --------
    >>> severity_at(0, 1)
    Severity(level=1, rain_years=1.0, network_efficiency=1.0, soaked=0.0)
    >>> severity_at(150, 2)
    Severity(level=2, rain_years=1.0, network_efficiency=0.0, soaked=0.5)
    >>> severity_at(LAST, 5)
    Severity(level=5, rain_years=100.0, network_efficiency=0.0, soaked=1.0)
    """
    if not 0 <= rung <= LAST:
        raise ValueError(f"rung {rung} of a scale from 0 to {LAST}")
    if rung <= DRAINS_FAILED:
        return Severity(level, 1.0, (DRAINS_FAILED - rung) / _PERCENT, 0.0)
    if rung <= GROUND_SOAKED:
        return Severity(level, 1.0, 0.0, (rung - DRAINS_FAILED) / _PERCENT)
    return Severity(level, rain_years()[rung - GROUND_SOAKED - 1], 0.0, 1.0)
