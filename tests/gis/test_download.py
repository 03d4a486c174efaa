"""A town by its name: what is asked of whom, what is kept, and what a bad network does."""

import json
import re
import socket

import numpy as np
import pytest
import rasterio

from exercises.cli import cli
from gis.placement import Placement
from gis.sources import download
from gis.sources.dem import open_dem
from gis.sources.download import Fetcher, Hosts, Wanted, tile_name, tiles_of, town_files
from gis.sources.osm import read_osm
from sim.errors import DistrictError, SourceError
from tests.gis.dem_files import write_dem
from tests.gis.loopback import serving
from tests.gis.osm_files import OsmFile, lattice

ON = lattice(6, 6)
HERE = Placement(centre=(9.9, 51.5), columns=6, rows=6)
TILE = f"/dem/{tile_name(51, 9)}.tif"
PLACES = [
    {"display_name": "Caen, Calvados, France", "lat": "51.5", "lon": "9.9", "importance": 0.7}
]


@pytest.fixture(scope="module")
def extract() -> bytes:
    osm = OsmFile(ON)
    for a, b in ON.sheet.edges.tolist():
        osm.way([ON.centres[a], ON.centres[b]], {"highway": "residential"})
    for cell, (x, y) in enumerate(ON.centres):
        osm.outline(
            [(x + 20, y + 20), (x + 80, y + 20), (x + 80, y + 60), (x + 20, y + 60)],
            {"building": "school" if cell == 8 else "house"},
        )
    return osm.xml().encode()


@pytest.fixture(scope="module")
def tile(tmp_path_factory) -> bytes:
    """One degree of gentle slope, on pixels of three seconds."""
    rows, columns = np.mgrid[0:1200, 0:1200]
    slope = (400 - 0.2 * rows - 0.1 * columns).astype(np.float32)
    path = tmp_path_factory.mktemp("tile") / "tile.tif"
    write_dem(path, slope, crs="EPSG:4326", west=9, north=52, pixel=1 / 1200, compress="deflate")
    return path.read_bytes()


@pytest.fixture
def site(extract, tile):
    with serving() as served:
        served.files["/search"] = json.dumps(PLACES).encode()
        served.files["/interpreter"] = extract
        served.files[TILE] = tile
        yield served


@pytest.fixture
def wanted(site, tmp_path):
    def make(placement=HERE, **changes):
        given = {"cache": tmp_path / "cache", "hosts": site.hosts, **changes}
        return Wanted(placement, **given)

    return make


def test_a_name_becomes_a_place_an_extract_and_a_ground(site, wanted, extract, tile):
    files = town_files(wanted(Placement(columns=6, rows=6), place="Caen, France"))
    assert files.found == "Caen, Calvados, France"
    assert files.placement == HERE
    assert files.osm.read_bytes() == extract
    assert [path.read_bytes() for path in files.dems] == [tile]
    assert site.paths == ["/search", "/interpreter", TILE]
    assert site.asked[0][1]["q"] == ["Caen, France"]
    assert len(read_osm(files.osm).roads) == ON.sheet.n_edges
    assert open_dem(files.dems[0]).crs.to_epsg() == 4326


def test_overpass_is_asked_for_the_sheet_and_a_margin_south_first(site, wanted):
    town_files(wanted())
    query = site.asked[0][1]["data"][0]
    boxes = {
        tuple(map(float, box.split(",")))
        for box in re.findall(r"\(([-\d.]+(?:,[-\d.]+){3})\)", query)
    }
    assert len(boxes) == 1
    south, west, north, east = boxes.pop()
    bounds = ON.bounds_lonlat
    assert np.allclose((west + 0.01, south + 0.01, east - 0.01, north - 0.01), bounds, atol=1e-4)


