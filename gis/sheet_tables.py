"""Tables and legend of the printed sheet, from the rules' own objects and the district."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import shapely

from gis.lattice import Float64Array
from gis.sheet_labels import clean
from gis.sheet_map import SheetMap, SheetPack, kinds_of
from gis.sheet_svg import Layer, layer, svg_of
from gis.sheet_words import number, words
from gis.waters import rain_on_the_sheet_only
from gis.wording import brief
from sim.district import District
from sim.rules import (
    DEPTH_FACTOR_TENTHS,
    FOOT_CAPACITY,
    HEX_WIDTH_M,
    HOURS,
    LINKS,
    WATERS,
    Fabric,
    LinkClass,
    Structure,
    Water,
)
from sim.situation import situation_at

Row = list[str]
SWATCH_MM = (7.0, 3.4)


def fabric_rows(district: District, lang: str) -> list[Row]:
    """§2: label, residents per hectare, unshelterable, runoff, retention, network."""
    texts = words(lang)
    rows = []
    for fabric in Fabric:
        row = district.fabric_rows[fabric]
        rows.append(
            [
                getattr(row, f"label_{lang}"),
                number(row.residents_per_ha, lang),
                percent(float(row.unshelterable), lang),
                number(row.runoff, lang, 2),
                number(row.retention, lang, 2),
                number(row.network_mm_h, lang) if row.network_mm_h else texts["none"],
            ]
        )
    return rows


def link_rows(district: District, lang: str) -> list[Row]:
    """§3.1: class, label, cost, number on this sheet, walkers that a link carries in a turn."""
    texts = words(lang)
    counts = np.bincount(district.link_class, minlength=len(LinkClass))
    return [
        [
            str(int(link)),
            getattr(row, f"label_{lang}"),
            texts["forbidden"] if row.cost is None else str(row.cost),
            number(int(counts[link]), lang),
            number(FOOT_CAPACITY[link], lang) if link in FOOT_CAPACITY else "–",
        ]
        for link, row in LINKS.items()
    ]


def water_rows(lang: str) -> list[Row]:
    """§4: class, label, depth, what vehicles pay, whether pedestrians pass."""
    texts = words(lang)
    # a bound of 701 mm is printed as "over 70 cm"
    bounds = [row.from_mm // 10 for row in WATERS.values()]
    rows = []
    for at, (water, row) in enumerate(WATERS.items()):
        if water == min(Water):
            depth = texts["under"].format(high=bounds[1])
        elif water == max(Water):
            depth = texts["over"].format(low=bounds[at])
        else:
            depth = texts["between"].format(low=bounds[at], high=bounds[at + 1])
        if row.surcharge is None:
            pays = texts["closed"]
        else:
            pays = texts["points"].format(points=row.surcharge) if row.surcharge else texts["free"]
        rows.append(
            [
                str(int(water)),
                getattr(row, f"label_{lang}"),
                depth,
                pays,
                texts["open"] if row.pedestrians else texts["stopped"],
            ]
        )
    return rows


def situation_rows(district: District, lang: str) -> list[Row]:
    """§8.2 with this district's own figures: hour, people to shelter, cover, what changes."""
    texts = words(lang)
    places = sum(shelter.places for shelter in district.shelters)
    rows = []
    for hour, row in HOURS.items():
        people = int(situation_at(district, hour).to_shelter.sum())
        rows.append(
            [
                getattr(row, f"label_{lang}"),
                number(people, lang),
                percent(places / people, lang) if people else "–",
                texts[f"changes_{hour}"].format(
                    mobile=row.mobile_percent, night=row.night_from_turn
                ),
            ]
        )
    return rows


def shelter_rows(district: District, lang: str) -> list[Row]:
    """Shelters: number, hex, name, places."""
    return [
        [
            str(at),
            district.sheet.label(shelter.cell),
            clean(shelter.name),
            number(shelter.places, lang),
        ]
        for at, shelter in enumerate(district.shelters, 1)
    ]


def ground_statement(pack: SheetPack, lang: str) -> str:
    """What §7.7 and 7.8 want said of the ground of a pack."""
    return ground_words(pack.manifest, lang)


def ground_words(manifest: Mapping[str, Any], lang: str) -> str:
    """What §7.7 and 7.8 want said of the ground, from its manifest."""
    texts = words(lang)
    terrain = manifest.get("report", {}).get("terrain", {})
    if not {"native_pixel_m", "pixel_m", "pixels_per_hex"} <= terrain.keys():
        return str(manifest.get("ground_statement") or texts["not_a_map"])
    step = terrain.get("vertical_step_m")
    shown = texts["step"].format(n=brief(step, lang)) if step else texts["no_step"]
    ground = texts["ground"].format(
        step=shown,
        native=number(terrain["native_pixel_m"], lang),
        pixel=number(terrain["pixel_m"], lang),
        pixels=number(terrain["pixels_per_hex"], lang),
    )
    # §7.7: a sheet knows no scenario, so it says what rain alone would leave out
    only = texts["sheet_rain"] if rain_on_the_sheet_only(manifest) else ""
    return " ".join(filter(None, (texts["not_a_map"], ground, only)))


