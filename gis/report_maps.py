"""The small maps of a build report: inline SVG, with an image in it where hexes are too many."""

import base64
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import rasterio
import rasterio.features
import shapely
from rasterio.io import MemoryFile
from rasterio.transform import Affine

from gis.report_words import Words
from gis.shown import drawn_through, shown_barriers
from gis.webmap import Scene
from gis.wording import HARD
from sim.district import BoolArray, ByteArray, FloatArray, IntArray
from sim.rules import HEX_AREA_HA, LINKS, WATERS, LinkClass, Structure, Water

Float64Array = npt.NDArray[np.float64]

WIDTH = 4_000
"""Width of a map in its own units, whole numbers: 2.5 m on the reference sheet."""
MOST_HEXES = 4_000
"""Hexes beyond which a map is an image: an outline each would weigh too much."""
MOST_LINKS = 9_000
MOST_WATER_POINTS = 9_000
IMAGE_PIXELS = 900
ONE_COLOUR = 0.95
"""Where this share of hexes is of one class, words say more than a map."""

PAPER, WATER, STREAM, INK = "#f5f1e8", "#bcd0d8", "#7fa6b8", "#1d2b33"
QUARTER, BARRIER, SHELTER, BASE = "#41505a", "#6d4524", "#0e5a68", "#24346b"
SENSOR, DEPOT = "#4fa5da", "#b8862f"
# fmt: off
FABRIC_COLOURS = (
    "#c4734f", "#e2b33f", "#7389ad", "#c583ad", "#85888c", "#eedb86", "#79a97f", "#c5d09a",
)
SURE_COLOURS = ("#f6e9cd", "#d8cba4", "#9db7a0", "#57919a", "#0e5a68")
SURE_FROM = (0.0, 0.2, 0.4, 0.6, 0.8)
PEOPLE_COLOURS = ("#f3e4ec", "#dcb0cb", "#b9769f", "#8e4478", "#571544")
PEOPLE_FROM = (0.0, 50.0, 100.0, 150.0, 250.0)  # residents per hectare
RELIEF_COLOURS = (
    "#5b8f86", "#8db08c", "#c3cb96", "#ecdfae", "#dcb980", "#c08f5f", "#9b6b4a", "#754e3a",
)
DEPTH_COLOURS = ("#ece6d8", "#9ad2ee", "#4fa5da", "#1d68b3", "#0a2a63")
LINK_STYLES = {  # colour and width in units of the map
    LinkClass.LOCAL: ("#8b9a9c", 10), LinkClass.SECONDARY: ("#4f7a86", 20),
    LinkClass.PRIMARY: ("#16343f", 34), LinkClass.EXPRESSWAY: ("#c98a00", 50),
}
RELIEF_STEPS_M = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1_000)
# fmt: on


@dataclass(frozen=True, slots=True)
class Key:
    """One line of a legend: the sign ``box``, ``line``, ``square``, ``disc`` or ``bar``."""

    sign: str
    colour: str
    label: str
    count: str = ""


@dataclass(frozen=True, slots=True)
class LayerMap:
    """One map of the report.

    Attributes
    ----------
    name, lead : str
        Heading and the sentence under it.
    body, over : str
        SVG under the water of the background, and above it. Made of numbers and colours alone.
    legend : tuple of Key
    veiled : bool
        Hexes out of play are paler.
    said : str
        A sentence in place of a map of one colour.
    """

    name: str
    lead: str
    body: str
    legend: tuple[Key, ...]
    over: str = ""
    veiled: bool = True
    said: str = ""


