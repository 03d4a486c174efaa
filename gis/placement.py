"""Where the sheet goes: from a bounding box, a centre and size, or the busiest place (§1)."""

import math
from dataclasses import dataclass

from pyproj import CRS, Transformer

from gis.lattice import COLUMN_STEP_M, Lattice, utm_crs
from sim.errors import DistrictError
from sim.hexes import Sheet
from sim.refusal import mark, refuse
from sim.rules import HEX_WIDTH_M, SHEET_COLUMNS, SHEET_ROWS

Bounds = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Placement:
    """What was asked about the sheet's place; degrees, longitude first."""

    bbox: Bounds | None = None
    centre: tuple[float, float] | None = None
    columns: int = SHEET_COLUMNS
    rows: int = SHEET_ROWS

    def __post_init__(self) -> None:
        if self.bbox is not None and self.centre is not None:
            raise DistrictError(
                refuse(
                    "",
                    "both a bounding box and a centre were given: give --bbox, or --centre and "
                    "--size",
                )
            )
        if self.bbox is not None:
            check_bbox(self.bbox)
        Sheet(self.columns, self.rows)  # refuses a size that no sheet has
        if self.centre is not None:
            check_lonlat(mark("centre"), *self.centre)


def check_lonlat(what: str, lon: float, lat: float) -> None:
    """Refuse a place that is not on Earth.

    Raises
    ------
    DistrictError
        With a hint when longitude and latitude look swapped.
    """
    if -180 <= lon <= 180 and -90 <= lat <= 90:
        return
    swapped = -180 <= lat <= 180 and -90 <= lon <= 90
    hint = refuse("", "; swapped? try {lat},{lon}", lat=str(lat), lon=str(lon)) if swapped else ""
    raise DistrictError(
        refuse(
            "",
            "{what} {lon},{lat} is not longitude,latitude in degrees{hint}",
            what=what,
            lon=str(lon),
            lat=str(lat),
            hint=hint,
        )
    )


def check_bbox(bbox: Bounds) -> None:
    """Refuse an empty, swapped or impossible bounding box.

    Raises
    ------
    DistrictError
        Saying what was found and the order that is wanted.
    """
    west, south, east, north = bbox
    check_lonlat(mark("bounding box corner"), west, south)
    check_lonlat(mark("bounding box corner"), east, north)
    if west >= east or south >= north:
        raise DistrictError(
            refuse(
                "",
                "bounding box {west},{south},{east},{north} is empty or swapped: give "
                "west,south,east,north in degrees, west below east and south below north",
                west=str(west),
                south=str(south),
                east=str(east),
                north=str(north),
            )
        )


def place_sheet(placement: Placement, busiest: tuple[float, float] | None = None) -> Lattice:
    """Lay the sheet that was asked for.

    Parameters
    ----------
    placement : Placement
    busiest : (lon, lat), optional
        Centre to take when neither a bounding box nor a centre was asked for.

    Raises
    ------
    DistrictError
        If the bounding box is too small for 2 × 2 hexes, or no place is known.
    """
    if placement.bbox is not None:
        return _sheet_in(placement.bbox)
    centre = placement.centre or busiest
    if centre is None:
        raise DistrictError(
            refuse("", "no place for the sheet: give --bbox, or --centre and --size")
        )
    return Lattice.centred(Sheet(placement.columns, placement.rows), *centre)


def _sheet_in(bbox: Bounds) -> Lattice:
    west, south, east, north = bbox
    lon, lat = (west + east) / 2, (south + north) / 2
    crs: CRS = utm_crs(lon, lat)
    to_metres = Transformer.from_crs("EPSG:4326", crs, always_xy=True)
    x0, y0, x1, y1 = to_metres.transform_bounds(west, south, east, north)
    columns = math.floor((x1 - x0 - COLUMN_STEP_M / 3) / COLUMN_STEP_M)
    rows = math.floor((y1 - y0 - HEX_WIDTH_M / 2) / HEX_WIDTH_M)
    if columns < 2 or rows < 2:
        raise DistrictError(
            refuse(
                "",
                "bounding box {west},{south},{east},{north} is {x1} × {y1} m: too small "
                "for a sheet of {hex_width_m} m hexes; widen it to 800 m at least",
                west=str(west),
                south=str(south),
                east=str(east),
                north=str(north),
                x1=f"{x1 - x0:.0f}",
                y1=f"{y1 - y0:.0f}",
                hex_width_m=f"{HEX_WIDTH_M:.0f}",
            )
        )
    return Lattice.centred(Sheet(columns, rows), lon, lat, crs)
