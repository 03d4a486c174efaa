"""Play balance: what every player gets, and how often each rule changed a score (§12, 13).

Run from the project's root, with nothing else running (``docs/balance.md`` keeps a printout):

    averse demo --out demo
    python -m benchmarks.balance --pack demo/district --keep build/balance

Every seed is a game of each player on each level, by day and by night, cards drawn as in play. For
the first ``--tries`` seeds every game is played again with one rule switched off: a card taken out
of the deck's run, an option replaced, the orders of one kind dropped. The storm, the dice and all
other orders stay, so that what differs is that rule's doing.

Nothing is written unless ``--keep`` names a folder: then a run that was stopped goes on from it.
"""

import argparse
import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.thorough import thorough
from exercises.comparison import numbered_seed
from exercises.perfect_knowledge import perfect_knowledge
from exercises.players import PLAYERS
from exercises.progress import console_progress
from exercises.session import PlayedExercise, play, play_knowing
from exercises.water_runs import kept_truths
from gis.store import read_district, read_ground
from sim.district import District
from sim.errors import AverseError, ExerciseError
from sim.events import CardDrawn, Isolated
from sim.hexes import IntArray
from sim.links import foot_capacity, is_open
from sim.obstacles import reserved_links
from sim.orders import FREE, Alert, DoorToDoor, Order, Protect, order_key
from sim.rules import CAPITAL_START, LEVELS, RULES_VERSION, TURNS, Card, Mode, Protection
from sim.scenario import Inject, Scenario
from sim.state import HUNDREDTHS, NEVER, State
from sim.units import true_links
from sim.world import World

HOURS = (14, 3)
SEEDS, TRIES, AT_A_TIME = 100, 12, 2
FOUR = ("do-nothing", "alert-everyone", "baseline", "perfect-knowledge")
THOROUGH = "thorough"
OPTIONS = ("option shelter", "option up", "option out")
ORDERS = (
    *(f"order {key}" for key in ("pump", "footbridge", "clear", "reserve")),
    *(f"order {key}" for key in ("move", "door_to_door", "deliver", "close_shelter")),
)
PLAYED_WITHOUT_ORDERS = {
    "alert-everyone": OPTIONS[:1],
    "baseline": (*OPTIONS, *ORDERS),
    "perfect-knowledge": (*OPTIONS, *ORDERS),
    THOROUGH: ("option out", "order clear", "order deliver", "order close_shelter"),
}
"""Whose orders are left out, and which: the thorough player is perfect knowledge in the rest."""
CARDS_OF_TRIES = ("baseline", THOROUGH)
NEVER_SHARE, ALWAYS_SHARE = 0.05, 0.95
"""Shares of the games in which a rule was used: it hardly ever matters, it nearly always wins."""

_NO_QUARTER = -1

Game = tuple[int, int, int]  # hour, level, number
Numbers = dict[str, Any]

# what a worker process plays on
_DISTRICT: District
_WATER: Mapping[int, IntArray]


def use_ground(district: District, water: Mapping[int, IntArray]) -> None:
    """Give a worker process its ground."""
    global _DISTRICT, _WATER
    _DISTRICT, _WATER = district, water


# --------------------------------------------------------------------------- one game
def played_by(name: str, world: World) -> PlayedExercise:
    """A whole game of one player."""
    if name in PLAYERS:
        return play(world, PLAYERS[name](world.district))
    return play_knowing(world, (thorough if name == THOROUGH else perfect_knowledge)(world))


def game(asked: Game, tries: int) -> Numbers:
    """Play one seed by every player, and again without each rule where it is one of the tries."""
    hour, level, number = asked
    # every game has its own cards and dice
    seed = len(HOURS) * len(LEVELS) * number + len(LEVELS) * HOURS.index(hour) + LEVELS.index(level)
    turns = len(_WATER[level]) - 1
    scenario = Scenario(cards=True)
    world = World(_DISTRICT, _WATER[level], level, numbered_seed(seed), hour, turns, scenario)
    tried = number < tries
    games = {name: played_by(name, world) for name in (*FOUR, *([THOROUGH] if tried else ()))}
    found: Numbers = {
        "game": list(asked),
        "players": {name: figures(played) for name, played in games.items()},
    }
    if tried:
        found["cards"] = {name: dict(without_cards(name, games[name])) for name in CARDS_OF_TRIES}
        found["orders"] = {
            name: dict(without_orders(games[name], rules))
            for name, rules in PLAYED_WITHOUT_ORDERS.items()
        }
    return found


