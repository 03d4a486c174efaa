"""What an exercise is prepared from: a scenario, a TOML file or the form of a room's instructor.

Every fault is told at once, each with its place: ``scenario.toml, line 7, injects[2].card: …``.
Lists are counted from 1 for readers, from 0 in a place.
"""

import difflib
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    PlainValidator,
    Tag,
    ValidationError,
)
from pydantic_core import PydanticCustomError

from exercises.chain import ExerciseOptions
from exercises.debrief.names import shown_name, team_name
from exercises.injects_file import injects_from, read_rows
from exercises.order_forms import FaultyOrderError
from exercises.order_words import refused
from exercises.scenario_options import (
    MOST_TEAMS,
    MOST_TURNS,
    ScenarioOptions,
    gathering_cell,
    gathering_people,
)
from exercises.toml_lines import Place, lines_of
from exercises.voice import SOURCE, Voice, mark, voice
from gis.provenance import require_file
from gis.store import read_district, read_ground
from sim.dice import checked_seed
from sim.district import District
from sim.errors import AverseError, ExerciseError
from sim.refusal import Refusal
from sim.rules import CREDIBILITY_MOST, CREDIBILITY_START, HOURS, LEVELS, TURNS, Timer
from sim.severity_words import LANGUAGES

MOST_INJECTS = 500
SECRET = "secret"
"""Level of a storm that is drawn from the seed."""
_LARGEST_BYTES = 1_000_000
_MOST_FAULTS = 200
"""Told; a file with more of them is no scenario."""
_ROWS, _FILE = "rows of a list", "a file of rows"
"""Tags of the two ways to give injects: no key of a file."""


def _one_of(values: Sequence[Any]) -> AfterValidator:
    def check(value: Any) -> Any:
        if value not in values:
            raise PydanticCustomError("one_of", "one of", {"values": [str(v) for v in values]})
        return value

    return AfterValidator(check)


def _level(value: Any) -> Any:
    if value == SECRET or (value in LEVELS and type(value) is int):
        return value
    raise PydanticCustomError("level", "a level")


class _Table(BaseModel):
    """A table of the file: every key known, every value of its own kind."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class GatheringTable(_Table):
    """A scheduled event: where, and how many people (§8.4)."""

    hex: str
    people: int


class InjectTable(_Table):
    """A card that falls by itself: at which turn, on what; the instructor's note (§13.2)."""

    turn: Annotated[int, Field(ge=1, le=MOST_TURNS)]
    card: str
    target: str = ""
    note: Annotated[str, Field(max_length=500)] = ""


class ScenarioFile(_Table):
    """All that an instructor chooses; what is left out is as a new form has it.

    Attributes
    ----------
    teams : list of str
        One to eight names; one team without.
    level : int or str
        Of the storm; "secret" has it drawn from the seed.
    seed : str, optional
        Of the dice; drawn where it is left out.
    own_seeds : bool
        Whether each team has dice of its own under the same storm.
    weather : str, optional
        A weather file, beside this one.
    injects : list of InjectTable, or str
        Or a CSV or XLSX, beside this one.

    """

    teams: Annotated[list[str], Field(max_length=MOST_TEAMS)] = []
    lang: Annotated[str, _one_of(LANGUAGES)] = SOURCE
    hour: Annotated[int, _one_of(sorted(HOURS))] = 14
    turns: Annotated[int, Field(ge=1, le=MOST_TURNS)] = TURNS
    weekend: bool = False
    gathering: GatheringTable | None = None
    half_staff: bool = False
    credibility: Annotated[int, Field(ge=0, le=CREDIBILITY_MOST)] = CREDIBILITY_START
    timer: Annotated[str, _one_of([timer.value for timer in Timer])] = Timer.OFF.value
    cards: bool = True
    level: Annotated[int | Literal["secret"], PlainValidator(_level)] = "secret"
    seed: str | None = None
    own_seeds: bool = False
    weather: str | None = None
    injects: Annotated[
        Annotated[list[InjectTable], Field(max_length=MOST_INJECTS), Tag(_ROWS)]
        | Annotated[str, Tag(_FILE)],
        Discriminator(lambda value: _FILE if isinstance(value, str) else _ROWS),
    ] = []


