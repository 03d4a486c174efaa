"""Fit the baseline player's outlook to whole towns: ``python benchmarks/fit_outlook.py PACK…``.

The packs are calibrated ones (``averse calibrate``): the storms are those of their own ladders,
and of the levels read literally. What is foreseen from is what players know (``sim.public``).
Prints the weights for ``exercises/outlook.py``, and how well each town's cuts are foretold from the
other towns alone (log loss per hex and storm, beside that of the plain share). The storms are kept
in the packs.
"""

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from exercises.chain import truth_of
from exercises.outlook import (
    Floats,
    Look,
    Outlook,
    effective_rain,
    ground_features,
    in_time_features,
    in_time_seen_features,
    probability,
    seen_features,
)
from gis.store import read_district, read_ground
from sim.district import literal_ladder
from sim.hyetograph import Hyetograph
from sim.public import public_district
from sim.rules import LEVELS, TURNS
from sim.world import NEVER, World

LOOKS = range(4, 27)
"""Turns at which a hex may be looked at."""
NEEDS = (4.5, 6.5, 8.5, 11.5, 15.0)
"""Turns from the order to the arrival, near and far, by day and by night."""


@dataclass(frozen=True)
class Sample:
    """Active hexes of one town under one storm."""

    ground: Floats
    outlook: Outlook
    first_cut: np.ndarray
    depth_mm: np.ndarray


def samples(pack: Path) -> list[Sample]:
    """Storms of a pack's own ladder and of the literal one; water not kept yet is computed."""
    built, ground = read_district(pack), read_ground(pack)
    literal = replace(built, ladder=literal_ladder(LEVELS), hyetograph=Hyetograph())
    found = []
    for district in (literal, built):
        active, known = district.active, public_district(district)
        for level in LEVELS:
            truth = truth_of(pack, district, ground, level, TURNS, lambda *_: None)
            world = World(district, truth.depth_mm, level, "0" * 32, 14, TURNS)
            rain_mm = effective_rain(known, level, TURNS)
            found.append(
                Sample(
                    ground_features(known, rain_mm[-1])[active],
                    Outlook(np.zeros(0), rain_mm[:, active], known.sink_mm[active] * 1.0),
                    world.first_cut[active],
                    truth.depth_mm[:, active].astype(float),
                )
            )
    return found


def fitted(features: Floats, happened: np.ndarray, ridge: float = 1.0) -> Floats:
    """Logistic regression by Newton's method, with a light ridge on all but the constant."""
    weights = np.zeros(features.shape[1])
    penalty = ridge * (np.arange(len(weights)) > 0)
    for _ in range(25):
        chance = probability(features @ weights)
        slope = features.T @ (happened - chance) - penalty * weights
        curve = (features * (chance * (1 - chance))[:, None]).T @ features
        weights = weights + np.linalg.solve(curve + np.diag(penalty + 1e-9), slope)
    return weights


def looks(ground: Floats, of: list[Sample]):
    """Rows of hexes open still at a look: features, and whether they are cut later, or in time."""
    seen, later, in_time, in_time_seen, timely = [], [], [], [], []
    for sample in of:
        ahead = replace(sample.outlook, logit=sample.ground @ ground)
        for turn in range(1, LOOKS.stop):
            rise = sample.depth_mm[turn] - sample.depth_mm[turn - 1]
            look = Look(turn, sample.depth_mm[turn], rise)
            if turn in LOOKS:
                open_still = (sample.first_cut == NEVER) | (sample.first_cut > turn)
                seen.append(seen_features(ahead, look)[open_still])
                later.append(sample.first_cut[open_still] > turn)
            cut = sample.first_cut > turn
            for need in NEEDS:
                needed = np.full(len(cut), need)
                in_time.append(in_time_features(ahead, turn, needed)[cut])
                in_time_seen.append(in_time_seen_features(ahead, look, needed)[cut])
                timely.append(sample.first_cut[cut] > turn + need)
    return seen, later, in_time, in_time_seen, timely


def fit_all(of: list[Sample]) -> dict[str, Floats]:
    """Fit the four regressions to some towns' storms."""
    ground = fitted(
        np.vstack([sample.ground for sample in of]),
        np.concatenate([sample.first_cut != NEVER for sample in of]).astype(float),
    )
    seen, later, in_time, in_time_seen, timely = looks(ground, of)
    return {
        "ground": ground,
        "seen": fitted(np.vstack(seen), np.concatenate(later).astype(float)),
        "in_time": fitted(np.vstack(in_time), np.concatenate(timely).astype(float)),
        "in_time_seen": fitted(np.vstack(in_time_seen), np.concatenate(timely).astype(float)),
    }


def log_loss(chance: Floats, happened: np.ndarray) -> float:
    """Mean surprise, nats."""
    chance = np.clip(chance, 1e-4, 1 - 1e-4)
    return float(-np.mean(np.where(happened, np.log(chance), np.log(1 - chance))))


def main() -> None:
    """Fit, cross-check, print."""
    towns = {Path(arg).name: samples(Path(arg)) for arg in sys.argv[1:]}
    for name, own in towns.items():
        others = [sample for other, of in towns.items() if other != name for sample in of]
        if not others:
            break
        weights = fit_all(others)
        happened = np.concatenate([sample.first_cut != NEVER for sample in own])
        foretold = probability(np.vstack([sample.ground for sample in own]) @ weights["ground"])
        share = np.full(len(happened), happened.mean())
        print(
            f"{name}: log loss {log_loss(foretold, happened):.3f} from the other towns, "
            f"{log_loss(share, happened):.3f} from its share"
        )
    every = [sample for of in towns.values() for sample in of]
    for name, weights in fit_all(every).items():
        print(f"    {name}=np.array([{', '.join(f'{weight:.2f}' for weight in weights)}]),")


if __name__ == "__main__":
    main()
