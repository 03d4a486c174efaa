"""Lines of text of a film: Pillow draws the scripts of the font shipped, typst sets all others.

Pillow takes one font and draws a box for each letter that it lacks. typst takes the machine's fonts
for the scripts that ours lack, joins and turns them as they are read; where the machine has no font
either, boxes are all that can be drawn.
"""

from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw

from gis.film_map import font
from gis.typesetting import beyond_our_fonts, set_picture

_SMALLEST = 0.75
"""Share of its size to which a text may shrink before it is cut short."""


def write_line(
    image: Image.Image,
    at: tuple[int, int],
    text: str,
    size: int,
    most: int,
    *,
    bold: bool,
    anchor: str,
    ink: str,
) -> None:
    """Write a text on one line, smaller or cut short where it would be too wide.

    Parameters
    ----------
    at : tuple of int
        On the baseline, pixels: the left end, the middle or the right end, as the anchor says.
    size, most : int
        Height of the font and room for the line, pixels.
    anchor : {"ls", "ms", "rs"}
    """
    if not beyond_our_fonts(text):
        text, size = _fitted(text, size, most, bold)
        ImageDraw.Draw(image).text(at, text, ink, font(size, bold), anchor=anchor)
        return
    line, ascent = _set(text, size, most, bold, ink)
    left = at[0] - {"l": 0, "m": line.width // 2, "r": line.width}[anchor[0]]
    image.paste(line, (left, at[1] - ascent), line)


def _fitted(text: str, size: int, most: int, bold: bool) -> tuple[str, int]:
    smallest = _SMALLEST * size
    while font(size, bold).getlength(text) > most and size > smallest:
        size -= 1
    if font(size, bold).getlength(text) > most:
        while text and font(size, bold).getlength(text + "…") > most:
            text = text[:-1]
        text += "…"
    return text, size


@lru_cache(maxsize=64)
def _set(text: str, size: int, most: int, bold: bool, ink: str) -> tuple[Image.Image, int]:
    """Return the picture of a line, and how far its baseline lies below the top."""
    line, ascent = _picture(text, size, bold, ink)
    if line.width > most:
        # widths follow the size, and near enough the length
        smaller = max(round(_SMALLEST * size), size * most // line.width)
        line, ascent = _picture(text, smaller, bold, ink)
        while line.width > most and text:
            text = text[: min(len(text) - 1, len(text) * most // line.width)]
            line, ascent = _picture(text + "…", smaller, bold, ink)
    return line, ascent


def _picture(text: str, size: int, bold: bool, ink: str) -> tuple[Image.Image, int]:
    ascent, descent = font(size, bold).getmetrics()
    data = {
        "text": text,
        "size": size,
        "weight": 600 if bold else 400,
        "ink": ink,
        "ascent": ascent,
        "descent": descent,
    }
    return Image.open(BytesIO(set_picture("gis", "film/line.typ", data))).convert("RGBA"), ascent
