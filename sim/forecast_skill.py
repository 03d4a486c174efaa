"""How good a forecast was: cell by cell, by ring of neighbours, by confidence (§12.4).

Every figure is exact. None stands for a share of nothing, shown as "–", never 0 or 1 (§12.2).
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from sim.district import BoolArray
from sim.hexes import Sheet, disks
from sim.shares import Share, share
from sim.state import State
from sim.world import World

RINGS = (0, 1, 2, 3)
"""Radii of the neighbourhoods in which a forecast is judged, hexes: the brush's, and the hex."""
PERCENT = 100

WholeArray = npt.NDArray[np.integer]
RealArray = npt.NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """What came of the hexes painted with one confidence.

    Attributes
    ----------
    confidence_percent : int
        What the team gave for them (95, 70 or 40).
    painted, hit : int
        Hexes, and those of them that were cut: hit / painted is to be the confidence.

    """

    confidence_percent: int
    painted: int
    hit: int

    @property
    def observed(self) -> Fraction:
        """Share of the painted hexes that were cut."""
        return Fraction(self.hit, self.painted)


@dataclass(frozen=True, slots=True)
class ForecastSkill:
    """The forecast against the truth, over the active hexes (§12.4).

    Attributes
    ----------
    hits, misses, false_alarms : int
        Hexes cut and painted, cut and not painted, painted and not cut.
    recall, precision, csi : Fraction or None
        hits / cut, hits / painted, hits / (hits + misses + false alarms).
    by_ring : tuple of (int, Fraction or None)
        Radius in hexes and fractions skill score, from the hex itself (0) to the widest brush.
    brier : Fraction or None
        Over the hexes painted with a confidence: 0 is best, 1/4 is what tossing a coin gets.
    reliability : tuple of ReliabilityBin
        By ascending confidence; empty where none was given.

    """

    hits: int
    misses: int
    false_alarms: int
    recall: Share
    precision: Share
    csi: Share
    by_ring: tuple[tuple[int, Share], ...]
    brier: Share
    reliability: tuple[ReliabilityBin, ...]


def skill_of(world: World, state: State) -> ForecastSkill:
    """Judge the forecast of an exercise by its truth: hexes with a link cut on foot (§9.6, 12.4).

    Parameters
    ----------
    world : World
    state : State
        Any from turn 1 on: the forecast is frozen by then.

    """
    district = world.district
    truth, counted = world.cut_on_foot, district.active
    cells = np.array(state.forecast, dtype=np.int64)
    painted = np.zeros(district.sheet.n_hexes, dtype=bool)
    painted[cells] = True
    hits, misses, false_alarms = contingency(painted, truth, counted)
    percent = np.array(state.confidence, dtype=np.int64)
    given = percent > 0
    sure, came = percent[given], truth[cells[given]]
    return ForecastSkill(
        hits=hits,
        misses=misses,
        false_alarms=false_alarms,
        recall=share(hits, hits + misses),
        precision=share(hits, hits + false_alarms),
        csi=share(hits, hits + misses + false_alarms),
        by_ring=tuple(
            (radius, fractions_skill_score(district.sheet, painted, truth, counted, radius))
            for radius in RINGS
        ),
        brier=brier_score(sure, came),
        reliability=reliability(sure, came),
    )


def contingency(
    forecast: BoolArray, truth: BoolArray, counted: BoolArray | None = None
) -> tuple[int, int, int]:
    """Hits, misses and false alarms among the cells that count.

    Examples
    --------
    >>> contingency(np.array([1, 1, 0, 0], bool), np.array([1, 0, 1, 0], bool))
    (1, 1, 1)

    """
    on = np.ones_like(truth) if counted is None else counted
    return (
        int((forecast & truth & on).sum()),
        int((~forecast & truth & on).sum()),
        int((forecast & ~truth & on).sum()),
    )


