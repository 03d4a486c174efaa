"""How much the overland roughness matters (§2.2): one district's strongest storm, n changed.

``python -m benchmarks.validation.roughness DISTRICT`` reads a district pack and prints what its
highest level gives with Manning's n of every fabric halved, as printed, and half as much again.
"""

import argparse
from pathlib import Path

import numpy as np

from benchmarks.validation.common import print_table, run
from gis.store import read_district, read_ground
from sim.depths import HexDepths
from sim.flow import Flow
from sim.rain import rain_by_kind
from sim.rules import TURN_MIN, TURNS, WATERS, Water
from sim.water import storm_under

FACTORS = (0.5, 1.0, 1.5)


def depths_mm(district, ground, factor: float) -> tuple[np.ndarray, float]:
    """(turns + 1, n_hex) depth at the end of every turn, and the balance, with n times a factor."""
    severity = district.ladder[-1]
    seconds = TURNS * TURN_MIN * 60.0
    kind, fallen_mm = rain_by_kind(storm_under(district, severity), district, severity, seconds)
    retention = np.array([row.retention for row in district.fabric_rows])[district.fabric]
    cell = np.maximum(ground.cell, 0)
    flow = Flow(
        ground.pixel_m, ground.elevation_m, ground.cell >= 0, ground.sink,
        retention[cell] * factor, kind[cell], fallen_mm / 1000,
    )  # fmt: skip
    hexes = HexDepths.of(ground, district.sheet.n_hexes)
    turns = [np.zeros(district.sheet.n_hexes, np.int64)]
    run(
        flow,
        seconds,
        TURN_MIN * 60.0,
        f"n × {factor}",
        lambda: turns.append(hexes.depth_mm(flow.depth_m)),
    )
    return np.array(turns), flow.balance_m3 / flow.rain_m3


def main() -> None:
    """Run the three."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("district", type=Path)
    pack = parser.parse_args().district
    district, ground = read_district(pack), read_ground(pack)
    blocking = WATERS[Water.BLOCKING].from_mm
    results = {factor: depths_mm(district, ground, factor)[0] for factor in FACTORS}
    as_printed = results[1.0].max(axis=0)
    wet = district.active & (as_printed >= WATERS[Water.SLOWED].from_mm)
    print(f"## {district.name}, level {district.ladder[-1].level}: overland roughness\n")
    rows = []
    for factor, turns in results.items():
        deepest = turns.max(axis=0)
        cut = (turns[:, district.active] >= blocking).any(axis=1)
        rows.append(
            (
                f"n × {factor}",
                int((deepest[district.active] >= blocking).sum()),
                int(np.flatnonzero(cut)[0]) if cut.any() else "none",
                float(np.median((deepest - as_printed)[wet]) / 1000),
                float(np.abs((deepest - as_printed)[wet]).max() / 1000),
            )
        )
    print_table(
        ("", "hexes at class ≥ 2", "first at turn", "median change, m", "largest change, m"), rows
    )
    print(f"Changes over the {int(wet.sum())} active hexes of class ≥ 1 as printed.\n")


if __name__ == "__main__":
    main()
