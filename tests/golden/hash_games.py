"""Three short games made of whole numbers alone, and the hashes of all that they lead to (§19).

``python -m tests.golden.hash_games`` prints them; those of the states are on record in
``hashes.json``. Views, events, logs and scores are worded, and change with every better word: they
are the same on any Python, but on no record. Nothing but the engine and what it needs is imported,
so that any Python plays them.
"""

import hashlib
import json
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from exercises.event_log import event_log
from exercises.family import Envelope
from exercises.flood_family import FLOOD
from sim.dice import below, draws
from sim.district import District, Facility, failed_drains_ladder
from sim.hexes import Sheet
from sim.orders import (
    Alert,
    Answer,
    Clear,
    CloseShelter,
    DoorToDoor,
    Footbridge,
    Forecast,
    Move,
    OpenShelter,
    Order,
    Protect,
    Pump,
    Withdraw,
)
from sim.rules import HARBIN, HEX_AREA_HA, LEVELS, RULES_VERSION, Card, Fabric, Protection
from sim.scenario import Gathering, Inject, Scenario
from sim.world import World

GOLDEN = Path(__file__).parent / "hashes.json"
SEED = "5eed" * 8
COLUMNS, ROWS, TURNS = 8, 6, 12
Hashes: TypeAlias = dict[str, Any]


