"""Players without a person: they get the public ground once, then views alone (§6, 12.5)."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from exercises.baseline import baseline
from exercises.brush import Brush
from exercises.session import Player
from sim.district import District
from sim.orders import FORECAST_TURN, Alert, Order
from sim.view import View


def do_nothing(district: District) -> Player:
    """Return a player who never orders anything."""
    return lambda view: ()


def alert_everyone(district: District) -> Player:
    """Return a player who alerts every active hex, as fast as budget and brush permit."""
    brush = Brush(district)

    def orders(view: View) -> Sequence[Order]:
        if view.turn == FORECAST_TURN:
            return ()
        left = district.active.astype(np.int64)
        left[list(view.alerted)] = 0
        return tuple(
            Alert(turn=view.turn, centre=centre, radius=view.brush_radius)
            for centre in brush.best_centres(left, view.brush_radius, view.orders)
        )

    return orders


PLAYERS: Mapping[str, Callable[[District], Player]] = MappingProxyType(
    {"do-nothing": do_nothing, "alert-everyone": alert_everyone, "baseline": baseline}
)
"""Players by the name that the command line knows."""
