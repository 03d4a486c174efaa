"""The map of a district or of an exercise: one HTML file that opens with the network cut (§16).

A folium map whose scripts and styles lie inside the page. The background comes from the pack's own
``basemap`` layer; everything else is drawn on one canvas from compact arrays, so that a turn is
redrawn at once. Which links are cut is decided by ``sim.links`` alone; the page only shows it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import folium
import geopandas as gpd
import numpy as np
import numpy.typing as npt
import pandas as pd
import rasterio
import rasterio.features
import shapely
import shapely.geometry
from pyproj import Transformer
from rasterio.transform import Affine

from gis.aside import require_name
from gis.frames import NEVER_SEEN, UNKNOWN_MM, Frames, UnitAt
from gis.offline import save_page
from gis.pack_layers import read_layer
from gis.provenance import shown_credit
from gis.quarter_names import quarters_said
from gis.shown import drawn_through, links_in_play, shown_barriers
from gis.store import GROUND, read_district, read_ground, read_manifest
from gis.webmap_codec import GRID, lines_of, pack, pack_lines, rings_of, to_grid
from gis.webmap_page import Board, OfflineMap, Page
from gis.webmap_story import Story
from gis.webmap_turns import cuts, turns_data
from gis.webmap_words import table_labels, words
from gis.wording import brief
from sim.district import BoolArray, District, Facility, Ground, IntArray
from sim.errors import DistrictError
from sim.refusal import refuse
from sim.rules import WATERS, Water

Progress = Callable[[str, float], None]
Float64Array = npt.NDArray[np.float64]

MOST_POINTS = 220_000
"""Points of the background beyond which it is simplified again: about half a megabyte."""
MOSTLY_WATER = 0.5
SMALLEST_LAKE_PIXELS = 20
ALREADY_MAPPED = 0.2
"""Share of a patch of open water from which the background is held to show it."""
COARSER_M = (0.0, 8.0, 12.0, 18.0, 27.0, 40.0)
SMALLEST_COARSE_M2 = 30.0
"""A building smaller than this times the tolerance in metres leaves a coarse background."""

_AREAS = ("green", "water", "building")
_LINES = ("stream", "wall", "rail", "path", "road1", "road2", "road3", "road4")


def write_map(
    pack_folder: Path,
    out_html: Path,
    frames: Frames | None = None,
    *,
    title: str | None = None,
    lang: str = "fr",
    story: Story | None = None,
    progress: Progress | None = None,
) -> Path:
    """Write the map of a district pack, and of an exercise on it where frames are given.

    Parameters
    ----------
    pack_folder : Path
        District pack.
    out_html : Path
        File to write; replaced whole, or left as it was when something goes wrong.
    frames : Frames, optional
        Without them the map shows the district alone.
    title : str, optional
        Heading of the page, beside the district's name.
    lang : str
        ``fr`` or ``en``.
    story : Story, optional
        What the map tells beside the town.
    progress : callable, optional
        Told the stage and the share done.

    Returns
    -------
    Path
        ``out_html``.

    Raises
    ------
    DistrictError
        If the pack is missing or damaged, or the file cannot be written.
    ExerciseError
        If the frames or the story are not those of the district, or the language is unknown.
    OutsideReferenceError
        If the page would ask a host for anything.

    """
    require_name(Path(out_html), ".html", ".htm")
    tell = progress or (lambda stage, share: None)
    tell("reading the pack", 0.0)
    scene = read_scene(Path(pack_folder))
    tell("drawing the map", 0.3)
    shown = map_of(scene, frames, title=title, lang=lang, story=story)
    tell("writing the map", 0.9)
    save_map(shown, Path(out_html))
    tell("writing the map", 1.0)
    return Path(out_html)


def save_map(shown: folium.Map, out_html: Path) -> None:
    """Write a map that ``map_of`` gave: whole, or not at all.

    Raises
    ------
    DistrictError
        If the file cannot be written.
    OutsideReferenceError
        If the page would ask a host for anything.
    """
    save_page(shown.get_root().render(), out_html)


# ------------------------------------------------------------------------------- reading a pack
@dataclass(frozen=True)
class Scene:
    """A district laid on the web's Mercator plane (EPSG:3857), metres.

    Attributes
    ----------
    district : District
    manifest : mapping
        The pack's.
    corners : (n_hex, 6, 2) float
        Corners of every hex, anticlockwise from east.
    basemap : GeoDataFrame
        Columns ``kind``, ``name``, geometry.
    open_water : (n_hex,) bool
        Hexes with half or more of open water: shown as water, not as a fabric.

    """

    district: District
    manifest: Mapping[str, Any]
    corners: Float64Array
    basemap: gpd.GeoDataFrame
    open_water: BoolArray

    @cached_property
    def background(self) -> dict[str, list[Float64Array]]:
        """Rings and lines of the background by kind, metres; found once for all its maps."""
        return _light_enough(self.basemap)

    @cached_property
    def plane(self) -> "Plane":
        """Grid of whole steps on which all that is drawn lies."""
        flat = self.corners.reshape(-1, 2)
        (west, south), (east, north) = flat.min(axis=0), flat.max(axis=0)
        margin = 0.03 * max(east - west, north - south)
        unit = float(max(east - west, north - south) + 2 * margin) / GRID
        return Plane((float(west - margin), float(north + margin)), unit)

    @cached_property
    def packed_background(self) -> dict[str, str]:
        """The background by kind, as the page reads it."""
        return {kind: pack_lines(parts, *self.plane) for kind, parts in self.background.items()}

    @cached_property
    def packed_corners(self) -> str:
        """The corners of every hex, as the page reads them."""
        steps = to_grid(self.corners.reshape(-1, 2), *self.plane).reshape(-1, 12)
        # the six offsets from the first corner hardly change from a hex to the next
        steps[:, 2:] -= np.tile(steps[:, :2], 5)
        return pack(np.diff(steps, axis=0, prepend=0))

    @cached_property
    def packed_edges(self) -> dict[str, str]:
        """The links, as the page reads them."""
        return _edges(self.district)


class Plane(NamedTuple):
    """A grid of whole steps: its north-west corner, metres, and its step, metres."""

    origin: tuple[float, float]
    unit: float


def read_scene(pack_folder: Path) -> Scene:
    """Read what a map needs of a district pack.

    Raises
    ------
    DistrictError
        If the pack is missing or damaged.

    """
    district = read_district(pack_folder)
    hexes = read_layer(pack_folder, "hexes", ["label"])
    basemap = read_layer(pack_folder, "basemap")
    hexes = hexes.sort_values("label", kind="stable")
    ground = read_ground(pack_folder)
    lakes = unmapped_water(ground, _transform(pack_folder), basemap)
    basemap = gpd.GeoDataFrame(pd.concat((basemap, lakes), ignore_index=True), crs=basemap.crs)
    x, y = Transformer.from_crs(hexes.crs, "EPSG:3857", always_xy=True).transform(
        *_corners(hexes.geometry.to_numpy(), district).reshape(-1, 2).T
    )
    return Scene(
        district,
        read_manifest(pack_folder),
        np.column_stack((x, y)).reshape(-1, 6, 2),
        basemap.to_crs("EPSG:3857"),
        _share_of(ground.sink, ground, district.sheet.n_hexes) >= MOSTLY_WATER,
    )


def unmapped_water(
    ground: Ground, transform: Affine, basemap: gpd.GeoDataFrame
) -> gpd.GeoDataFrame:
    """Open water of the ground that the background lacks, as layer ``water``.

    An extract of roads alone has no lake, where the elevation raster has. Water that the
    background holds already is left to it: its outline is better than pixels'.
    """
    mapped = shapely.union_all(basemap.geometry[basemap["kind"] == "water"].to_numpy())
    patches = [
        shapely.geometry.shape(outline)
        for outline, _ in rasterio.features.shapes(
            ground.sink.astype(np.uint8), mask=ground.sink, transform=transform
        )
    ]
    pixel_m = ground.pixel_m
    kept = [
        shapely.simplify(patch.buffer(pixel_m).buffer(-pixel_m), 0.7 * pixel_m)
        for patch in patches
        if patch.area >= SMALLEST_LAKE_PIXELS * pixel_m**2
        and shapely.intersection(patch, mapped).area < ALREADY_MAPPED * patch.area
    ]
    return gpd.GeoDataFrame({"kind": ["water"] * len(kept)}, geometry=kept, crs=basemap.crs)


def _transform(pack_folder: Path) -> Affine:
    with rasterio.open(pack_folder / GROUND) as source:
        return source.transform


def _share_of(what: BoolArray, ground: Ground, n_hexes: int) -> Float64Array:
    """(n_hex,) share of the hex's pixels that are so; 0 where it has none."""
    on = ground.cell >= 0
    pixels = np.bincount(ground.cell[on], minlength=n_hexes)
    so = np.bincount(ground.cell[on & what], minlength=n_hexes)
    return np.divide(so, pixels, out=np.zeros(n_hexes), where=pixels > 0)


