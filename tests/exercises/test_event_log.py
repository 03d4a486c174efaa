"""The event log (main courante): a line an event, for one side, in one language."""

import csv
import io
import re

from exercises.event_log import event_log
from sim.events import INSTRUCTOR, TEAM
from sim.orders import Alert, Move
from sim.turn import replay
from tests.strategies import synthetic_district, synthetic_world

WORLD = synthetic_world(synthetic_district(10, 10), level=5, turns=8, hour=14)
ORDERS = {
    1: (
        Alert(turn=1, centre=44, radius=1, reason="eau ; au sous-passage"),
        Move(turn=1, unit="patrol-1", to=3),
        Alert(turn=1, centre=44, radius=3),
    )
}
EVENTS = [event for happened in replay(WORLD, ORDERS)[1] for event in happened]


def rows(lang: str, side: str) -> list[list[str]]:
    between = ";" if lang == "fr" else ","  # as the spreadsheets of each language read them
    return list(csv.reader(io.StringIO(event_log(WORLD, EVENTS, lang, side)), delimiter=between))


def test_the_team_reads_what_it_may_see_in_its_language():
    heading, *lines = rows("fr", TEAM)
    assert heading == ["tour", "heure", "règle", "événement"]
    assert len(lines) == sum(TEAM in event.seen_by for event in EVENTS)
    first = next(line for line in lines if "raison" in line[3])
    assert first == [
        "1",
        "14\xa0h\xa010",
        "9.5",
        (
            "Ordre\xa0: alerter au pinceau de rayon 1 autour de 0505\xa0; "
            "raison\xa0: eau ; au sous-passage"
        ),
    ]
    assert any(line[3].startswith("Ordre refusé (règle 9.1)") for line in lines)


def test_the_instructor_reads_all_and_who_saw_it():
    heading, *lines = rows("en", INSTRUCTOR)
    assert heading == ["turn", "time", "rule", "seen by the team", "what happened"]
    assert len(lines) == len(EVENTS)
    assert [line[3] for line in lines] == [
        "yes" if TEAM in event.seen_by else "no" for event in EVENTS
    ]
    assert {line[1] for line in lines if line[0] == "8"} == {"15:20"}
    both = [(line[:3], line[4]) for line in lines if line[3] == "yes"]
    read = [(line[:3], line[3]) for line in rows("en", TEAM)[1:]]
    # what a unit's way cost tells of water that it did not look at (§6.0): the team reads the way
    assert [(at, re.sub(r", \d+ points?$", "", said)) for at, said in both] == read
    assert both != read
