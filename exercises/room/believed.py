"""What a board draws of a moment as a side believes it: made from its view, never from the truth.

The packed arrays are those of a map of one turn (``gis.webmap.turns_data``); where such a map tells
what was true, what is believed stands once more.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from exercises.map_frames import unit_at
from exercises.moment_words import bulletin_text, clock
from gis.frames import Frames, Shut
from gis.webmap_turns import believed_data, cut_where
from sim.arrays import whole
from sim.district import BoolArray, District, IntArray
from sim.legality import brushed
from sim.links import is_open, water_class
from sim.orders import Alert
from sim.preview import KnownWorld, on_their_way
from sim.rules import WATERS, Mode, Water
from sim.seat_view import SeatView
from sim.units import known_links
from sim.view import View

Packed = dict[str, Any]
_LEAST_MM = np.array([WATERS[water].from_mm for water in Water], dtype=np.int32)
"""Least depth of each class of water, mm."""


def frame_of(district: District, view: View | SeatView, lang: str) -> Packed:
    """Return what a board draws of the moment of a view.

    Parameters
    ----------
    district : District
        As its players know it.
    view : View or SeatView
    lang : {"fr", "en"}

    Returns
    -------
    dict
        As ``turns_data`` gives it for a single turn; ``transmitting`` are hexes that an alert of
        this turn is on its way to (§9.4, 16), ``out_of_reach`` the units that know no way to where
        they are sent.
    """
    n_hexes, known_mm = district.sheet.n_hexes, _known_mm(view)
    shown = Frames(
        true_depth_mm=known_mm[None],
        known_depth_mm=known_mm[None],
        known_age=(view.turn - whole(view.known_turn))[None],
        alerted=_marked(n_hexes, view.alerted)[None],
        evacuating=np.zeros((1, n_hexes), dtype=np.int32),
        sheltered=100 * _marked(n_hexes, view.evacuated)[None].astype(np.int32),
        to_shelter=np.zeros(n_hexes, dtype=np.int32),
        forecast=_marked(n_hexes, view.forecast),
        units=(tuple(unit_at(unit) for unit in _pawns(view)),),
        shelter_filled=np.array([view.places_taken or (0,) * len(district.shelters)]),
        bulletins=(bulletin_text(view.bulletin, district.is_literal, lang),),
        clock=(clock(view.hour, view.turn, lang),),
        night=np.array([view.night]),
        shelter_shut=_shut(district, view, known_mm)[None],
    )
    data = believed_data(shown, _bars(district, view)[None])
    return {**data, "transmitting": _transmitting(district, view), **_ways(district, view)}


def _known_mm(view: View | SeatView) -> IntArray:
    """(n_hex,) depth believed, mm: the least of its class where that is all that is known."""
    if isinstance(view, View):
        return whole(view.known_mm).astype(np.int32)
    known: IntArray = _LEAST_MM[np.array(view.water, dtype=np.intp)]
    if view.seen:
        cells, depths_mm = np.array(view.seen).T
        known[cells] = depths_mm
    return known


def _pawns(view: View | SeatView) -> tuple[Any, ...]:
    return view.units if isinstance(view, View) else view.pawns


def _bars(district: District, view: View | SeatView) -> npt.NDArray[np.int8]:
    """(n_edge,) bars of the map, as ``gis.webmap.cuts`` numbers them."""
    if isinstance(view, SeatView):  # it has those of the shared map
        closed = (view.cut_on_foot, view.cut_to_vehicles)
        return cut_where(district, *(_marked(district.sheet.n_edges, one) for one in closed))
    links, depth_mm = known_links(district, view)
    return cut_where(
        district, ~is_open(links, depth_mm, Mode.FOOT), ~is_open(links, depth_mm, Mode.VEHICLE)
    )


def _shut(district: District, view: View | SeatView, known_mm: IntArray) -> IntArray:
    """(n_shelter,) ``Shut``: why a shelter takes nobody in, as far as is known."""
    cells = [shelter.cell for shelter in district.shelters]
    why = np.where(np.array(view.crushed, dtype=bool), Shut.CRUSH, Shut.OPEN).astype(np.int32)
    why[np.array(view.closed, dtype=bool)] = Shut.CLOSED
    why[water_class(known_mm[cells]) >= Water.BLOCKING] = Shut.WET
    return why


def _marked(count: int, places: tuple[int, ...]) -> BoolArray:
    at: BoolArray = np.zeros(count, dtype=bool)
    at[list(places)] = True
    return at


def _transmitting(district: District, view: View | SeatView) -> list[int]:
    cells: set[int] = set()
    for one in view.pending:
        if isinstance(one.order, Alert):
            cells.update(brushed(district, one.order.centre, one.order.radius))
    return sorted(cells - set(view.alerted))


def _ways(district: District, view: View | SeatView) -> Packed:
    """Ways of the units that were sent off, for who leads the whole team."""
    if isinstance(view, SeatView):
        return {"ways": {}, "out_of_reach": []}
    ways = on_their_way(KnownWorld(district, view))
    told = {
        unit: {"cells": way.cells, "stops": way.stops, "arrives": way.arrives}
        for unit, way in ways.items()
        if way is not None
    }
    return {"ways": told, "out_of_reach": [unit for unit, way in ways.items() if way is None]}
