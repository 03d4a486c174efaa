import bz2
import random
import re
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
import shapely
from geopandas.testing import assert_geodataframe_equal

from gis.lattice import Lattice
from gis.sources.osm import (
    CLOSED_ACROSS,
    CLOSED_AT_RIM,
    LAYERS,
    NEVER_UPLOADED,
    busiest_place,
    near_rows,
    read_osm,
)
from sim.errors import SourceError
from sim.hexes import Sheet
from tests.gis.osm_files import STAMP, OsmFile

DATA = Path(__file__).parents[2] / "../shared/data"
SQUARE = [(9.0, 50.0), (9.001, 50.0), (9.001, 50.001), (9.0, 50.001)]
STREET = {"highway": "residential", "name": "Rue d'Été"}


def real(name):
    path = DATA / name
    if not path.is_file():
        pytest.skip(f"no real data at ../shared/data/{name}")
    return path


def dropped(osm):
    return {(d.layer, d.reason): d.count for d in osm.dropped}


def small(**options):
    town = OsmFile(**options)
    town.way([(9.0, 50.0), (9.001, 50.0), (9.002, 50.001)], STREET)
    return town


@pytest.mark.parametrize("suffix", [".osm", ".osm.gz", ".osm.bz2", ".osm.pbf"])
def test_every_format_reads_alike(tmp_path, suffix):
    osm = read_osm(small().write(tmp_path / f"town{suffix}"))
    assert osm.roads["name"].tolist() == ["Rue d'Été"]
    assert list(osm.roads.geometry[0].coords) == [(9.0, 50.0), (9.001, 50.0), (9.002, 50.001)]
    assert osm.timestamp == STAMP
    assert osm.name == f"town{suffix}"


def test_the_content_tells_the_format_not_the_name(tmp_path):
    path = small().write(tmp_path / "town.osm.bz2").rename(tmp_path / "export.data")
    assert len(read_osm(path).roads) == 1


def test_empty_layers_keep_their_columns_and_crs(tmp_path):
    osm = read_osm(small().write(tmp_path / "town.osm"))
    full = read_osm(everything().write(tmp_path / "full.osm"))
    for layer, columns in LAYERS.items():
        table = getattr(osm, layer)
        assert isinstance(table, gpd.GeoDataFrame)
        assert list(table.columns) == [*columns, "geometry"]
        assert table.crs == 4326
        assert table.drop(columns="geometry").dtypes.equals(
            getattr(full, layer).drop(columns="geometry").dtypes
        )
    assert osm.counts == {layer: int(layer == "roads") for layer in LAYERS}


def everything():
    town = small()
    town.way(
        [(9.0, 50.0), (9.0, 50.002)],
        {"highway": "primary", "bridge": "viaduct", "layer": "1", "access": "private"},
    )
    town.way([(9.0, 50.0), (9.0, 49.999)], {"highway": "footway", "tunnel": "no", "layer": "x"})
    town.way([(9.0, 50.01), (9.01, 50.01)], {"railway": "rail", "bridge": "yes", "layer": "1;2"})
    town.way([(9.0, 50.02), (9.01, 50.02)], {"waterway": "stream", "tunnel": "culvert"})
    town.outline([(9.1, 50), (9.101, 50), (9.101, 50.001)], {"natural": "water", "name": "Lac"})
    town.outline([(9.2, 50), (9.201, 50), (9.201, 50.001)], {"barrier": "wall"})
    town.node((9.0, 50.03), {"barrier": "gate"})
    town.node((9.0, 50.031), {"railway": "level_crossing"})
    town.outline([(9.3, 50), (9.301, 50), (9.301, 50.001)], {"leisure": "park"})
    town.outline(
        [(9.4, 50), (9.401, 50), (9.401, 50.001)],
        {"building": "school", "amenity": "school", "building:levels": "3,5", "height": "33'"},
    )
    town.node((9.0, 50.04), {"amenity": "police", "name": "Commissariat"})
    return town


