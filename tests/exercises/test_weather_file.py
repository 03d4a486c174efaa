import json
import re
from pathlib import Path

import numpy as np
import pytest

from exercises.weather_entry import weather_entry, weather_rows
from exercises.weather_file import read_weather
from gis.store import read_district, read_ground
from sim.district import Severity
from sim.errors import ExerciseError
from sim.idf import IDF_LAWS, MontanaLaw, TableLaw
from sim.water import flood, storm_under
from tests.gis.hand_pack import write_hand_pack

RUNG = Severity(5, 5.0, 0.0, 1.0)
LEVEL = '[[level]]\nhex = "0504"\nminutes = [0, 60]\nrise_m = [0, 2]\n'
INFLOW = '[[inflow]]\nhex = "0801"\nminutes = [0, 60]\nflow_m3_s = [0, 20]\n'
OWN = '[storm]\nsource = "by hand"\nperiods = [1]\n'
CELL = "along_m = 900\nacross_m = 500\npeak = 2\n"
DOC = Path(__file__).parents[2] / "docs" / "weather.md"


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    entries = [
        {"name": "Ru", "hex": "0801", "outside_km2": 9.0, "share": 0.6, "at_least": True},
        {"name": "", "hex": "0101", "outside_km2": 6.0, "share": 0.4, "at_least": False},
    ]
    report = {"catchments": {"seen_m": 9000.0, "entries": entries}}
    return write_hand_pack(tmp_path_factory.mktemp("weather") / "pack", report=report)


@pytest.fixture
def read(pack, tmp_path):
    def of(text):
        path = tmp_path / "w.toml"
        path.write_text(text, encoding="utf-8")
        return read_weather(path, pack, read_district(pack), read_ground(pack))

    return of


def storm(weather, pack):
    return storm_under(read_district(pack), RUNG, weather)


def test_an_empty_file_changes_nothing(read, pack):
    assert storm(read(""), pack) == storm(None, pack)


def test_7_1_storm_period_form_and_cell(read, pack):
    text = (
        '[storm]\nlaw = "it77_region_2"\nyears = 10\n'
        '[storm.hyetograph]\nform = "double_triangle"\npeak_min = 90\n'
        '[storm.cell]\nhex = "0201"\ntowards_deg = 90\nspeed_m_s = 4\n' + CELL
    )
    made = storm(read(text), pack)
    assert made.law is IDF_LAWS["it77_region_2"]
    assert made.years == 10
    assert (made.hyetograph.form, made.hyetograph.peak_min) == ("double_triangle", 90)
    assert made.hyetograph.length_min == 300  # the district's own
    sheet = read_district(pack).sheet
    assert made.cell.start_m == tuple(sheet.centres_m[sheet.index_of("0201")])
    assert made.cell.axis_deg == 90  # along its way


def test_7_1_own_coefficients_and_own_table(read, pack):
    about = '[storm]\nsource = "the town\'s own"\nperiods = [1, 10]\n'
    montana = storm(
        read(about + "[[storm.montana]]\nfrom_min = 6\nto_min = 60\na = [3, 6]\nb = [0.6, 0.55]\n"),
        pack,
    ).law
    assert isinstance(montana, MontanaLaw)
    assert float(montana.depth_mm(60, 10)) == pytest.approx(6 * 60**0.45)
    assert montana.fitted_years == (1, 10)
    table = storm(
        read(about + "[storm.table]\nminutes = [10, 60]\ndepth_mm = [[9, 20], [15, 40]]\n"), pack
    ).law
    assert isinstance(table, TableLaw)
    assert float(table.depth_mm(60, 10)) == pytest.approx(40)


def test_7_7_a_water_body_by_hex_is_all_that_is_joined_to_it(read, pack):
    ground = read_ground(pack)
    (held,) = read(LEVEL).levels
    assert np.array_equal(held.pixels, ground.sink & (ground.cell >= 0))
    assert held.level_m.at(3600) == pytest.approx(32.0)  # its usual level is 30 m
    assert held.level_m.at(9e9) == pytest.approx(32.0)


def test_7_7_a_water_body_by_name_is_the_open_water_under_its_area(read, pack):
    ground = read_ground(pack)
    (held,) = read(LEVEL.replace('hex = "0504"', 'water = "La Bièvre"')).levels
    assert held.pixels.any()
    assert not (held.pixels & ~ground.sink).any()
    flat = read(LEVEL.replace("rise_m", "level_m")).levels[0]
    assert flat.level_m.at(3600) == 2


def test_7_7_an_inflow_lies_in_its_rim_hex_off_the_rim(read, pack):
    district, ground = read_district(pack), read_ground(pack)
    for text in (INFLOW, INFLOW.replace('hex = "0801"', 'watercourse = "Ru"')):
        (inflow,) = read(text).inflows
        assert set(ground.cell[inflow.pixels].tolist()) == {district.sheet.index_of("0801")}
        assert inflow.flow_m3_s.at(1800) == 10
        outside = np.pad(ground.cell, 1, constant_values=-1) < 0
        for r, c in np.argwhere(inflow.pixels):
            assert not outside[r : r + 3, c : c + 3].any()


