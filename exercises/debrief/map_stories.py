"""What each map of a debrief tells: classes of hexes, figures and words, from the team's figures.

Nothing is counted here that ``figures`` already holds; what a map shows turn by turn is read from
the states that were played. ``team`` is the team's name where the class has several.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from exercises.debrief.figures import TeamFigures
from exercises.debrief.map_words import words
from exercises.exports import UNDEFINED
from exercises.voice import voice
from gis.frames import UNKNOWN_MM, Frames
from gis.shown import links_in_play
from gis.webmap import cuts
from gis.webmap_story import Choice, Fact, Look, Story
from gis.wording import filled, spaced
from sim.arrays import whole
from sim.persons import persons
from sim.rules import WATERS, Water
from sim.shares import Share
from sim.state import HUNDREDTHS, NEVER

Ints = npt.NDArray[np.integer[Any]]
Bools = npt.NDArray[np.bool_]
Row = tuple[str, tuple[str, ...]]

PLAIN = {"fabric": False, "roads": False, "quarters": True, "forecast": False, "states": False}
"""Layers of a map whose classes are the matter: the town is seen through its background."""


class Tongue:
    """Texts and numbers of the maps in one language."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._voice = voice(lang)
        self._words = words(lang)

    def __call__(self, key: str, **values: Any) -> str:
        """Return a text, filled in."""
        return filled(spaced(self._words[key], self.lang), self.lang, **values)

    def plain(self, key: str) -> str:
        """Return a text whose ``{n}`` the page fills in."""
        return spaced(self._words[key], self.lang)

    def share(self, share: Share, digits: int = 1) -> str:
        """Return a share in percent; a share of nothing is "–" (§12.2)."""
        return UNDEFINED if share is None else self._voice.percent(float(share), digits)

    def score(self, value: Share) -> str:
        """Return a score between 0 and 1."""
        return UNDEFINED if value is None else self._voice.number(float(value), 3)

    def number(self, value: float) -> str:
        """Return a whole number."""
        return self._voice.number(value)

    def count(self, key: str, value: int) -> str:
        """Return a number of hexes, people, places or links."""
        return self(key, n=int(value))

    def counts(self, key: str, values: Iterable[int]) -> tuple[str, ...]:
        """Return one such number for every moment."""
        return tuple(self.count(key, int(value)) for value in values)


# --------------------------------------------------------------------------- forecast and truth
def forecast_story(figures: TeamFigures, lang: str, team: str = "") -> Story:
    """Return the map of hits, misses and false alarms (§12.4)."""
    say, skill, world = Tongue(lang), figures.skill, figures.team.world
    state = figures.team.played.states[-1]
    painted = np.zeros(world.district.sheet.n_hexes, dtype=bool)
    painted[list(state.forecast)] = True
    truth = world.cut_on_foot
    counted = painted & world.district.active
    classes = np.select([counted & truth, truth, counted], [1, 2, 3], 0)
    confidence = np.zeros(len(painted), dtype=np.int64)
    confidence[list(state.forecast)] = state.confidence or 0
    rows: list[Row] = [
        (say("hits"), (say.count("hexes", skill.hits),)),
        (say("misses"), (say.count("hexes", skill.misses),)),
        (say("false_alarms"), (say.count("hexes", skill.false_alarms),)),
        (say("recall"), (say.share(skill.recall),)),
        (say("precision"), (say.share(skill.precision),)),
        (say("csi"), (say.score(skill.csi),)),
        *((_ring(say, radius), (say.score(score),)) for radius, score in skill.by_ring),
    ]
    if skill.reliability:
        rows.append((say("brier"), (say.score(skill.brier),)))
    return Story(
        heading=_heading(say, "forecast", team),
        lead=say("forecast_lead"),
        title=say("forecast_classes"),
        legend=(
            (Look.HIT, say("hit")),
            (Look.MISS, say("miss")),
            (Look.FALSE_ALARM, say("false_alarm")),
        ),
        choices=(
            Choice(
                "",
                classes,
                tuple(rows),
                facts=(
                    _people(say, "people_there", figures.people.to_shelter),
                    Fact(say("first_cut_link"), _first_cut(figures), say.plain("at_turn")),
                    Fact(say("confidence"), confidence, say.plain("percent_sure")),
                ),
            ),
        ),
        layers={k: v for k, v in PLAIN.items() if k not in {"forecast", "states"}},
    )


