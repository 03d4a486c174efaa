"""What a careful team can foresee from the public ground alone: which hexes will be cut, and when.

The printed sheet gives the relief (low points, mean ground) and the fabric, the rules their drains
and the rain. What a level stands for is the instructor's to know (§7.6): a team knows its name, and
reckons with ``sim.public.public_district``. Four logistic regressions turn them into
the chance of a hex to be cut from every shelter, and of its people to arrive before that.
``benchmarks/fit_outlook.py`` fits them to the storms of whole towns and says how well each town is
foretold from the others alone.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sim.district import District
from sim.rain import effective_rain_mm, runoff_and_network
from sim.rules import STORM_PEAK_TURN, TURN_MIN, WATERS, Water
from sim.storm import storm_of

Floats = npt.NDArray[np.float64]

LEAST_RAIN_MM = 0.3
"""Effective rain of a turn below which a rise says nothing about the rain to come."""


class Weights(NamedTuple):
    """Weights of the four regressions, each over the features of the function named like it."""

    ground: Floats
    seen: Floats
    in_time: Floats
    in_time_seen: Floats


WEIGHTS = Weights(
    ground=np.array([-6.28, -0.03, 3.11, -0.03, -1.69, 0.26, -3.41]),
    seen=np.array([-2.17, 0.77, 0.68, 0.81, -1.25, -0.56, 0.02]),
    in_time=np.array([1.70, -0.25, -1.78, -0.40]),
    in_time_seen=np.array([3.49, -0.16, -1.06, -0.42, -0.14, -0.95]),
)
"""Fitted to the reference town, Porto Alegre and Andorra la Vella, literal and calibrated."""


class Look(NamedTuple):
    """What is seen of every hex at a turn, (n_hex,) each: its depth, and its rise in a turn."""

    turn: int
    depth_mm: Floats
    rise_mm: Floats


@dataclass(frozen=True)
class Outlook:
    """Public estimate of one level's storm on a district.

    Attributes
    ----------
    logit : (n_hex,) float
        Log odds of every hex to be cut, from the ground and the level's rain alone.
    rain_mm : (turns + 1, n_hex) float
        Effective rain fallen at the end of every turn.
    sink_mm : (n_hex,) float
        Depth of the hex's low point.

    """

    logit: Floats
    rain_mm: Floats
    sink_mm: Floats

    def chance(self) -> Floats:
        """(n_hex,) chance to be cut at some moment, for a hex that nobody has seen lately."""
        return probability(self.logit)

    def chance_seen(self, look: Look) -> Floats:
        """(n_hex,) chance to be cut later, for a hex seen open."""
        return probability(seen_features(self, look) @ WEIGHTS.seen)

    def in_time(self, turn: int, need: Floats) -> Floats:
        """(n_hex,) chance that a cut that comes leaves the turns needed from now on."""
        return probability(in_time_features(self, turn, need) @ WEIGHTS.in_time)

    def in_time_seen(self, look: Look, need: Floats) -> Floats:
        """(n_hex,) the same for a hex seen open."""
        return probability(in_time_seen_features(self, look, need) @ WEIGHTS.in_time_seen)


def outlook(district: District, level: int, turns: int) -> Outlook:
    """Estimate a level's storm on a public district, from what its sheet says (§7.1–7.2, 7.6)."""
    return weighed(district, level, turns, WEIGHTS.ground)


def weighed(district: District, level: int, turns: int, ground: Floats) -> Outlook:
    """Estimate a level's storm under given weights of the ground."""
    rain_mm = effective_rain(district, level, turns)
    logit: Floats = ground_features(district, rain_mm[-1]) @ ground
    return Outlook(logit, rain_mm, district.sink_mm.astype(float))


