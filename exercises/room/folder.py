"""The folder of a room: what it is, who may come in, and an ordinary exercise for each team.

::

    room.json              what was asked for, and the hash that proves the hidden truth
    room.sqlite            the hashes of the tokens; nothing of play (or in a centre's database)
    teams/1-red/           an exercise as ``averse play`` begins it, one a team
    board-fr.json          what the pages draw, once it was asked for
    debrief/, debrief.zip  the debrief pack, once it was asked for

``averse debrief ROOM/teams/*`` debriefs the class.
"""

import hashlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from exercises.chain import ROOM, ExerciseOptions, open_exercise
from exercises.debrief.names import TEAM, file_name, likeness, team_name
from exercises.exercise_folder import (
    EXERCISE,
    PACK_HINT,
    TRUTH,
    begin_exercise,
    is_ground_of,
    pack_hint,
    summary_of,
    way_to_pack,
)
from exercises.flood_family import FLOOD
from exercises.journal import JOURNAL, SAVED, canonical, is_begun, read_journal
from exercises.live import scenario_of
from exercises.room.book import BOOK, create_book
from exercises.scenario_options import MOST_TEAMS as MOST_TEAMS
from exercises.scenario_options import scenario_entry
from exercises.store.pointer import (
    ADDRESS,
    Kept,
    centre_is_asked,
    kept_from,
    pointer_of,
    with_centre,
)
from exercises.weather_entry import WEATHER_ENTRIES
from gis.aside import FolderKind, written_aside
from gis.store import read_district, read_truth
from sim.dice import checked_seed, new_seed
from sim.errors import AverseError, ExerciseError, JournalError
from sim.refusal import Refusal, mark, reason_of, refuse
from sim.severity_words import LANGUAGES
from sim.signs import json_of
from sim.world import World, secret_level

Tell = Callable[[str, float], None]

ROOM_JSON = "room.json"
TEAMS = "teams"
ROOM_VERSION = 1
DEBRIEF = "debrief"
DEBRIEF_ZIP = f"{DEBRIEF}.zip"
KEPT_IN = "kept_in"
"""Entry of ``room.json`` of a room whose journals and book are in a centre's database."""
_KEY = re.compile(r"([1-9][0-9]{0,3})(-[a-z0-9]+)*")
_SAID: Mapping[str, Callable[[Any], bool]] = MappingProxyType(
    {
        "own_seeds": lambda found: isinstance(found, bool),
        "lang": lambda found: isinstance(found, str) and found in LANGUAGES,
        "truth_sha256": lambda found: (
            isinstance(found, str) and re.fullmatch("[0-9a-f]{64}", found) is not None
        ),
    }
)
"""Entries of ``room.json`` without which a room is not opened, and what each must be."""
PROOF = "proof"
"""Name under which the book keeps the text whose hash was shown at turn 0."""


def board_file(lang: str) -> str:
    """Return the name of the file that keeps the board in a language."""
    return f"board-{lang}.json"


ROOM_FOLDER = FolderKind(
    "a room",
    ROOM_JSON,
    "room_version",
    (
        ROOM_JSON,
        TEAMS,
        DEBRIEF,
        DEBRIEF_ZIP,
        *map(board_file, LANGUAGES),
        *(BOOK + end for end in ("", "-wal", "-shm", "-journal")),
    ),
)


@dataclass(frozen=True, slots=True)
class RoomOptions:
    """What an instructor asks of a room.

    Attributes
    ----------
    teams : tuple of str
        Their names, one to eight.
    exercise : ExerciseOptions
        What each of them plays; no player and no orders are in it.
    own_seeds : bool
        Whether each team has dice of its own under the same storm.
    tokens : mapping of str to str
        Prefixes by the hashes of secrets that were handed out already, and open them.

    """

    teams: tuple[str, ...]
    exercise: ExerciseOptions
    own_seeds: bool = False
    tokens: Mapping[str, str] = field(default_factory=dict)


def is_room(folder: Path) -> bool:
    """Whether a folder holds a room."""
    return (folder / ROOM_JSON).is_file()


