"""Forecast skill beside an independent verification library, and beside a count by hand."""

from fractions import Fraction

import numpy as np
import pytest
import scores.categorical as categorical
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scores.probability import brier_score as their_brier
from scores.spatial import fss_2d_single_field

from sim.forecast_skill import (
    ReliabilityBin,
    brier_score,
    contingency,
    fractions_skill_score,
    reliability,
    skill_of_windows,
)
from sim.hexes import Sheet


@st.composite
def fields(draw):
    """Forecast and truth on a rectangular field, of any density down to none."""
    shape = draw(st.integers(3, 9)), draw(st.integers(3, 9))
    return draw(arrays(bool, shape)), draw(arrays(bool, shape))


def square_windows(shape, side):
    """(n_window, side²) cells of every square window that fits a field."""
    rows, columns = shape
    corners = [(r, c) for r in range(rows - side + 1) for c in range(columns - side + 1)]
    inside = [(r, c) for r in range(side) for c in range(side)]
    return np.array([[(r + i) * columns + c + j for i, j in inside] for r, c in corners])


@given(field=fields(), side=st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_12_4_on_square_windows_the_fractions_skill_score_is_that_of_scores(field, side):
    forecast, truth = field
    windows = square_windows(forecast.shape, side)
    ours = skill_of_windows(forecast.ravel(), truth.ravel(), np.ones(forecast.size, bool), windows)
    if ours is None:
        assert not (forecast | truth).ravel()[windows].any()
        return
    theirs = fss_2d_single_field(
        forecast.astype(float), truth.astype(float), event_threshold=0.5, window_size=(side, side)
    )
    assert float(ours) == pytest.approx(theirs, abs=1e-12)


@st.composite
def hex_fields(draw):
    """A small sheet, a forecast in whole per cent, a truth, and the hexes that count."""
    sheet = Sheet(draw(st.integers(1, 6)), draw(st.integers(1, 6)))
    n = sheet.n_hexes
    percent = draw(arrays(np.int64, n, elements=st.sampled_from([0, 0, 0, 40, 70, 95, 100])))
    return sheet, percent, draw(arrays(bool, n)), draw(arrays(bool, n))


def by_hand(sheet, percent, truth, counted, radius):
    """Roberts & Lean's score, hex by hex, from distances alone."""
    apart = together = Fraction(0)
    for cell in np.flatnonzero(counted).tolist():
        near = [
            other
            for other in np.flatnonzero(counted).tolist()
            if sheet.distance(cell, other) <= radius
        ]
        painted = Fraction(sum(int(percent[c]) for c in near), 100 * len(near))
        cut = Fraction(sum(int(truth[c]) for c in near), len(near))
        apart += (painted - cut) ** 2
        together += painted**2 + cut**2
    return 1 - apart / together if together else None


@given(field=hex_fields(), radius=st.integers(0, 3))
@settings(max_examples=100, deadline=None)
def test_12_4_on_hexes_the_fractions_skill_score_is_a_count_by_hand(field, radius):
    sheet, percent, truth, counted = field
    expected = by_hand(sheet, percent, truth, counted, radius)
    assert fractions_skill_score(sheet, percent / 100, truth, counted, radius) == expected


@given(field=hex_fields())
@settings(max_examples=40, deadline=None)
def test_12_4_in_the_widest_ring_only_how_much_was_painted_is_judged(field):
    sheet, percent, truth, counted = field
    painted = percent > 0
    score = fractions_skill_score(sheet, painted, truth, counted, radius=12)
    p, t = int((painted & counted).sum()), int((truth & counted).sum())
    assert score == (Fraction(2 * p * t, p * p + t * t) if p or t else None)


@given(field=fields())
@settings(max_examples=20, deadline=None)
def test_12_4_recall_precision_and_csi_are_those_of_scores(field):
    forecast, truth = field
    hits, misses, false_alarms = contingency(forecast, truth)
    table = categorical.BinaryContingencyManager(
        xr.DataArray(forecast.astype(float)), xr.DataArray(truth.astype(float))
    ).transform()
    for whole, theirs in (
        (hits + misses, table.probability_of_detection()),
        (hits + false_alarms, table.precision()),
        (hits + misses + false_alarms, table.critical_success_index()),
    ):
        if whole:
            assert hits / whole == pytest.approx(float(theirs), abs=1e-12)
        else:
            assert np.isnan(float(theirs))


confidences = st.lists(
    st.tuples(st.sampled_from([40, 70, 95]), st.booleans()), min_size=0, max_size=40
)


@given(pairs=confidences)
@settings(max_examples=60, deadline=None)
def test_12_4_the_brier_score_is_that_of_scores(pairs):
    percent = np.array([p for p, _ in pairs], dtype=int)
    truth = np.array([t for _, t in pairs], dtype=bool)
    ours = brier_score(percent, truth)
    if not pairs:
        assert ours is None
        return
    theirs = their_brier(xr.DataArray(percent / 100), xr.DataArray(truth.astype(float)))
    assert float(ours) == pytest.approx(float(theirs), abs=1e-12)


@given(pairs=confidences)
@settings(max_examples=15, deadline=None)
def test_12_4_reliability_counts_every_hex_once_and_its_observed_share_is_that_of_scores(pairs):
    percent = np.array([p for p, _ in pairs], dtype=int)
    truth = np.array([t for _, t in pairs], dtype=bool)
    bins = reliability(percent, truth)
    assert [b.confidence_percent for b in bins] == sorted(set(percent.tolist()))
    assert sum(b.painted for b in bins) == len(pairs)
    for one in bins:
        # of the hexes painted alike, all taken as forecast: the share that came is the precision
        mine = xr.DataArray((percent == one.confidence_percent).astype(float))
        table = categorical.BinaryContingencyManager(mine, xr.DataArray(truth.astype(float)))
        assert float(one.observed) == pytest.approx(float(table.transform().precision()))


def test_12_4_a_brier_score_is_the_mean_over_its_reliability_bins():
    percent, truth = np.array([95, 95, 40, 70]), np.array([True, False, False, True])
    bins = reliability(percent, truth)
    assert bins == (
        ReliabilityBin(40, 1, 0),
        ReliabilityBin(70, 1, 1),
        ReliabilityBin(95, 2, 1),
    )
    squares = sum(
        b.hit * Fraction(100 - b.confidence_percent, 100) ** 2
        + (b.painted - b.hit) * Fraction(b.confidence_percent, 100) ** 2
        for b in bins
    )
    assert brier_score(percent, truth) == squares / 4