def figures(played: PlayedExercise) -> Numbers:
    """What a table of balance shows of a game."""
    score = played.score
    spent = [o for given in played.orders.values() for o in given if not isinstance(o, FREE)]
    lost = sum(e.people for events in played.events for e in events if isinstance(e, Isolated))
    return {
        "points": score.points,
        "maximum": score.maximum,
        "threatened": score.threatened,
        "saved": score.saved,
        "misused": score.misused,
        "victims": score.victims,
        "recall": None if score.recall is None else float(score.recall),
        "precision": None if score.precision is None else float(score.precision),
        "orders": len(spent),
        "capital": score.capital,
        "outweighs": score.capital_outweighs,
        "isolation": lost // HUNDREDTHS,
        "crowd": worst_crowd(played),
    }


def worst_crowd(played: PlayedExercise) -> float:
    """People for each that a link can carry, on the worst open link of the game (§10.3)."""
    world, worst = played.world, 0.0
    for state in played.states[1:-1]:
        flow = np.zeros(world.district.sheet.n_edges)
        walking = (np.array(state.shelter) >= 0) & (np.array(state.evacuated) == NEVER)
        for cell in np.flatnonzero(walking).tolist():
            people = (state.waiting[cell] + state.followers[cell]) / HUNDREDTHS
            flow[list(state.route[cell])] += people
        if not flow.any():
            continue
        flow[list(reserved_links(state.units, state.turn))] = 0
        links, depth_mm = true_links(world, state)
        open_on_foot = is_open(links, depth_mm, Mode.FOOT)
        crowd = flow[open_on_foot] / foot_capacity(links, depth_mm)[open_on_foot]
        worst = max(worst, float(crowd.max(initial=0.0)))
    return round(worst, 2)


# --------------------------------------------------------------------------- without one rule
def without_cards(name: str, played: PlayedExercise) -> Iterator[tuple[str, Numbers]]:
    """The score that each card met took away or gave: with the same orders, and decided anew."""
    injects = tuple(cards_met(played))
    for card in Card:
        rest = tuple(spent(one.turn) if one.card is card else one for one in injects)
        if rest == injects:
            continue
        world = replace(played.world, scenario=Scenario(injects=rest))
        same = play(world, played.orders).score.points
        changes = {"same": played.score.points - same}
        if name in PLAYERS:  # what it sees may change what it orders
            changes["anew"] = played.score.points - played_by(name, world).score.points
        yield card.value, changes


def cards_met(played: PlayedExercise) -> Iterator[Inject]:
    """The cards of a game as an instructor would play them: the same game without a deck."""
    for state, events in zip(played.states[1:], played.events, strict=True):
        for event in events:
            if isinstance(event, CardDrawn):
                card = Card(event.card)
                target = _target(card, event, state)
                if target is None and card is not Card.REINFORCEMENT:
                    yield spent(event.turn)
                else:
                    yield Inject(event.turn, card, target)


def spent(turn: int) -> Inject:
    """A card that strikes nobody: it only counts as drawn, so that the draws after it stay."""
    return Inject(turn, Card.COUNTER_CURRENT, _NO_QUARTER)


def _target(card: Card, event: CardDrawn, after: State) -> int | None:
    match card:
        case Card.ACCIDENT | Card.ROADWORKS:
            return event.links[0] if event.links else None
        case Card.JAM:
            return after.obstacles.jams[-1][0] if event.cells else None
        case Card.POWER_CUT:
            return after.outages[-1][0] if event.cells else None
        case Card.STAMPEDE:
            return event.shelter
    return event.quarter


