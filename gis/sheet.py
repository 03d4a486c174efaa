"""The reference sheet (*planche de référence*): a district on paper, to hand out and write on.

An A3 page, or A4 pages that are taped together; vector throughout. Equal packs give equal bytes:
typst sets the page from data alone, without a clock and with the fonts shipped beside it.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import Any

import segno
import typst

from gis.aside import require_name
from gis.provenance import shown_credit
from gis.quarter_names import quarters_said
from gis.sheet_labels import Labels, Text, clean, shortened
from gis.sheet_map import SheetMap, SheetPack, read_sheet_pack, size_mm
from gis.sheet_style import COLOUR, MONO, Palette
from gis.sheet_svg import Window, svg_of
from gis.sheet_tables import ground_statement, tables_of
from gis.sheet_tiles import MARGIN_MM, OVERLAP_MM, Tile, Tiling
from gis.sheet_words import number, words
from gis.typesetting import beyond_our_fonts, set_pages, write_whole
from sim.rules import HEX_WIDTH_M

FRAME_MM = (324.5, 245.0)
"""Room for the map on the A3 page."""
PLAN_MM = (193.0, 165.0)
"""Room for the assembly plan on its A4 page."""
SCALE_STEP = 500
"""A map's scale is a multiple of this."""
TILES_SCALE = 15_000
"""Scale of the tiles: a hex of 17 mm, on which a class writes with felt pens."""
_BAR_STEPS_M = (100, 200, 250, 500, 1000, 2000, 5000)


@dataclass(frozen=True, slots=True)
class SheetWritten:
    """The file written, its pages, the map's scale, and names left out for want of room."""

    path: Path
    pages: int
    scale: int
    left_out: tuple[str, ...]


def write_sheet(
    pack_folder: Path, out: Path, *, lang: str = "fr", mono: bool = False, tiles: bool = False
) -> SheetWritten:
    """Write the reference sheet of a district pack as a PDF.

    Parameters
    ----------
    pack_folder : Path
        District pack.
    out : Path
        File to write; replaced whole, or left as it was when something goes wrong.
    lang : str
        ``fr`` or ``en``.
    mono : bool
        Black on white with hatches, for a photocopier.
    tiles : bool
        A4 pages to tape together, at a scale to write on, rather than one A3 page.

    Raises
    ------
    DistrictError
        If the pack is missing or damaged, or the file cannot be written.
    ExerciseError
        If the language is unknown.
    """
    require_name(Path(out), ".pdf")
    words(lang)
    pack = read_sheet_pack(Path(pack_folder))
    palette = MONO if mono else COLOUR
    if tiles:
        data, template, labels = tiles_data(pack, palette, lang)
    else:
        data, template, labels = sheet_data(pack, palette, lang)
    write_whole(Path(out), _set(template, data))
    pages = len(data["tiles"]) + 2 if tiles else 1
    return SheetWritten(Path(out), pages, labels.drawn.scale, labels.left_out)


# ------------------------------------------------------------------------------- the pages' data
def sheet_data(pack: SheetPack, palette: Palette, lang: str) -> tuple[dict[str, Any], str, Labels]:
    """Give the data of the A3 page, the name of its template, and the map's labels."""
    labels = labelled(SheetMap(pack, fitting_scale(pack, FRAME_MM), palette), lang)
    data = _common(labels, lang)
    data["frame"] = {"width": FRAME_MM[0], "height": FRAME_MM[1]}
    data["map"] = _shown(labels, labels.drawn.window)
    return data, "sheet.typ", labels


