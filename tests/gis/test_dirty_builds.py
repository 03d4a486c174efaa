"""A mutilated extract builds or is refused by name, and the same sources give the same bytes."""

import random
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import geopandas as gpd
import osmium
import pyogrio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gis.build import BuildOptions, build_district
from gis.placement import Placement
from gis.store import GPKG, GROUND, MANIFEST, read_district
from sim.errors import AverseError
from tests.gis.real_towns import write_slope
from tests.gis.small_town import options, small_town, write_town_dem

pytestmark = pytest.mark.xdist_group("small town")
NOT_RANDOM = settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
VALUES = ["", "no", "yes", "-1", "0;1", "construction", "é" * 300, "1e309", "nan", "🏠", "12'6\""]
KEYS = ["highway", "layer", "bridge", "building", "building:levels", "natural", "access", "type"]


class Mutilation:
    """Drops, shuffles and garbles the features of an extract in XML, from a seed."""

    def __init__(self, seed: int, share: float):
        self.chance = random.Random(seed)
        self.share = share

    def of(self, xml: str) -> str:
        root = ET.fromstring(xml)
        for parent in [root, *root]:
            for child in list(parent):
                if child.tag in {"node", "nd", "member", "tag"} and self.strikes():
                    parent.remove(child)
            if parent is not root and self.strikes(0.3):
                self.garble(parent)
        features = list(root)
        if self.chance.random() < 0.5:
            self.chance.shuffle(features)
        if self.chance.random() < 0.3 and features:
            features.append(self.chance.choice(features))
        root[:] = features
        return ET.tostring(root, encoding="unicode")

    def strikes(self, part: float = 1.0) -> bool:
        return self.chance.random() < self.share * part

    def garble(self, feature: ET.Element) -> None:
        refs = feature.findall("nd")
        what = self.chance.randrange(4)
        if what == 0:
            ET.SubElement(feature, "tag", k=self.chance.choice(KEYS), v=self.chance.choice(VALUES))
        elif what == 1 and refs:
            feature.append(self.chance.choice(refs))
        elif what == 2 and "lat" in feature.attrib:
            feature.set("lat", self.chance.choice(["0.0", "89.9999", "-89.9", feature.get("lon")]))
        else:
            for tag in feature.findall("tag")[:1]:
                tag.set("v", self.chance.choice(VALUES))


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    folder = tmp_path_factory.mktemp("town")
    return small_town().write(folder / "town.osm"), write_town_dem(folder)


@pytest.fixture(scope="module")
def real_cut(real_data, tmp_path_factory):
    """A cut of a real town as XML, ways and members cut at the node, and a slope."""
    source = real_data / "incomplete_osm" / "kotka.osm.pbf"
    if not source.is_file():
        pytest.skip(f"not here: {source}")
    folder = tmp_path_factory.mktemp("cut")
    plain = folder / "whole.osm"
    west, south, east, north = 26.942, 60.523, 26.958, 60.533
    with osmium.SimpleWriter(str(plain)) as writer:
        for feature in osmium.FileProcessor(str(source)):
            if feature.is_node():
                lon, lat = feature.lon, feature.lat
                if not (west <= lon <= east and south <= lat <= north):
                    continue
            writer.add(feature)
    return plain, write_slope(folder / "slope.tif", (26.95, 60.53))


def assert_builds_or_refuses(options: BuildOptions, out: Path) -> None:
    try:
        build_district(options, out)
    except AverseError:  # any other fault fails the test
        assert not out.exists()
    else:
        assert read_district(out).active.any()


def next_folder(tmp_path: Path) -> Path:
    folder = tmp_path / str(len(list(tmp_path.iterdir())))
    folder.mkdir()
    return folder


@NOT_RANDOM
@given(seed=st.integers(0, 10**6), share=st.sampled_from([0.01, 0.05, 0.2, 0.6]))
def test_a_mutilated_town_builds_or_is_refused_by_name(town, tmp_path, seed, share):
    folder = next_folder(tmp_path)
    dirty = folder / "dirty.osm"
    dirty.write_text(Mutilation(seed, share).of(town[0].read_text("utf-8")), encoding="utf-8")
    assert_builds_or_refuses(options(dirty, town[1]), folder / "pack")


@settings(NOT_RANDOM, max_examples=3)
@given(seed=st.integers(0, 10**6), share=st.sampled_from([0.01, 0.1, 0.3]))
def test_a_mutilated_real_town_builds_or_is_refused_by_name(real_cut, tmp_path, seed, share):
    folder = next_folder(tmp_path)
    dirty = folder / "dirty.osm"
    dirty.write_text(Mutilation(seed, share).of(real_cut[0].read_text("utf-8")), encoding="utf-8")
    placement = Placement(centre=(26.95, 60.528), columns=5, rows=5)
    assert_builds_or_refuses(
        BuildOptions(osm=dirty, dem=real_cut[1], name="cut", placement=placement), folder / "pack"
    )


def test_the_same_sources_give_the_same_bytes(town, tmp_path):
    for name in ("first", "again"):
        build_district(options(*town), tmp_path / name)
    first, again = tmp_path / "first", tmp_path / "again"
    assert (first / MANIFEST).read_bytes() == (again / MANIFEST).read_bytes()
    assert (first / GROUND).read_bytes() == (again / GROUND).read_bytes()
    for layer, _ in pyogrio.list_layers(first / GPKG):
        a, b = (gpd.read_file(pack / GPKG, layer=layer) for pack in (first, again))
        assert a.equals(b), layer
    page = re.compile(r"\s+")
    a, b = (page.sub(" ", (pack / "map.html").read_text("utf-8")) for pack in (first, again))
    assert a == b


def test_features_in_another_order_give_the_same_district(town, tmp_path):
    root = ET.fromstring(town[0].read_text("utf-8"))
    features = list(root)
    random.Random(7).shuffle(features)
    root[:] = features
    (tmp_path / "shuffled.osm").write_text(ET.tostring(root, encoding="unicode"), "utf-8")
    straight = build_district(options(*town), tmp_path / "straight")
    shuffled = build_district(options(tmp_path / "shuffled.osm", town[1]), tmp_path / "shuffled")
    assert shuffled["district_sha256"] == straight["district_sha256"]
    assert shuffled["ground_sha256"] == straight["ground_sha256"]
