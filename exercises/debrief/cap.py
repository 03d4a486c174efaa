"""Each alert as a message of the Common Alerting Protocol 1.2, for a class to compare with its own.

OASIS, *Common Alerting Protocol Version 1.2*, 1 July 2010. The status is always ``Exercise`` and
the scope ``Restricted``: no system may take one for a real alert. An exercise has an hour and no
date: it is set on a Monday (a Saturday for a weekend) of January 2000, in time at -00:00.
"""

import xml.etree.ElementTree as ET
from datetime import datetime, timedelta
from pathlib import Path

from exercises.debrief.figures import ClassFigures
from exercises.debrief.material import Material, Team
from exercises.debrief.notices import Advice, Notice, notices_of
from exercises.voice import Voice, mark, voice
from gis.lattice import Lattice
from gis.pack_lattice import Ring, outlines_lonlat, read_lattice
from gis.quarter_names import quarters_said
from sim.errors import DebriefError
from sim.refusal import refuse
from sim.rules import LEVELS, TURN_MIN, Protection
from sim.severity_words import LANGUAGES
from sim.signs import for_xml

ALERTS = "alerts"
NAMESPACE = "urn:oasis:names:tc:emergency:cap:1.2"
STATUS = "Exercise"
SENDER = "exercise@averse.invalid"
"""A name that no host has (RFC 2606)."""
LANGUAGE_TAGS = {"fr": "fr-FR", "en": "en-GB"}
MOST_IN_A_HEADLINE = 160
"""Characters of a headline, as the standard advises."""

_WEEKDAY, _WEEKEND = datetime(2000, 1, 3), datetime(2000, 1, 8)
_DIGITS = 6
"""Decimals of a degree: a tenth of a metre."""

# what the people are told, and the protocol's word for it
_RESPONSES = {
    Protection.SHELTER: "Evacuate",
    Protection.UP: "Shelter",
    Protection.OUT: "Evacuate",
}
_INSTRUCTIONS = {
    Protection.SHELTER: mark(
        "Leave on foot at once for the nearest open shelter. Do not enter water."
    ),
    Protection.UP: mark("Go up to an upper floor and stay there. Do not enter water."),
    Protection.OUT: mark("Wait for the buses that leave the area. Do not enter water."),
}
_HEADLINES = {
    Protection.SHELTER: mark("EXERCISE – Flash flood: leave for the shelters. {places}"),
    Protection.UP: mark("EXERCISE – Flash flood: go upstairs. {places}"),
    Protection.OUT: mark("EXERCISE – Flash flood: buses leave the area. {places}"),
}


def write_alerts(
    material: Material, figures: ClassFigures, folder: Path, lang: str
) -> tuple[Path, ...]:
    """Write ``alerts/``: one message an alert, in both languages, ``lang`` first.

    Returns
    -------
    tuple of Path
        Of the messages, in the order of the alerts; none where a team alerted nobody.
    """
    lattice = read_lattice(material.pack)
    written = []
    for team in material.teams:
        notices = notices_of(team.played)
        if not notices:
            continue
        into = material.folder_of(team, folder) / ALERTS
        into.mkdir(exist_ok=True)
        for notice in notices:
            path = into / f"alert-{notice.number:03}.xml"
            path.write_bytes(message(team, notice, lattice, lang))
            written.append(path)
    return tuple(written)


