"""A numbered unit on the board (§5)."""

from dataclasses import dataclass
from functools import lru_cache

from sim.rules import UnitKind

NEVER = 0
"""Turn of what has not happened; turns are counted from 1."""
NOWHERE = -1
"""No shelter, no hex."""
_KINDS = {kind.value: kind for kind in UnitKind}
DOOR_TO_DOOR = "door_to_door"
DELIVER = "deliver"


@lru_cache(maxsize=1_024)
def kind_of(name: str) -> UnitKind:
    """Return the kind of a unit by its name.

    >>> kind_of("patrol-3")
    <UnitKind.PATROL: 'patrol'>
    """
    return _KINDS[name.rsplit("-", 1)[0]]


@dataclass(frozen=True, slots=True)
class Unit:
    """Where a unit stands, where it goes, what it does there.

    Attributes
    ----------
    name : str
        Kind and number: ``patrol-3``.
    cell : int
        Hex where it ended the last turn.
    to : int
        Hex where it is sent, ``NOWHERE`` when it has arrived.
    task : str
        What it does on arrival: an ``Action``'s value, ``door_to_door``, ``deliver`` or nothing.
    links : tuple of int
        Links that the task is about (§9.2).
    ready : int
        Turn from which the task has its effect, ``NEVER`` before its set-up has begun.
    blocked : bool
        Its way was closed when it last tried.
    loaded : bool
        Whether a boat has supplies aboard (§11).

    """

    name: str
    cell: int
    to: int = NOWHERE
    task: str = ""
    links: tuple[int, ...] = ()
    ready: int = NEVER
    blocked: bool = False
    loaded: bool = True

    @property
    def kind(self) -> UnitKind:
        """Kind of the unit."""
        return kind_of(self.name)

    def at_work(self, turn: int) -> bool:
        """Whether its task has its effect in a turn: it has arrived and is set up (§9.2)."""
        return self.ready != NEVER and self.ready <= turn and self.to == NOWHERE
