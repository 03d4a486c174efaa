import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gis.activity import GAP_HEXES, active_hexes, pieces_of, ways_between
from sim.errors import DistrictError
from sim.hexes import Sheet

SHEET = Sheet(6, 5)
N, EDGES = SHEET.n_hexes, SHEET.n_edges
ALL, DRY, LOCAL = np.ones(N, bool), np.zeros(N), np.ones(EDGES, np.int8)


def people(count=100):
    return np.full(N, count, np.int32)


def walled(cells):
    """Links of class 1 everywhere but around these hexes."""
    links = LOCAL.copy()
    links[np.isin(SHEET.edges, cells).any(axis=1)] = 0
    return links


def test_1_2_active_means_built_populated_dry_and_connected():
    built, residents, water = ALL.copy(), people(), DRY.copy()
    built[3], residents[7], water[11], water[12] = False, 0, 0.5, 0.49
    links = walled([20])
    active, report = active_hexes(SHEET, built, residents, water, links)
    assert np.flatnonzero(~active).tolist() == [3, 7, 11, 20]
    assert (report.active, report.not_built, report.under_water) == (N - 4, 1, 1)
    assert (report.nobody, report.cut_off, report.pieces) == (1, 1, 2)
    assert report.residents_cut_off == 100


@given(
    built=hnp.arrays(bool, N),
    links=hnp.arrays(np.int8, EDGES, elements=st.integers(0, 4)),
)
def test_1_2_every_hex_counts_once_and_the_active_ones_reach_each_other(built, links):
    try:
        active, report = active_hexes(SHEET, built, people(), DRY, links)
    except DistrictError:
        return
    assert report.active + report.not_built + report.cut_off == N
    assert (active <= built).all()
    # the links of the whole sheet join the active hexes
    assert len(np.unique(pieces_of(SHEET, ALL, links >= 1)[active])) == 1


def test_1_2_a_short_road_through_empty_hexes_joins_two_parts_and_a_long_one_does_not():
    for gap, joined in ((GAP_HEXES, True), (GAP_HEXES + 1, False)):
        sheet = Sheet(1, gap + 5)
        built = np.array([True] * 3 + [False] * gap + [True] * 2)
        residents = np.full(sheet.n_hexes, 10, np.int32)
        links = np.ones(sheet.n_edges, np.int8)
        active, report = active_hexes(sheet, built, residents, np.zeros(sheet.n_hexes), links)
        assert active.sum() == (5 if joined else 3)
        assert (report.pieces, report.parts) == ((1, 2) if joined else (2, 1))


def test_1_2_a_sheet_cut_into_pieces_is_refused_with_their_number_and_share():
    sheet = Sheet(3, 4)
    # three columns without a link between them
    links = (np.diff(sheet.edges // sheet.rows, axis=1).ravel() == 0).astype(np.int8)
    n = sheet.n_hexes
    with pytest.raises(DistrictError, match=r"12 built.*3 pieces.*33%.*§1\.2.*centre the sheet"):
        active_hexes(sheet, np.ones(n, bool), np.full(n, 9, np.int32), np.zeros(n), links)


def test_1_2_a_sheet_where_nobody_lives_is_refused():
    with pytest.raises(DistrictError, match=r"no hex.*move the sheet over the town"):
        active_hexes(SHEET, ALL, people(0), DRY, LOCAL)


def test_1_2_a_foot_link_alone_joins_no_parts():
    links = np.zeros(EDGES, np.int8)
    with pytest.raises(DistrictError, match="cut into pieces"):
        active_hexes(SHEET, ALL, people(), DRY, links)


@given(member=hnp.arrays(bool, N), open_edge=hnp.arrays(bool, EDGES), most=st.integers(1, 4))
def test_ways_join_what_short_roads_join(member, open_edge, most):
    ways = ways_between(SHEET, member, open_edge, most)
    for way in ways:
        assert member[way.a]
        assert member[way.b]
        # an oracle: breadth-first from one end through hexes that are no members
        front, gap = {way.a}, -1
        while way.b not in front and gap <= most:
            front |= {
                int(other)
                for cell in front
                if cell == way.a or not member[cell]
                for other, edge in zip(SHEET.neighbours[cell], SHEET.edge_across[cell], strict=True)
                if other >= 0 and open_edge[edge]
            }
            gap += 1
        assert gap <= way.gap <= most
