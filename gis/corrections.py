"""An instructor's corrections of a build: hexes, links, quarters and shelters, row by row.

A row says ``what`` (hex, link or shelter), ``where`` (2314, or 2314-2315), which value to ``set``,
``to`` what, and ``why``. Each is applied to the automatic value of its step, so that what follows
from it (people to shelter, quarters, shelters) follows from the corrected one.
"""

import csv
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyogrio
import shapely
from pyproj import CRS, Transformer
from pyproj.exceptions import ProjError

from gis.fabric import FabricValues
from gis.lattice import Lattice
from gis.streets import Streets
from sim.district import BoolArray, Facility
from sim.errors import DistrictError, SourceError
from sim.hexes import IntArray, Sheet
from sim.refusal import Joined, Refusal, mark, reason_of, refuse
from sim.rules import SHELTER_PLACES, Fabric, LinkClass, Structure

COLUMNS = ("what", "where", "set", "to", "why")
SETTINGS = {
    "hex": ("fabric", "residents", "active", "quarter"),
    "link": ("class", "structure", "foot", "barrier"),
    "shelter": ("add", "remove", "name", "places"),
}
YES, NO = frozenset({"yes", "true", "1", "oui"}), frozenset({"no", "false", "0", "non"})
MOST_PEOPLE = 100_000
"""Most residents of a hex, and places of a shelter."""
MOST_FAULTS = 20
"""Faults told at once."""


@dataclass(frozen=True, slots=True)
class Row:
    """One correction; ``value`` is what ``to`` stands for, ``at`` a hex or an edge."""

    number: int
    what: str
    where: str
    set: str
    to: str
    why: str
    at: int
    value: Any

    @property
    def name(self) -> Refusal:
        """The row as a user finds it in the file, to stand in a fault."""
        return refuse(
            "",
            "row {number} ({row_kind} {where}, {setting})",
            number=self.number,
            row_kind=self.what,
            where=self.where,
            setting=self.set,
        )


