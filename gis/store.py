"""Writes and reads a district pack: ``district.gpkg``, ``ground.tif``, ``manifest.json``.

Reading a district needs the standard library and numpy only, so that a class runs without the GIS
stack: a GeoPackage is an SQLite file (OGC 12-128r19), and the engine wants its attributes alone.
"""

import hashlib
import json
import os
import sqlite3
import tempfile
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from gis.aside import FolderKind, share_as_usual
from gis.store_checks import (
    open_tables,
    require_sound,
    require_sound_ground,
    require_sound_raster,
    whole_numbers,
)
from sim.district import District, Facility, Ground, Severity
from sim.errors import DistrictError, SourceError
from sim.hexes import IntArray, Sheet
from sim.hyetograph import Hyetograph
from sim.refusal import reason_of, refuse
from sim.rules import Fabric, Structure
from sim.water import Truth

GPKG = "district.gpkg"
GROUND = "ground.tif"
MANIFEST = "manifest.json"
MAP = "map.html"
REPORT = "report.html"
TRUTHS = "water"
PACK_VERSION = 1


PACK = FolderKind(
    "a district pack", MANIFEST, "pack_version", (GPKG, GROUND, MANIFEST, MAP, REPORT, TRUTHS)
)
_DAMAGED = (
    sqlite3.Error,
    AttributeError,
    IndexError,
    KeyError,
    OverflowError,
    TypeError,
    ValueError,
)
_UNREADABLE_ARRAY = (
    *(OSError, EOFError, MemoryError, RecursionError, NotImplementedError, RuntimeError),
    *(SyntaxError, tokenize.TokenError, zipfile.BadZipFile, zlib.error),
)
"""What numpy and the archive under it raise at damaged files: a header is read as Python is."""
# entries of a manifest that are read, and their kinds
_ENTRIES: dict[str, type] = {
    "name": str,
    "region": str,
    "sheet": dict,
    "ladder": list,
    "district_sha256": str,
    "ground_sha256": str,
}
_MORE: dict[str, type] = {"report": dict, "sources": list}
"""Entries that a build writes and that nothing is played by."""


def require_no_pack(out: Path) -> Path:
    """Return a folder for files that is no district pack and lies in none.

    A pack goes whole to whoever it is given, and is replaced whole: nothing else is kept in it.

    Raises
    ------
    SourceError
        If it is one, or lies in one.
    """
    try:
        place = out.resolve()
        pack = next(filter(PACK.marked, (place, *place.parents)), None)
    except (OSError, RuntimeError, ValueError):
        return out  # whoever writes there says why it cannot be
    if pack is not None:
        raise SourceError(
            refuse(
                "",
                "{out} is in the district pack {pack}, which is read only: give another --out "
                "folder",
                out=str(out),
                pack=str(pack),
            )
        )
    return out


