"""The score: three comparisons and the victims, never merged into one rate (§12)."""

from dataclasses import dataclass

import numpy as np

from sim.arrays import whole
from sim.district import BoolArray
from sim.forecast_skill import contingency
from sim.rules import (
    CAPITAL_REFUSED_RIGHTLY,
    CAPITAL_START,
    CAPITAL_WARNING_PERCENT,
    POINTS_CAPITAL,
    POINTS_MISUSED,
    POINTS_SAVED,
    POINTS_VICTIM,
    Card,
)
from sim.shares import Share, share
from sim.state import HUNDREDTHS, State
from sim.world import World


@dataclass(frozen=True, slots=True)
class Score:
    """Score of an exercise so far (§12), persons and points.

    Attributes
    ----------
    threatened : int
        Those to shelter of hexes that at some moment lose every foot route (§12.2).
    saved : int
        Of these, sheltered before their hex's first cut: 2 points each.
    late : int
        Of these, sheltered after it: 0 points, places well used.
    left : int
        Of these, all others, victims included: 0 points.
    turns, of_turns : int
        Turns that count, those resolved (``turns_counted``), of those that the exercise has.
    not_yet_cut : int
        Of those left, people whose hex the storm cuts in a later turn only: nothing is settled for
        them. 0 once the last turn was played.
    misused : int
        People never threatened who took a place or a bus, followers among them: -1 point each.
    places_used : int
    victims : int
        -4 points each.
    capital : int
        Political capital; each point above or below 60 is worth 150.
    capital_span : int
        Points between the worst and the best that the injunctions of the exercise can do to the
        capital: 6,000 each, for those that came or that cards and injects may still bring.
    points, maximum : int
        ``maximum`` is every threatened person sheltered in time, as far as places go.
    recall, precision : Fraction or None
        saved / threatened, and places used for the threatened / places used (§12.2).
    forecast_recall, forecast_precision : Fraction or None
        Of the hexes painted against those with a link cut to pedestrians (§9.6, 12.4).

    """

    threatened: int
    saved: int
    late: int
    left: int
    turns: int
    of_turns: int
    not_yet_cut: int
    misused: int
    places_used: int
    victims: int
    capital: int
    capital_span: int
    points: int
    maximum: int
    recall: Share
    precision: Share
    forecast_hits: int
    forecast_misses: int
    forecast_false_alarms: int
    forecast_recall: Share
    forecast_precision: Share

    @property
    def is_early(self) -> bool:
        """Whether turns are left that do not count: ended early, or still in play (§18)."""
        return self.turns < self.of_turns

    @property
    def capital_outweighs(self) -> bool:
        """Whether capital could outweigh 15 % of the maximum: to be said with the score (§12.3)."""
        return 100 * self.capital_span > CAPITAL_WARNING_PERCENT * self.maximum


def turns_counted(state: State) -> int:
    """Turns that a score counts: those resolved, never the one that stands open (§18)."""
    return max(state.turn - 1, 0)


def score(world: World, state: State) -> Score:
    """Count an exercise on the storm's own water (§12.1–12.4)."""
    threatened = world.threatened
    in_time, late = whole(state.in_time), whole(state.late)
    moved = int(in_time.sum() + late.sum() + whole(state.follower_places).sum())
    saved_hundredths = int(in_time[threatened].sum())
    well_moved = saved_hundredths + int(late[threatened].sum())
    # those whom buses took out hold no place, well used or not (§9.3)
    out = whole(state.out)
    places = moved - int(out.sum() + whole(state.out_followers).sum())
    well_used = well_moved - int(out[threatened].sum())
    later = threatened & (world.first_cut > turns_counted(state))
    people = int(world.situation.to_shelter[threatened].sum())
    victims = sum(sum(lost) for lost in (state.lost, state.followers_lost, state.upstairs_lost))
    victims //= HUNDREDTHS

    saved = saved_hundredths // HUNDREDTHS
    late_people = well_moved // HUNDREDTHS - saved
    misused = (moved - well_moved) // HUNDREDTHS
    capital = POINTS_CAPITAL * (state.capital - CAPITAL_START)
    room = sum(shelter.places for shelter in world.district.shelters)

    painted = np.zeros(world.district.sheet.n_hexes, dtype=bool)
    painted[list(state.forecast)] = True
    hits, misses, false_alarms = contingency(painted, world.cut_on_foot, world.district.active)
    return Score(
        threatened=people,
        saved=saved,
        late=late_people,
        left=people - saved - late_people,
        turns=turns_counted(state),
        of_turns=world.turns,
        not_yet_cut=_people_left(world, state, later),
        misused=misused,
        places_used=places // HUNDREDTHS,
        victims=victims,
        capital=state.capital,
        capital_span=_injunctions(world, state) * POINTS_CAPITAL * CAPITAL_REFUSED_RIGHTLY,
        points=POINTS_SAVED * saved + POINTS_MISUSED * misused + POINTS_VICTIM * victims + capital,
        maximum=POINTS_SAVED * min(people, room),
        recall=share(saved_hundredths, people * HUNDREDTHS),
        precision=share(well_used, places),
        forecast_hits=hits,
        forecast_misses=misses,
        forecast_false_alarms=false_alarms,
        forecast_recall=share(hits, hits + misses),
        forecast_precision=share(hits, hits + false_alarms),
    )


def _people_left(world: World, state: State, cells: BoolArray) -> int:
    """Persons to shelter of some hexes who are in no shelter, rounded down."""
    there = world.situation.to_shelter[cells].astype(np.int64) * HUNDREDTHS
    return int((there - whole(state.in_time)[cells] - whole(state.late)[cells]).sum()) // HUNDREDTHS


def _injunctions(world: World, state: State) -> int:
    """Injunctions that the exercise met, or may meet: a deck holds one (§13)."""
    injected = sum(inject.card is Card.INJUNCTION for inject in world.scenario.injects)
    return max(len(state.injunctions), injected + world.scenario.cards)
