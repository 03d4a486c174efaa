"""QGIS styles embedded in a district's GeoPackage: layers open as the district's maps show them.

QGIS reads the table ``layer_styles`` of a GeoPackage and gives a layer its default style. Nothing
else reads it: the engine takes named columns of named layers.
"""

import sqlite3
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from gis.report_maps import BARRIER, BASE, DEPOT, FABRIC_COLOURS, INK, QUARTER, SENSOR, SHELTER
from sim.rules import LINKS, REGIONS, Fabric, LinkClass

TABLE = "layer_styles"
STYLE = "averse"
_QGIS = "3.22.0"

Options = Mapping[str, str | float]
# one categorised value: what the layer's column holds, what the legend says, how it is drawn
Category = tuple[str, str, ET.Element]

# fmt: off
_CREATE = """CREATE TABLE layer_styles (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    f_table_catalog TEXT(256), f_table_schema TEXT(256), f_table_name TEXT(256),
    f_geometry_column TEXT(256), styleName TEXT(30), styleQML TEXT, styleSLD TEXT,
    useAsDefault BOOLEAN, description TEXT, owner TEXT(30), ui TEXT(30),
    update_time DATETIME DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')))"""
_LINK_STYLES = {  # colour and width, millimetres
    LinkClass.NONE: ("#c9bfae", 0.1), LinkClass.LOCAL: ("#8b9a9c", 0.3),
    LinkClass.SECONDARY: ("#4f7a86", 0.6), LinkClass.PRIMARY: ("#16343f", 1.0),
    LinkClass.EXPRESSWAY: ("#c98a00", 1.4),
}
# kind of facility: shape, size in millimetres, colour, words
_FACILITIES = {
    "shelter":   ("square", 3.6, SHELTER, "Shelter"),
    "station":   ("circle", 2.6, SENSOR,  "Measuring station"),
    "police":    ("circle", 3.8, BASE,    "Police station"),
    "technical": ("diamond", 3.6, DEPOT,  "Technical centre"),
}
FACILITY_WORDS = {kind: words for kind, (_, _, _, words) in _FACILITIES.items()}
# kind of the background: how it is drawn, colour, width in millimetres, words
_BASEMAP = (
    ("green",    "fill", "#d5dfc3", 0.0,  "Green"),
    ("water",    "fill", "#bcd0d8", 0.0,  "Water"),
    ("building", "fill", "#d8d0c3", 0.0,  "Building"),
    ("stream",   "line", "#9dbccb", 0.4,  "Stream"),
    ("wall",     "line", "#a89a86", 0.25, "Wall"),
    ("path",     "line", "#d9cfba", 0.2,  "Path"),
    ("road1",    "line", "#c4bba9", 0.35, "Local street"),
    ("road2",    "line", "#b3a892", 0.55, "Secondary road"),
    ("road3",    "line", "#a3967c", 0.8,  "Primary road"),
    ("road4",    "line", "#c9a44a", 1.1,  "Expressway"),
    ("rail",     "line", "#7d7a75", 0.4,  "Rail"),
)
# fmt: on


def write_styles(geopackage: Path, region: str, date: str) -> None:
    """Write the default style of every layer into a GeoPackage that has none.

    Parameters
    ----------
    geopackage : Path
    region : str
        Table of fabrics whose labels the legend says (§2.1).
    date : str
        Date to state, ISO 8601: a pack does not tell when it was made.
    """
    with closing(sqlite3.connect(geopackage)) as db, db:
        db.execute(_CREATE)
        db.execute(
            "INSERT INTO gpkg_contents (table_name, data_type, identifier, description, "
            "last_change) VALUES (?, 'attributes', ?, '', ?)",
            (TABLE, TABLE, date),
        )
        for layer, style in styles(region).items():
            db.execute(
                "INSERT INTO layer_styles (f_table_catalog, f_table_schema, f_table_name, "
                "f_geometry_column, styleName, styleQML, styleSLD, useAsDefault, description, "
                "owner, ui, update_time) VALUES ('', '', ?, 'geom', ?, ?, '', 1, '', '', NULL, ?)",
                (layer, STYLE, style, date),
            )


