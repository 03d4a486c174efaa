"""The ladder found for a ground, the storm moved for its window, the pack written whole (§7.6)."""

import json
import shutil
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import exercises.water_runs
from exercises.calibrate import (
    LAST_ALERT,
    MOST_STEPS,
    best_shift,
    calibrate,
    checked_shares,
    largest_fall,
    moved_by,
    nearest_rungs,
    next_rung,
    shortfall,
)
from exercises.calibrate_pack import calibrate_pack
from exercises.calibration_entry import calibration_entry
from exercises.calibration_words import LANGUAGES, missed_lines, storm_line
from exercises.chain import truth_of
from exercises.cli import cli
from gis.lattice import PixelGrid
from gis.store import GROUND, MANIFEST, REPORT, TRUTHS, read_district, read_ground, read_manifest
from gis.store_writer import write_ground
from sim.district import Ground
from sim.errors import DistrictError, ExerciseError, SourceError
from sim.hyetograph import Hyetograph
from sim.rules import LEVELS, TURNS, Fabric
from sim.severity_scale import LAST
from sim.severity_words import CALIBRATED, ladder_name
from sim.window import Window, threatened_share
from sim.world import World
from tests.gis.hand_pack import SHEET, district, lattice, write_hand_pack

WANTED = (0.02, 0.06, 0.12, 0.22)


