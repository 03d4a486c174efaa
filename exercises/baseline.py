"""A player who knows what a careful team may know, and weighs every alert by it.

It foresees from the public ground (``exercises.outlook``), sends patrols where their look decides
most, and alerts a hex when the points that it can expect are positive: two for each threatened
person sheltered in time, less one for each place taken by the others (§12.1). Where nobody is
waited for any more it lets the quarter go up, so that word of mouth moves nobody else (§9.3).
"""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from exercises.brush import Brush
from exercises.outlook import Floats, Look, Outlook, outlook
from sim.alerts import roll_modifier, succeeds
from sim.district import BoolArray, District
from sim.hexes import IntArray
from sim.legality import awaited_injunction, brushed
from sim.links import foot_cost
from sim.orders import FORECAST_TURN, Alert, Answer, Forecast, Move, Order, Protect
from sim.paths import shortest_paths
from sim.protection import OPTIONS
from sim.public import public_district
from sim.rules import (
    CAPITAL_REFUSED,
    CAPITAL_REFUSED_RIGHTLY,
    COUNTER_BASE,
    FOLLOWERS_PERCENT,
    LEVELS,
    NIGHT_PATROL_SIGHT,
    NIGHT_STEP_PERCENT,
    PATROL_SIGHT,
    POINTS_CAPITAL,
    POINTS_MISUSED,
    POINTS_SAVED,
    WATERS,
    AlertMeans,
    Protection,
    UnitKind,
    Water,
)
from sim.situation import situation_at
from sim.units import KnownWays, known_links
from sim.view import View

PAINT_FROM = 0.4
"""Chance from which a hex is painted in the forecast."""
LEAST_GAIN_POINTS = 25
"""Points that an alert must promise: below, the dice and the estimate are all there is to it."""
PATIENCE = 0.93
"""While the bulletin leaves levels open, an alert waits if waiting keeps this share of it."""
WORTH_A_MOVE = 2.0
"""A patrol leaves its place for one that decides this many times more."""
FRESH_TURNS = 1
"""Age up to which a depth counts as seen."""
TALK_TOO_LATE_TURNS = 6
"""Hexes alerted in the last turns reach no shelter, and so take no place."""
GUESSED_RISE_TURNS = 3
"""A depth seen for the first time is taken to have risen over so many turns."""
UNREADY_TURNS = 3.0
"""Turns that failed dice, crowds and the turn of the cut itself cost beside the walk."""

CALMED_AFTER_TURNS = 12
"""Turns after its alert in which a quarter is let go up, so that talk ends there."""
WAITED_FOR_FROM = 0.2
"""Chance to be cut from which the people of a hex are waited for."""
WAITED_FOR_TURNS = 8
"""Turns after which those who have not arrived are not on their way."""
UP = OPTIONS.index(Protection.UP)


def baseline(district: District) -> Callable[[View], tuple[Order, ...]]:
    """Return the baseline player of a district."""
    return _Baseline(district).orders


