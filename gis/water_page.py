"""The film of a storm's water: one offline page with a slider over the turns, for the classroom."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from math import ceil
from pathlib import Path
from typing import Any

import geopandas as gpd
import jinja2
import numpy as np
import numpy.typing as npt
import shapely
from markupsafe import Markup

from gis.offline import save_page
from gis.pack_layers import read_layer
from gis.provenance import shown_credit
from gis.sheet_tables import ground_words
from gis.store import read_district, read_manifest
from gis.water_plot import Balance, balance_svg
from gis.water_rasters import DEPTH_COLOURS, DEPTHS_FROM_MM
from gis.water_words import say
from sim.district import Ground
from sim.rules import WATERS, Water

WIDTH = 2_400
"""Width of the map in its own whole units."""
SIMPLEST_UNITS = 1.5
"""Detail of the background that is not drawn, in units of the map."""
LENGTHS_M = (200, 500, 1_000, 2_000, 5_000, 10_000)
PAPER, GREEN, OPEN_WATER, SHORE, BUILT = "#f7f4ec", "#e3ead6", "#b8c7cf", "#8fa3ad", "#e4ddd0"
# kinds of the background in drawing order: fill, stroke, width in units
_STYLES: dict[str, tuple[str, str, float]] = {
    "green": (GREEN, "none", 0),
    "building": (BUILT, "none", 0),
    "water": (OPEN_WATER, SHORE, 1),
    "stream": ("none", SHORE, 2),
    "rail": ("none", "#9a938c", 1.5),
    "road1": ("none", "#d5cec0", 1.5),
    "road2": ("none", "#b9b0a2", 3),
    "road3": ("none", "#a39a8b", 4),
    "road4": ("none", "#8f8677", 5),
}
_OVER = ("road2", "road3", "road4")
"""Roads drawn again over the water, so that a drowned street is still one."""
MOST_POINTS = 400_000


@dataclass(frozen=True, slots=True)
class Film:
    """Pictures of the water at the end of every turn from 0, and what they show.

    Attributes
    ----------
    pictures : sequence of str
        Data address of a PNG on the ground's pixels, a turn each.
    clocks : sequence of str
        Time of day, a turn each.
    balance : Balance
    level : int
    stands_for : str
    """

    pictures: Sequence[str]
    clocks: Sequence[str]
    balance: Balance
    level: int
    stands_for: str


def write_film(path: Path, pack: Path, ground: Ground, film: Film, lang: str) -> None:
    """Write the film of a storm on a district pack.

    Raises
    ------
    DistrictError
        If the pack is damaged or the file cannot be written.
    """
    manifest, district = read_manifest(pack), read_district(pack)
    plan = _Plan.of(pack, ground, manifest)
    hexes = read_layer(pack, "hexes").geometry.to_numpy()
    shelters = read_layer(pack, "facilities")
    shelters = shelters[shelters["kind"] == "shelter"]
    base = read_layer(pack, "basemap")
    folder = files("gis") / "assets" / "water"
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    template = environment.from_string((folder / "page.html").read_text(encoding="utf-8"))
    page = template.render(
        lang=lang,
        say=lambda key, **values: say(key, lang, **values),
        name=district.name,
        level=film.level,
        stands_for=film.stands_for,
        width=WIDTH,
        height=plan.height,
        paper=PAPER,
        ground=Markup(plan.background(base)),
        over=Markup(plan.background(base, _OVER)),
        rim=Markup(plan.outline(shapely.union_all(hexes, grid_size=1e-3))),
        shelters=plan.points(shelters.geometry.to_numpy()),
        image_height=round(plan.pixels_high, 2),
        bar=plan.scale_bar(),
        keys=_keys(lang),
        pixel_m=ground.pixel_m,
        frames={"pictures": list(film.pictures), "clocks": list(film.clocks)},
        balance=Markup(balance_svg(film.balance, film.clocks, lang)),
        error=_closing(film.balance, lang),
        statement=ground_words(manifest, lang),
        credit=shown_credit(manifest, lang),
        turn_words=say("turn", lang, turn="@"),
        open_water=OPEN_WATER,
        shore=SHORE,
    )
    save_page(page, path)


def _closing(balance: Balance, lang: str) -> str:
    parts = ceil(balance.error * 1e6)
    return say("closes", lang) if parts <= 1 else say("gap", lang, parts=parts)


def _keys(lang: str) -> list[dict[str, Any]]:
    """Legend of the depths, shallow to deep, with the rules' class of each (§4)."""
    keys = []
    for i, (low, colour) in enumerate(zip(DEPTHS_FROM_MM, DEPTH_COLOURS, strict=True)):
        row = WATERS[Water(i)]
        text = (
            say("under", lang, low=low // 10, high=DEPTHS_FROM_MM[i + 1] // 10)
            if i + 1 < len(DEPTHS_FROM_MM)
            else say("over", lang, low=low // 10)
        )
        name = row.label_fr if lang == "fr" else row.label_en
        keys.append({"colour": colour, "depth": text, "name": say("class", lang, n=i, name=name)})
    return keys


@dataclass(frozen=True)
class _Plan:
    """The ground's raster on paper: units from its north-west corner, y to the south."""

    west: float
    north: float
    unit: float
    height: int
    pixels_high: float

    @classmethod
    def of(cls, pack: Path, ground: Ground, manifest: dict[str, Any]) -> "_Plan":
        left, _, _, top = read_layer(pack, "hexes").total_bounds
        rows, columns = ground.cell.shape
        unit = columns * ground.pixel_m / WIDTH
        high = rows * ground.pixel_m / unit
        return cls(float(left), float(top), unit, ceil(high), high)

    def background(self, base: gpd.GeoDataFrame, kinds: Sequence[str] = tuple(_STYLES)) -> str:
        """Paths of the background, a kind each, as fine as its weight allows."""
        parts = []
        for kind in kinds:
            fill, stroke, width = _STYLES[kind]
            shapes = base.geometry[base["kind"] == kind].to_numpy()
            if not len(shapes):
                continue
            drawn = self._path(shapes, fill != "none")
            pen = f' stroke="{stroke}" stroke-width="{width:g}"' if width else ""
            parts.append(
                f'<path fill="{fill}"{pen} stroke-linejoin="round" fill-rule="evenodd" '
                f'd="{drawn}"/>'
            )
        return "".join(parts)

    def outline(self, area: shapely.Geometry) -> str:
        """Path data of the rim of an area."""
        return self._path(np.array([area], dtype=object), True)

    def points(self, places: npt.NDArray[np.object_]) -> list[tuple[float, float]]:
        """Where some points stand on the map."""
        x, y = shapely.get_coordinates(places).T
        return [
            (round(float(a), 1), round(float(b), 1))
            for a, b in zip((x - self.west) / self.unit, (self.north - y) / self.unit, strict=True)
        ]

    def scale_bar(self) -> dict[str, Any]:
        """The longest round length that fits in a fifth of the map: units and words."""
        longest = WIDTH * self.unit / 5
        length = max((m for m in LENGTHS_M if m <= longest), default=LENGTHS_M[0])
        text = f"{length} m" if length < 1000 else f"{length // 1000} km"
        return {"units": round(length / self.unit), "text": text}

    def _path(self, shapes: npt.NDArray[np.object_], closed: bool) -> str:
        if closed:
            small = (3 * self.unit) ** 2
            shapes = shapes[shapely.area(shapes) >= small]
        for tolerance in (SIMPLEST_UNITS, 2 * SIMPLEST_UNITS, 4 * SIMPLEST_UNITS):
            lines = shapely.simplify(shapes, tolerance * self.unit)
            if shapely.get_num_coordinates(lines).sum() <= MOST_POINTS:
                break
        parts = shapely.get_parts(lines)
        if closed:
            parts = shapely.get_rings(parts[shapely.get_type_id(parts) == 3])
        else:
            parts = parts[shapely.get_type_id(parts) == 1]
        return "".join(self._line(part) + ("z" if closed else "") for part in parts)

    def _line(self, shape: shapely.Geometry) -> str:
        x, y = shapely.get_coordinates(shape).T
        points = np.rint(
            np.column_stack(((x - self.west) / self.unit, (self.north - y) / self.unit))
        ).astype(int)
        (x0, y0), steps = points[0], np.diff(points, axis=0)
        return f"M{x0} {y0}l{' '.join(f'{dx} {dy}' for dx, dy in steps.tolist())}"
