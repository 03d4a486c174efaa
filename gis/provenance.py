"""Where a pack comes from: the hash and date of every source, versions, licences."""

import hashlib
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sim.errors import AverseError, SourceError
from sim.refusal import refuse
from sim.signs import json_of

LIBRARIES = (
    "geopandas",
    "h3",
    "numba",
    "numpy",
    "osmium",
    "pyogrio",
    "pyproj",
    "rasterio",
    "shapely",
)

OSM_CREDIT = "© OpenStreetMap contributors (ODbL)"
OSM_LICENCE = "Open Data Commons Open Database License (ODbL) 1.0"
INVENTED_TOWN = "averse reference town"
"""Generator named in the header of a town that averse drew itself."""
INVENTED_CREDIT = "Invented town, drawn by averse"
INVENTED_LICENCE = "Apache License 2.0"


def credit_and_licence(generator: str) -> tuple[str, str]:
    """Credit to show on every map, and licence, of a pack made from an extract.

    Parameters
    ----------
    generator : str
        Program that wrote the extract, by its header. Only a town that averse invented is not
        OpenStreetMap's data.
    """
    if generator == INVENTED_TOWN:
        return INVENTED_CREDIT, INVENTED_LICENCE
    return OSM_CREDIT, OSM_LICENCE


def source_entry(kind: str, path: Path, date: str = "") -> dict[str, Any]:
    """Manifest entry of one source file.

    Parameters
    ----------
    kind : str
        ``osm``, ``dem`` or ``population``.
    path : Path
    date : str
        Date of the newest data, ISO 8601; '' where the file tells none.

    Raises
    ------
    SourceError
        If the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        size = path.stat().st_size
    except OSError as error:
        raise SourceError(
            refuse(
                "",
                "{path} cannot be read: {why}; check the path",
                path=str(path),
                why=str(error.strerror),
            )
        ) from error
    return {
        "kind": kind,
        "file": path.name,
        "bytes": size,
        "sha256": digest,
        "date": date or None,
        **_origin(path, digest),
    }


def origin_file(path: Path) -> Path:
    """File beside a fetched one that says where it comes from."""
    return path.with_name(f"{path.name}.origin.json")


def _origin(path: Path, digest: str) -> dict[str, str]:
    """Address and credit of a file that was fetched; nothing for any other."""
    try:
        told = json_of(origin_file(path).read_text(encoding="utf-8"))
        if told["sha256"] != digest:
            return {}
        return {key: str(told[key]) for key in ("url", "credit") if key in told}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def require_file(kind: str, path: Path, fault: type[AverseError] = SourceError) -> Path:
    """Return the path of a regular file: a pipe or a device would be waited for without end.

    Parameters
    ----------
    kind : str
        What the file is, as a user calls it.
    path : Path
    fault : type of AverseError
        What is raised.

    Raises
    ------
    SourceError
        Or ``fault``, if there is no such file, or it is a folder, a pipe or a device.
    """
    if path.is_dir():
        raise fault(
            refuse(
                "", "{file_kind} {path} is a folder: give a file", file_kind=kind, path=str(path)
            )
        )
    if path.exists() and not path.is_file():
        raise fault(
            refuse(
                "",
                "{file_kind} {path} is a pipe or a device: save it as a file and give that",
                file_kind=kind,
                path=str(path),
            )
        )
    if not path.is_file():
        raise fault(
            refuse(
                "",
                "{file_kind} {path} does not exist: check the path",
                file_kind=kind,
                path=str(path),
            )
        )
    return path


def library_versions() -> dict[str, str]:
    """Versions of the libraries that shape a pack."""
    return {"averse": version("averse"), **{name: version(name) for name in LIBRARIES}}


_INVENTED = {"fr": "Ville inventée, dessinée par averse", "en": INVENTED_CREDIT}


def shown_credit(manifest: Mapping[str, Any], lang: str) -> str:
    """Return whom to thank for a district's map, as a page in a language prints it.

    >>> shown_credit({"attribution": INVENTED_CREDIT}, "fr"), shown_credit({}, "fr")
    ('Ville inventée, dessinée par averse', '© OpenStreetMap contributors (ODbL)')
    """
    said = str(manifest.get("attribution") or OSM_CREDIT)
    return _INVENTED[lang] if said == INVENTED_CREDIT else said