def fractions_skill_score(
    sheet: Sheet,
    forecast: BoolArray | RealArray,
    truth: BoolArray,
    counted: BoolArray,
    radius: int,
) -> Share:
    """Skill of a forecast whose near misses count by how near they are (§12.4).

    Around every hex that counts, the share of painted hexes within ``radius`` is set against the
    share of cut ones: 1 - Σ(painted - cut)² / (Σ painted² + Σ cut²), after Roberts & Lean (2008),
    "Scale-selective verification of rainfall accumulations from high-resolution forecasts of
    convective events", Monthly Weather Review 136, 78-97. There a window is a square; here it is
    a disk of hexes, and a hex that does not count (inactive, off the sheet) is in no disk.

    Parameters
    ----------
    sheet : Sheet
    forecast : (n_hex,) bool, or float from 0 to 1
        Painted; or the chance given, which is read to the whole per cent.
    truth, counted : (n_hex,) bool
    radius : int
        Hexes; 0 compares hex by hex.

    Returns
    -------
    Fraction or None
        From 0 (nothing near) to 1 (perfect); None where nothing was painted and nothing cut.

    Examples
    --------
    A hex painted beside the one that was cut is worth nothing by itself, and more among its
    neighbours:

    >>> row, yes = Sheet(1, 4), np.ones(4, bool)
    >>> painted, cut = np.array([0, 1, 0, 0], bool), np.array([0, 0, 1, 0], bool)
    >>> [str(fractions_skill_score(row, painted, cut, yes, radius)) for radius in (0, 1, 2)]
    ['0', '8/17', '1']

    """
    return skill_of_windows(forecast, truth, counted, disks(sheet, radius)[counted])


def skill_of_windows(
    forecast: BoolArray | RealArray, truth: BoolArray, counted: BoolArray, windows: WholeArray
) -> Share:
    """Fractions skill score over any windows (``fractions_skill_score``).

    Parameters
    ----------
    forecast, truth, counted : (n,)
    windows : (n_window, size) int
        Cells of every window; n stands for none.

    """
    percent = _padded(np.where(counted, np.rint(np.asarray(forecast) * PERCENT), 0))
    truth_percent = _padded(np.where(counted, truth, False) * PERCENT)
    size = _padded(counted)[windows].sum(axis=1)
    foreseen, came = percent[windows].sum(axis=1), truth_percent[windows].sum(axis=1)
    # shares of windows alike in size add up in whole numbers
    apart = together = Fraction(0)
    for cells in np.unique(size[size > 0]).tolist():
        f, t = foreseen[size == cells], came[size == cells]
        apart += Fraction(int(((f - t) ** 2).sum()), cells**2)
        together += Fraction(int((f**2).sum() + (t**2).sum()), cells**2)
    return 1 - apart / together if together else None


def _padded(values: npt.NDArray[np.generic]) -> npt.NDArray[np.int64]:
    """(n + 1,) whole numbers, 0 after the last."""
    return np.append(values.astype(np.int64), 0)


def brier_score(confidence_percent: WholeArray, truth: BoolArray) -> Share:
    """Mean square of what separates a confidence from what came (0 or 1); None for no hex.

    Brier (1950), "Verification of forecasts expressed in terms of probability", Monthly Weather
    Review 78, 1-3, in its usual form for an event that comes or not.

    Parameters
    ----------
    confidence_percent : (n,) int
        0 to 100.
    truth : (n,) bool

    Examples
    --------
    >>> brier_score(np.array([95, 40]), np.array([True, False]))
    Fraction(13, 160)

    """
    apart = np.asarray(confidence_percent, dtype=np.int64) - PERCENT * truth.astype(np.int64)
    return share(int((apart**2).sum()), PERCENT**2 * len(apart))


def reliability(confidence_percent: WholeArray, truth: BoolArray) -> tuple[ReliabilityBin, ...]:
    """Of the hexes given each confidence, how many were cut: ascending, empty bins left out.

    Examples
    --------
    >>> reliability(np.array([95, 40, 95]), np.array([True, False, False]))[1]
    ReliabilityBin(confidence_percent=95, painted=2, hit=1)

    """
    values, which = np.unique(confidence_percent, return_inverse=True)
    painted = np.bincount(which, minlength=len(values)).tolist()
    hit = np.bincount(which, weights=truth, minlength=len(values)).astype(int).tolist()
    return tuple(map(ReliabilityBin, values.tolist(), painted, hit))
