"""The timer of a turn (§14)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """The timer of a turn (§14): how long it may take, what is left, whether it stands still."""

    seconds: int
    left: float
    held: bool


@dataclass
class Timer:
    """Seconds of a turn, counted on a clock that nobody sets back."""

    seconds: int = 0
    until: float = 0.0
    held_left: float | None = None

    def wind(self, seconds: int, now: float, *, held: bool) -> None:
        """Begin a turn of some seconds; 0 is no timer."""
        self.seconds = seconds
        self.until = now + seconds
        self.held_left = float(seconds) if held else None

    def hold(self, now: float, *, held: bool) -> None:
        """Stop it, or let it go on."""
        if held and self.held_left is None:
            self.held_left = max(0.0, self.until - now)
        elif not held and self.held_left is not None:
            self.until, self.held_left = now + self.held_left, None

    def left(self, now: float) -> float:
        """Return the seconds left."""
        return max(0.0, self.until - now) if self.held_left is None else self.held_left

    def is_up(self, now: float) -> bool:
        """Return whether the turn has taken its time."""
        return self.seconds > 0 and self.held_left is None and now >= self.until
