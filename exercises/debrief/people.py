"""The people of every hex, from which every figure of a debrief is summed (§12).

Counts are in hundredths of a person, as the rules carry them (§10.5); a figure is the sum over the
hexes, then rounded down to whole persons once. So the sum of a column of ``people.csv``, rounded
down, is the figure printed, and that is the score's own.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sim.arrays import Numbers, whole
from sim.district import BoolArray
from sim.persons import persons
from sim.rules import POINTS_MISUSED, POINTS_SAVED, POINTS_VICTIM
from sim.state import HUNDREDTHS, State
from sim.world import World

LongArray = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PersonsByHex:
    """What became of the people of every hex; every array is (n_hex,) int64.

    Counts are hundredths of a person; turns are from 1, 0 (``NEVER``) for what did not happen.

    Attributes
    ----------
    to_shelter : (n_hex,) int
        Those to shelter at the start (§8.3), threatened or not.
    threatened : (n_hex,) int
        Of these, those of a hex that at some moment of the storm loses every foot route (§12.2).
    saved : (n_hex,) int
        Of the threatened, sheltered or driven out before their hex was cut in play.
    late : (n_hex,) int
        Of the threatened, after it: their place counts as well used.
    left : (n_hex,) int
        Of the threatened, all others, victims among them: threatened - saved - late.
    misused : (n_hex,) int
        Places (or seats in a bus) taken by people never threatened, followers included.
    places_used : (n_hex,) int
        Places of shelters taken by people of the hex, well used or not; buses take none.
    places_well_used : (n_hex,) int
        Of these, by the threatened.
    lost : (n_hex,) int
        Victims, followers and those upstairs included (§10.5, 11).
    alerted_turn : (n_hex,) int
        Turn in which an alert got through.
    arrived_turn : (n_hex,) int
        Turn in which the last of them arrived.
    cut_turn : (n_hex,) int
        First turn in play without a foot route to a dry shelter, threatened or not.
    storm_cut_turn : (n_hex,) int
        The same on the storm's own water, without what the team and the cards did: where it is
        not 0 the hex is threatened.

    """

    to_shelter: LongArray
    threatened: LongArray
    saved: LongArray
    late: LongArray
    left: LongArray
    misused: LongArray
    places_used: LongArray
    places_well_used: LongArray
    lost: LongArray
    alerted_turn: LongArray
    arrived_turn: LongArray
    cut_turn: LongArray
    storm_cut_turn: LongArray

    @cached_property
    def sums(self) -> "PeopleSums":
        """The figures of the whole sheet."""
        return self.sums_of(slice(None))

    def sums_of(self, cells: Iterable[int] | slice | BoolArray) -> "PeopleSums":
        """Return the figures of some hexes, of a quarter, of an order's brush.

        Parameters
        ----------
        cells : slice, (n_hex,) bool, or hexes
        """
        chosen = cells if isinstance(cells, (slice, np.ndarray)) else np.array([*cells], np.int64)
        sums = {
            field.name: int(getattr(self, field.name)[chosen].sum()) for field in fields(PeopleSums)
        }
        return PeopleSums(**sums)


@dataclass(frozen=True, slots=True)
class PeopleSums:
    """Sums over some hexes, hundredths of a person; the properties are the figures printed.

    Attributes
    ----------
    to_shelter, threatened, saved, late, misused, places_used, places_well_used, lost : int
        As in ``PersonsByHex``, hundredths.

    """

    to_shelter: int
    threatened: int
    saved: int
    late: int
    misused: int
    places_used: int
    places_well_used: int
    lost: int

    @property
    def people_to_shelter(self) -> int:
        """Persons to shelter."""
        return persons(self.to_shelter)

    @property
    def people_threatened(self) -> int:
        """Persons threatened."""
        return persons(self.threatened)

    @property
    def people_saved(self) -> int:
        """Needed and done, persons: 2 points each (§12.1)."""
        return persons(self.saved)

    @property
    def people_late(self) -> int:
        """Sheltered too late, persons."""
        return persons(self.saved + self.late) - persons(self.saved)

    @property
    def people_left(self) -> int:
        """Neither, persons: what is left of the threatened."""
        return self.people_threatened - persons(self.saved + self.late)

    @property
    def people_not_done(self) -> int:
        """Needed and not done, persons: late and left (§12.1)."""
        return self.people_threatened - self.people_saved

    @property
    def people_misused(self) -> int:
        """Not needed, persons: a point off each (§12.1)."""
        return persons(self.misused)

    @property
    def places(self) -> int:
        """Places of shelters used."""
        return persons(self.places_used)

    @property
    def victims(self) -> int:
        """Victims, persons: 4 points off each (§12.1)."""
        return persons(self.lost)

    @property
    def terms(self) -> tuple["Term", ...]:
        """The three comparisons and the victims, in the printed order (§12.1)."""
        return (
            Term("needed_and_done", self.people_saved, POINTS_SAVED),
            Term("needed_and_not_done", self.people_not_done, 0),
            Term("not_needed", self.people_misused, POINTS_MISUSED),
            Term("victims", self.victims, POINTS_VICTIM),
        )


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the score (§12.1).

    Attributes
    ----------
    key : {"needed_and_done", "needed_and_not_done", "not_needed", "victims"}
    people : int
        Persons, whole.
    points_each : int

    """

    key: str
    people: int
    points_each: int

    @property
    def points(self) -> int:
        """Points of the term."""
        return self.people * self.points_each


def persons_by_hex(world: World, state: State) -> PersonsByHex:
    """Return what became of the people of every hex, as a state has them (§12)."""
    threatened = world.threatened
    in_time, late, followed = map(_long, (state.in_time, state.late, state.follower_places))
    out, followed_out = _long(state.out), _long(state.out_followers)
    to_shelter = world.situation.to_shelter.astype(np.int64) * HUNDREDTHS
    moved = in_time + late
    return PersonsByHex(
        to_shelter=to_shelter,
        threatened=np.where(threatened, to_shelter, 0),
        saved=np.where(threatened, in_time, 0),
        late=np.where(threatened, late, 0),
        left=np.where(threatened, to_shelter - moved, 0),
        misused=np.where(threatened, 0, moved) + followed,
        places_used=moved + followed - out - followed_out,
        places_well_used=np.where(threatened, moved - out, 0),
        lost=_long(state.lost) + _long(state.followers_lost) + _long(state.upstairs_lost),
        alerted_turn=_long(state.alerted),
        arrived_turn=_long(state.evacuated),
        cut_turn=_long(state.cut),
        storm_cut_turn=world.first_cut.astype(np.int64),
    )


def _long(values: Numbers) -> LongArray:
    return whole(values).astype(np.int64)