def styles(region: str) -> dict[str, str]:
    """QML of every layer, by layer."""
    return {
        "hexes": _hexes(region),
        "links": _links(),
        "quarters": _quarters(),
        "facilities": _facilities(),
        "basemap": _basemap(),
    }


def _hexes(region: str) -> str:
    rows = REGIONS[region]
    categories = [
        (fabric.name.lower(), rows[fabric].label_en, _fill(FABRIC_COLOURS[fabric], alpha=0.75))
        for fabric in Fabric
    ]
    return _qml(
        _categorised("fabric", categories),
        _labels("label", 6.5, INK, nearer_than=30_000, everywhere=True),
    )


def _links() -> str:
    categories = [
        (str(int(link)), LINKS[link].label_en, _line(*_LINK_STYLES[link]))
        for link in sorted(LinkClass, reverse=True)
    ]
    # a barrier is drawn as such, whatever its class, under the links' own rule
    rules = [
        (f'"class" = {value} AND NOT "barrier"', label, symbol)
        for value, label, symbol in categories
    ]
    rules.append(('"barrier"', "Permanent barrier", _line(BARRIER, 1.0)))
    rules.append(("\"structure\" = 'bridge'", "Bridge", _line("#ffffff", 0.5, dash="1;1")))
    rules.append(("\"structure\" = 'underpass'", "Underpass", _line(INK, 0.5, dash="1;1")))
    return _qml(_ruled(rules))


def _quarters() -> str:
    symbol = _fill("#ffffff", alpha=0.0, rim=QUARTER, rim_mm=0.7)
    return _qml(_single(symbol), _labels("name", 9.0, QUARTER, nearer_than=150_000))


def _facilities() -> str:
    categories = [
        (kind, words, _marker(shape, size, colour))
        for kind, (shape, size, colour, words) in _FACILITIES.items()
    ]
    return _qml(
        _categorised("kind", categories), _labels("name", 7.5, INK, nearer_than=40_000, beside=True)
    )


def _basemap() -> str:
    # areas and lines stand in one table: a rule each, since QGIS parts them by geometry
    draw: Mapping[str, Callable[[str, float], ET.Element]] = {
        "fill": lambda colour, _: _fill(colour),
        "line": _line,
    }
    rules = [
        (f"\"kind\" = '{kind}'", words, draw[how](colour, width))
        for kind, how, colour, width, words in _BASEMAP
    ]
    return _qml(_ruled(rules))


# ------------------------------------------------------------------------------- QML
def _qml(renderer: ET.Element, labels: ET.Element | None = None) -> str:
    categories = "Symbology|Labeling" if labels is not None else "Symbology"
    root = ET.Element("qgis", version=_QGIS, styleCategories=categories)
    root.append(renderer)
    if labels is not None:
        root.append(labels)
        root.set("labelsEnabled", "1")
    ET.indent(root, " ")
    return (
        "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n"
        + ET.tostring(root, encoding="unicode")
        + "\n"
    )


def _renderer(kind: str, **attributes: str) -> ET.Element:
    return ET.Element(
        "renderer-v2", {"type": kind, **attributes, "symbollevels": "0", "forceraster": "0"}
    )


def _symbols(parent: ET.Element, symbols: list[ET.Element]) -> None:
    holder = ET.SubElement(parent, "symbols")
    for at, symbol in enumerate(symbols):
        symbol.set("name", str(at))
        holder.append(symbol)


def _single(symbol: ET.Element) -> ET.Element:
    renderer = _renderer("singleSymbol")
    _symbols(renderer, [symbol])
    return renderer


def _categorised(column: str, categories: list[Category]) -> ET.Element:
    renderer = _renderer("categorizedSymbol", attr=column)
    holder = ET.SubElement(renderer, "categories")
    for at, (value, label, _) in enumerate(categories):
        ET.SubElement(holder, "category", value=value, label=label, symbol=str(at), render="true")
    _symbols(renderer, [symbol for _, _, symbol in categories])
    return renderer