def without_orders(played: PlayedExercise, rules: Sequence[str]) -> Iterator[tuple[str, Numbers]]:
    """The points that each kind of order and each option brought: all else as it was ordered."""
    for rule in rules:
        given = {
            turn: tuple(new for order in orders if (new := without(rule, order)) is not None)
            for turn, orders in played.orders.items()
        }
        if given != played.orders:
            points = play(played.world, given).score.points
            yield rule, {"same": played.score.points - points}


def without(rule: str, order: Order) -> Order | None:
    """The order that stands in the place of another where one rule is switched off.

    Without shelters everyone goes up; without going up, and without buses, people go to shelters.
    """
    what, key = rule.split(" ")
    if what == "order":
        return None if order_key(type(order)) == key else order
    option = Protection(key)
    other = Protection.UP if option is Protection.SHELTER else Protection.SHELTER
    if isinstance(order, Protect) and order.option is option:
        return None
    if isinstance(order, Alert) and (order.option or Protection.SHELTER) is option:
        return replace(order, option=other)
    return None if other is Protection.UP and isinstance(order, DoorToDoor) else order


# --------------------------------------------------------------------------- many games
def run(
    district: District,
    water: Mapping[int, IntArray],
    seeds: int,
    tries: int,
    keep: Path | None,
    told: Callable[[str, float], None],
) -> list[Numbers]:
    """Play all games that are not kept yet, two at a time; in the order of the games."""
    asked = [(hour, level, n) for n in range(seeds) for hour in HOURS for level in LEVELS]
    kept = Kept(keep, district, tries)
    done = {tuple(one["game"]): one for one in kept.games}
    left = [one for one in asked if one not in done]
    with ProcessPoolExecutor(AT_A_TIME, initializer=use_ground, initargs=(district, water)) as pool:
        waiting = {pool.submit(game, one, tries): one for one in left}
        for future in as_completed(waiting):
            found = future.result()
            kept.add(found)
            done[waiting[future]] = found
            told("games", len(done) / len(asked))
    return [done[one] for one in asked]


class Kept:
    """Games on disk, a line each, under what they were played with."""

    def __init__(self, folder: Path | None, district: District, tries: int) -> None:
        self._path = None if folder is None else folder / "games.jsonl"
        self.games: list[Numbers] = []
        head = {"rules": RULES_VERSION, "district": district.digest, "tries": tries}
        head["code"] = _code()
        if self._path is None:
            return
        if self._path.exists():
            lines = self._path.read_text(encoding="utf-8").splitlines()
            if not lines or json.loads(lines[0]) != head:
                raise ExerciseError(
                    f"{self._path} holds games of another district, code, or number of tries: "
                    "give another folder"
                )
            self.games = [json.loads(line) for line in lines[1:]]
        else:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(json.dumps(head) + "\n", encoding="utf-8")

    def add(self, found: Numbers) -> None:
        """Keep a game."""
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(found) + "\n")


def _code() -> str:
    """Hash of the rules, of the players and of this file."""
    root = Path(__file__).parent.parent
    players = (*_PLAYERS_CODE, *(f"benchmarks/{name}.py" for name in ("balance", "thorough")))
    paths = [*sorted((root / "sim").glob("*.py")), *(root / path for path in players)]
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]


_PLAYERS_CODE = tuple(
    f"exercises/{name}.py"
    for name in (
        "players", "baseline", "outlook", "brush", "perfect_knowledge", "foreknowledge",
        "held_links", "session",
    )
)  # fmt: skip


