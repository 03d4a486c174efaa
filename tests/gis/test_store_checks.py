"""A pack made by somebody who means harm, whose hashes prove nothing: refused as it is read."""

import json
import shutil
import sqlite3
import time
import zipfile
from contextlib import closing

import numpy as np
import pytest
import rasterio
from affine import Affine

from exercises.room.pack_upload import PackRefusedError, unpack
from gis.report import write_report
from gis.store import GPKG, GROUND, MANIFEST, read_district, read_ground
from sim.errors import DistrictError
from sim.hexes import Sheet
from tests.gis import hand_pack

NO_END = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)"
HUGE = "zeroblob(900000000)"


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    placed = hand_pack.lattice()
    where = {"crs": "EPSG:32631", "first_hex_m": [placed.x0, placed.y0]}
    return hand_pack.write_hand_pack(tmp_path_factory.mktemp("sound") / "pack", **where)


@pytest.fixture
def copy(pack, tmp_path):
    return shutil.copytree(pack, tmp_path / "copy")


def run(pack, *statements):
    with closing(sqlite3.connect(pack / GPKG, isolation_level=None)) as db:
        # triggers of a layer call functions that only a GIS has
        for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'"):
            db.execute(f'DROP TRIGGER "{name}"')
        for statement in statements:
            db.execute(statement)


def say(pack, **entries):
    path = pack / MANIFEST
    path.write_text(json.dumps({**json.loads(path.read_text()), **entries}))


def refused(pack, tmp_path):
    """The sentence by which an archive of a pack is refused, soon, and nothing of it stays."""
    archive = tmp_path / "sent.zip"
    with zipfile.ZipFile(archive, "w") as book:
        for part in (MANIFEST, GPKG, GROUND):
            book.write(pack / part, part)
    started = time.process_time()
    with pytest.raises(PackRefusedError) as told:
        unpack(archive, "town.zip", tmp_path / "taken", "en")
    assert time.process_time() - started < 5
    assert not (tmp_path / "taken").exists()
    said = str(told.value)
    assert said.startswith("town.zip holds no district that can be played: ")
    assert "\n" not in said
    return said


@pytest.mark.parametrize(
    ("layer", "made"),
    [
        ("quarters", f"VIEW quarters AS {NO_END} SELECT n AS id, 'x' AS name FROM r"),
        ("quarters", f"VIEW quarters AS SELECT 1 AS id, {HUGE} AS name"),
        ("basemap", f"VIEW basemap AS {NO_END} SELECT n AS fid, 'water' AS kind FROM r"),
        ("quarters", "VIRTUAL TABLE quarters USING rtree(id, name, x)"),
        (
            "quarters",
            f"TABLE quarters (id INTEGER PRIMARY KEY, name TEXT GENERATED ALWAYS AS ({HUGE}))",
        ),
    ],
)
def test_a_layer_that_is_worked_out_as_it_is_read_is_refused(copy, tmp_path, layer, made):
    run(copy, f"ALTER TABLE {layer} RENAME TO kept", f"CREATE {made}")
    words = f"its layer {layer} is "
    with pytest.raises(DistrictError, match=words):
        read_district(copy)
    assert words in refused(copy, tmp_path)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (f"VIEW more AS {NO_END} SELECT n FROM r", "holds 'more', which is no plain table"),
        ("VIRTUAL TABLE more USING fts5(name)", "holds 'more', which is no plain table"),
        (f"TABLE more (a, b AS ({HUGE}))", "computes a column of 'more'"),
    ],
)
def test_an_archive_with_anything_that_another_program_would_run_is_refused(
    copy, tmp_path, made, words
):
    """An instructor may look at a district in a GIS; what runs there is not taken from others."""
    run(copy, f"CREATE {made}")
    read_district(copy)
    assert words in refused(copy, tmp_path)


