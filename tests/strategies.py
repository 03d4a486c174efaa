"""Small synthetic districts with synthetic water, and hypothesis strategies shared by all.

Everything comes from one whole number through numpy's own generator, so that a failing example
prints short and replays alike under any PYTHONHASHSEED.
"""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from sim.district import District, Facility, literal_ladder
from sim.hexes import Sheet
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
from sim.rules import (
    HARBIN,
    HEX_AREA_HA,
    HOURS,
    LEVELS,
    Fabric,
    LinkClass,
    Protection,
    Structure,
)
from sim.scenario import Scenario
from sim.world import World

SEED = "0123456789abcdef0123456789abcdef"


def seed_of(number: int) -> str:
    """A 128-bit seed from a whole number."""
    return f"{number:032x}"


def smooth(sheet: Sheet, values: np.ndarray, rounds: int) -> np.ndarray:
    """Average every hex with its neighbours, some rounds."""
    for _ in range(rounds):
        padded = np.append(values, np.nan)
        around = np.column_stack((values, padded[sheet.neighbours]))
        values = np.nanmean(around, axis=1)
    return values


def synthetic_district(columns: int = 8, rows: int = 6, number: int = 0) -> District:
    """A town whose hexes are all linked by local streets at least, with some relief."""
    sheet = Sheet(columns, rows)
    n = sheet.n_hexes
    rng = np.random.default_rng(number)
    relief = smooth(sheet, rng.normal(size=n), 2)
    elevation_mm = np.round(4_000 * relief).astype(np.int32)
    lowest_out = np.min(
        np.where(sheet.neighbours >= 0, elevation_mm[sheet.neighbours], 10**9), axis=1
    )
    fabric = rng.integers(0, len(Fabric), size=n).astype(np.int8)
    rows_of = [HARBIN[Fabric(f)] for f in fabric]
    residents = np.array([round(r.residents_per_ha * HEX_AREA_HA) for r in rows_of], np.int32)
    unshelterable = np.array(
        [int(p * r.unshelterable) for p, r in zip(residents.tolist(), rows_of, strict=True)],
        np.int32,
    )
    link_class = rng.choice([1, 1, 1, 1, 2, 3, 4], size=sheet.n_edges).astype(np.int8)
    road_m = np.zeros(n, np.int32)
    np.add.at(road_m, sheet.edges[link_class >= 2].ravel(), 130)
    structure = rng.choice([0] * 12 + [1, 2], size=sheet.n_edges).astype(np.int8)
    # quarters: blocks of 4 × 4 hexes
    column, row = np.divmod(np.arange(n), rows)
    _, quarter = np.unique(column // 4 * 1_000 + row // 4, return_inverse=True)
    high = np.argsort(-elevation_mm, kind="stable")
    low = high[::-1]
    n_shelters = max(2, n * 18 // 1_232)
    shelters = sorted(int(cell) for cell in high[: 3 * n_shelters : 3])
    people = int(residents.sum())
    places = max(50, people * 18 * 1_800 // 422_100 // n_shelters)
    return District(
        name=f"synthetic {number}",
        sheet=sheet,
        region="harbin",
        ladder=literal_ladder(LEVELS),
        active=np.ones(n, bool),
        fabric=fabric,
        residents=residents,
        unshelterable=unshelterable,
        road_m=road_m,
        quarter=quarter.astype(np.int32),
        quarters=tuple(f"quarter {q}" for q in range(int(quarter.max()) + 1)),
        link_class=link_class,
        structure=structure,
        foot=np.ones(sheet.n_edges, bool),
        barrier=np.zeros(sheet.n_edges, bool),
        elevation_mm=elevation_mm,
        sink_mm=np.maximum(0, lowest_out - elevation_mm).astype(np.int32),
        shelters=tuple(Facility(c, f"shelter {i + 1}", places) for i, c in enumerate(shelters)),
        stations=tuple(Facility(int(c), f"station {i}") for i, c in enumerate(low[:2])),
        police_stations=(Facility(int(high[1]), "police"),),
        technical_centres=(),
    )


def line_district(
    length: int = 6,
    *,
    residents: int = 1_000,
    unshelterable: int = 100,
    link_class: LinkClass = LinkClass.LOCAL,
    structure: Structure = Structure.ROAD,
    shelters: tuple[tuple[int, int], ...] = ((0, 1_800),),
    quarter_length: int = 99,
    technical: int | None = None,
) -> District:
    """One column of hexes in a row, all alike, linked each to the next; shelters (cell, places)."""
    sheet = Sheet(1, length)
    n, m = sheet.n_hexes, sheet.n_edges
    quarter = (np.arange(n) // quarter_length).astype(np.int32)
    return District(
        name="line",
        sheet=sheet,
        region="harbin",
        ladder=literal_ladder(LEVELS),
        active=np.ones(n, bool),
        fabric=np.zeros(n, np.int8),
        residents=np.full(n, residents, np.int32),
        unshelterable=np.full(n, unshelterable, np.int32),
        road_m=np.zeros(n, np.int32),
        quarter=quarter,
        quarters=tuple(f"quarter {q}" for q in range(int(quarter.max()) + 1)),
        link_class=np.full(m, link_class, np.int8),
        structure=np.full(m, structure, np.int8),
        foot=np.full(m, True),
        barrier=np.zeros(m, bool),
        elevation_mm=np.zeros(n, np.int32),
        sink_mm=np.zeros(n, np.int32),
        shelters=tuple(
            Facility(cell, f"shelter {i + 1}", places) for i, (cell, places) in enumerate(shelters)
        ),
        stations=(),
        police_stations=(Facility(n - 1, "police"),),
        technical_centres=() if technical is None else (Facility(technical, "depot"),),
    )


def dry_world(district: District, *, turns: int = 30, hour: int = 14, seed: str = SEED) -> World:
    """A world without any water."""
    depth = np.zeros((turns + 1, district.sheet.n_hexes), np.int32)
    return World(district, depth, 1, seed, hour, turns)


def flooded(world: World, depth_mm: dict[int, int], *, from_turn: int = 1) -> World:
    """The same world with hexes under a steady depth from a turn on."""
    depth = np.array(world.depth_mm)
    for cell, mm in depth_mm.items():
        depth[from_turn:, cell] = mm
    return replace(world, depth_mm=depth)


def synthetic_water(district: District, level: int, turns: int = 30) -> np.ndarray:
    """Water that gathers in the low ground: late, deeper and wider at a higher level."""
    rise = {1: 150, 2: 450, 3: 800, 5: 1_300}[level]
    turn = np.arange(turns + 1)[:, None]
    share = np.clip((turn - 4) / 12, 0, 1) ** 2
    low = np.quantile(district.elevation_mm, 0.08)
    return np.clip(share * rise - (district.elevation_mm - low) * 0.5, 0, 3_000).astype(
        np.int32
    ) * (turn > 0)


def synthetic_world(
    district: District, level: int = 3, number: int = 0, hour: int = 14, turns: int = 30
) -> World:
    """A storm of a level on a synthetic district."""
    water = synthetic_water(district, level, turns)
    return World(district, water, level, seed_of(number), hour, turns)


@st.composite
def districts(draw: st.DrawFn) -> District:
    return synthetic_district(
        draw(st.integers(6, 10)), draw(st.integers(5, 9)), draw(st.integers(0, 10_000))
    )


@st.composite
def worlds(draw: st.DrawFn, turns: int = 16) -> World:
    """A district, rough water that rises and falls hex by hex, any seed and hour."""
    district = draw(districts())
    n = district.sheet.n_hexes
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    peak = np.where(rng.random(n) < draw(st.sampled_from([0.1, 0.4])), rng.integers(0, 1_200, n), 0)
    when = rng.integers(2, turns, n)
    away = np.abs(np.arange(turns + 1)[:, None] - when[None, :])
    depth = (peak * np.clip(1 - away / 8, 0, 1)).astype(np.int32)
    depth[0] = 0
    level = draw(st.sampled_from(LEVELS))
    hour = draw(st.sampled_from(sorted(HOURS)))
    seed = seed_of(draw(st.integers(0, 2**64)))
    scenario = Scenario(
        weekend=draw(st.booleans()),
        half_staff=draw(st.booleans()),
        cards=draw(st.booleans()),
        credibility=draw(st.integers(0, 10)),
    )
    return World(district, depth, level, seed, hour, turns, scenario)


@st.composite
def orders_for(draw: st.DrawFn, world: World) -> dict[int, tuple[Order, ...]]:
    """Orders of a whole game, sensible or not."""
    cells = st.integers(0, world.district.sheet.n_hexes - 1)
    units = st.sampled_from(
        [f"{kind}-{i}" for kind in ("patrol", "pump", "boat") for i in range(1, 6)]
    )
    links = st.integers(0, world.district.sheet.n_edges - 1)
    quarters = st.integers(0, len(world.district.quarters) - 1)
    shelters = st.integers(0, len(world.district.shelters) - 1)
    options = st.sampled_from(Protection)
    game: dict[int, tuple[Order, ...]] = {
        0: (Forecast(turn=0, cells=tuple(draw(st.lists(cells, max_size=5)))),)
    }
    for turn in range(1, world.turns + 1):
        one = st.one_of(
            st.builds(Alert, turn=st.just(turn), centre=cells, radius=st.integers(0, 4)),
            st.builds(Move, turn=st.just(turn), unit=units, to=cells),
            st.builds(DoorToDoor, turn=st.just(turn), unit=units, cell=cells),
            st.builds(Withdraw, turn=st.just(turn), number=st.integers(1, 4)),
            st.builds(Pump, turn=st.just(turn), unit=units, link=links),
            st.builds(Footbridge, turn=st.just(turn), unit=units, link=links),
            st.builds(Clear, turn=st.just(turn), unit=units, link=links),
            st.builds(
                Reserve,
                turn=st.just(turn),
                unit=units,
                links=st.lists(links, max_size=3).map(tuple),
            ),
            st.builds(Protect, turn=st.just(turn), quarter=quarters, option=options),
            st.builds(CloseShelter, turn=st.just(turn), shelter=shelters),
            st.builds(OpenShelter, turn=st.just(turn), shelter=shelters),
            st.builds(Deliver, turn=st.just(turn), unit=units, cell=cells),
            st.builds(Answer, turn=st.just(turn), obey=st.booleans()),
        )
        game[turn] = tuple(draw(st.lists(one, max_size=5)))
    return game
