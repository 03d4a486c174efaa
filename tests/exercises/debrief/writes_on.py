"""A piece of a debrief pack that goes on writing; light, for every process of a crew loads it."""

import time

LONG_S = 60
"""Longer than a crew takes to end; not for ever, so that a test of one that does not end fails."""


class WritesOn:
    """A piece of the pack that writes for long; or one that fails once such a one has begun."""

    def __init__(self, fails: bool) -> None:
        self.fails = fails

    def writer(self, material, figures, folder, lang):
        begun = folder / "maps" / "begun"
        end = time.monotonic() + LONG_S
        while time.monotonic() < end and not (self.fails and begun.exists()):
            if self.fails:
                time.sleep(0.01)
                continue
            begun.parent.mkdir(parents=True, exist_ok=True)
            begun.write_text("half")
            time.sleep(0.005)  # the others need the processor to end it
        raise OSError(28, "No space left on device")
