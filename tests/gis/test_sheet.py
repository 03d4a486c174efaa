import hashlib
import json
import re
import sys

import numpy as np
import pypdf
import pytest
import shapely

from exercises.cli import main
from gis.sheet import (
    FRAME_MM,
    TILES_SCALE,
    sheet_data,
    text_widths,
    tiles_data,
    write_sheet,
)
from gis.sheet_labels import DIGIT_EM, clean
from gis.sheet_map import read_sheet_pack
from gis.sheet_style import COLOUR, MONO
from gis.sheet_tables import ground_statement, shelter_rows
from gis.sheet_tiles import OVERLAP_MM, Tiling
from gis.store import MANIFEST
from sim.district import Facility
from sim.errors import DistrictError, ExerciseError, SourceError
from sim.rules import FOOT_CAPACITY, HOURS, LINKS, REGIONS, WATERS, LinkClass
from sim.situation import situation_at
from tests.gis.hand_pack import SHEET, district, lattice, write_hand_pack

MM_PER_PT = 25.4 / 72
HOSTILE = '#eval("1") $x$ *L\'Œil* \\ <b> «É\u202e» & @ref'
PLACE = {
    "crs": "EPSG:32631",
    "first_hex_m": [lattice().x0, lattice().y0],
    "attribution": "© OpenStreetMap contributors",
    "licence": "Open Data Commons Open Database License (ODbL) 1.0",
    "report": {
        "terrain": {
            "native_pixel_m": 29.4,
            "pixel_m": 30.0,
            "pixels_per_hex": 65.04,
            "vertical_step_m": 1.0,
        }
    },
}


def hand_pack(folder, made=None):
    return write_hand_pack(folder, made, **PLACE)


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    return hand_pack(tmp_path_factory.mktemp("sheet") / "pack")


@pytest.fixture(scope="module")
def sheets(pack):
    """The four kinds of sheet, written once."""
    kinds = {
        "fr": {"lang": "fr"},
        "en": {"lang": "en", "mono": True},
        "tiles": {"lang": "fr", "tiles": True},
    }
    return {key: write_sheet(pack, pack.parent / f"{key}.pdf", **how) for key, how in kinds.items()}


def text_of(written, page=None):
    pages = pypdf.PdfReader(written.path).pages
    texts = [p.extract_text() for p in (pages if page is None else [pages[page]])]
    # justified figures may come out with other spaces
    return re.sub(r"\s+", " ", " ".join(texts))


def plain(row):
    return [re.sub(r"\s+", " ", cell) for cell in row]


def test_the_sheet_is_one_a3_page_across(sheets):
    (page,) = pypdf.PdfReader(sheets["fr"].path).pages
    assert [float(side) * MM_PER_PT for side in page.mediabox[2:]] == pytest.approx(
        [420, 297], abs=0.1
    )


def test_the_tiles_are_a4_pages(sheets):
    pages = pypdf.PdfReader(sheets["tiles"].path).pages
    assert len(pages) == sheets["tiles"].pages
    for page in pages:
        sides = sorted(float(side) * MM_PER_PT for side in page.mediabox[2:])
        assert sides == pytest.approx([210, 297], abs=0.1)


@pytest.mark.parametrize("kind", ["fr", "en", "tiles"])
def test_every_font_is_embedded_and_nothing_is_a_picture(sheets, kind):
    reader = pypdf.PdfReader(sheets[kind].path)
    fonts, images = [], 0
    for item in reader.xref[0]:
        found = reader.get_object(pypdf.generic.IndirectObject(item, 0, reader))
        if isinstance(found, dict):
            fonts += [found] if found.get("/Type") == "/FontDescriptor" else []
            images += found.get("/Subtype") == "/Image"
    for number in reader.xref_objStm:
        found = reader.get_object(pypdf.generic.IndirectObject(number, 0, reader))
        if isinstance(found, dict):
            fonts += [found] if found.get("/Type") == "/FontDescriptor" else []
    assert images == 0
    assert fonts
    assert all({"/FontFile3", "/FontFile2"} & font.keys() for font in fonts)
    assert all("SourceSans3" in font["/FontName"] for font in fonts)


def test_accents_and_names_are_readable_text(sheets):
    text = text_of(sheets["fr"])
    for shown in ("Planche de référence", "École du Nord", "Légende", "Artère secondaire"):
        assert shown in text
    for quarter in district().quarters:
        assert quarter in text


