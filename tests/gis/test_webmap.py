"""The map: what goes in, what the browser shows, and that it asks no host for anything."""

import base64
import json
import re

import folium
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gis.offline import OutsideReferenceError, refuse_outside_references
from gis.shown import drawn_through, links_in_play, shown_barriers
from gis.webmap import (
    MOST_POINTS,
    NEVER_SEEN,
    Board,
    UnitAt,
    cuts,
    map_of,
    read_scene,
    unmapped_water,
    write_map,
)
from gis.webmap_codec import pack, pack_turns
from gis.webmap_words import LANGUAGES, words
from sim.errors import DistrictError, ExerciseError
from sim.rules import LinkClass, Structure
from tests.gis.hand_pack import (
    SHEET,
    TURNS,
    basemap,
    district,
    frames,
    ground,
    lattice,
    write_hand_pack,
)
from tests.pages import Watched

HOSTILE = (
    "<script>window.PWNED = 1</script>",
    '"><img src=x onerror="window.PWNED = 2">',
    "</script><script>window.PWNED = 3</script>",
    "<!--<script>",
    "{{ 7 * 7 }} ${window.PWNED = 4} `'\"\\",
    "\u202eeval\u2028\u2029" + "long " * 60,
)
LARGEST_BYTES = 2_000_000


@pytest.fixture(scope="module")
def hand_pack(tmp_path_factory):
    return write_hand_pack(tmp_path_factory.mktemp("pack") / "town")


@pytest.fixture(scope="module")
def pages(hand_pack, tmp_path_factory):
    """The exercise in both languages, and the district alone."""
    folder = tmp_path_factory.mktemp("maps")
    for lang in LANGUAGES:
        write_map(hand_pack, folder / f"exercise-{lang}.html", frames(), lang=lang)
        write_map(hand_pack, folder / f"district-{lang}.html", lang=lang)
    return folder


# --------------------------------------------------------------------------- packed numbers
def unpack(text):
    raw, out, at = base64.b64decode(text), [], 0

    def varint():
        nonlocal at
        value, shift = 0, 0
        while True:
            octet = raw[at]
            at += 1
            value |= (octet & 127) << shift
            shift += 7
            if octet < 128:
                return value

    while at < len(raw):
        if raw[at] == 0:
            at += 1
            out += [0] * (varint() + 1)
        else:
            zigzag = varint()
            out.append((zigzag >> 1) ^ -(zigzag & 1))
    return out


@given(st.lists(st.one_of(st.just(0), st.integers(-(2**31), 2**31 - 1)), max_size=60))
def test_packed_numbers_come_back(values):
    assert unpack(pack(values)) == values


def test_turns_that_change_nothing_cost_almost_nothing():
    still = np.full((31, 1_232), 250)
    assert len(pack_turns(still)) < 1_232 * 3 + 16


# --------------------------------------------------------------------------- the guard
@pytest.mark.parametrize(
    "html",
    [
        '<script src="https://cdn.example/leaflet.js"></script>',
        '<script src="//cdn.example/leaflet.js"></script>',
        '<script src="leaflet.js"></script>',
        '<link rel="stylesheet" href="http://cdn.example/leaflet.css">',
        '<a href="https://example.org">credit</a>',
        '<img src="images/marker.png">',
        '<img srcset="data:,x 1x, b.png 2x" src="data:,x"><img srcset="b.png 2x">',
        "<style>@import 'https://fonts.example/a.css';</style>",
        "<style>b { background: url(images/layers.png) }</style>",
        "<b style=\"background: url('https://example.org/a.png')\">",
        "<script>L.tileLayer('https://{s}.tile.example/{z}/{x}/{y}.png')</script>",
        '<script type="module">import { a } from "./a.js"</script>',
        "<script>fetch(place)</script>",
        "<script>new WebSocket('wss:' + host)</script>",
        "<b onclick=\"location = 'https://example.org'\">",
        '<meta http-equiv="refresh" content="0; url=https://example.org">',
        '<base href="https://example.org/">',
    ],
)
def test_the_guard_refuses_an_outside_reference(html):
    with pytest.raises(OutsideReferenceError, match="would not open offline"):
        refuse_outside_references(f"<html><body>{html}</body></html>")


