"""The hidden truth of a storm: the water of a whole exercise, hex by hex (§7.2–7.5)."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sim.depths import HexDepths
from sim.district import District, Ground, Severity
from sim.errors import DistrictError
from sim.flow import COURANT, LONGEST_STEP_S, Flow
from sim.hexes import IntArray
from sim.rain import rain_by_kind
from sim.rules import TURN_MIN, TURNS
from sim.storm import Storm, storm_of
from sim.weather import Weather

SOLVER_VERSION = "3"
"""Changes with anything that can change a depth."""

Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class Truth:
    """The hidden truth of a storm: the depth of every hex at the end of every turn (§7.5).

    Attributes
    ----------
    depth_mm : (turns + 1, n_hex) int32
        Millimetres at the end of a turn; row 0 is the dry start.
    rain_m3, stored_m3, out_m3 : float
        Effective rain, water on the ground at the end, water gone to sinks and over the rim.
    balance_error : float
        (rain + brought - stored - out) / (rain + brought); 0 where there is no water at all.
    steps : int
        Time steps of the solver.
    in_m3 : float
        Water brought by inflows and by water bodies held above the ground beside them (§7.7).
    """

    depth_mm: IntArray
    rain_m3: float
    stored_m3: float
    out_m3: float
    balance_error: float
    steps: int
    in_m3: float = 0.0


def flood(
    district: District,
    ground: Ground,
    severity: Severity,
    turns: int = TURNS,
    progress: Progress | None = None,
    weather: Weather | None = None,
) -> Truth:
    """Compute the truth of one level of the storm over an exercise (§7.2–7.5).

    Parameters
    ----------
    district : District
        Its fabric gives runoff, drains and roughness under every pixel.
    ground : Ground
    severity : Severity
        Rung of the district's ladder (§7.6).
    turns : int
        Turns of the exercise.
    progress : callable, optional
        Told the stage and the share done, 0 to 1, after every turn.
    weather : Weather, optional
        What the scenario changes of the level's weather (§7.7).

    Raises
    ------
    DistrictError
        If the ground does not belong to the district's sheet, or the weather to the ground.
    """
    flow = flow_of(district, ground, severity, turns, weather)
    depths = HexDepths.of(ground, district.sheet.n_hexes)
    depth_mm = np.zeros((turns + 1, district.sheet.n_hexes), np.int32)
    for turn in range(1, turns + 1):
        flow.advance(turn * TURN_MIN * 60.0)
        depth_mm[turn] = depths.depth_mm(flow.depth_m)
        if progress is not None:
            progress("water", turn / turns)
    depth_mm.flags.writeable = False
    came_m3 = flow.rain_m3 + flow.in_m3
    return Truth(
        depth_mm=depth_mm,
        rain_m3=flow.rain_m3,
        stored_m3=flow.stored_m3,
        out_m3=flow.out_m3,
        balance_error=flow.balance_m3 / came_m3 if came_m3 else 0.0,
        steps=flow.steps,
        in_m3=flow.in_m3,
    )


def storm_under(district: District, severity: Severity, weather: Weather | None = None) -> Storm:
    """Storm of a rung of the ladder, as the scenario's weather has it (§7.1, 7.6)."""
    storm = storm_of(district.region, severity, district.hyetograph)
    return storm if weather is None else weather.over(storm)


def flow_of(
    district: District,
    ground: Ground,
    severity: Severity,
    turns: int,
    weather: Weather | None = None,
) -> Flow:
    """Dry ground under the rain of a storm, ready to run (§7.2).

    Raises
    ------
    DistrictError
        If the ground does not belong to the district's sheet, or the weather to the ground.
    """
    n_hexes = district.sheet.n_hexes
    if ground.cell.max() >= n_hexes:
        raise DistrictError(
            f"the ground names hex {ground.cell.max()} where the sheet has {n_hexes}; "
            "build the district again"
        )
    retention = np.array([row.retention for row in district.fabric_rows])[district.fabric]
    storm = storm_under(district, severity, weather)
    kind, fallen_mm = rain_by_kind(storm, district, severity, turns * TURN_MIN * 60.0)
    cell = np.maximum(ground.cell, 0)
    return Flow(
        ground.pixel_m,
        ground.elevation_m,
        ground.cell >= 0,
        ground.sink,
        retention[cell],
        kind[cell],
        fallen_mm / 1000,
        levels=weather.levels if weather else (),
        inflows=weather.inflows if weather else (),
    )


def truth_key(
    district: District,
    ground: Ground,
    severity: Severity,
    turns: int = TURNS,
    weather: Weather | None = None,
) -> str:
    """SHA-256 of all that a truth depends on, hexadecimal: the key of the cache (§7.5).

    The level's number, the names and what is played on the ground do not count.
    """
    rows = [(r.runoff, r.retention, r.network_mm_h) for r in district.fabric_rows]
    parts = (
        SOLVER_VERSION,
        turns,
        (district.sheet.columns, district.sheet.rows),
        rows,
        storm_under(district, severity, weather),
        weather.boundaries_digest if weather else "",
        (severity.network_efficiency, severity.soaked),
        (COURANT, LONGEST_STEP_S),
        ground.digest,
    )
    digest = hashlib.sha256(repr(parts).encode())
    digest.update(np.ascontiguousarray(district.fabric).tobytes())
    return digest.hexdigest()
