"""Every extract and raster of ``../shared/data``, and how each is built: the table of real towns.

Where a town has no DEM it gets a slope; where a DEM has no extract, one is drawn from the layers
beside it. Nothing of the data is kept in the repository.
"""

from dataclasses import dataclass, field
from pathlib import Path

import geopandas as gpd
import numpy as np
import rasterio
import shapely
from affine import Affine
from pyproj import Transformer

from gis.build import BuildOptions
from gis.placement import Placement
from tests.gis.osm_files import OsmFile

SLOPE_DEG = 1 / 1800  # pixel of a slope: two arc-seconds
SLOPE_MARGIN_DEG = 0.15


@dataclass(frozen=True)
class RealTown:
    """One extract, or one raster, and the sheet that is laid over it."""

    name: str
    osm: str | None  # below the data folder; None: drawn from the layers beside the DEM
    size: tuple[int, int]  # columns, rows
    place: tuple[float, float]  # within the extract, for the slope; lon, lat
    centre: tuple[float, float] | None = None
    dem: str | None = None  # None: a slope
    dem_crs: str | None = None
    population: str | None = None
    small: tuple[int, int] | None = None  # sheet for a quick test; None: the same
    small_centre: tuple[float, float] | None = None
    needs: tuple[str, ...] = field(default=())

    @property
    def files(self) -> tuple[str, ...]:
        """Files that it reads, below the data folder."""
        return tuple(f for f in (self.osm, self.dem, self.population, *self.needs) if f)

    def options(self, data: Path, folder: Path, quick: bool = False) -> BuildOptions:
        """What to build; files that the town lacks are written into a folder."""
        size = self.small if quick and self.small else self.size
        centre = self.small_centre if quick and self.small_centre else self.centre
        if self.dem is None:
            dem = write_slope(folder / f"{self.name}-slope.tif", self.place)
        else:
            dem = data / self.dem
        osm = data / self.osm if self.osm else rochefort_extract(data, folder)
        people = data / self.population if self.population else None
        if self.osm is None:
            people = rochefort_people(data, folder)
        return BuildOptions(
            osm=osm,
            dem=dem,
            name=self.name,
            placement=Placement(centre=centre, columns=size[0], rows=size[1]),
            population=people,
            dem_crs=self.dem_crs,
        )


_SMALL = "small_osm"
_CUT = "incomplete_osm"
ROCHEFORT = "rochefort_estuary"
REAL_TOWNS = (
    RealTown(
        "porto_alegre",
        "porto_alegre/poa.osm.pbf",
        size=(44, 28),
        place=(-51.20, -30.05),
        dem="porto_alegre/poa_elevation.tif",
        population="porto_alegre/poa_hexgrid.csv",
        small=(16, 12),
        small_centre=(-51.215, -30.035),
    ),
    RealTown(
        "andorra_la_vella",
        "andorra_la_vella/andorra_la_vella.osm.pbf",
        size=(44, 28),
        place=(1.53, 42.52),
        dem="andorra_la_vella/andorra_la_vella_srtm3.tif",
        small=(16, 12),
        small_centre=(1.525, 42.507),
    ),
    RealTown(
        "andorra_full",
        "andorra_full/andorra-2025-01-18.osm.pbf",
        size=(44, 28),
        place=(1.53, 42.52),
        dem="andorra_full/N42E001.hgt.zip",
        small=(12, 10),
        small_centre=(1.489, 42.465),
    ),
    RealTown(
        "liechtenstein",
        f"{_SMALL}/liechtenstein-2013-08-03.osm.pbf",
        size=(44, 28),
        place=(9.55, 47.16),
        small=(14, 12),
        small_centre=(9.522, 47.14),
    ),
    RealTown(
        "baltimore",
        f"{_SMALL}/baltimore.osm.pbf",
        size=(28, 20),
        place=(-76.568, 39.282),
        small=(14, 12),
        small_centre=(-76.59, 39.283),
    ),
    RealTown("dreieich", f"{_SMALL}/dreieich.osm.pbf", size=(9, 8), place=(8.713, 50.002)),
    RealTown("rouen", f"{_SMALL}/rouen.osm.gz", size=(6, 5), place=(1.095, 49.437)),
    RealTown(
        "west_oakland", f"{_SMALL}/West-Oakland.osm.bz2", size=(4, 4), place=(-122.300, 37.8077)
    ),
    RealTown(
        "helsinki",
        f"{_CUT}/helsinki.osm.pbf",
        size=(6, 7),
        place=(24.944, 60.172),
        population=f"{_CUT}/helsinki_population_grid_2020.gpkg",
    ),
    RealTown("kotka", f"{_CUT}/kotka.osm.pbf", size=(10, 9), place=(26.95, 60.53)),
    RealTown("brenner", f"{_CUT}/brenner.osm.pbf", size=(4, 5), place=(11.506, 47.0035)),
    RealTown(
        "rochefort",
        None,
        size=(40, 32),
        place=(-0.98, 45.94),
        centre=(-1.015, 45.949),
        dem=f"{ROCHEFORT}/dem.asc",
        dem_crs="EPSG:2154",
        small=(12, 11),
        small_centre=(-0.965, 45.94),
        needs=(
            f"{ROCHEFORT}/roads.zip",
            f"{ROCHEFORT}/land_use.zip",
            f"{ROCHEFORT}/coastline.zip",
        ),
    ),
)


