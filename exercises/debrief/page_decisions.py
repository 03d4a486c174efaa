"""Each decision as the page tells it: what was known, what was true, why, what came of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from exercises.debrief.decisions import (
    REFUSED,
    UNRESOLVED,
    WITHDRAWN,
    Decision,
    LinkThen,
    WaterThen,
)
from exercises.debrief.event_journal import who_gave
from exercises.debrief.figures import TeamFigures
from exercises.debrief.page_course import kind_of
from exercises.debrief.page_tongue import Tongue, became
from exercises.event_words import told
from exercises.moment_words import bulletin_text
from exercises.order_words import refused, said_order
from sim.events import AlertRolled, UnitBlocked
from sim.orders import UNIT_ORDERS, Alert, Forecast
from sim.seats import INSTRUCTOR
from sim.state import KNOWN_BY_REPORT, NEVER

MM_A_CM = 10
UNBROKEN_DASH = "\u2060–\u2060"


@dataclass(frozen=True)
class DecisionRow:
    """A decision in words.

    Attributes
    ----------
    number, turn : int
    clock : str
    seat : str
        Who gave it, where the centre has more than one seat or the instructor did; else ''.
    kinds : str
        What a filter may ask for, parted by spaces.
    verdict : str
        "accepted", "refused", "withdrawn" or "unresolved".
    order, reason : str
    known, true, outcome : tuple of str
        Lines.

    """

    number: int
    turn: int
    clock: str
    seat: str
    kinds: str
    verdict: str
    order: str
    reason: str
    known: tuple[str, ...]
    true: tuple[str, ...]
    outcome: tuple[str, ...]


def decision_rows(figures: TeamFigures, tongue: Tongue) -> tuple[DecisionRow, ...]:
    """Return every decision in the order that it was handed in."""
    return tuple(_row(decision, tongue) for decision in figures.decisions)


def orders_by_moment(figures: TeamFigures, tongue: Tongue) -> list[list[str]]:
    """Return what was ordered, and stood, at every moment of the map."""
    said: list[list[str]] = [[] for _ in figures.bulletin]
    for decision in figures.decisions:
        if decision.stood and decision.turn < len(said):
            said[decision.turn].append(ordered(decision, tongue))
    return said


def ordered(decision: Decision, tongue: Tongue) -> str:
    """Return an order in words; one that names what does not exist goes by its kind alone."""
    try:
        said = said_order(tongue.scene, decision.order)
    except IndexError:
        said = type(decision.order).__name__
    return said[:1].upper() + said[1:]


def _row(decision: Decision, tongue: Tongue) -> DecisionRow:
    kinds = [kind_of(decision), decision.verdict]
    if decision.reason:
        kinds.append("reason")
    by_instructor = decision.side == INSTRUCTOR
    return DecisionRow(
        number=decision.number,
        turn=decision.turn,
        clock=tongue.clock(decision.turn),
        seat=who_gave(tongue.scene, decision) if decision.seat or by_instructor else "",
        kinds=" ".join(kinds),
        verdict=decision.verdict,
        order=ordered(decision, tongue),
        reason=decision.reason,
        known=tuple(_known(decision, tongue)),
        true=tuple(_true(decision, tongue)),
        outcome=tuple(_outcome(decision, tongue)),
    )


# --------------------------------------------------------------------------- known and true
def _known(decision: Decision, tongue: Tongue) -> Iterator[str]:
    if decision.bulletin:
        text = bulletin_text(decision.bulletin, tongue.district.is_literal, tongue.lang)
        yield tongue.say("bulletin_says", said=text.replace("–", UNBROKEN_DASH))
    if isinstance(decision.order, Forecast):
        return
    if len(decision.water) == 1:
        yield _one_known(decision.water[0], tongue)
    elif decision.water:
        wet = [one for one in decision.water if one.known_class]
        unseen = [one for one in decision.water if not one.known_class and one.known_turn == NEVER]
        dry = len(decision.water) - len(wet) - len(unseen)
        yield _of_many(
            decision.water,
            [one.known_mm for one in wet],
            [one.known_class for one in wet],
            dry,
            len(unseen),
            tongue,
        )
        looked = [one.age for one in decision.water if one.known_turn != NEVER]
        if looked:
            yield tongue.say("oldest", n=min(looked))
    yield from _ways(decision.ways, tongue, known=True)


def _true(decision: Decision, tongue: Tongue) -> Iterator[str]:
    if isinstance(decision.order, Forecast):
        return
    if len(decision.water) == 1:
        one = decision.water[0]
        yield _depth(one.true_mm, one.true_class, tongue)
    elif decision.water:
        wet = [one for one in decision.water if one.true_class]
        yield _of_many(
            decision.water,
            [one.true_mm for one in wet],
            [one.true_class for one in wet],
            len(decision.water) - len(wet),
            0,
            tongue,
        )
    yield from _ways(decision.ways, tongue, known=False)


def _one_known(one: WaterThen, tongue: Tongue) -> str:
    if one.known_turn == NEVER:
        return tongue.say("unknown_all")
    if one.known_by == KNOWN_BY_REPORT:
        seen = tongue.say("told_ago", n=one.age)
    else:
        seen = tongue.say("seen_ago", n=one.age) if one.age else tongue.say("seen_now")
    return f"{_depth(one.known_mm, one.known_class, tongue)}, {seen}"


def _depth(mm: int, water_class: int, tongue: Tongue) -> str:
    if not water_class:
        return tongue.say("dry_all")
    return tongue.say("one_wet", deep=round(mm / MM_A_CM), name=tongue.water(water_class))


def _of_many(
    water: Sequence[WaterThen],
    wet_mm: Sequence[int],
    classes: Sequence[int],
    dry: int,
    unseen: int,
    tongue: Tongue,
) -> str:
    parts = []
    if wet_mm:
        deepest = tongue.water(max(classes))
        parts.append(
            tongue.say("wet_of", n=len(wet_mm), deep=round(max(wet_mm) / MM_A_CM), name=deepest)
        )
    if dry:
        parts.append(tongue.say("dry_of", n=dry))
    if unseen:
        parts.append(tongue.say("unseen_of", n=unseen))
    return tongue.say("of_hexes", n=len(water), list=", ".join(parts))


def _ways(ways: Sequence[LinkThen], tongue: Tongue, *, known: bool) -> Iterator[str]:
    for way in ways:
        shut, depth = (
            (way.known_shut, way.known_class) if known else (way.true_shut, way.true_class)
        )
        state = tongue.say("way_shut") if shut else tongue.water(depth)
        yield tongue.say("way", link=tongue.scene.link(way.link), state=state)


# --------------------------------------------------------------------------- what came of it
def _outcome(decision: Decision, tongue: Tongue) -> Iterator[str]:
    if decision.verdict != "accepted":
        yield _verdict(decision, tongue)
        return
    outcome, order = decision.outcome, decision.order
    if isinstance(order, Forecast):
        yield tongue.say("hit_of", hit=len(outcome.cells), painted=len(decision.cells))
        return
    if isinstance(order, UNIT_ORDERS):
        if outcome.arrived_turn:
            yield tongue.say("arrived", n=outcome.arrived_turn)
        else:
            yield tongue.say("never_arrived")
        if outcome.blocked_turns:
            yield tongue.say("blocked", n=len(outcome.blocked_turns))
    elif not outcome.events and outcome.people is None:
        yield tongue.say("nothing_came")
    for event in outcome.events:
        # what an alert reached is said below, hexes counted once
        if isinstance(event, UnitBlocked) or (isinstance(event, AlertRolled) and event.success):
            continue
        yield told(event, tongue.district, tongue.lang)
    if isinstance(order, Alert) and not outcome.cells:
        yield tongue.say("reached_none")
    elif outcome.people is not None and outcome.cells:
        people = tongue.clauses(became(outcome.people, tongue))
        yield tongue.say("reached", n=len(outcome.cells), people=people)


def _verdict(decision: Decision, tongue: Tongue) -> str:
    if decision.verdict == REFUSED and decision.refusal is not None:
        why = refused(decision.refusal, tongue.lang)
        return tongue.say("verdict_refused", rule=decision.refusal.rule, why=why)
    if decision.verdict in {WITHDRAWN, UNRESOLVED}:
        return tongue.say(f"verdict_{decision.verdict}")
    return decision.verdict
