"""Scripts that draw a board, for every page that shows one: maps, debrief, room."""

from importlib.resources import files

BOARD_SCRIPTS = (
    "board_data.js",
    "board_palettes.js",
    "board_signs.js",
    "board_looks.js",
    "board_sheets.js",
    "board_draw.js",
    "board_legend.js",
)
"""Names in ``gis/assets``, in the order in which they are run."""


def board_script() -> str:
    """Return all of them as one script."""
    assets = files("gis") / "assets"
    return "\n".join((assets / name).read_text(encoding="utf-8") for name in BOARD_SCRIPTS)