def test_1_3_every_hex_bears_its_number(sheets):
    text = text_of(sheets["fr"])
    assert all(SHEET.label(cell) in text for cell in range(SHEET.n_hexes))


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_2_3_4_tables_are_the_rules(pack, lang):
    tables = sheet_data(read_sheet_pack(pack), COLOUR, lang)[0]["tables"]
    made, label = district(), f"label_{lang}"
    for shown, row in zip(tables["fabric"]["rows"], REGIONS["harbin"].values(), strict=True):
        figures = [float(v.replace(",", ".").rstrip("\u202f%")) for v in shown[1:5]]
        assert shown[0] == getattr(row, label)
        assert figures == pytest.approx(
            [
                row.residents_per_ha,
                100 * float(row.unshelterable),
                row.runoff,
                row.retention,
            ]
        )
        assert (shown[5] in ("aucun", "none")) == (row.network_mm_h == 0)
    counts = np.bincount(made.link_class, minlength=len(LinkClass))
    for shown, (link, row) in zip(tables["links"]["rows"], LINKS.items(), strict=True):
        assert shown[:2] == [str(int(link)), getattr(row, label)]
        assert shown[2] == str(row.cost) if row.cost else not shown[2].isdigit()
        assert int(re.sub(r"\D", "", shown[3])) == counts[link]
        assert re.sub(r"\D", "", shown[4]) == str(FOOT_CAPACITY.get(link, ""))
    depths = [row[2] for row in tables["water"]["rows"]]
    assert [re.findall(r"\d+", depth) for depth in depths] == [
        ["15"],
        ["15", "30"],
        ["30", "50"],
        ["50", "70"],
        ["70"],
    ]
    for shown, row in zip(tables["water"]["rows"], WATERS.values(), strict=True):
        assert (str(row.surcharge) in shown[3]) == bool(row.surcharge)
        assert shown[4] == tables["water"]["rows"][0 if row.pedestrians else -1][4]


def test_8_2_initial_situation_is_this_towns(sheets, pack):
    made = district()
    rows = sheet_data(read_sheet_pack(pack), COLOUR, "en")[0]["tables"]["situation"]["rows"]
    assert [row[0] for row in rows] == [row.label_en for row in HOURS.values()]
    places = sum(shelter.places for shelter in made.shelters)
    text = text_of(sheets["en"])
    for row, hour in zip(rows, HOURS, strict=True):
        people = int(situation_at(made, hour).to_shelter.sum())
        assert row[1] == f"{people:,}"
        assert row[2] == f"{round(100 * places / people)}%"
        assert row[1] in text


def test_5_shelters_are_listed_with_number_hex_and_places(pack):
    assert shelter_rows(district(), "en") == [
        ["1", "0203", "École du Nord", "900"],
        ["2", "0905", "Gymnase", "1,200"],
    ]


def test_7_8_the_sheet_says_what_its_ground_is_worth(sheets, pack):
    for lang, shown in (
        ("fr", "ce n'est pas une carte des inondations"),
        ("en", "not a flood map"),
    ):
        assert shown in ground_statement(read_sheet_pack(pack), lang)
    text = text_of(sheets["en"])
    assert "Exercise ground, not a flood map. Elevations in steps of 1 m" in text
    assert "© OpenStreetMap contributors" in text


def test_the_manifests_hash_is_printed(sheets, pack):
    data, _, _ = sheet_data(read_sheet_pack(pack), COLOUR, "en")
    digest = data["manifest_sha256"]
    assert len(digest) == 64
    assert digest[:16] in text_of(sheets["en"])
    assert "<path" in data["qr"]


@pytest.mark.parametrize("make", [sheet_data, tiles_data])
def test_no_label_lies_over_another(pack, make):
    _, _, labels = make(read_sheet_pack(pack), COLOUR, "fr")
    assert_apart(labels)
    assert labels.left_out == ()


