"""What came of an order stands at the order that made it, whatever else was ordered that turn."""

import pytest

from exercises.chain import ExerciseOptions, open_exercise
from exercises.debrief.decisions import ACCEPTED, decisions_of
from exercises.debrief.material import read_material
from exercises.debrief.people import persons_by_hex
from exercises.family import Envelope
from exercises.live import LiveExercise
from sim.events import AlertRolled
from sim.orders import Alert, DoorToDoor, Protect
from sim.rules import Protection
from tests.exercises.debrief.hand_exercise import TURNS, write_pack
from tests.gis import hand_pack
from tests.strategies import seed_of

AT = hand_pack.SHEET.index_of
DOOR = AT("0704")
QUARTER = hand_pack.district().quarters.index("Sud-Ouest")
SIDE_BY_SIDE = {
    2: (
        Protect(turn=2, quarter=QUARTER, option=Protection.OUT),
        Protect(turn=2, quarter=QUARTER, option=Protection.UP),
        Alert(turn=2, centre=AT("0204"), radius=1, option=Protection.UP),
    ),
    5: (
        Alert(turn=5, centre=AT("0304"), radius=1),
        Alert(turn=5, centre=AT("0404"), radius=0),
    ),
    6: (
        DoorToDoor(turn=6, unit="patrol-1", cell=DOOR),
        DoorToDoor(turn=6, unit="patrol-2", cell=DOOR),
    ),
}
"""Orders of one turn on one thing; the third sets for its quarter what the second did."""


@pytest.fixture(scope="module")
def decisions(tmp_path_factory):
    """Decisions by turn, of an exercise in which orders of one turn speak of one thing."""
    folder = tmp_path_factory.mktemp("decisions")
    pack = write_pack(folder / "town")
    opened = open_exercise(
        pack, folder / "exercise", ExerciseOptions(seed=seed_of(5), level=5, turns=TURNS)
    )
    with LiveExercise(opened.journal) as live:
        for turn in range(TURNS + 1):
            for order in SIDE_BY_SIDE.get(turn, ()):
                live.give(Envelope("team", "", turn, order))
            live.advance(turn + 1)
    (team,) = read_material([folder / "exercise"]).teams
    people = persons_by_hex(team.world, team.played.states[-1])
    every = decisions_of(team.replayed, team.played, people)
    assert {one.verdict for one in every} == {ACCEPTED}
    return {turn: [one.outcome for one in every if one.turn == turn] for turn in SIDE_BY_SIDE}


def test_9_3_each_protection_stands_at_the_order_that_set_it(decisions):
    first, second, brush = (
        [(event.quarter, event.option) for event in outcome.events if hasattr(event, "option")]
        for outcome in decisions[2]
    )
    assert first == [(QUARTER, "out")]
    assert second == [(QUARTER, "up")]
    assert brush
    assert QUARTER not in {quarter for quarter, _ in brush}


def test_9_4_two_brushes_on_one_place_tell_its_roll_and_its_people_once(decisions):
    wide, within = decisions[5]
    assert any(isinstance(event, AlertRolled) for event in wide.events)
    assert (within.events, within.cells) == ((), ())


def test_9_4_a_door_knocked_at_is_told_at_one_patrol(decisions):
    assert [outcome.cells for outcome in decisions[6]] == [(DOOR,), ()]