def _ruled(rules: list[Category]) -> ET.Element:
    renderer = _renderer("RuleRenderer")
    holder = ET.SubElement(renderer, "rules", key="averse")
    for at, (where, label, _) in enumerate(rules):
        ET.SubElement(holder, "rule", key=f"averse-{at}", filter=where, label=label, symbol=str(at))
    _symbols(renderer, [symbol for _, _, symbol in rules])
    return renderer


def _symbol(kind: str, layer: str, options: Options, alpha: float = 1.0) -> ET.Element:
    symbol = ET.Element("symbol", type=kind, alpha=f"{alpha:g}", clip_to_extent="1")
    drawn = ET.SubElement(
        symbol, "layer", {"class": layer, "enabled": "1", "locked": "0", "pass": "0"}
    )
    holder = ET.SubElement(drawn, "Option", type="Map")
    for name, value in options.items():
        ET.SubElement(holder, "Option", name=name, value=str(value), type="QString")
        ET.SubElement(drawn, "prop", k=name, v=str(value))  # read before QGIS 3.26
    return symbol


def _fill(colour: str, alpha: float = 1.0, rim: str = "#ffffff", rim_mm: float = 0.1) -> ET.Element:
    options: dict[str, str | float] = {
        "color": _rgba(colour, alpha),
        "style": "solid" if alpha else "no",
        "outline_color": _rgba(rim),
        "outline_style": "solid",
        "outline_width": rim_mm,
        "outline_width_unit": "MM",
        "joinstyle": "round",
    }
    return _symbol("fill", "SimpleFill", options)


def _line(colour: str, width_mm: float, dash: str = "") -> ET.Element:
    options: dict[str, str | float] = {
        "line_color": _rgba(colour),
        "line_style": "solid",
        "line_width": width_mm,
        "line_width_unit": "MM",
        "capstyle": "flat" if dash else "round",
        "joinstyle": "round",
        "use_custom_dash": "1" if dash else "0",
        "customdash": dash or "5;2",
        "customdash_unit": "MM",
    }
    return _symbol("line", "SimpleLine", options)


def _marker(shape: str, size_mm: float, colour: str) -> ET.Element:
    options: dict[str, str | float] = {
        "name": shape,
        "size": size_mm,
        "size_unit": "MM",
        "color": _rgba(colour),
        "outline_color": _rgba("#ffffff"),
        "outline_style": "solid",
        "outline_width": 0.4,
        "outline_width_unit": "MM",
    }
    return _symbol("marker", "SimpleMarker", options)


def _labels(
    column: str,
    size_pt: float,
    colour: str,
    nearer_than: int,
    everywhere: bool = False,
    beside: bool = False,
) -> ET.Element:
    """Labels at the middle of every feature, from a scale on; over each other if need be."""
    labels = ET.Element("labeling", type="simple")
    settings = ET.SubElement(labels, "settings", calloutType="simple")
    style = ET.SubElement(
        settings,
        "text-style",
        fieldName=column,
        isExpression="0",
        fontFamily="DejaVu Sans",
        fontSize=f"{size_pt:g}",
        fontWeight="50",
        fontSizeUnit="Point",
        textColor=_rgba(colour),
        textOpacity="1",
    )
    ET.SubElement(
        style,
        "text-buffer",
        bufferDraw="1",
        bufferSize="0.5",
        bufferSizeUnits="MM",
        bufferColor=_rgba("#ffffff"),
        bufferOpacity="0.8",
    )
    # over the middle, or beside the sign that stands there
    where = {"placement": "0", "dist": "2"} if beside else {"placement": "1"}
    ET.SubElement(settings, "placement", where, centroidInside="1")
    # QGIS counts a scale's denominator: the larger, the farther
    ET.SubElement(
        settings,
        "rendering",
        drawLabels="1",
        displayAll="1" if everywhere else "0",
        obstacle="0",
        scaleVisibility="1",
        scaleMin="0",
        scaleMax=str(nearer_than),
    )
    return labels


def _rgba(colour: str, alpha: float = 1.0) -> str:
    red, green, blue = bytes.fromhex(colour[1:])
    return f"{red},{green},{blue},{round(255 * alpha)}"
