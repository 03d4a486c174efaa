"""A player who knows what a careful team may know, and weighs every alert by it.

It foresees from the public ground (``exercises.outlook``), sends patrols where their look decides
most, and alerts a hex when the points that it can expect are positive: two for each threatened
person sheltered in time, less one for each place taken by the others (§12.1).
"""

from collections.abc import Callable

import numpy as np

from exercises.brush import Brush, Worth
from exercises.outlook import TIME_SPREAD_TURNS, Floats, Foresight, Outlook, mean_foresight, outlook
from sim.district import District
from sim.hexes import IntArray
from sim.legality import brushed
from sim.links import foot_costs, vehicle_costs
from sim.orders import FORECAST_TURN, Alert, Forecast, Move, Order
from sim.paths import shortest_paths
from sim.rules import (
    COUNTER_BASE,
    FOLLOWERS_PERCENT,
    LEVELS,
    NIGHT_PATROL_SIGHT,
    NIGHT_STEP_PERCENT,
    PATROL_SIGHT,
    POINTS_MISUSED,
    POINTS_SAVED,
    WATERS,
    Water,
)
from sim.situation import Situation, situation_at
from sim.view import View

PAINT_FROM = 0.4
"""Chance from which a hex is painted in the forecast."""
LEAST_GAIN_POINTS = 25
"""Points that an alert must promise: below, the dice and the estimate are all there is to it."""
SLACK_TURNS = 3.0
"""While the bulletin leaves levels open, an alert waits until its time is this close."""
WORTH_A_MOVE = 2.0
"""A patrol leaves its place for one that decides this many times more."""
FRESH_TURNS = 1
"""Age up to which a depth counts as seen."""
GUESSED_RISE_TURNS = 3
"""A depth seen for the first time is taken to have risen over so many turns."""
UNREADY_TURNS = 1.0
"""Turns that a failed preparation and the half turn to the cut cost on average."""


def baseline(district: District) -> Callable[[View], tuple[Order, ...]]:
    """Return the baseline player of a district."""
    return _Baseline(district).orders


