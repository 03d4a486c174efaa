"""The class: teams on the same storm side by side, which is no ranking (§17)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from exercises.debrief.figures import ClassFigures, TeamFigures
from exercises.debrief.page_course import kind_of
from exercises.debrief.page_svg import Axis, drawing, ruled, sign, text
from exercises.debrief.page_tongue import Tongue

WIDE, ROW, NAME_WIDTH = 900, 34, 210
MOST_NAME = 22
"""Characters of a name that fit beside a chart."""


@dataclass(frozen=True)
class TeamLine:
    """A team's line of the table of the class."""

    number: int
    name: str
    cells: tuple[str, ...]


CLASS_COLUMNS = (
    "points",
    "needed_and_done",
    "late_short",
    "left_short",
    "not_needed",
    "victims",
    "recall",
    "precision",
    "capital",
    "orders_count",
    "first_alert",
)


_DIFFERENCES = frozenset(
    ("seed", "turns_played", "injects", "timer", "cards", "half_staff", "credibility")
)


def differences(figures: ClassFigures, tongue: Tongue) -> str:
    """Return what is not the same for every team, in words, or ''."""
    return ", ".join(
        tongue.say(f"differs_{name}")
        if name in _DIFFERENCES
        else tongue.say("differs_other", name=name)
        for name in figures.differences
    )


def length_said(figures: ClassFigures, tongue: Tongue) -> str:
    """Return the length of the exercise, and after which turn it was ended where that was early."""
    scores = [team.score for team in figures.teams]
    length = tongue.say("turns", n=scores[0].of_turns)
    played = {score.turns for score in scores}
    if len(played) > 1 or not scores[0].is_early:
        return length
    ended = tongue.say("ended_early", n=scores[0].turns, all=scores[0].of_turns)
    return f"{length} ({ended})"


def ended_said(figures: ClassFigures, tongue: Tongue) -> list[str]:
    """Return a sentence for each team that was ended early: when, and who was not cut off yet."""
    return [
        tongue.say(
            "ended_early_team",
            team=team.team.name,
            n=team.score.turns,
            all=team.score.of_turns,
            later=tongue.say("not_yet_cut_n", n=team.score.not_yet_cut),
        )
        for team in figures.teams
        if team.score.is_early
    ]


def class_columns(figures: ClassFigures) -> tuple[str, ...]:
    """Return the columns of the table: of who was left, those not cut off yet stand apart."""
    if not any(team.score.is_early for team in figures.teams):
        return CLASS_COLUMNS
    after = CLASS_COLUMNS.index("left_short") + 1
    return (*CLASS_COLUMNS[:after], "not_yet_cut_short", *CLASS_COLUMNS[after:])


def team_lines(figures: ClassFigures, tongue: Tongue) -> tuple[TeamLine, ...]:
    """Return every team in the order given; cells are those of ``class_columns``."""
    columns = class_columns(figures)
    return tuple(_team_line(team, columns, tongue) for team in figures.teams)


def _team_line(team: TeamFigures, columns: Sequence[str], tongue: Tongue) -> TeamLine:
    sums = team.sums
    later = team.score.not_yet_cut
    orders = team.orders_stood
    alert = next((one.turn for one in orders if kind_of(one) == "alert"), None)
    cells = (
        tongue.number(team.points),
        tongue.number(sums.people_saved),
        tongue.number(sums.people_late),
        tongue.number(sums.people_left - later),
        *([tongue.number(later)] if "not_yet_cut_short" in columns else []),
        tongue.number(sums.people_misused),
        tongue.number(sums.victims),
        tongue.percent(team.recall),
        tongue.percent(team.precision),
        tongue.number(team.score.capital),
        tongue.number(len(orders)),
        tongue.say("never") if alert is None else tongue.say("turn_n", n=alert),
    )
    return TeamLine(team.team.number, team.team.name, cells)


@dataclass(frozen=True)
class Mark:
    """What a dot plot shows of every team: shape, colour, its words, its value."""

    shape: str
    kind: str
    words: str
    value: Callable[[TeamFigures], Any]


