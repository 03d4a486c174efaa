"""From a district pack to a played exercise on disk: water, play, exports, map."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exercises.comparison import Comparison, compare
from exercises.exports import EVENTS, ORDERS, SCORES_CSV, SCORES_JSON, write_exports
from exercises.map_frames import frames_of
from exercises.orders_file import read_orders
from exercises.players import PLAYERS
from exercises.session import PlayedExercise, play
from exercises.water_runs import kept_truth
from exercises.weather_entry import weather_entry
from gis.aside import FolderKind, written_aside
from gis.store import (
    MAP,
    read_district,
    read_ground,
    write_truth,
)
from gis.webmap import write_map
from sim.dice import checked_seed, new_seed
from sim.district import District, Ground
from sim.rules import LEVELS, RULES_VERSION, TURNS
from sim.severity_words import LANGUAGES, ladder_words
from sim.state import state_hash
from sim.water import Truth
from sim.weather import Weather
from sim.world import World, secret_level

Tell = Callable[[str, float], None]

EXERCISE = "exercise.json"
TRUTH = "truth"
PLAYED = FolderKind(
    "a played exercise",
    EXERCISE,
    "state_sha256",
    (EXERCISE, MAP, f"{TRUTH}.npz", SCORES_JSON, SCORES_CSV, EVENTS, ORDERS),
)


@dataclass(frozen=True, slots=True)
class ExerciseOptions:
    """What a user asks of an exercise; None is drawn."""

    orders: Path | None = None
    weather: Path | None = None
    player: str = "baseline"
    seed: str | None = None
    level: int | None = None
    hour: int = 14
    turns: int = TURNS
    lang: str = "en"


def play_exercise(
    pack: Path, out: Path, options: ExerciseOptions, tell: Tell | None = None
) -> PlayedExercise:
    """Play a whole exercise on a district pack and write it to a folder.

    Raises
    ------
    AverseError
        If the pack, the orders, the weather or a setting is at fault; nothing is written then.
    """
    tell = tell or (lambda stage, share: None)
    seed = checked_seed(options.seed) if options.seed else new_seed()
    district = read_district(pack)
    given = (
        read_orders(options.orders, district, options.turns)
        if options.orders is not None
        else PLAYERS[options.player](district)
    )
    level = options.level or secret_level(seed)
    ground = read_ground(pack)
    weather = _weather_of(options.weather, pack, district, ground)
    inputs = [path for path in (pack, options.orders, options.weather) if path is not None]
    with written_aside(out, PLAYED, inputs) as folder:
        truth = truth_of(pack, district, ground, level, options.turns, tell, weather)
        world = World(district, truth.depth_mm, level, seed, options.hour, options.turns)
        tell("playing", 0.0)
        played = play(world, given)
        tell("playing", 1.0)
        write_exports(folder, played)
        write_truth(folder, TRUTH, truth)
        said = weather_entry(pack, district, ground, level, options.weather, weather)
        _write_summary(folder, played, truth, said)
        frames = frames_of(played, options.lang)
        write_map(pack, folder / MAP, frames, lang=options.lang, progress=tell)
    return played


def _weather_of(
    path: Path | None, pack: Path, district: District, ground: Ground
) -> Weather | None:
    if path is None:
        return None
    # who gives no weather need not load what checks it
    from exercises.weather_file import read_weather

    return read_weather(path, pack, district, ground)


def truth_of(
    pack: Path,
    district: District,
    ground: Ground,
    level: int,
    turns: int,
    tell: Tell,
    weather: Weather | None = None,
) -> Truth:
    """Return the water of a level: kept in the pack, or computed and kept (§7.5)."""
    return kept_truth(pack, district, ground, district.severity(level), turns, tell, weather)


def _write_summary(
    folder: Path, played: PlayedExercise, truth: Truth, weather: dict[str, Any]
) -> None:
    world = played.world
    severity = world.district.severity(world.level)
    summary = {
        "rules_version": RULES_VERSION,
        "district": world.district.name,
        "district_sha256": world.district.digest,
        "seed": world.seed,
        "hour": world.hour,
        "turns": world.turns,
        "level": world.level,
        "storm": {
            "stands_for": {
                lang: ladder_words(world.district, lang)[world.level] for lang in LANGUAGES
            },
            "rain_years": severity.rain_years,
            "network_efficiency": severity.network_efficiency,
            "soaked": severity.soaked,
        },
        **weather,
        "water": {
            "rain_m3": round(truth.rain_m3),
            "in_m3": round(truth.in_m3),
            "stored_m3": round(truth.stored_m3),
            "out_m3": round(truth.out_m3),
            "balance_error": truth.balance_error,
        },
        "state_sha256": [state_hash(state) for state in played.states],
    }
    text = json.dumps(summary, indent=1, ensure_ascii=False) + "\n"
    (folder / EXERCISE).write_text(text, encoding="utf-8")


def compare_players(
    pack: Path, seeds: int, hour: int, turns: int, tell: Tell | None = None
) -> Comparison:
    """Play every baseline player on every level and seed of a district pack."""
    tell = tell or (lambda stage, share: None)
    district, ground = read_district(pack), read_ground(pack)
    water = {}
    for level in LEVELS:

        def told(_stage: str, share: float, level: int = level) -> None:
            tell(f"water of level {level}", share)

        water[level] = truth_of(pack, district, ground, level, turns, told).depth_mm
    return compare(district, water, seeds, hour, tell)