def _corners(polygons: npt.NDArray[np.object_], district: District) -> Float64Array:
    """(n_hex, 6, 2) corners of the hexes, anticlockwise from east whatever the file's order."""
    points, which = shapely.get_coordinates(polygons, return_index=True)
    n = district.sheet.n_hexes
    if not np.array_equal(np.bincount(which, minlength=n), np.full(n, 7)):
        raise DistrictError(
            refuse(
                "",
                "district {name}: layer hexes does not hold {n} hexagons; build the district again",
                name=repr(district.name),
                n=str(n),
            )
        )
    rings = points.reshape(n, 7, 2)[:, :6]
    from_centre = rings - rings.mean(axis=1, keepdims=True)
    bearing = np.arctan2(from_centre[..., 1], from_centre[..., 0]) % (2 * np.pi)
    # the eastern corner may come out a hair below the full turn
    bearing[bearing > 2 * np.pi - 0.1] = 0.0
    order = np.argsort(bearing, axis=1)
    return np.take_along_axis(rings, order[..., None], axis=1)


# ------------------------------------------------------------------------------- the folium map
def map_of(
    scene: Scene,
    frames: Frames | None = None,
    *,
    title: str | None = None,
    lang: str = "fr",
    story: Story | None = None,
) -> folium.Map:
    """Return the folium map of a scene; ``get_root().render()`` gives its page.

    Other folium layers may be added to it (WGS 84, as ever), as long as they ask no host for
    anything: ``gis.offline.refuse_outside_references`` tells.

    Raises
    ------
    ExerciseError
        If the frames or the story are not those of the district, or the language is unknown.

    """
    texts = words(lang)
    district = scene.district
    if frames is not None:
        frames.check(district)
    if story is not None:
        story.check(district.sheet.n_hexes, frames.turns if frames is not None else None)
        title = title or story.heading
    heading = title or texts["district_title" if frames is None else "exercise_title"]
    sheet = texts["sheet"].format(
        columns=district.sheet.columns,
        rows=district.sheet.rows,
        active=int(district.active.sum()),
    )
    told = {} if story is None else {"story": story.packed()}
    board = Board({**board_data(scene, frames, lang), **told})
    # a district's map bears its name as its heading: said once
    place = "" if heading == district.name else district.name
    ground = " · ".join((sheet, *_ground(scene, texts, lang)))
    shown = OfflineMap(texts, heading, place, ground, story.pair if story is not None else None)
    page = Page(" – ".join(dict.fromkeys((heading, district.name))), lang)
    page.add_child(shown)
    shown.add_child(board)
    return shown


