"""A player for the play balance: perfect knowledge that also uses what that leaves alone (§9, 11).

With the orders that perfect knowledge has left over it sends boats to quarters that will go short,
has obstructed links cleared where a crowd walks, lets buses take out those who can walk to no
shelter in time, and closes shelters that will stand in water. Sensible, not tuned: it is there so
that every rule is used.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from exercises.foreknowledge import Mind, Reckoning
from exercises.perfect_knowledge import perfect_knowledge
from sim.evacuation import rim_hexes
from sim.isolation import isolated_by, points_needed
from sim.legality import brushed
from sim.links import vehicle_cost
from sim.orders import (
    FORECAST_TURN,
    FREE,
    UNIT_ORDERS,
    Alert,
    Clear,
    CloseShelter,
    Deliver,
    Move,
    Order,
)
from sim.paths import shortest_paths
from sim.rules import (
    COUNTER_BASE,
    COUNTER_STEP,
    OUT_COUNTER_BASE,
    OUT_HEXES_A_TURN,
    OUT_VEHICLES,
    POINTS_SAVED,
    LinkClass,
    Protection,
    UnitKind,
)
from sim.state import HUNDREDTHS, NOWHERE, State
from sim.unit import Unit
from sim.units import bases, known_links, true_links
from sim.view import staffing_at
from sim.world import World

LEAST_BUS_POINTS = 150
WET_SOON_TURNS = 3


def thorough(world: World) -> Callable[[State], Sequence[Order]]:
    """Return the player; told the state, it gives the turn's orders."""
    mind, knower = Mind(world), perfect_knowledge(world)

    def orders(state: State) -> Sequence[Order]:
        given = tuple(knower(state))
        if state.turn == FORECAST_TURN:
            return given
        spent = sum(not isinstance(order, FREE) for order in given)
        left = staffing_at(state.turn).orders - spent
        return (*given, *_Extras(mind, state, given).orders(left)) if left else given

    return orders


