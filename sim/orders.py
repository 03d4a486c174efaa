"""What a team may order (§9.5, 9.6). Hexes are indices of the sheet; labels only on paper.

Whether an order may be given is told by ``sim.legality``, from what the team knows.
"""

import sys
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias, get_origin, get_type_hints

from sim.rules import Confidence, Protection

FORECAST_TURN = 0
"""The forecast phase, before turn 1 (§9.6)."""

# What a whole number of an order stands for: files, schema, help and events write it by this mark.
HEX, LINK, QUARTER, SHELTER, UNIT = "hex", "link", "quarter", "shelter", "unit"
Cell: TypeAlias = Annotated[int, HEX]
"""Index of a hex, written by its printed number: ``"2314"``."""
Cells: TypeAlias = Annotated[tuple[int, ...], HEX]
Link: TypeAlias = Annotated[int, LINK]
"""Index of a link in ``Sheet.edges``, written by its two hexes: ``"2314-2315"``."""
Links: TypeAlias = Annotated[tuple[int, ...], LINK]
Quarter: TypeAlias = Annotated[int, QUARTER]
"""Index of a quarter, written by its name."""
Quarters: TypeAlias = Annotated[tuple[int, ...], QUARTER]
Shelter: TypeAlias = Annotated[int, SHELTER]
"""Number of a shelter from 0, written by its name."""
UnitName: TypeAlias = Annotated[str, UNIT]
"""Service and number: ``patrol-3``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Something a team orders in a turn; ``reason`` is kept for the debrief (§9.5)."""

    turn: int
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast(Order):
    """Paint hexes that will be cut, how sure one is beside (§9.6, 12.4); no order of the budget."""

    cells: Cells
    confidence: Confidence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert(Order):
    """Alert the active hexes within ``radius`` of a hex: the brush (§9.1, 9.4).

    ``option`` says how the quarters that it touches are protected; left out, as they were (§9.3).
    """

    centre: Cell
    radius: int
    option: Protection | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(Order):
    """Send a unit to a hex, over as many turns as it takes (§5, 9.5)."""

    unit: UnitName
    to: Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorToDoor(Order):
    """Send a patrol to a hex, to alert it door to door when it ends a turn there (§9.4)."""

    unit: UnitName
    cell: Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Pump(Order):
    """Lower the depth that a link sees by 18 cm, for as long as the pump truck stays (§9.2)."""

    unit: UnitName
    link: Link


@dataclass(frozen=True, slots=True, kw_only=True)
class Footbridge(Order):
    """Restore a foot crossing of 200 people a turn, for as long as the pump truck stays (§9.2)."""

    unit: UnitName
    link: Link


@dataclass(frozen=True, slots=True, kw_only=True)
class Clear(Order):
    """Bring a link back to its nominal class, which frees the unit (§9.2)."""

    unit: UnitName
    link: Link


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserve(Order):
    """Keep a chain of links free of crowds, for as long as the patrol stays on it (§9.2)."""

    unit: UnitName
    links: Links


@dataclass(frozen=True, slots=True, kw_only=True)
class Protect(Order):
    """Change how a quarter's people are protected (§9.3)."""

    quarter: Quarter
    option: Protection


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseShelter(Order):
    """Close a shelter: arrivals take another (§9.5)."""

    shelter: Shelter


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenShelter(Order):
    """Open again a shelter that the team closed (§9.5)."""

    shelter: Shelter


@dataclass(frozen=True, slots=True, kw_only=True)
class Deliver(Order):
    """Send a boat with supplies to a hex of an isolated quarter (§9.5, 11)."""

    unit: UnitName
    cell: Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Order):
    """Obey or refuse the prefecture's injunction; no answer is a refusal (§13.2)."""

    obey: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw(Order):
    """Take back an order of the same turn by its number, from 1 in the order given (§9.5).

    It costs nothing and gives the order back to the budget.
    """

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Void(Order):
    """A number of the turn that no order stands under: refused, withdrawn, or a withdrawal.

    Nobody gives it: it keeps the numbers of the orders after it.
    """


FREE = (Forecast, Withdraw, Answer)
"""Orders that the budget does not count (§9.5, 9.6)."""
LINK_ORDERS = (Pump, Footbridge, Clear)
UnitOrder: TypeAlias = Move | DoorToDoor | Reserve | Deliver | Pump | Footbridge | Clear
UNIT_ORDERS = (Move, DoorToDoor, Reserve, Deliver, *LINK_ORDERS)
"""Orders to a unit, one a turn each (§9.5)."""


def order_kinds() -> tuple[type[Order], ...]:
    """Kinds of order that may be given, wherever they are defined, in that order."""
    # a data class with slots is a copy of the class first made, which may linger: it is no kind
    return tuple(
        kind
        for kind in Order.__subclasses__()
        if kind is not Void and getattr(sys.modules[kind.__module__], kind.__name__, None) is kind
    )


def fields_of(kind: type[Order]) -> dict[str, tuple[Any, str]]:
    """Fields of a kind of order beside turn and reason: their type, and what they stand for or ''.

    >>> fields_of(Move)
    {'unit': (<class 'str'>, 'unit'), 'to': (<class 'int'>, 'hex')}
    """
    hints = get_type_hints(kind, include_extras=True)
    return {
        name: (hint.__origin__, hint.__metadata__[0])
        if get_origin(hint) is Annotated
        else (hint, "")
        for name, hint in hints.items()
        if name not in {"turn", "reason"}
    }


def order_key(kind: type[Order]) -> str:
    """Name of a kind of order in files: ``DoorToDoor`` is ``door_to_door``."""
    name = kind.__name__
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")