@dataclass(frozen=True)
class Plan:
    """A sheet on paper, in whole units from its north-west corner.

    Attributes
    ----------
    corners : (n_hex, 6, 2) int
        x to the east, y to the south.
    height : int
        Of the map, where its width is ``WIDTH``.
    """

    scene: Scene
    corners: IntArray
    height: int
    west: float
    north: float
    unit: float

    @classmethod
    def of(cls, scene: Scene) -> "Plan":
        """Lay the sheet of a scene on paper."""
        flat = scene.corners.reshape(-1, 2)
        west, south = flat.min(axis=0)
        east, north = flat.max(axis=0)
        unit = float(east - west) / WIDTH
        plane = np.stack(
            ((scene.corners[..., 0] - west) / unit, (north - scene.corners[..., 1]) / unit), axis=-1
        )
        height = round(float(north - south) / unit)
        return cls(scene, np.rint(plane).astype(np.int32), height, west, north, unit)

    @cached_property
    def centres(self) -> IntArray:
        """(n_hex, 2) centre of every hex."""
        centres: IntArray = np.rint(self.corners.mean(axis=1)).astype(np.int32)
        return centres

    @cached_property
    def hex_path(self) -> list[str]:
        """Outline of every hex, to be joined to the others of its colour."""
        steps = np.diff(self.corners, axis=1)
        return [
            f"M{x} {y}l{' '.join(f'{dx} {dy}' for dx, dy in more)}z"
            for (x, y), more in zip(self.corners[:, 0].tolist(), steps.tolist(), strict=True)
        ]

    @cached_property
    def sides(self) -> IntArray:
        """(n_edge, 2, 2) ends of every shared edge: the corners that two hexes have in common."""
        a, b = self.scene.district.sheet.edges.T
        off = self.centres[b] - self.centres[a]
        # the two corners of the first hex that lie furthest towards the second
        toward = ((self.corners[a] - self.centres[a][:, None]) * off[:, None]).sum(axis=2)
        nearest = np.argsort(toward, axis=1)[:, -2:]
        ends: IntArray = np.take_along_axis(self.corners[a], nearest[..., None], axis=1)
        return ends

    def hexes(self, kind: ByteArray, colours: Sequence[str]) -> str:
        """Hexes by colour; -1 is left blank."""
        if len(kind) > MOST_HEXES:
            return self._image(kind, colours)
        return "".join(
            f'<path fill="{colour}" stroke="{colour}" d="'
            f'{"".join(self.hex_path[i] for i in np.flatnonzero(kind == at))}"/>'
            for at, colour in enumerate(colours)
            if (kind == at).any()
        )

    def _image(self, kind: ByteArray, colours: Sequence[str]) -> str:
        rows = max(1, round(IMAGE_PIXELS * self.height / WIDTH))
        pixel = WIDTH / IMAGE_PIXELS
        shapes = shapely.polygons(self.corners.astype(float))
        shown = rasterio.features.rasterize(
            [(shape, int(k) + 1) for shape, k in zip(shapes, kind, strict=True) if k >= 0],
            out_shape=(rows, IMAGE_PIXELS),
            transform=Affine(pixel, 0.0, 0.0, 0.0, pixel, 0.0),
            dtype="uint8",
        )
        palette = np.array([[0, 0, 0, 0], *(_rgba(colour) for colour in colours)], dtype=np.uint8)
        with MemoryFile() as memory:
            with memory.open(
                driver="PNG",
                width=IMAGE_PIXELS,
                height=rows,
                count=4,
                dtype="uint8",
                transform=Affine.scale(pixel),
            ) as png:
                png.write(np.moveaxis(palette[shown], 2, 0))
            data = base64.b64encode(memory.read()).decode()
        return (
            f'<image href="data:image/png;base64,{data}" width="{WIDTH}" height="{self.height}" '
            'preserveAspectRatio="none"/>'
        )

    @cached_property
    def water(self) -> str:
        """Water of the background: what a reader knows the town by."""
        base = self.scene.basemap
        areas = base.geometry[base["kind"] == "water"].to_numpy()
        lines = base.geometry[base["kind"] == "stream"].to_numpy()
        areas = areas[shapely.area(areas) >= (25 * self.unit) ** 2]
        for tolerance in (6, 12, 24, 48, 96):
            drawn = [shapely.simplify(shapes, tolerance * self.unit) for shapes in (areas, lines)]
            if sum(shapely.get_num_coordinates(d).sum() for d in drawn) <= MOST_WATER_POINTS:
                break
        else:
            drawn[1] = drawn[1][:0]
        return (
            f'<path fill="{WATER}" stroke="{STREAM}" stroke-width="4" d="{self._rings(drawn[0])}"/>'
            f'<path fill="none" stroke="{STREAM}" stroke-width="9" d="{self._paths(drawn[1])}"/>'
        )

    def _rings(self, areas: npt.NDArray[np.object_]) -> str:
        # invalid after simplifying: even so it fills
        parts = shapely.get_parts(areas)
        rings = shapely.get_rings(parts[shapely.get_type_id(parts) == 3])
        return "".join(f"{self._line(ring)}z" for ring in rings)

    def _paths(self, lines: npt.NDArray[np.object_]) -> str:
        parts = shapely.get_parts(lines)
        return "".join(self._line(line) for line in parts[shapely.get_type_id(parts) == 1])

    def _line(self, shape: shapely.Geometry) -> str:
        x, y = shapely.get_coordinates(shape).T
        points = np.rint(
            np.column_stack(((x - self.west) / self.unit, (self.north - y) / self.unit))
        ).astype(int)
        (x0, y0), steps = points[0], np.diff(points, axis=0)
        return f"M{x0} {y0}l{' '.join(f'{dx} {dy}' for dx, dy in steps.tolist())}"

    @cached_property
    def veil(self) -> str:
        """Paper laid over the hexes out of play."""
        idle = np.where(self.scene.district.active, -1, 0).astype(np.int8)
        return f'<g opacity="0.62">{self.hexes(idle, (PAPER,))}</g>'