@pytest.mark.parametrize(
    "html",
    [
        '<img src="data:image/png;base64,AAAA"><a href="#map">map</a>',
        "<p>see https://www.openstreetmap.org/copyright</p>",
        '<script type="application/json">{"name": "https://example.org"}</script>',
        "<script>document.createElementNS('http://www.w3.org/2000/svg', 'svg')</script>",
        "<style>a { fill: url(#hatch); background: url('data:,x') }</style>",
    ],
)
def test_the_guard_lets_through_what_is_never_loaded(html):
    refuse_outside_references(f"<html><body>{html}</body></html>")


def test_a_folium_layer_that_asks_a_host_is_caught(hand_pack):
    shown = map_of(read_scene(hand_pack))
    refuse_outside_references(shown.get_root().render())
    folium.TileLayer("OpenStreetMap").add_to(shown)
    with pytest.raises(OutsideReferenceError, match="tile"):
        refuse_outside_references(shown.get_root().render())


def test_a_folium_layer_of_ones_own_may_be_added(hand_pack):
    shown = map_of(read_scene(hand_pack))
    folium.CircleMarker((48.85, 2.35), radius=9).add_to(shown)
    html = shown.get_root().render()
    refuse_outside_references(html)
    assert "L.circleMarker" in html


# --------------------------------------------------------------------------- the file
def test_the_map_is_a_folium_map(hand_pack):
    shown = map_of(read_scene(hand_pack), frames())
    assert isinstance(shown, folium.Map)
    assert any(isinstance(child, Board) for child in shown._children.values())
    other = folium.Map()
    assert other.default_js, "the lists that other maps share stay whole"


def test_no_file_refers_outside_and_all_keep_the_credit(pages):
    for page in sorted(pages.glob("*.html")):
        html = page.read_text(encoding="utf-8")
        refuse_outside_references(html)
        assert "© OpenStreetMap contributors" in html
        assert "Content-Security-Policy" in html
        lang = page.stem[-2:]
        assert f'<html lang="{lang}">' in html
        assert words(lang)["disclaimer"].replace("'", "&#39;") in html
        assert "BSD 2-Clause" in html or "Redistribution and use" in html
        assert page.stat().st_size < LARGEST_BYTES


def test_two_runs_give_the_same_bytes(hand_pack, pages, tmp_path):
    again = write_map(hand_pack, tmp_path / "again.html", frames(), lang="fr")
    assert again.read_bytes() == (pages / "exercise-fr.html").read_bytes()


def test_turns_cost_little_beside_the_district(pages):
    alone = (pages / "district-en.html").stat().st_size
    played = (pages / "exercise-en.html").stat().st_size
    assert played - alone < 20_000


def test_a_crowded_background_is_simplified(hand_pack):
    from gis.webmap import _light_enough

    crowded = basemap()
    house = crowded.geometry[crowded["kind"] == "building"].iloc[0]
    ring = house.buffer(30, quad_segs=800)
    many = crowded.loc[[0] * 120].copy()
    many["kind"] = "building"
    many["geometry"] = [ring] * len(many)
    light = _light_enough(many)
    assert 0 < sum(len(p) for parts in light.values() for p in parts) <= MOST_POINTS


def test_water_that_no_map_has_comes_from_the_ground():
    bare = basemap()
    bare = bare[bare["kind"] != "water"]
    from rasterio.transform import Affine

    from gis.lattice import PixelGrid

    transform = Affine(*PixelGrid.under(lattice(), 52.0).transform)
    found = unmapped_water(ground(), transform, bare)
    assert found["kind"].tolist() == ["water"]
    assert found.area.sum() == pytest.approx(ground().sink.sum() * 52**2, rel=0.15)
    river = basemap()
    wide = river["kind"] == "water"
    river.loc[wide, "geometry"] = river.geometry[wide].buffer(400)
    assert unmapped_water(ground(), transform, river).empty


def test_16_cut_to_pedestrians_and_to_every_vehicle():
    class_of = np.array([LinkClass.LOCAL] * SHEET.n_edges, dtype=np.int8)
    class_of[1] = LinkClass.NONE
    class_of[2] = LinkClass.NONE
    structure = np.zeros(SHEET.n_edges, dtype=np.int8)
    structure[0] = Structure.BRIDGE
    foot = class_of > LinkClass.NONE
    foot[2] = True  # a footpath where no road crosses
    made = district(link_class=class_of, structure=structure, foot=foot, barrier=class_of < 0)
    depth = np.array([0, 299, 300, 499, 500])[:, None] * np.ones((1, SHEET.n_hexes), dtype=int)
    cut = cuts(made, depth.astype(np.int32))
    assert cut.shape == (5, SHEET.n_edges)
    assert cut[:, 3].tolist() == [0, 0, 1, 1, 2]
    assert cut[:, 0].tolist() == [0, 0, 0, 0, 0], "a bridge sees 0.4 of the depth"
    assert cut[:, 1].tolist() == [0, 0, 0, 0, 0], "no link, nothing to cut"
    assert cut[:, 2].tolist() == [0, 0, 1, 1, 1], "no vehicle ever used it"


