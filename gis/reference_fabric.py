"""Fabrics of the reference town: how many hexes of each the totals force, and where they lie."""

from collections.abc import Callable

import numpy as np
from shapely import Point, prepare

from gis.reference_board import Float64Array
from gis.reference_chance import Chance, Swell
from gis.reference_site import Site
from sim.rules import HARBIN, HEX_AREA_HA, REFERENCE_INHABITANTS, SHEET_ACTIVE, Fabric

UNSHELTERABLE = 48_100
"""Unshelterable inhabitants of the reference sheet (§8.2, 3 h)."""
# hexes of each built fabric that look like a town; the solver may move any by a few
WISHED = {
    Fabric.OLD_TOWN: 24,
    Fabric.SLAB_BLOCKS: 82,
    Fabric.TOWER_COMPOUND: 160,
    Fabric.COMMERCIAL: 28,
    Fabric.URBAN_VILLAGE: 10,
}
WISHED_OPEN = {Fabric.INDUSTRIAL: 262, Fabric.PARK: 166, Fabric.FARMLAND: 236}


def fabric_counts(dry: float) -> dict[Fabric, int]:
    """Hexes of each fabric for which density × area gives the reference totals.

    Parameters
    ----------
    dry : float
        Share of the active ground that is not under water: its residents stand on the rest.

    Returns
    -------
    dict
        Counts that sum to 968, in printed order; industry, parks and farmland are over half of
        them, as inhabitants and unshelterable force (§2).
    """
    area = HEX_AREA_HA * dry
    per_ha = {f: (row.residents_per_ha, _unshelterable_per_ha(f)) for f, row in HARBIN.items()}
    wanted = (REFERENCE_INHABITANTS / area, UNSHELTERABLE / area, float(SHEET_ACTIVE))
    change = np.arange(-24, 25)
    slabs, towers = (grid.reshape(-1) for grid in np.meshgrid(change, change, indexing="ij"))
    built = {f: np.full(slabs.shape, n) for f, n in WISHED.items()}
    built[Fabric.SLAB_BLOCKS] = built[Fabric.SLAB_BLOCKS] + slabs
    built[Fabric.TOWER_COMPOUND] = built[Fabric.TOWER_COMPOUND] + towers
    rest = np.array(
        [total - sum(n * (*per_ha[f], 1)[k] for f, n in built.items())
         for k, total in enumerate(wanted)]
    )  # fmt: skip
    per_hex = np.array([(*per_ha[f], 1) for f in WISHED_OPEN], dtype=float).T
    spread = np.rint(np.linalg.solve(per_hex, rest)).astype(int)
    spread[2] = np.rint(rest[2]).astype(int) - spread[0] - spread[1]
    off = np.abs(per_hex[:2] @ spread - rest[:2])
    wish = np.array(list(WISHED_OPEN.values()))[:, None]
    price = np.abs(slabs) + np.abs(towers) + np.abs(spread - wish).sum(axis=0)
    price = price + 1e5 * (off[0] / wanted[0] + off[1] / wanted[1])
    best = int(np.where(spread.min(axis=0) >= 80, price, np.inf).argmin())
    found = {f: int(n[best]) for f, n in built.items()}
    found |= dict(zip(WISHED_OPEN, spread[:, best].tolist(), strict=True))
    return {f: found[f] for f in Fabric}


def _unshelterable_per_ha(fabric: Fabric) -> float:
    return float(HARBIN[fabric].residents_per_ha * HARBIN[fabric].unshelterable)


