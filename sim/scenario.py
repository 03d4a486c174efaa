"""What an instructor chooses beside the storm: the initial situation and the cards (§8.4, 13)."""

from dataclasses import dataclass

from sim.errors import ExerciseError
from sim.refusal import refuse
from sim.rules import CREDIBILITY_MOST, CREDIBILITY_START, Card, Timer


@dataclass(frozen=True, slots=True)
class Gathering:
    """A scheduled event that masses people on a known hex: a feast, a match, a market (§8.4).

    Attributes
    ----------
    cell : int
        Hex where they stand.
    people : int
        Persons, come from all over the district; none of them is sheltered there.

    """

    cell: int
    people: int


@dataclass(frozen=True, slots=True)
class Inject:
    """A card that the instructor plays at a turn (§13.2).

    Attributes
    ----------
    turn : int
    card : Card
    target : int, optional
        Edge, hex, quarter or shelter that it strikes, as the card asks; drawn when left out.
    note : str
        The instructor's own, kept for the debrief.

    """

    turn: int
    card: Card
    target: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Scenario:
    """Choices of an exercise beside its hour, its length and its storm (§8.4, 13, 14, 15.1).

    Attributes
    ----------
    weekend : bool
        Saturday or Sunday (§8.5).
    gathering : Gathering, optional
    half_staff : bool
        Half of the units are away helping elsewhere (§8.4).
    cards : bool
        Whether cards are drawn (§13.1); injects are played all the same.
    injects : tuple of Inject
    credibility : int
        0 to 10 (§15.1).
    timer : Timer
        How long a turn may take in real time; the engine has no clock (§14).

    """

    weekend: bool = False
    gathering: Gathering | None = None
    half_staff: bool = False
    cards: bool = False
    injects: tuple[Inject, ...] = ()
    credibility: int = CREDIBILITY_START
    timer: Timer = Timer.OFF

    def __post_init__(self) -> None:
        if not 0 <= self.credibility <= CREDIBILITY_MOST:
            raise ExerciseError(
                refuse(
                    "",
                    "credibility {credibility}: give 0 to {credibility_most} (§15.1)",
                    credibility=str(self.credibility),
                    credibility_most=str(CREDIBILITY_MOST),
                )
            )
        if self.gathering is not None and self.gathering.people < 1:
            raise ExerciseError(
                refuse(
                    "",
                    "a gathering of {people} people: give 1 or more (§8.4)",
                    people=str(self.gathering.people),
                )
            )


PLAIN = Scenario()
"""A weekday, everyone at work, nothing scheduled, no cards."""
