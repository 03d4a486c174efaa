from pathlib import Path

import geopandas as gpd
import h3
import numpy as np
import pytest
import rasterio
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from rasterio.transform import from_origin

from gis.lattice import Lattice
from gis.population import (
    Floors,
    gathered,
    largest_remainder,
    residents_of,
    transfer,
    unshelterable_of,
)
from gis.sources.population import Population, read_population
from sim.errors import SourceError
from sim.hexes import Sheet
from sim.rules import FRANCE, HARBIN, HEX_AREA_HA, Fabric
from tests.gis.osm_files import lattice

DATA = Path(__file__).parents[2] / "../shared/data"
ON = lattice(6, 5)
N = ON.sheet.n_hexes
WEST, SOUTH, EAST, NORTH = ON.bounds


def polygons(rows, crs=ON.crs):
    """A population of (polygon, persons) in memory."""
    shapes, persons = zip(*rows, strict=True)
    blank = np.full(len(persons), np.nan)
    values = {"persons": np.array(persons, float), "jobs": blank, "schools": blank}
    table = gpd.GeoDataFrame(values, geometry=list(shapes), crs=crs)
    return Population("made by hand", "polygons", table, float(sum(persons)), 0)


def inside_squares(side_m):
    """Squares that lie wholly on the sheet."""
    margin = 400 + side_m
    return st.tuples(
        st.floats(WEST + margin, EAST - margin), st.floats(SOUTH + margin, NORTH - margin)
    ).map(lambda at: shapely.box(at[0], at[1], at[0] + side_m, at[1] + side_m))


# --------------------------------------------------------------------------- transfer
@settings(max_examples=30)
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from([5.0, 30.0, 250.0]).flatmap(inside_squares), st.integers(1, 9_000)
        ),
        min_size=1,
        max_size=8,
    )
)
def test_2_1_the_total_inside_the_sheet_is_kept(rows):
    laid = transfer(ON, polygons(rows))
    total = sum(persons for _, persons in rows)
    assert laid.inside == pytest.approx(total, rel=1e-9)
    assert laid.share_inside == pytest.approx(1, rel=1e-9)
    built, none = np.ones(N, bool), np.zeros(N)
    whole = residents_of(np.zeros(N, np.int8), none, built, HARBIN, laid)
    assert whole.sum() == total


def test_2_1_a_polygon_gives_each_hex_its_share_of_the_area():
    a, b = ON.sheet.index_of("0302"), ON.sheet.index_of("0303")
    x, y = (ON.centres[a] + ON.centres[b]) / 2
    laid = transfer(ON, polygons([(shapely.box(x - 50, y - 50, x + 50, y + 150), 400)]))
    assert laid.persons[a] == pytest.approx(300)
    assert laid.persons[b] == pytest.approx(100)


def test_2_1_what_lies_off_the_sheet_is_not_drawn_onto_it():
    across_the_rim = shapely.box(
        EAST - 900, (SOUTH + NORTH) / 2, EAST + 900, (SOUTH + NORTH) / 2 + 90
    )
    laid = transfer(ON, polygons([(across_the_rim, 1_000)]))
    assert laid.inside == pytest.approx(1_000 * laid.share_inside)
    assert 0.4 < laid.share_inside < 0.5


def test_2_1_a_population_of_another_town_is_refused_with_where_it_is():
    elsewhere = polygons([(shapely.box(2, 48, 2.1, 48.1), 100)], "EPSG:4326")
    with pytest.raises(SourceError, match=r"nobody within the sheet.*2\.0000, 48\.0000"):
        transfer(ON, elsewhere)


def test_2_residents_are_density_times_dry_ground_of_built_hexes():
    fabric = np.array([Fabric.OLD_TOWN] * N, np.int8)
    water, built = np.zeros(N), np.ones(N, bool)
    water[0], built[1] = 0.5, False
    residents = residents_of(fabric, water, built, HARBIN)
    whole = 180 * HEX_AREA_HA
    assert residents.sum() == round(whole * (N - 1.5))
    assert abs(residents[0] - whole / 2) < 1
    assert residents[1] == 0
    assert (abs(residents[2:] - whole) < 1).all()


# --------------------------------------------------------------------------- whole persons
@given(exact=hnp.arrays(float, st.integers(1, 40), elements=st.floats(0, 5_000)))
def test_largest_remainders_sum_to_the_rounded_total_and_stay_within_one(exact):
    whole = largest_remainder(exact)
    assert abs(whole.sum() - exact.sum()) <= 0.5 + 1e-6
    assert (abs(whole - exact) < 1 + 1e-6).all()


