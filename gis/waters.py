"""Where a scenario's water lies: water bodies by name or hex, watercourses at the rim (§7.7)."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gis.store import GPKG, GROUND
from sim.district import BoolArray, Ground
from sim.errors import ExerciseError
from sim.hexes import Sheet
from sim.refusal import refuse

SHARED_BED_M = 0.5
"""An inflow is spread over the pixels beside the lowest one that lie at most so much higher."""
NAMES_SAID = 8
MOST_OUTSIDE = 0.20
"""Share of a catchment outside the sheet above which it rains "on the sheet only" (§7.7)."""


def water_named(pack: Path, ground: Ground, name: str) -> BoolArray:
    """(n_row, n_col) open water inside the sheet under the areas of one name in the background.

    Raises
    ------
    ExerciseError
        If no open water of the sheet bears the name.
    """
    import pyogrio
    import rasterio
    from rasterio.features import rasterize

    layer = pyogrio.read_dataframe(
        pack / GPKG, layer="basemap", columns=["kind", "name"], where="kind IN ('water', 'stream')"
    )
    areas = layer[layer["kind"] == "water"]
    found = areas[areas["name"] == name]
    with rasterio.open(pack / GROUND) as raster:
        transform = raster.transform
    pixels = np.zeros(ground.sink.shape, bool)
    if len(found):
        pixels = rasterize(
            found.geometry, out_shape=pixels.shape, transform=transform, all_touched=True
        ).astype(bool)
    pixels &= _open_water(ground)
    if pixels.any():
        return pixels
    if name in set(layer["name"]):
        raise ExerciseError(
            refuse(
                "",
                "{name} has no area of open water on the sheet, only a line, whose level "
                "follows from the water in it: bring it an inflow instead",
                name=repr(name),
            )
        )
    names = sorted({str(n) for n in areas["name"] if n})
    known = ", ".join(names[:NAMES_SAID]) + ", …" * (len(names) > NAMES_SAID)
    raise ExerciseError(
        refuse(
            "",
            "no open water is called {name} on the background of {name_2} ({known}): "
            "give one of these, or a hex that it touches",
            name=repr(name),
            name_2=pack.name,
            known=known or refuse("", "none has a name"),
        )
    )


def water_at(ground: Ground, sheet: Sheet, cell: int) -> BoolArray:
    """(n_row, n_col) open water inside the sheet that is joined to what a hex holds of it.

    Raises
    ------
    ExerciseError
        If no open water touches the hex.
    """
    water = _open_water(ground)
    pixels = water & _spread(ground.cell == cell)
    if not pixels.any():
        raise ExerciseError(
            refuse(
                "",
                "no open water touches hex {label}: give a hex beside it, or its name",
                label=str(sheet.label(cell)),
            )
        )
    while True:
        wider = water & _spread(pixels)
        if np.array_equal(wider, pixels):
            return pixels
        pixels = wider


def entry_pixels(ground: Ground, sheet: Sheet, cell: int) -> BoolArray:
    """(n_row, n_col) bed of the watercourse that enters at a hex of the rim: its lowest ground.

    The pixels that give on the outside are left out, lest the water run out across the rim.

    Raises
    ------
    ExerciseError
        If the hex is not on the rim, or open water there would swallow what comes.
    """
    label = sheet.label(cell)
    if (sheet.neighbours[cell] >= 0).all():
        raise ExerciseError(
            refuse(
                "",
                "hex {label} is not on the rim of the sheet, where a watercourse enters: "
                "give one that is",
                label=str(label),
            )
        )
    inner = (ground.cell == cell) & ~_spread(np.pad(ground.cell, 1, constant_values=-1) < 0)[
        1:-1, 1:-1
    ]
    if not inner.any():
        inner = ground.cell == cell
    height = np.where(inner, ground.elevation_m, np.inf)
    lowest = np.unravel_index(int(np.argmin(height)), height.shape)
    if ground.sink[lowest]:
        raise ExerciseError(
            refuse(
                "",
                "the watercourse of hex {label} is open water, held at its level, which "
                "would swallow the inflow (§7.3): give that water a [[level]] in time "
                "instead",
                label=str(label),
            )
        )
    bed = np.zeros(inner.shape, bool)
    bed[lowest] = True
    bed = _spread(bed) & inner & ~ground.sink & (height <= height[lowest] + SHARED_BED_M)
    return np.asarray(bed, bool)


def entry_of(manifest: Mapping[str, Any], name: str) -> str:
    """Label of the rim hex at which a named watercourse enters, as the build found it.

    Raises
    ------
    ExerciseError
        If none of that name enters, or more than one.
    """
    entries = manifest.get("report", {}).get("catchments", {}).get("entries", [])
    labels = sorted({entry["hex"] for entry in entries if entry["name"] == name})
    if len(labels) == 1:
        return str(labels[0])
    if labels:
        raise ExerciseError(
            refuse(
                "",
                "{name} enters the sheet at hexes {labels}: give one of them as hex",
                name=repr(name),
                labels=", ".join(labels),
            )
        )
    names = sorted({str(entry["name"]) for entry in entries if entry["name"]})
    raise ExerciseError(
        refuse(
            "",
            "no watercourse called {name} enters the sheet ({names}): give the rim hex "
            "where it enters",
            name=repr(name),
            names=", ".join(names[:NAMES_SAID]) or refuse("", "the pack names none"),
        )
    )


def rain_on_the_sheet_only(
    manifest: Mapping[str, Any], brought: Iterable[str] = ()
) -> list[Mapping[str, Any]]:
    """Entries of a pack's manifest above 20 % outside for which no inflow is given (§7.7).

    Parameters
    ----------
    brought : iterable of str
        Labels of the rim hexes at which a scenario brings an inflow.
    """
    known = set(brought)
    entries = manifest.get("report", {}).get("catchments", {}).get("entries", [])
    return [e for e in entries if e["share"] > MOST_OUTSIDE and e["hex"] not in known]


def _open_water(ground: Ground) -> BoolArray:
    inside: BoolArray = ground.sink & (ground.cell >= 0)
    return inside


def _spread(pixels: BoolArray) -> BoolArray:
    """Pixels and the eight around each."""
    wide = np.pad(pixels, 1)
    rows, columns = pixels.shape
    parts = [wide[r : r + rows, c : c + columns] for r in range(3) for c in range(3)]
    return np.asarray(np.logical_or.reduce(parts), bool)
