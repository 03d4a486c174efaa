"""Writes and reads a district pack: ``district.gpkg``, ``ground.tif``, ``manifest.json``.

Reading a district needs the standard library and numpy only, so that a class runs without the GIS
stack: a GeoPackage is an SQLite file (OGC 12-128r19), and the engine wants its attributes alone.
"""

import json
import os
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from sim.district import District, Facility, Ground, Severity
from sim.errors import DistrictError, SourceError
from sim.hexes import Sheet
from sim.rules import Fabric, Structure
from sim.water import Truth

GPKG = "district.gpkg"
GROUND = "ground.tif"
MANIFEST = "manifest.json"
MAP = "map.html"
REPORT = "report.html"
TRUTHS = "water"
PACK_VERSION = 1


@contextmanager
def written_aside(folder: Path, marker: str = MANIFEST) -> Iterator[Path]:
    """Yield a fresh folder beside ``folder`` that takes its name once all is written.

    Whatever goes wrong, ``folder`` is left as it was and nothing half-written stays.

    Parameters
    ----------
    folder : Path
    marker : str
        A file by which a folder of the same kind is known: only such a one is replaced.

    Raises
    ------
    SourceError
        If ``folder`` cannot be written, or exists and is of another kind.
    """
    folder = folder.absolute()
    if folder.is_file() or (
        folder.is_dir() and not (folder / marker).is_file() and any(folder.iterdir())
    ):
        raise SourceError(
            f"{folder} exists and holds something else (no {marker} in it); "
            "give another --out folder"
        )
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise SourceError(
            f"cannot write beside {folder}: {error.strerror}; choose another --out folder"
        ) from error
    try:
        yield aside
        aside.chmod(0o777 & ~_umask())
        if folder.exists():
            shutil.rmtree(folder)
        aside.rename(folder)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def read_manifest(pack: Path) -> dict[str, Any]:
    """Return the manifest of a district pack.

    Raises
    ------
    DistrictError
        If the folder is not a pack, or is one of another version.
    """
    path = Path(pack) / MANIFEST
    try:
        manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DistrictError(
            f"{pack} is not a district pack: it has no {MANIFEST}; make one with `averse build`"
        ) from None
    except (OSError, ValueError) as error:
        raise DistrictError(f"{path} cannot be read ({error}); build the district again") from error
    if manifest.get("pack_version") != PACK_VERSION:
        raise DistrictError(
            f"{pack} is a district pack of version {manifest.get('pack_version')}, this averse "
            f"reads version {PACK_VERSION}; build the district again"
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
    sheet = Sheet(manifest["sheet"]["columns"], manifest["sheet"]["rows"])
    try:
        with closing(
            sqlite3.connect(f"{(pack / GPKG).absolute().as_uri()}?mode=ro", uri=True)
        ) as db:
            db.row_factory = sqlite3.Row
            district = _district_from(db, sheet, manifest)
    except (sqlite3.Error, IndexError, KeyError, ValueError) as error:
        raise DistrictError(
            f"{pack / GPKG} cannot be read ({error}); build the district again"
        ) from error
    if district.digest != manifest["district_sha256"]:
        raise DistrictError(
            f"{pack / GPKG} was changed since it was built: its hash is "
            f"{district.digest[:12]}…, the manifest says {manifest['district_sha256'][:12]}…; "
            "build the district again"
        )
    return district


def _district_from(db: sqlite3.Connection, sheet: Sheet, manifest: Mapping[str, Any]) -> District:
    # the ORDER BYs give hexes and edges back in the sheet's own order, whatever the file's
    hexes = db.execute("SELECT * FROM hexes ORDER BY label").fetchall()
    links = sorted(
        db.execute("SELECT * FROM links").fetchall(),
        key=lambda row: (sheet.index_of(row["a"]), sheet.index_of(row["b"])),
    )
    quarters = db.execute("SELECT name FROM quarters ORDER BY id").fetchall()
    facilities = db.execute("SELECT * FROM facilities ORDER BY number").fetchall()

    def of_hexes(column: str, kind: type) -> Any:
        return np.array([row[column] for row in hexes], dtype=kind)

    def of_links(column: str, kind: type) -> Any:
        return np.array([row[column] for row in links], dtype=kind)

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
        with rasterio.open(pack / GROUND) as source:
            elevation, cell, road, sink = source.read()
            pixel_m = float(source.transform.a)
    except (rasterio.errors.RasterioError, ValueError) as error:
        raise DistrictError(
            f"{pack / GROUND} cannot be read ({error}); build the district again"
        ) from error
    ground = Ground(
        pixel_m=pixel_m,
        elevation_m=elevation.astype(np.float32),
        cell=cell.astype(np.int32),
        road_m2=road.astype(np.float32),
        sink=sink > 0,
    )
    if ground.digest != manifest["ground_sha256"]:
        raise DistrictError(
            f"{pack / GROUND} was changed since it was built: its hash is {ground.digest[:12]}…, "
            f"the manifest says {manifest['ground_sha256'][:12]}…; build the district again"
        )
    return ground


def read_truth(pack: Path, key: str) -> Truth | None:
    """Return the water kept in a pack under a key, or None where it is not (or is damaged)."""
    path = Path(pack) / TRUTHS / f"{key}.npz"
    try:
        with np.load(path, allow_pickle=False) as kept:
            depth_mm = kept["depth_mm"].astype(np.int32)
            figures = json.loads(str(kept["figures"]))
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        return None
    depth_mm.flags.writeable = False
    return Truth(depth_mm=depth_mm, **figures)


def write_truth(folder: Path, key: str, truth: Truth) -> None:
    """Keep a storm's water under a key; a pack on read-only ground keeps nothing.

    Depths never change under one key, so losing the file costs the time to compute it again.
    """
    figures = {f.name: getattr(truth, f.name) for f in fields(truth) if f.name != "depth_mm"}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(prefix=f".{key}-", suffix=".npz", dir=folder)
        with os.fdopen(handle, "wb") as file:
            np.savez_compressed(file, depth_mm=truth.depth_mm, figures=json.dumps(figures))
        Path(aside).replace(folder / f"{key}.npz")
    except OSError:
        return
