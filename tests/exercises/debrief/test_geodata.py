"""``debrief.gpkg`` and ``depth.tif``: a GIS opens them, and their figures are the debrief's."""

import sqlite3
import xml.etree.ElementTree as ET
from contextlib import closing

import numpy as np
import pyogrio
import pytest
import rasterio

from exercises.debrief.figures import class_figures
from exercises.debrief.geodata import DEPTH, GEOPACKAGE, write_geodata
from exercises.debrief.material import read_material
from gis.geopackage import TABLE
from gis.pack_lattice import read_lattice
from gis.result_layers import NO_DEPTH, styles
from sim.links import is_open
from sim.rules import Mode
from sim.units import true_links
from tests.exercises.debrief import hand_exercise


@pytest.fixture(scope="module")
def material(tmp_path_factory):
    folder = tmp_path_factory.mktemp("geodata")
    pack = hand_exercise.write_pack(folder / "pack")
    return read_material([hand_exercise.play(pack, folder / "exercise")], pack)


@pytest.fixture(scope="module")
def figures(material):
    return class_figures(material)


@pytest.fixture(scope="module")
def written(material, figures, tmp_path_factory):
    folder = tmp_path_factory.mktemp("out")
    write_geodata(material, figures, folder, "fr")
    return folder


def layer(folder, name):
    return pyogrio.read_dataframe(folder / GEOPACKAGE, layer=name)


def test_the_file_is_a_whole_geopackage_and_every_placed_layer_has_its_style(written):
    with closing(sqlite3.connect(written / GEOPACKAGE)) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (0x47504B47,)
        assert db.execute("PRAGMA user_version").fetchone() == (10300,)
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        placed = {name for (name,) in db.execute("SELECT table_name FROM gpkg_geometry_columns")}
        styled = dict(db.execute(f"SELECT f_table_name, styleQML FROM {TABLE}"))
        assert placed == set(styled) == set(styles())
        for name, text in styled.items():
            renderer = ET.fromstring(text).find("renderer-v2")
            columns = {row[1] for row in db.execute(f"PRAGMA table_info({name})")}
            if renderer.get("type") == "categorizedSymbol":
                assert renderer.get("attr") in columns
                values = {c.get("value") for c in renderer.iter("category")}
                found = {v for (v,) in db.execute(f'SELECT "{renderer.get("attr")}" FROM {name}')}
                assert found <= values


def test_12_figures_are_those_of_the_people_and_of_the_score(written, figures):
    [team] = figures.teams
    hexes, said = layer(written, "outcome"), layer(written, "figures")
    value = dict(zip(said["figure"], said["value"], strict=True))
    score = team.team.played.score
    assert value["points"] == score.points
    assert value["terms.needed_and_done"] == score.saved == int(hexes["people_saved"].sum() + 1e-6)
    assert value["terms.not_needed"] == score.misused == int(hexes["people_misused"].sum() + 1e-6)
    assert value["terms.victims"] == score.victims == int(hexes["people_lost"].sum() + 1e-6)
    assert value["threatened"] == score.threatened == round(hexes["people_threatened"].sum())
    forecast = layer(written, "forecast")["forecast"].value_counts()
    assert forecast.get("hit", 0) == value["forecast.hits"] == team.skill.hits
    assert forecast.get("miss", 0) == value["forecast.misses"] == team.skill.misses
    assert forecast.get("false_alarm", 0) == value["forecast.false_alarms"]
    assert len(layer(written, "alerts")) >= 3
    shelters = layer(written, "shelters")
    assert shelters["taken"].tolist() == team.shelters_filled[-1].tolist()


def test_4_links_are_cut_when_the_one_function_says_so(written, figures):
    """Sought again link by link and turn by turn."""
    [team] = figures.teams
    world, moments = team.team.world, team.team.played.moments
    links = layer(written, "links")
    dry = np.zeros(len(links), dtype=np.int32)
    some = 0
    for mode, name in ((Mode.FOOT, "foot"), (Mode.VEHICLE, "vehicles")):
        first = [None] * len(links)
        open_dry = is_open(true_links(world, moments[0])[0], dry, mode)
        for turn in range(1, len(moments) - 1):
            now = is_open(*true_links(world, moments[turn]), mode)
            for link in np.flatnonzero(open_dry & ~now).tolist():
                first[link] = first[link] or turn
        kept = [None if np.isnan(v) else int(v) for v in links[f"{name}_cut_turn"].astype(float)]
        last = len(moments) - 1
        assert [t for t in kept if t != last] == [
            t for t, k in zip(first, kept, strict=True) if k != last
        ]
        some += sum(t is not None for t in kept)
    assert some > 0


def test_the_depth_of_every_hex_is_in_every_pixel_of_it(written, material, figures):
    world = figures.teams[0].team.world
    lattice = read_lattice(material.pack)
    with rasterio.open(written / DEPTH) as raster:
        assert raster.count == world.turns + 1
        assert raster.nodata == NO_DEPTH
        assert raster.crs == lattice.crs
        deepest = int(world.depth_mm.max(axis=1).argmax())
        assert raster.descriptions[deepest].startswith(f"turn {deepest}, ")
        found = [int(v[0]) for v in raster.sample(lattice.centres, indexes=deepest + 1)]
    assert found == world.depth_mm[deepest].tolist()
    assert max(found) > 0


def test_an_exercise_in_which_nobody_did_anything_has_its_layers_too(tmp_path):
    pack = hand_exercise.write_pack(tmp_path / "pack")
    idle = read_material([hand_exercise.play(pack, tmp_path / "idle", orders=())], pack)
    write_geodata(idle, class_figures(idle), tmp_path, "en")
    assert len(layer(tmp_path, "decisions")) == len(layer(tmp_path, "alerts")) == 0


def test_two_runs_write_the_same_bytes(material, figures, written, tmp_path):
    write_geodata(material, figures, tmp_path, "fr")
    for name in (GEOPACKAGE, DEPTH):
        assert (tmp_path / name).read_bytes() == (written / name).read_bytes()
