"""Who learns what of the hidden world, when and through which channel: §6 and 13 of the rule book.

Written from the rule book alone, apart from the code that makes views and lets channels speak: no
function of ``sim.view``, ``sim.knowledge`` or ``sim.reports`` is called here.
"""

from collections.abc import Iterable

import numpy as np

from sim.district import District, Facility
from sim.rules import REPORT_SURE_RESIDENTS, Card, Structure, UnitKind
from sim.state import State
from sim.unit import NEVER, NOWHERE, Unit

# --------------------------------------------------------------------------- printed tables
CLASS_FROM_MM = (0, 150, 300, 500, 701)
"""§4, 4.1: least depth of every class, millimetres."""
FACTOR_TENTHS = {Structure.ROAD: 10, Structure.BRIDGE: 4, Structure.UNDERPASS: 35}
"""§3.3: what an ordinary road, an underpass and a bridge see of their hex's depth."""
PUMP_MM = 180
"""§3.4: what a pump at work takes off."""
REPORT_DELAY = 2
"""§6: turns after which residents tell what they saw."""
CHANCE_OF = 2 * REPORT_SURE_RESIDENTS
"""§6.1: residents / 1,000, halved by night, in shares of 2,000."""
POWER_CUT_TURNS = 8
"""§13.1."""
STATION = "station"
ALERTED_FROM = {"siren": 4, "cell_broadcast": 6, "radio": 8, "word_of_mouth": 11}
"""§9.4: least sums of two dice, less the modifier, by the means."""
PREPARED_FROM, LOST_FROM = 6, 9
"""§9.4, 10.5: least sums of two dice."""

# --------------------------------------------------------------------------- draws
SEEN = frozenset(
    {
        "alerts.roll",  # the result of an alert (§6.0)
        "alerts.overhear",  # and which hex was told by word of mouth
        "cards.draw_card",  # whether a card comes
        "cards._from_the_deck",  # which, since the deck is public
        "cards._chosen for _accident",  # announced (§13.1)
        "cards._chosen for _jam",
        "cards._chosen for _counter_current",
        "cards._chosen for _stampede",
        "cards._chosen for _power_cut",
        "cards._chosen for _injunction",
        "cards._chosen for _rumour",  # told like any report
        "cards._rumour",
    }
)
"""Uses of draws that a team sees, by the function of the engine that asks."""
SEEN_BY_PUBLIC = frozenset(
    {
        "cards.draw_card",
        "cards._from_the_deck",
        "cards._chosen for _accident",
        "cards._chosen for _jam",
        "cards._chosen for _power_cut",
    }
)
"""Those whose outcome is announced in the town (§6.4), and those that decide which these are."""
HIDDEN = frozenset(
    {
        "alerts.prepare",  # counters are not shown (§6.0)
        "losses.lose_people",  # victims are counted in the debrief
        "cards._chosen for _roadworks",  # on no map until tried
    }
)
"""Uses of draws that nobody sees."""
IN_PART = frozenset({"reports._told", "bulletin.narrowed"})
"""Uses of draws seen through what they make of the hidden water or level."""


def water_class(depth_mm: np.ndarray) -> np.ndarray:
    """Class of depths, millimetres (§4)."""
    return np.searchsorted(CLASS_FROM_MM, depth_mm, side="right") - 1


def is_night(hour: int, turn: int) -> bool:
    """Whether a turn is played by night (§8.5)."""
    return hour == 3 or (hour == 18 and turn >= 7)


def dark_cells(cuts: Iterable[tuple[int, tuple[int, ...]]], turn: int) -> set[int]:
    """Hexes without power, from the cuts announced: turn and hexes of each (§13.1)."""
    return {
        cell for since, cells in cuts if since <= turn < since + POWER_CUT_TURNS for cell in cells
    }


def seen_exactly(district: District, state: State, dark: set[int], *, night: bool) -> set[int]:
    """Hexes whose depth of the turn is seen (§6, 6.0).

    A patrol sees where it stands and the six around, by night where it stands; pump trucks and
    boats where they stand; a station where it is, with power.
    """
    return _seen_from(district, district.stations, state.units, dark, night=night)


def _seen_from(
    district: District,
    stations: tuple[Facility, ...],
    units: tuple[Unit, ...],
    dark: set[int],
    *,
    night: bool,
) -> set[int]:
    seen = {station.cell for station in stations} - dark
    for unit in units:
        seen.add(unit.cell)
        if unit.kind is UnitKind.PATROL and not night:
            seen |= {int(cell) for cell in district.sheet.neighbours[unit.cell] if cell >= 0}
    return seen


