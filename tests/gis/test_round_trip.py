"""The reference town round-trips: what was designed is what the builder finds (§1–3, 5)."""

from collections import Counter

import numpy as np
import pytest

from gis.provenance import INVENTED_CREDIT
from gis.store import read_district
from sim.rules import LINKS, SHEET_ACTIVE, Fabric, LinkClass, Structure

pytestmark = pytest.mark.xdist_group("reference")


@pytest.fixture(scope="module")
def built(reference_town):
    return read_district(reference_town.pack)


@pytest.mark.parametrize("layer", ["active", "fabric", "residents", "unshelterable"])
def test_every_hex_is_as_designed(reference_town, built, layer):
    designed = getattr(reference_town.design, layer)
    differ = np.flatnonzero(designed != getattr(built, layer))
    assert [built.sheet.label(cell) for cell in differ] == []


@pytest.mark.parametrize("layer", ["link_class", "structure", "foot", "barrier"])
def test_every_link_is_as_designed(reference_town, built, layer):
    designed = getattr(reference_town.design, layer)
    differ = np.flatnonzero(designed != getattr(built, layer))
    ends = built.sheet.edges[differ]
    assert [(built.sheet.label(a), built.sheet.label(b)) for a, b in ends] == []


@pytest.mark.parametrize("kind", ["shelters", "stations", "police_stations", "technical_centres"])
def test_every_facility_stands_where_it_was_designed(reference_town, built, kind):
    designed = getattr(reference_town.design, kind)
    assert {f.cell: f.name for f in getattr(built, kind)} == dict(designed)


def test_1_2_968_hexes_are_active(built):
    assert built.sheet.n_hexes == 1_232
    assert int(built.active.sum()) == SHEET_ACTIVE == 968


def test_2_all_eight_fabrics_are_in_play(built):
    assert set(built.fabric[built.active].tolist()) == {int(f) for f in Fabric}


def test_3_1_class_counts_are_the_printed_ones(built):
    counted = Counter(built.link_class.tolist())
    assert {c: counted[int(c)] for c in LinkClass} == {c: LINKS[c].reference_count for c in LINKS}


def test_3_3_bridges_and_underpasses_carry_links(built):
    counted = Counter(built.structure[built.link_class > 0].tolist())
    assert counted[int(Structure.BRIDGE)] > 0
    assert counted[int(Structure.UNDERPASS)] > 0


def test_5_the_printed_means_stand_on_the_sheet(built):
    assert len(built.shelters) == 18
    assert {s.places for s in built.shelters} == {1_800}
    assert len(built.stations) == 12
    assert len(built.police_stations) == 3
    assert len(built.technical_centres) == 2


def test_8_3_residents_and_unshelterable_within_one_per_cent(built):
    assert int(built.residents.sum()) == pytest.approx(422_100, rel=0.01)
    assert int(built.unshelterable.sum()) == pytest.approx(48_100, rel=0.01)


def test_quarters_cover_the_active_hexes_and_no_other(built):
    assert np.array_equal(built.quarter >= 0, built.active)
    assert set(built.quarter[built.active].tolist()) == set(range(len(built.quarters)))


def test_the_manifest_tells_sources_and_what_was_left_out(reference_town):
    manifest = reference_town.manifest
    assert [s["kind"] for s in manifest["sources"]] == ["osm", "dem"]
    assert all(len(s["sha256"]) == 64 for s in manifest["sources"])
    assert manifest["attribution"] == INVENTED_CREDIT  # nothing of it is OpenStreetMap's
    assert "not a flood map" in manifest["ground_statement"]
    for entry in manifest["report"]["dropped"]:
        assert entry["count"] > 0
        assert entry["reason"]
