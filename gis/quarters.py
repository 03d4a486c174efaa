"""Cuts the active area into quarters (*quartiers*): compact groups of hexes of like fabric.

A quarter is one piece joined by roads, so that it reaches over a river or a railway only where a
link crosses; alerts and protection options are decided by quarter (§9.3, 9.4). Where a part of
the town is joined to the rest only through a few hexes out of play, that road joins it here too.

Method: a piece of the road graph is halved, again and again, between two far-apart hexes; each
half holds the hexes nearer to its end by road, which keeps both in one piece, and the balance
point is where the cut is cheapest (cuts between unlike fabrics and over rivers are cheap). Then
hexes along the borders change sides as long as that makes quarters more alike and compact.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from gis.activity import Way, pieces_of, ways_between
from gis.fabric import STREETS, cells_of_points, on_sheet
from gis.lattice import Float64Array, Lattice
from gis.quarter_names import DIRECTIONS, directions_of, told_apart
from gis.sources.osm import OsmExtract
from gis.walk import Walk
from sim.district import BoolArray, ByteArray
from sim.hexes import IntArray, Sheet
from sim.rules import Fabric, LinkClass

LEAST_HEXES, WANTED_HEXES, MOST_HEXES = 12, 20, 30
"""Size of a quarter, in hexes; smaller only where a piece of the ground is."""

ENDS_TRIED = 4
"""Far-apart hexes of a piece, between every two of which it may be halved."""
SIDES_LEAST_SHARE = 0.25
"""Each half of a large piece holds at least this share of it."""
SMOOTHING_ROUNDS = 12

# where a cut hurts most: per edge, by how unlike the two fabrics are (0, 1, 2)
CUT_WEIGHT = (3.0, 1.5, 0.75)
CROSSING_WEIGHT = 0.3
"""A cut over a river or railway costs this share of it."""
BESIDE_WEIGHT = 0.5
"""Two neighbours without a road or a barrier between them: only the shape counts."""
STEP_LENGTH = (1.0, 2.0, 3.0)
"""Length of a step between two fabrics, by how unlike they are."""
CROSSING_LENGTH = 3.0
"""Length added by a crossing of a river or railway, and by each hex out of play."""
UNLIKE_WEIGHT = 3.0
SIZE_WEIGHT = 0.02

# kinds of OSM place that name a quarter, best first
PLACE_KINDS = ("quarter", "neighbourhood", "suburb", "village", "hamlet", "town")
# how much better a street is known than a lane of the same length
STREET_RANK = {"primary": 3.0, "secondary": 2.0, "tertiary": 1.5}
SHORT_WORDS = {"Avenida": "Av.", "Avinguda": "Av.", "Avenue": "Av.", "Boulevard": "Bd"}
"""First words of a street's name as maps write them."""
LEAST_STREET_M = 300.0
"""A street names a quarter from this length inside it on, counted by its rank."""
_OPEN_FABRICS = frozenset({Fabric.PARK, Fabric.FARMLAND})


@dataclass(frozen=True, slots=True)
class PlaceName:
    """A named place on a hex; ``kind`` is the value of its OSM ``place`` tag."""

    cell: int
    kind: str
    name: str


def place_names_of(lattice: Lattice, osm: OsmExtract) -> tuple[PlaceName, ...]:
    """Named places of an extract on the sheet, that may name a quarter."""
    places = osm.places_of_use
    kinds = places["kind"].str.removeprefix("place=")
    kept = (places["kind"].str.startswith("place=") & kinds.isin(PLACE_KINDS)).to_numpy()
    kept = kept & (places["name"] != "").to_numpy()
    cells = cells_of_points(lattice, places[kept])
    found = zip(cells.tolist(), kinds[kept], places["name"][kept], strict=True)
    return tuple(PlaceName(cell, kind, name) for cell, kind, name in found if cell >= 0)


@dataclass(frozen=True, slots=True)
class StreetName:
    """A named street on a hex; ``weight`` is its length there, metres, times its rank."""

    cell: int
    name: str
    weight: float