def message(team: Team, notice: Notice, lattice: Lattice, lang: str) -> bytes:
    """Return an alert as a message, UTF-8.

    Raises
    ------
    DebriefError
        If an outline is none that a receiver could draw: this program is wrong.
    """
    ET.register_namespace("", NAMESPACE)
    world = team.world
    sent = _moment(team, notice.turn)
    sign = team.replayed.record.last_sha256[:16]
    alert = ET.Element(_named("alert"))
    _add(alert, "identifier", f"averse.{sign}.{notice.number:03}")
    _add(alert, "sender", SENDER)
    _add(alert, "sent", sent)
    _add(alert, "status", STATUS)
    _add(alert, "msgType", "Alert")
    _add(alert, "source", f"{world.district.name} – {team.name}")
    _add(alert, "scope", "Restricted")
    _add(alert, "restriction", "Players and instructors of this exercise only")
    _add(alert, "note", f"EXERCISE averse.{sign}: a training exercise, no real event")
    languages = sorted(LANGUAGES, key=lambda one: one != lang)
    for one in languages:
        for advice in notice.advice:
            _add_info(alert, team, notice, advice, voice(one), lattice)
    ET.indent(alert, " ")
    text: bytes = ET.tostring(alert, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _add_info(
    alert: ET.Element, team: Team, notice: Notice, advice: Advice, say: Voice, lattice: Lattice
) -> None:
    district = team.world.district
    names = quarters_said(district, say.lang)
    places = say.listed([names[quarter] for quarter in advice.quarters])
    info = ET.SubElement(alert, _named("info"))
    _add(info, "language", LANGUAGE_TAGS[say.lang])
    _add(info, "category", "Met")
    _add(info, "category", "Safety")
    _add(info, "event", say.phrase("Flash flood (exercise)"))
    _add(info, "responseType", _RESPONSES[advice.option])
    _add(info, "urgency", "Immediate")
    _add(info, "severity", "Severe")
    # the team knows the storm once the bulletin leaves one level open (§6.2)
    _add(info, "certainty", "Likely" if len(notice.levels) == 1 else "Possible")
    _add(info, "effective", _moment(team, notice.turn))
    _add(info, "expires", _moment(team, max(team.world.turns, notice.turn + 1)))
    _add(info, "senderName", say.phrase("{team} (exercise)", team=team.name))
    _add(info, "headline", _headline(say, advice.option, places))
    _add(info, "description", _description(say, notice))
    what = _INSTRUCTIONS[advice.option]
    _add(info, "instruction", say.phrase(what))
    _add_parameter(info, "averse:turn", str(notice.turn))
    _add_parameter(info, "averse:protection", advice.option.value)
    area = ET.SubElement(info, _named("area"))
    _add(area, "areaDesc", say.phrase("Quarters: {places}", places=places))
    for ring in outlines_lonlat(lattice, advice.cells):
        _add(area, "polygon", polygon(ring))


def _headline(say: Voice, option: Protection, places: str) -> str:
    what = _HEADLINES[option]
    told = say.phrase(what, places=places)
    return told if len(told) <= MOST_IN_A_HEADLINE else told[: MOST_IN_A_HEADLINE - 1] + "…"


def _description(say: Voice, notice: Notice) -> str:
    if notice.injunction:
        return say.phrase("Training exercise: the prefecture demands that this area be evacuated.")
    if len(notice.levels) == 1:
        return say.phrase(
            "Training exercise: a storm of level {level} is expected to flood streets.",
            level=notice.levels[0],
        )
    levels = notice.levels or (min(LEVELS), max(LEVELS))
    return say.phrase(
        "Training exercise: a storm of level {low} to {high} may flood streets.",
        low=min(levels),
        high=max(levels),
    )


def polygon(ring: Ring) -> str:
    """Return a closed ring as the protocol wants it: latitude first, the first corner again last.

    The schema takes an open ring, and one whose axes are swapped: neither passes here.

    Raises
    ------
    DebriefError
        If the ring is open, has under four corners, or is not in degrees.

    Examples
    --------
    >>> polygon([(2.0, 48.0), (2.1, 48.0), (2.0, 48.1), (2.0, 48.0)])
    '48.000000,2.000000 48.000000,2.100000 48.100000,2.000000 48.000000,2.000000'

    """
    pairs = [f"{lat:.{_DIGITS}f},{lon:.{_DIGITS}f}" for lon, lat in ring]
    if len(pairs) < 4 or pairs[0] != pairs[-1]:
        raise DebriefError(
            refuse(
                "",
                "the outline of an alert is no closed ring ({count} corners)",
                count=str(len(pairs)),
            )
        )
    if not all(abs(lat) <= 90 and abs(lon) <= 180 for lon, lat in ring):
        raise DebriefError(refuse("", "the outline of an alert is not in degrees"))
    return " ".join(pairs)


def _moment(team: Team, turn: int) -> str:
    day = _WEEKEND if team.world.scenario.weekend else _WEEKDAY
    at = day + timedelta(hours=team.world.hour, minutes=TURN_MIN * turn)
    return f"{at:%Y-%m-%dT%H:%M:%S}-00:00"


def _add(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, _named(name)).text = for_xml(text, " ")


def _add_parameter(info: ET.Element, name: str, value: str) -> None:
    parameter = ET.SubElement(info, _named("parameter"))
    _add(parameter, "valueName", name)
    _add(parameter, "value", value)


def _named(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"


__all__ = ["ALERTS", "STATUS", "message", "polygon", "write_alerts"]