def _ring(say: Tongue, radius: int) -> str:
    return say("fss_here") if radius == 0 else say("fss_ring", n=radius)


def _first_cut(figures: TeamFigures) -> Ints:
    """(n_hex,) first turn with a link of the hex cut to pedestrians, in the storm; else 0."""
    world = figures.team.world
    edges = world.district.sheet.edges
    first = np.zeros(world.district.sheet.n_hexes, dtype=np.int64)
    for turn in range(world.turns, 0, -1):
        closed = ~world.foot_open[turn] & world.district.foot
        first[edges[closed].ravel()] = turn
    return np.where(world.district.active, first, 0)


# --------------------------------------------------------------------------- believed and true
def known_story(figures: TeamFigures, frames: Frames, lang: str, team: str = "") -> Story:
    """Return the two maps of what was believed and what was true, turn by turn."""
    say, active = Tongue(lang), figures.team.world.district.active
    from_mm = WATERS[Water.SLOWED].from_mm
    true = (np.asarray(frames.true_depth_mm) >= from_mm) & active
    known = (np.asarray(frames.known_depth_mm) >= from_mm) & active
    unseen = (np.asarray(frames.known_depth_mm) == UNKNOWN_MM) & active
    unknown, believed = true & ~known, known & ~true
    cut_true, cut_known = cuts_of(figures, frames)
    rows: list[Row] = [
        (say("wet_true"), say.counts("hexes", true.sum(axis=1))),
        (say("wet_known"), say.counts("hexes", known.sum(axis=1))),
        (say("unknown_water"), say.counts("hexes", unknown.sum(axis=1))),
        (say("believed_water"), say.counts("hexes", believed.sum(axis=1))),
        (say("cut_true"), say.counts("links", (cut_true > 0).sum(axis=1))),
        (say("cut_known"), say.counts("links", (cut_known > 0).sum(axis=1))),
    ]
    if unseen.any():
        rows.append((say("unseen"), say.counts("hexes", unseen.sum(axis=1))))
    return Story(
        heading=_heading(say, "known", team),
        lead=say("known_lead"),
        title=say("gaps"),
        legend=((Look.MISS, say("unknown_water")), (Look.FALSE_ALARM, say("believed_water"))),
        choices=(Choice("", np.select([unknown, believed], [1, 2], 0), tuple(rows)),),
        layers={"fabric": False, "forecast": False, "classes": False},
        pair=(say("believed"), say("true")),
        start=int(np.argmax(unknown.sum(axis=1))),
    )


def cuts_of(figures: TeamFigures, frames: Frames) -> tuple[Ints, Ints]:
    """Return how links in play are cut, in truth and as known: 0, 1 on foot, 2 to all."""
    district = figures.team.world.district
    shown = links_in_play(district)
    known = np.asarray(frames.known_depth_mm)
    return (
        cuts(district, np.asarray(frames.true_depth_mm), frames.true_links) * shown,
        # where nothing is known, the team counts on a dry link (§6.3)
        cuts(district, np.where(known == UNKNOWN_MM, 0, known), frames.known_links) * shown,
    )


