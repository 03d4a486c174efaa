"""Fetches a town that is given by name or by place: its OSM extract and its elevation tiles.

Everything fetched is kept under the hash of what was asked, with the hash of what came, so that a
second build asks nobody. Tiles that break off go on where they stopped.
"""

import hashlib
import json
import math
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import platformdirs
import rasterio
import requests
from affine import Affine
from rasterio.errors import RasterioError
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from gis.placement import Bounds, Placement, place_sheet
from gis.provenance import OSM_CREDIT, origin_file
from sim.errors import SourceError
from sim.refusal import reason_of, refuse
from sim.signs import json_of

Tell = Callable[[str, float], None]

MOST_DEG2 = 0.1
"""Largest area asked of Overpass, square degrees: about 30 km square in France."""
MARGIN_DEG = 0.01
"""Ground this far beyond the sheet is fetched too: streets that leave it, pixels beside it."""
CHUNK = 1 << 14
"""Bytes written at once: what a line that breaks off loses at most."""
TRIES = 4
LONGEST_PAUSE_S = 120
BUSY = (429, 500, 502, 503, 504)
TIMEOUT_S = (10.0, 240.0)  # to be answered, then between two pieces of an answer
GONE = 404
PARTIAL, RANGE_PAST_END = 206, 416

DEM_CREDIT = (
    "produced using Copernicus WorldDEM-30 © DLR e.V. 2010-2014 and © Airbus Defence and Space "
    "GmbH 2014-2018 provided under COPERNICUS by the European Union and ESA; all rights reserved"
)
SEA_CREDIT = "open sea: no elevation tile is published there, so 0 m"

# every way in the box with its nodes, multipolygons whole, and the nodes that are places; the
# members of boundaries and routes would bring a country
_QUERY = """[out:xml][timeout:180][maxsize:1073741824];
way({box})->.ways;
rel({box})[type=multipolygon][!boundary]->.areas;
way(r.areas)->.rims;
(node({box}); .ways; .rims; .areas; node(w.ways); node(w.rims););
out meta;"""


@dataclass(frozen=True, slots=True)
class Hosts:
    """Who is asked; ``pause_s`` is the first pause before asking again, doubled each time."""

    nominatim: str = "https://nominatim.openstreetmap.org/search"
    overpass: str = "https://overpass-api.de/api/interpreter"
    dem: str = "https://copernicus-dem-30m.s3.amazonaws.com/{tile}/{tile}.tif"
    pause_s: float = 2.0

    @classmethod
    def at(
        cls, nominatim: str | None = None, overpass: str | None = None, dem: str | None = None
    ) -> "Hosts":
        """Hosts at other addresses, where one is given."""
        usual = cls()
        return cls(nominatim or usual.nominatim, overpass or usual.overpass, dem or usual.dem)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A town as a user gives it: some files, a name or a place for the others."""

    placement: Placement
    osm: Path | None = None
    dems: tuple[Path, ...] = ()
    place: str | None = None
    cache: Path | None = None
    refresh: bool = False
    hosts: Hosts = Hosts()


@dataclass(frozen=True, slots=True)
class TownFiles:
    """Every file of a town, and where its sheet goes; ``found`` is the place's full name."""

    placement: Placement
    osm: Path
    dems: tuple[Path, ...]
    found: str = ""


