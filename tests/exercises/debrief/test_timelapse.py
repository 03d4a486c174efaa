"""An exercise as a film: what its pictures show, that players open it, the same bytes twice."""

from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from exercises.cli import cli
from exercises.debrief.material import read_material
from exercises.debrief.timelapse import write_timelapse
from exercises.map_frames import frames_of
from gis.film_map import FilmMap, hatched
from gis.film_page import KNOWN_COVERS, TRUE_COVERS, FilmPage, FilmTexts
from gis.webmap import read_scene
from sim.errors import DebriefError, SourceError
from tests.exercises.debrief.hand_exercise import TURNS, play, write_pack

av = pytest.importorskip("av", reason="PyAV is not installed: no film can be read back")
Image = pytest.importorskip("PIL.Image")

HEIGHT = 360
TEXTS = FilmTexts("Essai", "A film", "Believed", "True")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("film")
    pack = write_pack(folder / "pack")
    return pack, play(pack, folder / "blue")


@pytest.fixture(scope="module")
def team(played):
    pack, exercise = played
    return read_material([exercise], pack).teams[0]


@pytest.fixture(scope="module")
def page(played, team):
    return FilmPage(read_scene(played[0]), frames_of(team.played, "en"), TEXTS, "en", HEIGHT)


# --------------------------------------------------------------------------- what it shows
def test_every_hex_is_filled_where_the_lattice_puts_it(played):
    drawn = FilmMap(read_scene(played[0]), 320, 240)
    n = drawn.district.sheet.n_hexes
    x, y = np.rint(drawn.centres).astype(int).T
    assert drawn._cell[y, x].tolist() == list(range(n))
    # north up: the first row of a column stands over the second
    assert (np.diff(y.reshape(drawn.district.sheet.columns, -1), axis=1) > 0).all()
    # a hex is 260 m wide on the ground, whatever the web's plane makes of it
    assert drawn.pixels_per_km == pytest.approx(1000 / 260 * drawn.hex_px)


def test_4_water_covers_its_hexes_and_nothing_else(played):
    drawn = FilmMap(read_scene(played[0]), 320, 240)
    n = drawn.district.sheet.n_hexes
    dry = np.asarray(drawn.picture(np.zeros(n, int), TRUE_COVERS), int)
    classes = np.zeros(n, int)
    classes[[20, 37]] = 4
    wet = np.asarray(drawn.picture(classes, TRUE_COVERS), int)
    changed = (dry != wet).any(axis=2)
    assert set(np.unique(drawn._cell[changed])) == {20, 37}
    assert changed[np.isin(drawn._cell, [20, 37])].mean() > 0.6


def test_the_hatches_are_unlike_each_other():
    inked = [hatched(name, 40, 40, 10) for name in ("wave", "waves", "lines", "cross", "slant")]
    for here, one in enumerate(inked):
        assert 0.05 < one.mean() < 0.6
        assert all((one != other).mean() > 0.05 for other in inked[:here])


def test_6_known_water_pales_with_its_age(page, team):
    frames = frames_of(team.played, "en")
    for turn in range(frames.turns + 1):
        classes = page._known_classes(turn)
        deep = (classes > 0) & (classes < len(KNOWN_COVERS))
        known = np.asarray(frames.known_depth_mm[turn]) >= 150
        assert np.array_equal(deep, known & team.world.district.active)
        paler = deep & (np.asarray(frames.known_age[turn]) >= 5)
        assert (classes[paler] > 8).all()


def test_a_frame_changes_with_the_turn_and_the_halves_differ(page):
    first, last = (np.asarray(page.frame(turn), int) for turn in (0, TURNS))
    left, right = np.hsplit(np.abs(first - last).sum(axis=2) > 0, 2)
    assert left.mean() > 0.01
    assert right.mean() > 0.01
    top = page._top
    boards = [
        np.asarray(page.frame(TURNS).crop((x, top, x + page.map.width, top + page.map.height)))
        for x in page._lefts
    ]
    assert (boards[0] != boards[1]).any()


