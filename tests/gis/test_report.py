"""The build report: plain words that are true, maps that count right, a page that asks no host."""

import json
import re
from dataclasses import replace
from pathlib import Path
from string import Formatter

import geopandas as gpd
import numpy as np
import pytest

from gis import report_words, sheet_words
from gis.lattice import Lattice
from gis.provenance import INVENTED_CREDIT
from gis.report import write_report
from gis.report_maps import MOST_HEXES, Plan, _ranges, layer_maps
from gis.report_warnings import warnings_of
from gis.report_words import Reason, Words
from gis.store import MANIFEST, read_manifest
from gis.store_writer import write_district_layers
from gis.webmap import Scene
from gis.webmap_words import LANGUAGES
from sim.district import Facility
from sim.errors import ExerciseError
from sim.hexes import Sheet
from tests.gis import hand_pack

LARGEST_BYTES = 1_500_000
HOSTILE = "<script>window.PWNED = 1</script>{{ 7 * 7 }}{n.__class__}"

TERRAIN = {
    "native_pixel_m": 28.7,
    "pixel_m": 30.0,
    "pixels_per_hex": 65.05,
    "vertical_step_m": 0.0,
    "covered_share": 1.0,
    "void_share": 0.0,
    "undeclared_voids": 0,
    "open_water_share": 0.1,
    "flats": [],
    "channel_km": 1.2,
    "deepest_cut_m": 0.0,
}
PLACED = {"wanted": 2, "mapped": 2, "inactive": 0, "shared": 0, "low": 0, "left": 0, "completed": 0}
FACILITIES = dict.fromkeys(("shelters", "stations", "police_stations", "technical_centres"), PLACED)
POPULATION = {
    "source_total": 1_000,
    "source_inside_sheet": 1_000,
    "moved_to_nearest_active": 0,
    "moved_from_hexes": 0,
    "rows_dropped": 0,
}
FABRIC = {"mean_confidence": 0.8, "roads_only": False}
QUIET = {
    "terrain": TERRAIN,
    "facilities": FACILITIES,
    "population": POPULATION,
    "fabric": FABRIC,
    "activity": {"cut_off": 0, "parts": 1, "residents_cut_off": 0},
    "dropped": [],
}