@dataclass(eq=False)
class Corrections:
    """The rows of a file, those applied so far and the faults found in applying them.

    Attributes
    ----------
    source : str
        Name of the file; '' for none.
    rows : tuple of Row
    applied : list of dict
        Rows with the automatic value that they replaced (``was``), for the manifest.
    faults : list of Refusal
        One sentence each.
    """

    source: str = ""
    rows: tuple[Row, ...] = ()
    applied: list[dict[str, Any]] = field(default_factory=list)
    faults: list[Refusal] = field(default_factory=list)

    # ------------------------------------------------------------------- applying
    def streets(self, streets: Streets) -> Streets:
        """Correct links (§3); a road opens its edge on foot, a way of any kind is no barrier."""
        if not self._any("link"):
            return streets
        link, structure = streets.link_class.copy(), streets.structure.copy()
        foot, barrier = streets.foot.copy(), streets.barrier.copy()
        told: dict[int, dict[str, Row]] = {}
        for row in self._of("link", "class", "structure", "foot", "barrier"):
            values = {"class": link, "structure": structure, "foot": foot, "barrier": barrier}
            self._note(row, _said(row.set, values[row.set][row.at]))
            values[row.set][row.at] = row.value
            told.setdefault(row.at, {})[row.set] = row
        for edge, given in sorted(told.items()):
            if "class" in given and "foot" not in given:
                foot[edge] = link[edge] > LinkClass.NONE
            if "class" in given and "structure" not in given and link[edge] == LinkClass.NONE:
                structure[edge] = Structure.ROAD
            if "barrier" not in given and foot[edge]:
                barrier[edge] = False
            said = _rows_named(list(given.values()))
            if link[edge] > LinkClass.NONE and not foot[edge]:
                self.faults.append(
                    refuse("", "{said}: it carries a road but is closed on foot (§3.2)", said=said)
                )
            if structure[edge] != Structure.ROAD and link[edge] == LinkClass.NONE:
                self.faults.append(
                    refuse("", "{said}: it has a structure but no road on it (§3.3)", said=said)
                )
            if barrier[edge] and foot[edge]:
                self.faults.append(
                    refuse(
                        "",
                        "{said}: it is a barrier but a way crosses it (§3.2); add a row that sets "
                        "its class to 0",
                        said=said,
                    )
                )
        return replace(streets, link_class=link, structure=structure, foot=foot, barrier=barrier)

    def fabric(self, fabric: FabricValues) -> FabricValues:
        """Correct fabrics (§2); a corrected one is sure."""
        values, sure = fabric.fabric.copy(), fabric.confidence.copy()
        for row in self._of("hex", "fabric"):
            self._note(row, Fabric(values[row.at]).name.lower())
            values[row.at], sure[row.at] = row.value, 1.0
        return replace(fabric, fabric=values, confidence=sure)

    def fabric_cells(self) -> list[int]:
        """Hexes whose fabric is corrected."""
        return [row.at for row in self._of("hex", "fabric")]

    def active(self, active: BoolArray) -> BoolArray:
        """Correct which hexes are in play (§1.2)."""
        values = active.copy()
        for row in self._of("hex", "active"):
            self._note(row, _said("active", values[row.at]))
            values[row.at] = row.value
        return values

    def residents(self, residents: IntArray, active: BoolArray) -> IntArray:
        """Correct residents (§8); a hex in play has one at least, any other none."""
        values = residents.copy()
        for row in self._of("hex", "residents"):
            if not active[row.at]:
                self.faults.append(
                    refuse(
                        "",
                        "{name}: the hex is not active (§1.2); add a row that sets active to yes",
                        name=row.name,
                    )
                )
                continue
            self._note(row, str(values[row.at]))
            values[row.at] = row.value
        made_active = [row for row in self.rows if row.set == "active" and row.value]
        for row in made_active:
            if values[row.at] < 1:
                self.faults.append(
                    refuse(
                        "",
                        "{name}: nobody lives there by the sources (§1.2); add a row that sets its "
                        "residents",
                        name=row.name,
                    )
                )
        return values

    def quarters(
        self, quarter: IntArray, names: tuple[str, ...], active: BoolArray
    ) -> tuple[IntArray, tuple[str, ...]]:
        """Correct quarters; a new name makes one, one left without a hex goes."""
        if not self._any("hex", "quarter"):
            return quarter, names
        values, known = quarter.copy(), list(names)
        for row in self._of("hex", "quarter"):
            if not active[row.at]:
                self.faults.append(
                    refuse(
                        "", "{name}: the hex is not active, so in no quarter (§1.2)", name=row.name
                    )
                )
                continue
            if row.value not in known:
                known.append(row.value)
            self._note(row, known[values[row.at]])
            values[row.at] = known.index(row.value)
        kept = sorted(set(values[values >= 0].tolist()))
        number = np.full(len(known) + 1, -1, dtype=np.int32)
        number[kept] = np.arange(len(kept), dtype=np.int32)
        return number[values], tuple(known[old] for old in kept)

    def shelters(
        self, shelters: tuple[Facility, ...], active: BoolArray, sheet: Sheet
    ) -> tuple[Facility, ...]:
        """Correct shelters (§5.2): add, remove, name, places, in this order."""
        found = {shelter.cell: shelter for shelter in shelters}
        for row in self._of("shelter", *SETTINGS["shelter"]):
            here = found.get(row.at)
            if row.set == "add":
                if here is not None:
                    self.faults.append(
                        refuse(
                            "",
                            "{name}: {name_2} stands there already (§5.2)",
                            name=row.name,
                            name_2=repr(here.name),
                        )
                    )
                elif not active[row.at]:
                    self.faults.append(
                        refuse("", "{name}: the hex is not active (§1.2)", name=row.name)
                    )
                else:
                    self._note(row, "")
                    name = row.value or f"Abri {sheet.label(row.at)}"
                    found[row.at] = Facility(row.at, name, SHELTER_PLACES)
            elif here is None:
                hint = mark("drop the row") if row.set == "remove" else mark("add one first")
                self.faults.append(
                    refuse(
                        "",
                        "{name}: no shelter stands there; {hint} (§5.2)",
                        name=row.name,
                        hint=str(hint),
                    )
                )
            elif row.set == "remove":
                self._note(row, here.name)
                del found[row.at]
            else:
                self._note(row, str(getattr(here, row.set)))
                found[row.at] = replace(here, **{row.set: row.value})
        return tuple(found[cell] for cell in sorted(found))

    def raise_faults(self) -> None:
        """Refuse a file whose rows cannot all be applied.

        Raises
        ------
        DistrictError
            With one sentence a fault.
        """
        if self.faults:
            raise DistrictError(_told(self.source, self.faults))

    def _any(self, what: str, setting: str | None = None) -> bool:
        return any(row.what == what and setting in {None, row.set} for row in self.rows)

    def _of(self, what: str, *settings: str) -> Iterator[Row]:
        for setting in settings:
            yield from (row for row in self.rows if (row.what, row.set) == (what, setting))

    def _note(self, row: Row, was: str) -> None:
        kept = asdict(row)
        del kept["at"], kept["value"]
        self.applied.append({**kept, "was": was})


