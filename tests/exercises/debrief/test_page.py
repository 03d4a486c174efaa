"""The page of a debrief: what it holds, what a browser shows, that it asks no host for anything."""

import io
import re
import string
from dataclasses import replace

import pypdf
import pytest

from exercises.debrief import page_words
from exercises.debrief.figures import ClassFigures, class_figures
from exercises.debrief.material import read_material
from exercises.debrief.page import SECTIONS, page_of, write_page
from exercises.debrief.page_svg import Axis
from exercises.debrief.people import persons
from exercises.scenario_options import ScenarioOptions
from gis.offline import refuse_outside_references
from sim.severity_words import LANGUAGES
from tests.exercises.debrief.hand_exercise import ORDERS, TURNS, begun, play, write_pack
from tests.gis import hand_pack
from tests.pages import Watched

MOST_BYTES = 3_000_000
HOSTILE = "<script>window.PWNED = 1</script>\"'&{{ 7 * 7 }}\u202eeval " + "long " * 60


@pytest.fixture(scope="module")
def debriefed(tmp_path_factory):
    """Two teams on a pack whose names are hostile, as is a reason; the second did nothing."""
    folder = tmp_path_factory.mktemp("debrief")
    places = hand_pack.district().shelters
    pack = write_pack(
        folder / "town",
        name=HOSTILE[:60],
        shelters=tuple(type(p)(p.cell, HOSTILE, p.places) for p in places),
    )
    mine = [order for order in ORDERS if order["order"] not in {"protect", "close_shelter"}]
    mine[2] = {**mine[2], "reason": HOSTILE}
    teams = [
        play(pack, folder / "Blue <script>window.PWNED = 2", mine),
        play(pack, folder / "Red", [], scenario=ScenarioOptions(cards=False)),
    ]
    return read_material(teams, pack)


@pytest.fixture(scope="module")
def figures(debriefed):
    return class_figures(debriefed)


@pytest.fixture(scope="module")
def pages(debriefed, figures, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    paths = {}
    for lang in LANGUAGES:
        (folder / lang).mkdir()
        (paths[lang],) = write_page(debriefed, figures, folder / lang, lang)
    return paths


# --------------------------------------------------------------------------- the file
def test_both_languages_say_everything_with_the_same_fields():
    def fields(text):
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    for key in page_words.sayable():
        french, english = (page_words.unfilled(key, lang) for lang in ("fr", "en"))
        assert french.strip(), key
        assert fields(french) == fields(english), key


def test_two_runs_give_the_same_bytes(debriefed, figures, pages):
    for lang, path in pages.items():
        assert page_of(debriefed, figures, lang) == path.read_text(encoding="utf-8")


def test_the_page_is_small_refers_to_nothing_outside_and_says_its_language(pages):
    for lang, path in pages.items():
        html = path.read_text(encoding="utf-8")
        refuse_outside_references(html)
        assert len(html.encode()) < MOST_BYTES
        assert f'<html lang="{lang}">' in html
        assert HOSTILE not in html


def test_no_identifier_stands_twice(pages):
    html = pages["en"].read_text(encoding="utf-8")
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))


def test_every_section_stands_in_the_printed_order(pages):
    html = pages["fr"].read_text(encoding="utf-8")
    for team in (1, 2):
        found = [html.index(f'id="team-{team}-{key}"') for key in SECTIONS]
        assert found == sorted(found)


def test_the_people_printed_are_the_sums_over_the_hexes(figures, pages):
    html = pages["en"].read_text(encoding="utf-8")
    for team in figures.teams:
        sums = team.people.sums
        number = team.team.number
        section = html.split(f'id="team-{number}-terms"')[1].split("</section>")[0]
        rows = re.findall(r'<th scope="row">([^<]+)</th><td class="n">([\d,]+)</td>', section)
        printed = {label: int(people.replace(",", "")) for label, people in rows}
        assert printed == {
            "Needed and done": persons(int(team.people.saved.sum())),
            "Needed and not done": sums.people_threatened - persons(int(team.people.saved.sum())),
            "Not needed": persons(int(team.people.misused.sum())),
            "Victims": persons(int(team.people.lost.sum())),
        }
        total = re.search(r'colspan="3">Total</th><td class="n">([^<]+)</td>', section).group(1)
        assert int(total.replace(",", "").replace("\u2212", "-")) == team.score.points


