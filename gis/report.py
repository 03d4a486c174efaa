"""The build report: one page a person wants to read, that opens with the network cut.

It is drawn from a finished pack alone, so that it can be written again in the other language.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import geopandas as gpd
import jinja2
import numpy as np
from markupsafe import Markup

from gis.aside import require_name
from gis.offline import save_page
from gis.provenance import OSM_LICENCE, shown_credit
from gis.report_ladder import ladder_part
from gis.report_maps import WIDTH, Plan, layer_maps
from gis.report_warnings import warnings_of
from gis.report_words import Reason, Words
from gis.store import GPKG, MANIFEST
from gis.webmap import Scene, read_scene
from sim.district import District, Facility, FloatArray
from sim.errors import DistrictError
from sim.refusal import refuse
from sim.rules import HEX_SIDE_M, HEX_WIDTH_M, LINKS, Fabric, LinkClass

Progress = Callable[[str, float], None]
Manifest = Mapping[str, Any]

HASH_SHOWN = 16
"""Hexadecimal digits of a file's hash that are shown."""
MOST_REASONS = 200


@dataclass(frozen=True)
class Certainty:
    """How each fabric was found: share of certainty and what it was read from, by hex."""

    confidence: FloatArray
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """A line of a table with its share of the whole, percent."""

    label: str
    cells: tuple[str, ...]
    share: float
    colour: str = ""


def write_report(
    pack_folder: Path, out_html: Path, *, lang: str = "fr", progress: Progress | None = None
) -> Path:
    """Write the build report of a district pack.

    Parameters
    ----------
    pack_folder : Path
        District pack.
    out_html : Path
        File to write; replaced whole, or left as it was when something goes wrong.
    lang : str
        ``fr`` or ``en``.
    progress : callable, optional
        Told the stage and the share done.

    Returns
    -------
    Path
        ``out_html``.

    Raises
    ------
    DistrictError
        If the pack is missing or damaged, or the file cannot be written.
    SourceError
        If the file's name does not end as a page's does.
    ExerciseError
        If the language is unknown.
    OutsideReferenceError
        If the page would ask a host for anything.
    """
    require_name(Path(out_html), ".html", ".htm")
    tell = progress or (lambda stage, share: None)
    words = Words(lang)
    tell("writing the report", 0.0)
    scene = read_scene(Path(pack_folder))
    try:
        page = page_of(scene, read_certainty(Path(pack_folder)), words)
    except (AttributeError, LookupError, TypeError, ValueError, jinja2.TemplateError) as error:
        # a build wrote what is told here, unless somebody else did
        raise DistrictError(
            refuse(
                "",
                "{file} tells of the build what no build tells ({error}): build the district again",
                file=str(Path(pack_folder) / MANIFEST),
                error=f"{type(error).__name__}: {error!s:.120}",
            )
        ) from error
    save_page(page, Path(out_html))
    tell("writing the report", 1.0)
    return Path(out_html)


def read_certainty(pack_folder: Path) -> Certainty | None:
    """How sure each fabric of a pack is; None where the pack does not say."""
    hexes = gpd.read_file(pack_folder / GPKG, layer="hexes", ignore_geometry=True)
    if "confidence" not in hexes:
        return None
    hexes = hexes.sort_values("label", kind="stable")
    return Certainty(
        hexes["confidence"].to_numpy(dtype=np.float32), tuple(hexes["fabric_from"].astype(str))
    )