def terms_plot(figures: ClassFigures, tongue: Tongue) -> Markup:
    """Plot the people of every term, a line a team."""
    marks = (
        Mark("disc", "good", tongue.say("needed_and_done"), lambda t: t.sums.people_saved),
        Mark(
            "cross", "missed", tongue.say("needed_and_not_done"), lambda t: t.sums.people_not_done
        ),
        Mark("square", "needless", tongue.say("not_needed"), lambda t: t.sums.people_misused),
        Mark("triangle", "lost", tongue.say("victims"), lambda t: t.sums.victims),
    )
    return _dots(figures, marks, tongue, tongue.say("class_terms"), 1)


def rates_plot(figures: ClassFigures, tongue: Tongue) -> Markup:
    """Plot recall and precision, a line a team."""
    marks = (
        Mark("disc", "good", tongue.say("recall"), lambda t: t.recall),
        Mark("diamond", "needless", tongue.say("precision"), lambda t: t.precision),
    )
    return _dots(figures, marks, tongue, tongue.say("class_rates"), 100)


def _dots(
    figures: ClassFigures, marks: Sequence[Mark], tongue: Tongue, title: str, times: int
) -> Markup:
    top = 44
    foot = top + ROW * len(figures.teams)
    known = [v * times for team in figures.teams for m in marks if (v := m.value(team)) is not None]
    x = (
        Axis(0, 100, 20, NAME_WIDTH, WIDE - 30)
        if times == 100
        else Axis.over(known, NAME_WIDTH, WIDE - 30, 6)
    )
    parts = []
    for tick in x.ticks:
        shown = tongue.percent(Fraction(tick) / 100) if times == 100 else tongue.number(tick)
        parts += [
            ruled(x.at(tick), top - 8, x.at(tick), foot),
            text(x.at(tick), foot + 18, shown, "tick", "middle"),
        ]
    across = 8.0
    for mark in marks:
        parts.append(sign(mark.shape, across + 7, 16, 6.5, f"sign-{mark.kind}"))
        parts.append(text(across + 20, 21, mark.words, "key"))
        across += 44 + 7.2 * len(mark.words)
    for here, team in enumerate(figures.teams):
        y = top + ROW * (here + 0.5)
        parts.append(text(NAME_WIDTH - 14, y + 5, short_name(team.team.name), "label", "end"))
        values = [v for m in marks if (v := m.value(team)) is not None]
        if values:
            parts.append(ruled(x.at(times * min(values)), y, x.at(times * max(values)), y, "stem"))
        for mark in marks:
            value = mark.value(team)
            if value is not None:
                parts.append(
                    sign(mark.shape, x.at(float(times * value)), y, 7, f"sign-{mark.kind}")
                )
    return drawing(WIDE, foot + 26, parts, title, "wide")


def short_name(name: str, most: int = MOST_NAME) -> str:
    """Return a name of so many characters at most.

    >>> short_name("Équipe de la rive droite"), short_name("Bleue")
    ('Équipe de la rive dro…', 'Bleue')
    """
    return name if len(name) <= most else name[: most - 1].rstrip() + "…"


@dataclass(frozen=True)
class ForecastLine:
    """A team's forecast in the table of the class."""

    name: str
    cells: tuple[str, ...]


FORECAST_COLUMNS = ("painted", "hits", "misses", "alarms", "recall", "precision", "csi", "brier")


def forecast_lines(figures: ClassFigures, tongue: Tongue) -> tuple[ForecastLine, ...]:
    """Return every team's forecast; cells are those of ``FORECAST_COLUMNS``."""
    lines = []
    for team in figures.teams:
        skill = team.skill
        lines.append(
            ForecastLine(
                team.team.name,
                (
                    tongue.number(skill.hits + skill.false_alarms),
                    tongue.number(skill.hits),
                    tongue.number(skill.misses),
                    tongue.number(skill.false_alarms),
                    tongue.percent(skill.recall),
                    tongue.percent(skill.precision),
                    tongue.share(skill.csi),
                    tongue.share(skill.brier, 3),
                ),
            )
        )
    return tuple(lines)
