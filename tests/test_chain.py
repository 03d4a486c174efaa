"""The whole chain on real data, from the command line: a town, a storm, an exercise, a map."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import h3
import numpy as np
import pytest
import shapely
from pyproj import Transformer

from gis.lattice import Lattice
from gis.store import read_district, read_manifest
from sim.hexes import Sheet

pytestmark = pytest.mark.xdist_group("porto_alegre")

SEED = "00112233445566778899aabbccddeeff"
OTHER_SEED = "ffeeddccbbaa99887766554433221100"


def averse(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "exercises.cli", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def town(real_data) -> Path:
    return real_data / "porto_alegre"


@pytest.fixture(scope="module")
def pack(town, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("chain") / "porto-alegre"
    done = averse(
        *("build", "--osm", town / "poa.osm.pbf", "--dem", town / "poa_elevation.tif"),
        *("--population", town / "poa_hexgrid.csv", "--out", out),
    )
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="module")
def played(pack) -> Path:
    out = pack.parent / "played"
    done = averse("play", pack, "--level", 5, "--seed", SEED, "--out", out)
    assert done.returncode == 0, done.stderr
    return out


def read_events(exercise: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (exercise / "events.jsonl").read_text().splitlines()]


def test_the_pack_holds_the_towns_people(pack, town):
    """The total is the source's within the sheet, re-counted here from the cells' outlines."""
    manifest = read_manifest(pack)
    sheet = Sheet(**manifest["sheet"])
    lattice = Lattice(sheet, manifest["crs"], *manifest["first_hex_m"])
    area = shapely.union_all(shapely.polygons(lattice.corners), grid_size=0.001)
    project = Transformer.from_crs("EPSG:4326", manifest["crs"], always_xy=True)
    expected = 0.0
    with (town / "poa_hexgrid.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            lat, lon = np.array(h3.cell_to_boundary(row["id"])).T
            cell = shapely.Polygon(np.column_stack(project.transform(lon, lat)))
            share = cell.intersection(area).area / cell.area
            expected += float(row["population"]) * share
    assert int(read_district(pack).residents.sum()) == pytest.approx(expected, rel=0.01)


def test_an_exercise_runs_to_its_end_and_leaves_its_files(played):
    scores = json.loads((played / "scores.json").read_text(encoding="utf-8"))
    assert scores["turns"] == 30
    assert scores["threatened"] > 0
    terms = sum(term["points"] for term in scores["terms"].values())
    assert scores["points"] == terms + scores["capital"]["points"]
    rows = list(csv.DictReader((played / "scores.csv").open(encoding="utf-8-sig")))
    total = next(row for row in rows if row["measure"] == "total")
    assert int(total["points"]) == scores["points"]
    assert (played / "map.html").stat().st_size < 3_000_000


def test_the_same_seed_and_orders_give_the_same_state(pack, played):
    again = pack.parent / "again"
    done = averse(
        *("play", pack, "--level", 5, "--seed", SEED, "--out", again),
        *("--orders", played / "orders.jsonl"),
    )
    assert done.returncode == 0, done.stderr
    first, second = (
        json.loads((folder / "exercise.json").read_text()) for folder in (played, again)
    )
    assert first["state_sha256"] == second["state_sha256"]
    assert len(first["state_sha256"]) == 32
    assert (played / "events.jsonl").read_bytes() == (again / "events.jsonl").read_bytes()


def test_another_seed_throws_other_dice(pack, played):
    other = pack.parent / "other"
    done = averse(
        *("play", pack, "--level", 5, "--seed", OTHER_SEED, "--out", other),
        *("--orders", played / "orders.jsonl"),
    )
    assert done.returncode == 0, done.stderr

    def dice(exercise: Path) -> list[dict[str, object]]:
        return [event for event in read_events(exercise) if "dice" in event]

    assert dice(played)
    assert dice(played) != dice(other)


def test_water_balances_on_real_ground(played):
    water = json.loads((played / "exercise.json").read_text())["water"]
    assert abs(water["balance_error"]) <= 1e-6
    assert water["rain_m3"] > 0
