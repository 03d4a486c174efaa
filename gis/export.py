"""A district in open formats: H3 cells in CSV, GeoParquet, KML for Google Earth."""

import csv
import io
import os
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import geopandas as gpd
import shapely

from gis.lattice import H3_RESOLUTION
from gis.pack_layers import read_layer
from gis.provenance import OSM_CREDIT
from gis.qgis_styles import FACILITY_WORDS
from gis.report_maps import BARRIER, BASE, DEPOT, FABRIC_COLOURS, LINK_STYLES, SENSOR, SHELTER
from gis.store import read_district, read_manifest, require_no_pack
from sim.district import District
from sim.errors import DistrictError, SourceError
from sim.refusal import refuse
from sim.rules import LINKS, Fabric, LinkClass
from sim.signs import for_xml

H3_CSV = f"hexes-h3-{H3_RESOLUTION}.csv"
KML = "district.kml"
LAYERS = ("hexes", "links", "quarters", "facilities", "basemap")
# what the layer hexes tells of each hex, where the pack has it
_OF_HEXES = (
    *("label", "active", "fabric", "confidence", "residents", "unshelterable", "road_m"),
    *("quarter", "elevation_mm", "sink_mm"),
)
_FACILITY_COLOURS = {"shelter": SHELTER, "station": SENSOR, "police": BASE, "technical": DEPOT}


@dataclass(frozen=True, slots=True)
class Formats:
    """What is asked of an export."""

    h3: bool = False
    geoparquet: bool = False
    kml: bool = False


def export_district(pack: Path, out: Path, formats: Formats) -> tuple[Path, ...]:
    """Write a district in open formats.

    Parameters
    ----------
    pack : Path
        District pack.
    out : Path
        Folder of the files; files of the same names are replaced, others are left alone.
    formats : Formats

    Returns
    -------
    tuple of Path
        The files written.

    Raises
    ------
    DistrictError
        If the pack is missing or damaged, or a file cannot be written.
    SourceError
        If GeoParquet is without its library.
    """
    if formats == Formats():
        formats = Formats(h3=True, geoparquet=True, kml=True)
    if formats.geoparquet and find_spec("pyarrow") is None:
        raise SourceError(
            refuse(
                "",
                "GeoParquet needs the library pyarrow: install averse with its extra "
                'export (pip install "averse[gis,export]")',
            )
        )
    district, manifest = read_district(pack), read_manifest(pack)
    layers = {name: read_layer(pack, name) for name in LAYERS}
    written = []
    try:
        require_no_pack(out).mkdir(parents=True, exist_ok=True)
        if formats.h3:
            written.append(_write(out / H3_CSV, h3_table(layers["hexes"]).encode()))
        if formats.geoparquet:
            for name, layer in layers.items():
                target = out / f"{name}.parquet"
                layer.to_parquet(target, index=False, schema_version="1.1.0")
                written.append(target)
        if formats.kml:
            credit = manifest.get("attribution") or OSM_CREDIT
            text = kml_of(district, layers, credit)
            written.append(_write(out / KML, text.encode()))
    except OSError as error:
        raise DistrictError(
            refuse(
                "",
                "cannot write in {out}: {why}; choose another --out folder",
                out=str(out),
                why=str(error.strerror or error),
            )
        ) from error
    return tuple(written)


def _write(path: Path, content: bytes) -> Path:
    aside = path.with_name(f".{path.name}.part")
    aside.write_bytes(content)
    os.replace(aside, path)
    return path


# ------------------------------------------------------------------------------- H3
def h3_table(hexes: gpd.GeoDataFrame) -> str:
    """CSV of every hex under the H3 index (resolution 10) of its centre (§1.5).

    Hexes of 260 m are not H3 cells: a row speaks of the hex, the index only says where it lies.
    """
    columns = [name for name in _OF_HEXES if name in hexes]
    centres = hexes.geometry.centroid.to_crs("EPSG:4326")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["h3", "lon", "lat", *columns])
    for cell, point, *values in zip(
        hexes["h3"], centres, *(hexes[name] for name in columns), strict=True
    ):
        writer.writerow([cell, f"{point.x:.6f}", f"{point.y:.6f}", *map(_plain, values)])
    return text.getvalue()


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, bool) or type(value).__name__ == "bool_" else value