def page_of(scene: Scene, certainty: Certainty | None, words: Words) -> str:
    """Return the page; every text of it goes through Jinja's autoescape, none is a template."""
    district, manifest = scene.district, scene.manifest
    plan = Plan.of(scene)
    found: Counter[str] = Counter()
    if certainty is not None:
        found.update(np.array(certainty.found)[district.active].tolist())
    folder = files("gis") / "assets" / "report"
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    template = environment.from_string((folder / "report.html").read_text(encoding="utf-8"))
    return template.render(
        lang=words.lang,
        say=words.say,
        style=Markup((folder / "report.css").read_text(encoding="utf-8")),
        name=district.name,
        subtitle=_subtitle(district, manifest, words),
        figures=_figures(district, found, certainty, words),
        remarks=warnings_of(manifest, district, words, found),
        width=WIDTH,
        height=plan.height,
        water=Markup(plan.water),
        veil=Markup(plan.veil),
        maps=layer_maps(plan, certainty.confidence if certainty else None, words),
        fabrics=_fabrics(district, certainty, words),
        found=_found(found, words),
        links=_links(district, words),
        facilities=_facilities(manifest, district, words),
        places=_places(district, words),
        ladder=ladder_part(district, manifest, words.lang),
        ground=_ground(manifest, words),
        read=_read(manifest, words),
        dropped=_dropped(manifest, words),
        dropped_count=sum(entry["count"] for entry in _entries(manifest)),
        corrections=manifest.get("report", {}).get("corrections", []),
        sources=_sources(manifest, words),
        versions=", ".join(f"{k} {v}" for k, v in manifest.get("versions", {}).items()),
        credit=shown_credit(manifest, words.lang),
        licence=manifest.get("licence") or OSM_LICENCE,
        credits=[
            (words.known(f"source_{source['kind']}"), source["credit"])
            for source in _unlike_by(manifest.get("sources", []), "credit")
            if source["credit"] != manifest.get("attribution")
        ],
        rules=words.say(
            "rules", version=manifest.get("rules_version", "?"), region=district.region
        ),
        district_hash=manifest["district_sha256"],
        ground_hash=manifest["ground_sha256"],
    )


# ------------------------------------------------------------------------------- the head
def _subtitle(district: District, manifest: Manifest, words: Words) -> str:
    sheet = district.sheet
    width_m = 1.5 * HEX_SIDE_M * (sheet.columns - 1) + 2 * HEX_SIDE_M
    height_m = HEX_WIDTH_M * (sheet.rows + (0.5 if sheet.columns > 1 else 0.0))
    return words.say(
        "sheet",
        columns=sheet.columns,
        rows=sheet.rows,
        width=words.number(width_m / 1000, 1),
        height=words.number(height_m / 1000, 1),
        crs=manifest.get("crs", ""),
    )


def _figures(
    district: District, found: Counter[str], certainty: Certainty | None, words: Words
) -> list[tuple[str, str]]:
    shelters, quarters = len(district.shelters), len(district.quarters)
    places = sum(s.places for s in district.shelters)
    residents = int(district.residents.sum())
    unshelterable = int(district.unshelterable.sum())
    passable = int((district.link_class > LinkClass.NONE).sum())
    figures = [
        (
            words.number(int(district.active.sum())),
            words.say("figure_active", n=district.sheet.n_hexes),
        ),
        (words.number(residents), words.say("figure_residents")),
        (words.number(unshelterable), words.say("figure_unshelterable")),
        (words.number(quarters), words.say("figure_quarters", n=quarters)),
        (words.number(shelters), words.say("figure_shelters", n=shelters, places=places)),
        (words.number(passable), words.say("figure_links")),
    ]
    if certainty is not None:
        mean = float(certainty.confidence[district.active].mean())
        figures.append((words.percent(mean), words.say("figure_sure")))
    return figures


# ------------------------------------------------------------------------------- the tables
def _fabrics(district: District, certainty: Certainty | None, words: Words) -> list[Bar]:
    rows = []
    active = int(district.active.sum())
    for fabric in Fabric:
        here = district.active & (district.fabric == fabric)
        count = int(here.sum())
        sure = "–"
        if certainty is not None and count:
            sure = words.percent(float(certainty.confidence[here].mean()))
        row = district.fabric_rows[fabric]
        rows.append(
            Bar(
                getattr(row, f"label_{words.lang}"),
                (words.number(count), words.number(int(district.residents[here].sum())), sure),
                100 * count / active,
                f"f{int(fabric)}",
            )
        )
    return rows


def _found(found: Counter[str], words: Words) -> list[Bar]:
    total = found.total()
    alone = {"landuse": "landuse only", "buildings": "buildings only"}
    return [
        Bar(words.known(alone.get(how, how)), (words.number(count),), 100 * count / total)
        for how, count in found.most_common()
    ]


def _links(district: District, words: Words) -> list[Bar]:
    counts = np.bincount(district.link_class, minlength=len(LinkClass))
    return [
        Bar(
            getattr(row, f"label_{words.lang}"),
            (words.number(int(counts[link])),),
            100 * float(counts[link]) / len(district.link_class),
        )
        for link, row in LINKS.items()
    ]