def ground_features(district: District, rain_mm: Floats) -> Floats:
    """(n_hex, 7) features of the ground under the effective rain of a whole storm (n_hex,).

    Low points hold water, as far as rain reaches them; where nothing lies lower it stays; flat
    ground beside a low point drowns with it.
    """
    sink_mm = district.sink_mm.astype(float)
    around = district.sheet.neighbours
    beyond = np.append(district.elevation_mm.astype(float), np.nan)
    drop_mm = beyond[around] - district.elevation_mm[:, None]
    sink, rain = np.log1p(sink_mm / 100), np.log1p(rain_mm / 10)
    slope = np.log1p(np.nanmean(np.abs(drop_mm), axis=1) / 100)
    filled_mm = np.minimum(sink_mm, 6 * rain_from_above(district, rain_mm))
    return np.column_stack(
        (
            np.ones_like(rain),
            sink * rain,
            rain,
            np.log1p(filled_mm / 50),
            sink_mm == 0,
            slope * sink,
            (drop_mm < 0).mean(axis=1),
        )
    )


def effective_rain(district: District, level: int, turns: int) -> Floats:
    """(turns + 1, n_hex) rain that the drains do not take, by the end of every turn (§7.2)."""
    severity = district.severity(level)
    runoff, network = runoff_and_network(district, severity)
    kinds, kind = np.unique(np.column_stack((runoff, network)), axis=0, return_inverse=True)
    storm = storm_of(district.region, severity)
    fallen = effective_rain_mm(storm, kinds[:, 0], kinds[:, 1], turns * TURN_MIN * 60.0)
    by_turn = np.linspace(0, len(fallen) - 1, turns + 1).round().astype(int)
    rain: Floats = fallen[by_turn][:, kind.reshape(-1)]
    return rain


def rain_from_above(district: District, rain_mm: Floats) -> Floats:
    """(n_hex,) effective rain that reaches a hex, its own and that of the hexes above it.

    Every hex sheds on its lowest neighbour where that lies lower: millimetres on one hex.
    """
    elevation = district.elevation_mm
    around = district.sheet.neighbours
    beyond = np.append(elevation, np.iinfo(np.int32).max)
    lowest = around[np.arange(len(elevation)), np.argmin(beyond[around], axis=1)]
    reached = rain_mm.astype(float)
    for cell in np.argsort(-elevation, kind="stable").tolist():
        below = lowest[cell]
        if below >= 0 and elevation[below] < elevation[cell]:
            reached[below] += reached[cell]
    return reached


def seen_features(ahead: Outlook, look: Look) -> Floats:
    """(n_hex, 7) features of hexes seen open, for the chance to be cut later.

    The last is the depth to come if the hex goes on rising with the rain.
    """
    rain = ahead.rain_mm
    left, now = rain[-1] - rain[look.turn], rain[look.turn] - rain[max(0, look.turn - 1)]
    rise = np.maximum(look.rise_mm, 0)
    coming = look.depth_mm + rise * left / np.maximum(now, LEAST_RAIN_MM)
    return np.column_stack(
        (
            np.ones_like(rise),
            ahead.logit,
            _depth(look),
            _rise(look),
            np.full_like(rise, _late(look.turn)),
            ahead.sink_mm < WATERS[Water.BLOCKING].from_mm,
            np.log1p(coming / 50),
        )
    )


def in_time_features(ahead: Outlook, turn: int, need: Floats) -> Floats:
    """(n_hex, 4) features of hexes unseen at a turn, for the chance to have the turns needed."""
    late = np.full_like(ahead.logit, _late(turn))
    return np.column_stack((np.ones_like(late), ahead.logit, late, need))


def in_time_seen_features(ahead: Outlook, look: Look, need: Floats) -> Floats:
    """(n_hex, 6) features of hexes seen open, for the chance to have the turns needed."""
    unseen = in_time_features(ahead, look.turn, need)
    return np.column_stack((unseen, _depth(look), _rise(look)))


def probability(logit: Floats) -> Floats:
    """Probability of log odds."""
    chance: Floats = 1 / (1 + np.exp(-np.clip(logit, -30, 30)))
    return chance


def _late(turn: int) -> float:
    return (turn - STORM_PEAK_TURN) / 6


def _depth(look: Look) -> Floats:
    return np.log1p(look.depth_mm / 20)


def _rise(look: Look) -> Floats:
    return np.log1p(np.maximum(look.rise_mm, 0) / 5)
