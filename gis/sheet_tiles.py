"""How a large map is cut into A4 pages that are taped together."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from gis.sheet_svg import Window

SHORT_MM, LONG_MM = 210.0, 297.0
MARGIN_MM = 10.0
"""What a printer may leave white; it carries the marks."""
OVERLAP_MM = 10.0
"""Band on which the next page is glued."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One page: column and row from 0, and what it shows of the map, millimetres."""

    column: int
    row: int
    window: Window

    @property
    def label(self) -> str:
        """Letter of the column, number of the row: B2.

        Examples
        --------
        >>> Tile(1, 1, (0, 0, 1, 1)).label, Tile(26, 0, (0, 0, 1, 1)).label
        ('B2', 'AA1')
        """
        letters, left = "", self.column + 1
        while left:
            left, digit = divmod(left - 1, 26)
            letters = chr(ord("A") + digit) + letters
        return f"{letters}{self.row + 1}"


@dataclass(frozen=True, slots=True)
class Tiling:
    """Pages of a map.

    Attributes
    ----------
    page : (float, float)
        Width and height of a page, millimetres.
    columns, rows : int
    step : (float, float)
        From a page's window to the next one's, millimetres.
    origin : (float, float)
        North-west corner of the first window on the map: the map stands amid its pages.

    """

    page: tuple[float, float]
    columns: int
    rows: int
    step: tuple[float, float]
    origin: tuple[float, float]

    @classmethod
    def of(cls, width: float, height: float) -> "Tiling":
        """Cut a map into as few pages as it takes, upright or across.

        Examples
        --------
        >>> tiling = Tiling.of(670, 497)
        >>> tiling.columns, tiling.rows, tiling.page
        (4, 2, (210.0, 297.0))
        """
        both = [
            cls._on(width, height, *page) for page in ((LONG_MM, SHORT_MM), (SHORT_MM, LONG_MM))
        ]
        return min(both, key=lambda tiling: tiling.columns * tiling.rows)

    @classmethod
    def _on(cls, width: float, height: float, page_w: float, page_h: float) -> "Tiling":
        step_x, step_y = (side - 2 * MARGIN_MM - OVERLAP_MM for side in (page_w, page_h))
        columns = max(1, ceil((width - OVERLAP_MM) / step_x))
        rows = max(1, ceil((height - OVERLAP_MM) / step_y))
        origin = (
            -(columns * step_x + OVERLAP_MM - width) / 2,
            -(rows * step_y + OVERLAP_MM - height) / 2,
        )
        return cls((page_w, page_h), columns, rows, (step_x, step_y), origin)

    @property
    def tiles(self) -> Iterator[Tile]:
        """Pages, row by row."""
        for row in range(self.rows):
            for column in range(self.columns):
                west = self.origin[0] + column * self.step[0]
                north = self.origin[1] + row * self.step[1]
                yield Tile(
                    column,
                    row,
                    (
                        west,
                        north,
                        west + self.step[0] + OVERLAP_MM,
                        north + self.step[1] + OVERLAP_MM,
                    ),
                )
