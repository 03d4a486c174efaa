"""averse debrief: whole or not at all, the same bytes in any two runs, one source of figures."""

import csv
import hashlib
import io
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest

from exercises.cli import EXIT_USER_FAULT, main
from exercises.debrief import write
from exercises.debrief.crew import Crew, crew_of
from exercises.debrief.figures import class_figures
from exercises.debrief.material import read_material
from exercises.debrief.msel import write_msel
from exercises.debrief.write import ARCHIVE_ROOT, MANIFEST, write_pack
from exercises.injects_file import read_injects
from exercises.scenario_options import ScenarioOptions
from sim.errors import AverseError
from sim.rules import Card
from tests.exercises.debrief.hand_exercise import ORDERS, TURNS, play
from tests.exercises.debrief.hand_exercise import write_pack as write_district
from tests.exercises.debrief.writes_on import WritesOn

ROOT = Path(__file__).parent.parent.parent.parent
HOSTILE = "<script>alert(1)</script>\u202e=1+1" + "x" * 300
INJECTS = """turn,card,target,note
3,accident,0203-0204,=cmd|' /C calc'!A0
4,power_cut,0304,the substation
5,injunction,,
6,injunction,Nord-Est,
7,reinforcement,,
"""


@pytest.fixture(scope="module")
def ground(tmp_path_factory):
    return write_district(tmp_path_factory.mktemp("ground") / "pack")


@pytest.fixture(scope="module")
def exercises(ground, tmp_path_factory):
    """Two teams on one storm, the second with a hostile name and hostile reasons."""
    folder = tmp_path_factory.mktemp("class")
    reasons = [{**order, "reason": f"=1+1;{HOSTILE}"} for order in ORDERS]
    first = play(ground, folder / "a" / "exercise", team="Blue")
    second = play(ground, folder / "b" / "exercise", orders=reasons)
    # whoever moves the folder may call it anything
    return first, second.rename(second.with_name(HOSTILE[:100].replace("/", "")))


@pytest.fixture(scope="module")
def packs(exercises, tmp_path_factory):
    """The pack of the class, written by this process and by another, whose hashes differ."""
    folder = tmp_path_factory.mktemp("packs")
    material = read_material(exercises)
    alone = write_pack(material, folder / "alone", "fr", archive=True)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        crew = Crew(pool)
        again = read_material(exercises, crew=crew)
        together = write_pack(again, folder / "together", "fr", archive=True, crew=crew)
    return alone, together


@pytest.fixture
def averse(capsys, monkeypatch):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["averse", *map(str, arguments)])
        try:
            main()
            status = 0
        except SystemExit as ended:
            status = ended.code or 0
        out, err = capsys.readouterr()
        return status, out, err

    return run