def spread_fabrics(site: Site, chance: Chance, counts: dict[Fabric, int]) -> dict[int, Fabric]:
    """Fabric of every active hex: old town by the station, towers and slabs about it, fields out.

    Each fabric in turn takes the free hexes that suit it best.
    """
    board = site.board
    x, y = board.centres.T
    rng = {f: Swell(chance, 700, 3_000).at(x, y) for f in Fabric}
    grain = chance.uniforms(len(x))
    off_heart = np.hypot(x - site.heart[0], y - site.heart[1])
    to_river = y - site.guide.at(x)
    prepare(site.rail_line)
    to_rail = np.array([site.rail_line.distance(Point(*p)) for p in board.centres])
    north = np.array([site.heart[0] + 250, float(site.guide.at(site.heart[0] + 250)) + 620])
    off_north = np.hypot(x - north[0], y - north[1])
    off_station = np.hypot(x - site.station[0], y - site.station[1])
    edge_woods = _steps_from(site, sorted(site.woods))
    edge_lake = _steps_from(site, sorted(site.lake))
    kept = dict[int, Fabric]()
    free = set(site.active)

    def take(fabric: Fabric, number: int, score: Float64Array) -> None:
        order = [c for c in np.argsort(score, kind="stable").tolist() if c in free]
        for cell in order[:number]:
            kept[cell] = fabric
            free.discard(cell)

    take(
        Fabric.COMMERCIAL,
        round(counts[Fabric.COMMERCIAL] * 0.46),
        off_station + 90 * rng[Fabric.COMMERCIAL],
    )
    south = np.where(to_river < 60, 0.0, 3_000.0)
    # the bank itself is quays: blocks cut by the water are too open for an old town
    south[board.sheet.edges[list(site.river_edges)].reshape(-1)] += 3_000
    take(Fabric.OLD_TOWN, counts[Fabric.OLD_TOWN], off_heart + south + 60 * rng[Fabric.OLD_TOWN])
    _take_rest(take, kept, counts, Fabric.COMMERCIAL, 0.6, off_north)
    _take_rest(take, kept, counts, Fabric.COMMERCIAL, 1.0, off_heart + 400 * grain)
    for pocket, size in _village_pockets(site, chance, off_heart, counts[Fabric.URBAN_VILLAGE]):
        take(Fabric.URBAN_VILLAGE, size, np.hypot(*(board.centres - board.centres[pocket]).T))
    parks = counts[Fabric.PARK]
    quay = np.where((np.abs(to_river) < 190) & (off_heart > 450), off_heart, 9e9)
    take(Fabric.PARK, round(parks * 0.13), quay + 900 * grain)
    take(Fabric.PARK, round(parks * 0.05), np.hypot(x - site.heart[0] + 1_400, y - north[1] - 500))
    take(Fabric.PARK, round(parks * 0.07), np.where(off_heart < 2_600, 1e4 * grain, 9e9))
    dense = off_heart * np.where(to_river > 0, 0.94, 1.0)
    take(Fabric.SLAB_BLOCKS, counts[Fabric.SLAB_BLOCKS], dense + 420 * rng[Fabric.SLAB_BLOCKS])
    take(
        Fabric.TOWER_COMPOUND,
        counts[Fabric.TOWER_COMPOUND],
        dense + 260 * rng[Fabric.TOWER_COMPOUND],
    )
    port = np.hypot(x + site.lake_side * 3_500, to_river * 1.6)
    works = np.minimum(to_rail, 0.55 * port)
    take(Fabric.INDUSTRIAL, counts[Fabric.INDUSTRIAL], works + 190 * rng[Fabric.INDUSTRIAL])
    green = np.minimum.reduce(
        [330.0 * edge_woods, 260.0 * edge_lake, 1.3 * np.abs(to_river), 0.6 * off_heart]
    )
    take(Fabric.PARK, parks - _number(kept, Fabric.PARK), green + 260 * rng[Fabric.PARK])
    take(Fabric.FARMLAND, counts[Fabric.FARMLAND], off_heart)
    return {c: kept[c] for c in sorted(kept)}


def _number(kept: dict[int, Fabric], fabric: Fabric) -> int:
    return sum(f is fabric for f in kept.values())


def _take_rest(
    take: Callable[[Fabric, int, Float64Array], None],
    kept: dict[int, Fabric],
    counts: dict[Fabric, int],
    fabric: Fabric,
    share: float,
    score: Float64Array,
) -> None:
    take(fabric, round((counts[fabric] - _number(kept, fabric)) * share), score)


def _steps_from(site: Site, cells: list[int]) -> Float64Array:
    """(n_hex,) hexes to the nearest of some hexes."""
    sheet = site.board.sheet
    steps: Float64Array = np.min([sheet.distances_from(c) for c in cells], axis=0).astype(float)
    return steps


def _village_pockets(
    site: Site, chance: Chance, off_heart: Float64Array, hexes: int
) -> list[tuple[int, int]]:
    """Hearts and sizes of the villages that the town has swallowed: three or four, apart."""
    board = site.board
    fit = [c for c in sorted(site.active) if 1_700 < off_heart[c] < 2_900]
    pockets: list[int] = []
    for cell in chance.shuffled(fit):
        if all(np.hypot(*(board.centres[cell] - board.centres[p])) > 2_000 for p in pockets):
            pockets.append(cell)
        if len(pockets) == 4:
            break
    share, more = divmod(hexes, len(pockets))
    return [(p, share + (i < more)) for i, p in enumerate(pockets)]
