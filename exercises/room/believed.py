"""What a board draws of a moment as a side believes it: made from its view, never from the truth.

The packed arrays are those of a map of one turn (``gis.webmap.turns_data``); where such a map tells
what was true, what is believed stands once more.
"""

from typing import Any

import numpy as np

from exercises.map_frames import unit_at
from exercises.moment_words import bulletin_text, clock
from gis.frames import Frames, Shut
from gis.webmap_codec import pack_turns
from gis.webmap_turns import turns_data
from sim.district import BoolArray, District, IntArray
from sim.legality import brushed
from sim.links import open_links, water_class
from sim.obstacles import links_with
from sim.orders import Alert
from sim.preview import KnownWorld, on_their_way
from sim.rules import WATERS, Mode, Water
from sim.seat_view import SeatView
from sim.view import View

Packed = dict[str, Any]


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
    known_mm = _known_mm(view)
    shown = Frames(
        true_depth_mm=known_mm[None],
        known_depth_mm=known_mm[None],
        known_age=(view.turn - np.array(view.known_turn))[None],
        alerted=_marked(district, view.alerted)[None],
        evacuating=np.zeros((1, district.sheet.n_hexes), dtype=np.int32),
        sheltered=100 * _marked(district, view.evacuated)[None].astype(np.int32),
        to_shelter=np.zeros(district.sheet.n_hexes, dtype=np.int32),
        forecast=_marked(district, view.forecast),
        units=(tuple(unit_at(unit) for unit in _pawns(view)),),
        shelter_filled=np.array([view.places_taken or (0,) * len(district.shelters)]),
        bulletins=(bulletin_text(view.bulletin, district.is_literal, lang),),
        clock=(clock(view.hour, view.turn),),
        night=np.array([view.night]),
        shelter_shut=_shut(district, view, known_mm)[None],
        **_standing(district, view),
    )
    data = turns_data(district, shown)
    if isinstance(view, SeatView):
        data["cutKnown"] = data["cutTrue"] = pack_turns(_bars(district, view)[None])
    return {**data, "transmitting": _transmitting(district, view), **_ways(district, view)}


def _known_mm(view: View | SeatView) -> IntArray:
    """(n_hex,) depth believed, mm: the least of its class where that is all that is known."""
    if isinstance(view, View):
        return np.array(view.known_mm, dtype=np.int32)
    known: IntArray = np.array([WATERS[Water(water)].from_mm for water in view.water], np.int32)
    for cell, depth_mm in view.seen:
        known[cell] = depth_mm
    return known


def _pawns(view: View | SeatView) -> tuple[Any, ...]:
    return view.units if isinstance(view, View) else view.pawns


def _standing(district: District, view: View | SeatView) -> dict[str, Any]:
    """Links with what is known to stand on them; a seat has the bars of the shared map instead."""
    if isinstance(view, SeatView):
        return {}
    links = links_with(district, view.known_obstacles, view.units, view.turn)
    return {"true_links": (links,), "known_links": (links,)}


def _bars(district: District, view: SeatView) -> IntArray:
    """(n_edge,) bars of the shared map, as ``gis.webmap.cuts`` numbers them."""
    cut = np.zeros(district.sheet.n_edges, dtype=np.int32)
    dry = np.zeros(district.sheet.n_hexes, dtype=np.int32)
    for value, mode, closed in (
        (1, Mode.FOOT, view.cut_on_foot),
        (2, Mode.VEHICLE, view.cut_to_vehicles),
    ):
        at = np.zeros(len(cut), dtype=bool)
        at[list(closed)] = True
        cut[at & open_links(district, dry, mode)] = value
    return cut


def _shut(district: District, view: View | SeatView, known_mm: IntArray) -> IntArray:
    """(n_shelter,) ``Shut``: why a shelter takes nobody in, as far as is known."""
    cells = [shelter.cell for shelter in district.shelters]
    why = np.where(np.array(view.crushed, dtype=bool), Shut.CRUSH, Shut.OPEN).astype(np.int32)
    why[np.array(view.closed, dtype=bool)] = Shut.CLOSED
    why[water_class(known_mm[cells]) >= Water.BLOCKING] = Shut.WET
    return why


def _marked(district: District, cells: tuple[int, ...]) -> BoolArray:
    at: BoolArray = np.zeros(district.sheet.n_hexes, dtype=bool)
    at[list(cells)] = True
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