def street_names_of(lattice: Lattice, osm: OsmExtract) -> tuple[StreetName, ...]:
    """Named streets of an extract on the sheet, by name and hex."""
    roads = on_sheet(lattice, osm.roads)
    kind = roads["highway"].str.removesuffix("_link")
    roads = roads[(kind.isin(list(STREETS)) & (roads["name"] != "")).to_numpy()]
    if roads.empty:
        return ()
    walk = Walk.along(lattice, np.asarray(roads.geometry.to_crs(lattice.crs)))
    rank = roads["highway"].str.removesuffix("_link").map(STREET_RANK).fillna(1.0).to_numpy()
    names, name_of = np.unique(roads["name"].to_numpy(dtype=str), return_inverse=True)
    on = walk.run_cell >= 0
    line, cell = walk.run_line[on], walk.run_cell[on].astype(np.int64)
    length = (walk.run_to_m - walk.run_from_m)[on] * rank[line]
    key, at = np.unique(name_of[line] * lattice.sheet.n_hexes + cell, return_inverse=True)
    name, cell = np.divmod(key, lattice.sheet.n_hexes)
    weight = np.bincount(at, weights=length)
    found = zip(cell.tolist(), names[name].tolist(), weight.tolist(), strict=True)
    return tuple(StreetName(*one) for one in found)


def quarters_of(
    sheet: Sheet,
    active: BoolArray,
    fabric: ByteArray,
    link_class: ByteArray,
    barrier: BoolArray,
    residents: IntArray,
    place_names: Sequence[PlaceName] = (),
    street_names: Sequence[StreetName] = (),
    lang: str = "fr",
) -> tuple[IntArray, tuple[str, ...]]:
    """Quarter of every active hex, and the quarters' names.

    Parameters
    ----------
    active : (n_hex,) bool
    fabric : (n_hex,) int8
    link_class : (n_edge,) int8
    barrier : (n_edge,) bool
        A river, lake, rail land or wall forbids the edge.
    residents : (n_hex,) int
    place_names : sequence of PlaceName
        The best kind of place in a quarter, and of these the one with most people, names it.
    street_names : sequence of StreetName
        A quarter without a named place bears the name of its main street; each street names the
        one quarter that holds most of it.
    lang : {"fr", "en"}
        Language of the directions ("Nord") that name a quarter with neither.

    Returns
    -------
    quarter : (n_hex,) int32
        Numbered by lowest hex; -1 off the active area.
    names : tuple of str

    """
    graph = _Graph.of(sheet, active, fabric, link_class, barrier)
    quarter = np.full(sheet.n_hexes, -1, dtype=np.int32)
    count = 0
    for piece in graph.pieces():
        for part in _parts(graph, piece):
            quarter[part] = count
            count += 1
    _smooth(graph, quarter)
    quarter = _by_lowest_hex(quarter)
    places = _place_of(quarter, residents, place_names)
    streets = _street_of(quarter, places, street_names)
    words = DIRECTIONS[lang]
    names = [
        places.get(k) or streets.get(k) or words[at]
        for k, at in enumerate(directions_of(sheet, quarter))
    ]
    return quarter, told_apart(names)


def unlikeness(a: int, b: int) -> int:
    """How unlike two fabrics are: 0 the same, 1 both dense or both open, 2 otherwise."""
    if a == b:
        return 0
    open_a, open_b = a in _OPEN_FABRICS, b in _OPEN_FABRICS
    works = Fabric.INDUSTRIAL in (a, b)
    return 1 if open_a == open_b and not works else 2


UNLIKE = np.array([[unlikeness(a, b) for b in Fabric] for a in Fabric])
"""(fabric, fabric) ``unlikeness`` of every two fabrics."""


