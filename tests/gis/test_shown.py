"""Drawings: what is left out tells nobody anything, and the data keep it."""

from itertools import combinations

import numpy as np

from gis.shown import drawn_through, links_in_play, shown_barriers
from sim.rules import LinkClass
from tests.gis.hand_pack import SHEET, district


def pieces(edges):
    """Root of every hex when some edges join them."""
    root = list(range(SHEET.n_hexes))

    def find(cell):
        while root[cell] != cell:
            cell = root[cell]
        return cell

    for a, b in SHEET.edges[edges].tolist():
        root[find(a)] = find(b)
    return [find(cell) for cell in range(SHEET.n_hexes)]


def triangles():
    """Edges of every three hexes about a corner."""
    edge = {(int(a), int(b)): e for e, (a, b) in enumerate(SHEET.edges)}
    for trio in combinations(range(SHEET.n_hexes), 3):
        sides = [edge.get(pair) for pair in combinations(trio, 2)]
        if None not in sides:
            yield sides


def wide(seed):
    link = np.random.default_rng(seed).integers(0, 5, SHEET.n_edges).astype(np.int8)
    return district(
        link_class=link,
        structure=np.zeros(SHEET.n_edges, np.int8),
        foot=link > 0,
        barrier=np.zeros(SHEET.n_edges, bool),
    )


def test_16_no_triangle_of_wide_links_is_drawn_and_every_link_leads_where_it_did():
    found = list(triangles())
    assert len(found) > 20
    for seed in range(20):
        made = wide(seed)
        through = drawn_through(made)
        assert not through[made.link_class < LinkClass.SECONDARY].any()
        for least in (LinkClass.SECONDARY, LinkClass.PRIMARY, LinkClass.EXPRESSWAY):
            every = made.link_class >= least
            kept = through & every
            for sides in found:
                assert not kept[sides].all()
            roots, drawn = pieces(every), pieces(kept)
            for a, b in SHEET.edges[every].tolist():
                assert roots[a] == roots[b]
                assert drawn[a] == drawn[b]


def test_16_a_link_that_closes_no_triangle_is_drawn_through():
    made = wide(3)
    through = drawn_through(made)
    closing = {e for sides in triangles() if (made.link_class[sides] >= 2).all() for e in sides}
    alone = set(np.flatnonzero(made.link_class >= 2).tolist()) - closing
    assert alone
    assert through[sorted(alone)].all()


def test_16_a_cut_is_shown_between_two_hexes_in_play_alone():
    made = district()
    shown = links_in_play(made)
    for e, (a, b) in enumerate(SHEET.edges.tolist()):
        assert shown[e] == bool(made.active[a] and made.active[b])
    assert shown.any()
    assert not shown.all()


def test_16_a_barrier_is_barred_where_a_hex_beside_it_is_in_play():
    every = np.ones(SHEET.n_edges, bool)
    none = np.zeros(SHEET.n_edges, np.int8)
    made = district(link_class=none, structure=none, foot=~every, barrier=every)
    shown = shown_barriers(made)
    for e, (a, b) in enumerate(SHEET.edges.tolist()):
        assert shown[e] == bool(made.active[a] or made.active[b])
    assert shown.any()
    assert not shown.all()
