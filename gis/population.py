"""Residents of each hex: by fabric density, or moved over from a population file (§2, 2.1, 2.2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import geopandas as gpd
import numpy as np
import numpy.typing as npt
import shapely

from gis.lattice import Float64Array, Lattice
from gis.sources.population import Population
from sim.district import BoolArray, ByteArray
from sim.errors import SourceError
from sim.hexes import IntArray, Sheet
from sim.refusal import refuse
from sim.rules import HEX_AREA_HA, Fabric, FabricRow

# a pixel this many times smaller than a hex is given whole to the hex under its centre
FINE_SHARE = 1 / 400
LEAST_TOLD = 0.25
"""Share of a fabric's hexes that must have buildings on the map to tell how full the rest are."""
MOST_INSIDE = 1e8
"""Persons within a sheet beyond which a file does not count people."""


@dataclass(frozen=True)
class Transfer:
    """A population file laid on the hexes by area, before anyone is moved.

    Attributes
    ----------
    persons : (n_hex,) float
    jobs : (n_hex,) float or None
        None where the source tells none.
    school : (n_hex,) bool or None
        The source tells a school in a cell whose middle is on the hex; None where it tells none.
    inside : float
        Persons of the source within the sheet.
    total : float
        Persons of the whole source.

    """

    persons: Float64Array
    jobs: Float64Array | None
    school: BoolArray | None
    inside: float
    total: float

    @property
    def share_inside(self) -> float:
        """Share of the source's persons within the sheet."""
        return self.inside / self.total

    @property
    def density_per_ha(self) -> Float64Array:
        """(n_hex,) persons per hectare of hex, water included."""
        return self.persons / HEX_AREA_HA

    @property
    def jobs_per_ha(self) -> Float64Array | None:
        """(n_hex,) jobs per hectare of hex, or None."""
        return None if self.jobs is None else self.jobs / HEX_AREA_HA


def transfer(lattice: Lattice, population: Population) -> Transfer:
    """Lay a population file on the hexes by shared area (§2.1).

    Each polygon gives every hex the share of its people that its area inside the hex is of its
    whole area; pixels much smaller than a hex go whole to the hex under their centre.

    Raises
    ------
    SourceError
        If nobody of the source lives within the sheet.

    """
    cells = population.cells.to_crs(lattice.crs)
    shapes = np.asarray(cells.geometry)
    persons = cells["persons"].to_numpy(dtype=float)
    jobs = cells["jobs"].to_numpy(dtype=float)
    hex_of, cell_of, share = _shares(lattice, shapes)
    n = lattice.sheet.n_hexes
    laid = np.bincount(hex_of, weights=persons[cell_of] * share, minlength=n).astype(float)
    inside = float(laid.sum())
    if inside > MOST_INSIDE:
        raise SourceError(
            refuse(
                "",
                "{file} has {inside} persons within the sheet, more than any town: check "
                "which column or band gives persons, and its unit",
                file=population.name,
                inside=f"{inside:,.0f}",
            )
        )
    if not inside > 0:
        west, south, east, north = population.cells.to_crs("EPSG:4326").total_bounds
        raise SourceError(
            refuse(
                "",
                "{file} has nobody within the sheet (its people live within {west}, "
                "{south}, {east}, {north}): give the population of this town",
                file=population.name,
                west=f"{west:.4f}",
                south=f"{south:.4f}",
                east=f"{east:.4f}",
                north=f"{north:.4f}",
            )
        )
    told = np.isfinite(jobs)
    jobs_laid = None
    if told.any():
        weights = np.where(told, jobs, 0.0)[cell_of] * share
        jobs_laid = np.bincount(hex_of, weights=weights, minlength=n).astype(float)
    return Transfer(laid, jobs_laid, _schools(lattice, cells), inside, population.total)


def _schools(lattice: Lattice, cells: gpd.GeoDataFrame) -> BoolArray | None:
    schools = cells["schools"].to_numpy(dtype=float)
    if not np.isfinite(schools).any():
        return None
    middle = shapely.get_coordinates(shapely.centroid(np.asarray(cells.geometry)[schools > 0]))
    at = lattice.cells_at(middle[:, 0], middle[:, 1])
    school = np.zeros(lattice.sheet.n_hexes, dtype=bool)
    school[at[at >= 0]] = True
    return school


def _shares(
    lattice: Lattice, shapes: npt.NDArray[np.object_]
) -> tuple[npt.NDArray[np.int_], npt.NDArray[np.int_], Float64Array]:
    """Hex, polygon and share of the polygon's area, for every pair that meets."""
    area = shapely.area(shapes)
    fine = area < FINE_SHARE * HEX_AREA_HA * 10_000
    small, large = np.flatnonzero(fine), np.flatnonzero(~fine)
    middle = shapely.get_coordinates(shapely.centroid(shapes[small])).reshape(-1, 2)
    at = lattice.cells_at(middle[:, 0], middle[:, 1])
    on = at >= 0
    hexes = np.asarray(shapely.polygons(lattice.corners))
    which, hex_of = shapely.STRtree(hexes).query(shapes[large], predicate="intersects")
    shared = shapely.area(shapely.intersection(hexes[hex_of], shapes[large[which]]))
    return (
        np.concatenate((at[on], hex_of)),
        np.concatenate((small[on], large[which])),
        np.concatenate((np.ones(on.sum()), shared / area[large[which]])),
    )


