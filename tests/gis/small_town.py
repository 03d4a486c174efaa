"""A hand-made town of 8 × 6 hexes with something of every layer, and its DEM."""

import numpy as np

from gis.build import BuildOptions
from gis.placement import Placement
from tests.gis.dem_files import write_dem
from tests.gis.osm_files import OsmFile, lattice

ON = lattice(8, 6)
CENTRE = (9.9, 51.5)


def small_town():
    """The extract: streets, houses, a school, a river with banks, rail, walls and a coast."""
    osm = OsmFile(ON)
    west, south, east, north = ON.bounds
    for a, b in ON.sheet.edges.tolist():
        street = {"highway": "residential"}
        low, high = sorted((ON.centres[a][0], ON.centres[b][0]))
        if low < west + 1260 and high > west + 1210:
            street["bridge"] = "yes"
        osm.way([ON.centres[a], ON.centres[b]], street)
    for cell in range(ON.sheet.n_hexes):
        x, y = ON.centres[cell]
        corners = [(x + 20, y + 20), (x + 80, y + 20), (x + 80, y + 60), (x + 20, y + 60)]
        osm.outline(corners, {"building": "house", "building:levels": 2})
    osm.way([(west, south + 400), (east, south + 400)], {"highway": "primary", "name": "Allée"})
    osm.way([(west, south + 700), (west + 700, south + 700)], {"railway": "rail"})
    osm.way([(west + 300, north - 90), (west + 300, north - 500)], {"barrier": "wall"})
    osm.way([(west + 900, north), (west + 700, south)], {"waterway": "stream", "name": "Bach"})
    banks = [osm.way([(west + at, south - 600), (west + at, north + 600)]) for at in (1210, 1260)]
    ends = [osm.way([(west + 1210, y), (west + 1260, y)]) for y in (south - 600, north + 600)]
    members = [("way", way, "outer") for way in (*banks, *ends)]
    osm.relation(members, {"type": "multipolygon", "natural": "water", "name": "Fluss"})
    osm.way([(east - 20, south - 600), (east - 20, north + 600)], {"natural": "coastline"})
    osm.outline(
        [(west, south), (west + 500, south), (west + 500, south + 300)], {"landuse": "residential"}
    )
    osm.node(ON.centres[8], {"amenity": "school", "name": "École"})
    osm.node(ON.centres[20], {"place": "suburb", "name": "Nord"})
    osm.node(ON.centres[30], {"barrier": "gate"})
    return osm


def write_town_dem(folder):
    """A gentle slope under the town; its path."""
    west, _, _, north = ON.bounds
    rows, columns = np.mgrid[0:110, 0:120]
    slope = (200 - 0.2 * rows - 0.1 * columns).astype(np.float32)
    place = {"crs": ON.crs.to_string(), "west": west - 600, "north": north + 600}
    return write_dem(folder / "dem.tif", slope, **place)


def options(osm, dem, **more):
    """How the town is built."""
    placement = Placement(centre=CENTRE, columns=ON.sheet.columns, rows=ON.sheet.rows)
    return BuildOptions(osm=osm, dem=dem, name="Kleinstadt", placement=placement, **more)
