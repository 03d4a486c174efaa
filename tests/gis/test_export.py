"""Open formats: what is written reads back, in the right place, with the right figures."""

import csv
import io
import xml.etree.ElementTree as ET

import geopandas as gpd
import h3
import numpy as np
import pyogrio
import pytest

from gis import export
from gis.export import H3_CSV, KML, LAYERS, Formats, export_district
from gis.sources.population import read_population
from sim.errors import DistrictError, SourceError
from tests.gis import hand_pack

ALL = Formats(h3=True, geoparquet=True, kml=True)
NAME = "</name><b>&amp; \x07{{7*7}}"


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    made = hand_pack.district(quarters=(NAME, "Sud-Ouest", "Nord-Est", "Sud-Est"))
    return hand_pack.write_hand_pack(tmp_path_factory.mktemp("pack") / "town", made)


@pytest.fixture(scope="module")
def out(pack, tmp_path_factory):
    pytest.importorskip("pyarrow", reason="GeoParquet needs the extra export")
    folder = tmp_path_factory.mktemp("open")
    written = export_district(pack, folder, ALL)
    assert {path.name for path in written} == {H3_CSV, KML, *(f"{n}.parquet" for n in LAYERS)}
    assert {path.name for path in folder.iterdir()} == {path.name for path in written}
    return folder


def test_each_hex_stands_under_the_h3_cell_of_its_centre(out):
    rows = list(csv.DictReader(io.StringIO((out / H3_CSV).read_text(encoding="utf-8"))))
    assert len(rows) == hand_pack.SHEET.n_hexes
    assert len({row["h3"] for row in rows}) == len(rows)
    made = hand_pack.district()
    for i, row in enumerate(rows):
        assert h3.latlng_to_cell(float(row["lat"]), float(row["lon"]), 10) == row["h3"]
        assert row["label"] == hand_pack.SHEET.label(i)
        assert int(row["residents"]) == made.residents[i]
        assert row["active"] == str(int(made.active[i]))


def test_the_h3_table_can_be_read_again_as_a_population(out):
    population = read_population(out / H3_CSV)
    assert population.total == hand_pack.district().residents.sum()


@pytest.mark.parametrize("layer", LAYERS)
def test_geoparquet_holds_the_layers_of_the_geopackage(out, pack, layer):
    ours = gpd.read_parquet(out / f"{layer}.parquet")
    theirs = gpd.read_file(pack / "district.gpkg", layer=layer)
    assert ours.crs == theirs.crs
    assert list(ours.columns) == list(theirs.columns)
    assert ours.geometry.geom_equals_exact(theirs.geometry, 1e-6).all()


def test_kml_opens_with_gdal_in_degrees_and_where_the_town_is(out):
    layers = dict(pyogrio.list_layers(out / KML))
    assert list(layers) == ["Hexes", "Links", "Barriers", "Quarters", "Places"]
    hexes = gpd.read_file(out / KML, layer="Hexes")
    made = hand_pack.district()
    assert hexes.crs.to_epsg() == 4326
    assert len(hexes) == made.active.sum()
    assert hexes["residents"].astype(int).sum() == made.residents.sum()
    drawn = hexes.to_crs(hand_pack.lattice().crs).geometry.centroid
    expected = hand_pack.lattice().centres[made.active]
    assert np.abs(np.column_stack((drawn.x, drawn.y)) - expected).max() < 0.1
    links = gpd.read_file(out / KML, layer="Links")
    assert len(links) == (made.link_class > 0).sum()
    assert set(links.geom_type) == {"LineString"}
    assert len(gpd.read_file(out / KML, layer="Places")) == 5


def test_kml_refers_to_styles_that_it_holds_and_takes_names_as_text(out):
    space = "{http://www.opengis.net/kml/2.2}"
    root = ET.fromstring((out / KML).read_text(encoding="utf-8"))
    held = {style.get("id") for style in root.iter(f"{space}Style")}
    used = {url.text.removeprefix("#") for url in root.iter(f"{space}styleUrl")}
    assert used <= held
    names = [name.text for name in root.iter(f"{space}name")]
    assert NAME.replace("\x07", "") in names
    assert not list(root.iter(f"{space}href"))


def test_only_what_is_asked_for_is_written(pack, tmp_path):
    assert export_district(pack, tmp_path / "kml", Formats(kml=True)) == (tmp_path / "kml" / KML,)
    assert [path.name for path in (tmp_path / "kml").iterdir()] == [KML]


def test_all_is_written_where_nothing_is_asked_for(pack, tmp_path):
    assert export_district(pack, tmp_path / "all", Formats()) == tuple(
        tmp_path / "all" / path.name for path in export_district(pack, tmp_path / "each", ALL)
    )


def test_a_fault_is_said_in_a_sentence(pack, tmp_path, monkeypatch):
    with pytest.raises(DistrictError, match="not a district pack"):
        export_district(tmp_path, tmp_path / "out", ALL)
    (tmp_path / "file").write_text("")
    with pytest.raises(DistrictError, match="choose another --out"):
        export_district(pack, tmp_path / "file", Formats(kml=True))
    monkeypatch.setattr(export, "find_spec", lambda name: None)
    with pytest.raises(SourceError, match=r"averse\[gis,export\]"):
        export_district(pack, tmp_path / "out", Formats(geoparquet=True))
    assert not (tmp_path / "out").exists()
