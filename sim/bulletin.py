"""The bulletin: a range of storm levels that tightens (§6.2)."""

from sim.dice import below
from sim.events import BulletinIssued, Event
from sim.orders import Order
from sim.rules import BULLETIN, LEVELS
from sim.state import State, changed
from sim.world import World

Step = tuple[State, tuple[Event, ...]]


def levels_open(turn: int) -> int:
    """How many neighbouring levels the bulletin of a turn leaves open (§6.2)."""
    return next(row.levels_open for row in reversed(BULLETIN) if turn >= row.from_turn)


def narrowed(open_now: tuple[int, ...], width: int, truth: int, seed: str) -> tuple[int, ...]:
    """Return neighbouring levels among those open that hold the truth, drawn from the seed (§6.2).

    Examples
    --------
    >>> narrowed((1, 2, 3, 5), 1, 3, "00" * 16)
    (3,)

    """
    if width >= len(open_now):
        return open_now
    here = open_now.index(truth)
    first, last = max(0, here - width + 1), min(here, len(open_now) - width)
    start = first + below(last - first + 1, seed, "bulletin", width)
    return open_now[start : start + width]


def issue_bulletin(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Issue the bulletin of the turn: inside the one before, around the truth (§6.2, 18 step 4)."""
    before = state.bulletin or LEVELS
    levels = narrowed(before, levels_open(state.turn), world.level, world.seed)
    if levels == state.bulletin:
        return state, ()
    return changed(state, bulletin=levels), (BulletinIssued(turn=state.turn, levels=levels),)