# --------------------------------------------------------------------------- the graph
@dataclass(frozen=True)
class _Graph:
    """Active hexes, joined by links; the weight of a cut also counts neighbours without one."""

    member: BoolArray  # (n_hex,) active
    fabric: ByteArray
    steps: tuple[tuple[tuple[int, float], ...], ...]  # by hex: neighbour by road, length
    borders: tuple[tuple[tuple[int, float], ...], ...]  # by hex: any neighbour, weight of a cut
    edges: IntArray  # (n, 2) edges between active hexes
    weights: Float64Array  # (n,) weight of a cut

    @classmethod
    def of(
        cls,
        sheet: Sheet,
        active: BoolArray,
        fabric: ByteArray,
        link_class: ByteArray,
        barrier: BoolArray,
    ) -> "_Graph":
        unlike = UNLIKE[fabric[sheet.edges[:, 0]], fabric[sheet.edges[:, 1]]]
        linked = link_class >= LinkClass.LOCAL
        crossing = linked & crossings(sheet, barrier)
        weight = np.array(CUT_WEIGHT)[unlike] * np.where(crossing, CROSSING_WEIGHT, 1.0)
        weight = np.where(linked, weight, np.where(barrier, 0.0, BESIDE_WEIGHT))
        length = np.array(STEP_LENGTH)[unlike] + np.where(crossing, CROSSING_LENGTH, 0.0)
        inside = active[sheet.edges].all(axis=1)
        steps: list[list[tuple[int, float]]] = [[] for _ in range(sheet.n_hexes)]
        borders: list[list[tuple[int, float]]] = [[] for _ in range(sheet.n_hexes)]
        for edge in np.flatnonzero(inside):
            a, b = sheet.edges[edge].tolist()
            borders[a].append((b, float(weight[edge])))
            borders[b].append((a, float(weight[edge])))
            if linked[edge]:
                steps[a].append((b, float(length[edge])))
                steps[b].append((a, float(length[edge])))
        for way in _bridging(sheet, active, linked):
            steps[way.a].append((way.b, way.gap * CROSSING_LENGTH))
            steps[way.b].append((way.a, way.gap * CROSSING_LENGTH))
        return cls(
            active,
            fabric,
            tuple(tuple(s) for s in steps),
            tuple(tuple(s) for s in borders),
            sheet.edges[inside],
            weight[inside],
        )

    def pieces(self) -> list[npt.NDArray[np.int_]]:
        """Hexes of each piece joined by roads, ascending, by lowest hex."""
        left = self.member.copy()
        pieces = []
        for start in np.flatnonzero(left):
            if left[start]:
                piece = np.isfinite(self.distances(int(start), self.member))
                left &= ~piece
                pieces.append(np.flatnonzero(piece))
        return pieces

    def distances(self, start: int, member: BoolArray) -> Float64Array:
        """(n_hex,) length of the shortest way by road inside ``member``; inf where none is."""
        found = np.full(len(self.steps), np.inf)
        found[start] = 0.0
        queue = [(0.0, start)]
        while queue:
            here, cell = heapq.heappop(queue)
            if here > found[cell]:
                continue
            for other, length in self.steps[cell]:
                if member[other] and here + length < found[other]:
                    found[other] = here + length
                    heapq.heappush(queue, (here + length, other))
        return found

    def holds_without(self, cells: set[int], leaving: int) -> bool:
        """Tell whether a quarter stays in one piece by road when a hex leaves it."""
        ends = [other for other, _ in self.steps[leaving] if other in cells]
        if len(ends) < 2:
            return True
        reached, stack, wanted = {ends[0], leaving}, [ends[0]], set(ends)
        while stack:
            for other, _ in self.steps[stack.pop()]:
                if other in cells and other not in reached:
                    reached.add(other)
                    stack.append(other)
            if wanted <= reached:
                return True
        return False


def _bridging(sheet: Sheet, active: BoolArray, linked: BoolArray) -> list[Way]:
    """Return the fewest and shortest roads through hexes out of play that join all parts."""
    part = pieces_of(sheet, active, linked)
    root = part.copy()
    kept = []
    for way in ways_between(sheet, active, linked):
        a, b = sorted((int(root[way.a]), int(root[way.b])))
        if a != b:
            root[root == b] = a
            kept.append(way)
    return kept


def crossings(sheet: Sheet, barrier: BoolArray) -> BoolArray:
    """Edges that a line of barriers runs into at both ends: there, a road crosses it.

    At each end of an edge two more edges meet; where just one of them is a barrier, the barrier's
    line goes on through the edge.
    """
    found = np.zeros(sheet.n_edges, dtype=bool)
    side_of = {int(e): s for cell in range(sheet.n_hexes) for s, e in _low_sides(sheet, cell)}
    for edge in np.flatnonzero(~barrier):
        a, b = sheet.edges[edge].tolist()
        side = side_of[int(edge)]
        runs_in = []
        for turn in (-1, 1):
            # the sides of both hexes towards the third one at this end
            of_a = sheet.edge_across[a, (side + turn) % 6]
            of_b = sheet.edge_across[b, (side + 3 - turn) % 6]
            if of_a >= 0 and of_b >= 0:
                runs_in.append(barrier[of_a] != barrier[of_b])
        found[edge] = bool(runs_in) and all(runs_in)
    return found


