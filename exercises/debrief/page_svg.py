"""Small drawings as inline SVG: axes, marks, hatches. The same input gives the same bytes.

Colours and hatches are classes of ``assets/page.css`` and patterns of ``DEFINITIONS``, so that a
drawing follows the page to paper; every text is text, and goes in escaped.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

from markupsafe import Markup

from sim.signs import for_xml

ROUND_STEPS = (1, 2, 2.5, 5, 10)


def number(value: float) -> str:
    """Return a coordinate, to a tenth of a unit.

    >>> number(12.0), number(3.14159), number(-0.01)
    ('12', '3.1', '0')
    """
    short = f"{value:.1f}".removesuffix(".0")
    return "0" if short == "-0" else short


def drawing(
    width: float,
    height: float,
    parts: Iterable[str],
    title: str,
    kind: str = "",
    *,
    stretched: bool = False,
) -> Markup:
    """Return an SVG of that size, told by its title to who cannot see it.

    Parameters
    ----------
    kind : str
        Class of the element.
    stretched : bool
        Whether it fills its place in both directions; it then holds no text.
    """
    fills = ' preserveAspectRatio="none"' if stretched else ""
    size = f'viewBox="0 0 {number(width)} {number(height)}"'
    return Markup(
        f'<svg class="chart {kind}"{fills} {size} role="img" aria-label="{escape(for_xml(title))}">'
        f"{''.join(parts)}</svg>"
    )


def text(x: float, y: float, words: object, kind: str = "", anchor: str = "") -> str:
    """Return a line of text; ``anchor`` is "", "middle" or "end"."""
    at = f' text-anchor="{anchor}"' if anchor else ""
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{number(x)}" y="{number(y)}"{named}{at}>{escape(for_xml(str(words)))}</text>'


def box(x: float, y: float, width: float, height: float, kind: str) -> str:
    """Return a rectangle; a width below 0 goes to the left of x."""
    if width < 0:
        x, width = x + width, -width
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" '
        f'height="{number(height)}" class="{kind}"/>'
    )


def hatched(x: float, y: float, width: float, height: float, kind: str) -> str:
    """Return a rectangle in a colour with its hatch over it."""
    return box(x, y, width, height, f"fill-{kind}") + box(x, y, width, height, f"hatch-{kind}")


def line(points: Iterable[tuple[float, float]], kind: str) -> str:
    """Return a line through points."""
    path = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f'<path d="M{path}" class="{kind}"/>'


def ruled(x1: float, y1: float, x2: float, y2: float, kind: str = "grid") -> str:
    """Return a straight line."""
    return line(((x1, y1), (x2, y2)), kind)


def steps(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the corners of a stair that keeps each height until the next point.

    >>> steps([(0, 5), (1, 5), (2, 7), (3, 7)])
    [(0, 5), (2, 5), (2, 7), (3, 7)]
    """
    corners = [points[0]]
    for x, y in points[1:]:
        if y != corners[-1][1]:
            corners += [(x, corners[-1][1]), (x, y)]
    if corners[-1][0] != points[-1][0]:
        corners.append(points[-1])
    return corners


SIGNS = {
    "disc": '<circle cx="{x}" cy="{y}" r="{r}" class="{kind}"/>',
    "square": '<path d="M{x} {y}m-{r} -{r}h{d}v{d}h-{d}z" class="{kind}"/>',
    "diamond": '<path d="M{x} {y}m0 -{r}l{r} {r}l-{r} {r}l-{r} -{r}z" class="{kind}"/>',
    "triangle": '<path d="M{x} {y}m0 -{r}l{r} {d}h-{d}z" class="{kind}"/>',
    "cross": '<path d="M{x} {y}m-{r} -{r}l{d} {d}m0 -{d}l-{d} {d}" class="{kind}"/>',
}


def sign(shape: str, x: float, y: float, r: float, kind: str) -> str:
    """Return a mark of a shape: what colours say, shapes say too."""
    return SIGNS[shape].format(x=number(x), y=number(y), r=number(r), d=number(2 * r), kind=kind)