KEYS = tuple(ScenarioFile.model_fields)


def exercise_of(scenario: ScenarioFile) -> ExerciseOptions:
    """Return what each team plays; its files have whole paths, as ``read_scenario`` gives them."""
    at, level, injects = scenario.gathering, scenario.level, scenario.injects
    rows = (
        ()
        if isinstance(injects, str)
        else tuple(
            (
                number,
                {"turn": str(row.turn), "card": row.card, "target": row.target, "note": row.note},
            )
            for number, row in enumerate(injects, start=1)
        )
    )
    situation = ScenarioOptions(
        weekend=scenario.weekend,
        half_staff=scenario.half_staff,
        cards=scenario.cards,
        gathering=None if at is None else f"{at.hex}:{at.people}",
        credibility=scenario.credibility,
        injects=Path(injects) if isinstance(injects, str) else rows or None,
        timer=Timer(scenario.timer),
    )
    return ExerciseOptions(
        weather=None if scenario.weather is None else Path(scenario.weather),
        scenario=situation,
        seed=scenario.seed,
        level=None if isinstance(level, str) else level,
        hour=scenario.hour,
        turns=scenario.turns,
        lang=scenario.lang,
    )


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong at a place; ``said`` is a sentence in the reader's language."""

    place: Place
    said: str


class SaidError(ExerciseError):
    """A fault that is told in its reader's language already."""


