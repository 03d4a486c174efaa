import gzip
import zipfile
from pathlib import Path

import numpy as np
import pytest
import rasterio
from pyproj import CRS

from gis.lattice import PixelGrid
from gis.sources.dem import open_dem, open_dems, warped
from sim.errors import SourceError
from tests.gis.dem_files import write_asc, write_dem

DATA = Path(__file__).parents[3] / "shared" / "data"
UTM = CRS.from_epsg(32631)
GRID = PixelGrid(400_300, 4_699_700, 30.0, 20, 20)
PLANE = np.add.outer(np.arange(60.0) * -1, np.arange(60.0) * 2).astype(np.float32) + 100


def on_grid(dem, grid=GRID):
    relief = dem.read_under(grid, UTM)
    return warped(relief.elevation_m, relief.transform, dem.crs, grid, UTM), relief


def test_a_plane_is_read_as_it_is(tmp_path):
    dem = open_dem(write_dem(tmp_path / "a.tif", PLANE))
    z, relief = on_grid(dem)
    assert z == pytest.approx(PLANE[10:30, 10:30])
    assert relief.void_share == 0
    assert dem.pixel_m(400_900, 4_699_000, UTM) == pytest.approx(30)
    assert dem.vertical_step_m == 0


def test_bilinear_between_pixels(tmp_path):
    shifted = PixelGrid(400_315, 4_699_685, 30.0, 10, 10)
    z, _ = on_grid(open_dem(write_dem(tmp_path / "a.tif", PLANE)), shifted)
    assert z == pytest.approx(PLANE[10:20, 10:20] + 0.5, abs=1e-3)


def test_ascii_grid_without_crs_says_which_option_gives_it(tmp_path):
    path = write_asc(tmp_path / "a.asc", PLANE)
    with pytest.raises(SourceError, match=r"a\.asc states no CRS.*--dem-crs"):
        open_dem(path)
    dem = open_dem(path, crs="EPSG:32631")
    assert dem.crs == UTM
    grid = PixelGrid(400_000, 4_690_000 + 60 * 30, 30.0, 60, 60)
    assert on_grid(dem, grid)[0] == pytest.approx(PLANE, abs=0.01)


def test_gzipped_and_zipped(tmp_path):
    plain = write_asc(tmp_path / "a.asc", PLANE)
    packed = tmp_path / "a.asc.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    boxed = tmp_path / "a.zip"
    with zipfile.ZipFile(boxed, "w") as archive:
        archive.write(plain, "a.asc")
    for path in (packed, boxed):
        assert open_dem(path, crs="EPSG:32631").shape == (60, 60)


@pytest.mark.parametrize("zipped", [False, True])
def test_srtm_tile(tmp_path, zipped):
    tile = np.full((1201, 1201), 500, ">i2")
    tile[600, 600] = -32768
    path = tmp_path / "N42E001.hgt"
    path.write_bytes(tile.tobytes())
    if zipped:
        with zipfile.ZipFile(tmp_path / "N42E001.hgt.zip", "w") as archive:
            archive.write(path, "N42E001.hgt")
        path.unlink()
        path = tmp_path / "N42E001.hgt.zip"
    dem = open_dem(path)
    assert dem.vertical_step_m == 1
    assert dem.bounds_lonlat == pytest.approx((1, 42, 2, 43), abs=0.001)
    z, relief = on_grid(dem)
    assert z == pytest.approx(500)
    assert relief.undeclared == 0


def test_voids_declared_or_not_are_filled_from_around(tmp_path):
    for value, nodata in ((-32768, -32768), (-32768, None), (-9999, None)):
        holed = PLANE.astype(np.int16)
        holed[18:22, 18:22] = value
        dem = open_dem(write_dem(tmp_path / "a.tif", holed, nodata=nodata))
        z, relief = on_grid(dem)
        assert np.abs(z - PLANE[10:30, 10:30]).max() < 4
        assert relief.void_share == pytest.approx(16 / relief.elevation_m.size)
        assert relief.undeclared == (0 if nodata else 16)


def test_a_wide_void_stays_uncovered(tmp_path):
    holed = np.pad(PLANE, ((0, 0), (0, 100)), constant_values=-9999)
    z, _ = on_grid(
        open_dem(write_dem(tmp_path / "a.tif", holed)), PixelGrid(400_000, 4_699_700, 30.0, 20, 160)
    )
    assert np.isfinite(z[:, :60]).all()
    assert np.isnan(z[:, 90:]).all()


