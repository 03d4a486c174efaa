"""The tables of the printed forms: the rule card, the kinds of order, what there is in the town.

Every figure is taken from the rules' own tables.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from exercises.order_forms import ORDER_KINDS
from exercises.room.forms_words import forms_say, forms_texts
from exercises.room.team_words import team_words
from exercises.voice import Voice, voice
from gis.quarter_names import quarters_said
from gis.sheet_labels import clean
from gis.sheet_tables import link_rows, percent, water_rows
from gis.wording import HARD, written
from sim.alerts import has_sirens, succeeds
from sim.district import District, IntArray
from sim.orders import FREE, fields_of
from sim.rules import (
    ACTIONS,
    ALERTS,
    BOAT_MOBILITY,
    BULLETIN,
    CAPITAL_REFUSED,
    CAPITAL_REFUSED_RIGHTLY,
    CAPITAL_START,
    CARD_FROM_TURN,
    CARD_ONE_TURN_IN,
    CARDS,
    COUNTER_BASE,
    DEPTH_FACTOR_TENTHS,
    FOLLOWERS_PERCENT,
    FOOTBRIDGE_CAPACITY,
    NIGHT_PATROL_SIGHT,
    NIGHT_ROLL,
    NIGHT_STEP_PERCENT,
    OUT_COUNTER_BASE,
    OUT_HEXES_A_TURN,
    OUT_VEHICLES,
    PATROL_SIGHT,
    POINTS_CAPITAL,
    POINTS_MISUSED,
    POINTS_SAVED,
    POINTS_VICTIM,
    PREPARATION_DELAY_TURNS,
    PREPARATION_SUCCESS,
    PROTECTIONS,
    PUMPED_MM,
    REPORT_DELAY_TURNS,
    REPORT_WRONG_ONE_IN,
    RESERVED_LINKS,
    STAFFING,
    TURN_MIN,
    UNITS,
    AlertMeans,
    Channel,
    Protection,
    Structure,
    UnitKind,
    Water,
)
from sim.turn import PHASES
from sim.units import units_at_start

Plain = dict[str, Any]
Row = list[str]
_DICE = range(1, 7)


def disk_size(radius: int) -> int:
    """Hexes of a brush.

    >>> [disk_size(radius) for radius in (1, 2, 3)]
    [7, 19, 37]
    """
    return 1 + 3 * radius * (radius + 1)


def order_rows(lang: str) -> list[Row]:
    """Every kind of order: its name, its price, what is written beside it."""
    known = team_words(lang)
    rows = []
    for key, kind in ORDER_KINDS.items():
        name = f"kind_{key}"
        label = forms_say(name, lang) if name in forms_texts() else known[name]
        free = issubclass(kind, FREE)
        price = forms_say("free", lang) if free else forms_say("n_orders", lang, n=1)
        parts = [
            forms_say(f"field_{stands_for or name}", lang)
            for name, (_, stands_for) in fields_of(kind).items()
        ]
        rows.append([label, price, ", ".join(parts)])
    return rows


def card_of(district: District, lang: str) -> Plain:
    """Return the tables of the rule card."""
    say = voice(lang)
    return {
        "phases": [
            forms_say(
                f"phase_{phase.__name__}",
                lang,
                card_one_in=CARD_ONE_TURN_IN,
                card_from=CARD_FROM_TURN,
            )
            for phase in PHASES
        ],
        "phases_title": forms_say("phases", lang, n=TURN_MIN),
        "staffing": [
            [
                str(row.from_turn),
                _capital(say.label(row)),
                str(row.orders),
                forms_say("radius_n", lang, radius=row.brush_radius, n=disk_size(row.brush_radius)),
            ]
            for row in STAFFING
        ],
        "channels": _channels(lang),
        "bulletin": forms_say(
            "bulletin_line",
            lang,
            steps=" ; ".join(
                forms_say("bulletin_step", lang, turn=row.from_turn, n=row.levels_open)
                for row in BULLETIN
            )
            if lang == "fr"
            else "; ".join(
                forms_say("bulletin_step", lang, turn=row.from_turn, n=row.levels_open)
                for row in BULLETIN
            ),
        ),
        "links": [[row[0], row[1], row[2], row[4]] for row in link_rows(district, lang)],
        "waters": water_rows(lang),
        "cost_line": forms_say(
            "cost_line",
            lang,
            **{
                structure.name.lower(): written(DEPTH_FACTOR_TENTHS[structure] / 10, lang, 1)
                for structure in (Structure.BRIDGE, Structure.UNDERPASS)
            },
        ),
        "units": _units(say),
        "actions": [
            [
                _capital(say.label(row)),
                forms_say("n_turns", lang, n=row.set_up_turns),
                say.either([say.label(UNITS[kind]) for kind in row.units]),
            ]
            for row in ACTIONS.values()
        ],
        "pump_line": forms_say(
            "pump_line",
            lang,
            cm=PUMPED_MM // 10,
            people=FOOTBRIDGE_CAPACITY,
            links=RESERVED_LINKS,
        ),
        "alerts": [_alert(means, say) for means in AlertMeans],
        "alert_line": forms_say(
            "alert_line",
            lang,
            night=_signed(NIGHT_ROLL),
            ready=PREPARATION_SUCCESS,
            turns=PREPARATION_DELAY_TURNS,
        ),
        "protections": _protections(say),
        "walk_line": forms_say("walk_line", lang, night=NIGHT_STEP_PERCENT),
        "cards": [
            [
                _capital(say.label(row)),
                "–" if row.lasts_turns is None else forms_say("n_turns", lang, n=row.lasts_turns),
            ]
            for row in CARDS.values()
        ],
        "score": [
            [forms_say("score_saved", lang), _signed(POINTS_SAVED)],
            [forms_say("score_misused", lang), _signed(POINTS_MISUSED)],
            [forms_say("score_victim", lang), _signed(POINTS_VICTIM)],
            [
                forms_say("score_capital", lang, start=CAPITAL_START),
                f"±{POINTS_CAPITAL}",
            ],
        ],
        "injunction_line": forms_say(
            "injunction_line",
            lang,
            now=_signed(CAPITAL_REFUSED),
            later=_signed(CAPITAL_REFUSED_RIGHTLY),
        ),
    }


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _signed(points: int) -> str:
    return f"{points:+}".replace("-", "−")


def _channels(lang: str) -> list[Row]:
    exact, at_once = forms_say("exact", lang), forms_say("at_once", lang)
    own = forms_say("own_hex", lang)
    around = forms_say(
        "around", lang, n=disk_size(PATROL_SIGHT), night=disk_size(NIGHT_PATROL_SIGHT)
    )
    rest: Mapping[Channel, tuple[str, str, str]] = {
        Channel.PATROL: (around, exact, at_once),
        Channel.PUMP: (own, exact, at_once),
        Channel.STATION: (own, exact, at_once),
        Channel.REPORTS: (
            forms_say("populated", lang),
            forms_say("one_class_off", lang, n=REPORT_WRONG_ONE_IN),
            forms_say("n_turns", lang, n=REPORT_DELAY_TURNS),
        ),
        Channel.ALERTS: (forms_say("alerts_see", lang), exact, at_once),
        Channel.ARRIVALS: (forms_say("arrivals_see", lang), exact, at_once),
    }
    return [[channel_name(channel, lang), *rest[channel]] for channel in Channel]


def channel_name(channel: Channel, lang: str) -> str:
    """Return what a channel is called."""
    return forms_say(f"channel_{channel.value}", lang)


def _units(say: Voice) -> list[Row]:
    rows = [[_capital(say.label(row)), str(row.mobility)] for row in UNITS.values()]
    at = list(UNITS).index(UnitKind.BOAT)
    rows[at][1] += " ; " if say.lang == "fr" else "; "
    rows[at][1] += forms_say(
        "boat_afloat", say.lang, n=BOAT_MOBILITY, from_class=int(Water.NAUTICAL)
    )
    return rows


def _alert(means: AlertMeans, say: Voice) -> Row:
    row = ALERTS[means]
    rolls = [one + other for one in _DICE for other in _DICE]
    chance = sum(succeeds(means, roll, 0) for roll in rolls) / len(rolls)
    from_n = (
        forms_say("automatic", say.lang)
        if row.success is None
        else forms_say("from_n", say.lang, n=row.success)
    )
    return [_capital(say.label(row)), from_n, percent(chance, say.lang)]


_TAKES: Mapping[Protection, Mapping[str, int]] = MappingProxyType(
    {
        Protection.UP: {},
        Protection.SHELTER: {"base": COUNTER_BASE, "percent": FOLLOWERS_PERCENT},
        Protection.OUT: {
            "base": OUT_COUNTER_BASE,
            "a_turn": OUT_HEXES_A_TURN,
            "vehicles": OUT_VEHICLES,
        },
    }
)


def _protections(say: Voice) -> list[Row]:
    return [
        [
            _capital(say.label(row)),
            forms_say(f"takes_{option.value}", say.lang, **_TAKES[option]),
            forms_say(f"costs_{option.value}", say.lang, **_TAKES[option]),
        ]
        for option, row in PROTECTIONS.items()
    ]


def town_of(
    district: District, to_shelter: IntArray, lang: str, *, half_staff: bool = False
) -> Plain:
    """Return what there is in the town, as its team may know it before the first decision.

    Parameters
    ----------
    district : District
    to_shelter : (n_hex,) int
        People to shelter (§8.3).
    lang : {"fr", "en"}
    half_staff : bool
        Whether half of the units are away.
    """
    say, sirens = voice(lang), has_sirens(district)
    quarters = []
    for number, name in enumerate(quarters_said(district, lang)):
        cells = district.hexes_of_quarter(number)
        people = int(np.asarray(to_shelter)[list(cells)].sum()) if cells else 0
        quarters.append(
            [
                clean(name),
                str(len(cells)),
                written(people, lang),
                forms_say("yes", lang) if sirens[number] else "",
            ]
        )
    return {
        "quarters": quarters,
        "shelters": [
            [
                str(number),
                district.sheet.label(shelter.cell),
                clean(shelter.name),
                written(shelter.places, lang),
            ]
            for number, shelter in enumerate(district.shelters, 1)
        ],
        "units": [
            [say.unit(unit.name).replace(HARD, " "), district.sheet.label(unit.cell)]
            for unit in units_at_start(district, half_staff=half_staff)
        ],
    }
