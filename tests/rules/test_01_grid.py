"""§1 Grid, and the counts of §3.1 that must sum to it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyproj import CRS

from gis.lattice import Lattice
from sim.errors import DistrictError
from sim.hexes import SIDE_STEPS, Sheet
from sim.rules import HEX_AREA_HA, HEX_SIDE_M, HEX_WIDTH_M, LINKS

sheets = st.builds(Sheet, st.integers(1, 40), st.integers(1, 40))


@pytest.fixture(scope="module")
def lattice() -> Lattice:
    return Lattice(Sheet(44, 28), CRS.from_epsg(32631), 400_000.0, 5_000_000.0)


def test_1_1_a_hex_is_260_m_wide_with_the_printed_side_and_area():
    assert HEX_WIDTH_M == 260
    assert pytest.approx(150.11, abs=0.005) == HEX_SIDE_M
    assert pytest.approx(5.8543, abs=5e-5) == HEX_AREA_HA


@given(sheet=sheets, data=st.data())
def test_1_1_each_neighbour_is_one_hex_width_away(sheet, data):
    cell = data.draw(st.integers(0, sheet.n_hexes - 1))
    centres = Lattice(sheet, CRS.from_epsg(32631), 400_000.0, 5_000_000.0).centres
    for other in sheet.neighbours[cell]:
        if other >= 0:
            apart = np.hypot(*(centres[cell] - centres[other]))
            assert apart == pytest.approx(HEX_WIDTH_M, abs=1e-6)
            assert sheet.distance(cell, other) == 1


@given(sheet=sheets, data=st.data())
def test_1_1_sides_run_clockwise_from_north(sheet, data):
    cell = data.draw(st.integers(0, sheet.n_hexes - 1))
    centres = Lattice(sheet, CRS.from_epsg(32631), 0.0, 0.0).centres
    for side, other in enumerate(sheet.neighbours[cell]):
        if other >= 0:
            east, north = centres[other] - centres[cell]
            bearing = np.degrees(np.arctan2(east, north)) % 360
            assert bearing == pytest.approx(60 * side, abs=1e-6)
            assert sheet.neighbours[other][(side + 3) % len(SIDE_STEPS)] == cell


def test_1_3_number_is_column_then_row_from_01():
    sheet = Sheet(44, 28)
    assert sheet.label(0) == "0101"
    assert sheet.label(sheet.n_hexes - 1) == "4428"
    cell = sheet.index_of("2314")
    assert divmod(cell, sheet.rows) == (22, 13)


def test_1_3_odd_columns_are_the_higher_ones(lattice):
    north = lattice.centres[:, 1]
    index = lattice.sheet.index_of
    assert north[index("0101")] > north[index("0201")]
    assert north[index("0301")] == north[index("0101")]


def test_1_3_beyond_99_columns_every_label_takes_three_digits():
    sheet = Sheet(100, 5)
    assert sheet.label(0) == "001001"
    assert sheet.index_of("100005") == sheet.n_hexes - 1


@given(sheet=sheets)
def test_1_3_labels_ascend_with_the_index_and_come_back(sheet):
    labels = [sheet.label(i) for i in range(sheet.n_hexes)]
    assert labels == sorted(labels)
    assert [sheet.index_of(label) for label in labels] == list(range(sheet.n_hexes))


@pytest.mark.parametrize("label", ["", "0000", "4501", "0129", "101", "01 1", "²301", "-101"])
def test_1_3_a_number_off_the_sheet_is_named(label):
    with pytest.raises(DistrictError, match="not on the sheet"):
        Sheet(44, 28).index_of(label)


@given(sheet=sheets)
def test_1_4_shared_edges(sheet):
    c, r = sheet.columns, sheet.rows
    pairs = {
        tuple(sorted((i, int(j)))) for i in range(c * r) for j in sheet.neighbours[i] if j >= 0
    }
    assert len(pairs) == 3 * c * r - 2 * c - 2 * r + 1 == sheet.n_edges
    assert sorted(pairs) == [tuple(edge) for edge in sheet.edges.tolist()]


def test_1_4_class_counts_of_the_reference_sheet_sum_to_its_edges():
    assert sum(row.reference_count for row in LINKS.values()) == Sheet(44, 28).n_edges == 3_553


def test_1_4_edge_across_agrees_with_edges():
    sheet = Sheet(7, 5)
    for cell in range(sheet.n_hexes):
        for side, edge in enumerate(sheet.edge_across[cell]):
            other = sheet.neighbours[cell, side]
            if other < 0:
                assert edge == -1
            else:
                assert set(sheet.edges[edge].tolist()) == {cell, int(other)}


def test_1_5_an_edge_is_one_side_long_and_halfway_between_its_hexes(lattice):
    ends = lattice.edge_ends
    assert np.allclose(np.hypot(*(ends[:, 0] - ends[:, 1]).T), HEX_SIDE_M)
    a, b = lattice.sheet.edges.T
    assert np.allclose(ends.mean(axis=1), (lattice.centres[a] + lattice.centres[b]) / 2)


@given(data=st.data())
def test_1_5_a_point_belongs_to_the_hex_with_the_nearest_centre(lattice, data):
    west, south, east, north = lattice.bounds
    x = data.draw(st.floats(west, east))
    y = data.draw(st.floats(south, north))
    apart = np.hypot(*(lattice.centres - (x, y)).T)
    cell = int(lattice.cells_at(x, y))
    if cell >= 0:
        assert apart[cell] <= apart.min() + 1e-6
    else:
        assert apart.min() > HEX_WIDTH_M / 2 - 1e-6


def test_1_5_the_grid_lies_in_the_utm_zone_and_carries_h3_resolution_10():
    lattice = Lattice.centred(Sheet(3, 3), 1.53, 42.51)
    assert lattice.crs.to_epsg() == 32631
    assert len(set(lattice.h3_cells)) == 9
    west, south, east, north = lattice.bounds_lonlat
    assert west < 1.53 < east
    assert south < 42.51 < north


@given(radius=st.integers(0, 3), sheet=st.just(Sheet(15, 15)))
def test_9_1_the_brush_is_a_disk_of_7_19_or_37_hexes(radius, sheet):
    centre = sheet.index_of("0808")
    assert len(sheet.disk(centre, radius)) == {0: 1, 1: 7, 2: 19, 3: 37}[radius]
