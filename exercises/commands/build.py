"""``averse build``: a real town becomes a district pack."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from exercises.command_help import Misuse, said_command, said_option
from exercises.command_language import mark, said
from exercises.commands.options import BBOX, CENTRE, PATH, SIZE, language_option
from sim.refusal import refuse
from sim.rules import LADDER_NAMES, REGIONS, SHEET_COLUMNS, SHEET_ROWS


def _host_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for name, what in (
        ("dem", "Copernicus GLO-30 tiles, {tile} standing for their name"),
        ("overpass", "an Overpass interpreter"),
        ("nominatim", "a Nominatim search"),
    ):
        command = said_option(
            f"--{name}-url",
            metavar="URL",
            envvar=f"AVERSE_{name.upper()}_URL",
            help=f"Another address of {what}.",
        )(command)
    return command


@said_command(extras=("gis",))
@said_option(
    "--osm",
    type=PATH,
    help="OpenStreetMap extract: .osm, .osm.gz, .osm.bz2 or .osm.pbf [default: fetched].",
)
@said_option(
    "--dem",
    multiple=True,
    type=PATH,
    help="Elevation raster in any CRS: GeoTIFF, .hgt, .asc …; once for each tile "
    "[default: Copernicus GLO-30, fetched].",
)
@said_option("--place", metavar="NAME", help='Town to build, by name: "Caen, France".')
@said_option(
    "--population",
    type=PATH,
    help="Population: CSV of H3 cells, GeoPackage of areas, or raster of counts.",
)
@said_option(
    "--corrections",
    type=PATH,
    help="An instructor's corrections: CSV or GeoPackage with columns what, where, set, to, why.",
)
@said_option("--bbox", type=BBOX, metavar="W,S,E,N", help="Area to fill with hexes, degrees.")
@said_option(
    "--centre",
    type=CENTRE,
    metavar="LON,LAT",
    help="Centre of the sheet, degrees [default: the busiest place of the extract].",
)
@said_option(
    "--size",
    type=SIZE,
    metavar="COLSxROWS",
    help=f"Size of the sheet, but with --bbox  [default: {SHEET_COLUMNS}x{SHEET_ROWS}].",
)
@said_option("--dem-crs", metavar="EPSG:CODE", help="CRS of a DEM that states none.")
@said_option(
    "--region",
    type=click.Choice(tuple(REGIONS)),
    help="Table of fabrics and law of rain [default: france in Europe, harbin elsewhere].",
)
@said_option(
    "--dem-unit",
    type=click.Choice(["metres", "feet"]),
    help="Unit of a DEM that states none [default: metres].",
)
@said_option(
    "--ladder",
    type=click.Choice(LADDER_NAMES),
    default=LADDER_NAMES[0],
    show_default=True,
    help="What the storm's levels stand for: rain of that return period, alone or on soaked ground "
    "with the drains blocked.",
)
@said_option("--name", help="Name of the district [default: the place's, or the out folder's].")
@language_option(
    "Language of the map, of the report, and of quarters named by their direction "
    "[default: the machine's, as LANG says it, else en]."
)
@said_option("--refresh", is_flag=True, help="Fetch again what an earlier build fetched.")
@said_option(
    "--cache",
    type=PATH,
    envvar="AVERSE_CACHE",
    help="Folder in which what is fetched is kept [default: the user's cache].",
)
@_host_options
@said_option("--out", required=True, type=PATH, help="Folder of the district pack.")
def build(
    osm: Path | None,
    dem: tuple[Path, ...],
    place: str | None,
    population: Path | None,
    corrections: Path | None,
    bbox: tuple[float, float, float, float] | None,
    centre: tuple[float, float] | None,
    size: tuple[int, int] | None,
    dem_crs: str | None,
    dem_unit: str | None,
    region: str | None,
    ladder: str,
    name: str | None,
    lang: str,
    refresh: bool,
    cache: Path | None,
    nominatim_url: str | None,
    overpass_url: str | None,
    dem_url: str | None,
    out: Path,
) -> None:
    """Build a district pack from a town's OSM extract and DEM, given or fetched by its name.

    \b
    averse build --place "Caen, France" --out caen
    averse build --osm town.osm.pbf --dem dem.tif --centre 1.53,42.52 --out andorra
    averse build --osm town.osm.pbf --dem dem.tif --bbox=-51.25,-30.10,-51.15,-30.00 --out my-town
    averse build --osm town.osm.pbf --dem dem.tif --corrections corrections.csv --out my-town

    \b
    Corrections, a row each, under the columns what,where,set,to,why:
      hex      2314         fabric, residents, active, quarter
      link     2314-2315    class, structure, foot, barrier
      shelter  2314         add, remove, name, places
    """
    from exercises.build_reporting import print_before_a_class, print_build
    from exercises.progress import console_progress
    from gis.build import BuildOptions, build_district
    from gis.placement import Placement
    from gis.sources.download import Hosts, Wanted, town_files

    if bbox is not None and size is not None:
        raise Misuse(
            refuse(
                "",
                "both --bbox and --size were given: --bbox alone says how large the sheet is; "
                "give --centre with --size",
            )
        )
    columns, rows = size or (SHEET_COLUMNS, SHEET_ROWS)
    wanted = Wanted(
        placement=Placement(bbox=bbox, centre=centre, columns=columns, rows=rows),
        osm=osm,
        dems=dem,
        place=place,
        cache=cache,
        refresh=refresh,
        hosts=Hosts.at(nominatim_url, overpass_url, dem_url),
    )
    with console_progress() as tell:
        files = town_files(wanted, tell)
        options = BuildOptions(
            osm=files.osm,
            dem=files.dems[0],
            more_dems=files.dems[1:],
            population=population,
            corrections=corrections,
            placement=files.placement,
            dem_crs=dem_crs,
            dem_unit=dem_unit,
            region=region,
            ladder=ladder,
            name=name or (place or "").split(",")[0].strip() or out.absolute().name,
            lang=lang,
        )
        manifest = build_district(options, out, tell)
    if files.found:
        click.echo(said(mark("Found {place}")).format(place=files.found), err=True)
    print_build(out, manifest, lang)
    print_before_a_class(out, manifest, lang)