@dataclass(frozen=True)
class Axis:
    """A scale of round figures that holds some values.

    Attributes
    ----------
    low, high : float
        Ends, round figures.
    step : float
        Between two ticks.
    start, end : float
        Where the ends stand on the drawing.

    """

    low: float
    high: float
    step: float
    start: float
    end: float

    @classmethod
    def over(cls, values: Iterable[float], start: float, end: float, ticks: int = 5) -> "Axis":
        """Return an axis over values and 0, with about so many ticks.

        >>> axis = Axis.over([-730, 4100], 0, 500)
        >>> axis.low, axis.high, axis.step
        (-1000.0, 5000.0, 1000.0)
        """
        known = [0.0, *map(float, values)]
        least, most = min(known), max(known)
        rough = max((most - least) / ticks, 1e-9)
        power = 10.0 ** floor(log10(rough))
        step = next(s * power for s in ROUND_STEPS if s * power >= rough * (1 - 1e-9))
        low, high = step * floor(least / step + 1e-9), step * ceil(most / step - 1e-9)
        return cls(low, high if high > low else low + step, step, start, end)

    def at(self, value: float) -> float:
        """Return where a value stands on the drawing."""
        share = (float(value) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    @property
    def ticks(self) -> list[float]:
        """Round figures from end to end."""
        return [
            self.low + self.step * i for i in range(round((self.high - self.low) / self.step) + 1)
        ]


def turn_ticks(turns: int) -> list[int]:
    """Return the turns that are written under an axis: 0, then every fifth, or so.

    >>> turn_ticks(30), turn_ticks(4)
    ([0, 5, 10, 15, 20, 25, 30], [0, 1, 2, 3, 4])
    """
    every = next(step for step in (1, 2, 5, 10, 20, 50, turns) if turns <= 8 * step)
    return list(range(0, turns + 1, every))


def hatch(name: str, size: int, strokes: str, of: str = "") -> str:
    """Return a pattern of strokes, to be laid over a colour."""
    return (
        f'<pattern id="{of}hatch-{name}" width="{size}" height="{size}" '
        f'patternUnits="userSpaceOnUse">{strokes}</pattern>'
    )


def _strokes(path: str, width: float = 1.2) -> str:
    return f'<path d="{path}" class="hatching" stroke-width="{width:g}"/>'


DEFINITIONS = Markup(
    '<svg width="0" height="0" class="definitions" aria-hidden="true" focusable="false"><defs>'
    + hatch("good", 6, _strokes("M-1 1l2 -2M0 6l6 -6M5 7l2 -2"))
    + hatch("late", 6, _strokes("M0 3h6"))
    + hatch("missed", 7, _strokes("M0 0l7 7M0 7l7 -7", 1.1))
    + hatch(
        "needless",
        6,
        '<circle cx="1.5" cy="1.5" r="1.1" class="dotting"/>'
        '<circle cx="4.5" cy="4.5" r="1.1" class="dotting"/>',
    )
    + hatch("lost", 5, _strokes("M2.5 0v5", 1.4))
    # the map is drawn in tenths of its unit
    + hatch("good", 110, _strokes("M-20 20l40 -40M0 110l110 -110M90 130l40 -40", 14), "map")
    + hatch("missed", 90, _strokes("M0 0l90 90M0 90l90 -90", 14), "map")
    + hatch(
        "needless",
        80,
        '<circle cx="20" cy="20" r="16" class="dotting"/>'
        '<circle cx="60" cy="60" r="16" class="dotting"/>',
        "map",
    )
    + '<symbol id="person" viewBox="0 0 10 22"><circle cx="5" cy="3.4" r="2.9"/>'
    '<path d="M1.6 7.4h6.8a1.3 1.3 0 0 1 1.3 1.3v5.6h-1.9v7.2h-5.6v-7.2h-1.9v-5.6'
    'a1.3 1.3 0 0 1 1.3 -1.3z"/></symbol>' + "</defs></svg>"
)
"""Hatches and signs that drawings refer to; stands once in the page."""
