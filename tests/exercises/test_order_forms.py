"""Every kind of order read, described and shown, from its own fields alone."""

import json
import sys
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Literal

import pytest

from exercises import order_forms
from exercises.cli import main
from exercises.order_forms import (
    ORDER_KINDS,
    FaultyOrderError,
    example_of,
    field_words,
    order_from,
    orders_schema,
    required_fields,
)
from sim.events import order_by_label
from sim.orders import (
    Cells,
    Link,
    Order,
    Quarter,
    Quarters,
    Shelter,
    Void,
    fields_of,
    order_key,
)
from tests.strategies import synthetic_district

jsonschema = pytest.importorskip("jsonschema")

DISTRICT = synthetic_district(30, 20)


@pytest.fixture(scope="module")
def valid():
    schema = orders_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema).is_valid


def test_every_kind_is_there_once_and_what_nobody_gives_is_not():
    assert {"forecast", "alert", "move", "door_to_door", "withdraw"} <= set(ORDER_KINDS)
    assert Void not in ORDER_KINDS.values()
    assert len(set(ORDER_KINDS.values())) == len(ORDER_KINDS)


@pytest.mark.parametrize("key", sorted(ORDER_KINDS))
def test_the_example_of_every_kind_fits_the_schema_and_is_read(key, valid):
    example = example_of(ORDER_KINDS[key])
    assert valid(example)
    assert valid({**example, "reason": "« eau »"})
    if not {"quarter", "quarters", "shelter"} & set(example):  # their names are the district's
        order = order_from(DISTRICT, example)
        assert order_by_label(DISTRICT, order) == example
    assert set(field_words(ORDER_KINDS[key])) == set(fields_of(ORDER_KINDS[key]))


@pytest.mark.parametrize("key", sorted(ORDER_KINDS))
def test_what_does_not_fit_the_schema_is_not_read_either(key, valid):
    example = example_of(ORDER_KINDS[key])
    needed = ("turn", "order", *required_fields(ORDER_KINDS[key]))
    faulty = [
        {name: value for name, value in example.items() if name != left_out} for left_out in needed
    ]
    faulty += [{**example, name: None} for name in example]
    faulty += [{**example, "colour": "red"}, {**example, "reason": 3}, {**example, "turn": "3"}]
    for entry in faulty:
        assert not valid(entry)
        with pytest.raises(FaultyOrderError) as told:
            order_from(DISTRICT, entry)
        assert "\n" not in str(told.value)


class Weight(IntEnum):
    LIGHT = 1
    HEAVY = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Barricade(Order):
    """Put a barricade somewhere (§0); a kind that only this test knows."""

    link: Link
    quarter: Quarter
    others: Quarters
    shelter: Shelter
    cells: Cells
    weight: Weight
    colour: Literal["red", "white"]
    lit: bool = False
    people: int | None = None


@pytest.fixture
def barricade(monkeypatch):
    kinds = {**ORDER_KINDS, order_key(Barricade): Barricade}
    monkeypatch.setattr(order_forms, "ORDER_KINDS", kinds)
    sheet = DISTRICT.sheet
    a, b = sheet.edges[40].tolist()
    return {
        "turn": 4,
        "order": "barricade",
        "link": f"{sheet.label(a)}-{sheet.label(b)}",
        "quarter": DISTRICT.quarters[2],
        "others": [DISTRICT.quarters[0], DISTRICT.quarters[3]],
        "shelter": DISTRICT.shelters[1].name,
        "cells": ["0101", "0203"],
        "weight": "heavy",
        "colour": "white",
    }


def test_a_new_kind_is_read_written_and_described_by_its_fields_alone(barricade):
    order = order_from(DISTRICT, barricade)
    assert order == Barricade(
        turn=4,
        link=40,
        quarter=2,
        others=(0, 3),
        shelter=1,
        cells=(0, 22),
        weight=Weight.HEAVY,
        colour="white",
    )
    assert order_from(DISTRICT, order_by_label(DISTRICT, replace(order, people=3))) == replace(
        order, people=3
    )
    assert order_from(DISTRICT, order_by_label(DISTRICT, order)) == order
    schema = orders_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert jsonschema.Draft202012Validator(schema).is_valid(barricade)
    assert field_words(Barricade)["lit"] == "true or false, or left out"
    assert jsonschema.Draft202012Validator(schema).is_valid(example_of(Barricade))


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("link", "0101", "its two hexes"),
        ("link", "0101-0909", "no neighbours"),
        ("quarter", "Nowhere", "no quarter of the district"),
        ("shelter", 1, "no shelter of the district"),
        ("others", "x", "write a list"),
        ("weight", "huge", "one of light, heavy"),
        ("colour", "blue", "one of red, white"),
        ("lit", 1, "true or false"),
        ("people", "many", "whole number"),
    ],
)
def test_a_fault_in_any_kind_of_field_is_told(barricade, field, value, says):
    with pytest.raises(FaultyOrderError, match=says):
        order_from(DISTRICT, {**barricade, field: value})


@pytest.mark.parametrize("written", ["QUARTER 2", " quarter 2", "quarter 2", "Quärter 2"])
def test_a_quarter_is_named_in_any_letters(barricade, written):
    place = DISTRICT.quarters.index("quarter 2")
    assert order_from(DISTRICT, {**barricade, "quarter": written}).quarter == place


def test_two_names_that_differ_in_capitals_alone_are_told_apart(barricade):
    quarters = ("Le Port", "le port", *DISTRICT.quarters[2:])
    twins = replace(DISTRICT, quarters=quarters)
    read = {**barricade, "others": []}
    assert order_from(twins, {**read, "quarter": "le port"}).quarter == 1
    with pytest.raises(FaultyOrderError, match="no quarter of the district"):
        order_from(twins, {**read, "quarter": "LE PORT"})


def run(monkeypatch, capsys, *arguments):
    monkeypatch.setattr(sys, "argv", ["averse", "orders", *arguments])
    main()
    return capsys.readouterr().out


@pytest.mark.parametrize("command", ["orders", "replay", "verify"])
def test_its_help_shows_an_example(monkeypatch, capsys, command):
    monkeypatch.setattr(sys, "argv", ["averse", command, "--help"])
    main()
    shown = capsys.readouterr().out
    assert f"averse {command}" in shown
    if command == "orders":
        lines = [line.strip() for line in shown.splitlines()]
        examples = [json.loads(line) for line in lines if line.startswith("{")]
        assert [example["order"] for example in examples] == list(ORDER_KINDS)


def test_averse_orders_shows_each_with_an_example_and_its_schema(monkeypatch, capsys, valid):
    shown = run(monkeypatch, capsys)
    examples = [json.loads(line) for line in shown.splitlines() if line.startswith("{")]
    assert [example["order"] for example in examples] == list(ORDER_KINDS)
    assert all(valid(example) for example in examples)
    for key, kind in ORDER_KINDS.items():
        assert key in shown
        assert all(name in shown for name in fields_of(kind))
    assert json.loads(run(monkeypatch, capsys, "--schema")) == orders_schema()


def test_9_5_a_reason_is_a_page_at_most():
    district = synthetic_district(6, 6)
    order = {"turn": 1, "order": "alert", "centre": "0303", "radius": 0, "reason": "x" * 2_001}
    with pytest.raises(FaultyOrderError, match=r"2001 characters: keep it within 2000"):
        order_from(district, order)
    assert len(order_from(district, {**order, "reason": "x" * 2_000}).reason) == 2_000
