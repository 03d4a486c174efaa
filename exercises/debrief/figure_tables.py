"""Figures as tables and as JSON: ``people.csv``, ``scores.csv``, ``figures.json`` (§12, 17)."""

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from exercises.debrief.decisions import Decision
from exercises.debrief.figures import ClassFigures, Fork, TeamFigures
from exercises.debrief.material import Material
from exercises.debrief.tables import Cell, Table, of_hundredths, write_csv
from exercises.exports import SHARE_DIGITS, UNDEFINED, skill_entry
from exercises.moment_words import DATA, clock
from exercises.voice import mark, voice
from gis.quarter_names import quarters_said
from sim.events import by_label, link_label, order_by_label
from sim.rules import RULES_VERSION
from sim.severity_words import LANGUAGES, ladder_words
from sim.shares import Share
from sim.state import NEVER, state_hash

PEOPLE, SCORES, FIGURES = "people.csv", "scores.csv", "figures.json"

# columns of people.csv: what is counted, as it is headed
_COUNTED = {
    "to_shelter": mark("to shelter"),
    "threatened": mark("threatened"),
    "saved": mark("saved"),
    "late": mark("sheltered too late"),
    "left": mark("not sheltered"),
    "misused": mark("places not needed"),
    "places_used": mark("places used"),
    "lost": mark("victims"),
}
_TURNS = {
    "alerted_turn": mark("alerted in turn"),
    "arrived_turn": mark("all arrived in turn"),
    "cut_turn": mark("cut in turn"),
    "storm_cut_turn": mark("cut by the storm alone in turn"),
}


# --------------------------------------------------------------------------- people.csv
def write_people(
    material: Material, figures: ClassFigures, folder: Path, lang: str
) -> tuple[Path, ...]:
    """Write ``people.csv`` of every team."""
    return tuple(
        write_csv(material.folder_of(team.team, folder) / PEOPLE, people_table(team, lang), lang)
        for team in figures.teams
    )


def people_table(figures: TeamFigures, lang: str) -> Table:
    """Return what became of the people of every hex: a line a hex, persons.

    Every active hex is in it, and any other with somebody counted; the sum of a column, rounded
    down, is the figure printed everywhere else.
    """
    say = voice(lang)
    people, district = figures.people, figures.team.world.district
    somebody = sum(getattr(people, name) for name in _COUNTED) > 0
    names = quarters_said(district, lang)
    rows: list[tuple[Cell, ...]] = []
    for cell in np.flatnonzero(district.active | somebody).tolist():
        counted = [of_hundredths(getattr(people, name)[cell]) for name in _COUNTED]
        turns = [_turn(int(getattr(people, name)[cell])) for name in _TURNS]
        quarter = names[district.quarter[cell]] if district.active[cell] else ""
        rows.append((district.sheet.label(cell), quarter, *counted, *turns))
    headings = (
        *(say.phrase("hex"), say.phrase("quarter")),
        *(say.phrase(what) for what in (*_COUNTED.values(), *_TURNS.values())),
    )
    return Table(say.phrase("people"), headings, tuple(rows))


def _turn(turn: int) -> int | None:
    return None if turn == NEVER else turn


# --------------------------------------------------------------------------- scores.csv
def write_scores(
    material: Material, figures: ClassFigures, folder: Path, lang: str
) -> tuple[Path, ...]:
    """Write ``scores.csv``: a line a team."""
    return (write_csv(folder / SCORES, scores_table(figures, lang), lang),)


def scores_table(figures: ClassFigures, lang: str) -> Table:
    """Return the scores of a class, a line a team; a share of nothing is "–"."""
    say = voice(lang)
    headings = (
        *(say.phrase("team"), say.phrase("turns played"), say.phrase("points")),
        *(say.phrase("most possible"), say.phrase("threatened")),
        *(say.phrase("needed, and done"), say.phrase("needed, not done")),
        *(say.phrase("of these, sheltered too late"), say.phrase("not needed")),
        *(say.phrase("victims"), say.phrase("political capital")),
        *(say.phrase("points of political capital"), say.phrase("places used")),
        *(say.phrase("recall"), say.phrase("precision")),
        *(say.phrase("forecast: recall"), say.phrase("forecast: precision")),
        *(say.phrase("orders given"), say.phrase("orders carried out")),
        say.phrase("orders refused"),
    )
    rows = tuple(_scores_row(team) for team in figures.teams)
    return Table(say.phrase("scores"), headings, rows)


def _scores_row(figures: TeamFigures) -> tuple[Cell, ...]:
    sums, score, skill = figures.sums, figures.score, figures.skill
    return (
        *(figures.team.name, figures.team.played.turns, figures.points, score.maximum),
        *(sums.people_threatened, sums.people_saved, sums.people_not_done, sums.people_late),
        *(sums.people_misused, sums.victims, score.capital, figures.points_capital, sums.places),
        *map(_shown, (figures.recall, figures.precision, skill.recall, skill.precision)),
        *(len(figures.orders), len(figures.orders_stood), len(figures.orders_refused)),
    )


def _shown(share: Share) -> Cell:
    return UNDEFINED if share is None else Decimal(f"{float(share):.{SHARE_DIGITS}f}")


