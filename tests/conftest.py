"""What several tests share: real data where it is present, one browser, the reference town.

Tests of one module that share a fixture of it run on one worker (``--dist loadgroup``), so that
it is made once.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from gis.build import BuildOptions, build_district
from gis.placement import Placement
from gis.reference import TOWN_LAT, TOWN_LON, TownDesign, design_town, draw_town
from gis.reference_names import TOWN
from tests.pages import browser, pytest_sessionfinish  # noqa: F401

# commands speak the machine's language where none is asked for: tests read English
os.environ["LC_ALL"] = "C.UTF-8"
os.environ.pop("LANGUAGE", None)

# a compiled function is slow the first time, and a busy machine at any time
settings.register_profile("averse", deadline=None)
settings.load_profile("averse")


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep on one worker the tests that share what their module makes once."""
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("xdist_group") is None:
            known = item._fixtureinfo.name2fixturedefs
            if any(
                known[name][-1].scope == "module" for name in item.fixturenames if name in known
            ):
                item.add_marker(pytest.mark.xdist_group(item.path.stem))


REAL_DATA = Path(__file__).parent.parent.parent / "shared" / "data"


@pytest.fixture(scope="session")
def real_data() -> Path:
    if not REAL_DATA.is_dir():
        pytest.skip(f"the real towns are not here (no {REAL_DATA})")
    return REAL_DATA


@dataclass(frozen=True)
class ReferenceTown:
    design: TownDesign
    osm: Path
    dem: Path
    pack: Path
    manifest: dict[str, Any]


@pytest.fixture(scope="session")
def reference_town(tmp_path_factory) -> ReferenceTown:
    """The reference town, drawn and built like any town; ask for it in xdist group "reference"."""
    folder = tmp_path_factory.mktemp("reference")
    design = design_town()
    osm, dem = draw_town(design, folder / "town")
    pack = folder / "pack"
    options = BuildOptions(
        osm=osm, dem=dem, name=TOWN, placement=Placement(centre=(TOWN_LON, TOWN_LAT))
    )
    return ReferenceTown(design, osm, dem, pack, build_district(options, pack))
