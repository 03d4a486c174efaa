"""What is drawn and written from a district pack: map, printed sheet, report, open formats."""

from pathlib import Path

import click

from exercises.command_help import said_argument, said_command, said_option
from exercises.command_language import mark, said
from exercises.commands.options import PATH, language_option


@said_command("map", extras=("gis",))
@said_argument("district", type=PATH)
@said_option("--out", required=True, type=PATH, help="HTML file to write.")
@language_option("Language [default: the machine's, as LANG says it, else en].")
def map_(district: Path, out: Path, lang: str) -> None:
    """Draw the map of a district: one HTML file that opens offline.

    \b
    averse map my-town --out my-town.html --lang fr
    """
    from gis.store import read_manifest
    from gis.webmap import write_map

    manifest = read_manifest(district)
    write_map(district, out, title=manifest["name"], lang=lang)
    click.echo(out)


@said_command(extras=("gis", "print"))
@said_argument("district", type=PATH)
@said_option("--out", required=True, type=PATH, help="PDF file to write.")
@language_option("Language [default: the machine's, as LANG says it, else en].")
@said_option("--mono", is_flag=True, help="Black on white, hatched, for a photocopier.")
@said_option("--tiles", is_flag=True, help="A4 pages to tape together rather than one A3 page.")
def sheet(district: Path, out: Path, lang: str, mono: bool, tiles: bool) -> None:
    """Print the reference sheet of a district: numbered hexes, links, tables, on paper.

    \b
    averse sheet my-town --out sheet.pdf --lang fr
    averse sheet my-town --out tiles.pdf --tiles --mono
    """
    from gis.sheet import write_sheet

    written = write_sheet(district, out, lang=lang, mono=mono, tiles=tiles)
    click.echo(written.path)
    if written.left_out:
        left_out = ", ".join(written.left_out)
        told = said(mark("no room for the names of quarters {names}"))
        click.echo(told.format(names=left_out), err=True)


@said_command(extras=("gis",))
@said_argument("district", type=PATH)
@said_option("--out", required=True, type=PATH, help="HTML file to write.")
@language_option("Language [default: the machine's, as LANG says it, else en].")
def report(district: Path, out: Path, lang: str) -> None:
    """Write the build report of a district again: one HTML page that opens offline.

    \b
    averse report my-town --out report-fr.html --lang fr
    """
    from gis.report import write_report

    click.echo(write_report(district, out, lang=lang))


@said_command(extras=("gis",))
@said_argument("district", type=PATH)
@said_option("--out", required=True, type=PATH, help="Folder of the files.")
@said_option("--h3", is_flag=True, help="CSV of every hex under its H3 index, resolution 10.")
@said_option("--geoparquet", is_flag=True, help="GeoParquet, a file a layer.")
@said_option("--kml", is_flag=True, help="KML for Google Earth.")
def export(district: Path, out: Path, h3: bool, geoparquet: bool, kml: bool) -> None:
    """Write a district in open formats, beside the GeoPackage that it already is.

    \b
    averse export my-town --h3 --kml --out my-town-open
    """
    from gis.export import Formats, export_district

    for path in export_district(district, out, Formats(h3, geoparquet, kml)):
        click.echo(path)
