"""A district pack of 10 × 8 hexes made by hand, with a background and a few turns of play."""

import json
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

import geopandas as gpd
import numpy as np
import shapely

from gis.lattice import Lattice, PixelGrid
from gis.store import MANIFEST, PACK_VERSION
from gis.store_writer import write_district_layers, write_ground
from gis.webmap import NEVER_SEEN, UNKNOWN_MM, Frames
from sim.district import District, Facility, Ground, literal_ladder
from sim.hexes import Sheet
from sim.rules import LEVELS, Fabric, LinkClass, Structure

SHEET = Sheet(10, 8)
TURNS = 12


@cache
def lattice() -> Lattice:
    return Lattice.centred(SHEET, lon=2.35, lat=48.85)


def district(**changes: object) -> District:
    """Every fabric and link class, both structures, and a river in column 5."""
    n, edges = SHEET.n_hexes, SHEET.edges
    column, row = np.divmod(np.arange(n), SHEET.rows)
    river = column == 4
    rim = (row == 0) | (row == SHEET.rows - 1)
    active = ~river & ~rim
    fabric = ((column * 3 + row // 2) % len(Fabric)).astype(np.int8)
    residents = np.where(active, 200 + 90 * ((column + row) % 9), 0).astype(np.int32)
    a, b = edges.T
    touches_river = river[a] | river[b]
    link_class = ((a + b) % 4 + 1).astype(np.int8)
    link_class[touches_river] = LinkClass.NONE
    bridge = touches_river & (row[a] == 4) & (row[b] == 4)
    link_class[bridge] = LinkClass.PRIMARY
    structure = np.zeros(len(edges), dtype=np.int8)
    structure[bridge] = Structure.BRIDGE
    structure[np.flatnonzero(link_class == LinkClass.PRIMARY)[:3]] = Structure.UNDERPASS
    quarter = np.where(active, (column > 4).astype(np.int32) * 2 + (row > 3), -1)
    made = District(
        name="Essai",
        sheet=SHEET,
        region="harbin",
        ladder=literal_ladder(LEVELS),
        active=active,
        fabric=fabric,
        residents=residents,
        unshelterable=(residents // 8).astype(np.int32),
        road_m=np.where(active, 300, 0).astype(np.int32),
        quarter=quarter.astype(np.int32),
        quarters=("Nord-Ouest", "Sud-Ouest", "Nord-Est", "Sud-Est"),
        link_class=link_class,
        structure=structure,
        foot=link_class > LinkClass.NONE,
        barrier=link_class == LinkClass.NONE,
        elevation_mm=(30_000 + 900 * np.abs(column - 4)).astype(np.int32),
        sink_mm=np.where((column == 3) & active, 420, 0).astype(np.int32),
        shelters=(
            Facility(SHEET.index_of("0203"), "École du Nord", 900),
            Facility(SHEET.index_of("0905"), "Gymnase", 1_200),
        ),
        stations=(Facility(SHEET.index_of("0404"), "Station du pont"),),
        police_stations=(Facility(SHEET.index_of("0304"), "Commissariat"),),
        technical_centres=(Facility(SHEET.index_of("0706"), "Dépôt"),),
    )
    return replace(made, **changes) if changes else made


def basemap() -> gpd.GeoDataFrame:
    """A river, a park, houses, rails, and a road of each class."""
    west, south, east, north = lattice().bounds
    x = (west + east) / 2
    houses = [
        shapely.box(
            west + 300 + 90 * i, south + 500 + 80 * j, west + 340 + 90 * i, south + 530 + 80 * j
        )
        for i in range(8)
        for j in range(6)
    ]
    rows = [
        ("water", "La Bièvre", shapely.box(x - 300, south, x - 60, north)),
        ("green", "Parc", shapely.box(x + 400, south + 300, x + 900, south + 800)),
        ("stream", None, shapely.LineString([(east - 300, north), (east - 500, south)])),
        ("rail", None, shapely.LineString([(west, north - 500), (east, north - 350)])),
        ("wall", None, shapely.LineString([(west + 300, south + 300), (west + 700, south + 300)])),
        ("path", None, shapely.LineString([(x + 400, south + 300), (x + 900, south + 800)])),
        *(("building", None, house) for house in houses),
        *(
            (
                f"road{k}",
                f"Rue {k}",
                shapely.LineString([(west, south + 420 * k), (east, south + 420 * k + 90)]),
            )
            for k in (1, 2, 3, 4)
        ),
    ]
    return gpd.GeoDataFrame(
        {"kind": [r[0] for r in rows], "name": [r[1] for r in rows]},
        geometry=[r[2] for r in rows],
        crs=lattice().crs,
    )


def ground() -> Ground:
    """Gentle banks of the river in column 5, on pixels of 52 m."""
    grid = PixelGrid.under(lattice(), 52.0)
    x, y = grid.centres()
    cell = lattice().cells_at(x, y)
    column = cell // SHEET.rows
    return Ground(
        pixel_m=grid.pixel_m,
        elevation_m=np.where(cell >= 0, 30 + 0.9 * np.abs(column - 4), 40).astype(np.float32),
        cell=cell,
        road_m2=np.where(cell >= 0, 400, 0).astype(np.float32),
        sink=(cell >= 0) & (column == 4),
    )


def write_hand_pack(folder: Path, made: District | None = None, **manifest: object) -> Path:
    made = made or district()
    folder.mkdir(parents=True, exist_ok=True)
    write_district_layers(folder, made, lattice(), basemap())
    write_ground(folder, ground(), PixelGrid.under(lattice(), 52.0), lattice().crs)
    entries = {
        "pack_version": PACK_VERSION,
        "name": made.name,
        "region": made.region,
        "sheet": {"columns": SHEET.columns, "rows": SHEET.rows},
        "ladder": [asdict(rung) for rung in made.ladder],
        "district_sha256": made.digest,
        "ground_sha256": ground().digest,
        **manifest,
    }
    (folder / MANIFEST).write_text(json.dumps(entries), encoding="utf-8")
    return folder


def frames(**changes: object) -> Frames:
    """Water that rises from the river and falls again, and a team that alerts the west bank."""
    made = district()
    n = SHEET.n_hexes
    column = np.arange(n) // SHEET.rows
    turn = np.arange(TURNS + 1)[:, None]
    swell = np.clip(np.minimum(turn, 2 * TURNS - 2 * turn), 0, None)
    true = np.clip(swell * 130 - 160 * np.abs(column - 4), 0, 900).astype(np.int32)
    true[:, ~made.active] = 0
    seen = (column[None, :] + turn) % 5 == 0
    known = np.full_like(true, UNKNOWN_MM)
    age = np.full_like(true, NEVER_SEEN)
    for t in range(1, TURNS + 1):
        known[t] = np.where(seen[t], true[t], known[t - 1])
        age[t] = np.where(
            seen[t], 0, np.minimum(age[t - 1] + (age[t - 1] < NEVER_SEEN), NEVER_SEEN)
        )
    west_bank = made.active & (column < 4)
    alerted = west_bank & (turn >= 3 + column[None, :])
    progress = np.where(alerted, np.clip((turn - 3 - column) * 20, 1, 100), 0)
    sheltered = np.where(progress == 100, 100, 0)
    filled = (sheltered[:, :, None] * (made.unshelterable[:, None] / 100)).sum(axis=(1, 2))
    given = Frames(
        true_depth_mm=true,
        known_depth_mm=known,
        known_age=age,
        alerted=alerted,
        evacuating=progress.astype(np.uint8),
        sheltered=sheltered.astype(np.uint8),
        to_shelter=made.unshelterable,
        forecast=(np.abs(column - 3) <= 1) & made.active,
        units=tuple(
            (("1", int(SHEET.index_of(f"03{2 + t % 5:02d}"))), ("2", SHEET.index_of("0304")))
            for t in range(TURNS + 1)
        ),
        shelter_filled=np.column_stack((filled, filled // 3)).astype(np.int32),
        bulletins=tuple(f"Tour {t} : pluie soutenue, niveau 1 à 5." for t in range(TURNS + 1)),
        clock=tuple(f"{14 + t // 6}:{t % 6}0" for t in range(TURNS + 1)),
        night=np.arange(TURNS + 1) >= 9,
    )
    return replace(given, **changes) if changes else given
