"""Finds the severity ladder of a district, and the storm that leaves a team its window (§7.6).

A ladder is sought on the scale of ``sim.severity_scale``: the share of people threatened grows
along it, so that four searches by bisection find the rungs whose shares come nearest to those
wanted. Then the storm's peak and length, the same at every level, are moved while that brings the
window nearer: what an alert saves at turn 6 and at turn 9, and a first sign by turn 6. Every
figure is that of the rules, on the water of the real ground.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from exercises.water_runs import kept_truths
from gis.store import read_district, read_ground
from sim.district import District, Ground, Severity
from sim.errors import ExerciseError
from sim.hyetograph import Hyetograph
from sim.refusal import refuse
from sim.rules import LEVELS, TURN_MIN, TURNS
from sim.severity_scale import DRAINS_FAILED, GROUND_SOAKED, LAST, severity_at
from sim.state import NEVER
from sim.window import Window, threatened_share, window_of
from sim.world import World

Tell = Callable[[str, float], None]

DEFAULT_SHARES = (0.03, 0.10, 0.20, 0.35)
"""Of those to shelter, threatened at levels 1, 2, 3 and 5 (§7.6)."""
SIGN_BY, SAVES_AT, TOO_LATE_AT = 6, 6, 9
"""Turns of the window: a first sign, an alert that saves, an alert that comes too late (§7.6)."""
LEAST_SAVED, MOST_SAVED = 0.75, 0.45
"""Shares that an alert shall save at the second and at the third of them (§7.6)."""
SHOWN_TURNS = (4, 6, 8, 9, 12)
"""Turns of an alert that the table shows."""
CLOSE_ENOUGH = 0.002
"""A search ends this near the share wanted."""
MOST_STEPS = 12
"""Rounds of a search; the scale has fewer than 2⁹ rungs."""
STEP_OUT = 8
"""Rungs by which a search leaves the rungs known."""
EDGE = 0.15
"""Share of a bracket, at both ends, that an interpolation leaves alone."""

LENGTHS_MIN = (300.0, 240.0, 180.0)
"""Lengths of the storm that are tried, the rule book's first."""
EARLIEST_PEAK, LATEST_PEAK = 6, 18
"""Turns in the middle of which the storm may peak."""
LATEST_SHARE = 0.75
"""The peak stands in the first three quarters of the storm."""
SHIFTS = range(-6, 7)
"""Turns by which a peak is moved at once."""
SAVED_WORTH = 5
"""What an alert at turn 6 saves comes first: the last useful moment must be one (§6.2)."""
SIGN_WORTH = 0.02
"""A turn by which the first sign is late weighs as two per cent of the threatened."""
LAST_ALERT = 15
"""Alerts are tried at every turn up to this one, to foresee what a moved peak would bring."""
_SEED = "0" * 32  # no die is thrown


@dataclass(frozen=True, slots=True)
class LevelFound:
    """What calibration made of one level."""

    severity: Severity
    wanted: float
    window: Window


@dataclass(frozen=True, slots=True)
class Calibration:
    """A ladder found, with all that it is to be judged by.

    Attributes
    ----------
    district : District
        The district under its new ladder and storm.
    hour : int
        Hour for which those to shelter were counted (§8.2).
    levels : tuple of LevelFound
        In the order of ``LEVELS``.
    most : float
        Share threatened by the severest rung of the scale, under the storm found.
    fall : float
        Largest fall of the share threatened from one rung looked at to a severer one; 0 where it
        only grows, as it should.
    storms : int
        Storms that the search looked at.
    """

    district: District
    hour: int
    levels: tuple[LevelFound, ...]
    most: float
    fall: float
    storms: int


def calibrate(
    pack: Path,
    shares: Sequence[float] = DEFAULT_SHARES,
    hour: int = 14,
    *,
    keep_storm: bool = False,
    tell: Tell | None = None,
) -> Calibration:
    """Find the ladder of a district pack; nothing is written but the water of the storms tried.

    Parameters
    ----------
    pack : Path
    shares : sequence of float
        Shares of those to shelter to be threatened at levels 1, 2, 3 and 5, growing.
    hour : int
        Hour of the initial situation for which they are counted (§8.2).
    keep_storm : bool
        Leave the storm's peak and length as the rule book has them (§7.1).
    tell : callable, optional
        Told the stage and its share done.

    Raises
    ------
    AverseError
        If the pack or a setting is at fault.
    """
    wanted = checked_shares(shares)
    tell = tell or (lambda stage, share: None)
    search = _Search(pack, read_district(pack), read_ground(pack), hour, tell)
    storm = replace(
        search.district.hyetograph,
        length_min=Hyetograph().length_min,
        peak_min=Hyetograph().peak_min,
    )
    anchors = (0, DRAINS_FAILED, GROUND_SOAKED, LAST)
    rungs = search.ladder(storm, wanted, anchors, "seeking the ladder")
    if not keep_storm:
        moved = search.moved(storm, rungs)
        if moved != storm:
            storm = moved
            rungs = search.ladder(storm, wanted, (*rungs, LAST), "seeking it under the storm found")
    return search.found(storm, wanted, rungs)


