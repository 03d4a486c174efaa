"""The sea from coastlines, land on their left; what cannot be told is counted."""

import numpy as np
import pytest
import shapely

from gis.faces import sea_within
from gis.sea import COASTLINE, with_sea
from gis.sources.osm import read_osm
from tests.gis.osm_files import OsmFile, lattice

FRAME = shapely.box(0, 0, 10, 10)


def lines(*each):
    return np.array([shapely.LineString(line) for line in each], dtype=object)


def test_the_sea_lies_right_of_its_coast():
    north = sea_within(FRAME, lines([(5, -1), (5, 11)]))
    south = sea_within(FRAME, lines([(5, 11), (5, -1)]))
    assert north.shape.equals(shapely.box(5, 0, 10, 10))
    assert south.shape.equals(shapely.box(0, 0, 5, 10))


def test_ways_are_joined_in_any_order_and_twice_told_is_once():
    pieces = lines([(5, 4), (5, 11)], [(5, -1), (5, 2)], [(5, 2), (5, 4)], [(5, 2), (5, 4)])
    assert sea_within(FRAME, pieces).shape.area == pytest.approx(50)


def test_an_island_stands_in_the_sea_and_a_lagoon_in_the_land():
    coast = [(5, -1), (5, 11)]
    island = [(7, 4), (8, 4), (8, 5), (7, 5), (7, 4)]  # against the clock: land inside
    lagoon = [(1, 1), (1, 2), (2, 2), (2, 1), (1, 1)]
    sea = sea_within(FRAME, lines(coast, island, lagoon))
    assert sea.shape.area == pytest.approx(50 - 1 + 1)
    assert (sea.ends_inside, sea.undecided) == (0, 0)


def test_an_island_alone_makes_all_the_rest_sea():
    island = [(4, 4), (5, 4), (5, 5), (4, 5), (4, 4)]
    assert sea_within(FRAME, lines(island)).shape.area == pytest.approx(99)


def test_a_coast_that_ends_inside_parts_nothing_and_is_counted():
    sea = sea_within(FRAME, lines([(5, -1), (5, 6)]))
    assert sea.shape.is_empty
    assert sea.ends_inside == 1


def test_a_coast_cut_at_the_rim_of_the_mapped_area_is_led_to_it():
    rim = shapely.box(-20, -20, 20, 6.5)
    sea = sea_within(FRAME, lines([(5, -1), (5, 6)]), rim, reach=1.0)
    assert sea.shape.equals(shapely.box(5, 0, 10, 6.5))
    assert sea.ends_inside == 0


def test_beyond_the_rim_is_what_most_of_it_has_across():
    rim = shapely.box(-20, -20, 20, 6.5)
    wide = sea_within(FRAME, lines([(2, -1), (2, 6)]), rim, reach=1.0)
    assert wide.shape.area == pytest.approx(8 * 6.5 + 10 * 3.5)


def test_a_coast_with_the_sea_on_both_sides_is_land_and_counted():
    sea = sea_within(FRAME, lines([(4, -1), (4, 11)], [(6, -1), (6, 11)]))
    assert sea.shape.area == pytest.approx(40)
    assert sea.undecided == 1


def test_no_coast_no_sea():
    assert sea_within(FRAME, lines()).shape.is_empty


def test_the_sea_joins_the_open_water_of_an_extract(tmp_path):
    on = lattice(6, 6)
    west, south, east, north = on.bounds
    osm = OsmFile(on)
    for a, b in on.sheet.edges.tolist():
        osm.way([on.centres[a], on.centres[b]], {"highway": "residential"})
    middle = (west + east) / 2
    osm.way([(middle, south - 900), (middle, north + 900)], {"natural": "coastline"})
    read = with_sea(read_osm(osm.write(tmp_path / "port.osm")), on)
    sea = read.water[read.water["kind"] == COASTLINE].to_crs(on.crs).geometry
    assert shapely.intersection(sea[0], shapely.box(*on.bounds)).area == pytest.approx(
        (east - middle) * (north - south), rel=0.01
    )
    assert read.counts["water"] == 1
