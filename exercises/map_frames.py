"""A played exercise as a map shows it: the arrays of every turn, and the score."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from exercises.moment_words import bulletin_text, clock
from exercises.score_rows import score_rows
from exercises.session import PlayedExercise
from exercises.voice import voice
from gis.frames import Frames, Shut, UnitAt
from gis.webmap_story import Choice, Story
from gis.webmap_words import words
from sim.arrays import Numbers
from sim.legality import brushed
from sim.obstacles import links_with
from sim.orders import Alert
from sim.persons import persons
from sim.rules import UnitKind
from sim.seat_view import Pawn
from sim.state import NEVER, NOWHERE, State, Unit
from sim.unit import kind_of
from sim.world import World


def frames_of(played: PlayedExercise, lang: str) -> Frames:
    """Return the frames of a map: entry t is the moment of turn t's orders, the last one the end.

    At that moment the water of the turn stands, the channels have spoken, and what earlier orders
    did is seen (§18).
    """
    frames = frames_at(played.world, played.moments, range(played.turns + 1), lang)
    return replace(frames, ordered=_ordered(played))


def frames_at(world: World, states: Sequence[State], turns: Sequence[int], lang: str) -> Frames:
    """Return the frames of some moments of a world, each the state that stood at its turn."""
    district = world.district
    n_hex = district.sheet.n_hexes
    known_turn = np.array([s.known_turn for s in states])
    forecast = np.zeros(n_hex, dtype=bool)
    forecast[list(states[-1].forecast)] = True
    return Frames(
        true_depth_mm=world.depth_mm[list(turns)],
        known_depth_mm=np.array([s.known_mm for s in states], dtype=np.int32),
        known_age=np.array(turns)[:, None] - known_turn,
        alerted=np.array([s.alerted for s in states]) != NEVER,
        evacuating=np.array([_percent(s.progress, s.target) for s in states]),
        sheltered=np.array([_sheltered(s, world.situation.to_shelter) for s in states]),
        to_shelter=world.situation.to_shelter,
        forecast=forecast,
        units=tuple(tuple(unit_at(u) for u in s.units) for s in states),
        shelter_filled=persons([s.places_taken for s in states]).astype(np.int32),
        bulletins=tuple(bulletin_text(s.bulletin, district.is_literal, lang) for s in states),
        clock=tuple(clock(world.hour, turn, lang) for turn in turns),
        night=np.array([world.night(max(turn, 1)) for turn in turns]),
        true_links=tuple(links_with(district, s.obstacles, s.units, s.turn) for s in states),
        known_links=tuple(links_with(district, s.known_obstacles, s.units, s.turn) for s in states),
        shelter_shut=np.array(
            [_shut(s, world.shelter_dry[t]) for t, s in zip(turns, states, strict=True)]
        ),
    )


def _ordered(played: PlayedExercise) -> np.ndarray:
    """(turns + 1, n_hex) hexes that an alert of each turn is ordered for, not alerted yet."""
    district = played.world.district
    ordered = np.zeros((played.turns + 1, district.sheet.n_hexes), dtype=bool)
    for turn, orders in played.orders.items():
        if turn > played.turns:
            continue
        for order in orders:
            if isinstance(order, Alert):
                ordered[turn, list(brushed(district, order.centre, order.radius))] = True
        ordered[turn] &= np.array(played.moments[turn].alerted) == NEVER
    return ordered


def score_story(played: PlayedExercise, lang: str) -> Story:
    """Return what the map of an exercise tells beside its turns: the score at the end (§12)."""
    nothing = np.zeros(played.world.district.sheet.n_hexes, dtype=np.int8)
    rows = tuple(
        (name[:1].upper() + name[1:], (figure,))
        for name, figure in score_rows(played.score, voice(lang))
    )
    return Story(words(lang)["exercise_title"], "", (Choice("", nothing, rows),))


def _shut(state: State, dry: np.ndarray) -> np.ndarray:
    """(n_shelter,) ``Shut``: why a shelter takes nobody in."""
    crush = np.array(state.crush)
    why = np.where((crush != NEVER) & (state.turn <= crush), Shut.CRUSH, Shut.OPEN)
    why[np.array(state.closed, dtype=bool)] = Shut.CLOSED
    why[~dry] = Shut.WET
    return why


def _percent(part: Numbers, whole: Numbers) -> np.ndarray:
    of = np.array(whole)
    return np.where(of > 0, 100 * np.array(part) // np.maximum(of, 1), 0).clip(0, 100)


def _sheltered(state: State, to_shelter: np.ndarray) -> np.ndarray:
    arrived = persons(np.array(state.in_time) + np.array(state.late))
    return np.where(to_shelter > 0, 100 * arrived // np.maximum(to_shelter, 1), 0).clip(0, 100)


def unit_at(unit: Unit | Pawn) -> UnitAt:
    """Return a unit as a map shows it (§16)."""
    on_its_way = "blocked" if unit.blocked else "moving"
    status = "in_place" if unit.to == NOWHERE else on_its_way
    number = unit.name.rsplit("-", 1)[-1]
    return UnitAt(_PAWNS[kind_of(unit.name)] + number, unit.cell, status, unit.to)


_PAWNS = {UnitKind.PATROL: "", UnitKind.PUMP: "P", UnitKind.BOAT: "B"}
"""What stands before a unit's number on its pawn: pump trucks P1, boats B1 (§5)."""