class ScenarioFaultsError(SaidError):
    """All that is wrong with a scenario, a line each."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = tuple(lines)


# --------------------------------------------------------------------------- reading a file
def read_scenario(
    path: Path,
    pack: Path | None = None,
    *,
    over: Mapping[str, Any] | None = None,
    lang: str | None = None,
) -> ScenarioFile:
    """Read and check a scenario file.

    Parameters
    ----------
    path : Path
        TOML; the files that it names lie beside it.
    pack : Path, optional
        District pack on which it is to be played; without one, what needs it is let be.
    over : mapping, optional
        Values that take the place of the file's.
    lang : {"fr", "en"}, optional
        Of the faults; the file's own when left out.

    Returns
    -------
    ScenarioFile
        The files that it names with whole paths.

    Raises
    ------
    ScenarioFaultsError
        With every fault and its line.
    AverseError
        If the file or the pack cannot be read.
    """
    district = None if pack is None else read_district(pack)
    require_file("scenario", path, ExerciseError)
    try:
        if path.stat().st_size > _LARGEST_BYTES:
            raise ExerciseError(f"{path.name} is larger than a scenario: give the file meant")
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        raise ExerciseError(f"{path} cannot be read ({fault}): save it as UTF-8 text") from fault
    data = parsed(text, path.name, lang or SOURCE)
    told = lang or _lang_in(data)
    scenario, faults = check_scenario(
        {**data, **(over or {})}, told, district=district, pack=pack, folder=path.parent
    )
    if scenario is None:
        typed = [fault for fault in faults if fault.place[:1] and fault.place[0] in (over or {})]
        read = [fault for fault in faults if fault not in typed]
        raise ScenarioFaultsError(
            placed_faults(read, path.name, text, told) + faults_of_options(typed)
        )
    return scenario


def scenario_of_options(given: Mapping[str, Any], pack: Path) -> ScenarioFile:
    """Check what was given on the command line, by the keys of a scenario.

    Raises
    ------
    ScenarioFaultsError
        With every fault and its option.
    AverseError
        If the pack cannot be read.
    """
    district, lang = read_district(pack), _lang_in(given)
    scenario, faults = check_scenario(given, lang, district=district, pack=pack, folder=Path())
    if scenario is None:
        raise ScenarioFaultsError(faults_of_options(faults))
    return scenario


def faults_of_options(faults: Sequence[Fault]) -> list[str]:
    """Return faults of what was given on the command line, each with its option."""
    return [f"{_option(fault.place)}: {fault.said}" for fault in faults]


def placed_faults(faults: Sequence[Fault], name: str, text: str, lang: str) -> list[str]:
    """Return faults of a file, each with its line.

    Parameters
    ----------
    faults : sequence of Fault
    name : str
        Of the file.
    text : str
        What it holds.
    lang : {"fr", "en"}
    """
    if not faults:
        return []
    lines = lines_of(text)
    found = [(_line_of(fault.place, lines), fault) for fault in faults]
    found.sort(key=lambda pair: pair[0])
    return [_placed(name, fault, line, lang) for line, fault in found]


def parsed(text: str, name: str, lang: str) -> dict[str, Any]:
    """Return what a TOML text holds.

    Raises
    ------
    ExerciseError
        If it is no TOML; where, is told.
    """
    say = voice(lang)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        why = str(fault)
    except RecursionError:
        why = say.phrase("lists within lists without end")
    except ValueError:  # Python reads no whole number of thousands of digits
        why = say.phrase("a number of thousands of digits")
    raise SaidError(
        say.phrase(
            "{name} is not TOML ({why}): texts go in quotes, lists in brackets", name=name, why=why
        )
    )


def _lang_in(data: Mapping[str, Any]) -> str:
    lang = data.get("lang")
    return lang if isinstance(lang, str) and lang in LANGUAGES else SOURCE


def _line_of(place: Place, lines: Mapping[Place, int]) -> int:
    """Return the line of a place; for a value that is missing, that of its table; 0 for none."""
    while place and place not in lines:
        place = place[:-1]
    return lines[place] if place else 0


def _placed(name: str, fault: Fault, line: int, lang: str) -> str:
    """Return a fault with its place."""
    say, where = voice(lang), written_place(fault.place)
    if not line:
        return say.phrase("{file}, {where}: {said}", file=name, where=where, said=fault.said)
    return say.phrase(
        "{file}, line {line}, {where}: {said}", file=name, line=line, where=where, said=fault.said
    )


def _option(place: Place) -> str:
    """Return the option of the command line that stands for a key of the file."""
    name = "own_dice" if place[0] == "own_seeds" else str(place[0])
    return "--" + name.replace("_", "-")


def written_place(place: Place) -> str:
    """Return a place as a reader finds it.

    >>> written_place(("injects", 1, "card"))
    'injects[2].card'
    """
    return "".join(
        f"[{part + 1}]" if isinstance(part, int) else f".{part:.40}" for part in place
    ).removeprefix(".")


# --------------------------------------------------------------------------- checking
def check_scenario(
    data: Mapping[str, Any],
    lang: str,
    *,
    district: District | None = None,
    pack: Path | None = None,
    folder: Path | None = None,
) -> tuple[ScenarioFile | None, tuple[Fault, ...]]:
    """Check all of a scenario.

    Parameters
    ----------
    data : mapping
        As TOML or JSON gives it.
    lang : {"fr", "en"}
        Of the faults.
    district : District, optional
        Without one, what needs it is let be.
    pack : Path, optional
        Of that district: weather is laid on it.
    folder : Path, optional
        Where files that it names are; without one, it may name none.

    Returns
    -------
    ScenarioFile or None
        None where there are faults.
    tuple of Fault
        In the order of the form.
    """
    say = voice(lang)
    read, faults = _of_its_kind(data, say)
    faults += _names(read, say)
    faults += _seed(read, say)
    faults += _situation(data, district, say)
    read, more = _files(read, district, pack, folder, say)
    faults += more
    if not isinstance(read.get("injects"), str):
        faults += _injects(data, read, district, say)
    if faults:
        order = {key: number for number, key in enumerate(KEYS)}
        faults.sort(key=lambda fault: (order.get(str(fault.place[0]), 99), _row_of(fault.place)))
        return None, tuple(faults[:_MOST_FAULTS])
    return ScenarioFile.model_validate(read), ()


def _row_of(place: Place) -> int:
    return place[1] if len(place) > 1 and isinstance(place[1], int) else -1


def _of_its_kind(data: Mapping[str, Any], say: Voice) -> tuple[dict[str, Any], list[Fault]]:
    """Return what of the data is of its kind, and what is not."""
    try:
        ScenarioFile.model_validate(dict(data))
        return dict(data), []
    except ValidationError as told:
        errors = told.errors(include_url=False)
    faults, wrong = [], set()
    for error in errors:
        place: Place = tuple(part for part in error["loc"] if part not in {_ROWS, _FILE})
        faults.append(Fault(place, _said(error, place, say)))
        wrong.add(place[0])
    return {key: value for key, value in data.items() if key not in wrong}, faults


_KINDS: Mapping[str, str] = {
    "int_type": mark("{found} is no whole number"),
    "bool_type": mark("{found} is neither true nor false"),
    "string_type": mark("{found} is no text: write it in quotes"),
    "list_type": mark("{found} is no list: write it in brackets"),
    "model_type": mark("{found} is no table: write it in braces"),
    "model_attributes_type": mark("{found} is no table: write it in braces"),
}


def _said(error: Any, place: Place, say: Voice) -> str:
    """Return one fault of pydantic's as a sentence."""
    kind, about = error["type"], error.get("ctx", {})
    found = _shown(error.get("input"))
    if error.get("input") == "" and kind == "int_type":
        return say.phrase("it is missing")
    if kind in _KINDS:
        sentence = _KINDS[kind]
        return say.phrase(sentence, found=found)
    match kind:
        case "missing":
            return say.phrase("it is missing")
        case "extra_forbidden":
            return _unknown(place, say)
        case "one_of":
            choice = say.either(about["values"])
            return say.phrase("{found} is none of them: give {choice}", found=found, choice=choice)
        case "level":
            choice = say.either([*map(str, LEVELS), f'"{SECRET}"'])
            return say.phrase("{found} is none of them: give {choice}", found=found, choice=choice)
        case "greater_than_equal":
            return say.phrase("{found} is too few: give {n} at least", found=found, n=about["ge"])
        case "less_than_equal":
            return say.phrase("{found} is too many: give {n} at most", found=found, n=about["le"])
        case "too_long":
            return say.phrase(
                "{count} are too many: give {n} at most",
                count=about["actual_length"], n=about["max_length"],
            )  # fmt: skip
        case "string_too_long":
            return say.phrase("it is too long: give {n} signs at most", n=about["max_length"])
    return say.phrase("{found} cannot be used here", found=found)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else text[:39] + "…"


