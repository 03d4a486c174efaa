"""Reads a scenario's weather, a TOML file: the storm, levels in time, inflows (§7.1, 7.7)."""

import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from exercises.toml_lines import NotTomlError, shown_key, toml_of
from gis.provenance import require_file
from gis.store import read_manifest
from gis.waters import entry_of, entry_pixels, water_at, water_named
from sim.boundary import HeldLevel, Hydrograph, Inflow
from sim.district import District, Ground
from sim.errors import AverseError, ExerciseError
from sim.hyetograph import Hyetograph
from sim.idf import IDF_LAWS, IdfLaw, MontanaLaw, MontanaRange, TableLaw
from sim.refusal import Joined, Refusal, mark, reason_of, refuse
from sim.storm import MovingCell, storm_of
from sim.weather import Weather, risen

FAULTS_SAID = 4
HIGHEST_RAIN_MM = 1_825.0
"""World record of a day: Foc-Foc, La Réunion, 1966 (World Meteorological Organization)."""
HIGHEST_RISE_M = 60.0
"""More than any river, surge or tsunami rose over its usual level; a unit gone wrong."""
HIGHEST_FLOW_M3_S = 50_000.0
"""More than any river carries but the very greatest: a unit gone wrong."""

Number = Annotated[float, Field(allow_inf_nan=False)]
Positive = Annotated[float, Field(allow_inf_nan=False, gt=0)]
Numbers = Annotated[list[Number], Field(min_length=1)]


