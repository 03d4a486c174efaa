"""What a journal proves: every hash, state and score of an exercise computed again."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exercises.exercise_folder import summary_of
from exercises.exports import write_exports
from exercises.families import FAMILIES
from exercises.flood_family import FLOOD
from exercises.journal import JOURNAL, Record, read_journal
from exercises.journaled_play import Turn, played_of, turns_of
from exercises.live import AnyFamily, Families, Step, family_of, replayed, scenario_of
from exercises.session import PlayedExercise
from sim.errors import ExerciseError, JournalError
from sim.refusal import refuse
from sim.state import state_hash


@dataclass(frozen=True)
class Replayed:
    """An exercise rebuilt from its journal.

    Attributes
    ----------
    record : Record
    family : Family
    start : State
    steps : tuple of Step
        Each checked against the hash in the journal.
    state : State
        Where the replay stopped.
    """

    record: Record
    family: AnyFamily
    start: Any
    steps: tuple[Step, ...]
    state: Any

    @property
    def moment(self) -> int:
        """Where the state stands, in the family's time."""
        return self.family.now(self.state)

    @property
    def state_sha256(self) -> str:
        """Hash of the state."""
        return self.family.state_hash(self.state)

    @property
    def is_over(self) -> bool:
        """Whether the exercise was played to its end."""
        return self.family.is_over(self.state)

    @property
    def score(self) -> Any:
        """Score of the state, with all that it rests on."""
        return self.family.score(self.state)

    @property
    def turns(self) -> list[Turn]:
        """Turns of a flood exercise, the one that stands open the last."""
        return turns_of(self.start, self.steps)

    @property
    def played(self) -> PlayedExercise:
        """A flood exercise as exports and maps want it.

        Raises
        ------
        ExerciseError
            If it is not over, or is of another family.
        """
        if self.record.meta["family"] != FLOOD.name or not self.is_over:
            raise ExerciseError(
                refuse(
                    "",
                    "{path} is not played to its end (moment {moment}): its files can be "
                    "written once it is",
                    path=str(self.record.path),
                    moment=str(self.moment),
                )
            )
        return played_of(self.start.world, self.turns)


@dataclass(frozen=True)
class Verified:
    """What was verified."""

    replayed: Replayed
    finished: bool
    files: tuple[str, ...]


def replay_exercise(
    folder: Path, until: int | None = None, families: Families = FAMILIES
) -> Replayed:
    """Rebuild an exercise from its journal alone.

    Parameters
    ----------
    folder : Path
        Of the exercise; nothing in it is changed.
    until : int, optional
        Stop at the opening of that turn, or other moment of the family's time.

    Raises
    ------
    JournalError
        If the journal cannot be believed, leads elsewhere than it says, or ends elsewhere than
        where ``exercise.json`` says that the exercise was finished.
    ExerciseError
        If the exercise never came to that moment.
    """
    record = read_journal(folder / JOURNAL)
    _require_whole(folder, record)
    family = family_of(record, families)
    scenario = scenario_of(record, family)
    start = family.start(scenario, record.meta["seed"])
    steps = tuple(replayed(record, family, scenario))
    state = steps[-1].state if steps else start
    if until is not None:
        state = _state_at(folder, family, start, steps, until)
    return Replayed(record, family, start, steps, state)


def _require_whole(folder: Path, record: Record) -> None:
    """Raise where the journal of a finished exercise is not the one that it was finished with."""
    summary = summary_of(folder)
    if not summary.get("finished"):
        return
    said = summary.get("journal")
    said = said if isinstance(said, dict) else {}
    if said != {"entries": len(record.entries), "sha256": record.last_sha256}:
        raise JournalError(
            refuse(
                "",
                "{folder}: the journal ends at entry {count}, hash {last_sha256}…, where "
                "the exercise was finished at entry {said}, hash {said_2}…: entries are "
                "missing, or another journal was put there",
                folder=str(folder),
                count=str(len(record.entries)),
                last_sha256=str(record.last_sha256[:12]),
                said=str(said.get("entries")),
                said_2=str(str(said.get("sha256"))[:12]),
            )
        )


def _state_at(
    folder: Path, family: AnyFamily, start: Any, steps: tuple[Step, ...], until: int
) -> Any:
    states = [start, *(state for step in steps for state, _ in step.parts)]
    for state in states:
        if family.now(state) == until:
            return state
    raise ExerciseError(
        refuse(
            "",
            "{folder} never stood at turn {until}: give one from {now} to {now_2}",
            folder=str(folder),
            until=str(until),
            now=str(family.now(start)),
            now_2=str(family.now(states[-1])),
        )
    )


def verify_exercise(folder: Path, families: Families = FAMILIES) -> Verified:
    """Compute every hash, state and score of an exercise again, and compare its files.

    Raises
    ------
    JournalError
        At the first thing that differs.
    """
    again = replay_exercise(folder, families=families)
    summary = summary_of(folder)
    if not summary.get("finished"):
        return Verified(again, finished=False, files=())
    _compare_summary(folder, again, summary)
    with tempfile.TemporaryDirectory(prefix="averse-") as aside:
        written = write_exports(Path(aside), again.played)
        for path in written:
            _compare_file(folder / path.name, path)
    return Verified(again, finished=True, files=tuple(path.name for path in written))


def _compare_summary(folder: Path, again: Replayed, summary: dict[str, Any]) -> None:
    states = [state_hash(turn.state) for turn in again.turns]
    said = summary.get("state_sha256")
    said = said if isinstance(said, list) else []
    for turn, (found, kept) in enumerate(zip(states, said, strict=False)):
        if found != kept:
            raise JournalError(
                refuse(
                    "",
                    "{folder}: the state of turn {turn} is {found}…, exercise.json says "
                    "{kept}…: exercise.json was changed by hand",
                    folder=str(folder),
                    turn=str(turn),
                    found=str(found[:12]),
                    kept=str(str(kept)[:12]),
                )
            )
    if len(states) != len(said):
        raise JournalError(
            refuse(
                "",
                "{folder}: exercise.json was changed by hand: states are missing in it",
                folder=str(folder),
            )
        )


def _compare_file(kept: Path, again: Path) -> None:
    try:
        text = kept.read_bytes()
    except OSError as error:
        raise JournalError(
            refuse(
                "",
                "{kept} cannot be read ({why}): replay writes it again",
                kept=str(kept),
                why=str(error.strerror),
            )
        ) from None
    if text == again.read_bytes():
        return
    lines, expected = text.splitlines(), again.read_bytes().splitlines()
    first = next(
        (i for i, (a, b) in enumerate(zip(lines, expected, strict=False), start=1) if a != b),
        min(len(lines), len(expected)) + 1,
    )
    raise JournalError(
        refuse(
            "",
            "{kept}, line {first}: not what the journal leads to; it was changed "
            "since, and replay writes it again",
            kept=str(kept),
            first=str(first),
        )
    )