def checked_shares(shares: Sequence[float]) -> tuple[float, ...]:
    """Return the shares wanted, if they can be.

    Raises
    ------
    ExerciseError
        If they are not one for each level, above 0 and below 1, growing.
    """
    wanted = tuple(float(share) for share in shares)
    grows = all(a < b for a, b in pairwise((0.0, *wanted, 1.0)))
    if len(wanted) != len(LEVELS) or not grows:
        told = ", ".join(f"{100 * share:g}" for share in wanted)
        raise ExerciseError(
            refuse(
                "",
                "shares of {told} %: give {count} that grow, above 0 and below 100, one "
                "for each of the levels {levels} (§7.6)",
                told=str(told),
                count=str(len(LEVELS)),
                levels=", ".join(map(str, LEVELS)),
            )
        )
    return wanted


class _Search:
    """The storms looked at so far on one ground, by their form and their rung."""

    def __init__(
        self, pack: Path, district: District, ground: Ground, hour: int, tell: Tell
    ) -> None:
        self.district = district
        self._pack, self._ground, self._hour, self._tell = pack, ground, hour, tell
        self._worlds: dict[tuple[Hyetograph, int], World] = {}
        self._windows: dict[tuple[Hyetograph, int], Window] = {}

    # ---------------------------------------------------------------------- water
    def _look(
        self, storm: Hyetograph, rungs: Sequence[int], stage: str, done: float, then: float
    ) -> None:
        """Have the water of some rungs, told as a stage's progress from ``done`` to ``then``."""
        new = sorted({rung for rung in rungs if (storm, rung) not in self._worlds})
        district = replace(self.district, hyetograph=storm)
        truths = kept_truths(
            self._pack,
            district,
            self._ground,
            [severity_at(rung, LEVELS[0]) for rung in new],
            TURNS,
            lambda share: self._tell(stage, done + share * (then - done)),
        )
        for rung, truth in zip(new, truths, strict=True):
            self._worlds[storm, rung] = World(
                district, truth.depth_mm, LEVELS[0], _SEED, self._hour, TURNS
            )

    def _shares(self, storm: Hyetograph) -> dict[int, float]:
        """Share threatened at every rung known under a storm."""
        return {
            rung: threatened_share(world)
            for (form, rung), world in self._worlds.items()
            if form == storm
        }

    def _window(self, storm: Hyetograph, rung: int) -> Window:
        if (storm, rung) not in self._windows:
            turns = tuple(range(1, LAST_ALERT + 1))
            self._windows[storm, rung] = window_of(self._worlds[storm, rung], turns)
        return self._windows[storm, rung]

    # ---------------------------------------------------------------------- ladder
    def ladder(
        self, storm: Hyetograph, wanted: Sequence[float], anchors: Sequence[int], stage: str
    ) -> tuple[int, ...]:
        """Rungs whose shares come nearest to those wanted, found from some rungs to start with."""
        self._tell(stage, 0.0)
        self._look(storm, anchors, stage, 0.0, 0.5)
        done = 0.5
        for _ in range(MOST_STEPS):
            known = self._shares(storm)
            following = {next_rung(known, share) for share in wanted} - {None}
            if not following:
                break
            then = done + (1 - done) / 3
            self._look(storm, [rung for rung in following if rung is not None], stage, done, then)
            done = then
        self._tell(stage, 1.0)
        return nearest_rungs(self._shares(storm), wanted)

    # ---------------------------------------------------------------------- storm
    def moved(self, storm: Hyetograph, rungs: Sequence[int]) -> Hyetograph:
        """The form of the storm that brings the window of all levels nearest, of those tried."""
        stage = "moving the storm"
        self._tell(stage, 0.0)
        best, tried, most = storm, {storm}, 2 * len(LENGTHS_MIN)
        for length in LENGTHS_MIN:
            for _ in range(2):
                windows = [self._window(best, rung) for rung in rungs]
                if shortfall(windows) == 0:
                    return best
                form = moved_by(best, best_shift(windows), length)
                if form in tried:
                    break
                tried.add(form)
                done = (len(tried) - 2) / most
                self._look(form, rungs, stage, done, done + 1 / most)
                there = shortfall([self._window(form, rung) for rung in rungs])
                if there < shortfall(windows):
                    best = form
        self._tell(stage, 1.0)
        return best

    # ---------------------------------------------------------------------- result
    def found(
        self, storm: Hyetograph, wanted: Sequence[float], rungs: Sequence[int]
    ) -> Calibration:
        """Gather what was found."""
        shares = self._shares(storm)
        levels = tuple(
            LevelFound(severity_at(rung, level), share, self._window(storm, rung))
            for level, share, rung in zip(LEVELS, wanted, rungs, strict=True)
        )
        ladder = tuple(found.severity for found in levels)
        return Calibration(
            replace(self.district, ladder=ladder, hyetograph=storm),
            self._hour,
            levels,
            shares[LAST],
            largest_fall(shares),
            len(self._worlds),
        )


