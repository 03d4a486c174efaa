"""What an exercise keeps and says of its weather (§7.7)."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from exercises.voice import SOURCE, Voice, voice
from gis.store import read_manifest
from gis.waters import rain_on_the_sheet_only
from sim.district import District, Ground
from sim.water import storm_under
from sim.weather import Weather

Entry = dict[str, Any]
WEATHER_ENTRIES = ("weather", "rain_on_the_sheet_only")
"""What ``weather_entry`` may hold."""


def district_under(district: District, weather: Weather | None) -> District:
    """Return a district as its levels stand under a weather: rain of its own is no level's.

    Where a file gives the rain, it falls at every level, and a bulletin that spoke of the level's
    years would speak of another storm (§6.2, 7.7): it then speaks of levels, as on any ground on
    which a level is more than a return period.
    """
    if weather is None or weather.years is None:
        return district
    ladder = (replace(severity, rain_years=weather.years) for severity in district.ladder)
    return replace(district, ladder=tuple(ladder))


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


def weather_rows(summary: Mapping[str, Any], lang: str = SOURCE) -> list[tuple[str, str]]:
    """Rows of the console about the weather of a played exercise, from its ``exercise.json``."""
    say = voice(lang)
    rows = []
    if weather := summary.get("weather"):
        rows.append((say.phrase("weather"), "; ".join(_weather_said(weather, say))))
    if only := summary.get("rain_on_the_sheet_only"):
        rows.append((say.phrase("catchments"), _outside(only, say)))
    return rows


def _weather_said(weather: Mapping[str, Any], say: Voice) -> list[str]:
    said = [weather["file"]]
    if weather["own_rain"]:
        period = f"{weather['rain_years']:g}"
        years = say.phrase("{years}-year rain in place of the level's", years=period)
        if weather["beyond_fitted"]:
            years = say.phrase("{rain}, beyond what its law was fitted on", rain=years)
        said.append(years)
    if weather["moving_cell"]:
        said.append(say.phrase("a cell that moves"))
    if weather["held_levels"]:
        said.append(say.phrase("water bodies at a level in time"))
    if weather["inflow_hexes"]:
        said.append(say.phrase("inflow at {hexes}", hexes=", ".join(weather["inflow_hexes"])))
    return said


def _outside(only: Sequence[Mapping[str, Any]], say: Voice) -> str:
    first = only[0]
    share = say.percent(first["share"], 0)
    if first["at_least"]:
        share = say.phrase("at least {share}", share=share)
    name = first["name"] or say.phrase("a watercourse")
    said = say.phrase(
        "rain on the sheet only: {share} of that of {name} ({hex}) lies outside",
        share=share,
        name=name,
        hex=first["hex"],
    )
    if not only[1:]:
        return said
    return say.plural("{said}, and {n} more", "{said}, and {n} more", len(only) - 1, said=said)
