"""The maps to project: what they tell is what was played, and they open with the network cut."""

import re
from dataclasses import replace

import numpy as np
import pytest

from exercises.debrief.figures import class_figures
from exercises.debrief.map_stories import (
    evacuation_story,
    forecast_story,
    known_story,
    teams_story,
)
from exercises.debrief.maps import MAPS, TEAM_MAPS, TEAMS, write_maps
from exercises.debrief.material import read_material
from exercises.map_frames import frames_of
from gis import wording
from gis.webmap import write_map
from gis.webmap_story import Choice, Fact, Look, Story
from sim.errors import ExerciseError
from sim.state import HUNDREDTHS
from tests.exercises.debrief.hand_exercise import ORDERS, TURNS, play, write_pack
from tests.gis import hand_pack
from tests.pages import Watched

HOSTILE = (
    "<script>window.PWNED = 1</script>",
    '"><img src=x onerror="window.PWNED = 2">',
    "</script><script>window.PWNED = 3</script>",
    "{{ 7 * 7 }}${window.PWNED = 4}`'\"\\",
)
LARGEST_BYTES = 2_000_000
BY_TURN = TEAM_MAPS[1:]


@pytest.fixture(scope="module")
def debriefed(tmp_path_factory):
    """Two teams on one storm, on a ground whose names mean harm; the second one alerts nobody."""
    folder = tmp_path_factory.mktemp("maps")
    made = hand_pack.district()
    shelters = tuple(
        replace(shelter, name=name)
        for shelter, name in zip(made.shelters, HOSTILE[1:3], strict=True)
    )
    pack = write_pack(folder / "pack", name=HOSTILE[0], shelters=shelters, quarters=HOSTILE)
    named = tuple(
        {
            **order,
            **({"quarter": HOSTILE[1]} if "quarter" in order else {}),
            **({"shelter": HOSTILE[2]} if "shelter" in order else {}),
        }
        for order in ORDERS
    )
    teams = [
        play(pack, folder / "blue", named, team=HOSTILE[3]),
        play(pack, folder / "red", named[:2], team=HOSTILE[0]),
    ]
    material = read_material(teams, pack)
    return material, class_figures(material)


@pytest.fixture(scope="module")
def pack_folder(debriefed, tmp_path_factory):
    """The maps in French, as a debrief pack holds them."""
    folder = tmp_path_factory.mktemp("debrief")
    write_maps(*debriefed, folder, "fr")
    return folder


# --------------------------------------------------------------------------- what they tell
def test_12_4_every_hex_is_a_hit_a_miss_or_a_false_alarm(debriefed):
    figures = debriefed[1].teams[0]
    (choice,) = forecast_story(figures, "en").choices
    counts = np.bincount(choice.classes, minlength=4)
    skill = figures.skill
    assert counts[1:].tolist() == [skill.hits, skill.misses, skill.false_alarms]
    assert min(skill.hits, skill.misses) > 0


def test_12_2_the_evacuation_ends_with_the_people_of_the_score(debriefed):
    figures = debriefed[1].teams[0]
    frames = frames_of(figures.team.played, "en")
    story = evacuation_story(figures, frames, "en")
    (choice,) = story.choices
    last = {label: values[-1] for label, values in choice.figures}
    assert last["Threatened, sheltered in time"].startswith(f"{figures.score.saved:,} ")
    assert last["Places taken"].startswith(f"{figures.score.places_used:,} ")
    assert last["Victims"].startswith(f"{figures.score.victims:,} ")
    sheltered = choice.classes[-1] == 3
    assert sheltered.any()
    assert (figures.people.saved[sheltered] > 0).all()
    assert (choice.classes[0] == 0).all()


def test_6_the_gap_is_water_that_nobody_knows_of(debriefed):
    figures = debriefed[1].teams[1]
    frames = frames_of(figures.team.played, "en")
    story = known_story(figures, frames, "en")
    (choice,) = story.choices
    active = debriefed[0].district.active
    true = (frames.true_depth_mm >= 150) & active
    known = (frames.known_depth_mm >= 150) & active
    assert np.array_equal(choice.classes == 1, true & ~known)
    assert np.array_equal(choice.classes == 2, known & ~true)
    gaps = (choice.classes == 1).sum(axis=1)
    assert gaps[story.start] == gaps.max() > 0


