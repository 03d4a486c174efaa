"""Where people are when the exercise begins, by hour (§8.1–8.3), and when it is night."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.district import District
from sim.errors import ExerciseError
from sim.hexes import IntArray
from sim.refusal import refuse
from sim.rules import (
    HOURS,
    REFERENCE_INHABITANTS,
    WEEKEND_COMMERCIAL_HOUR,
    WEEKEND_COMMERCIAL_PERCENT,
    WEEKEND_HALVED_HOURS,
    WEEKEND_MOBILE_DIVISOR,
    Fabric,
    HourRow,
)
from sim.scenario import PLAIN, Gathering, Scenario

LongArray = npt.NDArray[np.int64]

WORKPLACES = (Fabric.COMMERCIAL, Fabric.INDUSTRIAL)
"""Where workers are grouped at 14 h (§8.2–8.3)."""


@dataclass(frozen=True, slots=True)
class Situation:
    """People of every hex at the start, persons; read by the player before any decision (§8.2).

    Attributes
    ----------
    to_shelter : (n_hex,) int
        The unshelterable at home and the people on the road (§8.3).
    upstairs : (n_hex,) int
        The shelterable at home, safe one floor up (§8.1).

    """

    to_shelter: IntArray
    upstairs: IntArray


def hour_row(hour: int) -> HourRow:
    """Return the printed row of an hour (§8.2).

    Raises
    ------
    ExerciseError
        If the rules have no such hour.

    """
    if hour not in HOURS:
        known = ", ".join(str(known) for known in HOURS)
        raise ExerciseError(
            refuse(
                "",
                "no initial situation at {hour} h: choose one of {known} (§8.2)",
                hour=str(hour),
                known=str(known),
            )
        )
    return HOURS[hour]


def is_night(hour: int, turn: int) -> bool:
    """Whether a turn is played by night (§8.2, 8.5)."""
    falls = hour_row(hour).night_from_turn
    return falls is not None and turn >= falls


def situation_at(district: District, hour: int, scenario: Scenario = PLAIN) -> Situation:
    """Share the population of a district between upstairs, home and road at an hour (§8.3).

    Those to shelter are U + m·(T − U), whole persons: the mobile share leaves each hex in
    proportion to its shelterable residents and stands on the roads of class ≥ 2 by their length
    (on its own hex where the district has no such road). At 14 h some workers are added, on the
    commercial and industrial hexes alike. A weekend and a gathering then move people (§8.4–8.5).
    """
    residents = np.where(district.active, district.residents, 0).astype(np.int64)
    at_home = np.where(district.active, district.unshelterable, 0).astype(np.int64)
    shelterable = residents - at_home
    on_the_road = int(shelterable.sum()) * mobile_percent(hour, scenario) // 100
    left = share_out(on_the_road, shelterable)
    roads = np.where(district.active, district.road_m, 0).astype(np.int64)
    arrived = share_out(on_the_road, roads) if roads.any() else left
    workplaces = district.active & np.isin(district.fabric, WORKPLACES)
    if workplaces.any():
        working = share_out(workers(int(shelterable.sum()), hour), shelterable - left)
        left = left + working
        arrived = arrived + share_out(int(working.sum()), workplaces.astype(np.int64))
    to_shelter, upstairs = at_home + arrived, shelterable - left
    if scenario.weekend and hour == WEEKEND_COMMERCIAL_HOUR:
        to_shelter, upstairs = _shopping(district, to_shelter, upstairs)
    if scenario.gathering is not None:
        to_shelter, upstairs = _gathered(district, scenario.gathering, to_shelter, upstairs)
    return Situation(to_shelter.astype(np.int32), upstairs.astype(np.int32))


def mobile_percent(hour: int, scenario: Scenario) -> int:
    """Share of the shelterable on the road: half of it on a weekend's peaks (§8.3, 8.5).

    Rounded down to a whole per cent.
    """
    percent = hour_row(hour).mobile_percent
    halves = scenario.weekend and hour in WEEKEND_HALVED_HOURS
    return percent // WEEKEND_MOBILE_DIVISOR if halves else percent


def _shopping(
    district: District, to_shelter: LongArray, upstairs: LongArray
) -> tuple[LongArray, LongArray]:
    """Bring half as many people again to the commercial hexes, from all the others (§8.5).

    Their share that cannot go upstairs is that of the fabric.
    """
    shops = district.active & (district.fabric == Fabric.COMMERCIAL)
    held = np.where(shops, to_shelter + upstairs, 0) * WEEKEND_COMMERCIAL_PERCENT // 100
    from_home = np.where(shops, 0, upstairs)
    coming = min(int(held.sum()), int(from_home.sum()))
    if not coming:
        return to_shelter, upstairs
    left = share_out(coming, from_home)
    came = share_out(coming, held)
    row = district.fabric_rows[Fabric.COMMERCIAL]
    share = row.unshelterable
    below = came.astype(np.int64) * share.numerator // share.denominator
    return to_shelter + below, upstairs - left + (came - below)


def _gathered(
    district: District, gathering: Gathering, to_shelter: LongArray, upstairs: LongArray
) -> tuple[LongArray, LongArray]:
    """Mass people on a hex, from all over the district; none can go upstairs there (§8.4)."""
    if not (0 <= gathering.cell < len(upstairs) and district.active[gathering.cell]):
        raise ExerciseError(
            refuse(
                "",
                "the gathering is on hex {cell} (from 0), which is not active: give a hex "
                "that is built and populated (§8.4)",
                cell=str(gathering.cell),
            )
        )
    coming = min(gathering.people, int(upstairs.sum()))
    if not coming:
        return to_shelter, upstairs
    massed = np.zeros_like(to_shelter)
    massed[gathering.cell] = coming
    return to_shelter + massed, upstairs - share_out(coming, upstairs)


def workers(shelterable: int, hour: int) -> int:
    """Shelterable people who are at work and cannot be safe there (§8.3).

    They are what the printed figure has above the formula, 180 on the reference sheet at 14 h and
    none at the other hours, scaled with the shelterable.

    Examples
    --------
    >>> workers(374_000, 14), workers(374_000, 8)
    (180, 0)

    """
    row, at_home = hour_row(hour), HOURS[3].reference_to_shelter
    reference = REFERENCE_INHABITANTS - at_home
    above = row.reference_to_shelter - at_home - reference * row.mobile_percent // 100
    return shelterable * above // reference


def share_out(total: int, weights: npt.NDArray[np.integer[Any]]) -> IntArray:
    """Cut a whole number in proportion to weights, by the largest remainders.

    Parameters
    ----------
    total : int
        What is shared, ≥ 0.
    weights : (n,) int
        Not all 0, unless ``total`` is 0.

    Returns
    -------
    (n,) int
        Their sum is ``total``; among equal remainders the lower index is served first.

    Examples
    --------
    >>> share_out(10, np.array([1, 1, 1])).tolist()
    [4, 3, 3]

    """
    if total == 0:
        return np.zeros(len(weights), dtype=np.int32)
    whole, remainder = np.divmod(total * weights.astype(np.int64), int(weights.sum()))
    served = np.argsort(-remainder, kind="stable")[: total - int(whole.sum())]
    whole[served] += 1
    shared: IntArray = whole.astype(np.int32)
    return shared
