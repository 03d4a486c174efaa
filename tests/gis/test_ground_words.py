"""§7.8: sheet and map state what their ground is worth."""

import pytest

from gis.sheet_tables import ground_words

TERRAIN = {
    "native_pixel_m": 30.0,
    "pixel_m": 30.0,
    "pixels_per_hex": 65.0,
    "vertical_step_m": 0.5,
}


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ("not a flood map", "0.5 m", "65", "30")),
        ("fr", ("pas une carte des inondations", "0,5 m", "65", "30")),
    ],
)
def test_7_8_error_and_pixels_per_hex_are_stated_and_that_it_is_no_flood_map(lang, said):
    text = ground_words({"report": {"terrain": TERRAIN}}, lang)
    for words in said:
        assert words in text
    unknown = {**TERRAIN, "vertical_step_m": None}
    assert ground_words({"report": {"terrain": unknown}}, lang) != text
    assert said[0] in ground_words({}, lang)