def tiles_data(pack: SheetPack, palette: Palette, lang: str) -> tuple[dict[str, Any], str, Labels]:
    """Give the data of the A4 pages, the name of their template, and the map's labels."""
    labels = labelled(SheetMap(pack, TILES_SCALE, palette), lang)
    tiling = Tiling.of(*labels.drawn.size)
    texts = words(lang)
    data = _common(labels, lang)
    tiles = list(tiling.tiles)
    by_place = {(tile.column, tile.row): tile.label for tile in tiles}

    def glued(column: int, row: int) -> str:
        label = by_place.get((column, row))
        return texts["glue"].format(tile=label) if label else ""

    data |= {
        "assembly": texts["assembly"].format(count=len(tiles)),
        "how": texts["how"].format(
            overlap=f"{OVERLAP_MM:g}", hex=number(labels.drawn.unit, lang, 1)
        ),
        "page": {
            "width": tiling.page[0],
            "height": tiling.page[1],
            "margin": MARGIN_MM,
            "overlap": OVERLAP_MM,
            "columns": tiling.columns,
            "rows": tiling.rows,
        },
        "plan": _plan(pack, palette, labels.drawn, tiling),
        "tiles": [
            {
                "label": tile.label,
                "column": tile.column,
                "row": tile.row,
                "right": glued(tile.column + 1, tile.row),
                "below": glued(tile.column, tile.row + 1),
                "map": _shown(labels, tile.window),
            }
            for tile in tiles
        ],
    }
    return data, "tiles.typ", labels


def fitting_scale(pack: SheetPack, room: tuple[float, float]) -> int:
    """Largest round scale at which the map of a pack holds in a room, millimetres."""
    width, height = size_mm(pack.lattice, 1000)
    rough = 1000 * max(width / room[0], height / room[1])
    scale = max(1, ceil(rough / SCALE_STEP) - 1) * SCALE_STEP
    while any(side > most for side, most in zip(size_mm(pack.lattice, scale), room, strict=True)):
        scale += SCALE_STEP
    return scale


def labelled(drawn: SheetMap, lang: str) -> Labels:
    """Labels of a map, names measured in the sheet's own font."""
    names = quarters_said(drawn.pack.district, lang)
    return Labels(drawn, text_widths([shortened(name) for name in names]), names)


def text_widths(texts: Sequence[str]) -> list[float]:
    """Widths of texts set in the sheet's semibold, in ems."""
    with as_file(files("gis") / "assets" / "sheet") as assets:
        found = typst.query(
            assets / "measure.typ",
            "<widths>",
            field="value",
            one=True,
            root=assets,
            font_paths=[assets / "fonts"],
            ignore_system_fonts=not beyond_our_fonts("".join(texts)),
            sys_inputs={"data": json.dumps(list(texts))},
        )
    return [float(width) for width in json.loads(found)]


def _common(labels: Labels, lang: str) -> dict[str, Any]:
    drawn = labels.drawn
    pack, palette, texts = drawn.pack, drawn.palette, words(lang)
    district, sheet = pack.district, pack.district.sheet
    name = clean(district.name)
    lettering = labels.lettering
    attribution = clean(shown_credit(pack.manifest, lang))
    licence = clean(str(pack.manifest.get("licence") or ""))
    return {
        "lang": lang,
        "mono": palette is MONO,
        "ink": palette.ink,
        "texts": texts | {"alt_map": texts["alt_map"].format(name=name)},
        "name": name,
        "figures": [
            texts["size"].format(
                columns=sheet.columns,
                rows=sheet.rows,
                width=f"{HEX_WIDTH_M:g}",
                active=number(int(district.active.sum()), lang),
            ),
            texts["people"].format(
                residents=number(int(district.residents.sum()), lang),
                unshelterable=number(int(district.unshelterable.sum()), lang),
            ),
        ],
        "lettering": {
            "number": _style(lettering.number, palette.ink, 600) | {"bare": palette.photocopy},
            "faded": _style(lettering.number, palette.faded, 400),
            "shelter": _style(lettering.shelter, "#ffffff", 600),
            "quarter": _style(lettering.name, palette.quarter, 600) | {"plate": True},
        },
        "tables": tables_of(drawn, lang),
        "scale_text": texts["scale"].format(scale=number(drawn.scale, lang)),
        "scale_bar": _scale_bar(drawn.scale, lang),
        "numbering": texts["numbering" if sheet.digits == 2 else "numbering_wide"],
        "north_deg": drawn.north_deg,
        "statement": ground_statement(pack, lang),
        "attribution": f"{attribution}. {licence}".rstrip(". ") + ".",
        "credit": attribution,
        "manifest_sha256": pack.manifest_sha256,
        "qr": _qr(pack.manifest_sha256),
    }