def _ground(scene: Scene, texts: Mapping[str, str], lang: str) -> list[str]:
    """How good the ground is, where the pack says so (§7.8)."""
    terrain = scene.manifest.get("report", {}).get("terrain", {})
    said = []
    if terrain.get("pixels_per_hex"):
        said.append(texts["pixels"].format(n=round(terrain["pixels_per_hex"])))
    if terrain.get("vertical_step_m"):
        said.append(texts["step"].format(n=brief(terrain["vertical_step_m"], lang)))
    if terrain:
        said.append(texts["ground_error"])
    return said


# ------------------------------------------------------------------------------- the page's data
def board_data(scene: Scene, frames: Frames | None, lang: str) -> dict[str, Any]:
    """Return all that ``assets/board_draw.js`` draws a board from, ready for JSON.

    Without frames it is the district alone, onto which ``turns_data`` lays a team's turns.
    """
    texts, district = words(lang), scene.district
    flat = scene.corners.reshape(-1, 2)
    (west, south), (east, north) = flat.min(axis=0), flat.max(axis=0)
    origin, unit = scene.plane
    to_shelter = district.unshelterable if frames is None else frames.to_shelter
    data = {
        "lang": lang,
        "texts": texts,
        "tables": table_labels(district, lang),
        "credit": shown_credit(scene.manifest, lang),
        "plane": {"west": origin[0], "north": origin[1], "unit": unit},
        "bounds": [float(v) for v in (west, south, east, north)],
        "waterFromMm": [WATERS[w].from_mm for w in sorted(Water)],
        "sheet": {"columns": district.sheet.columns, "rows": district.sheet.rows},
        "hexes": _hexes(scene, to_shelter),
        "edges": scene.packed_edges,
        "quarters": list(quarters_said(district, lang)),
        "places": {
            "shelter": _places(district.shelters),
            "station": _places(district.stations),
            "police": _places(district.police_stations),
            "technical": _places(district.technical_centres),
        },
        "basemap": scene.packed_background,
    }
    if frames is not None:
        data["frames"] = turns_data(district, frames, links_in_play(district))
    return data