def read_manifest(pack: Path) -> dict[str, Any]:
    """Return the manifest of a district pack.

    Raises
    ------
    DistrictError
        If the folder is not a pack, or is one of another version.
    """
    path = Path(pack) / MANIFEST
    if Path(pack).is_file():
        raise DistrictError(
            refuse("", "{pack} is a file: give the folder of a district pack", pack=str(pack))
        )
    try:
        manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DistrictError(
            refuse(
                "",
                "{pack} is not a district pack: it has no {file}; make one with `averse build`",
                pack=str(pack),
                file=MANIFEST,
            )
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise DistrictError(
            refuse(
                "",
                "{path} cannot be read ({error}); build the district again",
                path=str(path),
                error=f"{error!s:.120}",
            )
        ) from error
    if not isinstance(manifest, dict) or "pack_version" not in manifest:
        raise DistrictError(
            refuse(
                "", "{path} is not a manifest of averse; build the district again", path=str(path)
            )
        )
    if manifest["pack_version"] != PACK_VERSION:
        raise DistrictError(
            refuse(
                "",
                "{pack} is a district pack of version {found}, this averse reads version {wanted};"
                " build the district again",
                pack=str(pack),
                found=str(manifest["pack_version"]),
                wanted=PACK_VERSION,
            )
        )
    for entry, kind in (*_ENTRIES.items(), *((e, k) for e, k in _MORE.items() if e in manifest)):
        if not isinstance(manifest.get(entry), kind):
            raise DistrictError(
                refuse(
                    "",
                    "{path} has no usable {entry} ({manifest}); build the district again",
                    path=str(path),
                    entry=repr(entry),
                    manifest=f"{manifest.get(entry)!r:.60}",
                )
            )
    return manifest


def read_district(pack: Path) -> District:
    """Return the district of a pack.

    Raises
    ------
    DistrictError
        If the pack is missing, damaged, or does not match its manifest.
    """
    pack = Path(pack)
    manifest = read_manifest(pack)
    try:
        sheet = Sheet(int(manifest["sheet"]["columns"]), int(manifest["sheet"]["rows"]))
        with closing(open_tables(pack / GPKG)) as db:
            district = _district_from(db, sheet, manifest)
        require_sound(district)
    except (*_DAMAGED, DistrictError) as error:
        raise DistrictError(
            refuse(
                "",
                "the pack {pack} is damaged ({error}); build the district again",
                pack=str(pack),
                error=reason_of(error),
            )
        ) from error
    if district.digest != manifest["district_sha256"]:
        raise _changed(pack / GPKG, district.digest, manifest["district_sha256"])
    return district


_OF_HEXES = (
    *("label", "active", "fabric", "residents", "unshelterable", "road_m", "quarter"),
    *("elevation_mm", "sink_mm"),
)
_OF_LINKS = ("a", "b", "class", "structure", "foot", "barrier")
_OF_FACILITIES = ("kind", "label", "name", "places")


def _changed(path: Path, digest: str, built: str) -> DistrictError:
    """Return the fault of a part of a pack that is not what was built."""
    return DistrictError(
        refuse(
            "",
            "{pack} was changed since it was built: its hash is {digest}…, the manifest says "
            "{manifest}…; build the district again",
            pack=str(path),
            digest=digest[:12],
            manifest=str(built[:12]),
        )
    )


def _rows(
    db: sqlite3.Connection, what: str, columns: tuple[str, ...], most: int
) -> list[sqlite3.Row]:
    """Return rows of a layer; raises ``DistrictError`` where there are more than it can have."""
    found = db.execute(f"SELECT {', '.join(columns)} FROM {what} LIMIT ?", (most + 1,)).fetchall()
    if len(found) > most:
        raise DistrictError(
            refuse(
                "",
                "the layer {partition} has more than {most} rows",
                partition=str(what.partition(" ")[0]),
                most=f"{most:,}",
            )
        )
    return found


def _district_from(db: sqlite3.Connection, sheet: Sheet, manifest: Mapping[str, Any]) -> District:
    # the ORDER BYs give hexes and edges back in the sheet's own order, whatever the file's
    hexes = _rows(db, "hexes ORDER BY label", _OF_HEXES, sheet.n_hexes)
    labels = [row["label"] for row in hexes]
    if len(labels) != sheet.n_hexes or labels != [sheet.label(i) for i in range(sheet.n_hexes)]:
        raise DistrictError(refuse("", "the layer hexes has not every hex of the sheet, each once"))
    links = sorted(
        _rows(db, "links", _OF_LINKS, sheet.n_edges),
        key=lambda row: (sheet.index_of(row["a"]), sheet.index_of(row["b"])),
    )
    ends = [[sheet.index_of(row["a"]), sheet.index_of(row["b"])] for row in links]
    if ends != sheet.edges.tolist():
        raise DistrictError(
            refuse("", "the layer links has not every edge of the sheet, each once")
        )
    quarters = _rows(db, "quarters ORDER BY id", ("name",), sheet.n_hexes)
    facilities = _rows(db, "facilities ORDER BY number", _OF_FACILITIES, 4 * sheet.n_hexes)

    def of_hexes(column: str, kind: type) -> Any:
        return whole_numbers(hexes, column, kind)

    def of_links(column: str, kind: type) -> Any:
        return whole_numbers(links, column, kind)

    def of_kind(kind: str) -> tuple[Facility, ...]:
        return tuple(
            Facility(sheet.index_of(row["label"]), row["name"], row["places"] or 0)
            for row in facilities
            if row["kind"] == kind
        )

    return District(
        name=manifest["name"],
        sheet=sheet,
        region=manifest["region"],
        ladder=tuple(Severity(**rung) for rung in manifest["ladder"]),
        active=of_hexes("active", np.bool_),
        fabric=np.array([Fabric[row["fabric"].upper()] for row in hexes], dtype=np.int8),
        residents=of_hexes("residents", np.int32),
        unshelterable=of_hexes("unshelterable", np.int32),
        road_m=of_hexes("road_m", np.int32),
        quarter=of_hexes("quarter", np.int32),
        quarters=tuple(row["name"] for row in quarters),
        link_class=of_links("class", np.int8),
        structure=np.array([Structure[row["structure"].upper()] for row in links], dtype=np.int8),
        foot=of_links("foot", np.bool_),
        barrier=of_links("barrier", np.bool_),
        elevation_mm=of_hexes("elevation_mm", np.int32),
        sink_mm=of_hexes("sink_mm", np.int32),
        shelters=of_kind("shelter"),
        stations=of_kind("station"),
        police_stations=of_kind("police"),
        technical_centres=of_kind("technical"),
        # a pack from before it rains by the rule book's own form
        hyetograph=Hyetograph(**manifest.get("hyetograph", {})),
    )


def read_ground(pack: Path) -> Ground:
    """Return the ground of a pack; needs rasterio.

    Raises
    ------
    DistrictError
        If the raster is missing, damaged, or does not match the manifest.
    """
    import rasterio

    pack = Path(pack)
    manifest = read_manifest(pack)
    try:
        # a driver that reads what it is told to would open any file of this machine
        with rasterio.open(pack / GROUND, driver="GTiff") as source:
            require_sound_raster(source)
            elevation, cell, road, sink = source.read()
            pixel_m = float(source.transform.a)
            placed = _placed_as_said(source, manifest)
        sheet = Sheet(int(manifest["sheet"]["columns"]), int(manifest["sheet"]["rows"]))
    except (rasterio.errors.RasterioError, DistrictError, *_DAMAGED) as error:
        raise DistrictError(
            refuse(
                "",
                "{pack} cannot be read ({error}); build the district again",
                pack=str(pack / GROUND),
                error=reason_of(error),
            )
        ) from error
    ground = Ground(
        pixel_m=pixel_m,
        elevation_m=elevation.astype(np.float32),
        cell=cell.astype(np.int32),
        road_m2=road.astype(np.float32),
        sink=sink > 0,
    )
    try:
        require_sound_ground(ground, sheet)
    except DistrictError as error:
        raise DistrictError(
            refuse(
                "",
                "{pack} cannot be read ({error}); build the district again",
                pack=str(pack / GROUND),
                error=reason_of(error),
            )
        ) from error
    if ground.digest != manifest["ground_sha256"]:
        raise _changed(pack / GROUND, ground.digest, manifest["ground_sha256"])
    if not placed:
        raise DistrictError(
            refuse(
                "",
                "{pack} was moved since it was built: its CRS or its place are not those "
                "of the manifest; build the district again",
                pack=str(pack / GROUND),
            )
        )
    return ground


def _placed_as_said(source: Any, manifest: Mapping[str, Any]) -> bool:
    """Whether a ground's CRS and transform are those of its manifest, where that says them."""
    from pyproj import CRS
    from pyproj.exceptions import CRSError
    from rasterio.transform import Affine

    from gis.lattice import Lattice, PixelGrid

    if not {"crs", "first_hex_m"} <= manifest.keys():
        return True
    try:
        crs, (x0, y0) = CRS.from_user_input(manifest["crs"]), manifest["first_hex_m"]
        sheet = Sheet(int(manifest["sheet"]["columns"]), int(manifest["sheet"]["rows"]))
        lattice = Lattice(sheet, crs, float(x0), float(y0))
        placed = CRS.from_wkt(source.crs.to_wkt()).equals(crs, True) if source.crs else False
    except (*_DAMAGED, CRSError):
        return False
    grid = PixelGrid.under(lattice, float(source.transform.a))
    return placed and bool(source.transform.almost_equals(Affine(*grid.transform), 1e-6))


def read_truth(folder: Path, key: str) -> Truth | None:
    """Return the water kept in a folder under a key, or None where it is not, or was changed."""
    path = Path(folder) / f"{key}.npz"
    try:
        with np.load(path, allow_pickle=False) as kept:
            depth_mm = np.cumsum(kept["rise_mm"].T, axis=0, dtype=np.int32)
            figures = json.loads(str(kept["figures"]))
        if figures.pop("depth_sha256") != _digest(depth_mm):
            return None
        depth_mm.flags.writeable = False
        return Truth(depth_mm=depth_mm, **figures)
    except (*_DAMAGED, *_UNREADABLE_ARRAY):
        return None


def _digest(depth_mm: IntArray) -> str:
    return hashlib.sha256(repr(depth_mm.shape).encode() + depth_mm.tobytes()).hexdigest()


def write_truth(folder: Path, key: str, truth: Truth) -> None:
    """Keep a storm's water under a key; a pack on read-only ground keeps nothing.

    Depths never change under one key, so losing the file costs the time to compute it again.
    """
    figures = {f.name: getattr(truth, f.name) for f in fields(truth) if f.name != "depth_mm"}
    figures["depth_sha256"] = _digest(truth.depth_mm)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(prefix=f".{key}-", suffix=".npz", dir=folder)
        with os.fdopen(handle, "wb") as file:
            # a hex's rises from turn to turn are small and alike: half the bytes of its depths
            rise_mm = np.diff(truth.depth_mm, axis=0, prepend=0).astype(np.int32).T
            np.savez_compressed(file, rise_mm=rise_mm, figures=json.dumps(figures))
        share_as_usual(Path(aside))
        Path(aside).replace(folder / f"{key}.npz")
    except OSError:
        return