@given(
    residents=hnp.arrays(np.int32, N, elements=st.integers(0, 2_000)),
    fabric=hnp.arrays(np.int8, N, elements=st.integers(0, len(Fabric) - 1)),
)
def test_2_2_the_unshelterable_are_the_fabrics_share_and_never_more_than_the_residents(
    residents, fabric
):
    found = unshelterable_of(residents, fabric, HARBIN)
    assert (found <= residents).all()
    exact = sum(
        int(r) * HARBIN[Fabric(f)].unshelterable for r, f in zip(residents, fabric, strict=True)
    )
    assert abs(int(found.sum()) - exact) <= 1


# one for 60 m² of floor: houses fill a hex to 60 a hectare at a floor ratio of 0.36
FULL_M2 = 60 * 60 * HEX_AREA_HA


@pytest.mark.parametrize(
    ("floor_m2", "share"),
    [(2 * FULL_M2, 1.0), (FULL_M2, 1.0), (FULL_M2 / 2, 0.5), (FULL_M2 / 10, 0.1)],
)
def test_2_1_a_hex_holds_no_more_than_its_floors_house(floor_m2, share):
    n = 6
    fabric = np.full(n, Fabric.URBAN_VILLAGE, np.int8)
    built, dry = np.ones(n, bool), np.zeros(n)
    full = residents_of(fabric, dry, built, FRANCE)
    housed = residents_of(fabric, dry, built, FRANCE, None, Floors(np.full(n, floor_m2), 60.0))
    assert housed.sum() == pytest.approx(share * full.sum(), abs=1)


def test_2_1_a_shed_keeps_its_hex_lived_in_and_an_unbuilt_hex_stays_empty():
    fabric = np.full(2, Fabric.URBAN_VILLAGE, np.int8)
    floors = Floors(np.array([10.0, 9_000.0]), 60.0)
    built = np.array([True, False])
    assert residents_of(fabric, np.zeros(2), built, FRANCE, None, floors).tolist() == [1, 0]


def test_2_1_where_no_building_is_mapped_a_hex_is_as_full_as_its_fabrics_others():
    fabric = np.array([Fabric.URBAN_VILLAGE] * 4 + [Fabric.OLD_TOWN] * 5, np.int8)
    floors = np.array([FULL_M2 / 4, FULL_M2 * 3 / 4, 0, 0, FULL_M2, 0, 0, 0, 0])
    built, dry = np.ones(9, bool), np.zeros(9)
    full = residents_of(fabric, dry, built, FRANCE).astype(float)
    housed = residents_of(fabric, dry, built, FRANCE, None, Floors(floors, 60.0))
    assert housed[2] == pytest.approx(full[2] / 2, abs=1)
    # one hex of five tells nothing of the others
    assert housed[5:].tolist() == pytest.approx(full[5:].tolist(), abs=1)
    assert housed[4] < full[4]


def test_2_2_nobody_of_a_park_is_unshelterable():
    residents = np.full(N, 777, np.int32)
    assert unshelterable_of(residents, np.full(N, Fabric.PARK, np.int8), HARBIN).sum() == 0


# --------------------------------------------------------------------------- gathering
@given(
    residents=hnp.arrays(np.int32, N, elements=st.integers(0, 2_000)),
    active=hnp.arrays(bool, N).filter(np.any),
)
def test_1_2_people_of_inactive_hexes_move_to_the_nearest_and_none_is_lost(residents, active):
    moved = gathered(ON.sheet, residents, active)
    assert moved.residents.sum() == residents.sum()
    assert (moved.residents[~active] == 0).all()
    assert (moved.residents[active] >= residents[active]).all()
    assert moved.moved == residents[~active].sum()


def test_1_2_the_nearest_active_hexes_share_the_newcomers():
    sheet = Sheet(1, 5)
    active = np.array([True, False, True, False, True])
    moved = gathered(sheet, np.array([10, 5, 10, 0, 10], np.int32), active)
    assert moved.residents.tolist() == [13, 0, 12, 0, 10]
    assert (moved.moved, moved.moved_hexes) == (5, 1)


# --------------------------------------------------------------------------- files
def cells_here(resolution=9):
    lon, lat = ON.centres_lonlat[ON.sheet.index_of("0303")]
    return sorted(h3.grid_disk(h3.latlng_to_cell(lat, lon, resolution), 1))


@pytest.mark.parametrize("column", ["h3", "h3_index", "id", "id_hex", "hex"])
@pytest.mark.parametrize("delimiter", [",", ";"])
def test_2_1_h3_cells_are_found_by_the_columns_name(tmp_path, column, delimiter):
    path = tmp_path / "cells.csv"
    rows = [f"{i}{delimiter}{cell}{delimiter}{10 * i}" for i, cell in enumerate(cells_here())]
    header = delimiter.join(("number", column.upper(), "Pop"))
    path.write_text("\n".join([header, *rows]), encoding="utf-8-sig")
    read = read_population(path)
    assert (read.kind, read.total, read.dropped) == ("H3 cells", 210, 0)
    assert transfer(ON, read).inside == pytest.approx(210)


