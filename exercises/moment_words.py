"""How a moment of an exercise is told: the time, the bulletin. No map is needed to say it."""

from gis.wording import time_of_day
from sim.rules import TURN_MIN

DATA = "en"
"""Language in which data has a time of day, whoever reads it: 14:00."""


def clock(hour: int, turn: int, lang: str) -> str:
    r"""Exercise time at a turn: the storm starts at the hour of the initial situation (§8.2).

    >>> clock(14, 3, "en"), clock(14, 3, "fr")
    ('14:30', '14\xa0h\xa030')
    """
    return time_of_day(60 * hour + TURN_MIN * turn, lang)


def bulletin_text(levels: tuple[int, ...], literal: bool, lang: str) -> str:
    """What the bulletin says of the levels it leaves open (§6.2); '' before the first.

    Where a level is more than a return period of rain, it speaks of levels, not of years.
    """
    if not levels:
        return ""
    low, high = min(levels), max(levels)
    span = f"{low}" if low == high else f"{low}–{high}"
    if not literal:
        return f"{'orage de niveau' if lang == 'fr' else 'storm of level'} {span}"
    if lang == "fr":
        return f"pluie de période de retour {span} an{'s' if high > 1 else ''}"
    return f"rain of {span}-year return period"
