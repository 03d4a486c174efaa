"""QGIS styles of a district's layers: they open as the district's maps show them."""

import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping

from gis.qml import categorised, fill, labels, line, marker, qml, ruled, single
from gis.report_maps import BARRIER, BASE, DEPOT, FABRIC_COLOURS, INK, QUARTER, SENSOR, SHELTER
from sim.rules import LINKS, REGIONS, Fabric, LinkClass

# fmt: off
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


def styles(region: str) -> dict[str, str]:
    """QML of every layer, by layer.

    Parameters
    ----------
    region : str
        Table of fabrics whose labels the legend says (§2.1).
    """
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
        (fabric.name.lower(), rows[fabric].label_en, fill(FABRIC_COLOURS[fabric], alpha=0.75))
        for fabric in Fabric
    ]
    return qml(
        categorised("fabric", categories),
        labels("label", 6.5, INK, nearer_than=30_000, everywhere=True),
    )


def _links() -> str:
    categories = [
        (str(int(link)), LINKS[link].label_en, line(*_LINK_STYLES[link]))
        for link in sorted(LinkClass, reverse=True)
    ]
    # a barrier is drawn as such, whatever its class, under the links' own rule
    rules = [
        (f'"class" = {value} AND NOT "barrier"', label, symbol)
        for value, label, symbol in categories
    ]
    rules.append(('"barrier"', "Permanent barrier", line(BARRIER, 1.0)))
    rules.append(("\"structure\" = 'bridge'", "Bridge", line("#ffffff", 0.5, dash="1;1")))
    rules.append(("\"structure\" = 'underpass'", "Underpass", line(INK, 0.5, dash="1;1")))
    return qml(ruled(rules))


def _quarters() -> str:
    symbol = fill("#ffffff", alpha=0.0, rim=QUARTER, rim_mm=0.7)
    return qml(single(symbol), labels("name", 9.0, QUARTER, nearer_than=150_000))


def _facilities() -> str:
    categories = [
        (kind, words, marker(shape, size, colour))
        for kind, (shape, size, colour, words) in _FACILITIES.items()
    ]
    return qml(
        categorised("kind", categories), labels("name", 7.5, INK, nearer_than=40_000, beside=True)
    )


def _basemap() -> str:
    # areas and lines stand in one table: a rule each, since QGIS parts them by geometry
    draw: Mapping[str, Callable[[str, float], ET.Element]] = {
        "fill": lambda colour, _: fill(colour),
        "line": line,
    }
    rules = [
        (f"\"kind\" = '{kind}'", words, draw[how](colour, width))
        for kind, how, colour, width, words in _BASEMAP
    ]
    return qml(ruled(rules))