SEAT_LOOKS = {
    "team/public_order": frozenset({UnitKind.PATROL}),
    "team/technical": frozenset({UnitKind.PUMP, UnitKind.BOAT}),
    "team/sanitation": frozenset({STATION}),
    "team/communication": frozenset(),
    "team/sheltering": frozenset(),
}
"""§9.7: whose exact depths a seat has for itself; of the others' it sees the class on the map."""
DICE_TOLD = "team/communication"
"""§9.7: the one seat, with the director, that is told the dice of alerts and not their result."""


def seen_by_seat(
    side: str, district: District, state: State, dark: set[int], *, night: bool
) -> set[int]:
    """Hexes whose exact depth of the turn a seat has from its own service's channels (§9.7)."""
    looks = SEAT_LOOKS[side]
    mine = tuple(unit for unit in state.units if unit.kind in looks)
    stations = district.stations if STATION in looks else ()
    return _seen_from(district, stations, mine, dark, night=night)


def report_chance(residents: int, *, night: bool) -> int:
    """Chance that a wet populated hex reports, in shares of ``CHANCE_OF`` (§6.1)."""
    return 2 * min(residents, REPORT_SURE_RESIDENTS) // (2 if night else 1)


def ways_to_tell(water: int, told: int) -> tuple[tuple[bool, int], ...]:
    """Dice, wrong and side, under which residents tell a class where another stands (§6.1).

    >>> ways_to_tell(2, 3), ways_to_tell(1, 3), ways_to_tell(4, 4)
    (((True, 1),), (), ((False, -1), (False, 1), (True, 1)))
    """
    dice = ((False, -1), (False, 1), (True, -1), (True, 1))
    return tuple(
        (wrong, side)
        for wrong, side in dice
        if min(4, max(0, water + (side if wrong else 0))) == told
    )


def arrivals(before: State, after: State) -> tuple[tuple[int, ...], ...]:
    """Whom every hex brought to shelters and out of the area, and when the last came (§6.0)."""
    came = tuple(
        sum(part) for part in zip(after.in_time, after.late, after.follower_places, strict=True)
    )
    were = tuple(
        sum(part) for part in zip(before.in_time, before.late, before.follower_places, strict=True)
    )
    steps = tuple(now - then for now, then in zip(came, were, strict=True))
    where = tuple(
        shelter if step else NOWHERE for shelter, step in zip(after.shelter, steps, strict=True)
    )
    return steps, where, after.evacuated, after.places_taken


def places(state: State) -> tuple[tuple[object, ...], ...]:
    """Where every unit stands and goes, and whether something stopped it: a team sees its units."""
    return tuple((unit.name, unit.cell, unit.to, unit.blocked) for unit in state.units)


def link_sees_mm(district: District, depth_mm: np.ndarray, pumps: np.ndarray) -> np.ndarray:
    """Depth that every link sees under the depths of a turn, millimetres (§3.3, 3.4)."""
    a, b = district.sheet.edges.T
    deeper = np.maximum(depth_mm[a], depth_mm[b])
    factor = np.array([FACTOR_TENTHS[one] for one in Structure])[district.structure]
    return np.maximum(factor * deeper // 10 - PUMP_MM * pumps, 0)


def telling_classes(district: District, depth_mm: np.ndarray) -> np.ndarray:
    """(n_hex, k) classes that a depth makes of a hex and all its links, whatever pumps work there.

    Two depths with the same row are one on the map, and close the same links beside any other hex:
    what a link sees is that of its deeper end.
    """
    structure = np.append(district.structure, 0)[district.sheet.edge_across]
    factor = np.array([FACTOR_TENTHS[one] for one in Structure])[structure]
    sees = factor * depth_mm[:, None] // 10
    pumped = [water_class(np.maximum(sees - PUMP_MM * pumps, 0)) for pumps in range(4)]
    return np.column_stack((water_class(depth_mm), *pumped))


def pumps_on(district: District, state: State, turn: int) -> np.ndarray:
    """Pump trucks at work on every link: their places are known (§9.2)."""
    pumps = np.zeros(district.sheet.n_edges, np.int64)
    for unit in state.units:
        set_up = unit.to == NOWHERE and unit.ready != NEVER and unit.ready <= turn
        if unit.task == "pump" and set_up:
            pumps[unit.links[0]] += 1
    return pumps


ANNOUNCED = frozenset(Card) - {Card.ROADWORKS, Card.RUMOUR}
"""Cards that the team is told of, with what they strike (§13.1)."""
