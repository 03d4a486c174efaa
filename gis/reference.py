"""The reference town: an invented district with exactly the rule book's figures, as real files.

``design_town`` plans a town on the 44 × 28 sheet; ``draw_town`` writes it as an OSM extract and a
DEM, which the ordinary builder then reads like any town's. What was designed is what it must find.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely
from pyproj import Transformer
from shapely import LineString, Polygon

from gis.lattice import Lattice
from gis.population import residents_by_density, unshelterable_of
from gis.reference_board import Board, Float64Array
from gis.reference_chance import Chance
from gis.reference_draw import TownPlan, write_dem, write_osm, yard_sidings
from gis.reference_fabric import fabric_counts, spread_fabrics
from gis.reference_network import plan_network
from gis.reference_places import Place, plan_places
from gis.reference_site import NoSuchTownError, Site, lay_site
from gis.reference_streets import StreetPlan, draw_streets, rail_tracks
from sim.district import BoolArray, ByteArray
from sim.hexes import IntArray, Sheet
from sim.rules import (
    HARBIN,
    HEX_AREA_HA,
    HEX_SIDE_M,
    SHEET_COLUMNS,
    SHEET_ROWS,
    Fabric,
)

TOWN_LON, TOWN_LAT = 127.42, 45.31
"""Middle of the sheet, degrees: an invented place in UTM zone 52N."""
REFERENCE_SEED = "averskoie"
OSM_NAME, DEM_NAME = "averskoie.osm.pbf", "averskoie_dem.tif"
ATTEMPTS = 80
"""Draws that give no town with the printed figures are set aside; so many are tried."""
DRY_SHARE = 0.985
"""Share of the residents' ground that the river leaves, before it is known."""


@dataclass(frozen=True)
class TownDesign:
    """A town as designed; hexes in ascending label order, edges as ``Sheet.edges``.

    Attributes
    ----------
    seed : str
    lattice : Lattice
        Where the sheet lies.
    active : (n_hex,) bool
    fabric : (n_hex,) int8
        ``Fabric``; ground out of play is park.
    residents, unshelterable : (n_hex,) int32
        Persons, by density × dry ground (§2).
    link_class, structure : (n_edge,) int8
    foot, barrier : (n_edge,) bool
    shelters, stations, police_stations, technical_centres : mapping of int to str
        Name of each by its hex, ascending.
    plan : TownPlan
        What is drawn.

    """

    seed: str
    lattice: Lattice
    active: BoolArray
    fabric: ByteArray
    residents: IntArray
    unshelterable: IntArray
    link_class: ByteArray
    structure: ByteArray
    foot: BoolArray
    barrier: BoolArray
    shelters: Mapping[int, str]
    stations: Mapping[int, str]
    police_stations: Mapping[int, str]
    technical_centres: Mapping[int, str]
    plan: TownPlan


def town_lattice() -> Lattice:
    """Sheet of the reference town, as ``--centre`` lays it at ``TOWN_LON``, ``TOWN_LAT``."""
    return Lattice.centred(Sheet(SHEET_COLUMNS, SHEET_ROWS), TOWN_LON, TOWN_LAT)


def design_town(seed: str = REFERENCE_SEED) -> TownDesign:
    """Design a town with the printed figures of the reference sheet (§1.2, 2, 3.1, 5, 8.2).

    Parameters
    ----------
    seed : str
        Any text; another seed gives another town with the same figures.

    """
    board = Board(town_lattice())
    for attempt in range(ATTEMPTS):
        try:
            return _designed(board, seed, attempt)
        except NoSuchTownError:
            continue
    raise ValueError(f"no town in {ATTEMPTS} draws from the seed {seed!r}; take another seed")


