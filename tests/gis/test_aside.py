"""A folder is written whole or not at all, and the one before it is never lost."""

import json
import os
import subprocess
import sys

import pytest

from gis.aside import FolderKind, _take_place, require_name, written_aside
from sim.errors import SourceError

KIND = FolderKind("a box", "box.json", "box", ("box.json", "inside"))


def box(folder, text):
    (folder / "inside").mkdir(parents=True)
    (folder / "inside" / "note").write_text(text)
    (folder / "box.json").write_text(json.dumps({"box": text}))


def note(folder):
    return (folder / "inside" / "note").read_text()


def test_a_new_folder_takes_the_place_of_the_old_and_nothing_is_left_beside(tmp_path):
    out = tmp_path / "out"
    for text in ("first", "second"):
        with written_aside(out, KIND) as folder:
            box(folder, text)
        assert note(out) == text
    assert os.listdir(tmp_path) == ["out"]


def test_a_folder_closed_to_writing_is_replaced_whole(tmp_path):
    out = tmp_path / "out"
    box(out, "first")
    (out / "inside").chmod(0o555)
    with written_aside(out, KIND) as folder:
        box(folder, "second")
    assert note(out) == "second"
    assert os.listdir(tmp_path) == ["out"]


def test_what_fails_leaves_the_old_folder_as_it_was(tmp_path):
    out = tmp_path / "out"
    box(out, "first")
    begun = written_aside(out, KIND)
    folder = begun.__enter__()
    box(folder, "second")
    (folder / "inside").chmod(0o555)
    assert not begun.__exit__(KeyError, KeyError(), None)  # the fault goes on
    assert note(out) == "first"
    assert os.listdir(tmp_path) == ["out"]


def test_a_name_that_cannot_be_taken_gives_the_old_folder_back(tmp_path):
    out = tmp_path / "out"
    box(out, "first")
    with pytest.raises(FileNotFoundError):
        _take_place(tmp_path / "gone", out)
    assert note(out) == "first"
    assert os.listdir(tmp_path) == ["out"]


def test_a_run_killed_while_it_replaced_a_folder_lost_nothing(tmp_path):
    out = tmp_path / "out"
    box(out, "first")
    killed = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "out = Path(sys.argv[1])\n"
        "out.rename(out.with_name(f'.{out.name}-{os.getpid()}-old'))\n"
        "os._exit(9)\n"
    )
    subprocess.run([sys.executable, "-c", killed, str(out)], check=False)
    assert not out.exists()
    with pytest.raises(KeyError), written_aside(out, KIND):
        raise KeyError
    assert note(out) == "first"


def test_nothing_is_written_into_what_is_read(tmp_path):
    read = tmp_path / "read"
    box(read, "first")
    (tmp_path / "link").symlink_to(read)
    for out in (read / "new", read / "inside" / "deep" / "new", tmp_path / "link" / "new"):
        with pytest.raises(SourceError, match=r"lies in .*read only"):
            written_aside(out, KIND, [read]).__enter__()
    with written_aside(read / ".." / "beside", KIND, [read]) as folder:
        box(folder, "second")
    assert note(tmp_path / "beside") == "second"
    assert sorted(os.listdir(read)) == ["box.json", "inside"]


def test_a_folder_is_refused_by_the_option_that_names_it(tmp_path):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(SourceError, match="give another --files folder"):
        written_aside(tmp_path / "file", KIND, option="--files").__enter__()


@pytest.mark.parametrize("name", ["journal.sqlite", "page", "folder.html"])
def test_a_page_takes_no_other_files_place(tmp_path, name):
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(SourceError, match=r"(give one that ends|another name) in \.html"):
        require_name(tmp_path / name, ".html")
