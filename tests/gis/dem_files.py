"""Elevation rasters written by hand for the tests."""

import numpy as np
import rasterio
from affine import Affine


def write_dem(path, elevation, crs="EPSG:32631", west=400_000, north=4_700_000, pixel=30, **more):
    """Write one band, or several of a (band, row, column) array; return the path."""
    bands = elevation if elevation.ndim == 3 else elevation[np.newaxis]
    with rasterio.open(
        path,
        "w",
        driver="GTiff",
        count=bands.shape[0],
        height=bands.shape[1],
        width=bands.shape[2],
        dtype=bands.dtype,
        crs=crs,
        transform=Affine(pixel, 0, west, 0, -pixel, north),
        **more,
    ) as raster:
        raster.write(bands)
    return path


def write_asc(path, elevation, west=400_000, south=4_690_000, pixel=30):
    """Write an ESRI ASCII grid, which states no CRS; return the path."""
    rows, columns = elevation.shape
    head = (
        f"ncols {columns}\nnrows {rows}\nxllcorner {west}\nyllcorner {south}\n"
        f"cellsize {pixel}\nNODATA_value -9999\n"
    )
    lines = "\n".join(" ".join(f"{z:.2f}" for z in row) for row in elevation)
    path.write_text(head + lines + "\n")
    return path
