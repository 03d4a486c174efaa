"""An exercise for a GIS: ``debrief.gpkg``, styled for QGIS, and the true depths as a GeoTIFF (§17).

Column names and legends are in English, as those of the district pack; texts are in the language
of the debrief.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from exercises.debrief.figure_tables import figures_plain
from exercises.debrief.figures import ClassFigures, TeamFigures
from exercises.debrief.kinds import cut_links, forecast_kinds, outcomes
from exercises.debrief.material import Material
from exercises.debrief.notices import notices_of
from exercises.event_words import told
from exercises.moment_words import DATA, clock
from exercises.order_words import ordered, refused
from gis.pack_lattice import read_lattice
from gis.quarter_names import quarters_said
from gis.result_layers import Columns, Results, write_depth, write_results
from sim.rules import TURN_MIN, Mode
from sim.state import HUNDREDTHS, NEVER, State

GEOPACKAGE, DEPTH = "debrief.gpkg", "depth.tif"

_PEOPLE = ("to_shelter", "threatened", "saved", "late", "left", "misused", "places_used", "lost")
_TURNS = ("alerted_turn", "arrived_turn", "cut_turn", "storm_cut_turn")
_SEEN = ("exact", "report")


def write_geodata(
    material: Material, figures: ClassFigures, folder: Path, lang: str
) -> tuple[Path, ...]:
    """Write every team's ``debrief.gpkg``, and ``depth.tif``, which is the same for all.

    Raises
    ------
    AverseError
        If the pack does not say where it lies, or a file cannot be written.
    """
    lattice = read_lattice(material.pack)
    paths = []
    for team in figures.teams:
        path = material.folder_of(team.team, folder) / GEOPACKAGE
        write_results(path, material.district, lattice, results_of(team, lang))
        paths.append(path)
    world = figures.teams[0].team.world
    said = [f"turn {turn}, {clock(world.hour, turn, DATA)}" for turn in range(world.turns + 1)]
    about = f"{material.district.name}: true depth of an exercise, millimetres; no flood map"
    write_depth(folder / DEPTH, lattice, world.depth_mm, said, about)
    return (*paths, folder / DEPTH)


def results_of(figures: TeamFigures, lang: str) -> Results:
    """Return what a team's GeoPackage holds."""
    return Results(
        hexes=_hexes(figures, lang),
        links=_links(figures),
        shelters=_shelters(figures),
        decisions=_decisions(figures, lang),
        alerts=_alerts(figures),
        units=_units(figures),
        turns=_turns(figures),
        figures=_figures(figures),
    )


def _hexes(figures: TeamFigures, lang: str) -> Columns:
    world, people = figures.team.world, figures.people
    district = world.district
    names = np.array((*quarters_said(district, lang), ""), dtype=object)
    return {
        "quarter": names[district.quarter],
        "residents": district.residents,
        "outcome": outcomes(figures),
        "forecast": forecast_kinds(figures),
        "confidence_percent": _confidence(figures),
        **{f"people_{name}": getattr(people, name) / HUNDREDTHS for name in _PEOPLE},
        **{name: _turn_or_none(getattr(people, name)) for name in _TURNS},
        "deepest_mm": world.depth_mm[: figures.team.played.turns + 1].max(axis=0),
    }


def _confidence(figures: TeamFigures) -> npt.NDArray[np.object_]:
    state = figures.team.played.states[-1]
    said = np.full(figures.team.world.district.sheet.n_hexes, None, dtype=object)
    for cell, percent in zip(state.forecast, state.confidence, strict=True):
        said[cell] = percent or None
    return said


def _turn_or_none(turns: npt.NDArray[np.int64]) -> npt.NDArray[np.object_]:
    said = turns.astype(object)
    said[turns == NEVER] = None
    return said


def _links(figures: TeamFigures) -> Columns:
    columns: dict[str, npt.NDArray[np.object_]] = {}
    for mode, name in ((Mode.FOOT, "foot"), (Mode.VEHICLE, "vehicles")):
        shut = cut_links(figures.team, mode)
        first = np.where(shut.any(axis=0), shut.argmax(axis=0) + 1, NEVER)
        columns[f"{name}_cut_turn"] = _turn_or_none(first)
        columns[f"{name}_cut_turns"] = shut.sum(axis=0)
    return columns


def _moments(figures: TeamFigures) -> list[tuple[int, State]]:
    return [*enumerate(figures.team.played.moments)]