def district() -> District:
    """Return a town on a valley, drawn by the engine's own dice: no float, no other generator."""
    sheet = Sheet(COLUMNS, ROWS)
    n, m = sheet.n_hexes, sheet.n_edges
    column, row = np.divmod(np.arange(n), ROWS)
    ground_mm = 600 * np.abs(column - COLUMNS // 2) + draws(SEED, n, 500, "golden ground")
    fabric = draws(SEED, n, len(Fabric), "golden fabric").astype(np.int8)
    rows_of = [HARBIN[Fabric(one)] for one in fabric.tolist()]
    residents = np.array([row.residents_per_ha * HEX_AREA_HA for row in rows_of]).astype(np.int32)
    share = np.array([round(100 * row.unshelterable) for row in rows_of])
    link_class = np.array([1, 1, 1, 2, 3, 4])[draws(SEED, m, 6, "golden road")].astype(np.int8)
    structure = np.array([0, 0, 0, 0, 0, 0, 1, 2])[draws(SEED, m, 8, "golden structure")]
    road_m = np.zeros(n, np.int32)
    np.add.at(road_m, sheet.edges[link_class >= 2].ravel(), 130)
    _, quarter = np.unique(column // 3 * 10 + row // 3, return_inverse=True)
    high = np.argsort(-ground_mm, kind="stable").tolist()
    return District(
        name="golden",
        sheet=sheet,
        region="harbin",
        ladder=failed_drains_ladder(LEVELS),
        active=np.ones(n, bool),
        fabric=fabric,
        residents=residents,
        unshelterable=(residents * share // 100).astype(np.int32),
        road_m=road_m,
        quarter=quarter.astype(np.int32),
        quarters=tuple(f"quarter {number}" for number in range(int(quarter.max()) + 1)),
        link_class=link_class,
        structure=structure.astype(np.int8),
        foot=np.ones(m, bool),
        barrier=np.zeros(m, bool),
        elevation_mm=ground_mm.astype(np.int32),
        sink_mm=np.zeros(n, np.int32),
        shelters=tuple(Facility(high[i], f"shelter {i}", 900) for i in (0, 3, 7)),
        stations=tuple(Facility(high[-i], f"station {i}") for i in (1, 2)),
        police_stations=(Facility(high[1], "police"),),
        technical_centres=(Facility(high[5], "depot"),),
    )


def water(town: District, rise_mm: int) -> np.ndarray:
    """Return water that gathers in the valley, (turns + 1, n_hex) millimetres."""
    turn = np.arange(TURNS + 1)[:, None]
    level = rise_mm * turn * turn // (TURNS * TURNS)
    return np.where(turn > 0, np.clip(level - town.elevation_mm[None, :], 0, 3_000), 0).astype(
        np.int32
    )


def worlds() -> dict[str, World]:
    """Return a dry game, a serious one with cards, one by night with half the staff away."""
    town = district()
    played = tuple(Inject(turn, card) for turn, card in zip(range(2, 11), Card, strict=True))
    return {
        "dry": World(town, water(town, 200), 1, SEED, 14, TURNS),
        "serious": World(
            *(town, water(town, 2_600), 5, SEED[::-1], 8, TURNS),
            Scenario(cards=True, injects=played, gathering=Gathering(20, 800)),
        ),
        "night": World(
            *(town, water(town, 1_600), 3, SEED[1:] + "0", 3, TURNS),
            Scenario(cards=True, half_staff=True, weekend=True, credibility=3),
        ),
    }


def orders(name: str, world: World, turn: int) -> tuple[Order, ...]:
    """Return the orders of a turn, of all kinds, drawn by the engine's own dice."""
    town = world.district
    n, m = town.sheet.n_hexes, town.sheet.n_edges

    def pick(limit: int, *key: str | int) -> int:
        return below(limit, SEED, "golden", name, turn, *key)

    if turn == 0:
        return (Forecast(turn=0, cells=tuple(sorted({pick(n, i) for i in range(6)}))),)
    given: list[Order] = [
        Alert(turn=turn, centre=pick(n, "alert"), radius=1 + turn // 4),
        Move(turn=turn, unit=f"patrol-{1 + pick(4, 'who')}", to=pick(n, "where")),
        Pump(turn=turn, unit="pump-1", link=pick(m, "pump")),
        DoorToDoor(turn=turn, unit="patrol-2", cell=pick(n, "door")),
        Footbridge(turn=turn, unit="pump-2", link=pick(m, "bridge")),
        Clear(turn=turn, unit="patrol-1", link=pick(m, "clear")),
        Protect(
            turn=turn,
            quarter=pick(len(town.quarters), "quarter"),
            option=tuple(Protection)[pick(3, "option")],
        ),
        (CloseShelter, OpenShelter)[turn % 2](turn=turn, shelter=pick(3, "shelter")),
        Withdraw(turn=turn, number=1 + pick(8, "withdraw")),
        Answer(turn=turn, obey=bool(pick(2, "answer"))),
    ]
    return tuple(given)


def hashes() -> Hashes:
    """Play the three games; return what each turn and the whole of each lead to, SHA-256."""
    games: dict[str, Any] = {}
    for name, world in worlds().items():
        at = FLOOD.start(world, world.seed)
        states, events, seen = [FLOOD.state_hash(at)], [], hashlib.sha256()
        while not FLOOD.is_over(at):
            for order in orders(name, world, FLOOD.now(at)):
                at, answered = FLOOD.apply(at, Envelope("team", "", order.turn, order))
                events += answered
            for side in FLOOD.sides(world):
                seen.update(_json(FLOOD.view(at, side, FLOOD.now(at))))
            at, happened = FLOOD.advance(at, FLOOD.now(at) + 1)
            events += happened
            states.append(FLOOD.state_hash(at))
        games[name] = {
            "states": states,
            "views": seen.hexdigest(),
            "events": _sha(_json([FLOOD.event_to_plain(at, event) for event in events])),
            "log": _sha(event_log(world, events, "fr", "team").encode()),
            "score": _sha(_json(FLOOD.score(at))),
        }
    return {"rules": RULES_VERSION, "games": games}


def _json(plain: object) -> bytes:
    return json.dumps(plain, ensure_ascii=False).encode()


def _sha(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def on_record(found: Hashes) -> Hashes:
    """Return what is kept of some hashes: the states, turn by turn."""
    games = {name: {"states": game["states"]} for name, game in found["games"].items()}
    return {"rules": found["rules"], "games": games}


def differences(found: Hashes, wanted: Hashes) -> list[str]:
    """Where some hashes part from those wanted: a line a game."""
    lines = []
    for name, game in wanted["games"].items():
        mine = found["games"].get(name, {})
        pairs = zip(mine.get("states", ()), game["states"], strict=False)
        first = next((turn for turn, (a, b) in enumerate(pairs) if a != b), None)
        parts = [part for part in game if mine.get(part) != game[part]]
        if parts:
            where = "" if first is None else f", from the state of turn {first}"
            lines.append(f"{name}: other {', '.join(parts)}{where}")
    return lines


if __name__ == "__main__":
    print(json.dumps(hashes(), indent=1))
