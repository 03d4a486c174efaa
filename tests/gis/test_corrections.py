"""An instructor's corrections: applied after the automatic values, refused row by row."""

import geopandas as gpd
import numpy as np
import pytest
import shapely

from gis.build import build_district
from gis.corrections import read_corrections
from gis.store import read_district
from sim.errors import AverseError, SourceError
from sim.rules import Fabric, LinkClass, Structure
from tests.gis.small_town import ON, options, small_town, write_town_dem

pytestmark = pytest.mark.xdist_group("small town")
HEAD = "what,where,set,to,why\n"
LINK = "0101-0201"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("town")
    return small_town().write(folder / "town.osm"), write_town_dem(folder)


@pytest.fixture
def build(files, tmp_path):
    def built(text):
        path = tmp_path / "corrections.csv"
        path.write_text(HEAD + text, encoding="utf-8")
        manifest = build_district(options(*files, corrections=path), tmp_path / "pack")
        return read_district(tmp_path / "pack"), manifest

    return built


@pytest.fixture(scope="module")
def automatic(files, tmp_path_factory):
    pack = tmp_path_factory.mktemp("plain") / "pack"
    build_district(options(*files), pack)
    return read_district(pack)


def edge(where):
    a, b = (ON.sheet.index_of(label) for label in where.split("-"))
    return int(ON.sheet.edge_across[a][ON.sheet.neighbours[a] == b][0])


def test_every_kind_of_row_is_applied_and_kept_in_the_manifest(build, automatic):
    district, manifest = build(
        "hex,0303,fabric,slab_blocks,seen\n"
        "hex,0304,residents,1450,\n"
        "hex,0402,active,no,barracks\n"
        "hex,303,quarter,Les Tilleuls,the leading zero was eaten\n"
        f"link,{LINK},class,3,\n"
        f"link,{LINK},structure,underpass,\n"
        "link,0102-0103,class,0,\n"
        "link,0102-0103,barrier,yes,wall\n"
        "shelter,0503,add,Gymnase,\n"
        "shelter,0503,places,600,\n"
    )
    at = ON.sheet.index_of
    assert district.fabric[at("0303")] == Fabric.SLAB_BLOCKS
    assert district.residents[at("0303")] != automatic.residents[at("0303")]
    assert district.residents[at("0304")] == 1450
    assert not district.active[at("0402")]
    assert district.quarters[district.quarter[at("0303")]] == "Les Tilleuls"
    assert district.link_class[edge(LINK)] == LinkClass.PRIMARY
    assert district.structure[edge(LINK)] == Structure.UNDERPASS
    assert district.barrier[edge("0102-0103")]
    assert not district.foot[edge("0102-0103")]
    gym = next(s for s in district.shelters if s.cell == at("0503"))
    assert (gym.name, gym.places) == ("Gymnase", 600)
    kept = manifest["report"]["corrections"]
    assert len(kept) == 10
    assert {"number": 2, "what": "hex", "where": "0303", "set": "fabric", "to": "slab_blocks"} | {
        "why": "seen",
        "was": Fabric(automatic.fabric[at("0303")]).name.lower(),
    } in kept
    source = manifest["sources"][-1]
    assert (source["kind"], len(source["sha256"])) == ("corrections", 64)


def test_other_hexes_and_links_stay(build, automatic):
    district, _ = build(f"link,{LINK},class,4,\n")
    differ = np.flatnonzero(district.link_class != automatic.link_class)
    assert differ.tolist() == [edge(LINK)]
    assert np.array_equal(district.fabric, automatic.fabric)