def test_a_team_alone_that_did_nothing_has_a_page_without_a_class(debriefed, figures):
    idle = figures.teams[1]
    alone = replace(debriefed, teams=(idle.team,), differences=())
    html = page_of(alone, ClassFigures((idle,), ()), "en")
    assert 'id="class"' not in html
    for key in ("no_decision", "no_card", "no_fork", "forecast_none", "no_confidence"):
        assert page_words.say(key, "en") in html
    assert "–" in html.split('id="team-2-rates"')[1].split("</section>")[0], "a share of nothing"


def test_18_an_exercise_ended_early_is_shown_as_far_as_it_was_played(tmp_path):
    pack = write_pack(tmp_path / "town")
    material = read_material([begun(pack, tmp_path / "Early", turns=6)], pack)
    html = page_of(material, class_figures(material), "en")
    assert page_words.say("ended_early", "en", n=5, all=TURNS) in html.split("</dl>")[0]
    assert page_words.say("ended_early_what", "en", n=5, all=TURNS) in html
    assert page_words.say("forecast_whole", "en", n=TURNS) in html
    assert page_words.say("not_yet_cut", "en") in html
    assert 'id="team-1-slider" min="0" max="5"' in html


def test_an_axis_holds_its_values_between_round_figures():
    for values in ([0], [3], [-11_848, 52_304], [0.2, 0.9], [1e6]):
        axis = Axis.over(values, 0, 100)
        assert axis.low <= min(values)
        assert axis.high >= max(values)
        assert axis.at(axis.low) == 0
        assert axis.at(axis.high) == pytest.approx(100)


# --------------------------------------------------------------------------- in a browser
class Opened(Watched):
    """A debrief, opened at one of its parts."""

    def pictures(self):
        self.settle()
        return tuple(
            self.page.eval_on_selector(f"#{self.part} canvas.{which}", "c => c.toDataURL()")
            for which in ("known", "true")
        )

    @property
    def turn(self):
        return int(self.page.input_value(f"#{self.part}-slider"))


@pytest.fixture
def opened(browser, pages):
    shown = []

    def open_page(lang="en", **how):
        shown.append(Opened(browser, pages[lang], **{"part": "team-1", **how}))
        return shown[-1]

    yield open_page
    for watched in shown:
        watched.close()


@pytest.mark.browser
def test_the_page_asks_for_nothing_complains_of_nothing_and_runs_no_name(opened):
    page = opened("fr", part="class")
    for part in ("team-1", "team-2", "class"):
        page.page.click(f'.parts a[href="#{part}"]')
        page.settle()
        shown = page.page.eval_on_selector_all(".part:not([hidden])", "all => all.map(p => p.id)")
        assert shown == [part]
    assert page.page.evaluate("window.PWNED") is None
    assert page.quiet(), (page.requests, page.complaints)


@pytest.mark.browser
def test_the_slider_moves_by_mouse_and_by_keyboard_and_both_maps_with_it(opened):
    page = opened("en")
    slider = page.page.locator("#team-1-slider")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    page.page.mouse.click(box["x"] + 2, box["y"] + box["height"] / 2)
    assert page.turn == 0
    dry = page.pictures()
    page.page.keyboard.press("End")
    assert page.turn == TURNS
    wet = page.pictures()
    assert wet[1] != dry[1]
    assert wet[0] != wet[1], "what was believed is not what was true"
    page.page.keyboard.press("ArrowLeft")
    assert page.turn == TURNS - 1
    page.page.keyboard.press("Home")
    page.page.keyboard.press("ArrowRight")
    assert page.turn == 1
    assert slider.get_attribute("aria-valuetext") == "Turn 1 of 12, 14:10"
    assert page.pictures()[1] != wet[1]
    page.page.keyboard.press("Space")
    assert page.page.get_attribute("#team-1 .play", "aria-pressed") == "true"
    page.page.keyboard.press("Space")
    assert page.page.get_attribute("#team-1 .play", "aria-pressed") == "false"


