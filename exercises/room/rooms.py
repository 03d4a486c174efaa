"""A room in play: the live exercises of its teams, one lock, who listens, the turn's timer.

Whatever a method acknowledges is in the team's journal by then. No page and no HTTP is known here.
"""

import logging
import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import RLock
from types import MappingProxyType
from typing import Any, TypeVar

from exercises.act_forms import act_from
from exercises.debrief.names import TEAM as TEAM_NAME
from exercises.debrief.names import likeness, shown_name, team_name
from exercises.family import INSTRUCTOR, Envelope
from exercises.flood_family import FloodState
from exercises.journal import JOURNAL, AwayJournalError, FoundAgainError, Kind
from exercises.live import LiveExercise, Step
from exercises.room.book import open_book
from exercises.room.desks import ORDER_EVENTS, Desk, Hears, Moment, side_of
from exercises.room.folder import (
    MOST_TEAMS,
    PROOF,
    TEAMS,
    add_team,
    differs_in,
    finish_moving,
    proved_by,
    room_kept,
    said_of,
    strays_in,
    team_folders,
)
from exercises.room.timers import TimeLeft
from exercises.voice import voice
from sim.district import District
from sim.errors import AverseError, ExerciseError, JournalError
from sim.events import Event, OrderRefused
from sim.orders import Order
from sim.preview import KnownWorld, Preview, preview, targets
from sim.public import public_district
from sim.refusal import Refusal, reason_of, refuse
from sim.rules import TIMERS
from sim.seats import PUBLIC, TEAM
from sim.view import view_for
from sim.world import World

log = logging.getLogger(__name__)

Clock = Callable[[], float]
T = TypeVar("T")
Turns = Mapping[str, int]
"""The turn that each team stood at when an instructor decided something, by key."""
NOWHERE: Turns = MappingProxyType({})


class GoneOnError(ExerciseError):
    """A team stands at another turn than the one that something was decided at."""


@dataclass(frozen=True, slots=True)
class Given:
    """What became of an order.

    Attributes
    ----------
    refusal : Refusal, optional
    number : int
        Its number in the turn, from 1; a refused one has one too.
    seq : int
        Of the side that gave it.

    """

    refusal: Refusal | None
    number: int
    seq: int


