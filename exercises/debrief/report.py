"""``report.pdf``: the after-action report of a team on A4, for a file or a mayor (§17).

Every figure is one of ``TeamFigures``, and every row one that the page prints too; the last two
chapters are blank, with questions, for people to fill in.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from exercises.debrief.decisions import REFUSED, WITHDRAWN, Decision
from exercises.debrief.figures import ClassFigures, TeamFigures
from exercises.debrief.material import Material
from exercises.debrief.page_class import class_columns, short_name, team_lines
from exercises.debrief.page_course import fork_rows, kind_of
from exercises.debrief.page_decisions import decision_rows
from exercises.debrief.page_regret import way_rows
from exercises.debrief.page_terms import rates, term_rows
from exercises.debrief.page_tongue import Tongue
from exercises.debrief.report_maps import forecast_map, outcome_map, water_map
from exercises.debrief.report_words import report_say, report_texts
from exercises.event_words import told
from exercises.moment_words import bulletin_text
from gis.provenance import shown_credit
from gis.quarter_names import quarters_said
from gis.result_maps import ResultMaps
from gis.sheet import fitting_scale
from gis.sheet_labels import clean
from gis.sheet_map import SheetPack, read_sheet_pack
from gis.typesetting import set_pages, write_whole
from sim.errors import DebriefError
from sim.events import Arrived, Event, HexesCut, LeftArea
from sim.orders import Forecast
from sim.persons import persons
from sim.rules import HOURS
from sim.severity_words import ladder_words
from sim.state import NEVER

REPORT = "report.pdf"
MAP_MM = (174.0, 128.0)
"""Room of a map on the page."""
MOST_ALERTS = 12
"""Alerts that the report lists; all are in the page and in the event log."""
MOST_SHELTERS = 18
_LONGEST = 90
"""Characters of a name of a team."""


def write_report(
    material: Material, figures: ClassFigures, folder: Path, lang: str
) -> tuple[Path, ...]:
    """Write the report of every team.

    Raises
    ------
    AverseError
        If the pack cannot be read, or a file cannot be written.
    """
    pack = read_sheet_pack(material.pack)
    maps = ResultMaps(pack, fitting_scale(pack, MAP_MM))
    paths = []
    for team in figures.teams:
        path = material.folder_of(team.team, folder) / REPORT
        data = report_data(team, figures, pack, maps, lang)
        names = "".join(
            (team.team.name, *quarters_said(material.district, lang), material.district.name)
        )
        names += "".join(shelter.name for shelter in material.district.shelters)
        names += "".join(decision.reason for decision in team.decisions)
        write_whole(
            path,
            set_pages("exercises.debrief", "report/report.typ", data, names),
            DebriefError,
        )
        paths.append(path)
    return tuple(paths)


def report_data(
    figures: TeamFigures, of_class: ClassFigures, pack: SheetPack, maps: ResultMaps, lang: str
) -> dict[str, Any]:
    """Return all that the template prints, as plain values."""
    world = figures.team.world
    tongue = Tongue(lang, world.district, world.hour)
    journal = figures.team.replayed.record.last_sha256
    texts: dict[str, str] = {key: _said(key, lang) for key in report_texts() if key not in _FILLED}
    return {
        "lang": lang,
        "texts": texts | {key: tongue.say(key) for key in _FROM_PAGE},
        "page_text": _said("page", lang, n="{n}", all="{all}"),
        "district": clean(world.district.name),
        "team": clean(figures.team.name)[:_LONGEST],
        "ground": _said("ground", lang, hash=journal[:16]),
        "credit": clean(shown_credit(pack.manifest, lang)),
        "short": _said(
            "in_short_text",
            lang,
            saved=figures.sums.people_saved,
            threatened=figures.sums.people_threatened,
            misused=figures.sums.people_misused,
            victims=figures.sums.victims,
            points=tongue.number(figures.points),
            maximum=tongue.number(figures.score.maximum),
        ),
        "ended": _ended(figures, tongue),
        "setting": _setting(figures, tongue),
        "terms": [
            [row.label, row.people, row.each, row.points] for row in term_rows(figures, tongue)
        ],
        "total": [
            _said("total_of", lang, maximum=tongue.number(figures.score.maximum)),
            tongue.number(figures.points),
        ],
        "rates": [
            {
                "name": tongue.say(rate.key),
                "shown": rate.shown,
                "of": rate.of,
                "share": None if share is None else round(float(share), 4),
            }
            for rate, share in zip(
                rates(figures, tongue), (figures.recall, figures.precision), strict=True
            )
        ],
        "timeline": [list(row) for row in _timeline(figures, tongue)],
        "water": water_map(figures, maps, tongue).plain(maps),
        "forecast": forecast_map(figures, maps, tongue).plain(maps),
        "skill": _skill(figures, tongue),
        "alerts": _alerts(figures, tongue),
        "alerts_more": _alerts_more(figures, lang),
        "kinds": _kinds(figures, tongue),
        "outcome": outcome_map(figures, maps, tongue).plain(maps),
        "ways": [[row.label, *row.cells[:1], *row.cells[2:]] for row in way_rows(figures, tongue)],
        "forks": [
            [
                f"{tongue.say('turn_n', n=fork.turn)}, {fork.clock}",
                *(clean(fork.quarter), fork.answer, fork.threatened),
                *(fork.if_obeyed, fork.if_refused),
            ]
            for fork in fork_rows(figures, tongue)
        ],
        "shelters": _shelters(figures, tongue),
        "teams": _teams(of_class, tongue),
        "keep": [_said(f"keep_{n}", lang) for n in (1, 2, 3)],
        "improve": [_said(f"improve_{n}", lang) for n in (1, 2, 3, 4)],
    }


def _ended(figures: TeamFigures, tongue: Tongue) -> str:
    """Say how a score of an exercise ended early is to be read, or nothing (§18)."""
    score = figures.score
    if not score.is_early:
        return ""
    return tongue.say("ended_early_what", n=score.turns, all=score.of_turns)


def _said(key: str, lang: str, **values: Any) -> str:
    return report_say(key, lang, **values)


_FILLED = frozenset(
    {
        *(
            "ground",
            "page",
            "in_short_text",
            "total_of",
            "weekend",
            "weekday",
            "gathering",
            "places_cover",
        ),
        *("storm_is", "first_cuts", "alerted_now", "sheltered_now", "refused_now", "forecast_now"),
        *("water_caption", "fss_within", "alerts_more", "class_setting"),
    }
)
_FROM_PAGE = (
    *("terms", "people_short", "each", "points", "rates", "turn", "team"),
    *("order", "reason", "known_then", "came_of_it", "alternative", "saved", "misused", "victims"),
    *("recall", "precision", "fork", "fork_quarter", "fork_answer", "fork_threatened"),
    *("if_obeyed", "if_refused", "capital", "shelters", "regret", "no_fork"),
)


# --------------------------------------------------------------------------- 1 conduct
def _setting(figures: TeamFigures, tongue: Tongue) -> list[list[str]]:
    world, lang = figures.team.world, tongue.lang
    district, scenario = world.district, world.scenario
    hour = tongue.scene.voice.label(HOURS[world.hour])
    day = [_said("weekend" if scenario.weekend else "weekday", lang, hour=hour)]
    if scenario.half_staff:
        day.append(_said("half_staff", lang))
    if scenario.gathering:
        day.append(_said("gathering", lang, people=scenario.gathering.people))
    places = sum(shelter.places for shelter in district.shelters)
    to_shelter = max(figures.sums.people_to_shelter, 1)
    storm = ladder_words(district, lang)[world.level]
    length = tongue.say("turns", n=world.turns)
    if figures.score.is_early:
        score = figures.score
        length += f" ({tongue.say('ended_early', n=score.turns, all=score.of_turns)})"
    return [
        [_said("district", lang), clean(district.name)],
        [_said("residents", lang), tongue.number(int(district.residents.sum()))],
        [_said("hour", lang), ", ".join(day)],
        [tongue.say("length"), length],
        [tongue.say("people"), tongue.number(figures.sums.people_to_shelter)],
        [
            _said("shelter_places", lang),
            _said(
                "places_cover",
                lang,
                places=places,
                share=tongue.scene.voice.percent(places / to_shelter, 0),
            ),
        ],
        [tongue.say("storm"), _said("storm_is", lang, level=world.level, words=storm)],
    ]


def _timeline(figures: TeamFigures, tongue: Tongue) -> Iterator[tuple[str, str, str, str, str]]:
    """A row a turn in which something happened: turn, clock, bulletin, orders, what happened."""
    played = figures.team.played
    said_before = ""
    for turn in range(played.turns + 1):
        orders = [one for one in figures.decisions if one.turn == turn]
        stood = len([one for one in figures.orders_stood if one.turn == turn])
        bulletin = bulletin_text(figures.bulletin[turn], tongue.district.is_literal, tongue.lang)
        lines = [*_happened(figures, turn, orders, tongue)]
        if lines or stood or bulletin != said_before:
            yield (
                str(turn),
                tongue.clock(turn),
                bulletin if bulletin != said_before else "",
                str(stood) if stood else "",
                "; ".join(lines) if tongue.lang == "en" else " ; ".join(lines),
            )
        said_before = bulletin


def _happened(
    figures: TeamFigures, turn: int, orders: Sequence[Decision], tongue: Tongue
) -> Iterator[str]:
    lang, people = tongue.lang, figures.people
    events = [event for events in figures.team.played.events for event in events]
    now = [event for event in events if event.turn == turn]
    painted = {cell for one in orders if isinstance(one.order, Forecast) for cell in one.cells}
    if painted:
        yield _said("forecast_now", lang, n=len(painted))
    if turn == NEVER:
        return
    yield from (
        clean(told(card.event, tongue.district, lang)).rstrip(".")
        for card in figures.cards
        if card.turn == turn
    )
    if cut := _cut(now):
        yield _said("first_cuts", lang, n=cut)
    if alerted := int((people.alerted_turn == turn).sum()):
        yield _said("alerted_now", lang, n=alerted)
    if arrived := _arrived(now):
        yield _said("sheltered_now", lang, n=arrived)
    if refused := sum(one.verdict == REFUSED for one in orders):
        yield _said("refused_now", lang, n=refused)


def _cut(events: Sequence[Event]) -> int:
    return sum(len(event.cells) for event in events if isinstance(event, HexesCut))


def _arrived(events: Sequence[Event]) -> int:
    came = (event.people or 0 for event in events if isinstance(event, (Arrived, LeftArea)))
    return persons(sum(came))


# --------------------------------------------------------------------------- 2 performance
def _skill(figures: TeamFigures, tongue: Tongue) -> list[list[str]]:
    skill = figures.skill
    return [
        [tongue.say("hits"), tongue.number(skill.hits)],
        [tongue.say("misses"), tongue.number(skill.misses)],
        [tongue.say("alarms"), tongue.number(skill.false_alarms)],
        [tongue.say("recall"), tongue.percent(skill.recall)],
        [tongue.say("precision"), tongue.percent(skill.precision)],
        [tongue.say("csi"), tongue.share(skill.csi)],
        *(
            [
                _said(
                    "fss_within",
                    tongue.lang,
                    ring=tongue.say("ring_n", n=radius) if radius else tongue.say("ring_0"),
                ),
                tongue.share(value),
            ]
            for radius, value in skill.by_ring
        ),
        [tongue.say("brier"), tongue.share(skill.brier)],
    ]


def _alerts(figures: TeamFigures, tongue: Tongue) -> list[list[str]]:
    """Rows of the first alerts: turn, order, reason, what was known, what came of it."""
    rows = decision_rows(figures, tongue)
    alerts = [
        row
        for row, one in zip(rows, figures.decisions, strict=True)
        if kind_of(one) == "alert" and one.stood
    ]
    return [
        [
            f"{row.turn}",
            clean(row.order),
            clean(row.reason)[:140],
            clean(" · ".join(row.known[-2:])),
            clean(" · ".join(row.outcome[-2:])),
        ]
        for row in alerts[:MOST_ALERTS]
    ]


def _alerts_more(figures: TeamFigures, lang: str) -> str:
    alerts = [one for one in figures.decisions if kind_of(one) == "alert" and one.stood]
    more = len(alerts) - MOST_ALERTS
    return _said("alerts_more", lang, n=more) if more > 0 else ""


def _kinds(figures: TeamFigures, tongue: Tongue) -> list[list[str]]:
    """Rows of what was ordered, by kind: given, carried out, refused, withdrawn."""
    kinds = {kind: tongue.say(f"kind_{kind}") for kind in ("alert", "unit", "other")}
    rows = []
    for kind, name in kinds.items():
        mine = [one for one in figures.orders if kind_of(one) == kind]
        counts = (
            len(mine),
            sum(one.stood for one in mine),
            sum(one.verdict == REFUSED for one in mine),
            sum(one.verdict == WITHDRAWN for one in mine),
        )
        rows.append([name, *map(tongue.number, counts)])
    return rows


# --------------------------------------------------------------------------- 3 mission
def _shelters(figures: TeamFigures, tongue: Tongue) -> list[dict[str, Any]]:
    """Shelters in use, the fullest first where they are many."""
    shelters, taken = tongue.district.shelters, figures.shelters_filled[-1].tolist()
    order = sorted(range(len(shelters)), key=lambda i: -taken[i])[:MOST_SHELTERS]
    return [
        {
            "name": clean(shelters[i].name),
            "said": tongue.say("of_places", taken=taken[i], all=shelters[i].places),
            "share": round(min(1.0, taken[i] / max(shelters[i].places, 1)), 4),
        }
        for i in sorted(order)
    ]


def _teams(of_class: ClassFigures, tongue: Tongue) -> dict[str, Any] | None:
    if not of_class.is_class:
        return None
    return {
        "head": [tongue.say("team"), *(tongue.say(column) for column in class_columns(of_class))],
        "rows": [
            [short_name(clean(line.name)), *line.cells] for line in team_lines(of_class, tongue)
        ],
    }


__all__ = ["REPORT", "report_data", "write_report"]