def _groups(district: District) -> tuple[tuple[str, str, tuple[Facility, ...]], ...]:
    return (
        ("shelter", "shelters", district.shelters),
        ("station", "stations", district.stations),
        ("police", "police_stations", district.police_stations),
        ("technical", "technical_centres", district.technical_centres),
    )


def _facilities(manifest: Manifest, district: District, words: Words) -> list[tuple[str, ...]]:
    report = manifest.get("report", {}).get("facilities", {})
    return [
        (
            words.say(kind),
            words.number(len(group)),
            words.number(placed["mapped"]),
            words.number(len(group) - placed["completed"]),
            words.number(placed["completed"]),
        )
        for kind, key, group in _groups(district)
        if (placed := report.get(key))
    ]


def _places(district: District, words: Words) -> list[tuple[str, ...]]:
    return [
        (
            words.say(kind),
            district.sheet.label(place.cell),
            place.name,
            words.number(place.places) if place.places else "",
        )
        for kind, _, group in _groups(district)
        for place in group
    ]


def _ground(manifest: Manifest, words: Words) -> list[tuple[str, str]]:
    terrain = manifest.get("report", {}).get("terrain")
    if not terrain:
        return []
    step = terrain["vertical_step_m"]
    per_hex = words.say("per_hex", n=terrain["pixels_per_hex"])
    rows = [
        (words.say("native_pixel"), f"{words.number(terrain['native_pixel_m'])} m"),
        (words.say("pixel"), f"{words.number(terrain['pixel_m'])} m, {per_hex}"),
        (
            words.say("vertical_step"),
            f"{words.number(step)} m" if step else words.say("no_step"),
        ),
        (words.say("open_water_share"), words.percent(terrain["open_water_share"])),
        (words.say("channels"), f"{words.number(terrain['channel_km'], 1)} km"),
    ]
    opened, under = terrain.get("culverts_opened", 0), terrain.get("culverts_under", 0)
    if opened or under:
        said = words.say("culverts_said", opened=opened, under=under)
        rows.append((words.say("culverts"), said))
    if terrain.get("deck_pixels"):
        rows.append((words.say("decks"), words.say("decks_said", n=terrain["deck_pixels"])))
    return rows


def _read(manifest: Manifest, words: Words) -> list[tuple[str, str]]:
    read = manifest.get("report", {}).get("read", {})
    return [(words.known(layer), words.number(count)) for layer, count in read.items()]


def _entries(manifest: Manifest) -> list[Manifest]:
    entries: list[Manifest] = manifest.get("report", {}).get("dropped", [])
    return entries


def _dropped(manifest: Manifest, words: Words) -> list[tuple[str, str, Reason, str]]:
    """Layer, count, reason in plain words, reason as the manifest has it; most first."""
    said: Counter[tuple[str, Reason]] = Counter()
    raw: dict[tuple[str, Reason], list[str]] = {}
    for entry in _entries(manifest):
        key = (words.known(entry["layer"]), words.reason(entry["reason"]))
        said[key] += entry["count"]
        raw.setdefault(key, []).append(entry["reason"])
    return [
        (layer, words.number(count), reason, ", ".join(raw[layer, reason]))
        for (layer, reason), count in said.most_common(MOST_REASONS)
    ]


def _unlike_by(entries: list[Manifest], key: str) -> list[Manifest]:
    """Entries that hold a key, the first of each value: four tiles have one credit."""
    return list({entry[key]: entry for entry in reversed(entries) if key in entry}.values())[::-1]


def _sources(manifest: Manifest, words: Words) -> list[tuple[str, ...]]:
    return [
        (
            words.known(f"source_{source['kind']}"),
            source["file"],
            _size(source["bytes"], words),
            (source["date"] or "")[:10] or words.say("no_date"),
            source["sha256"][:HASH_SHOWN],
            source["sha256"],
        )
        for source in manifest.get("sources", [])
    ]


def _size(octets: int, words: Words) -> str:
    unit, kilo, mega = ("o", "ko", "Mo") if words.lang == "fr" else ("B", "kB", "MB")
    if octets < 1_000:
        return f"{octets} {unit}"
    if octets < 1_000_000:
        return f"{words.number(octets / 1_000)} {kilo}"
    return f"{words.number(octets / 1_000_000, 1)} {mega}"
