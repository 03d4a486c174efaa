"""The cards that an exercise met: drawn, or played by the instructor (§13)."""

from collections import Counter
from dataclasses import dataclass

from exercises.session import PlayedExercise
from sim.cards import STRIKES
from sim.district import District
from sim.events import CardDrawn, CardHidden, CardPlanned
from sim.orders import HEX, LINK, QUARTER, SHELTER
from sim.rules import CARD_RADIUS, Card
from sim.scenario import Inject


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card and what it struck.

    Attributes
    ----------
    turn : int
    card : Card
    event : CardDrawn
        What happened, as ``exercises.event_words.told`` says it.
    target : int or None
        Edge, hex, quarter or shelter that it struck, by what the card strikes
        (``sim.cards.STRIKES``); None where it struck nothing.
    announced : bool
        Whether the team was told.
    inject : Inject or None
        The instructor's inject that it was; None for a card of the deck.
    by_hand : bool
        Whether the instructor played it during the exercise; else an inject fell by itself, as the
        list has it.

    """

    turn: int
    card: Card
    event: CardDrawn
    target: int | None
    announced: bool
    inject: Inject | None
    by_hand: bool = False

    @property
    def struck(self) -> bool:
        """Whether it struck something, or needs nothing to strike."""
        return self.target is not None or not STRIKES[self.card]

    @property
    def as_inject(self) -> Inject:
        """The inject that plays it again, on the same target."""
        note = self.inject.note if self.inject else ""
        return Inject(self.turn, self.card, self.target, note)


def cards_of(played: PlayedExercise) -> tuple[CardPlayed, ...]:
    """Return the cards of an exercise in the order that they came."""
    by_turn: dict[int, list[CardDrawn]] = {}
    # what is played by hand falls as the next turn opens, after the list's
    by_hand = Counter(
        event.turn + 1
        for events in played.events
        for event in events
        if isinstance(event, CardPlanned)
    )
    for events in played.events:
        for event in events:
            if isinstance(event, CardDrawn):
                by_turn.setdefault(event.turn, []).append(event)
    world = played.world
    cards = []
    for turn in sorted(by_turn):
        events_of_turn = by_turn[turn]
        # the deck's comes first (§18 step 3)
        injects = [one for one in world.scenario.injects if one.turn == turn]
        drawn: list[Inject | None] = [None] * (len(events_of_turn) - len(injects))
        last_of_list = len(events_of_turn) - by_hand[turn]
        for here, (event, inject) in enumerate(
            zip(events_of_turn, [*drawn, *injects], strict=True)
        ):
            cards.append(
                CardPlayed(
                    turn=turn,
                    card=Card(event.card),
                    event=event,
                    target=struck_by(world.district, event),
                    announced=not isinstance(event, CardHidden),
                    inject=inject,
                    by_hand=here >= last_of_list,
                )
            )
    return tuple(cards)


def struck_by(district: District, event: CardDrawn | CardPlanned) -> int | None:
    """Return what a card struck, or is to strike; None for nothing.

    An edge, quarter or shelter, or the middle one of the hexes that it covers.
    """
    match STRIKES[Card(event.card)]:
        case str(mark) if mark == LINK:
            return event.links[0] if event.links else None
        case str(mark) if mark == QUARTER:
            return event.quarter
        case str(mark) if mark == SHELTER:
            return event.shelter
        case str(mark) if mark == HEX:
            return event.cells[0] if len(event.cells) == 1 else _middle(district, event.cells)
    return None


def _middle(district: District, cells: tuple[int, ...]) -> int | None:
    """Hex whose disk is these hexes; on the rim of the sheet too there is only one."""
    return next(
        (cell for cell in cells if tuple(sorted(district.sheet.disk(cell, CARD_RADIUS))) == cells),
        None,
    )
