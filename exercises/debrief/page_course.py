"""The course of an exercise: shelters, political capital, cards, the bulletin and the orders."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from exercises.debrief.cards import CardPlayed
from exercises.debrief.decisions import Decision
from exercises.debrief.figures import Fork, TeamFigures
from exercises.debrief.page_svg import (
    Axis,
    box,
    drawing,
    hatched,
    line,
    ruled,
    sign,
    steps,
    text,
    turn_ticks,
)
from exercises.debrief.page_tongue import Tongue, became
from exercises.event_words import told
from gis.quarter_names import quarters_said
from sim.orders import UNIT_ORDERS, Alert, Answer, Forecast
from sim.rules import CAPITAL_REFUSED, CAPITAL_REFUSED_RIGHTLY, CAPITAL_START, LEVELS

SMALL_WIDTH, SMALL_HEIGHT = 200, 72
WIDE, LEFT, RIGHT = 900, 64, 16


# --------------------------------------------------------------------------- shelters
@dataclass(frozen=True)
class ShelterRow:
    """A shelter: its number and name, how full at the end, when full, and its curve."""

    number: int
    name: str
    filled: str
    full_at: str
    curve: Markup


def shelter_rows(figures: TeamFigures, tongue: Tongue) -> tuple[ShelterRow, ...]:
    """Return every shelter of the district, in its order."""
    rows = []
    filled = figures.shelters_filled
    for here, shelter in enumerate(tongue.district.shelters):
        taken = filled[:, here].tolist()
        full = next((turn for turn, n in enumerate(taken) if n >= shelter.places), None)
        alt = tongue.say("shelter_alt", name=shelter.name, taken=taken[-1], all=shelter.places)
        rows.append(
            ShelterRow(
                here + 1,
                shelter.name,
                tongue.say("of_places", taken=taken[-1], all=shelter.places),
                "" if full is None else tongue.say("full_at", n=full),
                _filling(taken, shelter.places, alt),
            )
        )
    return tuple(rows)


def _filling(taken: Sequence[int], places: int, alt: str) -> Markup:
    turns = len(taken) - 1
    most = max(places, 1)
    points = [
        (SMALL_WIDTH * turn / turns, 4 + (SMALL_HEIGHT - 8) * (1 - min(n, most) / most))
        for turn, n in enumerate(taken)
    ]
    stair = steps(points)
    foot = SMALL_HEIGHT - 4
    area = [(0.0, foot), *stair, (SMALL_WIDTH, foot)]
    parts = [
        box(0, 4, SMALL_WIDTH, SMALL_HEIGHT - 8, "frame"),
        ruled(0, 4, SMALL_WIDTH, 4, "ceiling"),
        line(area, "area-good"),
        line(stair, "curve"),
    ]
    return drawing(SMALL_WIDTH, SMALL_HEIGHT, parts, alt, "small", stretched=True)


# --------------------------------------------------------------------------- capital
def capital_chart(figures: TeamFigures, tongue: Tongue) -> Markup:
    """Draw political capital turn by turn; at each injunction the way not taken is dashed."""
    height, foot = 250, 206
    capital = figures.capital.tolist()
    turns = len(capital) - 1
    x = _turns_axis(turns)
    others = _ways_not_taken(figures)
    y = Axis.over((*capital, *(c for _, _, way in others for c in way)), foot, 20, 4)
    parts = _frame(x, y, turns, height, tongue)
    parts.append(
        line(((x.at(0), y.at(CAPITAL_START)), (x.at(turns), y.at(CAPITAL_START))), "ideal")
    )
    for turn, fork, way in others:
        # the other answer shows from the next moment on, and is settled at the end
        after = ((x.at(turn + 1 + i), y.at(c)) for i, c in enumerate(way))
        points = steps([(x.at(turn), y.at(capital[turn])), *after])
        parts.append(line(points, "other"))
        end = points[-1]
        answer = tongue.say("refused" if fork.obeyed else "obeyed")
        told = tongue.say("would_be", answer=answer, capital=tongue.number(way[-1]))
        parts.append(text(end[0] - 4, end[1] - 7, told, "soft", "end"))
    parts.append(line(steps([(x.at(t), y.at(c)) for t, c in enumerate(capital)]), "curve thick"))
    for fork in figures.forks:
        parts.append(
            sign(
                "diamond",
                x.at(fork.turn),
                y.at(capital[min(fork.turn, turns)]),
                7,
                "fill-needless ringed",
            )
        )
    parts.append(
        text(x.at(turns), y.at(capital[-1]) - 9, tongue.number(capital[-1]), "value", "end")
    )
    alt = tongue.say("capital_alt", start=capital[0], end=capital[-1])
    return drawing(WIDE, height, parts, alt, "wide")


def _ways_not_taken(figures: TeamFigures) -> list[tuple[int, Fork, list[int]]]:
    """Return the capital of the moments after each injunction, had it been answered otherwise."""
    capital = figures.capital.tolist()
    ways = []
    for fork in figures.forks:
        if fork.obeyed is None:
            continue
        back = 0 if fork.threatened else CAPITAL_REFUSED_RIGHTLY
        side = 1 if fork.obeyed else -1
        after = [c + side * CAPITAL_REFUSED for c in capital[fork.turn + 1 :]]
        if after:
            after[-1] += side * back
            ways.append((fork.turn, fork, after))
    return ways


@dataclass(frozen=True)
class ForkRow:
    """An injunction and both answers."""

    turn: int
    clock: str
    quarter: str
    answer: str
    threatened: str
    if_obeyed: str
    if_refused: str
    people: str


def fork_rows(figures: TeamFigures, tongue: Tongue) -> tuple[ForkRow, ...]:
    """Return the prefecture's injunctions, as they came (§13.2)."""
    answers = {True: "obeyed", False: "refused", None: "unanswered"}
    return tuple(
        ForkRow(
            fork.turn,
            tongue.clock(fork.turn),
            quarters_said(tongue.district, tongue.lang)[fork.quarter],
            tongue.say(answers[fork.obeyed]),
            tongue.say("yes" if fork.threatened else "no"),
            tongue.signed(fork.points_obeyed),
            tongue.signed(fork.points_refused),
            tongue.clauses(became(fork.people, tongue)),
        )
        for fork in figures.forks
    )


