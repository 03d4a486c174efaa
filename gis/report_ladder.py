"""The instructor's part of a report: what each level of the storm stands for (§7.6)."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from gis.wording import filled, spaced, time_of_day, written
from sim.district import District
from sim.rules import TURN_MIN
from sim.severity_words import ladder_words

LANGUAGES = ("fr", "en")
NONE = "–"

# fmt: off
# key          fr, en
_WORDS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "title":   ("Ce que valent les niveaux de l'orage", "What the storm's levels stand for"),
    "lead":    (("Pour l'animateur : la cellule ne connaît d'un niveau que son "
                 "nom. Orage de {length:,} minutes, pointe au tour {turn}."),
                ("For the instructor: a team knows a level's name only. A storm of {length:,} "
                 "minutes, peak in turn {turn}.")),
    "years":   (("Pour l'animateur : le bulletin parle d'années, et chaque niveau est "
                 "une pluie."),
                "For the instructor: the bulletin speaks of years, and each level is a rain."),
    "level":   ("Niveau", "Level"),
    "stands":  ("vaut", "stands for"),
    "threat":  ("menacés", "threatened"),
    "sign":    ("premier signe", "first sign"),
    "cut":     ("première coupure", "first cut"),
    "saved":   ("alerte au tour {turn}", "alert at turn {turn}"),
    "turn":    ("tour {n}", "turn {n}"),
    "note":    (("Menacés : part des personnes à abriter ({hour}). Alerte : part des menacés que "
                 "sauve une alerte de tous, places illimitées, sans engorgement."),
                ("Threatened: share of those to shelter ({hour}). Alert: share of the threatened "
                 "that alerting all of them saves, unlimited places, no congestion.")),
    "not_calibrated": (("Échelle non calée sur cette ville : « averse calibrate » trouve celle qui "
                        "menace des parts voulues."),
                       ("Ladder not fitted to this town: `averse calibrate` finds the one that "
                        "threatens wanted shares.")),
})
# fmt: on


@dataclass(frozen=True, slots=True)
class LadderPart:
    """Texts of the section: a heading, a lead, a table and the note under it."""

    title: str
    lead: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str


def ladder_part(district: District, manifest: Mapping[str, Any], lang: str) -> LadderPart:
    """Say what every level of a district stands for, and what calibration found of each."""
    found: Mapping[str, Any] = manifest.get("calibration") or {}
    words = ladder_words(district, lang)
    by_level = {entry["level"]: entry for entry in found.get("levels", ())}
    turns = list(next(iter(by_level.values()))["saved"]) if by_level else []
    heads = [_say("level", lang), _say("stands", lang)]
    if by_level:
        heads += [_say(key, lang) for key in ("threat", "sign", "cut")]
        heads += [_say("saved", lang, turn=turn) for turn in turns]
    rows = []
    for level, stands_for in words.items():
        row = [str(level), stands_for]
        if entry := by_level.get(level):
            row += [
                _percent(entry["share"], lang, 1),
                _turn(entry["first_sign"], lang),
                _turn(entry["first_cut"], lang),
                *(_percent(entry["saved"][turn], lang) for turn in turns),
            ]
        rows.append(tuple(row))
    storm = district.hyetograph
    key = "years" if district.is_literal else "lead"
    peak = int(storm.peak_min // TURN_MIN) + 1
    lead = _say(key, lang, length=storm.length_min, turn=peak)
    note = (
        _say("note", lang, hour=time_of_day(60 * found["hour"], lang) if "hour" in found else "?")
        if by_level
        else _say("not_calibrated", lang)
    )
    return LadderPart(_say("title", lang), lead, tuple(heads), tuple(rows), note)


def _say(key: str, lang: str, **values: Any) -> str:
    return spaced(filled(_WORDS[key][LANGUAGES.index(lang)], lang, **values), lang)


def _turn(turn: int | None, lang: str) -> str:
    return NONE if turn is None else _say("turn", lang, n=turn)


def _percent(share: float | None, lang: str, digits: int = 0) -> str:
    if share is None:
        return NONE
    return spaced(f"{written(100 * share, lang, digits)}{' %' if lang == 'fr' else '%'}", lang)
