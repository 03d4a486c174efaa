"""``python -m tests.golden --write`` writes the transcripts again: read what changed, line by line.

Without ``--write`` it tells which ones differ, and ends with status 1 where one does.
"""

import argparse
import sys
from pathlib import Path

from exercises.session import play
from tests.golden.games import GAMES, Game
from tests.golden.transcript import transcript

FOLDER = Path(__file__).parent


def path_of(game: Game) -> Path:
    """File of a game's transcript."""
    return FOLDER / f"{game.name}.txt"


def text_of(game: Game) -> str:
    """Transcript of a game as the project plays it now."""
    return transcript(game.title, play(game.world, game.orders), game.lang)


def main() -> int:
    """Write or compare; the exit status."""
    parser = argparse.ArgumentParser(prog="tests.golden", description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the transcripts again")
    write, status = parser.parse_args().write, 0
    for game in GAMES:
        path, text = path_of(game), text_of(game)
        kept = path.read_text(encoding="utf-8") if path.exists() else ""
        if text == kept:
            print(f"{path.name}: as it was")
        elif write:
            path.write_text(text, encoding="utf-8", newline="\n")
            print(f"{path.name}: written; read what changed")
        else:
            print(f"{path.name}: differs")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