@pytest.mark.parametrize(
    "text", ["minutes,flow_m3_s\n0,0\n60,12.5\n", "minutes;flow_m3_s\r\n0;0\r\n60;12,5\r\n\r\n"]
)
def test_7_7_a_hydrograph_may_stand_in_a_csv(read, tmp_path, text):
    (tmp_path / "q.csv").write_bytes(b"\xef\xbb\xbf" + text.encode())
    (inflow,) = read('[[inflow]]\nhex = "0801"\ncsv = "q.csv"\n').inflows
    assert inflow.flow_m3_s.at(3600) == 12.5


def test_7_7_the_water_of_the_file_reaches_the_streets(read, pack):
    district, ground = read_district(pack), read_ground(pack)
    dry = flood(district, ground, Severity(1, 1.0, 1.0, 0.0), 12)
    wet = flood(district, ground, Severity(1, 1.0, 1.0, 0.0), 12, weather=read(LEVEL + INFLOW))
    assert wet.in_m3 > 20 * 3600 / 2
    assert abs(wet.balance_error) <= 1e-6
    beside = [district.sheet.index_of(label) for label in ("0404", "0604")]
    assert wet.depth_mm[:, beside].max() > dry.depth_mm[:, beside].max() + 300


FAULTS = {
    "no TOML": ("[storm\n", "is not TOML"),
    "a key unknown": ("[storm]\nyear = 5\n", r"storm\.year is not known \(§7\.7\)"),
    "a hex without quotes": (LEVEL.replace('"0504"', "504"), r"level\[1\]\.hex is 504, not a text"),
    "a number in quotes": ("[storm]\nyears = '5'\n", r"storm\.years is '5', not a number"),
    "not a number": ("[storm]\nyears = nan\n", r"storm\.years is nan"),
    "below nothing": ("[storm]\nyears = -1\n", r"storm\.years is -1: .*greater than 0"),
    "the second level": (
        LEVEL + LEVEL.replace("minutes", "hours"),
        r"level\[2\]\.minutes is missing",
    ),
    "two faults": ("[storm]\nyear = 5\nlow = 1\n", r"year is not known; storm\.low is not known"),
    "a law unknown": ('[storm]\nlaw = "paris"\n', r"storm: no law .*harbin.*§7\.1"),
    "a law without the period": ('[storm]\nlaw = "it77_region_1"\n', r"storm: .*10 years only"),
    "two laws": (
        '[storm]\nlaw = "harbin"\n[storm.table]\nminutes = [1, 2]\ndepth_mm = [[1, 2]]\n',
        "give one of them",
    ),
    "a law without source": (
        "[storm.table]\nminutes = [1, 2]\ndepth_mm = [[1, 2]]\n",
        "states its source",
    ),
    "millimetres": (
        '[[level]]\nhex = "0501"\nminutes = [0, 60]\nrise_m = [0, 1500]\n',
        "rise_m reaches 1500 m",
    ),
    "an altitude in centimetres": (
        '[[level]]\nhex = "0501"\nminutes = [0, 60]\nlevel_m = [0, 15000]\n',
        "level_m reaches 15000 m",
    ),
    "a law in another unit": (
        (
            '[storm]\nsource = "x"\nperiods = [1, 10]\n'
            "[[storm.montana]]\nfrom_min = 6\nto_min = 60\na = [300000, 600000]\nb = [0.6, 0.55]\n"
        ),
        "more than ever fell in a day",
    ),
    "a law that falls": (
        OWN + "[storm.table]\nminutes = [1, 2]\ndepth_mm = [[2, 1]]\n",
        r"storm: .*less rain",
    ),
    "a peak beyond the end": (
        "[storm.hyetograph]\nlength_min = 60\n",
        r"storm\.hyetograph: .*peak within",
    ),
    "a cell nowhere": ("[storm.cell]\n" + CELL, r"storm\.cell: has none of hex, x_m"),
    "half a place": ("[storm.cell]\nx_m = 1\n" + CELL, "give both"),
    "a hex off the sheet": (
        LEVEL.replace("0504", "9999"),
        r"level\[1\]: hex '9999' is not on the sheet",
    ),
    "no water there": (
        LEVEL.replace("0504", "0101"),
        r"level\[1\]: no open water touches hex 0101",
    ),
    "no water so called": (LEVEL.replace('hex = "0504"', 'water = "Seine"'), "La Bièvre"),
    "level and rise": (LEVEL + "level_m = [1, 2]\n", "has level_m and rise_m"),
    "neither": ('[[level]]\nhex = "0504"\nminutes = [0]\n', "has none of level_m, rise_m"),
    "times and values": (
        LEVEL.replace("[0, 60]", "[0, 60, 90]"),
        "3 minutes and 2 values of rise_m",
    ),
    "time goes back": (LEVEL.replace("[0, 60]", "[60, 0]"), r"level\[1\]: .*ascending"),
    "the same water twice": (LEVEL + LEVEL, r"level\[2\]: the same water has a level already"),
    "inside the sheet": (
        INFLOW.replace("0801", "0804"),
        r"inflow\[1\]: hex 0804 is not on the rim",
    ),
    "swallowed": (INFLOW.replace("0801", "0501"), r"would swallow the inflow"),
    "water taken": (INFLOW.replace("[0, 20]", "[0, -20]"), r"inflow\[1\]: .*only brings water"),
    "litres": (INFLOW.replace("[0, 20]", "[0, 200000]"), "not litres"),
    "no such watercourse": (INFLOW.replace('hex = "0801"', 'watercourse = "Seine"'), r"\(Ru\)"),
    "no csv": ('[[inflow]]\nhex = "0801"\ncsv = "q.csv"\n', r"hydrograph .*q.csv does not exist"),
}


