"""The pipeline from a town's files to a district pack."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np

from gis.activity import active_hexes
from gis.aside import written_aside
from gis.basemap import basemap_of
from gis.catchments import catchments_of
from gis.corrections import Corrections, read_corrections
from gis.fabric import FabricTable, FabricValues, fabric_of, fabric_table, region_at
from gis.facilities import WORDS, facilities_of
from gis.lattice import Float64Array, Lattice, PixelGrid
from gis.placement import Placement, place_sheet
from gis.population import (
    Floors,
    Gathered,
    Transfer,
    gathered,
    residents_of,
    transfer,
    unshelterable_of,
)
from gis.provenance import credit_and_licence, library_versions, require_file, source_entry
from gis.quarters import place_names_of, quarters_of, street_names_of
from gis.relief import relief_of
from gis.report import write_report
from gis.sea import with_sea
from gis.sources.dem import Dem, open_dems
from gis.sources.osm import OsmExtract, busiest_place, read_osm
from gis.sources.population import Population, read_population
from gis.store import MANIFEST, MAP, PACK, PACK_VERSION, REPORT
from gis.store_writer import write_district_layers, write_ground
from gis.streets import streets_of
from gis.terrain import TerrainReport, ground_of, require_bounds
from gis.webmap import write_map
from sim.district import LADDERS, BoolArray, District, Ground, IntArray
from sim.errors import DistrictError
from sim.refusal import refuse
from sim.rules import LEVELS, REGIONS, RULES_VERSION, Fabric, LinkClass, Structure

Tell = Callable[[str, float], None]
Manifest = dict[str, Any]


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What a user asks of a build."""

    osm: Path
    dem: Path
    name: str
    placement: Placement
    population: Path | None = None
    corrections: Path | None = None
    more_dems: tuple[Path, ...] = ()  # tiles beside the first
    dem_crs: str | None = None
    dem_unit: str | None = None
    region: str | None = None  # None: the one that suits the place
    ladder: str = "literal"
    lang: str = "en"


@dataclass(frozen=True)
class _Town:
    """A town's files, read, and the sheet laid over it."""

    osm: OsmExtract
    dem: Dem
    lattice: Lattice
    population: Population | None
    corrections: Corrections


@dataclass(frozen=True)
class _Built:
    """All that a pack holds, before it is written."""

    district: District
    ground: Ground
    grid: PixelGrid
    lattice: Lattice
    basemap: gpd.GeoDataFrame
    certainty: dict[str, Any]
    manifest: Manifest


