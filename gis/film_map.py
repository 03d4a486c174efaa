"""A district in pixels, for moving pictures: its ground drawn once, what changes laid over it.

What covers whole hexes is filled by one look-up from each pixel to its hex; what stands on sides
and in hexes is stamped from small pictures, each drawn once. So a frame costs milliseconds.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from gis.shown import drawn_through, shown_barriers
from gis.webmap import Scene
from sim.rules import HEX_WIDTH_M, LinkClass

Pixels = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float64]
Draw = Callable[[ImageDraw.ImageDraw, float], None]
"""Draws a sign in a square of a given side, pixels."""

GRAIN = 2
"""Pixels drawn for one that is shown, each way: edges come out smooth."""
SIGN_GRAIN = 4
_SIDE_CORNERS = ((2, 1), (1, 0), (0, 5), (5, 4), (4, 3), (3, 2))
"""Corners at the ends of each side, sides clockwise from north, corners from east."""

PAPER, INK, SOFT, MESH, QUARTER = "#f5f1e8", "#1d2b33", "#51606a", "#b9b7ae", "#5d6a73"
PANEL, BARRIER = "#fffdf7", "#6d4524"
_AREAS = {"green": "#d5dfc3", "water": "#bcd0d8", "building": "#e0d9cd"}
_LINES = {  # colour, width in hexes
    "stream": ("#9dbccb", 0.05),
    "wall": ("#a89a86", 0.03),
    "road1": ("#ffffff", 0.035),
    "road2": ("#ffffff", 0.06),
    "road3": ("#ffffff", 0.08),
    "road4": ("#ffffff", 0.1),
    "rail": ("#8d8a85", 0.05),
}
LINKS = {  # colour, width in hexes; local streets would be a veil
    LinkClass.SECONDARY: ("#8fa9af", 0.055),
    LinkClass.PRIMARY: ("#2c4a55", 0.1),
    LinkClass.EXPRESSWAY: ("#2c4a55", 0.17),
}
EXPRESSWAY_CORE = ("#f7cf52", 0.07)


@dataclass(frozen=True)
class Cover:
    """How a class of hexes is covered.

    Attributes
    ----------
    colour : str
        As ``#rrggbb``.
    alpha : float
        Share of the ground that it hides.
    ink : str
        Of its hatch.
    hatch : str
        Name of one of ``HATCHES``, or '' for none.

    """

    colour: str
    alpha: float
    ink: str = INK
    hatch: str = ""


def rgb(colour: str) -> tuple[int, int, int]:
    """Return a colour's three parts.

    >>> rgb("#ff8000")
    (255, 128, 0)
    """
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


@lru_cache
def font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    """Return Source Sans 3 (SIL Open Font License 1.1) in a size, pixels."""
    name = f"SourceSans3-{'Semibold' if bold else 'Regular'}.otf"
    held = (files("gis") / "assets" / "sheet" / "fonts" / name).read_bytes()
    # the basic layout draws the same on every machine, whatever libraries it has
    return ImageFont.truetype(BytesIO(held), size, layout_engine=ImageFont.Layout.BASIC)


# --------------------------------------------------------------------------- hatches
def _waves(x: Points, y: Points, rows: int, size: int) -> npt.NDArray[np.bool_]:
    swing = np.sin(2 * np.pi * x / size) * size * 0.14
    return np.abs((y + swing) % (size / rows) - size / rows / 2) < size * 0.065


def _lines(x: Points, y: Points, rows: int, size: int) -> npt.NDArray[np.bool_]:
    return np.abs(y % (size / rows) - size / rows / 2) < size * 0.065


def _cross(x: Points, y: Points, rows: int, size: int) -> npt.NDArray[np.bool_]:
    half = size / 2
    slants = (np.abs((way % size) - half) for way in (x + y, x - y))
    crossed: npt.NDArray[np.bool_] = np.logical_or.reduce([s < size * 0.09 for s in slants])
    return crossed


def _slant(x: Points, y: Points, rows: int, size: int) -> npt.NDArray[np.bool_]:
    return np.abs(((x + y) % size) - size / 2) < size * 0.06


HATCHES: Mapping[str, tuple[Callable[[Points, Points, int, int], Any], int]] = {
    "wave": (_waves, 1),
    "waves": (_waves, 2),
    "lines": (_lines, 3),
    "cross": (_cross, 1),
    "slant": (_slant, 1),
}


def hatched(name: str, height: int, width: int, size: int) -> npt.NDArray[np.bool_]:
    """Return (height, width) whether a hatch inks a pixel; ``size`` pixels from mark to mark."""
    draw, rows = HATCHES[name]
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    inked: npt.NDArray[np.bool_] = draw(x, y, rows, size)
    return inked


# --------------------------------------------------------------------------- the map
class FilmMap:
    """A district drawn into a box of pixels.

    Parameters
    ----------
    scene : Scene
    width, height : int
        Of the box, pixels; the sheet is fitted into it, north up.

    """

    def __init__(self, scene: Scene, width: int, height: int) -> None:
        self.district = scene.district
        self.width, self.height = width, height
        flat = scene.corners.reshape(-1, 2)
        (west, south), (east, north) = flat.min(axis=0), flat.max(axis=0)
        margin = 0.02 * max(east - west, north - south)
        wide, high = east - west + 2 * margin, north - south + 2 * margin
        self._scale = min(width / wide, height / high)
        self._west = west - margin - (width / self._scale - wide) / 2
        self._north = north + margin + (height / self._scale - high) / 2
        self.corners = self._pixels(scene.corners)
        """(n_hex, 6, 2) corners, pixels."""
        self.centres = self.corners.mean(axis=1)
        self.hex_px = float(np.median(np.hypot(*(self.corners[:, 1] - self.corners[:, 5]).T)))
        """Width of a hex across flats, pixels."""
        self._cell = self._cells()
        self.ground = self._ground(scene)
        self._over = self._overlay()
        self._signs: dict[str, Image.Image] = {}
        self._hatches: dict[str, npt.NDArray[np.bool_]] = {}

    @property
    def pixels_per_km(self) -> float:
        """Of the ground, not of the web's plane: a hex is 260 m wide (§1)."""
        return 1000 * self.hex_px / HEX_WIDTH_M

    def _pixels(self, metres: Points) -> Points:
        moved = (metres - (self._west, self._north)) * (self._scale, -self._scale)
        return np.asarray(moved, dtype=np.float64)

    def _cells(self) -> npt.NDArray[np.int32]:
        """(height, width) hex of every pixel, -1 off the sheet."""
        image = Image.new("I", (self.width, self.height), -1)
        draw = ImageDraw.Draw(image)
        for cell, ring in enumerate(self.corners):
            draw.polygon([*map(tuple, ring)], fill=cell)
        return np.asarray(image, dtype=np.int32)

    def _ground(self, scene: Scene) -> Pixels:
        """(height, width, 3) the background, as on every map of the town."""
        size = (self.width * GRAIN, self.height * GRAIN)
        image = Image.new("RGB", size, PAPER)
        draw = ImageDraw.Draw(image)
        for kind, colour in _AREAS.items():
            mask = Image.new("L", size, 0)
            fill = ImageDraw.Draw(mask)
            for ring in scene.background[kind]:
                points = self._pixels(ring) * GRAIN
                if len(points) > 2:
                    fill.polygon([*map(tuple, points)], fill=255 if _is_shell(ring) else 0)
            image.paste(colour, mask=mask)
        for kind, (colour, width) in _LINES.items():
            for line in scene.background[kind]:
                self._line(draw, self._pixels(line), colour, width)
        off = ~(scene.district.active | scene.open_water)
        veil = Image.new("L", size, 0)
        shade = ImageDraw.Draw(veil)
        for ring in self.corners[off]:
            shade.polygon([*map(tuple, ring * GRAIN)], fill=120)
        image.paste(PAPER, mask=veil)
        return np.asarray(image.reduce(GRAIN))

    def _line(self, draw: ImageDraw.ImageDraw, points: Points, colour: str, width: float) -> None:
        thick = max(1, round(width * self.hex_px * GRAIN))
        draw.line([*map(tuple, points * GRAIN)], fill=colour, width=thick, joint="curve")

    def _overlay(self) -> Image.Image:
        """Mesh, roads, limits of quarters and barriers: over the water, under what changes."""
        image = Image.new("RGBA", (self.width * GRAIN, self.height * GRAIN), (*rgb(INK), 0))
        draw = ImageDraw.Draw(image)
        district, sheet = self.district, self.district.sheet
        for ring in self.corners[district.active]:
            self._line(draw, ring[[0, 1, 2, 3, 4, 5, 0]], MESH, 0.03)
        through = drawn_through(district)
        for link, (colour, width) in LINKS.items():
            for edge in np.flatnonzero(district.link_class == link).tolist():
                a, b = self.centres[sheet.edges[edge]]
                # a link that closes a triangle of wide links is a stub across its edge
                cut = (b - a) * (0 if through[edge] else 1 / 3)
                self._line(draw, np.array([a + cut, b - cut]), colour, width)
        for edge in np.flatnonzero(district.link_class == LinkClass.EXPRESSWAY).tolist():
            self._line(draw, self.centres[sheet.edges[edge]], *EXPRESSWAY_CORE)
        quarter = district.quarter[sheet.edges]
        for edge in np.flatnonzero(quarter[:, 0] != quarter[:, 1]).tolist():
            self._line(draw, self.side(edge), QUARTER, 0.06)
        for edge in np.flatnonzero(shown_barriers(district)).tolist():
            self._line(draw, self.side(edge, 0.62), BARRIER, 0.1)
        return image.reduce(GRAIN)

    def side(self, edge: int, share: float = 1.0) -> Points:
        """(2, 2) ends of the side that an edge is, or of a share of it about its middle."""
        low, high = self.district.sheet.edges[edge]
        side = int(np.argmax(self.district.sheet.neighbours[low] == high))
        a, b = self.corners[low][list(_SIDE_CORNERS[side])]
        middle, half = (a + b) / 2, (b - a) / 2 * share
        return np.array([middle - half, middle + half])

    def picture(
        self, classes: npt.NDArray[np.integer[Any]], covers: Sequence[Cover]
    ) -> Image.Image:
        """Return the map with hexes covered by class.

        Parameters
        ----------
        classes : (n_hex,) int
            Class from 1; 0 is none.
        covers : sequence of Cover
            Of the classes, from 1.
        """
        at = np.where(self._cell >= 0, classes[self._cell], 0)
        shown = self.ground.astype(np.float32)
        for number, cover in enumerate(covers, 1):
            here = at == number
            if not here.any():
                continue
            shown[here] += (np.array(rgb(cover.colour), np.float32) - shown[here]) * cover.alpha
            if cover.hatch:
                inked = here & self.hatch(cover.hatch)
                shown[inked] += (np.array(rgb(cover.ink), np.float32) - shown[inked]) * cover.alpha
        image = Image.fromarray(np.rint(shown).astype(np.uint8), "RGB")
        image.paste(self._over, mask=self._over)
        return image

    def hatch(self, name: str) -> npt.NDArray[np.bool_]:
        """(height, width) whether a hatch inks a pixel."""
        if name not in self._hatches:
            size = max(6, round(self.hex_px * 0.42))
            self._hatches[name] = hatched(name, self.height, self.width, size)
        return self._hatches[name]

    def stamp(self, image: Image.Image, key: str, at: Points, size: float, draw: Draw) -> None:
        """Put a small picture on the map, centred on a point.

        Parameters
        ----------
        image : Image
        key : str
            Of the picture; it is drawn once.
        at : (2,) float
            Pixels.
        size : float
            Its side, pixels.
        draw : callable
            Draws it.
        """
        if key not in self._signs:
            self._signs[key] = sign_of(size, draw)
        small = self._signs[key]
        left, top = (round(float(v) - small.width / 2) for v in at)
        image.paste(small, (left, top), small)


def sign_of(size: float, draw: Draw) -> Image.Image:
    """Return a small picture with smooth edges on nothing."""
    side = max(2, round(size))
    # transparent white would bleed into the edges: nothing, in the ink's own colour
    large = Image.new("RGBA", (side * SIGN_GRAIN, side * SIGN_GRAIN), (*rgb(PAPER), 0))
    draw(ImageDraw.Draw(large), float(large.width))
    return large.resize((side, side), Image.Resampling.LANCZOS)


def _is_shell(ring: Points) -> bool:
    """Whether a ring is an outline, not a hole in one: ``rings_of`` turns holes clockwise."""
    x, y = ring.T
    return bool(np.dot(x[:-1], y[1:]) > np.dot(x[1:], y[:-1]))
