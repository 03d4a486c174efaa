"""Places shelters, measuring stations and bases: from OSM first, completed by the ground (§5.2)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt

from gis.fabric import cells_of_points
from gis.lattice import Float64Array, Lattice
from gis.sources.osm import OsmExtract
from sim.district import BoolArray, ByteArray, Facility
from sim.errors import DistrictError
from sim.hexes import IntArray, Sheet
from sim.refusal import refuse
from sim.rules import (
    LEAST_MEANS,
    POLICE_STATIONS,
    REFERENCE_INHABITANTS,
    SHELTER_PLACES,
    SHELTERS,
    STATIONS,
    TECHNICAL_CENTRES,
    WATERS,
    LinkClass,
    Water,
)

# kinds of OSM place that serve, by tiers: a lesser tier serves only where the better ones hold too
# few; amenity=shelter is a bus shelter, so none
SHELTER_KINDS = (
    (
        *("amenity=school", "amenity=college", "amenity=university", "building=school"),
        *("leisure=sports_hall", "building=sports_hall", "building=gymnasium"),
        *("amenity=community_centre", "amenity=townhall"),
    ),
    (
        *("leisure=sports_centre", "amenity=theatre", "building=civic"),
        *("amenity=exhibition_centre", "amenity=conference_centre"),
    ),
)
STATION_KINDS = ("man_made=monitoring_station",)
POLICE_KINDS = (("amenity=police",),)
TECHNICAL_KINDS = (("amenity=fire_station",), ("landuse=depot",))

WET_M = WATERS[Water.BLOCKING].from_mm / 1000
"""Ground so far below its way out takes no shelter while there is another (§12.2: class ≥ 2)."""
LOW_POINT_M = 0.05
"""Least depth of a low point worth a station, metres."""
SWAP_ROUNDS = 20
BLOCK_HEXES = 1_600
"""Hexes among which places are sought at once: more than the usual sheet has (§1.2)."""
BLOCK_MARGIN = 5
"""A walk may leave its block by so many columns or rows."""

Distances = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Placed:
    """How the facilities of one kind were found.

    Attributes
    ----------
    wanted : int
        By the active population (§5.2).
    mapped : int
        Places of the kind in the extract, on the sheet.
    inactive : int
        Of these, on hexes out of play: not used.
    shared : int
        Of these, on the hex of another: one place a hex.
    low : int
        Of these, on ground too low, and left out for it.
    left : int
        Of these, left out because enough others lie nearer to people.
    completed : int
        Taken without a place on the map: named by their hex.

    """

    wanted: int
    mapped: int
    inactive: int
    shared: int
    low: int
    left: int
    completed: int


@dataclass(frozen=True, slots=True)
class FacilitiesReport:
    """How each kind of facility was found."""

    shelters: Placed
    stations: Placed
    police_stations: Placed
    technical_centres: Placed


@dataclass(frozen=True)
class Facilities:
    """Facilities of a district, each kind by ascending hex."""

    shelters: tuple[Facility, ...]
    stations: tuple[Facility, ...]
    police_stations: tuple[Facility, ...]
    technical_centres: tuple[Facility, ...]
    report: FacilitiesReport


def scaled(reference: int, least: int, residents: int) -> int:
    """Count of a means for an active population, rounded to the nearest, half up (§5.2).

    Examples
    --------
    >>> scaled(18, 6, 422_100), scaled(18, 6, 544_247), scaled(18, 6, 40_000)
    (18, 23, 6)

    """
    count = (2 * reference * residents + REFERENCE_INHABITANTS) // (2 * REFERENCE_INHABITANTS)
    return max(count, least)


@dataclass(frozen=True, slots=True)
class Words:
    """What a place without a name is called, before its hex."""

    shelter: str
    station: str
    police: str
    technical: str


WORDS = {
    "fr": Words("Abri", "Station", "Commissariat", "Centre technique"),
    "en": Words("Shelter", "Station", "Police station", "Technical centre"),
}


def facilities_of(
    lattice: Lattice,
    osm: OsmExtract,
    active: BoolArray,
    residents: IntArray,
    unshelterable: IntArray,
    link_class: ByteArray,
    foot: BoolArray,
    low_m: Float64Array,
    school: BoolArray | None = None,
    words: Words = WORDS["fr"],
) -> Facilities:
    """Place the fixed means of a district (§5, 5.2).

    Shelters are the mapped schools, halls and the like: all of them where they are as many as
    wanted or fewer; otherwise those on low ground go first, then those that shorten the mean walk
    of people to shelter least. What is missing is completed, by the same measure, with hexes that
    hold a school by the population file, then any populated hex.

    Parameters
    ----------
    active : (n_hex,) bool
    residents, unshelterable : (n_hex,) int
        Persons; people to shelter are the unshelterable.
    link_class : (n_edge,) int8
    foot : (n_edge,) bool
        Open to pedestrians on dry ground.
    low_m : (n_hex,) float
        How far the hex's roads lie below the lowest way out for water, metres; 0 on slopes.
    school : (n_hex,) bool, optional
        Hexes that hold a school by another source than OSM.
    words : Words
        Names, in the language of the district, of places that have none.

    Raises
    ------
    DistrictError
        If fewer hexes are populated than shelters are wanted.

    """
    sheet = lattice.sheet
    people = int(residents[active].sum())
    populated = active & (residents >= 1)
    if int(populated.sum()) < LEAST_MEANS.shelters:
        raise DistrictError(
            refuse(
                "",
                "only {populated} hexes are populated where at least {shelters} shelters "
                "are wanted (§5.2): move or widen the sheet",
                populated=str(int(populated.sum())),
                shelters=str(LEAST_MEANS.shelters),
            )
        )
    to_shelter = unshelterable if unshelterable[active].any() else residents
    seek = _Seeker(lattice, osm, active, _neighbours(sheet, foot))
    low_m = np.asarray(low_m, dtype=float)

    def count(reference: int, least: int) -> int:
        return min(scaled(reference, least, people), int(populated.sum()))

    dry = low_m < WET_M
    spare = [] if school is None else [populated & school & dry]
    shelters, shelters_report = seek.near(
        SHELTER_KINDS,
        count(SHELTERS, LEAST_MEANS.shelters),
        np.where(active, to_shelter, 0),
        [*spare, populated & dry, populated],
        low_m,
    )
    stations, stations_report = seek.low(
        STATION_KINDS, count(STATIONS, LEAST_MEANS.stations), populated, low_m
    )
    best_road = _best_road(sheet, link_class)
    on_roads = [
        populated & (best_road >= road)
        for road in (LinkClass.SECONDARY, LinkClass.LOCAL, LinkClass.NONE)
    ]
    lived = np.where(active, residents, 0)
    police, police_report = seek.near(
        POLICE_KINDS, count(POLICE_STATIONS, LEAST_MEANS.police_stations), lived, on_roads
    )
    technical, technical_report = seek.near(
        TECHNICAL_KINDS, count(TECHNICAL_CENTRES, LEAST_MEANS.technical_centres), lived, on_roads
    )
    return Facilities(
        shelters=_named(sheet, shelters, words.shelter, SHELTER_PLACES),
        stations=_named(sheet, stations, words.station),
        police_stations=_named(sheet, police, words.police),
        technical_centres=_named(sheet, technical, words.technical),
        report=FacilitiesReport(shelters_report, stations_report, police_report, technical_report),
    )


def _named(sheet: Sheet, found: dict[int, str], word: str, places: int = 0) -> tuple[Facility, ...]:
    """Facilities by ascending hex; one without a name is called by its hex."""
    return tuple(
        Facility(cell, found[cell] or f"{word} {sheet.label(cell)}", places)
        for cell in sorted(found)
    )


def _best_road(sheet: Sheet, link_class: ByteArray) -> ByteArray:
    """Best class of link on any side of each hex."""
    best = np.zeros(sheet.n_hexes, dtype=np.int8)
    for side in (0, 1):
        np.maximum.at(best, sheet.edges[:, side], link_class)
    return best


def _neighbours(sheet: Sheet, open_edge: BoolArray) -> IntArray:
    """(n_hex, 6) hex across each open side, -1 elsewhere."""
    across = sheet.edge_across
    return np.where((across >= 0) & open_edge[across], sheet.neighbours, -1).astype(np.int32)


# --------------------------------------------------------------------------- seeking
@dataclass(frozen=True)
class _Mapped:
    """Mapped places of some kinds on active hexes, one a hex."""

    names: dict[int, str]  # by hex, ascending
    on_sheet: int
    inactive: int

    def report(self, wanted: int, taken: dict[int, str], low: int = 0) -> Placed:
        kept = sum(cell in self.names for cell in taken)
        return Placed(
            wanted=wanted,
            mapped=self.on_sheet,
            inactive=self.inactive,
            shared=self.on_sheet - self.inactive - len(self.names),
            low=low,
            left=len(self.names) - low - kept,
            completed=len(taken) - kept,
        )


@dataclass(frozen=True)
class _Seeker:
    """Looks for places on the map, then on the ground."""

    lattice: Lattice
    osm: OsmExtract
    active: BoolArray
    ways: IntArray  # (n_hex, 6) hex across each side open on foot

    def mapped(self, kinds: Sequence[str]) -> _Mapped:
        """Mapped places of some kinds; the best kind of a hex, then the first name, stands."""
        places = self.osm.places_of_use
        places = places[places["kind"].isin(list(kinds)).to_numpy()]
        cells = cells_of_points(self.lattice, places)
        best: dict[int, tuple[int, bool, str]] = {}
        for cell, kind, name in zip(cells.tolist(), places["kind"], places["name"], strict=True):
            if cell >= 0 and self.active[cell]:
                key = (list(kinds).index(kind), not name, name)
                best[cell] = min(best.get(cell, key), key)
        on = cells[cells >= 0]
        return _Mapped(
            {cell: best[cell][2] for cell in sorted(best)},
            len(on),
            int((~self.active[on]).sum()),
        )

    def near(
        self,
        tiers: Sequence[Sequence[str]],
        wanted: int,
        weight: IntArray,
        spare: Sequence[BoolArray],
        low_m: Float64Array | None = None,
    ) -> tuple[dict[int, str], Placed]:
        """Mapped places where the mean walk is least; completed from the first masks that do.

        All places of the tiers that together hold enough compete.
        """
        for count in range(1, len(tiers) + 1):
            mapped = self.mapped([kind for tier in tiers[:count] for kind in tier])
            if len(mapped.names) >= wanted:
                break
        cells = np.array(list(mapped.names), dtype=np.int64)
        low = 0
        if low_m is not None and len(cells) > wanted:
            # the lowest ground goes first, as long as enough are left
            by_depth = cells[np.argsort(-low_m[cells], kind="stable")]
            low = min(int((low_m[cells] >= WET_M).sum()), len(cells) - wanted)
            cells = np.sort(by_depth[low:])
        if len(cells) > wanted:
            cells = self._nearest(cells, wanted, weight)
        taken = self._completed(cells, wanted, weight, spare)
        found = {int(cell): mapped.names.get(int(cell), "") for cell in taken}
        return found, mapped.report(wanted, found, low)

    def low(
        self, kinds: Sequence[str], wanted: int, populated: BoolArray, low_m: Float64Array
    ) -> tuple[dict[int, str], Placed]:
        """Mapped places first, then the lowest ground of populated hexes, spread apart."""
        mapped = self.mapped(kinds)
        cells = list(mapped.names)
        if len(cells) > wanted:
            cells = self._spread([], np.array(cells), wanted, low_m)
        else:
            cells = self._spread(cells, np.flatnonzero(populated), wanted, low_m)
        found = {cell: mapped.names.get(cell, "") for cell in cells}
        return found, mapped.report(wanted, found)

    def _spread(
        self, taken: list[int], cells: npt.NDArray[np.int_], wanted: int, low_m: Float64Array
    ) -> list[int]:
        """Add the lowest points, none within a spacing of another; then the farthest hexes."""
        sheet = self.lattice.sheet
        apart = np.full(sheet.n_hexes, sheet.n_hexes)
        chosen = list(taken)
        for cell in chosen:
            apart = np.minimum(apart, sheet.distances_from(cell))
        spacing = max(int(np.sqrt(self.active.sum() / wanted)), 1)
        points = cells[low_m[cells] >= LOW_POINT_M]
        points = points[np.argsort(-low_m[points], kind="stable")]
        while len(chosen) < wanted:
            far = points[apart[points] >= spacing]
            cell = int(far[0]) if len(far) else int(cells[apart[cells].argmax()])
            chosen.append(cell)
            apart = np.minimum(apart, sheet.distances_from(cell))
        return chosen

    def _nearest(
        self, cells: npt.NDArray[np.int64], wanted: int, weight: IntArray
    ) -> npt.NDArray[np.int64]:
        return self._chosen(cells, wanted, weight, 0)

    def _completed(
        self,
        cells: npt.NDArray[np.int64],
        wanted: int,
        weight: IntArray,
        spare: Sequence[BoolArray],
    ) -> npt.NDArray[np.int64]:
        """Add the hexes that shorten the mean walk most, from the first masks that have enough."""
        if len(cells) >= wanted:
            return cells
        for mask in spare:
            free = mask.copy()
            free[cells] = False
            more = np.flatnonzero(free)
            if len(cells) + len(more) >= wanted:
                every = np.concatenate((cells, more))
                return self._chosen(every, wanted, weight, len(cells))
        return cells

    def _chosen(
        self, cells: npt.NDArray[np.int64], wanted: int, weight: IntArray, fixed: int
    ) -> npt.NDArray[np.int64]:
        """Of some hexes, those that make the mean walk small; the first ``fixed`` in any case.

        A large sheet is cut into blocks that share the number wanted by their people, since the
        search weighs every hex of a block against every other.
        """
        block = blocks_of(self.lattice.sheet)
        count = int(block[-1]) + 1
        people = np.bincount(block, weights=weight, minlength=count).astype(float)
        held = np.bincount(block[cells[:fixed]], minlength=count)
        room = np.bincount(block[cells], minlength=count)
        quota = shared_out(people, held, room, wanted)
        found = []
        for number in range(count):
            rows = np.flatnonzero(block[cells] == number)
            lived = np.flatnonzero((block == number) & (weight > 0))
            walks = self._walks(cells[rows], lived, number, block)
            taken = _p_median(walks, weight[lived].astype(float), int(quota[number]), held[number])
            found.append(rows[taken])
        return cells[np.sort(np.concatenate(found))]

    def _walks(
        self,
        starts: npt.NDArray[np.int64],
        ends: npt.NDArray[np.int64],
        number: int,
        block: npt.NDArray[np.int64],
    ) -> Distances:
        """(n_start, n_end) hexes on foot inside a block and a margin about it; capped."""
        sheet = self.lattice.sheet
        column, row = np.divmod(np.arange(sheet.n_hexes), sheet.rows)
        inside = block == number
        near = np.ones(sheet.n_hexes, dtype=bool)
        for along in (column, row):
            near &= along >= along[inside].min() - BLOCK_MARGIN
            near &= along <= along[inside].max() + BLOCK_MARGIN
        place = np.where(near, np.cumsum(near) - 1, -1)
        ways = self.ways[near]
        ways = np.where(ways >= 0, place[ways], -1).astype(np.int32)
        hops: Distances = _hops(ways, place[starts])
        return hops[:, place[ends]]


def blocks_of(sheet: Sheet) -> npt.NDArray[np.int64]:
    """(n_hex,) block of every hex: as few rectangles, of equal size, as ``BLOCK_HEXES`` allows.

    Examples
    --------
    >>> [int(blocks_of(Sheet(columns, 28))[-1]) + 1 for columns in (44, 57, 58, 120)]
    [1, 1, 2, 3]

    """
    across, down = 1, 1
    while -(-sheet.columns // across) * -(-sheet.rows // down) > BLOCK_HEXES:
        if sheet.columns * down >= sheet.rows * across:
            across += 1
        else:
            down += 1
    column, row = np.divmod(np.arange(sheet.n_hexes, dtype=np.int64), sheet.rows)
    return np.asarray((column * across // sheet.columns) * down + row * down // sheet.rows)


def shared_out(
    people: Float64Array, held: npt.NDArray[np.int_], room: npt.NDArray[np.int_], wanted: int
) -> npt.NDArray[np.int_]:
    """Share a number of places among blocks by their people (highest averages).

    Parameters
    ----------
    people : (n_block,) float
    held, room : (n_block,) int
        Least and most places of each; their sums hold ``wanted`` between them.

    Examples
    --------
    >>> none, room = np.zeros(2, int), np.array([9, 9])
    >>> shared_out(np.array([300.0, 100.0]), none, room, 4).tolist()
    [3, 1]

    """
    quota = held.copy()
    while quota.sum() < wanted:
        due = np.where(quota < room, people / (quota + 1), -1.0)
        quota[due.argmax()] += 1
    return quota


# --------------------------------------------------------------------------- kernels
@numba.njit(cache=True)
def _hops(ways: IntArray, starts: npt.NDArray[np.int64]) -> Distances:
    """(n_start, n_hex) hexes along the shortest open way; n_hex where there is none."""
    n = ways.shape[0]
    hops = np.full((len(starts), n), n, dtype=np.int32)
    queue = np.empty(n, dtype=np.int32)
    for i in range(len(starts)):
        queue[0] = starts[i]
        hops[i, starts[i]] = 0
        head, tail = 0, 1
        while head < tail:
            cell = queue[head]
            head += 1
            for side in range(ways.shape[1]):
                other = ways[cell, side]
                if other >= 0 and hops[i, other] == n:
                    hops[i, other] = hops[i, cell] + 1
                    queue[tail] = other
                    tail += 1
    return hops


def _p_median(
    walks: Distances, weight: Float64Array, wanted: int, fixed: int
) -> npt.NDArray[np.int64]:
    """Rows of ``walks`` that make the weighted mean of the least walk small.

    Greedy, then the best exchange of one for one until none helps (Teitz & Bart 1968).

    Parameters
    ----------
    walks : (n_candidate, n_place) int32
    weight : (n_place,) float
    wanted : int
        Rows to choose, at most ``n_candidate``.
    fixed : int
        The first rows, so many, are kept in any case.

    Returns
    -------
    (wanted,) int64
        Ascending.

    """
    return np.sort(_teitz_bart(walks, weight, wanted, fixed, SWAP_ROUNDS))


@numba.njit(cache=True)
def _teitz_bart(walks, weight, wanted, fixed, rounds):  # type: ignore[no-untyped-def]
    n, m = walks.shape
    chosen = np.empty(wanted, dtype=np.int64)
    inside = np.zeros(n, dtype=np.bool_)
    bound = np.full(n, np.inf)
    least = np.full(m, np.iinfo(np.int32).max, dtype=np.int64)
    for k in range(wanted):
        best, best_gain = -1, -1.0
        if k < fixed:
            best = k
        else:
            # a gain only falls as rows are chosen: its last figure bounds it, and most rows need
            # no new one; the row that promises most comes first, then the others in order
            for turn in range(-1, n):
                i = turn
                if turn < 0:
                    i = 0
                    for other in range(n):
                        if not inside[other] and (inside[i] or bound[other] > bound[i]):
                            i = other
                if inside[i] or bound[i] < best_gain or (bound[i] == best_gain and i >= best):
                    continue
                gain = 0.0
                for j in range(m):
                    if walks[i, j] < least[j]:
                        gain += weight[j] * (least[j] - walks[i, j])
                bound[i] = gain
                if gain > best_gain or (gain == best_gain and i < best):
                    best, best_gain = i, gain
        chosen[k] = best
        inside[best] = True
        for j in range(m):
            least[j] = min(least[j], walks[best, j])
    nearest = np.empty(m, dtype=np.int64)
    second = np.empty(m, dtype=np.int64)
    lost = np.empty(wanted)
    for _ in range(rounds * wanted):
        # nearest and second nearest chosen row of every place
        for j in range(m):
            nearest[j] = 0
            second[j] = np.iinfo(np.int32).max
            for k in range(1, wanted):
                if walks[chosen[k], j] < walks[chosen[nearest[j]], j]:
                    second[j] = walks[chosen[nearest[j]], j]
                    nearest[j] = k
                else:
                    second[j] = min(second[j], walks[chosen[k], j])
        best_in, best_out, best_gain = -1, -1, 1e-6
        for i in range(n):
            if inside[i]:
                continue
            gain = 0.0
            lost[:] = 0.0
            for j in range(m):
                now = walks[chosen[nearest[j]], j]
                if walks[i, j] < now:
                    gain += weight[j] * (now - walks[i, j])
                else:
                    lost[nearest[j]] += weight[j] * (min(second[j], walks[i, j]) - now)
            for k in range(fixed, wanted):
                if gain - lost[k] > best_gain:
                    best_in, best_out, best_gain = i, k, gain - lost[k]
        if best_in < 0:
            break
        inside[chosen[best_out]] = False
        inside[best_in] = True
        chosen[best_out] = best_in
    return chosen
