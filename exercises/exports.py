"""What an exercise leaves behind: scores, events, and orders that play again.

``scores.csv`` is comma-separated UTF-8 with a byte order mark: spreadsheets read it as UTF-8, and
every reader of CSV takes the comma (a French Excel by its import, not by a double click).
"""

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path

from exercises.orders_file import write_orders
from exercises.session import PlayedExercise
from sim.events import by_label
from sim.forecast_skill import ForecastSkill, skill_of
from sim.rules import (
    CAPITAL_START,
    POINTS_CAPITAL,
    POINTS_MISUSED,
    POINTS_SAVED,
    POINTS_VICTIM,
    RULES_VERSION,
)
from sim.score import Score, score
from sim.state import State, state_hash
from sim.world import World

SCORES_JSON = "scores.json"
SCORES_CSV = "scores.csv"
EVENTS = "events.jsonl"
ORDERS = "orders.jsonl"
UNDEFINED = "–"
"""Shown for a share of nothing (§12.2)."""
SHARE_DIGITS = 4


def write_exports(folder: Path, played: PlayedExercise) -> tuple[Path, ...]:
    """Write the four files of an exercise into a folder that exists; return their paths."""
    written = json.dumps(scores(played), ensure_ascii=False, indent=2) + "\n"
    paths = tuple(folder / name for name in (SCORES_JSON, SCORES_CSV, EVENTS, ORDERS))
    _write(paths[0], written)
    _write(paths[1], "\ufeff" + scores_csv(played))
    _write(paths[2], "".join(event_lines(played)))
    write_orders(paths[3], played.world.district, played.orders)
    return paths


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def scores(played: PlayedExercise) -> dict[str, object]:
    """Return the score with all that it rests on, ready for JSON; an empty share is None."""
    return scores_at(played.world, played.states[-1])


def scores_at(world: World, state: State) -> dict[str, object]:
    """Return the score of a state, as ``scores`` does."""
    result, skill = score(world, state), skill_of(world, state)
    return {
        "rules": RULES_VERSION,
        "district": world.district.name,
        "district_sha256": world.district.digest,
        "level": world.level,
        "hour": world.hour,
        "turns": world.turns,
        "seed": world.seed,
        "state_sha256": state_hash(state),
        "points": result.points,
        "maximum": result.maximum,
        "terms": {
            name: {"people": people, "points_each": each, "points": people * each}
            for name, people, each in _terms(result)
        },
        "capital": {
            "value": result.capital,
            "points": POINTS_CAPITAL * (result.capital - CAPITAL_START),
            "span": result.capital_span,
            "outweighs": result.capital_outweighs,
        },
        "turns_counted": result.turns,
        "threatened": result.threatened,
        "not_yet_cut": result.not_yet_cut,
        "late": result.late,
        "places_used": result.places_used,
        "recall": _number(result.recall),
        "precision": _number(result.precision),
        "forecast": skill_entry(skill),
    }


def skill_entry(skill: ForecastSkill) -> dict[str, object]:
    """Return how good a forecast was, ready for JSON (§12.4)."""
    return {
        "hits": skill.hits,
        "misses": skill.misses,
        "false_alarms": skill.false_alarms,
        "recall": _number(skill.recall),
        "precision": _number(skill.precision),
        "csi": _number(skill.csi),
        "fractions_skill_score": {str(radius): _number(share) for radius, share in skill.by_ring},
        "brier": _number(skill.brier),
        "reliability": [asdict(one) for one in skill.reliability],
    }


def scores_csv(played: PlayedExercise) -> str:
    """Return the score as a table: measure, value, points; an empty share is "–"."""
    result, skill = played.score, skill_of(played.world, played.states[-1])
    rows: list[tuple[str, object, object]] = [
        (name, people, people * each) for name, people, each in _terms(result)
    ]
    rows += [
        ("capital", result.capital, POINTS_CAPITAL * (result.capital - CAPITAL_START)),
        ("capital_span", "", result.capital_span),
        ("total", "", result.points),
        ("maximum", "", result.maximum),
        ("threatened", result.threatened, ""),
        ("late", result.late, ""),
        ("places_used", result.places_used, ""),
        ("recall", _shown(result.recall), ""),
        ("precision", _shown(result.precision), ""),
        ("forecast_recall", _shown(result.forecast_recall), ""),
        ("forecast_precision", _shown(result.forecast_precision), ""),
        ("forecast_csi", _shown(skill.csi), ""),
        *((f"forecast_fss_radius_{radius}", _shown(share), "") for radius, share in skill.by_ring),
        ("forecast_brier", _shown(skill.brier), ""),
    ]
    if result.is_early:
        rows += [("turns_counted", result.turns, ""), ("not_yet_cut", result.not_yet_cut, "")]
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(("measure", "value", "points"))
    writer.writerows(rows)
    return table.getvalue()


def _terms(result: Score) -> tuple[tuple[str, int, int], ...]:
    """The three comparisons and the victims (§12.1): name, people, points each."""
    return (
        ("needed_and_done", result.saved, POINTS_SAVED),
        ("needed_and_not_done", result.threatened - result.saved, 0),
        ("not_needed", result.misused, POINTS_MISUSED),
        ("victims", result.victims, POINTS_VICTIM),
    )


def event_lines(played: PlayedExercise) -> Iterable[str]:
    """Every event of the exercise as a line of JSON, with its rule and who saw it."""
    for events in played.events:
        for event in events:
            yield json.dumps(by_label(played.world.district, event), ensure_ascii=False) + "\n"


def _number(share: Fraction | None) -> float | None:
    return None if share is None else round(float(share), SHARE_DIGITS)


def _shown(share: Fraction | None) -> str:
    return UNDEFINED if share is None else f"{float(share):.{SHARE_DIGITS}f}"