def test_every_layer_is_read_with_its_tags(tmp_path):
    osm = read_osm(everything().write(tmp_path / "town.osm"))
    roads = osm.roads.set_index("osm_id")
    assert roads.loc[2, ["bridge", "layer", "access"]].tolist() == ["viaduct", 1, "private"]
    assert roads.loc[3, ["tunnel", "layer"]].tolist() == ["", 0]
    assert osm.railways.loc[0, ["railway", "bridge", "layer"]].tolist() == ["rail", "yes", 1]
    assert osm.waterways.loc[0, "tunnel"] == "culvert"
    assert osm.water.loc[0, ["kind", "name"]].tolist() == ["natural=water", "Lac"]
    assert osm.walls["kind"].tolist() == ["wall"]
    assert osm.walls.geometry[0].is_ring
    assert sorted(osm.gates["kind"]) == ["barrier=gate", "railway=level_crossing"]
    assert osm.landuse["kind"].tolist() == ["leisure=park"]
    school = osm.buildings.loc[0]
    assert school[["building", "amenity", "levels"]].tolist() == ["school", "school", 3.5]
    assert school["height_m"] == pytest.approx(33 * 0.3048)
    assert osm.places_of_use["kind"].tolist() == ["amenity=police", "amenity=school"]
    assert osm.buildings.geometry[0].contains(osm.places_of_use.geometry[1])
    assert osm.dropped == ()


# --------------------------------------------------------------------------- dirty extracts
def test_a_way_with_missing_nodes_keeps_its_known_runs(tmp_path):
    town = OsmFile()
    nodes = [town.node((9.0 + 0.001 * i, 50.0)) for i in range(8)]
    town.way(nodes, STREET)
    town.missing = {nodes[0], nodes[3], nodes[7]}
    osm = read_osm(town.write(tmp_path / "cut.osm"))
    runs = [[round(x, 3) for x, _ in line.coords] for line in osm.roads.geometry]
    assert runs == [[9.001, 9.002], [9.004, 9.005, 9.006]]
    assert osm.roads["osm_id"].tolist() == [1, 1]
    assert dropped(osm) == {("roads", "kept in part: some of its nodes are not in the extract"): 1}


def test_missing_first_nodes_are_told_too(tmp_path):
    town = small()
    town.missing = {1}
    osm = read_osm(town.write(tmp_path / "cut.osm"))
    assert len(osm.roads.geometry[0].coords) == 2
    assert sum(dropped(osm).values()) == 1


def test_a_way_without_two_known_neighbours_is_counted(tmp_path):
    town = small()
    lost = [town.node((9.0 + 0.001 * i, 50.1)) for i in range(3)]
    town.way(lost, STREET)
    town.missing = {lost[1]}
    osm = read_osm(town.write(tmp_path / "cut.osm"))
    assert len(osm.roads) == 1
    assert dropped(osm) == {("roads", "no two neighbouring nodes of it are in the extract"): 1}


@pytest.mark.parametrize("value", ["construction", "proposed", "virtual", "abandoned", "nonsense"])
def test_a_highway_that_is_none_is_counted_with_its_value(tmp_path, value):
    town = small()
    town.way([(9.0, 50.0), (9.0, 50.01)], {"highway": value})
    osm = read_osm(town.write(tmp_path / "town.osm"))
    assert dropped(osm) == {("roads", f"highway={value}"): 1}


def test_a_river_with_an_island_is_one_polygon_with_a_hole(tmp_path):
    town = small()
    rim = [(9.0, 50.0), (9.01, 50.0), (9.01, 50.01), (9.0, 50.01)]
    halves = town.way(rim[:3]), town.way([rim[2], rim[3], rim[0]])
    island = town.outline([(9.004, 50.004), (9.005, 50.004), (9.005, 50.005)])
    town.relation(
        [("way", halves[0], "outer"), ("way", halves[1], "outer"), ("way", island, "inner")],
        {"type": "multipolygon", "natural": "water"},
    )
    osm = read_osm(town.write(tmp_path / "town.osm"))
    assert len(osm.water) == 1
    assert len(osm.water.geometry[0].interiors) == 1