def town_files(wanted: Wanted, tell: Tell | None = None) -> TownFiles:
    """Fetch what a user does not give of a town.

    Parameters
    ----------
    wanted : Wanted
    tell : callable, optional
        Told the stage and its share done.

    Returns
    -------
    TownFiles
        The files given stand as they were; with both given and no name, nobody is asked.

    Raises
    ------
    SourceError
        If a file is missing and no place is known, no place has that name, the area is too large,
        there is no network, or a host refuses.
    DistrictError
        If the place is impossible.
    """
    tell = tell or (lambda stage, share: None)
    placement, found = wanted.placement, ""
    fetcher = Fetcher(wanted.hosts, wanted.cache or default_cache(), wanted.refresh, tell)
    if wanted.place is not None:
        if placement.bbox is not None or placement.centre is not None:
            raise SourceError(
                refuse("", "both a name and a place were given: give --place, or where it is")
            )
        found, lon, lat = fetcher.locate(wanted.place)
        placement = replace(placement, centre=(lon, lat))
    if wanted.osm is not None and wanted.dems:
        return TownFiles(placement, wanted.osm, wanted.dems, found)
    if placement.bbox is None and placement.centre is None:
        raise SourceError(
            refuse(
                "",
                "no town: give its files (--osm and --dem), or say where it is (--place, "
                "--bbox or --centre) and they are fetched",
            )
        )
    bounds = _widened(place_sheet(placement).bounds_lonlat)
    osm = wanted.osm or fetcher.osm(bounds)
    return TownFiles(placement, osm, wanted.dems or fetcher.dems(bounds), found)


def default_cache() -> Path:
    """Folder of the user's in which what was fetched is kept."""
    return platformdirs.user_cache_path("averse") / "towns"


def tiles_of(bounds: Bounds) -> tuple[tuple[int, int], ...]:
    """South-west corners (lat, lon), whole degrees, of the one-degree tiles under bounds.

    Examples
    --------
    >>> tiles_of((-0.4, 48.9, 0.2, 49.1))
    ((48, -1), (48, 0), (49, -1), (49, 0))

    """
    west, south, east, north = bounds
    return tuple(
        (lat, lon)
        for lat in range(math.floor(south), math.ceil(north))
        for lon in range(math.floor(west), math.ceil(east))
    )


def tile_name(lat: int, lon: int) -> str:
    """Name of a tile of Copernicus GLO-30, by its south-west corner.

    Examples
    --------
    >>> tile_name(49, -1)
    'Copernicus_DSM_COG_10_N49_00_W001_00_DEM'

    """
    northing = f"{'N' if lat >= 0 else 'S'}{abs(lat):02d}_00"
    easting = f"{'E' if lon >= 0 else 'W'}{abs(lon):03d}_00"
    return f"Copernicus_DSM_COG_10_{northing}_{easting}_DEM"


def _widened(bounds: Bounds) -> Bounds:
    west, south, east, north = bounds
    return (
        max(west - MARGIN_DEG, -180.0),
        max(south - MARGIN_DEG, -90.0),
        min(east + MARGIN_DEG, 180.0),
        min(north + MARGIN_DEG, 90.0),
    )


class _GoneError(Exception):
    """The host answers that there is no such file."""


class _SpoiltError(requests.RequestException):
    """An answer came, and is not what was asked for."""


