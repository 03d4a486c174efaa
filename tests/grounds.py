"""Small districts and grounds made by hand, shared by the tests of water and depths."""

import numpy as np

from sim.district import District, Facility, Ground, literal_ladder
from sim.hexes import Sheet
from sim.rules import LEVELS, Fabric, LinkClass


def district(columns=2, rows=2, fabric=Fabric.COMMERCIAL):
    """A district wholly active, of one fabric (or one per hex), all edges local streets."""
    sheet = Sheet(columns, rows)
    n, e = sheet.n_hexes, sheet.n_edges
    return District(
        name="by hand",
        sheet=sheet,
        region="harbin",
        ladder=literal_ladder(LEVELS),
        active=np.ones(n, bool),
        fabric=np.broadcast_to(np.asarray(fabric, np.int8), (n,)).copy(),
        residents=np.full(n, 500, np.int32),
        unshelterable=np.full(n, 100, np.int32),
        road_m=np.full(n, 400, np.int32),
        elevation_mm=np.zeros(n, np.int32),
        sink_mm=np.zeros(n, np.int32),
        quarter=np.zeros(n, np.int32),
        quarters=("Quarter 1",),
        link_class=np.full(e, LinkClass.LOCAL, np.int8),
        structure=np.zeros(e, np.int8),
        foot=np.ones(e, bool),
        barrier=np.zeros(e, bool),
        shelters=(Facility(0, "School", 1800),),
        stations=(Facility(0, "Gauge"),),
        police_stations=(Facility(0, "Police"),),
        technical_centres=(Facility(0, "Depot"),),
    )


def ground(elevation_m, columns=2, rows=2, pixel_m=30.0, sink=None, road_m2=None):
    """Ground cut evenly into ``columns`` × ``rows`` blocks, one per hex of the sheet."""
    elevation_m = np.asarray(elevation_m, np.float32)
    n_row, n_col = elevation_m.shape
    column = np.arange(n_col) * columns // n_col
    row = np.arange(n_row) * rows // n_row
    return Ground(
        pixel_m=pixel_m,
        elevation_m=elevation_m,
        cell=(column[None, :] * rows + row[:, None]).astype(np.int32),
        road_m2=np.zeros_like(elevation_m) if road_m2 is None else np.asarray(road_m2, np.float32),
        sink=np.zeros(elevation_m.shape, bool) if sink is None else np.asarray(sink, bool),
    )