def test_a_square_drawn_as_a_relation_is_walked_along_its_rim(tmp_path):
    town = small()
    rim = town.outline(SQUARE)
    tags = {"type": "multipolygon", "highway": "pedestrian"}
    town.relation([("way", rim, "outer")], tags)
    osm = read_osm(town.write(tmp_path / "town.osm"))
    assert osm.roads["highway"].tolist() == ["residential", "pedestrian"]
    assert set(osm.roads.geom_type) == {"LineString"}


@pytest.mark.parametrize("fault", ["lone line", "missing members", "missing node"])
def test_a_broken_multipolygon_is_skipped_and_counted(tmp_path, fault):
    town = small()
    nodes = [town.node(place) for place in SQUARE]
    outer = town.way(nodes[:2] if fault == "lone line" else [*nodes, nodes[0]])
    members = [("way", 999 if fault == "missing members" else outer, "outer")]
    if fault == "missing node":
        town.missing = set(nodes[1:])
    town.relation(members, {"type": "multipolygon", "landuse": "forest"})
    osm = read_osm(town.write(tmp_path / "town.osm"))
    assert osm.landuse.empty
    assert dropped(osm) == {("landuse", "outline broken or incomplete in the extract"): 1}


WIDE_STREET = [(8.99, 49.99), (9.05, 50.05)]  # the mapped area is the box of the roads


def test_a_multipolygon_cut_at_the_rim_is_closed_along_it(tmp_path):
    town = OsmFile()
    town.way(WIDE_STREET, STREET)
    shore = town.way([(9.03, 50.06), (9.03, 50.03), (9.06, 50.03)])
    town.relation(
        [("way", shore, "outer"), ("way", 999, "outer")],
        {"type": "multipolygon", "natural": "water"},
    )
    osm = read_osm(town.write(tmp_path / "town.osm"))
    assert osm.water.geometry[0].equals(shapely.box(9.03, 50.03, 9.05, 50.05))
    assert dropped(osm) == {("water", CLOSED_AT_RIM): 1}


def test_a_river_whose_banks_leave_the_extract_lies_between_them(tmp_path):
    town = OsmFile()
    town.way(WIDE_STREET, STREET)
    banks = [town.way([(lon, 49.98), (lon, 50.06)]) for lon in (9.01, 9.02)]
    island = town.outline([(9.013, 50.0), (9.016, 50.0), (9.016, 50.01)])
    town.relation(
        [*(("way", bank, "outer") for bank in (*banks, 999)), ("way", island, "inner")],
        {"type": "multipolygon", "natural": "water"},
    )
    osm = read_osm(town.write(tmp_path / "town.osm"))
    river = osm.water.geometry[0]
    assert river.bounds == pytest.approx((9.01, 49.99, 9.02, 50.05))
    assert len(river.interiors) == 1


def test_an_outline_that_lost_nodes_is_closed_across(tmp_path):
    town = small()
    nodes = [town.node(place) for place in SQUARE]
    town.way([*nodes, nodes[0]], {"landuse": "forest"})
    town.missing = {nodes[2]}
    osm = read_osm(town.write(tmp_path / "town.osm"))
    assert osm.landuse.geometry[0].area == pytest.approx(shapely.Polygon(SQUARE).area / 2)
    assert dropped(osm) == {("landuse", CLOSED_ACROSS): 1}


def test_a_coastline_is_kept_as_it_is_drawn(tmp_path):
    town = small()
    town.way([(9.0, 50.0), (9.002, 50.001)], {"natural": "coastline"})
    osm = read_osm(town.write(tmp_path / "town.osm"))
    assert shapely.get_coordinates(osm.coastlines.geometry).tolist() == [
        [9.0, 50.0],
        [9.002, 50.001],
    ]
    assert dropped(osm) == {}


def test_a_crossed_outline_is_mended(tmp_path):
    town = small()
    town.outline([SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3]], {"landuse": "forest"})
    osm = read_osm(town.write(tmp_path / "town.osm"))
    assert len(osm.landuse) + sum(dropped(osm).values()) == 1
    assert osm.landuse.is_valid.all()


def test_a_building_left_open_is_counted(tmp_path):
    town = small()
    town.way(SQUARE, {"building": "yes"})
    osm = read_osm(town.write(tmp_path / "town.osm"))
    assert osm.buildings.empty
    assert dropped(osm) == {("buildings", "an open line, not an outline"): 1}


