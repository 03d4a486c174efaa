"""Signs of a moving picture, each drawn in a square of a given side; they read without colour."""

from typing import TypeAlias

from PIL import ImageDraw

from gis.film_map import INK, Points, font

ALERTED, EVACUATED, EDGE = "#ffd60a", "#0f8f46", "#3b3200"
CUT_FOOT, CUT_ALL, SHELTER, UNIT = "#f08a00", "#d3121f", "#0e5a68", "#1b2a6b"
WHITE = "#ffffff"
PAWNS = {"in_place": WHITE, "moving": "#c3c9d6", "blocked": "#ff9ec4"}
SIGNALS = (ALERTED, EVACUATED, CUT_FOOT, CUT_ALL, SHELTER, UNIT, *PAWNS.values())
"""Colours that say something, of however few pixels they are."""
STEPS = 8
"""Steps in which the way of a hex's people to a shelter is shown around it."""
DONE = STEPS + 1
"""The step of a hex whose people are all sheltered."""

Pen: TypeAlias = ImageDraw.ImageDraw
Corners: TypeAlias = list[tuple[float, float]]


def ring(pen: Pen, side: float, corners: Corners, step: int) -> None:
    """Draw the state of a hex: yellow alerted, green as far as its people have walked.

    Parameters
    ----------
    pen : ImageDraw
    side : float
        Of the square, pixels.
    corners : list of (float, float)
        Six, clockwise from the upper left.
    step : int
        0 to ``STEPS`` of the way, or ``DONE``: green, with a tick.
    """
    wide = max(2, round(side * 0.075))
    closed = [*corners, corners[0], corners[1]]
    pen.line(closed, fill=WHITE if step == DONE else EDGE, width=round(wide * 1.7), joint="curve")
    pen.line(closed, fill=EVACUATED if step == DONE else ALERTED, width=wide, joint="curve")
    if step == DONE:
        x, y, s = side * 0.27, side * 0.62, side * 0.2
        tick = [(x - s * 0.5, y), (x - s * 0.1, y + s * 0.4), (x + s * 0.55, y - s * 0.45)]
        pen.line(tick, fill=WHITE, width=round(s * 0.55), joint="curve")
        pen.line(tick, fill=EVACUATED, width=round(s * 0.3), joint="curve")
    elif step:
        pen.line(_part(corners, step / STEPS), fill=EVACUATED, width=wide, joint="curve")


def _part(corners: Corners, share: float) -> Corners:
    """Return the first share of the way around."""
    left, points = share * len(corners), [corners[0]]
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if left <= 0:
            break
        part = min(1.0, left)
        points.append((ax + (bx - ax) * part, ay + (by - ay) * part))
        left -= 1
    return points


def bar(pen: Pen, side: float, across: Points, to_all: bool) -> None:
    """Draw how a link is cut: orange with a light core on foot, red and crossed to all (§16).

    Parameters
    ----------
    across : (2,) float
        From one end of the bar to the other, pixels.
    """
    x, y = side / 2, side / 2
    dx, dy = float(across[0]) / 2, float(across[1]) / 2
    long = max(1e-9, (dx * dx + dy * dy) ** 0.5)
    line = (x - dx, y - dy, x + dx, y + dy)
    thick = side * 0.12
    pen.line(line, fill=WHITE, width=round(thick * 1.5))
    pen.line(line, fill=CUT_ALL if to_all else CUT_FOOT, width=round(thick))
    if not to_all:
        pen.line(line, fill=WHITE, width=max(1, round(thick * 0.22)))
        return
    r = thick * 1.15
    for share in (-0.45, 0.45):
        cx, cy = x + dx * share, y + dy * share
        ends = (cx - dy / long * r, cy + dx / long * r, cx + dy / long * r, cy - dx / long * r)
        pen.line(ends, fill=CUT_ALL, width=max(1, round(thick * 0.45)))


def shelter(pen: Pen, side: float, number: str, filled: float, shut: bool) -> None:
    """Draw a shelter: its number, how full it is below, struck through where it is shut."""
    x, y, h = side / 2, side * 0.42, side * 0.36
    roof = [(-1.08, -0.2), (0.0, -1.08), (1.08, -0.2), (0.85, -0.2), (0.85, 1.0), (-0.85, 1.0)]
    house = [(x + h * a, y + h * b) for a, b in (*roof, (-0.85, -0.2))]
    pen.line([*house, house[0], house[1]], fill=WHITE, width=round(side * 0.12), joint="curve")
    pen.polygon(house, fill=SHELTER)
    size = round(h * (1.25 if len(number) == 1 else 1.1))
    pen.text((x, y + h * 0.36), number, WHITE, font(size, True), anchor="mm")
    if shut:
        for colour, wide in ((WHITE, 0.15), (CUT_ALL, 0.075)):
            thick = round(side * wide)
            pen.line((x - h, y - h * 0.9, x + h, y + h), fill=colour, width=thick)
            pen.line((x + h, y - h * 0.9, x - h, y + h), fill=colour, width=thick)
    left, top, right, low = x - h * 1.05, y + h * 1.16, x + h * 1.05, y + h * 1.5
    edge = max(1, round(side * 0.03))
    pen.rectangle((left - edge, top - edge, right + edge, low + edge), fill=WHITE)
    pen.rectangle((left, top, right, low), outline=SHELTER, width=edge)
    if filled > 0:
        colour = CUT_ALL if filled >= 1 else SHELTER
        pen.rectangle((left, top, left + (right - left) * min(1.0, filled), low), fill=colour)


def pawn(pen: Pen, side: float, label: str, status: str) -> None:
    """Draw a numbered unit: bright in place, dull on its way, pink when its way is closed (§16)."""
    x, y, w, h = side / 2, side / 2, side * 0.84, side * 0.54
    box = (x - w / 2, y - h / 2, x + w / 2, y + h / 2)
    rim = side * 0.06
    outer = (box[0] - rim, box[1] - rim, box[2] + rim, box[3] + rim)
    pen.rounded_rectangle(outer, radius=side * 0.16, fill=WHITE)
    pen.rounded_rectangle(
        box, radius=side * 0.12, fill=PAWNS[status], outline=UNIT, width=max(1, round(rim))
    )
    pen.text((x, y), label, INK, font(round(h * (0.85 if len(label) < 3 else 0.62)), True), "mm")
