"""Hex algebra of a C × R sheet in whole numbers: index, label, neighbours, distance, disk.

A sheet's hexes are indexed in ascending label order, column by column: ``index = column · R + row``
with column and row from 0. Flat-top hexes; odd-numbered columns (01, 03, …) stand half a hex
higher than even ones (§1.3). Axial coordinates ``(q, r)``: q grows east, r grows south.
Sides are numbered clockwise from north: N, NE, SE, S, SW, NW.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from sim.errors import DistrictError
from sim.refusal import refuse
from sim.rules import HEX_SIDE_M, HEX_WIDTH_M

IntArray = npt.NDArray[np.int32]

N_SIDES = 6
# (dq, dr) across each side, clockwise from north
SIDE_STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


@dataclass(frozen=True)
class Sheet:
    """A sheet of ``columns`` × ``rows`` hexes (§1).

    Raises
    ------
    DistrictError
        If a dimension is below 1 or above 999.

    Examples
    --------
    >>> sheet = Sheet(44, 28)
    >>> sheet.label(sheet.index_of("2314"))
    '2314'
    >>> sheet.n_edges
    3553

    """

    columns: int
    rows: int

    def __post_init__(self) -> None:
        if not (1 <= self.columns <= 999 and 1 <= self.rows <= 999):
            raise DistrictError(
                refuse(
                    "",
                    "a sheet of {columns} × {rows} hexes: give from 1 to 999 columns and rows "
                    "(§1.3)",
                    columns=str(self.columns),
                    rows=str(self.rows),
                )
            )

    @property
    def n_hexes(self) -> int:
        """Number of hexes of the sheet."""
        return self.columns * self.rows

    @property
    def n_edges(self) -> int:
        """Number of edges shared by two hexes of the sheet (§1.4)."""
        c, r = self.columns, self.rows
        return 3 * c * r - 2 * c - 2 * r + 1

    @property
    def digits(self) -> int:
        """Digits of the column and of the row in a label (§1.3)."""
        return 2 if self.columns <= 99 and self.rows <= 99 else 3

    def label(self, index: int) -> str:
        """Printed number of a hex: column then row, from 01 (§1.3)."""
        column, row = divmod(int(index), self.rows)
        return f"{column + 1:0{self.digits}d}{row + 1:0{self.digits}d}"

    def index_of(self, label: str) -> int:
        """Index of a printed number.

        Raises
        ------
        DistrictError
            If the label is not a hex of this sheet.

        """
        d = self.digits
        if len(label) == 2 * d and label.isascii() and label.isdigit():
            column, row = int(label[:d]) - 1, int(label[d:]) - 1
            if 0 <= column < self.columns and 0 <= row < self.rows:
                return column * self.rows + row
        first, last = self.label(0), self.label(self.n_hexes - 1)
        raise DistrictError(
            refuse(
                "",
                "hex {label} is not on the sheet ({first} to {last}, column then row, §1.3)",
                label=repr(label),
                first=str(first),
                last=str(last),
            )
        )

    @cached_property
    def axial(self) -> IntArray:
        """(n_hex, 2) axial coordinates (q, r) of every hex."""
        column, row = np.divmod(np.arange(self.n_hexes, dtype=np.int32), np.int32(self.rows))
        return np.column_stack((column, row - column // 2)).astype(np.int32)

    @cached_property
    def centres_m(self) -> npt.NDArray[np.float64]:
        """(n_hex, 2) centre of every hex, metres east and north of hex 0101 (§1.1)."""
        column, row = np.divmod(np.arange(self.n_hexes), self.rows)
        south = HEX_WIDTH_M * (row + 0.5 * (column % 2))
        return np.column_stack((1.5 * HEX_SIDE_M * column, -south))

    @cached_property
    def neighbours(self) -> IntArray:
        """(n_hex, 6) index of the hex across each side, clockwise from north; -1 off the sheet."""
        q, r = self.axial[:, 0], self.axial[:, 1]
        table = np.full((self.n_hexes, N_SIDES), -1, dtype=np.int32)
        for side, (dq, dr) in enumerate(SIDE_STEPS):
            column = q + dq
            row = r + dr + column // 2
            on = (column >= 0) & (column < self.columns) & (row >= 0) & (row < self.rows)
            table[on, side] = (column * self.rows + row)[on]
        table.flags.writeable = False
        return table

    @cached_property
    def edges(self) -> IntArray:
        """(n_edge, 2) the two hexes of every shared edge, lower first, in ascending order."""
        here = np.repeat(np.arange(self.n_hexes, dtype=np.int32), N_SIDES)
        there = self.neighbours.reshape(-1)
        pairs = np.column_stack((here, there))[there > here]
        pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
        pairs.flags.writeable = False
        return pairs

    @cached_property
    def edge_across(self) -> IntArray:
        """(n_hex, 6) index of the edge on each side, clockwise from north; -1 off the sheet."""
        table = np.full((self.n_hexes, N_SIDES), -1, dtype=np.int32)
        order = {(int(a), int(b)): i for i, (a, b) in enumerate(self.edges)}
        for cell in range(self.n_hexes):
            for side in range(N_SIDES):
                other = int(self.neighbours[cell, side])
                if other >= 0:
                    table[cell, side] = order[min(cell, other), max(cell, other)]
        table.flags.writeable = False
        return table

    def distance(self, a: int, b: int) -> int:
        """Hexes between two hexes of the sheet, as the crow flies."""
        dq, dr = (self.axial[a] - self.axial[b]).tolist()
        return int((abs(dq) + abs(dr) + abs(dq + dr)) // 2)

    def distances_from(self, cell: int) -> IntArray:
        """(n_hex,) hexes from one hex to every hex, as the crow flies."""
        dq, dr = (self.axial - self.axial[cell]).T
        apart: IntArray = ((np.abs(dq) + np.abs(dr) + np.abs(dq + dr)) // 2).astype(np.int32)
        return apart

    def disk(self, centre: int, radius: int) -> tuple[int, ...]:
        """Hexes of the sheet within ``radius`` of a hex, ascending: the brush (§9.1)."""
        return tuple(np.flatnonzero(self.distances_from(centre) <= radius).tolist())


@lru_cache(maxsize=32)
def disks(sheet: Sheet, radius: int) -> IntArray:
    """Hexes within a radius of every hex.

    Returns
    -------
    (n_hex, 1 + 3·radius·(radius + 1)) int32
        Off the sheet, the number of hexes: one past the last.

    Examples
    --------
    >>> disks(Sheet(2, 1), 1).tolist()
    [[0, 2, 2, 2, 2, 1, 2], [1, 2, 0, 2, 2, 2, 2]]

    """
    q, r = sheet.axial[:, 0], sheet.axial[:, 1]
    offsets = [(0, 0)]
    for ring in range(1, radius + 1):
        here = (ring * SIDE_STEPS[4][0], ring * SIDE_STEPS[4][1])
        for side in range(N_SIDES):
            for _ in range(ring):
                offsets.append(here)
                here = (here[0] + SIDE_STEPS[side][0], here[1] + SIDE_STEPS[side][1])
    table = np.full((sheet.n_hexes, len(offsets)), sheet.n_hexes, dtype=np.int32)
    for i, (dq, dr) in enumerate(offsets):
        column = q + dq
        row = r + dr + column // 2
        on = (column >= 0) & (column < sheet.columns) & (row >= 0) & (row < sheet.rows)
        table[on, i] = (column * sheet.rows + row)[on]
    table.flags.writeable = False
    return table