def _rows_named(rows: list[Row]) -> Refusal:
    """Rows of one link as a user finds them in the file, to stand in a fault."""
    first = rows[0]
    if len(rows) == 1:
        return first.name
    numbers = ", ".join(str(number) for number in sorted(row.number for row in rows))
    return refuse(
        "",
        "rows {numbers} ({row_kind} {where})",
        numbers=numbers,
        row_kind=first.what,
        where=first.where,
    )


def _said(setting: str, value: Any) -> str:
    """A value of a link or a hex as a file says it."""
    if setting == "structure":
        return Structure(value).name.lower()
    return str(int(value)) if setting == "class" else ("yes" if value else "no")


def _told(source: str, faults: list[Refusal]) -> Refusal:
    shown = faults[:MOST_FAULTS]
    if len(faults) > MOST_FAULTS:
        shown.append(refuse("", "and {count} faults more", count=len(faults) - MOST_FAULTS))
    return refuse("", "{file}: {faults}", file=source, faults=Joined(tuple(shown), "\n"))


# --------------------------------------------------------------------------- reading
def read_corrections(path: Path, lattice: Lattice) -> Corrections:
    """Read and check a file of corrections.

    Parameters
    ----------
    path : path of a CSV (comma or semicolon) or of a GeoPackage
        With the columns of ``COLUMNS``; ``why`` may be absent. In a GeoPackage ``where`` may be
        empty: the hex under the feature, or those under the two ends of a line for a link.
    lattice : Lattice

    Raises
    ------
    SourceError
        If the file cannot be read, lacks a column, or a row is at fault; one sentence a fault.
    """
    table = _from_geopackage(path, lattice) if path.suffix.lower() == ".gpkg" else _from_csv(path)
    faults: list[Refusal] = []
    rows: list[Row] = []
    seen: dict[tuple[str, int, str], int] = {}
    for number, cells in table:
        what, where, setting, to, why = (cells.get(name, "") for name in COLUMNS)
        what, setting = what.lower(), setting.lower()
        try:
            at, label = _place(what, where, setting, lattice.sheet)
            row = Row(number, what, label, setting, to, why, at, _VALUES[what, setting](to))
        except ValueError as fault:
            faults.append(refuse("", "row {number}: {why}", number=number, why=reason_of(fault)))
            continue
        if (before := seen.setdefault((what, at, setting), number)) != number:
            faults.append(
                refuse(
                    "",
                    "{name} says again what row {before} said; keep one of them",
                    name=row.name,
                    before=str(before),
                )
            )
        rows.append(row)
    if faults:
        raise SourceError(_told(path.name, faults))
    return Corrections(path.name, tuple(rows))


