"""One who knows the water to come and plays by the rules of all others (§12.5).

It sees the truth of the moment and all the water to come; the dice it does not know. Budget, brush,
staffing, units, dice and crowds are everyone's. Turn by turn it takes the order that promises most
points, then the next, until the budget is spent or nothing is worth an order:

- alert the hexes that a brush gathers, first those that cannot wait;
- go from door to door to a hex, or escort its people, which doubles their pace (§10.1);
- keep a crowded axis free where that brings people in before their cut (§10.3);
- hold by a pump or a footbridge a link that puts a cut off (§9.2);
- let a quarter go up whose threatened are in, so that word of mouth moves nobody else (§9.3).

A bound in name: each choice is the best of its moment and none is taken back, so that a better play
may exist. It leaves alone the buses, the boats, the clearing of roads and the closing of shelters.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from exercises.foreknowledge import Floats, Mind, Reckoning
from exercises.held_links import Hold
from exercises.session import Knower
from sim.district import BoolArray
from sim.legality import awaited_injunction, brushed
from sim.orders import (
    FORECAST_TURN,
    Alert,
    Answer,
    DoorToDoor,
    Footbridge,
    Forecast,
    Move,
    Order,
    Protect,
    Pump,
    Reserve,
)
from sim.protection import OPTIONS, was_threatened
from sim.rules import (
    ACTIONS,
    CAPITAL_REFUSED,
    CAPITAL_REFUSED_RIGHTLY,
    PATROL_FACTOR,
    POINTS_CAPITAL,
    POINTS_SAVED,
    RESERVED_LINKS,
    LinkClass,
    Protection,
)
from sim.state import State
from sim.unit import Unit
from sim.units import action_of, chain_ends
from sim.view import staffing_at
from sim.world import World

UNHURRIED = 0.3
"""Share of its worth for which a link counts that can be held as well a turn later."""
LEAST_GAIN_POINTS = 10.0
LEAST_CALM_POINTS = 25.0
LIKELY = 0.2
"""Chance to be in time from which the people of a hex are waited for."""
TALK_TOO_LATE_TURNS = 6
"""Hexes that word of mouth alerts in the last turns reach no shelter."""
DOORS_TRIED, AXES_TRIED, HOLDS_TRIED = 5, 8, 3
NO_CHANCE = 1e9


def perfect_knowledge(world: World) -> Knower:
    """Return one who knows the water of a world; told the state, it gives the turn's orders."""
    mind = Mind(world)

    def orders(state: State) -> tuple[Order, ...]:
        if state.turn == FORECAST_TURN:
            cells = tuple(np.flatnonzero(world.cut_on_foot).tolist())
            return (Forecast(turn=FORECAST_TURN, cells=cells),) if cells else ()
        return _Turn(mind, state).orders()

    return orders


@dataclass(frozen=True)
class _Choice:
    """An order, the points that it promises, and what it changes for the next choice."""

    points: float
    order: Order
    taken: Callable[[], None]