# --------------------------------------------------------------------------- figures.json
def write_figures(
    material: Material, figures: ClassFigures, folder: Path, lang: str
) -> tuple[Path, ...]:
    """Write ``figures.json``: every figure of the debrief, for other programs."""
    path = folder / FIGURES
    text = json.dumps(figures_plain(figures), ensure_ascii=False, indent=1) + "\n"
    path.write_text(text, encoding="utf-8", newline="\n")
    return (path,)


def figures_plain(figures: ClassFigures) -> dict[str, Any]:
    """Return the figures of a class as plain values; an empty share is None."""
    world = figures.teams[0].team.world
    return {
        "rules": RULES_VERSION,
        "district": world.district.name,
        "district_sha256": world.district.digest,
        "hour": world.hour,
        "turns": world.turns,
        "level": world.level,
        "storm": {lang: ladder_words(world.district, lang)[world.level] for lang in LANGUAGES},
        "differences": list(figures.differences),
        "teams": [_team_plain(team) for team in figures.teams],
    }


def _team_plain(figures: TeamFigures) -> dict[str, Any]:
    team, sums, score = figures.team, figures.sums, figures.score
    district = team.world.district
    return {
        "team": team.name,
        "files": team.key,
        "seed": team.world.seed,
        "turns_played": team.played.turns,
        "ended_early": team.ended_early,
        "journal": {
            "entries": len(team.replayed.record.entries),
            "sha256": team.replayed.record.last_sha256,
        },
        "state_sha256": state_hash(team.played.states[-1]),
        "points": figures.points,
        "maximum": score.maximum,
        "terms": {
            term.key: {
                "people": term.people,
                "points_each": term.points_each,
                "points": term.points,
            }
            for term in figures.terms
        },
        "capital": {"value": score.capital, "points": figures.points_capital},
        "threatened": sums.people_threatened,
        "to_shelter": sums.people_to_shelter,
        "late": sums.people_late,
        "left": sums.people_left,
        "not_yet_cut": score.not_yet_cut,
        "places_used": sums.places,
        "recall": _number(figures.recall),
        "precision": _number(figures.precision),
        "forecast": skill_entry(figures.skill),
        "orders": {
            "given": len(figures.orders),
            "carried_out": len(figures.orders_stood),
            "refused": len(figures.orders_refused),
        },
        "places_taken_by_turn": figures.places_taken.tolist(),
        "alternatives": [
            {
                "key": one.key,
                "points": one.score.points,
                "needed_and_done": one.score.saved,
                "not_needed": one.score.misused,
                "victims": one.score.victims,
                "orders_dropped": [order_by_label(district, order) for order in one.dropped],
                "orders_refused": len(one.refused),
            }
            for one in figures.alternatives
        ],
        "decisions": [_decision_plain(figures, one) for one in figures.decisions],
        "bulletin": [list(levels) for levels in figures.bulletin],
        "capital_by_turn": figures.capital.tolist(),
        "injunctions": [_fork_plain(figures, fork) for fork in figures.forks],
        "shelters": [
            {
                "name": shelter.name,
                "hex": district.sheet.label(shelter.cell),
                "places": shelter.places,
                "filled_by_turn": figures.shelters_filled[:, number].tolist(),
            }
            for number, shelter in enumerate(district.shelters)
        ],
        "cards": [
            {
                **by_label(district, card.event),
                "announced": card.announced,
                "inject": card.inject is not None,
                "note": card.inject.note if card.inject else "",
            }
            for card in figures.cards
        ],
    }


def _decision_plain(figures: TeamFigures, decision: Decision) -> dict[str, Any]:
    world = figures.team.world
    district, outcome = world.district, decision.outcome
    label = district.sheet.label
    came: dict[str, Any] = {
        "events": [by_label(district, event) for event in outcome.events],
        "hexes": [label(cell) for cell in outcome.cells],
        "arrived_turn": _turn(outcome.arrived_turn),
        "blocked_turns": list(outcome.blocked_turns),
    }
    if (sums := outcome.people) is not None:
        came["people"] = {
            "threatened": sums.people_threatened,
            "saved": sums.people_saved,
            "late": sums.people_late,
            "misused": sums.people_misused,
            "victims": sums.victims,
        }
    return {
        "number": decision.number,
        "turn": decision.turn,
        "clock": clock(world.hour, decision.turn, DATA),
        "side": decision.side,
        "seat": decision.seat,
        "order": order_by_label(district, decision.order),
        "verdict": decision.verdict,
        "rule": decision.rule,
        "why": decision.refusal.sentence if decision.refusal else "",
        "bulletin": list(decision.bulletin),
        "water": [
            {
                "hex": label(one.cell),
                "known_class": one.known_class,
                "age": one.age,
                "true_class": one.true_class,
            }
            for one in decision.water
        ],
        "links": [
            {
                "link": link_label(district.sheet, one.link),
                "known_class": one.known_class,
                "true_class": one.true_class,
            }
            for one in decision.ways
        ],
        "outcome": came,
    }


def _fork_plain(figures: TeamFigures, fork: Fork) -> dict[str, Any]:
    return {
        "turn": fork.turn,
        "quarter": figures.team.world.district.quarters[fork.quarter],
        "obeyed": fork.obeyed,
        "threatened": fork.threatened,
        "points_obeyed": fork.points_obeyed,
        "points_refused": fork.points_refused,
    }


def _number(share: Fraction | None) -> float | None:
    return None if share is None else round(float(share), SHARE_DIGITS)
