"""Where the texts of a sheet's map stand, so that none lies over another."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from gis.lattice import Float64Array
from gis.sheet_map import SheetMap
from gis.sheet_style import MARK, NAME_PT_MAX, NUMBER_PT_MAX, SIGN

MM_PER_PT = 25.4 / 72
DIGIT_EM = 0.513
"""Width of a digit of the sheet's font."""
CAP_EM = 0.66
LONGEST_NAME = 30
"""Characters of a name that a map shows."""
NAME_TALL_EM = 1.3
NAME_WIDE_EM = 0.5
"""Height of a name's plate, and what it is wider than its text."""
_CLEAR = 0.055
"""Least distance of a number from a link's axis, share of a hex's width."""
_CORNER = 0.055
"""Least distance of a number from its hex's western corner, share of a hex's width."""
_OUTSIDE_COST = 5.0
_FARTHEST = 7.0
"""How far from its quarter's middle a name may stand, hexes."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text centred on a place of the map, in a box of its own; millimetres.

    ``kind`` is number, faded (the number of an inactive hex), shelter or quarter.
    """

    kind: str
    x: float
    y: float
    width: float
    height: float
    text: str

    @property
    def box(self) -> tuple[float, float, float, float]:
        """West, north, east, south."""
        w, h = self.width / 2, self.height / 2
        return (self.x - w, self.y - h, self.x + w, self.y + h)


def clean(name: str) -> str:
    r"""Name on one line, without characters that cannot be printed.

    Examples
    --------
    >>> clean("Le\tPetit\n Bourg\x00")
    'Le Petit Bourg'
    """
    spaced = "".join(" " if c.isspace() else c for c in name)
    return " ".join(
        "".join(c for c in spaced if not unicodedata.category(c).startswith("C")).split()
    )


def shortened(name: str, longest: int = LONGEST_NAME) -> str:
    """Clean name, cut with an ellipsis where it is longer."""
    name = clean(name)
    return name if len(name) <= longest else name[: longest - 1].rstrip() + "…"


@dataclass(frozen=True)
class Lettering:
    """Sizes of the texts of a map, points."""

    number: float
    shelter: float
    name: float

    @classmethod
    def of(cls, drawn: SheetMap) -> "Lettering":
        """Sizes that a hex's sectors hold."""
        digits = 2 * drawn.pack.district.sheet.digits
        # from the links' axes to the corner due west, through the middle of the sector
        number_mm = (0.577 - _CLEAR - _CORNER) * drawn.unit / (digits * DIGIT_EM + CAP_EM * 1.15)
        return cls(
            number=min(number_mm / MM_PER_PT, NUMBER_PT_MAX),
            shelter=min(0.42 * SIGN * drawn.unit / CAP_EM / MM_PER_PT, 12.0),
            name=min(0.25 * drawn.unit / MM_PER_PT, NAME_PT_MAX),
        )