# --------------------------------------------------------------------------- cut links
def cuts_story(figures: TeamFigures, frames: Frames, lang: str, team: str = "") -> Story:
    """Return the map of cut links, and of hexes that they cut off from every shelter (§12.2)."""
    say, people = Tongue(lang), figures.people
    cut, _ = cuts_of(figures, frames)
    off = _by_turn(people.cut_turn, frames.turns) & (people.to_shelter > 0)
    waiting = _of_states(figures, lambda state: whole(state.waiting))
    there = [persons(row[mask].sum()) for row, mask in zip(waiting, off, strict=True)]
    rows: tuple[Row, ...] = (
        (say("cut_foot"), say.counts("links", (cut == 1).sum(axis=1))),
        (say("cut_all"), say.counts("links", (cut == 2).sum(axis=1))),
        (say("hexes_cut_off"), say.counts("hexes", off.sum(axis=1))),
        (say("people_cut_off"), say.counts("people", there)),
    )
    facts = (
        _people(say, "threatened", people.threatened),
        Fact(say("cut_off_at"), people.cut_turn, say.plain("at_turn")),
    )
    return Story(
        heading=_heading(say, "cuts", team),
        lead=say("cuts_lead"),
        title=say("cuts_classes"),
        legend=((Look.CUT_OFF, say("no_way")),),
        choices=(Choice("", off.astype(np.int64), rows, facts=facts),),
        layers={**PLAIN, "roads": True, "quarters": False, "units": False, "water": False},
        water="true",
        start=int(np.argmax((cut > 0).sum(axis=1))),
    )


# --------------------------------------------------------------------------- evacuation
def evacuation_story(figures: TeamFigures, frames: Frames, lang: str, team: str = "") -> Story:
    """Return the map of who was alerted, on the way and sheltered, and how full shelters were."""
    say, people, turns = Tongue(lang), figures.people, frames.turns
    threatened = people.storm_cut_turn != NEVER
    someone = people.to_shelter > 0
    in_time = _of_states(figures, lambda state: whole(state.in_time))
    late = _of_states(figures, lambda state: whole(state.late))
    waiting = _of_states(figures, lambda state: whole(state.waiting))
    lost = _of_states(figures, lambda state: whole(state.lost) + whole(state.followers_lost))
    done = _by_turn(people.arrived_turn, turns) & someone
    walking = (np.asarray(frames.evacuating) > 0) & ~done & someone
    alerted = np.asarray(frames.alerted, dtype=bool) & someone
    classes = np.select(
        [
            lost >= HUNDREDTHS,
            done & ~threatened,
            done & (late > in_time),
            done,
            _by_turn(people.cut_turn, turns) & someone,
            walking,
            alerted,
        ],
        [7, 5, 4, 3, 6, 2, 1],
        0,
    )
    rows: tuple[Row, ...] = (
        (say("alerted_hexes"), say.counts("hexes", np.asarray(frames.alerted).sum(axis=1))),
        (say("on_the_way"), say.counts("people", _persons(waiting, walking))),
        (say("saved"), say.counts("people", _persons(in_time, threatened))),
        (say("late"), say.counts("people", _late(in_time, late, threatened))),
        (say("places_taken"), say.counts("places", figures.places_taken)),
        (say("victims"), say.counts("people", _persons(_victims(figures), True))),
    )
    facts = (
        _people(say, "people_there", people.to_shelter),
        Fact(say("alerted_at"), people.alerted_turn, say.plain("at_turn")),
        Fact(say("arrived_at"), people.arrived_turn, say.plain("at_turn")),
        Fact(say("cut_off_at"), people.cut_turn, say.plain("at_turn")),
    )
    return Story(
        heading=_heading(say, "evacuation", team),
        lead=say("evacuation_lead"),
        title=say("evacuation_classes"),
        legend=(
            (Look.ALERTED, say("alerted")),
            (Look.WALKING, say("walking")),
            (Look.SHELTERED, say("sheltered")),
            (Look.LATE, say("sheltered_late")),
            (Look.WASTED, say("wasted")),
            (Look.CUT_OFF, say("cut_off")),
            (Look.LOST, say("lost")),
        ),
        choices=(Choice("", classes, rows, facts=facts),),
        layers={**PLAIN, "units": False, "water": False},
        water="true",
        start=turns,
        fillings=True,
    )


def _victims(figures: TeamFigures) -> Ints:
    """(turns + 1, n_hex) victims so far, hundredths."""
    return _of_states(
        figures,
        lambda s: whole(s.lost) + whole(s.followers_lost) + whole(s.upstairs_lost),
    )


