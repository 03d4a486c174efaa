"""One figure, wherever it is printed: places taken, orders given and carried out."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from exercises.debrief.figure_tables import figures_plain, scores_table
from exercises.debrief.figures import class_figures
from exercises.debrief.map_stories import cuts_of, cuts_story, evacuation_story
from exercises.debrief.material import read_material
from exercises.debrief.page_class import CLASS_COLUMNS, team_lines
from exercises.debrief.page_course import orders_by_turn
from exercises.debrief.page_tongue import Tongue
from exercises.debrief.page_twin import frames_for
from exercises.debrief.tables import BOM, csv_text
from gis.shown import links_in_play
from gis.webmap import cuts, read_scene, turns_data
from gis.webmap_codec import pack_turns
from sim.orders import Forecast
from tests.exercises.debrief.hand_exercise import play, write_pack


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    folder = tmp_path_factory.mktemp("one source")
    return class_figures(read_material([play(write_pack(folder / "town"), folder / "exercise")]))


@pytest.fixture(scope="module")
def flooded(figures):
    """The frames of the exercise as they would be with two metres of water everywhere."""
    frames = frames_for(figures.teams[0], "en")
    deep = np.full_like(frames.true_depth_mm, 2_000)
    return replace(frames, true_depth_mm=deep, known_depth_mm=deep)


def test_9_5_orders_given_carried_out_and_refused_are_counted_once_for_all_files(figures):
    (team,) = figures.teams
    text = csv_text(scores_table(figures, "en"), "en").removeprefix(BOM)
    (row,) = csv.DictReader(io.StringIO(text))
    given, stood, refused = (
        int(row[f"orders {what}"]) for what in ("given", "carried out", "refused")
    )
    # all of this exercise's orders stand or are refused; its forecasts are no orders
    assert given == stood + refused == len(team.decisions) - 2
    assert refused == 1
    assert any(isinstance(one.order, Forecast) for one in team.decisions)
    (plain,) = figures_plain(figures)["teams"]
    assert plain["orders"] == {"given": given, "carried_out": stood, "refused": refused}
    world = team.team.world
    tongue = Tongue("en", world.district, world.hour)
    (line,) = team_lines(figures, tongue)
    assert line.cells[CLASS_COLUMNS.index("orders_count")] == str(stood)
    assert sum(sum(turn.values()) for turn in orders_by_turn(team)) == stood


def test_10_5_places_of_all_shelters_are_rounded_once(figures):
    (team,) = figures.teams
    assert team.places_taken[-1] == team.sums.places
    n_shelters = team.shelters_taken.shape[1]
    # a place and a half in each: what is printed of all of them loses half a place at most
    halves = replace(team, shelters_taken=np.full_like(team.shelters_taken, 150))
    assert halves.places_taken.tolist() == [150 * n_shelters // 100] * len(team.shelters_taken)
    assert halves.places_taken[0] > halves.shelters_filled[0].sum()
    (choice,) = evacuation_story(halves, frames_for(team, "en"), "en").choices
    said = dict(choice.figures)["Places taken"]
    assert set(said) == {f"{halves.places_taken[0]} places"}
    late = dict(choice.figures)["Threatened, sheltered too late"][-1]
    assert late.split()[0] == str(team.sums.people_late)
    (plain,) = figures_plain(figures)["teams"]
    assert plain["places_taken_by_turn"][-1] == plain["places_used"]


def test_16_cuts_of_links_out_of_play_are_neither_shown_nor_counted(figures, flooded):
    (team,) = figures.teams
    district = team.team.world.district
    in_play = links_in_play(district)
    every = cuts(district, flooded.true_depth_mm, flooded.true_links)
    out_of_play = (every > 0) & ~in_play
    assert out_of_play.any()
    for cut in cuts_of(team, flooded):
        assert cut.any()
        assert not cut[out_of_play].any()
    packed = turns_data(district, flooded, in_play)
    assert packed["cutTrue"] == pack_turns(every * in_play)
    # in play a unit may take any link: a board shows them all
    assert turns_data(district, flooded)["cutTrue"] == pack_turns(every)
    (choice,) = cuts_story(team, flooded, "en").choices
    on_foot, to_all = (
        dict(choice.figures)[name][-1]
        for name in ("Cut to pedestrians only", "Cut to every vehicle")
    )
    counted = sum(int(said.split()[0]) for said in (on_foot, to_all))
    assert counted == ((every > 0) & in_play)[-1].sum()


def test_16_the_film_has_no_bar_out_of_play(figures, flooded):
    (team,) = figures.teams
    pytest.importorskip("PIL.Image")
    from gis.film_page import FilmPage, FilmTexts

    scene = read_scene(team.team.folder.parent / "town")
    page = FilmPage(scene, flooded, FilmTexts("Essai", "A film", "Believed", "True"), "en", 360)
    for cut in page._cuts:
        assert cut.any()
        assert not cut[:, ~links_in_play(scene.district)].any()
