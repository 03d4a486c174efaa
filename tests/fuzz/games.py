"""Random games on small towns: orders legal and not, cards, injects, night, half the staff away."""

from dataclasses import dataclass, replace

import numpy as np

from exercises.flood_family import FloodState
from sim.district import District, Severity
from sim.orders import (
    Alert,
    Answer,
    Clear,
    CloseShelter,
    Deliver,
    DoorToDoor,
    Footbridge,
    Forecast,
    Move,
    OpenShelter,
    Order,
    Protect,
    Pump,
    Reserve,
    Withdraw,
)
from sim.rules import HOURS, LEVELS, Card, Confidence, Protection
from sim.scenario import Gathering, Inject, Scenario
from sim.world import World
from tests.strategies import seed_of, synthetic_district, synthetic_water

TURNS = 10
EXPLICIT = (Card.ACCIDENT, Card.JAM, Card.POWER_CUT, Card.STAMPEDE, Card.INJUNCTION)
"""Cards that an instructor aims, so that nothing is drawn for them."""
DISTRICTS = 24


@dataclass(frozen=True)
class Game:
    """A world, and how its team plays it.

    Attributes
    ----------
    world : World
    last : int
        Turn at which both worlds are looked at for the last time; ``turns`` + 1 is the end.
    alerting, roaming : float
        How often the team alerts and sends units.
    """

    number: int
    world: World
    last: int
    alerting: float
    roaming: float


_districts: dict[int, District] = {}


def district_of(number: int) -> District:
    """One of a few small towns, made once."""
    number %= DISTRICTS
    if number not in _districts:
        rng = np.random.default_rng(10_000 + number)
        _districts[number] = synthetic_district(
            int(rng.integers(6, 9)), int(rng.integers(5, 8)), number
        )
    return _districts[number]


def random_depth(rng: np.random.Generator, turns: int, n: int, share: float) -> np.ndarray:
    """Rough water, hex by hex: it rises, it falls, it has no sense, millimetres."""
    peak = np.where(rng.random(n) < share, rng.integers(0, 1_400, n), 0)
    when = rng.integers(1, turns + 1, n)
    away = np.abs(np.arange(turns + 1)[:, None] - when[None, :])
    depth = (peak * np.clip(1 - away / rng.integers(3, 10), 0, 1)).astype(np.int32)
    depth[0] = 0
    return depth


def game_of(number: int, town: District | None = None) -> Game:
    """One game for one number, on one of the small towns unless another is given."""
    rng = np.random.default_rng(number)
    small = int(rng.integers(DISTRICTS))
    district = district_of(small) if town is None else town
    n = district.sheet.n_hexes
    level = int(rng.choice(LEVELS))
    water = (
        synthetic_water(district, level, TURNS)
        if rng.random() < 0.4
        else random_depth(rng, TURNS, n, float(rng.choice([0.1, 0.3, 0.6])))
    )
    if rng.random() < 0.6:
        district = replace(district, ladder=random_ladder(rng))
    scripted = rng.random() < 0.5
    # a crowd stands on a hex that is built and populated (§8.4)
    crowd = int(np.flatnonzero(district.active)[int(rng.integers(n)) % int(district.active.sum())])
    gathering = Gathering(crowd, 500) if rng.random() < 0.2 else None
    scenario = Scenario(
        weekend=bool(rng.random() < 0.3),
        half_staff=bool(rng.random() < 0.3),
        cards=bool(not scripted and rng.random() < 0.8),
        credibility=int(rng.integers(0, 11)),
        gathering=gathering,
        injects=_injects(rng, district, scripted=scripted),
    )
    hour = int(rng.choice(sorted(HOURS)))
    world = World(district, water, level, seed_of(2 * number + 1), hour, TURNS, scenario)
    last = int(rng.choice([3, 6, 8, TURNS, TURNS + 1]))
    alerting = float(rng.choice([0.0, 0.3, 0.9]))
    return Game(number, world, last, alerting, float(rng.choice([0.1, 0.3, 0.7])))


