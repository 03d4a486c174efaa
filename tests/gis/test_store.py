"""A district pack: what is written is read back, and nothing is ever half-written."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from dataclasses import fields

import geopandas as gpd
import numpy as np
import pytest
import rasterio
from affine import Affine

from gis.aside import written_aside
from gis.store import (
    GPKG,
    GROUND,
    MANIFEST,
    PACK,
    read_district,
    read_ground,
    read_manifest,
    read_truth,
    write_truth,
)
from gis.store_ladder import require_open
from sim.errors import DistrictError, SourceError
from sim.water import Truth
from tests.gis import hand_pack

CAPTURED = {"capture_output": True, "text": True, "check": True}


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    return hand_pack.write_hand_pack(tmp_path_factory.mktemp("store") / "pack")


@pytest.fixture
def copy(pack, tmp_path):
    return shutil.copytree(pack, tmp_path / "copy")


def test_a_district_comes_back_as_it_was_written(pack):
    written, read = hand_pack.district(), read_district(pack)
    for field in fields(written):
        a, b = getattr(written, field.name), getattr(read, field.name)
        if isinstance(a, np.ndarray):
            assert a.dtype == b.dtype, field.name
            assert np.array_equal(a, b), field.name
        else:
            assert a == b, field.name
    assert written.digest == read.digest


def test_the_ground_comes_back_as_it_was_written(pack):
    written, read = hand_pack.ground(), read_ground(pack)
    assert written.digest == read.digest
    assert read.pixel_m == written.pixel_m


def test_a_class_reads_a_district_without_the_geodata_libraries(pack):
    code = (
        "import sys\n"
        "for name in 'geopandas rasterio osmium folium pyogrio shapely pyproj h3'.split():\n"
        "    sys.modules[name] = None\n"
        "from gis.store import read_district\n"
        f"print(read_district({str(pack)!r}).name)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == hand_pack.district().name, done.stderr


def test_the_same_district_gives_the_same_bytes(tmp_path):
    packs = [hand_pack.write_hand_pack(tmp_path / name) for name in ("one", "two")]
    for name in (GPKG, GROUND, MANIFEST):
        assert (packs[0] / name).read_bytes() == (packs[1] / name).read_bytes(), name


@pytest.mark.parametrize("layer", ["hexes", "links", "quarters", "facilities", "basemap"])
def test_every_layer_opens_with_its_crs(pack, layer):
    table = gpd.read_file(pack / GPKG, layer=layer)
    assert len(table) > 0
    assert table.crs == hand_pack.lattice().crs
    assert table.geometry.is_valid.all()


def test_a_folder_that_is_no_pack_is_named(tmp_path):
    with pytest.raises(DistrictError, match=r"not a district pack.*averse build"):
        read_district(tmp_path)


def test_an_edited_geopackage_is_refused(copy):
    with sqlite3.connect(copy / GPKG) as db:
        # the layer's triggers call functions of SpatiaLite; a plain editor drops them too
        for (name,) in db.execute(
            "SELECT name FROM sqlite_master WHERE type='trigger' AND tbl_name='hexes'"
        ).fetchall():
            db.execute(f'DROP TRIGGER "{name}"')
        db.execute("UPDATE hexes SET residents = residents + 1 WHERE active")
    with pytest.raises(DistrictError, match="was changed since it was built"):
        read_district(copy)


@pytest.mark.parametrize("moved", ["away", "into another CRS"])
def test_a_ground_that_was_moved_is_refused(copy, moved):
    manifest = json.loads((copy / MANIFEST).read_text())
    place = hand_pack.lattice()
    said = {"crs": place.crs.to_string(), "first_hex_m": [place.x0, place.y0]}
    (copy / MANIFEST).write_text(json.dumps(manifest | said))
    read_ground(copy)  # where it was built
    with rasterio.open(copy / GROUND, "r+") as raster:
        if moved == "away":
            a, b, c, d, e, f = raster.transform[:6]
            raster.transform = Affine(a, b, c + 260, d, e, f)
        else:
            raster.crs = "EPSG:32633"
    with pytest.raises(DistrictError, match=r"ground\.tif was moved since it was built"):
        read_ground(copy)


def test_another_ground_is_refused(copy):
    manifest = json.loads((copy / MANIFEST).read_text())
    manifest["ground_sha256"] = "0" * 64
    (copy / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(DistrictError, match="was changed since it was built"):
        read_ground(copy)


@pytest.mark.parametrize(
    ("name", "content", "reader"),
    [
        (MANIFEST, b"{", read_manifest),
        (MANIFEST, b'{"pack_version": 99}', read_manifest),
        (MANIFEST, b'"a string"', read_manifest),
        (MANIFEST, b'{"pack_version": 1, "name": 7}', read_manifest),
        (GPKG, b"not a database, but long enough to be looked at as if it were one", read_district),
        (GPKG, b"", read_district),
        (GROUND, b"not a raster", read_ground),
    ],
)
def test_a_damaged_pack_says_to_build_again(copy, name, content, reader):
    (copy / name).write_bytes(content)
    with pytest.raises(DistrictError, match="build the district again"):
        reader(copy)


def test_a_failed_write_leaves_what_was_there(copy):
    before = {p.name: p.read_bytes() for p in copy.iterdir() if p.is_file()}

    def write_half() -> None:
        with written_aside(copy, PACK) as folder:
            (folder / MANIFEST).write_text("{}")
            raise RuntimeError("half-way")

    with pytest.raises(RuntimeError, match="half-way"):
        write_half()
    assert {p.name: p.read_bytes() for p in copy.iterdir() if p.is_file()} == before
    assert [p.name for p in copy.parent.iterdir()] == [copy.name]


def test_a_folder_of_another_kind_is_never_overwritten(tmp_path):
    (tmp_path / "thesis.docx").write_text("four years")
    with pytest.raises(SourceError, match="holds something else"), written_aside(tmp_path, PACK):
        pytest.fail("nothing may be written")
    assert (tmp_path / "thesis.docx").read_text() == "four years"


def test_water_comes_back_as_it_was_kept(tmp_path):
    depth_mm = np.arange(12, dtype=np.int32).reshape(3, 4)
    truth = Truth(depth_mm, 10.0, 4.0, 6.0, 1e-16, 77)
    write_truth(tmp_path / "water", "key", truth)
    read = read_truth(tmp_path / "water", "key")
    assert np.array_equal(read.depth_mm, depth_mm)
    assert (read.rain_m3, read.balance_error, read.steps) == (10.0, 1e-16, 77)
    assert read_truth(tmp_path / "water", "other") is None


def test_only_averses_own_folders_are_replaced(copy):
    (copy / "notes.txt").write_text("mine")
    with pytest.raises(SourceError, match=r"notes\.txt"), written_aside(copy, PACK):
        pytest.fail("nothing may be written")
    assert (copy / "notes.txt").read_text() == "mine"


def test_another_programs_manifest_makes_no_pack(tmp_path):
    (tmp_path / MANIFEST).write_text('{"name": "a web app"}')
    with pytest.raises(SourceError, match="something else"), written_aside(tmp_path, PACK):
        pytest.fail("nothing may be written")


def test_an_input_inside_the_folder_to_replace_is_refused(copy):
    inside = copy / GROUND
    with pytest.raises(SourceError, match="would be replaced"):
        written_aside(copy, PACK, [inside]).__enter__()
    assert inside.is_file()


def test_what_a_killed_run_left_is_swept_away(tmp_path):
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], **CAPTURED)
    left = tmp_path / f".pack-{gone.stdout.strip()}-abc"
    left.mkdir()
    (left / "half").write_text("half")
    running = tmp_path / f".pack-{os.getpid()}-abc"
    running.mkdir()
    with written_aside(tmp_path / "pack", PACK) as folder:
        (folder / MANIFEST).write_text("{}")
    assert sorted(p.name for p in tmp_path.iterdir()) == [running.name, "pack"]


@pytest.mark.parametrize("content", [b"", b"PK not a zip", b"PK\x03\x04 cut"])
def test_damaged_water_is_computed_again(tmp_path, content):
    (tmp_path / "water").mkdir()
    (tmp_path / "water" / "key.npz").write_bytes(content)
    assert read_truth(tmp_path / "water", "key") is None


def test_water_of_which_bits_were_flipped_is_computed_again(tmp_path):
    """An array's header is read as Python is, and may be anything."""
    figures = json.dumps({"depth_sha256": "0" * 64})
    for header in (b"{'descr': '<i4", b"(((((", b"{'descr': \x00", b"[" * 9_000, b"\xff"):
        packed = tmp_path / "key.npz"
        np.savez(packed, figures=figures)
        with zipfile.ZipFile(packed, "a") as file:
            size = len(header).to_bytes(2, "little")
            file.writestr("rise_mm.npy", b"\x93NUMPY\x01\x00" + size + header)
        assert read_truth(tmp_path, "key") is None


def test_edited_water_is_computed_again(tmp_path):
    truth = Truth(np.zeros((3, 4), np.int32), 10.0, 4.0, 6.0, 1e-16, 77)
    write_truth(tmp_path / "water", "key", truth)
    with np.load(tmp_path / "water" / "key.npz") as kept:
        figures = kept["figures"]
    deep = np.full((3, 4), 900, np.int32)
    np.savez_compressed(tmp_path / "water" / "key.npz", rise_mm=deep.T, figures=figures)
    assert read_truth(tmp_path / "water", "key") is None


def test_a_geopackage_that_cannot_be_written_is_told_in_a_sentence(tmp_path):
    with pytest.raises(SourceError, match=r"cannot write district\.gpkg"):
        hand_pack.write_district_layers(
            tmp_path / "gone", hand_pack.district(), hand_pack.lattice(), hand_pack.basemap()
        )


def test_a_loop_of_links_is_no_pack_and_is_told(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(DistrictError, match="cannot be read"):
        read_manifest(tmp_path / "loop")
    with pytest.raises(DistrictError, match="cannot be read"):
        require_open(tmp_path / "loop")