def test_feet_and_scale_become_metres(tmp_path):
    path = write_dem(tmp_path / "a.tif", (PLANE * 10).astype(np.int16))
    with rasterio.open(path, "r+") as raster:
        raster.scales, raster.units = (0.1,), ("ft",)
    z, _ = on_grid(open_dem(path))
    assert z == pytest.approx(PLANE[10:30, 10:30] * 0.3048, abs=0.02)


def test_a_unit_that_the_file_does_not_state_is_given_and_one_that_it_states_is_read(tmp_path):
    path = write_dem(tmp_path / "a.tif", (PLANE / 0.3048).astype(np.float32))
    assert on_grid(open_dem(path, unit="feet"))[0] == pytest.approx(PLANE[10:30, 10:30], abs=1e-3)
    assert on_grid(open_dem(path))[0] == pytest.approx(PLANE[10:30, 10:30] / 0.3048, abs=1e-3)
    with rasterio.open(path, "r+") as raster:
        raster.units = ("US survey foot",)
    assert on_grid(open_dem(path))[0] == pytest.approx(PLANE[10:30, 10:30], abs=1e-2)
    with pytest.raises(SourceError, match=r"states its elevations in feet.*leave the option out"):
        open_dem(path, unit="metres")
    with pytest.raises(SourceError, match="'fathoms' is no unit known here"):
        open_dem(path, unit="fathoms")


def test_whole_feet_step_by_less_than_a_metre(tmp_path):
    path = write_dem(tmp_path / "a.tif", PLANE.astype(np.int16))
    assert open_dem(path, unit="feet").vertical_step_m == pytest.approx(0.3048)


def test_what_is_not_there_or_no_raster(tmp_path):
    with pytest.raises(SourceError, match=r"nothing at .*none\.tif"):
        open_dem(tmp_path / "none.tif")
    with pytest.raises(SourceError, match="a folder at"):
        open_dem(tmp_path)
    (tmp_path / "text.tif").write_text("not a raster")
    with pytest.raises(SourceError, match=r"text\.tif is not a raster that can be read"):
        open_dem(tmp_path / "text.tif")
    (tmp_path / "area.hgt").write_bytes(np.zeros(100, ">i2").tobytes())
    with pytest.raises(SourceError, match="named after its tile"):
        open_dem(tmp_path / "area.hgt")


def test_a_raster_that_breaks_off(tmp_path):
    path = write_dem(tmp_path / "a.tif", np.random.default_rng(0).random((400, 400)))
    path.write_bytes(path.read_bytes()[:60_000])
    with pytest.raises(SourceError, match=r"a\.tif"):
        open_dem(path).read_under(PixelGrid(400_000, 4_700_000, 30.0, 400, 400), UTM)


def test_a_picture_is_no_dem(tmp_path):
    path = write_dem(tmp_path / "a.tif", np.zeros((3, 9, 9), np.uint8))
    with pytest.raises(SourceError, match="3 bands"):
        open_dem(path)


def test_two_bands_are_refused_but_for_a_mask(tmp_path):
    path = write_dem(tmp_path / "a.tif", np.stack((PLANE, PLANE)))
    with pytest.raises(SourceError, match=r"a\.tif has 2 bands.*does not say which is the ground"):
        open_dem(path)
    masked = write_dem(tmp_path / "b.tif", np.stack((PLANE, PLANE * 0 + 255)), alpha="yes")
    assert on_grid(open_dem(masked))[0] == pytest.approx(PLANE[10:30, 10:30])


def test_complex_numbers_are_refused(tmp_path):
    path = write_dem(tmp_path / "a.tif", PLANE.astype(np.complex64))
    with pytest.raises(SourceError, match="complex numbers, as a radar image"):
        open_dem(path)


def test_crs_given_wrongly_or_twice(tmp_path):
    path = write_dem(tmp_path / "a.tif", PLANE)
    with pytest.raises(SourceError, match="'EPSG:nowhere' is not a CRS"):
        open_dem(path, crs="EPSG:nowhere")
    with pytest.raises(SourceError, match="leave the option out"):
        open_dem(path, crs="EPSG:2154")
    assert open_dem(path, crs="EPSG:32631").crs == UTM


def test_elsewhere_on_earth_says_where(tmp_path):
    dem = open_dem(write_dem(tmp_path / "a.tif", PLANE))
    with pytest.raises(SourceError, match=r"0 % of the sheet: it spans longitude 1\.\d+ to"):
        dem.read_under(PixelGrid(500_000, 4_699_700, 30.0, 20, 20), UTM)