def _low_sides(sheet: Sheet, cell: int) -> list[tuple[int, int]]:
    """Sides of a hex, with their edge, across which a higher hex lies."""
    across, beyond = sheet.edge_across[cell], sheet.neighbours[cell]
    return [(side, int(across[side])) for side in range(6) if beyond[side] > cell]


# --------------------------------------------------------------------------- halving
def _parts(graph: _Graph, cells: npt.NDArray[np.int_]) -> list[npt.NDArray[np.int_]]:
    """Cut a piece joined by roads into pieces of at most ``MOST_HEXES``, where it can be."""
    if len(cells) <= MOST_HEXES:
        return [cells]
    halves = _halves(graph, cells)
    if halves is None:
        return [cells]
    return [part for half in halves for part in _parts(graph, half)]


def _halves(
    graph: _Graph, cells: npt.NDArray[np.int_]
) -> tuple[npt.NDArray[np.int_], npt.NDArray[np.int_]] | None:
    """Two halves of a piece, each in one piece; None where no cut leaves both large enough."""
    member = np.zeros(len(graph.steps), dtype=bool)
    member[cells] = True
    far = [_farthest(cells, graph.distances(int(cells[0]), member))]
    reach = [graph.distances(far[0], member)]
    while len(far) < ENDS_TRIED:
        far.append(_farthest(cells, np.min(reach, axis=0)))
        reach.append(graph.distances(far[-1], member))
    inside = member[graph.edges].all(axis=1)
    edges, weights = graph.edges[inside], graph.weights[inside]
    least = max(LEAST_HEXES, int(SIDES_LEAST_SHARE * len(cells)))
    best: tuple[float, npt.NDArray[np.int_], int] | None = None
    for wanted in dict.fromkeys((least, LEAST_HEXES)):
        for one, other in combinations(range(ENDS_TRIED), 2):
            nearer = reach[one][cells] - reach[other][cells]
            order = np.argsort(nearer, kind="stable")
            cost = _cut_cost(cells, order, nearer, edges, weights, wanted)
            at = int(cost.argmin())
            if np.isfinite(cost[at]) and (best is None or cost[at] < best[0]):
                best = (float(cost[at]), order, at)
        if best:
            _, order, at = best
            return np.sort(cells[order[:at]]), np.sort(cells[order[at:]])
    return None


def _farthest(cells: npt.NDArray[np.int_], reach: Float64Array) -> int:
    return int(cells[reach[cells].argmax()])


def _cut_cost(
    cells: npt.NDArray[np.int_],
    order: npt.NDArray[np.int_],
    nearer: Float64Array,
    edges: IntArray,
    weights: Float64Array,
    least: int,
) -> Float64Array:
    """Weight of the cut before each place of an order, per hex of the smaller side.

    Infinite where a side is below ``least``, or where hexes as near to either end would part:
    only a cut between unequal ones keeps both sides in one piece.
    """
    n = len(cells)
    place = np.empty(n, dtype=int)
    place[order] = np.arange(n)
    ends = np.sort(place[np.searchsorted(cells, edges)], axis=1)
    change = np.zeros(n + 1)
    np.add.at(change, ends[:, 0] + 1, weights)
    np.add.at(change, ends[:, 1] + 1, -weights)
    cost = np.cumsum(change)[:n]
    size = np.arange(n)
    smaller = np.minimum(size, n - size)
    ranked = nearer[order]
    apart = np.r_[False, ranked[1:] > ranked[:-1] + 1e-9]
    return np.where(apart & (smaller >= least), cost / np.maximum(smaller, 1), np.inf)


