"""From a district pack to a played exercise on disk: water, play, exports, map."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from exercises.comparison import Comparison, compare
from exercises.debrief.names import TEAM, team_name
from exercises.exercise_folder import (
    PACK_HINT,
    TRUTH,
    begin_exercise,
    finish_exercise,
    refuse_to_replace,
    resumable,
    summary_of,
    way_to_pack,
)
from exercises.exports import write_exports
from exercises.journal import JOURNAL, read_journal
from exercises.journaled_play import play_on
from exercises.live import LiveExercise
from exercises.map_frames import frames_of, score_story
from exercises.orders_file import OrdersByTurn, read_orders
from exercises.players import PLAYERS
from exercises.scenario_options import ScenarioOptions, scenario_entry, scenario_for
from exercises.session import PlayedExercise, Player
from exercises.water_runs import kept_truth, kept_truths
from exercises.weather_entry import WEATHER_ENTRIES, district_under, weather_entry
from gis.store import (
    MAP,
    read_district,
    read_ground,
    read_truth,
)
from sim.dice import checked_seed, new_seed
from sim.district import District, Ground
from sim.errors import ExerciseError
from sim.refusal import refuse
from sim.rules import LEVELS, RULES_VERSION, TURNS
from sim.severity_words import LANGUAGES, ladder_words
from sim.state import state_hash
from sim.water import Truth
from sim.weather import Weather
from sim.world import World, secret_level

Tell = Callable[[str, float], None]

DEFAULT_PLAYER = "baseline"
ORDERS_FILE = "a file of orders"
TERMINAL = "terminal"
ROOM = "room"
"""Stand for a player in a journal: a file, somebody at the keyboard, the teams of a room."""
BY_HAND = frozenset({TERMINAL, ROOM})


@dataclass(frozen=True, slots=True)
class ExerciseOptions:
    """What a user asks of an exercise; None is drawn.

    An exercise already in the folder is kept; ``resume`` goes on with one that is not finished,
    by the settings that it was begun with, and ``replace`` begins anew (the demo's).
    """

    orders: Path | None = None
    weather: Path | None = None
    scenario: ScenarioOptions = field(default_factory=ScenarioOptions)
    player: str | None = None
    seed: str | None = None
    level: int | None = None
    hour: int = 14
    turns: int = TURNS
    lang: str = "en"
    team: str | None = None
    resume: bool = False
    replace: bool = False


@dataclass(frozen=True, slots=True)
class OpenExercise:
    """An exercise that stands in its folder, begun and not finished.

    Attributes
    ----------
    pack, out : Path
        Of the district, and of the exercise.
    district : District
    options : ExerciseOptions
        As asked, the player and the language those of the exercise.

    """

    pack: Path
    out: Path
    district: District
    options: ExerciseOptions

    @property
    def journal(self) -> Path:
        """Where its journal is."""
        return self.out / JOURNAL


def open_exercise(
    pack: Path, out: Path, options: ExerciseOptions, tell: Tell | None = None
) -> OpenExercise:
    """Begin an exercise on a district pack, or find the one to go on with.

    Raises
    ------
    AverseError
        If the pack, the orders, the weather or a setting is at fault: nothing is written then.
    """
    district = read_district(pack)
    if options.resume:
        meta = resumable(out, district).meta
        player = options.player or meta.get("player", DEFAULT_PLAYER)
        settled = replace(options, player=player, lang=meta.get("lang", options.lang))
    else:
        settled = replace(options, player=options.player or DEFAULT_PLAYER)
        _begin(pack, district, out, settled, tell or (lambda stage, share: None))
    return OpenExercise(pack, out, district, settled)


def play_exercise(
    pack: Path, out: Path, options: ExerciseOptions, tell: Tell | None = None
) -> PlayedExercise:
    """Play a whole exercise on a district pack, into a folder and the journal in it.

    Raises
    ------
    AverseError
        If the pack, the orders, the weather or a setting is at fault: nothing is written then. If
        the journal can no longer be written: what was played is kept, and can be resumed.
    """
    tell = tell or (lambda stage, share: None)
    opened = open_exercise(pack, out, options, tell)
    return play_opened(opened, tell)


def play_opened(opened: OpenExercise, tell: Tell | None = None) -> PlayedExercise:
    """Play an open exercise to its end by its player or its orders, and finish its folder."""
    tell = tell or (lambda stage, share: None)
    asked = opened.options
    with LiveExercise(opened.journal) as live:
        turns = live.start.world.turns
        district = live.start.world.district
        given = _who_orders(district, asked, asked.player or DEFAULT_PLAYER, turns)
        tell("playing", 0.0)
        played = play_on(live, given)
        tell("playing", 1.0)
    finish_opened(opened, played, tell)
    return played


def finish_opened(opened: OpenExercise, played: PlayedExercise, tell: Tell | None = None) -> None:
    """Write the exports and the map of an exercise that was played to its end."""
    # who plays by hand, and a room, need not load what draws a map before the end
    from gis.webmap import write_map

    tell = tell or (lambda stage, share: None)
    pack, out, lang = opened.pack, opened.out, opened.options.lang
    record = read_journal(opened.journal)
    end = {"entries": len(record.entries), "sha256": record.last_sha256}
    truth = _water_of(pack, opened.district, out, played.world, opened.options.weather, tell)
    begun = summary_of(out)
    kept = {name: begun[name] for name in (*WEATHER_ENTRIES, PACK_HINT) if name in begun}

    def write(folder: Path) -> None:
        write_exports(folder, played)
        write_map(
            pack,
            folder / MAP,
            frames_of(played, lang),
            lang=lang,
            story=score_story(played, lang),
            progress=tell,
        )

    finish_exercise(out, write, {**_summary(played, truth, kept), "journal": end})


def _who_orders(
    district: District, options: ExerciseOptions, player: str, turns: int
) -> Player | OrdersByTurn:
    if options.orders is not None:
        return read_orders(options.orders, district, turns, options.lang)
    if player == ORDERS_FILE:
        raise ExerciseError(
            refuse("", "the exercise was begun with a file of orders: give it by --orders")
        )
    if player == ROOM:
        raise ExerciseError(
            refuse(
                "",
                "the exercise is a team's of a room: go on with it by `averse serve` and "
                "the room's folder, or at the keyboard by --terminal",
            )
        )
    return PLAYERS[player](district)


def _begin(pack: Path, district: District, out: Path, options: ExerciseOptions, tell: Tell) -> None:
    if not options.replace:
        refuse_to_replace(out)
    player = ORDERS_FILE if options.orders else options.player or DEFAULT_PLAYER
    if player not in BY_HAND:
        _who_orders(district, options, player, options.turns)  # a faulty file is told first
    world, truth, told = world_asked(pack, district, options, tell)
    said = {**told, **way_to_pack(out, pack)}
    given = (pack, options.orders, options.weather, options.scenario.injects_file)
    inputs = [path for path in given if path is not None]
    about = {"player": player, "lang": options.lang}
    if options.team is not None:
        about[TEAM] = team_name(options.team)
    begin_exercise(out, world, truth, about, said, inputs)


def world_asked(
    pack: Path, district: District, options: ExerciseOptions, tell: Tell
) -> tuple[World, Truth, dict[str, Any]]:
    """Return the hidden world of an exercise as it would be begun; nothing is begun.

    Returns
    -------
    world : World
    truth : Truth
        Its water, kept in the pack from now on (§7.5).
    said : dict
        What the folder of the exercise says of its weather and of its scenario.

    Raises
    ------
    AverseError
        If the weather or a setting is at fault.
    """
    seed = new_seed() if options.seed is None else checked_seed(options.seed)
    scenario = scenario_for(district, options.turns, options.scenario)
    level = options.level or secret_level(seed)
    ground = read_ground(pack)
    weather = _weather_of(options.weather, pack, district, ground)
    truth = truth_of(pack, district, ground, level, options.turns, tell, weather)
    played_on = district_under(district, weather)
    world = World(played_on, truth.depth_mm, level, seed, options.hour, options.turns, scenario)
    return world, truth, {
        **weather_entry(pack, district, ground, level, options.weather, weather),
        "scenario": scenario_entry(district, scenario, over=False),
    }  # fmt: skip


def _water_of(
    pack: Path, district: District, out: Path, world: World, weather: Path | None, tell: Tell
) -> Truth:
    """Return the water that an exercise was begun with: kept beside its journal, or found again."""
    truth = read_truth(out, TRUTH)
    if truth is None:
        ground = read_ground(pack)
        fallen = _weather_of(weather, pack, district, ground)
        truth = truth_of(pack, district, ground, world.level, world.turns, tell, fallen)
    if not np.array_equal(truth.depth_mm, world.depth_mm):
        raise ExerciseError(
            refuse(
                "",
                "{out}.npz is not the water that the journal was played on: take it from a "
                "copy, or give the --weather file that the exercise was begun with",
                out=str(out / TRUTH),
            )
        )
    return truth


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


def _summary(played: PlayedExercise, truth: Truth, kept: dict[str, Any]) -> dict[str, object]:
    """Return what ``exercise.json`` says of a finished exercise."""
    world = played.world
    severity = world.district.severity(world.level)
    return {
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
        "scenario": scenario_entry(world.district, world.scenario, over=True),
        **kept,
        "water": {
            "rain_m3": round(truth.rain_m3),
            "in_m3": round(truth.in_m3),
            "stored_m3": round(truth.stored_m3),
            "out_m3": round(truth.out_m3),
            "balance_error": truth.balance_error,
        },
        "state_sha256": [state_hash(state) for state in played.states],
    }


def compare_players(
    pack: Path, seeds: int, hour: int, turns: int, tell: Tell | None = None
) -> Comparison:
    """Play every baseline player on every level and seed of a district pack.

    On a plain scenario: no card is drawn, so that the table tells the storm and the players apart.
    """
    tell = tell or (lambda stage, share: None)
    district, ground = read_district(pack), read_ground(pack)
    severities = [district.severity(level) for level in LEVELS]

    def told(share: float) -> None:
        tell("water of every level", share)

    truths = kept_truths(pack, district, ground, severities, turns, told)
    water = {level: truth.depth_mm for level, truth in zip(LEVELS, truths, strict=True)}
    return compare(district, water, seeds, hour, tell)