class Fetcher:
    """Asks hosts, and keeps what they answer."""

    def __init__(self, hosts: Hosts, cache: Path, refresh: bool, tell: Tell) -> None:
        self.hosts, self.cache, self.refresh, self.tell = hosts, cache, refresh, tell
        self._session = requests.Session()
        self._session.headers["User-Agent"] = f"averse/{version('averse')} (flood exercises)"
        again = Retry(
            total=TRIES,
            connect=1,  # a host that cannot be reached at all will not be in a minute either
            backoff_factor=hosts.pause_s,
            status_forcelist=BUSY,
            allowed_methods=None,
            retry_after_max=LONGEST_PAUSE_S,
        )
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, HTTPAdapter(max_retries=again))

    # --------------------------------------------------------------------- a name
    def locate(self, place: str) -> tuple[str, float, float]:
        """Full name, longitude and latitude of a named place.

        Raises
        ------
        SourceError
            If no place has that name, or the host cannot be asked.
        """
        if not place.strip():
            raise SourceError(
                refuse("", 'the place has no name: give one, such as --place "Caen, France"')
            )
        url = self.hosts.nominatim
        asked = {"q": place, "format": "jsonv2", "limit": "1"}
        target = self._kept("place", ".json", url, asked)

        def check(path: Path) -> None:
            if _place_in(path, url) is None:
                raise SourceError(
                    refuse(
                        "",
                        "no place named {place} was found; add its country, or say where it is: "
                        "--centre LON,LAT",
                        place=repr(place),
                    )
                )

        if not self._holds(target):
            self.tell("finding the place", 0.0)
            origin = {"url": url, "request": asked}
            with self._ask("GET", url, params=asked) as answer:
                try:
                    self._save(target, answer, origin, check)
                except requests.RequestException as error:
                    raise self._unreached(url, error) from error
        found = _place_in(target, url)
        assert found is not None, "only a place is kept"
        return found

    # --------------------------------------------------------------------- streets
    def osm(self, bounds: Bounds) -> Path:
        """OSM extract of an area, XML.

        Raises
        ------
        SourceError
            If the area is too large, or the host cannot be asked, gives up, or answers otherwise.
        """
        west, south, east, north = bounds
        area = (east - west) * (north - south)
        if area > MOST_DEG2:
            raise SourceError(
                refuse(
                    "",
                    "the sheet covers {area} square degrees: too much to ask of {overpass} (at "
                    "most {most_deg2}); choose a smaller sheet, or give an extract with --osm",
                    area=f"{area:.2f}",
                    overpass=str(_host(self.hosts.overpass)),
                    most_deg2=str(MOST_DEG2),
                )
            )
        box = ",".join(f"{edge:.5f}" for edge in (south, west, north, east))
        asked = {"data": _QUERY.format(box=box)}
        target = self._kept("osm", ".osm", self.hosts.overpass, asked)
        if self._holds(target):
            return target
        self.tell("fetching streets", 0.0)
        origin = {"url": self.hosts.overpass, "request": asked["data"], "credit": OSM_CREDIT}
        for tries_left in reversed(range(TRIES)):
            with self._ask("POST", self.hosts.overpass, data=asked) as answer:
                try:
                    self._save(target, answer, origin, check=self._check_osm)
                    break
                except requests.RequestException as error:
                    if not tries_left:
                        raise self._unreached(self.hosts.overpass, error) from error
        self.tell("fetching streets", 1.0)
        return target

    def _check_osm(self, path: Path) -> None:
        """Refuse what is not a whole extract: Overpass reports its own faults inside the answer."""
        size = path.stat().st_size
        with path.open("rb") as file:
            start = file.read(2_000)
            file.seek(max(0, size - 2_000))
            end = file.read()
        host = _host(self.hosts.overpass)
        if b"<osm" not in start:
            raise SourceError(
                refuse(
                    "",
                    "{host} did not answer with OSM data; try again in a few minutes",
                    host=str(host),
                )
            )
        if b"<remark>" in end:
            remark = end.split(b"<remark>")[1].split(b"</remark>")[0].decode(errors="replace")
            raise SourceError(
                refuse(
                    "",
                    "{host} gave up ({split}); choose a smaller --size, or try again in a few "
                    "minutes",
                    host=str(host),
                    split=" ".join(remark.split())[:200],
                )
            )
        if not end.rstrip().endswith(b"</osm>"):
            raise requests.ConnectionError("the answer breaks off")

    # --------------------------------------------------------------------- ground
    def dems(self, bounds: Bounds) -> tuple[Path, ...]:
        """Elevation tiles under an area, those of land first.

        Raises
        ------
        SourceError
            If no tile is published there, or the host cannot be asked.
        """
        land: list[Path] = []
        sea: list[tuple[int, int]] = []
        for corner in tiles_of(bounds):
            try:
                land.append(self._tile(*corner))
            except _GoneError:
                sea.append(corner)
        if not land:
            raise SourceError(
                refuse(
                    "",
                    "{dem} has no elevation at {bounds}° N, {bounds_2}° E: open sea? Give a "
                    "DEM with --dem",
                    dem=str(_host(self.hosts.dem)),
                    bounds=f"{bounds[1]:.2f}",
                    bounds_2=f"{bounds[0]:.2f}",
                )
            )
        return (*land, *(self._sea_like(land[0], corner) for corner in sea))

    def _tile(self, lat: int, lon: int) -> Path:
        name = tile_name(lat, lon)
        url = self.hosts.dem.replace("{tile}", name)
        # the name stands in the file's: a tile is shared by all the towns on it
        target = self._kept(name, ".tif", url, {})
        if self._holds(target):
            return target
        stage = f"fetching the ground {name[22:-4]}"
        for tries_left in reversed(range(TRIES)):
            try:
                self._resume(target, url, stage)
                break
            except requests.RequestException as error:
                if not tries_left:
                    raise self._unreached(url, error) from error
        return target

    def _resume(self, target: Path, url: str, stage: str) -> None:
        """Fetch a file, going on where an earlier try broke off."""
        part, mark = target.with_suffix(".part"), target.with_suffix(".etag")
        begun = part.stat().st_size if part.is_file() and mark.is_file() else 0
        ask = {"Accept-Encoding": "identity"}
        if begun:
            # the host sends the whole again where the file has changed meanwhile
            ask |= {"Range": f"bytes={begun}-", "If-Range": mark.read_text(encoding="utf-8")}
        with self._ask("GET", url, headers=ask) as answer:
            if answer.status_code == GONE:
                raise _GoneError
            if answer.status_code == RANGE_PAST_END:
                part.unlink(missing_ok=True)
                raise requests.ConnectionError("the part kept is longer than the file")
            going_on = begun and answer.status_code == PARTIAL
            done = begun if going_on else 0
            total = done + int(answer.headers.get("Content-Length", 0))
            self._made()
            # only a strong tag tells that two answers are the same bytes
            tag = answer.headers.get("ETag", "")
            mark.unlink(missing_ok=True)
            if tag and not tag.startswith("W/"):
                mark.write_text(tag, encoding="utf-8")
            with part.open("ab" if going_on else "wb") as file:
                for piece in answer.iter_content(CHUNK):
                    file.write(piece)
                    done += len(piece)
                    self.tell(stage, min(1.0, done / total) if total else 0.0)
        try:
            with rasterio.open(part) as opened:
                opened.checksum(1)
        except RasterioError as error:
            part.unlink(missing_ok=True)
            mark.unlink(missing_ok=True)
            raise _SpoiltError from error
        _keep(part, target, {"url": url, "credit": DEM_CREDIT})
        mark.unlink(missing_ok=True)

    def _sea_like(self, land: Path, corner: tuple[int, int]) -> Path:
        """A tile of open sea, 0 m, with the pixels of a tile of land."""
        lat, lon = corner
        target = self._kept(f"sea_{tile_name(lat, lon)[22:-4]}", ".tif", "", {})
        if self._holds(target):
            return target
        with rasterio.open(land) as like:
            rows, columns, step, crs = like.height, like.width, like.transform, like.crs
        self._made()
        part = target.with_suffix(".part")
        with rasterio.open(
            part,
            "w",
            driver="GTiff",
            width=columns,
            height=rows,
            count=1,
            dtype="float32",
            crs=crs,
            transform=Affine(step.a, 0.0, lon, 0.0, step.e, lat + 1),
            compress="deflate",
        ) as sea:
            sea.write(np.zeros((rows, columns), dtype=np.float32), 1)
        return _keep(part, target, {"credit": SEA_CREDIT})

    # --------------------------------------------------------------------- asking
    def _ask(self, how: str, url: str, **what: Any) -> requests.Response:
        """Answer of a host, its body still to come.

        Raises
        ------
        SourceError
            If the host cannot be reached, stays busy, or refuses; that it has no such file
            (404), or not so much of it (416), is for the caller to judge.
        """
        try:
            answer = self._session.request(how, url, stream=True, timeout=TIMEOUT_S, **what)
        except requests.RequestException as error:
            raise self._unreached(url, error) from error
        except ValueError as error:
            raise SourceError(
                refuse(
                    "",
                    "{url} is not an address that can be asked ({error})",
                    url=repr(url),
                    error=reason_of(error),
                )
            ) from error
        if answer.ok or (how == "GET" and answer.status_code in (GONE, RANGE_PAST_END)):
            return answer
        answer.close()
        raise SourceError(
            refuse(
                "",
                "{url} refused ({status_code} {reason}); give the town's files instead: "
                "--osm and --dem",
                url=str(_host(url)),
                status_code=str(answer.status_code),
                reason=str(answer.reason),
            )
        )

    def _unreached(self, url: str, error: Exception) -> SourceError:
        if isinstance(error, requests.exceptions.RetryError):
            return SourceError(
                refuse(
                    "",
                    "{url} is too busy ({tries} tries); run the same command again in a few "
                    "minutes: what was fetched is kept",
                    url=str(_host(url)),
                    tries=str(TRIES + 1),
                )
            )
        if isinstance(error, _SpoiltError):
            return SourceError(
                refuse(
                    "",
                    "{url} did not answer with what was asked ({tries} tries): does this "
                    "network want you to sign in first? Or give the town's files: --osm and "
                    "--dem",
                    url=str(_host(url)),
                    tries=str(TRIES),
                )
            )
        return SourceError(
            refuse(
                "",
                "{url} cannot be reached: is there a network? Run the same command again "
                "(what was fetched is kept), or give the town's files: --osm and --dem",
                url=str(_host(url)),
            )
        )

    # --------------------------------------------------------------------- keeping
    def _kept(self, name: str, ending: str, url: str, asked: dict[str, str]) -> Path:
        """File that holds the answer to a question, by the question's hash."""
        question = json.dumps([url, asked], sort_keys=True)
        return self.cache / f"{name}-{hashlib.sha256(question.encode()).hexdigest()[:12]}{ending}"

    def _holds(self, target: Path) -> bool:
        """Whether an answer is kept whole; one that was changed since is asked for again."""
        if self.refresh:
            return False
        try:
            origin = json_of(origin_file(target).read_text(encoding="utf-8"))
            return bool(origin["sha256"] == _digest(target))
        except (OSError, ValueError, KeyError, TypeError):
            return False

    def _made(self) -> None:
        try:
            self.cache.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SourceError(
                refuse(
                    "",
                    "cannot keep what is fetched in {cache}: {why}; give another folder with "
                    "--cache",
                    cache=str(self.cache),
                    why=str(error.strerror),
                )
            ) from error

    def _save(
        self,
        target: Path,
        answer: requests.Response,
        origin: dict[str, Any],
        check: Callable[[Path], None] | None,
    ) -> None:
        self._made()
        part = target.with_suffix(f".{os.getpid()}.part")
        try:
            with part.open("wb") as file:
                for piece in answer.iter_content(CHUNK):
                    file.write(piece)
            if check is not None:
                check(part)
            _keep(part, target, origin)
        finally:
            part.unlink(missing_ok=True)


def _place_in(path: Path, url: str) -> tuple[str, float, float] | None:
    """Name, longitude and latitude of the first place of an answer; None where it has none."""
    try:
        found = json_of(path.read_text(encoding="utf-8"))
        if found == []:
            return None
        return (str(found[0]["display_name"]), float(found[0]["lon"]), float(found[0]["lat"]))
    except (ValueError, KeyError, TypeError) as error:
        raise SourceError(
            refuse(
                "",
                "{url} did not answer with a place; try again, or say where the town is: "
                "--centre LON,LAT",
                url=str(_host(url)),
            )
        ) from error


def _keep(part: Path, target: Path, origin: dict[str, Any]) -> Path:
    """Give a whole file its name, and say beside it where it comes from."""
    text = json.dumps(origin | {"sha256": _digest(part)}, indent=1, ensure_ascii=False)
    # first where it comes from: a file without a matching origin is fetched again
    origin_file(target).write_text(text + "\n", encoding="utf-8")
    os.replace(part, target)
    return target


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _host(url: str) -> str:
    return urlsplit(url).netloc or url
