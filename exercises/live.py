"""An exercise that is played and journaled: what is acknowledged is on the disk.

And the replay that leads from a journal back to every state.
"""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

from exercises.families import FAMILIES
from exercises.family import INSTRUCTOR, Envelope, Family
from exercises.fault_words import fault_said
from exercises.journal import (
    NO_BODY,
    Entry,
    FoundAgainError,
    Kind,
    OpenJournal,
    Record,
    create_journal,
    open_journal,
)
from exercises.plain_values import UNFIT
from exercises.voice import SOURCE
from sim.errors import ExerciseError, JournalError, OrderError
from sim.refusal import reason_of, refuse
from sim.signs import json_of

log = logging.getLogger(__name__)

AnyFamily = Family[Any, Any, Any]
Families = Mapping[str, AnyFamily]
LATEST = 2**53 - 1
"""Moments that any reader of JSON takes for the same whole number."""


@dataclass(frozen=True)
class Step:
    """What an entry of a journal did.

    Attributes
    ----------
    entry : Entry
    order : Envelope or None
        None for a step of time.
    parts : tuple of (state, events)
        One for an order, one for each moment that a step of time went through.
    """

    entry: Entry
    order: Envelope[Any] | None
    parts: tuple[tuple[Any, tuple[Any, ...]], ...]

    @property
    def state(self) -> Any:
        """State after the entry."""
        return self.parts[-1][0]


def begin(
    path: Path, family: AnyFamily, scenario: Any, seed: str, about: Mapping[str, str]
) -> None:
    """Write the journal of an exercise that has not started.

    Parameters
    ----------
    path : Path
        Must not exist.
    family, scenario, seed
    about : mapping of str to str
        What else the journal's head tells.

    Raises
    ------
    JournalError
        If it cannot be written.
    """
    meta = {
        **family.about(scenario),
        **about,
        "averse": version("averse"),
        "family": family.name,
        "rules_version": family.rules_version,
        "seed": seed,
    }
    create_journal(path, meta, family.scenario_to_plain(scenario))


