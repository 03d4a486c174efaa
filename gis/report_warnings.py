"""What a teacher should know of a district before play, drawn from its manifest."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gis.report_words import Words
from gis.waters import rain_on_the_sheet_only
from sim.district import District, Facility

GUESSED = ("population and streets", "streets", "nothing mapped")
"""Ways of finding a fabric where neither building nor landuse is mapped."""
BROKEN = ("outline broken", "kept in part", "no two neighbouring", "its nodes have numbers")
MOST, SOME = 0.5, 0.1
UNSURE = 0.6
COARSE_M = 60.0
DEEP_CUT_M = 5.0
CATCHMENTS_SAID = 4
SEEN_M = 5_000.0
"""A DEM that ends nearer to the sheet than this shows little of the catchments."""
COVERED, VOIDS = 0.999, 0.001
OUTSIDE = 0.05

Report = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing to know: ``grave`` where it may change how an exercise goes."""

    title: str
    text: str
    grave: bool


def warnings_of(
    manifest: Report, district: District, words: Words, found: Mapping[str, int]
) -> tuple[Remark, ...]:
    """Everything to know, the grave first, then in the order of the pipeline.

    Parameters
    ----------
    found : mapping
        Active hexes by what their fabric was read from.
    """
    report = manifest.get("report", {})
    parts = (
        _of_fabric(report.get("fabric", {}), words, found),
        _of_ground(report.get("terrain", {}), words),
        _of_catchments(manifest, words),
        _of_population(report.get("population", {}), words),
        _of_activity(report.get("activity", {}), words),
        _of_facilities(report.get("facilities", {}), district, words),
        _of_extract(manifest, words),
    )
    every = [warning for part in parts for warning in part]
    return tuple(sorted(every, key=lambda warning: not warning.grave))


def _remark(words: Words, key: str, grave: bool = False, **values: Any) -> Remark:
    return Remark(
        words.say(f"w_{key}", **values), words.say(f"w_{key}_text", **values), grave=grave
    )


def _of_fabric(fabric: Report, words: Words, found: Mapping[str, int]) -> list[Remark]:
    said = []
    total = sum(found.values())
    guessed = sum(found.get(how, 0) for how in GUESSED)
    share = guessed / total if total else 0.0
    if share >= SOME:
        most = share >= MOST
        people = found.get("population and streets", 0) * 2 >= guessed
        text = words.say(
            "w_guessed_text",
            share=words.percent(share),
            how=words.say("how_people" if people else "how_streets"),
        )
        said.append(Remark(words.say(f"w_guessed_{'most' if most else 'some'}"), text, grave=most))
    if fabric.get("roads_only"):
        said.append(_remark(words, "roads_only", grave=True))
    elif fabric and fabric["mean_confidence"] < UNSURE and share < MOST:
        said.append(_remark(words, "unsure", share=words.percent(fabric["mean_confidence"])))
    return said


def _of_ground(terrain: Report, words: Words) -> list[Remark]:
    said: list[Remark] = []
    if not terrain:
        return said
    step, pixel_m = terrain["vertical_step_m"], terrain["native_pixel_m"]
    if step >= 1:
        said.append(_remark(words, "step", grave=True, step=words.number(step)))
    if pixel_m >= COARSE_M:
        said.append(_remark(words, "coarse", grave=True, n=words.number(pixel_m)))
    if terrain["covered_share"] < COVERED:
        share = words.percent(terrain["covered_share"])
        said.append(_remark(words, "cover", share=share))
    if terrain["void_share"] > VOIDS:
        said.append(_remark(words, "voids", share=words.percent(terrain["void_share"])))
    if terrain["undeclared_voids"]:
        said.append(_remark(words, "undeclared", n=terrain["undeclared_voids"]))
    if terrain["flats"]:
        hectares = sum(flat["hectares"] for flat in terrain["flats"])
        said.append(_remark(words, "flats", n=len(terrain["flats"]), ha=hectares))
    if terrain.get("below_sea_share"):
        said.append(_remark(words, "estuary", share=words.percent(terrain["below_sea_share"])))
    if terrain["deepest_cut_m"] >= DEEP_CUT_M:
        said.append(_remark(words, "cut", n=words.number(terrain["deepest_cut_m"])))
    return said