class _Table(BaseModel):
    """A table of the file: every key known, every value of its own kind."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class _HyetographTable(_Table):
    form: Literal["chicago", "double_triangle"] | None = None
    length_min: Positive | None = None
    peak_min: Positive | None = None
    intense_min: Positive | None = None


class _CellTable(_Table):
    hex: str | None = None
    x_m: Number | None = None
    y_m: Number | None = None
    towards_deg: Number = 0.0
    speed_m_s: Annotated[float, Field(ge=0, le=100)] = 0.0
    along_m: Positive
    across_m: Positive
    axis_deg: Number | None = None
    peak: Annotated[float, Field(ge=0, le=20)]
    away: Annotated[float, Field(ge=0, le=20)] = 0.0
    profile: Literal["gaussian", "ellipse"] = "gaussian"


class _MontanaTable(_Table):
    from_min: Positive
    to_min: Positive
    a: Annotated[list[Positive], Field(min_length=1)]
    b: Numbers


class _RainTable(_Table):
    minutes: Annotated[list[Positive], Field(min_length=2)]
    depth_mm: Annotated[list[list[Positive]], Field(min_length=1)]


class _StormTable(_Table):
    law: str | None = None
    source: str | None = None
    periods: Annotated[list[Positive], Field(min_length=1)] | None = None
    montana: Annotated[list[_MontanaTable], Field(min_length=1)] | None = None
    table: _RainTable | None = None
    years: Positive | None = None
    hyetograph: _HyetographTable | None = None
    cell: _CellTable | None = None


class _LevelTable(_Table):
    water: str | None = None
    hex: str | None = None
    minutes: Numbers
    level_m: Numbers | None = None
    rise_m: Numbers | None = None


class _InflowTable(_Table):
    hex: str | None = None
    watercourse: str | None = None
    minutes: Numbers | None = None
    flow_m3_s: Numbers | None = None
    csv: str | None = None


class _File(_Table):
    storm: _StormTable = _StormTable()
    level: list[_LevelTable] = []
    inflow: list[_InflowTable] = []


@dataclass(frozen=True, slots=True)
class _Board:
    """What a weather file is laid on."""

    folder: Path
    pack: Path
    district: District
    ground: Ground


def read_weather(path: Path, pack: Path, district: District, ground: Ground) -> Weather:
    """Read a weather file and lay it on the ground of a district pack.

    Parameters
    ----------
    path : Path
        TOML; a CSV that it names lies beside it.
    pack : Path
        Its background names water bodies, its manifest the watercourses that enter.
    district, ground
        Of the pack.

    Raises
    ------
    ExerciseError
        If the file cannot be read; every fault is told with its place in the file.
    """
    read = _checked(path)
    board = _Board(path.parent, pack, district, ground)
    levels: list[HeldLevel] = []
    inflows: list[Inflow] = []
    with _in_file(path):
        with _at("storm"):
            law = _law(read.storm)
        with _at("storm.hyetograph"):
            hyetograph = _hyetograph(read.storm.hyetograph, district)
        with _at("storm.cell"):
            cell = _cell(read.storm.cell, district)
        storm = Weather(law, read.storm.years, hyetograph, cell)
        with _at("storm"):
            _try_storm(storm, district)
        for i, level in enumerate(read.level, 1):
            with _at(f"level[{i}]"):
                levels += _held(level, board, levels)
        for i, inflow in enumerate(read.inflow, 1):
            with _at(f"inflow[{i}]"):
                inflows.append(_inflow(inflow, board, levels))
    return replace(storm, levels=tuple(levels), inflows=tuple(inflows))


# --------------------------------------------------------------------------- the file
def _checked(path: Path) -> _File:
    require_file("weather file", path, ExerciseError)
    try:
        return _File.model_validate(toml_of(path.read_text(encoding="utf-8-sig")))
    except (OSError, UnicodeDecodeError) as fault:
        raise ExerciseError(
            refuse(
                "",
                "{path} cannot be read ({fault}): save it as UTF-8 text",
                path=str(path),
                fault=reason_of(fault),
            )
        ) from fault
    except NotTomlError as fault:
        raise ExerciseError(
            refuse(
                "",
                "{file} is not TOML ({fault}); hexes and names go in quotes, lists in brackets",
                file=path.name,
                fault=reason_of(fault),
            )
        ) from fault
    except ValidationError as fault:
        found = [_said(error) for error in fault.errors()]
        shown = found[:FAULTS_SAID]
        if found[FAULTS_SAID:]:
            shown.append(refuse("", "and {count} more", count=len(found) - FAULTS_SAID))
        raise ExerciseError(
            refuse(
                "",
                "{file}: {faults} (§7.7): `averse play --help` shows an example",
                file=path.name,
                faults=Joined(tuple(shown), "; "),
            )
        ) from None


_SAID = {
    "missing": mark("is missing"),
    "extra_forbidden": mark("is not known"),
    "float_type": mark("is {found}, not a number"),
    "finite_number": mark("is {found}, not a number"),
    "string_type": mark("is {found}, not a text in quotes"),
    "list_type": mark("is {found}, not a list in brackets"),
    "too_short": mark("has too few values"),
    "model_type": mark("is {found}, not a table: write its name in brackets"),
}
_ELSE = mark("is {found}: {error}")


def _said(error: Any) -> Refusal:
    """One fault of pydantic's as "where what"."""
    where = ""
    for part in error["loc"]:
        where += f"[{part + 1}]" if isinstance(part, int) else f".{shown_key(part)}"
    text = _SAID.get(error["type"], _ELSE)
    values = {"found": f"{error['input']!r:.40}", "error": error["msg"].lower()}
    fault = Refusal("", text, tuple((n, v) for n, v in values.items() if f"{{{n}}}" in text))
    return refuse("", "{key} {fault}", key=where.lstrip("."), fault=fault)


class _FaultError(Exception):
    """A fault and its place in the file."""


@contextmanager
def _in_file(path: Path) -> Iterator[None]:
    try:
        yield
    except _FaultError as fault:
        raise ExerciseError(
            refuse("", "{file}, {fault}", file=path.name, fault=reason_of(fault))
        ) from fault


@contextmanager
def _at(where: str) -> Iterator[None]:
    try:
        yield
    except AverseError as fault:
        why = reason_of(fault)
        has_rule = "(§" in str(fault) or ", §" in str(fault)
        raise _FaultError(
            refuse("", "{where}: {why}", where=where, why=why)
            if has_rule
            else refuse("", "{where}: {why} (§7.7)", where=where, why=why)
        ) from fault


def _one_of(table: _Table, *names: str, least: int = 1) -> None:
    """Refuse more than one of some keys, or fewer than ``least``."""
    given = [name for name in names if getattr(table, name) is not None]
    if len(given) > 1 or len(given) < least:
        told = ", ".join(names)
        if not given:
            raise ExerciseError(refuse("", "has none of {names}: give one of them", names=told))
        some, last = ", ".join(given[:-1]), given[-1]
        both = refuse("", "{some} and {last}", some=some, last=last) if some else last
        raise ExerciseError(
            refuse("", "has {what} of {names}: give one of them", what=both, names=told)
        )


