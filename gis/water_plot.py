"""The hydrograph and the mass balance of a storm, as one SVG that opens anywhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt

from gis.water_words import say
from gis.wording import written

Float64Array = npt.NDArray[np.float64]

WIDTH, HEIGHT = 920, 470
LEFT, RIGHT, TOP, BOTTOM = 76, 24, 42, 52
RAIN_HEIGHT, GAP = 110, 44
INK, SOFT, GRID = "#1d2b33", "#51606a", "#d9d2c2"
# Okabe & Ito's palette: told apart by every reader
RAIN, STORED, OUT = "#56b4e9", "#0072b2", "#e69f00"
_DASHED = f'stroke="{INK}" stroke-width="2" stroke-dasharray="6 4"'
_STEPS = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True, slots=True)
class Balance:
    """Water of a whole sheet at the end of every turn from 0, cubic metres since the start.

    Attributes
    ----------
    come, stored, out : (turns + 1,) float
        Effective rain and inflows; water on the ground; water gone to sinks and over the rim.
    """

    come: Float64Array
    stored: Float64Array
    out: Float64Array

    @property
    def error(self) -> float:
        """Largest gap of the balance at any turn, as a share of all the water that came."""
        gap = np.abs(self.come - self.stored - self.out).max()
        return float(gap / self.come[-1]) if self.come[-1] else 0.0


def balance_svg(balance: Balance, clocks: Sequence[str], lang: str) -> str:
    """Draw the rain of every turn above, and below where all of it is by now."""
    turns = len(balance.come) - 1
    thousand = 1000.0
    by_turn = np.diff(balance.come) / thousand
    come, stored = balance.come / thousand, balance.stored / thousand
    gone = balance.out / thousand
    x = LEFT + (WIDTH - LEFT - RIGHT) * np.arange(turns + 1) / turns
    low = TOP + RAIN_HEIGHT + GAP
    foot = HEIGHT - BOTTOM
    rain_y = _Axis(float(by_turn.max()), TOP + RAIN_HEIGHT, TOP, 3)
    sum_y = _Axis(float(max(come.max(), (stored + gone).max())), foot, low, 4)
    parts = [
        *_grid(rain_y, lang),
        *_grid(sum_y, lang),
        _heading("rain", TOP - 22, lang),
        _heading("sums", low - 16, lang),
    ]
    width = x[1] - x[0]
    for turn, rain in enumerate(by_turn.tolist(), start=1):
        top = rain_y.at(rain)
        parts.append(
            f'<rect x="{x[turn] - width + 1:.1f}" y="{top:.1f}" width="{width - 2:.1f}" '
            f'height="{rain_y.foot - top:.1f}" fill="{RAIN}"/>'
        )
    nothing = np.zeros(turns + 1)
    parts += [
        _band(x, sum_y, nothing, stored, STORED),
        _band(x, sum_y, stored, stored + gone, OUT),
        f'<path d="{_line(x, sum_y, come)}" fill="none" {_DASHED}/>',
        *_clocks(x, foot, clocks, lang),
        *_legend(low + 6, lang),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{_t("balance_alt", lang)}" font-family="Inter, \'Segoe UI\', Arial, '
        '\'DejaVu Sans\', sans-serif" font-size="13">'
        f"<style>.head{{font-weight:600;fill:{INK}}}.soft{{font-weight:400;fill:{SOFT}}}"
        f".tick{{fill:{SOFT};font-size:12px}}</style>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fffdf7"/>{"".join(parts)}</svg>'
    )


class _Axis:
    """Heights of a scale from 0 up to a round figure at or above the greatest value."""

    def __init__(self, greatest: float, foot: float, top: float, steps: int) -> None:
        self.foot, self._top = foot, top
        greatest = greatest or 1.0
        rough = greatest / steps
        power = 10.0 ** np.floor(np.log10(rough))
        self.step = next(float(s * power) for s in _STEPS if s * power >= rough * (1 - 1e-9))
        self.most = self.step * np.ceil(greatest / self.step - 1e-9)

    def at(self, value: float) -> float:
        """Height of a value on the drawing."""
        return float(self.foot - (self.foot - self._top) * value / self.most)

    @property
    def ticks(self) -> list[float]:
        """Round figures from 0 to the top."""
        return [self.step * i for i in range(round(self.most / self.step) + 1)]


def _heading(key: str, y: float, lang: str) -> str:
    unit = f'<tspan class="soft"> ({_t("unit", lang)})</tspan>'
    return f'<text x="{LEFT - 64}" y="{y}" class="head">{_t(key, lang)}{unit}</text>'


def _grid(axis: _Axis, lang: str) -> list[str]:
    digits = next(d for d in range(7) if abs(round(axis.step, d) - axis.step) < 1e-9 or d == 6)
    return [
        f'<path d="M{LEFT} {axis.at(tick):.1f}H{WIDTH - RIGHT}" stroke="{GRID}"/>'
        f'<text x="{LEFT - 8}" y="{axis.at(tick) + 4:.1f}" text-anchor="end" class="tick">'
        f"{written(tick, lang, digits)}</text>"
        for tick in axis.ticks
    ]


def _line(x: Float64Array, axis: _Axis, values: Float64Array) -> str:
    points = " ".join(
        f"{a:.1f} {axis.at(v):.1f}" for a, v in zip(x.tolist(), values.tolist(), strict=True)
    )
    return f"M{points}"


def _band(
    x: Float64Array, axis: _Axis, under: Float64Array, over: Float64Array, colour: str
) -> str:
    there = _line(x, axis, over)
    back = _line(x[::-1], axis, under[::-1]).removeprefix("M")
    return f'<path d="{there} L{back}Z" fill="{colour}"/>'


def _clocks(x: Float64Array, foot: float, clocks: Sequence[str], lang: str) -> list[str]:
    every = 3 if len(clocks) <= 40 else 6
    marks = [
        f'<text x="{x[turn]:.1f}" y="{foot + 18}" text-anchor="middle" class="tick">{turn}</text>'
        f'<text x="{x[turn]:.1f}" y="{foot + 34}" text-anchor="middle" class="tick">'
        f"{escape(clocks[turn])}</text>"
        for turn in range(0, len(clocks), every)
    ]
    head = f'<text x="{LEFT - 64}" y="{foot + 18}" class="tick">{_t("turns", lang)}</text>'
    return [head, *marks]


def _legend(top: float, lang: str) -> list[str]:
    rows = [("come", None), ("out", OUT), ("stored", STORED)]
    parts = []
    for i, (key, colour) in enumerate(rows):
        y = top + 8 + 20 * i
        sign = (
            f'<rect x="{LEFT + 14}" y="{y - 9}" width="20" height="12" fill="{colour}"/>'
            if colour
            else f'<path d="M{LEFT + 14} {y - 3}h20" {_DASHED}/>'
        )
        parts.append(f'{sign}<text x="{LEFT + 42}" y="{y + 2}" fill="{INK}">{_t(key, lang)}</text>')
    return parts


def _t(key: str, lang: str) -> str:
    return escape(say(key, lang))