def percent(share: float, lang: str) -> str:
    """Whole percentage, as the language writes it."""
    return f"{number(100 * share, lang)}{chr(0x202F) if lang == 'fr' else ''}%"


def tables_of(drawn: SheetMap, lang: str) -> dict[str, Any]:
    """Every table and the legend, with their swatches, for the page's template."""
    district, texts = drawn.pack.district, words(lang)
    places = sum(shelter.places for shelter in district.shelters)
    return {
        "fabric": {
            "head": [
                texts[k]
                for k in ("fabric", "per_ha", "unshelterable", "runoff", "retention", "network")
            ],
            "rows": fabric_rows(district, lang),
            "swatches": [_swatch(_fabric(drawn, fabric)) for fabric in Fabric],
        },
        "links": {
            "head": [texts[k] for k in ("links", "cost", "count", "capacity")],
            "rows": link_rows(district, lang),
            "swatches": [_swatch(_link(drawn, link)) for link in LINKS],
        },
        "water": {
            "head": [texts[k] for k in ("water", "depth", "vehicles", "walkers")],
            "rows": water_rows(lang),
        },
        "situation": {
            "head": [texts[k] for k in ("hour", "to_shelter", "cover", "changes")],
            "rows": situation_rows(district, lang),
            "note": texts["cover_note"].format(
                shelters=len(district.shelters), places=number(places, lang)
            ),
        },
        "shelters": {
            "head": [texts[k] for k in ("hex", "place_name", "places")],
            "rows": shelter_rows(district, lang),
        },
        "legend": legend(drawn, lang),
    }


def legend(drawn: SheetMap, lang: str) -> list[dict[str, str]]:
    """Signs that no table explains."""
    district, texts = drawn.pack.district, words(lang)
    unit = SWATCH_UNIT
    across = _across()
    middle = np.array([[SWATCH_MM[0] / 2, SWATCH_MM[1] / 2]])
    box = shapely.box(0.3, 0.3, SWATCH_MM[0] - 0.3, SWATCH_MM[1] - 0.3)
    green = shapely.box(SWATCH_MM[0] / 2, 0.3, SWATCH_MM[0] - 0.3, SWATCH_MM[1] - 0.3)
    line = shapely.linestrings(across)
    small = _at_unit(drawn, unit)
    entries = [
        ("quarter_limit", texts["quarter_limit"], list(small.quarter_layers(line))),
        ("barrier", texts["barrier"], list(small.barrier_layers(across))),
        ("foot_link", texts["foot_link"], list(small.foot_layers(_wide(across)))),
    ]
    for key, structure in (("bridge", Structure.BRIDGE), ("underpass", Structure.UNDERPASS)):
        factor = number(DEPTH_FACTOR_TENTHS[structure] / 10, lang, 1)
        shown = [
            *small.link_layers(LinkClass.SECONDARY, across),
            *small.structure_layers(structure, across),
        ]
        entries.append((key, texts[key].format(factor=factor), shown))
    for kind, facilities in kinds_of(district):
        label = texts[kind].format(n=len(facilities))
        entries.append((kind, label, list(small.sign_layers(kind, middle))))
    entries += [
        ("open_water", texts["open_water"], list(small.water_layers(box))),
        ("rail", texts["rail"], list(small.rail_layers(line))),
        (
            "inactive",
            texts["inactive_green" if drawn.palette.green else "inactive"],
            [
                layer([box], fill=drawn.palette.paper),
                layer([green], fill=drawn.palette.green),
                layer([box], stroke=drawn.palette.mesh, width=0.08),
            ],
        ),
    ]
    return [{"key": key, "label": label, "svg": _swatch(layers)} for key, label, layers in entries]


SWATCH_UNIT = 8.4
"""Hex width for which swatches are drawn, millimetres: that of the reference sheet on A3."""


def _at_unit(drawn: SheetMap, unit: float) -> SheetMap:
    """The same map at a scale at which a hex has a width."""
    return SheetMap(drawn.pack, round(HEX_WIDTH_M * 1000 / unit), drawn.palette)


def _across() -> Float64Array:
    y = SWATCH_MM[1] / 2
    return np.array([[[0.2, y], [SWATCH_MM[0] - 0.2, y]]])


def _wide(ends: Float64Array) -> Float64Array:
    """Ends of which the stub is as long as the swatch."""
    middle = ends.mean(axis=1, keepdims=True)
    wide: Float64Array = middle + (ends - middle) * 2.5
    return wide


def _fabric(drawn: SheetMap, fabric: Fabric) -> list[Layer]:
    box = shapely.box(0.2, 0.2, SWATCH_MM[0] - 0.2, SWATCH_MM[1] - 0.2)
    rim = Layer(np.array([box]), stroke=drawn.palette.mesh, width=0.1)
    return [*_at_unit(drawn, SWATCH_UNIT).fabric_layers(fabric, box), rim]


def _link(drawn: SheetMap, link: LinkClass) -> list[Layer]:
    if link == LinkClass.NONE:
        return []
    ends = _wide(_across()) if link == LinkClass.LOCAL else _across()
    return list(_at_unit(drawn, SWATCH_UNIT).link_layers(link, ends))


def _swatch(layers: list[Layer]) -> str:
    return svg_of(layers, (0.0, 0.0, *SWATCH_MM)) if layers else ""