# --------------------------------------------------------------------------- cards
@dataclass(frozen=True)
class CardLine:
    """A card as it is told."""

    turn: int
    clock: str
    effect: str
    origin: str
    announced: str
    note: str


def card_lines(figures: TeamFigures, tongue: Tongue) -> tuple[CardLine, ...]:
    """Return the cards, as they came (§13.1)."""
    return tuple(
        CardLine(
            card.turn,
            tongue.clock(card.turn),
            told(card.event, tongue.district, tongue.lang),
            tongue.say(_origin(card)),
            tongue.say("yes" if card.announced else "no"),
            card.inject.note if card.inject else "",
        )
        for card in figures.cards
    )


def _origin(card: CardPlayed) -> str:
    """Return the key of where a card came from."""
    if card.inject is None:
        return "from_deck"
    return "from_inject" if card.by_hand else "from_list"


# --------------------------------------------------------------------------- bulletin and orders
def kind_of(decision: Decision) -> str:
    """Return what sort of order a decision is: "forecast", "alert", "unit" or "other"."""
    match decision.order:
        case Forecast():
            return "forecast"
        case Alert() | Answer(obey=True):
            return "alert"
        case order if isinstance(order, UNIT_ORDERS):
            return "unit"
    return "other"


def orders_by_turn(figures: TeamFigures) -> list[dict[str, int]]:
    """Return how many orders of each sort stood, by turn."""
    counts = [{"alert": 0, "unit": 0, "other": 0} for _ in figures.bulletin]
    for order in figures.orders_stood:
        if order.turn < len(counts):
            counts[order.turn][kind_of(order)] += 1
    return counts


_ORDER_KINDS = (("alert", "missed"), ("unit", "good"), ("other", "needless"))


