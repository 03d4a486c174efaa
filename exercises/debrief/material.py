"""What a debrief is made of: the journals of a class and the district pack, nothing else (§17).

One exercise is one team. Several are teams on the same storm: the same district, the same water of
every turn, the same people in it. They may differ in the seed of the dice and in what an instructor
may give one team and not the other; that is said (``Material.differences``).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from exercises.debrief.crew import ALONE, Crew
from exercises.debrief.names import TEAM, file_name, shown_name, told_apart
from exercises.exercise_folder import pack_hint
from exercises.flood_family import FLOOD
from exercises.journaled_play import played_so_far
from exercises.session import PlayedExercise
from exercises.verification import Replayed, replay_exercise
from exercises.voice import SOURCE
from gis.store import read_district, read_ground
from sim.district import District, Ground
from sim.errors import AverseError, DebriefError
from sim.refusal import mark, refuse
from sim.world import World

READING = "reading the journals"
Tell = Callable[[str, float], None]
_SHOWN = 12
"""Digits of a hash in a sentence."""


@dataclass(frozen=True)
class Team:
    """A team and what it played.

    Attributes
    ----------
    number : int
        From 1, in the order in which the exercises were given.
    name : str
        As it is shown, on one line and unlike any other team's; it may hold any sign but control
        characters, so escape it.
    folder : Path
        Of the exercise; only its journal was read.
    replayed : Replayed
        The journal, and every step checked against it.
    played : PlayedExercise
        What was played, ended early or not: ``played.turns`` turns, which may be fewer than
        ``played.world.turns``.

    """

    number: int
    name: str
    folder: Path
    replayed: Replayed
    played: PlayedExercise

    @property
    def world(self) -> World:
        """The hidden world that the team played in."""
        return self.played.world

    @property
    def ended_early(self) -> bool:
        """Whether the instructor ended the exercise before its last turn (§18)."""
        return self.played.turns < self.world.turns

    @property
    def key(self) -> str:
        """Name of the team's files and folders, safe on any system: ``1-blue``."""
        return "-".join(part for part in (str(self.number), file_name(self.name)) if part)


@dataclass(frozen=True)
class Material:
    """All that a debrief may be made of.

    Attributes
    ----------
    pack : Path
        Folder of the district pack; ``gis.store`` and ``gis.basemap`` read it.
    district : District
        The one that was played on, as the journals hold it.
    teams : tuple of Team
        In the order given, at least one.
    differences : tuple of str
        What is not the same for every team: ``"seed"``, ``"turns_played"``, or a field of
        ``sim.scenario.Scenario``.

    """

    pack: Path
    district: District
    teams: tuple[Team, ...]
    differences: tuple[str, ...] = ()

    @cached_property
    def ground(self) -> Ground:
        """Pixels of the ground, read from the pack when first wanted; needs the GIS stack."""
        return read_ground(self.pack)

    @property
    def lang(self) -> str:
        """Language that the first team played in."""
        return self.teams[0].replayed.record.meta.get("lang", SOURCE)

    def folder_of(self, team: Team, folder: Path) -> Path:
        """Return where the files of one team go, made if it is not there.

        A debrief of one team has no folder for it: its files lie in ``folder`` itself.
        """
        if len(self.teams) == 1:
            return folder
        own = folder / team.key
        own.mkdir(exist_ok=True)
        return own


def read_material(
    exercises: Sequence[Path],
    pack: Path | None = None,
    tell: Tell = lambda stage, share: None,
    crew: Crew = ALONE,
) -> Material:
    """Read the journals of a class and find the district pack that they were played on.

    Parameters
    ----------
    exercises : sequence of Path
        Folders of exercises, one a team.
    pack : Path, optional
        Of the district; else where the exercise was begun says where it was.
    tell : callable
        Told the stage and the share of it that is done.
    crew : Crew
        Who replays the journals.

    Raises
    ------
    DebriefError
        If an exercise is there twice, the exercises are not of one storm, nothing was played, or
        the pack is not found or is another.
    AverseError
        If a journal or the pack cannot be believed (``verification.replay_exercise``).
    """
    if not exercises:
        raise DebriefError(
            refuse("", "no exercise to debrief: give the folder of one, or of several teams")
        )
    folders = [_place(path) for path in exercises]
    for here, folder in enumerate(folders):
        if folder in folders[:here]:
            raise DebriefError(
                refuse(
                    "",
                    "{exercises} is given twice: give each exercise once",
                    exercises=str(exercises[here]),
                )
            )
    replays = crew.each(replay_exercise, exercises, partial(tell, READING))
    _require_no_copies(exercises, replays)
    worlds = [_world_of(path, replayed) for path, replayed in zip(exercises, replays, strict=True)]
    _require_one_storm(exercises, worlds)
    found = _pack_of(exercises, worlds[0].district, pack)
    names = [
        shown_name(replayed.record.meta.get(TEAM) or path.resolve().name) or "–"
        for path, replayed in zip(exercises, replays, strict=True)
    ]
    teams = tuple(
        Team(number, name, path, replayed, _played_of(path, world, replayed))
        for number, (name, path, world, replayed) in enumerate(
            zip(told_apart(names), exercises, _shared(worlds), replays, strict=True), start=1
        )
    )
    return Material(found, worlds[0].district, teams, _differences(teams))


