"""§16: what a board tells by colour is told to colour-blind eyes too, by lightness, hatch or shape.

Signs are compared as they are drawn: each swatch of the legend, pixel by pixel, as it looks to who
lacks one kind of cone (Machado, Oliveira and Fernandes 2009, severity 1) or sees no colour at all.
"""

import base64
import io
from itertools import combinations

import numpy as np
import pytest

pytest.importorskip("uvicorn", reason="the extra `room` is not installed")
pytest.importorskip("PIL", reason="pillow is not installed")

from PIL import Image

from tests.exercises.room.places import Served, copy_of
from tests.exercises.room.screens import Screen, joined

pytestmark = pytest.mark.browser

RED = "1-red"
LEAST_APART = 10.0
"""Difference, CIE ΔE (1976), that a tenth of what is drawn must have: 2.3 is just noticeable."""
STROKES = 90  # per cent of a sign that may be alike, where strokes tell it apart
SEEN_BY = {
    "all cones": np.eye(3),
    "no red cones": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
         [-0.003882, -0.048116, 1.051998]]
    ),
    "no green cones": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
         [-0.011820, 0.042940, 0.968881]]
    ),
    "no blue cones": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
         [0.004733, 0.691367, 0.303900]]
    ),
    "no cones": np.tile([0.2126, 0.7152, 0.0722], (3, 1)),
}  # fmt: skip
TOGETHER = (
    ("hit", "miss", "falseAlarm"),
    ("alerted", "walking", "sheltered", "late", "cutOff", "lost"),
    ("first", "second", "both", "neither", "wasted"),
)
"""Classes of hexes that stand on one board: of a forecast, of people, of two teams."""
SWATCHES = """
const board = app.ground.board, layers = Object.fromEntries(
  Object.keys(app.layers).map((name) => [name, {on: true, opacity: 1}]));
app.dress(night);
const story = {title: 'story', legend: looks.map((one) => [one, one]), choices: [{legend: []}]};
const groups = app.map.legend('h4', {
  data: {...board, story}, state: {...app.map.state, layers, relief},
}), paper = app.map.painter.palette().paper;
return [...groups.classes(), ...groups()].map((section) => [section.firstChild.textContent,
  [...section.querySelectorAll('li')].map((row) => {
    const sign = row.querySelector('canvas'), on = document.createElement('canvas');
    on.width = sign.width; on.height = sign.height;
    const ctx = on.getContext('2d');
    ctx.fillStyle = paper; ctx.fillRect(0, 0, on.width, on.height);
    ctx.drawImage(sign, 0, 0);
    return [row.lastChild.textContent, on.toDataURL()];
  })]);
"""


@pytest.fixture(scope="module")
def page(browser, whole_room, pack, tmp_path_factory):
    with Served(copy_of(whole_room, tmp_path_factory.mktemp("seen") / "room"), pack) as served:
        context = browser.new_context()
        joined(context, served, f"/t/{RED}")
        with Screen(context, f"{served.base}/t/{RED}/?lang=en") as shown:
            shown.page.click("#skip-tutorial")
            yield shown


def swatches(page, looks, night=False, relief="altitude"):
    """Sections of the legend: by title, by words, (height, width, 3) of 0 to 1."""
    given = f"const looks = {list(looks)}, night = {str(night).lower()}, relief = '{relief}';"
    return {
        title: {words: pixels(url) for words, url in rows}
        for title, rows in page.run(given + SWATCHES)
    }


def pixels(url):
    raw = base64.b64decode(url.partition(",")[2])
    return np.asarray(Image.open(io.BytesIO(raw)).convert("RGB")) / 255


def lab(rgb, cones):
    """CIE L*a*b* of what a kind of eye makes of sRGB pixels."""
    linear = np.where(rgb > 0.04045, ((rgb + 0.055) / 1.055) ** 2.4, rgb / 12.92)
    seen = np.clip(linear @ cones.T, 0, 1)
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = seen @ to_xyz.T / [0.95047, 1.0, 1.08883]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    x, y, z = np.moveaxis(f, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def apart(one, other, cones):
    """How far two signs are apart where they differ most, of what is drawn of either."""
    a, z = lab(one, cones), lab(other, cones)
    drawn = (np.abs(one - one[0, 0]) > 0.01).any(-1) | (np.abs(other - other[0, 0]) > 0.01).any(-1)
    return float(np.percentile(np.linalg.norm(a - z, axis=-1)[drawn], STROKES))


def too_near(signs):
    """Pairs of signs that some eye does not tell apart."""
    return [
        (eye, one, other, round(far, 1))
        for one, other in combinations(signs, 2)
        for eye, cones in SEEN_BY.items()
        if (far := apart(signs[one], signs[other], cones)) < LEAST_APART
    ]


@pytest.mark.parametrize("relief", ["altitude", "low"])
@pytest.mark.parametrize("night", [False, True], ids=["day", "night"])
def test_16_signs_that_stand_together_are_told_apart_by_every_eye(page, night, relief):
    shown = swatches(page, TOGETHER[0], night, relief)
    assert len(shown) == 9
    faults = {title: too_near(signs) for title, signs in shown.items()}
    assert {title: pairs for title, pairs in faults.items() if pairs} == {}


@pytest.mark.parametrize("looks", TOGETHER, ids=["forecast", "people", "two teams"])
def test_16_classes_of_one_board_are_told_apart_by_every_eye(page, looks):
    shown = swatches(page, looks)["story"]
    assert set(shown) == set(looks)
    assert too_near(shown) == []


def test_two_flat_colours_of_one_lightness_are_found_too_near():
    """The check itself: red beside green of the same grey, without a hatch."""
    red, green = (np.full((9, 9, 3), 1.0) for _ in range(2))
    red[2:7, 2:7], green[2:7, 2:7] = (0.80, 0.25, 0.25), (0.25, 0.46, 0.20)
    assert {eye for eye, *_ in too_near({"red": red, "green": green})} >= {"no cones"}
    green[2:7:2, 2:7] = (0, 0, 0)
    assert too_near({"red": red, "green": green}) == []
