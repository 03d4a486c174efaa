"""How an instructor's acts are carried out (§13.2, 18)."""

from typing import NoReturn

from sim.acts import Act, EndExercise, Message, PlayCard
from sim.cards import STRIKES
from sim.errors import OrderError
from sim.events import CardPlanned, Event, ExerciseEnded, MessageSent
from sim.orders import HEX, LINK, QUARTER, SHELTER
from sim.protection import settle_capital
from sim.refusal import refuse
from sim.rules import CARDS, Card, LinkClass
from sim.state import State, changed
from sim.world import World

Step = tuple[State, tuple[Event, ...]]
FIRST_PLAYED_TURN = 1
MESSAGE_SIGNS = 500


def perform(world: World, state: State, act: Act) -> Step:
    """Carry out an act.

    Raises
    ------
    OrderError
        If it is dated otherwise than now, the exercise is over, or the rules do not allow it: the
        exercise then stands where it stood.
    """
    if state.ended or state.turn > world.turns:
        raise OrderError(
            refuse("18", "the exercise is over (§18): nothing can be done in it any more")
        )
    if act.turn != state.turn:
        raise OrderError(
            refuse(
                "18",
                "an act for turn {turn} while turn {now} is played (§18)",
                turn=act.turn,
                now=state.turn,
            )
        )
    match act:
        case PlayCard():
            return _plan(world, state, act)
        case Message():
            return _tell(state, act)
        case EndExercise():
            return _end(world, state)
    raise OrderError(f"no act of the rules: {type(act).__name__}")


def _plan(world: World, state: State, act: PlayCard) -> Step:
    """Keep a card until the next turn opens."""
    if state.turn == world.turns:
        raise OrderError(
            refuse(
                "13.2", "the last turn is played: none opens after it, in which a card could fall"
            )
        )
    if act.target is not None:
        _require_target(world, act.card, act.target)
    for other in state.cards_to_play:
        if other.card is not act.card:
            continue
        if act.card is Card.INJUNCTION:
            raise OrderError(
                refuse(
                    "13.2",
                    "the prefecture asks already as the next turn opens: a turn has one answer "
                    "(§13.2)",
                )
            )
        if act.target is not None and other.target == act.target:
            raise OrderError(
                refuse("13.2", "that card falls there already as the next turn opens: once will do")
            )
    planned = _planned(state, act)
    return changed(state, cards_to_play=(*state.cards_to_play, act)), (planned,)


def _planned(state: State, act: PlayCard) -> CardPlanned:
    strikes, on = STRIKES[act.card], () if act.target is None else (act.target,)
    return CardPlanned(
        turn=state.turn,
        card=act.card.value,
        links=on if strikes == LINK else (),
        cells=on if strikes == HEX else (),
        quarter=act.target if strikes == QUARTER else None,
        shelter=act.target if strikes == SHELTER else None,
        note=act.reason,
    )


def _refuse_absent(strikes: str, target: int) -> NoReturn:
    """Say that the district has not what a card would strike, a sentence for each kind."""
    if strikes == HEX:
        raise OrderError(
            refuse("13.1", "the district has no hex number {n}: give another target", n=target)
        )
    if strikes == LINK:
        raise OrderError(
            refuse("13.1", "the district has no link number {n}: give another target", n=target)
        )
    if strikes == QUARTER:
        raise OrderError(
            refuse("13.1", "the district has no quarter number {n}: give another target", n=target)
        )
    raise OrderError(
        refuse("13.1", "the district has no shelter number {n}: give another target", n=target)
    )


def _require_target(world: World, card: Card, target: int) -> None:
    district = world.district
    places = {
        HEX: district.sheet.n_hexes,
        LINK: district.sheet.n_edges,
        QUARTER: len(district.quarters),
        SHELTER: len(district.shelters),
    }
    strikes = STRIKES[card]
    if not strikes:
        raise OrderError(
            refuse(
                "13.1",
                "the card {card} strikes nothing (§13.1): leave its target out",
                card=CARDS[card],
            )
        )
    if not 0 <= target < places[strikes]:
        _refuse_absent(strikes, target)
    if strikes == LINK and district.link_class[target] < LinkClass.LOCAL:
        raise OrderError(refuse("3.1", "no road crosses that edge (§3.1): choose another target"))
    if strikes == HEX and not district.active[target]:
        raise OrderError(refuse("1.2", "that hex is not active (§1.2): choose another target"))


def _tell(state: State, act: Message) -> Step:
    text = act.text.strip()
    if not text or len(text) > MESSAGE_SIGNS:
        raise OrderError(
            refuse(
                "18",
                "a message of {found} characters: write 1 to {most} of them",
                found=len(text),
                most=MESSAGE_SIGNS,
            )
        )
    return state, (MessageSent(turn=state.turn, text=text),)


def _end(world: World, state: State) -> Step:
    """End the exercise with the score of what was played.

    An injunction of the open turn was neither obeyed nor refused: it gives and takes nothing.
    """
    if state.turn <= FIRST_PLAYED_TURN:
        raise OrderError(
            refuse(
                "18",
                "no turn was played yet: an exercise can be ended once turn {turn} is resolved "
                "(§18)",
                turn=FIRST_PLAYED_TURN,
            )
        )
    answered = tuple(one for one in state.injunctions if one.obeyed is not None)
    settled, told = settle_capital(world, changed(state, injunctions=answered), ())
    after = changed(state, capital=settled.capital, pending=(), cards_to_play=(), ended=True)
    return after, (*told, ExerciseEnded(turn=state.turn))
