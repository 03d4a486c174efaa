"""All that reaches a side: its view, its events in order, answers, the event log (§6.4).

``pages_of`` loops over the sides that the family names, so that a seat or a screen added later is
looked at too.
"""

import json
from collections.abc import Iterable, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from exercises.chain import ExerciseOptions, OpenExercise
from exercises.event_log import event_log
from exercises.family import INSTRUCTOR, Envelope
from exercises.flood_family import FLOOD, FloodState
from exercises.journal import JOURNAL
from exercises.live import LiveExercise, begin
from exercises.plain_values import to_plain
from exercises.terminal import sit_down
from exercises.terminal.vocabulary import COMMANDS
from sim.events import Event
from sim.orders import Order
from sim.preview import KnownWorld, on_their_way, preview, targets, walk
from sim.public import public_district
from sim.state import canonical_json
from sim.view import view_for
from sim.world import World

Pages = dict[str, bytes]
LOOKED_AT = ("map", "units", "shelters", "quarters", "reports", "orders", "news", "status")
"""Commands that ask for a screen."""
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
        pages[f"{side}: view"] = repr(view).encode()
    return pages


def happened(events: Sequence[Event], sides: Sequence[str]) -> Pages:
    """What some sides are told, in its order."""
    return {f"{side}: events": repr(told(events, side)).encode() for side in sides}


def told(events: Iterable[Event], side: str) -> list[Event]:
    """Events as they reach a side."""
    return [seen for event in events if (seen := event.for_side(side)) is not None]


def answers(at: FloodState, orders: Iterable[Order], side: str) -> Pages:
    """What is said to orders tried and not carried out, by whoever sits at a side; previews too."""
    _, _, seat = side.partition("/")
    view = view_for(at.state, at.world.hour, at.world.turns, at.world.scenario.timer)
    known = KnownWorld.of(at.world.district, view)
    said, shown = [], []
    for order in orders:
        _, events = FLOOD.apply(at, Envelope("team", seat, order.turn, order))
        said.append(repr(told(events, side)))
        shown.append(repr(preview(known, order, seat)))
    if shown and at.state.turn:
        unit = view.units[at.state.turn % len(view.units)].name
        shown.append(repr((targets(known, unit, seat), walk(known, 0), on_their_way(known))))
    return {
        f"{side}: answers": "\n".join(said).encode(),
        f"{side}: previews": "\n".join(shown).encode(),
    }


def screens(at: FloodState, orders: Iterable[Iterable[Order]], lang: str) -> Pages:
    """All that a terminal shows of an exercise taken up again, its orders given as before."""
    world = at.world
    with TemporaryDirectory() as there:
        out = Path(there)
        begin(out / JOURNAL, FLOOD, world, world.seed, {"player": "terminal"})
        with LiveExercise(out / JOURNAL) as live:
            for turn, given in enumerate(orders):
                if turn:
                    live.advance(turn)
                for order in given:
                    live.give(Envelope("team", "", order.turn, order))
        options = ExerciseOptions(player="terminal", lang=lang)
        opened = OpenExercise(Path("pack"), out, world.district, options)
        words = [COMMANDS[key].word(lang) for key in LOOKED_AT if key in COMMANDS]
        typed = "".join(f"{word}\n" for word in words)
        shown = StringIO()
        with redirect_stdout(shown):
            sit_down(opened, StringIO(typed))
    return {"team: screens": shown.getvalue().replace(there, "").encode()}


def logs(at: FloodState, events: Sequence[Event], lang: str, sides: Sequence[str]) -> Pages:
    """Event logs and exported events of a whole game, in the order of their lines."""
    pages = {}
    for side in sides:
        pages[f"{side}: log"] = event_log(at.world, events, lang, side).encode()
        exported = [FLOOD.event_to_plain(at, event) for event in told(events, side)]
        pages[f"{side}: exported"] = json.dumps(exported, sort_keys=True).encode()
    return pages


def ground(world: World) -> Pages:
    """What a player may read of the district before any order (§7.6)."""
    return {"ground": canonical_json(to_plain(public_district(world.district)))}


__all__ = ["Pages", "answers", "ground", "happened", "logs", "players", "screens", "views"]