class _Extras(Reckoning):
    def __init__(self, mind: Mind, state: State, given: Sequence[Order]) -> None:
        super().__init__(mind, state)
        self._given = given
        self._busy = {order.unit for order in given if isinstance(order, UNIT_ORDERS)}

    def orders(self, left: int) -> list[Order]:
        chosen: list[Order] = []
        for orders in (*self._boats(), *self._buses(), *self._clearing(), *self._closing()):
            if len(chosen) + len(orders) <= left:
                chosen += orders
        return chosen

    def _idle(self, *kinds: UnitKind) -> list[Unit]:
        return [
            unit
            for unit in self.state.units
            if unit.kind in kinds
            and unit.name not in self._busy
            and unit.to == NOWHERE
            and not unit.task
        ]

    def _send(self, unit: Unit, order: Order) -> list[Order]:
        self._busy.add(unit.name)
        return [order]

    def _boats(self) -> Iterator[list[Order]]:
        """Supplies for quarters whose reserve will not do; empty boats go to load."""
        isolated = isolated_by(self.district, *known_links(self.district, self.state))
        people = 100 * (self.waiting + self.followers) + np.array(self.state.upstairs)
        quarter = self.district.quarter
        for number in np.unique(quarter[isolated]).tolist():
            cells = np.flatnonzero(isolated & (quarter == number))
            if self.state.reserve[number] >= points_needed(int(people[cells].sum())):
                continue
            boats = [unit for unit in self._idle(UnitKind.BOAT) if unit.loaded]
            mine = np.flatnonzero(self.district.active & (quarter == number)).tolist()
            boat = self.nearest(boats, tuple(mine))
            if boat is not None:
                away = shortest_paths(self.sheet, self.ways.of(boat.kind).cost, [boat.cell])
                cell = min((away.distance[c], c) for c in mine if away.distance[c] >= 0)[1]
                yield self._send(boat, Deliver(turn=self.turn, unit=boat.name, cell=cell))
        homes = [home.cell for home in bases(self.district, UnitKind.BOAT)]
        for boat in self._idle(UnitKind.BOAT):
            away = shortest_paths(self.sheet, self.ways.of(boat.kind).cost, homes, boat.cell)
            if not boat.loaded and away.distance[boat.cell] > 0:
                home = homes[int(away.place[boat.cell])]
                yield self._send(boat, Move(turn=self.turn, unit=boat.name, to=home))

    def _buses(self) -> Iterator[list[Order]]:
        """A quarter whose people buses take out in time, and shelters do not: three vehicles."""
        links, depth_mm = true_links(self.world, self.state)
        rides = (vehicle_cost(links, depth_mm) > 0).astype(np.int32)
        rim = shortest_paths(self.sheet, rides, rim_hexes(self.sheet)).distance
        steps = OUT_COUNTER_BASE - (-rim // OUT_HEXES_A_TURN)
        turns = np.ceil(COUNTER_STEP * steps / self.pace)
        in_time = (rim >= 0) & (self.cut - 2 - self.turn >= turns) & (self.cut > self.turn)
        sooner = steps < COUNTER_BASE + self.distance
        walk = (self.spare >= 0) & (self.room > 0) & ~sooner
        untold = self.district.active & ~self.alerted
        worth = self.through * (POINTS_SAVED * self.mind.to_shelter - self.mind.followers)
        points = np.where(untold & in_time & ~walk, worth, 0.0)
        points -= np.where(self.walks & (self.cut > self.turn), POINTS_SAVED * self.waiting, 0.0)
        quarter = self.district.quarter
        active = self.district.active
        total = np.bincount(quarter[active], points[active], len(self.district.quarters))
        number = int(total.argmax())
        vehicles = self._idle(UnitKind.PUMP, UnitKind.PATROL)
        if total[number] < LEAST_BUS_POINTS or len(vehicles) < OUT_VEHICLES:
            return
        mine = np.flatnonzero((points > 0) & (quarter == number))
        gain = np.zeros(len(points), dtype=np.int64)
        gain[mine] = points[mine].astype(np.int64)
        radius = staffing_at(self.turn).brush_radius
        centre = int(self.mind.brush.sums(gain, radius).argmax())
        told = {
            cell
            for order in self._given
            if isinstance(order, Alert)
            for cell in brushed(self.district, order.centre, order.radius)
        }
        if told & set(brushed(self.district, centre, radius)):
            return
        orders: list[Order] = [
            Alert(turn=self.turn, centre=centre, radius=radius, option=Protection.OUT)
        ]
        for cell in [int(mine[0])] * OUT_VEHICLES:
            unit = self.nearest(self._idle(UnitKind.PUMP), (cell,)) or self.nearest(
                self._idle(UnitKind.PATROL), (cell,)
            )
            if unit is None:
                return
            if unit.cell != cell:
                orders += self._send(unit, Move(turn=self.turn, unit=unit.name, to=cell))
            else:
                self._busy.add(unit.name)
        yield orders

    def _clearing(self) -> Iterator[list[Order]]:
        """Obstructed links that a crowd walks."""
        known = self.state.known_obstacles
        works = {link for unit in self.state.units if unit.task for link in unit.links}
        wanted = {*known.obstructed, *known.cut(self.turn)} - set(known.roadworks) - works
        roads = [link for link in wanted if self.district.link_class[link] > LinkClass.NONE]
        for link in sorted(roads, key=lambda link: (-self.flow[link], link))[:2]:
            if self.flow[link] <= 0:
                break
            ends = tuple(self.sheet.edges[link].tolist())
            unit = self.nearest(self._idle(UnitKind.PATROL), ends)
            if unit is not None:
                yield self._send(unit, Clear(turn=self.turn, unit=unit.name, link=link))

    def _closing(self) -> Iterator[list[Order]]:
        """Shelters that people walk to and that will stand in water before they arrive."""
        dry = self.world.shelter_dry
        soon = dry[self.turn : self.turn + WET_SOON_TURNS + 1].all(axis=0)
        heading = {self.state.shelter[cell] for cell in self.cells.tolist()}
        for number, shut in enumerate(self.state.closed):
            places = self.district.shelters[number].places * HUNDREDTHS
            full = self.state.places_taken[number] >= places
            wet_soon = dry[self.turn, number] and not soon[number]
            if not shut and not full and number in heading and wet_soon:
                yield [CloseShelter(turn=self.turn, shelter=number)]
