"""A fault of the user's: one sentence that says where, what was found and what to do; status 2."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from exercises.cli import EXIT_USER_FAULT, main
from tests.gis import hand_pack
from tests.gis.dem_files import write_dem
from tests.gis.osm_files import OsmFile, lattice

OPEN_FILES = ("hexes-h3-10.csv", "district.kml")
SEED = "00112233445566778899aabbccddeeff"


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def averse(capsys, monkeypatch):
    """The command, run in this process: as a user sees it, with its exit status."""

    def run(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["averse", *map(str, arguments)])
        try:
            main()
            status = 0
        except SystemExit as ended:
            status = ended.code or 0
        out, err = capsys.readouterr()
        return Done(status, out, err)

    return run


def assert_refused(done: Done, *words: str) -> None:
    assert done.returncode == EXIT_USER_FAULT, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr
    # one sentence, though a usage error of the command line may take a hint before it
    assert len(done.stderr.strip().splitlines()) <= 4


COMMANDS = ("build", "play", "debrief", "compare", "map", "report", "export", "town", "demo")


def test_help_lists_the_commands(averse):
    done = averse("--help")
    assert done.returncode == 0
    for command in COMMANDS:
        assert f"  {command} " in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(averse, command):
    done = averse(command, "--help")
    assert done.returncode == 0
    assert f"averse {command}" in done.stdout


def test_a_fault_ends_the_real_process_with_status_2_and_no_traceback(tmp_path):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "exercises.cli",
            "play",
            str(tmp_path),
            "--out",
            str(tmp_path / "x"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert_refused(Done(done.returncode, done.stdout, done.stderr), "not a district pack")


# --------------------------------------------------------------------------- build
ON = lattice(6, 6)
CENTRE = "9.9,51.5"


def street_town(columns: range = range(6)) -> OsmFile:
    """Houses along a street between every two neighbouring hexes of some columns."""
    osm = OsmFile(ON)
    kept = {i for i in range(ON.sheet.n_hexes) if i // ON.sheet.rows in columns}
    for a, b in ON.sheet.edges.tolist():
        if a in kept and b in kept:
            osm.way([ON.centres[a], ON.centres[b]], {"highway": "residential"})
    for cell in sorted(kept):
        x, y = ON.centres[cell]
        osm.outline(
            [(x + 20, y + 20), (x + 80, y + 20), (x + 80, y + 60), (x + 20, y + 60)],
            {"building": "house"},
        )
    return osm


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    """A street town six hexes wide, and a DEM of gentle slope all around it."""
    folder = tmp_path_factory.mktemp("town")
    osm = street_town()
    osm.node(ON.centres[8], {"amenity": "school", "name": "École"})
    osm.write(folder / "town.osm.pbf")
    west, _, _, north = ON.bounds
    rows, columns = np.mgrid[0:100, 0:100]
    slope = (200 - 0.2 * rows - 0.1 * columns).astype(np.float32)
    place = {"crs": ON.crs.to_string(), "west": west - 600, "north": north + 600}
    write_dem(folder / "dem.tif", slope, **place)
    write_dem(folder / "no_crs.tif", slope, **{**place, "crs": None})
    write_dem(folder / "far.tif", slope, **{**place, "west": west + 90_000})
    write_dem(folder / "half.tif", slope, **{**place, "west": west + 700})
    OsmFile(ON).write(folder / "empty.osm")
    no_road = OsmFile(ON)
    no_road.outline([ON.centres[0], ON.centres[1], ON.centres[8]], {"building": "yes"})
    no_road.write(folder / "no_road.osm")
    (folder / "text.osm.pbf").write_text("this is a letter, not a map")
    (folder / "text.tif").write_text("this is a letter, not a raster")
    whole = (folder / "town.osm.pbf").read_bytes()
    (folder / "cut.osm.pbf").write_bytes(whole[: len(whole) // 2])
    pieces = street_town(range(0, 6, 2))  # every other column: three pieces
    pieces.write(folder / "pieces.osm")
    (folder / "people.csv").write_text("name;age\nAda;36\n")
    (folder / "no_cell.csv").write_text("street;population\nRue Haute;36\n")
    return folder


def arguments(files: Path, **changes: object) -> list[object]:
    given = {
        "osm": files / "town.osm.pbf",
        "dem": files / "dem.tif",
        "centre": CENTRE,
        "size": "6x6",
        **changes,
    }
    return [f"--{k.replace('_', '-')}={v}" for k, v in given.items() if v is not None]


def test_a_small_town_builds_and_plays(averse, files, tmp_path):
    done = averse("build", *arguments(files), "--out", tmp_path / "pack")
    assert done.returncode == 0, done.stderr
    done = averse("play", tmp_path / "pack", "--out", tmp_path / "played", "--turns", 6)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "played" / "map.html").is_file()
    assert "How sure each fabric is" in (tmp_path / "pack" / "report.html").read_text()
    done = averse("report", tmp_path / "pack", "--lang", "fr", "--out", tmp_path / "fr.html")
    assert done.returncode == 0, done.stderr
    assert "Certitude du tissu" in (tmp_path / "fr.html").read_text()
    done = averse("export", tmp_path / "pack", "--h3", "--kml", "--out", tmp_path / "open")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(tmp_path / "open" / f) for f in OPEN_FILES]


def test_a_build_tells_what_it_found_in_either_language(averse, files, tmp_path):
    for lang, said, not_said in (
        ("en", ("36 hexes, 36 active", "local street", "Left out, and why"), "hexagones"),
        ("fr", ("36 hexagones, dont 36 actifs", "rues locales", "Ce qui a été laissé"), "hexes"),
    ):
        pack = tmp_path / lang
        done = averse("build", *arguments(files), "--lang", lang, "--out", pack)
        assert done.returncode == 0, done.stderr
        assert all(words in done.stdout for words in said), done.stdout
        assert not_said not in done.stdout
        assert str(pack / "report.html") in done.stdout


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"osm": "nowhere.osm.pbf"}, ("nowhere.osm.pbf", "does not exist")),
        ({"osm": "."}, ("folder",)),
        ({"dem": "nowhere.tif"}, ("nowhere.tif", "does not exist")),
        ({"osm": "text.osm.pbf"}, ("text.osm.pbf", "OSM")),
        ({"osm": "cut.osm.pbf"}, ("cut.osm.pbf", "not a whole OSM extract")),
        ({"osm": "empty.osm"}, ("empty.osm", "no road")),
        ({"osm": "no_road.osm"}, ("no_road.osm", "no road")),
        ({"dem": "text.tif"}, ("text.tif",)),
        ({"dem": "no_crs.tif"}, ("no_crs.tif", "CRS", "--dem-crs")),
        ({"dem": "far.tif"}, ("far.tif", "0 %")),
        ({"dem": "half.tif"}, ("half.tif", " %", "sheet")),
        ({"dem_crs": "EPSG:nonsense", "dem": "no_crs.tif"}, ("EPSG:nonsense",)),
        ({"osm": "pieces.osm"}, ("pieces", "§1.2")),
        ({"population": "people.csv"}, ("people.csv", "no population column")),
        ({"population": "no_cell.csv"}, ("no_cell.csv", "H3")),
        ({"population": "nobody.csv"}, ("nobody.csv", "does not exist")),
        ({"centre": None, "size": None, "bbox": "9.95,51.5,9.85,51.55"}, ("empty or swapped",)),
        ({"centre": None, "size": None, "bbox": "9.9,51.5,9.9,51.5"}, ("empty or swapped",)),
        ({"centre": None, "size": None, "bbox": "9.9,51.5"}, ("W,S,E,N",)),
        ({"bbox": "9.85,51.45,9.95,51.55"}, ("both",)),
        ({"centre": "51.5,109.9"}, ("swapped",)),
        ({"centre": "ten,fifty"}, ("LON,LAT",)),
        ({"size": "44"}, ("COLSxROWS",)),
        ({"size": "0x5"}, ("from 1 to 999",)),
        ({"centre": "-60.0,10.0"}, ("covers 0 %", "longitude first")),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_town_that_cannot_be_built_is_refused_by_name(
    averse, files, tmp_path, monkeypatch, changes, words
):
    monkeypatch.chdir(files)
    out = tmp_path / "pack"
    done = averse("build", *arguments(Path(), **changes), "--out", out)
    assert_refused(done, *words)
    assert list(tmp_path.iterdir()) == []


def test_a_failed_build_leaves_the_old_pack(averse, files, tmp_path):
    pack = hand_pack.write_hand_pack(tmp_path / "pack")
    before = sorted((p.name, p.read_bytes()) for p in pack.iterdir())
    assert_refused(averse("build", *arguments(files, dem=files / "half.tif"), "--out", pack))
    assert sorted((p.name, p.read_bytes()) for p in pack.iterdir()) == before


def test_a_folder_of_something_else_is_not_replaced(averse, files, tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    assert_refused(
        averse("build", *arguments(files), "--out", tmp_path), "holds something else", "--out"
    )
    assert (tmp_path / "letter.txt").read_text() == "dear"


@pytest.mark.parametrize("name", ["[/nope]", "[red]x[/red]", "{{ 7*7 }}", "<script>", "Éⵣ‮x"])
def test_a_name_is_text_whatever_it_holds(averse, files, tmp_path, name):
    done = averse("build", *arguments(files), "--name", name, "--out", tmp_path / "pack")
    if name.isprintable():
        assert done.returncode == 0, done.stderr
        assert f"District {name}" in done.stdout
    else:
        assert_refused(done, "--name")


@pytest.mark.parametrize("name", ["", " ", "two\nlines", "\x00"])
def test_a_name_that_cannot_be_printed_is_refused(averse, files, tmp_path, name):
    # an empty --name stands for none: the folder's name serves
    done = averse("build", *arguments(files), f"--name={name}", "--out", tmp_path / "pack")
    if name:
        assert_refused(done, "--name")
    else:
        assert done.returncode == 0


# --------------------------------------------------------------------------- map, sheet
@pytest.mark.parametrize("command", ["map", "sheet"])
@pytest.mark.parametrize("name", ["manifest.json", "district.gpkg", "page", "."])
def test_nothing_but_a_page_is_written_over(averse, pack, tmp_path, command, name):
    copy = shutil.copytree(pack, tmp_path / "copy")
    before = sorted((p.name, p.read_bytes()) for p in copy.iterdir())
    done = averse(command, copy, "--out", copy / name)
    assert_refused(done, "give one that ends in")
    assert sorted((p.name, p.read_bytes()) for p in copy.iterdir()) == before


# --------------------------------------------------------------------------- play
@pytest.fixture(scope="module")
def pack(tmp_path_factory) -> Path:
    return hand_pack.write_hand_pack(tmp_path_factory.mktemp("pack") / "pack")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--seed", "42"), ("42", "§19")),
        (("--level", "4"), ("4",)),
        (("--hour", "12"), ("12",)),
        (("--turns", "0"), ("0",)),
        (("--orders", "nowhere.jsonl"), ("nowhere.jsonl",)),
        (("--player", "nobody"), ("nobody",)),
    ],
)
def test_a_setting_that_the_rules_do_not_know_is_refused(averse, pack, tmp_path, options, words):
    done = averse("play", pack, "--out", tmp_path / "played", *options)
    assert_refused(done, *words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", ("line 1",)),
        ('{"turn": 1, "order": "dance"}', ("line 1", "dance")),
        ('{"turn": 1, "order": "alert", "centre": "9901", "radius": 1}', ("9901", "sheet")),
        ('{"turn": 99, "order": "alert", "centre": "0303", "radius": 1}', ("99",)),
        (
            '{"turn": 1, "order": "alert", "centre": "0303", "radius": 1, "reason": "\\ud800"}',
            ("U+D800",),
        ),
        ('{"turn": "one", "order": "alert", "centre": "0303", "radius": 1}', ("one",)),
    ],
)
def test_an_order_file_that_cannot_be_read_names_the_line(averse, pack, tmp_path, line, words):
    orders = tmp_path / "orders.jsonl"
    orders.write_text(line + "\n")
    done = averse("play", pack, "--orders", orders, "--out", tmp_path / "played")
    assert_refused(done, "orders.jsonl", *words)
    assert [p.name for p in tmp_path.iterdir()] == ["orders.jsonl"]


def test_a_pack_that_was_edited_is_refused(averse, pack, tmp_path):
    copy = shutil.copytree(pack, tmp_path / "copy")
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["district_sha256"] = "0" * 64
    (copy / "manifest.json").write_text(json.dumps(manifest))
    done = averse("play", copy, "--seed", SEED, "--out", tmp_path / "played")
    assert_refused(done, "was changed since it was built")
    assert not (tmp_path / "played").exists()


def test_a_box_and_a_size_are_not_both_taken(averse, tmp_path):
    done = averse("build", "--bbox=1.4,42.4,1.6,42.6", "--size", "10x8", "--out", tmp_path / "town")
    assert_refused(done, "--bbox", "--size", "give --centre")
    assert not (tmp_path / "town").exists()


@pytest.mark.parametrize("option", ["--osm", "--dem", "--population", "--corrections"])
def test_a_pipe_is_no_file_to_build_from(averse, tmp_path, option):
    for name in ("town.osm", "dem.tif", "people.csv", "corrections.csv"):
        (tmp_path / name).write_text("x")
    os.mkfifo(tmp_path / "pipe")
    given = {
        "--osm": tmp_path / "town.osm",
        "--dem": tmp_path / "dem.tif",
        "--population": tmp_path / "people.csv",
        "--corrections": tmp_path / "corrections.csv",
        option: tmp_path / "pipe",
    }
    arguments = [part for pair in given.items() for part in pair]
    done = averse("build", *arguments, "--out", tmp_path / "town")
    assert_refused(done, "is a pipe or a device: save it as a file")


def test_orders_from_a_pipe_are_refused_and_not_waited_for(averse, tmp_path):
    pack = hand_pack.write_hand_pack(tmp_path / "pack")
    os.mkfifo(tmp_path / "orders")
    done = averse(
        "play", pack, "--orders", tmp_path / "orders", "--seed", SEED, "--out", tmp_path / "out"
    )
    assert_refused(done, "file of orders", "is a pipe or a device")
