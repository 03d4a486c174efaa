"""Every figure of a debrief, found once: all that the pack's files print is read from here (§17).

People are summed from ``PersonsByHex``; the score's own terms must agree with it, or nothing is
written.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from exercises.debrief.cards import CardPlayed, cards_of
from exercises.debrief.crew import ALONE, Crew
from exercises.debrief.decisions import REFUSED, Decision, decisions_of
from exercises.debrief.material import Material, Team
from exercises.debrief.people import PeopleSums, PersonsByHex, Term, persons_by_hex
from exercises.regret import alternatives
from exercises.session import PlayedExercise
from sim.errors import DebriefError
from sim.events import OrderRefused
from sim.forecast_skill import ForecastSkill, skill_of
from sim.orders import Order
from sim.persons import persons
from sim.protection import was_threatened
from sim.refusal import refuse
from sim.rules import (
    CAPITAL_REFUSED,
    CAPITAL_REFUSED_RIGHTLY,
    CAPITAL_START,
    POINTS_CAPITAL,
)
from sim.score import Score
from sim.shares import Share, share
from sim.state import State
from sim.world import World

Tell = Callable[[str, float], None]
REGRETTING = "what else might have been done"
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Fork:
    """An injunction of the prefecture, and both ways that it could go (§13.2).

    Attributes
    ----------
    turn, quarter : int
    obeyed : bool or None
        None where the exercise ended before the answer.
    threatened : bool
        Whether some hex of the quarter was threatened, in truth.
    people : PeopleSums
        What became of the quarter's people by the end.
    points_obeyed, points_refused : int
        What each answer does to the score by political capital alone; by obeying, places may be
        used for nothing, or people saved.

    """

    turn: int
    quarter: int
    obeyed: bool | None
    threatened: bool
    people: PeopleSums
    points_obeyed: int
    points_refused: int


@dataclass(frozen=True, slots=True)
class OtherWay:
    """What came of an exercise as it might have been played (§12.5): its states are not kept.

    Attributes
    ----------
    key : str
        One of ``exercises.regret.ALTERNATIVES``.
    score : Score
        At the end.
    dropped : tuple of Order
        Orders of the team that the earlier turn's budget did not hold.
    refused : tuple of OrderRefused
        Orders that could not be given, each with why.

    """

    key: str
    score: Score
    dropped: tuple[Order, ...]
    refused: tuple[OrderRefused, ...]


@dataclass(frozen=True, eq=False)
class TeamFigures:
    """The figures of one team.

    Moments are those of a map: entry t of an array stands before turn t's orders (0 is the
    forecast phase), the last one is the end; there are ``team.played.turns`` + 1.

    Attributes
    ----------
    team : Team
    people : PersonsByHex
        The one source of every count of people.
    score : Score
        Of §12, at the end.
    skill : ForecastSkill
        The forecast against the truth (§12.4).
    decisions : tuple of Decision
        Every order handed in, in that order.
    bulletin : tuple of tuple of int
        (turns + 1,) levels that the bulletin leaves open at each moment; () before the first.
    shelters_taken : (turns + 1, n_shelter) int
        Places taken at each moment, hundredths; ``shelters_filled`` and ``places_taken`` are the
        figures printed of it.
    capital : (turns + 1,) int
        Political capital at each moment (§12.3).
    forks : tuple of Fork
        The prefecture's injunctions, as they came.
    cards : tuple of CardPlayed
        Cards drawn and injects played, as they came.
    alternatives : tuple of OtherWay
        What the team might have done instead, on the same storm and dice (§12.5).

    """

    team: Team
    people: PersonsByHex
    score: Score
    skill: ForecastSkill
    decisions: tuple[Decision, ...]
    bulletin: tuple[tuple[int, ...], ...]
    shelters_taken: IntArray
    capital: IntArray
    forks: tuple[Fork, ...]
    cards: tuple[CardPlayed, ...]
    alternatives: tuple[OtherWay, ...]

    @property
    def shelters_filled(self) -> IntArray:
        """(turns + 1, n_shelter) places taken of each shelter at each moment."""
        return persons(self.shelters_taken)

    @property
    def places_taken(self) -> IntArray:
        """(turns + 1,) places taken of all shelters at each moment."""
        return persons(np.asarray(self.shelters_taken.sum(axis=1)))

    @property
    def orders(self) -> tuple[Decision, ...]:
        """Orders given, refused and withdrawn ones too: neither forecast nor withdrawal."""
        return tuple(one for one in self.decisions if one.is_order)

    @property
    def orders_stood(self) -> tuple[Decision, ...]:
        """Those of the orders given that were carried out."""
        return tuple(one for one in self.orders if one.stood)

    @property
    def orders_refused(self) -> tuple[Decision, ...]:
        """Those of the orders given that a rule refused."""
        return tuple(one for one in self.orders if one.verdict == REFUSED)

    @property
    def sums(self) -> PeopleSums:
        """People of the whole sheet."""
        return self.people.sums

    @property
    def terms(self) -> tuple[Term, ...]:
        """The three comparisons and the victims, in the printed order (§12.1)."""
        return self.sums.terms

    @property
    def points_capital(self) -> int:
        """Points of political capital (§12.3)."""
        return POINTS_CAPITAL * (self.score.capital - CAPITAL_START)

    @property
    def points(self) -> int:
        """Points in all: the terms and the capital."""
        return sum(term.points for term in self.terms) + self.points_capital

    @property
    def recall(self) -> Share:
        """Saved of the threatened, or None (§12.2)."""
        return share(self.sums.saved, self.sums.threatened)

    @property
    def precision(self) -> Share:
        """Places used for the threatened of the places used, or None (§12.2)."""
        return share(self.sums.places_well_used, self.sums.places_used)


@dataclass(frozen=True, eq=False)
class ClassFigures:
    """The figures of a class: its teams', in their order.

    Attributes
    ----------
    teams : tuple of TeamFigures
    differences : tuple of str
        What is not the same for every team (``Material.differences``).

    """

    teams: tuple[TeamFigures, ...]
    differences: tuple[str, ...]

    @cached_property
    def is_class(self) -> bool:
        """Whether there is more than one team to compare."""
        return len(self.teams) > 1


def class_figures(
    material: Material, tell: Tell = lambda stage, share: None, crew: Crew = ALONE
) -> ClassFigures:
    """Return the figures of every team, worked out by a crew.

    Raises
    ------
    DebriefError
        If the people do not add up to the score: two parts of this program disagree.
    """
    found = crew.each(figures_of, material.teams, partial(tell, REGRETTING))
    # a process gives back copies: the teams are those of the material
    own = zip(found, material.teams, strict=True)
    teams = tuple(replace(figures, team=team) for figures, team in own)
    return ClassFigures(teams, material.differences)


def figures_of(team: Team) -> TeamFigures:
    """Return the figures of one team."""
    played = team.played
    people = persons_by_hex(team.world, played.states[-1])
    figures = TeamFigures(
        team=team,
        people=people,
        score=played.score,
        skill=skill_of(team.world, played.states[-1]),
        decisions=decisions_of(team.replayed, played, people),
        bulletin=tuple(state.bulletin for state in played.moments),
        shelters_taken=_taken(played),
        capital=np.array([state.capital for state in played.moments], dtype=np.int64),
        forks=_forks(team.world, played.states[-1], people),
        cards=cards_of(played),
        alternatives=tuple(
            OtherWay(one.key, one.score, one.dropped, one.refused)
            for one in alternatives(team.world, played.orders, turns=played.turns)
        ),
    )
    _require_one_source(figures)
    return figures


def _taken(played: PlayedExercise) -> IntArray:
    taken = [state.places_taken for state in played.moments]
    return np.array(taken, dtype=np.int64).reshape(played.turns + 1, -1)


def _forks(world: World, end: State, people: PersonsByHex) -> tuple[Fork, ...]:
    forks = []
    for one in end.injunctions:
        threatened = was_threatened(world, one)
        refused = CAPITAL_REFUSED + (0 if threatened else CAPITAL_REFUSED_RIGHTLY)
        mine = world.district.active & (world.district.quarter == one.quarter)
        forks.append(
            Fork(
                turn=one.turn,
                quarter=one.quarter,
                obeyed=one.obeyed,
                threatened=threatened,
                people=people.sums_of(mine),
                points_obeyed=0,
                points_refused=POINTS_CAPITAL * refused,
            )
        )
    return tuple(forks)


def _require_one_source(figures: TeamFigures) -> None:
    """Raise where the people of the hexes do not add up to the score's own figures."""
    score, sums = figures.score, figures.sums
    pairs = {
        "threatened": (sums.people_threatened, score.threatened),
        "saved": (sums.people_saved, score.saved),
        "late": (sums.people_late, score.late),
        "left": (sums.people_left, score.left),
        "misused": (sums.people_misused, score.misused),
        "places used": (sums.places, score.places_used),
        "victims": (sums.victims, score.victims),
        "recall": (figures.recall, score.recall),
        "precision": (figures.precision, score.precision),
        "points": (figures.points, score.points),
    }
    for name, (summed, scored) in pairs.items():
        if summed != scored:
            raise DebriefError(
                refuse(
                    "",
                    "{name}: {name_2} is {summed} by the hexes and {scored} by the score "
                    "(§12): no pack was written; tell whoever maintains averse",
                    name=figures.team.name,
                    name_2=str(name),
                    summed=str(summed),
                    scored=str(scored),
                )
            )


__all__ = [
    "ClassFigures",
    "Fork",
    "TeamFigures",
    "class_figures",
    "figures_of",
]