class _Baseline:
    """The public ground, read once, and the last view, to see what rises."""

    def __init__(self, district: District) -> None:
        self._district = public_district(district)
        self._brush = Brush(district)
        self._outlooks: dict[tuple[int, int], Outlook] = {}
        self._last: View | None = None
        self._told: dict[int, int] = {}

    def orders(self, view: View) -> tuple[Order, ...]:
        """Give the orders of a turn."""
        foreseen = self._foresee(view)
        self._last = view
        if view.turn == FORECAST_TURN:
            return self._forecast(foreseen.chance)
        people = situation_at(self._district, view.hour)
        followers = people.upstairs * FOLLOWERS_PERCENT / 100
        for cell in view.alerted:
            self._told.setdefault(cell, view.turn - 1)
        alerts = self._alerts(view, foreseen, people.to_shelter, followers)
        walkers = people.to_shelter + followers
        left = view.orders - len(alerts)
        calm = self._calm(view, foreseen, alerts, people.to_shelter, followers)[:left]
        moves = self._moves(view, foreseen.chance, walkers, left - len(calm))
        return (*self._answer(view, foreseen.chance, people.to_shelter), *alerts, *calm, *moves)

    # ---------------------------------------------------------------------- foresight
    def _foresee(self, view: View) -> "_Foresight":
        """Weigh the levels that the bulletin leaves open, with what is seen (§6)."""
        known_mm = np.array(view.known_mm, dtype=float)
        known_turn = np.array(view.known_turn)
        rise_mm = known_mm / GUESSED_RISE_TURNS
        if self._last is not None and self._last.turn == view.turn - 1:
            before = np.array(self._last.known_turn)
            again = (before == view.turn - 1) & (before > 0)
            rise_mm = np.where(again, known_mm - np.array(self._last.known_mm), rise_mm)
        return _Foresight(
            tuple(self._outlook(level, view.turns) for level in view.bulletin or LEVELS),
            Look(view.turn, known_mm, rise_mm),
            (known_turn > 0) & (view.turn - known_turn <= FRESH_TURNS),
        )

    def _outlook(self, level: int, turns: int) -> Outlook:
        if (level, turns) not in self._outlooks:
            self._outlooks[level, turns] = outlook(self._district, level, turns)
        return self._outlooks[level, turns]

    # ---------------------------------------------------------------------- orders
    def _forecast(self, chance: Floats) -> tuple[Order, ...]:
        """Paint the hexes with a link that is likely to be cut (§9.6, 12.4)."""
        district = self._district
        a, b = district.sheet.edges[district.foot].T
        touched = chance.copy()
        np.maximum.at(touched, a, chance[b])
        np.maximum.at(touched, b, chance[a])
        cells = np.flatnonzero(district.active & (touched >= PAINT_FROM))
        return (Forecast(turn=FORECAST_TURN, cells=tuple(cells.tolist())),) if cells.size else ()

    def _answer(self, view: View, chance: Floats, to_shelter: IntArray) -> tuple[Order, ...]:
        """Answer the prefecture: obey where a refusal promises less than the walk costs (§13.2).

        The quarter counts as threatened when some hex of it is: as likely as its likeliest.
        """
        asked = awaited_injunction(view.injunctions)
        if asked is None:
            return ()
        mine = self._district.active & (self._district.quarter == asked.quarter)
        threat = float(chance[mine].max(initial=0.0))
        refusing = POINTS_CAPITAL * (CAPITAL_REFUSED + (1 - threat) * CAPITAL_REFUSED_RIGHTLY)
        people = to_shelter[mine]
        saved = POINTS_SAVED * chance[mine] + POINTS_MISUSED * (1 - chance[mine])
        obeying = float((people * saved).sum())
        return (Answer(turn=view.turn, obey=obeying > refusing),)

    def _alerts(
        self, view: View, foreseen: "_Foresight", to_shelter: IntArray, followers: Floats
    ) -> tuple[Order, ...]:
        """Alert where the expected points are best, as far as places go (§12.1)."""
        walkers = to_shelter + followers
        alerted = np.zeros(len(walkers), dtype=bool)
        alerted[list(view.alerted)] = True
        under_way = alerted.copy()
        under_way[list(view.evacuated)] = False
        rooms = _Rooms(self._district, view)
        rooms.fill(np.flatnonzero(under_way), walkers)
        orders: list[Order] = []
        while len(orders) < view.orders and rooms.left():
            gain, worth = self._worth(view, foreseen, rooms, to_shelter, followers)
            worth[alerted] = 0.0
            talk = self._cost_of_talk(view, gain, alerted)
            centre, radius, points = self._best_disk(worth, talk, view.brush_radius)
            if points < LEAST_GAIN_POINTS:
                break
            cells = np.array(brushed(self._district, centre, radius))
            up = (np.array(view.protection) == UP)[self._district.quarter[cells]].any()
            option = Protection.SHELTER if up else None
            orders.append(Alert(turn=view.turn, centre=centre, radius=radius, option=option))
            rooms.fill(cells[~alerted[cells]], walkers)
            alerted[cells] = True
        return tuple(orders)

    def _worth(
        self,
        view: View,
        foreseen: "_Foresight",
        rooms: "_Rooms",
        to_shelter: IntArray,
        followers: Floats,
    ) -> tuple[Floats, Floats]:
        """Points that alerting each hex now brings, and those that an order may count on."""
        pace = NIGHT_STEP_PERCENT / 100 if view.night else 1.0
        need = (COUNTER_BASE + np.maximum(rooms.distance, 0)) / pace + UNREADY_TURNS
        now, later = (
            expected_points(foreseen.saved(needed), foreseen.chance, to_shelter, followers)
            for needed in (need, need + 1)
        )
        # a bulletin to come tells more: only what cannot wait is worth an order
        waits = (later > PATIENCE * now) & (len(view.bulletin) > 1)
        cut = foreseen.look.depth_mm >= WATERS[Water.BLOCKING].from_mm
        return now, np.where(waits | cut | (rooms.distance < 0), np.minimum(now, 0.0), now)

    def _best_disk(self, worth: Floats, talk: Floats, widest: int) -> tuple[int, int, float]:
        """Return centre, radius and points of the best brush, less the talk that it starts."""
        best = (0, 0, 0.0)
        whole = np.round(worth).astype(np.int64)
        for radius in range(widest + 1):
            total = self._brush.sums(whole, radius) - self._brush.quarters(radius) @ talk
            centre = int(total.argmax())
            if total[centre] > best[2]:
                best = (centre, radius, float(total[centre]))
        return best

    def _cost_of_talk(self, view: View, gain: Floats, alerted: BoolArray) -> Floats:
        """(n_quarter,) points that word of mouth will cost in a quarter not alerted yet (§9.4).

        Each turn it may alert one more hex, good or bad, whose people walk if turns are left.
        """
        district = self._district
        until = min(view.turns, view.turn + CALMED_AFTER_TURNS)
        rolls = max(0, until - view.turn - TALK_TOO_LATE_TURNS)
        quarter = district.quarter[district.active]
        size = np.bincount(quarter, minlength=len(district.quarters))
        bad = np.maximum(-gain, 0.0)[district.active]
        mean_cost = np.bincount(quarter, bad, len(size)) / np.maximum(size, 1)
        cost: Floats = np.minimum(rolls * _spread(view), size) * mean_cost
        cost[district.quarter[alerted]] = 0.0
        return cost

    def _calm(
        self,
        view: View,
        foreseen: "_Foresight",
        alerts: tuple[Order, ...],
        to_shelter: IntArray,
        followers: Floats,
    ) -> tuple[Order, ...]:
        """Let quarters go up where nobody is waited for: talk then moves nobody else (§9.3, 9.4).

        Waited for are the hexes alerted that are likely to be cut, as long as they may still be on
        their way; whoever walks for nothing is called back.
        """
        district = self._district
        quarter, n_quarter = district.quarter, len(district.quarters)
        alerted, walking = np.zeros((2, len(quarter)), dtype=bool)
        alerted[list(view.alerted)] = True
        walking[list(view.alerted)] = True
        walking[list(view.evacuated)] = False
        told = np.full(len(quarter), view.turn)
        told[list(self._told)] = list(self._told.values())
        away = view.turn - told
        slow = NIGHT_STEP_PERCENT / 100 if view.night else 1.0
        waited = walking & (foreseen.chance >= WAITED_FOR_FROM)
        waited &= away * slow <= WAITED_FOR_TURNS
        for order in alerts:
            if isinstance(order, Alert):
                waited[list(brushed(district, order.centre, order.radius))] = True

        def by_quarter(values: Floats, where: BoolArray) -> Floats:
            return np.bincount(quarter[where], values[where], n_quarter).astype(float)

        cost = (to_shelter + followers) * (1 - foreseen.chance)
        heard = by_quarter(np.ones(len(quarter)), alerted) > 0
        untold = district.active & ~alerted
        hexes = by_quarter(np.ones(len(quarter)), untold)
        rolls = max(0, view.turns - view.turn - TALK_TOO_LATE_TURNS) * _spread(view)
        talk = np.minimum(rolls, hexes) * by_quarter(cost, untold) / np.maximum(hexes, 1)
        spared = np.where(heard, talk + by_quarter(cost, walking), 0.0)
        spared[np.array(view.protection) == UP] = 0.0
        spared[quarter[waited]] = 0.0
        return tuple(
            Protect(turn=view.turn, quarter=number, option=Protection.UP)
            for number in np.argsort(-spared, kind="stable").tolist()
            if spared[number] >= LEAST_GAIN_POINTS
        )

    def _moves(self, view: View, chance: Floats, walkers: Floats, orders: int) -> tuple[Order, ...]:
        """Send patrols, with the orders left, to where their look decides most people."""
        sight = NIGHT_PATROL_SIGHT if view.night else PATROL_SIGHT
        stake = np.round(4 * chance * (1 - chance) * walkers).astype(np.int64)
        stake[list(view.alerted)] = 0
        stake[[station.cell for station in self._district.stations]] = 0
        worth = self._brush.sums(stake, sight)
        patrols = [unit for unit in view.units if unit.kind is UnitKind.PATROL]
        places = self._brush.best_centres(stake, sight, len(patrols))
        at = {unit.name: unit.to if unit.to >= 0 else unit.cell for unit in patrols}
        free = [unit for unit in patrols if at[unit.name] not in places]
        costs = KnownWays(self._district, view).of(UnitKind.PATROL).cost
        moves: list[Order] = []
        for place in places:
            if len(moves) >= orders or not free:
                break
            if place in at.values():
                continue
            away = shortest_paths(self._district.sheet, costs, [place]).distance
            near = [unit for unit in free if away[unit.cell] > 0]
            if not near:
                continue
            unit = min(near, key=lambda unit: (int(away[unit.cell]), unit.name))
            if worth[place] > WORTH_A_MOVE * worth[at[unit.name]]:
                moves.append(Move(turn=view.turn, unit=unit.name, to=place))
                free.remove(unit)
        return tuple(moves)


