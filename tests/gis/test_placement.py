"""Where the sheet goes (§1), and what is refused."""

import pytest

from gis.placement import Placement, place_sheet
from sim.errors import DistrictError


def test_a_centre_and_a_size_lay_a_sheet_over_the_place():
    lattice = place_sheet(Placement(centre=(1.53, 42.52), columns=10, rows=8))
    west, south, east, north = lattice.bounds_lonlat
    assert (lattice.sheet.columns, lattice.sheet.rows) == (10, 8)
    assert (west + east) / 2 == pytest.approx(1.53, abs=1e-3)
    assert (south + north) / 2 == pytest.approx(42.52, abs=1e-3)


def test_a_bounding_box_is_filled_from_inside():
    bbox = (1.4714, 42.4933, 1.5933, 42.5566)
    lattice = place_sheet(Placement(bbox=bbox))
    west, south, east, north = lattice.bounds_lonlat
    assert lattice.sheet.columns >= 40
    assert lattice.sheet.rows >= 25
    assert bbox[0] - 0.003 < west
    assert bbox[1] - 0.003 < south
    assert east < bbox[2] + 0.003
    assert north < bbox[3] + 0.003


def test_the_busiest_place_serves_where_none_was_asked_for():
    lattice = place_sheet(Placement(columns=4, rows=4), busiest=(2.35, 48.85))
    assert lattice.crs.to_epsg() == 32631


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bbox": (1.6, 42.5, 1.5, 42.6)}, "empty or swapped"),
        ({"bbox": (1.5, 42.5, 1.5, 42.6)}, "empty or swapped"),
        ({"bbox": (42.48, 191.4, 42.56, 191.6)}, "not longitude,latitude"),
        ({"bbox": (1.5, 42.5, 1.501, 42.501)}, "too small"),
        ({"columns": 10**400, "rows": 4}, "1 to 999"),
        ({"centre": (42.5, 101.5)}, "swapped"),
        ({"centre": (500.0, 42.5)}, "not longitude,latitude"),
        ({"centre": (1.5, 42.5), "bbox": (1.4, 42.4, 1.6, 42.6)}, "both"),
        ({"centre": (0.0, 89.0)}, "no UTM zone"),
        ({"centre": (1.5, 42.5), "columns": 0}, "from 1 to 999"),
        ({}, "no place for the sheet"),
    ],
)
def test_a_place_that_cannot_be_is_refused_by_name(options, message):
    with pytest.raises(DistrictError, match=message):
        place_sheet(Placement(**options))