def contents(folder):
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def rows(path):
    text = path.read_text(encoding="utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=";"))


def summed(table, heading):
    return int(sum(Decimal(row[heading].replace(",", ".")) for row in table))


# --------------------------------------------------------------------------- bytes
def test_two_runs_give_the_same_bytes_whoever_does_the_work(packs):
    alone, together = packs
    assert contents(alone.folder) == contents(together.folder)
    assert alone.archive.read_bytes() == together.archive.read_bytes()


def test_the_archive_holds_the_pack_and_no_date(packs):
    alone, _ = packs
    with zipfile.ZipFile(alone.archive) as archive:
        assert archive.testzip() is None
        held = {one.filename: archive.read(one) for one in archive.infolist()}
        assert {one.date_time for one in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    files = contents(alone.folder)
    assert held == {f"{ARCHIVE_ROOT}/{name}": text for name, text in files.items()}


def test_the_manifest_lists_every_file_by_its_hash(packs):
    files = contents(packs[0].folder)
    manifest = json.loads(files.pop(MANIFEST))
    assert manifest["files"] == {
        name: hashlib.sha256(text).hexdigest() for name, text in files.items()
    }
    assert manifest["teams"][0]["team"] == "Blue"


def test_no_path_of_this_machine_is_in_the_pack(packs, exercises, ground):
    for name, text in contents(packs[0].folder).items():
        for path in (ground, exercises[0], packs[0].folder):
            assert str(path.parent).encode() not in text, name


# --------------------------------------------------------------------------- one source of figures
def test_12_people_csv_sums_to_every_figure(packs):
    folder = packs[0].folder
    figures = json.loads((folder / "figures.json").read_text(encoding="utf-8"))
    scores = rows(folder / "scores.csv")
    for team, score in zip(figures["teams"], scores, strict=True):
        table = rows(folder / team["files"] / "people.csv")
        terms = {key: term["people"] for key, term in team["terms"].items()}
        assert summed(table, "menacés") == team["threatened"]
        assert summed(table, "sauvés") == terms["needed_and_done"]
        assert summed(table, "places inutiles") == terms["not_needed"]
        assert summed(table, "victimes") == terms["victims"]
        assert summed(table, "places occupées") == team["places_used"]
        assert summed(table, "à abriter") == team["to_shelter"]
        not_done = terms["needed_and_done"] + terms["needed_and_not_done"]
        assert not_done == team["threatened"] > 0
        points = sum(term["points"] for term in team["terms"].values())
        assert points + team["capital"]["points"] == team["points"] == int(score["points"])


def test_17_the_event_log_has_every_order_with_its_reason_and_rule(packs):
    folder = packs[0].folder / "1-blue"
    log = rows(folder / "journal.csv")
    orders = [row for row in log if row["décision"]]
    assert len(orders) == len(ORDERS)
    assert [row["raison"] for row in orders if row["raison"]] == ["the low bank first"]
    assert all(row["règle"] for row in log)
    assert [int(row["tour"]) for row in log] == sorted(int(row["tour"]) for row in log)
    assert {row["su de l'équipe"] for row in log} == {"oui", "non"}
    sheet = openpyxl.load_workbook(folder / "journal.xlsx").active
    assert sheet.max_row == len(log) + 1
    for row, cells in zip(log, sheet.iter_rows(min_row=2, values_only=True), strict=True):
        assert ["" if cell is None else str(cell) for cell in cells] == list(row.values())


# --------------------------------------------------------------------------- hostile names
def test_hostile_names_give_safe_files_and_no_formula(packs):
    names = {path.relative_to(packs[0].folder).as_posix() for path in packs[0].files}
    own = {name.split("/")[0] for name in names if "/" in name and name[0] in "12"}
    assert own == {"1-blue", next(name for name in own if name.startswith("2-script-alert-1"))}
    assert all(len(name) < 80 and name.isascii() for name in names)
    (hostile,) = own - {"1-blue"}
    for row in rows(packs[0].folder / hostile / "journal.csv"):
        assert all(cell.lstrip()[:1] not in tuple("=+@") for cell in row.values())


# --------------------------------------------------------------------------- injects again
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_13_2_the_cards_of_an_exercise_are_played_again_from_its_msel(ground, tmp_path, lang):
    injects = tmp_path / "injects.csv"
    injects.write_text(INJECTS, encoding="utf-8")
    first = play(ground, tmp_path / "first", scenario=ScenarioOptions(cards=False, injects=injects))
    material = read_material([first])
    figures = class_figures(material)
    played = figures.teams[0].cards
    (msel,) = write_msel(material, figures, tmp_path, lang)
    again = read_injects(msel, material.district, TURNS)
    assert [(one.turn, one.card, one.target) for one in again] == [
        (card.turn, card.card, card.target) for card in played
    ]
    assert again[0].note == "=cmd|' /C calc'!A0"
    assert again[2].card is Card.INJUNCTION
    assert again[2].target is not None


def test_a_workbook_that_lost_the_zeros_of_a_hex_is_read(ground, exercises, tmp_path):
    book = openpyxl.Workbook()
    for row in (("Tour", "Carte", "Cible", "Mienne"), (4.0, "Coupure electrique", 304, "x")):
        book.active.append(row)
    book.save(tmp_path / "mine.xlsx")
    district = read_material(exercises[:1]).district
    (inject,) = read_injects(tmp_path / "mine.xlsx", district, TURNS)
    assert (inject.turn, inject.card) == (4, Card.POWER_CUT)
    assert district.sheet.label(inject.target) == "0304"


@pytest.mark.parametrize("content", [b"", b"PK\x05\x06" + b"\0" * 18, b"turn,card\n1,jam\n"])
def test_what_is_no_workbook_is_told_in_a_sentence(exercises, tmp_path, content):
    (tmp_path / "bad.xlsx").write_bytes(content)
    with pytest.raises(AverseError, match=r"bad\.xlsx is not a workbook that can be read"):
        read_injects(tmp_path / "bad.xlsx", read_material(exercises[:1]).district, TURNS)


# --------------------------------------------------------------------------- whole or not at all
def test_a_crew_gives_results_in_order_and_faults_as_they_are():
    with crew_of(2) as crew:
        crew.warm_up(["json", "no.such.module"])
        shares = []
        assert crew.each(len, ["a", "bb", "ccc"], shares.append) == [1, 2, 3]
        assert (shares[0], shares[-1]) == (0, 1)
        with pytest.raises(ValueError, match="invalid literal"):
            crew.each(int, ["1", "x", "2"])
    with (
        crew_of(2) as crew,
        pytest.raises(AverseError, match="a process that helped was stopped"),
    ):
        crew.each(os._exit, [1, 1])


def assert_refused(done, *words):
    status, _, err = done
    assert status == EXIT_USER_FAULT
    assert "Traceback" not in err
    for word in words:
        assert word in err.strip().splitlines()[-1]


@pytest.fixture
def small(monkeypatch):
    """A pack of tables alone, made by one process: how it is written is the same."""
    tables = tuple(one for one in write.ARTEFACTS if one.module in {"figure_tables", "msel"})
    monkeypatch.setattr(write, "ARTEFACTS", tables)
    monkeypatch.setattr("exercises.debrief.crew.processes_here", lambda: 1)


def test_a_pack_is_replaced_and_nothing_else_is(averse, small, exercises, packs, tmp_path):
    out = tmp_path / "pack"
    shutil.copytree(packs[0].folder, out)
    status, said, _ = averse("debrief", exercises[0], "--out", out)
    assert status == 0
    assert "Debrief:" in said
    assert (out / "people.csv").exists()
    assert not (out / "1-blue").exists()
    (out / "mine.txt").write_text("kept")
    before = contents(out)
    done = averse("debrief", exercises[0], "--out", out)
    assert_refused(done, "holds something else than a debrief pack (mine.txt)")
    assert contents(out) == before
    done = averse("debrief", exercises[0], "--out", exercises[0])
    assert_refused(done, "give another --out folder")


def test_an_archive_is_not_written_over_what_is_none(averse, small, exercises, tmp_path):
    (tmp_path / "pack.zip").write_text("mine")
    done = averse("debrief", exercises[0], "--out", tmp_path / "pack", "--zip")
    assert_refused(done, "pack.zip exists and is no debrief pack")
    assert not (tmp_path / "pack").exists()


def test_a_fault_on_the_way_leaves_nothing(small, exercises, tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("exercises.debrief.msel.write_msel", fail)
    with pytest.raises(OSError, match="No space left"):
        write_pack(read_material(exercises[:1]), tmp_path / "pack", "en", archive=True)
    assert list(tmp_path.iterdir()) == []


def test_a_fault_ends_those_who_still_write_before_their_folder_goes(
    exercises, tmp_path, monkeypatch
):
    monkeypatch.setattr(write, "ARTEFACTS", (WritesOn(fails=False), WritesOn(fails=True)))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with crew_of(2) as crew:
        material = read_material(exercises)
        with pytest.raises(OSError, match="No space left"):
            write_pack(material, tmp_path / "out" / "pack", "en", crew=crew)
        assert list((tmp_path / "out").iterdir()) == []
        time.sleep(0.1)
        assert list((tmp_path / "out").iterdir()) == []
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


STOPPED = """
if __name__ == "__main__":
    import os, signal, sys, threading, time
    from pathlib import Path
    from {module} import main
    import exercises.debrief.crew as crew
    from exercises.debrief import write
    from tests.exercises.debrief.writes_on import WritesOn

    # a shell that runs the tests in the background has its programs let the signal be
    signal.signal(signal.SIGINT, signal.default_int_handler)
    crew.processes_here = lambda: 2
    write.MODULES = ()
    write.ARTEFACTS = (WritesOn(fails=False), WritesOn(fails=False))

    def stop():
        while not list(Path({made!r}).glob(".*/maps/begun")):
            time.sleep(0.01)
        os.killpg(0, signal.{signal})

    threading.Thread(target=stop, daemon=True).start()
    sys.exit(main())
"""


@pytest.mark.parametrize(
    ("module", "signal", "said"),
    [
        ("exercises.cli", "SIGINT", "averse: stopped\n"),
        ("exercises.room.debriefing", "SIGTERM", ""),
    ],
)
def test_a_debrief_that_is_stopped_leaves_nothing(
    exercises, ground, tmp_path, module, signal, said
):
    made, asides = tmp_path / "made", tmp_path / "asides"
    asides.mkdir()
    shutil.copytree(exercises[0], made / "teams" / "1-blue")
    program = tmp_path / "stopped.py"
    stopped = STOPPED.format(module=module, signal=signal, made=str(made))
    program.write_text(stopped, encoding="utf-8")
    debrief = ("debrief", made / "teams" / "1-blue", "--district", ground, "--out", made / "pack")
    done = subprocess.run(
        [sys.executable, program, *(debrief if "cli" in module else (made, ground, "en"))],
        capture_output=True,
        text=True,
        timeout=240,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(asides)},
        start_new_session=True,  # the whole group is stopped, as at a terminal
    )
    assert (done.returncode, done.stderr[-len(said) :] if said else done.stderr) == (130, said)
    assert [path.name for path in made.iterdir()] == ["teams"]
    assert list(asides.iterdir()) == []


def test_a_pack_is_not_written_into_what_players_are_given(
    averse, small, exercises, ground, tmp_path
):
    for folder in (ground, *exercises):
        before = contents(folder)
        done = averse("debrief", *exercises, "--out", folder / "new" / "pack")
        assert_refused(done, "pack lies in", "give another --out folder")
        (tmp_path / "elsewhere").mkdir(exist_ok=True)
        (folder / "link").symlink_to(tmp_path / "elsewhere")
        # the archive would lie beside the link
        done = averse("debrief", *exercises, "--out", folder / "link", "--zip")
        (folder / "link").unlink()
        assert_refused(done, "link lies in", "give another --out folder")
        assert contents(folder) == before
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_the_faults_of_a_user_are_told(averse, small, exercises, ground, tmp_path):
    out = tmp_path / "pack"
    assert_refused(averse("debrief", tmp_path, "--out", out), "no exercise was begun there")
    done = averse("debrief", exercises[0], exercises[0], "--out", out)
    assert_refused(done, "is given twice")
    done = averse("debrief", exercises[0], "--district", tmp_path, "--out", out)
    assert_refused(done, "is not a district pack")
    for name in ("\u202e", "x" * 81):
        done = averse("play", ground, "--team", name, "--out", tmp_path / "new")
        assert_refused(done, "the team name")
    assert list(tmp_path.iterdir()) == []


def test_a_cell_left_far_out_on_a_sheet_is_not_waited_for(tmp_path, exercises):
    """A stray cell in the last corner makes a sheet of sixteen thousand million cells."""
    book = openpyxl.Workbook()
    book.active.append(("turn", "card"))
    book.active.append((3, "reinforcement"))
    book.active.cell(row=1_048_576, column=16_384, value="x")
    book.save(tmp_path / "far.xlsx")
    district = read_material(exercises[:1]).district
    (inject,) = read_injects(tmp_path / "far.xlsx", district, TURNS)
    assert inject.turn == 3