def layer_maps(plan: Plan, confidence: FloatArray | None, words: Words) -> tuple[LayerMap, ...]:
    """Every map of a report, in the order in which they are read.

    Parameters
    ----------
    confidence : (n_hex,) float, optional
        How sure each fabric is, 0 to 1; without it that map is left out.
    """
    maps = [_fabric(plan, words)]
    if confidence is not None:
        maps.append(_sure(plan, confidence, words))
    return (
        *maps,
        _links(plan, words),
        _people(plan, words),
        _relief(plan, words),
        _low_points(plan, words),
    )


def _fabric(plan: Plan, words: Words) -> LayerMap:
    district = plan.scene.district
    labels = [getattr(row, f"label_{words.lang}") for row in district.fabric_rows]
    legend = _boxes(FABRIC_COLOURS, labels, district.fabric, district.active, words)
    return LayerMap(
        words.say("map_fabric"),
        words.say("map_fabric_lead"),
        plan.hexes(district.fabric, FABRIC_COLOURS),
        legend,
    )


def _sure(plan: Plan, confidence: FloatArray, words: Words) -> LayerMap:
    kind = _class_of(confidence.astype(float), SURE_FROM)
    active = plan.scene.district.active
    bounds = [words.percent(bound) for bound in SURE_FROM]
    labels = _ranges(bounds, words)
    counts = np.bincount(kind[active], minlength=len(SURE_COLOURS))
    most, total = int(counts.argmax()), int(counts.sum())
    said = ""
    if counts[most] >= ONE_COLOUR * total:
        said = words.say("all_sure", n=int(counts[most]), of=total, range=labels[most])
    return LayerMap(
        words.say("map_sure"),
        words.say("map_sure_lead"),
        "" if said else plan.hexes(kind, SURE_COLOURS),
        _boxes(SURE_COLOURS, labels, kind, active, words)[::-1],
        said=said,
    )


