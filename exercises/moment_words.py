"""How a moment of an exercise is told: the time, the bulletin. No map is needed to say it."""

from datetime import datetime, timedelta

from sim.rules import TURN_MIN


def clock(hour: int, turn: int) -> str:
    """Exercise time at a turn: the storm starts at the hour of the initial situation (§8.2)."""
    return (datetime(2000, 1, 1, hour) + timedelta(minutes=turn * TURN_MIN)).strftime("%H:%M")


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