class _Baseline:
    """The public ground, read once, and the last view, to see what rises."""

    def __init__(self, district: District) -> None:
        self._district = district
        self._brush = Brush(district)
        dry = np.zeros(district.sheet.n_hexes, dtype=np.int32)
        shelters = [shelter.cell for shelter in district.shelters]
        walk = shortest_paths(district.sheet, foot_costs(district, dry, night=False), shelters)
        self._distance = walk.distance
        self._outlooks: dict[tuple[int, int], Outlook] = {}
        self._last: View | None = None

    def orders(self, view: View) -> tuple[Order, ...]:
        """Give the orders of a turn."""
        foreseen = self._foresee(view)
        self._last = view
        if view.turn == FORECAST_TURN:
            return self._forecast(foreseen)
        people = situation_at(self._district, view.hour)
        alerts = self._alerts(view, foreseen, people)
        moves = self._moves(view, foreseen, people, view.orders - len(alerts))
        return (*alerts, *moves)

    def _foresee(self, view: View) -> Foresight:
        """Weigh the levels that the bulletin leaves open, with what is seen (§6)."""
        known_mm = np.array(view.known_mm, dtype=float)
        known_turn = np.array(view.known_turn)
        seen = np.flatnonzero((known_turn > 0) & (view.turn - known_turn <= FRESH_TURNS))
        rise_mm = known_mm / GUESSED_RISE_TURNS
        if self._last is not None and self._last.turn == view.turn - 1:
            before = np.array(self._last.known_turn)
            again = (before == view.turn - 1) & (before > 0)
            rise_mm = np.where(again, known_mm - np.array(self._last.known_mm), rise_mm)
        foreseen = []
        for level in view.bulletin or LEVELS:
            ahead = self._outlook(level, view.turns)
            chance, left = ahead.unseen(view.turn)
            if seen.size:
                looked = ahead.seen(view.turn, known_mm, rise_mm)
                chance[seen], left[seen] = looked.chance[seen], looked.turns_left[seen]
            foreseen.append(Foresight(chance, left))
        return mean_foresight(foreseen)

    def _outlook(self, level: int, turns: int) -> Outlook:
        if (level, turns) not in self._outlooks:
            self._outlooks[level, turns] = outlook(self._district, level, turns)
        return self._outlooks[level, turns]

    def _forecast(self, foreseen: Foresight) -> tuple[Order, ...]:
        """Paint the hexes with a link that is likely to be cut (§9.6, 12.4)."""
        district = self._district
        a, b = district.sheet.edges[district.foot].T
        chance = foreseen.chance.copy()
        np.maximum.at(chance, a, foreseen.chance[b])
        np.maximum.at(chance, b, foreseen.chance[a])
        cells = np.flatnonzero(district.active & (chance >= PAINT_FROM))
        return (Forecast(turn=FORECAST_TURN, cells=tuple(cells.tolist())),) if cells.size else ()

    def _alerts(self, view: View, foreseen: Foresight, people: Situation) -> tuple[Order, ...]:
        """Alert where the expected points are best, as far as places go (§12.1)."""
        followers = people.upstairs * FOLLOWERS_PERCENT / 100
        need = self._turns_to_shelter(view)
        gain = expected_points(foreseen, need, people.to_shelter, followers)
        blocked = np.array(view.known_mm) >= WATERS[Water.BLOCKING].from_mm
        gain = np.where(blocked | (self._distance < 0), np.minimum(gain, 0.0), gain)
        if len(view.bulletin) > 1:
            # the next bulletin tells more: only what cannot wait is worth an order
            waits = foreseen.turns_left > need + SLACK_TURNS
            gain = np.where(waits, np.minimum(gain, 0.0), gain)
        gain[list(view.alerted)] = 0.0
        worth = np.round(gain).astype(np.int64)

        walkers = people.to_shelter + followers
        room = float(sum(shelter.places for shelter in self._district.shelters))
        room -= float(walkers[list(view.alerted)].sum())
        orders: list[Order] = []
        while len(orders) < view.orders and room > 0:
            centre, radius, points = self._best_disk(worth, view.brush_radius)
            if points < LEAST_GAIN_POINTS:
                break
            orders.append(Alert(turn=view.turn, centre=centre, radius=radius))
            cells = list(brushed(self._district, centre, radius))
            room -= float(walkers[cells].sum())
            worth[cells] = 0
            walkers[cells] = 0
        return tuple(orders)

    def _best_disk(self, worth: Worth, widest: int) -> tuple[int, int, int]:
        best = (0, 0, 0)
        for radius in range(widest + 1):
            total = self._brush.sums(worth, radius)
            centre = int(total.argmax())
            if total[centre] > best[2]:
                best = (centre, radius, int(total[centre]))
        return best

    def _turns_to_shelter(self, view: View) -> Floats:
        """Turns from the order to the arrival, on dry ground and without a crowd (§10.1, 10.4)."""
        pace = NIGHT_STEP_PERCENT / 100 if view.night else 1.0
        return (COUNTER_BASE + np.maximum(self._distance, 0)) / pace + UNREADY_TURNS

    def _moves(
        self, view: View, foreseen: Foresight, people: Situation, orders: int
    ) -> tuple[Order, ...]:
        """Send patrols, with the orders left, to where their look decides most people."""
        sight = NIGHT_PATROL_SIGHT if view.night else PATROL_SIGHT
        doubt = 4 * foreseen.chance * (1 - foreseen.chance)
        walkers = people.to_shelter + people.upstairs * FOLLOWERS_PERCENT / 100
        stake = np.round(doubt * walkers).astype(np.int64)
        stake = np.where(self._distance < 0, 0, stake)
        stake[list(view.alerted)] = 0
        stake[[station.cell for station in self._district.stations]] = 0
        worth = self._brush.sums(stake, sight)
        places = self._brush.best_centres(stake, sight, len(view.units))
        at = {unit.name: unit.to if unit.to >= 0 else unit.cell for unit in view.units}
        free = [unit for unit in view.units if at[unit.name] not in places]
        costs = vehicle_costs(self._district, np.array(view.known_mm, dtype=np.int32))
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


def expected_points(
    foreseen: Foresight, need: Floats, to_shelter: IntArray, followers: Floats
) -> Floats:
    """Points that alerting each hex now can be expected to bring (§12.1).

    Parameters
    ----------
    foreseen : Foresight
        (n_hex,) chance to be cut, and turns left until then.
    need : (n_hex,) float
        Turns from the order to the arrival.
    to_shelter, followers : (n_hex,)
        Persons.

    """
    in_time = 1 / (1 + np.exp(-1.702 * (foreseen.turns_left - need) / TIME_SPREAD_TURNS))
    saved = to_shelter * foreseen.chance * in_time
    misused = to_shelter * (1 - foreseen.chance) + followers
    points: Floats = POINTS_SAVED * saved + POINTS_MISUSED * misused
    return points
