"""What an instructor does while a class plays, beside orders in its stead (§13.2, 18).

An act is no order of a team: it has no price and no number of the turn, and no file of orders holds
it. How it is carried out is told by ``sim.conduct``.
"""

from dataclasses import dataclass

from sim.rules import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something that the instructor does in a turn; ``reason`` is kept for the debrief."""

    turn: int
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayCard(Act):
    """Play a card as the next turn opens, like an inject of that turn (§13.2).

    ``target`` is the edge, hex, quarter or shelter that it strikes, as the card asks; drawn then
    when left out.
    """

    card: Card
    target: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Message(Act):
    """Tell the team something; it changes nothing else."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndExercise(Act):
    """End the exercise where it stands (§18): the orders of the open turn do not count."""


__all__ = ["Act", "EndExercise", "Message", "PlayCard"]