# --------------------------------------------------------------------------- what is printed
def print_players(games: Sequence[Numbers]) -> None:
    """Means of every player by hour and level; the worst crowd is that of all its games."""
    print(
        "| hour | level | threatened | player | recall | prec. | points | maximum | victims "
        "| by isolation | orders | worst crowd |"
    )
    print("| --: | --: | --: | --- | --: | --: | --: | --: | --: | --: | --: | --: |")
    for hour in HOURS:
        for level in LEVELS:
            mine = [one["players"] for one in games if one["game"][:2] == [hour, level]]
            for name in FOUR:
                rows = [one[name] for one in mine]
                mean = {key: _mean([row[key] for row in rows]) for key in rows[0]}
                cells = [
                    *((hour, level) if name == FOUR[0] else ("", "")),
                    f"{mean['threatened']:,.0f}" if name == FOUR[0] else "",
                    name,
                    _share(mean["recall"]),
                    _share(mean["precision"]),
                    *(f"{mean[key]:,.0f}" for key in ("points", "maximum", "victims", "isolation")),
                    f"{mean['orders']:.0f}",
                    f"{max(row['crowd'] for row in rows):.1f}",
                ]
                print("| " + " | ".join(map(str, cells)) + " |")
    weighed = [one["players"][FOUR[0]]["outweighs"] for one in games]
    print(f"\nCapital could outweigh 15 % of the maximum in {_share(_mean(weighed))} of the games.")
    print("Games whose score isolation changed, and political capital:")
    for name in FOUR:
        rows = [one["players"][name] for one in games]
        lost = _mean([row["isolation"] > 0 for row in rows])
        moved = _mean([row["capital"] != CAPITAL_START for row in rows])
        print(f"- {name}: {_share(lost)}, {_share(moved)}")


def print_rules(games: Sequence[Numbers]) -> None:
    """How often each rule changed a score, and by how much."""
    tried = [one for one in games if "orders" in one]
    print(f"\nEach rule switched off, {len(tried)} games a player:\n")
    print("| rule | player | met or used | changed the score | better with it | mean change |")
    print("| --- | --- | --: | --: | --: | --: |")
    for kind, ways in (("cards", ("same", "anew")), ("orders", ("same",))):
        for way in ways:
            for (rule, name), changes in sorted(_changes_of(tried, kind, way).items()):
                how = {"same": "", "anew": ", decided anew"}[way]
                print(_rule_row(rule + how, name, changes, len(tried)))


def _changes_of(tried: Sequence[Numbers], kind: str, way: str) -> dict[tuple[str, str], list[int]]:
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for one in tried:
        for name, rules in one[kind].items():
            for rule, changes in rules.items():
                if way in changes:
                    named = rule if kind == "orders" else f"card {rule}"
                    found[named, name].append(changes[way])
    return found


def _rule_row(rule: str, name: str, changes: Sequence[int], games: int) -> str:
    changed = sum(change != 0 for change in changes) / len(changes)
    better = sum(change > 0 for change in changes) / len(changes)
    word = ""
    if changed < NEVER_SHARE:
        word = " (hardly ever matters)"
    elif better >= ALWAYS_SHARE:
        word = " (nearly always wins)"
    return (
        f"| {rule}{word} | {name} | {_share(len(changes) / games)} | {_share(changed)} "
        f"| {_share(better)} | {_mean(changes):+,.0f} |"
    )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _share(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f} %"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--pack", type=Path, required=True, help="district pack, calibrated")
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"[default: {SEEDS}]")
    parser.add_argument(
        "--tries",
        type=int,
        default=TRIES,
        help=f"seeds that are played again without each rule [default: {TRIES}]",
    )
    parser.add_argument("--keep", type=Path, help="folder in which games are kept")
    asked = parser.parse_args()
    try:
        district, ground = read_district(asked.pack), read_ground(asked.pack)
        severities = [district.severity(level) for level in LEVELS]
        with console_progress() as tell:
            truths = kept_truths(
                asked.pack, district, ground, severities, TURNS, lambda share: tell("water", share)
            )
            water = {level: t.depth_mm for level, t in zip(LEVELS, truths, strict=True)}
            games = run(district, water, asked.seeds, asked.tries, asked.keep, tell)
    except AverseError as error:
        raise SystemExit(f"balance: {error}") from None
    print(f"{district.name}, seeds: {asked.seeds}, cards drawn\n")
    print_players(games)
    if any("orders" in one for one in games):
        print_rules(games)


if __name__ == "__main__":
    main()
