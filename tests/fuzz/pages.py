"""All that reaches a side: its view, its events in order, answers, the event log (§6.4).

``pages_of`` loops over the sides that the family names, so that a seat or a screen added later is
looked at too.
"""

import json
from collections.abc import Iterable, Sequence

from exercises import event_log
from exercises.family import INSTRUCTOR, Envelope
from exercises.flood_family import FLOOD, FloodState
from exercises.plain_values import to_plain
from sim.events import Event
from sim.orders import Order
from sim.public import public_district
from sim.state import canonical_json
from sim.world import World

Pages = dict[str, bytes]
UNVEILED = "unveiled"
"""What the public screen shows at the end, and at no turn before."""


def players(world: World) -> tuple[str, ...]:
    """Sides that must not learn the truth."""
    return tuple(side for side in FLOOD.sides(world) if side != INSTRUCTOR)


def views(at: FloodState, sides: Sequence[str]) -> Pages:
    """What some sides see of a moment; the truth that is unveiled once all is over left out."""
    pages = {}
    for side in sides:
        view = FLOOD.view(at, side, FLOOD.now(at))
        if FLOOD.is_over(at):
            view = {name: value for name, value in view.items() if name != UNVEILED}
        pages[f"{side}: view"] = json.dumps(view, sort_keys=True).encode()
    return pages


def happened(events: Sequence[Event], sides: Sequence[str]) -> Pages:
    """What some sides are told, in its order."""
    return {f"{side}: events": repr(told(events, side)).encode() for side in sides}


def told(events: Iterable[Event], side: str) -> list[Event]:
    """Events as they reach a side."""
    return [seen for event in events if (seen := event.for_side(side)) is not None]


def answers(at: FloodState, orders: Iterable[Order]) -> Pages:
    """What is said to orders tried and not carried out."""
    said = []
    for order in orders:
        _, events = FLOOD.apply(at, Envelope("team", "", order.turn, order))
        said.append(repr([event.for_side("team") for event in events]))
    return {"team: answers": "\n".join(said).encode()}


def logs(at: FloodState, events: Sequence[Event], lang: str) -> Pages:
    """Event logs and exported events of a whole game, in the order of their lines."""
    pages = {
        f"{side}: log": event_log.event_log(at.world, events, lang, side).encode()
        for side in event_log.SIDES
        if side != INSTRUCTOR
    }
    exported = [FLOOD.event_to_plain(at, event) for event in told(events, "team")]
    pages["team: exported"] = canonical_json(exported)
    return pages


def ground(world: World) -> Pages:
    """What a player may read of the district before any order (§7.6)."""
    return {"ground": canonical_json(to_plain(public_district(world.district)))}


__all__ = ["Pages", "answers", "ground", "happened", "logs", "players", "views"]