# --------------------------------------------------------------------------- the storm
def _law(storm: _StormTable) -> IdfLaw | None:
    _one_of(storm, "law", "montana", "table", least=0)
    if storm.law is not None:
        if storm.law not in IDF_LAWS:
            raise ExerciseError(
                refuse(
                    "",
                    "no law of rain is called {law} ({idf_laws}; §7.1): give one of these, or "
                    "your own coefficients under storm.montana",
                    law=repr(storm.law),
                    idf_laws=", ".join(IDF_LAWS),
                )
            )
        return IDF_LAWS[storm.law]
    if storm.montana is None and storm.table is None:
        return None
    if not storm.source or storm.periods is None:
        raise ExerciseError(
            refuse(
                "",
                "an own law of rain states its source and the return periods that it was "
                'fitted on (§7.1): give source = "…" and periods = […] in years',
            )
        )
    periods = tuple(storm.periods)
    about = {"source": storm.source, "fitted_years": (min(periods), max(periods))}
    if storm.table is not None:
        minutes = tuple(storm.table.minutes)
        return TableLaw(
            minutes=minutes,
            years=periods,
            table_mm=tuple(tuple(row) for row in storm.table.depth_mm),
            fitted_min=(min(minutes), max(minutes)),
            **about,  # type: ignore[arg-type]
        )
    ranges = tuple(
        MontanaRange(r.from_min, r.to_min, tuple(r.a), tuple(r.b)) for r in storm.montana or ()
    )
    fitted_min = (ranges[0].from_min, ranges[-1].to_min)
    return MontanaLaw(years=periods, ranges=ranges, fitted_min=fitted_min, **about)  # type: ignore[arg-type]


def _hyetograph(table: _HyetographTable | None, district: District) -> Hyetograph | None:
    if table is None:
        return None
    return replace(district.hyetograph, **table.model_dump(exclude_none=True))


def _cell(table: _CellTable | None, district: District) -> MovingCell | None:
    if table is None:
        return None
    _one_of(table, "hex", "x_m")
    if (table.x_m is None) != (table.y_m is None):
        raise ExerciseError(
            refuse("", "has one of x_m and y_m: give both, metres from the centre of hex 0101")
        )
    if table.hex is not None:
        x, y = district.sheet.centres_m[district.sheet.index_of(table.hex)].tolist()
    else:
        x, y = float(table.x_m or 0), float(table.y_m or 0)
    return MovingCell(
        start_m=(x, y),
        towards_deg=float(table.towards_deg),
        speed_m_s=float(table.speed_m_s),
        axes_m=(float(table.along_m), float(table.across_m)),
        axis_deg=float(table.towards_deg if table.axis_deg is None else table.axis_deg),
        peak=float(table.peak),
        away=float(table.away),
        profile=table.profile,
    )


def _try_storm(storm: Weather, district: District) -> None:
    """Let it rain at every level now, so that a law which cannot is told with its place."""
    for severity in district.ladder:
        rain = storm.over(storm_of(district.region, severity, district.hyetograph))
        fallen_mm = rain.rain_mm(0, rain.hyetograph.length_min)
        if not fallen_mm <= HIGHEST_RAIN_MM:
            raise ExerciseError(
                refuse(
                    "",
                    "{fallen_mm} mm fall at level {level}, more than ever fell in a day "
                    "({highest_rain_mm} mm): check the coefficients of the law and their units",
                    fallen_mm=f"{fallen_mm:.3g}",
                    level=str(severity.level),
                    highest_rain_mm=f"{HIGHEST_RAIN_MM:,.0f}",
                )
            )