def test_two_teams_are_compared_hex_by_hex(debriefed):
    first, second = debriefed[1].teams
    (choice,) = teams_story(debriefed[1].teams, "en").choices
    a, b = (team.people.saved // HUNDREDTHS for team in (first, second))
    threatened = first.people.threatened // HUNDREDTHS
    for cell in np.flatnonzero(choice.classes == 2):
        assert 2 * a[cell] >= threatened[cell] > 2 * b[cell]
    assert (choice.classes == 2).any()
    assert ((choice.classes > 0) & (choice.classes < 5)).sum() == (threatened > 0).sum()
    points = (wording.written(team.points, "en") for team in (first, second))
    assert dict(choice.figures)["Points"] == tuple(points)


def test_each_pair_of_teams_may_be_chosen(debriefed):
    first, second = debriefed[1].teams
    assert len(teams_story((first, second, first), "fr").choices) == 3


def test_a_story_of_another_sheet_is_refused(debriefed, tmp_path):
    n = debriefed[0].district.sheet.n_hexes
    right, wrong = np.zeros(n, dtype=int), np.zeros((4, n), dtype=int)
    for choice, said in (
        (Choice("", wrong), "classes"),
        (Choice("", right, facts=(Fact("People", right[1:]),)), "People"),
    ):
        story = Story("Map", "", (choice,), "", ((Look.HIT, "hit"),))
        with pytest.raises(ExerciseError, match=f"{said} has shape"):
            write_map(debriefed[0].pack, tmp_path / "map.html", story=story)


# --------------------------------------------------------------------------- the files
def test_every_team_has_its_maps_and_the_class_one(debriefed, pack_folder):
    material = debriefed[0]
    found = {path.relative_to(pack_folder).as_posix() for path in pack_folder.rglob("*.html")}
    wanted = {f"{team.key}/{MAPS}/{name}" for team in material.teams for name in TEAM_MAPS}
    assert found == wanted | {f"{MAPS}/{TEAMS}"}
    assert max(path.stat().st_size for path in pack_folder.rglob("*.html")) <= LARGEST_BYTES


def test_one_team_alone_is_compared_with_nobody(debriefed, tmp_path):
    material, figures = debriefed
    alone = replace(material, teams=material.teams[:1])
    written = write_maps(alone, replace(figures, teams=figures.teams[:1]), tmp_path, "en")
    assert [path.relative_to(tmp_path).as_posix() for path in written] == [
        f"{MAPS}/{name}" for name in TEAM_MAPS
    ]
    # the only team's name says nothing: it is left out of the heading
    assert "<h1>Evacuation</h1>" in written[-1].read_text(encoding="utf-8")


def test_19_two_runs_give_the_same_bytes(debriefed, pack_folder, tmp_path):
    for path in write_maps(*debriefed, tmp_path, "fr"):
        first = pack_folder / path.relative_to(tmp_path)
        assert path.read_bytes() == first.read_bytes(), path.name


def test_every_map_keeps_the_credit_of_its_ground(pack_folder):
    for path in pack_folder.rglob("*.html"):
        assert "OpenStreetMap" in path.read_text(encoding="utf-8")


# --------------------------------------------------------------------------- in a browser
@pytest.fixture
def opened(browser, debriefed, pack_folder):
    shown = []

    def open_map(name, **size):
        own = pack_folder if name == TEAMS else pack_folder / debriefed[0].teams[0].key
        shown.append(Watched(browser, own / MAPS / name, **size))
        return shown[-1]

    yield open_map
    for watched in shown:
        watched.close()


@pytest.mark.browser
@pytest.mark.parametrize("name", [*TEAM_MAPS, TEAMS])
def test_17_a_map_asks_nobody_runs_no_name_and_has_no_serious_fault(opened, name):
    page = opened(name)
    for cell in hand_pack.district().shelters:
        page.page.fill("#find", hand_pack.SHEET.label(cell.cell))
        page.page.click(".find button")
    page.page.mouse.move(300, 300)
    page.page.mouse.move(330, 320)
    assert page.run("() => window.PWNED === undefined")
    assert page.page.locator("#card img, #card script, #story img, #story script").count() == 0
    assert page.faults() == []
    assert page.quiet(), (page.requests, page.complaints)
    assert page.page.locator("#class-key li").count() >= (0 if name == TEAM_MAPS[1] else 1)


@pytest.mark.browser
@pytest.mark.parametrize("name", BY_TURN)
def test_17_the_slider_moves_and_so_do_map_and_figures(opened, name):
    page = opened(name)

    def seen():
        page.settle()
        return page.run(
            "() => [document.querySelector('canvas.board').toDataURL(),"
            " document.querySelector('.figures').textContent]"
        )

    page.page.focus("#turn")
    page.page.keyboard.press("Home")
    before = seen()
    page.page.keyboard.press("End")
    after = seen()
    assert page.page.input_value("#turn") == str(TURNS)
    assert before[0] != after[0]
    assert before[1] != after[1]
    page.page.focus("#map_map")
    page.page.keyboard.press("ArrowRight")
    page.page.keyboard.press("ArrowDown")
    assert re.fullmatch(r"\d{4}", page.page.inner_text("#card strong"))
    page.page.keyboard.press("+")
    assert page.quiet(), (page.requests, page.complaints)


@pytest.mark.browser
def test_the_two_maps_of_a_pair_stay_in_step(opened):
    page = opened(TEAM_MAPS[1])
    assert page.page.locator(".folium-map").count() == 2
    page.page.mouse.move(250, 400)
    page.page.mouse.wheel(0, -400)
    page.page.wait_for_timeout(400)
    page.page.mouse.down()
    page.page.mouse.move(200, 430, steps=4)
    page.page.mouse.up()
    page.page.wait_for_timeout(150)
    one, other = page.run(
        "() => [map_map, map_map_beside].map(m => [m.getZoom(), m.getCenter().lat,"
        " m.getCenter().lng])"
    )
    assert one == pytest.approx(other, abs=1e-5)
    left, right = page.run(
        "() => Array.from(document.querySelectorAll('canvas.board')).map(c => c.toDataURL())"
    )
    assert left != right
    page.page.keyboard.press("Tab")
    page.page.focus("#map_map_beside")
    page.page.keyboard.press("-")
    page.settle()
    assert page.run("() => map_map.getZoom() === map_map_beside.getZoom()")


@pytest.mark.browser
@pytest.mark.parametrize(
    ("name", "width", "height"),
    [(TEAM_MAPS[1], 1280, 800), (TEAM_MAPS[1], 390, 800), (TEAM_MAPS[3], 1920, 1080)],
)
def test_nothing_sticks_out_of_the_screen(opened, name, width, height):
    page = opened(name, width=width, height=height)
    assert page.run("() => [document.documentElement.scrollWidth, document.body.scrollHeight]") == [
        width,
        height,
    ]
    assert page.run("() => document.getElementById('panel').scrollWidth") <= width


@pytest.mark.browser
def test_a_map_prints_on_one_page(opened):
    paper = opened(TEAM_MAPS[3]).page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1