def _injects(rng: np.random.Generator, district, *, scripted: bool) -> tuple[Inject, ...]:
    injects = []
    for _ in range(int(rng.integers(0, 4))):
        turn = int(rng.integers(1, TURNS + 1))
        card = Card.ROADWORKS if rng.random() < 0.5 else EXPLICIT[int(rng.integers(len(EXPLICIT)))]
        if not scripted and rng.random() < 0.3:
            card = Card.RUMOUR
        limit = {
            Card.ACCIDENT: district.sheet.n_edges,
            Card.ROADWORKS: district.sheet.n_edges,
            Card.JAM: district.sheet.n_hexes,
            Card.POWER_CUT: district.sheet.n_hexes,
            Card.STAMPEDE: len(district.shelters),
            Card.INJUNCTION: len(district.quarters),
            Card.RUMOUR: 0,
        }[card]
        injects.append(Inject(turn, card, int(rng.integers(limit)) if limit else None))
    return tuple(injects)


def random_ladder(rng: np.random.Generator) -> tuple[Severity, ...]:
    """Levels that stand for anything (§7.6)."""
    return tuple(
        Severity(level, float(rng.integers(1, 101)), float(rng.integers(0, 11)) / 10, 0.5)
        for level in LEVELS
    )


def random_orders(rng: np.random.Generator, game: Game, at: FloodState) -> tuple[Order, ...]:
    """Orders of a turn, sensible or not."""
    turn = at.state.turn
    district = game.world.district
    if turn == 0:
        cells = rng.integers(0, district.sheet.n_hexes, int(rng.integers(0, 5)))
        sure = list(Confidence)[int(rng.integers(len(Confidence)))] if rng.random() < 0.5 else None
        return (Forecast(turn=0, cells=tuple(dict.fromkeys(cells.tolist())), confidence=sure),)
    orders: list[Order] = []
    for _ in range(int(rng.integers(0, 4))):
        if rng.random() < game.alerting:
            option = list(Protection)[int(rng.integers(3))] if rng.random() < 0.5 else None
            centre = int(rng.integers(district.sheet.n_hexes))
            orders.append(
                Alert(turn=turn, centre=centre, radius=int(rng.integers(0, 3)), option=option)
            )
        elif rng.random() < game.roaming:
            orders.append(_to_a_unit(rng, district, at, turn))
        else:
            orders.append(_other(rng, district, turn))
    if any(one.obeyed is None for one in at.state.injunctions):
        # to obey is to alert: not in a team that never does
        orders.append(Answer(turn=turn, obey=bool(game.alerting and rng.random() < 0.5)))
    return tuple(orders)


def _to_a_unit(rng: np.random.Generator, district, at: FloodState, turn: int) -> Order:
    unit = at.state.units[int(rng.integers(len(at.state.units)))].name
    cell = int(rng.integers(district.sheet.n_hexes))
    link = int(rng.integers(district.sheet.n_edges))
    known = at.state.known_obstacles.obstructed
    match int(rng.integers(7)):
        case 0:
            return Pump(turn=turn, unit=unit, link=link)
        case 1:
            return Footbridge(turn=turn, unit=unit, link=link)
        case 2:
            some = int(known[int(rng.integers(len(known)))]) if known else link
            return Clear(turn=turn, unit=unit, link=some)
        case 3:
            return Deliver(turn=turn, unit=unit, cell=cell)
    return Move(turn=turn, unit=unit, to=cell)


def _other(rng: np.random.Generator, district, turn: int) -> Order:
    shelter = int(rng.integers(len(district.shelters)))
    match int(rng.integers(6)):
        case 0:
            return Withdraw(turn=turn, number=int(rng.integers(1, 4)))
        case 1:
            return Protect(
                turn=turn,
                quarter=int(rng.integers(len(district.quarters))),
                option=list(Protection)[int(rng.integers(3))],
            )
        case 2:
            return CloseShelter(turn=turn, shelter=shelter)
        case 3:
            return OpenShelter(turn=turn, shelter=shelter)
        case 4:
            return Reserve(
                turn=turn, unit="patrol-1", links=(int(rng.integers(district.sheet.n_edges)),)
            )
    return Clear(turn=turn, unit="patrol-2", link=int(rng.integers(district.sheet.n_edges)))


def probes(rng: np.random.Generator, game: Game, at: FloodState) -> tuple[Order, ...]:
    """Orders tried for the answer alone, all over the sheet and never carried out."""
    district, turn = game.world.district, at.state.turn
    tried = [_to_a_unit(rng, district, at, turn) for _ in range(4)]
    tried.append(
        Alert(turn=turn, centre=int(rng.integers(district.sheet.n_hexes)), radius=1),
    )
    unit = f"patrol-{int(rng.integers(1, 5))}"
    tried.append(DoorToDoor(turn=turn, unit=unit, cell=int(rng.integers(district.sheet.n_hexes))))
    return tuple(tried)