def test_a_shelter_is_removed_and_renamed(build, automatic):
    first, second = automatic.shelters[:2]
    district, _ = build(
        f"shelter,{ON.sheet.label(first.cell)},remove,,\n"
        f"shelter,{ON.sheet.label(second.cell)},name,Salle des fêtes,\n"
    )
    by_cell = {s.cell: s.name for s in district.shelters}
    assert first.cell not in by_cell
    assert by_cell[second.cell] == "Salle des fêtes"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("hex,9999,fabric,park,", "row 2: hex '9999' is not on the sheet"),
        ("hex,0303,fabric,castle,", "row 2: 'castle' is none of old_town"),
        ("hex,0303,residents,many,", "row 2: 'many' is not a whole number"),
        ("hex,0303,residents,0,", "row 2: 0 is not from 1 to 100,000"),
        ("hex,0303,colour,red,", "row 2: a hex has no 'colour'"),
        ("tree,0303,fabric,park,", "row 2: 'tree' cannot be corrected"),
        ("link,0101,class,2,", "row 2: where is '0101'; a link is at two hexes"),
        ("link,0101-0505,class,2,", "row 2: 0101 and 0505 share no edge"),
        ("link,0101-0201,foot,maybe,", "row 2: 'maybe' is neither yes nor no"),
        ("shelter,0303,places,0,", "row 2: 0 is not from 1"),
        ("hex,0303,quarter,,", "row 2: it names nothing"),
        ("hex,0303,fabric,park,\nhex,0303,fabric,industrial,", "says again what row 2 said"),
    ],
)
def test_a_row_at_fault_is_named(tmp_path, row, said):
    path = tmp_path / "corrections.csv"
    path.write_text(HEAD + row + "\n", encoding="utf-8")
    with pytest.raises(SourceError) as refused:
        read_corrections(path, ON)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("hex,0303,active,no,\nhex,0303,residents,9,", "row 3 (hex 0303, residents): the hex is"),
        ("hex,0303,active,no,\nhex,0303,quarter,Nord,", "row 3 (hex 0303, quarter): the hex is"),
        ("shelter,0505,name,Halle,", "row 2 (shelter 0505, name): no shelter stands there"),
        ("link,0101-0201,structure,bridge,\nlink,0101-0201,class,0,", "no road on it (§3.3)"),
        ("link,0603-0703,barrier,yes,", "is a barrier but a way crosses it"),
        ("link,0603-0703,foot,no,", "closed on foot"),
    ],
)
def test_rows_that_cannot_be_applied_are_refused(build, rows, said):
    with pytest.raises(AverseError) as refused:
        build(rows + "\n")
    assert said in str(refused.value)


def test_faults_are_told_one_a_line(tmp_path):
    path = tmp_path / "corrections.csv"
    path.write_text(HEAD + "hex,0303,residents,x,\nhex,0304,active,x,\n", encoding="utf-8")
    with pytest.raises(SourceError) as refused:
        read_corrections(path, ON)
    assert len(str(refused.value).splitlines()) == 2


def test_a_table_without_the_columns_or_that_is_none(tmp_path):
    path = tmp_path / "corrections.csv"
    path.write_text("cell,value\n0303,park\n")
    with pytest.raises(SourceError, match="lacks the column set, to, what, where"):
        read_corrections(path, ON)
    (tmp_path / "c.gpkg").write_text("no database")
    with pytest.raises(SourceError, match="not a GeoPackage"):
        read_corrections(tmp_path / "c.gpkg", ON)


def test_a_geopackage_tells_places_by_its_shapes(tmp_path):
    at = ON.sheet.index_of
    centres = [ON.centres[at(label)] for label in ("0303", "0101", "0201")]
    rows = gpd.GeoDataFrame(
        {
            "what": ["hex", "link", "shelter"],
            "where": [None, "", "0404"],
            "set": ["fabric", "class", "add"],
            "to": ["park", "3", None],
        },
        geometry=[shapely.Point(centres[0]), shapely.LineString(centres[1:]), None],
        crs=ON.crs,
    ).to_crs(4326)
    rows.to_file(tmp_path / "c.gpkg", layer="mine")
    read = read_corrections(tmp_path / "c.gpkg", ON).rows
    assert [row.where for row in read] == ["0303", "0101-0201", "0404"]
    assert [row.value for row in read] == [Fabric.PARK, 3, ""]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (
            "link,0102-0103,barrier,yes,\n",
            "row 2 (link 0102-0103, barrier): it is a barrier but a way",
        ),
        (
            f"hex,0303,fabric,park,\nlink,{LINK},class,3,\nlink,{LINK},foot,no,\n",
            f"rows 3, 4 (link {LINK}): it carries a road but is closed on foot",
        ),
    ],
)
def test_a_link_at_fault_is_told_with_its_rows(build, rows, told):
    with pytest.raises(AverseError) as refused:
        build(rows)
    assert told in str(refused.value)


def test_a_geopackage_with_two_layers_of_corrections_names_them(tmp_path):
    table = {
        name: [value]
        for name, value in zip(
            ("what", "where", "set", "to"), ("hex", "0303", "fabric", "park"), strict=True
        )
    }
    path = tmp_path / "c.gpkg"
    frame = gpd.GeoDataFrame(table, geometry=[shapely.Point(0, 0)], crs=ON.crs)
    frame[["geometry"]].to_file(path, layer="notes")
    frame.to_file(path, layer="first")
    assert [row.value for row in read_corrections(path, ON).rows] == [Fabric.PARK]
    frame.to_file(path, layer="second")
    with pytest.raises(SourceError, match="2 layers of corrections, first, second: keep one"):
        read_corrections(path, ON)