# --------------------------------------------------------------------------- bad input
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("true_depth_mm", np.zeros((TURNS + 1, 3), dtype=np.int32)),
        ("alerted", np.zeros((TURNS, SHEET.n_hexes), dtype=bool)),
        ("shelter_filled", np.zeros((TURNS + 1, 5), dtype=np.int32)),
        ("to_shelter", np.zeros(4, dtype=np.int32)),
        ("clock", ("14:00",)),
        ("units", ((),)),
    ],
)
def test_frames_of_another_district_are_refused_by_name(hand_pack, tmp_path, name, value):
    target = tmp_path / "map.html"
    target.write_text("kept")
    with pytest.raises(ExerciseError, match=name if name != "true_depth_mm" else "shape"):
        write_map(hand_pack, target, frames(**{name: value}))
    assert target.read_text() == "kept"
    assert [p.name for p in tmp_path.iterdir()] == ["map.html"]


def test_a_unit_off_the_sheet_is_refused(hand_pack, tmp_path):
    lost = tuple((UnitAt("7", SHEET.n_hexes),) for _ in range(TURNS + 1))
    with pytest.raises(ExerciseError, match="unit 7"):
        write_map(hand_pack, tmp_path / "map.html", frames(units=lost))


def test_an_unknown_language_is_refused(hand_pack, tmp_path):
    with pytest.raises(ExerciseError, match="'de'"):
        write_map(hand_pack, tmp_path / "map.html", lang="de")


def test_a_missing_pack_and_an_unwritable_file_are_told(hand_pack, tmp_path):
    with pytest.raises(DistrictError, match="not a district pack"):
        write_map(tmp_path / "nowhere", tmp_path / "map.html")
    (tmp_path / "file").write_text("")
    with pytest.raises(DistrictError, match="cannot write"):
        write_map(hand_pack, tmp_path / "file" / "map.html")


def test_both_languages_say_everything():
    spoken = {lang: words(lang) for lang in LANGUAGES}
    assert spoken["fr"].keys() == spoken["en"].keys()
    for key, french in spoken["fr"].items():
        slots = set(re.findall(r"\{\w+\}", french))
        assert slots == set(re.findall(r"\{\w+\}", spoken["en"][key])), key
        assert french.strip()


# --------------------------------------------------------------------------- in a browser
class Opened(Watched):
    """A map, and what is on it."""

    def picture(self):
        return self.run("() => document.querySelector('canvas.board').toDataURL()")

    def turn(self, turn):
        self.run(
            "t => { const s = document.getElementById('turn'); s.value = t;"
            " s.dispatchEvent(new Event('input')); }",
            turn,
        )
        self.settle()

    def board(self, what):
        return self.run(f"() => {{ const a = board_hexes.averse; return {what}; }}")


@pytest.fixture
def opened(browser, pages):
    shown = []

    def open_page(name, **size):
        shown.append(Opened(browser, pages / f"{name}.html", **size))
        return shown[-1]

    yield open_page
    for watched in shown:
        watched.close()


@pytest.mark.browser
@pytest.mark.parametrize("name", ["exercise-fr", "district-en"])
def test_a_page_asks_for_nothing_and_complains_of_nothing(opened, name):
    page = opened(name)
    page.page.mouse.move(400, 400)
    page.page.mouse.click(420, 380)
    page.page.mouse.wheel(0, -300)
    for box in page.page.locator("#layers input[type=checkbox]").all():
        box.click()
    page.page.click("#theme")
    page.settle()
    assert page.quiet(), (page.requests, page.complaints)


@pytest.mark.browser
def test_the_slider_moves_and_the_drawn_frame_with_it(opened):
    page = opened("exercise-fr")
    drawn = {page.picture()}
    for turn in (3, 6, 9, TURNS):
        page.turn(turn)
        drawn.add(page.picture())
    assert len(drawn) == 5
    page.turn(6)
    known = page.picture()
    page.page.click("#which-water-true")
    page.settle()
    assert page.picture() != known
    assert page.page.inner_text("#clock").split() == [
        "15:00",
        "Tour",
        "6",
        "sur",
        "12",
        "☀",
        "jour",
    ]
    assert "niveau 1 à 5" in page.page.inner_text("#bulletin")