def _links(plan: Plan, words: Words) -> LayerMap:
    district = plan.scene.district
    classes = [LinkClass.LOCAL, LinkClass.SECONDARY, LinkClass.PRIMARY, LinkClass.EXPRESSWAY]
    lead = words.say("map_links_lead")
    counts = np.bincount(district.link_class, minlength=len(LinkClass))
    while len(classes) > 1 and counts[classes].sum() > MOST_LINKS:
        classes.pop(0)
        lead = words.say("map_links_few")
    a, b = district.sheet.edges.T
    begin, end = plan.centres[a], plan.centres[b]
    short = ~drawn_through(district) & (district.link_class > LinkClass.LOCAL)
    begin, end = (
        np.where(short[:, None], (2 * here + there) // 3, here)
        for here, there in ((begin, end), (end, begin))
    )
    body = "".join(
        f'<path fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round" d="'
        f'{_segments(begin[at], end[at])}"/>'
        for link, (colour, width) in LINK_STYLES.items()
        if link in classes and len(at := np.flatnonzero(district.link_class == link))
    )
    barriers = shown_barriers(district)
    few = np.flatnonzero(barriers)[:MOST_LINKS]
    body += (
        f'<path fill="none" stroke="{BARRIER}" stroke-width="26" d="'
        f'{_segments(plan.sides[few, 0], plan.sides[few, 1])}"/>'
    )
    middle = (plan.centres[a] + plan.centres[b]) // 2
    bridges, underpasses = (
        district.structure == Structure.BRIDGE,
        district.structure == Structure.UNDERPASS,
    )
    body += _signs(middle[bridges], lambda x, y: _square(x, y, 26, "#ffffff", INK))
    body += _signs(middle[underpasses], lambda x, y: _disc(x, y, 28, INK, "#ffffff"))
    legend = (
        *(
            Key(
                "line", LINK_STYLES[link][0], _label(LINKS[link], words), words.number(counts[link])
            )
            for link in reversed(classes)
        ),
        Key("square", "#ffffff", words.say("bridge"), words.number(int(bridges.sum()))),
        Key("disc", INK, words.say("underpass"), words.number(int(underpasses.sum()))),
        Key("bar", BARRIER, words.say("barrier"), words.number(int(barriers.sum()))),
    )
    return LayerMap(words.say("map_links"), lead, "", legend, over=body, veiled=False)


def _people(plan: Plan, words: Words) -> LayerMap:
    district = plan.scene.district
    per_ha = district.residents / HEX_AREA_HA
    kind = np.where(district.active, _class_of(per_ha, PEOPLE_FROM), -1).astype(np.int8)
    over = ""
    a, b = district.sheet.edges.T
    limit = np.flatnonzero(district.quarter[a] != district.quarter[b])
    if len(limit) <= MOST_LINKS:
        over = (
            f'<path fill="none" stroke="{QUARTER}" stroke-width="9" opacity="0.75" d="'
            f'{_segments(plan.sides[limit, 0], plan.sides[limit, 1])}"/>'
        )
    places = (
        (district.technical_centres, lambda x, y: _disc(x, y, 34, DEPOT, "#ffffff")),
        (district.stations, lambda x, y: _disc(x, y, 26, SENSOR, "#ffffff")),
        (district.shelters, lambda x, y: _square(x, y, 42, SHELTER, "#ffffff")),
        (district.police_stations, lambda x, y: _disc(x, y, 46, BASE, "#ffffff")),
    )
    for facilities, draw in places:
        cells = [f.cell for f in facilities]
        over += _signs(plan.centres[cells], draw) if cells else ""
    bounds = [words.number(bound) for bound in PEOPLE_FROM]
    legend = (
        *_boxes(PEOPLE_COLOURS, _ranges(bounds, words), kind, district.active, words),
        Key("square", SHELTER, words.say("shelter"), words.number(len(district.shelters))),
        Key("disc", BASE, words.say("police"), words.number(len(district.police_stations))),
        Key("disc", SENSOR, words.say("station"), words.number(len(district.stations))),
        Key("disc", DEPOT, words.say("technical"), words.number(len(district.technical_centres))),
    )
    return LayerMap(
        words.say("map_people"),
        words.say("map_people_lead"),
        plan.hexes(kind, PEOPLE_COLOURS),
        legend,
        over=over,
    )


def _relief(plan: Plan, words: Words) -> LayerMap:
    height_m = plan.scene.district.elevation_mm / 1000
    low, high = np.percentile(height_m, (2, 98))
    step = next(
        (s for s in RELIEF_STEPS_M if (high - low) / s <= len(RELIEF_COLOURS) - 1),
        RELIEF_STEPS_M[-1],
    )
    first = int(np.floor(low / step)) * step
    classes = min(len(RELIEF_COLOURS), max(1, int(np.ceil((high - first) / step))))
    bounds = [float(first + step * i) for i in range(classes)]
    # a plain takes the lower colours, spread over what there is
    spread = np.rint(np.linspace(0, len(RELIEF_COLOURS) - 1, classes)).astype(int)
    colours = [RELIEF_COLOURS[i] for i in spread]
    kind = _class_of(height_m, bounds)
    labels = _ranges([words.number(b) for b in bounds], words, "m")
    legend = _boxes(colours, labels, kind, np.ones(len(kind), dtype=bool), words)[::-1]
    return LayerMap(
        words.say("map_relief"),
        words.say("map_relief_lead"),
        plan.hexes(kind, colours),
        legend,
        veiled=False,
    )


def _low_points(plan: Plan, words: Words) -> LayerMap:
    district = plan.scene.district
    from_mm = [WATERS[water].from_mm for water in sorted(Water)]
    kind = _class_of(district.sink_mm.astype(float), from_mm)
    bounds = [words.number(round(mm / 10)) for mm in from_mm]
    labels = [words.say("no_low_point"), *_ranges(bounds[1:], words, "cm", first=False)]
    dry = ~plan.scene.open_water
    legend = (
        *_boxes(DEPTH_COLOURS, labels, kind, dry, words),
        Key("box", WATER, words.say("open_water")),
    )
    shown = np.where(dry, kind, -1).astype(np.int8)
    return LayerMap(
        words.say("map_water"),
        words.say("map_water_lead"),
        plan.hexes(shown, DEPTH_COLOURS),
        legend,
        veiled=False,
        said="" if (shown > 0).any() else words.say("all_dry"),
    )


# ------------------------------------------------------------------------------- drawing
def _class_of(values: Float64Array, bounds: Sequence[float]) -> ByteArray:
    """Class of every value; a bound belongs to the class above it."""
    return np.clip(np.searchsorted(bounds, values, side="right") - 1, 0, None).astype(np.int8)


def _ranges(
    bounds: Sequence[str], words: Words, unit: str = "", *, first: bool = True
) -> list[str]:
    """Ranges between bounds; the first is "under" where nothing lies below it."""
    unit = f"{HARD}{unit}" if unit else ""
    said = [words.say("between", of=of, to=to, unit=unit) for of, to in pairwise(bounds)]
    if first and said:
        said[0] = words.say("below", to=bounds[1], unit=unit)
    return [*said, words.say("above", of=bounds[-1], unit=unit)]


def _boxes(
    colours: Sequence[str],
    labels: Iterable[str],
    kind: ByteArray,
    counted: BoolArray,
    words: Words,
) -> tuple[Key, ...]:
    counts = np.bincount(kind[counted & (kind >= 0)], minlength=len(colours))
    return tuple(
        Key("box", colour, label, words.number(int(count)))
        for colour, label, count in zip(colours, labels, counts, strict=True)
    )


def _segments(begin: IntArray, end: IntArray) -> str:
    steps = end - begin
    return "".join(
        f"M{x} {y}l{dx} {dy}"
        for (x, y), (dx, dy) in zip(begin.tolist(), steps.tolist(), strict=True)
    )


def _signs(at: IntArray, draw: Callable[[int, int], str]) -> str:
    return "".join(draw(x, y) for x, y in at[:MOST_LINKS].tolist())


def _square(x: int, y: int, half: int, fill: str, rim: str) -> str:
    return (
        f'<rect x="{x - half}" y="{y - half}" width="{2 * half}" height="{2 * half}" '
        f'fill="{fill}" stroke="{rim}" stroke-width="11"/>'
    )


def _disc(x: int, y: int, radius: int, fill: str, rim: str) -> str:
    return (
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{rim}" stroke-width="10"/>'
    )


def _label(row: object, words: Words) -> str:
    return str(getattr(row, f"label_{words.lang}"))


def _rgba(colour: str) -> tuple[int, int, int, int]:
    red, green, blue = bytes.fromhex(colour[1:])
    return (red, green, blue, 255)