class Room:
    """The exercises of a room's teams, open for writing; close it, or use it in a ``with``.

    Attributes
    ----------
    folder : Path
    lang : str
    truth_sha256 : str
        Hash of the text that is opened at the end.
    book : OpenBook

    Raises
    ------
    AverseError
        If a journal cannot be opened or does not replay: nothing stays open then.
    """

    def __init__(self, folder: Path, clock: Clock = time.monotonic) -> None:
        # the process may be asked from elsewhere, later
        self.folder = folder = folder.resolve()
        said = said_of(folder)
        finish_moving(folder)
        self.lang = str(said["lang"])
        self.truth_sha256 = str(said["truth_sha256"])
        self._clock = clock
        self._lock = RLock()
        self._held = False
        self._desks: dict[str, Desk] = {}
        self._worlds: list[World] = []
        self._districts: dict[str, District] = {}
        self._hears: dict[str, list[Hears]] = {INSTRUCTOR: [], PUBLIC: []}
        self._changes = self._public_told = 0
        self._all_over = False
        self.book = open_book(folder, room_kept(folder))
        try:
            proved = proved_by(self.truth_sha256, self.book.value(PROOF))
            for path in team_folders(folder):
                self._require_same(self._open(path), proved, own_seeds=bool(said["own_seeds"]))
        except BaseException:
            self.close()
            raise
        self._all_over = all(desk.is_over for desk in self._desks.values())
        for desk in self._desks.values():
            desk.live.journal.hurry()  # waited for without the lock
        for desk in self._desks.values():
            self._show(desk)
        self._public_told = self._public_seq()
        if strays := strays_in(folder):
            log.warning(
                voice(self.lang).phrase(
                    "no exercise of this room, and left aside: {names}", names=", ".join(strays)
                )
            )

    # ------------------------------------------------------------------------- opening
    def _open(self, path: Path) -> Desk:
        live = LiveExercise(path / JOURNAL)
        try:
            past = live.past
            live.past = ()  # its states have worlds of their own
            world = self._shared(live.start.world)
            live.start = FloodState(world, live.start.state)
            live.state = FloodState(world, live.state.state)
            name = shown_name(live.journal.record.meta.get(TEAM_NAME) or path.name) or path.name
            desk = Desk(path.name, name, live, self._districts[world.district.digest])
            desk.opened.append(live.start)
            for step in past:
                self._replayed(desk, world, step)
        except BaseException:
            live.close()
            raise
        self._desks[desk.key] = desk
        # whoever comes back after a break wants to sit down first
        self._wind(desk, held=desk.turn > 0)
        return desk

    def _require_same(self, desk: Desk, proved: Mapping[str, Any], *, own_seeds: bool) -> None:
        """Raise where a team's journal is of another exercise than this room's."""
        ours, theirs = next(iter(self._desks.values())).state.world, desk.state.world
        differs = differs_in(proved, ours, theirs, own_seeds=own_seeds)
        if differs:
            raise ExerciseError(
                refuse(
                    "",
                    "{journal} is of another exercise than this room, the {what} differs: take the "
                    "journal of {team} from a copy of this room",
                    journal=str(desk.live.journal.path),
                    what=differs,
                    team=desk.name,
                )
            )

    def _replayed(self, desk: Desk, world: World, step: Step) -> None:
        parts = [(FloodState(world, state.state), events) for state, events in step.parts]
        desk.note(step.entry.kind, step.entry.seat, parts)

    def _shared(self, world: World) -> World:
        """Return a world of which there is one, so that what it caches is found once."""
        for one in self._worlds:
            if (
                (one.seed, one.scenario, one.level, one.hour, one.turns)
                == (world.seed, world.scenario, world.level, world.hour, world.turns)
                and one.district.digest == world.district.digest
                and one.depth_mm.tobytes() == world.depth_mm.tobytes()
            ):
                return one
        if world.district.digest not in self._districts:
            self._districts[world.district.digest] = public_district(world.district)
        self._worlds.append(world)
        return world

    def add_team(self, name: str) -> str:
        """Let another team begin, at the forecast; return its key.

        Raises
        ------
        ExerciseError
            If the room is full, the name is taken, or shows nothing.
        """
        with self._lock:
            shown = team_name(name)
            if len(self._desks) >= MOST_TEAMS:
                full = refuse("", "the room has {most} teams: open another one", most=MOST_TEAMS)
                raise ExerciseError(full)
            if any(likeness(desk.name) == likeness(shown) for desk in self._desks.values()):
                raise ExerciseError(
                    refuse("", "a team is called '{name}' already: give another name", name=shown)
                )
            if self._all_over:
                raise ExerciseError(refuse("", "the storm was unveiled: open another room"))
            self._require_there()
            # of all on the disk: what became of one may not be known yet
            there = [path.name for path in team_folders(self.folder)]
            number = 1 + max(int(key.partition("-")[0]) for key in there)
            desk = self._open(add_team(self.folder, shown, number))
            self._show(desk)
            self._tell_room()
            return desk.key

    # ------------------------------------------------------------------------- looking
    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the teams, by their numbers."""
        return tuple(self._desks)

    @property
    def world(self) -> World:
        """The hidden world of the first team; the others differ in their dice at most."""
        return self._worlds[0]

    @property
    def is_held(self) -> bool:
        """Whether the timers stand still."""
        return self._held

    def desk(self, key: str) -> Desk:
        """Return a team.

        Raises
        ------
        ExerciseError
            If there is none of that key.
        """
        try:
            return self._desks[key]
        except KeyError:
            raise ExerciseError(
                refuse(
                    "",
                    "no team {key}: the teams are {keys}",
                    key=f"{key!r:.60}",
                    keys=", ".join(self._desks),
                )
            ) from None

    def moment(self, key: str) -> Moment:
        """Return where a team's exercise stands, as whoever listens was told last.

        Nobody who looks waits for the turn of another team to be resolved.
        """
        desk = self.desk(key)
        return replace(desk.shown, timer=self._time_left(desk))

    def _seq(self, desk: Desk) -> dict[str, int]:
        """Return by side how often what it sees has changed: the score is shown at the end."""
        return {side: number + self._all_over for side, number in desk.seq.items()}

    def _public_seq(self) -> int:
        return sum(self._seq(desk)[PUBLIC] for desk in self._desks.values())

    def pulse(self, key: str, side: str) -> tuple[int, TimeLeft | None]:
        """Return the number of changes that a side was told of last, and its timer."""
        desk = self.desk(key)
        return desk.shown.seq[side], self._time_left(desk)

    def public_pulse(self) -> tuple[int, TimeLeft | None]:
        """Return the same for the public screen: the changes of all teams, the first timer."""
        left = (self._time_left(desk) for desk in list(self._desks.values()))
        return self._public_told, next((one for one in left if one is not None), None)

    def events(self, key: str, side: str, since: int = 0) -> tuple[Event, ...]:
        """Return what a side saw happen since the start, but for the first so many events."""
        return tuple(self.desk(key).events[side][since:])

    def given(self, key: str, turn: int) -> tuple[tuple[Event, str], ...]:
        """Return what became of each order of a turn, and the seat that gave it."""
        with self._lock:
            desk = self.desk(key)
            told = [
                event
                for event in desk.events[INSTRUCTOR]
                if event.turn == turn and isinstance(event, ORDER_EVENTS)
            ]
            return tuple(zip(told, desk.seats.get(turn, ()), strict=True))

    def standing(self, least_steps: int) -> dict[str, str]:
        """Return the hash of the last entry of each journal with so many steps of time, by key."""
        with self._lock:
            return {
                key: desk.live.journal.last_sha256
                for key, desk in self._desks.items()
                if len(desk.opened) > least_steps
            }

    def turns_played(self, hashes: Collection[str]) -> dict[str, int]:
        """Return the turns resolved when a journal last had an entry of such a hash, by team."""
        found: dict[str, int] = {}
        with self._lock:
            for desk in self._desks.values():
                turn = 0
                for entry in desk.live.journal.read().entries:
                    turn = entry.at - 1 if entry.kind is Kind.ADVANCE else turn
                    if entry.sha256 in hashes:
                        found[desk.name] = turn
        return found

    def known(self, key: str) -> KnownWorld:
        """Return what a team may reckon with (§6.3)."""
        moment = self.moment(key)
        world = moment.world
        view = view_for(moment.state.state, world.hour, world.turns, world.scenario.timer)
        return KnownWorld(self.desk(key).district, view)

    def preview(self, key: str, seat: str, order: Order) -> Preview:
        """Return what an order would do, as far as the team knows; nothing is journaled."""
        side_of(seat)
        return preview(self.known(key), order, seat)

    def targets(self, key: str, seat: str, unit: str) -> dict[str, tuple[int, ...]]:
        """Return what a unit may be ordered, and where, as far as the team knows."""
        side_of(seat)
        return targets(self.known(key), unit, seat)

    @property
    def proof(self) -> str | None:
        """The text behind ``truth_sha256``; None until the exercises of all teams are over."""
        with self._lock:
            return self.book.value(PROOF) if self._all_over else None

    # ------------------------------------------------------------------------- playing
    def give(self, key: str, seat: str, order: Order) -> Given:
        """Take an order or refuse it; it is in the journal once this returns.

        Raises
        ------
        AverseError
            If there is no such team or seat, or the journal cannot be written.
        """
        side = side_of(seat)

        def work() -> Given:
            desk = self.desk(key)
            self._require_there()
            with self._noting_late(desk):
                happened = desk.live.give(Envelope(TEAM, seat, order.turn, order, order.reason))
            desk.note(Kind.ORDER, seat, [(desk.state, happened)])
            refusal = next((one.refusal for one in happened if isinstance(one, OrderRefused)), None)
            number = len(desk.seats[desk.turn])
            given = Given(refusal, number, desk.seq[side] + self._all_over)
            self._tell(desk)
            self._tell_room()
            return given

        return self._patiently(work)

    def _patiently(self, work: Callable[[], T]) -> T:
        """Do something under the lock; what journals are kept in is waited for without it.

        While one waits, whoever asks where a team stands is told.
        """
        try:
            with self._lock:
                return work()
        except AwayJournalError as away:
            if not away.comes_back():
                raise
        with self._lock:
            return work()

    def advance(self, key: str | None = None, turns: Turns = NOWHERE) -> None:
        """Resolve the turn of a team and open its next; of all teams that are not over by None.

        Parameters
        ----------
        key : str, optional
        turns : mapping of str to int
            Where the teams stood when this was decided: a second click, or a second console, does
            not skip a turn. What is left out is taken as it is.

        Raises
        ------
        GoneOnError
            If a team stands elsewhere: none is advanced, then.
        AverseError
            If the team's exercise is over, or a journal cannot be written: which team went on, and
            which did not, is told.
        """

        def work() -> None:
            meant = self._meant(key, turns)
            with self._telling_how_far(meant):
                for desk in meant:
                    self._advance(desk)

        self._patiently(work)

    def _advance(self, desk: Desk) -> None:
        with self._noting_late(desk):
            happened = desk.live.advance(desk.turn + 1)
        desk.note(Kind.ADVANCE, "", [(desk.state, happened)])
        self._wind(desk, held=self._held)
        self._tell(desk)

    def play_card(
        self, key: str | None, card: str, target: str, note: str, turns: Turns = NOWHERE
    ) -> None:
        """Have a card fall as the next turn opens: for a team, or for all that still play (§13.2).

        Parameters
        ----------
        key : str, optional
        card, target : str
            As a list of injects writes them; a target left empty is drawn.
        note : str
            Kept for the debrief.
        turns : mapping of str to int
            As for ``advance``.

        Raises
        ------
        AverseError
            If it cannot fall somewhere, or a team has gone on: it does nowhere, then.
        """
        self._act(key, {"act": "play_card", "card": card, "target": target}, note, turns)

    def message(self, key: str | None, text: str) -> None:
        """Tell something to a team, or to all that still play.

        Raises
        ------
        AverseError
            If it says nothing or is too long.
        """
        self._act(key, {"act": "message", "text": text}, "")

    def end(self, key: str | None, reason: str = "", turns: Turns = NOWHERE) -> None:
        """End the exercise of a team where it stands, or of all that still play (§18).

        Parameters
        ----------
        key : str, optional
        reason : str
        turns : mapping of str to int
            As for ``advance``.

        Raises
        ------
        AverseError
            If no turn was played yet somewhere, or a team has gone on: none is ended, then.
        """
        self._act(key, {"act": "end_exercise"}, reason, turns)

    def _act(
        self, key: str | None, entry: dict[str, str], reason: str, turns: Turns = NOWHERE
    ) -> None:
        def work() -> None:
            meant = self._meant(key, turns)
            acts = []
            for desk in meant:
                act = act_from(desk.state.world.district, entry, desk.turn, reason)
                acts.append(Envelope(INSTRUCTOR, "", desk.turn, act, reason))
                desk.live.family.apply(desk.state, acts[-1])  # refused before any is taken
            with self._telling_how_far(meant):
                for desk, given in zip(meant, acts, strict=True):
                    with self._noting_late(desk):
                        happened = desk.live.give(given)
                    desk.note(Kind.ACT, "", [(desk.state, happened)])
                    if desk.is_over:
                        self._wind(desk, held=False)
                    self._tell(desk)

        self._patiently(work)

    def _meant(self, key: str | None, turns: Turns) -> list[Desk]:
        if key is not None:
            desk = self.desk(key)
            if desk.is_over:
                raise ExerciseError(
                    refuse(
                        "18",
                        "the exercise of {team} is over: nothing can change it",
                        team=desk.name,
                    )
                )
            meant = [desk]
        else:
            meant = [desk for desk in self._desks.values() if not desk.is_over]
        if not meant:
            raise ExerciseError(
                refuse("18", "the exercises of all teams are over: begin another room")
            )
        for one in turns:
            self.desk(one)
        for desk in meant:
            if turns.get(desk.key, desk.turn) != desk.turn:
                raise GoneOnError(
                    refuse(
                        "18",
                        "{team} stands at turn {turn}, no longer at turn {seen}: look again, then "
                        "decide",
                        team=desk.name,
                        turn=desk.turn,
                        seen=turns[desk.key],
                    )
                )
        return meant

    def _require_there(self) -> None:
        """Raise where the room's folder is away: what is written to it would be lost, or refused.

        An open file is still written after its folder was renamed; what lies beside it is not.
        """
        for path in (self.folder, *(self.folder / TEAMS / key for key in self._desks)):
            if not os.access(path, os.W_OK):
                raise JournalError(
                    refuse(
                        "",
                        "{folder} was moved, renamed or made read-only while its room is open: "
                        "put it back, then go on (nothing was changed)",
                        folder=str(path),
                    )
                )

    @contextmanager
    def _telling_how_far(self, meant: Sequence[Desk]) -> Iterator[None]:
        """Do for several teams what may fail at any of them; say for which it was done, then."""
        self._require_there()
        for desk in meant:
            desk.live.journal.require_there()
        before = [desk.live.journal.entries for desk in meant]
        try:
            yield
        except AverseError as fault:
            done: list[str] = []
            left: list[str] = []
            for desk, entries in zip(meant, before, strict=True):
                (left if desk.live.journal.entries == entries else done).append(desk.name)
            if not (done and left):
                raise
            raise JournalError(
                refuse(
                    "",
                    "done for {done}, not for {left} ({why}): once that is mended, do it for "
                    "{left} alone",
                    done=", ".join(done),
                    left=", ".join(left),
                    why=reason_of(fault),
                )
            ) from fault
        finally:
            self._settle()

    @contextmanager
    def _noting_late(self, desk: Desk) -> Iterator[None]:
        """Show what was taken though it could not be acknowledged: the database was away then."""
        try:
            yield
        except FoundAgainError:
            while desk.live.late:
                step = desk.live.late.pop(0)
                self._replayed(desk, desk.state.world, step)
                if step.entry.kind is Kind.ADVANCE or desk.is_over:
                    self._wind(desk, held=self._held and not desk.is_over)
            self._tell(desk)
            self._settle()
            raise

    def _settle(self) -> None:
        """Unveil once the last team is over: nobody can act on it any more."""
        if not self._all_over and all(desk.is_over for desk in self._desks.values()):
            self._all_over = True
            for desk in self._desks.values():
                self._tell(desk)
        self._tell_room()

    # ------------------------------------------------------------------------- the timer
    def hold(self, held: bool) -> None:
        """Let the timers stand still, or run on."""
        with self._lock:
            self._held = held
            for desk in self._desks.values():
                desk.timer.hold(self._clock(), held=held)
                self._tell(desk)
            self._tell_room()

    def tick(self) -> None:
        """Resolve the turns whose time is up, with the orders given (§14)."""

        def work() -> None:
            up = [
                desk
                for desk in self._desks.values()
                if desk.timer.is_up(self._clock()) and not desk.is_over
            ]
            if up:
                with self._telling_how_far(up):
                    for desk in up:
                        self._advance(desk)

        self._patiently(work)

    def _wind(self, desk: Desk, *, held: bool) -> None:
        world = desk.state.world
        timed = 1 <= desk.turn <= world.turns and not desk.is_over
        seconds = TIMERS[world.scenario.timer].seconds if timed else 0
        desk.timer.wind(seconds, self._clock(), held=held)
        self._held = held if held and seconds else self._held

    def _time_left(self, desk: Desk) -> TimeLeft | None:
        timer = desk.timer
        if not timer.seconds:
            return None
        return TimeLeft(timer.seconds, timer.left(self._clock()), timer.held_left is not None)

    # ------------------------------------------------------------------------- who listens
    def listen(self, side: str, hears: Hears, key: str = "") -> Callable[[], None]:
        """Have a side of a team told of changes, or the instructor, or the public screen.

        Returns
        -------
        callable
            Ends it.
        """
        with self._lock:
            own = self.desk(key).hears if key else self._hears
            kept = own.setdefault(side, [])
            kept.append(hears)

        def end() -> None:
            with self._lock:
                if hears in kept:
                    kept.remove(hears)

        return end

    def sit(self, key: str, seat: str) -> Callable[[], None]:
        """Note that a screen is open at a seat, until what is returned is called."""
        with self._lock:
            desk = self.desk(key)
            desk.present[seat] = desk.present.get(seat, 0) + 1
            desk.left.pop(seat, None)
            self._tell_room()

        def leave() -> None:
            with self._lock:
                desk.present[seat] -= 1
                if not desk.present[seat]:
                    del desk.present[seat]
                    desk.left[seat] = self._clock()
                self._tell_room()

        return leave

    def absent(self, key: str) -> dict[str, int]:
        """Return for how many seconds nobody has sat where somebody did, by seat."""
        with self._lock:
            now = self._clock()
            return {seat: int(now - at) for seat, at in self.desk(key).left.items()}

    @property
    def changes(self) -> int:
        """How often what the instructor sees has changed since the room was opened."""
        return self._changes

    def _show(self, desk: Desk) -> None:
        """Let a team's pages see where its exercise stands."""
        seats = tuple(desk.seats.get(desk.turn, ()))
        desk.shown = Moment(
            *(desk.key, desk.name, desk.state, self._seq(desk), seats),
            *(tuple(desk.messages), None, desk.is_over, self._all_over),
        )

    def _tell(self, desk: Desk) -> None:
        self._show(desk)
        for hears in [one for kept in desk.hears.values() for one in kept]:
            hears()

    def _tell_room(self) -> None:
        self._changes += 1
        self._public_told = self._public_seq()
        for hears in [one for kept in self._hears.values() for one in kept]:
            hears()

    # ------------------------------------------------------------------------- closing
    def close(self) -> None:
        """Let go of all journals."""
        with self._lock:
            for desk in self._desks.values():
                desk.live.close()
            self.book.close()

    def __enter__(self) -> "Room":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