@pytest.mark.parametrize("kind", ["node", "way"])
def test_a_feature_given_twice_counts_once(tmp_path, kind):
    town = small()
    town.node((9.0, 50.0), {"barrier": "gate"})
    feature = re.findall(rf"<{kind} .*?</{kind}>", town.xml())[-1]
    path = tmp_path / "twice.osm"
    path.write_text(town.xml().replace(feature, feature * 2), encoding="utf-8")
    osm = read_osm(path)
    assert (len(osm.roads), len(osm.gates)) == (1, 1)


@pytest.mark.parametrize("seed", range(4))
def test_a_shuffled_extract_reads_like_a_sorted_one(tmp_path, seed):
    head, opening, *features, closing = everything().xml().split("\n")
    random.Random(seed).shuffle(features)
    path = tmp_path / "shuffled.osm"
    path.write_text("\n".join([head, opening, *features, closing]), encoding="utf-8")
    shuffled, ordered = read_osm(path), read_osm(everything().write(tmp_path / "town.osm"))
    for layer in LAYERS:
        assert_geodataframe_equal(getattr(shuffled, layer), getattr(ordered, layer))


def test_a_node_off_the_globe_does_no_harm(tmp_path):
    town = small()
    town.node((200.0, 95.0), {"amenity": "school"})
    osm = read_osm(town.write(tmp_path / "town.osm"))
    assert osm.places_of_use.empty
    assert dropped(osm) == {("places_of_use", "position missing or off the globe"): 1}


# --------------------------------------------------------------------------- refusals
@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("notes.osm", b"dear diary", "notes.osm is not an OSM extract"),
        ("empty.osm.pbf", b"", "empty.osm.pbf is empty (0 bytes)"),
        ("page.osm", b"<html></html>", "page.osm is not a whole OSM extract"),
        ("cut.osm", b'<osm version="0.6"><node id="1" ', "cut.osm is not a whole OSM extract"),
        ("cut.osm.bz2", bz2.compress(b"<osm></osm>" * 99)[:60], "is not a whole OSM extract"),
        ("void.osm", b'<osm version="0.6"></osm>', "void.osm holds no road"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_by_name(tmp_path, name, content, said):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SourceError, match=re.escape(said)) as refused:
        read_osm(path)
    assert "\n" not in str(refused.value)


