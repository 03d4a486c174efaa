"""The command line: what is wrong with it is one sentence; a signal ends it by its number."""

import json
import signal
import subprocess
import sys
import time

import pytest

from exercises.cli import EXIT_USER_FAULT, main
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

    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
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


# --------------------------------------------------------------------------- outputs and inputs
def test_a_file_made_from_a_folder_does_not_go_into_it(tmp_path):
    exercise = tmp_path / "exercise"
    exercise.mkdir()
    (tmp_path / "link").symlink_to(exercise)
    for inside in (exercise / "film.mp4", tmp_path / "link" / "deep" / "film.mp4"):
        with pytest.raises(SourceError, match=r"lies in .*give a place outside it"):
            require_outside(inside, [exercise])
    assert require_outside(tmp_path / "film.mp4", [exercise]) == tmp_path / "film.mp4"