class LiveExercise:
    """An exercise and its journal, open for writing; close it, or use it in a ``with``.

    Attributes
    ----------
    journal : OpenJournal
    family : Family
    scenario : Scenario
    past : tuple of Step
        What the journal held when it was opened.
    late : list of Step
        Played since, though it was not acknowledged: whoever tells of the exercise takes it out.
    state : State

    Raises
    ------
    JournalError
        If the journal cannot be opened, or does not replay.
    """

    def __init__(self, path: Path, families: Families = FAMILIES) -> None:
        self.journal: OpenJournal = open_journal(path)
        self.late: list[Step] = []
        try:
            record = self.journal.record
            self.family = family_of(record, families)
            self.scenario = scenario_of(record, self.family)
            self.past = tuple(replayed(record, self.family, self.scenario))
        except BaseException:
            self.journal.close()
            raise
        self.start = self.family.start(self.scenario, record.meta["seed"])
        self.state = self.past[-1].state if self.past else self.start

    def give(self, order: Envelope[Any]) -> tuple[Any, ...]:
        """Take an order, or refuse it: its events are returned once it is in the journal.

        Raises
        ------
        OrderError
            If its stamp or its texts are such that no journal can hold them, or if it could not
            be read back: an order is written only where a replay will find it again.
        JournalError
            If it cannot be written: the exercise then stands where it stood.
        """
        _require_writable(order)
        after, events = self.family.apply(self.state, order)
        kind = Kind.ACT if order.side == INSTRUCTOR else Kind.ORDER
        body = self.family.body_to_plain(self.scenario, order.body)
        self.family.body_from_plain(self.scenario, body, order.at, order.reason)
        self._append(
            *(kind, order.side, order.seat, order.at, body, order.reason),
            self.family.state_hash(after),
        )
        self.state = after
        return tuple(events)

    def advance(self, to: int) -> tuple[Any, ...]:
        """Let time pass until a moment: its events are returned once it is in the journal.

        Raises
        ------
        ExerciseError
            If the moment is past, or beyond the end.
        JournalError
            If it cannot be written: the exercise then stands where it stood.
        """
        after, events = self.family.advance(self.state, to)
        state = self.family.state_hash(after)
        self._append(Kind.ADVANCE, "", "", to, None, "", state)
        self.state = after
        return tuple(events)

    def _append(self, *given: Any) -> None:
        try:
            self.journal.append(*given)
        except FoundAgainError as found:
            step = _played(self.journal.path, self.family, self.scenario, self.state, found.entry)
            self.state = step.state
            self.late.append(step)
            raise

    def close(self) -> None:
        """Let go of the journal, and tell where it is kept if it had to be kept elsewhere."""
        self.journal.close()
        if self.journal.left is not None:
            log.warning(fault_said(self.journal.left, self.journal.record.meta.get("lang", SOURCE)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _require_writable(order: Envelope[Any]) -> None:
    if not -LATEST <= order.at <= LATEST:
        raise OrderError(
            refuse("", "an order stamped {at}: give a moment of the exercise", at=str(order.at))
        )
    for name, text in (("side", order.side), ("seat", order.seat), ("reason", order.reason)):
        try:
            text.encode()
        except UnicodeEncodeError:
            raise OrderError(
                refuse(
                    "",
                    "{name} {found} is no text: write it in Unicode",
                    name=str(name),
                    found=f"{text!r:.40}",
                )
            ) from None


def family_of(record: Record, families: Families = FAMILIES) -> AnyFamily:
    """Return the family that a journal's exercise is of.

    Raises
    ------
    JournalError
        If it is not known here, or its rules have changed in a way that matters.
    """
    name, rules = record.meta.get("family", ""), record.meta.get("rules_version", "")
    if name not in families:
        raise JournalError(
            refuse(
                "",
                "{path} is an exercise of the family {name}, this averse plays {families}: "
                "open it with a later averse",
                path=str(record.path),
                name=repr(name),
                families=", ".join(sorted(families)),
            )
        )
    family = families[name]
    if rules not in family.replays:
        raise JournalError(
            refuse(
                "",
                "{path} was played by rules {rules} (averse {meta}), this averse plays "
                "rules {rules_version}, by which states differ: open it with the averse "
                "that wrote it",
                path=str(record.path),
                rules=str(rules),
                meta=str(record.meta.get("averse")),
                rules_version=str(family.rules_version),
            )
        )
    return family


def scenario_of(record: Record, family: AnyFamily) -> Any:
    """Return the scenario that a journal holds.

    Raises
    ------
    JournalError
        If this version reads another one out of it.
    """
    try:
        scenario = family.scenario_from_plain(record.scenario)
        about = family.about(scenario)
    except UNFIT as error:
        raise JournalError(
            refuse(
                "",
                "{path}: this averse cannot read the scenario ({error}): open it with "
                "averse {meta}, which wrote it",
                path=str(record.path),
                error=reason_of(error),
                meta=str(record.meta.get("averse")),
            )
        ) from error
    for name, value in about.items():
        if record.meta.get(name) != value:
            raise JournalError(
                refuse(
                    "",
                    "{path}: this averse reads {name} {value} out of the scenario, the journal "
                    "says {meta}: open it with averse {meta_2}, which wrote it",
                    path=str(record.path),
                    name=str(name),
                    value=f"{value:.12}",
                    meta=f"{record.meta.get(name, 'nothing'):.12}",
                    meta_2=str(record.meta.get("averse")),
                )
            )
    return scenario


def replayed(record: Record, family: AnyFamily, scenario: Any) -> Iterator[Step]:
    """Play the entries of a journal again, each checked against the hash of the state it led to.

    Raises
    ------
    JournalError
        At the first entry that leads elsewhere.
    """
    state = family.start(scenario, record.meta["seed"])
    for entry in record.entries:
        step = _played(record.path, family, scenario, state, entry)
        state = step.state
        yield step


def _played(path: Path, family: AnyFamily, scenario: Any, state: Any, entry: Entry) -> Step:
    """Play an entry on the state before it, and check where it leads."""
    where = f"{path}: entry {entry.number} ({entry.kind} at {entry.at})"
    order = None
    try:
        if entry.kind == Kind.ADVANCE:
            _require_bare(entry)
            parts = _through(family, state, entry.at)
        else:
            order = _order(family, scenario, entry)
            after, events = family.apply(state, order)
            parts = ((after, tuple(events)),)
    except (ExerciseError, OrderError) as error:
        raise JournalError(
            refuse(
                "", "{where} cannot be played: {error}", where=str(where), error=reason_of(error)
            )
        ) from error
    found = family.state_hash(parts[-1][0])
    if found != entry.state_sha256:
        raise JournalError(
            refuse(
                "",
                "{where} leads to state {found}…, the journal says {state_sha256}…: it was "
                "changed by hand, or other rules played it",
                where=str(where),
                found=str(found[:12]),
                state_sha256=str(entry.state_sha256[:12]),
            )
        )
    return Step(entry, order, parts)


def _require_bare(entry: Entry) -> None:
    """Raise ``ExerciseError`` where a step of time holds what none does."""
    found, none = (entry.side, entry.seat, entry.body, entry.reason), ("", "", NO_BODY, "")
    if found != none:
        odd = next(one for one, other in zip(found, none, strict=True) if one != other)
        raise ExerciseError(
            refuse(
                "",
                "a step of time has no side, seat, order or reason, and this one has {found}: it "
                "was changed by hand",
                found=f"{odd!r:.40}",
            )
        )


def _order(family: AnyFamily, scenario: Any, entry: Entry) -> Envelope[Any]:
    try:
        body = family.body_from_plain(scenario, json_of(entry.body), entry.at, entry.reason)
    except UNFIT as error:
        raise ExerciseError(
            refuse("", "its order cannot be read ({error})", error=f"{reason_of(error)!s:.120}")
        ) from error
    return Envelope(entry.side, entry.seat, entry.at, body, entry.reason)


def _through(family: AnyFamily, state: Any, to: int) -> tuple[tuple[Any, tuple[Any, ...]], ...]:
    """Advance moment by moment: the states in between are wanted for maps and reports."""
    parts = []
    while (due := family.next_due(state)) is not None and due < to:
        state, events = family.advance(state, due)
        parts.append((state, tuple(events)))
    state, events = family.advance(state, to)
    return (*parts, (state, tuple(events)))