def test_a_trigger_does_nothing_where_nobody_writes(copy, tmp_path):
    run(
        copy,
        "CREATE TRIGGER x AFTER INSERT ON quarters BEGIN DELETE FROM hexes; END",
        "CREATE TRIGGER y AFTER UPDATE ON hexes BEGIN DELETE FROM links; END",
    )
    before = (copy / GPKG).read_bytes()
    with zipfile.ZipFile(tmp_path / "sent.zip", "w") as book:
        for part in (MANIFEST, GPKG, GROUND):
            book.write(copy / part, part)
    unpack(tmp_path / "sent.zip", "town.zip", tmp_path / "taken", "en")
    assert (tmp_path / "taken" / GPKG).read_bytes() == before


def test_an_archive_without_the_background_of_its_maps_is_refused(copy, tmp_path):
    run(copy, "ALTER TABLE basemap RENAME COLUMN kind TO other")
    assert "no such column: kind" in refused(copy, tmp_path)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE hexes SET residents = 2147483647 WHERE active", "residents 2147483647, which no"),
        ("UPDATE hexes SET residents = -5 WHERE active", "residents -5, which no district has"),
        ("UPDATE hexes SET residents = 7 WHERE NOT active", "residents 7, which no district has"),
        ("UPDATE hexes SET residents = 1.5", "residents holds 1.5, which is no whole number"),
        ("UPDATE hexes SET residents = x'00'", "residents holds b'.*', which is no whole number"),
        ("UPDATE hexes SET active = 2", "active holds 2, which is neither 0 nor 1"),
        ("UPDATE hexes SET unshelterable = residents + 1 WHERE active", "has unshelterable"),
        ("UPDATE hexes SET quarter = 99 WHERE active", "has quarter 99, which no district has"),
        ("UPDATE hexes SET quarter = -1 WHERE active", "has quarter -1, which no district has"),
        ("UPDATE hexes SET road_m = -1", "has road_m -1, which no district has"),
        ("UPDATE hexes SET sink_mm = 99000000", "has sink_mm 99000000, which no district has"),
        ("UPDATE hexes SET elevation_mm = -2147483648", "has elevation_mm -2147483648, which no"),
        ("UPDATE hexes SET elevation_mm = 99999999999", "is damaged"),
        ("UPDATE hexes SET label = '0203'", "has not every hex of the sheet, each once"),
        ("INSERT INTO hexes (label) SELECT 'x' FROM hexes", "hexes has more than 80 rows"),
        ("UPDATE links SET class = 99", "a link is of class 99"),
        ("UPDATE links SET class = -1", "a link is of class -1"),
        ("UPDATE links SET a = '0101', b = '0102'", "has not every edge of the sheet, each once"),
        ("UPDATE quarters SET name = NULL", "None is no name"),
        ("UPDATE quarters SET name = x'00ff'", "is no name"),
        ("UPDATE quarters SET name = hex(zeroblob(6000))", "is no name"),
        ("UPDATE facilities SET places = 'many' WHERE kind = 'shelter'", "has 'many' places"),
        ("UPDATE facilities SET places = -7 WHERE kind = 'shelter'", "has -7 places"),
        ("UPDATE facilities SET places = 1e300 WHERE kind = 'shelter'", r"has 1e\+300 places"),
    ],
)
def test_values_that_no_build_gives_are_refused_before_any_hash_is_looked_at(
    copy, monkeypatch, statement, words
):
    run(copy, statement)
    with pytest.raises(DistrictError, match=words):
        read_district(copy)


@pytest.mark.parametrize(
    "entries",
    [
        {"name": "\ud800x"},
        {"name": "n" * 10_001},
        {"sheet": {"columns": 999, "rows": 999}},
        {"ladder": []},
        {
            "ladder": [
                {"level": 1, "rain_years": float("nan"), "network_efficiency": 1, "soaked": 0}
            ]
        },
        {"ladder": [{"level": [], "rain_years": 1.0, "network_efficiency": 1, "soaked": 0}]},
        {"ladder": [{"level": 1, "rain_years": 1.0, "network_efficiency": 7, "soaked": 0}]},
        {"hyetograph": [1]},
        {"hyetograph": {"length_min": 1e308}},
    ],
    ids=str,
)
def test_a_manifest_that_no_build_writes_is_refused(copy, entries):
    say(copy, **entries)
    with pytest.raises(DistrictError, match="is damaged"):
        read_district(copy)


