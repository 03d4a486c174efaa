"""Compiles the loops of engine and builder at the install, so that no first command waits for them.

``python -m gis.warm_up`` builds a hamlet in a temporary folder and lets it rain there; what
was compiled stays in the cache beside the code.
"""

import tempfile
from pathlib import Path

import numpy as np
import rasterio
from rasterio.transform import from_origin

from gis.build import BuildOptions, build_district
from gis.placement import Placement
from gis.store import read_district, read_ground
from sim.dice import SEED_HEX_DIGITS
from sim.orders import Alert, Move
from sim.rules import Protection
from sim.state import state_hash
from sim.turn import replay
from sim.units import unit_names
from sim.water import flood
from sim.world import World

LON, LAT = 2.0, 48.0
STREETS = 12
STEP_DEG = 0.0012
PLAYED_TURNS = 8
HOUR = 14
NO_SEED = "0" * SEED_HEX_DIGITS


def hamlet() -> str:
    """Return an extract: a grid of streets, houses between them, a brook across."""
    nodes: list[str] = []
    ways: list[str] = []

    def node(x: float, y: float) -> int:
        at = f"lon='{LON + x * STEP_DEG:.6f}' lat='{LAT + y * STEP_DEG:.6f}'"
        nodes.append(f"<node id='{len(nodes) + 1}' {at}/>")
        return len(nodes)

    def way(points: list[tuple[float, float]], key: str, value: str) -> None:
        placed = [node(*point) for point in points]
        if points[0] == points[-1]:
            placed[-1] = placed[0]
        refs = "".join(f"<nd ref='{one}'/>" for one in placed)
        ways.append(f"<way id='{len(ways) + 1}'>{refs}<tag k='{key}' v='{value}'/></way>")

    for i in range(STREETS):
        way([(i, j) for j in range(STREETS)], "highway", "residential")
        way([(j, i) for j in range(STREETS)], "highway", "secondary")
        for j in range(STREETS):
            corners = ((0.2, 0.2), (0.6, 0.2), (0.6, 0.6), (0.2, 0.6), (0.2, 0.2))
            way([(i + x, j + y) for x, y in corners], "building", "house")
    way([(i + 0.5, 0.4 * i) for i in range(STREETS)], "waterway", "stream")
    body = "".join(nodes + ways)
    return f"<osm version='0.6' generator='averse'>{body}</osm>"


def main() -> None:
    """Build the hamlet, flood it, and play a few turns there."""
    with tempfile.TemporaryDirectory(prefix="averse-") as folder:
        osm, dem, pack = (Path(folder) / name for name in ("town.osm", "dem.tif", "pack"))
        osm.write_text(hamlet(), encoding="utf-8")
        rows, columns = np.indices((200, 200), dtype=np.float32)
        where = from_origin(LON - 0.02, LAT + 0.03, 0.00025, 0.00025)
        with rasterio.open(
            dem, "w", driver="GTiff", width=200, height=200, count=1, dtype="float32",
            crs="EPSG:4326", transform=where,
        ) as raster:  # fmt: skip
            raster.write(50 + 0.02 * columns + 2 * np.sin(rows / 9) * np.cos(columns / 7), 1)
        centre = (LON + STREETS * STEP_DEG / 2, LAT + STREETS * STEP_DEG / 2)
        placement = Placement(centre=centre, columns=6, rows=6)
        build_district(BuildOptions(osm=osm, dem=dem, name="Hamlet", placement=placement), pack)
        district = read_district(pack)
        severity = district.ladder[-1]
        truth = flood(district, read_ground(pack), severity, PLAYED_TURNS)
        play(World(district, truth.depth_mm, severity.level, NO_SEED, HOUR, PLAYED_TURNS))


def play(world: World) -> None:
    """Play an exercise of few orders, which leads through every loop of the rules."""
    centre = int(np.flatnonzero(world.district.active)[0])
    orders = {
        1: (
            Alert(turn=1, centre=centre, radius=1, option=Protection.OUT),
            Move(turn=1, unit=unit_names(world.district)[0], to=centre),
        ),
        2: (Alert(turn=2, centre=centre, radius=2),),
    }
    state_hash(replay(world, orders)[0][-1])
    world.first_cut  # noqa: B018 - computed once it is asked for


if __name__ == "__main__":
    main()
