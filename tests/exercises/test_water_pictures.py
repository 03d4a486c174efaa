"""Pictures of the water: depths that are the solver's, a film that opens offline, a balance."""

import csv
import json
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import numpy as np
import pytest
import rasterio
from click.testing import CliRunner

from exercises.cli import cli
from exercises.water_pictures import draw_water
from exercises.water_runs import kept_truth
from gis.offline import refuse_outside_references
from gis.store import read_district, read_ground
from gis.water_page import Film, write_film
from gis.water_plot import Balance, balance_svg
from gis.water_rasters import DEPTH_COLOURS, DEPTHS_FROM_MM, NODATA, picture_of
from sim.depths import HexDepths
from sim.district import failed_drains_ladder
from sim.errors import ExerciseError, SourceError
from sim.rules import LEVELS, TURNS
from tests.gis.hand_pack import district, write_hand_pack


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    town = district(ladder=failed_drains_ladder(LEVELS))
    return write_hand_pack(tmp_path_factory.mktemp("made") / "pack", town)


@pytest.fixture(scope="module")
def drawn(pack, tmp_path_factory):
    out = tmp_path_factory.mktemp("drawn") / "water"
    return draw_water(pack, out, 5, lang="fr")


def test_7_4_the_depths_of_the_raster_are_those_of_the_exercise(pack, drawn):
    town, ground = read_district(pack), read_ground(pack)
    truth = kept_truth(pack, town, ground, town.severity(5), TURNS)
    depths = HexDepths.of(ground, town.sheet.n_hexes)
    with rasterio.open(drawn["depths"]) as raster:
        bands = raster.read()
    assert bands.shape == (TURNS + 1, *ground.cell.shape)
    assert bands.dtype == np.float32
    for turn in (0, 9, 14, TURNS):
        # metres in single precision: half a millimetre may round the other way
        assert np.abs(depths.depth_mm(bands[turn]) - truth.depth_mm[turn]).max() <= 1
    assert truth.depth_mm.max() > 50


def test_the_raster_lies_on_the_ground_and_says_so(pack, drawn):
    ground = read_ground(pack)
    with rasterio.open(drawn["depths"]) as raster, rasterio.open(pack / "ground.tif") as own:
        assert raster.crs == own.crs
        assert raster.transform == own.transform
        assert raster.nodata == NODATA
        assert raster.compression.value == "DEFLATE"
        assert raster.descriptions[6] == "turn 6, 15:00, depth in metres"
        nothing = raster.read(20) == NODATA
    assert (nothing == ((ground.cell < 0) | ground.sink)).all()


def test_the_film_opens_offline_with_a_picture_a_turn(drawn):
    page = drawn["film"].read_text(encoding="utf-8")
    refuse_outside_references(page)
    frames = json.loads(re.search(r'id="frames">(.*?)</script>', page, re.S)[1])
    assert len(frames["pictures"]) == len(frames["clocks"]) == TURNS + 1
    assert frames["clocks"][6] == "15\xa0h"
    assert len(set(frames["pictures"])) > 5  # the water moves
    assert "pluie de période de retour 5 ans sur sol saturé, réseau obstrué" in page
    assert "Pour l'animateur" in page.replace("&#39;", "'")
    assert "à un millionième près" in page
    assert "{" not in re.search(r"<footer>(.*?)</footer>", page, re.S)[1]


def test_names_are_text_in_the_film(pack, tmp_path):
    words = "<script>alert(1)</script>"
    zero = np.zeros(2)
    write_film(
        tmp_path / "film.html",
        pack,
        read_ground(pack),
        Film(["data:,", "data:,"], ["14:00", "14:10"], Balance(zero, zero, zero), 1, words),
        "en",
    )
    assert "<script>alert(1)" not in (tmp_path / "film.html").read_text(encoding="utf-8")


def test_the_balance_closes_turn_by_turn(drawn):
    with drawn["series"].open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["turn"]) for row in rows] == list(range(TURNS + 1))
    for row in rows:
        come, stored, out = (float(row[k]) for k in ("come_m3", "stored_m3", "out_m3"))
        assert come == pytest.approx(stored + out, abs=0.01 + 1e-6 * come)
    come = [float(row["come_m3"]) for row in rows]
    assert come == sorted(come)
    assert come[0] == 0 < come[-1]


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_plot_is_an_svg_by_itself_even_of_a_dry_storm(lang, drawn):
    ElementTree.parse(drawn["plot"])
    for size in (0.0, 3.0, 4.2e7):
        come = np.linspace(0, size, 31)
        text = balance_svg(Balance(come, come * 0.4, come * 0.6), ["14:00"] * 31, lang)
        drawing = ElementTree.fromstring(text)
        assert "nan" not in text
        bars = [e for e in drawing.iter("{http://www.w3.org/2000/svg}rect") if e.get("fill")]
        assert len(bars) >= 31


