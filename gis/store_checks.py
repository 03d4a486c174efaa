"""Sees that a district pack is sound: it may come from anybody, and its hashes prove nothing then.

Whoever sends a pack writes its hashes too. What it holds goes into compiled loops that look at no
bound, into pages and into other programs: so all of it is looked at once, as it is read.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from sim.district import District, Ground, Severity
from sim.errors import DistrictError
from sim.hexes import Sheet
from sim.refusal import refuse
from sim.rules import LinkClass
from sim.signs import lone_surrogate

LAYERS = ("hexes", "links", "quarters", "facilities", "basemap")
"""Tables of a pack that are read."""
MOST_NAME = 10_000
"""Characters of a name; OpenStreetMap takes 255."""
MOST_PERSONS_OF_A_HEX, MOST_PERSONS = 200_000, 20_000_000
"""The densest place ever lived in had 110,000 on a hex (Kowloon Walled City, 1987); hundredths of
all persons are whole numbers of 32 bits."""
MOST_ROAD_M, MOST_ROAD_M2 = 100_000, 1_000_000
"""Of a hex, and of a pixel, which may bear what was moved out of a river beside it."""
HIGHEST_MM = 9_000_000
MOST_PIXELS = 50_000_000
LEAST_PIXEL_M, MOST_PIXEL_M = 0.1, 260.0
MOST_RUNGS, MOST_YEARS = 20, 1_000_000.0
_MOST_VALUE_BYTES = 64_000_000
"""Of one value of the file, outlines of the background too."""
# hidden columns are those of a virtual table (1) and those that are computed (2, 3)
_COMPUTED = "SELECT name FROM pragma_table_xinfo(?) WHERE hidden"
_RTREE = 'CREATE VIRTUAL TABLE "rtree_'


def open_tables(path: Path) -> sqlite3.Connection:
    """Open the GeoPackage of a pack to read its layers: plain tables, which run no code.

    Raises
    ------
    sqlite3.Error
        If it cannot be opened.
    DistrictError
        If a layer is a view, is virtual, or is computed as it is read.
    """
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_VALUE_BYTES)
        db.execute("PRAGMA trusted_schema = OFF")
        db.execute("PRAGMA cell_size_check = ON")
        _require_plain(db, LAYERS)
    except BaseException:
        db.close()
        raise
    db.row_factory = sqlite3.Row
    return db


def _require_plain(db: sqlite3.Connection, names: Iterable[str]) -> None:
    for name in names:
        found = db.execute(
            "SELECT type, rootpage FROM sqlite_schema WHERE name = ? COLLATE NOCASE", (name,)
        ).fetchall()
        if found and [(kind, page > 0) for kind, page in found] != [("table", True)]:
            raise DistrictError(refuse("", "its layer {name} is no plain table", name=str(name)))
        if db.execute(_COMPUTED, (name,)).fetchone() is not None:
            raise DistrictError(
                refuse("", "its layer {name} is computed as it is read", name=str(name))
            )


def require_inert(path: Path) -> None:
    """See that a GeoPackage that somebody sent holds nothing that runs when another program reads.

    Raises
    ------
    DistrictError
        If there is a view in it, a virtual table other than the index of a layer, or a column
        that is computed; or if it lacks the background that maps are drawn over.
    """
    try:
        with closing(open_tables(path)) as db:
            for kind, name, page, made in db.execute(
                "SELECT type, name, rootpage, sql FROM sqlite_schema"
            ).fetchall():
                is_index = str(made).startswith(_RTREE) and " USING rtree(" in str(made)
                if kind == "view" or (kind == "table" and not page and not is_index):
                    raise DistrictError(
                        refuse(
                            "",
                            "{file} holds {name}, which is no plain table",
                            file=path.name,
                            name=f"{name!r:.60}",
                        )
                    )
                if kind == "table" and page and db.execute(_COMPUTED, (name,)).fetchone():
                    raise DistrictError(
                        refuse(
                            "",
                            "{file} computes a column of {name} as it is read",
                            file=path.name,
                            name=f"{name!r:.60}",
                        )
                    )
            db.execute("SELECT kind, name FROM basemap LIMIT 1")  # maps are drawn over it
    except sqlite3.Error as error:
        raise DistrictError(
            refuse("", "{file} cannot be read ({error})", file=path.name, error=f"{error!s:.120}")
        ) from error


def whole_numbers(rows: Sequence[sqlite3.Row], column: str, kind: type) -> Any:
    """Return a column of whole numbers.

    Raises
    ------
    DistrictError
        If there is anything else in it, or a number that is too large.
    """
    values = [row[column] for row in rows]
    if odd := [value for value in values if type(value) is not int]:
        raise DistrictError(
            refuse(
                "",
                "{column} holds {odd}, which is no whole number",
                column=str(column),
                odd=f"{odd[0]!r:.40}",
            )
        )
    if kind is np.bool_ and (odd := [value for value in values if value not in {0, 1}]):
        raise DistrictError(
            refuse(
                "",
                "{column} holds {odd}, which is neither 0 nor 1",
                column=str(column),
                odd=f"{odd[0]!r:.40}",
            )
        )
    return np.array(values, dtype=kind)


def require_sound(district: District) -> None:
    """See that a district's values are such as a build gives.

    Raises
    ------
    DistrictError
        At the first that is not.
    """
    _require_names(district)
    _require_ladder(district.ladder)
    active, quarter, people = district.active, district.quarter, district.residents
    in_one = (quarter >= 0) & (quarter < len(district.quarters))
    highest = np.int32(HIGHEST_MM)
    sound = (
        ("residents", (people >= 0) & (people <= MOST_PERSONS_OF_A_HEX)),
        ("residents", active | (people == 0)),
        ("unshelterable", (district.unshelterable >= 0) & (district.unshelterable <= people)),
        ("road_m", (district.road_m >= 0) & (district.road_m <= MOST_ROAD_M)),
        ("quarter", np.where(active, in_one, quarter == -1)),
        ("elevation_mm", (district.elevation_mm >= -highest) & (district.elevation_mm <= highest)),
        ("sink_mm", (district.sink_mm >= 0) & (district.sink_mm <= highest)),
    )
    for column, fits in sound:
        if not fits.all():
            cell = int(np.flatnonzero(~fits)[0])
            value = getattr(district, column)[cell]
            raise DistrictError(
                refuse(
                    "",
                    "hex {label} has {column} {value}, which no district has",
                    label=str(district.sheet.label(cell)),
                    column=str(column),
                    value=str(value),
                )
            )
    if int(people.sum(dtype=np.int64)) > MOST_PERSONS:
        raise DistrictError(
            refuse(
                "", "it has more than {most_persons} inhabitants", most_persons=f"{MOST_PERSONS:,}"
            )
        )
    classes = (district.link_class >= 0) & (district.link_class <= max(LinkClass))
    if not classes.all():
        raise DistrictError(
            refuse(
                "",
                "a link is of class {link_class} (§3.1)",
                link_class=str(district.link_class[~classes][0]),
            )
        )


def _require_names(district: District) -> None:
    shelters, others = (
        district.shelters,
        (*district.stations, *district.police_stations, *district.technical_centres),
    )
    named = (district.name, *district.quarters, *(one.name for one in (*shelters, *others)))
    for name in named:
        if type(name) is not str or len(name) > MOST_NAME or lone_surrogate(name):
            raise DistrictError(
                refuse(
                    "",
                    "{name} is no name: give a text of up to {most_name} signs",
                    name=f"{name!r:.40}",
                    most_name=f"{MOST_NAME:,}",
                )
            )
    for one in (*shelters, *others):
        if type(one.places) is not int or not 0 <= one.places <= MOST_PERSONS:
            raise DistrictError(
                refuse(
                    "",
                    "{name} has {places} places (§5.2)",
                    name=f"{one.name!r:.40}",
                    places=f"{one.places!r:.40}",
                )
            )


def _require_ladder(ladder: tuple[Severity, ...]) -> None:
    if not 1 <= len(ladder) <= MOST_RUNGS:
        raise DistrictError(
            refuse("", "its ladder has {count} levels (§7.6)", count=str(len(ladder)))
        )
    for rung in ladder:
        fits = type(rung.level) is int and all(
            type(value) in {int, float} and low <= value <= high  # nor is NaN between
            for value, low, high in (
                (rung.level, 1, MOST_YEARS),
                (rung.rain_years, 0, MOST_YEARS),
                (rung.network_efficiency, 0, 1),
                (rung.soaked, 0, 1),
            )
        )
        if not fits:
            raise DistrictError(
                refuse("", "a level of its ladder is {rung} (§7.6)", rung=f"{rung!r:.120}")
            )


def require_sound_raster(source: Any) -> None:
    """See that a raster, opened and not read, is of a size and a form that a ground has.

    Raises
    ------
    DistrictError
        If it is not.
    """
    if source.count != 4 or set(source.dtypes) != {"float32"}:
        raise DistrictError(refuse("", "four bands of single precision are a ground"))
    if source.width * source.height > MOST_PIXELS:
        raise DistrictError(
            refuse(
                "",
                "{width} × {height} pixels: a ground has up to {most_pixels}",
                width=f"{source.width:,}",
                height=f"{source.height:,}",
                most_pixels=f"{MOST_PIXELS:,}",
            )
        )
    if not LEAST_PIXEL_M <= source.transform.a <= MOST_PIXEL_M:
        raise DistrictError(
            refuse(
                "",
                "pixels of {a} m: a ground has {least_pixel_m} to {most_pixel_m}",
                a=f"{source.transform.a:g}",
                least_pixel_m=str(LEAST_PIXEL_M),
                most_pixel_m=f"{MOST_PIXEL_M:g}",
            )
        )


def require_sound_ground(ground: Ground, sheet: Sheet) -> None:
    """See that the water can run over a ground: no loop looks at its bounds again.

    Raises
    ------
    DistrictError
        If a pixel lies in a hex that the sheet has not, or its height or road is no number.
    """
    on = ground.cell >= 0
    high_m = HIGHEST_MM / 1000
    sound = (
        ("hex", (ground.cell >= -1) & (ground.cell < sheet.n_hexes)),
        ("height", ~on | (np.abs(ground.elevation_m) <= high_m)),
        ("road", (ground.road_m2 >= 0) & (ground.road_m2 <= MOST_ROAD_M2)),
    )
    for what, fits in sound:
        if not fits.all():
            raise DistrictError(
                refuse(
                    "",
                    "{value} of its pixels have a {found} that none has",
                    value=f"{int((~fits).sum()):,}",
                    found=str(what),
                )
            )