def _unknown(place: Place, say: Voice) -> str:
    """Return what to write in place of a key that nobody knows."""
    inside = str(place[0]) if len(place) > 1 else ""
    tables: dict[str, type[_Table]] = {"gathering": GatheringTable, "injects": InjectTable}
    table = tables.get(inside, ScenarioFile)
    known = list(table.model_fields)
    near = difflib.get_close_matches(str(place[-1]).lower().replace("-", "_"), known, 1, 0.6)
    if near:
        return say.phrase("no such key: did you mean {key}?", key=near[0])
    return say.phrase("no such key; there are {keys}", keys=", ".join(known))


def _names(read: Mapping[str, Any], say: Voice) -> list[Fault]:
    faults = []
    for number, name in enumerate(read.get("teams", ())):
        try:
            team_name(name)
        except ExerciseError:
            why = (
                say.phrase("the name is too long")
                if shown_name(name)
                else say.phrase("the name shows nothing: give letters or figures")
            )
            faults.append(Fault(("teams", number), why))
    return faults


def _seed(read: Mapping[str, Any], say: Voice) -> list[Fault]:
    if read.get("seed") is None:
        return []
    try:
        checked_seed(read["seed"])
    except ExerciseError:
        why = say.phrase(
            "a seed is 32 to 128 hexadecimal digits (0-9, a-f); leave it out to have one drawn"
        )
        return [Fault(("seed",), why)]
    return []


