"""How long a turn takes: on the reference sheet, on larger sheets, beside other ways to count it.

Run from the project's root, with nothing else running (``docs/turn-speed.md`` keeps a printout):

    averse demo --out demo
    python -m benchmarks.turn --pack demo/district

Without ``--pack`` the sheet is made up, as large and as full as the reference sheet. networkx and
Mesa are left out, and named, where they are not installed; Mesa is no part of the project:

    python -m venv peers
    peers/bin/pip install "numba>=0.68,<0.69" "mesa>=3,<4" networkx
    peers/bin/python -m benchmarks.turn --peers-only

Times are of the processor, the best of several repeats taken by turns, so that other work on the
machine counts little.
"""

import argparse
import cProfile
import importlib.util
import pstats
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from sim.district import District, Facility, literal_ladder
from sim.hexes import IntArray, Sheet
from sim.legality import take_orders
from sim.links import deeper_mm, foot_cost
from sim.obstacles import links_with
from sim.orders import Alert, CloseShelter, Move, OpenShelter, Order
from sim.paths import shortest_paths
from sim.rules import (
    HEX_AREA_HA,
    LEVELS,
    REGIONS,
    SHEET_ACTIVE,
    SHEET_COLUMNS,
    SHEET_ROWS,
    SHELTER_PLACES,
    SHELTERS,
    STATIONS,
    TURNS,
    Fabric,
    LinkClass,
)
from sim.scenario import Scenario
from sim.state import State, state_hash
from sim.turn import play_turn, start
from sim.view import view_for
from sim.world import World

SEED = "00112233445566778899aabbccddeeff"
HOUR = 14
TURN_TARGET_MS, GAME_TARGET_MS = 5.0, 100.0
REPEATS = 5


def best(*runs: Callable[[], object], repeats: int = REPEATS) -> list[float]:
    """Shortest processor time of each run, seconds, taken by turns."""
    times = np.full(len(runs), np.inf)
    for _ in range(repeats):
        for i, run in enumerate(runs):
            began = time.process_time()
            run()
            times[i] = min(times[i], time.process_time() - began)
    return times.tolist()