@pytest.mark.parametrize(("columns", "found"), [("dist_pop", True), ("pop_2010,pop_2020", False)])
def test_2_1_one_column_that_speaks_of_population_is_taken_and_two_are_not(
    tmp_path, columns, found
):
    path = tmp_path / "cells.csv"
    path.write_text(f"h3,{columns}\n{cells_here()[0]},7,8\n")
    if found:
        assert read_population(path).total == 7
    else:
        with pytest.raises(SourceError, match="no population column"):
            read_population(path)


@pytest.mark.parametrize("resolution", [7, 8, 9, 10, 11])
def test_2_1_h3_cells_of_any_resolution_keep_their_total(tmp_path, resolution):
    lon, lat = ON.centres_lonlat[ON.sheet.index_of("0303")]
    path = tmp_path / "cells.csv"
    path.write_text(f"h3,population\n{h3.latlng_to_cell(lat, lon, resolution)},5000\n")
    laid = transfer(ON, read_population(path))
    assert laid.inside == pytest.approx(5000 * laid.share_inside)
    if resolution >= 9:
        assert laid.inside == pytest.approx(5000)


def test_2_1_rows_that_cannot_be_used_are_counted(tmp_path):
    cell, other, third, *_ = cells_here()
    path = tmp_path / "cells.csv"
    path.write_text(
        f"h3,population,jobs,schools\n{cell},100,7,1\n{cell},50,,\nnowhere,9,,\n{other},,1,\n"
        f"{third},-3,,\n"
    )
    read = read_population(path)
    assert (read.total, read.dropped) == (100, 4)
    laid = transfer(ON, read)
    assert laid.jobs.sum() == pytest.approx(7)
    assert laid.school.sum() == 1


def test_2_1_polygons_with_a_population_column_in_another_crs(tmp_path):
    path = tmp_path / "grid.gpkg"
    x, y = ON.centres[ON.sheet.index_of("0303")]
    shapes = [shapely.box(x, y, x + 250, y + 250), shapely.box(x - 250, y, x, y + 250)]
    gpd.GeoDataFrame({"POPULATION": [120, 80]}, geometry=shapes, crs=ON.crs).to_crs(3857).to_file(
        path
    )
    read = read_population(path)
    assert (read.kind, read.total) == ("polygons", 200)
    assert transfer(ON, read).inside == pytest.approx(200, rel=1e-6)


def write_raster(path, values, pixel_m=100.0, crs=ON.crs, nodata=-9999):
    x, y = ON.centres[ON.sheet.index_of("0202")]
    profile = {"height": values.shape[0], "width": values.shape[1], "count": 1, "nodata": nodata}
    options = {"dtype": "float32", "crs": crs, "transform": from_origin(x, y, pixel_m, pixel_m)}
    with rasterio.open(path, "w", **profile, **options) as opened:
        opened.write(values.astype("float32"), 1)
    return path


@pytest.mark.parametrize("pixel_m", [10.0, 100.0, 200.0])
def test_2_1_a_raster_of_counts_keeps_its_total(tmp_path, pixel_m):
    counts = np.random.default_rng(1).integers(0, 50, (3, 4)).astype(float)
    counts[0, 0] = -9999
    path = write_raster(tmp_path / "counts.tif", counts, pixel_m)
    people = counts[counts > 0].sum()
    for bounds in (None, ON.bounds_lonlat):
        read = read_population(path, bounds)
        assert (read.kind, read.total) == ("raster", people)
        assert transfer(ON, read).inside == pytest.approx(people)


def test_2_1_a_large_raster_is_cut_to_the_sheet_and_its_whole_total_is_known(tmp_path):
    path = write_raster(tmp_path / "country.tif", np.ones((200, 300)))
    read = read_population(path, ON.bounds_lonlat)
    assert read.total == 60_000
    assert len(read.cells) < 500
    laid = transfer(ON, read)
    assert laid.inside < len(read.cells)
    assert laid.inside == pytest.approx(transfer(ON, read_population(path)).inside)