def bulletin_chart(figures: TeamFigures, tongue: Tongue) -> Markup:
    """Draw the levels that the bulletin leaves open over the orders of every turn."""
    height, top, middle, foot = 380, 34, 168, 334
    turns = len(figures.bulletin) - 1
    x = _turns_axis(turns)
    row = (middle - top) / len(LEVELS)
    wide = (x.end - x.start) / turns

    def level_y(level: int) -> float:
        return middle - row * (LEVELS.index(level) + 0.5)

    parts = [text(LEFT, top - 14, tongue.say("levels_open"), "label")]
    for level in LEVELS:
        parts += [
            ruled(x.start, level_y(level), x.end, level_y(level)),
            text(LEFT - 10, level_y(level) + 4, tongue.number(level), "tick", "end"),
        ]
    truth = figures.team.world.level
    for turn, open_levels in enumerate(figures.bulletin[:-1]):
        for level in open_levels:
            y = level_y(level) - row * 0.36
            parts.append(box(x.at(turn) - wide * 0.46, y, wide * 0.92, row * 0.72, "open-level"))
    parts.append(line(((x.start, level_y(truth)), (x.end, level_y(truth))), "truth"))
    parts.append(
        text(x.end, level_y(truth) - row * 0.36 - 5, tongue.say("true_level"), "value", "end")
    )
    counts = orders_by_turn(figures)
    most = max((sum(count.values()) for count in counts), default=0)
    given = Axis.over((most,), foot, middle + 48, 3)
    parts.append(text(LEFT, middle + 30, tongue.say("orders_given"), "label"))
    parts += _frame(x, given, turns, height, tongue)
    for turn, count in enumerate(counts):
        base = given.at(0)
        for kind, colour in _ORDER_KINDS:
            if count[kind]:
                tall = given.at(0) - given.at(count[kind])
                parts.append(
                    hatched(x.at(turn) - wide * 0.4, base - tall, wide * 0.8, tall, colour)
                )
                base -= tall
    across = x.end
    for kind, colour in reversed(_ORDER_KINDS):
        words = tongue.say(f"kind_{kind}")
        across -= 9.2 * len(words) + 30
        parts.append(hatched(across, middle + 18, 15, 13, colour))
        parts.append(text(across + 21, middle + 29, words, "key"))
    return drawing(WIDE, height, parts, tongue.say("bulletin_alt"), "wide")


@dataclass(frozen=True)
class BulletinRow:
    """A turn: levels open, and orders given."""

    turn: int
    levels: str
    alerts: int
    others: int


def bulletin_rows(figures: TeamFigures, tongue: Tongue) -> tuple[BulletinRow, ...]:
    """Return every turn, for who cannot see the chart."""
    return tuple(
        BulletinRow(
            turn,
            ", ".join(map(str, levels)) or "–",
            count["alert"],
            count["unit"] + count["other"],
        )
        for turn, (levels, count) in enumerate(
            zip(figures.bulletin, orders_by_turn(figures), strict=True)
        )
    )[:-1]


# --------------------------------------------------------------------------- axes
def _turns_axis(turns: int) -> Axis:
    return Axis(0, turns, 1, LEFT, WIDE - RIGHT)


def _frame(x: Axis, y: Axis, turns: int, height: float, tongue: Tongue) -> list[str]:
    """Grid and figures of a chart whose axis is the turns."""
    parts = []
    for tick in y.ticks:
        parts += [
            ruled(x.start, y.at(tick), x.end, y.at(tick)),
            text(x.start - 10, y.at(tick) + 4, tongue.number(tick), "tick", "end"),
        ]
    for turn in turn_ticks(turns):
        parts += [
            ruled(x.at(turn), y.start, x.at(turn), y.start + 5, "axis"),
            text(x.at(turn), y.start + 20, tongue.number(turn), "tick", "middle"),
            text(x.at(turn), y.start + 36, tongue.clock(turn), "tick soft", "middle"),
        ]
    parts.append(text(4, y.start + 20, tongue.say("turn"), "tick"))
    parts.append(ruled(x.start, y.start, x.end, y.start, "axis"))
    return parts
