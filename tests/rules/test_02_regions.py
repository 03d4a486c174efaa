"""§2.1: fabric tables by region, each figure with its source."""

from dataclasses import fields

import pytest

from sim.idf import IDF_LAWS
from sim.rules import ASSUMPTION, FABRIC_SOURCES, FRANCE, REGIONS, Fabric, FabricRow
from sim.storm import REGION_LAWS

COLUMNS = [f.name for f in fields(FabricRow) if not f.name.startswith("label_")]
# NF EN 752-2: years between two storms that fill the network
YEARS = {
    Fabric.OLD_TOWN: 5,
    Fabric.SLAB_BLOCKS: 2,
    Fabric.TOWER_COMPOUND: 2,
    Fabric.COMMERCIAL: 5,
    Fabric.INDUSTRIAL: 5,
    Fabric.URBAN_VILLAGE: 2,
    Fabric.FARMLAND: 1,
}


def test_2_1_every_region_names_the_source_of_every_column():
    assert FABRIC_SOURCES.keys() == REGIONS.keys()
    for sources in FABRIC_SOURCES.values():
        assert list(sources) == COLUMNS
        assert all(
            text.strip() and text.rstrip().endswith((".", "§2")) for text in sources.values()
        )


def test_2_1_what_rests_on_no_publication_says_so():
    france = FABRIC_SOURCES["france"]
    assert [name for name in COLUMNS if france[name].startswith(ASSUMPTION)] == [
        "unshelterable",
        "retention",
    ]


@pytest.mark.parametrize("rows", REGIONS.values(), ids=REGIONS)
def test_2_a_table_holds_every_fabric_with_figures_that_can_be(rows):
    assert list(rows) == list(Fabric)
    for row in rows.values():
        assert row.residents_per_ha >= 1
        assert 0 <= row.unshelterable <= 1
        assert 0 < row.runoff < 1
        assert 0.011 <= row.retention <= 0.80  # published range of overland flow
        assert row.label_fr
        assert row.label_en
    assert rows[Fabric.PARK].network_mm_h == 0


@pytest.mark.parametrize("fabric", YEARS)
def test_2_1_french_networks_take_the_runoff_of_the_standards_hour(fabric):
    law = IDF_LAWS[REGION_LAWS["france"]]
    row = FRANCE[fabric]
    assert row.network_mm_h == pytest.approx(row.runoff * law.mean_mm_h(60, YEARS[fabric]), abs=0.5)


def test_2_1_the_french_labels_are_those_of_the_rule_book():
    assert FRANCE[Fabric.OLD_TOWN].label_fr == "Centre ancien"
    assert FRANCE[Fabric.SLAB_BLOCKS].label_fr == "Grand ensemble"
    assert FRANCE[Fabric.TOWER_COMPOUND].label_fr == "Résidence de tours"
    assert FRANCE[Fabric.URBAN_VILLAGE].label_fr == "Pavillonnaire dense / faubourg"
