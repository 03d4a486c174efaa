"""The forecast against the truth: a map of hits, misses, false alarms, and its scores (§12.4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from markupsafe import Markup

from exercises.debrief.figures import TeamFigures
from exercises.debrief.page_svg import Axis, drawing, line, number, ruled, sign, text
from exercises.debrief.page_tongue import Tongue
from gis.hex_paths import WIDTH, HexPaths
from sim.rules import CONFIDENCES

KINDS = ("good", "missed", "needless")
"""How hits, misses and false alarms are drawn."""
SIDE = 320
"""Side of the reliability plot."""


def ground_symbol(hexes: HexPaths) -> Markup:
    """Draw what every team's map stands on, to stand once in the page."""
    return Markup(
        f'<g id="ground-map"><path class="map-active" d="{hexes.active}"/>'
        f'<path class="map-water" d="{hexes.water}"/><path class="map-road" d="{hexes.roads}"/></g>'
    )


def forecast_symbol(figures: TeamFigures, hexes: HexPaths) -> Markup:
    """Draw a team's hits, misses and false alarms, to stand once in the page."""
    world, number = figures.team.world, figures.team.number
    painted = np.zeros(world.district.sheet.n_hexes, dtype=bool)
    painted[list(figures.team.played.states[-1].forecast)] = True
    truth, counted = world.cut_on_foot, world.district.active
    sets = (painted & truth & counted, ~painted & truth & counted, painted & ~truth & counted)
    parts = []
    for kind, on in zip(KINDS, sets, strict=True):
        name = f"map-{number}-{kind}"
        parts.append(
            f'<g class="fill-{kind} hexed"><path id="{name}" d="{hexes.hexes(on)}"/></g>'
            f'<use href="#{name}" class="maphatch-{kind}"/>'
        )
    return Markup(f'<g id="map-{number}">{"".join(parts)}</g>')


def forecast_map(figures: TeamFigures, hexes: HexPaths, tongue: Tongue) -> Markup:
    """Draw hits, misses and false alarms over the ground."""
    parts = ['<use href="#ground-map"/>', f'<use href="#map-{figures.team.number}"/>']
    skill = figures.skill
    alt = tongue.say(
        "forecast_alt", hits=skill.hits, misses=skill.misses, alarms=skill.false_alarms
    )
    return drawing(WIDTH, hexes.height, parts, alt, "map")


@dataclass(frozen=True)
class Ring:
    """A line of the skill by ring."""

    label: str
    shown: str
    share: float


def rings(figures: TeamFigures, tongue: Tongue) -> tuple[Ring, ...]:
    """Return the fractions skill score of every ring."""
    return tuple(
        Ring(
            tongue.say("ring_n", n=radius) if radius else tongue.say("ring_0"),
            tongue.share(share),
            float(share or 0),
        )
        for radius, share in figures.skill.by_ring
    )


def confidence_rows(figures: TeamFigures, tongue: Tongue) -> list[Mapping[str, str]]:
    """Return what came of the hexes painted with each confidence."""
    named = {row.percent: row for row in CONFIDENCES.values()}
    return [
        {
            "label": tongue.scene.voice.label(named[one.confidence_percent]),
            "given": tongue.percent(Fraction(one.confidence_percent, 100)),
            "painted": tongue.number(one.painted),
            "came": tongue.percent(one.observed),
        }
        for one in figures.skill.reliability
    ]


def reliability_plot(figures: TeamFigures, tongue: Tongue) -> Markup:
    """Plot what was cut against the confidence given; on the diagonal the team judged rightly."""
    across, up = Axis(0, 100, 25, 52, SIDE - 12), Axis(0, 100, 25, SIDE - 46, 14)
    parts = []
    for tick in across.ticks:
        x, y = across.at(tick), up.at(tick)
        parts += [
            ruled(x, up.start, x, up.end),
            ruled(across.start, y, across.end, y),
            text(x, up.start + 17, tongue.number(tick), "tick", "middle"),
            text(across.start - 7, y + 4, tongue.number(tick), "tick", "end"),
        ]
    parts.append(line(((across.start, up.start), (across.end, up.end)), "ideal"))
    parts += [
        text(across.at(72), up.at(22), tongue.say("too_sure"), "soft", "middle"),
        text(across.at(26), up.at(86), tongue.say("too_shy"), "soft", "middle"),
        text(
            (across.start + across.end) / 2,
            SIDE - 6,
            f"{tongue.say('given')} (%)",
            "label",
            "middle",
        ),
        _upright(13, (up.start + up.end) / 2, f"{tongue.say('came')} (%)"),
    ]
    points = [
        (across.at(one.confidence_percent), up.at(100 * float(one.observed)))
        for one in figures.skill.reliability
    ]
    if len(points) > 1:
        parts.append(line(points, "curve"))
    for x, y in points:
        parts.append(sign("disc", x, y, 6, "fill-good ringed"))
    return drawing(SIDE, SIDE, parts, tongue.say("reliability"), "square")


def _upright(x: float, y: float, words: str) -> str:
    """Return the label of an axis that goes up."""
    at = f"translate({number(x)} {number(y)}) rotate(-90)"
    return (
        f'<text class="label" text-anchor="middle" transform="{at}">{Markup.escape(words)}</text>'
    )


def painted(figures: TeamFigures) -> int:
    """Return how many hexes the team painted that count."""
    return figures.skill.hits + figures.skill.false_alarms


def cut(figures: TeamFigures) -> int:
    """Return how many hexes were cut to pedestrians in truth."""
    return figures.skill.hits + figures.skill.misses
