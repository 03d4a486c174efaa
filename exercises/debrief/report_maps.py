"""The three maps of the printed report, and their legends (§17)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from exercises.debrief.figures import TeamFigures
from exercises.debrief.kinds import cut_links, forecast_kinds, outcomes
from exercises.debrief.page_tongue import Tongue
from exercises.debrief.report_words import report_say
from gis.result_maps import Bar, ResultMaps, Tint, key_of, shelter_key
from gis.sheet_style import Hatch
from gis.shown import links_in_play
from sim.links import water_class
from sim.rules import Mode, Water

# fmt: off
_WATER = {
    Water.SLOWED:   Tint("#cfe3ee"),
    Water.BLOCKING: Tint("#8fbcd6", Hatch((0,), 0.24, 0.020), "#3d6f8c"),
    Water.NAUTICAL: Tint("#4a8fb5", Hatch((45,), 0.20, 0.024), "#1d4a63"),
    Water.HOSTILE:  Tint("#1f5f86", Hatch((45, 135), 0.17, 0.026), "#ffffff"),
}
_FORECAST = {
    "hit":         ("hits",   Tint("#8fd0b5", Hatch((45,), 0.20, 0.026), "#05684c")),
    "miss":        ("misses", Tint("#f0b489", Hatch((45, 135), 0.22, 0.024), "#8a3a06")),
    "false_alarm": ("alarms", Tint("#f6eda0", Hatch((), 0.16, 0.036), "#7d7208")),
}
_OUTCOME = {
    "saved":      Tint("#8fd0b5", Hatch((45,), 0.20, 0.026), "#05684c"),
    "late":       Tint("#b9dcf2", Hatch((0,), 0.20, 0.026), "#20679a"),
    "left":       Tint("#f3cc8a", Hatch((45, 135), 0.22, 0.024), "#8a5a06"),
    "victims":    Tint("#8b1a4a", Hatch((90,), 0.17, 0.045), "#f3d9e3"),
    "not_needed": Tint("#e3dcf0", Hatch((), 0.16, 0.036), "#6a5a94"),
}
# fmt: on
_ON_FOOT, _BY_VEHICLE = Bar("#e08214", 0.13), Bar("#b2182b", 0.19, "0.14 0.07")


@dataclass(frozen=True)
class DrawnMap:
    """A map of the report.

    Attributes
    ----------
    svg : str
    legend : tuple of (str, str)
        Swatch as SVG, and words.
    caption : str
    """

    svg: str
    legend: tuple[tuple[str, str], ...]
    caption: str

    def plain(self, maps: ResultMaps) -> dict[str, Any]:
        """Return the map as the template takes it."""
        width, height = maps.size_mm
        return {
            "svg": self.svg,
            "width": round(width, 2),
            "height": round(height, 2),
            "legend": [list(entry) for entry in self.legend],
            "caption": self.caption,
        }


def water_map(figures: TeamFigures, maps: ResultMaps, tongue: Tongue) -> DrawnMap:
    """Draw the deepest water of every hex, and the links that were cut at some turn."""
    world, played = figures.team.world, figures.team.played
    deepest = world.depth_mm[: played.turns + 1].max(axis=0)
    active = world.district.active
    # open water is drawn as such, and stands in no class
    classes = np.where(active, water_class(deepest), Water.FREE)
    on_foot, by_vehicle = (
        cut_links(figures.team, mode).any(axis=0) & links_in_play(world.district)
        for mode in (Mode.FOOT, Mode.VEHICLE)
    )
    tints = [(classes == water, tint) for water, tint in _WATER.items()]
    bars = [(on_foot & ~by_vehicle, _ON_FOOT), (by_vehicle, _BY_VEHICLE)]
    unit = maps.unit_mm
    legend = (
        *((key_of(tint, unit), tongue.water(int(water))) for water, tint in _WATER.items()),
        (key_of(_ON_FOOT, unit), report_say("cut_foot", tongue.lang)),
        (key_of(_BY_VEHICLE, unit), report_say("cut_vehicles", tongue.lang)),
        (shelter_key(), report_say("a_shelter", tongue.lang)),
    )
    caption = report_say(
        "water_caption",
        tongue.lang,
        foot=int((on_foot | by_vehicle).sum()),
        vehicles=int(by_vehicle.sum()),
    )
    return DrawnMap(maps.svg(tints, bars), legend, caption)


def forecast_map(figures: TeamFigures, maps: ResultMaps, tongue: Tongue) -> DrawnMap:
    """Draw hits, misses and false alarms of the forecast (§12.4)."""
    kinds, active = forecast_kinds(figures), figures.team.world.district.active
    tints = [((kinds == kind) & active, tint) for kind, (_, tint) in _FORECAST.items()]
    legend = tuple(
        (key_of(tint, maps.unit_mm), f"{tongue.say(key)} ({tongue.say(f'{key}_what')})")
        for key, tint in _FORECAST.values()
    )
    return DrawnMap(maps.svg(tints), legend, report_say("forecast_caption", tongue.lang))


def outcome_map(figures: TeamFigures, maps: ResultMaps, tongue: Tongue) -> DrawnMap:
    """Draw what became of most of the people of every hex."""
    said = outcomes(figures)
    tints = [(said == key, tint) for key, tint in _OUTCOME.items()]
    legend = (
        *(
            (key_of(tint, maps.unit_mm), report_say(f"o_{key}", tongue.lang))
            for key, tint in _OUTCOME.items()
        ),
        (shelter_key(), report_say("a_shelter", tongue.lang)),
    )
    return DrawnMap(maps.svg(tints), legend, report_say("outcome_caption", tongue.lang))