def assert_apart(labels):
    texts = labels.all
    boxes = shapely.box(*np.array([text.box for text in texts]).T)
    tree = shapely.STRtree(boxes)
    a, b = tree.query(boxes, predicate="intersects")
    over = [(texts[i].text, texts[j].text) for i, j in zip(a, b, strict=True) if i < j]
    assert over == []
    # a number keeps clear of every link, a name of every sign
    drawn = labels.drawn
    links = shapely.linestrings(drawn.centres[drawn.pack.district.sheet.edges])
    numbers = boxes[: len(labels.numbers)]
    a, _ = shapely.STRtree(links).query(numbers, predicate="intersects")
    assert len(a) == 0
    signs = shapely.points([(sign.x, sign.y) for sign in drawn.signs])
    names = boxes[-len(labels.names) :]
    a, _ = shapely.STRtree(signs).query(names, predicate="dwithin", distance=0.12 * drawn.unit)
    assert len(a) == 0


def test_labels_keep_apart_where_names_are_long_and_quarters_small(tmp_path):
    made = district()
    quarter = np.where(made.active, np.cumsum(made.active) % 12, -1).astype(np.int32)
    names = tuple(f"Faubourg Saint-Jean-d'Angély {k}" for k in range(12))
    folder = hand_pack(tmp_path / "pack", district(quarter=quarter, quarters=names))
    _, _, labels = sheet_data(read_sheet_pack(folder), COLOUR, "fr")
    assert_apart(labels)
    assert len(labels.names) + len(labels.left_out) == 12


def test_the_boxes_hold_the_texts_that_are_set(pack):
    """A digit's width and the names' widths are the font's own."""
    widths = text_widths(["8888", "Nord-Ouest"])
    assert widths[0] == pytest.approx(4 * DIGIT_EM, rel=0.01)
    _, _, labels = sheet_data(read_sheet_pack(pack), COLOUR, "fr")
    em = labels.lettering.name * MM_PER_PT
    assert labels.names[0].width > widths[1] * em


def test_the_map_fills_its_frame_and_no_more(pack):
    data, _, labels = sheet_data(read_sheet_pack(pack), COLOUR, "fr")
    shown = data["map"]["width"], data["map"]["height"]
    assert all(side <= most for side, most in zip(shown, FRAME_MM, strict=True))
    assert max(side / most for side, most in zip(shown, FRAME_MM, strict=True)) > 0.9
    assert labels.drawn.unit == pytest.approx(260_000 / labels.drawn.scale)


def test_tiles_cover_the_map_and_overlap(pack):
    data, _, labels = tiles_data(read_sheet_pack(pack), MONO, "fr")
    assert labels.drawn.scale == TILES_SCALE
    tiling = Tiling.of(*labels.drawn.size)
    windows = [shapely.box(*tile.window) for tile in tiling.tiles]
    whole = shapely.box(*labels.drawn.window)
    assert shapely.union_all(windows).buffer(1e-6).covers(whole)
    numbers = {row[-1] for tile in data["tiles"] for row in tile["map"]["labels"]}
    assert {SHEET.label(cell) for cell in range(SHEET.n_hexes)} <= numbers


def test_neighbouring_tiles_share_the_band_that_is_glued():
    tiling = Tiling.of(900, 700)
    tiles = {(tile.column, tile.row): tile for tile in tiling.tiles}
    assert tiles[1, 0].window[0] == pytest.approx(tiles[0, 0].window[2] - OVERLAP_MM)
    assert tiles[0, 1].window[1] == pytest.approx(tiles[0, 0].window[3] - OVERLAP_MM)
    assert [tile.label for tile in tiling.tiles][:2] == ["A1", "B1"]


def test_a_photocopy_has_no_shade(pack):
    data, _, _ = tiles_data(read_sheet_pack(pack), MONO, "fr")
    inks = set(re.findall(r"#[0-9a-f]{6}", json.dumps(data)))
    assert inks == {"#000000", "#ffffff"}


def test_the_same_pack_gives_the_same_bytes(sheets, pack, tmp_path):
    again = write_sheet(pack, tmp_path / "again.pdf", lang="fr")
    assert again.path.read_bytes() == sheets["fr"].path.read_bytes()


def test_hostile_names_are_printed_as_they_are(tmp_path):
    made = district(
        name=HOSTILE,
        quarters=(HOSTILE, "", "a" * 300, "Tab\tet\nretour"),
        shelters=(Facility(SHEET.index_of("0203"), HOSTILE, 900),),
    )
    written = write_sheet(hand_pack(tmp_path / "pack", made), tmp_path / "sheet.pdf", lang="fr")
    text = text_of(written)
    assert '#eval("1")' in text
    assert "<b>" in text
    assert "Tab et retour" in text
    assert clean(HOSTILE) == HOSTILE.replace("\u202e", "")