@pytest.mark.skipif(not DATA.is_dir(), reason="no ../shared/data beside the repository")
@pytest.mark.parametrize(
    ("name", "crs", "shape"),
    [
        ("porto_alegre/poa_elevation.tif", None, (403, 413)),
        ("andorra_full/N42E001.hgt.zip", None, (1201, 1201)),
        ("rochefort_estuary/dem.asc", "EPSG:2154", (472, 730)),
        ("rochefort_estuary/lisflood_dem_used.asc.gz", "EPSG:2154", (472, 730)),
    ],
)
def test_real_rasters_open(name, crs, shape):
    assert open_dem(DATA / name, crs=crs).shape == shape


# --------------------------------------------------------------------------- tiles
def test_tiles_with_a_seam_inside_the_grid_read_as_one(tmp_path):
    left = write_dem(tmp_path / "left.tif", PLANE[:, :20])
    right = write_dem(tmp_path / "right.tif", PLANE[:, 20:], west=400_600)
    for order in ((left, right), (right, left)):
        z, relief = on_grid(open_dems(order))
        assert z == pytest.approx(PLANE[10:30, 10:30], abs=1e-3)
        assert relief.undeclared == 0


def test_a_tile_of_another_crs_and_one_far_off(tmp_path):
    near = open_dem(write_dem(tmp_path / "near.tif", PLANE[:, :25]))
    degree = PixelGrid(1.79, 42.45, 0.0003, 100, 100)
    flat = np.full(degree.shape, 100, np.float32)
    place = {"crs": "EPSG:4326", "west": degree.west, "north": degree.north, "pixel": 0.0003}
    other = write_dem(tmp_path / "other.tif", flat, **place)
    far = write_dem(tmp_path / "far.tif", PLANE, west=500_000)
    dem = open_dems((near.path, other, far))
    z, _ = on_grid(dem)
    assert z[:, :14] == pytest.approx(PLANE[10:30, 10:24])
    assert z[:, 18:] == pytest.approx(100)
    west, _, east, _ = dem.bounds_lonlat
    assert east - west > 1


def test_tiles_of_two_pixel_sizes_are_brought_to_the_finest_which_speaks_first(tmp_path):
    coarse = write_dem(tmp_path / "coarse.tif", np.full((20, 20), 50, np.float32), pixel=90)
    fine = write_dem(tmp_path / "fine.tif", PLANE[10:30, 10:20], west=400_300, north=4_699_700)
    for order in ((coarse, fine), (fine, coarse)):
        dem = open_dems(order)
        assert dem.pixel_m(400_600, 4_699_400, UTM) == pytest.approx(30)
        z, _ = on_grid(dem)
        assert z[:, :9] == pytest.approx(PLANE[10:30, 10:19])
        assert z[:, 11:] == pytest.approx(50)


def test_each_tile_has_its_own_unit(tmp_path):
    left = write_dem(tmp_path / "left.tif", PLANE[:, :20])
    right = write_dem(tmp_path / "right.tif", PLANE[:, 20:] / np.float32(0.3048), west=400_600)
    with rasterio.open(right, "r+") as raster:
        raster.units = ("ft",)
    assert on_grid(open_dems((left, right)))[0] == pytest.approx(PLANE[10:30, 10:30], abs=1e-2)


def test_tiles_that_all_lie_elsewhere_are_refused(tmp_path):
    tiles = [write_dem(tmp_path / f"{i}.tif", PLANE, west=500_000 + 1_800 * i) for i in range(2)]
    with pytest.raises(SourceError, match=r"0\.tif and 1 more cover 0 % of the sheet"):
        open_dems(tiles).read_under(GRID, UTM)


def test_what_resampling_smeared_beside_a_void_is_void_too(tmp_path):
    holed = PLANE.copy()
    holed[18:22, 18:22] = -9999
    holed[17, 18:22] = (-300, -420, -250, -480)  # between -9999 and the ground
    z, relief = on_grid(open_dem(write_dem(tmp_path / "a.tif", holed, nodata=-9999)))
    assert np.abs(z - PLANE[10:30, 10:30]).max() < 6
    assert relief.undeclared == 4


def test_what_resampling_smeared_upwards_beside_a_void_is_void_too(tmp_path):
    holed = PLANE.copy()
    holed[18:22, 18:22] = 32767
    holed[17, 18:22] = (900, 2400, 5100, 8000)  # between 32767 and the ground
    z, relief = on_grid(open_dem(write_dem(tmp_path / "a.tif", holed, nodata=32767)))
    assert np.abs(z - PLANE[10:30, 10:30]).max() < 6
    assert relief.undeclared == 4