def certainty():
    n = hand_pack.SHEET.n_hexes
    return {
        "confidence": np.linspace(0.1, 0.9, n).round(3),
        "fabric_from": ["landuse and buildings", "streets"] * (n // 2),
    }


def write_pack(folder: Path, made=None, **manifest) -> Path:
    made = made or hand_pack.district()
    hand_pack.write_hand_pack(folder, made, **manifest)
    (folder / "district.gpkg").unlink()
    write_district_layers(folder, made, hand_pack.lattice(), hand_pack.basemap(), certainty())
    return folder


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    pack = write_pack(
        folder / "pack",
        report=QUIET
        | {
            "read": {"roads": 12_345},
            "corrections": [
                {
                    "what": "hex",
                    "where": "0304",
                    "set": "fabric",
                    "was": "park",
                    "to": "old_town",
                    "why": "<i>seen</i>",
                }
            ],
            "dropped": [
                {"layer": "roads", "reason": "highway=proposed", "count": 1_234},
                {"layer": "walls", "reason": "never heard of <b>", "count": 1},
                {"layer": "walls", "reason": "barrier=toad", "count": 1},
            ],
        },
        sources=[
            {
                "kind": "osm",
                "file": "town.osm.pbf",
                "bytes": 1_500,
                "sha256": "ab" * 32,
                "date": "2024-05-06T07:08:09Z",
            }
        ],
        crs="EPSG:32631",
    )
    return {lang: write_report(pack, folder / f"{lang}.html", lang=lang) for lang in LANGUAGES}


def text_of(page: Path) -> str:
    body = re.sub(r"(?s)<style>.*?</style>|<svg.*?</svg>", " ", page.read_text(encoding="utf-8"))
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


# --------------------------------------------------------------------------- the words
def test_both_languages_have_the_same_fields_in_every_text():
    def fields(text):
        return {name for _, name, _, _ in Formatter().parse(text) if name}

    for key, (fr, en) in report_words._WORDS.items():
        if not key.startswith(("w_police_text", "w_stations_text", "w_shelters_text")):
            assert fields(fr) == fields(en), key


@pytest.mark.parametrize(
    ("lang", "n", "said"),
    [
        ("fr", 0, "0 hexagone"),
        ("fr", 1, "1 hexagone"),
        ("fr", 12_345, "12\u202f345 hexagones"),
        ("en", 0, "0 hexes"),
        ("en", 1, "1 hex"),
        ("en", 12_345, "12,345 hexes"),
    ],
)
def test_numbers_and_plurals_are_those_of_the_language(lang, n, said):
    assert Words(lang).say("hexes", n=n) == said


def test_a_share_is_never_rounded_to_nothing_or_to_all():
    words = Words("en")
    assert [words.percent(s) for s in (0, 0.001, 0.5, 0.999, 1)] == [
        "0%",
        "< 1%",
        "50%",
        "99%",
        "100%",
    ]


def test_an_unknown_language_is_refused_by_name():
    with pytest.raises(ExerciseError, match="'de'"):
        Words("de")


@pytest.mark.parametrize(
    ("reason", "fr", "en", "tag"),
    [
        ("highway=construction", "rues en travaux", "streets under construction", ""),
        (
            "highway=elevator",
            "genre de voie inconnu ici\u00a0: ascenseurs",
            "a kind of road unknown here: lifts",
            "",
        ),
        ("private footway", "privées\u00a0: allées et trottoirs", "private: footways", ""),
        ("private rest_area", "privées\u00a0:", "private:", "highway=rest_area"),
        (
            "barrier=handrail",
            "n'arrête personne\u00a0: mains courantes",
            "stops nobody: handrails",
            "",
        ),
        ("barrier=<b>", "n'arrête personne\u00a0:", "stops nobody:", "barrier=<b>"),
        ("waterway=weir", "n'est pas un cours d'eau\u00a0: seuils", "not a watercourse: weirs", ""),
        ("new {tag} reason", "new {tag} reason", "new {tag} reason", ""),
    ],
)
def test_a_reason_is_said_in_plain_words_or_by_its_tag(reason, fr, en, tag):
    assert Words("fr").reason(reason) == Reason(fr, tag)
    assert Words("en").reason(reason) == Reason(en, tag)


def test_a_tag_without_a_word_is_set_as_a_proper_name_in_both_languages(pages):
    for lang in LANGUAGES:
        assert "<code>barrier=toad</code>" in pages[lang].read_text(encoding="utf-8")


def test_the_unit_stands_by_the_figure():
    for lang, said in (
        ("fr", ["moins de 10\u00a0m", "10 à 20\u00a0m", "20\u00a0m et plus"]),
        ("en", ["under 10\u00a0m", "10 to 20\u00a0m", "20\u00a0m and over"]),
    ):
        assert _ranges(["0", "10", "20"], Words(lang), "m") == said


def test_the_french_report_says_planche_and_no_other_word_for_the_sheet():
    said = [fr for fr, _ in report_words._WORDS.values()]
    said += [fr for _, fr, _ in report_words._REASONS]
    said += [fr for fr, _ in sheet_words._WORDS.values()]
    assert not [text for text in said if "feuille" in text.lower()]


# --------------------------------------------------------------------------- the warnings
def titles(changes=None, found=None, **manifest):
    report = QUIET | (changes or {})
    found = found or {"landuse and buildings": 10}
    remarks = warnings_of({"report": report, **manifest}, hand_pack.district(), Words("en"), found)
    return [remark.title for remark in remarks]


def test_good_data_give_no_warning():
    assert titles() == []


@pytest.mark.parametrize(
    ("changes", "found", "title"),
    [
        ({}, {"streets": 6, "buildings": 4}, "Most fabrics were guessed"),
        ({}, {"streets": 2, "buildings": 8}, "Some fabrics were guessed"),
        ({"fabric": FABRIC | {"roads_only": True}}, None, "The extract shows hardly any building"),
        ({"fabric": FABRIC | {"mean_confidence": 0.5}}, None,
         "The fabric is only 50% sure on average"),
        ({"terrain": TERRAIN | {"vertical_step_m": 1.0}}, None, "The DEM has steps of 1 m"),
        ({"terrain": TERRAIN | {"native_pixel_m": 92.0}}, None,
         "The DEM is coarse: pixels of 92 m"),
        ({"terrain": TERRAIN | {"covered_share": 0.99}}, None, "The DEM does not cover everything"),
        ({"terrain": TERRAIN | {"void_share": 0.02}}, None, "The DEM has holes"),
        ({"terrain": TERRAIN | {"undeclared_voids": 3}}, None, "The DEM holds absurd elevations"),
        ({"terrain": TERRAIN | {"flats": [{"hectares": 80.0}]}}, None,
         "Open water was told by its flat elevation"),
        ({"terrain": TERRAIN | {"deepest_cut_m": 12.0}}, None,
         "A watercourse runs 12 m below the DEM"),
        ({"population": {"from": "fabric density", "residents": 9}}, None,
         "Residents are reckoned, not counted"),
        ({"population": POPULATION | {"source_inside_sheet": 670}}, None,
         "33% of the population read lives off the sheet"),
        ({"population": POPULATION | {"moved_to_nearest_active": 8}}, None,
         "Residents were moved to a neighbouring hex"),
        ({"population": POPULATION | {"rows_dropped": 8}}, None,
         "Rows of the population file cannot be read"),
        ({"activity": QUIET["activity"] | {"cut_off": 2}}, None,
         "Populated islets are out of play"),
        ({"activity": QUIET["activity"] | {"parts": 3}}, None, "The town is in 3 parts"),
        ({"facilities": FACILITIES | {"police_stations": PLACED | {"mapped": 0}}}, None,
         "No police station in the extract"),
        ({"facilities": FACILITIES | {"shelters": PLACED | {"completed": 1}}}, None,
         "Too few schools and halls to make the shelters"),
        ({"facilities": FACILITIES | {"stations": PLACED | {"completed": 1}}}, None,
         "The measuring stations are invented"),
        ({"facilities": FACILITIES | {"shelters": PLACED | {"low": 1}}}, None,
         "Some schools lie too low to be shelters"),
        ({"dropped": [{"layer": "water", "reason": "outline broken or", "count": 2}]}, None,
         "The extract is cut or incomplete"),
        ({"dropped": [{"layer": "roads", "reason": "crossing: rail", "count": 2}]}, None,
         "Some streets end at a barrier"),
    ],
)  # fmt: skip
def test_each_weakness_is_said_alone(changes, found, title):
    assert titles(changes, found) == [title]


def test_an_extract_without_a_date_is_said():
    assert titles(sources=[{"kind": "osm", "date": None}]) == ["The extract states no date"]
    assert titles(sources=[{"kind": "osm", "date": "2024"}]) == []


def test_the_grave_come_first():
    remarks = warnings_of(
        {
            "report": QUIET
            | {
                "terrain": TERRAIN | {"void_share": 0.5, "native_pixel_m": 90.0},
                "population": {"from": "fabric density"},
            }
        },
        hand_pack.district(),
        Words("fr"),
        {"streets": 1},
    )
    grave = [remark.grave for remark in remarks]
    assert grave == sorted(grave, reverse=True)
    assert {True, False} == set(grave)


# --------------------------------------------------------------------------- the page
def test_the_page_says_the_figures_in_its_language(pages):
    fr, en = text_of(pages["fr"]), text_of(pages["en"])
    assert "Rapport de construction" in fr
    assert "Build report" in en
    made = hand_pack.district()
    assert f"{made.residents.sum():,}" in en
    assert f"{made.residents.sum():,}".replace(",", " ") in fr  # split() took the thin space
    assert "12,345" in en
    assert "hex · fabric 0304 park old_town &lt;i&gt;seen&lt;/i&gt;" in en
    assert "streets only planned" in en
    assert "rues en projet" in fr
    assert "never heard of &lt;b&gt;" in pages["en"].read_text(encoding="utf-8")
    assert "2024-05-06" in en
    assert ("ab" * 32)[:16] in en


def test_pages_are_small_and_come_out_the_same_twice(pages, tmp_path):
    again = write_report(pages["fr"].parent / "pack", tmp_path / "again.html", lang="fr")
    assert again.read_bytes() == pages["fr"].read_bytes()
    assert again.stat().st_size < LARGEST_BYTES


def test_a_pack_that_says_nothing_of_its_making_still_has_a_report(tmp_path):
    pack = hand_pack.write_hand_pack(tmp_path / "pack")
    page = text_of(write_report(pack, tmp_path / "report.html", lang="en"))
    assert "Nothing to report" in page
    assert "How sure each fabric is" not in page


def test_an_invented_town_is_credited_in_the_language_of_the_report(tmp_path):
    pack = hand_pack.write_hand_pack(tmp_path / "pack")
    manifest = read_manifest(pack) | {"attribution": INVENTED_CREDIT}
    (pack / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    pages = {
        lang: text_of(write_report(pack, tmp_path / f"{lang}.html", lang=lang))
        for lang in LANGUAGES
    }
    assert INVENTED_CREDIT in pages["en"]
    assert INVENTED_CREDIT not in pages["fr"]
    assert "Ville inventée" in pages["fr"]


def test_names_are_text(tmp_path):
    made = hand_pack.district(name=HOSTILE)
    made = replace(made, shelters=(replace(made.shelters[0], name=HOSTILE), made.shelters[1]))
    pack = write_pack(
        tmp_path / "pack",
        made,
        report=QUIET | {"dropped": [{"layer": HOSTILE, "reason": HOSTILE, "count": 1}]},
    )
    page = write_report(pack, tmp_path / "report.html", lang="en").read_text(encoding="utf-8")
    assert "<script" not in page
    assert page.count("&lt;script&gt;window.PWNED = 1&lt;/script&gt;{{ 7 * 7 }}") >= 4


# --------------------------------------------------------------------------- the maps
def scene_of(columns: int, rows: int) -> Scene:
    """A sheet of any size over nothing, with the fabrics and links of the hand pack repeated."""
    sheet = Sheet(columns, rows)
    on = Lattice.centred(sheet, lon=2.35, lat=48.85)
    small = hand_pack.district()
    changes = {
        name: np.resize(getattr(small, name), sheet.n_hexes)
        for name in ("fabric", "residents", "unshelterable", "road_m", "elevation_mm", "sink_mm")
    } | {
        name: np.resize(getattr(small, name), sheet.n_edges)
        for name in ("link_class", "structure", "foot", "barrier")
    }
    all_hexes = np.ones(sheet.n_hexes, dtype=bool)
    made = replace(
        small,
        sheet=sheet,
        active=all_hexes,
        quarter=np.zeros(sheet.n_hexes, dtype=np.int32),
        shelters=(Facility(0, "École", 900),),
        stations=(Facility(1, "Station"),),
        police_stations=(Facility(2, "Commissariat"),),
        technical_centres=(),
        **changes,
    )
    base = gpd.GeoDataFrame({"kind": [], "name": []}, geometry=[], crs="EPSG:3857")
    return Scene(made, {}, on.corners, base, ~all_hexes)


def test_legends_count_the_hexes_of_the_map():
    scene = scene_of(10, 8)
    sure = np.linspace(0, 1, 80).astype(np.float32)
    maps = layer_maps(Plan.of(scene), sure, Words("en"))
    assert len(maps) == 6
    for drawn in maps:
        if drawn.name != "Links":
            boxes = [int(key.count) for key in drawn.legend if key.sign == "box" and key.count]
            assert sum(boxes) == 80, drawn.name
            assert drawn.body.count("M") == 80, drawn.name


def test_a_map_of_one_colour_is_a_sentence():
    scene = scene_of(10, 8)
    sure = np.full(80, 0.5, dtype=np.float32)
    sure[:4] = 0.9
    drawn = layer_maps(Plan.of(scene), sure, Words("fr"))[1]
    assert drawn.said.startswith("76 hexagones actifs sur 80\u00a0: 40\u00a0% à 60\u00a0%.")
    assert drawn.body == ""
    sure[:5] = 0.9
    assert layer_maps(Plan.of(scene), sure, Words("fr"))[1].said == ""


def test_barriers_stand_on_the_side_that_two_hexes_share():
    scene = scene_of(6, 5)
    plan = Plan.of(scene)
    ends = Lattice.centred(scene.district.sheet, lon=2.35, lat=48.85).edge_ends
    expected = np.stack(
        ((ends[..., 0] - plan.west) / plan.unit, (plan.north - ends[..., 1]) / plan.unit), axis=-1
    )
    assert np.abs(plan.sides.sum(axis=1) - expected.sum(axis=1)).max() <= 4


@pytest.mark.parametrize(("columns", "rows"), [(62, 64), (90, 80)])
def test_a_large_sheet_stays_light(columns, rows):
    """Just under the most hexes drawn as outlines, and far beyond."""
    assert (columns * rows > MOST_HEXES) == (columns == 90)
    plan = Plan.of(scene_of(columns, rows))
    maps = layer_maps(plan, np.full(columns * rows, 0.5, dtype=np.float32), Words("en"))
    assert sum(len(drawn.body) + len(drawn.over) for drawn in maps) < LARGEST_BYTES - 100_000
    assert ("<image" in maps[0].body) == (columns == 90)


@pytest.mark.browser
def test_the_page_opens_alone_and_fits_a_phone(browser, pages):
    for width in (1_360, 360):
        page = browser.new_page(viewport={"width": width, "height": 800})
        asked, said = [], []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.on("console", lambda message, said=said: said.append(message.text))
        page.goto(pages["fr"].absolute().as_uri())
        assert asked == [pages["fr"].absolute().as_uri()]
        assert said == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        drawn = page.eval_on_selector_all(
            "figure > svg path",
            "paths => paths.every(p => p.getBBox().width > 0 || !p.attributes.d.value)",
        )
        assert drawn
        page.close()