def create_room(
    pack: Path, out: Path, options: RoomOptions, tell: Tell = lambda stage, share: None
) -> None:
    """Write a room that has not begun: whole, or not at all.

    Raises
    ------
    AverseError
        If the pack, a name or a setting is at fault, or there is a room already.
    """
    if is_room(out):
        raise ExerciseError(
            refuse(
                "",
                "{out} holds a room already: open it by `averse serve {out}`, or give another "
                "--out folder",
                out=str(out),
            )
        )
    names = checked_names(options.teams)
    if centre_is_asked():  # told before the water is computed
        with with_centre():
            from exercises.store.moving import require_database
        require_database()
    asked = options.exercise
    seed = new_seed() if asked.seed is None else checked_seed(asked.seed)
    settled = replace(asked, seed=seed, level=asked.level or secret_level(seed), player=ROOM)
    given = (pack, asked.weather, asked.scenario.injects_file)
    with written_aside(out, ROOM_FOLDER, [path for path in given if path]) as folder:
        for number, name in enumerate(names, start=1):
            own = new_seed() if options.own_seeds and number > 1 else seed
            team = folder / TEAMS / key_of(number, name)
            open_exercise(pack, team, replace(settled, seed=own, team=name), tell)
        first = folder / TEAMS / key_of(1, names[0])
        proof = proof_of(world_of(first), secrets.token_hex(32))
        create_book(folder, {PROOF: proof}, options.tokens)
        said = {
            "room_version": ROOM_VERSION,
            "own_seeds": options.own_seeds,
            "lang": asked.lang,
            "truth_sha256": hashlib.sha256(proof.encode()).hexdigest(),
            **way_to_pack(out, pack),
        }
        write_said(folder, said)
        if centre_is_asked():
            with with_centre():
                from exercises.store.moving import announce
            announce(team_folders(folder), folder)
    if centre_is_asked():
        try:
            finish_moving(out)
        except AverseError as fault:
            if not _may_be_kept(fault):
                shutil.rmtree(out)
            raise


def add_team(folder: Path, name: str, number: int) -> Path:
    """Begin the exercise of a team that comes later, as the first team's was begun.

    Returns
    -------
    Path
        Its folder.

    Raises
    ------
    AverseError
        If the first team's water is gone, or the folder cannot be written.
    """
    first = team_folders(folder)[0]
    world, truth, begun = world_of(first), read_truth(first, TRUTH), summary_of(first)
    if truth is None:
        raise ExerciseError(
            refuse("", "{place} has no water any more: take it from a copy", place=str(first))
        )
    if said_of(folder)["own_seeds"]:
        world = replace(world, seed=new_seed())
    out = folder / TEAMS / key_of(number, name)
    about = {"player": ROOM, "lang": said_of(folder)["lang"], TEAM: name}
    said = {entry: begun[entry] for entry in (*WEATHER_ENTRIES, PACK_HINT) if entry in begun}
    # the first team's may be over by now, and tell the injects
    said["scenario"] = scenario_entry(world.district, world.scenario, over=False)
    begin_exercise(out, world, truth, about, said, ())
    if room_kept(folder) is not None:
        try:
            with with_centre():
                from exercises.store.moving import move_in
            move_in([out])
        except BaseException as fault:
            if not _may_be_kept(fault):
                shutil.rmtree(out)
            raise
    return out


def finish_moving(folder: Path) -> None:
    """Have a room that is to be kept in a database be there, where that was cut short.

    Raises
    ------
    AverseError
        If the database cannot be written, or is another one.
    """
    teams = team_folders(folder)
    journals = [team / JOURNAL for team in teams if (team / JOURNAL).exists()]
    is_left = room_kept(folder) is not None and (folder / BOOK).exists()
    if is_left or any(pointer_of(journal) is not None for journal in journals):
        with with_centre():
            from exercises.store.moving import finish_moving as finish
        finish(teams, folder)


def _may_be_kept(fault: BaseException) -> bool:
    """Whether a database may hold what could not be moved into it: its folder is wanted, then."""
    with with_centre():
        from exercises.store.faults import UnsureError
    return isinstance(fault, UnsureError)


def checked_names(names: Sequence[str]) -> list[str]:
    """Return the names of the teams of a room, as they are shown.

    Raises
    ------
    ExerciseError
        If they are too many, one shows nothing, or two look alike.
    """
    if not 1 <= len(names) <= MOST_TEAMS:
        raise ExerciseError(
            refuse("", "{n} teams: a room has one to {most}", n=len(names), most=MOST_TEAMS)
        )
    shown, before = [team_name(name) for name in names], set[str]()
    for name in shown:
        if likeness(name) in before:
            raise ExerciseError(
                refuse("", "two teams are named {name}: give each its own name", name=name)
            )
        before.add(likeness(name))
    return shown


def key_of(number: int, name: str) -> str:
    """Return a team's key: its folder, and its place in addresses.

    >>> key_of(2, "Équipe <b>"), key_of(3, "אב")
    ('2-equipe-b', '3')
    """
    return "-".join(part for part in (str(number), file_name(name)) if part)


