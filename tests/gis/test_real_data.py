"""Every real extract and raster builds with sane figures, or is refused in one sentence."""

import pytest

from gis.build import build_district
from gis.store import read_district, read_ground
from sim.errors import AverseError
from tests.gis.real_towns import REAL_TOWNS

# ranges of what a small sheet over each gives: active hexes, residents, links of class ≥ 1
BUILT = {
    "porto_alegre": ((160, 192), (110_000, 150_000), (420, 529)),
    "andorra_la_vella": ((75, 110), (25_000, 36_000), (170, 260)),
    "andorra_full": ((35, 60), (6_000, 9_500), (65, 110)),
    "liechtenstein": ((45, 75), (8_000, 12_500), (180, 260)),
    "baltimore": ((85, 115), (65_000, 95_000), (265, 330)),
    "dreieich": ((50, 64), (9_000, 14_000), (120, 150)),
    "rouen": ((25, 30), (11_000, 16_000), (52, 66)),
    "west_oakland": ((6, 10), (4_000, 7_000), (15, 25)),
    "helsinki": ((24, 36), (8_500, 10_500), (60, 80)),
    "kotka": ((76, 90), (9_500, 14_000), (125, 155)),
    "rochefort": ((85, 105), (17_000, 21_000), (215, 260)),
}
REFUSED = {"brenner": "the sheet is cut into pieces: its 3 built and populated hexes form 3 pieces"}


def within(value: int, bounds: tuple[int, int]) -> bool:
    return bounds[0] <= value <= bounds[1]


@pytest.mark.parametrize("town", REAL_TOWNS, ids=lambda town: town.name)
def test_a_real_town_builds_or_is_refused_by_name(town, real_data, tmp_path):
    if absent := [name for name in town.files if not (real_data / name).is_file()]:
        pytest.skip(f"not here: {', '.join(absent)}")
    options = town.options(real_data, tmp_path, quick=True)
    if town.name in REFUSED:
        with pytest.raises(AverseError, match=REFUSED[town.name]):
            build_district(options, tmp_path / "pack")
        assert not (tmp_path / "pack").exists()
        return
    manifest = build_district(options, tmp_path / "pack")
    active, residents, links = BUILT[town.name]
    totals = manifest["totals"]
    roads = sum(count for link, count in totals["links"].items() if int(link) >= 1)
    assert within(totals["active"], active), totals
    assert within(totals["residents"], residents), totals
    assert within(roads, links), totals
    assert read_district(tmp_path / "pack").digest == manifest["district_sha256"]
    assert read_ground(tmp_path / "pack").digest == manifest["ground_sha256"]