@pytest.mark.filterwarnings("ignore::rasterio.errors.NotGeoreferencedWarning")
def test_a_picture_has_a_colour_for_every_class(pack):
    ground = read_ground(pack)
    land = np.flatnonzero(((ground.cell >= 0) & ~ground.sink).reshape(-1))
    depth = np.zeros(ground.cell.size)
    depth[land[: len(DEPTHS_FROM_MM)]] = np.array(DEPTHS_FROM_MM) / 1000
    shown = decoded(picture_of(depth.reshape(ground.cell.shape), ground))
    found = {tuple(c) for c in shown.reshape(-1, 4).tolist() if c[3]}
    assert found == {(*bytes.fromhex(c[1:]), 235) for c in DEPTH_COLOURS}
    drowned = decoded(picture_of(np.full(ground.cell.shape, 9.0), ground))
    assert not drowned[ground.sink | (ground.cell < 0)].any()


def decoded(address):
    """(n_row, n_col, 4) colours of a PNG given as a data address."""
    import base64

    from rasterio.io import MemoryFile

    with MemoryFile(base64.b64decode(address.split(",", 1)[1])) as memory, memory.open() as png:
        table = png.colormap(1)
        index = png.read(1)
    colours = np.zeros((256, 4), dtype=np.uint8)
    for key, colour in table.items():
        colours[key] = colour
    return colours[index]


def test_an_exercise_that_is_not_finished_keeps_its_water(pack, tmp_path):
    folder = tmp_path / "exercise"
    folder.mkdir()
    entry = {"district_sha256": read_district(pack).digest, "hour": 8, "turns": 12}
    (folder / "exercise.json").write_text(json.dumps({**entry, "finished": False}))
    with pytest.raises(ExerciseError, match="not finished"):
        draw_water(pack, tmp_path / "out", exercise=folder)
    over = {**entry, "level": 2, "finished": True}
    (folder / "exercise.json").write_text(json.dumps({**over, "district_sha256": "0" * 64}))
    with pytest.raises(ExerciseError, match="another district"):
        draw_water(pack, tmp_path / "out", exercise=folder)
    (folder / "exercise.json").write_text(json.dumps({**over, "weather": {"file": "a.toml"}}))
    with pytest.raises(ExerciseError, match="weather of its own"):
        draw_water(pack, tmp_path / "out", exercise=folder)
    (folder / "exercise.json").write_text(json.dumps(over))
    files = draw_water(pack, tmp_path / "out", exercise=folder)
    with rasterio.open(files["depths"]) as raster:
        assert raster.count == 13
        assert raster.descriptions[12] == "turn 12, 10:00, depth in metres"
    with pytest.raises(ExerciseError, match=r"no (exercise|folder)"):
        draw_water(pack, tmp_path / "out", exercise=tmp_path / "nowhere")


def test_nothing_is_written_over_another_folder_nor_half(pack, tmp_path, monkeypatch):
    other = tmp_path / "mine"
    other.mkdir()
    (other / "thesis.txt").write_text("years")
    with pytest.raises(SourceError, match=r"thesis\.txt"):
        draw_water(pack, other, 1)

    def broken(*args):
        raise SourceError("the disk is full")

    monkeypatch.setattr("exercises.water_pictures.write_film", broken)
    with pytest.raises(SourceError):
        draw_water(pack, tmp_path / "half", 1)
    assert not (tmp_path / "half").exists()
    assert not list(tmp_path.glob(".half*"))


def test_faults_of_the_command_are_one_sentence(pack, tmp_path):
    out = str(tmp_path / "o")
    neither = CliRunner().invoke(cli, ["water", str(pack), "--out", out])
    assert neither.exit_code == 2
    assert "--level or --exercise" in neither.output
    with pytest.raises(ExerciseError, match="no level 4"):
        draw_water(pack, tmp_path / "o", 4)
    with pytest.raises(ExerciseError, match="language 'de'"):
        draw_water(pack, tmp_path / "o", 1, lang="de")
    help_text = CliRunner().invoke(cli, ["water", "--help"]).output
    assert "instructor" in help_text


def test_the_error_of_a_balance_is_its_largest_gap():
    come = np.array([0.0, 10.0, 20.0])
    gap = Balance(come, come * 0.5, come * 0.5 - np.array([0.0, 1.0, 0.5]))
    assert gap.error == pytest.approx(0.05)
    assert replace(gap, out=come * 0.5).error == 0.0
