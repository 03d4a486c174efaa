"""The command line: what is wrong with it is one sentence; a signal ends it by its number."""

import json
import signal
import subprocess
import sys
import time

import pytest

from exercises.cli import EXIT_USER_FAULT, main
from exercises.commands.options import PATH
from exercises.orders_file import holds_no_order, read_orders
from gis.aside import require_outside
from sim.errors import OrderError, SourceError
from tests.gis import hand_pack


@pytest.fixture
def averse(monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["averse", *map(str, arguments)])
        status = 0
        try:
            main()
        except SystemExit as end:
            status = end.code
        return status, *capsys.readouterr()

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    kept = {number: signal.getsignal(number) for number in numbers}
    yield run
    for number, handler in kept.items():
        signal.signal(number, handler)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("play", "averse play: missing argument 'DISTRICT'; `averse play --help`"),
        ("play x --out y --level 9", "averse play: invalid value for '--level': '9' is not one of"),
        ("play x --out y --frobnicate", "averse play: no such option '--frobnicate'; `averse"),
        ("plai", "averse: no such command 'plai' (Did you mean"),
        ("replay x --side instructor", "averse replay: --side says whose event log: give it with"),
        ("play x --out y --terminal --player baseline", "averse play: --terminal plays by hand"),
        ("serve --host= nowhere", "averse: --host is empty: give an address of this machine"),
        (
            "serve x --port 0.5",
            "averse serve: invalid value for '--port': '0.5' is not a valid",
        ),
    ],
)
def test_a_wrong_command_line_is_told_in_one_sentence(averse, line, said):
    status, out, err = averse(*line.split())
    assert status == EXIT_USER_FAULT
    assert out == ""
    assert err.startswith(said)
    assert len(err.splitlines()) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_command_by_its_number(tmp_path, number):
    code = (
        "import signal, sys, time, exercises.cli as cli\n"
        # a shell that runs the tests in the background has its programs let the signal be
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def wait(*a, **k):\n    print('here', flush=True); time.sleep(60)\n"
        "cli.cli.commands['replay'].callback = wait\n"
        "sys.argv = ['averse', 'replay', 'x']; cli.main()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout.readline() == "here\n"
        running.send_signal(number)
        begun = time.monotonic()
        _, err = running.communicate(timeout=30)
        assert time.monotonic() - begun < 30
    assert running.returncode == 128 + number
    assert err.strip() == "averse: stopped"


# --------------------------------------------------------------------------- files of orders
@pytest.mark.parametrize("field", ["radius", "turn"])
@pytest.mark.parametrize("sign", ["", "-"])
def test_9_5_a_number_of_thousands_of_digits_is_called_one(tmp_path, field, sign):
    order = {"turn": 1, "order": "alert", "centre": "0304", "radius": 1, field: "HERE"}
    path = tmp_path / "orders.jsonl"
    path.write_text(json.dumps(order).replace('"HERE"', sign + "9" * 6_000), encoding="utf-8")
    with pytest.raises(OrderError, match=r"line 1.*a number of 6000 digits, which no order has"):
        read_orders(path, hand_pack.district(), 12)


def test_9_5_a_file_without_an_order_is_known(tmp_path):
    path = tmp_path / "orders.jsonl"
    path.write_text("\n  \n", encoding="utf-8")
    assert holds_no_order(path)
    path.write_text('\n{"turn": 1, "order": "answer", "obey": true}\n', encoding="utf-8")
    assert not holds_no_order(path)


# --------------------------------------------------------------------------- what was typed, shown
def test_what_was_typed_is_shown_on_one_line_and_not_without_end(averse, tmp_path):
    status, _, err = averse("report", "a\nb\x1b[31m", "--out", "x.html")
    assert (status, err.count("\n")) == (EXIT_USER_FAULT, 1)
    assert err.startswith(r"averse: a\nb\x1b[31m is not a district pack")
    pack = hand_pack.write_hand_pack(tmp_path / "pack")
    for option in ("--seed", "--level"):
        _, _, err = averse("play", pack, "--out", tmp_path / "x", option, "9" * 100_000)
        assert 600 < len(err) < 900
    assert not (tmp_path / "x").exists()


def test_a_way_through_a_folder_that_is_not_there_leads_where_it_says(tmp_path):
    here = str(tmp_path / "not" / ".." / "exercise")
    assert PATH.convert(here, None, None) == (tmp_path / "exercise").resolve()
    (tmp_path / "not").mkdir()
    assert str(PATH.convert(here, None, None)) == here


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
@pytest.mark.parametrize("after_s", [0.15, 0.3, 0.45])
def test_a_command_stopped_while_it_loads_says_so_without_a_traceback(tmp_path, after_s):
    command = [sys.executable, "-m", "exercises.cli", "report", tmp_path, "--out", "x.html"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(after_s)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    # before it has begun at all, Python itself is stopped; after its end, nothing is
    assert process.returncode in {130, EXIT_USER_FAULT} or "exercises" not in told
    if process.returncode == 130:
        assert told.strip() == "averse: stopped"


# --------------------------------------------------------------------------- outputs and inputs
@pytest.mark.parametrize("command", ["town", "export"])
def test_nothing_is_written_into_a_district_pack(averse, tmp_path, command):
    pack = hand_pack.write_hand_pack(tmp_path / "pack")
    before = sorted(path.name for path in pack.iterdir())
    line = [command, *([pack] if command == "export" else [])]
    for out in (pack, pack / "open"):
        status, _, err = averse(*line, "--out", out)
        assert status == EXIT_USER_FAULT
        assert "is in the district pack" in err
    assert sorted(path.name for path in pack.iterdir()) == before


def test_a_file_made_from_a_folder_does_not_go_into_it(tmp_path):
    exercise = tmp_path / "exercise"
    exercise.mkdir()
    (tmp_path / "link").symlink_to(exercise)
    for inside in (exercise / "film.mp4", tmp_path / "link" / "deep" / "film.mp4"):
        with pytest.raises(SourceError, match=r"lies in .*give a place outside it"):
            require_outside(inside, [exercise])
    assert require_outside(tmp_path / "film.mp4", [exercise]) == tmp_path / "film.mp4"
