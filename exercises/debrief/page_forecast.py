"""The forecast against the truth: a map of hits, misses, false alarms, and its scores (§12.4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import shapely
from markupsafe import Markup

from exercises.debrief.figures import TeamFigures
from exercises.debrief.page_svg import Axis, drawing, line, number, ruled, sign, text
from exercises.debrief.page_tongue import Tongue
from gis.webmap import Scene
from sim.district import BoolArray
from sim.rules import CONFIDENCES

WIDTH = 1_000
MARGIN = 8
KINDS = ("good", "missed", "needless")
"""How hits, misses and false alarms are drawn."""
SMALLEST_WATER_UNITS = 40.0
TENTHS = 10
"""The map is drawn in tenths of its unit, in whole numbers."""
SIDE = 320
"""Side of the reliability plot."""


class HexMap:
    """The hexes of a district on a drawing, and what stands still on it.

    Attributes
    ----------
    width, height : int
        Of the drawing, its own units.

    """

    def __init__(self, scene: Scene) -> None:
        active = scene.district.active
        west, south = scene.corners[active].reshape(-1, 2).min(axis=0)
        east, north = scene.corners[active].reshape(-1, 2).max(axis=0)
        scale = (WIDTH - 2 * MARGIN) / (east - west)
        self.width, self.height = WIDTH, int(np.ceil((north - south) * scale)) + 2 * MARGIN
        self._points = np.rint(
            np.stack(
                (
                    (scene.corners[..., 0] - west) * scale + MARGIN,
                    (north - scene.corners[..., 1]) * scale + MARGIN,
                ),
                axis=-1,
            )
            * TENTHS
        ).astype(int)
        self._active = active
        self.ground = Markup(self._ground(scene, west, north, scale))

    def hexes(self, on: BoolArray) -> str:
        """Return a path of some hexes, tenths of a unit."""
        parts = []
        for ring in self._points[on].tolist():
            (x, y), *others = ring
            parts.append(f"M{x} {y}")
            for px, py in others:
                parts.append(f"l{px - x} {py - y}")
                x, y = px, py
            parts.append("z")
        return "".join(parts)

    def _ground(self, scene: Scene, west: float, north: float, scale: float) -> str:
        """Draw once what every team's map stands on: active hexes, water, main roads."""
        base = scene.basemap
        water = base.geometry[base["kind"] == "water"].to_numpy()
        roads = base.geometry[base["kind"].isin(("road3", "road4"))].to_numpy()
        frame = shapely.box(
            west - MARGIN / scale,
            north - (self.height - MARGIN) / scale,
            west + (WIDTH - MARGIN) / scale,
            north + MARGIN / scale,
        )

        def path(shapes: Any, tolerance: float, closed: bool) -> str:
            shown = shapely.intersection(shapely.simplify(shapes, tolerance / scale), frame)
            # a multipart may hold multiparts: taken apart twice
            parts = shapely.get_parts(shapely.get_parts(shown))
            parts = parts[shapely.get_type_id(parts) == (3 if closed else 1)]
            told = []
            for part in shapely.get_rings(parts) if closed else parts:
                x, y = shapely.get_coordinates(part).T
                at = np.column_stack(((x - west) * scale + MARGIN, (north - y) * scale + MARGIN))
                points = np.rint(at * TENTHS).astype(int)
                moves = " ".join(f"{dx} {dy}" for dx, dy in np.diff(points, axis=0).tolist())
                told.append(f"M{points[0, 0]} {points[0, 1]}l{moves}" + ("z" if closed else ""))
            return "".join(told)

        wide = (
            water[shapely.area(water) * scale**2 >= SMALLEST_WATER_UNITS] if len(water) else water
        )
        return (
            f'<path class="map-active" d="{self.hexes(self._active)}"/>'
            f'<path class="map-water" d="{path(wide, 1.5, True)}"/>'
            f'<path class="map-road" d="{path(roads, 2.0, False)}"/>'
        )


def forecast_map(figures: TeamFigures, hexes: HexMap, tongue: Tongue) -> Markup:
    """Draw hits, misses and false alarms over the ground that stands once in the page."""
    world = figures.team.world
    painted = np.zeros(world.district.sheet.n_hexes, dtype=bool)
    painted[list(figures.team.played.states[-1].forecast)] = True
    truth, counted = world.cut_on_foot, world.district.active
    sets = (painted & truth & counted, ~painted & truth & counted, painted & ~truth & counted)
    parts = ['<g transform="scale(.1)"><use href="#ground-map"/>']
    for kind, on in zip(KINDS, sets, strict=True):
        path = hexes.hexes(on)
        parts.append(f'<path class="fill-{kind} hexed" d="{path}"/>')
        # a hatch is laid on at ten times its size: the map is drawn in tenths
        parts.append(f'<path class="maphatch-{kind}" d="{path}"/>')
    parts.append("</g>")
    skill = figures.skill
    alt = tongue.say(
        "forecast_alt", hits=skill.hits, misses=skill.misses, alarms=skill.false_alarms
    )
    return drawing(hexes.width, hexes.height, parts, alt, "map")


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
