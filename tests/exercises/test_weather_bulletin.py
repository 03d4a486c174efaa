"""Rain of a scenario's own: the bulletin speaks of levels, and all that reads a journal goes on."""

from dataclasses import replace

import pytest

from exercises.chain import ExerciseOptions, open_exercise, play_opened
from exercises.debrief.material import read_material
from exercises.exercise_folder import is_ground_of, summary_of
from exercises.journal import JOURNAL, read_journal
from exercises.live import LiveExercise
from exercises.map_frames import frames_of
from exercises.verification import verify_exercise
from exercises.weather_entry import district_under
from sim.district import literal_ladder
from sim.rules import LEVELS
from sim.weather import Weather
from tests.exercises.debrief.hand_exercise import write_pack
from tests.gis import hand_pack
from tests.strategies import seed_of

TURNS = 3
YEARS = 200


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    """A pack on which a level is a return period and nothing else."""
    return write_pack(
        tmp_path_factory.mktemp("weather") / "town", ladder=literal_ladder(tuple(LEVELS))
    )


def opened(pack, folder, text):
    asked = ExerciseOptions(seed=seed_of(5), level=3, turns=TURNS, player="do-nothing")
    if text:
        given = folder.parent / f"{folder.name}.toml"
        given.write_text(text, encoding="utf-8")
        asked = replace(asked, weather=given)
    return open_exercise(pack, folder, asked)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "rain of 1–5-year return period"),
        ('[storm]\nhyetograph = { form = "chicago" }\n', "rain of 1–5-year return period"),
        (f"[storm]\nyears = {YEARS}\n", "storm of level 1–5"),
    ],
)
def test_6_2_the_bulletin_speaks_of_years_where_they_are_the_levels(pack, tmp_path, text, says):
    played = play_opened(opened(pack, tmp_path / "exercise", text))
    assert set(frames_of(played, "en").bulletins[1:]) == {says}
    # what the debrief says of the storm is what fell
    storm = summary_of(tmp_path / "exercise")["storm"]
    assert storm["rain_years"] == (YEARS if "years" in text else 3)
    assert read_material([tmp_path / "exercise"], pack).teams[0].played.turns == TURNS
    verify_exercise(tmp_path / "exercise")


def test_7_7_an_exercise_under_rain_of_its_own_goes_on_with_its_pack(pack, tmp_path):
    out = tmp_path / "exercise"
    begun = opened(pack, out, f"[storm]\nyears = {YEARS}\n")
    with LiveExercise(begun.journal) as live:
        live.advance(1)
    again = open_exercise(pack, out, ExerciseOptions(resume=True))
    assert play_opened(again).turns == TURNS


def test_7_7_another_ground_or_ladder_is_not_taken_for_it(pack, tmp_path):
    begun = opened(pack, tmp_path / "exercise", f"[storm]\nyears = {YEARS}\n")
    record, district = read_journal(tmp_path / "exercise" / JOURNAL), begun.district
    assert is_ground_of(district, record)
    assert not is_ground_of(replace(district, name="Elsewhere"), record)
    plain = opened(pack, tmp_path / "plain", "")
    calibrated = replace(district, ladder=hand_pack.district().ladder[::-1])
    kept = read_journal(plain.journal)
    assert is_ground_of(district, kept)
    assert not is_ground_of(calibrated, kept)


def test_7_7_only_rain_of_its_own_changes_what_levels_stand_for():
    district = hand_pack.district()
    assert district_under(district, None) is district
    assert district_under(district, Weather()) is district
    under = district_under(district, Weather(years=7.0))
    assert {severity.rain_years for severity in under.ladder} == {7.0}
    assert not under.is_literal