# --------------------------------------------------------------------------- whole persons
def largest_remainder(exact: Float64Array, total: int | None = None) -> IntArray:
    """Whole numbers that sum to the rounded total, each within one of its exact value.

    Ties go to the lower hex.

    Examples
    --------
    >>> largest_remainder(np.array([1.5, 1.5, 0.0]))
    array([2, 1, 0], dtype=int32)

    """
    whole = np.floor(exact).astype(np.int64)
    wanted = int(np.rint(exact.sum())) if total is None else total
    # a sum of floats may differ in its last digits from the sum of their parts
    rest = np.round(exact - whole, 9)
    up = np.argsort(-rest, kind="stable")[: max(wanted - int(whole.sum()), 0)]
    whole[up] += 1
    return whole.astype(np.int32)


@dataclass(frozen=True)
class Floors:
    """What is built on each hex, which bounds how many can live there (§2.1).

    Attributes
    ----------
    floor_m2 : (n_hex,) float
        Gross floor of the buildings, all storeys; 0 where none is mapped.
    each_m2 : float
        Gross floor for each resident.

    """

    floor_m2: Float64Array
    each_m2: float


def residents_by_density(
    fabric: ByteArray,
    water_share: Float64Array,
    built: BoolArray,
    rows: Mapping[Fabric, FabricRow],
    floors: Floors | None = None,
) -> IntArray:
    """Residents of every built hex: fabric density × dry ground (§2); 0 elsewhere.

    Parameters
    ----------
    floors : Floors, optional
        The printed density stands for a hex wholly of its fabric: with floors, a hex holds no more
        than these house, and one at least. A built hex without a building on the map is
        taken to be as full as the others of its fabric are together.

    """
    density = np.array([rows[f].residents_per_ha for f in Fabric])[fabric]
    full = np.where(built, density * HEX_AREA_HA * (1 - water_share), 0.0)
    return largest_remainder(full if floors is None else _housed(full, fabric, floors))


def _housed(full: Float64Array, fabric: ByteArray, floors: Floors) -> Float64Array:
    """Residents that the floors house, of those that the density gives."""
    told = (floors.floor_m2 > 0) & (full > 0)
    housed = np.minimum(full, np.maximum(floors.floor_m2 / floors.each_m2, 1.0))
    every, among, kept = (
        np.bincount(fabric, weights=some, minlength=len(Fabric))
        for some in (full, full * told, housed * told)
    )
    known = (among > 0) & (among >= LEAST_TOLD * every)
    share = np.divide(kept, among, out=np.ones(len(Fabric)), where=known)
    return np.where(told, housed, full * share[fabric])


def residents_of(
    fabric: ByteArray,
    water_share: Float64Array,
    built: BoolArray,
    rows: Mapping[Fabric, FabricRow],
    laid: Transfer | None = None,
    floors: Floors | None = None,
) -> IntArray:
    """Residents of every hex before the active area is known (§2, 2.1).

    Parameters
    ----------
    rows : mapping
        Fabric table of the region (§2).
    laid : Transfer, optional
        A population file; it replaces density × area.
    floors : Floors, optional
        Bounds the density where nothing replaces it.

    Returns
    -------
    (n_hex,) int32
        Sums to the source's total within the sheet, rounded to whole persons.

    """
    if laid is None:
        return residents_by_density(fabric, water_share, built, rows, floors)
    return largest_remainder(laid.persons)


@dataclass(frozen=True)
class Gathered:
    """Residents on the active hexes alone, and how many were moved there."""

    residents: IntArray
    moved: int
    moved_hexes: int


def gathered(sheet: Sheet, residents: IntArray, active: BoolArray) -> Gathered:
    """Move the people of inactive hexes to the nearest active one, so that the total stays.

    Distance in hexes as the crow flies; ties are shared evenly, the odd person to the lower hex.
    """
    kept = np.where(active, residents, 0).astype(np.int32)
    away = np.flatnonzero(~active & (residents > 0))
    homes = np.flatnonzero(active)
    for cell in away:
        apart = sheet.distances_from(int(cell))[homes]
        nearest = homes[apart == apart.min()]
        each, odd = divmod(int(residents[cell]), len(nearest))
        kept[nearest] += each
        kept[nearest[:odd]] += 1
    return Gathered(kept, int(residents[away].sum()), len(away))


def unshelterable_of(
    residents: IntArray, fabric: ByteArray, rows: Mapping[Fabric, FabricRow]
) -> IntArray:
    """Residents who cannot be safe upstairs (§2.2), never more than the residents."""
    share: dict[Fabric, Fraction] = {f: rows[f].unshelterable for f in Fabric}
    percent = np.array([float(share[f] * 100) for f in Fabric])[fabric]
    return largest_remainder(residents * percent / 100)
