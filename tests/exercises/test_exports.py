"""What an exercise leaves behind."""

import csv
import json
from dataclasses import replace

import pytest

from exercises.exports import UNDEFINED, scores, write_exports
from exercises.orders_file import read_orders
from exercises.session import play
from sim.orders import Alert, Forecast, Move, Withdraw
from sim.state import state_hash
from tests.strategies import dry_world, synthetic_district, synthetic_world


@pytest.fixture(scope="module")
def played():
    world = synthetic_world(synthetic_district(12, 10, 2), level=5, turns=20)
    n = world.district.sheet.n_hexes
    orders = {0: (Forecast(turn=0, cells=(3, 5, 70)),)}
    for turn in range(1, 8):
        orders[turn] = (
            Alert(turn=turn, centre=turn * 17 % n, radius=1, reason="low ground; « bas »"),
            Move(turn=turn, unit="patrol-1", to=turn * 29 % n),
            Alert(turn=turn, centre=5, radius=9),  # refused: the brush is too wide
            Withdraw(turn=turn, number=2 if turn % 2 else 3),
        )
    return play(world, orders)


def test_the_orders_play_again_to_the_same_states_without_those_refused_or_withdrawn(
    played, tmp_path
):
    *_, path = write_exports(tmp_path, played)
    world = played.world
    again = play(world, read_orders(path, world.district, world.turns))
    assert [state_hash(s) for s in again.states] == [state_hash(s) for s in played.states]
    assert again.orders == played.orders
    assert sum(len(orders) for orders in played.orders.values()) == 1 + 7 + 3


def test_the_scores_say_the_three_terms_the_victims_and_what_they_rest_on(played, tmp_path):
    path, *_ = write_exports(tmp_path, played)
    written = json.loads(path.read_text(encoding="utf-8"))
    assert written == scores(played)
    terms, result = written["terms"], played.score
    assert result.saved + result.misused + result.victims > 0
    assert terms["needed_and_done"] == {
        "people": result.saved,
        "points_each": 2,
        "points": 2 * result.saved,
    }
    assert terms["needed_and_not_done"]["people"] == result.threatened - result.saved
    assert terms["not_needed"]["points"] == -result.misused
    assert terms["victims"]["points"] == -4 * result.victims
    total = sum(term["points"] for term in terms.values()) + written["capital"]["points"]
    assert written["points"] == total == result.points
    assert written["recall"] == pytest.approx(float(result.recall), abs=1e-4)
    assert written["forecast"]["hits"] + written["forecast"]["false_alarms"] == 3
    assert written["state_sha256"] == state_hash(played.states[-1])


def test_the_csv_is_utf_8_with_a_mark_and_says_the_same(played, tmp_path):
    _, path, *_ = write_exports(tmp_path, played)
    assert path.read_bytes().startswith("\ufeff".encode())
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = {row["measure"]: row for row in csv.DictReader(file)}
    written = scores(played)
    assert int(rows["total"]["points"]) == written["points"]
    for name, term in written["terms"].items():
        assert int(rows[name]["value"]) == term["people"]
        assert int(rows[name]["points"]) == term["points"]
    assert float(rows["recall"]["value"]) == written["recall"]


def test_12_2_an_empty_denominator_shows_a_dash_and_null(tmp_path):
    nothing = play(dry_world(synthetic_district(), turns=2), {})
    json_path, csv_path, *_ = write_exports(tmp_path, nothing)
    written = json.loads(json_path.read_text(encoding="utf-8"))
    assert (written["recall"], written["precision"]) == (None, None)
    assert written["forecast"]["recall"] is None
    text = csv_path.read_text(encoding="utf-8-sig")
    assert f"recall,{UNDEFINED}," in text
    assert f"precision,{UNDEFINED}," in text


def test_every_event_is_one_line_with_its_turn_and_rule(played, tmp_path):
    _, _, path, _ = write_exports(tmp_path, played)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == sum(len(events) for events in played.events)
    assert [line["turn"] for line in lines] == sorted(line["turn"] for line in lines)
    refused = [line for line in lines if line["event"] == "OrderRefused"]
    # seven brushes too wide, three withdrawals of those
    assert sorted(line["by_rule"] for line in refused) == ["9.1"] * 7 + ["9.5"] * 3


def test_the_files_do_not_depend_on_when_they_are_written(played, tmp_path):
    first, second = tmp_path / "a", tmp_path / "b"
    for folder in (first, second):
        folder.mkdir()
        write_exports(folder, replace(played))
    for path in first.iterdir():
        assert path.read_bytes() == (second / path.name).read_bytes()
