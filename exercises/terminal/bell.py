"""The timer of a turn in real time (§14): it rings while somebody types.

The exercise itself has no clock: at zero the desk resolves the turn, as if the word had been typed,
and the journal holds that. A replay needs no bell.
"""

import signal
import threading
import time
from collections.abc import Callable
from types import FrameType

Clock = Callable[[], float]
"""Seconds that only grow."""


class TimeUpError(Exception):
    """The time of the turn is up."""


class Bell:
    """Rings once the time of a turn is up; without a time it never does."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._rings_at: float | None = None

    def wind(self, seconds: int) -> None:
        """Set the time of a turn that opens now; 0 is none."""
        self._rings_at = self._clock() + seconds if seconds else None

    @property
    def left_s(self) -> float | None:
        """Seconds left, never below 0; None where the bell is not wound."""
        return None if self._rings_at is None else max(0.0, self._rings_at - self._clock())

    def ask(self, read: Callable[[], str]) -> str:
        """Return what is read in time.

        A line that is not finished when the bell rings is not given. Where the system cannot
        interrupt somebody who types, the bell rings as soon as a line is finished too late.

        Raises
        ------
        TimeUpError
        """
        left = self.left_s
        if left is None:
            return read()
        if left <= 0:
            raise TimeUpError
        line = _interrupted(read, left) if _can_interrupt() else read()
        if self.left_s == 0:
            raise TimeUpError
        return line


def _can_interrupt() -> bool:
    main = threading.current_thread() is threading.main_thread()
    return main and hasattr(signal, "setitimer")


def _interrupted(read: Callable[[], str], seconds: float) -> str:
    """Read until an alarm goes off."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeUpError

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            return read()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)