def write_slope(path: Path, place: tuple[float, float]) -> Path:
    """A gentle slope to the south-east about a place, elevations in metres; its path."""
    n = round(2 * SLOPE_MARGIN_DEG / SLOPE_DEG)
    fall = np.add.outer(np.arange(n) * 0.1, np.arange(n) * 0.05)
    west, north = place[0] - SLOPE_MARGIN_DEG, place[1] + SLOPE_MARGIN_DEG
    with rasterio.open(
        path,
        "w",
        driver="GTiff",
        count=1,
        height=n,
        width=n,
        dtype="float32",
        crs="EPSG:4326",
        transform=Affine(SLOPE_DEG, 0, west, 0, -SLOPE_DEG, north),
    ) as raster:
        raster.write((300 - fall).astype(np.float32), 1)
    return path


# --------------------------------------------------------------------------- Rochefort
_LEAST_PEOPLE = 20  # of a unit of land use that is drawn as a residential area
_BESIDE_M = 100.0  # how far beside the shore the ground is looked at


def rochefort_people(data: Path, folder: Path) -> Path:
    """A population file of the units of land use beside Rochefort's DEM; its path."""
    units = gpd.read_file(f"zip://{data / ROCHEFORT / 'land_use'}.zip").set_crs(2154)
    units = units[["unit_pop", "geometry"]].rename(columns={"unit_pop": "population"})
    units.to_file(folder / "rochefort-people.gpkg")
    return folder / "rochefort-people.gpkg"


def rochefort_extract(data: Path, folder: Path) -> Path:
    """An OSM extract of Rochefort drawn from the layers beside its DEM; its path.

    Roads bear no class there: they become residential streets. Units of land use with people
    become residential areas, joined by streets where they touch; the shore becomes a coastline
    with the higher ground on its left.
    """
    layers = {
        name: gpd.read_file(f"zip://{data / ROCHEFORT / name}.zip").set_crs(2154)
        for name in ("roads", "land_use", "coastline")
    }
    osm = OsmFile()
    to_degrees = Transformer.from_crs(2154, 4326, always_xy=True)

    def places(line: shapely.LineString) -> list[tuple[float, float]]:
        x, y = shapely.get_coordinates(line).T
        return list(zip(*to_degrees.transform(x, y), strict=True))

    for line in shapely.get_parts(layers["roads"].geometry.to_numpy()):
        osm.way(places(line), {"highway": "residential"})
    units = layers["land_use"]
    lived_in = shapely.get_parts(units[units["unit_pop"] >= _LEAST_PEOPLE].geometry.to_numpy())
    for unit in lived_in:
        osm.way(places(unit.exterior), {"landuse": "residential"})
    middles = shapely.point_on_surface(lived_in)
    for a, b in shapely.STRtree(lived_in).query(lived_in, predicate="touches").T.tolist():
        if a < b:
            street = shapely.LineString([middles[a], middles[b]])
            osm.way(places(street), {"highway": "residential"})
    shore = shapely.line_merge(shapely.union_all(layers["coastline"].geometry.to_numpy()))
    with rasterio.open(data / ROCHEFORT / "dem.asc") as dem:
        for line in shapely.get_parts(shore):
            osm.way(places(_land_on_the_left(line, dem)), {"natural": "coastline"})
    return osm.write(folder / "rochefort.osm")


def _land_on_the_left(line: shapely.LineString, dem: rasterio.DatasetReader) -> shapely.LineString:
    along = np.linspace(0.05, 0.95, 61) * line.length
    here = shapely.get_coordinates(shapely.line_interpolate_point(line, along))
    ahead = shapely.get_coordinates(shapely.line_interpolate_point(line, along + 1))
    step = (ahead - here) / np.hypot(*(ahead - here).T)[:, np.newaxis]
    left = np.column_stack((-step[:, 1], step[:, 0])) * _BESIDE_M
    z_left, z_right = (
        np.array([float(z[0]) for z in dem.sample(here + side)]) for side in (left, -left)
    )
    return line if np.mean(z_left - z_right) >= 0 else line.reverse()