@pytest.mark.browser
def test_the_page_shows_the_arrays_that_were_given(opened):
    page, given, made = opened("exercise-en"), frames(), district()
    for key, expected in {
        "trueMm": given.true_depth_mm,
        "knownMm": given.known_depth_mm,
        "age": given.known_age,
        "alerted": given.alerted,
        "evacuating": given.evacuating,
        "sheltered": given.sheltered,
        "filled": given.shelter_filled,
        "cutTrue": cuts(made, given.true_depth_mm) * links_in_play(made),
        "cutKnown": cuts(made, np.maximum(given.known_depth_mm, 0)) * links_in_play(made),
    }.items():
        shown = page.board(f"a.cells.{key}.map(row => Array.from(row))")
        assert shown == np.asarray(expected).astype(int).tolist(), key
    for key, expected in {
        "active": made.active,
        "fabric": made.fabric,
        "quarter": made.quarter,
        "residents": made.residents,
        "toShelter": given.to_shelter,
        "sink": made.sink_mm,
        "elevation": made.elevation_mm // 100,
        "forecast": given.forecast,
        "neighbours": SHEET.neighbours.ravel(),
        "edge.low": SHEET.edges[:, 0],
        "edge.high": SHEET.edges[:, 1],
        "edge.cls": made.link_class,
        "edge.structure": made.structure,
        "edge.barrier": shown_barriers(made),
        "edge.through": drawn_through(made),
    }.items():
        shown = page.board(f"Array.from(a.cells.{key})")
        got = np.where(np.array(shown) < 0, -1, shown).tolist()
        assert got == np.asarray(expected).astype(int).tolist(), key
    assert NEVER_SEEN in page.board("Array.from(a.cells.age[0])")


@pytest.mark.browser
def test_hexes_stand_where_the_lattice_puts_them(opened):
    page = opened("district-en")
    for label in ("0101", "0508", "1004"):
        cell = SHEET.index_of(label)
        lon, lat = lattice().centres_lonlat[cell]
        at = page.run(
            "([lat, lon]) => { const p = map_map.latLngToContainerPoint([lat, lon]);"
            " return board_hexes.averse.cellAt(p); }",
            [float(lat), float(lon)],
        )
        assert at == cell
    width = page.board(
        "a.view.hexW / map_map.latLngToContainerPoint(map_map.getCenter())"
        ".distanceTo(map_map.latLngToContainerPoint(L.latLng(map_map.getCenter().lat,"
        " map_map.getCenter().lng + 0.01)))"
    )
    # 0.01 degree of longitude at 48.85° N is 733.5 m (WGS 84)
    assert width * 733.5 == pytest.approx(260, rel=0.005)


@pytest.mark.browser
def test_play_runs_through_the_turns_and_stops(opened):
    page = opened("exercise-en")
    page.turn(TURNS - 1)
    page.page.click("#play")
    assert page.page.inner_text("#play") == "Pause"
    page.page.locator("#play", has_text="Play").wait_for()
    assert page.page.input_value("#turn") == str(TURNS)
    page.page.click("#back")
    assert page.page.input_value("#turn") == str(TURNS - 1)


@pytest.mark.browser
def test_the_keyboard_reaches_everything(opened):
    page = opened("exercise-fr")
    page.page.focus("#turn")
    page.page.keyboard.press("ArrowRight")
    page.page.keyboard.press("ArrowRight")
    assert page.page.get_attribute("#turn", "aria-valuetext") == "Tour 2 sur 12, 14:20"
    page.run("() => document.activeElement.blur()")
    page.page.keyboard.press("End")
    assert page.page.input_value("#turn") == str(TURNS)
    page.page.keyboard.press("ArrowLeft")
    assert page.page.input_value("#turn") == str(TURNS - 1)
    page.page.focus("#map_map")
    page.page.keyboard.press("ArrowUp")
    page.page.keyboard.press("ArrowUp")
    first = page.board("a.state.selected")
    page.page.keyboard.press("ArrowDown")
    assert page.board("a.state.selected") == SHEET.neighbours[first, 3]
    row = {page.board("a.state.selected") % SHEET.rows}
    page.page.keyboard.press("ArrowRight")
    page.page.keyboard.press("ArrowRight")
    row.add(page.board("a.state.selected") % SHEET.rows)
    assert len(row) == 1, "east and east again keeps to the row"
    spoken = page.page.text_content("#spoken")
    assert spoken.startswith(SHEET.label(page.board("a.state.selected")))
    page.page.keyboard.press("Escape")
    assert page.board("a.state.selected") == -1
    page.page.fill("#find", "0304")
    page.page.keyboard.press("Enter")
    assert page.page.inner_text("#card .label").strip() == "0304"
    page.page.fill("#find", "9999")
    page.page.keyboard.press("Enter")
    assert page.page.inner_text(".miss") == words("fr")["find_none"]
    assert page.quiet()