# ------------------------------------------------------------------------------- KML
def kml_of(district: District, layers: Mapping[str, gpd.GeoDataFrame], credit: str) -> str:
    """KML 2.2 of a district, WGS 84: hexes by fabric, links by class, quarters, facilities."""
    root = ET.Element("kml", xmlns="http://www.opengis.net/kml/2.2")
    document = ET.SubElement(root, "Document")
    _text(document, "name", district.name)
    _text(document, "description", f"Exercise ground, not a flood map. {credit}")
    labels = [row.label_en for row in district.fabric_rows]
    for fabric in Fabric:
        _style(document, f"fabric-{fabric:d}", fill=FABRIC_COLOURS[fabric], line="#ffffff")
    for link, (colour, width) in LINK_STYLES.items():
        _style(document, f"link-{link:d}", line=colour, width=width / 10)
    _style(document, "barrier", line=BARRIER, width=3.0)
    _style(document, "quarter", line="#41505a", width=3.0)
    for kind, colour in _FACILITY_COLOURS.items():
        _style(document, kind, icon=colour)

    hexes = layers["hexes"].to_crs("EPSG:4326")
    by_fabric = {f.name.lower(): f for f in Fabric}
    playing = hexes[hexes["active"]]
    folder = _folder(document, "Hexes")
    for row in _rows(playing):
        fabric = by_fabric[row["fabric"]]
        facts = {
            "fabric": labels[fabric],
            "residents": row["residents"],
            "cannot be safe upstairs": row["unshelterable"],
            "altitude, m": f"{row['elevation_mm'] / 1000:.1f}",
            "H3": row["h3"],
        }
        _placemark(folder, row["label"], f"fabric-{fabric:d}", row["geometry"], facts)

    folder = _folder(document, "Links")
    for row in _rows(_between_centres(layers["links"], layers["hexes"])):
        link = LinkClass(row["class"])
        if link == LinkClass.NONE:
            continue
        facts = {"class": LINKS[link].label_en, "structure": row["structure"]}
        name = f"{row['a']}–{row['b']}"
        _placemark(folder, name, f"link-{link:d}", row["geometry"], facts)

    folder = _folder(document, "Barriers")
    barriers = layers["links"][layers["links"]["barrier"]].to_crs("EPSG:4326")
    for row in _rows(barriers):
        _placemark(folder, f"{row['a']}–{row['b']}", "barrier", row["geometry"], {})

    folder = _folder(document, "Quarters")
    for row in _rows(layers["quarters"].to_crs("EPSG:4326")):
        facts = {"hexes": row["hexes"], "residents": row["residents"]}
        rim = shapely.boundary(row["geometry"])
        _placemark(folder, row["name"], "quarter", rim, facts)

    folder = _folder(document, "Places")
    for row in _rows(layers["facilities"].to_crs("EPSG:4326")):
        facts = {"kind": FACILITY_WORDS[row["kind"]], "hex": row["label"]}
        if row["places"]:
            facts["places"] = row["places"]
        _placemark(folder, row["name"], row["kind"], row["geometry"], facts)
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _rows(frame: gpd.GeoDataFrame) -> Iterator[dict[str, Any]]:
    names = list(frame.columns)
    for values in zip(*(frame[name] for name in names), strict=True):
        yield dict(zip(names, values, strict=True))


def _between_centres(links: gpd.GeoDataFrame, hexes: gpd.GeoDataFrame) -> gpd.GeoDataFrame:
    """Links drawn from centre to centre, as roads are on the map, rather than along the edge."""
    centre = dict(zip(hexes["label"], hexes.geometry.centroid, strict=True))
    lines = [
        shapely.LineString([centre[a], centre[b]])
        for a, b in zip(links["a"], links["b"], strict=True)
    ]
    return links.set_geometry(gpd.GeoSeries(lines, index=links.index, crs=links.crs)).to_crs(
        "EPSG:4326"
    )


def _folder(parent: ET.Element, name: str) -> ET.Element:
    folder = ET.SubElement(parent, "Folder")
    _text(folder, "name", name)
    return folder


def _text(parent: ET.Element, tag: str, text: object) -> None:
    ET.SubElement(parent, tag).text = for_xml(str(text))


def _style(
    document: ET.Element,
    name: str,
    *,
    fill: str | None = None,
    line: str | None = None,
    width: float = 1.0,
    icon: str | None = None,
) -> None:
    style = ET.SubElement(document, "Style", id=name)
    if icon:
        drawn = ET.SubElement(style, "IconStyle")
        _text(drawn, "color", _abgr(icon, 1.0))
    if line:
        drawn = ET.SubElement(style, "LineStyle")
        _text(drawn, "color", _abgr(line, 0.9))
        _text(drawn, "width", f"{width:g}")
    if fill:
        drawn = ET.SubElement(style, "PolyStyle")
        _text(drawn, "color", _abgr(fill, 0.55))


def _placemark(
    folder: ET.Element, name: str, style: str, shape: Any, facts: Mapping[str, object]
) -> None:
    placemark = ET.SubElement(folder, "Placemark")
    _text(placemark, "name", name)
    _text(placemark, "styleUrl", f"#{style}")
    if facts:
        extended = ET.SubElement(placemark, "ExtendedData")
        for key, value in facts.items():
            _text(ET.SubElement(extended, "Data", name=key), "value", value)
    _DRAWN[shape.geom_type](placemark, shape)


def _polygon(parent: ET.Element, shape: Any) -> None:
    polygon = ET.SubElement(parent, "Polygon")
    ring = ET.SubElement(ET.SubElement(polygon, "outerBoundaryIs"), "LinearRing")
    _text(ring, "coordinates", _coordinates(shape.exterior))


def _line(parent: ET.Element, shape: Any) -> None:
    line = ET.SubElement(parent, "LineString")
    _text(line, "tessellate", "1")
    _text(line, "coordinates", _coordinates(shape))


def _lines(parent: ET.Element, shape: Any) -> None:
    several = ET.SubElement(parent, "MultiGeometry")
    for part in shape.geoms:
        _line(several, part)


def _point(parent: ET.Element, shape: Any) -> None:
    _text(ET.SubElement(parent, "Point"), "coordinates", _coordinates(shape))


_DRAWN: Mapping[str, Callable[[ET.Element, Any], None]] = {
    "Polygon": _polygon,
    "LineString": _line,
    "MultiLineString": _lines,
    "Point": _point,
}


def _coordinates(shape: Any) -> str:
    """Longitude, latitude; a ten-millionth of a degree is a centimetre."""
    return " ".join(f"{x:.7f},{y:.7f}" for x, y in shapely.get_coordinates(shape))


def _abgr(colour: str, alpha: float) -> str:
    """KML's own order of a colour's parts."""
    red, green, blue = bytes.fromhex(colour[1:])
    return f"{round(255 * alpha):02x}{blue:02x}{green:02x}{red:02x}"