class _Foresight:
    """What is foreseen at a turn over the levels left open, all alike."""

    def __init__(self, levels: tuple[Outlook, ...], look: Look, seen: BoolArray) -> None:
        self.look = look
        self._levels, self._seen = levels, seen
        self._chances = [np.where(seen, one.chance_seen(look), one.chance()) for one in levels]
        self.chance: Floats = np.mean(self._chances, axis=0)
        """(n_hex,) chance of being cut from every shelter at some later moment."""

    def saved(self, need: Floats) -> Floats:
        """(n_hex,) chance of being cut, but not before the turns needed from now on."""
        levels = zip(self._levels, self._chances, strict=True)
        saved: Floats = np.mean(
            [
                chance
                * np.where(
                    self._seen,
                    one.in_time_seen(self.look, need),
                    one.in_time(self.look.turn, need),
                )
                for one, chance in levels
            ],
            axis=0,
        )
        return saved


class _Rooms:
    """Places still free as far as the team can tell, and the walk to the nearest of them.

    Attributes
    ----------
    distance : (n_hex,) int
        Links to the nearest shelter that will have places, on the known water; -1 for none.

    """

    def __init__(self, district: District, view: View) -> None:
        self._sheet = district.sheet
        known_mm = np.array(view.known_mm, dtype=np.int32)
        links, depth_mm = known_links(district, view)
        self._costs = foot_cost(links, depth_mm, night=view.night)
        self._cells = np.array([shelter.cell for shelter in district.shelters])
        places = np.array([shelter.places for shelter in district.shelters], dtype=float)
        wet = known_mm[self._cells] >= WATERS[Water.BLOCKING].from_mm
        self._free = np.where(wet, 0.0, places - np.array(view.places_taken))
        self._look_again()

    def left(self) -> bool:
        """Whether some shelter will have places."""
        return bool((self._free >= 1).any())

    def fill(self, cells: npt.NDArray[np.integer[Any]], walkers: Floats) -> None:
        """Send the people of some hexes to the nearest places, until there are none."""
        waiting = list(cells.tolist())
        while waiting and self.left():
            waiting.sort(key=lambda cell: (int(self.distance[cell]), cell))
            turned_away = []
            for cell in waiting:
                number = int(self._place[cell])
                if number < 0:
                    continue
                if self._free[number] >= 1:
                    self._free[number] -= walkers[cell]
                else:
                    turned_away.append(cell)
            waiting = turned_away
            self._look_again()

    def _look_again(self) -> None:
        numbers = np.flatnonzero(self._free >= 1)
        paths = shortest_paths(self._sheet, self._costs, self._cells[numbers])
        self.distance = paths.distance
        self._place = np.where(paths.place >= 0, np.append(numbers, -1)[paths.place], -1)


def _spread(view: View) -> float:
    """Chance that word of mouth alerts one more hex of a quarter in a turn (§9.4)."""
    modifier = roll_modifier(night=view.night)
    faces = range(1, 7)
    spreads = (
        succeeds(AlertMeans.WORD_OF_MOUTH, a + b, modifier) for a, b in product(faces, faces)
    )
    return sum(spreads) / 36


def expected_points(
    saved: Floats, chance: Floats, to_shelter: IntArray, followers: Floats
) -> Floats:
    """Points that alerting each hex can be expected to bring (§12.1).

    Parameters
    ----------
    saved, chance : (n_hex,) float
        Chance that its people are threatened and arrive in time, and that they are threatened.
    to_shelter, followers : (n_hex,)
        Persons.

    """
    misused = to_shelter * (1 - chance) + followers
    points: Floats = POINTS_SAVED * saved * to_shelter + POINTS_MISUSED * misused
    return points