@pytest.mark.parametrize(("text", "said"), FAULTS.values(), ids=FAULTS.keys())
def test_7_7_a_fault_is_told_with_its_place_its_rule_and_what_to_do(read, text, said):
    with pytest.raises(ExerciseError, match=said) as fault:
        read(text)
    message = str(fault.value)
    assert "w.toml" in message
    assert "\n" not in message
    if "TOML" not in message:
        assert "§" in message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("time,flow\n0,1\n", "first line is minutes,flow_m3_s"),
        ("minutes,flow_m3_s\n0,1\n5,x\n", "line 3"),
        ("minutes,flow_m3_s\n0,1,2\n", "line 2"),
        ("", "first line"),
        ("minutes,flow_m3_s\n", "no|0 times"),
        ("minutes,flow_m3_s\n0," + "1" * 200_000, "cannot be read"),
    ],
)
def test_a_csv_that_cannot_be_read_is_told_with_its_line(read, tmp_path, text, said):
    (tmp_path / "q.csv").write_text(text)
    with pytest.raises(ExerciseError, match=said):
        read('[[inflow]]\nhex = "0801"\ncsv = "q.csv"\n')


def test_no_file_at_all(pack, tmp_path):
    with pytest.raises(ExerciseError, match=r"weather file .* does not exist"):
        read_weather(tmp_path / "none.toml", pack, read_district(pack), read_ground(pack))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("storm = " + "[" * 5_000, "without end"),
        ("[storm]\nyears = " + "9" * 5_000, "hundreds of digits"),
        ('[[inflow]]\nhex = "0801"\ncsv = "a\\u0000b"\n', "no sign of any text"),
    ],
)
def test_what_no_parser_bears_is_told_too(read, text, said):
    with pytest.raises(ExerciseError, match=said):
        read(text)


def test_the_documented_example_is_read(read, tmp_path):
    blocks = re.findall(r"```toml\n(.*?)```", DOC.read_text(encoding="utf-8"), re.S)
    (tmp_path / "flow.csv").write_text("minutes,flow_m3_s\n0,1\n60,30\n")
    here = {"0126": "0107", "La Seine": "La Bièvre", "4401": "0801"}
    text = blocks[0]
    for theirs, ours in here.items():
        assert theirs in text
        text = text.replace(theirs, ours)
    weather = read(text)
    assert (len(weather.levels), len(weather.inflows), weather.years) == (1, 1, 20)
    assert weather.cell is not None
    assert read(blocks[1]).law.fitted_years == (10, 100)


def test_7_7_an_exercise_keeps_its_weather_and_says_what_rain_alone_leaves_out(
    read, pack, tmp_path
):
    district, ground = read_district(pack), read_ground(pack)
    plain = weather_entry(pack, district, ground, 5, None, None)
    assert [e["hex"] for e in plain["rain_on_the_sheet_only"]] == ["0801", "0101"]
    assert "at least 60%" in weather_rows(plain)[0][1]
    assert "weather" not in plain
    weather = read("[storm]\nyears = 200\n" + LEVEL + INFLOW)
    entry = weather_entry(pack, district, ground, 5, tmp_path / "w.toml", weather)
    assert [e["hex"] for e in entry["rain_on_the_sheet_only"]] == ["0101"]
    assert entry["weather"]["inflow_hexes"] == ["0801"]
    assert entry["weather"]["rain_years"] == 200
    assert json.loads(json.dumps(entry)) == entry
    (kind, said), _ = weather_rows(entry)
    assert kind == "weather"
    assert "200-year rain in place of the level's, beyond" in said
    assert "inflow at 0801" in said
