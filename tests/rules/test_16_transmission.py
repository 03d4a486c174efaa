"""§16: an alert that is ordered and not yet through has a sign of its own on the terminal's map."""

import io

from exercises.terminal import sit_down
from exercises.terminal.board import ALERTED, FLAG_STYLES, ORDERED
from tests.exercises.test_terminal import SHEET, opened


def signs_about(folder, capsys, *lines):
    """First line of the sign of hex 0304 on a map, after some words."""
    sit_down(opened(folder), io.StringIO("".join(f"{line}\n" for line in (*lines, "map 0304"))))
    board = capsys.readouterr().out.split("> ")[-2 if lines else -1].splitlines()
    heading = next(at for at, line in enumerate(board) if line.startswith("    01"))
    row = next(at for at, line in enumerate(board) if line.startswith("04"))
    assert heading < row
    column = SHEET.index_of("0304") // SHEET.rows
    return board[row][4 + 4 * column : 8 + 4 * column]


def test_16_transmission_of_an_alert_is_shown_violet_until_it_is_through(capsys, tmp_path):
    alert = ("end", "alert 0304 1")
    assert ORDERED not in signs_about(tmp_path / "before", capsys, "end")
    assert ORDERED in signs_about(tmp_path / "ordered", capsys, *alert)
    through = signs_about(tmp_path / "after", capsys, "end", "door 1 0304", "end")
    assert ALERTED in through
    assert ORDERED not in through
    assert FLAG_STYLES[ORDERED] == "magenta"
    assert FLAG_STYLES[ALERTED] == "yellow"
