import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from gis.fabric import HEX_AREA_M2, hex_polygons
from gis.overlay import visible_areas
from tests.gis.osm_files import lattice

ON = lattice(4, 3)
CELLS = hex_polygons(ON)
WEST, SOUTH, EAST, NORTH = ON.bounds


def by_shapely(shapes, layer, n_layers):
    """The same areas, polygon by polygon."""
    areas = np.zeros((len(CELLS), n_layers))
    covered = shapely.Polygon()
    for shape, number in zip(shapes, layer, strict=True):
        areas[:, number] += shapely.area(shapely.intersection(CELLS, shape - covered))
        covered |= shape
    return areas


def star(rng):
    """A polygon about the sheet with deep bays, perhaps with a hole, perhaps in two parts."""
    n = int(rng.integers(3, 40))
    turns = np.sort(rng.random(n)) * 2 * np.pi
    reach = rng.uniform(10, 600, n)
    middle = rng.uniform((WEST, SOUTH), (EAST, NORTH))
    ring = middle + reach[:, None] * np.column_stack((np.cos(turns), np.sin(turns)))
    shape = shapely.make_valid(shapely.Polygon(ring), method="structure", keep_collapsed=False)
    if rng.random() < 0.4:
        shape = shape - shapely.Point(middle).buffer(rng.uniform(5, 200), quad_segs=3)
    if rng.random() < 0.3:
        shape |= shapely.box(*rng.uniform((WEST, SOUTH), (EAST, NORTH)), EAST + 50, NORTH + 50)
    return shape


@settings(max_examples=30)
@given(number=st.integers(0, 10**6), count=st.integers(0, 8))
def test_areas_equal_those_of_polygons_cut_one_by_one(number, count):
    rng = np.random.default_rng(number)
    shapes = np.array([star(rng) for _ in range(count)], dtype=object)
    layer = rng.integers(0, 3, count)
    found = visible_areas(ON, shapes, layer, 3)
    assert found == pytest.approx(by_shapely(shapes, layer, 3), abs=1e-3)


def test_neighbours_share_a_border_and_nothing_else():
    middle = (WEST + EAST) / 2
    halves = np.array(
        [shapely.box(WEST, SOUTH, middle, NORTH), shapely.box(middle, SOUTH, EAST, NORTH)]
    )
    found = visible_areas(ON, halves, np.array([0, 1]), 2)
    assert found.sum(axis=1) == pytest.approx(np.full(len(CELLS), HEX_AREA_M2), rel=1e-9)
    assert found[0, 0] == pytest.approx(HEX_AREA_M2)
    assert found[0, 1] == 0


def test_the_same_shape_twice_counts_once_for_the_upper_layer():
    shape = shapely.box(WEST + 50, SOUTH + 50, EAST - 70, NORTH - 30)
    found = visible_areas(ON, np.array([shape, shape]), np.array([1, 0]), 2)
    assert found[:, 0].max() == pytest.approx(0, abs=1e-6)
    assert found[:, 1].sum() == pytest.approx(by_shapely([shape], [1], 2).sum())


def test_zigzags_over_every_side_of_a_hex_are_held():
    x, y = ON.centres[5]
    turns = np.linspace(0, 2 * np.pi, 4_001)[:-1]
    reach = np.where(np.arange(4_000) % 2, 100.0, 170.0)
    ring = shapely.Polygon(np.column_stack((x + reach * np.cos(turns), y + reach * np.sin(turns))))
    found = visible_areas(ON, np.array([ring]), np.array([0]), 1)
    assert found == pytest.approx(by_shapely([ring], [0], 1), abs=1e-3)


def test_what_is_no_polygon_covers_nothing():
    shapes = np.array(
        [shapely.Polygon(), shapely.LineString([(WEST, SOUTH), (EAST, NORTH)])], dtype=object
    )
    assert not visible_areas(ON, shapes, np.array([0, 0]), 1).any()
    assert not visible_areas(ON, shapes[:0], np.array([], dtype=int), 1).any()
