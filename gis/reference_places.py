"""Where the reference town keeps its shelters, stations and bases, and where its ground is low."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gis.reference_board import Board, Float64Array
from gis.reference_chance import Chance, Swell
from gis.reference_names import POLICE, SHELTERS, STATIONS, TECHNICAL
from gis.reference_network import Network
from gis.reference_site import Site
from sim.rules import HARBIN, Fabric, LinkClass

DENSE = frozenset(
    {Fabric.OLD_TOWN, Fabric.SLAB_BLOCKS, Fabric.TOWER_COMPOUND, Fabric.COMMERCIAL,
     Fabric.URBAN_VILLAGE}
)  # fmt: skip

# share of the hexes of each fabric that lie in a hollow: people settled the low ground last
LOW_SHARE = {
    Fabric.OLD_TOWN: 0.55,
    Fabric.SLAB_BLOCKS: 0.55,
    Fabric.TOWER_COMPOUND: 0.45,
    Fabric.COMMERCIAL: 0.5,
    Fabric.INDUSTRIAL: 0.12,
    Fabric.URBAN_VILLAGE: 1.0,
    Fabric.PARK: 0.1,
    Fabric.FARMLAND: 0.14,
}


@dataclass(frozen=True)
class Bowl:
    """A hollow of the ground (a rise where its depth is negative): a bell about a point."""

    x: float
    y: float
    depth_m: float
    reach_m: float


@dataclass(frozen=True)
class Place:
    """A public place: what OSM calls it, its name, its hex."""

    kind: str
    name: str
    cell: int


@dataclass(frozen=True)
class Places:
    """The means of §5, each by ascending hex."""

    shelters: tuple[Place, ...]
    stations: tuple[Place, ...]
    police: tuple[Place, ...]
    technical: tuple[Place, ...]


def plan_places(
    site: Site, fabric: Mapping[int, Fabric], network: Network, chance: Chance
) -> tuple[Places, tuple[Bowl, ...]]:
    """Choose the hexes of the means, shelters on rises; and the bowls where water gathers."""
    board = site.board
    dense = [c for c in sorted(fabric) if fabric[c] in DENSE and c not in _riverside(site)]
    weight = np.array(
        [float(HARBIN[fabric[c]].residents_per_ha * HARBIN[fabric[c]].unshelterable) + 8
         if c in fabric and fabric[c] in DENSE else 0.0 for c in range(board.sheet.n_hexes)]
    )  # fmt: skip
    # the schools of a swallowed village stand in the town around it, on firmer ground
    firm = [c for c in dense if fabric[c] is not Fabric.URBAN_VILLAGE]
    shelter_cells = _medians(board, firm, weight, len(SHELTERS))
    main = {
        int(h) for e in np.flatnonzero(network.link_class >= LinkClass.SECONDARY)
        for h in board.sheet.edges[e]
    }  # fmt: skip
    lived = np.array(
        [float(HARBIN[fabric[c]].residents_per_ha) if c in fabric else 0.0
         for c in range(board.sheet.n_hexes)]
    )  # fmt: skip
    bases = [c for c in dense if c in main and c not in shelter_cells]
    police_cells = _medians(board, bases, lived, len(POLICE))
    works = [c for c in sorted(fabric) if fabric[c] is Fabric.INDUSTRIAL and c in main]
    technical_cells = _medians(board, works, lived, len(TECHNICAL))
    bowls = _bowls(site, fabric, shelter_cells, chance)
    low = [
        int(np.hypot(*(board.centres - (b.x, b.y)).T).argmin()) for b in bowls if b.depth_m > 0.7
    ]
    taken = {*shelter_cells, *police_cells, *technical_cells}
    station_cells = _apart(board, [c for c in low if c in fabric and c not in taken], len(STATIONS))
    kinds = chance.shuffled(list(SHELTERS))
    return (
        Places(
            tuple(Place(k, n, c) for (k, n), c in zip(kinds, sorted(shelter_cells), strict=True)),
            _places("monitoring_station", STATIONS, station_cells),
            _places("police", POLICE, police_cells),
            _places("fire_station", TECHNICAL, technical_cells),
        ),
        bowls,
    )


def _places(kind: str, names: Sequence[str], cells: Iterable[int]) -> tuple[Place, ...]:
    return tuple(Place(kind, n, c) for n, c in zip(names, sorted(cells), strict=True))


def _riverside(site: Site) -> set[int]:
    edges = list(site.river_edges) + list(site.rail_edges)
    return set(site.board.sheet.edges[edges].reshape(-1).tolist())


def _medians(board: Board, fit: list[int], weight: Float64Array, number: int) -> list[int]:
    """Hexes among the fit ones that shorten the mean way of the weighted hexes most, in turn."""
    reach = np.array([board.sheet.distances_from(c) for c in fit], dtype=float)
    nearest = np.full(board.sheet.n_hexes, 40.0)
    chosen: list[int] = []
    for _ in range(number):
        gain = (np.maximum(nearest - reach, 0) * weight).sum(axis=1)
        gain[[fit.index(c) for c in chosen]] = -1
        best = int(gain.argmax())
        chosen.append(fit[best])
        nearest = np.minimum(nearest, reach[best])
    # exchange each for a better hex, once
    for place, cell in enumerate(chosen):
        others = [fit.index(c) for c in chosen if c != cell]
        rest = reach[others].min(axis=0) if others else np.full(board.sheet.n_hexes, 40.0)
        cost = (np.minimum(rest, reach) * weight).sum(axis=1)
        cost[others] = np.inf
        chosen[place] = fit[int(cost.argmin())]
    return chosen


def _apart(board: Board, fit: list[int], number: int) -> list[int]:
    """Hexes among the fit ones, each in turn the farthest from those before."""
    chosen = [fit[0]]
    away = board.sheet.distances_from(fit[0])
    while len(chosen) < number:
        best = max(fit, key=lambda c: (int(away[c]), -c))
        chosen.append(best)
        away = np.minimum(away, board.sheet.distances_from(best))
    return chosen


def _bowls(
    site: Site, fabric: Mapping[int, Fabric], shelters: list[int], chance: Chance
) -> tuple[Bowl, ...]:
    """Shallow hollows under a share of every fabric, in clusters; a rise under every shelter."""
    board = site.board
    rises = [
        Bowl(float(board.centres[c][0]), float(board.centres[c][1]), -1.3, 110.0)
        for c in sorted(shelters)
    ]
    lie = Swell(chance, 500, 2_200).at(*board.centres.T) + 0.9 * chance.uniforms(len(board.centres))
    quays = set(board.sheet.edges[list(site.river_edges)].reshape(-1).tolist())
    hollows: list[Bowl] = []
    for kind, share in LOW_SHARE.items():
        fit = [
            c for c in sorted(fabric) if fabric[c] is kind and c not in shelters and c not in quays
        ]
        for cell in sorted(fit, key=lambda c: (float(lie[c]), c))[: round(share * len(fit))]:
            x, y = board.centres[cell] + (chance.between(-45, 45), chance.between(-45, 45))
            # a wide dip that gathers, and the hollow that it gathers into
            hollows.append(
                Bowl(float(x), float(y), chance.between(0.8, 1.5), chance.between(62, 95))
            )
            hollows.append(Bowl(float(x), float(y), chance.between(0.3, 0.7), 190.0))
    return tuple(rises + hollows)
