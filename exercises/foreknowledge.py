"""What is known and reckoned by one who knows the water to come (§12.5).

It sees the truth of the moment and all the water to come; the dice it does not know.
"""

from collections.abc import Callable
from itertools import product

import numpy as np
import numpy.typing as npt

from exercises.brush import Brush
from exercises.held_links import HeldLinks, Hold
from sim.alerts import has_sirens, prepared, roll_modifier, succeeds
from sim.arrays import whole
from sim.district import BoolArray
from sim.links import foot_capacity, foot_cost
from sim.paths import route_edges, shortest_paths
from sim.protection import hexes_of_option
from sim.rules import (
    COUNTER_BASE,
    COUNTER_STEP,
    FOLLOWERS_PERCENT,
    NIGHT_STEP_PERCENT,
    PATROL_FACTOR,
    POINTS_SAVED,
    PREPARATION_DELAY_TURNS,
    UNITS,
    Action,
    AlertMeans,
    Protection,
    UnitKind,
)
from sim.state import HUNDREDTHS, NEVER, NOWHERE, State
from sim.unit import DOOR_TO_DOOR, Unit
from sim.units import KnownWays, true_links
from sim.world import World

Floats = npt.NDArray[np.float64]

PATIENT = 0.4
"""Share of its worth for which an alert counts that can wait: orders are few at first."""
ARRIVAL_DOUBT_TURNS = 6
"""Crowds and detours: who is foreseen half as many turns before the cut is sure to be in time."""
DRY_AHEAD_TURNS = 6
"""A shelter that stands in water so soon is none."""
CROWDED = 0.8
"""Share of a link's capacity from which the patrol that reserves it stays."""
ESCORTED_LEAST = 20
"""People of a hex for whom the patrol that escorts them stays."""
FAR = 10**6


