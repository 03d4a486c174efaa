"""§16: what the map draws, read off the strokes that it makes on its canvases, in a browser."""

import re
from dataclasses import replace

import numpy as np
import pytest

from gis.frames import UnitAt
from gis.webmap import write_map
from tests.gis.hand_pack import SHEET, TURNS, frames, write_hand_pack

RECORD = """
window.strokes = [];
const proto = CanvasRenderingContext2D.prototype;
for (const kind of ['stroke', 'fill', 'fillText', 'fillRect']) {
  const plain = proto[kind];
  proto[kind] = function (...given) {
    window.strokes.push({
      kind, text: kind === 'fillText' ? String(given[0]) : '',
      colour: String(kind === 'stroke' ? this.strokeStyle : this.fillStyle),
      dashed: this.getLineDash().length > 0,
      dots: this.getLineDash().length > 0 && this.getLineDash()[0] < 3,
      faded: this.globalAlpha < 0.6,
    });
    return plain.apply(this, given);
  };
}
"""
UNITS = (
    UnitAt("1", SHEET.index_of("0304")),
    UnitAt("P2", SHEET.index_of("0704"), "moving", SHEET.index_of("0706")),
    UnitAt("3", SHEET.index_of("0903"), "blocked", SHEET.index_of("0204")),
)
LAYERS = ["fabric", "density", "water", "roads", "relief", "forecast"]

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def board(browser, tmp_path_factory):
    """A map of an exercise in a browser, and what it draws in a state of one's own."""
    folder = tmp_path_factory.mktemp("signs")
    given = replace(frames(), units=(UNITS,) * (TURNS + 1))
    path = write_map(write_hand_pack(folder / "town"), folder / "map.html", given, lang="en")
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.add_init_script(RECORD)
    page.goto(path.absolute().as_uri())
    yield Board(page)
    page.close()


class Board:
    """A page whose canvases are listened to."""

    def __init__(self, page):
        self.page = page

    def drawn(self, *, turn=9, layers="", hex_px=60, night=False):
        """Strokes of one picture: at a turn, with some layers only, hexes so wide."""
        return self.page.evaluate(
            """([turn, layers, wanted, night, six]) => {
              const a = board_hexes.averse, shown = layers.split(' ');
              for (const name of six) a.state.layers[name].on = shown.includes(name);
              a.state.turn = turn;
              a.dress(night);
              a.whole();
              const zoom = a.map.getZoom() + Math.log2(wanted / a.view.hexW);
              a.map.setZoom(zoom, { animate: false });
              window.strokes.length = 0;
              a.renderer._update();  // nothing drawn before is used again
              return window.strokes;
            }""",
            [turn, layers, hex_px, night, LAYERS],
        )

    def palette(self):
        return self.page.evaluate("() => board_hexes.averse.palette()")


def colours(strokes, kind="stroke", **of):
    return {
        s["colour"]
        for s in strokes
        if s["kind"] == kind and all(s[name] == value for name, value in of.items())
    }


def hue(colour):
    """Red, green and blue of a colour written #rrggbb."""
    assert re.fullmatch(r"#[0-9a-f]{6}", colour)
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))


def test_16_number_is_column_then_row_once_the_mesh_is_over_13_px(board):
    def labels(hex_px):
        return [
            (s["text"], s["faded"])
            for s in board.drawn(layers="roads", hex_px=hex_px)
            if s["kind"] == "fillText" and re.fullmatch(r"\d{4}", s["text"])
        ]

    assert labels(12.5) == []
    close = dict(labels(15))
    assert set(close) == {SHEET.label(cell) for cell in range(SHEET.n_hexes)}
    # faded outside the active area: the rim and the river
    assert close["0101"]
    assert close["0504"]
    assert not close["0304"]


def test_16_road_between_two_centres_by_its_class(board):
    palette = board.palette()
    on_foot, *by_class = palette["links"]
    drawn = colours(board.drawn(layers="roads"))
    assert set(by_class) <= drawn
    # local, secondary and larger roads each have a colour; an expressway another in its middle
    assert len({on_foot, *by_class}) == 4
    assert palette["express"] in drawn
    assert not colours(board.drawn(layers="fabric")) & {*by_class, palette["express"]}


