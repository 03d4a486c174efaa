"""The three terms with the people behind them, and the two rates that they give (§12.1, 12.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from markupsafe import Markup

from exercises.debrief.figures import TeamFigures
from exercises.debrief.page_svg import box, drawing, hatched, number
from exercises.debrief.page_tongue import Tongue
from sim.rules import POINTS_CAPITAL
from sim.shares import Share

MOST_FIGURES = 60
"""Figures that the longest row of people may hold."""
UNITS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
FIGURE_WIDTH, FIGURE_HEIGHT, IN_A_LINE = 13, 27, 30
RATE_WIDTH, RATE_HEIGHT = 640, 34


@dataclass(frozen=True)
class Crowd:
    """A row of people: how many, of which kinds, and their picture.

    Attributes
    ----------
    key : str
        Of the term.
    people : int
    split : tuple of (str, int)
        Key and people of what the row is made of, where that is more than one thing.
    picture : Markup

    """

    key: str
    people: int
    split: tuple[tuple[str, int], ...]
    picture: Markup


def crowds(figures: TeamFigures, tongue: Tongue) -> tuple[tuple[Crowd, ...], int]:
    """Return the rows of people and how many of them one figure stands for."""
    sums = figures.sums
    rows: dict[str, tuple[tuple[str, str, int], ...]] = {
        "needed_and_done": (("", "good", sums.people_saved),),
        "needed_and_not_done": (
            ("late", "late", sums.people_late),
            ("left", "missed", sums.people_left - figures.score.not_yet_cut),
            *_not_yet_cut(figures),
        ),
        "not_needed": (("", "needless", sums.people_misused),),
        "victims": (("", "lost", sums.victims),),
    }
    most = max(sum(people for _, _, people in row) for row in rows.values())
    unit = next((u for u in UNITS if most <= MOST_FIGURES * u), ceil(most / MOST_FIGURES))
    return tuple(
        Crowd(
            key,
            sum(people for _, _, people in row),
            tuple((part, people) for part, _, people in row if part),
            _picture([(kind, people) for _, kind, people in row], unit, tongue),
        )
        for key, row in rows.items()
    ), unit


def _not_yet_cut(figures: TeamFigures) -> tuple[tuple[str, str, int], ...]:
    """Those whom the storm cuts off after the end only, where the exercise was ended early."""
    if not figures.score.is_early:
        return ()
    return (("not_yet_cut", "rest", figures.score.not_yet_cut),)


def terms_lead(figures: TeamFigures, tongue: Tongue) -> str:
    """Say how many had to leave, and how many of them it was settled for (§12.2)."""
    people, score = figures.sums.people_threatened, figures.score
    if not people:
        return tongue.say("terms_none")
    if not score.is_early:
        return tongue.say("terms_lead", n=people)
    return tongue.say("terms_lead_early", n=people, cut=people - score.not_yet_cut)


def _picture(row: Sequence[tuple[str, int]], unit: int, tongue: Tongue) -> Markup:
    """Draw people as figures of so many; the last of a kind is cut where it is not a whole one."""
    figures = [
        (kind, min(1.0, (people - first) / unit))
        for kind, people in row
        for first in range(0, people, unit)
    ]
    parts = []
    for here, (kind, share) in enumerate(figures):
        x, y = FIGURE_WIDTH * (here % IN_A_LINE), FIGURE_HEIGHT * (here // IN_A_LINE)
        if share == 1.0:
            parts.append(_figure(x, y, f"person-{kind}"))
            continue
        # what lacks to a whole one is an outline
        wide = number(max(10 * share, 1.5))
        parts.append(_figure(x, y, "person-rest"))
        parts.append(
            f'<svg x="{x}" y="{y}" width="{wide}" height="24" viewBox="0 0 {wide} 24">'
            f"{_figure(0, 0, f'person-{kind}')}</svg>"
        )
    width = FIGURE_WIDTH * IN_A_LINE
    height = FIGURE_HEIGHT * max(1, ceil(len(figures) / IN_A_LINE))
    told = tongue.say("n_people", n=sum(people for _, people in row))
    return drawing(width, height, parts, told, "people")


def _figure(x: float, y: float, kind: str) -> str:
    at = f'x="{number(x)}" y="{number(y)}"'
    return f'<use href="#person" {at} width="10" height="24" class="{kind}"/>'


@dataclass(frozen=True)
class TermRow:
    """A line of the table of terms."""

    label: str
    people: str
    each: str
    points: str


def term_rows(figures: TeamFigures, tongue: Tongue) -> tuple[TermRow, ...]:
    """Return the score term by term, the capital last (§12.1, 12.3)."""
    rows = [
        TermRow(
            tongue.say(term.key),
            tongue.number(term.people),
            tongue.signed(term.points_each),
            tongue.signed(term.points),
        )
        for term in figures.terms
    ]
    rows.append(
        TermRow(
            tongue.say("capital"),
            tongue.say("capital_each", n=figures.score.capital),
            tongue.signed(POINTS_CAPITAL),
            tongue.signed(figures.points_capital),
        )
    )
    return tuple(rows)


@dataclass(frozen=True)
class Rate:
    """Recall or precision: its name, figure, what it is of, and a bar."""

    key: str
    shown: str
    of: str
    bar: Markup


def rates(figures: TeamFigures, tongue: Tongue) -> tuple[Rate, ...]:
    """Return recall and precision."""
    sums = figures.sums
    of_recall = tongue.say("recall_is", saved=sums.people_saved, threatened=sums.people_threatened)
    if figures.score.is_early:
        later = tongue.say("not_yet_cut_n", n=figures.score.not_yet_cut)
        of_recall = tongue.clauses((of_recall, later))
    # rounded as the score rounds places: down, once
    of_precision = tongue.say("precision_is", well=sums.places_well_used // 100, used=sums.places)
    return (
        _rate("recall", figures.recall, of_recall, "good", tongue),
        _rate("precision", figures.precision, of_precision, "good", tongue),
    )


def _rate(key: str, share: Share, of: str, kind: str, tongue: Tongue) -> Rate:
    told = f"{tongue.say(key)} {tongue.percent(share)}"
    width = RATE_WIDTH * float(share or 0)
    parts = [
        box(0.5, 0.5, RATE_WIDTH - 1, RATE_HEIGHT - 1, "frame"),
        hatched(0, 0, width, RATE_HEIGHT, kind) if share else "",
    ]
    bar = drawing(RATE_WIDTH, RATE_HEIGHT, parts, told, "rate", stretched=True)
    return Rate(key, tongue.percent(share), of if share is not None else tongue.say("nothing"), bar)