class Mind:
    """What is known from the start."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.brush = Brush(world.district)
        self.holds = HeldLinks(world)
        self.to_shelter: Floats = world.situation.to_shelter.astype(float)
        self.followers: Floats = np.floor(world.situation.upstairs * FOLLOWERS_PERCENT / 100)
        self.sirens: BoolArray = has_sirens(world.district)[world.district.quarter]

    def hold(self, link: int, action: Action) -> Hold | None:
        """What holding a link would do, if anything."""
        among = self.holds.by_pump if action is Action.PUMP else self.holds.by_footbridge
        return next((hold for hold in among if hold.link == link), None)


class Reckoning:
    """What one who knows the water reckons for a turn; each order that is chosen changes it.

    Attributes
    ----------
    cut : (n_hex,) int
        First cut of every hex, as far as it is put off by now.
    distance : (n_hex,) int
        Walk to a shelter by links that stay open until that cut; -1 for none.
    room : float
        Places that nobody under way will take.
    cells : (n_walking,) int
        Hexes under way; ``edges`` are the links of all their routes, ``owner`` says whose.
    flow, capacity, load : (n_edge,) float
        People on a link, those whom it carries in a turn, their ratio (0 on a reserved axis).
    escorted : (n_walking,) bool
    spare : (n_hex,) int
        Turns that an alert may still wait.
    worth, promise : (n_hex,)
        Points once an alert gets through; those for which an order counts.
    patrols, trucks : list of Unit
        Free to be sent.

    """

    def __init__(self, mind: Mind, state: State) -> None:
        self.mind, self.state, self.world = mind, state, mind.world
        self.district, self.sheet = mind.world.district, mind.world.district.sheet
        self.turn = state.turn
        self.night = self.world.night(self.turn + 1)
        self.pace = COUNTER_STEP * (NIGHT_STEP_PERCENT if self.night else 100) / 100
        self.alerted: BoolArray = whole(state.alerted) != NEVER
        self.evacuated = whole(state.evacuated) != NEVER
        self.waiting: Floats = whole(state.waiting) / HUNDREDTHS
        self.followers: Floats = whole(state.followers) / HUNDREDTHS
        self.goes_up = hexes_of_option(self.district, state, Protection.UP)
        self.ways = KnownWays(self.district, state)
        self._roll()
        self._cuts()
        self._ways_on_foot()
        self._walkers()
        self._worth_of_alerts()
        self._free_units()

    # ------------------------------------------------------------------ what is known
    def _roll(self) -> None:
        """Chances that an alert gets through, that a quarter is ready, that people talk (§9.4)."""
        modifier = roll_modifier(
            night=self.world.night(self.turn), credibility=self.world.scenario.credibility
        )

        def chance(means: AlertMeans) -> float:
            return _chance(lambda dice: succeeds(means, dice, modifier))

        first = np.where(
            self.mind.sirens, chance(AlertMeans.SIREN), chance(AlertMeans.CELL_BROADCAST)
        )
        self.through: Floats = 1 - (1 - first) * (1 - chance(AlertMeans.RADIO))
        self.talk = chance(AlertMeans.WORD_OF_MOUTH)
        self.ready = _chance(lambda dice: prepared(dice, modifier))

    def _cuts(self) -> None:
        """(n_hex,) first cut of every hex, put off where a link is held or will be (§12.2)."""
        self.cut = self.world.first_cut.astype(np.int64)
        self.held: list[int] = []
        for unit in self.state.units:
            if unit.task in (Action.PUMP.value, Action.FOOTBRIDGE.value) and not unit.blocked:
                hold = self.mind.hold(unit.links[0], Action(unit.task))
                if hold is not None:
                    self.put_off(hold)

    def put_off(self, hold: Hold) -> None:
        """Reckon with a link that will be held."""
        still = whole(self.state.cut)[hold.cells] == NEVER
        cells = hold.cells[still]
        self.cut[cells] = np.maximum(self.cut[cells], hold.cut[still])
        self.held.append(hold.link)

    def _ways_on_foot(self) -> None:
        """Walk of every hex to a shelter with places, by links that stay open until its cut."""
        state, world = self.state, self.world
        self.links, depth_mm = true_links(world, state)
        cost = foot_cost(self.links, depth_mm, night=self.night)
        self.capacity: Floats = foot_capacity(self.links, depth_mm).astype(float)
        places = np.array([shelter.places for shelter in self.district.shelters]) * HUNDREDTHS
        left = places - whole(state.places_taken)
        usable = (left >= HUNDREDTHS) & ~np.array(state.closed)
        usable &= world.shelter_dry[self.turn : self.turn + DRY_AHEAD_TURNS].all(axis=0)
        self.room = float(left[usable].sum()) / HUNDREDTHS
        shelters = world.shelter_cells[usable]
        self.now = shortest_paths(self.sheet, cost, shelters)
        self.distance = np.full(self.sheet.n_hexes, -1, dtype=np.int64)
        ahead = self.district.active & ~self.evacuated & (self.cut > self.turn)
        for cut in np.unique(self.cut[ahead]).tolist():
            stays: BoolArray = np.array(world.foot_open[self.turn : cut].all(axis=0))
            stays[self.held] = True
            paths = shortest_paths(self.sheet, np.where(stays, cost, 0), shelters)
            mine = ahead & (self.cut == cut)
            self.distance[mine] = paths.distance[mine]

    def _walkers(self) -> None:
        """Hexes under way, their links, and the crowd on every link (§10.3)."""
        state = self.state
        self.walks = self.alerted & ~self.evacuated & ~self.goes_up & (self.now.distance >= 0)
        self.cells = np.flatnonzero(self.walks)
        cells = self.cells
        foreseen = route_edges(self.now, cells)
        routes = [
            state.route[cell] or ahead if state.shelter[cell] >= 0 else ahead
            for cell, ahead in zip(cells.tolist(), foreseen, strict=True)
        ]
        self.edges = np.array([edge for route in routes for edge in route], dtype=np.int64)
        self.owner = np.repeat(np.arange(len(cells)), [len(route) for route in routes])
        people = (self.waiting + self.followers)[cells]
        self.flow = np.bincount(self.edges, people[self.owner], minlength=self.sheet.n_edges)
        self.load: Floats = self.flow / self.capacity
        for unit in state.units:
            if unit.task == Action.RESERVE.value:
                self.load[list(unit.links)] = 0.0
        walk = np.maximum(self.distance, self.now.distance)[cells]
        target = np.where(
            whole(state.shelter)[cells] >= 0,
            whole(state.target)[cells],
            COUNTER_STEP * (COUNTER_BASE + walk),
        )
        self.to_go = np.maximum(target - whole(state.progress)[cells], 1)
        self.first_step = np.maximum(whole(state.first_step)[cells], self.turn)
        patrols = [unit for unit in state.units if unit.kind is UnitKind.PATROL]
        at = [unit.cell if unit.to == NOWHERE else unit.to for unit in patrols]
        self.escorted = np.isin(cells, at)

    def arrivals(self, load: Floats, escorted: BoolArray) -> Floats:
        """(n_walking,) turn in which each hex under way is complete, if crowds stay as they are."""
        worst = np.ones(len(self.cells))
        np.maximum.at(worst, self.owner, load[self.edges])
        step = self.pace * np.where(escorted, PATROL_FACTOR, 1) / worst
        arrival: Floats = self.first_step - 1 + np.ceil(self.to_go / step)
        return arrival

    def in_time(self, arrival: Floats, cut: npt.NDArray[np.int64]) -> Floats:
        """(n_walking,) chance to be in before the cut."""
        spare = (cut - arrival) / ARRIVAL_DOUBT_TURNS + 0.5
        return np.where(cut > self.turn, np.clip(spare, 0, 1), 0.0)

    def promised(self, load: Floats, escorted: BoolArray) -> Floats:
        """(n_walking,) points that those under way promise."""
        in_time = self.in_time(self.arrivals(load, escorted), self.cut[self.cells])
        promised: Floats = POINTS_SAVED * self.waiting[self.cells] * in_time
        return promised

    def turns_to_spare(self, pace: float, cut: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """(n_hex,) turns that an alert may still wait; below 0 it is too late."""
        steps = np.ceil(COUNTER_STEP * (COUNTER_BASE + self.distance) / pace).astype(np.int64)
        spare: npt.NDArray[np.int64] = (
            cut - 1 - self.turn - np.where(self.distance >= 0, steps, FAR)
        )
        return spare

    def _worth_of_alerts(self) -> None:
        """Points of every hex that an alert reaches; what an order may count on (§9.3, 12.1)."""
        to_shelter, followers = self.mind.to_shelter, self.mind.followers
        self.spare = spare = self.turns_to_spare(self.pace, self.cut)
        prompt = np.where(spare >= 0, self.ready, 0.0)
        prompt += np.where(spare >= PREPARATION_DELAY_TURNS, 1 - self.ready, 0.0)
        threatened = self.cut > self.turn
        # those cut before they arrive walk in vain, and their followers with them
        self.worth: Floats = np.where(
            threatened & (spare >= 0),
            POINTS_SAVED * to_shelter * prompt - followers,
            np.where(threatened, -followers, -(to_shelter + followers)),
        )
        untold = self.district.active & ~self.alerted
        promise = self.through * np.where(
            self.worth > 0, self.worth * self.pressing(spare), self.worth
        )
        self.promise = np.round(np.where(untold, promise, 0)).astype(np.int64)
        self.room -= float((self.waiting + self.followers)[self.walks].sum())

    def pressing(self, spare: npt.NDArray[np.int64]) -> Floats:
        """(n_hex,) share of its worth for which an alert counts now: it may be tried again."""
        failing = (1 - self.through) ** np.maximum(spare, 0)
        pressing: Floats = PATIENT + (1 - PATIENT) * failing
        return pressing

    def _free_units(self) -> None:
        """Patrols and pump trucks that nothing ties up which is still worth it."""
        load = self.flow / self.capacity
        at_work = dict(zip(self.cells.tolist(), range(len(self.cells)), strict=True))
        self.patrols: list[Unit] = []
        self.trucks: list[Unit] = []
        for unit in self.state.units:
            on_its_way = unit.to != NOWHERE and not unit.blocked
            if on_its_way or (unit.task == DOOR_TO_DOOR and not unit.blocked):
                continue
            if unit.kind is UnitKind.PUMP and (unit.blocked or not unit.task):
                self.trucks.append(unit)
            if unit.kind is not UnitKind.PATROL:
                continue
            if (
                unit.task == Action.RESERVE.value
                and not unit.blocked
                and (not unit.at_work(self.turn) or load[list(unit.links)].max() > CROWDED)
            ):
                continue
            escorts = unit.cell in at_work and self.cut[unit.cell] > self.turn
            if escorts and self.waiting[unit.cell] > ESCORTED_LEAST:
                continue
            self.patrols.append(unit)

    def chance_by_cut(self, cells: npt.NDArray[np.int64], cut: npt.NDArray[np.int64]) -> Floats:
        """Chance that the people of hexes are in before a cut, under way or still to be alerted."""
        arrival = np.full(self.sheet.n_hexes, float(FAR))
        arrival[self.cells] = self.arrivals(self.load, self.escorted)
        walking = self.in_time(arrival[cells], cut)
        steps = np.ceil(COUNTER_STEP * (COUNTER_BASE + self.now.distance[cells]) / self.pace)
        tries = np.where(self.now.distance[cells] >= 0, cut - self.turn - steps, 0)
        told = 1 - (1 - self.through[cells]) ** np.clip(tries, 0, None)
        return np.where(self.alerted[cells], walking, np.where(cut > self.turn, told, 0.0))

    def nearest(
        self, units: list[Unit], ends: tuple[int, ...], turns: int | None = None
    ) -> Unit | None:
        """The unit that reaches one of some hexes first, if any does so within some turns."""
        if not units:
            return None
        way = self.ways.of(units[0].kind)
        away = shortest_paths(self.sheet, way.cost, list(ends)).distance
        most = FAR if turns is None else turns * UNITS[units[0].kind].mobility
        near = [unit for unit in units if 0 <= away[unit.cell] <= most]
        return min(near, key=lambda unit: (int(away[unit.cell]), unit.name), default=None)


def _chance(succeeds_with: Callable[[int], bool]) -> float:
    """Chance that the sum of two dice succeeds."""
    faces = range(1, 7)
    return sum(succeeds_with(a + b) for a, b in product(faces, faces)) / 36
