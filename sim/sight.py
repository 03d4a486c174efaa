"""Which hexes units and stations see from where they stand, by the channel that tells of them (§6).

Of the ground and the units alone: no water comes in.
"""

from collections.abc import Mapping

from sim.district import District
from sim.rules import NIGHT_PATROL_SIGHT, PATROL_SIGHT, Channel, UnitKind
from sim.unit import Unit


def seen_on(
    district: District,
    units: tuple[Unit, ...],
    dark: tuple[int, ...] = (),
    *,
    night: bool,
) -> Mapping[Channel, tuple[int, ...]]:
    """Hexes that patrols, other units and stations see, ascending (§6, 6.0).

    A patrol sees its own hex and the six around it, by night its own only; every other unit, and
    a station, its own. Boats are heard with the pump trucks (§9.7).

    Parameters
    ----------
    dark : tuple of int
        Hexes without power: their stations are down (§13.1).

    """
    sight = NIGHT_PATROL_SIGHT if night else PATROL_SIGHT
    patrols: set[int] = set()
    others: set[int] = set()
    for unit in units:
        if unit.kind is not UnitKind.PATROL:
            others.add(unit.cell)
            continue
        patrols.add(unit.cell)
        if sight:
            patrols.update(district.sheet.neighbours[unit.cell].tolist())
    patrols.discard(-1)
    stations = {station.cell for station in district.stations} - set(dark)
    return {
        Channel.PATROL: tuple(sorted(patrols)),
        Channel.PUMP: tuple(sorted(others)),
        Channel.STATION: tuple(sorted(stations)),
    }


def observed_cells(
    district: District,
    units: tuple[Unit, ...],
    dark: tuple[int, ...] = (),
    *,
    night: bool,
) -> tuple[int, ...]:
    """Hexes that units and stations see, whoever sees them, ascending (§6, 6.0)."""
    seen = seen_on(district, units, dark, night=night)
    return tuple(sorted(set().union(*seen.values())))