def team_folders(folder: Path) -> tuple[Path, ...]:
    """Folders of the teams of a room, by their numbers.

    Raises
    ------
    ExerciseError
        If there is none, or one has no journal any more.
    """
    _require_journals(folder / TEAMS)
    found = [path for path in _begun_in(folder) if _is_a_teams(path)]
    if not found:
        raise ExerciseError(
            refuse(
                "",
                "{folder} holds no team's exercise any more: take the room from a copy",
                folder=str(folder / TEAMS),
            )
        )
    return tuple(sorted(found, key=lambda path: (_number_in(path.name), path.name)))


def strays_in(folder: Path) -> tuple[str, ...]:
    """Names of the exercises that lie among those of a room's teams, and are no team's of it."""
    return tuple(sorted(path.name for path in _begun_in(folder) if not _is_a_teams(path)))


def _require_journals(teams: Path) -> None:
    """Raise where a team's exercise has lost its journal: it would be passed over in silence."""
    for exercise in sorted(teams.iterdir()) if teams.is_dir() else ():
        of_one = any((exercise / name).is_file() for name in (EXERCISE, f"{TRUTH}.npz"))
        if not (of_one and _number_in(exercise.name)) or is_begun(exercise / JOURNAL):
            continue
        saved = sorted(exercise.glob(SAVED.format(number="*")))
        raise ExerciseError(
            refuse(
                "",
                "{folder} has no {journal} any more: rename {saved} to it, or move the folder out "
                "of the room to go on without this team",
                folder=str(exercise),
                journal=JOURNAL,
                saved=saved[-1].name,
            )
            if saved
            else refuse(
                "",
                "{folder} has no {journal} any more: take it from a copy, or move the folder out "
                "of the room to go on without this team",
                folder=str(exercise),
                journal=JOURNAL,
            )
        )


def _begun_in(folder: Path) -> list[Path]:
    """Exercises that lie among those of a room's teams."""
    try:
        return [
            path  # not what a killed run left beside them, its name not taken yet
            for path in (folder / TEAMS).iterdir()
            if not path.name.startswith(".") and is_begun(path / JOURNAL)
        ]
    except OSError as error:
        raise ExerciseError(
            refuse(
                "",
                "{folder} cannot be read ({why}): take the room from a copy",
                folder=str(folder / TEAMS),
                why=str(error.strerror),
            )
        ) from error


def _is_a_teams(exercise: Path) -> bool:
    """Whether a folder has the name under which its team's exercise was begun.

    What a file manager copied has another. A journal that cannot be believed is a team's: whoever
    opens it says what is wrong.
    """
    number = _number_in(exercise.name)
    if not number:
        return False
    journal = exercise / JOURNAL
    if not journal.exists():
        return True  # kept in a database, which is not asked for a name
    try:
        meta = read_journal(journal).meta
    except JournalError:
        return True
    return TEAM not in meta or key_of(number, meta[TEAM]) == exercise.name


def _number_in(key: str) -> int:
    """Return the number of a team, out of its key; 0 where that is none."""
    found = _KEY.fullmatch(key)
    return int(found[1]) if found else 0


def said_of(folder: Path) -> dict[str, Any]:
    """Return what ``room.json`` says.

    Raises
    ------
    ExerciseError
        If it cannot be read, is of another version, or was changed by hand.
    """
    path = folder / ROOM_JSON
    try:
        said = json_of(path.read_text(encoding="utf-8"))
        version = said["room_version"]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ExerciseError(
            refuse(
                "",
                "{path} cannot be read ({error}): take it from a copy",
                path=str(path),
                error=reason_of(error),
            )
        ) from error
    if version != ROOM_VERSION:
        raise ExerciseError(
            refuse(
                "",
                "{folder} is a room of version {version}, this averse opens version "
                "{room_version}: open it with the averse that wrote it",
                folder=str(folder),
                version=str(version),
                room_version=str(ROOM_VERSION),
            )
        )
    for entry, is_sound in _SAID.items():
        if not is_sound(said.get(entry)):
            raise ExerciseError(
                refuse(
                    "",
                    "{file} was changed by hand, its entry {entry} is missing or at fault: take it "
                    "from a copy",
                    file=str(path),
                    entry=entry,
                )
            )
    return dict(said)