def test_the_second_time_nobody_is_asked(site, wanted):
    first = town_files(wanted(Placement(columns=6, rows=6), place="Caen"))
    site.asked.clear()
    assert town_files(wanted(Placement(columns=6, rows=6), place="Caen")) == first
    assert site.asked == []
    assert town_files(wanted(Placement(columns=6, rows=6), place="Caen", refresh=True)) == first
    assert site.paths == ["/search", "/interpreter", TILE]


def test_another_town_on_the_same_tile_asks_for_streets_alone(site, wanted):
    town_files(wanted())
    site.asked.clear()
    town_files(wanted(Placement(centre=(9.8, 51.5), columns=6, rows=6)))
    assert site.paths == ["/interpreter"]


def test_a_kept_file_that_was_changed_is_fetched_again(site, wanted, extract):
    files = town_files(wanted())
    files.osm.write_bytes(extract[:-10])
    site.asked.clear()
    assert town_files(wanted()).osm.read_bytes() == extract
    assert site.paths == ["/interpreter"]


def test_files_that_are_given_are_not_fetched(site, wanted, tmp_path):
    osm, dem = tmp_path / "a.osm", tmp_path / "a.tif"
    files = town_files(wanted(osm=osm, dems=(dem,)))
    assert (files.osm, files.dems, files.placement) == (osm, (dem,), HERE)
    assert town_files(wanted(Placement(), osm=osm, dems=(dem,))).placement == Placement()
    assert site.asked == []
    assert town_files(wanted(osm=osm)).osm == osm
    assert site.paths == [TILE]


def test_a_town_is_built_by_its_name_and_says_where_it_comes_from(site, tmp_path, monkeypatch):
    """From the command line, twice: the second build asks nobody and comes out the same."""
    for name, url in (
        ("NOMINATIM", f"{site.url}/search"),
        ("OVERPASS", f"{site.url}/interpreter"),
        ("DEM", site.url + "/dem/{tile}.tif"),
    ):
        monkeypatch.setenv(f"AVERSE_{name}_URL", url)
    monkeypatch.setenv("AVERSE_CACHE", str(tmp_path / "cache"))
    for out in ("first", "second"):
        arguments = ["build", "--place", "Caen, France", "--size", "6x6"]
        cli([*arguments, "--out", str(tmp_path / out)], standalone_mode=False)
        assert site.paths == ["/search", "/interpreter", TILE]
    manifests = [(tmp_path / out / "manifest.json").read_bytes() for out in ("first", "second")]
    assert manifests[0] == manifests[1]
    manifest = json.loads(manifests[0])
    assert manifest["name"] == "Caen"
    osm, dem = manifest["sources"]
    assert osm["url"] == f"{site.url}/interpreter"
    assert dem["url"] == f"{site.url}{TILE}"
    assert "COPERNICUS" in dem["credit"]
    assert dem["credit"] in (tmp_path / "first" / "report.html").read_text(encoding="utf-8")


# --------------------------------------------------------------------------- bad networks
def begun(ranged):
    """First byte of a range that was asked."""
    return int(ranged.removeprefix("bytes=").removesuffix("-"))


@pytest.mark.parametrize("status", [429, 503, 504])
def test_a_busy_host_is_asked_again(site, wanted, status):
    site.faults["/interpreter"] = [status, status]
    site.faults[TILE] = [status]
    town_files(wanted())
    assert site.paths.count("/interpreter") == 3
    assert site.paths.count(TILE) == 2


def test_a_host_that_stays_busy_is_left_with_a_sentence(site, wanted):
    site.faults["/interpreter"] = [429] * 50
    with pytest.raises(
        SourceError, match=r"127\.0\.0\.1:\d+ is too busy .* what was fetched is kept"
    ):
        town_files(wanted())
    assert site.paths.count("/interpreter") == download.TRIES + 1


