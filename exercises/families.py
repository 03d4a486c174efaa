"""The families of exercises, by the name that a journal holds."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from exercises.family import Family
from exercises.flood_family import FLOOD

FAMILIES: Mapping[str, Family[Any, Any, Any]] = MappingProxyType({FLOOD.name: FLOOD})