def _place(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:  # before Python 3.13 a loop of links is the latter
        raise DebriefError(
            refuse("", "{path} is a loop of links: give the exercise's own folder", path=str(path))
        ) from error


def _require_no_copies(exercises: Sequence[Path], replays: Sequence[Replayed]) -> None:
    """Raise where two folders hold one journal: its last hash is that of all in it (its chain)."""
    found: dict[str, Path] = {}
    for path, replayed in zip(exercises, replays, strict=True):
        first = found.setdefault(replayed.record.last_sha256, path)
        if first is not path:
            raise DebriefError(
                refuse(
                    "",
                    "{path} is given twice: it holds the same journal as {first}, entry for "
                    "entry; give each exercise once",
                    path=str(path),
                    first=str(first),
                )
            )


# --------------------------------------------------------------------------- one storm
def _world_of(path: Path, replayed: Replayed) -> World:
    family = replayed.record.meta["family"]
    if family != FLOOD.name:
        raise DebriefError(
            refuse(
                "",
                "{path} is an exercise of the family {family}: a debrief is made of floods",
                path=str(path),
                family=repr(family),
            )
        )
    world: World = replayed.start.world
    return world


def _require_one_storm(exercises: Sequence[Path], worlds: Sequence[World]) -> None:
    """Raise where two exercises are not the same situation under the same water."""
    first = worlds[0]
    for path, world in zip(exercises[1:], worlds[1:], strict=True):
        for what, ours, theirs in (
            (mark("district"), _sign(first.district), _sign(world.district)),
            (mark("length in turns"), first.turns, world.turns),
            (mark("hour"), first.hour, world.hour),
            (mark("day"), _day(first), _day(world)),
            (mark("gathering"), first.scenario.gathering, world.scenario.gathering),
        ):
            if ours != theirs:
                raise DebriefError(
                    refuse(
                        "",
                        "{path} and {exercises} are not one exercise: the {what} differs "
                        "({theirs} against {ours}); debrief them apart",
                        path=str(path),
                        exercises=str(exercises[0]),
                        what=what,
                        theirs=str(theirs),
                        ours=str(ours),
                    )
                )
        if first.depth_mm.tobytes() != world.depth_mm.tobytes():
            raise DebriefError(
                refuse(
                    "",
                    "{path} and {exercises} are not one exercise: the storm differs, its water "
                    "is not the same; debrief them apart",
                    path=str(path),
                    exercises=str(exercises[0]),
                )
            )


def _sign(district: District) -> str:
    return f"{district.name} {district.digest[:_SHOWN]}…"


def _day(world: World) -> str:
    return "weekend" if world.scenario.weekend else "weekday"


def _shared(worlds: Sequence[World]) -> list[World]:
    """Worlds of which those that are equal are one, so that what they cache is found once."""
    kept: list[World] = []
    for world in worlds:
        same = (one for one in kept if (one.seed, one.scenario) == (world.seed, world.scenario))
        kept.append(next(same, world))
    return kept


def _differences(teams: Sequence[Team]) -> tuple[str, ...]:
    first = teams[0]
    differing = []
    if any(team.world.seed != first.world.seed for team in teams):
        differing.append("seed")
    if any(team.played.turns != first.played.turns for team in teams):
        differing.append("turns_played")
    names = type(first.world.scenario).__dataclass_fields__
    differing += [
        name
        for name in names
        if any(
            getattr(team.world.scenario, name) != getattr(first.world.scenario, name)
            for team in teams
        )
    ]
    return tuple(differing)


def _played_of(path: Path, world: World, replayed: Replayed) -> PlayedExercise:
    turns = replayed.turns
    if len(turns) < 3:
        raise DebriefError(
            refuse(
                "",
                "{path} stands at turn {turn}, and nothing happened yet: go on with it by "
                "`averse play --resume` until a turn at least was played",
                path=str(path),
                turn=str(turns[-1].state.turn),
            )
        )
    return played_so_far(world, turns)


# --------------------------------------------------------------------------- the pack
def _pack_of(exercises: Sequence[Path], district: District, given: Path | None) -> Path:
    """Return the folder of the district pack, the one given or one that an exercise names."""
    if given is not None:
        _require_same_ground(given, district)
        return given
    hints = [hint for path in exercises if (hint := pack_hint(path)) is not None]
    for hint in hints:
        try:
            _require_same_ground(hint, district)
        except AverseError:
            continue
        return hint
    looked = refuse("", " (it is not at {place})", place=str(hints[0])) if hints else ""
    raise DebriefError(
        refuse(
            "",
            "the district pack {name} that {exercises} was played on is not "
            "found{looked}: give its folder by --district",
            name=repr(district.name),
            exercises=str(exercises[0]),
            looked=looked,
        )
    )


def _require_same_ground(pack: Path, district: District) -> None:
    """Raise where a pack is not the ground that was played on; its ladder may be another since."""
    found = read_district(pack)
    again = replace(found, ladder=district.ladder, hyetograph=district.hyetograph)
    if again.digest != district.digest:
        raise DebriefError(
            refuse(
                "",
                "{pack} is the district {name} ({digest}…), the exercise was played on "
                "{name_2} ({digest_2}…): give its pack by --district",
                pack=str(pack),
                name=repr(found.name),
                digest=str(found.digest[:_SHOWN]),
                name_2=repr(district.name),
                digest_2=str(district.digest[:_SHOWN]),
            )
        )


__all__ = ["Material", "Team", "read_material"]
