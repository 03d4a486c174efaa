"""What the two maps under one slider are drawn from: packed arrays, a team each (§17)."""

from typing import Any

import numpy as np
from markupsafe import Markup

from exercises.debrief.figures import TeamFigures
from exercises.debrief.page_decisions import orders_by_moment
from exercises.debrief.page_svg import drawing, line
from exercises.debrief.page_tongue import Tongue
from exercises.map_frames import frames_of
from gis.frames import Frames
from gis.shown import links_in_play
from gis.webmap import turns_data
from sim.rules import WATERS, Water

TRACK_WIDTH, TRACK_HEIGHT = 600, 46
_WET_MM = WATERS[Water.SLOWED].from_mm
_SCRIPT_WORDS = {
    "end": "end",
    "over": "over",
    "no_order": "no_order",
    "no_bulletin": "no_bulletin",
    "bulletin": "bulletin_says",
    "counted": "counted",
    "people": "to_shelter_here",
    "kept": "kept",
    "more_right": "more_right",
}


def script_words(tongue: Tongue) -> dict[str, str]:
    """Return the texts that the page's scripts fill in."""
    return {name: tongue.unfilled(key) for name, key in _SCRIPT_WORDS.items()}


def twin_data(
    figures: TeamFigures, frames: Frames, tongue: Tongue, storm: dict[str, Any] | None
) -> dict[str, Any]:
    """Return a team's turns as its maps read them.

    Parameters
    ----------
    storm : dict, optional
        Data of the first team: what is the same in it is left out here, and read there.
    """
    district = figures.team.world.district
    data = turns_data(district, frames, links_in_play(district))
    if storm is not None and data["trueMm"] == storm["trueMm"]:
        del data["trueMm"]
    wet = _wet(frames.true_depth_mm, district.active)
    return {**data, "orders": orders_by_moment(figures, tongue), "first": int(np.argmax(wet))}


def frames_for(figures: TeamFigures, lang: str) -> Frames:
    """Return the frames of a team's maps, checked."""
    frames = frames_of(figures.team.played, lang)
    frames.check(figures.team.world.district)
    return frames


def gap_track(figures: TeamFigures, frames: Frames, tongue: Tongue) -> Markup:
    """Draw how many hexes were under water in truth and as known, over the slider's own width."""
    active = figures.team.world.district.active
    true, known = _wet(frames.true_depth_mm, active), _wet(frames.known_depth_mm, active)
    most = max(int(true.max()), int(known.max()), 1)
    turns = len(true) - 1

    def points(counts: Any) -> list[tuple[float, float]]:
        return [
            (TRACK_WIDTH * turn / turns, 2 + (TRACK_HEIGHT - 4) * (1 - n / most))
            for turn, n in enumerate(counts.tolist())
        ]

    foot = TRACK_HEIGHT - 1
    area = [(0.0, foot), *points(true), (float(TRACK_WIDTH), foot)]
    parts = [
        line(area, "area-true"),
        line(points(true), "line-true"),
        line(points(known), "line-known"),
    ]
    return drawing(TRACK_WIDTH, TRACK_HEIGHT, parts, tongue.say("gap_track"), "gap", stretched=True)


def _wet(depth_mm: Any, active: Any) -> Any:
    return (np.asarray(depth_mm)[:, active] >= _WET_MM).sum(axis=1)