# --------------------------------------------------------------------------- a made-up sheet
def made_district(columns: int, rows: int, active_share: float) -> District:
    """A town in the middle of a sheet, streets everywhere, some wider ones; facilities in turn."""
    sheet = Sheet(columns, rows)
    n = sheet.n_hexes
    rng = np.random.default_rng(1)
    middle = sheet.centres_m.mean(axis=0)
    away = np.hypot(*((sheet.centres_m - middle) / (columns, rows)).T)
    active = np.zeros(n, dtype=bool)
    active[np.argsort(away, kind="stable")[: round(active_share * n)]] = True
    fabric = rng.integers(0, len(Fabric) - 2, size=n).astype(np.int8)
    table = [REGIONS["harbin"][Fabric(f)] for f in range(len(Fabric))]
    per_hex = np.array([round(row.residents_per_ha * HEX_AREA_HA) for row in table])
    stuck = np.array([float(row.unshelterable) for row in table])
    residents = np.where(active, per_hex[fabric], 0).astype(np.int32)
    link_class = rng.choice([1, 1, 1, 1, 1, 2, 3], size=sheet.n_edges).astype(np.int8)
    column, row = np.divmod(np.arange(n), rows)
    side = max(4, round(np.sqrt(n / 20)) // 2)  # about twenty quarters on the reference sheet
    blocks = (column // side) * (rows // side + 1) + row // side
    quarters, of = np.unique(blocks[active], return_inverse=True)
    quarter = np.full(n, -1, dtype=np.int32)
    quarter[active] = of
    scale = max(1, n // (SHEET_COLUMNS * SHEET_ROWS))

    def placed(name: str, count: int, places: int = 0) -> tuple[Facility, ...]:
        cells = np.flatnonzero(active)
        chosen = cells[np.linspace(0, len(cells) - 1, count * scale).astype(int)]
        return tuple(Facility(int(c), f"{name} {i}", places) for i, c in enumerate(chosen, 1))

    return District(
        name=f"made-up {columns} × {rows}",
        sheet=sheet,
        region="harbin",
        ladder=literal_ladder(LEVELS),
        active=active,
        fabric=fabric,
        residents=residents,
        unshelterable=(residents * stuck[fabric]).astype(np.int32),
        road_m=np.where(active, 130, 0).astype(np.int32),
        quarter=quarter,
        quarters=tuple(f"Quarter {i + 1}" for i in range(len(quarters))),
        link_class=link_class,
        structure=np.zeros(sheet.n_edges, dtype=np.int8),
        foot=link_class > LinkClass.NONE,
        barrier=np.zeros(sheet.n_edges, dtype=bool),
        elevation_mm=np.zeros(n, dtype=np.int32),
        sink_mm=np.zeros(n, dtype=np.int32),
        shelters=placed("Shelter", SHELTERS, SHELTER_PLACES),
        stations=placed("Station", STATIONS),
        police_stations=placed("Police", 3),
        technical_centres=placed("Depot", 2),
    )


def made_water(district: District) -> IntArray:
    """(turns + 1, n_hex) depths, mm: hollows that fill from turn 6 on."""
    x, y = district.sheet.centres_m.T / 260.0
    hollow = np.clip(np.sin(x / 2.3) * np.cos(y / 3.1) + 0.2 * np.sin(x * 1.7 + y), 0, None)
    rise = np.clip(np.arange(TURNS + 1) - 5, 0, 12)[:, None] * 75
    return (rise * hollow[None, :]).astype(np.int32)


def world_on(district: District) -> World:
    """The storm, cards and all."""
    scenario = Scenario(cards=True)
    return World(district, made_water(district), 5, SEED, HOUR, TURNS, scenario)


# --------------------------------------------------------------------------- a busy team
def busy_orders(world: World, state: State) -> tuple[Order, ...]:
    """As many orders as the turn allows: a third moves, a shelter, the others alerts."""
    district, turn = world.district, state.turn
    view = view_for(state, world.hour, world.turns)
    cells = np.flatnonzero(district.active).tolist()
    shelter = turn % len(district.shelters)
    toggle = OpenShelter if view.closed[shelter] else CloseShelter
    orders: list[Order] = [toggle(turn=turn, shelter=shelter)] if view.orders else []
    for i, unit in enumerate(view.units[: view.orders // 3]):
        to = cells[(997 * turn + 131 * i) % len(cells)]
        if to != unit.cell:
            orders.append(Move(turn=turn, unit=unit.name, to=to))
    left = [cell for cell in cells if cell not in set(view.alerted)]
    step = max(1, len(left) // 16)
    alerts = (
        Alert(turn=turn, centre=centre, radius=min(view.brush_radius, 2)) for centre in left[::step]
    )
    return (*orders, *islice(alerts, view.orders - len(orders)))


def game(world: World) -> tuple[list[State], list[tuple[Order, ...]]]:
    """A whole game of the busy team: the states, and the orders that led from each."""
    states, given = [start(world)], []
    while states[-1].turn <= world.turns:
        given.append(busy_orders(world, states[-1]))
        states.append(play_turn(world, states[-1], given[-1])[0])
    return states, given


def replayed(world: World, given: Sequence[tuple[Order, ...]]) -> State:
    state = start(world)
    for orders in given:
        state = play_turn(world, state, orders)[0]
    return state


# --------------------------------------------------------------------------- what is measured
def print_turns(world: World) -> list[State]:
    """A turn of the full staff, and a whole game, without the water."""
    states, given = game(world)
    full = [i for i, orders in enumerate(given) if len(orders) >= 11]
    turns = best(*(lambda i=i: play_turn(world, states[i], given[i]) for i in full))
    (whole,) = best(lambda: replayed(world, given), repeats=3)
    ms = sorted(1e3 * t for t in turns)
    people, active = int(world.district.residents.sum()), int(world.district.active.sum())
    print(
        f"{world.district.name}: {active:,} active hexes, {people:,} people, "
        f"{len(states[0].units)} units, {sum(map(len, given))} orders in a game"
    )
    print(
        f"a turn of 12 orders: median {ms[len(ms) // 2]:.2f} ms, worst {ms[-1]:.2f} ms "
        f"(target {TURN_TARGET_MS:g})"
    )
    print(f"a game of {world.turns} turns: {1e3 * whole:.0f} ms (target {GAME_TARGET_MS:g})")
    print(f"state at the end {state_hash(states[-1])}")
    print_hashes(world, states[full[0]], given[full[0]])
    return states


def print_hashes(world: World, state: State, orders: tuple[Order, ...]) -> None:
    """Time of a state's hash, which every entry of a journal holds: a row's text is kept."""
    state_hash(state)
    ordered = take_orders(world, state, orders[:1])[0]
    after_order = best(lambda: state_hash(ordered), repeats=20)[0]
    after_turn = np.inf
    for _ in range(20):  # played anew: what has been written once is not written again
        after = play_turn(world, state, orders)[0]
        after_turn = min(after_turn, best(lambda a=after: state_hash(a), repeats=1)[0])
    print(
        f"hash of the state: {1e3 * after_order:.2f} ms after an order, "
        f"{1e3 * after_turn:.2f} ms after a turn\n"
    )


def print_growth(sizes: Sequence[tuple[int, int]]) -> None:
    """Time of a turn from the reference sheet to 100,000 hexes, and of which power it grows."""
    print("hexes     ms a turn  µs / (hex log2 hex)")
    counts, times = [], []
    for columns, rows in sizes:
        world = world_on(made_district(columns, rows, SHEET_ACTIVE / (44 * 28)))
        state = start(world)
        while state.turn < 12:
            state = play_turn(world, state, busy_orders(world, state))[0]
        orders = busy_orders(world, state)
        play_turn(world, state, orders)
        (seconds,) = best(lambda w=world, s=state, o=orders: play_turn(w, s, o), repeats=3)
        n = columns * rows
        counts.append(n)
        times.append(seconds)
        print(f"{n:7,d} {1e3 * seconds:11.2f} {1e6 * seconds / (n * np.log2(n)):12.4f}")
    slope = np.polyfit(np.log(counts), np.log(times), 1)[0]
    n_log_n = np.log(counts[-1] * np.log(counts[-1]) / (counts[0] * np.log(counts[0])))
    bound = n_log_n / np.log(counts[-1] / counts[0])
    print(f"a turn grows as hexes^{slope:.2f}; n log n over that span is hexes^{bound:.2f}\n")


def print_peers(world: World, states: Sequence[State]) -> None:
    """The reachability step by networkx, the counters by Mesa, as ratios in one run."""
    district, sheet = world.district, world.district.sheet
    state = states[14]
    depth_mm = deeper_mm(sheet, world.depth_mm[state.turn])
    links = links_with(district, state.obstacles, state.units, state.turn)
    cost = foot_cost(links, depth_mm, night=False)
    shelters = world.shelter_cells
    if _missing("networkx"):
        print("networkx is not installed: the reachability step is left out")
    else:
        ours, theirs = best(
            lambda: shortest_paths(sheet, cost, shelters),
            lambda: _by_networkx(sheet, cost, shelters),
        )
        mine = shortest_paths(sheet, cost, shelters).distance
        lengths = _by_networkx(sheet, cost, shelters)
        assert all(lengths.get(cell, -1) == mine[cell] for cell in range(sheet.n_hexes))
        print(
            f"ways to the shelters: {1e3 * ours:.3f} ms; networkx {1e3 * theirs:.2f} ms, "
            f"{theirs / ours:.0f} × (same distances)"
        )
    if _missing("mesa"):
        print("Mesa is not installed: the counters are left out")
        return
    progress = np.array(state.progress)
    target, step = np.array(state.target), np.full(sheet.n_hexes, 100)
    model = _mesa_model(progress, target)
    arrays = SimpleNamespace(progress=progress.copy())

    def by_arrays() -> None:
        going = arrays.progress < target
        arrays.progress = arrays.progress + np.where(going, step, 0)

    ours, theirs = best(by_arrays, model.step, repeats=20)
    print(
        f"counters of {sheet.n_hexes:,} hexes: {1e3 * ours:.4f} ms in arrays; "
        f"Mesa {1e3 * theirs:.2f} ms, {theirs / ours:.0f} ×"
    )


def _missing(name: str) -> bool:
    return importlib.util.find_spec(name) is None


def _by_networkx(sheet: Sheet, cost: IntArray, places: IntArray) -> dict[int, int]:
    import networkx as nx  # type: ignore[import-untyped]

    graph = nx.Graph()
    graph.add_nodes_from(range(sheet.n_hexes))
    graph.add_weighted_edges_from(
        (a, b, c) for (a, b), c in zip(sheet.edges.tolist(), cost.tolist(), strict=True) if c
    )
    found: dict[int, int] = nx.multi_source_dijkstra_path_length(graph, set(places.tolist()))
    return found


def _mesa_model(progress: np.ndarray, target: np.ndarray):  # type: ignore[no-untyped-def]
    import mesa  # type: ignore[import-not-found]

    class Hex(mesa.Agent):  # type: ignore[misc]
        def __init__(self, model, progress, target):  # type: ignore[no-untyped-def]
            super().__init__(model)
            self.progress, self.target = progress, target

        def step(self):  # type: ignore[no-untyped-def]
            if self.progress < self.target:
                self.progress += 100

    class Counters(mesa.Model):  # type: ignore[misc]
        def __init__(self):  # type: ignore[no-untyped-def]
            super().__init__()
            for own, whole in zip(progress.tolist(), target.tolist(), strict=True):
                Hex(self, own, whole)

        def step(self):  # type: ignore[no-untyped-def]
            self.agents.do("step")

    return Counters()


def print_profile(world: World) -> None:
    """Functions in which a game spends most of its own time."""
    _, given = game(world)
    profile = cProfile.Profile()
    profile.runcall(replayed, world, given)
    pstats.Stats(profile).sort_stats("tottime").print_stats(25)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--pack", type=Path, help="district pack [default: a made-up sheet]")
    parser.add_argument("--peers-only", action="store_true", help="beside networkx and Mesa alone")
    parser.add_argument("--profile", action="store_true", help="where the time of a game goes")
    asked = parser.parse_args()
    if asked.pack is not None:
        from gis.store import read_district

        district = read_district(asked.pack)
    else:
        district = made_district(SHEET_COLUMNS, SHEET_ROWS, SHEET_ACTIVE / (44 * 28))
    world = world_on(district)
    if asked.profile:
        print_profile(world)
        return
    states = game(world)[0] if asked.peers_only else print_turns(world)
    if not asked.peers_only:
        print_growth(((44, 28), (80, 50), (160, 100), (250, 160), (400, 250)))
    print_peers(world, states)


if __name__ == "__main__":
    main()
