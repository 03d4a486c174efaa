"""The folder of an exercise: begun with its journal and water, finished with its exports.

``exercise.json`` says which of the two it is; it is written last, so that what was cut short while
it was being finished is finished again.
"""

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from exercises.exports import EVENTS, ORDERS, SCORES_CSV, SCORES_JSON, write_exports
from exercises.flood_family import FLOOD
from exercises.journal import COMPANIONS, JOURNAL, Record, is_begun, read_journal
from exercises.live import begin, scenario_of
from exercises.session import PlayedExercise
from exercises.store.pointer import POINTER
from gis.aside import FolderKind, written_aside
from gis.store import MAP, write_truth
from sim.district import District
from sim.errors import ExerciseError
from sim.refusal import refuse
from sim.rules import RULES_VERSION
from sim.signs import json_of, mended
from sim.water import Truth
from sim.world import World

EXERCISE = "exercise.json"
TRUTH = "truth"
PACK_HINT = "district_pack"
"""Entry of ``exercise.json``: way from the exercise's folder to the pack it is played on."""
EXERCISE_FOLDER = FolderKind(
    "an exercise",
    EXERCISE,
    "state_sha256",
    (
        *(EXERCISE, MAP, f"{TRUTH}.npz", SCORES_JSON, SCORES_CSV, EVENTS, ORDERS),
        *(POINTER, *(JOURNAL + end for end in ("", *COMPANIONS))),
    ),
)


def refuse_to_replace(out: Path) -> None:
    """Keep an exercise that has a journal: a class has played it.

    Raises
    ------
    ExerciseError
        If there is one.
    """
    if not is_begun(out / JOURNAL):
        return
    if is_finished(out):
        raise ExerciseError(
            refuse("", "{out} holds a finished exercise; give another --out folder", out=str(out))
        )
    raise ExerciseError(
        refuse(
            "",
            "{out} holds an exercise that is not finished; go on with it by --resume, or give "
            "another --out folder",
            out=str(out),
        )
    )


def is_finished(folder: Path) -> bool:
    """Whether the exercise of a folder was played to its end and its files written."""
    return bool(summary_of(folder).get("finished"))


def summary_of(folder: Path) -> dict[str, Any]:
    """Return what ``exercise.json`` says; nothing where it cannot be read."""
    try:
        summary = mended(json_of((folder / EXERCISE).read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):  # of what mends, which goes less deep
        return {}
    return summary if isinstance(summary, dict) else {}


def way_to_pack(out: Path, pack: Path) -> dict[str, str]:
    """Return the entry of ``exercise.json`` that says where the district pack is, or none.

    It is relative, so that the two may be moved together.
    """
    try:
        way = Path(os.path.relpath(pack.resolve(), out.resolve())).as_posix()
        way.encode()
    except ValueError:  # on another drive, or a name that is no text
        return {}
    return {PACK_HINT: way}


def pack_hint(folder: Path) -> Path | None:
    """Return where the district pack of an exercise was when it began; None where nothing says."""
    way = summary_of(folder).get(PACK_HINT)
    if not isinstance(way, str) or not way or "\0" in way:
        return None
    return Path(os.path.normpath(folder.resolve() / way))


def begin_exercise(
    out: Path,
    world: World,
    truth: Truth,
    about: Mapping[str, str],
    said: Mapping[str, Any],
    inputs: Iterable[Path],
) -> None:
    """Write the folder of an exercise that has not started: its journal and its water.

    Parameters
    ----------
    out : Path
    world, truth
    about : mapping of str to str
        What else the journal's head tells.
    said : mapping
        What ``exercise.json`` says of the weather and of the scenario.
    inputs : iterable of Path
        None may lie in ``out``.

    Raises
    ------
    AverseError
        If it cannot be written; nothing is, then.
    """
    with written_aside(out, EXERCISE_FOLDER, inputs) as folder:
        begin(folder / JOURNAL, FLOOD, world, world.seed, about)
        write_truth(folder, TRUTH, truth)
        summary = {
            "rules_version": RULES_VERSION,
            "district": world.district.name,
            "district_sha256": world.district.digest,
            "hour": world.hour,
            "turns": world.turns,
            **said,
            "finished": False,
            "state_sha256": [],
        }
        write_summary(folder, summary)


def is_ground_of(district: District, record: Record) -> bool:
    """Whether an exercise was begun on a district, rain of the exercise's own left aside (§7.7)."""
    begun_on = record.meta.get("district_sha256")
    if begun_on == district.digest:
        return True
    if record.meta["family"] != FLOOD.name:
        return False
    ladder = scenario_of(record, FLOOD).district.ladder
    own_rain = len({severity.rain_years for severity in ladder}) == 1
    return own_rain and replace(district, ladder=ladder).digest == begun_on


def resumable(out: Path, district: District) -> Record:
    """Return the journal of an exercise that can go on.

    Raises
    ------
    ExerciseError
        If it is finished, or was begun on another district.
    JournalError
        If there is none, or it cannot be believed.
    """
    record = read_journal(out / JOURNAL)
    if is_finished(out):
        raise ExerciseError(
            refuse(
                "", "{out} holds a finished exercise: there is nothing to go on with", out=str(out)
            )
        )
    begun_on = record.meta.get("district_sha256", "")
    if not is_ground_of(district, record):
        raise ExerciseError(
            refuse(
                "",
                "{out} was begun on district {meta} ({begun_on}…), the pack given is "
                "{name} ({digest}…): give the pack it was begun on",
                out=str(out),
                meta=repr(record.meta.get("district")),
                begun_on=str(begun_on[:12]),
                name=repr(district.name),
                digest=str(district.digest[:12]),
            )
        )
    return record


def finish_exercise(out: Path, write: Callable[[Path], None], summary: dict[str, Any]) -> None:
    """Add the files of a finished exercise, each whole, ``exercise.json`` the last.

    Parameters
    ----------
    out : Path
    write : callable
        Writes the files into a folder that it is given.
    summary : dict
        What ``exercise.json`` says.
    """
    prefix = f".{out.name}-{os.getpid()}-"  # swept like any other that a killed run left
    with tempfile.TemporaryDirectory(prefix=prefix, dir=out.resolve().parent) as aside:
        write(Path(aside))
        write_summary(Path(aside), {**summary, "finished": True})
        names = sorted(path.name for path in Path(aside).iterdir())
        for name in sorted(names, key=EXERCISE.__eq__):
            (Path(aside) / name).replace(out / name)


def write_summary(folder: Path, summary: Mapping[str, Any]) -> None:
    """Write ``exercise.json``."""
    text = json.dumps(summary, indent=1, ensure_ascii=False) + "\n"
    (folder / EXERCISE).write_text(text, encoding="utf-8")


REPLAYED = FolderKind(
    "a replayed exercise",
    SCORES_JSON,
    "state_sha256",
    (SCORES_JSON, SCORES_CSV, EVENTS, ORDERS),
)


def write_replayed(out: Path, played: PlayedExercise, exercise: Path) -> None:
    """Write the exports of an exercise into a folder of their own."""
    with written_aside(out, REPLAYED, [exercise]) as folder:
        write_exports(folder, played)
