"""§8.1, 8.4, 8.5: who is safe upstairs, and what an instructor chooses of the start."""

from dataclasses import replace

import numpy as np
import pytest

from sim.losses import lose_people
from sim.rules import Fabric
from sim.scenario import Gathering, Scenario
from sim.situation import mobile_percent, situation_at
from sim.turn import replay, start
from sim.view import view_for
from tests.strategies import dry_world, flooded, line_district, seed_of

WEEKEND = Scenario(weekend=True)


def town():
    """Four hexes of 10,000 people, the second commercial, on a road."""
    district = line_district(4, residents=10_000, unshelterable=1_000)
    fabric = np.array([Fabric.PARK, Fabric.COMMERCIAL, Fabric.PARK, Fabric.PARK], np.int8)
    return replace(district, fabric=fabric, road_m=np.full(4, 100, np.int32))


def everyone(people):
    return int((people.to_shelter + people.upstairs).sum())


def test_8_1_vertical_protection_is_the_default_and_enough_for_89_percent():
    reference = line_district(1, residents=422_100, unshelterable=48_100)
    people = situation_at(reference, 3)
    assert round(100 * int(people.upstairs.sum()) / 422_100) == 89
    # nobody orders anything, all is under class-4 water: those upstairs lose nobody to it
    world = flooded(dry_world(line_district(6), hour=3), dict.fromkeys(range(6), 900))
    lost = 0
    for number in range(12):
        other = replace(world, seed=seed_of(number))
        before = replace(start(other), turn=1)
        after, _ = lose_people(other, before, ())
        assert after.upstairs == before.upstairs
        assert after.followers == before.followers
        lost += sum(after.lost)
    assert lost > 0


def test_8_4_a_gathering_masses_people_on_a_known_hex_from_all_over():
    district = town()
    plain = situation_at(district, 3)
    people = situation_at(district, 3, Scenario(gathering=Gathering(2, 6_000)))
    assert (people.to_shelter - plain.to_shelter).tolist() == [0, 0, 6_000, 0]
    assert (plain.upstairs - people.upstairs).tolist() == [1_500] * 4
    assert everyone(people) == everyone(plain)


@pytest.mark.parametrize(("half", "patrols"), [(False, 4), (True, 2)])
def test_8_4_staffing_half_of_the_means_away_is_known_from_the_start(half, patrols):
    world = replace(dry_world(line_district(6), turns=2), scenario=Scenario(half_staff=half))
    view = view_for(replay(world, {})[0][1], 14, 2)
    assert sum(unit.name.startswith("patrol") for unit in view.units) == patrols


def test_8_4_weekend_and_weekday_are_two_situations():
    weekday, weekend = situation_at(town(), 14), situation_at(town(), 14, WEEKEND)
    assert weekday.to_shelter.tolist() != weekend.to_shelter.tolist()
    assert everyone(weekday) == everyone(weekend)


@pytest.mark.parametrize(
    ("hour", "weekday", "weekend"), [(3, 0, 0), (14, 8, 8), (8, 20, 10), (18, 15, 7)]
)
def test_8_5_weekend_halves_the_mobile_share_at_the_peaks(hour, weekday, weekend):
    assert mobile_percent(hour, Scenario()) == weekday
    assert mobile_percent(hour, WEEKEND) == weekend
    people = situation_at(replace(town(), fabric=np.zeros(4, np.int8)), hour, WEEKEND)
    assert int(people.to_shelter.sum()) >= 4_000 + 36_000 * weekend // 100


def test_8_5_weekend_commercial_hexes_hold_half_as_many_again_at_14_h():
    for hour, more in ((14, 50), (8, 0), (18, 0), (3, 0)):
        halved = Scenario() if hour in (8, 18) else WEEKEND
        plain = situation_at(town(), hour)
        people = situation_at(town(), hour, halved)
        held = int(plain.to_shelter[1] + plain.upstairs[1])
        came = int(people.to_shelter[1] + people.upstairs[1]) - held
        assert came == held * more // 100
        assert everyone(people) == everyone(plain)
    # a quarter of those who came cannot go upstairs: the commercial fabric's share
    plain, people = situation_at(town(), 14), situation_at(town(), 14, WEEKEND)
    below = int(people.to_shelter[1] - plain.to_shelter[1])
    came = below + int(people.upstairs[1] - plain.upstairs[1])
    assert below == came // 4