@pytest.mark.browser
def test_the_tab_key_goes_round_and_the_focus_shows(opened):
    page = opened("exercise-en")
    reached = []
    for _ in range(45):
        page.page.keyboard.press("Tab")
        reached.append(
            page.run(
                "() => { const e = document.activeElement, s = getComputedStyle(e);"
                " return [e.id || e.tagName, s.outlineStyle != 'none']; }"
            )
        )
    names = [name for name, _ in reached]
    for wanted in ("theme", "map_map", "on-fabric", "opacity-fabric", "find", "play", "turn"):
        assert wanted in names, wanted
    unseen = {name for name, visible in reached if not visible}
    assert unseen <= {"BODY"}


@pytest.mark.browser
def test_hostile_names_are_text(browser, tmp_path):
    places = district().shelters
    made = district(
        name=HOSTILE[0],
        quarters=tuple(HOSTILE[:4]),
        shelters=tuple(
            type(p)(p.cell, name, p.places) for p, name in zip(places, HOSTILE[1:3], strict=True)
        ),
    )
    pack_folder = write_hand_pack(tmp_path / "town", made)
    told = tuple(HOSTILE[t % len(HOSTILE)] for t in range(TURNS + 1))
    units = tuple((UnitAt(HOSTILE[0], 9),) for _ in range(TURNS + 1))
    path = write_map(
        pack_folder,
        tmp_path / "map.html",
        frames(bulletins=told, clock=told, units=units),
        title=HOSTILE[1],
    )
    page = Opened(browser, path)
    assert page.page.inner_text("h1") == HOSTILE[1]
    assert page.page.inner_text(".place strong") == HOSTILE[0]
    for turn in range(6):
        page.turn(turn)
        assert page.page.text_content("#bulletin") == HOSTILE[turn]
    for cell in (*range(0, SHEET.n_hexes, 9), *(p.cell for p in made.shelters)):
        page.page.fill("#find", SHEET.label(cell))
        page.page.click(".find button")
        assert page.page.locator("#card script, #card img").count() == 0
    page.page.mouse.move(300, 300)
    page.page.mouse.move(330, 320)
    assert page.run("() => window.PWNED === undefined")
    assert page.quiet(), (page.requests, page.complaints)
    page.close()


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080), (390, 800)])
def test_nothing_sticks_out_of_the_screen(opened, width, height):
    page = opened("exercise-fr", width=width, height=height)
    wide, tall = page.run(
        "() => [document.documentElement.scrollWidth, document.body.scrollHeight]"
    )
    assert (wide, tall) == (width, height)
    cut = page.run(
        "() => Array.from(document.querySelectorAll('button, .warning, #clock, .leaflet-control'))"
        ".filter(e => e.offsetParent).filter(e => { const r = e.getBoundingClientRect();"
        " return r.left < 0 || r.top < 0 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1"
        " || e.scrollWidth > e.clientWidth + 2; }).map(e => e.id || e.className)"
    )
    assert cut == []
    bounds = page.board(
        "[Math.min(...a.view.x), Math.max(...a.view.x)].map(x => x + a.renderer._bounds.min.x)"
    )
    assert bounds[0] >= 0
    assert bounds[1] <= page.run("() => document.getElementById('map_map').clientWidth")


@pytest.mark.browser
def test_paper_holds_the_whole_district_and_its_legend_on_one_page(opened):
    page = opened("exercise-en")
    page.turn(6)
    zoom = page.run("() => map_map.getZoom()")
    paper = page.page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1
    assert page.run("() => map_map.getZoom()") == pytest.approx(zoom)
    assert page.run("() => !document.body.classList.contains('printing')")


@pytest.mark.browser
def test_scripts_read_packed_numbers_as_python_writes_them(opened):
    page = opened("district-fr")
    values = [0, 0, 0, 5, -1, 2**31 - 1, -(2**31), 0, 64, -64, 8_191, 0]
    assert page.run("text => Array.from(averse.unpack(text))", pack(values)) == values
    assert json.loads(page.run("() => document.getElementById('board_hexes_data').textContent"))
