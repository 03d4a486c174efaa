"""Styles as QGIS writes them (QML): symbols, rules, categories and labels of one layer."""

import xml.etree.ElementTree as ET
from collections.abc import Mapping

QGIS = "3.22.0"
"""Version whose form is written; later ones read it."""

Options = Mapping[str, str | float]
Category = tuple[str, str, ET.Element]
"""One categorised value, or one rule: what it holds or asks, what the legend says, its symbol."""


def qml(renderer: ET.Element, labels: ET.Element | None = None) -> str:
    """Return the style of a layer from how it is drawn and labelled."""
    categories = "Symbology|Labeling" if labels is not None else "Symbology"
    root = ET.Element("qgis", version=QGIS, styleCategories=categories)
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


def single(symbol: ET.Element) -> ET.Element:
    """Return a renderer that draws every feature alike."""
    renderer = _renderer("singleSymbol")
    _symbols(renderer, [symbol])
    return renderer


def categorised(column: str, categories: list[Category]) -> ET.Element:
    """Return a renderer that draws by the value of a column."""
    renderer = _renderer("categorizedSymbol", attr=column)
    holder = ET.SubElement(renderer, "categories")
    for at, (value, label, _) in enumerate(categories):
        ET.SubElement(holder, "category", value=value, label=label, symbol=str(at), render="true")
    _symbols(renderer, [symbol for _, _, symbol in categories])
    return renderer


def ruled(rules: list[Category]) -> ET.Element:
    """Return a renderer that draws each rule over the one before; a rule asks an expression."""
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


def fill(colour: str, alpha: float = 1.0, rim: str = "#ffffff", rim_mm: float = 0.1) -> ET.Element:
    """Return an area: colours in hexadecimal, the width of its rim in millimetres."""
    options: dict[str, str | float] = {
        "color": rgba(colour, alpha),
        "style": "solid" if alpha else "no",
        "outline_color": rgba(rim),
        "outline_style": "solid",
        "outline_width": rim_mm,
        "outline_width_unit": "MM",
        "joinstyle": "round",
    }
    return _symbol("fill", "SimpleFill", options)


def line(colour: str, width_mm: float, dash: str = "") -> ET.Element:
    """Return a line; ``dash`` is drawn and left out, millimetres: ``"1;1"``."""
    options: dict[str, str | float] = {
        "line_color": rgba(colour),
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


def marker(shape: str, size_mm: float, colour: str) -> ET.Element:
    """Return a sign at a point, by its name in QGIS."""
    options: dict[str, str | float] = {
        "name": shape,
        "size": size_mm,
        "size_unit": "MM",
        "color": rgba(colour),
        "outline_color": rgba("#ffffff"),
        "outline_style": "solid",
        "outline_width": 0.4,
        "outline_width_unit": "MM",
    }
    return _symbol("marker", "SimpleMarker", options)


def labels(
    column: str,
    size_pt: float,
    colour: str,
    nearer_than: int,
    everywhere: bool = False,
    beside: bool = False,
) -> ET.Element:
    """Labels at the middle of every feature, from a scale on; over each other if need be."""
    holder = ET.Element("labeling", type="simple")
    settings = ET.SubElement(holder, "settings", calloutType="simple")
    style = ET.SubElement(
        settings,
        "text-style",
        fieldName=column,
        isExpression="0",
        fontFamily="DejaVu Sans",
        fontSize=f"{size_pt:g}",
        fontWeight="50",
        fontSizeUnit="Point",
        textColor=rgba(colour),
        textOpacity="1",
    )
    ET.SubElement(
        style,
        "text-buffer",
        bufferDraw="1",
        bufferSize="0.5",
        bufferSizeUnits="MM",
        bufferColor=rgba("#ffffff"),
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
    return holder


def rgba(colour: str, alpha: float = 1.0) -> str:
    """Return a colour as QGIS writes it: red, green, blue, opacity of 255."""
    red, green, blue = bytes.fromhex(colour[1:])
    return f"{red},{green},{blue},{round(255 * alpha)}"