def _from_csv(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows with their line in the file, the header being line 1."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        delimiter = ";" if ";" in text.partition("\n")[0] else ","
        reader = csv.DictReader(text.splitlines(), delimiter=delimiter, strict=True)
        _require_columns(path, list(reader.fieldnames or ()))
        for cells in reader:
            named = {str(k).strip().lower(): str(v or "").strip() for k, v in cells.items() if k}
            if any(named.values()):
                yield reader.line_num, named
    except (UnicodeDecodeError, csv.Error) as fault:
        raise SourceError(
            refuse(
                "",
                "{file} is not a table in UTF-8 ({fault}): save it as CSV UTF-8",
                file=path.name,
                fault=reason_of(fault),
            )
        ) from fault
    except OSError as fault:
        raise SourceError(
            refuse(
                "",
                "{path} cannot be read: {why}; check the path",
                path=str(path),
                why=str(fault.strerror),
            )
        ) from fault


def _from_geopackage(path: Path, lattice: Lattice) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows of the one layer that has the columns, counted from 1, places told by geometry."""
    try:
        named = {
            layer: {str(name).strip().lower() for name in pyogrio.read_info(path, layer)["fields"]}
            for layer in pyogrio.list_layers(path)[:, 0].tolist()
        }
        fitting = [layer for layer, names in named.items() if set(COLUMNS[:4]) <= names]
        if not fitting:
            raise SourceError(
                refuse(
                    "",
                    "{file} has no layer with the columns {columns}: add them, of type text",
                    file=path.name,
                    columns=", ".join(COLUMNS[:4]),
                )
            )
        if len(fitting) > 1:
            raise SourceError(
                refuse(
                    "",
                    "{file} has {count} layers of corrections, {fitting}: keep one in the file",
                    file=path.name,
                    count=str(len(fitting)),
                    fitting=", ".join(fitting),
                )
            )
        frame = pyogrio.read_dataframe(path, layer=fitting[0])
    except (pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError, RuntimeError) as fault:
        raise SourceError(
            refuse(
                "",
                "{file} is not a GeoPackage that can be read: {fault}",
                file=path.name,
                fault=reason_of(fault),
            )
        ) from fault
    frame.columns = [str(name).strip().lower() for name in frame.columns]
    shapes, crs = getattr(frame, "geometry", None), getattr(frame, "crs", None)
    for at in range(len(frame)):
        cells = {
            name: "" if (value := frame[name].iloc[at]) is None or value != value else str(value)
            for name in COLUMNS
            if name in frame.columns
        }
        cells = {name: value.strip() for name, value in cells.items()}
        shape = None if shapes is None else shapes.iloc[at]
        if not cells["where"] and shape is not None and not shape.is_empty and crs is not None:
            cells["where"] = _under(shape, crs, lattice, cells["what"].lower() == "link")
        yield at + 1, cells


def _under(shape: Any, crs: Any, lattice: Lattice, link: bool) -> str:
    """Label of the hex under a shape, or of the two under a line's ends; '' off the sheet."""
    points = shapely.get_coordinates(shape)[[0, -1]] if link else None
    if points is None:
        points = shapely.get_coordinates(shapely.point_on_surface(shape))
    try:
        to_sheet = Transformer.from_crs(CRS(crs), lattice.crs, always_xy=True)
    except ProjError as fault:
        raise SourceError(
            refuse(
                "",
                "the corrections' shapes are in a reference system of their own ({fault}): "
                "save them in EPSG:4326",
                fault=reason_of(fault),
            )
        ) from fault
    cells = lattice.cells_at(*(np.asarray(v) for v in to_sheet.transform(*points.T)))
    return "-".join(lattice.sheet.label(int(cell)) if cell >= 0 else "off" for cell in cells)


def _require_columns(path: Path, names: list[str]) -> None:
    missing = set(COLUMNS[:4]) - {name.strip().lower() for name in names}
    if missing:
        raise SourceError(
            refuse(
                "",
                "{file} lacks the column {missing}: its first line must be {columns}",
                file=path.name,
                missing=", ".join(sorted(missing)),
                columns=",".join(COLUMNS),
            )
        )


def _place(what: str, where: str, setting: str, sheet: Sheet) -> tuple[int, str]:
    """Hex or edge of a row, and its label as the sheet writes it."""
    if what not in SETTINGS:
        raise ValueError(
            refuse(
                "",
                "{found} cannot be corrected; what is one of {settings}",
                found=repr(what),
                settings=", ".join(SETTINGS),
            )
        )
    if setting not in SETTINGS[what]:
        raise ValueError(
            refuse(
                "",
                "a {found} has no {setting}; set one of {settings}",
                found=str(what),
                setting=repr(setting),
                settings=", ".join(SETTINGS[what]),
            )
        )
    labels = where.replace("–", "-").replace("/", "-").replace(" ", "").split("-")
    if len(labels) != (2 if what == "link" else 1):
        hint = (
            mark("two hexes such as 2314-2315") if what == "link" else mark("one hex such as 2314")
        )
        raise ValueError(
            refuse(
                "",
                "where is {where}; a {found} is at {hint}",
                where=repr(where),
                found=str(what),
                hint=str(hint),
            )
        )
    cells = [_cell(label, sheet) for label in labels]
    if what != "link":
        return cells[0], sheet.label(cells[0])
    a, b = sorted(cells)
    across = [
        int(e) for e, n in zip(sheet.edge_across[a], sheet.neighbours[a], strict=True) if n == b
    ]
    if not across:
        raise ValueError(
            refuse(
                "",
                "{label} and {label_2} share no edge",
                label=str(sheet.label(a)),
                label_2=str(sheet.label(b)),
            )
        )
    return across[0], f"{sheet.label(a)}-{sheet.label(b)}"


def _cell(label: str, sheet: Sheet) -> int:
    try:
        return sheet.index_of(label.zfill(2 * sheet.digits))  # a spreadsheet eats a leading zero
    except DistrictError as fault:
        raise ValueError(*fault.args) from fault


# --------------------------------------------------------------------------- values
def _yes_or_no(to: str) -> bool:
    if to.lower() not in YES | NO:
        raise ValueError(refuse("", "{to} is neither yes nor no", to=repr(to)))
    return to.lower() in YES


def _one_of(kind: Any) -> Callable[[str], Any]:
    def value(to: str) -> Any:
        try:
            return kind[to.strip().upper().replace(" ", "_")]
        except KeyError:
            known = ", ".join(member.name.lower() for member in kind)
            raise ValueError(
                refuse("", "{to} is none of {known}", to=repr(to), known=str(known))
            ) from None

    return value


def _whole(least: int, most: int) -> Callable[[str], int]:
    def value(to: str) -> int:
        try:
            number = int("".join(to.split()))
        except ValueError:
            raise ValueError(refuse("", "{to} is not a whole number", to=repr(to))) from None
        if not least <= number <= most:
            raise ValueError(
                refuse(
                    "",
                    "{number} is not from {least} to {most}",
                    number=str(number),
                    least=str(least),
                    most=f"{most:,}",
                )
            )
        return number

    return value


def _text(to: str) -> str:
    if not to:
        raise ValueError(refuse("", "it names nothing; write the name in the column to"))
    return to


_VALUES: dict[tuple[str, str], Callable[[str], Any]] = {
    ("hex", "fabric"): _one_of(Fabric),
    ("hex", "residents"): _whole(1, MOST_PEOPLE),
    ("hex", "active"): _yes_or_no,
    ("hex", "quarter"): _text,
    ("link", "class"): _whole(int(LinkClass.NONE), int(max(LinkClass))),
    ("link", "structure"): _one_of(Structure),
    ("link", "foot"): _yes_or_no,
    ("link", "barrier"): _yes_or_no,
    ("shelter", "add"): str,
    ("shelter", "remove"): str,
    ("shelter", "name"): _text,
    ("shelter", "places"): _whole(1, MOST_PEOPLE),
}
