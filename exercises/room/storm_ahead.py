"""The storm of a room that is being prepared, shown to its instructor before there is a room.

What is chosen is computed as the room would compute it, and nothing of the room is written: its
water stays in the district pack and the boards go on into the room, so that neither is made twice.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from exercises.chain import ExerciseOptions, world_asked
from exercises.fault_words import fault_said
from exercises.flood_family import FLOOD, FloodState
from exercises.room.boards import keep_board, take_boards
from exercises.room.observer import storm_told
from gis.store import read_district
from sim.dice import new_seed
from sim.errors import AverseError, ExerciseError
from sim.refusal import refuse
from sim.severity_words import LANGUAGES

Plain = dict[str, Any]
NONE, COMPUTING, READY, FAILED = "none", "computing", "ready", "failed"
MAPS = "maps"
"""Stage after those of the water: the boards are drawn."""


class LetGoError(ExerciseError):
    """Nobody waits for it any more."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """How far the storm is, and the storm once it is there."""

    state: str = NONE
    stage: str = ""
    share: float = 0.0
    fault: Exception | None = None
    start: FloodState | None = None


class StormAhead:
    """The storm of what is chosen: one at a time, the last that was asked for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._folder = TemporaryDirectory(prefix="averse-storm-")
        self._now = Ahead()
        self._asked = 0

    def begin(self, pack: Path, options: ExerciseOptions) -> str:
        """Compute the storm of an exercise, beside whoever asks.

        Returns
        -------
        str
            Its seed, drawn where none was chosen.
        """
        settled = replace(options, seed=options.seed or new_seed())
        with self._lock:
            self._asked += 1
            self._now = Ahead(COMPUTING)
            arguments = (self._asked, pack, settled)
        threading.Thread(target=self._compute, args=arguments, daemon=True).start()
        return str(settled.seed)

    def _compute(self, number: int, pack: Path, options: ExerciseOptions) -> None:
        def told(stage: str, share: float) -> None:
            self._put(number, Ahead(COMPUTING, stage, share))

        try:
            world, *_ = world_asked(pack, read_district(pack), options, told)
            start = FLOOD.start(world, world.seed)
            for lang in LANGUAGES:
                self._board(pack, lang, lambda share: told(MAPS, share))
            self._put(number, Ahead(READY, start=start))
        except LetGoError:
            return
        except (AverseError, OSError) as fault:
            try:
                self._put(number, Ahead(FAILED, fault=fault))
            except LetGoError:
                return

    def _board(self, pack: Path, lang: str, told: Callable[[float], None]) -> Plain:
        return keep_board(Path(self._folder.name), pack, lang, told)

    def _put(self, number: int, now: Ahead) -> None:
        with self._lock:
            if number != self._asked:
                raise LetGoError("another storm is wanted, or none")
            self._now = now

    def told(self, lang: str) -> Plain:
        """Return how far it is."""
        with self._lock:
            now = self._now
        said = "" if now.fault is None else fault_said(now.fault, lang)
        return {"state": now.state, "stage": now.stage, "share": now.share, "said": said}

    def storm(self, lang: str) -> Plain:
        """Return the storm, as a room shows it to its instructor.

        Raises
        ------
        ExerciseError
            If it is not there.
        """
        start = self._ready()
        return storm_told(start.world, start.state, lang)

    def board(self, pack: Path, lang: str) -> Plain:
        """Return the board that the storm is drawn on.

        Raises
        ------
        ExerciseError
            If the storm is not there.
        """
        self._ready()
        return self._board(pack, lang, lambda share: None)

    def _ready(self) -> FloodState:
        with self._lock:
            start = self._now.start
        if start is None:
            raise ExerciseError(
                refuse("", "the storm is not computed: ask for it in the preparation, then wait")
            )
        return start

    def let_go(self) -> None:
        """Stop what is computed, and forget what was."""
        with self._lock:
            self._asked += 1
            self._now = Ahead()

    def give_boards(self, room: Path) -> None:
        """Let a room that was written have the boards that were drawn already."""
        take_boards(Path(self._folder.name), room)

    def close(self) -> None:
        """End; nothing is left of it."""
        self.let_go()
        self._folder.cleanup()
