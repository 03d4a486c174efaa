"""Alerts as CAP 1.2 messages, under the schema of OASIS and what the schema lets pass."""

import xml.etree.ElementTree as ET

import capvalidator
import numpy as np
import pytest

from exercises.debrief.cap import NAMESPACE, message, polygon, write_alerts
from exercises.debrief.figures import class_figures
from exercises.debrief.material import read_material
from exercises.debrief.notices import Advice, Notice, notices_of
from gis.pack_lattice import outlines_lonlat, read_lattice
from sim.errors import DebriefError
from sim.rules import Protection
from tests.exercises.debrief import hand_exercise
from tests.gis import hand_pack

CAP = {"": NAMESPACE}
HOSTILE = (
    "<script>window.PWNED=1</script>",
    "\"'&]]><!--",
    "\u202eطريق\x0b",
    "x" * 300,
)


@pytest.fixture(scope="module")
def material(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cap")
    pack = hand_exercise.write_pack(folder / "pack", quarters=HOSTILE)
    orders = [
        {**order, "quarter": HOSTILE[1]} if "quarter" in order else order
        for order in hand_exercise.ORDERS
    ]
    return read_material([hand_exercise.play(pack, folder / "exercise", orders)], pack)


@pytest.fixture(scope="module")
def written(material, tmp_path_factory):
    folder = tmp_path_factory.mktemp("out")
    return write_alerts(material, class_figures(material), folder, "fr")


def test_every_alert_that_stood_gives_one_message_and_no_other_does(material, written):
    [team] = material.teams
    assert [path.name for path in written] == ["alert-001.xml", "alert-002.xml", "alert-003.xml"]
    assert [notice.turn for notice in notices_of(team.played)] == [1, 2, 4]


def test_17_messages_are_valid_and_never_but_an_exercise(written):
    for path in written:
        text = path.read_bytes()
        result = capvalidator.check_schema(text)
        assert result.passed, result.message
        root = ET.fromstring(text)
        assert root.findtext("status", namespaces=CAP) == "Exercise"
        assert root.findtext("scope", namespaces=CAP) == "Restricted"
        assert root.findtext("info/language", namespaces=CAP) == "fr-FR"
    assert len({ET.parse(path).findtext("identifier", namespaces=CAP) for path in written}) == 3


def test_both_languages_say_the_same_of_the_same_places(written):
    for path in written:
        infos = ET.parse(path).getroot().findall("info", CAP)
        by_language = {
            tag: [
                (
                    info.findtext("responseType", namespaces=CAP),
                    [ring.text for ring in info.findall("area/polygon", CAP)],
                )
                for info in infos
                if info.findtext("language", namespaces=CAP) == tag
            ]
            for tag in ("fr-FR", "en-GB")
        }
        assert by_language["fr-FR"] == by_language["en-GB"] != []
        headlines = [info.findtext("headline", namespaces=CAP) for info in infos]
        assert len(set(headlines)) == len(headlines)
        assert all(len(headline) <= 160 for headline in headlines)


def test_the_outline_is_closed_latitude_first_and_about_the_brush(material, written):
    """The schema lets an open ring and swapped axes pass: Paris would lie off Somalia."""
    area = ET.parse(written[0]).getroot().find("info/area", CAP)
    [ring] = area.findall("polygon", CAP)
    corners = np.array([pair.split(",") for pair in ring.text.split()], dtype=float)
    assert (corners[0] == corners[-1]).all()
    lattice = read_lattice(material.pack)
    west, south, east, north = lattice.bounds_lonlat
    assert (corners[:, 0] >= south).all()
    assert (corners[:, 0] <= north).all()
    assert (corners[:, 1] >= west).all()
    assert (corners[:, 1] <= east).all()
    [first, *_] = notices_of(material.teams[0].played)
    cells = list(first.advice[0].cells)
    # hexes of 5.8543 ha each (rule 1.1); a degree of latitude is 111.2 km
    lat, lon = np.radians(corners).T
    x, y = 6_371_000 * np.cos(np.radians(48.85)) * lon, 6_371_000 * lat
    shoelace = abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2
    assert shoelace == pytest.approx(len(cells) * 58_543, rel=0.02)


def test_quarters_told_apart_are_told_each_its_own(material):
    """An alert that names no option keeps each quarter's (§9.3)."""
    third = notices_of(material.teams[0].played)[2]
    told = {advice.option for advice in third.advice}
    assert told == {Protection.SHELTER, Protection.OUT}
    cells = [cell for advice in third.advice for cell in advice.cells]
    assert len(cells) == len(set(cells))


def test_a_ring_that_nobody_could_draw_is_refused():
    with pytest.raises(DebriefError, match="no closed ring"):
        polygon([(2.0, 48.0), (2.1, 48.0), (2.0, 48.1), (2.0, 48.2)])
    with pytest.raises(DebriefError, match="not in degrees"):
        polygon([(448_000.0, 5_411_000.0), (1.0, 1.0), (2.0, 2.0), (448_000.0, 5_411_000.0)])


def test_hexes_apart_give_a_ring_each():
    placed = hand_pack.lattice()
    sheet = hand_pack.SHEET
    rings = outlines_lonlat(placed, [sheet.index_of("0203"), sheet.index_of("0803")])
    assert [len(ring) for ring in rings] == [7, 7]
    assert outlines_lonlat(placed, []) == []


def test_the_bulletin_makes_an_alert_likely_once_it_is_exact(material):
    """Certainty is what the team could know (§6.2), not what was true."""
    [team] = material.teams
    advice = (Advice(Protection.UP, (0,), (hand_pack.SHEET.index_of("0203"),)),)
    lattice = read_lattice(material.pack)
    said = [
        ET.fromstring(message(team, Notice(1, 9, True, levels, advice), lattice, "en")).findtext(
            "info/certainty", namespaces=CAP
        )
        for levels in ((), (1, 2), (3,))
    ]
    assert said == ["Possible", "Possible", "Likely"]


def test_two_runs_write_the_same_bytes(material, written, tmp_path):
    again = write_alerts(material, class_figures(material), tmp_path, "fr")
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in written]