def _situation(data: Mapping[str, Any], district: District | None, say: Voice) -> list[Fault]:
    asked = data.get("gathering")
    if not isinstance(asked, Mapping) or district is None:
        return []
    checks: tuple[tuple[str, type, Callable[..., Any]], ...] = (
        ("hex", str, gathering_cell),
        ("people", int, gathering_people),
    )
    faults = []
    for key, kind, check in checks:
        if type(asked.get(key)) is not kind:
            continue  # that is told already
        try:
            check(district, asked[key])
        except FaultyOrderError as fault:
            faults.append(Fault(("gathering", key), _told(fault.refusal, say)))
    return faults


def _told(refusal: Refusal, say: Voice) -> str:
    return f"{refused(refusal, say.lang)} (§{refusal.rule})"


def _files(
    read: dict[str, Any],
    district: District | None,
    pack: Path | None,
    folder: Path | None,
    say: Voice,
) -> tuple[dict[str, Any], list[Fault]]:
    """Return the data with whole paths of the files that it names, and what is wrong with them."""
    faults, read = [], dict(read)
    for key in ("weather", "injects"):
        name = read.get(key)
        if not isinstance(name, str):
            continue
        if folder is None:
            why = say.phrase(
                "{file} lies on another machine, maybe: it cannot be read from here", file=name
            )
            faults.append(Fault((key,), why))
            continue
        path = folder / name
        try:
            if not path.is_file():
                raise ExerciseError(say.phrase("there is no file {file}", file=path))
            if key == "weather" and pack is not None and district is not None:
                _lay(path, pack, district)
            if key == "injects":
                turns = read.get("turns", TURNS)
                _, found = injects_from(read_rows(path), district, turns)
                faults += [
                    Fault(
                        (key,),
                        say.phrase("{file}, row {row}: {said}",
                                   file=path.name, row=row, said=_told(refusal, say)),
                    )
                    for row, _, refusal in found
                ]  # fmt: skip
        except (AverseError, ValueError) as fault:
            faults.append(Fault((key,), str(fault)))
            continue
        read[key] = str(path.resolve())
    return read, faults


def _lay(path: Path, pack: Path, district: District) -> None:
    """Lay a weather file on its ground, which tells what is wrong with it."""
    # who gives no weather need not load what checks it
    from exercises.weather_file import read_weather

    read_weather(path, pack, district, read_ground(pack))


def _injects(
    data: Mapping[str, Any], read: Mapping[str, Any], district: District | None, say: Voice
) -> list[Fault]:
    """Return what is wrong with rows of injects, as the rules have it."""
    asked, turns = data.get("injects", ()), read.get("turns", TURNS)
    if not isinstance(asked, list):
        return []
    whole, found = [], []
    for number, row in enumerate(asked, start=1):
        if not isinstance(row, Mapping):
            continue  # that is told already
        cells = {key: str(row.get(key, "")) for key in InjectTable.model_fields}
        try:
            InjectTable.model_validate(row)
            whole.append((number, cells))
        except ValidationError as told:
            wrong = {str(error["loc"][0]) for error in told.errors(include_url=False)}
            _, more = injects_from([(number, cells)], district, turns)
            found += [fault for fault in more if fault.column not in wrong]
    found += injects_from(whole, district, turns)[1]
    return [
        Fault(("injects", row - 1, column), _told(refusal, say))
        for row, column, refusal in sorted(found, key=lambda fault: fault.row)
    ]
