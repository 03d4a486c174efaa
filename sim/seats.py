"""Seats of a centre that several people share: what each may order, which sides there are (§9.7).

A side is a text: ``team`` is the whole centre in one, ``team/communication`` one of its seats.
"""

from collections.abc import Mapping

from sim.orders import Move, Order, Withdraw, order_key
from sim.refusal import OneOf, Refusal, refuse
from sim.rules import EVERY_SEAT_ORDERS, SEATS, Seat, UnitKind

TEAM, INSTRUCTOR, PUBLIC = "team", "instructor", "public"
WHOLE_TEAM = ""
"""Seat of whoever plays the whole team alone."""
SIDES = (TEAM, *(f"{TEAM}/{seat.value}" for seat in Seat), INSTRUCTOR, PUBLIC)
"""Sides that have a view (§6): the team, each of its seats, the instructor, the public screen."""
_SEAT_OF_SIDE = {f"{TEAM}/{seat.value}": seat for seat in Seat}
_SEATS = {seat.value: seat for seat in Seat}
_KINDS = frozenset(kind.value for kind in UnitKind)


def seat_of_side(side: str) -> Seat | None:
    """Return the seat that a side is; None where it is none.

    >>> seat_of_side("team/technical"), seat_of_side("team")
    (<Seat.TECHNICAL: 'technical'>, None)
    """
    return _SEAT_OF_SIDE.get(side)


def owners(order: Order) -> tuple[Seat, ...]:
    """Seats that may give an order of this kind, in printed order; the director may give any.

    A move is given by the service of its unit; by any seat where it names no kind of unit (§5).

    >>> owners(Move(turn=1, unit="boat-1", to=3))
    (<Seat.DIRECTOR: 'director'>, <Seat.TECHNICAL: 'technical'>)
    """
    key = order_key(type(order))
    kind = order.unit.rsplit("-", 1)[0] if isinstance(order, Move) else None
    if key in EVERY_SEAT_ORDERS or (kind is not None and kind not in _KINDS):
        return tuple(Seat)
    return tuple(
        seat
        for seat, row in SEATS.items()
        if seat is Seat.DIRECTOR or key in row.orders or kind in {unit.value for unit in row.moves}
    )


def service_of_unit(kind: UnitKind) -> Seat:
    """Return the seat of the service that has a kind of unit (§5)."""
    return next(seat for seat, row in SEATS.items() if kind in row.moves)


def refusal_by_seat(seat: str, order: Order, kept: Mapping[int, Order]) -> Refusal | None:
    """Why a seat may not give an order, whatever the team knows, or None (§9.7).

    Parameters
    ----------
    seat : str
        A ``Seat``'s value; '' is the whole team in one.
    order : Order
    kept : mapping of int to Order
        Orders of the turn that stand, by number.
    """
    if seat == WHOLE_TEAM:
        return None
    if seat not in _SEATS:
        return refuse(
            "9.7",
            "nobody sits at '{name}': the seats are {names}",
            name=seat,
            names=", ".join(_SEATS),
        )
    order = kept.get(order.number, order) if isinstance(order, Withdraw) else order
    able = owners(order)
    if _SEATS[seat] in able:
        return None
    return refuse(
        "9.7",
        "the seat '{seat}' does not give that order; it is given by: {owners}",
        seat=SEATS[_SEATS[seat]],
        owners=OneOf(tuple(SEATS[owner] for owner in reversed(able))),
    )