# --------------------------------------------------------------------------- two teams
def teams_story(teams: tuple[TeamFigures, ...], lang: str) -> Story:
    """Return the map that compares teams two by two: who sheltered whom in time, and where."""
    say = Tongue(lang)
    pairs = [(a, b) for at, a in enumerate(teams) for b in teams[at + 1 :]]
    return Story(
        heading=say("teams"),
        lead=say("teams_lead"),
        title=say("teams_classes"),
        legend=(
            (Look.BOTH, say("both")),
            (Look.FIRST, ""),
            (Look.SECOND, ""),
            (Look.NEITHER, say("neither")),
            (Look.WASTED, say("either_wasted")),
        ),
        choices=tuple(_comparison(say, a, b) for a, b in pairs),
        chosen_by=say("teams_choice"),
        layers={k: v for k, v in PLAIN.items() if k not in {"forecast", "states"}},
    )


def _comparison(say: Tongue, a: TeamFigures, b: TeamFigures) -> Choice:
    threatened = a.people.threatened > 0
    done = [2 * team.people.saved >= np.maximum(team.people.threatened, 1) for team in (a, b)]
    wasted = (a.people.misused >= HUNDREDTHS) | (b.people.misused >= HUNDREDTHS)
    classes = np.select(
        [
            threatened & done[0] & done[1],
            threatened & done[0],
            threatened & done[1],
            threatened,
            wasted,
        ],
        [1, 2, 3, 4, 5],
        0,
    )
    rows: list[Row] = [(say("points"), (say.number(a.points), say.number(b.points)))]
    rows += [
        (say(one.key), (say.number(one.people), say.number(other.people)))
        for one, other in zip(a.terms, b.terms, strict=True)
    ]
    rows.append((say("recall"), (say.share(a.recall), say.share(b.recall))))
    rows.append((say("precision"), (say.share(a.precision), say.share(b.precision))))
    facts = [_people(say, "threatened", a.people.threatened)]
    for side, team in (("A", a), ("B", b)):
        for key, counted in (
            ("fact_saved", team.people.saved),
            ("fact_late", team.people.late),
            ("fact_lost", team.people.lost),
        ):
            facts.append(
                Fact(
                    say("of_team", side=side, what=say(key)),
                    persons(counted),
                    say.plain("n_people"),
                )
            )
    only = say("only_a", a=a.team.name), say("only_b", b=b.team.name)
    return Choice(
        say("two_teams", a=a.team.name, b=b.team.name),
        classes,
        tuple(rows),
        ("A", "B"),
        tuple(facts),
        ("", *only, "", ""),
    )


# --------------------------------------------------------------------------- shared
def _heading(say: Tongue, key: str, team: str) -> str:
    return say("team", heading=say(key), team=team) if team else say(key)


def _people(say: Tongue, key: str, hundredths: Ints) -> Fact:
    return Fact(say(key), persons(hundredths), say.plain("n_people"))


def _by_turn(first_turn: Ints, turns: int) -> Bools:
    """(turns + 1, n_hex) whether what first happened in a turn has happened by each moment."""
    at = np.arange(turns + 1)[:, None]
    happened: Bools = (first_turn != NEVER) & (first_turn <= at)
    return happened


def _of_states(figures: TeamFigures, counted: Callable[[Any], Ints]) -> Ints:
    """(turns + 1, n_hex) what a state holds, at every moment."""
    return np.array([counted(state) for state in figures.team.played.moments])


def _persons(hundredths: Ints, where: Bools | bool) -> list[int]:
    return [persons(total) for total in np.where(where, hundredths, 0).sum(axis=1).tolist()]


def _late(in_time: Ints, late: Ints, where: Bools) -> list[int]:
    """Those who came too late, as the score rounds them: beside those who came in time (§12.1)."""
    both = zip(_persons(in_time + late, where), _persons(in_time, where), strict=True)
    return [all_came - came for all_came, came in both]
