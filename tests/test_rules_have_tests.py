"""Every rule that is built, and every row of its tables, has a test that carries its number."""

from tests.rule_numbers import NOT_BUILT, RULES, numbers_in
from tests.rules_without_test import numbered_tests, without_test


def test_no_rule_and_no_row_is_without_a_test():
    assert without_test(numbered_tests()) == []


def test_a_name_tells_its_rules_and_nothing_else():
    assert numbers_in("test_9_4_siren") == ("9.4",)
    assert numbers_in("test_3_4_9_2_a_pump") == ("3.4", "9.2")
    assert numbers_in("test_2_3_4_tables") == ("2", "3.4")
    assert numbers_in("test_11_one_point_for_every_1_000") == ("11",)
    assert numbers_in("test_the_9_4_of_something") == ()
    assert numbers_in("test_99_nothing") == ()


def test_a_rule_whose_only_test_goes_is_told():
    tests = numbered_tests()
    kept = tuple(test for test in tests if not test.is_of("9.4", "siren"))
    assert len(kept) < len(tests)
    assert "9.4 siren" in without_test(kept)
    assert set(RULES) >= NOT_BUILT