def keep_in_centre(database: str | None, place: Path | None) -> None:
    """See that the database can be written where a new room is to be kept in one.

    Parameters
    ----------
    database : str, optional
        Its address, which is put into this process's environment; what is there counts without.
    place : Path, optional
        Room that is opened, or anything else.

    Raises
    ------
    AverseError
        If it cannot, or the room is there already and is not kept in one.
    """
    is_there = place is not None and is_room(place)
    if database is not None:
        if place is not None and is_there and room_kept(place) is None:
            raise ExerciseError(
                refuse(
                    "",
                    "{place} keeps its journals in its folder: leave --database out",
                    place=str(place),
                )
            )
        os.environ[ADDRESS] = database
    if not is_there and (database is not None or centre_is_asked()):
        with with_centre():
            from exercises.store.moving import require_database
        require_database()


def room_kept(folder: Path) -> Kept | None:
    """Return where the book of a room is kept; None where it is a file in its folder.

    Raises
    ------
    AverseError
        If ``room.json`` cannot be read, or was changed by hand.
    """
    said = said_of(folder)
    return kept_from(folder / ROOM_JSON, said[KEPT_IN]) if KEPT_IN in said else None


def write_said(folder: Path, said: dict[str, Any]) -> None:
    """Write ``room.json``."""
    text = json.dumps(said, indent=1, ensure_ascii=False) + "\n"
    (folder / ROOM_JSON).write_text(text, encoding="utf-8")


def pack_of(folder: Path, given: Path | None = None) -> Path:
    """Return the district pack that a room is played on, checked to be that one.

    Raises
    ------
    AverseError
        If it is not where it was, or another stands there.
    """
    first = team_folders(folder)[0]
    pack = given or pack_hint(first)
    if pack is None:
        raise ExerciseError(
            refuse(
                "",
                "{folder} does not say where its district pack is: give --district",
                folder=str(folder),
            )
        )
    district = read_district(pack)
    record = read_journal(first / JOURNAL)
    if not is_ground_of(district, record):
        raise ExerciseError(
            refuse(
                "",
                "{pack} is not the district that {folder} was begun on ({meta}): give its "
                "pack by --district",
                pack=str(pack),
                folder=str(folder),
                meta=repr(record.meta.get("district")),
            )
        )
    return pack


def world_of(exercise: Path) -> World:
    """Return the hidden world of an exercise, from its journal."""
    record = read_journal(exercise / JOURNAL)
    world: World = replace(scenario_of(record, FLOOD), seed=record.meta["seed"])
    return world


def proof_of(world: World, salt: str) -> str:
    """Return the text whose SHA-256 is shown at turn 0, and which is opened at the end.

    It names the hidden truth: level, water of every turn, dice. The salt keeps the four levels from
    being tried one after the other.
    """
    about = FLOOD.about(world)
    return canonical(
        {
            "depth_sha256": about["depth_sha256"],
            "district_sha256": about["district_sha256"],
            "level": world.level,
            "salt": salt,
            "seed_sha256": hashlib.sha256(world.seed.encode()).hexdigest(),
        }
    )


def proved_by(truth_sha256: str, proof: str | None) -> dict[str, Any]:
    """Return what the text behind the hash of a room's hidden truth says.

    Raises
    ------
    ExerciseError
        If it is not the text of that hash: it is another room's, or was changed by hand.
    """
    if proof is None or hashlib.sha256(proof.encode()).hexdigest() != truth_sha256:
        raise ExerciseError(
            refuse(
                "",
                "{book} and {room} are not of one room, or were changed by hand: take both from "
                "one copy",
                book=BOOK,
                room=ROOM_JSON,
            )
        )
    return dict(json_of(proof))


def differs_in(
    proved: Mapping[str, Any], first: World, world: World, *, own_seeds: bool
) -> Refusal | str:
    """Return what a team's exercise has not in common with its room's; '' where it is the room's.

    Parameters
    ----------
    proved : mapping
        What ``proof_of`` wrote when the room was begun.
    first, world : World
        Of the first team, and of the team.
    own_seeds : bool
        Whether each team has dice of its own.
    """
    about = FLOOD.about(world)
    dice = hashlib.sha256(world.seed.encode()).hexdigest()
    ours, theirs = first.scenario, world.scenario
    for what, same in (
        (mark("district"), about["district_sha256"] == proved.get("district_sha256")),
        (mark("storm"), about["depth_sha256"] == proved.get("depth_sha256")),
        (mark("storm"), world.level == proved.get("level")),
        (mark("seed of the dice"), own_seeds or dice == proved.get("seed_sha256")),
        (mark("length in turns"), first.turns == world.turns),
        (mark("hour"), first.hour == world.hour),
        (mark("day"), ours.weekend == theirs.weekend),
        (mark("gathering"), ours.gathering == theirs.gathering),
    ):
        if not same:
            return Refusal("", what)
    return ""
