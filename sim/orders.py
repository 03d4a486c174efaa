"""What a team may order (§9.5, 9.6). Hexes are indices of the sheet; labels only on paper.

Whether an order may be given is told by ``sim.legality``, from what the team knows.
"""

from dataclasses import dataclass

FORECAST_TURN = 0
"""The forecast phase, before turn 1 (§9.6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Something a team orders in a turn; ``reason`` is kept for the debrief (§9.5)."""

    turn: int
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast(Order):
    """Paint hexes that will be cut (§9.6); not an order of the budget."""

    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert(Order):
    """Alert the active hexes within ``radius`` of a hex: the brush (§9.1, 9.4)."""

    centre: int
    radius: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(Order):
    """Send a unit to a hex, over as many turns as it takes (§5, 9.5)."""

    unit: str
    to: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorToDoor(Order):
    """Send a patrol to a hex, to alert it door to door when it ends a turn there (§9.4)."""

    unit: str
    cell: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw(Order):
    """Take back an order of the same turn by its number, from 1 in the order given (§9.5).

    It costs nothing and gives the order back to the budget.
    """

    number: int


FREE = (Forecast, Withdraw)
"""Orders that the budget does not count (§9.5, 9.6)."""