def hollows() -> Ground:
    """A hollow in every hex, its floor wider from one to the next: the wider, the later it drowns.

    On pixels of 65 m, streets everywhere.
    """
    grid = PixelGrid.under(lattice(), 65.0)
    x, y = grid.centres()
    cell = lattice().cells_at(x, y)
    on = np.maximum(cell, 0)
    centres = np.asarray(lattice().centres)[on]
    away = np.hypot(x - centres[..., 0], y - centres[..., 1]) / 150
    floor = 0.3 + 0.5 * ((on * 37) % SHEET.n_hexes) / SHEET.n_hexes
    return Ground(
        pixel_m=grid.pixel_m,
        elevation_m=np.where(cell >= 0, 30 + 2 * np.clip((away - floor) / 0.2, 0, 1), 40).astype(
            np.float32
        ),
        cell=cell,
        road_m2=np.where(cell >= 0, 400, 0).astype(np.float32),
        sink=np.zeros(cell.shape, bool),
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A pack of hollows with streets everywhere, and the storms that a calibration tried on it."""
    folder = tmp_path_factory.mktemp("made") / "pack"
    base = district()
    town = replace(
        base,
        active=np.ones(SHEET.n_hexes, bool),
        fabric=np.full(SHEET.n_hexes, Fabric.OLD_TOWN, np.int8),
        residents=np.full(SHEET.n_hexes, 900, np.int32),
        unshelterable=np.full(SHEET.n_hexes, 200, np.int32),
        quarter=(np.arange(SHEET.n_hexes) % 4).astype(np.int32),
        link_class=np.ones(SHEET.n_edges, np.int8),
        structure=np.zeros(SHEET.n_edges, np.int8),
        foot=np.ones(SHEET.n_edges, bool),
        barrier=np.zeros(SHEET.n_edges, bool),
    )
    write_hand_pack(folder, town, ground_sha256=hollows().digest, crs=lattice().crs.to_string())
    write_ground(folder, hollows(), PixelGrid.under(lattice(), 65.0), lattice().crs)
    found = calibrate(folder, WANTED)
    return folder, found


@pytest.fixture
def pack(made, tmp_path):
    """A copy of the pack with its water."""
    return shutil.copytree(made[0], tmp_path / "pack")


def own_share(pack, town, level):
    """Share threatened at a level, by the rules, on the water that the pack gives."""
    water = truth_of(pack, town, read_ground(pack), level, TURNS, lambda *_: None)
    return threatened_share(World(town, water.depth_mm, level, "0" * 32, 14, TURNS))


# ------------------------------------------------------------------------------- the search
def growing(seed):
    """A share that grows along the scale, by leaps here and hardly there."""
    rng = np.random.default_rng(seed)
    steps = rng.random(LAST + 1) ** rng.integers(1, 12)
    return np.cumsum(steps) / steps.sum() * rng.random()


@given(seed=st.integers(0, 10_000), wanted=st.floats(0.001, 0.999))
def test_the_search_finds_the_nearest_rung_of_any_share_that_grows(seed, wanted):
    shares = growing(seed)
    known = {rung: float(shares[rung]) for rung in (0, 100, 200, LAST)}
    for _ in range(MOST_STEPS):
        rung = next_rung(known, wanted)
        if rung is None:
            break
        assert rung not in known
        known[rung] = float(shares[rung])
    else:
        pytest.fail("the search did not end")
    (found,) = nearest_rungs(known, (wanted,))
    assert abs(shares[found] - wanted) <= max(0.002, np.abs(shares - wanted).min() + 1e-12)


@given(seed=st.integers(0, 10_000), wanted=st.floats(0.001, 0.999), begin=st.integers(0, LAST))
def test_the_search_leaves_the_rungs_known_where_the_share_lies_beyond(seed, wanted, begin):
    shares = growing(seed)
    known = {begin: float(shares[begin])}
    for _ in range(LAST):
        rung = next_rung(known, wanted)
        if rung is None:
            break
        known[rung] = float(shares[rung])
    (found,) = nearest_rungs(known, (wanted,))
    assert abs(shares[found] - wanted) <= max(0.002, np.abs(shares - wanted).min() + 1e-12)


def test_rungs_never_fall_along_the_levels_even_where_the_share_does():
    known = {0: 0.0, 50: 0.21, 60: 0.09, 100: 0.4}
    assert nearest_rungs(known, (0.2, 0.21, 0.35, 0.5)) == (50, 50, 100, 100)
    assert nearest_rungs(known, (0.2, 0.9, 0.95, 0.99)) == (50, 100, 100, 100)
    assert largest_fall(known) == 0.12


@pytest.mark.parametrize(
    "shares", [(0.1, 0.2, 0.3), (0.2, 0.1, 0.3, 0.4), (0, 0.1, 0.2, 0.3), (0.1, 0.2, 0.3, 1)]
)
def test_shares_that_cannot_be_are_refused(shares):
    with pytest.raises(ExerciseError, match=r"give 4 that grow.*§7\.6"):
        checked_shares(shares)


# ------------------------------------------------------------------------------- the storm
def window(saved, sign=6):
    """A window whose share saved falls from 1 to 0 from the turn ``saved`` on."""
    shares = {t: Fraction(max(0, min(4, saved + 4 - t)), 4) for t in range(1, LAST_ALERT + 1)}
    return Window(100, 1000, 5, sign, saved + 2, shares)


def test_7_6_the_window_wanted_has_no_shortfall():
    assert shortfall([window(5)]) == 0.0  # 3/4 at turn 6, nothing at turn 9
    assert shortfall([window(4)]) == pytest.approx(5 * 0.25)  # the last useful moment first
    assert shortfall([window(8)]) == pytest.approx(0.75 - 0.45)
    assert shortfall([window(5, sign=8)]) == pytest.approx(0.04)
    assert shortfall([window(5), window(8)]) == pytest.approx(0.30)


def test_7_6_a_level_that_threatens_nobody_asks_for_nothing():
    nobody = Window(0, 1000, 0, 0, 0, dict.fromkeys(range(1, LAST_ALERT + 1)))
    assert shortfall([nobody]) == 0.0


def test_7_6_the_peak_is_moved_by_as_much_as_the_window_misses():
    assert best_shift([window(8)]) == -2  # the least move of those that keep it
    assert best_shift([window(3)]) == 2
    assert best_shift([window(5)]) == 0


def test_a_storm_is_moved_within_its_length_and_the_exercise():
    storm = Hyetograph()
    assert moved_by(storm, -3, 300.0).peak_min == 105.0
    assert moved_by(storm, -30, 300.0).peak_min == 55.0
    assert moved_by(storm, 6, 300.0).peak_min == 175.0
    assert moved_by(storm, 0, 120.0).peak_min == 90.0
    assert moved_by(storm, 0, 240.0) == replace(storm, length_min=240.0)


# ------------------------------------------------------------------------------- a ground
def test_7_6_the_ladder_threatens_the_shares_wanted_by_the_rules_themselves(made):
    pack, found = made
    for level in found.levels:
        share = own_share(pack, found.district, level.severity.level)
        assert share == pytest.approx(level.window.share)
        assert share == pytest.approx(level.wanted, abs=0.02)
    assert found.fall == 0.0  # more severe, more threatened
    assert [x.severity.level for x in found.levels] == list(LEVELS)
    severities = [
        (-x.severity.network_efficiency, x.severity.soaked, x.severity.rain_years)
        for x in found.levels
    ]
    assert all(a < b for a, b in pairwise(severities))
    assert ladder_name(found.district.ladder) == CALIBRATED


def test_a_stopped_run_goes_on_from_the_storms_it_had(made, pack, monkeypatch):
    kept = sorted((pack / TRUTHS).iterdir())
    for path in kept[::9]:
        path.unlink()
    ran = []
    real = exercises.water_runs.flood

    def counted(*args, **more):
        ran.append(args)
        return real(*args, **more)

    monkeypatch.setattr(exercises.water_runs, "flood", counted)
    assert calibration_entry(calibrate(pack, WANTED)) == calibration_entry(made[1])
    assert len(ran) == len(kept[::9])


def test_the_pack_takes_the_ladder_found_again_and_all_that_reads_it_sees_it(
    pack, made, monkeypatch
):
    monkeypatch.setattr(exercises.water_runs, "flood", None)  # would fail if it were called
    before = read_manifest(pack)
    entry = calibrate_pack(pack, WANTED, lang="fr")
    assert entry == calibration_entry(made[1])
    manifest, town = read_manifest(pack), read_district(pack)
    assert town.ladder == made[1].district.ladder
    assert town.hyetograph == made[1].district.hyetograph
    assert manifest["district_sha256"] != before["district_sha256"]
    assert manifest["calibration"] == json.loads(json.dumps(entry))
    assert manifest["calibration"]["wanted"] == list(WANTED)
    assert manifest["calibration"]["averse"]
    assert (pack / REPORT).is_file()
    assert {p.name for p in (pack / TRUTHS).iterdir()} == {
        p.name for p in (made[0] / TRUTHS).iterdir()
    }
    # calibrating a calibrated pack begins from the rule book's storm again
    assert calibrate_pack(pack, WANTED, lang="fr") == entry


def test_the_pack_stays_as_it_was_where_the_new_one_cannot_be_written(pack, monkeypatch):
    before = (pack / MANIFEST).read_bytes()

    def full(*args, **more):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("gis.store_ladder.shutil.copytree", full)
    with pytest.raises(SourceError, match="make room"):
        calibrate_pack(pack, WANTED, keep_storm=True)
    assert (pack / MANIFEST).read_bytes() == before
    assert [p.name for p in pack.parent.iterdir()] == ["pack"]


def test_a_pack_with_something_else_in_it_is_refused_before_any_search_and_kept(pack):
    (pack / "notes.txt").write_text("mine", encoding="utf-8")
    (pack / GROUND).write_bytes(b"")  # no storm runs over it
    with pytest.raises(SourceError, match=r"notes\.txt"):
        calibrate_pack(pack, WANTED, keep_storm=True)
    assert (pack / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_no_pack_no_ladder(tmp_path):
    with pytest.raises(DistrictError, match="not a district pack"):
        calibrate(tmp_path, WANTED)


# ------------------------------------------------------------------------------- what is said
@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_the_ground_does_not_give_is_said(made, lang):
    found = made[1]
    flat = replace(found, levels=tuple(replace(x, wanted=x.wanted + 0.3) for x in found.levels))
    entry = calibration_entry(flat)
    kinds = [fault["kind"] for fault in entry["missed"]]
    assert "share" in kinds
    lines = missed_lines(entry, lang)
    assert len(lines) == 1 + len(kinds)
    assert not any("{" in line for line in lines)
    assert "300" in storm_line(entry, lang) or "240" in storm_line(entry, lang) or "180" in (
        storm_line(entry, lang)
    )  # fmt: skip
    assert missed_lines({**entry, "missed": []}, lang)[0].endswith(".")


def test_two_levels_that_are_one_storm_are_named(made):
    found = made[1]
    twin = replace(found.levels[3], severity=replace(found.levels[2].severity, level=5))
    entry = calibration_entry(replace(found, levels=(*found.levels[:3], twin)))
    assert {"kind": "same", "levels": [3, 5]} in entry["missed"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_command_prints_the_ladder(pack, lang):
    run = CliRunner().invoke(
        cli, ["calibrate", str(pack), "--shares", "2,6,12,22", "--keep-storm", "--lang", lang]
    )
    assert run.exit_code == 0, run.output
    assert ("réseau" if lang == "fr" else "drains") in run.stdout
    assert str(pack) in run.stdout


def test_the_command_prints_json_and_writes_nothing_when_asked(pack):
    before = (pack / MANIFEST).read_bytes()
    run = CliRunner().invoke(
        cli,
        ["calibrate", str(pack), "--shares", "2,6,12,22", "--keep-storm", "--dry-run", "--json"],
    )
    assert run.exit_code == 0, run.output
    entry = json.loads(run.stdout)
    assert [level["level"] for level in entry["levels"]] == list(LEVELS)
    assert list(entry["levels"][0]["saved"]) == ["4", "6", "8", "9", "12"]
    assert (pack / MANIFEST).read_bytes() == before
