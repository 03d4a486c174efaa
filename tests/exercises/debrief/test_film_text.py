"""A film's lines of text: any script that the machine can set, in the room that there is."""

import numpy as np
import pytest

Image = pytest.importorskip("PIL.Image")
film_text = pytest.importorskip("gis.film_text")

SIZE, MOST = 24, 300
PAPER = "#f5f1e8"


def drawn(text, anchor="ls", at=(400, 60)):
    """(n_row, n_col) where a line of text leaves ink."""
    image = Image.new("RGB", (800, 100), PAPER)
    film_text.write_line(image, at, text, SIZE, MOST, bold=True, anchor=anchor, ink="#000000")
    return (np.asarray(image, int) != np.asarray(Image.new("RGB", (800, 100), PAPER), int)).any(2)


@pytest.mark.parametrize(
    ("one", "other"), [("שלום", "תודה"), ("黄队", "红队"), ("سلام", "شكرا"), ("Синие", "Белые")]
)
def test_letters_of_any_script_are_told_apart(one, other):
    pictures = [drawn(text) for text in (one, other)]
    if np.array_equal(*pictures):
        pytest.skip("this machine has no font of that script: boxes are all it can draw")
    assert all(picture.any() for picture in pictures)


@pytest.mark.parametrize("text", ["מבחן " * 60, "黄队" * 80, "x" * 300, "Équipe"])
@pytest.mark.parametrize(("anchor", "from_left"), [("ls", 0), ("ms", 0.5), ("rs", 1)])
def test_a_line_keeps_to_its_room_and_its_anchor(text, anchor, from_left):
    columns = np.flatnonzero(drawn(text, anchor).any(axis=0))
    width = columns[-1] - columns[0] + 1
    assert 10 < width <= MOST + 2
    assert columns[0] + from_left * width == pytest.approx(400, abs=12)


def test_lines_of_all_scripts_stand_on_one_baseline():
    # no letter of these goes below it
    for text in ("Hx", "שח"):
        rows = np.flatnonzero(drawn(text).any(axis=1))
        assert abs(rows[-1] - 60) <= 2