@pytest.mark.parametrize("name", ["<script>", "x" * 300, "\u202eabc\u2066", "قرية 村", ""])
def test_any_name_is_drawn_and_stays_on_its_line(played, team, name):
    frames = frames_of(team.played, "fr")
    told = replace(frames, bulletins=(name,) * (frames.turns + 1))
    texts = FilmTexts(name, name, name, name)
    drawn = FilmPage(read_scene(played[0]), told, texts, "fr", HEIGHT)
    image = np.asarray(drawn.frame(1), int)
    # the clock's own place is not written over
    plain = FilmPage(read_scene(played[0]), frames, TEXTS, "fr", HEIGHT)
    clock = (slice(4, 26), slice(drawn.width - 60, drawn.width - 10))
    assert np.array_equal(image[clock], np.asarray(plain.frame(1), int)[clock])


# --------------------------------------------------------------------------- the files
def test_19_an_mp4_is_the_same_twice_and_has_no_date(played, team, tmp_path):
    first, again = (
        write_timelapse(played[0], team, tmp_path / name, "en", turn_ms=250, height=HEIGHT)
        for name in ("a.mp4", "b.mp4")
    )
    assert first.read_bytes() == again.read_bytes()
    with av.open(str(first)) as film:
        (stream,) = film.streams.video
        assert (stream.width, stream.height) == (640, 360)
        assert stream.codec_context.name == "h264"
        assert "creation_time" not in {**film.metadata, **stream.metadata}
        shown = [frame.to_ndarray(format="rgb24").astype(int) for frame in film.decode(video=0)]
    # a quarter of a second each, the end three seconds
    assert len(shown) == TURNS + 12
    page = FilmPage(
        read_scene(played[0]),
        frames_of(team.played, "en"),
        FilmTexts(
            "Essai", "What the team believed, what was true · blue", "Believed by the team", "True"
        ),
        "en",
        HEIGHT,
    )
    for turn in (0, 7, TURNS):
        drawn = np.asarray(page.frame(turn), int)
        apart = [np.abs(one - drawn).mean() for one in shown]
        assert np.argmin(apart) in range(turn, turn + (12 if turn == TURNS else 1))
        assert min(apart) < 6


def test_19_a_gif_is_the_same_twice_and_goes_round(played, team, tmp_path):
    first, again = (
        write_timelapse(played[0], team, tmp_path / name, "fr", height=HEIGHT)
        for name in ("a.gif", "b.gif")
    )
    assert first.read_bytes() == again.read_bytes()
    with Image.open(first) as film:
        assert (film.n_frames, film.size) == (TURNS + 1, (640, 360))
        assert (film.info["loop"], film.info["duration"]) == (0, 1000)
        film.seek(TURNS)
        assert film.info["duration"] == 3000


def test_a_film_of_another_kind_is_refused(played, team, tmp_path):
    with pytest.raises(SourceError, match=r"ends in \.mp4"):
        write_timelapse(played[0], team, tmp_path / "film.avi", "en")
    (tmp_path / "file").write_text("")
    with pytest.raises(DebriefError, match="cannot write"):
        write_timelapse(played[0], team, tmp_path / "file" / "a.gif", "en", height=HEIGHT)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_the_command_writes_a_film_in_the_language_of_the_exercise(played, tmp_path):
    out = tmp_path / "film.gif"
    pack, exercise = played
    asked = ["timelapse", str(exercise), "--out", str(out), "--district", str(pack)]
    done = CliRunner().invoke(cli, [*asked, "--seconds", "0.25"], catch_exceptions=False)
    assert (done.exit_code, done.output.strip()) == (0, str(out))
    with Image.open(out) as film:
        assert (film.size, film.info["duration"]) == ((1280, 720), 250)


def test_a_file_that_is_no_film_is_kept(tmp_path, played, team):
    kept = tmp_path / "note.gif"
    kept.write_text("precious", encoding="utf-8")
    with pytest.raises(SourceError, match="is no film"):
        write_timelapse(played[0], team, kept, "en")
    assert kept.read_text(encoding="utf-8") == "precious"


def test_a_length_that_is_no_number_is_told_in_one_sentence(tmp_path, played):
    given = ["timelapse", str(played[1]), "--out", str(tmp_path / "f.gif"), "--seconds", "nan"]
    done = CliRunner().invoke(cli, given)
    assert isinstance(done.exception, DebriefError)
    assert "from 0.25 to 10" in str(done.exception)