def draw_town(design: TownDesign, folder: Path) -> tuple[Path, Path]:
    """Write a town as an OSM extract and a DEM; gives their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    osm_path, dem_path = folder / OSM_NAME, folder / DEM_NAME
    write_osm(design.plan, osm_path)
    write_dem(design.plan, dem_path)
    return osm_path, dem_path


def _designed(board: Board, seed: str, attempt: int) -> TownDesign:
    key = f"{seed}/{attempt}"
    site = lay_site(board, Chance("site", key))
    wet = _water_share(site)
    active = np.zeros(board.sheet.n_hexes, dtype=bool)
    active[sorted(site.active)] = True
    if (wet[active] >= 0.45).any() or (wet[sorted(site.lake)] < 0.55).any():
        raise NoSuchTownError("water covers the wrong hexes")
    dry = DRY_SHARE
    for _ in range(3):
        chosen = spread_fabrics(site, Chance("fabric", key), fabric_counts(dry))
        fabric = np.full(board.sheet.n_hexes, Fabric.PARK, dtype=np.int8)
        fabric[list(chosen)] = list(chosen.values())
        dry = _dry_share(fabric, wet, active)
    network = plan_network(site, chosen, Chance("network", key))
    streets = draw_streets(site, chosen, network, Chance("streets", key))
    places, bowls = plan_places(site, chosen, network, Chance("places", key))
    residents = residents_by_density(fabric, wet, active, HARBIN)
    foot = network.link_class > 0
    foot[list(network.foot_paths)] = True
    return TownDesign(
        seed=seed,
        lattice=board.lattice,
        active=active,
        fabric=fabric,
        residents=residents,
        unshelterable=unshelterable_of(residents, fabric, HARBIN),
        link_class=network.link_class.astype(np.int8),
        structure=network.structure.astype(np.int8),
        foot=foot,
        barrier=_barriers(site, streets) & ~foot,
        shelters=_by_hex(places.shelters),
        stations=_by_hex(places.stations),
        police_stations=_by_hex(places.police),
        technical_centres=_by_hex(places.technical),
        plan=TownPlan(key, site, chosen, network, streets, places, bowls),
    )


def _by_hex(places: Iterable[Place]) -> dict[int, str]:
    return {place.cell: place.name for place in sorted(places, key=lambda p: p.cell)}


def _dry_share(fabric: ByteArray, wet: Float64Array, active: BoolArray) -> float:
    """Share of the residents that the ground under water leaves."""
    density = np.array([HARBIN[f].residents_per_ha for f in Fabric], dtype=float)[fabric][active]
    return float((density * (1 - wet[active])).sum() / density.sum())


def _water_share(site: Site) -> Float64Array:
    """(n_hex,) share of every hex under water, as it is after the drawing's last decimal."""
    board = site.board
    to_degrees = Transformer.from_crs(board.lattice.crs, "EPSG:4326", always_xy=True)
    back = Transformer.from_crs("EPSG:4326", board.lattice.crs, always_xy=True)
    share = np.zeros(board.sheet.n_hexes)
    hexes = shapely.polygons(board.lattice.corners)
    for area in site.water:
        points = np.array(area.exterior.coords) + board.origin
        lon, lat = to_degrees.transform(points[:, 0], points[:, 1])
        x, y = back.transform(np.rint(lon * 1e7) / 1e7, np.rint(lat * 1e7) / 1e7)
        share += shapely.area(shapely.intersection(hexes, Polygon(np.column_stack((x, y)))))
    return np.asarray(share / (HEX_AREA_HA * 10_000))


def _barriers(site: Site, streets: StreetPlan) -> BoolArray:
    """(n_edge,) water, rail or a wall stands between the middles of the two hexes (§3.1)."""
    board = site.board
    across = shapely.linestrings(board.centres[board.sheet.edges])
    shut = [
        *site.water,
        site.river_line,
        *rail_tracks(site),
        *yard_sidings(site),
        *(LineString(wall.exterior) for wall in streets.walls),
    ]
    stands = np.zeros(board.sheet.n_edges, dtype=bool)
    stands[shapely.STRtree(shut).query(across, predicate="intersects")[0]] = True
    edges = shapely.linestrings(board.edge_ends)
    wet = shapely.length(shapely.intersection(edges, site.water_area))
    return np.asarray(stands | (wet > HEX_SIDE_M / 2))