def test_many_shelters_stay_on_the_page(tmp_path):
    cells = np.flatnonzero(district().active)[:44].tolist()
    made = district(shelters=tuple(Facility(c, f"École n° {k}", 1800) for k, c in enumerate(cells)))
    written = write_sheet(hand_pack(tmp_path / "pack", made), tmp_path / "sheet.pdf", lang="fr")
    reader = pypdf.PdfReader(written.path)
    assert len(reader.pages) == 1
    lowest = []
    reader.pages[0].extract_text(
        visitor_text=lambda text, cm, tm, font, size: lowest.append(text) if text.strip() else None
    )
    assert "École n° 43" in re.sub(r"\s+", " ", "".join(lowest))


def test_a_missing_pack_is_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(DistrictError, match="not a district pack"):
        write_sheet(tmp_path / "nowhere", tmp_path / "sheet.pdf")
    assert list(tmp_path.iterdir()) == []


def test_a_pack_without_a_place_is_refused(tmp_path):
    folder = hand_pack(tmp_path / "pack")
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    del manifest["first_hex_m"]
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(DistrictError, match="where the sheet lies"):
        write_sheet(folder, tmp_path / "sheet.pdf")
    assert not (tmp_path / "sheet.pdf").exists()


def test_an_unknown_language_is_refused(pack, tmp_path):
    with pytest.raises(ExerciseError, match="no sheet in language"):
        write_sheet(pack, tmp_path / "sheet.pdf", lang="de")


def test_a_file_that_cannot_be_written_is_refused(pack, tmp_path):
    (tmp_path / "taken.pdf").mkdir()
    with pytest.raises(SourceError, match="is a folder, or no file at all"):
        write_sheet(pack, tmp_path / "taken.pdf")
    (tmp_path / "file").write_text("")
    with pytest.raises(DistrictError, match="cannot write"):
        write_sheet(pack, tmp_path / "file" / "sheet.pdf")
    assert {p.name for p in tmp_path.iterdir()} == {"taken.pdf", "file"}


def test_the_command_ends_with_status_2_and_one_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["averse", "sheet", "nowhere", "--out", "sheet.pdf"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith("averse: nowhere is not a district pack")
    assert len(said.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


# --------------------------------------------------------------------------- as printed
@pytest.mark.parametrize("kind", ["fr", "en", "tiles"])
def test_the_printed_code_reads_as_the_hash_of_the_manifest(sheets, pack, kind):
    pdfium = pytest.importorskip("pypdfium2", reason="pypdfium2 is not installed")
    scanner = pytest.importorskip("zxingcpp", reason="zxing-cpp is not installed")
    page = pdfium.PdfDocument(sheets[kind].path)[0]
    printed = page.render(scale=200 / 72, grayscale=True).to_numpy()  # a phone's picture of it
    codes = scanner.read_barcodes(np.ascontiguousarray(printed.squeeze()))
    expected = hashlib.sha256((pack / MANIFEST).read_bytes()).hexdigest()
    assert [code.text for code in codes] == [expected]


def test_the_plan_of_photocopied_tiles_is_mostly_white(pack):
    """Hatches drawn for the page run together on a plan eight times smaller."""
    data, _, _ = tiles_data(read_sheet_pack(pack), MONO, "fr")
    pdfium = pytest.importorskip("pypdfium2", reason="pypdfium2 is not installed")
    tiles = write_sheet(pack, pack.parent / "plan.pdf", mono=True, tiles=True)
    page = pdfium.PdfDocument(tiles.path)[0].render(scale=1, grayscale=True).to_numpy().squeeze()
    height, width = page.shape
    plan = page[int(0.2 * height) : int(0.7 * height), : int(0.5 * width)]
    assert (plan > 128).mean() > 0.7
    assert data["plan"]["map"]["svg"].count("<path") > 3


def test_a_long_name_of_a_shelter_is_whole_while_there_is_room(tmp_path):
    made = district()
    name = "École maternelle et primaire de la Vallée des Trois Ruisseaux et du Moulin Brûlé"
    shelters = (Facility(made.shelters[0].cell, name, 500), *made.shelters[1:])
    folder = hand_pack(tmp_path / "pack", district(shelters=shelters))
    written = write_sheet(folder, tmp_path / "sheet.pdf", lang="fr")
    assert name in text_of(written)
