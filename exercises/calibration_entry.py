"""A calibration as plain data: what the manifest keeps of it, and ``--json`` prints (§7.6)."""

from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from exercises.calibrate import (
    LEAST_SAVED,
    MOST_SAVED,
    SAVES_AT,
    SHOWN_TURNS,
    SIGN_BY,
    TOO_LATE_AT,
    Calibration,
    LevelFound,
)
from sim.rules import RULES_VERSION, TURN_MIN, TURNS
from sim.severity_words import LANGUAGES, stands_for
from sim.shares import Share
from sim.state import NEVER
from sim.storm import IdfLaw, storm_of
from sim.water import SOLVER_VERSION

MISSED_BY = 0.01
"""A share further than this from the one wanted is missed."""
FALL_SEEN = 0.002
"""A fall of the share threatened along the scale that is worth a word."""

Entry = dict[str, Any]


def calibration_entry(found: Calibration) -> Entry:
    """Return all that a reader needs to judge a ladder, and to find it again.

    Shares have four decimals; a turn or a share that does not exist is None.
    """
    district = found.district
    law = storm_of(district.region, district.ladder[0], district.hyetograph).law
    return {
        "averse": version("averse"),
        "rules_version": RULES_VERSION,
        "solver_version": SOLVER_VERSION,
        "district": district.name,
        "hour": found.hour,
        "turns": TURNS,
        "hyetograph": asdict(district.hyetograph),
        "peak_turn": int(district.hyetograph.peak_min // TURN_MIN) + 1,
        "law": law.source,
        "wanted": [level.wanted for level in found.levels],
        "most": round(found.most, 4),
        "fall": round(found.fall, 4),
        "storms": found.storms,
        "levels": [_level(level, law) for level in found.levels],
        "missed": missed(found),
    }


def _level(found: LevelFound, law: IdfLaw) -> Entry:
    window = found.window
    return {
        **asdict(found.severity),
        "stands_for": {lang: stands_for(found.severity, law, lang) for lang in LANGUAGES},
        "wanted": found.wanted,
        "share": round(window.share, 4),
        "threatened": window.threatened,
        "to_shelter": window.to_shelter,
        "blocked_hexes": window.blocked_hexes,
        "first_sign": window.first_sign if window.first_sign != NEVER else None,
        "first_cut": window.first_cut if window.first_cut != NEVER else None,
        "saved": {str(turn): _rounded(window.saved[turn]) for turn in SHOWN_TURNS},
    }


def _rounded(share: Share) -> float | None:
    return None if share is None else round(float(share), 4)


def missed(found: Calibration) -> list[Entry]:
    """What the ground does not give of what was wanted, by kind, with the levels concerned.

    The kinds are ``share``, ``same`` (two levels are one storm), ``saved`` (too few at turn 6),
    ``late`` (too many at turn 9), ``sign`` (none by turn 6) and ``fall`` (the share threatened fell
    along the scale).
    """
    levels = found.levels
    rungs = [(x.severity.rain_years, x.severity.network_efficiency, x.severity.soaked)
             for x in levels]  # fmt: skip
    kinds = {
        "share": [x for x in levels if abs(x.window.share - x.wanted) > MISSED_BY],
        "same": [x for x, rung in zip(levels, rungs, strict=True) if rungs.count(rung) > 1],
        "saved": [x for x in levels if _share(x, SAVES_AT) < LEAST_SAVED],
        "late": [x for x in levels if _share(x, TOO_LATE_AT, empty=0.0) > MOST_SAVED],
        "sign": [x for x in levels if not NEVER < x.window.first_sign <= SIGN_BY],
    }
    told = [
        {"kind": kind, "levels": [x.severity.level for x in which]}
        for kind, which in kinds.items()
        if which
    ]
    if found.fall > FALL_SEEN:
        told.append({"kind": "fall", "levels": []})
    return told


def _share(found: LevelFound, turn: int, empty: float = 1.0) -> float:
    """Share that an alert saves, in the whole percents that are printed."""
    share = found.window.saved[turn]
    return empty if share is None else round(float(share), 2)
