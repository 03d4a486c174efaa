"""§8 Initial situation: where people are, by hour."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.errors import ExerciseError
from sim.rules import HOURS, SHELTER_PLACES, SHELTERS, Fabric
from sim.situation import WORKPLACES, is_night, share_out, situation_at, workers
from tests.strategies import districts, line_district

INHABITANTS, UNSHELTERABLE = 422_100, 48_100


def reference_population():
    """One hex with the reference sheet's people: the formula depends on their sums alone."""
    district = line_district(1, residents=INHABITANTS, unshelterable=UNSHELTERABLE)
    return replace(district, fabric=np.array([Fabric.COMMERCIAL], np.int8))


@pytest.mark.parametrize(
    ("hour", "printed"), [(3, 48_100), (14, 78_200), (8, 122_900), (18, 104_200)]
)
def test_8_3_reference_hours(hour, printed):
    to_shelter = int(situation_at(reference_population(), hour).to_shelter.sum())
    assert to_shelter == printed


@pytest.mark.parametrize(("hour", "cover"), [(3, 67), (14, 41), (8, 26), (18, 31)])
def test_8_2_shelters_cover_the_printed_share(hour, cover):
    to_shelter = int(situation_at(reference_population(), hour).to_shelter.sum())
    assert round(100 * SHELTERS * SHELTER_PLACES / to_shelter) == cover


@given(district=districts(), hour=st.sampled_from(sorted(HOURS)))
def test_8_3_everyone_is_upstairs_or_to_shelter(district, hour):
    people = situation_at(district, hour)
    everyone = int(district.residents[district.active].sum())
    at_home = int(district.unshelterable[district.active].sum())
    mobile = HOURS[hour].mobile_percent
    assert int(people.to_shelter.sum() + people.upstairs.sum()) == everyone
    at_work = workers(everyone - at_home, hour)
    expected = at_home + mobile * (everyone - at_home) // 100
    if np.isin(district.fabric, WORKPLACES).any():
        expected += at_work
    assert int(people.to_shelter.sum()) == expected
    assert (people.to_shelter >= district.unshelterable).all()
    assert (people.upstairs >= 0).all()


@given(districts())
def test_8_3_people_on_the_road_stand_by_length_of_roads_of_class_2_or_more(district):
    on_road = situation_at(district, 8).to_shelter - district.unshelterable
    total, metres = int(on_road.sum()), int(district.road_m.sum())
    assert (on_road[district.road_m == 0] == 0).all()
    assert (np.abs(on_road - total * district.road_m / metres) < 1).all()


@pytest.mark.parametrize(
    ("hour", "nights"), [(3, range(1, 31)), (8, ()), (14, ()), (18, range(7, 31))]
)
def test_8_5_night_stays_at_3_h_and_falls_at_turn_7_at_18_h(hour, nights):
    assert [turn for turn in range(1, 31) if is_night(hour, turn)] == list(nights)


def test_8_2_there_is_no_other_hour():
    with pytest.raises(ExerciseError, match=r"12 h: choose one of 3, 14, 8, 18 \(§8.2\)"):
        situation_at(line_district(), 12)


def test_8_3_at_14_h_workers_stand_in_commercial_and_industrial_fabric():
    district = line_district(4, residents=100_000, unshelterable=10_000)
    fabric = [Fabric.PARK, Fabric.COMMERCIAL, Fabric.SLAB_BLOCKS, Fabric.INDUSTRIAL]
    without = situation_at(replace(district, fabric=np.zeros(4, np.int8)), 14)
    people = situation_at(replace(district, fabric=np.array(fabric, np.int8)), 14)
    at_work = workers(360_000, 14)
    assert at_work == 173
    assert (people.to_shelter - without.to_shelter).tolist() == [0, 87, 0, 86]
    assert (without.upstairs - people.upstairs).sum() == at_work


@given(st.integers(0, 10**6), st.lists(st.integers(0, 10**5), min_size=1, max_size=30).filter(any))
def test_a_share_out_loses_nobody_and_is_off_by_less_than_one(total, weights):
    shares = share_out(total, np.array(weights))
    assert int(shares.sum()) == total
    exact = [total * weight / sum(weights) for weight in weights]
    assert all(abs(share - due) < 1 for share, due in zip(shares.tolist(), exact, strict=True))