# --------------------------------------------------------------------------- search on the scale
def next_rung(known: Mapping[int, float], wanted: float) -> int | None:
    """The rung to look at next for a share, or None where the nearest is known.

    Between the last rung below the share and the first that reaches it, where a straight line
    between the two would meet it, but well inside; beyond the rungs known, some steps further.

    Examples
    --------
    >>> next_rung({0: 0.0, 100: 0.2}, 0.05), next_rung({0: 0.0, 1: 0.2}, 0.05)
    (25, None)
    """
    reaching = [rung for rung in known if known[rung] >= wanted]
    if any(abs(share - wanted) <= CLOSE_ENOUGH for share in known.values()):
        return None
    if not reaching:
        last = max(known)
        return None if last == LAST else min(LAST, last + STEP_OUT)
    above = min(reaching)
    short = [rung for rung in known if rung < above]
    if not short:
        return None if above == 0 else max(0, above - STEP_OUT)
    below = max(short)
    if above - below <= 1:
        return None
    place = (wanted - known[below]) / (known[above] - known[below])
    inside = below + round((above - below) * min(max(place, EDGE), 1 - EDGE))
    return min(max(inside, below + 1), above - 1)


def nearest_rungs(known: Mapping[int, float], wanted: Sequence[float]) -> tuple[int, ...]:
    """The rungs known whose shares come nearest to those wanted; never falling along the levels.

    Examples
    --------
    >>> nearest_rungs({0: 0.0, 50: 0.04, 100: 0.12}, (0.03, 0.10, 0.35))
    (50, 100, 100)
    """
    rungs: list[int] = []
    for share in wanted:
        open_rungs = [rung for rung in known if not rungs or rung >= rungs[-1]]
        rungs.append(min(open_rungs, key=lambda rung: (abs(known[rung] - share), rung)))
    return tuple(rungs)


def largest_fall(known: Mapping[int, float]) -> float:
    """Largest fall of the share from a rung to a severer one, 0 where it only grows.

    Examples
    --------
    >>> largest_fall({0: 0.1, 10: 0.3, 5: 0.2}), largest_fall({0: 0.3, 10: 0.1})
    (0.0, 0.2)
    """
    fall, highest = 0.0, 0.0
    for rung in sorted(known):
        highest = max(highest, known[rung])
        fall = max(fall, highest - known[rung])
    return round(fall, 9)


# --------------------------------------------------------------------------- window of the storm
def shortfall(windows: Sequence[Window], shift: int = 0) -> float:
    """How far the levels' windows are from the one wanted, 0 where they keep it (§7.6).

    Parameters
    ----------
    windows : sequence of Window
        Of every level, alerts tried at turns 1 to ``LAST_ALERT``.
    shift : int
        Turns by which the storm is taken to come later than it did.
    """
    total = 0.0
    for window in windows:
        early, late = (_saved(window, turn - shift) for turn in (SAVES_AT, TOO_LATE_AT))
        if early is None or late is None:
            continue
        sign = window.first_sign + shift if window.first_sign != NEVER else TURNS
        total += SAVED_WORTH * max(0.0, LEAST_SAVED - early) + max(0.0, late - MOST_SAVED)
        total += SIGN_WORTH * max(0, sign - SIGN_BY)
    return round(total, 9)


def _saved(window: Window, turn: int) -> float | None:
    share = window.saved[min(max(turn, 1), LAST_ALERT)]
    return None if share is None else float(share)


def best_shift(windows: Sequence[Window]) -> int:
    """Turns by which moving the peak promises most, the least move among equals."""
    return min(SHIFTS, key=lambda shift: (shortfall(windows, shift), abs(shift), shift))


def moved_by(storm: Hyetograph, turns: int, length_min: float) -> Hyetograph:
    """A storm of some length whose peak is moved by some turns, as far as it may be."""
    latest = min((LATEST_PEAK - 0.5) * TURN_MIN, LATEST_SHARE * length_min)
    earliest = (EARLIEST_PEAK - 0.5) * TURN_MIN
    peak = min(max(storm.peak_min + turns * TURN_MIN, earliest), latest)
    return replace(storm, length_min=length_min, peak_min=peak)