def test_a_truncated_pbf_is_refused(tmp_path):
    town = OsmFile()
    for i in range(400):
        town.way([(9 + 0.001 * i, 50), (9 + 0.0013 * i, 50.01 + 0.001 * i)], STREET)
    whole = town.write(tmp_path / "whole.osm.pbf").read_bytes()
    cut = tmp_path / "cut.osm.pbf"
    cut.write_bytes(whole[: len(whole) * 2 // 3])
    with pytest.raises(SourceError, match=r"cut\.osm\.pbf is not a whole OSM extract"):
        read_osm(cut)


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    with pytest.raises(SourceError, match="nothing at"):
        read_osm(tmp_path / "nowhere.osm.pbf")
    with pytest.raises(SourceError, match="a folder at"):
        read_osm(tmp_path)


def test_an_extract_without_roads_is_refused(tmp_path):
    town = OsmFile()
    town.outline(SQUARE, {"building": "yes"})
    town.way([(9, 50), (9, 51)], {"highway": "proposed"})
    with pytest.raises(SourceError, match=r"no road that can be placed \(2 features read"):
        read_osm(town.write(tmp_path / "fields.osm"))


def test_bounds_without_roads_are_refused_with_what_is_mapped(tmp_path):
    path = small().write(tmp_path / "town.osm")
    with pytest.raises(SourceError, match=r"no road within .* 9\.0000, 50\.0000, 9\.0020, 50\.0"):
        read_osm(path, bounds_lonlat=(50.0, 9.0, 50.1, 9.1))


# --------------------------------------------------------------------------- extent and place
def test_bounds_keep_what_touches_them_whole(tmp_path):
    town = small()
    town.way([(9.0, 50.0), (9.5, 50.0)], {"highway": "primary"})
    town.way([(9.4, 50.0), (9.5, 50.0)], {"highway": "primary"})
    osm = read_osm(town.write(tmp_path / "town.osm"), bounds_lonlat=(8.99, 49.99, 9.01, 50.01))
    assert osm.roads["osm_id"].tolist() == [1, 2]
    assert osm.roads.geometry[1].bounds[2] == 9.5
    assert dropped(osm) == {("roads", "outside the area asked"): 1}
    assert osm.extent_lonlat == (9.0, 50.0, 9.5, 50.001)


@pytest.mark.parametrize(
    ("header", "extent"),
    [
        (None, (9.0, 50.0, 9.002, 50.001)),
        ((8.0, 49.0, 9.0015, 51.0), (9.0, 50.0, 9.0015, 50.001)),
        ((1.0, 49.0, 2.0, 51.0), (9.0, 50.0, 9.002, 50.001)),  # a box of somewhere else
    ],
)
def test_the_extent_is_the_header_box_where_roads_confirm_it(tmp_path, header, extent):
    osm = read_osm(small(bounds=header).write(tmp_path / "town.osm"))
    assert osm.extent_lonlat == pytest.approx(extent)


def test_an_undated_extract_says_so_with_an_empty_timestamp(tmp_path):
    assert read_osm(small(stamp="").write(tmp_path / "town.osm")).timestamp == ""


def test_the_busiest_place_is_the_town_not_the_middle_of_the_map(tmp_path):
    town = OsmFile()
    town.way([(9.0, 50.0), (9.6, 50.3)], {"highway": "motorway"})
    for i in range(20):
        x = 9.10 + 0.001 * i
        town.way([(x, 50.05), (x, 50.07)], STREET)
        town.outline([(x, 50.06), (x + 2e-4, 50.06), (x + 2e-4, 50.061)], {"building": "yes"})
    osm = read_osm(town.write(tmp_path / "town.osm"))
    lon, lat = busiest_place(osm, columns=10, rows=10)
    assert (lon, lat) == pytest.approx((9.11, 50.06), abs=0.01)


def test_the_busiest_place_of_a_small_extract_is_its_middle(tmp_path):
    osm = read_osm(small().write(tmp_path / "town.osm"))
    assert busiest_place(osm) == pytest.approx((9.001, 50.0005), abs=1e-3)


def test_progress_runs_from_0_to_1(tmp_path):
    told = []
    read_osm(everything().write(tmp_path / "t.osm"), progress=lambda *step: told.append(step))
    shares = [share for stage, share in told if stage == "reading OSM"]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


# --------------------------------------------------------------------------- real extracts
def test_andorra_la_vella_reads_whole():
    osm = read_osm(real("andorra_la_vella/andorra_la_vella.osm.pbf"))
    lost = dropped(osm)
    # counted by its publisher: 4,170 highway ways, 4,235 + 35 buildings, 265 waterway lines
    ways = set(osm.roads["osm_id"])
    assert osm.counts["buildings"] == 4_270
    assert osm.counts["waterways"] + sum(n for (k, _), n in lost.items() if k == "waterways") == 277
    assert 4_140 <= len(ways) <= 4_180
    assert osm.extent_lonlat == (1.467, 42.488, 1.598, 42.562)
    west, south, east, north = 1.4714, 42.4933, 1.5933, 42.5566  # its densest window
    assert busiest_place(osm) == pytest.approx(((west + east) / 2, (south + north) / 2), abs=0.01)
    assert (osm.places_of_use["kind"] == "amenity=school").sum() >= 23


def test_porto_alegre_is_roads_only_and_says_so():
    osm = read_osm(real("porto_alegre/poa.osm.pbf"))
    assert osm.counts["roads"] + sum(d.count for d in osm.dropped if d.layer == "roads") >= 15_886
    assert osm.counts["buildings"] < 30
    assert osm.extent_lonlat == pytest.approx(
        (-51.26635, -30.11333, -51.13216, -29.98764), abs=0.01
    )


def test_every_cut_road_of_kotka_is_accounted_for():
    osm = read_osm(real("incomplete_osm/kotka.osm.pbf"))
    lost = dropped(osm)
    part = lost["roads", "kept in part: some of its nodes are not in the extract"]
    none = lost["roads", "no two neighbouring nodes of it are in the extract"]
    # its publisher counts 55 highway ways with missing nodes; one is under construction
    assert part + none + lost["roads", "highway=construction"] == 55


def test_osmnx_finds_the_same_roads(tmp_path):
    osmnx = pytest.importorskip("osmnx")
    packed = real("small_osm/West-Oakland.osm.bz2")
    plain = tmp_path / "plain.osm"
    plain.write_bytes(bz2.decompress(packed.read_bytes()))
    graph = osmnx.graph_from_xml(plain, simplify=False, retain_all=True)
    edges = [(u, v, data) for u, v, data in graph.edges(data=True) if "highway" in data]
    osm = read_osm(packed)
    assert set(osm.roads["osm_id"]) == {data["osmid"] for *_, data in edges}
    metres = shapely.length(osm.roads.to_crs(osm.roads.estimate_utm_crs()).geometry).sum()
    once = {(frozenset((u, v)), data["osmid"]): data["length"] for u, v, data in edges}
    assert metres == pytest.approx(sum(once.values()), rel=0.005)


def test_what_josm_drew_and_never_uploaded_is_told(tmp_path):
    drawn = OsmFile()
    drawn.way([(9.9, 51.5), (9.901, 51.501)], {"highway": "residential"})
    mapped = drawn.xml().replace("</osm>", "")
    josm = mapped + (
        '<node id="-1" action="modify" lat="51.5" lon="9.9"/>'
        '<node id="-2" action="modify" lat="51.501" lon="9.901"/>'
        '<way id="-3" action="modify"><nd ref="-1"/><nd ref="-2"/>'
        '<tag k="highway" v="residential"/></way></osm>'
    )
    path = tmp_path / "both.osm"
    path.write_text(josm)
    assert dropped(read_osm(path)) == {("roads", NEVER_UPLOADED): 1}
    path.write_text(re.sub(r'<(node|way) id="[1-9].*?</\1>', "", josm))
    with pytest.raises(SourceError, match="JOSM gives others to what was never uploaded"):
        read_osm(path)


@pytest.mark.parametrize("lat", [-60.0, 42.5, 65.0])
def test_a_shape_whose_box_touches_the_sheet_is_near_it(lat):
    # three degrees off its meridian the box of a UTM sheet is turned the most
    lattice = Lattice.centred(Sheet(44, 28), 5.9, lat)
    west, south, east, north = lattice.bounds_lonlat
    middle = (west + east) / 2, (south + north) / 2
    lines = [  # along the sides of the sheet's bounds, ever farther off and ever longer
        shapely.LineString([(middle[0] - long, y), (middle[0] + long, y)])
        if flat
        else shapely.LineString([(x, middle[1] - long), (x, middle[1] + long)])
        for off in np.linspace(0.001, 0.1, 25)
        for long in (0.01, 0.1, 0.5, 1.5)
        for flat, x, y in (
            (True, 0, north + off),
            (True, 0, south - off),
            (False, west - off, 0),
            (False, east + off, 0),
        )
    ]
    table = gpd.GeoDataFrame(geometry=lines, crs=4326)
    w, s, e, n = shapely.bounds(table.to_crs(lattice.crs).geometry.to_numpy()).T
    west, south, east, north = lattice.bounds
    touches = (e >= west) & (w <= east) & (n >= south) & (s <= north)
    near = near_rows(table, lattice.bounds_lonlat)
    assert touches.any()
    assert near[touches].all()
    assert not near.all()


def test_what_is_far_from_the_sheet_is_cut_and_stays_counted(tmp_path):
    town = small()
    town.way([(9.4, 50.0), (9.401, 50.0)], STREET)
    town.way([(9.4, 50.0), (9.401, 50.001)], {"waterway": "river"})
    osm = read_osm(town.write(tmp_path / "town.osm"))
    near = osm.near((9.0, 49.99, 9.01, 50.01))
    assert (len(osm.roads), len(near.roads), near.counts["roads"]) == (2, 1, 2)
    assert len(near.waterways) == 1  # joined end to end, so kept all
    assert near.dropped == osm.dropped