def build_district(options: BuildOptions, out: Path, tell: Tell | None = None) -> Manifest:
    """Build a district pack from a town's files.

    Parameters
    ----------
    options : BuildOptions
    out : Path
        Folder of the pack; a pack already there is replaced once the new one is whole.
    tell : callable, optional
        Told the stage and its share done.

    Returns
    -------
    dict
        The manifest.

    Raises
    ------
    SourceError
        If a file is missing, unreadable, or does not cover the sheet.
    DistrictError
        If the town cannot be played: no shelter, cut into pieces, nothing built.

    """
    tell = tell or (lambda stage, share: None)
    if not options.name.isprintable() or not options.name.strip():
        raise DistrictError(
            refuse(
                "",
                "the name {name} cannot be printed on a map; give one with --name",
                name=f"{options.name!r:.60}",
            )
        )
    for kind, path in _files(options):
        require_file(kind, path)
    with written_aside(out, PACK, (path for _, path in _files(options))) as folder:
        built = _build(options, tell)
        tell("writing the pack", 0.0)
        write_district_layers(folder, built.district, built.lattice, built.basemap, built.certainty)
        write_ground(folder, built.ground, built.grid, built.lattice.crs)
        text = json.dumps(built.manifest, indent=1, ensure_ascii=False, allow_nan=False)
        (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")
        write_map(folder, folder / MAP, title=options.name, lang=options.lang, progress=tell)
        write_report(folder, folder / REPORT, lang=options.lang, progress=tell)
    return built.manifest


def _files(options: BuildOptions) -> list[tuple[str, Path]]:
    files = [("OSM extract", options.osm), ("DEM", options.dem)]
    files += [("DEM", path) for path in options.more_dems]
    if options.population is not None:
        files.append(("population", options.population))
    if options.corrections is not None:
        files.append(("corrections", options.corrections))
    return files


def _read(options: BuildOptions, tell: Tell) -> _Town:
    placement = options.placement
    dem = open_dems((options.dem, *options.more_dems), options.dem_crs, options.dem_unit)
    known = placement.bbox is not None or placement.centre is not None
    # the extract of a whole country is cut while it is read, where the sheet's place is known
    lattice = place_sheet(placement) if known else None
    if lattice is not None:
        require_bounds(lattice, dem)
    osm = read_osm(options.osm, lattice.bounds_lonlat if lattice else None, tell)
    if lattice is None:
        fullest = busiest_place(osm, placement.columns, placement.rows, within=dem.bounds_lonlat)
        lattice = place_sheet(placement, fullest)
    population = None
    if options.population is not None:
        population = read_population(options.population, lattice.bounds_lonlat, tell)
    corrections = Corrections()
    if options.corrections is not None:
        corrections = read_corrections(options.corrections, lattice)
    return _Town(with_sea(osm, lattice), dem, lattice, population, corrections)


def _build(options: BuildOptions, tell: Tell) -> _Built:
    town = _read(options, tell)
    lattice, sheet = town.lattice, town.lattice.sheet
    osm = town.osm.near(lattice.bounds_lonlat)
    # nothing else waits for the background: a second core draws it meanwhile
    aside = ThreadPoolExecutor(1)
    background = aside.submit(basemap_of, lattice, osm)
    aside.shutdown(wait=False)
    west, south, east, north = lattice.bounds_lonlat
    region = options.region or region_at((west + east) / 2, (south + north) / 2)
    table, rows = fabric_table(region), REGIONS[region]

    corrections = town.corrections
    streets = corrections.streets(streets_of(lattice, town.osm, tell))
    corrections.raise_faults()
    tell("shaping the ground", 0.0)
    ground, terrain = ground_of(lattice, town.dem, osm)
    grid = PixelGrid.under(lattice, ground.pixel_m)
    elevation_mm, sink_mm = relief_of(ground, sheet.n_hexes)

    tell("classing the fabric", 0.0)
    laid = transfer(lattice, town.population) if town.population is not None else None
    fabric = fabric_of(
        lattice,
        osm,
        table,
        laid.density_per_ha if laid else None,
        laid.jobs_per_ha if laid else None,
    )
    fabric = corrections.fabric(fabric)
    floors = _floors(fabric, table, corrections.fabric_cells())
    first = residents_of(fabric.fabric, fabric.water_share, fabric.built, rows, laid, floors)
    # a lake that only the DEM shows is water too
    water_share = np.maximum(fabric.water_share, open_water_share(ground, sheet.n_hexes))
    active, activity = active_hexes(sheet, fabric.built, first, water_share, streets.link_class)
    active = corrections.active(active)
    people = gathered(sheet, first, active) if laid else _kept(first, active)
    people = replace(people, residents=corrections.residents(people.residents, active))
    unshelterable = unshelterable_of(people.residents, fabric.fabric, rows)

    tell("cutting quarters", 0.0)
    quarter, quarters = quarters_of(
        sheet,
        active,
        fabric.fabric,
        streets.link_class,
        streets.barrier,
        people.residents,
        place_names_of(lattice, osm),
        street_names_of(lattice, osm),
        options.lang,
    )
    quarter, quarters = corrections.quarters(quarter, quarters, active)
    tell("placing shelters", 0.0)
    facilities = facilities_of(
        lattice,
        osm,
        active,
        people.residents,
        unshelterable,
        streets.link_class,
        streets.foot,
        sink_mm / 1000,
        laid.school if laid else None,
        WORDS[options.lang],
    )
    shelters = corrections.shelters(facilities.shelters, active, sheet)
    corrections.raise_faults()
    district = District(
        name=options.name,
        sheet=sheet,
        region=region,
        ladder=LADDERS[options.ladder](LEVELS),
        active=active,
        fabric=fabric.fabric,
        residents=people.residents,
        unshelterable=unshelterable,
        road_m=np.where(active, streets.road_m, 0).astype(np.int32),
        quarter=quarter,
        quarters=quarters,
        link_class=streets.link_class,
        structure=streets.structure,
        foot=streets.foot,
        barrier=streets.barrier,
        elevation_mm=elevation_mm,
        sink_mm=sink_mm,
        shelters=shelters,
        stations=facilities.stations,
        police_stations=facilities.police_stations,
        technical_centres=facilities.technical_centres,
    )
    tell("drawing the background", 0.0)
    report = {
        "read": osm.counts,
        "links": {**streets.counts},
        "terrain": asdict(terrain),
        "catchments": asdict(catchments_of(lattice, town.dem, osm.waterways)),
        "fabric": _fabric_report(fabric, active),
        "activity": asdict(activity),
        "population": _population_report(town, laid, people, district),
        "facilities": asdict(facilities.report),
        "corrections": corrections.applied,
        "dropped": [asdict(d) for d in (*osm.dropped, *streets.dropped)],
    }
    return _Built(
        district=district,
        ground=ground,
        grid=grid,
        lattice=lattice,
        basemap=background.result(),
        certainty={
            "confidence": np.round(fabric.confidence.astype(float), 3),
            "fabric_from": [fabric.methods[m] for m in fabric.method],
        },
        manifest=_manifest(options, town, district, ground, terrain, report),
    )


def open_water_share(ground: Ground, n_hexes: int) -> Float64Array:
    """(n_hex,) share of every hex's pixels that are open water."""
    on = ground.cell >= 0
    pixels = np.bincount(ground.cell[on], minlength=n_hexes)
    water = np.bincount(ground.cell[on & ground.sink], minlength=n_hexes)
    return np.divide(water, pixels, out=np.zeros(n_hexes), where=pixels > 0)


def _floors(fabric: FabricValues, table: FabricTable, corrected: list[int]) -> Floors | None:
    """Floors that bound the residents, where the region says so and buildings are mapped.

    Where an instructor names the fabric, the buildings on the map were not to be believed.
    """
    if table.floor_m2_each is None or fabric.roads_only:
        return None
    floor_m2 = fabric.use.floor_m2.copy()
    floor_m2[corrected] = np.inf
    return Floors(floor_m2, table.floor_m2_each)


def _kept(residents: IntArray, active: BoolArray) -> Gathered:
    """Residents by fabric: those that a table gives to hexes out of play do not exist."""
    return Gathered(np.where(active, residents, 0).astype(np.int32), 0, 0)


# --------------------------------------------------------------------------- manifest
def _manifest(
    options: BuildOptions,
    town: _Town,
    district: District,
    ground: Ground,
    terrain: TerrainReport,
    report: Manifest,
) -> Manifest:
    lattice, sheet = town.lattice, town.lattice.sheet
    sources = [
        source_entry("osm", options.osm, town.osm.timestamp),
        *(source_entry("dem", path) for path in (options.dem, *options.more_dems)),
    ]
    if options.population is not None:
        sources.append(source_entry("population", options.population))
    if options.corrections is not None:
        sources.append(source_entry("corrections", options.corrections))
    rounded = [round(v, 6) for v in lattice.bounds_lonlat]
    credit, licence = credit_and_licence(town.osm.generator)
    return {
        "pack_version": PACK_VERSION,
        "rules_version": RULES_VERSION,
        "name": options.name,
        "region": district.region,
        "ladder": [asdict(rung) for rung in district.ladder],
        "hyetograph": asdict(district.hyetograph),
        "sheet": {"columns": sheet.columns, "rows": sheet.rows},
        "crs": lattice.crs.to_string(),
        "first_hex_m": [lattice.x0, lattice.y0],
        "bounds_lonlat": rounded,
        "district_sha256": district.digest,
        "ground_sha256": ground.digest,
        "sources": sources,
        "options": {
            "bbox": options.placement.bbox,
            "centre": options.placement.centre,
            "size": [options.placement.columns, options.placement.rows],
            "dem_crs": options.dem_crs,
            "dem_unit": options.dem_unit,
        },
        "versions": library_versions(),
        "attribution": credit,
        "licence": licence,
        "ground_statement": _ground_statement(terrain),
        "totals": _totals(district),
        "report": report,
    }


def _ground_statement(terrain: TerrainReport) -> str:
    """Return what §7.8 wants said of the ground."""
    step = (
        f"elevations in steps of {terrain.vertical_step_m:g} m"
        if terrain.vertical_step_m
        else "elevations without a stated step"
    )
    return (
        f"Exercise ground, not a flood map: {step} from pixels of {terrain.native_pixel_m:.0f} m, "
        f"brought to {terrain.pixel_m:g} m, {terrain.pixels_per_hex:.0f} to a hex; a global DEM is "
        "off by several metres."
    )


def _totals(district: District) -> Manifest:
    links = np.bincount(district.link_class, minlength=len(LinkClass))
    structures = np.bincount(district.structure, minlength=len(Structure))
    return {
        "hexes": district.sheet.n_hexes,
        "active": int(district.active.sum()),
        "residents": int(district.residents.sum()),
        "unshelterable": int(district.unshelterable.sum()),
        "links": {str(int(c)): int(links[c]) for c in sorted(LinkClass, reverse=True)},
        "bridges": int(structures[Structure.BRIDGE]),
        "underpasses": int(structures[Structure.UNDERPASS]),
        "barriers": int(district.barrier.sum()),
        "quarters": len(district.quarters),
        "shelters": len(district.shelters),
        "shelter_places": sum(s.places for s in district.shelters),
        "stations": len(district.stations),
        "police_stations": len(district.police_stations),
        "technical_centres": len(district.technical_centres),
    }


def _fabric_report(fabric: FabricValues, active: BoolArray) -> Manifest:
    return {
        "active_hexes": {
            f.name.lower(): int((active & (fabric.fabric == f)).sum()) for f in Fabric
        },
        "how": fabric.how,
        "mean_confidence": round(float(fabric.confidence[active].mean()), 2),
        "roads_only": fabric.roads_only,
    }


def _population_report(
    town: _Town, laid: Transfer | None, people: Gathered, district: District
) -> Manifest:
    report: Manifest = {"residents": int(district.residents.sum())}
    if laid is None or town.population is None:
        return {"from": "fabric density", **report}
    return {
        "from": town.population.kind,
        **report,
        "source_total": round(laid.total),
        "source_inside_sheet": round(laid.inside),
        "moved_to_nearest_active": people.moved,
        "moved_from_hexes": people.moved_hexes,
        "rows_dropped": town.population.dropped,
    }