def _style(pt: float, ink: str, weight: int) -> dict[str, Any]:
    return {"pt": round(pt, 3), "ink": ink, "weight": weight, "plate": False, "bare": False}


def _shown(labels: Labels, window: Window) -> dict[str, Any]:
    """A window of the map: its drawing, and the texts of which it shows anything."""
    west, north, east, south = window

    def seen(text: Text) -> bool:
        w, n, e, s = text.box
        return w < east and e > west and n < south and s > north

    return {
        "width": round(east - west, 3),
        "height": round(south - north, 3),
        "svg": svg_of(labels.drawn.layers, window),
        "labels": [
            [
                text.kind,
                round(text.x - west, 3),
                round(text.y - north, 3),
                round(text.width, 3),
                round(text.height, 3),
                text.text,
            ]
            for text in labels.all
            if seen(text)
        ],
    }


def _plan(pack: SheetPack, palette: Palette, drawn: SheetMap, tiling: Tiling) -> dict[str, Any]:
    """The whole map small, under the pages' windows."""
    whole = [
        tiling.columns * tiling.step[0] + OVERLAP_MM,
        tiling.rows * tiling.step[1] + OVERLAP_MM,
    ]
    shrink = min(room / side for room, side in zip(PLAN_MM, whole, strict=True))
    small = SheetMap(pack, round(drawn.scale / shrink), palette)
    west, north = tiling.origin
    return {
        "width": whole[0] * shrink,
        "height": whole[1] * shrink,
        "map": {
            "x": -west * shrink,
            "y": -north * shrink,
            "width": small.size[0],
            "height": small.size[1],
            "svg": svg_of(small.plan_layers, small.window),
            "labels": [],
        },
        "tiles": [_planned(tile, tiling, shrink) for tile in tiling.tiles],
    }


def _planned(tile: Tile, tiling: Tiling, shrink: float) -> dict[str, Any]:
    west, north, east, south = tile.window
    return {
        "label": tile.label,
        "x": (west - tiling.origin[0]) * shrink,
        "y": (north - tiling.origin[1]) * shrink,
        "width": (east - west) * shrink,
        "height": (south - north) * shrink,
    }


def _scale_bar(scale: int, lang: str) -> dict[str, Any]:
    """Four steps of a round length, about 6 to 9 centimetres in all."""
    step_m = max((s for s in _BAR_STEPS_M if s * 1000 / scale <= 22), default=_BAR_STEPS_M[0])
    marks = [step_m * k for k in range(5)]
    return {
        "steps": 4,
        "step_mm": step_m * 1000 / scale,
        "labels": [number(m, lang) for m in marks[:-1]] + [f"{number(marks[-1], lang)} m"],
    }


def _qr(text: str) -> str:
    drawn = BytesIO()
    segno.make(text, error="m", micro=False).save(drawn, kind="svg", border=1, xmldecl=False)
    return drawn.getvalue().decode()


# ------------------------------------------------------------------------------- setting
def _set(template: str, data: dict[str, Any]) -> bytes:
    """Set a template as a PDF; the fonts of the machine serve only scripts that ours lack."""
    own = data["name"] + "".join(row[2] for row in data["tables"]["shelters"]["rows"])
    own += data["attribution"]
    shown = [data["map"]] if "map" in data else [tile["map"] for tile in data["tiles"]]
    own += "".join(label[-1] for part in shown for label in part["labels"])
    return set_pages("gis", f"sheet/{template}", data, own)
