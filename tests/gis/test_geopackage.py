"""``district.gpkg`` as the OGC's standard wants it (12-128r18, version 1.3), styled for QGIS."""

import sqlite3
import struct
import xml.etree.ElementTree as ET
from contextlib import closing

import numpy as np
import pytest

from gis.geopackage import TABLE
from gis.qgis_styles import styles
from gis.store import read_district
from gis.store_writer import write_district_layers
from sim.rules import Fabric
from tests.gis import hand_pack

LAYERS = {
    "hexes": "POLYGON",
    "links": "LINESTRING",
    "quarters": "MULTIPOLYGON",
    "facilities": "POINT",
    "basemap": "GEOMETRY",
}
WKB_TYPES = {"POINT": 1, "LINESTRING": 2, "POLYGON": 3, "MULTIPOLYGON": 6}
COLUMN_TYPES = {
    *("BOOLEAN", "TINYINT", "SMALLINT", "MEDIUMINT", "INT", "INTEGER", "FLOAT", "DOUBLE", "REAL"),
    *("TEXT", "BLOB", "DATE", "DATETIME"),
}


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    return hand_pack.write_hand_pack(tmp_path_factory.mktemp("pack") / "town")


@pytest.fixture(scope="module")
def db(pack):
    with closing(sqlite3.connect(pack / "district.gpkg")) as opened:
        yield opened


def header(blob):
    """SRS and envelope (west, east, south, north) of a GeoPackage binary, and the WKB after it."""
    assert blob[:2] == b"GP"
    assert blob[2] == 0, "version 1 of the binary"
    flags = blob[3]
    assert flags & 1, "little-endian"
    size = {0: 0, 1: 32, 2: 48, 3: 48, 4: 64}[(flags >> 1) & 7]
    envelope = struct.unpack(f"<{size // 8}d", blob[8 : 8 + size])
    return struct.unpack("<i", blob[4:8])[0], envelope, blob[8 + size :]


def test_the_file_is_a_geopackage_of_version_1_3(db):
    assert db.execute("PRAGMA application_id").fetchone() == (0x47504B47,)  # GPKG
    assert db.execute("PRAGMA user_version").fetchone() == (10_300,)
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []


def test_every_reference_system_used_is_defined_beside_the_three_required(db):
    known = dict(db.execute("SELECT srs_id, definition FROM gpkg_spatial_ref_sys"))
    used = {i for (i,) in db.execute("SELECT srs_id FROM gpkg_geometry_columns")}
    assert {-1, 0, 4326} | used == set(known)
    assert used == {32631}
    assert known[32631].startswith("PROJCS[")


def test_every_layer_is_listed_with_bounds_that_hold_it(db):
    contents = {
        row[0]: row[1:]
        for row in db.execute(
            "SELECT table_name, data_type, min_x, min_y, max_x, max_y, srs_id FROM gpkg_contents"
        )
    }
    assert set(contents) == {*LAYERS, TABLE}
    for layer in LAYERS:
        kind, west, south, east, north, srs = contents[layer]
        assert (kind, srs) == ("features", 32631)
        boxes = [
            header(blob)[1]
            for (blob,) in db.execute(f"SELECT geom FROM {layer}")
            if header(blob)[1]
        ]
        if boxes:
            box = np.array(boxes)
            assert west - 1e-6 <= box[:, 0].min() <= box[:, 1].max() <= east + 1e-6
            assert south - 1e-6 <= box[:, 2].min() <= box[:, 3].max() <= north + 1e-6


@pytest.mark.parametrize(("layer", "kind"), LAYERS.items())
def test_a_layer_holds_geometries_of_its_kind_alone(db, layer, kind):
    column = db.execute(
        "SELECT column_name, geometry_type_name, srs_id, z, m FROM gpkg_geometry_columns "
        "WHERE table_name = ?",
        (layer,),
    ).fetchall()
    assert column == [("geom", kind, 32631, 0, 0)]
    for (blob,) in db.execute(f"SELECT geom FROM {layer}"):
        srs, _, wkb = header(blob)
        assert srs == 32631
        if kind in WKB_TYPES:
            assert struct.unpack("<I", wkb[1:5])[0] == WKB_TYPES[kind]


@pytest.mark.parametrize("layer", [*LAYERS, TABLE])
def test_columns_are_of_the_types_that_the_standard_knows(db, layer):
    columns = db.execute(f"PRAGMA table_info({layer})").fetchall()
    keys = [(name, kind) for _, name, kind, _, _, key in columns if key]
    assert [kind for _, kind in keys] == ["INTEGER"]
    for _, name, kind, *_ in columns:
        if name != "geom":
            assert kind.split("(")[0] in COLUMN_TYPES, (name, kind)


def test_every_layer_has_a_spatial_index_that_is_declared(db):
    declared = set(
        db.execute("SELECT table_name, column_name, extension_name, scope FROM gpkg_extensions")
    )
    assert declared == {(layer, "geom", "gpkg_rtree_index", "write-only") for layer in LAYERS}
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    for layer in LAYERS:
        assert f"rtree_{layer}_geom" in tables
        rows = db.execute(f"SELECT count(*) FROM {layer}").fetchone()
        assert db.execute(f"SELECT count(*) FROM rtree_{layer}_geom_rowid").fetchone() == rows


# --------------------------------------------------------------------------- styles
def test_every_layer_has_one_default_style_that_is_xml(db):
    rows = db.execute(
        "SELECT f_table_name, f_geometry_column, useAsDefault, styleQML FROM layer_styles"
    ).fetchall()
    assert {row[0] for row in rows} == set(LAYERS)
    assert len(rows) == len(LAYERS)
    for _, column, default, qml in rows:
        assert (column, default) == ("geom", 1)
        root = ET.fromstring(qml)
        symbols = {s.get("name") for s in root.iter("symbol")}
        used = {e.get("symbol") for e in (*root.iter("category"), *root.iter("rule"))}
        assert used <= symbols


def test_hexes_are_drawn_by_fabric(db):
    root = ET.fromstring(styles("harbin")["hexes"])
    drawn = {category.get("value") for category in root.iter("category")}
    assert drawn == {fabric.name.lower() for fabric in Fabric}
    assert {f for (f,) in db.execute("SELECT fabric FROM hexes")} <= drawn


@pytest.mark.parametrize("layer", ["links", "basemap"])
def test_every_row_falls_under_a_rule(db, layer):
    """The rules' filters are plain enough for SQLite to judge them too."""
    filters = [rule.get("filter") for rule in ET.fromstring(styles("harbin")[layer]).iter("rule")]
    left = f"SELECT count(*) FROM {layer} WHERE NOT ({' OR '.join(f'({f})' for f in filters)})"
    assert db.execute(left).fetchone() == (0,)


def test_styles_and_dates_come_out_the_same_and_the_district_is_untouched(tmp_path, pack):
    made = hand_pack.district()
    write_district_layers(tmp_path, made, hand_pack.lattice(), hand_pack.basemap())
    assert (tmp_path / "district.gpkg").read_bytes() == (pack / "district.gpkg").read_bytes()
    assert read_district(pack).digest == made.digest
