from dataclasses import asdict

import pytest

from gis.store import read_district
from sim.district import Severity
from sim.errors import DistrictError
from sim.hyetograph import Hyetograph
from sim.water import truth_key
from tests.gis.hand_pack import district, ground, write_hand_pack

LATE = Hyetograph("double_triangle", 240, 180, 20)


def test_7_6_a_pack_carries_the_form_of_its_storm(tmp_path):
    made = district(hyetograph=LATE)
    pack = write_hand_pack(tmp_path / "late", made, hyetograph=asdict(LATE))
    assert read_district(pack).hyetograph == LATE


def test_7_1_a_pack_that_says_nothing_rains_as_the_rule_book_has_it(tmp_path):
    assert read_district(write_hand_pack(tmp_path / "old")).hyetograph == Hyetograph()


def test_7_5_the_form_of_the_storm_keys_district_and_water_and_the_book_s_own_does_not():
    plain, late = district(), district(hyetograph=LATE)
    assert plain.digest == district(hyetograph=Hyetograph()).digest != late.digest
    rung = Severity(5, 5.0, 0.0, 1.0)
    assert truth_key(plain, ground(), rung) != truth_key(late, ground(), rung)


@pytest.mark.parametrize("form", [{"form": "square"}, {"length": 3}, {"peak_min": "late"}, [3]])
def test_a_form_that_cannot_be_read_means_a_damaged_pack(tmp_path, form):
    pack = write_hand_pack(tmp_path / "bad", hyetograph=form)
    with pytest.raises(DistrictError, match="damaged"):
        read_district(pack)
