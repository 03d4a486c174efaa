"""The sheet of the reference town in metres about its own centre, with its corners as a graph."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from gis.lattice import Lattice
from sim.hexes import IntArray, Sheet

Float64Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Board:
    """A sheet about its own centre: where the town is planned before it is laid on the ground.

    Attributes
    ----------
    lattice : Lattice
        The sheet as it lies on the ground.
    origin : (2,) float
        Middle of the sheet, metres in the lattice's CRS; all else here is relative to it.
    """

    lattice: Lattice

    @property
    def sheet(self) -> Sheet:
        """The hexes."""
        return self.lattice.sheet

    @cached_property
    def origin(self) -> Float64Array:
        """(2,) middle of the sheet, metres in the lattice's CRS."""
        west, south, east, north = self.lattice.bounds
        return np.array([(west + east) / 2, (south + north) / 2])

    @cached_property
    def half_size(self) -> tuple[float, float]:
        """Half the width and half the height of the sheet, metres."""
        west, south, east, north = self.lattice.bounds
        return (east - west) / 2, (north - south) / 2

    @cached_property
    def centres(self) -> Float64Array:
        """(n_hex, 2) centres, metres."""
        return np.asarray(self.lattice.centres - self.origin)

    @cached_property
    def corners(self) -> Float64Array:
        """(n_hex, 6, 2) corners, metres."""
        return np.asarray(self.lattice.corners - self.origin)

    @cached_property
    def edge_ends(self) -> Float64Array:
        """(n_edge, 2, 2) ends of the shared edges, metres."""
        return np.asarray(self.lattice.edge_ends - self.origin)

    @cached_property
    def edge_middles(self) -> Float64Array:
        """(n_edge, 2) middles of the shared edges, metres."""
        return np.asarray(self.edge_ends.mean(axis=1))

    @cached_property
    def edge_normals(self) -> Float64Array:
        """(n_edge, 2) unit vectors from the lower hex to the higher one."""
        step = self.centres[self.sheet.edges[:, 1]] - self.centres[self.sheet.edges[:, 0]]
        return np.asarray(step / np.linalg.norm(step, axis=1, keepdims=True))

    @cached_property
    def _vertices(self) -> tuple[Float64Array, IntArray]:
        keys = np.rint(self.edge_ends.reshape(-1, 2) * 10).astype(np.int64)
        # one corner, computed from two hexes, may round to neighbouring decimetres
        order = np.lexsort((keys[:, 1], keys[:, 0]))
        found: dict[tuple[int, int], int] = {}
        index = np.empty(len(keys), dtype=np.int32)
        points: list[Float64Array] = []
        for k in order.tolist():
            x, y = keys[k].tolist()
            near = [found.get((x + dx, y + dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
            known = [n for n in near if n is not None]
            if known:
                index[k] = known[0]
            else:
                index[k] = found[x, y] = len(points)
                points.append(self.edge_ends.reshape(-1, 2)[k])
        return np.array(points), index.reshape(-1, 2)

    @property
    def vertices(self) -> Float64Array:
        """(n_vertex, 2) corners where shared edges end, metres."""
        return self._vertices[0]

    @property
    def edge_vertices(self) -> IntArray:
        """(n_edge, 2) the two corners of every shared edge."""
        return self._vertices[1]

    @cached_property
    def edges_at(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each corner, the (edge, far corner) pairs that leave it, ascending."""
        table: list[list[tuple[int, int]]] = [[] for _ in self.vertices]
        for edge, (a, b) in enumerate(self.edge_vertices.tolist()):
            table[a].append((edge, b))
            table[b].append((edge, a))
        return tuple(tuple(sorted(row)) for row in table)

    @cached_property
    def edges_of(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each hex, the (edge, neighbour) pairs, clockwise from north."""
        across, neighbours = self.sheet.edge_across, self.sheet.neighbours
        return tuple(
            tuple(
                (int(e), int(n))
                for e, n in zip(across[cell], neighbours[cell], strict=True)
                if e >= 0
            )
            for cell in range(self.sheet.n_hexes)
        )

    def corner_path(self, start: int, goals: set[int], cost: Float64Array) -> list[int]:
        """Cheapest chain of shared edges from a corner to one of the goals.

        Parameters
        ----------
        cost : (n_edge,) float
            Price of following each edge.
        """
        best = {start: 0.0}
        came: dict[int, tuple[int, int]] = {}
        queue = [(0.0, start)]
        while queue:
            price, here = heapq.heappop(queue)
            if here in goals:
                chain: list[int] = []
                while here in came:
                    edge, here = came[here]
                    chain.append(edge)
                return chain[::-1]
            if price > best[here]:
                continue
            for edge, there in self.edges_at[here]:
                dearer = price + float(cost[edge])
                if dearer < best.get(there, np.inf):
                    best[there] = dearer
                    came[there] = (edge, here)
                    heapq.heappush(queue, (dearer, there))
        raise ValueError("no chain of edges reaches the goal")

    def grown(self, seeds: Sequence[int], allowed: set[int], size: int) -> list[int]:
        """Hexes of a compact cluster around seeds, inside the allowed ones, at most ``size``."""
        cluster = [s for s in seeds if s in allowed]
        heart = self.centres[cluster].mean(axis=0) if cluster else np.zeros(2)
        while cluster and len(cluster) < size:
            inside = set(cluster)
            border = sorted(
                {n for c in cluster for _, n in self.edges_of[c] if n in allowed} - inside
            )
            if not border:
                break
            reach = np.hypot(*(self.centres[border] - heart).T)
            cluster.append(border[int(reach.argmin())])
        return cluster

    def pieces(self, cells: set[int], cut: set[int]) -> list[list[int]]:
        """Connected pieces of some hexes, cut edges apart; largest first, each ascending."""
        left = set(cells)
        found: list[list[int]] = []
        for cell in sorted(cells):
            if cell not in left:
                continue
            left.discard(cell)
            piece, stack = [], [cell]
            while stack:
                here = stack.pop()
                piece.append(here)
                for edge, there in self.edges_of[here]:
                    if there in left and edge not in cut:
                        left.discard(there)
                        stack.append(there)
            found.append(sorted(piece))
        return sorted(found, key=lambda piece: (-len(piece), piece[0]))