@dataclass(frozen=True)
class Labels:
    """Texts of a map.

    Attributes
    ----------
    drawn : SheetMap
    name_widths : sequence of float
        Width of every quarter's name as ``shortened`` gives it, in ems of its own size.
    quarters : sequence of str
        Their names in the sheet's language, whole.

    """

    drawn: SheetMap
    name_widths: Sequence[float]
    quarters: Sequence[str]

    @cached_property
    def lettering(self) -> Lettering:
        """Sizes, points."""
        return Lettering.of(self.drawn)

    @cached_property
    def numbers(self) -> tuple[Text, ...]:
        """Numbers of all hexes, in the sector due west, clear of every link (§1.3)."""
        district, sheet = self.drawn.pack.district, self.drawn.pack.district.sheet
        em = self.lettering.number * MM_PER_PT
        width, height = 2 * sheet.digits * DIGIT_EM * em, CAP_EM * em
        # amid what the links' axes leave and the western corner
        near = height / 2 / np.tan(np.radians(30)) + _CLEAR * self.drawn.unit
        far = (0.577 - _CORNER) * self.drawn.unit - height / 2 / np.tan(np.radians(60))
        near += max(0.0, far - near - width) / 2
        return tuple(
            Text(
                "number" if active else "faded",
                float(x - near - width / 2),
                float(y),
                width,
                height,
                sheet.label(cell),
            )
            for cell, ((x, y), active) in enumerate(
                zip(self.drawn.centres, district.active, strict=True)
            )
        )

    @cached_property
    def shelters(self) -> tuple[Text, ...]:
        """Numbers of the shelters, in their signs."""
        em = self.lettering.shelter * MM_PER_PT
        return tuple(
            Text(
                "shelter",
                sign.x,
                sign.y + 0.19 * SIGN * self.drawn.unit,
                len(sign.text) * DIGIT_EM * em,
                CAP_EM * em,
                sign.text,
            )
            for sign in self.drawn.signs
            if sign.text
        )

    @property
    def names(self) -> tuple[Text, ...]:
        """Names of the quarters, those that find a place."""
        return tuple(self._names[quarter] for quarter in sorted(self._names))

    @cached_property
    def _names(self) -> dict[int, Text]:
        """Names by quarter; small quarters are served first.

        Rows of numbers leave bands free, half a hex apart: a name stands in one, clear of signs,
        marks and other names, as near its quarter's middle as it can.
        """
        drawn, district = self.drawn, self.drawn.pack.district
        em = self.lettering.name * MM_PER_PT
        taken = [_square(s.x, s.y, SIGN * drawn.unit * 1.1) for s in drawn.signs]
        taken += [_square(s.x, s.y, MARK * drawn.unit * 1.1) for s in drawn.structures]
        sizes = np.bincount(
            district.quarter[district.quarter >= 0], minlength=len(district.quarters)
        )
        placed: dict[int, Text] = {}
        for quarter in np.argsort(sizes, kind="stable").tolist():
            text = shortened(self.quarters[quarter])
            cells = district.hexes_of_quarter(quarter)
            if not cells or not text:
                continue
            wide = (self.name_widths[quarter] + NAME_WIDE_EM) * em
            found = self._spot(cells, wide, NAME_TALL_EM * em, np.array(taken).reshape(-1, 4))
            if found is None:
                continue
            placed[quarter] = Text("quarter", *found, wide, NAME_TALL_EM * em, text)
            taken.append(placed[quarter].box)
        return placed

    def _spot(
        self, cells: tuple[int, ...], wide: float, tall: float, taken: Float64Array
    ) -> tuple[float, float] | None:
        unit = self.drawn.unit
        own = self.drawn.centres[list(cells)]
        mean = own.mean(axis=0)
        # the hex nearest the mean: a quarter bent like a hook has its mean outside
        middle = own[np.argmin(((own - mean) ** 2).sum(axis=1))]
        x, y = self._bands(own, middle, wide)
        boxes = np.column_stack((x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2))
        if len(taken):
            apart = (
                (boxes[:, None, 0] >= taken[None, :, 2])
                | (boxes[:, None, 2] <= taken[None, :, 0])
                | (boxes[:, None, 1] >= taken[None, :, 3])
                | (boxes[:, None, 3] <= taken[None, :, 1])
            )
            free = apart.all(axis=1)
            x, y, boxes = x[free], y[free], boxes[free]
        if not len(x):
            return None
        area = shapely.union_all(self.drawn.hexes[list(cells)], grid_size=0.001)
        inside = shapely.area(shapely.intersection(shapely.box(*boxes.T), area)) / (wide * tall)
        far = np.hypot(x - middle[0], y - middle[1]) / unit
        best = int(np.argmin(far + _OUTSIDE_COST * (1 - inside)))
        return float(x[best]), float(y[best])

    def _bands(
        self, own: Float64Array, middle: Float64Array, wide: float
    ) -> tuple[Float64Array, Float64Array]:
        """Places for a name's middle: on the map, in bands free of numbers."""
        unit = self.drawn.unit
        width, height = self.drawn.size
        reach = _FARTHEST * unit
        first = self.drawn.centres[0, 1]
        (low_x, low_y), (high_x, high_y) = own.min(axis=0) - unit, own.max(axis=0) + unit
        k = np.arange(int(2 * self.drawn.pack.district.sheet.rows) + 1)
        y = first + (k - 0.5) * unit / 2
        y = y[(y >= low_y) & (y <= high_y) & (np.abs(y - middle[1]) <= reach)]
        y = y[(y > 0.25 * unit) & (y < height - 0.25 * unit)]
        x = middle[0] + np.arange(-4 * _FARTHEST, 4 * _FARTHEST + 1) * unit / 4
        x = x[(x >= low_x) & (x <= high_x) & (x >= wide / 2) & (x <= width - wide / 2)]
        if not len(x):  # wider than what is left beside the rim
            x = np.array([np.clip(middle[0], wide / 2, max(wide / 2, width - wide / 2))])
        across, down = np.meshgrid(x, y)
        return across.ravel(), down.ravel()

    @cached_property
    def all(self) -> tuple[Text, ...]:
        """Every text of the map."""
        return (*self.numbers, *self.shelters, *self.names)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Names of quarters for which the map has no room."""
        names = map(shortened, self.quarters)
        return tuple(name for at, name in enumerate(names) if name and at not in self._names)


def _square(x: float, y: float, side: float) -> tuple[float, float, float, float]:
    return (x - side / 2, y - side / 2, x + side / 2, y + side / 2)
