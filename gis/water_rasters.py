"""The depth of every pixel as rasters: a GeoTIFF with a band a turn, and small pictures."""

import base64
from pathlib import Path
from types import TracebackType

import numpy as np
import numpy.typing as npt
import rasterio
from rasterio.io import MemoryFile
from rasterio.transform import Affine

from gis.store import GROUND
from sim.district import Ground
from sim.errors import SourceError
from sim.refusal import refuse
from sim.rules import WATERS, Water

NODATA = -9999.0
SEEN_FROM_MM = 50
"""Thinner water is everywhere in a storm: it would hide where it gathers."""
DEPTHS_FROM_MM = (SEEN_FROM_MM, *(WATERS[w].from_mm for w in Water if w != Water.FREE))
"""Depths from which a picture's colours begin, millimetres: class 0 from 5 cm, then 1 to 4 (§4)."""
DEPTH_COLOURS = ("#c9e4f5", "#8ec4e8", "#4292c6", "#1f5aa6", "#54278f")
"""Light to dark, blue to violet: told apart in grey too, and by readers who see no red or green."""


class DepthFile:
    """A GeoTIFF of depths that is written turn by turn: metres, float32, nodata where no ground is.

    Parameters
    ----------
    path : Path
    pack : Path
        The district pack of the ground: its raster gives CRS and place.
    ground : Ground
    turns : int
        Turns of the exercise; band 1 is the dry start, band t + 1 the end of turn t.

    Raises
    ------
    SourceError
        If the file cannot be written.
    """

    def __init__(self, path: Path, pack: Path, ground: Ground, turns: int) -> None:
        self._dry = (ground.cell < 0) | ground.sink
        try:
            with rasterio.open(pack / GROUND) as source:
                place = {"crs": source.crs, "transform": source.transform}
            self._file = rasterio.open(
                path,
                "w",
                driver="GTiff",
                height=ground.cell.shape[0],
                width=ground.cell.shape[1],
                count=turns + 1,
                dtype="float32",
                nodata=NODATA,
                compress="deflate",
                predictor=3,
                zlevel=6,
                interleave="band",
                **place,
            )
        except (rasterio.errors.RasterioError, OSError) as error:
            raise SourceError(
                refuse(
                    "",
                    "cannot write {path} ({error}); make room",
                    path=str(path),
                    error=f"{error!s:.120}",
                )
            ) from error

    def write(self, turn: int, depth_m: npt.NDArray[np.floating], clock: str) -> None:
        """Write the depths of a turn, metres on the ground."""
        band = np.where(self._dry, NODATA, depth_m).astype(np.float32)
        self._file.write(band, turn + 1)
        self._file.set_band_description(turn + 1, f"turn {turn}, {clock}, depth in metres")

    def __enter__(self) -> "DepthFile":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


def picture_of(depth_m: npt.NDArray[np.floating], ground: Ground) -> str:
    """Depths as a PNG of one colour a class, clear where there is little, as a data address.

    Parameters
    ----------
    depth_m : (n_row, n_col) float
        Metres; rivers and the outside stay clear.
    """
    on_land = (ground.cell >= 0) & ~ground.sink
    mm = np.rint(np.where(on_land, depth_m, 0.0) * 1000)
    shown = np.searchsorted(DEPTHS_FROM_MM, mm, side="right").astype(np.uint8)
    colours = {0: (0, 0, 0, 0)} | {
        i: (*(int(c[k : k + 2], 16) for k in (1, 3, 5)), 235)
        for i, c in enumerate(DEPTH_COLOURS, start=1)
    }
    with MemoryFile() as memory:
        with memory.open(
            driver="PNG",
            height=shown.shape[0],
            width=shown.shape[1],
            count=1,
            dtype="uint8",
            transform=Affine.scale(ground.pixel_m),
        ) as png:
            png.write(shown, 1)
            png.write_colormap(1, colours)
        return "data:image/png;base64," + base64.b64encode(memory.read()).decode()