# --------------------------------------------------------------------------- bad files
@pytest.mark.parametrize(("count", "dtype"), [(2, "float32"), (1, "complex64")])
def test_a_raster_that_is_no_count_is_refused(tmp_path, count, dtype):
    path = tmp_path / "odd.tif"
    x, y = ON.centres[0]
    options = {"height": 3, "width": 3, "count": count, "dtype": dtype, "crs": ON.crs}
    with rasterio.open(path, "w", transform=from_origin(x, y, 100, 100), **options) as opened:
        opened.write(np.ones((count, 3, 3), dtype))
    with pytest.raises(SourceError, match=rf"{count} bands of {dtype}"):
        read_population(path)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("people.csv", "h3,children\n8928308280fffff,3\n", "no population column"),
        ("people.csv", "town,population\nCaen,3\n", "no column of H3 cells"),
        ("people.csv", "h3,population\n8928308280fffff,\n", "no row with an H3 cell"),
        ("people.csv", "h3,population\n8928308280fffff,0\n", "holds nobody"),
        ("people.csv", "", "is empty"),
        ("people.gpkg", "not a database", "cannot be read as polygons"),
        ("people.tif", "not a raster", "cannot be read as a raster"),
        ("people.xlsx", "PK", "is not a population file known here"),
    ],
)
def test_a_bad_file_is_refused_in_one_sentence_that_names_it(tmp_path, name, text, said):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(SourceError, match=said) as refused:
        read_population(path)
    assert name in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_missing_file_a_folder_and_bytes_that_are_no_text_are_refused(tmp_path):
    with pytest.raises(SourceError, match="nothing at"):
        read_population(tmp_path / "people.csv")
    with pytest.raises(SourceError, match="a folder at"):
        read_population(tmp_path)
    binary = tmp_path / "people.csv"
    binary.write_bytes(b"h3,population\n\xff\xfe\x00\n")
    with pytest.raises(SourceError, match="not a CSV table in UTF-8"):
        read_population(binary)


def test_polygons_or_a_raster_without_a_crs_are_refused(tmp_path):
    path = tmp_path / "grid.gpkg"
    gpd.GeoDataFrame({"population": [1]}, geometry=[shapely.box(0, 0, 1, 1)]).to_file(path)
    with pytest.raises(SourceError, match="no CRS"):
        read_population(path)
    with pytest.raises(SourceError, match="no CRS"):
        read_population(write_raster(tmp_path / "counts.tif", np.ones((2, 2)), crs=None))


# --------------------------------------------------------------------------- real data
def test_2_1_porto_alegre_keeps_its_people():
    path = DATA / "porto_alegre" / "poa_hexgrid.csv"
    if not path.exists():
        pytest.skip(f"{path} is absent")
    on = Lattice.centred(Sheet(44, 28), -51.19059, -30.03248)
    read = read_population(path, on.bounds_lonlat)
    assert (len(read.cells), read.total, read.dropped) == (1_227, 812_935, 0)
    laid = transfer(on, read)
    # an oracle: the cells whose middle is on the sheet
    middle = read.cells.to_crs(on.crs).geometry.centroid
    on_sheet = on.cells_at(middle.x, middle.y) >= 0
    assert laid.inside == pytest.approx(read.cells["persons"][on_sheet].sum(), rel=0.01)
    n = on.sheet.n_hexes
    built, dry = np.ones(n, bool), np.zeros(n)
    residents = residents_of(np.zeros(n, np.int8), dry, built, HARBIN, laid)
    assert residents.sum() == pytest.approx(laid.inside, rel=0.001)
    assert laid.school.sum() > 100
    whole = Lattice.centred(Sheet(75, 60), -51.1974, -30.0539)
    assert transfer(whole, read).inside == pytest.approx(812_935, rel=0.001)


def test_2_1_the_helsinki_grid_keeps_its_people():
    path = DATA / "incomplete_osm" / "helsinki_population_grid_2020.gpkg"
    if not path.exists():
        pytest.skip(f"{path} is absent")
    on = Lattice.centred(Sheet(20, 16), 24.932, 60.165)
    read = read_population(path)
    assert (len(read.cells), read.total) == (92, 71_724)
    assert transfer(on, read).inside == pytest.approx(71_724, rel=0.001)


def test_a_geopackage_with_several_layers_that_could_be_the_population_is_refused(tmp_path):
    path = tmp_path / "p.gpkg"
    frame = gpd.GeoDataFrame({"population": [5]}, geometry=[shapely.box(0, 0, 1, 1)], crs=4326)
    frame[["geometry"]].to_file(path, layer="outlines")
    with pytest.raises(SourceError, match="no population column"):
        read_population(path)
    frame.to_file(path, layer="of_2010")
    assert read_population(path).total == 5
    frame.to_file(path, layer="of_2020")
    with pytest.raises(SourceError, match=r"3 layers .*, of which 2 \(of_2010, of_2020\) could be"):
        read_population(path)
