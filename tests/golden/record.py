"""Writes the hashes of the golden games anew: the rules were changed on purpose."""

import json

from tests.golden.hash_games import GOLDEN, hashes, on_record

if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(on_record(hashes()), indent=1) + "\n")
