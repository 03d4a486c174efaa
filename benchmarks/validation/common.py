"""What the validations share: grids, scores, bars, tables."""

import gzip
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from sim.flow import Flow

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data"


@dataclass(frozen=True)
class Grid:
    """An ESRI ASCII grid.

    Attributes
    ----------
    value : (n_row, n_col) float
        Northern row first; nan where void.
    pixel_m, west_m, north_m : float
        Side of a cell; coordinates of the outer corner of the first cell.
    """

    value: np.ndarray
    pixel_m: float
    west_m: float
    north_m: float

    def place(self, x_m: float, y_m: float) -> tuple[int, int]:
        """Row and column of the cell that holds a point."""
        return int((self.north_m - y_m) / self.pixel_m), int((x_m - self.west_m) / self.pixel_m)

    def centres_m(self) -> tuple[np.ndarray, np.ndarray]:
        """x (1, n_col) and y (n_row, 1) of the middles of the cells."""
        rows, columns = self.value.shape
        x = self.west_m + (np.arange(columns) + 0.5) * self.pixel_m
        y = self.north_m - (np.arange(rows) + 0.5) * self.pixel_m
        return x[np.newaxis, :], y[:, np.newaxis]


def read_grid(lines: Sequence[str]) -> Grid:
    """Read the lines of an ESRI ASCII grid whose origin is the corner of a cell."""
    head = {key.lower(): float(value) for key, value in (line.split() for line in lines[:6])}
    value = np.loadtxt(lines[6:], ndmin=2)
    value[value == head["nodata_value"]] = np.nan
    pixel = head["cellsize"]
    return Grid(value, pixel, head["xllcorner"], head["yllcorner"] + len(value) * pixel)


def text_of(path: Path) -> list[str]:
    """Lines of a text file, gzipped or not."""
    held = path.read_bytes()
    return (gzip.decompress(held) if path.suffix == ".gz" else held).decode().splitlines()


@dataclass(frozen=True)
class Score:
    """How the wet cells of two depth maps agree, in cells.

    Attributes
    ----------
    hits, misses, false_alarms : int
        Wet in both; in the reference alone; in the model alone.
    """

    hits: int
    misses: int
    false_alarms: int

    @classmethod
    def of(
        cls, model_m: np.ndarray, reference_m: np.ndarray, where: np.ndarray, over_m: float
    ) -> "Score":
        """Score two depth maps over some cells, wet being deeper than a threshold."""
        model, reference = (model_m > over_m) & where, (reference_m > over_m) & where
        return cls(
            int((model & reference).sum()),
            int((~model & reference).sum()),
            int((model & ~reference).sum()),
        )

    @property
    def csi(self) -> float:
        """Critical success index: hits / (hits + misses + false alarms)."""
        return self.hits / max(self.hits + self.misses + self.false_alarms, 1)


def rmse(a: np.ndarray, b: np.ndarray, where: np.ndarray) -> float:
    """Root mean square difference over some cells."""
    return float(np.sqrt(np.mean(np.square(a[where] - b[where]))))


def run(
    flow: Flow,
    end_s: float,
    every_s: float,
    name: str,
    look: Callable[[], None] = lambda: None,
) -> None:
    """Advance a flow to a moment under a bar, looking at it at every interval."""
    columns = (
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns) as bar:
        task = bar.add_task(name, total=end_s, completed=flow.now_s)
        while flow.now_s < end_s:
            flow.advance(min(end_s, (np.floor(flow.now_s / every_s + 1e-9) + 1) * every_s))
            look()
            bar.update(task, completed=flow.now_s)


def print_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table in Markdown; numbers stand on the right."""
    cells = [[_cell(value) for value in row] for row in rows]
    width = [max(len(str(c)) for c in column) for column in zip(head, *cells, strict=True)]
    print("| " + " | ".join(h.ljust(w) for h, w in zip(head, width, strict=True)) + " |")
    marks = ("-" * w if i == 0 else "-" * (w - 1) + ":" for i, w in enumerate(width))
    print("| " + " | ".join(marks) + " |")
    for row in cells:
        print("| " + " | ".join(c.rjust(w) for c, w in zip(row, width, strict=True)) + " |")
    print(flush=True)


def _cell(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)