def test_16_bar_orange_red_or_brown_across_the_edge(board):
    palette = board.palette()
    kinds = {palette[name] for name in ("cutFoot", "cutAll", "barrier")}
    red, green, blue = hue(palette["cutFoot"])
    assert red > green > blue  # orange
    red, green, blue = hue(palette["cutAll"])
    assert red > 180 > 60 > max(green, blue)  # red
    red, green, blue = hue(palette["barrier"])
    assert 180 > red > green > blue  # brown
    dry = colours(board.drawn(turn=0, layers="roads water")) & kinds
    assert palette["cutFoot"] not in dry
    assert palette["barrier"] in dry
    wet = colours(board.drawn(turn=9, layers="roads water")) & kinds
    assert wet == kinds


def test_16_forecast_is_a_dotted_violet_outline_with_a_layer_of_its_own(board):
    violet = board.palette()["forecast"]
    red, green, blue = hue(violet)
    assert min(red, blue) > green
    assert violet in colours(board.drawn(layers="forecast"), dashed=True)
    assert violet not in colours(board.drawn(layers="roads"))


def test_16_alerted_is_yellow_and_evacuated_green(board):
    palette = board.palette()
    red, green, blue = hue(palette["alerted"])
    assert min(red, green) > 180 > 60 > blue
    red, green, blue = hue(palette["evacuated"])
    assert green > max(red, blue)
    both = {palette["alerted"], palette["evacuated"]}
    assert not colours(board.drawn(turn=2, layers="roads")) & both
    assert palette["alerted"] in colours(board.drawn(turn=4, layers="roads"))
    assert palette["evacuated"] in colours(board.drawn(turn=11, layers="roads"))


def test_16_pawn_is_numbered_bright_in_place_dull_on_its_way_pink_when_blocked(board):
    palette, strokes = board.palette(), board.drawn(layers="roads")
    written = {s["text"] for s in strokes if s["kind"] == "fillText"}
    assert {unit.label for unit in UNITS} <= written
    filled = colours(strokes, "fill")
    assert {palette[name] for name in ("unit", "unitMoving", "unitBlocked")} <= filled
    assert sum(hue(palette["unit"])) > sum(hue(palette["unitMoving"]))
    red, green, blue = hue(palette["unitBlocked"])
    assert red > blue > green  # pink


def test_16_unreachable_is_a_dotted_red_line_with_a_cross(board):
    red = board.palette()["cutAll"]
    strokes = board.drawn(turn=0, layers="fabric")
    reds = [s for s in strokes if s["kind"] == "stroke" and s["colour"] == red]
    assert any(s["dashed"] for s in reds)
    assert any(not s["dashed"] for s in reds)  # the cross


def test_16_layers_are_six_and_each_has_its_opacity(board):
    shown = board.page.evaluate("() => board_hexes.averse.state.layers")
    assert set(LAYERS) <= set(shown)
    assert all(0 < shown[name]["opacity"] <= 1 for name in LAYERS)
    sliders = board.page.evaluate(
        "() => [...document.querySelectorAll('input[type=range]')].map(e => e.ariaLabel || '')"
    )
    assert sum(label.startswith("Opacity") for label in sliders) >= len(LAYERS)


def test_16_night_mode_is_another_palette(board):
    board.drawn(night=False)
    by_day = board.palette()
    board.drawn(night=True)
    by_night = board.palette()
    board.drawn(night=False)
    assert sum(hue(by_night["paper"])) < 150 < 600 < sum(hue(by_day["paper"]))
    assert by_day.keys() == by_night.keys()


def test_16_water_classes_have_a_hatch_beside_their_colour(board):
    palette = board.palette()
    tints = board.page.evaluate("() => board_hexes.averse.hatches().waters.length")
    assert tints == 4
    light = [sum(hue(colour)) for colour in palette["waters"][1:]]
    assert light == sorted(light, reverse=True)
    assert len(np.unique(light)) == 4
