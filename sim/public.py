"""What the players of a district may read of it before any order (§7.6)."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from sim.district import District, Severity
from sim.hyetograph import Hyetograph

RECKONED_YEARS: Mapping[int, float] = MappingProxyType({1: 1.0, 2: 1.5, 3: 8.0, 5: 100.0})
"""Rain on soaked ground, drains blocked, that a level's name may stand for, return period in years.

From the sketch that the rule book prints (§7.6): 1-year rain threatens 8 %, 5-year 18 %, about
50-year 29 %. Along the logarithm of the years, 10 % lies at 1.4 years, 20 % at 8, and 35 % beyond
100; 3 % below 1."""


def public_district(district: District) -> District:
    """Return a district as its players know it: the ground whole, the storm by its level's name.

    Where every level is a return period and nothing else, the bulletin says so. Elsewhere a level
    is a name, and whoever plans by it has the book's sketch alone, and the book's storm. Two
    districts that differ in the ladder found for them, or in its storm, are then one and the same.
    """
    if district.is_literal:
        return replace(district, hyetograph=Hyetograph())
    ladder = tuple(Severity(level, years, 0.0, 1.0) for level, years in RECKONED_YEARS.items())
    return replace(district, ladder=ladder, hyetograph=Hyetograph())
