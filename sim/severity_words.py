"""What a level of the storm stands for, in words: the one place that says it (§7.6).

For the instructor's console, the report and the debrief. A player reads the level's name alone.
"""

from sim.district import LADDERS, District, Severity
from sim.errors import ExerciseError
from sim.rules import LEVELS
from sim.storm import IdfLaw, storm_of

LANGUAGES = ("fr", "en")
CALIBRATED = "calibrated"
"""Name of a ladder that is none of those a build knows: found for the ground by calibration."""


def ladder_name(ladder: tuple[Severity, ...]) -> str:
    """Name of a ladder: one that a build knows, or ``CALIBRATED``.

    Examples
    --------
    >>> ladder_name(LADDERS["literal"](LEVELS))
    'literal'
    """
    for name, made in LADDERS.items():
        if ladder == made(LEVELS):
            return name
    return CALIBRATED


def ladder_words(district: District, lang: str) -> dict[int, str]:
    """What every level of a district stands for, by level."""
    return {
        severity.level: stands_for(severity, storm_of(district.region, severity).law, lang)
        for severity in district.ladder
    }


def stands_for(severity: Severity, law: IdfLaw, lang: str) -> str:
    """What a level stands for, such as "50-year rain on soaked ground, drains blocked" (§7.6).

    Parameters
    ----------
    severity : Severity
    law : IdfLaw
        Beyond the return periods on which it was fitted, the rain is "> N years".
    lang : {"fr", "en"}

    Raises
    ------
    ExerciseError
        If there are no words in that language.
    """
    if lang not in LANGUAGES:
        raise ExerciseError(f"no words in {lang!r}: choose {' or '.join(LANGUAGES)}")
    rain = _rain(severity.rain_years, law.more_than_years(severity.rain_years), lang)
    return rain + _ground(severity.soaked, lang) + _drains(severity.network_efficiency, lang)


def _rain(years: float, more_than: float | None, lang: str) -> str:
    if lang == "fr":
        beyond = "" if more_than is None else "> "
        figure = f"{years if more_than is None else more_than:g}".replace(".", ",")
        plural = "" if more_than is None and years < 2 else "s"
        return f"pluie de période de retour {beyond}{figure} an{plural}"
    return f"{years:g}-year rain" if more_than is None else f"rain of > {more_than:g} years"


def _ground(soaked: float, lang: str) -> str:
    if soaked == 0:
        return ""
    if soaked == 1:
        return " sur sol saturé" if lang == "fr" else " on soaked ground"
    if lang == "fr":
        return f" sur sol saturé à {_percent(soaked, lang)}"
    return f" on ground {_percent(soaked, lang)} soaked"


def _drains(efficiency: float, lang: str) -> str:
    if efficiency == 1:
        return ""
    if efficiency == 0:
        return ", réseau obstrué" if lang == "fr" else ", drains blocked"
    if lang == "fr":
        return f", réseau à {_percent(efficiency, lang)}"
    return f", drains at {_percent(efficiency, lang)}"


def _percent(share: float, lang: str) -> str:
    return f"{100 * share:.0f} %" if lang == "fr" else f"{share:.0%}"