def test_a_tile_that_breaks_off_goes_on_where_it_stopped(site, wanted, tile):
    third = len(tile) // 3
    site.faults[TILE] = [("cut", third), ("cut", third)]
    assert town_files(wanted()).dems[0].read_bytes() == tile
    first, second, last = [r for path, _, r in site.asked if path == TILE]
    assert first is None
    assert third - download.CHUNK < begun(second) <= third
    assert 2 * (third - download.CHUNK) < begun(last) <= 2 * third


def test_a_build_that_failed_goes_on_the_next_time(site, wanted, tile):
    site.faults[TILE] = [("cut", 100_000)] * download.TRIES
    with pytest.raises(SourceError, match="cannot be reached"):
        town_files(wanted())
    site.asked.clear()
    assert town_files(wanted()).dems[0].read_bytes() == tile
    [(path, _, ranged)] = site.asked
    assert path == TILE
    assert begun(ranged) > download.TRIES * (100_000 - download.CHUNK)


def test_a_tile_that_changed_meanwhile_is_fetched_whole(site, wanted, tile):
    site.faults[TILE] = [("cut", 100_000)] * download.TRIES
    with pytest.raises(SourceError):
        town_files(wanted())
    site.tag = '"second"'
    assert town_files(wanted()).dems[0].read_bytes() == tile


def test_a_host_that_knows_no_ranges_sends_it_whole(site, wanted, tile):
    site.faults[TILE] = [("cut", 100_000), "whole"]
    assert town_files(wanted()).dems[0].read_bytes() == tile


def test_a_part_longer_than_the_file_is_thrown_away(site, wanted, tile, tmp_path):
    site.faults[TILE] = [("cut", 100_000)] * download.TRIES
    with pytest.raises(SourceError):
        town_files(wanted())
    part = next((tmp_path / "cache").glob("*.part"))
    part.write_bytes(bytes(len(tile) + 5))
    assert town_files(wanted()).dems[0].read_bytes() == tile


def test_a_tile_that_is_no_raster_is_not_kept(site, wanted, tmp_path):
    site.files[TILE] = b"<html>sign in to the school network</html>"
    with pytest.raises(SourceError, match="want you to sign in"):
        town_files(wanted())
    assert not list((tmp_path / "cache").glob("Copernicus*"))


def test_an_extract_that_breaks_off_is_fetched_again(site, wanted, extract):
    site.faults["/interpreter"] = [("cut", len(extract) // 2)]
    assert town_files(wanted()).osm.read_bytes() == extract
    whole, cut = extract, extract[: -len("</osm>") - 1]
    site.files["/interpreter"] = cut
    with pytest.raises(SourceError, match="cannot be reached"):
        town_files(wanted(refresh=True))
    assert whole.endswith(b"</osm>")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"<html>busy</html>", "did not answer with OSM data"),
        (
            b"<osm><remark> runtime error: Query timed out </remark></osm>",
            r"gave up \(runtime error: Query timed out\); choose a smaller --size",
        ),
    ],
)
def test_an_answer_that_is_no_extract_is_told_and_not_kept(site, wanted, tmp_path, answer, words):
    site.files["/interpreter"] = answer
    with pytest.raises(SourceError, match=words):
        town_files(wanted())
    assert not list((tmp_path / "cache").glob("osm-*"))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"[]", "no place named 'Nowhere'.*--centre"),
        (b"<html>", "did not answer with a place"),
        (b'[{"lat": "x"}]', "did not answer with a place"),
        (b'{"error": "no"}', "did not answer with a place"),
    ],
)
def test_a_name_that_is_not_found_is_told(site, wanted, tmp_path, answer, words):
    site.files["/search"] = answer
    with pytest.raises(SourceError, match=words):
        town_files(wanted(Placement(), place="Nowhere"))
    assert not list((tmp_path / "cache").glob("place-*.json"))


