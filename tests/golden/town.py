"""Valbourg: a town of 63 hexes made by hand for the transcripts, and its three floods.

::

    column   1   2   3   4   5   6   7   8   9
             -- Faubourg --  |  -- Les Tours --
                             | river
             Vieille ville   |  --- La Gare ---

A river fills column 5. Two bridges cross it, in rows 2 and 6; ground rises from its banks.
"""

from dataclasses import replace

import numpy as np

from sim.district import District, Facility, literal_ladder
from sim.hexes import Sheet
from sim.rules import HARBIN, HEX_AREA_HA, LEVELS, Fabric, LinkClass, Structure
from sim.scenario import Scenario
from sim.world import World

SHEET = Sheet(9, 7)
RIVER = 4
"""Column of the river, from 0."""
BRIDGES = ("0502", "0506")
TURNS = 18
QUARTERS = ("Faubourg", "Vieille ville", "Les Tours", "La Gare")
FABRICS = (Fabric.URBAN_VILLAGE, Fabric.OLD_TOWN, Fabric.TOWER_COMPOUND, Fabric.COMMERCIAL)
DENSE = 0.5
"""Share of a hex that is built."""


def cell(label: str) -> int:
    return SHEET.index_of(label)


def link(one: str, other: str) -> int:
    """The link between two neighbouring hexes."""
    side = SHEET.neighbours[cell(one)].tolist().index(cell(other))
    return int(SHEET.edge_across[cell(one), side])


def valbourg() -> District:
    """Four quarters of four fabrics on both banks of a river, two bridges, an underpass."""
    n = SHEET.n_hexes
    column, row = np.divmod(np.arange(n), SHEET.rows)
    river = column == RIVER
    on_bridge = np.isin(np.arange(n), [cell(label) for label in BRIDGES])
    quarter = np.where(river, -1, 2 * (column > RIVER) + (row > 2))
    fabric = np.where(river, Fabric.PARK, np.array(FABRICS)[quarter])
    rows = [HARBIN[Fabric(f)] for f in fabric]
    residents = [round(DENSE * r.residents_per_ha * HEX_AREA_HA) for r in rows]
    residents = np.where(river, 0, residents)
    unshelterable = np.array(
        [int(p * r.unshelterable) for p, r in zip(residents.tolist(), rows, strict=True)]
    )
    a, b = SHEET.edges.T
    # the rows of the bridges are axes; the quays and the rest are local streets
    along = (row[a] == row[b]) & (column[a] != column[b])
    axis = along & np.isin(row[a], [cell(label) % SHEET.rows for label in BRIDGES])
    link_class = np.where(axis, LinkClass.PRIMARY, LinkClass.LOCAL)
    link_class[(column[a] == column[b]) & (column[a] == 2)] = LinkClass.SECONDARY
    wet = (river[a] & ~on_bridge[a]) | (river[b] & ~on_bridge[b])
    link_class[wet] = LinkClass.NONE
    bridge = ~wet & (river[a] | river[b])
    link_class[bridge & ~axis] = LinkClass.NONE
    structure = np.where(bridge & axis, Structure.BRIDGE, Structure.ROAD)
    structure[link("0704", "0705")] = Structure.UNDERPASS
    open_ways = link_class > LinkClass.NONE
    elevation_mm = 20_000 + 700 * np.abs(column - RIVER) + 40 * (6 - row)
    return District(
        name="Valbourg",
        sheet=SHEET,
        region="harbin",
        ladder=literal_ladder(LEVELS),
        active=~river,
        fabric=fabric.astype(np.int8),
        residents=residents.astype(np.int32),
        unshelterable=unshelterable.astype(np.int32),
        road_m=np.where(np.isin(row, (1, 5)) & ~river, 260, 0).astype(np.int32),
        elevation_mm=elevation_mm.astype(np.int32),
        sink_mm=np.zeros(n, np.int32),
        quarter=quarter.astype(np.int32),
        quarters=QUARTERS,
        link_class=link_class.astype(np.int8),
        structure=structure.astype(np.int8),
        foot=open_ways,
        barrier=wet,
        shelters=(
            Facility(cell("0102"), "École du Faubourg", 1_800),
            Facility(cell("0106"), "Gymnase", 1_200),
            Facility(cell("0803"), "Lycée", 1_800),
            Facility(cell("0906"), "Salle des fêtes", 400),
        ),
        stations=(
            Facility(cell("0404"), "Échelle du quai"),
            Facility(cell("0604"), "Échelle de la gare"),
        ),
        police_stations=(Facility(cell("0303"), "Commissariat"),),
        technical_centres=(Facility(cell("0802"), "Dépôt"),),
    )


def flood(rise_mm: int, from_turn: int, to_turn: int, ebb_from: int, slope: int) -> np.ndarray:
    """A river that leaves its bed: millimetres on every hex at the end of every turn.

    Parameters
    ----------
    rise_mm : int
        Depth beside the river at its highest, less what the ground rises.
    from_turn, to_turn, ebb_from : int
        When it starts to rise, is highest, and starts to fall.
    slope : int
        Millimetres that each hex away from the river is drier.
    """
    turn = np.arange(TURNS + 1)
    up = np.clip((turn - from_turn) / (to_turn - from_turn), 0, 1)
    down = np.clip((turn - ebb_from) / (TURNS - ebb_from), 0, 1)
    level = (rise_mm * (up - 0.7 * down)).astype(np.int64)
    column, row = np.divmod(np.arange(SHEET.n_hexes), SHEET.rows)
    # the south lies lower, the west bank is the flatter one
    away = np.abs(column - RIVER) * np.where(column < RIVER, slope, slope * 2) - 15 * row
    depth = np.clip(level[:, None] - away[None, :], 0, 2_000)
    return np.where(level[:, None] > 0, depth, 0).astype(np.int32)


def world_of(depth_mm: np.ndarray, level: int, hour: int, seed: str, **choices: object) -> World:
    world = World(valbourg(), depth_mm, level, seed, hour, TURNS)
    return replace(world, scenario=Scenario(**choices))