# --------------------------------------------------------------------------- the ground
def test_a_ground_is_a_geotiff_and_opens_no_other_file(copy, tmp_path):
    """A raster of another kind may name any file of this machine as its source."""
    secret = shutil.copy(copy / GROUND, tmp_path / "secret.tif")
    with rasterio.open(secret) as source:
        width, height, place = source.width, source.height, source.transform.to_gdal()
    bands = "".join(
        f'<VRTRasterBand dataType="Float32" band="{band}"><SimpleSource><SourceFilename '
        f'relativeToVRT="0">{secret}</SourceFilename><SourceBand>{band}</SourceBand>'
        "</SimpleSource></VRTRasterBand>"
        for band in range(1, 5)
    )
    (copy / GROUND).write_text(
        f'<VRTDataset rasterXSize="{width}" rasterYSize="{height}"><GeoTransform>'
        f"{', '.join(map(str, place))}</GeoTransform><SRS>EPSG:32631</SRS>{bands}</VRTDataset>"
    )
    with rasterio.open(copy / GROUND) as opened:  # as anybody else would
        assert opened.read(1).any()
    assert "not recognized as being in a supported file format" in refused(copy, tmp_path)


@pytest.mark.filterwarnings("ignore::rasterio.errors.NotGeoreferencedWarning")
def test_a_raster_of_no_size_for_a_ground_is_refused_before_it_is_read(copy):
    form = {"driver": "GTiff", "dtype": "float32", "count": 4, "compress": "deflate"}
    big = {"width": 60_000, "height": 60_000, "tiled": True, "sparse_ok": True}
    with rasterio.open(copy / GROUND, "w", **form, **big, blockxsize=4096, blockysize=4096):
        pass
    assert (copy / GROUND).stat().st_size < 100_000
    with pytest.raises(DistrictError, match="60,000 × 60,000 pixels: a ground has up to"):
        read_ground(copy)
    for change, words in (
        ({"width": 9, "height": 9, "transform": Affine.scale(0.01)}, "pixels of 0.01 m"),
        ({"width": 9, "height": 9, "count": 3}, "four bands"),
        ({"width": 9, "height": 9, "dtype": "float64"}, "four bands"),
    ):
        with rasterio.open(copy / GROUND, "w", **{**form, **change}):
            pass
        with pytest.raises(DistrictError, match=words):
            read_ground(copy)


@pytest.mark.parametrize(
    ("band", "value", "words"),
    [
        (2, 80.0, "have a hex that none has"),
        (2, 1e9, "have a hex that none has"),
        (2, -2.0, "have a hex that none has"),
        (2, np.nan, "have a hex that none has"),
        (1, 1e30, "have a height that none has"),
        (1, np.nan, "has voids"),
        (3, -1.0, "have a road that none has"),
        (3, np.inf, "have a road that none has"),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")
def test_a_pixel_that_would_lead_a_loop_out_of_its_bounds_is_refused(copy, band, value, words):
    with rasterio.open(copy / GROUND, "r+") as raster:
        changed = raster.read(band)
        row, column = np.argwhere(raster.read(2) >= 0)[0]
        changed[row, column] = value
        raster.write(changed, band)
    with pytest.raises(DistrictError, match=words):
        read_ground(copy)


def test_a_sound_ground_is_taken(pack):
    assert read_ground(pack).cell.max() == Sheet(10, 8).n_hexes - 1


@pytest.mark.parametrize(
    "entries",
    [
        {"sources": [1]},
        {"sources": [{"credit": 5}]},
        {"versions": 5},
        {"report": {"terrain": 5, "fabric": []}},
    ],
    ids=str,
)
def test_a_report_of_what_no_build_tells_is_refused(copy, tmp_path, entries):
    """Nothing is played by these entries: a town is taken with them, its report is not drawn."""
    say(copy, **entries)
    read_district(copy)
    with pytest.raises(DistrictError, match="tells of the build what no build tells"):
        write_report(copy, tmp_path / "report.html", lang="en")
    assert not (tmp_path / "report.html").exists()
