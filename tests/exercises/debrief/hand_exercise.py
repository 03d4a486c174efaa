"""An exercise on the pack made by hand, played by a file of orders into a real journal."""

import json
from dataclasses import replace
from pathlib import Path

from exercises.chain import ExerciseOptions, open_exercise, play_exercise
from exercises.family import Envelope
from exercises.live import LiveExercise
from sim.orders import Alert, Move
from tests.gis import hand_pack
from tests.strategies import seed_of

TURNS = 12
ORDERS = (
    {"turn": 0, "order": "forecast", "cells": ["0403", "0404", "0405"], "confidence": "likely"},
    {"turn": 0, "order": "forecast", "cells": ["0305", "0605"], "confidence": "sure"},
    {"turn": 1, "order": "alert", "centre": "0304", "radius": 1, "reason": "the low bank first"},
    {"turn": 2, "order": "alert", "centre": "0704", "radius": 1, "option": "up"},
    {"turn": 2, "order": "move", "unit": "patrol-1", "to": "0405"},
    {"turn": 3, "order": "protect", "quarter": "Sud-Ouest", "option": "out"},
    {"turn": 4, "order": "alert", "centre": "0304", "radius": 2},
    {"turn": 5, "order": "close_shelter", "shelter": "Gymnase"},
    # refused: nobody is left to alert there
    {"turn": 8, "order": "alert", "centre": "0304", "radius": 0},
)


FLOOD = """
[[level]]
water = "La Bièvre"
minutes = [20, 100]
rise_m = [0.0, 2.4]
"""
"""The river rises over both banks, so that links are cut and people threatened."""


def write_pack(folder: Path, **changes: object) -> Path:
    """The pack made by hand, laid on the ground; ``changes`` are its district's."""
    placed = hand_pack.lattice()
    return hand_pack.write_hand_pack(
        folder,
        replace(hand_pack.district(), **changes),
        crs="EPSG:32631",
        first_hex_m=[placed.x0, placed.y0],
    )


def play(pack: Path, folder: Path, orders=ORDERS, seed: int = 5, **options: object) -> Path:
    """Play an exercise of 12 turns, the river over its banks, and return its folder."""
    given = folder.parent / f"{folder.name}.jsonl"
    folder.parent.mkdir(parents=True, exist_ok=True)
    given.write_text("".join(json.dumps(order) + "\n" for order in orders), encoding="utf-8")
    weather = folder.parent / f"{folder.name}.toml"
    weather.write_text(FLOOD, encoding="utf-8")
    asked = {"seed": seed_of(seed), "level": 5, "turns": TURNS, "orders": given, **options}
    play_exercise(pack, folder, ExerciseOptions(weather=weather, **asked))
    return folder


def begun(pack, folder, turns, **options):
    """An exercise that stands open at a turn, two alerts ordered in each."""
    asked = ExerciseOptions(seed=seed_of(5), level=5, turns=TURNS, **options)
    opened = open_exercise(pack, folder, asked)
    with LiveExercise(opened.journal) as live:
        for turn in range(turns):
            if turn:
                order = Alert(turn=turn, centre=hand_pack.SHEET.index_of("0304"), radius=1)
                live.give(Envelope("team", "", turn, order, "because"))
            live.advance(turn + 1)
        wait = Move(turn=turns, unit="patrol-1", to=hand_pack.SHEET.index_of("0405"))
        live.give(Envelope("team", "", turns, wait))
    return folder