def _hexes(scene: Scene, to_shelter: IntArray) -> dict[str, Any]:
    district, sheet = scene.district, scene.district.sheet
    return {
        "labels": [sheet.label(i) for i in range(sheet.n_hexes)],
        "corners": scene.packed_corners,
        "active": pack(district.active),
        "fabric": pack(district.fabric),
        "openWater": pack(scene.open_water),
        "residents": pack(district.residents),
        "toShelter": pack(to_shelter),
        "quarter": pack(np.diff(district.quarter, prepend=0)),
        "elevationDm": pack(np.diff(district.elevation_mm // 100, prepend=0)),
        "sinkMm": pack(district.sink_mm),
        "neighbours": pack(sheet.neighbours - np.arange(sheet.n_hexes)[:, None]),
    }


def _edges(district: District) -> dict[str, str]:
    sheet = district.sheet
    low, high = sheet.edges.T
    side = np.argmax(sheet.neighbours[low] == high[:, None], axis=1)
    return {
        "low": pack(np.diff(low, prepend=0)),
        "high": pack(high - low),
        "side": pack(side),
        "class": pack(district.link_class),
        "structure": pack(district.structure),
        "foot": pack(district.foot),
        "barrier": pack(shown_barriers(district)),
        "through": pack(drawn_through(district)),
    }


def _places(facilities: tuple[Facility, ...]) -> list[list[Any]]:
    return [[f.cell, f.name, f.places] for f in facilities]


def _light_enough(basemap: gpd.GeoDataFrame) -> dict[str, list[Float64Array]]:
    """Rings and lines by kind, simplified until they hold ``MOST_POINTS`` points or fewer."""
    parts: dict[str, list[Float64Array]] = {}
    for tolerance_m in COARSER_M:
        parts = {}
        for kind in (*_AREAS, *_LINES):
            shapes = basemap.geometry[basemap["kind"] == kind].to_numpy()
            if tolerance_m:
                if kind == "building":
                    shapes = shapes[shapely.area(shapes) >= SMALLEST_COARSE_M2 * tolerance_m]
                shapes = shapely.simplify(shapes, tolerance_m)
            parts[kind] = rings_of(shapes) if kind in _AREAS else lines_of(shapes)
        if sum(len(p) for group in parts.values() for p in group) <= MOST_POINTS:
            break
    return parts


__all__ = [
    "NEVER_SEEN",
    "UNKNOWN_MM",
    "Board",
    "Frames",
    "OfflineMap",
    "Page",
    "Scene",
    "UnitAt",
    "board_data",
    "cuts",
    "map_of",
    "read_scene",
    "save_map",
    "turns_data",
    "write_map",
]
