"""The known state as a map of signs: every hex is three signs wide and two lines high (§16).

::

         23  24  25
    14   2a^ .       water class 2 known, alerted, a shelter
         P1  .  +    pump truck 1; a measuring station on hex 2414
             12      patrol 12

Odd-numbered columns stand half a hex higher, as on the sheet (§1.3). Colour repeats what a sign
says already.
"""

from dataclasses import dataclass, replace

import numpy as np
from rich.text import Text

from exercises.terminal.seat import Seat
from sim.legality import brushed
from sim.links import water_class
from sim.orders import Alert
from sim.rules import UnitKind
from sim.state import NOWHERE
from sim.unit import Unit
from sim.view import View

CELL = 4
MARGIN = 4
DRY, OFF, STALE_TURNS = ".", " ", 5
FORECAST, ALERTED, EVACUATED, ORDERED = ":", "a", "e", "*"
OPEN_SHELTER, SHUT_SHELTER, STATION, BASE = "^", "v", "+", "#"
WATER_STYLES = (
    "",
    "black on bright_cyan",
    "white on blue",
    "bold white on magenta",
    "bold white on red",
)
FLAG_STYLES = {ALERTED: "yellow", EVACUATED: "green", ORDERED: "magenta", FORECAST: "magenta"}
PAWNS = {UnitKind.PATROL: "", UnitKind.PUMP: "P", UnitKind.BOAT: "B"}


@dataclass(frozen=True, slots=True)
class Window:
    """Part of the sheet that is shown: first column and row from 0, and how many of each."""

    column: int
    row: int
    columns: int
    rows: int

    def about(self, column: int, row: int, sheet_columns: int, sheet_rows: int) -> "Window":
        """Return the window with a hex in its middle, kept on the sheet."""
        return replace(
            self,
            column=max(0, min(column - self.columns // 2, sheet_columns - self.columns)),
            row=max(0, min(row - self.rows // 2, sheet_rows - self.rows)),
        )


def pawn(unit: Unit) -> str:
    """Number of a unit as it stands on the board: patrol 3, pump truck P1, boat B2."""
    return PAWNS[unit.kind] + unit.name.rsplit("-", 1)[1]


def known_class(view: View) -> list[int]:
    """Class of water last known, by hex."""
    classes: list[int] = water_class(np.array(view.known_mm)).tolist()
    return classes


def shut_shelters(seat: Seat, view: View) -> list[bool]:
    """By shelter: closed, crushed, full, or in water known to be of class ≥ 2 (§10.2)."""
    classes = known_class(view)
    return [
        view.closed[number]
        or view.crushed[number]
        or view.places_taken[number] >= shelter.places
        or classes[shelter.cell] >= 2
        for number, shelter in enumerate(seat.district.shelters)
    ]


def board(seat: Seat, window: Window) -> list[Text]:
    """Return the lines of the map: a heading of column numbers, then two a row and one more."""
    sheet, view = seat.district.sheet, seat.view
    signs = _signs(seat, view)
    columns = range(window.column, min(window.column + window.columns, sheet.columns))
    heading = Text(" " * MARGIN)
    for column in columns:
        heading.append(f"{sheet.label(column * sheet.rows)[: sheet.digits]:<{CELL}}", style="dim")
    lines = [heading]
    first, last = window.row, min(window.row + window.rows, sheet.rows)
    for y in range(2 * first, 2 * last + 1):
        number = sheet.label(y // 2)[sheet.digits :] if y % 2 == 0 and y // 2 < last else ""
        line = Text(f"{number:<{MARGIN}}", style="")
        for column in columns:
            row, half = divmod(y - column % 2, 2)
            line.append_text(
                signs[column * sheet.rows + row][half] if first <= row < last else Text(" " * CELL)
            )
        line.rstrip()
        lines.append(line)
    return lines


def _signs(seat: Seat, view: View) -> list[tuple[Text, Text]]:
    """The two lines of every hex: water, flag and place; units."""
    district = seat.district
    classes = known_class(view)
    flags, places = _flags(seat, view), _places(seat, view)
    standing: dict[int, list[Unit]] = {}
    for unit in view.units:
        standing.setdefault(unit.cell, []).append(unit)
    signs = []
    for cell in range(district.sheet.n_hexes):
        dry = DRY if district.active[cell] else OFF
        water = str(classes[cell]) if classes[cell] else dry
        old = view.turn - view.known_turn[cell] > STALE_TURNS
        style = WATER_STYLES[classes[cell]] or "dim"
        upper = Text(water, style=f"dim {style}" if old and classes[cell] else style)
        upper.append(flags.get(cell, " "), style=FLAG_STYLES.get(flags.get(cell, " "), ""))
        upper.append(places.get(cell, " ") + " ", style="bold")
        signs.append((upper, _units(standing.get(cell, []))))
    return signs


def _flags(seat: Seat, view: View) -> dict[int, str]:
    flags = dict.fromkeys(view.forecast, FORECAST)
    for one in view.pending:
        if isinstance(one.order, Alert):
            for cell in brushed(seat.district, one.order.centre, one.order.radius):
                flags[cell] = ORDERED
    flags.update(dict.fromkeys(view.alerted, ALERTED))
    flags.update(dict.fromkeys(view.evacuated, EVACUATED))
    return flags


def _places(seat: Seat, view: View) -> dict[int, str]:
    district = seat.district
    bases = (*district.police_stations, *district.technical_centres)
    places = {base.cell: BASE for base in bases}
    places.update({station.cell: STATION for station in district.stations})
    for shelter, shut in zip(district.shelters, shut_shelters(seat, view), strict=True):
        places[shelter.cell] = SHUT_SHELTER if shut else OPEN_SHELTER
    return places


def _units(units: list[Unit]) -> Text:
    """The first unit of a hex by its number, ``+`` for more; ``!`` when its way is closed."""
    if not units:
        return Text(" " * CELL)
    unit = units[0]
    style = "bold red" if unit.blocked else "bold" if unit.to == NOWHERE else "dim"
    sign = pawn(unit) + ("!" if unit.blocked else "") + ("+" if units[1:] else "")
    return Text(f"{sign[:CELL]:<{CELL}}", style=style)
