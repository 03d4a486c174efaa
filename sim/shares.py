"""Shares that know when there is nothing to share (§12.2)."""

from fractions import Fraction

Share = Fraction | None
"""A share, or None where there is nothing to share: shown as "–", never 0 or 1 (§12.2)."""


def share(part: int, whole: int) -> Share:
    """Return part / whole, or None of nothing.

    >>> share(1, 4), share(0, 0)
    (Fraction(1, 4), None)
    """
    return Fraction(part, whole) if whole else None
