"""``averse serve``: what it prints, and its faults, each in one sentence and with status 2."""

import asyncio
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from exercises.cli import EXIT_USER_FAULT, main
from exercises.room.address import listen, own_names, shown_address
from exercises.room.rooms import Room
from exercises.room.serve import qr_code
from sim.errors import ExerciseError
from tests.exercises.room.places import copy_of


@pytest.fixture
def refused(capsys, monkeypatch):
    """Run the command and return the one sentence that it says."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["averse", "serve", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == EXIT_USER_FAULT
        said = capsys.readouterr().err
        assert "Traceback" not in said
        return said.strip().splitlines()[-1]

    return run


HERE = ("--host", "127.0.0.1", "--port", "0")


def test_a_busy_port_is_told_before_anything_is_written(refused, pack, tmp_path, monkeypatch):
    with closing(listen("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        asked = (pack, "--out", tmp_path / "r", "--host", "127.0.0.1", "--port", port)
        said = refused(*asked)
        monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
        assert f"le port {port} est déjà pris" in refused(*asked)
    assert f"port {port}" in said
    assert "another --port" in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_the_end_of_an_answer_does_not_wait_for_its_beginning_to_be_acknowledged(host):
    async def is_sent_at_once():
        came = asyncio.get_running_loop().create_future()

        class Noted(asyncio.Protocol):
            def connection_made(self, transport):
                end = transport.get_extra_info("socket")
                came.set_result(end.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
                transport.close()

        loop = asyncio.get_running_loop()
        listening = listen(host, 0)
        async with await loop.create_server(Noted, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname()[:2])
            writer.close()
            return await asyncio.wait_for(came, 5)

    with ThreadPoolExecutor(1) as own:  # tests of browsers leave a loop running in this thread
        assert own.submit(asyncio.run, is_sent_at_once()).result() == 1


@pytest.mark.parametrize(
    "host", ["999.1.1.1", "8.8.8.8", "::zz", "é" * 80, "255.255.255.255", "ff02::1"]
)
def test_a_host_that_is_not_this_machines_is_refused(host):
    with pytest.raises(ExerciseError, match=r"give another --(port or --)?host"):
        listen(host, 0)


def test_a_room_that_is_open_elsewhere_is_told(refused, whole_room, tmp_path):
    folder = copy_of(whole_room, tmp_path / "room")
    with Room(folder):
        assert "in use" in refused(folder, *HERE)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--teams", "A,B"), "--teams was settled"),
        (("--seed", "0" * 32), "--seed was settled"),
        (("--own-dice",), "--own-dice was settled"),
        (("--timer", "tense"), "--timer was settled"),
        (("--out", "elsewhere"), "--out was settled"),
        (("--port", "70000"), "70000"),
        (("--lang", "de"), "de"),
    ],
)
def test_what_a_room_already_has_is_not_given_again(refused, whole_room, options, words):
    assert words in refused(whole_room, *options)


def test_a_new_room_says_what_is_wrong_and_leaves_nothing(refused, pack, tmp_path):
    out = tmp_path / "room"
    assert "8 at most" in refused(pack, "--teams", "A,B,C,D,E,F,G,H,I", "--out", out, *HERE)
    assert "the name is empty" in refused(pack, "--teams", "A,,B", "--out", out, *HERE)
    twice = refused(pack, "--teams", "Rouge,Vert,Rouge", "--lang", "fr", "--out", out, *HERE)
    assert "--teams\u00a0: deux équipes s'appellent Rouge" in twice
    assert "9999" in refused(pack, "--gathering", "9999:5", "--out", out, *HERE)
    assert "seed" in refused(pack, "--seed", "abc", "--out", out, *HERE)
    assert "leave it out" in refused(pack, "--district", pack, "--out", out, *HERE)
    none = tmp_path / "none"
    assert "not a district pack" in refused(none, "--out", out, *HERE)
    assert "n'est pas un district" in refused(none, "--lang", "fr", "--teams", "A", *HERE)
    absent = refused(pack, "--scenario", "absent.toml", "--lang=fr", "--out", out, *HERE)
    assert "scénario absent.toml\u00a0: ce fichier n'existe pas" in absent
    assert not out.exists()


def test_without_its_extra_it_says_what_to_install(refused, pack, tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "exercises.room.opening", raising=False)
    monkeypatch.setitem(sys.modules, "starlette", None)
    said = refused(pack, "--out", tmp_path / "room")
    assert 'pip install "averse[gis,print,debrief,room]"' in said
    assert "starlette" in said


def test_what_is_printed_can_be_typed_and_scanned():
    assert shown_address("127.0.0.1") == "127.0.0.1"
    assert shown_address("0.0.0.0").count(".") == 3
    assert socket.gethostname().lower() in own_names("0.0.0.0")
    assert "0.0.0.0" not in own_names("0.0.0.0")
    assert own_names("Salle.lan")[-1] == "salle.lan"
    lines = qr_code("http://192.168.1.20:8000/t/1-red/join?token=" + "x" * 43).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert len(lines) < 30  # fits a terminal


def test_a_code_in_the_terminal_is_read_back_by_a_camera():
    zxingcpp = pytest.importorskip("zxingcpp")
    import numpy as np

    link = "http://192.168.1.20:8000/t/1-red/join?token=" + "x" * 43
    halves = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
    rows = [
        [halves[sign][half] for sign in line]
        for line in qr_code(link).splitlines()
        for half in range(2)
    ]
    picture = np.kron(np.array(rows, np.uint8) * 255, np.ones((8, 8), np.uint8))
    (found,) = zxingcpp.read_barcodes(picture)
    assert found.text == link