def _shelters(figures: TeamFigures) -> Columns:
    shelters = figures.team.world.district.shelters
    places = np.array([shelter.places for shelter in shelters], dtype=np.int64)
    full = figures.shelters_filled >= places
    first = np.where(full.any(axis=0), full.argmax(axis=0), NEVER)
    return {
        "cell": [shelter.cell for shelter in shelters],
        "name": [shelter.name for shelter in shelters],
        "places": places,
        "taken": figures.shelters_filled[-1],
        "full_turn": _turn_or_none(first),
    }


def _decisions(figures: TeamFigures, lang: str) -> Columns:
    """Columns of the orders that are about some place, each at the first of its hexes."""
    world = figures.team.world
    placed = [one for one in figures.decisions if one.cells]
    return {
        "cell": [getattr(one.order, "centre", one.cells[0]) for one in placed],
        "number": [one.number for one in placed],
        "turn": [one.turn for one in placed],
        "clock": [clock(world.hour, one.turn, DATA) for one in placed],
        "minutes": [one.turn * TURN_MIN for one in placed],
        "seat": [one.seat for one in placed],
        "order": [ordered(one.order, world.district, lang) for one in placed],
        "reason": [one.reason for one in placed],
        "verdict": [one.verdict for one in placed],
        "why": [refused(one.refusal, lang) if one.refusal else "" for one in placed],
        "came_of_it": [
            " ".join(told(event, world.district, lang) for event in one.outcome.events)
            for one in placed
        ],
    }


def _alerts(figures: TeamFigures) -> Columns:
    given = [
        (notice, advice) for notice in notices_of(figures.team.played) for advice in notice.advice
    ]
    return {
        "cells": [advice.cells for _, advice in given],
        "number": [notice.number for notice, _ in given],
        "turn": [notice.turn for notice, _ in given],
        "clock": [clock(figures.team.world.hour, notice.turn, DATA) for notice, _ in given],
        "option": [advice.option.value for _, advice in given],
        "injunction": [notice.injunction for notice, _ in given],
    }


def _units(figures: TeamFigures) -> Columns:
    """Columns of the ways of the units that moved."""
    ways: dict[str, tuple[str, list[int]]] = {}
    for _, state in _moments(figures):
        for unit in state.units:
            _, way = ways.setdefault(unit.name, (unit.kind.value, []))
            if not way or way[-1] != unit.cell:
                way.append(unit.cell)
    moved = {name: (kind, way) for name, (kind, way) in ways.items() if len(way) > 1}
    return {
        "cells": [way for _, way in moved.values()],
        "name": list(moved),
        "kind": [kind for kind, _ in moved.values()],
        "hexes": [len(way) for _, way in moved.values()],
    }


def _turns(figures: TeamFigures) -> Columns:
    """Columns of every active hex at every turn, turn by turn."""
    world = figures.team.world
    active = np.flatnonzero(world.district.active)
    labels = np.array([world.district.sheet.label(cell) for cell in active.tolist()], dtype=object)
    moments = _moments(figures)
    by_turn = {
        "true_mm": [world.depth_mm[turn][active] for turn, _ in moments],
        "known_mm": [np.array(state.known_mm)[active] for _, state in moments],
        "known_turn": [np.array(state.known_turn)[active] for _, state in moments],
        "known_by": [np.array(_SEEN, object)[np.array(s.known_by)[active]] for _, s in moments],
        "alerted": [(np.array(s.alerted) != NEVER)[active] for _, s in moments],
        "arrived": [(np.array(s.evacuated) != NEVER)[active] for _, s in moments],
    }
    return {
        "turn": np.repeat([turn for turn, _ in moments], len(active)),
        "minutes": np.repeat([turn * TURN_MIN for turn, _ in moments], len(active)),
        "label": np.tile(labels, len(moments)),
        **{name: np.concatenate(column) for name, column in by_turn.items()},
    }


def _figures(figures: TeamFigures) -> Columns:
    """Columns of the figures of ``figures.json`` that are single numbers."""
    [plain] = figures_plain(ClassFigures((figures,), ()))["teams"]
    flat = {
        **{name: plain[name] for name in _SINGLE},
        **{f"terms.{key}": term["people"] for key, term in plain["terms"].items()},
        "capital": plain["capital"]["value"],
        **{
            f"forecast.{name}": value
            for name, value in plain["forecast"].items()
            if not isinstance(value, (dict, list))
        },
    }
    return {"figure": list(flat), "value": np.array([*flat.values()], dtype=float)}


_SINGLE = (
    *("points", "maximum", "threatened", "to_shelter", "late", "left", "places_used"),
    *("recall", "precision", "turns_played"),
)
