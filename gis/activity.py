"""Finds the hexes in play: built, populated and connected (§1.2)."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.district import BoolArray, ByteArray
from sim.errors import DistrictError
from sim.hexes import IntArray, Sheet
from sim.refusal import refuse
from sim.rules import LinkClass

WATER_SHARE_OFF = 0.5
"""A hex under water by this share or more is never in play."""
LEAST_SHARE = 0.5
"""The largest piece holds this share of the candidates, or the sheet is refused."""
GAP_HEXES = 6
"""A road through so many hexes without a house, at most, still joins two parts of a town."""


@dataclass(frozen=True)
class ActivityReport:
    """Hexes kept in play and left out, by reason; a hex counts under the first that holds.

    Attributes
    ----------
    active : int
    not_built, under_water, nobody, cut_off : int
    pieces : int
        Pieces that the candidates form, joined by links across ``GAP_HEXES`` at most.
    parts : int
        Parts of the largest piece that are joined only through hexes out of play.
    residents_cut_off : int
        Residents of the smaller pieces.

    """

    active: int
    not_built: int
    under_water: int
    nobody: int
    cut_off: int
    pieces: int
    parts: int
    residents_cut_off: int


def active_hexes(
    sheet: Sheet,
    built: BoolArray,
    residents: IntArray,
    water_share: npt.NDArray[np.float64],
    link_class: ByteArray,
) -> tuple[BoolArray, ActivityReport]:
    """Hexes that are built, populated, mostly dry and in the largest piece joined by roads (§1.2).

    Roads join hexes directly, or through at most ``GAP_HEXES`` hexes out of play: a gorge or a
    wood between two built parts of a town parts them no more than a bridge does.

    Parameters
    ----------
    built : (n_hex,) bool
    residents : (n_hex,) int
    water_share : (n_hex,) float
        Share of the hex under water, 0 to 1.
    link_class : (n_edge,) int8
        Only links of class ≥ 1 join hexes.

    Raises
    ------
    DistrictError
        If no hex could be in play, or the largest piece holds under half of those that could.

    """
    dry = np.asarray(water_share) < WATER_SHARE_OFF
    candidate = built & dry & (residents >= 1)
    if not candidate.any():
        raise DistrictError(
            refuse(
                "",
                "no hex of the sheet is built, populated and dry ({built} built, {value} "
                "populated, of {n_hexes}, §1.2): move the sheet over the town",
                built=str(int(built.sum())),
                value=str(int((residents >= 1).sum())),
                n_hexes=str(sheet.n_hexes),
            )
        )
    by_road = link_class >= LinkClass.LOCAL
    part = pieces_of(sheet, candidate, by_road)
    piece = _joined(part, ways_between(sheet, candidate, by_road))
    sizes = np.bincount(piece[candidate])
    largest = int(sizes.argmax())
    if sizes[largest] < LEAST_SHARE * candidate.sum():
        raise DistrictError(
            refuse(
                "",
                "the sheet is cut into pieces: its {candidate} built and populated hexes "
                "form {count} pieces without a road between them, and the largest holds "
                "{sizes} (at least {least_share} wanted, §1.2): centre the sheet on one "
                "bank or one town, or give an extract with its roads and bridges",
                candidate=str(int(candidate.sum())),
                count=str(len(sizes)),
                sizes=f"{sizes[largest] / candidate.sum():.0%}",
                least_share=f"{LEAST_SHARE:.0%}",
            )
        )
    active = piece == largest
    cut_off = candidate & ~active
    return active, ActivityReport(
        active=int(active.sum()),
        not_built=int((~built).sum()),
        under_water=int((built & ~dry).sum()),
        nobody=int((built & dry & (residents < 1)).sum()),
        cut_off=int(cut_off.sum()),
        pieces=len(sizes),
        parts=len(np.unique(part[active])),
        residents_cut_off=int(residents[cut_off].sum()),
    )


def pieces_of(sheet: Sheet, member: BoolArray, open_edge: BoolArray) -> IntArray:
    """Piece of every member hex, numbered by lowest hex; -1 for the others.

    Parameters
    ----------
    member : (n_hex,) bool
    open_edge : (n_edge,) bool
        Edges that join the two hexes beside them.

    Examples
    --------
    >>> sheet = Sheet(1, 4)
    >>> pieces_of(sheet, np.array([True, True, True, False]), np.array([True, False, True]))
    array([ 0,  0,  1, -1], dtype=int32)

    """
    piece = np.full(sheet.n_hexes, -1, dtype=np.int32)
    found = 0
    for start in np.flatnonzero(member):
        if piece[start] >= 0:
            continue
        piece[start] = found
        stack = [int(start)]
        while stack:
            cell = stack.pop()
            for other, edge in zip(sheet.neighbours[cell], sheet.edge_across[cell], strict=True):
                if other >= 0 and open_edge[edge] and member[other] and piece[other] < 0:
                    piece[other] = found
                    stack.append(int(other))
        found += 1
    return piece


@dataclass(frozen=True, slots=True)
class Way:
    """A road between two member hexes through ``gap`` hexes that are not."""

    gap: int
    a: int
    b: int


def ways_between(
    sheet: Sheet, member: BoolArray, open_edge: BoolArray, most: int = GAP_HEXES
) -> tuple[Way, ...]:
    """Return the shortest roads between members that pass through 1 to ``most`` other hexes.

    One road a pair of members at most, and enough of them that following them joins all members
    that any such road joins. In ascending order of gap, then of hexes.

    Examples
    --------
    >>> sheet = Sheet(1, 4)
    >>> ways_between(sheet, np.array([True, False, True, True]), np.array([True, True, True]))
    (Way(gap=1, a=0, b=2),)

    """
    # the member nearest to every hex, and hexes out of play on the way there, itself included
    nearest = np.where(member, np.arange(sheet.n_hexes), -1)
    gap = np.where(member, 0, most + 1)
    front = np.flatnonzero(member).tolist()
    for step in range(1, most + 1):
        reached = []
        for cell in front:
            for other, edge in zip(sheet.neighbours[cell], sheet.edge_across[cell], strict=True):
                if other >= 0 and open_edge[edge] and nearest[other] < 0:
                    nearest[other], gap[other] = nearest[cell], step
                    reached.append(int(other))
        front = sorted(reached)
    low, high = sheet.edges.T
    between = gap[low] + gap[high]
    on = open_edge & (nearest[low] >= 0) & (nearest[high] >= 0) & (between >= 1)
    on &= (between <= most) & (nearest[low] != nearest[high])
    found: dict[tuple[int, int], int] = {}
    for edge in np.flatnonzero(on):
        a, b = sorted((int(nearest[low[edge]]), int(nearest[high[edge]])))
        found[a, b] = min(found.get((a, b), most), int(between[edge]))
    return tuple(Way(*key) for key in sorted((g, a, b) for (a, b), g in found.items()))


def _joined(part: IntArray, ways: tuple[Way, ...]) -> IntArray:
    """Pieces that parts form when ways join them, numbered by lowest part; -1 off all parts."""
    root = list(range(int(part.max(initial=-1)) + 1))

    def root_of(number: int) -> int:
        while root[number] != number:
            number = root[number]
        return number

    for way in ways:
        a, b = sorted((root_of(int(part[way.a])), root_of(int(part[way.b]))))
        root[b] = a
    lowest = [root_of(number) for number in range(len(root))]
    number_of = {r: i for i, r in enumerate(sorted(set(lowest)))}
    piece = np.array([number_of[r] for r in lowest] + [-1], dtype=np.int32)
    return np.asarray(piece[part])
