"""Files of orders: what is read, and every fault told with file, line and rule."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exercises.orders_file import read_orders, write_orders
from sim.errors import OrderError
from sim.orders import Alert, DoorToDoor, Forecast, Move, Withdraw
from tests.strategies import line_district, synthetic_district

DISTRICT = synthetic_district(10, 9)
TURNS = 30


@pytest.fixture
def write(tmp_path):
    def written(*lines):
        path = tmp_path / "orders.jsonl"
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        path.write_text("\n".join(texts) + "\n", encoding="utf-8")
        return path

    return written


def alert(turn=1, centre="0404", radius=1, **more):
    return {"turn": turn, "order": "alert", "centre": centre, "radius": radius, **more}


def test_every_order_is_read(write):
    path = write(
        {"turn": 0, "order": "forecast", "cells": ["0101", "0203"]},
        alert(reason="eau au passage"),
        "",
        {"turn": 2, "order": "move", "unit": "patrol-3", "to": "0509"},
        {"turn": 2, "order": "withdraw", "number": 1},
        {"turn": 2, "order": "door_to_door", "unit": "patrol-3", "cell": "0509"},
    )
    cell = DISTRICT.sheet.index_of
    assert read_orders(path, DISTRICT, TURNS) == {
        0: (Forecast(turn=0, cells=(cell("0101"), cell("0203"))),),
        1: (Alert(turn=1, centre=cell("0404"), radius=1, reason="eau au passage"),),
        2: (
            Move(turn=2, unit="patrol-3", to=cell("0509")),
            Withdraw(turn=2, number=1),
            DoorToDoor(turn=2, unit="patrol-3", cell=cell("0509")),
        ),
    }


FAULTS = {
    "not JSON": (["{"], 1, "not JSON"),
    "a list": (["[1]"], 1, '"[1]" where an order stands'),
    "no turn": ([{"order": "alert", "centre": "0404", "radius": 1}], 1, 'without "turn"'),
    "no order": ([{"turn": 1}], 1, "no order"),
    "unknown order": ([{"turn": 1, "order": "flee"}], 1, 'order "flee"; "order" is one of'),
    "unknown field": ([alert(colour="red")], 1, 'unknown field "colour"'),
    "field twice": (['{"turn": 1, "turn": 2}'], 1, '"turn" is given twice'),
    "turn as text": ([alert(turn="1")], 1, "write a whole number"),
    "turn as float": ([alert(turn=1.0)], 1, "write a whole number"),
    "turn as truth": ([alert(turn=True)], 1, "write a whole number"),
    "NaN": (['{"turn": NaN, "order": "withdraw", "number": 1}'], 1, "write a whole number"),
    "hex as number": ([alert(centre=404)], 1, "write a hex as text"),
    "unknown hex": (
        [{"turn": 1, "order": "move", "unit": "patrol-1", "to": "1101"}],
        1,
        'hex "1101" is not on the sheet (0101 to 1009',
    ),
    "brush off the sheet": ([alert(), alert(centre="4528")], 2, "the brush is off the sheet"),
    "brush too wide": ([alert(radius=2)], 1, "§9.1"),
    "negative brush": ([alert(radius=-1)], 1, "§9.1"),
    "duplicate": ([alert(), "", alert()], 3, "a duplicate of order 1"),
    "over budget": (
        [alert(), alert(centre="0604"), alert(centre="0804"), alert(centre="0807")],
        4,
        "over budget: turn 1 has 3 orders",
    ),
    "past turn": ([alert(turn=3), alert(turn=2)], 2, "turn 2 is past"),
    "turn beyond the end": ([alert(turn=31)], 1, "turn 31 is not in the exercise"),
    "negative turn": ([alert(turn=-1)], 1, "turn -1 is not in the exercise"),
    "order before turn 1": ([alert(turn=0)], 1, "§9.6"),
    "late forecast": ([{"turn": 1, "order": "forecast", "cells": ["0101"]}], 1, "§9.6"),
    "hex painted twice": (
        [{"turn": 0, "order": "forecast", "cells": ["0101", "0101"]}],
        1,
        "holds 0101 twice",
    ),
    "unknown unit": (
        [{"turn": 1, "order": "move", "unit": "tank-1", "to": "0101"}],
        1,
        "no unit 'tank-1'",
    ),
    "withdrawn what is not": ([{"turn": 1, "order": "withdraw", "number": 1}], 1, "§9.5"),
    "reason as number": ([alert(reason=3)], 1, '"reason" is 3'),
    "endless number": (
        ['{"turn": ' + "9" * 5_000 + ', "order": "withdraw"}'],
        1,
        "a number of 5000 digits",
    ),
    "endless depth": (["[" * 100_000], 1, "not JSON"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_names_file_line_what_was_found_and_what_to_do(fault, write):
    lines, number, says = FAULTS[fault]
    path = write(*lines)
    with pytest.raises(OrderError) as told:
        read_orders(path, DISTRICT, TURNS)
    assert str(told.value).startswith(f"{path}, line {number}: ")
    assert says in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([alert(centre="4528")], "ligne 1\xa0: le pinceau est hors de la planche"),
        ([alert(), alert()], "ligne 2\xa0: doublon de l'ordre 1 du même tour\xa0: ôtez-le (§9.5)"),
        ([{"turn": 1}], "ligne 1\xa0: aucun ordre\xa0; «\xa0order\xa0» vaut forecast, alert"),
        (["{"], "ligne 1\xa0: pas du JSON (caractère 2)"),
    ],
)
def test_a_fault_is_told_in_the_language_of_the_exercise(write, lines, says):
    with pytest.raises(OrderError) as told:
        read_orders(write(*lines), DISTRICT, TURNS, "fr")
    assert says in str(told.value)


def test_a_missing_file_a_folder_and_a_binary_file_are_one_sentence_each(tmp_path):
    binary = tmp_path / "binary.jsonl"
    binary.write_bytes(b"\xff\xfe\x00")
    for path, says in (
        (tmp_path / "none.jsonl", "does not exist"),
        (tmp_path, "is a folder"),
        (binary, "not UTF-8"),
    ):
        with pytest.raises(OrderError, match=says):
            read_orders(path, DISTRICT, TURNS)


def test_a_file_saved_with_a_byte_order_mark_and_crlf_is_read(tmp_path):
    path = tmp_path / "orders.jsonl"
    path.write_bytes("\ufeff".encode() + (json.dumps(alert()) + "\r\n").encode())
    assert list(read_orders(path, DISTRICT, TURNS)) == [1]


cells = st.integers(0, DISTRICT.sheet.n_hexes - 1)
reasons = st.text(max_size=20)
LEGAL = st.fixed_dictionaries(
    {
        0: st.tuples(
            st.builds(
                Forecast,
                turn=st.just(0),
                cells=st.lists(cells, unique=True, max_size=5).map(tuple),
                reason=reasons,
            )
        ),
        2: st.tuples(
            st.builds(
                Alert, turn=st.just(2), centre=cells, radius=st.integers(0, 1), reason=reasons
            ),
            st.builds(Move, turn=st.just(2), unit=st.just("patrol-1"), to=cells, reason=reasons),
        ),
        5: st.tuples(
            st.builds(DoorToDoor, turn=st.just(5), unit=st.just("patrol-2"), cell=cells),
            st.builds(Withdraw, turn=st.just(5), number=st.just(1)),
        ),
    }
)


@given(orders=LEGAL)
@settings(max_examples=40)
def test_what_is_written_is_read_again(orders, tmp_path_factory):
    path = tmp_path_factory.mktemp("orders") / "orders.jsonl"
    write_orders(path, DISTRICT, orders)
    assert read_orders(path, DISTRICT, TURNS) == orders


def test_a_sheet_beyond_99_rows_takes_three_digits(tmp_path):
    district = line_district(120)
    path = tmp_path / "orders.jsonl"
    write_orders(path, district, {1: (Alert(turn=1, centre=100, radius=1),)})
    assert '"001101"' in path.read_text(encoding="utf-8")