@pytest.mark.browser
def test_the_page_has_time_for_thirty_frames_a_second(opened):
    page = opened("en", width=1920)
    session = page.page.context.new_cdp_session(page.page)
    # of the thread's own clock: how busy the machine is does not count
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent_s():
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(m["value"] for m in metrics if m["name"] == "TaskDuration")

    frames, before = 3 * (TURNS + 1), spent_s()
    page.page.evaluate(
        """last => new Promise(done => {
          const slider = document.getElementById('team-1-slider');
          let left = 3 * (last + 1);
          (function step() {
            if (!left--) return done();
            slider.value = left % (last + 1);
            slider.dispatchEvent(new Event('input', { bubbles: true }));
            requestAnimationFrame(step);
          })();
        })""",
        TURNS,
    )
    assert (spent_s() - before) / frames < 1 / 30


@pytest.mark.browser
def test_a_decision_leads_the_map_to_its_turn_and_the_filter_keeps_what_is_asked(opened):
    page = opened("en")
    rows = page.page.locator("#team-1 .decisions tbody tr")
    everything = rows.count()
    page.page.click('#team-1 .decisions button[data-turn="4"]')
    assert page.turn == 4
    page.page.select_option("#team-1-kinds", "refused")
    kept = [row for row in rows.all() if row.is_visible()]
    assert 0 < len(kept) < everything
    assert all("refused by rule" in row.inner_text() for row in kept)
    page.page.select_option("#team-1-kinds", "")
    page.page.fill("#team-1-search", "patrol-1")
    assert page.page.inner_text("#team-1 .sieve output") == f"1 of {everything}"


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 1920])
def test_nothing_sticks_out_of_the_screen(opened, width):
    page = opened("fr", width=width, part="class")
    for part in ("class", "team-1"):
        page.page.evaluate("part => { location.hash = part; }", part)
        page.settle()
        assert page.page.evaluate("document.documentElement.scrollWidth") == width
        cut = page.page.evaluate(
            "() => Array.from(document.querySelectorAll('button, h1, h2, h3, .lead, .big, .clock'))"
            ".filter(e => e.offsetParent && !e.closest('.wide-table, .parts ul'))"
            ".filter(e => { const r = e.getBoundingClientRect();"
            " return r.left < 0 || r.right > innerWidth + 1"
            " || e.scrollWidth > e.clientWidth + 2; })"
            ".map(e => e.className || e.textContent.slice(0, 40))"
        )
        assert cut == []


@pytest.mark.browser
@pytest.mark.parametrize("part", ["class", "team-1"])
def test_axe_finds_no_serious_fault(opened, part):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = opened("en", part=part)
    found = axe.Axe().run(page.page).response["violations"]
    serious = [
        (fault["id"], [node["target"] for node in fault["nodes"]][:5])
        for fault in found
        if fault["impact"] in {"serious", "critical"}
    ]
    assert serious == []


@pytest.mark.browser
def test_paper_is_a4_and_holds_the_part_shown(opened):
    page = opened("fr", part="team-2")
    paper = page.page.pdf(prefer_css_page_size=True, print_background=True)
    read = pypdf.PdfReader(io.BytesIO(paper))
    width, height = read.pages[0].mediabox[2:]
    assert (round(width), round(height)) == (595, 842)
    text = "".join(sheet.extract_text() for sheet in read.pages)
    assert "Red" in text
    assert "Blue <script>" not in text.replace("\n", "")
    assert not page.page.evaluate("averse.isPrinting()")