# --------------------------------------------------------------------------- smoothing
def _smooth(graph: _Graph, quarter: IntArray) -> None:
    """Let hexes along the borders change quarter while that improves both, in place."""
    members: list[set[int]] = [set() for _ in range(int(quarter.max(initial=-1)) + 1)]
    for cell in np.flatnonzero(quarter >= 0).tolist():
        members[quarter[cell]].add(cell)
    mix = np.array([np.bincount(graph.fabric[sorted(m)], minlength=len(Fabric)) for m in members])
    for _ in range(SMOOTHING_ROUNDS):
        moved = 0
        for cell in np.flatnonzero(quarter >= 0).tolist():
            here = int(quarter[cell])
            if len(members[here]) <= LEAST_HEXES:
                continue
            there = _better_quarter(graph, quarter, members, mix, cell)
            if there is None or not graph.holds_without(members[here], cell):
                continue
            members[here].remove(cell)
            members[there].add(cell)
            mix[here, graph.fabric[cell]] -= 1
            mix[there, graph.fabric[cell]] += 1
            quarter[cell] = there
            moved += 1
        if not moved:
            return


def _better_quarter(
    graph: _Graph,
    quarter: IntArray,
    members: list[set[int]],
    mix: npt.NDArray[np.int_],
    cell: int,
) -> int | None:
    """Neighbouring quarter that a hex fits better than its own; None where its own is best."""
    here = int(quarter[cell])
    by_road = {int(quarter[other]) for other, _ in graph.steps[cell]} - {here}
    if not by_road:
        return None
    held: dict[int, float] = {}
    for other, weight in graph.borders[cell]:
        held[int(quarter[other])] = held.get(int(quarter[other]), 0.0) + weight
    own = graph.fabric[cell]

    def fit(number: int, size: int) -> float:
        others = mix[number].copy()
        if number == here:
            others[own] -= 1
        unlike = float(UNLIKE[own] @ others) / max(int(others.sum()), 1)
        crowding = abs(size - WANTED_HEXES) ** 2 - abs(size - 1 - WANTED_HEXES) ** 2
        return held.get(number, 0.0) - UNLIKE_WEIGHT * unlike - SIZE_WEIGHT * crowding

    best, best_fit = None, fit(here, len(members[here])) + 1e-6
    for number in sorted(by_road):
        size = len(members[number]) + 1
        if size <= MOST_HEXES and (found := fit(number, size)) > best_fit:
            best, best_fit = number, found
    return best


def _by_lowest_hex(quarter: IntArray) -> IntArray:
    """Renumber quarters by their lowest hex."""
    on = quarter >= 0
    old, lowest = np.unique(quarter[on], return_index=True)
    new = np.empty(int(quarter.max(initial=-1)) + 1, dtype=np.int32)
    new[old[np.argsort(lowest)]] = np.arange(len(old), dtype=np.int32)
    renumbered = np.full_like(quarter, -1)
    renumbered[on] = new[quarter[on]]
    return renumbered


# --------------------------------------------------------------------------- names
def _place_of(
    quarter: IntArray, residents: IntArray, places: Sequence[PlaceName]
) -> dict[int, str]:
    """Name of the best named place of each quarter that has one."""
    best: dict[int, tuple[int, int, int, str]] = {}
    for place in places:
        number = int(quarter[place.cell])
        if number < 0 or place.kind not in PLACE_KINDS:
            continue
        rank = PLACE_KINDS.index(place.kind)
        key = (rank, -int(residents[place.cell]), place.cell, place.name)
        best[number] = min(best.get(number, key), key)
    return {number: key[3] for number, key in best.items()}


def _street_of(
    quarter: IntArray, named: dict[int, str], streets: Sequence[StreetName]
) -> dict[int, str]:
    """Name of the main street of each quarter that has no other name, none twice."""
    weight: dict[tuple[int, str], float] = {}
    for street in streets:
        number = int(quarter[street.cell])
        if number >= 0 and number not in named:
            key = (number, street.name)
            weight[key] = weight.get(key, 0.0) + street.weight
    found: dict[int, str] = {}
    taken = set(named.values())
    for (number, name), length in sorted(weight.items(), key=lambda item: (-item[1], item[0])):
        if length >= LEAST_STREET_M and number not in found and name not in taken:
            found[number] = name
            taken.add(name)
    return {number: _short(name) for number, name in found.items()}


def _short(name: str) -> str:
    first, space, rest = name.partition(" ")
    return SHORT_WORDS.get(first, first) + space + rest
