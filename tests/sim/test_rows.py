"""What a state holds by hex: arrays equal to their tuples, with their text, never another's."""

import copy
import json
import pickle
from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.arrays import Row, altered, numbers, whole
from sim.routes import (
    leading_over,
    people_on_links,
    rerouted,
    routes,
    slowest_share,
    walked,
    without_routes,
)
from sim.state import canonical_json, changed, state_hash
from sim.turn import start
from tests.strategies import dry_world, line_district

whole_numbers = st.lists(st.integers(-(2**40), 2**40), max_size=20)
some_routes = st.lists(st.lists(st.integers(0, 9), max_size=4).map(tuple), min_size=1, max_size=12)


@given(values=whole_numbers, data=st.data())
def test_a_row_is_its_tuple_and_its_array(values, data):
    row = numbers(np.array(values, dtype=np.int64))
    assert row == tuple(values)
    assert tuple(values) == row
    assert row != (*values, 1)
    assert hash(row) == hash(tuple(values))
    assert (list(row), row[:2], len(row)) == (values, tuple(values[:2]), len(values))
    assert whole(row).tolist() == values
    assert json.loads(row.text) == values
    cells = data.draw(st.lists(st.integers(0, max(0, len(values) - 1)), unique=True))
    cells = cells if values else []
    after = list(values)
    for cell in cells:
        after[cell] = cell
    changed_row = altered(row, cells, cells)
    assert changed_row == tuple(after)
    assert whole(changed_row).tolist() == after
    assert json.loads(canonical_json(changed_row)) == after
    assert whole(row).tolist() == list(row) == values


def test_a_row_and_its_copies_cannot_be_changed():
    row = numbers(np.array([3, 1]))
    for one in (row, pickle.loads(pickle.dumps(row)), copy.deepcopy(row)):
        assert isinstance(one, Row)
        assert one == (3, 1)
        with pytest.raises(ValueError, match="read-only"):
            one.array[0] = 7
        mine = np.array(one)
        mine[0] = 7
        assert one == (3, 1)


@given(before=some_routes, data=st.data())
def test_routes_carry_their_links(before, data):
    held = routes(before)
    cells = np.array(sorted(data.draw(st.sets(st.integers(0, len(before) - 1)))), dtype=np.int64)
    new = [tuple(data.draw(st.lists(st.integers(0, 9), max_size=4))) for _ in cells]
    links = np.array([link for route in new for link in route], dtype=np.int32)
    ends = np.cumsum([len(route) for route in new], dtype=np.int64)
    after = rerouted(held, cells, links, ends)
    expected = list(before)
    for cell, route in zip(cells.tolist(), new, strict=True):
        expected[cell] = route
    assert held == tuple(before)
    assert tuple(before) == pickle.loads(pickle.dumps(held)) == held
    assert hash(held) == hash(tuple(before))
    assert after == tuple(expected)
    assert json.loads(canonical_json(after)) == [list(route) for route in expected]
    for got, wanted in zip(walked(after), walked(tuple(expected)), strict=True):
        assert got.tolist() == wanted.tolist()
    cleared = without_routes(after, cells)
    assert all(cleared[cell] == () for cell in cells.tolist())
    assert walked(cleared).links.size == sum(map(len, cleared))


@given(by_hex=some_routes, seed=st.integers(0, 2**32))
def test_10_3_crowds_are_counted_link_by_link(by_hex, seed):
    rng = np.random.default_rng(seed)
    n = len(by_hex)
    walking = rng.random(n) < 0.7
    people, pace = rng.integers(0, 5_000, n), rng.integers(1, 40_000, n)
    capacity = rng.integers(0, 3_000, 10)
    flow = people_on_links(tuple(by_hex), walking, people, 10)
    shut = rng.random(10) < 0.3
    for link in range(10):
        assert flow[link] == sum(
            int(people[cell]) * by_hex[cell].count(link) for cell in range(n) if walking[cell]
        )
    over = leading_over(tuple(by_hex), walking, shut)
    share = slowest_share(tuple(by_hex), walking, pace, flow, capacity)
    for cell in range(n):
        assert over[cell] == (walking[cell] and any(shut[link] for link in by_hex[cell]))
        full = [
            int(pace[cell]) * int(capacity[link]) // (100 * int(flow[link]))
            for link in by_hex[cell]
            if flow[link] > capacity[link]
        ]
        assert share[cell] == (min([int(pace[cell]) // 100, *full]) if walking[cell] else 0)


def test_a_state_is_changed_as_replace_would():
    state = start(dry_world(line_district(5)))
    other = changed(state, turn=3, cut=(1, 0, 0, 0, 2))
    assert other == replace(state, turn=3, cut=(1, 0, 0, 0, 2))
    assert (state.turn, state.cut) == (0, (0,) * 5)
    with pytest.raises(TypeError, match="a state has no tern"):
        changed(state, tern=3)


def test_19_a_states_hash_is_that_of_its_canonical_json_whatever_holds_it():
    state = start(dry_world(line_district(5)))
    # what no act has touched is left out (§19)
    entries = json.loads(canonical_json(state))
    assert not entries.pop("cards_to_play")
    assert not entries.pop("ended")
    text = json.dumps(entries, sort_keys=True, separators=(",", ":"))
    assert state_hash(state) == sha256(text.encode()).hexdigest()
    plain = {name: tuple(value) for name, value in vars(state).items() if isinstance(value, Row)}
    assert plain
    assert state_hash(replace(state, **plain, route=tuple(state.route))) == state_hash(state)
