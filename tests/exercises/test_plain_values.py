"""Data classes as plain JSON values and back, guided by their type hints."""

import json
import typing
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import IntEnum
from typing import Annotated, Any, Optional, TypeVar

import numpy as np
import numpy.typing as npt
import pytest

from exercises.plain_values import UNFIT, from_plain, to_plain
from sim.district import District
from sim.rules import Structure
from tests.gis.hand_pack import district
from tests.strategies import synthetic_district


class Colour(IntEnum):
    RED = 1


@dataclass(frozen=True)
class Inner:
    name: str
    share: float


@dataclass(frozen=True)
class Outer:
    numbers: tuple[int, ...]
    pair: tuple[int, str]
    inner: tuple[Inner, ...]
    maybe: Inner | None
    old: Optional[int]  # noqa: UP045
    cell: Annotated[int, "hex"]
    by_name: Mapping[str, Inner]
    colour: Colour
    more: int = 3


OUTER = Outer(
    numbers=(1, 2),
    pair=(3, "x"),
    inner=(Inner("a", 0.1), Inner("b", 1e-9)),
    maybe=None,
    old=7,
    cell=5,
    by_name={"c": Inner("c", 2.0)},
    colour=Colour.RED,
)


@pytest.mark.parametrize("value", [OUTER, replace(OUTER, maybe=Inner("m", 0.5), old=None)])
def test_what_is_written_is_read(value):
    plain = json.loads(json.dumps(to_plain(value)))
    assert from_plain(Outer, plain) == value


def test_a_field_that_an_older_version_did_not_write_takes_its_default():
    plain = to_plain(OUTER, leave_out=frozenset({"more", "cell"}))
    assert from_plain(Outer, plain, cell=9) == replace(OUTER, cell=9)


@pytest.mark.parametrize(
    ("hint", "plain"), [(int, "1"), (int, True), (str, 1), (bool, 1), (Inner, {"name": "x"})]
)
def test_what_is_of_another_type_is_refused(hint, plain):
    with pytest.raises(TypeError):
        from_plain(hint, plain)


@pytest.mark.parametrize("plain", [[2**70], [1e308], [[1], [2, 3]], "x", {"a": 1}])
def test_numbers_that_no_array_of_the_type_holds_are_values_of_none(plain):
    with pytest.raises(UNFIT):
        from_plain(npt.NDArray[np.int32], plain)


def test_an_object_is_read_where_one_is_declared_and_no_list():
    with pytest.raises(TypeError, match="where a Inner is expected"):
        from_plain(Inner, [])


def test_what_cannot_be_written_is_refused():
    with pytest.raises(TypeError, match="a set cannot be written"):
        to_plain({1, 2})


@pytest.mark.parametrize("made", [district(), synthetic_district(9, 7)])
def test_a_district_comes_back_to_the_last_bit(made):
    read = from_plain(District, json.loads(json.dumps(to_plain(made))))
    assert read.digest == made.digest
    for field in fields(District):
        kept, found = getattr(made, field.name), getattr(read, field.name)
        if isinstance(kept, np.ndarray):
            assert found.dtype == kept.dtype
            assert (found == kept).all()
            assert not found.flags.writeable
        else:
            assert found == kept
    assert Structure(int(read.structure[0])) in Structure


def test_an_array_is_read_whether_its_alias_is_spelt_out_or_stands_for_itself():
    alias = getattr(typing, "TypeAliasType", None)
    if alias is None:
        alias = pytest.importorskip("typing_extensions").TypeAliasType
    scalar = TypeVar("scalar", bound=np.generic)
    spelt = np.ndarray[Any, np.dtype[scalar]]
    named = alias("Named", spelt, type_params=(scalar,))
    for hint in (npt.NDArray[np.int8], spelt[np.int8], named[np.int8]):
        read = from_plain(hint, [[1, 2], [3, 4]])
        assert read.dtype == np.int8
        assert read.tolist() == [[1, 2], [3, 4]]
