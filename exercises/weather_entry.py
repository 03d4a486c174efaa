"""What an exercise keeps and says of its weather (§7.7)."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gis.store import read_manifest
from gis.waters import rain_on_the_sheet_only
from sim.district import District, Ground
from sim.water import storm_under
from sim.weather import Weather

Entry = dict[str, Any]
WEATHER_ENTRIES = ("weather", "rain_on_the_sheet_only")
"""What ``weather_entry`` may hold."""


def weather_entry(
    pack: Path,
    district: District,
    ground: Ground,
    level: int,
    path: Path | None,
    weather: Weather | None,
) -> Entry:
    """What ``exercise.json`` says: "weather" where a file gave one, "rain_on_the_sheet_only".

    The latter lists the watercourses of which over a fifth of the catchment lies off the sheet and
    which no inflow makes up for.
    """
    brought: list[str] = []
    entry: Entry = {}
    if path is not None and weather is not None:
        storm = storm_under(district, district.severity(level), weather)
        brought = [
            district.sheet.label(int(np.min(ground.cell[inflow.pixels])))
            for inflow in weather.inflows
        ]
        entry["weather"] = {
            "file": path.name,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "rain_years": storm.years,
            "law_source": storm.law.source,
            "beyond_fitted": storm.law.beyond_fitted(storm.hyetograph.length_min, storm.years),
            "own_rain": weather.years is not None or weather.law is not None,
            "form": storm.hyetograph.form,
            "moving_cell": storm.cell is not None,
            "held_levels": len(weather.levels),
            "inflow_hexes": brought,
        }
    entry["rain_on_the_sheet_only"] = [
        {"name": e["name"], "hex": e["hex"], "share": e["share"], "at_least": e["at_least"]}
        for e in rain_on_the_sheet_only(read_manifest(pack), brought)
    ]
    return entry


def weather_rows(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Rows of the console about the weather of a played exercise, from its ``exercise.json``."""
    rows = []
    if weather := summary.get("weather"):
        said = [weather["file"]]
        if weather["own_rain"]:
            beyond = ", beyond what its law was fitted on" if weather["beyond_fitted"] else ""
            said.append(f"{weather['rain_years']:g}-year rain in place of the level's{beyond}")
        if weather["moving_cell"]:
            said.append("a cell that moves")
        if weather["held_levels"]:
            said.append("water bodies at a level in time")
        if weather["inflow_hexes"]:
            said.append(f"inflow at {', '.join(weather['inflow_hexes'])}")
        rows.append(("weather", "; ".join(said)))
    if only := summary.get("rain_on_the_sheet_only"):
        first = only[0]
        least = "at least " if first["at_least"] else ""
        more = f" and {len(only) - 1} more" if only[1:] else ""
        whose = f"{first['name'] or 'a watercourse'} ({first['hex']})"
        outside = f"{least}{first['share']:.0%} of that of {whose} lies outside{more}"
        rows.append(("catchments", f"rain on the sheet only: {outside}"))
    return rows