# --------------------------------------------------------------------------- water bodies
def _held(table: _LevelTable, board: _Board, before: Sequence[HeldLevel]) -> tuple[HeldLevel, ...]:
    _one_of(table, "water", "hex")
    _one_of(table, "level_m", "rise_m")
    if table.water is not None:
        pixels = water_named(board.pack, board.ground, table.water)
    else:
        sheet = board.district.sheet
        pixels = water_at(board.ground, sheet, sheet.index_of(table.hex or ""))
    if any((held.pixels & pixels).any() for held in before):
        raise ExerciseError(
            refuse("", "the same water has a level already: give each water body one")
        )
    if max(table.rise_m or [0.0]) > HIGHEST_RISE_M:
        raise ExerciseError(
            refuse(
                "",
                "rise_m reaches {rise_m} m, over {highest_rise_m}: give metres above the "
                "usual level, or level_m for an altitude",
                rise_m=f"{max(table.rise_m or []):g}",
                highest_rise_m=f"{HIGHEST_RISE_M:g}",
            )
        )
    if table.level_m is not None:
        highest = float(board.ground.elevation_m[pixels].max()) + HIGHEST_RISE_M
        if max(table.level_m) > highest:
            raise ExerciseError(
                refuse(
                    "",
                    "level_m reaches {level_m} m, over {highest_rise_m} m above the water: "
                    "give metres of altitude, up to {highest} here",
                    level_m=f"{max(table.level_m):g}",
                    highest_rise_m=f"{HIGHEST_RISE_M:g}",
                    highest=f"{highest:.0f}",
                )
            )
        return (HeldLevel(pixels, _course(table.minutes, table.level_m, "level_m")),)
    return risen(board.ground, pixels, _course(table.minutes, table.rise_m or [], "rise_m"))


# --------------------------------------------------------------------------- inflows
def _inflow(table: _InflowTable, board: _Board, levels: Sequence[HeldLevel]) -> Inflow:
    _one_of(table, "hex", "watercourse")
    _one_of(table, "flow_m3_s", "csv")
    sheet = board.district.sheet
    label = table.hex
    if label is None:
        label = entry_of(read_manifest(board.pack), table.watercourse or "")
    pixels = entry_pixels(board.ground, sheet, sheet.index_of(label))
    if any((held.pixels & pixels).any() for held in levels):
        raise ExerciseError(
            refuse("", "a [[level]] holds the water there: give the one or the other")
        )
    if table.csv is not None:
        if table.minutes is not None:
            raise ExerciseError(
                refuse("", "has minutes and csv: the minutes stand in the CSV, leave them out")
            )
        minutes, flow = _columns(board.folder / table.csv)
    else:
        minutes, flow = table.minutes or [], table.flow_m3_s or []
    if flow and max(flow) > HIGHEST_FLOW_M3_S:
        raise ExerciseError(
            refuse(
                "",
                "flow_m3_s reaches {flow} m³/s: give cubic metres a second, not litres",
                flow=f"{max(flow):g}",
            )
        )
    return Inflow(pixels, _course(minutes, flow, "flow_m3_s"))


def _columns(path: Path) -> tuple[list[float], list[float]]:
    """Minutes and cubic metres a second of a CSV, as any spreadsheet writes it."""
    try:
        require_file("hydrograph", path, ExerciseError)
        text = path.read_text(encoding="utf-8-sig")
        semicolons = ";" in text.partition("\n")[0]
        rows = list(csv.reader(StringIO(text, newline=""), delimiter=";" if semicolons else ","))
    except (OSError, ValueError, csv.Error) as fault:
        raise ExerciseError(
            refuse(
                "",
                "csv {file} cannot be read ({fault})",
                file=repr(path.name[:60]),
                fault=reason_of(fault),
            )
        ) from fault
    header = [name.strip() for name in rows[0]] if rows else []
    if header != ["minutes", "flow_m3_s"]:
        raise ExerciseError(
            refuse(
                "",
                "csv {file} begins with {header}: its first line is minutes,flow_m3_s",
                file=repr(path.name),
                header=f"{','.join(header)!r:.60}",
            )
        )
    minutes, flow = [], []
    for number, row in enumerate(rows[1:], 2):
        if not any(value.strip() for value in row):
            continue
        try:
            m, q = (float(v.replace(",", ".") if semicolons else v) for v in row)
        except ValueError:
            raise ExerciseError(
                refuse(
                    "",
                    "csv {file}, line {number}: {row} is not two numbers",
                    file=repr(path.name),
                    number=str(number),
                    row=f"{','.join(row)!r:.60}",
                )
            ) from None
        minutes.append(m)
        flow.append(q)
    return minutes, flow


def _course(minutes: Sequence[float], values: Sequence[float], name: str) -> Hydrograph:
    """A value in time, from minutes since the start of turn 1."""
    if len(minutes) != len(values):
        raise ExerciseError(
            refuse(
                "",
                "has {count} minutes and {count_2} values of {name}: give as many of each",
                count=str(len(minutes)),
                count_2=str(len(values)),
                name=str(name),
            )
        )
    return Hydrograph(np.array(minutes) * 60.0, np.array(values, dtype=float))
