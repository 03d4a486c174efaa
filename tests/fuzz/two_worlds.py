"""Two worlds that give the same observations: the second made from the first, then both looked at.

The first world is played and recorded. The second differs from it wherever §6 (``channels``) says
that no side looked until the last turn compared:

- the depth of every hex and turn, except where a unit or station stood to see it, where residents
  told of it (there the class may differ all the same, with the dice of the report falling so that
  they tell the same), on the links that a unit tried, and as far as an obstruction that somebody
  saw tells of past water (§9.2); all of the water that is still to come;
- the seed, so every draw that nobody has seen: preparation, losses, where works lie that no map
  shows, whether a report was right, all draws to come. A draw is hidden when *some* use of it is:
  one die thrown for two purposes therefore moves what is seen of it;
- the level, within what the bulletin leaves open; the ladder; how many works lie unannounced.

The same orders are then given in both. All that reaches a side must be byte-identical, turn by
turn. Two things that a team sees follow from hidden causes through the world itself, and not from
anything shown: who arrives when (§6.0: arrivals are known), and works that walkers find (§13.1).
Where these differ, as ``channels.arrivals`` reads them from the truth of both worlds, the team has
truly seen something else, and the comparison ends before that turn. To last long enough all the
same, a third of the games alert nobody, and of the others most are perturbed with care: every link
lets the same people through. In one pair out of seven the links that units tried are free as well,
and a unit that stops elsewhere ends the comparison: what water cost it on the way must not show.
Nothing else ends a comparison: refusals, alert results, cards, bulletins and reports must be the
same by construction, and a difference is a leak.

Some pairs are alike to one seat alone (§9.7): what other services observe differs within the class
that the map shows, and so do the dice of alerts that are told to Communication. To the public
screen two worlds are alike whatever their water and their orders (§6.4): only the announced is the
same.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from exercises.family import Envelope
from exercises.flood_family import FLOOD, FloodState
from sim.district import District
from sim.events import Arrived, BulletinIssued, CardDrawn, Event, Reported
from sim.hyetograph import Hyetograph
from sim.orders import Order
from sim.paths import shortest_paths
from sim.rules import LEVELS, Card, LinkClass
from sim.scenario import Inject
from sim.unit import NOWHERE
from sim.units import KnownWays
from sim.world import World
from tests.fuzz import channels, pages
from tests.fuzz.games import (
    TURNS,
    Game,
    game_of,
    probes,
    random_depth,
    random_ladder,
    random_orders,
)
from tests.fuzz.secret_dice import Dice, thrown, watched
from tests.strategies import seed_of

WORKS_DRAWN = "cards._chosen for _roadworks"
PUBLIC = "public"
SCREENS_EVERY = 96
"""A terminal's screens are costly: one pair in so many."""


@dataclass
class Moment:
    """A turn as it opened, and what its orders made of it.

    Attributes
    ----------
    opened, given : FloodState
        Before and after the orders of the turn.
    events : tuple of Event
        What led from the orders of the turn before to this opening.
    answered : tuple of Event
        What was said to the orders.
    """

    opened: FloodState
    events: tuple[Event, ...]
    orders: tuple[Order, ...] = ()
    tried: tuple[Order, ...] = ()
    given: FloodState | None = None
    answered: tuple[Event, ...] = ()


@dataclass
class Leak:
    """Something that reached a side and differs between two worlds that look the same."""

    number: int
    turn: int
    page: str
    first: bytes
    second: bytes

    def __str__(self) -> str:
        at = next(
            (i for i, (a, b) in enumerate(zip(self.first, self.second, strict=False)) if a != b),
            min(len(self.first), len(self.second)),
        )
        around = slice(max(0, at - 60), at + 60)
        return (
            f"pair {self.number}, turn {self.turn}, {self.page}: "
            f"{self.first[around]!r} against {self.second[around]!r}"
        )


@dataclass
class Tally:
    """How much was perturbed and compared: a comparison of nothing proves nothing."""

    counts: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        self.counts.update(other.counts)

    def share(self, part: str, whole: str) -> float:
        return self.counts[part] / max(1, self.counts[whole])


