"""Layers of a district pack with their shapes, for what draws or exports them."""

from collections.abc import Sequence
from pathlib import Path

import geopandas as gpd

from gis.store import GPKG
from sim.errors import DistrictError
from sim.refusal import reason_of, refuse


def read_layer(pack: Path, name: str, columns: Sequence[str] | None = None) -> gpd.GeoDataFrame:
    """Read a layer of a pack's GeoPackage.

    Parameters
    ----------
    pack : Path
    name : str
        Of the layer.
    columns : sequence of str, optional
        Those that are wanted beside the shapes; all without.

    Raises
    ------
    DistrictError
        If it cannot be read.
    """
    try:
        return gpd.read_file(pack / GPKG, layer=name, columns=columns)
    except (OSError, ValueError, RuntimeError) as error:
        raise DistrictError(
            refuse(
                "",
                "{pack} cannot be read ({error}); build the district again",
                pack=str(pack / GPKG),
                error=reason_of(error),
            )
        ) from error