def _of_catchments(manifest: Report, words: Words) -> list[Remark]:
    """§7.7: where most of the water of a watercourse would come from off the sheet."""
    found = manifest.get("report", {}).get("catchments", {})
    if not found:
        return []
    said = []
    if outside := rain_on_the_sheet_only(manifest):
        listed = ", ".join(
            words.say(
                "catchment" if not entry["at_least"] else "catchment_at_least",
                name=entry["name"] or words.say("nameless"),
                hex=entry["hex"],
                km2=words.number(entry["outside_km2"], 1),
                share=words.percent(entry["share"]),
            )
            for entry in outside[:CATCHMENTS_SAID]
        )
        said.append(_remark(words, "sheet_rain", grave=True, n=len(outside), which=listed))
    if found["seen_m"] < SEEN_M:
        said.append(_remark(words, "unseen", n=words.number(found["seen_m"] / 1000, 1)))
    return said


def _of_population(population: Report, words: Words) -> list[Remark]:
    said: list[Remark] = []
    if not population:
        return said
    if "source_total" not in population:
        return [_remark(words, "density", grave=True)]
    total, inside = population["source_total"], population["source_inside_sheet"]
    if total and 1 - inside / total >= OUTSIDE:
        share = words.percent(1 - inside / total)
        said.append(_remark(words, "outside", share=share, people=total - inside, total=total))
    if population["moved_to_nearest_active"]:
        people, hexes = population["moved_to_nearest_active"], population["moved_from_hexes"]
        said.append(_remark(words, "moved", people=people, n=hexes))
    if population["rows_dropped"]:
        said.append(_remark(words, "rows", n=population["rows_dropped"]))
    return said


def _of_activity(activity: Report, words: Words) -> list[Remark]:
    said = []
    if activity.get("cut_off"):
        people = activity["residents_cut_off"]
        said.append(_remark(words, "cut_off", n=activity["cut_off"], people=people))
    if activity.get("parts", 1) > 1:
        said.append(_remark(words, "parts", n=activity["parts"]))
    return said


def _of_facilities(facilities: Report, district: District, words: Words) -> list[Remark]:
    said: list[Remark] = []
    if not facilities:
        return said
    police, shelters = facilities["police_stations"], facilities["shelters"]
    stations = facilities["stations"]
    if not police["mapped"]:
        names = [_with_label(place, district) for place in district.police_stations]
        where = words.say("and").join(filter(None, (", ".join(names[:-1]), names[-1])))
        said.append(_remark(words, "police", where=where, n=len(names)))
    if shelters["completed"]:
        count, completed = len(district.shelters), shelters["completed"]
        grave = completed * 2 > count
        said.append(_remark(words, "shelters", grave=grave, completed=completed, n=count))
    if stations["completed"]:
        count, completed = len(district.stations), stations["completed"]
        said.append(_remark(words, "stations", completed=completed, n=count))
    if shelters["low"]:
        said.append(_remark(words, "low", n=shelters["low"]))
    return said


def _with_label(place: Facility, district: District) -> str:
    """Name of a place and its hex, said once where the one holds the other."""
    label = district.sheet.label(place.cell)
    return place.name if label in place.name else f"{place.name} ({label})"


def _of_extract(manifest: Report, words: Words) -> list[Remark]:
    dropped = manifest.get("report", {}).get("dropped", [])
    said = []

    def count(*begins: str) -> int:
        return sum(entry["count"] for entry in dropped if entry["reason"].startswith(begins))

    if count(*BROKEN):
        said.append(_remark(words, "broken", n=count(*BROKEN)))
    if count("coastline"):
        said.append(_remark(words, "sea", grave=True))
    if count("crossing: "):
        said.append(_remark(words, "stopped", n=count("crossing: ")))
    if any(s["kind"] == "osm" and not s["date"] for s in manifest.get("sources", [])):
        said.append(_remark(words, "date"))
    return said
