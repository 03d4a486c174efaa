"""A debrief is made of journals and a district pack alone, and says what does not go together."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from exercises.chain import ExerciseOptions, open_exercise
from exercises.debrief.decisions import ACCEPTED, REFUSED, UNRESOLVED, WITHDRAWN
from exercises.debrief.figures import class_figures
from exercises.debrief.material import read_material
from exercises.debrief.names import MOST_SHOWN, file_name, shown_name, told_apart
from exercises.family import Envelope
from exercises.journal import JOURNAL
from exercises.live import LiveExercise
from exercises.regret import DO_NOTHING
from exercises.session import play as play_on
from exercises.verification import verify_exercise
from sim.errors import AverseError, DebriefError, JournalError
from sim.events import AlertRolled
from sim.orders import Alert, Move, Withdraw
from tests.exercises.debrief.hand_exercise import TURNS, begun, play, write_pack
from tests.gis import hand_pack
from tests.strategies import seed_of


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    return write_pack(tmp_path_factory.mktemp("ground") / "pack")


@pytest.fixture(scope="module")
def exercise(pack, tmp_path_factory):
    return play(pack, tmp_path_factory.mktemp("blue") / "exercise", team="Blue")


def test_the_pack_is_found_where_the_exercise_was_begun(exercise, pack):
    material = read_material([exercise])
    assert material.pack == pack.resolve()
    (team,) = material.teams
    assert (team.name, team.key, team.number, team.ended_early) == ("Blue", "1-blue", 1, False)
    assert (material.lang, material.differences) == ("en", ())
    assert material.ground.digest


def test_moved_together_the_pack_is_still_found(exercise, pack, tmp_path):
    shutil.copytree(pack.parent, tmp_path / pack.parent.name)
    shutil.copytree(exercise.parent, tmp_path / exercise.parent.name)
    moved = read_material([tmp_path / exercise.parent.name / exercise.name])
    assert moved.pack == (tmp_path / pack.parent.name / pack.name).resolve()


def test_the_journal_alone_is_enough_beside_the_pack(exercise, pack, tmp_path):
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(exercise / JOURNAL, alone)
    with pytest.raises(DebriefError, match=r"not found: give its folder by --district"):
        read_material([alone])
    figures = class_figures(read_material([alone], pack))
    assert figures.teams[0].points == class_figures(read_material([exercise])).teams[0].points


def test_another_district_is_refused_and_a_later_ladder_is_not(exercise, pack, tmp_path):
    other = write_pack(tmp_path / "other", name="Elsewhere")
    with pytest.raises(DebriefError, match=r"is the district 'Elsewhere'.*give its pack"):
        read_material([exercise], other)
    rungs = tuple(
        replace(one, rain_years=2 * one.rain_years) for one in hand_pack.district().ladder
    )
    again = write_pack(tmp_path / "again", ladder=rungs)
    material = read_material([exercise], again)
    assert material.pack == again
    assert material.district.digest == read_material([exercise]).district.digest


def test_two_teams_on_one_storm(exercise, pack, tmp_path):
    same = play(pack, tmp_path / "red" / "exercise", orders=(), team="Blue")
    material = read_material([exercise, same])
    assert [team.name for team in material.teams] == ["Blue", "Blue (2)"]
    assert [team.key for team in material.teams] == ["1-blue", "2-blue-2"]
    assert material.teams[0].world is material.teams[1].world


def test_other_dice_are_said_and_another_storm_is_refused(exercise, pack, tmp_path):
    dice = play(pack, tmp_path / "dice", orders=(), seed=6)
    assert read_material([exercise, dice]).differences == ("seed",)
    for name, options in {
        "storm": {"level": 1},
        "hour": {"hour": 8},
        "length in turns": {"turns": TURNS - 2},
    }.items():
        other = play(pack, tmp_path / name.split()[0], orders=(), **options)
        with pytest.raises(DebriefError, match=f"are not one exercise: the {name} differs"):
            read_material([exercise, other])


def test_an_exercise_is_given_once(exercise):
    with pytest.raises(DebriefError, match="given twice"):
        read_material([exercise, exercise.parent / "x" / ".." / exercise.name])
    with pytest.raises(AverseError, match="no exercise was begun there"):
        read_material([exercise.parent])


def test_a_loop_of_links_is_told(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(AverseError, match=r"loop (is a loop of links|does not exist)"):
        read_material([tmp_path / "loop"])


def test_a_copy_of_an_exercise_is_no_second_team(exercise, pack, tmp_path):
    copy = shutil.copytree(exercise, tmp_path / "copy")
    with pytest.raises(DebriefError, match="copy is given twice: it holds the same journal as"):
        read_material([exercise, copy], pack)


def test_an_exercise_whose_journal_lost_its_end_is_refused_as_verify_does(exercise, pack, tmp_path):
    cut = shutil.copytree(exercise, tmp_path / "cut")
    with closing(sqlite3.connect(cut / JOURNAL)) as db, db:
        db.execute("DROP TRIGGER entries_no_delete")
        db.execute("DELETE FROM entries WHERE number > 9")
    with pytest.raises(JournalError, match=r"ends at entry 9, .*entries are missing") as debriefed:
        read_material([cut], pack)
    with pytest.raises(JournalError) as verified:
        verify_exercise(cut)
    assert str(debriefed.value) == str(verified.value)


def test_18_an_exercise_ended_early_is_debriefed_as_far_as_it_was_played(pack, tmp_path):
    folder = begun(pack, tmp_path / "early", turns=6)
    material = read_material([folder])
    (team,) = material.teams
    assert team.ended_early
    assert (team.played.turns, team.world.turns) == (5, TURNS)
    figures = class_figures(material).teams[0]
    assert len(figures.bulletin) == len(figures.capital) == len(figures.shelters_filled) == 6
    assert figures.decisions[-1].verdict == UNRESOLVED
    nothing = next(one for one in figures.alternatives if one.key == DO_NOTHING)
    assert nothing.score == play_on(team.world, {}, turns=5).score
    assert team.name == "early"


def test_an_exercise_of_which_no_turn_was_played_is_refused(pack, tmp_path):
    folder = begun(pack, tmp_path / "new", turns=1)
    with pytest.raises(DebriefError, match=r"stands at turn 1.*go on with it"):
        read_material([folder])


# --------------------------------------------------------------------------- decisions
def test_9_5_each_order_keeps_its_reason_what_was_known_and_what_came_of_it(exercise):
    team = class_figures(read_material([exercise])).teams[0]
    first = next(one for one in team.decisions if isinstance(one.order, Alert))
    assert (first.turn, first.place, first.reason) == (1, 1, "the low bank first")
    assert first.bulletin == (1, 2, 3, 5)
    assert {one.cell for one in first.water} == set(first.cells)
    rolls = [event for event in first.outcome.events if isinstance(event, AlertRolled)]
    reached = {cell for roll in rolls for cell in roll.cells}
    assert set(first.outcome.cells) == reached & set(first.cells)
    sums = first.outcome.people
    assert sums == team.people.sums_of(first.outcome.cells)
    by_verdict = [one.verdict for one in team.decisions]
    assert by_verdict.count(ACCEPTED) >= 6
    refused = next(one for one in team.decisions if one.verdict == REFUSED)
    assert refused.rule == refused.refusal.rule == "9.5"
    for one in team.decisions:
        depths = team.team.world.depth_mm[one.turn]
        assert [water.true_mm for water in one.water] == depths[list(one.cells)].tolist()
        assert all(water.age == one.turn - water.known_turn for water in one.water)


def test_9_5_a_withdrawn_order_is_told_as_one(pack, tmp_path):
    opened = open_exercise(
        pack, tmp_path / "back", ExerciseOptions(seed=seed_of(5), level=5, turns=TURNS)
    )
    label = hand_pack.SHEET.index_of
    with LiveExercise(opened.journal) as live:
        live.advance(1)
        for order in (
            Alert(turn=1, centre=label("0304"), radius=1),
            Move(turn=1, unit="patrol-1", to=label("0405")),
            Withdraw(turn=1, number=1),
        ):
            live.give(Envelope("team", "", 1, order))
        live.advance(3)
    decisions = class_figures(read_material([tmp_path / "back"])).teams[0].decisions
    assert [one.verdict for one in decisions] == [WITHDRAWN, ACCEPTED, ACCEPTED]
    assert decisions[0].outcome.events == ()
    assert decisions[1].outcome.arrived_turn in (1, 2)


# --------------------------------------------------------------------------- names
@pytest.mark.parametrize(
    ("name", "shown", "in_a_file"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script>", "script-alert-1-script"),
        ("../x", "../x", "x"),
        ("CON", "CON", "con"),
        ('"quoted"', '"quoted"', "quoted"),
        ("\u202edlo\u202c red", "dlo red", "dlo-red"),
        ("a\x00b\nc", "a b c", "a-b-c"),
        ("Équipe\u00a0Bleue", "Équipe Bleue", "equipe-bleue"),
        ("x" * 300, "x" * (MOST_SHOWN - 1) + "…", "x" * 40),
        ("\ud800", "", ""),
        ("水", "水", ""),
    ],
)
def test_hostile_names_are_shown_on_a_line_and_name_files(name, shown, in_a_file):
    assert shown_name(name) == shown
    assert file_name(name) == in_a_file


def test_no_two_teams_have_one_name():
    names = told_apart(["A", "A", "A (2)", "B"])
    assert len(set(names)) == 4
    assert names[0] == "A"