class _Turn(Reckoning):
    """The orders of one turn."""

    def orders(self) -> tuple[Order, ...]:
        """Choose orders one by one, the most promising first."""
        chosen: list[Order] = []
        asked = awaited_injunction(self.state.injunctions)
        if asked is not None:
            mine = self.district.active & (self.district.quarter == asked.quarter) & ~self.alerted
            regained = 0 if was_threatened(self.world, asked) else CAPITAL_REFUSED_RIGHTLY
            refusing = POINTS_CAPITAL * (CAPITAL_REFUSED + regained)
            obey = float(self.worth[mine].sum()) > refusing
            chosen.append(Answer(turn=self.turn, obey=obey))
        best = {kind: kind(self) for kind in _AFFECTS}
        for _ in range(staffing_at(self.turn).orders):
            kind = max(best, key=lambda kind: _points(best[kind]))
            choice = best[kind]
            if choice is None:
                break
            chosen.append(choice.order)
            choice.taken()
            for other in (kind, *_AFFECTS[kind]):
                best[other] = other(self)
        return tuple(chosen)

    def _alert(self) -> _Choice | None:
        """The brush that promises most; it calls back to shelters the quarters that went up."""
        if self.room <= 0:
            return None
        best = (0, 0, 0)
        for radius in range(staffing_at(self.turn).brush_radius + 1):
            total = self.mind.brush.sums(self.promise, radius)
            centre = int(total.argmax())
            best = max(best, (int(total[centre]), -radius, -centre))
        points, radius, centre = best[0], -best[1], -best[2]
        if points < LEAST_GAIN_POINTS:
            return None
        cells = np.array(brushed(self.district, centre, radius))
        told = cells[~self.alerted[cells]]
        up = bool(self.goes_up[cells].any())

        def taken() -> None:
            people = (self.mind.to_shelter + self.mind.followers)[told]
            self.room -= float((self.through[told] * people).sum())
            self.promise[told] = 0

        option = Protection.SHELTER if up else None
        order = Alert(turn=self.turn, centre=centre, radius=radius, option=option)
        return _Choice(points, order, taken)

    def _door_to_door(self) -> _Choice | None:
        """The hex that a patrol best alerts, without dice, and then escorts."""
        spare = self.turns_to_spare(PATROL_FACTOR * self.pace, self.cut)
        can = self.district.active & ~self.alerted & ~self.goes_up & (self.cut > self.turn)
        can &= (spare >= 0) & (self.promise >= 0)
        worth = POINTS_SAVED * self.mind.to_shelter - self.mind.followers
        points = np.where(can, worth * self.pressing(spare), 0.0)
        for cell in np.argsort(-points, kind="stable")[:DOORS_TRIED].tolist():
            if points[cell] < LEAST_GAIN_POINTS:
                break
            patrol = self.nearest(self.patrols, (cell,), turns=1)
            if patrol is not None:
                return self._sent_to_door(patrol, cell, float(points[cell]))
        return None

    def _sent_to_door(self, patrol: Unit, cell: int, points: float) -> _Choice:
        def taken() -> None:
            self.patrols.remove(patrol)
            self.promise[cell] = 0
            self.alerted = self.alerted.copy()
            self.alerted[cell] = True

        return _Choice(points, DoorToDoor(turn=self.turn, unit=patrol.name, cell=cell), taken)

    def _escort(self) -> _Choice | None:
        """The hex whose people a patrol brings in by doubling their pace."""
        if not self.patrols or not self.cells.size:
            return None
        everywhere = np.ones(len(self.cells), dtype=bool)
        gain = self.promised(self.load, everywhere) - self.promised(self.load, self.escorted)
        which = int(gain.argmax())
        cell = int(self.cells[which])
        if gain[which] < LEAST_GAIN_POINTS:
            return None
        patrol = self.nearest(self.patrols, (cell,), turns=1)
        if patrol is None or patrol.cell == cell:
            return None

        def taken() -> None:
            self.patrols.remove(patrol)
            self.escorted[which] = True

        order = Move(turn=self.turn, unit=patrol.name, to=cell)
        return _Choice(float(gain[which]), order, taken)

    def _reserve(self) -> _Choice | None:
        """The axis whose crowd keeps most people from being in time."""
        crowded = np.flatnonzero((self.load > 1) & (self.district.link_class > LinkClass.NONE))
        if not self.patrols or not crowded.size:
            return None
        excess = (self.flow - self.capacity)[crowded]
        before = self.promised(self.load, self.escorted).sum()
        best, relieved = 0.0, self.load
        axis: tuple[int, ...] = ()
        for edge in crowded[np.argsort(-excess, kind="stable")][:AXES_TRIED].tolist():
            links = self._axis(edge)
            load = self.load.copy()
            load[list(links)] = 0.0
            points = float(self.promised(load, self.escorted).sum() - before)
            if points > best:
                best, axis, relieved = points, links, load
        patrol = self.nearest(self.patrols, chain_ends(self.sheet, axis)) if axis else None
        if patrol is None or best < LEAST_GAIN_POINTS:
            return None

        def taken() -> None:
            self.patrols.remove(patrol)
            self.load = relieved

        return _Choice(best, Reserve(turn=self.turn, unit=patrol.name, links=axis), taken)

    def _axis(self, link: int) -> tuple[int, ...]:
        """Chain through a crowded link, lengthened at either end by the most crowded next one."""
        ends = self.sheet.edges[link].tolist()
        seen, axis = set(ends), [link]
        while len(axis) < RESERVED_LINKS:
            found = [
                (self.flow[edge], end, edge, other)
                for end in (0, 1)
                for edge, other in zip(
                    self.sheet.edge_across[ends[end]].tolist(),
                    self.sheet.neighbours[ends[end]].tolist(),
                    strict=True,
                )
                if edge >= 0
                and other not in seen
                and self.load[edge] > 1
                and self.district.link_class[edge] > LinkClass.NONE
            ]
            if not found:
                break
            _, end, edge, other = max(found, key=lambda one: (one[0], -one[1], -one[2]))
            ends[end] = other
            seen.add(other)
            axis = [edge, *axis] if end == 0 else [*axis, edge]
        return tuple(axis)

    def _pump(self) -> _Choice | None:
        """The link that a pump best holds."""
        return self._hold(self.mind.holds.by_pump, Pump)

    def _footbridge(self) -> _Choice | None:
        """The link where a footbridge best holds the way."""
        return self._hold(self.mind.holds.by_footbridge, Footbridge)

    def _hold(self, holds: tuple[Hold, ...], kind: type[Pump] | type[Footbridge]) -> _Choice | None:
        if not self.trucks:
            return None
        points = self._points_of_holds(holds)
        for which in np.argsort(-points, kind="stable")[:HOLDS_TRIED].tolist():
            if points[which] < LEAST_GAIN_POINTS:
                break
            hold = holds[which]
            order = kind(turn=self.turn, unit="", link=hold.link)
            set_up = ACTIONS[action_of(order)].set_up_turns
            # at work before the first of the cuts that it is to put off
            turns = int(self.world.first_cut[hold.cells].min()) - self.turn - set_up
            ends = chain_ends(self.sheet, (hold.link,))
            truck = self.nearest(self.trucks, ends, turns=turns)
            if truck is not None:
                order = kind(turn=self.turn, unit=truck.name, link=hold.link)
                # no die is rolled: what can be done next turn as well is worth little now
                can_wait = self.nearest([truck], ends, turns=turns - 1) is not None
                counted = float(points[which]) * (UNHURRIED if can_wait else 1.0)
                if counted < LEAST_GAIN_POINTS:
                    return None
                return self._sent_to_hold(truck, hold, order, counted)
        return None

    def _sent_to_hold(self, truck: Unit, hold: Hold, order: Order, points: float) -> _Choice:
        def taken() -> None:
            self.trucks.remove(truck)
            self.put_off(hold)

        return _Choice(points, order, taken)

    def _points_of_holds(self, holds: tuple[Hold, ...]) -> Floats:
        """(n_hold,) points that each would bring by what it puts off."""
        if not holds:
            return np.zeros(0)
        owner = np.repeat(np.arange(len(holds)), [hold.cells.size for hold in holds])
        cells = np.concatenate([hold.cells for hold in holds])
        later = np.concatenate([hold.cut for hold in holds])
        before = self.cut[cells]
        then = np.where(before > self.turn, np.maximum(before, later), before)
        gain = self.chance_by_cut(cells, then) - self.chance_by_cut(cells, before)
        points = POINTS_SAVED * self.waiting[cells] * gain
        points[self.evacuated[cells] | self.goes_up[cells]] = 0.0
        summed: Floats = np.bincount(owner, points, len(holds)).astype(float)
        return summed

    def _calm(self) -> _Choice | None:
        """The quarter that had best go up now: nobody is waited for, and talk goes on (§9.4)."""
        quarter = int(self.calm.argmax())
        points = float(self.calm[quarter])
        if points < LEAST_CALM_POINTS:
            return None

        def taken() -> None:
            self.calm[quarter] = 0.0

        return _Choice(
            points, Protect(turn=self.turn, quarter=quarter, option=Protection.UP), taken
        )

    @cached_property
    def calm(self) -> Floats:
        """(n_quarter,) points that going up spares: people who would walk for nothing."""
        district, cells, quarter = self.district, self.cells, self.district.quarter
        n_hex, n_quarter = self.sheet.n_hexes, len(self.district.quarters)
        active = district.active
        arrival = self.arrivals(self.load, self.escorted)
        chance = self.in_time(arrival, self.cut[cells])
        likely = chance > LIKELY

        hope, harm, until = np.zeros(n_hex), np.zeros(n_hex), np.zeros(n_hex)
        arrives = np.full(n_hex, NO_CHANCE)
        arrives[cells] = arrival
        in_time = POINTS_SAVED * self.waiting[cells] * chance - self.followers[cells]
        hope[cells] = np.where(likely, in_time, 0.0)
        never = ~self.world.threatened[cells]
        for_nothing = np.where(never, self.waiting[cells], 0.0) + self.followers[cells]
        harm[cells] = np.where(likely, 0.0, for_nothing)
        until[cells] = np.where(hope[cells] > 0, np.minimum(arrival, self.world.turns), 0)
        untold = active & ~self.alerted
        soon = untold & (self.cut > self.turn) & (self.spare >= 0)
        hope = np.where(soon, np.maximum(self.worth, 0) * self.through, hope)
        until = np.where(soon, self.cut - 1, until)

        def by_quarter(values: Floats, where: BoolArray) -> Floats:
            summed: Floats = np.bincount(quarter[where], values[where], n_quarter).astype(float)
            return summed

        last = np.zeros(n_quarter)
        np.maximum.at(last, quarter[active], until[active])
        hopes = by_quarter(hope, active)
        till_then = by_quarter(harm * (arrives <= last[quarter]), active)
        to_the_end = by_quarter(harm * (arrives <= self.world.turns), active)
        hexes = by_quarter(np.ones(n_hex), untold)
        mean = by_quarter(np.maximum(-self.worth, 0), untold) / np.maximum(hexes, 1)

        def talked_into(turns: Floats) -> Floats:
            rolls = np.maximum(turns - TALK_TOO_LATE_TURNS, 0) * self.talk
            people: Floats = np.minimum(rolls, hexes) * mean
            return people

        waiting = till_then + talked_into(last - self.turn)
        never_up = to_the_end + talked_into(np.full(n_quarter, self.world.turns - self.turn))
        points = np.where(hopes > 0, np.maximum(waiting - hopes, 0), never_up)
        heard = by_quarter(np.ones(n_hex), self.alerted & active) > 0
        up = np.array(self.state.protection) == OPTIONS.index(Protection.UP)
        spared: Floats = np.where(heard & ~up, points, 0.0)
        return spared


_PATROLS = (_Turn._reserve, _Turn._escort, _Turn._door_to_door)
_AFFECTS: dict[Callable[[_Turn], _Choice | None], tuple[Callable[[_Turn], _Choice | None], ...]] = {
    _Turn._alert: (_Turn._door_to_door,),
    _Turn._door_to_door: (_Turn._alert, *_PATROLS),
    _Turn._escort: _PATROLS,
    _Turn._reserve: _PATROLS,
    _Turn._pump: (_Turn._footbridge,),
    _Turn._footbridge: (_Turn._pump,),
    _Turn._calm: (),
}
"""Kinds of choice in the order in which they win ties, and those that each changes for others."""


def _points(choice: _Choice | None) -> float:
    return 0.0 if choice is None else choice.points
