"""What an instructor chooses of an exercise, as a scenario file or the form of a room has it."""

from collections.abc import Sequence
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
)
from pydantic_core import PydanticCustomError

from exercises.chain import ExerciseOptions
from exercises.scenario_options import MOST_TEAMS, MOST_TURNS, ScenarioOptions
from exercises.voice import SOURCE
from sim.rules import CREDIBILITY_MOST, CREDIBILITY_START, HOURS, LEVELS, TURNS, Timer
from sim.severity_words import LANGUAGES

MOST_INJECTS = 500
SECRET = "secret"
"""Level of a storm that is drawn from the seed."""
ROWS, FILE = "rows of a list", "a file of rows"
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


class Table(BaseModel):
    """A table of the file: every key known, every value of its own kind."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class GatheringTable(Table):
    """A scheduled event: where, and how many people (§8.4)."""

    hex: str
    people: int


class InjectTable(Table):
    """A card that falls by itself: at which turn, on what; the instructor's note (§13.2)."""

    turn: Annotated[int, Field(ge=1, le=MOST_TURNS)]
    card: str
    target: str = ""
    note: str = ""


class ScenarioFile(Table):
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
        Annotated[list[InjectTable], Field(max_length=MOST_INJECTS), Tag(ROWS)]
        | Annotated[str, Tag(FILE)],
        Discriminator(lambda value: FILE if isinstance(value, str) else ROWS),
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