def pair(number: int, town: District | None = None) -> tuple[Leak | None, Tally]:
    """Make two worlds from one number, play both, and look for what tells them apart.

    Of eight pairs five are alike to the whole team, two to one of its seats, one to the public.
    """
    game = game_of(number, town)
    rng = np.random.default_rng((number, 1))
    side = "team"
    if number % 8 in (5, 6):
        side = tuple(channels.SEAT_LOOKS)[number // 8 % len(channels.SEAT_LOOKS)]
    if number % 8 == 7:
        side = PUBLIC
    dice = Dice()
    with watched():
        with thrown(dice):
            first = play(game, rng)
        careful = bool(game.alerting and rng.random() < 0.6)
        if side == PUBLIC:
            other = Unseen(game, first, dice, rng, PUBLIC, careful=careful)
        else:
            other = Other(game, first, dice, rng, side, careful=careful)
        with thrown(other.dice):
            return compare(game, first, other)


# --------------------------------------------------------------------------- the first world
def play(game: Game, rng: np.random.Generator) -> list[Moment]:
    """Play the first world until the last turn that is compared, and write down all of it."""
    at = FLOOD.start(game.world, game.world.seed)
    moments = [Moment(at, ())]
    while True:
        moment = moments[-1]
        if FLOOD.is_over(at):
            return moments
        moment.orders = random_orders(rng, game, at)
        if rng.random() < 0.3:
            moment.tried = probes(rng, game, at)
        at, moment.answered = give(at, moment.orders)
        moment.given = at
        if FLOOD.now(at) == game.last:
            return moments
        at, events = FLOOD.advance(at, FLOOD.now(at) + 1)
        moments.append(Moment(at, tuple(events)))


def give(at: FloodState, orders: tuple[Order, ...]) -> tuple[FloodState, tuple[Event, ...]]:
    """Hand in orders one by one."""
    answered: list[Event] = []
    for order in orders:
        at, events = FLOOD.apply(at, Envelope("team", "", order.turn, order))
        answered += events
    return at, tuple(answered)


# --------------------------------------------------------------------------- the second world
class Other:
    """A second world in which all that a side observed is as in the first.

    Attributes
    ----------
    world : World
    dice : Dice
    side : str
        The team, or one of its seats: of what others observe it has the class alone (§9.7).
    loose : bool
        The links that units tried are free as well: the comparison ends where one stops elsewhere.
    """

    def __init__(
        self,
        game: Game,
        first: list[Moment],
        dice: Dice,
        rng: np.random.Generator,
        side: str,
        *,
        careful: bool,
    ) -> None:
        self.game, self.first, self.rng, self.careful = game, first, rng, careful
        self.side, self.loose = side, bool(rng.random() < 0.15)
        self.district = game.world.district
        self.n = self.district.sheet.n_hexes
        self.last = min(first[-1].opened.state.turn, TURNS)
        self.true = game.world.depth_mm
        self.dice = Dice(seen_seed=game.world.seed, seen=dice.seen_keys())
        self.was_thrown = dice
        self.events = tuple(event for moment in first for event in moment.events)
        self.cuts = [
            (event.turn, event.cells)
            for event in self.events
            if isinstance(event, CardDrawn) and event.card == Card.POWER_CUT.value
        ]
        # links that somebody tried, and links whose obstruction somebody could see, by turn
        n_edges = self.district.sheet.n_edges
        self.tried = np.zeros((TURNS + 2, n_edges), bool)
        self.looked_at = np.zeros((TURNS + 2, n_edges), bool)
        self.fixed = np.zeros((TURNS + 1, self.n), bool)
        self.seen = np.zeros((TURNS + 1, self.n), bool)
        self._observe()
        depth = self._depth()
        self._load_reports(depth)
        self._load_hidden()
        self.world = World(
            self._ground(),
            depth,
            self._level(),
            seed_of(int(rng.integers(2**62)) * 2),
            game.world.hour,
            TURNS,
            replace(game.world.scenario, injects=self._works()),
        )

    def _ground(self) -> District:
        """Another storm, and where a level is but a name, another meaning of it (§7.6)."""
        rng = self.rng
        storm = Hyetograph(length_min=240.0, peak_min=float(rng.integers(60, 200)))
        ladder = self.district.ladder if self.district.is_literal else random_ladder(rng)
        return replace(self.district, ladder=ladder, hyetograph=storm)

    def orders(self, moment: Moment, at: FloodState) -> tuple[Order, ...]:
        """Return the orders of a turn: those of the first world."""
        return moment.orders

    def _night(self, turn: int) -> bool:
        return channels.is_night(self.game.world.hour, turn)

    # ------------------------------------------------------------------- what was observed
    def _observe(self) -> None:
        """Mark what the channels of every turn showed (§6)."""
        a, b = self.district.sheet.edges.T
        for moment, after in zip(self.first, [*self.first[1:], None], strict=True):
            turn = moment.opened.state.turn
            if not 1 <= turn <= TURNS:
                continue
            dark = channels.dark_cells(self.cuts, turn)
            seen = channels.seen_exactly(
                self.district, moment.opened.state, dark, night=self._night(turn)
            )
            self.seen[turn, list(seen)] = True
            if self.side != "team":
                seen = channels.seen_by_seat(
                    *(self.side, self.district, moment.opened.state, dark), night=self._night(turn)
                )
            self.fixed[turn, list(seen)] = True
            self.looked_at[turn] = self.seen[turn, a] & self.seen[turn, b]
            if after is not None:
                self._observe_moves(moment, after, turn)

    def _observe_moves(self, moment: Moment, after: Moment, turn: int) -> None:
        """Mark the links that units tried: their known way, as far as they came and one further."""
        assert moment.given is not None
        state = moment.given.state
        sheet = self.district.sheet
        then = {unit.name: unit for unit in after.opened.state.units}
        ways = KnownWays(self.district, state)
        for unit in state.units:
            came = then[unit.name]
            goal = came.cell if came.to == NOWHERE else came.to
            if unit.cell == goal:
                continue
            paths = shortest_paths(sheet, ways.of(unit.kind).cost, [goal], unit.cell)
            here, links = unit.cell, []
            while here != came.cell:
                links.append(int(paths.next_edge[here]))
                here = int(paths.next_hex[here])
                if here < 0:
                    raise AssertionError(f"{unit.name} left its shortest known way in turn {turn}")
            if came.cell != goal and paths.next_edge[here] >= 0:
                links.append(int(paths.next_edge[here]))
            self.tried[turn, links] = True
        if not self.loose:
            self.fixed[turn, sheet.edges[self.tried[turn]].ravel()] = True

    # ------------------------------------------------------------------- its water
    def _depth(self) -> np.ndarray:
        """Depths that nothing observed tells from the true ones, millimetres."""
        depth = self._proposed()
        self._steer_reports(depth)
        a, b = self.district.sheet.edges.T
        # of a link seen or tried at some turn, the past is told by what was left on it
        tell = self.looked_at if self.loose else self.tried | self.looked_at
        told = np.logical_or.accumulate(tell[::-1], axis=0)[::-1]
        rumours = self._hidden_cards(Card.RUMOUR)
        for event in rumours:
            if event.turn - channels.REPORT_DELAY >= 1:
                self.fixed[event.turn - channels.REPORT_DELAY, list(event.cells)] = True
        tolds = {turn: self._told_at(turn) for turn in range(1, self.last + 1)}
        for turn in range(1, self.last + 1):
            pumps = self._pumps(turn)
            while True:
                wrong = self.fixed[turn] | self._classes_that_differ(depth, turn)
                if any(event.turn == turn for event in rumours):
                    wrong |= (depth[turn] >= 150) != (self.true[turn] >= 150)
                if turn + channels.REPORT_DELAY <= self.last:
                    wrong |= self._untellable(depth, turn, tolds[turn + channels.REPORT_DELAY])
                links = self._links_that_differ(depth, turn, told[turn], pumps)
                wrong[a[links]] = wrong[b[links]] = True
                if self.careful:
                    wrong |= self._cells_that_differ(depth, turn)
                wrong &= depth[turn] != self.true[turn]
                if not wrong.any():
                    break
                depth[turn, wrong] = self.true[turn, wrong]
        return depth

    def _classes_that_differ(self, depth: np.ndarray, turn: int) -> np.ndarray:
        """Hexes that others observe, and whose class on the map, or of a link, would differ."""
        if self.side == "team":
            return np.zeros(self.n, bool)
        one, two = (
            channels.telling_classes(self.district, rows[turn]) for rows in (self.true, depth)
        )
        return self.seen[turn] & (one != two).any(axis=1)

    def _proposed(self) -> np.ndarray:
        rng, true = self.rng, self.true
        rough = random_depth(rng, TURNS, self.n, float(rng.choice([0.2, 0.5, 0.9])))
        match int(rng.integers(7)):
            case 0:
                depth = rough
            case 1:
                depth = (true * rng.uniform(0, 3, self.n)).astype(np.int32)
            case 2:
                depth = true[:, rng.permutation(self.n)]
            case 3:
                depth = np.full_like(true, 3_000)
            case 4:
                depth = np.zeros_like(true)
            case 5:
                depth = np.roll(true, int(rng.integers(-4, 5)), axis=0)
            case _:
                depth = self._within_class(true)
        depth = np.array(depth, np.int32)
        if self.side in channels.SEAT_LOOKS:
            depth = np.where(self.seen, self._within_class(true), depth)
        depth[0] = 0
        depth[self.last + 1 :] = rough[self.last + 1 :]
        return depth

    def _within_class(self, depth: np.ndarray) -> np.ndarray:
        """Other depths of the same classes."""
        bounds = np.array((*channels.CLASS_FROM_MM, 2_000))
        water = channels.water_class(depth)
        low, high = bounds[water], bounds[water + 1]
        return (low + self.rng.random(depth.shape) * (high - low)).astype(np.int32)

    def _pumps(self, turn: int) -> list[np.ndarray]:
        """Pumps at work as the turn opens, and once its units have moved."""
        opened = self.first[turn].opened.state
        pumps = [channels.pumps_on(self.district, opened, turn)]
        if turn + 1 < len(self.first):
            after = self.first[turn + 1].opened.state
            pumps.append(channels.pumps_on(self.district, after, turn))
        return pumps

    def _links_that_differ(
        self, depth: np.ndarray, turn: int, told: np.ndarray, pumps: list[np.ndarray]
    ) -> np.ndarray:
        """Links that would tell the worlds apart: deep in one and not in the other."""
        differ = np.zeros(self.district.sheet.n_edges, bool)
        for pumped in pumps:
            true, other = (
                channels.water_class(channels.link_sees_mm(self.district, rows[turn], pumped))
                for rows in (self.true, depth)
            )
            deep = (true >= 3) != (other >= 3)
            differ |= deep if self.careful else deep & told
            if self.careful:
                walked = (0, 1, 2, 3, 3) if self._night(turn) else (0, 0, 2, 3, 3)
                differ |= np.array(walked)[true] != np.array(walked)[other]
        return np.flatnonzero(differ)

    def _cells_that_differ(self, depth: np.ndarray, turn: int) -> np.ndarray:
        """Hexes that would lose other people, or shelters that would be wet in one world."""
        true, other = channels.water_class(self.true[turn]), channels.water_class(depth[turn])
        differ = (true == 4) != (other == 4)
        shelters = [shelter.cell for shelter in self.district.shelters]
        differ[shelters] |= (true[shelters] >= 2) != (other[shelters] >= 2)
        return differ

    # ------------------------------------------------------------------- what residents tell
    def _hidden_cards(self, card: Card) -> list[CardDrawn]:
        return [e for e in self.events if isinstance(e, CardDrawn) and e.card == card.value]

    def _told_at(self, turn: int) -> dict[int, int]:
        return {
            cell: water
            for event in self.events
            if isinstance(event, Reported) and event.turn == turn
            for cell, water in zip(event.cells, event.water, strict=True)
        }

    def _can_speak(self, turn: int) -> np.ndarray:
        """(n_hex,) whether residents of a hex would be heard in a turn of what they saw before."""
        speaks = self.district.active & (self.district.residents > 0)
        speaks[list(channels.dark_cells(self.cuts, turn))] = False
        return speaks

    def _steer_reports(self, depth: np.ndarray) -> None:
        """Give hexes that told, or kept silent where they would not, a depth that agrees."""
        bounds = (*channels.CLASS_FROM_MM, 2_000)
        for turn in range(1, self.last - channels.REPORT_DELAY + 1):
            told = self._told_at(turn + channels.REPORT_DELAY)
            for cell in np.flatnonzero(self._untellable(depth, turn, told)).tolist():
                among = [0]
                if cell in told:
                    among = [w for w in range(1, 5) if channels.ways_to_tell(w, told[cell])]
                water = among[int(self.rng.integers(len(among)))]
                depth[turn, cell] = self.rng.integers(bounds[water], bounds[water + 1])

    def _untellable(self, depth: np.ndarray, turn: int, told: dict[int, int]) -> np.ndarray:
        """(n_hex,) where no dice of a report agree with what was heard two turns later."""
        water = channels.water_class(depth[turn])
        speaks = self._can_speak(turn + channels.REPORT_DELAY)
        night = self._night(turn)
        wrong = np.zeros(self.n, bool)
        for cell in np.flatnonzero(speaks).tolist():
            if cell in told:
                wrong[cell] = water[cell] < 1 or not channels.ways_to_tell(
                    int(water[cell]), told[cell]
                )
            elif water[cell] >= 1:
                chance = channels.report_chance(int(self.district.residents[cell]), night=night)
                wrong[cell] = chance >= channels.CHANCE_OF
        return wrong

    def _load_reports(self, depth: np.ndarray) -> None:
        """Let the dice of reports fall so that the same is told of other water (§6.1)."""
        rumoured = {(e.turn, cell) for e in self._hidden_cards(Card.RUMOUR) for cell in e.cells}
        for turn in range(1, self.last - channels.REPORT_DELAY + 1):
            heard = turn + channels.REPORT_DELAY
            told = self._told_at(heard)
            water = channels.water_class(depth[turn])
            loaded: dict[str, dict[int, int]] = {
                "report": {},
                "report wrong": {},
                "report side": {},
            }
            for cell in np.flatnonzero(self._can_speak(heard)).tolist():
                if water[cell] < 1 or (heard, cell) in rumoured:
                    continue  # nobody speaks, or a rumour covers what they say
                loaded["report"][cell] = 0 if cell in told else channels.CHANCE_OF - 1
                if cell in told:
                    dice = channels.ways_to_tell(int(water[cell]), told[cell])
                    wrong, side = dice[int(self.rng.integers(len(dice)))]
                    loaded["report wrong"][cell] = 0 if wrong else 1
                    loaded["report side"][cell] = (side + 1) // 2
            for purpose, cells in loaded.items():
                self.dice.loaded[(purpose, turn)] = _with(cells)

    # ------------------------------------------------------------------- its draws and cards
    def _load_hidden(self) -> None:
        """Let rolls fall otherwise to the same effect: with care, or where no dice are told."""
        credibility = self.game.world.scenario.credibility
        bonus = {9: 1, 6: 0, 4: -1, 2: -2, 0: -3}
        modifier = next(m for least, m in bonus.items() if credibility >= least)
        modifier -= 2 if self.game.world.hour == 3 else 0
        for key, uses in self.was_thrown.uses.items():
            value = self.was_thrown.values[key]
            if "losses.lose_people" in uses and self.careful:
                least = channels.LOST_FROM
            elif self.game.world.hour == 18:
                continue  # night falls: one key may be asked for by day or by night
            elif "alerts.prepare" in uses and self.careful:
                least = channels.PREPARED_FROM - modifier
            elif key[0] in channels.ALERTED_FROM and self.side not in ("team", channels.DICE_TOLD):
                least = channels.ALERTED_FROM[key[0]] - modifier
            else:
                continue
            among = [v for v in range(2, 13) if (v >= least) == (value >= least) and v != value]
            if among:
                self.dice.loaded[key] = among[int(self.rng.integers(len(among)))]

    def _level(self) -> int:
        """Another level that the bulletins so far leave open; their places loaded (§6.2)."""
        ranges = [LEVELS, *(e.levels for e in self.events if isinstance(e, BulletinIssued))]
        level = int(self.rng.choice(ranges[-1]))
        for before, after in pairwise(ranges):
            if len(after) < len(before):
                first = max(0, before.index(level) - len(after) + 1)
                self.dice.loaded[("bulletin", len(after))] = before.index(after[0]) - first
        return level

    def _works(self) -> tuple[Inject, ...]:
        """Let works that nobody has found lie elsewhere, or nowhere; return the injects (§13.1)."""
        scenario, rng = self.game.world.scenario, self.rng
        found = self.first[-1].opened.state.known_obstacles.roadworks
        drawn = iter(key for key, uses in self.was_thrown.uses.items() if WORKS_DRAWN in uses)
        injects = list(scenario.injects)
        left = [i for i, one in enumerate(injects) if one.card is Card.ROADWORKS]
        counted = not scenario.cards and all(one.card is not Card.RUMOUR for one in injects)
        stay = self.careful and rng.random() < 0.7
        gone: set[int] = set()
        taken: list[int] = []
        events = self._hidden_cards(Card.ROADWORKS)
        for place, event in enumerate(events):
            mine = [i for i in left if injects[i].turn == event.turn]
            others = sum(later.turn == event.turn for later in events[place:])
            by_hand = mine[0] if mine and others <= len(mine) else None
            link = event.links[0]
            if not stay and link not in found:
                link = self._untried(event.turn, taken, link)
            if by_hand is None:
                self.dice.loaded[next(drawn)] = self._place_among(link, taken)
            else:
                left.remove(by_hand)
                injects[by_hand] = replace(injects[by_hand], target=link)
                if counted and not stay and event.links[0] not in found and rng.random() < 0.3:
                    gone.add(by_hand)
                    continue
            taken.append(link)
        kept = [one for i, one in enumerate(injects) if i not in gone]
        if counted and not stay and rng.random() < 0.3:
            turn = int(rng.integers(1, TURNS + 1))
            kept.append(Inject(turn, Card.ROADWORKS, self._untried(turn, taken, 0)))
        return tuple(kept)

    def _untried(self, turn: int, taken: list[int], otherwise: int) -> int:
        """Return a link that no unit tries from a turn on, and without works yet."""
        tried = self.tried[turn:].any(axis=0)
        tried[taken] = True
        free = np.flatnonzero(~tried)
        return int(free[int(self.rng.integers(free.size))]) if free.size else otherwise

    def _place_among(self, link: int, taken: list[int]) -> int:
        """Return the place of a link among those that works may take: what must be drawn."""
        a, b = self.district.sheet.edges.T
        active = self.district.active
        among = active[a] & active[b] & (self.district.link_class >= LinkClass.LOCAL)
        among[taken] = False
        return int(among[:link].sum())


class Unseen(Other):
    """A second world for those who see no team: other water, other orders, the same announcements.

    Of the cards the public hears of accidents, jams and power cuts, and it hears the bulletin.
    """

    def _observe(self) -> None:
        self.dice.seen = frozenset(
            key for key in self.dice.seen if self.was_thrown.uses[key] <= channels.SEEN_BY_PUBLIC
        )

    def _depth(self) -> np.ndarray:
        return self._proposed()

    def _load_reports(self, depth: np.ndarray) -> None:
        pass

    def _load_hidden(self) -> None:
        pass

    def _works(self) -> tuple[Inject, ...]:
        return self.game.world.scenario.injects

    def orders(self, moment: Moment, at: FloodState) -> tuple[Order, ...]:
        return random_orders(self.rng, self.game, at)


def _with(cells: dict[int, int]):
    def load(fair: np.ndarray) -> np.ndarray:
        loaded = np.array(fair)
        loaded[list(cells)] = list(cells.values())
        return loaded

    return load


# --------------------------------------------------------------------------- both side by side
def compare(game: Game, first: list[Moment], other: Other) -> tuple[Leak | None, Tally]:
    """Play the second world; return what tells it apart, and what was compared."""
    tally = Tally()
    counts = tally.counts
    counts.update(("pairs", f"pairs of {other.side}"))
    counts["turns"] += len(first)
    at = FLOOD.start(other.world, other.world.seed)
    before = at
    told: list[Event] = []
    events: tuple[Event, ...] = ()
    if leak := _differs(game, 0, pages.ground(first[0].opened.world), pages.ground(at.world)):
        return leak, tally
    orders: list[tuple[Order, ...]] = []
    for moment in first:
        turn = moment.opened.state.turn
        why = ""
        if turn and other.side != PUBLIC:
            why = _truly_other(first[turn - 1], moment, before, at, loose=other.loose)
        if why:
            counts[f"ended by {why}"] += 1
            break
        told += events
        counts["compared"] += 1
        counts["hex-turns"] += other.n
        if turn <= TURNS:
            differs = other.world.depth_mm[turn] != other.true[turn]
            counts["perturbed"] += int(differs.sum())
            counts["perturbed though others look"] += int((differs & other.seen[turn]).sum())
        # the team at every turn; of the others one, in turn
        sides = (other.side,)
        if other.side == "team":
            sides = _some(pages.players(at.world), game.number + turn)
        counts["arrivals"] += sum(isinstance(event, Arrived) for event in events)
        checks = [
            (pages.happened(moment.events, sides), pages.happened(events, sides)),
            (pages.views(moment.opened, sides), pages.views(at, sides)),
        ]
        if other.side != PUBLIC:
            tried = moment.tried
            checks.append(
                (
                    pages.answers(moment.opened, tried, other.side),
                    pages.answers(at, tried, other.side),
                )
            )
        orders.append(other.orders(moment, at))
        given, answered = give(at, orders[-1])
        if moment.given is not None:
            checks.append((pages.happened(moment.answered, sides), pages.happened(answered, sides)))
            if moment.tried:
                checks.append((pages.views(moment.given, sides[:1]), pages.views(given, sides[:1])))
        for one, two in checks:
            if leak := _differs(game, turn, one, two):
                return leak, tally
        told += answered
        if moment is first[-1]:
            break
        before = given
        at, happened = FLOOD.advance(given, turn + 1)
        events = tuple(happened)
    mine = [e for m in first[: counts["compared"]] for e in (*m.events, *m.answered)]
    lang = ("fr", "en")[game.number // 2 % 2]
    begun = first[0].opened
    checks = [
        (
            pages.logs(begun, mine, lang, (other.side,)),
            pages.logs(at, told, lang, (other.side,)),
        )
    ]
    if other.side == "team" and game.number % SCREENS_EVERY == 0:
        counts["screens"] += 1
        with thrown(other.was_thrown):
            one = pages.screens(begun, orders, lang)
        with thrown(other.dice):
            checks.append((one, pages.screens(at, orders, lang)))
    for one, two in checks:
        if leak := _differs(game, turn, one, two):
            return leak, tally
    return None, tally


def _some(sides: tuple[str, ...], number: int) -> tuple[str, ...]:
    """Return the team, and one of the other sides in turn: a side's page is costly to make."""
    team, *others = sides
    return (team, others[number % len(others)]) if others else sides


def _truly_other(
    was: Moment, moment: Moment, before: FloodState, at: FloodState, *, loose: bool
) -> str:
    """Why the team truly saw something else: arrivals, works found on foot, the account; or ''."""
    assert was.given is not None
    mine, theirs = was.given.state, moment.opened.state
    if channels.arrivals(mine, theirs) != channels.arrivals(before.state, at.state):
        return "arrivals"
    walked = {
        link
        for state in (mine, theirs, before.state, at.state)
        for route in state.route
        for link in route
    }
    found = set(theirs.known_obstacles.roadworks) ^ set(at.state.known_obstacles.roadworks)
    if found & walked:
        return "finds"
    if loose and channels.places(theirs) != channels.places(at.state):
        return "moves"
    # §13.2: what a refusal was worth is told at the end
    if theirs.turn > TURNS and theirs.capital != at.state.capital:
        return "capital"
    return ""


def _differs(game: Game, turn: int, one: pages.Pages, two: pages.Pages) -> Leak | None:
    for page in one:
        if one[page] != two[page]:
            return Leak(game.number, turn, page, one[page], two[page])
    return None
