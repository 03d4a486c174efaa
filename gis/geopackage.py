"""Writes a GeoPackage: layers, each with the style that QGIS opens it with.

QGIS reads the table ``layer_styles`` of a GeoPackage and gives a layer its default style. Nothing
else reads it: the engine takes named columns of named layers. Equal layers give equal bytes.
"""

import sqlite3
from collections.abc import Collection, Mapping
from contextlib import closing
from pathlib import Path

import geopandas as gpd
import pandas as pd
import pyogrio

from sim.errors import SourceError
from sim.refusal import refuse

TABLE = "layer_styles"
STYLE = "averse"

# older readers warn about version 1.4, which is pyogrio's default
_VERSION = "1.3"
# one date for all files: the same layers give the same bytes
_FIXED_DATE = "2000-01-01T00:00:00.000Z"
_CREATE = """CREATE TABLE layer_styles (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    f_table_catalog TEXT(256), f_table_schema TEXT(256), f_table_name TEXT(256),
    f_geometry_column TEXT(256), styleName TEXT(30), styleQML TEXT, styleSLD TEXT,
    useAsDefault BOOLEAN, description TEXT, owner TEXT(30), ui TEXT(30),
    update_time DATETIME DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')))"""


def write_geopackage(
    path: Path,
    layers: Mapping[str, gpd.GeoDataFrame | pd.DataFrame],
    styles: Mapping[str, str],
    mixed: Collection[str] = (),
) -> None:
    """Write a GeoPackage that does not exist yet.

    Parameters
    ----------
    path : Path
    layers : mapping of str to GeoDataFrame or DataFrame
        By name, in the order that they are listed; a table without a geometry is one of attributes.
    styles : mapping of str to str
        QML of the layers that have a style.
    mixed : collection of str
        Layers that hold areas and lines in one table.

    Raises
    ------
    SourceError
        If the file cannot be written.
    """
    before = pyogrio.get_gdal_config_option("OGR_CURRENT_DATE")
    pyogrio.set_gdal_config_options({"OGR_CURRENT_DATE": _FIXED_DATE})
    try:
        for i, (name, layer) in enumerate(layers.items()):
            pyogrio.write_dataframe(
                layer,
                path,
                layer=name,
                driver="GPKG",
                append=i > 0,
                geometry_type="Unknown" if name in mixed else None,
                dataset_options={"VERSION": _VERSION},
            )
        _write_styles(path, styles)
    except (RuntimeError, sqlite3.Error) as fault:  # all that pyogrio raises is the first
        raise SourceError(
            refuse(
                "",
                "cannot write {file} ({fault}); make room, or choose another --out folder",
                file=path.name,
                fault=f"{fault!s:.120}",
            )
        ) from fault
    finally:
        pyogrio.set_gdal_config_options({"OGR_CURRENT_DATE": before})


def _write_styles(path: Path, styles: Mapping[str, str]) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(_CREATE)
        db.execute(
            "INSERT INTO gpkg_contents (table_name, data_type, identifier, description, "
            "last_change) VALUES (?, 'attributes', ?, '', ?)",
            (TABLE, TABLE, _FIXED_DATE),
        )
        for layer, style in styles.items():
            db.execute(
                "INSERT INTO layer_styles (f_table_catalog, f_table_schema, f_table_name, "
                "f_geometry_column, styleName, styleQML, styleSLD, useAsDefault, description, "
                "owner, ui, update_time) VALUES ('', '', ?, 'geom', ?, ?, '', 1, '', '', NULL, ?)",
                (layer, STYLE, style, _FIXED_DATE),
            )
