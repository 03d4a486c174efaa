"""What drawings show of links and barriers; the district keeps them all (§16)."""

import numpy as np

from sim.district import BoolArray, District
from sim.hexes import N_SIDES
from sim.rules import LinkClass


def links_in_play(district: District) -> BoolArray:
    """(n_edge,) edges between two hexes in play.

    What is told of an exercise that is over shows and counts the cuts of these links alone: a bar
    in a forest, or at its edge, tells nobody anything. In play a unit may take any link, so that a
    team's board shows all that it knows to be cut.
    """
    low, high = district.sheet.edges.T
    in_play: BoolArray = district.active[low] & district.active[high]
    return in_play


def shown_barriers(district: District) -> BoolArray:
    """(n_edge,) edges on which a barrier's bar is drawn.

    Those with a hex in play on one side at least, such as a lake's shore, that no road crosses.
    """
    low, high = district.sheet.edges.T
    no_road = district.link_class == LinkClass.NONE
    shown: BoolArray = district.barrier & no_road & (district.active[low] | district.active[high])
    return shown


def drawn_through(district: District) -> BoolArray:
    """(n_edge,) links that are drawn from centre to centre; the others cross their edge only.

    Where three hexes about a corner are all joined by links of class 2 or more, as at every
    interchange, two of them lead anywhere that the third does: that one, of the least class, is
    drawn as a stub. Nobody is led astray, and no drawing is a net of triangles.
    """
    sheet, link = district.sheet, district.link_class
    wide = np.flatnonzero(link >= LinkClass.SECONDARY)
    through = np.zeros(sheet.n_edges, dtype=bool)
    low, high = sheet.edges[wide].T
    side = np.argmax(sheet.neighbours[low] == high[:, None], axis=1)
    # the two corners of an edge: the sides next to it, seen from its one hex and from its other
    corners = []
    for turn in (1, -1):
        here = sheet.edge_across[low, (side + turn) % N_SIDES]
        there = sheet.edge_across[high, (side + N_SIDES // 2 - turn) % N_SIDES]
        corners.append(np.column_stack((here, there)))
    pairs = np.stack(corners, axis=1)  # (n, 2, 2); -1 off the sheet
    closes = ((pairs >= 0) & (link[pairs] >= LinkClass.SECONDARY)).all(axis=2)
    # the widest first, then what lies along a strip of triangles rather than across it
    for at in np.lexsort((wide, closes.sum(axis=1), -link[wide])).tolist():
        through[wide[at]] = not any(through[pairs[at, k]].all() for k in range(2) if closes[at, k])
    return through