def test_no_network_is_one_sentence(wanted, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{free.getsockname()[1]}"
    hosts = Hosts(f"{closed}/s", f"{closed}/o", closed + "/{tile}.tif", pause_s=0.0)
    for given in ({"place": "Caen", "placement": Placement()}, {}, {"osm": tmp_path / "a.osm"}):
        with pytest.raises(SourceError, match="is there a network") as fault:
            town_files(wanted(hosts=hosts, **given))
        assert "--osm and --dem" in str(fault.value)
        assert "\n" not in str(fault.value)


@pytest.mark.parametrize("host", ["nominatim", "overpass", "dem"])
def test_a_host_that_refuses_is_named(site, wanted, host):
    site.faults |= {"/search": [403], "/interpreter": [400], TILE: [403]}
    given = {"nominatim": {"placement": Placement(), "place": "Caen"}}.get(host, {})
    if host == "dem":
        site.faults["/interpreter"] = []
    with pytest.raises(SourceError, match=r"127\.0\.0\.1:\d+ refused \(40[03]"):
        town_files(wanted(**given))


def test_an_address_without_a_host_is_told(wanted):
    with pytest.raises(SourceError, match=r"'ftp:/x' is not an address|cannot be reached"):
        town_files(wanted(hosts=Hosts(overpass="ftp:/x", pause_s=0.0)))


# --------------------------------------------------------------------------- faults of the user's
def test_a_sheet_too_large_is_refused_before_anyone_is_asked(site, wanted):
    with pytest.raises(SourceError, match=r"square degrees: too much.*smaller sheet"):
        town_files(wanted(Placement(bbox=(9.0, 51.0, 9.6, 51.5))))
    assert site.asked == []


def test_neither_files_nor_place_is_told(wanted, site, tmp_path):
    with pytest.raises(SourceError, match="--place, --bbox or --centre"):
        town_files(wanted(Placement()))
    with pytest.raises(SourceError, match="--place, --bbox or --centre"):
        town_files(wanted(Placement(), osm=tmp_path / "town.osm"))
    with pytest.raises(SourceError, match="both a name and a place"):
        town_files(wanted(place="Caen"))
    with pytest.raises(SourceError, match="no name"):
        town_files(wanted(Placement(), place=" "))
    with pytest.raises(DistrictError):
        town_files(wanted(Placement(centre=(9.9, 89.0))))
    assert site.asked == []


def test_a_cache_that_cannot_be_written_is_told(wanted, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SourceError, match="another folder with --cache"):
        town_files(wanted(cache=tmp_path / "file" / "cache"))


# --------------------------------------------------------------------------- tiles
@pytest.mark.parametrize(
    ("bounds", "tiles"),
    [
        ((9.8, 51.4, 9.9, 51.6), ((51, 9),)),
        ((-0.1, 51.4, 0.1, 51.6), ((51, -1), (51, 0))),
        ((-51.2, -30.1, -51.1, -29.9), ((-31, -52), (-30, -52))),
        ((9.0, 51.0, 10.0, 52.0), ((51, 9),)),
    ],
)
def test_tiles_are_those_under_the_bounds(bounds, tiles):
    assert tiles_of(bounds) == tiles


def test_tiles_are_named_by_their_south_west_corner():
    assert tile_name(-31, -52) == "Copernicus_DSM_COG_10_S31_00_W052_00_DEM"
    assert tile_name(0, 6) == "Copernicus_DSM_COG_10_N00_00_E006_00_DEM"


def test_open_sea_beside_land_lies_at_0(site, wanted, tmp_path, tile):
    fetcher = Fetcher(site.hosts, tmp_path, False, lambda stage, share: None)
    land, sea = fetcher.dems((9.9, 51.4, 10.1, 51.6))
    assert land.read_bytes() == tile
    with rasterio.open(sea) as opened, rasterio.open(land) as beside:
        assert opened.shape == beside.shape
        assert opened.bounds.left == pytest.approx(beside.bounds.right)
        assert not opened.read().any()
    with pytest.raises(SourceError, match=r"open sea.*--dem"):
        fetcher.dems((20.1, 51.4, 20.2, 51.6))
