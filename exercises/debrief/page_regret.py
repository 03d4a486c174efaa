"""Regret: what doing otherwise would have given on the same storm and dice (§12.5)."""

from dataclasses import dataclass

from markupsafe import Markup

from exercises.debrief.figures import TeamFigures
from exercises.debrief.page_svg import Axis, drawing, hatched, ruled, text
from exercises.debrief.page_tongue import Tongue
from exercises.order_words import said_order
from exercises.regret import ALTERNATIVES, ONE_TURN_EARLIER, PERFECT_KNOWLEDGE
from sim.score import Score

PLAYED = "played"
WIDE, LEFT, RIGHT, ROW = 900, 40, 40, 62


@dataclass(frozen=True)
class Way:
    """A way to play: its key, the score that it gives or None where nobody computed it."""

    key: str
    score: Score | None


def ways(figures: TeamFigures) -> tuple[Way, ...]:
    """Return the ways to play, the team's own first; the bound of perfect knowledge is last."""
    computed = {one.key: one.score for one in figures.alternatives}
    keys = (*ALTERNATIVES, *([PERFECT_KNOWLEDGE] if PERFECT_KNOWLEDGE not in ALTERNATIVES else ()))
    others = tuple(Way(key, computed.get(key)) for key in keys)
    return (Way(PLAYED, figures.score), *others)


@dataclass(frozen=True)
class WayRow:
    """A line of the table of regret."""

    key: str
    label: str
    cells: tuple[str, ...]


def way_rows(figures: TeamFigures, tongue: Tongue) -> tuple[WayRow, ...]:
    """Return every way to play with what it gives."""
    own = figures.score.points
    rows = []
    for way in ways(figures):
        score = way.score
        if score is None:
            cells = (tongue.say("not_computed"), *(["–"] * 6))
        else:
            gap = "" if way.key == PLAYED else tongue.signed(score.points - own)
            cells = (
                tongue.number(score.points),
                gap,
                tongue.number(score.saved),
                tongue.number(score.misused),
                tongue.number(score.victims),
                tongue.percent(score.recall),
                tongue.percent(score.precision),
            )
        rows.append(WayRow(way.key, tongue.say(way.key), cells))
    return tuple(rows)


def regret_chart(figures: TeamFigures, tongue: Tongue) -> Markup:
    """Draw the points of every way to play as bars from 0."""
    shown = ways(figures)
    known = [way.score.points for way in shown if way.score]
    maximum = figures.score.maximum
    foot = 16 + ROW * len(shown)
    x = Axis.over((*known, maximum), LEFT, WIDE - RIGHT, 6)
    parts = []
    for tick in x.ticks:
        parts += [
            ruled(x.at(tick), 8, x.at(tick), foot),
            text(x.at(tick), foot + 20, tongue.number(tick), "tick", "middle"),
        ]
    for here, way in enumerate(shown):
        top = 14 + ROW * here
        parts.append(
            text(
                x.at(0) + 6 if x.low == 0 else LEFT,
                top + 14,
                tongue.say(way.key),
                "label strong" if way.key == PLAYED else "label",
            )
        )
        if way.score is None:
            parts.append(text(x.at(0) + 6, top + 38, tongue.say("not_computed"), "soft"))
            continue
        points = way.score.points
        kind = "good" if way.key == PLAYED else "late"
        wide = x.at(points) - x.at(0)
        parts.append(hatched(x.at(0), top + 21, wide or 1, 24, kind))
        inside = abs(wide) > 90
        at = x.at(points) + (-8 if inside == (points >= 0) else 8)
        anchor = "end" if inside == (points >= 0) else ""
        parts.append(
            text(at, top + 38, tongue.number(points), "value boxed" if inside else "value", anchor)
        )
    parts.append(ruled(x.at(0), 8, x.at(0), foot, "axis"))
    if x.low <= maximum <= x.high:
        parts.append(ruled(x.at(maximum), 8, x.at(maximum), foot, "truth"))
        parts.append(text(x.at(maximum), foot + 42, tongue.say("maximum"), "soft", "end"))
    return drawing(WIDE, foot + 52, parts, tongue.say("regret_chart"), "wide")


@dataclass(frozen=True)
class Earlier:
    """What of the team's orders could not come one turn earlier."""

    computed: bool
    dropped: tuple[tuple[int, str], ...]
    refused: int


def earlier(figures: TeamFigures, tongue: Tongue) -> Earlier:
    """Return the orders that the earlier turns' budgets did not hold, and how many were refused."""
    found = next((one for one in figures.alternatives if one.key == ONE_TURN_EARLIER), None)
    if found is None:
        return Earlier(False, (), 0)
    return Earlier(
        True,
        tuple((order.turn, said_order(tongue.scene, order)) for order in found.dropped),
        len(found.refused),
    )
